//! Which groups of long tests run: those of which something changed that they depend on.
//!
//! Changed means different from where this branch left `origin/main`, including uncommitted and untracked files. All groups run with
//! `CI=true`, with `--all`, and where there is nothing to compare with.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use super::shares::Group;
use crate::root;

/// What a group depends on: packages with all that they use, and folders or files.
struct Depends {
    group: Group,
    packages: &'static [&'static str],
    paths: &'static [&'static str],
}

const DEPENDS: [Depends; 3] = [
    Depends {
        group: Group::Databases,
        packages: &["dw-emulator", "dw-formats", "dw-sim", "dw-observe", "dw-planner"],
        paths: &["crates/diskwright-cli/src/", "crates/diskwright-cli/tests/emulate/", "docs/guide/databases/"],
    },
    Depends {
        group: Group::Guests,
        packages: &["dw-emulator", "dw-formats", "dw-provision"],
        paths: &["crates/diskwright-cli/src/linux/", "crates/diskwright-cli/tests/emulate/", "scripts/guest/"],
    },
    Depends { group: Group::Engines, packages: &["dw-fleet"], paths: &["python/"] },
];

/// What every group depends on.
const ALWAYS: [&str; 5] = ["Cargo.toml", "Cargo.lock", ".cargo/", "scripts/setup-test-tools.sh", "xtask/src/ci"];

/// The groups that run.
pub fn groups(all: bool) -> BTreeSet<Group> {
    let every = || DEPENDS.iter().map(|depends| depends.group).collect();
    if all || std::env::var("CI").is_ok_and(|value| value == "true") {
        return every();
    }
    match (changed(), metadata()) {
        (Some(files), Some(metadata)) => affected(&files, &metadata),
        _ => every(),
    }
}

/// The groups that any of these files concerns.
fn affected(files: &[String], metadata: &Value) -> BTreeSet<Group> {
    let is_hit = |depends: &&Depends| {
        let folders = folders(depends.packages, metadata);
        let paths = depends.paths.iter().chain(&ALWAYS).map(|path| path.to_string());
        let paths: Vec<String> = paths.chain(folders).collect();
        files.iter().any(|file| paths.iter().any(|path| file.starts_with(path)))
    };
    DEPENDS.iter().filter(is_hit).map(|depends| depends.group).collect()
}

/// The folders of these packages and of those of the workspace that they use, tests left out.
fn folders(packages: &[&str], metadata: &Value) -> BTreeSet<String> {
    let all = metadata["packages"].as_array().map_or(&[][..], Vec::as_slice);
    let root = metadata["workspace_root"].as_str().unwrap_or_default();
    let mut folders = BTreeSet::new();
    let mut open: Vec<&str> = packages.to_vec();
    while let Some(name) = open.pop() {
        let Some(package) = all.iter().find(|package| package["name"] == name) else { continue };
        let manifest = package["manifest_path"].as_str().unwrap_or_default();
        let folder = manifest.strip_prefix(root).and_then(|path| path.strip_suffix("Cargo.toml"));
        if !folders.insert(folder.unwrap_or(manifest).trim_start_matches('/').to_string()) {
            continue;
        }
        let used = package["dependencies"].as_array().into_iter().flatten();
        open.extend(
            used.filter(|one| one["kind"].is_null() && !one["path"].is_null()).filter_map(|one| one["name"].as_str()),
        );
    }
    folders
}

fn metadata() -> Option<Value> {
    let cargo = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .ok()?;
    serde_json::from_slice(&cargo.stdout).ok()
}

/// The files that differ; none where git has nothing to compare with.
fn changed() -> Option<Vec<String>> {
    let base = git(&["merge-base", "HEAD", "origin/main"])?;
    let tracked = git(&["diff", "--name-only", "--no-renames", base.trim()])?;
    let untracked = git(&["ls-files", "--others", "--exclude-standard"])?;
    Some(tracked.lines().chain(untracked.lines()).map(String::from).collect())
}

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).current_dir(root()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups_of(files: &[&str]) -> Vec<Group> {
        let files: Vec<String> = files.iter().map(|file| file.to_string()).collect();
        affected(&files, &metadata().unwrap()).into_iter().collect()
    }

    #[test]
    fn a_group_runs_where_what_it_depends_on_changed() {
        use Group::{Databases, Engines, Guests};
        let cases: [(&[&str], &[Group]); 8] = [
            (&[], &[]),
            (&["README.md", "crates/dw-report/tests/report.rs"], &[Engines]),
            (&["docs/guide/plan.md", "crates/dw-studio/src/lib.rs"], &[]),
            (&["crates/dw-emulator/src/engine.rs"], &[Databases, Guests]),
            (&["crates/dw-stack/src/stack.rs"], &[Databases, Guests, Engines]),
            (&["python/package/diskwright/fleet/_spark.py"], &[Engines]),
            (&["scripts/guest/boot.sh"], &[Guests]),
            (&["Cargo.lock"], &[Databases, Guests, Engines]),
        ];
        for (files, expected) in cases {
            assert_eq!(groups_of(files), expected, "{files:?}");
        }
    }

    #[test]
    fn every_package_and_path_that_a_group_names_is_there() {
        let metadata = metadata().unwrap();
        for depends in &DEPENDS {
            assert!(folders(depends.packages, &metadata).len() > depends.packages.len(), "{:?}", depends.group);
            for path in depends.paths.iter().chain(&ALWAYS) {
                let with_end = [format!("{path}.rs"), path.to_string()];
                assert!(with_end.iter().any(|path| root().join(path).exists()), "{path}");
            }
        }
    }
}
