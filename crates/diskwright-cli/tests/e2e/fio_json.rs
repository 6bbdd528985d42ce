//! The JSON against that of real fio 3.33: the same keys in the same order, and read by what reads fio's.

use std::process::Command;

use serde_json::Value;

use crate::e2e::support::{RIG, diskwright_at, folder, run, tool};

/// The keys of a document in order, each with its path; of histogram bins only that there are some.
fn keys(value: &Value, path: &str, out: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let path = format!("{path}/{key}");
                out.push(path.clone());
                if key != "bins" {
                    keys(value, &path, out);
                }
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                keys(item, &format!("{path}[{index}]"), out);
            }
        }
        _ => {}
    }
}

/// fio's document and ours for the same job file.
fn both(job: &str, format: &str) -> Option<(Value, Value)> {
    let fio = tool("fio")?;
    let folder = folder(&[("rig.toml", RIG), ("job.fio", job)]);
    let format = format!("--output-format={format}");
    let theirs = run(Command::new(fio).args([&format, "job.fio"]).current_dir(folder.path()));
    assert_eq!(theirs.code, 0, "{}", theirs.stderr);
    let ours = diskwright_at(folder.path(), &["simulate", "rig.toml", "job.fio", "-q", &format]);
    assert_eq!(ours.code, 0, "{}", ours.stderr);
    Some((serde_json::from_str(&theirs.stdout).unwrap(), serde_json::from_str(&ours.stdout).unwrap()))
}

/// Same keys, same order, for a job file of the null engine.
fn check(job: &str, format: &str) {
    let Some((theirs, mut ours)) = both(job, format) else { return };
    assert!(ours.as_object_mut().unwrap().shift_remove("diskwright").is_some());
    let (mut expected, mut found) = (Vec::new(), Vec::new());
    keys(&theirs, "", &mut expected);
    keys(&ours, "", &mut found);
    if let Some(at) = (0..expected.len().max(found.len())).find(|&i| expected.get(i) != found.get(i)) {
        panic!("{job}\nkey {at}: fio has {:?}, we have {:?}", expected.get(at), found.get(at));
    }
    for (theirs, ours) in theirs["jobs"].as_array().unwrap().iter().zip(ours["jobs"].as_array().unwrap()) {
        for key in ["jobname", "groupid", "error", "job options", "latency_depth"] {
            assert_eq!(ours[key], theirs[key], "{job}: {key}");
        }
        for direction in ["read", "write", "trim", "mixed"] {
            for key in ["io_bytes", "io_kbytes", "total_ios", "short_ios", "drop_ios"] {
                // fio draws another mix: its share of reads is not ours.
                if !job.contains("rw=randrw") {
                    assert_eq!(ours[direction][key], theirs[direction][key], "{job}: {direction}.{key}");
                }
            }
        }
    }
    assert_eq!(ours["global options"], theirs["global options"]);
}

const NULL: &str = "ioengine=null\nfilename=/data/f\nsize=4m\nbs=4k\n";

#[test]
fn one_job_has_fios_keys() {
    check(&format!("[a]\n{NULL}rw=randread\niodepth=4\n"), "json");
}

#[test]
fn bins_stand_where_fio_has_them() {
    check(&format!("[a]\n{NULL}rw=randwrite\n"), "json+");
}

#[test]
fn global_options_clones_and_groups_are_laid_out_alike() {
    check(&format!("[global]\n{NULL}rw=randread\n[a]\nnumjobs=3\n[b]\nstonewall\nbs=8k\n"), "json");
    check(&format!("[a]\n{NULL}rw=write\nnumjobs=3\ngroup_reporting\n"), "json");
}

#[test]
fn a_mixed_job_with_syncs_and_a_description() {
    check(&format!("[a]\n{NULL}rw=randrw\nfsync=3\ndescription=hello there\n"), "json");
}

#[test]
fn latency_kinds_come_and_go_as_in_fio() {
    check(&format!("[a]\n{NULL}rw=read\nlat_percentiles=1\nclat_percentiles=0\n"), "json");
    check(&format!("[a]\n{NULL}rw=read\npercentile_list=50:99.999\n"), "json");
    check(&format!("[a]\n{NULL}rw=read\ngtod_reduce=1\n"), "json");
}

#[test]
fn unified_reporting_has_one_direction() {
    check(&format!("[a]\n{NULL}rw=randrw\nunified_rw_reporting=1\n"), "json");
}

#[test]
fn fios_own_converter_reads_the_bins() {
    let Some(converter) = tool("fio_jsonplus_clat2csv") else { return };
    let job = "[a]\nioengine=libaio\ndirect=1\nfilename=/data/f\nsize=1g\nrw=randrw\nbs=8k\niodepth=16\nruntime=2\n";
    let folder = folder(&[("rig.toml", RIG), ("job.fio", job)]);
    let args = ["simulate", "rig.toml", "job.fio", "-q", "--output-format", "json+", "--output", "r.json"];
    assert_eq!(diskwright_at(folder.path(), &args).code, 0);
    // Once to write, once to compare what it wrote with the document: that is how it checks itself.
    for args in [&["r.json", "r.csv"][..], &["r.json", "r.csv", "--validate"]] {
        // With the system's python, which has the module that it needs; the first of the path may be another.
        let ran = run(Command::new("/usr/bin/python3").arg(&converter).args(args).current_dir(folder.path()));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
    let csv = std::fs::read_to_string(folder.path().join("r_job0.csv")).unwrap();
    let result: Value = serde_json::from_str(&std::fs::read_to_string(folder.path().join("r.json")).unwrap()).unwrap();
    // Its last cumulative counts are all I/Os of a direction.
    let n = |direction: &str| result["jobs"][0][direction]["clat_ns"]["N"].as_u64().unwrap().to_string();
    for direction in ["read", "write"] {
        assert!(csv.contains(&n(direction)), "{direction}: {} is not in\n{csv}", n(direction));
    }
}

#[test]
fn the_bins_and_the_figures_agree() {
    let job = "[a]\nioengine=libaio\ndirect=1\nfilename=/data/f\nsize=1g\nrw=randread\nbs=8k\niodepth=16\nruntime=2\n";
    let folder = folder(&[("rig.toml", RIG), ("job.fio", job)]);
    let ran = diskwright_at(folder.path(), &["simulate", "rig.toml", "job.fio", "-q", "--output-format", "json+"]);
    let result: Value = serde_json::from_str(&ran.stdout).unwrap();
    let clat = &result["jobs"][0]["read"]["clat_ns"];
    let bins: Vec<(f64, f64)> =
        clat["bins"].as_object().unwrap().iter().map(|(m, n)| (m.parse().unwrap(), n.as_f64().unwrap())).collect();
    let count: f64 = bins.iter().map(|b| b.1).sum();
    assert_eq!(count, clat["N"].as_f64().unwrap());
    let mean = bins.iter().map(|b| b.0 * b.1).sum::<f64>() / count;
    assert!((mean / clat["mean"].as_f64().unwrap() - 1.0).abs() < 1.0 / 64.0, "{mean}");
    let shares: f64 = ["latency_ns", "latency_us", "latency_ms"]
        .iter()
        .flat_map(|class| result["jobs"][0][class].as_object().unwrap().values())
        .map(|share| share.as_f64().unwrap())
        .sum();
    assert!((shares - 100.0).abs() < 0.2, "{shares}");
}
