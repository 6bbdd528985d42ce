//! Four servers at once for a long time, on disks whose credits run dry and fill again: memory stays flat, rates exact, nothing is lost.
//!
//! `DISKWRIGHT_SOAK_MINUTES=60 cargo test -p diskwright-cli --test all emulate::databases::soak` runs it; without that it does not.

use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::mounted::{Mounted, possible};
use super::server::{Kind, Server};
use crate::emulate::support::memory_kib;

/// Four small disks that burst for ten seconds of full use, and a VM that is not their limit.
const RIG: &str = "[vm]\nsize = \"Standard_E8ds_v5\"\n";
const VOLUMES: [(&str, Kind); 4] =
    [("pg1", Kind::Postgres), ("pg2", Kind::Postgres), ("my1", Kind::MariaDb), ("my2", Kind::MariaDb)];
/// Clients that drive as hard as they can for so long, then let the credits fill.
const ROUND: (u64, u64) = (40, 20);
/// Between two commits that are checked at the end: as fast as they can be, they would take all that should fill the credits.
const COMMIT_EVERY: Duration = Duration::from_millis(200);

fn rig() -> String {
    let volume = |(name, _): &(&str, Kind)| {
        format!(
            "[[volume]]\nname = \"{name}\"\n\
             disks = [{{ sku = \"P4\", limits = {{ iops = 120, burst_iops = 1000, burst_for = \"4 s\" }} }}]\n"
        )
    };
    RIG.to_string() + &VOLUMES.iter().map(volume).collect::<String>()
}

#[test]
fn four_databases_for_an_hour() {
    let minutes = std::env::var("DISKWRIGHT_SOAK_MINUTES").ok().and_then(|text| text.parse::<u64>().ok());
    let Some(minutes) = minutes else { return };
    if !possible(&[Kind::Postgres, Kind::MariaDb]) {
        return;
    }
    let mounted = Mounted::start_all(&rig(), &VOLUMES);
    let servers: Vec<Server> =
        VOLUMES.iter().map(|(name, kind)| Server::start(*kind, &mounted.dir(name), &[])).collect();
    let committers: Vec<_> =
        (0..).zip(&servers).map(|(c, server)| server.committer(c, 1_000_000, COMMIT_EVERY)).collect();
    let begin = Instant::now();
    let (mut first_rss, mut last_rss, mut most_rss, mut dry, mut refilled) = (0, 0, 0, [0; 4], [0; 4]);
    let mut is_dry = [false; 4];
    while begin.elapsed() < Duration::from_secs(60 * minutes) {
        let quiet = |server: &Server| {
            let mut load = server.load(8, None, ROUND.0, 1);
            load.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a client")
        };
        let mut loads: Vec<_> = servers.iter().map(quiet).collect();
        let round = Instant::now();
        while round.elapsed() < Duration::from_secs(ROUND.0 + ROUND.1) {
            std::thread::sleep(Duration::from_secs(1));
            let status = mounted.status();
            rates_are_exact(&status);
            for (n, share) in credits(&status).into_iter().enumerate() {
                dry[n] += u32::from(!is_dry[n] && share < 0.02);
                refilled[n] += u32::from(is_dry[n] && share > 0.2);
                is_dry[n] = if is_dry[n] { share <= 0.2 } else { share < 0.02 };
            }
        }
        loads.iter_mut().for_each(|load| drop(load.wait()));
        last_rss = memory_kib(mounted.emulator().pid(), "VmRSS");
        first_rss = if first_rss == 0 { last_rss } else { first_rss };
        most_rss = most_rss.max(last_rss);
        eprintln!("{:4} s: {last_rss} KiB, dry {dry:?}, refilled {refilled:?}", begin.elapsed().as_secs());
    }
    let status = mounted.status();
    eprintln!("{}", serde_json::to_string(&status["lateness"]).unwrap_or_default());
    let acknowledged: Vec<usize> = committers
        .into_iter()
        .map(|client| {
            let list = client.acknowledged();
            drop(client);
            list.len()
        })
        .collect();
    for ((c, told), server) in (0..).zip(&acknowledged).zip(servers) {
        let there = server.commits().into_iter().filter(|(client, _)| *client == c).count();
        assert!(there >= *told && there <= told + 1, "client {c} was told {told}, {there} are there");
        server.stop();
    }
    eprintln!(
        "{minutes} min: RSS {first_rss} -> {last_rss} KiB ({most_rss} at most), {acknowledged:?} commits acknowledged and there"
    );
    assert!(
        dry.iter().all(|times| *times > 0) && refilled.iter().all(|times| *times > 0),
        "dry {dry:?}, refilled {refilled:?}"
    );
    assert!(last_rss < first_rss + first_rss / 10 + 4_096, "{first_rss} -> {last_rss} KiB");
    mounted.stop();
}

/// No limit has given more than its rate and its credits allow, since the start.
fn rates_are_exact(status: &Value) {
    let number = |value: &Value| value.as_f64().unwrap_or(0.0);
    let seconds = (number(&status["at_ns"]) - number(&status["since_ns"])) / 1e9;
    for limit in status["limits"].as_array().expect("limits") {
        let most = number(&limit["rate"]) * seconds + number(&limit["credits_max"]) - number(&limit["credits"]) + 1.0;
        let depth = number(&limit["burst_rate"]).max(number(&limit["rate"])) * 1e-3;
        assert!(number(&limit["granted"]) <= most + depth, "{limit}: {most} at most in {seconds} s");
    }
}

/// Shares of credits that are left, of the four disks' IOPS.
fn credits(status: &Value) -> Vec<f64> {
    let limits = status["limits"].as_array().expect("limits").iter().filter(|l| l["limit"] == "disk IOPS");
    limits.map(|l| l["credits"].as_f64().unwrap_or(0.0) / l["credits_max"].as_f64().unwrap_or(1.0)).collect()
}
