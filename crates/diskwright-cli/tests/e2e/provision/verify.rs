//! The jobs that verify a plan: simulated on the plan's own rig they reach its demand, and on less they do not.

use std::path::Path;

use serde_json::Value;

use super::{REQUIREMENTS, changed, planned, target};
use crate::e2e::support::{diskwright_at, root};

/// Requests per second by job, with the rate that was asked: of the simulated fio file and the simulated DiskSpd profile.
fn reached(folder: &Path) -> Vec<(String, f64, f64)> {
    let mut all = Vec::new();
    for (rig, job, target_of_rig, target_of_job) in
        [("rig.toml", "verify.fio", "rig", "fio"), ("rig-windows.toml", "verify.xml", "rig-windows", "diskspd")]
    {
        // A rig is that of the plan as it was first; the jobs are always those of the plan.
        if !folder.join(rig).exists() {
            std::fs::write(folder.join(rig), target(folder, target_of_rig, &[])).unwrap();
        }
        let text = target(folder, target_of_job, &[]);
        std::fs::write(folder.join(job), &text).unwrap();
        let ran = diskwright_at(folder, &["simulate", rig, job, "--quiet", "--output-format", "json"]);
        assert_eq!(ran.code, 0, "{job}: {}", ran.stderr);
        let result: Value = serde_json::from_str(&ran.stdout).unwrap();
        let jobs = result["jobs"].as_array().unwrap();
        let asked = asked(&text);
        assert_eq!(jobs.len(), asked.len(), "{job}");
        for (found, asked) in jobs.iter().zip(asked) {
            let iops = found["read"]["iops"].as_f64().unwrap() + found["write"]["iops"].as_f64().unwrap();
            let name = format!("{job} {}", found["jobname"].as_str().unwrap());
            all.extend(asked.map(|asked| (name, asked, iops)));
        }
    }
    all
}

/// The rate of every job, in order; nothing for those that fill the cache.
fn asked(text: &str) -> Vec<Option<f64>> {
    let rate = |part: &str, open: &str, close: char| {
        part.split_once(open).and_then(|(_, rest)| rest.split(close).next()?.trim().parse().ok())
    };
    if text.contains("<Profile>") {
        return text.split("<Target>").skip(1).map(|part| rate(part, "unit=\"IOPS\">", '<')).collect();
    }
    let sections = text.split("\n[").skip(1).filter(|part| !part.starts_with("global]"));
    sections.map(|part| rate(part, "rate_iops=", '\n')).collect()
}

/// Every rate that was asked for, within 2 %.
#[track_caller]
fn check_reached(folder: &Path) {
    let all = reached(folder);
    assert!(!all.is_empty());
    for (name, asked, found) in all {
        assert!(found >= asked * 0.98, "{name}: {found} IOPS, asked {asked}");
    }
}

#[test]
fn the_jobs_of_a_plan_reach_its_demand_on_its_rig() {
    check_reached(planned(REQUIREMENTS).path());
}

#[test]
fn the_jobs_of_the_example_reach_its_demand_on_its_rig() {
    let example = root().join("examples/07-plan-a-database/requirements.toml");
    check_reached(planned(&std::fs::read_to_string(example).unwrap()).path());
}

/// A series in which the volumes are busy at different times.
#[test]
fn volumes_are_verified_alone_and_together() {
    let series = |name: &str, iops: &str, bytes: &str| {
        format!(
            "[[volume]]\nname = \"{name}\"\ncapacity = \"100 GiB\"\n[volume.series]\ninterval = \"60 s\"\nread_iops = {iops}\n\
             write_iops = [0, 0, 0]\nread_bytes_per_s = {bytes}\nwrite_bytes_per_s = [0, 0, 0]\n"
        )
    };
    let requirements =
        "schema_version = 1\n[plan]\nedition = \"2018-01\"\nvms = [\"DS*\"]\ndisks = [\"P30\"]\npercentile = 100\n"
            .to_string()
            + &series("a", "[4000, 100, 1000]", "[32768000, 819200, 8192000]")
            + &series("b", "[10, 4500, 1000]", "[81920, 36864000, 8192000]");
    let folder = planned(&requirements);
    check_reached(folder.path());
    let text = target(folder.path(), "fio", &[]);
    let rates: Vec<f64> = asked(&text).into_iter().flatten().collect();
    assert_eq!(rates, [4_000.0, 4_500.0, 100.0, 4_500.0], "{text}");
}

/// What a person sees of a rehearsal: every job for itself, and the verdict.
fn rehearsed(folder: &Path) -> String {
    for (file, what) in [("rig.toml", "rig"), ("verify.fio", "fio")] {
        if !folder.join(file).exists() {
            std::fs::write(folder.join(file), target(folder, what, &[])).unwrap();
        }
    }
    let ran = diskwright_at(folder, &["simulate", "rig.toml", "verify.fio", "--quiet"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.stdout
}

#[test]
fn a_rehearsal_shows_every_job_and_the_verdict() {
    let folder = planned(REQUIREMENTS);
    let text = rehearsed(folder.path());
    assert!(text.contains("\nall jobs reached their target rates\n"), "{text}");
    let job = std::fs::read_to_string(folder.path().join("verify.fio")).unwrap();
    for name in
        job.lines().filter_map(|line| line.strip_prefix('[')?.strip_suffix(']')).filter(|name| *name != "global")
    {
        let line = text.lines().find(|line| line.split_whitespace().next() == Some(name));
        let line = line.unwrap_or_else(|| panic!("{name}: {text}"));
        assert_eq!(line.ends_with(" reached"), !name.starts_with("warm-"), "{line}");
    }
    assert!(text.contains("Jobs ran one after the other"), "{text}");
    // On a rig with a disk less than the plan has.
    let rig = std::fs::read_to_string(folder.path().join("rig.toml")).unwrap();
    let slow = rig.replacen("[[volume]]", "[vm.uncached]\niops = 300\n\n[[volume]]", 1);
    std::fs::write(folder.path().join("rig.toml"), slow).unwrap();
    let text = rehearsed(folder.path());
    assert!(text.contains("\nTARGET RATE MISSED by ") && text.contains("NOT REACHED\n"), "{text}");
}

#[test]
fn on_fewer_disks_they_do_not() {
    let folder = planned(REQUIREMENTS);
    changed(folder.path(), |plan| {
        let volume = &mut plan["plan"]["volumes"][0];
        volume["disks"] = 1.into();
        volume["disk"] = "P10".into();
        volume["host_cache"] = "None".into();
        for of_stripe in ["stripe_unit", "stripe_reason", "disk_gib", "disk_iops", "disk_mb_per_s"] {
            volume[of_stripe] = Value::Null;
        }
    });
    let short = |(name, asked, found): &(String, f64, f64)| name.contains("data-read") && *found < asked * 0.5;
    assert!(reached(folder.path()).iter().any(short));
}

/// What a plan rests on next to its sizes: the rig without it would be another one.
#[test]
fn the_rig_of_a_plan_keeps_its_latency_setting() {
    let cautious = planned(&REQUIREMENTS.replacen("[plan]\n", "[plan]\nlatency = \"cautious\"\n", 1));
    let rig = target(cautious.path(), "rig", &[]);
    assert!(rig.contains("\nlatency = \"cautious\"\n"), "{rig}");
    let usual = planned(REQUIREMENTS);
    assert!(!target(usual.path(), "rig", &[]).contains("latency"), "{rig}");
}
