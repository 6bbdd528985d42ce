//! What a guest can ask.

use dw_emulator::command::Command;
use dw_emulator::fuzzing::guest::{Asked, FREE, GUEST, Guest, INDIRECT, NEXT, WRITE, Wish, descriptor, words};
use dw_units::Duration;
use std::os::unix::fs::FileExt as _;

use crate::vhost_user::served::{Rig, SIZE, Served};

const READ: u32 = 0;
const WRITE_TO: u32 = 1;
const FLUSH: u32 = 4;
const GET_ID: u32 = 8;
const DISCARD: u32 = 11;
const ZEROES: u32 = 13;

/// A range with flags, as discards have it.
fn range(sector: u64, sectors: u32, flags: u32) -> Vec<u8> {
    [&sector.to_le_bytes()[..], &sectors.to_le_bytes(), &flags.to_le_bytes()].concat()
}

fn read(guest: &mut Guest, sector: u64, room: u32) -> (u8, Vec<u8>) {
    guest.request(0, Asked { kind: READ, sector, out: &[], room }).unwrap()
}

#[test]
fn what_is_written_is_read_and_what_is_given_back_is_zero() {
    let served = Served::new();
    let mut guest = served.guest(Wish::default());
    let bytes: Vec<u8> = (0..32_768u32).map(|n| (n / 512) as u8 + 1).collect();
    let ends = SIZE * 2 / 512;
    let cases = [
        ("written", WRITE_TO, 100, bytes.clone(), 0),
        ("at the end", WRITE_TO, ends - 64, bytes.clone(), 0),
        ("flushed", FLUSH, 0, vec![], 0),
        ("given back", DISCARD, 0, range(100, 8, 0), 0),
        ("zeroed, kept", ZEROES, 0, range(108, 8, 0), 0),
        ("zeroed, given back", ZEROES, 0, range(116, 8, 1), 0),
        ("half a sector", WRITE_TO, 100, bytes[..256].to_vec(), 1),
        ("past the end", WRITE_TO, ends, bytes.clone(), 1),
        ("across the end", WRITE_TO, ends - 1, bytes.clone(), 1),
        ("nowhere", WRITE_TO, u64::MAX, bytes.clone(), 1),
        ("nowhere, in bytes", WRITE_TO, u64::MAX / 512, bytes.clone(), 1),
        ("given back past the end", DISCARD, 0, range(ends, 8, 0), 1),
        ("given back nowhere", DISCARD, 0, range(u64::MAX, u32::MAX, 0), 1),
        ("more than is allowed", DISCARD, 0, range(0, (1 << 22) + 1, 0), 1),
        ("two ranges", DISCARD, 0, [range(0, 8, 0), range(8, 8, 0)].concat(), 1),
        ("discard with a flag", DISCARD, 0, range(0, 8, 1), 2),
        ("zeroes with another flag", ZEROES, 0, range(0, 8, 2), 2),
        ("secure erase", 14, 0, range(0, 8, 0), 2),
        ("no such type", 99, 0, vec![], 2),
    ];
    for (name, kind, sector, out, expected) in cases {
        let (status, _) = guest.request(0, Asked { kind, sector, out: &out, room: 0 }).unwrap();
        assert_eq!(status, expected, "{name}");
    }
    let mut expected = bytes.clone();
    expected[..24 * 512].fill(0);
    assert_eq!(read(&mut guest, 100, 32_768), (0, expected));
    assert_eq!(read(&mut guest, ends - 64, 32_768), (0, bytes));
    assert_eq!(read(&mut guest, ends - 1, 1_024).0, 1, "a read across the end");
    let (status, id) = guest.request(0, Asked { kind: GET_ID, sector: 0, out: &[], room: 20 }).unwrap();
    assert_eq!((status, id.as_slice()), (0, &b"data\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"[..]));
    assert!(served.notices().is_empty(), "{:?}", served.notices());
}

/// The bytes of one request, cut as drivers cut them.
#[test]
fn buffers_may_be_cut_anywhere() {
    let served = Served::new();
    for (name, cut, indirect) in [
        ("in one piece", vec![16 + 1_024], false),
        ("bytewise", vec![1, 14, 1, 1, 510, 513], true),
        ("indirect", vec![16, 1_024], true),
    ] {
        let mut guest = served.guest(Wish::default());
        let data: Vec<u8> = (0..1_024u32).map(|n| (n % 251) as u8).collect();
        let bytes = [&1u32.to_le_bytes()[..], &[0; 4], &9u64.to_le_bytes(), &data].concat();
        guest.memory.write_all_at(&bytes, FREE).unwrap();
        let mut parts = Vec::new();
        let mut at = GUEST + FREE;
        for len in &cut {
            parts.push(((at, *len as u32), NEXT));
            at += *len as u64;
        }
        parts.push(((at, 1), WRITE));
        for (index, (buffer, flags)) in (0u16..).zip(&parts) {
            if indirect {
                let at = FREE + 65_536 + 16 * u64::from(index);
                guest.memory.write_all_at(&descriptor(*buffer, *flags, index + 1), at).unwrap();
            } else {
                guest.describe(0, index, *buffer, *flags, index + 1).unwrap();
            }
        }
        if indirect {
            let table = (GUEST + FREE + 65_536, 16 * parts.len() as u32);
            guest.describe(0, 0, table, INDIRECT, 0).unwrap();
        }
        guest.offer(0, &[0]).unwrap();
        guest.kick(0).unwrap();
        assert_eq!(guest.answer(0).unwrap(), (0, 1), "{name}");
        let mut status = [9];
        guest.memory.read_exact_at(&mut status, FREE + 16 + 1_024).unwrap();
        assert_eq!(status, [0], "{name}");
        assert_eq!(read(&mut guest, 9, 1_024), (0, data), "{name}");
    }
}

#[test]
fn a_disk_that_is_read_only_says_so_and_is() {
    let served = Served::with(Rig { latency: Duration::from_us(20), read_only: true });
    let mut guest = served.guest(Wish::default());
    let features = u64::from_le_bytes(guest.ask(1, &[]).unwrap().try_into().unwrap());
    assert_eq!((features >> 5 & 1, features >> 13 & 3), (1, 0), "{features:#x}");
    for (kind, out) in [(WRITE_TO, vec![1; 512]), (DISCARD, range(0, 8, 0)), (ZEROES, range(0, 8, 1))] {
        assert_eq!(guest.request(0, Asked { kind, sector: 0, out: &out, room: 0 }).unwrap().0, 1, "type {kind}");
    }
    assert_eq!(read(&mut guest, 0, 512), (0, vec![0; 512]));
}

#[test]
fn the_configuration_is_what_guests_look_for() {
    let served = Served::new();
    let mut guest = Guest::connect(&served.socket(), Wish::default()).unwrap();
    let ask = |guest: &mut Guest, offset: u32, size: u32| {
        let fields = [offset, size, 0].map(u32::to_le_bytes).concat();
        guest.ask(24, &[fields, vec![0; size.min(256) as usize]].concat()).unwrap()
    };
    let reply = ask(&mut guest, 0, 60);
    let (head, config) = reply.split_at(12);
    assert_eq!(head, [[0; 4], 60u32.to_le_bytes(), [0; 4]].concat());
    let number = |at: usize, len: usize| config[at..at + len].iter().rev().fold(0, |n, &b| n << 8 | u64::from(b));
    let fields = [
        ("capacity", 0, 8, SIZE * 2 / 512),
        ("size_max", 8, 4, 256 << 10),
        ("seg_max", 12, 4, 126),
        ("blk_size", 20, 4, 512),
        ("physical_block_exp", 24, 1, 3),
        ("min_io_size", 26, 2, 8),
        ("num_queues", 34, 2, 64),
        ("max_discard_sectors", 36, 4, 1 << 22),
        ("max_discard_seg", 40, 4, 1),
        ("discard_sector_alignment", 44, 4, 8),
        ("max_write_zeroes_sectors", 48, 4, 1 << 22),
        ("write_zeroes_may_unmap", 56, 1, 1),
    ];
    for (name, at, len, expected) in fields {
        assert_eq!(number(at, len), expected, "{name}");
    }
    assert_eq!(ask(&mut guest, 8, 4)[12..], (256u32 << 10).to_le_bytes(), "a piece of it");
    assert!(ask(&mut guest, 200, 60).is_empty(), "there is no such piece");
    assert!(ask(&mut guest, u32::MAX, 60).is_empty());
}

/// More than NBD's 16 at once: with a latency of 5 ms, 90 reads that are in flight together come back together.
#[test]
fn a_queue_has_as_many_in_flight_as_fit() {
    let served = Served::with(Rig { latency: Duration::from_ms(5), read_only: false });
    for events in [true, false] {
        let mut guest = served.guest(Wish { size: 512, queues: 2, events, ..Wish::default() });
        let heads: Vec<u16> = (0..90).map(|n| n * 3).collect();
        for queue in 0..2 {
            for &head in &heads {
                let asked = Asked { kind: READ, sector: u64::from(head), out: &[], room: 512 };
                guest.prepare(queue, head, &asked).unwrap();
            }
        }
        served.command(Command::Pause);
        for queue in 0..2 {
            guest.offer(queue, &heads).unwrap();
            guest.kick(queue).unwrap();
        }
        served.wait_for_depth(180);
        assert!(!guest.has_answer(0).unwrap());
        served.command(Command::Resume);
        for queue in 0..2 {
            let mut answered: Vec<u16> = heads.iter().map(|_| guest.answer(queue).unwrap().0).collect();
            answered.sort_unstable();
            assert_eq!(answered, heads);
        }
    }
}

#[test]
fn a_disk_that_grows_is_announced() {
    let served = Served::new();
    // A stripe stays as large as it was, its disks do not.
    let mut guest = Guest::start(&served.first(), Wish::default()).unwrap();
    let (ours, theirs) = std::os::unix::net::UnixStream::pair().unwrap();
    guest.acknowledged(21, &[], &[std::os::fd::AsFd::as_fd(&theirs)]).unwrap();
    served.command(Command::Resize { volume: "data".into(), disk: None, size_bytes: SIZE * 2 });
    let mut message = [0; 12];
    ours.set_read_timeout(Some(std::time::Duration::from_secs(20))).unwrap();
    std::io::Read::read_exact(&mut &ours, &mut message).unwrap();
    assert_eq!(message, *[2, 1, 0].map(u32::to_le_bytes).concat());
    let reply = guest.ask(24, &[0u32, 8, 0].map(u32::to_le_bytes).concat()).unwrap();
    assert_eq!(reply[12..], (SIZE * 2 / 512).to_le_bytes());
    assert_eq!(read(&mut guest, SIZE * 2 / 512 - 1, 512).0, 0);
}

#[test]
fn a_queue_that_is_ended_rests_first() {
    let served = Served::with(Rig { latency: Duration::from_ms(20), read_only: false });
    let mut guest = served.guest(Wish::default());
    guest.prepare(0, 0, &Asked { kind: WRITE_TO, sector: 0, out: &[5; 512], room: 0 }).unwrap();
    guest.offer(0, &[0]).unwrap();
    guest.kick(0).unwrap();
    served.wait_for_depth(1);
    assert_eq!(guest.end_queue(0).unwrap(), 1, "one request was taken");
    assert!(guest.has_answer(0).unwrap(), "and answered before that was said");
    guest.offer(0, &[0]).unwrap();
    guest.kick(0).unwrap();
    assert_eq!(guest.end_queue(0).unwrap(), 1, "a queue that does not run takes nothing");
    assert_eq!(guest.ask(11, &words(&[63])).unwrap(), [63u32, 0].map(u32::to_le_bytes).concat());
}

/// A queue that is switched off takes nothing, keeps nobody busy, and goes on when it is switched on again.
#[test]
fn a_queue_that_is_switched_off_waits() {
    let served = Served::new();
    let mut guest = served.guest(Wish::default());
    guest.acknowledged(18, &words(&[0]), &[]).unwrap();
    guest.prepare(0, 0, &Asked { kind: READ, sector: 0, out: &[], room: 512 }).unwrap();
    guest.offer(0, &[0]).unwrap();
    guest.kick(0).unwrap();
    served.still_serves();
    assert!(!guest.has_answer(0).unwrap());
    guest.acknowledged(18, &words(&[1 << 32]), &[]).unwrap();
    assert_eq!(guest.answer(0).unwrap(), (0, 513));
}
