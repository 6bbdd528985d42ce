//! Workloads: what is asked of which storage, in what share.

use dw_workload::SizeDistribution;

use super::build::Maker;
use super::runs::sectors;
use super::values::{self, SIZE_HINT};
use super::words::{Definition, Parameter};
use crate::assembly::{Assembly, Origin};

/// Bytes of a request that says nothing.
const XFERSIZE: u64 = 4_096;

/// Where requests go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seek {
    /// So many percent at random offsets, the others after the one before; at the end from the beginning.
    Percent(u8),
    /// In order, from a random place.
    FromAnywhere,
    /// In order, and done at the end.
    ToTheEnd,
}

/// A workload in a run.
pub(super) struct Work<'d> {
    pub definition: &'d Definition,
    pub storage: Vec<usize>,
    pub sizes: SizeDistribution,
    pub read_percent: u8,
    pub seek: Seek,
    /// Percent of the rate.
    pub skew: Option<f64>,
    pub range: Option<(u64, u64)>,
    pub flags: Option<&'d Parameter>,
}

impl<'a> Maker<'a> {
    /// The workloads of the run.
    pub(super) fn works(&self, out: &mut Assembly) -> Vec<Work<'a>> {
        let workloads: Vec<&'a Definition> = match self.definition.get("wd") {
            Some(p) => chosen(&self.all.workloads, |d| &d.name, p, out),
            None if self.definition.get("sd").is_some() => self.all.unnamed.iter().collect(),
            None => {
                out.fail(&self.definition.origin, "names no workload", "write wd=wd1, or sd=sd1");
                Vec::new()
            }
        };
        workloads.into_iter().filter_map(|definition| self.work(definition, out)).collect()
    }

    fn work(&self, definition: &'a Definition, out: &mut Assembly) -> Option<Work<'a>> {
        let storage = match self.definition.get("sd").or_else(|| definition.get("sd")) {
            Some(p) => {
                let single = ["single", "range"].contains(&p.values[0].as_str()) || p.values[0].starts_with("setsof");
                if single {
                    out.fail(&p.origin, "makes a run for each choice of storage", "write a run definition for each");
                    return None;
                }
                let places: Vec<(usize, &str)> =
                    self.storage.iter().enumerate().map(|(at, s)| (at, s.name.as_str())).collect();
                chosen(&places, |(_, name)| name, p, out).into_iter().map(|(at, _)| *at).collect()
            }
            None => {
                out.fail(&definition.origin, "names no storage", "write sd=sd1, or sd=*");
                return None;
            }
        };
        if let Some(p) = definition.get("iorate") {
            let hint = "write the rate of all workloads in the run definition, and skew here";
            out.fail(&p.origin, "is a rate of one workload, which is not modelled", hint);
        }
        if let Some(p) = definition.get("stride") {
            out.fail(&p.origin, "skips blocks, which is not modelled", "write seekpct=100 or seekpct=0");
        }
        for key in ["rhpct", "whpct"] {
            let (text, origin) = self.value(definition, key, "0", out)?;
            if text != "0" {
                let what = format!("{key} aims {text} % at a hit area, which is not modelled");
                out.fail(origin, what, "describe the host cache in the scenario: its hits are computed");
            }
        }
        let percent = |text: &str| text.parse::<u8>().ok().filter(|n| *n <= 100);
        let (text, origin) = self.value(definition, "rdpct", "100", out)?;
        let Some(read_percent) = percent(text) else {
            out.fail(origin, format!("`{text}` is not a whole percentage"), "write 0 to 100");
            return None;
        };
        let (text, origin) = self.value(definition, "seekpct", "100", out)?;
        let seek = match text.to_ascii_lowercase().as_str() {
            "random" | "rand" => Seek::Percent(100),
            "sequential" | "seq" => Seek::Percent(0),
            "sequentialnz" | "seqnz" => Seek::FromAnywhere,
            "eof" | "-1" => Seek::ToTheEnd,
            text => match percent(text) {
                Some(percent) => Seek::Percent(percent),
                None => {
                    out.fail(
                        origin,
                        format!("`{text}` is not a seek mode"),
                        "write 0 to 100, random, seq, seqnz or eof",
                    );
                    return None;
                }
            },
        };
        let skew = match definition.get("skew") {
            Some(p) => {
                Some(values::number(p.one(out)?).map_err(|what| out.fail(&p.origin, what, "write a percentage")).ok()?)
            }
            None => None,
        };
        let sizes = self.sizes(definition, out)?;
        let range = match definition.get("range") {
            Some(p) => Some(range(p, out)?),
            None => None,
        };
        // The innermost definition that says how to open counts.
        let flags = self.definition.get("openflags").or(definition.get("openflags"));
        Some(Work { definition, storage, sizes, read_percent, seek, skew: skew.filter(|s| *s > 0.0), range, flags })
    }

    /// The run's value, else the workload's, else that of a workload that says nothing.
    fn value<'v>(
        &'v self,
        definition: &'v Definition,
        key: &str,
        default: &'v str,
        out: &mut Assembly,
    ) -> Option<(&'v str, &'v Origin)> {
        match (self.run.get(key), definition.get(key)) {
            (Some(text), _) => Some((text, &self.definition.origin)),
            (None, Some(p)) => Some((p.one(out)?, &p.origin)),
            (None, None) => Some((default, &definition.origin)),
        }
    }

    fn sizes(&self, definition: &Definition, out: &mut Assembly) -> Option<SizeDistribution> {
        if let Some(size) = self.run.get("xfersize").and_then(|text| text.parse().ok()) {
            return Some(SizeDistribution::Fixed(size));
        }
        let Some(p) = definition.get("xfersize") else { return Some(SizeDistribution::Fixed(XFERSIZE)) };
        let read =
            match p.values.as_slice() {
                [one] => sectors(one).map(SizeDistribution::Fixed),
                [min, max, align] => sectors(min).and_then(|min| Ok((min, sectors(max)?, sectors(align)?))).and_then(
                    |(min, max, align)| match min == align && min <= max && min > 0 {
                        true => Ok(SizeDistribution::Range { min, max, unaligned: false }),
                        false => {
                            Err("draws from a range whose smallest size is not its step, which is not modelled".into())
                        }
                    },
                ),
                pairs if pairs.len() % 2 == 0 => pairs
                    .chunks_exact(2)
                    .map(|pair| {
                        let share =
                            pair[1].parse::<u8>().map_err(|_| format!("`{}` is not a whole percentage", pair[1]))?;
                        Ok((sectors(&pair[0])?, share))
                    })
                    .collect::<Result<Vec<_>, String>>()
                    .and_then(|parts| match parts.iter().map(|part| u32::from(part.1)).sum::<u32>() {
                        100 => Ok(SizeDistribution::Split(parts)),
                        sum => Err(format!("has percentages that come to {sum}")),
                    }),
                _ => Err("is not a size, pairs of sizes and percentages, or range".into()),
            };
        let zero = |sizes: &SizeDistribution| sizes.min() == 0;
        match read {
            Ok(sizes) if !zero(&sizes) => return Some(sizes),
            Ok(_) => out.fail(&p.origin, "asks for requests of 0 bytes", SIZE_HINT),
            Err(what) => out.fail(&p.origin, what, "write xfersize=4k, (4k,50,8k,50) or (4k,64k,4k)"),
        }
        None
    }
}

/// Definitions by name, wildcard (`sd*`) or range (`sd1-sd4`).
fn chosen<'l, T>(all: &'l [T], name: impl Fn(&'l T) -> &'l str, p: &Parameter, out: &mut Assembly) -> Vec<&'l T> {
    let mut list: Vec<&'l T> = Vec::new();
    for value in &p.values {
        let numbered = |text: &str| {
            let stem = text.trim_end_matches(|c: char| c.is_ascii_digit());
            Some((stem.to_string(), text[stem.len()..].parse::<u64>().ok()?))
        };
        let range = value.split_once('-').and_then(|(from, to)| Some((numbered(from)?, numbered(to)?)));
        let matches = |item: &&'l T| {
            let name = name(item);
            match (value.strip_suffix('*'), &range) {
                (Some(stem), _) => name.starts_with(stem),
                (None, Some(((stem, from), (_, to)))) => {
                    name == value || numbered(name).is_some_and(|(s, n)| s == *stem && (*from..=*to).contains(&n))
                }
                (None, None) => name == value,
            }
        };
        // `sd=(sd1,sd*)` names sd1 twice and means it once.
        let found: Vec<&'l T> = all.iter().filter(matches).collect();
        for item in &found {
            if !list.iter().any(|other| std::ptr::eq(*other, *item)) {
                list.push(item);
            }
        }
        if found.is_empty() {
            let names: Vec<&str> = all.iter().map(&name).take(8).collect();
            out.fail(
                &p.origin,
                format!("`{value}` is defined nowhere"),
                format!("here are defined: {}", names.join(", ")),
            );
        }
    }
    list
}

/// Percent of the rate of each workload; what is left is divided evenly among those that say nothing.
pub(super) fn shares(works: &[Work], out: &mut Assembly) -> Option<Vec<f64>> {
    let said: f64 = works.iter().filter_map(|w| w.skew).sum();
    let silent = works.iter().filter(|w| w.skew.is_none()).count();
    let off = if silent == 0 { (said - 100.0).abs() > 0.01 } else { said >= 100.0 };
    if let (true, Some(work)) = (off, works.iter().find(|w| w.skew.is_some())) {
        let what = format!("all skews of the run add up to {said} %");
        let hint = "let them come to 100, or to less when a workload has none";
        out.fail(&work.definition.get("skew")?.origin, what, hint);
        return None;
    }
    let rest = (100.0 - said) / silent.max(1) as f64;
    Some(works.iter().map(|w| w.skew.unwrap_or(rest) / 100.0).collect())
}

/// A range: of percent, or of bytes.
pub(super) fn range(p: &Parameter, out: &mut Assembly) -> Option<(u64, u64)> {
    let read = |text: &str| values::size(text);
    match p.values.as_slice() {
        [from, to] => match (read(from), read(to)) {
            (Ok(from), Ok(to)) if from < to && !(101..=200).contains(&to) => return Some((from, to)),
            (Ok(_), Ok(101..=200)) => {
                out.fail(&p.origin, "wraps around the end of the volume, which is not modelled", "end at 100");
            }
            (Err(what), _) | (_, Err(what)) => out.fail(&p.origin, what, SIZE_HINT),
            _ => out.fail(&p.origin, "ends before it begins", "write range=(40,60) in percent, or (1g,2g)"),
        },
        _ => out.fail(&p.origin, "is not a pair", "write range=(40,60) in percent, or (1g,2g)"),
    }
    None
}

/// Whether workloads differ in nothing but what a line says.
pub(super) fn alike(a: &Work, b: &Work) -> bool {
    let fixed = |w: &Work| matches!(w.sizes, SizeDistribution::Fixed(_));
    let flags = |w: &Work| w.flags.map(|p| p.values.clone());
    fixed(a)
        && fixed(b)
        && a.range == b.range
        && flags(a) == flags(b)
        && matches!((a.seek, b.seek), (Seek::Percent(_), Seek::Percent(_)))
}
