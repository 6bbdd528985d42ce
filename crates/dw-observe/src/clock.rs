//! Stamps of all kinds on one axis of nanoseconds, and what a wall clock shows at a point of it.
//!
//! Times of day gain their day from the order: a clock that falls back by more than half a day has passed midnight.
//! Reports without a time stand one interval apart.
//!
//! Ignores: leap seconds; the hour that is repeated in autumn where a file has local time without an offset (its
//! readings are found as time going backwards).

use super::sample::Stamp;

const DAY: i64 = 86_400_000_000_000;
const HOUR: i64 = 3_600_000_000_000;
const MINUTE: i64 = 60_000_000_000;

/// The farthest point of an axis: 146 years, the year 2116 on axes that begin in 1970. Between two points that are
/// plausible lie fewer nanoseconds than an `i64` holds.
pub const FARTHEST: i64 = 1 << 62;

/// Whether anything was recorded then: from a day before the zero of an axis to [`FARTHEST`].
pub fn is_plausible(at: i64) -> bool {
    (-DAY..=FARTHEST).contains(&at)
}

/// A point of an axis of reports, one interval apart each, in nanoseconds.
pub(crate) fn scaled(at: i64, scale: i64) -> i64 {
    at.saturating_mul(scale).clamp(-FARTHEST / 2, FARTHEST)
}

/// What the points of an axis mean. Sources on different kinds of axes cannot be joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Axis {
    /// Nanoseconds since 1970 in UTC; the wall clock was so many minutes ahead.
    Utc {
        /// Minutes ahead of UTC.
        wall_ahead_min: i16,
    },
    /// Nanoseconds since 1970 as the wall clock showed, in an unknown zone.
    Local,
    /// Nanoseconds since the midnight before the recording.
    Day,
    /// Nanoseconds since an unknown instant.
    Since,
    /// Reports, one interval apart.
    #[default]
    Reports,
}

impl Axis {
    /// The axis of a stamp; `offset` is used where the file gives none.
    pub fn from_stamp(stamp: &Stamp, offset: Option<i16>) -> Axis {
        match stamp {
            Stamp::Wall { utc_offset_min, .. } => match utc_offset_min.or(offset) {
                Some(wall_ahead_min) => Axis::Utc { wall_ahead_min },
                None => Axis::Local,
            },
            Stamp::TimeOfDay { .. } => Axis::Day,
            Stamp::Since { .. } => Axis::Since,
            Stamp::Report { .. } => Axis::Reports,
        }
    }
    /// Whether points of the two can be compared.
    pub fn joins(self, other: Axis) -> bool {
        matches!((self, other), (Axis::Utc { .. }, Axis::Utc { .. })) || (self == other && self != Axis::Since)
    }
    /// Whether the hour of the day is known.
    pub fn has_clock(self) -> bool {
        matches!(self, Axis::Utc { .. } | Axis::Local | Axis::Day)
    }
    /// What the wall clock shows, when that is known.
    pub fn wall(self, at: i64) -> Option<Wall> {
        match self {
            Axis::Utc { wall_ahead_min } => Some(Wall::at(at.saturating_add(i64::from(wall_ahead_min) * MINUTE), true)),
            Axis::Local => Some(Wall::at(at, true)),
            Axis::Day => Some(Wall::at(at, false)),
            Axis::Since | Axis::Reports => None,
        }
    }
    /// A point as a person reads it.
    pub fn print(self, at: i64) -> String {
        match self.wall(at) {
            Some(wall) => wall.to_string(),
            None if self == Axis::Reports => format!("report at {} s", at / 1_000_000_000),
            None => format!("{:.3} s", at as f64 / 1e9),
        }
    }
}

/// A date and time on the wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wall {
    /// Year, month from 1, day from 1; absent when only the time of day is known.
    pub date: Option<(i64, u32, u32)>,
    /// Monday is 0; absent without a date.
    pub weekday: Option<u32>,
    /// Seconds since midnight.
    pub second_of_day: u32,
}

impl Wall {
    fn at(ns: i64, dated: bool) -> Wall {
        let days = ns.div_euclid(DAY);
        // 1970-01-01 was a Thursday.
        let weekday = (days + 3).rem_euclid(7) as u32;
        Wall {
            date: dated.then(|| date_of(days)),
            weekday: dated.then_some(weekday),
            second_of_day: (ns.rem_euclid(DAY) / 1_000_000_000) as u32,
        }
    }
}

impl std::fmt::Display for Wall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some((year, month, day)) = self.date {
            write!(f, "{year:04}-{month:02}-{day:02} ")?;
        }
        let s = self.second_of_day;
        write!(f, "{:02}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
    }
}

/// Days since 1970 as a date of the Gregorian calendar.
pub fn date_of(days: i64) -> (i64, u32, u32) {
    // Years begin in March, so that the leap day is the last; 400 years are 146 097 days.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = (day_of_year - (153 * month + 2) / 5 + 1) as u32;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month as u32, day)
}

/// A date as days since 1970.
pub fn days_of(year: i64, month: u32, day: u32) -> i64 {
    let year = year - i64::from(month <= 2);
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let month = i64::from(if month > 2 { month - 3 } else { month + 9 });
    let day_of_year = (153 * month + 2) / 5 + i64::from(day) - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// Turns the stamps of one source into points, in the order of its files.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    day: i64,
    last_time_of_day: Option<i64>,
    file: Option<u32>,
    first_report: i64,
    next_report: i64,
}

impl Clock {
    /// The point of a stamp; reports count one each, to be multiplied by their interval later.
    pub fn point(&mut self, file: u32, stamp: &Stamp, offset: Option<i16>) -> i64 {
        match *stamp {
            Stamp::Wall { ns, utc_offset_min } => {
                ns.saturating_sub(i64::from(utc_offset_min.or(offset).unwrap_or(0)) * MINUTE)
            }
            Stamp::Since { ns } => i64::try_from(ns).unwrap_or(i64::MAX),
            Stamp::TimeOfDay { ns } => {
                let now = i64::try_from(ns).unwrap_or(0).min(DAY);
                if self.last_time_of_day.is_some_and(|last| now < last - 12 * HOUR) {
                    self.day += 1;
                }
                self.last_time_of_day = Some(now);
                self.day * DAY + now
            }
            Stamp::Report { index } => {
                // Another file of the same source goes on where the last one ended.
                if self.file != Some(file) {
                    self.first_report = self.next_report;
                    self.file = Some(file);
                }
                let point = self.first_report + i64::try_from(index).unwrap_or(0);
                self.next_report = self.next_report.max(point + 1);
                point
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_days_agree_over_eight_hundred_years() {
        for (days, date) in [(0, (1970, 1, 1)), (11_016, (2000, 2, 29)), (20_699, (2026, 9, 3)), (-1, (1969, 12, 31))] {
            assert_eq!(date_of(days), date);
        }
        for days in -146_097..146_097 {
            let (y, m, d) = date_of(days);
            assert_eq!(days_of(y, m, d), days);
        }
    }

    #[test]
    fn a_wall_knows_its_weekday_and_midnight_is_passed_by_order() {
        let monday = days_of(2026, 11, 23) * DAY + 9 * HOUR;
        let wall = Axis::Utc { wall_ahead_min: 60 }.wall(monday).unwrap();
        assert_eq!((wall.weekday, wall.to_string().as_str()), (Some(0), "2026-11-23 10:00:00"));
        let mut clock = Clock::default();
        let at = |h: u64| Stamp::TimeOfDay { ns: h * HOUR as u64 };
        let points: Vec<i64> = [22, 23, 0, 1].iter().map(|&h| clock.point(0, &at(h), None) / HOUR).collect();
        assert_eq!(points, [22, 23, 24, 25]);
    }

    #[test]
    fn reports_of_a_second_file_go_on() {
        let mut clock = Clock::default();
        let points: Vec<i64> = [(0, 0), (0, 0), (0, 1), (1, 0), (1, 1)]
            .iter()
            .map(|&(file, index)| clock.point(file, &Stamp::Report { index }, None))
            .collect();
        assert_eq!(points, [0, 0, 1, 2, 3]);
    }
}
