//! Our corpus of job files: what each valid one becomes, what each invalid one is told, and what real fio says to both.
//!
//! A file is named for its point or its fault; next to it stands what a person sees (`.txt`). After a change on purpose:
//! `DISKWRIGHT_ACCEPT=1 cargo test -p dw-formats --test all fio_corpus::`, and review the difference.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use dw_formats::fio::{FioErrors, FioInput, FioJobs, ReadOptions, read};

const ENVIRONMENT: &[(&str, &str)] = &[("SIZE", "2g"), ("BS", "16k"), ("DIR", "/mnt/data"), ("RW", "randread")];

fn folder(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fio").join(kind)
}

/// The job files of a folder, by name.
fn job_files(kind: &str) -> Vec<(String, PathBuf)> {
    let mut files: Vec<_> = fs::read_dir(folder(kind))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "fio"))
        .map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), path))
        .collect();
    files.sort();
    assert!(files.len() >= 80, "only {} files in {kind}", files.len());
    files
}

fn read_file(kind: &str, path: &Path) -> Result<FioJobs, FioErrors> {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let include = |name: &str| fs::read_to_string(folder(kind).join(name));
    read(&FioInput {
        files: &[(name, fs::read_to_string(path).unwrap())],
        overrides: &[],
        env: &|name| ENVIRONMENT.iter().find(|(n, _)| *n == name).map(|(_, v)| v.to_string()),
        volumes: &crate::common::volumes(),
        options: ReadOptions { include: &include, ..ReadOptions::default() },
        seed: 1,
    })
}

/// Compares `shown` with the file next to the job file, or writes it when asked to.
fn check(path: &Path, shown: &str, different: &mut Vec<String>) {
    let expected = path.with_extension("txt");
    if std::env::var_os("DISKWRIGHT_ACCEPT").is_some() {
        fs::write(&expected, shown).unwrap();
    } else if fs::read_to_string(&expected).unwrap_or_default() != shown {
        different.push(format!("{}:\n{shown}", path.display()));
    }
}

fn describe(jobs: &FioJobs) -> String {
    let mut text = String::new();
    for stream in &jobs.explain {
        text.push_str(&format!("{stream}\n"));
    }
    for warning in &jobs.warnings {
        text.push_str(&format!("warning: {warning}\n"));
    }
    for i in &jobs.ignored {
        text.push_str(&format!("ignored: {} (line {}): {}\n", i.option, i.line, i.reason));
    }
    text
}

#[test]
fn every_valid_file_becomes_what_stands_beside_it() {
    let mut different = Vec::new();
    for (name, path) in job_files("valid") {
        match read_file("valid", &path) {
            Ok(jobs) => check(&path, &describe(&jobs), &mut different),
            Err(errors) => different.push(format!("{name} is refused:\n{errors}")),
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn every_invalid_file_is_refused_with_the_message_beside_it() {
    let mut different = Vec::new();
    for (name, path) in job_files("invalid") {
        match read_file("invalid", &path) {
            Ok(jobs) => different.push(format!("{name} is accepted:\n{}", describe(&jobs))),
            Err(errors) => check(&path, &format!("{errors}\n"), &mut different),
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

/// Runs fio in the folder of the file; `None` when it is not installed.
fn fio(kind: &str, arguments: &[&str]) -> Option<std::process::Output> {
    let run = Command::new("fio").args(arguments).current_dir(folder(kind)).envs(ENVIRONMENT.iter().copied()).output();
    if run.is_err() {
        eprintln!("SKIPPED: fio is not installed");
    }
    run.ok()
}

#[test]
fn fio_parses_every_file_that_is_accepted() {
    // All at once: fio calibrates its clock for a tenth of a second at every start.
    let files: Vec<String> = job_files("valid").into_iter().map(|(name, _)| format!("{name}.fio")).collect();
    let arguments: Vec<&str> = std::iter::once("--parse-only").chain(files.iter().map(String::as_str)).collect();
    let Some(run) = fio("valid", &arguments) else { return };
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

/// Where fio parses a file that is refused here, the list next to the files says so: refusing more than fio is a choice.
#[test]
fn the_files_that_fio_parses_and_that_are_refused_are_listed() {
    let names: Vec<String> = job_files("invalid").into_iter().map(|(name, _)| name).collect();
    if fio("invalid", &["--version"]).is_none() {
        return;
    }
    let parses = |name: &&String| {
        fio("invalid", &["--parse-only", &format!("{name}.fio")]).is_some_and(|run| run.status.success())
    };
    let half = names.len() / 2;
    let parsed: Vec<&String> = std::thread::scope(|scope| {
        let second = scope.spawn(|| names[half..].iter().filter(parses).collect::<Vec<_>>());
        let mut parsed: Vec<_> = names[..half].iter().filter(parses).collect();
        parsed.extend(second.join().unwrap());
        parsed
    });
    let parsed: String = parsed.into_iter().map(|name| format!("{name}\n")).collect();
    let mut different = Vec::new();
    check(&folder("invalid").join("refused-although-fio-parses-them"), &parsed, &mut different);
    assert!(different.is_empty(), "{}", different.join("\n"));
}

/// The words after `fio` of `--showcmd`, a bare option with the `1` that it stands for.
fn flattened(text: &str) -> Vec<String> {
    let text = text.trim().strip_prefix("fio").unwrap_or(text);
    let words = text.split(" --").map(|word| word.trim().replace('"', "")).filter(|word| !word.is_empty());
    let words =
        words.map(|word| word.split_once('=').map_or(word.clone(), |(name, value)| format!("{name}={}", value.trim())));
    words.map(|word| if word.contains('=') { word } else { format!("{word}=1") }).collect()
}

#[test]
fn fio_flattens_the_options_as_we_do() {
    // fio repeats what it has collected at every `[global]`; a renamed section has two names; a job without data is left out.
    let unlike = ["engine.no_data", "grammar.global_accumulates", "grammar.name_renames_the_job", "like.kbench"];
    let files: Vec<_> = job_files("valid").into_iter().filter(|(name, _)| !unlike.contains(&name.as_str())).collect();
    let names: Vec<String> = files.iter().map(|(name, _)| format!("{name}.fio")).collect();
    let arguments: Vec<&str> = std::iter::once("--showcmd").chain(names.iter().map(String::as_str)).collect();
    let Some(run) = fio("valid", &arguments) else { return };
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("fio ")).collect();
    assert_eq!(lines.len(), files.len());
    let mut compared = 0;
    for ((name, path), line) in files.iter().zip(lines) {
        let jobs = read_file("valid", path).unwrap();
        let word = |(name, text): &(String, String)| match text.trim() {
            "" => name.clone(),
            text => format!("{name}={text}"),
        };
        let mut ours: Vec<String> = jobs.global_options.iter().map(word).collect();
        for job in jobs.workload.jobs.iter().filter(|job| job.clone == 0) {
            ours.push(format!("name={}", job.name));
            ours.extend(job.options.iter().map(word));
        }
        // `name=a: b = c` is compared without blanks around its sign.
        let ours: Vec<String> = ours.iter().flat_map(|word| flattened(word)).collect();
        assert_eq!(ours, flattened(line), "{name}");
        compared += 1;
    }
    assert!(compared >= 60, "only {compared} files were compared");
}

/// What fio's null engine does is decided by the reading of the job file alone.
#[test]
fn fio_runs_the_null_engine_as_the_jobs_say() {
    for name in ["engine.null", "engine.null_sizes"] {
        let Some(run) = fio("valid", &["--output-format=json", &format!("{name}.fio")]) else { return };
        let text = String::from_utf8_lossy(&run.stdout);
        let json: serde_json::Value = serde_json::from_str(&text[text.find('{').unwrap()..]).unwrap();
        let theirs: Vec<_> = json["jobs"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|job| job["jobname"].is_string())
            .map(|job| {
                let (read, write) = (&job["read"], &job["write"]);
                let bytes = read["io_bytes"].as_u64().unwrap() + write["io_bytes"].as_u64().unwrap();
                let ios = read["total_ios"].as_u64().unwrap() + write["total_ios"].as_u64().unwrap();
                (
                    job["jobname"].as_str().unwrap().to_string(),
                    job["groupid"].as_u64().unwrap(),
                    job["latency_depth"].as_u64().unwrap(),
                    bytes,
                    ios,
                )
            })
            .collect();
        let jobs = read_file("valid", &folder("valid").join(format!("{name}.fio"))).unwrap().workload.jobs;
        let ours: Vec<_> = jobs
            .iter()
            .map(|job| {
                let block = job.sizes.write.max();
                // A file's tail of less than a block is not touched.
                let whole = |len: u64| len / block * block;
                let file: u64 = job.files.iter().map(|file| whole(file.len)).sum();
                let pass = if job.stop.bytes >= file { file * (job.stop.bytes / file) } else { job.stop.bytes };
                let bytes = job.stop.ios.map_or(pass * u64::from(job.stop.loops), |ios| ios * block);
                (job.name.clone(), u64::from(job.group), u64::from(job.queue_depth), bytes, bytes / block)
            })
            .collect();
        assert_eq!(ours, theirs, "{name}");
    }
}

/// A renamed or new option of another fio would show here.
#[test]
fn the_table_has_every_option_that_fio_lists() {
    let Some(run) = fio("valid", &["--cmdhelp=all"]) else { return };
    let table: Vec<&str> =
        include_str!("../src/fio/options.txt").lines().filter_map(|line| line.split_whitespace().next()).collect();
    let help = String::from_utf8_lossy(&run.stdout).into_owned();
    let names: Vec<&str> = help.lines().filter_map(|line| line.split_once(':')).map(|(name, _)| name.trim()).collect();
    assert!(names.len() > 150, "{} names", names.len());
    for name in names {
        assert!(table.contains(&name), "{name} is not in the table");
    }
}
