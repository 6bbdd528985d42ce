//! The options of one section as fio holds them, and how each option changes them.
//!
//! Options are applied one after the other, as fio does: the defaults, the command line, every `[global]` above, the
//! section itself. Some write the same field (`direct` and `buffered`, `rwmixread` and `rwmixwrite`, `bsrange` and
//! `bssplit`), so the order matters; values of single directions leave the others as they were.
//!
//! Never here: what the fields mean for a workload; that is `build.rs`.

use std::collections::BTreeMap;

use dw_messages::{Sentence, say};
use dw_workload::{Direction, Distribution, PerDirection};

use super::option_table::{OptionInfo, Treatment};
use super::report::{Place, WarningKind};
use super::split::{self, Split};
use super::typed::{self, Value};
use super::value::{Amount, Fault, Reading};

/// Where and how an option was written last.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub place: Place,
    /// `option=value` as written, after substitution.
    pub text: String,
}

/// A doubt about one option, to which the caller adds the place.
pub(crate) type Note = (WarningKind, Sentence, String);

/// The base directions of `rw`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RwKind {
    Only(Direction),
    ReadWrite,
    TrimWrite,
}

/// A path of `filename=`, with `directory=` as it stood at that moment in front.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NamedFile {
    pub path: String,
    pub place: Place,
    pub text: String,
}

#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub reading: Reading,
    /// Every option that was written for this section, by canonical name.
    pub given: BTreeMap<&'static str, Given>,

    pub name: Option<String>,
    pub description: Option<String>,
    pub wait_for: Option<String>,

    pub directory: Option<String>,
    pub filename_format: Option<String>,
    pub named_files: Vec<NamedFile>,
    pub nr_files: u64,
    pub open_files: u64,
    pub file_service: (&'static str, u64),

    pub rw: RwKind,
    pub random: bool,
    pub random_every: u64,
    pub gap: i64,
    pub identical: bool,
    pub rwmixread: u8,
    pub engine: String,
    pub iodepth: u64,
    pub batch: u64,
    pub batch_complete_min: u64,
    pub batch_complete_max: u64,
    pub depth_low: u64,
    pub offload: bool,
    pub serialize_overlap: bool,

    pub size: Option<Amount>,
    pub io_size: Option<Amount>,
    pub filesize: Option<(u64, u64)>,
    pub offset: Amount,
    pub offset_increment: Amount,
    pub offset_align: Option<u64>,
    pub number_ios: u64,
    pub loops: u64,

    pub bs: PerDirection<u64>,
    pub bs_limits: PerDirection<Option<(u64, u64)>>,
    pub bssplit: PerDirection<Option<Split>>,
    pub ba: PerDirection<Option<u64>>,
    pub bs_unaligned: bool,
    pub bs_is_seq_rand: bool,

    pub norandommap: bool,
    pub lfsr: bool,
    pub distribution: Distribution,
    pub percentage_random: PerDirection<u64>,
    pub randrepeat: bool,
    pub randseed: Option<u64>,
    pub zonemode: Option<&'static str>,
    pub zonesize: u64,
    pub zonerange: u64,
    pub zoneskip: u64,

    pub rate: PerDirection<u64>,
    pub rate_iops: PerDirection<u64>,
    pub rate_min: PerDirection<u64>,
    pub rate_iops_min: PerDirection<u64>,
    pub poisson: bool,
    pub rate_cycle_ms: u64,
    pub rate_ignore_thinktime: bool,
    pub thinktime: u64,
    pub thinktime_spin: u64,
    pub thinktime_blocks: u64,
    pub thinktime_at_issue: bool,
    pub thinktime_iotime: u64,

    pub fsync: u64,
    pub fdatasync: u64,
    pub sync_each: bool,
    pub sync_at_end: (bool, bool),
    pub direct: bool,
    pub verify: bool,
    pub do_verify: bool,
    pub verify_only: bool,
    pub verify_backlog: u64,
    pub verify_batch: u64,
    /// fio's bits: one below zero is a large one.
    pub flow: u64,
    pub flow_id: u64,
    pub flow_sleep: u64,
    /// Bytes instead of I/Os, slope instead of deviation, limit, in percent.
    pub steady: (bool, bool, f64, bool),
    pub steady_duration: u64,
    pub steady_ramp: u64,

    pub numjobs: u64,
    pub startdelay: (u64, u64),
    pub runtime: u64,
    pub time_based: bool,
    pub ramp_time: u64,
    pub exitall: bool,
    pub exit_what: &'static str,
    pub stonewall: bool,
    pub new_group: bool,
    pub group_reporting: bool,
    pub stats: bool,

    pub clat_percentiles: bool,
    pub lat_percentiles: bool,
    pub slat_percentiles: bool,
    pub percentiles: Option<Vec<f64>>,
    pub disable_lat: bool,
    pub disable_clat: bool,
    pub disable_slat: bool,
    pub unified: &'static str,
}

impl Default for Settings {
    /// fio 3.33's defaults.
    fn default() -> Self {
        Settings {
            reading: Reading::default(),
            given: BTreeMap::new(),
            name: None,
            description: None,
            wait_for: None,
            directory: None,
            filename_format: None,
            named_files: Vec::new(),
            nr_files: 1,
            open_files: 0,
            file_service: ("roundrobin", 1),
            rw: RwKind::Only(Direction::Read),
            random: false,
            random_every: 1,
            gap: 0,
            identical: false,
            rwmixread: 50,
            engine: "psync".into(),
            iodepth: 1,
            batch: 1,
            batch_complete_min: 1,
            batch_complete_max: 0,
            depth_low: 0,
            offload: false,
            serialize_overlap: false,
            size: None,
            io_size: None,
            filesize: None,
            offset: Amount::Bytes(0),
            offset_increment: Amount::Bytes(0),
            offset_align: None,
            number_ios: 0,
            loops: 1,
            bs: PerDirection::all(4_096),
            bs_limits: PerDirection::all(None),
            bssplit: PerDirection::all(None),
            ba: PerDirection::all(None),
            bs_unaligned: false,
            bs_is_seq_rand: false,
            norandommap: false,
            lfsr: false,
            distribution: Distribution::Uniform,
            percentage_random: PerDirection::all(100),
            randrepeat: true,
            randseed: None,
            zonemode: None,
            zonesize: 0,
            zonerange: 0,
            zoneskip: 0,
            rate: PerDirection::all(0),
            rate_iops: PerDirection::all(0),
            rate_min: PerDirection::all(0),
            rate_iops_min: PerDirection::all(0),
            poisson: false,
            rate_cycle_ms: 1_000,
            rate_ignore_thinktime: false,
            thinktime: 0,
            thinktime_spin: 0,
            thinktime_blocks: 1,
            thinktime_at_issue: false,
            thinktime_iotime: 0,
            fsync: 0,
            fdatasync: 0,
            sync_each: false,
            sync_at_end: (false, false),
            direct: false,
            verify: false,
            do_verify: true,
            verify_only: false,
            verify_backlog: 0,
            verify_batch: 0,
            flow: 0,
            flow_id: 0,
            flow_sleep: 0,
            steady: (false, true, 0.01, true),
            steady_duration: 0,
            steady_ramp: 0,
            numjobs: 1,
            startdelay: (0, 0),
            runtime: 0,
            time_based: false,
            ramp_time: 0,
            exitall: false,
            exit_what: "group",
            stonewall: false,
            new_group: false,
            group_reporting: false,
            stats: true,
            clat_percentiles: true,
            lat_percentiles: false,
            slat_percentiles: false,
            percentiles: None,
            disable_lat: false,
            disable_clat: false,
            disable_slat: false,
            unified: "none",
        }
    }
}

impl Settings {
    /// Was this option written for this section?
    pub fn is_set(&self, name: &str) -> bool {
        self.given.contains_key(name)
    }

    /// Reads the value of `option` and changes what it changes.
    pub fn apply(
        &mut self,
        option: &'static OptionInfo,
        text: Option<&str>,
        given: Given,
        notes: &mut Vec<Note>,
    ) -> Result<(), Fault> {
        let value = typed::read(option, text, &self.reading)?;
        match &option.treatment {
            Treatment::Gone => return Err(Fault::new("is deprecated, and fio refuses it", "remove the line")),
            Treatment::Unless { harmless, reason } if !is_harmless(&value, harmless) => {
                return Err(refused(option.name, harmless, reason));
            }
            Treatment::Model => self.set(option.name, value, &given, notes)?,
            _ => {}
        }
        if option.name == "verify_pattern" && !self.is_set("verify") {
            self.verify = true;
        }
        self.given.insert(option.name, given);
        Ok(())
    }

    fn set(&mut self, name: &'static str, value: Value, given: &Given, notes: &mut Vec<Note>) -> Result<(), Fault> {
        match value {
            Value::Text(text) => self.set_text(name, text, given, notes)?,
            Value::Word(word, rest) => self.set_word(name, word, rest)?,
            Value::Number(n) => self.set_number(name, n),
            Value::Amount(amount) => self.set_amount(name, amount)?,
            Value::Pair(low, high) if name == "filesize" => self.filesize = Some((low, high)),
            Value::Pair(low, high) => self.startdelay = (low, high),
            Value::Flag(on) => self.set_flag(name, on, notes),
            Value::Floats(list) => self.percentiles = Some(percentiles(list)?),
            Value::Directions(values) => self.set_directions(name, values),
            Value::Ranges(ranges) => {
                for direction in Direction::ALL {
                    if let Some(range) = ranges.get(direction) {
                        *self.bs_limits.get_mut(direction) = Some(*range);
                    }
                }
            }
        }
        Ok(())
    }

    fn set_text(&mut self, name: &str, text: &str, given: &Given, notes: &mut Vec<Note>) -> Result<(), Fault> {
        match name {
            "name" => self.name = Some(text.into()),
            "description" => self.description = Some(text.into()),
            "wait_for" => self.wait_for = Some(text.into()),
            "directory" => self.directory = Some(text.into()),
            "filename_format" => self.filename_format = Some(text.into()),
            "ioengine" => self.engine = text.into(),
            "filename" => self.add_files(text.trim_start(), given),
            "bssplit" => self.set_bssplit(text, notes)?,
            _ => {}
        }
        Ok(())
    }

    fn add_files(&mut self, text: &str, given: &Given) {
        if self.named_files.is_empty() {
            self.nr_files = 0;
        }
        let folder = self.directory.as_deref().and_then(|d| split_names(d).into_iter().next());
        for name in split_names(text) {
            let path = folder.as_ref().map_or(name.clone(), |folder| format!("{folder}/{name}"));
            self.named_files.push(NamedFile { path, place: given.place.clone(), text: given.text.clone() });
            self.nr_files += 1;
        }
    }

    fn set_bssplit(&mut self, text: &str, notes: &mut Vec<Note>) -> Result<(), Fault> {
        let splits = split::bssplit(text, &self.reading)?;
        if text.contains('-') {
            let hint = "write an entry for each size, for example `bssplit=4k/50:8k/50`, or `bsrange=4k-8k`";
            notes.push((WarningKind::NotARange, say!(JobSplitRange), hint.into()));
        }
        for direction in Direction::ALL {
            let Some(split) = splits.get(direction) else { continue };
            let sizes = || split.iter().map(|entry| entry.0);
            *self.bs_limits.get_mut(direction) = sizes().min().zip(sizes().max());
            let (drawn, changed) = split::effective(split);
            if changed && !notes.iter().any(|note| note.0 == WarningKind::SplitSum) {
                let issued: Vec<_> = drawn.iter().map(|(size, percent)| format!("{size} bytes {percent} %")).collect();
                notes.push((WarningKind::SplitSum, say!(JobSplitSum { issued }), "make them add up to 100".into()));
            }
            *self.bssplit.get_mut(direction) = Some(split.clone());
        }
        Ok(())
    }

    fn set_word(&mut self, name: &str, word: &'static str, rest: Option<&str>) -> Result<(), Fault> {
        match name {
            "rw" => return self.set_rw(word, rest),
            "random_distribution" => self.distribution = distribution(word, rest, &self.reading)?,
            "file_service_type" => {
                let every = match rest {
                    Some(rest) if matches!(word, "random" | "roundrobin" | "sequential") => {
                        rest.parse::<u32>().ok().filter(|n| *n > 0).ok_or_else(|| {
                            Fault::new(
                                format!("has `{rest}` where a number of I/Os is expected"),
                                format!("write `{word}:8` or `{word}`"),
                            )
                        })?
                    }
                    _ => 1,
                };
                self.file_service = (word, u64::from(every));
            }
            "random_generator" => self.lfsr = word == "lfsr",
            "rw_sequencer" => self.identical = word == "identical",
            "io_submit_mode" => self.offload = word == "offload",
            "zonemode" => self.zonemode = Some(word),
            "rate_process" => self.poisson = word == "poisson",
            "thinktime_blocks_type" => self.thinktime_at_issue = word == "issue",
            "sync" => self.sync_each = !matches!(word, "none" | "0"),
            "exit_what" => self.exit_what = word,
            "unified_rw_reporting" => self.unified = word,
            "kb_base" => self.reading.kb_base = if word == "1000" { 1_000 } else { 1_024 },
            "verify" => self.verify = word != "0",
            "steadystate" => self.steady = steady(word, rest, &self.reading)?,
            _ => {}
        }
        Ok(())
    }

    fn set_rw(&mut self, word: &str, rest: Option<&str>) -> Result<(), Fault> {
        let random = word.starts_with("rand");
        let kind = match word.strip_prefix("rand").unwrap_or(word) {
            "read" => RwKind::Only(Direction::Read),
            "write" => RwKind::Only(Direction::Write),
            "trim" => RwKind::Only(Direction::Trim),
            "trimwrite" => RwKind::TrimWrite,
            _ => RwKind::ReadWrite,
        };
        let (mut every, mut gap) = (1, 0);
        if let Some(rest) = rest {
            if random {
                every = rest.trim().parse::<u32>().ok().filter(|n| *n > 0).map(u64::from).ok_or_else(|| {
                    Fault::new(
                        format!("has `{rest}` where a number of I/Os is expected"),
                        format!("write `rw={word}:8` for a new random offset every 8 I/Os"),
                    )
                })?;
            } else {
                let (negative, digits) = rest.strip_prefix('-').map_or((false, rest), |r| (true, r));
                let size = self.reading.number(digits).ok().and_then(|n| i64::try_from(n).ok()).ok_or_else(|| {
                    Fault::new(
                        format!("has `{rest}` where a size is expected"),
                        format!("write `rw={word}:8k` to skip 8 KiB after each I/O"),
                    )
                })?;
                gap = if negative { -size } else { size };
            }
        }
        (self.rw, self.random, self.random_every, self.gap) = (kind, random, every, gap);
        Ok(())
    }

    fn set_number(&mut self, name: &str, n: u64) {
        let field = match name {
            "iodepth" => &mut self.iodepth,
            "iodepth_batch" => &mut self.batch,
            "iodepth_batch_complete_min" => &mut self.batch_complete_min,
            "iodepth_batch_complete_max" => &mut self.batch_complete_max,
            "iodepth_low" => &mut self.depth_low,
            "nrfiles" => &mut self.nr_files,
            "openfiles" => &mut self.open_files,
            "number_ios" => &mut self.number_ios,
            "loops" => &mut self.loops,
            "numjobs" => &mut self.numjobs,
            "runtime" => &mut self.runtime,
            "ramp_time" => &mut self.ramp_time,
            "zonesize" => &mut self.zonesize,
            "zonerange" => &mut self.zonerange,
            "thinktime" => &mut self.thinktime,
            "thinktime_spin" => &mut self.thinktime_spin,
            "thinktime_blocks" => &mut self.thinktime_blocks,
            "thinktime_iotime" => &mut self.thinktime_iotime,
            "rate_cycle" => &mut self.rate_cycle_ms,
            "fsync" => &mut self.fsync,
            "verify_backlog" => &mut self.verify_backlog,
            "verify_backlog_batch" => &mut self.verify_batch,
            "flow" => &mut self.flow,
            "flow_id" => &mut self.flow_id,
            "flow_sleep" => &mut self.flow_sleep,
            "steadystate_duration" => &mut self.steady_duration,
            "steadystate_ramp_time" => &mut self.steady_ramp,
            "fdatasync" => &mut self.fdatasync,
            "offset_align" => self.offset_align.insert(0),
            "randseed" => self.randseed.insert(0),
            "rwmixread" => return self.rwmixread = n as u8,
            "rwmixwrite" => return self.rwmixread = 100 - n as u8,
            _ => return,
        };
        *field = n;
    }

    fn set_amount(&mut self, name: &str, amount: Amount) -> Result<(), Fault> {
        // fio keeps 0 % and "not given" in the same place.
        let given = Some(amount).filter(|a| !matches!(a, Amount::Bytes(0) | Amount::Percent(0)));
        match (name, amount) {
            ("size", _) => self.size = given,
            ("io_size", _) => self.io_size = given,
            ("offset", _) => self.offset = amount,
            ("offset_increment", _) => self.offset_increment = amount,
            ("zoneskip", Amount::Bytes(n)) => self.zoneskip = n,
            _ => return Err(Fault::new("cannot be a percentage", "write a size, for example `1g`")),
        }
        Ok(())
    }

    fn set_flag(&mut self, name: &str, on: bool, notes: &mut Vec<Note>) {
        let field = match name {
            "bs_unaligned" => &mut self.bs_unaligned,
            "bs_is_seq_rand" => &mut self.bs_is_seq_rand,
            "serialize_overlap" => &mut self.serialize_overlap,
            "norandommap" => &mut self.norandommap,
            "randrepeat" => &mut self.randrepeat,
            "direct" => &mut self.direct,
            "time_based" => &mut self.time_based,
            "rate_ignore_thinktime" => &mut self.rate_ignore_thinktime,
            "end_fsync" => &mut self.sync_at_end.0,
            "fsync_on_close" => &mut self.sync_at_end.1,
            "do_verify" => &mut self.do_verify,
            "verify_only" => &mut self.verify_only,
            "stonewall" => &mut self.stonewall,
            "new_group" => &mut self.new_group,
            "group_reporting" => &mut self.group_reporting,
            "stats" => &mut self.stats,
            "clat_percentiles" => &mut self.clat_percentiles,
            "lat_percentiles" => &mut self.lat_percentiles,
            "slat_percentiles" => &mut self.slat_percentiles,
            "disable_lat" => &mut self.disable_lat,
            "disable_clat" => &mut self.disable_clat,
            "disable_slat" => &mut self.disable_slat,
            "buffered" => return self.direct = !on,
            "gtod_reduce" if on => {
                (self.disable_lat, self.disable_clat, self.disable_slat) = (true, true, true);
                (self.clat_percentiles, self.lat_percentiles, self.slat_percentiles) = (false, false, false);
                return;
            }
            "exitall" => {
                // fio does not look at the value.
                if !on {
                    notes.push((WarningKind::ExitAllZero, say!(JobExitAll), "remove the line".into()));
                }
                return self.exitall = true;
            }
            _ => return,
        };
        *field = on;
    }

    fn set_directions(&mut self, name: &str, values: PerDirection<Option<u64>>) {
        if name == "ba" {
            for direction in Direction::ALL {
                if let Some(value) = values.get(direction) {
                    *self.ba.get_mut(direction) = Some(*value);
                }
            }
            return;
        }
        let field = match name {
            "bs" => &mut self.bs,
            "rate" => &mut self.rate,
            "rate_min" => &mut self.rate_min,
            "rate_iops" => &mut self.rate_iops,
            "rate_iops_min" => &mut self.rate_iops_min,
            "percentage_random" => &mut self.percentage_random,
            _ => return,
        };
        for direction in Direction::ALL {
            if let Some(value) = values.get(direction) {
                *field.get_mut(direction) = *value;
            }
        }
    }
}

/// Splits at colons, except those after a backslash; empty names are skipped.
pub(crate) fn split_names(text: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.peek() == Some(&':') => {
                names.last_mut().unwrap_or(&mut String::new()).push(chars.next().unwrap_or(':'))
            }
            ':' => names.push(String::new()),
            c => names.last_mut().unwrap_or(&mut String::new()).push(c),
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

fn percentiles(mut list: Vec<f64>) -> Result<Vec<f64>, Fault> {
    if list.len() > 20 {
        return Err(Fault::new("has more than 20 percentiles, of which fio drops the rest", "remove some"));
    }
    if let Some(wrong) = list.iter().find(|p| !(0.0..=100.0).contains(*p)) {
        return Err(Fault::new(
            format!("has {wrong}, which is not from 0 to 100"),
            "write percentages, for example `50:99:99.9`",
        ));
    }
    list.sort_by(f64::total_cmp);
    list.retain(|p| *p > 0.0);
    list.dedup();
    Ok(list)
}

/// `iops:0.5%`, `bw_slope:10m`: what is to be steady, and the limit.
fn steady(word: &str, rest: Option<&str>, reading: &Reading) -> Result<(bool, bool, f64, bool), Fault> {
    let (bytes, slope) = (word.starts_with("bw"), word.ends_with("_slope"));
    let Some(limit) = rest else {
        return Err(Fault::new("has no limit, and fio refuses it", format!("write for example `{word}:0.5%`")));
    };
    let percent = limit.trim_end().ends_with('%');
    let digits = limit.trim().trim_end_matches('%').trim_end();
    let value = if bytes && !percent { reading.number(digits).ok().map(|n| n as f64) } else { digits.parse().ok() };
    match value.filter(|n: &f64| n.is_finite() && *n >= 0.0) {
        Some(value) => Ok((bytes, slope, value, percent)),
        None => Err(Fault::new(
            format!("has `{limit}` where a limit is expected"),
            format!("write for example `{word}:0.5%`"),
        )),
    }
}

fn distribution(word: &str, rest: Option<&str>, reading: &Reading) -> Result<Distribution, Fault> {
    if let "zoned" | "zoned_abs" = word {
        let zones = rest.ok_or_else(|| Fault::new("has no zones", "write for example `zoned:60/10:40/90`"))?;
        return split::zones(zones, reading, word == "zoned_abs");
    }
    let numbers = rest.map(|rest| reading.floats(rest)).transpose()?.unwrap_or_default();
    let center = numbers.get(1).copied();
    if center.is_some_and(|c| !(0.0..=1.0).contains(&c)) {
        return Err(Fault::new("has a centre that is not from 0 to 1", format!("write for example `{word}:1.2:0.5`")));
    }
    let value = numbers.first().copied();
    match word {
        "zipf" => match value.unwrap_or(1.1) {
            1.0 => Err(Fault::new(
                "has the exponent 1, which fio's generator cannot draw",
                "write another exponent, for example `zipf:0.99` or `zipf:1.1`",
            )),
            theta if theta < 0.0 => Err(Fault::new("has a negative exponent", "write for example `zipf:1.2`")),
            theta => Ok(Distribution::Zipf { theta, center }),
        },
        "pareto" => match value.unwrap_or(0.2) {
            h if h > 0.0 && h < 1.0 => Ok(Distribution::Pareto { h, center }),
            _ => Err(Fault::new("has a parameter that is not between 0 and 1", "write for example `pareto:0.2`")),
        },
        "normal" => match value.unwrap_or(0.0) {
            percent if (0.0..100.0).contains(&percent) => Ok(Distribution::Normal { percent, center }),
            _ => Err(Fault::new(
                "has a deviation that is not from 0 to below 100 percent",
                "write for example `normal:20`",
            )),
        },
        _ => Ok(Distribution::Uniform),
    }
}

fn is_harmless(value: &Value, harmless: &str) -> bool {
    match value {
        Value::Word(word, _) => *word == harmless,
        Value::Flag(on) => harmless == "0" && !on,
        Value::Number(n) => harmless == "0" && *n == 0,
        Value::Directions(values) => harmless == "0" && Direction::ALL.iter().all(|d| values.get(*d).unwrap_or(0) == 0),
        _ => false,
    }
}

/// A reason of the table, `why; what to do`, as a fault.
fn refused(name: &str, harmless: &str, reason: &str) -> Fault {
    let (why, instead) =
        reason.split_once("; ").map_or((reason, String::new()), |(why, what)| (why, format!("{what}, or ")));
    let zero = if harmless == "-" { String::new() } else { format!(", or write `{name}={harmless}`") };
    Fault::new(format!("is refused: {why}"), format!("{instead}remove the line{zero}"))
}
