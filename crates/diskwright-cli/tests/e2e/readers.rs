//! What users hold in their hands, by the program: recordings, results and loads in the shape of public sources.

use crate::e2e::support::{Ran, diskwright_at, folder};

const RIG: &str = include_str!("readers/p30-ds14-ro.toml");

macro_rules! recording {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../dw-counters/tests/cases/data/", $name)))
    };
}
macro_rules! result {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../dw-formats/tests/cases/", $name)))
    };
}
macro_rules! own {
    ($name:literal) => {
        ($name, include_str!(concat!("readers/", $name)))
    };
}

/// A file, arguments behind its name, the exit code, texts that are said, and texts that are not.
type Row = ((&'static str, &'static str), &'static str, i32, &'static [&'static str], &'static [&'static str]);

fn flat(ran: &Ran) -> String {
    format!("{}\n{}", ran.stdout, ran.stderr).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn check(rows: &[Row], command: &dyn Fn(&str, &str) -> Vec<String>, others: &[(&str, &str)]) {
    let mut wrong = String::new();
    for (file, args, code, said, unsaid) in rows {
        let folder = folder(&[&[*file][..], others].concat());
        let arguments = command(file.0, args);
        let ran = diskwright_at(folder.path(), &arguments.iter().map(String::as_str).collect::<Vec<_>>());
        let text = flat(&ran);
        let missing: Vec<_> = said.iter().filter(|part| !text.contains(**part)).collect();
        let more: Vec<_> = unsaid.iter().filter(|part| text.contains(**part)).collect();
        if ran.code != *code || !missing.is_empty() || !more.is_empty() {
            wrong += &format!("== {} {args}: exit {}, without {missing:?}, with {more:?}\n{text}\n", file.0, ran.code);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn recordings_are_read_or_refused_with_their_cause() {
    const ROWS: &[Row] = &[
        (recording!("azuremetrics-two-vms.csv"), "", 3, &["two machines in one file", "--machine"], &[]),
        (recording!("azuremetrics-two-vms.csv"), "--machine vm-db-01", 0, &["VM-DB-01", "198"], &["558"]),
        (recording!("azuremetrics-query.json"), "", 0, &["VM-DB-01"], &[]),
        (
            recording!("iostat-xz.txt"),
            "--every 5s",
            0,
            &["sdd: 12 samples x 5 s, 100 % of 60 s", "lines of idle devices are not in the recording"],
            &["went away"],
        ),
        (
            recording!("iostat-xz.txt"),
            "--every 5s --format toml",
            0,
            &["write_iops = { p50 = 0.0, p90 = 100.0,"],
            &["went away"],
        ),
        (recording!("iostat-mb-2048.json"), "--every 1s", 0, &["P9", "2048 times too high"], &["2.4 %"]),
        (recording!("iostat-mb-2048-busy.json"), "--every 1s", 0, &["P9", "2048 times too high"], &["2.4 %"]),
        (recording!("iostat-stamped.out"), "", 0, &["sdf", "sdg"], &["no known recording"]),
        (recording!("vmstat-stamped.out"), "", 0, &["all disks"], &["is this really"]),
        (
            recording!("mpstat-vmstat-iostat.txt"),
            "",
            0,
            &["alma9", "sda: 4 samples x 1 s"],
            &["two reports are needed"],
        ),
        (
            recording!("dstat-mem.csv"),
            "",
            0,
            &["web-1", "sda", "more figures of memory than names"],
            &["is this really"],
        ),
        (
            recording!("prometheus-rate.json"),
            "",
            3,
            &["`rate()` drops it", "query the counter itself"],
            &["is this really"],
        ),
        (recording!("iostat-one-report.txt"), "--every 1s", 3, &["`--keep-first`"], &[]),
        (recording!("iostat-one-report.txt"), "--every 1s --keep-first", 0, &["sdh", "sdg"], &[]),
        (recording!("dstat-wait.txt"), "--every 1s", 0, &["latencies without requests/s", "--disk-wait"], &[]),
        (recording!("log-analytics-perf.csv"), "", 0, &["vm-w1", "2 F:"], &[]),
        (recording!("get-counter.txt"), "", 0, &["vm-w1", "2 f:"], &[]),
        (recording!("get-counter-export.csv"), "", 0, &["vm-w1", "0 c:"], &[]),
        (recording!("dm-io-virtual-file-stats.csv"), "", 0, &["F:: 5 samples x 300 s", "G:"], &[]),
        (
            recording!("azure-monitor-os-disk.json"),
            "",
            0,
            &[
                "OS Disk IOPS Consumed Percentage",
                "OS Disk Used Burst IO Credits Percentage",
                "burst credits were used up",
            ],
            &["DiskIops"],
        ),
        // Right before, and still.
        (recording!("sar-dp-dev-last.txt"), "", 0, &["sdc: 10 samples x 60 s, 100 % of 10 min"], &[]),
        (recording!("sar-restarted-clock.txt"), "", 0, &["dev8-0: 12 samples x 10 s"], &[]),
        (recording!("iostat-y-comma.json"), "", 0, &["sdc: 5 samples x 1 s, 100 % of 5 s"], &[]),
        (recording!("iostat-cut.json"), "", 0, &["sdc: 5 samples x 1 s, 100 % of 5 s"], &[]),
        (recording!("iostat-rsec.txt"), "--every 1s", 0, &["100 % of"], &[]),
        (recording!("prom-counters.json"), "", 0, &["sda: 29 samples x 60 s, 100 % of 29 min"], &[]),
    ];
    let command = |name: &str, args: &str| {
        ["observe", name].into_iter().chain(args.split_whitespace()).map(str::to_string).collect()
    };
    check(ROWS, &command, &[]);
}

#[test]
fn of_runs_one_after_the_other_the_one_with_the_most_is_explained() {
    const ROWS: &[Row] = &[
        (result!("fio-2.1.7-runs.txt"), "", 0, &["prem did 10,209 IOPS"], &["16,048"]),
        (result!("fio-2.1.7-one.txt"), "", 0, &["prem did 10,209 IOPS"], &[]),
        (result!("kubestr.txt"), "", 0, &["prem did 510 IOPS"], &[]),
        // Right before, and still.
        (result!("diskspd-2.0.17.txt"), "", 0, &["prem did 5,000 IOPS, 20.5 MB/s"], &[]),
        (result!("fio-terminal.txt"), "", 0, &["prem did 5,002 IOPS, 20.4 MB/s"], &[]),
    ];
    let command = |name: &str, _: &str| ["explain", "rig.toml", "--measured", name].map(str::to_string).to_vec();
    check(ROWS, &command, &[("rig.toml", RIG)]);
}

#[test]
fn loads_are_run_as_they_were_meant() {
    const ROWS: &[Row] = &[
        (own!("qd-ramp.fio"), "p30-ds14-ro.toml", 0, &["qd-1 2,7", "qd-64 64,000", "one after the other"], &[]),
        (
            own!("sixteen-partitions.fio"),
            "sixteen-disks.toml --runtime=2",
            0,
            &["dc read", "dr read"],
            &["on no volume"],
        ),
        (own!("run-profiles.cmd"), "win-f.toml", 0, &["F read"], &["after a target"]),
    ];
    let rigs = [own!("p30-ds14-ro.toml"), own!("sixteen-disks.toml"), own!("win-f.toml")];
    let command = |name: &str, args: &str| {
        let (rig, more) = args.split_once(' ').unwrap_or((args, ""));
        ["simulate", rig, name].into_iter().chain(more.split_whitespace()).map(str::to_string).collect()
    };
    check(ROWS, &command, &rigs);
    let folder = folder(&[("rig.toml", RIG)]);
    let short = "simulate rig.toml --name=x --filename=/dataprem/f --rw=randread --bs=4k --iodepth=8 --numjob=4 --ioengine=libaio \
                 --direct=1 --size=1g --runtime=2 --time_based";
    let ran = diskwright_at(folder.path(), &short.split_whitespace().collect::<Vec<_>>());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let before = "set RUNS=1\ncd C:\\tests\necho begins\n";
    let script = before.to_string() + include_str!("readers/run-profiles.cmd");
    let folder = crate::e2e::support::folder(&[own!("win-f.toml"), ("all.cmd", &script)]);
    let ran = diskwright_at(folder.path(), &["simulate", "win-f.toml", "all.cmd"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}
