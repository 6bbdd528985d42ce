//! `diskwright audit`: what is wrong with an estate.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use diskwright::audit::{AuditOptions, estate};
use dw_audit::Waivers;
use dw_documents::audit::{AuditDocument, Level};
use dw_error::{Error, Result};
use dw_estate::{Doubt, Estate, StripeFile};

use crate::exit::Exit;
use crate::in_use::session;
use crate::report::Text;
use crate::{files, input, output, system};

mod identity;
mod machine_read;
mod metrics;
mod out;
mod page;
mod texts;

const EXAMPLES: &str = "Examples:
  az vm list -d -o json > vms.json; az disk list -o json > disks.json; diskwright audit vms.json disks.json
  terraform show -json plan.out > plan.json; diskwright audit plan.json --fail-on warning
  diskwright audit plan.json --baseline main.json --format markdown     # what the change makes worse
  kubectl get nodes,pv,pvc,sc -o json | diskwright audit -
  diskwright audit vms.json disks.json --metrics exports/       # recordings settle findings, and plan each machine
  diskwright audit vms.json disks.json --only DW201 --commands > changes.sh
  diskwright audit plan.json --patch . > audit.patch; git apply audit.patch

Exit codes: 0 audited, 1 unexpected, 2 usage, 3 wrong input, 5 something is as bad as --fail-on says (docs/guide/exit-codes.md).";

/// Options of `audit`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct AuditArgs {
    /// Inventories, as their clouds' commands print them, joined by id; a folder is all its JSON and CSV files, `-` standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Another inventory of the same estate, such as the plan of the main branch: what it has, too, and is no worse, is left out; may be repeated
    #[arg(long, value_name = "FILE")]
    pub baseline: Vec<PathBuf>,
    /// The region of machines of which no file tells it, such as those of a template: without it they have no prices
    #[arg(long, value_name = "REGION")]
    pub region: Option<String>,
    /// A TOML file of accepted findings: code, machine, disk, owner, reason, last day
    #[arg(long, value_name = "WAIVERS.toml")]
    pub waivers: Option<PathBuf>,
    /// A TOML file that says which disks are one volume; without it disks that look like a stripe are taken for one
    #[arg(long, value_name = "STRIPES.toml")]
    pub stripes: Option<PathBuf>,
    /// Only findings of this code, perhaps of one machine, perhaps of one disk; `*` stands for any letters; may be repeated
    #[arg(long, value_name = "CODE[:MACHINE[:DISK]]")]
    pub only: Vec<String>,
    /// In place of findings: a script of the commands that end them (warnings and errors; notes with --only), which runs nothing without --apply
    #[arg(long, conflicts_with_all = ["format", "patch"])]
    pub commands: bool,
    /// In place of findings: the same as a unified diff of the Terraform files of a folder, which stay as they are
    #[arg(long, conflicts_with = "format", value_name = "DIR")]
    pub patch: Option<PathBuf>,
    /// Recordings of the machines: each is matched to its machine by resource ids in it, else by the name of its file or folder. Findings become
    /// certain by them, or go, and the machine is planned by them: today's cost beside the planned one, by what a move needs
    #[arg(long, value_name = "FOLDER")]
    pub metrics: Option<PathBuf>,
    /// End with exit code 5 where a finding is at least as bad
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub fail_on: Option<FailOn>,
    /// What to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: AuditFormat,
    /// Write the result to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// How bad a finding must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Worth knowing
    Note,
    /// Money or rates are lost, or data are at risk
    Warning,
    /// It cannot be built so, or does not do what it says
    Error,
}

/// Forms of the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum AuditFormat {
    /// A table for people
    #[default]
    Table,
    /// Everything, with a schema (`diskwright schema audit`)
    Json,
    /// A line for each finding
    Csv,
    /// A comment of at most 40 lines
    Markdown,
    /// A page with machines by the money that cannot be used
    Html,
    /// For code scanning: SARIF 2.1.0
    Sarif,
    /// For test reports
    Junit,
}

impl AuditFormat {
    /// Whether it has plans of machines, rather than a line for each finding.
    fn has_plans(self) -> bool {
        matches!(self, AuditFormat::Table | AuditFormat::Json | AuditFormat::Markdown | AuditFormat::Html)
    }
}

/// Audits and reports.
pub fn run(args: &AuditArgs, out: &mut dyn Write) -> Result<Exit> {
    let mut estate = read(&args.files)?;
    let mut baseline = if args.baseline.is_empty() { None } else { Some(inventories(&args.baseline)?) };
    if let Some(region) = &args.region {
        let region = diskwright::explain::known_region(session().of_region(region).catalogue(), region)?;
        baseline.iter_mut().chain([&mut estate]).for_each(|estate| estate.told_region(&region, "--region"));
    }
    let only = out::only(&args.only)?;
    let unfit = only.check(&estate)?;
    let mut options = AuditOptions {
        stripes: stripes(args.stripes.as_deref())?,
        waivers: args
            .waivers
            .as_deref()
            .map(|path| Waivers::read(&input::name(path), &input::read_file(path)?))
            .transpose()?,
        baseline,
        recordings: None,
    };
    let is_changed = args.commands || args.patch.is_some();
    let mut planned = None;
    if let Some(folder) = &args.metrics {
        let recorded = metrics::recorded(folder, &estate, &options.stripes, !is_changed && args.format.has_plans())?;
        options.recordings = Some(recorded.shown);
        planned = Some(recorded.planned);
    }
    if is_changed {
        let mut audit = session().audit(&estate, &options);
        only.keep(&mut audit);
        let text = out::text(args, &estate, &audit)?;
        output::write(&text, args.output.as_deref(), out)?;
        return Ok(exit(args, &audit));
    }
    let mut audit = session().audit_once(estate, &options);
    audit.planned = planned;
    audit.doubts.splice(0..0, unfit);
    only.keep(&mut audit);
    // The process ends with it: that the findings of ten thousand machines are freed one by one takes a tenth of the time.
    let audit = ManuallyDrop::new(audit);
    if args.format == AuditFormat::Json {
        output::stream(args.output.as_deref(), out, |to| machine_read::json(&audit, to))?;
        return Ok(exit(args, &audit));
    }
    let text = match args.format {
        AuditFormat::Table | AuditFormat::Json => texts::table(&audit),
        AuditFormat::Csv => Text::verbatim(machine_read::csv(&audit)),
        AuditFormat::Markdown => Text::verbatim(texts::markdown(&audit)),
        AuditFormat::Html => Text::verbatim(page::html(&audit)),
        AuditFormat::Sarif => Text::verbatim(machine_read::sarif(&audit)),
        AuditFormat::Junit => Text::verbatim(machine_read::junit(&audit)),
    };
    output::show(&text, args.output.as_deref(), out)?;
    Ok(exit(args, &audit))
}

fn exit(args: &AuditArgs, audit: &AuditDocument) -> Exit {
    let least = args.fail_on.map(|fail_on| match fail_on {
        FailOn::Note => Level::Note,
        FailOn::Warning => Level::Warning,
        FailOn::Error => Level::Error,
    });
    let is_bad = least.is_some_and(|least| audit.counts.at_least(least) > 0);
    if is_bad { Exit::NotVerified } else { Exit::Ok }
}

/// What a person says of stripes.
pub fn stripes(path: Option<&Path>) -> Result<StripeFile> {
    path.map_or_else(
        || Ok(StripeFile::default()),
        |path| StripeFile::read(&input::name(path), &input::read_file(path)?),
    )
}

/// Inventories as one estate, of something.
pub fn read(paths: &[PathBuf]) -> Result<Estate> {
    let estate = inventories(paths)?;
    // A plan of networks alone is an inventory, too.
    if estate.machines.is_empty() && estate.loose.is_empty() && estate.unread.records.is_empty() {
        let said = diskwright::audit::doubts(&estate);
        let what = said.iter().map(|doubt| doubt.to_string()).collect::<Vec<_>>().join("; ");
        return Err(Error::input(if what.is_empty() { "there is nothing to audit".into() } else { what })
            .hint(format!("for example {}", printed_by(&estate))));
    }
    Ok(estate)
}

/// Commands that print inventories: those of whoever the files are of, or where none looks like anybody's, of every vendor.
fn printed_by(estate: &Estate) -> String {
    let of_files = estate.doubts.iter().filter_map(|doubt| match doubt {
        Doubt::Nothing { printed_by, .. } => *printed_by,
        _ => None,
    });
    let mut commands: Vec<&str> = of_files.collect();
    if commands.is_empty() {
        commands.extend(dw_catalogue::inventories().map(|vendor| vendor.printed_by()));
    }
    commands.dedup();
    commands.into_iter().map(|command| format!("`{command}`")).collect::<Vec<_>>().join(", or ")
}

/// Inventories as one estate, which may be empty: before the first thing is built there is a baseline, too.
fn inventories(paths: &[PathBuf]) -> Result<Estate> {
    let mut all = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => all.extend(of_folder(path)?),
            false => all.push(path.clone()),
        }
    }
    estate(all.iter().map(|path| (input::name(path), Lazy::new(path))))
}

fn of_folder(path: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(path).map_err(|e| system::unreadable(path, &e))?;
    let mut found: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    let is_inventory = |path: &PathBuf| {
        path.extension().is_some_and(|end| ["json", "csv", "tfstate"].iter().any(|one| end.eq_ignore_ascii_case(one)))
    };
    found.retain(is_inventory);
    found.sort();
    if found.is_empty() {
        return Err(Error::input("the folder has no JSON and no CSV file")
            .hint("write the inventories into it")
            .of_file(input::name(path)));
    }
    Ok(found)
}

/// A file that is opened when it is first read: an estate may come in thousands.
struct Lazy<'a> {
    path: &'a Path,
    reader: Option<Box<dyn BufRead>>,
}

impl<'a> Lazy<'a> {
    fn new(path: &'a Path) -> Lazy<'a> {
        Lazy { path, reader: None }
    }
    fn open(&mut self) -> std::io::Result<&mut Box<dyn BufRead>> {
        const AT_ONCE: usize = 1 << 20;
        if self.reader.is_none() {
            self.reader = Some(if input::is_standard_input(self.path) {
                input::standard_input_reader()
            } else {
                files::is_not_written(self.path)?;
                Box::new(BufReader::with_capacity(AT_ONCE, File::open(self.path)?))
            });
        }
        Ok(self.reader.as_mut().expect("it was opened"))
    }
}

impl std::io::Read for Lazy<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        self.open()?.read(into)
    }
}

impl BufRead for Lazy<'_> {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        self.open()?.fill_buf()
    }
    fn consume(&mut self, count: usize) {
        if let Some(reader) = &mut self.reader {
            reader.consume(count);
        }
    }
}
