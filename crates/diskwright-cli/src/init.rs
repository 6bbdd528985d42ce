//! `diskwright init`: a commented file to begin with, which the program itself reads.

use std::borrow::Cow;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use dw_error::{Error, Result};

use crate::exit::Exit;
use crate::output;
use crate::reporting::example;

const EXAMPLES: &str = "Examples:
  diskwright init -o rig.toml
  diskwright init requirements -o requirements.toml
  diskwright init requirements | diskwright plan -
  diskwright init job -o reads.fio && diskwright simulate rig.toml reads.fio
  diskwright init recording -o iostat.txt

Exit codes: 0 done, 1 unexpected, 2 usage or the file already exists.";

/// Options of `init`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct InitArgs {
    /// File to write
    #[arg(value_enum, default_value_t, value_name = "FILE")]
    pub which: InitName,
    /// Write to a file instead of standard output; an existing file is not overwritten
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, requires = "output")]
    pub force: bool,
}

/// Files to begin with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum InitName {
    /// Scenario: a VM and its disks
    #[default]
    #[value(alias = "scenario")]
    Rig,
    /// Requirements that a plan must meet
    Requirements,
    /// A fio job for the disks of `init rig`
    Job,
    /// Made-up hour of a database's iostat (as in `report --example`)
    Recording,
}

impl InitName {
    fn text(self) -> Cow<'static, str> {
        match self {
            InitName::Rig => include_str!("init/rig.toml").into(),
            InitName::Requirements => requirements().into(),
            InitName::Job => include_str!("init/reads.fio").into(),
            InitName::Recording => example::RECORDING.into(),
        }
    }
}

/// The commented file with the example of each key of `[plan]` in its place; one that has none stands below the others, a choice under
/// what it says.
fn requirements() -> String {
    let (mut text, mut others) = (include_str!("init/requirements.toml").to_string(), String::new());
    for key in dw_catalogue::PLAN_KEYS.all() {
        let place = format!("{{{}}}\n", key.name);
        if text.contains(&place) {
            text = text.replace(&place, &format!("{}\n", key.example()));
        } else {
            others += &format!("# {}\n#{}\n", key.doc().replace('\n', "\n# "), key.example());
        }
    }
    text.replace("{others}\n", &others)
}

/// Prints or writes the file.
pub fn run(args: &InitArgs, out: &mut dyn Write) -> Result<Exit> {
    if let Some(path) = args.output.as_deref().filter(|path| !args.force && is_in_the_way(path)) {
        return Err(Error::usage(format!("{} already exists; nothing was written", path.display()))
            .hint("name another file, or add --force to overwrite it"));
    }
    output::write(&args.which.text(), args.output.as_deref(), out)?;
    Ok(Exit::Ok)
}

/// A file, or a link, be it to nothing; what is written to and not replaced, such as a pipe, is not.
fn is_in_the_way(path: &Path) -> bool {
    if output::is_standard_output(path) {
        return false;
    }
    match std::fs::metadata(path) {
        Ok(is) => is.is_file() || is.is_dir(),
        Err(_) => path.symlink_metadata().is_ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dw_formats::scenario;

    /// The error of the reader, if there is one.
    fn refused(which: InitName, text: &str) -> Option<String> {
        let catalogue = crate::in_use::catalogue();
        let error = match which {
            InitName::Rig => scenario::read("init", text, catalogue).err().map(|errors| errors.within(text)),
            InitName::Requirements => dw_demand::read_for_plan("init", text, catalogue).err(),
            InitName::Job | InitName::Recording => unreachable!("they have no choices"),
        };
        error.map(|error| error.to_string())
    }

    /// Lines that are a key with a `#` before it.
    fn choices(text: &str) -> Vec<usize> {
        let is_choice =
            |line: &str| line.strip_prefix('#').is_some_and(|rest| rest.starts_with(|c: char| c.is_lowercase()));
        text.lines().enumerate().filter(|(_, line)| is_choice(line)).map(|(at, _)| at).collect()
    }

    #[test]
    fn every_choice_is_accepted_by_itself() {
        for which in [InitName::Rig, InitName::Requirements] {
            let text = &which.text();
            assert_eq!(refused(which, text), None);
            let choices = choices(text);
            assert!(choices.len() > 12, "{which:?}: {}", choices.len());
            for chosen in choices {
                let is = |key: &str| text.lines().nth(chosen).is_some_and(|line| line.starts_with(key));
                // The sum of reads and writes stands in place of both.
                let gives_way = |line: &str| {
                    is("#iops = ") && ["read_iops = ", "write_iops = "].iter().any(|key| line.starts_with(key))
                };
                // One node shares its disks with nobody.
                let goes_along = |line: &str| is("#shared = ") && line.starts_with("#nodes = ");
                let line = |(at, line): (usize, &str)| match line {
                    line if goes_along(line) => "nodes = 2\n".into(),
                    line if at == chosen => format!("{}\n", &line[1..]),
                    line if gives_way(line) => String::new(),
                    line => format!("{line}\n"),
                };
                let changed: String = text.lines().enumerate().map(line).collect();
                assert_eq!(refused(which, &changed), None, "{}", text.lines().nth(chosen).unwrap());
            }
        }
    }

    /// A key that somebody could wish for stands in the file; `unknown` and `series` are what recordings write.
    #[test]
    fn every_key_of_a_plan_and_of_a_volume_is_in_the_requirements() {
        let schema = dw_demand::schema(&dw_catalogue::PLAN_KEYS).to_value();
        let text = InitName::Requirements.text();
        let stands =
            |key: &str| text.lines().any(|line| line.trim_start_matches('#').starts_with(&format!("{key} = ")));
        for table in ["PlanFile", "VolumeFile"] {
            let keys = schema["$defs"][table]["properties"].as_object().unwrap().keys();
            let missing: Vec<&String> = keys.filter(|key| !stands(key)).collect();
            assert!(missing.iter().all(|key| ["unknown", "series"].contains(&key.as_str())), "{table}: {missing:?}");
        }
    }

    /// A wrong key is seen, so that the test above can fail.
    #[test]
    fn a_key_that_does_not_exist_is_refused() {
        for which in [InitName::Rig, InitName::Requirements] {
            assert!(refused(which, &format!("nonsense = 1\n{}", which.text())).is_some());
        }
    }
}
