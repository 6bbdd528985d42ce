//! A load out: the one workload model as fio's job file, DiskSpd's command lines or profile, or Iometer's configuration.
//!
//! Read next: `streams.rs` (what is written once for several clones), `loss.rs` (what a target cannot say), then one file a
//! target. What is written here is read back by the readers of this crate to the same workload, except for what is in the list
//! of losses; the tests hold that.
//!
//! A rate, a pause or a coverage means something else to each tool; what is only nearly the same is a loss, too. Options that
//! change nothing in the load (logs, reports) are left out and listed apart.

mod diskspd;
mod diskspd_xml;
mod fio;
mod iometer;
mod loss;
mod places;
mod steps;
mod streams;

use std::borrow::Cow;

use dw_workload::{FileOrder, Job, Workload};

use crate::fio::{FioJobs, VolumeMap};

pub use loss::Loss;
pub use places::anywhere;

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// A job file of fio.
    Fio,
    /// DiskSpd's command lines, one a line.
    DiskSpd,
    /// DiskSpd's XML profile.
    DiskSpdXml,
    /// Iometer's configuration (.icf).
    Iometer,
}

/// A load in another tool's words.
#[derive(Clone, Debug, PartialEq)]
pub struct Conversion {
    /// The file.
    pub text: String,
    /// What it does not say, or not exactly.
    pub losses: Vec<Loss>,
    /// Options that change nothing in the load, and are not in the file.
    pub left_out: Vec<Loss>,
}

/// Writes `jobs`, whose files are on `volumes`, in the words of another tool.
pub fn convert(jobs: &FioJobs, volumes: &[VolumeMap], to: To) -> Conversion {
    let mut losses = loss::Losses::new(jobs);
    let workload = evenly(&jobs.workload, &mut losses);
    let streams = streams::streams(&workload, to == To::Fio);
    if to != To::Fio {
        only_fio(&workload, &mut losses);
    }
    let text = match to {
        To::Fio => fio::write(jobs, &streams, volumes, &mut losses),
        To::DiskSpd => diskspd::write(&streams, volumes, &mut losses),
        To::DiskSpdXml => diskspd_xml::write(&streams, volumes, &mut losses),
        To::Iometer => iometer::write(&streams, volumes, &mut losses),
    };
    let left_out = jobs.ignored.iter().map(|ignored| Loss {
        file: ignored.file.clone(),
        line: ignored.line,
        text: ignored.option.to_string(),
        what: ignored.reason.to_string(),
    });
    Conversion { text, losses: losses.list, left_out: left_out.collect() }
}

/// What no other tool does.
fn only_fio(workload: &Workload, losses: &mut loss::Losses) {
    for job in &workload.jobs {
        if job.verify.is_some() {
            losses.add(
                job,
                &["verify", "verify_pattern"],
                "verifies its writes, which only fio does; only the writes are converted",
            );
        }
        if job.flow.is_some() {
            losses.add(job, &["flow"], "keeps a share of the I/Os of several jobs, which only fio does");
        }
        if job.steady.is_some() {
            losses.add(
                job,
                &["steadystate", "steadystate_duration"],
                "ends when its rate is steady, which only fio does",
            );
        }
    }
}

/// The workload with each file of a job once: one that is there several times is drawn more often, which no target can say.
fn evenly<'w>(workload: &'w Workload, losses: &mut loss::Losses) -> Cow<'w, Workload> {
    let repeated = |job: &Job| job.files.iter().enumerate().any(|(at, file)| job.files[..at].contains(file));
    let weighted = |job: &Job| job.file_order == FileOrder::Random(1) && repeated(job);
    if !workload.jobs.iter().any(weighted) {
        return Cow::Borrowed(workload);
    }
    let mut workload = workload.clone();
    for job in workload.jobs.iter_mut().filter(|job| weighted(job)) {
        losses.add(job, &["Weight", "ThreadTargets"], "has weights; the converted workload uses all targets equally");
        let mut once = Vec::new();
        for file in std::mem::take(&mut job.files) {
            if !once.contains(&file) {
                once.push(file);
            }
        }
        job.files = once;
    }
    Cow::Owned(workload)
}
