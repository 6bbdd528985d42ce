//! Files that are read, with what each disk comes to and what is said of damaged lines.

use std::path::Path;

use dw_counters::Options;

use super::seen;

fn data(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/data");
    std::fs::read(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn read(name: &str, bytes: &[u8]) -> String {
    seen(bytes, &Options { name, ..Options::default() })
}

/// A file, and what its disks come to.
const FILES: &[(&str, &str)] = &[
    (
        "iostat-stamped.out",
        r"vm-a dm-0: 9, 0 to 1
vm-a sdf: 9, 114 to 125
vm-a sdg: 9, 10 to 28.82
",
    ),
    (
        "vmstat-stamped.out",
        r"- host: 9, 0 to 0
",
    ),
    (
        "azuremetrics-query.json",
        r"VM-DB-01 data disks: 10, 180 to 198
",
    ),
    (
        "mpstat-vmstat-iostat.txt",
        r"alma9 sda: 5, 66 to 70
2: `16:55:53 up 9 min,  2 users,  load average: 9.26, 2.91, 1.18` is not a line of iostat (remove everything that is not iostat's output)
3: `total        used        free      shared  buff/cache   available` is not a line of iostat (remove everything that is not iostat's output)
4: `Mem:            31Gi       1.2Gi        24Gi        17Mi       5.5Gi        29Gi` is not a line of iostat (remove everything that is not iostat's output)
5: `Swap:             0B          0B          0B` is not a line of iostat (remove everything that is not iostat's output)
9: `16:55:50     CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest...` is not a line of iostat (remove everything that is not iostat's output)
10: `16:55:51     all   69.09    0.00   30.16    0.00    0.38    0.38    0.00    0.00...` is not a line of iostat (remove everything that is not iostat's output)
11: `16:55:52     all   74.02    0.00   25.52    0.00    0.25    0.21    0.00    0.00...` is not a line of iostat (remove everything that is not iostat's output)
13: `Average:     all   71.50    0.00   27.80    0.00    0.31    0.30    0.00    0.00...` is not a line of iostat (remove everything that is not iostat's output)
14: `--procs-- -----------------------memory---------------------- ---swap-- -----io-...` is not a line of iostat (remove everything that is not iostat's output)
15: `r    b         swpd         free         buff        cache   si   so    bi   ...` is not a line of iostat (remove everything that is not iostat's output)
16: `14    1            0     24388660          164       145468    0    0     0  7...` is not a line of iostat (remove everything that is not iostat's output)
17: `14    1            0     24387660          164       145468    0    0     0  7...` is not a line of iostat (remove everything that is not iostat's output)
18: `14    1            0     24386660          164       145468    0    0     0  7...` is not a line of iostat (remove everything that is not iostat's output)
19: `14    1            0     24385660          164       145468    0    0     0  7...` is not a line of iostat (remove everything that is not iostat's output)
20: `14    1            0     24384660          164       145468    0    0     0  7...` is not a line of iostat (remove everything that is not iostat's output)
",
    ),
    (
        "dstat-mem.csv",
        r"web-1 host: 8, 150 to 164
web-1 sda: 8, 150 to 164
8: 18 columns where the header has 15: more figures of memory than names, as old versions print them (memory is not read, the other columns are; give vmstat for memory)
",
    ),
    (
        "prometheus-rate.json",
        r#"1: a series without a name: `rate()` drops it, and hides resets (query the counter itself: {__name__=~"node_disk_.*|node_cpu_seconds_total|node_memory_Mem.*"})
error: prometheus-rate.json:1: a series without a name: `rate()` drops it, and hides resets; there is no sample
hint: query the counter itself: {__name__=~"node_disk_.*|node_cpu_seconds_total|node_memory_Mem.*"}
"#,
    ),
    (
        "dstat-wait.txt",
        r"- sda: 8, 0 to 0
- sdb: 8, 0 to 0
",
    ),
    (
        "log-analytics-perf.csv",
        r"vm-w1 0 C:: 30, 5 to 34
vm-w1 2 F:: 30, 243 to 272
",
    ),
    (
        "get-counter.txt",
        r"vm-w1 0 c:: 4, 14.49872 to 14.49872
vm-w1 2 f:: 4, 1214.75 to 1220.75
",
    ),
    (
        "get-counter-export.csv",
        r"vm-w1 0 c:: 12, 3 to 14
vm-w1 2 f:: 12, 1200 to 1211
",
    ),
    ("dm-io-virtual-file-stats.csv", "- F:: 6, 1400000 to 3650000\n- G:: 6, 801000 to 1176005\n"),
    (
        "sar-dp-dev-last.txt",
        r"pg-1 sda: 10, 0 to 0
pg-1 sdc: 10, 100 to 109
",
    ),
    (
        "sar-restarted-clock.txt",
        r"app-1 dev8-0: 12, 0 to 42.37
11: time goes back by 81 s (samples are sorted by time; unless the clock was set back, split the file here)
16: `End of system activity file unexpected` does not start with a time (this line is ignored)
",
    ),
    (
        "iostat-y-comma.json",
        r"db-1 sdc: 6, 287 to 317
",
    ),
    (
        "iostat-cut.json",
        r"db-1 sdc: 6, 4957.75 to 46843
",
    ),
    (
        "oracle-host.txt",
        r"db-1 dm-10: 6, 150.5 to 155.5
db-1 dm-11: 6, 345 to 345
db-1 dm-13: 6, 49.5 to 49.5
db-1 sdc: 6, 495.5 to 500.5
db-1 sdd: 6, 49.5 to 49.5
1: `[oracle@db-1 ~]$ iostat -xd 2 6` is not a line of iostat (remove everything that is not iostat's output)
52: `~]$` is not a number (this line is ignored)
55: `10:12:41 AM   UID       PID   kB_rd/s   kB_wr/s kB_ccwr/s iodelay  Command` is not a line of iostat (remove everything that is not iostat's output)
56: `10:12:43 AM  1003     16617     47.92  24627.72      0.00       0  ora_lgwr_db1` is not a line of iostat (remove everything that is not iostat's output)
57: `10:12:43 AM  1003     17119      0.00  74142.57      0.00       0  ora_arc1_db1` is not a line of iostat (remove everything that is not iostat's output)
59: `Average:      UID       PID   kB_rd/s   kB_wr/s kB_ccwr/s iodelay  Command` is not a line of iostat (remove everything that is not iostat's output)
60: `Average:     1003     16617     47.92  24627.72      0.00       0  ora_lgwr_db1` is not a line of iostat (remove everything that is not iostat's output)
61: `[oracle@db-1 ~]$` is not a line of iostat (remove everything that is not iostat's output)
",
    ),
    (
        "iostat-rsec.txt",
        r"- sdg: 6, 10850 to 10855
- sdh: 6, 19757 to 19762
",
    ),
    ("prom-counters.json", "10.0.0.4 sda: 30, 300000 to 1170000\n"),
];

#[test]
fn what_users_hold_is_read() {
    let mut wrong = String::new();
    for (name, expected) in FILES {
        let found = read(name, &data(name));
        if found != *expected {
            wrong += &format!("== {name}\n{found}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn the_encoding_of_a_shell_changes_nothing() {
    for name in ["azuremetrics-query.json", "azuremetrics-two-vms.csv", "get-counter.txt", "log-analytics-perf.csv"] {
        let bytes = data(name);
        let text = String::from_utf8(bytes.clone()).expect("is text");
        let wide: Vec<u8> = [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
        assert_eq!(read(name, &wide), read(name, &bytes), "{name}");
    }
}

#[test]
fn answers_of_a_log_workspace_are_read_in_each_of_their_shapes() {
    let columns = ["TimeGenerated", "Resource", "MetricName", "Average"];
    let row = |minute: u32, figure: &str, average: &str| {
        vec![format!("2026-03-12T22:0{minute}:00Z"), "vm-1".to_string(), figure.to_string(), average.to_string()]
    };
    let rows: Vec<Vec<String>> = (0..3)
        .flat_map(|n| [row(n, "OS Disk Read Operations/Sec", "10"), row(n, "OS Disk Write Operations/Sec", "5")])
        .collect();
    let record = |cells: &Vec<String>, text: bool| {
        let pair = |(name, cell): (&&str, &String)| {
            let plain = *name == "Average" && !text;
            if plain { format!("\"{name}\":{cell}") } else { format!("\"{name}\":\"{cell}\"") }
        };
        format!("{{{}}}", columns.iter().zip(cells).map(pair).collect::<Vec<_>>().join(","))
    };
    let list = |text: bool| rows.iter().map(|cells| record(cells, text)).collect::<Vec<_>>().join(",\n");
    let cells = |cells: &Vec<String>| format!("[\"{}\",\"{}\",\"{}\",{}]", cells[0], cells[1], cells[2], cells[3]);
    let heads =
        columns.iter().map(|name| format!("{{\"name\":\"{name}\",\"type\":\"x\"}}")).collect::<Vec<_>>().join(",");
    let body = rows.iter().map(cells).collect::<Vec<_>>().join(",");
    let shapes = [
        ("numbers as texts", format!("[{}]", list(true))),
        ("numbers", format!("[{}]", list(false))),
        ("PowerShell's Results", format!("{{\"Results\":[{}]}}", list(true))),
        ("one record a line", rows.iter().map(|r| record(r, true) + "\n").collect()),
        ("tables", format!("{{\"tables\":[{{\"name\":\"PrimaryResult\",\"columns\":[{heads}],\"rows\":[{body}]}}]}}")),
    ];
    for (name, text) in shapes {
        assert_eq!(read(name, text.as_bytes()), "vm-1 OS disk: 3, 15 to 15\n", "{name}");
    }
}

#[test]
fn insights_and_perf_are_read_of_two_machines_apart() {
    let perf = |machine: &str, reads: u32| {
        (0..2).map(|n| format!("2026-03-12T22:0{n}:00.1Z,{machine},Logical Disk,Disk Reads/sec,/,{reads}\n2026-03-12T22:0{n}:00.4Z,{machine},Logical Disk,Disk Writes/sec,/,1\n")).collect::<String>()
    };
    let text = format!(
        "TimeGenerated,Computer,ObjectName,CounterName,InstanceName,CounterValue\n{}{}",
        perf("a", 10),
        perf("b", 20)
    );
    assert_eq!(
        read("perf.csv", text.as_bytes()),
        "a /: 2, 11 to 11\nb /: 2, 21 to 21\n6: samples of `b` follow those of `a`: two machines in one file (read one at \
         a time: `--machine b` or `--machine a`)\n"
    );
    let insights = |name: &str, value: &str| {
        format!(
            r#"{{"TimeGenerated":"2026-03-12T22:00:00Z","Computer":"a","Namespace":"LogicalDisk","Name":"{name}","Val":{value},"Tags":"{{\"vm.azm.ms/mountId\":\"C:\"}}"}}"#
        )
    };
    let list =
        [("ReadsPerSecond", "12.5"), ("WritesPerSecond", "2.5"), ("ReadLatencyMs", "4")].map(|(n, v)| insights(n, v));
    assert_eq!(read("insights.json", format!("[{}]", list.join(",")).as_bytes()), "a C:: 1, 15 to 15\n");
}

#[test]
fn one_snapshot_of_file_statistics_says_what_is_missing() {
    let text = String::from_utf8(data("dm-io-virtual-file-stats.csv")).expect("is text");
    let one: String = text.lines().take(3).map(|line| format!("{line}\n")).collect();
    let found = read("one.csv", one.as_bytes());
    assert!(found.contains("one snapshot of counters that grow since SQL Server started"), "{found}");
}

#[test]
fn a_file_of_a_database_counts_by_its_growth() {
    // Minute, path, reads.
    type Row = (u32, &'static str, u32);
    let cases: [(&str, &[Row], &str); 6] = [
        (
            "a database restored",
            &[(0, r"F:\d", 100), (1, r"F:\d", 200), (1, r"F:\e", 9000), (2, r"F:\d", 300), (2, r"F:\e", 9050)],
            "- F:: 3, 100 to 350\n",
        ),
        (
            "a database detached",
            &[(0, r"F:\d", 100), (0, r"F:\e", 9000), (1, r"F:\d", 200), (2, r"F:\d", 300)],
            "- F:: 3, 9100 to 9300\n",
        ),
        (
            "one attached again, whose count begins anew",
            &[
                (0, r"F:\d", 100),
                (0, r"F:\e", 9000),
                (1, r"F:\d", 200),
                (1, r"F:\e", 10),
                (2, r"F:\d", 300),
                (2, r"F:\e", 30),
            ],
            "- F:: 3, 9100 to 9320\n",
        ),
        (
            "SQL Server restarted",
            &[(0, r"F:\d", 100), (0, r"F:\e", 9000), (1, r"F:\d", 5), (1, r"F:\e", 10)],
            "- F:: 2, 15 to 9100\n",
        ),
        (
            "a drive in both cases",
            &[(0, r"F:\d", 100), (0, r"f:\e", 10), (1, r"F:\d", 200), (1, r"f:\e", 30)],
            "- F:: 2, 110 to 230\n",
        ),
        (
            "directories of Linux",
            &[(0, "/a/d", 100), (0, "/A/d", 10), (1, "/a/d", 200), (1, "/A/d", 30)],
            "- /A: 2, 10 to 30\n- /a: 2, 100 to 200\n",
        ),
    ];
    for (name, rows, expected) in cases {
        let mut text = "capture_time,physical_name,num_of_reads,num_of_writes\n".to_string();
        for (minute, path, reads) in rows {
            text += &format!("2026-01-01 10:0{minute}:00.000,{path},{reads},0\n");
        }
        assert_eq!(read(name, text.as_bytes()), expected, "{name}");
    }
}

#[test]
fn samples_of_a_log_workspace_are_joined_whatever_their_clock_does() {
    // Seconds, device, counter, value.
    type Row = (f64, &'static str, &'static str, u32);
    let pairs = |count: u32, apart: f64, behind: f64, trembles: f64| {
        let at = move |n: u32| f64::from(n) * apart + if n.is_multiple_of(2) { trembles } else { 0.0 };
        (0..count)
            .flat_map(|n| [(at(n), "F:", "Disk Reads/sec", 50), (at(n) + behind, "F:", "Disk Writes/sec", 20)])
            .collect::<Vec<Row>>()
    };
    let two = |offset: f64| {
        let second =
            pairs(10, 60.0, 0.0, 0.0).into_iter().map(|(at, device, counter, _)| (at + offset, device, counter, 9));
        pairs(10, 60.0, 0.0, 0.0).into_iter().chain(second).collect::<Vec<Row>>()
    };
    let twice = "22: a counter of `2 F:` has two values at one time: 50 and 9 (the first is used; is the machine of each row missing?)\n";
    let cases: [(&str, Vec<Row>, String); 7] = [
        ("of a second that trembles", pairs(10, 1.0, 0.0, 0.004), "vm 2 F:: 10, 70 to 70\n".into()),
        ("a second behind, of a minute", pairs(10, 60.0, 1.0, 0.0), "vm 2 F:: 10, 70 to 70\n".into()),
        ("five seconds behind, of a minute", pairs(10, 60.0, 5.0, 0.3), "vm 2 F:: 10, 70 to 70\n".into()),
        ("a third of a second behind, of a second", pairs(10, 1.0, 0.3, 0.0), "vm 2 F:: 10, 70 to 70\n".into()),
        ("of one time", pairs(1, 1.0, 0.9, 0.0), "vm 2 F:: 1, 70 to 70\n".into()),
        ("two machines of no name at once", two(0.0), format!("vm 2 F:: 10, 70 to 70\n{twice}")),
        ("two machines of no name", two(0.2), format!("vm 2 F:: 10, 70 to 70\n{twice}")),
    ];
    for (name, rows, expected) in cases {
        let mut text = "TimeGenerated,Computer,ObjectName,CounterName,InstanceName,CounterValue\n".to_string();
        for (at, device, counter, value) in rows {
            let (minute, second) = ((at / 60.0) as u32, at % 60.0);
            text += &format!("2026-01-02T01:{minute:02}:{second:06.3}Z,vm,PhysicalDisk,{counter},2 {device},{value}\n");
        }
        assert_eq!(read(name, text.as_bytes()), expected, "{name}");
    }
}
