//! biosnoop of bcc: one line a completed request, with its latency.
//!
//! Columns are found by the names of the header, from the right, because the name of a process may have blanks. `LAT(ms)` is
//! from issue to completion, without `QUE(ms)`; the time of a line is that of the completion.

use dw_observe::{Action, Common, Fact, IoEvent, Reading, Stamp};
use dw_units::{Bytes, Duration};

use super::CounterError;
use super::error::shown;
use super::input::{Lines, words};
use super::number::{from_zero, pointed, whole};
use super::out::Out;
use super::rwbs::rwbs;

/// Reads to the end.
pub(super) fn read(lines: &mut Lines<'_>, out: &mut Out<'_>) -> Result<(), CounterError> {
    let mut common = Common::at(Stamp::Since { ns: 0 });
    out.fact(1, &common, Fact::Tool("biosnoop".into()));
    let mut header: Vec<Vec<u8>> = Vec::new();
    while lines.advance()? {
        let number = lines.number();
        let fields: Vec<&[u8]> = words(lines.bytes()).collect();
        if fields.is_empty() {
            continue;
        }
        if fields.contains(&&b"DISK"[..]) && fields[0].starts_with(b"TIME") {
            header = fields.iter().map(|word| word.to_vec()).collect();
            if !fields.contains(&&b"SECTOR"[..]) {
                let what = "the header has no column SECTOR".to_string();
                out.fault(number, what, "random and sequential I/O cannot be told apart".into())?;
            }
            continue;
        }
        match event(&header, &fields) {
            Some((ns, device, event)) => {
                common.stamp = Stamp::Since { ns };
                let device = out.device(number, device)?;
                out.take(number, &common, Reading::Io { device, event });
            }
            // What bcc says before its header is not damage.
            None if header.is_empty() => {}
            None => out.damaged(lines, format_args!("`{}` is not a line of biosnoop", shown(lines.bytes())))?,
        }
    }
    Ok(())
}

fn event<'a>(header: &[Vec<u8>], fields: &[&'a [u8]]) -> Option<(u64, &'a [u8], IoEvent)> {
    let of = |name: &str| {
        let at = header.iter().position(|column| column == name.as_bytes())?;
        fields.len().checked_sub(header.len() - at).and_then(|index| fields.get(index)).copied()
    };
    if header.is_empty() || fields.len() < header.len() {
        return None;
    }
    let time = pointed(fields[0]).filter(|t| (0.0..1e9).contains(t))?;
    let unit = if header[0] == b"TIME(ms)" { 1e6 } else { 1e9 };
    let len = whole(of("BYTES")?)?;
    let latency = from_zero(pointed(of("LAT(ms)")?))?;
    let (direction, flush) = of("T").or_else(|| of("RWBS")).and_then(rwbs)??;
    // A flush is nowhere: its sector is -1.
    let offset = match of("SECTOR").filter(|_| len > 0) {
        Some(sector) => Some(whole(sector)?.checked_mul(512)?),
        None => None,
    };
    let latency = Some(Duration::from_ns((latency * 1e6).round() as u64));
    let event = IoEvent { action: Action::Complete, direction, flush, offset, len: Bytes::new(len), latency };
    Some(((time * unit).round() as u64, of("DISK")?, event))
}
