//! Connections: how many, how slow, and that none stands in another's way.
//!
//! One thread moves bytes; work is done on others, of which each kind has its own few. Of too many connections the one is closed that it
//! costs least: who asks nothing, then who reads a stream, and of these who has not moved longest. So a page that holds hundreds open,
//! says its requests slowly, or reads its answers slowly, keeps nobody out.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use diskwright::{Error, Result, Session};
use dw_messages::Language;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, oneshot};

use crate::api::{self, App, Call};
use crate::guard::{Guard, Way};
use crate::keys::Keys;
use crate::live::Live;
use crate::{Options, assets};

/// Threads that work at most.
const THREADS: usize = 16;
/// Estimates and whatever else takes milliseconds, at once.
const QUICK: usize = 2;
/// Headers of a request.
const HEADERS: usize = 64;
/// How often it is looked whether to stop.
const LOOK: Duration = Duration::from_millis(100);

/// A studio that listens.
pub struct Studio {
    listener: std::net::TcpListener,
    address: SocketAddr,
    link: String,
    app: Arc<App>,
}

pub(crate) fn listen(session: &Session, options: Options) -> Result<Studio> {
    let Options { port, allow_hosts, limits, version, language, command, sources, emulation } = options;
    let failed = |e: std::io::Error| {
        let reason = diskwright::error::system::reason(&e);
        Error::usage(format!("cannot listen on 127.0.0.1:{port}: {reason}"))
            .hint("choose another with `--port`, or omit it to use a free port")
    };
    let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let (keys, link) = Keys::new()?;
    let allowed = allow_hosts.iter().map(|name| name.to_ascii_lowercase()).collect();
    let guard = Guard { keys, port: address.port(), allowed };
    let app = App {
        // What a page names is never opened: its session has no files.
        session: session.clone().with_files(diskwright::Memory::default()).with_observer(Arc::new(())),
        guard,
        limits,
        version,
        language,
        command,
        sources,
        store: Default::default(),
        estates: Default::default(),
        first: Default::default(),
        runs: Arc::new(Semaphore::new(limits.runs.max(1))),
        plans: Arc::new(Semaphore::new(limits.runs.max(1))),
        quick: Arc::new(Semaphore::new(QUICK)),
        words: Arc::new(Semaphore::new(1)),
        live: Arc::new(Live::new(emulation)),
    };
    Ok(Studio { listener, address, link, app: Arc::new(app) })
}

impl Studio {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The link that opens it, once.
    pub fn link(&self) -> String {
        format!("http://{}/?k={}", self.address, self.link)
    }

    /// Answers until `is_over` says so.
    ///
    /// # Errors
    /// Where the system has no threads or descriptors left to begin with.
    pub fn run(self, is_over: impl Fn() -> bool) -> Result<()> {
        let failed = |e: std::io::Error| Error::unexpected(format!("the server: {e}"));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(THREADS)
            .build()
            .map_err(failed)?;
        let done = runtime.block_on(async move {
            let listener = TcpListener::from_std(self.listener)?;
            tokio::spawn(self.app.live.clone().watch());
            let app = self.app.clone();
            tokio::task::spawn_blocking(move || api::prepare(&app));
            let accepting = accept(listener, self.app);
            tokio::pin!(accepting);
            loop {
                if tokio::time::timeout(LOOK, &mut accepting).await.is_ok() || is_over() {
                    return Ok(());
                }
            }
        });
        // A run under way ends by itself when nobody reads it.
        runtime.shutdown_background();
        done.map_err(failed)
    }
}

/// Connections that are open, by age.
#[derive(Default)]
struct Open {
    next: AtomicU64,
    all: Mutex<BTreeMap<u64, Connection>>,
}

struct Connection {
    state: Arc<State>,
    close: oneshot::Sender<()>,
}

/// How a connection stands.
#[derive(Default)]
pub(crate) struct State {
    /// Requests that are being answered, and of these, answers that are streamed.
    busy: AtomicUsize,
    streams: AtomicUsize,
    /// When it was accepted, asked something, or took a part of an answer, the last of these: a number that grows.
    moved: AtomicU64,
}

impl State {
    /// Something came of it.
    pub(crate) fn moves(&self) {
        static NOW: AtomicU64 = AtomicU64::new(0);
        self.moved.store(NOW.fetch_add(1, Relaxed), Relaxed);
    }

    /// Whom it costs least: who waits for nothing before who reads a stream, both before who waits for an answer; of these who has not moved longest.
    fn rank(&self) -> (usize, u64) {
        let busy = self.busy.load(Relaxed);
        let class = if busy == 0 {
            0
        } else if self.streams.load(Relaxed) == busy {
            1
        } else {
            2
        };
        (class, self.moved.load(Relaxed))
    }
}

impl Open {
    /// Closes connections until there is room for one.
    fn make_room(&self, most: usize) {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        while all.len() >= most.max(1) {
            let Some(least) = all.iter().min_by_key(|(_, one)| one.state.rank()).map(|(id, _)| *id) else { return };
            if let Some(one) = all.remove(&least) {
                let _ = one.close.send(());
            }
        }
    }
}

async fn accept(listener: TcpListener, app: Arc<App>) {
    let open = Arc::new(Open::default());
    loop {
        let Ok((stream, from)) = listener.accept().await else {
            // No descriptor is left: those that are open will end.
            tokio::time::sleep(LOOK).await;
            continue;
        };
        if !from.ip().is_loopback() {
            continue;
        }
        open.make_room(app.limits.connections);
        let _ = stream.set_nodelay(true);
        let (close, closed) = oneshot::channel();
        let (id, state) = (open.next.fetch_add(1, Relaxed), Arc::new(State::default()));
        state.moves();
        let connection = Connection { state: state.clone(), close };
        open.all.lock().unwrap_or_else(PoisonError::into_inner).insert(id, connection);
        let router = Router::new().fallback({
            let app = app.clone();
            move |request: Request| answer(app, state, request)
        });
        let limits = app.limits;
        let open = open.clone();
        tokio::spawn(async move {
            let serving = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(limits.patience)
                .max_buf_size(limits.header_bytes.max(8 << 10))
                .max_headers(HEADERS)
                .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
            tokio::pin!(serving);
            tokio::pin!(closed);
            // Whichever comes first.
            std::future::poll_fn(|cx| {
                use std::future::Future as _;
                let served = serving.as_mut().poll(cx).is_ready();
                let is_closed = matches!(closed.as_mut().poll(cx), std::task::Poll::Ready(Ok(())));
                if served || is_closed { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
            })
            .await;
            open.all.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        });
    }
}

/// Counts a request as long as its answer is under way.
pub(crate) struct Busy {
    pub(crate) state: Arc<State>,
    is_stream: bool,
}

impl Busy {
    fn new(state: Arc<State>, is_stream: bool) -> Busy {
        state.busy.fetch_add(1, Relaxed);
        state.streams.fetch_add(usize::from(is_stream), Relaxed);
        state.moves();
        Busy { state, is_stream }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.state.busy.fetch_sub(1, Relaxed);
        self.state.streams.fetch_sub(usize::from(self.is_stream), Relaxed);
    }
}

async fn answer(app: Arc<App>, state: Arc<State>, request: Request) -> Result<Response, Infallible> {
    let (parts, body) = request.into_parts();
    let way = app.guard.admit(&parts);
    let busy = Busy::new(state, matches!(way, Ok(Way::Call(Call::Live | Call::Simulate))));
    let mut response = match way {
        Err(why) => refused(why),
        Ok(Way::Enter) => entered(&app),
        Ok(Way::Again) => to_page(),
        Ok(Way::Page) => page(&app),
        Ok(Way::Part(asset)) => with(StatusCode::OK, asset.kind, Body::from(asset.sent())),
        Ok(Way::Call(call)) => api::answer(app.clone(), call, &parts, body).await,
    };
    protect(&mut response);
    // A body that is streamed counts until its end.
    let (head, body) = response.into_parts();
    Ok(Response::from_parts(head, Body::new(api::stream::Held::new(body, busy))))
}

fn refused(why: &str) -> Response {
    let text = format!("403: {why}.\nOpen the link that `diskwright studio` printed; it works once, in one browser.\n");
    with(StatusCode::FORBIDDEN, "text/plain; charset=utf-8", Body::from(text))
}

fn entered(app: &App) -> Response {
    let mut response = to_page();
    let cookie = format!("{}={}; HttpOnly; SameSite=Strict; Path=/", app.guard.cookie_name(), app.guard.keys.cookie);
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

fn to_page() -> Response {
    let mut response = with(StatusCode::SEE_OTHER, "text/plain; charset=utf-8", Body::empty());
    response.headers_mut().insert(header::LOCATION, HeaderValue::from_static("/"));
    response
}

fn page(app: &App) -> Response {
    let text = assets::PAGE.replace("{token}", &app.guard.keys.token).replace("{version}", &app.version);
    let text =
        text.replace("{language}", app.language.map_or("", Language::name)).replace("{modules}", &assets::modules());
    with(StatusCode::OK, "text/html; charset=utf-8", Body::from(text))
}

/// An answer of this kind.
pub(crate) fn with(status: StatusCode, kind: &'static str, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// What every answer says to the browser.
fn protect(response: &mut Response) {
    const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                          form-action 'none'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'";
    let all = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::CACHE_CONTROL, "no-store"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    for (name, value) in all {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
}
