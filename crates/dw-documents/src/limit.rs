//! Which limit is meant: the one identity by which plan, simulation, emulation and report join, and the one table of names.

use std::fmt;

use dw_messages::LimitName;
use dw_stack::{Gate, StackSpec, VolumeId};
use dw_units::Direction;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The gate of a volume's disks.
pub const DISK: &str = "disk";
/// The room that write-back has for dirty data.
pub const WRITE_BACK: &str = "write-back";
/// Where data of a disk are fetched from that are not there yet.
pub const FIRST_TOUCH: &str = "first-touch";

/// What a limit counts.
// Beside `dw_stack::Quantity`, which has the two that a limiter can count: room for dirty bytes and data to be fetched are levels and have no
// limiter, so a third variant there would be an arm that never runs in each match of the path that every request takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// Requests per second.
    Iops,
    /// Bytes per second.
    Throughput,
    /// Bytes in the host cache that no disk has yet.
    DirtyBytes,
    /// Bytes of a volume that have to be fetched before they can be used.
    UntouchedBytes,
}

impl From<dw_stack::Quantity> for Quantity {
    fn from(quantity: dw_stack::Quantity) -> Quantity {
        match quantity {
            dw_stack::Quantity::Iops => Quantity::Iops,
            dw_stack::Quantity::Throughput => Quantity::Throughput,
        }
    }
}

/// The identity of a limit: which gate, of which place, counting what. Two limits of one document never have the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "LimitId")]
#[serde(deny_unknown_fields)]
pub struct LimitId {
    /// A gate of the VM (`cached`, `uncached`, `uncached-v2`, `uncached-all`, `local`), or `disk`, `write-back` or `first-touch`.
    pub gate: String,
    /// The volume whose disks, or whose dirty data, it limits; absent = the VM, for all that passes the gate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<String>,
    /// The requests that meet it; absent = all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// What it counts.
    pub quantity: Quantity,
}

impl LimitId {
    /// A gate of the VM.
    pub fn vm(gate: &str, quantity: Quantity) -> LimitId {
        LimitId { gate: gate.into(), volume: None, direction: None, quantity }
    }
    /// The disks of a volume.
    pub fn disk(volume: &str, quantity: Quantity) -> LimitId {
        LimitId { gate: DISK.into(), volume: Some(volume.into()), direction: None, quantity }
    }
    /// The dirty data of a volume.
    pub fn write_back(volume: &str) -> LimitId {
        LimitId {
            gate: WRITE_BACK.into(),
            volume: Some(volume.into()),
            direction: None,
            quantity: Quantity::DirtyBytes,
        }
    }

    /// The data of a volume that have to be fetched when they are first used.
    pub fn first_touch(volume: &str) -> LimitId {
        LimitId {
            gate: FIRST_TOUCH.into(),
            volume: Some(volume.into()),
            direction: None,
            quantity: Quantity::UntouchedBytes,
        }
    }

    /// Whether it is of the VM rather than of a volume.
    pub const fn is_vm(&self) -> bool {
        self.volume.is_none()
    }

    /// Its name in a sentence that names the volume elsewhere.
    pub fn within_place(&self) -> LimitName {
        LimitName::new(self.name())
    }

    /// Its name, without the volume: what tables call it.
    pub fn name(&self) -> String {
        let quantity = match self.quantity {
            Quantity::Iops => "IOPS",
            Quantity::Throughput => "throughput",
            Quantity::DirtyBytes => return "host cache write-back".into(),
            Quantity::UntouchedBytes => return "first touch".into(),
        };
        let GateName { is_vm, name, of } = GateName::new(&self.gate);
        let vm = if is_vm { "vm " } else { "" };
        let direction = self.direction.map_or(String::new(), |only| format!(" ({})", only.name()));
        format!("{vm}{name} {quantity}{of}{direction}")
    }
}

/// Its name with the volume in front, where it is of one.
impl From<&LimitId> for LimitName {
    fn from(id: &LimitId) -> LimitName {
        match &id.volume {
            Some(volume) => LimitName::of_place(volume, id.name()),
            None => LimitName::new(id.name()),
        }
    }
}

/// What the gates and volumes of a stack are called.
#[derive(Clone, Debug, Default)]
pub struct Names {
    gates: Vec<String>,
    volumes: Vec<String>,
}

impl Names {
    /// Those of a description.
    pub fn from_stack(spec: &StackSpec) -> Names {
        Names {
            gates: spec.vm.gates.iter().map(|gate| gate.name.clone()).collect(),
            volumes: spec.volumes.iter().map(|volume| volume.name.clone()).collect(),
        }
    }

    /// A limit of the stack; the disks of a volume are one place.
    pub fn id(&self, limit: dw_stack::LimitId) -> LimitId {
        let quantity = limit.quantity.into();
        match limit.gate {
            Gate::Vm(gate) => LimitId::vm(&self.gates[usize::from(gate.0)], quantity),
            Gate::Disk { volume: VolumeId(volume), only, .. } => {
                LimitId { direction: only, ..LimitId::disk(&self.volumes[usize::from(volume)], quantity) }
            }
        }
    }
}

/// Its name with the volume in front, where it is of one.
impl fmt::Display for LimitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        LimitName::from(self).fmt(f)
    }
}

/// What a gate is called, in the parts that names are put together of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GateName<'a> {
    /// Whether its name says that it is of the VM.
    pub is_vm: bool,
    /// Without what it is of: `uncached`, `disk`.
    pub name: &'a str,
    /// Behind the quantity: which of several so called it is.
    pub of: &'static str,
}

impl<'a> GateName<'a> {
    /// The name of a gate. One that has no line here goes by its own name.
    pub fn new(gate: &'a str) -> GateName<'a> {
        let (is_vm, name, of) = match gate {
            DISK => (false, "disk", ""),
            "local" => (false, "local disk", ""),
            "uncached-v2" => (true, "uncached", " (premium SSD v2, ultra)"),
            "uncached-all" => (true, "uncached", " (all remote disks)"),
            other => (true, other, ""),
        };
        GateName { is_vm, name, of }
    }

    /// As a heading: `VM uncached (all remote disks)`.
    pub fn heading(self) -> String {
        format!("{}{}{}", if self.is_vm { "VM " } else { "" }, self.name, self.of)
    }

    /// Where it is clear that the VM is meant: `uncached (all remote disks)`.
    pub fn within_vm(self) -> String {
        format!("{}{}", self.name, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_gate_quantity_and_kind_and_an_id_is_read_back() {
        let reads = LimitId { direction: Some(Direction::Reads), ..LimitId::disk("data", Quantity::Iops) };
        for (id, name, json) in [
            (LimitId::vm("cached", Quantity::Iops), "vm cached IOPS", r#"{"gate":"cached","quantity":"iops"}"#),
            (
                LimitId::vm("uncached-v2", Quantity::Throughput),
                "vm uncached throughput (premium SSD v2, ultra)",
                r#"{"gate":"uncached-v2","quantity":"throughput"}"#,
            ),
            (
                LimitId::vm("uncached-all", Quantity::Iops),
                "vm uncached IOPS (all remote disks)",
                r#"{"gate":"uncached-all","quantity":"iops"}"#,
            ),
            // Another vendor's gate needs no line anywhere.
            (LimitId::vm("network", Quantity::Iops), "vm network IOPS", r#"{"gate":"network","quantity":"iops"}"#),
            (reads, "disk IOPS (reads)", r#"{"gate":"disk","volume":"data","direction":"reads","quantity":"iops"}"#),
            (
                LimitId::write_back("log"),
                "host cache write-back",
                r#"{"gate":"write-back","volume":"log","quantity":"dirty-bytes"}"#,
            ),
            (
                LimitId::first_touch("log"),
                "first touch",
                r#"{"gate":"first-touch","volume":"log","quantity":"untouched-bytes"}"#,
            ),
        ] {
            assert_eq!(id.name(), name);
            assert_eq!(serde_json::to_string(&id).unwrap(), json);
            assert_eq!(serde_json::from_str::<LimitId>(json).unwrap(), id);
        }
    }

    #[test]
    fn a_gate_is_named_in_headings_and_within_its_vm() {
        for (gate, heading, within) in [
            ("cached", "VM cached", "cached"),
            ("uncached-all", "VM uncached (all remote disks)", "uncached (all remote disks)"),
            ("local", "local disk", "local disk"),
            ("disk", "disk", "disk"),
            ("to-vm vm", "VM to-vm vm", "to-vm vm"),
        ] {
            let name = GateName::new(gate);
            assert_eq!((name.heading().as_str(), name.within_vm().as_str()), (heading, within));
        }
    }

    #[test]
    fn a_volume_named_like_a_gate_has_another_id() {
        let of_volume = LimitId::disk("cached", Quantity::Iops);
        assert_ne!(of_volume, LimitId::vm("cached", Quantity::Iops));
        assert_eq!(of_volume.to_string(), "cached disk IOPS");
    }
}
