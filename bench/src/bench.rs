//! What a bench is: rows that are run several times, each with a figure and, where there is one, a goal.

use std::time::Duration;

/// How much to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Enough to check the result; for tests.
    Tiny,
    /// Enough to measure.
    Real,
}

impl Size {
    /// One of two values.
    pub fn pick<T>(self, tiny: T, real: T) -> T {
        if self == Size::Tiny { tiny } else { real }
    }
}

/// Rows that belong together.
#[derive(Clone, Debug)]
pub struct Bench {
    /// Its name on the command line.
    pub name: &'static str,
    pub is_for: &'static str,
    /// What it does not tell.
    pub not_for: &'static str,
    /// What is measured.
    pub rows: Vec<Row>,
}

/// One figure.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name within the bench.
    pub name: &'static str,
    /// The unit of the figure.
    pub unit: Unit,
    /// What it should reach.
    pub target: Option<Target>,
    /// The row (`bench/row`) of the peer that it is compared with.
    pub peer: Option<&'static str>,
    /// Does it once; `Err` says why it could not be done here.
    pub run: fn(Size) -> Result<Sample, String>,
}

/// What a figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Millions of simulated I/Os (or accesses, or events) a second of processor time.
    MillionsPerSecond,
    /// Seconds of processor time for the whole.
    Seconds,
    /// Seconds on the clock, on as many processors as there are.
    SecondsWaited,
    /// Milliseconds of processor time for the whole.
    Milliseconds,
    /// Microseconds of processor time for each of something.
    MicrosecondsEach,
    /// Bytes for each of something.
    BytesEach,
    /// Megabytes a second of processor time.
    MegabytesPerSecond,
    Megabytes,
}

impl Unit {
    /// As printed.
    pub fn name(self) -> &'static str {
        match self {
            Unit::MillionsPerSecond => "M/s",
            Unit::Seconds | Unit::SecondsWaited => "s",
            Unit::Milliseconds => "ms",
            Unit::MicrosecondsEach => "µs",
            Unit::BytesEach => "B",
            Unit::MegabytesPerSecond => "MB/s",
            Unit::Megabytes => "MB",
        }
    }
    /// Whether a larger figure is better.
    pub fn more_is_better(self) -> bool {
        matches!(self, Unit::MillionsPerSecond | Unit::MegabytesPerSecond)
    }
}

/// What should be reached, and what must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    Figure {
        /// What is wanted.
        goal: f64,
        /// The least that is accepted; infinite where nothing is said.
        floor: f64,
    },
    /// So many times the figure of the row's peer in the same run: what two machines of one kind do differs by a factor of two, and this hardly.
    TimesPeer(f64),
}

/// One run of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// I/Os, accesses or things counted.
    pub work: u64,
    /// Processor time; zero where none is measured.
    pub time: Duration,
    /// The figure, where it is no time.
    pub amount: f64,
}

impl Sample {
    /// So much work in so much time.
    pub fn timed(work: u64, time: Duration) -> Sample {
        Sample { work, time, amount: 0.0 }
    }
    /// The figure in this unit.
    pub fn figure(&self, unit: Unit) -> f64 {
        match unit {
            Unit::MillionsPerSecond | Unit::MegabytesPerSecond => self.work as f64 / self.time.as_secs_f64() / 1e6,
            Unit::Seconds | Unit::SecondsWaited => self.time.as_secs_f64(),
            Unit::Milliseconds => self.time.as_secs_f64() * 1e3,
            Unit::MicrosecondsEach => self.time.as_secs_f64() * 1e6 / self.work as f64,
            Unit::BytesEach => self.amount / self.work as f64,
            Unit::Megabytes => self.amount / 1e6,
        }
    }
}

/// What several runs of a row come to.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The bench's name.
    pub bench: &'static str,
    pub row: Row,
    /// Every run.
    pub samples: Vec<Sample>,
}

impl Measured {
    /// `bench/row`.
    pub fn id(&self) -> String {
        format!("{}/{}", self.bench, self.row.name)
    }
    /// The median figure.
    pub fn median(&self) -> f64 {
        median(self.samples.iter().map(|sample| sample.figure(self.row.unit)).collect())
    }
    /// Smallest and largest figure.
    pub fn range(&self) -> (f64, f64) {
        let figures = self.samples.iter().map(|sample| sample.figure(self.row.unit));
        figures.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), f| (low.min(f), high.max(f)))
    }
    /// That of its peer among the rows of a run.
    pub fn peer<'a>(&self, all: &'a [Measured]) -> Option<&'a Measured> {
        self.row.peer.and_then(|id| all.iter().find(|other| other.id() == id))
    }
    /// How the median stands to its target among the rows of a run.
    pub fn verdict(&self, all: &[Measured]) -> Option<&'static str> {
        let (goal, floor) = match (self.row.target?, self.peer(all)) {
            (Target::Figure { goal, floor }, _) => (goal, floor),
            (Target::TimesPeer(times), Some(peer)) if self.row.unit.more_is_better() => {
                (times * peer.median(), f64::NEG_INFINITY)
            }
            (Target::TimesPeer(times), Some(peer)) => (peer.median() / times, f64::INFINITY),
            (Target::TimesPeer(_), None) => return Some("its peer did not run"),
        };
        let reaches = |bound: f64| {
            if self.row.unit.more_is_better() { self.median() >= bound } else { self.median() <= bound }
        };
        Some(match (reaches(goal), reaches(floor)) {
            (true, _) => "goal met",
            (false, true) if floor.is_finite() => "floor met",
            (false, true) => "below the goal",
            (false, false) => "below the floor",
        })
    }
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    let middle = figures.len() / 2;
    if figures.len() % 2 == 1 { figures[middle] } else { (figures[middle - 1] + figures[middle]) / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(unit: Unit, target: Target, seconds: &[f64]) -> Measured {
        let row = Row { name: "r", unit, target: Some(target), peer: None, run: |_| Err(String::new()) };
        let sample = |&s: &f64| Sample::timed(30_000_000, Duration::from_secs_f64(s));
        Measured { bench: "b", row, samples: seconds.iter().map(sample).collect() }
    }

    #[test]
    fn the_median_decides_in_the_direction_of_the_unit() {
        let rate = Target::Figure { goal: 20.0, floor: 10.0 };
        let time = Target::Figure { goal: 1.0, floor: 2.0 };
        let no_floor = Target::Figure { goal: 1.0, floor: f64::INFINITY };
        let cases: [(Unit, Target, &[f64], f64, &str); 7] = [
            (Unit::MillionsPerSecond, rate, &[1.0, 9.0, 1.5], 20.0, "goal met"),
            (Unit::MillionsPerSecond, rate, &[2.0, 0.1, 2.0], 15.0, "floor met"),
            (Unit::MillionsPerSecond, rate, &[6.0], 5.0, "below the floor"),
            (Unit::Seconds, time, &[0.5, 1.0], 0.75, "goal met"),
            (Unit::Seconds, time, &[2.0], 2.0, "floor met"),
            (Unit::Seconds, no_floor, &[2.0], 2.0, "below the goal"),
            (Unit::Seconds, time, &[3.0, 1.0, 9.0], 3.0, "below the floor"),
        ];
        for (unit, target, seconds, median, verdict) in cases {
            let measured = measured(unit, target, seconds);
            assert!((measured.median() - median).abs() < 1e-9, "{seconds:?}: {}", measured.median());
            assert_eq!(measured.verdict(&[]), Some(verdict), "{seconds:?}");
        }
    }

    #[test]
    fn a_peer_is_left_behind_in_the_direction_of_the_unit() {
        let cases = [
            (Unit::MillionsPerSecond, 1.0, 2.0, "goal met"),
            (Unit::MillionsPerSecond, 1.1, 2.0, "below the goal"),
            (Unit::Seconds, 1.0, 2.0, "goal met"),
            (Unit::Seconds, 2.0, 1.0, "below the goal"),
        ];
        for (unit, own, peer, verdict) in cases {
            let mut own = measured(unit, Target::TimesPeer(2.0), &[own]);
            own.row.peer = Some("b/peer");
            let mut peer = measured(unit, Target::TimesPeer(2.0), &[peer]);
            peer.row.name = "peer";
            assert_eq!(own.verdict(&[peer]), Some(verdict), "{unit:?}");
            assert_eq!(own.verdict(&[]), Some("its peer did not run"));
        }
    }
}
