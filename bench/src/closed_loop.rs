//! A stack kept busy by nothing but itself: each completion is followed by the next request.

use dw_stack::{Op, Request, Stack, StackSpec, VolumeId};
use dw_units::Instant;
use dw_workload::rng::Stream;

/// Random requests drawn before they are due, as the simulator does.
const AHEAD: usize = 20;

/// A closed loop of one kind of random request on volume 0.
pub struct ClosedLoop {
    stack: Stack,
    rng: Stream,
    op: Op,
    blocks: u64,
    io_size: u32,
    ahead: [u64; 32],
    issued: usize,
    /// Virtual time of the latest completion.
    pub now: Instant,
}

impl ClosedLoop {
    /// `outstanding` requests of `io_size` bytes over the first `blocks` of them.
    pub fn new(spec: StackSpec, op: Op, io_size: u32, blocks: u64, outstanding: u32) -> ClosedLoop {
        let stack = Stack::new(spec).expect("the stack is sound");
        let mut rng = Stream::new(1, 0);
        let ahead = std::array::from_fn(|_| rng.below(blocks) * u64::from(io_size));
        let mut this = ClosedLoop { stack, rng, op, blocks, io_size, ahead, issued: 0, now: Instant::START };
        this.stack.warm(VolumeId(0), 0, blocks * u64::from(io_size));
        for user in 0..outstanding {
            this.issue(u64::from(user));
        }
        this
    }

    #[inline(always)]
    fn issue(&mut self, user: u64) {
        let offset = self.ahead[self.issued & 31];
        let drawn = self.rng.below(self.blocks) * u64::from(self.io_size);
        self.stack.hint(VolumeId(0), drawn);
        self.ahead[(self.issued + AHEAD) & 31] = drawn;
        self.issued += 1;
        let request = Request { volume: VolumeId(0), op: self.op, fua: false, offset, len: self.io_size, user };
        self.stack.submit(self.now, request);
    }

    /// Completes `ios` requests, each followed by another.
    pub fn run(&mut self, ios: u64) {
        for _ in 0..ios {
            let Some(done) = self.stack.poll_completion(Instant::NEVER) else { return };
            self.now = done.finished;
            self.issue(done.user);
        }
    }

    pub fn stack(&self) -> &Stack {
        &self.stack
    }
}
