//! What a report is made of: documents of commands, and texts.

use std::borrow::Cow;
use std::io::{self, Write};

use dw_documents::bench::BenchDocument;
use dw_documents::checklist::{ChecklistDocument, SeriesDocument};
use dw_documents::run::Track;
use dw_documents::{Document, Kind, Run, Unread};
use dw_messages::{Language, text};
use maud::Render;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Points of a series that a page keeps: more cannot be seen, and twenty volumes must fit into two megabytes.
const POINTS: usize = 480;

/// The role of a text that says why the recording was not simulated on the planned disks.
pub const NOT_SIMULATED: &str = "not-simulated";

/// The word of a text in a page's JSON.
const TEXT: &str = "text";

/// A document or a text, under its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// How it is called: its file.
    pub name: String,
    /// What it says.
    pub content: Content,
}

/// What a piece says.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// What a command printed.
    Document(Document),
    /// What belongs to it.
    Text(Text),
}

/// A text that belongs to a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    /// `requirements`, `scenario`, `script`, `attached` or `not-simulated`.
    pub role: String,
    pub text: String,
}

impl Piece {
    /// A document; none when no section shows its kind. Fields that differ from run to run are left out, and long series are
    /// thinned.
    pub fn new(name: &str, mut document: Document) -> Option<Piece> {
        match &mut document {
            Document::Checklist(checklist) => thin(checklist),
            Document::Run(run) => without_clock(run),
            Document::Bench(bench) => figures_only(bench),
            Document::PlanDiff(_) | Document::Calibration(_) | Document::Sweep(_) | Document::Audit(_) => return None,
            Document::Plan(_)
            | Document::PlanComparison(_)
            | Document::Explain(_)
            | Document::Verify(_)
            | Document::Measured(_) => {}
        }
        Some(Piece { name: name.into(), content: Content::Document(document) })
    }

    /// A text: `role` is `requirements`, `scenario`, `script`, `attached` or `not-simulated`.
    pub fn text(name: &str, role: &str, text: impl Into<String>) -> Piece {
        Piece { name: name.into(), content: Content::Text(Text { role: role.into(), text: text.into() }) }
    }

    pub fn document(&self) -> Option<&Document> {
        match &self.content {
            Content::Document(document) => Some(document),
            Content::Text(_) => None,
        }
    }

    /// What kind of document it is; none for a text.
    pub fn kind(&self) -> Option<Kind> {
        self.document().map(Document::kind)
    }

    fn of_value(value: &Value) -> Result<Piece, ReportError> {
        let name =
            value["name"].as_str().ok_or_else(|| ReportError::page("a document inside this page has no name"))?;
        let content = &value["document"];
        let content = if value["kind"] == TEXT {
            let text = Text::deserialize(content);
            Content::Text(text.map_err(|e| ReportError::page(&format!("{name}, inside this page, is damaged: {e}")))?)
        } else {
            let document = Document::of_value(content.clone());
            Content::Document(document.map_err(|why| ReportError::Document { name: name.into(), why })?)
        };
        Ok(Piece { name: name.into(), content })
    }
}

/// The clock's fields of a simulated run say nothing about it.
fn without_clock(run: &mut Run) {
    (run.timestamp, run.timestamp_ms, run.time, run.diskwright.wall_s) = (None, None, None, None);
}

/// When a benchmark was, and fio's own output of every scenario: what it says is in the figures.
fn figures_only(bench: &mut BenchDocument) {
    bench.metadata = None;
    bench.scenarios.iter_mut().for_each(|scenario| scenario.fio = None);
}

/// Every chunk of a long series becomes its busiest interval, as the document's own thinning does it.
fn thin(checklist: &mut ChecklistDocument) {
    for series in checklist.volumes.iter_mut().map(|volume| &mut volume.series) {
        let length = series.end_s.len();
        let every = length.div_ceil(POINTS);
        if every < 2 {
            continue;
        }
        let iops = |at: &usize| series.iops.get(*at).copied().flatten().unwrap_or(0.0);
        let chunks = (0..length).step_by(every).map(|from| from..(from + every).min(length));
        let keep: Vec<usize> = chunks.filter_map(|chunk| chunk.max_by(|a, b| iops(a).total_cmp(&iops(b)))).collect();
        *series = kept(series, &keep, length);
        series.every *= every;
    }
}

/// The points at these places, of each column that is as long as it must be.
fn kept(series: &SeriesDocument, keep: &[usize], length: usize) -> SeriesDocument {
    fn picked<T: Copy>(list: &[T], keep: &[usize], length: usize) -> Vec<T> {
        if list.len() == length { keep.iter().map(|at| list[*at]).collect() } else { list.to_vec() }
    }
    let column = |list: &Vec<Option<f64>>| picked(list, keep, length);
    SeriesDocument {
        every: series.every,
        end_s: picked(&series.end_s, keep, length),
        read_iops: column(&series.read_iops),
        write_iops: column(&series.write_iops),
        iops: column(&series.iops),
        read_bytes_per_s: column(&series.read_bytes_per_s),
        write_bytes_per_s: column(&series.write_bytes_per_s),
        latency_s: column(&series.latency_s),
        queue_depth: column(&series.queue_depth),
    }
}

/// How many points of a track are rates: a last interval much shorter than the one before is what was in flight at the end.
pub(crate) fn rates(track: &Track) -> usize {
    match track.end_s[..] {
        [.., a, b, c] if c - b < (b - a) / 10.0 => track.end_s.len() - 1,
        _ => track.end_s.len(),
    }
}

/// Pieces under a title.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// What the report is about.
    pub title: String,
    /// In the order in which they were named.
    pub pieces: Vec<Piece>,
}

impl Report {
    /// With the sentences of its documents in a language.
    pub(crate) fn told<'a>(&'a self, lang: &Language) -> Cow<'a, Report> {
        if lang.name() == "en" {
            return Cow::Borrowed(self);
        }
        let told = |piece: &Piece| {
            let content = match &piece.content {
                Content::Document(document) => Content::Document(in_language(document, lang)),
                text @ Content::Text(_) => text.clone(),
            };
            Piece { name: piece.name.clone(), content }
        };
        Cow::Owned(Report { title: self.title.clone(), pieces: self.pieces.iter().map(told).collect() })
    }

    /// What a report of these pieces is called where nobody says it.
    pub fn usual_title(pieces: &[Piece], lang: &Language) -> String {
        let documents = || pieces.iter().filter_map(Piece::document);
        let machine = documents().find_map(|document| match document {
            Document::Checklist(list) => list.machine.clone(),
            _ => None,
        });
        let is_planned =
            documents().any(|document| matches!(document, Document::Plan(_) | Document::PlanComparison(_)));
        let is_recorded = documents().any(|document| matches!(document, Document::Checklist(_)));
        match (is_planned, is_recorded, machine) {
            (true, _, Some(machine)) => text!(lang, "Disk plan for {machine}", machine),
            (true, _, None) => text!(lang, "Disk plan"),
            (false, true, Some(machine)) => text!(lang, "Disk load of {machine}", machine),
            (false, true, None) => text!(lang, "Disk load"),
            (false, false, _) => text!(lang, "Disk report"),
        }
    }

    /// Of these documents and texts: [`crate::html()`] makes a page of it, [`crate::markdown()`] tables.
    pub fn new(title: impl Into<String>, pieces: Vec<Piece>) -> Report {
        Report { title: title.into(), pieces }
    }
}

/// Why there is no report.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// A document is not what it seems to be.
    #[error("{name}: {why}")]
    Document {
        /// Its file.
        name: String,
        /// What is wrong.
        why: Unread,
    },
    /// A page without its documents.
    #[error("{0}")]
    Page(String),
}

impl From<ReportError> for dw_error::Error {
    fn from(error: ReportError) -> Self {
        let hint = match &error {
            ReportError::Document { why, .. } => why.hint(),
            ReportError::Page(_) => "write it again with `diskwright report`".into(),
        };
        dw_error::Error::of(dw_error::Kind::Input, error).hint(hint)
    }
}

impl ReportError {
    fn page(what: &str) -> ReportError {
        ReportError::Page(what.into())
    }
}

/// A document with its sentences in a language.
fn in_language(document: &Document, lang: &Language) -> Document {
    let told = || {
        let mut value = serde_json::to_value(document).ok()?;
        lang.say_in(&mut value);
        Document::of_value(value).ok()
    };
    told().unwrap_or_else(|| document.clone())
}

/// The element of a page that holds its documents.
const OPEN: &str = "<script type=\"application/json\" id=\"diskwright-report\">";

impl Report {
    /// Documents of one kind.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Piece> {
        self.pieces.iter().filter(move |piece| piece.kind() == Some(kind))
    }

    /// The whole as one value.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self.on_page()).unwrap_or_default()
    }

    pub(crate) fn on_page(&self) -> ReportOnPage<'_> {
        let documents = self.pieces.iter().map(|Piece { name, content }| {
            let (kind, document) = match content {
                Content::Document(document) => (document.kind().word(), ContentOnPage::Document(document)),
                Content::Text(text) => (TEXT, ContentOnPage::Text(text)),
            };
            PieceOnPage { name, kind, document }
        });
        ReportOnPage { schema_version: 1, title: &self.title, documents: documents.collect() }
    }

    /// Whether a value is a report rather than one document.
    pub fn is_value(value: &Value) -> bool {
        value["title"].is_string() && value["documents"].is_array()
    }

    /// The report that a value holds.
    pub fn of_value(value: &Value) -> Result<Report, ReportError> {
        let (Some(title), Some(documents)) = (value["title"].as_str(), value["documents"].as_array()) else {
            return Err(ReportError::page("the documents inside this page are of another version"));
        };
        let pieces = documents.iter().map(Piece::of_value).collect::<Result<_, _>>()?;
        Ok(Report { title: title.into(), pieces })
    }

    /// Whether a text is a page that holds its documents.
    pub fn is_page(text: &str) -> bool {
        text.contains(OPEN)
    }

    /// The report inside a page.
    pub fn open(page: &str) -> Result<Report, ReportError> {
        let fault = ReportError::page;
        let start = page.find(OPEN).ok_or_else(|| fault("this page holds no documents of diskwright"))? + OPEN.len();
        let length =
            page[start..].find("</script>").ok_or_else(|| fault("this page is cut off within its documents"))?;
        let value: Value = serde_json::from_str(&page[start..start + length])
            .map_err(|e| fault(&format!("the documents inside this page are damaged: {e}")))?;
        Report::of_value(&value)
    }

    /// The element that [`Report::open`] reads.
    pub(crate) fn embedded(&self) -> Embedded<'_> {
        Embedded(self.on_page())
    }
}

/// A report as it is kept, without a copy of what it holds.
#[derive(Serialize)]
pub(crate) struct ReportOnPage<'a> {
    schema_version: u32,
    title: &'a str,
    documents: Vec<PieceOnPage<'a>>,
}

#[derive(Serialize)]
struct PieceOnPage<'a> {
    name: &'a str,
    kind: &'static str,
    document: ContentOnPage<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ContentOnPage<'a> {
    Document(&'a Document),
    Text(&'a Text),
}

/// The element of a page that holds a report.
pub(crate) struct Embedded<'a>(ReportOnPage<'a>);

impl Render for Embedded<'_> {
    fn render_to(&self, page: &mut String) {
        page.push_str(OPEN);
        let begins = page.len();
        if serde_json::to_writer(WithoutTags(page), &self.0).is_err() {
            page.truncate(begins);
        }
        page.push_str("</script>");
    }
}

/// Writes to a page what never holds a `<`: an element ends at the first `</script`, wherever it is.
pub(crate) struct WithoutTags<'a>(pub(crate) &'a mut String);

impl Write for WithoutTags<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = std::str::from_utf8(bytes).map_err(io::Error::other)?;
        for (place, part) in text.split('<').enumerate() {
            if place > 0 {
                self.0.push_str("\\u003c");
            }
            self.0.push_str(part);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
