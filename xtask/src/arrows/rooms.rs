//! Within a crate: which modules may use which, and what none of it may.
//!
//! A manifest may declare `modules`, rows of modules from the bottom up: a module may use those of lower rows, never one beside or
//! above it. It may declare `never`, names of [`NEVER`]: what no code of the crate says, its tests left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::source::{Said, public, said, words as words_of};
use super::vendor_words::is_product;

/// What a crate can forbid itself, and how it would be said: paths, macros.
const NEVER: [(&str, &[&str], &[&str]); 6] = [
    ("clocks", &["std::time", "std::thread::sleep"], &[]),
    ("environment", &["std::env"], &[]),
    ("files", &["std::fs", "std::os"], &[]),
    ("network", &["std::net"], &[]),
    ("printing", &["std::io::stdout", "std::io::stderr"], &["print", "println", "eprint", "eprintln", "dbg"]),
    ("processes", &["std::process"], &[]),
];
const SYSTEM: &str = "system";
/// What else a crate can forbid itself: names of a vendor's products.
const PRODUCTS: &str = "products";

/// The faults of one package.
pub fn faults(package: &Value) -> Vec<String> {
    let declared = &package["metadata"]["diskwright"];
    let (modules, never) = (names(&declared["modules"]), words(&declared["never"]));
    if modules.is_empty() && never.is_empty() {
        return Vec::new();
    }
    let name = package["name"].as_str().unwrap_or_default();
    let root = Path::new(package["manifest_path"].as_str().unwrap_or_default()).with_file_name("src");
    match files(&root) {
        Ok(files) => of_files(name, &files, &modules, &never),
        Err(e) => vec![format!("{}: {e}", root.display())],
    }
}

/// A file: where it is below `src`, and its text.
pub type File = (PathBuf, String);

fn of_files(name: &str, files: &[File], rows: &[Vec<String>], never: &[String]) -> Vec<String> {
    let mut faults = Vec::new();
    let known =
        |word: &&String| [PRODUCTS, SYSTEM].contains(&word.as_str()) || NEVER.iter().any(|rule| rule.0 == *word);
    for word in never.iter().filter(|word| !known(word)) {
        faults.push(format!("{name}: `never` knows no `{word}`"));
    }
    let row_of: BTreeMap<&str, usize> =
        rows.iter().enumerate().flat_map(|(row, names)| names.iter().map(move |n| (n.as_str(), row))).collect();
    if !rows.is_empty() {
        let there: BTreeSet<String> = files.iter().filter_map(|(path, _)| module_of(path).into_iter().next()).collect();
        faults.extend(
            there
                .iter()
                .filter(|m| !row_of.contains_key(m.as_str()))
                .map(|m| format!("{name}: its `modules` have no row for `{m}`")),
        );
        faults.extend(
            row_of
                .keys()
                .filter(|m| !there.contains(**m))
                .map(|m| format!("{name}: its `modules` have `{m}`, which does not exist")),
        );
    }
    let exported = exported(files);
    for (path, text) in files {
        let module = module_of(path);
        let found = match said(text, &module) {
            Ok(found) => found,
            Err(e) => {
                faults.push(format!("{name}: {}: {e}", path.display()));
                continue;
            }
        };
        let at = |line: usize| format!("{name}: src/{}:{line}", path.display());
        if never.iter().any(|word| word == PRODUCTS) {
            let products = words_of(text).into_iter().filter(|(word, _)| is_product(word));
            faults.extend(
                products
                    .map(|(word, line)| format!("{}: `{word}`: this crate names no {PRODUCTS} of a vendor", at(line))),
            );
        }
        for (said, line) in &found {
            if let Some(what) = forbidden(said, never) {
                faults.push(format!("{}: {what}", at(*line)));
            }
            let Some(own) = module.first().filter(|_| !rows.is_empty()) else { continue };
            let Some(used) = used(said, &row_of, &exported).filter(|used| used != own) else { continue };
            if row_of[used.as_str()] >= row_of.get(own.as_str()).copied().unwrap_or(usize::MAX) {
                faults.push(format!("{}: `{own}` uses `{used}`, which is not in a row below it", at(*line)));
            }
        }
    }
    faults
}

/// The top-level module that a path leads into.
fn used(said: &Said, row_of: &BTreeMap<&str, usize>, exported: &BTreeMap<String, String>) -> Option<String> {
    let Said::Path(path) = said else { return None };
    let first = path.get(1).filter(|_| path[0] == "crate")?;
    if row_of.contains_key(first.as_str()) { Some(first.clone()) } else { exported.get(first).cloned() }
}

/// What the root gives on, by name, with the module that it is of.
fn exported(files: &[File]) -> BTreeMap<String, String> {
    let texts: BTreeMap<Vec<String>, &str> =
        files.iter().map(|(path, text)| (module_of(path), text.as_str())).collect();
    let mut exported = BTreeMap::new();
    for (said, _) in texts.get(&Vec::new()).and_then(|text| said(text, &[]).ok()).unwrap_or_default() {
        let Said::Path(path) = said else { continue };
        let Some(top) = path.first().filter(|top| path.len() > 1 && texts.contains_key(&vec![top.to_string()])) else {
            continue;
        };
        let mut names = BTreeSet::new();
        give(&path, &texts, &mut names, &mut BTreeSet::new());
        exported.extend(names.into_iter().map(|name| (name, top.clone())));
    }
    exported
}

/// The names that a path from the root stands for: its last one, or all that a module gives.
fn give(
    path: &[String],
    texts: &BTreeMap<Vec<String>, &str>,
    names: &mut BTreeSet<String>,
    followed: &mut BTreeSet<Vec<String>>,
) {
    let Some((last, module)) = path.split_last() else { return };
    if last != "*" {
        names.insert(last.clone());
        return;
    }
    let Some(text) = texts.get(module).filter(|_| followed.insert(module.to_vec())) else { return };
    let (own, given) = public(text, module);
    names.extend(own);
    for path in given {
        // A path that does not begin at the root begins at a module below this one, or at another crate.
        let from_root = if path[0] == "crate" { path[1..].to_vec() } else { [module, &path].concat() };
        give(&from_root, texts, names, followed);
    }
}

fn forbidden(said: &Said, never: &[String]) -> Option<String> {
    let rules = NEVER.iter().filter(|rule| never.iter().any(|word| word == rule.0 || word == SYSTEM));
    for (word, paths, macros) in rules {
        let found = match said {
            Said::Path(path) => {
                let text = path.join("::");
                paths
                    .iter()
                    .any(|p| text.strip_prefix(p).is_some_and(|rest| rest.is_empty() || rest.starts_with("::")))
                    .then_some(text)
            }
            Said::Macro(name) => macros.contains(&name.as_str()).then(|| format!("{name}!")),
        };
        if let Some(found) = found {
            return Some(format!("`{found}`: this crate has no {word}"));
        }
    }
    None
}

/// The module of a file below `src`; empty for the root.
fn module_of(path: &Path) -> Vec<String> {
    let mut names: Vec<String> = path.with_extension("").iter().map(|n| n.to_string_lossy().into_owned()).collect();
    if names.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        names.pop();
    }
    names
}

/// Every file of Rust below `root` but those of tests.
pub fn files(root: &Path) -> std::io::Result<Vec<File>> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with("tests")) {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let text = std::fs::read_to_string(&path)?;
                found.push((path.strip_prefix(root).unwrap_or(&path).to_path_buf(), text));
            }
        }
    }
    found.sort();
    Ok(found)
}

fn words(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(|v| v.as_str().map(String::from)).collect()
}

fn names(value: &Value) -> Vec<Vec<String>> {
    value.as_array().into_iter().flatten().map(words).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(files: &[(&str, &str)], rows: &[&[&str]], never: &[&str]) -> Vec<String> {
        let files: Vec<File> = files.iter().map(|(path, text)| (PathBuf::from(path), text.to_string())).collect();
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|n| n.to_string()).collect()).collect();
        let never: Vec<String> = never.iter().map(|n| n.to_string()).collect();
        of_files("dw-x", &files, &rows, &never)
    }

    const NONE: Vec<String> = Vec::new();

    #[test]
    fn modules_use_those_of_lower_rows() {
        let files = [
            ("lib.rs", "mod fio; mod diskspd; mod convert; pub use fio::FioJobs;"),
            ("fio/mod.rs", "use std::io;"),
            ("fio/reader.rs", "use crate::fio::Place; use super::Place;"),
            ("diskspd.rs", "use crate::FioJobs; use super::fio::Place;"),
            ("convert/mod.rs", "use crate::{diskspd, fio::Place};"),
        ];
        assert_eq!(check(&files, &[&["fio"], &["diskspd"], &["convert"]], &[]), NONE);
        assert_eq!(
            check(&files, &[&["fio", "diskspd"], &["convert"]], &[]),
            [
                "dw-x: src/diskspd.rs:1: `diskspd` uses `fio`, which is not in a row below it",
                "dw-x: src/diskspd.rs:1: `diskspd` uses `fio`, which is not in a row below it",
            ]
        );
        let upwards = check(&files, &[&["convert"], &["fio"], &["diskspd"]], &[]);
        assert_eq!(
            upwards,
            [
                "dw-x: src/convert/mod.rs:1: `convert` uses `diskspd`, which is not in a row below it",
                "dw-x: src/convert/mod.rs:1: `convert` uses `fio`, which is not in a row below it",
            ]
        );
    }

    #[test]
    fn what_the_root_gives_on_as_a_whole_is_followed() {
        let files = [
            ("lib.rs", "mod spec; mod check; mod stack; pub use spec::*; pub use stack::Stack;"),
            (
                "spec/mod.rs",
                "mod disk; pub use disk::*; pub use self::disk::Size as Extent; pub struct Spec; fn hidden() {}",
            ),
            ("spec/disk.rs", "pub struct Disk; pub const MOST: u8 = 1;"),
            ("check.rs", "use crate::{Disk, MOST}; use super::Spec; use crate::Stack;"),
            ("stack.rs", "use crate::hidden;"),
        ];
        assert_eq!(
            check(&files, &[&["check"], &["spec"], &["stack"]], &[]),
            [
                "dw-x: src/check.rs:1: `check` uses `spec`, which is not in a row below it",
                "dw-x: src/check.rs:1: `check` uses `spec`, which is not in a row below it",
                "dw-x: src/check.rs:1: `check` uses `spec`, which is not in a row below it",
                "dw-x: src/check.rs:1: `check` uses `stack`, which is not in a row below it",
            ]
        );
    }

    #[test]
    fn rows_are_those_of_the_tree() {
        let files = [("lib.rs", "mod a;"), ("a.rs", "")];
        assert_eq!(
            check(&files, &[&["b"]], &[]),
            ["dw-x: its `modules` have no row for `a`", "dw-x: its `modules` have `b`, which does not exist",]
        );
    }

    #[test]
    fn what_is_never_said_is_found_where_it_is_said() {
        let files = [(
            "a.rs",
            "use std::{fs, io};\nfn f() { let now = std::time::Instant::now(); println!(\"{now:?}\"); }\n\
             /// std::env\n#[cfg(test)]\nmod tests { use std::process; }\nuse dw_units::Instant;",
        )];
        let never = ["clocks", "environment", "files", "printing", "processes"];
        assert_eq!(
            check(&files, &[], &never),
            [
                "dw-x: src/a.rs:1: `std::fs`: this crate has no files",
                "dw-x: src/a.rs:2: `std::time::Instant::now`: this crate has no clocks",
                "dw-x: src/a.rs:2: `println!`: this crate has no printing",
            ]
        );
        assert_eq!(check(&files, &[], &["system"]).len(), 3);
        assert_eq!(check(&files, &[], &["environment", "processes"]), NONE);
        assert_eq!(check(&files, &[], &["colour"]), ["dw-x: `never` knows no `colour`"]);
    }

    #[test]
    fn products_are_known_by_their_names() {
        let text = "/// A P30.\nenum Gate { PremiumV2, UltraDisk, Cached, P95 }\nconst A: &str = \"a P30\";\nfn at_p99(e10: u8) {}";
        let found = check(&[("a.rs", text)], &[], &["products"]);
        assert_eq!(
            found,
            [
                "dw-x: src/a.rs:2: `PremiumV2`: this crate names no products of a vendor",
                "dw-x: src/a.rs:2: `UltraDisk`: this crate names no products of a vendor",
                "dw-x: src/a.rs:3: `\"a P30\"`: this crate names no products of a vendor",
            ]
        );
    }
}
