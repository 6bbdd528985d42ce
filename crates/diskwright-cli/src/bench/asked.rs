//! From arguments to what the library takes: sizes and times, the suite or the job files, what is required.

use std::path::Path;
use std::str::FromStr;

use diskwright::bench::{Bench, BenchOptions, JobFile, Rate, Suite};
use dw_error::{Error, Result};
use dw_units::{Bytes, Duration, ParseQuantityError, Throughput};

use super::args::{BenchArgs, SuiteName};
use super::document::Mode;
use crate::input::{self, Texts};
use crate::kind;

fn quantity<T: FromStr<Err = ParseQuantityError>>(option: &str, text: Option<&str>) -> Result<Option<T>> {
    let Some(text) = text else { return Ok(None) };
    text.parse().map(Some).map_err(|e: ParseQuantityError| {
        let what = format!("`{option} {text}` {}", e.what());
        let hint = match e.readings.is_empty() {
            true => format!("write for example `{option} {}` (units: {})", pasted(e.example), e.units),
            false => e.hint(|value| format!("{option} {}", pasted(value))),
        };
        Error::usage(what).hint(hint)
    })
}

/// A quantity as one word of a command line.
fn pasted(quantity: &str) -> String {
    quantity.replace(' ', "")
}

/// What the command line asks for.
pub fn options(args: &BenchArgs) -> Result<BenchOptions> {
    let defaults = BenchOptions::default();
    let options = BenchOptions {
        mode: mode(args)?,
        file: quantity("--file-size", args.file_size.as_deref())?,
        io_size: quantity("--io-size", Some(&args.io_size))?.unwrap_or(defaults.io_size),
        measure: quantity("--runtime", args.runtime.as_deref())?,
        ramp: quantity("--ramp", args.ramp.as_deref())?,
        warm_up: quantity("--warm-up", args.warm_up.as_deref())?,
        access: args.rw,
        volume: args.volume.clone(),
        latency: args.latency,
        clients: args.client.clone(),
        suite: defaults.suite,
    };
    let small = [
        (options.file.is_some_and(|file| file < Bytes::mib(1)), "--file-size", "1GiB"),
        (options.measure.is_some_and(|measure| measure < Duration::from_ms(100)), "--runtime", "30s"),
        (options.io_size < Bytes::new(512), "--io-size", "8KiB"),
    ];
    if let Some((_, option, example)) = small.into_iter().find(|(is_small, ..)| *is_small) {
        let what = format!("`{option}` is too small");
        return Err(Error::usage(what).hint(format!("write for example `{option} {example}`")));
    }
    Ok(BenchOptions { suite: suite(args)?, ..options })
}

fn mode(args: &BenchArgs) -> Result<Mode> {
    match (args.emulate, args.simulate, args.target.is_empty()) {
        (true, ..) => Ok(Mode::Emulated),
        (_, true, _) => Ok(Mode::Simulated),
        (_, _, false) => Ok(Mode::Disks),
        _ => {
            let hint = "give `--target VOLUME=PATH` for each volume, `--emulate` or `--simulate`";
            Err(Error::usage("no target").hint(hint))
        }
    }
}

fn suite(args: &BenchArgs) -> Result<Suite> {
    if args.has_jobs() {
        return job_files(args).map(Suite::Jobs);
    }
    Ok(match args.suite {
        SuiteName::DesignGuide => Suite::DesignGuide,
        SuiteName::QueueDepth => Suite::QueueDepth,
        SuiteName::BlockSize => Suite::BlockSize,
        SuiteName::LatencyAtLoad => Suite::LatencyAtLoad,
        SuiteName::Checklist => {
            let Some(path) = &args.requirements else {
                let hint = "add `--requirements FILE`; `diskwright observe --format toml` writes one";
                return Err(Error::usage("no requirements file is given").hint(hint));
            };
            let (name, text) = (input::name(path), input::read_file(path)?);
            let requirements = dw_demand::read(&name, &text, dw_catalogue::keys_of(&text))?;
            Suite::Checklist { name, requirements: Box::new(requirements) }
        }
    })
}

/// Files, then command lines of DiskSpd.
fn job_files(args: &BenchArgs) -> Result<Vec<JobFile>> {
    let file = |path| {
        let texts = input::texts(std::slice::from_ref(path))?;
        Ok(JobFile { id: id_of(path), name: input::name(path), texts })
    };
    let line = |(line, n): (&String, u32)| {
        kind::is_command_line(line, &format!("bench --job {}", line.trim()))?;
        let texts = Texts::command_line(line);
        Ok(JobFile { id: format!("diskspd-{n}"), name: "--diskspd".into(), texts })
    };
    args.job.iter().map(file).chain(args.diskspd.iter().zip(1..).map(line)).collect()
}

fn id_of(path: &Path) -> String {
    if input::is_standard_input(path) {
        return "job".into();
    }
    path.file_stem().map_or_else(|| "job".into(), |stem| stem.to_string_lossy().into_owned())
}

/// `SCENARIO=RATE`.
pub fn require(bench: &mut Bench, text: &str) -> Result<()> {
    let bad = |what: String, hint: String| Error::usage(format!("`--require {text}`: {what}")).hint(hint);
    let example = || "write for example `--require max-read-iops=64000` or `=500MB/s`".to_string();
    let Some((id, rate)) = text.split_once('=') else { return Err(bad("there is no `=`".into(), example())) };
    let rate = match (dw_units::decimal(rate), rate.parse::<Throughput>()) {
        (Ok(iops), _) if iops > 0.0 => Rate::Iops(iops),
        (_, Ok(throughput)) => Rate::Throughput(throughput),
        (Err(e), _) | (_, Err(e)) if !e.readings.is_empty() => {
            return Err(bad(format!("`{}` {}", e.found, e.what()), e.hint(|value| format!("{id}={}", pasted(value)))));
        }
        _ => return Err(bad(format!("`{rate}` is neither IOPS nor a throughput"), example())),
    };
    bench.require(id, rate).map_err(|e| bad(e.what, e.hint))
}
