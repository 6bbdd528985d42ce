//! Things that go wrong on purpose: added latency, I/O errors, a stuck disk, writes that a crash may tear.
//!
//! A fault names an export, a kind of request, perhaps a range and a share; [`Rules::verdict`] says what becomes of a request.
//! Draws come from the seed, the fault's number and how many requests it has met, so that a run repeats.
//!
//! Ignores: time (a timeline injects and clears), and where a range of a volume lies: for a fault of a member disk the engine
//! asks once a part, with the disk's export and offset, and joins the verdicts with [`Verdict::and`].
//!
//! Invariant: without faults every verdict is [`Verdict::PASS`]; a cleared fault has no effect on later requests.

pub use dw_documents::incident::{ByteRange, Effect, Fault, FaultErrno, FaultOp};
use dw_units::Duration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const MILLION: u32 = 1_000_000;

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
        let struck = |rule: &&mut Rule| rule.export == export && strikes(&rule.fault, op, offset, len);
        for rule in self.rules.iter_mut().filter(struck) {
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

fn strikes(fault: &Fault, op: FaultOp, offset: u64, len: u64) -> bool {
    let kind = fault.op == FaultOp::Any || fault.op == op;
    let touches = |range: ByteRange| {
        op == FaultOp::Flush
            || (offset < range.offset.saturating_add(range.len) && range.offset < offset.saturating_add(len))
    };
    kind && fault.range.is_none_or(touches)
}

/// Refuses what could never happen or is meant otherwise.
fn check(fault: &Fault) -> Result<(), String> {
    if fault.per_million == 0 || fault.per_million > MILLION {
        return Err(format!("`per_million` is {}: it must be 1 to 1000000", fault.per_million));
    }
    if fault.range.is_some_and(|range| range.len == 0) {
        return Err("the range is empty: give it a length, or omit it for the whole disk".into());
    }
    match fault.effect {
        Effect::Latency { min_ns, max_ns } if min_ns > max_ns => {
            Err(format!("the latency begins at {min_ns} ns and ends at {max_ns} ns: write the smaller one first"))
        }
        Effect::Latency { max_ns: 0, .. } => Err("a latency of 0 adds nothing".into()),
        Effect::TornWrite if !matches!(fault.op, FaultOp::Any | FaultOp::Write) => {
            Err("only writes can be torn: omit the operation, or use `write`".into())
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
