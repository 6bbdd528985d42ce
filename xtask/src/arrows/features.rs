//! One set of features: no selection of packages compiles a dependency otherwise than the whole workspace does.
//!
//! Cargo unites the features of what is selected, so that `cargo test -p A` after `cargo test -p B` would compile again what the
//! two ask for differently, with all that stands on it. `dw-dependencies` has no code. It asks for every feature that any package needs
//! of a shared dependency, and the other packages depend on it.
//!
//! Features alone are not enough. A library of procedural macros and build scripts that is also linked into a program is compiled once
//! for both, and without link-time optimisation, as [profile.dev] asks for; one of macros alone is compiled otherwise. So whatever the
//! workspace links must be linked by every selection whose macros need it, or the macros are compiled again, with all that stands on
//! them.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use crate::root;

/// Packages with the features that they are compiled with.
type Set = BTreeSet<(String, String)>;

/// What any of these packages compiles otherwise than the workspace.
pub fn faults(packages: &[&str]) -> Result<Vec<String>, String> {
    let workspace = set(&["--workspace", "-e", "normal,build,dev"])?;
    let linked = set(&["--workspace", "-e", "normal,dev,no-proc-macro"])?;
    let mut differing: BTreeMap<String, (BTreeSet<String>, Vec<&str>)> = BTreeMap::new();
    let mut of_macros: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for package in packages {
        for (edges, links) in
            [("normal,build,dev", "normal,dev,no-proc-macro"), ("normal,build", "normal,no-proc-macro")]
        {
            let all = set(&["-p", package, "-e", edges])?;
            for (name, _) in only_of_macros(&all, &set(&["-p", package, "-e", links])?, &linked) {
                of_macros.entry(name).or_default().insert(package);
            }
            for (name, features) in all.difference(&workspace) {
                let (missing, of) = differing.entry(name.clone()).or_default();
                missing.extend(missing_of(name, features, &workspace));
                if of.last() != Some(package) {
                    of.push(package);
                }
            }
        }
    }
    let line = |(name, (missing, of)): (String, (BTreeSet<String>, Vec<&str>))| {
        let missing = missing.into_iter().collect::<Vec<_>>().join(", ");
        format!(
            "{name} is compiled without {missing} when only {} is selected: add them to crates/dw-dependencies",
            of.join(" or ")
        )
    };
    let only = |(name, of): (String, BTreeSet<&str>)| {
        let of = of.into_iter().collect::<Vec<_>>().join(" or ");
        format!(
            "{name} is linked in the workspace, but only macros use it when only {of} is selected: add it to crates/dw-dependencies"
        )
    };
    Ok(differing.into_iter().map(line).chain(of_macros.into_iter().map(only)).collect())
}

/// What a selection compiles for its macros and build scripts alone, although the workspace also links it.
fn only_of_macros(all: &Set, linked: &Set, linked_in_workspace: &Set) -> Set {
    all.difference(linked).filter(|package| linked_in_workspace.contains(*package)).cloned().collect()
}

/// The features that the workspace has of it beside these.
fn missing_of(name: &str, features: &str, workspace: &Set) -> BTreeSet<String> {
    let own: BTreeSet<&str> = features.split(',').collect();
    let all = workspace.iter().filter(|(other, _)| other == name).flat_map(|(_, features)| features.split(','));
    all.filter(|feature| !own.contains(feature)).map(String::from).collect()
}

fn set(selection: &[&str]) -> Result<Set, String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--prefix", "none", "--format", "{p}|{f}", "--locked"])
        .args(selection)
        .current_dir(root())
        .output()
        .map_err(|e| format!("cargo tree: {e}"))?;
    if !output.status.success() {
        return Err(format!("cargo tree: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(read(&String::from_utf8_lossy(&output.stdout)))
}

/// Lines such as `serde v1.0.229|default,derive (*)`.
fn read(text: &str) -> Set {
    let pair = |line: &str| {
        let (name, features) = line.trim_end_matches(" (*)").split_once('|')?;
        Some((name.to_string(), features.to_string()))
    };
    text.lines().filter_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_what_is_missing_is_named() {
        let set = read("serde v1.0.2|alloc,default,std\n\nserde v1.0.2|std (*)\nmemchr v2.8.3|\n");
        assert_eq!(set.len(), 3);
        let missing = missing_of("serde v1.0.2", "std", &set);
        assert_eq!(missing.into_iter().collect::<Vec<_>>(), ["alloc", "default"]);
    }

    #[test]
    fn what_macros_share_with_a_program_of_the_workspace_is_named() {
        let all = read("serde v1|derive\nserde_derive v1|\nproc-macro2 v1|default\nquote v1|");
        let (linked, workspace) = (read("serde v1|derive"), read("serde v1|derive\nproc-macro2 v1|default"));
        assert_eq!(only_of_macros(&all, &linked, &workspace), read("proc-macro2 v1|default"));
        assert_eq!(only_of_macros(&all, &workspace, &workspace), Set::new());
    }
}
