//! Machines of a group that stand in an inventory beside their group.
//!
//! A group is a machine by itself: so many that are alike. Its members name it, or have ids below its own. Who is given both has each member
//! once: what a member does not say, its group does, and the group counts those alone that are not there.
//!
//! Ignores: data disks that a group gives to each of its machines, where a member does not list them: it may have let go of them.

use std::collections::{BTreeMap, HashMap};

use crate::machine::{Disk, Holds, Machine};
use crate::told::Told;

/// How far above the id of a member that of its group may be: a word for members, and the member's own.
const LEVELS: usize = 2;

/// Groups with all their members, by their places, which are machines no more; and how many members were counted twice.
#[derive(Debug, Default)]
pub(crate) struct Joined {
    pub gone: Vec<bool>,
    pub members: u64,
}

/// Completes members by their groups, and lets groups count the others.
pub(crate) fn join(machines: &mut [Machine], places: &HashMap<Box<str>, usize>) -> Joined {
    let mut joined = Joined { gone: vec![false; machines.len()], members: 0 };
    // In the order of the files, for a member may be a group.
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (place, machine) in machines.iter().enumerate() {
        let named = machine.group.text().and_then(|group| places.get(group)).copied();
        if let Some(group) = named.or_else(|| above(&machine.id, places)).filter(|group| *group != place) {
            members.entry(group).or_default().push(place);
        }
    }
    for (group, own) in members {
        let model = machines[group].clone();
        for place in &own {
            complete(&mut machines[*place], &model);
        }
        let there = own.len() as u64;
        joined.members += there;
        match model.count.source().zip(model.count.value()).filter(|(_, count)| *count > there) {
            Some((by, count)) => machines[group].count = Told::By(by, count - there),
            None => joined.gone[group] = true,
        }
    }
    joined
}

/// What has an id that begins with another one's: the nearest above it.
pub(crate) fn above(id: &str, places: &HashMap<Box<str>, usize>) -> Option<usize> {
    let mut id = id;
    (0..LEVELS).find_map(|_| {
        id = &id[..id.rfind('/')?];
        places.get(id).copied().filter(|_| !id.is_empty())
    })
}

/// Adds what a group says of each of its machines; which of them it is nobody says but the member.
fn complete(member: &mut Machine, model: &Machine) {
    let mut told = Machine {
        zone: Told::Unknown,
        count: Told::Unknown,
        group: Told::Unknown,
        state: Told::Unknown,
        ..model.clone()
    };
    member.join_fields(&mut told);
    for disk in &model.disks {
        if let Some(own) = member.disks.iter_mut().find(|own| is_alike(own, disk)) {
            own.join_fields(&mut disk.clone());
        }
    }
}

/// Disks of members that no inventory has as machines: their group counts them.
#[derive(Debug, Default)]
pub(crate) struct OfGroups {
    /// Data disks that were taken for those of the group, by member.
    data: HashMap<Box<str>, usize>,
}

impl OfGroups {
    /// Whether a disk of a member is one that its group gives to each: with the operating system, or as many with data as the group has. What a
    /// group does not say of its own such disk, this one does.
    pub fn has(&mut self, group: &mut Machine, disk: &mut Disk) -> bool {
        let own = group.disks.iter_mut().filter(|own| own.id.is_empty() && own.holds == disk.holds);
        match disk.holds {
            Holds::System => {
                let Some(own) = own.into_iter().next() else { return false };
                own.kind.join(std::mem::take(&mut disk.kind));
                own.gib.join(std::mem::take(&mut disk.gib));
                true
            }
            Holds::Data => {
                let most = own.count();
                let member = disk.machine.text().unwrap_or_default();
                let taken = self.data.entry(member.into()).or_default();
                *taken += 1;
                *taken <= most
            }
        }
    }
}

/// Whether two disks of one machine are the same where one of them has no id: the one with the operating system, on the same LUN, or of one name.
pub(crate) fn is_alike(a: &Disk, b: &Disk) -> bool {
    if a.holds != b.holds {
        return false;
    }
    match a.lun.value().zip(b.lun.value()) {
        Some((a, b)) => a == b,
        None => a.holds == Holds::System || (!a.name.is_empty() && a.name.eq_ignore_ascii_case(&b.name)),
    }
}
