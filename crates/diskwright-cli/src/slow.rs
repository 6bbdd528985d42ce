//! A word about what takes longer than a second, and another one now and then: nobody is to wonder whether anything happens.

use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use crate::progress::goes_on;

/// Shorter work is not spoken of.
const PATIENCE: Duration = Duration::from_secs(1);
/// Between two words about the same work.
const AGAIN: Duration = Duration::from_secs(5);

/// Does something, and says so, as `what`, while it goes on.
pub fn told<T>(what: &str, work: impl FnOnce() -> T) -> T {
    told_to(|line| crate::to_stderr(&format!("{line}\n")), what, work)
}

fn told_to<T>(mut say: impl FnMut(&str) + Send, what: &str, work: impl FnOnce() -> T) -> T {
    let (done, finished) = channel::<()>();
    std::thread::scope(|scope| {
        let begin = Instant::now();
        scope.spawn(move || {
            let mut wait = PATIENCE;
            while goes_on(&finished, wait) {
                match wait {
                    PATIENCE => say(&format!("{what} ...")),
                    _ => say(&format!("{what} ... {} s", begin.elapsed().as_secs())),
                }
                wait = AGAIN;
            }
        });
        let result = work();
        drop(done);
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_takes_long_is_spoken_of() {
        for (long, expected) in [(false, 0), (true, 1)] {
            let mut said = Vec::new();
            let (sender, spoken) = channel();
            let work = || {
                if long {
                    spoken.recv().unwrap()
                }
            };
            let say = |line: &str| {
                said.push(line.to_string());
                sender.send(()).unwrap();
            };
            told_to(say, "looking", work);
            assert_eq!(said, vec!["looking ..."; expected]);
        }
    }
}
