//! Disks that look like a stripe, and a file that says which are one.
//!
//! What a guest makes of its disks is in no inventory. Disks of one machine that are alike in kind, size, rates and cache, on LUNs without a
//! gap, are proposed as one volume, two at least; that is a proposal, and is told as one. A person says it for certain:
//!
//! ```toml
//! [[stripe]]
//! machine = "sql-1"       # its name, or its id
//! volume = "data"
//! disks = ["sql-1-data0", "sql-1-data1"]
//! unit = "64 KiB"         # optional
//! devices = ["sdc", "sdd"] # optional: what recordings of the guest call them
//! ```

use std::ops::Range;

use dw_error::{Error, Result};
use serde::Deserialize;

use crate::machine::{Disk, Holds, Machine};

/// Disks that are one volume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stripe {
    pub volume: String,
    /// Places in [`Machine::disks`].
    pub disks: Vec<usize>,
    /// As it was written.
    pub unit: Option<String>,
    /// A person said so.
    pub is_certain: bool,
    /// What recordings of the guest call its disks, where a person said that.
    pub devices: Vec<String>,
}

/// What a person says of stripes.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StripeFile {
    /// What messages call it.
    #[serde(skip)]
    file: String,
    #[serde(default)]
    stripe: Vec<Row>,
}

/// What a file of stripes names and an estate does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misnamed {
    Machine {
        file: String,
        machine: String,
    },
    /// Of a machine that is there.
    Disk {
        file: String,
        machine: String,
        disk: String,
    },
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    machine: String,
    volume: String,
    disks: Vec<String>,
    unit: Option<String>,
    #[serde(default)]
    devices: Vec<String>,
}

impl StripeFile {
    pub fn read(name: &str, text: &str) -> Result<StripeFile> {
        let read = toml::from_str(text).map_err(|e| {
            let line = e.span().map_or(1, |span: Range<usize>| 1 + text[..span.start].matches('\n').count());
            Error::input(e.message().to_string())
                .hint("`[[stripe]]` with `machine`, `volume`, `disks` and perhaps `unit` and `devices`")
                .at(name, line as u64)
        })?;
        Ok(StripeFile { file: name.into(), ..read })
    }

    /// What of it is of no effect on these machines, in the order of the file.
    pub fn misnamed(&self, machines: &[Machine]) -> Vec<Misnamed> {
        let file = || self.file.clone();
        let of_row = |row: &Row| {
            let own: Vec<&Machine> = machines.iter().filter(|machine| row.is_of(machine)).collect();
            if own.is_empty() {
                return vec![Misnamed::Machine { file: file(), machine: row.machine.clone() }];
            }
            let is_there = |name: &str| own.iter().any(|machine| machine.disks.iter().any(|disk| *disk.name == *name));
            let missing = row.disks.iter().filter(|disk| !is_there(disk));
            missing
                .map(|disk| Misnamed::Disk { file: file(), machine: row.machine.clone(), disk: disk.clone() })
                .collect()
        };
        self.stripe.iter().flat_map(of_row).collect()
    }

    /// The volumes of a machine: those that are written for it, else those that are proposed.
    pub fn of(&self, machine: &Machine) -> Vec<Stripe> {
        let place = |name: &String| machine.disks.iter().position(|disk| *disk.name == **name);
        let rows = self.stripe.iter().filter(|row| row.is_of(machine)).map(|row| Stripe {
            volume: row.volume.clone(),
            disks: row.disks.iter().filter_map(place).collect(),
            unit: row.unit.clone(),
            is_certain: true,
            devices: row.devices.clone(),
        });
        let said: Vec<Stripe> = rows.collect();
        if said.is_empty() { proposed(machine) } else { said }
    }
}

impl Row {
    fn is_of(&self, machine: &Machine) -> bool {
        *self.machine == *machine.name || self.machine.eq_ignore_ascii_case(&machine.id)
    }
}

/// Disks that look like one volume.
pub fn proposed(machine: &Machine) -> Vec<Stripe> {
    let mut found: Vec<Stripe> = Vec::new();
    let mut run: Vec<usize> = Vec::new();
    let disks = &machine.disks;
    let mut close = |run: &mut Vec<usize>| {
        if run.len() > 1 {
            let volume = stem(&disks[run[0]].name);
            found.push(Stripe { volume, disks: run.clone(), unit: None, is_certain: false, devices: Vec::new() });
        }
        run.clear();
    };
    for (place, disk) in disks.iter().enumerate() {
        let follows = run.last().is_some_and(|&last| is_next(&disks[last], disk));
        if !follows {
            close(&mut run);
        }
        if disk.holds == Holds::Data && disk.lun.is_known() {
            run.push(place);
        }
    }
    close(&mut run);
    found
}

fn is_next(a: &Disk, b: &Disk) -> bool {
    let alike = a.kind.get() == b.kind.get() && a.gib.get() == b.gib.get() && a.cache.get() == b.cache.get();
    let rates = a.iops.get() == b.iops.get() && a.mb.get() == b.mb.get() && a.tier.get() == b.tier.get();
    let next = a.lun.value().zip(b.lun.value()).is_some_and(|(a, b)| b == a + 1);
    // Disks whose names tell them apart by more than a number are no stripe.
    let named = a.name.is_empty() || stem(&a.name) == stem(&b.name);
    // Behind two gates a volume has no one path.
    let together = a.chosen.get() == b.chosen.get();
    alike && rates && next && named && together && a.kind.is_known()
}

/// A name without the number at its end.
fn stem(name: &str) -> String {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == ']' || c == '[' || c == '"');
    stem.trim_end_matches(['-', '_', '.', ' ']).to_string()
}

#[cfg(test)]
mod tests {
    use dw_units::CacheMode;

    use super::*;
    use crate::told::{SourceId, Told};

    fn machine(disks: &[(&str, u32, u64)]) -> Machine {
        let by = SourceId(0);
        let disk = |&(name, lun, gib): &(&str, u32, u64)| Disk {
            name: name.into(),
            kind: Told::By(by, "fast".into()),
            gib: Told::By(by, gib),
            lun: Told::By(by, lun),
            cache: Told::By(by, CacheMode::None),
            ..Disk::default()
        };
        Machine { name: "db".into(), disks: disks.iter().map(disk).collect(), ..Machine::default() }
    }

    #[test]
    fn disks_alike_on_neighbouring_luns_are_proposed_and_nothing_else() {
        type Case = (&'static [(&'static str, u32, u64)], &'static [&'static [usize]]);
        let cases: [Case; 6] = [
            (&[("data0", 0, 1024), ("data1", 1, 1024)], &[&[0, 1]]),
            (&[("data0", 0, 1024), ("data1", 2, 1024)], &[]),
            (&[("data0", 0, 1024), ("data1", 1, 512)], &[]),
            (&[("data0", 0, 1024), ("log0", 1, 1024)], &[]),
            (&[("d-0", 0, 64), ("d-1", 1, 64), ("l-0", 2, 64), ("l-1", 3, 64)], &[&[0, 1], &[2, 3]]),
            (&[("one", 0, 64)], &[]),
        ];
        for (disks, expected) in cases {
            let found = proposed(&machine(disks));
            assert_eq!(found.iter().map(|one| one.disks.as_slice()).collect::<Vec<_>>(), expected, "{disks:?}");
            assert!(found.iter().all(|stripe| !stripe.is_certain));
        }
    }

    #[test]
    fn a_file_says_it_for_certain() {
        let file = "[[stripe]]\nmachine = 'db'\nvolume = 'data'\ndisks = ['data0', 'log0']\n";
        let stripes = StripeFile::read("stripes.toml", file).unwrap().of(&machine(&[("data0", 0, 8), ("log0", 5, 4)]));
        assert_eq!(
            stripes.iter().map(|one| (one.disks.as_slice(), one.is_certain)).collect::<Vec<_>>(),
            [(&[0, 1][..], true)]
        );
        for (row, expected) in [
            ("machine = 'db'\nvolume = 'v'\ndisks = ['data0', 'data7']", vec!["Disk db data7"]),
            ("machine = 'bd'\nvolume = 'v'\ndisks = ['data0']", vec!["Machine bd"]),
            ("machine = 'db'\nvolume = 'v'\ndisks = ['data0', 'log0']", vec![]),
        ] {
            let file = StripeFile::read("stripes.toml", &format!("[[stripe]]\n{row}\n")).unwrap();
            let found = file.misnamed(&[machine(&[("data0", 0, 8), ("log0", 5, 4)])]);
            let found = found.iter().map(|one| match one {
                Misnamed::Machine { machine, .. } => format!("Machine {machine}"),
                Misnamed::Disk { machine, disk, .. } => format!("Disk {machine} {disk}"),
            });
            assert_eq!(found.collect::<Vec<_>>(), expected, "{row}");
        }
        let refused = StripeFile::read("stripes.toml", "[[stripe]]\nmachin = 'db'\n").unwrap_err();
        assert!(refused.to_string().starts_with("error: stripes.toml:2"), "{refused}");
    }
}
