//! Who may ask: a page of this server, in the browser in which its link was opened, and nobody else.
//!
//! Any page of the web can make a browser send requests to the loopback, and a name of its own that it lets point there (DNS
//! rebinding) even reads the answers. So each request must pass all of:
//!
//! ```text
//! Host                       exactly one; the loopback at this port, or a name that was allowed
//! Sec-Fetch-Site, Origin     not of another site; a call must say one of them
//! cookie                     HttpOnly, SameSite=Strict, given for the link that is used once
//! token                      in a header of every call, which no form and no link can set
//! ```
//!
//! No answer has headers of CORS. What does not pass is 403 and says which of these it was, so that a person behind a proxy knows what to do.
//!
//! Source: Fetch Metadata (W3C), RFC 6265bis; what Jupyter and DuckDB had to repair in theirs.

use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};

use crate::api::Call;
use crate::assets::{self, Asset};
use crate::keys::{Keys, same};

/// The header of the token.
pub(crate) const TOKEN: &str = "x-diskwright-token";

/// What a request that is let in asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// It had the link: it gets the cookie and goes on to the page.
    Enter,
    /// It had the link a second time, and the cookie from the first.
    Again,
    Page,
    /// A part of the page.
    Part(&'static Asset),
    /// A call of the page.
    Call(Call),
}

/// Whom the server answers.
pub(crate) struct Guard {
    pub(crate) keys: Keys,
    pub(crate) port: u16,
    /// Names that were allowed, in small letters.
    pub(crate) allowed: Vec<String>,
}

impl Guard {
    /// The name of the cookie: those of other ports of one host are sent, too.
    pub(crate) fn cookie_name(&self) -> String {
        format!("diskwright-{}", self.port)
    }

    /// What a request may have, or why it may not.
    pub(crate) fn admit(&self, parts: &Parts) -> Result<Way, &'static str> {
        let host = self.host(parts)?;
        let headers = &parts.headers;
        let site = one(headers, "sec-fetch-site").map_err(|()| "Sec-Fetch-Site occurs twice")?;
        let origin = one(headers, header::ORIGIN.as_str()).map_err(|()| "Origin occurs twice")?;
        let is_ours = |origin: &str| {
            let allowed = self.allowed.contains(&host);
            origin.eq_ignore_ascii_case(&format!("http://{host}"))
                || allowed && origin.eq_ignore_ascii_case(&format!("https://{host}"))
        };
        if origin.is_some_and(|origin| !is_ours(origin)) {
            return Err("Origin is another site");
        }
        let path = parts.uri.path();
        if parts.method == Method::GET {
            // A person who types or opens an address comes from no site.
            if site.is_some_and(|site| !["none", "same-origin"].contains(&site)) {
                return Err("Sec-Fetch-Site is another site");
            }
            if path == "/"
                && let Some(key) = parts.uri.query().and_then(|query| query.strip_prefix("k="))
            {
                return match (self.keys.spend(key), self.has_cookie(headers)) {
                    (true, _) => Ok(Way::Enter),
                    (false, true) => Ok(Way::Again),
                    (false, false) => Err("this link was used, or is another studio's"),
                };
            }
            if !self.has_cookie(headers) {
                return Err("the cookie is missing");
            }
            if parts.uri.query().is_some() {
                return Err("there is nothing here");
            }
            return match path {
                "/" => Ok(Way::Page),
                _ => assets::find(path).map(Way::Part).ok_or("there is nothing here"),
            };
        }
        if parts.method != Method::POST {
            return Err("only GET and POST are answered");
        }
        let Some(call) = Call::from_path(path) else { return Err("there is nothing here") };
        if site.is_some_and(|site| site != "same-origin") {
            return Err("Sec-Fetch-Site is another site");
        }
        if origin.is_none() && site.is_none() {
            return Err("Origin and Sec-Fetch-Site are missing");
        }
        if !self.has_cookie(headers) {
            return Err("the cookie is missing");
        }
        match one(headers, TOKEN) {
            Ok(Some(token)) if same(token, &self.keys.token) => Ok(Way::Call(call)),
            _ => Err("the token is missing"),
        }
    }

    /// The host that is asked for, in small letters, where this server goes by it.
    fn host(&self, parts: &Parts) -> Result<String, &'static str> {
        if parts.uri.authority().is_some() {
            return Err("a proxy is asked for");
        }
        let host = match one(&parts.headers, header::HOST.as_str()) {
            Ok(Some(host)) => host.to_ascii_lowercase(),
            Ok(None) => return Err("Host is missing"),
            Err(()) => return Err("Host occurs twice"),
        };
        let known = ["127.0.0.1", "localhost", "[::1]"];
        let loopback = host.rsplit_once(':').is_some_and(|(name, port)| {
            known.contains(&name) && !port.starts_with('0') && port.parse::<u16>() == Ok(self.port)
        });
        // The default port is left out by browsers.
        let plain = self.port == 80 && known.contains(&host.as_str());
        if loopback || plain || self.allowed.contains(&host) {
            Ok(host)
        } else {
            Err("Host is not this server (--allow-host HOST allows a name)")
        }
    }

    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let name = self.cookie_name();
        let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut ours = all.flat_map(|value| value.split(';')).filter_map(|pair| {
            let (key, value) = pair.trim().split_once('=')?;
            (key == name).then_some(value)
        });
        ours.any(|value| same(value, &self.keys.cookie))
    }
}

/// The value of a header that may stand once; what is no text counts as twice.
fn one<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, ()> {
    let mut all = headers.get_all(name).iter();
    match (all.next(), all.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| ()),
        _ => Err(()),
    }
}
