//! A command line that the parser refuses: what was probably meant, where its own words are wrong or those of a parser.
//!
//! Lives here too: what every option shares, so that a mistake with one is told as with all.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgMatches, Command};
use dw_error::Error;

use crate::kind::{self, FileKind};

/// The variable that stands for `--format` where it is not typed.
pub(crate) const FORMAT: &str = "DISKWRIGHT_OUTPUT_FORMAT";

/// Options that a variable stands for.
const VARIABLES: [(&str, &str); 2] = [("--format", FORMAT), ("--seed", "DISKWRIGHT_SEED")];

/// Every option that takes a value takes a negative number, which its own reader refuses in words; every `--format` may come from
/// [`FORMAT`]. A variable that is empty counts as not set, as in `DISKWRIGHT_SEED= diskwright ...`.
pub(crate) fn everywhere(command: Command, args: &[String]) -> Command {
    // What `ctl` takes too says the same as `--format`.
    let is_json = args.iter().any(|arg| arg == "--json");
    of_all(command, is_json)
}

fn of_all(command: Command, is_json: bool) -> Command {
    let is_empty = |name: &std::ffi::OsStr| std::env::var_os(name).is_some_and(|value| value.is_empty());
    let shared = |arg: Arg| {
        let takes = arg.get_long().is_some() && arg.get_action().takes_values();
        let arg = if takes { arg.allow_negative_numbers(true) } else { arg };
        let arg = if takes && arg.get_long() == Some("format") && !is_json { arg.env(FORMAT) } else { arg };
        if arg.get_env().is_some_and(is_empty) { arg.env(clap::builder::Resettable::Reset) } else { arg }
    };
    command.mut_args(shared).mut_subcommands(|command| of_all(command, is_json))
}

/// Dashes that are not those of an option: one that a web page or a letter made of `--`, and a single one before a whole name, which the
/// parser reads letter by letter (`-output x` as `-o utput`).
pub(crate) fn dashes(command: &Command, args: &[String], verb: usize) -> Result<(), Error> {
    const DASHES: [char; 3] = ['\u{2013}', '\u{2014}', '\u{2212}'];
    let refused = |what: String, instead: String| Err(Error::usage(what).hint(format!("write `{instead}`")));
    // fio's options have one dash or two.
    let verb =
        args.get(verb).and_then(|verb| command.find_subcommand(verb)).filter(|verb| verb.get_name() != "simulate");
    for arg in args.iter().skip(1).take_while(|arg| *arg != "--") {
        let plain = arg.trim_start_matches(|c| DASHES.contains(&c) || c == '-');
        if arg.starts_with(DASHES) && plain.starts_with(|c: char| c.is_ascii_alphabetic()) && !plain.contains(' ') {
            let dashes = if plain.chars().nth(1).is_some_and(|c| c != '=') { "--" } else { "-" };
            return refused(format!("`{arg}` starts with a dash that is not `-`"), format!("{dashes}{plain}"));
        }
        let name = arg.strip_prefix('-').and_then(|rest| rest.split('=').next()).filter(|name| name.len() > 1);
        if let (Some(verb), Some(name)) = (verb, name)
            && has_option(verb, name)
        {
            return refused(
                format!("`{arg}` starts with a single dash and is read letter by letter"),
                format!("-{arg}"),
            );
        }
    }
    Ok(())
}

/// A value of two parts that stands in two words: `--volume data sdc`.
pub(crate) fn parts(command: &Command, args: &[String], verb: usize) -> Result<(), Error> {
    let Some((_, command)) = args.get(verb..).and_then(|words| named(command, words)) else { return Ok(()) };
    let ours: Vec<&String> = args.iter().take_while(|arg| *arg != "--").collect();
    for words in ours.windows(3) {
        let [option, first, second] = words else { continue };
        let long = option.strip_prefix("--").unwrap_or_default();
        let arg = command.get_arguments().find(|arg| arg.get_long() == Some(long));
        let form = arg.and_then(|arg| arg.get_value_names()?.first()).map(|form| form.as_str());
        let Some((form, (_, of_second))) = form.and_then(|form| Some((form, form.split_once('=')?))) else { continue };
        // What is no part of the value is a file, most likely.
        let is_path = ["PATH", "DIR"].contains(&of_second) || second.starts_with("/dev/");
        let is_file = !is_path && (second.contains(['.', '/', '\\']) || std::path::Path::new(second).exists());
        if !first.contains('=') && ![first, second].iter().any(|word| word.starts_with('-')) && !is_file {
            let what = format!("`{option} {first} {second}` is two words, but {form} must be one");
            return Err(Error::usage(what).hint(format!("write `{option} {first}={second}`")));
        }
    }
    Ok(())
}

/// A `--` with nothing behind it, as `-- $COMMAND` has it when the variable is not set: what is meant to end with a command would not
/// end.
pub(crate) fn command_is_there(matches: &ArgMatches, args: &[String]) -> Result<(), Error> {
    let emulate = matches.subcommand_matches("emulate").filter(|_| args.last().is_some_and(|word| word == "--"));
    match emulate.map(|emulate| emulate.try_contains_id("command").unwrap_or(false)) {
        Some(false) => {
            let hint = "add a command; without `--` the emulation runs until it is stopped";
            Err(Error::usage("no command after `--`").hint(hint))
        }
        _ => Ok(()),
    }
}

/// Whether a command, or one below it, has an option of that long name.
fn has_option(command: &Command, name: &str) -> bool {
    let is_so = |arg: &Arg| {
        arg.get_long() == Some(name) || arg.get_all_aliases().is_some_and(|aliases| aliases.contains(&name))
    };
    command.get_arguments().any(is_so) || command.get_subcommands().any(|command| has_option(command, name))
}

/// What is said in place of the parser's words; `verb` is the place of the command among the arguments.
pub(crate) fn meant(command: &Command, error: &clap::Error, args: &[String], verb: usize) -> Option<Error> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let word = args.get(verb).map(String::as_str)?;
    let files = || args[verb + 1..].iter().filter(|arg| !arg.starts_with('-'));
    let is_twice = text(ContextKind::InvalidArg).is_some_and(|option| Some(option) == text(ContextKind::PriorArg));
    match error.kind() {
        ErrorKind::ArgumentConflict if is_twice => {
            let option = text(ContextKind::InvalidArg)?.split(' ').next()?;
            Some(Error::usage(format!("`{option}` cannot be used multiple times")).hint("write it once"))
        }
        ErrorKind::UnknownArgument => {
            let (verb, command) = named(command, &args[verb..])?;
            unknown(&verb, command, text(ContextKind::InvalidArg)?, args, text(ContextKind::SuggestedArg))
        }
        ErrorKind::ArgumentConflict | ErrorKind::InvalidSubcommand
            if word == "plan" && files().count() > 1 && files().all(|file| file != "diff") =>
        {
            Some(
                Error::usage("`plan` takes one requirements file").hint(
                    "plan each separately; `diskwright plan diff A B` compares two plans, or a scenario with a plan",
                ),
            )
        }
        ErrorKind::InvalidSubcommand if text(ContextKind::InvalidSubcommand) == Some(word) => {
            no_command(command, word, &args[verb..])
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let (option, value) = (text(ContextKind::InvalidArg)?, text(ContextKind::InvalidValue)?);
            let option = option.split(' ').next()?;
            if ["--to", "--target", "--format"].contains(&option) && value.contains(['.', '/', '\\']) {
                let what = format!("`{option} {value}` names a file, but `{option}` takes a word");
                let Some(ContextValue::Strings(known)) = error.get(ContextKind::ValidValue) else { return None };
                return Some(
                    Error::usage(what)
                        .hint(format!("write `-o {value}`, and `{option}` with one of {}", known.join(", "))),
                );
            }
            let (_, variable) = VARIABLES.into_iter().find(|(of, _)| *of == option)?;
            let long = |arg: &Arg| arg.get_long().is_some_and(|long| option.strip_prefix("--") == Some(long));
            let of_command = named(command, &args[verb..]).map(|(_, command)| command);
            let arg = of_command.and_then(|command| command.get_arguments().find(|arg| long(arg)));
            let others = arg.and_then(Arg::get_all_aliases).unwrap_or_default();
            let is_it =
                |name: &str| name == option || name.strip_prefix("--").is_some_and(|name| others.contains(&name));
            let is_typed = args.iter().any(|arg| arg.split('=').next().is_some_and(is_it));
            if is_typed || std::env::var(variable).is_ok_and(|found| found != value) {
                return None;
            }
            Some(match error.get(ContextKind::ValidValue) {
                Some(ContextValue::Strings(known)) => {
                    let hint =
                        format!("unset it for this command, or type `{option}` with one of {}", known.join(", "));
                    Error::usage(format!("{variable}={value}: `{word}` has no such form")).hint(hint)
                }
                _ => {
                    let why = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
                    Error::usage(format!("{variable}={value}: {why}")).hint(format!("unset it, or type `{option}`"))
                }
            })
        }
        _ => None,
    }
}

/// The command that the words begin with, and what it is called.
fn named<'a>(command: &'a Command, words: &[String]) -> Option<(String, &'a Command)> {
    let mut found: Option<(String, &Command)> = None;
    for word in words {
        let Some(below) = found.as_ref().map_or(command, |(_, command)| command).find_subcommand(word) else { break };
        let name = below.get_name();
        found = Some((found.map_or(name.to_string(), |(of, _)| format!("{of} {name}")), below));
    }
    found
}

/// An option that a command does not have: what it is called there, or where else it is said.
fn unknown(verb: &str, command: &Command, option: &str, args: &[String], near: Option<&str>) -> Option<Error> {
    let option = option.split('=').next().unwrap_or(option);
    let is_below_zero = option.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if let Some(pair) =
        args.windows(2).find(|pair| is_below_zero && pair[1].starts_with(option) && pair[0].starts_with("--"))
    {
        let what = format!("`{} {}` is below zero", pair[0], pair[1]);
        return Some(Error::usage(what).hint("write a value above it"));
    }
    let word = option.strip_prefix("--")?;
    let joined = args.iter().find_map(|arg| arg.strip_prefix(option)?.strip_prefix('='));
    let next = || args.iter().skip_while(|arg| *arg != option).nth(1).filter(|next| !next.starts_with('-'));
    let value = joined.or_else(|| next().map(String::as_str));
    let error = |hint: String| Some(Error::usage(format!("`{verb}` has no option `{option}`")).hint(hint));
    let long = |name: &str| command.get_arguments().find(|arg| arg.get_long() == Some(name));
    let forms = long("format").map(Arg::get_possible_values).unwrap_or_default();
    let has_form = |form: &str| forms.iter().any(|known| known.get_name() == form);
    if word == "output-format" && !forms.is_empty() {
        let form = value.filter(|form| has_form(form)).unwrap_or_else(|| forms[0].get_name());
        return error(format!("write `--format {form}`"));
    }
    if has_form(word) {
        let file = value.filter(|value| value.ends_with(&format!(".{word}"))).filter(|_| long("output").is_some());
        let output = file.map(|file| format!(" -o {file}")).unwrap_or_default();
        return error(format!("write `--format {word}{output}`"));
    }
    let is_same = |arg: &&Arg| {
        let names = arg.get_value_names().unwrap_or_default();
        let is_name =
            |name: &clap::builder::Str| name.split('.').next().is_some_and(|name| name.eq_ignore_ascii_case(word));
        names.iter().any(is_name)
    };
    if command.get_positionals().any(|arg| is_same(&arg)) {
        let file = value.unwrap_or("FILE");
        let needed = command.get_positionals().filter_map(|arg| match is_same(&arg) {
            true => Some(file),
            false => arg.get_value_names()?.first().filter(|_| arg.is_required_set()).map(|name| name.as_str()),
        });
        let needed: Vec<&str> = needed.collect();
        return error(format!("write {file} without it: `diskwright {verb} {}`", needed.join(" ")));
    }
    if ["plan", "verify", "explain"].contains(&verb)
        && let Some(key) = key_of_plan(word)
    {
        let value = value.map_or("...".to_string(), |value| match value.parse::<f64>() {
            Ok(_) => value.to_string(),
            Err(_) => format!("\"{value}\""),
        });
        return error(format!("it is a key of the requirements: write `{key} = {value}` there, under `[plan]`"));
    }
    let is_near = |near: &str| near.get(..3) == option.get(..3) && near.len().abs_diff(option.len()) <= 2;
    if near.is_none_or(is_near) && word != "format" {
        return None;
    }
    error(format!("`diskwright {verb} --help` lists the options"))
}

/// The key of `[plan]` that an option is called like: `--headroom` is `headroom_percent`.
fn key_of_plan(word: &str) -> Option<&'static str> {
    let asked = word.replace('-', "_");
    let begins = |key: &&dw_demand::Key| key.name.strip_prefix(&asked).is_some_and(|rest| rest.starts_with('_'));
    let keys = dw_catalogue::all_keys().all();
    keys.iter().find(|key| key.name == asked).or_else(|| keys.iter().find(begins)).map(|key| key.name)
}

/// The parser's words without a tip that is never right here: no value of ours begins with a dash.
pub(crate) fn without_tip(mut error: clap::Error) -> clap::Error {
    if let Some(ContextValue::StyledStrs(tips)) = error.get(ContextKind::Suggested) {
        let kept: Vec<_> = tips.iter().filter(|tip| !tip.to_string().contains(" as a value, use ")).cloned().collect();
        if kept.is_empty() {
            error.remove(ContextKind::Suggested);
        } else {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(kept));
        }
    }
    error
}

/// A file stands where the command belongs, or a command is written otherwise.
fn no_command(command: &Command, word: &str, words: &[String]) -> Option<Error> {
    let below = |known: &Command| known.get_subcommands().any(|below| below.get_name() == word);
    let lower = word.to_lowercase();
    let other = if lower != word && command.find_subcommand(&lower).is_some() {
        Some(format!("write `{lower}`"))
    } else {
        let of: Vec<String> = (command.get_subcommands().filter(|known| below(known)))
            .map(|known| format!("`diskwright {} {}`", known.get_name(), words.join(" ")))
            .collect();
        (!of.is_empty()).then(|| format!("write {}", of.join(" or ")))
    };
    if let Some(hint) = other {
        return Some(Error::usage(format!("unknown command `{word}`")).hint(hint));
    }
    let path = std::path::Path::new(word);
    if !path.exists() && !word.contains(['.', '/', '\\']) {
        return None;
    }
    let rest = words.join(" ");
    let hint = match kind::of_file(path) {
        Some(FileKind::Scenario) => {
            let jobs = if words.len() > 1 { "" } else { " JOB.fio" };
            format!("start with the command: `diskwright simulate {rest}{jobs}`")
        }
        Some(FileKind::Requirements) => format!("start with the command: `diskwright plan {rest}`"),
        Some(FileKind::Recording) => {
            format!("start with the command: `diskwright observe {rest}`, or `diskwright report {rest} -o report.html`")
        }
        Some(_) => format!("start with the command, such as `diskwright report {rest}`"),
        None => "start with a command; `diskwright --help` lists them".into(),
    };
    Some(Error::usage(format!("`{word}` is a file, not a command")).hint(hint))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::Cli;

    fn refused(line: &str) -> (Option<String>, String) {
        let args: Vec<String> = ["diskwright"].into_iter().chain(line.split(' ')).map(str::to_string).collect();
        let mut command = everywhere(Cli::command(), &args);
        let error = command.try_get_matches_from_mut(&args).expect_err(line);
        let said = meant(&command, &error, &args, 1).map(|error| error.to_string());
        (said, without_tip(error).to_string())
    }

    #[test]
    fn what_was_probably_meant_is_told() {
        let cases = [
            ("plan a.toml b.toml", "`plan` takes one requirements file"),
            ("plan a.toml b.toml --format json", "`plan` takes one requirements file"),
            ("rig.toml job.fio", "`rig.toml` is a file, not a command\nhint: start with a command"),
            ("plan a.toml --format json --format csv", "`--format` cannot be used multiple times"),
            ("plan a.toml -o a -o b", "`--output` cannot be used multiple times"),
            ("plan a.toml --region a --region b", "`--region` cannot be used multiple times"),
            ("plan a.toml --lang en --lang de", "`--lang` cannot be used multiple times"),
            ("explain r.toml --demand a --format json --format json", "`--format` cannot be used multiple times"),
            ("plan a.toml --output-format json", "`plan` has no option `--output-format`\nhint: write `--format json`"),
            ("plan a.toml --output-format=json", "write `--format json`"),
            ("plan a.toml --json", "`plan` has no option `--json`\nhint: write `--format json`"),
            ("report a.txt --html x.html", "write `--format html -o x.html`"),
            ("init --format json rig", "`init` has no option `--format`\nhint: `diskwright init --help` lists"),
            (
                "catalogue list --region eastus",
                "`catalogue list` has no option `--region`\nhint: `diskwright catalogue list",
            ),
            ("plan a.toml --years 3", "write `years = 3` there, under `[plan]`"),
            ("plan a.toml --headroom=20", "write `headroom_percent = 20` there"),
            ("plan a.toml --currency EUR", "write `currency = \"EUR\"` there"),
            ("verify --requirements a.toml b.json", "write a.toml without it: `diskwright verify a.toml RESULT`"),
            ("observe a.txt --every -5s", "`--every -5s` is below zero"),
            (
                "diff a b",
                "unknown command `diff`\nhint: write `diskwright plan diff a b` or `diskwright catalogue diff a b`",
            ),
            ("PLAN a.toml", "unknown command `PLAN`\nhint: write `plan`"),
        ];
        for (line, expected) in cases {
            let (said, by_parser) = refused(line);
            assert!(said.as_ref().is_some_and(|said| said.contains(expected)), "{line}: {said:?} {by_parser}");
        }
    }

    #[test]
    fn a_value_of_two_parts_is_one_word() {
        let mut command = Cli::command();
        command.build();
        let cases = [
            ("observe iostat.txt --volume data sdc", Some("write `--volume data=sdc`")),
            ("observe iostat.txt --volume data /dev/sdc", Some("write `--volume data=/dev/sdc`")),
            ("report iostat.txt --capacity data 750GiB -o x", Some("write `--capacity data=750GiB`")),
            ("observe iostat.txt --window day load", Some("write `--window day=load`")),
            ("emulate r.toml --mount data /mnt/data -- x", Some("write `--mount data=/mnt/data`")),
            ("bench r.toml --target data /dev/sdb", Some("write `--target data=/dev/sdb`")),
            ("verify r.toml --map job data", Some("write `--map job=data`")),
            ("simulate r.toml j.fio --sweep iodepth 1,2", Some("write `--sweep iodepth=1,2`")),
            ("observe --volume data=sdc sdd", None),
            ("observe --volume sdc iostat.txt", None),
            ("observe --volume sdc -q", None),
            ("emulate r.toml --mount data=x -- --mount a b", None),
        ];
        for (line, expected) in cases {
            let args: Vec<String> = ["diskwright"].into_iter().chain(line.split(' ')).map(str::to_string).collect();
            let said = parts(&command, &args, 1).err().map(|error| error.to_string());
            match (&said, expected) {
                (None, None) => {}
                (Some(said), Some(expected)) => assert!(said.ends_with(expected), "{line}: {said}"),
                _ => panic!("{line}: {said:?}"),
            }
        }
    }

    #[test]
    fn nobody_is_told_to_pass_an_option_as_a_value() {
        for line in ["plan a.toml --regoin x", "simulate r.toml -9", "report a.txt --growht 30%", "nonsense"] {
            let (said, by_parser) = refused(line);
            assert_eq!(said, None, "{line}");
            assert!(!by_parser.contains("as a value"), "{line}: {by_parser}");
        }
    }

    #[test]
    fn a_wrong_number_is_told_in_words() {
        let cases = [
            ("simulate r.toml j.fio --seed -1", "it is out of range: write one from 0 on"),
            ("simulate r.toml j.fio --seed=x", "it is not a whole number: write one from 0 on"),
            ("simulate r.toml j.fio --threads 0", "write one from 1 on"),
            ("simulate r.toml j.fio --threads 99999999999999999999", "it is too large: write one from 1 on"),
            ("simulate r.toml j.fio --error -1", "-1 % is out of range"),
            ("observe a.txt --growth -x", "write a factor or percent"),
            ("observe a.txt --random 101", "101 % is out of range"),
        ];
        for (line, expected) in cases {
            let (_, by_parser) = refused(line);
            assert!(by_parser.contains(expected), "{line}: {by_parser}");
        }
    }

    /// Commands in the texts of all crates, between signs of code: what stands for something is one word.
    fn commands_told() -> Vec<(String, String)> {
        fn files(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
            for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                match path.extension() {
                    _ if path.is_dir() => files(&path, found),
                    Some(extension) if extension == "rs" => found.push(path),
                    _ => {}
                }
            }
        }
        let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let mut found = Vec::new();
        for entry in std::fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path().join("src")) {
            if entry.is_dir() {
                files(&entry, &mut found);
            }
        }
        let mut told = Vec::new();
        for path in found {
            let text = std::fs::read_to_string(&path).unwrap();
            // A text that goes on in the next line.
            let parts: Vec<&str> = text.split("\\\n").collect();
            let text = parts.iter().enumerate().map(|(n, part)| if n == 0 { part } else { part.trim_start() });
            let text = text.collect::<String>();
            for part in text.split("`diskwright ").skip(1) {
                let Some((line, _)) = part.split_once('`').filter(|(line, _)| !line.contains('\n')) else { continue };
                let mut words = String::new();
                let mut depth = 0;
                for c in line.chars() {
                    match c {
                        '{' => depth += 1,
                        '}' => {
                            depth -= 1;
                            words.push_str("x ");
                        }
                        c if depth == 0 => words.push(c),
                        _ => {}
                    }
                }
                told.push((path.display().to_string(), words));
            }
        }
        told
    }

    /// Who types what is told gets no further mistake.
    #[test]
    fn every_command_that_is_told_is_one() {
        let (mut checked, mut wrong) = (0, Vec::new());
        for (file, line) in commands_told() {
            let words: Vec<&str> =
                line.split_ascii_whitespace().take_while(|word| ![">", "|"].contains(word)).collect();
            // The command itself is only known when it is told.
            if words[0] == "x" || words[0].chars().all(|c| c.is_ascii_uppercase() || c == '.') {
                continue;
            }
            let is_part = words.contains(&"...") || words.last().is_some_and(|word| word.starts_with("--"));
            let words: Vec<String> = words.iter().filter(|word| **word != "...").map(ToString::to_string).collect();
            let args: Vec<String> = std::iter::once("diskwright".to_string()).chain(words.iter().cloned()).collect();
            let mut command = everywhere(Cli::command(), &args);
            command.build();
            let names = named(&command, &words).map_or(0, |(name, _)| name.split(' ').count());
            // A command that is only spoken of has no arguments.
            let mut before = std::iter::once("").chain(words[names..].iter().map(String::as_str));
            let is_value = || before.next().is_some_and(|before| before.starts_with("--"));
            let is_mention = is_part
                || words[names..]
                    .iter()
                    .zip(std::iter::repeat_with(is_value))
                    .all(|(word, is_value)| is_value || word.starts_with("--"));
            let parsed = command.try_get_matches_from_mut(&args);
            let is_so = match parsed.as_ref().map_err(clap::Error::kind) {
                Ok(_) | Err(ErrorKind::DisplayHelp) => true,
                Err(ErrorKind::MissingRequiredArgument | ErrorKind::MissingSubcommand) => is_mention,
                Err(ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand) => is_mention,
                // The value of the last option.
                Err(ErrorKind::InvalidValue) => words.last().is_some_and(|word| word.starts_with("--")),
                Err(_) => false,
            };
            if !is_so {
                wrong.push(format!("{file}: `diskwright {line}`: {}", parsed.unwrap_err()));
            }
            checked += 1;
        }
        assert!(wrong.is_empty() && checked > 80, "{checked}: {}", wrong.join("\n"));
    }

    #[test]
    fn a_dash_that_is_none_of_an_option_is_told() {
        let mut command = Cli::command();
        command.build();
        let cases = [
            ("plan r.toml \u{2013}format json", Some("write `--format`")),
            ("plan r.toml \u{2013}-format=json", Some("write `--format=json`")),
            ("plan r.toml \u{2212}o x", Some("write `-o`")),
            ("plan r.toml -format json", Some("write `--format`")),
            ("report a.json -output x.html", Some("write `--output`")),
            ("ctl -socket s status", Some("write `--socket`")),
            ("verify a.toml b.json -tolerance=5", Some("write `--tolerance=5`")),
            ("plan r.toml -o x -q", None),
            ("simulate r.toml j.fio -iodepth=4", None),
            ("emulate r.toml -- echo \u{2013}x -format", None),
        ];
        for (line, expected) in cases {
            let args: Vec<String> = ["diskwright"].into_iter().chain(line.split(' ')).map(str::to_string).collect();
            let said = dashes(&command, &args, 1).err().map(|error| error.to_string());
            match (&said, expected) {
                (None, None) => {}
                (Some(said), Some(expected)) => assert!(said.ends_with(expected), "{line}: {said}"),
                _ => panic!("{line}: {said:?}"),
            }
        }
    }

    /// No number is read by a parser whose words are not ours.
    #[test]
    fn every_number_is_refused_in_our_words() {
        fn walk(command: &Command, path: &[&str], checked: &mut usize) {
            macro_rules! ids {
                ($($number:ty),*) => { [$(clap::builder::ValueParser::from(clap::value_parser!($number)).type_id()),*] };
            }
            let numbers = ids![u8, u16, u32, u64, i8, i16, i32, i64];
            let is_number = |arg: &&Arg| numbers.contains(&arg.get_value_parser().type_id());
            for long in command.get_arguments().filter(is_number).filter_map(Arg::get_long) {
                let option = format!("--{long}");
                let line = ["diskwright"].iter().chain(path).copied().chain([option.as_str(), "x"]);
                let error = Cli::command().try_get_matches_from(line).expect_err(long).to_string();
                assert!(error.contains("write ") && !error.contains("invalid digit"), "{path:?} --{long}: {error}");
                *checked += 1;
            }
            for below in command.get_subcommands() {
                walk(below, &[path, &[below.get_name()]].concat(), checked);
            }
        }
        let mut checked = 0;
        walk(&Cli::command(), &[], &mut checked);
        assert!(checked >= 4, "{checked}");
    }
}
