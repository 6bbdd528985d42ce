//! The log of throttled seconds: a CSV row for each limit that held requests up in a second.
//!
//! It is a new file: one that is there is never overwritten, and no link is followed. A pipe or a device is written to.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use dw_emulator::status::meter::Throttled;
use dw_error::{Error, Result};
use rustix::fs::OFlags;

use crate::system;

const HEAD: [&str; 6] = ["second", "length_s", "place", "limit", "binding_percent", "waited_requests"];

/// A log that was made: it goes again with an emulation that does not begin. None = it stays.
#[derive(Debug)]
pub(crate) struct NewLog(Option<PathBuf>);

impl NewLog {
    /// The emulation has begun.
    pub(crate) fn stays(mut self) {
        self.0 = None;
    }
}

impl Drop for NewLog {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Takes the rows.
type Rows = Box<dyn FnMut(Throttled)>;

/// Begins the log in a file; the rows come later, each complete when it is written.
pub(crate) fn log(path: &Path) -> Result<(NewLog, Rows)> {
    let cannot = |e: &std::io::Error| system::unwritable(path, "--log-throttled", e);
    let there = std::fs::symlink_metadata(path).map(|there| there.file_type()).ok();
    let is_stream = there.is_some_and(|kind| kind.is_fifo() || kind.is_char_device());
    if there.is_some_and(|kind| !kind.is_dir()) && !is_stream {
        let hint = "move it, or give another path; existing files are not overwritten";
        return Err(Error::input(format!("{} exists", path.display())).hint(hint));
    }
    let how = OFlags::NOFOLLOW.bits() as i32;
    let file = OpenOptions::new().write(true).create_new(!is_stream).custom_flags(how).open(path);
    let file = file.map_err(|e| cannot(&e))?;
    let made = NewLog((!is_stream).then(|| path.to_path_buf()));
    let mut rows = csv::Writer::from_writer(file);
    head(&mut rows).map_err(|e| cannot(&e.into()))?;
    let take = move |second: Throttled| {
        // A full disk is no reason to end the emulation: the status has the same figures.
        let _ = row(&mut rows, &second);
    };
    Ok((made, Box::new(take)))
}

fn head<W: Write>(rows: &mut csv::Writer<W>) -> csv::Result<()> {
    rows.write_record(HEAD)?;
    Ok(rows.flush()?)
}

fn row<W: Write>(rows: &mut csv::Writer<W>, second: &Throttled) -> csv::Result<()> {
    let seconds = |ns: u64| format!("{:.3}", ns as f64 / 1e9);
    let share = second.binding.ns() as f64 * 100.0 / second.span.ns().max(1) as f64;
    rows.write_record([
        seconds(second.from.ns()),
        seconds(second.span.ns()),
        second.place.clone(),
        second.limit.name(),
        format!("{share:.1}"),
        second.waited.to_string(),
    ])?;
    Ok(rows.flush()?)
}

#[cfg(test)]
mod tests {
    use dw_documents::{LimitId, Quantity};
    use dw_units::{Duration, Instant};

    use super::*;

    #[test]
    fn nothing_that_is_there_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let (victim, link, new) = (folder.path().join("victim"), folder.path().join("link"), folder.path().join("new"));
        std::fs::write(&victim, "precious").unwrap();
        for target in [&victim, &folder.path().join("nothing")] {
            let _ = std::fs::remove_file(&link);
            std::os::unix::fs::symlink(target, &link).unwrap();
            for path in [&victim, &link] {
                let said = log(path).map(drop).unwrap_err().to_string();
                assert!(said.contains(" exists\nhint: move it,"), "{said}");
            }
        }
        assert_eq!(std::fs::read_to_string(&victim).unwrap(), "precious");
        assert!(!folder.path().join("nothing").exists());
        log(Path::new("/dev/null")).map(drop).unwrap();
        drop(log(&new).unwrap());
        assert!(!new.exists(), "nothing has begun");
        log(&new).unwrap().0.stays();
        assert_eq!(std::fs::read_to_string(&new).unwrap().lines().next(), Some(HEAD.join(",").as_str()));
    }

    #[test]
    fn a_row_says_when_where_how_long_and_for_how_many() {
        let mut rows = csv::Writer::from_writer(Vec::new());
        head(&mut rows).unwrap();
        let second = |place: &str, limit| Throttled {
            from: Instant::from_ns(3_000_000_000),
            span: Duration::from_ms(1_000),
            limit,
            place: place.into(),
            binding: Duration::from_us(997_400),
            waited: 5_120,
        };
        row(&mut rows, &second("vm", LimitId::vm("uncached", Quantity::Iops))).unwrap();
        row(&mut rows, &second("a, b.0", LimitId::disk("a, b", Quantity::Throughput))).unwrap();
        let text = String::from_utf8(rows.into_inner().unwrap()).unwrap();
        insta::assert_snapshot!(text, @r#"
        second,length_s,place,limit,binding_percent,waited_requests
        3.000,1.000,vm,vm uncached IOPS,99.7,5120
        3.000,1.000,"a, b.0",disk throughput,99.7,5120
        "#);
    }
}
