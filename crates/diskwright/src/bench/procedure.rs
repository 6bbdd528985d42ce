//! The procedure on a rig: initialise the disks, warm the cache by reading, then measure; and the same in virtual time.
//!
//! The published procedure writes and reads for two hours at random offsets to touch everything; here every block is written once and
//! read once, which touches everything for certain. A warm-up of its own makes the reading longer.

use dw_documents::bench::{BenchDocument, State, Step};
use dw_error::Result;
use dw_formats::scenario::Scenario as Rig;
use dw_stack::CacheMode;
use dw_units::Duration;

use super::job::{self, Length, Stream, options};
use super::rows;
use super::suite::Plan;
use crate::session::Session;

/// Requests of the preparation, and how many in flight.
const PREPARE_SIZE: u64 = 1 << 20;
const PREPARE_DEPTH: u32 = 32;

/// The steps that make a rig ready for `plans`: each volume is filled, and read where it has a host cache and is read later.
pub fn preparation(
    rig: &Rig,
    plans: &[Plan],
    place: &dyn Fn(usize) -> job::Place,
    warm_up: Option<Duration>,
) -> Vec<Step> {
    let mut steps = Vec::new();
    for warm in [false, true] {
        for volume in 0..rig.volumes.len() {
            let streams = || plans.iter().flat_map(|p| &p.streams).filter(|s| s.volume == volume);
            let Some(bytes) = streams().map(|s| s.from + s.bytes).max() else { continue };
            if warm && (rig.stack.volumes[volume].host_cache == CacheMode::None || !streams().any(|s| s.reads)) {
                continue;
            }
            let name = &rig.volumes[volume].name;
            let stream = Stream {
                name: format!("{}-{name}", if warm { "warm" } else { "fill" }),
                volume,
                from: 0,
                bytes,
                reads: warm,
                options: options(&[
                    ("rw", &if warm { "randread" } else { "write" }),
                    ("bs", &PREPARE_SIZE),
                    ("iodepth", &PREPARE_DEPTH),
                ]),
            };
            let length = match warm_up {
                Some(measure) if warm => Length::Time { measure, ramp: Duration::ZERO },
                _ => Length::Once,
            };
            steps.push(Step {
                name: if warm { "warm up" } else { "initialise" }.into(),
                volume: name.clone(),
                state: State::Planned,
                bytes,
                predicted_s: 0.0,
                seconds: None,
                job: job::text(&[stream], place, length),
            });
        }
    }
    steps
}

/// What the host cache holds once a rig is prepared.
pub fn warm_after(rig: &Rig, plans: &[Plan]) -> Vec<(u16, u64, u64)> {
    let cached = (0u16..).zip(&rig.stack.volumes).filter(|(_, v)| v.host_cache != CacheMode::None);
    cached
        .filter_map(|(index, _)| {
            let streams = plans.iter().flat_map(|p| &p.streams).filter(|s| s.volume == usize::from(index));
            Some((index, 0, streams.map(|s| s.from + s.bytes).max()?))
        })
        .collect()
}

/// Simulates every scenario from the state that the preparation leaves, and the preparation itself from cold.
pub fn predict_all(
    session: &Session,
    rig: &Rig,
    plans: &[Plan],
    document: &mut BenchDocument,
    (lengths, warm_up): (&[Length], Option<Duration>),
) -> Result<()> {
    let model = |volume: usize| job::Place::Model(rig.volumes[volume].name.clone());
    let warm = warm_after(rig, plans);
    for (step, of_model) in document.preparation.iter_mut().zip(preparation(rig, plans, &model, warm_up)) {
        if step.predicted_s == 0.0 {
            step.predicted_s = session.predict(rig, &of_model.job, Vec::new())?.seconds;
        }
    }
    for (index, plan) in plans.iter().enumerate() {
        if !document.scenarios[index].predicted.is_empty() {
            continue;
        }
        let text = job::text(&plan.streams, &model, lengths[index]);
        let prediction = session.predict(rig, &text, warm.clone())?;
        let scenario = &mut document.scenarios[index];
        (scenario.predicted, scenario.binding) = (prediction.shares, prediction.binding);
        document.rows.extend(rows::rows(plan, scenario));
    }
    document.findings = rows::findings(&document.scenarios);
    Ok(())
}
