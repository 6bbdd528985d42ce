//! `diskwright rig`: the scenario of one machine of an inventory.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use dw_error::Result;

use crate::exit::Exit;
use crate::in_use::session;
use crate::{audit, output};

const EXAMPLES: &str = "Examples:
  diskwright rig vms.json disks.json --machine sql-1 -o rig.toml; diskwright explain rig.toml --demand requirements.toml

Exit codes: 0 done, 1 unexpected, 2 usage, 3 wrong input (docs/guide/exit-codes.md).";

/// Options of `rig`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct RigArgs {
    /// Inventories, as for `audit`
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The machine, by its name or its id
    #[arg(long, value_name = "NAME")]
    pub machine: String,
    /// A TOML file that says which disks are one volume; without it disks that look like a stripe are taken for one
    #[arg(long, value_name = "STRIPES.toml")]
    pub stripes: Option<PathBuf>,
    /// Write the scenario to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Writes it.
pub fn run(args: &RigArgs, out: &mut dyn Write) -> Result<Exit> {
    let estate = audit::read(&args.files)?;
    let stripes = audit::stripes(args.stripes.as_deref())?;
    let rig = session().rig_of_machine(&estate, &args.machine, &stripes)?;
    output::write(&rig, args.output.as_deref(), out)?;
    Ok(Exit::Ok)
}
