//! Results in the languages that there are; what programs read is the same in all of them.

use std::process::Command;

use crate::e2e::support::{Ran, diskwright, example_page, root, run};

/// Languages beside English, each with a word that its results have.
const LANGUAGES: [&str; 4] = ["ru", "sv", "zh-Hans", "ja"];

const SIMULATE: &[&str] =
    &["simulate", "examples/01-ds1-and-p30/rig.toml", "examples/01-ds1-and-p30/wants-4000-iops.fio", "--quiet"];
const PLAN: &[&str] =
    &["plan", "examples/07-plan-a-database/requirements.toml", "--no-simulate", "--no-choices", "--why-not", "D4ds_v5"];
const EXPLAIN: &[&str] = &[
    "explain",
    "crates/diskwright-cli/tests/e2e/languages/rig.toml",
    "--demand",
    "examples/07-plan-a-database/requirements.toml",
];
const OBSERVE: &[&str] = &["observe", "crates/diskwright/data/iostat.txt", "--quiet"];

fn in_language(args: &[&str], lang: &str) -> Ran {
    diskwright(&[args, &["--lang", lang]].concat())
}

/// Words of a text that only English has, of those that tables and sentences are full of.
fn english(text: &str) -> Vec<&str> {
    const WORDS: [&str; 19] = [
        "the",
        "and",
        "with",
        "month",
        "limit",
        "available",
        "left",
        "asked",
        "volume",
        "latency",
        "queue",
        "depth",
        "read",
        "write",
        "assumptions",
        "throughput",
        "headroom",
        "because",
        "throttles",
    ];
    // What stands between backticks is typed as it is, and a page of the vendor has the name that it has.
    let plain = text.lines().filter(|line| !line.contains("Azure") && !line.contains('['));
    let plain = plain.flat_map(|line| line.split('`').step_by(2));
    let words = plain.flat_map(|part| part.split(|c: char| !c.is_alphabetic()));
    words.filter(|word| WORDS.contains(word)).collect()
}

#[test]
fn what_people_read_is_in_the_language_and_what_programs_read_is_not() {
    for (args, words) in [(SIMULATE, 3), (PLAN, 12), (EXPLAIN, 12), (OBSERVE, 3)] {
        let table = diskwright(args);
        assert!(english(&table.stdout).len() > 10, "{}", table.stdout);
        let json = diskwright(&[args, &["--format", "json"]].concat());
        let csv = diskwright(&[args, &["--format", "csv"]].concat());
        for lang in LANGUAGES {
            let told = in_language(args, lang);
            assert_eq!((told.code, &told.stderr), (table.code, &table.stderr), "{lang}: errors and notes stay English");
            let still = english(&told.stdout);
            assert!(still.len() <= words, "{lang}: {still:?}\n{}", told.stdout);
            let of = |format: &str| in_language(&[args, &["--format", format]].concat(), lang).stdout;
            assert_eq!(without_clock(&of("json")), without_clock(&json.stdout), "{lang} {args:?}");
            assert_eq!(of("csv"), csv.stdout, "{lang} {args:?}");
        }
    }
}

/// What differs from run to run is left out.
fn without_clock(json: &str) -> String {
    json.lines().filter(|line| !line.contains("wall_s") && !line.contains("\"time")).collect()
}

#[test]
fn a_report_is_in_the_language_and_opens_again_in_another() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let page = |lang: &str, from: &str, to: &str| {
        let ran = in_language(&["report", from, "--output", &at(to)], lang);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        std::fs::read_to_string(at(to)).unwrap()
    };
    let english = example_page().to_string();
    std::fs::write(at("en.html"), &english).unwrap();
    let mut told: Vec<String> = Vec::new();
    for lang in LANGUAGES {
        let whole = page(lang, &at("en.html"), &format!("{lang}.html"));
        assert!(whole.contains(&format!("<html lang=\"{lang}\">")), "{lang}");
        // Its documents are those of the English page.
        let inside = |page: &str| page.split("<script").nth(1).unwrap().to_string();
        assert_eq!(inside(&whole), inside(&english), "{lang}");
        let again = page("en", &at(&format!("{lang}.html")), "again.html");
        assert_eq!(again, english, "{lang}: opened again in English");
        assert!(!told.contains(&whole));
        told.push(whole);
    }
    assert!(told[0].contains("самое узкое"));
    assert!(told[0].contains("\u{a0}"), "thousands are apart by a blank");
    let markdown = in_language(&["report", &at("en.html"), "--format", "markdown"], "ja").stdout;
    assert!(markdown.contains("## 概要") && markdown.contains("**▲ 条件付きで満たす.**"), "{markdown}");
}

#[test]
fn the_environment_names_the_language_and_the_option_wins() {
    let says = |variables: &[(&str, &str)], more: &[&str]| {
        let command = &mut Command::new(env!("CARGO_BIN_EXE_diskwright"));
        let command = command.args(SIMULATE).args(more).current_dir(root()).env("DISKWRIGHT_CATALOGUE", "none");
        // The harness sets `LC_ALL`; an empty one counts as not set.
        for name in ["LC_MESSAGES", "LANG"] {
            command.env_remove(name);
        }
        crate::e2e::support::run_in(command, variables).stdout
    };
    let swedish = says(&[("LC_ALL", "C")], &["--lang", "sv"]);
    assert_eq!(says(&[("LC_ALL", ""), ("LANG", "sv_SE.UTF-8")], &[]), swedish);
    assert_eq!(says(&[("LC_ALL", "sv_SE.UTF-8"), ("LANG", "ru_RU.UTF-8")], &[]), swedish);
    assert_eq!(says(&[("LC_ALL", "ru_RU.UTF-8")], &["--lang=sv"]), swedish);
    let english = says(&[("LC_ALL", "C")], &[]);
    assert_ne!(english, swedish);
    for other in ["POSIX", "de_DE.UTF-8", "zh_TW.UTF-8", "zh-Hant"] {
        assert_eq!(says(&[("LC_ALL", other)], &[]), english, "{other}");
    }
    // Before the command, too.
    let command = &mut Command::new(env!("CARGO_BIN_EXE_diskwright"));
    let before =
        run(command.args(["--lang", "sv"]).args(SIMULATE).current_dir(root()).env("DISKWRIGHT_CATALOGUE", "none"));
    assert_eq!(before.stdout, swedish);
}

#[test]
fn a_language_that_there_is_not_is_refused_with_those_that_there_are() {
    let refused = in_language(SIMULATE, "xx");
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("invalid value 'xx' for '--lang <LANG>'"), "{}", refused.stderr);
    assert!(refused.stderr.contains("the languages are en, ja, ru, sv, zh-Hans"), "{}", refused.stderr);
}
