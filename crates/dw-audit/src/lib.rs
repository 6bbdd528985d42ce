//! What is wrong with an estate, from its inventory alone.
//!
//! A rule is a row: its code, what it needs to know, its threshold, and a function of one machine that finds. Figures, prices, stages of life and what
//! a change takes come from the catalogue; gates and routes are its data. The findings of a machine depend on no other machine. A rule that
//! lacks what it needs finds nothing, and is counted as not judged, with what was missing.
//!
//! A recording of a machine settles what its inventory leaves open: what of it changes a finding is data of its rule's row (`settle.rs`).
//!
//! Codes: DW1xx limits, DW2xx waste, DW3xx data at risk, DW4xx lifecycle, DW5xx price; DW0xx are about waivers.
//!
//! Lives here: rules, findings, waivers.
//! Never here: records of any vendor, files, figures of what is sold, tables for people; what a finding is as a type (`dw_documents::audit`).
//! Read next: `rule.rs`, `case.rs`, then a family: `limits.rs`.

#![forbid(unsafe_code)]

mod audit;
mod baseline;
mod case;
mod catalogued;
mod figures;
mod finding;
mod lifecycle;
mod limits;
mod market;
mod price;
mod recorded;
mod remedy;
mod risk;
mod rule;
mod settle;
mod waivers;
mod waste;

pub use audit::{Audit, audit, near_rules, rules};
pub use case::{Case, DiskCase};
pub use market::Market;
pub use recorded::{Recorded, RecordedPoint, RecordedVolume, Recordings};
pub use rule::{Family, Need, Rule, Settles, Then};
pub use waivers::{Waivers, matches};
