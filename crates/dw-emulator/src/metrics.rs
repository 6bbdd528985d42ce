//! Figures for Prometheus: `/metrics` over HTTP, on this machine only.
//!
//! A scrape asks the loop for its [`Status`] like anybody else and writes it down in the OpenMetrics text format. Where the
//! vendor has a metric of the same meaning, its name is the label `vendor_metric`, so that a dashboard of production and one of
//! the rehearsal can show the same words. Which these are is data of whoever describes the disks.
//!
//! Any page of the web can make a browser ask the loopback, and reads the answer where it asked by a name of its own that points there
//! (DNS rebinding): whoever asks must ask by a loopback address, `localhost`, or the name that was listened on.
//!
//! Ignores: authentication. The address must be a loopback address; whatever is to be seen from elsewhere goes through a proxy.
//!
//! Invariant: counters only grow, except for `reset-counters`; percentages are those of the last full second.

mod families;

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::control::Handle;
use crate::status::Status;
use families::Families;

const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// What a vendor calls figures that it shows, too: the metric without its prefix and unit, what of it, and the vendor's name.
///
/// What of it is `vm GATE iops` or `disk throughput` of limits, `read` and `write` of requests, `hit` and `miss` of what the host cache served,
/// and nothing where a volume has one such figure.
#[derive(Clone, Copy, Debug, Default)]
pub struct VendorNames(pub &'static [(&'static str, &'static str, &'static str)]);

/// Serves `/metrics` on `address` until the process ends; gives the address, with its port.
///
/// # Errors
/// When the address is not one of this machine's loopback addresses, or is taken.
pub fn serve(address: &str, handle: Handle, names: VendorNames) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind(loopback(address)?)?;
    listener.set_nonblocking(true)?;
    let bound = listener.local_addr()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().max_blocking_threads(4).build()?;
    let router = Router::new().route("/metrics", get(scrape)).with_state((handle, Arc::<str>::from(address), names));
    let serving = async move {
        // What was bound can be watched, unless no file descriptor is left: then there are no metrics.
        if let Ok(listener) = tokio::net::TcpListener::from_std(listener) {
            let _ = axum::serve(listener, router).await;
        }
    };
    std::thread::Builder::new().name("metrics".into()).spawn(move || runtime.block_on(serving))?;
    Ok(bound)
}

fn loopback(address: &str) -> io::Result<SocketAddr> {
    let refuse = |what: String| io::Error::new(io::ErrorKind::InvalidInput, what);
    let mut found = address
        .to_socket_addrs()
        .map_err(|e| refuse(format!("`{address}` is not an address such as 127.0.0.1:9900: {e}")))?;
    found.find(|address| address.ip().is_loopback()).ok_or_else(|| {
        refuse(format!("`{address}` is reachable from other machines: metrics have no password, use 127.0.0.1"))
    })
}

/// Whether a request asks this server, which listens on `address` as somebody typed it, and not a name that was made to point here.
fn is_asked(uri: &Uri, headers: &HeaderMap, address: &str) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None, None) = (hosts.next(), hosts.next(), uri.authority()) else { return false };
    let name = |text: &str| text.parse::<Authority>().ok().map(|authority| authority.host().to_ascii_lowercase());
    let Some(host) = host.to_str().ok().and_then(name) else { return false };
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback()) || name(address) == Some(host)
}

type Serving = (Handle, Arc<str>, VendorNames);

async fn scrape(State((handle, address, names)): State<Serving>, uri: Uri, headers: HeaderMap) -> Response {
    if !is_asked(&uri, &headers, &address) {
        let why = "unexpected Host header: use 127.0.0.1 or localhost; a proxy must pass that name on\n";
        return (StatusCode::FORBIDDEN, why).into_response();
    }
    // The loop answers between two requests; a thread waits for it, not the runtime.
    let asked = tokio::task::spawn_blocking(move || handle.status()).await;
    match asked.map_err(|e| e.to_string()).and_then(|status| status.map_err(|e| e.to_string())) {
        Ok(status) => ([(header::CONTENT_TYPE, CONTENT_TYPE)], text(status, names)).into_response(),
        Err(message) => (StatusCode::SERVICE_UNAVAILABLE, format!("{message}\n")).into_response(),
    }
}

/// The figures in the OpenMetrics text format.
pub fn text(status: Status, names: VendorNames) -> String {
    let mut registry = prometheus_client::registry::Registry::with_prefix("diskwright");
    registry.register_collector(Box::new(Families { status, names }));
    let mut text = String::new();
    // Writing into a string cannot fail.
    let _ = prometheus_client::encoding::text::encode(&mut text, &registry);
    text
}

#[cfg(test)]
mod tests;
