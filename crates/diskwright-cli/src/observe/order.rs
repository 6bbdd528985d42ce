//! In which order files are read: that of their times, whatever the order they are named in.
//!
//! A long recording is folded as it is read, and what was folded is not put in order any more: files of one machine that
//! continue each other must come one after the other. The first stamp of each is in its beginning.
//!
//! Ignores: files whose stamps have no date, pipes, and files that overlap; they are read as they are named.

use std::io::Read;
use std::path::Path;

use dw_formats::counters::{Options, read};
use dw_observe::{Common, Fault, Origin, Reading, Sink, Stamp};

/// More than any header, less than anybody waits for.
const BEGINNING: u64 = 256 << 10;

/// The first instant that is seen.
#[derive(Default)]
struct First(Option<i64>);

impl Sink for First {
    fn take(&mut self, _: Origin, common: Common, reading: Reading) {
        if let (None, Stamp::Wall { ns, utc_offset_min }) = (self.0, common.stamp)
            && !matches!(reading, Reading::Fact(_))
        {
            self.0 = Some(ns.saturating_sub(i64::from(utc_offset_min.unwrap_or(0)) * 60_000_000_000));
        }
    }
    fn fault(&mut self, _: Origin, _: Fault) {}
}

/// The files' indices in the order of their first instants; as named, where one of them does not say its own.
pub fn by_time(files: &[(u32, &Path, Options<'_>)]) -> Vec<u32> {
    let first = |(index, path, options): &(u32, &Path, Options<'_>)| Some((first_instant(path, options)?, *index));
    let found: Option<Vec<(i64, u32)>> = files.iter().map(first).collect();
    let Some(mut found) = found else { return files.iter().map(|(index, ..)| *index).collect() };
    found.sort_unstable();
    found.into_iter().map(|(_, index)| index).collect()
}

fn first_instant(path: &Path, options: &Options<'_>) -> Option<i64> {
    if !std::fs::metadata(path).is_ok_and(|file| file.is_file()) {
        return None;
    }
    let mut head = Vec::new();
    std::fs::File::open(path).ok()?.take(BEGINNING).read_to_end(&mut head).ok()?;
    let mut first = First::default();
    // It ends inside a line, and is read as a whole later: what is wrong with it is said then.
    let _ = read(head.as_slice(), &Options { strict: false, ..*options }, &mut first);
    first.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_in_the_order_of_their_times() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("is written");
            path
        };
        let row = "Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn\nsda 1.00 2.00 3.00 4 5\n";
        let later = file("later", &format!("2026-11-23T12:00:00+0000\n{row}"));
        let earlier = file("earlier", &format!("2026-11-23T12:30:00+0100\n{row}"));
        let undated = file("undated", row);
        let order = |paths: &[&Path]| {
            let list: Vec<_> = (0..).zip(paths).map(|(i, path)| (i, *path, Options::default())).collect();
            by_time(&list)
        };
        assert_eq!(order(&[&later, &earlier]), [1, 0]);
        assert_eq!(order(&[&earlier, &later]), [0, 1]);
        assert_eq!(order(&[&later, &undated, &earlier]), [0, 1, 2]);
        assert_eq!(order(&[&later, Path::new("/nowhere"), &earlier]), [0, 1, 2]);
    }
}
