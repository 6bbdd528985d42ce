//! `diskwright observe`: recordings in, the requirements checklist out; or a recording made live.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use diskwright::observe::READINGS;
use diskwright::{Demand, ObservationOutcome, Session};
use dw_counters::{self as counters, CounterMap, DateOrder};
use dw_demand::wishes::{Role, VolumeWishes, Wishes};
use dw_demand::{Requirements, VendorKeys, VolumeRequirements};
use dw_error::{Error, Result};
use dw_messages::text;
use dw_observe::volumes::VolumeChoice;
use dw_observe::windows::Window;
use dw_observe::{Recorder, RecorderOptions, Settings};
use dw_report::Report;
use dw_units::{Bytes, Duration};

use crate::exit::Exit;
use crate::in_use::session;
use crate::language::spoken;
use crate::progress::{Counted, Steps, Watch};
use crate::report::Text;
use crate::{amounts, input, linux, output, recording, system};

mod csv;
mod markdown;
mod order;
mod shown;
mod table;

const EXAMPLES: &str = "Examples:
  diskwright observe iostat.txt
  diskwright observe iostat.txt vmstat.txt sql.csv --volume data=sdb,sdc --window load --html report.html
  diskwright observe iostat.txt --volume data=sdc --capacity data=750GiB --format toml | diskwright plan -
  diskwright observe --every 1s --for 24h --record server.arrows
  sudo diskwright observe --every 1s --for 60s --trace

Without FILE, it records this machine. Exit codes: 0 done, 1 unexpected, 2 usage, 3 wrong input, 130 interrupted.";

/// Options of `observe`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ObserveArgs {
    /// Recordings: iostat, sar, sadf, vmstat, dstat, diskstats, PerfMon, Azure Monitor, CloudWatch, Prometheus, traces, fio logs, or our own
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Interval of files that do not record it; live: between two samples (default 1s)
    #[arg(long, value_name = "INTERVAL", value_parser = amounts::duration)]
    pub every: Option<Duration>,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: ObserveFormat,
    /// Write the result to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write a self-contained HTML page with plots
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// A volume and its devices: `data=sdb,sdc`; may be repeated. Devices not named are excluded; `exclude=sdd` excludes devices and
    /// chooses among the rest
    #[arg(long, value_name = "NAME=DEVICES")]
    pub volume: Vec<VolumeChoice>,
    /// A time window: `load`, `normal=mon-fri 08:00-18:00`, `run=60s..180s`, `off=rest`; `exclude=...` excludes one
    #[arg(long, value_name = "NAME=WHEN")]
    pub window: Vec<String>,
    /// Expected growth of demand: `1.3` or `30%`
    #[arg(long, value_name = "FACTOR", value_parser = amounts::growth, default_value = "1", allow_hyphen_values = true)]
    pub growth: f64,
    /// Use this machine's samples only
    #[arg(long, value_name = "NAME")]
    pub machine: Option<String>,
    /// With --format toml: capacity a volume needs, `data=750GiB`; may be repeated. `plan` needs it for every volume
    #[arg(long, value_name = "NAME=SIZE", value_parser = capacity)]
    pub capacity: Vec<(String, Bytes)>,
    /// Percentage of random requests, if no trace shows it
    #[arg(long, value_name = "PERCENT", value_parser = amounts::percent_of_whole, allow_hyphen_values = true)]
    pub random: Option<f64>,
    /// Memory of the machine, if no file records it: `64GiB`
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory_total: Option<Bytes>,
    /// UTC offset of local times without a zone: `+02:00`
    #[arg(long, value_name = "OFFSET", value_parser = utc_offset, allow_hyphen_values = true)]
    pub utc_offset: Option<i16>,
    /// Windows counter names in another language: lines of `local name = English name`
    #[arg(long, value_name = "FILE")]
    pub counter_map: Option<PathBuf>,
    /// Order of dates such as 03/04/26, if the file is ambiguous
    #[arg(long, value_enum, value_name = "ORDER")]
    pub dates: Option<DatesFormat>,
    /// Keep the first report: the tool ran with -y, so it covers one interval
    #[arg(long)]
    pub keep_first: bool,
    /// Treat a damaged line as an error
    #[arg(long)]
    pub strict: bool,
    /// Live: recording time; default: until Ctrl-C
    #[arg(long = "for", value_name = "TIME", value_parser = amounts::duration, conflicts_with = "files")]
    pub length: Option<Duration>,
    /// Live: file to record into; an existing recording is continued
    #[arg(long, alias = "out", value_name = "FILE", conflicts_with = "files")]
    pub record: Option<PathBuf>,
    /// Live: also record every request through the kernel's trace events for TIME (default 60s); needs root
    #[arg(long, value_name = "TIME", value_parser = amounts::duration, num_args = 0..=1, default_missing_value = "60s", conflicts_with = "files")]
    pub trace: Option<Duration>,
    /// Hide progress and notes
    #[arg(short, long)]
    pub quiet: bool,
}

impl ObserveArgs {
    /// These recordings, and nothing else that is asked for.
    pub(crate) fn of_files(files: Vec<PathBuf>, volume: Vec<VolumeChoice>) -> ObserveArgs {
        ObserveArgs {
            files,
            volume,
            every: None,
            format: ObserveFormat::Json,
            output: None,
            html: None,
            window: Vec::new(),
            growth: 1.0,
            machine: None,
            capacity: Vec::new(),
            random: None,
            memory_total: None,
            utc_offset: None,
            counter_map: None,
            dates: None,
            keep_first: false,
            strict: false,
            length: None,
            record: None,
            trace: None,
            quiet: false,
        }
    }
}

/// Orders of a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DatesFormat {
    /// 11/23/26
    MonthFirst,
    /// 23/11/26
    DayFirst,
}

/// Forms of a checklist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ObserveFormat {
    /// A table
    #[default]
    Table,
    /// Everything, with a schema (`diskwright schema checklist`)
    Json,
    /// One line per row, volume and window
    Csv,
    /// Markdown tables
    Markdown,
    /// Requirements for `plan`, to be completed by hand
    Toml,
}

pub(crate) fn size(text: &str) -> Result<Bytes, String> {
    text.parse::<Bytes>().map_err(|e| e.to_string())
}

pub(crate) fn capacity(text: &str) -> Result<(String, Bytes), String> {
    let (name, written) = text.split_once('=').ok_or("write it like `data=750GiB`")?;
    let size = self::size(written)?;
    match VolumeWishes::no_capacity(written, size) {
        Some((why, instead)) => Err(format!("it {why}: did you mean `{name}={}`?", instead.replace(' ', ""))),
        None => Ok((name.to_string(), size)),
    }
}

fn utc_offset(text: &str) -> Result<i16, String> {
    let refused = || "write it like `+02:00` or `-05:30`".to_string();
    let (sign, rest) = match text.split_at_checked(1) {
        Some(("+", rest)) => (1, rest),
        Some(("-", rest)) => (-1, rest),
        _ => return Err(refused()),
    };
    let (h, m) = rest.split_once(':').ok_or_else(refused)?;
    let (h, m) = (h.parse::<i16>().map_err(|_| refused())?, m.parse::<i16>().map_err(|_| refused())?);
    if (0..=14).contains(&h) && (0..60).contains(&m) { Ok(sign * (h * 60 + m)) } else { Err(refused()) }
}

/// Observes and reports.
pub fn run(args: &ObserveArgs, out: &mut dyn Write) -> Result<Exit> {
    let settings = settings(args)?;
    let steps = Steps::default();
    let (names, recorder, exit) = if args.files.is_empty() {
        nothing_is_piped(args)?;
        let (recorder, exit) = linux::capture::record(args, &settings)?;
        // Without a file to keep, what was recorded is reported; with one, when someone asks.
        if args.record.is_some() {
            return Ok(exit);
        }
        (vec!["live".to_string()], recorder, exit)
    } else {
        let names = args.files.iter().map(|f| input::name(f)).collect();
        // A pipe has notes of its own.
        if !args.files.iter().any(|file| is_gone_once_read(file)) {
            steps.tell("observe", 0.0);
        }
        (names, read_all(args, &settings)?, Exit::Ok)
    };
    let observed = watched(args.quiet).observed(recorder, names, &settings)?;
    drop(steps);
    let html = args.html.as_ref().map(|_| page(&observed)).transpose()?;
    let text = render(args, observed)?;
    output::show(&text, args.output.as_deref(), out)?;
    if let (Some(path), Some(page)) = (&args.html, html) {
        output::write(&page, Some(path), out)?;
    }
    Ok(exit)
}

/// A recording that comes by a pipe is not passed over in silence: this machine is recorded where something says so.
fn nothing_is_piped(args: &ObserveArgs) -> Result<()> {
    let is_live = args.length.is_some() || args.record.is_some() || args.trace.is_some();
    if is_live || !input::is_fed() {
        return Ok(());
    }
    Err(Error::usage("standard input is a pipe or a file, but no FILE is given: this would record this machine")
        .hint("write `-` to read it: `... | diskwright observe -`; to record this machine add `--for TIME`"))
}

/// What the recordings come to, with the names of their files.
pub(crate) fn observed(args: &ObserveArgs) -> Result<ObservationOutcome> {
    let settings = settings(args)?;
    let names: Vec<String> = args.files.iter().map(|f| input::name(f)).collect();
    let recorder = read_all(args, &settings)?;
    watched(args.quiet).observed(recorder, names, &settings)
}

/// The session; nobody is told of damaged lines where that was asked for.
fn watched(quiet: bool) -> Session {
    let session = session().clone();
    if quiet { session.with_observer(Arc::new(())) } else { session }
}

/// The checklist as a report of its own.
fn page(observed: &ObservationOutcome) -> Result<String> {
    let lang = spoken();
    let machine = observed.observation.machine.clone().unwrap_or_else(|| text!(lang, "a machine").into());
    let title = text!(lang, "Disk demand of {machine}", machine);
    Ok(dw_report::html_in(&Report::new(title, vec![observed.piece("checklist")?]), lang))
}

fn settings(args: &ObserveArgs) -> Result<Settings> {
    let mut windows = Vec::new();
    for text in &args.window {
        windows.extend(Window::parse(text).map_err(|e| Error::usage(format!("`--window`: {e}")))?);
    }
    Ok(Settings {
        machine: args.machine.clone(),
        volumes: args.volume.clone(),
        windows,
        growth: args.growth,
        random_percent: args.random,
        memory_total: args.memory_total,
        ..Settings::default()
    })
}

fn read_all(args: &ObserveArgs, settings: &Settings) -> Result<Recorder> {
    let options = RecorderOptions { every: args.every, utc_offset_min: args.utc_offset, keep_first: args.keep_first };
    let mut recorder = read_into(args, Recorder::bounded(options, settings, READINGS))?;
    // Windows by load of a recording that was folded are known only now.
    let Some(second) = recorder.second_reading() else { return Ok(recorder) };
    if let Some(path) = args.files.iter().find(|f| is_gone_once_read(f)) {
        return Err(Error::input("`--window load` reads a recording this long twice")
            .hint("pass it as a file")
            .of_file(input::name(path)));
    }
    read_into(args, second)
}

/// A pipe, or `<(zcat FILE)` of a shell, is empty the second time.
fn is_gone_once_read(path: &Path) -> bool {
    input::is_standard_input(path) || !std::fs::metadata(path).is_ok_and(|file| file.is_file())
}

fn read_into(args: &ObserveArgs, mut recorder: Recorder) -> Result<Recorder> {
    let map = counter_map(args)?;
    // blktrace writes a file for each processor: together they are one trace.
    let of_a_trace = |path: &&PathBuf| path.to_string_lossy().contains(".blktrace.");
    let traces: Vec<&PathBuf> = args.files.iter().filter(of_a_trace).collect();
    let joined = traces.len() > 1;
    if joined {
        let names: Vec<String> = traces.iter().map(|p| p.display().to_string()).collect();
        let mut files: Vec<(counters::Options<'_>, Box<dyn BufRead>)> = Vec::new();
        for (path, index) in args.files.iter().zip(0u32..).filter(|(p, _)| of_a_trace(p)) {
            let Some(name) = names.iter().find(|n| **n == path.display().to_string()) else { continue };
            files.push((options(args, name, index, map.as_ref()), Box::new(open(path, &Watch::nothing())?)));
        }
        counters::read_blktrace(files, &mut recorder)?;
    }
    let single = args.files.iter().zip(0u32..).filter(|(p, _)| !(joined && of_a_trace(p)));
    let single: Vec<_> = single.map(|(p, i)| (i, p.as_path(), options(args, "", i, map.as_ref()))).collect();
    let indices = if single.len() > 1 { order::by_time(&single) } else { single.iter().map(|s| s.0).collect() };
    for index in indices {
        read(args, &args.files[index as usize], index, map.as_ref(), &mut recorder)?;
    }
    Ok(recorder)
}

fn counter_map(args: &ObserveArgs) -> Result<Option<CounterMap>> {
    let Some(path) = &args.counter_map else { return Ok(None) };
    let name = path.display();
    let text = input::read_file(path)?;
    CounterMap::parse(&text).map(Some).map_err(|(line, what)| {
        let hint = "write for example `Lesevorgänge/s = Disk Reads/sec`";
        Error::input(what).hint(hint).at(name.to_string(), line)
    })
}

/// A file that is no folder.
pub(crate) fn open(path: &Path, watch: &Watch) -> Result<BufReader<Counted<File>>> {
    let opened = File::open(path).and_then(|file| match file.metadata()?.is_dir() {
        true => Err(std::io::Error::from(std::io::ErrorKind::IsADirectory)),
        false => Ok(file),
    });
    let file = opened.map_err(|e| system::unreadable(path, &e))?;
    Ok(BufReader::with_capacity(1 << 18, watch.counted(file)))
}

fn read(args: &ObserveArgs, path: &Path, index: u32, map: Option<&CounterMap>, recorder: &mut Recorder) -> Result<()> {
    let name = input::name(path);
    let watch = input::watch(path);
    if input::is_standard_input(path) {
        let mut reader = BufReader::with_capacity(1 << 18, watch.counted(input::standard_input_reader()));
        // What was inspected is still there for whoever reads it.
        let head = reader.fill_buf().map_err(|e| system::unreadable(path, &e))?;
        if recording::file::is_ours(head) {
            return recording::file::read(&name, reader, index, args.strict, recorder);
        }
        counters::read(reader, &options(args, &name, index, map), recorder)?;
        return Ok(());
    }
    let mut file = open(path, &watch)?;
    if recording::file::is_ours(file.fill_buf().map_err(|e| system::unreadable(path, &e))?) {
        return recording::file::read(&name, file, index, args.strict, recorder);
    }
    counters::read(file, &options(args, &name, index, map), recorder)?;
    Ok(())
}

/// All machines are read: which there are is part of the message when the one that is asked for is not.
fn options<'a>(
    args: &ObserveArgs,
    name: &'a str,
    file: u32,
    counter_map: Option<&'a CounterMap>,
) -> counters::Options<'a> {
    counters::Options {
        name,
        file,
        strict: args.strict,
        dates: args.dates.map(|d| match d {
            DatesFormat::MonthFirst => DateOrder::MonthFirst,
            DatesFormat::DayFirst => DateOrder::DayFirst,
        }),
        counter_map,
        ..counters::Options::default()
    }
}

/// Capacities are of volumes that there are, one for each.
pub(crate) fn check_capacities(capacities: &[(String, Bytes)], requirements: &Requirements) -> Result<()> {
    let names: Vec<&str> = requirements.volumes.iter().map(|v| v.name.as_str()).collect();
    check_named(capacities, &names, &|name| requirements.volumes.iter().any(|v| v.is_called(name)))
}

/// The same by the names alone.
pub(crate) fn check_named(
    capacities: &[(String, Bytes)],
    names: &[&str],
    is_there: &dyn Fn(&str) -> bool,
) -> Result<()> {
    let twice =
        capacities.iter().enumerate().find(|(at, (name, _))| capacities[..*at].iter().any(|(of, _)| of == name));
    if let Some((_, (name, _))) = twice {
        return Err(Error::usage(format!("`--capacity {name}=...` is given twice")).hint("give one a volume"));
    }
    let Some((name, _)) = capacities.iter().find(|(name, _)| !is_there(name)) else { return Ok(()) };
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    Err(Error::usage(format!("`--capacity {name}=...`: unknown volume `{name}`; there are {}", names.join(", "))))
}

/// What volumes must hold, as far as that was said.
pub(crate) fn wishes(
    capacities: &[(String, Bytes)],
    requirements: &Requirements,
    vendor: &'static VendorKeys,
) -> Wishes {
    let capacity = |of: &VolumeRequirements| {
        let exact = capacities.iter().find(|(name, _)| *name == of.name);
        let named = exact.or_else(|| capacities.iter().find(|(name, _)| of.is_called(name)));
        named.map_or(Bytes::ZERO, |(_, size)| *size)
    };
    let volumes = requirements.volumes.iter().map(|v| VolumeWishes::of(Role::Data, capacity(v)));
    Wishes { volumes: volumes.collect(), ..vendor.wishes() }
}

fn render(args: &ObserveArgs, observed: ObservationOutcome) -> Result<Text> {
    let ObservationOutcome { observation, names } = &observed;
    let text = match args.format {
        ObserveFormat::Table => {
            let width = table::width(output::columns(args.output.as_deref()));
            return Ok(table::table(observation, names, width));
        }
        ObserveFormat::Json => serde_json::to_string_pretty(&observed.into_checklist()).unwrap_or_default() + "\n",
        ObserveFormat::Csv => csv::csv(observation),
        ObserveFormat::Markdown => markdown::markdown(observation, names),
        ObserveFormat::Toml => {
            let requirements = observed.requirements(observed.planned_window()?)?;
            let remark = format!(
                "Requirements for a plan, from {}. Edit freely: fill in and uncomment the lines that no recording provides.",
                names.join(", ")
            );
            check_capacities(&args.capacity, &requirements)?;
            let wishes = wishes(&args.capacity, &requirements, observed.vendor_keys());
            Demand::new(requirements, wishes).form(&remark)
        }
    };
    Ok(Text::verbatim(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_file_can_be_read_again() {
        let gone = |path: &str| is_gone_once_read(Path::new(path));
        assert!(!gone(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")));
        assert!(gone("-") && gone("no such file"));
        #[cfg(unix)]
        assert!(gone("/dev/null") && gone("/dev"));
    }
}
