//! Records of the vendor's interfaces as a person fetched them: instance types (`aws ec2 describe-instance-types`) and offers of the price
//! list (`aws pricing get-products --service-code AmazonEC2`).
//!
//! Figures are taken as they are; a record without a figure that it must have is an error that names it, never zero. What nothing here has a
//! place for (other operating systems, tenancies, terms) is left out and counted.
//!
//! Source: the EC2 API of 2016-11-15; `aws_v1`, the format of offers.
//!
//! Ignores: prices in other currencies than US dollars; zones; what a volume is made from.

mod offers;
mod types;

use std::collections::BTreeMap;

use dw_error::{Error, Result};
use serde_json::Value;

pub use offers::{Meter, OfferPrice};
pub use types::TypeRecord;

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
const FETCH: &str = "fetch `aws ec2 describe-instance-types --output json`, or `aws pricing get-products --service-code AmazonEC2 --filters \
                     Type=TERM_MATCH,Field=regionCode,Value=eu-central-1 --output json`";

impl Records {
    /// Adds what a file says; a call's whole output, or the output of one page.
    ///
    /// # Errors
    /// Of kind `Input`, with the record by its number and what it lacks.
    pub fn add(&mut self, file: &str, text: &str) -> Result<()> {
        let value: Value = serde_json::from_str(text)
            .map_err(|e| Error::input(format!("is not valid JSON: {e}")).hint(FETCH).at(file, e.line()))?;
        let of = |key: &str| value.get(key).and_then(Value::as_array);
        let is_paged = value.get("NextToken").is_some_and(Value::is_string);
        if is_paged {
            self.notes.push(format!("{file} has further pages, which its `NextToken` leads to"));
        }
        if let Some(all) = of("InstanceTypes") {
            for (number, record) in all.iter().enumerate() {
                let record = types::read(record).map_err(|what| wrong(file, "instance type", number, &what))?;
                self.types.push(record);
            }
            return Ok(());
        }
        let Some(all) = of("PriceList") else {
            let what = "is neither a list of instance types nor a page of the price list";
            return Err(Error::input(what).hint(FETCH).of_file(file));
        };
        for (number, offer) in all.iter().enumerate() {
            let read = offers::read(offer).map_err(|what| wrong(file, "offer", number, &what))?;
            match read {
                Ok(prices) => self.prices.extend(prices),
                Err(why) => *self.left_out.entry(why).or_default() += 1,
            }
        }
        Ok(())
    }
}

fn wrong(file: &str, thing: &str, number: usize, what: &str) -> Error {
    Error::input(format!("{thing} {}: {what}", number + 1)).hint(FETCH).of_file(file)
}
