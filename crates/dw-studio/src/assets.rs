//! The page's parts, inside the program.

/// A part of the page.
#[derive(Debug, PartialEq, Eq)]
pub struct Asset {
    pub path: &'static str,
    pub kind: &'static str,
    /// What is in it.
    pub bytes: &'static [u8],
}

const SCRIPT: &str = "text/javascript; charset=utf-8";

macro_rules! assets {
    ($($name:literal $kind:expr),* $(,)?) => {
        /// All parts but the page itself.
        pub const ASSETS: &[Asset] = &[
            $(Asset { path: concat!("/", $name), kind: $kind, bytes: include_bytes!(concat!("../page/", $name)) }),*
        ];
    };
}

assets! {
    "app.js" SCRIPT,
    "api.js" SCRIPT,
    "chart.js" SCRIPT,
    "design.js" SCRIPT,
    "dom.js" SCRIPT,
    "format.js" SCRIPT,
    "live.js" SCRIPT,
    "messages.js" SCRIPT,
    "pipe.js" SCRIPT,
    "screens.js" SCRIPT,
    "simulate.js" SCRIPT,
    "state.js" SCRIPT,
    "studio.css" "text/css; charset=utf-8",
    "messages/en.ftl" "text/plain; charset=utf-8",
    "messages/ja.ftl" "text/plain; charset=utf-8",
    "messages/ru.ftl" "text/plain; charset=utf-8",
    "messages/sv.ftl" "text/plain; charset=utf-8",
    "messages/zh-Hans.ftl" "text/plain; charset=utf-8",
    "icon.svg" "image/svg+xml",
}

/// The page; the server writes its token and version into it.
pub(crate) const PAGE: &str = include_str!("../page/index.html");

/// Names all scripts in the page, so that the browser asks for them at once and not for each after the one that names it.
pub(crate) fn modules() -> String {
    let scripts = ASSETS.iter().filter(|asset| asset.kind == SCRIPT);
    scripts.map(|asset| format!("<link rel=\"modulepreload\" href=\"{}\">", asset.path)).collect()
}

/// The part of that path.
pub(crate) fn find(path: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.path == path)
}
