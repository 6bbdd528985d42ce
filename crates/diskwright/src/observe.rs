//! Recordings in, what every volume is asked out.

use std::io::{BufRead, Read as _};

use dw_counters::{self as counters, CounterMap, DateOrder};
use dw_demand::{Requirements, VendorKeys};
use dw_documents::checklist::ChecklistDocument;
use dw_error::{Error, Named, Notice, Result};
use dw_observe::{Observation, Recorder, RecorderOptions, Settings, Sink};
use dw_report::Piece;

use crate::session::Session;
use crate::text;

pub mod document;
pub mod order;

/// Readings that are kept as they are, some 130 bytes each; of longer recordings the older ones are folded.
pub const READINGS: usize = 1 << 19;
/// How many damaged lines are reported one by one.
const FAULTS: usize = 5;

/// A recording: `iostat`, `sar`, `/proc/diskstats`, Windows counters and whatever else [`counters`] reads.
#[derive(Clone, Copy, Debug)]
pub struct Recording<'a> {
    /// What messages and documents call it; without bytes, what the session's files call it.
    pub name: &'a str,
    /// What is in it; absent = the session opens the file of that name.
    pub bytes: Option<&'a [u8]>,
}

impl<'a> Recording<'a> {
    /// By its bytes.
    pub fn from_bytes(name: &'a str, bytes: &'a [u8]) -> Recording<'a> {
        Recording { name, bytes: Some(bytes) }
    }

    /// By its name among the session's files.
    pub fn file(name: &'a str) -> Recording<'a> {
        Recording { name, bytes: None }
    }
}

/// What is not in a recording; the default knows nothing.
#[derive(Clone, Debug, Default)]
pub struct ObserveOptions {
    /// Volumes, windows, growth.
    pub settings: Settings,
    /// Intervals and times of files that do not say them.
    pub recorder: RecorderOptions,
    /// The first damaged line is an error.
    pub strict: bool,
    /// How dates are written, where they do not say.
    pub dates: Option<DateOrder>,
    /// Names of Windows counters in a language that is not known here.
    pub counter_map: Option<CounterMap>,
}

/// An observation with the names of its recordings.
#[derive(Clone, Debug)]
pub struct ObservationOutcome {
    /// Every volume, window and figure, with where each is from.
    pub observation: Observation,
    /// What the recordings are called.
    pub names: Vec<String>,
}

impl ObservationOutcome {
    /// The checklist, as `observe --format json` prints it.
    pub fn checklist(&self) -> ChecklistDocument {
        document::document(&self.observation, &self.names)
    }

    /// The same where nothing else is made of them.
    pub fn into_checklist(self) -> ChecklistDocument {
        document::into_document(self.observation, &self.names)
    }

    /// The keys of `[plan]` of the vendor whose monitor recorded it; of a recording that is no vendor's, those of requirements that name none.
    pub fn vendor_keys(&self) -> &'static VendorKeys {
        let tools = self.observation.sources.iter().map(|source| source.tool.as_str());
        let vendor = dw_catalogue::vendor_of_tools(tools).and_then(|vendor| dw_catalogue::vendor_keys(vendor.id()));
        vendor.unwrap_or(&dw_catalogue::PLAN_KEYS)
    }

    /// The checklist as a piece of a report.
    pub fn piece(&self, name: &str) -> Result<Piece> {
        Piece::new(name, self.checklist().into())
            .ok_or_else(|| Error::unexpected("the checklist is not a document of a report"))
    }

    /// The window that is planned for: the one that is named, the peak of several, else the whole recording.
    ///
    /// # Errors
    /// Of kind `Usage` where there are several and none is the peak.
    pub fn planned_window(&self) -> Result<&str> {
        let named = &self.observation.windows[1..];
        match named.iter().find(|window| window.name == "peak").map_or(named, std::slice::from_ref) {
            [] => Ok("whole"),
            [window] => Ok(&window.name),
            several => {
                let names: Vec<String> = several.iter().map(|window| format!("`{}`", window.name)).collect();
                Err(Error::usage(format!("which window should be planned for? There are {}", names.join(", ")))
                    .hint("call it `peak`, or remove the others"))
            }
        }
    }

    /// What a plan must meet, of one window.
    ///
    /// # Errors
    /// Of kind `Usage` where there is no such window, of kind `Input` where no interval lies in it.
    ///
    /// ```
    /// use diskwright::{Catalogue, ObserveOptions, Recording, Session, error::Kind};
    /// let iostat = b"2026-11-23T12:00:00+0000\n\
    ///     Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn\nsdc 900.00 4000.00 400.00 40000 4000\n\n\
    ///     2026-11-23T12:00:10+0000\n\
    ///     Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn\nsdc 1000.00 5000.00 500.00 50000 5000\n";
    /// let session = Session::new(Catalogue::embedded().clone());
    /// let observed = session.observe(&[Recording::from_bytes("iostat.txt", iostat)], &ObserveOptions::default())?;
    /// let error = observed.requirements("lunch").unwrap_err();
    /// assert_eq!((error.kind, error.hint.as_str()), (Kind::Usage, "its windows are whole"));
    /// # Ok::<(), diskwright::Error>(())
    /// ```
    pub fn requirements(&self, window: &str) -> Result<Requirements> {
        let requirements = self.observation.requirements(window).ok_or_else(|| {
            let known: Vec<&str> = self.observation.windows.iter().map(|window| window.name.as_str()).collect();
            let hint = format!("its windows are {}", known.join(", "));
            Error::usage(format!("unknown window `{window}`")).hint(hint)
        })?;
        if let Some(recorded) = self.observation.volumes.first().filter(|all| all.is_empty_in(window)) {
            let (axis, points) = (recorded.series.axis, recorded.series.means());
            let from = points.first().map_or(0, |point| point.at.saturating_sub(point.span.ns() as i64));
            let to = points.last().map_or(0, |point| point.at);
            let what = format!(
                "window `{window}` contains no interval of the recording ({} to {})",
                axis.print(from),
                axis.print(to)
            );
            return Err(Error::input(what).hint("name a window within it").of_file(self.names.join(", ")));
        }
        Ok(requirements)
    }
}

impl Session {
    /// What recordings say of the machine that they are of. Files that continue each other may be named in any order.
    ///
    /// # Errors
    /// Of kind `Input` where a recording cannot be read or says nothing of any disk, with its name and line.
    ///
    /// ```
    /// use diskwright::{Catalogue, ObserveOptions, Recording, Session};
    /// let iostat = b"2026-11-23T12:00:00+0000\n\
    ///     Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn\nsdc 900.00 4000.00 400.00 40000 4000\n\n\
    ///     2026-11-23T12:00:10+0000\n\
    ///     Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn\nsdc 1000.00 5000.00 500.00 50000 5000\n";
    /// let session = Session::new(Catalogue::embedded().clone());
    /// let observed = session.observe(&[Recording::from_bytes("iostat.txt", iostat)], &ObserveOptions::default())?;
    /// assert_eq!(observed.checklist().volumes[0].devices, ["sdc"]);
    /// # Ok::<(), diskwright::Error>(())
    /// ```
    pub fn observe(&self, recordings: &[Recording], options: &ObserveOptions) -> Result<ObservationOutcome> {
        self.step("observe", || self.all(recordings, options))
    }

    fn all(&self, recordings: &[Recording], options: &ObserveOptions) -> Result<ObservationOutcome> {
        let read = |recorder: &mut Recorder| self.record(recordings, options, recorder);
        let recorder = Recorder::read_by(options.recorder, &options.settings, READINGS, read)?;
        let names = recordings.iter().map(|recording| recording.name.to_string()).collect();
        self.observed(recorder, names, &options.settings)
    }

    /// What comes of readings that a caller recorded by itself; `names` are those of its files.
    pub fn observed(&self, recorder: Recorder, names: Vec<String>, settings: &Settings) -> Result<ObservationOutcome> {
        self.say_faults(&names, &recorder);
        let observation =
            dw_observe::observe(recorder, settings).map_err(|e| Error::from(e).of_file(names.join(", ")))?;
        Ok(ObservationOutcome { observation, names })
    }

    /// Reads recordings into a recorder of the caller's, or whatever else takes readings.
    ///
    /// # Errors
    /// Of kind `Input` where one cannot be read, with its name and line.
    pub fn record(&self, recordings: &[Recording], options: &ObserveOptions, sink: &mut dyn Sink) -> Result<()> {
        // A trace is a file for each processor: together they are one.
        let (traces, single): (Vec<_>, Vec<_>) =
            recordings.iter().zip(0u32..).partition(|(recording, _)| recording.name.contains(".blktrace."));
        let single: Vec<(&Recording, u32)> =
            if traces.len() > 1 { single } else { recordings.iter().zip(0u32..).collect() };
        if traces.len() > 1 {
            let mut files: Vec<(counters::Options<'_>, Box<dyn BufRead + '_>)> = Vec::new();
            for (recording, index) in &traces {
                files.push((of_file(options, recording.name, *index), self.open(recording)?));
            }
            counters::read_blktrace(files, sink)?;
        }
        let mut heads = Vec::new();
        for (recording, index) in single.iter().filter(|_| single.len() > 1) {
            let mut head = Vec::new();
            let read = self.open(recording)?.take(order::BEGINNING).read_to_end(&mut head);
            read.map_err(|e| text::unreadable(recording.name, &e))?;
            heads.push((*index, head, of_file(options, recording.name, *index)));
        }
        let places = if heads.is_empty() { single.iter().map(|one| one.1).collect() } else { order::by_time(&heads) };
        for index in places {
            self.go_on()?;
            let recording = &recordings[index as usize];
            counters::read(self.open(recording)?, &of_file(options, recording.name, index), sink)?;
        }
        Ok(())
    }

    fn open<'a>(&'a self, recording: &Recording<'a>) -> Result<Box<dyn BufRead + 'a>> {
        match recording.bytes {
            Some(bytes) => Ok(Box::new(bytes)),
            None => self.files().open(recording.name).map_err(|e| text::unreadable(recording.name, &e)),
        }
    }

    /// Tells the observer of the first damaged lines that a recorder was given, in their places.
    pub fn say_faults(&self, names: &[String], recorder: &Recorder) {
        let (count, first) = recorder.faults();
        for (origin, fault) in first.iter().take(FAULTS) {
            let name = names.get(origin.file as usize).map_or("?", String::as_str);
            self.observer().notice(&Notice::at(name, origin.line, &fault.what, &fault.hint));
        }
        if count > FAULTS as u64 {
            let more = count - FAULTS as u64;
            let what = format!("{more} more damaged lines; `{{strict}}` fails on the first");
            self.observer().notice(&Notice::new(what, "").naming(&[Named::new("strict")]));
        }
    }
}

/// All machines are read: which there are is part of the message when the one that is asked for is not.
fn of_file<'a>(options: &'a ObserveOptions, name: &'a str, file: u32) -> counters::Options<'a> {
    counters::Options {
        name,
        file,
        strict: options.strict,
        dates: options.dates,
        counter_map: options.counter_map.as_ref(),
        ..counters::Options::default()
    }
}
