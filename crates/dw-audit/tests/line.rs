//! A machine in a line: `D8s_v5 zone=1 | os premium_ssd 64 ReadWrite | 2x data premium_ssd 1024 None`, and the codes that are found.

use dw_audit::{Audit, Market};
use dw_catalogue::Catalogue;
use dw_estate::{Disk, Estate, Holds, Machine, Os, SourceId, State, StripeFile, Told};
use dw_units::CacheMode;

pub const TODAY: &str = "2026-11-29";
const BY: SourceId = SourceId(0);

fn told<T>(value: T) -> Told<T> {
    Told::By(BY, value)
}

/// The machine of a line. In a region, running, Linux with all else as quiet as it can be, unless the line says otherwise; `?` is unknown.
pub fn machine(line: &str) -> Machine {
    let mut parts = line.split('|').map(str::trim);
    let mut words = parts.next().unwrap().split_whitespace();
    let size = words.next().unwrap();
    // Types of EC2 have a point in their names.
    let (vendor, size, region, zone) = match size.contains('.') {
        true => ("aws", size.to_string(), "us-east-1", "us-east-1a"),
        false => ("azure", format!("Standard_{size}"), "eastus", "1"),
    };
    let mut machine = Machine {
        id: "/m".into(),
        name: "m".into(),
        vendor,
        size: told(size.into()),
        region: told(region.into()),
        zone: told(zone.into()),
        os: told(Os::Linux),
        licence: told("".into()),
        evictable: told(false),
        encrypted_at_host: told(true),
        special_disks: told(false),
        ..Machine::default()
    };
    for word in words {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        let text = || told(Box::from(value));
        match key {
            "zone" => machine.zone = if value == "?" { Told::Unknown } else { text() },
            "region" => machine.region = if value == "?" { Told::Unknown } else { text() },
            "windows" => machine.os = told(Os::Windows),
            "licence" => machine.licence = text(),
            "image" => machine.image_licence = text(),
            "running" => machine.state = told(State::Running),
            "stopped" => machine.state = told(State::Stopped),
            "released" => machine.state = told(State::Released),
            "spot" => machine.evictable = told(true),
            "plain" => machine.encrypted_at_host = told(false),
            "open" => machine.special_disks = told(true),
            "controller" => machine.controller = text(),
            "node" => machine.is_node = told(true),
            "group" => machine.group = text(),
            "nics" => machine.interfaces = told(value.parse().unwrap()),
            "count" => machine.count = told(value.parse().unwrap()),
            other => panic!("{other}"),
        }
    }
    let mut lun = 0;
    for part in parts {
        let mut words = part.split_whitespace().peekable();
        let times = words.peek().and_then(|word| word.strip_suffix('x')?.parse().ok());
        if times.is_some() {
            words.next();
        }
        let words: Vec<&str> = words.collect();
        for number in 0..times.unwrap_or(1) {
            let mut disk = disk(&words);
            disk.vendor = vendor;
            if times.is_some() {
                disk.name = format!("{}{number}", disk.name).into();
                disk.id = format!("/d/{}", disk.name).into();
            }
            if disk.holds == Holds::Data && !disk.lun.is_known() {
                disk.lun = told(lun);
                lun += 1;
            }
            machine.disks.push(disk);
        }
    }
    machine
}

/// `name kind gib cache` and options.
pub fn disk(words: &[&str]) -> Disk {
    let [name, kind, gib, rest @ ..] = words else { panic!("{words:?}") };
    let mut disk = Disk {
        id: format!("/d/{name}").into(),
        name: (*name).into(),
        holds: if *name == "os" { Holds::System } else { Holds::Data },
        kind: if *kind == "?" { Told::Unknown } else { told((*kind).into()) },
        zone_redundant: told(false),
        gib: told(gib.parse().unwrap()),
        cache: told(CacheMode::None),
        local: told(false),
        ..Disk::default()
    };
    for word in rest {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        match key {
            "None" | "ReadOnly" | "ReadWrite" => disk.cache = told(key.parse().unwrap()),
            "cache" => disk.cache = Told::Unknown,
            "iops" => disk.iops = told(value.parse().unwrap()),
            "mb" => disk.mb = told(value.parse().unwrap()),
            "mib" => disk.mib = told(value.parse().unwrap()),
            "ebs" => disk.vendor = "aws",
            "tier" => disk.tier = told(value.into()),
            "wa" => disk.write_accelerator = told(true),
            "burst" => disk.bursts_by_use = told(true),
            "plus" => disk.plus = told(true),
            "lun" => disk.lun = told(value.parse().unwrap()),
            "zrs" => disk.zone_redundant = told(true),
            "zone" => disk.zone = told(value.into()),
            "shares" => disk.shares = told(value.parse().unwrap()),
            "local" => disk.local = told(true),
            "dies" => disk.dies_with_machine = told(true),
            "loose" => disk.machine = told("".into()),
            "region" => disk.region = told(value.into()),
            other => panic!("{other}"),
        }
    }
    disk
}

pub fn judged(machines: Vec<Machine>, loose: Vec<Disk>) -> Audit {
    let estate = Estate { sources: vec!["inventory.json".into()], machines, loose, ..Estate::default() };
    // What was looked up once in a thread is not looked up again.
    thread_local!(static MARKET: Market<'static> = Market::new(Catalogue::embedded(), Some(TODAY.into()), StripeFile::default()));
    MARKET.with(|market| market.audit(&estate))
}

/// What is found of a machine, as `DW101 warning`.
pub fn found(line: &str) -> Vec<String> {
    let audit = match line.strip_prefix("- | ") {
        Some(disk_line) => judged(Vec::new(), vec![disk(&disk_line.split_whitespace().collect::<Vec<_>>())]),
        None => judged(vec![machine(line)], Vec::new()),
    };
    audit.findings.iter().map(|finding| format!("{} {}", finding.code, finding.level.word())).collect()
}
