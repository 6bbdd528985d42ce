//! Why a configuration gives what it gives, and which changes would help.

use std::collections::BTreeMap;

use dw_catalogue::bill::Billed;
use dw_catalogue::{Catalogue, flags};
use dw_demand::wishes::{Role, VolumeWishes, Ways, Wishes};
use dw_demand::{RecordingDoubt, Requirements, Severity};
use dw_documents::Sentence;
use dw_documents::explain::ExplainDocument;
use dw_error::{Error, Named, Result};
use dw_formats::scenario::{DiskGroup, Scenario};
use dw_planner::explain::{ExplainError, Measured, Passing, Question, Rig, explain};
use dw_units::{CacheMode, Throughput};

use crate::latency;
use crate::plan::{Demand, of_volume};
use crate::session::Session;
use crate::simulate::stamp::Stamp;

mod again;
#[cfg(test)]
mod designs_tests;
pub mod document;
pub mod first_touch;
mod measured;
pub mod sentences;
mod trial;

/// What a configuration is judged by: a demand, results that were measured on it, or both.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// What is asked of it.
    pub demand: Option<Demand>,
    /// What was measured on it.
    pub measured: Vec<Measured>,
    /// What the results call what they measured, by the volume's number.
    pub entries: BTreeMap<usize, Vec<String>>,
    /// What to know about the results.
    pub notes: Vec<Sentence>,
    /// Of that, what the tools complain of: jobs that failed, rates without a time.
    pub doubts: Vec<Sentence>,
    /// The region whose prices count; absent = that of the demand, or the usual one of its vendor.
    pub region: Option<String>,
}

impl Session {
    /// A demand on disks that exist: what a volume must hold may be left out.
    pub fn requirements_of_existing(&self, name: &str, text: &str) -> Result<Demand> {
        let session = self.for_requirements(text);
        let (requirements, wishes) = dw_demand::read_for_explain(name, text, session.catalogue())?;
        Ok(Demand { requirements, wishes, source: Some((name.into(), text.into())) })
    }

    /// Why a configuration gives what it gives, and the cheapest changes that help.
    ///
    /// # Errors
    /// Of kind `Usage` where the region has no prices, `Input` where there is neither a demand nor a result, or one is about a
    /// volume that is not there.
    ///
    /// ```
    /// use diskwright::{Catalogue, Session, explain::Evidence};
    /// let session = Session::new(Catalogue::embedded().clone());
    /// let rig = "[vm]\nsize = 'Standard_DS14'\n[[volume]]\nname = 'data'\ndisks = 'P30'\n";
    /// let asked = "schema_version = 1\n[[volume]]\nname = 'data'\nread_size = '8 KiB'\nread_iops = { p50 = 5000, p90 = 7000, p99 = 9000, max = 9000 }\n";
    /// let demand = Some(session.requirements_of_existing("requirements.toml", asked)?);
    /// let document = session.explain(&session.scenario("rig.toml", rig)?, Evidence { demand, ..Evidence::default() })?;
    /// assert_eq!(document.binding, ["data disk IOPS"]);
    /// # Ok::<(), diskwright::Error>(())
    /// ```
    pub fn explain(&self, scenario: &Scenario, evidence: Evidence) -> Result<ExplainDocument> {
        self.of_vendor(scenario.vendor).explained(scenario, evidence)
    }

    fn explained(&self, scenario: &Scenario, evidence: Evidence) -> Result<ExplainDocument> {
        let catalogue = self.catalogue();
        let Evidence { demand, measured, entries, notes, region, doubts: _ } = evidence;
        let keys = dw_demand::Offers::vendor(catalogue);
        // What was recorded somewhere is asked of what is there: keys of another vendor mean nothing to it.
        let moved = |demand: Demand| match demand.wishes.vendor.id == keys.id {
            true => demand,
            false => {
                let (wishes, _) = demand.wishes.moved_to(keys, keys.region, catalogue.has_host_caches());
                Demand { wishes, source: None, ..demand }
            }
        };
        let demand = demand.map(moved);
        let mut wishes = demand.as_ref().map_or_else(|| keys.wishes(), |demand| demand.wishes.clone());
        // The changes that are proposed are judged as the configuration is.
        wishes.latency = scenario.latency_setting;
        // What is there is judged by what it holds, not by what one would leave free.
        wishes = Wishes { cpu_percent: wishes.cpu_percent, ..wishes.bare() };
        // Changes are of sizes and numbers.
        wishes.ways = Ways::NONE;
        // What is there serves what it serves after a reboot: changes are judged by what they give for good.
        for volume in &mut wishes.volumes {
            (volume.after_reboot_latency_max, volume.after_reboot_share_min) = (None, None);
        }
        wishes.today = self.now().map(Stamp::day);
        // A stripe may be as wide as it is.
        wishes.disks_usual = VolumeWishes::DISKS_MAX;
        // What is there may be enlarged within its series, however long that is still sold.
        wishes.horizon_years = 0;
        // What is there is of a kind that is wanted.
        if let Some(size) = scenario.vm.size.as_deref() {
            let is = flags().iter().filter(|flag| flag.is_of(catalogue, size));
            is.for_each(|flag| flag.allow(&mut wishes));
        }
        if let Some(region) = &region {
            wishes.region = known_region(catalogue, region)?;
        }
        let mut rig = rig_of(scenario, catalogue);
        let of_demand = demand.as_ref().map(|demand| (&demand.requirements, &demand.wishes));
        for own in &mut rig.volumes {
            let place = scenario.volumes.iter().find(|volume| volume.name == own.name);
            own.role = role_of(&own.name, place.and_then(|volume| volume.mount.as_deref()), of_demand);
        }
        let question = Question {
            rig: &rig,
            catalogue,
            wishes: &wishes,
            demand: demand.as_ref().map(|demand| &demand.requirements),
            measured: &measured,
        };
        let trials = trial::Trials::new(self, scenario);
        let explanation =
            explain(&question, &|trial| trials.simulate(trial)).map_err(|e| refused(demand.as_ref(), e))?;
        self.go_on()?;
        let new_plan = demand.as_ref().and_then(|demand| {
            let (region, latency, today) = (wishes.region.clone(), wishes.latency, wishes.today);
            let wishes = Wishes { region, latency, today, ..demand.wishes.clone() };
            again::sentence(&Demand { wishes, ..demand.clone() }, &rig, &explanation, catalogue)
        });
        let said = sentences::ExplanationContext {
            rig: described(scenario),
            region: wishes.region.clone(),
            percentile: wishes.percentile,
            years: if wishes.growth_percent_per_year > 0.0 { wishes.years } else { 0 },
            entries,
            notes,
            latency: latency::sentences(&scenario.latency),
            new_plan,
            said_throttled: demand.as_ref().map_or_else(Vec::new, said_throttled),
            roles: rig.volumes.iter().map(|own| own.role).collect(),
            untouched: first_touch::of(
                &scenario.stack,
                &explanation,
                demand.as_ref().map(|d| &d.requirements),
                sold(scenario),
            ),
            demand_file: demand.and_then(|demand| demand.source).map(|(name, _)| name),
            explanation: &explanation,
        };
        Ok(document::build(&said))
    }
}

/// Rates that its vendor sells at which volumes from snapshots come by themselves.
fn sold(scenario: &Scenario) -> Option<(Throughput, Throughput)> {
    let own = dw_catalogue::rigs().into_iter().find(|own| own.id() == scenario.vendor);
    own.and_then(|own| own.initialization_rates())
}

/// What a volume is for: what the demand says, or where it says nothing, what its name and mount point do.
pub fn role_of(name: &str, mount: Option<&str>, demand: Option<(&Requirements, &Wishes)>) -> Option<Role> {
    let asked = demand.and_then(|(requirements, wishes)| {
        let place = requirements.volumes.iter().position(|volume| volume.name == name)?;
        Some(wishes.volumes.get(place)?.role)
    });
    let is_root = mount.is_some_and(|mount| mount == "/" || mount.trim_end_matches('\\').eq_ignore_ascii_case("C:"));
    let plain = name.to_lowercase();
    let words: Vec<&str> = plain.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let has = |any: &[&str]| words.iter().any(|word| any.contains(word));
    match asked {
        // `data` is also what nobody wrote.
        None | Some(Role::Data) if is_root || has(&["os"]) => Some(Role::Os),
        None | Some(Role::Data) if has(&["tempdb", "temp", "tmp", "swap", "pagefile", "scratch"]) => Some(Role::Tempdb),
        asked => asked,
    }
}

/// What the recording of a demand says of limits that its source was at.
fn said_throttled(demand: &Demand) -> Vec<String> {
    let throttled = |finding: &&RecordingDoubt| finding.is_throttled && finding.severity == Severity::Critical;
    demand.requirements.findings.iter().filter(throttled).map(|finding| finding.what.clone()).collect()
}

/// The region as the catalogue's prices call it.
pub fn known_region(catalogue: &Catalogue, asked: &str) -> Result<String> {
    let plain = |text: &str| text.replace(' ', "").to_lowercase();
    let known = catalogue.price_regions();
    known.iter().find(|known| plain(known) == plain(asked)).map(|known| known.to_string()).ok_or_else(|| {
        Error::usage(format!("no price is known in region `{asked}`")).hint(catalogue.price_region_hint(asked))
    })
}

pub(crate) fn rig_of(scenario: &Scenario, catalogue: &Catalogue) -> Rig {
    let vm = scenario.vm.size.as_deref().and_then(|size| catalogue.vm(size, scenario.vm.edition.as_deref()).ok());
    let disks = scenario.volumes.iter().map(|volume| {
        let row = volume.offer.as_ref().and_then(|(sku, edition)| catalogue.disk(sku, Some(edition)).ok());
        let groups = volume.bought.iter().map(|bought| billed(catalogue, bought));
        (row, groups.collect::<Option<Vec<_>>>().map(|groups| groups.concat()))
    });
    let stack = &scenario.stack;
    let passing = match catalogue.is_behind_door() {
        false => Passing::printed(stack, &scenario.limits, &scenario.attachments),
        true => Passing::of_gates(stack, catalogue.vendor()),
    };
    Rig::of(stack, &passing, vm, &disks.collect::<Vec<_>>())
}

/// `Standard_DS1 (2017-03) + P30 data`.
fn described(scenario: &Scenario) -> String {
    let edition = scenario.vm.edition.as_ref().map_or(String::new(), |edition| format!(" ({edition})"));
    let mut text = format!("{}{edition}", scenario.vm.size.as_deref().unwrap_or("a VM of your own"));
    for (volume, spec) in scenario.volumes.iter().zip(&scenario.stack.volumes) {
        let cache = match spec.host_cache {
            CacheMode::None => String::new(),
            cached => format!(" ({cached})"),
        };
        text += &format!(" + {}{cache} {}", volume.disks, volume.name);
    }
    text
}

/// Why nothing can be explained, with the line of the volume where one is meant.
fn refused(demand: Option<&Demand>, error: ExplainError) -> Error {
    let volume = match &error {
        ExplainError::Demand(e) => e.volume,
        ExplainError::NoSuchVolume(place, _) => Some(*place),
        ExplainError::Nothing => None,
    };
    match (demand, &error) {
        (Some(demand), ExplainError::Demand(_) | ExplainError::NoSuchVolume(..)) => {
            of_volume(error.into(), demand.source.as_ref(), &demand.requirements, volume)
        }
        _ => Error::from(ExplainError::Nothing)
            .hint("give `{demand}`, `{measured}` or both")
            .naming(&[Named::new("demand"), Named::new("measured")]),
    }
}

/// What a month of such disks of a scenario is billed by, all of them together; nothing where they are the user's own.
pub fn billed(catalogue: &Catalogue, bought: &DiskGroup) -> Option<Vec<Billed>> {
    let (sku, edition) = bought.offer.as_ref()?;
    let each = catalogue.disk(sku, Some(edition)).ok()?.billed(&bought.options);
    Some(each.into_iter().map(|part| Billed { count: part.count * bought.count as u64, ..part }).collect())
}
