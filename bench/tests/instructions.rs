//! No change makes a simulated I/O dearer unseen: what every case takes now against `bench/instructions.toml`.

use std::process::Command;

#[test]
fn no_case_takes_more_instructions_than_the_committed_file_says() {
    if Command::new("valgrind").arg("--version").output().is_err() {
        eprintln!("SKIPPED: valgrind is not installed (scripts/setup-test-tools.sh installs it)");
        return;
    }
    if std::env::var("CARGO_INCREMENTAL").as_deref() != Ok("0") {
        eprintln!("LEFT OUT: instructions are counted where CARGO_INCREMENTAL=0: incremental builds inline less");
        return;
    }
    let output = Command::new(env!("CARGO_BIN_EXE_dw-bench")).arg("--check-instructions").output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(
        output.status.success(),
        "{out}{err}\nhint: make it cheaper; where it is worth that, `CARGO_INCREMENTAL=0 cargo run -p dw-bench -- --write-instructions`"
    );
}
