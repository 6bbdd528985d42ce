//! Runs the benches and prints, keeps or checks what they come to.

use std::process::ExitCode;

use dw_bench::bench::{Bench, Measured, Row, Size, Target};
use dw_bench::machine::Machine;
use dw_bench::{benches, days, instructions, keep, parsers, program, report, studio};

const USAGE: &str = "usage: cargo xtask bench [options]
  --bench NAME           only this bench; may be repeated
  --row TEXT             only rows whose name contains this
  --runs N               how often each row is run (default 5)
  --tiny                 the small sizes: does everything run?
  --keep                 write bench/runs/<date>-<machine>/raw.csv and summary.md
  --instructions         count instructions per simulated I/O with callgrind, and nothing else
  --check-instructions   the same, and fail when one is 2 % above bench/instructions.toml
  --write-instructions   the same, and write bench/instructions.toml
  --studio               how fast the studio answers a hand, in a browser; with --tiny, whether it does
  --days [NAME...]       days of load by leaps against every I/O of them, which takes hours; with --keep, as days.md
  --list                 names of benches and what they are for";

#[derive(Default)]
struct Options {
    benches: Vec<String>,
    row: String,
    runs: usize,
    tiny: bool,
    keep: bool,
    instructions: bool,
    check: bool,
    write: bool,
    list: bool,
    days: Option<Vec<String>>,
    studio: bool,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[String]) -> Result<(), String> {
    if let [_, name, length] = args
        && args[0] == "--once"
    {
        return run_once(name, length);
    }
    if let [_, path] = args
        && args[0] == "--observe"
    {
        parsers::observe(std::path::Path::new(path))?;
        println!("{}", parsers::peak()?);
        return Ok(());
    }
    if let Some((first, files)) = args.split_first()
        && first == "--audit"
    {
        dw_bench::audit::run(files)?;
        println!("{}", parsers::peak()?);
        return Ok(());
    }
    if let Some((first, rest)) = args.split_first()
        && first == "--report"
    {
        println!("{}", report::told(&report::once(rest)?));
        return Ok(());
    }
    if let Some((first, rest)) = args.split_first()
        && first == "--program"
    {
        let args = std::iter::once("diskwright".to_string()).chain(rest.iter().cloned());
        return match diskwright_cli::run(args.collect(), &mut std::io::stdout()) {
            diskwright_cli::exit::Exit::Ok => Ok(()),
            _ => Err("the program failed".into()),
        };
    }
    let options = read(args)?;
    if options.studio {
        return measure_studio(options.tiny);
    }
    if options.list {
        for bench in benches() {
            println!("{:15} {}\n{:15} not: {}", bench.name, bench.is_for, "", bench.not_for);
        }
        return Ok(());
    }
    if options.instructions || options.check || options.write {
        return count(&options);
    }
    if let Some(names) = &options.days {
        let table = days::compared(names, "24h", |line| println!("{line}"))?;
        return if options.keep { keep_files(&Machine::now(), &[("days.md", &table)]) } else { Ok(()) };
    }
    measure(&options)
}

fn read(args: &[String]) -> Result<Options, String> {
    let mut options = Options { runs: 5, ..Options::default() };
    let known: Vec<&str> = benches().iter().map(|bench| bench.name).collect();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--bench" => {
                let name = args.next().ok_or(USAGE)?;
                if !known.contains(&name.as_str()) {
                    return Err(format!("there is no bench `{name}`\nhint: one of {}", known.join(", ")));
                }
                options.benches.push(name.clone());
            }
            "--row" => options.row = args.next().ok_or(USAGE)?.clone(),
            "--runs" => {
                let runs = args.next().and_then(|n| n.parse().ok()).filter(|&n| n > 0);
                options.runs = runs.ok_or("`--runs` needs a number from 1\nhint: write for example `--runs 5`")?;
            }
            "--tiny" => options.tiny = true,
            "--keep" => options.keep = true,
            "--instructions" => options.instructions = true,
            "--check-instructions" => options.check = true,
            "--write-instructions" => options.write = true,
            "--list" => options.list = true,
            "--studio" => options.studio = true,
            "--days" => options.days = Some(Vec::new()),
            name if options.days.is_some() && days::NAMES.contains(&name) => {
                options.days.get_or_insert_default().push(name.into());
            }
            _ => return Err(format!("`{arg}` is not known\n{USAGE}")),
        }
    }
    Ok(options)
}

fn measure_studio(tiny: bool) -> Result<(), String> {
    println!("{:34} {:>14} {:6} {:>14}", "studio", "", "", "at most");
    studio::measure(if tiny { studio::TINY } else { studio::REAL }, |row| {
        let asked = row.asked.map_or(String::new(), |asked| format!("{asked:.0}"));
        let over = if row.asked.is_some_and(|asked| row.value > asked) { " MORE" } else { "" };
        println!("{:34} {:>14.1} {:6} {asked:>14}{over}", row.name, row.value, row.unit);
    })
}

/// One case of the instruction counts, for callgrind to look at.
fn run_once(name: &str, length: &str) -> Result<(), String> {
    let case = instructions::CASES.iter().find(|case| case.name == name);
    let case = case.ok_or_else(|| format!("there is no case `{name}`"))?;
    let length = length.parse().ok().filter(|length| (1..=2).contains(length)).ok_or("the length is 1 or 2")?;
    println!("{}", (case.run)(length)?);
    Ok(())
}

fn count(options: &Options) -> Result<(), String> {
    let figures = instructions::count(|name, figure| println!("{name:24} {figure:8.1} instructions an I/O"))?;
    if options.write {
        instructions::write(&figures, &Machine::now().compiler)?;
    }
    if options.check {
        let faults = instructions::faults(&figures, &instructions::baseline(instructions::OWN)?);
        if !faults.is_empty() {
            return Err(faults.join("\n"));
        }
    }
    Ok(())
}

fn measure(options: &Options) -> Result<(), String> {
    let machine = Machine::now();
    let size = if options.tiny { Size::Tiny } else { Size::Real };
    let wanted = |bench: &Bench| options.benches.is_empty() || options.benches.iter().any(|name| name == bench.name);
    let mut benches: Vec<Bench> = benches();
    let is_wanted = |bench: &Bench, row: &Row| wanted(bench) && row.name.contains(&options.row);
    // Who has to be so many times as fast as another needs the other in the same run.
    let rows = benches.iter().flat_map(|bench| bench.rows.iter().filter(|row| is_wanted(bench, row)));
    let held_against = rows.filter(|row| matches!(row.target, Some(Target::TimesPeer(_))));
    let peers: Vec<&str> = held_against.filter_map(|row| row.peer).collect();
    for bench in &mut benches {
        let all = bench.clone();
        let is_peer = |row: &Row| peers.contains(&format!("{}/{}", all.name, row.name).as_str());
        bench.rows.retain(|row| is_wanted(&all, row) || is_peer(row));
    }
    benches.retain(|bench| !bench.rows.is_empty());
    let (mut measured, mut left_out) = (Vec::new(), Vec::new());
    for bench in &benches {
        measured.extend(measure_one(bench, size, options.runs, &mut left_out));
    }
    let summary = keep::summary(
        &machine,
        &benches,
        &measured,
        &left_out,
        instructions::baseline(instructions::SHIPPED).ok().as_ref(),
    );
    println!("{summary}");
    if options.keep {
        keep_files(&machine, &[("raw.csv", &keep::raw(&measured)), ("summary.md", &summary)])?;
    }
    Ok(())
}

fn keep_files(machine: &Machine, files: &[(&str, &str)]) -> Result<(), String> {
    let folder = program::file("bench/runs").join(machine.folder());
    let write = || {
        std::fs::create_dir_all(&folder)?;
        files.iter().try_for_each(|(name, text)| std::fs::write(folder.join(name), text))
    };
    write().map_err(|e| format!("bench/runs/{}: {e}", machine.folder()))?;
    eprintln!("kept in bench/runs/{}", machine.folder());
    Ok(())
}

/// Runs the rows of a bench in turn, several times, so that a busy minute does not fall on one row alone.
fn measure_one(bench: &Bench, size: Size, runs: usize, left_out: &mut Vec<String>) -> Vec<Measured> {
    let mut measured: Vec<Measured> = Vec::new();
    for row in &bench.rows {
        measured.push(Measured { bench: bench.name, row: row.clone(), samples: Vec::new() });
    }
    for run in 1..=runs {
        measured.retain_mut(|m| match (m.row.run)(size) {
            Ok(sample) => {
                m.samples.push(sample);
                eprintln!("{run}/{runs} {}: {:.2} {}", m.id(), sample.figure(m.row.unit), m.row.unit.name());
                true
            }
            Err(why) => {
                eprintln!("left out {}: {why}", m.id());
                left_out.push(format!("{}: {why}", m.id()));
                false
            }
        });
    }
    measured
}
