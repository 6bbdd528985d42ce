//! What a person fetched of a vendor's interfaces, as the importer takes it: the door through which files, whose reader names no vendor,
//! come to a vendor's folder.
//!
//! A file is recognised by what it begins with, and read as a stream: price lists have hundreds of megabytes.
//!
//! Ignores: prices in other currencies than US dollars.

use std::collections::BTreeMap;
use std::io::Read;

use dw_demand::Commitment;
use dw_error::Result;
use serde::{Deserialize, Serialize};

use crate::price::{Meter, Term};

/// So much of a file is enough to recognise it, in bytes.
pub const BEGINNING: usize = 64 << 10;

/// Reads files of one vendor.
pub trait Fetched: Sync {
    /// How files are fetched, as commands.
    fn how(&self) -> &'static str;
    /// The same as lines of a shell, with the import at the end; each line with its end.
    fn example(&self) -> &'static str;
    /// Whether a file that begins so is of this vendor, also where it is of no use.
    fn knows(&self, beginning: &[u8]) -> bool;
    /// What a file says; `file` is how messages call it.
    ///
    /// # Errors
    /// Of kind `Input`, with the line or the record.
    fn read(&self, file: &str, text: &mut dyn Read) -> Result<Brought>;
}

/// What a file says.
#[derive(Clone, Debug, Default)]
pub struct Brought {
    pub prices: Vec<BroughtPrice>,
    /// Machines that are not shipped, or of which a figure is otherwise.
    pub machines: Vec<BroughtMachine>,
    /// Names of those that are as they are shipped: what was imported of them before holds no longer.
    pub agreeing: Vec<String>,
    /// How many machines were compared with those that are shipped.
    pub compared: usize,
    /// What of them is otherwise.
    pub differences: Vec<Difference>,
    /// What was left out: why, and how many.
    pub left_out: BTreeMap<String, usize>,
    /// Sentences.
    pub notes: Vec<String>,
}

/// A price as it was fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BroughtPrice {
    pub region: String,
    /// What has it, as [`crate::goods::Goods::price`] is asked for it.
    pub name: String,
    pub meter: Meter,
    pub commitment: Option<Commitment>,
    pub term: Term,
    /// US dollars, a decimal.
    pub amount: String,
    /// The day on which the file says that it was published.
    pub published: Option<String>,
}

/// A figure of a machine that is otherwise than the one that is shipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub name: String,
    pub field: &'static str,
    pub shipped: String,
    /// The edition of the shipped one.
    pub edition: &'static str,
    pub fetched: String,
}

/// A figure of a machine's record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Figure {
    Flag(bool),
    Count(u64),
    Text(String),
}

/// What a record says of a machine, by words that its vendor's folder reads again.
pub type Figures = BTreeMap<String, Figure>;

/// A machine as it was fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BroughtMachine {
    pub name: String,
    pub figures: Figures,
}

/// What of a vendor a person has imported.
#[derive(Clone, Debug, Default)]
pub struct Own {
    pub prices: Vec<OwnPrice>,
    pub machines: Vec<OwnMachine>,
}

/// A machine of a person's own, as the file of imports has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnMachine {
    pub name: String,
    pub figures: Figures,
    /// Its edition: `2026-11-imported`.
    pub edition: String,
    /// The id of its source.
    pub source: String,
}

/// A price of a person's own, as the file of imports has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnPrice {
    pub region: String,
    pub name: String,
    pub meter: Meter,
    pub commitment: Option<Commitment>,
    /// US dollars, a decimal.
    pub amount: String,
    /// The month of the price: `2026-11`.
    pub edition: String,
    /// The id of its source.
    pub source: String,
}
