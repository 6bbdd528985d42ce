//! What a target tool cannot say, each with the place where it was written.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use dw_workload::Job;

use crate::fio::{FioJobs, SectionOrigin};

/// Something of the source that is not in what was written, or not exactly.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Loss {
    /// The file as it was named, or the command line.
    pub file: String,
    /// The line; for a command line, the number of the word.
    pub line: usize,
    /// The option as written.
    pub text: String,
    /// What becomes of it.
    pub what: String,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: `{}` {}", self.file, self.line, self.text, self.what)
    }
}

/// The list, each entry once.
pub(super) struct Losses<'a> {
    origins: BTreeMap<u32, &'a SectionOrigin>,
    known: BTreeSet<Loss>,
    pub list: Vec<Loss>,
}

impl<'a> Losses<'a> {
    pub fn new(jobs: &'a FioJobs) -> Losses<'a> {
        let origins = jobs.origins.iter().rev().map(|origin| (origin.section, origin)).collect();
        Losses { origins, known: BTreeSet::new(), list: Vec::new() }
    }

    /// Whether this job's section has one of these options.
    pub fn wrote(&self, job: &Job, options: &[&str]) -> bool {
        let section = self.origins.get(&job.section);
        section.is_some_and(|s| options.iter().any(|option| s.options.contains_key(option)))
    }

    /// The first of these options that this job's section has, or the section itself, comes to something else.
    pub fn add(&mut self, job: &Job, options: &[&str], what: impl Into<String>) {
        let section = self.origins.get(&job.section);
        let found = section.and_then(|s| options.iter().find_map(|option| s.options.get(*option)));
        let loss = match found.or(section.map(|s| &s.itself)) {
            Some(written) => {
                Loss { file: written.file.clone(), line: written.line, text: written.text.clone(), what: what.into() }
            }
            None => Loss { file: job.name.clone(), line: 1, text: job.name.clone(), what: what.into() },
        };
        if self.known.insert(loss.clone()) {
            self.list.push(loss);
        }
    }
}
