//! Results of every tool: whole files in, the record out; and what is wrong with damaged ones.

use std::fs;
use std::path::{Path, PathBuf};

use dw_formats::results::{self, Entry, Figures, LatencyKind, MeasuredRun, ResultFormat, Scope, Tool};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/results").join(name)
}

fn measured(name: &str) -> MeasuredRun {
    let bytes = fs::read(folder("valid").join(name)).expect("the fixture is there");
    results::read(name, &dw_counters::decoded(&bytes)).unwrap_or_else(|error| panic!("{error}"))
}

fn files(name: &str) -> Vec<String> {
    let entries = fs::read_dir(folder(name)).expect("the fixtures are there");
    let mut names: Vec<String> =
        entries.map(|e| e.expect("readable").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// One line an entry and one a direction: what a person would check.
fn describe(run: &MeasuredRun) -> String {
    let version = run.version.as_deref().unwrap_or("?");
    let mut out = format!("{:?} {:?} {version} documents {}\n", run.format, run.tool, run.documents);
    for (n, entry) in run.entries.iter().enumerate() {
        let part = entry.included_in.map_or(String::new(), |at| format!(" in {at}"));
        let load = &entry.load;
        out += &format!(
            "{n} {:?}{part} test {} line {} `{}`: {} {}r {}rand {} B depth {} x {} direct {}\n",
            entry.scope,
            entry.test,
            entry.line,
            entry.name,
            load.pattern.as_deref().unwrap_or("?"),
            shown(load.read_percent),
            shown(load.random_percent),
            shown(load.io_bytes.map(|n| n as f64)),
            shown(load.queue_depth.map(|n| n as f64)),
            shown(load.workers.map(|n| n as f64)),
            load.direct.map_or("?".into(), |d| d.to_string()),
        );
        for (name, part) in [
            ("read", &entry.read),
            ("write", &entry.write),
            ("trim", &entry.trim),
            ("mixed", &entry.mixed),
            ("sync", &entry.sync),
        ] {
            out += &part.as_ref().map_or(String::new(), |figures| line(name, figures));
        }
        if let Some(cpu) = &entry.cpu {
            out += &format!("  cpu {:?} {} busiest {}\n", cpu.of, shown(cpu.busy_percent), shown(cpu.busiest_percent));
        }
        if let Some(failure) = &entry.failure {
            out += &format!("  failed: {failure}\n");
        }
        if !entry.series.is_empty() {
            out += &format!("  series of {}\n", entry.series.len());
        }
    }
    for disk in &run.disks {
        out += &format!("disk {} busy {}\n", disk.name, shown(disk.busy_percent));
    }
    for note in &run.notes {
        out += &format!("note {}: {}\n", note.line, note.text);
    }
    out
}

fn shown(value: Option<f64>) -> String {
    value.map_or("?".into(), |value| format!("{:.3}", value).trim_end_matches('0').trim_end_matches('.').to_string())
}

fn line(name: &str, figures: &Figures) -> String {
    let mut out = format!(
        "  {name} {} I/Os {} B, {} IOPS {} B/s in {} s",
        shown(figures.ios.map(|n| n as f64)),
        shown(figures.bytes.map(|n| n as f64)),
        shown(figures.iops),
        shown(figures.bytes_per_s),
        shown(figures.elapsed_s)
    );
    for l in &figures.latency {
        let p99 = l.percentiles.iter().find(|p| p.percent == 99.0).map(|p| p.ns);
        out += &format!(
            "; {:?} {}/{}/{} sd {} p99 {} of {} bins {}",
            l.kind,
            shown(l.min_ns),
            shown(l.mean_ns),
            shown(l.max_ns),
            shown(l.stddev_ns),
            shown(p99),
            l.percentiles.len(),
            l.histogram.len()
        );
    }
    out + "\n"
}

#[test]
fn whole_files() {
    let all: String = files("valid").iter().map(|name| format!("== {name}\n{}\n", describe(&measured(name)))).collect();
    insta::assert_snapshot!(all);
}

#[test]
fn damaged_files() {
    let mut all = String::new();
    for name in files("invalid") {
        let bytes = fs::read(folder("invalid").join(&name)).expect("readable");
        let error = results::read(&name, &dw_counters::decoded(&bytes)).expect_err(&name);
        all += &format!("{error}\n\n");
    }
    insta::assert_snapshot!(all);
}

/// The one entry of a name.
fn entry<'a>(run: &'a MeasuredRun, name: &str) -> &'a Entry {
    run.entries.iter().find(|entry| entry.name == name).unwrap_or_else(|| panic!("no {name} in {run:?}"))
}

/// Within what the coarser form rounds to.
fn close(a: Option<f64>, b: Option<f64>, part: f64, what: &str) {
    let (a, b) = (a.unwrap_or_else(|| panic!("no {what}")), b.unwrap_or_else(|| panic!("no {what}")));
    assert!((a - b).abs() <= part * a.abs().max(1.0), "{what}: {a} against {b}");
}

#[test]
fn all_forms_of_one_run_of_fio_agree() {
    let json = measured("fio.json_plus.json");
    // Text rounds rates to three digits and terse cuts microseconds: what each of them prints says how far apart they may be.
    for (name, rounding, latency) in [("fio.text.txt", 0.005, 0.005), ("fio.terse_v3.txt", 0.001, 0.001)] {
        let other = measured(name);
        for (job, part) in [("first", 0), ("first", 1), ("second", 1)] {
            let figures = |run: &MeasuredRun| {
                let entry = entry(run, job);
                [&entry.read, &entry.write][part].clone().unwrap_or_else(|| panic!("{name}: {job} has no {part}"))
            };
            let (exact, shown) = (figures(&json), figures(&other));
            let what = format!("{name} {job} {part}");
            close(exact.iops, shown.iops, rounding, &what);
            close(exact.bytes_per_s, shown.bytes_per_s, rounding, &what);
            close(exact.bytes.map(|n| n as f64), shown.bytes.map(|n| n as f64), rounding, &what);
            close(exact.elapsed_s, shown.elapsed_s, 0.0, &what);
            let mean = |f: &Figures| f.latency(LatencyKind::Clat).and_then(|l| l.mean_ns);
            close(mean(&exact), mean(&shown), latency, &what);
            // Whole microseconds; terse lines have those of the whole latency when that was asked for, as in `second`.
            let p99 = |f: &Figures, kind| {
                f.latency(kind).and_then(|l| l.percentiles.iter().find(|p| p.percent == 99.0)).map(|p| p.ns)
            };
            let kind = if job == "second" { LatencyKind::Lat } else { LatencyKind::Clat };
            let (a, b) = (p99(&exact, kind).expect("p99"), p99(&shown, kind).expect("p99"));
            assert!((a - b).abs() <= 1_000.0, "{what}: p99 {a} against {b}");
        }
        assert_eq!(other.tests(), 2);
    }
    let text = measured("fio.text.txt");
    assert_eq!(entry(&text, "first").read.as_ref().map(|f| (f.ios, f.bytes)), Some((Some(713), Some(713 * 4096))));
    assert_eq!(measured("fio.all_three_forms.txt").entries.len(), json.entries.len());
}

#[test]
fn bins_of_json_plus_give_its_percentiles() {
    let run = measured("fio.json_plus.json");
    let mut checked = 0;
    for figures in run.entries.iter().flat_map(|e| [&e.read, &e.write]).flatten() {
        for latency in figures.latency.iter().filter(|l| !l.histogram.is_empty()) {
            let total: u64 = latency.histogram.iter().map(|bin| bin.count).sum();
            assert_eq!(Some(total), latency.samples);
            for percentile in &latency.percentiles {
                let mut below = 0;
                let bin = latency.histogram.iter().find(|bin| {
                    below += bin.count;
                    below as f64 >= percentile.percent / 100.0 * total as f64
                });
                assert_eq!(bin.map(|bin| bin.ns), Some(percentile.ns), "{}", percentile.percent);
                checked += 1;
            }
        }
    }
    assert!(checked >= 17 * 4, "only {checked}");
}

#[test]
fn both_forms_of_diskspd_agree() {
    let (text, xml) = (measured("diskspd.two_targets.txt"), measured("diskspd.two_targets.xml"));
    assert_eq!((text.entries.len(), xml.entries.len()), (5, 5));
    for (a, b) in text.entries.iter().zip(&xml.entries) {
        assert_eq!((&a.name, a.scope, a.included_in), (&b.name, b.scope, b.included_in));
        for (a, b) in [(&a.read, &b.read), (&a.write, &b.write)] {
            let (Some(a), Some(b)) = (a, b) else {
                assert_eq!(a.is_some(), b.is_some());
                continue;
            };
            assert_eq!((a.ios, a.bytes), (b.ios, b.bytes));
            // Two decimals of the rate, against two decimals of ten seconds.
            close(a.iops, b.iops, 1e-3, "IOPS");
            close(a.bytes_per_s, b.bytes_per_s, 1e-3, "bytes per second");
            close(a.latency[0].mean_ns, b.latency[0].mean_ns, 0.0, "latency");
            assert!(b.latency[0].percentiles.is_empty() || a.latency[0].percentiles == b.latency[0].percentiles);
        }
    }
    let (a, b) = (&text.entries[0].load, &xml.entries[0].load);
    assert_eq!(
        (a.io_bytes, a.read_percent, a.random_percent, a.queue_depth),
        (b.io_bytes, b.read_percent, b.random_percent, b.queue_depth)
    );
    assert_eq!((a.direct, a.workers, a.runtime_s, a.ramp_s), (b.direct, b.workers, b.runtime_s, b.ramp_s));
    // Before 2.0.18 the column says MB/s and counts in MiB all the same; here from PowerShell, in UTF-16.
    let old = measured("diskspd.old_in_utf16.txt");
    assert_eq!(old.entries[0].read, text.entries[0].read);
}

#[test]
fn layouts_of_iometer_say_the_same() {
    let new = measured("iometer.version_1.1.csv");
    for name in ["iometer.version_1.1_candidate.csv", "iometer.version_2006.csv"] {
        let other = measured(name);
        for (a, b) in new.entries.iter().zip(&other.entries) {
            let (a, b) = (a.read.as_ref().expect("reads"), b.read.as_ref().expect("reads"));
            // Six decimals of a mebibyte.
            close(a.bytes_per_s, b.bytes_per_s, 1e-6, name);
            assert_eq!((a.ios, a.iops), (b.ios, b.iops), "{name}");
        }
    }
    assert_eq!(new.tests(), 2);
    let total = new.entries[0].total().expect("figures");
    assert_eq!((total.iops, total.bytes_per_s), (Some(10_000.0), Some(81_920_000.0)));
    // Half of the requests took up to 2 ms, and one in a hundred up to 100 ms.
    assert_eq!(total.percentile(50.0), Some((LatencyKind::Lat, 2e6)));
    assert_eq!(total.percentile(99.9), Some((LatencyKind::Lat, 100e6)));
}

#[test]
fn every_io_is_counted_once() {
    let cases = [
        ("fio.client.json", 0, 1),
        ("diskspd.two_targets.txt", 0, 1),
        ("iometer.version_1.1.csv", 1, 1),
        ("fio.json_plus.json", 0, 1),
    ];
    for (name, test, whole) in cases {
        let run = measured(name);
        assert_eq!(run.whole().filter(|e| e.test == test).count(), whole, "{name}");
        for (n, entry) in run.entries.iter().enumerate() {
            let parts: Vec<&Entry> = run.entries.iter().filter(|e| e.included_in == Some(n)).collect();
            let ios = |e: &Entry| e.total().and_then(|f| f.ios);
            if !parts.is_empty() {
                assert_eq!(
                    parts.iter().map(|e| ios(e).unwrap_or(0)).sum::<u64>(),
                    ios(entry).unwrap_or(0),
                    "{name} {n}"
                );
            }
        }
    }
}

#[test]
fn old_units_are_straight() {
    let json = measured("fio.version_2.json");
    let read = json.entries[0].read.as_ref().expect("reads");
    assert_eq!((read.bytes, read.bytes_per_s), (Some(400_000 * 1024), Some(40_000.0 * 1024.0)));
    assert_eq!(read.latency(LatencyKind::Clat).and_then(|l| l.mean_ns), Some(6_390_250.0));
    let text = measured("fio.version_2.txt");
    let write = text.entries[0].write.as_ref().expect("writes");
    assert_eq!(write.bytes, Some(200_012 * 8192), "exact, from the number of I/Os");
    assert_eq!(write.bytes_per_s, Some(159_996.0 * 1024.0));
    assert_eq!(write.latency(LatencyKind::Clat).and_then(|l| l.mean_ns), Some(6_390_000.0));
}

#[test]
fn results_fit_their_schema_and_come_back() {
    let schema = results::schema().to_value();
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for name in files("valid") {
        let run = measured(&name);
        let value = serde_json::to_value(&run).expect("serialisable");
        let errors: Vec<String> = validator.iter_errors(&value).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
        let back: MeasuredRun = serde_json::from_value(value).expect("readable");
        assert_eq!(back, run, "{name}");
    }
}

#[test]
fn a_simulation_is_known_as_one() {
    let text = fs::read_to_string(folder("valid").join("fio.sampled.json")).expect("readable");
    let ours = text.replacen('{', "{ \"diskwright\" : { \"diskwright_version\" : \"0.1.0\", \"partial\" : true },", 1);
    let run = results::read("x", &ours).expect("readable");
    assert_eq!((run.tool, run.simulated, run.format), (Tool::Diskwright, true, ResultFormat::FioJson));
    assert_eq!(run.version.as_deref(), Some("0.1.0"));
    assert!(run.entries[0].cpu.is_none(), "a simulation knows nothing of processors");
    assert_eq!(run.entries[0].scope, Scope::Job);
    assert_eq!(run.notes.len(), 1);
}

/// `new_group` parts the report and waits for nobody: what ran together is one test.
#[test]
fn groups_that_ran_together_are_one_test() {
    let job = |name: &str, group: u32, options: &str| {
        format!(
            r#"{{"jobname":"{name}","groupid":{group},"error":0,"job options":{{{options}}},
               "read":{{"io_bytes":4096000,"io_kbytes":4000,"bw_bytes":4096000,"bw":4000,"iops":1000.0,"runtime":1000,"total_ios":1000}}}}"#
        )
    };
    let tests = |global: &str, jobs: &[String]| {
        let text = format!(
            "{{\"fio version\":\"fio-3.33\",\n\"global options\":{{{global}}},\n\"jobs\":[{}]}}",
            jobs.join(",\n")
        );
        let run = results::read("r.json", &text).unwrap_or_else(|e| panic!("{e:?}"));
        run.entries.iter().map(|entry| entry.test).collect::<Vec<_>>()
    };
    let (new, wall) = (r#""new_group":"1""#, r#""stonewall":"1""#);
    let cases = [
        ("", vec![job("a", 0, ""), job("b", 1, new)], vec![0, 0]),
        ("", vec![job("a", 0, ""), job("b", 1, wall)], vec![0, 1]),
        ("", vec![job("a", 0, ""), job("b", 1, &format!("{new},{wall}"))], vec![0, 1]),
        ("", vec![job("a", 0, ""), job("b", 1, new), job("c", 2, wall), job("d", 3, new)], vec![0, 0, 1, 1]),
        (new, vec![job("a", 0, ""), job("b", 1, ""), job("c", 2, "")], vec![0, 0, 0]),
        (wall, vec![job("a", 0, ""), job("b", 1, r#""stonewall":"0","new_group":"1""#)], vec![0, 0]),
        // Of another job file, which waits.
        ("", vec![job("a", 0, ""), job("b", 1, "")], vec![0, 1]),
    ];
    for (global, jobs, expected) in cases {
        assert_eq!(tests(global, &jobs), expected, "{global} {jobs:?}");
    }
}

/// DiskSpd counts exactly, so what does not add up is missing or was changed.
#[test]
fn rows_of_diskspd_add_up_to_their_total() {
    let path = folder("valid").join("diskspd.two_targets.txt");
    let text = std::fs::read_to_string(&path).unwrap();
    let row = text.lines().skip_while(|line| !line.contains("Total IO")).find(|l| l.trim().starts_with("0 |")).unwrap();
    for changed in [text.replacen(row, "", 1), text.replacen(row, &row.replacen("000 ", "001 ", 1), 1)] {
        let error = results::read("d.txt", &changed).unwrap_err();
        assert!(error.what.contains("rows of `Total IO` come to"), "{error:?}");
    }
}
