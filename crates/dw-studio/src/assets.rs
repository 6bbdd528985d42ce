//! The page's parts, inside the program.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// A part of the page.
#[derive(Debug, PartialEq, Eq)]
pub struct Asset {
    pub path: &'static str,
    pub kind: &'static str,
    /// What is in it, as it is written.
    pub bytes: &'static [u8],
}

impl Asset {
    /// Whether it comes only with the screen that it is of.
    pub fn is_later(&self) -> bool {
        LATER.contains(&self.path)
    }
    /// What a browser gets: scripts without their indentation, comments, types and most blanks, each line where it was; messages as
    /// `labels` has them.
    pub fn sent(&self) -> Cow<'static, [u8]> {
        let text = std::str::from_utf8(self.bytes).ok();
        match text {
            Some(script) if self.kind == SCRIPT => Cow::Owned(without_comments(script).into_bytes()),
            Some(messages) if self.path.ends_with(".ftl") => Cow::Owned(labels(self.path, messages).into_bytes()),
            _ => Cow::Borrowed(self.bytes),
        }
    }
}

/// The language whose labels stand with their ids.
const ENGLISH: &str = "/messages/en.ftl";

/// The labels of a language without notes and most blanks, one a line. Of any but English there are no ids: the text of each stands on the
/// line that it has in English, which a page reads first. Ids are a third of such a file.
fn labels(path: &str, messages: &str) -> String {
    let tight = |text: &str| text.replace("{ $", "{$").replace(" }", "}");
    if path == ENGLISH {
        return entries(messages).map(|(id, text)| format!("{id}={}\n", tight(text))).collect();
    }
    let english = find(ENGLISH).and_then(|asset| std::str::from_utf8(asset.bytes).ok()).unwrap_or_default();
    let own: BTreeMap<&str, &str> = entries(messages).collect();
    entries(english).map(|(id, _)| own.get(id).copied().map_or_else(String::new, tight) + "\n").collect()
}

/// Ids with their texts, each on a line of its own.
fn entries(messages: &str) -> impl Iterator<Item = (&str, &str)> {
    messages.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(" = "))
}

fn without_comments(script: &str) -> String {
    let (mut sent, mut is_inside) = (String::with_capacity(script.len()), false);
    for line in script.lines() {
        // No text of a script goes over several lines.
        let begins = line.trim_start();
        let is_comment = is_inside || begins.starts_with("//") || begins.starts_with("/*");
        let rest = begins.split_once("*/").map(|(_, rest)| rest);
        is_inside = is_comment && !begins.starts_with("//") && rest.is_none();
        if !is_comment || rest.is_some_and(|rest| !rest.trim().is_empty()) {
            sent.push_str(&without_blanks(without_types(begins)));
        }
        sent.push('\n');
    }
    sent
}

/// A line without blanks around signs, where it has no text and nothing that may be one.
fn without_blanks(line: String) -> String {
    const SIGNS: [&str; 17] =
        [",", "=>", "===", "!==", "=", "&&", "||", "<", ">", "?", ":", ";", "{", "}", "+=", ">=", "<="];
    if line.contains(['"', '\'', '`', '/']) {
        return line;
    }
    let tighter = |line: String, sign: &&str| {
        let before = line.replace(&format!(" {sign} "), sign);
        match *sign {
            "," | ";" | "{" => before.replace(&format!("{sign} "), sign),
            "}" => before.replace(" }", "}"),
            _ => before,
        }
    };
    let tight = SIGNS.iter().fold(line, tighter);
    tight.strip_suffix(" {").map_or(tight.clone(), |start| format!("{start}{{"))
}

/// A line without the types that stand in it.
fn without_types(line: &str) -> String {
    let mut parts = line.split("/** @");
    let mut kept = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let rest = part.split_once("*/").map_or(part, |(_, rest)| rest);
        kept.push_str(rest.strip_prefix(' ').unwrap_or(rest));
    }
    kept
}

const SCRIPT: &str = "text/javascript; charset=utf-8";

macro_rules! assets {
    ($($name:literal $kind:expr),* $(,)?) => {
        /// All parts but the page itself.
        pub const ASSETS: &[Asset] = &[
            $(Asset { path: concat!("/", $name), kind: $kind, bytes: include_bytes!(concat!("../page/", $name)) }),*
        ];
    };
}

assets! {
    "app.js" SCRIPT,
    "answer.js" SCRIPT,
    "api.js" SCRIPT,
    "chart.js" SCRIPT,
    "design.js" SCRIPT,
    "dom.js" SCRIPT,
    "estate.js" SCRIPT,
    "format.js" SCRIPT,
    "live.js" SCRIPT,
    "load.js" SCRIPT,
    "messages.js" SCRIPT,
    "pipe.js" SCRIPT,
    "screens.js" SCRIPT,
    "simulate.js" SCRIPT,
    "start.js" SCRIPT,
    "state.js" SCRIPT,
    "strips.js" SCRIPT,
    "ui.js" SCRIPT,
    "studio.css" "text/css; charset=utf-8",
    "messages/en.ftl" "text/plain; charset=utf-8",
    "messages/ja.ftl" "text/plain; charset=utf-8",
    "messages/ru.ftl" "text/plain; charset=utf-8",
    "messages/sv.ftl" "text/plain; charset=utf-8",
    "messages/zh-Hans.ftl" "text/plain; charset=utf-8",
    "icon.svg" "image/svg+xml",
}

/// The page; the server writes its token and version into it.
pub(crate) const PAGE: &str = include_str!("../page/index.html");

/// Scripts of screens that few open.
const LATER: [&str; 1] = ["/estate.js"];

/// Names all other scripts in the page, so that the browser asks for them at once and not for each after the one that names it.
pub(crate) fn modules() -> String {
    let scripts = ASSETS.iter().filter(|asset| asset.kind == SCRIPT && !asset.is_later());
    scripts.map(|asset| format!("<link rel=\"modulepreload\" href=\"{}\">", asset.path)).collect()
}

/// The part of that path.
pub(crate) fn find(path: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.path == path)
}
