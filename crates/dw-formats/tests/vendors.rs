//! Scenarios of a vendor that makes what they name itself: whose a scenario is, what is refused at which line, what is noted.

use dw_catalogue::Catalogue;
use dw_formats::scenario::{self, Scenario};
use dw_stack::{Limit, Quantity};
use dw_units::Bytes;

fn read(text: &str) -> Result<Scenario, Vec<(usize, String)>> {
    let read = scenario::read("rig.toml", text, Catalogue::embedded());
    read.map_err(|errors| {
        errors.0.into_iter().map(|error| (error.line, format!("{} | {}", error.what, error.hint))).collect()
    })
}

/// A volume of one line.
fn volume(disks: &str) -> String {
    format!("[[volume]]\nname = 'data'\ndisks = {disks}\n")
}

fn limit(limits: impl Iterator<Item = Limit>, quantity: Quantity) -> Limit {
    let mut limits = limits.filter(|limit| limit.quantity == quantity);
    limits.next().expect("it is limited")
}

#[test]
fn a_machine_with_its_volumes_is_what_the_rules_make_of_it() {
    let text = "[vm]\nsize = 'm5.large'\n".to_string()
        + &volume("[{ sku = 'gp3', size = '500 GiB', iops = 6000, throughput = '400 MiB/s', count = 2 }]");
    let scenario = read(&text).expect("it is whole");
    assert_eq!((scenario.vendor, scenario.vm.size.as_deref()), ("aws", Some("m5.large")));
    let [gate] = scenario.stack.vm.gates.as_slice() else { panic!("{:?}", scenario.stack.vm.gates) };
    let bytes = limit(gate.all_limits(), Quantity::Throughput);
    let credits = bytes.credits.expect("it bursts");
    assert_eq!(
        (gate.name.as_str(), bytes.rate, credits.peak, credits.size),
        ("ebs", 81_250_000, 593_750_000, 512_500_000 * 1_800)
    );
    let own = &scenario.stack.volumes[0];
    assert_eq!((own.disks.len(), own.path.remote.len(), own.path.front), (2, 1, None));
    assert_eq!(limit(own.disks[0].all_limits(), Quantity::Iops).rate, 6_000);
    assert_eq!(scenario.volumes[0].disks, "2 x gp3 of 500 GiB, 6000 IOPS, 400 MiB/s");
    let notes: Vec<&str> = scenario.notes.iter().map(|note| note.text.text.as_str()).collect();
    assert!(
        notes.iter().any(|note| note.contains("how the instance's EBS balances fill is not published")),
        "{notes:?}"
    );
}

#[test]
fn whose_a_scenario_is_follows_from_a_key_or_from_names() {
    let gp3 = volume("[{ sku = 'gp3', size = '10 GiB' }]");
    for (head, disks, whose) in [
        ("[vm]\nsize = 'Standard_DS14'\n", volume("'P30'"), Ok("azure")),
        ("[vm]\nsize = 'm5.large'\n", gp3.clone(), Ok("aws")),
        ("[vm]\n", gp3.clone(), Ok("aws")),
        ("vendor = 'aws'\n[vm]\nsize = 'M5.Large'\n", gp3.clone(), Ok("aws")),
        ("vendor = 'azure'\n[vm]\nsize = 'Standard_DS14'\n", volume("'P30'"), Ok("azure")),
        (
            "[vm]\nsize = 'm5.large'\n",
            volume("'P30'"),
            Err((2, "`m5.large` is a VM size of AWS, and the disks of the scenario (`P30`) are of Azure")),
        ),
        (
            "[vm]\nsize = 'Standard_DS14'\n",
            volume(
                "[{ sku = 'io2', size = '10 GiB' }, { sku = 'gp3', size = '9 GiB' }, { sku = 'io2', size = '9 GiB' }]",
            ),
            Err((2, "`Standard_DS14` is a VM size of Azure, and the disks of the scenario (`io2`, `gp3`) are of AWS")),
        ),
        // One that is right: the other is at fault.
        (
            "[vm]\nsize = 'm5.large'\n",
            gp3.clone() + "[[volume]]\nname = 'b'\ndisks = '2 x P30'\n",
            Err((8, "`P30` is a disk of Azure, and the scenario is of AWS")),
        ),
        (
            "vendor = 'aws'\n[vm]\nsize = 'm5.large'\n",
            volume("'P30'"),
            Err((6, "`P30` is a disk of Azure, and the scenario is of AWS")),
        ),
        (
            "[vm]\nsize = 'Standard_DS14'\n",
            gp3.clone(),
            Err((2, "`Standard_DS14` is a VM size of Azure, and the disks of the scenario (`gp3`) are of AWS")),
        ),
        ("vendor = 'azure'\n[vm]\nsize = 'm5.large'\n", volume("'P30'"), Err((3, "`m5.large` is a machine of AWS"))),
        ("vendor = 'ibm'\n[vm]\n", gp3.clone(), Err((1, "`vendor = \"ibm\"` is not one of its values"))),
        ("[vm]\n", gp3.clone() + "[[volume]]\nname = 'b'\ndisks = '2 x P30'\n", Err((7, "`P30` is a disk of Azure"))),
        (
            "[vm]\nsize = 'Standard_DS14'\noptions = { refill = 'daily' }\n",
            volume("'P30'"),
            Err((3, "`refill` has no effect")),
        ),
    ] {
        let text = format!("{head}{disks}");
        match (read(&text), whose) {
            (Ok(scenario), Ok(whose)) => assert_eq!(scenario.vendor, whose, "{text}"),
            (Err(faults), Err((line, what))) => {
                assert!(faults.iter().any(|fault| fault.0 == line && fault.1.contains(what)), "{text}{faults:?}");
            }
            (read, _) => panic!("{text}{:?}", read.map(|scenario| scenario.vendor)),
        }
    }
}

#[test]
fn what_cannot_be_had_is_refused_at_its_line_with_the_rule() {
    let on = |machine: &str, disks: &str| format!("[vm]\nsize = '{machine}'\n{}", volume(disks));
    let snapshot =
        |key: &str| on("m5.large", "[{ sku = 'gp3', size = '9 GiB' }]") + "from_snapshot = true\n" + key + "\n";
    for (text, line, what) in [
        (on("m5.larg", "[{ sku = 'gp3', size = '10 GiB' }]"), 2, "did you mean `m5.large"),
        (on("m5.large", "'gp3'"), 5, "write a table, `disks = [{ sku = \"gp3\", size = \"500 GiB\" }]`"),
        (
            on("m5.large", "[\n{ sku = 'gp3', size = '100 GiB',\n iops = 80000 }]"),
            7,
            "at most 500 per GiB (ebs-gp3-2025-09, 2025-09)",
        ),
        (
            on("m5.large", "[{ sku = 'gp3', size = '100 GiB', edition = '2024-01', iops = 20000 }]"),
            5,
            "gp3 has at most 16000 IOPS",
        ),
        (on("m5.large", "[{ sku = 'st1', size = '100 GiB' }]"), 5, "125 to 16384 GiB (ebs-hdd-volumes, 2023-06)"),
        (on("i3.large", "[{ sku = 'io1', size = '1000 GiB', iops = 33000 }]"), 5, "without Nitro"),
        (on("m5.large", "[{ sku = 'gp3', size = '100 GiB', throughput = '800 MiB/s' }]"), 5, "at most 1 for 4 IOPS"),
        (on("m5.large", "[{ sku = 'gp3', size = '100 GiB', options = { card = '1' } }]"), 5, "one EBS card"),
        (on("m5.large", "[{ sku = 'gp3', size = '100 GiB', options = { cart = '1' } }]"), 5, "did you mean `card`?"),
        (
            on(
                "r8in.96xlarge",
                "[{ sku = 'gp3', size = '9 GiB' },\n{ sku = 'gp3', size = '9 GiB', options = { card = '1' } }]",
            ),
            6,
            "use a volume for each gate",
        ),
        (on("m5.large", "'instance-store'"), 5, "m5.large has no instance store"),
        (on("m5d.large", "'2 x instance-store'"), 5, "2 local disks, but the machine has 1"),
        (on("m5.large", "[{ sku = 'gp3', size = '1 GiB', count = 28 }]"), 5, "28 data disks, but m5.large takes 27"),
        (
            on("m5.large", "[{ sku = 'gp3', size = '9 GiB', performance_plus = true }]"),
            5,
            "`performance_plus` has no effect: disks of AWS have none",
        ),
        (on("m5.large", "'standard'"), 5, "a volume of kind standard needs a size"),
        (
            on("m5.large", "[{ sku = 'gp3', size = '9 GiB' }]") + "host_cache = 'ReadOnly'\n",
            6,
            "machines of AWS have no host cache",
        ),
        (
            on("m5.large", "[{ sku = 'gp3', size = '9 GiB' }]") + "[start]\nlevels = { dota = '3 %' }\n",
            7,
            "did you mean `data`?",
        ),
        (
            on("m5.large", "[{ sku = 'gp3', size = '9 GiB' }]") + "[vm.gates]\nabs = { iops = 3 }\n",
            7,
            "m5.large has no gate `abs`",
        ),
        (
            "[vm]\nsize = 'm5.large'\noptions = { bandwidth = 'ebs-1' }\n".to_string()
                + &volume("[{ sku = 'gp3', size = '9 GiB' }]"),
            3,
            "cannot be weighted",
        ),
        (
            snapshot("initialization_rate = '99 MiB/s'"),
            7,
            "not sold: whole MiB/s from 100 to 300 (ebs-initialization-rate)",
        ),
        (snapshot("initialization_rate = '150 MB/s'"), 7, "write for example `initialization_rate = \"200 MiB/s\"`"),
        (snapshot("initialized = '120 %'"), 7, "write a percentage of the disk"),
        (snapshot("initialized = '0.4'"), 7, "40 %"),
        (
            on("m5.large", "[{ sku = 'gp3', size = '9 GiB' }]") + "initialized = '5 %'\n",
            6,
            "`initialized` needs `from_snapshot = true`",
        ),
        (
            on("m5.large", "[{ sku = 'gp3', size = '9 GiB' }]")
                + "from_snapshot = false\ninitialization_rate = '100 MiB/s'\n",
            7,
            "`initialization_rate` needs `from_snapshot = true`",
        ),
        (on("m5d.large", "'instance-store'") + "from_snapshot = true\n", 6, "it comes from no snapshot"),
        (
            on("m5.large", "[{ size = '9 GiB', latency = { read = '1 ms', write = '1 ms' } }]")
                + "from_snapshot = true\n",
            6,
            "on a disk of one's own is not known",
        ),
        (
            "[vm]\nsize = 'Standard_DS14'\n".to_string() + &volume("'P30'") + "from_snapshot = true\n",
            6,
            "what first touches of a disk from a snapshot cost on Azure is not known",
        ),
        (
            "[vm]\nsize = 'm5.large'\nuncached = { iops = 3 }\n".to_string()
                + &volume("[{ sku = 'gp3', size = '9 GiB' }]"),
            3,
            "`uncached` has no effect",
        ),
    ] {
        let faults = read(&text).expect_err(&text);
        assert!(faults.iter().any(|fault| fault.0 == line && fault.1.contains(what)), "{text}{what}: {faults:?}");
    }
}

#[test]
fn levels_and_overrides_keep_how_a_limit_charges() {
    let text = "[vm]\nsize = 'm5.large'\noptions = { refill = 'daily' }\ngates.ebs = { throughput = '100 MB/s', burst_throughput = '200 MB/s' }\n"
        .to_string()
        + &volume("[{ sku = 'gp2', size = '100 GiB' }]")
        + "[start]\nlevels = { ebs = '40 %', data = '25 %' }\n";
    let scenario = read(&text).expect("it is whole");
    let gate = scenario.stack.vm.gates[0].clone();
    let bytes = limit(gate.all_limits(), Quantity::Throughput);
    let credits = bytes.credits.expect("it bursts");
    assert_eq!((bytes.rate, credits.peak, credits.size), (100_000_000, 200_000_000, 180_000_000_000));
    assert_eq!((credits.level, credits.top_up.is_some()), (Some(72_000_000_000), true));
    let ios = limit(scenario.stack.volumes[0].disks[0].all_limits(), Quantity::Iops);
    assert_eq!(ios.credits.and_then(|credits| credits.level), Some(1_350_000));
    assert!(ios.accounting.merge.is_some(), "an override forgets how it charges");
    // Each that has nothing to burst is said, and no other.
    let one = "[vm]\nsize = 'm5.8xlarge'\n".to_string()
        + &volume("[{ sku = 'gp2', size = '100 GiB' }]")
        + "[start]\nlevels = { data = '35 %', ebs = '80 %' }\n";
    let notes: Vec<String> = read(&one).expect("it is whole").notes.into_iter().map(|note| note.text.text).collect();
    let unused: Vec<&String> = notes.iter().filter(|note| note.contains("has no effect")).collect();
    assert_eq!(unused, ["`levels.ebs` has no effect: no limit of ebs bursts on credits"]);
    // The catalogue's own vendor has levels, too.
    let own = "[vm]\nsize = 'Standard_D8s_v3'\n".to_string()
        + &volume("'P20'")
        + "[start]\nlevels = { data = '50 %', uncached = '10 %' }\n";
    let scenario = read(&own).expect("it is whole");
    let ios = limit(scenario.stack.volumes[0].disks[0].all_limits(), Quantity::Iops);
    assert_eq!(ios.credits.map(|credits| credits.level), Some(Some(credits_of_p20() / 2)));
}

/// (3,500 − 2,300) for 1,800 s.
fn credits_of_p20() -> u64 {
    (3_500 - 2_300) * 1_800
}

#[test]
fn two_cards_are_two_gates() {
    let text = "[vm]\nsize = 'r8in.96xlarge'\n".to_string()
        + &volume("[{ sku = 'io2', size = '4 TiB', iops = 200000, options = { card = '1' } }]");
    let scenario = read(&text).expect("it is whole");
    let path = &scenario.stack.volumes[0].path;
    assert_eq!(path.remote.iter().map(|gate| gate.0).collect::<Vec<_>>(), [1]);
    assert_eq!(scenario.stack.vm.gates[1].name, "ebs-card-1");
}

#[test]
fn an_instance_store_is_local_and_takes_no_place() {
    let text = "[vm]\nsize = 'i4i.8xlarge'\n".to_string() + &volume("'2 x instance-store'");
    let scenario = read(&text).expect("it is whole");
    assert!(scenario.stack.volumes[0].path.local && scenario.stack.volumes[0].disks.len() == 2);
}

#[test]
fn a_volume_from_a_snapshot_has_blocks_to_fetch_on_each_of_its_disks() {
    let text = "latency = 'optimistic'\n[vm]\nsize = 'm5.large'\n".to_string()
        + &volume("[{ sku = 'gp3', size = '100 GiB', count = 2 }]")
        + "from_snapshot = true\ninitialization_rate = '300 MiB/s'\ninitialized = '25 %'\n";
    let scenario = read(&text).expect("it is whole");
    let disks = &scenario.stack.volumes[0].disks;
    let touch = disks[0].first_touch.expect("its data have to be fetched");
    assert_eq!((touch.block, touch.there), (Bytes::kib(512), Bytes::gib(25)));
    assert_eq!((touch.fetch.ns(), touch.background.map(|rate| rate.get() >> 20)), (100_000_000, Some(300)));
    assert_eq!(disks[1].first_touch, disks[0].first_touch);
    let without =
        read(&text.replace("from_snapshot = true\ninitialization_rate = '300 MiB/s'\ninitialized = '25 %'\n", ""));
    assert_eq!(without.expect("it is whole").stack.volumes[0].disks[0].first_touch, None);
}
