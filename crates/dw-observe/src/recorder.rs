//! Takes readings as they come and keeps them by source and device; what can be judged in passing is judged here.
//!
//! A source is one tool on one machine: several files of the same tool continue each other, files of different tools
//! stand side by side. A reading belongs to the source of its file, which the file's first facts name.
//!
//! Ignores: RAM disks, compressed memory and drives for media, which are no storage of a plan.
//!
//! Invariant: every reading is kept, or counted as evidence for why it was not.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::damaged::Damaged;
use super::folding;
use super::past::Folding;
use super::sample::*;
use super::settings::Settings;
use super::source::{RecorderOptions, Source};
use super::windows::WindowPlacement;

/// Readings that wait for their file to name its tool; a file that never does has none.
const EARLY: usize = 64;
/// Damaged lines that are shown; all are counted.
const FAULTS_SHOWN: usize = 20;

/// Of the readings that a bounded recorder may keep, one in so many is kept to the end.
const END: usize = 8;

/// Keeps what importers read.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    pub(crate) options: RecorderOptions,
    pub(crate) sources: Vec<Source>,
    /// Tool of each file, once it has said so.
    tools: BTreeMap<u32, Name>,
    /// Names of devices that say what they are, by those that say where they are.
    called: BTreeMap<Name, Name>,
    early: Vec<(Origin, Common, Reading)>,
    pub(crate) faults: Vec<(Origin, Fault)>,
    /// All of them, without what is wrong.
    damaged: Arc<Damaged>,
    pub(crate) fault_count: u64,
    pub(crate) readings: u64,
    pub(crate) folding: Option<Folding>,
    /// Readings since the last folding, and those that it left.
    kept: usize,
    /// Folding is not tried with fewer: what it left last time may be there to stay.
    fold_from: usize,
}

impl Recorder {
    /// Empty.
    pub fn new(options: RecorderOptions) -> Recorder {
        Recorder { options, ..Recorder::default() }
    }
    /// Empty, and in bounded memory: of more than `most` readings the older ones are folded into the figures that these
    /// settings ask for.
    pub fn bounded(options: RecorderOptions, settings: &Settings, most: usize) -> Recorder {
        let folding = Some(Folding { settings: settings.clone(), most, placed: None });
        Recorder { options, folding, ..Recorder::default() }
    }
    /// In bounded memory, with what `read` takes. It is called again where windows by load can only be placed when all is known.
    ///
    /// # Errors
    /// What `read` fails with.
    pub fn read_by<E>(
        options: RecorderOptions,
        settings: &Settings,
        most: usize,
        mut read: impl FnMut(&mut Recorder) -> Result<(), E>,
    ) -> Result<Recorder, E> {
        let mut recorder = Recorder::bounded(options, settings, most);
        read(&mut recorder)?;
        if let Some(mut second) = recorder.second_reading() {
            read(&mut second)?;
            return Ok(second);
        }
        Ok(recorder)
    }
    /// Another one for the same files, when windows by load can only be placed now that all is known; this one is of no
    /// more use then.
    pub fn second_reading(&mut self) -> Option<Recorder> {
        let folding =
            self.folding.as_ref().filter(|f| f.placed.is_none() && WindowPlacement::by_load(&f.settings.windows))?;
        let folding = folding.clone();
        // The rows since the last folding have a load like the others.
        self.fold_rest(|_| Some(i64::MAX));
        let folded = self.sources.iter().filter_map(|s| s.past.as_ref());
        let past = folded.min_by_key(|past| past.interval.0)?;
        let folding = Some(Folding { placed: Some(past.placed.clone().settled()), ..folding });
        Some(Recorder { options: self.options, folding, ..Recorder::default() })
    }
    /// Of sources that were folded the rest except for its end, which tools are compared by: what is folded is joined volume by volume, and
    /// not for all at once.
    pub(crate) fn fold_most(&mut self) {
        let most = self.folding.as_ref().map_or(0, |folding| folding.most);
        self.fold_rest(|source| source.begin_of_last(most / END));
    }
    /// Of sources that were folded what is before `cut`, too.
    fn fold_rest(&mut self, cut: impl Fn(&Source) -> Option<i64>) {
        let Some(folding) = &self.folding else { return };
        for source in self.sources.iter_mut().filter(|source| source.past.is_some()) {
            if let Some(cut) = cut(source) {
                folding::fold_before(cut, source, folding, self.options.every);
            }
        }
    }
    /// The machines that were named, in order.
    pub fn machines(&self) -> Vec<Name> {
        let mut names: Vec<Name> = self.sources.iter().filter_map(|s| s.machine.clone()).collect();
        names.sort();
        names.dedup();
        names
    }
    /// Damaged lines: how many, and the first of them.
    pub fn faults(&self) -> (u64, &[(Origin, Fault)]) {
        (self.fault_count, &self.faults)
    }
    /// How many readings were taken.
    pub fn readings(&self) -> u64 {
        self.readings
    }

    /// What a file said before its tool is that tool's.
    pub(crate) fn release(&mut self) {
        for (origin, common, reading) in std::mem::take(&mut self.early) {
            self.keep(origin, common, reading);
        }
    }

    fn source(&mut self, file: u32, machine: Option<&Name>) -> &mut Source {
        let tool = self.tools.get(&file);
        let is_of_tool = |s: &Source| s.tool.as_ref() == tool;
        let fits = |s: &Source| {
            let machine_fits = s.machine.as_ref() == machine || (machine.is_none() && s.files.contains(&file));
            is_of_tool(s) && machine_fits
        };
        // What a file said before it named its machine is that machine's.
        let unnamed = |s: &Source| is_of_tool(s) && s.machine.is_none() && s.files == [file];
        // A file without a name goes on where the only machine of its tool stopped: the rest of a file that was cut.
        let only = || {
            let mut of_tool = self.sources.iter().enumerate().filter(|(_, s)| tool.is_some() && is_of_tool(s));
            of_tool.next().filter(|_| machine.is_none() && of_tool.next().is_none()).map(|(at, _)| at)
        };
        let at = self.sources.iter().position(fits).or_else(|| self.sources.iter().position(unnamed)).or_else(only);
        let at = at.unwrap_or_else(|| {
            self.sources.push(Source::new(tool.cloned()));
            self.sources.len() - 1
        });
        let source = &mut self.sources[at];
        if source.machine.is_none() {
            source.machine = machine.cloned();
        }
        if !source.files.contains(&file) {
            source.files.push(file);
        }
        source
    }
}

impl Sink for Recorder {
    fn take(&mut self, origin: Origin, common: Common, reading: Reading) {
        if let Reading::Fact(Fact::Called { device, name }) = reading {
            self.called.insert(device, name);
            return;
        }
        self.readings += 1;
        if let Reading::Fact(Fact::Tool(tool)) = reading {
            self.tools.insert(origin.file, tool);
            self.release();
        } else if !self.tools.contains_key(&origin.file) && self.early.len() < EARLY {
            self.early.push((origin, common, reading));
        } else {
            self.release();
            self.keep(origin, common, reading);
        }
    }

    fn grown(&mut self, origin: Origin, common: &Common, (device, role): (&Name, Role), growth: &DiskGrowth) {
        if common.machine.is_none() || !self.early.is_empty() || !self.tools.contains_key(&origin.file) {
            let reading = Reading::DiskGrowth { device: device.clone(), role, growth: *growth };
            return self.take(origin, common.clone(), reading);
        }
        let called = self.called(device);
        let device = called.as_ref().unwrap_or(device);
        self.readings += 1;
        self.make_room();
        let options = self.options;
        self.source(origin.file, common.machine.as_ref()).grown(origin, common, &options, (device, role), growth);
    }

    fn fault(&mut self, origin: Origin, fault: Fault) {
        self.fault_count += 1;
        Arc::make_mut(&mut self.damaged).add(origin);
        if self.faults.len() < FAULTS_SHOWN {
            self.faults.push((origin, fault));
        }
    }
}

impl Recorder {
    fn keep(&mut self, origin: Origin, common: Common, reading: Reading) {
        self.make_room();
        self.put(origin, common, reading);
    }

    /// For one more reading.
    fn make_room(&mut self) {
        let due = self.is_fold_due();
        self.kept += 1;
        if due {
            self.mark_damaged();
        }
        if let Some(folding) = self.folding.as_ref().filter(|_| due) {
            self.sources.iter_mut().for_each(|source| folding::fold(source, folding, self.options.every));
            self.kept = self.sources.iter().map(Source::kept).sum();
            // Some recordings cannot be folded. Each try looks at every row: they must double before the next one.
            self.fold_from = self.kept.saturating_mul(2);
        }
    }

    /// Tells sources of their damaged lines.
    pub(crate) fn mark_damaged(&mut self) {
        self.sources.iter_mut().for_each(|source| source.damaged = self.damaged.clone());
    }

    /// Whether the next reading is one too many.
    fn is_fold_due(&self) -> bool {
        self.folding.as_ref().is_some_and(|f| self.kept >= f.most.max(self.fold_from))
    }

    /// What a device is called, or a part of one: `nvme1n1p1` is a part of what `nvme1n1` is.
    fn called(&self, device: &Name) -> Option<Name> {
        if self.called.is_empty() {
            return None;
        }
        let part = || {
            let (disk, number) = device.rsplit_once('p').filter(|(_, n)| n.bytes().all(|b| b.is_ascii_digit()))?;
            Some(format!("{}-part{number}", self.called.get(disk)?).into())
        };
        self.called.get(device).cloned().or_else(part)
    }

    fn put(&mut self, origin: Origin, mut common: Common, mut reading: Reading) {
        let device = match &mut reading {
            Reading::Disk { device, .. } | Reading::DiskCounters { device, .. } => Some(device),
            Reading::DiskGrowth { device, .. } | Reading::Io { device, .. } => Some(device),
            Reading::Consumed { device, .. } | Reading::LatencyBucket { device, .. } => device.as_mut(),
            _ => None,
        };
        if let Some(device) = device
            && let Some(name) = self.called(device)
        {
            *device = name;
        }
        let options = self.options;
        let source = self.source(origin.file, common.machine.as_ref());
        if let Reading::Fact(fact) = reading {
            source.fact(origin, fact);
            return;
        }
        // The rest of a file that was cut has no banner, and so no name: its first report is an interval like the others.
        if common.machine.is_none() && source.machine.is_some() && source.files.first() != Some(&origin.file) {
            common.span = Span::Interval;
        }
        source.take(origin, &common, reading, &options);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volumes::VolumeChoice;

    /// How often folding was tried in `n` seconds of `sda` with 10 rows to keep, and the rows that are left.
    fn folded(tool: &str, volume: Option<&str>, n: u32) -> (usize, usize) {
        let volumes: Vec<VolumeChoice> = volume.iter().map(|v| v.parse().unwrap()).collect();
        let settings = Settings { volumes, ..Settings::default() };
        let mut recorder = Recorder::bounded(RecorderOptions::default(), &settings, 10);
        let report = |index| Common::at(Stamp::Report { index });
        recorder.take(Origin::default(), report(0), Reading::Fact(Fact::Tool(tool.into())));
        let mut tries = 0;
        for i in 1..=u64::from(n) {
            tries += usize::from(recorder.is_fold_due());
            let disk = DiskInterval { reads_per_s: Some(1.0), ..DiskInterval::default() };
            recorder.take(
                Origin::default(),
                report(i),
                Reading::Disk { device: "sda".into(), role: Role::Unknown, disk },
            );
        }
        (tries, recorder.sources.iter().map(Source::kept).sum())
    }

    #[test]
    fn what_cannot_be_folded_is_seldom_tried() {
        let (tries, left) = folded("iostat", None, 1_000);
        assert!((80..=100).contains(&tries) && left <= 11, "{tries} {left}");
        // The rows double between tries: 10, 20, 40 ... 640.
        let (tries, left) = folded("iostat", Some("data=sdz"), 1_000);
        assert_eq!(left, 1_000);
        assert!((1..=8).contains(&tries), "{tries}");
    }
}
