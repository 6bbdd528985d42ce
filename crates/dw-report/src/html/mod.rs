//! A report as HTML: one file, without scripts and without anything from elsewhere. Every text goes through one escaper.

mod chart;

use dw_messages::{Language, text};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::content::{Block, Card, Level, Path, Section, Table};
use crate::document::Report;

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
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (report.title) }
                    nav aria-label=(text!(lang, "Sections")) {
                        ul { @for section in sections { li { a href={ "#" (section.id) } { (section.title) } } } }
                    }
                }
                main { @for section in sections { (one(section, lang)) } }
                @if !report.pieces.is_empty() {
                    footer {
                        p { (text!(lang, "Written by diskwright. The documents that this page was made of are inside it; this prints them:"))
                            " " code { "diskwright report THIS.html --format json" } }
                    }
                    (PreEscaped(report.embedded()))
                }
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
            @if section.folded {
                details.section {
                    summary { h2 id={ (section.id) "-title" } { (section.title) } }
                    // A link to what is within opens it.
                    div id=(section.id) { @for block in &section.blocks { (block_of(block, lang)) } }
                }
            } @else {
                h2 id=(section.id) { span id={ (section.id) "-title" } { (section.title) } }
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
            p.said.(level.class()) { strong { (mark(*level)) " " (lang.label(level.word())) ":" } " " (text) }
        },
        Block::List(lines) => html! { ul { @for line in lines { li { (line) } } } },
        Block::Figures(figures) => html! {
            dl.figures {
                @for [what, figure, remark] in figures {
                    div { dt { (what) } dd.figure { (lang.figure(figure)) } dd { (lang.figure(remark)) } }
                }
            }
        },
        Block::Cards(cards, table) => cards_of(cards, table, lang),
        Block::Table(table) => table_of(table, lang),
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

/// A sign next to the word, so that neither colour nor reading is needed.
fn mark(level: Level) -> &'static str {
    match level {
        Level::Good => "✓",
        Level::Note => "i",
        Level::Warning => "!",
        Level::Critical => "✗",
    }
}

/// The figures of a chart, for whoever cannot see it or wants to copy them.
fn under(table: &Table, lang: &Language) -> Markup {
    html! { details { summary { (text!(lang, "Figures as a table")) } (table_of(table, lang)) } }
}

fn cards_of(cards: &[Card], table: &Table, lang: &Language) -> Markup {
    html! {
        div {
            h3 { (table.caption) }
            ul.cards {
                @for card in cards {
                    li.marked[card.marked] {
                        h4 { (card.title) }
                        p.figure { (lang.figure(&card.figure[0])) " " small { (card.figure[1]) } }
                        dl { @for [what, figure] in &card.rows { dt { (what) } dd { (lang.figure(figure)) } } }
                        @if let Some((level, said, whole)) = &card.said {
                            details.verdict.(level.class()) {
                                summary { strong { (mark(*level)) " " (said) } }
                                p { (whole) }
                            }
                        }
                    }
                }
            }
            (under(table, lang))
        }
    }
}

fn table_of(table: &Table, lang: &Language) -> Markup {
    html! {
        div.scroll role="region" aria-label=(table.caption) tabindex="0" {
            table {
                caption { (table.caption) }
                thead { tr { @for column in &table.head { th.n[column.figures] scope="col" { (column.title) } } } }
                tbody {
                    @for (index, row) in table.rows.iter().enumerate() {
                        tr.marked[table.marked.contains(&index)] {
                            @for (place, cell) in row.iter().enumerate() {
                                @let figures = table.head.get(place).is_some_and(|column| column.figures);
                                @if place == 0 { th.n[figures] scope="row" { (table.shown(place, cell, lang)) } }
                                @else { td.n[figures] { (table.shown(place, cell, lang)) } }
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
                            span.text { (lang.figure(&pipe.text)) @if pipe.narrowest { " " strong { "◀ " (text!(lang, "bottleneck")) } } }
                        }
                    }
                }
            }
            (under(table, lang))
        }
    }
}
