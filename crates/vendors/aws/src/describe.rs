//! What is known of a type or a kind, field by field with its source.

use dw_vendor::rig::Description;

use crate::instances::said::{
    ARCHITECTURE, CPU, EBS_BASELINE, EBS_CARDS, EBS_MAXIMUM, EBS_VOLUMES, GENERATION, GPUS, HYPERVISOR, INSTANCE_STORE,
};
use crate::instances::{self, Arch, Check, EDITION, EbsLimit, Hypervisor, InstanceType, StoreGrade, VOLUMES_UNKNOWN};
use crate::kinds::{self, Rule, VolumeKind};
use crate::numbers::decimal;
use crate::prices::{self, Figure, Prices};
use crate::sources::{ATTACHMENTS, EBS_OPTIMIZED, STORE_IOPS, STORE_MEASURED, WEIGHTING, source};

/// Where a figure of a type is from.
#[derive(Clone, Copy)]
enum From {
    Record,
    /// The record of an import; of what is shipped a page.
    RecordOr(&'static str),
    /// No record has it.
    Page(&'static str),
}

/// Of a type.
pub(crate) fn instance(row: &InstanceType, editions: &[&str], prices: &Prices) -> Description {
    let mut fields: Vec<(&'static str, String, String)> = Vec::new();
    let is_imported = row.edition != EDITION;
    let shipped = instances::instance(&row.name).filter(|_| is_imported);
    let record = &*row.source;
    // An import is the source of what its record says. Of the rest that of the shipped figure is; where there is none, nothing is known.
    let mut add = |what: &'static str, value: String, from: From| {
        let said = is_imported && !row.unsaid.contains(&what);
        let of_shipped = || shipped.map_or((!is_imported).then_some(record), |own| Some(&*own.source));
        let source = match from {
            From::Page(page) => Some(page),
            From::Record | From::RecordOr(_) if said => Some(record),
            From::Record => of_shipped(),
            From::RecordOr(page) => of_shipped().map(|_| page),
        };
        fields.extend(source.map(|source| (what, value, source.to_string())));
    };
    add("vCPU", row.vcpu.to_string(), From::Record);
    add("memory", row.memory.to_string(), From::Record);
    let arch = match row.arch {
        Arch::X86 => "x86",
        Arch::Arm => "Arm",
        Arch::Mac => "Mac",
    };
    add(ARCHITECTURE, arch.into(), From::Record);
    let hypervisor = match row.hypervisor {
        Hypervisor::Nitro => "Nitro",
        Hypervisor::Xen => "Xen",
        Hypervisor::Metal => "none: bare metal",
    };
    add(HYPERVISOR, hypervisor.into(), From::Record);
    add(GENERATION, (if row.is_current { "yes" } else { "no" }).into(), From::Record);
    if row.is_burstable {
        add(CPU, "on credits".into(), From::Record);
    }
    if row.gpus > 0 {
        add(GPUS, row.gpus.to_string(), From::Record);
    }
    let limit = |limit: EbsLimit| format!("{}, {}", limit.iops, limit.throughput);
    if let Some(ebs) = row.ebs {
        add(EBS_BASELINE, limit(ebs.base), From::Record);
        if ebs.bursts() {
            add(EBS_MAXIMUM, format!("{}, for 30 minutes", limit(ebs.maximum)), From::RecordOr(EBS_OPTIMIZED));
        }
    }
    if row.cards > 1 {
        add(EBS_CARDS, format!("{}, each with an equal part", row.cards), From::Record);
    }
    let shared =
        if row.shares_attachments { ", one number with network interfaces and NVMe instance stores" } else { "" };
    if row.volumes_most != VOLUMES_UNKNOWN {
        add(EBS_VOLUMES, format!("at most {}{shared}", row.volumes_most), From::RecordOr(ATTACHMENTS));
    }
    if row.takes_weighting() {
        let from = if row.weighting.is_some() { From::Record } else { From::Page(WEIGHTING) };
        add("bandwidth weighting", "default, vpc-1, ebs-1".into(), from);
    }
    if let Some(store) = row.store {
        let medium = if store.is_ssd { "SSD" } else { "HDD" };
        let nvme = if store.is_nvme { ", NVMe" } else { "" };
        add(INSTANCE_STORE, format!("{} x {} GB {medium}{nvme}", store.count, store.gb), From::Record);
        if let (Some(reads), Some(writes)) = (store.read_iops, store.write_iops) {
            let grade = match store.grade {
                Some(StoreGrade::Sibling) => ", of a sibling with the same disks",
                Some(StoreGrade::Copied) => ", as a program copied the page",
                Some(StoreGrade::Guide) => ", as the guide of 2024-06 has it",
                Some(StoreGrade::Page) | None => "",
            };
            add(
                "instance store, 4 KiB",
                format!("{reads} reads and {writes} writes per second in all{grade}"),
                From::Page(STORE_IOPS),
            );
        }
        if let Some(measured) = row.store_measured() {
            let mb = |bytes: u64| bytes / 1_000_000;
            let (reads, writes) = (mb(measured.read_bytes_s), mb(measured.write_bytes_s));
            add(
                "one of its disks, measured",
                format!("{reads} MB/s read, {writes} MB/s written"),
                From::Page(STORE_MEASURED),
            );
        }
    }
    let mut notes: Vec<String> = row.why_unplanned().collect();
    notes.extend(row.store_unknown());
    match row.checked {
        Check::Differs => {
            notes.push("a copy of the vendor's page of 2026-04 has other EBS limits: those of one of two cards".into())
        }
        Check::NotThere => {
            notes.push("it is newer than the copy of the vendor's page that EBS limits were compared with".into())
        }
        Check::Agrees | Check::Nothing => {}
    }
    let of_region = |region: &str| {
        let newest_first = prices.all(region, &row.name, prices::HOUR).into_iter().rev();
        let priced = newest_first.filter_map(|figure| Some((figure, figure.dated()?.amount)));
        let line = |(figure, amount): (Figure, dw_units::Money)| {
            let text = format!("{} USD per hour", six_digits(amount.get()));
            (region.to_string(), text, figure.date.to_string(), figure.source.to_string())
        };
        priced.map(line).collect::<Vec<_>>()
    };
    let prices = prices.regions().into_iter().flat_map(of_region).collect();
    whole(Description {
        is_machine: true,
        name: row.name.to_string(),
        edition: row.edition.to_string(),
        editions: editions.iter().map(ToString::to_string).collect(),
        fields,
        prices,
        sources: Vec::new(),
        notes,
    })
}

/// Of a kind of volumes.
pub(crate) fn kind(kind: &'static VolumeKind, prices: &Prices) -> Description {
    let mut fields = Vec::new();
    let mut add = |what, value: String| fields.push((what, value, kind.source.to_string()));
    add("size", format!("{} to {} GiB", kind.gib.0, kind.gib.1));
    match &kind.rule {
        Rule::Size(rule) => {
            add("IOPS", format!("{} per GiB, {} to {}", rule.iops_per_gib, rule.iops.0, rule.iops.1));
            add("burst", format!("{} IOPS while {} credits last", rule.burst_iops, rule.credits));
            add("throughput", format!("{} MiB/s up to {} GiB, {} above", rule.mib.1, rule.mib.0, rule.mib.2));
        }
        Rule::Bought(bought) => {
            let (least, most) = bought.iops;
            add("IOPS", format!("{least} to {most}, at most {} per GiB", bought.iops_per_gib));
            if let Some(most) = bought.iops_off_nitro {
                add("IOPS without Nitro", format!("at most {most}"));
            }
            if let Some(included) = bought.included {
                add("included", format!("{} IOPS, {} MiB/s", included.iops, included.mib));
            }
            add(
                "throughput",
                match bought.mib {
                    kinds::Throughput::Bought { mib: (least, most), iops_per_mib } => {
                        format!("{least} to {most} MiB/s, at most 1 for {iops_per_mib} IOPS")
                    }
                    kinds::Throughput::Knee { mib: (lower, upper), knee } => {
                        format!(
                            "256 KiB per IOPS, at most {lower} MiB/s; above {knee} IOPS 16 KiB each, at most {upper} MiB/s"
                        )
                    }
                    kinds::Throughput::Each { thousandths, mib_max } => {
                        format!("0.{thousandths} MiB/s per IOPS, at most {mib_max} MiB/s")
                    }
                },
            );
        }
        Rule::Bytes(rule) => {
            let rate = |(mib, most): (u64, u64)| format!("{mib} MiB/s per TiB, at most {most} MiB/s");
            add("throughput", rate(rule.base));
            add("burst", format!("{}, while credits of one byte per byte of size last", rate(rule.peak)));
            add("IOPS", format!("{} of up to 1 MiB; a smaller one costs 1 MiB of credits", rule.iops));
        }
        Rule::Unknown(why) => add("rates", format!("unknown: {why}")),
    }
    add("an I/O", format!("counts once up to {}; sequential ones are merged up to that", kind.unit));
    add("operating system", (if kind.boot { "possible" } else { "impossible" }).into());
    if kind.attached_most > 1 {
        add("attached to", format!("up to {} instances of its zone", kind.attached_most));
    }
    let prices = prices.volume_regions().into_iter().flat_map(|region| of_kind(prices, region, kind.id)).collect();
    whole(Description {
        is_machine: false,
        name: kind.id.into(),
        edition: kind.edition.into(),
        editions: kinds::editions(kind.id).into_iter().map(String::from).collect(),
        fields,
        prices,
        sources: Vec::new(),
        notes: Vec::new(),
    })
}

/// Prices of a kind in a region: all of one date together, the newest first.
fn of_kind(prices: &Prices, region: &str, id: &str) -> Vec<(String, String, String, String)> {
    const METERS: [&str; 6] =
        [prices::GIB, prices::MIB_S, prices::IOPS, prices::IOPS_BANDS[0], prices::IOPS_BANDS[1], prices::IOPS_BANDS[2]];
    let mut lines: Vec<(String, String, String, String)> = Vec::new();
    for meter in METERS {
        for figure in prices.all(region, id, meter) {
            let text = format!("{meter} {}", decimal(figure.billionths));
            match lines.iter_mut().find(|(.., date, source)| date == figure.date && source == figure.source) {
                Some((_, all, ..)) => *all = format!("{all}, {text}"),
                None => lines.push((region.into(), text, figure.date.into(), figure.source.into())),
            }
        }
    }
    lines.iter_mut().for_each(|(_, all, ..)| all.push_str(" USD a month"));
    lines.sort_by(|(.., a, _), (.., b, _)| b.get(..7).cmp(&a.get(..7)));
    lines
}

/// With the sources that its fields and prices name.
fn whole(described: Description) -> Description {
    let of_prices = described.prices.iter().map(|(.., id)| id.as_str());
    let mut ids: Vec<&str> = described.fields.iter().map(|(.., id)| id.as_str()).chain(of_prices).collect();
    ids.sort_unstable();
    ids.dedup();
    Description { sources: ids.into_iter().filter_map(source).collect(), ..described }
}

/// Millionths of a dollar without zeros at the end.
fn six_digits(micros: u64) -> String {
    let text = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}
