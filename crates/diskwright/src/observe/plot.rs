//! Plots as SVG: lines over time, bars of a distribution. Sizes are fixed, colours come from the page's style.

use std::fmt::Write as _;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 200.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 10.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 28.0;
/// Steps across a plot: more points than that cannot be seen.
const STEPS: usize = 800;

/// One line of a plot: seconds and value; a gap where the value is missing.
pub struct Line<'a> {
    /// In the legend, and the style's class.
    pub name: &'a str,
    /// Points in order of time.
    pub points: Vec<(f64, f64)>,
}

/// Lines over time. Each step shows the largest of its points, so that peaks stay; `show` prints a value.
pub fn lines(title: &str, lines: &[Line], show: &dyn Fn(f64) -> String) -> String {
    let all = || lines.iter().flat_map(|l| &l.points).filter(|p| !p.1.is_nan());
    let end = all().map(|p| p.0).fold(0.0, f64::max);
    let most = all().map(|p| p.1).fold(0.0, f64::max);
    if end <= 0.0 {
        return String::new();
    }
    let top = round_up(most);
    let x = |t: f64| LEFT + t / end * (WIDTH - LEFT - RIGHT);
    let y = |v: f64| HEIGHT - BOTTOM - v / top * (HEIGHT - TOP - BOTTOM);
    let mut svg = open(title);
    for i in 0..=4 {
        let value = top * f64::from(i) / 4.0;
        let at = y(value);
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{:.0}\" y2=\"{at:.1}\"/><text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            at + 4.0,
            escape(&show(value))
        );
    }
    for i in 0..=4 {
        let t = end * f64::from(i) / 4.0;
        let anchor = ["start", "middle", "middle", "middle", "end"][i as usize];
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.0}\" text-anchor=\"{anchor}\">{}</text>",
            x(t),
            HEIGHT - 8.0,
            time(t)
        );
    }
    for (index, line) in lines.iter().enumerate() {
        let mut path = String::new();
        let mut pen_up = true;
        for (t, v) in thinned(&line.points, end) {
            if v.is_nan() {
                pen_up = true;
                continue;
            }
            let _ = write!(path, "{}{:.1} {:.1}", if pen_up { "M" } else { "L" }, x(t), y(v));
            pen_up = false;
        }
        let _ = write!(svg, "<path class=\"line c{index}\" d=\"{path}\"/>");
        let _ = write!(
            svg,
            "<text class=\"c{index}\" x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{}</text>",
            WIDTH - RIGHT - 4.0,
            TOP + 10.0 + 14.0 * index as f64,
            escape(line.name)
        );
    }
    svg.push_str("</svg>");
    svg
}

/// The largest point of each step.
fn thinned(points: &[(f64, f64)], end: f64) -> Vec<(f64, f64)> {
    if points.len() <= STEPS {
        return points.to_vec();
    }
    let mut out: Vec<(f64, f64)> = Vec::with_capacity(STEPS + 1);
    let mut last = usize::MAX;
    for &(t, v) in points {
        let step = (t / end * STEPS as f64) as usize;
        match out.last_mut() {
            Some(top) if step == last => {
                if v > top.1 || top.1.is_nan() {
                    *top = (t, v);
                }
            }
            _ => out.push((t, v)),
        }
        last = step;
    }
    out
}

/// Bars of a distribution on a logarithmic axis: from, to, share.
pub fn bars(title: &str, buckets: &[(f64, f64, f64)], show: &dyn Fn(f64) -> String) -> String {
    const WIDE: f64 = 440.0;
    let (Some(first), Some(last)) = (buckets.iter().find(|b| b.1 > 0.0), buckets.last()) else { return String::new() };
    let low = if first.0 > 0.0 { first.0 } else { first.1 / 2.0 };
    let (from, to) = (low.log2().floor(), last.1.log2().ceil().max(low.log2().floor() + 1.0));
    // Two bars to a doubling: finer ones are mostly empty.
    let slots = ((to - from) * 2.0) as usize;
    let mut shares = vec![0.0; slots.max(1)];
    for (bucket_from, bucket_to, share) in buckets {
        let middle = ((bucket_from.max(low * 0.5) + bucket_to) / 2.0).log2();
        let slot = (((middle - from) * 2.0).floor().max(0.0) as usize).min(shares.len() - 1);
        shares[slot] += share;
    }
    let most = shares.iter().copied().fold(0.0, f64::max).max(1e-9);
    let step = (WIDE - LEFT - RIGHT) / shares.len() as f64;
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDE} {HEIGHT}\" class=\"half\" role=\"img\" aria-label=\"{0}\"><title>{0}</title>",
        escape(title)
    );
    for (i, share) in shares.iter().enumerate() {
        let height = share / most * (HEIGHT - 2.0 * TOP - BOTTOM);
        let x = LEFT + step * i as f64;
        let y = HEIGHT - BOTTOM - height;
        let (a, b) = ((from + i as f64 / 2.0).exp2(), (from + (i + 1) as f64 / 2.0).exp2());
        let _ = write!(
            svg,
            "<rect class=\"bar\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{height:.1}\"><title>{} to {}: {:.1} %</title></rect>",
            (step - 1.0).max(0.5),
            escape(&show(a)),
            escape(&show(b)),
            share * 100.0
        );
    }
    let _ = write!(
        svg,
        "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{:.0} %</text>",
        LEFT - 6.0,
        2.0 * TOP + 6.0,
        most * 100.0
    );
    let middle = WIDE / 2.0;
    let _ = write!(svg, "<text x=\"{middle:.0}\" y=\"{TOP:.0}\" text-anchor=\"middle\">{}</text>", escape(title));
    let labels = ((to - from) as usize).clamp(1, 5);
    for i in 0..=labels {
        let power = from + (to - from) * i as f64 / labels as f64;
        let x = LEFT + (power - from) / (to - from) * (WIDE - LEFT - RIGHT);
        let anchor = if i == labels { "end" } else { "middle" };
        let _ = write!(
            svg,
            "<text x=\"{x:.1}\" y=\"{:.0}\" text-anchor=\"{anchor}\">{}</text>",
            HEIGHT - 8.0,
            escape(&show(power.exp2()))
        );
    }
    svg.push_str("</svg>");
    svg
}

fn open(title: &str) -> String {
    format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{0}\"><title>{0}</title>", escape(title))
}

/// The next 1, 2 or 5 times a power of ten.
fn round_up(value: f64) -> f64 {
    if value <= 0.0 {
        return 1.0;
    }
    let power = 10f64.powf(value.log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|step| step * power).into_iter().find(|v| *v >= value).unwrap_or(10.0 * power)
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s < 600.0 => format!("{s:.0} s"),
        s if s < 36_000.0 => format!("{:.0} min", s / 60.0),
        s if s < 864_000.0 => format!("{:.1} h", s / 3_600.0),
        s => format!("{:.1} d", s / 86_400.0),
    }
}

/// Text for markup.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
