//! The real AWS CLI in front of moto's EC2, started once for all tests.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::{test_tool, write};

/// What scripts call: it sends its words to the driver, and keeps them.
const STAND_IN: &str = r#"#!/usr/bin/env bash
set -eu
printf '%s\037' "$@" >>"$STATE/calls"
printf '\n' >>"$STATE/calls"
exec 3<>"/dev/tcp/127.0.0.1/$AWS_DRIVER"
{ printf '%s\037' "$@"; printf '\n'; } >&3
read -r code out err <&3
if [ "$out" != - ]; then base64 -d <<<"$out"; fi
if [ "$err" != - ]; then base64 -d <<<"$err" >&2; fi
exit "$code"
"#;

/// An image; moto starts any.
const IMAGE: &str = "ami-12345678";

/// The services. They end with this process, whose end of their input closes then.
pub struct Services {
    _driver: Child,
    driver_port: u16,
    moto_port: u16,
}

impl Services {
    /// With nothing in them, for one test at a time; nothing where the tools are not installed.
    pub fn start() -> Option<MutexGuard<'static, Services>> {
        static SERVICES: OnceLock<Option<Mutex<Services>>> = OnceLock::new();
        let services = SERVICES.get_or_init(|| Services::started().map(Mutex::new)).as_ref()?;
        let services = services.lock().unwrap_or_else(PoisonError::into_inner);
        services.reset();
        Some(services)
    }

    fn started() -> Option<Services> {
        let (moto, python) = (test_tool("fleet/python/bin/moto_server")?, test_tool("aws-cli/bin/python")?);
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/provision/aws_driver.py");
        let mut driver = Command::new(python);
        for (name, value) in [
            ("AWS_ACCESS_KEY_ID", "none"),
            ("AWS_SECRET_ACCESS_KEY", "none"),
            ("AWS_CONFIG_FILE", "/dev/null"),
            ("AWS_SHARED_CREDENTIALS_FILE", "/dev/null"),
            ("AWS_EC2_METADATA_DISABLED", "true"),
        ] {
            driver.env(name, value);
        }
        let mut driver = driver.arg(script).arg(moto).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(driver.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let ports: Vec<u16> = line.split_whitespace().map(|port| port.parse().unwrap()).collect();
        Some(Services { _driver: driver, driver_port: ports[0], moto_port: ports[1] })
    }

    /// Exit code, output and errors of `aws` with these words.
    pub fn call(&self, words: &[&str]) -> (i32, String, String) {
        let mut client = TcpStream::connect(("127.0.0.1", self.driver_port)).unwrap();
        let line: String = words.iter().map(|word| format!("{word}\u{1f}")).collect();
        client.write_all(format!("{line}\n").as_bytes()).unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).unwrap();
        let parts: Vec<&str> = answer.split_whitespace().collect();
        (parts[0].parse().unwrap(), decoded(parts[1]), decoded(parts[2]))
    }

    /// What a question of `aws ec2` prints as text.
    pub fn ask(&self, words: &[&str]) -> String {
        let all = [&["ec2"], words, &["--region", "eu-central-1", "--output", "text"]].concat();
        let (code, out, err) = self.call(&all);
        assert_eq!(code, 0, "{words:?}: {err}");
        out.trim_end().to_string()
    }

    /// Everything is gone.
    pub fn reset(&self) {
        let mut client = TcpStream::connect(("127.0.0.1", self.moto_port)).unwrap();
        client.write_all(b"POST /moto-api/reset HTTP/1.0\r\nContent-Length: 0\r\n\r\n").unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).unwrap();
        assert!(answer.contains("200"), "{answer}");
    }
}

fn decoded(text: &str) -> String {
    if text == "-" {
        return String::new();
    }
    let mut decoder = Command::new("base64").arg("-d").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = decoder.stdin.take().unwrap();
    // It writes while it reads: a long answer fills its pipe.
    std::thread::scope(|scope| {
        scope.spawn(move || input.write_all(text.as_bytes()).unwrap());
        String::from_utf8(decoder.wait_with_output().unwrap().stdout).unwrap()
    })
}

/// Exit code, what is said, errors, and the commands that change something.
pub type Ran = (i32, String, String, Vec<Vec<String>>);

/// A folder with a script, and with `aws` beside it.
pub struct Cloud<'a> {
    folder: tempfile::TempDir,
    services: &'a Services,
}

impl<'a> Cloud<'a> {
    pub fn new(services: &'a Services, script: &str) -> Cloud<'a> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("aws.sh", script), ("aws", STAND_IN)] {
            let path = write(folder.path(), name, text);
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        Cloud { folder, services }
    }

    /// Runs the script.
    pub fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, &[])
    }

    /// The same with parameters.
    pub fn run_with(&self, args: &[&str], set: &[(&str, &str)]) -> Ran {
        let calls = self.folder.path().join("calls");
        let _ = std::fs::remove_file(&calls);
        let path = format!("{}:{}", self.folder.path().display(), std::env::var("PATH").unwrap());
        let mut script = Command::new("bash");
        script.arg(self.folder.path().join("aws.sh")).args(args);
        script.env("PATH", path).env("STATE", self.folder.path()).env("IMAGE", IMAGE);
        script.env("AWS_DRIVER", self.services.driver_port.to_string()).envs(set.iter().copied());
        let (code, out, err) = super::run(&mut script);
        let words = |line: &str| line.split_terminator('\u{1f}').map(String::from).collect();
        let all: Vec<Vec<String>> = std::fs::read_to_string(calls).unwrap_or_default().lines().map(words).collect();
        let changes = all.into_iter().filter(|words| !words[1].starts_with("describe") && words[1] != "wait").collect();
        (code, out, err, changes)
    }
}
