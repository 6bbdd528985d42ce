//! Somebody else's driver: libblkio's, which shares no line with ours.

use std::fs::File;
use std::mem::MaybeUninit;
use std::os::unix::fs::FileExt as _;

use blkio::{Blkio, Blkioq, Completion, ReqFlags};

use crate::vhost_user::served::{SIZE, Served};

/// Bytes of a request.
const LEN: usize = 4096;
/// Requests in flight.
const DEPTH: usize = 100;

/// Waits for as many completions as requests; each must have succeeded.
fn finish(queue: &mut Blkioq, requests: usize) {
    let mut done = [const { MaybeUninit::<Completion>::uninit() }; DEPTH];
    let mut left = requests;
    while left > 0 {
        let got = queue.do_io(&mut done[..left.min(DEPTH)], 1, None, None).expect("requests end");
        for completion in &done[..got] {
            // SAFETY: `do_io` has written as many completions as it says.
            let completion = unsafe { completion.assume_init_ref() };
            assert_eq!(completion.ret, 0, "request {}", completion.user_data);
        }
        left -= got;
    }
}

#[test]
fn libblkio_reads_what_it_wrote_a_hundred_at_a_time_on_two_queues() {
    let served = Served::new();
    let mut disk = Blkio::new("virtio-blk-vhost-user").expect("libblkio has that driver");
    disk.set_str("path", &served.socket().display().to_string()).expect("a path");
    disk.connect().expect("the server answers");
    assert_eq!(disk.get_u64("capacity").expect("a size"), SIZE * 2);
    assert!(!disk.get_bool("read-only").expect("an answer") && disk.get_bool("needs-mem-regions").expect("an answer"));
    disk.set_i32("num-queues", 2).expect("it has several");
    let mut queues = disk.start().expect("queues").queues;
    let region = disk.alloc_mem_region(2 * DEPTH * LEN).expect("memory");
    disk.map_mem_region(&region).expect("shared memory");
    let memory = File::options().read(true).write(true).open(format!("/proc/self/fd/{}", region.fd)).expect("it");
    let bytes: Vec<u8> = (0..DEPTH * LEN).map(|n| (n / 512 % 251) as u8 + 1).collect();
    memory.write_all_at(&bytes, 0).expect("it is memory");
    let at = |n: usize| (n * 37 % DEPTH * LEN * 3) as u64;
    let buffer = |n: usize| region.addr + n * LEN;
    for (number, queue) in queues.iter_mut().enumerate() {
        (0..DEPTH).filter(|n| n % 2 == number).for_each(|n| {
            queue.write(at(n), buffer(n) as *const u8, LEN, n, ReqFlags::empty());
        });
        finish(queue, DEPTH / 2);
        queue.flush(0, ReqFlags::empty());
        finish(queue, 1);
    }
    for n in 0..DEPTH {
        queues[1].read(at(n), buffer(DEPTH + n) as *mut u8, LEN, n, ReqFlags::empty());
    }
    finish(&mut queues[1], DEPTH);
    let mut found = vec![0; bytes.len()];
    memory.read_exact_at(&mut found, (DEPTH * LEN) as u64).expect("it is memory");
    assert!(found == bytes, "what was read is not what was written");
    queues[0].discard(at(1), LEN as u64, 0, ReqFlags::empty());
    queues[0].write_zeroes(at(2), LEN as u64, 1, ReqFlags::empty());
    finish(&mut queues[0], 2);
    for n in [1, 2] {
        queues[0].read(at(n), buffer(n) as *mut u8, LEN, n, ReqFlags::empty());
    }
    finish(&mut queues[0], 2);
    memory.read_exact_at(&mut found[..2 * LEN], LEN as u64).expect("it is memory");
    assert!(found[..2 * LEN].iter().all(|&byte| byte == 0));
    drop((queues, disk));
    served.wait_for_clients(0);
    assert!(served.notices().is_empty(), "{:?}", served.notices());
}
