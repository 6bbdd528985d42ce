//! What is written is read again as it was.

use dw_demand::wishes::{LatencyMax, Licence, OverTime, OwnPrice, Role, Term, VolumeWishes, Ways, Wishes};
use dw_demand::{
    LatencySetting, Levels, Provenance, Schedule, read, read_for_explain, read_for_plan, write, write_form, write_with,
};
use dw_units::{Bytes, CacheMode, Duration};

use super::{SHELF, Shelf, faults};

const DEMAND: &str = "schema_version = 1\n[[volume]]\nname = \"da\\\"ta\"\nread_size = \"8 KiB\"\n\
                      read_iops = { p50 = 1, p90 = 2, p99 = 3, max = 4 }\n[[volume]]\nname = \"log\"\nwrite_size = \"4 KiB\"\n\
                      write_iops = { p50 = 1, p90 = 2, p99 = 3, max = 4 }\n";

fn check(wishes: &Wishes) -> String {
    let (requirements, _) = read_for_explain("r.toml", DEMAND, &Shelf).unwrap();
    let text = write_with(&requirements, wishes, "What the plan must meet.");
    let again = read_for_plan("r.toml", &text, &Shelf).unwrap_or_else(|e| panic!("{text}\n{e:?}"));
    assert_eq!(again, (requirements, wishes.clone()), "{text}");
    text
}

#[test]
fn every_wish_is_read_again_as_it_was() {
    let plain = vec![VolumeWishes::of(Role::Data, Bytes::gib(900)), VolumeWishes::of(Role::Log, Bytes::gib(120))];
    let none = Wishes { volumes: plain.clone(), ..SHELF.wishes() };
    let text = check(&none);
    assert!(!text.contains("[plan]") && text.contains("capacity = \"900 GiB\"\n"), "{text}");
    let region = check(&Wishes { region: "westeurope".into(), ..none.clone() });
    assert!(region.contains("\n\n[plan]\nregion = \"westeurope\"\npercentile = 99\n\n[[volume]]\n"), "{region}");
    let data = VolumeWishes {
        host_cache: vec![CacheMode::None, CacheMode::ReadWrite],
        hit_curve: vec![(Bytes::gib(16), 0.4), (Bytes::gib(64), 62.5)],
        read_latency_max: LatencyMax {
            p95: Some(Duration::from_ms(5)),
            p99: Some(Duration::from_ms(9)),
            ..LatencyMax::mean(Duration::from_us(2_500))
        },
        write_latency_max: LatencyMax { p99: Some(Duration::from_ms(4)), ..LatencyMax::default() },
        sync_latency_p99_max: Some(Duration::from_ms(10)),
        after_reboot_latency_max: Some(Duration::from_ms(20)),
        after_reboot_share_min: Some(0.5),
        growth_percent_per_year: Some(30.0),
        capacity_growth_percent_per_year: Some(0.0),
        disks_max: Some(8),
        stripe_unit: Some(Bytes::kib(256)),
        shared: true,
        ..plain[0].clone()
    };
    let temporary = VolumeWishes {
        working_set: Some(Bytes::gib(22)),
        local_disk: true,
        ..VolumeWishes::of(Role::Tempdb, Bytes::gib(120))
    };
    check(&Wishes { savings_plan_years: Some(1), hours_per_month: 220.5, ..none.clone() });
    check(&Wishes {
        reserved_years: Some(3),
        schedule: Some(Schedule::parse("mon-fri 07:00-19:00").unwrap()),
        edition: Some("2017-03".into()),
        prices: Some("2024".into()),
        latency: LatencySetting::Cautious,
        percentile: 99.9,
        over_time: OverTime::PerDimension,
        headroom_percent: 0.5,
        capacity_headroom_percent: 7.5,
        zone_redundant: true,
        comfort_factor: 1.3,
        windows: true,
        nodes: 3,
        currency: Some("USD".into()),
        filesystem_overhead_percent: 2.5,
        ways: Ways::only(["quick"]),
        chosen: [("second_hand", "true"), ("delivery", "mule")].into(),
        indifference_percent: 5.0,
        arm: true,
        burstable: true,
        confidential: true,
        preview: true,
        closed_to_new: true,
        capacity_limited: true,
        horizon_years: 0,
        cpu_percent: 70.0,
        bursting: true,
        growth_percent_per_year: 10.0,
        capacity_growth_percent_per_year: 20.0,
        years: 2,
        vms: vec!["E*ds_v5".into()],
        not_vms: vec!["E2*".into(), "E4*".into()],
        disks: vec!["P*".into()],
        not_disks: vec!["P80".into()],
        os_disk: Some("P80".into()),
        cpu_recorded_on: Some("E4s_v4".into()),
        snapshots_kept: 7,
        snapshot_change_percent: 5.0,
        vcpu_min: 4,
        memory_min: Bytes::gib(48),
        cost_max_micros: Some(2_000_500_000),
        licences: vec![
            Licence {
                name: "data\"base".into(),
                price_micros: 6_000_500_000,
                every: Term::Year,
                minimum: 4,
                nodes: Some(1),
            },
            Licence { name: "agent".into(), price_micros: 1, every: Term::Month, minimum: 1, nodes: None },
        ],
        own_prices: vec![OwnPrice { name: "P30".into(), meter: "whole".into(), monthly_micros: 12_345_678 }],
        volumes: vec![data, temporary],
        ..SHELF.wishes()
    });
}

#[test]
fn what_was_measured_is_never_taken_for_something_else() {
    for (growth, random, busy) in [(0.5, 0.4, 0.3), (30.0, 0.0, 0.0), (1.3, 100.0, 1.0), (1.0, 1.0, 55.0)] {
        let from = Provenance::Measured;
        let levels = Levels { p50: busy, p90: busy, p95: None, p99: busy, max: busy, from };
        let (mut requirements, _) = read_for_explain("r.toml", DEMAND, &Shelf).unwrap();
        (requirements.growth, requirements.cpu_percent) = (growth, Some(levels));
        requirements.volumes[0].random_percent = Some(random);
        let text = write(&requirements, "");
        let again = read("r.toml", &text, &SHELF).unwrap_or_else(|e| panic!("{text}\n{e:?}"));
        assert_eq!(again, requirements, "{text}");
    }
}

#[test]
fn a_form_asks_for_what_is_not_known_and_reads_as_if_it_did_not() {
    let recorded = |text: &str| {
        let text = format!("{DEMAND}{text}");
        read_for_explain("r.toml", &text, &Shelf).unwrap()
    };
    let (requirements, wishes) =
        recorded("write_latency = { p50 = \"1 ms\", p90 = \"2 ms\", p99 = \"3.5 ms\", max = \"9 ms\" }\n");
    let text = write_form(&requirements, &wishes, "A form.");
    for line in ["# region = ", "# headroom_percent = 20 ", "# capacity = ", "# role = ", "# working_set = "] {
        assert!(text.contains(&format!("\n{line}")), "{line}: {text}");
    }
    let active: Vec<&str> = text.lines().filter(|line| line.contains("latency_max")).collect();
    let starts = ["# read_latency_max", "# write_latency_max", "# read_latency_max", "write_latency_max = \"3.5"];
    assert!(active.iter().zip(starts).all(|(line, start)| line.starts_with(start)), "{active:?}");
    let (again, filled) = read_for_explain("r.toml", &text, &Shelf).unwrap();
    let ceiling = filled.volumes[1].write_latency_max.mean;
    assert_eq!((again, ceiling), (requirements.clone(), Some(Duration::from_us(3_500))), "{text}");
    // What was said is not asked again, and not replaced by what was recorded.
    let said = VolumeWishes {
        write_latency_max: LatencyMax::mean(Duration::from_ms(1)),
        ..VolumeWishes::of(Role::Log, Bytes::gib(9))
    };
    let said = Wishes { volumes: vec![said.clone(), said], ..wishes };
    let text = write_form(&requirements, &said, "");
    assert!(!text.contains("# capacity =") && !text.contains("# role"), "{text}");
    assert_eq!(text.matches("\nwrite_latency_max = \"1 ms\"\n").count(), 2, "{text}");
}

#[test]
fn findings_of_a_recording_stay_with_its_figures() {
    let text = format!("{DEMAND}[[finding]]\nseverity = \"warning\"\nwhat = \"2 s recorded\"\neffect = \"none\"\n");
    let (requirements, _) = read_for_explain("r.toml", &text, &Shelf).unwrap();
    assert_eq!(requirements.findings[0].what, "2 s recorded");
    assert_eq!(read("r.toml", &write(&requirements, ""), &SHELF).unwrap(), requirements);
    let wrong = text.replace("\"warning\"", "\"loud\"");
    let errors = faults(read_for_explain("r.toml", &wrong, &Shelf).unwrap_err());
    let line = 1 + wrong[..wrong.find("loud").unwrap()].matches('\n').count();
    assert_eq!((errors.len(), errors[0].0), (1, line as u64));
}
