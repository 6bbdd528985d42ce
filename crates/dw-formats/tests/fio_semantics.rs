//! Job files against the numbers of the workload that they become: a line of text, a line of fields.

use dw_formats::fio::{FioInput, FioJobs, ReadOptions, VolumeMap, WarningKind, read};
use dw_workload::{Direction, Job};

const HEAD: &str = "[global]\nioengine=libaio\ndirect=1\ndirectory=/mnt/data\nsize=1g\n";

fn volumes() -> Vec<VolumeMap> {
    let volume = |index, name: &str, mount: &str, device: &str, size| VolumeMap {
        index,
        name: name.into(),
        mount: Some(mount.into()),
        device: Some(device.into()),
        size,
    };
    vec![volume(0, "data", "/mnt/data", "/dev/md0", 1 << 40), volume(1, "logs", "/mnt/logs", "/dev/sdc", 1 << 38)]
}

/// Reads files named `1.fio`, `2.fio` ... with options of the command line (`--name=value`, separated by blanks).
fn run(files: &[&str], command_line: &str) -> Result<FioJobs, String> {
    let files: Vec<_> =
        files.iter().enumerate().map(|(i, text)| (format!("{}.fio", i + 1), text.to_string())).collect();
    let overrides: Vec<_> = command_line
        .split_whitespace()
        .map(|word| {
            word.trim_start_matches('-')
                .split_once('=')
                .map_or((word[2..].to_string(), None), |(n, v)| (n.to_string(), Some(v.to_string())))
        })
        .collect();
    read(&FioInput {
        files: &files,
        overrides: &overrides,
        env: &|_| None,
        volumes: &volumes(),
        options: ReadOptions::default(),
        seed: 7,
    })
    .map_err(|errors| errors.to_string())
}

/// One section with these options, `;` between them, and the field that is checked.
fn check<T: std::fmt::Debug>(options: &str, field: impl Fn(&Job) -> T, expected: &str) {
    let text = format!("{HEAD}[job]\n{}\n", options.replace("; ", "\n"));
    let shown = match run(&[&text], "") {
        Ok(jobs) => jobs.workload.jobs.iter().map(|job| format!("{:?}", field(job))).collect::<Vec<_>>().join(" | "),
        Err(error) => error,
    };
    assert_eq!(shown, expected, "{options}");
}

#[test]
fn batches_follow_the_depth() {
    let fields = |job: &Job| {
        let b = job.batching;
        (job.queue_depth, b.submit, b.low, b.complete_min, b.complete_max)
    };
    check("rw=read", fields, "(1, 1, 1, 1, 1)");
    check("rw=read; iodepth=32", fields, "(32, 1, 32, 1, 1)");
    check("rw=read; iodepth=32; iodepth_batch=8; iodepth_low=16", fields, "(32, 8, 16, 1, 1)");
    check("rw=read; iodepth=8; iodepth_batch=64; iodepth_low=64", fields, "(8, 8, 8, 1, 1)");
    check("rw=read; iodepth=8; iodepth_batch=0", fields, "(8, 8, 8, 1, 1)");
    check("rw=read; iodepth=8; iodepth_batch_complete_min=4; iodepth_batch_complete_max=2", fields, "(8, 1, 8, 4, 4)");
    check("rw=read; iodepth=8; iodepth_batch_complete=0; iodepth_batch_complete_max=6", fields, "(8, 1, 8, 0, 6)");
    check("rw=read; iodepth=8; iodepth_batch_complete_min=0", fields, "(8, 1, 8, 0, 0)");
    check("rw=read; iodepth=8; ioengine=psync", fields, "(1, 1, 1, 1, 1)");
}

#[test]
fn all_ios_of_all_loops_can_be_counted() {
    let all = |job: &Job| job.stop.ios.and_then(|ios| ios.checked_mul(2 * u64::from(job.stop.loops))).is_some();
    check("rw=read; number_ios=9000000000000000000; loops=4", all, "true");
    check("rw=read; number_ios=100; loops=4", |job| job.stop.ios, "Some(100)");
}

#[test]
fn latency_reports_follow_the_switches() {
    let fields = |job: &Job| {
        let l = &job.latency;
        (l.percentiles.len(), l.clat, l.slat, l.lat, l.disabled, l.unified)
    };
    check("rw=read", fields, "(17, true, false, false, false, false)");
    check("rw=read; percentile_list=99.9:50:99", fields, "(3, true, false, false, false, false)");
    check("rw=read; lat_percentiles=1; clat_percentiles=0", fields, "(17, false, false, true, false, false)");
    check("rw=read; gtod_reduce=1", fields, "(17, false, false, false, true, false)");
    check("rw=read; gtod_reduce=0", fields, "(17, true, false, false, false, false)");
    check(
        "rw=read; gtod_reduce=1; disable_lat=0; disable_clat=0; clat_percentiles=1",
        fields,
        "(17, true, false, false, false, false)",
    );
    check("rw=read; disable_clat=1; lat_percentiles=1", fields, "(17, false, false, true, false, false)");
    check("rw=randrw; unified_rw_reporting=1", fields, "(17, true, false, false, false, true)");
    check("rw=read; percentile_list=99.9:50:99", |job| job.latency.percentiles.clone(), "[50.0, 99.0, 99.9]");
}

#[test]
fn think_times_and_rates_are_of_one_clone() {
    let think = |job: &Job| {
        job.think
            .map(|t| (t.time.ns() / 1_000, t.spin.ns() / 1_000, t.blocks, t.counted_at_issue, t.io_time.ns() / 1_000))
    };
    check("rw=read; thinktime=250", think, "Some((250, 0, 1, false, 0))");
    check(
        "rw=read; thinktime=10ms; thinktime_blocks=5; thinktime_spin=1s; thinktime_blocks_type=issue",
        think,
        "Some((10000, 10000, 5, true, 0))",
    );
    check("rw=read; thinktime=1s; thinktime_iotime=9", think, "Some((1000000, 0, 4294967295, false, 9000000))");
    check(
        "rw=read; thinktime=1s; thinktime_iotime=9; thinktime_blocks=100",
        think,
        "Some((1000000, 0, 100, false, 9000000))",
    );
    check("rw=read; thinktime_blocks=5", think, "None");
    let rate = |job: &Job| (job.rate.read, job.rate.write, job.pacing);
    check("rw=randrw; rate_iops=1000", rate, "(Some(Iops(1000)), Some(Iops(1000)), Linear)");
    check("rw=randrw; rate_iops=700,", rate, "(Some(Iops(700)), None, Linear)");
    check("rw=randrw; rate=,8MiB; rate_process=poisson", rate, "(None, Some(BytesPerSecond(8000000)), Poisson)");
    check("rw=randrw; rate=0; io_submit_mode=offload", rate, "(None, None, LinearOffload)");
    check(
        "rw=read; rate=8m; numjobs=2",
        |job| job.rate.read,
        "Some(BytesPerSecond(8388608)) | Some(BytesPerSecond(8388608))",
    );
}

#[test]
fn the_map_covers_only_where_fio_keeps_one() {
    let cover = |job: &Job| (job.access.cover, *job.access.random_percent.get(Direction::Read), job.repeat_on_loop);
    check("rw=randread", cover, "(true, 100, true)");
    check("rw=randread; norandommap", cover, "(false, 100, true)");
    check("rw=randread; norandommap=0", cover, "(true, 100, true)");
    check("rw=randread; random_distribution=zipf", cover, "(false, 100, true)");
    check("rw=randread; ba=64k", cover, "(false, 100, true)");
    check("rw=randread; random_generator=lfsr; norandommap", cover, "(true, 100, true)");
    check("rw=randread; percentage_random=30", cover, "(true, 30, true)");
    check("rw=read; percentage_random=30", cover, "(false, 0, true)");
    check("rw=randread; randrepeat=0", cover, "(true, 100, false)");
    check("rw=randread; randseed=9", cover, "(true, 100, false)");
}

#[test]
fn flushes_and_stops() {
    let sync = |job: &Job| (job.sync.every_writes, job.sync.each_write, job.sync.at_end);
    check("rw=write; fsync=8", sync, "(8, false, false)");
    check("rw=randrw; fdatasync=1; end_fsync=1", sync, "(1, false, true)");
    check("rw=write; sync=dsync; fsync_on_close=1", sync, "(0, true, true)");
    check("rw=write; sync=0", sync, "(0, false, false)");
    check("rw=read; fsync=8", sync, "(0, false, false)");
    let stop = |job: &Job| {
        (
            job.stop.bytes,
            job.stop.loops,
            job.stop.runtime.map(|r| r.ns() / 1_000_000),
            job.stop.time_based,
            job.stop.ios,
        )
    };
    check("rw=read", stop, "(1073741824, 1, None, false, None)");
    check("rw=read; runtime=30", stop, "(1073741824, 1, Some(30000), false, None)");
    check("rw=read; runtime=1500ms; time_based; number_ios=10", stop, "(1073741824, 1, Some(1500), true, Some(10))");
    check("rw=read; io_size=4g; loops=0", stop, "(4294967296, 1, None, false, None)");
    check("rw=read; filesize=1m; nrfiles=4; size=2m", stop, "(2097152, 1, None, false, None)");
    check("rw=read; time_based", stop, "(1073741824, 1, None, false, None)");
}

#[test]
fn clones_come_in_fios_order_with_offsets_and_files_of_their_own() {
    let files = |job: &Job| {
        (
            job.clone,
            job.files
                .iter()
                .map(|f| (f.name.clone(), f.volume, f.start >> 30, f.offset >> 20, f.len >> 20))
                .collect::<Vec<_>>(),
        )
    };
    check(
        "rw=read; numjobs=3",
        files,
        "(0, [(\"/mnt/data/job.0.0\", 0, 0, 0, 1024)]) | (2, [(\"/mnt/data/job.2.0\", 0, 1, 0, 1024)]) | (1, [(\"/mnt/data/job.1.0\", 0, 2, 0, 1024)])",
    );
    check(
        "rw=read; numjobs=2; filename=x; offset_increment=1g",
        files,
        "(0, [(\"/mnt/data/x\", 0, 0, 0, 1024)]) | (1, [(\"/mnt/data/x\", 0, 0, 1024, 1024)])",
    );
    check(
        "rw=read; size=5m; bs=1m; nrfiles=2",
        files,
        "(0, [(\"/mnt/data/job.0.0\", 0, 0, 0, 2), (\"/mnt/data/job.0.1\", 0, 0, 0, 2)])",
    );
    check(
        "rw=read; size=3m; bs=1m; nrfiles=2",
        files,
        "(0, [(\"/mnt/data/job.0.0\", 0, 0, 0, 1), (\"/mnt/data/job.0.1\", 0, 0, 0, 1)])",
    );
    check(
        "rw=read; directory=; filename=/dev/sdc",
        files,
        "1.fio:8: `directory=` has no value after the `=`\nhint: write `directory=...` or remove the line",
    );
}

#[test]
fn groups_and_phases() {
    let check = |sections: &str, expected: &[(&str, u32, u32, u32)]| {
        let jobs = run(&[&format!("{HEAD}rw=read\n{sections}")], "").unwrap().workload.jobs;
        let shown: Vec<_> = jobs.iter().map(|job| (job.name.as_str(), job.section, job.group, job.phase)).collect();
        assert_eq!(shown, expected, "{sections}");
    };
    // The first stonewall waits for nobody, and starts no group.
    check(
        "[a]\nstonewall\n[b]\n[c]\nstonewall\nnumjobs=2\n[d]\n",
        &[("a", 0, 0, 0), ("b", 1, 0, 0), ("c", 2, 1, 1), ("c", 2, 1, 1), ("d", 3, 1, 1)],
    );
    check("[a]\n[b]\nnew_group\n[c]\nstonewall\nnew_group\n", &[("a", 0, 0, 0), ("b", 1, 1, 0), ("c", 2, 2, 1)]);
}

#[test]
fn the_file_wins_over_the_command_line() {
    let with_runtime = format!("{HEAD}runtime=60\n[a]\nrw=randread\n");
    let without = format!("{HEAD}[a]\nrw=randread\n");
    let runtime = |jobs: &FioJobs| jobs.workload.jobs[0].stop.runtime.map(|r| r.ns() / 1_000_000_000);

    let jobs = run(&[&without], "--runtime=30 --time_based").unwrap();
    assert_eq!((runtime(&jobs), jobs.warnings.len()), (Some(30), 0));
    assert_eq!(jobs.global_options[..2], [("runtime".into(), "30".into()), ("time_based".into(), String::new())]);

    let jobs = run(&[&with_runtime], "--runtime=30").unwrap();
    assert_eq!(runtime(&jobs), Some(60));
    assert_eq!(jobs.warnings[0].kind, WarningKind::OverrideWithoutEffect);
    assert_eq!(
        jobs.warnings[0].to_string(),
        "1.fio:6: `runtime=60` wins over `--runtime=30` of the command line, whose options are defaults, as in fio\n\
         hint: change this line, or remove it to let the command line decide"
    );
    assert!(run(&[&with_runtime], "--runtime=60").unwrap().warnings.is_empty(), "the same value surprises nobody");
}

#[test]
fn the_command_line_holds_for_the_first_file_only() {
    let text = format!("{HEAD}[a]\nrw=randread\n");
    let jobs = run(&[&text, &text], "--iodepth=8").unwrap();
    let shown: Vec<_> = jobs.workload.jobs.iter().map(|job| (job.queue_depth, job.phase, job.group)).collect();
    // The second file stands behind a stonewall, and knows nothing of the first one's [global].
    assert_eq!(shown, [(8, 0, 0), (1, 1, 1)]);
    assert_eq!(jobs.warnings[0].kind, WarningKind::OverrideFirstFileOnly);
    let jobs = run(&[&text, "[b]\nrw=read\nioengine=libaio\ndirect=1\nfilename=/mnt/data/x\n"], "").unwrap();
    // Nor its size: what the first file leaves of the volume is taken.
    assert_eq!(jobs.workload.jobs[1].files[0].len, (1 << 40) - (1 << 30));
    assert_eq!(jobs.warnings[0].kind, WarningKind::AssumedSize);
}

#[test]
fn sections_are_selected_and_jobs_can_stand_on_the_command_line() {
    let text = format!("{HEAD}[a]\nrw=randread\n[b]\nrw=write\n");
    let names = |jobs: FioJobs| jobs.workload.jobs.iter().map(|job| job.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(run(&[&text], "--section=b").unwrap()), ["b"]);
    assert_eq!(
        run(&[&text], "--section=c").unwrap_err(),
        "1.fio:1: `1.fio` contains no selected section\nhint: its sections are a, b"
    );
    let line = "--ioengine=libaio --direct=1 --name=x --rw=read --size=1g --filename=/mnt/data/x --name=y --rw=write --filename=/dev/sdc --size=2g";
    let jobs = run(&[], line).unwrap();
    assert_eq!(jobs.workload.jobs[1].files[0].volume, 1);
    assert_eq!(names(jobs), ["x", "y"]);
    assert_eq!(
        run(&[], "--bs=4q --name=x").unwrap_err().lines().next(),
        Some("command line:1: `--bs=4q` is not a number: fio reads 4")
    );
    assert!(run(&[], "").unwrap_err().starts_with("command line:1:"));
}

#[test]
fn blanks_after_equals_are_reproduced_on_request() {
    let files = [("1.fio".to_string(), format!("{HEAD}[a]\nrw=write\nbs = 8k\n"))];
    let options = ReadOptions { blank_values_as_fio: true, ..ReadOptions::default() };
    let jobs = read(&FioInput { files: &files, overrides: &[], env: &|_| None, volumes: &volumes(), options, seed: 1 })
        .unwrap();
    assert_eq!(jobs.workload.jobs[0].sizes.write.min(), 8);
    assert_eq!(jobs.warnings[0].kind, WarningKind::BlankValue);
}

#[test]
fn clones_draw_differently_and_the_same_in_every_run() {
    let text = format!("{HEAD}[a]\nrw=randread\nnumjobs=3\n[b]\nrw=randread\n");
    let seeds = || run(&[&text], "").unwrap().workload.jobs.iter().map(|job| job.seed).collect::<Vec<_>>();
    let mut first = seeds();
    assert_eq!(first, seeds());
    first.sort();
    first.dedup();
    assert_eq!(first.len(), 4);
}

#[test]
fn a_file_with_several_faults_is_told_all_of_them() {
    let error = run(&[&format!("{HEAD}bs=4q\n[a]\nrw=reed\niodpeth=4\n[b]\nrate=abc\n")], "").unwrap_err();
    let lines: Vec<_> =
        error.lines().filter(|line| line.starts_with("1.fio")).map(|line| line.split('`').next().unwrap()).collect();
    assert_eq!(lines, ["1.fio:6: ", "1.fio:8: ", "1.fio:9: ", "1.fio:11: "]);
}

/// What a reader is told: the kinds of its warnings.
fn kinds(jobs: &FioJobs) -> Vec<WarningKind> {
    let mut kinds: Vec<_> = jobs.warnings.iter().map(|warning| warning.kind).collect();
    kinds.dedup();
    kinds
}

#[test]
fn a_byte_order_mark_is_passed_over_and_told() {
    let jobs = run(&[&format!("\u{feff}{HEAD}[a]\nrw=read\n")], "").unwrap();
    assert_eq!((jobs.workload.jobs.len(), kinds(&jobs)), (1, vec![WarningKind::ByteOrderMark]));
}

/// fio 3.33 parses such a file and starts nothing, so that its options reach nobody.
#[test]
fn a_file_with_global_alone_is_a_job_where_there_is_no_other() {
    let text = format!("{HEAD}rw=randread\nbs=8k\n");
    let jobs = run(&[&text], "").unwrap();
    let job = &jobs.workload.jobs[0];
    assert_eq!(
        (jobs.workload.jobs.len(), job.sizes.read.min(), kinds(&jobs)),
        (1, 8_192, vec![WarningKind::OnlyGlobal])
    );
    // As real fio: neither a job of the command line nor another file has its options.
    let jobs = run(&[&text], "--name=x --directory=/mnt/data --size=1g --direct=1").unwrap();
    let job = &jobs.workload.jobs[0];
    assert_eq!((job.name.as_str(), job.sizes.read.min(), kinds(&jobs)), ("x", 4_096, vec![WarningKind::OnlyGlobal]));
    let jobs = run(&[&text, &format!("{HEAD}[a]\nrw=read\n")], "").unwrap();
    assert_eq!(jobs.workload.jobs.iter().map(|job| job.sizes.read.min()).collect::<Vec<_>>(), [4_096]);
    assert!(run(&["; nothing\n"], "").unwrap_err().contains("contains no job section"));
}

#[test]
fn a_bad_option_of_the_command_line_is_one_error() {
    let text = format!("{HEAD}[a]\nrw=read\n");
    let error = run(&[&text], "--runtime=soon").unwrap_err();
    assert_eq!(error.lines().filter(|line| !line.starts_with("hint:")).count(), 1, "{error}");
}

/// Scripts that print job files write `%%` for a sign; fio takes as many as there are.
#[test]
fn a_percentage_may_have_several_signs() {
    let text = "[a]\nioengine=libaio\ndirect=1\nfilename=/dev/md0\nrw=read\nsize=50%%\n";
    assert_eq!(run(&[text], "").unwrap().workload.jobs[0].files[0].len, 1 << 39);
}
