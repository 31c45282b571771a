//! The command line of Ludex.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
