//! The studio: diskwright as a page that the program itself serves, to one person, on this machine alone.
//!
//! ```text
//! browser ──▶ connection (serve.rs: how many, how slow) ──▶ guard (guard.rs: who asks) ──▶ asset, or call (api/) ──▶ library
//! ```
//!
//! The page gets the documents that the commands print, and sends them back: there is no second model. What the server keeps are the
//! recordings that it read, as requirements, and the last minutes of an emulation; everything else is in the page and in its address.
//!
//! Lives here: the server with its guards and limits, the calls of the page, the page.
//! Never here: how disks behave, what a figure means, a path that a page names, a file that is written.
//! Read next: `guard.rs`, `serve.rs`, `api/mod.rs`, then `page/app.js`.

#![forbid(unsafe_code)]

mod api;
mod assets;
mod guard;
mod keys;
mod live;
mod serve;
mod store;
mod upload;

use std::io::BufRead;
use std::sync::Arc;
use std::time::Duration;

use dw_messages::Language;

use diskwright::dw_demand::wishes::Wishes;
use diskwright::dw_observe::volumes::VolumeChoice;
use diskwright::{Result, Session};

pub use assets::{ASSETS, Asset};
pub use live::{Connect, Emulation, Say};
pub use serve::Studio;

/// What may be asked of the server at once, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections that are open at once; of those beyond it, the one that has been silent longest is closed.
    pub connections: usize,
    /// Bytes of all headers of a request.
    pub header_bytes: usize,
    /// Bytes of a request that is a question, not a recording.
    pub question_bytes: usize,
    /// Bytes of a recording.
    pub upload_bytes: u64,
    /// A request's headers must be there after so long, and each part of its body so long after the one before.
    pub patience: Duration,
    /// Simulations that run at once, and as many plans and recordings; what takes milliseconds never waits behind them.
    pub runs: usize,
    /// A simulation is stopped after so long.
    pub run_time: Duration,
    /// Recordings that are kept.
    pub recordings: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 128,
            header_bytes: 16 << 10,
            question_bytes: 32 << 20,
            upload_bytes: 4 << 30,
            patience: Duration::from_secs(20),
            runs: 2,
            run_time: Duration::from_secs(300),
            recordings: 8,
        }
    }
}

/// A recording that is there when the page opens.
#[derive(Clone)]
pub struct Source {
    /// What the page calls it.
    pub title: String,
    /// It comes with the program.
    pub is_example: bool,
    /// Its files, as messages call them.
    pub files: Vec<String>,
    /// Opens one of them by its place.
    pub open: Open,
    /// Volumes, where its owner said them.
    pub volumes: Vec<VolumeChoice>,
    /// What is wanted of a plan, where its owner said that.
    pub wishes: Option<Wishes>,
}

/// Opens a file of a source by its place.
pub type Open = Arc<dyn Fn(usize) -> std::io::Result<Box<dyn BufRead + Send>> + Send + Sync>;

/// What a studio is made of.
pub struct Options {
    /// The port; 0 = one that is free.
    pub port: u16,
    /// Names, with or without a port, by which it may be asked for beside those of the loopback.
    pub allow_hosts: Vec<String>,
    /// What may be asked of it.
    pub limits: Limits,
    /// The version of the program: a page of another one says so.
    pub version: String,
    /// The language that the page opens in; none = that of the browser.
    pub language: Option<&'static Language>,
    /// The command that started it, such as `diskwright studio`: the page says what to add to it.
    pub command: String,
    /// What is there when the page opens.
    pub sources: Vec<Source>,
    /// An emulation that runs, to be shown live.
    pub emulation: Option<Emulation>,
}

/// A studio that listens on the loopback; nothing is answered before [`Studio::run`].
///
/// # Errors
/// Where the port is taken, or the system has no random numbers.
pub fn listen(session: &Session, options: Options) -> Result<Studio> {
    serve::listen(session, options)
}
