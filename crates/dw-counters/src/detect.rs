//! Which format a file is, from what it begins with.
//!
//! Text is judged by the first line that only one tool writes, with or without what a pipe put before it; lines that no tool
//! writes (prompts, comments of a person) are passed over. Binary files are judged by their magic. A file that cannot be read here, but by a tool that can write one
//! that can, is refused with that tool's line.

use super::CounterError;
use super::error::shown;
use super::input::{strip_escapes, words};
use super::number::{decimal, whole};
use super::prefix::Prefix;
use super::stamp::leading_time;
use super::{awr, azure_csv, bsd_iostat, cloudwatch_csv, device_ids, dstat, fio_log, perfmon_samples, sql_files};

/// What can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// iostat's text, every layout.
    IostatText,
    /// `iostat -o JSON` and `sadf -j`.
    SysstatJson,
    /// iostat of macOS and of the BSDs.
    BsdIostat,
    /// sar's text.
    Sar,
    /// `sadf -d`.
    Sadf,
    Vmstat,
    /// dstat, dool and `pcp dstat`, as text and as CSV.
    Dstat,
    /// Which device is which volume: `lsblk -o NAME,SERIAL`, `nvme list`, `nvme id-ctrl`.
    DeviceIds,
    /// Copies of `/proc/diskstats`.
    Diskstats,
    /// Windows performance counters as CSV or TSV (`typeperf`, `logman`, `relog`), or what `Get-Counter` prints.
    Perfmon,
    /// `sys.dm_io_virtual_file_stats` of SQL Server as CSV.
    SqlFiles,
    /// Reports of Oracle's AWR and Statspack as text.
    Awr,
    /// `az monitor metrics list`, and tables of a log workspace.
    AzureMonitor,
    /// `aws cloudwatch get-metric-data` and `get-metric-statistics`, graphs of its console, metric streams.
    CloudWatch,
    /// `query_range` of Prometheus.
    Prometheus,
    /// blkparse's text.
    Blkparse,
    /// What blktrace writes.
    Blktrace,
    /// Block events of tracefs.
    Tracefs,
    /// biosnoop of bcc.
    Biosnoop,
    /// `write_iolog` of fio.
    FioIolog,
    /// `write_bw_log`, `write_iops_log` and `write_lat_log` of fio.
    FioLog,
}

impl Format {
    /// All, in the order of the guide.
    pub const ALL: [Format; 21] = [
        Format::IostatText,
        Format::SysstatJson,
        Format::BsdIostat,
        Format::Sar,
        Format::Sadf,
        Format::Vmstat,
        Format::Dstat,
        Format::Diskstats,
        Format::DeviceIds,
        Format::Perfmon,
        Format::SqlFiles,
        Format::Awr,
        Format::AzureMonitor,
        Format::CloudWatch,
        Format::Prometheus,
        Format::Blkparse,
        Format::Blktrace,
        Format::Tracefs,
        Format::Biosnoop,
        Format::FioIolog,
        Format::FioLog,
    ];

    /// As people call it.
    pub fn name(self) -> &'static str {
        match self {
            Format::IostatText => "iostat",
            Format::SysstatJson => "sysstat JSON",
            Format::BsdIostat => "iostat of macOS and BSD",
            Format::Sar => "sar",
            Format::Sadf => "sadf -d",
            Format::Vmstat => "vmstat",
            Format::Dstat => "dstat",
            Format::Diskstats => "diskstats",
            Format::DeviceIds => "lsblk and nvme",
            Format::Perfmon => "PerfMon",
            Format::SqlFiles => "SQL Server file statistics",
            Format::Awr => "Oracle AWR",
            Format::AzureMonitor => "Azure Monitor",
            Format::CloudWatch => "CloudWatch",
            Format::Prometheus => "Prometheus",
            Format::Blkparse => "blkparse",
            Format::Blktrace => "blktrace",
            Format::Tracefs => "tracefs",
            Format::Biosnoop => "biosnoop",
            Format::FioIolog => "fio iolog",
            Format::FioLog => "fio log",
        }
    }
}

impl Format {
    /// Where its devices have their names, for sentences.
    pub(super) fn device_column(self) -> &'static str {
        match self {
            Format::IostatText => "column `Device`",
            Format::SysstatJson => "`disk_device`, or `disk-device` of sadf",
            Format::BsdIostat => "the line above `KB/t tps MB/s`",
            Format::Sar | Format::Sadf => "column `DEV`",
            Format::Vmstat => "the first column of `vmstat -d`",
            Format::Dstat => "the heads `dsk/NAME` and `io/NAME`",
            Format::DeviceIds => "the first column",
            Format::Diskstats => "the third column, behind `major minor`",
            Format::Perfmon => "the instances of PhysicalDisk and LogicalDisk",
            Format::SqlFiles => "the paths of the files",
            Format::Awr => "column `Filename` of `File IO Stats`",
            Format::AzureMonitor => "LUNs and names of resources",
            Format::CloudWatch => "ids of volumes in labels, queries and names of files",
            Format::Prometheus => "label `device`",
            Format::Blkparse => "the first column, `major,minor`",
            Format::Blktrace => "the records' device numbers",
            Format::Tracefs => "the word behind the event, `major,minor`",
            Format::Biosnoop => "column `DISK`",
            Format::FioIolog => "the files of the entries",
            Format::FioLog => "the name of the log",
        }
    }
}

/// Whether a file that begins so has no figures, and names the devices of others.
pub fn is_of_names(head: &[u8]) -> bool {
    matches!(text(head, ""), Ok((Format::DeviceIds, _)))
}

/// What is said of a file that another program has made smaller, and how to get it back: the same for whatever reads it.
pub fn compressed(head: &[u8], file: &str) -> Option<(&'static str, String)> {
    let (_, what, program) = [
        (&b"\x1f\x8b"[..], "this file is compressed with gzip", "gunzip -k"),
        (b"\x28\xb5\x2f\xfd", "this file is compressed with zstd", "unzstd"),
        (b"\xfd7zXZ", "this file is compressed with xz", "unxz -k"),
        (b"BZh", "this file is compressed with bzip2", "bunzip2 -k"),
        (b"PK\x03\x04", "this is a ZIP archive", "unzip"),
    ]
    .into_iter()
    .find(|(magic, ..)| head.starts_with(magic))?;
    Some((what, format!("{program} {file}")))
}

/// What a binary file is, when its beginning says so.
pub(super) fn binary(head: &[u8], file: &str) -> Result<Option<Format>, CounterError> {
    let refuse = |what: &str, hint: String| Err(CounterError { file: file.into(), line: 1, what: what.into(), hint });
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    if let Some(magic) = head.first_chunk::<4>()
        && [u32::from_le_bytes(*magic), u32::from_be_bytes(*magic)].iter().any(|m| m >> 8 == 0x0065_6174)
    {
        return Ok(Some(Format::Blktrace));
    }
    let lower = file.to_ascii_lowercase();
    let named = |end: &str| lower.ends_with(end);
    let text = !head.iter().take(512).any(|b| matches!(b, 0..=8 | 14..=26 | 28..=31)) || head.starts_with(b"\xff\xfe");
    if named(".blg") && !head.starts_with(b"\"(PDH-") || is_blg(head) {
        // A log that was given another name is not written over.
        let to = if named(".csv") { "-counters.csv" } else { ".csv" };
        return refuse(
            "this is a binary log of Windows performance counters",
            format!("on Windows: relog \"{file}\" -f CSV -o \"{stem}{to}\""),
        );
    }
    if head.starts_with(b"\x96\xd5") || head.starts_with(b"\xd5\x96") {
        return refuse(
            "this is a binary file of sar",
            format!("on the machine it is from: sadf -j {file} -- -dbru -q > {file}.json"),
        );
    }
    if head.starts_with(b"PK\x03\x04") && named(".xlsx") {
        return refuse("this is a workbook of Excel", "save its sheet as CSV, or download the metrics as JSON".into());
    }
    if let Some((what, hint)) = compressed(head, file) {
        return refuse(what, hint);
    }
    if head.starts_with(b"\x17\x08Dtracing") {
        return refuse("this is a recording of trace-cmd", format!("trace-cmd report -i {file} > {stem}.txt"));
    }
    if head.starts_with(b"PERFILE2") {
        return refuse("this is a recording of perf", format!("perf script -i {file} > {stem}.txt"));
    }
    if named(".etl") && !text || is_windows_trace(head) {
        return refuse(
            "this is a recording of Windows events",
            "only counters are supported: record them with `typeperf` or `logman`, as in the guide".into(),
        );
    }
    Ok(None)
}

/// A binary performance log is a trace whose records begin with `BL` and their type, or whose header names such a file.
fn is_blg(head: &[u8]) -> bool {
    let record = |kind: u8| memchr::memmem::find(head, &[b'B', b'L', kind, 0]).is_some();
    let records = head.contains(&0) && !head.starts_with(b"\xff\xfe") && (record(1) || record(2));
    records || is_windows_trace(head) && memchr::memmem::find(head, b".\0b\0l\0g\0").is_some()
}

/// A trace of Windows begins with a buffer's header of 72 bytes, and in it with a system header of version 2.
fn is_windows_trace(head: &[u8]) -> bool {
    matches!(head.get(72..76), Some([2, 0, 1 | 2, 0xc0])) && head.starts_with(&[0, 0])
}

/// What a text is, and what a pipe put before its lines.
pub(super) fn text(head: &[u8], file: &str) -> Result<(Format, Option<Prefix>), CounterError> {
    let start = head.trim_ascii_start();
    if start.is_empty() {
        return Err(CounterError {
            file: file.into(),
            line: 1,
            what: "this file is empty".into(),
            hint: "was the recorder stopped before its first report?".into(),
        });
    }
    // A clock in brackets may stand before every line, and a prompt before the command: `[root@db1 ~]# dstat`.
    let is_list = || start[1..].trim_ascii_start().first().is_none_or(|b| b"{[]\"".contains(b));
    if start[0] == b'{' || start[0] == b'[' && is_list() {
        return json(start, file).map(|format| (format, None));
    }
    if dstat::is_csv(start) {
        return Ok((Format::Dstat, None));
    }
    if cloudwatch_csv::is_console(start) {
        return Ok((Format::CloudWatch, None));
    }
    if azure_csv::is_azure(start) {
        return Ok((Format::AzureMonitor, None));
    }
    if fio_log::is_log(start) {
        return Ok((Format::FioLog, None));
    }
    let refuse =
        |what: &str, hint: &str| Err(CounterError { file: file.into(), line: 1, what: what.into(), hint: hint.into() });
    let first = head.split(|&b| b == b'\n').find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
    let tables = "`sadf -d` or `sadf -j` with the same options writes the same as tables";
    // Before the lines are judged: those of other tables look like sar's.
    if of_sadf_p(first) {
        return refuse("this is `sadf -p`, with one value per line, which is not supported", tables);
    }
    if of_sadf_r(first) {
        return refuse("this is `sadf -r`, with raw counters, which is not supported", tables);
    }
    let mut plain = Vec::new();
    // Captures of several tools: what has disks is read, not what comes first.
    let mut without_disks: Option<(Format, Option<Prefix>)> = None;
    for line in head.split(|&b| b == b'\n').take(2000) {
        plain.clear();
        plain.extend_from_slice(line.trim_ascii_end());
        strip_escapes(&mut plain);
        // sar's own clock is not a prefix: without it nothing is left that is known.
        if let Some((prefix, length)) = Prefix::parse(&plain)
            && let Some(format) = of_line(&plain[length..])
            && !matches!(format, Format::Tracefs | Format::Perfmon | Format::SqlFiles | Format::Sadf | Format::FioIolog)
        {
            if has_disks(format, &plain[length..], without_disks.is_some()) {
                return Ok((format, Some(prefix)));
            }
            without_disks.get_or_insert((format, Some(prefix)));
            continue;
        }
        if let Some(format) = of_line(&plain) {
            if has_disks(format, &plain, without_disks.is_some()) {
                return Ok((format, None));
            }
            without_disks.get_or_insert((format, None));
        }
    }
    if let Some(found) = without_disks {
        return Ok(found);
    }
    if first.starts_with(b"# HELP ") || first.starts_with(b"# TYPE ") {
        return refuse(
            "this is a single scrape of a Prometheus exporter, which has no interval",
            "query Prometheus for the relevant period: `query_range` of `node_disk_reads_completed_total` and the others",
        );
    }
    if first.starts_with(b"System activity data file:") || first.starts_with(b"File created by sar/sadc") {
        return refuse(
            "this is `sadf -H`, only the header of a sar file",
            "`sadf -j FILE -- -dbru` writes its samples",
        );
    }
    let is_html = start.get(..5).is_some_and(|tag| tag.eq_ignore_ascii_case(b"<html"));
    if is_html && memchr::memmem::find(head, b"AWR Report").is_some() {
        return refuse(
            "this is an AWR report as HTML, which is not supported",
            "write it as text: `awrrpt.sql` with report type `text`",
        );
    }
    let of_aws: [&[u8]; 5] = [b"METRICDATARESULTS", b"MetricDataResults:", b"DATAPOINTS", b"Datapoints:", b"Label: "];
    if of_aws.into_iter().any(|word| first.starts_with(word)) {
        return refuse("this is what `aws cloudwatch` prints as text or YAML", "record it again with `--output json`");
    }
    if start.starts_with(b"<?xml") {
        return refuse("XML is not read", "`sadf -j` writes the same as JSON");
    }
    for (word, system) in [("SunOS ", "Solaris"), ("HP-UX ", "HP-UX"), ("AIX ", "AIX"), ("Darwin ", "macOS")] {
        if first.starts_with(word.as_bytes()) {
            return refuse(
                &format!("this is a recording of {system}, which is not read"),
                "only Linux and Windows are supported; convert traces of other systems to fio iologs",
            );
        }
    }
    if first.starts_with(b"Linux ") {
        return refuse(
            "this has sysstat's banner but no table of disks, CPUs or memory",
            "record with `iostat -xyt 1`, or print them: `sar -dbru -f FILE`",
        );
    }
    let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
    Err(CounterError {
        file: file.into(),
        line: 1,
        what: format!("no known recording begins with `{}`", shown(first)),
        hint: format!("what is read: {}", names.join(", ")),
    })
}

/// Whether a recording of this format that begins with this line has disks, as far as the line tells; `after` another that has none
/// only a table of devices is searched for.
fn has_disks(format: Format, line: &[u8], after: bool) -> bool {
    let first = words(line).next().unwrap_or_default();
    let is_table = matches!(first, b"Device" | b"Device:") || line.trim_ascii_end().ends_with(b" Device");
    match format {
        Format::IostatText => !after || is_table,
        // `mpstat` looks like the table of processors of sar; vmstat counts the machine as a whole.
        Format::Sar | Format::Vmstat => false,
        _ => !after,
    }
}

fn json(head: &[u8], file: &str) -> Result<Format, CounterError> {
    let has = |key: &str| memchr::memmem::find(head, key.as_bytes()).is_some();
    if has("\"sysstat\"") {
        Ok(Format::SysstatJson)
    } else if ["\"MetricDataResults\"", "\"MetricStat\"", "\"Datapoints\"", "\"metric_stream_name\""]
        .into_iter()
        .any(has)
        || has("\"metric_name\"") && has("\"dimensions\"")
    {
        Ok(Format::CloudWatch)
    } else if device_ids::is_json(head) {
        Ok(Format::DeviceIds)
    } else if has("\"resultType\"") || has("\"metric\"") && has("\"values\"") {
        Ok(Format::Prometheus)
    } else if has("\"timeseries\"")
        || has("\"metricdefinitions\"")
        || has("\"resourceregion\"")
        || has("\"namespace\"")
        || has("\"metricName\"")
        || has("\"MetricName\"")
        || has("\"CounterName\"")
        || has("\"tables\"") && has("\"rows\"")
        || has("\"Namespace\"") && has("\"Val\"")
    {
        Ok(Format::AzureMonitor)
    } else {
        Err(CounterError {
            file: file.into(),
            line: 1,
            what: format!("no known recording is JSON that begins with `{}`", shown(&head[..head.len().min(60)])),
            hint: "supported: `iostat -o JSON`, `sadf -j`, `az monitor metrics list`, `aws cloudwatch get-metric-data`, `query_range` of Prometheus"
                .into(),
        })
    }
}

fn of_line(line: &[u8]) -> Option<Format> {
    if line.starts_with(b"\"(PDH-CSV") || line.starts_with(b"\"(PDH-TSV") || line.starts_with(b"(PDH-CSV") {
        return Some(Format::Perfmon);
    }
    if perfmon_samples::is_exported(line) || perfmon_samples::is_printed(line) {
        return Some(Format::Perfmon);
    }
    if device_ids::is_listing(line) {
        return Some(Format::DeviceIds);
    }
    if bsd_iostat::is_header(line) {
        return Some(Format::BsdIostat);
    }
    if sql_files::is_header(line) {
        return Some(Format::SqlFiles);
    }
    if awr::is_title(line) {
        return Some(Format::Awr);
    }
    if line.starts_with(b"# hostname;interval;timestamp") {
        return Some(Format::Sadf);
    }
    if line.starts_with(b"fio version 2 iolog") || line.starts_with(b"fio version 3 iolog") {
        return Some(Format::FioIolog);
    }
    if dstat::is_header(line) {
        return Some(Format::Dstat);
    }
    let words: Vec<&[u8]> = words(line).take(12).collect();
    let &[first, second, ..] = words.as_slice() else { return None };
    let has = |word: &str| words.contains(&word.as_bytes());
    if matches!(first, b"Device" | b"Device:" | b"avg-cpu:") || matches!(words.last(), Some(&b"Device" | &b"Device:")) {
        return Some(Format::IostatText);
    }
    if matches!(first, b"procs" | b"--procs--" | b"disk-") || first.starts_with(b"procs-") || has("swpd") && has("si") {
        return Some(Format::Vmstat);
    }
    if has("COMM") && has("DISK") && (has("SECTOR") || has("T")) {
        return Some(Format::Biosnoop);
    }
    if line.starts_with(b"# tracer:") || memchr::memmem::find(line, b": block_rq_").is_some() {
        return Some(Format::Tracefs);
    }
    if first.contains(&b',')
        && words.len() >= 7
        && is_device_number(first)
        && whole(second).is_some()
        && decimal(words[3]).is_some()
    {
        return Some(Format::Blkparse);
    }
    if words.len() >= 7
        && words.iter().enumerate().all(|(i, w)| i == 2 || whole(w).is_some())
        && whole(words[2]).is_none()
    {
        return Some(Format::Diskstats);
    }
    let texts: Vec<&str> = words.iter().take(5).map(|word| std::str::from_utf8(word).unwrap_or_default()).collect();
    let (clock, behind) = leading_time(&texts).map_or((false, 0), |(_, count)| (true, count));
    let sar =
        ["CPU", "tps", "DEV", "kbmemfree", "%memused", "runq-sz", "pgpgin/s", "proc/s", "pswpin/s", "IFACE", "INTR"];
    let heads = clock && words[behind..].iter().take(2).any(|w| sar.iter().any(|s| s.as_bytes() == *w));
    (heads || clock && words.last().is_some_and(|w| *w == b"DEV")).then_some(Format::Sar)
}

/// `host 600 2026-11-21 16:22:38 UTC all %user 95.48`, parted by tabs, or a restart before it
fn of_sadf_p(line: &[u8]) -> bool {
    let cells: Vec<&[u8]> = line.split(|&b| b == b'\t').collect();
    let restart = matches!(cells.as_slice(), [_, b"-1", _, mark, ..] if mark.starts_with(b"LINUX-RESTART"));
    restart
        || matches!(cells.as_slice(), [_, interval, _, _, _, value] if whole(interval).is_some() && decimal(value.trim_ascii()).is_some())
}

/// `13:20:19 UTC; CPU; -1; %user; 96005; 96538;`, or `# uptime_cs; 719255; ust_time; ...` before it
fn of_sadf_r(line: &[u8]) -> bool {
    let mut cells = line.split(|&b| b == b';');
    let first = cells.next().unwrap_or_default();
    let clock = first.len() >= 8 && first[0].is_ascii_digit() && first[2] == b':' && first[5] == b':';
    first == b"# uptime_cs" || clock && cells.next().is_some_and(|cell| cell.starts_with(b" "))
}

/// `259,0`
fn is_device_number(word: &[u8]) -> bool {
    let mut parts = word.split(|&b| b == b',');
    let two = parts.next().and_then(whole).is_some() && parts.next().and_then(whole).is_some();
    two && parts.next().is_none()
}
