//! `docs/accuracy.md`: written by the test that checks it, so that page and verdicts come from the same runs.

use std::process::{Command, Stdio};

use crate::generate::root;

/// Runs the table of published figures and writes its page.
pub fn write() -> Result<(), String> {
    let status = Command::new(env!("CARGO"))
        .args(["test", "--quiet", "--package", "diskwright", "--test", "published"])
        .env("DISKWRIGHT_WRITE_ACCURACY", "1")
        .current_dir(root())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .map_err(|e| format!("cargo test: {e}"))?;
    if !status.success() {
        return Err(
            "docs/accuracy.md: a published figure is missed: `cargo test -p diskwright --test published` says which"
                .into(),
        );
    }
    println!("wrote docs/accuracy.md");
    Ok(())
}
