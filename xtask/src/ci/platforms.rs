//! The systems on which the plain build has to compile. It is checked and not linked, so no linker and no C compiler of theirs is
//! needed: their standard library is.

use std::path::Path;
use std::process::Command;

use crate::root;

/// One of each family that is not Linux.
pub const TARGETS: [&str; 2] = ["x86_64-pc-windows-gnu", "aarch64-apple-darwin"];

/// What is said where it is not checked.
pub fn left_out(target: &str) -> String {
    format!("LEFT OUT: platforms: no standard library for {target} (scripts/setup-test-tools.sh asks rustup for it)")
}

/// Whether the standard library is there; rustc names its folder in any case.
pub fn is_installed(target: &str) -> bool {
    let folder =
        Command::new("rustc").args(["--print", "target-libdir", "--target", target]).current_dir(root()).output();
    folder.is_ok_and(|output| {
        output.status.success() && Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_installs_what_is_checked() {
        let script = std::fs::read_to_string(root().join("scripts/setup-test-tools.sh")).unwrap();
        assert!(script.contains(&format!("for target in {}; do", TARGETS.join(" "))));
    }
}
