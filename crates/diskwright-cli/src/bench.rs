//! `diskwright bench`: the published procedure on real disks, on emulated ones or in virtual time, with what was required and
//! what was predicted next to what was measured.
//!
//! Lives here: arguments, targets, the procedure on them, the forms of the result.
//! Never here: which scenarios a suite has, what they are held against (`diskwright::bench`), running fio, looking at devices
//! (`dw-measure`), how disks behave.
//! Read next: `plans.rs` (from arguments to scenarios), `device/run.rs` (how they are run).

use std::io::Write;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use dw_error::{Error, Result};
use dw_formats::scenario::Scenario as Rig;
use dw_sim::Progress;

use crate::exit::Exit;
use crate::in_use::session;
use crate::report::Text;
use crate::{input, output, progress, to_stderr};

mod args;
#[cfg_attr(not(feature = "device"), path = "absent/device.rs")]
mod device;
pub use diskwright::bench::document;
mod places;
mod plans;
pub mod text;

pub use args::{BenchArgs, BenchFormat};
use diskwright::bench::job::{self, Length};
use diskwright::bench::procedure as of_model;
use diskwright::bench::suite::{self, Plan};
use document::{BenchDocument, Mode};
use places::Places;

/// Runs and reports.
pub fn run(args: &BenchArgs, out: &mut dyn Write) -> Result<Exit> {
    let text = input::read_file(&args.rig)?;
    let rig = input::scenario(&args.rig, args.latency)?;
    let progress = Arc::new(Progress::default());
    progress::stop_on_interrupt(&progress);
    let settings = plans::Settings::of(args)?;
    let made = plans::all(args, &rig, &settings)?;
    let lengths: Vec<Length> = made.plans.iter().map(|p| settings.length(p)).collect();
    let order = Order { args, rig: &rig, settings: &settings, plans: &made.plans, lengths: &lengths };
    let mut document = plans::document(args, &rig, &text, &settings, &made);
    if settings.mode != Mode::Simulated {
        return device::measure(&order, &progress, &mut document, out);
    }
    place_jobs(&mut document, &order, &Places::model());
    of_model::predict_all(session(), order.rig, order.plans, &mut document, (order.lengths, settings.warm_up))
        .map_err(nothing_finished)?;
    document.partial = false;
    report(order.args, &document, out)
}

/// What is to be run, wherever it runs.
#[derive(Clone, Copy)]
struct Order<'a> {
    args: &'a BenchArgs,
    rig: &'a Rig,
    settings: &'a plans::Settings,
    plans: &'a [Plan],
    /// One a plan.
    lengths: &'a [Length],
}

/// Ctrl-C before there is anything to keep.
fn nothing_finished(error: Error) -> Error {
    match error.kind {
        dw_error::Kind::Interrupted => error.what("nothing is finished"),
        _ => error,
    }
}

/// The jobs as fio runs them, or as the simulator does.
fn place_jobs(document: &mut BenchDocument, order: &Order, places: &Places) {
    let Order { rig, plans, lengths, settings, .. } = *order;
    let place = |volume: usize| places.of(rig, volume);
    document.preparation = of_model::preparation(rig, plans, &place, settings.warm_up);
    for ((scenario, plan), length) in document.scenarios.iter_mut().zip(plans).zip(lengths) {
        scenario.job = job::text(&plan.streams, &place, *length);
    }
}

fn report(args: &BenchArgs, document: &BenchDocument, out: &mut dyn Write) -> Result<Exit> {
    let text = match args.format {
        BenchFormat::Table => text::table(document),
        BenchFormat::Json => Text::verbatim(serde_json::to_string_pretty(document).unwrap_or_default() + "\n"),
        BenchFormat::Markdown => Text::verbatim(text::markdown(document)),
        BenchFormat::Csv => Text::verbatim(text::csv(document)),
    };
    if !args.quiet && args.format != BenchFormat::Table {
        document.warnings.iter().for_each(|w| to_stderr(&format!("warning: {}\n", w.text)));
    }
    output::show(&text, args.output.as_deref(), out)?;
    Ok(Exit::Ok)
}

/// Seconds since 1970, or those of SOURCE_DATE_EPOCH.
fn now() -> u64 {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    fixed.unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs()))
}
