//! Every page of the guide, and README.md, run as printed.
//!
//! - `page`: the fenced blocks of a page and their marks, which stand in the info string, where no renderer prints them.
//! - `session`: the blocks of a page in one shell, in one folder, and what each printed.
//! - `excerpt`: what a block of output should hold, from what was printed.
//!
//! Marks, after the language of a block:
//!
//! | mark | the block is |
//! |---|---|
//! | `run`, `run exit=4`, `run needs=fio,jq` | commands, run after those before it; they end with 0, or as said |
//! | `output`, `errors` | what the commands before it print on standard output or error; `...` stands for what is left out |
//! | `file=NAME` | a file that the commands after it find |
//! | `same=PATH` | the text of a file, by its path from the page |
//! | `part` | a part of a TOML file, which is read as TOML |
//! | `skip=REASON` | neither run nor compared, for one of the [`page::REASONS`] |
//!
//! A comment `<!-- with: NAME = PATH -->` lays a file or folder of the repository beside the commands, under that name.
//!
//! `DISKWRIGHT_WRITE_GUIDE=1`, as `cargo xtask gen` sets it, rewrites blocks of output in place of comparing them.

mod excerpt;
mod page;
mod session;

use std::collections::BTreeMap;

use crate::e2e::support::root;
use page::{Mark, Page};

/// Set by `cargo xtask gen`: write what is printed into the page instead of comparing with it.
const WRITE: &str = "DISKWRIGHT_WRITE_GUIDE";

/// A test for each page, so that they run at once.
macro_rules! pages {
    ($($name:ident: $path:literal,)*) => {
        /// All pages that have blocks.
        const PAGES: &[&str] = &[$($path),*];
        $(
            #[test]
            fn $name() {
                check($path);
            }
        )*
    };
}

pages! {
    readme: "README.md",
    audit: "docs/guide/audit.md",
    aws: "docs/guide/aws.md",
    bench: "docs/guide/bench.md",
    catalogue: "docs/guide/catalogue.md",
    control: "docs/guide/control.md",
    convert: "docs/guide/convert.md",
    databases: "docs/guide/databases.md",
    diskspd_iometer: "docs/guide/diskspd-iometer.md",
    emulate: "docs/guide/emulate.md",
    explain: "docs/guide/explain.md",
    fio_jobs: "docs/guide/fio-jobs.md",
    fleet: "docs/guide/fleet.md",
    getting_started: "docs/guide/getting-started.md",
    languages: "docs/guide/languages.md",
    metrics: "docs/guide/metrics.md",
    observe: "docs/guide/observe.md",
    plan: "docs/guide/plan.md",
    provision: "docs/guide/provision.md",
    python: "docs/guide/python.md",
    rehearse_a_vm: "docs/guide/rehearse-a-vm.md",
    report: "docs/guide/report.md",
    scenario: "docs/guide/scenario.md",
    studio: "docs/guide/studio.md",
    timeline: "docs/guide/timeline.md",
    verify: "docs/guide/verify.md",
}

/// Runs a page and compares what it shows.
#[track_caller]
fn check(path: &str) {
    let text = std::fs::read_to_string(root().join(path)).unwrap();
    let page = Page::read(path, &text).unwrap_or_else(|faults| panic!("{faults}"));
    let Some(printed) = session::run(&page).unwrap_or_else(|fault| panic!("{fault}")) else { return };
    let renewed = page.renewed(&text, &printed).unwrap_or_else(|fault| panic!("{fault}"));
    let Some((line, shown, now)) = excerpt::first_difference(&text, &renewed) else { return };
    if std::env::var_os(WRITE).is_none() {
        panic!("{path}:{line}: the page shows\n{shown}\nwhere this is printed (`cargo xtask gen` rewrites it)\n{now}");
    }
    // Whole or not at all: another test reads all pages meanwhile.
    let temporary = root().join(format!("{path}.tmp"));
    std::fs::write(&temporary, &renewed).unwrap();
    std::fs::rename(&temporary, root().join(path)).unwrap();
}

/// The pages of the guide: README.md, and all below docs/guide.
fn pages() -> Vec<String> {
    let mut pages = vec!["README.md".to_string()];
    let mut open = vec!["docs/guide".to_string()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(root().join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{folder}/{}", entry.file_name().into_string().unwrap());
            if entry.file_type().unwrap().is_dir() {
                open.push(path);
            } else if path.ends_with(".md") {
                pages.push(path);
            }
        }
    }
    pages
}

/// No page is without its test, no block without its mark; how many there are of each kind is printed.
#[test]
fn every_block_has_a_mark_and_every_page_its_test() {
    let (mut kinds, mut faults) = (BTreeMap::<String, usize>::new(), String::new());
    for path in pages() {
        let text = std::fs::read_to_string(root().join(&path)).unwrap();
        match Page::read(&path, &text) {
            Err(fault) => faults.push_str(&fault),
            Ok(page) => {
                if !page.blocks.is_empty() && !PAGES.contains(&path.as_str()) {
                    faults.push_str(&format!(
                        "{path}: it has blocks and no test: give it a line in tests/guide/mod.rs\n"
                    ));
                }
                for block in &page.blocks {
                    *kinds.entry(block.mark.kind()).or_default() += 1;
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
    let all: usize = kinds.values().sum();
    println!("guide: {all} blocks: {kinds:?}");
    let counted = |kind: &str| kinds.get(kind).copied().unwrap_or_default();
    // Pages grow; what is run and compared does not shrink unseen.
    assert!(counted("run") >= 42 && counted("output") >= 19, "{kinds:?}");
    for (reason, _) in page::REASONS {
        assert!(counted(&format!("skip={reason}")) > 0, "no block is skipped for `{reason}`: take it off the list");
    }
}

/// What is wrong with a page is seen, with its line; what it shows is renewed.
#[test]
fn a_page_is_run_as_a_reader_types_it() {
    let ran = |text: &str| {
        let page = Page::read("docs/guide/a.md", text)?;
        page.renewed(text, &session::run(&page)?.unwrap())
    };
    let shown = "```text file=a.txt\none\n```\n```sh run\nsleep 60 &\nexport B=2\ncat a.txt\n```\n```sh run exit=3\necho $B\necho c >&2\n(exit 3)\n```\n";
    let page = format!("{shown}```text output\nx\n```\n```text errors\ny\n```\n");
    assert_eq!(ran(&page), Ok(format!("{shown}```text output\n2\n```\n```text errors\nc\n```\n")));
    let refused = |text: &str| ran(text).unwrap_err();
    for (text, expected) in [
        ("```sh run\ntrue\n```\n\n```sh run\nfalse\ntrue\n```\n", "docs/guide/a.md:5: the commands end with code 1"),
        ("```sh run\nfalse | cat\n```\n", "docs/guide/a.md:1: the commands end with code 1"),
        ("```sh run exit=3\ntrue\n```\n", "docs/guide/a.md:1: the commands end with another code than the mark has"),
        ("```sh run\ntrue\n```\n```text output\na\n...\nb\n...\n```\n", "docs/guide/a.md:4: no line begins with `b`"),
        ("```toml same=databases/p30.toml\na = 1\n```\n", "docs/guide/a.md:1: databases/p30.toml holds another text"),
    ] {
        assert!(refused(text).starts_with(expected), "{text}: {}", refused(text));
    }
}

#[test]
fn marks_are_read_and_wrong_ones_refused() {
    let mark = |info: &str, text: &str| {
        let page = format!("# A page\n\n```{info}\n{text}\n```\n");
        Page::read("a.md", &page).map(|mut page| page.blocks.remove(0).mark).map_err(|fault| fault.trim().to_string())
    };
    let run = |code, needs: &[&str]| Ok(Mark::Run { code, needs: needs.iter().map(|n| n.to_string()).collect() });
    let refused = |info: &str, text: &str| mark(info, text).unwrap_err();
    assert_eq!(mark("sh run", "true"), run(0, &[]));
    assert_eq!(mark("sh run exit=4 needs=fio,jq", "true"), run(4, &["fio", "jq"]));
    assert_eq!(mark("sh skip=root", "true"), Ok(Mark::Skip("root")));
    assert_eq!(mark("toml part", "a = 1"), Ok(Mark::Part));
    assert_eq!(mark("ini file=a.fio", "[a]"), Ok(Mark::File("a.fio".into())));
    assert_eq!(mark("yaml same=ci.yml", "a: 1"), Ok(Mark::Same("ci.yml".into())));
    let cases = [
        ("", "diskwright plan a.toml", "a.md:3: this block has no mark"),
        ("sh", "diskwright plan a.toml", "a.md:3: this block has no mark"),
        ("sh skip=boring", "true", "a.md:3: `boring` is not a reason"),
        ("text run", "true", "a.md:3: only ```sh is run"),
        ("sh part", "diskwright plan a.toml", "a.md:3: only ```toml is a part"),
        ("toml part", "a = = 1", "a.md:3: not TOML"),
        ("text output", "a", "a.md:3: output without commands before it"),
        ("sh run output", "true", "a.md:3: `output` after `run`"),
        ("sh skip=root run", "true", "a.md:3: `run` after `skip=root`"),
        ("sh run exit=many", "true", "a.md:3: `exit=many`"),
        ("ini file=../a.fio", "[a]", "a.md:3: `../a.fio` is not a name"),
    ];
    for (info, text, expected) in cases {
        assert!(refused(info, text).starts_with(expected), "{info}: {}", refused(info, text));
    }
    assert!(
        Page::read("a.md", "```sh run\ntrue\n").is_err_and(|fault| fault.starts_with("a.md:1: this block has no end"))
    );
}
