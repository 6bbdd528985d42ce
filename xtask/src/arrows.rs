//! The layer rule: a crate may use crates in lower layers, never one beside or above it.
//!
//! Each manifest declares `[package.metadata.diskwright] layer = N`. Dependencies of tests may go sideways, never up. The
//! list of crates in ARCHITECTURE.md must be that of the tree, and what it says of their layers must be true. What a manifest
//! says of its modules, and of what its code never does, is held by [`rooms`]; that it has one integration test program, by
//! [`tests_of`]; that all packages have one set of features, by [`features`]; how many of its lines have words of a vendor, by
//! [`vendor_words`].

mod features;
mod rooms;
mod source;
mod tests_of;
mod vendor_words;

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

use crate::root;

/// What unites features for all, and is no arrow.
const WITHOUT_CODE: &str = "dw-dependencies";

pub fn check() -> Result<(), String> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .map_err(|e| format!("cargo metadata: {e}"))?;
    let metadata: Value = serde_json::from_slice(&output.stdout).map_err(|e| format!("cargo metadata: {e}"))?;
    let architecture =
        std::fs::read_to_string(root().join("ARCHITECTURE.md")).map_err(|e| format!("ARCHITECTURE.md: {e}"))?;
    let mut faults = faults(&metadata, &architecture);
    let mut vendor_words = vendor_words::Count::default();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        faults.extend(rooms::faults(package));
        faults.extend(tests_of::faults(package));
        vendor_words.add(package);
    }
    println!("arrows: {}", vendor_words.summary());
    faults.append(&mut vendor_words.faults);
    let names = metadata["packages"].as_array().into_iter().flatten().filter_map(|package| package["name"].as_str());
    faults.extend(features::faults(&names.collect::<Vec<_>>())?);
    if faults.is_empty() {
        println!(
            "arrows: crates use those of lower layers, modules those of lower rows, none does what it never does, no test is forgotten"
        );
        return Ok(());
    }
    Err(faults.join("\n"))
}

fn faults(metadata: &Value, architecture: &str) -> Vec<String> {
    let empty = Vec::new();
    let packages = metadata["packages"].as_array().unwrap_or(&empty);
    let mut faults = Vec::new();
    let mut layers: BTreeMap<&str, u64> = BTreeMap::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        match package["metadata"]["diskwright"]["layer"].as_u64() {
            Some(layer) => {
                layers.insert(name, layer);
            }
            None => faults.push(format!("{name}: its manifest declares no [package.metadata.diskwright] layer")),
        }
    }
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let Some(&layer) = layers.get(name) else { continue };
        for dependency in package["dependencies"].as_array().unwrap_or(&empty) {
            let used = dependency["name"].as_str().unwrap_or_default();
            let Some(&used_layer) = layers.get(used).filter(|_| used != WITHOUT_CODE) else { continue };
            let of_tests = dependency["kind"].as_str() == Some("dev");
            if used_layer > layer || (used_layer == layer && !of_tests) {
                faults.push(format!("{name} (layer {layer}) uses {used} (layer {used_layer}): arrows go down only"));
            }
        }
        if !architecture.contains(&format!("`{name}`")) {
            faults.push(format!("ARCHITECTURE.md does not mention `{name}`"));
        }
        if let Some((_, said)) = architecture.split_once(&format!("**`{name}`** (layer "))
            && !said.starts_with(&format!("{layer})"))
        {
            faults.push(format!("ARCHITECTURE.md says another layer of `{name}` than its manifest: {layer}"));
        }
    }
    for mentioned in
        architecture.split('`').skip(1).step_by(2).filter(|w| w.starts_with("dw-") && !w.contains(['/', '.', ' ']))
    {
        if !layers.contains_key(mentioned) {
            faults.push(format!("ARCHITECTURE.md mentions `{mentioned}`, which does not exist"));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn package(name: &str, layer: u64, uses: &[(&str, Option<&str>)]) -> Value {
        let dependencies: Vec<Value> = uses.iter().map(|(name, kind)| json!({ "name": name, "kind": kind })).collect();
        json!({ "name": name, "metadata": { "diskwright": { "layer": layer } }, "dependencies": dependencies })
    }

    #[test]
    fn arrows_go_down_and_those_of_tests_sideways() {
        let check = |sim_uses: &[(&str, Option<&str>)]| {
            let packages = [package("dw-stack", 1, &[]), package("dw-sim", 3, sim_uses), package("dw-formats", 3, &[])];
            faults(&json!({ "packages": packages }), "`dw-stack` `dw-sim` `dw-formats`")
        };
        assert_eq!(check(&[("dw-stack", None), ("serde", None)]), Vec::<String>::new());
        assert_eq!(check(&[("dw-formats", Some("dev"))]), Vec::<String>::new());
        assert_eq!(check(&[("dw-formats", None)]), ["dw-sim (layer 3) uses dw-formats (layer 3): arrows go down only"]);
    }

    #[test]
    fn the_map_must_be_that_of_the_tree() {
        let packages = json!({ "packages": [package("dw-stack", 1, &[])] });
        assert_eq!(faults(&packages, "`dw-stack`"), Vec::<String>::new());
        assert_eq!(
            faults(&packages, "`dw-stack` `dw-cloud`"),
            ["ARCHITECTURE.md mentions `dw-cloud`, which does not exist"]
        );
        assert_eq!(faults(&packages, ""), ["ARCHITECTURE.md does not mention `dw-stack`"]);
        assert_eq!(faults(&packages, "**`dw-stack`** (layer 1): storage"), Vec::<String>::new());
        assert_eq!(
            faults(&packages, "**`dw-stack`** (layer 2): storage"),
            ["ARCHITECTURE.md says another layer of `dw-stack` than its manifest: 1"]
        );
    }
}
