//! Words of a vendor, counted: how far each crate is from naming none.
//!
//! A line counts once if its code, comments and tests left out, names a product, a limit, a way to buy or a region of a vendor. A
//! manifest declares how many such lines its crate may have (`vendor_words = N`, 0 without it). More is a fault; fewer is one, too,
//! so that the number goes down and stays there.
//!
//! Words are compared piece by piece: `VmUncachedIops`, `uncached_iops` and `"uncached IOPS"` are all `uncached` and `iops`, and
//! `tempfile` is no `temp`.
//!
//! Crates of `crates/vendors/` are not counted.
//!
//! Ignores: letters of sizes (`D8s`), and what a word means: `cached` counts wherever it stands.

use std::collections::BTreeSet;
use std::path::Path;

use dw_catalogue::Catalogue;
use serde_json::Value;

use super::rooms::files;
use super::source::words;

/// What vendors call themselves and what they sell. A crate that declares `never = ["products"]` has none of these.
const PRODUCTS: [&str; 24] = [
    "aws",
    "azure",
    "azurerm",
    "bicep",
    "ebs",
    "ec2",
    "gp2",
    "gp3",
    "io1",
    "io2",
    "lrs",
    "microsoft",
    "nitro",
    "premium",
    "premium2",
    "premiumssd",
    "premiumv2",
    "sc1",
    "st1",
    "standardhdd",
    "standardssd",
    "ultra",
    "ultrassd",
    "zrs",
];
/// Names of limits, places and ways to buy that only one vendor has.
const TERMS: [&str; 5] = ["cached", "ondemandbursting", "performanceplus", "temp", "uncached"];
/// Letters of managed disks, and those of their sizes that are no percentiles and no numbers of anything else.
const DISKS: ([&str; 3], [&str; 5]) = (["P", "E", "S"], ["30", "40", "60", "70", "80"]);
/// The folder of vendors, whose words these are.
const VENDORS: &str = "vendors";
/// A word is made of so many pieces at most: `on_demand_bursting` has three.
const PIECES: usize = 3;

/// Whether a text names what a vendor sells.
pub fn is_product(text: &str) -> bool {
    let pieces = pieces(text);
    has(&pieces, |word| PRODUCTS.contains(&word)) || text.split(|c: char| !c.is_ascii_alphanumeric()).any(is_disk)
}

/// Whether a text has any word of a vendor.
fn is_vendors(text: &str, regions: &BTreeSet<&str>) -> bool {
    let pieces = pieces(text);
    let is_term = |word: &str| TERMS.contains(&word) || regions.contains(word);
    let is_size = |pair: &[String]| pair[0] == "standard" && is_size(&pair[1]);
    is_product(text) || has(&pieces, is_term) || pieces.windows(2).any(is_size)
}

/// `P30`; `P50` is a percentile.
fn is_disk(word: &str) -> bool {
    let (letter, digits) = word.split_at_checked(1).unwrap_or_default();
    DISKS.0.contains(&letter) && DISKS.1.contains(&digits)
}

/// The second piece of `Standard_D8s_v5`.
fn is_size(piece: &str) -> bool {
    let digits = piece.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    digits.len() < piece.len() && digits.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether neighbouring pieces make such a word.
fn has(pieces: &[String], is_word: impl Fn(&str) -> bool) -> bool {
    // The folder and the files that a system calls so are nobody's disk, and keys are sorted by in every crate.
    let is_of_system = |at: usize, word: &str| {
        let after = pieces.get(at + 1).map_or("", String::as_str);
        match word {
            "temp" => ["dir", "file", "folder", "path"].contains(&after),
            "cached" => after == "key",
            _ => false,
        }
    };
    (0..pieces.len()).any(|at| {
        let mut word = String::new();
        pieces[at..].iter().take(PIECES).any(|piece| {
            word += piece;
            is_word(&word) && !is_of_system(at, &word)
        })
    })
}

/// `VmUncachedIops`, `vm_uncached_iops` and `vm uncached IOPS` as `vm`, `uncached`, `iops`.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let chars: Vec<char> = text.chars().collect();
    for (at, &c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| chars[at]);
        let after = chars.get(at + 1);
        let begins = c.is_ascii_uppercase()
            && before.is_some_and(|before| {
                before.is_ascii_lowercase()
                    || before.is_ascii_uppercase() && after.is_some_and(|after| after.is_ascii_lowercase())
            });
        if begins || !c.is_ascii_alphanumeric() {
            pieces.push(String::new());
        }
        if c.is_ascii_alphanumeric() {
            pieces.last_mut().unwrap_or(&mut String::new()).push(c.to_ascii_lowercase());
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// What was counted.
#[derive(Default)]
pub struct Count {
    /// A crate and its lines, without those that have none.
    crates: Vec<(String, usize)>,
    pub faults: Vec<String>,
}

impl Count {
    /// Counts the lines of a package, and compares with what its manifest declares.
    pub fn add(&mut self, package: &Value) {
        let manifest = Path::new(package["manifest_path"].as_str().unwrap_or_default());
        if manifest.components().any(|folder| folder.as_os_str() == VENDORS) {
            return;
        }
        let name = package["name"].as_str().unwrap_or_default();
        let ceiling = package["metadata"]["diskwright"]["vendor_words"].as_u64().unwrap_or_default();
        let root = manifest.with_file_name("src");
        let regions = Catalogue::embedded().regions().into_iter().collect();
        let files = files(&root).unwrap_or_default();
        let lines = files.iter().flat_map(|(path, text)| {
            let path = format!("src/{}", path.display());
            lines(text, &regions).into_iter().map(move |(line, word)| format!("{path}:{line}: `{word}`"))
        });
        self.compare(name, &lines.collect::<Vec<_>>(), usize::try_from(ceiling).unwrap_or(usize::MAX));
    }

    fn compare(&mut self, name: &str, lines: &[String], ceiling: usize) {
        let count = lines.len();
        if count > 0 {
            self.crates.push((name.to_string(), count));
        }
        if count > ceiling {
            let said = lines.iter().map(|line| format!("\n    {line}")).collect::<String>();
            let more = count - ceiling;
            self.faults
                .push(format!("{}, and its manifest allows {ceiling}: take {more} away{said}", found(name, count)));
        }
        if count < ceiling {
            let fix = match count {
                0 => format!("nothing instead of `vendor_words = {ceiling}`"),
                _ => format!("`vendor_words = {count}` instead of {ceiling}"),
            };
            self.faults.push(format!("{}, fewer than its manifest allows: write {fix}", found(name, count)));
        }
    }

    /// The sum, and the crates from the most to the fewest.
    pub fn summary(&self) -> String {
        let mut crates: Vec<&(String, usize)> = self.crates.iter().collect();
        crates.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), name));
        let sum: usize = crates.iter().map(|(_, count)| count).sum();
        let each: Vec<String> = crates.iter().map(|(name, count)| format!("{name} {count}")).collect();
        format!("{sum} lines have words of a vendor: {}", each.join(", "))
    }
}

fn found(name: &str, count: usize) -> String {
    match count {
        1 => format!("{name}: 1 line has words of a vendor"),
        _ => format!("{name}: {count} lines have words of a vendor"),
    }
}

/// The lines of a file that have words of a vendor, each with the first one.
fn lines(text: &str, regions: &BTreeSet<&str>) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = words(text)
        .into_iter()
        .filter(|(word, _)| is_vendors(word, regions))
        .map(|(word, line)| (line, word))
        .collect();
    found.dedup_by_key(|(line, _)| *line);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_known_however_they_are_written() {
        let regions = BTreeSet::from(["eastus", "westeurope"]);
        let (product, term, neutral) = ((true, true), (false, true), (false, false));
        for (text, expected) in [
            ("azure", product),
            ("AzureMonitor", product),
            ("\"azurerm_managed_disk\"", product),
            ("PremiumV2", product),
            ("dw_aws", product),
            ("\"gp3\"", product),
            ("premium_v2", product),
            ("has_premium2", product),
            ("StandardSSD_LRS", product),
            ("UltraDisk", product),
            ("\"a P30\"", product),
            ("Microsoft.Compute", product),
            ("VmUncachedIops", term),
            ("\"vm uncached IOPS\"", term),
            ("UNCACHED", term),
            ("is_cached", term),
            ("temp", term),
            ("TempDisk", term),
            ("performance_plus", term),
            ("onDemandBursting", term),
            ("\"eastus\"", term),
            ("East US", term),
            ("Standard_E4s_v5", term),
            ("P95", neutral),
            ("P50", neutral),
            ("p50", neutral),
            ("e10", neutral),
            ("ReadOnly", neutral),
            ("ReadWrite", neutral),
            ("ultramem", neutral),
            ("temp_dir", neutral),
            ("sort_by_cached_key", neutral),
            ("tempfile", neutral),
            ("temporary", neutral),
            ("cache", neutral),
            ("on_demand", neutral),
            ("standard deviation", neutral),
        ] {
            assert_eq!((is_product(text), is_vendors(text, &regions)), expected, "{text}");
        }
    }

    #[test]
    fn a_line_counts_once_and_tests_and_comments_never() {
        let text = "/// Azure's uncached limit.\nfn f(cached: u8, uncached: u8) {} // temp\n\
                    #[serde(rename = \"uncached\")]\nstruct A;\n#[doc = \"azure\"]\nuse a::{b::Cached, c};\n\
                    const T: &str = \"one\ntwo premium\nthree\";\n#[cfg(test)]\nmod tests { const P: &str = \"P30\"; }";
        let found = lines(text, &BTreeSet::new());
        let found: Vec<usize> = found.iter().map(|(line, _)| *line).collect();
        assert_eq!(found, [2, 3, 6, 8]);
    }

    #[test]
    fn a_ceiling_is_neither_passed_nor_left_too_high() {
        let all = ["src/a.rs:1: `temp`".to_string(), "src/b.rs:2: `azure`".to_string()];
        for (lines, ceiling, fault) in [
            (&all[..], 2, None),
            (&all[..0], 0, None),
            (
                &all[..],
                1,
                Some(
                    "dw-x: 2 lines have words of a vendor, and its manifest allows 1: take 1 away\n    \
                     src/a.rs:1: `temp`\n    src/b.rs:2: `azure`",
                ),
            ),
            (
                &all[..1],
                2,
                Some(
                    "dw-x: 1 line has words of a vendor, fewer than its manifest allows: write `vendor_words = 1` instead of 2",
                ),
            ),
            (
                &all[..0],
                2,
                Some(
                    "dw-x: 0 lines have words of a vendor, fewer than its manifest allows: write nothing instead of `vendor_words = 2`",
                ),
            ),
        ] {
            let mut count = Count::default();
            count.compare("dw-x", lines, ceiling);
            assert_eq!(count.faults.first().map(String::as_str), fault);
        }
    }

    #[test]
    fn the_summary_begins_with_the_most() {
        let mut count = Count::default();
        let line = "src/a.rs:1: `temp`".to_string();
        for (name, lines) in [("dw-a", 1), ("dw-b", 0), ("dw-d", 3), ("dw-c", 3)] {
            count.compare(name, &vec![line.clone(); lines], lines);
        }
        assert_eq!(count.summary(), "7 lines have words of a vendor: dw-c 3, dw-d 3, dw-a 1");
    }
}
