//! The names that sysstat gives to the figures of a disk, and what they are in base units.
//!
//! One table for text and JSON, old and new, iostat and sar: a name means the same everywhere, except that JSON of sysstat
//! 11.5.7 and later calls the percentage `rrqm` (see [`Column::named`]). Binary kilobytes everywhere; sectors are 512 bytes.
//!
//! `kB_w+d/s` of the short report is taken for writes, though it holds discards, as `tps` does.

use dw_observe::DiskInterval;
use dw_units::{Bytes, Duration, Throughput};

/// Which figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Reads,
    Writes,
    Discards,
    Flushes,
    Transfers,
    ReadBytes,
    WriteBytes,
    DiscardBytes,
    BothBytes,
    ReadMerges,
    WriteMerges,
    ReadLatency,
    WriteLatency,
    DiscardLatency,
    FlushLatency,
    Latency,
    ReadSize,
    WriteSize,
    IoSize,
    QueueDepth,
    Utilisation,
    ServiceTime,
    /// Known, and not kept: totals since the report before, percentages of merges.
    Known,
}

/// A column: its figure, and what its numbers are multiplied with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Column {
    pub field: Field,
    pub scale: f64,
}

const KIB: f64 = 1024.0;
const MIB: f64 = 1024.0 * 1024.0;
const GIB: f64 = 1024.0 * MIB;
const SECTOR: f64 = 512.0;
const MS: f64 = 1e6;

impl Column {
    /// The column of this name, when it is one; `merges_bare` for JSON whose `rrqm` is a rate.
    pub fn named(name: &[u8], merges_bare: bool) -> Option<Column> {
        use Field::*;
        let column = |field, scale| Some(Column { field, scale });
        match name {
            b"r/s" | b"r" | b"rtps" => column(Reads, 1.0),
            b"w/s" | b"w" | b"wtps" => column(Writes, 1.0),
            b"d/s" | b"d" | b"dtps" => column(Discards, 1.0),
            b"f/s" | b"f" => column(Flushes, 1.0),
            b"tps" => column(Transfers, 1.0),
            b"rkB/s" | b"rkB" | b"kB_read/s" => column(ReadBytes, KIB),
            b"wkB/s" | b"wkB" | b"kB_wrtn/s" | b"kB_w+d/s" => column(WriteBytes, KIB),
            b"dkB/s" | b"dkB" | b"kB_dscd/s" => column(DiscardBytes, KIB),
            b"kB/s" => column(BothBytes, KIB),
            b"rMB/s" | b"rMB" | b"MB_read/s" => column(ReadBytes, MIB),
            b"wMB/s" | b"wMB" | b"MB_wrtn/s" | b"MB_w+d/s" => column(WriteBytes, MIB),
            b"dMB/s" | b"dMB" | b"MB_dscd/s" => column(DiscardBytes, MIB),
            b"MB/s" => column(BothBytes, MIB),
            b"rGB/s" | b"rGB" | b"GB_read/s" => column(ReadBytes, GIB),
            b"wGB/s" | b"wGB" | b"GB_wrtn/s" | b"GB_w+d/s" => column(WriteBytes, GIB),
            b"dGB/s" | b"dGB" | b"GB_dscd/s" => column(DiscardBytes, GIB),
            b"GB/s" => column(BothBytes, GIB),
            b"rsec/s" | b"rsec" | b"rd_sec/s" | b"rd_sec" | b"Blk_read/s" | b"bread/s" | b"bread" => {
                column(ReadBytes, SECTOR)
            }
            b"wsec/s" | b"wsec" | b"wr_sec/s" | b"wr_sec" | b"Blk_wrtn/s" | b"Blk_w+d/s" | b"bwrtn/s" | b"bwrtn" => {
                column(WriteBytes, SECTOR)
            }
            b"dsec/s" | b"dsec" | b"dc_sec/s" | b"dc_sec" | b"Blk_dscd/s" | b"bdscd/s" | b"bdscd" => {
                column(DiscardBytes, SECTOR)
            }
            b"sec/s" => column(BothBytes, SECTOR),
            b"rrqm/s" => column(ReadMerges, 1.0),
            b"wrqm/s" => column(WriteMerges, 1.0),
            b"rrqm" if merges_bare => column(ReadMerges, 1.0),
            b"wrqm" if merges_bare => column(WriteMerges, 1.0),
            b"await" => column(Latency, MS),
            b"r_await" => column(ReadLatency, MS),
            b"w_await" => column(WriteLatency, MS),
            b"d_await" => column(DiscardLatency, MS),
            b"f_await" => column(FlushLatency, MS),
            b"rareq-sz" => column(ReadSize, KIB),
            b"wareq-sz" => column(WriteSize, KIB),
            b"areq-sz" => column(IoSize, KIB),
            b"avgrq-sz" => column(IoSize, SECTOR),
            b"aqu-sz" | b"avgqu-sz" => column(QueueDepth, 1.0),
            b"svctm" => column(ServiceTime, MS),
            b"%util" | b"util" | b"util-percent" => column(Utilisation, 1.0),
            b"rrqm" | b"wrqm" | b"drqm" | b"%rrqm" | b"%wrqm" | b"%drqm" | b"drqm/s" | b"rqm/s" | b"dareq-sz"
            | b"kB_read" | b"kB_wrtn" | b"kB_dscd" | b"kB_w+d" | b"MB_read" | b"MB_wrtn" | b"MB_dscd" | b"MB_w+d"
            | b"GB_read" | b"GB_wrtn" | b"GB_dscd" | b"GB_w+d" | b"Blk_read" | b"Blk_wrtn" | b"Blk_dscd"
            | b"Blk_w+d" => column(Known, 1.0),
            _ => None,
        }
    }

    /// Whether a unit behind the number (`2.2M`) says bytes.
    fn holds_bytes(self) -> bool {
        use Field::*;
        matches!(self.field, ReadBytes | WriteBytes | DiscardBytes | BothBytes | ReadSize | WriteSize | IoSize)
    }

    /// The number in base units.
    pub fn base(self, value: f64, unit: Option<f64>) -> f64 {
        value * unit.filter(|_| self.holds_bytes()).unwrap_or(self.scale)
    }

    /// Puts a number of base units in its place.
    pub fn put(self, disk: &mut DiskInterval, base: f64) {
        use Field::*;
        let throughput = || Some(Throughput::bytes_per_second(base.round() as u64));
        let duration = || Some(Duration::from_ns(base.round() as u64));
        let bytes = || Some(Bytes::new(base.round() as u64));
        match self.field {
            Reads => disk.reads_per_s = Some(base),
            Writes => disk.writes_per_s = Some(base),
            Discards => disk.discards_per_s = Some(base),
            Flushes => disk.flushes_per_s = Some(base),
            Transfers => disk.transfers_per_s = Some(base),
            ReadBytes => disk.read_throughput = throughput(),
            WriteBytes => disk.write_throughput = throughput(),
            DiscardBytes => disk.discard_throughput = throughput(),
            BothBytes => disk.throughput = throughput(),
            ReadMerges => disk.read_merges_per_s = Some(base),
            WriteMerges => disk.write_merges_per_s = Some(base),
            ReadLatency => disk.read_latency = duration(),
            WriteLatency => disk.write_latency = duration(),
            DiscardLatency => disk.discard_latency = duration(),
            FlushLatency => disk.flush_latency = duration(),
            Latency => disk.latency = duration(),
            ReadSize => disk.read_size = bytes(),
            WriteSize => disk.write_size = bytes(),
            IoSize => disk.io_size = bytes(),
            QueueDepth => disk.queue_depth = Some(base),
            Utilisation => disk.utilisation_percent = Some(base),
            ServiceTime => disk.service_time = duration(),
            Known => {}
        }
    }
}
