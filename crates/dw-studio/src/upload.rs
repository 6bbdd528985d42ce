//! A request's body as a file that a parser reads: never more of it in memory than a few parts.

use std::io::{self, BufRead, Read};
use std::pin::Pin;
use std::time::Duration;

use axum::body::{Body, Bytes};
use diskwright::{Error, Files};
use http_body::Body as _;
use std::sync::{Mutex, PoisonError};
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

/// A body as the one file of a session.
pub(crate) struct Upload(Mutex<Option<Receiver<Part>>>);

impl Upload {
    /// Where its parts go, and the file.
    pub(crate) fn new() -> (Sender<Part>, Upload) {
        let (to, from) = channel(PARTS);
        (to, Upload(Mutex::new(Some(from))))
    }
}

impl Files for Upload {
    fn open(&self, _: &str) -> io::Result<Box<dyn BufRead + '_>> {
        let from = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let from = from.ok_or_else(|| io::Error::other("what a page sends is read once"))?;
        Ok(Box::new(Reader { from, part: Bytes::new() }))
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
