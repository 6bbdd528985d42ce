//! Every limit on the way of a request, and the narrowest: of a plan with the largest demand, of a run with what it used.

use dw_documents::plan::LimitRow;
use dw_documents::run::LimitLine;
use dw_documents::{GateName, LimitId};

use dw_messages::{Label, Language, labels, text};

use super::explain;
use super::words::{MANY, limit_figure, of};
use crate::content::{Block, Path, Pipe, Stage, Table};
use crate::format::{grouped, percent};
use crate::read::Read;

/// A limit of either.
struct Narrow {
    name: String,
    id: Option<LimitId>,
    unit: String,
    capacity: f64,
    demand: f64,
    left: f64,
    cells: Vec<String>,
    binding: bool,
}

impl Narrow {
    fn used(&self) -> f64 {
        1.0 - self.left / 100.0
    }
}

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    let (mut blocks, lang) = (Vec::new(), read.lang);
    for (name, plan) in &read.plans {
        let limits: Vec<Narrow> = plan.limits.iter().map(|limit| of_plan(limit, lang)).collect();
        let head = labels!["limit", "#p50", "#p99", "#max", "#available", "#left of the limit", "#intervals above it"];
        let what = text!(lang, "The largest demand against what the plan has");
        let volumes = plan.plan.iter().flat_map(|offer| &offer.volumes);
        let volumes = volumes.map(|v| Way { volume: &v.name, gates: &v.gates });
        blocks.extend(paths(&limits, &volumes.collect::<Vec<_>>(), name, &what, &head, lang));
    }
    for (name, run) in read.summaries() {
        let bursts = run.limits.iter().any(|limit| limit.burst.is_some());
        let limits: Vec<Narrow> = run.limits.iter().map(|limit| of_run(limit, bursts, lang)).collect();
        let mut head = labels![
            "limit",
            "#used",
            "#available",
            "#sustained",
            "#in a burst",
            "#left of the limit",
            "#time waited",
            "throttles",
        ]
        .to_vec();
        head.retain(|title| bursts || !["#sustained", "#in a burst"].contains(&title.english()));
        let what = text!(lang, "Average use per second against each limit");
        // The way is drawn once: at the busiest moment, where there is a plan.
        let volumes = run.volumes.iter().filter(|_| read.plans.is_empty());
        let volumes = volumes.map(|v| Way { volume: &v.name, gates: &v.gates });
        blocks.extend(paths(&limits, &volumes.collect::<Vec<_>>(), name, &what, &head, lang));
        let billed = run.volumes.iter().filter_map(|volume| Some((volume, volume.billed_transactions?)));
        let billed = billed.map(|(volume, transactions)| {
            text!(
                lang,
                "Bursts of {volume} ({disks}) that are paid by use: transactions beyond the target in this run, which are billed: {n}.",
                volume = volume.name,
                disks = volume.disks,
                n = lang.figure(&grouped(transactions as f64))
            )
        });
        blocks.extend(billed.map(Block::Text));
    }
    blocks.extend(explain::blocks(read));
    blocks
}

/// The fullest limit of the plans, or of the runs where there are none, and how many there are.
pub(super) fn conclusion(read: &Read) -> String {
    let lang = read.lang;
    let Some((_, plan)) = read.plans.iter().find(|(_, plan)| !plan.limits.is_empty()) else {
        let narrowest = narrowest_of_runs(read);
        let said = |(name, used): (String, f64)| {
            text!(lang, "fullest: {limit}, {share} used", limit = lang.limit(&name), share = percent(used * 100.0))
        };
        return narrowest.map_or(String::new(), said);
    };
    let exceeded = plan.limits.iter().filter(|row| row.exceeded > 0).count();
    let checked = plan.limits.len();
    let fullest = plan.limits.iter().find(|row| row.binding).map(|row| {
        let (load, capacity) = (limit_figure(&row.of.unit, row.load()), limit_figure(&row.of.unit, row.capacity));
        text!(lang, "fullest: {limit}, {load} of {capacity}", limit = lang.limit(&row.of.name()), load, capacity)
    });
    let counted = text!(lang, "limits checked: {checked}, exceeded at times: {exceeded}", checked, exceeded);
    fullest.into_iter().chain([counted]).collect::<Vec<_>>().join(lang.between())
}

/// The limit of all runs that is used most, with its share.
pub(super) fn narrowest_of_runs(read: &Read) -> Option<(String, f64)> {
    let runs = read.summaries().map(|(_, run)| run);
    let limits = runs.flat_map(|run| &run.limits).map(|limit| of_run(limit, false, read.lang));
    limits.max_by(|a, b| a.used().total_cmp(&b.used())).map(|limit| (limit.name.clone(), limit.used()))
}

fn of_plan(limit: &LimitRow, lang: &Language) -> Narrow {
    let name = lang.limit(&limit.of.name());
    let of = |value| limit_figure(&limit.of.unit, value);
    Narrow {
        name: name.clone(),
        id: limit.of.id.clone(),
        unit: limit.of.unit.clone(),
        capacity: limit.capacity,
        demand: limit.load(),
        left: limit.headroom_percent,
        cells: vec![
            // A latency is the one that the search plans with, beside an estimate and a simulation.
            match limit.of.unit == "us" {
                true if limit.of.is_mean() => text!(lang, "{limit} (mean, planned)", limit = name),
                true => text!(lang, "{limit} (planned)", limit = name),
                false => name,
            },
            of(limit.asked.p50),
            of(limit.asked.p99),
            of(limit.asked.max),
            match &limit.burst {
                Some(burst) => text!(
                    lang,
                    "{burst} in bursts, {sustained} sustained",
                    burst = of(limit.capacity),
                    sustained = of(burst.sustained)
                ),
                None => of(limit.capacity),
            },
            crate::format::headroom(limit.headroom_percent),
            limit.exceeded.to_string(),
        ],
        binding: limit.binding,
    }
}

/// `bursts`: its cells say what it gives without and with burst credits.
fn of_run(limit: &LimitLine, bursts: bool, lang: &Language) -> Narrow {
    let of = |value| limit_figure(&limit.unit, value);
    let name = match &limit.while_ran {
        Some(jobs) => text!(lang, "{limit} (while {jobs} ran)", limit = lang.limit(&limit.name()), jobs),
        None => lang.limit(&limit.name()),
    };
    let mut cells = vec![name, of(limit.used), of(limit.available)];
    if bursts {
        cells.push(limit.burst.map_or("-".into(), |_| of(limit.sustained as f64)));
        cells.push(limit.burst.map_or("-".into(), |burst| of(burst as f64)));
    }
    cells.extend([percent(limit.headroom_percent), percent(limit.waiting_percent), limit.holds.join(", ")]);
    Narrow {
        name: lang.limit(&limit.name()),
        id: Some(limit.id.clone()),
        unit: limit.unit.clone(),
        capacity: limit.available,
        demand: limit.used,
        left: limit.headroom_percent,
        cells,
        binding: !limit.holds.is_empty(),
    }
}

/// A volume as its requests see it.
struct Way<'a> {
    volume: &'a str,
    /// The VM's gates that its requests meet, in order.
    gates: &'a [String],
}

impl Way<'_> {
    /// Its stages: those of the VM, then its disks.
    fn stages<'l>(&self, limits: &'l [Narrow], lang: &Language) -> Vec<(String, Vec<&'l Narrow>)> {
        let with = |is: &dyn Fn(&LimitId) -> bool| -> Vec<&'l Narrow> {
            limits.iter().filter(|limit| limit.id.as_ref().is_some_and(is)).collect()
        };
        let of_vm = |gate: &String| {
            let name = GateName::new(gate);
            let stage = name.heading();
            let stage = lang.word(&stage);
            let stage = if name.of.is_empty() { text!(lang, "{stage}, all volumes", stage) } else { stage.into() };
            (stage, with(&|id| id.is_vm() && id.gate == *gate))
        };
        let own = with(&|id| id.volume.as_deref() == Some(self.volume));
        let stages = self.gates.iter().map(of_vm).chain([(text!(lang, "its disks"), own)]);
        stages.filter(|(_, found)| !found.is_empty()).collect()
    }
}

/// The way of each volume's requests, and every limit in a table.
fn paths(limits: &[Narrow], volumes: &[Way], name: &str, what: &str, head: &[Label], lang: &Language) -> Vec<Block> {
    let mut blocks = Vec::new();
    let all = table(lang, of(what.to_string(), name), head, limits.iter().map(|l| (l.cells.clone(), l.binding)));
    let mut ways: Vec<_> = volumes.iter().map(|way| (way, way.stages(limits, lang))).collect();
    ways.retain(|(_, stages)| stages.iter().any(|(_, found)| !found.is_empty()));
    if ways.len() > MANY {
        // Its own limits tell a volume from the others: those of the VM are the same for all.
        let left = |stages: &[(String, Vec<&Narrow>)]| {
            stages.last().into_iter().flat_map(|(_, found)| found).map(|l| l.left).fold(f64::INFINITY, f64::min)
        };
        ways.sort_by(|a, b| left(&a.1).total_cmp(&left(&b.1)));
        ways.truncate(MANY);
        blocks.push(Block::Text(text!(
            lang,
            "The {shown} fullest of {all} volumes are drawn; every limit is in the table.",
            shown = MANY,
            all = volumes.len()
        )));
    }
    for (way, stages) in ways {
        let on_way = || stages.iter().flat_map(|(_, found)| found.iter().copied());
        let most = |unit: &str| on_way().filter(|l| l.unit == unit).map(|l| l.capacity).fold(1e-9, f64::max);
        let least = on_way().map(|l| l.left).fold(f64::INFINITY, f64::min);
        let pipe = |l: &Narrow| Pipe {
            text: text!(
                lang,
                "{demand} of {capacity}",
                demand = limit_figure(&l.unit, l.demand),
                capacity = limit_figure(&l.unit, l.capacity)
            ),
            used: l.used(),
            width: l.capacity / most(&l.unit),
            narrowest: l.left == least,
        };
        let rows = on_way().map(|l| (l.cells.clone(), l.left == least));
        let under = table(lang, of(format!("{what}: {}", way.volume), name), head, rows);
        let stages = stages
            .iter()
            .map(|(name, found)| Stage { name: name.clone(), pipes: found.iter().map(|l| pipe(l)).collect() });
        let title = of(text!(lang, "{volume}: from the guest to the disks", volume = way.volume), name);
        blocks.push(Block::Path(Path { title, stages: stages.collect() }, under));
    }
    blocks.push(Block::Table(all));
    blocks
}

fn table(lang: &Language, caption: String, head: &[Label], rows: impl Iterator<Item = (Vec<String>, bool)>) -> Table {
    let mut table = Table::new(lang, caption, head);
    for (cells, marked) in rows {
        if marked {
            table.marked.push(table.rows.len());
        }
        table.row(cells);
    }
    table
}
