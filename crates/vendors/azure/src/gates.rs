//! The gates of this vendor's VMs: how many a VM has, what they are called, and which disks pass which.
//!
//! The stack knows gates as a list; this is the only place that says what is in it.

use dw_messages::{Label, Sentence, labels, say};
use dw_stack::sharing::{Sharing, TwoGates};
use dw_stack::{DirectionLimits, GateId, GateSpec, HostCacheSpec, LimitSpec, Path, VmSpec};
use dw_units::Duration;

/// What the host cache and the temp disk serve.
pub const CACHED: &str = "cached";
/// What goes to remote disks; where [`UNCACHED_V2`] exists, to all but premium SSD v2 and ultra disks.
pub const UNCACHED: &str = "uncached";
/// What goes to premium SSD v2 and ultra disks.
pub const UNCACHED_V2: &str = "uncached-v2";
/// What goes to all remote disks, where the two before are one budget.
pub const UNCACHED_ALL: &str = "uncached-all";
/// What goes to local disks with limits of their own.
pub const LOCAL: &str = "local";
/// What they serve of reads.
pub const LOCAL_READS: &str = "local-reads";
/// What they serve of writes.
pub const LOCAL_WRITES: &str = "local-writes";

/// The gates whose limits a scenario may write, each with what passes it. The budget of both uncached limits follows from them.
pub const WRITABLE: [(&str, &str); 6] = [
    (CACHED, "I/O served by the host cache and the temp disk"),
    (UNCACHED, "I/O to remote disks"),
    (UNCACHED_V2, "I/O to premium SSD v2 and ultra disks, as a separate limit"),
    (LOCAL, "reads and writes on local disks (`disks = \"temp\"`) together"),
    (LOCAL_READS, "reads from local disks"),
    (LOCAL_WRITES, "writes to local disks"),
];

/// What their limits are called where it is clear that the VM is meant; other languages have words for it.
pub const LIMITS: [Label; 8] = labels![
    "cached IOPS",
    "cached throughput",
    "uncached IOPS",
    "uncached throughput",
    "uncached (all remote disks) IOPS",
    "uncached (all remote disks) throughput",
    "uncached (premium SSD v2, ultra) IOPS",
    "uncached (premium SSD v2, ultra) throughput",
];

/// Kinds of disks by the gates that they pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Attachment {
    /// Remote disks that can be cached.
    #[default]
    Remote,
    /// Premium SSD v2 and ultra disks: a gate of their own where the size prints one, never cached.
    Premium2,
    /// The local temp disk behind the cached gate.
    Temp,
    /// Local NVMe disks: behind no gate.
    Local,
}

impl Attachment {
    /// Whether the disks are in the VM's own host.
    pub const fn is_local(self) -> bool {
        matches!(self, Attachment::Temp | Attachment::Local)
    }
    /// Whether they are of the second kind that gates tell apart.
    pub const fn is_second(self) -> bool {
        matches!(self, Attachment::Premium2)
    }
}

/// The limits of a VM as its page prints them, before it is known which disks it has.
#[derive(Clone, Debug, Default)]
pub struct VmLimits {
    /// On what the host cache and the temp disk serve.
    pub cached: LimitSpec,
    /// On what goes to remote disks.
    pub uncached: LimitSpec,
    /// On what goes to premium SSD v2 and ultra disks, where the size prints it.
    pub uncached_premium2: Option<LimitSpec>,
    /// Whether the two before are one budget.
    pub uncached_sharing: Sharing,
    /// On what goes to local disks; absent where there are none, and where their figures are not known.
    pub local: Option<LocalRates>,
    pub host_cache: Option<HostCacheSpec>,
    /// See [`VmSpec::throttle_interval`].
    pub throttle_interval: Duration,
}

/// Limits of a VM's local disks, all of them together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LocalRates {
    /// On reads and writes together.
    pub all: LimitSpec,
    /// On one direction, where that gets less than both together.
    pub by_direction: DirectionLimits,
}

impl VmLimits {
    /// The limits of one of the [`WRITABLE`] gates; nothing for any other name.
    pub fn gate_mut(&mut self, name: &str) -> Option<&mut LimitSpec> {
        let local = &mut self.local;
        Some(match name {
            CACHED => &mut self.cached,
            UNCACHED => &mut self.uncached,
            UNCACHED_V2 => self.uncached_premium2.get_or_insert_default(),
            LOCAL => &mut local.get_or_insert_default().all,
            LOCAL_READS => local.get_or_insert_default().by_direction.reads.get_or_insert_default(),
            LOCAL_WRITES => local.get_or_insert_default().by_direction.writes.get_or_insert_default(),
            _ => return None,
        })
    }

    /// Why the limits of a gate change nothing with volumes on such disks, if so.
    pub fn why_unused(&self, gate: &str, disks: &[Attachment], is_cached: bool) -> Option<Sentence> {
        let on = |kind: Attachment| disks.contains(&kind);
        let (is_passed, why) = match gate {
            CACHED => (is_cached || on(Attachment::Temp), say!(UnusedCached)),
            UNCACHED if on(Attachment::Premium2) => {
                (on(Attachment::Remote) || self.uncached_premium2.is_none(), say!(UnusedUncachedOwn))
            }
            UNCACHED => (on(Attachment::Remote), say!(UnusedUncached)),
            UNCACHED_V2 => (on(Attachment::Premium2), say!(UnusedV2)),
            LOCAL | LOCAL_READS | LOCAL_WRITES => (disks.iter().any(|disks| disks.is_local()), say!(UnusedLocal)),
            _ => unreachable!("no limits of a gate `{gate}` can be written"),
        };
        (!is_passed).then_some(why)
    }

    /// Whether disks so attached pass two gates that have to be told apart: then how these share matters.
    pub fn has_both(&self, disks: &[Attachment]) -> bool {
        self.uncached_premium2.is_some() && disks.contains(&Attachment::Remote) && disks.contains(&Attachment::Premium2)
    }

    /// The VM with its gates, and what a volume on each of these kinds of disks passes.
    pub fn attach(&self, disks: &[Attachment]) -> (VmSpec, Vec<Path>) {
        let gate = |name: &str, limits| GateSpec { name: name.into(), limits, more: Vec::new() };
        let mut vm = VmSpec {
            gates: vec![gate(CACHED, self.cached)],
            host_cache: self.host_cache.clone(),
            throttle_interval: self.throttle_interval,
        };
        let cached = Some(GateId(0));
        let second = self.uncached_premium2.filter(|_| disks.contains(&Attachment::Premium2));
        let [remote, premium2] = match second {
            Some(second) => {
                // Where one kind of disk is alone there is nothing to share.
                let sharing = if self.has_both(disks) { self.uncached_sharing } else { Sharing::Separate };
                let names = [UNCACHED, UNCACHED_V2, UNCACHED_ALL];
                TwoGates { names, first: self.uncached, second, sharing }.add_to(&mut vm)
            }
            None => {
                vm.gates.push(gate(UNCACHED, self.uncached));
                [vec![GateId(1)], vec![GateId(1)]]
            }
        };
        let path = |&kind: &Attachment| match kind {
            Attachment::Remote => Path { front: cached, remote: remote.clone(), local: false },
            Attachment::Premium2 => Path { front: None, remote: premium2.clone(), local: false },
            Attachment::Temp => Path { front: cached, remote: Vec::new(), local: true },
            Attachment::Local => Path { front: None, remote: Vec::new(), local: true },
        };
        (vm, disks.iter().map(path).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_writable_gate_has_its_limits_and_no_other_name_has() {
        let rates = |number: u64| LimitSpec { iops: Some(dw_stack::RateSpec::plain(number)), throughput: None };
        let mut limits = VmLimits::default();
        for (number, (name, _)) in (1..).zip(WRITABLE) {
            *limits.gate_mut(name).unwrap_or_else(|| panic!("{name} has none")) = rates(number);
        }
        for (number, (name, _)) in (1..).zip(WRITABLE) {
            assert_eq!(limits.gate_mut(name).copied(), Some(rates(number)), "{name} is another one's");
        }
        for name in [UNCACHED_ALL, "uncached_premium2", ""] {
            assert_eq!(limits.gate_mut(name), None, "{name}");
        }
    }
}
