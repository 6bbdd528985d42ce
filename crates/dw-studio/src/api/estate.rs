//! An inventory in: its machines by the money that cannot be used; and one of them, with its findings and its rig.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Body;
use diskwright::audit::{AuditOptions, doubts, estate};
use diskwright::dw_documents::audit::{AuditDocument, Finding, Level, saves_together};
use diskwright::dw_estate::{Estate, StripeFile};
use diskwright::{Error, Files as _, Result};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{App, JSON, Text, observe::decoded};
use crate::upload;

/// The inventory that was opened last; a page names it by number.
#[derive(Default)]
pub(crate) struct Estates(Mutex<(u64, Option<Arc<Opened>>)>);

struct Opened {
    estate: Estate,
    audit: AuditDocument,
    /// Machines of the document in the order of the table.
    order: Vec<usize>,
}

/// What a page asks, in the address: its body is the inventories.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    /// What they are called, and how long each is in the body, one after the other.
    files: Vec<(String, u64)>,
}

pub(super) async fn answer(app: Arc<App>, query: &str, body: Body) -> Result<Text> {
    let (most, patience) = (app.limits.upload_bytes, app.limits.patience);
    let begun = || -> Result<(Asked, (_, upload::Upload))> {
        let asked: Asked = super::read(&decoded(query)?)?;
        let upload = upload::Upload::new(asked.files.clone())?;
        Ok((asked, upload))
    };
    let (asked, (to, upload)) = match begun() {
        Ok(begun) => begun,
        Err(error) => {
            upload::dropped(body, most, patience).await;
            return Err(error);
        }
    };
    let place = app.plans.clone().acquire_owned().await.ok();
    let worked = tokio::task::spawn_blocking(move || {
        let _place = place;
        let names = asked.files.iter().map(|(name, _)| name);
        let failed = |name: &str, e: std::io::Error| Error::input(e.to_string()).of_file(name);
        let files = names.map(|name| Ok((name.clone(), upload.open(name).map_err(|e| failed(name, e))?)));
        let estate = estate(files.collect::<Result<Vec<_>>>()?)?;
        if estate.machines.is_empty() && estate.loose.is_empty() {
            let said: Vec<String> = doubts(&estate).iter().map(ToString::to_string).collect();
            return Err(Error::input(said.join("; ")).hint("drop the lists of machines and of disks together, as JSON"));
        }
        Ok((JSON, opened(&app, estate).to_string()))
    });
    upload::pass(body, to, most, patience).await;
    worked.await.unwrap_or_else(|e| Err(Error::unexpected(e.to_string())))
}

/// What warnings and errors of a machine come to: what ending them saves, the worst, how many.
type Sums<'a> = BTreeMap<(&'a str, &'a str), (f64, Option<Level>, usize)>;

fn sums(audit: &AuditDocument) -> Sums<'_> {
    let sum = |(machine, own): (_, Vec<&Finding>)| {
        let worst = own.iter().map(|finding| finding.level).max();
        let count = own.len();
        (machine, (saves_together(own), worst, count))
    };
    audit.by_machine().into_iter().map(sum).collect()
}

fn opened(app: &App, estate: Estate) -> Value {
    let audit = app.session.audit(&estate, &AuditOptions::default());
    let sums = sums(&audit);
    let of = |place: usize| {
        let one = &audit.estate[place];
        sums.get(&(one.id.as_str(), one.name.as_str())).copied().unwrap_or_default()
    };
    let mut order: Vec<usize> = (0..audit.estate.len()).collect();
    order.sort_by(|a, b| {
        let ((a_saves, a_worst, _), (b_saves, b_worst, _)) = (of(*a), of(*b));
        let names = || audit.estate[*a].name.cmp(&audit.estate[*b].name);
        b_saves.total_cmp(&a_saves).then_with(|| b_worst.cmp(&a_worst)).then_with(names)
    });
    let row = |place: &usize| {
        let (one, (saves, worst, count)) = (&audit.estate[*place], of(*place));
        let tags: Vec<String> = one.tags.iter().map(|(key, value)| format!("{key}={value}")).collect();
        json!([one.name, one.size, one.region, one.monthly, saves, worst.map(Level::word), count, tags.join(", ")])
    };
    let rows: Vec<Value> = order.iter().map(row).collect();
    let mut answer = json!({
        "machines": audit.machines, "disks": audit.disks, "cost": audit.cost, "counts": audit.counts, "doubts": audit.doubts,
        "saves": sums.values().map(|(saves, ..)| saves).sum::<f64>(), "rows": rows,
    });
    drop(sums);
    let mut last = app.estates.0.lock().unwrap_or_else(PoisonError::into_inner);
    last.0 += 1;
    answer["estate"] = last.0.into();
    last.1 = Some(Arc::new(Opened { estate, audit, order }));
    answer
}

/// A machine of the inventory that is open.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Which {
    estate: u64,
    /// Its place in the table.
    place: usize,
}

pub(super) fn machine(app: &App, which: &Which) -> Result<Text> {
    let last = app.estates.0.lock().unwrap_or_else(PoisonError::into_inner);
    let found = last.1.clone().filter(|_| last.0 == which.estate);
    drop(last);
    let gone = || Error::usage("this inventory is open no more").hint("drop it again");
    let open = found.ok_or_else(gone)?;
    let one = open.order.get(which.place).map(|place| &open.audit.estate[*place]).ok_or_else(gone)?;
    let is_own = |finding: &&Finding| finding.machine_id == one.id && finding.machine == one.name;
    let findings: Vec<&Finding> = open.audit.findings.iter().filter(is_own).collect();
    let rig = app.session.rig_of_machine(
        &open.estate,
        if one.id.is_empty() { &one.name } else { &one.id },
        &StripeFile::default(),
    );
    let why = rig.as_ref().err().map(|error| error.what.clone());
    Ok((JSON, json!({ "machine": one, "findings": findings, "rig": rig.ok(), "why": why }).to_string()))
}
