//! The tables as they are part of the program: compressed, each unpacked when it is first read.

use std::sync::OnceLock;

/// A table: its text, once somebody asked.
pub(crate) struct Table {
    name: &'static str,
    text: OnceLock<String>,
}

const TABLES: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/tables.rs"));

impl Table {
    pub(crate) const fn named(name: &'static str) -> Table {
        Table { name, text: OnceLock::new() }
    }

    fn text(&self) -> &str {
        self.text.get_or_init(|| {
            let (_, blob) = TABLES.iter().find(|(name, _)| *name == self.name).expect("the build packed it");
            let text = lz4_flex::decompress_size_prepended(blob).expect("the build packed it");
            String::from_utf8(text).expect("the build packed texts")
        })
    }

    /// The cells of each line behind the heading.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Vec<&str>> {
        self.text().lines().skip(1).map(|line| line.split(',').collect())
    }

    /// The names of the columns.
    pub(crate) fn heading(&self) -> Vec<&str> {
        self.text().lines().next().unwrap_or_default().split(',').collect()
    }
}
