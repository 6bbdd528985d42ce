//! Independent pieces of work on as many threads as allowed; the results do not depend on their number.

use std::sync::OnceLock;

use dw_sim::{Progress, each};

/// What comes of pieces of work, in their order.
pub(super) struct Results<T>(Vec<OnceLock<T>>);

impl<T> Results<T> {
    /// Places for the results of `count` pieces.
    pub(super) fn with_count(count: usize) -> Results<T> {
        Results((0..count).map(|_| OnceLock::new()).collect())
    }
    /// All of them, once the queue is done.
    pub(super) fn into_all(self) -> impl Iterator<Item = T> {
        self.0.into_iter().filter_map(OnceLock::into_inner)
    }
}

/// The pieces, those that take longest first.
#[derive(Default)]
pub(super) struct Queue<'a>(Vec<Box<dyn Fn() + Send + Sync + 'a>>);

impl<'a> Queue<'a> {
    /// A piece for each result: `work` makes it, by its number.
    pub(super) fn push<T: Send + Sync>(
        &mut self,
        results: &'a Results<T>,
        work: impl Fn(usize) -> T + Send + Sync + Clone + 'a,
    ) {
        for (number, result) in results.0.iter().enumerate() {
            let work = work.clone();
            self.0.push(Box::new(move || {
                result.get_or_init(|| work(number));
            }));
        }
    }

    /// Does all of it.
    pub(super) fn run(self, threads: usize) {
        each(self.0.len(), threads, &Progress::default(), |number, _| self.0[number]());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stand_in_the_order_of_their_pieces() {
        for threads in [1, 2, 5] {
            let (squares, names) = (Results::with_count(40), Results::with_count(3));
            let mut queue = Queue::default();
            queue.push(&squares, |number| number * number);
            queue.push(&names, |number| format!("piece {number}"));
            queue.run(threads);
            assert!(squares.into_all().eq((0..40).map(|number| number * number)), "{threads}");
            assert!(names.into_all().eq(["piece 0", "piece 1", "piece 2"]), "{threads}");
        }
    }
}
