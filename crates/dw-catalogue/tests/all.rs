//! All integration tests of this crate, as one program.

mod behind_door;
mod facts;
mod integrity;
mod latency;
mod offers;
mod plan_keys;
mod prices;
mod services;
