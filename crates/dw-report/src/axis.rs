//! Axes: which values are written next to a chart, and where.

/// A scale from a value to a place between 0 and 1.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scale {
    /// From, to.
    Linear(f64, f64),
    /// From, to; both above zero.
    Logarithmic(f64, f64),
}

impl Scale {
    /// From zero to a round number at or above `most`.
    pub(crate) fn from_zero(most: f64) -> Scale {
        Scale::Linear(0.0, round_up(most))
    }

    /// The value at its upper end.
    pub(crate) fn top(self) -> f64 {
        match self {
            Scale::Linear(_, to) | Scale::Logarithmic(_, to) => to,
        }
    }

    /// Whole powers of ten about these values.
    pub(crate) fn decades(least: f64, most: f64) -> Scale {
        let from = least.max(1e-12).log10().floor();
        let to = most.max(1e-12).log10().ceil().max(from + 1.0);
        Scale::Logarithmic(10f64.powf(from), 10f64.powf(to))
    }

    /// Where a value is, from 0 to 1; beyond the ends it stays at them.
    pub(crate) fn place(self, value: f64) -> f64 {
        let share = match self {
            Scale::Linear(from, to) => (value - from) / (to - from),
            Scale::Logarithmic(from, to) => (value.max(from).ln() - from.ln()) / (to.ln() - from.ln()),
        };
        share.clamp(0.0, 1.0)
    }

    /// Values to write, few enough that their texts do not meet.
    pub(crate) fn ticks(self) -> Vec<f64> {
        match self {
            Scale::Linear(from, to) => (0..=4).map(|i| from + (to - from) * f64::from(i) / 4.0).collect(),
            Scale::Logarithmic(from, to) => {
                let decades = (to / from).log10().round() as i32;
                let step = (decades / 6 + 1) as usize;
                (0..=decades).step_by(step).map(|i| from * 10f64.powi(i)).collect()
            }
        }
    }
}

/// The next round number, of which a quarter is round, too.
fn round_up(value: f64) -> f64 {
    if value <= 0.0 || !value.is_finite() {
        return 1.0;
    }
    let power = 10f64.powf(value.log10().floor());
    let steps = [1.0, 1.2, 1.6, 2.0, 2.4, 3.2, 4.0, 6.0, 8.0, 10.0];
    steps.map(|step| step * power).into_iter().find(|v| *v >= value * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

/// A figure without zeros that say nothing: `2.40` as `2.4`, `0.0000 ms` as `0 ms`.
pub(crate) fn short(figure: &str) -> String {
    let (number, unit) = figure.split_at(figure.find(' ').unwrap_or(figure.len()));
    let number = if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number };
    format!("{number}{unit}")
}

/// Round times from 0 on, at most five steps of them: on a phone their texts must not meet.
pub(crate) fn times(end: f64) -> Vec<f64> {
    const MINUTE: f64 = 60.0;
    const HOUR: f64 = 3_600.0;
    const DAY: f64 = 86_400.0;
    let small = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0];
    let minutes = [2.0, 5.0, 10.0, 15.0, 30.0].map(|n| n * MINUTE);
    let hours = [1.0, 2.0, 3.0, 6.0, 12.0].map(|n| n * HOUR);
    let days = [1.0, 2.0, 7.0, 14.0, 30.0, 90.0].map(|n| n * DAY);
    let steps = small.into_iter().chain([MINUTE, 90.0]).chain(minutes).chain(hours).chain(days);
    let step = steps.into_iter().find(|step| end / step <= 5.0 + 1e-9).unwrap_or(end / 4.0);
    (0..).map(|i| f64::from(i) * step).take_while(|t| *t <= end * (1.0 + 1e-9)).collect()
}

/// Seconds as an axis writes them, all of one chart in the same unit.
pub(crate) fn time(seconds: f64, end: f64) -> String {
    let (unit, size) = match end {
        e if e < 600.0 => ("s", 1.0),
        e if e < 7_200.0 => ("min", 60.0),
        e if e < 172_800.0 => ("h", 3_600.0),
        _ => ("d", 86_400.0),
    };
    let value = seconds / size;
    // Quarters of a short axis have fractions.
    let text = if end / size < 100.0 { format!("{value:.2}") } else { format!("{value:.0}") };
    format!("{} {unit}", short(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_ticks() {
        assert_eq!(Scale::from_zero(37_631.0).ticks(), [0.0, 10_000.0, 20_000.0, 30_000.0, 40_000.0]);
        assert_eq!(["2.40", "0.0000 ms", "100", "12,500"].map(short), ["2.4", "0 ms", "100", "12,500"]);
        assert_eq!(Scale::from_zero(0.0).ticks(), [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(Scale::from_zero(12.0).place(6.0), 0.5);
        let log = Scale::decades(0.3, 40.0);
        assert_eq!(log.ticks().len(), 4);
        assert!((log.place(1.0) - 1.0 / 3.0).abs() < 1e-9 && log.place(0.0) == 0.0 && log.place(1e9) == 1.0);
    }

    #[test]
    fn times_of_an_axis_share_a_unit() {
        let shown = |end: f64| times(end).into_iter().take(3).map(|t| time(t, end)).collect::<Vec<_>>();
        assert_eq!(shown(60.0), ["0 s", "15 s", "30 s"]);
        assert_eq!(shown(3_600.0), ["0 min", "15 min", "30 min"]);
        assert_eq!(shown(2_700.0), ["0 min", "10 min", "20 min"]);
        assert_eq!(shown(10.0), ["0 s", "2 s", "4 s"]);
        assert_eq!(shown(604_800.0), ["0 d", "2 d", "4 d"]);
        assert_eq!(shown(30.25 * 2_000.0), ["0 h", "6 h", "12 h"]);
    }
}
