//! What is said to hold a volume.

use crate::e2e::support::{diskwright_at, folder};

const RIG: &str = "[vm]
size = \"Standard_DS14\"
edition = \"2017-03\"

[[volume]]
name = \"a\"
mount = \"/a\"
disks = \"P30\"

[[volume]]
name = \"b\"
mount = \"/b\"
disks = \"P30\"
";

/// The report says this of these jobs: options by blanks, sections by ` / `, the first part for all of them.
fn check(rig: &str, jobs: &str, expected: &str) {
    let mut text = String::from("[global]\nioengine=libaio\ndirect=1\nrw=randread\nbs=8k\nsize=1g\ntime_based\n");
    for (n, part) in jobs.split(" / ").enumerate() {
        if n > 0 {
            text.push_str(&format!("[job{n}]\n"));
        }
        part.split_whitespace().for_each(|option| text.push_str(&format!("{option}\n")));
    }
    let folder = folder(&[("rig.toml", rig), ("job.fio", &text)]);
    let ran = diskwright_at(folder.path(), &["simulate", "rig.toml", "job.fio", "-q"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    // Sentences are broken into lines, continued by two blanks.
    let said = ran.stdout.replace("\n  ", " ");
    assert!(said.contains(expected), "{jobs}: no `{expected}` in\n{}", ran.stdout);
}

#[test]
fn a_volume_that_is_active_for_a_while_is_held_while_it_is() {
    check(
        RIG,
        " / filename=/a/f iodepth=1 runtime=20 / filename=/b/f iodepth=64 runtime=5",
        "b is throttled by disk IOPS while it is active (5.0 s of 20 s): its P30 gives 5,000 IOPS",
    );
    let vm = "[vm]\nsize = \"Standard_DS14\"\nedition = \"2017-03\"\nuncached = { iops = 2000 }\n";
    let small = RIG.replace("[vm]\nsize = \"Standard_DS14\"\nedition = \"2017-03\"\n", vm);
    check(
        &small,
        " / filename=/a/f iodepth=1 rate_iops=10 runtime=20 / filename=/b/f iodepth=64 runtime=5",
        "b is throttled by vm uncached IOPS while it is active (5.0 s of 20 s): Standard_DS14 gives 2,000 IOPS",
    );
}

#[test]
fn a_volume_that_waits_now_and_then_is_held_at_times_only() {
    check(
        RIG,
        " / filename=/a/f iodepth=1 runtime=20 / filename=/b/f iodepth=64 thinktime=100ms thinktime_blocks=64 runtime=5",
        "reaches disk IOPS in bursts",
    );
}

#[test]
fn a_rate_holds_a_volume_only_where_it_is_reached() {
    check(
        RIG,
        " / filename=/a/f iodepth=8 rate_iops=100 runtime=5",
        "its jobs are rate-limited and get their 100 IOPS",
    );
    // One request at a time of about 1.6 ms each is some 600 IOPS.
    check(RIG, " / filename=/a/f iodepth=1 rate_iops=4000 runtime=5", "No limit throttles a; its queue depth does");
    // The other job would take more.
    check(
        RIG,
        "filename=/a/f runtime=5 / iodepth=4 rate_iops=100 / iodepth=1",
        "No limit throttles a; its queue depth does",
    );
}
