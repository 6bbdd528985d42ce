//! The data files as they are part of the program: compressed, a few together, and unpacked when they are first read. Four fifths of them
//! are tables of regions, which hardly a command needs all.

use std::ops::Range;
use std::sync::OnceLock;

/// Each file, in which pack, and where in its text.
const FILES: &[(&str, usize, Range<usize>)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));
const PACKS: &[&[u8]] = include!(concat!(env!("OUT_DIR"), "/packs.rs"));
static TEXTS: [OnceLock<String>; PACKS.len()] = [const { OnceLock::new() }; PACKS.len()];

/// A file of the program.
#[derive(Clone, Debug)]
pub struct Packed {
    pack: usize,
    range: Range<usize>,
}

impl Packed {
    pub fn text(&self) -> &'static str {
        let text = TEXTS[self.pack].get_or_init(|| {
            let text = lz4_flex::decompress_size_prepended(PACKS[self.pack]).expect("the build packed it");
            String::from_utf8(text).expect("the build packed texts")
        });
        &text[self.range.clone()]
    }
}

/// The text of a file.
#[derive(Clone, Debug)]
pub enum Text<'a> {
    /// It was given.
    Given(&'a str),
    /// It is part of the program.
    Packed(Packed),
}

impl Text<'_> {
    pub fn text(&self) -> &str {
        match self {
            Text::Given(text) => text,
            Text::Packed(packed) => packed.text(),
        }
    }
}

/// The bytes of all of them: two programs with the same have the same catalogue.
pub fn bytes() -> impl Iterator<Item = &'static [u8]> {
    PACKS.iter().copied()
}

/// All of them, by path.
pub fn files<'a>() -> impl Iterator<Item = (&'a str, Text<'a>)> {
    FILES.iter().map(|(path, pack, range)| (*path, Text::Packed(Packed { pack: *pack, range: range.clone() })))
}
