//! Which devices are counted, so that no I/O is counted twice.
//!
//! A disk and its partitions, a volume and the disks that carry it, `_Total` and what it sums: the same request appears
//! in several lines of one report. Without a word from the user disks are counted, and volumes only where their members
//! are known (then the members are left out) or where there is nothing else. Where no disk is there, multipath devices are
//! the disks. What the user names is counted, and nothing besides.
//!
//! Names are believed as far as what devices did agrees with them: the bytes of a volume on disks are at no time more than
//! theirs. One that moves more is not on them, whatever it is called, and is counted; one whose name says nothing
//! (`Kind::Unclear`) is left out where it moves the same bytes as they do, or rises and falls with them below them. Where
//! only volumes are there, two that move the same bytes all the time are one. Whatever is decided so is a [`Doubt`], with the
//! option that decides otherwise.
//!
//! Source: names of the Linux kernel and of PerfMon's instances (`device_names.rs`).
//!
//! Ignores: mappings that no file states and no figure shows: a volume with a small part of its disk's I/O, under a name
//! that says nothing, is counted next to it.
//!
//! Invariant: a device is counted in at most one volume, and never together with a part or a member of it.

use std::collections::BTreeMap;

use dw_demand::volume_name;
use dw_messages::{Figure, List, Sentence, say};

use super::device_names::{
    Kind, MAPPED, MULTIPATH, are_siblings, dynamic, has_long_scsi, is_scsi_number, kind, long_scsi, may_mirror,
    virtio_majors,
};
use super::sample::{Name, Role};

/// A volume as the user named it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VolumeChoice {
    pub name: String,
    pub devices: Vec<String>,
}

impl std::str::FromStr for VolumeChoice {
    type Err = String;
    /// Reads `data=sdb,sdc`, or `md0` for a volume called like its device.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, devices) = text.split_once('=').unwrap_or((text, text));
        let list = |d: &str| d.trim().trim_start_matches("/dev/").to_string();
        let devices: Vec<String> = devices.split(',').map(list).filter(|d| !d.is_empty()).collect();
        if devices.iter().any(|device| device.contains('=')) {
            let volumes: Vec<&str> = text.split(',').map(str::trim).collect();
            return Err(format!(
                "`{text}` names several volumes: give each its own `--volume {}`",
                volumes.join("` `--volume ")
            ));
        }
        if let Some((at, twice)) = devices.iter().enumerate().find(|(at, device)| devices[..*at].contains(device)) {
            let once = [&devices[..at], &devices[at + 1..]].concat().join(",");
            return Err(format!("`{text}` names `{twice}` twice: write `{}={once}`", name.trim()));
        }
        if name.trim().is_empty() || devices.is_empty() {
            return Err(format!("`{text}` names no volume: write a name and its devices, for example `data=sdb,sdc`"));
        }
        if name.trim() != EXCLUDE && name.trim().eq_ignore_ascii_case(EXCLUDE) {
            return Err(format!(
                "`{text}` would define a volume instead of an exclusion: did you mean `{EXCLUDE}={}`?",
                devices.join(",")
            ));
        }
        if text.contains('=') {
            let refused = |why| format!("`{}` {why}: give the volume another name", name.trim());
            volume_name::check(name.trim()).map_err(refused)?;
        }
        Ok(VolumeChoice { name: name.trim().to_string(), devices })
    }
}

/// A volume that is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VolumeDevices {
    pub name: String,
    /// Its devices, sorted.
    pub devices: Vec<Name>,
}

/// Devices that are left out, and why.
pub type LeftOut = Vec<(Name, Sentence)>;

/// A device that is counted or left out for what it did, or against its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubt {
    pub device: Name,
    /// Whether it is counted.
    pub counted: bool,
    /// What speaks for it.
    pub why: Sentence,
}

/// What was chosen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VolumeSelection {
    /// Volumes that are counted.
    pub counted: Vec<VolumeDevices>,
    /// Devices that are left out.
    pub left_out: LeftOut,
    /// What was decided by what devices did.
    pub doubts: Vec<Doubt>,
}

/// What a device moved: instants in order, and bytes (or requests) a second at each.
pub type Traffic = Vec<(i64, f64)>;

/// The choice called so leaves its devices out.
const EXCLUDE: &str = "exclude";
/// A volume moves at most this share of its I/O beyond that of the disks below it: reports end at different moments.
const BEYOND_NOISE: f64 = 0.1;
/// One that moves more than this beyond them is not on them.
const BEYOND: f64 = 0.5;
/// Two devices that differ by less than this share of their I/O move the same.
const SAME: f64 = 0.05;
/// A volume rises and falls with its disks.
const TOGETHER: f64 = 0.5;
/// Fewer instants show no rise and fall.
const FEW: usize = 8;

/// Chooses what to count: by the user's word, or by the devices' names and what they did (`traffic`). What was decided by
/// what devices did in an earlier part of a recording (`before`) holds for the rest of it.
pub fn choose(
    devices: &BTreeMap<Name, Role>,
    members: &[(Name, Name)],
    choices: &[VolumeChoice],
    before: &[Doubt],
    traffic: &dyn Fn(&Name) -> Traffic,
) -> Result<VolumeSelection, String> {
    let (out, named): (Vec<&VolumeChoice>, Vec<&VolumeChoice>) = choices.iter().partition(|c| c.name == EXCLUDE);
    let out: Vec<&String> = out.iter().flat_map(|choice| &choice.devices).collect();
    for device in &out {
        if !devices.contains_key(device.as_str()) {
            return Err(no_device(EXCLUDE, device, devices));
        }
    }
    if !devices.is_empty() && devices.keys().all(|name| out.iter().any(|device| device.as_str() == &**name)) {
        return Err("volume `exclude` leaves no device: name fewer".to_string());
    }
    if !named.is_empty() {
        if let Some(device) = out.iter().find(|d| named.iter().any(|choice| choice.devices.contains(d))) {
            return Err(format!("device `{device}` is excluded, and in a volume: name it once"));
        }
        return by_choice(devices, members, &named);
    }
    let is_out = |name: &Name| out.iter().any(|device| device.as_str() == &**name);
    Ok(ByName { devices, members, is_out: &is_out, before, traffic }.choose())
}

fn no_device(volume: &str, device: &str, devices: &BTreeMap<Name, Role>) -> String {
    let known = devices.keys().map(|d| format!("`{d}`")).collect::<Vec<_>>().join(", ");
    // What PerfMon calls a disk has its number and all its letters.
    let has_word = |name: &&Name| name.split(' ').any(|word| word.eq_ignore_ascii_case(device));
    let meant = match devices.keys().find(has_word) {
        Some(name) => format!("; did you mean `{volume}={name}`?"),
        None if volume != EXCLUDE && devices.contains_key(volume) => {
            format!("; the name stands before the device: `{device}={volume}`")
        }
        None => String::new(),
    };
    format!("volume `{volume}`: there is no device `{device}`; there are {known}{meant}")
}

/// What each device is, by its name and those of the others.
fn kinds(devices: &BTreeMap<Name, Role>) -> Vec<(&Name, Kind)> {
    let names = || devices.keys().map(|name| &**name);
    // Majors that are given out at boot are device-mapper's where disks have SCSI's.
    let has_scsi = names().any(is_scsi_number);
    let virtio = virtio_majors(names(), has_scsi);
    let has_disks = has_scsi || !virtio.is_empty();
    let long = has_long_scsi(names());
    let of = |name: &Name, role: Role| match (kind(name, role), dynamic(name)) {
        (Kind::Unclear, Some((major, _))) if virtio.contains(&major) => Kind::Disk,
        (Kind::Unclear, Some(_)) if has_disks => Kind::Layer(MAPPED),
        (Kind::Unclear, None) if long => long_scsi(name).unwrap_or(Kind::Unclear),
        (kind, _) => kind,
    };
    devices.iter().map(|(name, role)| (name, of(name, *role))).collect()
}

struct ByName<'a> {
    devices: &'a BTreeMap<Name, Role>,
    members: &'a [(Name, Name)],
    is_out: &'a dyn Fn(&Name) -> bool,
    before: &'a [Doubt],
    traffic: &'a dyn Fn(&Name) -> Traffic,
}

/// Counted, or left out for a reason; and the doubt about it.
type Verdict = (Result<(), Sentence>, Option<Doubt>);

impl ByName<'_> {
    fn choose(&self) -> VolumeSelection {
        let mut kinds = kinds(self.devices);
        let parted = |of: &[String]| of.iter().any(|parent| is_layer(parent));
        let is_below = |(name, kind): &(&Name, Kind)| match kind {
            Kind::PartOf(of) if parted(of) => false,
            kind => self.is_disk(name, kind),
        };
        if !kinds.iter().any(is_below) {
            // The paths are not in the recording: what they make is what volumes lie on.
            let multipath = kinds.iter_mut().filter(|(_, kind)| *kind == Kind::Layer(MULTIPATH));
            multipath.for_each(|(_, kind)| *kind = Kind::Disk);
        }
        let disks: Vec<&Name> = kinds.iter().filter(|(name, kind)| self.is_disk(name, kind)).map(|(n, _)| *n).collect();
        let doubtful = |kind: &Kind| matches!(kind, Kind::Layer(_) | Kind::Unclear);
        let below = match kinds.iter().any(|(_, kind)| doubtful(kind)) {
            true => Below::new(&disks, self.traffic),
            false => Below::new(&[], self.traffic),
        };
        let mut chosen = VolumeSelection::default();
        let mut volumes: Vec<(Name, Kind, Traffic)> = Vec::new();
        for (name, kind) in &kinds {
            let (verdict, doubt) = match self.plainly(name, kind, &kinds, !disks.is_empty()) {
                Some(verdict) => (verdict, None),
                None => self.by_traffic(name, kind, &below, &mut volumes),
            };
            chosen.doubts.extend(doubt);
            match verdict {
                Ok(()) => chosen.counted.push(VolumeDevices { name: name.to_string(), devices: vec![(*name).clone()] }),
                Err(why) => chosen.left_out.push(((*name).clone(), why)),
            }
        }
        chosen
    }

    fn there(&self, name: &str) -> bool {
        self.devices.contains_key(name)
    }

    /// A disk, or a part of one that is not there itself.
    fn is_disk(&self, name: &Name, kind: &Kind) -> bool {
        let whole = match kind {
            Kind::Disk => true,
            Kind::PartOf(of) => !of.iter().any(|parent| self.there(parent)),
            _ => false,
        };
        whole && !(self.is_out)(name)
    }

    /// What names and members decide.
    fn plainly(
        &self,
        name: &Name,
        kind: &Kind,
        kinds: &[(&Name, Kind)],
        has_disks: bool,
    ) -> Option<Result<(), Sentence>> {
        let out = |why: Sentence| Some(Err(why));
        if (self.is_out)(name) {
            return out(say!(DeviceExcluded));
        }
        if let Some((volume, _)) = self.members.iter().find(|(volume, member)| member == name && self.there(volume)) {
            return out(say!(DeviceMember { volume: volume.to_string() }));
        }
        let known_volume = || self.members.iter().any(|(volume, member)| volume == name && self.there(member));
        let has = |wanted: fn(&Kind) -> bool| kinds.iter().any(|(_, kind)| wanted(kind));
        // Groups of devices stand side by side; a sum of everything has them all.
        let only_totals = !has(|kind| *kind != Kind::Total);
        let totals = ["PhysicalDisk(_Total)", "LogicalDisk(_Total)", "_Total", "ALL"];
        let whole = totals.iter().find(|sum| self.there(sum));
        match kind {
            Kind::PartOf(of) => match of.iter().find(|parent| self.there(parent)) {
                Some(disk) if is_layer(disk) => out(say!(DevicePartOfLayer { disk })),
                Some(disk) => out(say!(DevicePart { disk })),
                None => Some(Ok(())),
            },
            Kind::Disk => Some(Ok(())),
            Kind::Layer(_) | Kind::Cache(_) if known_volume() => Some(Ok(())),
            Kind::Cache(what) if has_disks => out(say!(DeviceLayer { kind: *what })),
            Kind::Loop if has_disks || has(|kind| matches!(kind, Kind::Layer(_) | Kind::Cache(_))) => {
                out(say!(DeviceLoop))
            }
            Kind::PathTo(device) if self.there(device) => out(say!(DevicePath { device })),
            Kind::Total if !only_totals => out(say!(DeviceSum)),
            Kind::Total => Some(match whole.filter(|whole| **whole != &**name) {
                Some(whole) => Err(say!(DeviceInSum { sum: *whole })),
                None => Ok(()),
            }),
            Kind::TotalOf(part) if self.devices.keys().any(|d| d.starts_with(part)) => out(say!(DeviceSum)),
            Kind::Loop | Kind::PathTo(_) | Kind::TotalOf(_) => Some(Ok(())),
            Kind::Layer(_) | Kind::Cache(_) | Kind::Unclear => None,
        }
    }

    /// What it did decides.
    fn by_traffic(&self, name: &Name, kind: &Kind, below: &Below, volumes: &mut Vec<(Name, Kind, Traffic)>) -> Verdict {
        let doubt = |counted: bool, why: Sentence| Doubt { device: (*name).clone(), counted, why };
        let counted = |why: Option<Sentence>| (Ok(()), why.map(|why| doubt(true, why)));
        let left_out = |why: Sentence, said: Option<Sentence>| (Err(why), said.map(|why| doubt(false, why)));
        if let Some(known) = self.before.iter().find(|doubt| doubt.device == *name) {
            let verdict = if known.counted { Ok(()) } else { Err(known.why.clone()) };
            return (verdict, Some(known.clone()));
        }
        let traffic = (self.traffic)(name);
        let moved = traffic.iter().any(|(_, amount)| *amount > 0.0);
        if below.disks.is_empty() {
            // Only volumes: which lies on which is not known, and two of one I/O are one.
            let same = |other: &Traffic| moved && difference(&traffic, other) <= SAME;
            let may_be_two =
                |other_name: &Name, other: &Kind| may_mirror(kind, other) || are_siblings(name, other_name);
            let twin = volumes.iter().find(|(at, other, theirs)| !may_be_two(at, other) && same(theirs));
            if let Some((twin, ..)) = twin {
                let why = say!(DeviceTwin { twin: twin.to_string() });
                return left_out(why.clone(), Some(why));
            }
            volumes.push(((*name).clone(), kind.clone(), traffic));
            return counted(None);
        }
        let on = below.names();
        let plain = match kind {
            Kind::Layer(what) | Kind::Cache(what) => Some(say!(DeviceLayer { kind: *what })),
            _ => None,
        };
        let Some(seen) = below.compare(&traffic) else {
            // Nothing that it did can be compared: its name decides.
            return match plain {
                Some(why) => left_out(why, None),
                None if moved => counted(Some(say!(DeviceUnnamed { disks: on }))),
                None => counted(None),
            };
        };
        let share = Figure::decimal(seen.beyond * 100.0, 0, "%");
        match plain {
            Some(_) if seen.beyond > BEYOND => counted(Some(say!(DeviceBeyond { share, disks: on }))),
            Some(why) if seen.beyond > BEYOND_NOISE => {
                let said = say!(DeviceNamedLayer { disks: on, share });
                left_out(why, Some(said))
            }
            Some(why) => left_out(why, None),
            None if seen.same => {
                let why = say!(DeviceTwinOf { disks: on });
                left_out(why.clone(), Some(why))
            }
            None if seen.beyond > BEYOND_NOISE => counted(Some(say!(DeviceOwn { share, disks: on }))),
            None if seen.together.is_some_and(|r| r >= TOGETHER) => {
                let why = say!(DeviceFollows { disks: on });
                left_out(why.clone(), Some(why))
            }
            None if seen.together.is_none() => counted(Some(say!(DeviceTooLittle { disks: on }))),
            None => counted(Some(say!(DeviceApart { disks: on }))),
        }
    }
}

/// How far two are apart, as a share of what they move; 1 where they have little time in common.
fn difference(a: &Traffic, b: &Traffic) -> f64 {
    let other: BTreeMap<i64, f64> = b.iter().copied().collect();
    let (mut apart, mut moved) = (0.0, 0.0);
    for (at, amount) in a {
        let theirs = other.get(at).copied().unwrap_or(0.0);
        apart += (amount - theirs).abs();
        moved += amount.max(theirs);
    }
    if moved > 0.0 && a.len() * 2 > b.len() { apart / moved } else { 1.0 }
}

/// What the disks did together, and each.
struct Below {
    disks: Vec<(Name, Traffic)>,
    sum: Traffic,
}

/// A device against the disks.
struct Seen {
    /// Share of its I/O that is more than theirs at the time.
    beyond: f64,
    /// It moves what all of them move, or one.
    same: bool,
    /// How it rises and falls with them: 1 is always; none where there is too little to tell.
    together: Option<f64>,
}

impl Below {
    fn new(disks: &[&Name], traffic: &dyn Fn(&Name) -> Traffic) -> Below {
        let disks: Vec<(Name, Traffic)> = disks.iter().map(|name| ((*name).clone(), traffic(name))).collect();
        let mut sum: BTreeMap<i64, f64> = BTreeMap::new();
        for (at, amount) in disks.iter().flat_map(|(_, traffic)| traffic) {
            *sum.entry(*at).or_default() += amount;
        }
        Below { disks, sum: sum.into_iter().collect() }
    }

    /// For a sentence.
    fn names(&self) -> Sentence {
        let disks: List = self.disks.iter().take(3).map(|(name, _)| &**name).collect();
        match self.disks.len().saturating_sub(3) {
            0 => say!(DeviceDisks { disks }),
            more => say!(DeviceDisksMore { disks, more }),
        }
    }

    fn compare(&self, traffic: &Traffic) -> Option<Seen> {
        let at = |at: i64| self.sum.binary_search_by_key(&at, |(at, _)| *at).ok().map(|place| self.sum[place].1);
        let pairs: Vec<(f64, f64)> =
            traffic.iter().filter_map(|(instant, amount)| Some((*amount, at(*instant)?))).collect();
        let moved: f64 = pairs.iter().map(|(mine, _)| mine).sum();
        if moved <= 0.0 {
            return None;
        }
        let beyond = pairs.iter().map(|(mine, theirs)| (mine - theirs * (1.0 + SAME)).max(0.0)).sum::<f64>() / moved;
        let is_one = || self.disks.iter().any(|(_, disk)| difference(traffic, disk) <= SAME);
        let same = difference(traffic, &self.sum) <= SAME || is_one();
        Some(Seen { beyond, same, together: correlation(&pairs) })
    }
}

/// Pearson's coefficient; none of few pairs, or where one of the two does not change.
fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let n = pairs.len() as f64;
    if pairs.len() < FEW {
        return None;
    }
    let sum = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>();
    let (a, b) = (sum(&|p| p.0) / n, sum(&|p| p.1) / n);
    let both = sum(&|p| (p.0 - a) * (p.1 - b));
    let (first, second) = (sum(&|p| (p.0 - a) * (p.0 - a)), sum(&|p| (p.1 - b) * (p.1 - b)));
    (first > 0.0 && second > 0.0).then(|| both / libm::sqrt(first * second))
}

fn by_choice(
    devices: &BTreeMap<Name, Role>,
    members: &[(Name, Name)],
    choices: &[&VolumeChoice],
) -> Result<VolumeSelection, String> {
    let mut owner: BTreeMap<Name, &str> = BTreeMap::new();
    let mut counted = Vec::new();
    for choice in choices {
        if counted.iter().any(|c: &VolumeDevices| c.name == choice.name) {
            return Err(format!("two volumes are called `{}`: give each its own name", choice.name));
        }
        let mut list = Vec::new();
        for device in &choice.devices {
            let Some((name, _)) = devices.get_key_value(device.as_str()) else {
                return Err(no_device(&choice.name, device, devices));
            };
            if let Some(other) = owner.insert(name.clone(), &choice.name) {
                return Err(format!("device `{name}` is in volume `{other}` and in volume `{}`", choice.name));
            }
            list.push(name.clone());
        }
        list.sort();
        counted.push(VolumeDevices { name: choice.name.clone(), devices: list });
    }
    let kinds: BTreeMap<&Name, Kind> = kinds(devices).into_iter().collect();
    for (name, volume) in &owner {
        let carrier = match kinds.get(name).unwrap_or(&Kind::Unclear) {
            Kind::PartOf(of) => of.iter().find_map(|disk| owner.get_key_value(disk.as_str())),
            _ => members.iter().find(|(_, member)| member == name).and_then(|(v, _)| owner.get_key_value(v)),
        };
        if let Some((carrier, other)) = carrier {
            return Err(format!(
                "`{name}` (volume `{volume}`) and `{carrier}` (volume `{other}`) count the same I/O: name one of them"
            ));
        }
    }
    let chosen = |name: &Name| owner.contains_key(name);
    let left_out = devices.keys().filter(|n| !chosen(n)).map(|n| (n.clone(), say!(DeviceNotNamed))).collect();
    Ok(VolumeSelection { counted, left_out, doubts: Vec::new() })
}

/// Whether it lies on others, by its name.
pub(crate) fn is_layer(name: &str) -> bool {
    matches!(kind(name, Role::Unknown), Kind::Layer(_) | Kind::Cache(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Devices and members as text, what is counted as text.
    fn check(devices: &str, members: &str, choices: &str, expected: &str) {
        let role = |name: &str| match name {
            n if n.ends_with('!') => Role::Volume,
            n if n.ends_with('?') => Role::Disk,
            n if n.ends_with('+') => Role::Total,
            _ => Role::Unknown,
        };
        let devices: BTreeMap<Name, Role> =
            devices.split_whitespace().map(|d| (Name::from(d.trim_end_matches(['!', '?', '+'])), role(d))).collect();
        let members: Vec<(Name, Name)> = members
            .split_whitespace()
            .map(|m| m.split_once('<').unwrap())
            .map(|(volume, member)| (Name::from(volume), Name::from(member)))
            .collect();
        let choices: Vec<VolumeChoice> = choices.split_whitespace().map(|c| c.parse().unwrap()).collect();
        let found = match choose(&devices, &members, &choices, &[], &|_| Vec::new()) {
            Ok(VolumeSelection { counted, .. }) => {
                let show = |c: VolumeDevices| match c.devices.join("+") {
                    one if one == c.name => one,
                    many => format!("{}={many}", c.name),
                };
                counted.into_iter().map(show).collect::<Vec<_>>().join(" ")
            }
            Err(e) => e,
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn nothing_is_counted_twice() {
        check("sda sda1 sda2 sdb", "", "", "sda sdb");
        check("nvme0n1 nvme0n1p1 nvme0c0n1", "", "", "nvme0n1");
        check("xvda1 xvdb", "", "", "xvda1 xvdb"); // no parent: it is a disk
        check("sda dm-0 dm-1 loop0", "", "", "sda");
        check("dm-0 dm-1", "", "", "dm-0 dm-1");
        check("loop0", "", "", "loop0");
        check("sdb sdc md0", "md0<sdb md0<sdc", "", "md0");
        check("C:! 0? _Total", "", "", "0");
        check("_Total", "", "", "_Total");
        check("dev8-0 dev8-1 dev8-16 dev253-0 dev253-1 dev9-0 dev7-0", "", "", "dev8-0 dev8-16");
        check("dev252-0 dev252-16", "", "", "dev252-0 dev252-16"); // virtio disks
        check("dev259-0 dev259-3 dev7-1", "", "", "dev259-0 dev259-3");
        check("disks+ other+", "", "", "disks other"); // groups alone
        check("disks+ ALL+", "", "", "ALL");
        check("sda dasda dasda1 rhel-root luks-1a2b docker-8:1-2-pool bcache0 drbd0 zd0", "", "", "dasda sda");
        check("sdb sdc mpatha mpathap1 emcpowera emcpowera1 VxVM12 3600508b400105e21", "", "", "sdb sdc");
        check("mpatha mpathap1 mpathb rhel-root", "", "", "mpatha mpathb");
        check("rhel-root rhel-swap", "", "", "rhel-root rhel-swap");
        check("8,0 8,1 253,0", "", "", "8,0");
        check("nvme0c0n1 nvme0c1n1", "", "", "nvme0c0n1 nvme0c1n1");
        check("LogicalDisk(_Total)+ PhysicalDisk(_Total)+", "", "", "PhysicalDisk(_Total)");
    }

    #[test]
    fn the_users_word_counts_and_is_checked() {
        check("sda sdb sdc md0", "", "data=sdb,sdc", "data=sdb+sdc");
        check("sda sdb md0", "", "md0", "md0");
        check("sda sdb", "", "data=/dev/sdb", "data=sdb");
        check("sda sdb", "", "data=sdx", "volume `data`: there is no device `sdx`; there are `sda`, `sdb`");
        check(
            "sda sda1",
            "",
            "a=sda b=sda1",
            "`sda1` (volume `b`) and `sda` (volume `a`) count the same I/O: name one of them",
        );
        check(
            "sdb md0",
            "md0<sdb",
            "a=sdb,md0",
            "`sdb` (volume `a`) and `md0` (volume `a`) count the same I/O: name one of them",
        );
        let many = ('a'..='z').map(|c| format!("sda{c}")).collect::<Vec<_>>().join(" ");
        check(
            &format!("{many} sdaaa sdaaa1"),
            "",
            "a=sdaaa b=sdaaa1",
            "`sdaaa1` (volume `b`) and `sdaaa` (volume `a`) count the same I/O: name one of them",
        );
        check("sda rhel-root redo", "", "exclude=redo", "sda");
        check("sda sda1 sdb", "", "exclude=sda", "sdb");
        check("sda sdb", "", "exclude=sdx", "volume `exclude`: there is no device `sdx`; there are `sda`, `sdb`");
        check("sda sdb", "", "exclude=sda,sdb", "volume `exclude` leaves no device: name fewer");
        check(
            "sda sdb",
            "",
            "sda=data",
            "volume `sda`: there is no device `data`; there are `sda`, `sdb`; the name stands before the device: `data=sda`",
        );
        for (text, why) in [
            ("data=sdc,log=sdd", "names several volumes: give each its own `--volume data=sdc` `--volume log=sdd`"),
            ("data=sdc,sdd,sdc", "names `sdc` twice: write `data=sdc,sdd`"),
        ] {
            let said = text.parse::<VolumeChoice>().expect_err(text);
            assert!(said.contains(why), "{text}: {said}");
        }
        let disks = [("0 C:", Role::Unknown), ("1 D: E:", Role::Unknown)];
        let disks = disks.map(|(name, role)| (Name::from(name), role)).into_iter().collect();
        let said = no_device("data", "E:", &disks);
        assert!(said.ends_with("; did you mean `data=1 D: E:`?"), "{said}");
        check("sda sdb", "", "exclude=sda a=sda", "device `sda` is excluded, and in a volume: name it once");
        check("sda sdb", "", "a=sda b=sda", "device `sda` is in volume `a` and in volume `b`");
        check("sda sdb", "", "a=sda a=sdb", "two volumes are called `a`: give each its own name");
    }
}
