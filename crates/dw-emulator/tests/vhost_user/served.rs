//! A server of one VM, and who connects to it.

use std::path::PathBuf;
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use dw_emulator::command::{Answer, Command, CrashLevel, Survivors};
use dw_emulator::control::Handle;
use dw_emulator::fuzzing::guest::{Asked, Guest, Wish};
use dw_emulator::serve::{Listener, ServeOptions, Server};
use dw_emulator::status::Status;
use dw_emulator::{Engine, EngineOptions, FileOptions, FileStore, Store, VolumeOptions};
use dw_stack::{CacheMode, Credits, DiskSpec, LimitSpec, Path, ServiceTime, StackSpec, VmSpec, VolumeSpec};
use dw_units::{Bytes, Duration};

/// Bytes of each disk.
pub const SIZE: u64 = 64 << 20;

/// A running server with the volume `data` of two disks.
pub struct Served {
    folder: Arc<tempfile::TempDir>,
    handle: Handle,
    thread: Option<JoinHandle<()>>,
    notices: Arc<Mutex<Vec<String>>>,
}

/// What a test may want to be different.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rig {
    pub latency: Duration,
    pub read_only: bool,
}

impl Served {
    pub fn new() -> Served {
        Served::with(Rig { latency: Duration::from_us(20), read_only: false })
    }

    pub fn with(rig: Rig) -> Served {
        Served::on(Arc::new(tempfile::tempdir().unwrap()), rig)
    }

    /// With what an earlier one left in this folder.
    pub fn on(folder: Arc<tempfile::TempDir>, rig: Rig) -> Served {
        let (ready, is_ready) = mpsc::channel();
        let notices = Arc::new(Mutex::new(Vec::new()));
        let (log, place) = (Arc::clone(&notices), folder.path().to_path_buf());
        let thread = std::thread::spawn(move || {
            let volumes = vec![VolumeOptions { read_only: rig.read_only, ..VolumeOptions::default() }];
            let options = EngineOptions { volumes, ..EngineOptions::default() };
            let store = |name: &str| FileStore::open(&place, name, SIZE, "rig", FileOptions::default()).unwrap();
            let stores = ["data.0", "data.1"].map(|name| Box::new(store(name)) as Box<dyn Store>).into();
            let engine = Engine::new(spec(rig), stores, options).unwrap();
            let listen =
                |name: &str, path: &str| (Listener::unix(&place.join(path)).unwrap(), engine.find(name).unwrap());
            let options = ServeOptions {
                vhost_user: vec![listen("data", "data"), listen("data.0", "first")],
                notice: Box::new(move |notice| log.lock().unwrap().push(notice.to_string())),
                notices_max: u32::MAX,
                ..ServeOptions::default()
            };
            let server = Server::new(engine, Vec::new(), options).unwrap();
            ready.send(server.handle()).unwrap();
            server.run().unwrap();
        });
        let handle = is_ready.recv().expect("the server has begun");
        Served { folder, handle, thread: Some(thread), notices }
    }

    pub fn folder(&self) -> Arc<tempfile::TempDir> {
        Arc::clone(&self.folder)
    }

    pub fn socket(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Where the first of the two disks is served alone.
    pub fn first(&self) -> PathBuf {
        self.folder.path().join("first")
    }

    pub fn guest(&self, wish: Wish) -> Guest {
        Guest::start(&self.socket(), wish).unwrap()
    }

    pub fn command(&self, command: Command) -> Answer {
        self.handle.call(command).unwrap()
    }

    pub fn crash(&self) {
        self.command(Command::Crash { level: CrashLevel::Host, survivors: Survivors::None, seed: 1 });
    }

    /// Waits until so many requests are under way.
    pub fn wait_for_depth(&self, depth: u64) {
        self.wait_until(|status| status.volumes[0].queue_depth == depth);
    }

    /// Waits until so many clients are there.
    pub fn wait_for_clients(&self, clients: u32) {
        self.wait_until(|status| status.connections == clients);
    }

    fn wait_until(&self, is: impl Fn(&Status) -> bool) {
        let begin = std::time::Instant::now();
        loop {
            let status = self.handle.status().unwrap();
            if is(&status) {
                return;
            }
            assert!(begin.elapsed().as_secs() < 20, "{status:#?}");
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }

    /// What it had to say so far.
    pub fn notices(&self) -> Vec<String> {
        self.notices.lock().unwrap().clone()
    }

    /// A guest beside those of the test is served as if they were not there.
    pub fn still_serves(&self) {
        let mut guest = self.guest(Wish::default());
        let bytes = [7; 512];
        assert_eq!(guest.request(0, Asked { kind: 1, sector: 3, out: &bytes, room: 0 }).unwrap().0, 0);
        let (status, found) = guest.request(0, Asked { kind: 0, sector: 3, out: &[], room: 512 }).unwrap();
        assert_eq!((status, found.as_slice()), (0, bytes.as_slice()));
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.handle.call(Command::Shutdown);
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || std::thread::panicking(), "the server panicked");
        }
    }
}

fn spec(rig: Rig) -> StackSpec {
    let disk = |name: &str| DiskSpec {
        name: name.into(),
        size: Bytes::new(SIZE),
        limits: LimitSpec::default(),
        io_unit: None,
        more: Vec::new(),
        read: ServiceTime::constant(rig.latency.ns() as u32),
        write: ServiceTime::constant(rig.latency.ns() as u32),
        usage_base: None,
        first_touch: None,
        by_direction: Default::default(),
    };
    let volume = VolumeSpec {
        name: "data".into(),
        disks: vec![disk("first"), disk("second")],
        stripe_unit: Bytes::kib(64),
        host_cache: CacheMode::None,
        path: Path::default(),
    };
    StackSpec { vm: VmSpec::default(), volumes: vec![volume], credits: Credits::Full, seed: 1 }
}
