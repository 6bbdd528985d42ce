//! Which arguments are ours and which are fio's: `simulate rig.toml job.fio --runtime 30 -bs=8k`.
//!
//! fio takes its options with one dash or two, and with the value after `=` or as the next argument; a switch takes its
//! value after `=` only. A beginning that only one option has stands for it (`--numjob`). An option that we have too (`--output`) is ours.

use clap::Command;
use dw_error::{Error, Result};
use dw_formats::fio;

/// Options for fio, in order.
pub type Overrides = Vec<(String, Option<String>)>;

/// Our arguments, and fio's options.
pub fn split(command: &Command, args: Vec<String>) -> Result<(Vec<String>, Overrides)> {
    let (mut ours, mut overrides) = (Vec::new(), Overrides::new());
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        if arg == "--" {
            ours.push(arg);
            ours.extend(args);
            break;
        }
        // The name of the program behind the rig, where a whole command line of fio was pasted; a file here of that name is a
        // job file.
        let is_first = ours.len() == 1 && overrides.is_empty();
        if is_first && is_fio(&arg) && (arg.starts_with('/') || !std::path::Path::new(&arg).is_file()) {
            continue;
        }
        let name = arg.trim_start_matches('-');
        if name.is_empty() || name.len() == arg.len() {
            ours.push(arg);
            continue;
        }
        let (name, value) = match name.split_once('=') {
            Some((name, value)) => (name.to_string(), Some(value.to_string())),
            None => (name.to_string(), None),
        };
        if let Some(takes_value) = our_option(command, &name, arg.starts_with("--")) {
            ours.push(arg);
            if takes_value && value.is_none() {
                ours.extend(args.next());
            }
        } else if let Some((name, option)) = fios_option(command, &name, &arg)? {
            let value = if option.takes_value && value.is_none() { args.next() } else { value };
            if option.takes_value && value.is_none() {
                return Err(Error::usage(format!("fio's option `--{name}` needs a value: write `--{name}=...`")));
            }
            overrides.push((name, value));
        } else {
            return Err(unknown(command, &arg, &name));
        }
    }
    Ok((ours, overrides))
}

/// The option of fio of that name, or of the only one that begins so.
fn fios_option(command: &Command, name: &str, arg: &str) -> Result<Option<(String, fio::CommandLineOption)>> {
    if let Some(option) = fio::command_line_option(name) {
        return Ok(Some((name.to_string(), option)));
    }
    // One of ours that is written short is not one of fio's.
    let is_ours = command.get_arguments().flat_map(longs).any(|long| long.starts_with(name));
    match fio::options_beginning(name).as_slice() {
        [] => Ok(None),
        _ if is_ours => Ok(None),
        [only] => Ok(fio::command_line_option(only).map(|option| (only.to_string(), option))),
        several => {
            let shown: Vec<String> = several.iter().take(4).map(|name| format!("`--{name}`")).collect();
            let more = if several.len() > shown.len() { ", ..." } else { "" };
            let what = format!("`{arg}` may be one of several options of fio: {}{more}", shown.join(", "));
            Err(Error::usage(what).hint("write the full name"))
        }
    }
}

fn is_fio(arg: &str) -> bool {
    arg == "fio" || arg.ends_with("/fio")
}

/// Whether fio's options describe jobs of their own, so that no job file is needed.
pub fn name_jobs(overrides: &Overrides) -> bool {
    overrides.iter().any(|(name, value)| name == "name" && value.as_ref().is_some_and(|job| !job.starts_with("global")))
}

/// Whether an option is ours, and whether it takes a value.
fn our_option(command: &Command, name: &str, two_dashes: bool) -> Option<bool> {
    if name == "help" || name == "version" {
        return Some(false);
    }
    if !two_dashes {
        if name == "h" || name == "V" {
            return Some(false);
        }
        let mut letters = name.chars();
        let (letter, rest) = (letters.next(), letters.next());
        if let (Some(letter), None) = (letter, rest) {
            let found = command.get_arguments().find(|a| a.get_short() == Some(letter))?;
            return Some(found.get_action().takes_values());
        }
        return None;
    }
    let found = command.get_arguments().find(|a| longs(a).any(|long| long == name))?;
    Some(found.get_action().takes_values())
}

/// All long names of an argument.
fn longs(arg: &clap::Arg) -> impl Iterator<Item = &str> {
    arg.get_long().into_iter().chain(arg.get_all_aliases().into_iter().flatten())
}

fn unknown(command: &Command, arg: &str, name: &str) -> Error {
    let ours = command.get_arguments().flat_map(longs);
    let hint = match dw_error::nearest(name, ours.chain(fio::nearest_option(name))) {
        Some(best) => format!("did you mean `--{best}`?"),
        None => "`diskwright simulate --help` lists our options; all others must be fio options".to_string(),
    };
    Error::usage(format!("unknown option `{arg}`: neither diskwright nor fio has it")).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    fn check(args: &str, ours: &str, fios: &[(&str, Option<&str>)]) {
        let command = crate::cli::Cli::command();
        let simulate = command.find_subcommand("simulate").unwrap();
        let split = split(simulate, args.split(' ').map(str::to_string).collect()).unwrap();
        assert_eq!(split.0.join(" "), ours, "{args}");
        let expected: Overrides = fios.iter().map(|(n, v)| (n.to_string(), v.map(str::to_string))).collect();
        assert_eq!(split.1, expected, "{args}");
    }

    #[test]
    fn fios_options_are_fios_in_all_their_forms() {
        check("rig.toml a.fio --runtime 30", "rig.toml a.fio", &[("runtime", Some("30"))]);
        check("rig.toml a.fio --runtime=30 -bs=8k", "rig.toml a.fio", &[("runtime", Some("30")), ("bs", Some("8k"))]);
        check("--time_based rig.toml a.fio", "rig.toml a.fio", &[("time_based", None)]);
        check("--group_reporting=0 rig.toml a.fio", "rig.toml a.fio", &[("group_reporting", Some("0"))]);
    }

    #[test]
    fn ours_are_ours_wherever_they_stand() {
        check("rig.toml --seed 3 a.fio --iodepth 4", "rig.toml --seed 3 a.fio", &[("iodepth", Some("4"))]);
        check("rig.toml a.fio --output-format=json -q", "rig.toml a.fio --output-format=json -q", &[]);
        check("rig.toml a.fio --format json -o x", "rig.toml a.fio --format json -o x", &[]);
        check("rig.toml fio --name=x --rw=read", "rig.toml", &[("name", Some("x")), ("rw", Some("read"))]);
        check("rig.toml /usr/bin/fio --eta=never a.fio", "rig.toml a.fio", &[("eta", Some("never"))]);
        check("rig.toml -- --runtime", "rig.toml -- --runtime", &[]);
        check("rig.toml -", "rig.toml -", &[]);
    }

    #[test]
    fn a_beginning_that_only_one_option_has_stands_for_it() {
        check("rig.toml --numjob=4 --runt 30", "rig.toml", &[("numjobs", Some("4")), ("runtime", Some("30"))]);
        check("rig.toml --group_rep --eta-new=1", "rig.toml", &[("group_reporting", None), ("eta-newline", Some("1"))]);
        check("rig.toml --readw=read", "rig.toml", &[("readwrite", Some("read"))]);
        let command = crate::cli::Cli::command();
        let simulate = command.find_subcommand("simulate").unwrap();
        let message = |arg: &str| split(simulate, vec![arg.to_string()]).unwrap_err().to_string();
        assert!(message("--iode=4").contains("`--iodepth`, `--iodepth_batch`"), "{}", message("--iode=4"));
    }

    #[test]
    fn what_is_neither_is_named() {
        let command = crate::cli::Cli::command();
        let simulate = command.find_subcommand("simulate").unwrap();
        let message = |arg: &str| split(simulate, vec![arg.to_string()]).unwrap_err().to_string();
        assert!(message("--ouput-format=json").contains("did you mean `--output-format`?"));
        assert!(message("--iodpeth=4").contains("did you mean `--iodepth`?"), "{}", message("--iodpeth=4"));
        assert!(message("--zzzzzzzzzzz").contains("neither diskwright nor fio has it"));
        assert!(message("--runtime").contains("needs a value"));
    }
}
