//! Jobs in lanes: one at a time in each, all lanes at once, longest first.
//!
//! What waits for real time needs no processor, and what compares with it needs one at once or not at all: so lanes differ in
//! priority (`command.rs`), and a compiler beside them takes what they leave.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::shares::Lane;

/// Something to do.
pub struct Job<'a> {
    pub lane: Lane,
    /// How long it took last time, in seconds; what nobody knows comes first.
    pub expected_s: Option<f64>,
    pub work: Box<dyn FnOnce() + Send + 'a>,
}

/// Jobs that wait, for lanes that take them.
#[derive(Default)]
pub struct Lanes<'a> {
    state: Mutex<State<'a>>,
    changed: Condvar,
}

#[derive(Default)]
struct State<'a> {
    waiting: Vec<Job<'a>>,
    closed: bool,
}

impl<'a> Lanes<'a> {
    pub fn add(&self, job: Job<'a>) {
        self.state().waiting.push(job);
        self.changed.notify_all();
    }

    /// There will be no more.
    pub fn close(&self) {
        self.state().closed = true;
        self.changed.notify_all();
    }

    /// Does the jobs of a lane until it is closed and empty.
    pub fn work(&self, lane: Lane) {
        while let Some(job) = self.take(lane) {
            (job.work)();
        }
    }

    fn take(&self, lane: Lane) -> Option<Job<'a>> {
        let mut state = self.state();
        loop {
            let key = |job: &Job| job.expected_s.unwrap_or(f64::INFINITY);
            let longest = (0..state.waiting.len())
                .filter(|&at| state.waiting[at].lane == lane)
                .max_by(|&a, &b| key(&state.waiting[a]).total_cmp(&key(&state.waiting[b])));
            if let Some(at) = longest {
                return Some(state.waiting.swap_remove(at));
            }
            if state.closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn state(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_lane_does_its_own_longest_first() {
        let done = Mutex::new(Vec::new());
        let lanes = Lanes::default();
        let add = |name: &'static str, lane, expected_s| {
            let done = &done;
            lanes.add(Job { lane, expected_s, work: Box::new(move || done.lock().unwrap().push(name)) });
        };
        add("short", Lane::Computes, Some(1.0));
        add("long", Lane::Computes, Some(9.0));
        add("new", Lane::Computes, None);
        add("other", Lane::Waits, Some(5.0));
        lanes.close();
        lanes.work(Lane::Computes);
        assert_eq!(*done.lock().unwrap(), ["new", "long", "short"]);
        lanes.work(Lane::Waits);
        assert_eq!(done.lock().unwrap().last(), Some(&"other"));
    }

    #[test]
    fn a_lane_waits_for_what_is_still_to_come() {
        let lanes = Lanes::default();
        let (sent, came) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            scope.spawn(|| lanes.work(Lane::Waits));
            let work = Box::new(move || sent.send(()).unwrap());
            lanes.add(Job { lane: Lane::Waits, expected_s: None, work });
            came.recv().unwrap();
            lanes.close();
        });
    }
}
