//! The page in a real browser: two widths, two themes. Needs `chromium`, and axe-core for the last; says so aloud without.
//!
//! Screenshots are written to the folder that `DISKWRIGHT_SCREENSHOTS` names, for eyes.

use std::path::PathBuf;

use dw_browser::{Browser, test_tool};
use dw_documents::Document;
use dw_messages::Language;
use dw_report::content::{Block, Level, Row, Rows, Section, Table};
use dw_report::{Piece, Report, html_in, page_of};
use serde_json::Value;

const LAYOUT: &str = include_str!("layout.js");
/// A desk and a phone.
const WIDTHS: [u32; 2] = [1_280, 390];

fn page() -> String {
    dw_report::html(&sample())
}

fn sample() -> Report {
    let samples = [
        ("checklist.json", include_str!("samples/checklist.json")),
        ("plan.json", include_str!("samples/plan.json")),
        ("predicted.json", include_str!("samples/run.json")),
        ("measured.json", include_str!("samples/measured.json")),
        ("bench.json", include_str!("samples/bench.json")),
        ("explain.json", include_str!("samples/explain.json")),
        ("verify.json", include_str!("samples/verify.json")),
        ("comparison.json", include_str!("samples/comparison.json")),
    ];
    let mut pieces: Vec<Piece> =
        samples.iter().map(|(name, text)| Piece::new(name, Document::read(text).unwrap()).unwrap()).collect();
    pieces.push(Piece::text("az.sh", "script", "az disk create --name data-0 --size-gb 1024\n".repeat(20)));
    pieces.push(Piece::text("rig.toml", "scenario", "[vm]\nsize = \"Standard_DS14\"\n"));
    Report { title: "A database and its log, planned, simulated and measured".into(), pieces }
}

#[test]
fn it_fits_every_width_in_both_themes_and_every_chart_shows_something() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.html");
    std::fs::write(&file, page()).unwrap();
    for width in WIDTHS {
        let mut seen: Vec<Vec<u8>> = Vec::new();
        for theme in ["light", "dark"] {
            browser.open(&file, width, theme);
            let layout = browser.evaluate(LAYOUT);
            assert_eq!(layout["faults"], Value::Array(Vec::new()), "{width} px, {theme}");
            // Opened, the tables below the charts must fit, too.
            browser.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })");
            let opened = browser.evaluate(LAYOUT);
            assert_eq!(opened["faults"], Value::Array(Vec::new()), "{width} px, {theme}, all opened");
            assert!(opened["figures"].as_u64().unwrap() >= 10, "{opened}");
            assert!(opened["texts"].as_u64().unwrap() > 80, "{opened}");
            browser.open(&file, width, theme);
            let picture = browser.screenshot(width);
            assert!(picture.starts_with(b"\x89PNG") && picture.len() > 50_000, "{} bytes", picture.len());
            if let Some(folder) = std::env::var_os("DISKWRIGHT_SCREENSHOTS") {
                let name = format!("report-{width}-{theme}.png");
                std::fs::write(PathBuf::from(folder).join(name), &picture).unwrap();
            }
            seen.push(picture);
        }
        assert!(seen[0] != seen[1], "the themes differ at {width} px");
    }
}

#[test]
fn it_fits_every_width_in_every_language_and_in_one_that_is_longer() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.html");
    let report = sample();
    let longer = Language::longer();
    for language in Language::all().iter().chain([&longer]) {
        std::fs::write(&file, html_in(&report, language)).unwrap();
        for width in WIDTHS {
            browser.open(&file, width, "light");
            if let Some(folder) = std::env::var_os("DISKWRIGHT_SCREENSHOTS") {
                let name = format!("report-{width}-{}.png", language.name());
                std::fs::write(PathBuf::from(folder).join(name), browser.screenshot(width)).unwrap();
            }
            browser.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })");
            let layout = browser.evaluate(LAYOUT);
            assert_eq!(layout["faults"], Value::Array(Vec::new()), "{} at {width} px", language.name());
        }
    }
}

/// Each fault, put into the real page by a style, and what must be said of it.
const MUTANTS: [(&str, &str); 7] = [
    ("table{min-width:2000px}.scroll{overflow:visible}", "wider than its window"),
    (".plot text{font-size:4rem}", "overlap"),
    ("h3{margin-bottom:-3em}", "overlap"),
    (".line,.bar,.flow,.wall{display:none}", "nothing is drawn"),
    (".line,.bar{transform:translateY(-9999px)}", "nothing is drawn"),
    ("tbody th{max-width:2rem;white-space:nowrap}", "does not fit its cell"),
    (".doubts li{margin-bottom:-1.2em}", "overlap"),
];

#[test]
fn faults_of_the_layout_are_found() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bad.html");
    for (style, expected) in MUTANTS {
        std::fs::write(&file, page().replacen("</style>", &format!("{style}</style>"), 1)).unwrap();
        browser.open(&file, 1_280, "light");
        browser.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })");
        let faults = browser.evaluate(LAYOUT)["faults"].to_string();
        assert!(faults.contains(expected), "{style}: no `{expected}` in {faults}");
    }
}

/// Where the main boxes are, as shares of the window: what no font moves.
const BOXES: &str = "JSON.stringify(Object.fromEntries([['body', 'body'], ['section', 'main > section'], ['table', '.scroll'], \
     ['decision', '.decision'], ['plot', '.plot .area'], ['stage', '.path li'], ['code', 'details.code']] \
     .map(([name, which]) => { const r = document.querySelector(which).getBoundingClientRect(); \
     return [name, [Math.round(1000 * r.left / innerWidth), Math.round(1000 * r.width / innerWidth)]]; })))";

#[test]
fn the_main_boxes_are_where_they_were() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.html");
    std::fs::write(&file, page()).unwrap();
    let stored: Value = serde_json::from_str(include_str!("samples/boxes.json")).unwrap();
    for width in WIDTHS {
        browser.open(&file, width, "light");
        browser.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })");
        let boxes: Value = serde_json::from_str(browser.evaluate(BOXES).as_str().unwrap()).unwrap();
        let was = stored[width.to_string()].as_object().unwrap();
        assert_eq!(was.len(), boxes.as_object().unwrap().len(), "{boxes}");
        for (name, was) in was {
            let near = |n: usize| (boxes[name][n].as_i64().unwrap() - was[n].as_i64().unwrap()).abs() <= 15;
            assert!(near(0) && near(1), "{name} at {width} px: {} instead of {was}; all: {boxes}", boxes[name]);
        }
    }
}

/// Whoever decides reads one sheet; only what comes after it may be longer.
#[test]
fn the_first_page_is_one_sheet_in_every_language() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.html");
    for (report, charts) in [(planned(), 1), (simulated(), 2)] {
        for language in Language::all() {
            std::fs::write(&file, html_in(&report, language)).unwrap();
            browser.open(&file, 794, "light");
            let all = browser.pages();
            browser.evaluate(
                "document.querySelectorAll('main > h2:not(#summary), main > section:not(:has(#summary)), footer').forEach((e) => e.remove())",
            );
            assert_eq!(browser.evaluate("document.querySelectorAll('figure').length"), charts, "{}", language.name());
            assert_eq!(browser.pages(), 1, "{} with {charts} charts", language.name());
            assert!((2..=14).contains(&all), "{}: {all} pages", language.name());
        }
    }
}

/// A plan that nothing speaks against, with the recording that it is for.
fn planned() -> Report {
    let pieces = sample().pieces.into_iter().filter(|piece| ["checklist.json", "plan.json"].contains(&&*piece.name));
    Report { title: "Disk plan for orders-db".into(), pieces: pieces.collect() }
}

/// The same with its run, as long as the recording.
fn simulated() -> Report {
    let mut run: Value = serde_json::from_str(include_str!("samples/run.json")).unwrap();
    for track in run["diskwright"]["series"].as_array_mut().unwrap() {
        for end in track["end_s"].as_array_mut().unwrap() {
            *end = (end.as_f64().unwrap() * 3_600.0 / 2_700.0).into();
        }
    }
    let mut report = planned();
    report.pieces.push(Piece::new("simulation", Document::of_value(run).unwrap()).unwrap());
    report
}

#[test]
fn the_first_page_shows_the_latency_that_decides_under_what_was_asked() {
    let page = dw_report::html(&simulated());
    let first = page.split("<h2").nth(1).unwrap();
    for said in [
        "log: how long writes take (ms)",
        "the same load on these disks: mean ",
        "asked at most: 3",
        "recorded, all requests",
    ] {
        assert!(first.contains(said), "{said}: {first}");
    }
    assert!(!dw_report::html(&planned()).contains("how long writes take"), "nobody ran it");
}

#[test]
fn nothing_is_red_where_nothing_is_broken() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.html");
    let page = dw_report::html(&planned());
    let red = "(() => { document.querySelectorAll('details').forEach((d) => { d.open = true; }); \
               const red = 'rgb(176, 16, 28)'; return [...document.querySelectorAll('body *')] \
               .filter((e) => e.getClientRects().length > 0) \
               .filter((e) => { const s = getComputedStyle(e); return [s.color, s.fill, s.stroke, s.borderTopColor].includes(red); }) \
               .map((e) => e.outerHTML.slice(0, 80)); })()";
    for (state, any) in [("met_with_condition", false), ("not_met", true)] {
        let broken = page.replace("class=\"decision warning\"", "class=\"decision critical\"");
        std::fs::write(&file, if state == "not_met" { &broken } else { &page }).unwrap();
        browser.open(&file, 1_280, "light");
        let found = browser.evaluate(red);
        assert_eq!(!found.as_array().unwrap().is_empty(), any, "{state}: {found}");
    }
}

/// A page of machines, every tenth with a warning, every hundredth with a problem of another family.
fn filtered(count: usize) -> String {
    let lang = Language::english();
    let mut table = Table::new(lang, "machine", &[]);
    table.head = vec![
        dw_report::content::Column::words("machine"),
        dw_report::content::Column::words("level"),
        dw_report::content::Column::figures("saves"),
    ];
    let row = |number: usize| {
        let level = match number {
            n if n % 100 == 0 => Level::Critical,
            n if n % 10 == 0 => Level::Warning,
            _ => Level::Note,
        };
        let family = if level == Level::Critical { 3 } else { 1 };
        Row {
            cells: vec![format!("vm{number:05}<b>"), format!("{level:?}"), format!("{number}")],
            level: Some(level),
            kinds: vec![(family, level), (2, Level::Note)],
            also: format!("team=t{}", number % 40),
        }
    };
    let all: Vec<Row> = (0..count).map(row).collect();
    table.rows = all.iter().take(1_000).map(|row| row.cells.clone()).collect();
    let families = ["waivers", "limits", "waste", "risk"].map(String::from).to_vec();
    let blocks = vec![Block::Filter(families), Block::Rows(Rows { table, all, graded: 1 })];
    page_of("An estate", &[Section { id: "machines", title: "Machines".into(), blocks, folded: None }], lang)
}

/// Times are printed, not judged.
#[test]
fn a_filter_finds_rows_beyond_what_is_shown() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rows.html");
    std::fs::write(&file, filtered(10_000)).unwrap();
    browser.open(&file, 1_280, "light");
    let count = "document.querySelector('.pager output').textContent";
    assert_eq!(browser.evaluate(count), "1 – 200 / 10,000");
    for (word, level, family, expected, first) in [
        ("vm09", "", "", "1 – 200 / 1,000", "vm09000<b>"),
        ("team=t7", "", "", "1 – 200 / 250", "vm00007<b>"),
        ("VM0 team=t39", "n", "", "1 – 200 / 250", "vm00039<b>"),
        ("", "w", "", "1 – 200 / 900", "vm00010<b>"),
        ("", "c", "3", "1 – 100 / 100", "vm00000<b>"),
        // Its problem is of another family.
        ("", "c", "1", "0 / 0", "-"),
        ("", "", "2", "1 – 200 / 10,000", "vm00000<b>"),
        ("no such", "", "", "0 / 0", "-"),
    ] {
        let found = browser.evaluate(&format!(
            "(() => {{ const set = (id, value) => {{ document.getElementById('rows-' + id).value = value; }}; set('words', '{word}'); set('level', '{level}'); set('family', '{family}'); \
             const began = performance.now(); document.getElementById('rows-words').dispatchEvent(new Event('input')); document.body.getBoundingClientRect(); \
             return [{count}, document.querySelector('tbody th')?.textContent ?? '-', performance.now() - began]; }})()"
        ));
        println!("filter `{word}` of 10,000 rows: {} ms (this build)", found[2]);
        assert_eq!((found[0].as_str(), found[1].as_str()), (Some(expected), Some(first)), "{word} {level} {family}");
    }
    // The last page is reachable.
    let last = "(() => { const words = document.getElementById('rows-words'); words.value = ''; document.getElementById('rows-family').value = ''; words.dispatchEvent(new Event('input')); \
                const next = document.querySelectorAll('.pager button')[1]; let pages = 1; while (!next.disabled) { next.click(); pages += 1; } \
                return [pages, document.querySelector('tbody tr:last-child th').textContent]; })()";
    assert_eq!(browser.evaluate(last), serde_json::json!([50, "vm09999<b>"]));
    assert_eq!(browser.complaints(), Vec::<String>::new());
    // Whatever else is in the page does not run.
    let foreign = "(() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1'; document.body.append(s); return window.ran ?? 0; })()";
    assert_eq!(browser.evaluate(foreign), 0);
    let axe = test_tool("node_modules/axe-core/axe.min.js").map(|file| std::fs::read_to_string(file).unwrap());
    for (width, theme) in [(1_280, "light"), (1_280, "dark"), (390, "light")] {
        std::fs::write(&file, filtered(300)).unwrap();
        browser.open(&file, width, theme);
        let layout = browser.evaluate(LAYOUT);
        assert_eq!(layout["faults"], Value::Array(Vec::new()), "{width} px, {theme}");
        if let Some(axe) = &axe {
            browser.evaluate(&format!("{axe};0"));
            let grave = browser.evaluate(
                "axe.run().then((r) => r.violations.filter((v) => ['serious', 'critical'].includes(v.impact)).map((v) => v.id + ': ' + v.nodes[0].html))",
            );
            assert_eq!(grave, Value::Array(Vec::new()), "{width} px, {theme}");
        }
    }
}

#[test]
fn axe_finds_nothing_serious() {
    let (Some(mut browser), Some(axe)) = (Browser::start(), test_tool("node_modules/axe-core/axe.min.js")) else {
        return;
    };
    let axe = std::fs::read_to_string(axe).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.html");
    std::fs::write(&file, page()).unwrap();
    for (width, theme) in [(1_280, "light"), (1_280, "dark"), (390, "light"), (390, "dark")] {
        browser.open(&file, width, theme);
        browser.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })");
        browser.evaluate(&format!("{axe};0"));
        let found = browser.evaluate(
            "axe.run().then((r) => ({ passes: r.passes.length, \
             grave: r.violations.filter((v) => ['serious', 'critical'].includes(v.impact)).map((v) => v.id + ': ' + v.nodes[0].html) }))",
        );
        assert!(found["passes"].as_u64().unwrap() > 10, "it looked at the page: {found}");
        assert_eq!(found["grave"], Value::Array(Vec::new()), "{width} px, {theme}");
    }
}
