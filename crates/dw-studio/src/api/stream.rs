//! An answer that is written while it is made: parts with their length before them.
//!
//! ```text
//! u32 length | u8 kind | length bytes          little-endian
//! kind 0  it waits for others to end
//! kind 1  JSON: what runs, its tracks           kind 3  JSON: how far it is
//! kind 2  columns: u32 track, u32 rows, then each column as rows of f32
//! kind 4  JSON: the document of `simulate`      kind 5  JSON: why there is none
//! ```

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use http_body::{Frame, SizeHint};
use tokio::sync::mpsc::{Receiver, Sender, channel, error::TrySendError};

use crate::serve::Busy;

/// Parts that wait for the browser.
const PARTS: usize = 16;
/// Between two tries to pass on a part that has no room.
const AGAIN: Duration = Duration::from_millis(5);

/// Where a run writes.
pub(crate) struct Writer {
    to: Sender<Bytes>,
    patience: Duration,
}

impl Writer {
    /// A writer, and the body that it writes.
    pub(crate) fn new(patience: Duration) -> (Writer, Body) {
        let (to, from) = channel(PARTS);
        (Writer { to, patience }, Body::new(Parts(from)))
    }

    /// Passes a part on; whether there still is somebody who reads.
    pub(crate) fn write(&self, kind: u8, bytes: &[u8]) -> bool {
        let mut part = Vec::with_capacity(bytes.len() + 5);
        part.extend_from_slice(&u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes());
        part.push(kind);
        part.extend_from_slice(bytes);
        let mut part = Bytes::from(part);
        let begun = Instant::now();
        loop {
            match self.to.try_send(part) {
                Ok(()) => return true,
                Err(TrySendError::Closed(_)) => return false,
                Err(TrySendError::Full(_)) if begun.elapsed() > self.patience => return false,
                Err(TrySendError::Full(again)) => part = again,
            }
            std::thread::sleep(AGAIN);
        }
    }

    /// Whether nobody reads any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.to.is_closed()
    }
}

/// Parts that are sent as they come.
pub(super) struct Parts(pub(super) Receiver<Bytes>);

impl http_body::Body for Parts {
    type Data = Bytes;
    type Error = std::convert::Infallible;
    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        self.0.poll_recv(cx).map(|part| part.map(|part| Ok(Frame::data(part))))
    }
}

/// A body that counts as an answer until it has been sent, or dropped.
pub(crate) struct Held {
    body: Body,
    busy: Busy,
}

impl Held {
    pub(crate) fn new(body: Body, busy: Busy) -> Held {
        Held { body, busy }
    }
}

impl http_body::Body for Held {
    type Data = Bytes;
    type Error = axum::Error;
    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        if polled.is_ready() {
            self.busy.state.moves();
        }
        polled
    }
    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
