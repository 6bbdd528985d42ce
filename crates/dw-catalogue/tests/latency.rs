//! The default latency models.

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
        assert!(latency::model(family.latency_model()).is_some(), "{}", family.name());
    }
    assert!(latency::model("floppy").is_none());
}

#[test]
fn the_medians_and_tails_are_those_of_the_table() {
    let cases: &[(&str, u32, u64, u64)] = &[
        ("ram-hit", 500_000, 120_000, 120_000),
        ("ssd-hit", 500_000, 250_000, 200_000),
        ("local-nvme", 500_000, 125_000, 125_000),
        ("ultra", 500_000, 400_000, 500_000),
        ("premium-ssd-v2", 950_000, 950_000, 1_250_000),
        ("premium-ssd", 500_000, 1_500_000, 2_000_000),
        ("premium-ssd", 999_900, 14_000_000, 18_000_000),
        ("standard-ssd", 990_000, 14_000_000, 16_000_000),
        ("standard-hdd", 1_000_000, 1_000_000_000, 1_000_000_000),
        ("gp3", 500_000, 440_000, 750_000),
        ("io2-block-express", 990_000, 700_000, 800_000),
        ("pd-ssd", 500_000, 400_000, 400_000),
    ];
    for (name, ppm, read, write) in cases {
        let model = latency::model(name).unwrap();
        let at = |knots: &[(u32, u64)]| knots.iter().find(|knot| knot.0 == *ppm).unwrap().1;
        assert_eq!((at(&model.read_knots), at(&model.write_knots)), (*read, *write), "{name} at {ppm}");
    }
}

#[test]
fn every_model_says_how_far_to_trust_it() {
    for model in latency::all() {
        assert!(model.grade.starts_with(['A', 'B', 'C', 'D']), "{}: {}", model.name, model.grade);
        assert!(model.read().table.mean() > 0 && model.write().table.mean() > 0, "{}", model.name);
        assert!(!model.reason.is_empty() && !model.source.is_empty(), "{}", model.name);
    }
}
