//! The recipe for CI of the guide, as it stands there: its commands are run, except for those that install.

use std::path::Path;
use std::process::Command;

use super::mounted::possible;
use super::server::Kind;
use crate::emulate::support::{Ran, have, root, run, tries, undecided};

/// What the recipe says when the machine was too busy to prove anything.
const TOO_BUSY: i32 = 75;
const TRIES: usize = 3;

/// The commands of a step.
fn step(recipe: &str, name: &str) -> String {
    let (_, rest) = recipe.split_once(&format!("- name: {name}\n")).unwrap_or_else(|| panic!("no step `{name}`"));
    let (_, lines) = rest.split_once("run: |\n").expect("it has commands");
    let indented = lines.lines().take_while(|line| line.starts_with("          "));
    indented.map(|line| line[10..].to_string() + "\n").collect()
}

/// Runs the steps as a runner does: each with `sh -e`, in the folder of the sources; /mnt is its own.
fn rehearse(sources: &Path, tools: &Path, steps: &[String]) -> Ran {
    let script = steps.iter().map(|step| format!("sh -e <<'STEP'\n{step}STEP\n")).collect::<String>();
    let path = format!("{}:{}:/usr/sbin:/sbin", tools.display(), std::env::var("PATH").unwrap_or_default());
    let script = format!("set -e\nmount -t tmpfs none /mnt\n{script}");
    run(Command::new("unshare").args(["--mount", "sh", "-c", &script]).current_dir(sources).env("PATH", path))
}

#[test]
fn the_recipe_for_ci_in_the_guide_runs() {
    if !super::full() || !possible(&[Kind::Postgres]) || !have(&["unshare", "setpriv", "jq"]) {
        return;
    }
    let folder = root().join("docs/guide/databases");
    let recipe = std::fs::read_to_string(folder.join("ci.yml")).expect("the recipe");
    let place = tempfile::tempdir().expect("a folder");
    let tools = place.path().join("bin");
    std::fs::create_dir(&tools).expect("a folder");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_diskwright"), tools.join("diskwright")).expect("a link");
    // We are root already, and need not have it.
    std::fs::write(tools.join("sudo"), "#!/bin/sh\nexec env \"$@\"\n").expect("room");
    run(Command::new("chmod").arg("755").arg(tools.join("sudo")).arg(place.path())).ok();
    for file in ["p30.toml", "postgresql.sh"] {
        std::fs::copy(folder.join(file), place.path().join(file)).expect("a copy");
    }
    let steps = ["Rehearse", "Judge"].map(|name| step(&recipe, name));
    for _ in 0..tries(TRIES) {
        let ran = rehearse(place.path(), &tools, &steps);
        if ran.code != TOO_BUSY {
            assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
            assert!(ran.stdout.contains("tps = "), "{}", ran.stdout);
            return;
        }
    }
    undecided("the machine was too busy for the emulator");
}
