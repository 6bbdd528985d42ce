//! `convert`: the loads of one tool in the words of another, and what is said of the rest.

use crate::e2e::support::{diskwright_at, folder, run};

const JOB: &str = "[global]\nioengine=libaio\ndirect=1\nbs=8k\nruntime=30\ntime_based\nlog_avg_msec=1000\n\n[w]\n\
                   filename=/mnt/nocache/w.dat\nsize=30g\nrw=randwrite\niodepth=128\nnumjobs=4\nnorandommap\n";
const LOSSY: &str =
    "[r]\nfilename=/dev/sdc\nrw=randread\nioengine=libaio\ndirect=1\nruntime=30\ntime_based\nrate_iops=3200\n";

#[test]
fn a_job_file_becomes_a_command_line_and_comes_back() {
    let at = folder(&[("a.fio", JOB)]);
    let ran = diskwright_at(at.path(), &["convert", "a.fio", "--to", "diskspd", "--out", "a.cmd"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("a.fio:11: `size=30g` is a file that `-c` recreates"), "{}", ran.stderr);
    assert!(
        ran.stderr.ends_with("omitted, because it does not affect the workload: log_avg_msec (line 7)\n"),
        "{}",
        ran.stderr
    );
    let line = std::fs::read_to_string(at.path().join("a.cmd")).unwrap();
    assert_eq!(line, "diskspd -b8K -r -t4 -o128 -w100 -W0 -d30 -Su -L -c30G /mnt/nocache/w.dat\n");
    let back = diskwright_at(at.path(), &["convert", "a.cmd", "--to", "fio"]);
    assert_eq!((back.code, back.stderr.as_str()), (0, ""));
    let expected = "[/mnt/nocache/w.dat]\nfilename=/mnt/nocache/w.dat\nsize=32212254720\nioengine=libaio\ndirect=1\n\
                    iodepth=128\nrw=randwrite\nnorandommap=1\nbs=8192\nruntime=30\ntime_based\nnumjobs=4\ngroup_reporting\n";
    assert_eq!(back.stdout, expected);
}

#[test]
fn what_is_lost_is_said_and_strict_writes_nothing() {
    let at = folder(&[("a.fio", LOSSY)]);
    let ran = diskwright_at(at.path(), &["convert", "a.fio", "--to", "diskspd", "--xml"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("<Throughput>13107</Throughput>"), "{}", ran.stdout);
    let expected = "DiskSpd cannot say these 3 things:\n  \
        a.fio:3: `rw=randread` takes every block once before any again; DiskSpd draws each on its own, so some come twice\n  \
        a.fio:8: `rate_iops=3200` waits for all in flight before each pause; DiskSpd holds requests back one by one\n  \
        a.fio:8: `rate_iops=3200` is rounded to 13107 bytes a millisecond\n";
    assert_eq!(ran.stderr, expected);
    let strict = diskwright_at(at.path(), &["convert", "a.fio", "--to", "iometer", "--strict", "--out", "b.icf"]);
    assert_eq!(strict.code, 14, "{}", strict.stderr);
    assert!(strict.stderr.contains("a.fio:8: `rate_iops=3200` is a limit, which Iometer has not"), "{}", strict.stderr);
    assert_eq!(std::fs::read_dir(at.path()).unwrap().count(), 1, "a file was written");
}

#[test]
fn a_percentage_of_a_device_needs_its_size() {
    let rig = "[vm]\nsize = \"Standard_DS14\"\nedition = \"2017-03\"\n\n[[volume]]\nname = \"data\"\nmount = \"/data\"\n\
               device = \"/dev/sdc\"\ndisks = \"P30\"\n";
    let at =
        folder(&[("a.fio", "[r]\nfilename=/dev/sdc\nrw=read\nsize=50%\nruntime=9\ntime_based\n"), ("rig.toml", rig)]);
    let ran = diskwright_at(at.path(), &["convert", "a.fio", "--to", "diskspd"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (3, ""));
    assert!(ran.stderr.contains("a.fio:4: `size=50%` is a percentage of something of unknown size"), "{}", ran.stderr);
    let ran = diskwright_at(at.path(), &["convert", "a.fio", "--to", "diskspd", "--rig", "rig.toml"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains(" -f512G "), "{}", ran.stdout);
}

#[test]
fn an_example_in_a_hint_is_one_word() {
    let rig = std::fs::read_to_string(crate::e2e::support::root().join("examples/01-ds1-and-p30/rig.toml")).unwrap();
    let at = folder(&[("rig.toml", &rig)]);
    for option in ["--file-size", "--runtime", "--io-size"] {
        let ran =
            diskwright_at(at.path(), &["bench", "rig.toml", "--simulate", "--suite", "queue-depth", option, "8x"]);
        let example = ran.stderr.split(&format!("for example `{option} ")).nth(1).and_then(|t| t.split('`').next());
        assert!(ran.code == 2 && example.is_some_and(|e| !e.is_empty() && !e.contains(' ')), "{}", ran.stderr);
    }
}

#[test]
fn a_command_line_becomes_a_configuration() {
    let at = folder(&[]);
    let line = r"-c10G -b8K -r -o32 -t2 -w30 -d60 -W5 -Su -L F:\iobw.tst";
    let ran = diskwright_at(at.path(), &["convert", "--diskspd", line, "--to", "iometer", "--strict"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("\t8192,100,70,100,0,1,8192,0\n"), "{}", ran.stdout);
    let ran = diskwright_at(at.path(), &["convert", "--diskspd", line, "--to", "fio", "--xml"]);
    assert_eq!(ran.code, 2);
}

/// A conversion takes what a simulation takes: devices that a variable, an included file or an escaped colon names.
#[test]
fn devices_are_found_wherever_they_are_named() {
    let head = "[r]\nioengine=libaio\ndirect=1\nrw=randread\nbs=4k\n";
    let cases = [
        (format!("{head}filename=${{DISK}}\n"), "filename=/dev/sdq\n"),
        (format!("{head}include disk.inc\n"), "filename=/dev/nvme7n1\n"),
        (
            format!("{head}filename=/dev/disk/by-path/pci-0000\\:00\\:1f.2\n"),
            "filename=/dev/disk/by-path/pci-0000\\:00\\:1f.2\n",
        ),
        (format!("{head}filename=/dev/sdb\nsize=25%\n"), "size=25%\n"),
        (format!("{head}filename=/dev/sdb\nsize=100%\n"), "size=100%\n"),
        (format!("{head}filename=/data/f\nverify=crc32c\nrw=write\nverify_backlog=64\n"), "verify_backlog=64\n"),
    ];
    for (text, expected) in cases {
        let at = folder(&[("a.fio", &text), ("disk.inc", "filename=/dev/nvme7n1\n")]);
        let command = &mut std::process::Command::new(env!("CARGO_BIN_EXE_diskwright"));
        let ran = run(command.args(["convert", "a.fio", "--to", "fio"]).current_dir(at.path()).env("DISK", "/dev/sdq"));
        assert_eq!(ran.code, 0, "{text}{}", ran.stderr);
        assert!(ran.stdout.contains(expected), "{text}{}", ran.stdout);
    }
}

#[test]
fn a_hint_without_a_scenario_names_no_places_of_ours() {
    let at = folder(&[("a.fio", "[r]\nrw=read\nsize=1g\nfilename=/dev\n")]);
    let ran = diskwright_at(at.path(), &["convert", "a.fio", "--to", "fio"]);
    assert!(!ran.stderr.contains("place0"), "{}", ran.stderr);
}
