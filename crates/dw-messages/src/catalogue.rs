//! Which sentences there are, and what each is about; their words are in `messages/`.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{Argument, Count, Declared, Figure, LimitName, Limits, List, Sentence, Sentences, Word};

macro_rules! messages {
    ($($name:ident $id:literal { $($arg:ident: $type:ty),* })*) => {
        $(
            #[doc = concat!("The sentence `", $id, "` of `messages/en.ftl`; made by [`say!`](crate::say).")]
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
            $(Declared { name: stringify!($name), id: $id, args: &[$((stringify!($arg), <$type as Argument>::KIND)),*] },)*
        ];
    };
}

/// The message of that name.
pub(crate) fn declared(id: &str) -> Option<&'static Declared> {
    // A page of an estate asks a hundred thousand times.
    static BY_ID: LazyLock<HashMap<&'static str, &'static Declared>> =
        LazyLock::new(|| ALL.iter().map(|declared| (declared.id, declared)).collect());
    BY_ID.get(id).copied()
}

messages! {
    // What a tool or an older document said in its own words.
    Plain "plain" { text: String }
    // plan: the answer.
    PlanAnswer "plan-answer" { plan: String, monthly: Figure, met: Sentence, claim: Sentence }
    PlanCheapest "plan-cheapest" { offers: Sentence, bound: Figure, next: Sentence }
    PlanCheapestOnPaper "plan-cheapest-on-paper" { offers: Sentence, bound: Figure, next: Sentence }
    PlanSimpler "plan-simpler" { simpler: Sentence, band: Figure, offers: Sentence, cheapest: Figure, bound: Figure, next: Sentence }
    PlanSimplerOnPaper "plan-simpler-on-paper" { simpler: Sentence, band: Figure, offers: Sentence, cheapest: Figure, bound: Figure, next: Sentence }
    PlanCheapestKnown "plan-cheapest-known" { offers: Sentence, gap: Figure, bound: Figure, next: Sentence }
    PlanSimplerKnown "plan-simpler-known" { simpler: Sentence, band: Figure, offers: Sentence, cheapest: Figure, gap: Figure, bound: Figure, next: Sentence }
    PlanMetOnPaper "plan-met-on-paper" { met: Sentence }
    PlanMetIf "plan-met-if" { met: Sentence }
    PlanAnswerOffers "plan-answer-offers" { sizes: Count, disks: Count }
    PlanAnswerOffersCommitted "plan-answer-offers-committed" { sizes: Count, committed: Count, commitment: String, without: Count, disks: Count }
    PlanSimplerDisks "plan-simpler-disks" {}
    PlanSimplerVm "plan-simpler-vm" {}
    PlanSurer "plan-surer" {}
    PlanMetAlways "plan-met-always" {}
    PlanMetShare "plan-met-share" { share: Figure }
    PlanMetPercentile "plan-met-percentile" { percentile: Figure }
    PlanLeftOut "plan-left-out" { offer: String, key: String, why: Sentence }
    LeftOutPrice "left-out-price" { what: String, give: String }
    LeftOutLimits "left-out-limits" {}
    LeftOutUnknown "left-out-unknown" { why: String }
    LeftOutLocal "left-out-local" {}
    OtherSeries "other-series" {}
    OtherDisks "other-disks" {}
    RelaxReads "relax-reads" { volume: String, from: Figure, to: Figure }
    RelaxWrites "relax-writes" { volume: String, from: Figure, to: Figure }
    RelaxReadPercentile "relax-read-percentile" { of: String, volume: String, from: Figure, to: Figure }
    RelaxWritePercentile "relax-write-percentile" { of: String, volume: String, from: Figure, to: Figure }
    RelaxHeadroom "relax-headroom" { from: Figure, to: Figure }
    RelaxCapacity "relax-capacity" { from: Figure, to: Figure }
    RelaxDisks "relax-disks" { from: Count, to: Count }
    RelaxPercentile "relax-percentile" { from: Figure, to: Figure }
    RelaxHorizon "relax-horizon" { years: Count }
    RelaxReservation "relax-reservation" { term: String }
    RelaxSavingsPlan "relax-savings-plan" { term: String }
    RelaxZone "relax-zone" { zone: String }
    RelaxArm "relax-arm" {}
    RelaxBurstable "relax-burstable" {}
    RelaxKinds "relax-kinds" { kinds: String }
    RelaxConfidential "relax-confidential" {}
    RelaxPreview "relax-preview" {}
    RelaxClosed "relax-closed" {}
    RelaxMetal "relax-metal" {}
    RelaxPrevious "relax-previous" {}
    RelaxLimited "relax-limited" {}
    PlanNext "plan-next" { monthly: Figure }
    PlanNextNone "plan-next-none" {}
    PlanNoCombination "plan-no-combination" {}
    PlanNotCacheable "plan-not-cacheable" { volume: String, size: String }
    PlanInfeasible "plan-infeasible" { limits: Sentences, nearest: Option<Sentence> }
    PlanInfeasibleNearest "plan-infeasible-nearest" { share: Figure }
    PlanInfeasibleNearestOf "plan-infeasible-nearest-of" { share: Figure, volume: String }
    PlanListsWithout "plan-lists-without" { key: String, plan: String, monthly: Figure }
    PlanListsToo "plan-lists-too" { vm: String, reason: Word }
    PlanInfeasibleOtherwise "plan-infeasible-otherwise" { limit: LimitName }
    PlanSimulated "plan-simulated" { time: Figure, kept: Sentence, again: Option<Sentence>, cold: Option<Sentence>, beyond: Option<Sentence> }
    PlanAgain "plan-again" { times: Count, changes: Sentences }
    PlanAgainOf "plan-again-of" { volume: String, direction: String, reserve: Figure }
    PlanAgainDeeper "plan-again-deeper" { volume: String, direction: String, more: Figure }
    PlanAgainRates "plan-again-rates" { reserve: Figure }
    PlanAgainInVain "plan-again-in-vain" { times: Count }
    PlanKeepsAll "plan-keeps-all" { share: Figure }
    PlanKeepsNothing "plan-keeps-nothing" {}
    PlanKeepsRates "plan-keeps-rates" { share: Figure }
    PlanMisses "plan-misses" { missed: Sentences }
    PlanMissesRate "plan-misses-rate" { volume: String, direction: String, share: Figure, promised: Figure, limit: LimitName }
    PlanMissesDepth "plan-misses-depth" { volume: String, direction: String, share: Figure, promised: Figure }
    PlanMissesLatency "plan-misses-latency" { of: String, volume: String, direction: String, latency: Figure, most: Figure }
    PlanCold "plan-cold" { volumes: Sentences }
    PlanColdServed "plan-cold-served" { volume: String, first: Figure, latency: Figure }
    PlanColdFull "plan-cold-full" { volume: String, share: Figure, first: Figure, latency: Figure, after: Figure }
    PlanColdLong "plan-cold-long" { volume: String, share: Figure, first: Figure, latency: Figure, within: Figure }
    PlanBeyond "plan-beyond" { factor: Figure, named: LimitName }
    PlanBeyondOther "plan-beyond-other" { factor: Figure, named: LimitName, first: LimitName }
    // plan: in ten lines.
    SummaryMetIf "summary-met-if" { condition: Sentence }
    SummaryNotMet "summary-not-met" { reason: Sentence }
    SummaryMachine "summary-machine" { size: String, place: String, processors: Count, memory: Figure, system: String }
    SummaryVolume "summary-volume" { volume: String, disks: String, monthly: Figure }
    SummaryVolumeWith "summary-volume-with" { volume: String, disks: String, cache: String, monthly: Figure }
    SummaryVolumeLocal "summary-volume-local" { volume: String }
    SummaryMoreVolumes "summary-more-volumes" { volumes: Count, disks: Count, monthly: Figure }
    SummaryPrice "summary-price" { monthly: Figure, vm: Figure, disks: Figure, licences: Option<Sentence> }
    SummaryPriceNodes "summary-price-nodes" { all: Figure, nodes: Count, monthly: Figure, vm: Figure, disks: Figure, licences: Option<Sentence> }
    SummaryShared "summary-shared" { monthly: Figure }
    SummaryLicences "summary-licences" { monthly: Figure }
    SummaryPayAsYouGo "summary-pay-as-you-go" {}
    SummaryCommitted "summary-committed" { commitment: String }
    SummaryUncommitted "summary-uncommitted" { commitment: String }
    SummaryHours "summary-hours" { hours: Figure, all: Count }
    SummaryListPrices "summary-list-prices" { edition: String }
    SummaryDiskPrices "summary-disk-prices" { edition: String }
    SummarySnapshots "summary-snapshots" { monthly: Figure }
    SummarySnapshotsUnpriced "summary-snapshots-unpriced" { size: Figure }
    SummaryOsDisk "summary-os-disk" { disk: String, monthly: Figure }
    SummaryOsDiskUnpriced "summary-os-disk-unpriced" { disk: String }
    SummaryNotIn "summary-not-in" { lines: Count }
    SummaryLimit "summary-limit" { limit: LimitName, load: Figure, capacity: Figure, left: Figure }
    SummaryBeyond "summary-beyond" { factor: Figure, limit: LimitName }
    SummaryThrottles "summary-throttles" { factor: Figure }
    SummaryCold "summary-cold" { volume: String, share: Figure, first: Figure }
    SummaryCautious "summary-cautious" { limit: LimitName, latency: Figure, most: Figure }
    SummaryPeak "summary-peak" { limit: LimitName, peak: Figure, capacity: Figure }
    SummaryPeakMore "summary-peak-more" { limit: LimitName, more: Count, peak: Figure, capacity: Figure }
    SummaryUnprinted "summary-unprinted" { size: String, rule: String }
    SummaryOutgrown "summary-outgrown" { year: Count }
    SummaryCheaper "summary-cheaper" { saves: Figure, condition: Sentence }
    SummaryCheaperEach "summary-cheaper-each" { saves: Figure, condition: Sentence }
    SummaryNearest "summary-nearest" { share: Figure, monthly: Figure, plan: String }
    SummaryNearestNodes "summary-nearest-nodes" { share: Figure, all: Figure, nodes: Count, monthly: Figure, plan: String }
    SummaryNext "summary-next" {}
    SummaryNextNothing "summary-next-nothing" {}
    // plan: the decision.
    DecisionMet "decision-met" { size: String, disks: Sentences, years: Option<Sentence> }
    DecisionMetIf "decision-met-if" { size: String, disks: Sentences, years: Option<Sentence>, conditions: Count }
    DecisionNotMet "decision-not-met" { size: String, disks: Sentences }
    DecisionYears "decision-years" { years: Count }
    DecisionDisks "decision-disks" { volume: String, disks: String }
    DecisionDisksWith "decision-disks-with" { volume: String, disks: String, cache: String }
    DecisionEach "decision-each" { volume: String, disks: String }
    DecisionEachWith "decision-each-with" { volume: String, disks: String, cache: String }
    DecisionLocal "decision-local" { volume: String }
    TodayReads "today-reads" { volume: String, now: Figure, then: Figure }
    TodayWrites "today-writes" { volume: String, now: Figure, then: Figure }
    CheckRates "check-rates" {}
    CheckReadLatency "check-read-latency" { volume: String, of: String }
    CheckWriteLatency "check-write-latency" { volume: String, of: String }
    CheckSyncLatency "check-sync-latency" { volume: String, of: String }
    CheckKpiWrites "check-kpi-writes" { volume: String, kpi: String }
    CheckKpiReads "check-kpi-reads" { volume: String, kpi: String }
    CheckHeadroom "check-headroom" {}
    CheckSize "check-size" {}
    CheckYears "check-years" {}
    CheckPurchase "check-purchase" {}
    CheckReboot "check-reboot" { volume: String }
    CheckRebootAll "check-reboot-all" {}
    CheckRecording "check-recording" {}
    AskedAll "asked-all" {}
    AskedShare "asked-share" { share: Figure }
    AskedAtMost "asked-at-most" { figure: Figure }
    AskedLatency "asked-latency" { of: String, figure: Figure }
    AskedAtLeast "asked-at-least" { figure: Figure }
    AskedSize "asked-size" { figures: Sentences }
    AskedYears "asked-years" { years: Count }
    FoundServed "found-served" { share: Figure, rate: Figure }
    FoundWithin "found-within" { share: Figure }
    FoundFigure "found-figure" { figure: Figure }
    FoundMeans "found-means" { figure: Figure }
    FoundLatency "found-latency" { mean: Figure, p99: Figure }
    FoundHeadroom "found-headroom" { left: Figure, limit: LimitName }
    FoundSize "found-size" { processors: Count, memory: Figure }
    FoundYears "found-years" { years: Count }
    FoundYearsAll "found-years-all" {}
    FoundCold "found-cold" { latency: Figure, first: Figure, share: Figure }
    FoundColdUntil "found-cold-until" { latency: Figure, first: Figure, share: Figure, after: Figure }
    FoundRecording "found-recording" { time: Figure, interval: Figure }
    ShownSimulation "shown-simulation" { time: Figure }
    ShownLimits "shown-limits" { limits: Count, intervals: Count }
    ShownLimit "shown-limit" { limit: LimitName, load: Figure, capacity: Figure }
    ShownLatency "shown-latency" { grade: String }
    ShownCatalogue "shown-catalogue" { edition: String }
    ShownPrices "shown-prices" { edition: String }
    ShownGrowth "shown-growth" {}
    ShownCold "shown-cold" {}
    ShownAudit "shown-audit" { findings: Count }
    ShownNothing "shown-nothing" {}
    NextRecord "next-record" {}
    NextSize "next-size" {}
    NextBuild "next-build" {}
    NextVerify "next-verify" {}
    CheaperReserved "cheaper-reserved" { years: Count, month: Count }
    CheaperSavingsPlan "cheaper-savings-plan" { years: Count, month: Count }
    // plan: the verdict.
    VerdictMet "verdict-met" {}
    VerdictMetIf "verdict-met-if" { conditions: Sentences }
    VerdictNotMet "verdict-not-met" { reasons: Sentences }
    VerdictNothing "verdict-nothing" {}
    VerdictCredits "verdict-credits" { limit: LimitName, sustained: Figure, left: Figure }
    VerdictOver "verdict-over" { limit: LimitName, share: Figure, asked: Figure }
    VerdictFull "verdict-full" { limit: LimitName }
    VerdictHeadroom "verdict-headroom" { limit: LimitName, left: Figure, asked: Figure }
    VerdictTail "verdict-tail" { of: String, volume: String, direction: String, grade: String }
    VerdictTailLimit "verdict-tail-limit" { of: String, volume: String, direction: String, limit: LimitName }
    VerdictPenalty "verdict-penalty" {}
    VerdictNoProcessors "verdict-no-processors" {}
    VerdictNoMemory "verdict-no-memory" {}
    VerdictNoProcessorsNorMemory "verdict-no-processors-nor-memory" {}
    VerdictUnpriced "verdict-unpriced" { size: String, commitment: String }
    VerdictYears "verdict-years" { year: Count, asked: Count }
    VerdictCold "verdict-cold" { volumes: Sentences }
    VerdictColdLatency "verdict-cold-latency" { volume: String, latency: Figure, first: Figure, most: Figure }
    VerdictColdUnknown "verdict-cold-unknown" { volume: String }
    VerdictRebootShare "verdict-reboot-share" { volume: String, share: Figure, first: Figure, asked: Figure }
    // plan diff.
    DiffNothing "diff-nothing" { cost: Sentence }
    DiffChanges "diff-changes" { changes: List, cost: Sentence }
    DiffCostsMore "diff-costs-more" { more: Figure }
    DiffCostsLess "diff-costs-less" { less: Figure }
    DiffCostsSame "diff-costs-same" {}
    DiffCostsUnknown "diff-costs-unknown" {}
    DiffRegions "diff-regions" { a: String, b: String }
    DiffCurrencies "diff-currencies" { a: String, b: String }
    DiffRegionOption "diff-region-option" {}
    DiffUnpriced "diff-unpriced" { side: String, why: String }
    DiffOwnDisk "diff-own-disk" { side: String, volume: String, disk: String }
    DiffBurstBilled "diff-burst-billed" { side: String, volume: String }
    DiffOperationsBilled "diff-operations-billed" { side: String, volume: String }
    DiffNodes "diff-nodes" { side: String, nodes: Count }
    DiffWindows "diff-windows" { side: String }
    DiffLicences "diff-licences" { side: String, monthly: Figure }
    DiffReserved "diff-reserved" { side: String, term: String }
    DiffSavingsPlan "diff-savings-plan" { side: String, term: String }
    DiffUncommitted "diff-uncommitted" { side: String, commitment: String }
    DiffHours "diff-hours" { side: String, hours: Figure }
    DiffZoneRedundant "diff-zone-redundant" { side: String }
    DiffNoHeadroom "diff-no-headroom" { side: String, why: Sentence }
    DiffNoDemand "diff-no-demand" {}
    DiffCachedElse "diff-cached-else" {}
    StripeOneDisk "stripe-one-disk" { size: Count }
    StripeNearly "stripe-nearly" { size: Count, share: Figure }
    StripeStraddling "stripe-straddling" { size: Count, share: Figure, left: Figure }
    StripeFewDisks "stripe-few-disks" { size: Count }
    StripeAsked "stripe-asked" { unit: String }

    // plan: why not a VM size, and why nothing.
    PlanLimit "plan-limit" { limit: LimitName }
    PlanCapacity "plan-capacity" { limit: LimitName, needed: Figure, most: Figure }
    PlanLatency "plan-latency" { limit: LimitName, latency: Figure, most: Figure }
    PlanNeeded "plan-needed" { limit: LimitName, needed: Figure, over: Option<Sentence>, available: Figure, usable: Option<Sentence> }
    PlanMissesBy "plan-misses-by" { short: Figure, available: Figure, at: Option<Sentence>, needed: Sentence }
    PlanMissesAt "plan-misses-at" { percent: Figure }
    PlanNeededOver "plan-needed-over" { intervals: Count, all: Count }
    PlanAsked "plan-asked" { limit: LimitName, needed: Figure }
    PlanAskedAtMost "plan-asked-at-most" { limit: LimitName, most: Figure }
    PlanNeededHeadroom "plan-needed-headroom" {}
    PlanNeededUsable "plan-needed-usable" { percent: Count }
    LimitExceededIn "limit-exceeded-in" { intervals: Count }
    LimitHeadroomUsedIn "limit-headroom-used-in" { intervals: Count }
    PlanCostsSame "plan-costs-same" { plan: String }
    PlanCostsLess "plan-costs-less" { less: Figure, plan: String, monthly: Figure }
    PlanCostsMore "plan-costs-more" { more: Figure, plan: String, monthly: Figure }
    PlanBarred "plan-barred" { reason: Word, monthly: Figure }
    PlanNoPremium "plan-no-premium" {}
    PlanNotSearched "plan-not-searched" {}
    PlanWouldCost "plan-would-cost" { monthly: Figure }
    PlanNoneMeets "plan-none-meets" { limit: LimitName }
    PlanNoneTogether "plan-none-together" { limits: Limits }
    PlanCostMax "plan-cost-max" { most: Figure, cheapest: Figure }
    PlanCostLicences "plan-cost-licences" { licences: Figure, most: Figure }
    PlanCostMaxToo "plan-cost-max-too" { most: Figure, cheapest: Figure }
    PlanTriedWider "plan-tried-wider" { usual: Count, most: Count }
    PlanTriedWiderBudget "plan-tried-wider-budget" { usual: Count, most: Count, plan: String, monthly: Figure }
    PlanLists "plan-lists" { plan: String, monthly: Figure, reason: Word }
    PlanMostSlots "plan-most-slots" { limit: LimitName, most: Count }

    // plan and explain: what the answer rests on.
    PriceAsked "price-asked" { offers: List }
    Price "price" { offers: List, region: String, edition: String, page: String, source: String }
    PriceNoted "price-noted" { offers: List, region: String, edition: String, page: String, source: String, note: String }
    PlanReserved "plan-reserved" { term: String }
    PlanReservedWith "plan-reserved-with" { term: String, disks: List }
    PlanSavingsPlan "plan-savings-plan" { term: String }
    PlanCommitmentEnded "plan-commitment-ended" { size: String, commitment: String, since: String, page: String }
    PlanReservedBeyond "plan-reserved-beyond" { size: String, ends: String, retires: String }
    PlanUncommitted "plan-uncommitted" { size: String, commitment: String, region: String }
    PlanCommitmentKnown "plan-commitment-known" { sizes: Count, without: Count, commitment: String }
    PlanTermEnds "plan-term-ends" { commitment: String, ends: Count, from: Count, until: Count }
    PlanCommitmentDearer "plan-commitment-dearer" { commitment: String, more: Figure, hours: Figure }
    PlanHours "plan-hours" { hours: Figure, all: Count }
    PlanHoursCommitted "plan-hours-committed" { hours: Figure, all: Count }
    BudgetMetWith "budget-met-with" { assumption: String, plan: String, monthly: Figure }
    BudgetMetWithLicence "budget-met-with-licence" { plan: String, monthly: Figure }
    BillNotIn "bill-not-in" {}
    BillOsDisk "bill-os-disk" { disk: String }
    BillSnapshots "bill-snapshots" { kept: Count, change: Figure, size: Figure }
    PromiseOne "promise-one" { share: Figure, kinds: List, source: String }
    PromiseOneIf "promise-one-if" { share: Figure, kinds: List, source: String }
    PromiseTogether "promise-together" { share: Figure, place: String, source: String }
    PromiseUnknown "promise-unknown" { kind: String }
    PlanZone "plan-zone" { zone: String, region: String }
    PlanZoneOfVm "plan-zone-of-vm" { zone: String, region: String }
    PlanCautious "plan-cautious" { limit: LimitName, latency: Figure, most: Figure }
    PlanHits "plan-hits" { volume: String, share: Figure }
    PlanFloor "plan-floor" { volume: String, share: Figure }
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
    PlanSteadyMemory "plan-steady-memory" {}
    PlanSteadyCapacity "plan-steady-capacity" {}
    PlanSteadyLoad "plan-steady-load" {}
    PlanNoOs "plan-no-os" {}
    PlanOsBeside "plan-os-beside" { disk: String }
    PlanYears "plan-years" { years: Count }
    StageVm "stage-vm" { vm: String }
    StageSet "stage-set" { volume: String, disk: String }
    StageMore "stage-more" { volume: String, more: Count, disk: String }
    StageMoved "stage-moved" { volume: String, disks: String }
    StageCache "stage-cache" { volume: String, cache: String }
    StageTakes "stage-takes" { takes: String, page: String }
    StageMigration "stage-migration" { takes: String, page: String }
    StageUnknown "stage-unknown" {}
    StageInPlace "stage-in-place" {}
    StageStay "stage-stay" { more: Figure, month: Count, plan: String }
    StageReserved "stage-reserved" { size: String, term: String, month: Count, left: Count, monthly: Figure, all: Figure }
    PlanService "plan-service" { name: String, bought: String, price: Sentence, access: String, page: String }
    PlanServicePrice "plan-service-price" { monthly: Figure, date: String }
    PlanServiceUnpriced "plan-service-unpriced" { region: String }
    MoveTakes "move-takes" { what: String, takes: String, page: String }
    PlanLasts "plan-lasts" { years: Count, next: Count }
    PlanHeadroom "plan-headroom" { rates: Figure, capacity: Figure, processors: Figure }
    PlanMemoryFree "plan-memory-free" { free: Figure }
    PlanMemoryUsual "plan-memory-usual" { free: Figure, total: Option<Sentence> }
    PlanMemoryToday "plan-memory-today" { total: Figure }
    PlanMemoryDatabase "plan-memory-database" {}
    PlanAnswerRests "plan-answer-rests" { answer: Sentence, size: String, figures: String }
    PlanAnswerUncommitted "plan-answer-uncommitted" { answer: Sentence, commitment: String }
    PlanOsOnHdd "plan-os-on-hdd" { volume: String, date: String }
    PlanNoCachedLimit "plan-no-cached-limit" { size: String }
    PlanNoCachedLimits "plan-no-cached-limits" { sizes: Count }
    PlanAnswerNodes "plan-answer-nodes" { nodes: Count, monthly: Figure, answer: Sentence }
    PlanAnswerLicences "plan-answer-licences" { answer: Sentence, licences: Figure, without: Figure }
    PlanInterpolated "plan-interpolated" { volumes: List, percentile: Figure }
    PlanLargestInstead "plan-largest-instead" { volumes: List, percentile: Figure }
    PlanGrowth "plan-growth" { factor: Figure }
    PlanGrowthOf "plan-growth-of" { volume: String, load: Figure, held: Figure }
    PlanComfort "plan-comfort" { factor: Figure }
    PlanFilesystems "plan-filesystems" { share: Figure }
    PlanNodes "plan-nodes" { nodes: Count }
    PlanCpuSpeed "plan-cpu-speed" { size: String, factor: Figure, recorded: String, own: String, other: String, page: String, grade: String, known: Count, all: Count }
    PlanCpuSpeedUnknown "plan-cpu-speed-unknown" { size: String, recorded: String, known: Count, all: Count }
    PlanCpuSpeedNone "plan-cpu-speed-none" { recorded: String }
    PlanShared "plan-shared" { volume: String, nodes: Count, monthly: Figure, mounts: Figure, part: Figure, takes: String, most: Count, page: String, limits: String, billing: String }
    PlanWindows "plan-windows" { monthly: Figure }
    PlanWindowsOwn "plan-windows-own" {}
    PlanLicences "plan-licences" { licences: Sentences, monthly: Figure, without: Figure }
    PlanLicence "plan-licence" { name: String, monthly: Figure, cores: Count }
    PlanLicenceOf "plan-licence-of" { name: String, monthly: Figure, cores: Count, nodes: Count }
    PlanConstrained "plan-constrained" { size: String, processors: Count, parent: String }
    PlanRecording "plan-recording" { what: String, effect: String }
    PlanNoMemory "plan-no-memory" {}
    PlanNoProcessors "plan-no-processors" {}
    PlanOperations "plan-operations" { volume: String, operations: Figure, monthly: Figure }
    PlanOperationsMedian "plan-operations-median" { volume: String, operations: Figure, monthly: Figure }
    PlanBurstUse "plan-burst-use" { volume: String, monthly: Figure }
    PlanPerformancePlus "plan-performance-plus" { volume: String }
    PlanZoneRedundant "plan-zone-redundant" {}
    PlanDiskOptions "plan-disk-options" { options: List }
    PlanNoDiskOptions "plan-no-disk-options" {}
    PlanNoHdd "plan-no-hdd" {}
    PlanOnRequest "plan-on-request" { kinds: String }
    PlanIndifference "plan-indifference" { band: Figure }
    PlanWideStripes "plan-wide-stripes" { usual: Count, most: Count }
    PlanWideStripesBudget "plan-wide-stripes-budget" { usual: Count, most: Count, monthly: Figure }
    PlanKpi "plan-kpi" { volume: String, kpi: String, asks: String, sources: List }
    PlanKpiBounds "plan-kpi-bounds" { volume: String, kpi: String, asks: String, sources: List }
    PlanKpiUnchecked "plan-kpi-unchecked" { volume: String, kpi: String, unchecked: String }
    PlanNotCertified "plan-not-certified" { product: String, size: String }
    PlanNoArm "plan-no-arm" {}
    PlanNoBurstable "plan-no-burstable" {}
    PlanNoConfidential "plan-no-confidential" {}
    PlanNoPreview "plan-no-preview" {}
    PlanNoClosed "plan-no-closed" {}
    PlanNoMetal "plan-no-metal" {}
    PlanNoPrevious "plan-no-previous" {}
    PlanMetal "plan-metal" { size: String }
    PlanPrevious "plan-previous" { size: String }
    PlanNoLimited "plan-no-limited" {}
    PlanHorizon "plan-horizon" { date: String }
    ComparisonCheaper "comparison-cheaper" { first: String, last: String, less: Figure, share: Figure, oldest: String, newest: String }
    ComparisonCurrencies "comparison-currencies" { first: String, last: String }
    ComparisonNone "comparison-none" { places: List }
    PlanNoRetirements "plan-no-retirements" {}
    PlanArm "plan-arm" { size: String }
    PlanBurstable "plan-burstable" { size: String }
    PlanConfidential "plan-confidential" { size: String }
    PlanPreview "plan-preview" { size: String, page: String }
    PlanClosed "plan-closed" { size: String, since: String, page: String }
    PlanLimited "plan-limited" { size: String, page: String }
    PlanDiskZones "plan-disk-zones" { disks: String, region: String, zones: Count, page: String }
    PlanDiskRegion "plan-disk-region" { disks: String, region: String }
    PlanSettingNeeded "plan-setting-needed" { size: String, setting: String, given: Figure, plain: Figure }
    PlanSettingCheaper "plan-setting-cheaper" { size: String, setting: String, given: Figure, plain: Figure, more: Figure }
    PlanSettingFewer "plan-setting-fewer" { size: String, setting: String, given: Figure, plain: Figure }
    PlanSettingUnknown "plan-setting-unknown" { size: String, setting: String, given: Figure, plain: Figure }
    PlanSettingNetwork "plan-setting-network" { size: String, setting: String, loses: Figure, network: Figure }
    PlanSettingNetworkUnknown "plan-setting-network-unknown" { size: String, setting: String, loses: Figure }
    PlanVmRegion "plan-vm-region" { size: String, region: String }
    PlanRetires "plan-retires" { size: String, date: String }
    PlanLatencies "plan-latencies" {}
    PlanReserve "plan-reserve" { volume: String, direction: String, reserve: Figure }
    PlanReserveDeeper "plan-reserve-deeper" { volume: String, direction: String, more: Figure }
    PlanReserveRates "plan-reserve-rates" { reserve: Figure }
    MeanLatencies "mean-latencies" {}
    KeyNamedSizes "key-named-sizes" {}
    PlanOffers "plan-offers" { sizes: Count, disks: Count, left_out: Sentences }
    OffersBarred "offers-barred" { offers: Count }
    OffersUnpriced "offers-unpriced" { offers: Count }
    OffersIncomplete "offers-incomplete" { offers: Count }
    OffersLocal "offers-local" { offers: Count }
    KeyUnused "key-unused" { key: String, why: Sentence }
    KeyUnusedOf "key-unused-of" { volume: String, key: String, why: Sentence }
    KeyNoGrowth "key-no-growth" {}
    KeyNoYears "key-no-years" {}
    KeyOwnGrowth "key-own-growth" {}
    KeyNoSeries "key-no-series" {}
    KeyNoProcessorLoad "key-no-processor-load" {}
    KeyNoProcessors "key-no-processors" {}
    KeyNoBusy "key-no-busy" {}
    KeyNoMemory "key-no-memory" {}
    KeyOsVolume "key-os-volume" {}
    KeyNoSnapshots "key-no-snapshots" {}
    KeyNotOnOffer "key-not-on-offer" { offer: String, meter: String }
    KeySeriesInstead "key-series-instead" { volumes: List }
    KeySplitIops "key-split-iops" {}
    KeySplitThroughput "key-split-throughput" {}
    KeySeriesKnows "key-series-knows" {}
    KeyNoRequests "key-no-requests" { requests: String }
    KeyNoCache "key-no-cache" {}
    KeyOneDisk "key-one-disk" {}
    KeyOsDisk "key-os-disk" {}
    KeyOneUncached "key-one-uncached" {}
    KeyAllWrites "key-all-writes" {}
    KeyMeasured "key-measured" { volume: String, keys: List }
    KeySizeOverruled "key-size-overruled" { volume: String, key: String, requests: String, planned: Figure, written: Figure }
    LatencyGiven "latency-given" { places: List }
    LatencyOwn "latency-own" { places: List, model: String, grade: String }
    LatencyDefault "latency-default" { places: List, medium: String, setting: String, grade: String, read: Figure, read_else: Sentence, write: Figure, write_else: Sentence }
    LatencyOfMiss "latency-of-miss" { places: List, medium: String, setting: String, grade: String, mean: Figure, mean_else: Sentence }
    LatencyElse "latency-else" { setting: String, latency: Figure, other: String, otherwise: Figure }

    // explain: the finding.
    ExplainFirstTouch "explain-first-touch" { volume: String, left: Figure, block: Figure, time: Figure, gives: Figure, asked: Figure, remedy: Sentence }
    ExplainFirstTouchBeside "explain-first-touch-beside" { volume: String, left: Figure, block: Figure, time: Figure, remedy: Sentence }
    ExplainFirstTouchComes "explain-first-touch-comes" { after: Figure }
    ExplainFirstTouchRead "explain-first-touch-read" { alone: Figure }
    ExplainFirstTouchBuy "explain-first-touch-buy" { alone: Figure, least: Figure, slow: Figure, most: Figure, fast: Figure }
    ExplainCarries "explain-carries" { nearest: Option<Sentence> }
    ExplainNearest "explain-nearest" { limit: LimitName, used: Figure }
    ExplainMeasured "explain-measured" { shows: Sentences, advice: Option<Sentence> }
    ExplainCarriesMeasured "explain-carries-measured" { shows: Sentences }
    ExplainCarriesElse "explain-carries-else" { shows: Sentences }
    ExplainCutOff "explain-cut-off" { at: Sentences, nearest: Option<Sentence>, advice: Option<Sentence> }
    CutOffAt "cut-off-at" { limit: LimitName, iops: Figure, throughput: Figure }
    CutOffElsewhere "cut-off-elsewhere" { volume: String, iops: Figure, throughput: Figure }
    CutOffSaid "cut-off-said" { what: String }
    ExplainCutOffNearest "explain-cut-off-nearest" { limit: LimitName, used: Figure }
    ExplainFixed "explain-fixed" { limit: LimitName, asked: Figure, available: Figure, advice: Option<Sentence> }
    ExplainFixedLatency "explain-fixed-latency" { limit: LimitName, asked: Figure, expected: Figure, advice: Option<Sentence> }
    ExplainBinds "explain-binds" { limit: LimitName, times: Option<Sentence>, gets: Option<Sentence>, others: Option<Sentence>, advice: Option<Sentence> }
    ExplainTimes "explain-times" { intervals: Count, all: Count }
    ExplainGets "explain-gets" { volume: String, asked: Figure, gets: Figure, share: Figure }
    ExplainOthers "explain-others" { limits: Limits }
    ExplainAdvice "explain-advice" { change: Sentence }
    ExplainAdviceInPlace "explain-advice-in-place" { change: Sentence }
    ExplainAdviceBoth "explain-advice-both" { cheapest: Sentence, in_place: Sentence }
    ExplainNewPlan "explain-new-plan" { plan: String, monthly: Figure }
    ExplainNewPlanCheaper "explain-new-plan-cheaper" { plan: String, monthly: Figure, saved: Figure }

    // explain: what a measurement shows.
    ShowsLimit "shows-limit" { volume: String, iops: Figure, throughput: Figure, limit: LimitName, used: Figure, credits: Option<Sentence> }
    ShowsLimitCredits "shows-limit-credits" { lasts: Figure }
    ShowsCredits "shows-credits" { volume: String, iops: Figure, throughput: Figure, limit: LimitName, lasts: Figure }
    ShowsCache "shows-cache" { volume: String, iops: Figure, throughput: Figure, served: Sentence, why: Sentence }
    ShowsCacheServes "shows-cache-serves" { share: Figure }
    ShowsCacheServesNone "shows-cache-serves-none" {}
    ShowsCacheSmall "shows-cache-small" {}
    ShowsCacheCold "shows-cache-cold" {}
    ShowsSync "shows-sync" { volume: String, iops: Figure, throughput: Figure, cycle: Figure, per_s: Figure, workers: Option<Sentence>, sync: Figure, p99: Option<Sentence> }
    ShowsSyncWorkers "shows-sync-workers" { workers: Count }
    ShowsSyncP99 "shows-sync-p99" { p99: Figure }
    ShowsDepth "shows-depth" { volume: String, iops: Figure, throughput: Figure, in_flight: Figure, latency: Figure, most: Figure, next: Option<Sentence>, idle: Option<Sentence> }
    ShowsDepthNext "shows-depth-next" { needed: Count, gives: Figure, limit: LimitName }
    ShowsDepthIdle "shows-depth-idle" { disks: Count }
    ShowsSlow "shows-slow" { volume: String, iops: Figure, throughput: Figure, latency: Figure, model: Figure }
    ShowsNotAsked "shows-not-asked" { volume: String, iops: Figure, throughput: Figure }
    ShowsUnknown "shows-unknown" { volume: String, iops: Figure, throughput: Figure }

    // explain: changes.
    Change "change" { what: Sentence, cost: Sentence, needs: Option<Sentence>, gives_up: Option<Sentence>, simulated: Option<Sentence> }
    ChangeVm "change-vm" { new: String, old: String }
    ChangeDisk "change-disk" { new: String, old: String, volume: String }
    ChangeTier "change-tier" { new: String, old: String, volume: String }
    ChangeRebuild "change-rebuild" { new: String, bought: Sentence, old: String, volume: String }
    ChangeStripe "change-stripe" { count: Count, disk: String, before: Count, volume: String }
    ChangeStripeUnit "change-stripe-unit" { new: String, old: String, volume: String }
    ChangeProvision "change-provision" { disks: String, new: Sentence, old: Sentence, volume: String }
    ChangeBought "change-bought" { capacity: Figure, iops: Figure, throughput: Figure }
    ChangeBoughtUnknown "change-bought-unknown" {}
    ChangeCache "change-cache" { new: String, old: String, volume: String }
    ChangeLocal "change-local" { old: String, volume: String }
    ChangeEphemeral "change-ephemeral" { old: String, volume: String }
    ChangeInFlight "change-in-flight" { depth: Count, volume: String }
    ChangeFree "change-free" {}
    ChangeCosts "change-costs" { monthly: Figure }
    ChangeUnpriced "change-unpriced" { offers: List, region: String }
    NeedsNothing "needs-nothing" {}
    NeedsDetach "needs-detach" {}
    NeedsRestart "needs-restart" {}
    NeedsMigration "needs-migration" {}
    NeedsUnknown "needs-unknown" {}
    NeedsProcessors "needs-processors" {}
    NeedsSecurity "needs-security" {}
    NeedsNvme "needs-nvme" {}
    NeedsScsi "needs-scsi" {}
    NeedsImages "needs-images" {}
    NeedsLocalDisk "needs-local-disk" {}
    GivesUpDurability "gives-up-durability" {}
    GivesUpHostCache "gives-up-host-cache" {}
    GivesUpSmaller "gives-up-smaller" {}
    GivesUpNetwork "gives-up-network" {}
    ProofServed "proof-served" {}
    ProofFallsShort "proof-falls-short" {}
    ProofNone "proof-none" {}

    // explain: recordings that stop at a level, missing inputs, assumptions.
    ThrottledAt "throttled-at" { volume: String, share: Figure, iops: Figure, throughput: Figure, limit: LimitName }
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
    ExplainTried "explain-tried" {}
    ExplainToday "explain-today" { years: Count }
    ExplainHits "explain-hits" { volume: String, share: Figure }
    ExplainHitsLeast "explain-hits-least" { volume: String, share: Figure }
    ExplainWriteBack "explain-write-back" { volume: String }
    HabitCachedWrites "habit-cached-writes" { volume: String }
    HabitWriteBack "habit-write-back" { volume: String }
    HabitOneInFlight "habit-one-in-flight" { volume: String, disks: Count }
    HabitUnequal "habit-unequal" { volume: String }
    HabitSmallUnit "habit-small-unit" { volume: String, unit: String }
    HabitSpinning "habit-spinning" { volume: String, disk: String }
    HabitOsDisk "habit-os-disk" { volume: String }

    // simulate: what throttles a volume.
    BindingIdle "binding-idle" { volume: String }
    BindingWriteBack "binding-write-back" { volume: String, disks: String }
    BindingFirstTouch "binding-first-touch" { volume: String, disks: String, waiting: Figure }
    BindingAtTimes "binding-at-times" { volume: String, limit: LimitName, unused: Figure, waiting: Figure }
    BindingThrottled "binding-throttled" { volume: String, limit: LimitName, active: Option<Sentence>, available: Sentence, remedy: Option<Sentence>, next: Option<Sentence> }
    BindingActive "binding-active" { active: Figure, run: Figure }
    BindingOneDisk "binding-one-disk" { disks: String, available: Figure }
    BindingDisks "binding-disks" { disks: String, available: Figure }
    BindingVm "binding-vm" { vm: String, available: Figure, behind: Sentence }
    BindingOurVm "binding-our-vm" { available: Figure, behind: Sentence }
    BehindAll "behind-all" {}
    BehindV2 "behind-v2" {}
    BehindOthers "behind-others" {}
    BehindCache "behind-cache" {}
    BehindGate "behind-gate" { gate: LimitName }
    RemedyDisksOrCache "remedy-disks-or-cache" {}
    RemedyDisks "remedy-disks" {}
    RemedyLarger "remedy-larger" {}
    RemedyBought "remedy-bought" {}
    RemedyOtherKind "remedy-other-kind" {}
    RemedyLocal "remedy-local" {}
    RemedyUncached "remedy-uncached" { gate: LimitName }
    RemedyCached "remedy-cached" { gate: LimitName }
    BindingNextExhausted "binding-next-exhausted" { limit: Sentence, available: Figure }
    BindingNextNearly "binding-next-nearly" { limit: Sentence, available: Figure }
    BindingNext "binding-next" { limit: Sentence, available: Figure, left: Figure }
    LimitOf "limit-of" { limit: LimitName, place: String }
    BindingRate "binding-rate" { volume: String, iops: Figure }
    BindingThink "binding-think" { volume: String, iops: Figure }
    BindingDepth "binding-depth" { volume: String, depth: Figure, latency: Figure, iops: Figure }
    BindingSync "binding-sync" { volume: String, cycle: Figure, per_s: Figure, workers: Option<Sentence> }

    // simulate: doubts.
    // simulate: what was leapt over, or why nothing was.
    ByKindAll "by-kind-all" { steps: Count, each: Figure, simulated: Count, all: Count }
    ByKind "by-kind" { taken: Count, steps: Count, each: Figure, simulated: Count, all: Count }
    ByKindNear "by-kind-near" { taken: Count, steps: Count, each: Figure, near: Count, simulated: Count, all: Count }
    Leapt "leapt" { share: Figure, simulated: Count, all: Count }
    LeapRefused "leap-refused" { why: Sentence }
    LeapBySize "leap-by-size" { job: String }
    LeapVerifies "leap-verifies" { job: String }
    LeapEndsWhenSteady "leap-ends-when-steady" { job: String }
    LeapNullEngine "leap-null-engine" { job: String }
    LeapBilled "leap-billed" {}
    LeapFirstTouch "leap-first-touch" { volume: String }
    LeapCache "leap-cache" { job: String, why: Sentence }
    LeapCacheSizes "leap-cache-sizes" {}
    LeapCachePartly "leap-cache-partly" {}
    LeapCacheOrder "leap-cache-order" {}
    LeapCacheWriteBack "leap-cache-write-back" {}
    LeapCacheTrims "leap-cache-trims" {}
    LeapCacheEviction "leap-cache-eviction" {}
    LeapUnsteady "leap-unsteady" { figure: Sentence, volume: String, direction: String }
    LeapRate "leap-rate" {}
    LeapMean "leap-mean" {}
    LeapP99 "leap-p99" {}
    LeapTiers "leap-tiers" {}
    LeapBacklog "leap-backlog" {}
    LeapChanges "leap-changes" {}
    LeapCacheMoves "leap-cache-moves" {}
    DoubtPartial "doubt-partial" { after: Figure }
    DoubtNothing "doubt-nothing" {}
    DoubtJobEnded "doubt-job-ended" { job: String, error: String }
    DoubtColdCache "doubt-cold-cache" { volume: String, hits: Figure, files: Figure, pass: Figure, ran: Figure }
    DoubtIdleDisks "doubt-idle-disks" { volume: String, depth: Figure, disks: Count }
    DoubtVaries "doubt-varies" { volume: String, width: Figure }
    DoubtFew "doubt-few" { volume: String, ios: Count }
    DoubtLeapError "doubt-leap-error" { figure: Sentence, volume: String, direction: String, known: Figure, asked: Figure }
    DoubtCreditsOutAt "doubt-credits-out-at" { limit: Sentence, after: Figure, sustained: Figure }
    DoubtCreditsOut "doubt-credits-out" { limit: Sentence, sustained: Figure }
    DoubtOnCredits "doubt-on-credits" { limit: Sentence, spent: Figure, lasts: Figure, sustained: Figure }
    DoubtDirty "doubt-dirty" { dirty: Figure }
    DoubtFirstTouch "doubt-first-touch" { volume: String, share: Figure, left: Figure }
    DoubtFirstTouched "doubt-first-touched" { volume: String, share: Figure, until: Figure }
    DoubtGuestMerges "doubt-guest-merges" { volume: String, limit: LimitName, most: Figure }

    // verify.
    VerifyMet "verify-met" { requirements: Count }
    VerifyAnswer "verify-answer" { requirements: Count, met: Count, not_met: Count, not_proven: Count }
    CauseNoFigure "cause-no-figure" {}
    CauseAgrees "cause-agrees" {}
    CauseLess "cause-less" { limit: LimitName, rate: Figure }
    CauseMore "cause-more" { limit: LimitName, rate: Figure }
    CauseNoise "cause-noise" { error: Figure }
    CauseDoubt "cause-doubt" { doubt: Sentence }
    CauseMedium "cause-medium" { measured: Figure, model: Figure }
    CauseMediumOnly "cause-medium-only" {}
    CauseNotPredicted "cause-not-predicted" {}
    CauseNotShown "cause-not-shown" {}

    // calibrate: scenarios that are excluded.
    ExcludedUnfinished "excluded-unfinished" {}
    ExcludedMixed "excluded-mixed" {}
    ExcludedThrottled "excluded-throttled" { limit: LimitName }
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

    // Results of benchmarks: what makes the figures less than they seem.
    ResultLastOf "result-last-of" { results: Count }
    ResultCutShort "result-cut-short" {}
    ResultDamaged "result-damaged" { reason: String, near: String }
    ResultMoreLines "result-more-lines" { lines: Count }
    ResultStopped "result-stopped" {}
    ResultNoJob "result-no-job" {}
    ResultJobError "result-job-error" { job: String, error: String }
    ResultNoTime "result-no-time" { direction: String, ios: Count }
    ResultNotSteady "result-not-steady" {}
    ResultFailed "result-failed" { ios: Count, name: String }
    ResultNote "result-note" { place: String, note: Sentence }
    ResultChosen "result-chosen" { file: String, tests: Count, test: Option<Sentence> }
    ResultChosenTest "result-chosen-test" { name: String, line: String }

    // bench: how it differs from the published procedure, and why a scenario failed.
    Scaled "scaled" { files: Figure, published: Figure }
    ScaledTime "scaled-time" { time: Figure, published: Figure }
    ScaledBoth "scaled-both" { files: Sentence, time: Sentence }
    WarnSwapped "warn-swapped" {}
    FioStart "fio-start" { reason: String }
    FioKilled "fio-killed" { signal: String, said: Option<Sentence> }
    FioFull "fio-full" { said: Option<Sentence> }
    FioGone "fio-gone" { said: Option<Sentence> }
    FioVanished "fio-vanished" { what: Sentence }
    SeenGone "seen-gone" { path: String }
    SeenOther "seen-other" { path: String }
    SeenFolderGone "seen-folder-gone" { path: String }
    SeenFolderOther "seen-folder-other" { path: String }
    FioFailed "fio-failed" { code: String, said: Option<Sentence> }
    FioStopped "fio-stopped" {}
    FioSaid "fio-said" { said: String }

    // observe: what to doubt in a recording; what was seen, what it does to a plan, what to do.
    EffectNone "effect-none" {}
    AuditFew "audit-few" { samples: Count }
    AuditTooFew "audit-too-few" { samples: Count }
    AuditTooFewEffect "audit-too-few-effect" {}
    AuditTooFewHint "audit-too-few-hint" { time: Figure }
    AuditCoarse "audit-coarse" { interval: Figure, measured: Option<Sentence> }
    AuditCoarseMeasured "audit-coarse-measured" { lower: Figure }
    AuditCoarseEffect "audit-coarse-effect" {}
    AuditCoarseHint "audit-coarse-hint" {}
    AuditMeans "audit-means" { mean: Figure, of_means: Figure }
    AuditMeansEffect "audit-means-effect" {}
    AuditMerges "audit-merges" { share: Figure }
    AuditMergesEffect "audit-merges-effect" {}
    AuditPlateau "audit-plateau" { volume: String, share: Figure, quantity: String, latency: Sentence }
    AuditPlateauSlower "audit-plateau-slower" { latency: Figure, otherwise: Figure }
    AuditPlateauAt "audit-plateau-at" { latency: Figure }
    AuditPlateauUnknown "audit-plateau-unknown" {}
    AuditPlateauEffect "audit-plateau-effect" {}
    AuditPlateauHint "audit-plateau-hint" {}
    AuditClosed "audit-closed" { latency: Figure, depth: Figure }
    AuditClosedEffect "audit-closed-effect" { depth: Figure, iops: Figure }
    AuditClosedHint "audit-closed-hint" {}
    AuditMemory "audit-memory" { memory: Figure }
    AuditMemoryUnknown "audit-memory-unknown" {}
    AuditMemoryEffect "audit-memory-effect" {}
    AuditMemoryHint "audit-memory-hint" {}
    AuditBatch "audit-batch" { share: Figure, first: String, with: Figure, without: Figure }
    AuditBatchEffect "audit-batch-effect" {}
    AuditBatchHint "audit-batch-hint" {}
    AuditShort "audit-short" { length: Figure, times: Option<Sentence> }
    AuditHours "audit-hours" { length: Figure, times: Option<Sentence> }
    AuditHoursTimes "audit-hours-times" { from: String, to: String }
    AuditHoursEffect "audit-hours-effect" {}
    AuditHoursHint "audit-hours-hint" {}
    AuditProcessorsBusy "audit-processors-busy" { busy: Figure, share: Figure }
    AuditProcessorsBusyEffect "audit-processors-busy-effect" {}
    AuditProcessorsBusyHint "audit-processors-busy-hint" {}
    AuditOneVolume "audit-one-volume" { volume: String, reads: Figure, size: Figure }
    AuditOneVolumeEffect "audit-one-volume-effect" {}
    AuditOneVolumeHint "audit-one-volume-hint" {}
    AuditIdle "audit-idle" { share: Figure, all: Figure, busy: Figure }
    AuditIdleEffect "audit-idle-effect" {}
    AuditIdlePeak "audit-idle-peak" {}
    AuditIdleSplit "audit-idle-split" {}
    AuditDisagree "audit-disagree" { device: String, one: String, says: String, other: String, but: String }
    AuditDisagreeEffect "audit-disagree-effect" { tool: String }
    AuditDisagreeHint "audit-disagree-hint" {}
    AuditAgree "audit-agree" { device: String, one: String, says: String, other: String, but: String }
    AuditLocale "audit-locale" {}
    AuditLocaleEffect "audit-locale-effect" {}
    AuditLocaleHint "audit-locale-hint" {}
    AuditFolded "audit-folded" {}
    AuditFoldedWithin "audit-folded-within" { step: Figure }
    AuditFoldedEffect "audit-folded-effect" { intervals: Count }
    AuditDamaged "audit-damaged" { lines: Count }
    AuditDamagedEffect "audit-damaged-effect" {}
    AuditDamagedHint "audit-damaged-hint" {}
    RateUntimed "rate-untimed" {}
    RateInstant "rate-instant" {}
    RateShort "rate-short" { length: String, interval: String }
    RateEffect "rate-effect" {}
    RateUntimedHint "rate-untimed-hint" {}
    RateInstantHint "rate-instant-hint" {}
    RateShortHint "rate-short-hint" {}
    AuditWide "audit-wide" { interval: String, asked: String }
    AuditWideEffect "audit-wide-effect" {}
    AuditWideHint "audit-wide-hint" {}
    AuditSinceBoot "audit-since-boot" { lines: Count, example: String }
    AuditSinceBootEffect "audit-since-boot-effect" {}
    AuditSinceBootHint "audit-since-boot-hint" {}
    AuditOneDirection "audit-one-direction" { figure: String, other: String }
    AuditOneDirectionEffect "audit-one-direction-effect" {}
    AuditOneDirectionHint "audit-one-direction-hint" {}
    UsedDisks "used-disks" {}
    UsedCompared "used-compared" {}
    UsedCpu "used-cpu" {}
    UsedMemory "used-memory" {}
    UsedTransactions "used-transactions" {}
    UsedPattern "used-pattern" {}
    UsedNothing "used-nothing" {}
    UsedAlso "used-also" { uses: Sentence, also: Sentence }
    AuditMissing "audit-missing" { figure: String, devices: Sentences }
    AuditMissingAll "audit-missing-all" { device: String }
    AuditMissingSome "audit-missing-some" { device: String, lacking: Count, all: Count }
    AuditMissingMore "audit-missing-more" { devices: Count }
    AuditMissingEffect "audit-missing-effect" {}
    AuditMissingHint "audit-missing-hint" {}
    AuditTimes "audit-times" { what: Sentence, times: Count, example: Option<Sentence> }
    AuditExample "audit-example" { example: String }
    AuditReset "audit-reset" {}
    AuditResetEffect "audit-reset-effect" {}
    AuditRestart "audit-restart" {}
    AuditRestartEffect "audit-restart-effect" {}
    AuditImpossible "audit-impossible" {}
    AuditImpossibleEffect "audit-impossible-effect" {}
    AuditProcessors "audit-processors" {}
    AuditProcessorsEffect "audit-processors-effect" {}
    AuditCameWent "audit-came-went" { devices: Sentences, counted: Sentence }
    AuditCame "audit-came" { devices: List }
    AuditWent "audit-went" { devices: List }
    AuditHoles "audit-holes" { lines: Count }
    AuditCountedIdle "audit-counted-idle" {}
    AuditCountedHole "audit-counted-hole" { word: Sentence, but: Option<Sentence> }
    AuditCountedBoth "audit-counted-both" { word: Sentence, but: Option<Sentence> }
    AuditCountedBut "audit-counted-but" { lines: Count }
    AuditIdleWord "audit-idle-word" {}
    AuditUnknownWord "audit-unknown-word" {}
    AuditCameWentEffect "audit-came-went-effect" {}
    AuditCameWentHint "audit-came-went-hint" {}
    AuditIdleLeftOut "audit-idle-left-out" { lines: Count, but: Option<Sentence> }
    AuditIdleLeftOutEffect "audit-idle-left-out-effect" {}
    AuditAssumed "audit-assumed" {}
    AuditAssumedEffect "audit-assumed-effect" {}
    AuditInferred "audit-inferred" { interval: String }
    AuditInferredEffect "audit-inferred-effect" {}
    AuditIntervalHint "audit-interval-hint" {}
    AuditPeaks "audit-peaks" {}
    AuditPeaksEffect "audit-peaks-effect" {}
    AuditPeaksToo "audit-peaks-too" {}
    AuditPeaksHint "audit-peaks-hint" {}
    AuditSpans "audit-spans" { intervals: Count, usual: String, example: String }
    AuditSpansEffect "audit-spans-effect" {}
    AuditCoarsened "audit-coarsened" { device: String, over: String, finer: String }
    AuditCoarsenedEffect "audit-coarsened-effect" { over: String }
    AuditCoarsenedHint "audit-coarsened-hint" { over: String }
    AuditUtilisation "audit-utilisation" {}
    AuditUtilisationEffect "audit-utilisation-effect" {}
    AuditTick "audit-tick" { kernel: String }
    AuditOver "audit-over" { lines: Count, example: String }
    AuditUnusedEffect "audit-unused-effect" {}
    AuditService "audit-service" {}
    AuditDepth "audit-depth" { lines: Count, all: Count, fault: Option<Sentence>, example: String }
    AuditDepthFault "audit-depth-fault" {}
    AuditDepthEffect "audit-depth-effect" {}
    AuditDepthHint "audit-depth-hint" {}
    AuditLatencyAlone "audit-latency-alone" { lines: Count }
    AuditLatencyAloneEffect "audit-latency-alone-effect" {}
    AuditLatencyAloneHint "audit-latency-alone-hint" {}
    AuditDiscards "audit-discards" { lines: Count }
    AuditDiscardsEffect "audit-discards-effect" {}
    AuditDiscardsHint "audit-discards-hint" {}
    AuditOnlyDiscards "audit-only-discards" { lines: Count }
    AuditFlushes "audit-flushes" { lines: Count, discards: Count }
    AuditFlushesEffect "audit-flushes-effect" {}
    AuditDataless "audit-dataless" { share: Figure }
    AuditDatalessEffect "audit-dataless-effect" {}
    AuditDatalessHint "audit-dataless-hint" {}
    AuditDatalessTraced "audit-dataless-traced" { share: Figure }
    AuditDatalessTracedEffect "audit-dataless-traced-effect" {}
    AuditImplausible "audit-implausible" { lines: Count, example: String }
    AuditImplausibleEffect "audit-implausible-effect" {}
    AuditUnits "audit-units" { figures: Count, all: Count, example: String }
    AuditUnitsEffect "audit-units-effect" {}
    AuditUnitsFactor "audit-units-factor" { factor: Figure }
    AuditUnitsFactorLess "audit-units-factor-less" { factor: Figure }
    AuditUnitsHint "audit-units-hint" {}
    AuditTwice "audit-twice" { devices: Sentences, more: Option<Sentence> }
    AuditTwiceMore "audit-twice-more" { devices: Count }
    AuditTwiceIs "audit-twice-is" { device: String, why: Sentence }
    AuditTwiceEffect "audit-twice-effect" {}
    AuditTwiceHint "audit-twice-hint" {}
    AuditLayers "audit-layers" { above: String, below: String }
    AuditLayersEffect "audit-layers-effect" {}
    AuditLayersHint "audit-layers-hint" {}
    AuditCounted "audit-counted" { devices: Sentences }
    AuditCountedEffect "audit-counted-effect" {}
    AuditCountedHint "audit-counted-hint" { device: String }
    AuditNotCounted "audit-not-counted" { devices: Sentences }
    AuditNotCountedEffect "audit-not-counted-effect" {}
    AuditNotCountedHint "audit-not-counted-hint" { device: String }
    AuditDevice "audit-device" { device: String, why: Sentence }
    AuditMore "audit-more" { devices: Count }
    AuditConsumed "audit-consumed" { limit: String, readings: Count, all: Count, most: Figure }
    AuditConsumedEffect "audit-consumed-effect" {}
    AuditConsumedHint "audit-consumed-hint" {}
    AuditCreditsEffect "audit-credits-effect" {}
    AuditCreditsHint "audit-credits-hint" {}
    AuditCreditsSome "audit-credits-some" { metric: String, most: Figure }
    AuditCreditsSomeEffect "audit-credits-some-effect" {}
    AuditZones "audit-zones" {}
    AuditLocalTimes "audit-local-times" {}
    AuditZoneEffect "audit-zone-effect" {}
    AuditZoneHint "audit-zone-hint" {}
    AuditUnjoined "audit-unjoined" { sources: Count }
    AuditUnjoinedEffect "audit-unjoined-effect" {}
    AuditUnjoinedHint "audit-unjoined-hint" {}
    AuditSilence "audit-silence" { time: Figure, stretches: Count, longer: Count, example: String }
    AuditSilenceEffect "audit-silence-effect" {}
    AuditSilenceHint "audit-silence-hint" {}
    AuditGaps "audit-gaps" { time: Figure, gaps: Count, example: String }
    AuditGapsEffect "audit-gaps-effect" {}
    AuditLate "audit-late" { readings: Count }
    AuditLateEffect "audit-late-effect" {}
    AuditLateHint "audit-late-hint" {}
    AuditBack "audit-back" { times: Count, example: String }
    AuditBackEffect "audit-back-effect" {}
    AuditBackHint "audit-back-hint" {}
    AuditRepeated "audit-repeated" { readings: Count }
    AuditRepeatedEffect "audit-repeated-effect" {}
    AuditRepeatedHint "audit-repeated-hint" {}

    // emulate: whether a run is to be trusted, and why not.
    TrustOpen "trust-open" { completions: Count }
    TrustKept "trust-kept" { share: Figure, completions: Count, seen: Figure, modelled: Figure }
    TrustDoubted "trust-doubted" { share: Figure, completions: Count, seen: Figure, modelled: Figure }
    LateTail "late-tail" { seen: Figure, modelled: Figure }
    LateMany "late-many" { share: Figure, half: Figure, hundredth: Figure }
    LateHost "late-host" { share: Figure }

    // observe: why a device is counted or not.
    DeviceExcluded "device-excluded" {}
    DeviceNotNamed "device-not-named" {}
    DeviceMember "device-member" { volume: String }
    DevicePart "device-part" { disk: String }
    DevicePartOfLayer "device-part-of-layer" { disk: String }
    DeviceLayer "device-layer" { kind: String }
    DeviceLoop "device-loop" {}
    DevicePath "device-path" { device: String }
    DeviceSum "device-sum" {}
    DeviceInSum "device-in-sum" { sum: String }
    DeviceTwin "device-twin" { twin: String }
    DeviceTwinOf "device-twin-of" { disks: Sentence }
    DeviceUnnamed "device-unnamed" { disks: Sentence }
    DeviceBeyond "device-beyond" { share: Figure, disks: Sentence }
    DeviceNamedLayer "device-named-layer" { disks: Sentence, share: Figure }
    DeviceOwn "device-own" { share: Figure, disks: Sentence }
    DeviceFollows "device-follows" { disks: Sentence }
    DeviceTooLittle "device-too-little" { disks: Sentence }
    DeviceApart "device-apart" { disks: Sentence }
    DeviceDisks "device-disks" { disks: List }
    DeviceDisksMore "device-disks-more" { disks: List, more: Count }

    // observe: pitfalls in a few words.
    PitfallSinceBoot "pitfall-since-boot" {}
    PitfallReset "pitfall-reset" {}
    PitfallCoarse "pitfall-coarse" {}
    PitfallLatencyMeans "pitfall-latency-means" {}
    PitfallUtilisation "pitfall-utilisation" {}
    PitfallServiceTime "pitfall-service-time" {}
    PitfallUtilisationInflated "pitfall-utilisation-inflated" {}
    PitfallQueueField "pitfall-queue-field" {}
    PitfallUnitsMixed "pitfall-units-mixed" {}
    PitfallDoubleCounting "pitfall-double-counting" {}
    PitfallMergesCount "pitfall-merges-count" {}
    PitfallThrottled "pitfall-throttled" {}
    PitfallClosedLoop "pitfall-closed-loop" {}
    PitfallPageCache "pitfall-page-cache" {}
    PitfallBatch "pitfall-batch" {}
    PitfallZone "pitfall-zone" {}
    PitfallGap "pitfall-gap" {}
    PitfallLocale "pitfall-locale" {}
    PitfallIdle "pitfall-idle" {}
    PitfallFlushDiscard "pitfall-flush-discard" {}
    PitfallTooFew "pitfall-too-few" {}
    PitfallDisagree "pitfall-disagree" {}
    PitfallDamagedLines "pitfall-damaged-lines" {}
    PitfallFolded "pitfall-folded" {}
    PitfallMissing "pitfall-missing" {}
    PitfallHours "pitfall-hours" {}
    PitfallProcessors "pitfall-processors" {}
    PitfallDataAndLog "pitfall-data-and-log" {}
    PitfallIntervalUnknown "pitfall-interval-unknown" {}

    // Scenarios: what their reader wants known.
    RigUncachedShared "rig-uncached-shared" {}
    RigUncachedSeparate "rig-uncached-separate" {}
    RigUnknownLimits "rig-unknown-limits" { key: String, size: String, edition: String }
    RigDerived "rig-derived" { size: String, field: String, rule: String }
    RigFromSnapshot "rig-from-snapshot" { volume: String, block: Figure, time: Figure }
    RigRemark "rig-remark" { size: String, remark: String }
    RigUnequal "rig-unequal" { volume: String }
    RigLocalDisks "rig-local-disks" { volume: String, disks: Count, size: Figure }
    RigLocalReads "rig-local-reads" { volume: String, size: String }
    RigLocalApart "rig-local-apart" { volume: String }
    RigBusiest "rig-busiest" { whole: Figure, span: Figure }
    RigNullEngine "rig-null-engine" { jobs: Count, all: Count }
    JobWarning "job-warning" { place: String, option: String, what: Sentence }

    // What a reader of job files doubts.
    JobByteOrderMark "job-byte-order-mark" {}
    JobOnlyGlobal "job-only-global" {}
    JobOnlyGlobalUnused "job-only-global-unused" {}
    JobNotARange "job-not-a-range" {}
    JobThousands "job-thousands" { reads: String, writes: String }
    JobNotSectors "job-not-sectors" {}
    JobProfileOption "job-profile-option" {}
    JobBlankValue "job-blank-value" {}
    JobReversedUnit "job-reversed-unit" { word: String, short: String }
    JobOverridden "job-overridden" { earlier: String }
    JobFurtherFile "job-further-file" {}
    JobFurtherFileSection "job-further-file-section" {}
    JobLeftOut "job-left-out" { why: Sentence }
    JobProcessorOnly "job-processor-only" {}
    JobNamesOnly "job-names-only" {}
    JobSplitRange "job-split-range" {}
    JobSplitSum "job-split-sum" { issued: List }
    JobExitAll "job-exit-all" {}
    JobFileSizeOpen "job-file-size-open" { size: String, volume: String }
    JobWorkingFolder "job-working-folder" { path: String, volume: String }
    JobBeyondVolume "job-beyond-volume" { volume: String, left: Figure }
    JobBufferedEngine "job-buffered-engine" {}
    JobBuffered "job-buffered" {}
    JobBufferedDurable "job-buffered-durable" { how: Sentence }
    JobBufferedFsync "job-buffered-fsync" { how: Sentence }
    JobBufferedMmap "job-buffered-mmap" { how: Sentence }
    JobBufferedPlain "job-buffered-plain" { how: Sentence }
    JobSynchronous "job-synchronous" { engine: String }
    JobPolling "job-polling" { depth: Count }
    JobVerifiesNothing "job-verifies-nothing" {}
    JobNoSteadyState "job-no-steady-state" {}
    JobFlowBelowZero "job-flow-below-zero" {}
    JobTimeBased "job-time-based" {}
    JobRateOverridesMix "job-rate-overrides-mix" { percent: Count, said: Count }
    JobMapOff "job-map-off" {}
    JobOpenFiles "job-open-files" { files: Count }
    JobStats "job-stats" {}
    JobDirectionsApart "job-directions-apart" {}
    JobNoPlace "job-no-place" { volume: String }
    JobSizeUnsaid "job-size-unsaid" { size: String, volume: String }
    JobNetworkWorker "job-network-worker" {}
    JobRepeats "job-repeats" { runs: Count, each: String, all: String }
    JobNoLatencySwitch "job-no-latency-switch" {}
    JobBurstBesideRate "job-burst-beside-rate" {}
    JobRateOfThreads "job-rate-of-threads" { rate: Figure, iops: Figure, size: Figure }
    JobRateOverflows "job-rate-overflows" { iops: String, size: Figure, kept: Figure }
    JobRateRoundsToZero "job-rate-rounds-to-zero" { rate: Figure }
    JobRateRounds "job-rate-rounds" { kept: Figure, iops: Figure }
    JobOneThread "job-one-thread" {}
    JobSameBlocks "job-same-blocks" { threads: Count }
    JobOneRequest "job-one-request" {}
    JobRemoteCache "job-remote-cache" {}
    JobFileCache "job-file-cache" {}
    JobNoNumber "job-no-number" {}
    JobNumberThenText "job-number-then-text" { number: String }
    JobSkewWithoutRate "job-skew-without-rate" {}
    JobThreadsAll "job-threads-all" { threads: Count, workloads: Count }
    JobThreadsPart "job-threads-part" { threads: Count, workloads: Count }
    JobWholeRates "job-whole-rates" { rate: Figure, whole: String }
    JobNoEffect "job-no-effect" { flag: String }
    JobPageCache "job-page-cache" {}
    JobMaxData "job-max-data" {}
    JobUniformGaps "job-uniform-gaps" {}
    JobFilesInFolders "job-files-in-folders" {}
    JobAfterBlank "job-after-blank" {}

    UnusedLatency "unused-latency" {}
    UnusedStripe "unused-stripe" { volume: String }
    UnusedCached "unused-cached" {}
    UnusedUncached "unused-uncached" {}
    UnusedUncachedOwn "unused-uncached-own" {}
    UnusedV2 "unused-v2" {}
    UnusedLocal "unused-local" {}
    UnusedSharing "unused-sharing" {}
    UnusedCache "unused-cache" {}
    UnusedWriteBack "unused-write-back" {}
    UnusedWriteAllocate "unused-write-allocate" {}
    UnusedWarm "unused-warm" { volume: String }
    UnusedCredits "unused-credits" {}
    UnusedLevel "unused-level" { place: String }
    UnusedModels "unused-models" { names: String }

    // observe: notes of rows, and what would fill an unknown one.
    NoteMeans "note-means" { interval: String }
    NoteLittle "note-little" {}
    NoteSizes "note-sizes" { interval: String }
    NoteNoRequest "note-no-request" {}
    NoteLeast "note-least" { interval: String, seconds: Count }
    NoteMost "note-most" { interval: String, seconds: Count }
    NoteCounter "note-counter" { counter: Option<Sentence>, seconds: Count }
    NoteIops "note-iops" { most: Option<Sentence> }
    NoteNoCpu "note-no-cpu" {}
    NoteNoMemory "note-no-memory" {}
    NoteMemory "note-memory" {}
    NoteMemoryBound "note-memory-bound" {}
    NoteCpus "note-cpus" { processors: Count }
    NotePattern "note-pattern" { level: String, requests: Count, bytes: String, asked: Option<Sentence> }
    NotePatternAsked "note-pattern-asked" { share: Figure }
    NoteMerged "note-merged" { share: Figure }
    NoteLarge "note-large" { size: Figure }
    FillBusy "fill-busy" {}
    FillDirections "fill-directions" {}
    FillLatencies "fill-latencies" {}
    FillKernel "fill-kernel" {}
    FillLive "fill-live" {}
    FillTransactions "fill-transactions" {}
    FillCpu "fill-cpu" {}
    FillMemory "fill-memory" {}

    // audit: what is wrong with an estate, and what ends it.
    EstateBeyondGate "estate-beyond-gate" { bought: Figure, gate: LimitName, size: String, passed: Figure, never: Figure }
    EstateBeyondBurst "estate-beyond-burst" { bought: Figure, gate: LimitName, size: String, base: Figure, passed: Figure, never: Figure }
    EstateInBursts "estate-in-bursts" { bought: Figure, gate: LimitName, size: String, passed: Figure, burst: Figure }
    EstateGivenBeyondGate "estate-given-beyond-gate" { gives: Figure, gate: LimitName, size: String, passed: Figure }
    EstateGivenBeyondBurst "estate-given-beyond-burst" { gives: Figure, gate: LimitName, size: String, base: Figure, passed: Figure }
    EstateGivenInBursts "estate-given-in-bursts" { gives: Figure, gate: LimitName, size: String, passed: Figure, burst: Figure }
    EstateSlots "estate-slots" { disks: Count, size: String, slots: Count }
    EstateSlotsBeside "estate-slots-beside" { disks: Count, size: String, slots: Count, interfaces: Count }
    EstateKindRefused "estate-kind-refused" { size: String, kind: String }
    EstateNotTaken "estate-not-taken" { size: String, why: String }
    EstateTooSmall "estate-too-small" { kind: String, gives: Figure, most: Figure, from: Figure }
    EstateSteady "estate-steady" { disk: String, gate: LimitName, size: String, base: Figure, minutes: Count }
    EstateDaily "estate-daily" { bought: Figure, gate: LimitName, size: String, base: Figure, minutes: Count }
    EstateOtherPromise "estate-other-promise" { kind: String, iops: Figure, throughput: Figure, monthly: Figure, own: Figure, has: String, gets: String }
    EstatePrevious "estate-previous" { size: String }
    EstatePricesOf "estate-prices-of" { says: String, month: String }
    EstateCacheRefused "estate-cache-refused" { what: String, mode: String }
    EstateNotOpen "estate-not-open" { kind: String }
    EstateUnequal "estate-unequal" { disks: String, slowest: Figure }
    EstateUnequalSizes "estate-unequal-sizes" { disks: String, least: Figure, lost: Figure, slowest: Figure }
    EstateNotSold "estate-not-sold" { why: String }
    EstateNoZoneHas "estate-no-zone-has" { kind: String, region: String, zone: String }
    EstateNeedsZone "estate-needs-zone" { kind: String, region: String }
    EstateNotThere "estate-not-there" { size: String, region: String, month: String }
    EstateThereAgainstRecords "estate-there-against-records" { size: String, region: String, month: String }
    EstateNotInZone "estate-not-in-zone" { size: String, region: String, zone: String, zones: String, month: String }
    EstateNodeDisk "estate-node-disk" { size: String, local: Figure }
    EstateBurstOnly "estate-burst-only" { base: Figure, burst: Figure, minutes: Count }
    EstateNoHostCache "estate-no-host-cache" { mode: String, size: String }
    EstateNotAcceleratedBy "estate-not-accelerated-by" { size: String }
    EstateNotAcceleratedKind "estate-not-accelerated-kind" { kind: String }
    EstateNotAcceleratedCache "estate-not-accelerated-cache" { mode: String }
    EstateNotAcceleratedBeyond "estate-not-accelerated-beyond" { size: String, most: Count }
    EstateNoSystem "estate-no-system" { kind: String }
    EstateUnknownSize "estate-unknown-size" { size: String }
    EstateUnknownKind "estate-unknown-kind" { kind: String }
    EstateUnattached "estate-unattached" { what: String }
    EstateBesideUnasked "estate-beside-unasked" { says: Sentence }
    EstateReleased "estate-released" {}
    EstateStopped "estate-stopped" {}
    EstateOtherKind "estate-other-kind" { kind: String, iops: Figure, throughput: Figure, monthly: Figure, own: Figure }
    EstateTierUnused "estate-tier-unused" { tier: String, size: String, passed: Figure, bytes: Figure }
    EstateBurstsUnused "estate-bursts-unused" { size: String, passed: Figure, bytes: Figure }
    EstateOtherSize "estate-other-size" { other: String, size: String, monthly: Figure, own: Figure }
    EstateJustAbove "estate-just-above" { size: Figure, billed: String, below: String, most: Figure }
    EstateOpenForNothing "estate-open-for-nothing" { kind: String }
    EstateOpenForNothingAt "estate-open-for-nothing-at" { kind: String, monthly: Figure }
    EstateReadWrite "estate-read-write" {}
    EstateLogCache "estate-log-cache" {}
    EstateLocalSystem "estate-local-system" {}
    EstateZonesDiffer "estate-zones-differ" { zone: String, own: String }
    EstateRegionsDiffer "estate-regions-differ" { region: String, own: String }
    EstateNotEncrypted "estate-not-encrypted" {}
    EstateSharedCache "estate-shared-cache" { shares: Count, mode: String }
    EstateLesserPromise "estate-lesser-promise" { kind: String, promise: Figure, better: Figure, page: String }
    EstateEvictable "estate-evictable" {}
    EstateDies "estate-dies" {}
    EstateRetired "estate-retired" { size: String, date: String }
    EstateNoWayOn "estate-no-way-on" { size: String, other: String, takes: Word }
    EstateCommitted "estate-committed" { commitment: Word, monthly: Figure, own: Figure }
    EstateLicence "estate-licence" { monthly: Figure }
    EstateNoPrice "estate-no-price" { what: List, region: String }
    EstateImageLicence "estate-image-licence" { licence: String, size: String, region: String }
    EstateWithoutLicence "estate-without-licence" { says: Sentence, licence: String }
    EstateNoReservation "estate-no-reservation" { size: String, since: String, page: String }
    EstateWaiverOver "estate-waiver-over" { code: String, owner: String, until: String, reason: String }
    EstateWaiverUnused "estate-waiver-unused" { code: String, owner: String }
    EstateStripeNoMachine "estate-stripe-no-machine" { file: String, machine: String }
    EstateStripeNoDisk "estate-stripe-no-disk" { file: String, machine: String, disk: String }
    EstateOnlyNoMachine "estate-only-no-machine" { pattern: String }
    EstateOnlyNoDisk "estate-only-no-disk" { pattern: String }
    EstatePart "estate-part" { file: String, records: Count, total: Count }
    EstatePartUnknown "estate-part-unknown" { file: String, records: Count }
    RemedySize "remedy-size" { size: String }
    RemedyDearer "remedy-dearer" { what: Sentence, more: Figure }
    RemedyCheaper "remedy-cheaper" { what: Sentence, less: Figure }
    RemedyUnpriced "remedy-unpriced" { what: Sentence }
    RemedyLocalLost "remedy-local-lost" { what: Sentence }
    RemedyLocalSmaller "remedy-local-smaller" { what: Sentence, own: Figure, local: Figure }
    RemedyCacheSmaller "remedy-cache-smaller" { what: Sentence, own: Figure, cache: Figure }
    RemedyGuide "remedy-guide" {}
    RemedyBuyLess "remedy-buy-less" { rate: Figure }
    RemedyFewer "remedy-fewer" { disks: Count }
    RemedyCache "remedy-cache" { mode: String }
    RemedySwitchOn "remedy-switch-on" { kind: String }
    RemedySwitchOff "remedy-switch-off" {}
    RemedyDelete "remedy-delete" {}
    RemedyDeallocate "remedy-deallocate" {}
    RemedyKind "remedy-kind" { kind: String }
    RemedyTier "remedy-tier" { tier: String }
    RemedyCommit "remedy-commit" { commitment: Word }
    RemedyLicence "remedy-licence" {}
    RemedyDiskZone "remedy-disk-zone" { zone: String }
    RemedyMachineZone "remedy-machine-zone" { zone: String }
    RemedyNoZone "remedy-no-zone" {}
    RemedyAZone "remedy-a-zone" {}
    EstateSummary "estate-summary" { machines: Count, disks: Count, errors: Count, warnings: Count, notes: Count }
    EstateMonthly "estate-monthly" { monthly: Figure, unpriced: Count }
    EstateCutShort "estate-cut-short" { file: String, records: Count, why: String }
    EstateMorePages "estate-more-pages" { file: String, key: String }
    EstateNothing "estate-nothing" { file: String }
    EstateRecord "estate-record" { file: String, what: String }
    EstateDiffer "estate-differ" { name: String, field: String, other: String }
    EstateExpression "estate-expression" { name: String, field: String, text: String }
    EstateUnresolved "estate-unresolved" { name: String }
    EstateAgain "estate-again" { machines: Count, members: Count, disks: Count }
    EstateUnread "estate-unread" { fields: Count, kinds: Count, names: List }
    EstateUnreadRecords "estate-unread-records" { records: Count, kinds: Count, names: List }
    EstateUnjudged "estate-unjudged" { rules: List, machines: Count, what: Word }
    EstateUnjudgedDisks "estate-unjudged-disks" { rules: List, machines: Count, what: Word }
    EstateMore "estate-more" { findings: Count }
    EstateLike "estate-like" { says: String, more: Count }
    EstateFolded "estate-folded" { notes: Count }
    EstateWaived "estate-waived" { findings: Count }
    EstatePlanned "estate-planned" { machines: Count, monthly: Figure, planned: Figure }
    EstateUnrecorded "estate-unrecorded" { machines: Count, names: List }
    EstateUnmatched "estate-unmatched" { recordings: Count }
    EstateLetGo "estate-let-go" { findings: Count, rules: List }
    EstateSaysSeen "estate-says-seen" { says: Sentence, seen: Sentence }
    EstateAssumed "estate-assumed" { says: Sentence, controller: String }
    EstateWorse "estate-worse" { says: Sentence, now: Figure, was: Figure }
    EstateWorseMachines "estate-worse-machines" { says: Sentence, now: Count, was: Count }
    EstateWorseMonthly "estate-worse-monthly" { says: Sentence, now: Figure, was: Figure }
    EstateSeenAt "estate-seen-at" { limit: Figure, share: Figure, time: Figure, interval: Figure }
    EstateSeenMost "estate-seen-most" { most: Figure, limit: Figure, time: Figure, interval: Figure }
    EstateSeenShort "estate-seen-short" { seen: Sentence }
    EstateSeenWithout "estate-seen-without" { seen: Sentence, disks: List }
    EstateSeenNone "estate-seen-none" { disks: List }
    EstateSeenLacks "estate-seen-lacks" {}
    EstateSeenSpent "estate-seen-spent" { share: Figure, time: Figure, interval: Figure }
    EstateSeenCredits "estate-seen-credits" { least: Figure, time: Figure, interval: Figure }
    EstateSeenReads "estate-seen-reads" { share: Figure, time: Figure }
    EstateUnasked "estate-unasked" { bought: Figure, most: Figure, time: Figure, interval: Figure }
    EstateTierUnasked "estate-tier-unasked" { tier: String, most: Figure, bytes: Figure, time: Figure, interval: Figure }
    EstateBurstsUnasked "estate-bursts-unasked" { most: Figure, bytes: Figure, time: Figure, interval: Figure }
}
