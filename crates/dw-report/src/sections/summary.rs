//! The page to decide from: what to buy and whether that does what was asked, what it costs, when it breaks, what could go wrong, what to
//! do next. All of it is the plan's own decision, laid out; what other documents say against it stands beside.

use dw_documents::decision::{CheckRow, Decision, LimitOverTime, PartOf, Price};
use dw_documents::plan::PlanDocument;
use dw_documents::verdict::{CheckOf, State};
use dw_messages::{Arg, Language, Sentence, labels, text};

use super::words::{capitalized, ended, money, sentence};
use super::{comparison, explain, limits, places, plan, slowest, verify};
use crate::chart::{Bar, Bars, Chart, Series, shares};
use crate::content::{self, Block, Level, Table};
use crate::document::NOT_SIMULATED;
use crate::format::percent;
use crate::read::Read;

/// Points by which the hits of a plan and of a run may differ.
const HITS: f64 = 5.0;
/// Rows of checks, lines of doubts and of savings that a page has room for.
const CHECKS: usize = 9;
const DOUBTS: usize = 4;
const SAVINGS: usize = 2;
/// Lines of a chart: more cannot be told apart.
const LINES: usize = 4;

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    let lang = read.lang;
    let mut blocks: Vec<Block> =
        not_simulated(read).map(|said| Block::Said(Level::Warning, said)).into_iter().collect();
    let mut doubts = doubts(read);
    doubts.sort_by_key(|(level, _)| level.rank());
    let decided = read.plans.iter().filter_map(|(_, plan)| Some((*plan, plan.decision.as_ref()?)));
    let decided: Vec<_> = decided.collect();
    for (place, (plan, decision)) in decided.iter().enumerate() {
        let own = if place == 0 { std::mem::take(&mut doubts) } else { Vec::new() };
        blocks.extend(page(read, plan, decision, own));
    }
    for (_, plan) in read.plans.iter().filter(|(_, plan)| plan.decision.is_none()) {
        let verdict = plan.verdict.as_ref().map_or(&plan.answer, |verdict| &verdict.answer);
        blocks.push(Block::Said(plan::level(plan.state()), sentence(&verdict.text, lang)));
        blocks.push(Block::Said(Level::Note, ended(&plan.answer.text, lang)));
    }
    if decided.is_empty()
        && let Some((name, used)) = limits::narrowest_of_runs(read)
    {
        blocks.push(Block::Figures(vec![[
            text!(lang, "bottleneck"),
            lang.limit(&name),
            text!(lang, "{share} used", share = percent(used * 100.0)),
        ]]));
    }
    // With a plan of its own the page is about that.
    if decided.is_empty() {
        blocks.extend(read.comparisons.iter().map(|(_, comparison)| places::said(comparison, lang)));
    }
    blocks.extend(doubts.into_iter().map(|(level, text)| Block::Said(level, text)));
    blocks
}

/// What other documents than a plan say, good and bad.
fn doubts(read: &Read) -> Vec<(Level, String)> {
    let lang = read.lang;
    let mut all = Vec::new();
    for (name, run) in read.summaries() {
        let simulation =
            if name == "simulation" { text!(lang, "Simulation") } else { text!(lang, "Simulation ({name})", name) };
        for binding in &run.binding_limits {
            // With a plan it stands with the charts that nothing is throttled.
            match binding.limit {
                Some(_) => all.push((Level::Warning, format!("{simulation}: {}", binding.sentence))),
                None if read.plans.is_empty() => all.push((Level::Good, format!("{simulation}: {}", binding.sentence))),
                None => {}
            }
        }
        if run.partial {
            all.push((Level::Warning, text!(lang, "{simulation}: the run was stopped before its end.", simulation)));
        }
    }
    all.extend(hits_apart(read));
    all.extend(comparison::verdict(read));
    all.extend(verify::said(read));
    all.extend(explain::said(read));
    for (_, list) in &read.checklists {
        if list.findings.is_empty() && read.plans.is_empty() {
            all.push((Level::Good, text!(lang, "The recording shows nothing to doubt.")));
        }
        // What a plan may be wrong by is named, each with its effect.
        for finding in &list.findings {
            let level = match finding.severity.as_str() {
                "critical" => Level::Critical,
                "warning" => Level::Warning,
                _ => continue,
            };
            let (what, effect) = (&finding.what, &finding.effect);
            all.push((level, ended(&text!(lang, "Recording: {what}; {effect}", what, effect), lang)));
        }
    }
    all
}

/// The whole page of a plan.
fn page(read: &Read, plan: &PlanDocument, decision: &Decision, others: Vec<(Level, String)>) -> Vec<Block> {
    let lang = read.lang;
    let mut blocks = vec![Block::Text(terms(read, decision)), Block::Decision(decided(decision, lang))];
    if !decision.in_the_way.is_empty() {
        blocks.push(Block::Heading(text!(lang, "What does not go together")));
        blocks.push(Block::List(lines(&decision.in_the_way, lang)));
    }
    if !decision.nearest.is_empty() {
        blocks.push(Block::Heading(text!(lang, "What comes nearest")));
        blocks.push(Block::List(lines(&decision.nearest, lang)));
    }
    if !decision.checks.is_empty() {
        blocks.push(Block::Table(checks(decision, lang)));
    }
    blocks.extend(load(read, plan, decision));
    let mut columns = Vec::new();
    let mut wrong = wrong(read, decision, others);
    let beyond =
        wrong.split_off(wrong.iter().take(DOUBTS).take_while(|(level, _)| level.rank() < Level::Good.rank()).count());
    if !wrong.is_empty() {
        columns.push(vec![Block::Heading(text!(lang, "What could go wrong")), Block::Doubts(wrong)]);
    }
    if !decision.next.is_empty() {
        // The scripts are in the page: nothing needs to be typed for them.
        let step = |step: &dw_documents::decision::Step| (sentence(&step.says.text, lang), None);
        let steps = Block::Steps(decision.next.iter().map(step).collect());
        columns.push(vec![Block::Heading(text!(lang, "What next")), steps]);
    }
    if !decision.cheaper.is_empty() {
        let savings = Block::List(cheaper(decision, &plan.currency, lang));
        columns.push(vec![Block::Heading(text!(lang, "What would be cheaper")), savings]);
    }
    if !columns.is_empty() {
        blocks.push(Block::Beside(columns));
    }
    blocks.extend(plan::designs(plan, lang).map(Block::Table));
    // What the page has no room for, and what speaks for it.
    blocks.extend(beyond.into_iter().map(|(level, text)| Block::Said(level, text)));
    blocks
}

/// Sentences as they stand by themselves.
fn lines(all: &[Sentence], lang: &Language) -> Vec<String> {
    all.iter().map(|line| sentence(&line.text, lang)).collect()
}

/// What the decision is about: recording, machine, program.
fn terms(read: &Read, decision: &Decision) -> String {
    let lang = read.lang;
    let recorded = decision.checks.iter().find(|row| row.of == CheckOf::Recording).and_then(|row| row.found.as_ref());
    let recorded = recorded.map(|found| match clock(read).map(briefly) {
        Some((from, to)) => text!(lang, "recorded {from} to {to}: {found}", from, to, found),
        None => text!(lang, "recorded: {found}", found),
    });
    let machine = decision.machine.as_ref().map(|machine| machine.says.to_string());
    let program = format!("diskwright {}", env!("CARGO_PKG_VERSION"));
    let all: Vec<String> = recorded.into_iter().chain(machine).chain([program]).collect();
    capitalized(&all.join(" · "))
}

/// From when to when was recorded, where the audit says it.
fn clock(read: &Read) -> Option<(String, String)> {
    let findings = read.checklists.iter().flat_map(|(_, list)| &list.findings);
    let times = findings.filter_map(|finding| match finding.what.args.get("times") {
        Some(Arg::Sentence(times)) => Some(times),
        _ => None,
    });
    let text = |arg: Option<&Arg>| match arg {
        Some(Arg::Text(text)) => Some(text.clone()),
        _ => None,
    };
    times.filter_map(|times| Some((text(times.args.get("from"))?, text(times.args.get("to"))?))).next()
}

/// `2026-03-03 09:00` and `10:00`: without seconds that say nothing, and the day once.
fn briefly((from, to): (String, String)) -> (String, String) {
    let brief = |stamp: &str| stamp.strip_suffix(":00").unwrap_or(stamp).to_string();
    let (from, to) = (brief(&from), brief(&to));
    let day = from.split(' ').next().unwrap_or_default().to_string();
    let to = to.strip_prefix(&day).map_or(to.clone(), |time| time.trim_start().to_string());
    (from, to)
}

fn decided(decision: &Decision, lang: &Language) -> content::Decision {
    let names = decision.machine.iter().map(|machine| machine.size.clone());
    let strong = names.chain(decision.volumes.iter().filter_map(|volume| volume.disks.clone()));
    content::Decision {
        level: plan::level(decision.state),
        state: capitalized(lang.word(decision.state.word())),
        said: sentence(&decision.sentence.text, lang),
        // The greatest change of all; the others are in the table.
        remark: decision.today.first().map(|line| sentence(&line.text, lang)),
        strong: strong.collect(),
        conditions: lines(&decision.conditions, lang),
        price: decision.price.as_ref().map(|price| of_price(price, lang)),
    }
}

/// Volumes whose price is named by itself.
const NAMED: usize = 4;

fn of_price(price: &Price, lang: &Language) -> (String, String, Vec<String>) {
    let amount = format!("{} {}", money(price.monthly), price.currency);
    let mut rows = vec![text!(lang, "{amount} per year", amount = money(price.yearly))];
    let volumes = || price.parts.iter().filter(|part| part.of == PartOf::Volume);
    let part = |name: &str, monthly: f64| format!("{name} {}", money(monthly));
    let mut parts = Vec::new();
    for row in &price.parts {
        let monthly = row.monthly.unwrap_or_default();
        match row.of {
            PartOf::Machine => parts.push(part("VM", monthly)),
            PartOf::Volume if volumes().count() > NAMED => {}
            _ => parts.push(part(&row.name, monthly)),
        }
    }
    if volumes().count() > NAMED {
        let all: f64 = volumes().filter_map(|row| row.monthly).sum();
        parts.push(part(&text!(lang, "disks"), all));
    }
    rows.push(lang.list(&parts));
    // What has no price is named below.
    let terms = price.terms.iter().filter(|line| line.id != "summary-not-in");
    let terms: Vec<String> = terms.map(ToString::to_string).collect();
    rows.push(terms.join(lang.between()));
    let not_in = price.beside.iter().filter(|row| row.monthly.is_none());
    let not_in: Vec<String> = not_in.map(|row| lang.word(&row.name).to_string()).collect();
    if !not_in.is_empty() {
        rows.push(text!(lang, "not in it: {names}", names = lang.list(&not_in)));
    }
    (amount, text!(lang, "per month"), rows)
}

/// What was asked, what was recorded, what the plan does.
fn checks(decision: &Decision, lang: &Language) -> Table {
    let head = labels!["requirement", "#asked", "#recorded", "on these disks", "verdict", "how that is known"];
    let mut table = Table::new(lang, text!(lang, "What was asked, what was recorded, what these disks do"), &head);
    let is_unmet = |row: &&CheckRow| row.state != State::Met;
    let unmet = decision.checks.iter().filter(is_unmet).count();
    let mut room = CHECKS.saturating_sub(unmet);
    let mut left_out = 0;
    // When and how long was recorded stands above.
    let is_shown = |row: &&CheckRow| row.of != CheckOf::Recording || row.state != State::Met;
    for row in decision.checks.iter().filter(is_shown) {
        if row.state == State::Met {
            if room == 0 {
                left_out += 1;
                continue;
            }
            room -= 1;
        }
        let level = plan::level(row.state);
        let said = |line: &Option<Sentence>| line.as_ref().map_or("–".into(), ToString::to_string);
        table.levels.push((table.rows.len(), 4, level));
        table.row([
            row.what.to_string(),
            said(&row.asked),
            said(&row.recorded),
            said(&row.found),
            format!("{} {}", level.mark(), short(row.state, lang)),
            row.shown_by.to_string(),
        ]);
    }
    if left_out > 0 {
        let more = text!(lang, "{n} more", n = left_out);
        let met = format!("{} {}", Level::Good.mark(), short(State::Met, lang));
        table.levels.push((table.rows.len(), 4, Level::Good));
        table.row([more, "–".into(), "–".into(), "–".into(), met, "–".into()]);
    }
    table
}

/// The state in a cell.
fn short(state: State, lang: &Language) -> String {
    match state {
        State::Met => text!(lang, "met"),
        State::MetWithCondition => text!(lang, "met if"),
        State::NotMet => text!(lang, "not met"),
    }
}

/// The load against the limits: over the recorded time, or at its most where there is no series; and what breaks first.
fn load(read: &Read, plan: &PlanDocument, decision: &Decision) -> Vec<Block> {
    let lang = read.lang;
    let over_time = decision.load.as_ref().and_then(|load| {
        let step = load.step_s;
        let line = |limit: &LimitOverTime| {
            let peak = limit.percent.iter().copied().fold(0.0, f64::max);
            let points = (1..).zip(&limit.percent).map(|(at, percent)| (f64::from(at) * step, Some(*percent)));
            let name = lang.limit(&limit.of.name());
            Series::new(
                text!(lang, "{limit}: at most {share}", limit = name, share = lang.figure(&percent(peak))),
                points.collect(),
            )
        };
        let series: Vec<Series> = load.limits.iter().take(LINES).map(line).collect();
        let title = match load.years {
            0 => text!(lang, "How full each limit is under the recorded load"),
            years => text!(lang, "How full each limit is under the recorded load, grown to year {years}", years),
        };
        let mut chart = shares(lang, &title, &series)?;
        at_clock_times(read, &mut chart, load.limits.first().map_or(0, |limit| limit.percent.len()) as f64 * step);
        Some(Block::Chart(chart, over_time_table(&title, &series, lang)))
    });
    let breaks = decision.breaks.iter().flat_map(|breaks| &breaks.says);
    let breaks: Vec<String> = breaks.map(|line| sentence(&line.text, lang)).collect();
    let breaks = (!breaks.is_empty()).then(|| Block::Text(breaks.join(" ")));
    let limits = over_time.or_else(|| bars(plan, lang));
    let charts: Vec<Vec<Block>> =
        limits.into_iter().chain(slowest::chart(read, plan, decision)).map(|chart| vec![chart]).collect();
    let charts = match charts.len() {
        0 | 1 => charts.into_iter().flatten().next(),
        _ => Some(Block::Beside(charts)),
    };
    charts.into_iter().chain(breaks).collect()
}

/// Names the moments of a chart over the recorded time as the clock had them, where that is known; the chart ends after so many seconds.
pub(super) fn at_clock_times(read: &Read, chart: &mut Chart, end_s: f64) {
    if let Some(begin) = clock(read).and_then(|(from, _)| second_of_day(&from)) {
        chart.x.iter_mut().for_each(|(place, text)| *text = of_day(begin + *place * end_s));
    }
}

/// Seconds since midnight of `2026-03-03 09:00:00`.
fn second_of_day(stamp: &str) -> Option<f64> {
    let (_, time) = stamp.split_once(' ')?;
    let parts: Vec<f64> = time.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    match parts[..] {
        [hours, minutes, seconds] => Some((hours * 60.0 + minutes) * 60.0 + seconds),
        _ => None,
    }
}

/// `09:30` of a second since midnight, of the next days, too.
fn of_day(second: f64) -> String {
    let minutes = (second / 60.0).round() as u64 % 1_440;
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

/// Rows of the table below the chart.
const ROWS: usize = 24;

fn over_time_table(title: &str, series: &[Series], lang: &Language) -> Table {
    let mut head = vec![content::Column::figures(text!(lang, "second"))];
    head.extend(series.iter().map(|line| content::Column::figures(&line.name)));
    let mut table = Table::with_columns(title, head);
    let Some(first) = series.first() else { return table };
    for at in super::words::sampled(first.points.len(), ROWS) {
        let cell =
            |line: &Series| line.points.get(at).and_then(|point| point.1).map_or("-".into(), |v| format!("{v:.1} %"));
        table.row(std::iter::once(format!("{:.0}", first.points[at].0)).chain(series.iter().map(cell)));
    }
    table
}

/// The fullest limits at the load that was planned for.
fn bars(plan: &PlanDocument, lang: &Language) -> Option<Block> {
    let mut rows: Vec<_> = plan.limits.iter().filter(|row| row.of.id.is_some()).collect();
    rows.sort_by(|a, b| a.headroom_percent.total_cmp(&b.headroom_percent));
    rows.truncate(LINES);
    let title = text!(lang, "Use of the fullest limits, %");
    let mut table = Table::new(lang, &title, &labels!["limit", "#used"]);
    let bar = |row: &&dw_documents::plan::LimitRow| {
        let used = 100.0 - row.headroom_percent;
        let text = percent(used);
        Bar { name: lang.limit(&row.of.name()), parts: vec![used], text, marked: row.binding }
    };
    let bars: Vec<Bar> = rows.iter().map(bar).collect();
    bars.iter().for_each(|bar| table.row([bar.name.clone(), bar.text.clone()]));
    (!bars.is_empty()).then(|| Block::Bars(Bars { title, parts: Vec::new(), bars, whole: Some(100.0) }, table))
}

/// The gravest first; what is a condition of the decision stands there.
fn wrong(read: &Read, decision: &Decision, others: Vec<(Level, String)>) -> Vec<(Level, String)> {
    let lang = read.lang;
    let is_said = decision.conditions.iter().any(|line| line.id == "plan-recording");
    let recorded = lang.label(dw_messages::label!("Recording: {what}; {effect}"));
    let recorded = recorded.split('{').next().unwrap_or_default();
    let mut all: Vec<(Level, String)> = others
        .into_iter()
        .filter(|(level, text)| !(is_said && *level == Level::Critical && text.starts_with(recorded)))
        .collect();
    // In how many years it is too small is a check.
    let risks = decision.risks.iter().filter(|line| line.id != "summary-outgrown");
    let own = if read.checklists.is_empty() { &decision.doubts[..] } else { &[] };
    all.extend(risks.chain(own).map(|line| (Level::Warning, sentence(&line.text, lang))));
    all.sort_by_key(|(level, _)| level.rank());
    all
}

fn cheaper(decision: &Decision, currency: &str, lang: &Language) -> Vec<String> {
    let line = |row: &dw_documents::decision::CheaperIf| {
        let condition = capitalized(&row.condition.text);
        let amount = lang.figure(&money(row.saves));
        text!(lang, "{condition}: saves {amount} {currency} per month", condition, amount, currency)
    };
    decision.cheaper.iter().take(SAVINGS).map(line).collect()
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
fn hits_apart(read: &Read) -> Vec<(Level, String)> {
    let mut all = Vec::new();
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
            all.push((Level::Warning, text));
        }
    }
    all
}
