//! A vhost-user device against any messages, and against any bytes in the memory of its queues.
//!
//! ```text
//! input  how:8 bytes...      queues and features, then either messages or what stands in the memory
//! message  request:8 len:8 files:8 payload[len]
//! ```

use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt as _;

use rustix::event::{EventfdFlags, eventfd};
use rustix::fs::{MemfdFlags, ftruncate, memfd_create};

use super::guest::{GUEST, USER, words};
use crate::vhost_user::block::{Ask, Status, TRANSFER_MAX};
use crate::vhost_user::device::Facts;
use crate::vhost_user::message::Header;
use crate::vhost_user::{Device, Popped};

/// Bytes of the memory.
const MEMORY: u64 = 1 << 16;
/// Descriptors of the queue.
const SIZE: u16 = 8;
const AVAILABLE: u64 = 0x100;
const USED: u64 = 0x200;
/// Requests that are taken at most: a queue of eight in flight is full.
const MOST: usize = 64;

/// Sends the messages, or fills the memory and takes requests out of it.
///
/// # Panics
/// When more is in flight than the queue is long, a request is larger than allowed, or what was taken cannot be answered.
pub fn vhost_user(input: &[u8]) {
    let [how, bytes @ ..] = input else { return };
    if how & 1 == 0 { messages(*how, bytes) } else { memory(*how, bytes) }
}

fn device(how: u8) -> Device {
    let read_only = how & 2 != 0;
    Device::new(Facts { name: "fuzz".into(), size: 1 << 20, read_only, preferred_block: 4096 })
}

fn memfd() -> OwnedFd {
    let file = memfd_create("fuzz", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING).expect("a memfd");
    ftruncate(&file, MEMORY).expect("its size");
    file
}

fn messages(how: u8, bytes: &[u8]) {
    let mut device = if how & 4 == 0 { device(how) } else { running(how, memfd()) };
    let mut rest = bytes;
    while let [request, len, files, more @ ..] = rest {
        let (payload, more) = more.split_at(usize::from(*len).min(more.len()));
        rest = more;
        let file =
            |n: u8| if n.is_multiple_of(2) { memfd() } else { eventfd(0, EventfdFlags::CLOEXEC).expect("an eventfd") };
        let files = (0..files % 4).map(|n| file(n + files / 4)).collect();
        let header = Header { request: u32::from(*request % 45), need_reply: *request >= 128, size: payload.len() };
        // A client is sent away at its first mistake.
        let Ok(outcome) = device.handle(header, payload, files) else { return };
        assert!(outcome.reply.iter().all(|(reply, _)| (12..=300).contains(&reply.len())));
        if let Some(queue) = outcome.begun {
            take(&mut device, queue);
        }
    }
}

/// A device with one queue that runs in this memory.
fn running(how: u8, memory: OwnedFd) -> Device {
    let mut device = device(how);
    let mut say = |request: u32, payload: &[u8], files: Vec<OwnedFd>| {
        let header = Header { request, need_reply: false, size: payload.len() };
        device.handle(header, payload, files).expect("nothing is wrong with it");
    };
    let features = 1u64 << 30 | 1 << 32 | u64::from(how & 8 != 0) << 28 | u64::from(how & 16 != 0) << 29;
    say(2, &features.to_le_bytes(), Vec::new());
    say(5, &words(&[1, GUEST, MEMORY, USER, 0]), vec![memory]);
    say(8, &words(&[u64::from(SIZE) << 32]), Vec::new());
    say(9, &words(&[0, USER, USER + USED, USER + AVAILABLE, 0]), Vec::new());
    say(12, &words(&[0]), vec![eventfd(0, EventfdFlags::CLOEXEC).expect("an eventfd")]);
    say(18, &words(&[1 << 32]), Vec::new());
    device
}

fn memory(how: u8, bytes: &[u8]) {
    let memory = memfd();
    let file = std::fs::File::from(memory.try_clone().expect("another descriptor"));
    let mut device = running(how, memory);
    let bytes = &bytes[..bytes.len().min(MEMORY as usize)];
    file.write_all_at(bytes, 0).expect("it fits");
    take(&mut device, 0);
}

/// Takes requests, and answers half of them at once and the rest at the end.
fn take(device: &mut Device, queue: usize) {
    let mut under_way: Vec<Popped> = Vec::new();
    for number in 0..MOST {
        let popped = match device.next(queue) {
            Ok(Some(popped)) => popped,
            Ok(None) => match device.wait(queue) {
                Ok(true) => continue,
                Ok(false) | Err(_) => break,
            },
            Err(_) => return,
        };
        match popped.ask {
            Ask::Read { len, .. } => assert!(len <= TRANSFER_MAX),
            Ask::Write { len, .. } => assert!(len <= TRANSFER_MAX && popped.data.len() as u64 == len),
            _ => assert!(popped.data.is_empty()),
        }
        if number % 2 == 0 {
            answer(device, &popped);
        } else {
            under_way.push(popped);
        }
        assert!(under_way.len() <= usize::from(SIZE.max(1_024)), "more in flight than there are descriptors");
    }
    under_way.iter().for_each(|popped| answer(device, popped));
    let _ = device.wake(queue);
}

fn answer(device: &mut Device, popped: &Popped) {
    let bytes = match popped.ask {
        Ask::Read { len, .. } => vec![0xdd; len.min(1 << 20) as usize],
        _ => Vec::new(),
    };
    device.answer(&popped.answer_to, Status::Ok, &bytes).expect("what was taken can be answered");
}
