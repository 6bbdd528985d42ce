//! `bench` on real targets, with fio: files and devices that the user names, or an emulator of our own.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use diskwright::bench::Bench;
use dw_error::{Error, Kind, Result};
use dw_measure::Fio;
use dw_measure::machine;
use dw_sim::Progress;
use rustix::fs::FlockOperation;

use crate::bench::document::{BenchDocument, FioProgram, Mode, Target};
use crate::bench::{BenchArgs, report};
use crate::exit::Exit;
use crate::in_use::{self, session};
use crate::{files, system, to_stderr};

mod emulator;
mod live;
mod run;
mod targets;
mod warn;

use emulator::Emulator;
use live::Live;
use run::RealFio;

/// Runs what is not finished, and reports.
pub fn measure(args: &BenchArgs, bench: Bench, progress: &Progress, out: &mut dyn Write) -> Result<Exit> {
    let fio = Fio::find(args.fio.as_deref())?;
    let folder = args.folder(&bench.document().suite, bench.document().mode);
    // What `dw-measure` writes there, and the state.
    let is_written = |name: &str| name == run::STATE || name.ends_with(".fio") || name.ends_with(".fio.json");
    let inputs = args.job.iter().chain(&args.requirements).chain([&args.rig]);
    files::keeps(&folder, &inputs.map(PathBuf::as_path).collect::<Vec<_>>(), is_written)?;
    // What an earlier run made is ours whether or not its figures are wanted again.
    let earlier = match run::state(&folder) {
        Err(_) if args.fresh && run::is_of_ours(&folder) => None,
        found => found?,
    };
    let (targets, emulator) = places(args, &bench, &fio, earlier.as_ref())?;
    let mut bench = bench.on(targets);
    let document = bench.document_mut();
    let machine = machine::this();
    document.warnings.extend(warn::before(&machine, &document.targets, &document.procedure));
    let processors = machine.processors;
    document.machine = Some(machine);
    document.fio = Some(FioProgram { path: fio.path.display().to_string(), version: fio.version.clone() });
    // fio runs in it, so that its path must not be one from here.
    let folder = std::fs::create_dir_all(&folder)
        .and_then(|()| folder.canonicalize())
        .map_err(|e| system::cannot_make(&folder, &e))?;
    let _locked = alone(&folder)?;
    match earlier {
        Some(known) if !args.fresh => resume(&mut bench, known, &folder)?,
        Some(_) => {}
        None => nobodys(&folder, bench.document())?,
    }
    if !bench.document().partial {
        let what = "nothing was measured: this benchmark is already finished; its earlier results are shown";
        to_stderr(&format!("note: {what} ({})\nhint: `--fresh` measures again\n", folder.join(run::STATE).display()));
    }
    bench.predict(session())?;
    let left = if bench.document().partial { bench.left() } else { (0, 0.0) };
    let live = Live::new(left.0, left.1, args.quiet);
    let folder = folder.as_path();
    let seen = run::look(&bench.document().targets);
    let mut runner = RealFio { fio: &fio, folder, clients: &args.client, progress, processors, emulator, live, seen };
    // From here on the folder is ours, also if this is ended before the first part is.
    run::save(folder, bench.document())?;
    let done = bench.measure(session(), &mut runner).map_err(|error| resumable(error, folder));
    bench.document_mut().metadata.get_or_insert_default().ended = in_use::stamp().seconds();
    // The bar goes away before the result is printed.
    drop(runner);
    run::save(folder, bench.document())?;
    // What there is, marked; then why there is not more.
    let reported = report(args, bench.document(), out);
    done?;
    reported
}

/// Where the I/O of each volume that is used goes; the emulator, where it is ours.
fn places(
    args: &BenchArgs,
    bench: &Bench,
    fio: &Fio,
    known: Option<&BenchDocument>,
) -> Result<(Vec<Target>, Option<Emulator>)> {
    let (rig, used) = (bench.rig(), bench.volumes());
    if bench.document().mode == Mode::Emulated {
        let (targets, emulator) = emulator::start(rig, &args.rig, &used, fio)?;
        return Ok((targets, Some(emulator)));
    }
    let ours: Vec<String> = known.iter().flat_map(|d| &d.targets).map(|t| t.path.clone()).collect();
    let bytes: Vec<u64> = (0..rig.volumes.len()).map(|volume| bench.bytes_on(volume)).collect();
    let asked = targets::Asked {
        targets: &targets::given(args, rig, &used)?,
        destroy: &args.destroy,
        ours: &ours,
        bytes: &bytes,
        remote: !args.client.is_empty(),
        is_sized: args.file_size.is_some() || args.has_jobs(),
    };
    Ok((targets::on_disks(rig, fio, &asked)?, None))
}

/// Takes over what an earlier run finished, when it is the same benchmark.
fn resume(bench: &mut Bench, known: BenchDocument, folder: &Path) -> Result<()> {
    if !bench.is_same(&known) {
        let hint = "name another directory with `--dir`, or use `--fresh` to start again there";
        return Err(Error::usage(format!("{} holds the results of another benchmark", folder.display())).hint(hint));
    }
    bench.resume(known);
    Ok(())
}

/// Keeps the folder for one benchmark at a time, until it is dropped.
fn alone(folder: &Path) -> Result<File> {
    let locked = File::open(folder).map_err(|e| system::unreadable(folder, &e))?;
    match rustix::fs::flock(&locked, FlockOperation::NonBlockingLockExclusive) {
        Err(rustix::io::Errno::WOULDBLOCK) => {
            Err(Error::new(Kind::Protected, "another running benchmark keeps its state there")
                .hint("wait until it ends, or name another directory with `--dir`")
                .of_file(folder.display().to_string()))
        }
        // A file system that knows no locks is used without.
        _ => Ok(locked),
    }
}

/// That no job file of somebody's is replaced: a folder without a state is not one of ours.
fn nobodys(folder: &Path, document: &BenchDocument) -> Result<()> {
    let steps = document.preparation.iter().map(|step| step.file_name());
    let names = steps.chain(document.scenarios.iter().map(|scenario| scenario.id.clone()));
    let files = names.flat_map(|name| [format!("{name}.fio"), format!("{name}.fio.json")]);
    match files.map(|name| folder.join(name)).find(|file| std::fs::symlink_metadata(file).is_ok()) {
        None => Ok(()),
        Some(file) => Err(Error::new(Kind::Protected, "this file exists, without a benchmark's state next to it")
            .hint("name another directory with `--dir`, or move the file away")
            .of_file(file.display().to_string())),
    }
}

/// What failed, and that the same command goes on from there.
fn resumable(error: Error, folder: &Path) -> Error {
    let state = folder.join(run::STATE);
    let hint = format!("finished scenarios are kept in {}; repeat the command to resume", state.display());
    match error.kind {
        Kind::Interrupted => error.what(hint),
        Kind::Bench => error.hint(hint),
        _ => error,
    }
}
