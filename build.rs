//! Lets a new rule file be embedded without touching the source.

fn main() {
    println!("cargo:rerun-if-changed=rules");
}
