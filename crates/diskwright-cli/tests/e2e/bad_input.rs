//! What is wrong is refused with file, line, value, what was expected and what to write instead. The snapshots hold the
//! whole message.

use crate::e2e::support::{JOB, RIG, diskwright_at, folder};

/// The message for this rig and this job, on standard error; nothing may be on standard output.
fn message(rig: &str, job: &str, more: &[&str]) -> String {
    let folder = folder(&[("rig.toml", rig), ("job.fio", job)]);
    let args: Vec<&str> = ["simulate", "rig.toml", "job.fio"].iter().chain(more).copied().collect();
    let ran = diskwright_at(folder.path(), &args);
    assert_ne!(ran.code, 0, "{}", ran.stdout);
    assert_eq!(ran.stdout, "", "nothing is printed for wrong input");
    format!("exit {}\n{}", ran.code, ran.stderr)
}

fn rig(change: &str, to: &str) -> String {
    assert!(RIG.contains(change));
    RIG.replace(change, to)
}

fn job(change: &str, to: &str) -> String {
    assert!(JOB.contains(change));
    JOB.replace(change, to)
}

#[test]
fn a_wrong_unit() {
    insta::assert_snapshot!(message(&rig("disks = \"P30\"", "disks = \"2 x P30\"\nstripe_unit = \"64K\""), JOB, &[]));
}

#[test]
fn an_unknown_size() {
    insta::assert_snapshot!(message(&rig("DS14", "DS15"), JOB, &[]));
}

#[test]
fn an_unknown_disk() {
    insta::assert_snapshot!(message(&rig("P30", "P31"), JOB, &[]));
}

#[test]
fn more_disks_than_the_size_takes() {
    insta::assert_snapshot!(message(&rig("P30", "33 x P30"), JOB, &[]));
}

#[test]
fn a_read_write_cache_on_a_disk_too_large() {
    insta::assert_snapshot!(message(&rig("\"P30\"", "\"P60\"\nhost_cache = \"ReadWrite\""), JOB, &[]));
}

#[test]
fn a_misspelt_key() {
    insta::assert_snapshot!(message(&rig("mount", "mout"), JOB, &[]));
}

#[test]
fn a_job_that_points_at_no_volume() {
    insta::assert_snapshot!(message(RIG, &job("/data/f", "/elsewhere/f"), &[]));
}

#[test]
fn an_unknown_fio_option() {
    insta::assert_snapshot!(message(RIG, &job("iodepth", "iodpeth"), &[]));
}

#[test]
fn contradictory_fio_options() {
    insta::assert_snapshot!(message(RIG, &job("bs=8k", "bs=8k\nrate=1m\nrate_iops=100"), &[]));
}

#[test]
fn a_blank_that_changes_the_value() {
    insta::assert_snapshot!(message(RIG, &job("bs=8k", "bs = 8k"), &[]));
}

#[test]
fn a_file_larger_than_its_volume() {
    insta::assert_snapshot!(message(RIG, &job("size=1g", "size=2t"), &[]));
}

/// No machine has the memory: said before any of it is taken, and without the map there is nothing to refuse.
#[test]
fn a_random_map_beyond_the_memory() {
    let rig = rig("size = \"Standard_DS14\"\nedition = \"2017-03\"", "size = \"Standard_D8ds_v4\"");
    let rig = rig.replace("\"P30\"", "\"8 x P80\"").replace("mount", "device = \"/dev/fioa\"\nmount");
    let job = "[global]\nioengine=libaio\ndirect=1\nfilename=/dev/fioa\nrw=randwrite\nbs=4k\n[small]\nsize=1g\n\
               [steady]\nnumjobs=1024\n";
    let said = message(&rig, job, &[]);
    let (before, after) = said.split_once("this machine has ").unwrap();
    let hint = after.split_once('\n').unwrap().1;
    assert_eq!(
        before,
        "exit 3\nerror: job `steady` draws every block of 262136.0 GiB once, and the map of used blocks takes 8.1 GiB for \
         each of its clones (1024); all maps together take 8321.8 GiB, "
    );
    assert!(hint.contains("`norandommap=1`") && hint.contains("`--norandommap`") && hint.contains("`size=`"), "{hint}");
    let folder = folder(&[("rig.toml", &rig), ("job.fio", job)]);
    let args = ["simulate", "rig.toml", "job.fio", "--norandommap", "--number_ios=10"];
    let ran = diskwright_at(folder.path(), &args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn an_option_that_nobody_has() {
    insta::assert_snapshot!(message(RIG, JOB, &["--ouput-format", "json"]));
}

#[test]
fn a_file_that_is_not_there() {
    let folder = folder(&[("rig.toml", RIG)]);
    let ran = diskwright_at(folder.path(), &["simulate", "rig.toml", "nowhere.fio"]);
    insta::assert_snapshot!(ran.stderr);
}

#[test]
fn a_file_that_is_no_text() {
    let folder = folder(&[("rig.toml", RIG)]);
    std::fs::write(folder.path().join("job.fio"), b"[x]\nbs=4k\n\xff\xfe\n").unwrap();
    let ran = diskwright_at(folder.path(), &["simulate", "rig.toml", "job.fio"]);
    insta::assert_snapshot!(ran.stderr);
}

#[test]
fn nothing_is_written_when_the_input_is_wrong() {
    let folder = folder(&[("rig.toml", RIG), ("job.fio", "[x]\nbs=8q\n"), ("result.json", "precious")]);
    let ran = diskwright_at(folder.path(), &["simulate", "rig.toml", "job.fio", "--output", "result.json"]);
    assert_eq!(ran.code, 3);
    assert_eq!(std::fs::read_to_string(folder.path().join("result.json")).unwrap(), "precious");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
}
