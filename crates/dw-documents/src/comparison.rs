//! One demand planned in several regions, of one vendor or several, as `plan --compare` prints it.

use dw_messages::Sentence;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::plan::PlanDocument;
use crate::tag::OfPlanComparison;
use crate::verdict::State;

/// What `plan --compare --format json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ComparisonDocument {
    /// 1.
    pub schema_version: u32,
    /// What it is.
    pub document: OfPlanComparison,
    /// Which is cheaper, and what that rests on; that nobody can tell, where a price or a plan is missing.
    pub summary: Sentence,
    /// An answer for each place, as they were asked for.
    pub places: Vec<PlaceRow>,
}

/// The answer for one region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaceRow {
    /// The vendor, as sentences name it.
    pub vendor: String,
    pub region: String,
    /// As good as the worst of the checks; absent where no plan was found, or none could be looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
    /// A month of all that is bought.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub monthly: Option<f64>,
    pub currency: String,
    /// The months of the prices, the oldest first.
    pub prices_of: Vec<String>,
    /// Keys of the requirements that mean nothing there.
    pub ignored: Vec<String>,
    /// Why there is no answer, where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// The whole answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Box<PlanDocument>>,
}

impl PlaceRow {
    /// Vendor and region.
    pub fn place(&self) -> String {
        format!("{} {}", self.vendor, self.region)
    }

    /// What is compared: a month, where the plan meets the demand and its price is known.
    pub fn price(&self) -> Option<f64> {
        self.monthly.filter(|_| matches!(self.state, Some(State::Met | State::MetWithCondition)))
    }
}

impl ComparisonDocument {
    /// The least price; nothing where one place has none, or they are in several currencies: nothing is cheaper than what nobody knows.
    pub fn cheapest(&self) -> Option<f64> {
        let currency = &self.places.first()?.currency;
        let prices = self.places.iter().map(|row| row.price().filter(|_| row.currency == *currency));
        let prices = prices.collect::<Option<Vec<f64>>>()?;
        prices.into_iter().min_by(f64::total_cmp)
    }
}

/// The schema.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(ComparisonDocument).to_value()
}
