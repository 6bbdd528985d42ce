//! One VM: from what was recorded of it to its row.

use std::collections::BTreeMap;

use diskwright::dw_counters::LOCAL_DISK;
use diskwright::dw_documents::plan::PlanDocument;
use diskwright::dw_observe::audit::SHORT;
use diskwright::dw_observe::volumes::{self, Traffic};
use diskwright::dw_observe::{ALL_LUNS, ObserveError, Recorder, RecorderOptions, Role, Settings, observe};
use diskwright::error::Kind;
use diskwright::explain::known_region;
use diskwright::keys::Keys;
use diskwright::observe::READINGS;
use diskwright::{Demand, Error, ObservationOutcome, PlanOptions, Result, Session};
use serde_json::{Map, Value};

use crate::code::Code;
use crate::inventory::{Machine, Volume};
use crate::job::Job;
use crate::results::{Outcome, Status};
use crate::rows::{Rows, Tally};

/// Of a VM with a larger share of rows that cannot be, the others are not believed either: 1 in so many.
const BELIEVED: u64 = 5;
/// A smaller volume is one whose capacity is not in bytes: in MiB it would be one of 64 TiB.
const SMALLEST_VOLUME: i64 = 64 << 20;
/// Nor has any VM so little memory: half a GiB is the least that is sold.
const LEAST_MEMORY: i64 = 256 << 20;
/// Of all that a VM's disks did, devices that no volume names may do so much: 1 in so many.
const UNNAMED: i64 = 100;

/// Why a VM has no plan: a code, and a sentence.
#[derive(Debug)]
pub struct Failure {
    code: Code,
    message: String,
}

impl Failure {
    /// By its code.
    pub fn new(code: Code, message: impl Into<String>) -> Failure {
        Failure { code, message: message.into() }
    }

    fn said(code: Code, error: &Error) -> Failure {
        let hint = if error.hint.is_empty() { String::new() } else { format!("; {}", error.hint) };
        Failure::new(code, format!("{}{hint}", error.what))
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

/// The machine of the inventory, where it can be assessed.
pub fn check<'a>(vm: &str, machine: Option<&'a Machine>) -> Result<&'a Machine, Failure> {
    let Some(machine) = machine else {
        return Err(Failure::new(Code::NoInventory, format!("the inventory has no rows for VM `{vm}`")));
    };
    let wrong = |what: String| Err(Failure::new(Code::Inventory, format!("inventory of VM `{vm}`: {what}")));
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
    let units = |what: String, found: i64| {
        let gib = i128::from(found) << 30;
        let message =
            format!("inventory of VM `{vm}`: {what} is {found}, but bytes are expected ({found} GiB are {gib})");
        Err(Failure::new(Code::Implausible, message))
    };
    for volume in &machine.volumes {
        if let Some(found) = volume.capacity_bytes.filter(|bytes| *bytes < SMALLEST_VOLUME) {
            return units(format!("`capacity_bytes` of volume `{}`", volume.name), found);
        }
    }
    if let Some(found) = machine.memory_bytes.filter(|bytes| *bytes < LEAST_MEMORY) {
        return units("`memory_bytes`".into(), found);
    }
    if let Some(vcpu) = machine.vcpu.filter(|vcpu| *vcpu <= 0) {
        return Err(Failure::new(Code::Implausible, format!("inventory of VM `{vm}`: `vcpu` is {vcpu}")));
    }
    Ok(machine)
}

/// Whether two names of Windows are of one disk: `2 E:` and `E:`, or `LogicalDisk(E:)`.
fn share_a_letter(a: &str, b: &str) -> bool {
    let letters = |name: &str| -> Vec<String> {
        let words = name.split([' ', '(', ')']);
        words.filter(|word| word.len() == 2 && word.ends_with(':')).map(str::to_uppercase).collect()
    };
    let ours = letters(a);
    letters(b).iter().any(|letter| ours.contains(letter))
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
        return Err(Failure::new(Code::NoCounters, format!("there are no counters for VM `{vm}`")).into());
    }
    let left_out = left_out(&tally);
    if let Some(left_out) = left_out.as_ref().filter(|_| tally.dropped() > tally.rows / BELIEVED) {
        let message = format!("{}; that many cast doubt on the rest", left_out.message);
        return Err(Failure { message, code: left_out.code }.into());
    }
    let unnamed = unnamed(machine, &rows);
    // Whoever made the job has read its windows.
    let observed = observed(vm, &job.settings(machine).map_err(|e| stop(Code::Unexpected, e))?, rows)?;
    let checklist = observed.checklist();
    outcome.findings = checklist.findings.iter().map(|finding| finding.pitfall.clone()).collect();
    if job.documents {
        outcome.checklist_json = Some(printed(&checklist)?);
    }
    if let Some(region) = &machine.region {
        known_region(session.of_region(region).catalogue(), region).map_err(|e| Failure::said(Code::NoPrice, &e))?;
    }
    let keys = keys(job, machine, &observed);
    let window = match &job.window {
        Some(window) => window.as_str(),
        None => observed.planned_window().map_err(|e| stop(Code::Window, e))?,
    };
    let demand = session.demand_of(&observed, window, &keys).map_err(|e| stop(Code::Demand, e))?;
    if let Some(no_size) = no_size(&demand, machine) {
        return Err(no_size.into());
    }
    let no_region = no_region(job, machine, &demand);
    let doubts = [unnamed, short(&observed), left_out, no_region];
    let options = PlanOptions { simulate: job.simulate, choices: job.choices, threads: 1, ..PlanOptions::default() };
    let planned = session.plan_with(&demand, &options).map_err(|e| stop(Code::Demand, e))?;
    if job.documents {
        outcome.plan_json = Some(printed(&planned.document)?);
    }
    summarised(&planned.document, outcome)?;
    let mut doubts: Vec<Failure> = doubts.into_iter().flatten().collect();
    // What makes a plan unsure is said first.
    let used = tally.rows - tally.dropped();
    doubts.sort_by_key(|doubt| doubt.code.is_sure(used, tally.dropped()));
    outcome.code = doubts.first().map(|doubt| doubt.code.word().into());
    let messages: Vec<String> = doubts.into_iter().map(|doubt| doubt.message).collect();
    outcome.message = Some(messages.join("; ")).filter(|said| !said.is_empty());
    Ok(())
}

/// A plan for processors and memory that nobody knows would be of the smallest VM that there is.
fn no_size(demand: &Demand, machine: &Machine) -> Option<Failure> {
    let (load, wishes) = (&demand.requirements, &demand.wishes);
    let has_vcpu = wishes.vcpu_min > 0 || load.processors.is_some() && load.cpu_percent.is_some();
    let has_memory = wishes.memory_min.get() > 0 || load.memory_used.is_some();
    let (what, columns) = match (has_vcpu, has_memory) {
        (true, true) => return None,
        (false, false) => ("CPUs and how much memory", "`vcpu` and `memory_bytes`"),
        (false, true) => ("processors", "`vcpu`"),
        (true, false) => ("bytes of memory", "`memory_bytes`"),
    };
    let size = machine.vm_size.as_ref().map(|size| format!(" (the catalogue does not have its size, {size})"));
    let message = format!(
        "how many {what} it needs is unknown{}: fill {columns} or `vm_size` in the inventory, or record host rows",
        size.unwrap_or_default()
    );
    Some(Failure::new(Code::NoSize, message))
}

fn no_region(job: &Job, machine: &Machine, demand: &Demand) -> Option<Failure> {
    if machine.region.is_some() || job.plan.contains_key("region") {
        return None;
    }
    let region = &demand.wishes.region;
    let message = format!("neither the inventory nor the job has a `region`: it is planned and priced in {region}");
    Some(Failure::new(Code::NoRegion, message))
}

fn short(observed: &ObservationOutcome) -> Option<Failure> {
    let covered = observed.observation.volumes.first()?.series.covered();
    let minutes = covered.ns() as f64 / 60e9;
    let message = format!("its counters cover {minutes:.0} min: too short to plan from, for lack of a busy hour");
    (covered < SHORT).then(|| Failure::new(Code::Short, message))
}

/// What disks did that no volume names, where it is more than a little of all.
fn unnamed(machine: &Machine, rows: &Rows) -> Option<Failure> {
    let named: Vec<&str> = machine.volumes.iter().flat_map(Volume::devices).collect();
    let did: BTreeMap<&str, [i64; 2]> = rows.did().filter(|(device, _)| *device != LOCAL_DISK).collect();
    // Devices that lie on each other count the same I/O: of those one would be chosen. Without a LUN the metric is of all of them.
    let role = |device: &str| if device == ALL_LUNS { Role::Disk } else { Role::Unknown };
    let devices = did.keys().map(|device| ((*device).into(), role(device))).collect();
    let counted = volumes::choose(&devices, &[], &[], &[], &|_| Traffic::new()).ok()?.counted;
    let counted: Vec<String> = counted.into_iter().flat_map(|volume| volume.devices).map(|d| d.to_string()).collect();
    let has_bytes = did.values().any(|did| did[0] > 0);
    let of = |device: &str| did.get(device).map_or(0, |did| did[usize::from(!has_bytes)]);
    let sum = |devices: &[&str]| devices.iter().map(|device| of(device)).fold(0, i64::saturating_add);
    let is_known = |device: &str| named.iter().any(|name| *name == device || share_a_letter(name, device));
    let rest: Vec<&str> = counted.iter().map(String::as_str).filter(|device| !is_known(device)).collect();
    let layers: Vec<&str> = named.iter().copied().filter(|name| !counted.iter().any(|device| device == name)).collect();
    // What a named volume did is in its disks again, and in a mirror's twice.
    let unknown = sum(&rest).saturating_sub(sum(&layers).saturating_mul(2));
    let all = sum(&named).saturating_add(unknown);
    let mut says: Vec<String> = Vec::new();
    if unknown > all / UNNAMED {
        let share = 100.0 * unknown as f64 / all as f64;
        let devices: Vec<String> =
            rest.iter().filter(|device| of(device) > 0).map(|device| format!("`{device}`")).collect();
        says.push(format!("the inventory has no volume for {}, with {share:.0} % of the I/O", devices.join(", ")));
    }
    if machine.unnamed > 0 {
        says.push(format!("`volume` is missing in {} of its rows in the inventory", machine.unnamed));
    }
    (!says.is_empty())
        .then(|| Failure::new(Code::PartialInventory, format!("{}: the plan does not include it", says.join("; "))))
}

/// What rows say, as from a file that is called like the VM.
///
/// # Errors
/// The failure of a VM whose rows come to no checklist.
pub fn observed(vm: &str, settings: &Settings, mut rows: Rows) -> Result<ObservationOutcome, Failure> {
    let read = |recorder: &mut Recorder| {
        rows.read(0, recorder);
        Ok(())
    };
    let recorder = Recorder::read_by(RecorderOptions::default(), settings, READINGS, read)?;
    let observation = observe(recorder, settings).map_err(|e| not_observed(&e))?;
    Ok(ObservationOutcome { observation, names: vec![vm.to_string()] })
}

/// A document as the program prints it.
fn printed(document: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string_pretty(document).map_err(|e| Failure::new(Code::Unexpected, e.to_string()))
}

/// What the plan comes to in figures.
fn summarised(document: &PlanDocument, outcome: &mut Outcome) -> Result<(), Failure> {
    let plan = document.plan.as_ref().ok_or_else(|| Failure::new(Code::Infeasible, &document.answer.text))?;
    let binding = document.limits.iter().find(|limit| limit.binding);
    outcome.status = Some(Status::Planned);
    outcome.vm_size = Some(plan.vm_said().into_owned());
    outcome.monthly_micros = Some((plan.monthly * 1e6).round() as i64);
    outcome.binding_limit = binding.map(|limit| match &limit.of.volume {
        Some(volume) => format!("{volume}: {}", limit.of.limit),
        None => limit.of.limit.clone(),
    });
    outcome.headroom_ppm = binding.map(|limit| (limit.headroom_percent * 1e4).round() as i64);
    Ok(())
}

/// Rows that were left out, where there are any, by what is most often wrong.
fn left_out(tally: &Tally) -> Option<Failure> {
    let bad = tally.worst()?;
    let (dropped, rows) = (tally.dropped(), tally.rows);
    Some(Failure::new(bad.code(), format!("{dropped} of {rows} rows were dropped: {}", bad.said())))
}

fn not_observed(error: &ObserveError) -> Failure {
    let code = match error {
        ObserveError::Volume(_) => Code::UnknownDevice,
        ObserveError::NoDisks(..) => Code::NoRows,
        ObserveError::Window(_) => Code::Window,
        ObserveError::Devices(_) => Code::Implausible,
        ObserveError::Machines(_)
        | ObserveError::NoMachine(..)
        | ObserveError::Every(..)
        | ObserveError::Memory(..)
        | ObserveError::Known(..) => Code::Recording,
    };
    Failure::new(code, error.to_string())
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
fn keys(job: &Job, machine: &Machine, observed: &ObservationOutcome) -> Keys {
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
    let volumes = machine.volumes.iter().zip(machine.volume_names()).map(|(volume, name)| {
        let mut keys = Map::new();
        keys.insert("capacity".into(), format!("{} B", volume.capacity_bytes.unwrap_or_default()).into());
        if let Some(role) = &volume.role {
            keys.insert("role".into(), role.as_str().into());
        }
        (name, Value::Object(keys))
    });
    Keys::of_parts(plan, volumes.collect())
}
