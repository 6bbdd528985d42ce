//! A simulation as a call: its document, and how it is stopped.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

use diskwright::dw_sim::{Progress, each};
use diskwright::error::Kind;
use diskwright::simulate::fio_json;
use diskwright::{Catalogue, LoadOptions, Observer, Session, Simulation, Stamp, Texts};

const RIG: &str = "[vm]\nsize = 'Standard_DS14'\n[[volume]]\nname = 'data'\nmount = '/data'\ndisks = 'P30'\n";

fn simulation(session: &Session, seconds: u32) -> Simulation {
    let job = format!(
        "[global]\nioengine=libaio\ndirect=1\ntime_based\nruntime={seconds}\n[reads]\nfilename=/data/file\nsize=1g\n\
         rw=randrw\nbs=8k\niodepth=64\n"
    );
    let load = Texts::single("reads.fio", job);
    session.load(session.scenario("rig.toml", RIG).unwrap(), &load, &LoadOptions::default()).unwrap()
}

#[test]
fn the_document_is_what_its_text_says() {
    let session = Session::new(Catalogue::embedded().clone());
    let simulated = session.simulate(simulation(&session, 3)).unwrap();
    let now = Stamp::from_milliseconds(1_800_000_000_123);
    let text = fio_json::document(&simulated.as_run(), &simulated.summary(), now, false).print();
    let read: diskwright::dw_documents::Run = diskwright::dw_documents::read(&text).unwrap();
    assert_eq!(simulated.document(now).unwrap(), read);
    assert_eq!((read.jobs().len(), read.global_options.map(|options| options.len())), (1, Some(3)));
}

/// A mean over jobs that ran one after the other is a rate that none of them had, and so is the sum of the steps of a replay.
#[test]
fn figures_of_jobs_at_different_times_are_those_of_one_of_them_or_a_mean_over_time() {
    let session = Session::new(Catalogue::embedded().clone());
    let run = |jobs: &str| {
        let global = "[global]\nioengine=libaio\ndirect=1\nfilename=/data/file\nsize=1g\nbs=8k\niodepth=64\nrw=randread\ntime_based\n";
        let load = Texts::single("two.fio", format!("{global}{jobs}"));
        let load = session.load(session.scenario("rig.toml", RIG).unwrap(), &load, &LoadOptions::default()).unwrap();
        session.simulate(load).unwrap().summary()
    };
    let summary = run("runtime=20\n[busy]\nrate_iops=4000\n[quiet]\nstonewall\nrate_iops=1000\n");
    let line = summary.limits.iter().find(|line| line.limit == "disk IOPS").unwrap();
    assert!((line.used - 4_000.0).abs() < 40.0 && (line.headroom_percent - 20.0).abs() < 1.0, "{line:?}");
    assert_eq!(line.while_ran.as_deref(), Some("busy"));
    // Steps of a replay report as a group.
    let steps = "group_reporting\nruntime=10\n[a]\nrate_iops=4000\n[b]\nstartdelay=10\nrate_iops=1000\n";
    let summary = run(steps);
    let [job] = summary.jobs.as_slice() else { panic!("{:?}", summary.jobs) };
    assert!((job.iops - 2_500.0).abs() < 40.0 && job.asked_iops == Some(2_500.0), "{job:?}");
    assert!(job.reached == Some(true) && job.name.ends_with("on average"), "{job:?}");
    // Clones at the same time add up.
    let summary = run("group_reporting\nruntime=10\n[a]\nnumjobs=2\nrate_iops=1000\n");
    let [job] = summary.jobs.as_slice() else { panic!("{:?}", summary.jobs) };
    assert!((job.iops - 2_000.0).abs() < 40.0 && job.name == "a", "{job:?}");
    assert!(summary.limits.iter().all(|line| line.while_ran.is_none()));
}

/// Gaps are drawn, so a count is known to some times its root.
#[test]
fn a_replay_asks_the_requests_of_its_series_however_few_or_many() {
    let session = Session::new(Catalogue::embedded().clone());
    let rig = "[vm]\n[[volume]]\nname = 'data'\ndisks = [{ size = '1 TiB', latency = { read = '100 us', write = '100 us' } }]\n";
    let day: Vec<f64> = (0..24).map(|hour| if hour == 9 { 20.0 } else { 0.1 }).collect();
    // (interval in s, requests per second)
    let cases: [(f64, Vec<f64>); 9] = [
        (1.0, vec![1.0, 2.0, 3.0, 5.4, 0.4, 0.4, 0.4, 0.4, 0.4, 7.7]),
        (1.0, vec![0.3; 100]),
        (1.0, vec![84.4; 10]),
        (1.0, vec![12_345.6; 10]),
        (0.01, vec![1_234.0; 100]),
        (60.0, vec![0.1; 100]),
        (60.0, vec![12.49; 20]),
        (60.0, vec![20_400.0, 5.0, 5.0, 0.0, 5.0]),
        (3_600.0, day),
    ];
    const SEEDS: u64 = 8;
    for (interval, rates) in cases {
        let bytes: Vec<u64> = rates.iter().map(|rate| (rate * 8_192.0) as u64).collect();
        let halves: Vec<f64> = rates.iter().map(|rate| rate / 2.0).collect();
        let series = format!(
            "schema_version = 1\n[[volume]]\nname = 'data'\n[volume.series]\ninterval = '{} ms'\nread_iops = {rates:?}\n\
             write_iops = {halves:?}\nread_bytes_per_s = {bytes:?}\nwrite_bytes_per_s = {bytes:?}\n",
            interval * 1e3
        );
        let counts: Vec<[u64; 2]> = (1..=SEEDS)
            .map(|seed| {
                let options = LoadOptions { seed: Some(seed), ..LoadOptions::default() };
                let scenario = session.scenario("rig.toml", rig).unwrap();
                let load = Texts::single("requirements.toml", series.clone());
                let load = session.load(scenario, &load, &options).unwrap();
                let summary = session.simulate(load).unwrap().summary();
                [&summary.volumes[0].load.read, &summary.volumes[0].load.write]
                    .map(|of| of.as_ref().map_or(0, |of| of.ios))
            })
            .collect();
        for (direction, rates) in [&rates, &halves].into_iter().enumerate() {
            let expected = interval * rates.iter().sum::<f64>();
            let mean = counts.iter().map(|count| count[direction] as f64).sum::<f64>() / SEEDS as f64;
            let tolerance = 1.0 + 4.0 * (expected / SEEDS as f64).sqrt();
            assert!((mean - expected).abs() <= tolerance, "{interval}, {rates:?}: {mean} of {expected}");
        }
    }
}

/// Four designs at once are what each of them is alone.
#[test]
fn a_replay_is_the_same_on_any_number_of_threads() {
    let session = Session::new(Catalogue::embedded().clone());
    let rates: Vec<u64> = (0..60).map(|minute| 200 + 150 * (minute % 5)).collect();
    let bytes: Vec<u64> = rates.iter().map(|rate| rate * 8_192).collect();
    let asked = format!(
        "schema_version = 1\n[[volume]]\nname = 'data'\n[volume.series]\ninterval = '1 min'\nread_iops = {rates:?}\n\
         read_bytes_per_s = {bytes:?}\nwrite_iops = {rates:?}\nwrite_bytes_per_s = {bytes:?}\n"
    );
    let designs = ["P10", "P20", "P30", "4 x P10"];
    let run = |design: &str| {
        let rig = format!("[vm]\nsize = 'Standard_E64s_v5'\n[[volume]]\nname = 'data'\ndisks = '{design}'\n");
        let scenario = session.scenario("rig.toml", &rig).unwrap();
        let texts = Texts::single("requirements.toml", asked.clone());
        let simulation = session.load(scenario, &texts, &LoadOptions::default()).unwrap();
        let simulated = simulation.run(&Progress::default()).unwrap();
        let by_kind = simulated.result.leaps.is_some();
        (
            fio_json::document(&simulated.as_run(), &simulated.summary(), Stamp::from_milliseconds(0), true).print(),
            by_kind,
        )
    };
    let [alone, two, four] =
        [1, 2, 4].map(|threads| each(designs.len(), threads, &Progress::default(), |number, _| run(designs[number])));
    assert!(alone.iter().flatten().all(|(_, by_kind)| *by_kind));
    assert!(alone == two && alone == four);
}

/// Stops a run once it is said to be a tenth done.
#[derive(Default)]
struct Impatient {
    stop: AtomicBool,
    told: Mutex<Vec<f64>>,
    asked: AtomicU32,
}

impl Observer for Impatient {
    fn progress(&self, step: &str, share: f64) {
        assert_eq!(step, "simulate");
        self.told.lock().unwrap().push(share);
        if (0.1..1.0).contains(&share) {
            self.stop.store(true, SeqCst);
        }
    }
    fn is_cancelled(&self) -> bool {
        self.asked.fetch_add(1, SeqCst);
        self.stop.load(SeqCst)
    }
}

#[test]
fn the_observer_stops_a_run_under_way() {
    let observer = Arc::new(Impatient::default());
    let session = Session::new(Catalogue::embedded().clone()).with_observer(observer.clone());
    // An hour of 5,000 IOPS are 18 million I/Os: a run that is not stopped is told of far more than a tenth.
    let error = session.simulate(simulation(&session, 3_600)).unwrap_err();
    assert_eq!(error.kind, Kind::Interrupted);
    let told = observer.told.lock().unwrap().clone();
    assert!(told.first() == Some(&0.0) && told.last() == Some(&1.0) && told.is_sorted(), "{told:?}");
    assert!(told.iter().filter(|share| **share > 0.0 && **share < 1.0).all(|share| *share < 0.12), "{told:?}");
    assert!(observer.asked.load(SeqCst) > 50);
    // One that wants nothing lets it end.
    let calm = Session::new(Catalogue::embedded().clone());
    assert!(!calm.simulate(simulation(&calm, 1)).unwrap().summary().partial);
}

/// One thread reads a volume from a snapshot as fast as was measured of one, whatever its IOPS; what comes by itself ends that.
#[test]
fn a_volume_from_a_snapshot_is_slow_until_its_blocks_are_there() {
    let session = Session::new(Catalogue::embedded().clone());
    let run = |top: &str, of_volume: &str, job: &str| {
        let rig = format!(
            "{top}[vm]\nsize = 'm5.large'\n[[volume]]\nname = 'data'\nmount = '/data'\n\
             disks = [{{ sku = 'gp3', size = '10 GiB' }}]\nfrom_snapshot = true\n{of_volume}"
        );
        let job = format!("[reads]\nioengine=libaio\ndirect=1\nfilename=/data/file\nsize=10g\ntime_based\n{job}");
        let options =
            LoadOptions { series: Some(diskwright::dw_units::Duration::from_secs(10)), ..LoadOptions::default() };
        let load = session.load(session.scenario("rig.toml", &rig).unwrap(), &Texts::single("job.fio", job), &options);
        session.simulate(load.unwrap()).unwrap().summary()
    };
    let one_thread = "rw=read\nbs=128k\niodepth=1\nruntime=60\n";
    // Of four reads of a block one waits for 512 KiB at 3.24 MB/s; the others take the time of the medium.
    for (latency, least, most) in [("typical", 2.9, 3.09), ("optimistic", 4.7, 5.0), ("cautious", 1.8, 1.91)] {
        let summary = run(&format!("latency = '{latency}'\n"), "", one_thread);
        let (volume, mib) = (&summary.volumes[0], summary.total.all.bytes_per_s / 1_048_576.0);
        assert!((least..most).contains(&mib), "{latency}: {mib} MiB/s");
        let touch = volume.first_touch.as_ref().unwrap();
        assert!((touch.percent.unwrap() - 25.0).abs() < 0.2, "{touch:?}");
        assert!(touch.until_s.is_some_and(|until| (59.0..60.5).contains(&until)) && touch.initialized_s.is_none());
        // The run ends within a block.
        assert_eq!(touch.fetched_bytes + touch.untouched_bytes, 10 << 30);
        assert!(touch.fetched_bytes.abs_diff(volume.load.all.bytes) <= 512 << 10, "{touch:?}");
        let binding = &summary.binding_limits[0];
        assert_eq!(
            (binding.id.as_ref().unwrap().gate.as_str(), binding.limit.as_deref()),
            ("first-touch", Some("first touch"))
        );
        assert!(summary.doubts.iter().any(|doubt| doubt.text.id == "doubt-first-touch"), "{:?}", summary.doubts);
        let waits_at = &summary.series[0].waits_at;
        // What ends after the last whole interval may have found its block.
        assert!(waits_at.iter().take(6).all(|at| at.as_deref() == Some("first touch")), "{latency}: {waits_at:?}");
    }
    // 10 GiB come in 102.4 s; half of it is there.
    let rate = "initialization_rate = '100 MiB/s'\ninitialized = '50 %'\n";
    let summary = run("", rate, "rw=randread\nbs=4k\niodepth=16\nruntime=80\n");
    let touch = summary.volumes[0].first_touch.as_ref().unwrap();
    assert_eq!((touch.initialized_s, touch.untouched_bytes), (Some(51.2), 0));
    assert!(touch.until_s.is_some_and(|until| until <= 51.2) && touch.ios > 0, "{touch:?}");
    let shares = summary.series[0].first_touch_percent.as_ref().unwrap();
    assert!(shares[0] > 10.0 && shares[0] > shares[3] && shares[6..].iter().all(|share| *share == 0.0), "{shares:?}");
    assert!(summary.doubts.iter().any(|doubt| doubt.text.id == "doubt-first-touched"), "{:?}", summary.doubts);
}
