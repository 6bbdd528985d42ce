//! Machines and disks of scenarios, as the reader of scenarios asks for them.

use dw_stack::{GateId, GateSpec};
use dw_units::{Bytes, Throughput};
use dw_vendor::lookup;
use dw_vendor::rig::{DiskAsked, Lift, Machine, MachineAsked, RigDisk, RigOption, RigRefusal, Rigs, value_of};

use crate::ec2::Ec2;
use crate::first_touch;
use crate::gates::{BANDWIDTH, CARD, Refill, Weighting};
use crate::instances::{EDITION, InstanceType};
use crate::kinds::{self, Rule};
use crate::sources::{EBS_OPTIMIZED, INSTANCE_TYPES};
use crate::store::LATENCY_MODEL;
use crate::volume::{Asked, Refusal, Volume};

/// The vendor.
#[derive(Debug)]
pub struct Aws;

/// A local disk of an instance.
pub const INSTANCE_STORE: &str = "instance-store";
const REFILL: &str = "refill";

static MACHINE_OPTIONS: [RigOption; 2] = [
    RigOption {
        key: REFILL,
        what: "How the EBS balances of an instance fill: by what is not used of its baseline, or also to the brim 24 hours after they \
               were last full. Neither is published; one article saw the second.",
        values: &["cautious", "daily"],
    },
    RigOption {
        key: BANDWIDTH,
        what: "Bandwidth weighting, where the type has it: a quarter more baseline for the network (`vpc-1`) or for EBS (`ebs-1`), taken from \
               the other.",
        values: &["default", "vpc-1", "ebs-1"],
    },
];

static DISK_OPTIONS: [RigOption; 1] = [RigOption {
    key: CARD,
    what: "The EBS card of a type that has two: its volumes share half of what the instance lets pass.",
    values: &["0", "1"],
}];

impl Rigs for Ec2 {
    fn id(&self) -> &'static str {
        "aws"
    }
    fn name(&self) -> &'static str {
        "AWS"
    }
    fn machine_options(&self) -> &'static [RigOption] {
        &MACHINE_OPTIONS
    }
    fn disk_options(&self) -> &'static [RigOption] {
        &DISK_OPTIONS
    }
    fn machines(&self) -> Vec<&str> {
        self.types.all().map(|row| &*row.name).collect()
    }
    fn disks(&self) -> Vec<&'static str> {
        // What cannot be simulated is no scenario's, and its name may be another vendor's word.
        let rated = kinds::KINDS.iter().filter(|kind| !matches!(kind.rule, Rule::Unknown(_)));
        let mut names: Vec<&str> = rated.map(|kind| kind.id).collect();
        names.dedup();
        names.push(INSTANCE_STORE);
        names
    }

    fn initialization_rates(&self) -> Option<(Throughput, Throughput)> {
        Some(first_touch::BOUGHT)
    }

    fn lift(&self, disk: &str, size: Bytes, bytes: bool, gives: u64) -> Option<Lift> {
        let (gib, mib) = (size.get() >> 30, gives >> 20);
        // The most of any size, and what can be bought of this one.
        let kind = kinds::kind(disk, None)?;
        let (gives, most, of_size) = match (&kind.rule, bytes) {
            (Rule::Size(by), false) => (gives, by.iops.1, 0),
            (Rule::Size(by), true) => (mib, by.mib.2, 0),
            (Rule::Bought(by), false) => (gives, by.iops.1, kind.iops_max(gib)?),
            (Rule::Bought(by), true) => (mib, by.mib.most(), kind.throughput_max(gib)?.get() >> 20),
            // A larger one has more bytes; I/Os are the same of any size.
            (Rule::Bytes(by), false) => (gives, by.iops, 0),
            (Rule::Bytes(by), true) => (mib, by.peak.1, 0),
            (Rule::Unknown(_), _) => return None,
        };
        Some(match (gives < most, gives < of_size) {
            (false, _) => Lift::OtherKind,
            (true, true) => Lift::Bought,
            (true, false) => Lift::Larger,
        })
    }

    fn machine(&self, asked: &MachineAsked) -> Result<Machine, RigRefusal> {
        let Some(newest) = self.types.get(asked.name) else { return Err(self.unknown(asked.name)) };
        let row = asked.edition.map_or(Some(newest), |edition| self.types.of_edition(asked.name, edition));
        let Some(row) = row else {
            let editions = self.types.editions(asked.name).join(" and ");
            let edition = asked.edition.unwrap_or_default();
            let what = format!("{} has no edition {edition}: its limits are of {editions}", newest.name);
            return Err(RigRefusal { key: "edition", what, hint: "remove `edition`".into() });
        };
        let option = |key| value_of(&MACHINE_OPTIONS, asked.options, key);
        let refill = word(&Refill::ALL, option(REFILL));
        let weighting = word(&Weighting::ALL, option(BANDWIDTH));
        let gates = row.gates(refill, weighting).map_err(|what| {
            let hint = "remove `bandwidth`, or take an M8, C8 or R8 type".into();
            RigRefusal { key: BANDWIDTH, what, hint }
        })?;
        Ok(Machine {
            name: row.name.to_string(),
            edition: row.edition.to_string(),
            sources: vec![row.source.to_string(), EBS_OPTIMIZED.into()],
            disks_most: row.volumes_with(1) as usize,
            notes: notes(row, refill, &gates),
            gates,
        })
    }

    fn disk(&self, machine: Option<&Machine>, asked: &DiskAsked) -> Result<RigDisk, RigRefusal> {
        let row = machine.and_then(|machine| self.types.of_edition(&machine.name, &machine.edition));
        if asked.name.trim().eq_ignore_ascii_case(INSTANCE_STORE) {
            return local(row, asked);
        }
        let Some(kind) = kinds::kind(asked.name, asked.edition) else {
            let editions = kinds::editions(asked.name);
            return Err(match (editions.is_empty(), asked.edition) {
                (false, Some(edition)) => RigRefusal {
                    key: "edition",
                    what: format!("{} has no edition up to {edition}", asked.name),
                    hint: format!("editions: {}", editions.join(", ")),
                },
                _ => RigRefusal {
                    key: "sku",
                    what: format!("AWS has no kind of volumes `{}`", asked.name),
                    hint: format!("write one of {}", self.disks().join(", ")),
                },
            });
        };
        let wanted = Asked { size: asked.size, iops: asked.iops, throughput: asked.throughput };
        let volume = Volume::new(kind, &wanted)?;
        if let Some(row) = row {
            volume.fits(row.hypervisor)?;
        }
        let card = value_of(&DISK_OPTIONS, asked.options, CARD).parse::<u8>().unwrap_or(0);
        let cards = machine.map_or(1, |machine| machine.gates.len().max(1));
        if usize::from(card) >= cards {
            let name = machine.map_or("a machine of one's own", |machine| &machine.name);
            let what = format!("{name} has one EBS card, number 0 ({INSTANCE_TYPES})");
            return Err(RigRefusal { key: CARD, what, hint: "remove `card`".into() });
        }
        let gates =
            if machine.is_some_and(|machine| !machine.gates.is_empty()) { vec![GateId(card)] } else { Vec::new() };
        let mut spec = volume.disk_spec("", asked.latency)?;
        let touch = |snapshot| first_touch::of_volume(spec.size, snapshot, asked.latency);
        spec.first_touch = asked.snapshot.as_ref().map(touch).transpose()?;
        Ok(RigDisk {
            spec,
            label: volume.to_string(),
            edition: kind.edition,
            gates,
            local_most: None,
            latency_model: kind.latency_model,
            notes: Vec::new(),
        })
    }
}

impl Ec2 {
    fn unknown(&self, name: &str) -> RigRefusal {
        let near = lookup::nearest(name, self.types.all().map(|row| &*row.name));
        let hint = match near.as_slice() {
            [] => "write for example `m7i.large`; newer types come with `diskwright catalogue import`".to_string(),
            near => format!("did you mean `{}`?", near.join("` or `")),
        };
        RigRefusal { key: "size", what: format!("AWS has no instance type `{name}`"), hint }
    }
}

fn local(row: Option<&InstanceType>, asked: &DiskAsked) -> Result<RigDisk, RigRefusal> {
    let refuse = |key, what: String, hint: &str| Err(RigRefusal { key, what, hint: hint.into() });
    let given = [
        ("size", asked.size.is_some()),
        ("iops", asked.iops.is_some()),
        ("throughput", asked.throughput.is_some()),
        ("edition", asked.edition.is_some()),
    ];
    if let Some((key, _)) = given.into_iter().find(|(_, is_given)| *is_given) {
        return refuse(key, format!("the {key} of a local disk is its instance's"), "remove it");
    }
    if asked.snapshot.is_some() {
        let what = "a local disk is empty when its instance starts: it comes from no snapshot".to_string();
        return refuse("from_snapshot", what, "remove `from_snapshot`, or take an EBS volume");
    }
    let Some(row) = row else {
        return refuse(
            "sku",
            "a machine without `size` has no instance store".into(),
            "write a `size`, for example `i4i.large`",
        );
    };
    let local = match row.local_disks(asked.latency) {
        Ok(local) => local,
        Err(what) => {
            return refuse(
                "sku",
                what,
                "take a type with an instance store whose limits are known, for example i4i, m6id",
            );
        }
    };
    let count = local.disks.len();
    let Some(spec) = local.disks.into_iter().next() else {
        return refuse("sku", format!("{} has no instance store", row.name), "take EBS volumes");
    };
    Ok(RigDisk {
        spec,
        label: INSTANCE_STORE.into(),
        edition: EDITION,
        gates: Vec::new(),
        local_most: Some(count),
        latency_model: LATENCY_MODEL,
        notes: local.notes,
    })
}

/// What to know of an instance.
fn notes(row: &InstanceType, refill: Refill, gates: &[GateSpec]) -> Vec<String> {
    let mut notes: Vec<String> = row.why_unplanned().collect();
    if row.ebs.is_some_and(|ebs| ebs.bursts()) && gates.iter().any(|gate| !gate.more.is_empty()) {
        notes.push(refill.said().into());
    }
    if row.ebs_is_option {
        notes.push("its own bandwidth to EBS is an option that is paid for; it is taken to be on".into());
    }
    notes
}

fn word<T: Copy + Default>(words: &[(&str, T)], text: &str) -> T {
    words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value).unwrap_or_default()
}

impl From<Refusal> for RigRefusal {
    fn from(refusal: Refusal) -> RigRefusal {
        RigRefusal { key: refusal.key, what: refusal.what, hint: refusal.hint }
    }
}
