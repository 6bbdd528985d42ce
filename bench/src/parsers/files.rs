//! Recordings to read, drawn from a seed: iostat of eight disks, PerfMon of sixty counters, a trace of a busy disk.
//!
//! Ignores: everything that makes real files hard to read; the fixtures of the importers have that.

use std::io::{BufWriter, Write};
use std::path::Path;

use dw_workload::rng::Stream;

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `iostat -xt`, text.
    Iostat,
    /// PerfMon as CSV.
    Perfmon,
    /// What blktrace leaves for one processor.
    Blktrace,
}

/// Writes at least so many bytes; how many there are.
pub fn write(kind: Kind, path: &Path, bytes: u64) -> Result<u64, String> {
    let write = || -> std::io::Result<u64> {
        let mut out = BufWriter::new(std::fs::File::create(path)?);
        let mut rng = Stream::new(1, 0);
        match kind {
            Kind::Iostat => iostat(&mut out, bytes, &mut rng)?,
            Kind::Perfmon => perfmon(&mut out, bytes, &mut rng)?,
            Kind::Blktrace => blktrace(&mut out, bytes, &mut rng)?,
        }
        out.into_inner()?.metadata().map(|found| found.len())
    };
    write().map_err(|e| format!("{}: {e}", path.display()))
}

/// A number from zero, with two decimals.
fn drawn(rng: &mut Stream, below: u64) -> f64 {
    rng.below(below * 100) as f64 / 100.0
}

fn clock(second: u64) -> (u64, u64, u64, u64) {
    (1 + second / 86_400, second / 3_600 % 24, second / 60 % 60, second % 60)
}

fn iostat(out: &mut impl Write, bytes: u64, rng: &mut Stream) -> std::io::Result<()> {
    const HEAD: &str = "Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm \
                        w_await wareq-sz     d/s     dkB/s   drqm/s  %drqm d_await dareq-sz     f/s f_await  aqu-sz  %util";
    writeln!(out, "Linux 6.8.0-45-generic (db01) \t01/01/2026 \t_x86_64_\t(8 CPU)\n")?;
    let (mut written, mut second) = (0, 0);
    while written < bytes {
        let (day, h, m, s) = clock(second % (28 * 86_400));
        let mut text =
            format!("01/{day:02}/2026 {h:02}:{m:02}:{s:02}\navg-cpu:  %user   %nice %system %iowait  %steal   %idle\n");
        text += &format!("          {:6.2}    0.00    1.30    0.40    0.00   {:6.2}\n\n{HEAD}\n", drawn(rng, 50), 40.0);
        for disk in 'a'..='h' {
            let (r, w) = (drawn(rng, 9_000), drawn(rng, 3_000));
            text += &format!(
                "sd{disk}        {r:9.2} {:9.2}     0.00   0.00 {:7.2}     8.00 {w:7.2} {:9.2}     1.00   0.10 {:7.2}    16.00    \
                 0.00      0.00     0.00   0.00    0.00     0.00    0.00    0.00  {:6.2}  55.10\n",
                r * 8.0,
                drawn(rng, 3),
                w * 16.0,
                drawn(rng, 5),
                r / 1_000.0
            );
        }
        text.push('\n');
        out.write_all(text.as_bytes())?;
        written += text.len() as u64;
        second += 1;
    }
    Ok(())
}

fn perfmon(out: &mut impl Write, bytes: u64, rng: &mut Stream) -> std::io::Result<()> {
    const COUNTERS: [&str; 6] = [
        "Disk Reads/sec",
        "Disk Writes/sec",
        "Disk Read Bytes/sec",
        "Disk Write Bytes/sec",
        "Avg. Disk sec/Read",
        "Avg. Disk sec/Write",
    ];
    let mut text = String::from("\"(PDH-CSV 4.0) (UTC)(0)\"");
    for disk in 0..10 {
        COUNTERS.iter().for_each(|c| text += &format!(",\"\\\\SRV\\PhysicalDisk({disk})\\{c}\""));
    }
    text += "\r\n";
    out.write_all(text.as_bytes())?;
    let (mut written, mut second) = (text.len() as u64, 0);
    while written < bytes {
        let (day, h, m, s) = clock(second % (28 * 86_400));
        let mut text = format!("\"01/{day:02}/2026 {h:02}:{m:02}:{s:02}.125\"");
        for _ in 0..10 {
            let (r, w) = (drawn(rng, 900), drawn(rng, 900));
            text += &format!(",\"{r:.13}\",\"{w:.13}\",\"{:.10}\",\"{:.10}\"", r * 8_192.0, w * 8_192.0);
            text += &format!(",\"{:.17}\",\"{:.17}\"", drawn(rng, 5) / 1e3, drawn(rng, 5) / 1e3);
        }
        text += "\r\n";
        out.write_all(text.as_bytes())?;
        written += text.len() as u64;
        second += 1;
    }
    Ok(())
}

/// Issue and completion of 8 KiB reads and writes, 20 us apart, one at a time.
fn blktrace(out: &mut impl Write, bytes: u64, rng: &mut Stream) -> std::io::Result<()> {
    const SYNC_READ: u32 = 1 << 16;
    const WRITE: u32 = 2 << 16;
    let mut sequence = 0u32;
    let mut record = |ns: u64, sector: u64, action: u32| -> [u8; 48] {
        sequence += 1;
        let mut bytes = [0; 48];
        bytes[..4].copy_from_slice(&0x6561_7407u32.to_le_bytes());
        bytes[4..8].copy_from_slice(&sequence.to_le_bytes());
        bytes[8..16].copy_from_slice(&ns.to_le_bytes());
        bytes[16..24].copy_from_slice(&sector.to_le_bytes());
        bytes[24..28].copy_from_slice(&8_192u32.to_le_bytes());
        bytes[28..32].copy_from_slice(&action.to_le_bytes());
        bytes[32..36].copy_from_slice(&1u32.to_le_bytes());
        bytes[36..40].copy_from_slice(&(8u32 << 20).to_le_bytes());
        bytes
    };
    for i in 0..bytes.div_ceil(96) {
        let direction = if rng.below(10) < 7 { SYNC_READ } else { WRITE };
        let (at, sector) = (i * 20_000, rng.below(1 << 28) * 16);
        out.write_all(&record(at, sector, direction | (1 << 22) | 7))?;
        out.write_all(&record(at + 15_000, sector, direction | (1 << 23) | 8))?;
    }
    Ok(())
}
