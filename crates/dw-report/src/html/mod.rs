//! A report as HTML: one file, without anything from elsewhere, and without scripts but the one that filters tables of many rows (`rows.rs`). Every text
//! goes through one escaper.

mod chart;
mod rows;

use dw_messages::{Language, text};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::content::{Block, Decision, Path, Section, Table};
use crate::document::Report;

/// Rows of a table that print never breaks.
const SHORT: usize = 10;

const STYLE: &str = include_str!("style.css");

pub(crate) fn page(report: &Report, sections: &[Section], lang: &Language) -> String {
    let page = html! {
        (DOCTYPE)
        html lang=(lang.name()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content="diskwright";
                title { (report.title) }
                @if rows::are_in(sections) { meta http-equiv="Content-Security-Policy" content=(rows::POLICY); }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (report.title) }
                }
                main {
                    @for section in sections.iter().filter(|section| section.folded.is_none()) { (one(section, lang)) }
                    @if sections.iter().any(|section| section.folded.is_some()) {
                        h2 { (text!(lang, "Evidence")) }
                        @for section in sections.iter().filter(|section| section.folded.is_some()) { (one(section, lang)) }
                    }
                }
                @if !report.pieces.is_empty() {
                    footer {
                        p { (text!(lang, "Written by diskwright. The documents that this page was made of are inside it; this prints them:"))
                            " " code { "diskwright report THIS.html --format json" } }
                    }
                    (report.embedded())
                }
                @if rows::are_in(sections) { script { (PreEscaped(rows::SCRIPT)) } }
            }
        }
    };
    let mut text = page.into_string();
    text.push('\n');
    text
}

fn one(section: &Section, lang: &Language) -> Markup {
    html! {
        section aria-labelledby={ (section.id) "-title" } {
            @if let Some(line) = &section.folded {
                details.section {
                    summary { h3 id={ (section.id) "-title" } { (section.title) } " " span { (lang.figure(line)) } }
                    // A link to what is within opens it.
                    div id=(section.id) { @for block in &section.blocks { (block_of(block, lang)) } }
                }
            } @else {
                h2.hidden[section.id == "summary"] id=(section.id) { span id={ (section.id) "-title" } { (section.title) } }
                @for block in &section.blocks { (block_of(block, lang)) }
            }
        }
    }
}

fn block_of(block: &Block, lang: &Language) -> Markup {
    match block {
        Block::Text(text) => html! { p { (text) } },
        Block::Heading(text) => html! { h3 { (text) } },
        Block::Said(level, text) => html! {
            p.said.(level.class()) { strong { (level.mark()) " " (lang.label(level.word())) ":" } " " (text) }
        },
        Block::List(lines) => html! { ul { @for line in lines { li { (line) } } } },
        Block::Figures(figures) => html! {
            dl.figures {
                @for [what, figure, remark] in figures {
                    div { dt { (what) } dd.figure { (lang.figure(figure)) } dd { (lang.figure(remark)) } }
                }
            }
        },
        Block::Decision(decision) => decision_of(decision, lang),
        Block::Doubts(all) => html! {
            ul.doubts { @for (level, text) in all {
                li.(level.class()) { span aria-hidden="true" { (level.mark()) } span.unseen { (lang.label(level.word())) ": " } (text) }
            } }
        },
        Block::Steps(steps) => html! {
            ol.steps { @for (text, command) in steps {
                li { (text) @if let Some(command) = command { " " code { (command) } } }
            } }
        },
        Block::Beside(columns) => html! {
            div.beside { @for column in columns { div { @for block in column { (block_of(block, lang)) } } } }
        },
        Block::Table(table) => table_of(table, lang),
        Block::Filter(families) => rows::filter(families, lang),
        Block::Rows(all) => rows::table(all, lang),
        Block::Chart(chart, table) => chart::chart(chart, &under(table, lang), lang),
        Block::Bars(bars, table) => chart::bars(bars, &under(table, lang), lang),
        Block::Path(path, table) => path_of(path, table, lang),
        Block::Code(name, text) => html! {
            details.code { summary { (name) } pre tabindex="0" { code { (text) } } }
        },
        Block::Missing(what, command) => {
            // The command is code within the sentence.
            let said = text!(lang, "{what}. {command} fills this section.", what = what, command = "\u{0}");
            let (before, after) = said.split_once('\u{0}').unwrap_or((&said, ""));
            html! { p.missing { (before) code { (command) } (after) } }
        }
    }
}

/// The figures of a chart, for whoever cannot see it or wants to copy them.
fn under(table: &Table, lang: &Language) -> Markup {
    html! { details { summary { (text!(lang, "Figures as a table")) } (table_of(table, lang)) } }
}

fn decision_of(decision: &Decision, lang: &Language) -> Markup {
    html! {
        div.decision.(decision.level.class()) {
            div {
                p.big { strong.state { (decision.level.mark()) " " (decision.state) "." } " " (pointed_out(&decision.said, &decision.strong)) }
                @if let Some(remark) = &decision.remark { p.remark { (remark) } }
                @if !decision.conditions.is_empty() {
                    ul.doubts { @for condition in &decision.conditions {
                        li.(decision.level.class()) { span aria-hidden="true" { (decision.level.mark()) } (condition) }
                    } }
                }
            }
            @if let Some((amount, of, lines)) = &decision.price {
                div.price {
                    p { strong { (lang.figure(amount)) } " " (of) }
                    @for line in lines { p { (lang.figure(line)) } }
                }
            }
        }
    }
}

/// A text with names in it pointed out, wherever a language puts them.
fn pointed_out(text: &str, names: &[String]) -> Markup {
    let first = names.iter().filter(|name| !name.is_empty());
    let first = first.filter_map(|name| Some((text.find(name.as_str())?, name))).min_by_key(|(at, _)| *at);
    let Some((at, name)) = first else { return html! { (text) } };
    let (before, after) = (&text[..at], &text[at + name.len()..]);
    html! { (before) b { (name) } (pointed_out(after, names)) }
}

fn table_of(table: &Table, lang: &Language) -> Markup {
    html! {
        div.scroll role="region" aria-label=(table.caption) tabindex="0" {
            table.short[table.rows.len() <= SHORT] {
                caption { (table.caption) }
                thead { tr { @for column in &table.head { th.n[column.figures] scope="col" { (column.title) } } } }
                tbody {
                    @for (index, row) in table.rows.iter().enumerate() {
                        tr.marked[table.marked.contains(&index)] {
                            @for (place, cell) in row.iter().enumerate() {
                                @let figures = table.head.get(place).is_some_and(|column| column.figures);
                                @let title = table.head.get(place).map_or("", |column| column.title.as_str());
                                @let class = table.level(index, place).map_or("", |level| level.class());
                                @if place == 0 { th.n[figures].(class) scope="row" { (table.shown(place, cell, lang)) } }
                                @else { td.n[figures].none[matches!(cell.as_str(), "" | "-" | "–")].(class) data-label=(title) { (table.shown(place, cell, lang)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn path_of(path: &Path, table: &Table, lang: &Language) -> Markup {
    html! {
        figure.path {
            figcaption { (path.title) }
            ol {
                @for stage in &path.stages {
                    li.narrowest[stage.pipes.iter().any(|pipe| pipe.narrowest)] {
                        span.name { (stage.name) }
                        @for pipe in &stage.pipes {
                            (chart::pipe(pipe))
                            span.text { (lang.figure(&pipe.text)) @if pipe.narrowest { " " strong.over[pipe.used > 1.0] { "◀ " (text!(lang, "narrowest")) } } }
                        }
                    }
                }
            }
            (under(table, lang))
        }
    }
}
