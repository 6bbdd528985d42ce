//! The handshake: options are haggled over until client and server agree on terms.
//!
//! ```text
//!  greeting ──▶ client flags ──▶ option ──▶ reply ──▶ option ... ──▶ GO or EXPORT_NAME ──▶ transmission
//!                                  │ STARTTLS: everything agreed so far is forgotten
//!                                  │ ABORT, or what cannot be answered: the connection is closed
//! ```
//!
//! A handshake takes one message a call and keeps no bytes: what it has not consumed is to be given again, with more
//! behind it. An option too long to be looked at is skipped, then refused, so that the framing is never lost.
//!
//! Source: `doc/proto.md`, "Handshake" and "TLS support".
//!
//! Ignores: how long a client takes (the server has a time-out), TLS itself, exports that need TLS while others do not.
//!
//! Invariant: a client must not send an option before the reply to its last one, so the caller may stop feeding while
//! replies wait to be sent; what is held is then bounded by [`MAX_MESSAGE`] in and one reply out.

use super::{
    export::{ExportInfo, ExportList, Style, Terms},
    options::{InfoRequest, info_request, meta_request, text},
    reply::{BASE_ALLOCATION_ID, shorten},
    wire::{
        FLAG_FIXED_NEWSTYLE, FLAG_NO_ZEROES, MAGIC, OPTION_MAGIC, OPTION_REPLY_MAGIC, Reader, UNTOLD_MAX_PAYLOAD, info,
        opt, rep,
    },
};

/// Longest data of an option that is read: a name and seven of the longest queries.
const MAX_OPTION_DATA: u32 = 32 << 10;
/// Longest data of an option that is skipped; above, the client is hung up on.
const MAX_SKIP: u32 = 32 << 20;
/// Options that a client may send. Clients need about five, one that looks at every export two for each.
const MAX_OPTIONS: u32 = 1024;
/// Bytes of an option before its data.
const OPTION_HEADER: usize = 16;
/// The alignment that clients keep to without being told.
const ALIGNMENT_UNASKED: u32 = 512;

/// Most bytes that must be held for [`Handshake::feed`] to get on.
pub const MAX_MESSAGE: usize = OPTION_HEADER + MAX_OPTION_DATA as usize;

/// What is demanded of clients.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TlsMode {
    /// STARTTLS is refused.
    #[default]
    Off,
    /// STARTTLS is possible.
    Optional,
    /// Nothing is told before STARTTLS.
    Required,
}

/// What to do next, after sending what was written to `out`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing was consumed: bring more bytes.
    More,
    /// Something was consumed: send `out`, then feed the rest.
    Next,
    /// Send `out`, then begin TLS. Bytes behind those consumed belong to TLS. Then feed what comes out of it.
    StartTls,
    /// Send `out`; bytes behind those consumed are requests.
    Transmission(Terms),
    /// Send `out`, then close.
    Close(Closing),
}

/// Why a connection ended in the handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Closing {
    /// The client asked for it.
    #[error("the client has left")]
    Aborted,
    /// The protocol demands that such clients are dropped.
    #[error("the client's flags {0:#x} are not known")]
    UnknownFlags(u32),
    /// Not an option.
    #[error("an option begins with {0:#018x}: this is not an NBD client")]
    BadMagic(u64),
    /// Too much to skip.
    #[error("option {0} claims {1} bytes of data")]
    OptionTooLong(u32, u32),
    #[error("more than {MAX_OPTIONS} options")]
    TooManyOptions,
    /// EXPORT_NAME cannot be answered with an error.
    #[error("EXPORT_NAME asked for an export that cannot be served: {0}")]
    NoExport(&'static str),
}

/// One client's handshake.
#[derive(Debug)]
pub struct Handshake {
    tls: TlsMode,
    secured: bool,
    stopping: bool,
    state: State,
    options: u32,
    no_zeroes: bool,
    style: Style,
    /// The export that `base:allocation` was last selected for.
    context: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Flags,
    Option,
    Skip { option: u32, left: u32 },
    Over,
}

/// An option's data, or the fact that it was too long to be kept.
type Data<'a> = Option<&'a [u8]>;

/// A refusal: the reply's type and a message.
type Refused = (u32, String);

impl Handshake {
    /// Begins, with the greeting.
    pub fn new(tls: TlsMode, out: &mut Vec<u8>) -> Handshake {
        out.extend(MAGIC.to_be_bytes());
        out.extend(OPTION_MAGIC.to_be_bytes());
        out.extend((FLAG_FIXED_NEWSTYLE | FLAG_NO_ZEROES).to_be_bytes());
        Handshake {
            tls,
            secured: false,
            stopping: false,
            state: State::Flags,
            options: 0,
            no_zeroes: false,
            style: Style::Simple,
            context: None,
        }
    }

    /// The server is going away: options are refused from now on.
    pub fn stop(&mut self) {
        self.stopping = true;
    }

    /// Looks at the front of `input` and says how many bytes of it are done with. Replies are appended to `out`.
    pub fn feed(&mut self, input: &[u8], list: ExportList<'_>, out: &mut Vec<u8>) -> (usize, Step) {
        match self.state {
            State::Flags => self.client_flags(input),
            State::Option => self.option(input, list, out),
            State::Skip { option, left } => self.skip(option, left, input, list, out),
            State::Over => (0, Step::More),
        }
    }

    fn client_flags(&mut self, input: &[u8]) -> (usize, Step) {
        let Some(flags) = Reader(input).u32() else { return (0, Step::More) };
        let known = FLAG_FIXED_NEWSTYLE | FLAG_NO_ZEROES;
        if flags & !u32::from(known) != 0 {
            return (4, self.close(Closing::UnknownFlags(flags)));
        }
        self.no_zeroes = flags & u32::from(FLAG_NO_ZEROES) != 0;
        self.state = State::Option;
        (4, Step::Next)
    }

    fn option(&mut self, input: &[u8], list: ExportList<'_>, out: &mut Vec<u8>) -> (usize, Step) {
        let mut from = Reader(input);
        // The magic is judged as soon as it is there: what is not NBD may never send more.
        let Some(magic) = from.u64() else { return (0, Step::More) };
        if magic != OPTION_MAGIC {
            return (8, self.close(Closing::BadMagic(magic)));
        }
        let (Some(option), Some(len)) = (from.u32(), from.u32()) else { return (0, Step::More) };
        if len > MAX_SKIP {
            return (OPTION_HEADER, self.close(Closing::OptionTooLong(option, len)));
        }
        if len > MAX_OPTION_DATA {
            self.state = State::Skip { option, left: len };
            return (OPTION_HEADER, Step::Next);
        }
        let Some(data) = from.bytes(len as usize) else { return (0, Step::More) };
        (OPTION_HEADER + data.len(), self.answer(option, Some(data), list, out))
    }

    fn skip(&mut self, option: u32, left: u32, input: &[u8], list: ExportList<'_>, out: &mut Vec<u8>) -> (usize, Step) {
        let taken = input.len().min(left as usize);
        if taken == 0 {
            return (0, Step::More);
        }
        let left = left - taken as u32;
        if left > 0 {
            self.state = State::Skip { option, left };
            return (taken, Step::Next);
        }
        self.state = State::Option;
        (taken, self.answer(option, None, list, out))
    }

    fn answer(&mut self, option: u32, data: Data<'_>, list: ExportList<'_>, out: &mut Vec<u8>) -> Step {
        self.options += 1;
        if self.options > MAX_OPTIONS {
            return self.close(Closing::TooManyOptions);
        }
        match option {
            opt::EXPORT_NAME => return self.export_name(data, list, out),
            opt::ABORT => {
                reply(out, option, rep::ACK, &[]);
                return self.close(Closing::Aborted);
            }
            _ => {}
        }
        match self.haggle(option, data, list, out) {
            Ok(step) => {
                reply(out, option, rep::ACK, &[]);
                step
            }
            Err((kind, message)) => {
                reply(out, option, kind, shorten(&message).as_bytes());
                Step::Next
            }
        }
    }

    /// Everything that ends with an acknowledgement or an error.
    fn haggle(
        &mut self,
        option: u32,
        data: Data<'_>,
        list: ExportList<'_>,
        out: &mut Vec<u8>,
    ) -> Result<Step, Refused> {
        if option == opt::SET_META_CONTEXT {
            self.context = None; // replaced even by a selection that fails
        }
        if self.tls == TlsMode::Required && !self.secured && option != opt::STARTTLS {
            return Err((rep::ERR_TLS_REQD, "this server wants STARTTLS first".into()));
        }
        if self.stopping {
            return Err((rep::ERR_SHUTDOWN, "the server is shutting down".into()));
        }
        if !is_known(option) {
            return Err((rep::ERR_UNSUP, format!("option {option} is not known")));
        }
        let Some(data) = data else {
            return Err((rep::ERR_TOO_BIG, format!("the option has more than {MAX_OPTION_DATA} bytes of data")));
        };
        match option {
            opt::LIST => without_data(data).map(|()| self.list(list, out)),
            opt::STARTTLS => without_data(data).and_then(|()| self.start_tls()),
            opt::INFO => self.info(option, data, list, out).map(|_| Step::Next),
            opt::GO => {
                let terms = self.info(option, data, list, out)?;
                self.state = State::Over;
                Ok(Step::Transmission(terms))
            }
            opt::STRUCTURED_REPLY => without_data(data).and_then(|()| self.structured_reply()),
            opt::EXTENDED_HEADERS => without_data(data).map(|()| {
                self.style = Style::Extended;
                Step::Next
            }),
            _ => self.meta_context(option, data, list, out),
        }
    }

    fn list(&self, list: ExportList<'_>, out: &mut Vec<u8>) -> Step {
        for export in list.exports.iter().filter(|export| !export.detached) {
            let mut payload = (export.name.len() as u32).to_be_bytes().to_vec();
            payload.extend(export.name.as_bytes());
            payload.extend(shorten(&export.description).as_bytes());
            reply(out, opt::LIST, rep::SERVER, &payload);
        }
        Step::Next
    }

    fn start_tls(&mut self) -> Result<Step, Refused> {
        if self.secured {
            return Err((rep::ERR_INVALID, "TLS is already active".into()));
        }
        if self.tls == TlsMode::Off {
            return Err((rep::ERR_POLICY, "this server was started without TLS".into()));
        }
        // What was agreed in the clear may have been forged.
        self.style = Style::Simple;
        self.context = None;
        self.secured = true;
        Ok(Step::StartTls)
    }

    fn structured_reply(&mut self) -> Result<Step, Refused> {
        if self.style == Style::Extended {
            return Err((rep::ERR_EXT_HEADER_REQD, "extended headers are already negotiated".into()));
        }
        self.style = Style::Structured;
        Ok(Step::Next)
    }

    fn info(&self, option: u32, data: &[u8], list: ExportList<'_>, out: &mut Vec<u8>) -> Result<Terms, Refused> {
        let request = info_request(data).map_err(|why| (rep::ERR_INVALID, why))?;
        let (index, export) = served(list, request.export)?;
        if export.min_block > ALIGNMENT_UNASKED && !request.block_size {
            block_size(out, option, export);
            let why = format!("requests must be aligned to {} bytes: ask for the block size", export.min_block);
            return Err((rep::ERR_BLOCK_SIZE_REQD, why));
        }
        let terms = self.terms(index, export, request.block_size);
        describe(out, option, &request, export, &terms);
        Ok(terms)
    }

    fn terms(&self, index: usize, export: &ExportInfo, sizes_asked: bool) -> Terms {
        let base_allocation = self.context == Some(index) && self.style != Style::Simple;
        let untold = if sizes_asked { 0 } else { UNTOLD_MAX_PAYLOAD };
        let max_payload = export.max_payload.max(untold);
        Terms { base_allocation, sizes_asked, max_payload, ..Terms::new(index, export, self.style) }
    }

    fn meta_context(
        &mut self,
        option: u32,
        data: &[u8],
        list: ExportList<'_>,
        out: &mut Vec<u8>,
    ) -> Result<Step, Refused> {
        if self.style == Style::Simple {
            let why = "metadata contexts need structured replies or extended headers".into();
            return Err((rep::ERR_INVALID, why));
        }
        let request = meta_request(data).map_err(|why| (rep::ERR_INVALID, why))?;
        let (index, _) = served(list, request.export)?;
        let (matches, id) = match option {
            opt::SET_META_CONTEXT => (request.allocation, BASE_ALLOCATION_ID),
            _ => (request.allocation || request.wildcard || request.nothing, 0),
        };
        if matches {
            let mut payload = id.to_be_bytes().to_vec();
            payload.extend(b"base:allocation");
            reply(out, option, rep::META_CONTEXT, &payload);
        }
        if option == opt::SET_META_CONTEXT && matches {
            self.context = Some(index);
        }
        Ok(Step::Next)
    }

    /// The old way in, which has no way to say no.
    fn export_name(&mut self, data: Data<'_>, list: ExportList<'_>, out: &mut Vec<u8>) -> Step {
        let why = if self.tls == TlsMode::Required && !self.secured {
            "TLS comes first"
        } else if self.stopping {
            "the server is shutting down"
        } else if self.style == Style::Extended {
            "extended headers need GO"
        } else {
            let found = data.and_then(|data| text(data, "export name").ok()).and_then(|name| list.find(name));
            match found {
                Some((index, export)) if !export.detached => return self.old_go(index, export, out),
                Some(_) => "it is detached",
                None => "there is no export of that name",
            }
        };
        self.close(Closing::NoExport(why))
    }

    fn old_go(&mut self, index: usize, export: &ExportInfo, out: &mut Vec<u8>) -> Step {
        let terms = self.terms(index, export, false);
        out.extend(terms.size.to_be_bytes());
        out.extend(terms.flags.to_be_bytes());
        if !self.no_zeroes {
            out.extend([0; 124]);
        }
        self.state = State::Over;
        Step::Transmission(terms)
    }

    fn close(&mut self, why: Closing) -> Step {
        self.state = State::Over;
        Step::Close(why)
    }
}

fn is_known(option: u32) -> bool {
    (opt::EXPORT_NAME..=opt::LIST).contains(&option) || (opt::STARTTLS..=opt::EXTENDED_HEADERS).contains(&option)
}

fn without_data(data: &[u8]) -> Result<(), Refused> {
    if data.is_empty() {
        return Ok(());
    }
    Err((rep::ERR_INVALID, format!("the option takes no data, but {} bytes came with it", data.len())))
}

/// The export of that name, if it is to be had.
fn served<'a>(list: ExportList<'a>, name: &str) -> Result<(usize, &'a ExportInfo), Refused> {
    match list.find(name) {
        Some((_, export)) if export.detached => {
            Err((rep::ERR_UNKNOWN, format!("`{}` is detached from the VM at the moment", export.name)))
        }
        Some(found) => Ok(found),
        None if name.is_empty() => Err((rep::ERR_UNKNOWN, "there is more than one export: name one".into())),
        None => Err((rep::ERR_UNKNOWN, format!("unknown export `{name}`"))),
    }
}

/// The INFO replies. The same for INFO and GO, as both are computed from the same values.
fn describe(out: &mut Vec<u8>, option: u32, request: &InfoRequest<'_>, export: &ExportInfo, terms: &Terms) {
    let mut item = |kind: u16, rest: &[&[u8]]| {
        let mut payload = kind.to_be_bytes().to_vec();
        rest.iter().for_each(|part| payload.extend(*part));
        reply(out, option, rep::INFO, &payload);
    };
    item(info::EXPORT, &[&terms.size.to_be_bytes(), &terms.flags.to_be_bytes()]);
    if request.name {
        item(info::NAME, &[export.name.as_bytes()]);
    }
    if request.description {
        item(info::DESCRIPTION, &[shorten(&export.description).as_bytes()]);
    }
    if request.block_size {
        block_size(out, option, export);
    }
}

fn block_size(out: &mut Vec<u8>, option: u32, export: &ExportInfo) {
    let mut payload = info::BLOCK_SIZE.to_be_bytes().to_vec();
    for size in [export.min_block, export.preferred_block, export.max_payload] {
        payload.extend(size.to_be_bytes());
    }
    reply(out, option, rep::INFO, &payload);
}

fn reply(out: &mut Vec<u8>, option: u32, kind: u32, payload: &[u8]) {
    out.extend(OPTION_REPLY_MAGIC.to_be_bytes());
    out.extend(option.to_be_bytes());
    out.extend(kind.to_be_bytes());
    out.extend((payload.len() as u32).to_be_bytes());
    out.extend(payload);
}
