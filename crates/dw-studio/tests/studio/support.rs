//! A studio for tests, with the recording that comes with the program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread::JoinHandle;

use diskwright::dw_observe::volumes::VolumeChoice;
use diskwright::dw_units::{Bytes, Duration};
use diskwright::dw_workload::wishes::{CacheWish, LatencyMax, Role, VolumeWishes, Wishes};
use diskwright::{Catalogue, Session};
use dw_studio::{Limits, Options, Source, listen};

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

/// Its volumes.
pub fn volumes() -> Vec<VolumeChoice> {
    let volume = |name: &str, device: &str| VolumeChoice { name: name.into(), devices: vec![device.into()] };
    vec![volume("data", "sdc"), volume("log", "sdd")]
}

fn example() -> Source {
    let data = VolumeWishes {
        working_set: Some(Bytes::gib(220)),
        read_latency_max: LatencyMax::mean(Duration::from_ms(2)),
        host_cache: vec![CacheWish::ReadOnly],
        ..VolumeWishes::of(Role::Data, Bytes::gib(900))
    };
    let wishes = Wishes {
        headroom_percent: 10.0,
        memory_min: Bytes::gib(48),
        years: 2,
        growth_percent_per_year: 10.0,
        volumes: vec![data, VolumeWishes::of(Role::Log, Bytes::gib(120))],
        ..Wishes::of_region(Wishes::REGION)
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
    let session = Session::new(Catalogue::embedded().clone());
    let allow_hosts = allow_hosts.iter().map(|host| host.to_string()).collect();
    let options =
        Options { port: 0, allow_hosts, limits, version: "1.2.3".into(), language: None, sources: vec![example()] };
    let studio = listen(&session, options).unwrap();
    let (link, port, stop) = (studio.link(), studio.address().port(), Arc::new(AtomicBool::new(false)));
    let over = stop.clone();
    let thread = std::thread::spawn(move || studio.run(move || over.load(SeqCst)).unwrap());
    Running { link, port, stop, thread: Some(thread) }
}
