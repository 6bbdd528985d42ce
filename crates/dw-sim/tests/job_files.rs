//! What job files do on a device of one fixed latency: phases, pauses, ends. Figures in comments are real fio 3.33's.

use crate::support::fio::{entry, virtual_run};

/// The one door: a job file's body (options separated by blanks, jobs by ` / `, the first part for all), and what comes of
/// it on a device of 1 ms: per entry its name, I/Os by direction, runtime and end in ms.
fn check(job: &str, expected: &str) {
    let mut text = String::from("[global]\nioengine=libaio\ndirect=1\nbs=4k\nsize=1g\nfilename=/data/f\n");
    for (n, part) in job.split(" / ").enumerate() {
        if n > 0 {
            text.push_str(&format!("[{}]\n", ["a", "b", "c", "d"][n - 1]));
        }
        part.split_whitespace().for_each(|option| text.push_str(&format!("{option}\n")));
    }
    let result = virtual_run(crate::support::constant(1_000), &text);
    assert_eq!(result.little.0, result.little.1);
    let line = |result: &dw_sim::EntryResult| {
        let entry = entry(result);
        let mut line = entry.name.clone();
        for (d, letter) in ["r", "w", "t"].into_iter().enumerate().filter(|&(d, _)| entry.ios[d] > 0.0) {
            line.push_str(&format!(" {letter}{} in {:.0}", entry.ios[d], entry.runtime[d] * 1e3));
        }
        if entry.syncs > 0.0 {
            line.push_str(&format!(" syncs {}", entry.syncs));
        }
        line.push_str(&format!(" until {}", result.elapsed.ns() / 1_000_000));
        if let Some(error) = &result.error {
            line.push_str(&format!(" ({error})"));
        }
        line
    };
    let lines: Vec<String> = result.entries.iter().map(line).collect();
    assert_eq!(lines.join(", "), expected, "{job}");
}

#[test]
fn a_wall_waits_for_all_before_it() {
    check(
        "rw=read iodepth=4 / number_ios=400 / number_ios=40 / stonewall number_ios=80",
        "a r400 in 100 until 100, b r40 in 10 until 10, c r80 in 20 until 120",
    );
}

#[test]
fn wait_for_waits_for_one_section() {
    check(
        "rw=read / number_ios=100 / number_ios=30 / wait_for=b number_ios=20",
        "a r100 in 100 until 100, b r30 in 30 until 30, c r20 in 20 until 50",
    );
}

#[test]
fn a_start_delay_counts_from_the_phase() {
    check(
        "rw=read / number_ios=100 / stonewall startdelay=500ms number_ios=20",
        "a r100 in 100 until 100, b r20 in 20 until 620",
    );
}

#[test]
fn exitall_ends_the_group_and_spares_later_walls() {
    check(
        "rw=read runtime=10 time_based exitall / number_ios=50 time_based=0 / iodepth=2 / stonewall runtime=1",
        "a r50 in 50 until 50, b r100 in 50 until 50, c r1000 in 1000 until 1050",
    );
}

#[test]
fn a_group_with_unequal_members_is_diluted() {
    // 100 IOPS for 1 s and for 3 s: 400 I/Os in 3 s, 133 a second.
    check("rw=read rate_iops=100 time_based group_reporting / runtime=1 / runtime=3", "a r400 in 3000 until 3000");
}

#[test]
fn a_ramp_is_run_but_not_counted() {
    check("rw=read iodepth=4 ramp_time=1 runtime=1 time_based / ", "a r4003 in 1000 until 2000");
    // What the ramp moved counts against the size.
    check("rw=read size=8m ramp_time=1 / ", "a r1048 in 1048 until 2048");
}

#[test]
fn flushes_are_timed_apart() {
    let run = |options: &str| {
        let job = format!("[a]\nioengine=psync\nrw=write\nbs=4k\nsize=1m\nfilename=/data/f\n{options}\n");
        virtual_run(crate::support::constant(1_000), &job)
    };
    // 256 writes with fsync=8 are 31 flushes: none after the last.
    let flushed = &run("direct=1\nfsync=8").entries[0];
    assert_eq!((flushed.load.write.ios, flushed.sync.count), (256, 31));
    // The writes take 256 ms; what the flushes take is in the runtime and not in the writes' latency.
    assert_eq!(flushed.load.write.clat.sum, 256_000_000);
    assert_eq!(u128::from(flushed.load.write.runtime.ns()), 256_000_000 + flushed.sync.sum);
    // Buffered writes go out without being waited for: each call waits 1 ms for its eight and 0.6 ms for the flush, and the
    // last eight take 1 ms.
    let buffered = &run("fsync=8").entries[0];
    assert_eq!((buffered.load.write.ios, buffered.sync.count, buffered.sync.sum), (256, 31, 31 * 1_600_000));
    assert_eq!(buffered.load.write.runtime.ns(), 31 * 1_600_000 + 1_000_000);
    let end = &run("direct=1\nend_fsync=1").entries[0];
    assert_eq!((end.load.write.ios, end.sync.count), (256, 0));
    assert!(end.load.write.runtime.ns() > 256_000_000);
}

#[test]
fn pauses_wait_for_all_in_flight() {
    // Depth 4, groups of 4, 10 ms: 11 ms a group.
    check(
        "rw=read iodepth=4 thinktime=10000 thinktime_blocks=4 thinktime_blocks_type=issue number_ios=40 / ",
        "a r40 in 110 until 110",
    );
}

#[test]
fn nothing_waits_for_buffered_writes_but_their_fsync() {
    // The medium takes 1 ms a write and 0.6 ms a flush; 16 writes with an fsync after eight of them.
    let run = |options: &str| {
        let job = format!("[a]\nioengine=psync\nrw=write\nbs=4k\nsize=64k\nfilename=/data/f\nfsync=8\n{options}\n");
        let result = virtual_run(crate::support::constant(1_000), &job);
        let entry = &result.entries[0];
        (entry.load.write.ios, entry.sync.sum / 1_000, entry.load.write.runtime.ns() / 1_000)
    };
    for (options, expected) in [
        // Eight pauses of 10 ms; the medium is done meanwhile, and the fsync is a flush.
        ("thinktime=10000\nthinktime_blocks=2", (16, 600, 80_600)),
        ("thinktime=10000\nthinktime_blocks=2\nthinktime_blocks_type=issue", (16, 600, 80_600)),
        ("thinktime=10000\nthinktime_blocks=2\ndirect=1", (16, 600, 96_600)),
        // A pause shorter than a write: the fsync waits for the rest of the last one.
        ("thinktime=500\nthinktime_blocks=8", (16, 1_100, 2_600)),
        // One write every 10 ms, of which the last is done 1 ms later.
        ("rate_iops=100", (16, 1_600, 151_000)),
    ] {
        assert_eq!(run(options), expected, "{options:?}");
    }
}

#[test]
fn synchronous_engines_have_a_depth_of_one() {
    check("rw=read ioengine=psync iodepth=8 number_ios=50 / ", "a r50 in 50 until 50");
}

#[test]
fn a_job_below_its_least_rate_ends_with_an_error() {
    // 2 s to settle, one look to begin the cycle, the next a second later.
    check(
        "rw=read rate_iops=2000 rate_iops_min=1500 runtime=10 time_based / ",
        "a r3000 in 3000 until 3000 (rate_iops_min=1500 not met, got 1000)",
    );
    // fio looks whether or not a rate is asked for.
    check(
        "rw=read rate_iops_min=1500 runtime=10 time_based / ",
        "a r3000 in 3000 until 3000 (rate_iops_min=1500 not met, got 1000)",
    );
}

#[test]
fn an_offloaded_rate_keeps_its_schedule() {
    // 4 in flight at most, 1 ms each; inline submission would wait for them before each sleep.
    check(
        "rw=read iodepth=4 rate_iops=2000 runtime=1 time_based io_submit_mode=offload / ",
        "a r2000 in 1000 until 1000",
    );
}
