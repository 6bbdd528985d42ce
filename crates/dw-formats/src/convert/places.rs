//! Places without a scenario: whatever a file names is somewhere.
//!
//! A conversion asks only what is named alike, not on which disks it is: relative paths, absolute ones and each drive letter
//! have a volume of their own, and so has each device that the text names. Such a device has no size: a job on all of it is
//! written as one on all of it.

use crate::fio::VolumeMap;
use crate::fio::targets::UNKNOWN;

/// Stands for a colon that is part of a name: a character that no text has.
const ESCAPED_COLON: &str = "\u{1}";

/// Volumes for everything that a text can name.
pub fn anywhere(text: &str) -> Vec<VolumeMap> {
    let mut volumes = Vec::new();
    let mut add = |mount: Option<String>, device: Option<String>| {
        let index = volumes.len() as u16;
        volumes.push(VolumeMap { index, name: format!("place{index}"), mount, device, size: UNKNOWN });
    };
    add(Some(".".into()), None);
    add(Some("/".into()), None);
    for letter in 'A'..='Z' {
        add(Some(format!("{letter}:")), None);
    }
    let mut devices: Vec<String> = Vec::new();
    // A colon after a backslash belongs to the name.
    let text = &text.replace("\\:", ESCAPED_COLON);
    for word in text.split(|c: char| c.is_whitespace() || ",;\"'<>=|[]:".contains(c)) {
        let word = &word.replace(ESCAPED_COLON, ":");
        let upper = word.to_ascii_uppercase();
        let number = |rest: &str| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit());
        let drive = [r"\\.\PHYSICALDRIVE", "PHYSICALDRIVE", "#"].iter().find_map(|p| upper.strip_prefix(p));
        if word.starts_with("/dev/") && word.len() > 5 {
            devices.push(word.trim_end_matches('\\').to_string());
        } else if let Some(rest) = drive.filter(|rest| number(rest)) {
            devices.push(format!(r"\\.\PhysicalDrive{rest}"));
        } else if ["sd", "vd", "nvme", "xvd", "hd"].iter().any(|p| word.starts_with(p)) && word.len() < 16 {
            // Iometer on Linux names devices without their folder.
            devices.push(format!("/dev/{word}"));
        }
    }
    // `PHYSICALDRIVE:2` is parted at its colon.
    for (at, _) in text.to_ascii_uppercase().match_indices("PHYSICALDRIVE:") {
        let rest = &text[at + "PHYSICALDRIVE:".len()..];
        let digits = rest.chars().take_while(char::is_ascii_digit).count();
        if digits > 0 {
            devices.push(format!(r"\\.\PhysicalDrive{}", &rest[..digits]));
        }
    }
    devices.sort();
    devices.dedup();
    for device in devices.into_iter().take(4_096) {
        add(None, Some(device));
    }
    volumes
}
