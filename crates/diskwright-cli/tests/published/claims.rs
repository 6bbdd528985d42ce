//! The shape of `figures.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimFile {
    /// Publications by id: title and edition.
    pub sources: BTreeMap<String, String>,
    /// Sections of the page, in order.
    #[serde(rename = "group")]
    pub groups: Vec<Group>,
    /// The claims, in order.
    #[serde(rename = "claim")]
    pub claims: Vec<Claim>,
    /// What was published and no row holds.
    pub not_here: Vec<String>,
}

/// A section of the page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    pub id: String,
    /// Heading.
    pub title: String,
    /// What its tolerances are and where they come from.
    pub text: String,
}

/// One claim: a rig, a load, and what was printed about them.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Claim {
    pub id: String,
    /// Section.
    pub group: String,
    /// What it says, in one sentence.
    pub claim: String,
    /// Id of its publication.
    pub source: String,
    /// Scenario file, from `examples/` or next to `figures.toml`; absent for sums.
    pub rig: Option<String>,
    /// Or the scenario itself, where it is a few lines.
    pub scenario: Option<String>,
    /// Job file, likewise.
    pub job: Option<String>,
    /// A DiskSpd command line in place of a job file.
    pub diskspd: Option<String>,
    /// Replaces the warm-up of the load, in seconds.
    pub ramp_s: Option<u64>,
    /// Every I/O is simulated, where a leap over steady state is not as exact as the figure.
    pub exact: bool,
    /// Variables of the job file.
    pub env: BTreeMap<String, String>,
    /// Overrides how the host cache starts.
    pub start: Option<String>,
    /// Its figures are latencies below every limit: all three settings run, and the published figure must lie among them.
    pub settings: bool,
    /// The scenario must be refused with a message that holds this.
    pub refused: Option<String>,
    /// The limit that must hold the first volume that is held.
    pub binding: Option<String>,
    /// Why another one is named, when it is.
    pub binding_miss: Option<String>,
    /// The printed figures.
    pub figures: Vec<Figure>,
}

/// One printed figure.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    pub name: String,
    /// Where it stands in the result: keys of the result's object, list entries by their name.
    pub measure: Option<String>,
    /// Or what the catalogue says: see `facts`.
    pub fact: Option<String>,
    /// Or the sum of these.
    #[serde(default)]
    pub sum: Vec<f64>,
    /// Unit, to print and to scale by.
    pub unit: String,
    /// As printed.
    pub published: f64,
    /// The upper end, where several were printed: of regions, of hours, of repetitions.
    pub published_max: Option<f64>,
    /// Tolerance in percent.
    pub within: f64,
    /// The publication says "more than".
    #[serde(default)]
    pub at_least: bool,
    /// Why it is missed, when it is.
    pub miss: Option<String>,
}

/// The files, one behind the other.
pub fn read() -> ClaimFile {
    let read = |name: &str, text: &str| -> ClaimFile { toml::from_str(text).unwrap_or_else(|e| panic!("{name}: {e}")) };
    let mut all = read("figures.toml", include_str!("figures.toml"));
    for (name, text) in [("aws.toml", include_str!("aws.toml")), ("aws-public.toml", include_str!("aws-public.toml"))] {
        let more = read(name, text);
        all.sources.extend(more.sources);
        all.groups.extend(more.groups);
        all.claims.extend(more.claims);
        all.not_here.extend(more.not_here);
    }
    all
}
