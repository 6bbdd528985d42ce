//! Who is let in: every combination of what a request says, and only the right one passes.

use crate::raw::{Visitor, send};
use crate::support::{Running, start};
use dw_studio::Limits;

/// A request: what stands for each header, `-` for none.
fn status(studio: &Running, method: &str, path: &str, headers: &[(&str, &str)]) -> u16 {
    let mut text = format!("{method} {path} HTTP/1.1\r\n");
    for (name, value) in headers.iter().filter(|(_, value)| *value != "-") {
        text += &format!("{name}: {value}\r\n");
    }
    let body = if method == "POST" {
        "Content-Length: 4\r\nConnection: close\r\n\r\nnull"
    } else {
        "Connection: close\r\n\r\n"
    };
    send(studio, (text + body).as_bytes()).status
}

#[test]
fn of_all_combinations_of_a_call_only_those_of_the_page_pass() {
    let studio = start(Limits::default(), &["studio.example:8443"]);
    let visitor = Visitor::enter(&studio);
    let host = format!("127.0.0.1:{}", studio.port);
    let (name, origin) = (format!("localhost:{}", studio.port), format!("http://{host}"));
    let (origin_of_name, other_port) = (format!("http://{name}"), format!("127.0.0.1:{}", studio.port ^ 1));
    let (cookie_name, value) = visitor.cookie.split_once('=').unwrap();
    let (wrong_cookie, other_cookie) = (format!("{cookie_name}={}", "0".repeat(32)), format!("other={value}"));
    let among_others = format!("a=b; {}; c=d", visitor.cookie);
    let hosts =
        [host.as_str(), &name, "studio.example:8443", "evil.example", &other_port, "127.0.0.1", "127.0.0.1:0", "-"];
    let origins = [origin.as_str(), &origin_of_name, "https://studio.example:8443", "http://evil.example", "null", "-"];
    let sites = ["same-origin", "same-site", "cross-site", "none", "-"];
    let cookies = [visitor.cookie.as_str(), &among_others, &wrong_cookie, &other_cookie, "-"];
    let zeros = "0".repeat(32);
    let tokens = [visitor.token.as_str(), &zeros, "-"];
    let methods = ["POST", "GET", "PUT", "OPTIONS", "DELETE"];
    let (mut passed, mut refused) = (0, 0);
    for method in methods {
        for at in hosts {
            for from in origins {
                for site in sites {
                    // The other parts are tried in full where these could pass, and once where they cannot.
                    let own = from != "-" && from.rsplit('/').next() == Some(at);
                    let could = method == "POST" && hosts[..3].contains(&at) && (own || from == "-");
                    for cookie in &cookies[..if could { cookies.len() } else { 1 }] {
                        for token in &tokens[..if could { tokens.len() } else { 1 }] {
                            let right = could
                                && (site == "same-origin" || site == "-" && own)
                                && cookies[..2].contains(cookie)
                                && *token == visitor.token;
                            let headers = [
                                ("Host", at),
                                ("Origin", from),
                                ("Sec-Fetch-Site", site),
                                ("Cookie", cookie),
                                ("X-Diskwright-Token", token),
                            ];
                            let found = status(&studio, method, "/api/hello", &headers);
                            let expected = if right {
                                200
                            } else if at == "-" {
                                400
                            } else {
                                403
                            };
                            // Without a host it is no request of HTTP/1.1; either way it is refused.
                            let ok = found == expected || at == "-" && [400, 403].contains(&found);
                            assert!(ok, "{method} {headers:?}: {found}, not {expected}");
                            if right { passed += 1 } else { refused += 1 }
                        }
                    }
                }
            }
        }
    }
    let ways = ["origin and site", "origin alone", "site alone"].len();
    assert_eq!(passed, 3 * ways * 2, "each host in each way, with the cookie alone or among others");
    assert!(refused > 1_000, "{refused}");
}

#[test]
fn a_header_that_stands_twice_or_in_another_form_is_refused() {
    let studio = start(Limits::default(), &[]);
    let visitor = Visitor::enter(&studio);
    let host = format!("127.0.0.1:{}", studio.port);
    let origin = format!("http://{host}");
    let right = [
        ("Host", host.as_str()),
        ("Origin", &origin),
        ("Sec-Fetch-Site", "same-origin"),
        ("Cookie", &visitor.cookie),
        ("X-Diskwright-Token", &visitor.token),
    ];
    assert_eq!(status(&studio, "POST", "/api/hello", &right), 200);
    let doubles = [
        ("Host", "evil.example"),
        ("Origin", "http://evil.example"),
        ("Sec-Fetch-Site", "none"),
        ("X-Diskwright-Token", "1"),
    ];
    for double in doubles {
        for at in [0, right.len()] {
            let mut headers = right.to_vec();
            headers.insert(at, double);
            let found = status(&studio, "POST", "/api/hello", &headers);
            assert!([400, 403].contains(&found), "{double:?} at {at}: {found}");
        }
    }
    let absolute = format!("http://{host}/api/hello");
    assert_eq!(status(&studio, "POST", &absolute, &right), 403, "a proxy's form");
}

#[test]
fn there_is_nothing_but_the_page_its_parts_and_its_calls() {
    let studio = start(Limits::default(), &[]);
    let visitor = Visitor::enter(&studio);
    let host = format!("127.0.0.1:{}", studio.port);
    let get = |path: &str, cookie: &str, site: &str| {
        status(&studio, "GET", path, &[("Host", &host), ("Cookie", cookie), ("Sec-Fetch-Site", site)])
    };
    for path in ["/", "/app.js", "/studio.css", "/messages/en.ftl", "/icon.svg"] {
        assert_eq!(get(path, &visitor.cookie, "same-origin"), 200, "{path}");
        assert_eq!(get(path, &visitor.cookie, "-"), 200, "{path}");
        assert_eq!(get(path, &visitor.cookie, "cross-site"), 403, "{path}");
        assert_eq!(get(path, &visitor.cookie, "same-site"), 403, "{path}");
        assert_eq!(get(path, "-", "same-origin"), 403, "{path} without a cookie");
    }
    for path in [
        "/etc/passwd",
        "//etc/passwd",
        "/../etc/passwd",
        "/..%2f..%2fetc%2fpasswd",
        "/messages/../app.js",
        "/messages/%2e%2e/app.js",
        "/messages/",
        "/app.js/",
        "/app.js%00",
        "/APP.JS",
        "/index.html",
        "/?x",
        "/app.js?v=1",
        "/?k=",
        "/.git/config",
        "/api/hello",
        "/api/",
        "/messages/..\\..\\app.js",
    ] {
        let found = get(path, &visitor.cookie, "same-origin");
        assert!([400, 403].contains(&found) || path == "/?k=" && found == 303, "{path}: {found}");
    }
}

#[test]
fn the_link_counts_once_and_its_cookie_is_for_this_browser_alone() {
    let studio = start(Limits::default(), &[]);
    let host = format!("127.0.0.1:{}", studio.port);
    let path = studio.link[studio.link.rfind("/?").unwrap()..].to_string();
    let get = |path: &str, headers: &str| {
        send(&studio, format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{headers}Connection: close\r\n\r\n").as_bytes())
    };
    assert_eq!(get("/", "").status, 403, "nobody has entered");
    assert_eq!(get(&path, "Sec-Fetch-Site: cross-site\r\n").status, 403, "a page that knew the link could not use it");
    let wrong = format!("{}0", &path[..path.len() - 1]);
    assert!(wrong == path || get(&wrong, "").status == 403);
    let entered = get(&path, "Sec-Fetch-Site: none\r\n");
    let cookie = entered.header("set-cookie").unwrap();
    assert!(cookie.ends_with("; HttpOnly; SameSite=Strict; Path=/"), "{cookie}");
    assert_eq!((entered.status, entered.header("location")), (303, Some("/")));
    let again = get(&path, "");
    assert_eq!(again.status, 403, "{again:?}");
    assert!(again.text().contains("this link was used"), "{again:?}");
    let pair = cookie.split(';').next().unwrap();
    assert_eq!(get(&path, &format!("Cookie: {pair}\r\n")).status, 303, "who has the cookie goes on");
    let page = get("/", &format!("Cookie: {pair}\r\n"));
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'self';") && !policy.contains("unsafe"), "{policy}");
    for answer in [&page, &again, &entered] {
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        assert_eq!(answer.header("access-control-allow-origin"), None, "no CORS");
    }
}
