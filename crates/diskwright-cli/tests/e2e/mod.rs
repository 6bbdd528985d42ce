//! Everything a person types, through the binary.
//!
//! - `audit`, `audit_schemas`: inventories in, findings and scenarios out; SARIF and JUnit by their schemas.
//! - `aws`: what the real AWS CLI prints, read.
//! - `support`: running the program and real fio.
//! - `examples`: every folder under `examples/` prints what its `expected.txt` says.
//! - `bad_input`: wrong scenarios, jobs and arguments, with their exact messages.
//! - `mistakes`: what people type and do not mean, with the hint that helps.
//! - `files`: where results go, `-`, files of the wrong kind, and what the system refuses.
//! - `endless`: devices and pipes without an end, a recording with a device in every row.
//! - `exit_codes`: each code, and that the guide lists them.
//! - `fio_json`: the JSON against that of real fio, key by key, and its consumers.
//! - `determinism`: the same bytes for the same inputs, whatever the number of threads.
//! - `results`: what the reports say, in every format.
//! - `sweeps`: `--sweep` and `--seeds`.
//! - `binding`: what is said to hold a volume.
//! - `languages`: results in the languages that there are.
//! - `limits`: which limit is meant, whatever things are called.
//! - `convert`: loads in the words of another tool.
//! - `catalogue_import`: what people fetch themselves, laid over the shipped catalogue.
//! - `price_list`: the same of a vendor that reads its own files.
//! - `help`: what `--help` prints, man pages, the version, colour, files to begin with.
//! - `raw_results`: `verify` and `calibrate` on what other tools print.
//! - `readers`: what users of other tools hold in their hands.
//! - `report`: the whole way, and documents of other commands.
//! - `observe`: recordings into checklists, and live.
//! - `provision`: scripts and jobs from a plan, checked by real tools.
//! - `studio`: the server of the page, as it is started.
//! - `explain`: why a configuration gives what it gives.
//! - `tables`: figures stand apart, in all languages.
//! - `terminal`: what is foreign reaches people as signs.
//! - `repository`: lists that people rely on, against the tree.

mod audit;
mod audit_schemas;
mod aws;
mod bad_input;
mod binding;
mod catalogue_import;
mod convert;
mod determinism;
mod documents;
#[cfg(target_os = "linux")]
mod endless;
mod examples;
mod exit_codes;
mod explain;
mod files;
mod fio_json;
mod help;
mod languages;
mod limits;
mod mistakes;
mod observe;
mod other_loads;
mod own_types;
mod plan;
mod price_list;
mod provision;
mod raw_results;
mod readers;
mod report;
mod repository;
mod results;
mod studio;
pub mod support;
mod sweeps;
mod tables;
mod terminal;
