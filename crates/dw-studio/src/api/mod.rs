//! The calls of the page: documents in, documents out, as the commands print them.
//!
//! | call | takes | gives |
//! |---|---|---|
//! | `hello` | nothing | version, recordings that are there, what each vendor sells |
//! | `observe` | a recording, or the number of one that is there | its number, its checklist, its requirements as a form |
//! | `requirements` | a recording with wishes | `requirements.toml` |
//! | `plan` | the same | the plan |
//! | `rig` | a plan | `rig.toml` |
//! | `estimate` | a recording with wishes on a rig with changes | what it gives, over time |
//! | `simulate` | the same | the run, streamed while it runs |
//! | `report` | documents | the page of `report` |
//! | `share` | a recording with wishes and the design of the page | one file with both |
//! | `open` | such a file | what `observe` gives, and the design |
//! | `scripts` | a plan | what builds and verifies it |
//! | `say` | documents | the same, in the language that is asked for |
//! | `live` | nothing | a running emulation, ten times a second, as server-sent events |
//! | `predict` | the load on it, and a rig | what the rig gives to that load |
//! | `estate` | inventories | machines by the money that cannot be used |
//! | `machine` | one of them | its findings, and its rig |
//! | `control` | pause, resume, a cache mode, limits of disks | nothing |
//!
//! Sentences of answers are in the language that a call asks for (`Accept-Language`); errors are in English.

use std::sync::Arc;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::Response;
use diskwright::error::Kind;
use diskwright::{Error, Result, Session};
use dw_messages::Language;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::guard::Guard;
use crate::live::Live;
use crate::store::Store;
use crate::{Limits, Source, serve, upload};

mod ask;
mod control;
mod design;
mod estate;
mod estimate;
mod first;
mod live;
mod observe;
mod plan;
mod predict;
mod share;
mod simulate;
pub(crate) mod stream;
mod vendors;

pub(crate) use estate::Estates;
pub(crate) use estimate::figure;
pub(crate) use first::{First, prepare};

/// What all calls share.
pub(crate) struct App {
    pub(crate) session: Session,
    pub(crate) guard: Guard,
    pub(crate) limits: Limits,
    pub(crate) version: String,
    pub(crate) language: Option<&'static Language>,
    /// What started this studio, for whoever starts it again with more.
    pub(crate) command: String,
    pub(crate) sources: Vec<Source>,
    pub(crate) store: Store,
    pub(crate) estates: Estates,
    pub(crate) first: First,
    /// Simulations take long, plans less, the rest milliseconds: none waits behind what takes longer.
    pub(crate) runs: Arc<Semaphore>,
    pub(crate) plans: Arc<Semaphore>,
    pub(crate) quick: Arc<Semaphore>,
    /// One word to the emulation after the other.
    pub(crate) words: Arc<Semaphore>,
    pub(crate) live: Arc<Live>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    Hello,
    Observe,
    Requirements,
    Plan,
    Rig,
    Estimate,
    Simulate,
    Report,
    Share,
    Open,
    Scripts,
    Say,
    Live,
    Predict,
    Control,
    Estate,
    Machine,
}

impl Call {
    /// All of them by their paths.
    pub(crate) const ALL: [(&'static str, Call); 17] = [
        ("/api/hello", Call::Hello),
        ("/api/observe", Call::Observe),
        ("/api/requirements", Call::Requirements),
        ("/api/plan", Call::Plan),
        ("/api/rig", Call::Rig),
        ("/api/estimate", Call::Estimate),
        ("/api/simulate", Call::Simulate),
        ("/api/report", Call::Report),
        ("/api/share", Call::Share),
        ("/api/open", Call::Open),
        ("/api/scripts", Call::Scripts),
        ("/api/say", Call::Say),
        ("/api/live", Call::Live),
        ("/api/predict", Call::Predict),
        ("/api/control", Call::Control),
        ("/api/estate", Call::Estate),
        ("/api/machine", Call::Machine),
    ];

    pub(crate) fn from_path(path: &str) -> Option<Call> {
        Call::ALL.iter().find(|(known, _)| *known == path).map(|(_, call)| *call)
    }
}

/// Text that a call gives, and what it is.
pub(crate) type Text = (&'static str, String);

const JSON: &str = "application/json";
const PLAIN: &str = "text/plain; charset=utf-8";

pub(crate) async fn answer(app: Arc<App>, call: Call, parts: &Parts, body: Body) -> Response {
    let lang = parts.headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    let lang = lang.map_or_else(Language::english, Language::accepted);
    if call == Call::Observe {
        let query = parts.uri.query().unwrap_or_default().to_string();
        return said(observe::answer(app, &query, body).await, lang);
    }
    if call == Call::Estate {
        let query = parts.uri.query().unwrap_or_default().to_string();
        return said(estate::answer(app, &query, body).await, lang);
    }
    let Limits { question_bytes, patience, .. } = app.limits;
    let question = match upload::whole(body, question_bytes, patience).await {
        Ok(question) => question,
        Err(error) => return failed(&error),
    };
    if call == Call::Simulate {
        return simulate::answer(app, question, lang).await;
    }
    if call == Call::Live {
        return live::answer(&app, lang);
    }
    let place = match call {
        Call::Plan | Call::Open => &app.plans,
        Call::Control => &app.words,
        _ => &app.quick,
    };
    let place = place.clone().acquire_owned().await.ok();
    let worked = tokio::task::spawn_blocking(move || {
        let _place = place;
        work(&app, call, &question, lang)
    });
    said(worked.await.unwrap_or_else(|e| Err(Error::unexpected(e.to_string()))), lang)
}

fn work(app: &App, call: Call, question: &[u8], lang: &Language) -> Result<Text> {
    match call {
        Call::Hello => Ok((JSON, hello(app).to_string())),
        Call::Requirements => plan::requirements(app, read(question)?),
        Call::Plan => plan::plan(app, read(question)?),
        Call::Rig => plan::rig(app, question),
        Call::Estimate => estimate::answer(app, &read(question)?, lang),
        Call::Report => plan::report(question, lang),
        Call::Share => share::file(app, question),
        Call::Open => Ok((JSON, share::opened(app, "", question)?.text()?.1)),
        Call::Say => Ok((JSON, neutral(read(question)?).to_string())),
        Call::Scripts => plan::scripts(app, question),
        Call::Predict => predict::answer(app, &read(question)?, lang),
        Call::Control => control::answer(app, read(question)?),
        Call::Machine => estate::machine(app, &read(question)?),
        Call::Observe | Call::Estate | Call::Simulate | Call::Live => {
            Err(Error::unexpected("this call has its own way"))
        }
    }
}

/// What the page asks, in the shape of this server's version.
pub(crate) fn read<T: DeserializeOwned>(question: &[u8]) -> Result<T> {
    serde_json::from_slice(question)
        .map_err(|e| Error::usage(format!("invalid request from the page: {e}")).hint("reload the page"))
}

fn hello(app: &App) -> Value {
    let sources = app.sources.iter().map(
        |source| json!({ "title": source.title, "example": source.is_example, "planned": source.wishes.is_some() }),
    );
    json!({
        "version": app.version,
        "upload_bytes": app.limits.upload_bytes,
        "sources": sources.collect::<Vec<_>>(),
        "vendors": vendors::all(&app.session),
        "emulation": app.live.emulation.as_ref().map(|emulation| &emulation.name),
        "command": app.command,
    })
}

fn said(done: Result<Text>, lang: &Language) -> Response {
    match done {
        Ok((JSON, text)) => serve::with(StatusCode::OK, JSON, Body::from(in_language(text, lang))),
        Ok((kind, text)) => serve::with(StatusCode::OK, kind, Body::from(text)),
        Err(error) => failed(&error),
    }
}

pub(crate) fn failed(error: &Error) -> Response {
    let status = match error.kind {
        Kind::Unexpected => StatusCode::INTERNAL_SERVER_ERROR,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    };
    serve::with(status, JSON, Body::from(as_json(error).to_string()))
}

/// An answer in a language.
pub(crate) fn in_language(text: String, lang: &Language) -> String {
    if lang.name() == "en" {
        return text;
    }
    let Ok(mut value) = serde_json::from_str::<Value>(&text) else { return text };
    lang.say_in(&mut value);
    value.to_string()
}

/// A document that the page sends back, in English: what is made of it is for programs.
pub(crate) fn neutral(mut value: Value) -> Value {
    Language::english().say_in(&mut value);
    value
}

/// An error as the page shows it: what, where, what to do.
pub(crate) fn as_json(error: &Error) -> Value {
    let place = error.place.as_ref().map(|place| json!({ "file": place.file, "line": place.line }));
    json!({
        "what": error.what,
        "hint": error.hint,
        "place": place,
        "also": error.also.iter().map(as_json).collect::<Vec<_>>(),
        "text": error.to_string(),
    })
}
