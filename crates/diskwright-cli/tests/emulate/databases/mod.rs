//! PostgreSQL with pgbench and MariaDB with sysbench on emulated disks that are mounted: what people do with `emulate`, end to end.
//!
//! - `mounted`: an emulated disk as a folder, with a database on it before anybody times anything.
//! - `server`: a database server on a socket, its load, and clients that log what was acknowledged.
//! - `rehearsed`: recorded on a fast disk, predicted for another, rehearsed there, compared. Real time: runs alone.
//! - `crashed`: what a crash of the host leaves of what was acknowledged.
//! - `recipe`: the recipe for CI in the guide, run.
//! - `soak`: four servers for as long as `DISKWRIGHT_SOAK_MINUTES` says.
//!
//! The gate runs the commits that are lost without `fsync`; `DISKWRIGHT_DATABASES=full` adds all others, ten minutes.

mod crashed;
mod mounted;
mod recipe;
mod rehearsed;
mod server;
mod soak;

/// Whether the long ones run, too.
fn full() -> bool {
    std::env::var_os("DISKWRIGHT_DATABASES").is_some_and(|which| which == "full")
}
