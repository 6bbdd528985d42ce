//! What can be bought and what is refused, each at its bound and one beyond.

use dw_aws::gates::{Refill, Weighting};
use dw_aws::instances::{Hypervisor, instance};
use dw_aws::kinds::kind;
use dw_aws::volume::{Asked, Refusal, Volume};
use dw_units::{Bytes, Iops, Throughput};
use dw_vendor::latency::LatencySetting;

/// `kind[@edition] GiB [IOPS] [MiB/s]`, `-` for what is not asked for.
fn volume(text: &str) -> Result<Volume, Refusal> {
    let mut words = text.split(' ');
    let name = words.next().expect("a kind");
    let (name, edition) = name.split_once('@').map_or((name, None), |(name, edition)| (name, Some(edition)));
    let mut number = || words.next().and_then(|word| word.parse::<u64>().ok());
    let asked = Asked {
        size: number().map(Bytes::gib),
        iops: number().map(Iops::new),
        throughput: number().map(Throughput::mib_per_second),
    };
    Volume::new(kind(name, edition).unwrap_or_else(|| panic!("no kind {name}")), &asked)
}

#[test]
fn volumes_have_the_rates_of_their_rules() {
    // Volume, base and burst IOPS, base and peak MiB/s.
    let cases = [
        ("gp2 1", 100, Some(3_000), 25.0, 128.0),
        ("gp2 33", 100, Some(3_000), 25.0, 128.0),
        ("gp2 34", 102, Some(3_000), 25.5, 128.0),
        ("gp2 100", 300, Some(3_000), 75.0, 128.0),
        ("gp2 170", 510, Some(3_000), 127.5, 128.0),
        ("gp2 171", 513, Some(3_000), 128.25, 250.0),
        ("gp2 334", 1_002, Some(3_000), 250.0, 250.0),
        ("gp2 999", 2_997, Some(3_000), 250.0, 250.0),
        ("gp2 1000", 3_000, None, 250.0, 250.0),
        ("gp2 5333", 15_999, None, 250.0, 250.0),
        ("gp2 5334", 16_000, None, 250.0, 250.0),
        ("gp2 16384", 16_000, None, 250.0, 250.0),
        ("gp3 1", 3_000, None, 125.0, 125.0),
        ("gp3 4 3000 750", 3_000, None, 750.0, 750.0),
        ("gp3 160 80000 2000", 80_000, None, 2_000.0, 2_000.0),
        ("gp3 16 8000 2000", 8_000, None, 2_000.0, 2_000.0),
        ("gp3 65536", 3_000, None, 125.0, 125.0),
        ("gp3@2024-01 32 16000 1000", 16_000, None, 1_000.0, 1_000.0),
        ("io1 4 100", 100, None, 25.0, 25.0),
        ("io1 40 2000", 2_000, None, 500.0, 500.0),
        ("io1 640 32000", 32_000, None, 500.0, 500.0),
        ("io1 960 48000", 48_000, None, 750.0, 750.0),
        ("io1 1280 64000", 64_000, None, 1_000.0, 1_000.0),
        ("io2 16 15625", 15_625, None, 4_000.0, 4_000.0),
        ("io2 256 256000", 256_000, None, 4_000.0, 4_000.0),
        ("io2 4 1000", 1_000, None, 256.0, 256.0),
        ("st1 512", 500, None, 20.0, 125.0),
        ("st1 1024", 500, None, 40.0, 250.0),
        ("st1 2048", 500, None, 80.0, 500.0),
        ("st1 12800", 500, None, 500.0, 500.0),
        ("st1 16384", 500, None, 500.0, 500.0),
        ("sc1 1024", 250, None, 12.0, 80.0),
        ("sc1 3200", 250, None, 37.5, 250.0),
        ("sc1 16384", 250, None, 192.0, 250.0),
    ];
    for (text, base, burst, mib, peak) in cases {
        let volume = volume(text).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
        let mib_of = |rate: Option<Throughput>| rate.map(|rate| rate.get() as f64 / f64::from(1 << 20));
        assert_eq!((volume.base_iops(), volume.burst_iops()), (Some(base), burst), "{text}");
        assert_eq!(
            (mib_of(volume.base_throughput()), mib_of(volume.peak_throughput())),
            (Some(mib), Some(peak)),
            "{text}"
        );
        assert!(volume.disk_spec("d", LatencySetting::Typical).is_ok(), "{text}");
    }
}

#[test]
fn what_breaks_a_rule_is_refused_with_the_rule_and_its_source() {
    let cases = [
        ("gp2", "size", "a volume of kind gp2 needs a size (ebs-volume-types, 2023-05)"),
        ("gp2 16385", "size", "gp2 cannot be "),
        ("gp2 100 500", "iops", "the iops of gp2 cannot be bought: its size determines it (ebs-volume-types, 2023-05)"),
        (
            "gp3 159 80000",
            "iops",
            "gp3 of 159 GiB cannot have 80000 IOPS: at most 500 per GiB (ebs-gp3-2025-09, 2025-09)",
        ),
        ("gp3 500 80001", "iops", "gp3 has at most 80000 IOPS"),
        ("gp3 500 2999", "iops", "gp3 has at least 3000 IOPS"),
        (
            "gp3 500 3000 751",
            "throughput",
            "gp3 with 3000 IOPS cannot have 751 MiB/s: at most 1 for 4 IOPS (ebs-gp3-2025-09, 2025-09)",
        ),
        ("gp3 500 80000 2001", "throughput", "gp3 has at most 2000 MiB/s"),
        ("gp3 500 3000 124", "throughput", "gp3 has at least 125 MiB/s"),
        ("gp3@2024-01 100 16001", "iops", "gp3 has at most 16000 IOPS (ebs-volume-types, 2023-05)"),
        ("gp3@2024-01 16385", "size", "gp3 cannot be "),
        ("io1 100", "iops", "io1 has no IOPS of its own"),
        ("io1 100 5001", "iops", "io1 of 100 GiB cannot have 5001 IOPS: at most 50 per GiB"),
        ("io1 100 5000 500", "throughput", "the throughput of io1 cannot be bought: its IOPS determine it"),
        ("io2 3 1000", "size", "io2 cannot be "),
        ("io2 100 100001", "iops", "io2 of 100 GiB cannot have 100001 IOPS: at most 1000 per GiB"),
        ("st1 100", "size", "st1 cannot be "),
        ("sc1 124", "size", "sc1 cannot be "),
    ];
    for (text, key, what) in cases {
        let refusal = volume(text).expect_err(text);
        assert!(refusal.key == key && refusal.what.starts_with(what), "{text}: {refusal:?}");
        assert!(refusal.what.contains(volume_source(text)) && !refusal.hint.is_empty(), "{text}: {refusal:?}");
    }
    let standard = volume("standard 100").expect("it can be bought");
    assert!(
        standard
            .disk_spec("d", LatencySetting::Typical)
            .expect_err("no rates")
            .what
            .contains("about 100 IOPS on average")
    );
}

fn volume_source(text: &str) -> &'static str {
    let name = text.split(' ').next().expect("a kind");
    let (name, edition) = name.split_once('@').map_or((name, None), |(name, edition)| (name, Some(edition)));
    kind(name, edition).expect("it is there").source
}

#[test]
fn off_nitro_provisioned_iops_end_at_32_000() {
    for (text, hypervisor, fits) in [
        ("io1 1280 32000", Hypervisor::Xen, true),
        ("io1 1280 32001", Hypervisor::Xen, false),
        ("io1 1280 32001", Hypervisor::Nitro, true),
        ("io2 1280 32001", Hypervisor::Xen, false),
        ("io2 1280 32001", Hypervisor::Metal, true),
    ] {
        let volume = volume(text).expect("it can be bought");
        assert_eq!(volume.fits(hypervisor).is_ok(), fits, "{text} on {hypervisor:?}");
    }
}

#[test]
fn attachments_share_a_number_where_the_type_does() {
    for (name, interfaces, most) in [
        ("m5.xlarge", 1, 27),
        ("m5d.xlarge", 3, 24),
        ("m7i.4xlarge", 1, 32),
        ("m7i.4xlarge", 5, 32),
        ("i3.large", 4, 40),
    ] {
        assert_eq!(instance(name).map(|row| row.volumes_with(interfaces)), Some(most), "{name} with {interfaces}");
    }
}

#[test]
fn weighting_moves_a_quarter_of_the_favoured_base() {
    let mbps = |name: &str, weighting| {
        let limits = instance(name).expect("it is there").ebs_weighted(weighting);
        limits.map(|limits| {
            let limits = limits.expect("it has limits");
            [limits.base, limits.maximum].map(|limit| limit.throughput.get() / 125_000)
        })
    };
    let even = mbps("m8g.xlarge", Weighting::Even).expect("any type has that");
    let [ebs, network] =
        [Weighting::Ebs, Weighting::Network].map(|weighting| mbps("m8g.xlarge", weighting).expect("m8g takes it"));
    assert_eq!(ebs, [even[0] * 5 / 4, even[1]], "the burst of the favoured side stays");
    assert_eq!(even[0] - network[0], even[1] - network[1], "the burst of the other falls with its base");
    assert!(mbps("m5.large", Weighting::Ebs).is_err());
    // Without a burst the base is all there is.
    let largest = mbps("m8g.48xlarge", Weighting::Even).expect("any type has that");
    assert_eq!(mbps("m8g.48xlarge", Weighting::Ebs), Ok([largest[0] * 5 / 4; 2]));
}

#[test]
fn two_cards_are_two_gates_with_half_each() {
    let row = instance("r8in.96xlarge").expect("it is there");
    let gates = row.gates(Refill::Cautious, Weighting::Even).expect("it has limits");
    let names: Vec<&str> = gates.iter().map(|gate| gate.name.as_str()).collect();
    assert_eq!(names, ["ebs-card-0", "ebs-card-1"]);
    assert_eq!(gates[0].all_limits().map(|limit| limit.rate).collect::<Vec<_>>(), [240_000, 7_500_000_000]);
    assert_eq!(instance("t2.micro").expect("it is there").gates(Refill::Cautious, Weighting::Even), Ok(Vec::new()));
}

#[test]
fn an_instance_store_has_its_figures_or_a_reason() {
    let local = |name: &str| instance(name).expect("it is there").local_disks(LatencySetting::Typical);
    let disks = local("i4i.4xlarge").expect("it is known");
    let reads = disks.disks[0].by_direction.reads.expect("reads have limits");
    assert_eq!((disks.disks.len(), reads.iops.map(|rate| rate.rate)), (1, Some(400_000)));
    assert!(disks.notes[0].contains("measured"), "{:?}", disks.notes);
    for (name, why) in
        [("m5.large", "no instance store"), ("d2.xlarge", "hard disks"), ("c9gd.large", "no source gives the IOPS")]
    {
        let refused = local(name).expect_err(name);
        assert!(refused.contains(why), "{name}: {refused}");
    }
}

/// What lifts a rate that is used up is what its kind has: size, more of it bought, and at its most another kind.
#[test]
fn a_rate_is_lifted_by_what_its_kind_sells() {
    use dw_vendor::rig::{Lift, Rigs as _};
    let mib = |n: u64| n << 20;
    let cases = [
        ("gp2", 100, false, 300, Some(Lift::Larger)),
        ("gp2", 5_334, false, 16_000, Some(Lift::OtherKind)),
        ("gp2", 100, true, mib(128), Some(Lift::Larger)),
        ("gp2", 500, true, mib(250), Some(Lift::OtherKind)),
        ("gp3", 100, false, 3_000, Some(Lift::Bought)),
        // 500 for each GiB, and 3,000 at any size.
        ("gp3", 8, false, 3_999, Some(Lift::Bought)),
        ("gp3", 8, false, 4_000, Some(Lift::Larger)),
        ("gp3", 1, false, 3_000, Some(Lift::Larger)),
        ("gp3", 200, false, 80_000, Some(Lift::OtherKind)),
        ("gp3", 100, true, mib(125), Some(Lift::Bought)),
        // One for four IOPS.
        ("gp3", 8, true, mib(999), Some(Lift::Bought)),
        ("gp3", 8, true, mib(1_000), Some(Lift::Larger)),
        ("gp3", 100, true, mib(2_000), Some(Lift::OtherKind)),
        ("io1", 100, false, 4_999, Some(Lift::Bought)),
        ("io1", 100, false, 5_000, Some(Lift::Larger)),
        ("io1", 10, true, mib(125), Some(Lift::Larger)),
        ("io2", 4, false, 4_000, Some(Lift::Larger)),
        ("io2", 100, true, mib(1_000), Some(Lift::Bought)),
        ("io2", 4, true, mib(1_024), Some(Lift::Larger)),
        ("st1", 125, true, mib(40), Some(Lift::Larger)),
        ("P30", 1_024, false, 5_000, None),
    ];
    for (kind, gib, bytes, gives, expected) in cases {
        let found = dw_aws::shipped().lift(kind, dw_units::Bytes::gib(gib), bytes, gives);
        assert_eq!(found, expected, "{kind} of {gib} GiB {bytes} {gives}");
    }
}
