//! A recording in: one that is there, or one that the page sends.

use std::io::{self, BufRead, Read as _};
use std::sync::Arc;

use axum::body::Body;
use diskwright::dw_demand::wishes::{Role, VolumeWishes, Wishes};
use diskwright::dw_demand::{Offers, Requirements};
use diskwright::dw_documents::checklist::ChecklistDocument;
use diskwright::dw_observe::series::Point;
use diskwright::dw_observe::volumes::VolumeChoice;
use diskwright::dw_observe::{Amount, Observation, VolumeObservation};
use diskwright::dw_units::{Bytes, Duration};
use diskwright::{Demand, Error, Files, ObserveOptions, Recording, Result, Session};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{App, JSON, Text, figure, share};
use crate::{Open, upload};

/// What a page asks of a recording, in the address: its body is the recording.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    /// The place of one that is there; absent = the body is one.
    source: Option<usize>,
    /// What messages call its files, and how long each is in the body, one after the other.
    #[serde(default)]
    files: Vec<(String, u64)>,
    /// Volumes and their devices; empty = as they are found.
    #[serde(default)]
    volumes: Vec<(String, Vec<String>)>,
    /// Seconds between readings, for files that do not say.
    every_s: Option<u64>,
}

pub(super) async fn answer(app: Arc<App>, query: &str, body: Body) -> Result<Text> {
    let (most, patience) = (app.limits.upload_bytes, app.limits.patience);
    let begun = || -> Result<(Asked, (_, upload::Upload))> {
        let asked: Asked = super::read(&decoded(query)?)?;
        let upload = upload::Upload::new(asked.files.clone())?;
        Ok((asked, upload))
    };
    let (asked, (to, upload)) = match begun() {
        Ok(begun) => begun,
        Err(error) => {
            upload::dropped(body, most, patience).await;
            return Err(error);
        }
    };
    let place = app.plans.clone().acquire_owned().await.ok();
    let Some(source) = asked.source else {
        let worked = tokio::task::spawn_blocking(move || {
            let _place = place;
            let names: Vec<String> = asked.files.iter().map(|(name, _)| name.clone()).collect();
            let session = app.session.clone().with_files(upload);
            Ok((JSON, kept(&app, &session, &asked, &names, None)?.1))
        });
        upload::pass(body, to, most, patience).await;
        return worked.await.unwrap_or_else(|e| Err(Error::unexpected(e.to_string())));
    };
    let worked = tokio::task::spawn_blocking(move || {
        let _place = place;
        // Whatever is asked first: what was read while the browser started is used now or never.
        let as_it_is = source == 0 && asked.volumes.is_empty() && asked.every_s.is_none();
        if let Some(text) = app.first.observed().filter(|_| as_it_is) {
            return Ok((JSON, text));
        }
        Ok((JSON, of_source(&app, source, asked)?.1))
    });
    worked.await.unwrap_or_else(|e| Err(Error::unexpected(e.to_string())))
}

/// One that is there: its number, and the answer.
pub(super) fn of_source(app: &App, source: usize, mut asked: Asked) -> Result<(u64, String)> {
    let source = app.sources.get(source).ok_or_else(|| Error::usage("unknown recording"))?;
    for (place, name) in source.files.iter().enumerate() {
        let mut file = (source.open)(place).map_err(|e| Error::input(e.to_string()).of_file(name))?;
        if !share::is_shared(file.fill_buf().unwrap_or_default()) {
            continue;
        }
        if source.files.len() > 1 {
            let what = "this is a file that a studio shared; it cannot be joined with others";
            return Err(Error::usage(what).hint("open it alone").of_file(name));
        }
        let mut text = Vec::new();
        file.take(app.limits.question_bytes as u64 + 1)
            .read_to_end(&mut text)
            .map_err(|e| Error::input(e.to_string()).of_file(name))?;
        return share::opened(app, name, &text)?.text();
    }
    if asked.volumes.is_empty() {
        asked.volumes = source.volumes.iter().map(|v| (v.name.clone(), v.devices.clone())).collect();
    }
    let session = app.session.clone().with_files(Listed { names: source.files.clone(), open: source.open.clone() });
    kept(app, &session, &asked, &source.files, source.wishes.as_ref())
}

/// Files that were named when the program was started, and no others.
struct Listed {
    names: Vec<String>,
    open: Open,
}

impl Files for Listed {
    fn open(&self, name: &str) -> io::Result<Box<dyn BufRead + '_>> {
        let place = self.names.iter().position(|known| known == name).ok_or(io::ErrorKind::NotFound)?;
        Ok((self.open)(place)?)
    }
}

/// What the page gets.
#[derive(Serialize)]
pub(super) struct Answer {
    recording: u64,
    checklist: ChecklistDocument,
    form: Value,
    over_time: bool,
    recorded: Recorded,
    /// Where a colleague sent it: what was chosen, and what came of it.
    shared: Option<Value>,
}

impl Answer {
    /// Of a recording that is kept from now on.
    pub(super) fn keeping(
        app: &App,
        table: toml::Table,
        over_time: bool,
        checklist: ChecklistDocument,
        recorded: Recorded,
    ) -> Result<Answer> {
        let mut form = serde_json::to_value(&table).map_err(|e| Error::unexpected(e.to_string()))?;
        for volume in form["volume"].as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
            volume.remove("series");
        }
        let recording = app.store.keep(table, app.limits.recordings);
        Ok(Answer { recording, checklist, form, over_time, recorded, shared: None })
    }

    /// With what a colleague chose.
    pub(super) fn shared(self, shared: Value) -> Answer {
        Answer { shared: Some(shared), ..self }
    }

    /// Its number, and itself as the page reads it.
    pub(super) fn text(&self) -> Result<(u64, String)> {
        let text = serde_json::to_string(self).map_err(|e| Error::unexpected(e.to_string()))?;
        Ok((self.recording, text))
    }
}

/// What no document has: when it was, and how long reads and writes took.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Recorded {
    /// The date, where it is known, and the second of the day on the wall at which it begins.
    date: Option<String>,
    second_of_day: Option<u32>,
    volumes: Vec<Latencies>,
}

/// Of a volume, over time.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Latencies {
    name: String,
    end_s: Vec<Option<f64>>,
    read_us: Vec<Option<f64>>,
    write_us: Vec<Option<f64>>,
}

/// Points of a line at most: one for some pixels.
const POINTS: usize = 600;

impl Recorded {
    fn of(observation: &Observation) -> Recorded {
        let begins = |volume: &VolumeObservation| volume.series.means().first().map(|p| p.at - p.span.ns() as i64);
        let first = observation.volumes.first();
        let wall = first.and_then(|volume| volume.series.axis.wall(begins(volume)?));
        let volumes = observation.volumes.iter().map(|volume| {
            let (points, begins) = (volume.series.means(), begins(volume).unwrap_or(0));
            let every = points.len().div_ceil(POINTS).max(1);
            let points: Vec<&Point> = points.iter().step_by(every).collect();
            let us = |of: fn(&Point) -> Amount| {
                let known = |p: &&Point| of(p).known().and_then(|seconds| figure(seconds * 1e6).as_f64());
                points.iter().map(known).collect()
            };
            Latencies {
                name: volume.name.to_string(),
                end_s: points.iter().map(|p| figure((p.at - begins) as f64 / 1e9).as_f64()).collect(),
                read_us: us(Point::read_latency),
                write_us: us(Point::write_latency),
            }
        });
        Recorded {
            date: wall.and_then(|wall| wall.date).map(|(year, month, day)| format!("{year:04}-{month:02}-{day:02}")),
            second_of_day: wall.map(|wall| wall.second_of_day),
            volumes: volumes.collect(),
        }
    }
}

fn kept(
    app: &App,
    session: &Session,
    asked: &Asked,
    names: &[String],
    wishes: Option<&Wishes>,
) -> Result<(u64, String)> {
    let mut options = ObserveOptions::default();
    let volume =
        |(name, devices): &(String, Vec<String>)| VolumeChoice { name: name.clone(), devices: devices.clone() };
    options.settings.volumes = asked.volumes.iter().map(volume).collect();
    options.recorder.every = asked.every_s.map(Duration::from_secs);
    let recordings: Vec<Recording> = names.iter().map(|name| Recording::file(name)).collect();
    let observed = session.observe(&recordings, &options)?;
    let requirements = observed.requirements(observed.planned_window()?)?;
    let wishes = wishes.filter(|wishes| wishes.volumes.len() == requirements.volumes.len()).cloned();
    let wishes = wishes.unwrap_or_else(|| unknown(session, &requirements));
    let recorded = Recorded::of(&observed.observation);
    let demand = Demand::new(requirements, wishes);
    let text = demand.text("What the plan must meet.");
    let table: toml::Table = toml::from_str(&text).map_err(|e| Error::unexpected(e.to_string()))?;
    let over_time = is_over_time(&demand);
    Answer::keeping(app, table, over_time, observed.into_checklist(), recorded)?.text()
}

/// Whether it can be replayed.
pub(super) fn is_over_time(demand: &Demand) -> bool {
    demand.requirements.volumes.iter().any(|volume| volume.over_time().is_some())
}

/// Nothing is known of what volumes must hold, but what their names say they are for.
fn unknown(session: &Session, requirements: &Requirements) -> Wishes {
    let of_name = |name: &str| Role::ALL.into_iter().find(|role| role.word() == name).unwrap_or_default();
    let volumes = requirements.volumes.iter().map(|v| VolumeWishes::of(of_name(&v.name), Bytes::ZERO)).collect();
    Wishes { volumes, ..Offers::vendor(session.catalogue()).wishes() }
}

/// What stands behind `q=` in an address.
pub(super) fn decoded(query: &str) -> Result<Vec<u8>> {
    let wrong = || Error::usage("the address cannot be read");
    let text = query.strip_prefix("q=").ok_or_else(wrong)?.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(text.len()), 0);
    while let Some(byte) = text.get(at) {
        if *byte == b'%' {
            let digits = text.get(at + 1..at + 3).and_then(|two| std::str::from_utf8(two).ok()).ok_or_else(wrong)?;
            out.push(u8::from_str_radix(digits, 16).map_err(|_| wrong())?);
            at += 3;
        } else {
            out.push(*byte);
            at += 1;
        }
    }
    Ok(out)
}
