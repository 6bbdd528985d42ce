//! Which devices are counted, so that no I/O is counted twice.
//!
//! A disk and its partitions, a volume and the disks that carry it, `_Total` and what it sums: the same request appears
//! in several lines of one report. Without a word from the user disks are counted, and volumes only where their members
//! are known (then the members are left out) or where there is nothing else. What the user names is counted, and
//! nothing besides.
//!
//! Source: names of the Linux kernel and of PerfMon's instances.
//!
//! Ignores: mappings that no file states: whether `dm-0` lies on `sda` cannot be told from counters.
//!
//! Invariant: a device is counted in at most one volume, and never together with a part or a member of it.

use std::collections::BTreeMap;

use super::sample::{Name, Role};

/// A volume as the user named it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VolumeChoice {
    /// Its name.
    pub name: String,
    /// Its devices.
    pub devices: Vec<String>,
}

impl std::str::FromStr for VolumeChoice {
    type Err = String;
    /// Reads `data=sdb,sdc`, or `md0` for a volume called like its device.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, devices) = text.split_once('=').unwrap_or((text, text));
        let list = |d: &str| d.trim().trim_start_matches("/dev/").to_string();
        let devices: Vec<String> = devices.split(',').map(list).filter(|d| !d.is_empty()).collect();
        if name.trim().is_empty() || devices.is_empty() {
            return Err(format!("`{text}` names no volume: write a name and its devices, for example `data=sdb,sdc`"));
        }
        Ok(VolumeChoice { name: name.trim().to_string(), devices })
    }
}

/// A volume that is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Its name.
    pub name: String,
    /// Its devices, sorted.
    pub devices: Vec<Name>,
}

/// Devices that are left out, and why.
pub type LeftOut = Vec<(Name, String)>;

/// What a device's name says it is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Disk,
    PartOf(String),
    Volume,
    Loop,
    Path,
    Total,
}

fn kind(name: &str, role: Role) -> Kind {
    match role {
        Role::Disk => return Kind::Disk,
        Role::Volume => return Kind::Volume,
        Role::Total => return Kind::Total,
        Role::Partition | Role::Unknown => {}
    }
    let digits_at = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let numbered = digits_at.len() < name.len();
    if name == "_Total" || name == "ALL" {
        return Kind::Total;
    }
    if name.starts_with("loop") && numbered {
        return Kind::Loop;
    }
    if let Some(kind) = by_number(name) {
        return kind;
    }
    if name.starts_with("md") && numbered || name.starts_with("dm-") || name.contains("mpath") || name.contains('/') {
        return Kind::Volume;
    }
    // One path of an NVMe device that has several: nvme0c1n1.
    if name.starts_with("nvme") && name[4..].trim_start_matches(|c: char| c.is_ascii_digit()).starts_with('c') {
        return Kind::Path;
    }
    if numbered {
        let disk = digits_at.strip_suffix('p').filter(|d| d.ends_with(|c: char| c.is_ascii_digit()));
        if let Some(disk) = disk {
            return Kind::PartOf(disk.to_string());
        }
        let lettered = ["sd", "vd", "xvd", "hd"].iter().any(|p| digits_at.starts_with(p));
        if lettered && digits_at.ends_with(|c: char| c.is_ascii_lowercase()) {
            return Kind::PartOf(digits_at.to_string());
        }
    }
    Kind::Disk
}

/// What the number of a device says: sar without `-p` calls `sda1` `dev8-1`.
///
/// Source: the kernel's `Documentation/admin-guide/devices.txt`. Majors from 240 are given out at boot, to virtio disks and
/// to device-mapper alike: [`mapped`] tells them apart by what stands beside them.
fn by_number(name: &str) -> Option<Kind> {
    let (major, minor) = numbers(name)?;
    Some(match major {
        7 => Kind::Loop,
        9 => Kind::Volume,
        _ if is_scsi(major) && minor % 16 != 0 => Kind::PartOf(format!("dev{major}-{}", minor - minor % 16)),
        _ => Kind::Disk,
    })
}

fn numbers(name: &str) -> Option<(u32, u32)> {
    let (major, minor) = name.strip_prefix("dev")?.split_once('-')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

fn is_scsi(major: u32) -> bool {
    matches!(major, 8 | 65..=71 | 128..=135 | 202)
}

/// Whether a device of a major given out at boot lies on disks that stand beside it.
fn mapped(name: &str, has_scsi: bool) -> bool {
    has_scsi && numbers(name).is_some_and(|(major, _)| (240..=254).contains(&major))
}

/// Chooses what to count: by the user's word, or by the devices' names.
pub fn choose(
    devices: &BTreeMap<Name, Role>,
    members: &[(Name, Name)],
    choices: &[VolumeChoice],
) -> Result<(Vec<Counted>, LeftOut), String> {
    if choices.is_empty() { Ok(by_name(devices, members)) } else { by_choice(devices, members, choices) }
}

fn by_name(devices: &BTreeMap<Name, Role>, members: &[(Name, Name)]) -> (Vec<Counted>, LeftOut) {
    let has_scsi = devices.keys().any(|name| numbers(name).is_some_and(|(major, _)| is_scsi(major)));
    let kind = |name: &Name, role: Role| if mapped(name, has_scsi) { Kind::Volume } else { kind(name, role) };
    let kinds: Vec<(&Name, Kind)> = devices.iter().map(|(name, role)| (name, kind(name, *role))).collect();
    let there = |name: &str| devices.contains_key(name);
    let known_volume = |name: &str| members.iter().any(|(volume, member)| &**volume == name && there(member));
    let has = |wanted: &Kind| kinds.iter().any(|(_, kind)| kind == wanted);
    let has_disks = kinds.iter().any(|(_, k)| matches!(k, Kind::Disk) || matches!(k, Kind::PartOf(d) if !there(d)));
    // Groups of devices stand side by side; a sum of everything has them all.
    let only_totals = kinds.iter().all(|(_, kind)| *kind == Kind::Total);
    let whole = ["PhysicalDisk(_Total)", "LogicalDisk(_Total)", "_Total", "ALL"]
        .iter()
        .find_map(|sum| kinds.iter().map(|(name, _)| *name).find(|name| ***name == **sum));
    let why_not = |name: &Name, kind: &Kind| -> Option<String> {
        if let Some((volume, _)) = members.iter().find(|(volume, member)| member == name && there(volume)) {
            return Some(format!("a member of {volume}, which is counted"));
        }
        match kind {
            Kind::PartOf(disk) if there(disk) => Some(format!("a partition of {disk}, which is counted")),
            Kind::Disk | Kind::PartOf(_) => None,
            Kind::Volume if known_volume(name) => None,
            Kind::Volume if has_disks => Some("its I/O is that of the disks below it, which are counted".into()),
            Kind::Loop if has_disks || has(&Kind::Volume) => Some("its I/O is that of the disk its file is on".into()),
            Kind::Path if has_disks => Some("one path of a device that has several".into()),
            Kind::Total if !only_totals => Some("a sum of the others".into()),
            Kind::Total => {
                whole.filter(|whole| *whole != name).map(|whole| format!("its I/O is in {whole}, which is counted"))
            }
            Kind::Volume | Kind::Loop | Kind::Path => None,
        }
    };
    let mut counted = Vec::new();
    let mut left_out = Vec::new();
    for (name, kind) in &kinds {
        match why_not(name, kind) {
            Some(why) => left_out.push(((*name).clone(), why)),
            None => counted.push(Counted { name: name.to_string(), devices: vec![(*name).clone()] }),
        }
    }
    (counted, left_out)
}

fn by_choice(
    devices: &BTreeMap<Name, Role>,
    members: &[(Name, Name)],
    choices: &[VolumeChoice],
) -> Result<(Vec<Counted>, LeftOut), String> {
    let mut owner: BTreeMap<Name, &str> = BTreeMap::new();
    let mut counted = Vec::new();
    for choice in choices {
        if counted.iter().any(|c: &Counted| c.name == choice.name) {
            return Err(format!("two volumes are called `{}`: give each its own name", choice.name));
        }
        let mut list = Vec::new();
        for device in &choice.devices {
            let Some((name, _)) = devices.get_key_value(device.as_str()) else {
                let known = devices.keys().map(|d| format!("`{d}`")).collect::<Vec<_>>().join(", ");
                return Err(format!("volume `{}`: there is no device `{device}`; there are {known}", choice.name));
            };
            if let Some(other) = owner.insert(name.clone(), &choice.name) {
                return Err(format!("device `{name}` is in volume `{other}` and in volume `{}`", choice.name));
            }
            list.push(name.clone());
        }
        list.sort();
        counted.push(Counted { name: choice.name.clone(), devices: list });
    }
    for (name, volume) in &owner {
        let carrier = match kind(name, devices.get(name).copied().unwrap_or_default()) {
            Kind::PartOf(disk) => owner.get_key_value(disk.as_str()),
            _ => members.iter().find(|(_, member)| member == name).and_then(|(v, _)| owner.get_key_value(v)),
        };
        if let Some((carrier, other)) = carrier {
            return Err(format!(
                "`{name}` (volume `{volume}`) and `{carrier}` (volume `{other}`) count the same I/O: name one of them"
            ));
        }
    }
    let chosen = |name: &Name| owner.contains_key(name);
    let left_out = devices.keys().filter(|n| !chosen(n)).map(|n| (n.clone(), "not named by --volume".into())).collect();
    Ok((counted, left_out))
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
        let found = match choose(&devices, &members, &choices) {
            Ok((counted, _)) => {
                let show = |c: Counted| match c.devices.join("+") {
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
        check("sda sdb", "", "a=sda b=sda", "device `sda` is in volume `a` and in volume `b`");
        check("sda sdb", "", "a=sda a=sdb", "two volumes are called `a`: give each its own name");
    }
}
