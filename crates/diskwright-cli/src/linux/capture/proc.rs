//! The kernel's own files: opened once, read again at every tick.
//!
//! Source: `Documentation/admin-guide/iostats.rst` and `Documentation/filesystems/proc.rst` of the kernel.
//!
//! Ignores: RAM disks, and loop devices that have never done anything.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::sync::Arc;
use std::time::SystemTime;

use dw_observe::Name;

use crate::recording::ticks::{DeviceLine, FIELDS, MachineLine, Tick};

pub struct Machine {
    diskstats: File,
    stat: File,
    meminfo: File,
    text: String,
    names: HashMap<String, Name>,
}

impl Machine {
    /// Opens the files.
    pub fn open() -> io::Result<Machine> {
        Ok(Machine {
            diskstats: File::open("/proc/diskstats")?,
            stat: File::open("/proc/stat")?,
            meminfo: File::open("/proc/meminfo")?,
            text: String::new(),
            names: HashMap::new(),
        })
    }

    pub fn host(&self) -> Option<String> {
        trimmed("/proc/sys/kernel/hostname")
    }
    pub fn kernel(&self) -> Option<String> {
        trimmed("/proc/sys/kernel/osrelease")
    }

    /// Volumes and the devices below them, as the kernel has them.
    pub fn members(&self) -> Vec<(String, String)> {
        let mut members = Vec::new();
        for entry in std::fs::read_dir("/sys/block").into_iter().flatten().flatten() {
            let volume = entry.file_name().to_string_lossy().into_owned();
            for below in std::fs::read_dir(entry.path().join("slaves")).into_iter().flatten().flatten() {
                members.push((volume.clone(), below.file_name().to_string_lossy().into_owned()));
            }
        }
        members.sort();
        members
    }

    /// Names of devices by their numbers (`8,0`).
    pub fn names(&mut self) -> HashMap<String, Name> {
        let mut names = HashMap::new();
        for line in trimmed("/proc/diskstats").unwrap_or_default().lines() {
            let mut words = line.split_ascii_whitespace();
            if let (Some(major), Some(minor), Some(name)) = (words.next(), words.next(), words.next()) {
                names.insert(format!("{major},{minor}"), Name::from(name));
            }
        }
        names
    }

    /// Reads everything once.
    pub fn tick(&mut self) -> io::Result<Tick> {
        let at = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        again(&mut self.diskstats, &mut self.text)?;
        let names = &mut self.names;
        let devices = self.text.lines().filter_map(|line| device(line, names)).collect();
        again(&mut self.stat, &mut self.text)?;
        let mut machine = processors(&self.text);
        again(&mut self.meminfo, &mut self.text)?;
        let kib = |key: &str| {
            let line = self.text.lines().find_map(|l| l.strip_prefix(key));
            line.and_then(|l| l.split_ascii_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0)
        };
        machine.memory_total = kib("MemTotal:") << 10;
        machine.memory_available = kib("MemAvailable:") << 10;
        Ok(Tick { at: at.as_nanos() as i64, devices, machine })
    }
}

fn trimmed(path: &str) -> Option<String> {
    std::fs::read_to_string(path).ok().map(|t| t.trim_end().to_string()).filter(|t| !t.is_empty())
}

fn again(file: &mut File, text: &mut String) -> io::Result<()> {
    text.clear();
    file.rewind()?;
    file.read_to_string(text).map(|_| ())
}

fn device(line: &str, names: &mut HashMap<String, Name>) -> Option<DeviceLine> {
    let mut words = line.split_ascii_whitespace().skip(2);
    let name = words.next()?;
    if name.starts_with("ram") || name.starts_with("zram") {
        return None;
    }
    let mut counters = [None; FIELDS];
    for (counter, word) in counters.iter_mut().zip(words) {
        *counter = word.parse().ok();
    }
    if name.starts_with("loop") && counters[0] == Some(0) && counters[4] == Some(0) {
        return None;
    }
    let name = match names.get(name) {
        Some(known) => known.clone(),
        None => {
            let new: Name = Arc::from(name);
            names.insert(name.to_string(), new.clone());
            new
        }
    };
    Some(DeviceLine { device: name, counters })
}

fn processors(stat: &str) -> MachineLine {
    let mut machine = MachineLine::default();
    for line in stat.lines() {
        let Some(rest) = line.strip_prefix("cpu") else { continue };
        if !rest.starts_with(' ') {
            machine.cpus += 1;
            continue;
        }
        // user nice system idle iowait irq softirq steal; guests are within user and nice.
        let numbers: Vec<u64> = rest.split_ascii_whitespace().take(8).filter_map(|n| n.parse().ok()).collect();
        let number = |i: usize| numbers.get(i).copied().unwrap_or(0);
        machine.cpu_total = numbers.iter().sum();
        (machine.cpu_idle, machine.cpu_iowait, machine.cpu_steal) = (number(3), number(4), number(7));
    }
    machine
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_kernel_are_read_by_their_number_of_fields() {
        let mut names = HashMap::new();
        let mut count = |line: &str| device(line, &mut names).map(|d| d.counters.iter().flatten().count());
        assert_eq!(count("8 0 sda 1 2 3 4 5 6 7 8 9 10 11"), Some(11));
        assert_eq!(count("8 0 sda 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"), Some(15));
        assert_eq!(count("8 0 sda 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17"), Some(17));
        assert_eq!(count("7 0 loop0 0 0 0 0 0 0 0 0 0 0 0"), None);
        assert_eq!(count("1 0 ram0 1 0 0 0 1 0 0 0 0 0 0"), None);
    }

    #[test]
    fn processors_are_counted_and_guests_are_not_counted_twice() {
        let machine =
            processors("cpu  10 0 20 60 5 1 2 2 7 0\ncpu0 5 0 10 30 2 0 1 1 3 0\ncpu1 5 0 10 30 3 1 1 1 4 0\nintr 1\n");
        assert_eq!((machine.cpus, machine.cpu_total), (2, 100));
        assert_eq!((machine.cpu_idle, machine.cpu_iowait, machine.cpu_steal), (60, 5, 2));
    }
}
