//! What people fetch, as the importer takes it: prices of types and volumes, and types that are new or otherwise than those that are shipped, to
//! lay over these.
//!
//! Ignores: kinds of volumes that are not known here.

use std::io::Read;

use dw_demand::Commitment;
use dw_error::Result;
use dw_vendor::fetched::{Brought, BroughtMachine, BroughtPrice, Difference, Fetched};
use dw_vendor::price::{self, Term};

use crate::import::{self, FETCH, Meter, OfferPrice, Records, differences};
use crate::instances::{EDITION, InstanceType, instance};
use crate::kinds;
use crate::numbers::decimal;
use crate::planned::IO2_BANDS;

/// Reads them.
pub(crate) struct Files;

/// So many types are named, and so many sentences said of them.
const NAMED: usize = 8;

impl Fetched for Files {
    fn how(&self) -> &'static str {
        FETCH
    }

    fn example(&self) -> &'static str {
        "  aws pricing get-products --service-code AmazonEC2 --region us-east-1 --output json \\
    --filters Type=TERM_MATCH,Field=regionCode,Value=eu-central-1 > offers.json
  aws ec2 describe-instance-types --region eu-central-1 --output json > types.json
  diskwright catalogue import offers.json types.json
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
    let (mut new, mut rows) = (Vec::new(), Vec::new());
    for record in &records.types {
        let shipped = instance(&record.name);
        let row = record.over(shipped, "", "");
        let brought = BroughtMachine { name: record.name.clone(), figures: record.figures() };
        let own = shipped.map(|shipped| differences(shipped, &row));
        match own {
            None => new.push(row.name.to_string()),
            Some(differences) if differences.is_empty() && row.lacks.is_empty() => {
                all.agreeing.push(brought.name);
                continue;
            }
            Some(differences) => {
                let of_type = |(field, shipped, fetched)| Difference {
                    name: record.name.clone(),
                    field,
                    shipped,
                    edition: EDITION,
                    fetched,
                };
                all.differences.extend(differences.into_iter().map(of_type));
            }
        }
        all.machines.push(brought);
        rows.push(row);
    }
    if !new.is_empty() {
        all.notes.push(format!("not in the shipped catalogue, and known from now on: {}", listed(&new)));
    }
    all.notes.extend(unplanned(&rows));
    all
}

/// Names in code marks, so many of them.
fn listed(names: &[String]) -> String {
    let named = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let more = names.len().checked_sub(NAMED).filter(|more| *more > 0);
    named + &more.map(|more| format!(" and {more} more")).unwrap_or_default()
}

/// What of these types no plan takes, a sentence each, so many of them.
fn unplanned(rows: &[InstanceType]) -> Vec<String> {
    let whole = rows.iter().filter_map(|row| Some(format!("in no plan: {}", row.why_unplanned().next()?)));
    let stores = rows.iter().filter(|row| row.why_unplanned().next().is_none()).filter_map(|row| row.store_unknown());
    let mut all: Vec<String> = whole.chain(stores).collect();
    let more = all.len().checked_sub(NAMED).filter(|more| *more > 0);
    all.truncate(NAMED);
    all.extend(more.map(|more| {
        format!("{more} more types are in no plan, or their instance stores are not: `catalogue show TYPE` says why")
    }));
    all
}

/// A price as plans ask for it, or why there is no place for it.
fn priced(own: OfferPrice) -> Result<BroughtPrice, &'static str> {
    let is_of_type =
        matches!(own.meter, Meter::Hour | Meter::HourOfWindows | Meter::HourOfYear | Meter::HourOfThreeYears);
    if !is_of_type && kinds::kind(&own.name, None).is_none() {
        return Err("prices of kinds of volumes that are not known here");
    }
    let (meter, commitment) = match own.meter {
        Meter::Hour => (price::Meter::Whole, None),
        Meter::HourOfWindows => (price::Meter::Windows, None),
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
