//! What coverage says of a region is what plans and simulations do there.

use std::collections::BTreeSet;

use diskwright::dw_planner::coverage::{Coverage, Gap, coverage};
use diskwright::dw_planner::market::NotSold;
use diskwright::error::Kind;
use diskwright::{Catalogue, Error, PlanOptions, Session};

/// Regions of every sort: large, small, without disk prices, without VM prices, without records, without premium SSD v2.
const REGIONS: [&str; 7] =
    ["eastus", "brazilsouth", "qatarcentral", "westindia", "taiwannorth", "jioindiawest", "uaecentral"];
/// Those of another vendor, with what lets all its kinds of disks into a plan.
const OTHERS: [&str; 2] = ["eu-central-1", "us-gov-west-1"];
/// Every so many of the sizes are planned.
const STEP: usize = 61;

fn session() -> Session {
    Session::new(Catalogue::embedded().clone())
}

/// A load that any disk of any size carries, with these lines under `[plan]`.
fn plan(session: &Session, region: &str, lines: &str) -> Result<bool, Error> {
    let text = format!(
        "schema_version = 1\n[plan]\nregion = '{region}'\nheadroom_percent = 0\n{lines}\n[[volume]]\nname = 'data'\n\
         capacity = '1 GiB'\nread_size = '8 KiB'\nread_iops = {{ p50 = 1, p90 = 1, p99 = 2, max = 2 }}\n"
    );
    let demand = session.requirements("requirements.toml", &text)?;
    let options = PlanOptions { simulate: false, choices: false, ..PlanOptions::default() };
    session.plan_with(&demand, &options).map(|planned| planned.document.plan.is_some())
}

/// Every so many sizes, and the first of each gap.
fn sample(region: &Coverage) -> Vec<&diskwright::dw_planner::coverage::SizeCoverage> {
    let mut seen = BTreeSet::new();
    let gaps = region.sizes.iter().filter(|size| !size.is_plannable() && seen.insert(size.gaps.clone()));
    let mut sizes: Vec<_> = region.sizes.iter().step_by(STEP).chain(gaps).collect();
    sizes.dedup_by_key(|size| &size.name);
    sizes
}

#[test]
fn a_size_without_a_gap_is_planned_by_its_name_and_one_with_a_gap_is_refused_for_it() {
    let session = session();
    let mut gaps = BTreeSet::new();
    let own = REGIONS.map(|region| (region, "standard_hdd"));
    for (region, hdd) in own.into_iter().chain(OTHERS.map(|region| (region, "hdd"))) {
        let covered = coverage(session.of_region(region).catalogue(), region);
        assert!(covered.sizes.len() > 100 || !covered.has_records, "{region}: {}", covered.sizes.len());
        for size in sample(&covered) {
            let name = &size.name;
            // Hard disks are for backups unless they are asked for; sizes without premium disks may have no other.
            let planned = plan(&session, region, &format!("vms = ['{name}']\n{hdd} = true"));
            match (planned, size.gaps.first()) {
                (Ok(true), None) => {}
                (Err(error), Some(Gap::Price | Gap::Disks)) if error.kind == Kind::Price => {}
                // Others of the region have disks: this size takes none of them.
                (Ok(false), Some(Gap::Disks)) => {}
                (Err(error), Some(Gap::Price)) if error.what.contains("no price is known in region") => {}
                (Err(error), Some(Gap::Limits)) if matches!(error.kind, Kind::Input | Kind::Price) => {}
                (planned, _) => panic!("{region} {name}: {planned:?}, but coverage says {:?}", size.gaps),
            }
            gaps.extend(size.gaps.iter().copied());
        }
    }
    assert!(gaps.is_superset(&BTreeSet::from([Gap::Limits, Gap::Price])), "{gaps:?}");
}

#[test]
fn what_is_planned_on_request_is_not_chosen_without() {
    let session = session();
    let covered = coverage(session.catalogue(), "westeurope");
    let on_request = |wanted: fn(&NotSold) -> bool| {
        let sizes = covered.sizes.iter().filter(|size| size.is_plannable());
        sizes.filter(move |size| size.on_request.as_ref().is_some_and(wanted)).step_by(STEP / 2)
    };
    for key in ["arm", "burstable", "confidential", "closed_to_new"] {
        let wants = |why: &NotSold| why.is_for_want_of(key);
        let sizes =
            covered.sizes.iter().filter(|size| size.is_plannable() && size.on_request.as_ref().is_some_and(wants));
        let mut tried = 0;
        for asked in sizes.step_by(STEP / 2) {
            tried += 1;
            let others: Vec<&str> =
                covered.sizes.iter().filter(|size| size.name != asked.name).map(|size| size.name.as_str()).collect();
            let lines = format!("not_vms = {others:?}");
            assert!(plan(&session, "westeurope", &lines).is_err(), "{}", asked.name);
            // A burstable size with Arm processors takes both words.
            let both =
                if key == "arm" && session.catalogue().is_burstable(&asked.name) { "\nburstable = true" } else { "" };
            assert!(plan(&session, "westeurope", &format!("{lines}\n{key} = true{both}")).unwrap(), "{}", asked.name);
        }
        assert!(tried > 0, "no size needs `{key}`");
    }
    for retiring in on_request(|why| matches!(why, NotSold::Retires(_))) {
        let others: Vec<&str> =
            covered.sizes.iter().filter(|size| size.name != retiring.name).map(|size| size.name.as_str()).collect();
        let lines = format!("not_vms = {others:?}\nstandard_hdd = true");
        assert!(plan(&session, "westeurope", &lines).is_err(), "{}", retiring.name);
        // Most of them are closed, too, and of limited capacity.
        let keys = "horizon_years = 0\nclosed_to_new = true\ncapacity_limited = true";
        assert!(plan(&session, "westeurope", &format!("{lines}\n{keys}")).unwrap(), "{}", retiring.name);
    }
}

#[test]
fn a_kind_of_disk_is_plannable_where_coverage_says_so_and_nowhere_else() {
    let session = session();
    // Every other region keeps the test short.
    for region in session.catalogue().regions().into_iter().step_by(2) {
        let covered = coverage(session.catalogue(), region);
        for kind in &covered.disks {
            let pattern = match kind.kind.id {
                "standard_hdd" => "S*",
                "standard_ssd" => "E*",
                "premium_ssd" => "P?*",
                "premium_ssd_v2" => "PremiumV2",
                "ultra" => "Ultra",
                other => panic!("{other}"),
            };
            let names: Vec<&str> = match pattern {
                "P?*" => {
                    kind.priced.iter().chain(kind.unpriced.iter().map(|(name, _)| name)).map(String::as_str).collect()
                }
                pattern => vec![pattern],
            };
            let redundancy = if kind.zone_redundant { "redundancy = 'zone'\n" } else { "" };
            // Any size that is sold here may be chosen: coverage counts those, too.
            let lines = format!("{redundancy}disks = {names:?}\narm = true\nhorizon_years = 0");
            match plan(&session, region, &lines) {
                Ok(true) => assert!(kind.usable, "{region}: {lines}"),
                Ok(false) => panic!("{region}: {lines}: nothing carries 2 IOPS"),
                Err(error) if matches!(error.kind, Kind::Price | Kind::Input) => {
                    assert!(!kind.usable, "{region}: {lines}: {error}")
                }
                Err(error) => panic!("{region}: {lines}: {error}"),
            }
        }
    }
}

#[test]
fn a_simulation_says_the_limits_that_coverage_misses() {
    let session = session();
    for region in REGIONS {
        let covered = coverage(session.catalogue(), region);
        for size in sample(&covered) {
            let name = &size.name;
            let text = format!("[vm]\nsize = '{name}'\n[[volume]]\nname = 'data'\ndisks = 'S30'\n");
            let scenario = session.scenario("rig.toml", &text).unwrap_or_else(|e| panic!("{name}: {e}"));
            let said: Vec<String> = scenario.notes.iter().map(|note| note.text.to_string()).collect();
            for limit in ["uncached", "cached"] {
                let missing = said.iter().any(|text| text.contains(&format!("the {limit} limits of")));
                assert_eq!(missing, size.unknown_limits.contains(&limit), "{name}: {limit}: {said:?}");
            }
            assert_eq!(size.is_simulatable(), !size.unknown_limits.contains(&"uncached"));
        }
    }
}
