//! Kinds of volumes as a planner takes them: one way to buy each, and for what it is chosen.
//!
//! Of gp2, st1 and sc1 their size decides what they sustain, and what they give while credits last: of I/Os of gp2, of bytes of the others. That
//! counts where a plan counts on bursts. A hard disk counts a random I/O as 1 MiB, so such a kind is for what is read and written from
//! front to back.
//!
//! Source: `kinds.rs`.

use dw_units::{Bytes, Iops};
use dw_vendor::free::{BurstBytes, Follow, FreeBurst, FreeForm};
use dw_vendor::gate::Tags;
use dw_vendor::goods::DiskRow;
use dw_vendor::kind::{Kind, Promise};
use dw_vendor::printed::MbUnit;

use crate::kinds::{self, Rule, Throughput, VolumeKind};
use crate::prices::BANDS;

/// Lets hard-disk kinds be chosen for every volume.
pub const HDD: &str = "hdd";

const SLOW: Option<&str> = Some("st1 and sc1 are for backups unless `hdd = true`");
const SSD_UNIT: Bytes = Bytes::kib(256);
const HDD_UNIT: Bytes = Bytes::mib(1);

const SLA: &str = "Amazon Compute Service Level Agreement, May 2022, at second hand";

/// What two or more machines are promised together.
pub static PROMISED_TOGETHER: [Promise; 1] = [Promise { hundredths: 9_999, place: "two or more zones", source: SLA }];

/// Each kind, the first of which is the usual one. Of the last no source gives rates.
pub static KINDS: [Kind; 7] = [
    ssd("gp3", "gp3", None),
    ssd("io2", "io2-block-express", None),
    ssd("gp2", "gp3", Some("gp3 gives no less than gp2 for less unless `disks` names gp2")),
    ssd("io1", "gp3", Some("io2 gives no less than io1 for no more unless `disks` names io1")),
    hdd("st1"),
    hdd("sc1"),
    Kind { os_gib_max: Some(1_024), spins: true, ..ssd("standard", "standard-hdd", None) },
];

/// Those that plans choose.
pub fn kinds() -> &'static [Kind] {
    &KINDS[..KINDS.len() - 1]
}

const fn ssd(id: &'static str, latency_model: &'static str, on_request: Option<&'static str>) -> Kind {
    Kind { os_gib_max: Some(16_384), io_unit: Some(SSD_UNIT), latency_model, on_request, ..kind(id) }
}

const fn hdd(id: &'static str) -> Kind {
    Kind {
        io_unit: Some(HDD_UNIT),
        latency_model: "standard-hdd",
        spins: true,
        on_request: SLOW,
        sequential: true,
        ..kind(id)
    }
}

const fn kind(id: &'static str) -> Kind {
    Kind {
        id,
        name: id,
        needs: Tags::NONE,
        second: false,
        os_gib_max: None,
        os_until: None,
        on_request: None,
        zone_redundant: false,
        io_unit: None,
        latency_model: "gp3",
        spins: false,
        sequential: false,
        promise: Some(Promise { hundredths: 9_950, place: "", source: SLA }),
    }
}

/// The kind of that id.
pub fn kind_of(id: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.id.eq_ignore_ascii_case(id))
}

/// Names of the prices of io2's further IOPS, by where each begins.
pub(crate) static IO2_BANDS: [(u64, &str); 2] =
    [(BANDS[0], "io2 above 32,000 IOPS"), (BANDS[1], "io2 above 64,000 IOPS")];

/// All kinds in all editions.
pub(crate) fn rows() -> Vec<DiskRow> {
    kinds::KINDS.iter().filter_map(row).collect()
}

fn row(own: &'static VolumeKind) -> Option<DiskRow> {
    Some(DiskRow {
        name: own.id,
        kind: kind_of(own.id)?,
        edition: own.edition,
        source: own.source,
        size: (Bytes::gib(own.gib.0), Bytes::gib(own.gib.1)),
        rates: rates(own)?,
        shares_most: own.attached_most,
    })
}

/// How its rates are bought, or follow; absent where no source says.
fn rates(own: &VolumeKind) -> Option<FreeForm> {
    let unit = own.unit.get();
    let plain = FreeForm {
        iops_per_gib: 1,
        bytes_per_iops: unit,
        iops_min: Iops::new(0),
        iops_min_per_gib: 0,
        iops_max: Iops::new(0),
        mb_min: 0,
        bytes_min_per_iops: 0,
        mb_max: 0,
        free: None,
        unit: MbUnit::Mebi,
        follow: Follow::Both,
        bytes_per_gib: None,
        bands: &[],
        burst: None,
    };
    Some(match &own.rule {
        Rule::Size(rule) => FreeForm {
            iops_per_gib: rule.iops_per_gib,
            iops_min: Iops::new(rule.iops.0),
            iops_max: Iops::new(rule.iops.1),
            // The lower figure is of sizes whose IOPS give no more.
            mb_max: rule.mib.2,
            burst: Some(FreeBurst {
                iops: Some((rule.burst_iops, rule.credits)),
                bytes: BurstBytes::Plain { mb: rule.mib.2, small_gib: rule.mib.0, small_mb: rule.mib.1 },
            }),
            ..plain
        },
        Rule::Bought(bought) => {
            let (follow, mb, bytes_per_iops) = match bought.mib {
                Throughput::Bought { mib, iops_per_mib } => (Follow::Nothing, mib, (1 << 20) / iops_per_mib),
                // What it has beyond the knee is left aside: io2 has more for no more money.
                Throughput::Knee { mib, .. } => (Follow::Throughput, (0, mib.0), unit),
                Throughput::Each { thousandths, mib_max } => {
                    (Follow::Throughput, (0, mib_max), (thousandths << 20) / 1_000)
                }
            };
            FreeForm {
                iops_per_gib: bought.iops_per_gib,
                bytes_per_iops,
                iops_min: Iops::new(bought.iops.0),
                iops_max: Iops::new(bought.iops.1),
                mb_min: mb.0,
                mb_max: mb.1,
                free: bought.included.map(|included| (Iops::new(included.iops), included.mib)),
                follow,
                bands: if own.id == "io2" { &IO2_BANDS } else { &[] },
                ..plain
            }
        }
        Rule::Bytes(rule) => FreeForm {
            iops_min: Iops::new(rule.iops),
            iops_max: Iops::new(rule.iops),
            mb_max: rule.base.1,
            bytes_per_gib: Some((rule.base.0 << 20) / 1_024),
            burst: Some(FreeBurst {
                iops: None,
                bytes: BurstBytes::Credits {
                    bytes_per_gib: (rule.peak.0 << 20) / 1_024,
                    mb: rule.peak.1,
                    // One byte for each that it holds.
                    credits_per_gib: 1 << 30,
                },
            }),
            ..plain
        },
        Rule::Unknown(_) => return None,
    })
}
