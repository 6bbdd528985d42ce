//! A doubt about a recording: which known pitfall, how grave, what was seen and what it does to a plan.

use dw_demand::Severity;
use dw_messages::{Sentence, say};

use super::sample::Origin;

macro_rules! pitfalls {
    ($($(#[$doc:meta])* $name:ident $code:literal $title:expr;)*) => {
        /// A known way to be misled.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Pitfall { $($(#[$doc])* $name,)* }
        impl Pitfall {
            /// All of them.
            pub const ALL: &[Pitfall] = &[$(Pitfall::$name,)*];
            /// Its number in the documents.
            pub fn code(self) -> &'static str { match self { $(Pitfall::$name => $code,)* } }
            /// In a few words.
            pub fn title(self) -> Sentence { match self { $(Pitfall::$name => $title,)* } }
        }
    };
}

pitfalls! {
    /// A first report counts since boot.
    SinceBoot "P1" say!(PitfallSinceBoot);
    /// Counters wrap, machines restart, devices come and go.
    Reset "P2" say!(PitfallReset);
    /// Long intervals hide peaks; peaks and means do not mix.
    Coarse "P3" say!(PitfallCoarse);
    /// A mean of means is not the mean.
    LatencyMeans "P4" say!(PitfallLatencyMeans);
    /// Percent of time busy is not load.
    Utilisation "P5" say!(PitfallUtilisation);
    /// `svctm` means nothing.
    ServiceTime "P6" say!(PitfallServiceTime);
    /// Busy time is sampled since Linux 5.0.
    UtilisationInflated "P7" say!(PitfallUtilisationInflated);
    /// Queue lengths of Linux 5.0 to 5.6 are wrong.
    QueueField "P8" say!(PitfallQueueField);
    /// KiB and kB.
    UnitsMixed "P9" say!(PitfallUnitsMixed);
    /// Disks, partitions and volumes count the same I/O.
    DoubleCounting "P10" say!(PitfallDoubleCounting);
    /// Requests are merged and split on the way.
    MergesCount "P11" say!(PitfallMergesCount);
    /// The old disk held the demand down.
    Throttled "P12" say!(PitfallThrottled);
    /// Slow disks are asked less.
    ClosedLoop "P13" say!(PitfallClosedLoop);
    /// Memory took reads before the disks saw them.
    PageCache "P14" say!(PitfallPageCache);
    /// Backups and checks are not the application.
    Batch "P15" say!(PitfallBatch);
    /// Local time without a zone.
    Zone "P16" say!(PitfallZone);
    /// Time is missing or goes back.
    Gap "P17" say!(PitfallGap);
    /// Numbers with a comma.
    Locale "P18" say!(PitfallLocale);
    /// Percentiles over idle nights.
    Idle "P19" say!(PitfallIdle);
    /// Flushes and discards are counted as what they are not.
    FlushDiscard "P20" say!(PitfallFlushDiscard);
    /// Too few intervals for the percentile.
    TooFew "N" say!(PitfallTooFew);
    /// Two tools say different things.
    Disagree "T" say!(PitfallDisagree);
    /// Lines that were not understood.
    DamagedLines "L" say!(PitfallDamagedLines);
    /// Older readings were folded into figures.
    Folded "F" say!(PitfallFolded);
    /// Some figures are there and others are not.
    Missing "M" say!(PitfallMissing);
    /// The recording is too short, or lacks hours of the day.
    Hours "H" say!(PitfallHours);
    /// The CPUs were the bottleneck.
    Processors "C" say!(PitfallProcessors);
    /// Data and log may be one volume.
    DataAndLog "D" say!(PitfallDataAndLog);
    /// The interval is not known.
    IntervalUnknown "I" say!(PitfallIntervalUnknown);
}

/// One doubt.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub pitfall: Pitfall,
    /// How grave.
    pub severity: Severity,
    /// What was seen, with figures.
    pub what: Sentence,
    /// What it does to a plan.
    pub effect: Sentence,
    /// What to do, where something can be done.
    pub hint: Option<Sentence>,
    pub count: u64,
    /// Where first.
    pub rows: Vec<Origin>,
}
