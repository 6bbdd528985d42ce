//! What documents were: a change that is to change nothing changes no byte of them.
//!
//! A file under `pinned/` has a paragraph for each document: its name, its first sentences, and a hash of each of its parts.
//! `DISKWRIGHT_WRITE_PINNED=1` writes what is now; the commit says why it differs. A document that differs is left under
//! `target/tmp/pinned/`, to be compared with what an older checkout leaves there when it writes.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

/// Documents of one file.
pub struct Pinned {
    path: PathBuf,
    kept: BTreeMap<String, String>,
    differ: Vec<String>,
    writes: bool,
}

impl Pinned {
    /// The file of that name.
    pub fn open(name: &str) -> Pinned {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pinned").join(name);
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let paragraphs = text.split("\n\n").filter_map(|paragraph| paragraph.trim().split_once('\n'));
        let kept = paragraphs.map(|(name, rest)| (name.to_string(), rest.to_string())).collect();
        Pinned { path, kept, differ: Vec::new(), writes: std::env::var_os("DISKWRIGHT_WRITE_PINNED").is_some() }
    }

    /// Compares a document with what it was.
    pub fn check(&mut self, name: &str, document: &impl Serialize) {
        let document = serde_json::to_value(document).expect("a document is JSON");
        let now = paragraph(&document);
        if self.kept.get(name) == Some(&now) && !self.writes {
            return;
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tmp/pinned");
        std::fs::create_dir_all(&folder).expect("a folder below target");
        let file = folder.join(format!("{}.json", name.replace(|c: char| !c.is_ascii_alphanumeric(), "-")));
        std::fs::write(&file, format!("{document:#}\n")).expect("a file below target");
        if !self.writes {
            let was = self.kept.get(name).map_or("nothing", String::as_str);
            self.differ.push(format!("{name} was\n{was}\nand is\n{now}\nsee {}", file.display()));
        }
        self.kept.insert(name.to_string(), now);
    }

    /// All are compared.
    pub fn end(self) {
        if self.writes {
            let paragraphs: Vec<String> = self.kept.iter().map(|(name, rest)| format!("{name}\n{rest}\n")).collect();
            std::fs::write(&self.path, paragraphs.join("\n")).expect("the file of what is kept");
        }
        assert!(self.differ.is_empty(), "{}", self.differ.join("\n\n"));
    }
}

/// The first sentences, and a hash of each part.
fn paragraph(document: &Value) -> String {
    let mut text = String::new();
    for part in ["answer", "finding"] {
        if let Some(said) = document[part]["text"].as_str() {
            let _ = writeln!(text, "{said}");
        }
    }
    let parts = document.as_object().expect("a document has parts");
    let hashes = parts.iter().map(|(name, part)| format!("{name} {:08x}", hash(part.to_string().as_bytes())));
    text + &hashes.collect::<Vec<_>>().join(", ")
}

/// FNV-1a, whose figures no version of the standard library changes.
fn hash(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
