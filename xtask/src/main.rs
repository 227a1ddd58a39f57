//! What developers run: `cargo xtask help`.

fn main() {}
