//! The checklist as JSON: what it may hold is published as `schemas/checklist.schema.json`.
//!
//! Figures are in base units (bytes, seconds, bytes per second); what is not known is null.

use dw_documents::Sentence;
pub use dw_documents::checklist::*;
use dw_observe::checklist::{self, Checklist, Row, Unit};
use dw_observe::{Amount, Distribution, Observation, VolumeObservation};

/// Points of a series that are printed; longer ones are thinned to the busiest interval of each stretch.
const POINTS: usize = 2_000;

/// The document.
pub fn document(observation: &Observation, names: &[String]) -> ChecklistDocument {
    let volumes = observation.volumes.iter().map(|v| volume(v, observation.growth)).collect();
    with_volumes(observation, names, volumes)
}

/// The same in the memory of one of the two: volume by volume the observation goes.
pub fn into_document(mut observation: Observation, names: &[String]) -> ChecklistDocument {
    let volumes = std::mem::take(&mut observation.volumes).into_iter();
    let volumes = volumes.map(|v| volume(&v, observation.growth)).collect();
    with_volumes(&observation, names, volumes)
}

fn with_volumes(observation: &Observation, names: &[String], volumes: Vec<VolumeDocument>) -> ChecklistDocument {
    let name = |index: u32| names.get(index as usize).cloned().unwrap_or_default();
    let source = |s: &dw_observe::SourceInfo| SourceDocument {
        tool: s.tool.clone(),
        files: s.files.iter().map(|f| name(*f)).collect(),
        used_for: s.used_for.clone(),
    };
    let left_out =
        |(device, why): &(dw_observe::Name, Sentence)| LeftOutDocument { device: device.to_string(), why: why.clone() };
    let finding = |f: &dw_observe::audit::Finding| FindingDocument {
        pitfall: f.pitfall.code().into(),
        title: f.pitfall.title(),
        severity: f.severity.word().into(),
        what: f.what.clone(),
        effect: f.effect.clone(),
        hint: f.hint.clone(),
        count: f.count,
        evidence: f.rows.iter().map(|o| PlaceDocument { file: name(o.file), line: o.line }).collect(),
    };
    ChecklistDocument {
        schema_version: dw_documents::SCHEMA_VERSION,
        document: Default::default(),
        machine: observation.machine.as_deref().map(str::to_string),
        processors: observation.cpus,
        memory_total_bytes: observation.memory_total.map(|m| m.get()),
        kernel: observation.kernel.as_deref().map(str::to_string),
        growth: observation.growth,
        sources: observation.sources.iter().map(source).collect(),
        volumes,
        burst_credits: observation.credits.iter().map(credits).collect(),
        left_out: observation.left_out.iter().map(left_out).collect(),
        findings: observation.findings.iter().map(finding).collect(),
        damaged_lines: observation.damaged_lines,
    }
}

fn credits(credits: &dw_observe::Credits) -> CreditsDocument {
    CreditsDocument {
        metric: credits.metric.to_string(),
        device: credits.device.as_deref().map(str::to_string),
        unit: if credits.in_bytes { "bytes" } else { "ios" }.into(),
        left_at_start_percent: credits.left_at_start,
        left_least_percent: credits.left_least,
    }
}

fn volume(volume: &VolumeObservation, growth: f64) -> VolumeDocument {
    VolumeDocument {
        name: volume.name.clone(),
        devices: volume.devices.iter().map(|d| d.to_string()).collect(),
        coverage: volume.series.coverage(),
        interval_s: volume.series.interval.ns() as f64 / 1e9,
        windows: volume.checklists.iter().map(|c| window(c, growth)).collect(),
        distributions: volume.distributions.iter().map(distribution).collect(),
        series: series(volume),
    }
}

fn window(checklist: &Checklist, growth: f64) -> WindowDocument {
    WindowDocument {
        window: checklist.window.clone(),
        covered_s: checklist.covered.ns() as f64 / 1e9,
        rows: checklist.rows.iter().map(|r| row(r, growth)).collect(),
    }
}

fn row(row: &Row, growth: f64) -> RowDocument {
    let cell = |c: Option<checklist::Cell>| {
        c.map(|c| CellDocument { value: c.value, low: c.low, high: c.high, provenance: row.provenance.word().into() })
    };
    RowDocument {
        row: row.id.key().into(),
        number: row.id.number(),
        unit: unit(row.id.unit()).into(),
        min: row.min,
        mean: row.mean,
        p50: cell(row.p50),
        p90: cell(row.p90),
        p99: cell(row.p99),
        max: row.max,
        p99_grown: row.p99.filter(|_| row.id.grows()).map(|c| c.value * growth),
        n: row.n,
        interval_s: row.interval.ns() as f64 / 1e9,
        provenance: row.provenance.word().into(),
        source: row.source.clone(),
        note: row.note.clone(),
        fill: row.fill.clone(),
    }
}

fn distribution(d: &Distribution) -> DistributionDocument {
    DistributionDocument {
        what: d.what.into(),
        of: d.of.clone(),
        buckets: d.buckets.iter().map(|(from, to, share)| [*from, *to, *share]).collect(),
    }
}

fn series(volume: &VolumeObservation) -> SeriesDocument {
    let points = volume.series.busiest();
    let every = points.len().div_ceil(POINTS).max(1);
    let busiest = |chunk: &[dw_observe::series::Point]| {
        // One whose requests nobody knows is not a peak.
        let ios = |p: &dw_observe::series::Point| p.ios.known().unwrap_or(f64::NEG_INFINITY);
        chunk.iter().copied().max_by(|a, b| ios(a).total_cmp(&ios(b)))
    };
    let points: Vec<_> = points.chunks(every).filter_map(busiest).collect();
    let start = volume.series.means().first().map_or(0, |p| p.at - p.span.ns() as i64);
    let column = |f: &dyn Fn(&dw_observe::series::Point) -> Amount| points.iter().map(|p| f(p).known()).collect();
    SeriesDocument {
        every: every * volume.series.every(),
        end_s: points.iter().map(|p| (p.at - start) as f64 / 1e9).collect(),
        read_iops: column(&|p| p.reads),
        write_iops: column(&|p| p.writes),
        iops: column(&|p| p.ios),
        read_bytes_per_s: column(&|p| p.read_bytes),
        write_bytes_per_s: column(&|p| p.write_bytes),
        latency_s: column(&|p| p.latency()),
        queue_depth: column(&|p| p.depth),
    }
}

/// The unit of figures in files.
pub fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::PerSecond => "1/s",
        Unit::Percent => "percent",
        Unit::Bytes => "bytes",
        Unit::BytesPerSecond => "bytes/s",
        Unit::Seconds => "s",
        Unit::Count => "count",
    }
}
