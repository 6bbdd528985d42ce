//! A request's body as a file that a parser reads: never more of it in memory than a few parts.

use std::io::{self, BufRead, Read};
use std::pin::Pin;
use std::time::Duration;

use axum::body::{Body, Bytes};
use diskwright::{Error, Files};
use http_body::Body as _;
use std::sync::{Mutex, OnceLock, PoisonError};
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Parts that wait for the parser.
const PARTS: usize = 8;

/// A part, or why there are no more.
type Part = Result<Bytes, String>;

/// The next part of a body, which must come within `patience`; nothing at its end.
pub(crate) async fn next(body: &mut Body, patience: Duration) -> Option<Part> {
    loop {
        let frame = std::future::poll_fn(|cx| Pin::new(&mut *body).poll_frame(cx));
        match tokio::time::timeout(patience, frame).await {
            Err(_) => return Some(Err(format!("nothing more came for {} s", patience.as_secs()))),
            Ok(None) => return None,
            Ok(Some(Err(e))) => return Some(Err(e.to_string())),
            Ok(Some(Ok(frame))) => {
                if let Ok(data) = frame.into_data() {
                    return Some(Ok(data));
                }
            }
        }
    }
}

/// All of a body that may have so many bytes.
pub(crate) async fn whole(mut body: Body, most: usize, patience: Duration) -> Result<Vec<u8>, Error> {
    let mut all = Vec::new();
    while let Some(part) = next(&mut body, patience).await {
        let part = part.map_err(|e| Error::input(format!("the request broke off: {e}")))?;
        if all.len() + part.len() > most {
            return Err(Error::usage(format!("the request is longer than {most} bytes")));
        }
        all.extend_from_slice(&part);
    }
    Ok(all)
}

/// Passes a body on to its reader, as fast as that reads; what comes after the reader has ended is read and dropped, so that the sender
/// gets to see the answer.
pub(crate) async fn pass(mut body: Body, to: Sender<Part>, most: u64, patience: Duration) {
    let mut passed = 0;
    while let Some(part) = next(&mut body, patience).await {
        let is_broken = part.is_err();
        passed += part.as_ref().map_or(0, |part| part.len() as u64);
        if passed > most {
            let _ = to.send(Err(format!("it is longer than {} MiB, the limit (--max-upload)", most >> 20))).await;
            return;
        }
        let _ = to.send(part).await;
        if is_broken {
            return;
        }
    }
}

/// Reads a body that nobody wants, so that its sender gets to see why.
pub(crate) async fn dropped(body: Body, most: u64, patience: Duration) {
    let (to, _) = channel(1);
    pass(body, to, most, patience).await;
}

/// Several files that are joined are held in memory, as they are read more than once: in the order of their times. Of one never more than a
/// few parts are.
const JOINED_BYTES: u64 = 256 << 20;

/// A body as the files of a session.
pub(crate) struct Upload {
    parts: Mutex<Option<Receiver<Part>>>,
    /// Names and lengths, one after the other; one file may be as long as it is.
    files: Vec<(String, u64)>,
    joined: OnceLock<Result<Vec<u8>, String>>,
}

impl Upload {
    /// Where its parts go, and the files.
    pub(crate) fn new(files: Vec<(String, u64)>) -> Result<(Sender<Part>, Upload), Error> {
        let bytes = files.iter().fold(0u64, |all, (_, bytes)| all.saturating_add(*bytes));
        if files.len() > 1 && bytes > JOINED_BYTES {
            let most = JOINED_BYTES >> 20;
            let what = format!("these files are {} MiB together, and {most} MiB can be joined here", bytes >> 20);
            return Err(Error::usage(what).hint("name them on the command line of the studio, or open one"));
        }
        let (to, from) = channel(PARTS);
        Ok((to, Upload { parts: Mutex::new(Some(from)), files, joined: OnceLock::new() }))
    }

    fn stream(&self) -> io::Result<Reader> {
        let from = self.parts.lock().unwrap_or_else(PoisonError::into_inner).take();
        let from = from.ok_or_else(|| io::Error::other("what a page sends is read once"))?;
        Ok(Reader { from, part: Bytes::new() })
    }
}

impl Files for Upload {
    fn open(&self, name: &str) -> io::Result<Box<dyn BufRead + '_>> {
        if self.files.len() < 2 {
            return Ok(Box::new(self.stream()?));
        }
        let all = self.joined.get_or_init(|| {
            let mut all = Vec::new();
            let read = self.stream().and_then(|mut stream| stream.read_to_end(&mut all));
            read.map(|_| all).map_err(|e| e.to_string())
        });
        let all = all.as_ref().map_err(|what| io::Error::other(what.clone()))?;
        let mut from = 0;
        for (known, bytes) in &self.files {
            let to = all.len().min(from + usize::try_from(*bytes).unwrap_or(usize::MAX));
            if known == name {
                return Ok(Box::new(&all[from..to]));
            }
            from = to;
        }
        Err(io::ErrorKind::NotFound.into())
    }
}

struct Reader {
    from: Receiver<Part>,
    part: Bytes,
}

impl BufRead for Reader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.part.is_empty() {
            match self.from.blocking_recv() {
                None => break,
                Some(part) => self.part = part.map_err(io::Error::other)?,
            }
        }
        Ok(&self.part)
    }
    fn consume(&mut self, amount: usize) {
        let _ = self.part.split_to(amount);
    }
}

impl Read for Reader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let from = self.fill_buf()?;
        let count = from.len().min(into.len());
        into[..count].copy_from_slice(&from[..count]);
        self.consume(count);
        Ok(count)
    }
}
