//! Configurations by one door: a file in, one line per job out.

use super::*;
use dw_workload::Mix;

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

/// A file of these specifications (name, default, lines) and workers (settings, range, specs, targets).
fn file(setup: &str, specs: &str, workers: &str) -> String {
    format!(
        "Version 1.1.0 \n'TEST SETUP ====================\n{setup}'END test setup\n\
         'ACCESS SPECIFICATIONS =========\n{specs}'END access specifications\n\
         'MANAGER LIST ==================\n'Manager ID, manager name\n\t1,HOST\n'Manager network address\n\t\n{workers}\
         'End manager\n'END manager list\nVersion 1.1.0 \n"
    )
}

const SETUP: &str = "'Run Time\n'\thours      minutes    seconds\n\t0          1          30\n'Ramp Up Time (s)\n\t10\n'Test Type\n\tNORMAL\n";

fn spec(name: &str, default: &str, lines: &str) -> String {
    format!(
        "'Access specification name,default assignment\n\t{name},{default}\n'size,% of size,% reads,% random,delay,burst,align,reply\n{lines}"
    )
}

fn worker(name: &str, settings: &str, range: &str, specs: &str, targets: &[&str]) -> String {
    let targets: String =
        targets.iter().map(|t| format!("'Target\n\t{t}\n'Target type\n\tDISK\n'End target\n")).collect();
    format!(
        "'Worker\n\t{name}\n'Worker type\n\tDISK\n'Default target settings for worker\n\
         'Number of outstanding IOs,test connection rate,transactions per connection\n\t{settings}\n\
         'Disk maximum size,starting sector\n\t{range}\n'End default target settings for worker\n\
         'Assigned access specs\n{specs}'End assigned access specs\n\
         'Target assignments\n{targets}'End target assignments\n'End worker\n"
    )
}

/// `phase name depth size reads random +ramp run volume:offset+len`, and what is unusual.
fn describe(text: &str) -> Result<String, FioErrors> {
    let jobs = read("t.icf", text, &volumes(), 1)?;
    let one = |j: &dw_workload::Job| {
        let reads = match j.mix {
            Mix::Only(d) => format!("{d:?}"),
            Mix::ReadWrite { read_percent } => format!("{read_percent}r"),
            Mix::TrimThenWrite => "?".into(),
        };
        let lines = if j.lines.is_empty() { String::new() } else { format!(" {} lines", j.lines.len()) };
        let think = j.think.map_or(String::new(), |t| format!(" {} then {}", t.blocks, t.time));
        let (f, ns) = (&j.files[0], 1_000_000_000);
        format!(
            "{} {} x{} {} {reads} {}% +{}s {}s {}:{}+{}{lines}{think}",
            j.phase,
            j.name,
            j.queue_depth,
            j.sizes.read.max(),
            j.access.random_percent.read,
            j.ramp.ns() / ns,
            j.stop.runtime.map_or(0, |r| r.ns() / ns),
            f.volume,
            f.offset,
            f.len
        )
    };
    Ok(jobs.workload.jobs.iter().map(one).collect::<Vec<_>>().join(" | "))
}

#[test]
fn workers_targets_and_specifications_come_to_jobs() {
    let reads = spec("reads", "NONE", "\t8192,100,100,100,0,1,0,0\n");
    let mixed = spec("mixed", "ALL", "\t4096,80,67,100,0,1,4096,0\n\t65536,20,0,0,0,1,0,0\n");
    let cases = [
        (
            file(SETUP, &reads, &worker("W1", "128,DISABLED,1", "2048,0", "\treads\n", &["F: \"Data\""])),
            "0 W1: reads x128 8192 Read 100% +10s 90s 0:0+1048576",
        ),
        (
            file(SETUP, &reads, &worker("W1", "2,DISABLED,1", "0,8", "\treads\n", &["PHYSICALDRIVE:2", "sdc", "log"])),
            "0 W1: reads x2 8192 Read 100% +10s 90s 0:4096+1099511623680 | \
             0 W1: reads x2 8192 Read 100% +10s 90s 1:4096+1099511623680 | \
             0 W1: reads x2 8192 Read 100% +10s 90s 1:4096+1099511623680",
        ),
        // Nothing assigned: what is for all.
        (
            file(SETUP, &format!("{reads}{mixed}"), &worker("W1", "1,DISABLED,1", "16384,0", "", &["/mnt/log [ext4]"])),
            "0 W1: mixed x1 65536 53r 100% +10s 90s 1:0+8388608 2 lines",
        ),
        (
            file(
                SETUP,
                &format!("{reads}{mixed}"),
                &worker("W1", "1,DISABLED,1", "2048,0", "\tmixed\n\tIdle\n\treads\n", &["F:"]),
            ),
            "0 W1: mixed x1 65536 53r 100% +10s 90s 0:0+1048576 2 lines | 2 W1: reads x1 8192 Read 100% +10s 90s 0:0+1048576",
        ),
        (
            file(
                &SETUP.replace("NORMAL", "CYCLE_OUTSTANDING_IOS").replace(
                    "'Test Type",
                    "'Queue Depth Cycling\n'\tstart end step step type\n\t1 4 2 EXPONENTIAL\n'Test Type",
                ),
                &reads,
                &worker("W1", "1,DISABLED,1", "2048,0", "\treads\n", &["F:"]),
            ),
            "0 W1: reads x1 8192 Read 100% +10s 90s 0:0+1048576 | 1 W1: reads x2 8192 Read 100% +10s 90s 0:0+1048576 | \
             2 W1: reads x4 8192 Read 100% +10s 90s 0:0+1048576",
        ),
        // More and more targets, and with each number all depths.
        (
            file(
                &SETUP.replace("NORMAL", "CYCLE_OUTSTANDING_IOS_AND_TARGETS").replace(
                    "'Test Type",
                    "'Disk Cycling\n'\tstart step type\n\t1 1 LINEAR\n'Queue Depth Cycling\n\t1 2 1 LINEAR\n'Test Type",
                ),
                &reads,
                &worker("W1", "1,DISABLED,1", "2048,0", "\treads\n", &["F:", "/mnt/log"]),
            ),
            "0 W1: reads x1 8192 Read 100% +10s 90s 0:0+1048576 | 1 W1: reads x2 8192 Read 100% +10s 90s 0:0+1048576 | \
             2 W1: reads x1 8192 Read 100% +10s 90s 0:0+1048576 | 2 W1: reads x1 8192 Read 100% +10s 90s 1:0+1048576 | \
             3 W1: reads x2 8192 Read 100% +10s 90s 0:0+1048576 | 3 W1: reads x2 8192 Read 100% +10s 90s 1:0+1048576",
        ),
        (
            file(
                &SETUP
                    .replace("NORMAL", "CYCLE_TARGETS")
                    .replace("'Test Type", "'Disk Cycling\n'\tstart step type\n\t1 2 EXPONENTIAL\n'Test Type"),
                &reads,
                &worker("W1", "3,DISABLED,1", "2048,0", "\treads\n", &["F:", "/mnt/log"]),
            ),
            "0 W1: reads x3 8192 Read 100% +10s 90s 0:0+1048576 | 1 W1: reads x3 8192 Read 100% +10s 90s 0:0+1048576 | \
             1 W1: reads x3 8192 Read 100% +10s 90s 1:0+1048576",
        ),
        (
            file(
                SETUP,
                &spec("slow", "NONE", "\t512,100,0,0,20,5,0,0\n"),
                &worker("W1", "4,DISABLED,1", "2048,0", "\tslow\n", &["F:"]),
            ),
            "0 W1: slow x4 512 Write 0% +10s 90s 0:0+1048576 5 then 20 ms",
        ),
    ];
    for (text, expected) in cases {
        for (form, text) in
            [("LF", text.clone()), ("CRLF", text.replace('\n', "\r\n")), ("old", text.replace("1.1.0", "1998.02.01"))]
        {
            assert!(is_icf(&text));
            assert_eq!(describe(&text).unwrap_or_else(|e| panic!("{form}: {e}\n{text}")), expected, "{form}");
        }
    }
}

#[test]
fn what_is_wrong_or_lacks_in_the_model_is_named() {
    let reads = spec("reads", "NONE", "\t8192,100,100,100,0,1,0,0\n");
    let w = |settings: &str, range: &str, specs: &str, targets: &[&str]| worker("W1", settings, range, specs, targets);
    let good = w("1,DISABLED,1", "2048,0", "\treads\n", &["F:"]);
    let cases = [
        (String::new(), "no target"),
        (file("", &reads, &good), "no run time"),
        (file(&SETUP.replace("NORMAL", "CYCLE_WORKERS"), &reads, &good), "CYCLE_WORKERS is not modelled"),
        (file(&SETUP.replace("NORMAL", "CYCLE_OUTSTANDING_IOS"), &reads, &good), "no `Queue Depth Cycling`"),
        (file(&SETUP.replace("NORMAL", "CYCLE_TARGETS"), &reads, &good), "no `Disk Cycling`"),
        (file(SETUP, &reads.replace("100,100,100", "90,100,100"), &good), "come to 90 %"),
        (file(SETUP, &reads.replace("100,100,100", "100,101,100"), &good), "101 % in column 3"),
        (file(SETUP, &reads.replace("0,1,0,0", "0,1"), &good), "6 columns of 8"),
        (file(SETUP, &reads.replace("0,1,0,0", "0,1,0,8"), &good), "replies"),
        (file(SETUP, &reads.replace("8192,", "0,"), &good), "0 bytes"),
        (file(SETUP, &reads.replace("8192,", "x,"), &good), "no whole number in column 1"),
        (file(SETUP, &reads, &w("1,ENABLED,1", "2048,0", "\treads\n", &["F:"])), "connection rate"),
        (file(SETUP, &reads, &w("0,DISABLED,1", "2048,0", "\treads\n", &["F:"])), "0 outstanding"),
        (
            file(SETUP, &reads, &w("1,DISABLED,1", "2048,0", "\twrites\n", &["F:"])),
            "not an access specification of this file",
        ),
        (file(SETUP, &reads, &w("1,DISABLED,1", "2048,0", "", &["F:"])), "assigns no access specification"),
        (file(SETUP, &reads, &w("1,DISABLED,1", "2048,0", "\treads\n", &["G:"])), "on no volume"),
        (file(SETUP, &reads, &w("1,DISABLED,1", "9999999999,0", "\treads\n", &["F:"])), "does not fit"),
        (file(SETUP, &reads, &w("1,DISABLED,1", "0,9999999999", "\treads\n", &["F:"])), "uses more"),
        (file(SETUP, &reads, &w("1,DISABLED,1", "1,0", "\treads\n", &["F:"])), "less than one request"),
    ];
    for (text, expected) in cases {
        let errors = describe(&text).err().unwrap_or_else(|| panic!("accepted, not `{expected}`:\n{text}"));
        assert!(errors.to_string().contains(expected), "{expected}: {errors}");
        let lines = text.lines().count().max(1);
        assert!(errors.0.iter().all(|e| (1..=lines).contains(&e.line) && !e.hint.is_empty()), "{errors}");
    }
    assert!(!is_icf("[global]") && !is_icf("Version 1") && !is_icf("'TEST SETUP"));
}
