//! `requirements.toml`: what a plan must meet, written by `observe`, changed by hand, read by `plan` and `simulate`.
//!
//! Lives here: the file's shape, its reader; what is wanted of a plan next to the demand (`wishes.rs`).
//! Never here: how the figures were found, what meets them.
//! Read next: `file.rs` (what may be written).
//!
//! What is written reads back as it was, to the digits that are shown. Quantities carry their unit; a key that nobody
//! knows is an error with its line.

mod file;
mod wishes;

use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

use dw_error::{Error, Result};
use dw_units::{Bytes, Doubtful, Duration, ParseQuantityError, Throughput};
use serde_json::Value;
use serde_spanned::Spanned;

use crate::kind::NumberOrText;
use crate::kpi::Kpi;
use crate::wishes::Wishes;
use crate::{
    DemandSeries, Levels, Offers, Provenance, REQUEST_MIN, RecordingDoubt, Requirements, Severity, UNKNOWN_KEYS,
    VendorKey, VendorKeys, VolumeRequirements, volume_name, write,
};
use file::{CpuFile, FindingFile, LevelsFile, MemoryFile, RequirementsFile, SeriesFile, VolumeFile};
pub(crate) use file::{LicenceFile, OneOrMore, PriceFile};
pub(crate) use wishes::{PER_CORE, WishReader};

/// More requests a second than any series may have.
const RATE_MAX: f64 = 1e12;

/// Reads requirements; `name` is how messages call the file, and `vendor` what else `[plan]` may have.
///
/// # Errors
/// Of kind `Input`: all that is wrong, each with its line.
pub fn read(name: &str, text: &str, vendor: &'static VendorKeys) -> Result<Requirements> {
    let mut reader = Reader { name, text, vendor, errors: Vec::new() };
    let file = reader.file()?;
    let requirements = reader.requirements(&file);
    reader.checked(requirements)
}

/// Reads requirements together with what is wanted of a plan.
///
/// # Errors
/// As [`read()`].
pub fn read_for_plan(name: &str, text: &str, offers: &dyn Offers) -> Result<(Requirements, Wishes)> {
    read_with_wishes(name, text, offers, false)
}

/// The same for disks that exist: what a volume must hold may be left out, it is then zero.
///
/// # Errors
/// As [`read()`].
pub fn read_for_explain(name: &str, text: &str, offers: &dyn Offers) -> Result<(Requirements, Wishes)> {
    read_with_wishes(name, text, offers, true)
}

/// Requirements as they are read from their own text, with that text. The numbers of a series are taken as they are written: to read a
/// million of them again takes longer than to plan.
///
/// # Errors
/// As [`read()`].
pub fn written_for_plan(
    (requirements, wishes): (&Requirements, &Wishes),
    (name, remark): (&str, &str),
    offers: &dyn Offers,
) -> Result<(Requirements, Wishes, String)> {
    let text = write::write_with(requirements, wishes, remark);
    let mut short = requirements.clone();
    for volume in &mut short.volumes {
        let interval = volume.series.as_ref().map(|series| series.interval);
        volume.series = interval.map(|interval| Arc::new(DemandSeries { interval, ..DemandSeries::default() }));
    }
    let short = write::write_with(&short, wishes, remark);
    let (mut read, read_wishes) = match read_for_plan(name, &short, offers) {
        Ok(read) if requirements.volumes.iter().filter_map(|volume| volume.series.as_deref()).all(may_be_read) => read,
        // With the lines that it has in full.
        _ => {
            let (requirements, wishes) = read_for_plan(name, &text, offers)?;
            return Ok((requirements, wishes, text));
        }
    };
    for (volume, whole) in read.volumes.iter_mut().zip(&requirements.volumes) {
        // A set of figures may stand for what was recorded.
        if let (Some(series), Some(whole)) = (&mut volume.series, &whole.series) {
            *series = read_back(whole, series.interval);
        }
    }
    Ok((read, read_wishes, text))
}

/// Whether the text of a series is read without an error.
fn may_be_read(series: &DemandSeries) -> bool {
    let [count, others @ ..] = [
        series.read_iops.len(),
        series.write_iops.len(),
        series.read_bytes_per_s.len(),
        series.write_bytes_per_s.len(),
    ];
    let mut rates = series.read_iops.iter().chain(&series.write_iops);
    others == [count; 3] && rates.all(|rate| (0.0..=RATE_MAX).contains(rate))
}

/// A series as its text is read; the same where that says all of it.
fn read_back(series: &Arc<DemandSeries>, interval: Duration) -> Arc<DemandSeries> {
    let mut rates = series.read_iops.iter().chain(&series.write_iops);
    if interval == series.interval && rates.all(|rate| write::read_back(*rate) == *rate) {
        return series.clone();
    }
    let mut read = DemandSeries { interval, ..DemandSeries::clone(series) };
    read.read_iops.iter_mut().chain(&mut read.write_iops).for_each(|rate| *rate = write::read_back(*rate));
    Arc::new(read)
}

fn read_with_wishes(
    name: &str,
    text: &str,
    offers: &dyn Offers,
    may_lack_capacity: bool,
) -> Result<(Requirements, Wishes)> {
    let mut reader = Reader { name, text, vendor: offers.vendor(), errors: Vec::new() };
    let file = reader.file()?;
    let requirements = reader.requirements(&file);
    let requirements = reader.checked(requirements)?;
    let mut reader = WishReader { reader, offers, may_lack_capacity };
    let wishes = reader.wishes(&file);
    reader.checked((requirements, wishes))
}

/// The JSON Schema of the file.
pub fn schema(vendor: &VendorKeys) -> schemars::Schema {
    let mut schema = schemars::schema_for!(RequirementsFile);
    if let Some(Value::Object(keys)) = schema.pointer_mut("/$defs/PlanFile/properties") {
        let mut known = std::mem::take(keys);
        for key in vendor.all() {
            let own = || vendor.keys.iter().find(|own| own.key.name == key.name).map(VendorKey::schema);
            let Some(mut value) = known.remove(key.name).or_else(own) else { continue };
            value["description"] = key.doc().into();
            keys.insert(key.name.into(), value);
        }
    }
    schema
}

/// The key of `[plan]` that says whose machines and disks are wanted.
const VENDOR: &str = "vendor";

/// Which vendor and which region requirements name, as far as their text can be read: who reads the rest follows from it.
pub fn vendor_and_region(text: &str) -> (Option<String>, Option<String>) {
    // A series of weeks is not read twice: of its file the part is enough that has these keys.
    let head = |line: &str| line.trim_start().strip_prefix("[plan]").is_some();
    let of_plan: String = match text.lines().any(head) {
        true => {
            let from = text.lines().skip_while(|line| !head(line));
            let own = from.enumerate().take_while(|(at, line)| *at == 0 || !line.trim_start().starts_with('['));
            own.map(|(_, line)| format!("{line}\n")).collect()
        }
        false => text.into(),
    };
    let Ok(file) = of_plan.parse::<toml::Table>() else { return (None, None) };
    let plan = file.get("plan").and_then(toml::Value::as_table);
    let word = |key: &str| plan?.get(key)?.as_str().map(String::from);
    (word(VENDOR), word("region"))
}

pub(crate) struct Reader<'a> {
    name: &'a str,
    text: &'a str,
    vendor: &'static VendorKeys,
    errors: Vec<Error>,
}

impl Reader<'_> {
    /// The file as it is written, a series of weeks included: this is what reading costs.
    fn file(&mut self) -> Result<RequirementsFile> {
        if self.text.trim().is_empty() {
            let hint = "write them with `diskwright observe --format toml`; `diskwright init requirements` prints a starter file";
            self.error(0..0, "this file is empty", hint);
            self.checked(())?;
        }
        let file: RequirementsFile = toml::from_str(self.text).map_err(|e| self.misshapen(e.span(), e.message()))?;
        for (key, value) in file.plan.iter().flat_map(|plan| &plan.get_ref().others) {
            if key.get_ref() == VENDOR {
                if value.get_ref().as_str() != Some(self.vendor.id) {
                    let what = format!("`{VENDOR} = {}`, but this is read for `{}`", value.get_ref(), self.vendor.id);
                    self.error(value.span(), what, format!("write `{VENDOR} = \"{}\"`, or omit it", self.vendor.id));
                }
                continue;
            }
            let known = self.vendor.find(key.get_ref());
            match known.map(|own| own.of_file(value)) {
                Some(Ok(_)) => {}
                Some(Err(e)) => return Err(self.misshapen(Some(value.span()), e.message())),
                None => {
                    let all = self.vendor.all().iter().map(|key| format!("`{}`", key.name)).collect::<Vec<_>>();
                    let message = format!("unknown field `{}`, expected one of {}", key.get_ref(), all.join(", "));
                    return Err(self.misshapen(Some(key.span()), &message));
                }
            }
        }
        Ok(file)
    }

    /// What is not of the shape of the file.
    fn misshapen(&mut self, span: Option<Range<usize>>, message: &str) -> Error {
        let (span, shape) = dw_error::shape::of_toml(self.text, span, message);
        let misplaced = shape.what.strip_prefix("unknown key `").and_then(|rest| rest.strip_suffix("`"));
        let is_of_plan = |key: &&str| self.vendor.all().iter().any(|known| known.name == *key);
        let misplaced = misplaced.filter(is_of_plan).filter(|_| !self.text[..span.start].contains('['));
        if let Some(key) = misplaced {
            let what = format!("`{key}` is a key of `[plan]`, but is written above it");
            self.error(span, what, "write it below `[plan]`");
            return self.faults().unwrap_or_else(|| Error::unexpected("no fault"));
        }
        let hint = match shape.missing.as_deref() {
            Some("schema_version") => "write `schema_version = 1` first".to_string(),
            Some(level @ ("p50" | "p90" | "p99" | "max")) => {
                format!("write `{level} = ...`; if you do not know it, use the next higher value")
            }
            Some(key) => {
                format!("write `{key} = ...`: `diskwright schema requirements` lists every key of this file")
            }
            None => (shape.with_unit(|key| unit_of(key, self.text, span.start)))
                .or_else(|| all_levels(self.text, &span).filter(|_| shape.what.ends_with("a table is expected")))
                .or_else(|| {
                    let is_open = shape.hint.starts_with("write a whole number");
                    is_open.then(|| wishes::range_of(&self.text[..span.start])).flatten()
                })
                .unwrap_or(shape.hint),
        };
        self.error(span, shape.what.replace(" from 0 to 4,294,967,295", ""), hint);
        self.faults().unwrap_or_else(|| Error::unexpected("no fault"))
    }

    /// What was read, unless something was wrong with it.
    fn checked<T>(&mut self, read: T) -> Result<T> {
        self.faults().map_or(Ok(read), Err)
    }

    /// All that was wrong so far.
    fn faults(&mut self) -> Option<Error> {
        Error::all(std::mem::take(&mut self.errors))
    }

    pub(crate) fn error(&mut self, span: Range<usize>, what: impl Into<String>, hint: impl Into<String>) {
        let line = dw_error::line_of(self.text, span.start) as usize;
        self.errors.push(Error::input(what).hint(hint).at(self.name, line).marked(self.text, span));
    }

    pub(crate) fn quantity<T: FromStr<Err = ParseQuantityError>>(
        &mut self,
        key: &str,
        value: &Spanned<String>,
    ) -> Option<T> {
        match value.get_ref().parse() {
            Ok(quantity) => Some(quantity),
            Err(mut e) => {
                // The example of the quantity alone would be one of seconds for a latency, and be met by any disk.
                e.example = match unit_of(key, self.text, value.span().start) {
                    Some("KiB") => "64 KiB",
                    Some("GiB") => "512 GiB",
                    Some("MB/s") => "200 MB/s",
                    Some("ms") => "4 ms",
                    _ => e.example,
                };
                let hint = e.hint(|value| format!("{key} = \"{value}\""));
                self.error(value.span(), format!("`{key} = \"{}\"` {}", value.get_ref(), e.what()), hint);
                None
            }
        }
    }

    fn number(&mut self, key: &str, value: &Spanned<f64>, most: f64) -> Option<f64> {
        let n = *value.get_ref();
        if (0.0..=most).contains(&n) {
            return Some(n);
        }
        self.error(value.span(), format!("`{key} = {n}` is out of range"), format!("write a number from 0 to {most}"));
        None
    }

    /// A number where it can mean one thing only, or a text with its sign, by the rule of options.
    fn amount(
        &mut self,
        key: &str,
        value: &Spanned<NumberOrText>,
        read: fn(&str, &str) -> Result<f64, Doubtful>,
    ) -> Option<f64> {
        let (written, text) = match value.get_ref() {
            NumberOrText::Number(number) => (number.to_string(), number.to_string()),
            NumberOrText::Text(text) => (toml::Value::from(text.as_str()).to_string(), text.clone()),
        };
        match read(&text, "\"") {
            Ok(number) => Some(number),
            Err(doubtful) => {
                self.error(value.span(), format!("`{key} = {written}`: {}", doubtful.what), doubtful.hint);
                None
            }
        }
    }

    pub(crate) fn percent(&mut self, key: &str, value: &Spanned<NumberOrText>, (low, high): (f64, f64)) -> Option<f64> {
        let percent = match value.get_ref() {
            NumberOrText::Number(number) if !(0.0..1.0).contains(number) => *number,
            _ => self.amount(key, value, dw_units::percent)?,
        };
        if (low..=high).contains(&percent) {
            return Some(percent);
        }
        let what = format!("`{key} = {percent}` is out of range");
        self.error(value.span(), what, format!("write a number from {low} to {high}"));
        None
    }

    fn provenance(&mut self, from: &Option<Spanned<String>>) -> Provenance {
        use Provenance::*;
        let Some(word) = from else { return Asked };
        let all = [Measured, Derived, Estimated, Asked, Unknown];
        match all.into_iter().find(|p| p.word() == word.get_ref()) {
            Some(provenance) => provenance,
            None => {
                let words = all.map(|p| format!("`{}`", p.word())).join(", ");
                self.error(
                    word.span(),
                    format!("`from = \"{}\"` is not a valid value", word.get_ref()),
                    format!("write one of {words}, or omit it for `asked`"),
                );
                Asked
            }
        }
    }

    fn finding(&mut self, file: &FindingFile) -> RecordingDoubt {
        let word = file.severity.get_ref();
        let severity = Severity::ALL.into_iter().find(|severity| severity.word() == word);
        if severity.is_none() {
            let words = Severity::ALL.map(|severity| format!("`{}`", severity.word())).join(", ");
            let what = format!("`severity = \"{word}\"` is not a valid value");
            self.error(file.severity.span(), what, format!("write one of {words}"));
        }
        RecordingDoubt {
            severity: severity.unwrap_or(Severity::Note),
            what: file.what.clone(),
            effect: file.effect.clone(),
            is_throttled: file.throttled,
        }
    }

    /// Percentiles must grow: a p99 below the p50 is a slip of the hand.
    fn ordered<T: PartialOrd + Copy>(&mut self, key: &str, span: Range<usize>, levels: Levels<T>) -> Levels<T> {
        let list = [levels.p50, levels.p90, levels.p95.unwrap_or(levels.p90), levels.p99, levels.max];
        if list.windows(2).any(|w| w[0] > w[1]) {
            let what = format!("`{key}`: a higher percentile is below a lower one");
            self.error(span, what, "write p50 <= p90 <= p95 <= p99 <= max");
        }
        levels
    }

    fn levels<T>(&mut self, key: &str, file: &Option<Spanned<LevelsFile<String>>>) -> Option<Levels<T>>
    where
        T: FromStr<Err = ParseQuantityError> + PartialOrd + Copy,
    {
        let (span, file) = (file.as_ref()?.span(), file.as_ref()?.get_ref());
        let mut of = |level: &str, value: &Spanned<String>| self.quantity::<T>(level, value);
        let (p50, p90, p99, max) =
            (of("p50", &file.p50), of("p90", &file.p90), of("p99", &file.p99), of("max", &file.max));
        let p95 = file.p95.as_ref().and_then(|p95| of("p95", p95));
        let from = self.provenance(&file.from);
        Some(self.ordered(key, span, Levels { p50: p50?, p90: p90?, p95, p99: p99?, max: max?, from }))
    }

    fn numbers(&mut self, key: &str, file: &Option<Spanned<LevelsFile<f64>>>, most: f64) -> Option<Levels<f64>> {
        let (span, file) = (file.as_ref()?.span(), file.as_ref()?.get_ref());
        let mut of = |level: &str, value: &Spanned<f64>| self.number(&format!("{key}.{level}"), value, most);
        let (p50, p90, p99, max) =
            (of("p50", &file.p50), of("p90", &file.p90), of("p99", &file.p99), of("max", &file.max));
        let p95 = file.p95.as_ref().and_then(|p95| of("p95", p95));
        let from = self.provenance(&file.from);
        Some(self.ordered(key, span, Levels { p50: p50?, p90: p90?, p95, p99: p99?, max: max?, from }))
    }

    fn processors(&mut self, file: &CpuFile) -> Option<u32> {
        let written = file.processors.as_ref()?;
        if *written.get_ref() == 0 {
            let hint = "write the number of CPUs of the machine, or omit `[cpu]`";
            self.error(written.span(), "`processors = 0`: a machine has at least one", hint);
        }
        Some(*written.get_ref())
    }

    /// All of it, and what is in use of it.
    fn memory(&mut self, file: &MemoryFile) -> (Option<Bytes>, Option<Levels<Bytes>>) {
        let total = file.total.as_ref().and_then(|total| self.quantity("total", total));
        let used = self.levels::<Bytes>("used", &file.used);
        if let (Some(written), Some(total), Some(used)) = (&file.total, total, used)
            && used.max > total
        {
            let what = format!("`total = \"{total}\"` is less than what is in use, `used.max = \"{}\"`", used.max);
            self.error(written.span(), what, "write the machine's total memory, or correct `used`");
        }
        (total, used)
    }

    /// Figures of all requests beside those of one direction: which of them is meant?
    fn one_of_two(
        &mut self,
        volume: &str,
        all: (&str, Option<Provenance>, Option<Range<usize>>),
        parts: [(&str, bool); 2],
    ) {
        // A recording of one direction has both, and says so.
        let (key, Some(Provenance::Asked), Some(span)) = all else { return };
        let parts: Vec<String> = parts.iter().filter(|(_, is)| *is).map(|(key, _)| format!("`{key}`")).collect();
        if !parts.is_empty() {
            let what = format!("`{key}` of `{volume}` has no effect next to {}", parts.join(" and "));
            self.error(span, what, format!("keep reads and writes, or only `{key}`"));
        }
    }

    /// A request is at least a sector.
    fn request_size(&mut self, key: &str, written: &Option<Spanned<String>>) -> Option<Bytes> {
        let written = written.as_ref()?;
        let size = self.quantity::<Bytes>(key, written)?;
        if size < REQUEST_MIN {
            let what = format!("`{key} = \"{}\"` is less than a sector, which no disk supports", written.get_ref());
            self.error(written.span(), what, format!("write at least `{key} = \"512 B\"`, for example `\"8 KiB\"`"));
        }
        Some(size)
    }

    /// Percent of the processors. What was measured may be next to nothing; what somebody wrote is a share, then.
    fn busy(&mut self, file: &CpuFile) -> Option<Levels<f64>> {
        let levels = self.numbers("busy_percent", &file.busy_percent, 100.5)?;
        if levels.from == Provenance::Asked && levels.max > 0.0 && levels.max <= 1.0 {
            let percent = |share: f64| (share * 1e8).round() / 1e6;
            let what = format!("`busy_percent` is at most {} %, or the share {} of all CPUs", levels.max, levels.max);
            let hint = format!(
                "write percent, for example `max = {}`; if it really is that low, add `from = \"measured\"`",
                percent(levels.max)
            );
            let span = file.busy_percent.as_ref().map_or(0..0, Spanned::span);
            self.error(span, what, hint);
        }
        Some(levels)
    }

    fn requirements(&mut self, file: &RequirementsFile) -> Requirements {
        if *file.schema_version.get_ref() != 1 {
            let what = format!("`schema_version = {}` is not known", file.schema_version.get_ref());
            self.error(file.schema_version.span(), what, "this program reads 1");
        }
        let growth = file.growth.as_ref().and_then(|g| self.amount("growth", g, dw_units::growth)).unwrap_or(1.0);
        let volumes: Vec<VolumeRequirements> = file.volumes.iter().map(|v| self.volume(v.get_ref())).collect();
        let names: Vec<&str> = volumes.iter().map(|volume| volume.name.as_str()).collect();
        for fault in volume_name::faults(&names) {
            let span = file.volumes[fault.volume].get_ref().name.span();
            let written = self.text.get(span.clone()).unwrap_or_default();
            let what = format!("`name = {written}` {}", fault.why);
            self.error(span, what, format!("write for example `name = {}`", toml::Value::from(fault.instead)));
        }
        let cpu = file.cpu.as_ref();
        let (memory_total, memory_used) = file.memory.as_ref().map_or((None, None), |memory| self.memory(memory));
        Requirements {
            machine: file.machine.clone(),
            window: file.window.clone().unwrap_or_else(|| "whole".into()),
            growth,
            processors: cpu.and_then(|c| self.processors(c)),
            cpu_percent: cpu.and_then(|c| self.busy(c)),
            memory_total,
            memory_used,
            transactions: self.numbers("transactions_per_s", &file.transactions_per_s, 1e12),
            findings: file.findings.iter().map(|finding| self.finding(finding)).collect(),
            volumes,
        }
    }

    fn series(&mut self, volume: &str, series: &Spanned<SeriesFile>) -> Option<DemandSeries> {
        let file = series.get_ref();
        let interval = self.quantity::<Duration>("interval", &file.interval);
        if interval == Some(Duration::ZERO) {
            let what = format!("`interval = \"{}\"` is zero", file.interval.get_ref());
            self.error(file.interval.span(), what, "write the interval of the lists, for example `2s`");
        }
        let read_iops = self.rates("read_iops", &file.read_iops);
        let write_iops = self.rates("write_iops", &file.write_iops);
        let n = file.read_iops.len();
        let others = [file.write_iops.len(), file.read_bytes_per_s.len(), file.write_bytes_per_s.len()];
        if others.iter().any(|m| *m != n) {
            let what = format!("the series of `{volume}` have different lengths: {n}, {others:?}");
            self.error(series.span(), what, "every list has one number per interval");
        }
        Some(DemandSeries {
            interval: interval?,
            read_iops: read_iops?,
            write_iops: write_iops?,
            read_bytes_per_s: file.read_bytes_per_s.clone(),
            write_bytes_per_s: file.write_bytes_per_s.clone(),
        })
    }

    /// Of thousands of numbers the first that is wrong is enough to go by.
    fn rates(&mut self, key: &str, list: &[Spanned<f64>]) -> Option<Vec<f64>> {
        list.iter().map(|rate| self.number(key, rate, RATE_MAX)).collect()
    }

    fn volume(&mut self, file: &VolumeFile) -> VolumeRequirements {
        let series = file.series.as_ref().and_then(|s| self.series(file.name.get_ref(), s)).map(Arc::new);
        let written = [("read_iops", file.read_iops.is_some()), ("write_iops", file.write_iops.is_some())];
        for key in &file.unknown {
            let name = key.get_ref();
            match written.iter().find(|(known, _)| known == name) {
                Some((_, false)) => {}
                Some(_) => self.error(
                    key.span(),
                    format!("`{name}` of `{}` is given and also listed in `unknown`", file.name.get_ref()),
                    "remove it from `unknown`",
                ),
                None => {
                    let keys = UNKNOWN_KEYS.map(|key| format!("`{key}`")).join(", ");
                    self.error(key.span(), format!("`unknown` lists `{name}`"), format!("write one of {keys}"));
                }
            }
        }
        let iops = self.numbers("iops", &file.iops, 1e12);
        let throughput = self.levels::<Throughput>("throughput", &file.throughput);
        let span = file.iops.as_ref().map(Spanned::span);
        self.one_of_two(file.name.get_ref(), ("iops", iops.map(|levels| levels.from), span), written);
        let span = file.throughput.as_ref().map(Spanned::span);
        let written = [
            ("read_throughput", file.read_throughput.is_some()),
            ("write_throughput", file.write_throughput.is_some()),
        ];
        self.one_of_two(file.name.get_ref(), ("throughput", throughput.map(|levels| levels.from), span), written);
        let mut volume = VolumeRequirements {
            unknown: file.unknown.iter().map(|key| key.get_ref().clone()).collect(),
            name: file.name.get_ref().clone(),
            devices: file.devices.clone(),
            read_iops: self.numbers("read_iops", &file.read_iops, 1e12),
            write_iops: self.numbers("write_iops", &file.write_iops, 1e12),
            iops,
            read_throughput: self.levels("read_throughput", &file.read_throughput),
            write_throughput: self.levels("write_throughput", &file.write_throughput),
            throughput,
            read_latency: self.levels("read_latency", &file.read_latency),
            write_latency: self.levels("write_latency", &file.write_latency),
            queue_depth: self.numbers("queue_depth", &file.queue_depth, 1e9),
            read_size: self.request_size("read_size", &file.read_size),
            write_size: self.request_size("write_size", &file.write_size),
            random_percent: file.random_percent.as_ref().and_then(|p| self.percent("random_percent", p, (0.0, 100.0))),
            series,
        };
        if let Some(kpi) = self.kpi(&file.kpi).filter(|_| !file.has_load()) {
            kpi.give_load(&mut volume);
        }
        volume
    }

    /// The set of that name.
    fn kpi(&mut self, name: &Option<Spanned<String>>) -> Option<&'static Kpi> {
        let name = name.as_ref()?;
        let known = Kpi::named(name.get_ref());
        if known.is_none() {
            let all: Vec<String> = Kpi::all().iter().map(|kpi| format!("`{}`", kpi.name)).collect();
            let what = format!("`kpi = \"{}\"` is not known", name.get_ref());
            self.error(name.span(), what, format!("write one of {}", all.join(", ")));
        }
        known
    }
}

/// What to write where one value stands for all percentiles, or what was measured for what is asked.
fn all_levels(text: &str, span: &Range<usize>) -> Option<String> {
    let value = text.get(span.clone())?;
    let key = text[..span.start].rsplit('\n').next()?.trim_end().strip_suffix('=')?.trim();
    match key {
        "read_latency" | "write_latency" => Some(format!(
            "write `{key}_max = {value}` for the mean that must be kept; `{key}` is the measured latency, a table of percentiles"
        )),
        "read_iops" | "write_iops" | "iops" | "queue_depth" | "transactions_per_s" | "busy_percent" => {
            let plain = dw_error::shape::written_number(key, value.trim_matches('"'), true)?;
            Some(format!("write `{key} = {{ p50 = {plain}, p90 = {plain}, p99 = {plain}, max = {plain} }}`"))
        }
        "read_throughput" | "write_throughput" | "throughput" | "used" => {
            let value = match unit_of("p50", key, key.len()).filter(|_| !value.starts_with('"')) {
                Some(unit) => format!("\"{value} {unit}\""),
                None => value.to_string(),
            };
            Some(format!("write `{key} = {{ p50 = {value}, p90 = {value}, p99 = {value}, max = {value} }}`"))
        }
        _ => None,
    }
}

/// The likeliest unit of a quantity: by its key, or by what its percentiles are of.
fn unit_of(key: &str, text: &str, at: usize) -> Option<&'static str> {
    let before = &text[..at.min(text.len())];
    let line = before.rsplit('\n').next().unwrap_or_default();
    let header = before.lines().rev().find(|line| line.trim_start().starts_with('[')).unwrap_or_default();
    let has = |word: &str| line.contains(word) || header.contains(word);
    match key {
        "capacity" | "memory_min" | "working_set" | "total" | "cache" => Some("GiB"),
        "read_size" | "write_size" | "stripe_unit" => Some("KiB"),
        "interval" => Some("s"),
        "p50" | "p90" | "p95" | "p99" | "max" if has("throughput") => Some("MB/s"),
        "p50" | "p90" | "p95" | "p99" | "max" if has("used") => Some("GiB"),
        _ if has("latency") => Some("ms"),
        _ => None,
    }
}
