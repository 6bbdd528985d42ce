//! Guests that ask what cannot be: each loses its connection, and nobody else notices.

use std::fs::File;
use std::io;
use std::os::fd::AsFd as _;
use std::os::unix::fs::FileExt as _;

use dw_emulator::fuzzing::guest::{
    Asked, FREE, GUEST, Guest, INDIRECT, MEMORY, NEXT, USER, WRITE, Wish, descriptor, words,
};

use crate::vhost_user::served::Served;

type Wrong = fn(&mut Guest) -> io::Result<()>;

/// Where a table that a descriptor stands for can be.
const TABLE: u64 = FREE + (4 << 20);

/// A request whose first descriptor is this one; the next two are a place to write and a status.
fn first(guest: &mut Guest, buffer: (u64, u32), flags: u16, next: u16) -> io::Result<()> {
    guest.prepare(0, 0, &Asked { kind: 0, sector: 0, out: &[], room: 512 })?;
    guest.describe(0, 0, buffer, flags, next)?;
    guest.offer(0, &[0])?;
    guest.kick(0)
}

/// A request that is a table with these descriptors.
fn table(guest: &mut Guest, len: u32, flags: u16, descriptors: &[[u8; 16]]) -> io::Result<()> {
    guest.memory.write_all_at(&descriptors.concat(), TABLE)?;
    first(guest, (GUEST + TABLE, len), INDIRECT | flags, 1)
}

const HERE: (u64, u32) = (GUEST + FREE, 512);

/// What stands in the queue or the memory of a guest that got as far as running one.
const RINGS: &[(&str, Wrong, &str)] = &[
    ("beyond the memory", |g| first(g, (GUEST + MEMORY, 16), NEXT, 1), "not in the client's memory"),
    ("across its end", |g| first(g, (GUEST + MEMORY - 8, 16), NEXT, 1), "not in the client's memory"),
    ("before it", |g| first(g, (GUEST - 8, 16), NEXT, 1), "not in the client's memory"),
    ("an address of the program, not of the guest", |g| first(g, (USER, 16), NEXT, 1), "not in the client's memory"),
    ("an end that overflows", |g| first(g, (u64::MAX - 7, 16), NEXT, 1), "not in the client's memory"),
    ("a length as large as can be", |g| first(g, (GUEST, u32::MAX), NEXT, 1), "not in the client's memory"),
    ("a circle of one", |g| first(g, HERE, NEXT, 0), "round in circles"),
    (
        "a circle of many",
        |g| {
            (0..127).try_for_each(|n| g.describe(0, n, (GUEST + FREE, 16), NEXT, n + 1))?;
            g.describe(0, 127, (GUEST + FREE, 16), NEXT, 5)?;
            g.offer(0, &[5])?;
            g.kick(0)
        },
        "round in circles",
    ),
    ("next is no descriptor", |g| first(g, HERE, NEXT, 128), "does not exist"),
    ("the head is none", |g| g.offer(0, &[128]).and_then(|()| g.kick(0)), "does not exist"),
    ("no header", |g| first(g, (GUEST + FREE, 15), NEXT, 1), "without a header"),
    ("a header to be written", |g| first(g, (GUEST + FREE, 16), WRITE | NEXT, 1), "without a header"),
    ("no status", |g| first(g, (GUEST + FREE, 16), 0, 0), "without a place for its status"),
    (
        "a status of no bytes",
        |g| {
            g.describe(0, 3, (GUEST + FREE, 0), WRITE, 0)?;
            first(g, (GUEST + FREE, 16), NEXT, 3)
        },
        "without a place for its status",
    ),
    (
        "reads behind writes",
        |g| {
            g.describe(0, 3, HERE, WRITE | NEXT, 4)?;
            g.describe(0, 4, HERE, NEXT, 2)?;
            first(g, HERE, NEXT, 3)
        },
        "behind one to write",
    ),
    (
        "more than 4 GiB in all",
        |g| {
            let all = descriptor((GUEST, MEMORY as u32), NEXT, 0);
            let table = (0..300u16).map(|n| {
                let mut d = all;
                d[14..].copy_from_slice(&(n + 1).to_le_bytes());
                d
            });
            g.memory.write_all_at(&table.collect::<Vec<_>>().concat(), TABLE)?;
            first(g, (GUEST + TABLE, 300 * 16), INDIRECT, 0)
        },
        "more than 4 GiB",
    ),
    ("a table of half a descriptor", |g| table(g, 24, 0, &[]), "with a length that none can have"),
    ("a table of none", |g| table(g, 0, 0, &[]), "with a length that none can have"),
    ("a table as large as can be", |g| table(g, u32::MAX - 15, 0, &[]), "with a length that none can have"),
    ("a table that goes on", |g| table(g, 32, NEXT, &[]), "not the last of its request"),
    ("a table in a table", |g| table(g, 32, 0, &[descriptor((GUEST + TABLE, 32), INDIRECT, 0)]), "where none may be"),
    (
        "a table that is its own buffer, in circles",
        |g| {
            let own = (GUEST + TABLE, 32);
            table(g, 32, 0, &[descriptor(own, NEXT, 1), descriptor(own, NEXT, 0)])
        },
        "round in circles",
    ),
    ("a table that leads out of itself", |g| table(g, 16, 0, &[descriptor(HERE, NEXT, 1)]), "does not exist"),
    ("a table outside", |g| first(g, (GUEST + MEMORY - 16, 32), INDIRECT, 0), "not in the client's memory"),
    ("an index that jumps", |g| g.jump(0, 129).and_then(|()| g.kick(0)), "jumps by more than its size"),
    ("an index that goes back", |g| g.jump(0, u16::MAX).and_then(|()| g.kick(0)), "jumps by more than its size"),
    (
        "the same request twice at once",
        |g| {
            g.prepare(0, 0, &Asked { kind: 0, sector: 0, out: &[], room: 512 })?;
            g.offer(0, &[0, 0])?;
            g.kick(0)
        },
        "still under way",
    ),
];

fn state(queue: u64, value: u64) -> Vec<u8> {
    words(&[value << 32 | queue])
}

fn region(numbers: [u64; 4]) -> Vec<u8> {
    words(&[&[0][..], &numbers].concat())
}

/// What a guest may say that has agreed on features and nothing else.
const MESSAGES: &[(&str, Wrong, &str)] = &[
    ("another protocol", |g| g.send_raw(b"GET / HTTP/1.1\r\n\r\n", &[]), "not of version 1"),
    ("a reply", |g| g.send(1, 1 | 4, &[], &[]), "it is a reply"),
    ("no such message", |g| g.tell(4_711, &[], &[]), "not known"),
    ("a message that was not offered", |g| g.tell(6, &[0; 16], &[]), "not known"),
    (
        "a payload without end",
        |g| g.send_raw(&[5u32, 1, u32::MAX].map(u32::to_le_bytes).concat(), &[]),
        "longer than that",
    ),
    ("too short", |g| g.tell(2, &[1], &[]), "shorter"),
    ("too long", |g| g.tell(2, &[1; 16], &[]), "longer"),
    ("features that were not offered", |g| g.tell(2, &words(&[1 << 34]), &[]), "never offered"),
    ("protocol features that were not offered", |g| g.tell(16, &words(&[1 << 8]), &[]), "never offered"),
    ("a queue that does not exist", |g| g.tell(8, &state(64, 8), &[]), "queue 64 does not exist"),
    ("a queue that cannot exist", |g| g.tell(18, &state(u32::MAX.into(), 1), &[]), "does not exist"),
    (
        "more descriptors than belong to it",
        |g| {
            let file = g.memory.try_clone()?;
            g.tell(3, &[], &[file.as_fd(); 2])
        },
        "2 descriptors, 0 belong",
    ),
    (
        "more descriptors than any message has",
        |g| {
            let file = g.memory.try_clone()?;
            g.tell(3, &[], &[file.as_fd(); 30])
        },
        "more descriptors than any message",
    ),
    ("a region without its file", |g| g.tell(5, &words(&[1, GUEST, MEMORY, USER, 0]), &[]), "0 descriptors, 1 belong"),
    ("nine regions", |g| g.tell(5, &words(&[9]), &[]), "more than eight"),
    (
        "a region longer than its file",
        |g| {
            let file = g.memory.try_clone()?;
            g.tell(5, &words(&[1, GUEST, MEMORY + 4096, USER, 0]), &[file.as_fd()])
        },
        "longer than its file",
    ),
    (
        "regions that overlap",
        |g| {
            let file = g.memory.try_clone()?;
            let table = words(&[2, GUEST, 8192, USER, 0, GUEST + 4096, 8192, USER + (1 << 30), 0]);
            g.tell(5, &table, &[file.as_fd(); 2])
        },
        "intersect",
    ),
    (
        "memory that is no memory",
        |g| {
            let file = File::open("/dev/zero")?;
            g.tell(37, &region([GUEST, 4096, USER, 0]), &[file.as_fd()])
        },
        "not a file",
    ),
    (
        "memory on a disk",
        |g| {
            let file = tempfile::tempfile_in(env!("CARGO_MANIFEST_DIR"))?;
            file.set_len(4096)?;
            g.tell(37, &region([GUEST, 4096, USER, 0]), &[file.as_fd()])
        },
        "a file on a disk",
    ),
    ("a region that was never there", |g| g.tell(38, &region([GUEST, 4096, USER, 0]), &[]), "not there"),
    (
        "a queue before any memory",
        |g| {
            let kick = g.kick_of(0).try_clone_to_owned()?;
            g.tell(8, &state(0, 128), &[])?;
            g.tell(9, &words(&[0, USER, USER, USER, 0]), &[])?;
            g.tell(12, &words(&[0]), &[kick.as_fd()])?;
            g.tell(18, &state(0, 1), &[])
        },
        "not in the client's memory",
    ),
    ("a queue of no power of two", |g| wrong_queue(g, 100, USER), "not a power of two"),
    ("a queue that is too long", |g| wrong_queue(g, 2_048, USER), "not a power of two"),
    ("a queue of no descriptors", |g| wrong_queue(g, 0, USER), "not a power of two"),
    ("a queue at an odd address", |g| wrong_queue(g, 128, USER + 8), "not aligned"),
    ("a queue across the end of the memory", |g| wrong_queue(g, 128, USER + MEMORY - 16), "does not lie in"),
    ("nothing to wake us", |g| g.tell(12, &words(&[1 << 8]), &[]), "no wake-up descriptor"),
    (
        "something else to wake us",
        |g| {
            let file = g.memory.try_clone()?;
            g.tell(12, &words(&[0]), &[file.as_fd()])
        },
        "cannot be waited for",
    ),
    (
        "something else to wake the driver",
        |g| {
            let (_, pipe) = rustix::pipe::pipe()?;
            g.tell(13, &words(&[0]), &[pipe.as_fd()])
        },
        "not an eventfd",
    ),
    ("a change of the configuration", |g| g.tell(25, &[0; 13], &[]), "can be changed"),
    ("a record of no queues", |g| g.tell(31, &words(&[0, 0, 0]), &[]), "to be recorded"),
    (
        "a record that is too short",
        |g| {
            let file = g.memory.try_clone()?;
            g.tell(32, &words(&[64, 0, 128 << 16 | 1]), &[file.as_fd()])
        },
        "too short",
    ),
    (
        "a queue that is changed while it runs",
        |g| {
            g.share()?;
            g.run_queues()?;
            g.tell(8, &state(0, 64), &[])
        },
        "while it runs",
    ),
    (
        "memory taken away under a queue",
        |g| {
            g.share()?;
            g.run_queues()?;
            g.tell(38, &region([GUEST, MEMORY, USER, 0]), &[])
        },
        "not in the client's memory",
    ),
];

/// A queue of this size at this place, in memory that is there.
fn wrong_queue(guest: &mut Guest, size: u64, at: u64) -> io::Result<()> {
    guest.share()?;
    let kick = guest.kick_of(0).try_clone_to_owned()?;
    guest.tell(8, &state(0, size), &[])?;
    guest.tell(9, &words(&[0, at, USER + 65_536, USER + 131_072, 0]), &[])?;
    guest.tell(12, &words(&[0]), &[kick.as_fd()])?;
    guest.tell(18, &state(0, 1), &[])
}

/// Whether the guest that does this loses its connection for this reason, and nobody else does.
fn check(served: &Served, guest: &mut Guest, (name, wrong, why): &(&str, Wrong, &str)) {
    let before = served.notices().len();
    // The server may be gone before the guest has said everything.
    if let Err(error) = wrong(guest) {
        let gone = [io::ErrorKind::BrokenPipe, io::ErrorKind::ConnectionReset];
        assert!(gone.contains(&error.kind()), "{name}: {error}");
    }
    assert!(guest.is_cut(), "{name}: it goes on");
    let notices = served.notices();
    assert_eq!(notices.len(), before + 1, "{name}: {notices:?}");
    assert!(notices[before].contains(why), "{name}: {}", notices[before]);
}

#[test]
fn what_cannot_be_asked_of_a_queue_ends_the_connection() {
    let served = Served::new();
    for case in RINGS {
        check(&served, &mut served.guest(Wish::default()), case);
        served.still_serves();
    }
}

#[test]
fn what_cannot_be_said_ends_the_connection() {
    let served = Served::new();
    for case in MESSAGES {
        let mut guest = Guest::connect(&served.socket(), Wish::default()).unwrap();
        guest.agree().unwrap();
        check(&served, &mut guest, case);
    }
    served.still_serves();
}

/// Whoever goes away at any point leaves nothing behind.
#[test]
fn guests_that_vanish_leave_nothing_behind() {
    let served = Served::new();
    let points: [(&str, Wrong); 6] = [
        ("at once", |_| Ok(())),
        ("within a header", |g| g.send_raw(&[1, 0, 0], &[])),
        ("within a payload", |g| g.send_raw(&[&[2u32, 1, 8].map(u32::to_le_bytes).concat()[..], &[1]].concat(), &[])),
        ("with descriptors on the way", |g| {
            let file = g.memory.try_clone()?;
            g.send_raw(&[5, 0, 0], &[file.as_fd(); 8])
        }),
        ("with requests under way", |g| {
            g.agree()?;
            g.share()?;
            g.run_queues()?;
            g.prepare(0, 0, &Asked { kind: 0, sector: 0, out: &[], room: 512 })?;
            g.offer(0, &[0])?;
            g.kick(0)
        }),
        ("while a queue comes to rest", |g| {
            g.agree()?;
            g.share()?;
            g.run_queues()?;
            g.offer(0, &[])?;
            g.tell(11, &words(&[0]), &[])
        }),
    ];
    for _ in 0..20 {
        for (name, point) in &points {
            let mut guest = Guest::connect(&served.socket(), Wish::default()).unwrap();
            point(&mut guest).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
    served.wait_for_clients(0);
    served.still_serves();
    assert!(served.notices().is_empty(), "{:?}", served.notices());
}

/// Half a message keeps nobody waiting.
#[test]
fn a_guest_that_dawdles_keeps_nobody_waiting() {
    let served = Served::new();
    let mut slow = Guest::connect(&served.socket(), Wish::default()).unwrap();
    let message: Vec<u8> = [&[16u32, 1, 8].map(u32::to_le_bytes).concat()[..], &[0; 8]].concat();
    for byte in &message {
        slow.send_raw(&[*byte], &[]).unwrap();
        served.still_serves();
    }
    assert_eq!(slow.ask(17, &[]).unwrap(), words(&[64]));
}
