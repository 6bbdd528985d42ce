//! A running emulation, looked at ten times a second by one task for all tabs of all browsers.
//!
//! ```text
//! control socket ◀─ status, 10/s ─ watch ─▶ the latest frame ─▶ one stream a browser (api/live.rs) ─▶ its tabs
//! ```
//!
//! Rates are of the last second, by the counts of the emulation and the clock of this machine, so that they move ten times a second and are
//! nothing while the emulation is paused; percentiles and the use of limits are those of the emulation's last full second. Nobody looks:
//! nothing is asked. Ten minutes are kept, a row a second, while somebody looks.
//!
//! Ignores: disks of a volume one by one (of limits that are alike the fullest is shown).

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use diskwright::{Error, Result};
use serde_json::{Value, json};
use tokio::sync::{Notify, watch};

use crate::api::figure;

/// A running emulation, as its owner named it; a page names none.
#[derive(Clone)]
pub struct Emulation {
    /// What messages call it.
    pub name: String,
    /// Connects to it; an answer may take so long.
    pub connect: Connect,
}

/// Connects to an emulation.
pub type Connect = Arc<dyn Fn(Duration) -> Result<Say> + Send + Sync>;
/// Says a command of the control channel, and gives its answer.
pub type Say = Box<dyn FnMut(&Value) -> Result<Value> + Send>;

/// Between two looks.
const EVERY: Duration = Duration::from_millis(100);
/// Between two tries while nothing answers.
const AGAIN: Duration = Duration::from_secs(1);
/// A status takes no longer.
const PATIENCE: Duration = Duration::from_secs(5);
/// Rates are of so long.
const WINDOW: Duration = Duration::from_secs(1);
/// Rows that are kept, one a second.
const ROWS: usize = 600;

/// What all streams share.
pub(crate) struct Live {
    pub(crate) emulation: Option<Emulation>,
    /// The latest frame; who reads slowly misses some.
    now: watch::Sender<Arc<str>>,
    rows: Mutex<VecDeque<Arc<str>>>,
    wake: Notify,
}

impl Live {
    pub(crate) fn new(emulation: Option<Emulation>) -> Live {
        Live { emulation, now: watch::Sender::new("".into()), rows: Mutex::default(), wake: Notify::new() }
    }

    /// The frames from now on.
    pub(crate) fn frames(&self) -> watch::Receiver<Arc<str>> {
        let frames = self.now.subscribe();
        self.wake.notify_one();
        frames
    }

    /// What was, as the first event of a stream.
    pub(crate) fn past(&self) -> String {
        let rows = self.rows();
        let rows: Vec<&str> = rows.iter().map(|row| &**row).collect();
        format!("{{\"rows\":[{}]}}", rows.join(","))
    }

    fn rows(&self) -> std::sync::MutexGuard<'_, VecDeque<Arc<str>>> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks as long as somebody reads; never ends.
    pub(crate) async fn watch(self: Arc<Live>) {
        let Some(emulation) = self.emulation.clone() else { return };
        let begun = Instant::now();
        let mut eye = Eye::default();
        loop {
            self.wake.notified().await;
            while self.now.receiver_count() > 0 {
                let next = tokio::time::Instant::now() + EVERY;
                let (live, to) = (self.clone(), emulation.clone());
                let looked = tokio::task::spawn_blocking(move || {
                    let seen = eye.look(&to, begun.elapsed());
                    (eye, live.took(&seen), seen.is_running)
                });
                let is_running = match looked.await {
                    Ok((back, frame, is_running)) => {
                        eye = back;
                        self.now.send_replace(frame);
                        is_running
                    }
                    // A fault of ours: whoever watches is told, and the next poll starts over.
                    Err(fault) => {
                        eye = Eye::default();
                        let why = crate::api::as_json(&Error::unexpected(fault.to_string()));
                        let t = seconds(begun.elapsed());
                        let frame = json!({ "t": t, "is": "gone", "name": emulation.name, "why": why });
                        self.now.send_replace(frame.to_string().into());
                        false
                    }
                };
                tokio::time::sleep_until(if is_running { next } else { next + AGAIN }).await;
            }
            eye.close();
            self.breaks(seconds(begun.elapsed()));
        }
    }

    /// Nobody looks from here on: a line ends instead of leading to where it begins again.
    fn breaks(&self, t: f64) {
        let mut rows = self.rows();
        if rows.back().is_some_and(|row| !row.ends_with(",[]]")) {
            rows.push_back(json!([t, []]).to_string().into());
        }
    }

    /// Keeps a row where there is one; the frame as text.
    fn took(&self, seen: &Seen) -> Arc<str> {
        let mut rows = self.rows();
        if seen.is_another {
            rows.clear();
        }
        if let Some(row) = &seen.row {
            rows.push_back(row.to_string().into());
            while rows.len() > ROWS {
                rows.pop_front();
            }
        }
        seen.frame.to_string().into()
    }
}

/// A look.
struct Seen {
    frame: Value,
    row: Option<Value>,
    is_running: bool,
    /// It has other volumes than the one before.
    is_another: bool,
}

/// Whoever looks.
#[derive(Default)]
struct Eye {
    say: Option<Say>,
    /// Looks of the last second, the newest last.
    looks: VecDeque<(Duration, Counts)>,
    names: Vec<Value>,
    row_at: Option<Duration>,
    /// Connections so far: another number is another emulation, perhaps.
    run: u64,
}

impl Eye {
    fn close(&mut self) {
        self.say = None;
        self.looks.clear();
    }

    fn status(&mut self, emulation: &Emulation) -> Result<Value> {
        let say = match &mut self.say {
            Some(say) => say,
            none => {
                self.run += 1;
                none.insert((emulation.connect)(PATIENCE)?)
            }
        };
        let mut answer = say(&json!({ "cmd": "status" }))?;
        match answer.get_mut("status") {
            Some(status) => Ok(status.take()),
            None => Err(Error::unexpected("the emulation answered `status` with something else")),
        }
    }

    fn look(&mut self, emulation: &Emulation, at: Duration) -> Seen {
        let status = match self.status(emulation) {
            Ok(status) => status,
            Err(error) => {
                let was_running = self.say.is_some() && !self.looks.is_empty();
                self.close();
                let why = crate::api::as_json(&error);
                let t = seconds(at);
                return Seen {
                    frame: json!({ "t": t, "is": "gone", "name": emulation.name, "why": why }),
                    // A line ends here instead of leading to where it begins again.
                    row: was_running.then(|| json!([t, []])),
                    is_running: false,
                    is_another: false,
                };
            }
        };
        let now = Counts::from_status(&status);
        // Counts that went back were reset, or are another emulation's.
        if self.looks.back().is_some_and(|(_, last)| !now.follows(last)) {
            self.looks.clear();
        }
        let names: Vec<Value> = list(&status, "volumes").iter().map(|volume| volume["name"].clone()).collect();
        let is_another = !self.names.is_empty() && self.names != names;
        self.names = names;
        self.looks.push_back((at, now.clone()));
        while self.looks.len() > 2 && self.looks[1].0 + WINDOW <= at {
            self.looks.pop_front();
        }
        let (from, first) = &self.looks[0];
        let lasts_s = (at - *from).as_secs_f64();
        let changed = now.volumes.iter().zip(&first.volumes);
        let changed = changed.map(|(now, first)| std::array::from_fn(|k| now[k].saturating_sub(first[k]) as f64));
        let volumes: Vec<Value> =
            list(&status, "volumes").iter().zip(changed).map(|(v, changed)| volume(v, changed, lasts_s)).collect();
        let is_due = self.row_at.is_none_or(|last| at >= last + Duration::from_millis(950));
        let row = (is_due && lasts_s > 0.0).then(|| json!([seconds(at), volumes.iter().map(row).collect::<Vec<_>>()]));
        if row.is_some() {
            self.row_at = Some(at);
        }
        let doubts = list(&status["lateness"], "doubts").iter().cloned();
        let frame = json!({
            "t": seconds(at), "is": "running", "name": emulation.name, "run": self.run,
            "at_s": status["at_ns"].as_f64().unwrap_or(0.0) / 1e9,
            "paused": status["paused"], "clients": status["connections"],
            "faults": list(&status, "faults").len(), "doubts": doubts.collect::<Vec<_>>(),
            "verdict": status["lateness"]["verdict"], "trust": status["lateness"]["sentence"],
            "volumes": volumes, "limits": limits(list(&status, "limits")),
        });
        Seen { frame, row, is_running: true, is_another }
    }
}

fn seconds(at: Duration) -> f64 {
    (at.as_secs_f64() * 100.0).round() / 100.0
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

/// Counts of a volume: requests, bytes and latencies of reads, then of writes, then parts of reads by who served them.
type Row = [u64; 9];

/// What rates are made of.
#[derive(Clone)]
struct Counts {
    at_ns: u64,
    since_ns: u64,
    volumes: Vec<Row>,
}

impl Counts {
    fn from_status(status: &Value) -> Counts {
        let of = |volume: &Value| {
            let count = |op: &str, key: &str| volume[op][key].as_u64();
            let own = |key: &str| volume[key].as_u64();
            let all = [
                count("reads", "count"),
                count("reads", "bytes"),
                count("reads", "latency_sum_ns"),
                count("writes", "count"),
                count("writes", "bytes"),
                count("writes", "latency_sum_ns"),
                own("hits_ram"),
                own("hits_ssd"),
                own("misses"),
            ];
            all.map(|count| count.unwrap_or(0))
        };
        let instant = |key: &str| status[key].as_u64().unwrap_or(0);
        let volumes = list(status, "volumes").iter().map(of).collect();
        Counts { at_ns: instant("at_ns"), since_ns: instant("since_ns"), volumes }
    }

    /// Whether these are later counts of the same emulation.
    fn follows(&self, before: &Counts) -> bool {
        self.at_ns >= before.at_ns && self.since_ns == before.since_ns && self.volumes.len() == before.volumes.len()
    }
}

/// A volume as the page shows it.
fn volume(status: &Value, changed: [f64; 9], lasts_s: f64) -> Value {
    let [reads, read_bytes, read_ns, writes, write_bytes, write_ns, ram, ssd, misses] = changed;
    let share = |part: f64, of: f64| if of > 0.0 { figure(part / of) } else { Value::Null };
    let rate = |count: f64| if lasts_s > 0.0 { figure(count / lasts_s) } else { json!(0.0) };
    let op = |key: &str, count: f64, bytes: f64, ns: f64| {
        let recent = &status[key]["recent"];
        let us = |percentile: &str| match recent[percentile].as_f64() {
            Some(ns) if ns > 0.0 && count > 0.0 => figure(ns / 1e3),
            _ => Value::Null,
        };
        json!({
            "iops": rate(count), "bytes_per_s": rate(bytes), "mean_us": share(ns / 1e3, count),
            "p50_us": us("p50_ns"), "p99_us": us("p99_ns"),
        })
    };
    let all = ram + ssd + misses;
    json!({
        "name": status["name"], "cache": status["host_cache"], "attached": status["attached"],
        "disks": list(status, "disks").len(), "depth": status["queue_depth"], "dirty_bytes": status["dirty_bytes"],
        "hits": share((ram + ssd) * 100.0, all),
        "read": op("reads", reads, read_bytes, read_ns), "write": op("writes", writes, write_bytes, write_ns),
    })
}

/// What of a volume is kept: rate and mean of reads, of writes, hits.
fn row(volume: &Value) -> Value {
    let [read, write] = [&volume["read"], &volume["write"]];
    json!([read["iops"], read["mean_us"], write["iops"], write["mean_us"], volume["hits"]])
}

/// Of limits that are alike the fullest, with the least credits of any.
fn limits(all: &[Value]) -> Vec<Value> {
    let mut shown: Vec<Value> = Vec::new();
    for limit in all {
        let credits = match (limit["credits"].as_f64(), limit["credits_max"].as_f64()) {
            (Some(left), Some(full)) if full > 0.0 => Some(left * 100.0 / full),
            _ => None,
        };
        let same = shown.iter_mut().find(|one| one["id"] == limit["id"]);
        let Some(one) = same else {
            shown.push(json!({
                "id": limit["id"], "name": limit["limit"], "rate": limit["rate"], "burst": limit["burst_rate"], "alike": 1,
                "used": limit["consumed_percent"], "binding": limit["binding_percent"], "credits": credits.map(figure),
            }));
            continue;
        };
        one["alike"] = json!(one["alike"].as_u64().unwrap_or(0) + 1);
        for (key, from) in [("used", "consumed_percent"), ("binding", "binding_percent")] {
            if limit[from].as_f64() > one[key].as_f64() {
                one[key] = limit[from].clone();
            }
        }
        if credits.is_some_and(|credits| one["credits"].as_f64().is_none_or(|least| credits < least)) {
            one["credits"] = json!(credits.map(figure));
        }
    }
    shown
}
