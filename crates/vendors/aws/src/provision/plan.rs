//! What is to be built, checked: an instance type, its disks with their kinds and figures, and the device names they are attached with.
//!
//! Names: of HVM images `/dev/sdf` to `sdz`, then `/dev/xvd[b-d, a][a-x]`; of Windows `xvdf` to `xvdz`, then `xvd[b-c][a-z]`. On Nitro they
//! are only a key: the kernel calls the devices otherwise.
//!
//! Source: `sources::DEVICE_NAMES`.

use dw_units::{Bytes, Iops, Throughput};
use dw_vendor::lookup;
use dw_vendor::provision::{Build, BuildRefusal, Disks};

use crate::ec2::Ec2;
use crate::gates::Weighting;
use crate::instances::InstanceType;
use crate::kinds::{self, Rule, Throughput as Follows};
use crate::numbers::is_plain;
use crate::prices::Prices;
use crate::sources::DEVICE_NAMES;
use crate::volume::{Asked, Volume};

/// A plan that can be built.
pub(super) struct Plan<'a> {
    pub(super) build: &'a Build,
    pub(super) row: &'a InstanceType,
    /// `default`, `vpc-1`, `ebs-1`.
    pub(super) bandwidth: &'static str,
    /// Those that are attached, by number.
    pub(super) disks: Vec<Disk>,
    /// That of the operating system, where the plan has one.
    pub(super) os: Option<Disk>,
}

/// A volume of EBS.
pub(super) struct Disk {
    /// After the prefix: `data-0`.
    pub(super) name: String,
    pub(super) volume: Volume,
    pub(super) device: String,
    /// The EBS card.
    pub(super) card: u8,
    /// So many instances attach it.
    pub(super) shared_by: Option<u32>,
    /// It is one of several of a stripe.
    pub(super) is_striped: bool,
}

impl Disk {
    /// MiB/s, where they are bought.
    pub(super) fn mib(&self) -> Option<u64> {
        self.volume.mib
    }
    /// IOPS, where they are bought.
    pub(super) fn iops(&self) -> Option<u64> {
        self.volume.iops
    }
}

impl<'a> Plan<'a> {
    /// A plan, or the rule that it breaks.
    pub(super) fn new(build: &'a Build, sold: &'a Ec2) -> Result<Plan<'a>, BuildRefusal> {
        let Some(row) = sold.types.get(&build.machine) else {
            let near = lookup::nearest(&build.machine, sold.types.all().map(|row| &*row.name));
            let hint = match near.as_slice() {
                [] => "write for example `m7i.large`".to_string(),
                near => format!("did you mean `{}`?", near.join("` or `")),
            };
            return refuse(format!("AWS has no instance type `{}`", build.machine), &hint);
        };
        place(build, &sold.prices)?;
        let bandwidth = bandwidth(build, row)?;
        let mut disks = Vec::new();
        let mut names = device_names(build.windows);
        let wanted: u64 = build.data().map(|(_, _, disks, _)| u64::from(disks.count)).sum();
        let most = row.volumes_with(1).saturating_sub(1);
        if wanted > u64::from(most) {
            let what = format!("its volumes have {wanted} disks, and {} takes {most} beside its first", row.name);
            return refuse(what, "plan again, with fewer disks or a larger instance");
        }
        for (number, volume, of, _) in build.data() {
            for n in 0..of.count {
                let Some(device) = names.next() else {
                    let what =
                        format!("no names of devices are left for disk {n} of `{}` ({DEVICE_NAMES})", volume.name);
                    return Err(BuildRefusal { volume: Some(number), what, hint: "plan fewer disks".into() });
                };
                disks.push(disk(row, number, of, format!("{}-{n}", volume.safe), device)?);
            }
        }
        let os = build.os().map(|of| {
            let number =
                build.volumes.iter().position(|volume| matches!(volume.place, dw_vendor::provision::Place::Os(_)));
            system(row, number.unwrap_or_default(), of)
        });
        local(build, row)?;
        Ok(Plan { build, row, bandwidth, disks, os: os.transpose()? })
    }
}

fn refuse<T>(what: String, hint: &str) -> Result<T, BuildRefusal> {
    Err(BuildRefusal { volume: None, what, hint: hint.into() })
}

/// The letter of the zone. A number is that of a zone's id, which is another letter in each account: whoever runs a script says it.
pub(super) fn letter(build: &Build) -> Option<&str> {
    build.zone.as_deref().filter(|zone| matches!(zone.as_bytes(), [b'a'..=b'z']))
}

/// Region and zone go where nothing can be quoted.
fn place(build: &Build, prices: &Prices) -> Result<(), BuildRefusal> {
    let regions = prices.regions();
    if !is_plain(&build.region) || !regions.contains(&build.region.as_str()) {
        let hint = match lookup::nearest_regions(&build.region, &regions).as_slice() {
            [] => "write for example `eu-central-1`".to_string(),
            near => format!("did you mean `{}`?", near.join("` or `")),
        };
        return refuse(format!("AWS has no region `{}`", build.region), &hint);
    }
    match &build.zone {
        Some(zone) if !matches!(zone.as_bytes(), [b'a'..=b'z' | b'1'..=b'9']) => {
            refuse(format!("`{zone}` is not the letter of a zone"), "write for example `a`")
        }
        _ => Ok(()),
    }
}

fn bandwidth(build: &Build, row: &InstanceType) -> Result<&'static str, BuildRefusal> {
    let mut found = "default";
    for (key, value) in &build.options {
        match key.as_str() {
            "bandwidth" => {
                let Some(weighting) = Weighting::find(value) else {
                    return refuse(format!("`bandwidth` is `{value}`"), "write `default`, `vpc-1` or `ebs-1`");
                };
                if let Err(what) = row.gates(crate::gates::Refill::default(), weighting) {
                    return refuse(what, "remove `bandwidth`");
                }
                found = weighting.word();
            }
            // How balances fill is a question of the model, not of what is built.
            "refill" => {}
            _ => return refuse(format!("an instance has no option `{key}`"), "remove it"),
        }
    }
    Ok(found)
}

/// Local disks are found by what NVMe devices call themselves; others would have to be mapped when the instance is made.
fn local(build: &Build, row: &InstanceType) -> Result<(), BuildRefusal> {
    let Some(volume) = build.volumes.iter().position(|volume| volume.place == dw_vendor::provision::Place::Local)
    else {
        return Ok(());
    };
    let refuse = |what: String| {
        Err(BuildRefusal {
            volume: Some(volume),
            what,
            hint: "take a type with NVMe disks of its own, for example m6id, i4i".into(),
        })
    };
    match row.store {
        Some(store) if store.is_nvme => Ok(()),
        Some(_) => refuse(format!("the instance store of {} is not NVMe, and no script maps it", row.name)),
        None => refuse(format!("{} has no instance store", row.name)),
    }
}

fn disk(row: &InstanceType, number: usize, of: &Disks, name: String, device: String) -> Result<Disk, BuildRefusal> {
    let refuse = |what: String, hint: String| BuildRefusal { volume: Some(number), what, hint };
    let Some(kind) = kinds::kind(&of.kind, None) else {
        let known: Vec<&str> = kinds::KINDS.iter().map(|kind| kind.id).collect();
        return Err(refuse(
            format!("AWS has no kind of volumes `{}`", of.kind),
            format!("write one of {}", known.join(", ")),
        ));
    };
    // What follows from something else is not asked for.
    let (buys_iops, buys_mib) = match &kind.rule {
        Rule::Bought(bought) => (true, matches!(bought.mib, Follows::Bought { .. })),
        Rule::Size(_) | Rule::Bytes(_) | Rule::Unknown(_) => (false, false),
    };
    let asked = Asked {
        size: Some(Bytes::gib(of.gib)),
        iops: of.iops.filter(|_| buys_iops).map(Iops::new),
        throughput: of.mib_per_s.filter(|_| buys_mib).map(Throughput::mib_per_second),
    };
    let fault = |fault: crate::volume::Refusal| refuse(fault.what, fault.hint);
    let volume = Volume::new(kind, &asked).map_err(fault)?;
    volume.fits(row.hypervisor).map_err(fault)?;
    if of.shared_by.is_some_and(|nodes| nodes > kind.attached_most) {
        let what = format!(
            "{} of {} is attached to at most {} instances ({})",
            of.gib, kind.id, kind.attached_most, kind.source
        );
        return Err(refuse(what, "take io1 or io2, which up to 16 share".into()));
    }
    let mut card = 0;
    for (key, value) in &of.options {
        card = match (key.as_str(), value.parse::<u8>()) {
            ("card", Ok(card)) if u32::from(card) < row.cards => card,
            _ => {
                return Err(refuse(
                    format!("a volume of {} has no option `{key}` = `{value}`", row.name),
                    "remove it".into(),
                ));
            }
        };
    }
    Ok(Disk { name, volume, device, card, shared_by: of.shared_by, is_striped: of.count > 1 })
}

fn system(row: &InstanceType, number: usize, of: &Disks) -> Result<Disk, BuildRefusal> {
    let disk = disk(row, number, of, "os".into(), super::image::ROOT_DEVICE.into())?;
    if !disk.volume.kind.boot {
        let what = format!("no operating system starts from {} ({})", disk.volume.kind.id, disk.volume.kind.source);
        return Err(BuildRefusal { volume: Some(number), what, hint: "take gp3".into() });
    }
    Ok(disk)
}

/// Names of devices in the order in which they are given.
fn device_names(windows: bool) -> Box<dyn Iterator<Item = String>> {
    let first = ('f'..='z').map(move |letter| match windows {
        true => format!("xvd{letter}"),
        false => format!("/dev/sd{letter}"),
    });
    let (before, groups, last) = if windows { ("xvd", "bc", 'z') } else { ("/dev/xvd", "bcda", 'x') };
    let more = groups.chars().flat_map(move |group| ('a'..=last).map(move |letter| format!("{before}{group}{letter}")));
    Box::new(first.chain(more))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_devices_are_those_that_the_vendor_lists_and_no_two_alike() {
        for (windows, count, first, last) in [(false, 117, "/dev/sdf", "/dev/xvdax"), (true, 73, "xvdf", "xvdcz")] {
            let names: Vec<String> = device_names(windows).collect();
            let distinct: std::collections::BTreeSet<&String> = names.iter().collect();
            assert_eq!((names.len(), distinct.len()), (count, count));
            assert_eq!((names[0].as_str(), names[count - 1].as_str()), (first, last));
        }
    }
}
