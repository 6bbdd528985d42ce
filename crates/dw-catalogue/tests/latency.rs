//! The default latency models.

use dw_catalogue::latency::LatencySetting::{self, Typical};
use dw_catalogue::{DiskFamily, latency};

#[test]
fn every_row_of_the_table_of_defaults_is_here() {
    let names: Vec<&str> = latency::all().iter().map(|model| model.name.as_str()).collect();
    let expected = [
        "ram-hit",
        "ssd-hit",
        "temp-disk",
        "local-nvme",
        "cache-miss-penalty",
        "ultra",
        "premium-ssd-v2",
        "premium-ssd",
        "standard-ssd",
        "standard-hdd",
        "gp3",
        "io2-block-express",
        "pd-ssd",
    ];
    assert_eq!(names, expected);
    for family in DiskFamily::ALL {
        assert!(latency::model(family.kind().latency_model).is_some(), "{}", family.kind().name);
    }
    assert!(latency::model("floppy").is_none());
}

#[test]
fn the_medians_and_tails_are_those_of_the_table() {
    let cases: &[(&str, u32, u64, u64)] = &[
        ("ram-hit", 500_000, 120_000, 120_000),
        ("ssd-hit", 500_000, 420_000, 200_000),
        ("local-nvme", 500_000, 125_000, 125_000),
        ("ultra", 500_000, 400_000, 420_000),
        ("premium-ssd-v2", 950_000, 1_050_000, 1_150_000),
        ("premium-ssd", 500_000, 2_850_000, 1_770_000),
        ("premium-ssd", 999_900, 25_000_000, 19_000_000),
        ("standard-ssd", 990_000, 14_000_000, 14_000_000),
        ("standard-hdd", 1_000_000, 1_000_000_000, 1_000_000_000),
        ("gp3", 500_000, 440_000, 750_000),
        ("io2-block-express", 990_000, 700_000, 800_000),
        ("pd-ssd", 500_000, 400_000, 400_000),
    ];
    for (name, ppm, read, write) in cases {
        let model = latency::model(name).unwrap();
        let at = |knots: Vec<(u32, u64)>| knots.iter().find(|knot| knot.0 == *ppm).unwrap().1;
        let typical = (at(model.read_knots(Typical)), at(model.write_knots(Typical)));
        assert_eq!(typical, (*read, *write), "{name} at {ppm}");
    }
}

#[test]
fn cautious_is_slower_than_typical_and_optimistic_faster_at_every_quantile() {
    for model in latency::all() {
        let [fast, middle, slow] = LatencySetting::ALL.map(|s| [model.read_knots(s), model.write_knots(s)]);
        for side in 0..2 {
            for ((fast, middle), slow) in fast[side].iter().zip(&middle[side]).zip(&slow[side]) {
                assert!(fast.1 < middle.1 && middle.1 < slow.1, "{} at {} ppm", model.name, middle.0);
            }
        }
    }
}

#[test]
fn every_model_says_how_far_to_trust_it() {
    for model in latency::all() {
        assert!(model.grade.starts_with(['A', 'B', 'C', 'D']), "{}: {}", model.name, model.grade);
        for setting in LatencySetting::ALL {
            let means = (model.read(setting).table.mean(), model.write(setting).table.mean());
            assert!(means.0 > 0 && means.1 > 0, "{}", model.name);
        }
        assert!(!model.is_own, "{}: a default has a spread between regions and years", model.name);
        assert!(!model.reason.is_empty() && !model.source.is_empty(), "{}", model.name);
    }
}
