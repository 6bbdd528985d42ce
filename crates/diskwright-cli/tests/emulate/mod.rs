//! `diskwright emulate` and its clients.
//!
//! - `bench`: `diskwright bench` on emulated disks and on files.
//! - `support`: a running emulator, and the programs that talk to it.
//! - `clients`: libnbd's tools, QEMU's, fio.
//! - `detach`: an emulation in the background.
//! - `databases`: PostgreSQL and MariaDB on mounted disks.
//! - `crash`: crashes by command and by `kill -9`, under a load that checks every byte.
//! - `contradicted`: options and words that cannot be meant.
//! - `gone`: the disks' files are taken away.
//! - `filesystem`: ext4 through an export.
//! - `replay`: logs of what became durable, for crash checkers.
//! - `tester`: the NBD project's own test client.
//! - `encrypted`: TLS.
//! - `hardship`: clients that vanish, flood, dawdle, or talk nonsense.
//! - `raw`: a client that says anything.
//! - `guest`: a real guest.
//! - `control`: `diskwright ctl` and the channel behind it.
//! - `mount`: volumes as folders, and a command on them; `mount_without`: where something is missing for it.
//! - `memory`: disks that are kept in memory, and its end.
//! - `timeline`: the same at instants of the model.
//! - `metrics`, `top`, `studio`: watching it; `trust`: that they agree.
//! - `accuracy`: what the disks promise about time.
//! - `speed`: what a waiting request costs.
//! - `vhost_user`: guests that are no QEMU.
//! - `twin`: the simulator and the emulator side by side.

mod accuracy;
mod bench;
mod clients;
mod contradicted;
mod control;
mod crash;
mod credits;
mod databases;
mod detach;
mod encrypted;
mod filesystem;
mod gone;
mod guest;
mod hardship;
mod memory;
mod metrics;
mod mount;
mod mount_without;
mod raw;
mod replay;
mod speed;
mod studio;
mod support;
mod tester;
mod timeline;
mod top;
mod trust;
mod twin;
mod vhost_user;
