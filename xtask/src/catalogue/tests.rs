//! The generator against a small set of CSV files and the data files they make.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use super::{generate, run};

fn fixture(folder: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/catalogue").join(folder)
}

/// A folder of its own, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Scratch {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("diskwright-catalogue-{}-{number}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }
    fn with_files_of(self, folder: &str, names: &[&str]) -> Scratch {
        for name in names {
            fs::create_dir_all(self.0.join(name).parent().unwrap()).unwrap();
            fs::copy(fixture(folder).join(name), self.0.join(name)).unwrap();
        }
        self
    }
    fn path(&self) -> String {
        self.0.to_string_lossy().into_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const CSV: [&str; 11] = [
    "vm_sizes_2017.csv",
    "vm_sizes_current.csv",
    "vm_sizes_api.csv",
    "2026/azure-v6-v7-sizes.csv",
    "disks.csv",
    "prices_disks.csv",
    "2026/azure-vm-skus-2026-08.csv",
    "2026/azure-vm-prices-2026-08.csv",
    "2026/azure-vm-prices-windows-spot-2026-08.csv",
    "2026/azure-disk-meters.csv",
    "2026/azure-vm-commitments.csv",
];
const BY_HAND: [&str; 6] = [
    "rules.toml",
    "overrides.toml",
    "pages/more-sizes.csv",
    "pages/series-features.csv",
    "pages/disk-prices.csv",
    "pages/vm-price-changes.csv",
];

#[test]
fn the_fixture_gives_the_committed_files() {
    let files = generate(&fixture("from"), &fixture("to")).unwrap();
    for (name, text) in &files {
        let committed = fs::read_to_string(fixture("to").join(name)).unwrap_or_default();
        assert_eq!(*text, committed, "{name}");
    }
    assert_eq!(files.len(), 21);
}

#[test]
fn a_second_run_changes_nothing_and_a_series_that_is_gone_is_removed() {
    let to = Scratch::new().with_files_of("to", &BY_HAND);
    let args = ["--from".to_string(), fixture("from").to_string_lossy().into_owned(), "--to".into(), to.path()];
    let read = || {
        let mut files: Vec<(PathBuf, String)> = Vec::new();
        for folder in [to.0.clone(), to.0.join("vm-sizes"), to.0.join("regions")] {
            for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file())
            {
                files.push((entry.clone(), fs::read_to_string(entry).unwrap()));
            }
        }
        files.sort();
        files
    };
    run(&args).unwrap();
    let once = read();
    fs::write(to.0.join("vm-sizes/gone.csv"), "").unwrap();
    run(&args).unwrap();
    assert_eq!(read(), once);
    assert_eq!(once.len(), 23);
}

/// One line of a CSV file is replaced; the message names file, line, column and value.
#[track_caller]
fn check(file: &str, old: &str, new: &str, expected: &str) {
    let from = Scratch::new().with_files_of("from", &CSV);
    let path = from.0.join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(old), "{old}");
    fs::write(&path, text.replacen(old, new, 1)).unwrap();
    assert_eq!(generate(&from.0, &fixture("to")).unwrap_err(), expected);
}

#[test]
fn a_bad_row_is_named_with_its_line() {
    check(
        "vm_sizes_2017.csv",
        ",51200,512,",
        ",51.2k,512,",
        "vm_sizes_2017.csv:3: column uncached_iops: `51.2k` is not a whole number",
    );
    check(
        "vm_sizes_current.csv",
        "Standard_M8ms,M,8,218.75",
        "Standard_M8ms,M,8,218.7503",
        "vm_sizes_current.csv:6: column memory_gib: `218.7503` times 1024 is not a whole number",
    );
    check(
        "2026/azure-v6-v7-sizes.csv",
        "sibling Dasv7",
        "like Dasv7",
        "azure-v6-v7-sizes.csv:2: column kind: `like Dasv7` is not `page` or `sibling SERIES`",
    );
    check("disks.csv", "MiB/s", "Mb/s", "disks.csv:7: `Mb/s` is not a unit: MB/s, MiB/s, MBps or MBps as API");
    check(
        "vm_sizes_2017.csv",
        "Standard_DS13,DS,8,",
        "Standard_DS14,DS,16,",
        "vm_sizes_2017.csv:3: Standard_DS14 occurs twice in one edition",
    );
    check("disks.csv", "standard_ssd", "standard_sdd", "disks.csv:7: no disk family `standard_sdd`");
    check(
        "vm_sizes_current.csv",
        "MicrosoftDocs/azure-compute-docs:",
        "Somewhere/else:",
        "vm_sizes_current.csv:2: no edition is known for pages of `Somewhere/else:articles/virtual-machines/sizes/general-purpose/dadsv5-series.md`: add a column `edition`",
    );
    check(
        "prices_disks.csv",
        "135.17",
        "135.17 USD",
        "prices_disks.csv:2: the price `135.17 USD` is not a number: write for example `1.5`",
    );
    check(
        "prices_disks.csv",
        "us,2015",
        "us,2014",
        "prices_disks.csv:2: no source is known for prices of `2014`: add it to rules.toml",
    );
    check(
        "2026/azure-vm-prices-2026-08.csv",
        "westeurope,Standard_D8ds_v6",
        "eastus,Standard_D8ds_v6",
        "azure-vm-prices-2026-08.csv:5: Standard_D8ds_v6 has two prices of one meter in eastus",
    );
    check(
        "2026/azure-vm-prices-2026-08.csv",
        ",agree",
        ",perhaps",
        "azure-vm-prices-2026-08.csv:3: column check: `perhaps` is not known",
    );
    check(
        "2026/azure-vm-skus-2026-08.csv",
        "V2,1,1,1,1,12800",
        "V2,1,yes,1,1,12800",
        "azure-vm-skus-2026-08.csv:2: column premium_io: `yes` is not 1 or 0",
    );
}

#[test]
fn wrong_arguments_say_what_to_write() {
    let args = |line: &str| line.split_whitespace().map(String::from).collect::<Vec<_>>();
    let cases = [
        ("", "catalogue needs --from DIR, the folder of the CSV files"),
        ("--from", "--from needs a folder"),
        ("--form x", "`--form` is not an option of catalogue: use --from DIR [--to DIR]"),
    ];
    for (line, expected) in cases {
        assert_eq!(run(&args(line)).unwrap_err(), expected);
    }
}
