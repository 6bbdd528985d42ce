//! What must be true of the data as a whole.

use std::collections::{BTreeMap, BTreeSet};

use dw_catalogue::{Attachment, Catalogue, DiskOptions, Meter, Sold, TempKind, VmLimit, VmSize};
use dw_stack::{CacheMode, Credits, Stack, StackSpec, VolumeSpec};
use dw_units::Bytes;

/// Rows of the CSV files that the data were generated from, and the one written by hand.
const ROWS: [(&str, usize); 5] = [
    ("documents 2016-2018", 246),
    ("documents 2020-2026", 1_235),
    ("api-2025-03", 1_076),
    ("api-2026-08", 1_467),
    ("by hand, 2021", 1),
];
const DISK_ROWS: usize = 126;

fn era(edition: &str) -> &'static str {
    match edition {
        "2021" => "by hand, 2021",
        "api-2025-03" => "api-2025-03",
        "api-2026-08" => "api-2026-08",
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
    // A figure may come from another row in the end; the row's own source is still that of the rest.
    let own = catalogue.vm_sizes().map(|vm| vm.source.clone());
    let sold = catalogue.sold_sources().cloned();
    let operations = catalogue.operations_sources().cloned();
    let lifecycle = catalogue.deployment_sources().cloned();
    let prices = catalogue.prices().map(|price| price.source.clone());
    let own = own.chain(prices).chain(sold).chain(operations).chain(lifecycle);
    let used: BTreeSet<String> = rows.flatten().map(|field| field.source).chain(own).collect();
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

/// Series hold sub-lines whose sizes are not comparable: memory-heavy variants begin again at few vCPU, and an isolated size is a
/// whole host of its own kind.
fn line(vm: &VmSize) -> &str {
    match vm.series.as_deref() {
        Some("M") if !vm.name.contains('s') => "no premium letter",
        // `_2_v3`: twice the memory.
        _ if vm.name.matches('_').count() > 2 => vm.name.splitn(3, '_').last().unwrap_or(""),
        _ if vm.name.contains("is_v") || vm.name.contains("ids_v") => "isolated",
        _ => "",
    }
}

/// A burst below the base is a fault of the page: its row is marked, and nothing else is.
#[test]
fn a_burst_is_not_below_its_base_unless_a_note_says_so() {
    for vm in Catalogue::embedded().vm_sizes().filter(|vm| !vm.edition.starts_with("api-")) {
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
    let listed: toml::Table = toml::from_str(include_str!("../../vendors/azure/data/conflicts.toml")).unwrap();
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
}

/// The pages of these series print no table of remote disks.
#[test]
fn every_size_that_a_document_describes_has_all_its_limits() {
    let catalogue = Catalogue::embedded();
    let incomplete: BTreeSet<&str> = catalogue
        .vm_sizes()
        .filter(|vm| !vm.edition.starts_with("api-") && !vm.is_complete())
        .map(|vm| vm.series.as_deref().unwrap_or(&vm.name))
        .collect();
    assert_eq!(incomplete, BTreeSet::from(["DCadsv6", "DCasv6", "ECadsv6", "ECasv6"]));
}

/// Pages that say "caching supported" and print neither cache nor limit, of series that no record is known of.
#[test]
fn a_host_cache_of_unknown_limits_is_unused_and_not_absent() {
    let catalogue = Catalogue::embedded();
    let unknown: Vec<&VmSize> =
        catalogue.vm_sizes().filter(|vm| vm.host_caching == Some(true) && vm.cached.is_none()).collect();
    assert!(unknown.iter().filter(|vm| vm.name.ends_with("_v7")).count() > 100, "{}", unknown.len());
    for vm in unknown {
        assert!(!vm.has_no_cached(), "{}", vm.name);
        assert!(vm.limits(Default::default()).host_cache.is_none(), "{}", vm.name);
    }
}

/// The figure of a local disk is no cached limit, and what is not printed names the rule that it follows by and its source.
#[test]
fn no_cached_limit_is_that_of_a_local_disk() {
    let catalogue = Catalogue::embedded();
    let mut series = BTreeSet::new();
    for vm in catalogue.vm_sizes() {
        let Some(cached) = vm.cached else { continue };
        if let Some(temp) = vm.temp.filter(|temp| temp.kind == TempKind::LocalNvme).and_then(|temp| temp.read) {
            assert_ne!(cached.iops, temp.iops, "{} of {}", vm.name, vm.edition);
            assert_ne!(cached.throughput(), temp.throughput(), "{} of {}", vm.name, vm.edition);
        }
        series.insert(vm.series.as_deref().unwrap_or(&vm.name));
        assert!(vm.derived.iter().all(|derived| !derived.rule.is_empty()), "{}", vm.name);
        let of_cached = vm.derived.iter().filter(|derived| derived.field == "cached");
        assert!(of_cached.clone().all(|derived| derived.source.is_some()), "{} of {}", vm.name, vm.edition);
        assert!(vm.cached_lower.is_none() || of_cached.count() == 1, "{} of {}", vm.name, vm.edition);
    }
    // Those whose pages have, or once had, a column of the cache; of the last three a record of the SKU interface has some size.
    let printed = [
        "DS", "DSv2", "Dsv3", "Dasv4", "Ddsv4", "Ddsv5", "Esv3", "Easv4", "Edsv4", "Edsv5", "FX", "Fs", "Fsv2", "GS",
        "M", "Mdsv2-MM", "Mv2", "Dasv6", "Ddsv6", "Dpldsv5",
    ];
    assert_eq!(series, BTreeSet::from(printed));
}

/// No VM of this generation has a SCSI disk of its own.
#[test]
fn local_disks_since_v6_are_nvme() {
    for vm in Catalogue::embedded().vm_sizes().filter(|vm| dw_catalogue::series_and_generation(&vm.name).1 >= 6) {
        assert!(vm.temp.is_none_or(|temp| temp.kind == TempKind::LocalNvme), "{} of {}", vm.name, vm.edition);
    }
}

/// How much of what is sold can be planned for, by reason: a gap that grows is a row that was lost.
#[test]
fn of_what_is_sold_so_much_can_be_planned_for() {
    let catalogue = Catalogue::embedded();
    let sold = || {
        catalogue.vm_sizes_as_of(None).into_iter().filter(|vm| {
            catalogue
                .regions_with_records()
                .iter()
                .any(|region| matches!(catalogue.sold(&vm.name, region), Sold::Here { .. }))
        })
    };
    let without_uncached = sold().filter(|vm| !vm.uncached.is_complete()).count();
    let without_price = sold()
        .filter(|vm| vm.is_complete())
        .filter(|vm| catalogue.prices_of(&vm.name).iter().all(|price| price.meter != Meter::Whole));
    let planned = sold().filter(|vm| vm.is_complete()).count() - without_price.count();
    // The rest are sizes with GPUs and for HPC, of which no price is known.
    assert_eq!((sold().count(), without_uncached, planned), (1_467, 65, 1_316));
}

/// What is offered today is never more than the record of the SKU interface has.
#[test]
fn no_page_of_today_overrules_the_record() {
    let catalogue = Catalogue::embedded();
    let mut compared = 0;
    for vm in catalogue.vm_sizes_as_of(None).into_iter().filter(|vm| !vm.edition.starts_with("api-")) {
        let Ok(api) = catalogue.vm(&vm.name, Some("api-2025-03")) else { continue };
        let is_today = vm.edition == "2024-2026" || vm.edition == "2020-2023";
        if !is_today && (vm.premium == Some(true) || vm.edition.ends_with("-nvme")) {
            continue;
        }
        compared += 1;
        assert!(vm.uncached.iops <= api.uncached.iops, "{} of {}", vm.name, vm.edition);
        // A record holds whole MiB a second, rounded down.
        let more = vm.uncached.throughput().unwrap().get().saturating_sub(api.uncached.throughput().unwrap().get());
        let rounding = vm.uncached.throughput().unwrap().get() / 20;
        assert!(more <= rounding, "{} of {}: {more}", vm.name, vm.edition);
    }
    assert!(compared > 500, "{compared}");
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
