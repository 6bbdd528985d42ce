//! Lists that people rely on, against the tree: unchecked lists rot.

use std::fs;
use std::path::Path;

use crate::e2e::support::{diskwright, diskwright_at, root};

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn crates() -> Vec<String> {
    let entries = fs::read_dir(root().join("crates")).unwrap().map(|e| e.unwrap());
    entries.filter(|e| e.path().join("Cargo.toml").exists()).map(|e| e.file_name().into_string().unwrap()).collect()
}

#[test]
fn the_architecture_names_every_crate() {
    let map = text("ARCHITECTURE.md");
    for name in crates() {
        assert!(map.contains(&format!("`{name}`")), "ARCHITECTURE.md does not mention `{name}`");
    }
}

#[test]
fn every_dependency_has_its_line() {
    let page = text("docs/decisions/0002-dependencies.md");
    let folders = crates()
        .into_iter()
        // What it names is used by others.
        .filter(|name| name != "dw-dependencies")
        .map(|name| format!("crates/{name}"))
        .chain(["bench", "xtask", "xtask/generate"].map(String::from));
    for folder in folders {
        let manifest: toml::Table = text(&format!("{folder}/Cargo.toml")).parse().unwrap();
        let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
        // Those of one system alone stand below `target`.
        let of_targets = manifest.get("target").and_then(|t| t.as_table()).into_iter().flat_map(|t| t.values());
        let tables = of_targets.filter_map(|t| t.as_table()).chain([&manifest]);
        let names =
            tables.flat_map(|t| kinds.iter().filter_map(|kind| t.get(*kind)?.as_table())).flat_map(|t| t.keys());
        for name in names.filter(|n| !n.starts_with("dw-") && !n.starts_with("diskwright")) {
            assert!(
                page.contains(&format!("`{name}`")),
                "docs/decisions/0002-dependencies.md: no line for `{name}` of {folder}"
            );
        }
    }
}

#[test]
fn every_front_page_has_its_three_labels() {
    for name in crates() {
        let page = text(&format!("crates/{name}/src/lib.rs"));
        for label in ["//! Lives here:", "//! Never here:", "//! Read next:"] {
            assert!(page.contains(label), "crates/{name}/src/lib.rs lacks `{label}`");
        }
    }
}

#[test]
fn links_of_the_documents_lead_somewhere() {
    let mut files =
        vec!["README.md".to_string(), "ARCHITECTURE.md".into(), "CONTRIBUTING.md".into(), "CHANGELOG.md".into()];
    for folder in ["docs", "docs/guide", "docs/decisions", "docs/model"] {
        let entries = fs::read_dir(root().join(folder)).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        files.extend(entries.filter(|n| n.ends_with(".md")).map(|n| format!("{folder}/{n}")));
    }
    for file in files {
        let folder = Path::new(&file).parent().unwrap().to_path_buf();
        for link in text(&file).split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = link.split('#').next().unwrap_or_default();
            if path.is_empty() || path.contains("://") {
                continue;
            }
            assert!(root().join(&folder).join(path).exists(), "{file} links to {link}, which is not there");
        }
    }
}

#[test]
fn the_commands_of_the_readme_work() {
    let readme = text("README.md");
    let commands: Vec<&str> =
        readme.lines().filter_map(|line| line.trim().strip_prefix("cargo run --release -- ")).collect();
    assert!(!commands.is_empty());
    let place = tempfile::tempdir().unwrap();
    for command in commands.iter().filter(|c| !c.contains("my-")) {
        // Outputs go elsewhere; inputs are found from there.
        let absolute = |word: &str| match root().join(word) {
            file if word.contains('/') && file.exists() => file.to_str().unwrap().to_string(),
            _ => word.to_string(),
        };
        let args: Vec<String> = command.split_whitespace().map(absolute).collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let ran = diskwright_at(place.path(), &args);
        assert_eq!(ran.code, 0, "{command}: {}", ran.stderr);
    }
}

#[test]
fn the_committed_result_schema_is_that_of_the_code() {
    let stale = "schemas/result.schema.json is stale: run `cargo xtask gen`";
    assert!(text("schemas/result.schema.json") == diskwright(&["schema", "result"]).stdout, "{stale}");
}

#[test]
fn the_gate_is_one_command() {
    let gate = text(".ci/run");
    let command = "cargo xtask ci --install-tools";
    assert!(gate.contains(command) && text("README.md").contains(command));
}

#[test]
fn what_the_readme_shows_is_what_is_printed() {
    let readme = text("README.md");
    let printed = text("examples/ds14-benchmark/expected.txt");
    let shown: Vec<&str> = readme.lines().filter(|line| line.contains("[#") || line.starts_with("limit  ")).collect();
    assert!(shown.len() >= 4);
    for line in shown {
        assert!(printed.lines().any(|l| l == line), "README.md shows `{line}`, which no example prints");
    }
}
