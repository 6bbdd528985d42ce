//! Options that are right by themselves and change nothing next to the others that were given: each is refused, with the reason.
//!
//! Only what was typed counts: neither defaults nor variables of the environment.

use clap::ArgMatches;
use clap::parser::ValueSource;
use dw_error::{Error, Result};
use dw_formats::scenario::{CacheStart, Scenario};
use dw_stack::CacheMode;

/// What was typed after a command.
struct Typed<'a>(&'a ArgMatches);

impl Typed<'_> {
    /// False of an option that this program does not have, too: asked for its source, clap would panic.
    fn has(&self, id: &str) -> bool {
        self.0.try_contains_id(id).unwrap_or(false) && self.0.value_source(id) == Some(ValueSource::CommandLine)
    }

    fn any(&self, ids: &[&str]) -> bool {
        ids.iter().any(|id| self.has(id))
    }

    /// A word that was typed, as it was.
    fn is(&self, id: &str, words: &[&str]) -> bool {
        self.has(id) && self.words(id).iter().any(|word| words.contains(&word.as_str()))
    }

    fn words(&self, id: &str) -> Vec<String> {
        self.0.get_raw(id).into_iter().flatten().map(|word| word.to_string_lossy().into_owned()).collect()
    }

    /// A word was typed, and it is none of these.
    fn is_other(&self, id: &str, words: &[&str]) -> bool {
        self.has(id) && !self.is(id, words)
    }
}

/// Which options a rule is about.
#[derive(Clone, Copy)]
enum Options {
    These(&'static [&'static str]),
    /// What a command gets later is among them.
    AllBut(&'static [&'static str]),
}

/// An option, and when it has no effect.
struct Rule {
    command: &'static [&'static str],
    options: Options,
    when: fn(&Typed) -> bool,
    why: &'static str,
    hint: &'static str,
}

/// Several runs are made.
fn several(typed: &Typed) -> bool {
    typed.any(&["sweep", "seeds"])
}

/// Job files are run in place of a suite.
fn of_jobs(typed: &Typed) -> bool {
    typed.any(&["job", "diskspd"])
}

const RULES: &[Rule] = &[
    Rule {
        command: &["simulate"],
        options: Options::These(&["threads"]),
        when: |typed| !several(typed),
        why: "there is one run",
        hint: "add `--sweep` or `--seeds`, or remove it",
    },
    Rule {
        command: &["simulate"],
        options: Options::These(&["series", "latency_models", "exact", "error", "threads", "start", "format"]),
        when: |typed| typed.has("explain_job"),
        why: "`--explain-job` does not run",
        hint: "remove one of the two",
    },
    Rule {
        command: &["simulate"],
        options: Options::These(&["series", "latency_models"]),
        when: several,
        why: "several runs print one line each",
        hint: "remove it, or run one of them alone",
    },
    Rule {
        command: &["simulate"],
        options: Options::These(&["latency_models"]),
        when: |typed| typed.is_other("format", &["table", "normal"]),
        why: "it applies to the table only; JSON always has the models",
        hint: "remove one of the two",
    },
    Rule {
        command: &["plan"],
        options: Options::These(&["why_not"]),
        when: |typed| typed.is("format", &["csv"]),
        why: "CSV has only the plan's limits",
        hint: "choose another `--format`",
    },
    Rule {
        command: &["plan"],
        options: Options::These(&["full"]),
        when: |typed| typed.is_other("format", &["table"]),
        why: "it applies to the table only",
        hint: "remove one of the two",
    },
    Rule {
        command: &["observe"],
        options: Options::These(&["counter_map", "dates", "keep_first", "memory_total", "strict", "utc_offset"]),
        when: |typed| !typed.has("files"),
        why: "it applies to files, but this machine is being recorded",
        hint: "name a FILE, or remove it",
    },
    Rule {
        command: &["observe"],
        options: Options::These(&["random"]),
        when: |typed| typed.has("trace"),
        why: "`--trace` measures it",
        hint: "remove one of the two",
    },
    Rule {
        command: &["observe"],
        options: Options::These(&[
            "format",
            "output",
            "html",
            "volume",
            "machine",
            "window",
            "growth",
            "random",
            "memory_total",
        ]),
        when: |typed| typed.has("record"),
        why: "`--record` only saves the recording",
        hint: "remove it, and pass it later to `diskwright observe` together with the recorded file",
    },
    Rule {
        command: &["observe"],
        options: Options::These(&["capacity"]),
        when: |typed| !typed.is("format", &["toml"]),
        why: "only requirements contain capacities",
        hint: "add `--format toml`, or remove it",
    },
    Rule {
        command: &["bench"],
        options: Options::These(&["volume"]),
        when: |typed| typed.is("suite", &["checklist"]),
        why: "the requirements of this suite name the volumes",
        hint: "remove it",
    },
    Rule {
        command: &["bench"],
        options: Options::These(&["suite", "requirements", "io_size", "rw", "volume"]),
        when: of_jobs,
        why: "job files replace the suite",
        hint: "remove it, or `--job` and `--diskspd`",
    },
    Rule {
        command: &["bench"],
        options: Options::These(&["requirements"]),
        when: |typed| !typed.is("suite", &["checklist"]),
        why: "only `--suite checklist` reads requirements",
        hint: "add `--suite checklist`, or remove it",
    },
    Rule {
        command: &["bench"],
        options: Options::These(&["io_size"]),
        when: |typed| !typed.is("suite", &["queue-depth", "latency-at-load"]),
        why: "it is for `--suite queue-depth` and `--suite latency-at-load`",
        hint: "add one of these suites, or remove it",
    },
    Rule {
        command: &["bench"],
        options: Options::These(&["rw"]),
        when: |typed| !typed.is("suite", &["queue-depth", "block-size", "latency-at-load"]),
        why: "it is for the suites that sweep: `queue-depth`, `block-size`, `latency-at-load`",
        hint: "add `--suite` with one of these, or remove it",
    },
    Rule {
        command: &["bench"],
        options: Options::These(&["dir", "fresh", "fio"]),
        when: |typed| typed.has("simulate"),
        why: "`--simulate` runs no fio and keeps no state",
        hint: "remove it",
    },
    Rule {
        command: &["provision"],
        options: Options::These(&["filesystem", "lvm"]),
        when: |typed| typed.is_other("target", &["linux"]),
        why: "it applies to the Linux script",
        hint: "write `--target linux`, or remove it",
    },
    Rule {
        command: &["provision"],
        options: Options::These(&["database"]),
        when: |typed| typed.is_other("target", &["database"]),
        why: "it applies to database settings",
        hint: "write `--target database`, or remove it",
    },
    Rule {
        command: &["emulate"],
        options: Options::These(&["insecure_listen"]),
        when: |typed| !typed.has("tcp"),
        why: "it applies to `--tcp`, which is not given",
        hint: "remove it",
    },
    Rule {
        command: &["emulate"],
        options: Options::AllBut(&["clean", "unmount_wait", "lazy", "quiet", "color", "lang"]),
        when: |typed| typed.has("clean"),
        why: "`--clean` begins nothing",
        hint: "remove one of the two",
    },
    Rule {
        command: &["ctl", "crash"],
        options: Options::These(&["seed"]),
        when: |typed| !typed.is("survivors", &["prefix", "random", "random-torn"]),
        why: "it applies only to `--survivors prefix`, `random` or `random-torn`",
        hint: "add `--survivors random`, or remove it",
    },
];

/// The first option that was typed and has no effect, as the usage error that it is.
pub(crate) fn check(command: &clap::Command, matches: &ArgMatches) -> Result<()> {
    for rule in RULES {
        let Some((command, matches)) = find(command, matches, rule.command) else { continue };
        let typed = Typed(matches);
        let is_meant = |id: &str| match rule.options {
            Options::These(ids) => ids.contains(&id),
            Options::AllBut(ids) => !ids.contains(&id),
        };
        let mut args = command.get_arguments().filter(|arg| is_meant(arg.get_id().as_str()));
        let Some(arg) = args.find(|arg| typed.has(arg.get_id().as_str())).filter(|_| (rule.when)(&typed)) else {
            continue;
        };
        let name = match arg.get_long() {
            Some(long) => format!("--{long}"),
            None => typed.words(arg.get_id().as_str()).join(" "),
        };
        return Err(refused_as(&name, rule.why, rule.hint));
    }
    Ok(())
}

/// An option that has no effect, for reasons that may lie in the files.
pub(crate) fn refused(name: &str, why: &str, hint: &str) -> Error {
    refused_as(&format!("--{name}"), why, hint)
}

fn refused_as(typed: &str, why: &str, hint: &str) -> Error {
    Error::usage(format!("`{typed}` has no effect: {why}")).hint(hint)
}

/// `--start`, which is about the host cache: takes the place of what the scenario says.
pub(crate) fn start(scenario: &mut Scenario, start: Option<CacheStart>) -> Result<()> {
    let Some(start) = start else { return Ok(()) };
    if !has_cached_volume(scenario) {
        let hint = "write `host_cache = \"ReadOnly\"` for a volume, or remove it";
        return Err(refused("start", "no volume has a host cache", hint));
    }
    scenario.start = start;
    Ok(())
}

/// The command of a rule with what was typed after it, when it was typed.
fn find<'a>(
    command: &'a clap::Command,
    matches: &'a ArgMatches,
    path: &[&str],
) -> Option<(&'a clap::Command, &'a ArgMatches)> {
    let [name, rest @ ..] = path else { return Some((command, matches)) };
    find(command.find_subcommand(name)?, matches.subcommand_matches(name)?, rest)
}

/// Whether `--start` has an effect.
pub(crate) fn has_cached_volume(scenario: &Scenario) -> bool {
    scenario.stack.volumes.iter().any(|volume| volume.host_cache != CacheMode::None)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn every_rule_is_about_options_that_exist() {
        for rule in RULES {
            let command =
                rule.command.iter().try_fold(Cli::command(), |command, name| command.find_subcommand(name).cloned());
            let command = command.unwrap_or_else(|| panic!("{:?}", rule.command));
            let (Options::These(ids) | Options::AllBut(ids)) = rule.options;
            let global = ["color", "lang"];
            for id in ids.iter().filter(|id| !global.contains(id)) {
                assert!(command.get_arguments().any(|arg| arg.get_id() == id), "{:?} has no {id}", rule.command);
            }
        }
    }

    #[test]
    fn an_option_without_effect_is_refused_and_one_with_effect_is_not() {
        let check = |line: &str, refused: Option<&str>| {
            let mut command = Cli::command();
            let words = ["diskwright"].into_iter().chain(line.split(' '));
            let matches = command.try_get_matches_from_mut(words).unwrap_or_else(|e| panic!("{line}: {e}"));
            let found = super::check(&command, &matches).err().map(|error| error.to_string());
            match (refused, found) {
                (None, None) => {}
                (Some(option), Some(message)) => {
                    assert!(message.starts_with(&format!("error: `{option}` has no effect: ")), "{line}: {message}");
                }
                (refused, found) => panic!("{line}: {refused:?} is wanted, {found:?} is said"),
            }
        };
        check("simulate r.toml j.fio --threads 2", Some("--threads"));
        check("simulate r.toml j.fio --threads 2 --seeds 1..4", None);
        check("simulate r.toml j.fio --explain-job --series 1s", Some("--series"));
        check("simulate r.toml j.fio --explain-job --seed 3", None);
        check("simulate r.toml j.fio --sweep iodepth=1,2 --series 1s", Some("--series"));
        check("simulate r.toml j.fio --series 1s", None);
        check("simulate r.toml j.fio --latency-models --output-format json", Some("--latency-models"));
        check("simulate r.toml j.fio --latency-models", None);
        check("plan r.toml --why-not D2s_v5 --format csv", Some("--why-not"));
        check("plan r.toml --why-not D2s_v5 --format json", None);
        check("plan r.toml --full --format json", Some("--full"));
        check("plan r.toml --full --format table", None);
        check("observe --keep-first", Some("--keep-first"));
        check("observe a.txt --keep-first", None);
        check("observe --memory-total 64GiB", Some("--memory-total"));
        check("observe a.txt --memory-total 64GiB --random 70 --utc-offset +01:00", None);
        check("observe --utc-offset +01:00", Some("--utc-offset"));
        check("observe --trace --random 70", Some("--random"));
        check("observe --random 70", None);
        check("observe a.txt --capacity data=1TiB", Some("--capacity"));
        check("observe a.txt --capacity data=1TiB --format toml", None);
        check("observe --out a.arrows --html a.html", Some("--html"));
        check("observe --out a.arrows --every 1s --for 3s", None);
        check("bench r.toml --simulate --job a.fio --suite queue-depth", Some("--suite"));
        check("bench r.toml --simulate --requirements r.toml", Some("--requirements"));
        check("bench r.toml --simulate --suite checklist --requirements r.toml", None);
        check("bench r.toml --simulate --io-size 8KiB", Some("--io-size"));
        check("bench r.toml --simulate --suite queue-depth --io-size 4KiB --rw read", None);
        check("bench r.toml --simulate --suite checklist --rw read", Some("--rw"));
        check("bench r.toml --simulate --fresh", Some("--fresh"));
        check("bench r.toml --emulate --fresh --dir x", None);
        check("provision p.json --target az --lvm", Some("--lvm"));
        check("provision p.json --target linux --lvm", None);
        check("provision p.json --out x --lvm --database mysql", None);
        check("provision p.json --target rig --database mysql", Some("--database"));
        check("emulate r.toml --memory --socket s --insecure-listen", Some("--insecure-listen"));
        for option in ["--dir x", "--detach", "--with-parent 7", "--null", "--max-connections 3"] {
            let name = option.split(' ').next();
            check(&format!("emulate --clean {option}"), name);
        }
        check("emulate r.toml --clean", Some("r.toml"));
        check("emulate --clean --lazy -q --unmount-wait 3", None);
        check("ctl --socket s crash --level host --seed 7", Some("--seed"));
        check("ctl --socket s crash --level host --survivors all --seed 7", Some("--seed"));
        for drawn in ["prefix", "random", "random-torn"] {
            check(&format!("ctl --socket s crash --level host --survivors {drawn} --seed 7"), None);
        }
    }
}
