//! Scenarios of a vendor that makes what they name of its own itself (`dw_catalogue::rig`).
//!
//! Whose it is follows from `vendor`, else from the machine, else from the first disk that only one vendor has. A name that only another
//! vendor has is refused at its line: one scenario has one vendor.

use std::ops::Range;

use dw_catalogue::rig::{DiskAsked, Machine, MachineAsked, RigDisk, RigOption, RigRefusal, Rigs, SnapshotAsked};
use dw_catalogue::{Attachment, Catalogue, DiskOptions, VmLimits};
use dw_messages::{Figure, say};
use dw_stack::{
    BurstSpec, CacheMode, CreditSpec, GateId, GateSpec, Limit, LimitSpec, Path, Quantity, RateSpec, StackSpec,
};
use dw_stack::{VmSpec, VolumeSpec};
use dw_units::{Iops, Throughput};
use serde_spanned::Spanned;

use super::disks::{self, Group};
use super::file::{DiskFile, LimitFile, OptionsFile, ScenarioFile, VmFile, VolumeFile};
use super::latency::LatencyUse;
use super::reader::Reader;
use super::scalar::TextOr;
use super::volume::{self, Frame, ReadVolume};
use super::{Scenario, ScenarioVm, Volume, check_disk_count, check_names, levels, limits, start, timeline, vm};
use super::{snapshot, without_effect, words};

type Own<'a> = &'a dyn Rigs;

/// The words for vendors: first the catalogue's own.
pub(super) fn ids() -> Vec<&'static str> {
    let others = dw_catalogue::rigs().map(|vendor| vendor.id());
    std::iter::once(dw_catalogue::vendor().id()).chain(others).collect()
}

/// A name of a machine or of a disk in the file.
struct Named<'a> {
    name: &'a str,
    span: Range<usize>,
    is_machine: bool,
}

/// All of them: the machine first, disks in their order.
fn names(file: &ScenarioFile) -> Vec<Named<'_>> {
    let size = file.vm.get_ref().size.iter();
    let mut names: Vec<Named> =
        size.map(|size| Named { name: &size.get_ref().0, span: size.span(), is_machine: true }).collect();
    for written in file.volumes.iter().map(|volume| &volume.get_ref().disks) {
        match written.get_ref() {
            TextOr::Text(text) => names.extend(text.split('+').map(|part| Named {
                name: disks::counted(part).1,
                span: written.span(),
                is_machine: false,
            })),
            TextOr::Many(files) => names.extend(files.iter().filter_map(|disk| {
                let sku = disk.get_ref().sku.as_ref()?;
                Some(Named { name: &sku.get_ref().0, span: sku.span(), is_machine: false })
            })),
        }
    }
    names
}

/// Who a scenario is of: `Some(None)` is the catalogue's own vendor, `None` a fault.
pub(super) fn vendor<'a>(
    reader: &mut Reader,
    catalogue: &'a Catalogue,
    file: &ScenarioFile,
) -> Option<Option<Own<'a>>> {
    let all = catalogue.rigs();
    let vendors: Vec<Option<usize>> = std::iter::once(None).chain((0..all.len()).map(Some)).collect();
    let has = |vendor: Option<usize>, named: &Named| match (vendor, named.is_machine) {
        (None, true) => catalogue.vm(named.name, None).is_ok(),
        (None, false) => catalogue.disk(named.name, None).is_ok(),
        (Some(vendor), true) => all[vendor].has_machine(named.name),
        (Some(vendor), false) => all[vendor].has_disk(named.name),
    };
    let of = |named: &Named| -> Vec<Option<usize>> {
        vendors.iter().copied().filter(|vendor| has(*vendor, named)).collect()
    };
    let names = names(file);
    let mut whose = match file.vendor {
        Some(_) => {
            let words: Vec<(&str, Option<usize>)> = ids().into_iter().zip(vendors.iter().copied()).collect();
            Some(reader.choice("vendor", &file.vendor, &words)?)
        }
        None => None,
    };
    let called = |vendor: Option<usize>| vendor.map_or(dw_catalogue::vendor().name(), |vendor| all[vendor].name());
    if whose.is_none()
        && let Some(Mixed { machine, own, disks, theirs }) = all_of_another(&names, &of)
    {
        let (own, theirs) = (called(own), called(theirs));
        let what = format!(
            "`{}` is a VM size of {own}, and the disks of the scenario ({}) are of {theirs}",
            machine.name,
            disks.join(", ")
        );
        let hint = format!("one scenario has one vendor: choose a VM size of {theirs}, or disks of {own}");
        reader.error(machine.span.clone(), what, hint);
        return None;
    }
    let mut whole = true;
    for named in &names {
        let theirs = of(named);
        let [first, ..] = theirs.as_slice() else { continue };
        let whose = *whose.get_or_insert(*first);
        if !theirs.contains(&whose) {
            let thing = if named.is_machine { "machine" } else { "disk" };
            let what = format!(
                "`{}` is a {thing} of {}, and the scenario is of {}",
                named.name,
                called(*first),
                called(whose)
            );
            reader.error(named.span.clone(), what, "one scenario has one vendor: write one for each");
            whole = false;
        }
    }
    let whose = whose.flatten();
    if whose.is_none() {
        for key in options_written(file) {
            let what = format!("`{}` has no effect: {} has no such options", key.get_ref(), called(None));
            reader.error(key.span(), what, "remove it");
            whole = false;
        }
    }
    whole.then(|| whose.map(|vendor| all[vendor]))
}

/// A machine of one vendor with disks of another.
struct Mixed<'a, 'n> {
    machine: &'a Named<'n>,
    own: Option<usize>,
    /// Each named once, in code marks.
    disks: Vec<String>,
    theirs: Option<usize>,
}

/// Where all disks that are known are of one vendor, and the machine of another: who changed the machine is told so, rather than of each
/// disk.
fn all_of_another<'a, 'n>(
    names: &'a [Named<'n>],
    of: &impl Fn(&Named<'n>) -> Vec<Option<usize>>,
) -> Option<Mixed<'a, 'n>> {
    let machine = names.iter().find(|named| named.is_machine)?;
    let own = *of(machine).first()?;
    let (mut disks, mut theirs) = (Vec::new(), None);
    for disk in names.iter().filter(|named| !named.is_machine) {
        let vendors = of(disk);
        let Some(first) = vendors.first().copied() else { continue };
        if vendors.contains(&own) || theirs.is_some_and(|theirs| !vendors.contains(&theirs)) {
            return None;
        }
        theirs = theirs.or(Some(first));
        let name = format!("`{}`", disk.name);
        if !disks.contains(&name) {
            disks.push(name);
        }
    }
    Some(Mixed { machine, own, disks, theirs: theirs? })
}

/// Keys of options anywhere in the file.
fn options_written(file: &ScenarioFile) -> Vec<&Spanned<String>> {
    let disks = file.volumes.iter().flat_map(|volume| match volume.get_ref().disks.get_ref() {
        TextOr::Text(_) => &[][..],
        TextOr::Many(files) => files.as_slice(),
    });
    let of_disks = disks.flat_map(|disk| disk.get_ref().options.keys());
    file.vm.get_ref().options.keys().chain(of_disks).collect()
}

/// A volume and how it is attached.
struct Attached {
    read: ReadVolume,
    gates: Vec<GateId>,
    local_most: Option<usize>,
}

/// Reads the rest of it.
pub(super) fn scenario(
    reader: &mut Reader,
    file: &ScenarioFile,
    vendor: Own,
    catalogue: &Catalogue,
) -> Option<Scenario> {
    let machine = machine(reader, vendor, &file.vm);
    let own = machine.as_ref().and_then(Option::as_ref);
    let read: Vec<Option<Attached>> =
        file.volumes.iter().map(|written| attached(reader, vendor, own, written.get_ref())).collect();
    check_names(reader, file);
    let seed = reader.count("seed", &file.seed, 0..u64::MAX).unwrap_or(1);
    let credits = reader.choice("credits", &file.start.credits, &words::CREDITS);
    let read: Vec<Attached> = read.into_iter().collect::<Option<_>>()?;
    let machine = machine?;
    if let Some(machine) = &machine {
        let volumes: Vec<&ReadVolume> = read.iter().map(|attached| &attached.read).collect();
        check_disk_count(reader, file, (&machine.name, machine.disks_most), &volumes);
    }
    check_local(reader, file, &read);
    let volumes: Vec<Volume> = read.iter().map(|attached| attached.read.volume.clone()).collect();
    let (start, warm) = start(reader, &file.start, &volumes);
    let latency: Vec<LatencyUse> = read.iter().flat_map(|attached| attached.read.latency.clone()).collect();
    let throttle_interval = vm::throttle_interval(reader, file.vm.get_ref()).unwrap_or_default();
    let gates = machine.as_ref().map_or_else(Vec::new, |machine| machine.gates.clone());
    let path = |attached: &Attached| match attached.local_most {
        Some(_) => Path::local(),
        None => Path { front: None, remote: attached.gates.clone(), local: false },
    };
    let mut stack = StackSpec {
        vm: VmSpec { gates, host_cache: None, throttle_interval },
        volumes: read.iter().map(|own| VolumeSpec { path: path(own), ..own.read.spec.clone() }).collect(),
        credits: credits.unwrap_or_default(),
        seed,
    };
    levels::apply(reader, &file.start.levels, &mut stack);
    without_effect::note_neutral(reader, file, &stack, &latency);
    Some(Scenario {
        timeline: timeline::read(reader, catalogue, &file.timeline, &stack),
        vendor: vendor.id(),
        credits: levels::said(&file.start, &stack),
        stack,
        limits: VmLimits::default(),
        attachments: read.iter().map(|attached| attached.read.attachment).collect(),
        vm: ScenarioVm {
            size: machine.as_ref().map(|machine| machine.name.to_string()),
            edition: machine.as_ref().map(|machine| machine.edition.to_string()),
            options: file
                .vm
                .get_ref()
                .options
                .iter()
                .map(|(key, value)| (key.get_ref().clone(), value.get_ref().0.clone()))
                .collect(),
            sources: machine.iter().flat_map(|machine| &machine.sources).map(|id| id.to_string()).collect(),
        },
        volumes,
        start,
        warm,
        latency,
        latency_setting: reader.latency,
        notes: Vec::new(),
    })
}

/// The machine with its gates as they are written: `Some(None)` where no size is, `None` where it is refused.
fn machine(reader: &mut Reader, vendor: Own, file: &Spanned<VmFile>) -> Option<Option<Machine>> {
    let (span, file) = (file.span(), file.get_ref());
    let chosen = options(reader, vendor, vendor.machine_options(), &file.options);
    let cache = file.cache.iter().map(|cache| (cache.span(), "cache".to_string()));
    let sharing = file.sharing().iter().map(|sharing| (sharing.span(), "sharing".to_string()));
    let others: Vec<(Range<usize>, String)> =
        file.short_limits().map(|short| (short.span, short.key)).chain(cache).chain(sharing).collect();
    for (span, key) in others {
        let what = format!("`{key}` has no effect: machines of {} have no such limit", vendor.name());
        reader.error(span, what, "remove it; a gate of the machine is written as `gates.NAME`");
    }
    let Some(size) = &file.size else {
        let needs = file.edition.iter().map(|edition| ("edition", edition.span()));
        let gates = file.gates.keys().map(|name| ("gates", name.span()));
        for (key, span) in needs.chain(gates) {
            reader.error(span, format!("`{key}` needs a `size`"), "write the name of a machine");
        }
        return chosen.map(|_| None);
    };
    let chosen = chosen?;
    let edition = file.edition.as_ref().map(|edition| edition.get_ref().0.as_str());
    let asked = MachineAsked { name: &size.get_ref().0, edition, options: &chosen };
    let mut machine = match vendor.machine(&asked) {
        Ok(machine) => machine,
        Err(refusal) => {
            let field = match refusal.key {
                "edition" => file.edition.as_ref().map(Spanned::span),
                key => option_span(&file.options, key).or(Some(size.span())),
            };
            reader.error(field.unwrap_or(span), refusal.what, refusal.hint);
            return None;
        }
    };
    for (name, limit) in &file.gates {
        let names: Vec<&str> = machine.gates.iter().map(|gate| gate.name.as_str()).collect();
        let Some(place) = names.iter().position(|own| own == name.get_ref()) else {
            let all = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let hint = if all.is_empty() { "it has no gates".to_string() } else { format!("write one of {all}") };
            reader.error(name.span(), format!("{} has no gate `{}`", machine.name, name.get_ref()), hint);
            continue;
        };
        let GateSpec { limits, more, .. } = &mut machine.gates[place];
        overridden(reader, (limits, more), limit);
    }
    for note in &machine.notes {
        reader.note(&size.span(), say!(RigRemark { size: &machine.name, remark: note }));
    }
    Some(Some(machine))
}

/// The options that are chosen; `None` where one is not known.
fn options<'a>(
    reader: &mut Reader,
    vendor: Own,
    known: &'static [RigOption],
    written: &'a OptionsFile,
) -> Option<Vec<(&'a str, &'a str)>> {
    let mut chosen = Vec::new();
    for (key, value) in written {
        let name = key.get_ref().as_str();
        let Some(option) = known.iter().find(|option| option.key == name) else {
            let names = known.iter().map(|option| option.key);
            let hint = match dw_error::nearest(name, names.clone()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("options: {}", names.collect::<Vec<_>>().join(", ")),
            };
            reader.error(key.span(), format!("unknown option `{name}` of {}", vendor.name()), hint);
            continue;
        };
        let values: Vec<(&str, ())> = option.values.iter().map(|value| (*value, ())).collect();
        if reader.choice(option.key, &Some(value.clone()), &values).is_some() {
            chosen.push((name, value.get_ref().0.as_str()));
        }
    }
    (chosen.len() == written.len()).then_some(chosen)
}

/// Keys of a volume that a disk's vendor may refuse.
const FROM_SNAPSHOT: &str = "from_snapshot";
const INITIALIZATION_RATE: &str = "initialization_rate";

fn snapshot_span(file: &VolumeFile, key: &str) -> Option<Range<usize>> {
    let field = match key {
        FROM_SNAPSHOT => &file.from_snapshot,
        INITIALIZATION_RATE => &file.initialization_rate,
        _ => return None,
    };
    field.as_ref().map(Spanned::span)
}

fn option_span(options: &OptionsFile, key: &str) -> Option<Range<usize>> {
    options.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value.span())
}

fn attached(reader: &mut Reader, vendor: Own, machine: Option<&Machine>, file: &VolumeFile) -> Option<Attached> {
    let frame = Frame::read(reader, file);
    if reader.cache_mode("host_cache", &file.host_cache).is_some_and(|mode| mode != CacheMode::None) {
        let span = file.host_cache.as_ref().map(Spanned::span).unwrap_or_default();
        reader.error(span, format!("machines of {} have no host cache", vendor.name()), "remove `host_cache`");
    }
    let snapshot = snapshot::read(reader, file)?;
    let groups = groups(reader, vendor, machine, file, snapshot)?;
    let (_, first, local_most) = groups.first()?;
    let (gates, local_most) = (first.clone(), *local_most);
    if let Some((other, ..)) =
        groups.iter().find(|(_, own, local)| *own != gates || local.is_some() != local_most.is_some())
    {
        let what = "disks of one volume pass different gates, and its requests have one path";
        reader.error(other.span.clone(), what, "give them the same `options`, or use a volume for each gate");
        return None;
    }
    let groups: Vec<Group> = groups.into_iter().map(|(group, ..)| group).collect();
    note_first_touch(reader, file, &groups);
    let attachment = if local_most.is_some() { Attachment::Local } else { Attachment::Remote };
    let mut read = volume::of_groups(reader, file, frame, (&groups, attachment, CacheMode::None))?;
    if local_most.is_some() {
        read.data_disks = 0;
    }
    Some(Attached { read, gates, local_most })
}

/// What is taken to be of data that have to be fetched.
fn note_first_touch(reader: &mut Reader, file: &VolumeFile, groups: &[Group]) {
    let touch = groups.iter().find_map(|group| group.spec.first_touch);
    let (Some(touch), Some(field)) = (touch, &file.from_snapshot) else { return };
    let (volume, ms) = (file.name.get_ref().0.as_str(), touch.fetch.ns() as f64 / 1e6);
    let block = Figure::new(touch.block.get() as f64, "B", touch.block.to_string());
    let time = Figure::new(ms, "ms", format!("{ms:.0} ms"));
    reader.note(&field.span(), say!(RigFromSnapshot { volume, block, time }));
}

type Made = (Group, Vec<GateId>, Option<usize>);

/// The disks of a volume, alike in each group.
fn groups(
    reader: &mut Reader,
    vendor: Own,
    machine: Option<&Machine>,
    file: &VolumeFile,
    snapshot: Option<SnapshotAsked>,
) -> Option<Vec<Made>> {
    let span = file.disks.span();
    let edition = file.edition.as_ref();
    match file.disks.get_ref() {
        TextOr::Text(text) => {
            let one = |part: &str, reader: &mut Reader| {
                let (count, name) = disks::counted(part);
                let count = count
                    .map_or(Some(1), |count| count.parse().ok())
                    .filter(|count| (1..=disks::COUNT_MAX).contains(count));
                let Some(count) = count else {
                    let what = format!("`{part}` has no number of disks from 1 to {}", disks::COUNT_MAX);
                    reader.error(span.clone(), what, format!("write for example `disks = \"2 x {name}\"`"));
                    return None;
                };
                let asked = DiskAsked {
                    name,
                    edition: edition.map(|edition| edition.get_ref().0.as_str()),
                    size: None,
                    iops: None,
                    throughput: None,
                    options: &[],
                    latency: reader.latency,
                    snapshot,
                };
                match vendor.disk(machine, &asked) {
                    Ok(disk) => Some(made(reader, disk, count, &span)),
                    Err(refusal) => {
                        let at = snapshot_span(file, refusal.key).unwrap_or(span.clone());
                        let hint = match refusal.key {
                            "sku" | "edition" | FROM_SNAPSHOT | INITIALIZATION_RATE => refusal.hint,
                            _ => format!(
                                "{}: write a table, `disks = [{{ sku = \"{name}\", size = \"500 GiB\" }}]`",
                                refusal.hint
                            ),
                        };
                        reader.error(at, refusal.what, hint);
                        None
                    }
                }
            };
            // All of them, so that every fault is found.
            let read: Vec<Option<Made>> = text.split('+').map(|part| one(part, reader)).collect();
            read.into_iter().collect()
        }
        TextOr::Many(files) => {
            if files.is_empty() {
                reader.error(span, "`disks` is an empty list", "write at least one disk");
                return None;
            }
            if let Some(edition) = edition {
                let what = "`edition` next to a list of disks has no effect";
                reader.error(edition.span(), what, "write it into each table of the list");
            }
            let read: Vec<Option<Made>> =
                files.iter().map(|disk| table(reader, vendor, machine, (disk, file), snapshot)).collect();
            read.into_iter().collect()
        }
    }
}

fn table(
    reader: &mut Reader,
    vendor: Own,
    machine: Option<&Machine>,
    (file, volume): (&Spanned<DiskFile>, &VolumeFile),
    snapshot: Option<SnapshotAsked>,
) -> Option<Made> {
    let (span, file) = (file.span(), file.get_ref());
    let count = reader.count("count", &file.count, 1..disks::COUNT_MAX + 1);
    let size = disks::size(reader, &file.size);
    if file.count.is_some() && count.is_none() || file.size.is_some() && size.is_none() {
        return None;
    }
    let Some(sku) = &file.sku else {
        if let Some(field) = volume.from_snapshot.as_ref().filter(|_| snapshot.is_some()) {
            let what = "what a first touch costs on a disk of one's own is not known";
            reader.error(field.span(), what, "name a `sku` of its vendor, or remove `from_snapshot`");
            return None;
        }
        let own = DiskOptions { size, latency: reader.latency, ..DiskOptions::default() };
        let mut group = disks::of_ones_own(reader, file, &own, span)?;
        group.count = count.unwrap_or(1) as usize;
        let gate = machine.filter(|machine| !machine.gates.is_empty()).map(|_| GateId(0));
        return Some((group, gate.into_iter().collect(), None));
    };
    for (field, key) in file.ways().into_iter().chain([(&file.io_unit, "io_unit")]) {
        if let Some(field) = field {
            reader.error(
                field.span(),
                format!("`{key}` has no effect: disks of {} have none", vendor.name()),
                "remove it",
            );
        }
    }
    let chosen = options(reader, vendor, vendor.disk_options(), &file.options)?;
    let iops = reader.count("iops", &file.iops, 1..1 << 40).map(Iops::new);
    let throughput: Option<Throughput> = reader.quantity("throughput", &file.throughput);
    if file.iops.is_some() && iops.is_none() || file.throughput.is_some() && throughput.is_none() {
        return None;
    }
    let asked = DiskAsked {
        name: &sku.get_ref().0,
        edition: file.edition.as_ref().map(|edition| edition.get_ref().0.as_str()),
        size,
        iops,
        throughput,
        options: &chosen,
        latency: reader.latency,
        snapshot,
    };
    let disk = match vendor.disk(machine, &asked) {
        Ok(disk) => disk,
        Err(RigRefusal { key, what, hint }) => {
            let field = match key {
                "sku" => Some(sku),
                "size" => file.size.as_ref(),
                "iops" => file.iops.as_ref(),
                "throughput" => file.throughput.as_ref(),
                "edition" => file.edition.as_ref(),
                _ => None,
            };
            let at = field.map(Spanned::span).or_else(|| option_span(&file.options, key));
            let at = at.or_else(|| snapshot_span(volume, key)).unwrap_or(sku.span());
            reader.error(at, what, hint);
            return None;
        }
    };
    let edition = disk.edition;
    let (mut group, gates, local_most) = made(reader, disk, count.unwrap_or(1), &span);
    // A local disk is its machine's, and bought with it.
    let own = Catalogue::of_vendor(vendor.id()).filter(|_| local_most.is_none());
    group.offer = own.and_then(|own| own.disk(asked.name.trim(), Some(edition)).ok().cloned());
    group.options = DiskOptions {
        size: Some(group.spec.size),
        iops,
        throughput,
        latency: reader.latency,
        ..DiskOptions::default()
    };
    if let Some(limits) = &file.limits {
        overridden(reader, (&mut group.spec.limits, &mut group.spec.more), limits);
    }
    disks::service_times(reader, file, &mut group);
    Some((group, gates, local_most))
}

fn made(reader: &mut Reader, disk: RigDisk, count: u64, span: &Range<usize>) -> Made {
    for note in &disk.notes {
        reader.note(span, say!(RigRemark { size: &disk.label, remark: note }));
    }
    let model = dw_catalogue::latency::model(disk.latency_model);
    let group = Group {
        count: count as usize,
        label: disk.label,
        spec: disk.spec,
        offer: None,
        options: DiskOptions::default(),
        latency: model.map(|model| LatencyUse::new("", model, reader.latency)).into_iter().collect(),
        span: span.clone(),
    };
    (group, disk.gates, disk.local_most)
}

/// What is written of limits replaces what they are; how they charge stays.
fn overridden(reader: &mut Reader, (limits, more): (&mut LimitSpec, &mut Vec<Limit>), file: &LimitFile) {
    let of_all = |limit: &&mut Limit| limit.accounting.only().is_none();
    let rate = |limit: &Limit| RateSpec {
        rate: limit.rate,
        depth: limit.depth,
        burst: limit.credits.map(|credits| BurstSpec { rate: credits.peak, credits: credits.size }),
    };
    let mut base = *limits;
    for limit in more.iter_mut().filter(of_all) {
        *of_quantity(&mut base, limit.quantity) = Some(rate(limit));
    }
    let mut new = limits::apply(reader, base, file);
    for quantity in [Quantity::Iops, Quantity::Throughput] {
        let new = *of_quantity(&mut new, quantity);
        match more.iter().position(|limit| limit.quantity == quantity && limit.accounting.only().is_none()) {
            Some(place) => match new {
                Some(new) if new != rate(&more[place]) => {
                    let top_up = more[place].credits.and_then(|credits| credits.top_up);
                    let limit = Limit::new(quantity, new, more[place].accounting);
                    let credits = limit.credits.map(|credits| CreditSpec { top_up, ..credits });
                    more[place] = Limit { credits, ..limit };
                }
                Some(_) => {}
                None => {
                    more.remove(place);
                }
            },
            None => *of_quantity(limits, quantity) = new,
        }
    }
}

fn of_quantity(limits: &mut LimitSpec, quantity: Quantity) -> &mut Option<RateSpec> {
    match quantity {
        Quantity::Iops => &mut limits.iops,
        Quantity::Throughput => &mut limits.throughput,
    }
}

/// A machine has so many local disks, and each is in one volume.
fn check_local(reader: &mut Reader, file: &ScenarioFile, volumes: &[Attached]) {
    let mut used = 0;
    for (attached, written) in volumes.iter().zip(&file.volumes) {
        let Some(most) = attached.local_most else { continue };
        used += attached.read.spec.disks.len();
        if used > most {
            let what = format!("{used} local disks, but the machine has {most}");
            reader.error(written.get_ref().disks.span(), what, format!("use at most {most}"));
            return;
        }
    }
}
