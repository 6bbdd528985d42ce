//! The `diskwright` program: arguments into calls, results into reports, errors into hints.
//!
//! Lives here: the command line, reports, exit codes, progress, what the user's files are called.
//! Never here: how disks behave, what a file's text means.
//! Read next: `cli.rs` (what can be typed), `simulate.rs`, then `report/mod.rs`.

#![forbid(unsafe_code)]

pub mod absent;
mod audit;
// Some options are those of commands that a build may be without.
#[cfg_attr(not(all(feature = "linux", feature = "studio", target_os = "linux")), allow(dead_code))]
mod amounts;
pub mod bench;
pub mod calibrate;
pub mod catalogue;
mod choice;
pub mod cli;
mod colour;
pub mod convert;
pub mod examples;
pub mod exit;
pub mod explain;
pub mod files;
mod fio_arguments;
pub mod in_use;
pub mod init;
mod input;
pub mod kind;
pub mod language;
pub mod latency;
// What needs Linux is asked for in this place alone, so that no command has a condition of its own.
#[cfg(all(feature = "linux", target_os = "linux"))]
pub mod linux;
#[cfg(not(all(feature = "linux", target_os = "linux")))]
use absent as linux;
pub mod man;
mod memory;
pub mod observe;
mod output;
pub mod plan;
mod progress;
pub mod provision;
pub mod recording;
pub mod report;
pub mod reporting;
mod rig;
mod simulate;
mod slow;
#[cfg(feature = "studio")]
pub mod studio;
#[cfg(not(feature = "studio"))]
use absent::studio;
pub mod system;
pub mod terminal;
mod usage;
mod variants;
pub mod verify;
mod without_effect;

use diskwright::document;
use dw_error::{Named, Result, obeyed};

use std::borrow::Cow;
use std::io::Write;

use clap::parser::ValueSource;
use clap::{CommandFactory as _, FromArgMatches as _};

use cli::{Cli, ColorWhen, Command, SchemaName};
use exit::Exit;

/// Does what the arguments say; messages go to standard error, results to `out`.
pub fn run(args: Vec<String>, out: &mut dyn Write) -> Exit {
    match try_run(args, out) {
        Ok(exit) => exit,
        Err(error) => {
            let kind = error.kind;
            to_stderr(&format!("{}\n", error.told(&option)));
            kind.into()
        }
    }
}

/// An option of the library as this program has it.
fn option(named: Named) -> String {
    let name = named.name.replace('_', "-");
    if named.value.is_empty() { format!("--{name}") } else { format!("--{name} {}", named.value) }
}

fn try_run(mut args: Vec<String>, out: &mut dyn Write) -> Result<Exit> {
    let color = color_asked(&args);
    colour::set_color(color);
    let command = Cli::command().color(match color {
        ColorWhen::Auto => clap::ColorChoice::Auto,
        ColorWhen::Always => clap::ColorChoice::Always,
        ColorWhen::Never => clap::ColorChoice::Never,
    });
    let mut overrides = Vec::new();
    let verb = verb_at(&args);
    // Options of every command are there once it is built.
    let mut built = command.clone();
    built.build();
    if args.get(verb).is_some_and(|verb| verb == "simulate")
        && let Some(simulate) = built.find_subcommand("simulate")
    {
        let rest = args.split_off(verb + 1);
        let (ours, fios) = fio_arguments::split(simulate, rest)?;
        args.extend(ours);
        if fio_arguments::name_jobs(&fios) {
            args.insert(verb + 1, "--jobs-of-the-command-line".into());
        }
        overrides = fios;
    }
    usage::dashes(&built, &args, verb)?;
    usage::parts(&built, &args, verb)?;
    let mut command = usage::everywhere(command, &args);
    let parsed = command.try_get_matches_from_mut(&args).and_then(|matches| {
        seeds_are_said_once(&mut command, &matches)?;
        Ok((Cli::from_arg_matches(&matches)?, matches))
    });
    let (cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(e) => {
            if let Some(error) = usage::meant(&command, &e, &args, verb) {
                return Err(error);
            }
            let e = usage::without_tip(e);
            told_by_clap(&e);
            return Ok(if e.use_stderr() { Exit::Usage } else { Exit::Ok });
        }
    };
    let quiet = |(_, of_it): (&str, &clap::ArgMatches)| of_it.try_get_one::<bool>("quiet").ok().flatten().copied();
    progress::set_quiet(matches.subcommand().and_then(quiet).unwrap_or(false));
    language::set(cli.lang);
    usage::command_is_there(&matches, &args)?;
    without_effect::check(&command, &matches)?;
    files::check(&command, &matches)?;
    if uses_catalogue(&cli.command) {
        in_use::read_layer()?;
    }
    do_it(cli.command, &overrides, out).map_err(|error| kind::explained(error, &command, &matches))
}

fn do_it(command: Command, overrides: &fio_arguments::Overrides, out: &mut dyn Write) -> Result<Exit> {
    match command {
        Command::Simulate(args) => simulate::run(&args, overrides, out),
        Command::Emulate(args) => linux::emulate::run(&args),
        Command::Ctl(args) => linux::ctl::run(&args, out),
        Command::Top(args) => linux::top::run(&args, out),
        Command::Observe(args) => observe::run(&args, out),
        Command::Plan(args) => plan::run(&args, out),
        Command::Bench(args) => bench::run(&args, out),
        Command::Verify(args) => verify::run(&args, out),
        Command::Calibrate(args) => calibrate::run(&args, out),
        Command::Provision(args) => provision::run(&args, out),
        Command::Convert(args) => convert::run(&args, out),
        Command::Report(args) => reporting::run(&args, out),
        Command::Studio(args) => studio::run(&args, out),
        Command::Explain(args) => explain::run(&args, out),
        Command::Audit(args) => audit::run(&args, out),
        Command::Rig(args) => rig::run(&args, out),
        Command::Catalogue(command) => catalogue::run(&command, out).map(|()| Exit::Ok),
        Command::Init(args) => init::run(&args, out),
        Command::Man(args) => man::run(&args, out),
        Command::Schema { which, output } => output::write(&schema(which), output.as_deref(), out).map(|()| Exit::Ok),
        Command::Completions { shell, output } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "diskwright", &mut script);
            output::write(&String::from_utf8_lossy(&script), output.as_deref(), out).map(|()| Exit::Ok)
        }
    }
}

/// The place of the command among the arguments: options of every command may stand before it.
fn verb_at(args: &[String]) -> usize {
    let of_all = |arg: &&String| ["--color", "--lang"].iter().any(|option| arg.starts_with(option));
    let mut at = 1;
    while let Some(arg) = args.get(at).filter(of_all) {
        at += if arg.contains('=') { 1 } else { 2 };
    }
    at
}

/// What `--color` says, before anything is parsed: how that went is said in colour, too. A wrong word is told later.
fn color_asked(args: &[String]) -> ColorWhen {
    let words = args.iter().take_while(|arg| *arg != "--").zip(args.iter().skip(1).map(Some).chain([None]));
    let asked = words.filter_map(|(arg, next)| match arg.strip_prefix("--color")? {
        "" => next.map(String::as_str),
        rest => rest.strip_prefix('='),
    });
    asked.last().and_then(|word| <ColorWhen as clap::ValueEnum>::from_str(word, false).ok()).unwrap_or_default()
}

/// Whether a command looks anything up: the others do their work with a layer that is broken, too.
fn uses_catalogue(command: &Command) -> bool {
    use catalogue::CatalogueCommand;
    match command {
        Command::Ctl(_) | Command::Top(_) | Command::Observe(_) | Command::Convert(_) => false,
        Command::Init(_) | Command::Schema { .. } | Command::Completions { .. } | Command::Man(_) => false,
        // It replaces the layer, and reads it by itself.
        Command::Catalogue(command) => !matches!(command, CatalogueCommand::Import(_)),
        _ => true,
    }
}

/// `--seed` and `--seeds` contradict each other; a default from the environment does not.
fn seeds_are_said_once(command: &mut clap::Command, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
    let Some(simulate) = matches.subcommand_matches("simulate") else { return Ok(()) };
    let said = |id| simulate.value_source(id) == Some(ValueSource::CommandLine);
    if !said("seed") || !said("seeds") {
        return Ok(());
    }
    let what = "`--seed` and `--seeds` cannot be used together";
    Err(command.error(clap::error::ErrorKind::ArgumentConflict, what))
}

/// The JSON Schema of a file, as it is committed under `schemas/`.
pub fn schema(which: SchemaName) -> String {
    let schema = match which {
        SchemaName::Scenario => dw_formats::scenario::schema().to_value(),
        SchemaName::Result => report::summary::schema(),
        SchemaName::Sweep => dw_documents::sweep::schema(),
        SchemaName::Control => linux::ctl::schema(),
        SchemaName::Checklist => dw_documents::checklist::schema(),
        SchemaName::Requirements => dw_demand::schema(dw_catalogue::all_keys()).to_value(),
        SchemaName::Plan => dw_documents::plan::schema(),
        SchemaName::Bench => dw_documents::bench::schema(),
        SchemaName::Verify => dw_documents::verify::schema(),
        SchemaName::Calibration => dw_documents::calibrate::schema(),
        SchemaName::Measured => dw_formats::results::schema().to_value(),
        SchemaName::PlanDiff => plan::diff::schema(),
        SchemaName::PlanComparison => plan::compare::schema(),
        SchemaName::Explain => dw_documents::explain::schema(),
        SchemaName::Audit => dw_documents::audit::schema(),
    };
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}

/// Writes a remark; a closed or full stderr is no reason to stop. What the system calls a refusal by number is left out, and what a
/// terminal would obey is shown.
pub(crate) fn to_stderr(text: &str) {
    let text = colour::painted(&obeyed::lines(&system::without_numbers(text)), colour::wanted());
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// What clap says of a command line, in its colours where nothing in it is obeyed by a terminal. Help and version go to standard output.
fn told_by_clap(error: &clap::Error) {
    match obeyed::lines(&error.render().to_string()) {
        Cow::Owned(shown) if error.use_stderr() => to_stderr(&shown),
        _ => {
            let _ = error.print();
        }
    }
}
