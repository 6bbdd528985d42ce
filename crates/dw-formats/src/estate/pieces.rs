//! JSON cut into values without being parsed: a list of a gigabyte is its elements one after the other, each parsed from memory.
//!
//! A reader that takes a byte at a time is several times slower than one that has its value whole; and what is of no use is never parsed.
//!
//! Templates have comments as in C: they count as spaces, and a piece that has some is given with spaces in their place.
//!
//! Ignores: whether brackets match each other; whoever parses a piece finds that out.

use std::io::BufRead;

use memchr::{memchr_iter, memchr2};

/// Values of a file.
pub struct Pieces<'a> {
    from: &'a mut dyn BufRead,
    /// The last one.
    piece: Vec<u8>,
    /// The line that comes next, and the one that the piece begins in, from 1.
    line: usize,
    begins: usize,
}

/// Why there is no further piece, for people.
pub type Cut = String;

impl<'a> Pieces<'a> {
    pub fn new(from: &'a mut dyn BufRead) -> Pieces<'a> {
        Pieces { from, piece: Vec::new(), line: 1, begins: 1 }
    }

    /// The byte that comes next and is no space, if any comes.
    pub fn peek(&mut self) -> Result<Option<u8>, Cut> {
        loop {
            let chunk = self.from.fill_buf().map_err(|e| e.to_string())?;
            if chunk.is_empty() {
                return Ok(None);
            }
            let spaces = chunk.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let found = chunk.get(spaces).copied();
            self.line += memchr_iter(b'\n', &chunk[..spaces]).count();
            self.from.consume(spaces);
            match found {
                Some(b'/') => self.comment()?,
                Some(_) => return Ok(found),
                None => {}
            }
        }
    }

    /// Passes over what begins with a slash: no value does.
    fn comment(&mut self) -> Result<(), Cut> {
        self.from.consume(1);
        let mut state = Some(Comment::Opens);
        while let Some(own) = state {
            let Some(&byte) = self.from.fill_buf().map_err(|e| e.to_string())?.first() else { return Ok(()) };
            if matches!((own, byte), (Comment::Opens, byte) if !b"/*".contains(&byte)) {
                return Err(format!("line {}: expected a value, found `/`", self.line));
            }
            state = own.after(byte);
            self.line += usize::from(byte == b'\n');
            self.from.consume(1);
        }
        Ok(())
    }

    /// Takes this byte.
    fn expect(&mut self, wanted: u8) -> Result<(), Cut> {
        match self.peek()? {
            Some(found) if found == wanted => {
                self.from.consume(1);
                Ok(())
            }
            Some(found) => Err(format!("line {}: expected `{}`, found `{}`", self.line, wanted as char, shown(found))),
            None => Err(self.at_end()),
        }
    }

    fn at_end(&self) -> Cut {
        format!("line {}: the file ends here", self.line)
    }

    /// The next value, whole.
    pub fn value(&mut self) -> Result<&[u8], Cut> {
        self.scan(true)?;
        Ok(&self.piece)
    }
    /// Parses it; of one that cannot be parsed the line.
    pub fn parsed<T: serde::de::DeserializeOwned>(&mut self) -> Result<T, Cut> {
        self.scan(true)?;
        serde_json::from_slice(&self.piece).map_err(|e| self.fault(&e))
    }
    /// The same in other words: what is wrong, and in which line of the file.
    pub fn fault(&self, e: &serde_json::Error) -> Cut {
        let said = e.to_string();
        let what = said.rsplit_once(" at line ").map_or(said.as_str(), |(what, _)| what);
        format!("line {}: {what}", self.begins + e.line().saturating_sub(1))
    }
    /// Passes over it.
    pub fn skip(&mut self) -> Result<(), Cut> {
        self.scan(false)
    }

    fn scan(&mut self, keep: bool) -> Result<(), Cut> {
        self.piece.clear();
        self.peek()?;
        self.begins = self.line;
        let mut value = Value::default();
        loop {
            let chunk = self.from.fill_buf().map_err(|e| e.to_string())?;
            if chunk.is_empty() {
                return if value.is_scalar() { Ok(()) } else { Err(self.at_end()) };
            }
            let (used, is_whole) = value.advance(chunk);
            if keep {
                self.piece.extend_from_slice(&chunk[..used]);
            }
            self.line += memchr_iter(b'\n', &chunk[..used]).count();
            self.from.consume(used);
            if is_whole {
                if value.has_comments {
                    blank_comments(&mut self.piece);
                }
                return Ok(());
            }
        }
    }

    /// Each element of a list that comes next, until `each` has taken it.
    pub fn elements(&mut self, mut each: impl FnMut(&mut Self) -> Result<(), Cut>) -> Result<(), Cut> {
        self.within([b'[', b']'], |pieces| each(pieces))
    }
    /// Each entry of an object that comes next, by its key.
    pub fn entries(&mut self, mut each: impl FnMut(&mut Self, String) -> Result<(), Cut>) -> Result<(), Cut> {
        self.within([b'{', b'}'], |pieces| {
            let key = pieces.parsed::<String>()?;
            pieces.expect(b':')?;
            each(pieces, key)
        })
    }
    fn within(
        &mut self,
        [open, close]: [u8; 2],
        mut each: impl FnMut(&mut Self) -> Result<(), Cut>,
    ) -> Result<(), Cut> {
        self.expect(open)?;
        if self.peek()? == Some(close) {
            return self.expect(close);
        }
        loop {
            each(self)?;
            match self.peek()? {
                Some(b',') => self.expect(b',')?,
                _ => return self.expect(close),
            }
        }
    }
}

fn shown(byte: u8) -> char {
    if byte.is_ascii_graphic() { byte as char } else { '\u{fffd}' }
}

/// Bytes at which something begins or ends.
const COUNTS: [bool; 256] = {
    let mut counts = [false; 256];
    let marks = *b"\"{}[]/";
    let mut at = 0;
    while at < marks.len() {
        counts[marks[at] as usize] = true;
        at += 1;
    }
    counts
};

/// Where in a comment a byte is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comment {
    /// Behind the slash that may begin one.
    Opens,
    /// To the end of the line.
    Line,
    Block,
    /// Behind a star of a block.
    Ends,
}

impl Comment {
    /// Behind one byte more; nothing behind its end.
    fn after(self, byte: u8) -> Option<Comment> {
        match (self, byte) {
            (Comment::Opens, b'/') => Some(Comment::Line),
            (Comment::Opens, b'*') => Some(Comment::Block),
            (Comment::Opens, _) | (Comment::Line, b'\n') | (Comment::Ends, b'/') => None,
            (Comment::Line, _) => Some(Comment::Line),
            (Comment::Block | Comment::Ends, b'*') => Some(Comment::Ends),
            (Comment::Block | Comment::Ends, _) => Some(Comment::Block),
        }
    }
}

/// Spaces in place of comments, so that lines stay where they are.
fn blank_comments(piece: &mut [u8]) {
    let (mut in_text, mut after_backslash, mut comment) = (false, false, None::<Comment>);
    for at in 0..piece.len() {
        let byte = piece[at];
        if let Some(state) = comment {
            // A slash that begins no comment is a mistake, and is left for who parses it.
            let begins = state == Comment::Opens && b"/*".contains(&byte);
            comment = state.after(byte);
            if begins {
                piece[at - 1] = b' ';
            }
            if begins || (state != Comment::Opens && byte != b'\n') {
                piece[at] = b' ';
            }
        } else if in_text {
            in_text = after_backslash || byte != b'"';
            after_backslash = !after_backslash && byte == b'\\';
        } else {
            in_text = byte == b'"';
            comment = (byte == b'/').then_some(Comment::Opens);
        }
    }
}

/// Where in a value its bytes are.
#[derive(Default)]
struct Value {
    has_begun: bool,
    depth: usize,
    in_text: bool,
    after_backslash: bool,
    comment: Option<Comment>,
    has_comments: bool,
}

impl Value {
    /// A number or a word, which ends with what comes after it.
    fn is_scalar(&self) -> bool {
        self.has_begun && self.depth == 0 && !self.in_text
    }

    /// How many of these bytes are of the value, and whether it is whole.
    fn advance(&mut self, chunk: &[u8]) -> (usize, bool) {
        let mut at = 0;
        while at < chunk.len() {
            if self.after_backslash {
                self.after_backslash = false;
                at += 1;
            } else if let Some(comment) = self.comment {
                self.comment = comment.after(chunk[at]);
                at += 1;
            } else if self.in_text {
                let Some(found) = memchr2(b'"', b'\\', &chunk[at..]) else { return (chunk.len(), false) };
                at += found + 1;
                self.after_backslash = chunk[at - 1] == b'\\';
                self.in_text = self.after_backslash;
                if !self.in_text && self.depth == 0 {
                    return (at, true);
                }
            } else {
                // Within brackets only brackets and quotes count; a list that is printed for people is half spaces.
                if self.depth > 0 {
                    at += chunk[at..].iter().take_while(|byte| !COUNTS[usize::from(**byte)]).count();
                    if at == chunk.len() {
                        break;
                    }
                }
                match chunk[at] {
                    b'"' if !self.is_scalar() => self.in_text = true,
                    b'{' | b'[' if !self.is_scalar() => self.depth += 1,
                    b'/' if self.depth > 0 => (self.comment, self.has_comments) = (Some(Comment::Opens), true),
                    b'}' | b']' if self.depth > 0 => {
                        self.depth -= 1;
                        if self.depth == 0 {
                            return (at + 1, true);
                        }
                    }
                    b'"' | b'{' | b'[' | b'}' | b']' | b',' | b':' | b' ' | b'\n' | b'\r' | b'\t'
                        if self.depth == 0 =>
                    {
                        // A byte that begins no value is one, for somebody to find it wrong.
                        return if self.has_begun { (at, true) } else { (at + 1, true) };
                    }
                    _ => {}
                }
                self.has_begun = true;
                at += 1;
            }
        }
        (at, false)
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    /// Elements of a list, read so many bytes at a time, and how it ends.
    fn elements(text: &str, at_once: usize) -> (Vec<String>, Result<(), Cut>) {
        let mut from = BufReader::with_capacity(at_once, text.as_bytes());
        let mut found = Vec::new();
        let ended = Pieces::new(&mut from).elements(|pieces| {
            found.push(String::from_utf8_lossy(pieces.value()?).into_owned());
            Ok(())
        });
        (found, ended)
    }

    #[test]
    fn a_list_is_cut_into_its_elements_however_it_is_read() {
        let cases: &[(&str, &[&str])] = &[
            ("[]", &[]),
            (" [ ] ", &[]),
            ("[1]", &["1"]),
            ("[1,2 ,\n3]", &["1", "2", "3"]),
            (r#"[{"a": "]}\"{"}, ["[", []], "x\\", true]"#, &[r#"{"a": "]}\"{"}"#, r#"["[", []]"#, r#""x\\""#, "true"]),
            (r#"["é\u005d", -1.5e3]"#, &[r#""é\u005d""#, "-1.5e3"]),
        ];
        for (text, expected) in cases {
            for at_once in [1, 2, 3, 7, 4096] {
                let (found, ended) = elements(text, at_once);
                assert_eq!(
                    (found.iter().map(String::as_str).collect::<Vec<_>>(), ended),
                    (expected.to_vec(), Ok(())),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn comments_are_spaces_wherever_they_stand() {
        let cases: &[(&str, &[&str])] = &[
            ("// a list\n[1, // one\n /* [ */ 2]", &["1", "2"]),
            ("[{\"a\": 1 // \"b\": {\n}]", &["{\"a\": 1          \n}"]),
            (
                "[{/**/\"a\": \"http://x/*y*/\\\"//\" /* * / \n ] */}]",
                &["{    \"a\": \"http://x/*y*/\\\"//\"        \n     }"],
            ),
        ];
        for (text, expected) in cases {
            for at_once in [1, 2, 3, 7, 4096] {
                let (found, ended) = elements(text, at_once);
                assert_eq!(
                    (found.iter().map(String::as_str).collect::<Vec<_>>(), ended),
                    (expected.to_vec(), Ok(())),
                    "{text}"
                );
            }
        }
        assert_eq!(elements("[1, /2]", 4096).1, Err("line 1: expected a value, found `/`".to_string()));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, count, expected) in [
            ("[1,\n{\"a\": ", 1, "line 2: the file ends here"),
            ("[1,\n2\n3]", 2, "line 3: expected `]`, found `3`"),
            ("[1", 1, "line 1: the file ends here"),
            ("[{\"a\": \"x\\\"", 0, "line 1: the file ends here"),
            ("{}", 0, "line 1: expected `[`, found `{`"),
        ] {
            for at_once in [1, 4096] {
                let (found, ended) = elements(text, at_once);
                assert_eq!((found.len(), ended), (count, Err(expected.to_string())), "{text}");
            }
        }
    }
}
