//! Loads an NBD server with a client that does nothing but ask, and prints what came of it as JSON:
//!
//! ```text
//! nbd_load SOCKET DEPTH SECONDS
//! ```
//!
//! It reads blocks of 4 KiB of the default export at random, without a queue of its own and without checks; the answers of one read
//! are replaced with one write. What fio sees beyond what this one sees is its library's part. The first half second, with all at
//! once, is not counted.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;

type Failure = Box<dyn std::error::Error>;

const BLOCK: usize = 4096;
/// A simple reply with its data.
const REPLY: usize = 16 + BLOCK;
const START: Duration = Duration::from_millis(500);

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [socket, depth, seconds] = args.as_slice() else {
        eprintln!("usage: nbd_load SOCKET DEPTH SECONDS");
        return ExitCode::from(2);
    };
    let run = || load(socket, depth.parse()?, seconds.parse()?);
    match run() {
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

/// Connects to the default export; its size in blocks.
fn connect(socket: &str) -> io::Result<(UnixStream, u64)> {
    let mut stream = UnixStream::connect(socket)?;
    stream.read_exact(&mut [0; 18])?;
    // Fixed newstyle and no zeroes, then NBD_OPT_EXPORT_NAME of the empty name.
    stream.write_all(&3u32.to_be_bytes())?;
    stream.write_all(b"IHAVEOPT\0\0\0\x01\0\0\0\0")?;
    let mut size = [0; 8];
    stream.read_exact(&mut size)?;
    stream.read_exact(&mut [0; 2])?;
    Ok((stream, u64::from_be_bytes(size) / BLOCK as u64))
}

/// Keeps `depth` requests in flight for so long.
fn load(socket: &str, depth: usize, seconds: f64) -> Result<String, Failure> {
    let (mut stream, blocks) = connect(socket)?;
    if depth == 0 || blocks == 0 {
        return Err("a depth of 1 or more, and a disk of 4 KiB or more".into());
    }
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    let mut ask = |slot: u64, asks: &mut Vec<u8>| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        asks.extend(0x2560_9513u32.to_be_bytes());
        asks.extend([0; 4]);
        asks.extend(slot.to_be_bytes());
        asks.extend((random % blocks * BLOCK as u64).to_be_bytes());
        asks.extend((BLOCK as u32).to_be_bytes());
    };
    let mut seen = Histogram::<u64>::new(3)?;
    let (mut asks, mut bytes, mut have) = (Vec::new(), vec![0; (depth + 1) * REPLY], 0);
    (0..depth as u64).for_each(|slot| ask(slot, &mut asks));
    stream.write_all(&asks)?;
    let mut sent = vec![Instant::now(); depth];
    let begin = sent[0] + START;
    let end = begin + Duration::from_secs_f64(seconds);
    loop {
        match stream.read(&mut bytes[have..])? {
            0 => return Err("the server has hung up".into()),
            got => have += got,
        }
        let now = Instant::now();
        if now >= end {
            break;
        }
        asks.clear();
        let whole = have / REPLY;
        for reply in bytes.chunks_exact(REPLY).take(whole) {
            let slot = u64::from_be_bytes(reply[8..16].try_into()?);
            let since = sent.get_mut(slot as usize).ok_or("an answer to no request")?;
            if now >= begin {
                seen.record(now.duration_since(*since).as_nanos() as u64)?;
            }
            *since = now;
            ask(slot, &mut asks);
        }
        bytes.copy_within(whole * REPLY..have, 0);
        have -= whole * REPLY;
        stream.write_all(&asks)?;
    }
    let at = |quantile: f64| seen.value_at_quantile(quantile) as f64 / 1e3;
    Ok(format!(
        r#"{{"ios": {}, "iops": {:.1}, "p50_us": {:.1}, "p99_us": {:.1}}}"#,
        seen.len(),
        seen.len() as f64 / seconds,
        at(0.5),
        at(0.99)
    ))
}
