//! Every published figure that a scenario and a job can express, against what we come to.
//!
//! - `figures.toml`: the claims, each with its source, its files and its tolerance.
//! - `aws.toml`, `aws-public.toml`: those of a second vendor.
//! - `claims`: their shape.
//! - `facts`: what the catalogue itself says of a volume or an instance.
//! - `measure`: runs one as `diskwright simulate` does and reads its figures.
//! - `page`: `docs/accuracy.md`, from the same runs.
//!
//! A miss is a row that says by how much and why; its tolerance stays. A miss without a reason fails, and so does a reason
//! for a miss that is none. `cargo xtask gen` rewrites the page.

mod claims;
mod facts;
mod measure;
mod page;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use claims::Claim;
use measure::Outcome;

/// Set by `cargo xtask gen`: write the page instead of comparing with it.
const WRITE: &str = "DISKWRIGHT_WRITE_ACCURACY";

/// The folder of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// All claims, two at a time; they share nothing, so the order in which they end does not matter.
fn outcomes(claims: &[Claim]) -> Vec<Outcome> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some((n, claim)) = {
            let n = next.fetch_add(1, Ordering::Relaxed);
            claims.get(n).map(|claim| (n, claim))
        } {
            done.push((n, measure::outcome(&root(), claim)));
        }
        done
    };
    let mut all = std::thread::scope(|scope| {
        let other = scope.spawn(work);
        let mut all = work();
        all.extend(other.join().unwrap());
        all
    });
    all.sort_by_key(|(n, _)| *n);
    all.into_iter().map(|(_, outcome)| outcome).collect()
}

#[test]
fn every_published_figure_is_met_or_its_miss_explained() {
    let file = claims::read();
    let outcomes = outcomes(&file.claims);
    let page = page::render(&file, &outcomes);
    let path = root().join("docs/accuracy.md");
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let faults: Vec<String> =
        file.claims.iter().zip(&outcomes).flat_map(|(claim, outcome)| outcome.faults(claim)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == page, "docs/accuracy.md is stale: run `cargo xtask gen`; it should be\n{page}");
}

#[test]
fn every_claim_names_a_source_and_has_its_own_id() {
    let file = claims::read();
    let mut seen = std::collections::BTreeSet::new();
    for claim in &file.claims {
        assert!(seen.insert(&claim.id), "two claims `{}`", claim.id);
        assert!(file.sources.contains_key(&claim.source), "{}: no source `{}`", claim.id, claim.source);
        assert!(file.groups.iter().any(|g| g.id == claim.group), "{}: no group `{}`", claim.id, claim.group);
    }
}

/// The table must be able to fail: figures that are off, and reasons for misses that are none.
#[test]
fn the_verdict_notices() {
    let figure = |published: f64, within: f64, miss: Option<&str>| claims::Figure {
        name: "IOPS".into(),
        measure: None,
        fact: None,
        sum: vec![100.0],
        unit: "IOPS".into(),
        published,
        published_max: None,
        within,
        at_least: false,
        miss: miss.map(String::from),
    };
    let faults = |figure: claims::Figure| {
        let claim = Claim { figures: vec![figure], ..Claim::default() };
        measure::outcome(&root(), &claim).faults(&claim).len()
    };
    assert_eq!(faults(figure(102.0, 3.0, None)), 0);
    assert_eq!(faults(figure(105.0, 3.0, None)), 1, "a miss that nobody explains");
    assert_eq!(faults(figure(105.0, 3.0, Some("so it is"))), 0);
    assert_eq!(faults(figure(102.0, 3.0, Some("so it is"))), 1, "a reason for a miss that is none");
    assert_eq!(faults(claims::Figure { at_least: true, ..figure(90.0, 3.0, None) }), 0);
    assert_eq!(faults(claims::Figure { at_least: true, ..figure(105.0, 3.0, None) }), 1);
    assert_eq!(faults(figure(0.0, 3.0, None)), 1, "nothing is within a share of nothing");
    let lies = |published: f64, max: Option<f64>| {
        measure::lies(&claims::Figure { published_max: max, ..figure(published, 5.0, None) }, [2.0, 3.0, 5.0]).words()
    };
    for (published, max, place) in [
        (1.8, None, "below optimistic"),
        (1.95, None, "optimistic to typical"),
        (2.9, None, "typical"),
        (4.0, None, "typical to cautious"),
        (5.2, None, "typical to cautious"),
        (5.6, None, "above cautious"),
        (2.0, Some(7.0), "typical"),
        (4.0, Some(7.0), "typical to cautious"),
    ] {
        assert_eq!(lies(published, max), place, "{published} to {max:?}");
    }
}
