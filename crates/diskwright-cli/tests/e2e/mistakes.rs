//! Mistakes that people make, each with what must be said, so that the hint helps and is not another mistake. Whatever is refused is
//! refused before anything is printed.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::e2e::support::{IOSTAT, JOB, RIG, Ran, diskwright_at, folder, run_in};

/// One of everything that is read, right and wrong.
fn files() -> tempfile::TempDir {
    let asks = |plan: &str, volume: &str| {
        format!(
            "schema_version = 1\n[plan]\n{plan}\n[[volume]]\nname = \"data\"\n{volume}\n\
             read_iops = {{ p50 = 100, p90 = 100, p99 = 100, max = 100 }}\nread_size = \"8 KiB\"\n"
        )
    };
    let rig = |from: &str, to: &str| {
        assert!(RIG.contains(from));
        RIG.replace(from, to)
    };
    let with_disks = |disks: &str| rig("\"P30\"", disks);
    let mounted = |mount: &str| rig("\"/data\"", mount);
    let holds = "capacity = \"100 GiB\"";
    let texts = [
        ("rig.toml", RIG.to_string()),
        ("job.fio", JOB.to_string()),
        ("iostat.txt", IOSTAT.to_string()),
        ("requirements.toml", asks("", holds)),
        ("empty.json", String::new()),
        ("windows.toml", mounted(r#""F:\data""#)),
        ("tab.toml", mounted(r#""F:\test""#)),
        ("end.toml", mounted(r#""F:\""#)),
        (
            "device.toml",
            mounted(
                r#""/data"
device = "\\.\PhysicalDrive1""#,
            ),
        ),
        ("twice.toml", RIG.replace("[[volume]]", "[volume]") + "\n[volume]\nname = \"log\"\ndisks = \"P30\"\n"),
        ("unquoted.toml", with_disks("P30")),
        ("quotes.toml", with_disks("\u{201c}P30\u{201d}")),
        ("comma.toml", with_disks("\"P30\",")),
        ("yaml.toml", RIG.replace("disks = ", "disks: ")),
        ("slashes.toml", format!("// mine\n{RIG}")),
        ("p31.toml", with_disks("\"P31\"")),
        ("gp3.toml", with_disks("\"gp3\"")),
        ("nothing.toml", with_disks("\"\"")),
        ("behind.toml", with_disks("\"P30 x 4\"")),
        ("blank.toml", with_disks("\"4 P30\"")),
        ("none.toml", with_disks("\"0 x P30\"")),
        ("m5.toml", rig("\"Standard_DS14\"\nedition = \"2017-03\"", "\"m5.2xlarge\"")),
        ("n2.toml", rig("\"Standard_DS14\"\nedition = \"2017-03\"", "\"n2-standard-8\"")),
        ("huge.toml", rig("disks =", "stripe_unit = \"99999999999999999999 KiB\"\ndisks =")),
        ("us-east-1.toml", asks("region = \"us-east-1\"", holds)),
        ("750.toml", asks("", "capacity = 750")),
        ("750-gib.toml", asks("", "capacity = 750 GiB")),
        ("devices.toml", asks("", &format!("{holds}\ndevices = \"sdb\""))),
        ("years.toml", asks("years = -1", holds)),
        ("arm.toml", asks("arm = yes", holds)),
        ("zero.toml", asks("years = 02", holds)),
        ("zero-text.toml", asks("years = \"02\"", holds)),
        ("latency.toml", asks("", &format!("{holds}\nread_latency_max = \"4\""))),
        ("size.toml", asks("", &format!("{holds}\nwrite_size = \"32\""))),
        ("micro.toml", asks("", &format!("{holds}\nread_latency_max = \"4 \u{b5}\""))),
        ("prices.toml", asks("prices = \"1999\"", holds)),
        ("lists.toml", asks("", holds).replace("[plan]", "[[plan]]")),
        ("region.toml", asks("", holds).replace("[plan]", "region = \"eastus\"\n[plan]")),
        ("thousands.toml", asks("", holds).replace("p90 = 100", "p90 = 3,000")),
        ("kilo.toml", asks("", holds).replace("p90 = 100", "p90 = 3k")),
        ("one.toml", asks("", &format!("{holds}\nwrite_iops = 9000"))),
        ("measured.toml", asks("", &format!("{holds}\nread_latency = \"4 ms\""))),
        ("percent.toml", asks("headroom_percent = \"20%\"", holds)),
        ("list.csv", "time,device,iops\n1,sda,2\n".to_string()),
        ("mac.toml", asks("", holds).replace('\n', "\r")),
        ("blank.csv", "\n\n".to_string()),
        ("type.toml", asks("disks = [\"Premium_LRS\"]", holds)),
        ("aws.toml", asks("vms = [\"m5.large\"]", holds)),
        ("premium.toml", with_disks("\"Premium SSD\"")),
        ("seed.toml", format!("seed = -1\n{RIG}")),
    ];
    folder(&texts.each_ref().map(|(name, text)| (*name, text.as_str())))
}

/// What is typed, the exit code, what is said of it, and what to do.
type Row = (&'static str, i32, &'static str, &'static str);

const REFUSED: &[Row] = &[
    // Paths of Windows.
    (
        "simulate windows.toml job.fio",
        3,
        "windows.toml:7: `mount = \"F:\\data\"`",
        "in single quotes: `mount = 'F:\\data'`",
    ),
    (
        "simulate tab.toml job.fio",
        3,
        "in double quotes `\\` begins an escape",
        "in single quotes: `mount = 'F:\\test'`",
    ),
    ("simulate end.toml job.fio", 3, "`\\` begins an escape", "in single quotes: `mount = 'F:\\'`"),
    (
        "simulate device.toml job.fio",
        3,
        "`\\` begins an escape",
        "in single quotes: `device = '\\\\.\\PhysicalDrive1'`",
    ),
    // TOML as it is not.
    ("simulate twice.toml job.fio", 3, "`[volume]` stands here again", "write `[[volume]]`, with two brackets"),
    ("simulate unquoted.toml job.fio", 3, "a text needs quotes", "write `disks = \"P30\"`"),
    ("simulate quotes.toml job.fio", 3, "these quotes are not", "write `disks = \"P30\"`"),
    ("simulate comma.toml job.fio", 3, "a line ends without `,`", "write `disks = \"P30\"`"),
    ("simulate yaml.toml job.fio", 3, "a colon stands where `=` belongs", "write `disks = \"P30\"`"),
    ("simulate slashes.toml job.fio", 3, "slashes.toml:1: ", "begin it with `#`"),
    ("plan 750.toml", 3, "`capacity = 750` is a whole number", "`capacity = \"750 GiB\"`"),
    ("plan 750-gib.toml", 3, "a text needs quotes", "write `capacity = \"750 GiB\"`"),
    ("plan devices.toml", 3, "a list belongs there", "write it in brackets: `devices = [\"sdb\"]`"),
    ("plan years.toml", 3, "`years = -1` is out of range", "write a whole number from 0 to 30"),
    ("plan arm.toml", 3, "`yes` is no word of it", "write `arm = true`"),
    ("plan zero.toml", 3, "`02` is not how a number is written", "write `years = 2`"),
    ("plan zero-text.toml", 3, "`years = \"02\"` is a text, and a whole number belongs there", "quotes: `years = 2`"),
    ("plan latency.toml", 3, "is not a length of time", "for example `read_latency_max = \"4 ms\"`"),
    ("plan size.toml", 3, "is not a size", "for example `write_size = \"32 KiB\"`"),
    ("plan micro.toml", 3, "is not a length of time", "for example `read_latency_max = \"4 ms\"`"),
    (
        "plan prices.toml",
        3,
        "prices.toml:3: no price in eastus is as old as 1999; the oldest is of ",
        "leave `prices` out",
    ),
    ("plan lists.toml", 3, "`[[plan]]` begins a list", "write `[plan]`"),
    ("plan thousands.toml", 3, "`3,000` is not how a number is written", "write `p90 = 3000`"),
    ("plan kilo.toml", 3, "`3k` is not how a number is written", "write `p90 = 3000`"),
    ("plan one.toml", 3, "a table belongs there", "`write_iops = { p50 = 9000, p90 = 9000, p99 = 9000, max = 9000 }`"),
    ("plan measured.toml", 3, "a table belongs there", "write `read_latency_max = \"4 ms\"`"),
    ("plan percent.toml", 3, "is a text, and a number belongs there", "without quotes: `headroom_percent = 20`"),
    ("plan list.csv", 3, "list.csv:1: this is a line of CSV", "`diskwright observe`"),
    ("plan mac.toml", 3, "lines end with CR alone", "with LF"),
    ("plan blank.csv", 3, "this file is empty", "`diskwright init requirements`"),
    ("plan region.toml", 3, "`region` is a key of `[plan]`", "below `[plan]`"),
    ("simulate seed.toml job.fio", 3, "`seed = -1` is out of range", "write a whole number from 0"),
    // Names.
    ("plan type.toml", 3, "no disk is called `Premium_LRS`", "premium SSDs are named by their size, `P30` is 1 TiB"),
    ("plan aws.toml", 3, "no VM size is called `m5.large`", "a name of AWS, and the catalogue holds Azure"),
    ("simulate premium.toml job.fio", 3, "there is no disk `Premium SSD`", "premium SSDs are named by their size"),
    ("catalogue show StandardSSD_LRS", 2, "there is no disk `StandardSSD_LRS`", "`E30` is 1 TiB"),
    ("catalogue show Standard_LRS", 2, "there is no disk `Standard_LRS`", "`S30` is 1 TiB"),
    ("catalogue show UltraSSD_LRS", 2, "there is no disk `UltraSSD_LRS`", "write `Ultra`"),
    ("catalogue show D8", 2, "there is no VM size `D8`", "did you mean `Standard_D8"),
    ("catalogue list nonsense", 2, "`nonsense` is neither a VM size nor a disk", "`diskwright catalogue list`"),
    ("catalogue list Q8*", 2, "nothing in the catalogue is called `Q8*`", "`*` stands for any letters"),
    ("catalogue list --series Ddsv55", 2, "there is no series `Ddsv55`", "did you mean `Ddsv5`"),
    ("simulate p31.toml job.fio", 3, "there is no disk `P31`", "did you mean `P30`?"),
    ("simulate gp3.toml job.fio", 3, "there is no disk `gp3`", "a name of AWS, and the catalogue holds Azure"),
    ("simulate nothing.toml job.fio", 3, "`disks` names no disk", "`disks = \"4 x P30\"`"),
    ("simulate behind.toml job.fio", 3, "is not a number of disks", "`disks = \"4 x P30\"`"),
    ("simulate blank.toml job.fio", 3, "is not a number of disks", "`disks = \"4 x P30\"`"),
    ("simulate none.toml job.fio", 3, "`0` is not a number of disks", "`disks = \"10 x P30\"`"),
    ("simulate m5.toml job.fio", 3, "there is no VM size `m5.2xlarge`", "a name of AWS, and the catalogue holds Azure"),
    ("simulate n2.toml job.fio", 3, "there is no VM size `n2-standard-8`", "a name of Google Cloud"),
    ("catalogue show m5.large", 2, "`m5.large` is neither a VM size nor a disk", "the catalogue holds Azure"),
    ("catalogue show nonsense", 2, "`nonsense` is neither a VM size nor a disk", "`diskwright catalogue list`"),
    ("plan us-east-1.toml", 3, "no price is known in region `us-east-1`", "did you mean `eastus`?"),
    (
        "plan requirements.toml --region us-east-1",
        2,
        "no price is known in region `us-east-1`",
        "did you mean `eastus`?",
    ),
    ("catalogue coverage --region us-east-1", 2, "is of region `us-east-1`", "did you mean `eastus`?"),
    ("emulate P31 --null --socket s", 3, "there is neither a file nor a disk `P31`", "did you mean `P30`?"),
    // Volumes.
    ("observe iostat.txt --volume exclude=sdc,sdd", 3, "volume `exclude` leaves no device", "name fewer"),
    ("observe iostat.txt --volume sdc=data", 3, "there is no device `data`", "before the device: `data=sdc`"),
    ("observe iostat.txt --volume data=sdc,log=sdd", 2, "names several volumes", "`--volume log=sdd`"),
    ("observe iostat.txt --volume data=sdc,sdc", 2, "names `sdc` twice", "write `data=sdc`"),
    ("observe iostat.txt,job.fio", 3, "iostat.txt,job.fio: cannot be read", "by blanks, not by commas"),
    // Numbers.
    ("observe iostat.txt --every -5s", 2, "`--every -5s` is below zero", "write a value above it"),
    ("simulate huge.toml job.fio", 3, "is too large", "write at most"),
    ("observe iostat.txt --growth 30", 2, "30 times the demand", "`30%` for 30 % more, or `30x`"),
    ("report iostat.txt --growth 0.3", 2, "less than today", "`30%` for 30 % more, or `0.3x`"),
    ("observe iostat.txt --growth -300%", 2, "write a factor or percent", "`1.3`, `30%`"),
    ("observe iostat.txt --random 0.7", 2, "0.7 % or 70 %", "write `0.7%` or `70%`"),
    ("observe iostat.txt --every 2", 2, "is not a length of time", "for example `2 s`"),
    ("observe iostat.txt --memory-total 64", 2, "is not a size", "for example `64 GiB`"),
    ("verify requirements.toml x.json --tolerance -1", 2, "`--tolerance -1` is out of range", "from 0 to 99"),
    ("simulate rig.toml job.fio --seed=-1", 2, "'-1' for '--seed", "write one from 0 on"),
    ("simulate rig.toml job.fio --seed 1.5", 2, "'1.5' for '--seed", "write one from 0 on"),
    ("simulate rig.toml job.fio --threads 0", 2, "'0' for '--threads", "write one from 1 on"),
    ("simulate rig.toml job.fio --error 200%", 2, "200 % is out of range", "`0%` to `100%`"),
    ("studio --no-open --max-seconds 2d", 2, "--max-seconds", "write `1s` to `1d`"),
    // Paths.
    ("observe *.log", 3, "*.log: cannot be read", "no shell put names in place of `*`"),
    ("plan ~/asks.toml", 3, "~/asks.toml: cannot be read", "write the path in full"),
    ("plan requirements.toml --output=~/plan.json", 1, "~/plan.json: cannot be written", "leave a blank before it"),
    ("emulate rig.toml --socket s --dir=~/disks", 1, "~/disks: cannot be made", "leave a blank before it"),
    ("observe https://example.org/iostat.txt", 3, "cannot be read", "fetch it into a file first"),
    ("observe iostat.txt -o x --html ./x", 2, "`--html` and `--output` cannot both write it", "name two files"),
    // Commands and options.
    (
        "plan requirements.toml --format json --format csv",
        2,
        "`--format` cannot be used multiple times",
        "write it once",
    ),
    ("plan requirements.toml --output-format json", 2, "no option `--output-format`", "write `--format json`"),
    ("init --format json rig", 2, "`init` has no option `--format`", "`diskwright init --help`"),
    ("catalogue list --region eastus", 2, "no option `--region`", "`diskwright catalogue list --help`"),
    ("plan requirements.toml --years 3", 2, "a key of the requirements", "write `years = 3` there, under `[plan]`"),
    (
        "verify --requirements requirements.toml",
        2,
        "no option `--requirements`",
        "`diskwright verify requirements.toml`",
    ),
    ("diff rig.toml plan.json", 2, "there is no command `diff`", "`diskwright plan diff rig.toml plan.json`"),
    (
        "convert job.fio --to job.xml",
        2,
        "`--to` takes a word",
        "write `-o job.xml`, and `--to` with one of fio, diskspd",
    ),
    ("provision plan.json --target az.sh", 2, "`--target` takes a word", "write `-o az.sh`"),
    ("studio --no-open --max-upload 0B", 2, "no recording is as small", "1 KiB or more"),
    ("plan requirements.toml years.toml", 2, "`plan` takes one requirements file", "`diskwright plan diff A B`"),
    ("plan requirements.toml -format json", 2, "begins with one dash", "write `--format`"),
    ("plan requirements.toml -output plan.json", 2, "begins with one dash", "write `--output`"),
    ("plan requirements.toml \u{2013}format json", 2, "a dash that is not `-`", "write `--format`"),
    ("rig.toml job.fio", 2, "`rig.toml` is a file, and no command", "`diskwright simulate rig.toml job.fio`"),
    ("iostat.txt", 2, "`iostat.txt` is a file, and no command", "`diskwright observe iostat.txt`"),
    ("requirements.toml", 2, "`requirements.toml` is a file, and no command", "`diskwright plan requirements.toml`"),
    ("explain rig.toml", 2, "--demand <REQUIREMENTS.toml>", "--measured <RESULT>"),
    ("report", 2, "required", "--example"),
    ("top", 2, "no emulation is named", "--socket"),
    ("ctl status", 2, "no emulation is named", "--socket"),
    // Files of another kind.
    (
        "explain requirements.toml --demand rig.toml",
        3,
        "requirements.toml holds requirements, and rig.toml is a scenario",
        "put each",
    ),
    (
        "emulate job.fio --null --socket s",
        3,
        "job.fio is a fio job file",
        "`diskwright emulate RIG.toml --mount VOLUME=DIR -- fio job.fio`",
    ),
    ("convert rig.toml --to fio", 3, "rig.toml is a scenario", "--rig rig.toml"),
    ("report empty.json", 3, "empty.json: this file is empty", "Run it again"),
    ("report rig.toml -o x.html", 3, "rig.toml is a scenario", "diskwright simulate rig.toml"),
    ("verify iostat.txt requirements.toml", 3, "iostat.txt is a recording", "diskwright observe iostat.txt"),
    ("studio rig.toml --no-open", 2, "rig.toml is a scenario; studio wants recordings", "diskwright simulate rig.toml"),
    ("studio . --no-open", 3, "is a directory", "name a file"),
    ("studio - --no-open", 2, "standard input only once", "into a file"),
    ("studio --emulator rig.toml --no-open", 2, "rig.toml: this is not a socket", "diskwright emulate"),
];

/// Each row is refused as it says.
fn check_refused(at: &Path, rows: &[Row]) {
    let mut wrong = Vec::new();
    for (line, code, what, hint) in rows {
        let args: Vec<&str> = line.split_whitespace().collect();
        let ran = diskwright_at(at, &args);
        let is_plain = !ran.stderr.contains("as a value, use") && !ran.stderr.contains("invalid digit");
        let is_so = ran.code == *code && ran.stdout.is_empty() && is_plain;
        if !is_so || !ran.stderr.contains(what) || !ran.stderr.contains(hint) {
            wrong.push(format!("{line}: {} {}{}", ran.code, ran.stdout, ran.stderr));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn wrong_hints() {
    let files = files();
    let names = || -> Vec<_> {
        let mut names: Vec<_> =
            std::fs::read_dir(files.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = names();
    check_refused(files.path(), REFUSED);
    assert_eq!(names(), before, "nothing is left behind");
    // Not every region that there is.
    let ran = diskwright_at(files.path(), &["plan", "us-east-1.toml"]);
    assert!(ran.stderr.lines().nth(2).or(ran.stderr.lines().last()).unwrap().len() < 200, "{}", ran.stderr);
}

/// What was refused and can only mean one thing.
#[test]
fn what_is_clear_is_taken() {
    let files = files();
    for (number, disks) in ["4x P30", "4*P30", "4 × P30", "4xP30"].into_iter().enumerate() {
        let name = format!("rig{number}.toml");
        std::fs::write(files.path().join(&name), RIG.replace("\"P30\"", &format!("\"{disks}\""))).unwrap();
        let ran = diskwright_at(files.path(), &["simulate", &name, "job.fio", "-q", "--error", "50"]);
        assert!(ran.code == 0 && ran.stdout.contains("4 x P30"), "{disks}: {}{}", ran.stdout, ran.stderr);
    }
    let at = |args: &[&str]| diskwright_at(files.path(), args);
    assert_eq!(at(&["init", "scenario"]).stdout, at(&["init", "rig"]).stdout);
    assert_eq!(at(&["schema", "rig"]).stdout, at(&["schema", "scenario"]).stdout);
    for (with, without) in [("70%", "70"), ("70 %", "70")] {
        let observed = |random: &str| at(&["observe", "iostat.txt", "-q", "--random", random, "--format", "csv"]);
        assert_eq!(observed(with).stdout, observed(without).stdout);
    }
    let grown = |growth: &str| at(&["observe", "iostat.txt", "-q", "--format", "csv", "--growth", growth]);
    for (one, other) in [("30%", "1.3"), ("-5%", "0.95x"), ("2x", "2")] {
        let (one, other) = (grown(one), grown(other));
        assert!(one.code == 0 && one.stdout == other.stdout, "{}{}", one.stderr, other.stderr);
    }
    let planned = at(&[
        "plan",
        "requirements.toml",
        "--region",
        "West Europe",
        "--format",
        "json",
        "--no-simulate",
        "--no-choices",
    ]);
    assert!(planned.code == 0 && planned.stdout.contains("westeurope"), "{}", planned.stderr);
}

/// A plan, and what is done with it that was not meant.
#[test]
fn a_plan_in_the_wrong_place_is_told() {
    let files = files();
    let at = |args: &[&str]| diskwright_at(files.path(), args);
    let planned =
        at(&["plan", "requirements.toml", "--no-simulate", "--no-choices", "--format", "json", "-o", "plan.json"]);
    assert_eq!((planned.code, planned.stderr.as_str()), (0, ""));
    let text = std::fs::read_to_string(files.path().join("plan.json")).unwrap();
    let half = text[..text.len() / 2].rsplit_once('\n').unwrap().0;
    std::fs::write(files.path().join("half.json"), half).unwrap();
    let refused: [Row; 5] = [
        (
            "plan plan.json",
            3,
            "plan.json is a plan; plan wants requirements",
            "it is the answer already: `diskwright report plan.json",
        ),
        ("provision plan.json", 2, "--target <TARGET>", "--output <PATH>"),
        (
            "report half.json",
            3,
            "this begins as a plan and is damaged",
            "diskwright plan REQUIREMENTS.toml --format json",
        ),
        ("provision half.json --target linux", 3, "half.json:", "diskwright plan REQUIREMENTS.toml --format json"),
        ("report plan.json -output x.html", 2, "begins with one dash", "write `--output`"),
    ];
    check_refused(files.path(), &refused);
    let line = format!("half.json:{}: ", half.lines().count());
    assert!(at(&["report", "half.json"]).stderr.contains(&line), "{}", at(&["report", "half.json"]).stderr);
    let with_plan = at(&["report", "iostat.txt", "plan.json", "-o", "y.html"]);
    assert!(with_plan.code == 0 && !with_plan.stderr.contains("no plan"), "{}", with_plan.stderr);
    let noted: [(&[&str], &str); 4] = [
        (
            &["report", "plan.json", "-o", "x.pdf"],
            "note: x.pdf gets html, whatever its name\nhint: no command writes that",
        ),
        (&["report", "plan.json", "./plan.json", "-o", "x.html"], "note: ./plan.json is named twice\n"),
        (
            &["catalogue", "show", "P30", "-o", "x.json"],
            "note: x.json gets a table, whatever its name\nhint: add `--format json`",
        ),
        (&["provision", "plan.json", "--target", "linux", "-o", "x.sh"], ""),
    ];
    for (args, note) in noted {
        let ran = at(args);
        assert!(ran.code == 0 && ran.stderr.contains(note), "{args:?}: {}", ran.stderr);
        assert_eq!(ran.stderr.is_empty(), note.is_empty(), "{args:?}: {}", ran.stderr);
    }
}

/// Compressed files of every kind are told alike, whatever reads them.
#[test]
fn a_compressed_file_is_told_how_to_unpack_it() {
    let folder = files();
    std::fs::write(folder.path().join("x.gz"), b"\x1f\x8b\x08\0\0\0\0\0\0\x03").unwrap();
    let refused = [
        "plan x.gz",
        "provision x.gz --target az",
        "convert x.gz --to diskspd",
        "explain rig.toml --measured x.gz",
        "explain rig.toml --demand x.gz",
        "verify requirements.toml x.gz",
        "simulate x.gz job.fio",
        "simulate rig.toml x.gz",
        "plan diff x.gz rig.toml",
        "observe x.gz",
        "report x.gz",
        "bench rig.toml --simulate --job x.gz",
        "calibrate x.gz --name mine",
    ];
    let rows: Vec<Row> =
        refused.iter().map(|line| (*line, 3, "this file is compressed with gzip", "gunzip -k x.gz")).collect();
    check_refused(folder.path(), &rows);
    let layer = ("DISKWRIGHT_CATALOGUE", "layer.toml");
    let imported = with_variable(folder.path(), layer, &["catalogue", "import", "x.gz"]);
    assert!(imported.code == 3 && imported.stderr.contains("gunzip -k x.gz"), "{}", imported.stderr);
    let imported = with_variable(folder.path(), layer, &["catalogue", "import", "requirements.toml"]);
    let said = "error: requirements.toml holds requirements; catalogue import wants records of VM sizes or prices\nhint: fetch them";
    assert!(imported.code == 3 && imported.stderr.starts_with(said), "{}", imported.stderr);
}

#[test]
fn the_variable_of_the_layer_names_no_file_of_another_kind() {
    let files = files();
    let ran = with_variable(
        files.path(),
        ("DISKWRIGHT_CATALOGUE", "requirements.toml"),
        &["plan", "requirements.toml", "--no-simulate", "--no-choices"],
    );
    let said = "error: DISKWRIGHT_CATALOGUE=requirements.toml: this holds requirements, and no layer of the catalogue\nhint: unset";
    assert!(ran.code == 3 && ran.stderr.starts_with(said), "{}", ran.stderr);
}

#[test]
fn a_layer_that_has_no_place_is_told_how_to_get_one() {
    let files = files();
    let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
    command.args(["catalogue", "import", "empty.json"]).current_dir(files.path()).env_clear();
    let ran = run_in(&mut command, &[]);
    assert!(ran.code == 2 && ran.stderr.contains("hint: name a file: DISKWRIGHT_CATALOGUE="), "{}", ran.stderr);
}

/// What cannot be recorded is refused before the time is spent.
#[cfg(target_os = "linux")]
#[test]
fn an_interval_beyond_the_recording_is_refused_at_once() {
    let files = files();
    check_refused(
        files.path(),
        &[(
            "observe --every 10s --for 5s",
            2,
            "`--every 10s` is longer than `--for 5s`",
            "record for longer, or more often",
        )],
    );
}

fn with_variable(at: &Path, variable: (&str, &str), args: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
    command.args(args).current_dir(at).env("DISKWRIGHT_CATALOGUE", "none");
    run_in(&mut command, &[("LC_ALL", "C"), variable])
}

#[test]
fn the_variable_of_the_format_acts_on_every_command_or_is_refused() {
    let files = files();
    let shown: [&[&str]; 4] = [
        &["catalogue", "show", "P30"],
        &["observe", "iostat.txt", "-q"],
        &["simulate", "rig.toml", "job.fio", "-q"],
        &["plan", "diff", "rig.toml", "rig.toml"],
    ];
    let in_form = |form: &str, args: &[&str]| with_variable(files.path(), ("DISKWRIGHT_OUTPUT_FORMAT", form), args);
    for args in shown {
        let ran = in_form("json", args);
        assert!(ran.code == 0 && ran.stdout.starts_with('{'), "{args:?}: {}{}", ran.stdout, ran.stderr);
        assert_eq!(in_form("", args).stdout, diskwright_at(files.path(), args).stdout, "{args:?}");
    }
    let Ran { code, stdout, stderr } = in_form("csv", &["catalogue", "show", "P30"]);
    assert!(code == 2 && stdout.is_empty(), "{stdout}");
    assert!(stderr.contains("DISKWRIGHT_OUTPUT_FORMAT=csv: `catalogue` has no such form\nhint: unset it"), "{stderr}");
    let said = with_variable(files.path(), ("DISKWRIGHT_SEED", "abc"), &["simulate", "rig.toml", "job.fio"]).stderr;
    assert!(said.contains("DISKWRIGHT_SEED=abc: it is not a whole number: write one from 0 on"), "{said}");
    // What is typed wins.
    let Ran { code, stdout, .. } = in_form("csv", &["catalogue", "show", "P30", "--format", "json"]);
    assert!(code == 0 && stdout.starts_with('{'), "{stdout}");
}

/// This machine is recorded only where that is meant, and it is said at once.
#[cfg(target_os = "linux")]
#[test]
fn a_recording_in_a_pipe_is_not_passed_over() {
    let files = files();
    let observe = |args: &[&str], input: Stdio| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
        command.arg("observe").args(args).current_dir(files.path()).env("LC_ALL", "C").stdin(input);
        let ran = command.output().unwrap();
        (ran.status.code(), String::from_utf8(ran.stderr).unwrap())
    };
    for input in [Stdio::piped(), std::fs::File::open(files.path().join("iostat.txt")).unwrap().into()] {
        let (code, said) = observe(&[], input);
        assert!(
            code == Some(2) && said.contains("no FILE is named") && said.contains("diskwright observe -`"),
            "{said}"
        );
    }
    let (code, said) = observe(&["--every", "100ms", "--for", "300ms"], Stdio::piped());
    assert!(said.starts_with("recording this machine every 100 ms, for 300 ms; Ctrl-C ends it before\n"), "{said}");
    assert_eq!(code, Some(0), "{said}");
    let (_, said) = observe(&["--every", "100ms", "--for", "300ms", "-q"], Stdio::null());
    assert!(!said.contains("recording this machine"), "{said}");
}
