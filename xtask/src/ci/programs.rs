//! The test programs of the workspace: built by cargo, named by package and target, asked for their tests.

use std::collections::BTreeSet;
use std::io::BufRead as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::command::{Measured, Took};
use crate::root;

/// A test program.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    pub package: String,
    /// What selects it: `--lib`, `--bin NAME` or `--test NAME`.
    pub which: String,
    pub executable: PathBuf,
    /// The folder of its package, where cargo runs it.
    pub folder: PathBuf,
}

impl Program {
    /// `cargo` with this runs it.
    pub fn command(&self) -> String {
        format!("DISKWRIGHT_JUDGES=all cargo test -p {} {}", self.package, self.which)
    }

    /// Whether it is an integration test of a package that has a program.
    fn starts_a_program(&self) -> bool {
        self.which.starts_with("--test") && self.folder.join("src/main.rs").is_file()
    }

    /// The names of its tests.
    pub fn tests(&self) -> Result<Vec<String>, String> {
        let output = Command::new(&self.executable)
            .args(["--list", "--format", "terse"])
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .output()
            .map_err(|e| format!("{}: {e}", self.executable.display()))?;
        if !output.status.success() {
            return Err(format!("{} -- --list: {}", self.command(), output.status));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        Ok(text.lines().filter_map(|line| Some(line.strip_suffix(": test")?.to_string())).collect())
    }
}

/// Builds the test programs of these packages; gives each as soon as it is linked, an integration test once the program of its package
/// is, too: it starts that, and cargo does not link it first.
pub fn build(cargo: Measured, packages: &[&str], mut built: impl FnMut(Program)) -> Result<Took, String> {
    let mut cargo = cargo;
    cargo.command.args(["test", "--no-run", "--message-format=json-render-diagnostics"]).args(packages);
    let mut child = cargo.command.stdout(Stdio::piped()).spawn().map_err(|e| format!("cargo test --no-run: {e}"))?;
    let messages = child.stdout.take().map(std::io::BufReader::new);
    let mut held = Held::default();
    for line in messages.into_iter().flat_map(|messages| messages.lines()).map_while(Result::ok) {
        match artefact(&line) {
            Some(artefact) => held.take(artefact).into_iter().for_each(&mut built),
            None if !line.starts_with('{') => println!("{line}"),
            None => {}
        }
    }
    match child.wait() {
        Ok(status) if status.success() && held.tests.is_empty() => Ok(cargo.took()),
        Ok(status) if status.success() => {
            let held: Vec<String> = held.tests.iter().map(Program::command).collect();
            Err(format!("cargo linked no program of the package of {}", held.join(", ")))
        }
        _ => Err("the tests do not compile".into()),
    }
}

/// What cargo built.
enum Artefact {
    Test(Program),
    /// A program of the package in this folder.
    Program(PathBuf),
}

/// The integration tests whose package's program is not there yet.
#[derive(Default)]
struct Held {
    tests: Vec<Program>,
    /// The folders of packages whose program is there.
    there: BTreeSet<PathBuf>,
}

impl Held {
    /// The tests that can run now.
    fn take(&mut self, artefact: Artefact) -> Vec<Program> {
        match artefact {
            Artefact::Test(test) if test.starts_a_program() && !self.there.contains(&test.folder) => {
                self.tests.push(test);
                Vec::new()
            }
            Artefact::Test(test) => vec![test],
            Artefact::Program(folder) => {
                let now = self.tests.extract_if(.., |test| test.folder == folder).collect();
                self.there.insert(folder);
                now
            }
        }
    }
}

/// A program or a test program of a line of cargo's messages.
fn artefact(line: &str) -> Option<Artefact> {
    let message: Value = serde_json::from_str(line).ok()?;
    let target = &message["target"];
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?.to_path_buf();
    if message["profile"]["test"] != true {
        let is_program = target["kind"][0] == "bin" && message["executable"].is_string();
        return is_program.then_some(Artefact::Program(folder));
    }
    let which = match target["kind"][0].as_str()? {
        "test" | "bin" => format!("--{} {}", target["kind"][0].as_str()?, target["name"].as_str()?),
        _ => "--lib".into(),
    };
    let package = message["package_id"].as_str()?.rsplit_once('#').map_or("", |(before, after)| {
        // `path+file:///folder#0.1.0` when the folder has the package's name, else `...#name@0.1.0`.
        after.split_once('@').map_or(before.rsplit('/').next().unwrap_or_default(), |(name, _)| name)
    });
    Some(Artefact::Test(Program {
        package: package.into(),
        which,
        executable: message["executable"].as_str()?.into(),
        folder,
    }))
}

/// The crates that have examples in comments: only they are worth cargo's reading them once more.
pub fn with_examples_in_comments() -> Result<Vec<String>, String> {
    let mut packages = Vec::new();
    for folder in ["crates", "crates/vendors"] {
        for entry in std::fs::read_dir(root().join(folder)).map_err(|e| format!("{folder}: {e}"))?.flatten() {
            let manifest = std::fs::read_to_string(entry.path().join("Cargo.toml")).unwrap_or_default();
            let Some(name) = manifest.lines().find_map(|line| line.strip_prefix("name = ")) else { continue };
            if has_example_below(&entry.path().join("src")).map_err(|e| format!("{}: {e}", entry.path().display()))? {
                packages.push(name.trim_matches('"').to_string());
            }
        }
    }
    packages.sort();
    Ok(packages)
}

fn has_example_below(folder: &Path) -> std::io::Result<bool> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let is_rust = path.extension().is_some_and(|end| end == "rs");
        if path.is_dir() && has_example_below(&path)? || is_rust && has_example(&std::fs::read_to_string(&path)?) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a comment of the documentation has a block of Rust.
fn has_example(source: &str) -> bool {
    let comment = |line: &'_ str| Some(line.trim().strip_prefix("//")?.strip_prefix(['/', '!'])?.trim().to_string());
    let fences = source.lines().filter_map(comment).filter_map(|line| Some(line.strip_prefix("```")?.to_string()));
    // Every second fence ends what the one before began.
    fences.step_by(2).any(|language| !["text", "toml", "json", "sh", "ini", "csv"].contains(&language.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_programs_are_found_among_cargos_messages() {
        let line = |kind: &str, id: &str, test: bool| {
            format!(
                r#"{{"reason":"compiler-artifact","package_id":"{id}","manifest_path":"/w/crates/a/Cargo.toml","target":
                {{"kind":["{kind}"],"name":"n"}},"profile":{{"test":{test}}},"executable":"/w/target/n-1"}}"#
            )
        };
        let found = |kind, id, test| match artefact(&line(kind, id, test)) {
            Some(Artefact::Test(test)) => Some(format!("{} {}", test.package, test.which)),
            Some(Artefact::Program(folder)) => Some(format!("a program of {}", folder.display())),
            None => None,
        };
        assert_eq!(found("test", "path+file:///w/crates/a#0.1.0", true).as_deref(), Some("a --test n"));
        assert_eq!(found("bin", "path+file:///w/bench#dw-bench@0.1.0", true).as_deref(), Some("dw-bench --bin n"));
        assert_eq!(found("lib", "path+file:///w/crates/a#0.1.0", true).as_deref(), Some("a --lib"));
        assert_eq!(found("bin", "path+file:///w/crates/a#0.1.0", false).as_deref(), Some("a program of /w/crates/a"));
        assert_eq!(found("lib", "path+file:///w/crates/a#0.1.0", false), None);
        assert!(artefact("   Compiling a").is_none());
    }

    #[test]
    fn integration_tests_wait_for_the_program_of_their_package() {
        let test = |which: &str, folder: &Path| {
            Artefact::Test(Program {
                package: folder.file_name().unwrap().to_string_lossy().into(),
                which: which.into(),
                executable: PathBuf::new(),
                folder: folder.into(),
            })
        };
        let (bench, sim) = (root().join("bench"), root().join("crates/dw-sim"));
        let mut held = Held::default();
        let mut take = |artefact| {
            let ready = held.take(artefact);
            ready.iter().map(|test| format!("{} {}", test.package, test.which)).collect::<Vec<_>>()
        };
        assert_eq!(take(test("--test all", &bench)), [""; 0]);
        assert_eq!(take(test("--lib", &bench)), ["bench --lib"]);
        assert_eq!(take(test("--test all", &sim)), ["dw-sim --test all"]);
        assert_eq!(take(Artefact::Program(bench.clone())), ["bench --test all"]);
        assert_eq!(take(test("--test more", &bench)), ["bench --test more"]);
    }

    #[test]
    fn examples_in_comments_are_found() {
        assert!(has_example("    /// ```\n    /// f();\n    /// ```\n") && has_example("//! ```should_panic\n//! ```"));
        assert!(!has_example("//! ```text\n//! f\n//! ```\n") && !has_example("let a = \"```\";"));
    }
}
