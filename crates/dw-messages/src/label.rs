//! Labels: headings, names of columns, words of verdicts. Their English stands in the code, so that English reads no file; other
//! languages have a file of pairs, `messages/labels/LANGUAGE.txt`: a line of English, and under it, further in, the same in the language.
//!
//! ```
//! use dw_messages::{Language, text};
//! let what = "disks";
//! assert_eq!(text!(Language::english(), "Cost by {what}, {currency}", what, currency = "USD"), "Cost by disks, USD");
//! ```

use std::collections::HashMap;

/// A text of the code in English; made by [`label!`](crate::label), by which tests find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(pub(crate) &'static str);

impl Label {
    /// What [`label!`](crate::label) makes.
    #[doc(hidden)]
    pub const fn new(english: &'static str) -> Label {
        Label(english)
    }

    /// Without a sign of its place that it begins with.
    pub fn without(self, sign: &str) -> Option<Label> {
        self.0.strip_prefix(sign).map(Label)
    }

    pub const fn english(self) -> &'static str {
        self.0
    }
}

/// A label.
#[macro_export]
macro_rules! label {
    ($english:literal) => {
        $crate::Label::new($english)
    };
}

/// Labels in a row.
#[macro_export]
macro_rules! labels {
    [$($english:literal),* $(,)?] => { [$($crate::label!($english)),*] };
}

/// A label in a language, its places `{name}` filled; without a value `name` stands for `name = name`, as in `format!`.
#[macro_export]
macro_rules! text {
    ($language:expr, $english:literal $(,)?) => { $language.label($crate::label!($english)).to_string() };
    ($language:expr, $english:literal, $($name:ident $(= $value:expr)?),+ $(,)?) => {
        $language.fill($crate::label!($english), &[$((stringify!($name), &$crate::text!(@value $name $(, $value)?))),+])
    };
    (@value $name:ident) => { $name };
    (@value $name:ident, $value:expr) => { $value };
}

/// Reads pairs.
pub(crate) fn read(text: &str) -> Result<HashMap<String, String>, String> {
    let mut pairs = HashMap::new();
    let mut english: Option<&str> = None;
    for (number, line) in text.lines().enumerate() {
        let line_fault = |what: &str| format!("line {}: {what}", number + 1);
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        match (line.strip_prefix("  "), english.take()) {
            (Some(said), Some(english)) => {
                if pairs.insert(english.to_string(), said.to_string()).is_some() {
                    return Err(line_fault(&format!("`{english}` is there twice")));
                }
            }
            (None, None) => english = Some(line),
            (Some(_), None) => return Err(line_fault("there is no English above it")),
            (None, Some(before)) => return Err(line_fault(&format!("nothing stands under `{before}`"))),
        }
    }
    match english {
        Some(last) => Err(format!("nothing stands under `{last}`")),
        None => Ok(pairs),
    }
}

/// What limits are called (`dw_documents::LimitId::name`, and the constraints of a plan): words of the language.
pub(crate) const LIMITS: &[Label] = &labels![
    "disk IOPS",
    "disk throughput",
    "disk IOPS (reads)",
    "disk throughput (reads)",
    "disk IOPS (writes)",
    "disk throughput (writes)",
    "local disk IOPS",
    "local disk throughput",
    "local disk IOPS (reads)",
    "local disk throughput (reads)",
    "local disk IOPS (writes)",
    "local disk throughput (writes)",
    "vm cached IOPS",
    "vm cached throughput",
    "vm uncached IOPS",
    "vm uncached throughput",
    "vm uncached IOPS (premium SSD v2, ultra)",
    "vm uncached throughput (premium SSD v2, ultra)",
    "vm uncached IOPS (all remote disks)",
    "vm uncached throughput (all remote disks)",
    "vm local IOPS",
    "vm local throughput",
    "host cache write-back",
    "first touch",
    "capacity",
    "read latency",
    "read latency p95",
    "read latency p99",
    "write latency",
    "write latency p95",
    "write latency p99",
    "local disk size",
    "data disks",
    "premium disks",
    "vCPU",
    "memory",
    "what may be chosen",
    "monthly cost",
];

/// Other words of documents that people read.
pub(crate) const WORDS: &[Label] = &labels![
    "read",
    "write",
    "trim",
    "sync",
    "reads",
    "writes",
    "all",
    "idle",
    "warm",
    "cold",
    "full",
    "empty",
    "rates",
    "latencies",
    "headroom",
    "size",
    "years",
    "after a reboot",
    "recording",
    "met",
    "met with a condition",
    "not met",
    "NOT MET",
    "not proven",
    "failed",
    "agrees",
    "client ceiling",
    "noise",
    "limit",
    "latency model",
    "IOPS",
    "throughput",
    "mean latency",
    "median latency",
    "p90 latency",
    "p95 latency",
    "p99 latency",
    "cheapest",
    "cheapest on paper",
    "cheapest known",
    "balanced",
    "simplest",
    "simplest known",
    "critical",
    "warning",
    "note",
    "measured",
    "derived",
    "estimated",
    "asked",
    "unknown",
    "local disk",
    "cached",
    "uncached",
    "local",
    "local IOPS",
    "local throughput",
    "reserved for 1 year",
    "in a savings plan of 1 year",
    "{n} disks",
    "it has Arm CPUs; `arm = true` allows them",
    "it is burstable; `burstable = true` allows it",
    "it is a confidential VM; `confidential = true` allows it",
    "it is in preview; `preview = true` allows it",
    "new subscriptions cannot deploy it; `closed_to_new = true` allows it",
    "its capacity is limited; `capacity_limited = true` allows it",
    "it is not on the list of allowed sizes",
    "it is of the same series",
    "max transactions/s",
    "% reads",
    "% writes",
    "% random",
    "% sequential",
    "I/O size",
    "average throughput",
    "max throughput",
    "min latency",
    "average latency",
    "max CPU",
    "average CPU",
    "max memory",
    "average memory",
    "queue depth",
    "read IOPS",
    "write IOPS",
    "read throughput",
    "write throughput",
    "read size",
    "write size",
    "merged requests/s",
    "discards/s",
    "flushes/s",
    "throughput average",
    "throughput max",
    "latency min",
    "latency average",
    "CPU max",
    "CPU average",
    "memory max",
    "memory average",
    "merges",
    "discards",
    "flushes",
    "VM cached",
    "VM uncached",
    "VM local",
    "VM uncached (premium SSD v2, ultra)",
    "VM uncached (all remote disks)",
    "intervals",
    "requests",
    "attached",
    "requirements",
    "scenario",
    "pay as you go",
    "reservation",
    "savings plan",
    "not known",
    "machine",
    "volumes",
    "risk",
    "cheaper",
    "next",
    "nearest",
    "OS disk",
    "snapshots",
    "backup",
    "replication, second region",
    "outbound traffic",
    "monitoring agents",
];

/// Every word of a document that has a label.
pub fn document_words() -> impl Iterator<Item = Label> {
    LIMITS.iter().chain(WORDS).copied()
}
