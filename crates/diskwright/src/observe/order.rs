//! In which order recordings are read: that of their times, whatever the order they are named in.
//!
//! A long recording is folded as it is read, and what was folded is not put in order any more: files of one machine that
//! continue each other must come one after the other. The first stamp of each is in its beginning.
//!
//! Ignores: recordings whose stamps have no date, and those that overlap; they are read as they are named.

use dw_counters::{Options, is_of_names, read};
use dw_observe::{Common, Fault, Origin, Reading, Sink, Stamp};

/// More than any header, less than anybody waits for.
pub const BEGINNING: u64 = 256 << 10;

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

/// The indices in the order of the first instants of these beginnings; as named, where one of them does not say its own. What names the devices of
/// the others comes before them.
pub fn by_time(heads: &[(u32, Vec<u8>, Options<'_>)]) -> Vec<u32> {
    let (names, heads): (Vec<_>, Vec<_>) = heads.iter().partition(|(_, head, _)| is_of_names(head));
    names.iter().map(|(index, ..)| *index).chain(of_figures(&heads)).collect()
}

fn of_figures(heads: &[&(u32, Vec<u8>, Options<'_>)]) -> Vec<u32> {
    let first = |(index, head, options): &(u32, Vec<u8>, Options<'_>)| Some((first_instant(head, options)?, *index));
    let found: Option<Vec<(i64, u32)>> = heads.iter().copied().map(first).collect();
    let Some(mut found) = found else { return heads.iter().map(|(index, ..)| *index).collect() };
    found.sort_unstable();
    found.into_iter().map(|(_, index)| index).collect()
}

/// The first instant that the beginning of a recording says.
fn first_instant(head: &[u8], options: &Options<'_>) -> Option<i64> {
    let mut first = First::default();
    // It ends inside a line, and is read as a whole later: what is wrong with it is said then.
    let _ = read(head, &Options { strict: false, ..*options }, &mut first);
    first.0
}
