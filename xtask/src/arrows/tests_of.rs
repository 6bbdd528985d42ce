//! One integration test program per crate, and no test file that it forgets.
//!
//! A program is linked with all that its crate stands on, so a second one costs as much as the first. It names its files as modules,
//! and a file that nobody names never runs, and the compiler does not warn.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The faults of one package.
pub fn faults(package: &Value) -> Vec<String> {
    let name = package["name"].as_str().unwrap_or_default();
    let targets = package["targets"].as_array().into_iter().flatten();
    let programs: Vec<&Value> = targets.filter(|target| target["kind"][0] == "test").collect();
    let folder = Path::new(package["manifest_path"].as_str().unwrap_or_default()).with_file_name("tests");
    if programs.len() > 1 {
        let fix = "`autotests = false` and one `[[test]]`, whose file names the others as modules";
        return vec![format!("{name}: {} integration test programs instead of one: {fix}", programs.len())];
    }
    let mut named = BTreeSet::new();
    if let Some(program) = programs.first() {
        let path = PathBuf::from(program["src_path"].as_str().unwrap_or_default());
        named.insert(path.clone());
        follow(&path, &path.with_file_name(""), &mut named);
    }
    let mut there = Vec::new();
    files(&folder, &mut there);
    let forgotten = there.into_iter().filter(|path| !named.contains(path));
    forgotten.map(|path| format!("{name}: no module names {}: its tests never run", path.display())).collect()
}

/// Adds the files of the modules that `file` names; those without a path of their own lie in `folder`.
fn follow(file: &Path, folder: &Path, named: &mut BTreeSet<PathBuf>) {
    let Ok(text) = std::fs::read_to_string(file) else { return };
    for (module, path) in modules(&text) {
        let at = match path {
            Some(path) => normal(&file.with_file_name("").join(path)),
            None => {
                let (plain, inner) = (folder.join(format!("{module}.rs")), folder.join(&module).join("mod.rs"));
                if plain.is_file() { plain } else { inner }
            }
        };
        if named.insert(at.clone()) {
            let below = if at.ends_with("mod.rs") { at.with_file_name("") } else { at.with_extension("") };
            follow(&at, &below, named);
        }
    }
}

/// The modules that a file names without their text, with the path that an attribute gives.
fn modules(text: &str) -> Vec<(String, Option<String>)> {
    let mut path = None;
    let mut modules = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(said) = line.strip_prefix("#[path = \"").and_then(|rest| rest.strip_suffix("\"]")) {
            path = Some(said.to_string());
            continue;
        }
        let named = line.rsplit_once("mod ").filter(|(before, _)| before.is_empty() || before.starts_with("pub"));
        let name = named.and_then(|(_, rest)| rest.split_once(';')).map(|(name, _)| name);
        if let Some(name) = name {
            modules.push((name.to_string(), path.take()));
        }
    }
    modules
}

/// Without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => drop(normal.pop()),
            part => normal.push(part),
        }
    }
    normal
}

/// Every file of Rust below `folder`.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
    found.sort();
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_file_that_no_module_names_is_forgotten() {
        let folder = std::env::temp_dir().join(format!("diskwright-tests-of-{}", std::process::id()));
        let write = |path: &str, text: &str| {
            let path = folder.join("tests").join(path);
            std::fs::create_dir_all(path.with_file_name("")).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("all.rs", "mod plain;\npub mod folder;\n#[path = \"../tests/odd/named.rs\"]\nmod other;\n");
        write("plain.rs", "mod below;\nmod inline { fn f() {} }\n");
        write("plain/below.rs", "");
        write("folder/mod.rs", "mod inner;\n");
        write("folder/inner.rs", "");
        write("folder/lost.rs", "");
        write("odd/named.rs", "");
        let target = |name: &str| json!({ "kind": ["test"], "src_path": folder.join("tests").join(name) });
        let package = |targets: &[Value]| json!({ "name": "dw-x", "manifest_path": folder.join("Cargo.toml"), "targets": targets });
        let found = faults(&package(&[target("all.rs")]));
        assert!(found.len() == 1 && found[0].contains("folder/lost.rs"), "{found:?}");
        let found = faults(&package(&[target("all.rs"), target("plain.rs")]));
        assert!(found.len() == 1 && found[0].contains("2 integration test programs"), "{found:?}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
