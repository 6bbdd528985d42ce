//! Several machines in one file: each keeps its own readings, and the file is said to have several.

use dw_counters::Options;

use super::seen;

const TWO_VMS: &str = include_str!("data/azuremetrics-two-vms.csv");

fn check(name: &str, text: &str, expected: &str) {
    let options = Options { name, ..Options::default() };
    assert_eq!(seen(text.as_bytes(), &options), expected, "{name}");
}

/// The columns of an export of the portal, of which some may be empty.
fn portal(rows: &[(&str, &str, &str, &str)]) -> String {
    let mut text = "TimeGenerated [UTC],Resource,ResourceGroup,ResourceProvider,SubscriptionId,MetricName,Total,Count,\
                    Maximum,Minimum,Average,TimeGrain,UnitName,SourceSystem,ResourceId,Type,_ResourceId\n"
        .to_string();
    for minute in 0..3 {
        for (name, group, id, average) in rows {
            text += &format!(
                "\"3/12/2026, 10:0{minute}:00.000 PM\",{name},{group},MICROSOFT.COMPUTE,0,OS Disk Read Operations/Sec,\
                 600,1,{average},{average},{average},PT1M,CountPerSecond,Azure,{id},AzureMetrics,{id}\n"
            );
        }
    }
    text
}

#[test]
fn rows_of_a_table_belong_to_the_machine_that_they_name() {
    let both = "3: samples of `B` follow those of `A`: two machines in one file (read one at a time: `--machine B` or \
                `--machine A`)\n";
    check(
        "azuremetrics-two-vms.csv",
        TWO_VMS,
        "VM-DB-01 data disks: 10, 180 to 198\nVM-DB-02 data disks: 10, 540 to 558\n6: samples of `VM-DB-02` follow \
         those of `VM-DB-01`: two machines in one file (read one at a time: `--machine VM-DB-02` or `--machine VM-DB-01`)\n",
    );
    let id = |group: &str, name: &str| {
        format!("/subscriptions/0/resourcegroups/{group}/providers/microsoft.compute/virtualmachines/{name}")
    };
    let (a, b) = (id("rg", "A"), id("rg", "B"));
    let two = format!("A OS disk: 3, 10 to 10\nB OS disk: 3, 20 to 20\n{both}");
    check("names and ids", &portal(&[("A", "RG", &a, "10"), ("B", "RG", &b, "20")]), &two);
    check("names alone", &portal(&[("A", "RG", "", "10"), ("B", "RG", "", "20")]), &two);
    check("ids alone", &portal(&[("", "", &a, "10"), ("", "", &b, "20")]), &two);
    check(
        "one machine, by its id and by its name",
        &portal(&[("a", "RG", &a, "10"), ("A", "rg", "", "10")]),
        "A OS disk: 3, 10 to 10\n",
    );
    check(
        "one name in two groups",
        &portal(&[("A", "RG1", "", "10"), ("A", "RG2", "", "20")]),
        "RG1/A OS disk: 3, 10 to 10\nRG2/A OS disk: 3, 20 to 20\n3: samples of `RG2/A` follow those of `RG1/A`: two \
         machines in one file (read one at a time: `--machine RG2/A` or `--machine RG1/A`)\n",
    );
    check(
        "two values of one metric",
        &portal(&[("A", "RG", &a, "10"), ("A", "RG", &a, "20")]),
        "A OS disk: 3, 10 to 10\n3: `OS Disk Read Operations/Sec` has two values at one time: 10 (line 2) and 20 (the \
         first is used; is the VM, the LUN or the time grain of each row missing?)\n",
    );
    check(
        "a chart of two machines",
        "Time;OS Disk Read Operations/Sec (Avg) | A;OS Disk Read Operations/Sec (Avg) | B\n2026-11-22T13:15:00;10;20\n",
        "A OS disk: 1, 10 to 10\nB OS disk: 1, 20 to 20\n2: samples of `B` follow those of `A`: two machines in one \
         file (read one at a time: `--machine B` or `--machine A`)\n",
    );
}

#[test]
fn one_machine_of_several_can_be_asked_for() {
    let options = Options { name: "x", machine: Some("vm-db-01"), strict: true, ..Options::default() };
    assert_eq!(seen(TWO_VMS.as_bytes(), &options), "VM-DB-01 data disks: 10, 180 to 198\n");
}

#[test]
fn metrics_belong_to_the_machine_of_their_document() {
    let id =
        |name: &str| format!("/subscriptions/0/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/{name}");
    let series = |dimension: &str, average: u32| {
        format!(
            r#"{{"metadatavalues":[{dimension}],"data":[{{"timeStamp":"2026-03-12T22:00:00Z","average":{average}}},{{"timeStamp":"2026-03-12T22:01:00Z","average":{average}}}]}}"#
        )
    };
    let metric = |own: &str, series: &str| {
        format!(
            r#"{{{own}"name":{{"value":"OS Disk Write Operations/Sec"}},"unit":"CountPerSecond","timeseries":[{series}]}}"#
        )
    };
    let own = |name: &str| format!(r#""id":"{}/providers/Microsoft.Insights/metrics/x","#, id(name));
    let list = |name: &str, average| {
        format!(
            r#"{{"interval":"0:01:00","namespace":"Microsoft.Compute/virtualMachines","value":[{}]}}"#,
            metric(&own(name), &series("", average))
        )
    };
    let of_batch = |name: &str, average| {
        format!(r#"{{"interval":"PT1M","resourceid":"{}","value":[{}]}}"#, id(name), metric("", &series("", average)))
    };
    let behind = |name: &str, average| {
        format!(r#"{{"value":[{}],"interval":"PT1M","resourceid":"{}"}}"#, metric("", &series("", average)), id(name))
    };
    let empty = format!(r#"{{"value":[],"interval":"PT1M","resourceid":"{}"}}"#, id("C"));
    let dimension = |name: &str, value: &str| format!(r#"{{"name":{{"value":"{name}"}},"value":"{value}"}}"#);
    let by = |key: &str, a: &str, b: &str| {
        let all = format!("{},{}", series(&dimension(key, a), 10), series(&dimension(key, b), 20));
        format!(r#"{{"interval":"PT1M","value":[{}]}}"#, metric("", &all))
    };
    let record = |name: &str, average: u32| {
        format!(
            r#"{{"time":"2026-03-12T22:00:00Z","resourceId":"{}","metricName":"OS Disk Write Operations/Sec","timeGrain":"PT1M","average":{average}}}"#,
            id(name).to_uppercase()
        )
    };
    let rows = [
        ("one document after the other", format!("{}\n{}\n", list("A", 10), list("B", 20))),
        ("an array of documents", format!("[{},\n{}]", list("A", 10), list("B", 20))),
        ("metrics:getBatch", format!(r#"{{"values":[{},{}]}}"#, of_batch("A", 10), of_batch("B", 20))),
        ("metrics:getBatch, what is said behind", format!(r#"{{"values":[{},{}]}}"#, behind("A", 10), behind("B", 20))),
        ("documents, what is said behind", format!("{}\n{empty}\n{}\n", behind("A", 10), behind("B", 20))),
        ("said before and behind", format!(r#"{{"values":[{},{}]}}"#, of_batch("A", 10), behind("B", 20))),
        ("said behind and before", format!(r#"{{"values":[{},{empty},{}]}}"#, behind("A", 10), of_batch("B", 20))),
        ("parted by resource", by("Microsoft.ResourceId", &id("A"), &id("B"))),
        ("parted by VM of a scale set", by("VMName", "A", "B")),
        ("JSON lines", format!("{}\n{}\n{}\n", record("A", 10), record("B", 20), record("A", 10))),
    ];
    for (name, text) in rows {
        let found = seen(text.as_bytes(), &Options { name, ..Options::default() });
        let lines: Vec<&str> = found.lines().collect();
        let readings = if name == "JSON lines" { 1 } else { 2 };
        assert_eq!(lines.len(), 3, "{name}:\n{found}");
        assert_eq!(lines[0], format!("A OS disk: {readings}, 10 to 10"), "{name}");
        assert_eq!(lines[1], format!("B OS disk: {readings}, 20 to 20"), "{name}");
        assert!(lines[2].contains("two machines in one file"), "{name}:\n{found}");
    }
}

#[test]
fn series_of_two_machines_are_not_one() {
    let series = |labels: &str, reads: u32| {
        format!(
            r#"{{"metric":{{"__name__":"node_disk_reads_completed_total","device":"sda",{labels}}},"values":[[1700000000,"0"],[1700000060,"{reads}"]]}}"#
        )
    };
    let document = |a: &str, b: &str| {
        format!(
            r#"{{"status":"success","data":{{"resultType":"matrix","result":[{},{}]}}}}"#,
            series(a, 60),
            series(b, 600)
        )
    };
    let rows = [
        (
            r#""instance":"a:9100""#,
            r#""instance":"b:9100""#,
            "samples of `b` follow those of `a`: two machines in one file",
        ),
        (r#""nodename":"a""#, r#""nodename":"b""#, "samples of `b` follow those of `a`: two machines in one file"),
        (
            r#""instance":"localhost:9100","cluster":"a""#,
            r#""instance":"localhost:9100","cluster":"b""#,
            "`node_disk_reads_completed_total` of sda is there twice, with another `cluster`: two machines in one file",
        ),
    ];
    for (a, b, expected) in rows {
        let text = document(a, b);
        let found = seen(text.as_bytes(), &Options { name: "x", ..Options::default() });
        assert!(found.contains(expected), "{a} {b}:\n{found}");
    }
}

#[test]
fn series_that_run_at_once_are_of_two_machines_whatever_their_times() {
    let series = |labels: &str, begins: u32, reads: u32| {
        let values: Vec<String> = (0..3).map(|n| format!(r#"[{},"{}"]"#, begins + n * 60, n * reads)).collect();
        let values = values.join(",");
        format!(
            r#"{{"metric":{{"__name__":"node_disk_reads_completed_total","device":"sda",{labels}}},"values":[{values}]}}"#
        )
    };
    let said = "1: `node_disk_reads_completed_total` of sda is there twice, with another `cluster`: two machines in one \
                file (the first is used; query one machine: `{instance=\"HOST:9100\"}`)\n";
    let rows = [
        (r#""cluster":"a""#, r#""cluster":"b""#, 1015, format!("- sda: 3, 0 to 120\n{said}")),
        (r#""job":"n","cluster":"a""#, r#""job":"n""#, 1015, format!("- sda: 3, 0 to 120\n{said}")),
        // A pod that was restarted, and a long time that was asked for in two parts.
        (r#""instance":"a","pod":"x""#, r#""instance":"a","pod":"y""#, 1180, "a sda: 6, 0 to 1200\n".to_string()),
        (r#""cluster":"a""#, r#""cluster":"a""#, 1180, "- sda: 6, 0 to 1200\n".to_string()),
    ];
    for (a, b, begins, expected) in rows {
        let result = format!("{},{}", series(a, 1000, 60), series(b, begins, 600));
        let text = format!(r#"{{"status":"success","data":{{"resultType":"matrix","result":[{result}]}}}}"#);
        check(b, &text, &expected);
    }
}

#[test]
fn a_counter_in_two_columns_is_said() {
    let path = r"\\A\PhysicalDisk(0 C:)\Disk Reads/sec";
    let text = format!("\"(PDH-CSV 4.0)\",\"{path}\",\"{path}\"\n\"03/15/2024 09:00:01.123\",\"7.5\",\"12.5\"\n");
    check(
        "perfmon.csv",
        &text,
        r"A 0 C:: 1, 7.5 to 7.5
1: `\\A\PhysicalDisk(0 C:)\Disk Reads/sec` stands in two columns (the first is used; were files of several machines combined?)
",
    );
}

#[test]
fn a_sample_that_is_there_twice_is_said() {
    let path = r"\\a\physicaldisk(0 c:)\disk reads/sec";
    let row = |value| format!("\"{path}\",\"{value}\",\"03/15/2024 09:00:01\"\n");
    let text = format!("\"Path\",\"CookedValue\",\"Timestamp\"\n{}{}", row("7.5"), row("12.5"));
    let found = seen(text.as_bytes(), &Options { name: "x", ..Options::default() });
    let said = "a counter of `0 c:` has two values at one time: 7.5 and 12.5 (the first is used;";
    assert!(found.contains(said), "{found}");
}
