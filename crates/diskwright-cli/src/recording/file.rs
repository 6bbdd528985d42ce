//! A recording in one file: the Arrow streaming format, which any data tool reads.
//!
//! A row is a device at a tick, the machine at a tick (no device), or an event of a trace (`action` is there). Batches are
//! compressed and written whole; the file has no index, so it is complete after each of them. A torn last batch is left
//! out when reading and cut off when continuing.
//!
//! Source: the Arrow columnar format, "IPC streaming format" and "encapsulated message format".
//!
//! Invariant: everything before the last whole batch is never touched again.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use arrow_array::builder::{BooleanBuilder, Int64Builder, StringBuilder, UInt8Builder, UInt64Builder};
use arrow_array::{Array, ArrayRef, BooleanArray, Int64Array, RecordBatch, StringArray, UInt8Array, UInt64Array};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::{IpcWriteOptions, StreamWriter};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use dw_error::{Error, Result};
use dw_observe::{Action, Fault, Name, Origin, Sink};
use dw_workload::Direction;

use super::fleet_counters;
use super::ticks::{DeviceLine, Event, FIELDS, Facts, Feeder, MachineLine, NAMES, Tick};
use crate::system;

/// In the schema's metadata; another layout gets another number.
const VERSION: &str = "1";
/// Begins every message of the format.
const CONTINUATION: [u8; 4] = [0xff; 4];
const MACHINE: [&str; 7] =
    ["cpu_total", "cpu_idle", "cpu_iowait", "cpu_steal", "cpus", "memory_total", "memory_available"];

fn schema(facts: &Facts) -> Schema {
    let mut fields = vec![Field::new("time_ns", DataType::Int64, false), Field::new("device", DataType::Utf8, true)];
    fields.extend(NAMES.iter().chain(&MACHINE).map(|name| Field::new(*name, DataType::UInt64, true)));
    fields.push(Field::new("action", DataType::UInt8, true));
    fields.push(Field::new("direction", DataType::UInt8, true));
    fields.push(Field::new("flush", DataType::Boolean, true));
    fields.push(Field::new("offset", DataType::UInt64, true));
    fields.push(Field::new("len", DataType::UInt64, true));
    let members: Vec<String> = facts.members.iter().map(|(v, m)| format!("{v}<{m}")).collect();
    let metadata = HashMap::from([
        ("diskwright_recording".to_string(), VERSION.to_string()),
        ("machine".to_string(), facts.machine.clone().unwrap_or_default()),
        ("kernel".to_string(), facts.kernel.clone().unwrap_or_default()),
        ("members".to_string(), members.join(" ")),
        ("every_ns".to_string(), facts.every.as_nanos().to_string()),
    ]);
    Schema::new_with_metadata(fields, metadata)
}

fn facts(schema: &Schema) -> Option<Facts> {
    let text = |key: &str| schema.metadata.get(key).filter(|v| !v.is_empty()).cloned();
    text("diskwright_recording").filter(|v| v == VERSION)?;
    let members = text("members").unwrap_or_default();
    let member = |m: &str| m.split_once('<').map(|(v, m)| (v.to_string(), m.to_string()));
    Some(Facts {
        machine: text("machine"),
        kernel: text("kernel"),
        members: members.split(' ').filter_map(member).collect(),
        every: Duration::from_nanos(text("every_ns").and_then(|n| n.parse().ok()).unwrap_or(1_000_000_000)),
    })
}

/// Columns that are being filled.
#[derive(Debug)]
struct Columns {
    time: Int64Builder,
    device: StringBuilder,
    counters: Vec<UInt64Builder>,
    action: UInt8Builder,
    direction: UInt8Builder,
    flush: BooleanBuilder,
    offset: UInt64Builder,
    len: UInt64Builder,
    rows: usize,
}

impl Columns {
    fn new() -> Columns {
        Columns {
            time: Int64Builder::new(),
            device: StringBuilder::new(),
            counters: (0..FIELDS + MACHINE.len()).map(|_| UInt64Builder::new()).collect(),
            action: UInt8Builder::new(),
            direction: UInt8Builder::new(),
            flush: BooleanBuilder::new(),
            offset: UInt64Builder::new(),
            len: UInt64Builder::new(),
            rows: 0,
        }
    }

    fn push(&mut self, at: i64, device: Option<&str>, from: usize, counters: &[Option<u64>], event: Option<&Event>) {
        self.rows += 1;
        self.time.append_value(at);
        self.device.append_option(device);
        for (i, column) in self.counters.iter_mut().enumerate() {
            column.append_option(i.checked_sub(from).and_then(|i| counters.get(i).copied().flatten()));
        }
        self.action.append_option(event.map(|e| e.action as u8));
        self.direction.append_option(event.map(|e| e.direction as u8));
        self.flush.append_option(event.map(|e| e.flush));
        self.offset.append_option(event.map(|e| e.offset));
        self.len.append_option(event.map(|e| e.len));
    }

    fn batch(&mut self, schema: &Arc<Schema>) -> Result<RecordBatch, ArrowError> {
        self.rows = 0;
        let mut columns: Vec<ArrayRef> = vec![Arc::new(self.time.finish()), Arc::new(self.device.finish())];
        columns.extend(self.counters.iter_mut().map(|c| Arc::new(c.finish()) as ArrayRef));
        columns.push(Arc::new(self.action.finish()));
        columns.push(Arc::new(self.direction.finish()));
        columns.push(Arc::new(self.flush.finish()));
        columns.push(Arc::new(self.offset.finish()));
        columns.push(Arc::new(self.len.finish()));
        RecordBatch::try_new(schema.clone(), columns)
    }
}

/// Writes a recording.
pub struct Writer {
    path: PathBuf,
    file: File,
    schema: Arc<Schema>,
    /// Encodes into memory, so that a file that is continued gets no second header.
    encoder: StreamWriter<Vec<u8>>,
    columns: Columns,
}

impl Writer {
    /// Begins a file, or continues it.
    pub fn open(path: &Path, facts: &Facts) -> Result<Writer> {
        let failure = |e: &dyn std::fmt::Display| Error::input(e.to_string()).of_file(path.display().to_string());
        let refused = |e: &std::io::Error| system::unwritable(path, "--record", e);
        let schema = Arc::new(schema(facts));
        let options = IpcWriteOptions::default()
            .try_with_compression(Some(arrow_ipc::CompressionType::LZ4_FRAME))
            .map_err(|e| failure(&e))?;
        let mut encoder = StreamWriter::try_new_with_options(Vec::new(), &schema, options).map_err(|e| failure(&e))?;
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = file.as_mut().map_err(|e| refused(e))?;
        let mut file = file.try_clone().map_err(|e| refused(&e))?;
        let size = file.metadata().map_err(|e| refused(&e))?.len();
        if size == 0 {
            let header = std::mem::take(encoder.get_mut());
            file.write_all(&header).map_err(|e| refused(&e))?;
        } else {
            let mut head = [0; CONTINUATION.len()];
            if file.read_exact(&mut head).is_err() || !is_ours(&head) {
                let hint = "name a new file, or a recording of `diskwright observe`";
                return Err(failure(&"this is not a recording that can be continued").hint(hint));
            }
            let end = whole_messages(&mut file).map_err(|e| system::unreadable(path, &e))?;
            file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end)).map(|_| ())).map_err(|e| refused(&e))?;
            encoder.get_mut().clear();
        }
        Ok(Writer { path: path.to_path_buf(), file, schema, encoder, columns: Columns::new() })
    }

    /// What it is called.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Adds a tick.
    pub fn tick(&mut self, tick: &Tick) {
        for line in &tick.devices {
            self.columns.push(tick.at, Some(&line.device), 0, &line.counters, None);
        }
        let m = &tick.machine;
        let figures =
            [m.cpu_total, m.cpu_idle, m.cpu_iowait, m.cpu_steal, m.cpus, m.memory_total, m.memory_available].map(Some);
        self.columns.push(tick.at, None, FIELDS, &figures, None);
    }

    /// Adds an event.
    pub fn event(&mut self, event: &Event) {
        self.columns.push(event.at, Some(&event.device), 0, &[], Some(event));
    }

    /// Writes what was collected.
    pub fn flush(&mut self) -> Result<()> {
        if self.columns.rows == 0 {
            return Ok(());
        }
        let unexpected =
            |e: ArrowError| Error::of(dw_error::Kind::Unexpected, e).of_file(self.path.display().to_string());
        let encoded = self.columns.batch(&self.schema).and_then(|batch| self.encoder.write(&batch)).map_err(unexpected);
        let written = encoded.and_then(|()| {
            let written = self.file.write_all(self.encoder.get_ref());
            written.map_err(|e| system::unwritable(&self.path, "--record", &e))
        });
        self.encoder.get_mut().clear();
        written
    }

    /// Writes the rest, and makes it last.
    pub fn close(&mut self) -> Result<()> {
        self.flush()?;
        self.file.sync_all().map_err(|e| system::unwritable(&self.path, "--record", &e))
    }
}

/// Whether a file that begins so is a stream of Arrow.
pub fn is_ours(head: &[u8]) -> bool {
    head.starts_with(&CONTINUATION)
}

/// Where the last whole message ends.
fn whole_messages(file: &mut File) -> std::io::Result<u64> {
    let size = file.metadata()?.len();
    let mut end = 0;
    loop {
        let mut head = [0u8; 8];
        file.seek(SeekFrom::Start(end))?;
        if end + 8 > size || file.read_exact(&mut head).is_err() || head[..4] != CONTINUATION {
            return Ok(end);
        }
        let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]);
        // Length zero ends the stream: what is continued has no end yet.
        if length == 0 || end + 8 + u64::from(length) > size {
            return Ok(end);
        }
        let mut message = vec![0u8; length as usize];
        file.read_exact(&mut message)?;
        let Ok(message) = arrow_ipc::root_as_message(&message) else { return Ok(end) };
        let body = u64::try_from(message.bodyLength()).unwrap_or(u64::MAX);
        match (end + 8 + u64::from(length)).checked_add(body) {
            Some(next) if next <= size => end = next,
            _ => return Ok(end),
        }
    }
}

/// Reads a recording into a sink; a torn end is a fault, and everything before it counts.
pub fn read(name: &str, input: impl Read, index: u32, strict: bool, sink: &mut dyn Sink) -> Result<()> {
    let foreign = |what: String| {
        let hint = "recordings of `diskwright observe --record` are read; other Arrow files are not";
        Error::input(what).hint(hint).of_file(name)
    };
    let reader = StreamReader::try_new(input, None);
    let reader = reader.map_err(|e| foreign(format!("this Arrow file cannot be read: {e}")))?;
    if fleet_counters::is_one(&reader.schema()) {
        return fleet_counters::read(name, reader, index, sink);
    }
    let Some(facts) = facts(&reader.schema()) else {
        return Err(foreign("this Arrow file is not a recording of ours".into()));
    };
    let mut feeder = Feeder::new(index, &facts, sink);
    let mut names: HashMap<String, Name> = HashMap::new();
    let mut row = 0u64;
    for batch in reader {
        let batch = match batch {
            Ok(batch) => batch,
            Err(e) => {
                let what = format!("the recording is torn after {row} rows ({e})");
                if strict {
                    return Err(Error::input(what).at(name, row));
                }
                let hint = "its recorder was killed; everything before that point is used".to_string();
                sink.fault(Origin { file: index, line: row }, Fault { what, hint });
                break;
            }
        };
        row += batch.num_rows() as u64;
        rows(&batch, &mut feeder, &mut names, sink)
            .ok_or_else(|| foreign("it does not have a recording's columns".into()))?;
    }
    Ok(())
}

fn rows(
    batch: &RecordBatch,
    feeder: &mut Feeder,
    names: &mut HashMap<String, Name>,
    sink: &mut dyn Sink,
) -> Option<()> {
    fn column<'a, T: 'static>(batch: &'a RecordBatch, name: &str) -> Option<&'a T> {
        batch.column_by_name(name)?.as_any().downcast_ref::<T>()
    }
    let time: &Int64Array = column(batch, "time_ns")?;
    let device: &StringArray = column(batch, "device")?;
    let counters: Vec<&UInt64Array> = NAMES.iter().map(|n| column(batch, n)).collect::<Option<_>>()?;
    let machine: Vec<&UInt64Array> = MACHINE.iter().map(|n| column(batch, n)).collect::<Option<_>>()?;
    let (action, direction): (&UInt8Array, &UInt8Array) = (column(batch, "action")?, column(batch, "direction")?);
    let flush: &BooleanArray = column(batch, "flush")?;
    let (offset, len): (&UInt64Array, &UInt64Array) = (column(batch, "offset")?, column(batch, "len")?);
    for i in 0..batch.num_rows() {
        let at = time.value(i);
        if device.is_null(i) {
            let figure = |c: usize| if machine[c].is_null(i) { 0 } else { machine[c].value(i) };
            let line = MachineLine {
                cpu_total: figure(0),
                cpu_idle: figure(1),
                cpu_iowait: figure(2),
                cpu_steal: figure(3),
                cpus: figure(4),
                memory_total: figure(5),
                memory_available: figure(6),
            };
            feeder.machine(at, &line, sink);
            continue;
        }
        let name = device.value(i);
        let name = names.entry(name.to_string()).or_insert_with(|| Name::from(name)).clone();
        if action.is_null(i) {
            let counters = std::array::from_fn(|c| (!counters[c].is_null(i)).then(|| counters[c].value(i)));
            feeder.device(at, &DeviceLine { device: name, counters }, sink);
        } else {
            let action = [Action::Queue, Action::Issue, Action::Complete].get(usize::from(action.value(i))).copied()?;
            let direction = Direction::ALL.get(usize::from(direction.value(i))).copied()?;
            let event = Event {
                at,
                device: name,
                action,
                direction,
                flush: flush.value(i),
                offset: offset.value(i),
                len: len.value(i),
            };
            feeder.event(&event, sink);
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use dw_observe::{CollectedReadings, Reading};

    fn facts() -> Facts {
        let members = vec![("md0".to_string(), "sda".to_string())];
        Facts { machine: Some("db1".into()), kernel: Some("6.1.0".into()), members, every: Duration::from_secs(1) }
    }

    fn tick(n: u64) -> Tick {
        let device = DeviceLine {
            device: "sda".into(),
            counters: std::array::from_fn(|i| (i < 15).then_some(n * 10 + i as u64)),
        };
        Tick {
            at: 1_000_000_000 * n as i64,
            devices: vec![device],
            machine: MachineLine { cpus: 2, cpu_total: n, ..MachineLine::default() },
        }
    }

    fn devices(path: &Path) -> (usize, usize) {
        let mut kept = CollectedReadings::default();
        read("a", File::open(path).unwrap(), 0, false, &mut kept).unwrap();
        let is_device = |r: &&(Origin, _, Reading)| matches!(r.2, Reading::DiskCounters { .. });
        (kept.readings.iter().filter(is_device).count(), kept.faults.len())
    }

    #[test]
    fn a_recording_survives_a_torn_end_and_is_continued() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.arrows");
        let mut writer = Writer::open(&path, &facts()).unwrap();
        for n in 1..=3 {
            writer.tick(&tick(n));
            writer.flush().unwrap();
        }
        drop(writer);
        assert_eq!(devices(&path), (3, 0));
        // Torn anywhere within the last batch: the ones before are read, and a new one follows them.
        let bytes = std::fs::read(&path).unwrap();
        for cut in [1, 9, 100, 300] {
            std::fs::write(&path, &bytes[..bytes.len() - cut]).unwrap();
            assert_eq!(devices(&path).0, 2, "{cut} bytes less");
            let mut writer = Writer::open(&path, &facts()).unwrap();
            writer.tick(&tick(4));
            writer.close().unwrap();
            assert_eq!(devices(&path), (3, 0), "{cut} bytes less, and continued");
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.arrows");
        let event = Event {
            at: 5,
            device: "sda".into(),
            action: Action::Complete,
            direction: Direction::Write,
            flush: true,
            offset: 4_096,
            len: 512,
        };
        let mut writer = Writer::open(&path, &facts()).unwrap();
        writer.tick(&tick(7));
        writer.event(&event);
        writer.close().unwrap();
        let (mut direct, mut read_back) = (CollectedReadings::default(), CollectedReadings::default());
        let mut feeder = Feeder::new(0, &facts(), &mut direct);
        feeder.tick(&tick(7), &mut direct);
        feeder.event(&event, &mut direct);
        read("a", File::open(&path).unwrap(), 0, true, &mut read_back).unwrap();
        assert_eq!(read_back, direct);
    }

    #[test]
    fn another_file_is_neither_read_nor_continued() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        std::fs::write(&path, "Linux 5.4.0").unwrap();
        assert!(Writer::open(&path, &facts()).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "Linux 5.4.0");
    }
}
