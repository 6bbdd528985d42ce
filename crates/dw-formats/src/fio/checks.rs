//! What a section says against itself, and what it says that is modelled with a doubt.
//!
//! fio 3.33 refuses some of these when it starts a job (not with `--parse-only`); others it changes silently.

use dw_messages::{Sentence, say};

use dw_workload::{Direction, Distribution, PerDirection};

use super::report::WarningKind;
use super::settings::{RwKind, Settings};
use super::split;
use super::value::Fault;

/// The engines that are modelled.
const MODELLED: [&str; 11] =
    ["libaio", "io_uring", "posixaio", "windowsaio", "psync", "sync", "pvsync", "pvsync2", "vsync", "mmap", "null"];

/// How an engine is modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    /// One request at a time.
    Synchronous,
    /// Up to `iodepth` requests.
    Asynchronous,
    /// Completes at once, without a disk.
    Null,
    /// Not modelled.
    Other(&'static str),
    /// fio 3.33 does not know it.
    Unknown,
}

/// How this engine is modelled.
pub(crate) fn engine(name: &str) -> Engine {
    match name {
        "sync" | "psync" | "pvsync" | "pvsync2" | "vsync" | "mmap" => Engine::Synchronous,
        "libaio" | "io_uring" | "posixaio" | "windowsaio" | "solarisaio" => Engine::Asynchronous,
        "null" => Engine::Null,
        "splice" | "netsplice" | "net" => Engine::Other("it moves data through pipes or the network"),
        "io_uring_cmd" | "sg" | "spdk" | "spdk_bdev" | "xnvme" | "libblkio" | "nvme" => {
            Engine::Other("it talks to a device below the block layer; `ioengine=io_uring` is the nearest")
        }
        "exec" => Engine::Other("it runs a program, which is never done here"),
        "cpuio" => Engine::Other("it does no I/O"),
        "rbd" | "rados" | "gfapi" | "gfapi_async" | "libhdfs" | "nfs" | "http" | "nbd" | "dfs" | "ime_psync"
        | "ime_psyncv" | "ime_aio" | "rdma" | "librpma_apm" | "librpma_gpspm" | "libiscsi" => {
            Engine::Other("it reaches storage over the network, past the VM's disks")
        }
        "libzbc" => Engine::Other("it is for zoned drives"),
        "pmemblk" | "dev-dax" | "libpmem" | "mtd" | "guasi" => Engine::Other("it is for persistent memory or flash"),
        "ftruncate" | "filecreate" | "filestat" | "filedelete" | "falloc" | "e4defrag" | "dircreate" | "dirstat"
        | "dirdelete" | "fileoperations" => Engine::Other("it works on files' names and sizes, not on their data"),
        _ if name.starts_with("external:") || name == "external" => {
            Engine::Other("it loads a program of yours, which is never done here")
        }
        _ => Engine::Unknown,
    }
}

/// Why an engine moves no data to or from a disk; nothing for one that does.
pub(crate) fn no_data(engine: &str) -> Option<Sentence> {
    match engine {
        "cpuio" => Some(say!(JobProcessorOnly)),
        "filecreate" | "filestat" | "filedelete" | "ftruncate" | "falloc" => Some(say!(JobNamesOnly)),
        _ => None,
    }
}

/// A contradiction: the option to point at (the first of these that was written), and the fault.
pub(crate) type Contradiction = (&'static [&'static str], Fault);

/// Everything that is wrong with a section, apart from its files.
pub(crate) fn contradictions(s: &Settings) -> Vec<Contradiction> {
    [wrong_engine(s), wrong_rates(s), wrong_together(s)].into_iter().flatten().collect()
}

/// An engine that is unknown, or not modelled.
fn wrong_engine(s: &Settings) -> Vec<Contradiction> {
    let mut found: Vec<Contradiction> = Vec::new();
    let mut wrong =
        |options: &'static [&'static str], what: String, hint: &str| found.push((options, Fault::new(what, hint)));
    match engine(&s.engine) {
        Engine::Unknown => wrong(
            &["ioengine"],
            "is not an engine of fio 3.33".into(),
            &dw_error::nearest(&s.engine, MODELLED).map_or_else(
                || format!("write one of {}", MODELLED.join(", ")),
                |near| format!("did you mean `{near}`?"),
            ),
        ),
        Engine::Other(why) => wrong(
            &["ioengine"],
            format!("is an engine that is not modelled: {why}"),
            "use libaio, io_uring, posixaio, windowsaio, psync, sync, pvsync, pvsync2 or null",
        ),
        Engine::Synchronous if s.engine == "vsync" && s.iodepth > 1 => wrong(
            &["iodepth"],
            "lets `ioengine=vsync` join neighbouring requests, which is not modelled".into(),
            "write iodepth=1, or use another engine",
        ),
        _ => {}
    }
    found
}

/// Rates that fio refuses, and sizes that it cannot issue.
fn wrong_rates(s: &Settings) -> Vec<Contradiction> {
    let mut found: Vec<Contradiction> = Vec::new();
    let mut wrong =
        |options: &'static [&'static str], what: String, hint: &str| found.push((options, Fault::new(what, hint)));
    if any(&s.rate) && any(&s.rate_iops) {
        wrong(
            &["rate_iops", "rate"],
            "contradicts `rate`: fio refuses both together".into(),
            "keep one of `rate` and `rate_iops`",
        );
    }
    if any(&s.rate_min) && any(&s.rate_iops_min) {
        wrong(
            &["rate_iops_min"],
            "contradicts `rate_min`: fio refuses both together".into(),
            "keep one of `rate_min` and `rate_iops_min`",
        );
    }
    for d in Direction::ALL {
        if *s.rate.get(d) > 0 && s.rate.get(d) < s.rate_min.get(d) {
            wrong(
                &["rate_min"],
                format!("is more than `rate` allows ({} < {})", s.rate.get(d), s.rate_min.get(d)),
                "make it at most the rate",
            );
        }
        if *s.rate_iops.get(d) > 0 && s.rate_iops.get(d) < s.rate_iops_min.get(d) {
            wrong(
                &["rate_iops_min"],
                format!("is more than `rate_iops` allows ({} < {})", s.rate_iops.get(d), s.rate_iops_min.get(d)),
                "make it at most the rate",
            );
        }
        if u64::try_from(u128::from(*s.rate_iops.get(d)) * u128::from(min_size(s, d))).is_err() {
            wrong(&["rate_iops"], "times the block size does not fit into 64 bits".into(), "write a smaller rate");
        }
        if *s.ba.get(d) == Some(0) {
            wrong(&["ba"], "is zero".into(), "write a size of at least 1 byte");
        }
    }
    found
}

/// Options that say different things, or are not modelled as they are written.
fn wrong_together(s: &Settings) -> Vec<Contradiction> {
    let mut found: Vec<Contradiction> = Vec::new();
    let mut wrong =
        |options: &'static [&'static str], what: String, hint: &str| found.push((options, Fault::new(what, hint)));
    if s.numjobs == 0 {
        wrong(&["numjobs"], "is zero, which makes fio start jobs endlessly".into(), "write at least 1");
    }
    if s.nr_files == 0 {
        wrong(&["nrfiles", "filename"], "leaves the job without a file".into(), "name at least one file");
    }
    if s.fsync > 0 && s.fdatasync > 0 && s.fsync != s.fdatasync {
        wrong(
            &["fdatasync", "fsync"],
            "together with another interval of `fsync` is not modelled".into(),
            "keep one of the two",
        );
    }
    if s.verify_only && writes(s) {
        wrong(
            &["verify_only"],
            "is refused: verifying without writing is not modelled".into(),
            "write a read job, or remove the line",
        );
    }
    if s.serialize_overlap && (writes(s) && s.iodepth > 1 || s.offload) {
        wrong(
            &["serialize_overlap"],
            "is not modelled: it delays requests that overlap others in flight".into(),
            "remove the line; with random I/O over a large file it changes next to nothing",
        );
    }
    match s.zonemode {
        Some("none") if s.zonesize > 0 => wrong(
            &["zonesize", "zonemode"],
            "contradicts zonemode=none: fio refuses both together".into(),
            "write zonemode=strided, or remove `zonesize`",
        ),
        Some("strided") if s.zonesize == 0 => {
            wrong(&["zonemode"], "needs `zonesize`".into(), "write for example zonesize=256m")
        }
        Some("zbd") => wrong(
            &["zonemode"],
            "is not modelled: the disks have no zones".into(),
            "remove the line, or write zonemode=strided",
        ),
        _ => {}
    }
    if s.nr_files > 1 && matches!(s.file_service.0, "zipf" | "pareto" | "normal" | "gauss") {
        wrong(
            &["file_service_type"],
            "is not modelled: some files would be used more than others".into(),
            "write file_service_type=random, or give the hot files a job of their own",
        );
    }
    found
}

/// A doubt: its kind, the options to point at (the first of these that was written), what it is, the next step.
pub(crate) type Doubt = (WarningKind, &'static [&'static str], Sentence, &'static str);

/// What a reader should know.
pub(crate) fn doubts(s: &Settings) -> Vec<Doubt> {
    let mut found: Vec<Doubt> = through_page_cache(s).into_iter().collect();
    found.extend(without_effect(s));
    found.extend(approximated(s));
    found
}

/// How buffered I/O is modelled.
fn through_page_cache(s: &Settings) -> Option<Doubt> {
    if (s.direct || engine(&s.engine) == Engine::Null) && s.engine != "mmap" {
        return None;
    }
    let buffered = !s.direct;
    let how = if s.engine == "mmap" { say!(JobBufferedEngine) } else { say!(JobBuffered) };
    let (options, what, hint): (&[_], _, _) = if buffered && s.sync_each && writes(s) {
        (
            &["direct", "buffered", "sync", "ioengine"],
            say!(JobBufferedDurable { how }),
            "write direct=1 for writes that need no flush of their own",
        )
    } else if buffered && s.fsync.max(s.fdatasync) > 0 && only_writes(s) {
        (
            &["direct", "buffered", "fdatasync", "fsync"],
            say!(JobBufferedFsync { how }),
            "write direct=1 to time the flush alone",
        )
    } else if s.engine == "mmap" {
        (&["ioengine"], say!(JobBufferedMmap { how }), "use ioengine=psync with direct=1")
    } else {
        (&["direct", "buffered", "ioengine", "rw"], say!(JobBufferedPlain { how }), "write direct=1")
    };
    Some((WarningKind::Buffered, options, what, hint))
}

/// What changes nothing, or something else than it says, in fio as here.
fn without_effect(s: &Settings) -> Vec<Doubt> {
    let mut found: Vec<Doubt> = Vec::new();
    let mut doubt = |kind, options, what: Sentence, hint| found.push((kind, options, what, hint));
    let engine = engine(&s.engine);
    if engine == Engine::Synchronous && s.iodepth > 1 {
        let hint = "use ioengine=libaio or io_uring, or more jobs (numjobs)";
        let what = say!(JobSynchronous { engine: s.engine.as_str() });
        doubt(WarningKind::DepthOfSynchronousEngine, &["iodepth"], what, hint);
    }
    if engine != Engine::Synchronous && s.iodepth > 1 && s.batch_complete_min == 0 && s.batch_complete_max == 0 {
        let hint = "remove the line, or set iodepth_batch_complete_max too";
        let what = say!(JobPolling { depth: s.iodepth });
        doubt(WarningKind::DepthOfPolling, &["iodepth_batch_complete_min"], what, hint);
    }
    let counts = engine == Engine::Asynchronous || (engine == Engine::Null && s.iodepth > 1);
    if s.verify && s.do_verify && writes(s) && s.time_based && s.runtime > 0 && s.verify_backlog == 0 && !counts {
        let hint = "remove time_based, or write verify_backlog=";
        doubt(WarningKind::WithoutEffect, &["verify", "verify_pattern"], say!(JobVerifiesNothing), hint);
    }
    if s.is_set("steadystate") && s.steady_duration < 1_000_000 {
        let hint = "write for example steadystate_duration=60";
        doubt(WarningKind::WithoutEffect, &["steadystate"], say!(JobNoSteadyState), hint);
    }
    if s.flow > i32::MAX as u64 {
        doubt(WarningKind::Approximated, &["flow"], say!(JobFlowBelowZero), "write a weight above zero");
    }
    // What a draw of sizes makes of it, fio rounds by itself.
    let is_cut = |d: Direction| does(s, d) && s.bs_limits.get(d).is_none() && !s.bs.get(d).is_multiple_of(512);
    if s.direct && engine != Engine::Null && Direction::ALL.into_iter().any(is_cut) {
        doubt(WarningKind::NotSectors, &["bs"], say!(JobNotSectors), "write a multiple of 512, for example bs=4096");
    }
    if s.time_based && s.runtime == 0 {
        doubt(WarningKind::TimeBasedWithoutRuntime, &["time_based"], say!(JobTimeBased), "write runtime=");
    }
    if s.rw == RwKind::ReadWrite
        && let Some(percent) = paced_mix(s)
        && percent.abs_diff(u64::from(s.rwmixread)) > 1
    {
        let what = say!(JobRateOverridesMix { percent, said: u64::from(s.rwmixread) });
        let hint = "write the two rates, for example rate_iops=700,300";
        doubt(WarningKind::RateOverridesMix, &["rate_iops", "rate"], what, hint);
    }
    if s.random && !s.norandommap && !s.lfsr && s.distribution == Distribution::Uniform && other_alignment(s) {
        doubt(WarningKind::MapSwitchedOff, &["ba"], say!(JobMapOff), "add norandommap, or remove the line");
    }
    found
}

/// What is not modelled, and changes little.
fn approximated(s: &Settings) -> Vec<Doubt> {
    let open_files = (s.open_files > 1 && s.open_files < s.nr_files)
        .then(|| (&["openfiles"] as &[_], say!(JobOpenFiles { files: s.nr_files }), ""));
    let stats = (!s.stats).then(|| (&["stats"] as &[_], say!(JobStats), ""));
    let apart = matches!(s.unified, "both" | "2").then(|| {
        let hint = "write unified_rw_reporting=mixed for one result";
        (&["unified_rw_reporting"] as &[_], say!(JobDirectionsApart), hint)
    });
    let all = [open_files, stats, apart].into_iter().flatten();
    all.map(|(options, what, hint)| (WarningKind::Approximated, options, what, hint)).collect()
}

/// Whether it writes and does nothing else.
fn only_writes(s: &Settings) -> bool {
    s.rw == RwKind::Only(Direction::Write)
}

/// Does the job write or trim?
pub(crate) fn writes(s: &Settings) -> bool {
    s.rw != RwKind::Only(Direction::Read)
}

/// Does the job go this direction?
fn does(s: &Settings, direction: Direction) -> bool {
    match s.rw {
        RwKind::Only(only) => only == direction,
        RwKind::ReadWrite => direction != Direction::Trim,
        _ => true,
    }
}

/// The smallest request of a direction.
pub(crate) fn min_size(s: &Settings, direction: Direction) -> u64 {
    s.bs_limits.get(direction).map_or(*s.bs.get(direction), |limits| limits.0)
}

/// The smallest request of any direction, used or not, as fio takes it.
pub(crate) fn min_size_of_all(s: &Settings) -> u64 {
    Direction::ALL.iter().map(|d| min_size(s, *d)).min().unwrap_or(1)
}

/// Is some alignment not that of the smallest request?
pub(crate) fn other_alignment(s: &Settings) -> bool {
    Direction::ALL.iter().any(|d| s.ba.get(*d).is_some_and(|ba| ba != min_size(s, *d)))
}

/// The percentage of reads that two rates lead to.
fn paced_mix(s: &Settings) -> Option<u64> {
    let iops = |d: Direction| match (*s.rate_iops.get(d), *s.rate.get(d)) {
        (0, 0) => None,
        // A rate is one of bytes, of which a request has as many as its mean size; drawn gaps are of smallest requests.
        (0, rate) if s.poisson => Some(rate / min_size(s, d).max(1)),
        (0, rate) => Some((rate as f64 / mean_size(s, d)).round() as u64),
        (iops, _) if s.poisson => Some(iops),
        (iops, _) => Some((iops as f64 * min_size(s, d) as f64 / mean_size(s, d)).round() as u64),
    };
    let (reads, writes) = (iops(Direction::Read)?, iops(Direction::Write)?);
    u64::try_from(u128::from(reads) * 100 / (u128::from(reads) + u128::from(writes)).max(1)).ok()
}

/// Bytes of a request on average.
fn mean_size(s: &Settings, direction: Direction) -> f64 {
    let (min, max) = s.bs_limits.get(direction).unwrap_or((*s.bs.get(direction), *s.bs.get(direction)));
    let mean = match s.bssplit.get(direction) {
        Some(parts) => {
            let parts = split::effective(parts).0;
            parts.iter().map(|(size, percent)| *size as f64 * f64::from(*percent)).sum::<f64>() / 100.0
        }
        None => (min as f64 + max as f64) / 2.0,
    };
    mean.max(1.0)
}

fn any(values: &PerDirection<u64>) -> bool {
    Direction::ALL.iter().any(|d| *values.get(*d) > 0)
}
