//! What a disk may hold, sector by sector: every write a sector has seen that nothing certainly replaced.
//!
//! A write is *certainly after* another when it was submitted after the other was acknowledged. A sector may read as a
//! write unless an acknowledged write is certainly after it; after a crash it may hold a write unless a durable one is.
//! What is under way may always be there. The oracle knows nothing of caches: it is told what was promised.

#![allow(dead_code)]

/// A value that a sector was given; 0 = zeroes.
pub type Value = u64;

#[derive(Clone, Copy, Debug)]
struct Version {
    value: Value,
    submitted: u64,
    acknowledged: Option<u64>,
    durable: bool,
}

impl Version {
    fn certainly_after(&self, other: &Version) -> bool {
        other.acknowledged.is_some_and(|then| self.submitted > then)
    }
}

/// The histories of all sectors.
#[derive(Clone, Debug)]
pub struct Oracle {
    sectors: Vec<Vec<Version>>,
    clock: u64,
}

impl Oracle {
    /// Sectors of zeroes.
    pub fn new(sectors: usize) -> Oracle {
        let zero = Version { value: 0, submitted: 0, acknowledged: Some(0), durable: true };
        Oracle { sectors: vec![vec![zero]; sectors], clock: 0 }
    }

    /// A write, or anything that changes sectors, is submitted; gives its time.
    pub fn submit(&mut self, sectors: &[usize], value: Value) -> u64 {
        self.clock += 1;
        for &sector in sectors {
            let version = Version { value, submitted: self.clock, acknowledged: None, durable: false };
            self.sectors[sector].push(version);
        }
        self.clock
    }

    /// It is acknowledged; `durable` when that was promised with it.
    pub fn acknowledge(&mut self, sectors: &[usize], submitted: u64, durable: bool) {
        self.clock += 1;
        for &sector in sectors {
            for version in self.sectors[sector].iter_mut().filter(|version| version.submitted == submitted) {
                (version.acknowledged, version.durable) = (Some(self.clock), durable);
            }
            self.prune(sector);
        }
    }

    /// A flush is submitted; gives its time.
    pub fn flush(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    /// A flush that was submitted at `since` is acknowledged.
    pub fn flushed(&mut self, sectors: impl Iterator<Item = usize>, since: u64) {
        for sector in sectors {
            for version in &mut self.sectors[sector] {
                version.durable |= version.acknowledged.is_some_and(|then| then < since);
            }
            self.prune(sector);
        }
    }

    /// What can be neither read nor left by a crash any more.
    fn prune(&mut self, sector: usize) {
        let durable: Vec<Version> = self.sectors[sector].iter().copied().filter(|version| version.durable).collect();
        self.sectors[sector].retain(|version| !durable.iter().any(|newer| newer.certainly_after(version)));
    }

    fn legal(&self, sector: usize, counts: impl Fn(&Version) -> bool) -> Vec<Value> {
        let versions = &self.sectors[sector];
        let replaced = |version: &Version| versions.iter().any(|newer| counts(newer) && newer.certainly_after(version));
        versions.iter().filter(|version| !replaced(version)).map(|version| version.value).collect()
    }

    /// What a sector may read as now.
    pub fn readable(&self, sector: usize) -> Vec<Value> {
        self.legal(sector, |version| version.acknowledged.is_some())
    }

    /// Whether a sector may read as `found`.
    pub fn read(&self, sector: usize, found: Value) -> Result<(), String> {
        let legal = self.readable(sector);
        if legal.contains(&found) {
            return Ok(());
        }
        Err(format!("sector {sector} reads as write {found}, which is none of {legal:?}"))
    }

    /// A crash has left `found`: legal only when nothing durable is gone. With `host`, that is what the sector holds from
    /// now on; otherwise acknowledged writes must be there, too, and stay as volatile as they were.
    pub fn crash(&mut self, sector: usize, found: Value, host: bool) -> Result<(), String> {
        let legal = self.legal(sector, |version| if host { version.durable } else { version.acknowledged.is_some() });
        if !legal.contains(&found) {
            let what = if host { "host" } else { "guest" };
            return Err(format!("after a crash of the {what}, sector {sector} holds write {found}, none of {legal:?}"));
        }
        self.clock += 1;
        let now = Some(self.clock);
        if host {
            self.sectors[sector] =
                vec![Version { value: found, submitted: self.clock, acknowledged: now, durable: true }];
        } else {
            self.sectors[sector].retain(|version| version.acknowledged.is_some() || version.value == found);
            self.sectors[sector].iter_mut().for_each(|version| version.acknowledged = version.acknowledged.or(now));
        }
        Ok(())
    }
}

/// Bytes of a sector.
pub const SECTOR: usize = 512;

/// Fills a sector so that it says which sector and write it is.
pub fn encode(sector: u64, value: Value, out: &mut [u8]) {
    for (index, word) in out.chunks_exact_mut(8).enumerate() {
        let bits = if value == 0 { 0 } else { value ^ mask(sector, index as u64) };
        word.copy_from_slice(&bits.to_le_bytes());
    }
}

/// Which write a sector is; an error when it is two at once, or belongs elsewhere.
pub fn decode(sector: u64, bytes: &[u8]) -> Result<Value, String> {
    if bytes.iter().all(|&byte| byte == 0) {
        return Ok(0);
    }
    let words = bytes.chunks_exact(8).enumerate();
    let mut values = words.map(|(i, w)| u64::from_le_bytes(w.try_into().unwrap_or_default()) ^ mask(sector, i as u64));
    let first = values.next().unwrap_or(0);
    if values.all(|value| value == first) { Ok(first) } else { Err(format!("sector {sector} is torn inside")) }
}

fn mask(sector: u64, word: u64) -> u64 {
    // Never the whole of a value, so that no write looks like zeroes.
    (sector.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ word.wrapping_mul(0xD1B5_4A32_D192_ED03)) | 1 << 63
}

/// Seeded chance for tests: SplitMix64.
#[derive(Clone, Debug)]
pub struct Chance(pub u64);

impl Chance {
    /// The next draw.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    /// Below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.draw() % n.max(1)
    }
    /// `percent` times in a hundred.
    pub fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}
