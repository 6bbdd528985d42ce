//! Real fio 3.33 as the oracle: job files on small real files, run by both, and every request compared.
//!
//! Real fio writes down what it issues (`write_iolog`), the virtual one is asked for the same. What follows from the job
//! alone (sequences, gaps, files in turn) must be equal request by request; where chance has its say and a map sees to it
//! that every block is used once, the sets must be equal; where chance alone decides, two samples of it are compared with a false
//! alarm in fewer than one in a million runs (`support/chance.rs`).

use crate::support::asked::{Asked, drawn, first_difference, heat, moved, shares, touched, whole};
use crate::support::chance;
use crate::support::fio::{Entry, can_run, entry, in_parallel, real_in, workload_of};
use crate::support::judged;
use dw_sim::{Progress, RunOptions, run_logged};
use dw_workload::{Direction, Job};
use std::fmt::Write as _;

/// What both must agree in.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Alike {
    /// Every request of every job, in order.
    Order,
    /// The requests of every job, in any order.
    Set,
    /// The requests of all jobs together, in any order: clones share one log.
    SetOfAll,
    /// The bytes touched, and how many bytes were moved; sizes and directions are drawn.
    Bytes,
    /// As `Order` for each direction up to the shorter of the two, the directions being drawn.
    OrderByDirection,
    /// Shares only: of reads, of sizes, of each tenth of the file, of the hottest blocks, of blocks that were touched at all.
    Shares,
    /// As `Shares`, but each tenth of the file: hot blocks lie anywhere, and where is drawn.
    Heat,
    /// Every file from its first byte without a hole; how long the files are is drawn.
    WholeFiles,
}

use Alike::{Bytes, Heat, Order, OrderByDirection, Set, SetOfAll, Shares, WholeFiles};

struct Case {
    name: &'static str,
    /// Options of every job, and the jobs, separated by ` / `; options by blanks.
    job: &'static str,
    alike: Alike,
}

const fn case(name: &'static str, job: &'static str, alike: Alike) -> Case {
    Case { name, job, alike }
}

const CASES: &[Case] = &[
    // Sequences.
    case("read", "ioengine=psync rw=read bs=4k size=1m", Order),
    case("write", "ioengine=sync rw=write bs=16k size=1m", Order),
    case("at depth, direct", "ioengine=libaio direct=1 iodepth=8 rw=read bs=16k size=1m", Order),
    case("a tail", "ioengine=psync rw=read bs=12k size=1m", Order),
    case("holes", "ioengine=psync rw=read:8k bs=4k size=1m", Order),
    case("holes of a write", "ioengine=sync rw=write:12k bs=4k size=1m", Order),
    case("holes that do not divide", "ioengine=psync rw=read:5k bs=3k size=100k", Order),
    case("backwards", "ioengine=psync rw=read:-8k bs=4k size=1m", Order),
    case("offset", "ioengine=psync rw=read bs=4k offset=256k size=512k filesize=1m", Order),
    case("half a file", "ioengine=psync rw=read bs=4k size=50% filesize=1m", Order),
    case(
        "the other half of one that exists",
        "exists ioengine=psync rw=read bs=4k offset=50% size=50% filesize=1m",
        Order,
    ),
    case("the rest of one that exists", "exists ioengine=psync rw=read bs=4k offset=768k filesize=1m", Order),
    case("io_size below", "ioengine=psync rw=read bs=4k size=1m io_size=256k", Order),
    case("io_size beyond", "ioengine=psync rw=read bs=4k size=256k io_size=1m", Order),
    case("number_ios", "ioengine=psync rw=read bs=4k size=1m number_ios=100", Order),
    case("loops", "ioengine=psync rw=read bs=4k size=256k loops=3", Order),
    case("loops of a write", "ioengine=sync rw=write bs=12k size=256k loops=2", Order),
    case("sizes by direction", "ioengine=psync rw=rw bs=4k,8k size=16m", OrderByDirection),
    case("a sequential mix", "ioengine=psync rw=rw rwmixread=70 bs=4k size=16m", OrderByDirection),
    case("flushes", "ioengine=sync rw=write bs=4k size=256k fsync=8", Order),
    case(
        "strided zones",
        "ioengine=psync rw=read bs=4k size=1m zonemode=strided zonesize=64k zonerange=64k zoneskip=64k",
        Order,
    ),
    // Several files.
    case("files in turn", "ioengine=psync rw=read bs=4k size=1m nrfiles=4", Order),
    case(
        "files in turn, by four",
        "ioengine=psync rw=read bs=4k size=1m nrfiles=4 file_service_type=roundrobin:4",
        Order,
    ),
    case(
        "files one after the other",
        "ioengine=sync rw=write bs=4k size=1m nrfiles=4 file_service_type=sequential",
        Order,
    ),
    case("files that do not divide", "ioengine=psync rw=read bs=4k size=1000k nrfiles=3", Order),
    case("files at random", "ioengine=psync rw=read bs=4k size=1m nrfiles=4 file_service_type=random", Set),
    case("two named files", "ioengine=psync rw=read bs=4k size=1m filename=@/a:@/b", Order),
    case("drawn file sizes", "ioengine=psync rw=read bs=4k filesize=64k-256k nrfiles=5", WholeFiles),
    case("random in files", "ioengine=psync rw=randread bs=4k size=1m nrfiles=4", Set),
    // Maps.
    case("randread", "ioengine=psync rw=randread bs=4k size=1m", Set),
    case("randread at depth, direct", "ioengine=libaio direct=1 iodepth=16 rw=randread bs=4k size=4m", Set),
    case("randwrite", "ioengine=sync rw=randwrite bs=8k size=1m", Set),
    case("softrandommap", "ioengine=psync rw=randread bs=4k size=1m softrandommap=1", Set),
    case("a random tail", "ioengine=psync rw=randread bs=12k size=1m", Set),
    case("random loops", "ioengine=psync rw=randread bs=4k size=256k loops=3", Set),
    case("random io_size beyond", "ioengine=sync rw=randwrite bs=4k size=256k io_size=768k", Set),
    case("a map and an offset", "ioengine=psync rw=randread bs=4k offset=256k size=512k", Set),
    case("some blocks of a larger file", "ioengine=psync rw=randread bs=4k offset=4m size=16m filesize=64m", Shares),
    case("a mix shares its map", "ioengine=psync rw=randrw rwmixread=70 bs=4k size=8m", Bytes),
    case("a range covers", "ioengine=psync rw=randread bsrange=4k-64k size=64m", Bytes),
    case("a split covers", "ioengine=psync rw=randread bssplit=4k/50:64k/50 size=128m", Bytes),
    case("a range in sequence", "ioengine=psync rw=read bsrange=4k-64k size=8m", Bytes),
    // Chance alone.
    case("norandommap", "ioengine=psync rw=randread bs=4k size=64m norandommap", Shares),
    case("io_size beyond without map", "ioengine=psync rw=randread bs=4k size=16m io_size=48m norandommap", Shares),
    case("loops without map", "ioengine=psync rw=randread bs=4k size=16m loops=3 norandommap", Shares),
    case("loops of a mix without map", "ioengine=psync rw=randrw bs=4k,8k size=16m loops=3 norandommap", Shares),
    case("loops of runs", "ioengine=psync rw=randread:8 bs=4k size=32m loops=3 norandommap", Shares),
    case(
        "io_size beyond without map, queued",
        "ioengine=libaio direct=1 iodepth=4 rw=randread bs=4k size=16m io_size=48m norandommap",
        Shares,
    ),
    case(
        "io_size beyond of writes without map, queued",
        "ioengine=libaio direct=1 iodepth=4 rw=randwrite bs=4k size=16m io_size=48m norandommap",
        Shares,
    ),
    case(
        "io_size beyond of the null engine",
        "ioengine=null rw=randread bs=4k size=16m io_size=48m norandommap",
        Shares,
    ),
    case("a split without map", "ioengine=psync rw=randread bssplit=4k/60:16k/30:64k/10 size=256m norandommap", Shares),
    case("a split each way", "ioengine=psync rw=randrw bssplit=4k/60:64k/40,8k/100 size=256m norandommap", Shares),
    case("a range without map", "ioengine=psync rw=randread bsrange=4k-32k size=256m norandommap", Shares),
    case("a range of any size", "ioengine=psync rw=randread bsrange=1k-9k bs_unaligned size=64m norandommap", Shares),
    case("zipf", "ioengine=psync rw=randread bs=4k size=128m random_distribution=zipf:1.1", Heat),
    case("pareto", "ioengine=psync rw=randread bs=4k size=128m random_distribution=pareto:0.2", Heat),
    case("normal", "ioengine=psync rw=randread bs=4k size=128m random_distribution=normal:10", Heat),
    case("zoned", "ioengine=psync rw=randread bs=4k size=128m random_distribution=zoned:50/5:30/15:20/80", Shares),
    case(
        "zoned in bytes",
        "ioengine=psync rw=randread bs=4k size=128m random_distribution=zoned_abs:60/8m:40/24m",
        Shares,
    ),
    case(
        "a percentage of random",
        "ioengine=psync rw=randread bs=4k size=128m percentage_random=30 norandommap",
        Shares,
    ),
    case("runs of eight", "ioengine=psync rw=randread:8 bs=4k size=256m norandommap", Shares),
    case(
        "each block eight times",
        "ioengine=psync rw=randread:8 rw_sequencer=identical bs=4k size=128m norandommap",
        Shares,
    ),
    case("an alignment", "ioengine=psync rw=randread bs=4k blockalign=64k size=64m", Shares),
    // Several jobs.
    case(
        "clones apart",
        "ioengine=psync rw=read bs=4k size=256k offset_increment=256k numjobs=3 filename=@/f",
        SetOfAll,
    ),
    case(
        "clones apart by percent",
        "ioengine=psync rw=read bs=4k size=256k offset_increment=25% filesize=1m numjobs=3 filename=@/f",
        SetOfAll,
    ),
    case("clones of files of their own", "ioengine=sync rw=randwrite bs=4k size=256k numjobs=3", SetOfAll),
    case(
        "a wall",
        "size=256k bs=4k filename=@/f / ioengine=sync rw=write / ioengine=psync rw=read stonewall / ioengine=psync rw=randread stonewall",
        Set,
    ),
    case(
        "jobs that share a file",
        "size=1m bs=4k filename=@/f ioengine=psync / rw=read / rw=read offset=512k number_ios=50",
        Order,
    ),
    // Reading back.
    case("verify", "ioengine=psync rw=write bs=4k size=1m verify=crc32c", Order),
    case("verify at random", "ioengine=psync rw=randwrite bs=4k size=1m verify=crc32c", Set),
    case("verify without reading back", "ioengine=psync rw=write bs=4k size=1m verify=crc32c do_verify=0", Order),
    case("verify of a read job", "exists ioengine=psync rw=read bs=4k size=1m verify=null", Order),
    case("verify in between", "ioengine=psync rw=write bs=4k size=1m verify=crc32c verify_backlog=16", Order),
    case(
        "verify in between, by eight",
        "ioengine=psync rw=write bs=4k size=1m verify=crc32c verify_backlog=64 verify_backlog_batch=8",
        Order,
    ),
    case(
        "verify in between at random",
        "ioengine=psync rw=randwrite bs=4k size=1m verify=crc32c verify_backlog=64 verify_backlog_batch=8",
        Set,
    ),
    case(
        "verify in between at depth",
        "ioengine=libaio direct=1 iodepth=8 rw=write bs=4k size=1m verify=crc32c verify_backlog=64",
        Set,
    ),
    case(
        "verify in between, without reading back",
        "ioengine=psync rw=write bs=4k size=1m verify=crc32c verify_backlog=64 do_verify=0",
        Order,
    ),
    case("verify with loops", "ioengine=psync rw=write bs=4k size=256k verify=crc32c loops=2", Order),
    case("verify and io_size", "ioengine=psync rw=write bs=4k size=1m verify=crc32c io_size=2m", Order),
    case("verify and number_ios", "ioengine=psync rw=write bs=4k size=1m verify=crc32c number_ios=100", Order),
    case("verify and flushes", "ioengine=psync rw=write bs=4k size=1m verify=crc32c fsync=16", Order),
    case("verify with gaps", "ioengine=psync rw=write:4k bs=4k size=512k verify=crc32c", Order),
    case("verify of a pattern", "ioengine=psync rw=write bs=4k size=1m verify_pattern=0xff", Order),
    case("verify of files in turn", "ioengine=psync rw=write bs=4k size=1m nrfiles=4 verify=crc32c", Set),
    case("verify of a range of sizes", "ioengine=psync rw=randwrite bsrange=4k-16k size=64m verify=crc32c", Bytes),
    case("verify of all clones", "ioengine=psync rw=randwrite bs=4k size=256k verify=crc32c numjobs=3", SetOfAll),
    // Trims: no file takes them, the null engine does.
    case("randtrim", "ioengine=null rw=randtrim bs=4k size=1m", Set),
    case("trimwrite", "ioengine=null rw=trimwrite bs=4k size=1m", Order),
    case("randtrimwrite", "ioengine=null rw=randtrimwrite bs=4k size=1m", Set),
];

/// A word of a case: its file of 1 MiB is there before, as the simulator takes files to be.
const EXISTS: &str = "exists";

/// The job file of a case, its files under `folder`. Each section keeps its log, clones one together.
fn text(case: &Case, folder: &str, logs: Option<&str>, direct: bool) -> (String, usize) {
    let mut parts = case.job.split(" / ").map(|part| part.replace('@', folder));
    let mut text = format!("[global]\ndirectory={folder}\n");
    let section = |text: &mut String, options: &str| {
        for option in options.split_whitespace().filter(|&o| o != EXISTS && (direct || o != "direct=1")) {
            // Named files are not under the directory.
            *text = if option.starts_with("filename=") {
                text.replace(&format!("directory={folder}\n"), "")
            } else {
                text.clone()
            };
            let _ = writeln!(text, "{option}");
        }
    };
    section(&mut text, &parts.next().unwrap());
    let mut jobs: Vec<String> = parts.collect();
    if jobs.is_empty() {
        jobs.push(String::new());
    }
    for (n, job) in jobs.iter().enumerate() {
        let _ = writeln!(text, "[job{n}]");
        section(&mut text, job);
        if let Some(logs) = logs {
            let _ = writeln!(text, "write_iolog={logs}/log{n}");
        }
    }
    (text, jobs.len())
}

/// What real fio wrote down for one section.
fn read_log(text: &str, folder: &str) -> Vec<Asked> {
    let line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, file, what, offset, len] = words[..] else { return None };
        let direction = match what {
            "read" => Direction::Read,
            "write" => Direction::Write,
            "trim" => Direction::Trim,
            _ => return None,
        };
        let file = file.strip_prefix(folder).unwrap_or(file).trim_start_matches('/');
        Some((direction, file.to_string(), offset.parse().unwrap(), len.parse().unwrap()))
    };
    text.lines().filter_map(line).collect()
}

/// What our virtual fio did, by section.
fn ours(text: &str, sections: usize, seed: u64) -> (Vec<Entry>, Vec<Vec<Asked>>) {
    let spec = crate::support::constant(100);
    let workload = workload_of(&spec, text, seed);
    let (result, log) = run_logged(spec, &workload, &RunOptions::default(), &Progress::default()).unwrap();
    let mut asked = vec![Vec::new(); sections];
    for issued in log {
        let job: &Job = &workload.jobs[issued.job];
        let io = issued.io;
        let holds = |f: &&dw_workload::FileExtent| {
            f.volume == io.volume && (f.start..f.start + f.offset + f.len).contains(&io.offset)
        };
        let file = job.files.iter().find(holds).unwrap();
        let name = file.name.strip_prefix("/data").unwrap_or(&file.name).trim_start_matches('/');
        asked[job.section as usize].push((io.direction, name.to_string(), io.offset - file.start, u64::from(io.len)));
    }
    (result.entries.iter().map(entry).collect(), asked)
}

#[test]
fn the_file_engines_agree_with_fio() {
    if !can_run("fio") {
        return;
    }
    let direct = direct_works();
    let cases: Vec<&Case> = judged(CASES).collect();
    let wrong = in_parallel(2, &cases, |case| differences(case, direct));
    assert!(wrong.is_empty(), "{} differences\n{}", wrong.len(), wrong.join("\n"));
    chance::within_budget();
}

/// Whether the file system of temporary files takes direct I/O.
fn direct_works() -> bool {
    let folder = tempfile::tempdir().unwrap();
    let text = "[probe]\nioengine=psync\nfilename=probe\nrw=write\nbs=4k\nsize=4k\ndirect=1\n";
    let works = real_in(&folder, text)[0].ios[1] == 1.0;
    if !works {
        eprintln!("temporary files take no direct I/O here: rows of direct=1 run without");
    }
    works
}

fn differences(case: &Case, direct: bool) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let (files, logs) = (folder.path().join("files"), folder.path().join("logs"));
    std::fs::create_dir(&files).unwrap();
    std::fs::create_dir(&logs).unwrap();
    // fio hashes the name of a file into what it draws: the same name, the same draws in every run.
    let path = "files";
    let (theirs, sections) = text(case, path, Some("logs"), direct);
    if case.job.starts_with(EXISTS) {
        std::fs::write(files.join("job0.0.0"), vec![0x5a; 1 << 20]).unwrap();
    }
    let fios = real_in(&folder, &theirs);
    let log = |n| read_log(&std::fs::read_to_string(logs.join(format!("log{n}"))).unwrap(), path);
    let fio_asked: Vec<Vec<Asked>> = (0..sections).map(log).collect();
    let (entries, asked) = ours(&text(case, "/data", None, true).0, sections, 1);
    let mut wrong = compare_totals(case, &entries, &fios);
    for (n, (ours, fios)) in asked.into_iter().zip(fio_asked).enumerate() {
        wrong.extend(compare(case.alike, ours, fios).into_iter().map(|w| format!("job{n}: {w}")));
    }
    wrong.into_iter().map(|w| format!("{}: {w}", case.name)).collect()
}

/// What the results say: I/Os and bytes of each direction, flushes.
fn compare_totals(case: &Case, ours: &[Entry], fios: &[Entry]) -> Vec<String> {
    let mut wrong = Vec::new();
    if ours.len() != fios.len() {
        return vec![format!("{} entries instead of {}", ours.len(), fios.len())];
    }
    for (ours, fios) in ours.iter().zip(fios) {
        if ours.syncs != fios.syncs {
            wrong.push(format!("{} flushes instead of {}", ours.syncs, fios.syncs));
        }
        if matches!(case.alike, Order | Set | SetOfAll) && (ours.ios, ours.bytes) != (fios.ios, fios.bytes) {
            wrong.push(format!(
                "{:?} I/Os and {:?} bytes instead of {:?} and {:?}",
                ours.ios, ours.bytes, fios.ios, fios.bytes
            ));
        }
    }
    wrong
}

fn compare(alike: Alike, mut ours: Vec<Asked>, mut fios: Vec<Asked>) -> Vec<String> {
    match alike {
        Order => first_difference("", &ours, &fios),
        Set | SetOfAll => {
            ours.sort();
            fios.sort();
            first_difference("sorted, ", &ours, &fios)
        }
        OrderByDirection => Direction::ALL
            .into_iter()
            .flat_map(|d| {
                let of = |all: &[Asked]| all.iter().filter(|a| a.0 == d).cloned().collect::<Vec<_>>();
                let (ours, fios) = (of(&ours), of(&fios));
                let shorter = ours.len().min(fios.len());
                first_difference(&format!("{d:?}, "), &ours[..shorter], &fios[..shorter])
            })
            .chain(drawn(&ours, &fios, ""))
            .collect(),
        Bytes => {
            let mut wrong = Vec::new();
            let (a, b) = (touched(&ours), touched(&fios));
            if a != b {
                wrong.push(format!("touches {a:?} instead of {b:?}"));
            }
            let (a, b) = (moved(&ours), moved(&fios));
            if a != b {
                wrong.push(format!("moves {a} bytes instead of {b}"));
            }
            // As the map fills, large requests shrink: the sizes are those of fio at every stage.
            for quarter in 0..4 {
                let of = |all: &'_ [Asked]| all[all.len() * quarter / 4..all.len() * (quarter + 1) / 4].to_vec();
                wrong.extend(drawn(&of(&ours), &of(&fios), &format!(" in quarter {}", quarter + 1)));
            }
            wrong
        }
        Shares => shares(&ours, &fios),
        Heat => [drawn(&ours, &fios, ""), heat(&ours, &fios)].concat(),
        WholeFiles => {
            let (a, b) = (whole(&ours), whole(&fios));
            if a == b && b.values().all(|&whole| whole) {
                Vec::new()
            } else {
                vec![format!("whole files {a:?} instead of {b:?}")]
            }
        }
    }
}

/// Jobs whose draws are compared, next to themselves under other seeds, at a level where alarms can be counted.
#[test]
fn equals_alarm_no_more_often_than_is_promised() {
    let level = 0.01;
    let (mut made, mut alarms) = (0, Vec::new());
    for case in CASES.iter().filter(|case| matches!(case.alike, Bytes | Shares | Heat)) {
        let (job, sections) = text(case, "/data", None, true);
        let of = |seed: u64| ours(&job, sections, seed).1.remove(0);
        for pair in [(1, 2), (3, 4), (5, 6)] {
            let (one, other) = (of(pair.0), of(pair.1));
            let (seen, comparisons) = chance::at_level(level, || compare(case.alike, one, other));
            alarms.extend(seen.into_iter().map(|w| format!("{}, seeds {pair:?}: {w}", case.name)));
            made += comparisons;
        }
    }
    let expected = level * made as f64;
    assert!(alarms.len() as f64 <= expected, "{} alarms of {made}:\n{}", alarms.len(), alarms.join("\n"));
}

#[test]
fn what_differs_alarms() {
    // (of one, of the other, differ): shares of draws.
    let shares = [
        ((4_915, 16_384), (5_571, 16_384), true),
        ((4_915, 16_384), (5_079, 16_384), false),
        ((0, 8_192), (38, 8_192), true),
        ((0, 8_192), (20, 8_192), false),
        ((8_192, 8_192), (8_100, 8_192), true),
        ((25, 60), (60, 60), true),
        ((0, 0), (0, 0), false),
    ];
    for (one, other, differ) in shares {
        for (one, other) in [(one, other), (other, one)] {
            assert_eq!(chance::share_differs(one, other, chance::FALSE_ALARM), differ, "{one:?} {other:?}");
        }
    }
    for (one, other, differ) in [(20_000, 22_000, true), (20_000, 20_600, false), (0, 60, true), (0, 20, false)] {
        assert_eq!(chance::heat_differs(one, other, chance::FALSE_ALARM), differ, "{one} {other}");
        assert_eq!(chance::heat_differs(other, one, chance::FALSE_ALARM), differ, "{other} {one}");
    }
    // Fisher's own table: 3 of 4 and 1 of 4 have a one-sided probability of 17/70.
    assert!(
        chance::share_differs((3, 4), (1, 4), 2.0 * 0.2429) && !chance::share_differs((3, 4), (1, 4), 2.0 * 0.2428)
    );
}
