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
        let typed = self.0.get_raw(id).into_iter().flatten().map(|word| word.to_string_lossy().into_owned());
        self.has(id) && typed.into_iter().any(|word| words.contains(&word.as_str()))
    }

    /// A word was typed, and it is none of these.
    fn is_other(&self, id: &str, words: &[&str]) -> bool {
        self.has(id) && !self.is(id, words)
    }
}

/// An option, and when it has no effect.
struct Rule {
    command: &'static [&'static str],
    options: &'static [&'static str],
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
        options: &["threads"],
        when: |typed| !several(typed),
        why: "there is one run",
        hint: "add `--sweep` or `--seeds`, or remove it",
    },
    Rule {
        command: &["simulate"],
        options: &["series", "latency_models", "exact", "error", "threads", "start", "format"],
        when: |typed| typed.has("explain_job"),
        why: "`--explain-job` does not run",
        hint: "remove one of the two",
    },
    Rule {
        command: &["simulate"],
        options: &["series", "latency_models"],
        when: several,
        why: "of several runs one line each is printed",
        hint: "remove it, or run one of them alone",
    },
    Rule {
        command: &["simulate"],
        options: &["latency_models"],
        when: |typed| typed.is_other("format", &["table", "normal"]),
        why: "it is about the table for people; JSON has the models always",
        hint: "remove one of the two",
    },
    Rule {
        command: &["plan"],
        options: &["why_not"],
        when: |typed| typed.is("format", &["csv"]),
        why: "CSV has the limits of the plan alone",
        hint: "choose another `--format`",
    },
    Rule {
        command: &["observe"],
        options: &["counter_map", "dates", "keep_first", "memory_total", "strict", "utc_offset"],
        when: |typed| !typed.has("files"),
        why: "it is about files, and this machine is recorded",
        hint: "name a FILE, or remove it",
    },
    Rule {
        command: &["observe"],
        options: &["random"],
        when: |typed| typed.has("trace"),
        why: "`--trace` measures it",
        hint: "remove one of the two",
    },
    Rule {
        command: &["observe"],
        options: &["format", "output", "html", "volume", "machine", "window", "growth", "random", "memory_total"],
        when: |typed| typed.has("record"),
        why: "with `--record` the recording is kept and not reported",
        hint: "remove it here, and give it to `diskwright observe` with the file of `--record`",
    },
    Rule {
        command: &["observe"],
        options: &["capacity"],
        when: |typed| !typed.is("format", &["toml"]),
        why: "only requirements say what a volume must hold",
        hint: "add `--format toml`, or remove it",
    },
    Rule {
        command: &["bench"],
        options: &["volume"],
        when: |typed| typed.is("suite", &["checklist"]),
        why: "the requirements of this suite name the volumes",
        hint: "remove it",
    },
    Rule {
        command: &["bench"],
        options: &["suite", "requirements", "io_size", "rw", "volume"],
        when: of_jobs,
        why: "job files are run in place of a suite",
        hint: "remove it, or `--job` and `--diskspd`",
    },
    Rule {
        command: &["bench"],
        options: &["requirements"],
        when: |typed| !typed.is("suite", &["checklist"]),
        why: "only `--suite checklist` reads requirements",
        hint: "add `--suite checklist`, or remove it",
    },
    Rule {
        command: &["bench"],
        options: &["io_size"],
        when: |typed| !typed.is("suite", &["queue-depth", "latency-at-load"]),
        why: "it is for `--suite queue-depth` and `--suite latency-at-load`",
        hint: "add one of these suites, or remove it",
    },
    Rule {
        command: &["bench"],
        options: &["rw"],
        when: |typed| !typed.is("suite", &["queue-depth", "block-size", "latency-at-load"]),
        why: "it is for the suites that sweep: `queue-depth`, `block-size`, `latency-at-load`",
        hint: "add `--suite` with one of these, or remove it",
    },
    Rule {
        command: &["bench"],
        options: &["dir", "fresh", "fio"],
        when: |typed| typed.has("simulate"),
        why: "`--simulate` runs no fio and keeps no state",
        hint: "remove it",
    },
    Rule {
        command: &["provision"],
        options: &["filesystem", "lvm"],
        when: |typed| typed.is_other("target", &["linux"]),
        why: "it is about the Linux script",
        hint: "write `--target linux`, or remove it",
    },
    Rule {
        command: &["provision"],
        options: &["database"],
        when: |typed| typed.is_other("target", &["database"]),
        why: "it is about the settings of a database",
        hint: "write `--target database`, or remove it",
    },
    Rule {
        command: &["emulate"],
        options: &["insecure_listen"],
        when: |typed| !typed.has("tcp"),
        why: "it is about `--tcp`, which is not given",
        hint: "remove it",
    },
    Rule {
        command: &["ctl", "crash"],
        options: &["seed"],
        when: |typed| !typed.is("survivors", &["prefix", "random", "random-torn"]),
        why: "nothing is drawn unless survivors are `prefix`, `random` or `random-torn`",
        hint: "add `--survivors random`, or remove it",
    },
];

/// The first option that was typed and has no effect, as the usage error that it is.
pub(crate) fn check(command: &clap::Command, matches: &ArgMatches) -> Result<()> {
    for rule in RULES {
        let Some((command, matches)) = of(command, matches, rule.command) else { continue };
        let typed = Typed(matches);
        let Some(id) = rule.options.iter().find(|id| typed.has(id)).filter(|_| (rule.when)(&typed)) else { continue };
        let arg = command.get_arguments().find(|arg| arg.get_id() == id);
        let name = arg.and_then(|arg| arg.get_long()).unwrap_or(id);
        return Err(refused(name, rule.why, rule.hint));
    }
    Ok(())
}

/// An option that has no effect, for reasons that may lie in the files.
pub(crate) fn refused(name: &str, why: &str, hint: &str) -> Error {
    Error::usage(format!("`--{name}` has no effect: {why}")).hint(hint)
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
fn of<'a>(
    command: &'a clap::Command,
    matches: &'a ArgMatches,
    path: &[&str],
) -> Option<(&'a clap::Command, &'a ArgMatches)> {
    let [name, rest @ ..] = path else { return Some((command, matches)) };
    of(command.find_subcommand(name)?, matches.subcommand_matches(name)?, rest)
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
            for id in rule.options {
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
        check("ctl --socket s crash --level host --seed 7", Some("--seed"));
        check("ctl --socket s crash --level host --survivors all --seed 7", Some("--seed"));
        for drawn in ["prefix", "random", "random-torn"] {
            check(&format!("ctl --socket s crash --level host --survivors {drawn} --seed 7"), None);
        }
    }
}
