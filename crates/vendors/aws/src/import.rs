//! Records of the vendor's interfaces as a person fetched them: instance types (`aws ec2 describe-instance-types`), offers of the price
//! list (`aws pricing get-products --service-code AmazonEC2`), and the price list of a region as one file.
//!
//! Figures are taken as they are; a record without a figure that it must have is an error that names it, never zero. What nothing here has a
//! place for (other operating systems, tenancies, terms, local zones) is left out and counted.
//!
//! A file is read as a stream, a record at a time: of a price list of hundreds of megabytes only the products stay whose terms follow.
//!
//! Source: the EC2 API of 2016-11-15; `aws_v1`, the format of offers; offer files of version `v1.0` (AWS Price List, bulk API).
//!
//! Ignores: prices in other currencies than US dollars; zones; what a volume is made from.

mod offers;
mod stream;
mod types;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};

use dw_error::{Error, Result};
use serde::de::DeserializeSeed as _;

pub use offers::{Meter, OfferPrice};
pub use types::{TypeRecord, differences};

/// What files say.
#[derive(Clone, Debug, Default)]
pub struct Records {
    pub types: Vec<TypeRecord>,
    pub prices: Vec<OfferPrice>,
    /// What was left out: why, and how many.
    pub left_out: BTreeMap<&'static str, usize>,
    /// Sentences.
    pub notes: Vec<String>,
}

/// How what is imported is fetched.
pub(crate) const FETCH: &str = "fetch `aws ec2 describe-instance-types --output json`, or `aws pricing get-products --service-code AmazonEC2 --filters \
                     Type=TERM_MATCH,Field=regionCode,Value=eu-central-1 --output json`, or the region's price list as JSON";

/// How a file begins that is the price list as CSV.
const CSV: &[u8] = b"\"FormatVersion\",";
/// What some programs put before the first character.
const MARK: &[u8] = b"\xef\xbb\xbf";
/// So much is read at once, in bytes.
const PIECE: usize = 256 << 10;

/// Words of files of this vendor, of use or not; no record of another has one of them.
const WORDS: [&str; 8] = [
    "\"InstanceTypes\"",
    "\"InstanceTypeOfferings\"",
    "\"PriceList\"",
    "\"AmazonEC2\"",
    "\"offerCode\"",
    "\"Volumes\"",
    "\"Reservations\"",
    "\"FormatVersion\",",
];

/// Whether a file that begins so is one of this vendor's.
pub fn knows(beginning: &[u8]) -> bool {
    let text = String::from_utf8_lossy(beginning);
    WORDS.iter().any(|word| text.contains(word))
}

impl Records {
    /// Adds what a file says: outputs of calls, pages one after the other, or an offer file.
    ///
    /// # Errors
    /// Of kind `Input`, with the line, the record by its number, and what it lacks.
    pub fn add(&mut self, file: &str, text: &str) -> Result<()> {
        self.read(file, text.as_bytes())
    }

    /// The same of a file that is not held as a whole.
    ///
    /// # Errors
    /// As [`Records::add`]; where it cannot be read on.
    pub fn read(&mut self, file: &str, text: impl Read) -> Result<()> {
        let refuse = |what: &str| Error::input(what).hint(FETCH).of_file(file);
        let mut text = BufReader::with_capacity(PIECE, text);
        let begin = text.fill_buf().map_err(|e| refuse(&format!("cannot be read: {e}")))?;
        if begin.starts_with(CSV) {
            return Err(refuse("is the price list as CSV").hint("fetch it as JSON: `index.json` beside `index.csv`"));
        }
        if begin.starts_with(MARK) {
            text.consume(MARK.len());
        }
        let mut from = serde_json::Deserializer::from_reader(text);
        let mut is_empty = true;
        while from.end().is_err() {
            is_empty = false;
            stream::Document { records: &mut *self, file }.deserialize(&mut from).map_err(|e| wrong(file, &e))?;
        }
        if is_empty { Err(refuse("is empty")) } else { Ok(()) }
    }
}

/// What a stream ended with.
fn wrong(file: &str, error: &serde_json::Error) -> Error {
    let text = error.to_string();
    let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
    let (what, hint) = match error.classify() {
        serde_json::error::Category::Eof => ("is not valid JSON: it ends in the middle".to_string(), FETCH),
        serde_json::error::Category::Syntax => (format!("is not valid JSON: {what}"), FETCH),
        serde_json::error::Category::Io => (format!("cannot be read: {what}"), ""),
        // Our own words, or a value of another form.
        serde_json::error::Category::Data => match what.split_once(stream::INSTEAD) {
            Some((what, hint)) => return Error::input(what).hint(hint).at(file, error.line()),
            None => (what.to_string(), FETCH),
        },
    };
    Error::input(what).hint(hint).at(file, error.line())
}
