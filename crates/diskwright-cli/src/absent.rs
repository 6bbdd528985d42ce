//! What this program does not have: a command that needs Linux, or was left out of the build, says which of both it is.
//!
//! Compiled always, so that it never falls behind what it stands in for; `lib.rs` chooses between them.

use std::ffi::OsString;

use clap::Args;
use dw_error::Error;

/// The arguments of a command that is not there: any.
#[derive(Debug, Args)]
pub struct Anything {
    /// Not looked at
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    pub rest: Vec<OsString>,
}

/// Refuses `what`, which needs Linux and the feature `linux`: on another system the feature would change nothing.
pub fn of_linux(what: &str) -> Error {
    if cfg!(target_os = "linux") { not_built(what, "linux") } else { needs_linux(what) }
}

fn needs_linux(what: &str) -> Error {
    Error::usage(format!("{what} needs Linux")).hint("run it in a Linux VM or WSL")
}

fn not_built(what: &str, feature: &str) -> Error {
    Error::usage(format!("this program was built without {what}"))
        .hint(format!("build it with `cargo build --release -p diskwright-cli --features {feature}`"))
}

/// `emulate`.
pub mod emulate {
    use crate::exit::Exit;

    /// Any.
    pub type EmulateArgs = super::Anything;

    /// Refuses.
    pub fn run(_: &EmulateArgs) -> dw_error::Result<Exit> {
        Err(super::of_linux("`emulate`"))
    }
}

/// `ctl`.
pub mod ctl {
    use std::io::Write;
    use std::path::Path;

    use crate::exit::Exit;

    /// Any.
    pub type CtlArgs = super::Anything;

    /// Refuses.
    pub fn run(_: &CtlArgs, _: &mut dyn Write) -> dw_error::Result<Exit> {
        Err(super::of_linux("`ctl`"))
    }

    /// Refuses.
    pub fn relay<T>(_: &Path) -> dw_error::Result<T> {
        Err(super::of_linux("`studio --emulator`"))
    }

    /// The committed one: the types that it is made from are the emulator's.
    pub fn schema() -> serde_json::Value {
        serde_json::from_str(include_str!("../../../schemas/control.schema.json")).unwrap_or_default()
    }
}

/// `top`.
pub mod top {
    use std::io::Write;

    use crate::exit::Exit;

    /// Any.
    pub type TopArgs = super::Anything;

    /// Refuses.
    pub fn run(_: &TopArgs, _: &mut dyn Write) -> dw_error::Result<Exit> {
        Err(super::of_linux("`top`"))
    }
}

/// `observe` without files.
pub mod capture {
    use dw_observe::{Recorder, Settings};

    use crate::exit::Exit;
    use crate::observe::ObserveArgs;

    /// Refuses.
    pub fn record(_: &ObserveArgs, _: &Settings) -> dw_error::Result<(Recorder, Exit)> {
        let mut refusal = super::of_linux("live recording");
        if cfg!(windows) {
            refusal.hint.push_str("; docs/guide/observe.md explains how to record on Windows");
        }
        Err(refusal)
    }
}

/// `bench` but `--simulate`.
pub mod device {
    use std::io::Write;

    use diskwright::bench::Bench;
    use dw_sim::Progress;

    use crate::bench::BenchArgs;
    use crate::exit::Exit;

    /// Refuses.
    pub fn measure(_: &BenchArgs, _: Bench, _: &Progress, _: &mut dyn Write) -> dw_error::Result<Exit> {
        Err(super::of_linux("`bench` on disks or the emulator"))
    }
}

/// `studio`.
pub mod studio {
    use std::io::Write;

    use crate::exit::Exit;

    /// Any.
    pub type StudioArgs = super::Anything;

    /// Refuses.
    pub fn run(_: &StudioArgs, _: &mut dyn Write) -> dw_error::Result<Exit> {
        Err(super::not_built("`studio`", "studio"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_which_feature_or_which_system() {
        let (feature, system) = (not_built("`emulate`", "linux"), needs_linux("`emulate`"));
        assert_eq!(
            feature.to_string(),
            "error: this program was built without `emulate`\n\
             hint: build it with `cargo build --release -p diskwright-cli --features linux`"
        );
        assert_eq!(system.to_string(), "error: `emulate` needs Linux\nhint: run it in a Linux VM or WSL");
        let here = if cfg!(target_os = "linux") { feature } else { system };
        assert_eq!((of_linux("`emulate`").to_string(), here.kind), (here.to_string(), dw_error::Kind::Usage));
    }

    #[test]
    fn the_committed_schema_of_control_is_that_of_the_emulator() {
        assert_eq!(ctl::schema(), crate::linux::ctl::schema());
    }
}
