//! Parameter files by one door: a file in, one line per job out.

use super::*;
use dw_workload::{Cursor, Direction, Job, Mix, Pacing, Rate, SizeDistribution};

fn volumes() -> Vec<VolumeMap> {
    let volume = |index, name: &str, mount: &str, device: &str| VolumeMap {
        index,
        name: name.into(),
        mount: Some(mount.into()),
        device: Some(device.into()),
        size: 1 << 40,
    };
    vec![volume(0, "data", "/mnt/data", "/dev/sdb"), volume(1, "log", "/mnt/log", "/dev/sdc")]
}

/// `phase name xthreads size directions random% +warm-up run volume:offset+len`, and what is unusual.
fn describe(job: &Job) -> String {
    let mix = match job.mix {
        Mix::Only(Direction::Read) => "read".into(),
        Mix::Only(_) => "write".into(),
        Mix::ReadWrite { read_percent } => format!("{read_percent}r"),
        Mix::TrimThenWrite => "?".into(),
    };
    let sizes = match &job.sizes.read {
        SizeDistribution::Fixed(size) => size.to_string(),
        SizeDistribution::Split(parts) => {
            parts.iter().map(|p| format!("{}:{}", p.0, p.1)).collect::<Vec<_>>().join("/")
        }
        SizeDistribution::Range { min, max, .. } => format!("{min}-{max}"),
    };
    let iops = |rate: Option<Rate>| match rate {
        Some(Rate::Iops(iops)) => iops.to_string(),
        _ => "-".into(),
    };
    let rate = match (job.rate.read, job.rate.write) {
        (None, None) => String::new(),
        (read, write) => {
            let even = match job.pacing {
                Pacing::Exponential => "",
                Pacing::Even => " even",
                _ => " ?",
            };
            format!(" {}+{}/s{even}", iops(read), iops(write))
        }
    };
    let mut more = String::new();
    if !job.lines.is_empty() {
        let lines =
            job.lines.iter().map(|l| format!("{}%:{}:{}r:{}", l.share, l.io_size, l.read_percent, l.random_percent));
        more += &format!(" [{}]", lines.collect::<Vec<_>>().join(" "));
    }
    match job.access.cursor {
        Cursor::Shared { start, .. } if start > 0 => more += " from anywhere",
        Cursor::PerDirection => more += " once",
        Cursor::Shared { .. } => {}
    }
    if job.sync.each_write {
        more += " sync";
    }
    if job.start_delay.0.ns() > 0 {
        more += &format!(" after {}", job.start_delay.0);
    }
    let (f, s) = (&job.files[0], 1_000_000_000);
    format!(
        "{} {} x{} {sizes} {mix} {}% +{}s {}s {}:{}+{}{rate}{more}",
        job.phase,
        job.name,
        job.queue_depth,
        job.access.random_percent.read,
        job.ramp.ns() / s,
        job.stop.runtime.map_or(0, |r| r.ns() / s),
        f.volume,
        f.offset,
        f.len
    )
}

const DISKS: &str = "sd=default,openflags=o_direct\nsd=sd1,lun=/dev/sdb\nsd=sd2,lun=/dev/sdc,threads=2\n";

#[test]
fn runs_come_to_jobs() {
    for (text, wanted) in [
        // Everything from its default: 4 KiB random reads, 8 threads, 30 s.
        (
            "wd=wd1,sd=sd1\nrd=r,wd=wd1,iorate=max",
            &["0 r: wd1 on sd1 x8 4096 read 100% +15s 15s 0:0+1099511627776"][..],
        ),
        // Comments, names cut short, parameters on lines of their own, a comma that goes on.
        (
            "* a comment\n# another\nwd=wd1,sd=sd1,xf=8k, nothing\nrdpct=70\nseek=0,\nskew=100\nrd=r,wd=wd1,io=max,el=60,in=1,wa=10",
            &["0 r: wd1 on sd1 x8 8192 70r 0% +10s 60s 0:0+1099511627776"],
        ),
        // A rate is divided by skew and evenly over the storage; mixed by its share of reads.
        (
            "wd=wd1,sd=sd1,xfersize=4k,rdpct=80,skew=40\nwd=wd2,sd=(sd1,sd2),xfersize=8k,rdpct=0\nrd=run1,wd=wd*,iorate=200,elapsed=10",
            &[
                "0 run1: wd1 on sd1 x8 4096 80r 100% +5s 5s 0:0+1099511627776 64+16/s",
                "0 run1: wd2 on sd1 x8 8192 write 100% +5s 5s 0:0+1099511627776 -+60/s",
                "0 run1: wd2 on sd2 x2 8192 write 100% +5s 5s 1:0+1099511627776 -+60/s",
            ],
        ),
        // Without a rate workloads on one storage take turns at its threads.
        (
            "wd=a,sd=sd1,xfersize=4k,skew=75\nwd=b,sd=sd1,xfersize=64k,rdpct=0,seekpct=seq\nrd=r,wd=(a,b),iorate=max",
            &[
                "0 r: a on sd1, 2 workloads x8 4096:75/65536:25 75r 100% +15s 15s 0:0+1099511627776 [75%:4096:100r:100 25%:65536:0r:0]",
            ],
        ),
        // Loops in the order in which they are written, rates innermost, each a phase.
        (
            "wd=wd1,sd=sd2\nrd=r,wd=wd1,forthreads=(1-2,d),forxfersize=(4k,8k),iorate=(100,max),pause=5",
            &[
                "0 r threads=1 xfersize=4096 iorate=100: wd1 on sd2 x1 4096 read 100% +15s 15s 1:0+1099511627776 100+-/s",
                "1 r threads=1 xfersize=4096 iorate=max: wd1 on sd2 x1 4096 read 100% +15s 15s 1:0+1099511627776 after 5 s",
                "2 r threads=1 xfersize=8192 iorate=100: wd1 on sd2 x1 8192 read 100% +15s 15s 1:0+1099511627776 100+-/s after 5 s",
                "3 r threads=1 xfersize=8192 iorate=max: wd1 on sd2 x1 8192 read 100% +15s 15s 1:0+1099511627776 after 5 s",
                "4 r threads=2 xfersize=4096 iorate=100: wd1 on sd2 x2 4096 read 100% +15s 15s 1:0+1099511627776 100+-/s after 5 s",
                "5 r threads=2 xfersize=4096 iorate=max: wd1 on sd2 x2 4096 read 100% +15s 15s 1:0+1099511627776 after 5 s",
                "6 r threads=2 xfersize=8192 iorate=100: wd1 on sd2 x2 8192 read 100% +15s 15s 1:0+1099511627776 100+-/s after 5 s",
                "7 r threads=2 xfersize=8192 iorate=max: wd1 on sd2 x2 8192 read 100% +15s 15s 1:0+1099511627776 after 5 s",
            ],
        ),
        // Files in folders: their range, each workload with threads of its own.
        (
            "fsd=fs1,anchor=/mnt/data/d,depth=2,width=3,files=10,size=1m\nfwd=default,xfersize=8k,fileio=random\nfwd=a,fsd=fs1,operation=read,threads=4,skew=60\nfwd=b,fsd=fs1,rdpct=30,fileio=sequential,threads=2,skew=40\nrd=r,fwd=*,fwdrate=1000,format=yes,elapsed=20",
            &[
                "0 r: a on a.fs1 x4 8192 read 100% +10s 10s 0:0+94371840 600+-/s",
                "0 r: b on b.fs1 x2 8192 30r 0% +10s 10s 0:0+94371840 120+280/s",
            ],
        ),
        (
            "fsd=fs,anchor=/mnt/data/d,count=(1,2),depth=1,width=1,files=4,size=(1m,50,3m,50),distribution=all\nfwd=a,fsd=fs*,operation=write,fileio=random,threads=2\nrd=r,fwd=a,fwdrate=max",
            &[
                "0 r: a on a.fs1 x2 4096 write 100% +15s 15s 0:0+8388608",
                "0 r: a on a.fs2 x2 4096 write 100% +15s 15s 0:0+8388608",
            ],
        ),
        // A run without a workload; even gaps; synchronous writes to a part of a file that is numbered.
        (
            "sd=f,lun=/mnt/log/file%03d,size=1g,count=(7,2),openflags=(o_direct,o_sync),range=(25,75)\n\
             rd=r,sd=(f7-f8),iorate=100,distribution=d,rdpct=0,xfersize=16k",
            &[
                "0 r: default on f7 x8 16384 write 100% +15s 15s 1:268435456+536870912 -+50/s even sync",
                "0 r: default on f8 x8 16384 write 100% +15s 15s 1:268435456+536870912 -+50/s even sync",
            ],
        ),
        (
            "wd=wd1,sd=sd1,xfersize=(4k,10,8k,90),seekpct=eof,range=(1g,2g)\nrd=r,wd=wd1,iorate=max",
            &["0 r: wd1 on sd1 x8 4096:10/8192:90 read 0% +15s 15s 0:1073741824+1073741824 once"],
        ),
        (
            "wd=wd1,sd=sd1,xfersize=1m,seekpct=seqnz\nrd=r,wd=wd1,iorate=max",
            &["0 r: wd1 on sd1 x8 1048576 read 0% +15s 15s 0:0+1099511627776 from anywhere"],
        ),
        // A name twice is one; a loop of the run is in place of that of the defaults; without a warm-up the first interval is one.
        (
            "wd=w,sd=(sd2,sd*)\nrd=default,forthreads=(1,2),elapsed=60\nrd=r,wd=w,iorate=900,forthreads=4,sd=(sd2,sd2),interval=20",
            &["0 r: w on sd2 x4 4096 read 100% +20s 40s 1:0+1099511627776 900+-/s"],
        ),
        // Workloads that differ in how they write do not take turns.
        (
            "wd=a,sd=sd2,openflags=(o_direct,o_sync),rdpct=0\nwd=b,sd=sd2\nrd=r,wd=*,iorate=max",
            &[
                "0 r: a on sd2 x1 4096 write 100% +15s 15s 1:0+1099511627776 sync",
                "0 r: b on sd2 x1 4096 read 100% +15s 15s 1:0+1099511627776",
            ],
        ),
        // What follows `default` begins with it; what was before does not.
        (
            "wd=a,sd=sd1\nwd=default,rdpct=0,sd=sd2\nwd=b\nrd=default,elapsed=5,iorate=max\nrd=r,wd=a\nrd=s,wd=b,elapsed=6",
            &[
                "0 r: a on sd1 x8 4096 read 100% +2s 3s 0:0+1099511627776",
                "1 s: b on sd2 x2 4096 write 100% +3s 3s 1:0+1099511627776",
            ],
        ),
    ] {
        let text = format!("{DISKS}{text}\n");
        assert!(is_parameters(&text), "{text}");
        let jobs = read("t.parm", &text, &volumes(), 1).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
        let found: Vec<String> = jobs.workload.jobs.iter().map(describe).collect();
        assert_eq!(found, wanted, "{text}");
    }
}

#[test]
fn faults_name_line_and_value() {
    for (text, wanted) in [
        ("wd=w,sd=sd9\nrd=r,wd=w,iorate=max", "4 sd=sd9: `sd9` is defined nowhere"),
        ("wd=w,sd=*\nrd=r,wd=v*,iorate=max", "5 wd=v*: `v*` is defined nowhere"),
        ("wd=w,sd=sd1\nrd=r,wd=w", "5 rd=r: says no iorate"),
        (
            "wd=w,sd=sd1\nrd=r,wd=w,iorate=curve",
            "5 iorate=curve: asks for a curve: rates that depend on the run before",
        ),
        ("wd=w,sd=sd1\nrd=r,wd=w,iorate=0", "5 iorate=0: is not a rate above 0"),
        ("wd=w,sd=sd1,rdpct=101\nrd=r,wd=w,iorate=max", "4 rdpct=101: `101` is not a whole percentage"),
        ("wd=w,sd=sd1,xfersize=4q\nrd=r,wd=w,iorate=max", "4 xfersize=4q: `4q` is not a size"),
        ("wd=w,sd=sd1,xfersize=0\nrd=r,wd=w,iorate=max", "4 xfersize=0: asks for requests of 0 bytes"),
        (
            "wd=w,sd=sd1,xfersize=(4k,50,8k,40)\nrd=r,wd=w,iorate=max",
            "4 xfersize=(4k,50,8k,40): has percentages that come to 90",
        ),
        (
            "wd=w,sd=sd1,rhpct=50\nrd=r,wd=w,iorate=max",
            "4 rhpct=50: rhpct aims 50 % at a hit area, which is not modelled",
        ),
        ("wd=w,sd=sd1,rdpct=(0,100)\nrd=r,wd=w,iorate=max", "4 rdpct=(0,100): is a list instead of one value"),
        ("wd=w,sd=sd1,rdpct=66.6\nrd=r,wd=w,iorate=max", "4 rdpct=66.6: `66.6` is not a whole percentage"),
        ("wd=w,sd=sd1,xfersize=50\nrd=r,wd=w,iorate=max", "4 xfersize=50: `50` is not a multiple of 512 bytes"),
        ("wd=w,sd=sd1\nwd=w,sd=sd2\nrd=r,wd=w,iorate=max", "5 wd=w: is defined twice: first in line 4"),
        (
            "validate=yes\nwd=w,sd=sd1\nrd=r,wd=w,iorate=max",
            "4 validate=yes: reads before it writes, which is not modelled",
        ),
        ("wd=w,sd=sd1\nrd=r,wd=w,iorate=max,\nrd=s,wd=w", "6 rd=s: begins a definition in the middle of another"),
        (
            "wd=w,sd=sd1\nrd=r,wd=w,iorate=max,elapsed=10,interval=10",
            "5 elapsed=10: leaves no time that is counted: the first interval is not",
        ),
        (
            "wd=a,sd=sd1,skew=0.2\nwd=b,sd=sd1\nrd=r,wd=*,iorate=max",
            "4 wd=a: has less than half a percent of the requests",
        ),
        ("wd=w,sd=sd1,skew=60\nrd=r,wd=w,iorate=max", "4 skew=60: all skews of the run add up to 60 %"),
        (
            "wd=w,sd=sd1,color=red\nrd=r,wd=w,iorate=max",
            "4 color=red: is not a parameter of vdbench that is known here",
        ),
        ("wd=w,sd=sd1\nrd=r,wd=w,iorate=max,forr=(1,2)", "5 forr=(1,2): may mean forrdpct or forrhpct"),
        (
            "wd=w,sd=(sd1\nrd=r,wd=w,iorate=max",
            "4 wd=w,sd=(sd1: opens a list or quotes that are not closed before the first space",
        ),
        (
            "wd=w,sd=sd1,range=(90,110)\nrd=r,wd=w,iorate=max",
            "4 range=(90,110): wraps around the end of the volume, which is not modelled",
        ),
        ("wd=w, sd=sd1\nrd=r,wd=w,iorate=max", "4 sd=sd1: follows a space, where a vdbench comment starts"),
        ("wd = w,sd=sd1\nrd=r,wd=w,iorate=max", "4 =: follows a space, where a vdbench comment starts"),
        (
            "wd=w,sd=sd1,xfersize= 8k,rdpct=50\nrd=r,wd=w,iorate=max",
            "4 rdpct=50: follows a space, where a vdbench comment starts",
        ),
        (
            "wd=w,sd=sd1,xfersize=8 k,rdpct=50\nrd=r,wd=w,iorate=max",
            "4 rdpct=50: follows a space, where a vdbench comment starts",
        ),
        ("wd=w ,sd=sd1\nrd=r,wd=w,iorate=max", "4 sd=sd1: follows a space, where a vdbench comment starts"),
        ("wd=w,sd=sd1,range=(60,40)\nrd=r,wd=w,iorate=max", "4 range=(60,40): ends before it begins"),
        (
            "wd=w,sd=sd1,range=(1g,2t)\nrd=r,wd=w,iorate=max",
            "4 range=(1g,2t): ends behind the 1099511627776 bytes of `/dev/sdb`",
        ),
        (
            "wd=w,sd=sd1\nrd=r,wd=w,iorate=max,elapsed=0",
            "5 elapsed=0: leaves no time that is counted: the first interval is not",
        ),
        ("wd=w,sd=sd1\nrd=r,wd=w,iorate=max,elapsed=soon", "5 elapsed=soon: `soon` is not a time in seconds"),
        ("wd=w,sd=sd1\nrd=r,wd=w,iorate=max,forthreads=(0,1)", "5 rd=r: `0` is not a number of threads"),
        ("wd=w,sd=sd1\nrd=r,wd=w,iorate=max,forthreads=(1-9)", "5 forthreads=(1-9): `1-9` is a range without a step"),
        ("fsd=f,anchor=/mnt/data/f\nfwd=w,fsd=f\nrd=r,fwd=w,fwdrate=max", "4 fsd=f: gives no size of its files"),
        ("fsd=f,size=1m\nfwd=w,fsd=f\nrd=r,fwd=w,fwdrate=max", "4 fsd=f: has no anchor"),
        ("fwd=w,fsd=f\nrd=r,fwd=w,fwdrate=max", "4 fsd=f: names no file system definition of this file"),
        (
            "fsd=f,anchor=/mnt/data/f,size=1m\nfwd=w,fsd=f,operation=mkdir\nrd=r,fwd=w,fwdrate=max",
            "5 operation=mkdir: works on the names and directories of files: no data is moved, so no modelled disk I/O occurs",
        ),
        (
            "fsd=f,anchor=/mnt/data/f,size=1g,depth=30,width=30\nfwd=w,fsd=f\nrd=r,fwd=w,fwdrate=max",
            "4 fsd=f: has files of more than an exbibyte",
        ),
        (
            "fsd=f,anchor=/mnt/data/f,size=1m\nfwd=w,fsd=f\nrd=r,fwd=w,fwdrate=max,format=only",
            "6 format=only: builds the files and runs nothing",
        ),
        (
            "sd=x,lun=/elsewhere/f\nwd=w,sd=x\nrd=r,wd=w,iorate=max",
            "4 lun=/elsewhere/f: is on no volume of the scenario",
        ),
        ("sd=x,lun=/mnt/data/f\nwd=w,sd=x\nrd=r,wd=w,iorate=max", "4 lun=/mnt/data/f: is a file of unknown size"),
        ("sd=x\nwd=w,sd=x\nrd=r,wd=w,iorate=max", "4 sd=x: has no lun"),
        (
            "wd=w,sd=sd1,threads=4\nrd=r,wd=w,iorate=max",
            "4 threads=4: counts here for concatenated storage only, which is not modelled; it is of sd= or rd=",
        ),
        (
            "wd=w,sd=sd1,streams=4\nrd=r,wd=w,iorate=max",
            "4 streams=4: several sequential streams on one storage definition are not modelled",
        ),
        (
            "wd=w,sd=sd1\nrd=r,wd=w,iorate=(1-9999,1),forthreads=(1-64,d)",
            "5 iorate=(1-9999,1): has more than 1000 steps",
        ),
        ("hd=a\nhd=b\nwd=w,sd=sd1\nrd=r,wd=w,iorate=max", "7 rd=r: runs on 2 hosts, but a scenario is one VM"),
    ] {
        let text = format!("{DISKS}{text}\n");
        let errors = read("t.parm", &text, &volumes(), 1).expect_err(&text);
        let found: Vec<String> = errors.0.iter().map(|e| format!("{} {}: {}", e.line, e.text, e.what)).collect();
        assert_eq!(found.first().map(String::as_str), Some(wanted), "{text}\n{found:?}");
        assert!(errors.0.iter().all(|e| !e.hint.is_empty()), "{text}");
    }
}

#[test]
fn what_is_left_out_is_said() {
    let text = "compratio=2\nsd=sd1,lun=/dev/sdb\nwd=w,sd=sd1 rd=r,wd=w,iorate=max\nrd=r,wd=w,iorate=max,startcmd=reboot,interval=1\n";
    let jobs = read("t.parm", text, &volumes(), 1).unwrap();
    let ignored: Vec<&str> = jobs.ignored.iter().map(|i| i.option).collect();
    assert_eq!(ignored, ["compratio", "startcmd"]);
    let warned: Vec<String> = jobs.warnings.iter().map(|w| format!("{} {}", w.line, w.text)).collect();
    assert_eq!(warned, ["3 rd=r", "2 sd=sd1"]);
}

#[test]
fn what_is_only_nearly_so_is_said() {
    for (text, wanted) in [
        ("wd=a,sd=sd1,skew=90\nwd=b,sd=sd2\nrd=r,wd=*,iorate=max", "limits workloads on different storage to shares"),
        (
            "wd=a,sd=sd1,rdpct=50\nrd=r,wd=a,iorate=1",
            "amounts to 1.00 I/Os per second for a workload on one storage definition; here 2",
        ),
        ("wd=a,sd=sd1\nwd=b,sd=sd1\nrd=r,wd=*,iorate=100", "here each may use all of them"),
        ("wd=a,sd=sd1\nrd=r,wd=a,iorate=max,maxdata=1g", "ends a run after that many bytes"),
    ] {
        let jobs = read("t.parm", &format!("{DISKS}{text}\n"), &volumes(), 1).unwrap();
        assert!(jobs.warnings.iter().any(|w| w.what.text.contains(wanted)), "{text}: {:?}", jobs.warnings);
    }
}

#[test]
fn other_files_are_not_taken_for_these() {
    for text in ["[sd]\nrw=read\n", "sd=sd1,lun=/dev/sdb\n", "rd=r\n", "", "Version 1.1.0\n'TEST SETUP\n"] {
        assert!(!is_parameters(text), "{text}");
    }
}
