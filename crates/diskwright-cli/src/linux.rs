//! What needs Linux: emulation and what speaks with it, recordings of this machine, real fio on real targets.
//!
//! Lives here: the commands `emulate`, `ctl` and `top`, `observe` without files, `bench` but `--simulate`.
//! Never here: what a file says, what a document looks like; those work everywhere.
//! Read next: `emulate.rs`, `device.rs`. [`crate::absent`] stands in for each of these on other systems, and in a program that is
//! built without the feature `linux`.

pub mod capture;
pub mod ctl;
pub mod device;
pub mod emulate;
pub mod top;
