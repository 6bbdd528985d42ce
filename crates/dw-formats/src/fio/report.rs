//! What reading job files finds besides the workload: errors, warnings, what was ignored.
//!
//! Every one of them names a file and a line. An error has three parts: where, what, hint.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use dw_messages::Sentence;

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub file: Arc<str>,
    pub line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Why a job file cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FioError {
    /// The file as it was named by the caller, or `command line`.
    pub file: String,
    /// The line, from 1; for the command line, the position of the option.
    pub line: usize,
    /// The option and its value as written, or the whole line.
    pub text: String,
    /// What is wrong.
    pub what: String,
    /// What to write instead.
    pub hint: String,
}

impl fmt::Display for FioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: `{}` {}", self.file, self.line, self.text, self.what)?;
        if self.hint.is_empty() { Ok(()) } else { write!(f, "\nhint: {}", self.hint) }
    }
}

impl std::error::Error for FioError {}

/// All errors of all files; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FioErrors(pub Vec<FioError>);

impl fmt::Display for FioErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for FioErrors {}

impl FioErrors {
    /// As one error, each with its line where `line` gives that.
    pub fn within<'a>(self, line: impl Fn(&FioError) -> Option<&'a str>) -> dw_error::Error {
        let one = |error: FioError| {
            let plain = dw_error::Error::input(format!("`{}` {}", error.text, error.what)).hint(&error.hint);
            let plain = plain.at(&error.file, error.line);
            let plain = match line(&error) {
                Some(line) => plain.excerpt(line, line.find(&error.text).map(|at| at..at + error.text.len())),
                None => plain,
            };
            plain.caused_by(error)
        };
        dw_error::Error::all(self.0.into_iter().map(one)).unwrap_or_else(|| dw_error::Error::unexpected("no error"))
    }
}

/// Something as it was written, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file as it was named by the caller, or the command line.
    pub file: String,
    /// The line, from 1; for a command line, the position of the option or word.
    pub line: usize,
    /// The option and its value as written.
    pub text: String,
}

/// Where a section of the workload was written, so that whatever becomes of it can be said in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionOrigin {
    /// The section that jobs name.
    pub section: u32,
    /// Its head.
    pub itself: Written,
    /// Its options, by fio's canonical name, or by DiskSpd's switch.
    pub options: BTreeMap<&'static str, Written>,
}

/// An option that changes nothing here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IgnoredOption {
    pub file: String,
    pub line: usize,
    /// The option's canonical name.
    pub option: &'static str,
    /// Why it changes nothing.
    pub reason: &'static str,
}

/// One doubt about the result.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    pub kind: WarningKind,
    pub file: String,
    pub line: usize,
    /// The option and its value as written.
    pub text: String,
    /// What may surprise.
    pub what: Sentence,
    /// The next step.
    pub hint: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: `{}` {}", self.file, self.line, self.text, self.what)?;
        if self.hint.is_empty() { Ok(()) } else { write!(f, "\nhint: {}", self.hint) }
    }
}

impl From<&Warning> for dw_error::Notice {
    fn from(warning: &Warning) -> Self {
        let what = format!("`{}` {}", warning.text, warning.what);
        dw_error::Notice::at(&warning.file, warning.line, what, &warning.hint)
    }
}

/// The doubts, one variant each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WarningKind {
    /// Without `direct=1` fio goes through the guest's page cache, which is not modelled.
    Buffered,
    /// A blank after `=` was read as fio reads it.
    BlankValue,
    /// An option of a built-in profile, which fio accepts everywhere and ignores.
    ProfileOption,
    /// A command-line option without effect, because the file sets it.
    OverrideWithoutEffect,
    /// fio applies command-line options to the first job file only.
    OverrideFirstFileOnly,
    /// A synchronous engine runs one request at a time, whatever `iodepth` says.
    DepthOfSynchronousEngine,
    /// Polling for completions keeps one request in flight, whatever `iodepth` says.
    DepthOfPolling,
    /// No file was named; the only volume is used.
    AssumedVolume,
    /// `time_based` without `runtime` is dropped.
    TimeBasedWithoutRuntime,
    /// The percentages of a split do not add up to 100.
    SplitSum,
    /// One rate for a mixed job holds for reads and for writes, and overrides the mix.
    RateOverridesMix,
    /// More was asked of a device than it has.
    LargerThanDevice,
    /// Something is not modelled, with a small effect.
    Approximated,
    /// `exitall=0` switches it on.
    ExitAllZero,
    /// `MiB` counts in thousands and `M` in 1024s, unless `kb_base=1000` is set.
    ReversedUnit,
    /// `blockalign` or a distribution switches the random map off.
    MapSwitchedOff,
    /// A file of which nobody says how large it is fills its volume.
    AssumedSize,
    /// A byte-order mark, at which fio stops.
    ByteOrderMark,
    /// A file with `[global]` alone.
    OnlyGlobal,
    /// A job that moves no data is left out.
    NoData,
    /// A range where one value a direction is expected.
    NotARange,
    /// Digits in groups where a value for each direction is read.
    Thousands,
    /// Requests that are no whole sectors.
    NotSectors,
    /// A rate limit in another unit than its number suggests, or rounded by the tool.
    RateUnit,
    /// Several threads read or write the same blocks one after the other.
    SameBlocks,
    /// The tool would report no latency as asked.
    LatencyNotMeasured,
    /// Text after a number that the tool does not read.
    TrailingText,
    /// Something that was asked for has no effect next to something else.
    WithoutEffect,
}
