//! What a volume may be called: the one rule, held where a scenario, requirements or a plan is read.
//!
//! A name becomes a file (`NAME.0.img`, `NAME.log`), an export (`NAME`, `NAME.0`), a path, a word of a command line, a cell of a
//! table and a text in a script. So it has no `/` and nothing that a terminal obeys, does not begin as hidden files, options and
//! formulas do, has no blank at its ends, fits a file's name, and is no disk of another volume.
//!
//! Ignores: names that differ in case alone, and letters that look alike.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use dw_error::obeyed::is_obeyed;

/// Bytes of a name at most: the longest name of a device of Linux (127, device-mapper) fits, and its disks' files stay within
/// the 255 of a file's name.
pub const LONGEST: usize = 127;
/// What no name begins with.
const FIRST: [char; 5] = ['.', '-', '=', '+', '@'];

/// Why a name is refused; shown as what follows the name in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is none.
    Empty,
    /// A blank at an end.
    Blank,
    /// It has so many bytes.
    Long(usize),
    /// It has a `/`.
    Slash,
    /// It has a character that is obeyed instead of shown.
    Obeyed(char),
    /// It begins with this.
    First(char),
    /// It is a disk of this volume.
    DiskOf(String),
    /// The volume of this number, from 1, is called so.
    Same(usize),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Empty => f.write_str("is empty"),
            Refusal::Blank => f.write_str("starts or ends with a space"),
            Refusal::Long(bytes) => write!(f, "has {bytes} bytes; the maximum is {LONGEST}"),
            Refusal::Slash => f.write_str("has a `/`, which separates directories"),
            Refusal::Obeyed(c) => write!(f, "has the control character U+{:04X}", u32::from(*c)),
            Refusal::First('.') => f.write_str("starts with `.`, like hidden files"),
            Refusal::First(c) => write!(f, "starts with `{c}`, like options and formulas"),
            Refusal::DiskOf(volume) => write!(f, "is the name of a disk of volume `{volume}`"),
            Refusal::Same(number) => write!(f, "is also the name of volume {number}"),
        }
    }
}

/// A name that is refused among those of one machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The volume, by its place.
    pub volume: usize,
    pub why: Refusal,
    /// What it could be called instead.
    pub instead: String,
}

/// Whether a volume may be called so, whatever the others are called.
///
/// # Errors
/// Why not.
pub fn check(name: &str) -> Result<(), Refusal> {
    if name.trim().is_empty() {
        return Err(Refusal::Empty);
    }
    if let Some(c) = name.chars().find(|c| is_obeyed(*c)) {
        return Err(Refusal::Obeyed(c));
    }
    if name.contains('/') {
        return Err(Refusal::Slash);
    }
    if name.trim() != name {
        return Err(Refusal::Blank);
    }
    if let Some(c) = name.chars().next().filter(|c| FIRST.contains(c)) {
        return Err(Refusal::First(c));
    }
    if name.len() > LONGEST { Err(Refusal::Long(name.len())) } else { Ok(()) }
}

/// The same of a disk, `data.0`.
///
/// # Errors
/// Why not.
pub fn check_disk(name: &str) -> Result<(), Refusal> {
    check(volume_of(name).unwrap_or(name))
}

/// No VM takes a thousand disks: `backup.2024` is a volume beside `backup`.
const DISK_DIGITS: usize = 3;

/// The volume whose disk is called so.
pub fn volume_of(name: &str) -> Option<&str> {
    let (volume, number) = name.rsplit_once('.')?;
    let is_plain = number == "0" || !number.starts_with('0') && number.bytes().all(|b| b.is_ascii_digit());
    (is_plain && (1..=DISK_DIGITS).contains(&number.len())).then_some(volume)
}

/// What is wrong with the names of one machine's volumes, in their order; of each the first.
pub fn faults<S: AsRef<str>>(names: &[S]) -> Vec<Fault> {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (place, name) in names.iter().enumerate() {
        places.entry(name.as_ref()).or_insert(place);
    }
    let of_others = |place: usize, name: &str| {
        let same = places.get(name).filter(|first| **first < place).map(|first| Refusal::Same(first + 1));
        let disk_of = || volume_of(name).filter(|volume| places.contains_key(volume));
        same.or_else(|| Some(Refusal::DiskOf(disk_of()?.into())))
    };
    let refusal = |(place, name): (usize, &S)| {
        let name = name.as_ref();
        Some((place, check(name).err().or_else(|| of_others(place, name))?))
    };
    let refused: Vec<(usize, Refusal)> = names.iter().enumerate().filter_map(refusal).collect();
    if refused.is_empty() {
        return Vec::new();
    }
    let fitting = fitting(names);
    refused.into_iter().map(|(volume, why)| Fault { volume, why, instead: fitting[volume].clone() }).collect()
}

/// Names that volumes may have, as near as they can be to what a recording calls them: `/mnt/data` is `mnt-data`.
pub fn fitting<S: AsRef<str>>(names: &[S]) -> Vec<String> {
    let plain: Vec<String> = names.iter().map(|name| plain(name.as_ref())).collect();
    let is_kept = |place: &usize| names[*place].as_ref() == plain[*place];
    let kept: BTreeSet<&str> = (0..names.len()).filter(is_kept).map(|place| plain[place].as_str()).collect();
    let volumes: BTreeSet<&str> = plain.iter().filter_map(|name| volume_of(name)).collect();
    let mut used: BTreeSet<String> = BTreeSet::new();
    let mut fitting = Vec::new();
    for (place, name) in plain.iter().enumerate() {
        // What is made up is neither another's name nor what another is a disk of.
        let is_free = |made: &String| !kept.contains(&**made) && !used.contains(made) && !volumes.contains(&**made);
        let volume = volume_of(name).filter(|volume| kept.contains(volume) || used.contains(*volume));
        let stays = volume.is_none() && if is_kept(&place) { !used.contains(name) } else { is_free(name) };
        let dashed = volume.map_or(name.clone(), |volume| format!("{volume}-{}", &name[volume.len() + 1..]));
        let numbered = (place + 1..).map(|n| format!("{}-{n}", shortened(&dashed, LONGEST - 8)));
        let made = || std::iter::once(dashed.clone()).chain(numbered).find(is_free);
        let fit = if stays { name.clone() } else { made().unwrap_or_default() };
        used.insert(fit.clone());
        fitting.push(fit);
    }
    fitting
}

/// A name that may be one, whatever the others are.
fn plain(name: &str) -> String {
    if check(name).is_ok() {
        return name.into();
    }
    let dashed = name.replace(|c: char| c == '/' || is_obeyed(c), "-");
    let begins = |c: char| c.is_whitespace() || FIRST.contains(&c);
    let ends = |c: char| c.is_whitespace() || c == '-';
    let plain = shortened(dashed.trim_start_matches(begins), LONGEST).trim_end_matches(ends);
    match plain {
        "" if name.trim() == "/" => "root".into(),
        "" => "volume".into(),
        _ => plain.into(),
    }
}

/// As many of its bytes as whole characters fit.
fn shortened(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_name_is_refused_for_its_own_reason() {
        let long = "x".repeat(LONGEST + 1);
        let cases = [
            ("data", None),
            ("SQL Data (main)", None),
            ("l'été \"x\" $y", None),
            ("0 C:", None),
            ("_Total", None),
            ("data.0", None),
            ("a..b", None),
            (r"\\?\Volume{b75e2c83}\", None),
            ("", Some(Refusal::Empty)),
            ("  ", Some(Refusal::Empty)),
            (" data", Some(Refusal::Blank)),
            ("data\u{a0}", Some(Refusal::Blank)),
            ("a/b", Some(Refusal::Slash)),
            ("../../esc", Some(Refusal::Slash)),
            (".", Some(Refusal::First('.'))),
            ("..", Some(Refusal::First('.'))),
            ("-rf", Some(Refusal::First('-'))),
            ("=1+1", Some(Refusal::First('='))),
            ("a\nb", Some(Refusal::Obeyed('\n'))),
            ("\u{1b}]0;t\u{7}", Some(Refusal::Obeyed('\u{1b}'))),
            ("a\u{9b}2J", Some(Refusal::Obeyed('\u{9b}'))),
            ("moc\u{202e}x", Some(Refusal::Obeyed('\u{202e}'))),
            (&long, Some(Refusal::Long(LONGEST + 1))),
        ];
        for (name, why) in cases {
            assert_eq!(check(name).err(), why, "{name:?}");
        }
        assert_eq!(check_disk(&format!("{}.15", &long[1..])), Ok(()));
        assert_eq!(check_disk("../x.0"), Err(Refusal::Slash));
    }

    #[test]
    fn names_of_one_machine_are_told_apart() {
        let found = |names: &[&str]| -> Vec<(usize, Refusal, String)> {
            faults(names).into_iter().map(|fault| (fault.volume, fault.why, fault.instead)).collect()
        };
        let disk_of = |volume: &str| Refusal::DiskOf(volume.into());
        assert_eq!(found(&["data", "log", "data.x", "data.1.x"]), []);
        assert_eq!(found(&["data", "data.0"]), [(1, disk_of("data"), "data-0".into())]);
        // These are no numbers of disks.
        assert_eq!(found(&["data", "data.2024", "data.00", "data.01"]), []);
        assert_eq!(found(&["data.12", "data"]), [(0, disk_of("data"), "data-12".into())]);
        assert_eq!(found(&["data", "log", "data"]), [(2, Refusal::Same(1), "data-3".into())]);
        assert_eq!(found(&["data", "data-0", "data.0"]), [(2, disk_of("data"), "data-0-3".into())]);
    }

    #[test]
    fn names_of_recordings_become_names_of_volumes() {
        let cases = [
            (&["/", "/data", "/mnt/resource"][..], &["root", "data", "mnt-resource"][..]),
            (&["a/b", "a-b"], &["a-b-1", "a-b"]),
            (&["cciss/c0d0", "sda"], &["cciss-c0d0", "sda"]),
            (&["../../esc", "\u{1b}[2J"], &["esc", "[2J"]),
            (&["", " ", "-"], &["volume", "volume-2", "volume-3"]),
        ];
        for (names, expected) in cases {
            assert_eq!(fitting(names), expected, "{names:?}");
        }
    }

    proptest! {
        #[test]
        fn what_fits_is_never_refused_and_a_name_that_may_be_stays(
            names in prop::collection::vec("[a./=\\-\u{1b}\u{202e}0-2 é]{0,6}|a|a\\.[0-2]|a-2|x{125,140}", 0..7)
        ) {
            let fit = fitting(&names);
            prop_assert_eq!(faults(&fit), [], "{:?} of {:?}", &fit, &names);
            let refused: Vec<usize> = faults(&names).iter().map(|fault| fault.volume).collect();
            for (place, (name, fit)) in names.iter().zip(&fit).enumerate() {
                prop_assert!(refused.contains(&place) || name == fit, "{:?} became {:?}", name, fit);
            }
        }
    }
}
