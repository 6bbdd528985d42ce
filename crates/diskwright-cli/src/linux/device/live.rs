//! What a person sees while it runs: which part, the rate now, the time that is left, of this part and of everything.

use std::io::IsTerminal as _;
use std::time::Duration;

use dw_error::obeyed;
use dw_measure::eta::Eta;
use indicatif::{ProgressBar, ProgressStyle};

use crate::report::format;
use crate::to_stderr;

/// On a terminal a line that changes; elsewhere a line for each part.
pub struct Live {
    bar: Option<ProgressBar>,
    quiet: bool,
    /// Parts so far, of how many.
    part: (usize, usize),
    /// Seconds of the parts after this one, as they are planned.
    later_s: f64,
}

impl Live {
    /// For so many parts, which take so long together.
    pub fn new(parts: usize, seconds: f64, quiet: bool) -> Live {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        if !quiet && parts > 0 {
            to_stderr(&format!("{parts} parts, about {}\n", format::seconds(seconds)));
        }
        Live { bar, quiet, part: (0, parts), later_s: seconds }
    }

    /// A part begins that is planned to take so long.
    pub fn begin(&mut self, what: &str, seconds: f64) {
        self.part.0 += 1;
        self.later_s = (self.later_s - seconds).max(0.0);
        self.show(what, "");
        if self.bar.is_none() && !self.quiet {
            to_stderr(&format!("[{}/{}] {what}, about {}\n", self.part.0, self.part.1, format::seconds(seconds)));
        }
    }

    /// What fio says of itself.
    pub fn tick(&self, what: &str, eta: &Eta) {
        let rate = |name: &str, iops: f64| {
            if iops > 0.0 { format!("{name} {} IOPS  ", format::iops(iops)) } else { String::new() }
        };
        let left = eta.left_s.unwrap_or(0) as f64;
        let rest = format!(
            "{}{}{} left, {} in all",
            rate("read", eta.read_iops),
            rate("write", eta.write_iops),
            format::seconds(left),
            format::seconds(left + self.later_s)
        );
        self.show(what, &rest);
    }

    fn show(&self, what: &str, rest: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(format!("[{}/{}] {}  {rest}", self.part.0, self.part.1, obeyed::line(what)));
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
