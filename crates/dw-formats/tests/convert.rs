//! Loads out: what is written is read back to the same workload, and what is not is said.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use dw_formats::convert::{Conversion, To, anywhere, convert};
use dw_formats::diskspd::{self, DiskSpdInput, Source};
use dw_formats::fio::{FioInput, FioJobs, ReadOptions, VolumeMap, read};
use dw_formats::iometer;
use dw_workload::{Direction, Job, Mix};
use proptest::prelude::*;

fn of_fio(text: &str, volumes: &[VolumeMap]) -> FioJobs {
    let input = FioInput {
        files: &[("in.fio".into(), text.into())],
        overrides: &[],
        env: &|_| None,
        volumes,
        options: ReadOptions::default(),
        seed: 1,
    };
    read(&input).unwrap_or_else(|errors| panic!("{errors}\n{text}"))
}

fn of_diskspd(text: &str, volumes: &[VolumeMap]) -> FioJobs {
    let source = if diskspd::is_profile(text) {
        Source::Profile { name: "in.xml", text }
    } else {
        assert!(diskspd::is_script(text), "{text}");
        Source::Script { name: "in.cmd", text }
    };
    let read_profile = &|_: &str| Err(std::io::Error::other("none"));
    diskspd::read(&DiskSpdInput { source, volumes, seed: 1, read_profile })
        .unwrap_or_else(|errors| panic!("{errors}\n{text}"))
}

fn of_iometer(text: &str, volumes: &[VolumeMap]) -> FioJobs {
    assert!(iometer::is_icf(text), "{text}");
    iometer::read("in.icf", text, volumes, 1).unwrap_or_else(|errors| panic!("{errors}\n{text}"))
}

fn read_any(to: To, text: &str, volumes: &[VolumeMap]) -> FioJobs {
    match to {
        To::Fio => of_fio(text, volumes),
        To::DiskSpd | To::DiskSpdXml => of_diskspd(text, volumes),
        To::Iometer => of_iometer(text, volumes),
    }
}

fn used(job: &Job) -> Vec<Direction> {
    match job.mix {
        Mix::Only(direction) => vec![direction],
        _ => vec![Direction::Read, Direction::Write],
    }
}

/// What a job asks for, without names, seeds and reports.
fn meaning(job: &Job) -> String {
    let each = |show: &dyn Fn(Direction) -> String| used(job).into_iter().map(show).collect::<Vec<_>>().join("/");
    let files: Vec<String> = job.files.iter().map(|f| format!("{}@{}+{}", f.name, f.offset, f.len)).collect();
    format!(
        "phase {} depth {} {:?} {} sizes {} align {} random {} cover {} rate {} think {:?} sync {:?} ramp {} {:?} lines {:?}",
        job.phase,
        job.queue_depth,
        job.mix,
        files.join(","),
        each(&|d| format!("{:?}", job.sizes.get(d))),
        each(&|d| job.align.get(d).to_string()),
        each(&|d| job.access.random_percent.get(d).to_string()),
        job.access.cover,
        each(&|d| format!("{:?}", job.rate.get(d))),
        job.think,
        job.sync,
        job.ramp,
        job.stop,
        job.lines,
    )
}

fn meanings(jobs: &FioJobs) -> Vec<String> {
    let mut list: Vec<String> = jobs.workload.jobs.iter().map(meaning).collect();
    list.sort();
    list
}

/// A load that all three tools can do alike.
#[derive(Clone, Debug)]
struct Common {
    phase: bool,
    mix: u8,
    random: bool,
    block: u64,
    depth: u32,
    clones: u32,
    file: u8,
    mib: u64,
    skip: u64,
    run: u64,
}

fn common() -> impl Strategy<Value = Common> {
    (any::<bool>(), 0u8..=100, any::<bool>(), 1u64..64, 2u32..200, 1u32..4, 0u8..3, 64u64..900, 0u64..3, 1u64..4_000)
        .prop_map(|(phase, mix, random, block, depth, clones, file, mib, skip, run)| Common {
            phase,
            // Sequential mixes have two positions in fio, and one elsewhere.
            mix: if random { mix } else { mix / 51 * 100 },
            random,
            block: block * 4_096,
            depth,
            clones,
            file,
            mib,
            skip,
            run,
        })
}

fn job_file(loads: &[Common]) -> String {
    let mut text = String::new();
    let (run, ramp) = (loads[0].run, loads[0].run % 7);
    for (n, l) in loads.iter().enumerate() {
        let name = ["/mnt/a/iobw.tst", "/mnt/b/iobw.tst", "/dev/sdq"][usize::from(l.file)];
        let kind = match (l.mix, l.random) {
            (100, _) => "read",
            (0, _) => "write",
            _ => "rw",
        };
        let prefix = if l.random { "rand" } else { "" };
        // Whole requests, so that where a pass ends is the same everywhere.
        let size = l.mib * 1024 * 1024 / l.block * l.block;
        text += &format!(
            "[load{n}]\nfilename={name}\nioengine=libaio\ndirect=1\nrw={prefix}{kind}\nrwmixread={}\nbs={}\niodepth={}\n\
             numjobs={}\nnorandommap=1\nsize={size}\noffset={}\nruntime={run}\nramp_time={ramp}\ntime_based\n",
            l.mix,
            l.block,
            l.depth,
            l.clones,
            l.skip * l.block,
        );
        if n > 0 && l.phase {
            text += "stonewall\n";
        }
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// fio, then another tool, then fio again: the same workload, and nothing is said to be lost.
    #[test]
    fn what_all_can_say_survives_every_way(loads in prop::collection::vec(common(), 1..5), to in 0usize..3) {
        let to = [To::DiskSpd, To::DiskSpdXml, To::Iometer][to];
        let text = job_file(&loads);
        let volumes = anywhere(&text);
        let first = of_fio(&text, &volumes);
        let written = convert(&first, &volumes, to);
        // A file that is made again takes the same load.
        let said = |l: &String| !l.contains("runs next to other loads") && !l.contains("`-c` recreates");
        let lost: Vec<String> = written.losses.iter().map(ToString::to_string).filter(said).collect();
        prop_assert!(lost.is_empty(), "{lost:?}");
        // Loads that run together are command lines of their own, which are read one after the other.
        let beside = written.losses.iter().any(|l| l.what.contains("runs next to other loads"));
        let there = read_any(to, &written.text, &volumes);
        if !beside {
            prop_assert_eq!(meanings(&there), meanings(&first), "{}", &written.text);
        }
        let back = convert(&there, &volumes, To::Fio);
        prop_assert!(back.losses.is_empty(), "{:?}", back.losses);
        let again = of_fio(&back.text, &volumes);
        prop_assert_eq!(meanings(&again), meanings(&there), "{}", &back.text);
        // Who writes twice writes the same.
        prop_assert_eq!(convert(&again, &volumes, To::Fio).text, back.text);
    }
}

fn corpus() -> Vec<(String, String)> {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fio/valid");
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the corpus is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|e| e == "fio"))
        .map(|path| {
            let name = path.file_stem().expect("named").to_string_lossy().into_owned();
            (name, fs::read_to_string(path).expect("a text"))
        })
        .collect();
    files.sort();
    files
}

fn of_corpus(text: &str) -> FioJobs {
    let environment = [("SIZE", "2g"), ("BS", "16k"), ("DIR", "/mnt/data"), ("RW", "randread")];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fio/valid");
    let include = |name: &str| fs::read_to_string(folder.join(name));
    let input = FioInput {
        files: &[("in.fio".into(), text.into())],
        overrides: &[],
        env: &|name| environment.iter().find(|(n, _)| *n == name).map(|(_, v)| v.to_string()),
        volumes: &crate::common::volumes(),
        options: ReadOptions { include: &include, ..ReadOptions::default() },
        seed: 1,
    };
    read(&input).unwrap_or_else(|errors| panic!("{errors}\n{text}"))
}

/// A job without what a report or a seed says.
fn bare(job: &Job) -> Job {
    let mut job = job.clone();
    (job.options, job.seed, job.section, job.clone) = (Vec::new(), 0, 0, 0);
    job.files.iter_mut().for_each(|file| file.start = 0);
    let gone = job.mix;
    // Values of directions that are not taken say nothing.
    if let Mix::Only(direction) = gone {
        let sizes = job.sizes.get(direction).clone();
        let align = *job.align.get(direction);
        let random = *job.access.random_percent.get(direction);
        let rate = *job.rate.get(direction);
        job.sizes = dw_workload::PerDirection::all(sizes);
        job.align = dw_workload::PerDirection::all(align);
        job.access.random_percent = dw_workload::PerDirection::all(random);
        job.rate = dw_workload::PerDirection::all(rate);
    }
    job
}

#[test]
fn fio_to_fio_changes_nothing() {
    let mut wrong = Vec::new();
    let (mut files, mut different_sizes) = (0, 0);
    for (name, text) in corpus() {
        let first = of_corpus(&text);
        let Conversion { text: written, losses, .. } = convert(&first, &crate::common::volumes(), To::Fio);
        files += 1;
        // Sizes drawn for each file are sizes of their own, which fio has no list for.
        if !losses.is_empty() {
            let drawn = losses.iter().all(|l| l.what.starts_with("has files of different sizes"));
            assert!(drawn, "{name}: {losses:?}");
            different_sizes += 1;
            continue;
        }
        let again = of_corpus(&written);
        let (a, b): (Vec<Job>, Vec<Job>) =
            (first.workload.jobs.iter().map(bare).collect(), again.workload.jobs.iter().map(bare).collect());
        if a != b {
            let lines = |jobs: &[Job]| format!("{jobs:#?}").lines().map(String::from).collect::<Vec<_>>();
            let (one, other) = (lines(&a), lines(&b));
            let differ: Vec<_> = one.iter().zip(&other).filter(|(a, b)| a != b).take(8).collect();
            wrong.push(format!("{name}: {} and {} jobs, {differ:?}\n{written}", a.len(), b.len()));
        }
    }
    assert!(different_sizes <= 2, "{different_sizes} files are of different sizes");
    assert!(files >= 80, "only {files}");
    assert!(wrong.is_empty(), "{} of {files}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_loss_names_its_place_and_every_other_form_is_read_again() {
    let mut lossless = [0; 3];
    for (name, text) in corpus() {
        let first = of_corpus(&text);
        for (n, to) in [To::DiskSpd, To::DiskSpdXml, To::Iometer].into_iter().enumerate() {
            let Conversion { text, losses, .. } = convert(&first, &crate::common::volumes(), to);
            for loss in &losses {
                let there = loss.line > 0 && loss.file.ends_with(".fio") | loss.file.ends_with(".inc");
                assert!(there && !loss.text.is_empty() && !loss.what.is_empty(), "{name} to {to:?}: {loss:?}");
            }
            lossless[n] += usize::from(losses.is_empty());
            let left_out = losses.iter().filter(|l| l.what.contains("omitted")).count();
            let jobs = first.workload.jobs.len();
            if left_out == 0 && jobs > 0 {
                let mut places = anywhere(&text);
                places.extend(crate::common::volumes());
                let there = read_any(to, &text, &places);
                assert!(!there.workload.jobs.is_empty(), "{name} to {to:?}");
            }
        }
    }
    assert!(lossless.iter().all(|n| *n > 0), "nothing is the same anywhere: {lossless:?}");
}

/// What real fio says of the job files that are written.
#[test]
fn real_fio_accepts_what_is_written() {
    if Command::new("fio").arg("--version").output().is_err() {
        eprintln!("SKIPPED: fio is not installed (scripts/setup-test-tools.sh installs it)");
        return;
    }
    let folder = std::env::temp_dir().join(format!("diskwright-convert-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let mut refused = Vec::new();
    let mut tried = 0;
    let icf = include_str!("iometer/two-workers.icf");
    let profile = include_str!("diskspd/two-spans.xml");
    let places = anywhere(&format!("{icf}\n{profile}"));
    let others = [
        ("two-workers.icf", of_iometer(icf, &places)),
        ("two-spans.xml", of_diskspd(profile, &places)),
        ("line", of_diskspd("diskspd -b8K -c1G -t4 -o32 -r -w30 -d10 -g500i -Sh -L F:\\test.dat G:\\a.dat\n", &places)),
    ];
    let texts = corpus()
        .into_iter()
        .map(|(name, text)| (name, convert(&of_corpus(&text), &crate::common::volumes(), To::Fio).text))
        .chain(others.iter().map(|(name, jobs)| (name.to_string(), convert(jobs, &places, To::Fio).text)));
    for (name, text) in texts {
        let path = folder.join(format!("{name}.fio"));
        fs::write(&path, &text).expect("writable");
        let ran = Command::new("fio").arg("--parse-only").arg(&path).output().expect("fio runs");
        let said = format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
        // An engine that this fio was not built with is not a fault of the file.
        if !ran.status.success() && !said.contains("not loadable") && !said.contains("failed to load engine") {
            refused.push(format!("{name}: {said}\n{text}"));
        }
        tried += 1;
    }
    let _ = fs::remove_dir_all(&folder);
    assert!(tried >= 80, "only {tried}");
    assert!(refused.is_empty(), "{} of {tried}:\n{}", refused.len(), refused.join("\n"));
}

#[test]
fn iometers_times_are_the_first_that_are_stated() {
    let job = |name: &str, more: &str| format!("[{name}]\nfilename=/dev/sdq\nrw=randread\nnorandommap\n{more}\n");
    let timed = "time_based\nruntime=90\nramp_time=7";
    let cases = [
        (job("a", "") + &job("b", timed), "1          30", 7),
        (job("a", timed) + &job("b", "time_based\nruntime=20\nramp_time=3"), "1          30", 7),
        (job("a", ""), "1          0", 0),
    ];
    for (text, run, ramp) in cases {
        let volumes = anywhere(&text);
        let written = convert(&of_fio(&text, &volumes), &volumes, To::Iometer).text;
        assert!(written.contains(&format!("{run}\n'Ramp Up Time (s)\n\t{ramp}\n")), "{written}");
    }
}

/// `-c` empties a file that is there.
#[test]
fn a_file_is_made_anew_only_where_the_source_makes_it() {
    let line = |switches: &str| format!("diskspd -b8K -d30 -o4 -r4K -Su -L {switches} D:\\db\\data.mdf\n");
    let fio = |rw: &str| format!("[a]\nfilename=/mnt/x\nsize=2g\ntime_based\nruntime=30\n{rw}\n");
    let cases = [
        (line("-f2G"), false, 0),
        (line("-w30 -f2G"), false, 0),
        (line("-c2G"), true, 0),
        (fio("rw=read"), false, 0),
        (fio("rw=write"), true, 1),
    ];
    for (text, makes, losses) in cases {
        let volumes = anywhere(&text);
        let jobs = if text.starts_with('[') { of_fio(&text, &volumes) } else { of_diskspd(&text, &volumes) };
        for (to, made, end) in
            [(To::DiskSpd, " -c2G", " -f2G"), (To::DiskSpdXml, "<FileSize>2147483648", "<MaxFileSize>2147483648")]
        {
            let written = convert(&jobs, &volumes, to);
            assert_eq!((written.text.contains(made), written.text.contains(end)), (makes, !makes), "{}", written.text);
            let said = written.losses.iter().filter(|l| l.what.contains("`-c` recreates")).count();
            assert_eq!(said, losses, "{:?}", written.losses);
        }
    }
}

#[test]
fn losses_are_said_in_the_words_of_the_source() {
    let cases = [
        ("rw=randread", To::DiskSpd, "in.fio:4: `rw=randread` takes every block once"),
        ("rw=randwrite\nfsync=8", To::DiskSpd, "in.fio:5: `fsync=8` flushes after writes"),
        ("rw=randread\nbssplit=4k/60:64k/40", To::DiskSpd, "in.fio:5: `bssplit=4k/60:64k/40` has several sizes"),
        (
            "rw=randread\nrandom_distribution=zipf:1.2",
            To::DiskSpd,
            "in.fio:5: `random_distribution=zipf:1.2` is a curve",
        ),
        ("rw=randtrim", To::Iometer, "in.fio:4: `rw=randtrim` discards blocks"),
        ("rw=randread\nrate_iops=500", To::Iometer, "in.fio:5: `rate_iops=500` is a limit, which Iometer has not"),
        ("rw=randread\nnumber_ios=500", To::Iometer, "in.fio:5: `number_ios=500` ends when its bytes are done"),
    ];
    for (options, to, expected) in cases {
        let text = format!("[a]\nfilename=/mnt/x\nsize=1g\n{options}\n");
        let volumes = anywhere(&text);
        let losses = convert(&of_fio(&text, &volumes), &volumes, to).losses;
        assert!(losses.iter().any(|l| l.to_string().starts_with(expected)), "{expected}\n{losses:#?}");
    }
}

#[test]
fn weights_of_targets_are_said_to_be_lost() {
    let profile = include_str!("diskspd/weights.xml").replace("/mnt/log/", "/mnt/logs/");
    let jobs = of_diskspd(&profile, &crate::common::volumes());
    for to in [To::Fio, To::DiskSpd, To::DiskSpdXml, To::Iometer] {
        let converted = convert(&jobs, &crate::common::volumes(), to);
        let lost: Vec<&str> = converted
            .losses
            .iter()
            .filter(|loss| loss.what.contains("has weights"))
            .map(|loss| loss.text.as_str())
            .collect();
        assert_eq!(lost, ["<Weight>90</Weight>"], "{to:?}");
    }
}
