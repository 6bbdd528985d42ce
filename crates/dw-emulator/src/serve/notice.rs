//! What the server has to say while it runs. It prints nothing itself.
//!
//! What clients bring about, they can bring about a hundred times a second. Of each kind of that the first [`NOTICES_MAX`] in [`WINDOW`] are
//! given; then it is said how many were not.

use std::fmt;

use dw_documents::format::grouped;
use dw_units::Duration;

use crate::command::{Answer, CommandError};
use crate::engine::LOOK;
use crate::pace::HostTime;
use crate::status::Refusal;

/// Notices of a kind that are given in a window, unless somebody wants more.
pub(super) const NOTICES_MAX: u32 = 10;
/// How long a window lasts, from its first notice on.
const WINDOW: Duration = Duration::from_secs(10);

/// Something that whoever runs the server should know.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// A client was sent away, or its connection ended as it should not.
    Dropped { why: String },
    /// More clients than allowed.
    TooManyClients {
        /// How many are allowed.
        most: usize,
    },
    /// No further client can be let in for the moment.
    NotAccepted { why: String },
    /// A client keeps exactly as many requests in flight as QEMU's own NBD client can.
    SixteenInFlight {
        /// What it uses.
        export: String,
    },
    /// There is no room for the memory of a vhost-user client: requests that need it fail.
    ShortOfMemory {
        /// What it uses.
        export: String,
        /// Which memory, and why.
        why: String,
    },
    /// The timeline did something.
    Planned {
        /// Line of the scenario.
        line: usize,
        /// What came of it.
        result: Result<Answer, CommandError>,
    },
    /// A change that had to wait for its volume was not made.
    NotChanged {
        /// What was asked.
        what: String,
        /// Why not.
        why: String,
    },
    /// This machine refused bytes of a disk, for the first time of its kind.
    HostRefused { refused: Refusal },
    /// Notices that were not given, because there were too many of their kind.
    LeftOut { count: u64, last: String },
    /// The data could not all be made durable at the end.
    NotDurable { why: String },
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::Dropped { why } => write!(f, "a connection was closed: {why}"),
            Notice::TooManyClients { most } => {
                write!(f, "a client was turned away: {most} are connected\nhint: `--max-connections` allows more")
            }
            Notice::NotAccepted { why } => write!(f, "clients cannot be accepted for the moment: {why}"),
            Notice::SixteenInFlight { export } => write!(
                f,
                "a client of `{export}` never has more than 16 requests in flight, while the disk could take more. QEMU's own NBD \
                 driver cannot do better, so a guest behind it reaches 16 / latency IOPS at most\n\
                 hint: attach with nbd-client on the host and give QEMU /dev/nbdX, or raise the client's queue depth"
            ),
            Notice::ShortOfMemory { export, why } => write!(
                f,
                "requests of a vhost-user client of `{export}` get EIO: {why}\n\
                 hint: enlarge the tmpfs that holds the guest's memory (in a container: `--shm-size`), or use a memfd"
            ),
            Notice::Planned { line, result: Ok(Answer::Crashed { report }) } => {
                write!(f, "timeline, line {line}: crashed, {} bytes lost", grouped(report.lost_bytes() as f64))
            }
            Notice::Planned { line, result: Ok(_) } => write!(f, "timeline, line {line}: done"),
            Notice::Planned { line, result: Err(error) } => write!(f, "timeline, line {line}: {error}"),
            Notice::NotChanged { what, why } => write!(f, "{what} was not done: {why}\nhint: {LOOK}"),
            Notice::HostRefused { refused: Refusal::Error(first) } => {
                write!(
                    f,
                    "{first}: clients get EIO\n\
                     hint: check that directory and the health of its disk; until the emulation stops, readable data can still be copied \
                     out through it; `ctl status` counts these errors"
                )
            }
            Notice::HostRefused { refused: Refusal::NoSpace(first) } => write!(
                f,
                "{first}: clients get ENOSPC, though the modelled disk has space\n\
                 hint: free some space there, raise `--memory-max`, or keep the data in another directory; \
                 `ctl status` counts these errors"
            ),
            Notice::LeftOut { count, last } => write!(
                f,
                "{} more of this kind omitted within {} s, the last: {last}",
                grouped(*count as f64),
                WINDOW.ns() / dw_units::NS_PER_SECOND
            ),
            Notice::NotDurable { why } => write!(f, "some data could not be made durable at the end: {why}"),
        }
    }
}

/// Kinds of notices that clients bring about.
const KINDS: usize = 5;

impl Notice {
    /// Which of them it is, if it is one.
    fn kind(&self) -> Option<usize> {
        match self {
            Notice::Dropped { .. } => Some(0),
            Notice::TooManyClients { .. } => Some(1),
            Notice::NotAccepted { .. } => Some(2),
            Notice::SixteenInFlight { .. } => Some(3),
            Notice::ShortOfMemory { .. } => Some(KINDS - 1),
            _ => None,
        }
    }
}

/// How many notices of each kind there were lately.
#[derive(Debug)]
pub(crate) struct NoticeRate {
    most: u32,
    windows: [Option<Window>; KINDS],
}

#[derive(Debug)]
struct Window {
    until: HostTime,
    shown: u32,
    left_out: u64,
    last: String,
}

impl NoticeRate {
    /// So many of each kind in a window.
    pub(crate) fn new(most: u32) -> NoticeRate {
        NoticeRate { most, windows: Default::default() }
    }

    /// The notice, unless it is one too many. [`NoticeRate::due`] comes first.
    pub(crate) fn admit(&mut self, now: HostTime, notice: Notice) -> Option<Notice> {
        let Some(kind) = notice.kind() else { return Some(notice) };
        let begun = || Window { until: now + WINDOW, shown: 0, left_out: 0, last: String::new() };
        let window = self.windows[kind].get_or_insert_with(begun);
        if window.shown < self.most {
            window.shown += 1;
            return Some(notice);
        }
        window.left_out += 1;
        window.last = notice.to_string();
        None
    }

    /// When something is due.
    pub(crate) fn deadline(&self) -> Option<HostTime> {
        self.windows.iter().flatten().filter(|window| window.left_out > 0).map(|window| window.until).min()
    }

    /// Ends the windows whose time is over at `now`; what was left out in the next of them.
    pub(crate) fn due(&mut self, now: HostTime) -> Option<Notice> {
        let over = |window: &mut Window| window.until <= now;
        let ended = self.windows.iter_mut().filter_map(|window| window.take_if(over));
        let mut left_out = ended.filter(|window| window.left_out > 0);
        left_out.next().map(|Window { left_out, last, .. }| Notice::LeftOut { count: left_out, last })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_notices_is_counted_and_nothing_else_is_held_back() {
        let at = |s: u64| HostTime::from_ns(s * 1_000_000_000);
        let mut rate = NoticeRate::new(NOTICES_MAX);
        let dropped = |n: u64| Notice::Dropped { why: format!("reason {n}") };
        let given = |rate: &mut NoticeRate, s: u64, count: u64| {
            (0..count).filter(|&n| rate.admit(at(s), dropped(n)).is_some()).count()
        };
        assert_eq!(given(&mut rate, 1, 7), 7);
        assert_eq!((given(&mut rate, 5, 500), rate.deadline()), (3, Some(at(11))), "ten in ten seconds");
        let other = Notice::TooManyClients { most: 3 };
        assert_eq!(rate.admit(at(6), other.clone()), Some(other), "each kind has its own");
        let done = Notice::NotDurable { why: "none".into() };
        for s in [6, 7] {
            assert_eq!((0..50).filter_map(|_| rate.admit(at(s), done.clone())).count(), 50, "nobody can flood with it");
        }
        assert_eq!(rate.due(at(10)), None);
        let left_out = rate.due(at(11)).expect("it is time");
        let said = "497 more of this kind omitted within 10 s, the last: a connection was closed: reason 499";
        assert_eq!(left_out.to_string(), said);
        assert_eq!((rate.due(at(11)), rate.deadline()), (None, None));
        assert_eq!(given(&mut rate, 12, 20), 10, "it begins again");
        assert_eq!(rate.admit(at(12), Notice::TooManyClients { most: 3 }), Some(Notice::TooManyClients { most: 3 }));
        let end = HostTime::from_ns(u64::MAX);
        assert!(matches!(rate.due(end), Some(Notice::LeftOut { count: 10, .. })) && rate.due(end).is_none());
    }
}
