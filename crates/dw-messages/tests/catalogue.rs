//! That code and catalogues say the same: every sentence has its words in English, with exactly its arguments, and renders
//! without a fault; and that a language is added by a file.

use std::collections::{BTreeMap, BTreeSet};

use dw_messages::{ALL, Figure, Kind, Language, LimitName, List, Sentence, Sentences, say};
use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};

const GERMAN: &str = include_str!("de.ftl");

/// The arguments that a text uses, by message.
fn used(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let resource = fluent_syntax::parser::parse(text).map_err(|(_, faults)| faults).unwrap();
    let mut used = BTreeMap::new();
    for entry in &resource.body {
        let Entry::Message(message) = entry else { continue };
        let mut names = BTreeSet::new();
        of_pattern(message.value.as_ref().unwrap(), &mut names);
        let before = used.insert(message.id.name.to_string(), names);
        assert!(before.is_none(), "`{}` is there twice", message.id.name);
    }
    used
}

fn of_pattern(pattern: &Pattern<&str>, names: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        let PatternElement::Placeable { expression } = element else { continue };
        match expression {
            Expression::Inline(inline) => of_inline(inline, names),
            Expression::Select { selector, variants } => {
                of_inline(selector, names);
                variants.iter().for_each(|variant| of_pattern(&variant.value, names));
            }
        }
    }
}

fn of_inline(inline: &InlineExpression<&str>, names: &mut BTreeSet<String>) {
    match inline {
        InlineExpression::VariableReference { id } => {
            names.insert(id.name.to_string());
        }
        InlineExpression::StringLiteral { .. } | InlineExpression::NumberLiteral { .. } => {}
        other => panic!("{other:?}: our messages have variables, literals and selections by a variable only"),
    }
}

#[test]
fn english_has_every_message_with_its_arguments_and_no_other() {
    let declared: BTreeMap<String, BTreeSet<String>> =
        ALL.iter().map(|m| (m.id.to_string(), m.args.iter().map(|(name, _)| name.to_string()).collect())).collect();
    assert_eq!(declared.len(), ALL.len(), "two messages have one id");
    let used = used(include_str!("../messages/en.ftl"));
    for (id, args) in &declared {
        assert_eq!(used.get(id), Some(args), "`{id}` of src/catalogue.rs (right) and of messages/en.ftl (left)");
    }
    for id in used.keys() {
        assert!(declared.contains_key(id), "messages/en.ftl has `{id}`, which nothing says");
    }
}

/// What stands for a value may begin with any sound: `a ultra disk`, `a io1`.
#[test]
fn no_article_stands_before_a_value() {
    let text =
        std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("messages/en.ftl")).unwrap();
    let has_article = |line: &&str| {
        let before = line.match_indices("{ $").map(|(at, _)| line[..at].trim_end());
        before
            .map(|before| before.rsplit([' ', '(']).next().unwrap_or_default())
            .any(|word| ["a", "an", "A", "An"].contains(&word))
    };
    let found: Vec<&str> = text.lines().filter(has_article).collect();
    assert!(found.is_empty(), "{found:#?}");
    assert!(has_article(&"x = make it a { $kind }") && !has_article(&"x = than { $kind }"));
}

#[test]
fn other_languages_have_no_message_or_argument_that_english_lacks() {
    let english = used(include_str!("../messages/en.ftl"));
    let check = |name: &str, text: &str| {
        for (id, args) in used(text) {
            let known = english.get(&id).unwrap_or_else(|| panic!("{name}: nothing says `{id}`"));
            assert!(args.is_subset(known), "{name}: `{id}` has arguments that it is not given: {args:?}");
        }
    };
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/messages")).unwrap();
    for file in files.map(|file| file.unwrap().path()).filter(|path| path.is_file()) {
        check(&file.display().to_string(), &std::fs::read_to_string(&file).unwrap());
        let name = file.file_stem().unwrap().to_str().unwrap();
        assert!(Language::named(name).is_some(), "{name} is not among the languages");
    }
    check("tests/de.ftl", GERMAN);
}

/// A sentence of that message, with something for each argument, and what those are in its text.
fn sample(id: &str, args: &[(&str, Kind)], optional: bool) -> (Sentence, Vec<String>) {
    let (mut json, mut seen) = (serde_json::Map::new(), Vec::new());
    for (name, kind) in args {
        let text = format!("<{name}>");
        let inner = serde_json::json!({ "id": "plain", "args": { "text": text }, "text": text });
        let value = match kind {
            Kind::Optional if !optional => continue,
            Kind::Count => serde_json::json!(1_234),
            Kind::Text | Kind::Limit | Kind::Word => serde_json::json!(text),
            Kind::Figure => serde_json::json!({ "value": 1.5, "unit": "s", "text": text }),
            Kind::Sentence | Kind::Optional => inner,
            Kind::List | Kind::Limits => serde_json::json!([text, "more"]),
            Kind::Sentences => serde_json::json!([inner, inner]),
        };
        seen.push(match kind {
            Kind::Count => "1,234".into(),
            Kind::List | Kind::Limits => format!("{text}, more"),
            Kind::Sentences => format!("{text}; {text}"),
            _ => text,
        });
        json.insert(name.to_string(), value);
    }
    let sentence = serde_json::json!({ "id": id, "args": json, "text": "?" });
    (serde_json::from_value(sentence).unwrap(), seen)
}

#[test]
fn every_message_renders_with_all_that_it_is_given() {
    for message in ALL {
        for optional in [true, false] {
            let (sentence, seen) = sample(message.id, message.args, optional);
            let text = sentence.in_language(Language::english());
            // What falls back has the text that it came with.
            assert_ne!(text, "?", "`{}` does not render", message.id);
            for part in seen {
                // Where languages choose by number the other variant may spell it.
                assert!(text.contains(&part), "`{}` hides {part}: {text}", message.id);
            }
            // What Fluent was not given it prints as `{$name}`.
            assert!(!text.contains("{$"), "{}: {text:?}", message.id);
            assert!(!text.contains(['\u{2068}', '\u{2069}', '\n']), "{}: {text:?}", message.id);
        }
    }
}

#[test]
fn a_sentence_is_read_back_as_it_was_and_is_said_in_another_language() {
    let limits: Sentences =
        [say!(PlanLimit { limit: LimitName::new("disk IOPS") }), say!(PlanLimit { limit: LimitName::new("vCPU") })]
            .into_iter()
            .collect();
    let nearest = say!(PlanInfeasibleNearest { share: Figure::decimal(98.76, 1, "%") });
    let sentence = say!(PlanInfeasible { limits, nearest });
    let english = "nothing on offer meets this demand: disk IOPS; vCPU. The nearest plan carries 98.8 % of the load";
    assert_eq!(sentence.to_string(), english);
    let json = serde_json::to_value(&sentence).unwrap();
    assert_eq!(json["args"]["nearest"]["args"]["share"]["value"], 98.76);
    assert_eq!(serde_json::from_value::<Sentence>(json).unwrap(), sentence);

    let german = Language::read("de", GERMAN, "").unwrap();
    // The message is there; the parts within it are not, and stay English.
    let said = "kein Angebot genügt: disk IOPS; vCPU. The nearest plan carries 98.8 % of the load";
    assert_eq!(sentence.in_language(&german), said);
    assert_eq!(say!(VerifyMet { requirements: 1u64 }).in_language(&german), "die Anforderung ist erfüllt");
    assert_eq!(
        say!(VerifyMet { requirements: 12_000u64 }).in_language(&german),
        "alle 12,000 Anforderungen sind erfüllt"
    );
    assert_eq!(say!(PlanNextNone).in_language(&german), "no other VM size meets the demand");
}

#[test]
fn a_catalogue_with_a_fault_is_refused_with_its_line() {
    let fault =
        Language::read("de", "plain = { $text }\nverify-met = { $requirements oops }\nchange-free = frei\n", "")
            .err()
            .unwrap();
    assert!(fault.starts_with("messages of `de`, line 2: "), "{fault}");
    let fault = Language::read("not a language", "", "").err().unwrap();
    assert!(fault.contains("write it as `de` or `pt-BR`"), "{fault}");
}

#[test]
fn a_wrong_argument_is_named_with_its_value_and_what_belongs_there() {
    let gets = |share: &str| {
        format!(r#"{{"id": "explain-gets", "text": "?", "args": {{"volume": "data", "share": {share}}}}}"#)
    };
    let figure = r#"is not a figure such as {"value": 1.5, "unit": "ms", "text": "1.5 ms"}"#;
    for (json, said) in [
        (gets("true"), format!("argument `share` of `explain-gets`: `true` {figure}")),
        (gets("12"), format!("argument `share` of `explain-gets`: `12` {figure}")),
        (
            gets(r#"{"value": 12}"#),
            format!("argument `share` of `explain-gets`: `{{\"value\":12}}` {figure}: missing field `text`"),
        ),
        (
            r#"{"id": "verify-met", "text": "?", "args": {"requirements": "twelve"}}"#.into(),
            "argument `requirements` of `verify-met`: `\"twelve\"` is not a whole number such as 3".into(),
        ),
        (
            r#"{"id": "change-unpriced", "text": "?", "args": {"offers": ["P30", 4]}}"#.into(),
            "argument `offers` of `change-unpriced`: in a list, `4` is not a text".into(),
        ),
        (
            r#"{"id": "of-a-later-version", "text": "?", "args": {"share": -1}}"#.into(),
            "argument `share` of `of-a-later-version`: `-1` is not a whole number, a text, a figure, a sentence, or a list of \
             these"
                .into(),
        ),
    ] {
        let error = serde_json::from_str::<Sentence>(&json).unwrap_err().to_string();
        assert!(error.starts_with(&said), "{error}");
    }
}

#[test]
fn a_text_that_an_older_version_wrote_is_a_sentence_in_its_own_words() {
    let old: Sentence = serde_json::from_str(r#""P30 binds""#).unwrap();
    assert_eq!((&*old.id, old.to_string()), ("plain", "P30 binds".to_string()));
}

#[test]
fn a_list_of_names_keeps_its_names() {
    let offers: List = vec!["P30", "P40"].into();
    let sentence = say!(ChangeUnpriced { offers, region: "x" });
    assert_eq!(sentence.to_string(), "price of P30, P40 unknown in x");
    assert_eq!(serde_json::to_value(&sentence).unwrap()["args"]["offers"], serde_json::json!(["P30", "P40"]));
}

/// The text of every source file below a folder.
fn sources(folder: &std::path::Path, all: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            sources(&entry, all);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            *all += &std::fs::read_to_string(entry).unwrap();
        }
    }
}

#[test]
fn every_message_is_said_somewhere() {
    let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut said = String::new();
    let members = |folder: &std::path::Path| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    for member in members(&crates).chain(members(&crates.join("vendors"))) {
        if !member.ends_with("dw-messages") && member.join("src").is_dir() {
            sources(&member.join("src"), &mut said);
        }
    }
    let said: BTreeSet<&str> = said
        .split("say!(")
        .skip(1)
        .map(|rest| rest.trim_start().split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default())
        .collect();
    for message in ALL {
        assert!(said.contains(message.name), "nothing says `{}`: remove it, or say it", message.id);
    }
}
