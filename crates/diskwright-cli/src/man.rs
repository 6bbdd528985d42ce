//! `diskwright man`: the help as man pages, one a command.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, CommandFactory as _};

use dw_error::{Error, Result};

use crate::cli::Cli;
use crate::exit::Exit;
use crate::output::{self, Staged};

const EXAMPLES: &str = "Examples:
  diskwright man | man -l -
  diskwright man plan diff | man -l -
  diskwright man -o ~/.local/share/man/man1            # every page; then `man diskwright-plan`";

/// Options of `man`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ManArgs {
    /// Command whose page to print; default: diskwright itself
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    pub command: Vec<String>,
    /// Write every page to this directory instead
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

/// Prints a page, or writes all.
pub fn run(args: &ManArgs, out: &mut dyn Write) -> Result<Exit> {
    let mut program = Cli::command();
    program.build();
    let Some(folder) = &args.output else {
        let mut command = &program;
        for word in &args.command {
            command = command.find_subcommand(word).ok_or_else(|| {
                let known: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
                let known = if known.is_empty() { "none".into() } else { known.join(", ") };
                Error::usage(format!("unknown command `{word}`")).hint(format!("commands there: {known}"))
            })?;
        }
        output::write(&page(command)?, None, out)?;
        return Ok(Exit::Ok);
    };
    std::fs::create_dir_all(folder).map_err(|e| crate::system::cannot_make(folder, &e))?;
    let mut staged = Vec::new();
    all(&program, &mut |command| {
        let file = folder.join(format!("{}.1", name(command)));
        staged.push(Staged::new(&file, &page(command)?)?);
        Ok(())
    })?;
    let count = staged.len();
    staged.into_iter().try_for_each(Staged::commit)?;
    output::show(&format!("wrote {count} pages to {}\n", folder.display()).into(), None, out)?;
    Ok(Exit::Ok)
}

/// `diskwright-plan-diff`.
fn name(command: &clap::Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

/// Every command but `help`, which has nothing to say by itself.
fn all(command: &clap::Command, visit: &mut dyn FnMut(&clap::Command) -> Result<()>) -> Result<()> {
    visit(command)?;
    let commands = command.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help");
    commands.into_iter().try_for_each(|command| all(command, visit))
}

fn page(command: &clap::Command) -> Result<String> {
    let mut page = Vec::new();
    let version = concat!("diskwright ", env!("DISKWRIGHT_VERSION"));
    let man = clap_mangen::Man::new(command.clone()).title(name(command)).source(version).manual("diskwright");
    man.render(&mut page).map_err(|e| Error::unexpected(format!("the page cannot be generated: {e}")))?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}
