//! Any document: known by its tag, read strictly, or refused with what it is and how to make it again.

use std::fmt;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::audit::AuditDocument;
use crate::bench::BenchDocument;
use crate::calibrate::CalibrateDocument;
use crate::checklist::ChecklistDocument;
use crate::comparison::ComparisonDocument;
use crate::diff::DiffDocument;
use crate::explain::ExplainDocument;
use crate::plan::PlanDocument;
use crate::results::{Entry, fio};
use crate::run::Summary;
use crate::sweep::SweepDocument;
use crate::verify::VerifyDocument;

/// The version of every document's shape.
pub const SCHEMA_VERSION: u32 = 1;

/// What a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `observe --format json`.
    Checklist,
    /// `plan --format json`.
    Plan,
    /// `plan diff --format json`.
    PlanDiff,
    /// `plan --compare ... --format json`.
    PlanComparison,
    /// `simulate --output-format json`: fio's JSON with a `diskwright` object, which has the tag.
    Run,
    /// `simulate --sweep ... --output-format json`.
    Sweep,
    /// `bench --format json`.
    Bench,
    /// `explain --format json`.
    Explain,
    /// `verify --format json`.
    Verify,
    /// `calibrate --format json`.
    Calibration,
    /// `audit --format json`.
    Audit,
    /// fio's own JSON, or results of another tool in its shape: known by `fio version` or `tool`, never by a tag.
    Measured,
}

/// How a document was known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recognition {
    /// What it is.
    pub kind: Kind,
    /// It has no tag, and documents of this kind have one: an older version wrote it.
    pub is_older: bool,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 12] = [
        Kind::Checklist,
        Kind::Plan,
        Kind::PlanDiff,
        Kind::PlanComparison,
        Kind::Run,
        Kind::Sweep,
        Kind::Bench,
        Kind::Explain,
        Kind::Verify,
        Kind::Calibration,
        Kind::Audit,
        Kind::Measured,
    ];

    /// The word of its tag; results of other tools have none, and go by this word in a page.
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Checklist => "checklist",
            Kind::Plan => "plan",
            Kind::PlanDiff => "plan-diff",
            Kind::PlanComparison => "plan-comparison",
            Kind::Run => "run",
            Kind::Sweep => "sweep",
            Kind::Bench => "bench",
            Kind::Explain => "explain",
            Kind::Verify => "verify",
            Kind::Calibration => "calibration",
            Kind::Audit => "audit",
            Kind::Measured => "measured",
        }
    }

    /// In words, with an article.
    pub const fn article(self) -> &'static str {
        match self {
            Kind::Checklist => "a checklist",
            Kind::Plan => "a plan",
            Kind::PlanDiff => "a difference of plans",
            Kind::PlanComparison => "a comparison of plans",
            Kind::Run => "a simulated run",
            Kind::Sweep => "a sweep of simulated runs",
            Kind::Measured => "measured results",
            Kind::Bench => "a benchmark",
            Kind::Explain => "an explanation",
            Kind::Verify => "a verification",
            Kind::Calibration => "a calibration",
            Kind::Audit => "an audit",
        }
    }

    /// The command that writes it.
    pub const fn command(self) -> &'static str {
        match self {
            Kind::Checklist => "diskwright observe FILE... --format json",
            Kind::Plan => "diskwright plan REQUIREMENTS.toml --format json",
            Kind::PlanDiff => "diskwright plan diff A B --format json",
            Kind::PlanComparison => "diskwright plan REQUIREMENTS.toml --compare REGION,REGION --format json",
            Kind::Run => "diskwright simulate RIG.toml JOB --output-format json",
            Kind::Sweep => "diskwright simulate RIG.toml JOB --sweep OPTION=VALUES --output-format json",
            Kind::Bench => "diskwright bench RIG.toml --target VOLUME=PATH --format json",
            Kind::Explain => "diskwright explain RIG.toml --format json",
            Kind::Verify => "diskwright verify REQUIREMENTS.toml RESULT --format json",
            Kind::Calibration => "diskwright calibrate RESULT --format json",
            Kind::Audit => "diskwright audit FILE... --format json",
            Kind::Measured => "fio --output-format=json JOB",
        }
    }

    /// What a text says that it is, which need not be whole: the value of its first `"document"`.
    pub fn named_in(text: &str) -> Option<Kind> {
        let (_, behind) = text.split_once("\"document\"")?;
        let word = behind.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?.split('"').next()?;
        Kind::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// What a JSON value is; none when it is not a document of ours.
    pub fn recognise(value: &Value) -> Option<Recognition> {
        let tag = value.get("document").or_else(|| value.get("diskwright")?.get("document"));
        if let Some(word) = tag.and_then(Value::as_str) {
            let tagged =
                Kind::ALL.into_iter().filter(|kind| *kind != Kind::Measured).find(|kind| kind.word() == word)?;
            return Some(Recognition { kind: tagged, is_older: false });
        }
        // What documents without a tag had: so that it can be said what to make again.
        let has = |keys: &[&str]| keys.iter().all(|key| value.get(key).is_some());
        let older = |kind| Some(Recognition { kind, is_older: true });
        if has(&["finding", "verdict", "changes"]) {
            older(Kind::Explain)
        } else if has(&["volumes", "findings", "sources"]) {
            older(Kind::Checklist)
        } else if has(&["answer", "limits", "alternatives"]) {
            older(Kind::Plan)
        } else if has(&["a", "b", "rows", "summary"]) {
            older(Kind::PlanDiff)
        } else if has(&["jobs", "diskwright"]) {
            older(Kind::Run)
        } else if has(&["runs_asked", "runs_finished", "runs"]) {
            older(Kind::Sweep)
        } else if has(&["jobs"]) && (has(&["fio version"]) || has(&["tool"])) {
            Some(Recognition { kind: Kind::Measured, is_older: false })
        } else {
            None
        }
    }
}

/// A simulated run: fio's JSON, and the `diskwright` object next to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Which fio's shape it has, and which version of this program wrote it.
    #[serde(rename = "fio version")]
    pub version: String,
    /// When it was made, in seconds since 1970; a report leaves it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<u64>,
    /// The same in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp_ms: Option<u64>,
    /// The same as a calendar has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Options of all jobs.
    #[serde(rename = "global options", default, skip_serializing_if = "Option::is_none")]
    pub global_options: Option<Map<String, Value>>,
    /// The jobs in fio's words: [`Run::jobs`] reads them.
    pub jobs: Vec<Value>,
    /// What only a simulation knows.
    pub diskwright: Summary,
}

impl Run {
    /// The jobs, as far as they are read.
    pub fn jobs(&self) -> Vec<Entry> {
        jobs(&self.jobs)
    }
}

/// Results of fio, or of another tool in its shape: kept as they were printed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct ToolResult {
    value: Value,
}

impl ToolResult {
    /// fio's version, or the tool that was read instead.
    pub fn tool(&self) -> Option<&str> {
        self.value.get("fio version").or_else(|| self.value.get("tool")).and_then(Value::as_str)
    }

    /// The jobs, as far as they are read.
    pub fn jobs(&self) -> Vec<Entry> {
        jobs(self.value["jobs"].as_array().map_or(&[], Vec::as_slice))
    }
}

/// They were read once when the document was: a fault is none here.
fn jobs(list: &[Value]) -> Vec<Entry> {
    fio::jobs(list).unwrap_or_default()
}

fn check_jobs(list: &[Value]) -> Result<(), serde_json::Error> {
    fio::jobs(list).map(drop).map_err(|wrong| serde_json::Error::custom(wrong.what))
}

/// Any document.
#[derive(Clone, Debug, PartialEq)]
pub enum Document {
    /// `observe`.
    Checklist(Box<ChecklistDocument>),
    /// `plan`.
    Plan(Box<PlanDocument>),
    /// `plan diff`.
    PlanDiff(Box<DiffDocument>),
    /// `plan --compare`.
    PlanComparison(Box<ComparisonDocument>),
    /// `simulate`.
    Run(Box<Run>),
    /// `simulate --sweep`.
    Sweep(Box<SweepDocument>),
    /// `bench`.
    Bench(Box<BenchDocument>),
    /// `explain`.
    Explain(Box<ExplainDocument>),
    /// `verify`.
    Verify(Box<VerifyDocument>),
    /// `calibrate`.
    Calibration(Box<CalibrateDocument>),
    /// `audit`.
    Audit(Box<AuditDocument>),
    /// Another tool.
    Measured(Box<ToolResult>),
}

impl Serialize for Document {
    /// As its command prints it: the tag is a field of the document itself.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Document::Checklist(it) => it.serialize(serializer),
            Document::Plan(it) => it.serialize(serializer),
            Document::PlanDiff(it) => it.serialize(serializer),
            Document::PlanComparison(it) => it.serialize(serializer),
            Document::Run(it) => it.serialize(serializer),
            Document::Sweep(it) => it.serialize(serializer),
            Document::Bench(it) => it.serialize(serializer),
            Document::Explain(it) => it.serialize(serializer),
            Document::Verify(it) => it.serialize(serializer),
            Document::Calibration(it) => it.serialize(serializer),
            Document::Audit(it) => it.serialize(serializer),
            Document::Measured(it) => it.serialize(serializer),
        }
    }
}

/// Why a text is not a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// It is not JSON.
    Json {
        /// Line and column, from 1.
        at: (usize, usize),
        /// What its reader says.
        what: String,
    },
    /// It is JSON of something else.
    Foreign,
    /// It is a document, and not the one that is wanted.
    Other(Kind),
    /// An older version wrote it.
    Older(Kind),
    /// It is of another version of its shape.
    Version {
        /// What it is.
        kind: Kind,
        /// Its `schema_version`, as it stands there.
        found: String,
    },
    /// A key is missing, unknown, or holds what does not belong there.
    Shape {
        /// What it is.
        kind: Kind,
        /// Line and column, from 1; 0 where it was not read from text.
        at: (usize, usize),
        /// What its reader says.
        what: String,
    },
}

impl Unread {
    /// Where it is wrong, from 1.
    pub const fn line(&self) -> usize {
        match self {
            Unread::Json { at, .. } | Unread::Shape { at, .. } if at.0 > 0 => at.0,
            _ => 1,
        }
    }

    /// What to do.
    pub fn hint(&self) -> String {
        match self {
            Unread::Version { kind, found } if found.parse().is_ok_and(|found: u64| found > SCHEMA_VERSION.into()) => {
                format!(
                    "it was written by a newer diskwright: update this one, or write it again with `{}`",
                    kind.command()
                )
            }
            Unread::Older(kind) | Unread::Version { kind, .. } | Unread::Shape { kind, .. } => {
                format!("write it again with `{}`", kind.command())
            }
            Unread::Json { .. } | Unread::Foreign | Unread::Other(_) => {
                "give the `--format json` output of a diskwright command".into()
            }
        }
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unread::Json { what, .. } => write!(f, "is not valid JSON: {what}"),
            Unread::Foreign => write!(f, "is not a diskwright document"),
            Unread::Other(kind) => write!(f, "is {}", kind.article()),
            Unread::Older(kind) => {
                write!(f, "is {} of an older version: it has no `\"document\": \"{}\"`", kind.article(), kind.word())
            }
            Unread::Version { kind, found } => {
                let article = kind.article();
                write!(f, "is {article} of `schema_version` {found}, but this program reads {SCHEMA_VERSION}")
            }
            Unread::Shape { kind, what, .. } => {
                write!(f, "this looks like {}, but it cannot be read: {what}", kind.article())
            }
        }
    }
}

impl std::error::Error for Unread {}

/// A document that is one type.
pub trait OneKind: Sized + Into<Document> {
    /// What it is.
    const KIND: Kind;
    /// The document, where it is of this kind.
    fn from_document(document: Document) -> Option<Self>;
}

macro_rules! one_kind {
    ($($variant:ident($type:ty);)*) => {$(
        impl From<$type> for Document {
            fn from(it: $type) -> Document {
                Document::$variant(Box::new(it))
            }
        }

        impl OneKind for $type {
            const KIND: Kind = Kind::$variant;
            fn from_document(document: Document) -> Option<$type> {
                match document {
                    Document::$variant(it) => Some(*it),
                    _ => None,
                }
            }
        }
    )*};
}

one_kind! {
    Checklist(ChecklistDocument);
    Plan(PlanDocument);
    PlanDiff(DiffDocument);
    PlanComparison(ComparisonDocument);
    Run(Run);
    Sweep(SweepDocument);
    Bench(BenchDocument);
    Explain(ExplainDocument);
    Verify(VerifyDocument);
    Calibration(CalibrateDocument);
    Audit(AuditDocument);
    Measured(ToolResult);
}

impl Document {
    /// What it is.
    pub const fn kind(&self) -> Kind {
        match self {
            Document::Checklist(_) => Kind::Checklist,
            Document::Plan(_) => Kind::Plan,
            Document::PlanDiff(_) => Kind::PlanDiff,
            Document::PlanComparison(_) => Kind::PlanComparison,
            Document::Run(_) => Kind::Run,
            Document::Sweep(_) => Kind::Sweep,
            Document::Bench(_) => Kind::Bench,
            Document::Explain(_) => Kind::Explain,
            Document::Verify(_) => Kind::Verify,
            Document::Calibration(_) => Kind::Calibration,
            Document::Audit(_) => Kind::Audit,
            Document::Measured(_) => Kind::Measured,
        }
    }

    /// Reads a document by its tag, with the line of what is wrong.
    pub fn read(text: &str) -> Result<Document, Unread> {
        let value: Value = serde_json::from_str(text)
            .map_err(|e| Unread::Json { at: (e.line().max(1), e.column()), what: without_place(&e) })?;
        let kind = checked(&value)?;
        Document::typed(kind, Source::Text(text)).map_err(|e| shape(kind, &e))
    }

    /// The same of a value, which has no lines.
    pub fn of_value(value: Value) -> Result<Document, Unread> {
        let kind = checked(&value)?;
        Document::typed(kind, Source::Value(value)).map_err(|e| shape(kind, &e))
    }

    fn typed(kind: Kind, source: Source) -> Result<Document, serde_json::Error> {
        Ok(match kind {
            Kind::Checklist => source.to::<ChecklistDocument>()?.into(),
            Kind::Plan => source.to::<PlanDocument>()?.into(),
            Kind::PlanDiff => source.to::<DiffDocument>()?.into(),
            Kind::PlanComparison => source.to::<ComparisonDocument>()?.into(),
            Kind::Run => {
                let run: Run = source.to()?;
                check_jobs(&run.jobs)?;
                run.into()
            }
            Kind::Sweep => source.to::<SweepDocument>()?.into(),
            Kind::Bench => source.to::<BenchDocument>()?.into(),
            Kind::Explain => source.to::<ExplainDocument>()?.into(),
            Kind::Verify => source.to::<VerifyDocument>()?.into(),
            Kind::Calibration => source.to::<CalibrateDocument>()?.into(),
            Kind::Audit => source.to::<AuditDocument>()?.into(),
            Kind::Measured => {
                let value: Value = source.to()?;
                let jobs = value["jobs"].as_array().ok_or_else(|| serde_json::Error::custom("`jobs` is not a list"))?;
                check_jobs(jobs)?;
                ToolResult { value }.into()
            }
        })
    }
}

/// Reads the document of one kind.
pub fn read<T: OneKind>(text: &str) -> Result<T, Unread> {
    let document = Document::read(text)?;
    let kind = document.kind();
    T::from_document(document).ok_or(Unread::Other(kind))
}

enum Source<'a> {
    Text(&'a str),
    Value(Value),
}

impl Source<'_> {
    fn to<T: DeserializeOwned>(self) -> Result<T, serde_json::Error> {
        match self {
            Source::Text(text) => serde_json::from_str(text),
            Source::Value(value) => serde_json::from_value(value),
        }
    }
}

/// What a value is, where this program reads its version.
fn checked(value: &Value) -> Result<Kind, Unread> {
    let Recognition { kind, is_older } = Kind::recognise(value).ok_or(Unread::Foreign)?;
    if is_older {
        return Err(Unread::Older(kind));
    }
    let place = if kind == Kind::Run { &value["diskwright"] } else { value };
    match &place["schema_version"] {
        _ if kind == Kind::Measured => Ok(kind),
        Value::Number(version) if version.as_u64() == Some(SCHEMA_VERSION.into()) => Ok(kind),
        // That the key is missing, its reader says.
        Value::Null => Ok(kind),
        other => Err(Unread::Version { kind, found: other.to_string() }),
    }
}

fn shape(kind: Kind, error: &serde_json::Error) -> Unread {
    Unread::Shape { kind, at: (error.line(), error.column()), what: without_place(error) }
}

/// What the reader says, without the line and column at its end.
fn without_place(error: &serde_json::Error) -> String {
    let said = error.to_string();
    said.rsplit_once(" at line ").map_or(said.clone(), |(what, _)| what.to_string())
}
