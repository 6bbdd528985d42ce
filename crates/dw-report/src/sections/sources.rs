//! What the figures rest on, and where they are from.

use dw_documents::Sentence;

use super::bench;
use crate::content::{Block, Table};
use crate::read::Read;

pub(super) fn assumptions(read: &Read) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (name, plan) in &read.plans {
        if !plan.assumptions.is_empty() {
            blocks.push(Block::Heading(format!("The plan ({name})")));
            blocks.push(Block::List(plan.assumptions.iter().map(ToString::to_string).collect()));
        }
    }
    for (name, run) in read.summaries() {
        blocks.push(Block::Heading(format!("The simulated run ({name})")));
        let mut lines = vec![format!(
            "{} I/Os over {} of virtual time; the host cache began {}, burst credits {}; seed {}",
            crate::format::grouped(run.simulated_ios as f64),
            crate::format::seconds(run.virtual_s),
            run.start.cache,
            run.start.credits,
            run.seed
        )];
        lines.extend(run.doubts.iter().map(|doubt| doubt.text.to_string()));
        lines.extend(run.warnings.iter().map(Sentence::to_string));
        lines.extend(run.notes.iter().map(Sentence::to_string));
        lines.extend(run.latency.iter().map(ToString::to_string));
        blocks.push(Block::List(lines));
        if !run.latency_models.is_empty() {
            let mut table = Table::new(
                "Service-time models, from A (measured, raw data) to D (an assumption)",
                &["where", "model", "grade", "why"],
            );
            for m in &run.latency_models {
                table.row([m.place.clone(), m.model.clone(), m.grade.clone(), m.reason.clone()]);
            }
            blocks.push(Block::Table(table));
        }
    }
    for (name, bench) in &read.benches {
        let said = bench::doubts(bench);
        if !said.is_empty() || bench.procedure.scaled.is_some() {
            blocks.push(Block::Heading(format!("The benchmark ({name})")));
        }
        blocks.extend(bench.procedure.scaled.iter().map(|how| Block::Text(format!("Scaled: {how}."))));
        blocks.extend(said);
    }
    blocks.extend(super::explain::assumptions(read));
    blocks
}

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    let mut table = Table::new("Where the figures of this report are from", &["document", "made by", "from"]);
    for (name, list) in &read.checklists {
        for source in &list.sources {
            table.row([
                name.to_string(),
                source.tool.clone(),
                format!("{}: {}", source.files.join(", "), source.used_for),
            ]);
        }
    }
    for (name, plan) in &read.plans {
        let edition =
            plan.plan.as_ref().map_or(String::new(), |offer| format!("limits of edition {}", offer.vm_edition));
        table.row([name.to_string(), "diskwright plan".into(), edition]);
    }
    for (name, run) in read.summaries() {
        let vm = match (&run.vm.size, &run.vm.edition) {
            (Some(size), Some(edition)) => format!("{size}, edition {edition}"),
            (Some(size), None) => size.clone(),
            _ => "a VM of the scenario's own".into(),
        };
        let ids =
            if run.vm.sources.is_empty() { String::new() } else { format!("; sources {}", run.vm.sources.join(", ")) };
        table.row([name.to_string(), format!("diskwright {} simulate", run.diskwright_version), format!("{vm}{ids}")]);
        for volume in &run.volumes {
            table.row([
                name.to_string(),
                "scenario".into(),
                format!("{}: {}, host cache {}", volume.name, volume.disks, volume.host_cache),
            ]);
        }
    }
    for (name, run) in &read.measured {
        let tool = run.tool.unwrap_or("fio");
        table.row([name.to_string(), tool.into(), format!("{} jobs, measured", run.jobs.len())]);
    }
    for (name, bench) in &read.benches {
        bench::sources(name, bench, &mut table);
    }
    for (name, explain) in &read.explanations {
        table.row([name.to_string(), "diskwright explain".into(), explain.rig.clone()]);
    }
    for (name, verify) in &read.verifications {
        let from = format!("{} against {}", verify.results.join(", "), verify.requirements);
        table.row([name.to_string(), "diskwright verify".into(), from]);
    }
    let is_script = |text: &crate::document::Text| text.role == "script";
    for (name, text) in read.texts.iter().filter(|(_, text)| !is_script(text)) {
        table.row([name.to_string(), "attached".into(), text.role.clone()]);
    }
    let scripts: Vec<&str> = read.texts.iter().filter(|(_, text)| is_script(text)).map(|(name, _)| *name).collect();
    if !scripts.is_empty() {
        table.row([scripts.join(", "), "diskwright provision".into(), "the plan".into()]);
    }
    if table.rows.is_empty() { Vec::new() } else { vec![Block::Table(table)] }
}
