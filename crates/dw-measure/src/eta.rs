//! The line that fio prints while it runs: `Jobs: 2 (f=2): [r(2)][45.5%][r=7996KiB/s,w=12KiB/s][r=1999,w=3 IOPS][eta 00m:06s]`.
//!
//! It is the only thing that fio says of itself before the end without being slowed down; its figures have three or four
//! digits, enough to show that a run is steady.

/// What the line says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Eta {
    /// Reads per second.
    pub read_iops: f64,
    /// Writes per second.
    pub write_iops: f64,
    /// Seconds that fio still needs, as it thinks.
    pub left_s: Option<u64>,
}

/// Reads the line; nothing when it says no rates, as at the start.
pub fn parse(line: &str) -> Option<Eta> {
    if !line.trim_start().starts_with("Jobs:") {
        return None;
    }
    let mut parts = line.split(['[', ']']);
    let rates = parts.find_map(|part| part.strip_suffix(" IOPS"))?;
    let mut eta = Eta::default();
    for pair in rates.split(',') {
        match pair.split_once('=') {
            // Before the first rates there is only what was asked for: `, 0-3000 IOPS`.
            None => return None,
            Some(("r", text)) => eta.read_iops = number(text)?,
            Some(("w", text)) => eta.write_iops = number(text)?,
            _ => {}
        }
    }
    eta.left_s = parts.find_map(|part| part.strip_prefix("eta ")).and_then(clock);
    Some(eta)
}

/// `77.0k`, `1999`, `1.2M`.
fn number(text: &str) -> Option<f64> {
    let (digits, factor) = match text.as_bytes().last()? {
        b'k' => (&text[..text.len() - 1], 1e3),
        b'M' => (&text[..text.len() - 1], 1e6),
        b'G' => (&text[..text.len() - 1], 1e9),
        _ => (text, 1.0),
    };
    digits.parse::<f64>().ok().map(|n| n * factor)
}

/// `00m:06s`, `01h:02m:03s`, `1d:00h:00m:00s`.
fn clock(text: &str) -> Option<u64> {
    text.split(':').try_fold(0, |sum, part| {
        let (digits, unit) = part.split_at(part.len().checked_sub(1)?);
        let seconds = match unit {
            "d" => 86_400,
            "h" => 3_600,
            "m" => 60,
            "s" => 1,
            _ => return None,
        };
        Some(sum + digits.parse::<u64>().ok()? * seconds)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_fio_are_read() {
        let cases = [
            (
                "Jobs: 3 (f=3), 0-3000 IOPS: [r(2),w(1)][60.0%][r=7992KiB/s,w=8000KiB/s][r=1998,w=1000 IOPS][eta 00m:02s]",
                Some(Eta { read_iops: 1998.0, write_iops: 1000.0, left_s: Some(2) }),
            ),
            (
                "Jobs: 1 (f=1): [r(1)][100.0%][r=301MiB/s][r=77.0k IOPS][eta 01h:00m:06s]",
                Some(Eta { read_iops: 77_000.0, write_iops: 0.0, left_s: Some(3_606) }),
            ),
            (
                "Jobs: 4 (f=4): [w(4)][-.-%][w=1024MiB/s][w=1.5M IOPS][eta --]",
                Some(Eta { write_iops: 1.5e6, ..Eta::default() }),
            ),
            ("Jobs: 3 (f=0)", None),
            ("Jobs: 3 (f=3), 0-3000 IOPS", None),
            ("fio: pid=12, err=28/file:engines.c", None),
        ];
        for (line, expected) in cases {
            assert_eq!(parse(line), expected, "{line}");
        }
    }
}
