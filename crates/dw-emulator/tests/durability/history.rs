//! A random history from a seed: several volumes and connections, every kind of request, crashes and changes, in virtual
//! time; after each answer and each crash the oracle is asked.

use std::collections::HashMap;

use dw_emulator::command::{Answer, Command, CrashLevel, Survivors};
use dw_emulator::engine::Mutant;
use dw_emulator::inject::{Effect, Fault, FaultErrno, FaultOp};
use dw_emulator::*;
use dw_stack::*;
use dw_units::{Bytes, Duration, Instant};

use crate::durability::oracle::{Chance, Oracle, SECTOR, decode, encode};

/// Sectors of a disk.
const SECTORS: u64 = 96;

/// A request that was submitted and not answered.
struct Asked {
    sectors: Vec<usize>,
    submitted: u64,
    fua: bool,
}

struct Volume {
    first_disk: u64,
    disks: u64,
    /// Sectors.
    unit: u64,
    path: Path,
}

/// One history.
pub struct History {
    pub engine: Engine,
    chance: Chance,
    oracle: Oracle,
    volumes: Vec<Volume>,
    now: Instant,
    asked: HashMap<u64, Asked>,
    next: u64,
    next_value: u64,
    /// Crashes of the host that happened.
    pub crashes: u32,
    pub lost: u64,
    /// Its cache keeps dirty data for longer than a test lasts.
    is_patient: bool,
}

fn service(ns: u64) -> ServiceTime {
    ServiceTime::constant(ns as u32)
}

impl History {
    /// The first machine whose first volume is one disk behind this cache, which writes back only when it is told to.
    pub fn with_cache(mode: CacheMode) -> History {
        let is = |history: &History| {
            let export = &history.engine.exports()[0];
            history.volumes[0].disks == 1
                && export.volatile_cache == (mode == CacheMode::ReadWrite)
                && history.is_patient
        };
        (0..).map(History::new).find(is).expect("machines are drawn without end")
    }

    /// Lets everything under way be done; nobody is asked whether it is legal.
    pub fn settle(&mut self) {
        while self.engine.in_flight() > 0 {
            self.now = self.now + Duration::from_us(100);
            while self.engine.poll(self.now).is_some() {}
        }
    }

    /// Whether an export may hold this after a crash of the host at this moment.
    pub fn allows(&self, export: usize, bytes: &[u8]) -> Result<(), String> {
        let mut oracle = self.oracle.clone();
        for (&sector, bytes) in self.lay_out(export).iter().zip(bytes.chunks_exact(SECTOR)) {
            oracle.crash(sector, decode(sector as u64, bytes)?, true)?;
        }
        Ok(())
    }

    /// A machine drawn from `seed`.
    pub fn new(seed: u64) -> History {
        let mut chance = Chance(seed.wrapping_mul(0x5851_F42D_4C95_7F2D));
        let mut volumes: Vec<Volume> = Vec::new();
        let mut specs = Vec::new();
        let mut first_disk = 0;
        for number in 0..1 + chance.below(3) {
            let disks = chance.pick(&[1, 1, 2, 3]);
            let unit = chance.pick(&[1, 4, 8]);
            let path = if number == 2 { Path { front: Some(GateId(0)), ..Path::local() } } else { Path::default() };
            let disk = DiskSpec {
                name: "disk".into(),
                size: Bytes::new(SECTORS * SECTOR as u64),
                limits: LimitSpec { iops: chance.percent(50).then(|| RateSpec::plain(2_000)), throughput: None },
                io_unit: None,
                more: Vec::new(),
                read: service(300_000),
                write: service(200_000 + chance.below(800_000)),
                usage_base: None,
                first_touch: None,
                by_direction: Default::default(),
            };
            specs.push(VolumeSpec {
                name: format!("v{number}"),
                disks: vec![disk; disks as usize],
                stripe_unit: Bytes::new(unit * SECTOR as u64),
                host_cache: match path.local {
                    true => CacheMode::None,
                    false => {
                        chance.pick(&[CacheMode::None, CacheMode::ReadOnly, CacheMode::ReadWrite, CacheMode::ReadWrite])
                    }
                },
                path: path.clone(),
            });
            volumes.push(Volume { first_disk, disks, unit, path });
            first_disk += disks;
        }
        let cache = HostCacheSpec {
            ram: Bytes::kib(64),
            capacity: Bytes::kib(256),
            block_size: Bytes::kib(chance.pick(&[4, 16])),
            fill: Fill::Sectors,
            write_allocate: true,
            eviction: Eviction::Lru,
            ram_hit: service(20_000),
            ssd_read: service(50_000),
            ssd_write: service(50_000 + chance.below(400_000)),
            miss_penalty: None,
            write_back: WriteBackSpec {
                dirty_max: Bytes::kib(chance.pick(&[16, 64, 256])),
                destage_depth: 1 + chance.below(4) as u32,
                destage_after: Duration::from_us(chance.pick(&[0, 2_000, 1_000_000])),
            },
        };
        let is_patient = cache.write_back.destage_after == Duration::from_us(1_000_000);
        let cached = LimitSpec { iops: chance.percent(30).then(|| RateSpec::plain(4_000)), throughput: None };
        let vm = VmSpec { host_cache: Some(cache), ..VmSpec::with(cached, LimitSpec::default()) };
        let spec = StackSpec { vm, volumes: specs, credits: Credits::Full, seed };
        let size = SECTORS * SECTOR as u64;
        let memory = || MemoryStore::new(size, MemoryRoom::default()).expect("memory");
        let stores = (0..first_disk).map(|_| Box::new(memory()) as Box<dyn Store>).collect();
        let options = EngineOptions { atomic_unit: chance.pick(&[512, 4096]), ..EngineOptions::default() };
        let engine = Engine::new(spec, stores, options).unwrap_or_else(|error| panic!("{error}"));
        History {
            engine,
            oracle: Oracle::new((first_disk * SECTORS) as usize),
            chance,
            volumes,
            now: Instant::START,
            asked: HashMap::new(),
            next: 0,
            next_value: 0,
            crashes: 0,
            lost: 0,
            is_patient,
        }
    }

    /// Makes the engine wrong.
    pub fn sabotage(&mut self, mutant: Mutant) {
        self.engine.sabotage(mutant);
    }

    /// The export's disks as (first sector of the oracle, sectors), and the sector of the oracle behind each of its own.
    fn lay_out(&self, export: usize) -> Vec<usize> {
        let disk_sectors = SECTORS;
        match self.volumes.get(export) {
            None => {
                let disk = (export - self.volumes.len()) as u64;
                (disk * disk_sectors..(disk + 1) * disk_sectors).map(|sector| sector as usize).collect()
            }
            Some(volume) => (0..volume.disks * disk_sectors)
                .map(|sector| {
                    let (chunk, rest) = (sector / volume.unit, sector % volume.unit);
                    let disk = volume.first_disk + chunk % volume.disks;
                    (disk * disk_sectors + chunk / volume.disks * volume.unit + rest) as usize
                })
                .collect(),
        }
    }

    fn disks(&self) -> u64 {
        self.volumes.iter().map(|volume| volume.disks).sum()
    }

    /// `steps` steps; an error says what was not legal.
    pub fn run(&mut self, steps: u32) -> Result<(), String> {
        for _ in 0..steps {
            match self.chance.below(1000) {
                0..=849 => self.ask(),
                850..=859 => self.crash(None)?,
                860..=879 => self.change(),
                880..=889 => self.trouble(),
                _ => self.wait(5_000),
            }
            let most = self.chance.pick(&[0, 0, 10, 100, 400]);
            self.wait(most);
            self.answers()?;
        }
        self.crash(Some(CrashLevel::Host))
    }

    /// Lets up to so many microseconds pass.
    pub fn wait(&mut self, most_us: u64) {
        self.now = self.now + Duration::from_us(self.chance.below(most_us + 1));
    }

    /// Submits something.
    pub fn ask(&mut self) {
        let exports = self.engine.exports().len();
        // Mostly volumes; sometimes a member disk, whose bytes are the same.
        let export =
            self.chance.below(if self.chance.0 & 7 == 0 { exports } else { self.volumes.len() } as u64) as usize;
        let lay_out = self.lay_out(export);
        let from = self.chance.below(lay_out.len() as u64 - 1);
        let most = (lay_out.len() as u64 - from).min(self.chance.pick(&[1, 2, 8, 24]));
        let count = 1 + self.chance.below(most);
        let (op, fua) = match self.chance.below(100) {
            0..=47 => (IoOp::Write, false),
            48..=57 => (IoOp::Write, true),
            58..=63 => (IoOp::Zero { punch: self.chance.percent(50) }, self.chance.percent(20)),
            64..=68 => (IoOp::Trim, self.chance.percent(20)),
            69..=80 => (IoOp::Flush, false),
            _ => (IoOp::Read, false),
        };
        self.next += 1;
        let cookie = self.chance.below(4) << 32 | self.next;
        let mut sectors: Vec<usize> = (from..from + count).map(|sector| lay_out[sector as usize]).collect();
        let (mut data, mut value) = (Vec::new(), 0);
        if op == IoOp::Write {
            self.next_value += 1;
            value = self.next_value;
            data = vec![0; sectors.len() * SECTOR];
            for (sector, bytes) in sectors.iter().zip(data.chunks_exact_mut(SECTOR)) {
                encode(*sector as u64, value, bytes);
            }
        }
        let submitted = match op {
            IoOp::Flush => {
                sectors = lay_out;
                self.oracle.flush()
            }
            IoOp::Read => 0,
            _ => self.oracle.submit(&sectors, value),
        };
        self.asked.insert(cookie, Asked { sectors, submitted, fua });
        let (offset, len) = (from * SECTOR as u64, count * SECTOR as u64);
        let export = ExportId(export as u16);
        self.engine.submit(self.now, IoRequest { export, op, fua, offset, len, data, cookie });
    }

    /// Takes the answers that are due.
    pub fn answers(&mut self) -> Result<(), String> {
        while let Some(done) = self.engine.poll(self.now) {
            let Some(asked) = self.asked.remove(&done.cookie) else {
                return Err(format!("request {} is answered twice", done.cookie));
            };
            if done.result.is_err() {
                // It was refused or it failed: it may have happened or not.
                continue;
            }
            match done.op {
                IoOp::Read => {
                    let mut bytes = vec![0; done.len as usize];
                    self.engine.read(done.export, done.offset, &mut bytes).map_err(|error| error.to_string())?;
                    for (&sector, bytes) in asked.sectors.iter().zip(bytes.chunks_exact(SECTOR)) {
                        self.oracle.read(sector, decode(sector as u64, bytes)?)?;
                    }
                }
                IoOp::Flush => self.oracle.flushed(asked.sectors.into_iter(), asked.submitted),
                _ => {
                    let export = &self.engine.exports()[usize::from(done.export.0)];
                    let durable = asked.fua || !export.volatile_cache;
                    self.oracle.acknowledge(&asked.sectors, asked.submitted, durable);
                }
            }
        }
        Ok(())
    }

    /// Cuts the machine, and looks at every sector.
    pub fn crash(&mut self, level: Option<CrashLevel>) -> Result<(), String> {
        let level = level.unwrap_or_else(|| {
            self.chance.pick(&[CrashLevel::Guest, CrashLevel::Host, CrashLevel::Host, CrashLevel::Deallocate])
        });
        let survivors = self.chance.pick(&[
            Survivors::None,
            Survivors::All,
            Survivors::Prefix,
            Survivors::Random,
            Survivors::RandomTorn,
        ]);
        let dirty = self.engine.status(self.now).cache.dirty_bytes;
        let command = Command::Crash { level, survivors, seed: self.chance.draw() };
        let answer = self.engine.command(self.now, &command).map_err(|error| error.to_string())?;
        let Answer::Crashed { report } = answer else { return Err("no report".into()) };
        let lost = report.lost_bytes();
        let listed: u64 = report.losses.iter().flat_map(|loss| &loss.ranges).map(|range| range.len).sum();
        // A write that a fault tears survives in part whatever the survivors say, and may lie over what is lost.
        let torn = report.losses.iter().any(|loss| loss.torn_writes > 0);
        let expected = match (level, survivors) {
            (CrashLevel::Guest, _) | (_, Survivors::All) => lost == 0,
            (_, Survivors::None) if !torn => lost == dirty,
            _ => lost <= dirty,
        };
        if !expected || listed != lost || level != CrashLevel::Guest && self.volatile(&report) != dirty {
            return Err(format!("{dirty} bytes were dirty, {lost} are lost, {listed} listed after {command:?}"));
        }
        self.lost += lost;
        self.look(level)
    }

    fn volatile(&self, report: &dw_emulator::command::CrashReport) -> u64 {
        report.losses.iter().map(|loss| loss.volatile_bytes).sum()
    }

    /// Every sector holds something legal after a crash.
    pub fn look(&mut self, level: CrashLevel) -> Result<(), String> {
        let host = level != CrashLevel::Guest;
        self.crashes += u32::from(host);
        self.asked.clear();
        if self.engine.in_flight() > 0 {
            return Err("something is under way after a crash".into());
        }
        for disk in 0..self.disks() {
            let mut bytes = vec![0; SECTORS as usize * SECTOR];
            let export = ExportId((self.volumes.len() as u64 + disk) as u16);
            self.engine.read(export, 0, &mut bytes).map_err(|error| error.to_string())?;
            let temp = self.volumes.iter().find(|v| (v.first_disk..v.first_disk + v.disks).contains(&disk));
            let emptied = level == CrashLevel::Deallocate && temp.is_some_and(|volume| volume.path.local);
            for (index, bytes) in bytes.chunks_exact(SECTOR).enumerate() {
                let sector = (disk * SECTORS) as usize + index;
                let found = decode(sector as u64, bytes)?;
                if emptied && found != 0 {
                    return Err(format!("sector {sector} of a temp disk outlives the VM"));
                }
                if emptied {
                    let now = self.oracle.submit(&[sector], 0);
                    self.oracle.acknowledge(&[sector], now, true);
                } else {
                    self.oracle.crash(sector, found, host)?;
                }
            }
        }
        Ok(())
    }

    /// What every sector of every disk holds.
    pub fn contents(&mut self) -> Vec<u64> {
        let mut values = Vec::new();
        for disk in 0..self.disks() {
            let mut bytes = vec![0; SECTORS as usize * SECTOR];
            let export = ExportId((self.volumes.len() as u64 + disk) as u16);
            self.engine.read(export, 0, &mut bytes).unwrap_or_else(|error| panic!("{error}"));
            for (index, bytes) in bytes.chunks_exact(SECTOR).enumerate() {
                values.push(decode(disk * SECTORS + index as u64, bytes).unwrap_or_else(|error| panic!("{error}")));
            }
        }
        values
    }

    /// The present.
    pub fn now(&self) -> Instant {
        self.now
    }

    /// Something that a person does to a running VM; it may be refused.
    fn change(&mut self) {
        let volume = format!("v{}", self.chance.below(self.volumes.len() as u64));
        let command = match self.chance.below(6) {
            0 => Command::Reboot,
            1 => Command::Detach { volume },
            2 | 3 => Command::Attach { volume },
            _ => Command::Cache { volume, mode: self.chance.pick(&CacheMode::ALL) },
        };
        let _ = self.engine.command(self.now, &command);
        // Detached volumes come back, or nothing would happen any more.
        for volume in 0..self.volumes.len() {
            if self.engine.exports()[volume].detached && self.chance.percent(70) {
                let _ = self.engine.command(self.now, &Command::Attach { volume: format!("v{volume}") });
            }
        }
    }

    /// Something goes wrong, or is right again.
    fn trouble(&mut self) {
        if self.chance.percent(50) {
            let _ = self.engine.command(self.now, &Command::Clear { id: None, export: None });
            return;
        }
        let exports = self.engine.exports();
        let export = exports[self.chance.below(exports.len() as u64) as usize].name.clone();
        let effect = match self.chance.below(4) {
            0 => Effect::Latency { min_ns: 0, max_ns: 3_000_000 },
            1 => Effect::Error { errno: FaultErrno::Io },
            2 => Effect::Stuck,
            _ => Effect::TornWrite,
        };
        let fault = Fault { export, op: FaultOp::Any, range: None, per_million: 300_000, seed: 1, effect };
        self.engine.command(self.now, &Command::Inject { fault }).unwrap_or_else(|error| panic!("{error}"));
    }
}
