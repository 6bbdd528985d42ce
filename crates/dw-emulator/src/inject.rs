//! Things that go wrong on purpose: added latency, I/O errors, a stuck disk, writes that a crash may tear.
//!
//! A fault names an export, a kind of request, perhaps a range and a share; [`Rules::verdict`] says what becomes of a request.
//! Draws come from the seed, the fault's number and how many requests it has met, so that a run repeats.
//!
//! Ignores: time (a timeline injects and clears), and where a range of a volume lies: for a fault of a member disk the engine
//! asks once a part, with the disk's export and offset, and joins the verdicts with [`Verdict::and`].
//!
//! Invariant: without faults every verdict is [`Verdict::PASS`]; a cleared fault has no effect on later requests.

use dw_units::Duration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something to go wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// The export: a volume (`data`: requests of its clients) or one of its disks (`data.0`: whatever reaches it).
    pub export: String,
    /// Which requests.
    #[serde(default)]
    pub op: FaultOp,
    /// Only requests that touch this range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<ByteRange>,
    /// How many of a million such requests. Default: all.
    #[serde(default = "all", skip_serializing_if = "is_all")]
    pub per_million: u32,
    /// Seed of its draws. Default 1.
    #[serde(default = "one")]
    pub seed: u64,
    /// What happens to them.
    pub effect: Effect,
}

/// A range of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ByteRange {
    /// First byte.
    pub offset: u64,
    /// Bytes.
    pub len: u64,
}

const MILLION: u32 = 1_000_000;

const fn all() -> u32 {
    MILLION
}

const fn is_all(per_million: &u32) -> bool {
    *per_million == MILLION
}

const fn one() -> u64 {
    1
}

/// A fault in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ListedFault {
    /// Its number.
    pub id: u32,
    /// What it is.
    pub fault: Fault,
    /// Requests that it has struck.
    pub struck: u64,
}

/// Which requests a fault is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FaultOp {
    /// All.
    #[default]
    Any,
    /// Reads.
    Read,
    /// Writes, of zeroes too.
    Write,
    /// Trims.
    Trim,
    /// Flushes; ranges do not matter to them.
    Flush,
}

/// What happens to a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Effect {
    /// It takes longer than the model says, by a time drawn evenly between the two.
    Latency {
        /// At least.
        min_ns: u64,
        /// At most.
        max_ns: u64,
    },
    /// It fails when it would have been done.
    Error {
        /// How.
        errno: FaultErrno,
    },
    /// It is held until the fault is cleared.
    Stuck,
    /// If a crash comes while it is under way, a part of its sectors is written.
    TornWrite,
}

/// The error that a client sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum FaultErrno {
    /// EIO.
    #[serde(rename = "EIO")]
    Io,
    /// ENOSPC.
    #[serde(rename = "ENOSPC")]
    NoSpace,
}

/// What becomes of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Added to its time.
    pub delay: Duration,
    /// Its failure.
    pub error: Option<FaultErrno>,
    /// Held until this fault is cleared; see [`Rules::holds`].
    pub stuck: Option<u32>,
    /// A crash may tear it.
    pub torn: bool,
}

impl Verdict {
    /// Nothing happens.
    pub const PASS: Verdict = Verdict { delay: Duration::ZERO, error: None, stuck: None, torn: false };

    /// Both: of two parts of a request, or of two faults. The longer delay counts, for parts are served side by side.
    pub fn and(self, other: Verdict) -> Verdict {
        Verdict {
            delay: self.delay.max(other.delay),
            error: self.error.or(other.error),
            stuck: self.stuck.or(other.stuck),
            torn: self.torn || other.torn,
        }
    }
}

/// All faults in force.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    rules: Vec<Rule>,
    last_id: u32,
}

#[derive(Clone, Debug)]
struct Rule {
    id: u32,
    export: u16,
    met: u64,
    struck: u64,
    fault: Fault,
}

impl Rules {
    /// Puts a fault of the export numbered `export` in force and gives its number.
    pub fn add(&mut self, fault: Fault, export: u16) -> Result<u32, String> {
        check(&fault)?;
        self.last_id += 1;
        self.rules.push(Rule { id: self.last_id, export, met: 0, struck: 0, fault });
        Ok(self.last_id)
    }

    /// Takes one fault back, or all; gives how many.
    pub fn clear(&mut self, id: Option<u32>) -> u32 {
        self.clear_those(|rule| id.is_none_or(|id| rule.id == id))
    }

    /// Takes all faults of an export back; gives how many.
    pub fn clear_export(&mut self, export: u16) -> u32 {
        self.clear_those(|rule| rule.export == export)
    }

    fn clear_those(&mut self, chosen: impl Fn(&Rule) -> bool) -> u32 {
        let before = self.rules.len();
        self.rules.retain(|rule| !chosen(rule));
        u32::try_from(before - self.rules.len()).unwrap_or(u32::MAX)
    }

    /// All of them, oldest first.
    pub fn list(&self) -> Vec<ListedFault> {
        let listed = |rule: &Rule| ListedFault { id: rule.id, fault: rule.fault.clone(), struck: rule.struck };
        self.rules.iter().map(listed).collect()
    }

    /// Whether there is none: the usual case, worth one question a request.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Whether any fault is for this export.
    pub fn concerns(&self, export: u16) -> bool {
        self.rules.iter().any(|rule| rule.export == export)
    }

    /// Whether the fault that a request is stuck on is still in force.
    pub fn holds(&self, id: u32) -> bool {
        self.rules.iter().any(|rule| rule.id == id)
    }

    /// What becomes of a request, or of the part of one that reaches a disk. Faults that add latency add up.
    pub fn verdict(&mut self, export: u16, op: FaultOp, offset: u64, len: u64) -> Verdict {
        let mut verdict = Verdict::PASS;
        for rule in self.rules.iter_mut().filter(|rule| rule.export == export && rule.fault.matches(op, offset, len)) {
            let draw = random(rule.fault.seed, rule.id, rule.met);
            rule.met += 1;
            if draw.0 % u64::from(MILLION) >= u64::from(rule.fault.per_million) {
                continue;
            }
            rule.struck += 1;
            match rule.fault.effect {
                Effect::Latency { min_ns, max_ns } => verdict.delay += between(min_ns, max_ns, draw.1),
                Effect::Error { errno } => verdict.error = verdict.error.or(Some(errno)),
                Effect::Stuck => verdict.stuck = verdict.stuck.or(Some(rule.id)),
                Effect::TornWrite => verdict.torn |= op == FaultOp::Write,
            }
        }
        verdict
    }
}

impl Fault {
    fn matches(&self, op: FaultOp, offset: u64, len: u64) -> bool {
        let kind = self.op == FaultOp::Any || self.op == op;
        let touches = |range: ByteRange| {
            op == FaultOp::Flush
                || (offset < range.offset.saturating_add(range.len) && range.offset < offset.saturating_add(len))
        };
        kind && self.range.is_none_or(touches)
    }
}

/// Refuses what could never happen or is meant otherwise.
fn check(fault: &Fault) -> Result<(), String> {
    if fault.per_million == 0 || fault.per_million > MILLION {
        return Err(format!("`per_million` is {}: it must be 1 to 1000000", fault.per_million));
    }
    if fault.range.is_some_and(|range| range.len == 0) {
        return Err("the range is empty: give it a length, or leave it out for the whole disk".into());
    }
    match fault.effect {
        Effect::Latency { min_ns, max_ns } if min_ns > max_ns => {
            Err(format!("the latency begins at {min_ns} ns and ends at {max_ns} ns: write the smaller one first"))
        }
        Effect::Latency { max_ns: 0, .. } => Err("a latency of 0 adds nothing".into()),
        Effect::TornWrite if !matches!(fault.op, FaultOp::Any | FaultOp::Write) => {
            Err("only writes can be torn: leave the operation out, or say `write`".into())
        }
        _ => Ok(()),
    }
}

/// Evenly between the two, both included.
fn between(min: u64, max: u64, draw: u64) -> Duration {
    let span = u128::from(max - min) + 1;
    let part = (u128::from(draw) * span) >> 64;
    Duration::from_ns(min + u64::try_from(part).unwrap_or(0))
}

/// Two draws for the `n`th request of a fault.
fn random(seed: u64, id: u32, n: u64) -> (u64, u64) {
    let key = mix(mix(seed) ^ u64::from(id));
    (mix(key ^ mix(2 * n)), mix(key ^ mix(2 * n + 1)))
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014), with its increment.
const fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests;
