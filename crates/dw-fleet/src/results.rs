//! A row for each VM.

use std::sync::Arc;

use arrow_array::builder::{Int64Builder, ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};

/// Buckets that VMs are laid out in.
pub const BUCKETS: u32 = 1024;

/// The bucket of a VM.
pub fn bucket(vm: &str) -> i64 {
    i64::from(crc32fast::hash(vm.as_bytes()) % BUCKETS)
}

/// What tells catalogues apart: the shipped one, and the text that is laid over it.
pub fn catalogue_fingerprint(layer: Option<&str>) -> String {
    let crc = |parts: &mut dyn Iterator<Item = &[u8]>| {
        let mut hasher = crc32fast::Hasher::new();
        parts.for_each(|part| hasher.update(part));
        hasher.finalize()
    };
    let shipped = crc(&mut diskwright::Catalogue::shipped_bytes());
    let layer = layer.map(|layer| format!("+{:08x}", crc(&mut std::iter::once(layer.as_bytes()))));
    format!("{shipped:08x}{}", layer.unwrap_or_default())
}

/// What became of a VM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// There is a plan.
    Planned,
    /// Nothing on offer meets the demand.
    Infeasible,
    /// It could not be planned.
    Failed,
}

impl Status {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Status::Planned => "planned",
            Status::Infeasible => "infeasible",
            Status::Failed => "failed",
        }
    }
}

/// What was found out about a VM.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// What became of it; absent = failed.
    pub status: Option<Status>,
    /// What is wrong, as a stable word.
    pub code: Option<String>,
    /// The same as a sentence.
    pub message: Option<String>,
    /// The size that it is to be.
    pub vm_size: Option<String>,
    /// What a month costs.
    pub monthly_micros: Option<i64>,
    /// The limit with the least headroom.
    pub binding_limit: Option<String>,
    /// How much of it is left.
    pub headroom_ppm: Option<i64>,
    /// As `observe --format json` prints it.
    pub checklist_json: Option<String>,
    /// As `plan --format json` prints it.
    pub plan_json: Option<String>,
    /// Codes of what to doubt of the recording.
    pub findings: Vec<String>,
}

/// One row.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultRow {
    pub vm: String,
    /// What was found out.
    pub outcome: Outcome,
    /// Rows of counters that it rests on.
    pub rows_used: i64,
    /// Rows that were left out.
    pub rows_dropped: i64,
}

/// Columns of results.
pub fn schema() -> Schema {
    let text = |name: &str, nullable| Field::new(name, DataType::Utf8, nullable);
    let number = |name: &str, nullable| Field::new(name, DataType::Int64, nullable);
    let list = DataType::List(Arc::new(Field::new("item", DataType::Utf8, true)));
    Schema::new(vec![
        text("job_id", true),
        number("vm_bucket", true),
        text("vm", true),
        text("status", true),
        text("code", true),
        text("message", true),
        text("vm_size", true),
        number("monthly_micros", true),
        text("binding_limit", true),
        number("headroom_ppm", true),
        text("checklist_json", true),
        text("plan_json", true),
        Field::new("findings", list, true),
        number("rows_used", true),
        number("rows_dropped", true),
    ])
}

/// Rows as a batch.
pub fn batch(job_id: &str, rows: &[ResultRow]) -> RecordBatch {
    let texts = |of: &dyn Fn(&ResultRow) -> Option<String>| -> ArrayRef {
        let mut column = StringBuilder::new();
        rows.iter().for_each(|row| column.append_option(of(row)));
        Arc::new(column.finish())
    };
    let numbers = |of: &dyn Fn(&ResultRow) -> Option<i64>| -> ArrayRef {
        let mut column = Int64Builder::new();
        rows.iter().for_each(|row| column.append_option(of(row)));
        Arc::new(column.finish())
    };
    let mut findings = ListBuilder::new(StringBuilder::new());
    for row in rows {
        row.outcome.findings.iter().for_each(|code| findings.values().append_value(code));
        findings.append(true);
    }
    let columns = vec![
        texts(&|_| Some(job_id.to_string())),
        numbers(&|row| Some(bucket(&row.vm))),
        texts(&|row| Some(row.vm.clone())),
        texts(&|row| Some(row.outcome.status.unwrap_or(Status::Failed).word().to_string())),
        texts(&|row| row.outcome.code.clone()),
        texts(&|row| row.outcome.message.clone()),
        texts(&|row| row.outcome.vm_size.clone()),
        numbers(&|row| row.outcome.monthly_micros),
        texts(&|row| row.outcome.binding_limit.clone()),
        numbers(&|row| row.outcome.headroom_ppm),
        texts(&|row| row.outcome.checklist_json.clone()),
        texts(&|row| row.outcome.plan_json.clone()),
        Arc::new(findings.finish()) as ArrayRef,
        numbers(&|row| Some(row.rows_used)),
        numbers(&|row| Some(row.rows_dropped)),
    ];
    RecordBatch::try_new(Arc::new(schema()), columns).expect("columns are those of the schema, a value for each row")
}
