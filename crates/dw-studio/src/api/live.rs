//! A running emulation as server-sent events: first `{"rows": ...}`, what was, then a frame ten times a second.
//!
//! It is a call like any other, with its token, so the page reads it by `fetch`: an `EventSource` could send none.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use axum::response::Response;
use diskwright::Error;
use dw_messages::Language;
use serde_json::Value;
use tokio::sync::mpsc::channel;

use super::stream::Parts;
use super::{App, failed};
use crate::serve;

pub(super) fn answer(app: &Arc<App>, lang: &'static Language) -> Response {
    if app.live.emulation.is_none() {
        return failed(&Error::usage("no emulation is set").hint("set one with `diskwright studio --emulator SOCKET`"));
    }
    // One frame waits; a slow reader gets the latest one next, and a reader that stopped is disconnected.
    let (to, from) = channel(1);
    let (live, patience) = (app.live.clone(), app.limits.patience);
    tokio::spawn(async move {
        let mut frames = live.frames();
        let mut next: Arc<str> = live.past().into();
        loop {
            let event = Bytes::from(format!("data: {}\n\n", said(&next, lang)));
            if !matches!(tokio::time::timeout(patience, to.send(event)).await, Ok(Ok(()))) {
                return;
            }
            // Comes once a second at least as long as somebody listens.
            tokio::select! {
                changed = frames.changed() => {
                    if changed.is_err() {
                        return;
                    }
                }
                () = to.closed() => return,
            }
            next = frames.borrow_and_update().clone();
        }
    });
    serve::with(StatusCode::OK, "text/event-stream", Body::new(Parts(from)))
}

/// A frame with its sentences in a language.
fn said(frame: &Arc<str>, lang: &Language) -> Arc<str> {
    if lang.name() == Language::english().name() {
        return frame.clone();
    }
    let Ok(mut value) = serde_json::from_str::<Value>(frame) else { return frame.clone() };
    lang.say_in(&mut value);
    value.to_string().into()
}
