//! When a report was made: fio's three timing fields.

/// A moment of the calendar, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp(u64);

impl Stamp {
    /// `ms` milliseconds after 1970-01-01.
    pub const fn from_milliseconds(ms: u64) -> Stamp {
        Stamp(ms)
    }
    /// Whole seconds.
    pub const fn seconds(self) -> u64 {
        self.0 / 1_000
    }
    /// Milliseconds.
    pub const fn milliseconds(self) -> u64 {
        self.0
    }
    /// Whole months since the beginning of the year 0.
    pub(crate) fn months(self) -> u32 {
        let (year, month, _) = self.day();
        year.saturating_mul(12).saturating_add(month)
    }
    /// Its year, its month and its day, from 1.
    pub fn day(self) -> (u32, u32, u32) {
        let (year, month, day) = civil(self.seconds() / 86_400);
        (u32::try_from(year).unwrap_or(u32::MAX), month as u32 + 1, day as u32)
    }
    /// The same as `2026-11-21`.
    pub fn date(self) -> String {
        let (year, month, day) = self.day();
        format!("{year:04}-{month:02}-{day:02}")
    }
    /// As C's `ctime` prints it: `Sat Nov 21 09:56:29 2026`.
    pub fn calendar(self) -> String {
        let seconds = self.seconds();
        let (days, rest) = (seconds / 86_400, seconds % 86_400);
        let (year, month, day) = civil(days);
        let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][(days % 7) as usize];
        let name = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][month];
        format!("{weekday} {name} {day:2} {:02}:{:02}:{:02} {year}", rest / 3_600, rest / 60 % 60, rest % 60)
    }
}

/// Year, month from 0 and day from 1 of a day counted from 1970-01-01.
fn civil(mut days: u64) -> (u64, usize, u64) {
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    // Whole cycles of 400 years first, so that any number of days ends soon.
    let mut year = 1970 + days / 146_097 * 400;
    days %= 146_097;
    while days >= if leap(year) { 366 } else { 365 } {
        days -= if leap(year) { 366 } else { 365 };
        year += 1;
    }
    let lengths = [31, if leap(year) { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= lengths[month] {
        days -= lengths[month];
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use super::Stamp;

    #[test]
    fn the_calendar_is_right() {
        let cases = [
            (0, "Thu Jan  1 00:00:00 1970"),
            (951_826_496, "Tue Feb 29 12:14:56 2000"),
            (1_795_254_989, "Sat Nov 21 09:56:29 2026"),
            (4_107_542_399, "Sun Feb 28 23:59:59 2100"),
        ];
        for (seconds, text) in cases {
            assert_eq!(Stamp::from_milliseconds(seconds * 1_000).calendar(), text);
        }
    }
}
