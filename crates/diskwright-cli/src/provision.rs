//! `diskwright provision`: a plan in, the scripts that build it and the jobs that verify it out.

use std::io::Write;
use std::path::PathBuf;

use clap::{ArgGroup, Args};
use diskwright::provision::{ProvisionOptions, Target, setup};
use dw_error::{Error, Result};
use dw_provision::database::Database;
use dw_provision::linux::{self, FileSystem};

use crate::exit::Exit;
use crate::in_use::session;
use crate::{choice, input, output};

mod folder;

const EXAMPLES: &str = "Examples:
  diskwright plan requirements.toml --format json > plan.json
  diskwright provision plan.json --target linux > linux.sh
  diskwright provision plan.json --target linux --filesystem ext4 --lvm
  diskwright provision plan.json --target database --database postgresql
  diskwright provision plan.json -o build --database sqlserver       # every file, with a README of the order

Exit codes: 0 done, 1 unexpected, 2 usage, 3 wrong input, 4 the file contains no plan (docs/guide/exit-codes.md).";

/// Options of `provision`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("place").args(["target", "output"]).multiple(true).required(true))]
pub struct ProvisionArgs {
    /// A plan from `diskwright plan --format json`
    #[arg(value_name = "PLAN.json")]
    pub plan: PathBuf,
    /// Script or file to write
    #[arg(long, value_parser = choice::parser(Target::all(), Target::word, Target::about), value_name = "TARGET")]
    pub target: Option<Target>,
    /// With --target: write to this file instead of standard output. Without: write all targets to this directory, with a README
    /// that gives the order
    #[arg(short, long, alias = "out", value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Overwrite existing files in the directory
    #[arg(long)]
    pub force: bool,
    /// File system for `linux`
    #[arg(long, value_parser = choice::parser(FileSystem::ALL, FileSystem::word, FileSystem::about), value_name = "KIND")]
    #[arg(default_value = FileSystem::Xfs.word())]
    pub filesystem: FileSystem,
    /// Stripe with LVM instead of mdadm, for `linux`
    #[arg(long)]
    pub lvm: bool,
    /// Database to configure
    #[arg(long, value_parser = choice::parser(Database::ALL, Database::word, Database::about), value_name = "DATABASE")]
    #[arg(required_if_eq("target", "database"))]
    pub database: Option<Database>,
}

impl ProvisionArgs {
    fn options(&self) -> ProvisionOptions {
        ProvisionOptions {
            linux: linux::Options { file_system: self.filesystem, lvm: self.lvm },
            database: self.database,
        }
    }
}

/// Writes what was asked for.
pub fn run(args: &ProvisionArgs, out: &mut dyn Write) -> Result<Exit> {
    if args.force && args.target.is_some() {
        return Err(Error::usage("`--force` has no effect with `--target`, which always overwrites its one file")
            .hint("remove one of the two"));
    }
    let text = input::read_file(&args.plan)?;
    let setup = setup::read(&input::name(&args.plan), &text, session().catalogue())?;
    match (args.target, &args.output) {
        (Some(target), _) => {
            output::write(&target.text(&setup, &args.options(), session().catalogue())?, args.output.as_deref(), out)?
        }
        (None, Some(folder)) => folder::write(folder, &setup, args, out)?,
        (None, None) => {}
    }
    Ok(Exit::Ok)
}
