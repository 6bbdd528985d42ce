//! Findings as one page that needs nothing from anywhere else: machines by the money that cannot be used, rules, findings, moves. A filter finds
//! machines and findings by what is in them, tags of the machine among it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use dw_documents::audit::{AuditDocument, Audited, Finding, Level, saves_together};
use dw_error::obeyed;
use dw_messages::{Label, label, labels};
use dw_report::content::{self, Block, Row, Rows, Section, Table};
use dw_report::page_of;

use super::{metrics, texts};
use crate::language::{said, spoken};
use crate::report::format;

/// Rows of a table without scripts.
const ROWS: usize = 1_000;

/// What rules are of, by the first digit of their codes.
fn families() -> Vec<String> {
    let all = labels!["waivers", "limits", "waste", "data at risk", "lifecycle", "price"];
    all.iter().map(|label| spoken().label(*label).to_string()).collect()
}

/// The digit of a code.
fn family(code: &str) -> usize {
    code.as_bytes().get(2).map_or(0, |digit| usize::from(digit.wrapping_sub(b'0')))
}

/// What warnings and errors of a machine come to.
#[derive(Clone, Default)]
struct Sum {
    saves: f64,
    worst: Option<Level>,
    findings: usize,
    /// Families and levels of its findings.
    kinds: BTreeSet<(usize, Level)>,
}

pub fn html(audit: &AuditDocument) -> String {
    let lang = spoken();
    let title = |label: Label| lang.label(label).to_string();
    let section = |id, label: Label, blocks: Vec<Block>| Section { id, title: title(label), blocks, folded: None };
    let (machines, findings) = (machines(audit), findings(audit));
    let is_found = open(audit).next().is_some();
    let mut sections = vec![section("overview", label!("Overview"), overview(audit))];
    if let Some(planned) = audit.planned.as_ref().filter(|planned| !planned.machines.is_empty()) {
        let head =
            labels!["what it needs", "machine", "#today a month", "#planned a month", "what changes", "what it takes"];
        let rows = metrics::by_wave(planned).into_iter().map(|one| metrics::cells(one).to_vec());
        sections.push(section(
            "planned",
            label!("Planned by recordings"),
            vec![table(label!("machine"), &head, rows, planned.machines.len())],
        ));
    }
    sections.push(section("rules", label!("Findings by rule"), vec![rules(audit)]));
    let filter = is_found.then(|| Block::Filter(families()));
    let of_machines = filter.into_iter().chain([machines]).collect();
    sections.push(section("machines", label!("Machines by money that cannot be used"), of_machines));
    sections.push(section("findings", label!("Findings"), vec![findings]));
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

/// A table, which says of how many rows.
fn table(caption: Label, head: &[Label], rows: impl Iterator<Item = Vec<String>>, count: usize) -> Block {
    let (lang, rows) = (spoken(), rows.collect::<Vec<_>>());
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
    let lost: f64 = audit.by_machine().into_values().map(saves_together).sum();
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
    let sentences = texts::summary(audit).iter().map(said).chain(texts::warnings(audit)).collect();
    vec![Block::Figures(figures), Block::List(sentences)]
}

/// Machines with a finding above a note, those with the most money first.
fn machines(audit: &AuditDocument) -> Block {
    let sum = |(machine, own): (_, Vec<&Finding>)| {
        let worst = own.iter().map(|finding| finding.level).max();
        let kinds = own.iter().map(|finding| (family(&finding.code), finding.level)).collect();
        (machine, Sum { findings: own.len(), saves: saves_together(own), worst, kinds })
    };
    let sums: HashMap<_, Sum> = audit.by_machine().into_iter().map(sum).collect();
    let mut all: Vec<&Audited> = audit.estate.iter().filter(|one| of(&sums, one).findings > 0).collect();
    all.sort_by(|a, b| {
        let (own, other) = (of(&sums, a), of(&sums, b));
        let worst = || other.worst.cmp(&own.worst);
        other.saves.total_cmp(&own.saves).then_with(worst).then_with(|| a.name.cmp(&b.name))
    });
    let head = labels!["machine", "size", "region", "#monthly cost", "#saves a month", "#Findings", "level", "tags"];
    let row = |one: &&Audited| {
        let sum = of(&sums, one);
        let cells = vec![
            one.name.clone(),
            one.size.clone().unwrap_or_default(),
            one.region.clone().unwrap_or_default(),
            one.monthly.map_or_else(|| "?".into(), |amount| format::grouped(amount.round())),
            money(sum.saves),
            sum.findings.to_string(),
            sum.worst.map_or("", texts::level).to_string(),
            tags(one),
        ];
        Row { cells, level: sum.worst.map(graveness), kinds: kinds(sum.kinds.iter()), also: String::new() }
    };
    filtered(label!("machine"), &head, 6, all.iter().map(row))
}

static NONE: Sum = Sum { saves: 0.0, worst: None, findings: 0, kinds: BTreeSet::new() };

fn of<'s>(sums: &'s HashMap<(&'s str, &'s str), Sum>, one: &'s Audited) -> &'s Sum {
    sums.get(&(one.id.as_str(), one.name.as_str())).unwrap_or(&NONE)
}

fn tags(one: &Audited) -> String {
    one.tags.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(", ")
}

fn kinds<'a>(all: impl Iterator<Item = &'a (usize, Level)>) -> Vec<(usize, content::Level)> {
    all.map(|(family, level)| (*family, graveness(*level))).collect()
}

/// A table of which rows are found by the filter.
fn filtered(caption: Label, head: &[Label], graded: usize, rows: impl Iterator<Item = Row>) -> Block {
    let clean = |mut row: Row| {
        // Names are of anybody's writing.
        row.cells.iter_mut().chain([&mut row.also]).for_each(|cell| *cell = obeyed::line(cell).into_owned());
        row
    };
    let all: Vec<Row> = rows.map(clean).collect();
    let shown = all.iter().take(ROWS).map(|row| row.cells.clone());
    let Block::Table(table) = leveled(table(caption, head, shown, all.len()), graded, all.iter().map(|row| row.level))
    else {
        return Block::List(Vec::new());
    };
    Block::Rows(Rows { table, all, graded })
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
    let levels = by_rule.keys().map(|(level, _)| Some(graveness(level.0)));
    leveled(table(label!("code"), &head, by_rule.iter().map(row), by_rule.len()), 1, levels)
}

fn findings(audit: &AuditDocument) -> Block {
    let head = labels!["code", "level", "machine", "disk", "#saves a month", "finding", "what ends it"];
    let of_machine: HashMap<(&str, &str), String> =
        audit.estate.iter().map(|one| ((one.id.as_str(), one.name.as_str()), tags(one))).collect();
    let row = |finding: &Finding| {
        let cells = vec![
            finding.code.clone(),
            texts::level(finding.level).to_string(),
            finding.machine.clone(),
            finding.disk.clone(),
            money(finding.saves()),
            finding.text(said),
            texts::ends(finding),
        ];
        let also =
            of_machine.get(&(finding.machine_id.as_str(), finding.machine.as_str())).cloned().unwrap_or_default();
        let kinds = kinds([(family(&finding.code), finding.level)].iter());
        Row { cells, level: Some(graveness(finding.level)), kinds, also }
    };
    filtered(label!("finding"), &head, 1, open(audit).map(row))
}

/// The same with the colour of each row's level.
fn leveled(block: Block, column: usize, levels: impl Iterator<Item = Option<content::Level>>) -> Block {
    let Block::Table(mut table) = block else { return block };
    let count = table.rows.len();
    table.levels = levels.take(count).enumerate().filter_map(|(row, level)| Some((row, column, level?))).collect();
    Block::Table(table)
}

fn graveness(level: Level) -> content::Level {
    match level {
        Level::Note => content::Level::Note,
        Level::Warning => content::Level::Warning,
        Level::Error => content::Level::Critical,
    }
}
