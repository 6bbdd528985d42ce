//! More reserve where a simulation served less, or took longer, than was asked for.
//!
//! The search and the estimate go by formulas, and the simulation is the judge. Where it finds a mean or a percentile above its bound,
//! the next plan holds that direction of that volume as much lower as the simulation was too high, and a little more. Where it finds less
//! than a rate, the queue was too short, and becomes deeper by as much; but where a limit is as good as exhausted, which only a queue without
//! end makes use of, more of every rate stays free. So it does where a latency that was held lower is still above its bound there.
//!
//! Ignores: that another plan may be off by less.

use dw_demand::Requirements;
use dw_demand::wishes::{LatencyMax, LatencyOf, VolumeWishes, Wishes};
use dw_documents::plan::{LimitRow, SimulatedRow};
use dw_messages::{Figure, Sentence, say};
use dw_planner::Limit;

/// So often is a demand planned again.
pub(super) const TIMES: usize = 3;
/// Less than what would just do, so that chance does not decide.
const MORE: f64 = 0.98;
/// Requests wait the more the deeper their queue is, so it takes more than the share that is missing.
const DEEPER: f64 = 1.05;
/// A limit with less than this left, in percent, is as good as exhausted.
const EXHAUSTED: f64 = 1.0;
const ONE: f64 = 1e6;

/// How many rows of a simulation are not met: none is the aim.
pub(super) fn missed(rows: &[SimulatedRow]) -> usize {
    rows.iter().filter(|row| !row.met()).count()
}

/// The wishes with as much reserve as a simulation shows to be missing of a plan that leaves so much of its limits; nothing where all is
/// met, or no reserve would help.
pub(super) fn with_more(
    requirements: &Requirements,
    wishes: &Wishes,
    simulated: &[SimulatedRow],
    limits: &[LimitRow],
) -> Option<Wishes> {
    let mut more = wishes.clone();
    let mut missing: f64 = 0.0;
    let is_exhausted = |limit: &LimitRow| limit.of.id.is_some() && limit.headroom_percent < EXHAUSTED;
    for (required, wished) in requirements.volumes.iter().zip(&mut more.volumes) {
        for (place, direction) in ["read", "write"].into_iter().enumerate() {
            let is_of = |row: &&SimulatedRow| row.volume == required.name && row.direction == direction;
            let rows = || simulated.iter().filter(is_of);
            let most = latency_max(wished, place);
            let before = 1.0 - f64::from(most.reserve) / ONE;
            // What was planned, which may be less than what was to be held, becomes shorter by as much as is too long.
            let planned = |of: &str| {
                let of = LatencyOf::ALL.into_iter().find(|each| each.word() == of)?;
                let name = Limit::latency(0, place == 1, of).constraint();
                let is_of =
                    |limit: &&LimitRow| limit.of.limit == name && limit.of.volume.as_ref() == Some(&required.name);
                limits.iter().find(is_of)?.planned
            };
            let missed = rows().flat_map(SimulatedRow::latencies_asked).filter(|(_, simulated, most)| simulated > most);
            let held = missed.map(|(of, simulated, most)| {
                let before = planned(of).map_or(before, |us| before.min(us / most));
                before * MORE * most / simulated
            });
            if let Some(held) = held.min_by(f64::total_cmp) {
                // A formula knows little of how long requests wait where nothing is left.
                let passes = |limit: &&LimitRow| limit.of.volume.as_ref().is_none_or(|name| *name == required.name);
                if most.reserve > 0 && limits.iter().filter(passes).any(is_exhausted) {
                    missing = missing.max(EXHAUSTED / 100.0);
                }
                most.reserve = ((1.0 - held) * ONE).ceil() as u32;
            }
            let slowest = rows().filter(|row| !row.rate_met);
            let slowest = slowest.min_by(|a, b| a.served_percent().total_cmp(&b.served_percent()));
            let Some(row) = slowest else { continue };
            let served = (row.served_percent() / 100.0).max(0.1);
            if limits.iter().any(|limit| is_exhausted(limit) && limit.of.id == row.throttled_by) {
                missing = missing.max(1.0 - served).max(EXHAUSTED / 100.0);
            } else {
                let depth = (1.0 + f64::from(wished.deeper[place]) / ONE) * DEEPER / served;
                wished.deeper[place] = ((depth - 1.0) * ONE).ceil() as u32;
            }
        }
    }
    let left = (1.0 - f64::from(more.rates_reserve) / ONE) * (1.0 - missing);
    more.rates_reserve = ((1.0 - left) * ONE).round() as u32;
    (more != *wishes).then_some(more)
}

/// The same with the latencies of `last`, where no plan has the reserve for them; nothing where that changes nothing.
pub(super) fn rates_alone(more: &Wishes, last: &Wishes) -> Option<Wishes> {
    let mut rates = more.clone();
    for (volume, last) in rates.volumes.iter_mut().zip(&last.volumes) {
        (volume.read_latency_max, volume.write_latency_max) = (last.read_latency_max, last.write_latency_max);
    }
    (rates != *last).then_some(rates)
}

fn latency_max(volume: &mut VolumeWishes, place: usize) -> &mut LatencyMax {
    if place == 0 { &mut volume.read_latency_max } else { &mut volume.write_latency_max }
}

/// What a plan has beyond what the estimates say.
pub(super) enum Reserve {
    /// How far below its bound a latency is planned.
    Latency { volume: String, direction: &'static str, reserve: Figure },
    /// How much deeper a queue is planned.
    Deeper { volume: String, direction: &'static str, more: Figure },
    /// The share of every rate that stays free, in addition to the headroom.
    Rates { reserve: Figure },
}

/// All the reserve of a plan.
pub(super) fn all(requirements: &Requirements, wishes: &Wishes) -> Vec<Reserve> {
    let percent = |ppm: u32| Figure::decimal(f64::from(ppm) / 1e4, 1, "%");
    let mut all = Vec::new();
    for (required, wished) in requirements.volumes.iter().zip(&wishes.volumes) {
        let volume = || required.name.clone();
        let latencies = [wished.read_latency_max.reserve, wished.write_latency_max.reserve];
        for (place, direction) in ["read", "write"].into_iter().enumerate() {
            if latencies[place] > 0 {
                all.push(Reserve::Latency { volume: volume(), direction, reserve: percent(latencies[place]) });
            }
            if wished.deeper[place] > 0 {
                all.push(Reserve::Deeper { volume: volume(), direction, more: percent(wished.deeper[place]) });
            }
        }
    }
    if wishes.rates_reserve > 0 {
        all.push(Reserve::Rates { reserve: percent(wishes.rates_reserve) });
    }
    all
}

/// The remark on a plan that several others preceded.
pub(super) fn said(requirements: &Requirements, wishes: &Wishes, times: usize) -> Sentence {
    let said = |reserve| match reserve {
        Reserve::Latency { volume, direction, reserve } => say!(PlanAgainOf { volume, direction, reserve }),
        Reserve::Deeper { volume, direction, more } => say!(PlanAgainDeeper { volume, direction, more }),
        Reserve::Rates { reserve } => say!(PlanAgainRates { reserve }),
    };
    let changes: Vec<Sentence> = all(requirements, wishes).into_iter().map(said).collect();
    if changes.is_empty() { say!(PlanAgainInVain { times }) } else { say!(PlanAgain { times, changes }) }
}

#[cfg(test)]
mod tests {
    use dw_catalogue::Catalogue;

    use super::*;
    use crate::Session;

    const DEMAND: &str = "schema_version = 1\n[plan]\nregion = 'westeurope'\n[[volume]]\nname = 'data'\ncapacity = '1 TiB'\n\
        read_size = '8 KiB'\nread_latency_max = '10 ms'\nread_iops = { p50 = 4000, p90 = 4000, p99 = 4000, max = 4000 }\n";

    #[test]
    fn reserve_is_what_a_simulation_shows_to_be_missing() {
        let session = Session::new(Catalogue::embedded().clone());
        let planned = session.plan(&session.requirements("requirements.toml", DEMAND).unwrap()).unwrap();
        let limits = &planned.document.limits;
        let disk = limits.iter().find(|limit| limit.of.limit == "disk IOPS").unwrap().clone();
        let met = planned.document.simulated.unwrap();
        assert!(met.met && met.rows.len() == 1, "{:?}", met.rows);
        // What is simulated of 10 ms, the share that is served, by which limit it is throttled and what is left of it; and of what there is more:
        // the latency, the queue, all rates, in percent.
        let cases = [
            (5.0, 1.0, None, [0.0, 0.0, 0.0]),
            (15.0, 1.0, None, [100.0 - 98.0 / 1.5, 0.0, 0.0]),
            (5.0, 0.95, None, [0.0, 105.0 / 0.95 - 100.0, 0.0]),
            (5.0, 0.95, Some(10.0), [0.0, 105.0 / 0.95 - 100.0, 0.0]),
            (5.0, 0.95, Some(0.5), [0.0, 0.0, 5.0]),
            (5.0, 0.989, Some(0.5), [0.0, 0.0, 1.1]),
            (20.0, 0.95, Some(0.5), [51.0, 0.0, 5.0]),
        ];
        for (ms, served, left, expected) in cases {
            // Planned as long as it was to be held.
            let latency = LimitRow {
                planned: Some(10e3),
                ..limits.iter().find(|limit| limit.of.limit == "read latency").unwrap().clone()
            };
            let mut simulated = met.clone();
            let row = &mut simulated.rows[0];
            row.latency_us = ms * 1e3;
            row.latency_met = Some(ms <= 10.0);
            (row.iops, row.bytes_per_s) = (row.promised_iops * served, row.promised_bytes_per_s * served);
            row.rate_met = served >= 0.99;
            row.throttled_by = left.and(disk.of.id.clone());
            let tight = [LimitRow { headroom_percent: left.unwrap_or(20.0), ..disk.clone() }, latency];
            let more = with_more(&planned.requirements, &planned.wishes, &simulated.rows, &tight);
            let found = more.as_ref().map_or([0; 3], |more| {
                let volume = &more.volumes[0];
                [volume.read_latency_max.reserve, volume.deeper[0], more.rates_reserve]
            });
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((f64::from(found) / 1e4 - expected).abs() < 1e-3, "{ms} ms, {served}, {left:?}: {found}");
            }
            assert_eq!(more.is_some(), expected != [0.0; 3], "{ms} ms, {served}, {left:?}");
            // The part of it that has nothing to do with latencies.
            let rates = more.as_ref().and_then(|more| rates_alone(more, &planned.wishes));
            assert_eq!(rates.is_some(), expected[1..] != [0.0; 2]);
            assert!(rates.is_none_or(|rates| rates.volumes[0].read_latency_max.reserve == 0));
        }
    }
}
