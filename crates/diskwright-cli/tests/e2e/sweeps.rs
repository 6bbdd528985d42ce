//! Several runs in one: `--sweep` and `--seeds`.

use std::process::Command;

use crate::e2e::support::{JOB, RIG, Ran, folder, limited_at, run_in};

/// A sweep as CSV, with these variables in the environment and `common.inc` next to the job.
fn sweep(job: &str, args: &[&str], env: &[(&str, &str)]) -> Ran {
    let folder = folder(&[("rig.toml", RIG), ("job.fio", job), ("common.inc", "iodepth=2\nbs=8k\n")]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
    command.args(["simulate", "rig.toml", "job.fio", "-q", "--output-format", "csv"]).args(args);
    run_in(command.current_dir(folder.path()), &[&[("LC_ALL", "C")], env].concat())
}

/// The third column: IOPS of a sweep over one option, behind whether the run was stopped.
fn iops(ran: &Ran) -> Vec<f64> {
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.stdout
        .lines()
        .skip(1)
        .map(|l| l.split(",false,").nth(1).unwrap().split(',').next().unwrap().parse().unwrap())
        .collect()
}

#[test]
fn a_sweep_has_a_line_for_each_value() {
    let ran = sweep(JOB, &["--sweep", "iodepth=1,4,64"], &[]);
    let iops = iops(&ran);
    assert!(iops[0] < iops[1] && iops[1] < iops[2] && iops[2] < 5_050.0, "{}", ran.stdout);
}

#[test]
fn a_sweep_reaches_what_an_included_file_sets() {
    let job = JOB.replace("iodepth=8\n", "include common.inc\n");
    let ran = sweep(&job, &["--sweep", "iodepth=1,64"], &[]);
    let iops = iops(&ran);
    assert!(iops[1] > 4.0 * iops[0], "{}", ran.stdout);
}

#[test]
fn seeds_overrule_the_seed_of_the_environment() {
    let seeds = |env: &[(&str, &str)]| sweep(JOB, &["--seeds", "3..5"], env);
    let ran = seeds(&[("DISKWRIGHT_SEED", "7")]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("\n4,"), "{}", ran.stdout);
    assert_eq!(seeds(&[]).stdout, ran.stdout);
    let both = sweep(JOB, &["--seeds", "3..5", "--seed", "7"], &[]);
    assert_eq!(both.code, 2);
    assert!(both.stderr.contains("`--seed` and `--seeds` cannot be used together"), "{}", both.stderr);
}

#[test]
fn an_empty_variable_is_not_set() {
    let plain = sweep(JOB, &[], &[]);
    let empty = sweep(JOB, &[], &[("DISKWRIGHT_SEED", "")]);
    assert_eq!(empty.code, 0, "{}", empty.stderr);
    assert_eq!(empty.stdout, plain.stdout);
    assert_ne!(sweep(JOB, &[], &[("DISKWRIGHT_SEED", "9")]).stdout, plain.stdout);
}

/// A thousand runs keep what their rows print, and no more: with half a GiB to live in they do not end by being killed. What a
/// run measures takes more than a megabyte while it runs.
#[cfg(target_os = "linux")]
#[test]
fn a_thousand_runs_fit_into_half_a_gib() {
    let job = JOB.replace("runtime=2\ntime_based\n", "number_ios=20\n");
    let folder = folder(&[("rig.toml", RIG), ("job.fio", &job)]);
    for format in ["normal", "csv", "json"] {
        let args = "simulate rig.toml job.fio -q --seeds 1..1000 --threads 2 --output-format";
        let args: Vec<&str> = args.split(' ').chain([format]).collect();
        let ran = limited_at(folder.path(), 524_288, &args);
        assert_eq!(ran.code, 0, "{format}: {}", ran.stderr);
        let rows = match format {
            "json" => serde_json::from_str::<serde_json::Value>(&ran.stdout).unwrap()["runs"].as_array().unwrap().len(),
            "csv" => ran.stdout.lines().count() - 1,
            _ => {
                ran.stdout.lines().filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit())).count()
                    - 1
            }
        };
        assert_eq!(rows, 1_000, "{format}");
    }
}
