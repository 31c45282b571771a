//! The command line of Ludex.

fn main() {}
