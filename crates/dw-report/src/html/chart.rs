//! Charts as SVG that stretches to the width there is: lines keep their width, texts their size.
//!
//! A chart is three drawings next to each other: texts of the vertical axis, the area, texts of the horizontal axis. Only the
//! area is scaled, so that a phone shows the same letters as a screen.

use dw_messages::Language;
use maud::{Markup, html};

use crate::chart::{Bars, Chart, Line};
use crate::content::Pipe;

/// Colours and dashes that the style knows.
const STYLES: usize = 6;

/// A chart with what belongs under it.
pub(super) fn chart(chart: &Chart, under: &Markup, lang: &Language) -> Markup {
    html! {
        figure.chart.low[chart.low] {
            figcaption {
                span { (chart.title) }
                @if chart.lines.len() > 1 || !chart.spans.is_empty() || !chart.limits.is_empty() { (legend(chart, lang)) }
            }
            div.plot role="img" aria-label=(chart.title) {
                svg.y aria-hidden="true" {
                    @for (place, text) in &chart.y {
                        text x="100%" y={ (percent(1.0 - place)) "%" } dy=".35em" text-anchor="end" { (lang.figure(text)) }
                    }
                }
                svg.area viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true" {
                    @for (from, to) in &chart.spans {
                        rect.span x=(at(*from)) y="0" width=(at(to - from)) height="1000" {}
                    }
                    @for (place, _) in &chart.y {
                        path.grid d={ "M0 " (at(1.0 - place)) "H1000" } {}
                    }
                    @for (from, to, height, _) in &chart.columns {
                        rect.bar.c0 x=(at(*from)) y=(at(1.0 - height)) width=(at((to - from) * 0.92)) height=(at(*height)) {}
                    }
                    @for (place, _) in &chart.limits {
                        @if let Some(place) = place { path.limit.over[chart.exceeds(*place)] d={ "M0 " (at(1.0 - place)) "H1000" } {} }
                    }
                    @for (style, line) in styled(chart).rev() {
                        path.line.(style) d=(strokes(line)) {}
                    }
                }
                svg.x aria-hidden="true" {
                    @for (place, text) in &chart.x {
                        text x={ (percent(*place)) "%" } y="1em" text-anchor=(anchor(*place)) { (lang.figure(text)) }
                    }
                }
            }
            (under)
        }
    }
}

fn legend(chart: &Chart, lang: &Language) -> Markup {
    html! {
        ul.legend {
            @for (style, line) in styled(chart) {
                li { svg.swatch viewBox="0 0 24 12" aria-hidden="true" { path.line.(style) d="M0 6H24" {} } (line.name) }
            }
            @for (place, name) in &chart.limits {
                @let over = place.is_some_and(|place| chart.exceeds(place));
                li { svg.swatch viewBox="0 0 24 12" aria-hidden="true" { path.limit.over[over] d="M0 6H24" {} } (lang.figure(name)) }
            }
            @if !chart.spans.is_empty() {
                li { svg.swatch viewBox="0 0 24 12" aria-hidden="true" { rect.span width="24" height="12" {} } (chart.spans_name) }
            }
        }
    }
}

/// Lines with their classes: what was recorded has one of its own.
fn styled(chart: &Chart) -> impl DoubleEndedIterator<Item = (String, &Line)> {
    let mut planned = 0;
    let styled = chart.lines.iter().map(move |line| {
        let style = if line.recorded { "recorded".to_string() } else { format!("c{}", planned % STYLES) };
        planned += usize::from(!line.recorded);
        (style, line)
    });
    styled.collect::<Vec<_>>().into_iter()
}

/// At the ends a text stays within the chart.
fn anchor(place: f64) -> &'static str {
    match place {
        p if p < 0.02 => "start",
        p if p > 0.98 => "end",
        _ => "middle",
    }
}

/// A place as the drawing counts: thousandths, to a tenth.
fn at(place: f64) -> String {
    trimmed(format!("{:.1}", place * 1_000.0))
}

fn percent(place: f64) -> String {
    trimmed(format!("{:.2}", place * 100.0))
}

fn trimmed(text: String) -> String {
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

fn strokes(line: &Line) -> String {
    let mut path = String::new();
    for stroke in &line.strokes {
        for (index, (x, y)) in stroke.iter().enumerate() {
            path.push(if index == 0 { 'M' } else { 'L' });
            path.push_str(&format!("{} {}", at(*x), at(1.0 - y)));
        }
        // A single point shows as a dot.
        if stroke.len() == 1 {
            path.push_str("h0");
        }
    }
    path
}

/// Bars next to their names, with what belongs under them.
pub(super) fn bars(bars: &Bars, under: &Markup, lang: &Language) -> Markup {
    let longest = bars.bars.iter().map(|bar| bar.parts.iter().sum::<f64>()).fold(1e-9, f64::max);
    let most = bars.whole.map_or(longest, |whole| whole.max(longest));
    html! {
        figure.bars {
            figcaption {
                span { (bars.title) }
                @if bars.parts.len() > 1 {
                    ul.legend {
                        @for (index, part) in bars.parts.iter().enumerate() {
                            li { svg.swatch viewBox="0 0 24 12" aria-hidden="true" { rect.bar.{ "c" (index % STYLES) } width="24" height="12" {} } (part) }
                        }
                    }
                }
            }
            ul.rows {
                @for bar in &bars.bars {
                    li.marked[bar.marked] {
                        span.name { (bar.name) }
                        svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true" {
                            @for (index, part) in bar.parts.iter().enumerate() {
                                @let from: f64 = bar.parts[..index].iter().sum();
                                rect.bar.{ "c" (index % STYLES) } x=(at(from / most)) width=(at(part / most)) height="10" {}
                            }
                        }
                        span.text { (lang.figure(&bar.text)) }
                    }
                }
            }
            (under)
        }
    }
}

/// A piece of pipe: its height is its width, the part that flows is filled.
pub(super) fn pipe(pipe: &Pipe) -> Markup {
    let height = 80.0 + 320.0 * pipe.width.clamp(0.0, 1.0);
    let flow = height * pipe.used.clamp(0.0, 1.0);
    let rect = |height: f64| (trimmed(format!("{:.1}", 200.0 - height / 2.0)), trimmed(format!("{height:.1}")));
    let (wall, inside) = (rect(height), rect(flow));
    html! {
        svg.pipe viewBox="0 0 1000 400" preserveAspectRatio="none" aria-hidden="true" {
            rect.wall x="0" width="1000" y=(wall.0) height=(wall.1) {}
            rect.flow.over[pipe.used > 1.0] x="0" width="1000" y=(inside.0) height=(inside.1) {}
        }
    }
}
