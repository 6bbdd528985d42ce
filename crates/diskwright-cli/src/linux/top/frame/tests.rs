//! The picture at the sizes of terminals.

use dw_emulator::status::{LimitStatus, Verdict};

use crate::linux::ctl::{available, limit_name, rate};
use crate::linux::top::frame::{View, scroll_max};
use crate::linux::top::{history::History, picture as drawn, sample, scrolled};
use crate::report::format::{mega, milliseconds, percent};
use dw_emulator::status::Status;
use ratatui::crossterm::event::KeyCode;

fn picture(status: &Status, columns: u16, rows: u16) -> String {
    drawn(status, &View::default(), columns, rows)
}

/// Four minutes of a load that grows, stops, and comes back.
fn view() -> View {
    let mut history = History::default();
    for second in 0..480u32 {
        let mut then = sample();
        let share = if (200..230).contains(&second) { 0.0 } else { f64::from(second.min(300)) / 300.0 };
        for volume in &mut then.volumes {
            volume.reads.per_second *= share;
            volume.writes.per_second *= share;
        }
        then.limits.iter_mut().for_each(|limit| limit.consumed_percent *= share);
        history.keep(&then);
    }
    View { history, keys: true, ..View::default() }
}

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
        assert!(text.contains("log") && text.contains("this machine keeps up"), "{text}");
        assert!(text.contains("as clients see it"), "{text}");
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
    let share = dw_messages::Figure::decimal(31.0, 1, "%");
    sample.lateness.verdict = Verdict::Doubted;
    sample.lateness.doubts = vec![dw_messages::say!(LateHost { share })];
    let text = picture(&sample, 60, super::rows(&sample, 60));
    let shown = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        shown.contains(&sample.lateness.sentence.text) && shown.contains(&sample.lateness.doubts[0].text),
        "{text}"
    );
}

/// The figures of the sample, as the picture shows them when nothing is cut.
fn figures() -> Vec<String> {
    let sample = sample();
    let of_limit = |limit: &LimitStatus| [percent(limit.consumed_percent), available(limit)];
    let mut all: Vec<String> = sample.limits.iter().flat_map(of_limit).collect();
    let ops = sample.volumes.iter().flat_map(|volume| [&volume.reads, &volume.writes]);
    for op in ops.filter(|op| op.per_second > 0.0) {
        all.push(rate(op.per_second));
        all.push(mega(op.bytes_per_second, 1e6));
        all.extend([op.recent.p50_ns, op.recent.p99_ns].map(|ns| milliseconds(ns as f64)));
    }
    all
}

#[test]
fn a_figure_is_whole_or_its_column_is_named_as_missing() {
    let sample = sample();
    let whole = picture(&sample, 120, 40);
    for (columns, rows, missing) in [
        (120, 40, &[][..]),
        (80, 24, &[]),
        (60, 24, &["bar", "credits", "cache", "hits / dirty"]),
        (60, 15, &["bar", "credits", "cache", "hits / dirty", "limits", "volume"]),
        (40, 30, &["bar", "credits", "available", "p50 ms", "depth"]),
    ] {
        let text = picture(&sample, columns, rows);
        let said = text.split_once("no room for: ").map_or("", |(_, said)| said).split_whitespace().collect::<Vec<_>>();
        let said = said.join(" ");
        for head in missing {
            assert!(said.contains(head), "{columns} x {rows}: `{head}` is not named\n{text}");
        }
        assert_eq!(said.is_empty(), missing.is_empty(), "{columns} x {rows}:\n{text}");
        // Every figure that stands here stands there, too: none is the beginning of a longer one.
        let known: Vec<&str> = whole.split_whitespace().collect();
        let own = text.split("no room for: ").next().unwrap_or_default();
        let is_figure = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
        let cut: Vec<&str> = own.split_whitespace().filter(is_figure).filter(|word| !known.contains(word)).collect();
        assert!(cut.is_empty(), "{columns} x {rows}: {cut:?}\n{text}");
    }
    let missing: Vec<String> = figures().into_iter().filter(|figure| !whole.contains(figure.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?}\n{whole}");
}

#[test]
fn on_a_small_terminal_the_binding_limit_and_the_busiest_volume_stay() {
    let sample = sample();
    let text = picture(&sample, 60, 15);
    let binding = sample.limits.iter().max_by(|a, b| a.binding_percent.total_cmp(&b.binding_percent)).unwrap();
    assert!(text.lines().any(|line| line.starts_with(&limit_name(binding)) && line.ends_with("<-")), "{text}");
    assert!(text.contains("24,200") && text.contains("12,400"), "{text}");
}

#[test]
fn every_size_of_terminal_has_its_picture() {
    let view = view();
    let mut all = String::new();
    for columns in [60, 80, 120, 200] {
        for rows in [12, 16, 24, 40] {
            all += &format!("== {columns} x {rows}\n{}", drawn(&sample(), &view, columns, rows));
        }
    }
    insta::assert_snapshot!(all);
}

/// The sample with the largest figures that there are.
fn extreme() -> Status {
    let mut status = sample();
    for volume in &mut status.volumes {
        for op in [&mut volume.reads, &mut volume.writes] {
            (op.per_second, op.bytes_per_second) = (9_876_543_210.0, 9.8e18);
            (op.recent.p50_ns, op.recent.p99_ns) = (u64::MAX / 2, u64::MAX);
        }
        volume.dirty_bytes = u64::MAX;
    }
    for limit in &mut status.limits {
        (limit.rate, limit.consumed_percent) = (u64::MAX, 123_456.0);
    }
    status
}

#[test]
fn no_width_from_60_to_200_wraps_or_cuts_a_figure_and_the_keys_stand_last() {
    for (sample, widths) in [(sample(), 60..=200), (extreme(), 100..=200)] {
        whole_at(&sample, widths);
    }
}

fn whole_at(sample: &Status, widths: std::ops::RangeInclusive<u16>) {
    let view = view();
    let known = drawn(sample, &view, 300, 60);
    let known: Vec<&str> = known.split_whitespace().collect();
    for columns in widths {
        for rows in [10, 13, 18, 24, 30, 50] {
            let text = drawn(sample, &view, columns, rows);
            assert_eq!(text.lines().count(), usize::from(rows));
            assert!(text.lines().last().unwrap().starts_with("q end"), "{columns} x {rows}\n{text}");
            let own = text.split("no room for: ").next().unwrap_or_default();
            let is_figure = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
            let cut: Vec<&str> =
                own.split_whitespace().filter(is_figure).filter(|word| !known.contains(word)).collect();
            assert!(cut.is_empty(), "{columns} x {rows}: {cut:?}\n{text}");
        }
    }
}

#[test]
fn every_row_comes_into_view_by_scrolling_and_home_shows_the_busiest() {
    let (sample, mut view) = (sample(), view());
    let (columns, rows) = (80, 16);
    let busiest = drawn(&sample, &view, columns, rows);
    assert!(busiest.contains("↑ ↓ PgUp PgDn rows"), "{busiest}");
    let most = scroll_max(&sample, &view, columns, rows);
    let mut seen = String::new();
    for _ in 0..20 {
        view.scroll = scrolled(view.scroll, KeyCode::Down, most);
        seen += &drawn(&sample, &view, columns, rows);
    }
    for limit in &sample.limits {
        assert!(seen.contains(&limit_name(limit)), "{} is never seen", limit_name(limit));
    }
    for volume in &sample.volumes {
        assert!(seen.lines().any(|line| line.starts_with(&volume.name)), "{} is never seen", volume.name);
    }
    assert_eq!(view.scroll, most, "the end is the end");
    assert!(drawn(&sample, &view, columns, rows).contains("old"), "the last volume is at the end");
    view.scroll = scrolled(view.scroll, KeyCode::Home, most);
    assert_eq!(drawn(&sample, &view, columns, rows), busiest);
    assert_eq!(scroll_max(&sample, &view, 120, 60), 0, "where all is shown nothing scrolls");
}

#[test]
fn without_colour_there_is_none() {
    use ratatui::style::Color;
    use ratatui::{Terminal, backend::TestBackend};
    for plain in [false, true] {
        let Ok(mut terminal) = Terminal::new(TestBackend::new(100, 30));
        let view = View { plain, ..view() };
        let Ok(_) = terminal.draw(|target| super::draw(target, &sample(), &view));
        let cells = &terminal.backend().buffer().content;
        assert_eq!(cells.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset), plain);
    }
}
