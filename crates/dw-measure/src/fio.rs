//! Finding fio, and what the one that was found can do.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// JSON with nanoseconds, `--eta-newline` and engines by name: what is read here came with this version.
const OLDEST: (u32, u32) = (3, 5);

/// An fio that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fio {
    /// The program.
    pub path: PathBuf,
    /// What it calls itself, for example `fio-3.33`.
    pub version: String,
    engines: Vec<String>,
}

/// Why there is no fio to use.
#[derive(Debug, thiserror::Error)]
pub enum FioError {
    /// It is not there.
    #[error("fio is not installed: `{0}` is not found")]
    Missing(String),
    /// It does not start, or does not say its version.
    #[error("{path}: {what}")]
    Broken {
        /// The program.
        path: String,
        /// What is wrong with it.
        what: String,
    },
    /// It is too old.
    #[error("{path} is {version}, and fio-{}.{} or later is needed", OLDEST.0, OLDEST.1)]
    Old {
        /// The program.
        path: String,
        /// What it calls itself.
        version: String,
    },
    /// It was built without an engine that is needed.
    #[error("{path} ({version}) was built without the engine `{engine}`")]
    NoEngine {
        /// The program.
        path: String,
        /// What it calls itself.
        version: String,
        engine: String,
    },
}

impl From<FioError> for dw_error::Error {
    fn from(error: FioError) -> Self {
        let hint = error.hint();
        dw_error::Error::of(dw_error::Kind::Tool, error).hint(hint)
    }
}

impl FioError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        let install = "install it with `apt-get install fio`, `dnf install fio` or from https://github.com/axboe/fio";
        match self {
            FioError::Missing(_) => format!("{install}, or name it with `--fio PATH`"),
            FioError::Broken { .. } => "name a working fio with `--fio PATH`".into(),
            FioError::Old { .. } => format!("{install}; Debian 11, Ubuntu 20.04 and later have a new enough version"),
            FioError::NoEngine { engine, .. } if engine == "nbd" => {
                "take your distribution's fio, or build it with libnbd installed".into()
            }
            FioError::NoEngine { .. } => "take your distribution's fio, or build it with the library installed".into(),
        }
    }
}

impl Fio {
    /// The one at `asked`, or the first on PATH.
    pub fn find(asked: Option<&Path>) -> Result<Fio, FioError> {
        let path = match asked {
            Some(path) => path.to_path_buf(),
            None => on_path("fio").ok_or_else(|| FioError::Missing("fio".into()))?,
        };
        let shown = path.display().to_string();
        let said = said(&path, "--version")?;
        let version = said.lines().next().unwrap_or_default().trim().to_string();
        let Some(numbers) = numbers(&version) else {
            let what = format!("it reports version `{version}`, not `fio-3.33` or the like");
            return Err(FioError::Broken { path: shown, what });
        };
        if numbers < OLDEST {
            return Err(FioError::Old { path: shown, version });
        }
        let engines = self::said(&path, "--enghelp")?;
        let engines = engines.lines().skip(1).map(|line| line.trim().to_string()).collect();
        Ok(Fio { path, version, engines })
    }

    /// Whether it can do I/O with this engine.
    pub fn needs_engine(&self, engine: &str) -> Result<(), FioError> {
        if self.engines.iter().any(|known| known == engine) {
            return Ok(());
        }
        let path = self.path.display().to_string();
        Err(FioError::NoEngine { path, version: self.version.clone(), engine: engine.into() })
    }

    /// The best engine for files and devices of this machine that was built in.
    pub fn native_engine(&self) -> &'static str {
        ["libaio", "io_uring"].into_iter().find(|engine| self.needs_engine(engine).is_ok()).unwrap_or("posixaio")
    }
}

fn said(path: &Path, argument: &str) -> Result<String, FioError> {
    let shown = path.display().to_string();
    match Command::new(path).arg(argument).stdin(Stdio::null()).output() {
        Ok(output) => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Err(FioError::Missing(shown)),
        Err(e) => Err(FioError::Broken { path: shown, what: format!("cannot be started: {e}") }),
    }
}

/// A program on PATH.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// `fio-3.33`, `fio-3.33-12-gabc`.
fn numbers(version: &str) -> Option<(u32, u32)> {
    let rest = version.strip_prefix("fio-")?;
    let mut parts = rest.split(|c: char| !c.is_ascii_digit());
    Some((parts.next()?.parse().ok()?, parts.next().and_then(|p| p.parse().ok()).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_told_apart() {
        let cases =
            [("fio-3.33", Some((3, 33))), ("fio-3.41-12-gabc", Some((3, 41))), ("fio-3", Some((3, 0))), ("bash", None)];
        for (text, expected) in cases {
            assert_eq!(numbers(text), expected, "{text}");
        }
        assert!(numbers("fio-2.99").unwrap() < OLDEST);
    }

    #[test]
    fn one_that_is_not_there_is_named_with_the_way_to_get_it() {
        let error = Fio::find(Some(Path::new("/does/not/exist/fio"))).unwrap_err();
        assert_eq!(error.to_string(), "fio is not installed: `/does/not/exist/fio` is not found");
        assert!(error.hint().contains("apt-get install fio"));
    }

    #[test]
    fn what_is_no_fio_is_refused() {
        let error = Fio::find(Some(Path::new("/bin/echo"))).unwrap_err();
        assert!(matches!(error, FioError::Broken { .. }), "{error}");
    }
}
