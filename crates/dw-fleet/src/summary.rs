//! An estate in a page: how many VMs are planned, what they cost against today, what saves most, what was doubted, and who could not be
//! planned and why.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use arrow_array::{Array, Int64Array, ListArray, RecordBatch, StringArray};
use diskwright::Result;
use diskwright::dw_observe::audit::Pitfall;
use diskwright::dw_report::content::{Block, Column, Level, Section, Table};
use diskwright::dw_report::{format, page_of};
use diskwright::dw_units::MoneyChange;
use diskwright::messages::Language;

use crate::code::Code;
use crate::columns::{lists, number, numbers, optional, text, texts};
use crate::results::Status;

/// VMs that a list of a page names; files have all.
const NAMED: usize = 25;

/// A VM of the results.
#[derive(Clone, Debug, Default)]
struct Vm {
    name: String,
    status: String,
    code: Option<String>,
    message: Option<String>,
    size: Option<String>,
    planned: Option<i64>,
    binding: Option<String>,
    size_today: Option<String>,
    today: Option<i64>,
    is_sure: bool,
}

/// What an estate comes to.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    vms: Vec<Vm>,
    findings: BTreeMap<String, u64>,
    currency: String,
}

/// A figure of the summary as a row of a table: which part, of what, how many, and amounts in millionths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fact {
    /// Which part of the summary.
    pub part: &'static str,
    pub item: String,
    /// How many VMs.
    pub vms: Option<i64>,
    /// What they cost a month today.
    pub today_micros: Option<i64>,
    /// What they are planned to cost.
    pub planned_micros: Option<i64>,
    /// A sentence.
    pub message: Option<String>,
}

impl Summary {
    /// Of all results, and of the inventory that they rest on.
    ///
    /// # Errors
    /// Of kind `Input` where a column is missing or of another type.
    pub fn from_results(results: &[RecordBatch], inventory: &[RecordBatch], currency: &str) -> Result<Summary> {
        let mut today: BTreeMap<String, (Option<String>, Option<i64>)> = BTreeMap::new();
        for batch in inventory {
            let vm = texts(batch, "vm")?;
            let size = optional::<StringArray>(batch, "vm_size", "string")?;
            let cost = optional::<Int64Array>(batch, "monthly_micros", "int64")?;
            for row in 0..batch.num_rows() {
                let Some(name) = text(vm, row) else { continue };
                let entry = today.entry(name.to_string()).or_default();
                entry.0 = size.and_then(|size| text(size, row)).map(str::to_string).or(entry.0.take());
                entry.1 = cost.and_then(|cost| number(cost, row)).or(entry.1);
            }
        }
        let mut summary = Summary { currency: currency.into(), ..Summary::default() };
        for batch in results {
            summary.add(batch, &mut today)?;
        }
        summary.vms.sort_by(|a, b| a.name.cmp(&b.name));
        summary.hint_at_names();
        Ok(summary)
    }

    /// A VM without counters and one without an inventory whose names differ in case alone are one, written in two ways.
    fn hint_at_names(&mut self) {
        let is = |vm: &Vm, code: Code| vm.code.as_deref() == Some(code.word());
        let spelled = |code: Code| -> BTreeMap<String, String> {
            let of = self.vms.iter().filter(|vm| is(vm, code));
            of.map(|vm| (vm.name.to_lowercase(), vm.name.clone())).collect()
        };
        let (counted, listed) = (spelled(Code::NoInventory), spelled(Code::NoCounters));
        for vm in &mut self.vms {
            let name = vm.name.to_lowercase();
            let (Some(counted), Some(listed)) = (counted.get(&name), listed.get(&name)) else { continue };
            let hint = format!("the counters have `{counted}`, the inventory `{listed}`: use the same name in both");
            vm.message = Some(vm.message.take().map_or_else(|| hint.clone(), |said| format!("{said}; {hint}")));
        }
    }

    fn add(&mut self, batch: &RecordBatch, today: &mut BTreeMap<String, (Option<String>, Option<i64>)>) -> Result<()> {
        let (vm, status, code) = (texts(batch, "vm")?, texts(batch, "status")?, texts(batch, "code")?);
        let (message, size, binding) =
            (texts(batch, "message")?, texts(batch, "vm_size")?, texts(batch, "binding_limit")?);
        let (monthly, findings) = (numbers(batch, "monthly_micros")?, lists(batch, "findings")?);
        let (used, dropped) = (numbers(batch, "rows_used")?, numbers(batch, "rows_dropped")?);
        let own = |column, row| text(column, row).map(str::to_string);
        for row in 0..batch.num_rows() {
            let name = own(vm, row).unwrap_or_default();
            let (size_today, today) = today.remove(&name).unwrap_or_default();
            let code_of_row = Code::ALL.into_iter().find(|known| text(code, row) == Some(known.word()));
            let [used, dropped] = [used, dropped].map(|rows| number(rows, row).map_or(0, i64::unsigned_abs));
            self.count_findings(findings, row);
            self.vms.push(Vm {
                name,
                status: own(status, row).unwrap_or_default(),
                code: own(code, row),
                message: own(message, row),
                size: own(size, row),
                planned: number(monthly, row),
                binding: own(binding, row),
                size_today,
                today,
                is_sure: code_of_row.is_none_or(|code| code.is_sure(used, dropped)),
            });
        }
        Ok(())
    }

    fn count_findings(&mut self, findings: &ListArray, row: usize) {
        let list = findings.is_valid(row).then(|| findings.value(row));
        let codes = list.as_ref().and_then(|list| list.as_any().downcast_ref::<StringArray>());
        let mut codes: Vec<&str> = codes.into_iter().flat_map(|codes| codes.iter().flatten()).collect();
        codes.sort_unstable();
        codes.dedup();
        for code in codes {
            *self.findings.entry(code.to_string()).or_default() += 1;
        }
    }

    /// Figures as rows: what the page says, whole.
    pub fn facts(&self) -> Vec<Fact> {
        let mut facts = vec![self.fact("total", "all", &|_| true)];
        for status in [Status::Planned, Status::Infeasible, Status::Failed] {
            facts.push(self.fact("status", status.word(), &|vm| vm.status == status.word()));
        }
        facts.push(self.fact("cost", "with a known current cost", &Vm::is_compared));
        facts.push(self.fact("unsure", "planned, not in the savings", &Vm::is_unsure));
        facts.extend(self.savings().into_iter().map(|vm| Fact {
            part: "saving",
            item: vm.name.clone(),
            vms: Some(1),
            today_micros: vm.today,
            planned_micros: vm.planned,
            message: Some(sizes(vm)),
        }));
        facts.extend(
            counted(&self.vms, |vm| vm.size.clone())
                .into_iter()
                .map(|(size, _)| self.fact("vm size", &size, &|vm| vm.size.as_deref() == Some(&size))),
        );
        facts.extend(
            counted(&self.vms, |vm| vm.binding.clone())
                .into_iter()
                .map(|(limit, _)| self.fact("binding limit", &limit, &|vm| vm.binding.as_deref() == Some(&limit))),
        );
        facts.extend(self.findings.iter().map(|(code, count)| Fact {
            part: "finding",
            item: code.clone(),
            vms: i64::try_from(*count).ok(),
            message: Some(title(code)),
            ..Fact::default()
        }));
        facts.extend(self.codes().into_iter().map(|(code, count)| Fact {
            part: "code",
            item: code,
            vms: i64::try_from(count).ok(),
            ..Fact::default()
        }));
        facts.extend(self.vms.iter().filter(|vm| vm.code.is_some()).map(|vm| Fact {
            part: "vm with a code",
            item: vm.name.clone(),
            vms: Some(1),
            message: Some(format!("{}: {}", vm.code.as_deref().unwrap_or_default(), vm.said())),
            ..Fact::default()
        }));
        facts
    }

    fn fact(&self, part: &'static str, item: &str, of: &dyn Fn(&Vm) -> bool) -> Fact {
        let chosen: Vec<&Vm> = self.vms.iter().filter(|vm| of(vm)).collect();
        let sum =
            |amount: fn(&Vm) -> Option<i64>| chosen.iter().filter_map(|vm| amount(vm)).reduce(i64::saturating_add);
        Fact {
            part,
            item: item.into(),
            vms: i64::try_from(chosen.len()).ok(),
            today_micros: sum(|vm| vm.today),
            planned_micros: sum(|vm| vm.planned),
            message: None,
        }
    }

    /// VMs that get cheaper, the largest saving first.
    fn savings(&self) -> Vec<&Vm> {
        let mut all: Vec<&Vm> = self.vms.iter().filter(|vm| vm.saving().is_some_and(|saving| saving > 0)).collect();
        all.sort_by_key(|vm| (std::cmp::Reverse(vm.saving()), &vm.name));
        all
    }

    fn codes(&self) -> Vec<(String, u64)> {
        counted(&self.vms, |vm| vm.code.clone())
    }

    /// The summary as one page.
    pub fn html(&self, title: &str) -> String {
        page_of(title, &self.sections(), Language::english())
    }

    /// The same for a terminal.
    pub fn text(&self, title: &str) -> String {
        let mut out = format!("{title}\n");
        for section in self.sections() {
            let _ = write!(out, "\n{}\n", section.title);
            section.blocks.iter().for_each(|block| write_block(&mut out, block));
        }
        out
    }

    /// The same as sections of a page.
    pub fn sections(&self) -> Vec<Section> {
        let section = |id, title: &str, blocks| Section { id, title: title.into(), blocks, folded: None };
        vec![
            section("estate", "Overview", self.estate()),
            section("savings", "Largest savings", self.saving_blocks()),
            section("not-planned", "VMs that need attention", self.doubtful()),
            section("findings", "Findings", self.finding_blocks()),
            section("plans", "Planned sizes and bottlenecks", self.plan_blocks()),
        ]
    }

    fn estate(&self) -> Vec<Block> {
        let n = |status: Status| self.vms.iter().filter(|vm| vm.status == status.word()).count();
        let [planned, infeasible, failed] = [Status::Planned, Status::Infeasible, Status::Failed].map(n);
        let all = self.fact("", "", &|_| true);
        let both = self.fact("", "", &Vm::is_compared);
        let unsure = self.fact("", "", &Vm::is_unsure);
        let mut figures = vec![
            ["VMs".into(), count(self.vms.len()), format!("{} planned", count(planned))],
            ["Planned cost".into(), self.money(all.planned_micros.unwrap_or(0)), "per month".into()],
        ];
        if let (Some(today), Some(planned)) = (both.today_micros, both.planned_micros) {
            let vms = count(both.vms.unwrap_or(0).unsigned_abs() as usize);
            figures.push([
                "Today".into(),
                self.money(today),
                format!("per month, {vms} VMs with a certain plan and a known current cost"),
            ]);
            let share = if today > 0 { 100.0 * (today - planned) as f64 / today as f64 } else { 0.0 };
            figures.push(["Savings on these".into(), self.money(today - planned), format!("per month, {share:.1} %")]);
        }
        let mut blocks = vec![Block::Figures(figures)];
        if let (Some(n @ 1..), Some(planned)) = (unsure.vms, unsure.planned_micros) {
            let (n, planned) = (vms(n.unsigned_abs() as usize), self.money(planned));
            let text = format!("{n} planned from incomplete data, at {planned} per month: not in the savings.");
            blocks.push(Block::Said(Level::Warning, text));
        }
        if infeasible > 0 {
            blocks.push(Block::Said(
                Level::Warning,
                format!("{} cannot be planned: nothing on offer meets the demand.", vms(infeasible)),
            ));
        }
        if failed > 0 {
            blocks.push(Block::Said(Level::Critical, format!("{} could not be planned.", vms(failed))));
        }
        blocks
    }

    fn saving_blocks(&self) -> Vec<Block> {
        let all = self.savings();
        if all.is_empty() {
            return vec![Block::Text("No VM with a known cost becomes cheaper.".into())];
        }
        let head = ["VM", "Today", "Planned"].map(Column::words).into_iter();
        let head = head.chain(["Today / month", "Planned / month", "Saving / month"].map(Column::figures)).collect();
        let mut table = Table::with_columns(first_of("By VM", all.len()), head);
        for vm in all.iter().take(NAMED) {
            let amounts = [vm.today, vm.planned, vm.saving()].map(|amount| self.money(amount.unwrap_or(0)));
            let texts =
                [vm.name.clone(), vm.size_today.clone().unwrap_or_default(), vm.size.clone().unwrap_or_default()];
            table.row(texts.into_iter().chain(amounts));
        }
        vec![Block::Table(table)]
    }

    fn doubtful(&self) -> Vec<Block> {
        let codes = self.codes();
        if codes.is_empty() {
            return vec![Block::Said(Level::Good, "Every VM was planned, using all of its rows.".into())];
        }
        let mut kinds = Table::with_columns("By code", vec![Column::words("Code"), Column::figures("VMs")]);
        codes.into_iter().for_each(|(code, n)| kinds.row([code, count(n as usize)]));
        let named: Vec<&Vm> = self.vms.iter().filter(|vm| vm.code.is_some()).collect();
        let head = ["VM", "Status", "Code", "Why"].map(Column::words).to_vec();
        let mut table = Table::with_columns(first_of("By VM", named.len()), head);
        for vm in named.iter().take(NAMED) {
            table.row([vm.name.clone(), vm.status.clone(), vm.code.clone().unwrap_or_default(), vm.said().into()]);
        }
        vec![Block::Table(kinds), Block::Table(table)]
    }

    fn finding_blocks(&self) -> Vec<Block> {
        if self.findings.is_empty() {
            return vec![Block::Said(Level::Good, "No findings.".into())];
        }
        let head = vec![Column::words("Code"), Column::words("Finding"), Column::figures("VMs")];
        let mut table = Table::with_columns("By kind", head);
        let mut all: Vec<(&String, &u64)> = self.findings.iter().collect();
        all.sort_by_key(|(code, count)| (std::cmp::Reverse(**count), *code));
        all.into_iter().for_each(|(code, n)| table.row([code.clone(), title(code), count(*n as usize)]));
        vec![Block::Table(table)]
    }

    fn plan_blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        for (caption, of) in [
            ("VM sizes", (|vm: &Vm| vm.size.clone()) as fn(&Vm) -> Option<String>),
            ("Bottlenecks", |vm: &Vm| vm.binding.clone()),
        ] {
            let all = counted(&self.vms, of);
            let head = vec![Column::words(caption), Column::figures("VMs")];
            let mut table = Table::with_columns(first_of(caption, all.len()), head);
            all.into_iter().take(NAMED).for_each(|(item, n)| table.row([item, count(n as usize)]));
            blocks.push(Block::Table(table));
        }
        blocks
    }

    fn money(&self, micros: i64) -> String {
        let change = MoneyChange::micros(i128::from(micros)).to_string();
        format!("{} {}", change.trim_start_matches('+'), self.currency)
    }
}

impl Vm {
    /// Of a plan that rests on what is known.
    fn saving(&self) -> Option<i64> {
        Some(self.today? - self.planned?).filter(|_| self.is_sure)
    }

    fn is_compared(&self) -> bool {
        self.saving().is_some()
    }

    fn is_unsure(&self) -> bool {
        self.planned.is_some() && !self.is_sure
    }

    fn said(&self) -> &str {
        self.message.as_deref().unwrap_or_default()
    }
}

fn write_block(out: &mut String, block: &Block) {
    match block {
        Block::Figures(figures) => {
            for [what, figure, remark] in figures {
                let _ = writeln!(out, "  {what}: {figure} ({remark})");
            }
        }
        Block::Text(text) => {
            let _ = writeln!(out, "  {text}");
        }
        Block::Said(level, text) => {
            let word = Language::english().label(level.word());
            let _ = writeln!(out, "  {word}: {text}");
        }
        Block::Table(table) => write_table(out, table),
        _ => {}
    }
}

fn write_table(out: &mut String, table: &Table) {
    let heads = table.head.iter().map(|column| column.title.clone()).collect();
    let lines: Vec<Vec<String>> = std::iter::once(heads).chain(table.rows.iter().cloned()).collect();
    let width = |place: usize| lines.iter().map(|line| line[place].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..table.head.len()).map(width).collect();
    let _ = writeln!(out, "  {}:", table.caption);
    for line in lines {
        let cells = line.iter().zip(&widths).zip(&table.head).map(|((cell, width), column)| match column.figures {
            true => format!("{cell:>width$}"),
            false => format!("{cell:<width$}"),
        });
        let cells: Vec<String> = cells.collect();
        let _ = writeln!(out, "    {}", cells.join("  ").trim_end());
    }
}

fn sizes(vm: &Vm) -> String {
    let name = |size: &Option<String>| size.clone().unwrap_or_else(|| "unknown".into());
    format!("{} to {}", name(&vm.size_today), name(&vm.size))
}

/// How often each word is there, the most frequent first.
fn counted(vms: &[Vm], of: impl Fn(&Vm) -> Option<String>) -> Vec<(String, u64)> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    vms.iter().filter_map(of).for_each(|word| *counts.entry(word).or_default() += 1);
    let mut counts: Vec<(String, u64)> = counts.into_iter().collect();
    counts.sort_by_key(|(word, count)| (std::cmp::Reverse(*count), word.clone()));
    counts
}

fn first_of(caption: &str, all: usize) -> String {
    if all > NAMED { format!("{caption} (first {NAMED} of {})", count(all)) } else { caption.into() }
}

fn count(n: usize) -> String {
    format::grouped(n as f64)
}

fn vms(n: usize) -> String {
    if n == 1 { "1 VM".into() } else { format!("{} VMs", count(n)) }
}

/// What a code of a finding means.
fn title(code: &str) -> String {
    let known = Pitfall::ALL.iter().find(|pitfall| pitfall.code() == code);
    known.map(|pitfall| pitfall.title().to_string()).unwrap_or_default()
}
