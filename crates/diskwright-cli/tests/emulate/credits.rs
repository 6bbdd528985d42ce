//! Volumes and instances whose rates are credits, through real fio: what passes is what the rule says, within half a percent.
//!
//! What fio did, plus the credits that are left, is the credits at the start plus the base for as long as the emulator runs. A slow machine
//! bursts slower and has more credits left, so the sum holds on it, too; what is steady is judged as [`super::accuracy`] judges it.

use serde_json::Value;

use crate::emulate::support::{Emulator, call, have, tries, undecided};

/// A limit that bursts, by its name in the status.
struct Bucket {
    limit: &'static str,
    /// Tokens at the start.
    credits: f64,
    /// Tokens a second for good.
    base: f64,
    /// Tokens that one request of fio costs.
    cost: f64,
}

/// One run of fio on the export `data`: how many requests, in how many ms.
fn fio(emulator: &Emulator, args: &str) -> Option<(f64, f64)> {
    let fixed = ["--name=x", "--ioengine=nbd", "--thread", "--time_based", "--output-format=json", "--norandommap"];
    let uri = format!("--uri={}", emulator.uri("data"));
    let text = call("fio", fixed.into_iter().chain(args.split(' ')).chain([uri.as_str()])).ok();
    let document: Value = serde_json::from_str(&text[text.find('{')?..]).expect("fio's JSON");
    let job = &document["jobs"][0];
    let ios = job["read"]["total_ios"].as_f64()? + job["write"]["total_ios"].as_f64()?;
    Some((ios, job["job_runtime"].as_f64()?))
}

/// The limit's credits now, and for how long the emulator has run.
fn left(emulator: &Emulator, limit: &str) -> (f64, f64) {
    let status = emulator.status();
    let limits = status["limits"].as_array().expect("the status has limits");
    let own = limits.iter().find(|own| own["limit"] == limit);
    let own = own.unwrap_or_else(|| panic!("no limit {limit}: {limits:?}"));
    (own["credits"].as_f64().expect("it bursts"), status["at_ns"].as_f64().expect("it has a time") / 1e9)
}

/// Runs of fio with pauses in seconds before them.
#[track_caller]
fn keeps(rig: &str, bucket: &Bucket, runs: &[(u64, &str)]) {
    if !have(&["fio"]) {
        return;
    }
    let emulator = Emulator::start_with(rig, &["--null"]);
    let mut tokens = 0.0;
    for (pause, args) in runs {
        std::thread::sleep(std::time::Duration::from_secs(*pause));
        let Some((ios, _)) = fio(&emulator, args) else { panic!("fio printed nothing") };
        tokens += ios * bucket.cost;
    }
    let (left, seconds) = left(&emulator, bucket.limit);
    let expected = bucket.credits + bucket.base * seconds - left;
    let off = (tokens / expected - 1.0).abs();
    assert!(off <= 0.005, "{rig}: {tokens} tokens in {seconds} s with {left} left, {expected} expected");
}

fn volume(vm: &str, disk: &str, levels: &str) -> String {
    format!("{vm}\n[[volume]]\nname = \"data\"\ndisks = [{{ {disk} }}]\n[start]\nlevels = {{ {levels} }}\n")
}

const MIB: f64 = 1_048_576.0;

#[test]
fn a_gp2_runs_dry_and_refills() {
    // 0.1 % of 5.4 million credits last two seconds at 3,000; after five at rest there are as many as it earned.
    let bucket = Bucket { limit: "disk IOPS", credits: 5_400.0, base: 300.0, cost: 1.0 };
    let rig = volume("[vm]", "sku = \"gp2\", size = \"100 GiB\"", "data = \"0.1%\"");
    let load = "--rw=randread --bs=4k --iodepth=32 --runtime=6";
    keeps(&rig, &bucket, &[(0, load), (5, load)]);
}

#[test]
fn an_m5_large_falls_to_its_baseline_after_its_burst() {
    // 0.05 % of the balance is a second of the burst.
    let bucket = Bucket { limit: "vm ebs throughput", credits: 461.25e6, base: 81.25e6, cost: 131_072.0 };
    let disk = "sku = \"gp3\", size = \"500 GiB\", iops = 16000, throughput = \"1000 MiB/s\"";
    let rig = volume("[vm]\nsize = \"m5.large\"", disk, "ebs = \"0.05%\"");
    keeps(&rig, &bucket, &[(0, "--rw=randread --bs=128k --iodepth=32 --runtime=12")]);
}

#[test]
fn an_st1_charges_a_mib_for_a_small_random_write() {
    // 4 TiB earn 160 MiB a second.
    let bucket = Bucket { limit: "disk throughput", credits: 0.0, base: 160.0 * MIB, cost: MIB };
    let rig = volume("[vm]", "sku = \"st1\", size = \"4 TiB\"", "data = \"0%\"");
    keeps(&rig, &bucket, &[(0, "--rw=randwrite --bs=4k --iodepth=64 --runtime=12")]);
}

#[test]
fn an_io2_gives_what_is_bought() {
    if !have(&["fio"]) {
        return;
    }
    let rig = "[vm]\n[[volume]]\nname = \"data\"\ndisks = [{ sku = \"io2\", size = \"100 GiB\", iops = 2000 }]\n";
    let mut seen = Vec::new();
    for _ in 0..tries(5) {
        let emulator = Emulator::start_with(rig, &["--null"]);
        let Some((ios, ms)) = fio(&emulator, "--rw=randwrite --bs=16k --iodepth=64 --runtime=5") else { return };
        let rate = ios * 1e3 / ms;
        assert!(rate <= 2_000.0 * 1.005, "more than was bought: {rate}");
        if rate >= 2_000.0 * 0.995 {
            return;
        }
        seen.push(format!("{rate:.0}"));
    }
    undecided(&format!("the machine was too busy for 2,000 requests a second: {seen:?}"));
}

#[test]
fn a_volume_from_a_snapshot_is_read_as_fast_as_its_blocks_come() {
    if !have(&["fio"]) {
        return;
    }
    // One thread, 512 KiB in 161.8 ms; this machine can only be slower.
    let rig =
        "[vm]\n[[volume]]\nname = \"data\"\ndisks = [{ sku = \"gp3\", size = \"4 GiB\" }]\nfrom_snapshot = true\n";
    let emulator = Emulator::start_with(rig, &["--null"]);
    let Some((ios, ms)) = fio(&emulator, "--rw=read --bs=512k --iodepth=1 --runtime=3") else { return };
    let least = 512.0 * 1_024.0 / 3.24e6 * 1e3;
    assert!(ios > 0.0 && ms / ios >= least, "{ios} blocks in {ms} ms");
    let status = emulator.status();
    let volume = &status["volumes"][0];
    // Those that were read are there, and the one that was under way at the end may be.
    let there = (4u64 << 30) - volume["untouched_bytes"].as_u64().expect("it is from a snapshot");
    assert!((there >> 19).abs_diff(ios as u64) <= 1, "{there} bytes are there after {ios} blocks");
}
