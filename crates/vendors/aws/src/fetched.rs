//! What people fetch, as the importer takes it: prices of types and volumes to lay over those that are shipped; instance types compared
//! with the shipped ones, whose figures stay in use.
//!
//! Ignores: kinds of volumes that are not known here; types that are not, whose prices wait for a catalogue that has them.

use std::io::Read;

use dw_demand::Commitment;
use dw_error::Result;
use dw_vendor::fetched::{Brought, BroughtPrice, Difference, Fetched};
use dw_vendor::price::{self, Term};

use crate::import::{self, FETCH, Meter, OfferPrice, Records};
use crate::instances::instance;
use crate::kinds;
use crate::numbers::decimal;
use crate::planned::IO2_BANDS;

/// Reads them.
pub(crate) struct Files;

/// So many types are named that the catalogue does not have.
const NAMED: usize = 8;

impl Fetched for Files {
    fn how(&self) -> &'static str {
        FETCH
    }

    fn example(&self) -> &'static str {
        "  aws pricing get-products --service-code AmazonEC2 --region us-east-1 --output json \\
    --filters Type=TERM_MATCH,Field=regionCode,Value=eu-central-1 > offers.json
  diskwright catalogue import offers.json
"
    }

    fn knows(&self, beginning: &[u8]) -> bool {
        import::knows(beginning)
    }

    fn read(&self, file: &str, text: &mut dyn Read) -> Result<Brought> {
        let mut records = Records::default();
        records.read(file, text)?;
        Ok(brought(records))
    }
}

fn brought(records: Records) -> Brought {
    let mut all = Brought { notes: records.notes, ..Brought::default() };
    all.left_out.extend(records.left_out.into_iter().map(|(why, count)| (why.to_string(), count)));
    for own in records.prices {
        match priced(own) {
            Ok(price) => all.prices.push(price),
            Err(why) => *all.left_out.entry(why.to_string()).or_default() += 1,
        }
    }
    all.compared = records.types.len();
    let mut new = Vec::new();
    for record in &records.types {
        let Some(shipped) = instance(&record.name) else {
            new.push(record.name.as_str());
            continue;
        };
        let of_type = |(field, shipped, fetched)| Difference { name: record.name.clone(), field, shipped, fetched };
        all.differences.extend(record.differences(shipped).into_iter().map(of_type));
    }
    if !new.is_empty() {
        let named = new.iter().take(NAMED).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let more = new.len().checked_sub(NAMED).filter(|more| *more > 0);
        let more = more.map(|more| format!(" and {more} more")).unwrap_or_default();
        all.notes.push(format!("not in the catalogue, so in no plan: {named}{more}"));
    }
    all
}

/// A price as plans ask for it, or why there is no place for it.
fn priced(own: OfferPrice) -> Result<BroughtPrice, &'static str> {
    let is_of_type = matches!(own.meter, Meter::Hour | Meter::HourOfYear | Meter::HourOfThreeYears);
    if !is_of_type && kinds::kind(&own.name, None).is_none() {
        return Err("prices of kinds of volumes that are not known here");
    }
    let (meter, commitment) = match own.meter {
        Meter::Hour => (price::Meter::Whole, None),
        Meter::HourOfYear => (price::Meter::Whole, Some(Commitment::reservation(1))),
        Meter::HourOfThreeYears => (price::Meter::Whole, Some(Commitment::reservation(3))),
        Meter::Gib => (price::Meter::GiB, None),
        Meter::Iops(_) => (price::Meter::Iops, None),
        Meter::MibPerS => (price::Meter::MbPerSecond, None),
    };
    let name = match own.meter {
        Meter::Iops(band @ 2..) if own.name == "io2" => {
            IO2_BANDS.get(usize::from(band) - 2).ok_or("bands of IOPS that are not known here")?.1.to_string()
        }
        Meter::Iops(2..) => return Err("bands of IOPS that are not known here"),
        _ => own.name,
    };
    let term = if is_of_type { Term::Hour } else { Term::Month };
    Ok(BroughtPrice {
        region: own.region,
        name,
        meter,
        commitment,
        term,
        amount: decimal(own.billionths),
        published: own.published,
    })
}
