//! One page that a team can decide from, made of the documents that the commands print: HTML, or Markdown.
//!
//! Lives here: which document is which, the sections, tables and charts, their markup.
//! Never here: how a figure was found, files, clocks, terminals. A report knows documents only, so that what it shows was printed
//! by a command and can be checked there.
//! Read next: `document.rs` (what goes in), `content.rs` (what a section is made of), `sections/mod.rs`, `html/mod.rs`.
//!
//! Invariant: the same documents give the same bytes; the documents inside a page, opened again, give the same page.

#![forbid(unsafe_code)]

mod axis;
pub mod chart;
pub mod content;
pub mod document;
pub use dw_documents::format;
mod html;
pub mod markdown;
mod read;
mod sections;

use dw_messages::Language;

pub use document::{Content, NOT_SIMULATED, Piece, Report, ReportError, Text};

/// The report as one file that needs nothing from anywhere else.
pub fn html(report: &Report) -> String {
    html_in(report, Language::english())
}

/// The same in a language; the documents inside the page are in English, as their commands print them.
pub fn html_in(report: &Report, lang: &Language) -> String {
    html::page(report, &sections::all(&report.told(lang), lang), lang)
}

/// A page of sections that are no report's: it holds no documents.
pub fn page_of(title: &str, sections: &[content::Section], lang: &Language) -> String {
    html::page(&Report::new(title, Vec::new()), sections, lang)
}

/// The same as Markdown: tables stand for the charts.
pub fn markdown(report: &Report) -> String {
    markdown_in(report, Language::english())
}

/// The same as Markdown, in a language.
pub fn markdown_in(report: &Report, lang: &Language) -> String {
    markdown::text(report, &sections::all(&report.told(lang), lang), lang)
}

/// The documents as the page holds them: what `report` opens again.
pub fn json(report: &Report) -> String {
    let mut text = serde_json::to_string_pretty(&report.on_page()).unwrap_or_default();
    text.push('\n');
    text
}
