//! The picture at the sizes of terminals.

use crate::top::{picture, sample};

#[test]
fn a_terminal_of_80_by_24_shows_it_all() {
    insta::assert_snapshot!(picture(&sample(), 80, 24));
}

#[test]
fn a_wider_one_has_longer_bars() {
    insta::assert_snapshot!(picture(&sample(), 120, 40));
}

#[test]
fn one_picture_is_as_high_as_it_must_be() {
    let sample = sample();
    for columns in [60, 100] {
        let text = picture(&sample, columns, super::rows(&sample, columns));
        assert!(text.contains("log") && text.contains("the host keeps up"), "{text}");
        assert!(text.trim_end().ends_with("at most"), "{text}");
        assert!(text.trim_end().lines().count() == usize::from(super::rows(&sample, columns)), "{text}");
    }
}

#[test]
fn no_size_is_too_small_to_draw_on() {
    for (columns, rows) in [(1, 1), (20, 3), (40, 10), (300, 5)] {
        let text = picture(&sample(), columns, rows);
        assert_eq!(text.lines().count(), usize::from(rows));
    }
}

#[test]
fn the_binding_limit_is_marked_and_only_it() {
    let text = picture(&sample(), 120, 40);
    let marked: Vec<_> = text.lines().filter(|line| line.contains("<- binding")).collect();
    assert_eq!(marked.len(), 1, "{text}");
    assert!(marked[0].starts_with("vm uncached IOPS"), "{text}");
}

#[test]
fn doubts_are_shown_whole_on_a_narrow_terminal() {
    let mut sample = sample();
    sample.lateness.doubts = vec![dw_messages::say!(LateHost { share: dw_messages::Figure::decimal(31.0, 1, "%") })];
    let text = picture(&sample, 60, super::rows(&sample, 60));
    let shown = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains("NOT TO BE TRUSTED") && shown.ends_with(&sample.lateness.doubts[0].text), "{text}");
}
