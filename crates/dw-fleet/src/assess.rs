//! One VM: from what was recorded of it to its row.

use diskwright::dw_documents::plan::PlanDocument;
use diskwright::dw_observe::{ObserveError, Recorder, RecorderOptions, Settings, observe};
use diskwright::error::Kind;
use diskwright::explain::known_region;
use diskwright::keys::Keys;
use diskwright::observe::READINGS;
use diskwright::{Error, Observed, PlanOptions, Result, Session};
use serde_json::{Map, Value};

use crate::code::Code;
use crate::inventory::Machine;
use crate::job::Job;
use crate::results::{Outcome, Status};
use crate::rows::{Rows, Tally};

/// Of a VM with a larger share of rows that cannot be, the others are not believed either: 1 in so many.
const BELIEVED: u64 = 5;

/// Why a VM has no plan: a code, and a sentence.
#[derive(Debug)]
pub struct Failure {
    code: Code,
    message: String,
}

impl Failure {
    /// By its code.
    pub fn of(code: Code, message: impl Into<String>) -> Failure {
        Failure { code, message: message.into() }
    }

    fn said(code: Code, error: &Error) -> Failure {
        let hint = if error.hint.is_empty() { String::new() } else { format!("; {}", error.hint) };
        Failure::of(code, format!("{}{hint}", error.what))
    }
}

/// What ends the job instead of a VM.
pub enum Stop {
    /// This VM alone.
    Vm(Failure),
    /// Everything: someone asked to stop.
    Job(Error),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Vm(failure)
    }
}

/// The machine of the inventory, where it can be assessed at all.
pub fn check<'a>(vm: &str, machine: Option<&'a Machine>) -> Result<&'a Machine, Failure> {
    let Some(machine) = machine else {
        return Err(Failure::of(Code::NoInventory, format!("the inventory has no rows for VM `{vm}`")));
    };
    let wrong = |what: String| Err(Failure::of(Code::Inventory, format!("inventory of VM `{vm}`: {what}")));
    match machine.contradiction {
        Some("volume") => return wrong("a volume is listed twice".into()),
        Some(column) => return wrong(format!("its rows have different values in `{column}`")),
        None => {}
    }
    if machine.volumes.is_empty() {
        return wrong("it has no volumes".into());
    }
    for volume in &machine.volumes {
        if volume.capacity_bytes.is_none_or(|bytes| bytes <= 0) {
            return wrong(format!("`capacity_bytes` of volume `{}` is not above zero", volume.name));
        }
    }
    Ok(machine)
}

/// The outcome of one VM.
///
/// # Errors
/// Of kind `Interrupted` where the observer of the session wants to stop; what else fails is the VM's.
pub fn assess(session: &Session, job: &Job, (vm, machine): (&str, &Machine), rows: Rows) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    match planned(session, job, (vm, machine), rows, &mut outcome) {
        Ok(()) => Ok(outcome),
        Err(Stop::Job(error)) => Err(error),
        Err(Stop::Vm(failure)) => Ok(failed(failure, outcome)),
    }
}

/// An outcome without a plan.
pub fn failed(failure: Failure, outcome: Outcome) -> Outcome {
    let status = if failure.code == Code::Infeasible { Status::Infeasible } else { Status::Failed };
    Outcome { status: Some(status), code: Some(failure.code.word().into()), message: Some(failure.message), ..outcome }
}

fn planned(
    session: &Session,
    job: &Job,
    (vm, machine): (&str, &Machine),
    rows: Rows,
    outcome: &mut Outcome,
) -> Result<(), Stop> {
    if job.panic.as_deref() == Some(vm) {
        panic!("a fault on purpose");
    }
    let tally = rows.tally().clone();
    if tally.rows == 0 {
        return Err(Failure::of(Code::NoCounters, format!("there are no counters for VM `{vm}`")).into());
    }
    if let Some(left_out) = left_out(&tally).filter(|_| tally.dropped() > tally.rows / BELIEVED) {
        let message = format!("{}; with that many, the rest is not trusted either", left_out.message);
        return Err(Failure { message, ..left_out }.into());
    }
    // Whoever made the job has read its windows.
    let observed = observed(vm, &job.settings(machine).map_err(|e| stop(Code::Unexpected, e))?, rows)?;
    let checklist = observed.checklist();
    outcome.findings = checklist.findings.iter().map(|finding| finding.pitfall.clone()).collect();
    if job.documents {
        outcome.checklist_json = Some(printed(&checklist)?);
    }
    if let Some(region) = &machine.region {
        known_region(session.catalogue(), region).map_err(|e| Failure::said(Code::NoPrice, &e))?;
    }
    let keys = keys(job, machine, &observed);
    let window = job.window.as_deref().unwrap_or_else(|| observed.planned_window());
    let demand = session.demand_of(&observed, window, &keys).map_err(|e| stop(Code::Demand, e))?;
    let options = PlanOptions { simulate: job.simulate, choices: job.choices, threads: 1, ..PlanOptions::default() };
    let planned = session.plan_with(&demand, &options).map_err(|e| stop(Code::Demand, e))?;
    if job.documents {
        outcome.plan_json = Some(printed(&planned.document)?);
    }
    summarised(&planned.document, outcome)?;
    if let Some(left_out) = left_out(&tally) {
        (outcome.code, outcome.message) = (Some(left_out.code.word().into()), Some(left_out.message));
    }
    Ok(())
}

/// What rows say, as from a file that is called like the VM.
///
/// # Errors
/// The failure of a VM whose rows come to no checklist.
pub fn observed(vm: &str, settings: &Settings, mut rows: Rows) -> Result<Observed, Failure> {
    let read = |recorder: &mut Recorder| {
        rows.read(0, recorder);
        Ok(())
    };
    let recorder = Recorder::read_by(RecorderOptions::default(), settings, READINGS, read)?;
    let observation = observe(recorder, settings).map_err(|e| not_observed(&e))?;
    Ok(Observed { observation, names: vec![vm.to_string()] })
}

/// A document as the program prints it.
fn printed(document: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string_pretty(document).map_err(|e| Failure::of(Code::Unexpected, e.to_string()))
}

/// What the plan comes to in figures.
fn summarised(document: &PlanDocument, outcome: &mut Outcome) -> Result<(), Failure> {
    let plan = document.plan.as_ref().ok_or_else(|| Failure::of(Code::Infeasible, &document.answer.text))?;
    let binding = document.limits.iter().find(|limit| limit.binding);
    outcome.status = Some(Status::Planned);
    outcome.vm_size = Some(plan.vm.clone());
    outcome.monthly_micros = Some((plan.monthly * 1e6).round() as i64);
    outcome.binding_limit = binding.map(|limit| match &limit.of.volume {
        Some(volume) => format!("{volume}: {}", limit.of.limit),
        None => limit.of.limit.clone(),
    });
    outcome.headroom_ppm = binding.map(|limit| (limit.headroom_percent * 1e4).round() as i64);
    Ok(())
}

/// Rows that were left out, where there are any.
fn left_out(tally: &Tally) -> Option<Failure> {
    let bad = tally.worst()?;
    let (dropped, rows) = (tally.dropped(), tally.rows);
    Some(Failure::of(bad.code(), format!("{dropped} of {rows} rows were dropped: {}", bad.said())))
}

fn not_observed(error: &ObserveError) -> Failure {
    let code = match error {
        ObserveError::Volume(_) => Code::UnknownDevice,
        ObserveError::NoDisks(_) => Code::NoRows,
        ObserveError::Window(_) => Code::Window,
        ObserveError::Machines(_) | ObserveError::NoMachine(..) | ObserveError::Every(..) | ObserveError::Known(..) => {
            Code::Recording
        }
    };
    Failure::of(code, error.to_string())
}

fn stop(code: Code, error: Error) -> Stop {
    match error.kind {
        Kind::Interrupted => Stop::Job(error),
        Kind::Price => Failure::said(Code::NoPrice, &error).into(),
        Kind::Unexpected => Failure::said(Code::Unexpected, &error).into(),
        _ => Failure::said(code, &error).into(),
    }
}

/// What the inventory says, as keys of `requirements.toml`. Where use of processors or memory was not recorded, the plan has as much
/// of them as the VM has today.
fn keys(job: &Job, machine: &Machine, observed: &Observed) -> Keys {
    let mut plan = Map::new();
    if let Some(vcpu) = machine.vcpu.filter(|_| observed.observation.cpu.is_empty()) {
        plan.insert("vcpu_min".into(), vcpu.into());
    }
    if let Some(memory) = machine.memory_bytes.filter(|_| observed.observation.memory.is_empty()) {
        plan.insert("memory_min".into(), format!("{memory} B").into());
    }
    plan.extend(job.plan.clone());
    if let Some(region) = &machine.region {
        plan.insert("region".into(), region.as_str().into());
    }
    let volumes = machine.volumes.iter().map(|volume| {
        let mut keys = Map::new();
        keys.insert("capacity".into(), format!("{} B", volume.capacity_bytes.unwrap_or_default()).into());
        if let Some(role) = &volume.role {
            keys.insert("role".into(), role.as_str().into());
        }
        (volume.name.clone(), Value::Object(keys))
    });
    Keys::of_parts(plan, volumes.collect())
}
