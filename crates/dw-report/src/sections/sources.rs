//! What the figures rest on, and where they are from.

use dw_documents::Sentence;
use dw_messages::{labels, text};

use super::bench;
use super::words::{ended, of};
use crate::content::{Block, Table};
use crate::read::Read;

pub(super) fn assumptions(read: &Read) -> Vec<Block> {
    let (mut blocks, lang) = (Vec::new(), read.lang);
    for (name, plan) in &read.plans {
        if !plan.assumptions.is_empty() {
            blocks.push(Block::Heading(of(text!(lang, "The plan"), name)));
            blocks.push(Block::List(plan.assumptions.iter().map(ToString::to_string).collect()));
        }
    }
    for (name, run) in read.summaries() {
        blocks.push(Block::Heading(of(text!(lang, "The simulated run"), name)));
        let ios = lang.figure(&crate::format::grouped(run.simulated_ios as f64));
        let time = lang.figure(&crate::format::seconds(run.virtual_s));
        let credits = lang.word(&run.start.credits);
        let mut lines = vec![match run.has_host_cache() {
            true => text!(
                lang,
                "{ios} I/Os over {time} of virtual time; host cache at the start: {cache}, burst credits: {credits}; seed {seed}",
                ios,
                time,
                cache = lang.word(&run.start.cache),
                credits,
                seed = run.seed
            ),
            false => text!(
                lang,
                "{ios} I/Os over {time} of virtual time; burst credits at the start: {credits}; seed {seed}",
                ios,
                time,
                credits,
                seed = run.seed
            ),
        }];
        lines.extend(run.leaps.iter().map(|leaps| leaps.sentence.to_string()));
        lines.extend(run.doubts.iter().map(|doubt| doubt.text.to_string()));
        lines.extend(run.warnings.iter().map(Sentence::to_string));
        lines.extend(run.notes.iter().map(Sentence::to_string));
        lines.extend(run.latency.iter().map(ToString::to_string));
        blocks.push(Block::List(lines));
        if !run.latency_models.is_empty() {
            let caption = text!(lang, "Service-time models, from A (measured, raw data) to D (an assumption)");
            let mut table = Table::new(lang, caption, &labels!["where", "model", "grade", "why"]);
            for m in &run.latency_models {
                table.row([m.place.clone(), m.model.clone(), m.grade.clone(), m.reason.clone()]);
            }
            blocks.push(Block::Table(table));
        }
    }
    for (name, bench) in &read.benches {
        let said = bench::doubts(bench, lang);
        if !said.is_empty() || bench.procedure.scaled.is_some() {
            blocks.push(Block::Heading(text!(lang, "The benchmark ({name})", name)));
        }
        blocks.extend(
            bench.procedure.scaled.iter().map(|how| Block::Text(ended(&text!(lang, "Scaled: {how}", how), lang))),
        );
        blocks.extend(said);
    }
    blocks.extend(super::explain::assumptions(read));
    blocks
}

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    let lang = read.lang;
    let caption = text!(lang, "Where the figures of this report are from");
    let mut table = Table::new(lang, caption, &labels!["document", "made by", "from"]);
    for (name, list) in &read.checklists {
        for source in &list.sources {
            table.row([
                name.to_string(),
                source.tool.clone(),
                format!("{}: {}", lang.list(&source.files), source.used_for),
            ]);
        }
    }
    for (name, plan) in &read.plans {
        let edition = plan
            .plan
            .as_ref()
            .map_or(String::new(), |offer| text!(lang, "limits of edition {edition}", edition = offer.vm_edition));
        table.row([name.to_string(), "diskwright plan".into(), edition]);
    }
    for (name, run) in read.summaries() {
        let vm = match (&run.vm.size, &run.vm.edition) {
            (Some(size), Some(edition)) => text!(lang, "{size}, edition {edition}", size, edition),
            (Some(size), None) => size.clone(),
            _ => text!(lang, "a VM of the scenario's own"),
        };
        let ids = if run.vm.sources.is_empty() {
            String::new()
        } else {
            format!("; {}", text!(lang, "sources {ids}", ids = run.vm.sources.join(", ")))
        };
        table.row([name.to_string(), format!("diskwright {} simulate", run.diskwright_version), format!("{vm}{ids}")]);
        for volume in &run.volumes {
            let (named, disks) = (&volume.name, &volume.disks);
            let what = match run.has_host_cache() {
                true => text!(
                    lang,
                    "{volume}: {disks}, host cache {cache}",
                    volume = named,
                    disks,
                    cache = volume.host_cache
                ),
                false => format!("{named}: {disks}"),
            };
            table.row([name.to_string(), text!(lang, "scenario"), what]);
        }
    }
    for (name, run) in &read.measured {
        let tool = run.tool.unwrap_or("fio");
        table.row([name.to_string(), tool.into(), text!(lang, "jobs, measured: {n}", n = run.jobs.len())]);
    }
    for (name, bench) in &read.benches {
        bench::sources(name, bench, &mut table, lang);
    }
    for (name, explain) in &read.explanations {
        table.row([name.to_string(), "diskwright explain".into(), explain.rig.clone()]);
    }
    for (name, verify) in &read.verifications {
        let from = text!(
            lang,
            "{results} against {requirements}",
            results = lang.list(&verify.results),
            requirements = verify.requirements
        );
        table.row([name.to_string(), "diskwright verify".into(), from]);
    }
    let is_script = |text: &crate::document::Text| text.role == "script";
    for (name, text) in read.texts.iter().filter(|(_, text)| !is_script(text)) {
        table.row([name.to_string(), text!(lang, "attached"), lang.word(&text.role).to_string()]);
    }
    let scripts: Vec<&str> = read.texts.iter().filter(|(_, text)| is_script(text)).map(|(name, _)| *name).collect();
    if !scripts.is_empty() {
        table.row([scripts.join(", "), "diskwright provision".into(), text!(lang, "the plan")]);
    }
    if table.rows.is_empty() { Vec::new() } else { vec![Block::Table(table)] }
}

/// How well the latencies are known, and how much is assumed.
pub(super) fn conclusion(read: &Read) -> String {
    let assumed: usize = read.plans.iter().map(|(_, plan)| plan.assumptions.len()).sum();
    let volumes = read.plans.iter().filter_map(|(_, plan)| plan.plan.as_ref()).flat_map(|offer| &offer.volumes);
    let grades = volumes.filter_map(|volume| Some(volume.latency.as_ref()?.grade.clone()));
    let grades: std::collections::BTreeSet<String> = grades.collect();
    let grades: Vec<String> = grades.into_iter().collect();
    let n = text!(read.lang, "assumptions: {n}", n = assumed);
    match (assumed, grades.is_empty()) {
        (0, _) => String::new(),
        (_, true) => n,
        (_, false) => {
            let grades = text!(
                read.lang,
                "latency models of grade {grades}, not measured on your disks",
                grades = read.lang.list(&grades)
            );
            [n, grades].join(read.lang.between())
        }
    }
}
