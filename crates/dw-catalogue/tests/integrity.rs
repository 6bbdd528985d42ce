//! What must be true of the data as a whole.

use std::collections::{BTreeMap, BTreeSet};

use dw_catalogue::{Attachment, Catalogue, DiskOptions, Thing, VmLimit, VmSize};
use dw_stack::{CacheMode, Credits, Stack, StackSpec, VolumeSpec};
use dw_units::Bytes;

/// Rows of the CSV files that the data were generated from, and the one written by hand.
const ROWS: [(&str, usize); 4] =
    [("documents 2016-2018", 246), ("documents 2020-2026", 421), ("api-2025-03", 1_076), ("by hand, 2021", 1)];
const DISK_ROWS: usize = 126;

fn era(edition: &str) -> &'static str {
    match edition {
        "2021" => "by hand, 2021",
        "api-2025-03" => "api-2025-03",
        "2020-2023" | "2024-2026" | "2024-2026-nvme" => "documents 2020-2026",
        _ => "documents 2016-2018",
    }
}

#[test]
fn no_row_is_lost() {
    let catalogue = Catalogue::embedded();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for vm in catalogue.vm_sizes() {
        *counts.entry(era(&vm.edition)).or_default() += 1;
    }
    assert_eq!(counts, ROWS.into_iter().collect());
    assert_eq!(catalogue.disks().count(), DISK_ROWS);
    let names: BTreeSet<_> =
        catalogue.vm_sizes().filter(|vm| era(&vm.edition) == ROWS[0].0).map(|vm| &vm.name).collect();
    assert_eq!(names.len(), 95);
}

#[test]
fn a_name_and_an_edition_are_one_row() {
    let catalogue = Catalogue::embedded();
    let mut seen = BTreeSet::new();
    for (name, edition) in catalogue.vm_sizes().map(|vm| (&vm.name, &vm.edition)) {
        assert!(seen.insert((name, edition)), "{name} of {edition} occurs twice");
    }
    for (name, edition) in catalogue.disks().map(|disk| (&disk.sku, &disk.edition)) {
        assert!(seen.insert((name, edition)), "{name} of {edition} occurs twice");
    }
}

#[test]
fn every_figure_has_a_source_and_every_source_is_used() {
    let catalogue = Catalogue::embedded();
    let rows = catalogue.vm_sizes().map(VmSize::fields).chain(catalogue.disks().map(|disk| disk.fields()));
    let prices = catalogue.prices().map(|price| price.source.clone());
    let used: BTreeSet<String> = rows.flatten().map(|field| field.source).chain(prices).collect();
    let known: BTreeSet<String> = catalogue.sources().map(|source| source.id.clone()).collect();
    assert_eq!(used, known);
    for source in catalogue.sources() {
        assert!(!source.page.is_empty() && source.date.starts_with("20"), "{source:?}");
    }
}

/// Within a series and edition, from fewer to more vCPU, a limit does not fall.
#[test]
fn limits_do_not_fall_within_a_series() {
    let catalogue = Catalogue::embedded();
    let mut series: BTreeMap<(&str, &str, &str), Vec<&VmSize>> = BTreeMap::new();
    for vm in catalogue.vm_sizes() {
        if let (Some(name), false) = (&vm.series, vm.edition.starts_with("api-")) {
            series.entry((name, &vm.edition, line(vm))).or_default().push(vm);
        }
    }
    let limits = |vm: &VmSize| -> Vec<Option<u64>> {
        let of = |limit: Option<VmLimit>| {
            let limit = limit.unwrap_or_default();
            [limit.iops.map(|n| n.get()), limit.throughput().map(|n| n.get())]
        };
        [of(Some(vm.uncached)), of(vm.cached), of(vm.premium2)].concat()
    };
    let mut compared = 0;
    for sizes in series.values_mut() {
        sizes.sort_by_key(|vm| (vm.vcpu, vm.uncached.iops));
        for pair in sizes.windows(2) {
            let (small, large) = (pair[0], pair[1]);
            let falls = limits(small).iter().zip(limits(large)).any(|(a, b)| b.is_some() && *a > b);
            assert!(!falls, "{} to {} of {}", small.name, large.name, large.edition);
            compared += 1;
        }
    }
    assert!(compared > 300, "{compared}");
}

/// Series hold sub-lines whose sizes are not comparable: memory-heavy variants begin again at few vCPU.
fn line(vm: &VmSize) -> &'static str {
    match vm.series.as_deref() {
        Some("M") if !vm.name.contains('s') => "no premium letter",
        _ => "",
    }
}

/// A burst below the base is a fault of the page: its row is marked, and nothing else is.
#[test]
fn a_burst_is_not_below_its_base_unless_a_note_says_so() {
    for vm in Catalogue::embedded().vm_sizes() {
        let mut limits = vec![vm.uncached];
        limits.extend(vm.cached);
        limits.extend(vm.premium2);
        let below = limits.iter().any(|limit| {
            limit.burst_iops.is_some_and(|burst| Some(burst) < limit.iops)
                || limit.burst_throughput().is_some_and(|burst| Some(burst) < limit.throughput())
        });
        let doubted = limits.iter().any(|limit| limit.burst_doubted);
        assert_eq!(below, doubted, "{} of {}", vm.name, vm.edition);
    }
}

#[test]
fn documents_and_api_records_agree_or_the_conflict_is_listed() {
    let catalogue = Catalogue::embedded();
    let listed: toml::Table = toml::from_str(include_str!("../data/azure/conflicts.toml")).unwrap();
    let listed: BTreeSet<String> = listed["conflict"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let text = |key: &str| row[key].as_str().unwrap().to_string();
            format!("{} {} {} {} {}", text("name"), text("edition"), text("field"), row["printed"], row["api_printed"])
        })
        .collect();
    let found: BTreeSet<String> = catalogue
        .conflicts()
        .iter()
        .map(|c| format!("{} {} {} {} {}", c.name, c.edition, c.field, c.printed, c.api_printed))
        .collect();
    assert_eq!(found, listed, "run `cargo xtask catalogue` and review the difference");

    // The rule itself, without the code that found the conflicts: equal IOPS for every size in both, or listed.
    let mut compared = 0;
    for vm in catalogue.vm_sizes().filter(|vm| !vm.edition.starts_with("api-")) {
        let Ok(api) = catalogue.vm(&vm.name, Some("api-2025-03")) else { continue };
        if vm.derived.iter().any(|derived| derived.field == "uncached") {
            continue;
        }
        compared += 1;
        let listed = listed.iter().any(|row| row.starts_with(&format!("{} {} uncached_iops", vm.name, vm.edition)));
        assert!(vm.uncached.iops == api.uncached.iops || listed, "{} of {}", vm.name, vm.edition);
    }
    assert_eq!(compared, 341);
    let rows: BTreeSet<(String, String)> =
        catalogue.conflicts().into_iter().filter(|c| c.thing == Thing::VmSize).map(|c| (c.name, c.edition)).collect();
    assert_eq!(rows.len(), 43);
}

#[test]
fn every_size_that_a_document_describes_has_all_its_limits() {
    let catalogue = Catalogue::embedded();
    let incomplete: Vec<String> = catalogue
        .vm_sizes()
        .filter(|vm| !vm.edition.starts_with("api-") && !vm.is_complete())
        .map(|vm| format!("{} {}", vm.name, vm.edition))
        .collect();
    assert!(incomplete.is_empty(), "{incomplete:?}");
}

/// Pages that say "caching supported" and print neither cache nor limit, of series that no record is known of.
#[test]
fn a_host_cache_of_unknown_limits_is_unused_and_not_absent() {
    let catalogue = Catalogue::embedded();
    let unknown: Vec<&VmSize> =
        catalogue.vm_sizes().filter(|vm| vm.host_caching == Some(true) && vm.cached.is_none()).collect();
    let (v7, other): (Vec<&VmSize>, Vec<&VmSize>) = unknown.iter().partition(|vm| vm.name.ends_with("_v7"));
    let others_are_easv5 = other.iter().all(|vm| vm.series.as_deref() == Some("Easv5"));
    assert_eq!((v7.len(), other.len(), others_are_easv5), (109, 13, true), "{other:#?}");
    for vm in unknown {
        assert!(!vm.has_no_cached(), "{}", vm.name);
        assert!(vm.limits(Default::default()).host_cache.is_none(), "{}", vm.name);
    }
}

#[test]
fn every_row_becomes_a_valid_spec() {
    let catalogue = Catalogue::embedded();
    for vm in catalogue.vm_sizes() {
        let spec = vm.limits(Default::default());
        for limit in [Some(spec.uncached), spec.uncached_premium2, Some(spec.cached)].into_iter().flatten() {
            for rate in [limit.iops, limit.throughput].into_iter().flatten() {
                assert!(rate.rate > 0, "{}", vm.name);
                assert!(rate.burst.is_none_or(|burst| burst.rate > rate.rate && burst.credits > 0), "{}", vm.name);
            }
        }
        if let Some(cache) = spec.host_cache {
            assert!(
                vm.host_caching == Some(true)
                    && cache.ram < cache.capacity
                    && cache.write_back.dirty_max <= cache.capacity
            );
            assert_eq!(cache.capacity, vm.cache.unwrap(), "{}", vm.name);
        }
    }
}

/// The model takes what the catalogue gives: each size with a cached disk of its own edition's time, where it may have one.
#[test]
fn the_model_accepts_every_size() {
    let catalogue = Catalogue::embedded();
    let p30 = catalogue.disk("P30", None).unwrap().disk_spec("p30", &DiskOptions::default()).unwrap();
    for vm in catalogue.vm_sizes() {
        let (spec, mut paths) = vm.limits(Default::default()).attach(&[Attachment::Remote]);
        let host_cache = if spec.host_cache.is_some() { CacheMode::ReadOnly } else { CacheMode::None };
        let volume = VolumeSpec {
            name: "data".into(),
            disks: vec![p30.clone()],
            stripe_unit: Bytes::kib(64),
            host_cache,
            path: paths.remove(0),
        };
        let spec = StackSpec { vm: spec, volumes: vec![volume], credits: Credits::Full, seed: 1 };
        if let Err(error) = Stack::new(spec) {
            panic!("{} of {}: {error:?}", vm.name, vm.edition);
        }
    }
}

#[test]
fn the_data_files_are_all_embedded() {
    let list = include_str!("../data/azure/files.rs");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/data/azure");
    let mut count = 0;
    for (folder, prefix) in [(folder.to_string(), ""), (format!("{folder}/vm-sizes"), "vm-sizes/")] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".toml") {
                assert!(list.contains(&format!("(\"{prefix}{name}\"")), "{prefix}{name} is not in files.rs");
                count += 1;
            }
        }
    }
    assert_eq!(list.matches("include_str!").count(), count);
}
