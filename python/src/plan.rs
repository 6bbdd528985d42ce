//! VM size and disks that meet a demand.

use std::collections::BTreeMap;

use diskwright::dw_documents::plan::{LicenceRow, PlanRow, VolumeRow};
use diskwright::dw_documents::summary::lines;
use diskwright::dw_documents::verdict::{Check, State};
use diskwright::messages::Language;
use diskwright::{Demand, PlanOptions, PlanOutcome};
use pyo3::prelude::*;

use crate::catalogue::Catalogue;
use crate::requirements::Requirements;
use crate::rig::Rig;
use crate::table::{Table, counts, flags, floats, texts};
use crate::{error, result, work};

/// The cheapest VM size and disks that meet a demand, with the proof; or why there is none.
#[pyclass(frozen, module = "diskwright")]
pub struct Plan {
    planned: PlanOutcome,
    /// What it was planned with: its disks are looked up there.
    catalogue: Option<Py<Catalogue>>,
}

/// Plans a demand.
#[pyfunction]
#[pyo3(signature = (requirements, *, why_not, simulate, choices, threads, catalogue, progress))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub fn plan(
    py: Python<'_>,
    requirements: &Requirements,
    why_not: Vec<String>,
    simulate: bool,
    choices: bool,
    threads: Option<usize>,
    catalogue: Option<Py<Catalogue>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Plan> {
    let threads = threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1);
    let options = PlanOptions { why_not, simulate, choices, threads };
    let demand = requirements.demand();
    let of = catalogue.as_ref().map(|catalogue| catalogue.get());
    let planned = work::with_session(py, of, progress, |session| session.plan_with(demand, &options))?;
    Ok(Plan { planned, catalogue })
}

#[pymethods]
impl Plan {
    /// Whether there is one.
    #[getter]
    fn feasible(&self) -> bool {
        self.planned.document.plan.is_some()
    }

    /// The VM size.
    #[getter]
    fn vm(&self) -> Option<&str> {
        self.row().map(|plan| plan.vm.as_str())
    }

    /// What a month costs, in `currency`.
    #[getter]
    fn monthly(&self) -> Option<f64> {
        self.row().map(|plan| plan.monthly)
    }

    /// The same without licences by core.
    #[getter]
    fn monthly_without_licences(&self) -> Option<f64> {
        self.row().map(|plan| plan.monthly_without_licences.unwrap_or(plan.monthly))
    }

    #[getter]
    fn currency(&self) -> &str {
        &self.planned.document.currency
    }

    /// What it meets, with the load over time.
    #[getter]
    fn requirements(&self) -> Requirements {
        Requirements::of_demand(Demand::new(self.planned.requirements.clone(), self.planned.wishes.clone()))
    }

    /// The plan in a sentence, or why there is none.
    #[getter]
    fn answer(&self) -> &str {
        &self.planned.document.answer.text
    }

    /// The whole answer: sentence, conditions, checks with figures and evidence, price by part, break point, risks, next steps, savings.
    #[getter]
    fn decision<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = result::json(&self.planned.document.decision)?;
        py.import("json")?.call_method1("loads", (text,))
    }

    /// Whether it does all that was asked: `met`, `met_with_condition` or `not_met`.
    #[getter]
    fn verdict(&self) -> &'static str {
        match self.planned.document.state() {
            State::Met => "met",
            State::MetWithCondition => "met_with_condition",
            State::NotMet => "not_met",
        }
    }

    /// A row for each thing that was checked: how far it is met, what was found and asked, and why not or on which condition.
    fn checks(&self) -> Table {
        let verdict = self.planned.document.verdict.as_ref();
        let all: Vec<&Check> = verdict.into_iter().flat_map(|verdict| &verdict.checks).collect();
        let why = |check: &Check| check.why.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        Table::new(vec![
            ("check", texts(all.iter().map(|check| Some(check.of.word())))),
            ("state", texts(all.iter().map(|check| Some(check.state.word())))),
            ("figure", floats(all.iter().map(|check| check.figure))),
            ("asked", floats(all.iter().map(|check| check.asked))),
            ("why", texts(all.iter().map(|check| Some(why(check)).filter(|why| !why.is_empty())))),
        ])
    }

    /// A row for each volume: its disks, host cache, stripe, latency, what a month costs.
    fn table(&self) -> Table {
        let all: Vec<&VolumeRow> = self.row().into_iter().flat_map(|plan| &plan.volumes).collect();
        let count = |of: fn(&VolumeRow) -> Option<u64>| counts(all.iter().map(|volume| of(volume)));
        Table::new(vec![
            ("volume", texts(all.iter().map(|v| Some(&v.name)))),
            ("role", texts(all.iter().map(|v| Some(&v.role)))),
            ("capacity_gib", count(|v| Some(v.capacity_gib))),
            ("disk", texts(all.iter().map(|v| v.disk.as_ref()))),
            ("disks", count(|v| Some(u64::from(v.disks)))),
            ("disk_gib", count(|v| v.disk_gib)),
            ("disk_iops", count(|v| v.disk_iops)),
            ("disk_mb_per_s", count(|v| v.disk_mb_per_s)),
            ("disk_tier", texts(all.iter().map(|v| v.disk_tier.as_ref()))),
            ("performance_plus", flags(all.iter().map(|v| Some(v.performance_plus)))),
            ("on_demand_bursting", flags(all.iter().map(|v| Some(v.on_demand_bursting)))),
            ("host_cache", texts(all.iter().map(|v| Some(&v.host_cache)))),
            ("hit_percent", floats(all.iter().map(|v| Some(v.hit_percent)))),
            ("stripe_unit", count(|v| v.stripe_unit)),
            ("queue_depth", count(|v| Some(v.queue_depth))),
            ("read_latency_us", count(|v| Some(v.read_latency_us))),
            ("write_latency_us", count(|v| Some(v.write_latency_us))),
            ("monthly", floats(all.iter().map(|v| Some(v.monthly)))),
        ])
    }

    /// A row for each licence that is paid by core: cores that are paid, and what a month costs.
    fn licences(&self) -> Table {
        let all: Vec<&LicenceRow> = self.row().into_iter().flat_map(|plan| &plan.licences).collect();
        Table::new(vec![
            ("licence", texts(all.iter().map(|row| Some(&row.name)))),
            ("cores", counts(all.iter().map(|row| Some(u64::from(row.cores))))),
            ("monthly", floats(all.iter().map(|row| Some(row.monthly)))),
        ])
    }

    /// A row for each limit: what it gives, what is asked of it, how much is left.
    fn limits(&self) -> Table {
        let all = &self.planned.document.limits;
        Table::new(vec![
            ("limit", texts(all.iter().map(|limit| Some(&limit.of.limit)))),
            ("volume", texts(all.iter().map(|limit| limit.of.volume.as_ref()))),
            ("unit", texts(all.iter().map(|limit| Some(&limit.of.unit)))),
            ("capacity", floats(all.iter().map(|limit| Some(limit.capacity)))),
            ("planned", floats(all.iter().map(|limit| limit.planned))),
            ("headroom_percent", floats(all.iter().map(|limit| Some(limit.headroom_percent)))),
            ("binding", flags(all.iter().map(|limit| Some(limit.binding)))),
        ])
    }

    /// A row for each design to choose from: what it is, what it costs, whether its simulation keeps what was asked.
    fn designs(&self) -> Table {
        let all = &self.planned.document.designs;
        let words = |row: &diskwright::dw_documents::plan::DesignRow| {
            row.design.iter().map(|design| design.word()).collect::<Vec<_>>().join(", ")
        };
        Table::new(vec![
            ("design", texts(all.iter().map(|row| Some(words(row))))),
            ("vm", texts(all.iter().map(|row| Some(&row.plan.vm)))),
            ("disks", counts(all.iter().map(|row| Some(row.plan.volumes.iter().map(|v| u64::from(v.disks)).sum())))),
            ("monthly", floats(all.iter().map(|row| Some(row.plan.monthly)))),
            ("met", flags(all.iter().map(|row| row.met))),
            ("verdict", texts(all.iter().map(|row| row.state().map(|state| state.word())))),
        ])
    }

    /// VM and disks, to simulate.
    fn rig(&self, py: Python<'_>) -> PyResult<Rig> {
        let (text, scenario) = work::with_session(py, self.catalogue(), None, |session| {
            let text = session.rig(&self.planned)?;
            let scenario = session.scenario("rig.toml", &text)?;
            Ok((text, scenario))
        })?;
        Ok(Rig::from_scenario(text, scenario))
    }

    /// What builds it, by file name: the vendor's command line, its templates, Terraform, the guest's volumes, benchmarks that verify it.
    fn scripts(&self, py: Python<'_>) -> PyResult<BTreeMap<String, String>> {
        if self.planned.document.plan.is_none() {
            return Err(error::usage(py, "there is no plan to build", "relax what `answer` names"));
        }
        let scripts = work::with_session(py, self.catalogue(), None, |session| {
            session.provision("plan", &self.planned.document)
        })?;
        Ok(scripts.files.into_iter().map(|(target, text)| (target.file_name().into(), text)).collect())
    }

    fn __repr__(&self) -> String {
        format!("<diskwright.Plan {}>", self.answer())
    }

    /// The ten lines that the program prints.
    fn __str__(&self) -> String {
        let decision = self.planned.document.decision.as_ref();
        decision.map_or_else(|| self.answer().into(), |it| lines(it, Language::english()).join("\n"))
    }
}

impl Plan {
    fn row(&self) -> Option<&PlanRow> {
        self.planned.document.plan.as_ref()
    }

    fn catalogue(&self) -> Option<&Catalogue> {
        self.catalogue.as_ref().map(|catalogue| catalogue.get())
    }

    /// As the library has it.
    pub fn planned(&self) -> &PlanOutcome {
        &self.planned
    }
}

result::methods!(Plan, "of `diskwright plan --format json`", |it| Ok(it.planned.document.clone()));
