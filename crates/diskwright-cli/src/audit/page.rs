//! Findings as one page that needs nothing from anywhere else: machines by the money that cannot be used, rules, findings, moves.

use std::collections::{BTreeMap, HashMap};

use dw_documents::audit::{AuditDocument, Audited, Finding, Level};
use dw_error::obeyed;
use dw_messages::{Label, label, labels};
use dw_report::content::{self, Block, Section, Table};
use dw_report::page_of;

use super::{metrics, texts};
use crate::language::{said, spoken};
use crate::report::format;

/// Rows of a table; the others are in the document.
const ROWS: usize = 1_000;

/// What warnings and errors of a machine come to.
#[derive(Clone, Copy, Default)]
struct Sum {
    saves: f64,
    worst: Option<Level>,
    findings: usize,
}

pub fn html(audit: &AuditDocument) -> String {
    let lang = spoken();
    let title = |label: Label| lang.label(label).to_string();
    let section = |id, label: Label, blocks: Vec<Block>| Section { id, title: title(label), blocks, folded: None };
    let mut sections = vec![section("overview", label!("Overview"), overview(audit))];
    if let Some(planned) = audit.planned.as_ref().filter(|planned| !planned.machines.is_empty()) {
        let head =
            labels!["what it needs", "machine", "#today a month", "#planned a month", "what changes", "what it takes"];
        let rows = metrics::by_wave(planned).into_iter().map(|one| metrics::cells(one).to_vec());
        sections.push(section("planned", label!("Planned by recordings"), vec![table(label!("machine"), &head, rows)]));
    }
    sections.push(section("machines", label!("Machines by money that cannot be used"), vec![machines(audit)]));
    sections.push(section("rules", label!("Findings by rule"), vec![rules(audit)]));
    sections.push(section("findings", label!("Findings"), vec![findings(audit)]));
    let doubts: Vec<String> = texts::doubts(audit).map(|sentence| said(&sentence)).collect();
    if !doubts.is_empty() {
        sections.push(section("doubts", label!("What to know first"), vec![Block::List(doubts)]));
    }
    // Names are of anybody's writing.
    obeyed::lines(&page_of("diskwright audit", &sections, lang)).into_owned()
}

fn open(audit: &AuditDocument) -> impl Iterator<Item = &Finding> {
    audit.findings.iter().filter(|finding| finding.waived.is_none())
}

fn money(amount: f64) -> String {
    if amount > 0.0 { format::grouped(amount.round()) } else { String::new() }
}

/// A table of at most so many rows, which says of how many.
fn table(caption: Label, head: &[Label], rows: impl Iterator<Item = Vec<String>>) -> Block {
    let (lang, mut rows) = (spoken(), rows.collect::<Vec<_>>());
    let count = rows.len();
    rows.truncate(ROWS);
    let shown = format::grouped(rows.len() as f64);
    let of = format::grouped(count as f64);
    let counted = if count > rows.len() { format!(": {shown} / {of}") } else { format!(": {of}") };
    let mut table = Table::new(lang, format!("{}{counted}", lang.label(caption)), head);
    rows.into_iter().for_each(|row| table.row(row));
    Block::Table(table)
}

fn overview(audit: &AuditDocument) -> Vec<Block> {
    let lang = spoken();
    let currency = &audit.cost.currency;
    let count = |count: u64| format::grouped(count as f64);
    let word = |label: Label| lang.label(label).to_string();
    let lost: f64 = open(audit).filter(|finding| finding.level > Level::Note).map(Finding::saves).sum();
    let figures = vec![
        [word(label!("machine")), count(audit.machines), String::new()],
        [word(label!("disks")), count(audit.disks), String::new()],
        [
            word(label!("monthly cost")),
            format!("{} {currency}", format::grouped(audit.cost.monthly.round())),
            String::new(),
        ],
        [
            word(label!("saves a month")),
            format!("{} {currency}", format::grouped(lost.round())),
            word(label!("by warnings and errors alone")),
        ],
    ];
    let sentences = texts::summary(audit).iter().map(said).collect();
    vec![Block::Figures(figures), Block::List(sentences)]
}

/// Machines with a finding above a note, those with the most money first.
fn machines(audit: &AuditDocument) -> Block {
    let mut sums: HashMap<(&str, &str), Sum> = HashMap::new();
    for finding in open(audit).filter(|finding| finding.level > Level::Note) {
        let sum = sums.entry((&finding.machine_id, &finding.machine)).or_default();
        sum.saves += finding.saves();
        sum.findings += 1;
        sum.worst = sum.worst.max(Some(finding.level));
    }
    let of = |one: &Audited| sums.get(&(one.id.as_str(), one.name.as_str())).copied().unwrap_or_default();
    let mut all: Vec<&Audited> = audit.estate.iter().filter(|one| of(one).findings > 0).collect();
    all.sort_by(|a, b| {
        let (own, other) = (of(a), of(b));
        let worst = || other.worst.cmp(&own.worst);
        other.saves.total_cmp(&own.saves).then_with(worst).then_with(|| a.name.cmp(&b.name))
    });
    let head = labels!["machine", "size", "region", "#monthly cost", "#saves a month", "#Findings", "level", "tags"];
    let row = |one: &Audited| {
        let sum = of(one);
        let tags: Vec<String> = one.tags.iter().map(|(key, value)| format!("{key}={value}")).collect();
        vec![
            one.name.clone(),
            one.size.clone().unwrap_or_default(),
            one.region.clone().unwrap_or_default(),
            one.monthly.map_or_else(|| "?".into(), |amount| format::grouped(amount.round())),
            money(sum.saves),
            sum.findings.to_string(),
            sum.worst.map_or("", texts::level).to_string(),
            tags.join(", "),
        ]
    };
    leveled(
        table(label!("machine"), &head, all.iter().copied().map(row)),
        6,
        all.iter().filter_map(|one| of(one).worst),
    )
}

fn rules(audit: &AuditDocument) -> Block {
    let titles: HashMap<&str, &str> =
        audit.rules.iter().map(|rule| (rule.code.as_str(), rule.title.as_str())).collect();
    let mut by_rule: BTreeMap<(std::cmp::Reverse<Level>, &str), (usize, f64)> = BTreeMap::new();
    for finding in open(audit) {
        let sum = by_rule.entry((std::cmp::Reverse(finding.level), finding.code.as_str())).or_default();
        sum.0 += 1;
        sum.1 += finding.saves();
    }
    let head = labels!["code", "level", "finding", "#Findings", "#saves a month"];
    let row = |(&(level, code), &(count, saves)): (&(std::cmp::Reverse<Level>, &str), &(usize, f64))| {
        let title = titles.get(code).copied().unwrap_or_default().to_string();
        vec![code.to_string(), texts::level(level.0).to_string(), title, format::grouped(count as f64), money(saves)]
    };
    leveled(table(label!("code"), &head, by_rule.iter().map(row)), 1, by_rule.keys().map(|(level, _)| level.0))
}

fn findings(audit: &AuditDocument) -> Block {
    let head = labels!["code", "level", "machine", "disk", "#saves a month", "finding", "what ends it"];
    let row = |finding: &Finding| {
        vec![
            finding.code.clone(),
            texts::level(finding.level).to_string(),
            finding.machine.clone(),
            finding.disk.clone(),
            money(finding.saves()),
            said(&finding.says),
            texts::ends(finding),
        ]
    };
    leveled(table(label!("finding"), &head, open(audit).map(row)), 1, open(audit).map(|finding| finding.level))
}

/// The same with the colour of each row's level.
fn leveled(block: Block, column: usize, levels: impl Iterator<Item = Level>) -> Block {
    let Block::Table(mut table) = block else { return block };
    let count = table.rows.len();
    table.levels = levels.take(count).enumerate().map(|(row, level)| (row, column, graveness(level))).collect();
    Block::Table(table)
}

fn graveness(level: Level) -> content::Level {
    match level {
        Level::Note => content::Level::Note,
        Level::Warning => content::Level::Warning,
        Level::Error => content::Level::Critical,
    }
}
