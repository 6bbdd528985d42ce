//! A door for fuzzers: a plain function over bytes that must return whatever comes.

use dw_observe::CollectedReadings;

use crate::{Format, Options, read};

/// Reads arbitrary bytes as a recording: as what it is recognised for, and as every format.
///
/// # Panics
/// When a fault or an error names no line, or says nothing: what the fuzzer looks for.
pub fn recording(bytes: &[u8]) {
    for format in [None].into_iter().chain(Format::ALL.map(Some)) {
        let mut kept = CollectedReadings::default();
        let options = Options { name: "fuzz", format, ..Options::default() };
        match read(bytes, &options, &mut kept) {
            Ok(summary) => assert_eq!(summary.faults, kept.faults.len() as u64, "a fault was not counted"),
            Err(error) => assert!(error.line > 0 && !error.what.is_empty(), "an error without a line: {error:?}"),
        }
        for (origin, fault) in &kept.faults {
            assert!(origin.line > 0 && !fault.what.is_empty(), "a fault without a line: {fault:?}");
        }
        assert!(kept.readings.iter().all(|(origin, ..)| origin.line > 0), "a reading without a line");
    }
}
