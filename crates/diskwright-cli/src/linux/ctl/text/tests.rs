//! Answers as people see them.

use dw_emulator::command::{ByteRange, CrashLevel, Survivors};
use dw_emulator::inject::Fault;
use dw_emulator::status::{LatencyStatus, LatenessStatus};

use super::*;
use crate::linux::top::sample;

#[test]
fn a_status_shows_limits_volumes_faults_and_the_host() {
    insta::assert_snapshot!(status(&sample()).to_string());
}

#[test]
fn an_idle_emulation_has_nothing_to_judge_by() {
    let mut idle = sample();
    for volume in &mut idle.volumes {
        for op in [&mut volume.reads, &mut volume.writes] {
            (op.per_second, op.bytes_per_second, op.recent) = (0.0, 0.0, LatencyStatus::default());
        }
    }
    (idle.lateness, idle.faults) = (LatenessStatus::default(), Vec::new());
    insta::assert_snapshot!(status(&idle).to_string());
}

#[test]
fn a_crash_says_what_was_lost_and_where() {
    let loss = Loss {
        export: "data".into(),
        volatile_bytes: 98_304,
        lost_bytes: 65_536,
        volatile_writes: 24,
        lost_writes: 16,
        torn_writes: 1,
        ranges: vec![ByteRange { offset: 1 << 30, len: 4_096 }, ByteRange { offset: 2 << 30, len: 61_440 }],
        ranges_left_out: 3,
    };
    let (level, survivors) = (CrashLevel::Host, Survivors::RandomTorn);
    let report = CrashReport { level, survivors, seed: 7, at_ns: 61_500_000_000, in_flight: 12, losses: vec![loss] };
    insta::assert_snapshot!(crashed(&report), @r"
    stopped at 62 s, 12 requests outstanding
    data: lost 64 KiB of 96 KiB that were not durable, 16 of 24 writes, 1 torn
      4,096 bytes at 1,073,741,824
      61,440 bytes at 2,147,483,648
      and 3 ranges more
    level host, survivors random-torn, seed 7
    ");
    let nothing = CrashReport { losses: Vec::new(), ..report };
    assert!(crashed(&nothing).contains("nothing lost"));
}

#[test]
fn faults_are_listed_with_what_they_strike() {
    let fault = |text: &str| serde_json::from_str::<Fault>(text).unwrap();
    let all = [
        r#"{"export":"data.0","op":"read","effect":{"kind":"latency","min_ns":2000000,"max_ns":20000000}}"#,
        r#"{"export":"log","op":"write","per_million":15000,"effect":{"kind":"error","errno":"ENOSPC"}}"#,
        r#"{"export":"log","range":{"offset":1048576,"len":65536},"effect":{"kind":"stuck"}}"#,
    ];
    let listed: Vec<_> =
        all.iter().zip(1..).map(|(text, id)| ListedFault { id, fault: fault(text), struck: 1_234 }).collect();
    insta::assert_snapshot!(Text::from(faults(&listed)).to_string(), @r"
    fault  where   requests                  what            struck
    1      data.0  reads                     +2 ms to 20 ms   1,234
    2      log     1.5 % of writes           ENOSPC           1,234
    3      log     all in 64 KiB from 1 MiB  held             1,234
    ");
}
