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
    /// Files that together have so many records of a whole that has more, where it says how many.
    Part { files: Vec<String>, records: u64, total: Option<u64> },
    /// Nothing of use is in it.
    Nothing {
        file: String,
        /// What prints what it should have, where it looks like somebody's.
        printed_by: Option<&'static str>,
    },
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

/// A page of a list that says how long the whole one is, or that it was cut.
#[derive(Clone, Debug)]
pub struct Page {
    pub records: u64,
    /// Of all pages.
    pub total: Option<u64>,
    /// It has not all of them, and no further page has the others.
    pub is_cut: bool,
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
    /// By the address of a module's output (`module.a.ids`) or variable (`module.a.var.id`), without numbers: what it passes on. An output refers
    /// to what is within its module, a variable to what is where the module is called.
    passed: HashMap<Box<str>, Vec<Box<str>>>,
    /// What disks of a class are, where they do not say it.
    classes: HashMap<Box<str>, Class>,
    /// What machines that are made after a model are, where they do not say it.
    models: HashMap<Box<str>, Machine>,
    /// With the files that they are of.
    pages: Vec<(String, Page)>,
    /// Whose records are read now.
    vendor: &'static str,
    /// What prints such a file as is read now.
    printed_by: Option<&'static str>,
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
        self.printed_by = None;
        let place = self.estate.sources.len();
        self.estate.sources.push(name.to_string());
        SourceId(u16::try_from(place).unwrap_or(u16::MAX))
    }
    /// The records that come now are this vendor's.
    pub fn of_vendor(&mut self, vendor: &'static str) {
        self.vendor = vendor;
    }
    /// What prints files such as the one that is read now, by what stands around its records.
    pub fn is_printed_by(&mut self, command: &'static str) {
        self.printed_by = Some(command);
    }
    pub fn printed_by(&self) -> Option<&'static str> {
        self.printed_by
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
    /// What an output (`module.a.ids`) or a variable (`module.a.var.id`) of a module passes on, nearest first; its address is without numbers.
    pub fn passes(&mut self, address: &str, references: Vec<Box<str>>) {
        self.passed.insert(address.into(), references);
    }
    /// What the machine and the disk of an attachment refer to within its module, nearest first; `attachment` is its address without numbers.
    pub fn refers(&mut self, attachment: &str, machine: Vec<Box<str>>, disk: Vec<Box<str>>) {
        self.references.insert(attachment.into(), Refers { machine, disk });
    }

    /// A page of a list that says how much there is.
    pub fn page(&mut self, page: Page) {
        self.pages.push((self.file().to_string(), page));
    }

    /// Says which lists are not whole. Pages of one list say the same total; those that together have all of it are no doubt, whatever each says of
    /// further pages.
    fn doubt_pages(&mut self) {
        let mut lists: BTreeMap<Option<u64>, Vec<(String, Page)>> = BTreeMap::new();
        std::mem::take(&mut self.pages).into_iter().for_each(|one| lists.entry(one.1.total).or_default().push(one));
        let mut told = Vec::new();
        for (total, pages) in lists {
            if total.is_some() {
                let is_page = |doubt: &Doubt| matches!(doubt, Doubt::MorePages { file, .. } if pages.iter().any(|(own, _)| own == file));
                self.estate.doubts.retain(|doubt| !is_page(doubt));
            }
            let records = pages.iter().map(|(_, page)| page.records).sum();
            match total {
                Some(total) if records < total => {
                    let mut files: Vec<String> = pages.into_iter().map(|(file, _)| file).collect();
                    files.dedup();
                    told.push(Doubt::Part { files, records, total: Some(total) });
                }
                Some(_) => {}
                None => {
                    let cut = pages.into_iter().filter(|(_, page)| page.is_cut);
                    told.extend(cut.map(|(file, page)| Doubt::Part {
                        files: vec![file],
                        records: page.records,
                        total: None,
                    }));
                }
            }
        }
        self.estate.doubts.splice(0..0, told);
    }

    fn differ(&mut self, name: &str, fields: Vec<&'static str>) {
        for field in fields {
            let (first, other) = (self.estate.sources.first().cloned().unwrap_or_default(), self.file().to_string());
            self.estate.doubts.push(Doubt::Differ { name: name.into(), field, first, other });
        }
    }

    /// The estate: every disk on its machine.
    pub fn joined(mut self) -> Estate {
        self.doubt_pages();
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
            let resolve = |direct: &Option<Box<str>>, refers: Option<&Vec<Box<str>>>, is: &dyn Fn(&str) -> bool| {
                let direct = direct.as_ref().map(|id| self.addresses.get(id).unwrap_or(id).clone());
                let at = |reference: &str| self.meant(module, reference, index, is, 0);
                direct.or_else(|| refers?.iter().find_map(|reference| at(reference)))
            };
            let machine =
                resolve(&attachment.machine, refers.map(|both| &both.machine), &|id| self.machines.contains_key(id));
            let disk = resolve(&attachment.disk, refers.map(|both| &both.disk), &|id| self.disks.contains_key(id));
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

    /// The id of the thing of a kind that a reference within a module means, through variables and outputs of modules.
    fn meant(
        &self,
        module: &str,
        reference: &str,
        index: &str,
        is: &dyn Fn(&str) -> bool,
        depth: usize,
    ) -> Option<Box<str>> {
        if depth > MODULES_MOST {
            return None;
        }
        let own = || self.at_address(&format!("{module}{reference}"), index).filter(|id| is(id));
        match parts_of(reference)[..] {
            ["var", name, ..] => {
                let (outside, number) = outside(module)?;
                let passed = self.passed.get(&*format!("{}var.{}", without_numbers(module), numbered(name).0))?;
                // Of a module of which there are several each has what bears its number.
                let index = if number.is_empty() { index } else { number };
                passed.iter().find_map(|one| self.meant(outside, one, index, is, depth + 1))
            }
            ["module", called, output, ..] => {
                let (output, place) = numbered(output);
                self.output(module, called, output, if place.is_empty() { index } else { place }, is, depth)
            }
            // Of `module.a[each.key].id` only `module.a` is told.
            ["module", called] => {
                let begin = format!("{}module.{}.", without_numbers(module), numbered(called).0);
                let outputs = self.passed.keys().filter_map(|key| key.strip_prefix(begin.as_str()));
                let outputs = outputs.filter(|rest| !rest.contains('.'));
                let mut found: Vec<Box<str>> =
                    outputs.filter_map(|output| self.output(module, called, output, index, is, depth)).collect();
                found.sort();
                found.dedup();
                found.pop().filter(|_| found.is_empty())
            }
            [kind, name, _, ..] => {
                own().or_else(|| self.at_address(&format!("{module}{kind}.{name}"), index).filter(|id| is(id)))
            }
            _ => own(),
        }
    }

    /// The same of an output of a module that is called there.
    fn output(
        &self,
        module: &str,
        called: &str,
        output: &str,
        index: &str,
        is: &dyn Fn(&str) -> bool,
        depth: usize,
    ) -> Option<Box<str>> {
        let (name, number) = numbered(called);
        let passed = self.passed.get(&*format!("{}module.{name}.{output}", without_numbers(module)))?;
        // One that is told by its number, or else the only one, or the one with the number of whoever refers.
        let numbers = if number.is_empty() { ["", index] } else { [number, number] };
        numbers.iter().find_map(|number| {
            let within = format!("{module}module.{name}{number}.");
            passed.iter().find_map(|one| self.meant(&within, one, index, is, depth + 1))
        })
    }

    /// The id of what a reference means: of several alike the one with the number of whoever refers.
    fn at_address(&self, address: &str, index: &str) -> Option<Box<str>> {
        let exact = self.addresses.get(address);
        exact.or_else(|| self.addresses.get(format!("{address}{index}").as_str())).cloned()
    }
}

/// Modules within modules that pass something on.
const MODULES_MOST: usize = 16;

/// A reference in its parts: `module`, `a["x.y"]`, `ids[0]`.
fn parts_of(reference: &str) -> Vec<&str> {
    let mut depth = 0;
    let is_between = move |c: char| {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => return c == '.' && depth == 0,
        }
        false
    };
    reference.split(is_between).collect()
}

/// The module that a module (`module.a.module.b[0].`) is called in (`module.a.`), and its number.
fn outside(module: &str) -> Option<(&str, &str)> {
    let own = module.strip_suffix('.')?;
    let called = *parts_of(own).last()?;
    let outside = own.strip_suffix(called)?.strip_suffix("module.")?;
    Some((outside, numbered(called).1))
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
