//! What a file is, by what is in it, and what to do where it is another one than the command wants.
//!
//! Nothing is refused by this: a file is inspected after its reader refused it, so that what a reader takes is never in doubt.

use std::path::{Path, PathBuf};

use clap::ArgMatches;
use diskwright::load::{Toml, toml_kind};
use dw_counters as counters;
use dw_documents::Kind;
use dw_error::{Error, Result};
use dw_formats::{diskspd, iometer, results, vdbench};
use dw_observe::{Common, Fault, Origin, Reading, Sink};
use dw_report::Report;
use serde_json::Value;

use crate::input;

/// Kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(test, derive(clap::ValueEnum))]
pub enum FileKind {
    /// rig.toml.
    Scenario,
    /// requirements.toml.
    Requirements,
    /// What `calibrate --save` writes.
    Models,
    /// What `observe --format json` prints.
    Checklist,
    /// What `plan --format json` prints.
    Plan,
    /// What `plan diff --format json` prints.
    PlanDiff,
    /// What `plan --compare --format json` prints.
    PlanComparison,
    /// What `simulate --format json` prints.
    Run,
    /// What `simulate --sweep` prints.
    Sweep,
    /// What `bench --format json` prints.
    Bench,
    /// What `verify --format json` prints.
    Verify,
    /// What `calibrate --format json` prints.
    Calibration,
    /// What `audit --format json` prints.
    Audit,
    /// What `explain --format json` prints.
    Explain,
    /// What `report` writes.
    Page,
    /// What the page of `studio` shares: a design with its load.
    Shared,
    /// A job file of fio.
    FioJob,
    /// A profile of DiskSpd, or command lines.
    DiskSpd,
    /// A configuration of Iometer.
    Iometer,
    /// A parameter file of vdbench.
    Vdbench,
    /// What fio, DiskSpd or Iometer printed.
    Measured,
    /// What `observe` reads.
    Recording,
}

use FileKind::*;

/// What a file is; none for what is not known.
pub fn recognise(bytes: &[u8]) -> Option<FileKind> {
    if crate::recording::file::is_ours(bytes) {
        return Some(Recording);
    }
    let text = diskwright::text::decode_beginning(bytes);
    let text = text.as_str();
    if Report::is_page(text) {
        return Some(Page);
    }
    if let Some(value) = text.trim_start().starts_with(['{', '[']).then(|| serde_json::from_str(text).ok()).flatten()
        && let Some(kind) = of_json(&value)
    {
        return Some(kind);
    }
    of_toml(text).or_else(|| of_load(text)).or_else(|| {
        if results::read("", &counters::decoded(bytes)).is_ok() {
            Some(Measured)
        } else if is_fio_job(text) {
            Some(FioJob)
        } else {
            is_recording(bytes).then_some(Recording)
        }
    })
}

/// What a file is; none for what cannot be read once more, too.
pub(crate) fn of_file(path: &Path) -> Option<FileKind> {
    read(path).and_then(|bytes| recognise(&bytes))
}

/// A file where DiskSpd's command line belongs would be taken for a target of one: `instead` is what takes it.
pub(crate) fn is_command_line(line: &str, instead: &str) -> Result<()> {
    let name = line.trim();
    match of_file(Path::new(name)) {
        Some(_) => {
            Err(Error::usage(format!("`--diskspd {name}`: {name} is a file, but a DiskSpd command line is expected"))
                .hint(format!("`diskwright {instead}`")))
        }
        None => Ok(()),
    }
}

fn of_json(value: &Value) -> Option<FileKind> {
    if Report::is_value(value) {
        return Some(Page);
    }
    if value.get("document").is_some_and(|word| word == "studio") {
        return Some(Shared);
    }
    Some(match Kind::recognise(value)?.kind {
        Kind::Checklist => Checklist,
        Kind::Plan => Plan,
        Kind::PlanDiff => PlanDiff,
        Kind::PlanComparison => PlanComparison,
        Kind::Run => Run,
        Kind::Sweep => Sweep,
        Kind::Measured => Measured,
        Kind::Bench => Bench,
        Kind::Explain => Explain,
        Kind::Verify => Verify,
        Kind::Calibration => Calibration,
        Kind::Audit => Audit,
    })
}

/// By the keys of its lines, so that a file with a fault is known, too.
fn of_toml(text: &str) -> Option<FileKind> {
    toml_kind(text).map(|kind| match kind {
        Toml::Models => Models,
        Toml::Scenario => Scenario,
        Toml::Requirements => Requirements,
    })
}

/// A load of another tool than fio.
fn of_load(text: &str) -> Option<FileKind> {
    if diskspd::is_profile(text) || diskspd::is_script(text) {
        Some(DiskSpd)
    } else if iometer::is_icf(text) {
        Some(Iometer)
    } else if vdbench::is_parameters(text) {
        Some(Vdbench)
    } else {
        None
    }
}

/// A section, and an option that every job has some of.
fn is_fio_job(text: &str) -> bool {
    const OPTIONS: [&str; 10] =
        ["rw", "readwrite", "ioengine", "filename", "directory", "bs", "blocksize", "iodepth", "size", "runtime"];
    let lines = || text.lines().map(str::trim);
    let is_section = |line: &str| line.starts_with('[') && line.ends_with(']') && !line.starts_with("[[");
    let is_option = |line: &str| line.split_once('=').is_some_and(|(key, _)| OPTIONS.contains(&key.trim()));
    lines().any(is_section) && lines().any(is_option)
}

/// So much of a recording shows what it is.
const BEGINNING: usize = 256 << 10;

fn is_recording(bytes: &[u8]) -> bool {
    struct Nowhere;
    impl Sink for Nowhere {
        fn take(&mut self, _: Origin, _: Common, _: Reading) {}
        fn fault(&mut self, _: Origin, _: Fault) {}
    }
    let head = &bytes[..bytes.len().min(BEGINNING)];
    counters::read(head, &counters::Options::default(), &mut Nowhere).is_ok()
}

impl FileKind {
    /// What is said of a file.
    pub(crate) fn is(self) -> &'static str {
        match self {
            Scenario => "is a scenario",
            Requirements => "holds requirements",
            Models => "holds latency models",
            Checklist => "is a checklist of `diskwright observe`",
            Plan => "is a plan",
            PlanDiff => "is a result of `diskwright plan diff`",
            PlanComparison => "is a result of `diskwright plan --compare`",
            Run => "is a result of `diskwright simulate`",
            Sweep => "is a sweep of `diskwright simulate`",
            Bench => "is a result of `diskwright bench`",
            Verify => "is a result of `diskwright verify`",
            Calibration => "is a result of `diskwright calibrate`",
            Audit => "is a result of `diskwright audit`",
            Explain => "is a result of `diskwright explain`",
            Page => "is a report",
            Shared => "is a design that `diskwright studio` shared",
            FioJob => "is a fio job file",
            DiskSpd => "is a DiskSpd workload",
            Iometer => "is an Iometer configuration",
            Vdbench => "is a vdbench parameter file",
            Measured => "is a benchmark result",
            Recording => "is a recording",
        }
    }

    fn is_load(self) -> bool {
        matches!(self, FioJob | DiskSpd | Iometer | Vdbench)
    }
}

/// What an argument wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Rig,
    Load,
    /// What simulations run: a load, or requirements over time.
    LoadOrDemand,
    Demand,
    Planned,
    /// A side of `plan diff`.
    PlannedOrRig,
    Results,
    Recordings,
    /// Recordings, or a design that was shared.
    Opened,
    Documents,
    /// What `catalogue import` reads: records of a vendor, of which none is a file of ours.
    Records,
}

impl Role {
    /// Of an argument, by its command and its id.
    fn of_argument(command: &str, id: &str) -> Option<Role> {
        Some(match (command, id) {
            (_, "rig") => Role::Rig,
            ("simulate", "jobs") => Role::LoadOrDemand,
            ("bench", "job") | ("convert", "load") => Role::Load,
            ("plan" | "verify" | "bench", "requirements") | ("explain", "demand") => Role::Demand,
            ("provision", "plan") => Role::Planned,
            ("diff", "a" | "b") => Role::PlannedOrRig,
            ("verify" | "calibrate", "results") | ("explain", "measured") => Role::Results,
            ("observe", "files") => Role::Recordings,
            ("studio", "files") => Role::Opened,
            ("report", "files") => Role::Documents,
            ("import", "files") => Role::Records,
            _ => return None,
        })
    }

    /// How it is called.
    fn name(self) -> &'static str {
        match self {
            Role::Rig => "a scenario",
            Role::Load | Role::LoadOrDemand => "a load",
            Role::Demand => "requirements",
            Role::Planned => "a plan",
            Role::PlannedOrRig => "plans or scenarios",
            Role::Results => "benchmark results",
            Role::Recordings => "recordings",
            Role::Opened => "recordings, or a shared design",
            Role::Documents => "documents of other commands, or recordings",
            Role::Records => "records of VM sizes or prices",
        }
    }

    fn takes(self, kind: FileKind) -> bool {
        match self {
            Role::Rig => kind == Scenario,
            Role::Load => kind.is_load(),
            Role::LoadOrDemand => kind.is_load() || kind == Requirements,
            Role::Demand => kind == Requirements,
            Role::Planned => kind == Plan,
            Role::PlannedOrRig => matches!(kind, Plan | Scenario),
            // Whether a prediction is one of them, its reader says.
            Role::Results => matches!(kind, Bench | Measured | Run | Sweep),
            Role::Recordings => kind == Recording,
            Role::Opened => matches!(kind, Recording | Shared),
            Role::Records => false,
            Role::Documents => {
                !kind.is_load() && !matches!(kind, Scenario | Models | Calibration | PlanDiff | Sweep | Audit | Shared)
            }
        }
    }

    /// What to run with a file that it does not take, for a command that wanted another.
    fn remedy(self, kind: FileKind, file: &str, command: &str) -> String {
        const SCENARIO: &str = "`diskwright init rig` prints a starter file";
        const PLAN: &str = "`diskwright plan REQUIREMENTS.toml --format json > plan.json` writes one";
        match (self, kind) {
            (_, Shared) => format!("`diskwright studio {file}` opens it, and exports its plan, requirements and rig"),
            (Role::Rig, Requirements) => format!(
                "plan them, then write the plan's scenario: `diskwright plan {file} --format json > plan.json`, then \
                 `diskwright provision plan.json --target rig > rig.toml`"
            ),
            (Role::Rig, Plan) => format!("write its scenario: `diskwright provision {file} --target rig > rig.toml`"),
            (Role::Rig, kind) if kind.is_load() && command == "emulate" => format!(
                "name the scenario, and run the workload on it: `diskwright emulate RIG.toml --mount VOLUME=DIR -- fio {file}` in real \
                 time, `diskwright simulate RIG.toml {file}` in virtual time; {SCENARIO}"
            ),
            (Role::Rig, kind) if kind.is_load() => {
                format!("name the scenario first: `diskwright simulate RIG.toml {file}`; {SCENARIO}")
            }
            (Role::Rig, _) => SCENARIO.into(),
            (Role::Demand, Recording) => {
                format!("write them with `diskwright observe {file} --format toml > requirements.toml`")
            }
            (Role::Demand, Plan) => format!(
                "it is already a plan: `diskwright report {file} -o report.html` shows it, `diskwright provision {file} -o build` \
                 writes its scripts"
            ),
            (Role::Demand, Checklist) => "print it again with `diskwright observe ... --format toml`".into(),
            (Role::Demand, _) => "write them with `diskwright observe RECORDING --format toml > requirements.toml`; \
                                  `diskwright init requirements` prints a starter file"
                .into(),
            (Role::Load, Scenario) if command == "convert" => {
                format!("name a workload, and give the scenario with `--rig`: `diskwright convert mine.fio --to diskspd --rig {file}`")
            }
            (Role::Load | Role::LoadOrDemand, Scenario) => {
                format!("name the scenario first, then the workload: `diskwright simulate {file} mine.fio`")
            }
            (Role::Load, Requirements) => {
                format!("`diskwright simulate RIG.toml {file}` replays them, `diskwright bench RIG.toml --suite checklist --requirements {file}` measures them")
            }
            (Role::Load | Role::LoadOrDemand, Plan) => {
                format!("write its verification job: `diskwright provision {file} --target fio > verify.fio`")
            }
            (Role::Load | Role::LoadOrDemand, Recording) => format!(
                "convert it first: `diskwright observe {file} --format toml > requirements.toml`, then \
                 `diskwright simulate RIG.toml requirements.toml`"
            ),
            (Role::Load | Role::LoadOrDemand, _) => {
                "name a fio job file, a DiskSpd profile or command lines, an Iometer .icf, or a vdbench parameter file"
                    .into()
            }
            (Role::Planned | Role::PlannedOrRig, Requirements) => {
                format!("plan first: `diskwright plan {file} --format json > plan.json`")
            }
            (Role::Planned | Role::PlannedOrRig, _) => PLAN.into(),
            (Role::Results, FioJob) => {
                format!("run it, and pass its output: `fio --output-format=json {file} > result.json`")
            }
            (Role::Results, Scenario) => {
                format!("measure it: `diskwright bench {file} --target VOLUME=PATH --format json > result.json`")
            }
            (Role::Results, _) => "give the output of `diskwright bench --format json`, fio, DiskSpd or Iometer".into(),
            (Role::Recordings | Role::Opened | Role::Documents, Scenario) => {
                format!("run a workload on it: `diskwright simulate {file} mine.fio --format json > run.json`")
            }
            (Role::Recordings | Role::Opened, Requirements) => format!("plan with them: `diskwright plan {file}`"),
            (Role::Recordings | Role::Opened | Role::Documents, kind) if kind.is_load() => {
                format!("run it first: `diskwright simulate RIG.toml {file} --format json > run.json`")
            }
            (Role::Recordings | Role::Opened, _) => format!("`diskwright report {file} -o report.html` shows it"),
            (Role::Records, _) => {
                "fetch them: `az vm list-skus --location eastus -o json > skus.json`, or a page of the retail prices API".into()
            }
            (Role::Documents, _) => {
                "give the `--format json` output of `diskwright observe`, `plan`, `explain`, `simulate`, `bench` or `verify`".into()
            }
        }
    }
}

/// Files beyond this are not looked at once more.
const LARGEST: u64 = 64 << 20;

/// The error, or what is said instead where an argument names a file of another kind than it wants.
pub fn explained(error: Error, command: &clap::Command, matches: &ArgMatches) -> Error {
    if !matches!(error.kind, dw_error::Kind::Input | dw_error::Kind::Usage) {
        return error;
    }
    let (mut command, mut matches, mut words) = (command, matches, Vec::new());
    while let Some((name, of_it)) = matches.subcommand() {
        let Some(found) = command.find_subcommand(name) else { break };
        words.push(name);
        (command, matches) = (found, of_it);
    }
    if let Some(swapped) = swapped(&error, command, matches, &words) {
        return swapped;
    }
    for arg in command.get_arguments() {
        let id = arg.get_id().as_str();
        let Some(role) = words.last().and_then(|name| Role::of_argument(name, id)) else { continue };
        let Ok(Some(paths)) = matches.try_get_many::<PathBuf>(id) else { continue };
        for path in paths {
            let Some(kind) = of_file(path).filter(|kind| !role.takes(*kind)) else { continue };
            let wanting = match arg.get_long() {
                Some(long) if !arg.is_positional() => format!("--{long}"),
                _ => words.join(" "),
            };
            return of_other_kind(error.kind, path, kind, (&words.join(" "), &wanting), role);
        }
    }
    error
}

/// Two files of which each is what the other is wanted to be.
fn swapped(error: &Error, command: &clap::Command, matches: &ArgMatches, words: &[&str]) -> Option<Error> {
    let mut wrong: Vec<(Role, PathBuf, FileKind)> = Vec::new();
    let mut has_option = false;
    for arg in command.get_arguments() {
        let id = arg.get_id().as_str();
        let Some(role) = words.last().and_then(|name| Role::of_argument(name, id)) else { continue };
        for path in matches.try_get_many::<PathBuf>(id).ok().flatten().into_iter().flatten() {
            let kind = of_file(path).filter(|kind| !role.takes(*kind))?;
            wrong.push((role, path.clone(), kind));
            has_option |= !arg.is_positional();
        }
    }
    let [(role, path, kind), (other_role, other, other_kind)] = wrong.as_slice() else { return None };
    // Of arguments alone the remedy shows the order.
    if !has_option || !role.takes(*other_kind) || !other_role.takes(*kind) {
        return None;
    }
    let (name, other) = (input::name(path), input::name(other));
    let what = format!("{name} {}, and {other} {}", kind.is(), other_kind.is());
    Some(Error::new(error.kind, what).hint("swap the two"))
}

fn of_other_kind(
    kind: dw_error::Kind,
    path: &Path,
    file_kind: FileKind,
    (command, wanting): (&str, &str),
    role: Role,
) -> Error {
    let name = input::name(path);
    let file = if input::is_standard_input(path) { "FILE" } else { &name };
    let what = format!("{name} {}; {wanting} wants {}", file_kind.is(), role.name());
    Error::new(kind, what).hint(role.remedy(file_kind, file, command))
}

/// Refuses a file that is known to be neither a recording nor a shared design, for whoever does not read it at once.
#[cfg_attr(not(feature = "studio"), allow(dead_code))]
pub(crate) fn is_opened_by(command: &str, path: &Path) -> Result<(), Error> {
    // Whatever is larger is a recording, or too large to look at.
    let is_small = std::fs::metadata(path).is_ok_and(|file| file.len() <= BEGINNING as u64);
    let kind = if is_small { of_file(path) } else { None };
    match kind.filter(|kind| !Role::Opened.takes(*kind)) {
        Some(kind) => Err(of_other_kind(dw_error::Kind::Usage, path, kind, (command, command), Role::Opened)),
        None => Ok(()),
    }
}

/// A file that can be read once more.
fn read(path: &Path) -> Option<Vec<u8>> {
    if input::is_standard_input(path) {
        return input::standard_input_as_read();
    }
    let file = std::fs::metadata(path).ok().filter(|file| file.is_file() && file.len() <= LARGEST)?;
    (file.len() > 0).then(|| std::fs::read(path).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RIG: &str = "[vm]\nsize = \"Standard_DS14\"\n\n[[volume]]\nname = \"data\"\ndisks = \"P30\"\n";
    const IOSTAT: &str = include_str!("../../diskwright/data/iostat.txt");

    #[test]
    fn a_kind_is_known_by_what_is_in_the_file() {
        let vm_alone = "[[volume]]\nname = \"data\"\ndisks = \"2 x P30\"\n";
        let damaged = RIG.replace("\"P30\"", "P30");
        let cases: &[(&str, Option<FileKind>)] = &[
            (RIG, Some(Scenario)),
            (vm_alone, Some(Scenario)),
            (&damaged, Some(Scenario)),
            ("[vm]\nsize = \"DS99\"\n", Some(Scenario)),
            ("[vm]\nrw=read\nsize=1g\n", Some(FioJob)),
            ("[[volume]]\nname = \"a\"\ncapacity = \"1 TiB\"\n", Some(Requirements)),
            ("schema_version = 1\n[plan]\ndisks = [\"P30\"]\n[[volume]]\nname = \"a\"\n", Some(Requirements)),
            (r#"{"answer": "", "limits": [], "alternatives": []}"#, Some(Plan)),
            (r#"{"volumes": [], "findings": [], "sources": []}"#, Some(Checklist)),
            (r#"{"jobs": [], "diskwright": {}}"#, Some(Run)),
            (r#"{"document": "bench"}"#, Some(Bench)),
            (r#"{"document": "verify"}"#, Some(Verify)),
            (r#"{"document": "calibration"}"#, Some(Calibration)),
            (r#"{"document": "audit"}"#, Some(Audit)),
            (r#"{"document": "plan-comparison"}"#, Some(PlanComparison)),
            (r#"{"document": "studio", "schema_version": 1}"#, Some(Shared)),
            (r#"{"finding": "", "verdict": "", "changes": []}"#, Some(Explain)),
            (r#"{"a": "", "b": "", "rows": [], "summary": ""}"#, Some(PlanDiff)),
            (r#"{"fio version": "fio-3.33", "jobs": []}"#, Some(Measured)),
            (r#"{"document": "sweep", "schema_version": 1, "runs": []}"#, Some(Sweep)),
            ("[global]\nioengine=libaio\n[x]\nrw=read\n", Some(FioJob)),
            ("diskspd -b8K -d10 x.dat\n", Some(DiskSpd)),
            ("<Profile>\n</Profile>\n", Some(DiskSpd)),
            ("Version 1.1.0\n'TEST SETUP ====\n", Some(Iometer)),
            ("sd=sd1,lun=/dev/sdb\nwd=wd1,sd=sd1\nrd=rd1,wd=wd1\n", Some(Vdbench)),
            (IOSTAT, Some(Recording)),
            ("{\"half\": ", None),
            ("{}", None),
            ("", None),
            ("Dear all,\nplease find attached\n", None),
        ];
        for (text, kind) in cases {
            assert_eq!(recognise(text.as_bytes()), *kind, "{text}");
        }
        assert_eq!(recognise(&[0xff; 8]), Some(Recording));
    }

    /// Whatever is given, the remedy is a whole sentence that names the file or a way to a right one.
    #[test]
    fn every_role_has_a_remedy_for_every_kind() {
        let kinds = <FileKind as clap::ValueEnum>::value_variants();
        let roles = [
            Role::Rig,
            Role::Load,
            Role::LoadOrDemand,
            Role::Demand,
            Role::Planned,
            Role::PlannedOrRig,
            Role::Results,
            Role::Recordings,
            Role::Opened,
            Role::Documents,
        ];
        for role in roles {
            assert!(kinds.iter().any(|kind| role.takes(*kind)), "{role:?}");
            for &kind in kinds.iter().filter(|kind| !role.takes(**kind)) {
                let remedy = role.remedy(kind, "the.file", "simulate");
                assert!(
                    remedy.contains("the.file") || remedy.contains("diskwright") || remedy.contains("name a"),
                    "{remedy}"
                );
            }
        }
    }
}
