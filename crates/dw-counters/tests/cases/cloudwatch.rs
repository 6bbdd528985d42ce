//! Units of CloudWatch: what is a sum, what is a rate, and over which time.

use std::fmt::Write as _;

use dw_counters::{Options, read};
use dw_observe::{CollectedReadings, Reading, Statistic};

/// `stamp seconds: figures`, and what is said.
fn seen(name: &str, text: &str) -> String {
    let mut kept = CollectedReadings::default();
    let result = read(text.as_bytes(), &Options { name, ..Options::default() }, &mut kept);
    let mut out = String::new();
    for (_, common, reading) in &kept.readings {
        assert_eq!(common.statistic, Statistic::Mean);
        let seconds = common.interval.map_or(0.0, |interval| interval.ns() as f64 / 1e9);
        let machine = common.machine.as_deref().unwrap_or("-");
        match reading {
            Reading::DiskGrowth { device, growth, .. } => {
                let ms = growth.read_time_ns.zip(growth.reads).map(|(time, reads)| time / reads / 1e6);
                let per_s = |count: Option<f64>| count.map(|count| count / seconds);
                let _ = writeln!(
                    out,
                    "{machine} {device} {seconds} s: reads {:?} writes {:?} bytes {:?} ms {ms:?} busy {:?} queue {:?}",
                    per_s(growth.reads),
                    per_s(growth.writes),
                    per_s(growth.read_bytes),
                    per_s(growth.busy_time_ns).map(|ns| ns / 1e9),
                    per_s(growth.queue_time_ns).map(|ns| ns / 1e9),
                );
            }
            Reading::Host(disk) => {
                let _ = writeln!(out, "{machine} host {seconds} s: reads {:?}", disk.reads_per_s);
            }
            Reading::Disk { device, disk, .. } => {
                let _ = writeln!(
                    out,
                    "{machine} {device} {seconds} s: reads {:?} {:?}",
                    disk.reads_per_s, disk.read_latency
                );
            }
            Reading::Consumed { metric, percent, .. } => {
                let _ = writeln!(out, "{machine} {metric}: {percent}");
            }
            _ => {}
        }
    }
    for (origin, fault) in &kept.faults {
        let _ = writeln!(out, "{}: {} ({})", origin.line, fault.what, fault.hint);
    }
    if let Err(error) = result {
        let _ = writeln!(out, "error: {}", error.what);
    }
    out
}

/// Results of `get-metric-data`: label, minutes behind 13 o'clock, values.
fn data(results: &[(&str, &[u32], &[f64])]) -> String {
    let result = |(number, (label, minutes, values)): (usize, &(&str, &[u32], &[f64]))| {
        let times: Vec<String> = minutes.iter().map(|m| format!("\"2026-11-22T13:{m:02}:00+00:00\"")).collect();
        format!(
            r#"{{"Id":"m{number}","Label":"{label}","Timestamps":[{}],"Values":{values:?},"StatusCode":"Complete"}}"#,
            times.join(",")
        )
    };
    let results: Vec<String> = results.iter().enumerate().map(result).collect();
    format!(r#"{{"MetricDataResults":[{}]}}"#, results.join(","))
}

#[test]
fn a_sum_over_its_period_is_a_rate_and_nothing_else_is() {
    let none = |reads: &str, period: u32| {
        format!("- vol-0a1b2c3d {period} s: reads {reads} writes None bytes None ms None busy None queue None\n")
    };
    let refused = |said: &str| {
        format!(
            "1: {said} of `VolumeReadOps` is no rate: it is of the samples of a period (record `Sum` of it; this metric is \
             ignored)\nerror: {said} of `VolumeReadOps` is no rate: it is of the samples of a period; there is no sample\n"
        )
    };
    let ops = |rest: &str| format!("vol-0a1b2c3d VolumeReadOps {rest}");
    // (label, minutes, values, what is read)
    let cases: [(&str, &[u32], &[f64], String); 9] = [
        ("Sum 60", &[0], &[6000.0], none("Some(100.0)", 60)),
        ("Sum 300", &[0], &[6000.0], none("Some(20.0)", 300)),
        // Nobody says the period: it is what divides the times.
        ("Sum", &[0, 5], &[6000.0, 6000.0], none("Some(20.0)", 300).repeat(2)),
        ("Sum", &[0, 10, 15], &[6000.0; 3], none("Some(20.0)", 300).repeat(3)),
        ("Sum", &[15, 10, 0], &[6000.0; 3], none("Some(20.0)", 300).repeat(3)),
        ("Average 300", &[0, 5], &[6000.0; 2], refused("Average")),
        ("Maximum 300", &[0, 5], &[6000.0; 2], refused("Maximum")),
        ("SampleCount 300", &[0, 5], &[6000.0; 2], refused("SampleCount")),
        (
            "Sum",
            &[0],
            &[6000.0],
            "1: one point of `VolumeReadOps`: nothing says how long its period is (put the queries before the results: `cat \
             queries.json results.json > recording.json`, or say it in the label: `VolumeReadOps Sum 300`)\nerror: one point \
             of `VolumeReadOps`: nothing says how long its period is; there is no sample\n"
                .into(),
        ),
    ];
    for (label, minutes, values, expected) in cases {
        let text = data(&[(&ops(label), minutes, values)]);
        assert_eq!(seen("x.json", &text), expected, "{label} {minutes:?}");
    }
    // A mean with the number of its samples is a sum again.
    let both = data(&[(&ops("Average 300"), &[0], &[1200.0]), (&ops("SampleCount 300"), &[0], &[5.0])]);
    assert_eq!(seen("x.json", &both), none("Some(20.0)", 300));
}

#[test]
fn each_metric_has_its_own_unit() {
    let volume = |figures: &str| format!("- vol-0a1b2c3d 60 s: {figures}\n");
    // (metric and statistic, value, what is read)
    let cases = [
        ("VolumeWriteOps Sum", 60.0, volume("reads None writes Some(1.0) bytes None ms None busy None queue None")),
        (
            "VolumeReadBytes Sum",
            6e6,
            volume("reads None writes None bytes Some(100000.0) ms None busy None queue None"),
        ),
        ("VolumeIdleTime Sum", 45.0, volume("reads None writes None bytes None ms None busy Some(0.25) queue None")),
        ("VolumeIdleTime Sum", 60.5, volume("reads None writes None bytes None ms None busy Some(0.0) queue None")),
        (
            "VolumeQueueLength Average",
            1.5,
            volume("reads None writes None bytes None ms None busy None queue Some(1.5)"),
        ),
        ("BurstBalance Average", 80.0, "- 100 % - BurstBalance (vol-0a1b2c3d): 20\n".into()),
        ("BurstBalance Minimum", 80.0, "- 100 % - BurstBalance (vol-0a1b2c3d): 20\n".into()),
        ("VolumeIOPSExceededCheck Maximum", 1.0, "- VolumeIOPSExceededCheck (vol-0a1b2c3d): 100\n".into()),
        // In one minute of five.
        ("VolumeThroughputExceededCheck Average", 0.2, "- VolumeThroughputExceededCheck (vol-0a1b2c3d): 100\n".into()),
        ("VolumeIOPSExceededCheck Sum", 0.0, "- VolumeIOPSExceededCheck (vol-0a1b2c3d): 0\n".into()),
    ];
    for (metric, value, expected) in cases {
        let text = data(&[(&format!("vol-0a1b2c3d {metric} 60"), &[0], &[value])]);
        assert_eq!(seen("x.json", &text), expected, "{metric}");
    }
    let cases = [
        ("i-0a1b2c3d EBSReadOps Sum 300", 6000.0, "i-0a1b2c3d host 300 s: reads Some(20.0)\n"),
        ("i-0a1b2c3d EBSByteBalance% Average 300", 30.0, "i-0a1b2c3d 100 % - EBSByteBalance%: 70\n"),
        ("prod-1 ReadIOPS Average 60", 812.5, "prod-1 storage 60 s: reads Some(812.5) None\n"),
        ("prod-1 ReadLatency Average 60", 0.0005, "prod-1 storage 60 s: reads None Some(Duration(500000))\n"),
    ];
    for (label, value, expected) in cases {
        assert_eq!(seen("x.json", &data(&[(label, &[0], &[value])])), expected, "{label}");
    }
}

#[test]
fn a_latency_is_the_time_of_all_requests_over_their_number() {
    let text = data(&[
        ("vol-0a1b2c3d VolumeReadOps Sum 60", &[0, 1], &[6000.0, 60.0]),
        ("vol-0a1b2c3d VolumeTotalReadTime Sum 60", &[0, 1], &[6.0, 0.6]),
    ]);
    let line = |reads: &str, ms: &str| {
        format!("- vol-0a1b2c3d 60 s: reads Some({reads}) writes None bytes None ms Some({ms}) busy None queue None\n")
    };
    assert_eq!(seen("x.json", &text), line("100.0", "1.0") + &line("1.0", "10.0"));
}

#[test]
fn what_a_file_is_of_is_in_its_name_where_nothing_else_says_it() {
    let text = r#"{"Label":"VolumeReadOps","Datapoints":[{"Timestamp":"2026-11-22T13:05:00Z","Sum":300,"Unit":"Count"},{"Timestamp":1795352400,"Sum":600}]}"#;
    let line = |device: &str, reads: &str| {
        format!("- {device} 300 s: reads Some({reads}) writes None bytes None ms None busy None queue None\n")
    };
    let named = line("vol-0a1b2c3d", "2.0") + &line("vol-0a1b2c3d", "1.0");
    assert_eq!(seen("day/vol-0a1b2c3d-VolumeReadOps.json", text), named);
    let unnamed = line("volume", "2.0") + &line("volume", "1.0");
    let said = "1: nothing says which volume `VolumeReadOps` is of (it is called `volume`; name the file after it \
                (`vol-0123456789abcdef0-VolumeReadOps.json`), or put its id into the label)\n";
    assert_eq!(seen("reads.json", text), unnamed + said);
}

#[test]
fn volumes_belong_to_the_only_instance_of_their_file() {
    let both = |second: &str| {
        data(&[
            ("vol-0a1b2c3d VolumeReadOps Sum 60", &[0], &[60.0]),
            ("i-0a1b2c3d EBSReadOps Sum 60", &[0], &[60.0]),
            (second, &[0], &[60.0]),
        ])
    };
    let volume = |machine: &str| {
        format!("{machine} vol-0a1b2c3d 60 s: reads Some(1.0) writes None bytes None ms None busy None queue None\n")
    };
    let text = seen("x.json", &both("i-0a1b2c3d NetworkIn Sum 60"));
    assert_eq!(text, "i-0a1b2c3d host 60 s: reads Some(1.0)\n".to_string() + &volume("i-0a1b2c3d"));
    let two = seen("x.json", &both("i-00000001 EBSReadOps Sum 60"));
    assert!(two.starts_with(&volume("-")), "{two}");
    let said = "1: nothing says to which of 2 instances `vol-0a1b2c3d` is attached (record the volumes of one instance at a \
                time, with its metrics)";
    assert!(two.contains(said), "{two}");
}

/// The checks of a volume have two dimensions where the service publishes them with its instance, or one: they are of the volume either way,
/// and say whose it is.
#[test]
fn a_check_may_name_the_instance_beside_the_volume() {
    let check = |machine: &str| format!("{machine} VolumeIOPSExceededCheck (vol-0a1b2c3d): 100\n");
    let reads = |machine: &str| {
        format!("{machine} vol-0a1b2c3d 60 s: reads Some(1.0) writes None bytes None ms None busy None queue None\n")
    };
    for (label, machine) in [
        ("vol-0a1b2c3d VolumeIOPSExceededCheck Maximum 60", "-"),
        ("i-0a1b2c3d vol-0a1b2c3d VolumeIOPSExceededCheck Maximum 60", "i-0a1b2c3d"),
        ("vol-0a1b2c3d i-0a1b2c3d VolumeIOPSExceededCheck Maximum 60", "i-0a1b2c3d"),
    ] {
        let text = data(&[("vol-0a1b2c3d VolumeReadOps Sum 60", &[0], &[60.0]), (label, &[0], &[1.0])]);
        let found = seen("x.json", &text);
        assert!(found.contains(&check(machine)) && found.contains(&reads(machine)), "{label}: {found}");
    }
    let dimensions = |own: &str| {
        format!(
            r#"[{{"Id": "m1", "MetricStat": {{"Period": 60, "Stat": "Maximum", "Metric": {{"Namespace": "AWS/EBS",
                "MetricName": "VolumeIOPSExceededCheck", "Dimensions": [{own}{{"Name": "VolumeId", "Value": "vol-0a1b2c3d"}}]}}}}}}]
               {{"MetricDataResults": [{{"Id": "m1", "Label": "m1", "Timestamps": ["2026-11-22T13:00:00+00:00"], "Values": [1]}}]}}"#
        )
    };
    let both = dimensions(r#"{"Name": "InstanceId", "Value": "i-0a1b2c3d"}, "#);
    assert_eq!(seen("x.json", &both), check("i-0a1b2c3d"));
    assert_eq!(seen("x.json", &dimensions("")), check("-"));
    let stream = |own: &str| {
        format!(
            r#"{{"metric_name":"VolumeIOPSExceededCheck","namespace":"AWS/EBS","dimensions":{{{own}"VolumeId":"vol-0a1b2c3d"}},"timestamp":1795352400000,"value":{{"max":1.0,"min":0.0,"sum":1.0,"count":1.0}},"unit":"None"}}"#
        )
    };
    assert!(seen("x.json", &stream(r#""InstanceId":"i-0a1b2c3d","#)).contains(&check("i-0a1b2c3d")));
    assert!(seen("x.json", &stream("")).contains(&check("-")));
}

/// What a file says of databases: machine, device and the one figure that it has, in the unit of the interface.
fn of_storage(name: &str, text: &str) -> Vec<String> {
    let mut kept = CollectedReadings::default();
    let result = read(text.as_bytes(), &Options { name, ..Options::default() }, &mut kept);
    let mut out: Vec<String> = kept.faults.iter().map(|(_, fault)| fault.what.clone()).collect();
    out.extend(result.err().map(|error| error.what));
    for (_, common, reading) in &kept.readings {
        let machine = common.machine.as_deref().unwrap_or("-");
        let figure = match reading {
            Reading::Disk { device, disk, .. } => {
                let figures = [
                    disk.reads_per_s.map(|n| format!("{n} reads/s")),
                    disk.writes_per_s.map(|n| format!("{n} writes/s")),
                    disk.read_throughput.map(|n| format!("{} B/s read", n.get())),
                    disk.write_throughput.map(|n| format!("{} B/s written", n.get())),
                    disk.read_latency.map(|t| format!("{} us a read", t.ns() / 1_000)),
                    disk.write_latency.map(|t| format!("{} us a write", t.ns() / 1_000)),
                    disk.queue_depth.map(|n| format!("{n} in flight")),
                ];
                format!("{device}: {}", figures.into_iter().flatten().collect::<Vec<_>>().join(", "))
            }
            Reading::Consumed { metric, percent, .. } => format!("{metric}: {percent} %"),
            Reading::Host(disk) => format!("host: {:?} reads/s", disk.reads_per_s),
            Reading::DiskGrowth { device, .. } => format!("{device}: counts"),
            _ => continue,
        };
        out.push(format!("{machine} {figure}"));
    }
    out
}

#[test]
fn a_database_is_a_machine_with_one_storage_and_its_metrics_are_means_and_not_sums() {
    // (metric, unit, the mean of a period, what is read)
    let cases = [
        ("ReadIOPS", "Count/Second", 812.5, "prod-1 storage: 812.5 reads/s"),
        ("WriteIOPS", "Count/Second", 41.0, "prod-1 storage: 41 writes/s"),
        ("ReadThroughput", "Bytes/Second", 13_312_000.0, "prod-1 storage: 13312000 B/s read"),
        ("WriteThroughput", "Bytes/Second", 671_744.0, "prod-1 storage: 671744 B/s written"),
        ("ReadLatency", "Seconds", 0.0005, "prod-1 storage: 500 us a read"),
        ("WriteLatency", "Seconds", 0.0021, "prod-1 storage: 2100 us a write"),
        ("DiskQueueDepth", "Count", 0.45, "prod-1 storage: 0.45 in flight"),
        ("BurstBalance", "Percent", 99.0, "prod-1 100 % - BurstBalance (storage): 1 %"),
        ("EBSIOBalance%", "Percent", 90.0, "prod-1 100 % - EBSIOBalance%: 10 %"),
        ("EBSByteBalance%", "Percent", 75.0, "prod-1 100 % - EBSByteBalance%: 25 %"),
    ];
    for (metric, unit, value, expected) in cases {
        // As a full label of the console has it, and as a graph of it.
        let label = format!("us-east-1:AWS/RDS DBInstanceIdentifier:prod-1 {metric} Average 60");
        assert_eq!(of_storage("x.json", &data(&[(&label, &[0], &[value])])), [expected], "{metric}");
        let graph = format!(
            "Id,m1\nFull label,{label}\nLabel,{metric}\n2026/11/22 13:00:00,{value}\n2026/11/22 13:01:00,{value}\n"
        );
        assert_eq!(of_storage("graph.csv", &graph), [expected; 2], "{metric}");
        // Queries before their results.
        let queries = format!(
            r#"{{"MetricDataQueries":[{{"Id":"m0","MetricStat":{{"Metric":{{"Namespace":"AWS/RDS","MetricName":"{metric}","Dimensions":[{{"Name":"DBInstanceIdentifier","Value":"prod-1"}}]}},"Period":300,"Stat":"Average"}}}}]}}"#
        );
        let both = queries + &data(&[("anything", &[0], &[value])]);
        assert_eq!(of_storage("x.json", &both), [expected], "{metric}");
        // One metric without its dimensions, in a file that is called after its database; a period of five minutes changes nothing.
        if !metric.contains("Balance") {
            let point = |minute: u32| {
                format!(r#"{{"Timestamp":"2026-11-22T13:{minute:02}:00Z","Average":{value},"Unit":"{unit}"}}"#)
            };
            let text = format!(r#"{{"Label":"{metric}","Datapoints":[{},{}]}}"#, point(5), point(0));
            assert_eq!(of_storage(&format!("day/prod-1-{metric}.json"), &text), [expected; 2], "{metric}");
            let other = text.replace(unit, "Kilobytes");
            let said = format!("`{metric}` in `Kilobytes`, where it has `{unit}`");
            assert_eq!(of_storage(&format!("prod-1-{metric}.json"), &other)[0], said);
        }
        let summed = data(&[(&label.replace("Average", "Sum"), &[0], &[value])]);
        let said = format!("Sum of `{metric}` is no mean");
        assert!(of_storage("x.json", &summed).contains(&said), "{metric}: {:?}", of_storage("x.json", &summed));
    }
}

#[test]
fn volumes_are_never_those_of_a_database() {
    let rds = |name: &str, metric: &str| format!("us-east-1:AWS/RDS DBInstanceIdentifier:{name} {metric} Average 60");
    let (reads, balance) = (rds("prod-1", "ReadIOPS"), rds("prod-1", "EBSIOBalance%"));
    let other = rds("prod-2", "ReadIOPS");
    let volume = "vol-0a1b2c3d VolumeReadOps Sum 60";
    let instance = "i-0a1b2c3d EBSReadOps Sum 60";
    let found = |labels: &[&str]| {
        let results: Vec<_> = labels.iter().map(|label| (*label, &[0][..], &[60.0][..])).collect();
        let mut found = of_storage("x.json", &data(&results));
        found.retain(|line| !line.contains("two machines in one file"));
        found
    };
    let of_database = ["prod-1 100 % - EBSIOBalance%: 40 %", "prod-1 storage: 60 reads/s"];
    let unattached = |what: &str| format!("nothing says to which {what}");
    let cases: [(&[&str], Vec<String>); 4] = [
        (&[&reads, &balance], of_database.map(String::from).into()),
        (
            &[&reads, &balance, volume, instance],
            ["i-0a1b2c3d host: Some(1.0) reads/s", "i-0a1b2c3d vol-0a1b2c3d: counts"]
                .into_iter()
                .chain(of_database)
                .map(String::from)
                .collect(),
        ),
        (
            &[&reads, &balance, volume],
            [unattached("instance `vol-0a1b2c3d` is attached, and a database is none")]
                .into_iter()
                .chain(of_database.into_iter().chain(["unattached vol-0a1b2c3d: counts"]).map(String::from))
                .collect(),
        ),
        (&[&reads, &other], vec!["prod-1 storage: 60 reads/s".into(), "prod-2 storage: 60 reads/s".into()]),
    ];
    for (labels, expected) in cases {
        assert_eq!(found(labels), expected, "{labels:?}");
    }
}
