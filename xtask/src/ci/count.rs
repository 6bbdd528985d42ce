//! What tests came to, read from what they printed.

/// What the tests came to.
#[derive(Default)]
pub struct Count {
    pub passed: u64,
    /// One for a program that ended without a summary, too.
    pub failed: u64,
    /// What was left out for lack of a tool.
    pub skipped: Vec<String>,
    /// What compared with real time, and was kept from it by a busy machine.
    pub undecided: Vec<String>,
    /// What was left out for lack of something that not every machine can have, or because nothing that it depends on changed.
    pub left_out: Vec<String>,
    /// One line per failed test: how to run it again.
    pub faults: Vec<String>,
}

impl Count {
    /// Adds what a test program printed; `ended` says how it did where that is no success.
    fn add(&mut self, text: &str, command: &str, ended: &str) {
        let summaries: Vec<(u64, u64)> = text.lines().filter_map(summary).collect();
        let failed: u64 = summaries.iter().map(|s| s.1).sum();
        self.passed += summaries.iter().map(|s| s.0).sum::<u64>();
        self.failed += failed;
        self.skipped.extend(text.lines().filter_map(|line| told(line, "SKIPPED: ")));
        self.left_out.extend(text.lines().filter_map(|line| told(line, "LEFT OUT: ")));
        self.undecided.extend(text.lines().filter_map(|line| told(line, UNDECIDED)));
        let names = failures(text);
        self.faults.extend(names.iter().map(|name| format!("{command} {name}")));
        if !ended.is_empty() && failed == 0 {
            self.failed += 1;
            self.faults.push(format!("{command}: ended with {ended}"));
        }
    }

    /// What a test program printed.
    pub fn parse(text: &str, command: &str, ended: &str) -> Count {
        let mut count = Count::default();
        count.add(text, command, ended);
        count
    }

    /// Splits a run that measures: the count of what is settled, and the tests that are tried again, which are not counted yet.
    pub fn settled(text: &str, tests: &[String], ended: &str) -> (Count, Vec<String>) {
        let count = Count::parse(text, "", ended);
        if !ended.is_empty() && failures(text).is_empty() {
            return (Count::default(), tests.to_vec());
        }
        let open: Vec<String> = unsettled(text).into_iter().filter(|name| tests.contains(name)).collect();
        // What is undecided counts as passed in the summary.
        let passed = (count.passed + count.failed).saturating_sub(open.len() as u64);
        // A name that is none of these tests cannot be tried again: it stays undecided.
        let is_open = |line: &String| open.iter().any(|name| line.starts_with(&format!("{UNDECIDED}{name}: ")));
        let undecided = count.undecided.into_iter().filter(|line| !is_open(line)).collect();
        (Count { passed, failed: 0, undecided, faults: Vec::new(), ..count }, open)
    }

    pub fn merge(&mut self, other: Count) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped.extend(other.skipped);
        self.undecided.extend(other.undecided);
        self.left_out.extend(other.left_out);
        self.faults.extend(other.faults);
    }
}

const UNDECIDED: &str = "UNDECIDED: ";

/// What a test says aloud after this word.
fn told(line: &str, word: &str) -> Option<String> {
    line.find(word).map(|at| line[at..].to_string())
}

/// `(passed, failed)` of a line such as `test result: ok. 12 passed; 0 failed; ...`.
fn summary(line: &str) -> Option<(u64, u64)> {
    let rest = line.split_once("test result: ")?.1;
    let number =
        |word: &str| rest.split(['.', ';']).find_map(|part| part.trim().strip_suffix(word)?.trim().parse().ok());
    Some((number("passed")?, number("failed")?))
}

/// How many tests the summaries name, ignored ones among them.
pub fn judged(text: &str) -> u64 {
    let summaries = text.lines().filter_map(|line| Some(line.split_once("test result: ")?.1));
    let number = |line: &str, word: &str| {
        let part = line.split(['.', ';']).find_map(|part| part.trim().strip_suffix(word)?.trim().parse::<u64>().ok());
        part.unwrap_or(0)
    };
    summaries.map(|line| ["passed", "failed", "ignored"].iter().map(|word| number(line, word)).sum::<u64>()).sum()
}

/// The names of the tests that failed: the last list after `failures:`.
fn failures(text: &str) -> Vec<&str> {
    let Some((_, list)) = text.rsplit_once("\nfailures:\n") else { return Vec::new() };
    list.lines().map_while(|line| line.strip_prefix("    ")).collect()
}

/// The tests that another try may decide otherwise: those that failed, and those that say `UNDECIDED: NAME: why`.
fn unsettled(text: &str) -> Vec<String> {
    let undecided = text.lines().filter_map(|line| told(line, UNDECIDED));
    let undecided = undecided.filter_map(|line| Some(line[UNDECIDED.len()..].split_once(": ")?.0.to_string()));
    let mut names: Vec<String> = failures(text).into_iter().map(String::from).chain(undecided).collect();
    names.sort();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_read() {
        let cases = [
            (
                "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
                Some((12, 0)),
            ),
            ("test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out", Some((3, 2))),
            ("running 12 tests", None),
        ];
        for (line, expected) in cases {
            assert_eq!(summary(line), expected, "{line}");
        }
    }

    #[test]
    fn every_test_that_was_asked_for_is_judged() {
        assert_eq!(judged("test result: FAILED. 3 passed; 2 failed; 1 ignored; 0 measured; 9 filtered out\n"), 6);
        assert_eq!(judged("running 12 tests\n"), 0);
    }

    #[test]
    fn skips_are_found_wherever_they_stand() {
        assert_eq!(told(".SKIPPED: no fio", "SKIPPED: ").as_deref(), Some("SKIPPED: no fio"));
        assert_eq!(told("nothing", "SKIPPED: "), None);
    }

    #[test]
    fn what_another_try_may_decide_is_not_counted() {
        let tests = ["a", "b", "c", "d"].map(String::from);
        let text = "UNDECIDED: c: too busy\n\nfailures:\n    b\n\ntest result: FAILED. 3 passed; 1 failed; 0 ignored\n";
        let (count, open) = Count::settled(text, &tests, "exit status: 101");
        assert_eq!((count.passed, count.failed, count.undecided.len(), count.faults.len()), (2, 0, 0, 0));
        assert_eq!(open, ["b", "c"]);
        let (count, open) = Count::settled("running 4 tests\n", &tests, "exit status: 137");
        assert_eq!((count.passed, open.as_slice()), (0, &tests[..]));
        // One that no thread of a test said.
        let (count, open) = Count::settled("UNDECIDED: a test: busy\ntest result: ok. 4 passed; 0 failed", &tests, "");
        assert_eq!((count.passed, count.undecided.len(), open.len()), (4, 1, 0));
        let (count, open) = Count::settled("test result: ok. 4 passed; 0 failed", &tests, "");
        assert_eq!((count.passed, open.len()), (4, 0));
    }

    #[test]
    fn what_failed_is_named_with_the_command_that_runs_it() {
        let text = "test a ... FAILED\n\nfailures:\n\n---- a stdout ----\npanicked\n\nfailures:\n    a\n    m::b\n\n\
                    test result: FAILED. 3 passed; 2 failed; 0 ignored\nSKIPPED: no fio\nUNDECIDED: m::c: too busy\n";
        let mut count = Count::default();
        count.add(text, "cargo test -p x --lib", "exit status: 101");
        assert_eq!((count.passed, count.failed, count.skipped.len(), count.undecided.len()), (3, 2, 1, 1));
        assert_eq!(count.faults, ["cargo test -p x --lib a", "cargo test -p x --lib m::b"]);
        assert_eq!(unsettled(text), ["a", "m::b", "m::c"]);
        // One that is killed has no summary, and is a failure all the same.
        count.add("running 3 tests\n", "cargo test -p y --lib", "exit status: 137");
        assert_eq!((count.failed, count.faults[2].as_str()), (3, "cargo test -p y --lib: ended with exit status: 137"));
    }
}
