//! A report as Markdown, for a ticket or a wiki: tables stand for the charts.

use std::fmt::Write as _;

use dw_error::obeyed::is_obeyed;
use dw_messages::{Language, text};

use crate::content::{Block, Decision, Rows, Section, Table};
use crate::document::Report;

/// A table. `figures` are the columns that are aligned to the right.
pub fn table(head: &[String], figures: &[usize], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rule = |column| if figures.contains(&column) { "---:" } else { "---" }.to_string();
    let mut out = line(&head.iter().map(|title| plain(title)).collect::<Vec<_>>());
    out += &line(&(0..head.len()).map(rule).collect::<Vec<_>>());
    for row in rows {
        out += &line(&row.iter().map(|cell| plain(cell)).collect::<Vec<_>>());
    }
    out
}

pub(crate) fn text(report: &Report, sections: &[Section], lang: &Language) -> String {
    let mut out = format!("# {}\n", plain(&report.title));
    for section in sections {
        let _ = write!(out, "\n## {}\n", section.title);
        if let Some(line) = section.folded.as_ref().filter(|line| !line.is_empty()) {
            let _ = writeln!(out, "\n*{}*", plain(line));
        }
        for block in &section.blocks {
            out.push('\n');
            write_block(&mut out, block, lang);
        }
    }
    out
}

fn write_block(out: &mut String, block: &Block, lang: &Language) {
    let _ = match block {
        Block::Text(text) => writeln!(out, "{}", plain(text)),
        Block::Heading(text) => writeln!(out, "### {}", plain(text)),
        Block::Said(level, text) => writeln!(out, "**{}:** {}", lang.label(level.word()), plain(text)),
        Block::List(lines) => lines.iter().try_for_each(|line| writeln!(out, "- {}", plain(line))),
        Block::Figures(figures) => figures.iter().try_for_each(|[what, figure, remark]| {
            writeln!(out, "- {}: **{}** ({})", plain(what), plain(&lang.figure(figure)), plain(&lang.figure(remark)))
        }),
        Block::Decision(decision) => {
            write_decision(out, decision, lang);
            Ok(())
        }
        Block::Doubts(all) => {
            all.iter().try_for_each(|(level, text)| writeln!(out, "- {} {}", level.mark(), plain(text)))
        }
        Block::Steps(steps) => (1..).zip(steps).try_for_each(|(number, (text, command))| match command {
            Some(command) => writeln!(out, "{number}. {} `{command}`", plain(text)),
            None => writeln!(out, "{number}. {}", plain(text)),
        }),
        Block::Beside(columns) => {
            for (place, block) in columns.iter().flatten().enumerate() {
                if place > 0 {
                    out.push('\n');
                }
                write_block(out, block, lang);
            }
            Ok(())
        }
        Block::Filter(_) => Ok(()),
        Block::Rows(Rows { table, .. })
        | Block::Table(table)
        | Block::Chart(_, table)
        | Block::Bars(_, table)
        | Block::Path(_, table) => {
            out.push_str(&table_of(table, lang));
            Ok(())
        }
        Block::Code(name, text) => {
            let fence = fence(text);
            let end = if text.ends_with('\n') { "" } else { "\n" };
            writeln!(out, "{}:\n\n{fence}\n{text}{end}{fence}", plain(name))
        }
        Block::Missing(what, command) => {
            let command = format!("`{command}`");
            writeln!(out, "{}", text!(lang, "{what}. {command} fills this section.", what = plain(what), command))
        }
    };
}

fn write_decision(out: &mut String, decision: &Decision, lang: &Language) {
    let _ = writeln!(out, "**{} {}.** {}", decision.level.mark(), decision.state, plain(&decision.said));
    if let Some(remark) = &decision.remark {
        let _ = writeln!(out, "\n{}", plain(remark));
    }
    if !decision.conditions.is_empty() {
        out.push('\n');
    }
    for condition in &decision.conditions {
        let _ = writeln!(out, "- {} {}", decision.level.mark(), plain(condition));
    }
    if let Some((amount, of, lines)) = &decision.price {
        let _ = writeln!(out, "\n**{}** {}", plain(&lang.figure(amount)), plain(of));
        out.push('\n');
        for line in lines {
            let _ = writeln!(out, "- {}", plain(&lang.figure(line)));
        }
    }
}

/// More backticks than stand in the text.
fn fence(text: &str) -> String {
    let mut longest = 0;
    let mut here = 0;
    for c in text.chars() {
        here = if c == '`' { here + 1 } else { 0 };
        longest = longest.max(here);
    }
    "`".repeat((longest + 1).max(3))
}

fn table_of(table: &Table, lang: &Language) -> String {
    let mut out = format!("{}:\n\n|", plain(&table.caption));
    for column in &table.head {
        let _ = write!(out, " {} |", plain(&column.title));
    }
    out.push_str("\n|");
    for column in &table.head {
        out.push_str(if column.figures { "---:|" } else { "---|" });
    }
    out.push('\n');
    for (index, row) in table.rows.iter().enumerate() {
        out.push('|');
        for (place, cell) in row.iter().enumerate() {
            let bold = if table.marked.contains(&index) && !cell.is_empty() { "**" } else { "" };
            let _ = write!(out, " {bold}{}{bold} |", plain(&table.shown(place, cell, lang)));
        }
        out.push('\n');
    }
    out
}

/// Text that is not markup, in one line.
pub fn plain(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if matches!(c, '|' | '*' | '_' | '<' | '>' | '\\' | '`' | '[' | ']') {
            out.push('\\');
        }
        out.push(if is_obeyed(c) { ' ' } else { c });
    }
    out
}
