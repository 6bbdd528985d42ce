//! One demand planned in several regions, whoever has them: an answer each, what of the demand means nothing there, how old its prices are,
//! and which is cheaper.
//!
//! What is not met, or has no price, is compared with nothing.

use std::str::FromStr;

use dw_catalogue::{Catalogue, Meter, Vendor, vendors};
use dw_documents::comparison::{ComparisonDocument, PlaceRow};
use dw_documents::plan::{PlanDocument, PlanRow};
use dw_documents::tag::OfPlanComparison;
use dw_error::Result;
use dw_messages::{Figure, Sentence, say};

use super::{Demand, PlanOptions};
use crate::explain::known_region;
use crate::figures::percent;
use crate::session::Session;

/// A region, with whose it is where that is said: `aws:eu-central-1`, `westeurope`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its word; absent = whoever has the region, the demand's own vendor first.
    pub vendor: Option<&'static str>,
    /// However it is written.
    pub region: String,
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Place, String> {
        let (vendor, region) = text.split_once(':').map_or((None, text), |(vendor, region)| (Some(vendor), region));
        let known = |word: &str| vendors().into_iter().find(|vendor| vendor.id() == word).map(Vendor::id);
        let vendor = match vendor.map(|word| (word, known(word))) {
            Some((word, None)) => {
                let all: Vec<&str> = vendors().into_iter().map(Vendor::id).collect();
                return Err(format!("no vendor `{word}`: write one of {} before the region", all.join(", ")));
            }
            Some((_, known)) => known,
            None => None,
        };
        if region.trim().is_empty() {
            return Err("the region is missing: write it behind the colon".into());
        }
        Ok(Place { vendor, region: region.trim().into() })
    }
}

impl Session {
    /// The demand as it is asked in a region, of its own vendor or another, with the session that has that vendor's goods and the keys that
    /// mean nothing there.
    ///
    /// # Errors
    /// Of kind `Usage` where nobody has prices of the region.
    pub fn placed(&self, demand: &Demand, place: &Place) -> Result<(Session, Demand, Vec<&'static str>)> {
        let session = match place.vendor {
            Some(id) => self.of_vendor(id),
            None => self.of_vendor(demand.wishes.vendor.id).of_region(&place.region),
        };
        let catalogue = session.catalogue();
        let region = known_region(catalogue, &place.region)?;
        let keys = dw_demand::Offers::vendor(catalogue);
        let (wishes, ignored) = demand.wishes.moved_to(keys, &region, catalogue.has_host_caches());
        // Its text says another region: errors that name its lines would be of that.
        let source = demand.source.clone().filter(|_| ignored.is_empty() && wishes.region == demand.wishes.region);
        let demand = Demand { requirements: demand.requirements.clone(), wishes, source };
        Ok((session, demand, ignored))
    }

    /// The demand planned in each of these places.
    ///
    /// # Errors
    /// As [`Session::placed`]; what keeps one place from a plan is said in its row.
    pub fn compare(&self, demand: &Demand, places: &[Place], options: &PlanOptions) -> Result<ComparisonDocument> {
        let rows = places.iter().map(|place| self.row(demand, place, options)).collect::<Result<Vec<_>>>()?;
        let summary = summary(&rows);
        Ok(ComparisonDocument { schema_version: 1, document: OfPlanComparison::Always, summary, places: rows })
    }

    fn row(&self, demand: &Demand, place: &Place, options: &PlanOptions) -> Result<PlaceRow> {
        let (session, demand, ignored) = self.placed(demand, place)?;
        let catalogue = session.catalogue();
        let row = PlaceRow {
            vendor: catalogue.vendor().name().into(),
            region: demand.wishes.region.clone(),
            state: None,
            monthly: None,
            currency: demand.wishes.currency.clone().unwrap_or_else(|| dw_catalogue::price::CURRENCY.into()),
            prices_of: Vec::new(),
            ignored: ignored.into_iter().map(String::from).collect(),
            refused: None,
            plan: None,
        };
        Ok(match session.plan_with(&demand, options) {
            Ok(planned) => {
                let document = planned.document;
                let found = document.plan.as_ref();
                PlaceRow {
                    state: found.and(document.decision.as_ref()).map(|decision| decision.state),
                    monthly: document.decision.as_ref().and_then(|decision| Some(decision.price.as_ref()?.monthly)),
                    currency: document.currency.clone(),
                    prices_of: found.map(|plan| dates(catalogue, &document, plan)).unwrap_or_default(),
                    plan: Some(Box::new(document)),
                    ..row
                }
            }
            Err(error) if error.kind == dw_error::Kind::Interrupted => return Err(error),
            Err(error) => PlaceRow { refused: Some(error.what), ..row },
        })
    }
}

/// The months of the prices of a plan, the oldest first.
fn dates(catalogue: &Catalogue, document: &PlanDocument, plan: &PlanRow) -> Vec<String> {
    let of = |name: &str, meter| {
        let price = catalogue.find_price(&document.currency, name, meter, &document.region, None, None)?;
        Some(price.edition)
    };
    let disks = plan.volumes.iter().filter_map(|volume| volume.disk.as_deref());
    let disks = disks.filter_map(|disk| of(disk, Meter::Whole).or_else(|| of(disk, Meter::GiB)));
    let mut all: Vec<String> = of(&plan.vm, Meter::Whole).into_iter().chain(disks).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn summary(rows: &[PlaceRow]) -> Sentence {
    let name = PlaceRow::place;
    let mut priced: Vec<(&PlaceRow, f64)> = rows.iter().filter_map(|row| Some((row, row.price()?))).collect();
    priced.sort_by(|a, b| a.1.total_cmp(&b.1));
    let without: Vec<String> = rows.iter().filter(|row| row.price().is_none()).map(name).collect();
    let ([(first, least), .., (last, most)], true) = (priced.as_slice(), without.is_empty()) else {
        return say!(ComparisonNone { places: without });
    };
    if first.currency != last.currency {
        return say!(ComparisonCurrencies { first: &first.currency, last: &last.currency });
    }
    let mut months: Vec<&String> = priced.iter().flat_map(|(row, _)| &row.prices_of).collect();
    months.sort_unstable();
    let (oldest, newest) = (months.first().map_or("-", |m| m.as_str()), months.last().map_or("-", |m| m.as_str()));
    let less = Figure::decimal(most - least, 2, &first.currency);
    let share = percent((most - least) / most.max(f64::MIN_POSITIVE) * 100.0);
    say!(ComparisonCheaper { first: name(first), last: name(last), less, share, oldest, newest })
}
