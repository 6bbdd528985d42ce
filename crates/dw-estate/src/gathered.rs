//! Records of several files, joined by id.
//!
//! A machine lists its disks by id, a disk names its machine, and an attachment names both: whichever comes first, and in whichever file.
//! Ids are compared in small letters. Where two sources differ, the first counts and the difference is told.
//!
//! A disk without an id is that of the same machine on the same LUN, or of the same name, or with the operating system; machines of a group that
//! stand beside it are counted by themselves (`members.rs`).
//!
//! Invariant: after [`Gathered::joined`] each disk is on one machine or on none, machines and disks are sorted by id, and the order of
//! files changes nothing but which of two contradicting sources counts.

use std::collections::{BTreeMap, HashMap};

use dw_units::CacheMode;

use crate::class::Class;
use crate::machine::{Disk, Machine};
use crate::members;
use crate::told::{SourceId, Told};

/// What files say of disks and machines, joined.
#[derive(Clone, Debug, Default)]
pub struct Estate {
    /// What the files are called, by [`SourceId`].
    pub sources: Vec<String>,
    pub machines: Vec<Machine>,
    /// On no machine that these files have.
    pub loose: Vec<Disk>,
    pub unread: Unread,
    pub doubts: Vec<Doubt>,
}

/// What is there and was not read, by what it is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unread {
    /// Fields of records that were read.
    pub fields: BTreeMap<String, u64>,
    /// Records that are no machine and no disk.
    pub records: BTreeMap<String, u64>,
}

/// What to know about an inventory before it is believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// It ends before it is closed; so many records came before, and what the reader says.
    CutShort { file: String, records: u64, why: String },
    /// There are further pages that are not here.
    MorePages { file: String, key: String },
    /// Nothing of use is in it.
    Nothing { file: String },
    /// A record without what it must have.
    Record { file: String, what: String },
    /// Two sources differ; the first counts.
    Differ { name: String, field: &'static str, first: String, other: String },
    /// A thing that an expression stands for, which only who deploys it knows.
    Expression { name: String, field: &'static str, text: String },
    /// What is attached to what is known only when it is built.
    Unresolved { name: String },
    /// What was told of more than once, and is counted once: machines, machines of groups that are there by themselves, and disks.
    Again { machines: u64, members: u64, disks: u64 },
}

/// Which disk is on which machine, where a source says so apart from both.
#[derive(Clone, Debug, Default)]
pub struct Attachment {
    /// Its own address, by which references are found.
    pub address: Box<str>,
    pub machine: Option<Box<str>>,
    pub disk: Option<Box<str>>,
    pub lun: Told<u32>,
    /// As of the disk.
    pub chosen: Told<Box<str>>,
    pub cache: Told<CacheMode>,
    pub write_accelerator: Told<bool>,
}

/// Addresses that a machine and a disk are referred to by.
#[derive(Debug, Default)]
struct Refers {
    machine: Vec<Box<str>>,
    disk: Vec<Box<str>>,
}

/// What was read so far.
#[derive(Debug, Default)]
pub struct Gathered {
    estate: Estate,
    machines: HashMap<Box<str>, usize>,
    disks: HashMap<Box<str>, usize>,
    all_disks: Vec<Disk>,
    attachments: Vec<Attachment>,
    /// By address: what it is an id of.
    addresses: HashMap<Box<str>, Box<str>>,
    /// By the address of an attachment without numbers: what its machine and its disk refer to.
    references: HashMap<Box<str>, Refers>,
    /// What disks of a class are, where they do not say it.
    classes: HashMap<Box<str>, Class>,
    /// What machines that are made after a model are, where they do not say it.
    models: HashMap<Box<str>, Machine>,
    /// Whose records are read now.
    vendor: &'static str,
    taken: u64,
    taken_before: u64,
    again: Again,
}

/// How many records told of what another one had told of.
#[derive(Clone, Copy, Debug, Default)]
struct Again {
    machines: u64,
    members: u64,
    disks: u64,
}

impl Estate {
    /// What a person says of the region, for machines and disks of which no file tells it.
    pub fn told_region(&mut self, region: &str, by: &str) {
        let of_machines = self.machines.iter_mut().map(|machine| &mut machine.region);
        let mut unknown: Vec<&mut Told<Box<str>>> = of_machines
            .chain(self.loose.iter_mut().map(|disk| &mut disk.region))
            .filter(|own| !own.is_known())
            .collect();
        if unknown.is_empty() {
            return;
        }
        let place = SourceId(u16::try_from(self.sources.len()).unwrap_or(u16::MAX));
        unknown.iter_mut().for_each(|own| **own = Told::By(place, region.to_ascii_lowercase().into()));
        self.sources.push(by.to_string());
    }
}

/// An id as ids are compared.
pub fn key(id: &str) -> Box<str> {
    id.trim().trim_end_matches('/').to_ascii_lowercase().into()
}

impl Gathered {
    /// Begins another file.
    pub fn source(&mut self, name: &str) -> SourceId {
        self.taken_before = self.taken;
        let place = self.estate.sources.len();
        self.estate.sources.push(name.to_string());
        SourceId(u16::try_from(place).unwrap_or(u16::MAX))
    }
    /// The records that come now are this vendor's.
    pub fn of_vendor(&mut self, vendor: &'static str) {
        self.vendor = vendor;
    }
    /// The file that is read now.
    pub fn by(&self) -> SourceId {
        SourceId(u16::try_from(self.estate.sources.len().saturating_sub(1)).unwrap_or(u16::MAX))
    }
    /// What it is called.
    pub fn file(&self) -> &str {
        self.estate.sources.last().map_or("", String::as_str)
    }
    /// So many records were of use.
    pub fn taken(&self) -> u64 {
        self.taken
    }
    /// So many of them are of the file that is read now.
    pub fn taken_of_file(&self) -> u64 {
        self.taken - self.taken_before
    }
    pub fn doubts(&self) -> &[Doubt] {
        &self.estate.doubts
    }
    pub fn doubt(&mut self, doubt: Doubt) {
        self.estate.doubts.push(doubt);
    }
    /// A field that no reader knows.
    pub fn unread_field(&mut self, of: &str, field: &str) {
        count(&mut self.estate.unread.fields, &format!("{of}.{field}"));
    }
    /// A record of no use.
    pub fn unread_record(&mut self, kind: &str) {
        count(&mut self.estate.unread.records, kind);
    }

    pub fn machine(&mut self, mut machine: Machine) {
        self.taken += 1;
        machine.vendor = self.vendor;
        machine.disks.iter_mut().for_each(|disk| disk.vendor = self.vendor);
        let Some(&place) = self.machines.get(&machine.id) else {
            self.machines.insert(machine.id.clone(), self.estate.machines.len());
            self.estate.machines.push(machine);
            return;
        };
        self.again.machines += 1;
        let own = &mut self.estate.machines[place];
        let differ = own.join_fields(&mut machine);
        let name = own.name.to_string();
        self.again.disks += join_disks(&mut own.disks, machine.disks);
        own.tags.extend(machine.tags);
        own.tags.sort();
        own.tags.dedup();
        self.differ(&name, differ);
    }

    pub fn disk(&mut self, mut disk: Disk) {
        self.taken += 1;
        disk.vendor = self.vendor;
        match self.disks.get(&disk.id) {
            Some(&place) => {
                self.again.disks += 1;
                let own = &mut self.all_disks[place];
                let differ = own.join_fields(&mut disk);
                let name = own.name.to_string();
                self.differ(&name, differ);
            }
            None => {
                self.disks.insert(disk.id.clone(), self.all_disks.len());
                self.all_disks.push(disk);
            }
        }
    }

    pub fn attachment(&mut self, attachment: Attachment) {
        self.taken += 1;
        self.attachments.push(attachment);
    }
    /// What disks of a class are.
    pub fn class(&mut self, name: &str, of_class: Class) {
        self.taken += 1;
        self.classes.insert(name.into(), of_class);
    }
    /// What machines that are made after it are.
    pub fn model(&mut self, name: &str, mut model: Machine) {
        self.taken += 1;
        model.disks.iter_mut().for_each(|disk| disk.vendor = self.vendor);
        self.models.insert(name.into(), model);
    }
    /// What stands at an address of a plan has this id.
    pub fn address(&mut self, address: &str, id: &str) {
        self.addresses.insert(address.into(), id.into());
    }
    /// What the machine and the disk of an attachment refer to within its module, nearest first; `attachment` is its address without numbers.
    pub fn refers(&mut self, attachment: &str, machine: Vec<Box<str>>, disk: Vec<Box<str>>) {
        self.references.insert(attachment.into(), Refers { machine, disk });
    }

    fn differ(&mut self, name: &str, fields: Vec<&'static str>) {
        for field in fields {
            let (first, other) = (self.estate.sources.first().cloned().unwrap_or_default(), self.file().to_string());
            self.estate.doubts.push(Doubt::Differ { name: name.into(), field, first, other });
        }
    }

    /// The estate: every disk on its machine.
    pub fn joined(mut self) -> Estate {
        for machine in &mut self.estate.machines {
            let Some(model) = machine.model.text().and_then(|name| self.models.get(name)) else { continue };
            let mut model = model.clone();
            machine.join_fields(&mut model);
            join_disks(&mut machine.disks, model.disks);
        }
        let members::Joined { gone, members } = members::join(&mut self.estate.machines, &self.machines);
        self.again.members = members;
        self.attach();
        for disk in &mut self.all_disks {
            if let Some(class) = disk.class.text().and_then(|name| self.classes.get(name)) {
                class.complete(disk);
            }
        }
        let Gathered { mut estate, machines, disks, mut all_disks, mut again, .. } = self;
        let place_of = |disk: &Disk| disks.get(&disk.id).copied().filter(|_| !disk.id.is_empty());
        let mut machines_of = vec![0_u32; all_disks.len()];
        for place in estate.machines.iter().flat_map(|machine| &machine.disks).filter_map(place_of) {
            machines_of[place] += 1;
        }
        let is_on_a_machine: Vec<bool> = machines_of.iter().map(|count| *count > 0).collect();
        let is_on_several: Vec<bool> = machines_of.iter().map(|count| *count > 1).collect();
        for machine in &mut estate.machines {
            for disk in &mut machine.disks {
                let Some(place) = place_of(disk) else { continue };
                // The last of its machines has it: ten thousand machines are not held twice.
                machines_of[place] -= 1;
                let own = &mut all_disks[place];
                let mut told = if machines_of[place] == 0 { std::mem::take(own) } else { own.clone() };
                // What the disk itself says of its kind and size counts before what its machine repeats of it.
                std::mem::swap(disk, &mut told);
                disk.holds = told.holds;
                disk.on_several = is_on_several[place];
                disk.counted_elsewhere = machines_of[place] > 0;
                if disk.name.is_empty() {
                    disk.name = std::mem::take(&mut told.name);
                }
                disk.join_fields(&mut told);
            }
        }
        let mut of_groups = members::OfGroups::default();
        for (_, mut disk) in all_disks.drain(..).enumerate().filter(|(place, _)| !is_on_a_machine[*place]) {
            let on = disk.machine.text().and_then(|id| machines.get(id)).copied();
            let above = disk.machine.text().filter(|_| on.is_none()).and_then(|id| members::above(id, &machines));
            match (on, above.filter(|place| !gone[*place])) {
                (Some(place), _) => again.disks += u64::from(put_on(&mut estate.machines[place], disk)),
                (None, Some(group)) if of_groups.has(&mut estate.machines[group], &mut disk) => again.disks += 1,
                (None, _) => estate.loose.push(disk),
            }
        }
        let mut places = 0..;
        estate.machines.retain(|_| !places.next().is_some_and(|place: usize| gone[place]));
        if again.machines + again.members + again.disks > 0 {
            let Again { machines, members, disks } = again;
            estate.doubts.push(Doubt::Again { machines, members, disks });
        }
        for machine in &mut estate.machines {
            machine.disks.sort_by(|a, b| {
                let order = |disk: &Disk| (disk.holds == crate::Holds::Data, disk.lun.value());
                order(a).cmp(&order(b)).then_with(|| a.id.cmp(&b.id))
            });
        }
        estate.machines.sort_by(|a, b| a.id.cmp(&b.id));
        estate.loose.sort_by(|a, b| a.id.cmp(&b.id));
        estate
    }

    fn attach(&mut self) {
        for attachment in std::mem::take(&mut self.attachments) {
            let (base, index) = numbered(&attachment.address);
            let module = module_of(base);
            let refers = self.references.get(without_numbers(base).as_str());
            let resolve = |direct: &Option<Box<str>>, refers: Option<&Vec<Box<str>>>| {
                let direct = direct.as_ref().map(|id| self.addresses.get(id).unwrap_or(id).clone());
                direct.or_else(|| {
                    refers?.iter().find_map(|address| self.at_address(&format!("{module}{address}"), index))
                })
            };
            let machine = resolve(&attachment.machine, refers.map(|both| &both.machine));
            let disk = resolve(&attachment.disk, refers.map(|both| &both.disk));
            let place = disk.as_ref().and_then(|id| self.disks.get(id)).copied();
            let (Some(machine), Some(place)) = (machine, place) else {
                self.estate.doubts.push(Doubt::Unresolved { name: attachment.address.into() });
                continue;
            };
            let disk = &mut self.all_disks[place];
            disk.lun.join(attachment.lun);
            disk.chosen.join(attachment.chosen);
            disk.cache.join(attachment.cache);
            disk.write_accelerator.join(attachment.write_accelerator);
            disk.machine = Told::By(
                self.estate.sources.len().checked_sub(1).map_or(SourceId(0), |at| SourceId(at as u16)),
                machine,
            );
        }
    }

    /// The id of what a reference means: of several alike the one with the number of whoever refers.
    fn at_address(&self, address: &str, index: &str) -> Option<Box<str>> {
        let exact = self.addresses.get(address);
        exact.or_else(|| self.addresses.get(format!("{address}{index}").as_str())).cloned()
    }
}

/// `module.a.disk.data[3]` as its address without the number, and the number.
fn numbered(address: &str) -> (&str, &str) {
    match address.rfind('[') {
        Some(at) if address.ends_with(']') => address.split_at(at),
        _ => (address, ""),
    }
}

/// `module.a[0].` of `module.a[0].disk.data`.
fn module_of(base: &str) -> &str {
    let name = base.rfind('.').unwrap_or(0);
    base[..name].rfind('.').map_or("", |at| &base[..=at])
}

/// An address without the numbers and keys of its instances.
fn without_numbers(address: &str) -> String {
    let mut depth = 0;
    let outside = |c: &char| {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => return depth == 0,
        }
        false
    };
    address.chars().filter(outside).collect()
}

/// Adds disks that are not there yet, and to those that are what another source tells of them; how many were found by something else than their id.
fn join_disks(own: &mut Vec<Disk>, others: Vec<Disk>) -> u64 {
    let mut again = 0;
    for mut disk in others {
        match own.iter_mut().find(|one| is_same(one, &disk)) {
            Some(one) => {
                again += u64::from(disk.id.is_empty() || one.id.is_empty());
                take_id(one, &mut disk);
                one.join_fields(&mut disk);
            }
            None => own.push(disk),
        }
    }
    again
}

fn is_same(a: &Disk, b: &Disk) -> bool {
    if !a.id.is_empty() && !b.id.is_empty() {
        return a.id == b.id;
    }
    let is_plain = a.holds == b.holds && !a.lun.is_known() && !b.lun.is_known() && a.name == b.name;
    is_plain || members::is_alike(a, b)
}

/// The id and the name of a disk where only another record has them.
fn take_id(own: &mut Disk, other: &mut Disk) {
    for (own, other) in [(&mut own.id, &mut other.id), (&mut own.name, &mut other.name)] {
        if own.is_empty() {
            *own = std::mem::take(other);
        }
    }
}

/// Puts a disk on its machine, which may tell of it without its id; whether it does.
fn put_on(machine: &mut Machine, mut disk: Disk) -> bool {
    let told = machine.disks.iter_mut().find(|own| own.id.is_empty() && members::is_alike(own, &disk));
    let Some(own) = told else {
        machine.disks.push(disk);
        return false;
    };
    // What the disk itself says counts before what its machine repeats of it.
    std::mem::swap(own, &mut disk);
    own.join_fields(&mut disk);
    true
}

fn count(of: &mut BTreeMap<String, u64>, what: &str) {
    match of.get_mut(what) {
        Some(count) => *count += 1,
        None => drop(of.insert(what.to_string(), 1)),
    }
}
