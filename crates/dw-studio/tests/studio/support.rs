//! A studio for tests, with the recording that comes with the program.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use diskwright::dw_demand::wishes::{LatencyMax, Role, VolumeWishes, Wishes};
use diskwright::dw_observe::volumes::VolumeChoice;
use diskwright::dw_units::{Bytes, CacheMode, Duration};
use diskwright::{Catalogue, Error, Result, Session};
use dw_studio::{Emulation, Limits, Options, Say, Source, listen};
use serde_json::{Value, json};

/// An hour of a database and its log.
pub const RECORDING: &str = include_str!("../../../diskwright/data/iostat.txt");

/// A studio that runs until it is dropped.
pub struct Running {
    pub link: String,
    pub port: u16,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, SeqCst);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

pub fn volumes() -> Vec<VolumeChoice> {
    let volume = |name: &str, device: &str| VolumeChoice { name: name.into(), devices: vec![device.into()] };
    vec![volume("data", "sdc"), volume("log", "sdd")]
}

fn example() -> Source {
    let data = VolumeWishes {
        working_set: Some(Bytes::gib(220)),
        read_latency_max: LatencyMax::mean(Duration::from_ms(2)),
        host_cache: vec![CacheMode::ReadOnly],
        ..VolumeWishes::of(Role::Data, Bytes::gib(900))
    };
    let wishes = Wishes {
        headroom_percent: 10.0,
        memory_min: Bytes::gib(48),
        years: 2,
        growth_percent_per_year: 10.0,
        volumes: vec![data, VolumeWishes::of(Role::Log, Bytes::gib(120))],
        ..diskwright::dw_catalogue::PLAN_KEYS.wishes()
    };
    Source {
        title: "orders-db".into(),
        is_example: true,
        files: vec!["iostat.txt".into()],
        open: Arc::new(|_| Ok(Box::new(RECORDING.as_bytes()))),
        volumes: volumes(),
        wishes: Some(wishes),
    }
}

/// Starts one.
pub fn start(limits: Limits, allow_hosts: &[&str]) -> Running {
    start_at(0, limits, allow_hosts, None)
}

/// Starts one beside an emulation.
pub fn start_beside(limits: Limits, emulation: Emulation) -> Running {
    start_at(0, limits, &[], Some(emulation))
}

/// Starts one with a file that was named on its command line.
pub fn start_on(file: &std::path::Path) -> Running {
    let file = file.to_path_buf();
    let name = file.file_name().unwrap().to_string_lossy().into_owned();
    let named = Source {
        title: name.clone(),
        is_example: false,
        files: vec![name],
        open: Arc::new(move |_| Ok(Box::new(std::io::BufReader::new(std::fs::File::open(&file)?)))),
        volumes: Vec::new(),
        wishes: None,
    };
    start_of(0, Limits::default(), &[], None, vec![named, example()])
}

/// Starts one at a port.
pub fn start_at(port: u16, limits: Limits, allow_hosts: &[&str], emulation: Option<Emulation>) -> Running {
    start_of(port, limits, allow_hosts, emulation, vec![example()])
}

fn start_of(
    port: u16,
    limits: Limits,
    allow_hosts: &[&str],
    emulation: Option<Emulation>,
    sources: Vec<Source>,
) -> Running {
    let session = Session::new(Catalogue::embedded().clone());
    let allow_hosts = allow_hosts.iter().map(|host| host.to_string()).collect();
    let options = Options {
        port,
        allow_hosts,
        limits,
        version: "1.2.3".into(),
        language: None,
        command: "diskwright studio".into(),
        sources,
        emulation,
    };
    let studio = listen(&session, options).unwrap();
    let (link, port, stop) = (studio.link(), studio.address().port(), Arc::new(AtomicBool::new(false)));
    let over = stop.clone();
    let thread = std::thread::spawn(move || studio.run(move || over.load(SeqCst)).unwrap());
    Running { link, port, stop, thread: Some(thread) }
}

/// An emulation that is none: the status that `top` is tested with, its counts growing with time.
#[derive(Clone, Default)]
pub struct Pretended(pub Arc<Mutex<Pretence>>);

/// What it is, and what was said to it.
#[derive(Default)]
pub struct Pretence {
    pub is_gone: bool,
    pub paused: bool,
    pub connections: usize,
    pub statuses: usize,
    pub said: Vec<Value>,
    begun: Option<std::time::Instant>,
}

const STATUS: &str = include_str!("../../../diskwright-cli/src/linux/top/sample.json");

impl Pretended {
    pub fn now(&self) -> std::sync::MutexGuard<'_, Pretence> {
        self.0.lock().unwrap()
    }

    /// As the studio knows it.
    pub fn emulation(&self) -> Emulation {
        let (this, gone) = (self.clone(), || Error::input("no emulator listens on /tmp/rig.sock.control"));
        let connect = move |_| -> Result<Say> {
            if this.now().is_gone {
                return Err(gone());
            }
            this.now().connections += 1;
            let this = this.clone();
            Ok(Box::new(move |command: &Value| if this.now().is_gone { Err(gone()) } else { Ok(this.answer(command)) }))
        };
        Emulation { name: "/tmp/rig.sock.control".into(), connect: Arc::new(connect) }
    }

    fn answer(&self, command: &Value) -> Value {
        let mut now = self.now();
        if command["cmd"] != "status" {
            now.said.push(command.clone());
            now.paused = match command["cmd"].as_str() {
                Some("pause") => true,
                Some("resume") => false,
                _ => now.paused,
            };
            return json!({ "answer": "done" });
        }
        now.statuses += 1;
        let seconds = now.begun.get_or_insert_with(std::time::Instant::now).elapsed().as_secs_f64();
        let mut status: Value = serde_json::from_str(STATUS).unwrap();
        (status["at_ns"], status["paused"]) = (json!((seconds * 1e9) as u64), json!(now.paused));
        for volume in status["volumes"].as_array_mut().unwrap() {
            for op in ["reads", "writes"] {
                let (rate, bytes) =
                    (volume[op]["per_second"].as_f64().unwrap(), volume[op]["bytes_per_second"].as_f64().unwrap());
                let count = (rate * seconds) as u64;
                volume[op]["count"] = json!(count);
                volume[op]["bytes"] = json!((bytes * seconds) as u64);
                volume[op]["latency_sum_ns"] = json!(count * volume[op]["recent"]["mean_ns"].as_u64().unwrap());
            }
            if volume["host_cache"] != "None" {
                (volume["hits_ram"], volume["misses"]) =
                    (json!((9_000.0 * seconds) as u64), json!((1_000.0 * seconds) as u64));
            }
        }
        json!({ "answer": "status", "status": status })
    }
}
