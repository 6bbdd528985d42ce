//! What is wrong with a file of requirements is told with its line, what was found and what to write.

use dw_demand::{read, read_for_plan};

use super::{SHELF, Shelf, faults};

#[test]
fn numbers_of_a_series_are_checked() {
    let check = |key: &str, value: &str, expected: &[(u64, &str)]| {
        let with = |name: &str, usual: &str| {
            let value = if name == key { value } else { usual };
            format!("{name} = {value}\n")
        };
        let text = [
            "schema_version = 1\n[[volume]]\nname = \"sdb\"\n[volume.series]\n",
            &with("interval", "\"2s\""),
            &with("read_iops", "[1.0,\n2]"),
            &with("write_iops", "[1e3, 0.0]"),
            &with("read_bytes_per_s", "[4096, 0]"),
            &with("write_bytes_per_s", "[4096, 0]"),
        ]
        .concat();
        let errors = read("r.toml", &text, &SHELF).err().map(faults).unwrap_or_default();
        let found: Vec<(u64, &str)> = errors.iter().map(|e| (e.0, e.1.as_str())).collect();
        assert_eq!(found.len(), expected.len(), "{key} = {value}: {found:?}");
        for ((line, what), (expected_line, part)) in found.iter().zip(expected) {
            assert!(line == expected_line && what.contains(part), "{key} = {value}: {line}: {what}");
        }
    };
    check("nothing", "", &[]);
    check("interval", "\"0s\"", &[(5, "`interval = \"0s\"` is zero")]);
    check("read_iops", "[1.0,\nnan]", &[(7, "`read_iops = NaN` is out of range")]);
    check("read_iops", "[inf,\n-inf]", &[(6, "`read_iops = inf` is out of range")]);
    check("write_iops", "[-1.0, 0.0]", &[(8, "`write_iops = -1` is out of range")]);
    check("write_iops", "[1e13, 0.0]", &[(8, "is out of range")]);
    check("write_iops", "[1.0]", &[(4, "different lengths: 2, [1, 2, 2]")]);
    check("read_bytes_per_s", "[-1, 0]", &[(9, "-1")]);
}

/// The figure, what is wrong with it and what to write; or what it is.
#[test]
fn amounts_that_could_be_two_things_are_refused_and_signs_are_taken() {
    let read = |key: &str| {
        let (plan, top) = if key.starts_with("growth =") { ("", key) } else { (key, "") };
        let text =
            format!("schema_version = 1\n{top}\n[plan]\n{plan}\n[[volume]]\nname = \"sdb\"\ncapacity = \"1 TiB\"\n");
        read_for_plan("r.toml", &text, &Shelf)
    };
    for (key, line, what, hint) in [
        ("growth = 0.3", 2, "it would be less than today", "write `\"30%\"` for 30 % more, or `\"0.3x\"`"),
        ("growth = 30", 2, "it would be 30 times the demand", "write `\"30%\"` for 30 % more, or `\"30x\"`"),
        ("growth = 0", 2, "it is not a growth factor", "write a factor or percent: `1.3`, `\"30%\"`"),
        ("growth = -1", 2, "it is not a growth factor", "write a factor or percent"),
        ("growth = \"1,3\"", 2, "`1,3` could mean 1.3 or 13", "write `1.3`"),
        ("headroom_percent = 0.2", 4, "it could be 0.2 % or 20 %", "write `\"0.2%\"` or `\"20%\"`"),
        ("growth_percent_per_year = 0.1", 4, "it could be 0.1 % or 10 %", "`\"10%\"`"),
        ("capacity_growth_percent_per_year = 0.1", 4, "it could be 0.1 % or 10 %", "`\"10%\"`"),
        ("filesystem_overhead_percent = 0.02", 4, "it could be 0.02 % or 2 %", "`\"2%\"`"),
        ("capacity_headroom_percent = 0.15", 4, "it could be 0.15 % or 15 %", "`\"15%\"`"),
        ("indifference_percent = 0.03", 4, "it could be 0.03 % or 3 %", "`\"3%\"`"),
        ("cpu_percent = 0.8", 4, "it could be 0.8 % or 80 %", "`\"80%\"`"),
        ("headroom_percent = \"95%\"", 4, "`headroom_percent = 95` is out of range", "from 0 to 90"),
        ("headroom_percent = nan", 4, "out of range", "from 0 to 90"),
    ] {
        let errors = faults(read(key).expect_err(key));
        let is_so = errors.len() == 1 && errors[0].0 == line && errors[0].1.contains(what);
        assert!(is_so && errors[0].2.contains(hint), "{key}: {errors:?}");
    }
    for (key, growth, headroom) in [
        ("growth = 1.3", 1.3, 20.0),
        ("growth = \"30%\"", 1.3, 20.0),
        ("growth = \"0.5x\"", 0.5, 20.0),
        ("growth = \"30x\"", 30.0, 20.0),
        ("headroom_percent = \"0.2%\"", 1.0, 0.2),
        ("headroom_percent = \"20 %\"", 1.0, 20.0),
        ("headroom_percent = 0", 1.0, 0.0),
        ("headroom_percent = 1", 1.0, 1.0),
    ] {
        let (requirements, wishes) = read(key).expect(key);
        assert_eq!((requirements.growth, wishes.headroom_percent), (growth, headroom), "{key}");
    }
}

#[test]
fn processors_that_are_next_to_idle_were_measured_or_are_a_share() {
    let read = |levels: &str| {
        let text = format!("schema_version = 1\n[cpu]\nbusy_percent = {{ {levels} }}\n");
        dw_demand::read("r.toml", &text, &SHELF)
    };
    let share = "p50 = 0.2, p90 = 0.4, p99 = 0.55, max = 0.7";
    let errors = faults(read(share).unwrap_err());
    assert_eq!((errors.len(), errors[0].0), (1, 3));
    assert_eq!(errors[0].1, "`busy_percent` is at most 0.7 %, or the share 0.7 of all CPUs");
    assert!(errors[0].2.starts_with("write percent, for example `max = 70`"), "{}", errors[0].2);
    for taken in [
        &format!("{share}, from = \"measured\""),
        "p50 = 0.2, p90 = 0.4, p99 = 0.55, max = 7",
        "p50 = 0, p90 = 0, p99 = 0, max = 0",
    ] {
        assert!(read(taken).is_ok(), "{taken}");
    }
}

#[test]
fn a_machine_has_processors_and_the_memory_that_is_used() {
    let used = r#"used = { p50 = "20 GiB", p90 = "24 GiB", p99 = "28 GiB", max = "30 GiB" }"#;
    for (text, line, what) in [
        ("[cpu]\nprocessors = 0", 3, "`processors = 0`: a machine has at least one"),
        (
            &*format!("[memory]\ntotal = \"16 GiB\"\n{used}"),
            3,
            "`total = \"16 GiB\"` is less than what is in use, `used.max = \"30 GiB\"`",
        ),
    ] {
        let errors = faults(read("r.toml", &format!("schema_version = 1\n{text}\n"), &SHELF).unwrap_err());
        let found: Vec<(u64, &str)> = errors.iter().map(|e| (e.0, e.1.as_str())).collect();
        assert_eq!(found, [(line, what)], "{text}");
    }
    assert!(read("r.toml", &format!("schema_version = 1\n[memory]\ntotal = \"30 GiB\"\n{used}\n"), &SHELF).is_ok());
}

#[test]
fn a_name_that_no_volume_may_have_is_refused_at_its_line() {
    let held = "capacity = \"1 TiB\"";
    let text = format!(
        "schema_version = 1\n[[volume]]\nname = \"data\"\n{held}\n[[volume]]\n{held}\nname = \"/mnt/log\"\n\
         [[volume]]\nname = \"data.0\"\n{held}\n[[volume]]\nname = \"\\u001B[2J\"\n{held}\n[[volume]]\nname = \"data\"\n{held}\n"
    );
    let expected = [
        (7, "`name = \"/mnt/log\"` has a `/`, which separates directories", "write for example `name = \"mnt-log\"`"),
        (9, "`name = \"data.0\"` is the name of a disk of volume `data`", "write for example `name = \"data-0\"`"),
        (12, "`name = \"\\u001B[2J\"` has the control character U+001B", "write for example `name = \"[2J\"`"),
        (15, "`name = \"data\"` is also the name of volume 1", "write for example `name = \"data-5\"`"),
    ];
    let errors = faults(read_for_plan("r.toml", &text, &Shelf).unwrap_err());
    let found: Vec<(u64, &str, &str)> = errors.iter().map(|e| (e.0, e.1.as_str(), e.2.as_str())).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_file_that_is_empty_or_has_a_key_before_its_table_is_told_so() {
    for (text, line, what) in [
        ("", 1, "this file is empty"),
        ("\n \n", 1, "this file is empty"),
        ("schema_version = 1\nyears = 3\n", 2, "`years` is a key of `[plan]`, but is written above it"),
    ] {
        let errors = faults(read("r.toml", text, &SHELF).unwrap_err());
        let found: Vec<(u64, &str)> = errors.iter().map(|e| (e.0, e.1.as_str())).collect();
        assert_eq!(found, [(line, what)], "{text}");
    }
}

#[test]
fn what_is_wrong_is_told_in_words_of_the_file() {
    let check = |line: u64, volume: &str, what: &str, hint: &str| {
        let text = format!("schema_version = 1\n[[volume]]\nname = \"sdb\"\n{volume}\n");
        let errors = faults(read_for_plan("r.toml", &text, &Shelf).expect_err(volume));
        let found = (errors[0].0, errors[0].1.as_str(), errors[0].2.as_str());
        assert_eq!(found, (line, what, hint), "{volume}");
    };
    check(
        4,
        "capacity = 800",
        "`capacity = 800` is a whole number, but a string is expected",
        "write it in quotes and with its unit, for example `capacity = \"800 GiB\"`",
    );
    check(
        5,
        "capacity = \"1 TiB\"\nread_latency_max = 2",
        "`read_latency_max = 2` is a whole number, but a string is expected",
        "write it in quotes and with its unit, for example `read_latency_max = \"2 ms\"`",
    );
    check(
        4,
        "read_throughput = { p50 = \"1 MB/s\", p90 = \"1 MB/s\", p99 = \"1 MB/s\", max = 100 }",
        "`max = 100` is a whole number, but a string is expected",
        "write it in quotes and with its unit, for example `max = \"100 MB/s\"`",
    );
    check(
        4,
        "devices = 1",
        "`devices = 1` is a whole number, but a list is expected",
        "write it in brackets: `devices = [1]`",
    );
    check(
        4,
        "capacity = \"1,5 TiB\"",
        "`capacity = \"1,5 TiB\"` could mean 1.5 TiB or 15 TiB",
        "write `capacity = \"1.5 TiB\"`",
    );
    check(
        5,
        "capacity = \"1 TiB\"\nread_latency_max = \"2,50 ms\"",
        "`read_latency_max = \"2,50 ms\"` could mean 2.50 ms or 250 ms",
        "write `read_latency_max = \"2.50 ms\"`",
    );
    check(
        4,
        "random_percent = 0.9",
        "`random_percent = 0.9`: it could be 0.9 % or 90 %",
        "write `\"0.9%\"` or `\"90%\"`",
    );
    check(
        5,
        "capacity = \"1 TiB\"\nhit_curve = [{ cache = \"64 GiB\", percent = 0.6 }]",
        "`percent = 0.6`: it could be 0.6 % or 60 %",
        "write `\"0.6%\"` or `\"60%\"`",
    );
    check(
        4,
        "random_percent = \"much\"",
        "`random_percent = \"much\"`: it is not a percentage",
        "write for example `\"5%\"`",
    );
    let levels = "{ p50 = 1, p90 = 2, p99 = 3, max = 4 }";
    check(
        5,
        &format!("write_iops = {levels}\niops = {levels}"),
        "`iops` of `sdb` has no effect next to `write_iops`",
        "keep reads and writes, or only `iops`",
    );
    let rates = r#"{ p50 = "1 MB/s", p90 = "2 MB/s", p99 = "3 MB/s", max = "4 MB/s" }"#;
    check(
        4,
        &format!("throughput = {rates}\nread_throughput = {rates}\nwrite_throughput = {rates}"),
        "`throughput` of `sdb` has no effect next to `read_throughput` and `write_throughput`",
        "keep reads and writes, or only `throughput`",
    );
    check(
        4,
        "read_size = \"1 B\"",
        "`read_size = \"1 B\"` is less than a sector, which no disk supports",
        "write at least `read_size = \"512 B\"`, for example `\"8 KiB\"`",
    );
    check(
        4,
        "read_iops = 9000",
        "`read_iops = 9000` is a whole number, but a table is expected",
        "write `read_iops = { p50 = 9000, p90 = 9000, p99 = 9000, max = 9000 }`",
    );
    check(
        4,
        "throughput = \"90 MB/s\"",
        "`throughput = \"90 MB/s\"` is a string, but a table is expected",
        "write `throughput = { p50 = \"90 MB/s\", p90 = \"90 MB/s\", p99 = \"90 MB/s\", max = \"90 MB/s\" }`",
    );
    check(
        4,
        "write_latency = \"4 ms\"",
        "`write_latency = \"4 ms\"` is a string, but a table is expected",
        "write `write_latency_max = \"4 ms\"` for the mean that must be kept; `write_latency` is the measured latency, a table of \
         percentiles",
    );
    // An example that is met by any disk would silence the wish.
    for (line, example) in [
        ("write_latency_max = \"4\"", "`write_latency_max = \"4 ms\"` ("),
        ("write_size = \"32\"", "`write_size = \"32 KiB\"` ("),
        ("stripe_unit = \"64\"", "`stripe_unit = \"64 KiB\"` ("),
        ("capacity = \"750\"", "`capacity = \"750 GiB\"` ("),
    ] {
        let held = if line.starts_with("capacity") { "" } else { "capacity = \"1 TiB\"\n" };
        let text = format!("schema_version = 1\n[[volume]]\nname = \"sdb\"\n{held}{line}\n");
        let errors = faults(read_for_plan("r.toml", &text, &Shelf).expect_err(line));
        assert!(errors[0].2.contains(example), "{line}: {}", errors[0].2);
    }
    check(4, "capacaty = \"1 TiB\"", "unknown key `capacaty`", "did you mean `capacity`?");
    let of_plan = |key: &str, what: &str| {
        let text = format!("schema_version = 1\n[plan]\n{key}\n[[volume]]\nname = \"sdb\"\ncapacity = \"1 TiB\"\n");
        let errors = faults(read_for_plan("r.toml", &text, &Shelf).expect_err(key));
        assert_eq!((errors.len(), errors[0].0, errors[0].1.as_str()), (1, 3, what), "{key}");
    };
    of_plan("currency = \"XXX\"", "`currency = \"XXX\"`: the catalogue has no price in it, only in USD");
    of_plan("delivery = \"whale\"", "`delivery = \"whale\"` is not known");
    of_plan("second_hand = 3", "`second_hand = 3` is a whole number, but `true` or `false` is expected");
    of_plan("delivery_van = true", "unknown key `delivery_van`");
    of_plan("years = \"few\"", "`years = \"few\"` is a string, but a whole number is expected");
    of_plan("prices = \"1999\"", "no price in eastus is as old as 1999; the oldest is from 2017-article");
    of_plan("os = \"beos\"", "`os = \"beos\"` is not known");
    of_plan("comfort_factor = 0.5", "`comfort_factor = 0.5` is out of range");
    of_plan("nodes = 0", "`nodes = 0` is out of range");
    let held = "capacity = \"100 GiB\"";
    check(
        6,
        &format!("{held}\nrole = \"os\"\nlocal_disk = true"),
        "`local_disk = true` of an operating system, which no VM can start from its local disk",
        "leave `local_disk` out, or write another `role` if the volume is lost with the local disk",
    );
    check(
        5,
        &format!("{held}\nhost_cache = []"),
        "`host_cache = []` leaves no setting that the volume could have",
        "write `host_cache = [\"None\"]` for a volume without a host cache, or leave the key out",
    );
    for key in ["read_latency_max", "write_latency_p95_max", "read_latency_p99_max"] {
        check(
            5,
            &format!("{held}\n{key} = \"0 ms\""),
            &format!("`{key} = \"0 ms\"` is zero, and every request takes some time"),
            &format!("write the longest acceptable latency, for example `{key} = \"2 ms\"`, or omit it"),
        );
    }
    check(
        5,
        &format!("{held}\nworking_set = \"101 GiB\""),
        "`working_set = \"101 GiB\"` is more than the volume holds, `capacity = \"100 GiB\"`",
        "write the size of the data that is read repeatedly, or a larger `capacity`",
    );
    check(
        4,
        "capacity = \"0 GiB\"",
        "`capacity = \"0 GiB\"` is zero, but a volume needs a capacity",
        "did you mean `capacity = \"750 GiB\"`?",
    );
    check(
        4,
        "capacity = \"750 B\"",
        "`capacity = \"750 B\"` is less than any file system needs",
        "did you mean `capacity = \"750 GiB\"`?",
    );
    check(
        5,
        &format!("{held}\nworking_set = \"0 B\""),
        "`working_set = \"0 B\"` is zero, so that every cache serves every read",
        "write the size of the data that is read repeatedly, or omit it to plan without cache hits",
    );
    for accepted in ["working_set = \"100 GiB\"", "host_cache = []\nlocal_disk = true", "role = \"os\""] {
        let text = format!("schema_version = 1\n[[volume]]\nname = \"sdb\"\n{held}\n{accepted}\n");
        assert!(read_for_plan("r.toml", &text, &Shelf).is_ok(), "{accepted}");
    }
    let known = "write one of `hana-log`, `hana-data`, `sql-log`, `sql-data`, `etcd`";
    check(4, "kpi = 'hana'", "`kpi = \"hana\"` is not known", known);
    check(4, "disks_max = -1", "`disks_max = -1` is out of range", "write a whole number from 1 to 64");
    for (key, most) in [("years", 30), ("horizon_years", 30)] {
        let text =
            format!("schema_version = 1\n[plan]\n{key} = -1\n[[volume]]\nname = \"sdb\"\ncapacity = \"1 TiB\"\n");
        let errors = faults(read_for_plan("r.toml", &text, &Shelf).expect_err(key));
        assert_eq!(errors[0].2, format!("write a whole number from 0 to {most}"), "{key}");
    }
}
