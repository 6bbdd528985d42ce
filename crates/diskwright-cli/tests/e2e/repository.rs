//! Lists that people rely on, against the tree: unchecked lists rot.

use std::fs;
use std::path::Path;

use crate::e2e::support::{diskwright, root};

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The folders of all crates below `crates/`.
fn crates() -> Vec<String> {
    let below = |folder: &str| {
        let entries = fs::read_dir(root().join("crates").join(folder)).unwrap().map(|e| e.unwrap());
        let crates = entries.filter(|e| e.path().join("Cargo.toml").exists());
        crates.map(|e| format!("{folder}{}", e.file_name().into_string().unwrap())).collect::<Vec<_>>()
    };
    [below(""), below("vendors/")].concat()
}

#[test]
fn the_architecture_names_every_crate() {
    let map = text("ARCHITECTURE.md");
    for name in crates() {
        let name = name.replace("vendors/", "dw-");
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
        ["README", "ARCHITECTURE", "CONTRIBUTING", "CHANGELOG", "SECURITY", "CODE_OF_CONDUCT", "DATA-LICENSE"]
            .map(|name| format!("{name}.md"))
            .to_vec();
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

/// The front page is read in five minutes.
#[test]
fn the_readme_is_short_and_counts_what_the_page_of_accuracy_counts() {
    let readme = text("README.md");
    assert!(readme.lines().count() <= 120, "README.md has {} lines", readme.lines().count());
    let accuracy = text("docs/accuracy.md");
    let sums = accuracy.lines().find(|line| line.contains(" figures: ")).unwrap();
    let counts: Vec<u32> = sums.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect();
    let [figures, met, _, named, limits] = counts[..] else { panic!("{sums}") };
    for counted in [
        format!("{figures} published figures"),
        format!("{met} are within their tolerance"),
        format!("is named correctly in all {limits} cases"),
    ] {
        assert!(readme.contains(&counted) && named == limits, "README.md has no \"{counted}\": {sums}");
    }
}

/// One version, wherever one stands.
#[test]
fn all_versions_agree() {
    let version = env!("CARGO_PKG_VERSION");
    let manifest = |path: &str| text(path).parse::<toml::Table>().unwrap();
    let workspace = manifest("Cargo.toml");
    assert_eq!(workspace["workspace"]["package"]["version"].as_str(), Some(version));
    let folders = crates().into_iter().map(|name| format!("crates/{name}"));
    let mut names = Vec::new();
    for folder in folders.chain(["python", "bench", "xtask", "xtask/generate"].map(String::from)) {
        let package = &manifest(&format!("{folder}/Cargo.toml"))["package"];
        assert_eq!(package["version"].get("workspace"), Some(&true.into()), "{folder}/Cargo.toml has its own version");
        names.push(package["name"].as_str().unwrap().to_string());
    }
    let lock = manifest("Cargo.lock");
    let locked = lock["package"].as_array().unwrap();
    for name in names {
        let entry =
            locked.iter().find(|package| package["name"].as_str() == Some(&name) && package.get("source").is_none());
        let found = entry.and_then(|package| package["version"].as_str());
        assert_eq!(found, Some(version), "Cargo.lock: {name}: run `cargo update --workspace --offline`");
    }
    assert_eq!(manifest("python/pyproject.toml")["project"]["dynamic"][0].as_str(), Some("version"));
    let changelog = text("CHANGELOG.md");
    let newest = changelog.lines().filter_map(|line| line.strip_prefix("## ")).find(|heading| *heading != "Unreleased");
    assert_eq!(newest, Some(version), "CHANGELOG.md: the newest version");
    assert!(text("README.md").contains(&format!("diskwright ({version})")), "README.md names another version");
    let minor = version.rsplit_once('.').unwrap().0;
    assert!(text("SECURITY.md").contains(&format!("| {minor} | yes |")), "SECURITY.md supports another version");
}
