//! Tables with more rows than are shown at once: the first are in the page as a table, all of them as data, and a script of its own finds them.
//!
//! Each text stands there once, for ten thousand rows say few different things. Nothing but that script may run: its hash is in the page's policy.

use std::collections::HashMap;

use dw_messages::{Language, label, text};
use maud::{Markup, Render, html};
use serde::Serialize;

use super::table_of;
use crate::content::{Block, Level, Row, Rows, Section};
use crate::document::WithoutTags;

pub const SCRIPT: &str = include_str!("rows.js");

/// The hash is of `rows.js`, as `openssl dgst -sha256 -binary rows.js | openssl base64` prints it; the test in Chromium fails where it is not.
pub const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
                          script-src 'sha256-/xIOhnPIRkf4YoqZyLFTPuBz+YMnXwAERKH5xdmBsLw='";

pub fn are_in(sections: &[Section]) -> bool {
    sections.iter().flat_map(|section| &section.blocks).any(|block| matches!(block, Block::Rows(_)))
}

/// Hidden until the script is there to use it.
pub fn filter(families: &[String], lang: &Language) -> Markup {
    let levels = [Level::Critical, Level::Warning, Level::Note].map(|level| {
        let word = match level {
            Level::Critical => label!("error"),
            Level::Warning => label!("warning"),
            _ => label!("note"),
        };
        (level.letter(), lang.label(word))
    });
    html! {
        div.filter id="rows-filter" role="search" hidden {
            label { (text!(lang, "name, tag or word")) " " input type="search" id="rows-words" autocomplete="off" spellcheck="false"; }
            label { (lang.label(label!("severity"))) " "
                select id="rows-level" { option value="" { (lang.label(label!("all"))) } @for (letter, word) in levels { option value=(letter) { (word) } } } }
            label { (text!(lang, "family")) " "
                select id="rows-family" { option value="" { (lang.label(label!("all"))) } @for (number, name) in families.iter().enumerate() { option value=(number) { (name) } } } }
        }
    }
}

pub fn table(rows: &Rows, lang: &Language) -> Markup {
    html! {
        div.rows {
            (table_of(&rows.table, lang))
            p.pager hidden {
                button type="button" { "◀ " (text!(lang, "previous")) } " "
                output aria-live="polite" {} " "
                button type="button" { (text!(lang, "next")) " ▶" }
            }
            script type="application/json" data-rows { (Data(rows, lang)) }
        }
    }
}

/// All rows, for the script.
struct Data<'a>(&'a Rows, &'a Language);

#[derive(Serialize)]
struct OnPage<'a> {
    texts: Vec<String>,
    rows: Vec<OneRow<'a>>,
    column: usize,
}

#[derive(Serialize)]
struct OneRow<'a> {
    /// Places in the texts.
    cells: Vec<usize>,
    also: usize,
    level: Option<&'a str>,
    /// `2w`: of the second, a warning.
    kinds: Vec<String>,
}

impl Render for Data<'_> {
    fn render_to(&self, page: &mut String) {
        let Data(rows, lang) = self;
        let mut texts: Vec<String> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut place = |text: String| {
            *places.entry(text).or_insert_with_key(|text| {
                texts.push(text.clone());
                texts.len() - 1
            })
        };
        let mut one = |row: &Row| OneRow {
            cells: row
                .cells
                .iter()
                .enumerate()
                .map(|(column, cell)| place(rows.table.shown(column, cell, lang)))
                .collect(),
            also: place(row.also.clone()),
            level: row.level.map(Level::class),
            kinds: row.kinds.iter().map(|(of, level)| format!("{of}{}", level.letter())).collect(),
        };
        let all: Vec<OneRow> = rows.all.iter().map(&mut one).collect();
        let data = OnPage { texts, rows: all, column: rows.graded };
        let begins = page.len();
        if serde_json::to_writer(WithoutTags(page), &data).is_err() {
            page.truncate(begins);
        }
    }
}
