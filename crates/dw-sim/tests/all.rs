//! All integration tests of this crate, as one program.

mod by_kind;
mod closed_loop;
mod engines;
mod estimates;
mod fio_files;
mod fio_nbd;
mod fio_null;
mod job_files;
mod leaps;
mod oracle;
mod support;
