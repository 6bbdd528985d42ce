//! What a block of output should hold.
//!
//! A block without `...` holds all that was printed. Otherwise lines before the first `...` are the first that are printed, lines after the
//! last one the last; each run of lines between two is found again by how its first line begins, up to a digit, a colon or two blanks. All
//! keep their number. A line that ends with ` ...` keeps its number of words.

/// What stands for lines that are left out.
const LEFT_OUT: &str = "...";

/// `shown` as it would be written from `printed` today.
pub fn renewed(shown: &str, printed: &str) -> Result<String, String> {
    let printed: Vec<&str> = printed.trim_end().lines().map(str::trim_end).collect();
    let shown: Vec<&str> = shown.lines().collect();
    let parts: Vec<&[&str]> = shown.split(|line| line.trim() == LEFT_OUT).collect();
    let (mut lines, mut at) = (Vec::new(), 0);
    for (n, part) in parts.iter().enumerate() {
        if n > 0 {
            lines.push(LEFT_OUT.to_string());
        }
        let Some(first) = part.first() else { continue };
        let is_last = n + 1 == parts.len();
        let from = match n {
            0 => 0,
            _ if is_last => printed.len().saturating_sub(part.len()),
            _ => {
                let found = printed[at..].iter().position(|line| line.starts_with(beginning(first)));
                at + found.ok_or_else(|| format!("no line begins with `{}`", beginning(first)))?
            }
        };
        let to = if n == 0 && is_last { printed.len() } else { (from + part.len()).min(printed.len()) };
        if from < at {
            return Err("its last lines are shown twice: leave out the `...` before them".into());
        }
        lines.extend(printed[from..to].iter().enumerate().map(|(n, line)| shortened(part.get(n), line)));
        at = to;
    }
    Ok(lines.iter().map(|line| format!("{line}\n")).collect())
}

/// How a line begins: what names it, without its figures.
fn beginning(line: &str) -> &str {
    let ends = [line.find(|c: char| c.is_ascii_digit()), line.find("  "), line.find(": ")];
    let end = ends.into_iter().flatten().min().unwrap_or(line.len());
    let name = line[..end].trim_end_matches(LEFT_OUT).trim_end();
    // One that begins with a figure or is indented is known by its first word alone.
    if name.is_empty() { line.split_inclusive(|c: char| !c.is_whitespace()).next().unwrap_or_default() } else { name }
}

/// A line that is printed, with as many words as the shown one has, where that leaves out its end.
fn shortened(shown: Option<&&str>, printed: &str) -> String {
    let Some(kept) = shown.and_then(|line| line.strip_suffix(" ...")) else { return printed.to_string() };
    let words = kept.split(' ').count();
    let kept: Vec<&str> = printed.split(' ').take(words).collect();
    if printed.split(' ').count() > words { format!("{} ...", kept.join(" ")) } else { printed.to_string() }
}

/// The first line, from 1, that differs, with what stands there in both up to the next equal line.
pub fn first_difference(shown: &str, now: &str) -> Option<(usize, String, String)> {
    let (shown, now): (Vec<&str>, Vec<&str>) = (shown.lines().collect(), now.lines().collect());
    let at = (0..shown.len().max(now.len())).find(|at| shown.get(*at) != now.get(*at))?;
    let to_fence = |lines: &[&str]| {
        let rest = lines.iter().skip(at).take_while(|line| !line.trim_start().starts_with("```"));
        rest.map(|line| format!("  {line}\n")).collect()
    };
    Some((at + 1, to_fence(&shown), to_fence(&now)))
}

#[test]
fn output_is_found_again_by_how_it_begins() {
    let printed = "answer: 12 USD, by 3 disks\nlimit   used\nvm IOPS   9\ndata IOPS   8\n\nnote: all is well\n";
    let cases = [
        // Whole, whatever stood there.
        ("answer: 13 USD, by 4 disks\n", Ok(printed.to_string())),
        ("answer: 13 USD, by 3 disks\n...\n", Ok("answer: 12 USD, by 3 disks\n...\n".into())),
        ("...\nlimit   used\nvm IOPS   7\n...\n", Ok("...\nlimit   used\nvm IOPS   9\n...\n".into())),
        ("answer: 13 ...\n...\nnote: x\n", Ok("answer: 12 ...\n...\nnote: all is well\n".into())),
        ("...\ndata IOPS  1\n...\nvm IOPS  1\n...\n", Err("no line begins with `vm IOPS`".to_string())),
        ("...\ngone\n...\n", Err("no line begins with `gone`".into())),
        ("x\ny\n...\nz\n", Ok("answer: 12 USD, by 3 disks\nlimit   used\n...\nnote: all is well\n".into())),
        (
            "...\ndata IOPS\n\n...\na\nb\n",
            Err("its last lines are shown twice: leave out the `...` before them".into()),
        ),
    ];
    for (shown, expected) in cases {
        assert_eq!(renewed(shown, printed), expected, "{shown}");
    }
    assert_eq!(first_difference("a\nb\n```\n", "a\nc\n```\n"), Some((2, "  b\n".into(), "  c\n".into())));
    assert_eq!(first_difference("a\n", "a\n"), None);
}
