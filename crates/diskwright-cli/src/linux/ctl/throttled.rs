//! The log of throttled seconds: a CSV row for each limit that held requests up in a second.

use std::io::Write;
use std::path::Path;

use dw_emulator::status::meter::Throttled;
use dw_error::Result;

use crate::system;

const HEAD: [&str; 6] = ["second", "length_s", "place", "limit", "binding_percent", "waited_requests"];

/// Begins the log in a file; the rows come later, each complete when it is written.
pub(crate) fn log(path: &Path) -> Result<Box<dyn FnMut(Throttled)>> {
    let cannot = |e: &std::io::Error| system::unwritable(path, "--log-throttled", e);
    let file = std::fs::File::create(path).map_err(|e| cannot(&e))?;
    let mut rows = csv::Writer::from_writer(file);
    head(&mut rows).map_err(|e| cannot(&e.into()))?;
    Ok(Box::new(move |second| {
        // A full disk is no reason to end the emulation: the status has the same figures.
        let _ = row(&mut rows, &second);
    }))
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
