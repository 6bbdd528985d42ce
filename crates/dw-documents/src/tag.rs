//! The word by which a document is known: one type each, so that a document of another kind is never read as this one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! tags {
    ($($name:ident = $word:literal, $what:literal;)*) => {$(
        #[doc = concat!("Always `", $word, "`: ", $what, ".")]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[schemars(inline)]
        pub enum $name {
            #[doc = concat!("Always `", $word, "`.")]
            #[default]
            #[serde(rename = $word)]
            Always,
        }
    )*};
}

tags! {
    OfAudit = "audit", "a result of `audit`";
    OfBench = "bench", "a result of `bench`";
    OfCalibration = "calibration", "a result of `calibrate`";
    OfChecklist = "checklist", "a result of `observe`";
    OfExplain = "explain", "a result of `explain`";
    OfPlan = "plan", "a result of `plan`";
    OfPlanComparison = "plan-comparison", "a result of `plan --compare`";
    OfPlanDiff = "plan-diff", "a result of `plan diff`";
    OfRun = "run", "a result of `simulate`";
    OfSweep = "sweep", "a result of `simulate --sweep` or `--seeds`";
    OfVerify = "verify", "a result of `verify`";
}
