//! All integration tests of this crate, as one program.

mod facts;
mod integrity;
mod latency;
mod offers;
mod plan_keys;
mod prices;
mod services;
