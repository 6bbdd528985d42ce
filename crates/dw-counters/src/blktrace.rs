//! What blktrace writes: one file a processor, records of 48 bytes with a tail.
//!
//! Magic `0x65617407`, sequence, time in ns, sector, bytes, action, pid, device, cpu, error, length of the tail, in the byte
//! order of the machine. The low half of the action is what happened (1 queued, 7 issued, 8 completed), the high half what
//! the request is (1 read, 2 write, 4 flush, 0x2000 discard). Files of one trace are merged by time; each is in order by
//! itself. The place of a reading is its record, from 1.
//!
//! Source: the kernel's `include/uapi/linux/blktrace_api.h`.
//!
//! Ignores: messages, process names, remaps, merges; drivers' own data.

use std::io::{self, BufRead, Read};

use dw_observe::{Action, Common, Fact, IoEvent, MOST_DEVICES, Reading, Sink, Stamp};
use dw_units::Bytes;
use dw_workload::Direction;

use super::input::unreadable;
use super::out::Out;
use super::{CounterError, Format, Options, Summary};

const MAGIC: u32 = 0x6561_7400;
const VERSION: u32 = 7;
const RECORD: usize = 48;

/// A record that matters.
struct Event {
    ns: u64,
    device: u32,
    event: IoEvent,
    record: u64,
}

/// One file, and its next event.
struct Source<'a> {
    input: Box<dyn BufRead + 'a>,
    next: Option<Event>,
    records: u64,
    swapped: Option<bool>,
}

/// Reads the files of one trace, merged by time.
pub fn read_blktrace<'a>(
    files: Vec<(Options<'a>, Box<dyn BufRead + 'a>)>,
    sink: &mut dyn Sink,
) -> Result<Summary, CounterError> {
    let (mut readings, mut faults) = (0, 0);
    let mut sources: Vec<(Options<'a>, Source<'a>)> = files
        .into_iter()
        .map(|(options, input)| (options, Source { input, next: None, records: 0, swapped: None }))
        .collect();
    let mut common = Common::at(Stamp::Since { ns: 0 });
    for (options, source) in &mut sources {
        let mut out = Out::new(sink, options, Format::Blktrace);
        out.fact(1, &common, Fact::Tool("blktrace".into()));
        source.advance(&mut out)?;
        faults += out.faults();
    }
    let mut names: Vec<(u32, dw_observe::Name)> = Vec::new();
    loop {
        let first = sources.iter().enumerate().filter_map(|(i, (_, s))| s.next.as_ref().map(|e| (e.ns, i))).min();
        let Some((_, index)) = first else { break };
        let (options, source) = &mut sources[index];
        let Some(found) = source.next.take() else { break };
        let mut out = Out::new(sink, options, Format::Blktrace);
        let device = match names.iter().find(|(number, _)| *number == found.device) {
            Some((_, name)) => name.clone(),
            None => {
                let name: dw_observe::Name = format!("{},{}", found.device >> 20, found.device & 0xf_ffff).into();
                if names.len() >= MOST_DEVICES {
                    let what = format!("more than {MOST_DEVICES} devices in one trace: one more is `{name}`");
                    let hint = "no machine has that many: is this file damaged? copy it again";
                    return Err(out.error(found.record, what, hint));
                }
                names.push((found.device, name.clone()));
                name
            }
        };
        common.stamp = Stamp::Since { ns: found.ns };
        out.take(found.record, &common, Reading::Io { device, event: found.event });
        source.advance(&mut out)?;
        readings += out.readings();
        faults += out.faults();
    }
    if readings == 0
        && let Some((options, source)) = sources.first()
    {
        let what = "no request was queued, issued or completed in this trace";
        let hint = "was the disk idle? record while the workload runs";
        return Err(Out::new(sink, options, Format::Blktrace).error(source.records, what, hint));
    }
    Ok(Summary { format: Format::Blktrace, readings, faults })
}

impl Source<'_> {
    /// Reads on to the next event that matters.
    fn advance(&mut self, out: &mut Out<'_>) -> Result<(), CounterError> {
        self.next = None;
        let mut record = [0_u8; RECORD];
        loop {
            let length =
                fill(&mut self.input, &mut record).map_err(|e| unreadable(out.options.name, self.records + 1, &e))?;
            if length == 0 {
                return Ok(());
            }
            self.records += 1;
            if length < RECORD {
                return self.cut(length, out);
            }
            let magic = u32::from_le_bytes([record[0], record[1], record[2], record[3]]);
            let swapped =
                *self.swapped.get_or_insert(magic & 0xffff_ff00 != MAGIC && magic.swap_bytes() & 0xffff_ff00 == MAGIC);
            let magic = if swapped { magic.swap_bytes() } else { magic };
            if magic & 0xffff_ff00 != MAGIC {
                let what = format!("record {} begins with {magic:#010x}, not with blktrace's magic", self.records);
                return out.fault(self.records, what, "everything after it is ignored".into());
            }
            if magic & 0xff != VERSION {
                let version = magic & 0xff;
                return out.fault(self.records, format!("version {version} of blktrace"), "version 7 is read".into());
            }
            let tail = u64::from(half(&record, 46, swapped));
            let skipped = io::copy(&mut (&mut self.input).take(tail), &mut io::sink());
            if skipped.map_err(|e| unreadable(out.options.name, self.records, &e))? < tail {
                return self.cut(RECORD, out);
            }
            if let Some(event) = event(&record, swapped) {
                let (ns, device) = (long(&record, 8, swapped), word(&record, 36, swapped));
                self.next = Some(Event { ns, device, event, record: self.records });
                return Ok(());
            }
        }
    }

    fn cut(&self, length: usize, out: &mut Out<'_>) -> Result<(), CounterError> {
        let what = format!("the file ends inside record {}, after {length} bytes", self.records);
        out.fault(self.records, what, "everything before it is used".into())
    }
}

fn event(record: &[u8; RECORD], swapped: bool) -> Option<IoEvent> {
    let action = word(record, 28, swapped);
    let (what, category) = (action & 0xffff, action >> 16);
    const NOTIFY: u32 = 1 << 10;
    if category & NOTIFY != 0 {
        return None;
    }
    let action = match what {
        1 => Action::Queue,
        7 => Action::Issue,
        8 => Action::Complete,
        _ => return None,
    };
    let flush = category & 4 != 0;
    let direction = if category & 0x2000 != 0 {
        Direction::Trim
    } else if category & 1 != 0 {
        Direction::Read
    } else if category & 2 != 0 || flush {
        Direction::Write
    } else {
        return None;
    };
    let len = u64::from(word(record, 24, swapped));
    let offset = long(record, 16, swapped).checked_mul(512);
    Some(IoEvent { action, direction, flush, offset, len: Bytes::new(len), latency: None })
}

fn fill(input: &mut dyn BufRead, record: &mut [u8]) -> io::Result<usize> {
    let mut at = 0;
    while at < record.len() {
        match input.read(&mut record[at..]) {
            Ok(0) => break,
            Ok(n) => at += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(at)
}

fn half(record: &[u8; RECORD], at: usize, swapped: bool) -> u16 {
    let value = u16::from_le_bytes([record[at], record[at + 1]]);
    if swapped { value.swap_bytes() } else { value }
}

fn word(record: &[u8; RECORD], at: usize, swapped: bool) -> u32 {
    let value = u32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]]);
    if swapped { value.swap_bytes() } else { value }
}

fn long(record: &[u8; RECORD], at: usize, swapped: bool) -> u64 {
    let (low, high) = (u64::from(word(record, at, false)), u64::from(word(record, at + 4, false)));
    let value = high << 32 | low;
    if swapped { value.swap_bytes() } else { value }
}
