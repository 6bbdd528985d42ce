//! What an instance lets pass to its volumes.
//!
//! Formula: of I/Os and of bytes each `base` for good and `maximum` while a bucket of `(maximum − base) · 1,800 s` lasts, which is full at
//! the start. A type with two EBS cards has two gates with half of it each; a volume passes the gate of its card.
//!
//! Refill (graded): `cautious` earns `base − used` and nothing else; `daily` is also full again 24 hours after it was last full. Published
//! is that the maximum is held for 30 minutes at least once in 24 hours, not how the balance fills; one article saw the daily one.
//!
//! Weighting: the favoured side's base grows by 25 %, the other side's falls by the same bytes, its burst with it; IOPS stay.
//!
//! Source: `sources::{EBS_OPTIMIZED, EBS_REFILL, EBS_MERGE, WEIGHTING, INSTANCE_TYPES}`.
//!
//! Assumed: that both balances are apart; that a request counts once here, however large, and that sequential ones are merged up to
//! 256 KiB, as an instance was seen to give six times its IOPS of them.

use dw_messages::{Label, labels};
use dw_stack::{Accounting, CreditSpec, GateSpec, Limit, LimitSpec, Quantity};
use dw_units::{Bytes, Duration, Throughput};

use crate::instances::{EbsLimit, EbsLimits, InstanceType};
use crate::sources::WEIGHTING;

/// The option of an instance that weights its bandwidth.
pub const BANDWIDTH: &str = "bandwidth";
/// The option of a volume that puts it on an EBS card.
pub const CARD: &str = "card";

/// A volume on an EBS card, as the options of a scenario write it; nothing for the first, on which every volume is without a word.
pub(crate) fn on_card(card: u64) -> Box<str> {
    if card == 0 { "".into() } else { format!("{CARD} = \"{card}\"").into() }
}

/// The name of the one gate, and what those of cards begin with.
pub const EBS: &str = "ebs";
/// What its limits are called; other languages have words for it.
pub const EBS_LIMITS: [Label; 2] = labels!["ebs IOPS", "ebs throughput"];
/// So long a full balance lasts at the maximum.
pub const BURST_SECONDS: u64 = 1_800;
const MERGE: Bytes = Bytes::kib(256);
const DAY: Duration = Duration::from_secs(24 * 3_600);

/// How the balances fill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Refill {
    /// By what is not used of the base.
    #[default]
    Cautious,
    /// Also to the brim, a day after they were last full.
    Daily,
}

impl Refill {
    pub const ALL: [(&'static str, Refill); 2] = [("cautious", Refill::Cautious), ("daily", Refill::Daily)];

    /// What it rests on, as a sentence.
    pub const fn said(self) -> &'static str {
        match self {
            Refill::Cautious => {
                "how the instance's EBS balances fill is not published: they earn what is not used of the baseline (assumed)"
            }
            Refill::Daily => {
                "the instance's EBS balances are full again 24 hours after they were last full: one article saw it, no page says it"
            }
        }
    }
}

/// Which side has more of the bandwidth that network and EBS share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weighting {
    #[default]
    Even,
    /// `vpc-1`.
    Network,
    /// `ebs-1`.
    Ebs,
}

impl Weighting {
    pub const ALL: [(&'static str, Weighting); 3] = [
        (Weighting::Even.word(), Weighting::Even),
        (Weighting::Network.word(), Weighting::Network),
        (Weighting::Ebs.word(), Weighting::Ebs),
    ];
    /// What scenarios call it.
    pub const fn word(self) -> &'static str {
        match self {
            Weighting::Even => "default",
            Weighting::Network => "vpc-1",
            Weighting::Ebs => "ebs-1",
        }
    }
    pub fn find(word: &str) -> Option<Weighting> {
        Weighting::ALL.into_iter().find(|(own, _)| *own == word).map(|(_, weighting)| weighting)
    }
    /// As the options of a scenario write it; empty where it is as it comes.
    pub fn chosen(self) -> String {
        if self == Weighting::Even { String::new() } else { format!("bandwidth = \"{}\"", self.word()) }
    }
    /// By so much the favoured base grows.
    const PERCENT: u64 = 25;
}

impl InstanceType {
    /// Its EBS limits with a weighting, or why it cannot have it.
    pub fn ebs_weighted(&self, weighting: Weighting) -> Result<Option<EbsLimits>, String> {
        let Some(even) = self.ebs else { return Ok(None) };
        if weighting == Weighting::Even {
            return Ok(Some(even));
        }
        if !self.takes_weighting() {
            return Err(format!("the bandwidth of {} cannot be weighted ({WEIGHTING})", self.name));
        }
        let bytes = |limit: EbsLimit| limit.throughput.get();
        let with = |limit: EbsLimit, bytes: u64| EbsLimit { throughput: Throughput::bytes_per_second(bytes), ..limit };
        let (base, maximum) = (bytes(even.base), bytes(even.maximum));
        Ok(Some(match weighting {
            Weighting::Even => even,
            Weighting::Ebs => {
                let more = base * Weighting::PERCENT / 100;
                // A burst stays what it is; without one the maximum is the base. Large flex types burst by as much more.
                let grown = if self.is_flex() && self.vcpu > FLEX_VCPU { maximum + more } else { maximum };
                EbsLimits { base: with(even.base, base + more), maximum: with(even.maximum, grown.max(base + more)) }
            }
            Weighting::Network => {
                let (Some(network), _) = self.network else {
                    return Err(format!(
                        "no source gives the network baseline of {}, a quarter of which it takes",
                        self.name
                    ));
                };
                // Thousandths of a Gb/s.
                let less = network * 125_000 * Weighting::PERCENT / 100;
                let fallen = if self.is_flex() { maximum } else { maximum.saturating_sub(less) };
                let base = base.saturating_sub(less).max(1);
                EbsLimits { base: with(even.base, base), maximum: with(even.maximum, fallen.max(base)) }
            }
        }))
    }

    /// The gates of its cards, in order; none where nothing is known. What keeps a type out of plans does not keep it from being simulated.
    pub fn gates(&self, refill: Refill, weighting: Weighting) -> Result<Vec<GateSpec>, String> {
        let Some(all) = self.ebs_weighted(weighting)? else { return Ok(Vec::new()) };
        let name = |card: u32| if self.cards == 1 { EBS.to_string() } else { format!("{EBS}-card-{card}") };
        let gate = |card: u32| GateSpec {
            name: name(card),
            limits: LimitSpec::default(),
            more: limits(all, refill, u64::from(self.cards)).to_vec(),
        };
        Ok((0..self.cards).map(gate).collect())
    }
}

/// Flex types of more vCPUs than a `.4xlarge` has burst by as much more as their base grows.
const FLEX_VCPU: u32 = 16;

fn limits(all: EbsLimits, refill: Refill, parts: u64) -> [Limit; 2] {
    let top_up = (refill == Refill::Daily).then_some(DAY);
    let limit = |quantity, base: u64, maximum: u64, accounting| {
        let (rate, peak) = (base / parts, maximum / parts);
        let credits =
            (peak > rate).then(|| CreditSpec { size: (peak - rate) * BURST_SECONDS, peak, top_up, level: None });
        Limit { quantity, rate, depth: 0, credits, accounting }
    };
    let merged = Accounting { merge: Some(MERGE), ..Accounting::PLAIN };
    [
        limit(Quantity::Iops, all.base.iops.get(), all.maximum.iops.get(), merged),
        limit(Quantity::Throughput, all.base.throughput.get(), all.maximum.throughput.get(), Accounting::PLAIN),
    ]
}
