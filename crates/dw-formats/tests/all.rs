//! All integration tests of this crate, as one program.

mod cases;
mod common;
mod convert;
mod fio_corpus;
mod fio_fuzz;
mod fio_semantics;
mod keys;
mod loads_fuzz;
mod results;
mod results_fuzz;
mod scenario;
mod vendors;
