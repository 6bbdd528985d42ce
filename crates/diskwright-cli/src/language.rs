//! The language of results: `--lang`, else that of the environment. Help, errors and whatever a program reads stay English.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use dw_messages::{Label, Language, Sentence};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Variables that name a language, the first that is set counting, as everywhere in POSIX.
const VARIABLES: [&str; 3] = ["LC_ALL", "LC_MESSAGES", "LANG"];

/// The place of the language among [`Language::all`]; beyond them = English.
static SPOKEN: AtomicUsize = AtomicUsize::new(usize::MAX);

/// Whether `--lang` says it.
static ASKED: AtomicBool = AtomicBool::new(false);

/// Takes what `--lang` says; without it, what the environment says.
pub fn set(asked: Option<&'static Language>) {
    if asked.is_some() {
        ASKED.store(true, Ordering::Relaxed);
    }
    let spoken = asked.or_else(|| of_environment(|name| std::env::var(name).ok())).unwrap_or_else(Language::english);
    let place = Language::all().iter().position(|language| std::ptr::eq(language, spoken));
    SPOKEN.store(place.unwrap_or(usize::MAX), Ordering::Relaxed);
}

fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Option<&'static Language> {
    let value = VARIABLES.iter().find_map(|name| variable(name).filter(|value| !value.is_empty()))?;
    Language::named(&value)
}

/// The language that `--lang` says; none without it.
pub fn asked() -> Option<&'static Language> {
    ASKED.load(Ordering::Relaxed).then(spoken)
}

/// The language of results.
pub fn spoken() -> &'static Language {
    Language::all().get(SPOKEN.load(Ordering::Relaxed)).unwrap_or_else(Language::english)
}

/// A document with its sentences in that language.
pub fn told<T: Serialize + DeserializeOwned + Clone>(document: &T) -> T {
    spoken().told(document.clone())
}

/// A sentence in that language.
pub fn said(sentence: &Sentence) -> String {
    sentence.in_language(spoken())
}

/// What a change takes, with how often in brackets, in that language.
pub fn taken(takes: &str) -> String {
    let word = |text: &str| spoken().word(text).to_string();
    match takes.strip_suffix(')').and_then(|text| text.rsplit_once(" (")) {
        Some((what, often)) => format!("{} ({})", word(what), word(often)),
        None => word(takes),
    }
}

/// Heads of a table in that language.
pub fn heads(labels: &[Label]) -> Vec<String> {
    labels.iter().map(|label| spoken().label(*label).to_string()).collect()
}

/// `read` as `reads`, in that language.
pub fn directions(direction: &str) -> &str {
    match direction {
        "read" => spoken().word("reads"),
        "write" => spoken().word("writes"),
        other => other,
    }
}

/// What stands behind `--lang`.
pub fn parse(text: &str) -> Result<&'static Language, String> {
    Language::named(text).ok_or_else(|| {
        let names: Vec<&str> = Language::all().iter().map(Language::name).collect();
        format!("the languages are {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_counts() {
        for (set, expected) in [
            (&[][..], None),
            (&[("LANG", "sv_SE.UTF-8")], Some("sv")),
            (&[("LANG", "sv_SE"), ("LC_MESSAGES", "ru_RU")], Some("ru")),
            (&[("LANG", "sv_SE"), ("LC_MESSAGES", "ru_RU"), ("LC_ALL", "ja_JP.eucJP")], Some("ja")),
            (&[("LANG", "sv_SE"), ("LC_ALL", "")], Some("sv")),
            (&[("LANG", "sv_SE"), ("LC_ALL", "C")], None),
            (&[("LC_ALL", "C.UTF-8")], None),
            (&[("LC_ALL", "POSIX")], None),
            (&[("LC_ALL", "xx_YY")], None),
        ] {
            let variable = |name: &str| set.iter().find(|(of, _)| *of == name).map(|(_, value)| value.to_string());
            assert_eq!(of_environment(variable).map(Language::name), expected, "{set:?}");
        }
    }
}
