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
        ("us-east-9.toml", asks("region = \"us-east-9\"", holds)),
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
        ("percent.toml", asks("percentile = \"99%\"", holds)),
        ("list.csv", "time,device,iops\n1,sda,2\n".to_string()),
        ("mac.toml", asks("", holds).replace('\n', "\r")),
        ("blank.csv", "\n\n".to_string()),
        ("type.toml", asks("disks = [\"Premium_LRS\"]", holds)),
        ("aws.toml", asks("vms = [\"m5.large\"]", holds)),
        ("azure.toml", asks("region = \"eu-central-1\"\nvms = [\"E8ds_v5\"]", holds)),
        ("aws-9.toml", asks("region = \"eu-central-1\"\nvms = [\"m7i.9large\"]", holds)),
        ("google.toml", asks("region = \"eu-central-1\"\nvms = [\"n2-standard-8\"]", holds)),
        ("premium.toml", with_disks("\"Premium SSD\"")),
        ("seed.toml", format!("seed = -1\n{RIG}")),
        ("less.toml", asks("", holds).replace("[plan]", "growth = 0.3\n[plan]")),
        ("thirty.toml", asks("", holds).replace("[plan]", "growth = 30\n[plan]")),
        ("no-processors.toml", asks("", holds).replace("[plan]", "[cpu]\nprocessors = 0\n[plan]")),
        (
            "memory.toml",
            asks("", holds).replace(
                "[plan]",
                "[memory]\ntotal = \"1 GiB\"\nused = { p50 = \"1 GiB\", p90 = \"1 GiB\", p99 = \"1 GiB\", max = \"2 GiB\" }\n[plan]",
            ),
        ),
        ("both.toml", asks("", &format!("{holds}\niops = {{ p50 = 1, p90 = 1, p99 = 1, max = 1 }}"))),
        ("byte.toml", asks("", holds).replace("8 KiB", "1 B")),
        (
            "two-prices.toml",
            asks("price = [{ name = \"P30\", monthly = 100 }, { name = \"P30\", meter = \"whole\", monthly = 9 }]", holds),
        ),
        ("own-price.toml", asks("price = [{ name = \"P31\", monthly = 1 }, { name = \"m5.large\", monthly = 1 }, { name = \"D8ds_v55\", monthly = 1 }]", holds)),
        ("prices.json", "{\"Items\": []}".to_string()),
        ("fio.json", fio("iops", "5000")),
        ("minus.json", fio("iops", "-5")),
        ("huge.json", fio("iops", "1e300")),
        ("early.json", fio("mean", "-5")),
        ("failed.json", fio("error", "5")),
        ("instant.json", fio("runtime", "0")),
        ("no-job.json", "{ \"fio version\": \"fio-3.33\", \"jobs\": [] }".into()),
        ("three.cmd", "diskspd -b3 -d10 -L -Sh x.dat\n".into()),
        ("vmstat.txt", VMSTAT.to_string()),
        ("no-room.toml", asks("", "capacity = \"0 GiB\"")),
        ("bytes.toml", asks("", "capacity = \"750 B\"")),
        ("headroom.toml", asks("headroom_percent = 0.2", holds)),
        ("random.toml", asks("", &format!("{holds}\nrandom_percent = 0.9"))),
        ("busy.toml", asks("", holds).replace("[plan]", "[cpu]\nbusy_percent = { p50 = 0.2, p90 = 0.4, p99 = 0.5, max = 0.7 }\n[plan]")),
    ];
    folder(&texts.each_ref().map(|(name, text)| (*name, text.as_str())))
}

/// A result of fio in which one key has this value.
fn fio(key: &str, value: &str) -> String {
    let of = |name: &str, usual: &str| format!("\"{name}\": {}", if name == key { value } else { usual });
    format!(
        "{{ \"fio version\": \"fio-3.33\", \"jobs\": [{{ \"jobname\": \"reads\", {}, \"job options\": {{ \"rw\": \"randread\" }},\n\
         \"read\": {{ \"io_bytes\": 81920000, \"io_kbytes\": 80000, \"total_ios\": 10000, {}, {}, \"bw_bytes\": 40960000,\n\
         \"clat_ns\": {{ \"min\": 1, {}, \"max\": 9000000, \"N\": 10000 }} }} }}] }}",
        of("error", "0"),
        of("runtime", "2000"),
        of("iops", "5000"),
        of("mean", "2000000"),
    )
}

const VMSTAT: &str = "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu----- -----timestamp-----\n r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st                 UTC\n 1  0      0 8000000  10000 100000    0    0    10    10  100  200  5  1 94  0  0 2026-03-03 09:00:00\n 1  0      0 8000000  10000 100000    0    0    10    10  100  200  5  1 94  0  0 2026-03-03 09:00:30\n 1  0      0 8000000  10000 100000    0    0    10    10  100  200  5  1 94  0  0 2026-03-03 09:01:00\n";

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
        "in double quotes `\\` starts an escape",
        "in single quotes: `mount = 'F:\\test'`",
    ),
    ("simulate end.toml job.fio", 3, "`\\` starts an escape", "in single quotes: `mount = 'F:\\'`"),
    (
        "simulate device.toml job.fio",
        3,
        "`\\` starts an escape",
        "in single quotes: `device = '\\\\.\\PhysicalDrive1'`",
    ),
    // TOML as it is not.
    ("simulate twice.toml job.fio", 3, "`[volume]` stands here again", "write `[[volume]]`, with two brackets"),
    ("simulate unquoted.toml job.fio", 3, "a string needs quotes", "write `disks = \"P30\"`"),
    ("simulate quotes.toml job.fio", 3, "these quotes are not", "write `disks = \"P30\"`"),
    ("simulate comma.toml job.fio", 3, "a line ends without `,`", "write `disks = \"P30\"`"),
    ("simulate yaml.toml job.fio", 3, "a colon instead of `=`", "write `disks = \"P30\"`"),
    ("simulate slashes.toml job.fio", 3, "slashes.toml:1: ", "begin it with `#`"),
    ("plan 750.toml", 3, "`capacity = 750` is a whole number", "`capacity = \"750 GiB\"`"),
    ("plan 750-gib.toml", 3, "a string needs quotes", "write `capacity = \"750 GiB\"`"),
    ("plan devices.toml", 3, "a list is expected", "write it in brackets: `devices = [\"sdb\"]`"),
    ("plan years.toml", 3, "`years = -1` is out of range", "write a whole number from 0 to 30"),
    ("plan arm.toml", 3, "`yes` is not a TOML value", "write `arm = true`"),
    ("plan zero.toml", 3, "`02` is not how a number is written", "write `years = 2`"),
    ("plan zero-text.toml", 3, "`years = \"02\"` is a string, but a whole number is expected", "quotes: `years = 2`"),
    ("plan latency.toml", 3, "is not a length of time", "for example `read_latency_max = \"4 ms\"`"),
    ("plan size.toml", 3, "is not a size", "for example `write_size = \"32 KiB\"`"),
    ("plan micro.toml", 3, "is not a length of time", "for example `read_latency_max = \"4 ms\"`"),
    (
        "plan prices.toml",
        3,
        "prices.toml:3: no price in eastus is as old as 1999; the oldest is from ",
        "omit `prices`",
    ),
    ("plan lists.toml", 3, "`[[plan]]` begins a list", "write `[plan]`"),
    ("plan thousands.toml", 3, "`3,000` is not how a number is written", "write `p90 = 3000`"),
    ("plan kilo.toml", 3, "`3k` is not how a number is written", "write `p90 = 3000`"),
    ("plan one.toml", 3, "a table is expected", "`write_iops = { p50 = 9000, p90 = 9000, p99 = 9000, max = 9000 }`"),
    ("plan measured.toml", 3, "a table is expected", "write `read_latency_max = \"4 ms\"`"),
    ("plan percent.toml", 3, "is a string, but a number is expected", "without quotes: `percentile = 99`"),
    ("plan list.csv", 3, "list.csv:1: this is a line of CSV", "`diskwright observe`"),
    ("plan mac.toml", 3, "lines end with CR only", "with LF"),
    ("plan blank.csv", 3, "this file is empty", "`diskwright init requirements`"),
    ("plan region.toml", 3, "`region` is a key of `[plan]`", "below `[plan]`"),
    ("simulate seed.toml job.fio", 3, "`seed = -1` is out of range", "write a whole number from 0"),
    // Names.
    ("plan type.toml", 3, "no disk is called `Premium_LRS`", "premium SSDs are named by their size, `P30` is 1 TiB"),
    (
        "plan aws.toml",
        3,
        "no VM size is called `m5.large`",
        "this is a name of AWS, not of Azure: write a region of AWS",
    ),
    (
        "plan azure.toml",
        3,
        "no VM size is called `E8ds_v5`",
        "this is a name of Azure, not of AWS: write a region of Azure",
    ),
    ("plan aws-9.toml", 3, "no VM size is called `m7i.9large`", "`diskwright catalogue list --vm --vendor aws`"),
    (
        "plan google.toml",
        3,
        "no VM size is called `n2-standard-8`",
        "a name of Google Cloud, and plans cover Azure and AWS",
    ),
    ("simulate premium.toml job.fio", 3, "unknown disk `Premium SSD`", "premium SSDs are named by their size"),
    ("catalogue show StandardSSD_LRS", 2, "unknown disk `StandardSSD_LRS`", "`E30` is 1 TiB"),
    ("catalogue show Standard_LRS", 2, "unknown disk `Standard_LRS`", "`S30` is 1 TiB"),
    ("catalogue show UltraSSD_LRS", 2, "unknown disk `UltraSSD_LRS`", "write `Ultra`"),
    ("catalogue show D8", 2, "unknown VM size `D8`", "did you mean `Standard_D8"),
    ("catalogue list nonsense", 2, "`nonsense` is neither a VM size nor a disk", "`diskwright catalogue list`"),
    ("catalogue list Q8*", 2, "nothing in the catalogue matches `Q8*`", "`*` matches any characters"),
    ("catalogue list --series Ddsv55", 2, "unknown VM series `Ddsv55`", "did you mean `Ddsv5`"),
    ("simulate p31.toml job.fio", 3, "unknown disk `P31`", "did you mean `P30`?"),
    (
        "simulate gp3.toml job.fio",
        3,
        "is a VM size of Azure, and the disks of the scenario (`gp3`) are of AWS",
        "one scenario has one vendor",
    ),
    ("simulate nothing.toml job.fio", 3, "`disks` names no disk", "`disks = \"4 x P30\"`"),
    ("simulate behind.toml job.fio", 3, "is not a number of disks", "`disks = \"4 x P30\"`"),
    ("simulate blank.toml job.fio", 3, "is not a number of disks", "`disks = \"4 x P30\"`"),
    ("simulate none.toml job.fio", 3, "`0` is not a number of disks", "`disks = \"10 x P30\"`"),
    (
        "simulate m5.toml job.fio",
        3,
        "`m5.2xlarge` is a VM size of AWS, and the disks of the scenario (`P30`) are of Azure",
        "one scenario has one vendor",
    ),
    ("simulate n2.toml job.fio", 3, "unknown VM size `n2-standard-8`", "a name of Google Cloud"),
    ("catalogue show n2-standard-8", 2, "`n2-standard-8` is neither a VM size nor a disk", "plans cover Azure and AWS"),
    ("catalogue show nonsense", 2, "`nonsense` is neither a VM size nor a disk", "`diskwright catalogue list`"),
    ("plan us-east-9.toml", 3, "no price is known in region `us-east-9`", "did you mean `us-east-1`?"),
    (
        "plan requirements.toml --region us-east-9",
        2,
        "no price is known in region `us-east-9`",
        "did you mean `us-east-1`? (or us-east-2, eastus",
    ),
    (
        "plan requirements.toml --compare aws:eu-central-9,azure:eastus",
        2,
        "no price is known in region `eu-central-9`",
        "did you mean `eu-central-1`?",
    ),
    (
        "plan requirements.toml --compare aws:eastus,azure:eastus",
        2,
        "no price is known in region `eastus`",
        "it is a region of Azure; of AWS, write for example",
    ),
    (
        "explain rig.toml --demand requirements.toml --region us-east-9",
        2,
        "no price is known in region `us-east-9`",
        "did you mean `us-east-1`?",
    ),
    ("catalogue coverage --region us-east-9", 2, "unknown region `us-east-9`", "did you mean `us-east-1`?"),
    ("catalogue coverage --region eu-central-9", 2, "unknown region `eu-central-9`", "did you mean `eu-central-1`?"),
    ("plan own-price.toml", 3, "nothing in the catalogue matches `P31`", "did you mean `P30`?"),
    ("plan own-price.toml", 3, "nothing in the catalogue matches `m5.large`", "a name of AWS"),
    ("plan own-price.toml", 3, "nothing in the catalogue matches `D8ds_v55`", "did you mean `Standard_D8ds_v5`?"),
    ("simulate P30 job.fio", 3, "P30: cannot be read", "`P30` is a disk of the catalogue, and a file belongs here"),
    ("plan D8ds_v4", 3, "D8ds_v4: cannot be read", "`D8ds_v4` is a VM size of the catalogue, and a file belongs here"),
    (
        "emulate D8ds_v4 --null --socket s",
        3,
        "no file or disk is called",
        "`D8ds_v4` is a VM size of the catalogue; write",
    ),
    (
        "emulate Ultra --null --socket s",
        3,
        "error: Ultra has no size of its own",
        "`diskwright init rig` prints a starter file",
    ),
    ("emulate P31 --null --socket s", 3, "no file or disk is called `P31`", "did you mean `P30`?"),
    // Volumes.
    ("observe iostat.txt --volume exclude=sdc,sdd", 3, "volume `exclude` leaves no device", "name fewer"),
    ("observe iostat.txt --volume sdc=data", 3, "there is no device `data`", "before the device: `data=sdc`"),
    ("observe iostat.txt --volume data=sdc,log=sdd", 2, "names several volumes", "`--volume log=sdd`"),
    ("observe iostat.txt --volume data=sdc,sdc", 2, "names `sdc` twice", "write `data=sdc`"),
    ("observe iostat.txt --volume data sdc", 2, "but NAME=DEVICES must be one", "write `--volume data=sdc`"),
    ("report iostat.txt --capacity sdc 750GiB", 2, "but NAME=SIZE must be one", "write `--capacity sdc=750GiB`"),
    ("emulate rig.toml --mount data /mnt -- true", 2, "but VOLUME=DIR must be one", "write `--mount data=/mnt`"),
    ("observe iostat.txt,job.fio", 3, "iostat.txt,job.fio: cannot be read", "with spaces, not commas"),
    // Numbers.
    ("observe iostat.txt --every -5s", 2, "`--every -5s` is below zero", "write a value above it"),
    ("simulate huge.toml job.fio", 3, "is too large", "write at most"),
    ("observe iostat.txt --growth 30", 2, "30 times the demand", "`30%` for 30 % more, or `30x`"),
    ("report iostat.txt --growth 0.3", 2, "less than today", "`30%` for 30 % more, or `0.3x`"),
    ("plan less.toml", 3, "less.toml:2: `growth = 0.3`: it would be less than today", "write `\"30%\"` for 30 % more"),
    ("explain rig.toml --demand thirty.toml", 3, "`growth = 30`: it would be 30 times the demand", "write `\"30%\"`"),
    ("plan headroom.toml", 3, "headroom.toml:3: `headroom_percent = 0.2`", "write `\"0.2%\"` or `\"20%\"`"),
    ("plan random.toml", 3, "`random_percent = 0.9`: it could be 0.9 % or 90 %", "write `\"0.9%\"` or `\"90%\"`"),
    ("plan busy.toml", 3, "at most 0.7 %, or the share 0.7", "for example `max = 70`"),
    ("plan no-room.toml", 3, "`capacity = \"0 GiB\"` is zero", "did you mean `capacity = \"750 GiB\"`?"),
    ("plan bytes.toml", 3, "`capacity = \"750 B\"` is less than", "did you mean `capacity = \"750 GiB\"`?"),
    ("observe iostat.txt --format toml --capacity sdc=0GiB", 2, "it is zero", "did you mean `sdc=750GiB`?"),
    ("report iostat.txt --capacity sdc=750B", 2, "less than any file system needs", "did you mean `sdc=750GiB`?"),
    ("observe iostat.txt --growth -300%", 2, "write a factor or percent", "`1.3`, `30%`"),
    ("observe iostat.txt --random 0.7", 2, "0.7 % or 70 %", "write `0.7%` or `70%`"),
    ("observe iostat.txt --every 2", 2, "is not a length of time", "for example `2 s`"),
    ("observe iostat.txt --memory-total 64", 2, "is not a size", "for example `64 GiB`"),
    ("verify requirements.toml x.json --tolerance -1", 2, "`--tolerance -1` is out of range", "from 0 to 99"),
    ("simulate rig.toml job.fio --seed=-1", 2, "'-1' for '--seed", "write one from 0 on"),
    ("simulate rig.toml job.fio --seed 1.5", 2, "'1.5' for '--seed", "write one from 0 on"),
    ("simulate rig.toml job.fio --threads 99999999999999999999", 2, "it is too large", "write one from 1 on"),
    ("simulate rig.toml job.fio --seeds 5..1", 2, "`--seeds 5..1` ends before it begins", "`--seeds 1..5`"),
    ("simulate rig.toml job.fio --seeds 1..99999999999999999999", 2, "is too large", "for example `--seeds 1..8`"),
    ("simulate rig.toml job.fio --threads 0", 2, "'0' for '--threads", "write one from 1 on"),
    ("simulate rig.toml job.fio --error 200%", 2, "200 % is out of range", "`0%` to `100%`"),
    ("studio --no-open --max-seconds 2d", 2, "--max-seconds", "write `1s` to `1d`"),
    // Figures that contradict each other, or that nothing has.
    ("plan no-processors.toml", 3, "`processors = 0`", "or omit `[cpu]`"),
    (
        "plan memory.toml",
        3,
        "`total = \"1 GiB\"` is less than what is in use, `used.max = \"2 GiB\"`",
        "the machine's total memory",
    ),
    (
        "plan both.toml",
        3,
        "`iops` of `data` has no effect next to `read_iops`",
        "keep reads and writes, or only `iops`",
    ),
    ("plan byte.toml", 3, "`read_size = \"1 B\"` is less than a sector", "`read_size = \"512 B\"`"),
    ("plan two-prices.toml", 3, "`P30` has two prices of `meter = \"whole\"`", "keep one of the two"),
    ("convert --to fio three.cmd", 3, "requests of 3 B, less than a sector", "write -b3K"),
    (
        "convert --to fio --diskspd job.fio",
        2,
        "`--diskspd job.fio`: job.fio is a file",
        "`diskwright convert job.fio --to fio`",
    ),
    ("simulate rig.toml --diskspd job.fio", 2, "job.fio is a file", "`diskwright simulate rig.toml job.fio`"),
    (
        "observe iostat.txt vmstat.txt --memory-total 1GiB",
        3,
        "`--memory-total` is 1 GiB, but the recording shows",
        "the machine's total memory",
    ),
    (
        "verify requirements.toml minus.json",
        3,
        "`reads`: -5 I/Os per second cannot have been measured",
        "the tool's unmodified result",
    ),
    (
        "verify requirements.toml huge.json",
        3,
        "I/Os per second cannot have been measured",
        "the tool's unmodified result",
    ),
    (
        "verify requirements.toml early.json",
        3,
        "`reads`: -5 ns of latency cannot have been measured",
        "the tool's unmodified result",
    ),
    (
        "explain rig.toml --measured minus.json",
        3,
        "-5 I/Os per second cannot have been measured",
        "the tool's unmodified result",
    ),
    (
        "explain rig.toml --measured early.json",
        3,
        "-5 ns of latency cannot have been measured",
        "the tool's unmodified result",
    ),
    (
        "verify requirements.toml fio.json --map reads=data --map reads=-",
        2,
        "`--map reads=data` and `--map reads=-` contradict each other",
        "keep one of the two",
    ),
    (
        "explain rig.toml --measured fio.json --map reads=data --map reads=-",
        2,
        "`--map reads=data` and `--map reads=-` contradict each other",
        "keep one of the two",
    ),
    ("catalogue import prices.json --date 9999-01-01", 2, "`--date 9999-01-01` is after today, ", "fetched"),
    (
        "catalogue import prices.json --date 1999-01-01",
        2,
        "`--date 1999-01-01` is before the first prices",
        "`--date 2",
    ),
    ("catalogue import prices.json --date 2026-13-01", 2, "`--date 2026-13-01` is not a day", "`--date 2"),
    // Volumes and windows of a recording.
    (
        "observe iostat.txt --window day=0s..5s --window day=5s..10s",
        3,
        "two windows are called `day`",
        "`--window NAME=WHEN`",
    ),
    ("observe iostat.txt --volume EXCLUDE=sdc", 2, "would define a volume instead of an exclusion", "`exclude=sdc`?"),
    ("observe iostat.txt --window Exclude=0s..5s", 2, "a window to look at", "did you mean `exclude=0s..5s`?"),
    (
        "observe iostat.txt --format toml --window day=0s..5s --window off=rest",
        2,
        "which window should be planned for? There are `day`, `off`",
        "call it `peak`",
    ),
    (
        "observe iostat.txt --format toml --window peak=1h..2h",
        3,
        "iostat.txt: window `peak` contains no interval of the recording (",
        "name a window within it",
    ),
    // Paths.
    ("observe *.log", 3, "*.log: cannot be read", "the shell did not expand `*`"),
    ("plan ~/asks.toml", 3, "~/asks.toml: cannot be read", "write the full path"),
    ("plan requirements.toml --output=~/plan.json", 1, "~/plan.json: cannot be written", "put a space before it"),
    ("emulate rig.toml --socket s --dir=~/disks", 1, "~/disks: cannot be made", "put a space before it"),
    ("observe https://example.org/iostat.txt", 3, "cannot be read", "download it to a file first"),
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
        "`diskwright verify requirements.toml RESULT`",
    ),
    ("diff rig.toml plan.json", 2, "unknown command `diff`", "`diskwright plan diff rig.toml plan.json`"),
    (
        "convert job.fio --to job.xml",
        2,
        "`--to` takes a word",
        "write `-o job.xml`, and `--to` with one of fio, diskspd",
    ),
    ("provision plan.json --target az.sh", 2, "`--target` takes a word", "write `-o az.sh`"),
    ("studio --no-open --max-upload 0B", 2, "no recording is as small", "1 KiB or more"),
    ("plan requirements.toml years.toml", 2, "`plan` takes one requirements file", "`diskwright plan diff A B`"),
    ("plan requirements.toml -format json", 2, "starts with a single dash", "write `--format`"),
    ("plan requirements.toml -output plan.json", 2, "starts with a single dash", "write `--output`"),
    ("plan requirements.toml \u{2013}format json", 2, "a dash that is not `-`", "write `--format`"),
    ("rig.toml job.fio", 2, "`rig.toml` is a file, not a command", "`diskwright simulate rig.toml job.fio`"),
    ("iostat.txt", 2, "`iostat.txt` is a file, not a command", "`diskwright observe iostat.txt`"),
    ("requirements.toml", 2, "`requirements.toml` is a file, not a command", "`diskwright plan requirements.toml`"),
    ("explain rig.toml", 2, "--demand <REQUIREMENTS.toml>", "--measured <RESULT>"),
    ("report", 2, "required", "--example"),
    ("emulate rig.toml --null --mount data=d", 2, "`--null` keeps no data", "with `--memory` or `--dir DATA`"),
    ("ctl --socket s --wait 0s status", 2, "it is zero", "write for example `2s`"),
    ("simulate rig.toml job.fio --output-format jsn", 2, "invalid value 'jsn'", "possible values: table, json"),
    (
        "ctl --socket rig.toml status",
        9,
        "no emulator listens on rig.toml: it is not a socket",
        "`diskwright emulate` prints",
    ),
    ("ctl --socket nowhere status", 9, "on nowhere: no such file or directory", "`diskwright emulate` prints"),
    ("observe iostat.txt --every 0", 2, "is not a length of time", "for example `30 s`"),
    ("top", 2, "no control socket is given", "--socket"),
    ("ctl status", 2, "no control socket is given", "--socket"),
    // Files of another kind.
    (
        "explain requirements.toml --demand rig.toml",
        3,
        "requirements.toml holds requirements, and rig.toml is a scenario",
        "swap the two",
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
    ("studio /dev/zero --no-open", 2, "/dev/zero: this is a pipe or a device", "save it to a file first"),
    ("studio --no-open --allow-host http://x:80/a", 2, "this is a URL", "write `x:80`"),
    ("studio --no-open --allow-host *", 2, "not a host name", "for example `studio.example`"),
    ("studio --no-open --allow-host x:99999", 2, "a port is a number", "from 1 to 65535"),
    ("studio - --no-open", 2, "standard input can be read only once", "to a file"),
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
    let ran = diskwright_at(files.path(), &["plan", "us-east-9.toml"]);
    assert!(ran.stderr.lines().nth(2).or(ran.stderr.lines().last()).unwrap().len() < 200, "{}", ran.stderr);
}

/// A tool's own complaints are said where its results are judged.
#[test]
fn a_result_that_failed_is_told() {
    let files = files();
    for (result, said) in [
        ("failed.json", "failed.json:1: job `reads` ended with error 5"),
        ("instant.json", "instant.json:1: read: fio gives no time for 10,000 I/Os, so no rate"),
        ("no-job.json", "no-job.json:1: it contains no job: fio ended before any started"),
    ] {
        let ran = diskwright_at(files.path(), &["verify", "requirements.toml", result]);
        assert!(ran.code == 5 && ran.stderr.contains(&format!("warning: {said}\n")), "{}", ran.stderr);
        let why = ran.stdout.lines().filter(|line| line.contains("not proven")).skip(1);
        assert!(why.clone().count() > 0 && why.clone().all(|line| line.contains(said)), "{}", ran.stdout);
        let ran = diskwright_at(files.path(), &["explain", "rig.toml", "--measured", result]);
        let (_, what) = said.split_once(": ").unwrap();
        assert!(ran.stderr.contains(what), "{}", ran.stderr);
    }
}

/// A pipe that nobody feeds, or reads, is named.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_that_keeps_us_waiting_is_named() {
    let files = files();
    let made = Command::new("mkfifo").arg(files.path().join("pipe")).status().unwrap();
    assert!(made.success());
    let waits = |args: &[&str], said: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
        command.args(args).current_dir(files.path()).stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.stdout(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        let mut reader = std::io::BufReader::new(child.stderr.take().unwrap());
        std::io::BufRead::read_line(&mut reader, &mut line).unwrap();
        assert!(line.contains(said), "{args:?}: {line}");
        child
    };
    let mut child = waits(&["report", "-"], "note: standard input: nothing has come so far");
    child.kill().unwrap();
    child.wait().unwrap();
    let mut child = waits(&["init", "rig", "-o", "pipe"], "note: pipe: nothing reads this pipe yet");
    assert!(std::fs::read_to_string(files.path().join("pipe")).unwrap().contains("[vm]"));
    assert!(child.wait().unwrap().success());
    let ran = diskwright_at(files.path(), &["observe", "--for", "20s", "--record", "pipe"]);
    assert!(
        ran.code == 1 && ran.stderr.starts_with("error: pipe: cannot be written: it is a pipe, not a file"),
        "{}",
        ran.stderr
    );
}

/// A window that is named is the one that is planned for.
#[test]
fn the_one_window_is_the_one() {
    let files = files();
    let asked = |window: &[&str]| {
        let ran = diskwright_at(files.path(), &[&["observe", "iostat.txt", "-q", "--format", "toml"], window].concat());
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{window:?}");
        ran.stdout.lines().find(|line| line.starts_with("window = ")).unwrap().to_string()
    };
    for (windows, planned) in [
        (&[][..], "whole"),
        (&["--window", "day=0s..20min"], "day"),
        (&["--window", "day=0s..20min", "--window", "peak=0s..20min"], "peak"),
        (&["--window", "load"], "peak"),
    ] {
        assert_eq!(asked(windows), format!("window = \"{planned}\""), "{windows:?}");
    }
}

/// Nothing is recorded first and refused then.
#[cfg(target_os = "linux")]
#[test]
fn a_recording_that_would_come_to_nothing_is_not_begun() {
    let rows: &[Row] = &[
        ("observe --for 20s --volume data=sdzz", 2, "volume `data`: there is no device `sdzz`", "--volume NAME=DEVICE"),
        ("observe --for 20s --record r.arrows --volume data=sdb", 2, "`--volume`", "`diskwright observe`"),
        ("observe --for 20s --format toml --capacity daat=1GiB", 2, "unknown volume `daat`", "there are"),
        (
            "observe --for 20s --machine nosuch",
            2,
            "`--machine nosuch`: this machine is called `",
            "leave the option out",
        ),
        ("observe --for 20s --every 1ns", 2, "an interval of 1 ns is too short", "at least `--every 1ms`"),
        ("observe --for 5s --every 8s", 2, "5 s is shorter than the first interval, 8 s", "at least `--for 8s`"),
        ("observe --for 500ms", 2, "500 ms is shorter than the first interval, 1 s", "at least `--for 1s`"),
    ];
    let (files, begin) = (files(), std::time::Instant::now());
    check_refused(files.path(), rows);
    assert!(begin.elapsed() < std::time::Duration::from_secs(10), "{:?}", begin.elapsed());
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
    for (growth, is_named) in [("1.3", true), ("\"30%\"", true), ("\"0.3x\"", true), ("1", false)] {
        let asks = std::fs::read_to_string(files.path().join("requirements.toml")).unwrap();
        let asks = asks.replace("[plan]", &format!("growth = {growth}\n[plan]"));
        std::fs::write(files.path().join("grown.toml"), asks).unwrap();
        let ran = at(&["plan", "grown.toml", "--no-simulate", "--no-choices", "--full"]);
        assert!(
            ran.code == 0 && ran.stdout.contains("(`growth`)") == is_named,
            "{growth}: {}{}",
            ran.stdout,
            ran.stderr
        );
    }
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
            "it is already a plan: `diskwright report plan.json",
        ),
        ("provision plan.json", 2, "--target <TARGET>", "--output <PATH>"),
        (
            "report half.json",
            3,
            "this begins as a plan and is damaged",
            "diskwright plan REQUIREMENTS.toml --format json",
        ),
        ("provision half.json --target linux", 3, "half.json:", "diskwright plan REQUIREMENTS.toml --format json"),
        ("report plan.json -output x.html", 2, "starts with a single dash", "write `--output`"),
    ];
    check_refused(files.path(), &refused);
    let line = format!("half.json:{}: ", half.lines().count());
    assert!(at(&["report", "half.json"]).stderr.contains(&line), "{}", at(&["report", "half.json"]).stderr);
    let with_plan = at(&["report", "iostat.txt", "plan.json", "-o", "y.html"]);
    assert!(with_plan.code == 0 && !with_plan.stderr.contains("no plan"), "{}", with_plan.stderr);
    let noted: [(&[&str], &str); 4] = [
        (
            &["report", "plan.json", "-o", "x.pdf"],
            "note: x.pdf will contain html, despite its name\nhint: no command writes that",
        ),
        (&["report", "plan.json", "./plan.json", "-o", "x.html"], "note: ./plan.json is named twice\n"),
        (
            &["catalogue", "show", "P30", "-o", "x.json"],
            "note: x.json will contain a table, despite its name\nhint: add `--format json`",
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
    let said =
        "error: DISKWRIGHT_CATALOGUE=requirements.toml: this holds requirements, not a catalogue layer\nhint: unset";
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
            code == Some(2) && said.contains("no FILE is given") && said.contains("diskwright observe -`"),
            "{said}"
        );
    }
    let (code, said) = observe(&["--every", "100ms", "--for", "300ms"], Stdio::piped());
    assert!(said.starts_with("recording this machine every 100 ms, for 300 ms; Ctrl-C stops it earlier\n"), "{said}");
    assert_eq!(code, Some(0), "{said}");
    let (_, said) = observe(&["--every", "100ms", "--for", "300ms", "-q"], Stdio::null());
    assert!(!said.contains("recording this machine"), "{said}");
}
