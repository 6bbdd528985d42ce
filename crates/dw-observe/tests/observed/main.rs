//! From readings to the checklist and its doubts.
//!
//! - `support`: recordings in a few words, and the one door to the checklist.
//! - `rows`: one case a row of the checklist and kind of source.
//! - `pitfalls`: one case a known pitfall, and one for each that it does not cry wolf.
//! - `folding`: what is folded away gives the same checklist as what is kept.
//! - `coarse`: devices of several intervals are taken over the coarsest, and no time is lost.
//! - `implausible`: figures that no machine has.
//! - `layers`: devices above others are found by name and by rates.
//! - `missing`: what nobody says stays missing through every sum.
//! - `traces`: stamps that say anything, and memory that stays bounded.
//! - `properties`: percentiles grow; the order of devices and the cutting of files change nothing.

mod coarse;
mod folding;
mod implausible;
mod layers;
mod missing;
mod pitfalls;
mod properties;
mod rows;
mod support;
mod traces;
