//! When fio issues, when it ends, and what it reports of it.

use dw_units::Duration;
use dw_workload::{LatencyReport, Pacing, Rate, RateFloor};

use super::Section;
use crate::convert::streams::{directions, read_percent};
use crate::fio::FioJobs;

impl Section<'_, '_> {
    pub(super) fn order(&mut self, jobs: &FioJobs) {
        let job = self.job;
        if job.ramp > Duration::ZERO {
            self.set("ramp_time", time(job.ramp));
        }
        let (from, to) = job.start_delay;
        if to > Duration::ZERO {
            let text = if from == to { time(from) } else { format!("{}-{}", time(from), time(to)) };
            self.set("startdelay", text);
        }
        if job.exit_all {
            self.flag("exitall");
        }
        if job.wait_for.is_some() {
            let name = job.options.iter().rev().find(|(name, _)| name == "wait_for").map(|(_, value)| value.clone());
            match name {
                Some(name) => self.set("wait_for", name),
                None => self.lose(&["wait_for"], "waits for another section, which has no name here"),
            }
        }
        let sync = job.sync;
        if sync.every_writes > 0 {
            self.set("fsync", sync.every_writes);
        }
        if sync.each_write {
            self.set("sync", 1);
        }
        if sync.at_end {
            self.set("end_fsync", 1);
        }
        if let Some(verify) = job.verify {
            let method = job.options.iter().chain(&jobs.global_options).find(|(name, _)| name == "verify");
            self.set("verify", method.map_or("crc32c", |(_, method)| method));
            if verify.backlog > 0 {
                self.set("verify_backlog", verify.backlog);
                self.set("verify_backlog_batch", verify.batch);
            }
        }
        if let Some(flow) = job.flow {
            self.set("flow", flow.weight as i32);
            self.set("flow_id", flow.id);
            if flow.sleep > Duration::ZERO {
                self.set("flow_sleep", flow.sleep.ns() / 1_000);
            }
        }
        if let Some(steady) = job.steady {
            let what = if steady.bytes { "bw" } else { "iops" };
            let slope = if steady.slope { "_slope" } else { "" };
            let percent = if steady.percent { "%" } else { "" };
            self.set("steadystate", format!("{what}{slope}:{}{percent}", steady.limit));
            self.set("steadystate_duration", steady.duration_s);
            if steady.ramp > Duration::ZERO {
                self.set("steadystate_ramp_time", time(steady.ramp));
            }
        }
    }

    pub(super) fn pace(&mut self) {
        let job = self.job;
        let number = |rate: &Option<Rate>, iops: bool| match rate {
            Some(Rate::Iops(n)) if iops => n.to_string(),
            Some(Rate::BytesPerSecond(n)) if !iops => n.to_string(),
            _ => String::new(),
        };
        let rates = [job.rate.read, job.rate.write, job.rate.trim];
        if job.pacing == Pacing::Credit {
            let all = rates.iter().flatten().next();
            if let Some(Rate::BytesPerSecond(bytes)) = all {
                if directions(job).len() > 1 {
                    let reads = bytes * u64::from(read_percent(job)) / 100;
                    self.set("rate", format!("{},{}", reads.max(1), (bytes - reads).max(1)));
                    self.lose(&["-g"], "is one limit for reads and writes together; it is divided by the mix");
                } else {
                    self.set("rate", bytes);
                }
                self.lose(&["-g"], "holds requests back one by one; fio waits for all in flight before each pause");
            }
        } else {
            for (name, iops) in [("rate_iops", true), ("rate", false)] {
                if rates.iter().any(|rate| !number(rate, iops).is_empty()) {
                    self.triple(name, &job.rate, |rate| number(rate, iops));
                }
            }
            if matches!(job.pacing, Pacing::Poisson | Pacing::PoissonOffload | Pacing::Exponential) {
                self.set("rate_process", "poisson");
            }
            if matches!(job.pacing, Pacing::LinearOffload | Pacing::PoissonOffload | Pacing::Exponential | Pacing::Even)
            {
                self.set("io_submit_mode", "offload");
            }
            if matches!(job.pacing, Pacing::Exponential | Pacing::Even) {
                let what = "has gaps of any length; fio's are whole microseconds, and even ones are of bytes: high rates and mixed sizes differ";
                self.lose(&["iorate"], what);
            }
        }
        let floor = |floor: &Option<RateFloor>, iops: bool| match floor {
            Some(RateFloor::Iops(n)) if iops => n.to_string(),
            Some(RateFloor::BytesPerSecond(n)) if !iops => n.to_string(),
            _ => String::new(),
        };
        let floors = [job.rate_floor.read, job.rate_floor.write, job.rate_floor.trim];
        for (name, iops) in [("rate_iops_min", true), ("rate_min", false)] {
            if floors.iter().any(|f| !floor(f, iops).is_empty()) {
                self.triple(name, &job.rate_floor, |f| floor(f, iops));
                self.set("rate_cycle", job.rate_cycle.ns() / 1_000_000);
            }
        }
        let Some(think) = job.think else { return };
        self.set("thinktime", format!("{}us", think.time.ns() / 1_000));
        if think.spin > Duration::ZERO {
            self.set("thinktime_spin", format!("{}us", think.spin.ns() / 1_000));
        }
        if think.blocks != 1 && think.blocks != u32::MAX {
            self.set("thinktime_blocks", think.blocks);
        }
        if think.counted_at_issue {
            self.set("thinktime_blocks_type", "issue");
        }
        if think.io_time > Duration::ZERO {
            self.set("thinktime_iotime", format!("{}us", think.io_time.ns() / 1_000));
        }
        if think.rate_ignores {
            self.set("rate_ignore_thinktime", 1);
        }
        if think.overlaps {
            self.lose(
                &["-j", "-i", "delay"],
                "begins its pause while requests are in flight; fio waits for them first",
            );
        }
    }

    pub(super) fn end(&mut self) {
        let stop = self.job.stop;
        if let Some(runtime) = stop.runtime {
            self.set("runtime", time(runtime));
        }
        if stop.time_based {
            self.flag("time_based");
        }
        if let Some(ios) = stop.ios {
            self.set("number_ios", ios);
        }
        if stop.loops > 1 {
            self.set("loops", stop.loops);
        }
    }

    pub(super) fn report(&mut self, clones: u32, jobs: &FioJobs) {
        let job = self.job;
        if clones > 1 {
            self.set("numjobs", clones);
        }
        if job.group_reporting {
            self.flag("group_reporting");
        }
        if let Some(text) = &job.description {
            self.set("description", text);
        }
        let of_fio = job.options.iter().chain(&jobs.global_options).any(|(name, _)| name == "rw");
        if !job.repeat_on_loop && of_fio {
            self.set("randrepeat", 0);
        }
        let latency = &job.latency;
        let usual = LatencyReport::default();
        if latency.percentiles != usual.percentiles {
            let list: Vec<String> = latency.percentiles.iter().map(f64::to_string).collect();
            self.set("percentile_list", list.join(":"));
        }
        if latency.disabled {
            self.set("disable_lat", 1);
            self.set("disable_clat", 1);
        } else if !latency.clat {
            self.set("clat_percentiles", 0);
        }
        for (name, on) in [("slat_percentiles", latency.slat), ("lat_percentiles", latency.lat)] {
            if on {
                self.set(name, 1);
            }
        }
        if latency.unified {
            self.set("unified_rw_reporting", 1);
        }
    }
}

/// Seconds, or microseconds with their unit.
fn time(duration: Duration) -> String {
    let ns = duration.ns();
    if ns.is_multiple_of(1_000_000_000) { (ns / 1_000_000_000).to_string() } else { format!("{}us", ns / 1_000) }
}
