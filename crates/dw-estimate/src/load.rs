//! What is asked of a stack: loops and streams of requests, each on one volume.

use dw_stack::VolumeId;

/// Requests on one volume, from one source.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    pub volume: VolumeId,
    /// How they come.
    pub flow: Flow,
    /// What they are; the shares add up to 1.
    pub requests: Vec<Kind>,
}

/// How requests come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Flow {
    /// So many are outstanding at all times.
    Closed {
        /// Requests outstanding.
        queue_depth: u32,
    },
    /// So many a second at most, and at most so many outstanding.
    Paced {
        /// Requests outstanding at most.
        queue_depth: u32,
        /// Requests per second.
        per_second: f64,
    },
    /// So many a second, at random, however many are outstanding.
    Open {
        /// Requests per second.
        per_second: f64,
    },
}

/// Requests of one direction and one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kind {
    /// Which part of the load's requests.
    pub share: f64,
    /// They write.
    pub writes: bool,
    /// Bytes of one.
    pub size: u32,
    /// Where the next one goes.
    pub order: Order,
    /// What a host cache serves of them, if they read a cached volume.
    pub hits: Hits,
}

/// Where the next request goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Anywhere, at multiples of this many bytes.
    Random {
        /// Bytes.
        align: u32,
    },
    /// Behind the last one.
    Sequential,
}

/// Share of reads that each tier of the host cache serves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hits {
    /// From memory.
    pub ram: f64,
    /// From the SSD.
    pub ssd: f64,
}

impl Hits {
    /// Both tiers together.
    pub fn all(self) -> f64 {
        self.ram + self.ssd
    }
}

impl Kind {
    /// Random reads, each at a multiple of its size, none of which a cache serves.
    pub fn random_read(size: u32) -> Kind {
        Kind { share: 1.0, writes: false, size, order: Order::Random { align: size }, hits: Hits::default() }
    }
    pub fn random_write(size: u32) -> Kind {
        Kind { writes: true, ..Kind::random_read(size) }
    }
}

impl Load {
    /// A closed loop of requests of one kind.
    pub fn closed(volume: u16, queue_depth: u32, kind: Kind) -> Load {
        Load { volume: VolumeId(volume), flow: Flow::Closed { queue_depth }, requests: vec![kind] }
    }
}
