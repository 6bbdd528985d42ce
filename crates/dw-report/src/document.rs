//! What a report is made of: documents, each known by what is in it.

use serde_json::{Value, json};

/// Points of a series that a page keeps: more cannot be seen, and twenty volumes must fit into two megabytes.
const POINTS: usize = 480;

/// Columns of a checklist's series, all equally long.
const CHECKLIST_SERIES: &str = "end_s";

/// What a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `observe --format json`.
    Checklist,
    /// `plan --format json`.
    Plan,
    /// `simulate --output-format json`.
    Run,
    /// fio's own JSON, or results of another tool in its shape.
    Measured,
    /// `bench --format json`.
    Bench,
    /// `explain --format json`.
    Explain,
    /// `verify --format json`.
    Verify,
    /// A text that belongs to the report: requirements, a scenario, a script.
    Text,
}

impl Kind {
    const ALL: [Kind; 8] =
        [Kind::Checklist, Kind::Plan, Kind::Run, Kind::Measured, Kind::Bench, Kind::Explain, Kind::Verify, Kind::Text];

    /// Its name in a page's JSON.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Checklist => "checklist",
            Kind::Plan => "plan",
            Kind::Run => "run",
            Kind::Measured => "measured",
            Kind::Bench => "bench",
            Kind::Explain => "explain",
            Kind::Verify => "verify",
            Kind::Text => "text",
        }
    }

    /// What a JSON value is; none when it is not a document of ours.
    pub fn of(value: &Value) -> Option<Kind> {
        let has = |keys: &[&str]| keys.iter().all(|key| value.get(key).is_some());
        if value.get("document").is_some_and(|word| word == "bench") {
            Some(Kind::Bench)
        } else if value.get("document").is_some_and(|word| word == "verify") {
            Some(Kind::Verify)
        } else if has(&["finding", "verdict", "changes"]) {
            Some(Kind::Explain)
        } else if has(&["volumes", "findings", "sources"]) {
            Some(Kind::Checklist)
        } else if has(&["answer", "limits", "alternatives"]) {
            Some(Kind::Plan)
        } else if has(&["jobs", "diskwright"]) {
            Some(Kind::Run)
        } else if has(&["jobs"]) && (has(&["fio version"]) || has(&["tool"])) {
            Some(Kind::Measured)
        } else if has(&["role", "text"]) {
            Some(Kind::Text)
        } else {
            None
        }
    }
}

/// One document.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// How it is called: its file.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// What it says.
    pub value: Value,
}

impl Document {
    /// A document by its content; none when it is not one of ours. Fields that differ from run to run are left out, and long
    /// series are thinned.
    pub fn new(name: &str, mut value: Value) -> Option<Document> {
        let kind = Kind::of(&value)?;
        match kind {
            Kind::Checklist => thin_checklist(&mut value),
            Kind::Run => steady(&mut value),
            Kind::Bench => figures_only(&mut value),
            _ => {}
        }
        Some(Document { name: name.into(), kind, value })
    }

    /// A text: `role` is `requirements`, `scenario` or `script`.
    pub fn text(name: &str, role: &str, text: &str) -> Document {
        Document { name: name.into(), kind: Kind::Text, value: json!({ "role": role, "text": text }) }
    }
}

/// The clock's fields of a simulated run say nothing about it.
fn steady(value: &mut Value) {
    let Some(top) = value.as_object_mut() else { return };
    for field in ["timestamp", "timestamp_ms", "time"] {
        top.shift_remove(field);
    }
    if let Some(run) = top.get_mut("diskwright").and_then(Value::as_object_mut) {
        run.shift_remove("wall_s");
    }
}

/// When a benchmark was, and fio's own output of every scenario: what it says is in the figures.
fn figures_only(value: &mut Value) {
    if let Some(top) = value.as_object_mut() {
        top.shift_remove("metadata");
    }
    for scenario in value["scenarios"].as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        scenario.shift_remove("fio");
    }
}

/// Every chunk of a long series becomes its busiest interval, as the document's own thinning does it.
fn thin_checklist(value: &mut Value) {
    for volume in value["volumes"].as_array_mut().into_iter().flatten() {
        let Some(series) = volume.get_mut("series").and_then(Value::as_object_mut) else { continue };
        let length = series.get(CHECKLIST_SERIES).and_then(Value::as_array).map_or(0, Vec::len);
        let every = length.div_ceil(POINTS);
        if every < 2 {
            continue;
        }
        let iops = |at: usize| series.get("iops").and_then(|list| list.get(at)).and_then(Value::as_f64).unwrap_or(0.0);
        let chunks = (0..length).step_by(every).map(|from| from..(from + every).min(length));
        let keep: Vec<usize> = chunks.filter_map(|chunk| chunk.max_by(|a, b| iops(*a).total_cmp(&iops(*b)))).collect();
        for column in series.values_mut() {
            if let Some(list) = column.as_array_mut().filter(|list| list.len() == length) {
                *list = keep.iter().map(|at| list[*at].clone()).collect();
            }
        }
        if let Some(stated) = series.get("every").and_then(Value::as_u64) {
            series.insert("every".into(), json!(stated * every as u64));
        }
    }
}

/// Documents under a title.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// What the report is about.
    pub title: String,
    /// In the order in which they were named.
    pub documents: Vec<Document>,
}

/// Why there is no report.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// A document is not what it seems to be.
    #[error("{name}: this looks like {}, but it cannot be read: {what}", article(*.kind))]
    Document {
        /// Its file.
        name: String,
        /// What it seemed.
        kind: Kind,
        /// What is wrong.
        what: String,
    },
    /// A page without its documents.
    #[error("{0}")]
    Page(String),
}

fn article(kind: Kind) -> &'static str {
    match kind {
        Kind::Checklist => "a checklist",
        Kind::Plan => "a plan",
        Kind::Run => "a simulated run",
        Kind::Measured => "measured results",
        Kind::Bench => "a benchmark",
        Kind::Explain => "an explanation",
        Kind::Verify => "a verification",
        Kind::Text => "a text",
    }
}

/// The element of a page that holds its documents.
const OPEN: &str = "<script type=\"application/json\" id=\"diskwright-report\">";

impl Report {
    /// Documents of one kind.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = &Document> {
        self.documents.iter().filter(move |document| document.kind == kind)
    }

    /// The whole as one value.
    pub fn to_value(&self) -> Value {
        let documents: Vec<Value> = self
            .documents
            .iter()
            .map(|d| json!({ "name": d.name, "kind": d.kind.name(), "document": d.value }))
            .collect();
        json!({ "schema_version": 1, "title": self.title, "documents": documents })
    }

    /// The report that a value holds; none when it holds none.
    pub fn of_value(value: &Value) -> Option<Report> {
        let documents = value.get("documents")?.as_array()?.iter().map(|d| {
            let kind = Kind::ALL.into_iter().find(|kind| d["kind"] == kind.name())?;
            Some(Document { name: d["name"].as_str()?.into(), kind, value: d["document"].clone() })
        });
        Some(Report { title: value["title"].as_str()?.into(), documents: documents.collect::<Option<_>>()? })
    }

    /// Whether a text is a page that holds its documents.
    pub fn is_page(text: &str) -> bool {
        text.contains(OPEN)
    }

    /// The report inside a page.
    pub fn open(page: &str) -> Result<Report, ReportError> {
        let fault = |what: &str| ReportError::Page(what.into());
        let start = page.find(OPEN).ok_or_else(|| fault("this page holds no documents of diskwright"))? + OPEN.len();
        let length =
            page[start..].find("</script>").ok_or_else(|| fault("this page is cut off within its documents"))?;
        let value: Value = serde_json::from_str(&page[start..start + length])
            .map_err(|e| fault(&format!("the documents inside this page are damaged: {e}")))?;
        Report::of_value(&value).ok_or_else(|| fault("the documents inside this page are of another version"))
    }

    /// The element that [`Report::open`] reads. `<` never stands in it: an element ends at the first `</script`, wherever it is.
    pub(crate) fn embedded(&self) -> String {
        let text = serde_json::to_string(&self.to_value()).unwrap_or_default().replace('<', "\\u003c");
        format!("{OPEN}{text}</script>")
    }
}
