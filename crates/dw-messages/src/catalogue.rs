//! Which sentences there are, and what each is about; their words are in `messages/`.

use super::{Argument, Count, Declared, Figure, List, Sentence, Sentences};

macro_rules! messages {
    ($($name:ident $id:literal { $($arg:ident: $type:ty),* })*) => {
        $(
            #[doc = concat!("The sentence `", $id, "` of `messages/en.ftl`; made by [`say!`](crate::say).")]
            #[allow(missing_docs)]
            pub struct $name { $(pub $arg: $type),* }
            impl From<$name> for Sentence {
                fn from(message: $name) -> Sentence {
                    let $name { $($arg),* } = message;
                    Sentence::new($id, [$((stringify!($arg), Argument::arg($arg))),*])
                }
            }
        )*
        /// All of them.
        pub const ALL: &[Declared] = &[
            $(Declared { id: $id, args: &[$((stringify!($arg), <$type as Argument>::KIND)),*] },)*
        ];
    };
}

/// The message of that name.
pub(crate) fn declared(id: &str) -> Option<&'static Declared> {
    ALL.iter().find(|declared| declared.id == id)
}

messages! {
    // What a tool or an older document said in its own words.
    Plain "plain" { text: String }
    // plan: the answer.
    PlanAnswer "plan-answer" { plan: String, monthly: Figure, met: Sentence, bound: Figure, next: Sentence }
    PlanMetAlways "plan-met-always" {}
    PlanMetShare "plan-met-share" { share: Figure }
    PlanMetPercentile "plan-met-percentile" { percentile: Figure }
    PlanNext "plan-next" { monthly: Figure }
    PlanNextNone "plan-next-none" {}
    PlanInfeasible "plan-infeasible" { limits: Sentences, nearest: Option<Sentence> }
    PlanInfeasibleNearest "plan-infeasible-nearest" { share: Figure }
    StripeOneDisk "stripe-one-disk" { size: Count }
    StripeFewDisks "stripe-few-disks" { size: Count }
    StripeAsked "stripe-asked" { unit: String }

    // plan: why not a VM size, and why nothing.
    PlanLimit "plan-limit" { limit: String }
    PlanCapacity "plan-capacity" { limit: String, needed: Figure, most: Figure }
    PlanLatency "plan-latency" { limit: String, latency: Figure, most: Figure }
    PlanNeeded "plan-needed" { limit: String, needed: Figure, over: Option<Sentence>, available: Figure, usable: Option<Sentence> }
    PlanNeededOver "plan-needed-over" { intervals: Count, all: Count }
    PlanNeededUsable "plan-needed-usable" { percent: Count }
    PlanCostsSame "plan-costs-same" { plan: String }
    PlanCostsMore "plan-costs-more" { more: Figure, plan: String, monthly: Figure }
    PlanBarred "plan-barred" { reason: String, monthly: Figure }
    PlanNoPremium "plan-no-premium" {}
    PlanWouldCost "plan-would-cost" { monthly: Figure }
    PlanNoneMeets "plan-none-meets" { limit: String }
    PlanNoneTogether "plan-none-together" { limits: List }
    PlanCostMax "plan-cost-max" { most: Figure, cheapest: Figure }
    PlanLists "plan-lists" { plan: String, monthly: Figure }
    PlanMost "plan-most" { limit: String, asked: Figure, most: Figure }

    // plan and explain: what the answer rests on.
    PriceAsked "price-asked" { offers: List }
    Price "price" { offers: List, region: String, edition: String, page: String, source: String }
    PlanReserved "plan-reserved" { term: String }
    PlanZone "plan-zone" { zone: String, region: String }
    PlanHits "plan-hits" { volume: String, share: Figure }
    PlanLocalDisk "plan-local-disk" { volume: String }
    PlanUncachedShared "plan-uncached-shared" {}
    PlanUncachedSeparate "plan-uncached-separate" {}
    PlanNoHits "plan-no-hits" { volume: String }
    PlanOneFigure "plan-one-figure" { percentile: Figure }
    PlanPerDimension "plan-per-dimension" { percentile: Figure }
    PlanIntervals "plan-intervals" { intervals: Count, interval: String, exceeding: Count }
    PlanBursting "plan-bursting" {}
    PlanNoBurstSeries "plan-no-burst-series" {}
    PlanNoBurst "plan-no-burst" {}
    PlanYears "plan-years" { years: Count }
    MeanLatencies "mean-latencies" {}
    PlanOffers "plan-offers" { sizes: Count, disks: Count, left_out: List }
    KeyUnused "key-unused" { key: String, why: Sentence }
    KeyUnusedOf "key-unused-of" { volume: String, key: String, why: Sentence }
    KeyNoGrowth "key-no-growth" {}
    KeyNoSeries "key-no-series" {}
    KeyNoProcessorLoad "key-no-processor-load" {}
    KeyNoProcessors "key-no-processors" {}
    KeyNoBusy "key-no-busy" {}
    KeyNotOnOffer "key-not-on-offer" { offer: String, meter: String }
    KeySeriesInstead "key-series-instead" { volumes: List }
    KeySplitIops "key-split-iops" {}
    KeySplitThroughput "key-split-throughput" {}
    KeySeriesKnows "key-series-knows" {}
    KeyNoCache "key-no-cache" {}
    KeyOneDisk "key-one-disk" {}
    KeyOsDisk "key-os-disk" {}
    LatencyGiven "latency-given" { places: List }
    LatencyOwn "latency-own" { places: List, model: String, grade: String }
    LatencyDefault "latency-default" { places: List, medium: String, setting: String, grade: String, read: Figure, read_else: List, write: Figure, write_else: List }
    LatencyOfMiss "latency-of-miss" { places: List, medium: String, setting: String, grade: String, mean: Figure, mean_else: List }

    // explain: the finding.
    ExplainCarries "explain-carries" { nearest: Option<Sentence> }
    ExplainNearest "explain-nearest" { limit: String, used: Figure }
    ExplainMeasured "explain-measured" { shows: Sentences, advice: Option<Sentence> }
    ExplainCarriesMeasured "explain-carries-measured" { shows: Sentences }
    ExplainCarriesElse "explain-carries-else" { shows: Sentences }
    ExplainFixed "explain-fixed" { limit: String, asked: Figure, available: Figure, advice: Option<Sentence> }
    ExplainBinds "explain-binds" { limit: String, times: Option<Sentence>, gets: Option<Sentence>, others: Option<Sentence>, advice: Option<Sentence> }
    ExplainTimes "explain-times" { intervals: Count, all: Count }
    ExplainGets "explain-gets" { volume: String, asked: Figure, gets: Figure, share: Figure }
    ExplainOthers "explain-others" { limits: List }
    ExplainAdvice "explain-advice" { change: Sentence }

    // explain: what a measurement shows.
    ShowsLimit "shows-limit" { volume: String, iops: Figure, throughput: Figure, limit: String, used: Figure, credits: Option<Sentence> }
    ShowsLimitCredits "shows-limit-credits" { lasts: Figure }
    ShowsCredits "shows-credits" { volume: String, iops: Figure, throughput: Figure, limit: String, lasts: Figure }
    ShowsCache "shows-cache" { volume: String, iops: Figure, throughput: Figure, served: Sentence, why: Sentence }
    ShowsCacheServes "shows-cache-serves" { share: Figure }
    ShowsCacheServesNone "shows-cache-serves-none" {}
    ShowsCacheSmall "shows-cache-small" {}
    ShowsCacheCold "shows-cache-cold" {}
    ShowsDepth "shows-depth" { volume: String, iops: Figure, throughput: Figure, in_flight: Figure, latency: Figure, most: Figure, next: Option<Sentence>, idle: Option<Sentence> }
    ShowsDepthNext "shows-depth-next" { needed: Count, gives: Figure, limit: String }
    ShowsDepthIdle "shows-depth-idle" { disks: Count }
    ShowsSlow "shows-slow" { volume: String, iops: Figure, throughput: Figure, latency: Figure, model: Figure }
    ShowsNotAsked "shows-not-asked" { volume: String, iops: Figure, throughput: Figure }
    ShowsUnknown "shows-unknown" { volume: String, iops: Figure, throughput: Figure }

    // explain: changes.
    Change "change" { what: Sentence, cost: Sentence }
    ChangeVm "change-vm" { new: String, old: String }
    ChangeDisk "change-disk" { new: String, old: String, volume: String }
    ChangeStripe "change-stripe" { count: Count, disk: String, before: Count, volume: String }
    ChangeProvision "change-provision" { disks: String, new: Sentence, old: Sentence, volume: String }
    ChangeBought "change-bought" { capacity: Figure, iops: Figure, throughput: Figure }
    ChangeBoughtUnknown "change-bought-unknown" {}
    ChangeCache "change-cache" { new: String, old: String, volume: String }
    ChangeFree "change-free" {}
    ChangeCosts "change-costs" { monthly: Figure }
    ChangeUnpriced "change-unpriced" { offers: List, region: String }

    // explain: recordings that stop at a level, missing inputs, assumptions.
    ThrottledAt "throttled-at" { volume: String, share: Figure, iops: Figure, throughput: Figure, limit: String }
    ThrottledElsewhere "throttled-elsewhere" { volume: String, share: Figure, iops: Figure, throughput: Figure }
    MissingMeasurement "missing-measurement" {}
    MissingDemand "missing-demand" {}
    MissingSeries "missing-series" { file: String }
    MissingDepth "missing-depth" { volume: String }
    MissingWorkingSet "missing-working-set" { volume: String, file: String }
    MissingPrices "missing-prices" { region: String }
    ExplainOneFigure "explain-one-figure" { percentile: Figure }
    ExplainIntervals "explain-intervals" { intervals: Count, interval: String, exceeding: Count, percentile: Figure }
    ExplainNoCredits "explain-no-credits" {}
    ExplainCredits "explain-credits" {}
    ExplainMore "explain-more" { percent: Count }
    ExplainElse "explain-else" {}
    ExplainHits "explain-hits" { volume: String, share: Figure }
    ExplainHitsLeast "explain-hits-least" { volume: String, share: Figure }
    ExplainWriteBack "explain-write-back" { volume: String }

    // simulate: what throttles a volume.
    BindingIdle "binding-idle" { volume: String }
    BindingWriteBack "binding-write-back" { volume: String, disks: String }
    BindingAtTimes "binding-at-times" { volume: String, limit: String, unused: Figure, waiting: Figure }
    BindingThrottled "binding-throttled" { volume: String, limit: String, active: Option<Sentence>, available: Sentence, remedy: Option<Sentence>, next: Option<Sentence> }
    BindingActive "binding-active" { active: Figure, run: Figure }
    BindingOneDisk "binding-one-disk" { disks: String, available: Figure }
    BindingDisks "binding-disks" { disks: String, available: Figure }
    BindingVm "binding-vm" { vm: String, available: Figure, behind: Sentence }
    BindingOurVm "binding-our-vm" { available: Figure, behind: Sentence }
    BehindAll "behind-all" {}
    BehindV2 "behind-v2" {}
    BehindOthers "behind-others" {}
    RemedyDisksOrCache "remedy-disks-or-cache" {}
    RemedyDisks "remedy-disks" {}
    RemedyUncached "remedy-uncached" {}
    RemedyCached "remedy-cached" {}
    BindingNextExhausted "binding-next-exhausted" { limit: Sentence, available: Figure }
    BindingNextNearly "binding-next-nearly" { limit: Sentence, available: Figure }
    BindingNext "binding-next" { limit: Sentence, available: Figure, left: Figure }
    LimitOf "limit-of" { limit: String, place: String }
    BindingRate "binding-rate" { volume: String, iops: Figure }
    BindingThink "binding-think" { volume: String, iops: Figure }
    BindingDepth "binding-depth" { volume: String, depth: Figure, latency: Figure, iops: Figure }

    // simulate: doubts.
    DoubtPartial "doubt-partial" { after: Figure }
    DoubtNothing "doubt-nothing" {}
    DoubtJobEnded "doubt-job-ended" { job: String, error: String }
    DoubtColdCache "doubt-cold-cache" { volume: String, hits: Figure, files: Figure, pass: Figure, ran: Figure }
    DoubtIdleDisks "doubt-idle-disks" { volume: String, depth: Figure, disks: Count }
    DoubtVaries "doubt-varies" { volume: String, width: Figure }
    DoubtFew "doubt-few" { volume: String, ios: Count }
    DoubtCreditsOutAt "doubt-credits-out-at" { limit: Sentence, after: Figure, sustained: Figure }
    DoubtCreditsOut "doubt-credits-out" { limit: Sentence, sustained: Figure }
    DoubtOnCredits "doubt-on-credits" { limit: Sentence, spent: Figure, lasts: Figure, sustained: Figure }
    DoubtDirty "doubt-dirty" { dirty: Figure }

    // verify.
    VerifyMet "verify-met" { requirements: Count }
    VerifyAnswer "verify-answer" { requirements: Count, met: Count, not_met: Count, not_proven: Count }
    CauseNoFigure "cause-no-figure" {}
    CauseAgrees "cause-agrees" {}
    CauseLess "cause-less" { limit: String, rate: Figure }
    CauseMore "cause-more" { limit: String, rate: Figure }
    CauseNoise "cause-noise" { error: Figure }
    CauseDoubt "cause-doubt" { doubt: Sentence }
    CauseMedium "cause-medium" { measured: Figure, model: Figure }
    CauseMediumOnly "cause-medium-only" {}
    CauseNotPredicted "cause-not-predicted" {}
    CauseNotShown "cause-not-shown" {}

    // calibrate: scenarios that are excluded.
    ExcludedUnfinished "excluded-unfinished" {}
    ExcludedMixed "excluded-mixed" {}
    ExcludedThrottled "excluded-throttled" { limit: String }
    ExcludedNoPercentiles "excluded-no-percentiles" {}
    ExcludedNoMedian "excluded-no-median" { percentiles: List }
    ExcludedLarge "excluded-large" {}
    ExcludedNotPredicted "excluded-not-predicted" {}
    ExcludedWaitsRate "excluded-waits-rate" {}
    ExcludedWaitsDepth "excluded-waits-depth" {}

    // bench: warnings.
    WarnGovernor "warn-governor" { governor: String }
    WarnLoad "warn-load" { load: Figure, processors: Count }
    WarnNoDirect "warn-no-direct" { volume: String, path: String, file_system: Sentence, size: Option<Sentence> }
    WarnNoDirectSize "warn-no-direct-size" { file: Figure, memory: Figure }
    WarnThisFileSystem "warn-this-file-system" {}
    WarnPartial "warn-partial" {}
    WarnClientCpu "warn-client-cpu" { busy: Figure }
    WarnMachineCpu "warn-machine-cpu" { busy: Figure }
    WarnOthers "warn-others" { busy: Figure }
    WarnShort "warn-short" { ran: Figure }
    WarnFew "warn-few" { ios: Count }
    WarnDrift "warn-drift" { first: Figure, last: Figure }
    WarnPageCache "warn-page-cache" { volume: String, share: Figure, path: String }
    WarnEmulator "warn-emulator" { doubt: Sentence }
    WarnClientLate "warn-client-late" { seen: Figure, direction: String, volume: String, given: Figure }
    WarnFileSize "warn-file-size" { files: Figure, cache: Figure }
    WarnTimeline "warn-timeline" {}
    WarnNoHostCache "warn-no-host-cache" {}
    ExcludedPageCache "excluded-page-cache" { option: String }

    // bench: what a curve shows.
    Finding "finding" { curve: String, from: String, shows: Sentence }
    Knee "knee" { depth: Figure, iops: Figure, latency: Figure, most: Figure, near_depth: Figure, near_latency: Figure }
    Crossover "crossover" { size: Figure, throughput: Figure, iops: Figure }
    Rise "rise" { lowest: Figure, load: Figure, iops: Figure, latency: Figure }
}
