//! What builds a plan: read by the tools that will read it, and the script run with the real AWS CLI against a stand-in for EC2.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use dw_aws::shipped;
use dw_units::Bytes;
use dw_vendor::provision::linux::{FileSystem, Options};
use dw_vendor::provision::{Build, Disks, Place, Scripts, Volume};

mod commands;
pub mod services;

const MINE: [&str; 4] = ["aws", "cloudformation", "terraform", "linux"];

/// Disks of a kind: how many, GiB, IOPS and MiB/s of each.
fn disks(kind: &str, count: u32, gib: u64, bought: (Option<u64>, Option<u64>)) -> Disks {
    Disks {
        kind: kind.into(),
        count,
        gib,
        iops: bought.0,
        mib_per_s: bought.1,
        stripe_unit: Bytes::kib(64),
        shared_by: None,
        options: Vec::new(),
    }
}

fn volume(name: &str, place: Place) -> Volume {
    let root = if place == Place::Local { "/mnt" } else { "/srv" };
    Volume { name: name.into(), safe: name.into(), mount: format!("{root}/{name}"), read_ahead_kib: 8, place }
}

/// A stripe of gp3, and one disk of a kind without rates of its own.
fn build() -> Build {
    Build {
        answer: "m7i.large with 2 x gp3 and st1".into(),
        machine: "m7i.large".into(),
        options: Vec::new(),
        region: "eu-central-1".into(),
        zone: Some("a".into()),
        windows: false,
        local_nvme: false,
        volumes: vec![
            volume("data", Place::Data(disks("gp3", 2, 100, (Some(4_000), Some(250))))),
            volume("backup", Place::Data(disks("st1", 1, 500, (None, None)))),
        ],
    }
}

/// Every way in which plans differ.
fn builds() -> Vec<Build> {
    let mut awkward = build();
    awkward.answer = "it's \"$(reboot)\" `x` ${y} %{z} \u{202e}".into();
    let mut all = build();
    all.machine = "m6id.xlarge".into();
    all.volumes = vec![
        volume("system", Place::Os(disks("gp3", 1, 64, (Some(3_000), Some(300))))),
        volume("log", Place::Data(disks("io2", 1, 100, (Some(9_000), Some(2_304))))),
        volume("old", Place::Data(disks("gp2", 3, 200, (None, None)))),
        volume("scratch", Place::Local),
    ];
    let mut cards = build();
    (cards.machine, cards.zone) = ("r8gn.48xlarge".into(), None);
    cards.options = vec![("refill".into(), "daily".into())];
    let mut second = disks("gp3", 1, 500, (Some(16_000), Some(1_000)));
    second.options = vec![("card".into(), "1".into())];
    cards.volumes.push(volume("second", Place::Data(second)));
    let mut weighted = build();
    weighted.machine = "m8g.xlarge".into();
    weighted.options = vec![("bandwidth".into(), "ebs-1".into())];
    let mut shared = build();
    let mut quorum = disks("io2", 1, 50, (Some(1_000), None));
    quorum.shared_by = Some(2);
    shared.volumes.push(volume("quorum", Place::Data(quorum)));
    let mut windows = build();
    windows.windows = true;
    let mut bare = build();
    bare.machine = "i4i.large".into();
    bare.volumes = vec![volume("scratch", Place::Local)];
    // Its own bandwidth to EBS is an option, and its instance store is not NVMe.
    let mut old = build();
    old.machine = "m3.large".into();
    vec![build(), awkward, all, cards, weighted, shared, windows, bare, old]
}

fn text(word: &str, build: &Build) -> String {
    text_with(word, build, Options::default())
}

fn text_with(word: &str, build: &Build, options: Options) -> String {
    shipped().text(word, build, options).unwrap_or_else(|refusal| panic!("{}: {refusal}", build.machine))
}

/// A file that a test needs and that is not a program of the system; says so aloud when it is missing.
fn test_tool(path: &str) -> Option<PathBuf> {
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache"));
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home)?;
    found(cache.join("diskwright-test-tools").join(path))
}

/// A program of the system.
fn tool(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let all = std::env::split_paths(&path).map(|folder| folder.join(name));
    all.into_iter().find(|file| file.is_file()).or_else(|| found(PathBuf::from(name)))
}

fn found(file: PathBuf) -> Option<PathBuf> {
    if file.is_file() {
        return Some(file);
    }
    eprintln!("SKIPPED: {} is not there (scripts/setup-test-tools.sh installs it)", file.display());
    None
}

/// Exit code and all that is said.
fn run(command: &mut Command) -> (i32, String, String) {
    let done = command.stdin(Stdio::null()).env("LC_ALL", "C").output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (done.status.code().unwrap_or(-1), text(done.stdout), text(done.stderr))
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn words_of_files_are_distinct_and_each_has_a_text() {
    assert_eq!(shipped().files().iter().map(|file| file.word).collect::<Vec<_>>(), MINE);
    for file in shipped().files() {
        assert!(!text(file.word, &build()).is_empty());
    }
    let refused = shipped().text("bicep", &build(), Options::default()).unwrap_err();
    assert_eq!(refused.hint, "write one of aws, cloudformation, terraform, linux");
}

/// What is changed, the volume that is at fault, the rule, what to do.
#[test]
fn what_the_vendor_does_not_sell_is_refused_with_its_rule() {
    type Change = fn(&mut Build);
    fn first(build: &mut Build) -> &mut Disks {
        let Place::Data(disks) = &mut build.volumes[0].place else { panic!() };
        disks
    }
    let cases: [(Change, Option<usize>, &str, &str); 16] = [
        (|b| b.machine = "m7i.lage".into(), None, "AWS has no instance type `m7i.lage`", "did you mean `m7i.large`"),
        (|b| b.region = "eu-central-9".into(), None, "AWS has no region `eu-central-9`", "eu-central-1"),
        (|b| b.zone = Some("1b".into()), None, "`1b` is not the letter of a zone", "write for example `a`"),
        (|b| b.options = vec![("bandwidth".into(), "vpc-1".into())], None, "m7i.large", "remove `bandwidth`"),
        (|b| b.options = vec![("bandwidth".into(), "x".into())], None, "`bandwidth` is `x`", "`ebs-1`"),
        (|b| b.options = vec![("hue".into(), "x".into())], None, "an instance has no option `hue`", "remove it"),
        (|b| first(b).kind = "gp4".into(), Some(0), "AWS has no kind of volumes `gp4`", "gp2, gp3"),
        (|b| first(b).iops = Some(90_000), Some(0), "gp3", ""),
        (|b| first(b).gib = 1, Some(0), "gp3 of 1 GiB cannot have 4000 IOPS: at most 500 per GiB", ""),
        (|b| first(b).mib_per_s = Some(1_001), Some(0), "gp3", ""),
        (|b| first(b).shared_by = Some(2), Some(0), "is attached to at most 1 instances", "io2"),
        (|b| first(b).options = vec![("card".into(), "1".into())], Some(0), "no option `card` = `1`", "remove it"),
        (|b| first(b).count = 40, None, "its volumes have 41 disks, and m7i.large takes 31 beside its first", "fewer"),
        (
            |b| b.volumes.push(volume("x", Place::Local)),
            Some(2),
            "m7i.large has no instance store",
            "take a type with NVMe disks",
        ),
        (
            |b| b.volumes.push(volume("x", Place::Os(disks("st1", 1, 500, (None, None))))),
            Some(2),
            "no operating system starts from st1",
            "take gp3",
        ),
        (
            |b| (b.machine, b.volumes[1].place) = ("m3.large".into(), Place::Local),
            Some(1),
            "the instance store of m3.large is not NVMe",
            "take a type",
        ),
    ];
    for (change, at, what, hint) in cases {
        let mut build = build();
        change(&mut build);
        for word in MINE {
            let refused = shipped().text(word, &build, Options::default()).expect_err(what);
            assert_eq!(refused.volume, at, "{refused:?}");
            assert!(refused.what.contains(what) && refused.hint.contains(hint), "{refused:?}");
        }
    }
}

#[test]
fn shell_scripts_have_no_fault_that_shellcheck_knows() {
    let Some(shellcheck) = tool("shellcheck") else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut names = Vec::new();
    for (number, build) in builds().iter().enumerate() {
        let options = Options { file_system: FileSystem::Ext4, lvm: true };
        for (word, options) in [("aws", Options::default()), ("linux", Options::default()), ("linux", options)] {
            names.push(format!("{number}-{word}-{}.sh", options.lvm));
            write(folder.path(), &names[names.len() - 1], &text_with(word, build, options));
        }
    }
    let (code, said, _) = run(Command::new(shellcheck).arg("--severity=style").args(&names).current_dir(folder.path()));
    assert_eq!((code, said.as_str()), (0, ""));
}

#[test]
fn terraform_parses_and_has_the_disks_and_their_figures() {
    for build in builds() {
        let body: hcl::Body = hcl::from_str(&text("terraform", &build)).unwrap();
        let locals = body.blocks().find(|block| block.identifier() == "locals").unwrap();
        let disks = locals.body().attributes().find(|attribute| attribute.key() == "data_disks").unwrap();
        let hcl::Expression::Object(disks) = disks.expr() else { panic!("{disks:?}") };
        let count: u32 = build.data().map(|(_, _, disks, _)| disks.count).sum();
        assert_eq!(disks.len(), count as usize, "{}", build.machine);
        let kinds: Vec<&str> =
            body.blocks().map(|block| block.labels().first().map_or("", |label| label.as_str())).collect();
        for kind in ["aws_instance", "aws_ebs_volume", "aws_volume_attachment", "aws_launch_template"] {
            assert!(kinds.contains(&kind), "{kinds:?}");
        }
    }
    let written = text("terraform", &builds()[2]);
    for line in [
        r#"  root_disk     = { kind = "gp3", size_gib = 64, iops = 3000, mib = 300 }"#,
        r#"    "log-0" = { number = 0, kind = "io2", size_gib = 100, iops = 9000, mib = null, device = "/dev/sdf", card = 0, nodes = null }"#,
        r#"    "old-2" = { number = 3, kind = "gp2", size_gib = 200, iops = null, mib = null, device = "/dev/sdi", card = 0, nodes = null }"#,
    ] {
        assert!(written.contains(line), "{line} in {written}");
    }
}

#[test]
fn cloudformation_is_what_its_linter_takes_and_faults_are_found() {
    let Some(linter) = test_tool("cfn-lint/bin/cfn-lint") else { return };
    let folder = tempfile::tempdir().unwrap();
    // One with quotes, one with a disk of the system, one with cards, one with a weighting, one that shares, one of old.
    let mut names: Vec<String> = Vec::new();
    for number in [1, 2, 3, 4, 5, 8] {
        names.push(format!("{number}.json"));
        write(folder.path(), &names[names.len() - 1], &text("cloudformation", &builds()[number]));
    }
    let lint = |names: &[String]| {
        let args = ["--regions", "us-east-1", "--format", "parseable", "--"];
        run(Command::new(&linter).args(args).args(names).current_dir(folder.path()))
    };
    let (code, said, wrong) = lint(&names);
    assert_eq!((code, said.as_str(), wrong.as_str()), (0, "", ""));
    // A property that nobody has, one of a wrong type, a reference to nothing.
    let good = text("cloudformation", &build());
    let broken = good
        .replacen("\"VolumeType\"", "\"VolumeKind\"", 1)
        .replacen("\"Size\": 500", "\"Size\": \"large\"", 1)
        .replacen("\"Ref\": \"Volume1\"", "\"Ref\": \"Volume9\"", 1);
    write(folder.path(), "broken.json", &broken);
    let (code, said, _) = lint(&["broken.json".to_string()]);
    assert!(code != 0 && ["VolumeKind", "'large'", "Volume9"].iter().all(|word| said.contains(word)), "{said}");
}

#[test]
fn the_linux_script_finds_disks_by_number_and_makes_local_ones_ready() {
    let written = text("linux", &builds()[2]);
    for line in [
        "DEVICES='/dev/sdf /dev/sdg /dev/sdh /dev/sdi'",
        "    volume 'log' disk 0 1 100 64 xfs '/srv/log' 8",
        "    volume 'old' raid 1 3 200 64 xfs '/srv/old' 8",
        "    local_nvme /mnt xfs",
        "    local_disk 'scratch' '/mnt/scratch'",
    ] {
        assert!(written.contains(&format!("{line}\n")), "{line} in {written}");
    }
    assert!(!text("linux", &build()).contains("    local_nvme /mnt"));
}
