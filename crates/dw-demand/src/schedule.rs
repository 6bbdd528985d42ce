//! How much of a month a machine runs: hours, or a schedule of the week.
//!
//! A schedule is parts with a comma between, each of days and times: `mon-fri 07:00-19:00, sat 08:00-12:00`. Days are one or from one to
//! another; a time that ends no later than it begins ends on the next day; what is in two parts counts once. Of the 10,080 minutes of
//! a week a share runs, and so does of the 730 hours of a month.
//!
//! Ignores: holidays, months of other lengths, minutes that starting takes.

use core::fmt;

use dw_units::Money;

/// Hours in a month, as prices are quoted.
pub const HOURS_A_MONTH: u64 = 730;

const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const DAY: usize = 24 * 60;
const WEEK: usize = 7 * DAY;

/// Hours of the week.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    text: String,
    minutes: u32,
}

impl Schedule {
    /// What stands in a file; else which part of it is none.
    pub fn parse(text: &str) -> Result<Schedule, String> {
        let mut runs = vec![false; WEEK];
        for part in text.split(',').map(str::trim) {
            let (days, times) = part.split_once(' ').and_then(|(d, t)| days(d).zip(times(t.trim()))).ok_or(part)?;
            for day in days {
                let (from, length) = times;
                (from..from + length).for_each(|minute| runs[(day * DAY + minute) % WEEK] = true);
            }
        }
        let minutes = runs.into_iter().filter(|runs| *runs).count() as u32;
        Ok(Schedule { text: text.to_string(), minutes })
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The days of `mon`, `mon-fri`, `sat-mon`.
fn days(text: &str) -> Option<Vec<usize>> {
    let day = |text: &str| DAYS.iter().position(|day| *day == text);
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (day(first)?, day(last)?);
    Some((first..=first + (last + 7 - first) % 7).map(|day| day % 7).collect())
}

/// The first minute of `07:00-19:00` and how many there are.
fn times(text: &str) -> Option<(usize, usize)> {
    let minute = |text: &str| {
        let (hours, minutes) = text.split_once(':')?;
        let digits = |text: &str, most| {
            let n = Some(text).filter(|text| text.len() == 2)?.parse::<usize>().ok()?;
            (n <= most).then_some(n)
        };
        let minute = digits(hours, 24)? * 60 + digits(minutes, 59)?;
        (minute <= DAY).then_some(minute)
    };
    let (from, to) = text.split_once('-')?;
    let (from, to) = (minute(from)?, minute(to)?);
    (from < DAY && from != to).then(|| (from, if to > from { to - from } else { to + DAY - from }))
}

/// The share of a month that a machine runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Running {
    part: u64,
    all: u64,
}

impl Running {
    pub const ALWAYS: Running = Running { part: 1, all: 1 };

    /// So many hours of a month, to a thousand-millionth: what a document says of a schedule is the schedule again.
    pub fn hours_per_month(hours: f64) -> Running {
        Running { part: (hours * 1e9).round() as u64, all: HOURS_A_MONTH * 1_000_000_000 }
    }
    pub fn on(schedule: &Schedule) -> Running {
        Running { part: schedule.minutes.into(), all: WEEK as u64 }
    }
    /// Hours of a month.
    pub fn hours(self) -> f64 {
        self.part as f64 * HOURS_A_MONTH as f64 / self.all as f64
    }
    pub fn is_always(self) -> bool {
        self.part == self.all
    }
    /// What is paid of the price of a month by whoever pays by the hour, to the nearest millionth.
    pub fn paid(self, month: Money) -> Money {
        let (part, all) = (u128::from(self.part), u128::from(self.all));
        let paid = (u128::from(month.get()) * part + all / 2) / all;
        Money::micros(u64::try_from(paid).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_is_the_minutes_of_its_week() {
        let cases = [
            ("mon-fri 07:00-19:00", Ok(60 * 60)),
            ("mon-sun 00:00-24:00", Ok(168 * 60)),
            ("mon 09:30-10:00", Ok(30)),
            ("fri-mon 08:00-09:00", Ok(4 * 60)),
            ("sat 22:00-06:00", Ok(8 * 60)),
            // The night that ends on Monday is that of Sunday; what is in both parts counts once.
            ("sun 22:00-06:00, mon 05:00-07:00", Ok(9 * 60)),
            ("mon-fri 08:00-12:00,mon-fri 10:00-18:00", Ok(50 * 60)),
            ("", Err("")),
            ("07:00-19:00", Err("07:00-19:00")),
            ("mon-fri 7-19", Err("mon-fri 7-19")),
            ("mon-fri 7:00-19:00", Err("mon-fri 7:00-19:00")),
            ("mon 08:00-08:00", Err("mon 08:00-08:00")),
            ("mon 08:00-24:30", Err("mon 08:00-24:30")),
            ("mon 24:00-06:00", Err("mon 24:00-06:00")),
            ("Mon 08:00-09:00", Err("Mon 08:00-09:00")),
            ("mon 08:00-09:00, workdays 08:00-09:00", Err("workdays 08:00-09:00")),
        ];
        for (text, expected) in cases {
            let found = Schedule::parse(text).map(|schedule| schedule.minutes);
            assert_eq!(found, expected.map_err(String::from), "{text}");
        }
    }

    #[test]
    fn hours_are_paid_exactly() {
        let month = Money::micros(730_000_000);
        let paid = |running: Running| running.paid(month).get();
        assert_eq!(paid(Running::ALWAYS), 730_000_000);
        assert_eq!(paid(Running::hours_per_month(220.0)), 220_000_000);
        // 60 of 168 hours.
        let work = Running::on(&Schedule::parse("mon-fri 07:00-19:00").unwrap());
        assert_eq!(paid(work), 260_714_286);
        assert_eq!(paid(Running::hours_per_month(work.hours())), 260_714_286);
        assert_eq!(Running::hours_per_month(730.0).paid(Money::MAX), Money::MAX);
    }
}
