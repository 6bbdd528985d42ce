//! The bench of the studio runs; bytes and counts are checked, never the time.

use std::process::Command;

#[test]
fn the_studio_is_measured_and_is_as_small_as_is_asked() {
    if dw_browser::Browser::start().is_none() {
        return;
    }
    let output = Command::new(env!("CARGO_BIN_EXE_dw-bench")).args(["--studio", "--tiny"]).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
    let rows: Vec<&str> = out.lines().collect();
    for name in ["listening", "painted", "day drawn", "re-plan", "first chunk", "cancel"] {
        let row = rows.iter().find(|row| row.contains(name)).unwrap_or_else(|| panic!("no {name} in {out}"));
        assert!(!row.contains("NaN"), "{row}");
    }
    for name in ["assets", "assets, gzip", "server memory", "heap after", "nodes after"] {
        let row = rows.iter().find(|row| row.starts_with(name)).unwrap_or_else(|| panic!("no {name} in {out}"));
        assert!(!row.contains("MORE"), "{row}");
    }
}
