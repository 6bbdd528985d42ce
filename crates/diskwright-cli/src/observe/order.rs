//! In which order files are read: that of their times, whatever the order they are named in ([`diskwright::observe::order`]).
//!
//! Ignores: pipes, whose beginning would be gone; with one of them all are read as they are named.

use std::io::Read;
use std::path::Path;

use diskwright::observe::order;
use dw_counters::Options;

/// The files' indices in the order of their first instants; as named, where one of them does not say its own.
pub fn by_time(files: &[(u32, &Path, Options<'_>)]) -> Vec<u32> {
    let heads: Option<Vec<_>> =
        files.iter().map(|(index, path, options)| Some((*index, head(path)?, *options))).collect();
    heads.map_or_else(|| files.iter().map(|(index, ..)| *index).collect(), |heads| order::by_time(&heads))
}

/// The beginning of a file that can be read again.
fn head(path: &Path) -> Option<Vec<u8>> {
    if !std::fs::metadata(path).is_ok_and(|file| file.is_file()) {
        return None;
    }
    let mut head = Vec::new();
    std::fs::File::open(path).ok()?.take(order::BEGINNING).read_to_end(&mut head).ok()?;
    Some(head)
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
