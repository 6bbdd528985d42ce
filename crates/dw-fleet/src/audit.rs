//! An estate as rows of records: the findings of each machine, as `audit` prints them.
//!
//! A row is a record as its cloud's commands print it, as JSON, and whose it is: the id of the machine, empty for what is on none. Rows of a machine
//! are together; its findings depend on them alone. What two sources contradict each other in is as the first row has it.
//!
//! Ignores: waivers and baselines, which are of an estate: take them off the findings.

use std::io::BufRead;
use std::sync::Arc;

use arrow_array::builder::{Float64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use diskwright::audit::{Auditor, StripeFile, estate};
use diskwright::dw_documents::audit::{Effort, Finding};
use diskwright::{Error, Result, Session};
use serde_json::Value;

use crate::columns::{optional, text, texts};

/// What records without a file are called.
const NAMELESS: &str = "records";

/// Finds what is wrong with every machine of a stream.
pub struct AuditKernel {
    stripes: StripeFile,
    current: Option<Machine>,
    done: Vec<(String, Finding)>,
}

/// The machine whose rows are coming.
struct Machine {
    vm: String,
    /// Its records by their sources, in the order of rows.
    records: Vec<(String, String)>,
}

impl AuditKernel {
    /// `stripes`: which disks are one volume, as the file of `audit --stripes` has it; empty for none.
    ///
    /// # Errors
    /// Of kind `Input` where it is no such file.
    pub fn new(stripes: &str) -> Result<AuditKernel> {
        let stripes = if stripes.is_empty() { StripeFile::default() } else { StripeFile::read("stripes", stripes)? };
        Ok(AuditKernel { stripes, current: None, done: Vec::new() })
    }

    /// Takes a batch with `vm`, `record`, and perhaps `source`.
    ///
    /// # Errors
    /// Of kind `Input` where a column is missing or of another type, or rows of a machine are not together.
    pub fn feed(&mut self, session: &Session, batch: &RecordBatch) -> Result<()> {
        let (vms, records) = (texts(batch, "vm")?, texts(batch, "record")?);
        let sources = optional::<StringArray>(batch, "source", "string")?;
        let auditor = session.auditor(&self.stripes);
        for row in 0..batch.num_rows() {
            let (vm, record) = (text(vms, row).unwrap_or_default(), text(records, row).unwrap_or_default());
            let source = sources.and_then(|sources| text(sources, row)).unwrap_or(NAMELESS);
            if self.current.as_ref().is_none_or(|current| current.vm != vm) {
                let before = self.current.as_ref().map(|current| current.vm.clone());
                self.end(&auditor)?;
                if let Some(before) = before.filter(|before| vm < before.as_str()) {
                    return Err(Error::input(format!("`{vm}` comes after `{before}`: rows are not sorted by `vm`"))
                        .hint("sort by vm, source"));
                }
                self.current = Some(Machine { vm: vm.into(), records: Vec::new() });
            }
            let Some(current) = &mut self.current else { continue };
            match current.records.last_mut().filter(|(last, _)| last == source) {
                Some((_, together)) => {
                    together.push('\n');
                    together.push_str(record);
                }
                None => current.records.push((source.into(), record.into())),
            }
        }
        Ok(())
    }

    /// No more rows will come.
    ///
    /// # Errors
    /// As `feed`.
    pub fn finish(&mut self, session: &Session) -> Result<()> {
        let auditor = session.auditor(&self.stripes);
        self.end(&auditor)
    }

    fn end(&mut self, auditor: &Auditor) -> Result<()> {
        let Some(Machine { vm, records }) = self.current.take() else { return Ok(()) };
        let estate = estate(records.iter().map(|(source, records)| (source.clone(), records.as_bytes())))?;
        let findings = auditor.audit(&estate).findings;
        self.done.extend(findings.into_iter().map(|finding| (vm.clone(), finding)));
        Ok(())
    }

    /// Findings that were not taken yet.
    pub fn take(&mut self) -> RecordBatch {
        batch(&std::mem::take(&mut self.done))
    }
}

const TEXTS: [&str; 12] = [
    "vm",
    "code",
    "level",
    "machine",
    "machine_id",
    "disk",
    "disk_id",
    "file",
    "finding",
    "remedy",
    "effort",
    "confidence",
];

/// Columns of findings: those of `audit --format csv`, and the finding as `--format json` has it.
pub fn schema() -> Schema {
    let texts = TEXTS.iter().map(|name| Field::new(*name, DataType::Utf8, true));
    let money = ["monthly", "monthly_after"].map(|name| Field::new(name, DataType::Float64, true));
    let json = Field::new("finding_json", DataType::Utf8, true);
    Schema::new(texts.chain(money).chain([json]).collect::<Vec<_>>())
}

fn batch(rows: &[(String, Finding)]) -> RecordBatch {
    let mut columns: Vec<StringBuilder> = TEXTS.iter().map(|_| StringBuilder::new()).collect();
    let mut money = [Float64Builder::new(), Float64Builder::new()];
    let mut json = StringBuilder::new();
    for (vm, finding) in rows {
        let remedy = finding.remedy.as_ref();
        let cells = [
            Some(vm.as_str()),
            Some(&finding.code),
            Some(finding.level.word()),
            Some(&finding.machine),
            Some(&finding.machine_id),
            Some(&finding.disk),
            Some(&finding.disk_id),
            Some(&finding.file),
            Some(&finding.says.text),
            remedy.map(|remedy| remedy.what.text.as_str()),
            remedy.and_then(|remedy| remedy.effort).map(Effort::word),
            Some(finding.confidence.word()),
        ];
        columns.iter_mut().zip(cells).for_each(|(column, cell)| column.append_option(cell));
        money[0].append_option(finding.monthly);
        money[1].append_option(finding.monthly_after);
        json.append_value(serde_json::to_string(finding).unwrap_or_default());
    }
    let texts = columns.into_iter().map(|mut column| Arc::new(column.finish()) as ArrayRef);
    let money = money.map(|mut column| Arc::new(column.finish()) as ArrayRef);
    let columns = texts.chain(money).chain([Arc::new(json.finish()) as ArrayRef]).collect();
    RecordBatch::try_new(Arc::new(schema()), columns).expect("columns are those of the schema, a value for each row")
}

/// Records of a list or a page, as rows for the kernel: `vm`, `source`, `record`.
///
/// # Errors
/// Of kind `Input` where the file is not JSON, or holds what belongs to no machine before all of it is read, such as a plan.
pub fn records(source: &str, from: impl BufRead) -> Result<RecordBatch> {
    let whole: Value =
        serde_json::from_reader(from).map_err(|e| Error::input(format!("not JSON: {e}")).of_file(source))?;
    let list = match whole {
        Value::Array(list) => list,
        Value::Object(mut page) => match ["value", "data"].iter().find_map(|key| page.remove(*key)) {
            Some(Value::Array(list)) => list,
            _ => {
                let hint = "plans, states and templates are read whole: `diskwright audit` takes them";
                return Err(Error::input("neither a list of records nor a page of one").hint(hint).of_file(source));
            }
        },
        _ => Vec::new(),
    };
    let (mut vms, mut sources, mut texts) = (StringBuilder::new(), StringBuilder::new(), StringBuilder::new());
    for record in list {
        let vm = diskwright::dw_catalogue::inventories().iter().find_map(|vendor| vendor.machine_of(&record));
        vms.append_value(vm.unwrap_or_default());
        sources.append_value(source);
        texts.append_value(record.to_string());
    }
    let fields = ["vm", "source", "record"].map(|name| Field::new(name, DataType::Utf8, true));
    let columns: Vec<ArrayRef> = [vms, sources, texts].map(|mut column| Arc::new(column.finish()) as ArrayRef).into();
    Ok(RecordBatch::try_new(Arc::new(Schema::new(fields.to_vec())), columns).expect("three columns of one length"))
}
