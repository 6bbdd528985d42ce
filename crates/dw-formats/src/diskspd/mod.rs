//! DiskSpd's command lines and XML profiles: text in, [`Workload`](dw_workload::Workload) out, with DiskSpd 2.2's semantics.
//!
//! Read next: `words.rs` (a line to words), `command_line.rs` (switches), `profile.rs` (XML), `spec.rs` (what both say, and
//! what contradicts), `build.rs` (jobs).
//!
//! A stream is a thread on a target: a closed loop with a sequential position of its own. Random offsets are independent
//! draws, `-g` is a credit that drains nothing, `-i` and `-j` hold back the next burst while the last is under way. What would
//! change the result and is not modelled is an error that names the switch; what changes nothing is ignored and listed; what
//! people commonly mean otherwise is a warning.
//!
//! Source: DiskSpd 2.2 (2024-06-14), its help, schema and source; nothing was run on Windows.
//!
//! Ignores: affinity, priorities, write buffers, tracing; the resolution of Windows' clock.
//!
//! Invariant: every fault names a word of the line or a line of the file.

mod build;
mod command_line;
mod distribution;
mod number;
mod profile;
mod spec;
mod words;

use std::io;
use std::sync::Arc;

use crate::assembly::{Assembly, Origin};
use crate::fio::report::Place;
use crate::fio::{FioErrors, FioJobs, VolumeMap};

pub(crate) use build::spelled;
pub use profile::is_profile;

/// How places of a command line are named; their line is the number of the word, from 1.
const COMMAND_LINE: &str = "--diskspd";

/// What is to be read.
pub struct DiskSpdInput<'a> {
    /// The text.
    pub source: Source<'a>,
    /// The volumes that targets can be on.
    pub volumes: &'a [VolumeMap],
    /// Seed of the jobs' draws; joined with `-z`.
    pub seed: u64,
    /// Reads the profile that `-X` names.
    pub read_profile: &'a dyn Fn(&str) -> io::Result<String>,
}

/// Where the text is from.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// A command line, with or without the program's name.
    CommandLine(&'a str),
    /// A file of command lines, each a time span after the one before.
    Script {
        /// Its name, for messages.
        name: &'a str,
        /// One command line a line; empty ones and remarks (`#`, `REM`, `::`) are passed over, and so is what a script does besides
        /// (`timeout`, `cd`, `echo`).
        text: &'a str,
    },
    Profile {
        /// Its name, for messages.
        name: &'a str,
        /// The XML.
        text: &'a str,
    },
}

/// Reads a command line or a profile. The jobs, warnings and errors have the shapes of fio's reader; all errors come back, not
/// only the first.
pub fn read(input: &DiskSpdInput) -> Result<FioJobs, FioErrors> {
    let mut out = Assembly::new(input.volumes);
    let profile = match input.source {
        Source::CommandLine(text) => command_line::read(text, input.read_profile, &mut out),
        Source::Script { name, text } => Some(script(name, text, input.read_profile, &mut out)),
        Source::Profile { name, text } => profile::read(name, text, &[], &mut out),
    };
    if let Some(profile) = profile.filter(|_| !out.failed()) {
        spec::check(&profile, &mut out);
        if !out.failed() {
            build::jobs(&profile, input.seed, &mut out);
        }
    }
    out.finish(input.volumes)
}

/// Whether a text is a script that runs DiskSpd: a line of it does, and none is a section of a job file.
pub fn is_script(text: &str) -> bool {
    let lines = || text.trim_start_matches('\u{feff}').lines().map(str::trim).filter(|line| !is_remark(line));
    // `[CmdletBinding()]` is an attribute of PowerShell.
    let is_section = |line: &str| line.starts_with('[') && line.ends_with(']') && !line.contains('(');
    !lines().any(is_section) && lines().flat_map(words::commands).any(|command| words::of_program(command).is_some())
}

fn is_remark(line: &str) -> bool {
    let remark = |start: &str| line.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start));
    line.is_empty() || line.starts_with('#') || ["::", "rem ", "@echo"].into_iter().any(remark)
}

/// Every line's time spans, one after the other; places name the line.
fn script(
    name: &str,
    text: &str,
    read_profile: &dyn Fn(&str) -> io::Result<String>,
    out: &mut Assembly,
) -> spec::Profile {
    let mut profile = spec::Profile::default();
    let file: Arc<str> = Arc::from(name);
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines().map(str::trim)) {
        if is_remark(line) {
            continue;
        }
        let place = Place { file: file.clone(), line: number };
        let commands = words::commands(line);
        let opens = line.ends_with(['(', '{']);
        if commands.iter().any(|c| words::repeats(c))
            && (opens || commands.iter().any(|c| words::of_program(c).is_some()))
        {
            let origin = Origin { place: place.clone(), text: line.into() };
            out.ignore("for", "each loop counts as one run: repeat the line for further runs", &origin);
        }
        for command in commands {
            let own = words::of_program(command).or_else(|| command.starts_with(['-', '/']).then_some(command));
            let Some(own) = own else {
                let origin = Origin { place: place.clone(), text: command.into() };
                out.ignore("other programs", "other commands of the script, including pauses, are not run", &origin);
                continue;
            };
            let before = out.mark();
            let read = command_line::read(own, read_profile, out);
            out.relocate(before, &place);
            for mut span in read.into_iter().flat_map(|profile| profile.spans) {
                for origins in std::iter::once(&mut span.origins).chain(span.targets.iter_mut().map(|t| &mut t.origins))
                {
                    origins.0.values_mut().for_each(|origin| origin.place = place.clone());
                }
                profile.spans.push(span);
            }
        }
    }
    profile
}

/// A place on the command line.
fn word_origin(number: usize, text: &str) -> Origin {
    Origin { place: Place { file: Arc::from(COMMAND_LINE), line: number }, text: text.into() }
}

#[cfg(test)]
mod tests;
