//! What a request costs on this machine on top of the model's time.
//!
//! A client at depth 1 waits for the model and, besides, for its request to wake the server, for the server's timer, and for
//! the reply to wake it again. That part is nearly constant on a machine, so it is measured at the start, with the calls that
//! the loop uses and nothing else between, and subtracted from every release.
//!
//! Ignores: what the client's own library costs, and the server's work on a request.

use std::io;
use std::os::fd::OwnedFd;

use dw_units::Duration;
use rustix::event::epoll;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, send, socketpair};

use super::timer::Timer;
use crate::pace::{HostTime, Overhead};

/// Pairs of threads, one after the other. Where the system puts a pair makes 10 µs of difference for as long as it lives, and a client
/// gets what comes: so it is the mean of many pairs that agrees from start to start, not the median of one.
const PAIRS: usize = 16;
/// Round trips of a pair; half a second of all of them would be felt.
const ROUNDS: usize = 24;
/// Of these, the first ones find cold caches.
const COLD: usize = 4;
/// The model's part of each: a latency of a local disk, long enough for both sides to fall asleep.
const ASKED: Duration = Duration::from_us(200);
/// More is not a constant but a machine that is busy at this moment; subtracting it would release too early.
const MOST: Duration = Duration::from_us(100);

/// The overhead; at most 100 µs.
///
/// # Errors
/// When the operating system has no socket, timer or thread left.
pub fn overhead() -> io::Result<Overhead> {
    let (mut totals, mut timers) = (Vec::with_capacity(PAIRS), Vec::with_capacity(PAIRS));
    for _ in 0..PAIRS {
        let (total, timer) = pair()?;
        totals.push(total);
        timers.push(timer);
    }
    let total = middle(totals).min(MOST);
    Ok(Overhead { total, timer: middle(timers).min(total) })
}

/// The medians of one pair: the whole way, and of that what the timer was late by.
fn pair() -> io::Result<(Duration, Duration)> {
    let (client, server) = socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    let answering = std::thread::spawn(move || answer(&server));
    let mut times = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let begin = HostTime::now();
        send(&client, &[0], SendFlags::NOSIGNAL)?;
        recv(&client, &mut [0u8; 8], RecvFlags::empty())?;
        times.push(HostTime::now().since(begin).saturating_sub(ASKED));
    }
    drop(client);
    let timers = answering.join().map_err(|_| io::Error::other("the calibration ended early"))??;
    Ok((median(times), median(timers)))
}

fn median(times: Vec<Duration>) -> Duration {
    let mut times: Vec<Duration> = times.into_iter().skip(COLD).collect();
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or(Duration::ZERO)
}

/// The mean of the middle half: a stall of the machine spoils a pair or two.
fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort();
    let half = &times[times.len() / 4..times.len() - times.len() / 4];
    Duration::from_ns(half.iter().map(|time| time.ns()).sum::<u64>() / half.len().max(1) as u64)
}

/// Answers each byte when the timer says so, as the loop does; gives how late the timer was each time.
fn answer(socket: &OwnedFd) -> io::Result<Vec<Duration>> {
    let epoll_fd = epoll::create(epoll::CreateFlags::CLOEXEC)?;
    let mut timer = Timer::new()?;
    epoll::add(&epoll_fd, socket, epoll::EventData::new_u64(0), epoll::EventFlags::IN)?;
    let fired = epoll::EventFlags::IN | epoll::EventFlags::ET;
    epoll::add(&epoll_fd, &timer, epoll::EventData::new_u64(1), fired)?;
    let mut events: Vec<epoll::Event> = Vec::with_capacity(4);
    let (mut late, mut deadline) = (Vec::with_capacity(ROUNDS), HostTime::now());
    loop {
        events.clear();
        epoll::wait(&epoll_fd, rustix::buffer::spare_capacity(&mut events), None)?;
        for event in &events {
            if event.data.u64() == 1 {
                timer.fired();
                late.push(HostTime::now().since(deadline));
                send(socket, &[0], SendFlags::NOSIGNAL)?;
                continue;
            }
            let now = HostTime::now();
            if recv(socket, &mut [0u8; 8], RecvFlags::empty())?.0 == 0 {
                return Ok(late);
            }
            deadline = now + ASKED;
            timer.at(deadline)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_cold_rounds_nor_spoilt_pairs_count() {
        let us = |times: &[u64]| times.iter().map(|&time| Duration::from_us(time)).collect::<Vec<_>>();
        assert_eq!(median(us(&[900, 900, 900, 900, 20, 5_000, 22])), Duration::from_us(22));
        assert_eq!(median(us(&[1, 2])), Duration::ZERO, "nothing but cold ones");
        // Half of the pairs are placed well, half badly, and one was stalled.
        assert_eq!(middle(us(&[10, 10, 10, 10, 20, 20, 20, 9_000])), Duration::from_us(15));
        assert_eq!(middle(us(&[7])), Duration::from_us(7));
    }
}
