//! Every folder under `examples/` prints what its `expected.txt` says; a folder without one fails.

use std::fs;

use crate::e2e::support::{diskwright, root};

fn folders() -> Vec<String> {
    let entries = fs::read_dir(root().join("examples")).unwrap().map(|e| e.unwrap());
    let mut names: Vec<String> =
        entries.filter(|e| e.path().is_dir()).map(|e| e.file_name().into_string().unwrap()).collect();
    names.sort();
    assert!(names.len() >= 8, "{names:?}");
    names
}

#[test]
fn every_example_prints_what_it_says() {
    for name in folders() {
        let shown = format!("examples/{name}");
        let folder = root().join(&shown);
        let expected = fs::read_to_string(folder.join("expected.txt"))
            .unwrap_or_else(|e| panic!("{shown}/expected.txt: {e}: run `cargo xtask gen`"));
        let commands = diskwright_cli::examples::commands(&folder, &shown).unwrap();
        assert!(!commands.is_empty(), "{shown} has no job file");
        let printed = diskwright_cli::examples::transcript(&commands, |arguments| {
            let ran = diskwright(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
            assert_eq!(ran.code, 0, "{shown}: {}", ran.stderr);
            ran.stdout
        });
        assert!(
            printed == expected,
            "{shown} prints something else than its expected.txt (`cargo xtask gen` rewrites it):\n{printed}"
        );
    }
}

#[test]
fn every_example_opens_with_what_it_teaches() {
    for name in folders() {
        let read = |file: &str| fs::read_to_string(root().join(format!("examples/{name}/{file}")));
        let first = read("rig.toml").or_else(|_| read("requirements.toml")).unwrap();
        let opening: Vec<&str> = first.lines().take(2).collect();
        assert!(opening.iter().all(|line| line.starts_with("# ")), "{name}: {opening:?}");
        assert!(opening[1].contains("teaches"), "{name}: {opening:?}");
    }
}

/// The published outcome of each benchmark, within the 3 % that a printed measurement is met by.
#[test]
fn the_benchmarks_come_out_as_published() {
    let cases = [
        ("ds14-benchmark", "fiowrite", "write", 50_000.0),
        ("ds14-benchmark", "fioread", "read", 64_000.0),
        ("d8ds-v4-benchmark", "fiowrite", "write", 12_800.0),
        ("d8ds-v4-benchmark", "fioread", "read", 77_000.0),
        ("d8ds-v4-benchmark", "fioreadwrite", "read", 78_300.0),
        ("d8ds-v4-benchmark", "fioreadwrite", "write", 12_600.0),
        ("ds14-benchmark", "fioreadwrite", "all", 113_000.0),
    ];
    for (folder, job, direction, published) in cases {
        let rig = format!("examples/{folder}/rig.toml");
        let ran = diskwright(&["simulate", &rig, &format!("examples/{folder}/{job}.ini"), "--output-format", "json"]);
        let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        let iops = json["diskwright"]["total"][direction]["iops"].as_f64().unwrap();
        assert!((iops / published - 1.0).abs() < 0.03, "{folder} {job} {direction}: {iops}, published {published}");
    }
}
