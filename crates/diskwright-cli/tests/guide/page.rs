//! The fenced blocks of a page, and what is to be done with each.

use std::ops::Range;

use super::excerpt;

/// Why a block is not run.
pub const REASONS: [(&str, &str); 9] = [
    ("aws", "it needs an AWS account"),
    ("azure", "it needs an Azure account"),
    ("network", "it fetches something, or listens on a port of this machine"),
    ("root", "it needs root, or changes the system"),
    ("browser", "it opens a browser, or runs until you end it"),
    ("windows", "it runs on Windows"),
    ("device", "it needs disks, a kernel module or a guest of its own"),
    ("minutes", "it takes half a minute or more, in real time or to compile"),
    ("python", "the tests of the Python package have it"),
];

/// Where commands print.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stream {
    Output,
    /// Messages, warnings, notes.
    Errors,
}

/// What the commands of a block printed.
#[derive(Clone, Debug, Default)]
pub struct Printed {
    /// The line of the block.
    pub line: usize,
    pub output: String,
    pub errors: String,
}

/// What is to be done with a block.
#[derive(Debug, PartialEq)]
pub enum Mark {
    Run { code: i32, needs: Vec<String> },
    Output(Stream),
    File(String),
    Same(String),
    Part,
    Skip(&'static str),
}

impl Mark {
    /// Under which it is counted.
    pub fn kind(&self) -> String {
        match self {
            Mark::Run { .. } => "run".into(),
            Mark::Output(_) => "output".into(),
            Mark::File(_) | Mark::Same(_) => "file".into(),
            Mark::Part => "part".into(),
            Mark::Skip(reason) => format!("skip={reason}"),
        }
    }

    fn read(info: &str) -> Result<Mark, String> {
        let mut words = info.split_whitespace();
        let language = words.next().unwrap_or_default();
        let Some(first) = words.next() else {
            return Err("this block has no mark: see tests/guide/mod.rs for those there are".into());
        };
        let mark = match first.split_once('=').unwrap_or((first, "")) {
            ("run", "") if language == "sh" => Mark::Run { code: 0, needs: Vec::new() },
            ("run", "") => return Err("only ```sh is run".into()),
            ("output", "") => Mark::Output(Stream::Output),
            ("errors", "") => Mark::Output(Stream::Errors),
            ("file", name) if !name.is_empty() && !name.starts_with('.') && !name.starts_with('/') => {
                Mark::File(name.into())
            }
            ("file", name) => return Err(format!("`{name}` is not a name of a file beside the commands")),
            ("same", path) => Mark::Same(path.into()),
            ("part", "") if language == "toml" => Mark::Part,
            ("part", "") => return Err("only ```toml is a part".into()),
            ("skip", reason) => match REASONS.iter().find(|(known, _)| *known == reason) {
                Some((known, _)) => Mark::Skip(known),
                None => return Err(format!("`{reason}` is not a reason; those there are: {REASONS:?}")),
            },
            _ => return Err(format!("`{first}` is not a mark")),
        };
        words.try_fold(mark, |mark, word| mark.with(word))
    }

    /// With what follows a mark.
    fn with(self, word: &str) -> Result<Mark, String> {
        match (self, word.split_once('=').unwrap_or((word, ""))) {
            (Mark::Run { needs, .. }, ("exit", code)) => {
                let code = code.parse().map_err(|_| format!("`{word}` is not a code, such as exit=4"))?;
                Ok(Mark::Run { code, needs })
            }
            (Mark::Run { code, .. }, ("needs", names)) => {
                Ok(Mark::Run { code, needs: names.split(',').map(String::from).collect() })
            }
            (mark, _) => Err(format!("`{word}` after `{}`", mark.kind())),
        }
    }
}

/// What stands between two fences.
#[derive(Debug)]
pub struct Block {
    /// The line of its first fence, from 1.
    pub line: usize,
    pub mark: Mark,
    pub text: String,
    /// Where its text stands in the page.
    place: Range<usize>,
}

#[derive(Debug)]
pub struct Page {
    pub path: String,
    pub blocks: Vec<Block>,
    /// What of the repository lies beside the commands: its name there, and its path.
    pub with: Vec<(String, String)>,
}

impl Page {
    /// The blocks of a page, or all that is wrong with their marks, a line each.
    pub fn read(path: &str, text: &str) -> Result<Page, String> {
        let mut page = Page { path: path.into(), blocks: Vec::new(), with: Vec::new() };
        let mut faults = String::new();
        let (mut open, mut at) = (None::<(usize, &str, usize)>, 0);
        for (n, line) in text.split_inclusive('\n').enumerate() {
            let fence = line.trim().strip_prefix("```");
            match (open, fence) {
                (None, Some(info)) => open = Some((n + 1, info, at + line.len())),
                (Some((first, info, from)), Some("")) => {
                    match page.block(first, info, &text[from..at], from..at) {
                        Ok(block) => page.blocks.push(block),
                        Err(fault) => faults.push_str(&format!("{path}:{first}: {fault}\n")),
                    }
                    open = None;
                }
                (None, None) => page.with.extend(laid_beside(line)),
                (Some(_), _) => {}
            }
            at += line.len();
        }
        if let Some((first, ..)) = open {
            faults.push_str(&format!("{path}:{first}: this block has no end\n"));
        }
        if faults.is_empty() { Ok(page) } else { Err(faults) }
    }

    fn block(&self, line: usize, info: &str, text: &str, place: Range<usize>) -> Result<Block, String> {
        let mark = Mark::read(info)?;
        let follows_commands =
            self.blocks.iter().map(|b| b.mark.kind()).rfind(|kind| kind != "output").is_some_and(|kind| kind == "run");
        match &mark {
            Mark::Output(_) if !follows_commands => return Err("output without commands before it".into()),
            Mark::Part => {
                text.parse::<toml::Table>().map_err(|fault| format!("not TOML: {fault}"))?;
            }
            _ => {}
        }
        Ok(Block { line, mark, text: text.into(), place })
    }

    /// The page with its blocks of output as they should be.
    pub fn renewed(&self, text: &str, printed: &[Printed]) -> Result<String, String> {
        let (mut renewed, mut end) = (String::new(), 0);
        for block in &self.blocks {
            let Mark::Output(stream) = block.mark else { continue };
            let before = printed.iter().rfind(|printed| printed.line < block.line).ok_or("output of nothing")?;
            let printed = match stream {
                Stream::Output => &before.output,
                Stream::Errors => &before.errors,
            };
            let excerpt = excerpt::renewed(&block.text, printed)
                .map_err(|fault| format!("{}:{}: {fault}\nprinted:\n{printed}", self.path, block.line))?;
            renewed.push_str(&text[end..block.place.start]);
            renewed.push_str(&excerpt);
            end = block.place.end;
        }
        renewed.push_str(&text[end..]);
        Ok(renewed)
    }
}

/// The name and the path of `<!-- with: NAME = PATH -->`.
fn laid_beside(line: &str) -> Option<(String, String)> {
    let (name, path) = line.trim().strip_prefix("<!-- with:")?.strip_suffix("-->")?.split_once('=')?;
    Some((name.trim().into(), path.trim().into()))
}
