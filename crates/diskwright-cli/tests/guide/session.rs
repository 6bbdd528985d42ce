//! The blocks of a page in one shell, as a reader who types them all.

use std::fmt::Write;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::page::{Block, Mark, Page, Printed};
use crate::e2e::support::{root, tool};

/// How long a page may take: the end of patience, no measure of speed.
const PATIENCE: Duration = Duration::from_secs(300);

/// The code with which the shell ends where commands end with another code than the block says.
const OTHER_CODE: i32 = 99;

/// What README.md has people type before there is a program, as what it comes to.
const PRELUDE: &str = "set -eo pipefail
cargo() { test \"$1 $2 $3\" = 'run --release --' && shift 3 && diskwright \"$@\"; }
";

/// What each block of commands printed. Nothing where a program that it needs is not installed.
pub fn run(page: &Page) -> Result<Option<Vec<Printed>>, String> {
    let needs = page.blocks.iter().flat_map(|block| match &block.mark {
        Mark::Run { needs, .. } => needs.as_slice(),
        _ => &[],
    });
    // Each that is missing is named.
    if needs.filter(|name| tool(name).is_none()).count() > 0 {
        return Ok(None);
    }
    let (place, printed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for (name, path) in &page.with {
        std::os::unix::fs::symlink(root().join(path), place.path().join(name)).unwrap();
    }
    let script = script(page, printed.path())?;
    let status = shell(&script, place.path(), printed.path())?;
    let read = |block: &Block, stream| fs::read_to_string(printed.path().join(format!("{}.{stream}", block.line))).ok();
    let ran = page.blocks.iter().filter(|block| matches!(block.mark, Mark::Run { .. }));
    let texts: Vec<Printed> = ran
        .map_while(|block| {
            Some(Printed { line: block.line, output: read(block, "output")?, errors: read(block, "errors")? })
        })
        .collect();
    if status == Some(0) {
        return Ok(Some(texts));
    }
    let Printed { line, output, errors } = texts.last().cloned().unwrap_or_default();
    let code = match status {
        None => "do not end".into(),
        Some(OTHER_CODE) => "end with another code than the mark has".into(),
        Some(code) => format!("end with code {code}"),
    };
    let commands = page.blocks.iter().find(|block| block.line == line).map_or("", |block| &block.text);
    let shell = fs::read_to_string(printed.path().join("shell")).unwrap_or_default();
    Err(format!("{}:{line}: the commands {code}:\n{commands}\n{output}{errors}{shell}", page.path))
}

/// All blocks, each with what it prints in files that its line names.
fn script(page: &Page, printed: &Path) -> Result<String, String> {
    let mut script = PRELUDE.to_string();
    for block in &page.blocks {
        let to = printed.join(block.line.to_string()).display().to_string();
        match &block.mark {
            Mark::Run { code: 0, .. } => writeln!(script, "{{\n{}}} > {to}.output 2> {to}.errors", block.text).unwrap(),
            Mark::Run { code, .. } => {
                let checked = format!("test $? = {code} || exit {OTHER_CODE}");
                writeln!(script, "set +e\n{{\n{}}} > {to}.output 2> {to}.errors\n{checked}\nset -e", block.text)
                    .unwrap();
            }
            Mark::File(name) => {
                fs::write(printed.join(format!("{}.file", block.line)), &block.text).unwrap();
                writeln!(script, "cp {to}.file '{name}'").unwrap();
            }
            Mark::Same(path) => compare(page, block, path)?,
            Mark::Output(_) | Mark::Part | Mark::Skip(_) => {}
        }
    }
    Ok(script)
}

/// Holds a block against the file whose text it shows, except for empty lines; of a snapshot, what follows its head.
fn compare(page: &Page, block: &Block, path: &str) -> Result<(), String> {
    let file = root().join(&page.path).with_file_name("").join(path);
    let text = fs::read_to_string(&file).map_err(|fault| format!("{}:{}: {path}: {fault}", page.path, block.line))?;
    let text = if path.ends_with(".snap") { text.splitn(3, "---\n").last().unwrap_or_default() } else { &text };
    let lines = |text: &str| text.lines().filter(|line| !line.is_empty()).map(String::from).collect::<Vec<_>>();
    if lines(text) == lines(&block.text) {
        Ok(())
    } else {
        Err(format!("{}:{}: {path} holds another text:\n{text}", page.path, block.line))
    }
}

/// The code of the shell, or nothing where it did not end. What it left in the background ends with it.
fn shell(script: &str, place: &Path, printed: &Path) -> Result<Option<i32>, String> {
    let programs = Path::new(env!("CARGO_BIN_EXE_diskwright")).parent().unwrap().display().to_string();
    let path = format!("{programs}:{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap_or_default());
    let mut bash = Command::new("bash");
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "DISKWRIGHT_SEED", "DISKWRIGHT_OUTPUT_FORMAT", "LC_ALL", "LC_MESSAGES"] {
        bash.env_remove(name);
    }
    // What the user imported and which language they read is none of the tests' business.
    let settings = [
        ("PATH", path.as_str()),
        ("LANG", "C"),
        ("COLUMNS", "100"),
        ("DISKWRIGHT_CATALOGUE", "none"),
        ("SOURCE_DATE_EPOCH", "1788170189"),
    ];
    let said = fs::File::create(printed.join("shell")).unwrap();
    let mut child = bash
        .args(["-c", script])
        .current_dir(place)
        .envs(settings)
        .stdin(Stdio::null())
        .stdout(said.try_clone().unwrap())
        .stderr(said)
        .process_group(0)
        .spawn()
        .map_err(|fault| format!("bash: {fault}"))?;
    let status = ended(&mut child);
    if let Some(group) = Pid::from_raw(child.id() as i32) {
        // There is none left where all has ended.
        let _ = kill_process_group(group, Signal::KILL);
    }
    if status.is_none() {
        child.wait().unwrap();
    }
    Ok(status)
}

fn ended(child: &mut Child) -> Option<i32> {
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status.code().unwrap_or(-1));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    None
}
