//! DiskSpd's, Iometer's and vdbench's loads by the program: they run, they can be explained, and what is wrong has its place.

use serde_json::Value;

use crate::e2e::support::{JOB, RIG, Ran, diskwright_at, folder};

const ICF: &str = include_str!("../published/jobs/ds14-writes.icf");
const PROFILE: &str = include_str!("../../../dw-formats/tests/diskspd/two-spans.xml");

fn simulate(files: &[(&str, &str)], args: &[&str]) -> Ran {
    let folder = folder(&[&[("rig.toml", RIG)], files].concat());
    diskwright_at(folder.path(), &[&["simulate", "rig.toml"], args].concat())
}

#[test]
fn a_command_line_a_profile_a_configuration_and_parameters_run() {
    let line = ["--diskspd", "diskspd -c1G -b8K -r -o8 -W1 -d2 -Sh -L /data/x.dat"];
    let profile = PROFILE.replace(r"F:\db.dat", "/data/db.dat");
    let icf = ICF.replace("/mnt/nocache", "/data");
    let vdbench =
        "sd=sd1,lun=/data/f,size=1g,openflags=o_direct\nwd=wd1,sd=sd1,xfersize=8k\nrd=r,wd=wd1,iorate=max,elapsed=2\n";
    let runs = [
        ("parameters", simulate(&[("p.parm", vdbench)], &["p.parm"])),
        ("line", simulate(&[], &line)),
        ("profile", simulate(&[("p.xml", &profile)], &["p.xml"])),
        ("configuration", simulate(&[("c.icf", &icf)], &["c.icf"])),
    ];
    for (name, ran) in runs {
        assert_eq!(ran.code, 0, "{name}: {}", ran.stderr);
        // A P30 without host cache.
        assert!(ran.stdout.contains("data") && ran.stdout.contains("disk IOPS"), "{name}: {}", ran.stdout);
    }
}

#[test]
fn a_profile_named_on_the_line_takes_its_targets() {
    let profile = PROFILE.replace(r"F:\db.dat", "*1");
    let ran = simulate(&[("p.xml", &profile)], &["--explain-job", "--diskspd", "-Xp.xml -d3 -W0 /data/db.dat"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("[/data/db.dat] 2 jobs of DiskSpd, queue depth 8 each"), "{}", ran.stdout);
    assert!(ran.stdout.contains("after 3 s"), "{}", ran.stdout);
}

/// Files, arguments, exit code, part of the message.
type Case = (&'static [(&'static str, &'static str)], &'static [&'static str], i32, &'static str);

#[test]
fn faults_are_shown_in_their_place() {
    let cases: [Case; 8] = [
        (&[], &["--diskspd", "-c1G -b4kb /data/x"], 3, "--diskspd:2: `-b4kb` has `b` after the size"),
        (&[], &["--diskspd", "-c1G \u{2013}b4K /data/x"], 3, "not a hyphen"),
        (&[], &["--diskspd", "-c1G /data/x", "--runtime", "3"], 2, "`--runtime` is an option for fio jobs"),
        (&[], &["--diskspd", "-c1G /data/x", "--sweep", "bs=4k,8k"], 2, "is an option for fio jobs"),
        (&[("j.fio", JOB)], &["j.fio", "--diskspd", "-c1G /data/x"], 2, "cannot be used with"),
        (&[("j.fio", JOB), ("p.xml", PROFILE)], &["j.fio", "p.xml"], 2, "p.xml is a file of DiskSpd"),
        (&[("p.parm", "sd=a,lun=/data/f\nrd=r,sd=a,iorate=max\n")], &["p.parm"], 3, "is a file of unknown size"),
        (&[("c.icf", ICF)], &["c.icf"], 3, "`/mnt/nocache` is on no volume"),
    ];
    for (files, args, code, expected) in cases {
        let ran = simulate(files, args);
        assert_eq!(ran.code, code, "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(expected) && ran.stdout.is_empty(), "{args:?}: {}{}", ran.stderr, ran.stdout);
    }
}

/// The guide's command line: fio's own options, with or without its name, and no job file.
#[test]
fn a_command_line_of_fio_needs_no_job_file() {
    let at = folder(&[("rig.toml", RIG)]);
    let job = ["--name=x", "--rw=randread", "--bs=8k", "--iodepth=8", "--ioengine=libaio", "--direct=1"];
    let rest =
        ["--filename=/data/f", "--size=1g", "--runtime=1", "--time_based", "--eta=never", "--output-format=json"];
    for program in [&[][..], &["fio"]] {
        let args = [&["simulate", "rig.toml"], program, &job, &rest].concat();
        let ran = diskwright_at(at.path(), &args);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let result: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(result["jobs"][0]["jobname"], "x");
        assert!(result["jobs"][0]["read"]["total_ios"].as_u64() > Some(1_000), "{}", result["jobs"][0]["read"]);
    }
    let ran = diskwright_at(at.path(), &["simulate", "rig.toml"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
}
