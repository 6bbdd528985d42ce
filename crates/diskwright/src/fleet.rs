//! Tables of counters in, what every volume is asked out: for estates whose recordings are columns, not files.
//!
//! A [`Part`] takes the rows of one machine as columns of integers, in any order and any number of parts; [`Session::observe_part`] makes of
//! them what [`Session::observe`] makes of a file with the same readings, to the last byte of the checklist. So it does not matter how an
//! estate is cut, or which machine works on which part.
//!
//! ```
//! use diskwright::fleet::{Column, DiskColumns, Machine, Part};
//! use diskwright::dw_observe::Settings;
//! use diskwright::{Catalogue, Session};
//! let (ts, minute) = ([60_000_000, 120_000_000], [60_000_000_000; 2]);
//! let mut part = Part::new();
//! part.add_disk(&DiskColumns {
//!     device: "sdc",
//!     ts_us: &ts,
//!     span_ns: Column::known(&minute),
//!     reads: Column::known(&[6_000, 12_000]),
//!     writes: Column::known(&[0, 0]),
//!     read_bytes: Column::known(&[49_152_000, 98_304_000]),
//!     write_bytes: Column::known(&[0, 0]),
//!     ..DiskColumns::default()
//! })?;
//! let session = Session::new(Catalogue::embedded().clone());
//! let settings = Settings { volumes: vec!["data=sdc".parse()?], ..Settings::default() };
//! let observed = session.observe_part(part, &Machine::default(), &settings)?;
//! assert_eq!(observed.checklist().volumes[0].name, "data");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use dw_error::Result;
pub use dw_observe::{Column, DiskColumns, HostColumns, Machine, Part, UnevenColumns};
use dw_observe::{Recorder, RecorderOptions, Settings};

use crate::observe::{Observed, READINGS};
use crate::session::Session;

/// What documents call the two tables of a machine.
pub const NAMES: [&str; 2] = ["counters", "host"];

/// Which they are in the list of files.
const FILES: [u32; 2] = [0, 1];

impl Session {
    /// What the rows of a machine say of it. Which devices make a volume is said by `settings.volumes`; windows and growth as for files.
    ///
    /// # Errors
    /// Of kind `Input` where the rows say nothing of any disk, or a device of a volume has none.
    pub fn observe_part(&self, mut part: Part, machine: &Machine, settings: &Settings) -> Result<Observed> {
        self.step("observe", || {
            let mut recorder = Recorder::bounded(RecorderOptions::default(), settings, READINGS);
            recorder.take_part(&mut part, machine, FILES);
            if let Some(mut second) = recorder.second_reading() {
                second.take_part(&mut part, machine, FILES);
                recorder = second;
            }
            self.observed(recorder, NAMES.map(String::from).to_vec(), settings)
        })
    }
}
