//! Loads a vhost-user-blk server with libblkio's driver, one queue a job, and prints what came of it as JSON:
//!
//! ```text
//! vhost_user_load SOCKET read|write BYTES DEPTH QUEUES SECONDS
//! ```
//!
//! Offsets are random. Latency is from the call that hands a request in to the one that takes its completion.

use std::mem::MaybeUninit;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use blkio::{Blkio, Blkioq, Completion, MemoryRegion, ReqFlags};
use hdrhistogram::Histogram;

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[derive(Clone, Copy)]
struct Load {
    write: bool,
    bytes: usize,
    depth: usize,
    seconds: f64,
    capacity: u64,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [socket, way, bytes, depth, queues, seconds] = args.as_slice() else {
        eprintln!("usage: vhost_user_load SOCKET read|write BYTES DEPTH QUEUES SECONDS");
        return ExitCode::from(2);
    };
    let parsed = || -> Result<(Load, i32), Failure> {
        let (bytes, depth) = (bytes.parse()?, depth.parse()?);
        Ok((Load { write: way == "write", bytes, depth, seconds: seconds.parse()?, capacity: 0 }, queues.parse()?))
    };
    match parsed().and_then(|(load, queues)| run(socket, load, queues)) {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(socket: &str, mut load: Load, queues: i32) -> Result<String, Failure> {
    let mut disk = Blkio::new("virtio-blk-vhost-user").map_err(told)?;
    disk.set_str("path", socket).map_err(told)?;
    disk.connect().map_err(told)?;
    load.capacity = disk.get_u64("capacity").map_err(told)?;
    disk.set_i32("num-queues", queues).map_err(told)?;
    let started = disk.start().map_err(told)?.queues;
    let mut jobs = Vec::new();
    for (number, queue) in started.into_iter().enumerate() {
        let region = disk.alloc_mem_region(load.depth * load.bytes).map_err(told)?;
        disk.map_mem_region(&region).map_err(told)?;
        jobs.push(std::thread::spawn(move || job(queue, region, load, number as u64)));
    }
    let mut all = Histogram::<u64>::new(3)?;
    for job in jobs {
        all.add(job.join().map_err(|_| "a job panicked")??)?;
    }
    let at = |quantile: f64| all.value_at_quantile(quantile) as f64 / 1e3;
    Ok(format!(
        r#"{{"ios": {}, "iops": {:.1}, "mbps": {:.3}, "p50_us": {:.1}, "p99_us": {:.1}}}"#,
        all.len(),
        all.len() as f64 / load.seconds,
        all.len() as f64 * load.bytes as f64 / load.seconds / 1e6,
        at(0.5),
        at(0.99)
    ))
}

fn told(error: blkio::Error) -> Failure {
    error.message().into()
}

/// Keeps so many requests in flight for so long.
fn job(mut queue: Blkioq, region: MemoryRegion, load: Load, seed: u64) -> Result<Histogram<u64>, Failure> {
    let mut seen = Histogram::new(3)?;
    let blocks = load.capacity / load.bytes as u64;
    let mut random = seed * 2 + 0x9e37_79b9_7f4a_7c15;
    let mut began = vec![Instant::now(); load.depth];
    let mut hand_in = |queue: &mut Blkioq, slot: usize, began: &mut [Instant]| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let (at, buffer) = (random % blocks * load.bytes as u64, region.addr + slot * load.bytes);
        began[slot] = Instant::now();
        if load.write {
            queue.write(at, buffer as *const u8, load.bytes, slot, ReqFlags::empty());
        } else {
            queue.read(at, buffer as *mut u8, load.bytes, slot, ReqFlags::empty());
        }
    };
    (0..load.depth).for_each(|slot| hand_in(&mut queue, slot, &mut began));
    let (begin, length) = (Instant::now(), Duration::from_secs_f64(load.seconds));
    let mut done: Vec<MaybeUninit<Completion>> = (0..load.depth).map(|_| MaybeUninit::uninit()).collect();
    let mut left = load.depth;
    while left > 0 {
        let got = queue.do_io(&mut done[..left], 1, None, None).map_err(told)?;
        let over = begin.elapsed() >= length;
        for completion in &done[..got] {
            // SAFETY: `do_io` has written as many completions as it says.
            let completion = unsafe { completion.assume_init_ref() };
            if completion.ret != 0 {
                return Err(format!("a request failed with {}", completion.ret).into());
            }
            if over {
                left -= 1;
                continue;
            }
            seen.record(began[completion.user_data].elapsed().as_nanos() as u64)?;
            hand_in(&mut queue, completion.user_data, &mut began);
        }
    }
    Ok(seen)
}
