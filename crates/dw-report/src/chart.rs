//! Charts as places between 0 and 1: what is drawn, before any markup. Whoever writes them stretches them to the width there is.

use dw_messages::{Language, text};

use crate::axis::{Scale, short, time, times};

/// Steps across a chart: more points than that cannot be seen.
const STEPS: usize = 360;

/// The last percentile that is drawn: beyond it a run says little.
const MOST: f64 = 99.99;

impl Chart {
    /// Whether a line that is of no recording goes beyond this place.
    pub(crate) fn exceeds(&self, place: f64) -> bool {
        let lines = self.lines.iter().filter(|line| !line.recorded);
        lines.flat_map(|line| line.strokes.iter().flatten()).any(|(_, y)| *y > place + 1e-9)
    }
}

/// Lines, spans and columns over two axes.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// What it shows, with the unit.
    pub title: String,
    /// Texts next to the vertical axis: place from the bottom, text.
    pub y: Vec<(f64, String)>,
    /// Texts below the horizontal axis: place from the left, text.
    pub x: Vec<(f64, String)>,
    /// Lines; the first is the foremost.
    pub lines: Vec<Line>,
    /// Limits: place from the bottom, and name; what lies above the chart has no place.
    pub limits: Vec<(Option<f64>, String)>,
    /// Its area is lower than usual.
    pub low: bool,
    /// Stretches that are shaded, from and to, and what they mean.
    pub spans: Vec<(f64, f64)>,
    /// What the shading means.
    pub spans_name: String,
    /// Columns: from, to, height, text.
    pub columns: Vec<(f64, f64, f64, String)>,
}

#[derive(Clone, Debug)]
pub struct Line {
    /// In the legend.
    pub name: String,
    /// Strokes of points; between strokes nothing is known.
    pub strokes: Vec<Vec<(f64, f64)>>,
    /// It was recorded: what others are compared with.
    pub recorded: bool,
}

/// What becomes a line: values at times; a gap where there is none.
#[derive(Clone, Debug)]
pub struct Series {
    /// In the legend.
    pub name: String,
    /// Seconds and value.
    pub points: Vec<(f64, Option<f64>)>,
    /// It was recorded.
    pub recorded: bool,
}

impl Series {
    /// Of a plan or a run.
    pub fn new(name: impl Into<String>, points: Vec<(f64, Option<f64>)>) -> Series {
        Series { name: name.into(), points, recorded: false }
    }
}

/// Bars next to their names.
#[derive(Clone, Debug)]
pub struct Bars {
    /// What they show, with the unit.
    pub title: String,
    /// Parts that a bar is made of, for the legend.
    pub parts: Vec<String>,
    /// One a line.
    pub bars: Vec<Bar>,
    /// What a bar of the whole width stands for; absent = the longest.
    pub whole: Option<f64>,
}

/// One bar.
#[derive(Clone, Debug)]
pub struct Bar {
    pub name: String,
    /// Lengths of its parts.
    pub parts: Vec<f64>,
    /// The figure in words.
    pub text: String,
    /// It is the one to look at.
    pub marked: bool,
}

/// A limit that is so many times as high as the highest peak is drawn; one that is higher still would flatten all else.
const NEAR: f64 = 2.5;

/// Lines over time, from zero. Each step shows the largest of its points, so that peaks stay; none without a point.
pub fn over_time(
    lang: &Language,
    title: impl Into<String>,
    series: &[Series],
    show: &dyn Fn(f64) -> String,
) -> Option<Chart> {
    under_limits(lang, title, series, &[], show)
}

/// The same under limits, by value and name.
pub fn under_limits(
    lang: &Language,
    title: impl Into<String>,
    series: &[Series],
    limits: &[(f64, String)],
    show: &dyn Fn(f64) -> String,
) -> Option<Chart> {
    let all = || series.iter().flat_map(|s| &s.points).filter_map(|(t, v)| Some((*t, (*v)?)));
    let end = all().map(|p| p.0).fold(0.0, f64::max);
    if end <= 0.0 {
        return None;
    }
    let peak = all().map(|p| p.1).fold(0.0, f64::max);
    let is_near = |limit: f64| limit <= peak * NEAR;
    let scale = Scale::from_zero(limits.iter().map(|(limit, _)| *limit).filter(|l| is_near(*l)).fold(peak, f64::max));
    let limit = |(limit, name): &(f64, String)| match is_near(*limit) {
        true => (Some(scale.place(*limit)), format!("{name}: {}", short(&show(*limit)))),
        false => (None, text!(lang, "{name}: {value}, above this chart", name, value = short(&show(*limit)))),
    };
    let line = |s: &Series| {
        let mut strokes = vec![Vec::new()];
        for (t, v) in thinned(&s.points, end) {
            match (v, strokes.last_mut()) {
                (Some(v), Some(stroke)) => stroke.push(((t / end).clamp(0.0, 1.0), scale.place(v))),
                _ => strokes.push(Vec::new()),
            }
        }
        strokes.retain(|stroke| !stroke.is_empty());
        Line { name: s.name.clone(), strokes, recorded: s.recorded }
    };
    Some(Chart {
        title: title.into(),
        y: scale.ticks().into_iter().map(|v| (scale.place(v), short(&show(v)))).collect(),
        x: times(end).into_iter().map(|t| (t / end, time(t, end))).collect(),
        lines: series.iter().map(line).collect(),
        limits: limits.iter().map(limit).collect(),
        ..Chart::default()
    })
}

/// Shares of a limit over time, in percent, with the limit itself.
pub fn shares(lang: &Language, title: impl Into<String>, series: &[Series]) -> Option<Chart> {
    let show = |value: f64| format!("{value:.0} %");
    // All of a limit is always in sight.
    let chart = under_limits(lang, title, series, &[(100.0, text!(lang, "limit"))], &show)?;
    let has_limit = chart.limits.iter().all(|(place, _)| place.is_some());
    if has_limit {
        return Some(Chart { low: true, ..chart });
    }
    let peak = series.iter().flat_map(|s| &s.points).filter_map(|point| point.1).fold(0.0, f64::max);
    // The scale ends at a round number above the peak; all of the limit is at this many times of it.
    let shrunk = Scale::from_zero(peak).top() / 100.0;
    let lower = |strokes: &[Vec<(f64, f64)>]| {
        strokes.iter().map(|stroke| stroke.iter().map(|(x, y)| (*x, y * shrunk)).collect()).collect()
    };
    let lines = chart.lines.iter().map(|line| Line { strokes: lower(&line.strokes), ..line.clone() });
    let ticks = [0.0, 25.0, 50.0, 75.0, 100.0].map(|value| (value / 100.0, show(value)));
    Some(Chart {
        lines: lines.collect(),
        y: ticks.to_vec(),
        limits: vec![(Some(1.0), text!(lang, "limit"))],
        low: true,
        ..chart
    })
}

/// The largest point of each step; a gap only where a step has nothing else.
fn thinned(points: &[(f64, Option<f64>)], end: f64) -> Vec<(f64, Option<f64>)> {
    if points.len() <= STEPS {
        return points.to_vec();
    }
    let mut out: Vec<(f64, Option<f64>)> = Vec::with_capacity(STEPS + 1);
    let mut last = usize::MAX;
    for &(t, v) in points {
        let step = (t / end * STEPS as f64) as usize;
        match out.last_mut() {
            Some(top) if step == last => {
                if v > top.1 {
                    *top = (t, v);
                }
            }
            _ => out.push((t, v)),
        }
        last = step;
    }
    out
}

/// Latency by percentile: the horizontal axis gives each further nine the same room. Points are percentile and nanoseconds.
pub fn percentiles(title: impl Into<String>, lines: &[(String, Vec<(f64, f64)>)]) -> Option<Chart> {
    let seen = |p: &&(f64, f64)| p.0 <= MOST && p.1 > 0.0;
    let all = || lines.iter().flat_map(|l| &l.1).filter(seen);
    let most = all().map(|p| nines(p.0)).fold(0.0, f64::max);
    if most <= 0.0 {
        return None;
    }
    let end = (most - 1e-6).ceil().clamp(2.0, 4.0);
    let scale =
        Scale::decades(all().map(|p| p.1).fold(f64::INFINITY, f64::min), all().map(|p| p.1).fold(0.0, f64::max));
    let line = |(name, points): &(String, Vec<(f64, f64)>)| {
        let stroke = points.iter().filter(seen).map(|p| ((nines(p.0) / end).min(1.0), scale.place(p.1))).collect();
        Line { name: name.clone(), strokes: vec![stroke], recorded: false }
    };
    let ticks = [(50.0, "p50"), (90.0, "p90"), (99.0, "p99"), (99.9, "p99.9"), (MOST, "p99.99")];
    let ticks = ticks.iter().map(|(p, text)| (nines(*p) / end, *text)).filter(|(place, _)| *place <= 1.0 + 1e-9);
    Some(Chart {
        title: title.into(),
        y: scale.ticks().into_iter().map(|v| (scale.place(v), latency(v))).collect(),
        x: ticks.map(|(place, text)| (place, text.to_string())).collect(),
        lines: lines.iter().filter(|l| l.1.iter().any(|p| seen(&p))).map(line).collect(),
        ..Chart::default()
    })
}

/// Values along an axis whose places are as far apart as they are many: 1, 2, 4, 8 of a sweep.
pub fn curve(
    title: impl Into<String>,
    lines: &[(String, Vec<(f64, f64)>)],
    label: &dyn Fn(f64) -> String,
    show: &dyn Fn(f64) -> String,
) -> Option<Chart> {
    let mut places: Vec<f64> = lines.iter().flat_map(|l| l.1.iter().map(|p| p.0)).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let last = places.len().checked_sub(1).filter(|last| *last > 0)? as f64;
    let scale = Scale::from_zero(lines.iter().flat_map(|l| l.1.iter().map(|p| p.1)).fold(0.0, f64::max));
    let place = |at: f64| places.iter().position(|p| *p == at).unwrap_or(0) as f64 / last;
    let line = |(name, points): &(String, Vec<(f64, f64)>)| {
        let stroke = points.iter().map(|p| (place(p.0), scale.place(p.1))).collect();
        Line { name: name.clone(), strokes: vec![stroke], recorded: false }
    };
    let step = places.len().div_ceil(6);
    Some(Chart {
        title: title.into(),
        y: scale.ticks().into_iter().map(|v| (scale.place(v), short(&show(v)))).collect(),
        x: places.iter().step_by(step).map(|at| (place(*at), label(*at))).collect(),
        lines: lines.iter().map(line).collect(),
        ..Chart::default()
    })
}

/// How many nines: 90 % is one, 99 % two.
fn nines(percentile: f64) -> f64 {
    -(1.0 - percentile.min(MOST) / 100.0).log10()
}

/// Nanoseconds at a tick of a logarithmic axis.
fn latency(ns: f64) -> String {
    match ns {
        v if v < 999.0 => format!("{v:.0} ns"),
        v if v < 999e3 => format!("{:.0} us", v / 1e3),
        v if v < 999e6 => format!("{:.0} ms", v / 1e6),
        v => format!("{:.0} s", v / 1e9),
    }
}

/// Columns of a distribution on a logarithmic axis: from, to, share from 0 to 1. Two columns to a doubling: finer ones are
/// mostly empty.
pub fn histogram(
    lang: &Language,
    title: impl Into<String>,
    buckets: &[(f64, f64, f64)],
    show: &dyn Fn(f64) -> String,
) -> Option<Chart> {
    let (first, last) = (buckets.iter().find(|b| b.1 > 0.0)?, buckets.last()?);
    let low = if first.0 > 0.0 { first.0 } else { first.1 / 2.0 };
    let (from, to) = (low.log2().floor(), last.1.log2().ceil().max(low.log2().floor() + 1.0));
    let slots = ((to - from) * 2.0) as usize;
    let mut shares = vec![0.0; slots.max(1)];
    for (bucket_from, bucket_to, share) in buckets {
        let middle = ((bucket_from.max(low * 0.5) + bucket_to) / 2.0).log2();
        let slot = (((middle - from) * 2.0).floor().max(0.0) as usize).min(shares.len() - 1);
        shares[slot] += share;
    }
    let scale = Scale::from_zero(shares.iter().copied().fold(0.0, f64::max) * 100.0);
    let count = shares.len() as f64;
    let column = |(i, share): (usize, &f64)| {
        let (a, b) = ((from + i as f64 / 2.0).exp2(), (from + (i + 1) as f64 / 2.0).exp2());
        let (from, to) = (lang.figure(&show(a)), lang.figure(&show(b)));
        let text = format!("{}: {:.1} %", text!(lang, "{from} to {to}", from, to), share * 100.0);
        (i as f64 / count, (i + 1) as f64 / count, scale.place(share * 100.0), text)
    };
    let labels = ((to - from) as usize).clamp(1, 4);
    let label = |i: usize| {
        let place = i as f64 / labels as f64;
        (place, short(&show((from + (to - from) * place).exp2())))
    };
    Some(Chart {
        title: title.into(),
        y: scale.ticks().into_iter().map(|v| (scale.place(v), short(&format!("{v:.1} %")))).collect(),
        x: (0..=labels).map(label).collect(),
        columns: shares.iter().enumerate().map(column).filter(|c| c.2 > 0.0).collect(),
        ..Chart::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(v: f64) -> String {
        format!("{v:.0}")
    }

    #[test]
    fn peaks_and_gaps_survive_thinning() {
        let mut points: Vec<(f64, Option<f64>)> = (0..10_000).map(|i| (f64::from(i), Some(1.0))).collect();
        points[7_777].1 = Some(80.0);
        points[5_000..5_200].iter_mut().for_each(|p| p.1 = None);
        let chart = over_time(Language::english(), "t", &[Series::new("a", points)], &plain).unwrap();
        let line = &chart.lines[0];
        assert_eq!(line.strokes.len(), 2);
        assert!(line.strokes.iter().map(Vec::len).sum::<usize>() <= STEPS + 1);
        assert!(line.strokes[1].iter().any(|p| p.1 == 1.0), "the peak is at the top");
        assert_eq!(chart.y.last().unwrap().1, "80");
    }

    #[test]
    fn nothing_gives_no_chart() {
        let none = Series::new("a", vec![(0.0, None), (1.0, None)]);
        assert!(over_time(Language::english(), "t", &[none], &plain).is_none());
        assert!(percentiles("t", &[("a".into(), vec![(50.0, 0.0)])]).is_none());
        assert!(histogram(Language::english(), "t", &[], &plain).is_none());
    }

    #[test]
    fn every_nine_has_the_same_room() {
        let points = vec![(50.0, 1e6), (99.0, 2e6), (99.9, 9e6)];
        let chart = percentiles("t", &[("reads".into(), points)]).unwrap();
        let places: Vec<f64> = chart.x.iter().map(|(place, _)| (place * 300.0).round()).collect();
        assert_eq!(places, [30.0, 100.0, 200.0, 300.0]);
        assert_eq!(chart.y.iter().map(|t| t.1.as_str()).collect::<Vec<_>>(), ["1 ms", "10 ms"]);
    }
}
