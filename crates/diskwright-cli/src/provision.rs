//! `diskwright provision`: a plan in, the scripts that build it and the jobs that verify it out.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use diskwright::provision::{self, ProvisionOptions, setup};
use dw_error::{Error, Result};
use dw_provision::{Setup, database, linux};

use crate::exit::Exit;
use crate::in_use::session;
use crate::{input, output};

mod folder;

const EXAMPLES: &str = "Examples:
  diskwright plan requirements.toml --format json > plan.json
  diskwright provision plan.json --target linux > linux.sh
  diskwright provision plan.json --target linux --filesystem ext4 --lvm
  diskwright provision plan.json --target database --database postgresql
  diskwright provision plan.json -o build --database sqlserver       # every file, with a README of the order

Exit codes: 0 done, 1 unexpected, 2 usage, 3 wrong input, 4 the plan file has no plan (docs/guide/exit-codes.md).";

/// Options of `provision`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ProvisionArgs {
    /// What `diskwright plan --format json` printed
    #[arg(value_name = "PLAN.json")]
    pub plan: PathBuf,
    /// What to write
    #[arg(long, value_enum, value_name = "TARGET", required_unless_present = "output")]
    pub target: Option<Target>,
    /// With --target: write to this file instead of standard output. Without: write every target to files in this folder, with a
    /// README of the order
    #[arg(short, long, alias = "out", value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Replace files that are in the folder already
    #[arg(long)]
    pub force: bool,
    /// The file system of `linux`
    #[arg(long, value_enum, default_value_t, value_name = "KIND")]
    pub filesystem: FileSystemName,
    /// Stripes of `linux` by LVM instead of mdadm
    #[arg(long)]
    pub lvm: bool,
    /// Settings of this database
    #[arg(long, value_enum, value_name = "DATABASE", required_if_eq("target", "database"))]
    pub database: Option<DatabaseName>,
}

/// What can be written from a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// Azure CLI commands that make the VM and its disks
    Az,
    /// The same as a Bicep file
    Bicep,
    /// The same as a Terraform configuration
    Terraform,
    /// Stripes, file systems and mounts on Linux
    Linux,
    /// Storage Spaces and volumes on Windows
    Windows,
    /// Settings of a database: needs --database
    Database,
    /// A fio job file that verifies the plan
    Fio,
    /// A DiskSpd profile that verifies the plan
    Diskspd,
    /// The scenario of the plan, for `simulate` and `emulate`, with Linux paths
    Rig,
    /// The same with drive letters
    RigWindows,
}

/// File systems of Linux.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FileSystemName {
    /// XFS
    #[default]
    Xfs,
    /// ext4
    Ext4,
}

/// Databases whose settings are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DatabaseName {
    /// SQL Server
    Sqlserver,
    /// Oracle Database
    Oracle,
    /// PostgreSQL
    Postgresql,
    /// MySQL with InnoDB
    Mysql,
}

impl DatabaseName {
    fn database(self) -> database::Database {
        match self {
            DatabaseName::Sqlserver => database::Database::SqlServer,
            DatabaseName::Oracle => database::Database::Oracle,
            DatabaseName::Postgresql => database::Database::PostgreSql,
            DatabaseName::Mysql => database::Database::MySql,
        }
    }
}

impl Target {
    fn target(self) -> provision::Target {
        match self {
            Target::Az => provision::Target::Az,
            Target::Bicep => provision::Target::Bicep,
            Target::Terraform => provision::Target::Terraform,
            Target::Linux => provision::Target::Linux,
            Target::Windows => provision::Target::Windows,
            Target::Database => provision::Target::Database,
            Target::Fio => provision::Target::Fio,
            Target::Diskspd => provision::Target::Diskspd,
            Target::Rig => provision::Target::Rig,
            Target::RigWindows => provision::Target::RigWindows,
        }
    }

    /// The name of its file, and whether it is a program.
    fn file(self, args: &ProvisionArgs) -> (&'static str, bool) {
        self.target().file(&args.options())
    }

    fn text(self, setup: &Setup, args: &ProvisionArgs) -> String {
        self.target().text(setup, &args.options())
    }
}

impl ProvisionArgs {
    fn options(&self) -> ProvisionOptions {
        let file_system = match self.filesystem {
            FileSystemName::Xfs => linux::FileSystem::Xfs,
            FileSystemName::Ext4 => linux::FileSystem::Ext4,
        };
        ProvisionOptions {
            linux: linux::Options { file_system, lvm: self.lvm },
            database: self.database.map(DatabaseName::database),
        }
    }
}

/// Writes what was asked for.
pub fn run(args: &ProvisionArgs, out: &mut dyn Write) -> Result<Exit> {
    if args.force && args.target.is_some() {
        return Err(Error::usage(
            "`--force` is about the files of a folder, and `--target` writes one file, which is replaced",
        )
        .hint("remove one of the two"));
    }
    let text = input::read_file(&args.plan)?;
    let setup = setup::read(&input::name(&args.plan), &text, session().catalogue())?;
    match (args.target, &args.output) {
        (Some(target), _) => output::write(&target.text(&setup, args), args.output.as_deref(), out)?,
        (None, Some(folder)) => folder::write(folder, &setup, args, out)?,
        (None, None) => {}
    }
    Ok(Exit::Ok)
}
