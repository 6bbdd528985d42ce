//! A source file as its tokens: which paths it names, which macros it calls, which words it has. Comments are no tokens; tests are
//! left out.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Something that a file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// A path, a tree of `use` taken apart; from the root of the crate where it begins there. It ends in `*` where all is meant.
    Path(Vec<String>),
    /// A macro that is called.
    Macro(String),
}

/// What a file says outside its tests, with the line.
pub fn said(text: &str, module: &[String]) -> Result<Vec<(Said, usize)>, String> {
    let tokens: TokenStream = text.parse().map_err(|e| format!("{e}"))?;
    let mut out = Vec::new();
    walk(tokens, module, &mut out);
    Ok(out)
}

fn walk(tokens: TokenStream, module: &[String], out: &mut Vec<(Said, usize)>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        if let Some(behind) = attribute(&tokens, at) {
            at = if is_of_tests(&tokens[at + 1..behind]) { item_end(&tokens, behind) } else { behind };
            continue;
        }
        match &tokens[at] {
            TokenTree::Ident(name) => {
                let name = name.to_string();
                let line = tokens[at].span().start().line;
                if let (true, Some(TokenTree::Ident(inner)), Some(TokenTree::Group(group))) =
                    (name == "mod", tokens.get(at + 1), tokens.get(at + 2))
                {
                    walk(group.stream(), &[module, &[inner.to_string()]].concat(), out);
                    at += 3;
                    continue;
                }
                if is_punct(tokens.get(at + 1), '!') && matches!(tokens.get(at + 2), Some(TokenTree::Group(_))) {
                    out.push((Said::Macro(name), line));
                    at += 2;
                    continue;
                }
                if separated(&tokens, at + 1) && !(at >= 2 && separated(&tokens, at - 2)) {
                    let mut paths = Vec::new();
                    at = path(&tokens, at, &[], &mut paths);
                    out.extend(paths.into_iter().map(|(path, line)| (Said::Path(from_root(path, module)), line)));
                    continue;
                }
            }
            TokenTree::Group(group) => walk(group.stream(), module, out),
            TokenTree::Literal(_) | TokenTree::Punct(_) => {}
        }
        at += 1;
    }
}

/// Every name of a file outside its tests, and every line of what stands between quotes, each with its line.
pub fn words(text: &str) -> Vec<(String, usize)> {
    let mut out = Vec::new();
    all_words(text.parse::<TokenStream>().unwrap_or_default(), &mut out);
    out
}

fn all_words(tokens: TokenStream, out: &mut Vec<(String, usize)>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        if let Some(behind) = attribute(&tokens, at) {
            let of = &tokens[at + 1..behind];
            if is_of_tests(of) {
                at = item_end(&tokens, behind);
                continue;
            }
            if is_comment(of) {
                at = behind;
                continue;
            }
        }
        let line = tokens[at].span().start().line;
        match &tokens[at] {
            TokenTree::Ident(name) => out.push((name.to_string(), line)),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                out.extend(text.split('\n').map(String::from).zip(line..));
            }
            TokenTree::Group(group) => all_words(group.stream(), out),
            TokenTree::Punct(_) => {}
        }
        at += 1;
    }
}

/// What a module gives to whoever names all of it: its public items by name, and the paths of what it gives on.
pub fn public(text: &str, module: &[String]) -> (Vec<String>, Vec<Vec<String>>) {
    const ITEMS: [&str; 8] = ["struct", "enum", "union", "trait", "type", "static", "mod", "fn"];
    let tokens: Vec<TokenTree> = text.parse::<TokenStream>().into_iter().flatten().collect();
    let word = |at: usize| match tokens.get(at) {
        Some(TokenTree::Ident(name)) => name.to_string(),
        _ => String::new(),
    };
    let (mut names, mut given) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < tokens.len() {
        if let Some(behind) = attribute(&tokens, at) {
            at = if is_of_tests(&tokens[at + 1..behind]) { item_end(&tokens, behind) } else { behind };
            continue;
        }
        // What only the crate sees is given on within it all the same.
        if word(at) != "pub" {
            at += 1;
            continue;
        }
        at += if matches!(tokens.get(at + 1), Some(TokenTree::Group(_))) { 2 } else { 1 };
        while ["const", "async", "unsafe", "extern"].contains(&word(at).as_str()) && !word(at + 1).is_empty() {
            if word(at) == "const" && word(at + 1) != "fn" {
                names.push(word(at + 1));
            }
            at += 1;
        }
        if word(at) == "use" {
            let mut paths = Vec::new();
            at = path(&tokens, at + 1, &[], &mut paths);
            given.extend(paths.into_iter().map(|(path, _)| from_root(path, module)));
        } else if ITEMS.contains(&word(at).as_str()) {
            names.push(word(at + 1));
        }
    }
    (names, given)
}

fn is_punct(token: Option<&TokenTree>, wanted: char) -> bool {
    matches!(token, Some(TokenTree::Punct(p)) if p.as_char() == wanted)
}

/// Whether `::` stands there.
fn separated(tokens: &[TokenTree], at: usize) -> bool {
    is_punct(tokens.get(at), ':') && is_punct(tokens.get(at + 1), ':')
}

/// Takes a path, or a tree of them, from its first name; where it ends.
fn path(tokens: &[TokenTree], mut at: usize, before: &[String], out: &mut Vec<(Vec<String>, usize)>) -> usize {
    let mut names = before.to_vec();
    let mut line = 0;
    loop {
        match tokens.get(at) {
            Some(TokenTree::Ident(name)) => {
                line = name.span().start().line;
                names.push(name.to_string());
            }
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                let mut next = 0;
                while next < inner.len() {
                    next = match &inner[next] {
                        TokenTree::Ident(_) => path(&inner, next, &names, out),
                        token if is_punct(Some(token), '*') => path(&inner, next, &names, out),
                        _ => next + 1,
                    };
                    // `as other` names nothing further.
                    if matches!(inner.get(next), Some(TokenTree::Ident(word)) if word == "as") {
                        next += 2;
                    }
                }
                return at + 1;
            }
            // What is multiplied does not follow `::`.
            Some(TokenTree::Punct(star)) if star.as_char() == '*' => {
                line = star.span().start().line;
                names.push("*".into());
                at += 1;
                break;
            }
            _ => break,
        }
        at += 1;
        if !separated(tokens, at) {
            break;
        }
        at += 2;
    }
    out.push((names, line));
    at
}

/// A path as it is from the root of the crate: `super` taken away.
fn from_root(path: Vec<String>, module: &[String]) -> Vec<String> {
    let supers = path.iter().take_while(|name| *name == "super").count();
    let selves = usize::from(path.first().is_some_and(|name| name == "self"));
    if supers + selves == 0 {
        return path;
    }
    let base = &module[..module.len().saturating_sub(supers)];
    let root = std::iter::once("crate".to_string());
    root.chain(base.iter().cloned()).chain(path.into_iter().skip(supers + selves)).collect()
}

/// Behind the attribute that begins there.
fn attribute(tokens: &[TokenTree], at: usize) -> Option<usize> {
    let at = is_punct(tokens.get(at), '#').then_some(at + 1)?;
    let at = if is_punct(tokens.get(at), '!') { at + 1 } else { at };
    matches!(tokens.get(at), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Bracket).then_some(at + 1)
}

fn is_of_tests(attribute: &[TokenTree]) -> bool {
    attribute.iter().any(|token| token.to_string().replace(' ', "") == "[cfg(test)]")
}

/// A comment of documentation is an attribute of its own.
fn is_comment(attribute: &[TokenTree]) -> bool {
    attribute.iter().any(|token| match token {
        TokenTree::Group(group) => {
            matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(name)) if name == "doc")
        }
        _ => false,
    })
}

/// Behind the item that begins there: its `;` or its braces, further attributes included.
fn item_end(tokens: &[TokenTree], from: usize) -> usize {
    let ends = |token: &TokenTree| match token {
        TokenTree::Punct(p) => p.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        _ => false,
    };
    tokens[from..].iter().position(ends).map_or(tokens.len(), |at| from + at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str, module: &[&str]) -> Vec<String> {
        let module: Vec<String> = module.iter().map(|name| name.to_string()).collect();
        let said = said(text, &module).unwrap();
        said.into_iter()
            .filter_map(|(said, line)| match said {
                Said::Path(path) => Some(format!("{line} {}", path.join("::"))),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn trees_are_taken_apart_and_super_is_resolved() {
        let text = "use crate::a::{B, c::{D as E, self}};\nuse super::f;\nfn g() { std::fs::read(super::super::h::I) }";
        assert_eq!(
            paths(text, &["x", "y"]),
            [
                "1 crate::a::B",
                "1 crate::a::c::D",
                "1 crate::a::c::self",
                "2 crate::x::f",
                "3 std::fs::read",
                "3 crate::h::I"
            ]
        );
    }

    #[test]
    fn all_of_a_module_is_a_star() {
        let text = "use crate::a::*; use super::{b::*, c, *}; const D: u64 = crate::e::F * 2;";
        assert_eq!(
            paths(text, &["x", "y"]),
            ["1 crate::a::*", "1 crate::x::b::*", "1 crate::x::c", "1 crate::x::*", "1 crate::e::F"]
        );
    }

    #[test]
    fn a_module_gives_its_public_items_and_what_it_gives_on() {
        let text = "pub struct A { pub b: u8 } struct C; pub(crate) enum D { E } pub const F: u8 = 1; pub const fn g() {}\n\
                    pub async unsafe fn h() {} pub trait I {} pub type J = u8; mod k; pub mod l; impl A { pub fn m() {} }\n\
                    #[cfg(test)] pub fn n() {} pub use o::{P, q::*}; use super::r;";
        let (names, given) = public(text, &["x".into()]);
        assert_eq!(names, ["A", "D", "F", "g", "h", "I", "J", "l"]);
        assert_eq!(given.iter().map(|path| path.join("::")).collect::<Vec<_>>(), ["o::P", "o::q::*"]);
    }

    #[test]
    fn modules_within_a_file_are_one_further_down() {
        assert_eq!(
            paths("mod inner { use super::a::B; use super::super::c::D; }", &["x"]),
            ["1 crate::x::a::B", "1 crate::c::D"]
        );
    }

    #[test]
    fn comments_and_tests_say_nothing() {
        let text = "//! std::fs\n/// `std::env`\nfn f() {} // std::env\n#[cfg(test)]\nmod tests { use std::fs; }\n#[cfg(test)]\nuse std::env;";
        assert_eq!(paths(text, &[]), Vec::<String>::new());
    }

    #[test]
    fn macros_and_words_are_heard() {
        let text = "/// A disk.\nfn f() { println!(\"P30 {}\\n\nE10\", crate::a::b()) }";
        let said = said(text, &[]).unwrap();
        assert!(said.contains(&(Said::Macro("println".into()), 2)), "{said:?}");
        assert!(said.contains(&(Said::Path(["crate", "a", "b"].map(String::from).to_vec()), 3)), "{said:?}");
        let words = words(text);
        let words: Vec<(&str, usize)> = words.iter().map(|(word, line)| (word.as_str(), *line)).collect();
        let expected =
            [("fn", 2), ("f", 2), ("println", 2), ("\"P30 {}\\n", 2), ("E10\"", 3), ("crate", 3), ("a", 3), ("b", 3)];
        assert_eq!(words, expected);
    }
}
