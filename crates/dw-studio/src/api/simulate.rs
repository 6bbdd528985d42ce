//! A run, drawn while it runs.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::http::StatusCode;
use axum::response::Response;
use diskwright::dw_formats::scenario::Scenario;
use diskwright::dw_sim::{Progress, SeriesPoint, Teller, Watcher};
use diskwright::dw_stack::CacheMode;
use diskwright::dw_workload::Direction;
use diskwright::replay::Stretch;
use diskwright::simulate::Stamp;
use diskwright::{Error, LoadOptions, Result};
use dw_messages::Language;
use serde_json::{Value, json};

use super::ask::Asked;
use super::stream::Writer;
use super::{App, as_json, in_language};
use crate::serve;

const WAITS: u8 = 0;
const HEAD: u8 = 1;
const COLUMNS: u8 = 2;
const PROGRESS: u8 = 3;
const DOCUMENT: u8 = 4;
const FAILED: u8 = 5;
/// Between two remarks on how far it is, in milliseconds.
const EVERY_MS: u128 = 50;

/// I/Os of a stretch at most: it is there before the hand has left the mouse.
const STRETCH_IOS: u64 = 500_000;

pub(super) async fn answer(app: Arc<App>, question: Vec<u8>, lang: &'static Language) -> Response {
    let (writer, body) = Writer::new(app.limits.patience);
    tokio::spawn(async move {
        let place = match app.runs.clone().try_acquire_owned() {
            Ok(place) => Some(place),
            Err(_) => {
                writer.write(WAITS, b"null");
                app.runs.clone().acquire_owned().await.ok()
            }
        };
        // Who closed the page while it waited gets no run.
        if writer.is_closed() {
            return;
        }
        let _ = tokio::task::spawn_blocking(move || {
            let _place = place;
            let writer = Arc::new(writer);
            if let Err(error) = run(&app, &question, &writer, lang) {
                writer.write(FAILED, as_json(&error).to_string().as_bytes());
            }
        })
        .await;
    });
    serve::with(StatusCode::OK, "application/octet-stream", body)
}

fn run(app: &App, question: &[u8], writer: &Arc<Writer>, lang: &Language) -> Result<()> {
    let asked: Asked = super::read(question)?;
    let read = asked.read(app)?;
    let (simulation, stretch) = match asked.ios {
        None => {
            let quick = LoadOptions { quick: true, ..LoadOptions::default() };
            (app.session.replay_with(read.scenario, read.demand, &quick)?, None)
        }
        Some(ios) => {
            let (simulation, stretch) = app.session.replay_stretch(read.scenario, read.demand, ios.min(STRETCH_IOS))?;
            (simulation, Some(stretch))
        }
    };
    let interval_s = simulation.options.series.map_or(1.0, |interval| interval.ns() as f64 / 1e9);
    writer.write(HEAD, head(&simulation.scenario, interval_s, stretch).to_string().as_bytes());

    let begun = Instant::now();
    let (told, stops) = (Mutex::new(0u128), app.limits.run_time);
    let (watching, telling) = (writer.clone(), writer.clone());
    let watch = move |progress: &Progress| {
        if watching.is_closed() || begun.elapsed() > stops {
            progress.stop.store(true, Relaxed);
        }
        let now = begun.elapsed().as_millis();
        let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
        let end = progress.end_ns.load(Relaxed);
        if now < *told + EVERY_MS || end == 0 {
            return;
        }
        *told = now;
        let share = (progress.virtual_ns.load(Relaxed) as f64 / end as f64).min(1.0);
        let said = json!({ "share": share, "ios": progress.ios.load(Relaxed) });
        watching.write(PROGRESS, said.to_string().as_bytes());
    };
    let tell = move |points: &[SeriesPoint]| {
        columns(points, interval_s).iter().for_each(|part| {
            telling.write(COLUMNS, part);
        });
    };
    let progress =
        Progress { watch: Some(Watcher(Arc::new(watch))), tell: Some(Teller(Box::new(tell))), ..Progress::default() };
    let mut simulated = simulation.run(&progress)?;
    if writer.is_closed() {
        return Ok(());
    }
    simulated.wall_s = Some(begun.elapsed().as_secs_f64());
    let mut document = simulated.document(app.session.now().unwrap_or_else(|| Stamp::from_milliseconds(0)))?;
    // Those of a replay say nothing that its volumes do not say.
    document.jobs.clear();
    let text = serde_json::to_string(&document).map_err(|e| Error::unexpected(e.to_string()))?;
    writer.write(DOCUMENT, in_language(text, lang).as_bytes());
    Ok(())
}

/// What runs: a track for each volume and direction, in the order of their numbers, and what each column is; of a stretch its place in the
/// whole.
fn head(scenario: &Scenario, interval_s: f64, stretch: Option<Stretch>) -> Value {
    let tracks = scenario.volumes.iter().zip(&scenario.stack.volumes).flat_map(|(volume, spec)| {
        let cached = spec.host_cache != CacheMode::None;
        Direction::ALL.map(|direction| {
            let name = diskwright::simulate::track::direction_name(direction);
            json!({ "volume": volume.name, "direction": name, "cached": cached && direction == Direction::Read })
        })
    });
    json!({
        "interval_s": interval_s, "tracks": tracks.collect::<Vec<_>>(),
        "from_s": stretch.map_or(0.0, |stretch| stretch.from.ns() as f64 / 1e9),
        "span_s": stretch.map(|stretch| stretch.span.ns() as f64 / 1e9),
        "is_whole": stretch.is_none_or(|stretch| stretch.is_whole),
        "columns": ["end_s", "iops", "bytes_per_s", "mean_us", "p99_us", "hit_percent", "waited_percent"],
    })
}

/// Points as columns, a part for each track.
fn columns(points: &[SeriesPoint], interval_s: f64) -> Vec<Vec<u8>> {
    let track = |point: &SeriesPoint| {
        let direction = Direction::ALL.iter().position(|d| *d == point.direction).unwrap_or(0);
        u32::from(point.volume) * 3 + direction as u32
    };
    let mut tracks: Vec<u32> = points.iter().map(track).collect();
    tracks.sort_unstable();
    tracks.dedup();
    let part = |number: u32| {
        let rows: Vec<&SeriesPoint> = points.iter().filter(|point| track(point) == number).collect();
        let share = |point: &SeriesPoint, part: f64| if point.ios > 0 { part / point.ios as f64 } else { 0.0 };
        let columns: [&dyn Fn(&SeriesPoint) -> f64; 7] = [
            &|point| point.at.ns() as f64 / 1e9,
            &|point| point.ios as f64 / interval_s,
            &|point| point.bytes as f64 / interval_s,
            &|point| share(point, point.latency_sum as f64) / 1e3,
            &|point| point.latency_p99.map_or(f64::NAN, |ns| ns as f64 / 1e3),
            &|point| share(point, point.cache_hits as f64) * 100.0,
            &|point| point.binding_wait as f64 * 100.0 / (point.latency_sum as f64).max(1.0),
        ];
        let mut part = number.to_le_bytes().to_vec();
        part.extend((rows.len() as u32).to_le_bytes());
        for column in columns {
            rows.iter().for_each(|point| part.extend((column(point) as f32).to_le_bytes()));
        }
        part
    };
    tracks.into_iter().map(part).collect()
}
