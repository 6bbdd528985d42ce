//! What to know first: the verdict, and a few figures.

use dw_documents::plan::PlanRow;
use dw_documents::verdict::State;
use dw_messages::{Language, text};

use super::words::{disks, ended, limit_figure, money, sentence};
use super::{comparison, explain, limits, plan, verify};
use crate::content::{Block, Level};
use crate::document::NOT_SIMULATED;
use crate::format::percent;
use crate::read::Read;

/// Points by which the hits of a plan and of a run may differ.
const HITS: f64 = 5.0;

/// A simulation by its name, where it has one of its own.
fn simulation(name: &str, lang: &Language) -> String {
    if name == "simulation" { text!(lang, "Simulation") } else { text!(lang, "Simulation ({name})", name) }
}

/// What of the cost of a plan is for its VM, and for licences by core where there are any.
fn of_it(offer: &PlanRow, lang: &Language) -> String {
    let amount = money(offer.vm_monthly);
    match offer.licences_monthly() {
        Some(licences) => {
            text!(lang, "{amount} of it for the VM, {licences} for licences", amount, licences = money(licences))
        }
        None => text!(lang, "{amount} of it for the VM", amount),
    }
}

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    let (mut blocks, lang) = (Vec::new(), read.lang);
    let mut figures: Vec<[String; 3]> = Vec::new();
    for (_, plan) in &read.plans {
        match &plan.plan {
            Some(offer) => {
                // A plan that does not do all that was asked, or only on a condition, is no good news.
                let simulated = plan.simulated.as_ref().filter(|simulated| !simulated.met);
                let answer = ended(&plan.answer.text, lang);
                match (&plan.verdict, simulated) {
                    (Some(verdict), simulated) if verdict.state != State::Met => {
                        let said = sentence(&verdict.answer.text, lang);
                        blocks.push(Block::Said(plan::level(verdict.state), said));
                        blocks.extend(simulated.map(|it| Block::Said(Level::Warning, it.answer.text.clone())));
                        blocks.push(Block::Said(Level::Note, answer));
                    }
                    (_, Some(simulated)) => blocks.extend([
                        Block::Said(Level::Warning, simulated.answer.text.clone()),
                        Block::Said(Level::Note, answer),
                    ]),
                    (_, None) => {
                        blocks
                            .push(Block::Said(Level::Good, text!(lang, "The plan meets the demand. {answer}", answer)));
                    }
                }
                let disks: Vec<String> =
                    offer.volumes.iter().map(|v| format!("{}: {}", v.name, disks(v, lang))).collect();
                let vm = offer.vm.strip_prefix("Standard_").unwrap_or(&offer.vm);
                figures.push([text!(lang, "VM size"), vm.into(), lang.list(&disks)]);
                figures.push([
                    text!(lang, "price"),
                    text!(lang, "{amount} {currency} / month", amount = money(offer.monthly), currency = plan.currency),
                    of_it(offer, lang),
                ]);
                figures.push([
                    text!(lang, "limits keep their headroom"),
                    format!("{} %", trimmed(offer.time_met_percent)),
                    text!(lang, "of the intervals"),
                ]);
            }
            None => blocks.push(Block::Said(Level::Critical, sentence(&plan.answer.text, lang))),
        }
        if let Some(limit) = plan.limits.iter().find(|limit| limit.binding) {
            let left = crate::format::headroom(limit.headroom_percent);
            let capacity = limit_figure(&limit.of.unit, limit.capacity);
            figures.push([
                text!(lang, "bottleneck"),
                lang.limit(&limit.of.name()),
                text!(lang, "{left} left of {capacity}", left, capacity),
            ]);
        }
    }
    for (name, run) in read.summaries() {
        for binding in run.binding_limits.iter() {
            let level = if binding.limit.is_some() { Level::Warning } else { Level::Good };
            blocks.push(Block::Said(level, format!("{}: {}", simulation(name, lang), binding.sentence)));
        }
        if run.partial {
            blocks.push(Block::Said(
                Level::Warning,
                text!(lang, "{simulation}: the run was stopped before its end.", simulation = simulation(name, lang)),
            ));
        }
    }
    blocks.extend(hits_apart(read));
    if let Some((level, text)) = comparison::verdict(read) {
        blocks.push(Block::Said(level, text));
    }
    blocks.extend(verify::said(read));
    blocks.extend(explain::said(read));
    for (_, list) in &read.checklists {
        if list.findings.is_empty() {
            blocks.push(Block::Said(Level::Good, text!(lang, "The recording shows nothing to doubt.")));
        }
        // What a plan may be wrong by is named, each with its effect.
        for finding in &list.findings {
            let level = match finding.severity.as_str() {
                "critical" => Level::Critical,
                "warning" => Level::Warning,
                _ => continue,
            };
            let (what, effect) = (&finding.what, &finding.effect);
            blocks.push(Block::Said(level, ended(&text!(lang, "Recording: {what}; {effect}", what, effect), lang)));
        }
        let notes = list.findings.iter().filter(|finding| finding.severity == "note").count();
        if notes > 0 {
            let said = text!(lang, "Notes on the recording: {n}; see data quality.", n = notes);
            blocks.push(Block::Said(Level::Note, said));
        }
    }
    if read.plans.is_empty()
        && let Some((name, used)) = limits::narrowest_of_runs(read)
    {
        figures.push([
            text!(lang, "bottleneck"),
            lang.limit(&name),
            text!(lang, "{share} used", share = percent(used * 100.0)),
        ]);
    }
    // A problem never stands under a line that says that all is well.
    blocks.sort_by_key(|block| if let Block::Said(level, _) = block { level.rank() } else { u8::MAX });
    if !figures.is_empty() {
        blocks.insert(0, Block::Figures(figures));
    }
    if let Some(said) = not_simulated(read) {
        blocks.insert(0, Block::Said(Level::Warning, said));
    }
    for (_, plan) in &read.plans {
        blocks.extend(plan::designs(plan, lang));
        blocks.extend(plan::curves(plan, lang));
    }
    blocks
}

/// What stands first where there is a plan for a recording, and nobody ran that on it.
fn not_simulated(read: &Read) -> Option<String> {
    let is_planned = read.plans.iter().any(|(_, plan)| plan.plan.is_some());
    if !is_planned || read.checklists.is_empty() || !read.runs.is_empty() {
        return None;
    }
    let why = read.texts.iter().find(|(_, text)| text.role == NOT_SIMULATED);
    let lang = read.lang;
    Some(match why {
        Some((_, why)) => text!(
            lang,
            "The recording was not simulated on the planned disks: {why}. What follows is of limits and estimates.",
            why = why.text.trim_end_matches('.')
        ),
        None => {
            text!(
                lang,
                "The recording was not simulated on the planned disks. What follows is of limits and estimates."
            )
        }
    })
}

/// Where a plan counts on more cache hits than a run had: the disks get what the cache does not take.
fn hits_apart(read: &Read) -> Vec<Block> {
    let mut blocks = Vec::new();
    let offers = read.plans.iter().filter_map(|(_, plan)| plan.plan.as_ref());
    for planned in offers.flat_map(|offer| &offer.volumes) {
        for (name, run) in read.summaries() {
            let volume = run.volumes.iter().find(|volume| volume.name == planned.name);
            let Some(hits) = volume.and_then(|v| v.cache.as_ref()?.hit_percent) else { continue };
            if planned.hit_percent - hits <= HITS {
                continue;
            }
            let track = run.series.iter().find(|t| t.volume == planned.name && t.direction == "read");
            let end = track.and_then(|t| t.hit_percent.as_ref()?.last());
            let end = end.map(|end| read.lang.figure(&percent(*end)));
            let (volume, lang) = (&planned.name, read.lang);
            let [planned, hits] = [planned.hit_percent, hits].map(|share| lang.figure(&percent(share)));
            let text = match end {
                Some(end) => text!(
                    lang,
                    "{volume}: the plan counts on {planned} hits; simulated {hits}, {end} at the end ({name}).",
                    volume,
                    planned,
                    hits,
                    end,
                    name
                ),
                None => text!(
                    lang,
                    "{volume}: the plan counts on {planned} hits; simulated {hits} ({name}).",
                    volume,
                    planned,
                    hits,
                    name
                ),
            };
            blocks.push(Block::Said(Level::Warning, text));
        }
    }
    blocks
}

fn trimmed(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}
