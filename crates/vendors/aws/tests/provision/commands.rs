//! The script of AWS CLI commands, run with the real CLI: what it shows, makes, keeps, refuses, changes and undoes.

use std::process::Command;

use dw_vendor::provision::{Build, Place};

use super::services::{Cloud, Services};
use super::{build, builds, disks, run, text, volume, write};

/// Operations of commands, in their order.
fn operations(changes: &[Vec<String>]) -> Vec<&str> {
    changes.iter().map(|words| words[1].as_str()).collect()
}

/// Kind, GiB, IOPS, MiB/s and device of the volumes of this prefix, by name.
fn made(services: &Services) -> Vec<String> {
    let query = "sort_by(Volumes[?Tags[?Key=='diskwright']], &Tags[?Key=='Name'].Value|[0])[].[Tags[?Key=='Name'].Value|[0],VolumeType,Size,Iops,Throughput,Attachments[0].Device]";
    let said = services.ask(&["describe-volumes", "--query", query]);
    said.lines().map(|line| line.split('\t').collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn a_dry_run_without_an_account_shows_what_would_be_made() {
    let folder = tempfile::tempdir().unwrap();
    let script = write(folder.path(), "aws.sh", &text("aws", &build()));
    let bash = |args: &[&str]| run(Command::new("bash").arg(&script).args(args).env("PATH", "/usr/bin:/bin"));
    if Command::new("/usr/bin/aws").arg("--version").output().is_ok() {
        return;
    }
    let (code, said, wrong) = bash(&[]);
    assert_eq!((code, wrong.as_str()), (0, ""), "{said}");
    let shown: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("  would run: aws ec2 ")).collect();
    let operations: Vec<&str> = shown.iter().map(|line| line.split(' ').next().unwrap()).collect();
    let expected = [&["run-instances"][..], &["create-volume"; 3], &["wait"; 2], &["attach-volume"; 3]].concat();
    assert_eq!(operations, expected, "{said}");
    // Rates are said of the kinds that have them, and only of these.
    assert!(shown[1].contains("--volume-type gp3 --size 100 --iops 4000 --throughput 250 "), "{}", shown[1]);
    assert!(shown[3].contains("--volume-type st1 --size 500 --tag-specifications"), "{}", shown[3]);
    assert!(said.ends_with("./linux.sh\nDone.\n") && said.contains("No aws here"), "{said}");
    let (code, _, wrong) = bash(&["--apply"]);
    assert!(code == 1 && wrong.starts_with("error: sign in first"), "{wrong}");
}

/// Arguments, parameters, code, what is said.
#[test]
fn wrong_options_and_parameters_are_refused() {
    let mut anywhere = build();
    anywhere.zone = None;
    let folder = tempfile::tempdir().unwrap();
    let script = write(folder.path(), "aws.sh", &text("aws", &anywhere));
    for (args, set, code, said) in [
        (&["--delete-data"][..], ("ZONE", "a"), 2, "--delete-data goes with --undo"),
        (&["--undo", "--update"], ("ZONE", "a"), 2, "--update without it"),
        (&["--aply"], ("ZONE", "a"), 2, "no option --aply"),
        (&[], ("ZONE", ""), 1, "the plan names none: give its letter, for example ZONE=a"),
        (&[], ("PREFIX", "a,b"), 1, "PREFIX has a character"),
        (&[], ("ZONE", "a*"), 1, "ZONE has a character"),
    ] {
        let (found, _, wrong) = run(Command::new("bash").arg(&script).args(args).env(set.0, set.1));
        assert!(found == code && wrong.contains(said), "{args:?} {set:?}: {found} {wrong}");
    }
}

#[test]
fn the_script_shows_makes_keeps_and_undoes() {
    let Some(services) = Services::start() else { return };
    {
        let build = &build();
        let cloud = Cloud::new(&services, &text("aws", build));
        let count: usize = build.data().map(|(_, _, disks, _)| disks.count as usize).sum();
        let all = [&["run-instances"][..], &vec!["create-volume"; count], &vec!["attach-volume"; count]].concat();
        let (code, said, wrong, changes) = cloud.run(&[]);
        assert_eq!((code, changes.len(), wrong.as_str()), (0, 0, ""), "{said}");
        let (code, said, wrong, changes) = cloud.run(&["--apply"]);
        assert_eq!((code, operations(&changes), wrong.as_str()), (0, all.clone(), ""), "{said}");
        let of_plan = made(&services);
        // Ids in the order of numbers, for the script on the instance.
        let ids = said.split_once("VOLUMES='").unwrap().1.split('\'').next().unwrap();
        assert_eq!(ids.split(' ').filter(|id| id.starts_with("vol-")).count(), count, "{said}");
        let (code, said, wrong, changes) = cloud.run(&["--apply"]);
        assert_eq!((code, operations(&changes), wrong.as_str()), (0, vec![], ""), "{said}");
        let (code, said, wrong, changes) = cloud.run(&["--undo", "--apply"]);
        assert_eq!((code, operations(&changes), wrong.as_str()), (0, vec!["terminate-instances"], ""), "{said}");
        let (code, said, wrong, changes) = cloud.run(&["--apply"]);
        let again = [&["run-instances"][..], &vec!["attach-volume"; count]].concat();
        assert_eq!((code, operations(&changes), wrong.as_str()), (0, again, ""), "{said}");
        assert_eq!(made(&services), of_plan);
        let (code, said, wrong, changes) = cloud.run(&["--undo", "--delete-data", "--apply"]);
        let gone = [&["terminate-instances"][..], &vec!["delete-volume"; count]].concat();
        assert_eq!((code, operations(&changes), wrong.as_str()), (0, gone, ""), "{said}");
        assert_eq!(made(&services), Vec::<String>::new());
    }
}

#[test]
fn what_is_made_is_what_the_plan_says() {
    let Some(services) = Services::start() else { return };
    let cloud = Cloud::new(&services, &text("aws", &builds()[2]));
    let (code, said, wrong, _) = cloud.run(&["--apply"]);
    assert_eq!((code, wrong.as_str()), (0, ""), "{said}");
    let of_data: Vec<String> = made(&services).into_iter().filter(|line| !line.contains("-vm-os ")).collect();
    let rows = [
        "diskwright-log-0 io2 100 9000 None /dev/sdf",
        "diskwright-old-0 gp2 200 None None /dev/sdg",
        "diskwright-old-1 gp2 200 None None /dev/sdh",
        "diskwright-old-2 gp2 200 None None /dev/sdi",
    ];
    let without_gp2_iops = |line: &String| line.replace("gp2 200 600 ", "gp2 200 None ");
    assert_eq!(of_data.iter().map(without_gp2_iops).collect::<Vec<_>>(), rows);
    let query = "Reservations[].Instances[].[InstanceType,Placement.AvailabilityZone]";
    assert_eq!(services.ask(&["describe-instances", "--query", query]), "m6id.xlarge\teu-central-1a");
}

/// The plan that follows, what is said of its difference, and what --update runs.
#[test]
fn a_plan_that_follows_changes_volumes_where_that_is_possible() {
    type Change = fn(&mut Build);
    fn second(build: &mut Build, kind: &str, gib: u64, bought: (Option<u64>, Option<u64>)) {
        build.volumes[0] = volume("backup", Place::Data(disks(kind, 1, gib, bought)));
    }
    let cases: [(usize, Change, &str, Option<&str>); 8] = [
        (1, |b| second(b, "st1", 600, (None, None)), ", 500 GiB (plan: 600): --update", Some("--size 600")),
        (1, |b| second(b, "st1", 400, (None, None)), ", 500 GiB (plan: 400), and no volume shrinks", None),
        (
            1,
            |b| second(b, "gp3", 500, (Some(5_000), Some(200))),
            ", kind st1 (plan: gp3): --update",
            Some("--volume-type gp3 --iops 5000 --throughput 200"),
        ),
        (
            0,
            |b| b.volumes[0] = volume("data", Place::Data(disks("gp3", 2, 100, (Some(6_000), Some(250))))),
            ", 4000 IOPS (plan: 6000): --update",
            Some("--iops 6000"),
        ),
        (
            0,
            |b| b.volumes[0] = volume("data", Place::Data(disks("gp3", 2, 100, (Some(6_000), Some(500))))),
            ", 4000 IOPS (plan: 6000), 250 MiB/s (plan: 500): --update",
            Some("--iops 6000 --throughput 500"),
        ),
        (
            0,
            |b| b.volumes[0] = volume("data", Place::Data(disks("gp3", 2, 200, (Some(4_000), Some(250))))),
            ", 100 GiB (plan: 200), and a stripe does not grow with its disks",
            None,
        ),
        (1, |b| b.zone = Some("b".into()), "its volumes cannot be in eu-central-1b; give ZONE=a", None),
        (1, |b| b.machine = "m7i.xlarge".into(), "is there and is a m7i.large, the plan says m7i.xlarge", None),
    ];
    let Some(services) = Services::start() else { return };
    // With the volume alone that changes.
    let of = |number: usize| {
        let mut build = build();
        build.volumes = vec![build.volumes.swap_remove(number)];
        build
    };
    for (number, change, said, update) in cases {
        services.reset();
        let (code, out, wrong, _) = Cloud::new(&services, &text("aws", &of(number))).run(&["--apply"]);
        assert_eq!((code, wrong.as_str()), (0, ""), "{out}");
        let mut follows = of(number);
        change(&mut follows);
        let cloud = Cloud::new(&services, &text("aws", &follows));
        let (code, _, wrong, changes) = cloud.run(&["--apply"]);
        assert_eq!((code, operations(&changes)), (1, vec![]), "{said}");
        assert!(wrong.contains(said) && wrong.ends_with("error: nothing was changed\n"), "{said}: {wrong}");
        let (code, out, wrong, changes) = cloud.run(&["--update", "--apply"]);
        let Some(update) = update else {
            assert_eq!((code, operations(&changes)), (1, vec![]), "{said}");
            continue;
        };
        assert_eq!((code, wrong.as_str()), (0, ""), "{said}: {out}");
        assert!(!changes.is_empty() && changes.iter().all(|words| words[1] == "modify-volume"), "{changes:?}");
        assert!(changes.iter().all(|words| words.join(" ").contains(update)), "{changes:?}");
        let (code, out, _, changes) = cloud.run(&["--apply"]);
        assert_eq!((code, operations(&changes)), (0, vec![]), "{said}: {out}");
    }
}

#[test]
fn what_is_not_of_the_script_is_left_alone() {
    let Some(services) = Services::start() else { return };
    let foreign = |name: &str, kind: &str| {
        let tag = format!("ResourceType=volume,Tags=[{{Key=Name,Value={name}}}]");
        let zone = ["--availability-zone", "eu-central-1a", "--size", "500", "--volume-type", kind];
        services.ask(&[&["create-volume"], &zone[..], &["--tag-specifications", &tag, "--query", "VolumeId"]].concat())
    };
    let cloud = Cloud::new(&services, &text("aws", &build()));
    foreign("diskwright-backup-0", "sc1");
    let (code, _, wrong, changes) = cloud.run(&["--update", "--apply"]);
    assert_eq!((code, operations(&changes)), (1, vec![]));
    assert!(
        wrong.contains("diskwright-backup-0 is not of this script, it has no tag diskwright=diskwright"),
        "{wrong}"
    );
    // As planned, it is used; and not deleted.
    services.reset();
    foreign("diskwright-backup-0", "st1");
    assert_eq!(cloud.run(&["--apply"]).0, 0);
    let (code, _, wrong, _) = cloud.run(&["--undo", "--delete-data", "--apply"]);
    assert!(code == 1 && wrong.contains("diskwright-backup-0 is not of this script"), "{wrong}");
    // Two of a name are one too many.
    services.reset();
    foreign("diskwright-backup-0", "st1");
    foreign("diskwright-backup-0", "st1");
    let (code, _, wrong, changes) = cloud.run(&["--apply"]);
    assert_eq!((code, operations(&changes)), (1, vec![]));
    assert!(wrong.contains("there are 2 volumes called diskwright-backup-0"), "{wrong}");
}

#[test]
fn a_node_that_follows_attaches_the_shared_volumes_of_the_first() {
    let Some(services) = Services::start() else { return };
    let shared = &builds()[5];
    let cloud = Cloud::new(&services, &text("aws", shared));
    let (code, out, wrong, changes) = cloud.run_with(&["--apply"], &[("PREFIX", "one")]);
    assert_eq!((code, wrong.as_str()), (0, ""), "{out}");
    let multi = |words: &&Vec<String>| words.iter().any(|word| word == "--multi-attach-enabled");
    assert_eq!(changes.iter().filter(multi).count(), 1);
    let second = [("PREFIX", "two"), ("SHARED_PREFIX", "one")];
    let (code, out, _, _) = cloud.run_with(&[], &second);
    assert_eq!(code, 0, "{out}");
    assert_eq!(out.matches("create-volume").count(), 3, "{out}");
    assert!(out.contains("volume one-quorum-0") && !out.contains("two-quorum-0"), "{out}");
    let (code, _, wrong, _) = cloud.run_with(&[], &[("PREFIX", "two"), ("SHARED_PREFIX", "none")]);
    assert!(code == 1 && wrong.contains("there is no volume none-quorum-0: the first node, PREFIX=none"), "{wrong}");
}

/// Every command of every plan, given to the parser; the same with faults, each of which it must find.
#[test]
fn every_command_is_one_of_the_aws_cli() {
    let Some(services) = Services::start() else { return };
    let mut all: Vec<Vec<String>> = Vec::new();
    for build in builds() {
        services.reset();
        let cloud = Cloud::new(&services, &text("aws", &build));
        let groups = services.ask(&["describe-security-groups", "--query", "SecurityGroups[0].GroupId"]);
        let filter = "Name=availability-zone,Values=eu-central-1a";
        let subnet = services.ask(&["describe-subnets", "--filters", filter, "--query", "Subnets[0].SubnetId"]);
        let set = [("ZONE", "a"), ("SUBNET", subnet.as_str()), ("SECURITY_GROUPS", groups.as_str()), ("KEY_NAME", "k")];
        let _ = services.call(&["ec2", "create-key-pair", "--key-name", "k", "--region", "eu-central-1"]);
        let is_offered = |wrong: &str| !wrong.contains("is not offered in");
        let (code, out, wrong, changes) = cloud.run_with(&["--apply"], &set);
        assert!(code == 0 || !is_offered(&wrong), "{}: {out}{wrong}", build.machine);
        all.extend(changes);
    }
    let used: std::collections::BTreeSet<&str> =
        all.iter().flatten().map(String::as_str).filter(|word| word.starts_with("--")).collect();
    for word in ["--iops", "--throughput", "--key-name", "--security-group-ids", "--block-device-mappings"] {
        assert!(used.contains(word), "{word} of {used:?}");
    }
    let wrong = |operation: &str, from: &str, to: &[&str]| {
        let of = |words: &&Vec<String>| words[1] == operation && words.iter().any(|word| word == from);
        let mut words: Vec<&str> = all.iter().find(of).unwrap().iter().map(String::as_str).collect();
        let at = words.iter().position(|word| *word == from).unwrap();
        words.splice(at..at + 2, to.iter().copied());
        services.call(&words)
    };
    for (operation, from, to, said) in [
        ("create-volume", "--iops", &["--iopps", "1"][..], "iopps"),
        ("create-volume", "--size", &["--size", "large"], "invalid literal for int"),
        ("create-volume", "--size", &["--size", "1", "--snap"], "--snap"),
        ("attach-volume", "--device", &[], "--device"),
        ("run-instances", "--placement", &["--placement", "Zone=a"], "Zone"),
        ("run-instances", "--query", &["--query", "Instances[?x"], "--query"),
    ] {
        let (code, _, err) = wrong(operation, from, to);
        assert!(code != 0 && err.contains(said), "{operation} {to:?}: {code} {err}");
    }
}
