//! `diskwright bench`: the published procedure on real disks, on emulated ones or in virtual time, with what was required and
//! what was predicted next to what was measured.
//!
//! Lives here: arguments, the forms of the result.
//! Never here: targets, real fio as the library's runner (`linux/device.rs`), which scenarios a suite has, in which order they
//! run, what they are held against (`diskwright::bench`), how disks behave.
//! Read next: `asked.rs` (from arguments to options), `linux/device/run.rs` (the runner).

use std::io::Write;
use std::sync::Arc;

use dw_error::{Error, Result};
use dw_sim::Progress;

use crate::exit::Exit;
use crate::in_use::session;
use crate::language::told;
use crate::report::Text;
use crate::{input, linux, output, progress, to_stderr};

mod args;
mod asked;
pub use diskwright::bench::document;
pub mod text;

pub use args::{BenchArgs, BenchFormat};
use document::{BenchDocument, Mode};

/// Runs and reports.
pub fn run(args: &BenchArgs, out: &mut dyn Write) -> Result<Exit> {
    let ids = || args.require.iter().map(|text| text.split_once('=').map_or(text.as_str(), |(id, _)| id));
    if let Some(twice) = ids().enumerate().find_map(|(n, id)| ids().take(n).any(|other| other == id).then_some(id)) {
        return Err(Error::usage(format!("`--require {twice}=...` is given twice")).hint("give it once per scenario"));
    }
    let text = input::read_file(&args.rig)?;
    let progress = Arc::new(Progress::default());
    progress::stop_on_interrupt(&progress);
    let options = asked::options(args)?;
    let session = session();
    let mut bench = session.bench(&input::name(&args.rig), &text, &options)?;
    for text in &args.require {
        asked::require(&mut bench, text)?;
    }
    if options.mode != Mode::Simulated {
        return linux::device::measure(args, bench, &progress, out);
    }
    bench.predict(session).map_err(nothing_finished)?;
    report(args, bench.document(), out)
}

/// Ctrl-C before there is anything to keep.
fn nothing_finished(error: Error) -> Error {
    match error.kind {
        dw_error::Kind::Interrupted => error.what("nothing is finished"),
        _ => error,
    }
}

/// Prints it as it is asked for.
pub(crate) fn report(args: &BenchArgs, document: &BenchDocument, out: &mut dyn Write) -> Result<Exit> {
    let text = match args.format {
        BenchFormat::Table => text::table(&told(document)),
        BenchFormat::Json => Text::verbatim(serde_json::to_string_pretty(document).unwrap_or_default() + "\n"),
        BenchFormat::Markdown => Text::verbatim(text::markdown(&told(document))),
        BenchFormat::Csv => Text::verbatim(text::csv(document)),
    };
    if !args.quiet && args.format != BenchFormat::Table {
        document.warnings.iter().for_each(|w| to_stderr(&format!("warning: {}\n", w.text)));
    }
    output::show(&text, args.output.as_deref(), out)?;
    // What was asked for on the command line is answered by the exit code.
    let is_asked = !args.require.is_empty() || args.requirements.is_some();
    let missed: Vec<&str> =
        document.rows.iter().filter(|row| row.met == Some(false)).map(|row| row.scenario.as_str()).collect();
    if is_asked && !missed.is_empty() {
        let mut scenarios = missed;
        scenarios.dedup();
        let what = format!("required rate not reached: {}", scenarios.join(", "));
        return Err(Error::new(dw_error::Kind::NotVerified, what).hint("see the column `required`"));
    }
    Ok(Exit::Ok)
}
