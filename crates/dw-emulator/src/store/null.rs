//! A disk without bytes: reads are zeroes, writes are dropped. For pure load tests.

use std::io;

use super::{Extent, Store};

/// A disk that keeps nothing.
#[derive(Debug)]
pub struct NullStore {
    size: u64,
}

impl NullStore {
    /// A disk of `size` bytes.
    pub fn new(size: u64) -> Self {
        NullStore { size }
    }
}

impl Store for NullStore {
    fn size(&self) -> u64 {
        self.size
    }
    fn read(&mut self, _offset: u64, out: &mut [u8]) -> io::Result<()> {
        out.fill(0);
        Ok(())
    }
    fn write(&mut self, _offset: u64, _data: &[u8]) -> io::Result<()> {
        Ok(())
    }
    fn discard(&mut self, _offset: u64, _len: u64) -> io::Result<()> {
        Ok(())
    }
    fn zero(&mut self, _offset: u64, _len: u64, _punch: bool) -> io::Result<()> {
        Ok(())
    }
    fn extents(&self, _offset: u64, len: u64, _limit: usize) -> Vec<Extent> {
        vec![Extent { len, hole: true, zero: true }]
    }
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
    fn resize(&mut self, size: u64) -> io::Result<()> {
        self.size = size;
        Ok(())
    }
}
