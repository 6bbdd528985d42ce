//! `diskwright bench`: the published procedure on real disks, on emulated ones or in virtual time, with what was required and
//! what was predicted next to what was measured.
//!
//! Lives here: suites, the procedure, the result document and its forms.
//! Never here: running fio, looking at devices (`dw-measure`), how disks behave.
//! Read next: `suite.rs` (what is run), `procedure.rs` (how), `document.rs` (what comes of it).

use std::io::Write;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use dw_error::{Error, Result};
use dw_formats::scenario::Scenario as Rig;
use dw_sim::Progress;

use crate::exit::Exit;
use crate::report::Text;
use crate::{input, output, progress, to_stderr};

mod args;
#[cfg_attr(not(feature = "device"), path = "absent/device.rs")]
mod device;
pub use dw_documents::bench as document;
pub(crate) mod job;
mod places;
mod plans;
pub(crate) mod predict;
mod procedure;
pub mod rows;
pub(crate) mod suite;
pub mod text;

pub use args::{BenchArgs, BenchFormat};
use document::{BenchDocument, Mode};
use job::Length;
use places::Places;
use suite::Plan;

/// Runs and reports.
pub fn run(args: &BenchArgs, out: &mut dyn Write) -> Result<Exit> {
    let text = input::read_file(&args.rig)?;
    let rig = input::scenario(&args.rig, args.latency)?;
    let progress = Arc::new(Progress::default());
    progress::stop_on_interrupt(&progress);
    let settings = plans::Settings::of(args)?;
    let made = plans::all(args, &rig, &settings, &progress)?;
    let lengths: Vec<Length> = made.plans.iter().map(|p| settings.length(p)).collect();
    let order =
        Order { args, rig: &rig, settings: &settings, plans: &made.plans, lengths: &lengths, progress: &progress };
    let mut document = plans::document(args, &rig, &text, &settings, &made);
    if settings.mode != Mode::Simulated {
        return device::measure(&order, &mut document, out);
    }
    place_jobs(&mut document, &order, &Places::model());
    procedure::predict_all(order.rig, order.plans, &mut document, (order.lengths, settings.warm_up), order.progress)?;
    if progress::interrupted() {
        return Err(Error::new(dw_error::Kind::Interrupted, "nothing is finished"));
    }
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
    progress: &'a Arc<Progress>,
}

/// The jobs as fio runs them, or as the simulator does.
fn place_jobs(document: &mut BenchDocument, order: &Order, places: &Places) {
    let Order { rig, plans, lengths, settings, .. } = *order;
    let place = |volume: usize| places.of(rig, volume);
    document.preparation = procedure::preparation(rig, plans, &place, settings.warm_up);
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
