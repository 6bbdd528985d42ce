//! `diskwright report`: documents of other commands in, one page out; or recordings, and the steps between are run.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args, ValueEnum};
use dw_documents::plan::PlanDocument;
use dw_documents::{Document, Kind, Unread};
use dw_error::{Error, Result};
use dw_observe::volumes::VolumeChoice;
use dw_report::{Content, Piece, Report};
use dw_units::{Bytes, Duration};

use crate::exit::Exit;
use crate::in_use::session;
use crate::kind::{self, FileKind};
use crate::language::spoken;
use crate::{amounts, document, input, output, to_stderr};

pub(crate) mod example;
mod steps;

const EXAMPLES: &str = "Examples:
  diskwright report --example -o report.html
  diskwright report iostat.txt --volume data=sdc --capacity data=750GiB -o report.html
  diskwright report checklist.json plan.json predicted.json measured.json -o report.html
  diskwright report plan.json explain.json verify.json -o report.html
  diskwright report comparison.json -o report.html                     # of plan --compare
  diskwright report report.html --format markdown

The kind of each FILE is detected from its content: JSON of observe, plan, plan --compare, explain, simulate, bench or verify, fio's JSON, a report, or
requirements.toml. Any other file is read as a recording, as `observe` does; the checklist, the plan and a simulation of the
recorded demand are then made, unless a FILE has them.

Exit codes: 0 done, 1 unexpected, 2 usage, 3 wrong input, 4 nothing meets it, 8 no price (docs/guide/exit-codes.md).";

/// Options of `report`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("shown").args(["files", "example"]).required(true))]
pub struct ReportArgs {
    /// Documents of other commands, a report, requirements.toml, or recordings
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Run every step on a bundled example
    #[arg(long, conflicts_with_all = ["volume", "capacity", "every", "growth", "region", "compare"])]
    pub example: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: ReportFormat,
    /// Write the result to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Title of the report
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Text file to attach, such as a script; may be repeated
    #[arg(long, value_name = "FILE")]
    pub attach: Vec<PathBuf>,
    /// Recordings: a volume and its devices, `data=sdb,sdc`; may be repeated
    #[arg(long, value_name = "NAME=DEVICES")]
    pub volume: Vec<VolumeChoice>,
    /// Recordings: capacity a volume needs, `data=750GiB`; may be repeated. `plan` needs it for every volume
    #[arg(long, value_name = "NAME=SIZE", value_parser = crate::observe::capacity)]
    pub capacity: Vec<(String, Bytes)>,
    /// Recordings: region of prices and machines, `westeurope`, or `eu-central-1` for EC2 and EBS
    #[arg(long, value_name = "REGION")]
    pub region: Option<String>,
    /// Recordings and requirements.toml: plan in each of these regions too, with or without the vendor before it, and compare the answers
    #[arg(long, value_name = "VENDOR:REGION", value_delimiter = ',')]
    pub compare: Vec<String>,
    /// Recordings: interval of files that do not record it
    #[arg(long, value_name = "INTERVAL", value_parser = amounts::duration)]
    pub every: Option<Duration>,
    /// Recordings: expected growth of demand, `1.3` or `30%`
    #[arg(long, value_name = "FACTOR", value_parser = amounts::growth, default_value = "1", allow_hyphen_values = true)]
    pub growth: f64,
    /// Hide notes
    #[arg(short, long)]
    pub quiet: bool,
}

/// Forms of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// A self-contained HTML page
    #[default]
    Html,
    /// Tables for a ticket or a wiki
    Markdown,
    /// The documents that the report is made of
    Json,
}

/// What the files come to.
#[derive(Default)]
struct Sorted {
    title: Option<String>,
    documents: Vec<Piece>,
    requirements: Vec<(String, String)>,
    recordings: Vec<PathBuf>,
    /// Plans of reports that have what builds them.
    built: Vec<Piece>,
}

/// Reads, runs what is missing, and reports.
pub fn run(args: &ReportArgs, out: &mut dyn Write) -> Result<Exit> {
    let mut exit = Exit::Ok;
    let mut sorted = Sorted::default();
    if args.example {
        let made = steps::of_example(args)?;
        (sorted.documents, exit) = (made.documents, made.exit);
    }
    for path in &args.files {
        sort(path, &mut sorted)?;
    }
    let of_recordings = [
        ("volume", !args.volume.is_empty()),
        ("capacity", !args.capacity.is_empty()),
        ("every", args.every.is_some()),
        ("growth", args.growth != 1.0),
    ];
    let given = of_recordings.iter().find(|option| option.1).filter(|_| sorted.recordings.is_empty());
    if let Some((option, _)) = given {
        return Err(Error::usage(format!("`--{option}` has no effect: it applies to recordings, and no FILE is one"))
            .hint("remove it"));
    }
    if !args.compare.is_empty() && sorted.recordings.is_empty() && sorted.requirements.is_empty() {
        let what = "`--compare` has no effect: it applies to recordings and requirements, and no FILE is one";
        return Err(Error::usage(what).hint("remove it, or name requirements.toml"));
    }
    if let (Some((name, _)), false) = (sorted.requirements.first(), args.capacity.is_empty()) {
        return Err(Error::usage(format!("`--capacity` has no effect: {name} already gives the capacities"))
            .hint("write `capacity` there"));
    }
    if !sorted.recordings.is_empty() || !sorted.requirements.is_empty() {
        let made = steps::missing(args, &sorted)?;
        sorted.documents.splice(0..0, made.documents);
        exit = made.exit;
    }
    scripts(&mut sorted.documents, &sorted.built, args.quiet);
    for path in &args.attach {
        let text = input::read_file(path)?;
        sorted.documents.push(Piece::text(&input::name(path), "attached", text));
    }
    let title = args.title.clone().or(sorted.title).unwrap_or_else(|| Report::usual_title(&sorted.documents, spoken()));
    let report = Report { title, pieces: sorted.documents };
    let text = match args.format {
        ReportFormat::Html => dw_report::html_in(&report, spoken()),
        ReportFormat::Markdown => dw_report::markdown_in(&report, spoken()),
        ReportFormat::Json => dw_report::json(&report),
    };
    output::write(&text, args.output.as_deref(), out)?;
    if exit == Exit::Infeasible {
        let what = "nothing on offer meets this demand: the report shows the conflicting limits";
        return Err(Error::new(dw_error::Kind::Infeasible, what));
    }
    Ok(exit)
}

fn is_plan(piece: &Piece) -> bool {
    matches!(piece.document(), Some(Document::Plan(plan)) if plan.plan.is_some())
}

fn plan_of(piece: &Piece) -> Option<(&str, &PlanDocument)> {
    match piece.document() {
        Some(Document::Plan(plan)) => Some((&piece.name, plan)),
        _ => None,
    }
}

/// What builds and verifies each plan, where it is not there already: a page that is opened again has it.
fn scripts(documents: &mut Vec<Piece>, built: &[Piece], quiet: bool) {
    let several = documents.iter().filter(|d| is_plan(d)).count() > 1;
    let new = documents.iter().filter(|d| is_plan(d) && !built.contains(d));
    let plans: Vec<Piece> = new.cloned().collect();
    for (name, plan) in plans.iter().filter_map(plan_of) {
        match session().provision(name, plan) {
            Ok(provisioned) => {
                documents.extend(provisioned.files.into_iter().map(|(target, text)| {
                    let file = target.file_name();
                    let file = if several { format!("{file} of {name}") } else { file.into() };
                    Piece::text(&file, "script", text)
                }));
                for (_, why) in provisioned.left_out.iter().filter(|_| !quiet) {
                    to_stderr(&(why.shown_as("note: left out") + "\n"));
                }
            }
            Err(why) if !quiet => to_stderr(&(why.shown_as("note: no scripts of the plan") + "\n")),
            Err(_) => {}
        }
    }
}

/// What a file is, by what is in it.
fn sort(path: &Path, sorted: &mut Sorted) -> Result<()> {
    let name = input::name(path);
    // A recording may be in any encoding and of any length: only what begins like a document is read as one.
    let Some(text) = document_text(path)? else {
        if std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() == 0) {
            let hint = "did the command that writes it stop or fail? Run it again";
            return Err(Error::input("this file is empty").hint(hint).of_file(name));
        }
        sorted.recordings.push(path.to_path_buf());
        return Ok(());
    };
    if Report::is_page(&text) {
        let report = Report::open(&text).map_err(|e| Error::from(e).of_file(&name))?;
        return add(report, sorted);
    }
    if name.ends_with(".toml") || kind::recognise(text.as_bytes()) == Some(FileKind::Requirements) {
        sorted.requirements.push((name, text));
        return Ok(());
    }
    if let Ok(value) = serde_json::from_str(&text)
        && Report::is_value(&value)
    {
        return add(Report::of_value(&value).map_err(|e| Error::from(e).of_file(&name))?, sorted);
    }
    let why = match Document::read(&text).map(|document| Piece::new(&name, document)) {
        Ok(Some(piece)) => {
            sorted.documents.push(piece);
            return Ok(());
        }
        Ok(None) => Unread::Foreign,
        Err(why) => why,
    };
    match &why {
        Unread::Json { .. } if text.trim_start().starts_with("<!DOCTYPE html") => {
            let hint = "only pages written by `diskwright report` contain their documents";
            Err(Error::input("this page contains no documents").hint(hint).of_file(name))
        }
        Unread::Json { what, .. } if let Some(kind) = Kind::named_in(&text) => {
            let what = format!("this begins as {} and is damaged: {what}", kind.article());
            let hint = format!("write it again with `{}`", kind.command());
            Err(Error::input(what).hint(hint).at(name, why.line()))
        }
        // Some recordings are JSON, too.
        Unread::Json { .. } | Unread::Foreign => {
            sorted.recordings.push(path.to_path_buf());
            Ok(())
        }
        Unread::Other(kind) | Unread::Older(kind) | Unread::Version { kind, .. } | Unread::Shape { kind, .. } => {
            let not = format!("this looks like {}, but it cannot be read", kind.article());
            let (line, what) = document::said(&text, &not, &why);
            Err(Error::input(what).hint(why.hint()).at(name, line))
        }
    }
}

fn add(report: Report, sorted: &mut Sorted) -> Result<()> {
    sorted.title.get_or_insert(report.title);
    let is_script = |piece: &Piece| matches!(&piece.content, Content::Text(text) if text.role == "script");
    if report.pieces.iter().any(is_script) {
        sorted.built.extend(report.pieces.iter().filter(|piece| is_plan(piece)).cloned());
    }
    sorted.documents.extend(report.pieces);
    Ok(())
}

/// The text of a file that may be a document: JSON, a page, a TOML file. None for what a recording reader must look at.
fn document_text(path: &Path) -> Result<Option<String>> {
    let head = beginning(path);
    let is_toml = input::name(path).ends_with(".toml") || kind::recognise(&head) == Some(FileKind::Requirements);
    if is_toml || diskwright::text::decode_beginning(&head).trim_start().starts_with(['{', '<']) {
        return input::read_file(path).map(Some);
    }
    Ok(None)
}

/// As much as shows what a document is.
const BEGINNING: usize = 8 << 10;

/// The beginning of a file; empty when it cannot be read, which its reader will say.
fn beginning(path: &Path) -> Vec<u8> {
    use std::io::{BufRead as _, Read as _};
    if input::is_standard_input(path) {
        // Only looked at: it is still there for its reader. A pipe may keep us waiting for it.
        let _watch = input::watch(path);
        let mut reader = input::standard_input_reader();
        return reader.fill_buf().map(|head| head[..head.len().min(BEGINNING)].to_vec()).unwrap_or_default();
    }
    // What is read from a pipe is gone for its reader.
    if !std::fs::metadata(path).is_ok_and(|file| file.is_file()) {
        return Vec::new();
    }
    let mut head = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(BEGINNING as u64).read_to_end(&mut head));
    read.map_or(Vec::new(), |_| head)
}
