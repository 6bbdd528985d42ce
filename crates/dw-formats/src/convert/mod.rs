//! A load out: the one workload model as fio's job file, DiskSpd's command lines or profile, or Iometer's configuration.
//!
//! Read next: `streams.rs` (what is written once for several clones), `loss.rs` (what a target cannot say), then one file a
//! target. What is written here is read back by the readers of this crate to the same workload, but for what is in the list
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
mod streams;

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
pub struct Converted {
    /// The file.
    pub text: String,
    /// What it does not say, or not exactly.
    pub losses: Vec<Loss>,
    /// Options that change nothing in the load, and are not in the file.
    pub left_out: Vec<Loss>,
}

/// Writes `jobs`, whose files are on `volumes`, in the words of another tool.
pub fn convert(jobs: &FioJobs, volumes: &[VolumeMap], to: To) -> Converted {
    let mut losses = loss::Losses::new(jobs);
    let streams = streams::streams(&jobs.workload, to == To::Fio);
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
    Converted { text, losses: losses.list, left_out: left_out.collect() }
}
