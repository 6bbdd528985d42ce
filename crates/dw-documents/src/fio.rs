//! What is read of fio's JSON where we ran it, keep it or wrote it in its shape: fio leaves fields out by version and option, so what
//! is absent is zero here.
//!
//! Never here: files from anywhere, with old units, other text around them and errors with lines (`dw_formats::results`).

use serde::Deserialize;
use serde_json::{Map, Value};

/// A job of fio, or a group of jobs that reports together.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Job {
    /// Its name.
    pub jobname: String,
    /// fio's error number; 0 = it ended well.
    #[serde(default)]
    pub error: i64,
    /// What it read.
    #[serde(default)]
    pub read: Direction,
    /// What it wrote.
    #[serde(default)]
    pub write: Direction,
    /// Processor time in user mode, in percent of one processor.
    #[serde(default)]
    pub usr_cpu: f64,
    /// Processor time in the kernel.
    #[serde(default)]
    pub sys_cpu: f64,
    /// Milliseconds that it ran.
    #[serde(default)]
    pub job_runtime: f64,
}

/// The jobs of a result, of one host or of several; the sum that fio adds for several hosts is none of them and has no percentiles.
pub fn jobs(result: &Value) -> Vec<Job> {
    let list = ["jobs", "client_stats"].iter().find_map(|key| result.get(key)?.as_array());
    let read = list.into_iter().flatten().filter_map(|job| Job::deserialize(job).ok());
    read.filter(|job| job.jobname != "All clients").collect()
}

impl Job {
    /// A direction by its name, `read` or `write`.
    pub fn direction(&self, name: &str) -> Option<&Direction> {
        match name {
            "read" => Some(&self.read),
            "write" => Some(&self.write),
            _ => None,
        }
    }

    /// Processor time, in percent of one processor.
    pub fn cpu_percent(&self) -> f64 {
        self.usr_cpu + self.sys_cpu
    }
}

/// One direction of a job.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Direction {
    /// I/Os per second.
    pub iops: f64,
    /// Bytes per second.
    pub bw_bytes: f64,
    /// KiB per second, which old versions print alone.
    pub bw: f64,
    /// I/Os.
    pub total_ios: u64,
    /// Bytes.
    pub io_bytes: u64,
    /// Latency after submission.
    pub clat_ns: Latency,
    /// The whole latency.
    pub lat_ns: Latency,
}

/// A latency in nanoseconds.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Latency {
    /// Its mean.
    pub mean: f64,
    /// The longest.
    pub max: f64,
    /// How many it is of.
    #[serde(rename = "N")]
    pub count: u64,
    /// Nanoseconds by percentile, such as `99.000000`.
    pub percentile: Map<String, Value>,
    /// Counts by nanoseconds, the middle of a bin; JSON+ alone has them.
    pub bins: Map<String, Value>,
}

impl Latency {
    /// Percentile and nanoseconds, in order.
    pub fn percentiles(&self) -> Vec<(f64, f64)> {
        let read = |(percent, ns): (&String, &Value)| Some((percent.parse().ok()?, ns.as_f64()?));
        let mut list: Vec<(f64, f64)> = self.percentile.iter().filter_map(read).collect();
        list.sort_by(|a, b| a.0.total_cmp(&b.0));
        list
    }

    /// Nanoseconds, the middle of a bin, and how many there are.
    pub fn bins(&self) -> impl Iterator<Item = (u64, u64)> {
        self.bins.iter().filter_map(|(ns, count)| Some((ns.parse().ok()?, count.as_u64()?)))
    }
}

impl Direction {
    /// Bytes per second; old versions print KiB only.
    pub fn bytes_per_s(&self) -> f64 {
        if self.bw_bytes > 0.0 { self.bw_bytes } else { self.bw * 1_024.0 }
    }

    /// Mean of the whole latency, or of the part after submission where that is all there is.
    pub fn mean_ns(&self) -> f64 {
        if self.lat_ns.mean > 0.0 { self.lat_ns.mean } else { self.clat_ns.mean }
    }

    /// Percentile and nanoseconds, in order: after submission, or of the whole latency where that is all there is.
    pub fn percentiles(&self) -> Vec<(f64, f64)> {
        let list = self.clat_ns.percentiles();
        if list.is_empty() { self.lat_ns.percentiles() } else { list }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn jobs_of_one_host_and_of_several_are_read_without_their_sum() {
        let job = |name: &str| {
            json!({ "jobname": name, "usr_cpu": 10.0, "sys_cpu": 30.0, "read": { "total_ios": 4, "bw": 2,
                "clat_ns": { "mean": 2000.0, "max": 5000, "N": 4, "bins": { "1000": 3, "5000": 1 } },
                "lat_ns": { "mean": 2100.0, "percentile": { "99.000000": 5000, "50.000000": 1000 } } } })
        };
        let one = jobs(&json!({ "jobs": [job("a"), job("b")] }));
        assert_eq!(jobs(&json!({ "client_stats": [job("a"), job("b"), job("All clients")] })), one);
        assert_eq!((one.len(), one[0].cpu_percent(), one[0].read.bytes_per_s()), (2, 40.0, 2048.0));
        let read = one[0].direction("read").unwrap();
        assert_eq!(read.percentiles(), [(50.0, 1000.0), (99.0, 5000.0)]);
        assert_eq!(read.clat_ns.bins().collect::<Vec<_>>(), [(1000, 3), (5000, 1)]);
        assert_eq!((read.clat_ns.count, read.mean_ns()), (4, 2100.0));
    }
}
