//! Reads an entry of the timeline and checks it against the volumes.

use std::ops::Range;

use dw_catalogue::Catalogue;
use dw_documents::incident::{ByteRange, CrashLevel, Effect, Fault, FaultErrno, FaultOp, Survivors};
use dw_stack::StackSpec;
use dw_units::{Bytes, CacheMode, Duration, Instant, Iops, Throughput};
use serde_spanned::Spanned;

use super::{Action, Event, TimelineFile, course};
use crate::scenario::reader::Reader;
use crate::scenario::scalar::{Field, Scalar};

/// What goes with each `do` next to `at`: needed keys, then others.
pub(in crate::scenario) const KEYS: [(&str, &[&str], &[&str]); 11] = [
    ("attach", &["volume"], &[]),
    ("detach", &["volume"], &[]),
    ("cache", &["volume", "mode"], &[]),
    ("resize", &["volume", "size"], &["disk"]),
    ("tier", &["volume"], &["disk", "tier", "iops", "throughput"]),
    ("reboot", &[], &[]),
    ("crash", &["level"], &["survivors", "seed"]),
    ("inject", &["export", "fault"], &["op", "offset", "len", "latency", "errno", "share", "seed"]),
    ("clear", &[], &["export"]),
    ("reset-counters", &[], &[]),
    ("shutdown", &[], &[]),
];

/// What `fault` may be.
pub(in crate::scenario) const FAULTS: [&str; 4] = ["latency", "error", "stuck", "torn-write"];

/// Reads the entries; what is wrong with them is in the reader.
pub(in crate::scenario) fn read(
    reader: &mut Reader,
    catalogue: &Catalogue,
    files: &[Spanned<TimelineFile>],
    stack: &StackSpec,
) -> Vec<Event> {
    let read = |file| Some((Entry { reader: &mut *reader, catalogue, file, stack }.read()?, file.span()));
    let mut events: Vec<(Event, Range<usize>)> = files.iter().filter_map(read).collect();
    events.sort_by_key(|(event, _)| event.at);
    course::check(reader, stack, &events);
    events.into_iter().map(|(event, _)| event).collect()
}

/// One entry being read.
struct Entry<'a, 'r> {
    reader: &'a mut Reader<'r>,
    catalogue: &'a Catalogue,
    file: &'a Spanned<TimelineFile>,
    stack: &'a StackSpec,
}

impl Entry<'_, '_> {
    fn read(mut self) -> Option<Event> {
        let file = self.file.get_ref();
        let after = self.reader.quantity_of::<Duration>("at", &file.at);
        let word = self.word()?;
        self.check_keys(word)?;
        let action = self.action(word)?;
        let line = self.reader.line(self.file.span().start);
        Some(Event { at: Instant::START + after?, line, action })
    }

    /// The `do`, if it is one.
    fn word(&mut self) -> Option<&'static str> {
        let action = &self.file.get_ref().action;
        if matches!(action.get_ref().0.as_str(), "pause" | "resume") {
            let what =
                format!("`do = \"{}\"` cannot be scripted: it would stop the timeline's own clock", action.get_ref().0);
            let hint = "to hold requests, use `do = \"inject\"` with `fault = \"stuck\"`, and `do = \"clear\"` later";
            self.reader.error(action.span(), what, hint);
            return None;
        }
        let words = KEYS.map(|(word, _, _)| (word, word));
        self.reader.choice("do", &Some(action.clone()), &words)
    }

    /// Keys that are missing or have no meaning.
    fn check_keys(&mut self, word: &str) -> Option<()> {
        let file = self.file.get_ref();
        let given: [(&str, &Field); 17] = [
            ("volume", &file.volume),
            ("disk", &file.disk),
            ("mode", &file.mode),
            ("size", &file.size),
            ("tier", &file.tier),
            ("iops", &file.iops),
            ("throughput", &file.throughput),
            ("level", &file.level),
            ("survivors", &file.survivors),
            ("seed", &file.seed),
            ("export", &file.export),
            ("fault", &file.fault),
            ("op", &file.op),
            ("offset", &file.offset),
            ("len", &file.len),
            ("latency", &file.latency),
            ("errno", &file.errno),
        ];
        let given = given.into_iter().chain([("share", &file.share)]);
        let &(_, needed, others) = KEYS.iter().find(|keys| keys.0 == word)?;
        let mut complete = true;
        for (key, field) in given {
            match field {
                Some(field) if !needed.contains(&key) && !others.contains(&key) => {
                    let goes = [needed, others].concat();
                    let hint = match goes.is_empty() {
                        true => "remove it".to_string(),
                        false => format!("with it go: {}", goes.join(", ")),
                    };
                    self.reader.error(field.span(), format!("`{key}` has no effect with `do = \"{word}\"`"), hint);
                    complete = false;
                }
                None if needed.contains(&key) => {
                    let hint = format!("write for example `{key} = \"{}\"`", example(key, self.stack));
                    self.reader.error(self.file.span(), format!("`do = \"{word}\"` needs `{key}`"), hint);
                    complete = false;
                }
                _ => {}
            }
        }
        complete.then_some(())
    }

    fn action(&mut self, word: &str) -> Option<Action> {
        let file = self.file.get_ref();
        Some(match word {
            "attach" => Action::Attach(self.volume()?),
            "detach" => Action::Detach(self.volume()?),
            "cache" => Action::Cache(self.volume()?, self.reader.cache_mode("mode", &file.mode)?),
            "resize" => {
                let (volume, disk) = (self.volume()?, self.disk()?);
                Action::Resize(volume, disk, self.reader.quantity::<Bytes>("size", &file.size)?)
            }
            "tier" => self.tier()?,
            "reboot" => Action::Reboot,
            "crash" => self.crash()?,
            "inject" => Action::Inject(self.injection()?),
            "clear" => Action::Clear(self.optional(&file.export, Self::export)?),
            "reset-counters" => Action::ResetCounters,
            _ => Action::Shutdown,
        })
    }

    /// A value that may be absent: `None` only when it is there and wrong.
    fn optional<T>(&mut self, field: &Field, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        match field {
            None => Some(None),
            Some(_) => read(self).map(Some),
        }
    }

    fn volume(&mut self) -> Option<String> {
        let names: Vec<String> = self.stack.volumes.iter().map(|volume| volume.name.clone()).collect();
        self.name("volume", self.file.get_ref().volume.as_ref()?, &names)
    }

    fn export(&mut self) -> Option<String> {
        let volumes = &self.stack.volumes;
        let disks = volumes.iter().flat_map(|v| (0..v.disks.len()).map(move |disk| format!("{}.{disk}", v.name)));
        let names: Vec<String> = volumes.iter().map(|v| v.name.clone()).chain(disks).collect();
        self.name("volume or disk", self.file.get_ref().export.as_ref()?, &names)
    }

    fn name(&mut self, kind: &str, field: &Spanned<Scalar>, names: &[String]) -> Option<String> {
        let name = &field.get_ref().0;
        if names.contains(name) {
            return Some(name.clone());
        }
        let hint = match dw_error::nearest(name, names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are: {}", names.join(", ")),
        };
        self.reader.error(field.span(), format!("unknown {kind} `{name}`"), hint);
        None
    }

    /// Which disk of the volume.
    fn disk(&mut self) -> Option<Option<u16>> {
        let file = self.file.get_ref();
        let name = &file.volume.as_ref()?.get_ref().0;
        let disks = self.stack.volumes.iter().find(|volume| volume.name == *name)?.disks.len() as u64;
        self.optional(&file.disk, |entry| {
            entry.reader.count("disk", &file.disk, 0..disks).and_then(|n| n.try_into().ok())
        })
    }

    fn tier(&mut self) -> Option<Action> {
        let file = self.file.get_ref();
        let (volume, disk) = (self.volume()?, self.disk()?);
        let mut iops =
            self.optional(&file.iops, |entry| entry.reader.count("iops", &file.iops, 1..1 << 40))?.map(Iops::new);
        let mut throughput =
            self.optional(&file.throughput, |entry| entry.reader.quantity("throughput", &file.throughput))?;
        if let (Some(tier), Some(_), Some(_)) = (&file.tier, iops, throughput) {
            let what = "`tier` has no effect: `iops` and `throughput` are both written";
            self.reader.error(tier.span(), what, "remove it, or one of the two");
            return None;
        }
        if let Some(tier) = &file.tier {
            let limits = match self.catalogue.disk(&tier.get_ref().0, None) {
                Ok(offer) => offer.disk_spec(&offer.sku, &Default::default()).map_err(|e| (e.what.clone(), e.hint)),
                Err(e) => Err((e.to_string(), e.hint())),
            };
            let limits = match limits {
                Ok(spec) => spec.limits,
                Err((what, hint)) => {
                    self.reader.error(tier.span(), what, hint);
                    return None;
                }
            };
            iops = iops.or(limits.iops.map(|rate| Iops::new(rate.rate)));
            throughput = throughput.or(limits.throughput.map(|rate| Throughput::bytes_per_second(rate.rate)));
        }
        if iops.is_none() && throughput.is_none() {
            let what = "`do = \"tier\"` changes nothing without `tier`, `iops` or `throughput`";
            self.reader.error(self.file.span(), what, "write for example `tier = \"P50\"`");
            return None;
        }
        Some(Action::Tier(volume, disk, iops, throughput))
    }

    fn crash(&mut self) -> Option<Action> {
        let file = self.file.get_ref();
        let levels = CrashLevel::ALL.map(|level| (level.name(), level));
        let level = self.reader.choice("level", &file.level, &levels)?;
        let policies = Survivors::ALL.map(|survivors| (survivors.name(), survivors));
        let policy = |entry: &mut Self| entry.reader.choice("survivors", &file.survivors, &policies);
        let survivors = self.optional(&file.survivors, policy)?.unwrap_or_default();
        let drawn = !matches!(survivors, Survivors::None | Survivors::All);
        let drawn = if drawn { Ok(()) } else { Err("`survivors` is not `prefix`, `random` or `random-torn`") };
        Some(Action::Crash(level, survivors, self.seed(drawn)?))
    }

    /// The seed of what is drawn; why nothing is, otherwise.
    fn seed(&mut self, drawn: Result<(), &str>) -> Option<u64> {
        let seed = &self.file.get_ref().seed;
        if let (Some(field), Err(why)) = (seed, drawn) {
            self.reader.error(
                field.span(),
                format!("`seed` has no effect: nothing is random, because {why}"),
                "remove it",
            );
            return None;
        }
        Some(self.optional(seed, |entry| entry.reader.count("seed", seed, 0..u64::MAX))?.unwrap_or(1))
    }

    fn injection(&mut self) -> Option<Fault> {
        let file = self.file.get_ref();
        let ops = FaultOp::ALL.map(|op| (op.name(), op));
        let op = self.optional(&file.op, |entry| entry.reader.choice("op", &file.op, &ops))?.unwrap_or_default();
        let per_million = self.optional(&file.share, Self::share)?.unwrap_or(1_000_000);
        let (export, range, effect) = (self.export()?, self.range()?, self.effect()?);
        let drawn = match effect {
            _ if per_million < 1_000_000 => Ok(()),
            Effect::Latency { min_ns, max_ns } if min_ns < max_ns => Ok(()),
            Effect::TornWrite => Ok(()),
            Effect::Latency { .. } => Err("every request gets the same latency"),
            Effect::Stuck | Effect::Error { .. } => Err("every request is affected"),
        };
        Some(Fault { export, op, range, per_million, seed: self.seed(drawn)?, effect })
    }

    fn range(&mut self) -> Option<Option<ByteRange>> {
        let file = self.file.get_ref();
        let offset = self.optional(&file.offset, |entry| entry.reader.quantity::<Bytes>("offset", &file.offset))?;
        let len = self.optional(&file.len, |entry| entry.reader.quantity::<Bytes>("len", &file.len))?;
        if len == Some(Bytes::ZERO) {
            let span = file.len.as_ref()?.span();
            self.reader.error(span, "a range of zero length affects nothing", "omit `len` to extend it to the end");
            return None;
        }
        let range = ByteRange { offset: offset.map_or(0, Bytes::get), len: len.map_or(u64::MAX, Bytes::get) };
        Some((offset.is_some() || len.is_some()).then_some(range))
    }

    /// `"1 %"` as parts of a million.
    fn share(&mut self) -> Option<u32> {
        let field = self.file.get_ref().share.as_ref()?;
        let number = field.get_ref().0.strip_suffix('%').map(dw_units::decimal);
        match number.map(|percent| percent.map(|percent| (percent * 10_000.0).round())) {
            Some(Ok(parts)) if (1.0..=1_000_000.0).contains(&parts) => Some(parts as u32),
            Some(Err(e)) if !e.readings.is_empty() => {
                let what = format!("`share = {}` {}", self.reader.raw(field), e.what());
                self.reader.error(field.span(), what, e.hint(|value| format!("share = \"{value} %\"")));
                None
            }
            _ => {
                let what = format!("`share = \"{}\"` is not a share", field.get_ref().0);
                self.reader.error(
                    field.span(),
                    what,
                    "write a percentage from 0.0001 % to 100 %, for example `share = \"1 %\"`",
                );
                None
            }
        }
    }

    fn effect(&mut self) -> Option<Effect> {
        let file = self.file.get_ref();
        let kind = self.reader.choice("fault", &file.fault, &FAULTS.map(|word| (word, word)))?;
        for (key, field, of) in [("latency", &file.latency, "latency"), ("errno", &file.errno, "error")] {
            if let Some(field) = field
                && of != kind
            {
                let what = format!("`{key}` has no effect with `fault = \"{kind}\"`");
                self.reader.error(field.span(), what, format!("it goes with `fault = \"{of}\"`"));
                return None;
            }
        }
        match kind {
            "latency" => self.latency(),
            "error" => {
                let words = FaultErrno::ALL.map(|errno| (errno.name(), errno));
                let errno = self.optional(&file.errno, |entry| entry.reader.choice("errno", &file.errno, &words))?;
                Some(Effect::Error { errno: errno.unwrap_or(FaultErrno::Io) })
            }
            "stuck" => Some(Effect::Stuck),
            _ => Some(Effect::TornWrite),
        }
    }

    /// `"5 ms"` or `"2 ms..20 ms"`.
    fn latency(&mut self) -> Option<Effect> {
        const HINT: &str = "write a time or two, for example `latency = \"5 ms\"` or `latency = \"2 ms..20 ms\"`";
        let Some(field) = &self.file.get_ref().latency else {
            self.reader.error(self.file.span(), "`fault = \"latency\"` needs `latency`", HINT);
            return None;
        };
        let text = &field.get_ref().0;
        let (from, to) = text.split_once("..").unwrap_or((text, text));
        match (from.parse::<Duration>(), to.parse::<Duration>()) {
            (Ok(from), Ok(to)) if from <= to && to > Duration::ZERO => {
                Some(Effect::Latency { min_ns: from.ns(), max_ns: to.ns() })
            }
            (Err(e), _) | (_, Err(e)) if !e.readings.is_empty() => {
                self.reader.error(field.span(), format!("`latency = \"{text}\"`: `{}` {}", e.found, e.what()), HINT);
                None
            }
            _ => {
                self.reader.error(field.span(), format!("`latency = \"{text}\"` is not a time to add"), HINT);
                None
            }
        }
    }
}

/// A likely value of a key.
fn example(key: &str, stack: &StackSpec) -> String {
    match key {
        "volume" | "export" => stack.volumes.first().map_or("data".into(), |volume| volume.name.clone()),
        "mode" => CacheMode::ReadOnly.name().into(),
        "size" => "2 TiB".into(),
        "level" => "host".into(),
        _ => "latency".into(),
    }
}
