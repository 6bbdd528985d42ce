//! The procedure with a runner that is given in: what a part that fails or stops leaves behind, and that the rest goes on from there.

use diskwright::bench::{Bench, BenchOptions, End, Part, PartOutcome, Runner};
use diskwright::dw_documents::bench::{BenchDocument, Mode, State};
use diskwright::dw_units::{Bytes, Duration};
use diskwright::messages::say;
use diskwright::{Catalogue, Error, Result, Session, error::Kind};

const RIG: &str = "[vm]\nsize = 'Standard_DS14'\n[[volume]]\nname = 'data'\ndisks = 'P10'\n";

/// Says the same figures of every part, until one ends in another way.
struct Scripted {
    parts: Vec<String>,
    kept: usize,
    /// The part that ends so, by its place.
    odd: Option<(usize, End)>,
}

impl Runner for Scripted {
    fn run(&mut self, part: &Part) -> PartOutcome {
        self.parts.push(part.name.into());
        let odd = self.odd.clone().filter(|(at, _)| self.parts.len() == at + 1);
        let ran = PartOutcome::from_fio(Ok(format!(
            r#"an engine's line
{{ "fio version": "fio-3.33", "jobs": [{{ "jobname": "{}", "error": 0,
                "read": {{ "io_bytes": 8192000, "io_kbytes": 8000, "total_ios": 1000, "runtime": 2000, "iops": 500.0, "bw_bytes": 4096000 }} }}] }}"#,
            part.job
                .lines()
                .find_map(|line| line.strip_prefix('[')?.strip_suffix(']').filter(|n| *n != "global"))
                .unwrap()
        )));
        PartOutcome { end: odd.map_or(ran.end, |(_, end)| end), seconds: Some(2.0), busy: None }
    }

    fn keep(&mut self, document: &BenchDocument) -> Result<()> {
        self.kept += 1;
        assert!(document.partial);
        Ok(())
    }
}

fn bench(session: &Session) -> Bench {
    let second = Some(Duration::from_secs(1));
    let options = BenchOptions { mode: Mode::Disks, file: Some(Bytes::mib(64)), measure: second, ..Default::default() };
    session.bench("rig.toml", RIG, &options).unwrap()
}

#[test]
fn a_part_that_ends_early_is_named_and_the_rest_goes_on_from_there() {
    let session = Session::new(Catalogue::embedded().clone());
    let failed = || End::Failed { why: say!(FioStopped), error: Error::new(Kind::Bench, "no room") };
    // One step of the preparation, then six scenarios.
    for (at, end, kind, states) in [
        (0, failed(), Kind::Bench, "F......"),
        (0, End::Stopped, Kind::Interrupted, "P......"),
        (1, failed(), Kind::Bench, "DF....."),
        (3, End::Stopped, Kind::Interrupted, "DDDP..."),
        (6, failed(), Kind::Bench, "DDDDDDF"),
    ] {
        let mut first = bench(&session);
        let mut runner = Scripted { parts: Vec::new(), kept: 0, odd: Some((at, end)) };
        let error = first.measure(&session, &mut runner).unwrap_err();
        assert_eq!((error.kind, first.document().partial, runner.kept), (kind, true, at + 1), "{states}");
        assert_eq!(shown(first.document()), states);
        let failure = first.document().scenarios.iter().filter_map(|s| s.failure.as_ref()).count();
        assert_eq!(failure, usize::from(kind == Kind::Bench && at > 0), "{states}");

        let mut rest = bench(&session);
        assert!(rest.is_same(first.document()));
        rest.resume(first.document().clone());
        let mut runner = Scripted { parts: Vec::new(), kept: 0, odd: None };
        rest.measure(&session, &mut runner).unwrap();
        assert_eq!((runner.parts.len(), rest.document().partial), (7 - at, false), "{states}");
        assert_eq!(shown(rest.document()), "DDDDDDD");
        assert_eq!(rest.document().metadata.as_ref().unwrap().resumed, 1);
    }
}

#[test]
fn what_fio_says_is_held_against_what_is_required() {
    let session = Session::new(Catalogue::embedded().clone());
    for (required, met) in [(500.0, true), (510.0, true), (520.0, false)] {
        let mut bench = bench(&session);
        bench.require("max-read-iops", diskwright::bench::Rate::Iops(required)).unwrap();
        bench.measure(&session, &mut Scripted { parts: Vec::new(), kept: 0, odd: None }).unwrap();
        let row = &bench.document().rows[0];
        assert_eq!((row.required, row.measured, row.met), (Some(required), Some(500.0), Some(met)));
    }
    let unknown = bench(&session).require("max", diskwright::bench::Rate::Iops(1.0)).unwrap_err();
    assert_eq!(unknown.what, "unknown scenario `max`");
    assert!(unknown.hint.starts_with("scenarios: max-read-iops, "), "{}", unknown.hint);
}

/// A letter for each part: not begun, partial, failed, done.
fn shown(document: &BenchDocument) -> String {
    let steps = document.preparation.iter().map(|step| step.state);
    let states = steps.chain(document.scenarios.iter().map(|scenario| scenario.state));
    states
        .map(|state| match state {
            State::Planned => '.',
            State::Partial => 'P',
            State::Failed => 'F',
            State::Done => 'D',
        })
        .collect()
}
