//! Command lines and profiles by one door: text in, one line per section out.

use super::*;
use dw_workload::{Cursor, Distribution, Job, Mix, Pacing, Rate};

fn volumes() -> Vec<VolumeMap> {
    let volume = |index, name: &str, mount: &str, device: &str| VolumeMap {
        index,
        name: name.into(),
        mount: Some(mount.into()),
        device: Some(device.into()),
        size: 1 << 40,
    };
    vec![volume(0, "data", "F:", r"\\.\PhysicalDrive2"), volume(1, "log", "/mnt/log", "/dev/sdc")]
}

const TWO_SPANS: &str = include_str!("../../tests/diskspd/two-spans.xml");
const WEIGHTS: &str = include_str!("../../tests/diskspd/weights.xml");
const TEMPLATE: &str = include_str!("../../tests/diskspd/template.xml");

fn run(line: &str) -> Result<FioJobs, FioErrors> {
    let read_profile = &|name: &str| match name {
        "two.xml" => Ok(TWO_SPANS.to_string()),
        "template.xml" => Ok(TEMPLATE.to_string()),
        _ => Err(io::Error::other("no such file")),
    };
    let volumes = volumes();
    read(&DiskSpdInput { source: Source::CommandLine(line), volumes: &volumes, seed: 1, read_profile })
}

/// `2x8 4096 70r 100% +5s 10s` and what is unusual: clones x depth, size, reads, random share, ramp, run time.
fn describe(jobs: &[Job]) -> String {
    let j = &jobs[0];
    let reads = match j.mix {
        Mix::Only(d) => format!("{d:?}"),
        Mix::ReadWrite { read_percent } => format!("{read_percent}r"),
        Mix::TrimThenWrite => "?".into(),
    };
    let mut text = format!(
        "{}x{} {} {reads} {}% +{}s {}s",
        jobs.len(),
        j.queue_depth,
        j.sizes.read.max(),
        j.access.random_percent.read,
        j.ramp.ns() / 1_000_000_000,
        j.stop.runtime.map_or(0, |r| r.ns() / 1_000_000_000),
    );
    if j.access.gap != 0 {
        text += &format!(" gap {}", j.access.gap);
    }
    let start = |job: &Job| match job.access.cursor {
        Cursor::Shared { start, .. } => start,
        Cursor::PerDirection => 0,
    };
    if let Some(second) = jobs.get(1).map(start).filter(|second| *second > 0) {
        text += &format!(" from {}, {second}", start(j));
    }
    if let (Some(Rate::BytesPerSecond(rate)), Pacing::Credit) = (j.rate.read, j.pacing) {
        text += &format!(" {rate}B/s");
    }
    if let Some(think) = j.think {
        text += &format!(" {} then {}{}", think.blocks, think.time, if think.overlaps { " on" } else { "" });
    }
    if j.sync.each_write {
        text += " durable";
    }
    if j.access.distribution.read != Distribution::Uniform {
        text += " zones";
    }
    for file in &j.files {
        text += &format!(" {}:{}+{}", file.volume, file.offset, file.len);
    }
    text
}

fn sections(jobs: &FioJobs) -> String {
    let parts = jobs.workload.jobs.chunk_by(|a, b| a.section == b.section);
    parts.map(describe).collect::<Vec<_>>().join(" | ")
}

#[test]
fn command_lines_come_to_streams() {
    let cases = [
        ("-c1M F:\\a", "1x2 65536 Read 0% +5s 10s 0:0+1048576"),
        ("diskspd -c1G -b4K -r -o32 -t4 -d30 -W1 -Sh -L F:\\a", "4x32 4096 Read 100% +1s 30s 0:0+1073741824"),
        ("/c1G /b4K /r F:\\a", "1x2 4096 Read 100% +5s 10s 0:0+1073741824"),
        ("-c1G -b8K -w30 -r -Sh F:\\a", "1x2 8192 70r 100% +5s 10s durable 0:0+1073741824"),
        ("-c1G -w100 -Suw F:\\a", "1x2 65536 Write 0% +5s 10s durable 0:0+1073741824"),
        ("-c1G -w0 -Sh F:\\a", "1x2 65536 Read 0% +5s 10s 0:0+1073741824"),
        ("-b8K F:", "1x2 8192 Read 0% +5s 10s 0:0+1099511627776"),
        ("-b8K #2", "1x2 8192 Read 0% +5s 10s 0:0+1099511627776"),
        ("-c16b -b8K /mnt/log/deep/a", "1x2 8192 Read 0% +5s 10s 1:0+131072"),
        ("-b8K /dev/sdc", "1x2 8192 Read 0% +5s 10s 1:0+1099511627776"),
        ("-c1M F:\\a /mnt/log/b", "1x2 65536 Read 0% +5s 10s 0:0+1048576 | 1x2 65536 Read 0% +5s 10s 1:0+1048576"),
        ("-F4 -o8 -c1M F:\\a F:\\b", "4x8 65536 Read 0% +5s 10s 0:0+1048576 | 4x8 65536 Read 0% +5s 10s 0:0+1048576"),
        ("-F4 -O8 -c1M F:\\a F:\\b", "4x8 65536 Read 0% +5s 10s 0:0+1048576 0:0+1048576"),
        ("-c1G -b4K -r -Sd F:\\a", "1x2 4096 Read 100% +5s 10s 0:0+1073741824"),
        ("-c1G -b4K -r -w100 -Sds -Zrs -xk F:\\a", "1x2 4096 Write 100% +5s 10s durable 0:0+1073741824"),
        ("-c1G -b4K -r F:\\a > C:\\out.txt 2>&1", "1x2 4096 Read 100% +5s 10s 0:0+1073741824"),
        ("-c1G -b4K -r F:\\a | findstr total", "1x2 4096 Read 100% +5s 10s 0:0+1073741824"),
        ("-c1G -b4K -r F:\\a & timeout 5", "1x2 4096 Read 100% +5s 10s 0:0+1073741824"),
        ("-c1G -s -T1M -t2 F:\\a", "2x2 65536 Read 0% +5s 10s from 0, 1048576 0:0+1073741824"),
        ("-c1G -s128K F:\\a", "1x2 65536 Read 0% +5s 10s gap 65536 0:0+1073741824"),
        ("-c1G -s0 F:\\a", "1x2 65536 Read 0% +5s 10s gap -65536 0:0+1073741824"),
        ("-c1G -si -t4 -o2 F:\\a", "1x8 65536 Read 0% +5s 10s 0:0+1073741824"),
        ("-c1G -p -o4 F:\\a", "4x1 65536 Read 0% +5s 10s 0:0+1073741824"),
        ("-c1G -rs80 -r8K -b8K F:\\a", "1x2 8192 Read 80% +5s 10s 0:0+1073741824"),
        ("-c1G -r4K -b8K F:\\a", "1x2 8192 Read 100% +5s 10s gap -4096 0:0+1073741824"),
        ("-c1G -b4K -r -rdpct95/5:4/10 F:\\a", "1x2 4096 Read 100% +5s 10s zones 0:0+1073741824"),
        ("-c1G -b4K -r -rdabs90/10M F:\\a", "1x2 4096 Read 100% +5s 10s zones 0:0+1073741824"),
        ("-c1G -g1024 F:\\a", "1x2 65536 Read 0% +5s 10s 1024000B/s 0:0+1073741824"),
        ("-c1G -b8K -g1000i F:\\a", "1x2 8192 Read 0% +5s 10s 8192000B/s 0:0+1073741824"),
        ("-c1G -b512 -g1i F:\\a", "1x2 512 Read 0% +5s 10s 0:0+1073741824"),
        ("-c1G -si -t2 -g1024 F:\\a", "1x4 65536 Read 0% +5s 10s 2048000B/s 0:0+1073741824"),
        ("-c1G -i10 -j5 -t2 F:\\a", "2x2 65536 Read 0% +5s 10s 5 then 5 ms on 0:0+1073741824"),
        ("-c1G -i10 -j5 -o1 F:\\a", "1x1 65536 Read 0% +5s 10s 10 then 5 ms 0:0+1073741824"),
        ("-B1M:2M F:", "1x2 65536 Read 0% +5s 10s 0:1048576+2097152"),
        ("-B1M -f3M F:\\a", "1x2 65536 Read 0% +5s 10s 0:1048576+2097152"),
        ("-c1M -f3M F:\\a", "1x2 65536 Read 0% +5s 10s 0:0+1048576"),
        ("-W10s -d1m -c1M F:\\a", "1x2 65536 Read 0% +10s 1s 0:0+1048576"),
        (
            "-c1M -b4K -x -a0,1 -D -l -I3 -v -Rxml -P10 -Z1M -eTHREAD -ysgo -frs F:\\a",
            "1x2 4096 Read 0% +5s 10s 0:0+1048576",
        ),
        (
            "-Xtwo.xml",
            "2x8 4096 70r 100% +1s 20s durable 0:0+1073741824 | 1x1 32768 Write 0% +1s 20s 300000B/s durable 0:0+536870912 | 1x4 8192 Read 80% +5s 10s zones 0:0+1073741824",
        ),
        ("-W0 -d3 -Xtemplate.xml /mnt/log/a", "1x32 4096 Read 100% +0s 3s zones 1:0+1048576"),
    ];
    for (line, expected) in cases {
        let jobs = run(line).unwrap_or_else(|e| panic!("{line}: {e}"));
        assert_eq!(sections(&jobs), expected, "{line}");
    }
}

#[test]
fn what_diskspd_refuses_or_the_model_lacks_is_named() {
    let cases = [
        ("", "not followed by a target"),
        ("-b8K", "not followed by a target"),
        ("-b 8K F:\\a", "whole number is missing"),
        ("-b4kb F:\\a", "has `b` after"),
        ("-b1.5G F:\\a", "after the size"),
        ("-b4G F:\\a", "4 GiB or more"),
        ("-c1G -Q F:\\a", "not a switch of DiskSpd"),
        ("-c1G F:\\a -r", "after a target"),
        ("-b8K /mnt/log/deep/a -c1b", "after a target"),
        ("\u{2013}b8K -c1G F:\\a", "not a hyphen"),
        ("-c1G \"F:\\a", "quote"),
        ("-c1G -t0 F:\\a", "at least 1"),
        ("-c1G -ox F:\\a", "at least 1"),
        ("-c1G -F2 -t2 F:\\a", "contradicts -F"),
        ("-c1G -g500k F:\\a", "unit"),
        ("-c1G -g0 F:\\a", "at least 1"),
        ("-c1G -x -g500 F:\\a", "-x"),
        ("-c1G -i10 F:\\a", "needs the other"),
        ("-c1G -j10 F:\\a", "needs the other"),
        ("-c1G -F2 -O2 -g500 F:\\a", "with -O"),
        ("-c1G -r -s F:\\a", "contradicts -r"),
        ("-c1G -s -r F:\\a", "contradicts -s"),
        ("-c1G -s -rs50 F:\\a", "alignment"),
        ("-c1G -r -r F:\\a", "second time"),
        ("-c1G -rs50 -rs60 F:\\a", "second time"),
        ("-c1G -r0 F:\\a", "0 bytes"),
        ("-c1G -rs0 F:\\a", "at least 1"),
        ("-c1G -rs101 F:\\a", "at most 100"),
        ("-c1G -r -T1M -t2 F:\\a", "-T is for sequential"),
        ("-c1G -r -si F:\\a", "contradicts -r"),
        ("-c1G -T1M F:\\a", "one thread"),
        ("-c1G -T0 -t2 F:\\a", "0 bytes"),
        ("-c1G -si -T1M -t2 F:\\a", "contradicts -si"),
        ("-c1G -si -p F:\\a", "contradicts -si"),
        ("-c1G -rdpct90/10:10/90 F:\\a", "random I/O only"),
        ("-c1G -r -rdpct60/10:50/10 F:\\a", "come to 110"),
        ("-c1G -r -rdxyz F:\\a", "`pct` and `abs`"),
        ("-c1G -w F:\\a", "no percentage"),
        ("-c1G -w101 F:\\a", "at most 100"),
        ("-c1G -Sz F:\\a", "does not know"),
        ("-c1G -Sbu F:\\a", "contradicts"),
        ("-c1G -Sh -Sw F:\\a", "contradicts"),
        ("-c1G -h -Su F:\\a", "contradicts"),
        ("-c1G -Sm F:\\a", "not modelled"),
        ("-c1G -Nv F:\\a", "memory mapped"),
        ("-c1G -n -a0 F:\\a", "contradict"),
        ("-c1G -a0,g1 F:\\a", "list of CPUs"),
        ("-c1G -I4 F:\\a", "at most 3"),
        ("-c1G -d0 F:\\a", "0 s"),
        ("-c1G -b8K -Z4K F:\\a", "smaller than a request"),
        ("-c1G -eNONE F:\\a", "nothing to trace"),
        ("-c1G -yx F:\\a", "no event"),
        ("-c1G -zz F:\\a", "32 bits"),
        ("-c1G -Rjson F:\\a", "form of a report"),
        ("-c1G F:", "a target is a drive"),
        ("-c2T F:\\a", "does not fit"),
        ("-c1G G:\\a", "on no volume"),
        ("-c1G a", "names no location"),
        ("-c1G F:\\my data\\test.dat", "write the path in quotes: `\"F:\\my data\\test.dat\"`"),
        ("-c1G F:\\Program Files\\a b.dat", "`\"F:\\Program Files\\a b.dat\"`"),
        ("-c1G #7", "on no volume"),
        ("-B2G -c1G F:\\a", "begins at byte"),
        ("-B2G -f1G F:", "ends before"),
        ("-B1G:1G -f3G F:", "second time"),
        ("-B1G -B1G F:", "second time"),
        ("-c4K F:\\a", "less than one request"),
        ("-b8K -Xtwo.xml", "cannot be used with -X"),
        ("-Xtwo.xml -Xtwo.xml", "second profile"),
        ("-Xnone.xml", "cannot be read"),
        ("-Xtemplate.xml", "was not given"),
        ("-Xtemplate.xml /mnt/log/a /mnt/log/b", "no template target"),
        ("-?", "help"),
        ("*1", "stands for a target"),
    ];
    for (line, expected) in cases {
        let errors = run(line).err().unwrap_or_else(|| panic!("{line} is accepted"));
        assert!(errors.to_string().contains(expected), "{line}: {errors}");
        for e in &errors.0 {
            assert!(e.line > 0 && !e.text.is_empty() && !e.hint.is_empty(), "{line}: {e:?}");
        }
    }
}

#[test]
fn traps_are_named() {
    use crate::fio::WarningKind::*;
    let cases = [
        ("-c1G -Sh F:\\a", vec![LatencyNotMeasured]),
        ("-c1G -L -Sh F:\\a", vec![]),
        ("-c1G -L F:\\a", vec![Buffered]),
        ("-c1G -L -Sw F:\\a", vec![Buffered]),
        ("-c1G -L -Sh -W10s F:\\a", vec![TrailingText]),
        ("-c1G -L -Sh -g500 F:\\a", vec![RateUnit]),
        ("-c1G -L -Sh -b8K -g1000i F:\\a", vec![]),
        ("-c1G -L -Sh -b512 -g1i F:\\a", vec![RateUnit]),
        ("-c1G -L -Sh -b512K -g9000i F:\\a", vec![RateUnit]),
        ("-c1G -L -Sh -t4 F:\\a", vec![SameBlocks]),
        ("-c1G -L -Sh -t4 -r F:\\a", vec![]),
        ("-c1G -L -Sh -si F:\\a", vec![WithoutEffect]),
        ("-c1G -L -Sh -i5 -j5 -g5000i F:\\a", vec![WithoutEffect]),
    ];
    for (line, expected) in cases {
        let kinds: Vec<_> =
            run(line).unwrap_or_else(|e| panic!("{line}: {e}")).warnings.iter().map(|w| w.kind).collect();
        assert_eq!(kinds, expected, "{line}");
    }
}

#[test]
fn a_profile_is_recognised_and_its_faults_have_lines() {
    assert!(is_profile(TWO_SPANS) && is_profile(TEMPLATE) && is_profile("\u{feff}<!-- x -->\r\n<Profile/>"));
    assert!(!is_profile("<Results/>") && !is_profile("[global]") && !is_profile("<Profiles>") && !is_profile("<!--"));
    let cases = [
        ("<Profile>\n<TimeSpans>\n</TimeSpan>\n", 3, "not XML"),
        ("<Profile>\n</Profile>", 1, "no time span"),
        ("<Profile><TimeSpans><TimeSpan>\n<Bad/></TimeSpan></TimeSpans></Profile>", 2, "not an element"),
        (
            "<Profile><TimeSpans><TimeSpan>\n\n<Duration>10s</Duration></TimeSpan></TimeSpans></Profile>",
            3,
            "plain digits",
        ),
    ];
    for (text, line, expected) in cases {
        let source = Source::Profile { name: "p.xml", text };
        let volumes = volumes();
        let read_profile = &|_: &str| Err(io::Error::other("none"));
        let errors = read(&DiskSpdInput { source, volumes: &volumes, seed: 1, read_profile }).unwrap_err();
        assert!(errors.0.iter().any(|e| e.line == line && e.to_string().contains(expected)), "{errors}");
    }
}

#[test]
fn a_script_runs_what_its_shell_would() {
    const RUN: &str = "diskspd -b4K -d10 -o8 -t1 -r -w0 -c1G F:\\iotest.dat";
    let loops = "each loop counts as one run";
    let cases = [
        ("a test before", format!("@echo off\nif not exist diskspd.exe exit /b 1\n{RUN}\n"), 1, ""),
        ("another command behind", format!("{RUN} & timeout 5\n"), 1, ""),
        ("a way out", format!("{RUN} || exit /b 1\n"), 1, ""),
        ("its report to another", format!("{RUN} 2>&1 | more\n"), 1, ""),
        ("two in a line", format!("{RUN} & {RUN}\n"), 2, ""),
        ("in brackets", format!("if exist F:\\x (\n{RUN}\n) else ({RUN})\n"), 2, ""),
        ("an attribute of PowerShell", format!("[CmdletBinding()]\nparam([int]$n=3)\n& {RUN}\n"), 1, ""),
        ("a loop", format!("for /l %%i in (1,1,3) do {RUN}\n"), 1, loops),
        ("a loop over lines", format!("for /l %%i in (1,1,3) do (\n{RUN}\n)\n"), 1, loops),
    ];
    let read_profile = &|_: &str| Err(io::Error::other("none"));
    let volumes = volumes();
    for (name, text, count, note) in cases {
        assert!(is_script(&text), "{name}");
        let source = Source::Script { name: "a.cmd", text: &text };
        let jobs = read(&DiskSpdInput { source, volumes: &volumes, seed: 1, read_profile });
        let jobs = jobs.unwrap_or_else(|errors| panic!("{name}: {errors}"));
        assert_eq!(jobs.workload.jobs.len(), count, "{name}");
        let said = jobs.ignored.iter().any(|ignored| ignored.option == "for" && ignored.reason.starts_with(loops));
        assert_eq!(said, !note.is_empty(), "{name}");
    }
}

fn of_profile(text: &str) -> Result<FioJobs, FioErrors> {
    let read_profile = &|_: &str| Err(io::Error::other("none"));
    let volumes = volumes();
    read(&DiskSpdInput { source: Source::Profile { name: "p.xml", text }, volumes: &volumes, seed: 1, read_profile })
}

/// Thread 0 has one target; thread 1 both, 90 to 45, which is two to one.
#[test]
fn weights_are_shares_of_the_requests_of_each_thread() {
    let jobs = of_profile(WEIGHTS).unwrap();
    let files: Vec<Vec<u16>> =
        jobs.workload.jobs.iter().map(|job| job.files.iter().map(|file| file.volume).collect()).collect();
    assert_eq!(files, [vec![0], vec![0, 0, 1]]);
    assert_eq!(jobs.workload.jobs[1].file_order, dw_workload::FileOrder::Random(1));
    // Without threads of its own, its weight is that of the target: three to one for both.
    let at = WEIGHTS.find("<ThreadTargets>").unwrap();
    let end = WEIGHTS.find("</ThreadTargets>").unwrap() + "</ThreadTargets>".len();
    let jobs = of_profile(&(WEIGHTS[..at].to_string() + &WEIGHTS[end..])).unwrap();
    for job in &jobs.workload.jobs {
        assert_eq!(job.files.iter().map(|file| file.volume).collect::<Vec<_>>(), [0, 0, 0, 1]);
    }
}

#[test]
fn weights_that_cannot_be_are_refused_at_their_line() {
    let cases = [
        ("<Thread>1</Thread>", "<Thread>2</Thread>", "names thread 2, but there are 2, counted from 0"),
        ("<Thread>1</Thread>", "", "names no thread"),
        ("<Weight>45</Weight>", "<Weight>4511</Weight>", "come to more than 1000 when they are reduced"),
        ("<Weight>90</Weight>", "<Weight>0</Weight>", "is 0"),
        ("<ThreadCount>2</ThreadCount>", "<ThreadCount>0</ThreadCount>", "needs ThreadCount and RequestCount"),
        (
            "<Random>8192</Random>",
            "<StrideSize>8192</StrideSize>",
            "has weights, which are modelled for random requests only",
        ),
    ];
    for (from, to, expected) in cases {
        let errors = of_profile(&WEIGHTS.replace(from, to)).err().unwrap_or_else(|| panic!("{to} is accepted"));
        assert!(errors.to_string().contains(expected), "{to}: {errors}");
        assert!(errors.0.iter().all(|e| e.line > 1 && !e.hint.is_empty()), "{errors}");
    }
    let alone = WEIGHTS.replace(
        "<Path>F:\\hot</Path>",
        "<Path>F:\\hot</Path><ThreadTargets><ThreadTarget><Thread>1</Thread></ThreadTarget></ThreadTargets>",
    );
    assert!(of_profile(&alone).unwrap_err().to_string().contains("leaves thread 0 without a target"));
}

/// One target uses the start of a file, the other the rest: how much that is, nobody says.
#[test]
fn a_file_that_is_used_to_its_end_fills_its_volume_although_another_part_has_an_end() {
    let target = |range: &str| format!("<Target><Path>F:\\a</Path><BlockSize>8192</BlockSize>\n{range}</Target>");
    let profile = |rest: &str| {
        format!(
            "<Profile><TimeSpans><TimeSpan><Targets>\n{}\n{}</Targets></TimeSpan></TimeSpans></Profile>",
            target("<MaxFileSize>1048576</MaxFileSize>"),
            target(&format!("<BaseFileOffset>1048576</BaseFileOffset>{rest}"))
        )
    };
    let jobs = of_profile(&profile("")).unwrap();
    let told: Vec<_> = jobs.warnings.iter().filter(|w| w.kind == crate::fio::WarningKind::AssumedSize).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(!sections(&jobs).ends_with("0:1048576+0"), "{}", sections(&jobs));
    let jobs = of_profile(&profile("<FileSize>4194304</FileSize>")).unwrap();
    assert!(sections(&jobs).ends_with("0:1048576+3145728"), "{}", sections(&jobs));
}

/// DiskSpd takes the size of the file that exists; of one that nobody creates only the scenario says how large it can be.
#[test]
fn a_file_of_unknown_size_fills_what_is_left_of_its_volume() {
    let used = |line: &str| {
        let jobs = run(line).unwrap_or_else(|e| panic!("{line}: {e}"));
        let told = jobs.warnings.iter().filter(|w| w.kind == crate::fio::WarningKind::AssumedSize).count();
        let mut files: Vec<_> = jobs.workload.jobs.iter().map(|j| (j.files[0].name.clone(), j.files[0].len)).collect();
        files.dedup();
        (files, told)
    };
    let (alone, told) = used("-Sh -L F:\\a");
    let volume = alone[0].1;
    assert!(told == 1 && volume >= 1 << 30, "{alone:?}");
    let (both, told) = used("-Sh -L F:\\a F:\\b");
    assert_eq!((both[0].1, both[1].1, told), (volume / 2, volume / 2, 2));
    let (beside, told) = used("-Sh -L -B0:1G F:\\a");
    assert_eq!((beside[0].1, told), (1 << 30, 0), "an end that is used is a size");
}
