//! What this program was built without: a command that needs it says which feature to build with.

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

/// Refuses `what`, which needs `feature`.
pub fn refusal(what: &str, feature: &str) -> Error {
    Error::usage(format!("this program was built without {what}"))
        .hint(format!("build it with `cargo build --release -p diskwright-cli --features {feature}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_the_feature() {
        let failure = refusal("`emulate`", "emulator");
        assert_eq!(failure.kind, dw_error::Kind::Usage);
        assert!(failure.what.contains("without `emulate`") && failure.hint.contains("--features emulator"));
    }
}
