//! The languages are complete: whatever English says, each of them says, with all that it is given, in every plural form that it has.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use dw_messages::{ALL, Kind, Language, Sentence, document_words};
use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement, VariantKey};

/// Each language with its plural categories (CLDR), and one number of each.
const LANGUAGES: [(&str, &[&str], &[u64]); 4] = [
    ("ru", &["one", "few", "many", "other"], &[1, 21, 3, 5, 12, 1_234]),
    ("sv", &["one", "other"], &[1, 2, 1_234]),
    ("zh-Hans", &["other"], &[1, 1_234]),
    ("ja", &["other"], &[1, 1_234]),
];

/// Messages and labels that read the same in English and elsewhere: names, units, words that a language has in common with English.
const SAME: &[(&str, &[&str])] = &[
    ("ru", &["note-memory", "found-latency", "found-size"]),
    (
        "sv",
        &[
            "used-cpu",
            "found-latency",
            "found-size",
            "disk",
            "max",
            "max ms",
            "plan",
            "scenario",
            "region",
            "reservation",
            "{disks}, cache {cache}",
        ],
    ),
    ("zh-Hans", &["used-cpu", "note-memory"]),
    ("ja", &["used-cpu", "note-memory"]),
];

/// Labels without words: units and percentiles.
const SIGNS: &[&str] = &[
    "p50",
    "p90",
    "p99",
    "p99.9",
    "IOPS",
    "MB/s",
    "MiB/s",
    "vCPU",
    "VM",
    "Δt",
    "n",
    "p50 ms",
    "p99 ms",
    "p99.9 ms",
    "p50 (ms)",
    "p90 (ms)",
    "p99 (ms)",
    "p99.9 (ms)",
];

fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("messages").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn same(language: &str) -> BTreeSet<&'static str> {
    SAME.iter().find(|(name, _)| *name == language).unwrap().1.iter().copied().collect()
}

/// What a message is made of.
#[derive(Default)]
struct Made {
    args: BTreeSet<String>,
    /// Arguments that it selects by, with the words.
    selects: Vec<(String, BTreeSet<String>)>,
    /// Its own words, without arguments.
    text: String,
}

impl Made {
    fn pattern(&mut self, pattern: &Pattern<&str>) {
        for element in &pattern.elements {
            match element {
                PatternElement::TextElement { value } => self.text += value,
                PatternElement::Placeable { expression: Expression::Inline(inline) } => self.inline(inline),
                PatternElement::Placeable { expression: Expression::Select { selector, variants } } => {
                    self.inline(selector);
                    let InlineExpression::VariableReference { id } = selector else {
                        panic!("a selection by no variable")
                    };
                    let key = |key: &VariantKey<&str>| match key {
                        VariantKey::Identifier { name } => name.to_string(),
                        VariantKey::NumberLiteral { value } => value.to_string(),
                    };
                    self.selects.push((id.name.to_string(), variants.iter().map(|v| key(&v.key)).collect()));
                    variants.iter().for_each(|variant| self.pattern(&variant.value));
                }
            }
        }
    }

    fn inline(&mut self, inline: &InlineExpression<&str>) {
        if let InlineExpression::VariableReference { id } = inline {
            self.args.insert(id.name.to_string());
        }
    }
}

fn made(text: &str) -> BTreeMap<String, Made> {
    let resource = fluent_syntax::parser::parse(text).map_err(|(_, faults)| faults).unwrap();
    let messages = resource.body.iter().filter_map(|entry| match entry {
        Entry::Message(message) => Some(message),
        Entry::Junk { content } => panic!("not read: {content}"),
        _ => None,
    });
    let of = |message: &fluent_syntax::ast::Message<&str>| {
        let mut made = Made::default();
        made.pattern(message.value.as_ref().unwrap());
        (message.id.name.to_string(), made)
    };
    messages.map(of).collect()
}

const CATEGORIES: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];

#[test]
fn each_language_has_every_message_with_its_arguments_and_every_plural_form() {
    let english = made(&file("en.ftl"));
    for (name, plurals, _) in LANGUAGES {
        let said = made(&file(&format!("{name}.ftl")));
        let ids = |made: &BTreeMap<String, Made>| made.keys().cloned().collect::<Vec<_>>();
        assert_eq!(ids(&said), ids(&english), "{name}");
        let mut alike = BTreeSet::new();
        for (id, english) in &english {
            let said = &said[id];
            assert_eq!(said.args, english.args, "{name}: `{id}` (left) and English (right)");
            for (arg, words) in &said.selects {
                let by_number = words.iter().all(|word| CATEGORIES.contains(&word.as_str()));
                let english = english.selects.iter().find(|(other, _)| other == arg);
                if by_number {
                    let expected: BTreeSet<String> = plurals.iter().map(ToString::to_string).collect();
                    assert_eq!(*words, expected, "{name}: `{id}` has other plural forms of `{arg}` than the language");
                } else if let Some((_, english)) = english {
                    let lacks = english.difference(words).filter(|word| !CATEGORIES.contains(&word.as_str()));
                    assert_eq!(lacks.count(), 0, "{name}: `{id}` lacks a word of `{arg}`: {english:?}");
                }
            }
            if said.text.chars().any(char::is_alphabetic) && said.text == english.text {
                alike.insert(id.as_str());
            }
        }
        assert!(alike.is_subset(&same(name)), "{name}: in English still: {:?}", alike.difference(&same(name)));
    }
}

/// A sentence of that message, with something for each argument, and what those are in its text.
fn sample(id: &str, args: &[(&str, Kind)], count: u64) -> (Sentence, Vec<String>) {
    let (mut json, mut seen) = (serde_json::Map::new(), Vec::new());
    for (name, kind) in args {
        let text = format!("<{name}>");
        let inner = serde_json::json!({ "id": "plain", "text": text });
        let value = match kind {
            Kind::Count => serde_json::json!(count),
            Kind::Text | Kind::Limit | Kind::Word => serde_json::json!(text),
            Kind::Figure => serde_json::json!({ "value": 1.5, "unit": "s", "text": text }),
            Kind::Sentence | Kind::Optional => inner,
            Kind::List | Kind::Limits => serde_json::json!([text]),
            Kind::Sentences => serde_json::json!([inner]),
        };
        if *kind != Kind::Count {
            seen.push(text);
        }
        json.insert(name.to_string(), value);
    }
    let sentence = serde_json::json!({ "id": id, "args": json, "text": "?" });
    (serde_json::from_value(sentence).unwrap(), seen)
}

#[test]
fn every_message_renders_in_each_language_with_all_that_it_is_given() {
    for (name, _, counts) in LANGUAGES {
        let language = Language::named(name).unwrap();
        for (message, count) in ALL.iter().flat_map(|message| counts.iter().map(move |count| (message, *count))) {
            let (sentence, seen) = sample(message.id, message.args, count);
            let text = sentence.in_language(language);
            assert_ne!(text, "?", "{name}: `{}` does not render", message.id);
            for part in seen {
                assert!(text.contains(&part), "{name}: `{}` hides {part}: {text}", message.id);
            }
            assert!(!text.contains("{$"), "{name}: {}: {text:?}", message.id);
            assert!(!text.contains(['\u{2068}', '\u{2069}', '\n']), "{name}: {}: {text:?}", message.id);
        }
    }
}

/// Labels of the code, in every crate, as `label!`, `labels!` and `text!` name them.
fn labels() -> BTreeSet<String> {
    fn sources(folder: &Path, all: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                sources(&entry, all);
            } else if entry.extension().is_some_and(|extension| extension == "rs") {
                all.push(std::fs::read_to_string(&entry).unwrap());
            }
        }
    }
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut texts = Vec::new();
    let members =
        |folder: &Path| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
    for member in members(&crates).into_iter().chain(members(&crates.join("vendors"))) {
        if !member.ends_with("dw-messages") && member.join("src").is_dir() {
            sources(&member.join("src"), &mut texts);
        }
    }
    /// The literal that a text begins with, after as much as is no literal.
    fn literal(text: &str) -> Option<(&str, &str)> {
        let from = text.find('"')? + 1;
        let length = text[from..].find('"')?;
        Some((&text[from..from + length], &text[from + length + 1..]))
    }
    let mut found: BTreeSet<String> = document_words().map(|label| label.english().to_string()).collect();
    for text in &texts {
        for call in ["label!(", "text!("] {
            let calls = text
                .match_indices(call)
                .filter(|(at, _)| !text[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_'));
            found.extend(calls.filter_map(|(at, _)| Some(literal(&text[at..])?.0.to_string())));
        }
        for (at, call) in text.match_indices("labels![") {
            let all = &text[at + call.len()..];
            let mut rest = &all[..all.find(']').unwrap()];
            while let Some((label, after)) = literal(rest) {
                found.insert(label.trim_start_matches('#').to_string());
                rest = after;
            }
        }
    }
    // What changes take, as pages say it: data of whoever sells.
    for member in members(&crates.join("vendors")) {
        let moves = std::fs::read_to_string(member.join("data/moves.toml")).unwrap_or_default();
        let texts = moves.lines().filter(|line| line.starts_with("takes = ") || line.starts_with("limit = "));
        found.extend(texts.map(|line| literal(line).unwrap().0.to_string()));
    }
    found.remove("");
    found.into_iter().map(|label| label.trim_start_matches('#').to_string()).collect()
}

/// Pairs of a file of labels.
fn pairs(name: &str) -> BTreeMap<String, String> {
    let text = file(&format!("labels/{name}.txt"));
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect();
    lines.chunks(2).map(|pair| (pair[0].to_string(), pair[1].trim_start().to_string())).collect()
}

/// The places of a label, in order of their names.
fn places(label: &str) -> Vec<&str> {
    let mut places: Vec<&str> = label.split('{').skip(1).filter_map(|rest| rest.split('}').next()).collect();
    places.sort_unstable();
    places
}

#[test]
fn each_language_has_every_label_of_the_code_with_its_places_and_no_other() {
    let known: BTreeSet<String> = labels().into_iter().filter(|label| !SIGNS.contains(&label.as_str())).collect();
    for (name, ..) in LANGUAGES {
        let said = pairs(name);
        let keys: BTreeSet<String> = said.keys().cloned().collect();
        let lacks: Vec<&String> = known.difference(&keys).collect();
        assert!(lacks.is_empty(), "messages/labels/{name}.txt lacks {lacks:#?}");
        let unsaid: Vec<&String> = keys.difference(&known).collect();
        assert!(unsaid.is_empty(), "messages/labels/{name}.txt has what nothing says: {unsaid:#?}");
        let mut alike = BTreeSet::new();
        for (english, said) in &said {
            assert_eq!(places(said), places(english), "{name}: places of `{english}`");
            if english == said {
                alike.insert(english.as_str());
            }
        }
        let words: BTreeSet<&str> = same(name);
        assert!(alike.is_subset(&words), "{name}: in English still: {:?}", alike.difference(&words));
    }
}

#[test]
fn a_locale_names_a_language_or_none() {
    for (name, expected) in [
        ("en", Some("en")),
        ("en_GB.UTF-8", Some("en")),
        ("ru_RU.UTF-8", Some("ru")),
        ("RU", Some("ru")),
        ("sv-SE", Some("sv")),
        ("sv_FI@euro", Some("sv")),
        ("ja_JP", Some("ja")),
        ("ja_JP.eucJP", Some("ja")),
        ("zh", Some("zh-Hans")),
        ("zh_CN", Some("zh-Hans")),
        ("zh_CN.GB18030", Some("zh-Hans")),
        ("zh_SG", Some("zh-Hans")),
        ("zh-hans", Some("zh-Hans")),
        ("zh-Hans-CN", Some("zh-Hans")),
        ("zh-Hans-HK", Some("zh-Hans")),
        ("zh_TW", None),
        ("zh-Hant", None),
        ("zh-Hant-HK", None),
        ("C", None),
        ("C.UTF-8", None),
        ("POSIX", None),
        ("de_DE", None),
        ("", None),
    ] {
        assert_eq!(Language::named(name).map(Language::name), expected, "{name:?}");
    }
    for (header, expected) in
        [("ru", "ru"), ("de-DE,sv;q=0.8,en;q=0.5", "sv"), ("zh-TW,zh;q=0.9", "zh-Hans"), ("*", "en"), ("", "en")]
    {
        assert_eq!(Language::accepted(header).name(), expected, "{header:?}");
    }
}

#[test]
fn figures_and_lists_are_written_as_the_language_writes_them() {
    for (name, figure, list) in [
        ("en", "3,802.5 IOPS", "a, b"),
        ("ru", "3\u{a0}802,5 IOPS", "a, b"),
        ("sv", "3\u{a0}802,5 IOPS", "a, b"),
        ("zh-Hans", "3,802.5 IOPS", "a、b"),
        ("ja", "3,802.5 IOPS", "a、b"),
    ] {
        let language = Language::named(name).unwrap();
        assert_eq!(language.figure("3,802.5 IOPS"), figure, "{name}");
        assert_eq!(language.list(&["a", "b"]), list, "{name}");
    }
}

#[test]
fn a_document_is_told_in_a_language_and_back_and_only_its_sentences_change() {
    let sentence = dw_messages::say!(PlanNeeded {
        limit: dw_messages::LimitName::read("data disk IOPS (2 x P30)"),
        needed: dw_messages::Figure::new(3802.5, "IOPS", "3,802.5 IOPS"),
        over: None,
        available: dw_messages::Figure::new(1.0, "", "10,000 IOPS"),
        usable: None,
    });
    let document = serde_json::json!({ "name": "read", "n": 3802.5, "id": 7, "why": [{ "said": sentence }] });
    let russian = Language::named("ru").unwrap();
    let mut told = document.clone();
    russian.say_in(&mut told);
    let text = told["why"][0]["said"]["text"].as_str().unwrap().to_string();
    assert!(text.contains("3\u{a0}802,5 IOPS") && text.contains("IOPS диска (data, 2 x P30)"), "{text}");
    assert_eq!((&told["name"], &told["n"], &told["id"]), (&document["name"], &document["n"], &document["id"]));
    assert_eq!(told["why"][0]["said"]["args"], document["why"][0]["said"]["args"]);
    Language::english().say_in(&mut told);
    assert_eq!(told, document);
    // Typed, and English is the document itself.
    assert_eq!(Language::english().told(sentence.clone()), sentence);
    assert_eq!(russian.told(sentence.clone()).text, text);
}

#[test]
fn a_file_of_labels_with_a_fault_is_refused_with_its_line() {
    for (labels, fault) in [
        ("a\nb\n  c\n", "line 2: nothing stands under `a`"),
        ("  c\n", "line 1: there is no English above it"),
        ("# x\na\n  b\na\n  c\n", "line 5: `a` is there twice"),
        ("a\n", "nothing stands under `a`"),
    ] {
        let found = Language::read("de", "plain = { $text }\n", labels).err().unwrap();
        assert_eq!(found, format!("labels of `de`, {fault}"));
    }
}

#[test]
fn english_that_is_longer_says_everything() {
    let longer = Language::longer();
    for message in ALL {
        let (sentence, _) = sample(message.id, message.args, 3);
        assert_ne!(sentence.in_language(&longer), "?", "{}", message.id);
    }
    assert_eq!(longer.label(dw_messages::label!("bottleneck")), "bottleneckøøøø");
}
