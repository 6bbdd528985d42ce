//! A database server on a Unix socket, run by nobody; its load, and clients that log what was acknowledged.

use std::fs::File;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::mounted::NOBODY;
use crate::emulate::support::{call, have, run, wait_until};

/// Which server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Postgres,
    MariaDb,
}

/// Rows of pgbench's largest table are 100,000 times this: 60 MB.
const SCALE: &str = "4";
/// Rows of each of sysbench's two tables: 50 MB.
const ROWS: &str = "100000";
/// Small buffers: the disks are asked. Files are kept that a log needs, so that none is made while somebody measures.
const POSTGRES: &str = "listen_addresses = ''\nshared_buffers = '16MB'\nmin_wal_size = '512MB'\nmax_wal_size = '2GB'\n\
                        checkpoint_timeout = '30min'\nautovacuum = off\n";
/// The same of MariaDB. By default it keeps 1,536 pages free, of which this pool has a third: then all that is dirty is written as fast as
/// the disk takes it.
const MARIADB: [&str; 9] = [
    "--no-defaults",
    "--skip-networking",
    "--innodb-buffer-pool-size=8M",
    "--innodb-lru-scan-depth=100",
    "--innodb-log-file-size=64M",
    "--innodb-flush-method=O_DIRECT",
    "--innodb-buffer-pool-dump-at-shutdown=OFF",
    "--innodb-buffer-pool-load-at-startup=OFF",
    "--performance-schema=OFF",
];

/// sysbench's `oltp_read_write` that can keep a pace, as the guide has it.
const PACED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide/databases/paced.lua");

impl Kind {
    pub fn is_installed(self) -> bool {
        match self {
            Kind::Postgres if postgres("postgres").is_none() => {
                eprintln!("SKIPPED: PostgreSQL is not installed (scripts/setup-test-tools.sh installs it)");
                false
            }
            Kind::Postgres => true,
            Kind::MariaDb => have(&["mariadbd", "mariadb-install-db", "mariadb", "sysbench"]),
        }
    }

    /// What is on an image of it.
    pub fn recipe(self) -> String {
        match self {
            Kind::Postgres => {
                let version = postgres("postgres").and_then(|p| Some(p.parent()?.parent()?.file_name()?.to_owned()));
                format!("postgresql-{}-scale-{SCALE}", version.unwrap_or_default().to_string_lossy())
            }
            Kind::MariaDb => format!("mariadb-rows-{ROWS}"),
        }
    }

    /// Makes the database in a folder of nobody's.
    pub fn make(self, at: &Path) {
        let files = at.join("files");
        std::fs::create_dir(&files).expect("a folder");
        std::os::unix::fs::chown(&files, Some(NOBODY), Some(NOBODY)).expect("we are root");
        std::fs::set_permissions(&files, std::fs::Permissions::from_mode(0o700)).expect("we are root");
        match self {
            Kind::Postgres => {
                let mut initdb = as_nobody(&postgres("initdb").expect("it is installed"));
                initdb.args([
                    "--auth=trust",
                    "--no-sync",
                    "--username=postgres",
                    "--no-locale",
                    "--encoding=UTF8",
                    "-D",
                ]);
                run(initdb.arg(&files)).ok();
                let conf = files.join("postgresql.conf");
                let text = std::fs::read_to_string(&conf).expect("initdb wrote it");
                std::fs::write(conf, text + POSTGRES).expect("we are root");
                let server = Server::start(self, at, &[]);
                run(server.pgbench().args(["--initialize", "--quiet", "--scale", SCALE, "postgres"])).ok();
                server.sql("CREATE TABLE commits (c int, n int)");
                server.sql("CHECKPOINT");
                server.stop();
            }
            Kind::MariaDb => {
                let mut install = as_nobody(Path::new("mariadb-install-db"));
                install.args(["--no-defaults", "--auth-root-authentication-method=normal", "--skip-test-db"]);
                run(install.arg(format!("--datadir={}", files.display()))).ok();
                let server = Server::start(self, at, &[]);
                server.sql("CREATE DATABASE sbtest");
                run(server.sysbench().arg("prepare")).ok();
                server.sql("CREATE TABLE sbtest.commits (c int, n int, PRIMARY KEY (c, n))");
                server.stop();
            }
        }
    }
}

/// A program of the newest PostgreSQL; Debian keeps them off the path.
fn postgres(program: &str) -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let number = |path: &PathBuf| path.parent()?.parent()?.file_name()?.to_str()?.parse::<u32>().ok();
    versions.map(|version| version.path().join("bin").join(program)).filter(|path| path.is_file()).max_by_key(number)
}

fn as_nobody(program: &Path) -> Command {
    let mut command = Command::new(program);
    let path = format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap_or_default());
    // What is asked of the locale, the time zone and the home folder is asked of nobody's.
    command.uid(NOBODY).gid(NOBODY).current_dir("/").env("PATH", path).env("LC_ALL", "C").env("HOME", "/nonexistent");
    command
}

/// A running server, killed when dropped.
pub struct Server {
    kind: Kind,
    child: Child,
    /// Its socket and what it says, on this machine's own disk.
    beside: tempfile::TempDir,
}

impl Server {
    /// On the files that are at this mount point, with more options.
    pub fn start(kind: Kind, at: &Path, options: &[&str]) -> Server {
        let beside = tempfile::tempdir().expect("a folder");
        std::fs::set_permissions(beside.path(), std::fs::Permissions::from_mode(0o777)).expect("its owner may");
        let (files, socket) = (at.join("files"), beside.path().join("sock"));
        let mut command = match kind {
            Kind::Postgres => {
                let mut command = as_nobody(&postgres("postgres").expect("it is installed"));
                command.arg("-D").arg(&files).arg("-k").arg(beside.path());
                command
            }
            Kind::MariaDb => {
                let mut command = as_nobody(Path::new("mariadbd"));
                command.args(MARIADB).arg(format!("--datadir={}", files.display()));
                command.arg(format!("--socket={}", socket.display()));
                command.arg(format!("--pid-file={}", beside.path().join("pid").display()));
                command
            }
        };
        let log = File::create(beside.path().join("log")).expect("a log");
        let child =
            command.args(options).stdin(Stdio::null()).stdout(log.try_clone().expect("a log")).stderr(log).spawn();
        let mut server = Server { kind, child: child.expect("it starts"), beside };
        wait_until("the server answers", || {
            let ended = server.child.try_wait().expect("its state");
            assert!(ended.is_none(), "{kind:?} ended: {ended:?}\n{}", server.log());
            run(server.client().args(server.one("SELECT 1"))).code == 0
        });
        server
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.beside.path().join("log")).unwrap_or_default()
    }

    /// Its own client, that prints rows and nothing else and stops at the first error.
    pub fn client(&self) -> Command {
        let here = self.beside.path();
        let mut command = match self.kind {
            Kind::Postgres => Command::new(postgres("psql").expect("it is installed")),
            Kind::MariaDb => Command::new("mariadb"),
        };
        match self.kind {
            Kind::Postgres => {
                command.args(["-qAtX", "-v", "ON_ERROR_STOP=1", "-U", "postgres", "-d", "postgres", "-h"]).arg(here)
            }
            Kind::MariaDb => command.args(["--no-defaults", "-N", "-B", "-n", "-uroot", "-S"]).arg(here.join("sock")),
        };
        command
    }

    /// One statement as its client takes it.
    fn one(&self, statement: &str) -> [String; 2] {
        [if self.kind == Kind::Postgres { "-c" } else { "-e" }.to_string(), statement.to_string()]
    }

    /// What a statement answers.
    #[track_caller]
    pub fn sql(&self, statement: &str) -> String {
        run(self.client().args(self.one(statement))).ok()
    }

    fn pgbench(&self) -> Command {
        let mut command = Command::new(postgres("pgbench").expect("it is installed"));
        command.args(["-U", "postgres", "-h"]).arg(self.beside.path());
        command
    }

    fn sysbench(&self) -> Command {
        let mut command = Command::new("sysbench");
        let socket = format!("--mysql-socket={}", self.beside.path().join("sock").display());
        command.args([PACED, "--db-driver=mysql", "--mysql-user=root", "--tables=2", "--rand-type=uniform"]);
        command.arg(format!("--table-size={ROWS}")).arg(socket);
        command
    }

    /// Its benchmark for so many seconds: transactions per second in all, or as many as it can. The same seed asks the same.
    pub fn load(&self, clients: u32, rate: Option<u32>, seconds: u64, seed: u32) -> Command {
        match self.kind {
            Kind::Postgres => {
                let mut command = self.pgbench();
                command.args(["--no-vacuum", "--client", &clients.to_string(), "--time", &seconds.to_string()]);
                command.args(["--progress", "1", "--progress-timestamp", &format!("--random-seed={seed}")]);
                command.args(rate.map(|rate| format!("--rate={rate}"))).arg("postgres");
                command
            }
            Kind::MariaDb => {
                let mut command = self.sysbench();
                command.arg(format!("--pace={}", rate.unwrap_or(0)));
                command.args([
                    format!("--threads={clients}"),
                    format!("--time={seconds}"),
                    format!("--rand-seed={seed}"),
                ]);
                command.arg("run");
                command
            }
        }
    }

    /// A client that commits rows (`c`, 1), (`c`, 2) ... and writes the number of each that was acknowledged, until the server is gone
    /// or there are so many; it rests for so long after each.
    pub fn committer(&self, c: u32, most: u32, rest: Duration) -> Committer {
        let rest = match (self.kind, rest.as_secs_f64()) {
            (_, 0.0) => String::new(),
            (Kind::Postgres, s) => format!("DO $$ BEGIN PERFORM pg_sleep({s}); END $$;\n"),
            (Kind::MariaDb, s) => format!("DO SLEEP({s});\n"),
        };
        let statements = (1..=most).map(|n| match self.kind {
            Kind::Postgres => {
                format!("INSERT INTO commits VALUES ({c}, {n});\nSELECT {n}, pg_current_wal_insert_lsn();\n{rest}")
            }
            Kind::MariaDb => format!("INSERT INTO sbtest.commits VALUES ({c}, {n});\nSELECT {n};\n{rest}"),
        });
        let (statement_file, log) =
            (self.beside.path().join(format!("in-{c}")), self.beside.path().join(format!("out-{c}")));
        std::fs::write(&statement_file, statements.collect::<String>()).expect("room");
        let output = File::create(&log).expect("a log");
        let input = File::open(statement_file).expect("it is there");
        let child = self.client().stdin(input).stdout(output).stderr(Stdio::null()).spawn().expect("a client");
        Committer { c, child, log }
    }

    /// Rows that are there, as (client, number).
    pub fn commits(&self) -> Vec<(u32, u32)> {
        let table = if self.kind == Kind::Postgres { "commits" } else { "sbtest.commits" };
        let text = self.sql(&format!("SELECT c, n FROM {table} ORDER BY c, n"));
        let row = |line: &str| {
            let (c, n) = line.split_once(['|', '\t']).expect("two columns");
            (c.parse().expect("a number"), n.parse().expect("a number"))
        };
        text.lines().map(row).collect()
    }

    /// Ends it in good order.
    pub fn stop(mut self) {
        let signal = if self.kind == Kind::Postgres { "-INT" } else { "-TERM" };
        call("kill", [signal, &self.child.id().to_string()]).ok();
        wait_until("the server ends", || self.child.try_wait().expect("its state").is_some());
    }

    /// Ends it at once with all its processes: the machine under it is gone.
    pub fn kill(&mut self) {
        if self.child.try_wait().is_ok_and(|ended| ended.is_some()) {
            return;
        }
        let id = self.child.id();
        // Stopped first: a server that sees its children die makes new ones.
        call("kill", ["-STOP".to_string(), id.to_string()]);
        let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
        let all: Vec<String> = children.split_whitespace().map(String::from).chain([id.to_string()]).collect();
        call("kill", ["-KILL".to_string()].into_iter().chain(all.iter().cloned()));
        let _ = self.child.wait();
        wait_until("its processes end", || !all.iter().any(|id| Path::new("/proc").join(id).join("exe").exists()));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        if std::thread::panicking() {
            eprintln!("{:?} said:\n{}", self.kind, self.log());
        }
    }
}

/// A client that commits and logs.
pub struct Committer {
    pub c: u32,
    child: Child,
    log: PathBuf,
}

/// Numbers that were acknowledged, in order, each with the end of the server's log then where it says it.
pub type Acknowledged = Vec<(u32, Option<u64>)>;

impl Committer {
    /// So far.
    pub fn acknowledged(&self) -> Acknowledged {
        let text = std::fs::read_to_string(&self.log).expect("its log");
        // A line that is not whole was not read by anybody.
        let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
        let line = |line: &str| match line.split_once('|') {
            Some((n, lsn)) => (n.parse().expect("a number"), Some(lsn_of(lsn))),
            None => (line.parse().expect("a number"), None),
        };
        whole.lines().map(line).collect()
    }

    /// Until it ends by itself.
    pub fn finish(mut self) -> Acknowledged {
        wait_until("the client ends", || self.child.try_wait().expect("its state").is_some());
        self.acknowledged()
    }
}

impl Drop for Committer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A place in PostgreSQL's log: `0/1A2B3C`.
pub fn lsn_of(text: &str) -> u64 {
    let (high, low) = text.trim().split_once('/').expect("two halves");
    let hex = |text| u64::from_str_radix(text, 16).expect("hexadecimal");
    (hex(high) << 32) + hex(low)
}
