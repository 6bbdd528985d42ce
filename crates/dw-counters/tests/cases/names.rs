//! A column of something else taken for the names of devices: the file is refused where no machine has as many, however long it is.

use std::io::{BufReader, Read};

use dw_counters::{Options, read};
use dw_observe::{CollectedReadings, MOST_DEVICES};

/// A head, and then rows of one device after the other; without an end where `rows` is none.
struct Endless<F> {
    row: F,
    rows: Option<usize>,
    at: usize,
    ready: Vec<u8>,
}

impl<F: Fn(usize) -> String> Read for Endless<F> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        if self.ready.is_empty() && self.rows.is_none_or(|rows| self.at < rows) {
            self.ready = (self.row)(self.at).into_bytes();
            self.at += 1;
        }
        let count = self.ready.len().min(into.len());
        into[..count].copy_from_slice(&self.ready[..count]);
        self.ready.drain(..count);
        Ok(count)
    }
}

/// What is said of a recording that names one device more in each row.
fn said(head: &str, row: &dyn Fn(usize) -> String, rows: Option<usize>) -> String {
    let endless = Endless { row, rows, at: 0, ready: head.as_bytes().to_vec() };
    let mut kept = CollectedReadings::default();
    match read(BufReader::new(endless), &Options { name: "x", ..Options::default() }, &mut kept) {
        Ok(_) => format!("{} faults", kept.faults.len()),
        Err(error) => error.to_string(),
    }
}

#[test]
fn more_names_than_any_machine_has_are_refused_with_their_column() {
    type Row = Box<dyn Fn(usize) -> String>;
    let cases: [(&str, Row, &str); 8] = [
        ("Device tps kB_read/s kB_wrtn/s kB_read kB_wrtn\n", Box::new(|n| format!("sd{n} 1 2 3 4 5\n")), "`Device`"),
        ("", Box::new(|n| format!("8 {n} sd{n} 1 2 3 4 5 6 7 8 9 10 11\n")), "third column"),
        (
            "TIME(s) COMM PID DISK T SECTOR BYTES QUE(ms) LAT(ms)\n",
            Box::new(|n| format!("{n}.0 dd 7 {n} R 8 4096 0.01 0.5\n")),
            "`DISK`",
        ),
        ("", Box::new(|n| format!("8,{n} 1 1 0.000000001 7 Q R 8 + 8 [dd]\n")), "`major,minor`"),
        ("fio version 3 iolog\n", Box::new(|n| format!("{n} /data/{n} read 0 4096\n")), "files of the entries"),
        (
            "# hostname;interval;timestamp;DEV;tps;rkB/s;wkB/s\n",
            Box::new(|n| format!("db;1;2026-11-22 13:17:17 UTC;sd{n};1;2;3\n")),
            "`DEV`",
        ),
        (
            "DateTime,num_of_reads,num_of_writes,physical_name\n",
            Box::new(|n| format!("2026-11-22 13:17:17,1,2,/data/{n}/a.mdf\n")),
            "paths of the files",
        ),
        (
            "{\"data\":{\"resultType\":\"matrix\",\"result\":[\n",
            Box::new(|n| {
                let metric = format!("{{\"__name__\":\"node_disk_reads_completed_total\",\"device\":\"sd{n}\"}}");
                format!("{{\"metric\":{metric},\"values\":[[1710493200,\"1\"]]}},\n")
            }),
            "label `device`",
        ),
    ];
    for (head, row, column) in cases {
        let refused = said(head, &row, None);
        let expected = format!("more than {MOST_DEVICES} devices on one machine: one more is");
        assert!(refused.contains(&expected) && refused.contains(column), "{head}{}: {refused}", row(0));
        let fits = said(head, &row, Some(MOST_DEVICES));
        assert!(!fits.contains("more than"), "{head}{}: {fits}", row(0));
    }
}

#[test]
fn each_machine_of_a_file_may_have_so_many() {
    let half = MOST_DEVICES / 2 + 1;
    let row = |n: usize| format!("db{};1;2026-11-22 13:17:17 UTC;sd{n};1;2;3\n", n / half);
    let found = said("# hostname;interval;timestamp;DEV;tps;rkB/s;wkB/s\n", &row, Some(4 * half));
    assert_eq!(found, "3 faults", "one for each change of the machine");
}
