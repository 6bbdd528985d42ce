//! Changes of what is there as a script: it shows what it would run, and runs it when told to.
//!
//! `changes.sh` is the program, the same for all; this writes the commands behind it.

use std::fmt::Write as _;

use super::quote::{comment, shell};

/// What ends one finding.
pub struct Step {
    /// What it is for, and what it takes.
    pub about: Vec<String>,
    /// Commands, each as its words; none where people have to do it.
    pub commands: Vec<Vec<String>>,
    /// Whether something is lost by it: then its lines are comments.
    pub destroys: bool,
}

/// The script.
pub fn script(heading: &[String], steps: &[Step]) -> String {
    let mut out = String::from("#!/usr/bin/env bash\n");
    out += &comment("#", heading);
    out += include_str!("changes.sh");
    for step in steps {
        out.push('\n');
        out += &comment("#", &step.about);
        let mark = if step.destroys { "# " } else { "" };
        for words in &step.commands {
            let words: Vec<String> = words.iter().map(|word| plain(word)).collect();
            let _ = writeln!(out, "{mark}run {}", words.join(" "));
        }
    }
    out
}

/// A word as people write it: quoted where it must be.
fn plain(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) { word.into() } else { shell(word) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_destroys_is_a_comment_and_words_are_quoted() {
        let step = |destroys| Step {
            about: vec!["DW203\nrm -rf /".into()],
            commands: vec![["az", "disk", "delete", "--name", "it's $(x)"].map(String::from).to_vec()],
            destroys,
        };
        let text = script(&["a".into()], &[step(true), step(false)]);
        assert!(text.starts_with("#!/usr/bin/env bash\n# a\n#\n"), "{text}");
        let end = "\n# DW203 rm -rf /\n# run az disk delete --name 'it'\\''s $(x)'\n\n# DW203 rm -rf /\nrun az disk delete --name 'it'\\''s $(x)'\n";
        assert!(text.ends_with(end), "{text}");
    }
}
