//! What `cargo xtask gen` writes: the package `xtask-generate` the schemas and what the examples print; tests the page of accuracy, so that
//! page and verdicts come from the same runs, and what the guide and README.md show.

use std::process::{Command, Stdio};

use crate::root;

/// Writes them all.
pub fn write() -> Result<(), String> {
    let written = cargo(&["run", "--quiet", "--package", "xtask-generate"], false)?;
    if !written {
        return Err("the schemas and examples were not written".into());
    }
    if !cargo(&["test", "--quiet", "--package", "diskwright-cli", "--test", "all", "published::"], true)? {
        return Err(
            "docs/accuracy.md: a published figure is missed: `cargo test -p diskwright-cli --test all published::` says which"
                .into(),
        );
    }
    println!("wrote docs/accuracy.md");
    if !cargo(&["test", "--quiet", "--package", "diskwright-cli", "--test", "all", "guide::"], true)? {
        return Err(
            "the guide: commands fail as printed: `cargo test -p diskwright-cli --test all guide::` says which".into(),
        );
    }
    println!("wrote what README.md and docs/guide show");
    if !cargo(&["test", "--quiet", "--package", "dw-catalogue", "--test", "all", "plan_keys::"], true)? {
        return Err(
            "the keys of requirements: `cargo test -p dw-catalogue --test all plan_keys::` says what is wrong".into()
        );
    }
    println!("wrote the keys of [plan] in docs/guide and Python's stubs");
    Ok(())
}

/// Whether it succeeded.
fn cargo(args: &[&str], silent: bool) -> Result<bool, String> {
    let stdout = || if silent { Stdio::null() } else { Stdio::inherit() };
    let status = Command::new(env!("CARGO"))
        .args(args)
        .env("DISKWRIGHT_WRITE_ACCURACY", "1")
        .env("DISKWRIGHT_WRITE_GUIDE", "1")
        // What a plan may have depends on the day: examples are of 2026-08-31, in the month of the shipped records.
        .env("SOURCE_DATE_EPOCH", "1788170189")
        .current_dir(root())
        .stdin(Stdio::null())
        .stdout(stdout())
        .status()
        .map_err(|e| format!("cargo {}: {e}", args.join(" ")))?;
    Ok(status.success())
}
