//! What lines of several documents have alike: which limit they are about, and percentiles of what is asked.

use dw_messages::LimitName;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::LimitId;

/// Which limit a line of a plan or an explanation is about. A line of a run (`run::LimitLine`) names the place and the disks of each
/// limit instead of a volume, and a line of an emulation is of one disk: a volume has several there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitOf {
    /// Its name.
    pub limit: String,
    /// Which limit of the model it is; absent = a constraint that no request meets, such as capacity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<LimitId>,
    /// The volume that it is about.
    pub volume: Option<String>,
    /// Its unit: IOPS, B/s, GiB, disks, vCPU, MiB, us.
    pub unit: String,
}

impl LimitOf {
    /// With its volume: `data disk IOPS`.
    pub fn name(&self) -> String {
        LimitName::from(self).to_string()
    }

    /// Whether it is the mean of a latency; a percentile has its name in that of the limit.
    pub fn is_mean(&self) -> bool {
        self.unit == "us" && self.limit.ends_with("latency")
    }
}

impl From<&LimitOf> for LimitName {
    fn from(of: &LimitOf) -> LimitName {
        match &of.volume {
            Some(volume) => LimitName::of_place(volume, &of.limit),
            None => LimitName::new(&of.limit),
        }
    }
}

/// What is asked over time, by percentile. A checklist has another row: each of its percentiles has a confidence interval. So has a
/// latency, whose percentiles are of requests: a run has the exact least and largest one, and a tool may leave any out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Percentiles {
    /// Median of the demand.
    pub p50: f64,
    /// 90th percentile.
    pub p90: f64,
    /// 99th percentile.
    pub p99: f64,
    /// Largest.
    pub max: f64,
}

impl From<[f64; 4]> for Percentiles {
    /// Median, 90th, 99th, largest.
    fn from([p50, p90, p99, max]: [f64; 4]) -> Percentiles {
        Percentiles { p50, p90, p99, max }
    }
}
