//! Which tests run beside what.
//!
//! A share is the tests of a module: a test is in the first share of [`SHARES`] that its name begins with, and what is in none
//! computes. So every test is in exactly one.

use super::command::Priority;
use super::programs::Program;

/// What runs one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lane {
    /// Compares real time with the model's. What fails is tried again when nothing else runs.
    Measures,
    /// Waits for real time: for disks that are slow on purpose, for fio, mounts, guests, databases, browsers.
    Waits,
    Computes,
}

impl Lane {
    pub fn priority(self) -> Priority {
        match self {
            Lane::Measures => Priority::Measuring,
            Lane::Waits => Priority::Waiting,
            Lane::Computes => Priority::Computing,
        }
    }
}

/// Tests that cost much and depend on little; `changed.rs` says on what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    Databases,
    Guests,
    /// Spark and Ray.
    Engines,
}

/// The tests of a module.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    package: &'static str,
    pub module: &'static str,
    pub lane: Lane,
    pub group: Option<Group>,
    /// How many of its tests run at once; 0 stands for as many as there are processors.
    threads: usize,
}

const fn share(package: &'static str, module: &'static str, lane: Lane, threads: usize) -> Share {
    Share { package, module, lane, group: None, threads }
}

const fn of(group: Group, share: Share) -> Share {
    Share { group: Some(group), ..share }
}

const CLI: &str = "diskwright-cli";

/// In this order; tests that mostly wait run several at once.
const SHARES: &[Share] = &[
    share(CLI, "emulate::bench::the_procedure_runs_", Lane::Measures, 0),
    share(CLI, "emulate::bench::a_latency_model_", Lane::Measures, 0),
    share(CLI, "emulate::mount::a_stopped_server_", Lane::Measures, 0),
    share(CLI, "emulate::accuracy::", Lane::Measures, 0),
    share(CLI, "emulate::speed::", Lane::Measures, 0),
    share(CLI, "emulate::studio::", Lane::Measures, 0),
    share(CLI, "emulate::trust::", Lane::Measures, 0),
    share(CLI, "emulate::twin::", Lane::Measures, 0),
    share("dw-sim", "fio_nbd::", Lane::Measures, 0),
    share("dw-sim", "fio_null::", Lane::Measures, 0),
    of(Group::Databases, share(CLI, "emulate::databases::rehearsed::", Lane::Measures, 0)),
    of(Group::Databases, share(CLI, "emulate::databases::", Lane::Waits, 0)),
    of(Group::Guests, share(CLI, "emulate::guest::", Lane::Measures, 1)),
    share(CLI, "emulate::", Lane::Waits, 8),
    share(CLI, "e2e::", Lane::Computes, 0),
    share(CLI, "guide::", Lane::Computes, 0),
    share(CLI, "published::", Lane::Computes, 0),
    share("dw-report", "chromium::", Lane::Waits, 0),
    share("dw-studio", "page::", Lane::Waits, 0),
    share("dw-bench", "studio::", Lane::Waits, 0),
];

/// Packages whose programs have tests that wait: they are built first, so that the waiting begins early.
pub const BUILT_FIRST: [&str; 2] = ["diskwright-cli", "dw-sim"];

/// Some tests of a program, to be run as one process.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    pub program: Program,
    /// The module that chose its tests; empty for what is left.
    pub module: &'static str,
    pub tests: Vec<String>,
    pub lane: Lane,
    pub group: Option<Group>,
    pub threads: usize,
}

impl Run {
    /// The name under which its time is kept.
    pub fn name(&self) -> String {
        format!("{} {} {}", self.program.package, self.program.which, self.module).trim_end().to_string()
    }
}

/// Its tests by share, none twice and none left out.
pub fn runs(program: &Program, tests: Vec<String>, processors: usize) -> Vec<Run> {
    let rest = share("", "", Lane::Computes, 0);
    let shares: Vec<&Share> =
        SHARES.iter().filter(|share| share.package == program.package).chain(std::iter::once(&rest)).collect();
    let mut chosen: Vec<Vec<String>> = vec![Vec::new(); shares.len()];
    for test in tests {
        let first = shares.iter().position(|share| test.starts_with(share.module)).unwrap_or(shares.len() - 1);
        chosen[first].push(test);
    }
    let runs = shares.into_iter().zip(chosen).filter(|(_, tests)| !tests.is_empty());
    runs.map(|(share, tests)| Run {
        program: program.clone(),
        module: share.module,
        tests,
        lane: share.lane,
        group: share.group,
        threads: if share.threads == 0 { processors } else { share.threads },
    })
    .collect()
}

/// Shares that choose no test: a module was renamed.
pub fn unused(runs: &[Run]) -> Vec<&'static str> {
    let is_used =
        |share: &&Share| !runs.iter().any(|run| run.program.package == share.package && run.module == share.module);
    SHARES.iter().filter(is_used).map(|share| share.module).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(package: &str) -> Program {
        Program { package: package.into(), which: "--test all".into(), executable: "x".into(), folder: "".into() }
    }

    fn runs_of(package: &str, tests: &[&str]) -> Vec<Run> {
        runs(&program(package), tests.iter().map(|test| test.to_string()).collect(), 2)
    }

    #[test]
    fn every_test_is_in_one_run_and_what_measures_is_apart() {
        let tests = [
            "emulate::twin::a",
            "emulate::databases::rehearsed::b",
            "emulate::databases::crashed::c",
            "emulate::guest::d",
            "emulate::mount::e",
            "e2e::plan::f",
            "published::g",
            "other::h",
        ];
        let runs = runs_of("diskwright-cli", &tests);
        let mut all: Vec<&str> = runs.iter().flat_map(|run| run.tests.iter().map(String::as_str)).collect();
        all.sort_unstable();
        let mut expected = tests.to_vec();
        expected.sort_unstable();
        assert_eq!(all, expected);
        let measuring: Vec<&str> = runs.iter().filter(|run| run.lane == Lane::Measures).map(|run| run.module).collect();
        assert_eq!(measuring, ["emulate::twin::", "emulate::databases::rehearsed::", "emulate::guest::"]);
        let mount = runs.iter().find(|run| run.module == "emulate::").unwrap();
        assert_eq!((mount.threads, mount.tests.len(), mount.group), (8, 1, None));
        let last = runs.last().unwrap();
        assert_eq!((last.name().as_str(), last.lane), ("diskwright-cli --test all", Lane::Computes));
    }

    #[test]
    fn a_share_is_one_packages_own() {
        let runs = runs_of("dw-stack", &["emulate::twin::a"]);
        assert_eq!((runs.len(), runs[0].lane), (1, Lane::Computes));
    }

    #[test]
    fn a_share_that_chooses_nothing_is_named() {
        let runs = runs_of("dw-sim", &["fio_nbd::a", "fio_null::b"]);
        let unused = unused(&runs);
        assert!(unused.contains(&"e2e::") && !unused.contains(&"fio_nbd::"), "{unused:?}");
    }
}
