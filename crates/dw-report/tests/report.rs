//! A report from its documents: what is in it, that nothing gets out of its place, that it opens again to the same bytes.

use dw_documents::{Document, Kind, Unread};
use dw_messages::Language;
use dw_report::{Content, Piece, Report, html, json, markdown};
use serde_json::{Value, json};

const SAMPLES: [(&str, &str); 8] = [
    ("checklist.json", include_str!("samples/checklist.json")),
    ("plan.json", include_str!("samples/plan.json")),
    ("predicted.json", include_str!("samples/run.json")),
    ("measured.json", include_str!("samples/measured.json")),
    ("bench.json", include_str!("samples/bench.json")),
    ("explain.json", include_str!("samples/explain.json")),
    ("verify.json", include_str!("samples/verify.json")),
    ("comparison.json", include_str!("samples/comparison.json")),
];

fn piece(name: &str, value: Value) -> Piece {
    Piece::new(name, Document::of_value(value).unwrap()).unwrap()
}

fn whole() -> Report {
    let pieces = SAMPLES.map(|(name, text)| Piece::new(name, Document::read(text).unwrap()).unwrap()).to_vec();
    Report { title: "A database".into(), pieces }
}

#[test]
fn documents_are_known_by_what_is_in_them() {
    let kinds: Vec<Kind> = whole().pieces.iter().filter_map(Piece::kind).collect();
    assert_eq!(
        kinds,
        [
            Kind::Checklist,
            Kind::Plan,
            Kind::Run,
            Kind::Measured,
            Kind::Bench,
            Kind::Explain,
            Kind::Verify,
            Kind::PlanComparison
        ]
    );
    assert_eq!(Document::of_value(json!({"a": 1})), Err(Unread::Foreign));
    assert_eq!(Document::of_value(json!([1])), Err(Unread::Foreign));
}

#[test]
fn the_same_documents_give_the_same_bytes_and_a_page_opens_again_to_itself() {
    let page = html(&whole());
    assert_eq!(page, html(&whole()));
    let opened = Report::open(&page).unwrap();
    assert_eq!(html(&opened), page);
    assert_eq!(markdown(&opened), markdown(&whole()));
    let value: Value = serde_json::from_str(&json(&opened)).unwrap();
    assert_eq!(html(&Report::of_value(&value).unwrap()), page);
}

#[test]
fn when_a_run_was_made_and_how_long_it_took_change_nothing() {
    let mut other: Value = serde_json::from_str(SAMPLES[2].1).unwrap();
    other["timestamp"] = json!(12);
    other["diskwright"]["wall_s"] = json!(99.0);
    let mut report = whole();
    report.pieces[2] = piece("predicted.json", other);
    assert_eq!(html(&report), html(&whole()));
}

#[test]
fn a_page_needs_nothing_from_elsewhere() {
    let page = html(&whole());
    let shown = page.split("<script").next().unwrap();
    for foreign in ["src=", "@import", "url(", "<link", "<iframe", " style=", "onload"] {
        assert!(!shown.contains(foreign), "the page has `{foreign}`");
    }
    assert_eq!(page.matches("<script").count(), 1);
    assert!(page.contains("@media print") && page.contains("prefers-color-scheme:dark"));
}

#[test]
fn no_text_gets_out_of_its_place() {
    const HOSTILE: &str = "</script><script>alert(1)</script><!-- \"'&<b onload=x>` | *_[a](b)";
    fn spoil(value: &mut Value, key: &str) {
        match value {
            // Words that the reader of a document compares must stay.
            Value::String(text)
                if !matches!(
                    key,
                    "unit"
                        | "quantity"
                        | "severity"
                        | "provenance"
                        | "row"
                        | "direction"
                        | "what"
                        | "document"
                        | "verdict"
                        | "metric"
                        | "kind"
                        | "mode"
                        | "state"
                        | "design"
                        | "of"
                        | "evidence"
                        | "to"
                ) =>
            {
                text.push_str(HOSTILE);
            }
            Value::Array(list) => list.iter_mut().for_each(|v| spoil(v, key)),
            Value::Object(map) => map.iter_mut().for_each(|(key, v)| spoil(v, key)),
            _ => {}
        }
    }
    let mut report = whole();
    report.title = HOSTILE.into();
    for piece in &mut report.pieces {
        piece.name.push_str(HOSTILE);
        let mut value = serde_json::to_value(piece.document().unwrap()).unwrap();
        spoil(&mut value, "");
        piece.content = Content::Document(Document::of_value(value).unwrap());
    }
    report.pieces.push(Piece::text(HOSTILE, "script", format!("{HOSTILE}\n````\n")));
    let page = html(&report);
    let before = page.split("<script type=\"application/json\"").next().unwrap();
    assert!(!before.contains("<script") && !before.contains("<b ") && !before.contains("<!--"), "markup got in");
    assert_eq!(page.matches("</script>").count(), 1, "the documents end where they end");
    // Every attribute is one: a quote in a text is escaped.
    for tag in before.split('<').skip(1).filter_map(|rest| rest.split_once('>').map(|(tag, _)| tag)) {
        assert!(tag.matches('"').count().is_multiple_of(2), "`{tag}`");
    }
    assert_eq!(Report::open(&page).unwrap(), report);
    let text = markdown(&report);
    // Without what is escaped, and without the texts that stand as they are.
    let mut prose = String::new();
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        match fence {
            Some(open) if line == open => fence = None,
            Some(_) => {}
            None if line.starts_with("```") => fence = Some(line),
            None => prose.extend([line, "\n"]),
        }
    }
    assert_eq!(fence, None, "a fence stays open");
    while let Some(at) = prose.find('\\') {
        prose.replace_range(at..at + 2, "");
    }
    assert!(!prose.contains("<script") && !prose.contains("](b)"), "markup got into the Markdown");
}

/// Each design has a letter on the first page; a curve that is flat is a sentence.
#[test]
fn the_first_page_shows_the_designs_and_the_rest_is_folded_with_a_conclusion() {
    let page = html(&whole());
    let (first, evidence) = page.split_once(">Evidence<").expect("a page and its evidence");
    for (what, times) in [
        ("A: cheapest", 1),
        ("B: balanced", 1),
        ("C: simplest", 1),
        ("the plan</td>", 1),
        ("class=\"decision warning\"", 1),
        ("<figure", 1),
        ("<details class=\"section\"", 0),
    ] {
        assert_eq!(first.matches(what).count(), times, "{what}");
    }
    assert_eq!(evidence.matches("<details class=\"section\"").count(), 13);
    assert!(evidence.contains("Cost by number of disks, USD per month"));
    let mut plan: Value = serde_json::from_str(SAMPLES[1].1).unwrap();
    for point in plan["curve"]["by_headroom"].as_array_mut().unwrap() {
        point["monthly"] = 300.0.into();
    }
    let page = html(&Report { title: "flat".into(), pieces: vec![piece("plan.json", plan)] });
    assert!(page.contains("A headroom of 0 % to 50 % costs the same: 300.00 USD per month."));
}

/// The row of a table that begins so, as its cells.
fn cells<'a>(text: &'a str, first: &str) -> Vec<&'a str> {
    let row = text.lines().find(|line| line.starts_with(&format!("| {first} ")));
    let row = row.unwrap_or_else(|| panic!("no row {first} in {text}"));
    row.trim_matches('|').split('|').map(str::trim).collect()
}

/// An answer for each place; nothing is cheaper than what nobody knows.
#[test]
fn places_are_compared_where_each_has_a_plan_at_a_known_price() {
    let comparison: Value = serde_json::from_str(SAMPLES[7].1).unwrap();
    let said = |value: &Value| markdown(&Report::new("Places", vec![piece("comparison.json", value.clone())]));
    let text = said(&comparison);
    for words in [
        "## Places compared",
        "less per month than",
        "### Azure westeurope",
        "### AWS eu-central-1",
        "Ignored there: \\`vms\\`",
        "Known by: ",
        "Proof: no cheaper option",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let money = |place: usize| comparison["places"][place]["monthly"].as_f64().unwrap();
    let (cheap, dear) = if money(0) < money(1) { (0, 1) } else { (1, 0) };
    let row = |text: &str, place: usize| -> Vec<String> {
        let name = ["Azure westeurope", "AWS eu-central-1"][place];
        cells(&text.replace("**", ""), name).into_iter().map(String::from).collect()
    };
    let shown = |amount: f64| format!("{amount:.2}");
    assert_eq!(row(&text, cheap)[4], "-", "{text}");
    assert_eq!(row(&text, dear)[4], format!("+{}", shown(money(dear) - money(cheap))), "{text}");
    assert_eq!(row(&text, dear)[3], format!("{} USD", shown(money(dear))));

    let none = json!({ "id": "plain", "text": "nothing is compared with that", "args": { "text": "nothing is compared with that" } });
    // Without a price, without a plan that meets it, in another currency.
    for (key, value) in [("monthly", Value::Null), ("state", json!("not_met")), ("currency", json!("EUR"))] {
        let mut other = comparison.clone();
        (other["places"][cheap][key], other["summary"]) = (value, none.clone());
        let text = said(&other);
        assert!(text.contains("**Warning:** Nothing is compared with that."), "{key}: {text}");
        assert_eq!([&row(&text, 0)[4], &row(&text, 1)[4]], ["-", "-"], "{key}: {text}");
        assert!(!text.contains("less per month"), "{key}: {text}");
    }
    let mut refused = comparison.clone();
    refused["places"][dear] = json!({ "vendor": "AWS", "region": "eu-central-1", "currency": "USD", "prices_of": [], "ignored": [],
        "refused": "no price with Windows is known" });
    let text = said(&refused);
    assert!(text.contains("No answer: no price with Windows is known.") && row(&text, 1)[1] == "no answer", "{text}");
    for language in Language::all().iter().filter(|language| language.name() != "en") {
        let page =
            dw_report::html_in(&Report::new("Places", vec![piece("comparison.json", comparison.clone())]), language);
        let shown = page.split("<script").next().unwrap();
        for english in
            ["Places compared", "One answer for each place", "Known by", ">prices of<", ">place<", ">answer<"]
        {
            assert!(!shown.contains(english), "{}: {english}", language.name());
        }
    }
}

/// What many names begin with is said once, and written out where it is looked up.
#[test]
fn names_of_many_volumes_are_as_short_as_they_can_be_told_apart() {
    let mut list: Value = serde_json::from_str(SAMPLES[0].1).unwrap();
    let volumes = list["volumes"].as_array_mut().unwrap();
    let named = |volume: &mut Value, name: &str| volume["name"] = format!("nvme-eui.{name}").into();
    for volume in volumes.iter_mut().skip(1) {
        let name = volume["name"].as_str().unwrap().to_string();
        named(volume, &name);
    }
    let few = markdown(&Report::new("Few", vec![piece("checklist.json", list.clone())]));
    assert!(few.contains("nvme-eui.data") && !few.contains("… stands for"), "{few}");
    let volumes = list["volumes"].as_array_mut().unwrap();
    for name in ["backup", "wal"] {
        let mut more = volumes.last().unwrap().clone();
        named(&mut more, name);
        volumes.push(more);
    }
    let many = markdown(&Report::new("Many", vec![piece("checklist.json", list)]));
    let tables: Vec<&str> = many.lines().filter(|line| line.starts_with('|')).collect();
    assert!(tables.iter().any(|line| line.contains("…backup")), "{many}");
    assert_eq!(tables.iter().find(|line| line.contains("nvme-eui")), None, "{many}");
    assert!(many.contains("… stands for nvme-eui., with which the names of all volumes begin."), "{many}");
}

/// What the summary says, as Markdown.
fn summary(pieces: Vec<Piece>) -> String {
    let text = markdown(&Report { title: "A database".into(), pieces });
    let begin = text.find("## Summary").expect("a summary") + "## Summary".len();
    text[begin..].split("\n## ").next().unwrap().trim().to_string()
}

#[test]
fn a_plan_is_ok_only_where_its_verdict_has_no_condition() {
    let sentence = |text: &str| json!({ "id": "plain", "text": text, "args": { "text": text } });
    let cases = [
        ("met", &[][..], "✓ Met. "),
        ("met_with_condition", &["5 min recorded: too short to plan from"][..], "▲ Met with a condition. "),
        ("not_met", &["data reads take 2.9 ms"][..], "✗ NOT MET. "),
    ];
    for (state, why, said) in cases {
        let mut plan: Value = serde_json::from_str(SAMPLES[1].1).unwrap();
        plan["verdict"] = json!({ "state": state, "answer": sentence("in a line"), "checks": [] });
        let decision = plan["decision"].as_object_mut().unwrap();
        decision["state"] = json!(state);
        decision["conditions"] = why.iter().map(|why| sentence(why)).collect();
        let text = summary(vec![piece("plan.json", plan.clone())]).replace("**", "");
        assert!(text.contains(said), "{state}: {text}");
        assert!(why.iter().all(|why| text.to_lowercase().contains(&why.to_lowercase())), "{state}: {text}");
        assert_eq!(text.contains('✗'), state == "not_met", "{state}: {text}");
        // Of a document that is older than its decision the verdict is what there is.
        plan.as_object_mut().unwrap().remove("decision");
        let text = summary(vec![piece("plan.json", plan)]).replace("**", "");
        assert!(text.contains("In a line."), "{state}: {text}");
    }
}

#[test]
fn a_recording_that_was_not_simulated_is_said_first_and_its_warnings_are_named() {
    let checklist = || {
        let mut list: Value = serde_json::from_str(SAMPLES[0].1).unwrap();
        let sentence = |text: &str| json!({ "id": "plain", "text": text, "args": { "text": text } });
        let finding = |severity: &str, what: &str| {
            json!({ "pitfall": "H", "title": sentence("hours"), "severity": severity, "what": sentence(what),
                    "effect": sentence("it is too small"), "hint": null, "count": 1, "evidence": [] })
        };
        list["findings"] =
            json!([finding("critical", "5 min recorded"), finding("warning", "no memory"), finding("note", "a comma")]);
        piece("checklist.json", list)
    };
    let plan = || piece("plan.json", serde_json::from_str(SAMPLES[1].1).unwrap());
    let run = || piece("predicted.json", serde_json::from_str(SAMPLES[2].1).unwrap());
    let why = || Piece::text("simulation", dw_report::NOT_SIMULATED, "the rig has no volume log.");
    let cases = [
        (vec![checklist(), plan(), why()], Some("on the planned disks: the rig has no volume log. What follows")),
        (vec![checklist(), plan()], Some("on the planned disks. What follows")),
        (vec![checklist(), plan(), run()], None),
        (vec![checklist()], None),
        (vec![plan()], None),
    ];
    for (pieces, first) in cases {
        let recorded = pieces.iter().any(|piece| piece.name == "checklist.json");
        let text = summary(pieces).replace("**", "");
        let line = text.lines().find(|line| !line.trim().is_empty()).unwrap();
        let said = line.contains("The recording was not simulated");
        assert_eq!(said, first.is_some(), "{text}");
        assert!(first.is_none_or(|first| line.contains(first)), "{line}");
        for named in ["Recording: 5 min recorded; it is too small.", "Recording: no memory; it is too small."] {
            assert_eq!(text.contains(named), recorded, "{named}: {text}");
        }
        assert!(!text.contains("a comma"), "notes are counted: {text}");
    }
}

#[test]
fn what_is_missing_names_the_command_that_fills_it() {
    let page = html(&Report { title: "empty".into(), pieces: Vec::new() });
    let section = page.split(" id=\"missing\"").nth(1).unwrap().split("</section>").next().unwrap();
    assert_eq!(section.matches("fills this section").count(), 13, "{section}");
    assert!(section.contains("report COUNTERS... --capacity VOLUME=SIZE"), "the command's own hint");
    let page = html(&whole());
    assert!(!page.contains("fills this section"), "nothing is missing in the whole");
}

#[test]
fn measured_is_compared_with_predicted() {
    let text = markdown(&whole());
    let row = |start: &str| {
        text.lines().find(|line| line.replace("**", "").starts_with(start)).unwrap_or_else(|| panic!("{start}\n{text}"))
    };
    // The sample's measured reads are 1 % below the predicted ones, its writes 10 % below.
    assert!(row("| reads reads: IOPS").contains("-1.0 %") && row("| reads reads: IOPS").contains("within tolerance"));
    assert!(row("| writes writes: IOPS").contains("-10.0 %") && row("| writes writes: IOPS").contains("lower"));
    // The benchmark asked for 900 I/Os per second, and measured 674.
    assert!(row("| most read IOPS, 4 KiB: IOPS of data reads").contains("misses what is required"));
    assert!(text.contains("figures miss what is required"), "the summary says it");
    let mut report = whole();
    report.pieces.retain(|piece| piece.kind() != Some(Kind::Bench));
    // What was not measured is not counted.
    let counted = |report: &Report| {
        let text = markdown(report);
        text.split(" figures; furthest off").next().unwrap().rsplit(' ').next().unwrap().to_string()
    };
    let all: usize = counted(&report).parse().unwrap();
    let mut less: Value = serde_json::from_str(SAMPLES[3].1).unwrap();
    less["jobs"][0]["read"]["clat_ns"] = json!({});
    less["jobs"][0]["read"]["lat_ns"] = json!({});
    let mut fewer = Report { title: report.title.clone(), pieces: report.pieces.clone() };
    fewer.pieces[3] = piece("measured.json", less);
    assert!(counted(&fewer).parse::<usize>().unwrap() < all);
    assert!(markdown(&report).contains("furthest off: writes writes: "), "the summary says it");
}

#[test]
fn hits_that_a_plan_counts_on_and_a_run_has_not_are_said() {
    for (planned, warns) in [(50.0, false), (66.0, false), (67.0, true)] {
        let mut plan: Value = serde_json::from_str(SAMPLES[1].1).unwrap();
        plan["plan"]["volumes"][0]["hit_percent"] = json!(planned);
        let mut report = whole();
        report.pieces[1] = piece("plan.json", plan);
        let text = markdown(&report);
        let said = text.lines().find(|line| line.contains("the plan counts on"));
        assert_eq!(said.is_some(), warns, "{said:?}");
        assert!(said.is_none_or(|line| line.contains("simulated 61") && line.contains("100 % at the end")), "{said:?}");
    }
}

#[test]
fn twenty_volumes_of_long_recordings_stay_small() {
    let mut value: Value = serde_json::from_str(SAMPLES[0].1).unwrap();
    let mut volume = value["volumes"][1].clone();
    for column in volume["series"].as_object_mut().unwrap().values_mut() {
        if let Some(list) = column.as_array_mut() {
            *list = list.iter().cycle().take(2_000).cloned().collect();
        }
    }
    let ends: Vec<Value> = (1..=2_000).map(|i| json!(f64::from(i) * 30.25)).collect();
    volume["series"]["end_s"] = Value::Array(ends);
    value["volumes"] = Value::Array(vec![volume; 20]);
    let report = Report { title: "wide".into(), pieces: vec![piece("wide.json", value)] };
    let page = html(&report);
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
    assert_eq!(html(&Report::open(&page).unwrap()), page);
}

#[test]
fn what_cannot_be_read_is_said_with_its_file() {
    for (value, what) in [
        (json!({ "document": "plan", "answer": 3 }), "p.json: this looks like a plan, but it cannot be read: "),
        (json!({ "answer": 3, "limits": [], "alternatives": [] }), "p.json: is a plan of an older version: "),
    ] {
        let report = json!({ "title": "", "documents": [{ "name": "p.json", "kind": "plan", "document": value }] });
        let error = Report::of_value(&report).unwrap_err().to_string();
        assert!(error.starts_with(what), "{error}");
    }
    let page = html(&whole());
    let cut = &page[..page.len() - 100];
    assert!(Report::open(cut).unwrap_err().to_string().contains("cut off"));
    assert!(Report::open("<html>").unwrap_err().to_string().contains("no documents"));
}

#[test]
fn an_explanation_a_verification_and_scripts_are_shown() {
    let mut report = whole();
    report.pieces.push(Piece::text("az.sh", "script", "#!/bin/sh\necho <data>\n"));
    let text = markdown(&report);
    let section = |title: &str| text.split("\n## ").find(|s| s.starts_with(title)).unwrap().to_string();
    let cases = [
        ("Summary", "Verified (verify.json): of 12 requirements"),
        ("Summary", "Explained (explain.json): "),
        ("Limits", "### Why it gives what it gives (explain.json)"),
        ("Limits", "| limit | p99 | max | gives | in a burst | used of the limit | intervals above it |"),
        ("Required", "| **data reads: IOPS at p99** | **5,616** | **4,056** | **3,900** | **-3.8 %** | **not met** |"),
        ("Required", "- limit: vm cached throughput gives less here"),
        ("Scripts", "az.sh:\n\n```\n#!/bin/sh"),
        ("Sources", "| az.sh | diskwright provision | the plan |"),
        ("Sources", "| verify.json | diskwright verify |"),
    ];
    for (title, expected) in cases {
        assert!(section(title).contains(expected), "{expected}: {}", section(title));
    }
    assert!(html(&report).contains("echo &lt;data&gt;"));
}
