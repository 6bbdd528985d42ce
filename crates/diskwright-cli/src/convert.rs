//! `convert`: a load of one tool in the words of another, and what those cannot say.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use dw_error::{Error, Result};
use dw_formats::convert::{self, Conversion, Loss, To, anywhere};

use crate::exit::Exit;
use crate::input::{self, Texts};
use crate::{kind, output};

const CONVERT_EXAMPLES: &str = "Lists what the target cannot express on standard error, with file, line and option.

Examples:
  diskwright convert mine.fio --to diskspd
  diskwright convert mine.fio --to diskspd --xml -o mine.xml
  diskwright convert servers.icf --to fio -o servers.fio --strict
  diskwright convert --diskspd '-c200G -b8K -r -o32 -t4 -w30 -d60 -Sh F:\\test.dat' --to fio

Exit codes: 0 done, 1 unexpected, 2 usage, 3 wrong input, 14 --strict was given and something would be lost
(docs/guide/exit-codes.md).";

/// Target formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// A fio job file
    Fio,
    /// DiskSpd command lines, one per line; an XML profile with --xml
    Diskspd,
    /// A DiskSpd XML profile
    DiskspdXml,
    /// An Iometer configuration (.icf)
    Iometer,
}

/// Options of `convert`.
#[derive(Debug, Args)]
#[command(after_help = CONVERT_EXAMPLES)]
pub struct ConvertArgs {
    /// A fio job file, DiskSpd profile, file of DiskSpd command lines, Iometer configuration, or vdbench parameter file; `-` is
    /// standard input
    #[arg(value_name = "IN", required_unless_present = "diskspd")]
    pub load: Option<PathBuf>,
    /// Convert this DiskSpd command line (with or without the program name) instead of IN
    #[arg(long, value_name = "CMDLINE", conflicts_with = "load", allow_hyphen_values = true)]
    pub diskspd: Option<String>,
    /// Target format
    #[arg(long, value_name = "TOOL")]
    pub to: Target,
    /// With --to diskspd: write an XML profile, which can express more than a command line
    #[arg(long)]
    pub xml: bool,
    /// Scenario file to take device sizes from
    #[arg(long, value_name = "RIG.toml")]
    pub rig: Option<PathBuf>,
    /// Write to this file instead of standard output; it is written whole or not at all
    #[arg(short, long, alias = "out", value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Fail, and write nothing, if the target cannot express everything
    #[arg(long)]
    pub strict: bool,
}

/// Converts.
pub fn run(args: &ConvertArgs, out: &mut dyn Write) -> Result<Exit> {
    let to = match (args.to, args.xml) {
        (Target::Diskspd | Target::DiskspdXml, true) | (Target::DiskspdXml, false) => To::DiskSpdXml,
        (Target::Diskspd, false) => To::DiskSpd,
        (Target::Fio, false) => To::Fio,
        (Target::Iometer, false) => To::Iometer,
        (_, true) => {
            return Err(Error::usage("--xml is for --to diskspd").hint("remove --xml, or write --to diskspd-xml"));
        }
    };
    let texts = match (&args.diskspd, &args.load) {
        (Some(line), _) => {
            let to = args.to.to_possible_value().map_or(String::new(), |word| word.get_name().to_string());
            kind::is_command_line(line, &format!("convert {} --to {to}", line.trim()))?;
            Texts::command_line(line)
        }
        (None, Some(path)) => input::texts(std::slice::from_ref(path))?,
        (None, None) => return Err(Error::usage("no workload is given")),
    };
    let volumes = match &args.rig {
        Some(rig) => input::scenario(rig, None)?.volume_maps(),
        None => anywhere(&input::all(&texts)),
    };
    let jobs = input::jobs_on(&volumes, &texts, 0)?;
    crate::to_stderr(&input::warnings(&jobs));
    if args.rig.is_none() {
        percentages(&jobs, to)?;
    }
    let Conversion { text, losses, left_out } = convert::convert(&jobs, &volumes, to);
    crate::to_stderr(&list(&losses, &left_out, to));
    if args.strict && !losses.is_empty() {
        return Err(Error::new(
            dw_error::Kind::Lossy,
            "`--strict` is given and something would be lost; nothing was written",
        ));
    }
    if text.trim().is_empty() {
        return Err(Error::input("the target can run none of these jobs; nothing was written"));
    }
    output::write(&text, args.output.as_deref(), out)?;
    Ok(Exit::Ok)
}

/// Without a scenario neither a device nor a file that nobody gives a size has one, so nothing can be a percentage of it: but all
/// of it, and what fio's own words say.
fn percentages(jobs: &dw_formats::fio::FioJobs, to: To) -> Result<()> {
    let mut wrong = Vec::new();
    for origin in &jobs.origins {
        let known = origin.options.contains_key("filesize");
        for name in ["size", "io_size", "offset", "offset_increment"] {
            let Some(written) = origin.options.get(name).filter(|w| !known && w.text.ends_with('%')) else { continue };
            let value = written.text.rsplit('=').next().unwrap_or_default().trim_end_matches('%').trim();
            let harmless = value == "0" || (name == "size" && value == "100");
            if harmless || (to == To::Fio && matches!(name, "size" | "io_size")) {
                continue;
            }
            let what = format!("`{}` is a percentage of something of unknown size", written.text);
            let hint = "add --rig RIG.toml, or give the size in bytes";
            wrong.push(Error::input(what).hint(hint).at(&written.file, written.line));
        }
    }
    Error::all(wrong).map_or(Ok(()), Err)
}

/// What is lost, and what is left out, for standard error.
fn list(losses: &[Loss], left_out: &[Loss], to: To) -> String {
    let tool = match to {
        To::Fio => "fio",
        To::DiskSpd | To::DiskSpdXml => "DiskSpd",
        To::Iometer => "Iometer",
    };
    let mut out = String::new();
    if !losses.is_empty() {
        let _ = writeln!(
            out,
            "{tool} cannot say {}:",
            if losses.len() == 1 { "this".into() } else { format!("these {} things", losses.len()) }
        );
        for loss in losses {
            let _ = writeln!(out, "  {loss}");
        }
    }
    if !left_out.is_empty() {
        let names: Vec<String> = left_out.iter().map(|l| format!("{} (line {})", l.text, l.line)).collect();
        let _ = writeln!(out, "omitted, because it does not affect the workload: {}", names.join(", "));
    }
    out
}
