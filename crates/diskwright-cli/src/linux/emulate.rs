//! `diskwright emulate`: a scenario's disks as block devices of this machine, until somebody stops them.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{ArgGroup, Args};
use dw_catalogue::LatencySetting;
use dw_emulator::command::{Command, ErrorCode};
use dw_emulator::control::{Handle, socket::ControlSocket};
use dw_emulator::durability::WriteLog;
use dw_emulator::metrics::{self, VendorNames};
use dw_emulator::pace::Overhead;
use dw_emulator::serve::{self, Listener, Notice, ServeOptions, Server, Tls};
use dw_emulator::{
    Engine, EngineOptions, ExportId, FileOptions, FileStore, Gone, Member, MemoryRoom, MemoryStore, NullStore, Store,
    VolumeOptions,
};
use dw_error::{Error, Result};
use dw_formats::scenario::{CacheStart, Scenario};
use dw_stack::CacheMode;
use dw_units::{Bytes, Duration};

use crate::cli::starts;
use crate::exit::Exit;
use crate::latency;
use crate::linux::ctl::{control_beside, throttled};
use crate::report::format::bytes;
use crate::{amounts, input, memory, system, to_stderr, without_effect};

mod detach;
mod images;
mod mount;
mod mount_args;
mod pid_file;
mod summary;
mod temporary;
mod vhost_user;

use images::Images;
pub use mount_args::{FileSystem, MountArgs};
use pid_file::PidFile;
use temporary::Temporary;

const EXAMPLES: &str = "Each volume is an export of its name; its disks are the exports NAME.0, NAME.1 and so on.

Examples:
  diskwright emulate rig.toml --dir data --socket /tmp/rig.sock --detach
  nbdinfo --list 'nbd+unix:///?socket=/tmp/rig.sock'
  fio --name=x --ioengine=nbd --uri='nbd+unix:///data?socket=/tmp/rig.sock' --rw=randread --bs=8k --size=1g --runtime=30
  diskwright ctl --socket /tmp/rig.sock.control status
  diskwright ctl --socket /tmp/rig.sock.control shutdown

  diskwright emulate rig.toml --dir data --vhost-user data=/tmp/data.sock
  qemu-system-x86_64 ... -object memory-backend-memfd,id=mem,size=1G,share=on -numa node,memdev=mem \\
      -chardev socket,id=disk0,path=/tmp/data.sock,reconnect=1 -device vhost-user-blk-pci,chardev=disk0

The first SIGTERM or Ctrl-C shuts the emulation down cleanly: it finishes outstanding requests and makes all acknowledged writes
durable. The second one stops it immediately, like a host crash.";

/// Memory that is left for the server itself: replies that clients have yet to take, and what they are writing.
const SERVER_MIN: u64 = 64 << 20;

/// Options of `emulate`.
#[derive(Debug, Args)]
#[command(
    after_help = EXAMPLES,
    group = ArgGroup::new("bytes").args(["dir", "memory", "null"]),
)]
pub struct EmulateArgs {
    /// Scenario file: the VM and its disks; or a disk's name, such as P30, for a volume `data` on it
    #[arg(value_name = "RIG.toml|DISK", required_unless_present = "clean")]
    pub rig: Option<PathBuf>,
    /// Keep the disks' data in this directory, one sparse file per disk
    #[arg(long, value_name = "DATA")]
    pub dir: Option<PathBuf>,
    /// Keep the data in memory; it is lost at the end
    #[arg(long)]
    pub memory: bool,
    /// Maximum memory for the data with --memory; writes beyond it fail with ENOSPC. Default: the memory available at the start within
    /// this machine, its control group and `ulimit -v`, less an eighth and at least 64 MiB
    #[arg(long, value_name = "SIZE", requires = "memory", conflicts_with_all = ["dir", "null"], value_parser = crate::observe::size)]
    pub memory_max: Option<Bytes>,
    /// Keep no data: writes are discarded, reads return zeroes
    #[arg(long)]
    pub null: bool,
    /// Listen on this Unix socket, accessible to its owner only
    #[arg(long, value_name = "PATH")]
    pub socket: Option<PathBuf>,
    /// Listen on this TCP address; remote access requires TLS
    #[arg(long, value_name = "ADDRESS")]
    pub tcp: Vec<String>,
    /// Serve a volume or one of its disks to guests over vhost-user-blk on this Unix socket; may be repeated
    #[arg(long, value_name = "VOLUME=PATH")]
    pub vhost_user: Vec<String>,
    /// Certificate chain for TLS (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// Key of the certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    /// Accept only clients with a certificate signed by this one (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_client_ca: Option<PathBuf>,
    /// Serve --tcp unencrypted: anyone who can connect can read and write the disks
    #[arg(long)]
    pub insecure_listen: bool,
    /// Host cache content at the start; default: the scenario's
    #[arg(long, value_parser = starts(), value_name = "STATE")]
    pub start: Option<CacheStart>,
    /// Position of the default models within the published latencies; default: the scenario's, or typical
    #[arg(long, value_parser = latency::settings(), value_name = "SETTING")]
    pub latency: Option<LatencySetting>,
    /// Control socket for `diskwright ctl`; default: the --socket path plus `.control`
    #[arg(long, value_name = "PATH")]
    pub control: Option<PathBuf>,
    /// Serve Prometheus metrics on this address
    #[arg(long, value_name = "ADDRESS")]
    pub metrics: Option<String>,
    /// Random seed; default: the scenario's
    #[arg(long, value_name = "N", value_parser = amounts::whole::<u64>(0, u64::MAX))]
    pub seed: Option<u64>,
    /// Refuse writes
    #[arg(long)]
    pub read_only: bool,
    /// Bypass this machine's page cache
    #[arg(long, requires = "dir", conflicts_with_all = ["memory", "null"])]
    pub direct: bool,
    /// Make data that is durable in the model survive a power failure of this machine as well
    #[arg(long, requires = "dir", conflicts_with_all = ["memory", "null"])]
    pub durable: bool,
    /// Log writes as they become durable, for crash checkers, in dm-log-writes format: to a directory, or to a file for a single
    /// one-disk volume
    #[arg(long, value_name = "PATH", conflicts_with = "null")]
    pub log_writes: Option<PathBuf>,
    /// Sector size of the logs, in bytes: 512 or 4096
    #[arg(long, value_name = "BYTES", default_value_t = 512, requires = "log_writes", conflicts_with = "null")]
    #[arg(value_parser = amounts::whole::<u32>(512, 4_096))]
    pub log_sector: u32,
    /// Busy-wait this long before each completion instead of sleeping: exact to the microsecond, but uses CPU; `50us`; a bare number
    /// is in µs
    #[arg(long, value_name = "TIME", default_value = "0", value_parser = amounts::or_us)]
    pub spin: Duration,
    /// Send completions this much early, to offset transport overhead; a bare number is in µs; default: measured at the start
    #[arg(long, value_name = "TIME", value_parser = amounts::or_us)]
    pub overhead: Option<Duration>,
    /// Maximum number of concurrent clients
    #[arg(long, value_name = "N", default_value_t = serve::CLIENTS_MAX, value_parser = amounts::whole::<usize>(1, u64::MAX))]
    pub max_connections: usize,
    /// On shutdown, wait at most this long for outstanding requests; a bare number is in ms
    #[arg(long, value_name = "TIME", default_value_t = serve::DRAIN, value_parser = amounts::or_ms)]
    pub drain: Duration,
    /// Write a line to this new file for every second in which a limit throttled requests
    #[arg(long, value_name = "FILE")]
    pub log_throttled: Option<PathBuf>,
    /// Write the process ID to this file once clients can connect; an existing file must be empty or name a dead process
    #[arg(long, value_name = "FILE")]
    pub pid_file: Option<PathBuf>,
    /// Return once clients can connect, and run in the background until `diskwright ctl shutdown`
    #[arg(long, conflicts_with = "command")]
    pub detach: bool,
    /// The one in the background
    #[arg(long, hide = true, conflicts_with_all = ["command", "detach"])]
    pub detached: bool,
    /// End with this process, which started this one, however that ends
    #[arg(long, hide = true, value_name = "PID", conflicts_with_all = ["detach", "detached"], value_parser = amounts::whole::<i32>(1, i32::MAX as u64))]
    pub with_parent: Option<i32>,
    /// No banner, no summary
    #[arg(short, long)]
    pub quiet: bool,
    /// Mounting, and a command
    #[command(flatten)]
    pub mounting: MountArgs,
}

/// How a command on the disks ended, if there was one.
type Ended = Result<Option<i32>>;

/// Serves until it is stopped, or until the command on it has ended.
pub fn run(args: &EmulateArgs) -> Result<Exit> {
    if args.mounting.clean {
        return clean(args);
    }
    if let (false, Some(option)) = (args.mounting.has_folders(), args.mounting.of_mounts()) {
        let hint = "leave it out, or mount a volume with `--mount VOLUME=DIR`";
        return Err(Error::usage(format!("`{option}` has no effect: nothing is mounted")).hint(hint));
    }
    if args.null && !args.mounting.mount.is_empty() {
        let hint = "keep the data with `--memory` or `--dir DATA`";
        return Err(Error::usage("`--null` keeps no data, but `--mount` needs a file system").hint(hint));
    }
    within_reason(args)?;
    sockets_are_apart(args)?;
    if args.detach {
        if control_path(args).is_none() && !args.mounting.has_folders() {
            let hint = "add `--control PATH`, so that `diskwright ctl` can stop it";
            return Err(Error::usage("this emulation could not be stopped: it would have no control socket").hint(hint));
        }
        return detach::start();
    }
    let rig = args.rig.as_deref().unwrap_or(Path::new("-"));
    match serve(args, rig)? {
        None | Some(0) => Ok(Exit::Ok),
        // The command's own, whatever it means by it.
        Some(code) => std::process::exit(code),
    }
}

/// Times beyond which an emulation would be no emulation any more, or would not end while somebody waits for it.
fn within_reason(args: &EmulateArgs) -> Result<()> {
    let bounds = [
        ("--overhead", args.overhead, Duration::from_ms(100)),
        ("--spin", Some(args.spin), Duration::from_ms(100)),
        ("--drain", Some(args.drain), Duration::from_secs(3_600)),
        ("--unmount-wait", args.mounting.unmount_wait, Duration::from_secs(86_400)),
    ];
    match bounds.into_iter().find(|(_, given, most)| given.is_some_and(|given| given > *most)) {
        None => Ok(()),
        Some((option, given, most)) => {
            let what = format!("`{option}` is {} and may be {most} at most", given.unwrap_or_default());
            Err(Error::usage(what).hint(format!("write `{option} {}` or less", most.to_string().replace(' ', ""))))
        }
    }
}

/// No two of its own sockets are in one place: the second would be told that another server listens there.
fn sockets_are_apart(args: &EmulateArgs) -> Result<()> {
    let at = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(folder.canonicalize().ok()?.join(path.file_name()?).display().to_string())
    };
    let guests = args.vhost_user.iter().filter_map(|text| vhost_user::named(text).ok());
    let control = control_path(args);
    let paths = (args.socket.iter().map(|path| ("--socket", path.as_path())))
        .chain(guests.map(|(_, path)| ("--vhost-user", path)))
        .chain(control.iter().map(|path| ("--control", path.as_path())))
        .filter_map(|(option, path)| Some((option, at(path)?)));
    let addresses = (args.tcp.iter().map(|address| ("--tcp", address)))
        .chain(args.metrics.iter().map(|address| ("--metrics", address)))
        // Each gets a port of its own.
        .filter(|(_, address)| !address.ends_with(":0"))
        .map(|(option, address)| (option, address.clone()));
    let mut seen: Vec<(&str, String)> = Vec::new();
    for (option, place) in paths.chain(addresses) {
        if let Some((other, _)) = seen.iter().find(|(_, there)| *there == place) {
            let what = if *other == option {
                format!("`{option}` names {place} twice")
            } else {
                format!("`{other}` and `{option}` both name {place}")
            };
            return Err(Error::usage(what).hint("give each its own path"));
        }
        seen.push((option, place));
    }
    Ok(())
}

fn clean(args: &EmulateArgs) -> Result<Exit> {
    let done = mount::clean(&args.mounting)?;
    let text = if done.is_empty() { "nothing to clean up".to_string() } else { done.join("\n") };
    to_stderr(&format!("{text}\n"));
    Ok(Exit::Ok)
}

fn serve(args: &EmulateArgs, rig: &Path) -> Ended {
    serve::keep_little_freed_memory();
    if args.detached {
        detach::leave_terminal();
    }
    args.with_parent.map_or(Ok(()), end_with)?;
    mount::can_start(&args.mounting)?;
    args.pid_file.as_deref().map(PidFile::check).transpose()?;
    let mut scenario = scenario(rig, args.latency)?;
    scenario.stack.seed = args.seed.unwrap_or(scenario.stack.seed);
    without_effect::start(&mut scenario, args.start)?;
    let tls = tls(args)?;
    let listeners = listeners(args, tls.is_some())?;
    let place = Place::from_args(args)?;
    if let Place::Folder(folder) = &place
        && args.read_only
    {
        images::are_there(folder, &scenario)?;
    }
    let left = args.memory_max.map(|most| (most, memory::left()));
    if let Some((most, left)) = left.filter(|(most, left)| most > left) {
        let (most, left) = (bytes(most.get() as f64), bytes(left.get() as f64));
        to_stderr(&format!(
            "warning: `--memory-max` is {most}, but this machine has only {left} available: if it runs out, the system kills the \
             emulation and all written data is lost\nhint: use a lower limit, or keep the data in a directory with `--dir`\n"
        ));
    }
    let mut images = place.folder().map(Images::within).transpose()?;
    let engine = engine(args, &place, rig, &scenario, images.as_mut())?;
    let guests = vhost_user::listeners(&args.vhost_user, &engine)?;
    let overhead = match args.overhead {
        Some(total) => Overhead { total, timer: Duration::ZERO },
        None => serve::overhead().map_err(|e| unexpected("cannot measure this machine's overhead", &e))?,
    };
    let (log, throttled) = args.log_throttled.as_deref().map(throttled::log).transpose()?.unzip();
    let all = listeners.iter().chain(guests.iter().map(|(listener, _)| listener));
    let sockets: Vec<String> = all.map(|listener| listener.address().to_string()).collect();
    let banner = summary::banner(&engine, &listeners, &guests, overhead.total, &scenario.latency);
    let mut options = ServeOptions {
        overhead,
        spin: args.spin,
        clients_max: args.max_connections,
        drain: args.drain,
        tls,
        vhost_user: guests,
        watch_host_disk: place.folder().is_some(),
        timeline: crate::linux::ctl::script::timeline(&scenario.timeline),
        throttled,
        notice: Box::new(|notice: Notice| to_stderr(&format!("note: {notice}\n"))),
        ..ServeOptions::default()
    };
    let prepared = mount::prepare(&args.mounting, &engine, place.temporary(), &mut options)?;
    let told = place.told(images.as_ref());
    let server = Server::new(engine, listeners, options).map_err(|e| unexpected("cannot begin to serve", &e))?;
    let control_at = control_path(args).or_else(|| prepared.as_ref().map(mount::Prepared::control));
    let running = prepared.map(|prepared| prepared.keep(&args.mounting, &server.handle()));
    let handle = running.as_ref().map_or_else(|| server.handle(), mount::Running::handle);
    stop_on_signal(&handle);
    let opened = control_at.map(|path| control(path, &handle)).transpose().and_then(|control| {
        let metrics = args.metrics.as_deref().map(|address| metrics(address, &handle)).transpose()?;
        Ok((control, metrics))
    });
    let (control, metrics) = opened.inspect_err(|_| running.iter().for_each(mount::Running::give_up))?;
    // From here on clients write.
    if let Some(images) = &mut images {
        images.stay();
    }
    let ready = |mounted: &str| {
        let pid_file = args.pid_file.as_deref().map(PidFile::write).transpose()?;
        if !args.quiet {
            let control = control.as_ref().map(|(path, _)| path.as_path());
            to_stderr(&format!("{banner}{}{mounted}", summary::beside(control, metrics, told.as_deref())));
        }
        if let (true, Some((path, _))) = (args.detached, &control) {
            detach::ready(&sockets, path)?;
        }
        if let Some(log) = log {
            log.stays();
        }
        Ok(pid_file)
    };
    let ran = match &running {
        None => {
            let _pid_file = ready("")?;
            server.run().map(|summary| (summary, Ok(None)))
        }
        Some(running) => {
            let command = mount::command(
                &args.mounting,
                args.socket.as_deref(),
                control.as_ref().map(|(path, _)| path.as_path()),
            );
            std::thread::scope(|scope| {
                let conductor = scope.spawn(|| running.conduct(command, ready));
                let summary = server.run();
                let (ended, _pid_file) = conductor.join().unwrap_or((Ok(None), None));
                summary.map(|summary| (summary, ended))
            })
        }
    };
    let (summary, ended) = ran.map_err(|e| unexpected("the emulation ended", &e))?;
    if let Some((_, control)) = &control {
        control.drain();
    }
    drop(control);
    if let Some(running) = running {
        running.close();
    }
    let code = ended?;
    if !args.quiet {
        to_stderr(&summary::closing(&summary));
    }
    match summary.durable.map_err(|e| not_durable(&e)) {
        // A command that failed has the exit code.
        Err(error) if code.is_some_and(|code| code != 0) => to_stderr(&format!("{error}\n")),
        durable => durable?,
    }
    Ok(code)
}

fn not_durable(why: &std::io::Error) -> Error {
    let (why, hint) = if Gone::is(why) {
        let hint = "leave the disks' directory untouched until the emulation has stopped; until then, readable data can still be \
                    copied out through it";
        (why.to_string(), hint)
    } else {
        let hint = "flushed data is in the disks' files; free some space there, or check the health of that disk, before you \
                    restart";
        (system::reason(why), hint)
    };
    Error::unexpected(format!("some data could not be made durable: {why}")).hint(hint)
}

/// What to do about what a name alone does not say.
const OF_FILE: &str = "write a scenario with the disks and their sizes: `diskwright init rig` prints a starter file";

/// The file's, or that of a disk by its name: one volume `data` of it, in a VM without limits of its own.
fn scenario(rig: &Path, latency: Option<LatencySetting>) -> Result<Scenario> {
    let name = rig.to_str().filter(|_| !rig.exists() && !input::is_standard_input(rig));
    let disk = name.map(|name| (name, crate::in_use::catalogue().disk(name, None)));
    match disk {
        // A path, which is not there, its reader tells.
        Some((name, Err(e))) if !name.contains(['.', '/']) => {
            let hint = system::offered(name).map(|what| format!("{what}; {OF_FILE}"));
            Err(Error::input(format!("no file or disk is called `{name}`")).hint(hint.unwrap_or_else(|| e.hint())))
        }
        None | Some((_, Err(_))) => input::scenario(rig, latency),
        Some((disk, Ok(_))) => {
            let text = format!("[vm]\n\n[[volume]]\nname = \"data\"\ndisks = \"{disk}\"\n");
            // Nobody has seen that text, so its lines and keys are not spoken of.
            crate::in_use::session().scenario_with(disk, &text, latency).map_err(|e| Error::input(e.what).hint(OF_FILE))
        }
    }
}

/// Where the bytes are.
#[derive(Debug)]
enum Place {
    Folder(PathBuf),
    Temporary(Temporary),
    Memory(MemoryRoom),
    Nowhere,
}

impl Place {
    fn from_args(args: &EmulateArgs) -> Result<Place> {
        match (&args.dir, args.memory, args.null) {
            (Some(folder), ..) => Ok(Place::Folder(folder.clone())),
            (_, true, _) => Ok(Place::Memory(MemoryRoom::new(args.memory_max.unwrap_or_else(memory_max)))),
            (.., true) => Ok(Place::Nowhere),
            _ if !args.mounting.command.is_empty() => Temporary::new().map(Place::Temporary),
            _ => Err(Error::usage("no place for the disks' data is given").hint(
                "give `--dir DIR`, `--memory` or `--null`; only a command after `--` gets a temporary directory",
            )),
        }
    }

    fn temporary(&self) -> Option<&Path> {
        if let Place::Temporary(folder) = self { Some(folder.path()) } else { None }
    }

    /// What there is to know about it that nobody has written on the command line.
    fn told(&self, images: Option<&Images>) -> Option<String> {
        match self {
            Place::Temporary(folder) => {
                Some(format!("{}, removed at the end (`--dir` keeps them)", folder.path().display()))
            }
            Place::Memory(room) => {
                Some(format!("in memory, {} at most (`--memory-max`)", bytes(room.most().get() as f64)))
            }
            Place::Folder(_) => images.map(Images::told),
            Place::Nowhere => None,
        }
    }

    fn folder(&self) -> Option<&Path> {
        if let Place::Folder(folder) = self { Some(folder) } else { self.temporary() }
    }
}

/// What disks in memory may take where nobody says: what is left, less what the server and its clients' requests need.
fn memory_max() -> Bytes {
    let left = memory::left().get();
    Bytes::new(left.saturating_sub((left / 8).max(SERVER_MIN)))
}

fn unexpected(what: &str, error: &dyn std::fmt::Display) -> Error {
    Error::unexpected(format!("{what}: {error}"))
}

fn tls(args: &EmulateArgs) -> Result<Option<Tls>> {
    let (Some(certificate), Some(key)) = (&args.tls_cert, &args.tls_key) else { return Ok(None) };
    // Whoever is at this machine's own socket needs none; beyond it everybody does.
    let required = !args.tcp.is_empty() || args.socket.is_none();
    Ok(Some(Tls::load(certificate, key, args.tls_client_ca.as_deref(), required)?))
}

fn listeners(args: &EmulateArgs, secured: bool) -> Result<Vec<Listener>> {
    let mut listeners = Listener::inherited()?;
    if let Some(path) = &args.socket {
        listeners.push(Listener::unix(path)?);
    }
    for address in &args.tcp {
        listeners.push(Listener::tcp(address, secured, args.insecure_listen)?);
    }
    if listeners.is_empty() && args.vhost_user.is_empty() && !args.mounting.has_folders() {
        return Err(Error::usage("no listening address").hint(
            "give `--socket PATH`, `--tcp 127.0.0.1:10809`, `--vhost-user VOLUME=PATH`, or `--mount VOLUME=DIR`",
        ));
    }
    Ok(listeners)
}

fn engine(
    args: &EmulateArgs,
    place: &Place,
    rig: &Path,
    scenario: &Scenario,
    images: Option<&mut Images>,
) -> Result<Engine> {
    let stores = stores(args, place, rig, scenario, images)?;
    let volume = |_| VolumeOptions { read_only: args.read_only, ..VolumeOptions::default() };
    let options =
        EngineOptions { volumes: scenario.stack.volumes.iter().map(volume).collect(), ..EngineOptions::default() };
    let mut engine = Engine::new(scenario.stack.clone(), stores, options)
        .map_err(|e| Error::from(e).of_file(rig.display().to_string()))?;
    for (volume, offset, len) in warm(scenario) {
        engine.warm(ExportId(volume), offset, len);
    }
    if let Some(path) = &args.log_writes {
        log_writes(&mut engine, path, args.log_sector)?;
    }
    Ok(engine)
}

/// Logs of what becomes durable: one a volume and, where it has several, one a disk.
fn log_writes(engine: &mut Engine, path: &Path, sector: u32) -> Result<()> {
    let exports: Vec<String> = engine.exports().iter().map(|export| export.name.clone()).collect();
    let logged: Vec<(ExportId, &String)> =
        (0..).map(ExportId).zip(&exports).filter(|(id, _)| engine.is_distinct(*id)).collect();
    let is_file = logged.len() == 1 && !path.is_dir() && !path.as_os_str().as_encoded_bytes().ends_with(b"/");
    if !is_file {
        match std::fs::create_dir(path) {
            Err(e) if !path.is_dir() => return Err(system::cannot_make(path, &e)),
            _ => {}
        }
    }
    for (export, name) in logged {
        let file = if is_file { path.to_path_buf() } else { path.join(format!("{name}.log")) };
        let log = WriteLog::create(&file, sector)?;
        engine.log_writes(export, log).map_err(|what| Error::usage(what).hint("give `--log-sector 512`"))?;
    }
    Ok(())
}

/// One store a disk, volume by volume.
fn stores(
    args: &EmulateArgs,
    place: &Place,
    rig: &Path,
    scenario: &Scenario,
    mut images: Option<&mut Images>,
) -> Result<Vec<Box<dyn Store>>> {
    let rig = rig.display().to_string();
    let mut stores: Vec<Box<dyn Store>> = Vec::new();
    for volume in &scenario.stack.volumes {
        let member = Some(Member::new(volume.disks.len() as u16, volume.stripe_unit));
        let options = FileOptions { direct: args.direct, durable: args.durable, member };
        for (number, disk) in volume.disks.iter().enumerate() {
            let (name, size) = (format!("{}.{number}", volume.name), disk.size.get());
            let mut file = |folder: &Path| -> Result<FileStore> {
                let store = FileStore::open(folder, &name, size, &rig, options)?;
                images.iter_mut().for_each(|images| images.add(&store));
                Ok(store)
            };
            stores.push(match place {
                Place::Folder(folder) => Box::new(file(folder)?),
                Place::Temporary(folder) => Box::new(file(folder.path())?),
                Place::Nowhere => Box::new(NullStore::new(size)),
                Place::Memory(room) => Box::new(MemoryStore::new(size, room.clone()).map_err(|why| {
                    Error::input(format!("disk `{name}` of {} cannot be kept in memory: {why}", disk.size))
                        .hint("raise `--memory-max`, keep the data in a directory with `--dir`, or use a smaller disk")
                        .of_file(rig.as_str())
                })?),
            });
        }
    }
    Ok(stores)
}

/// What the host cache holds at the start (volume, first byte, bytes): the scenario's ranges, or the beginning of every cached
/// volume, as much as fits when each has an equal share.
fn warm(scenario: &Scenario) -> Vec<(u16, u64, u64)> {
    if scenario.start == CacheStart::Cold {
        return Vec::new();
    }
    if !scenario.warm.is_empty() {
        return scenario.warm.clone();
    }
    let Some(cache) = &scenario.stack.vm.host_cache else { return Vec::new() };
    let cached: Vec<(u16, u64)> = (0..)
        .zip(&scenario.stack.volumes)
        .filter(|(_, volume)| volume.host_cache != CacheMode::None)
        .map(|(index, _)| (index, scenario.volumes[usize::from(index)].size.get()))
        .collect();
    let share = cache.capacity.get() / cached.len().max(1) as u64;
    cached.into_iter().map(|(index, size)| (index, 0, size.min(share))).collect()
}

/// Figures for Prometheus, from now on.
fn metrics(address: &str, handle: &Handle) -> Result<std::net::SocketAddr> {
    let names = VendorNames(dw_catalogue::vendor().metrics());
    metrics::serve(address, handle.clone(), names).map_err(|e| {
        Error::usage(format!("`--metrics`: {}", system::reason(&e)))
            .hint("choose a local address, such as `127.0.0.1:9900`; port 0 picks a free one")
    })
}

/// Where the control socket is to be.
fn control_path(args: &EmulateArgs) -> Option<PathBuf> {
    let guests = args.vhost_user.iter().find_map(|text| vhost_user::named(text).ok());
    let socket = args.socket.as_deref().or(guests.map(|(_, path)| path));
    args.control.clone().or_else(|| socket.map(control_beside))
}

/// The control socket, with its path.
fn control(path: PathBuf, handle: &Handle) -> Result<(PathBuf, ControlSocket)> {
    match ControlSocket::listen(&path, handle.clone()) {
        Ok(socket) => Ok((path, socket)),
        Err(e) => {
            let error = Error::of(dw_error::Kind::Usage, e);
            let hint = format!("{}; `--control PATH` sets the path of the control socket", error.hint);
            Err(error.hint(hint))
        }
    }
}

/// The kernel sends a signal when the parent is gone, even one that was killed.
fn end_with(parent: i32) -> Result<()> {
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::TERM))
        .map_err(|e| unexpected("cannot follow the exit of the process that started it", &e))?;
    // It may have gone before that.
    match rustix::process::getppid() {
        Some(process) if process.as_raw_nonzero().get() == parent => Ok(()),
        _ => Err(Error::new(dw_error::Kind::Interrupted, "nothing is waiting for the emulation any more")),
    }
}

/// The first signal ends the emulation in good order, the second at once.
fn stop_on_signal(handle: &Handle) {
    static ASKED: AtomicBool = AtomicBool::new(false);
    let handle = handle.clone();
    // Without a handler a signal ends the program as it always did: a legal crash, and no reason not to run.
    let _ = ctrlc::set_handler(move || {
        if ASKED.swap(true, Ordering::SeqCst) {
            std::process::exit(i32::from(Exit::Interrupted.code()));
        }
        // The call returns when all is over; the next signal must not wait for that.
        let handle = handle.clone();
        std::thread::spawn(move || {
            if let Err(error) = handle.call(Command::Shutdown)
                && error.code == ErrorCode::Busy
            {
                // It goes on, and may be asked again.
                to_stderr(&format!("note: {error}\nhint: {}\n", error.hint));
                ASKED.store(false, Ordering::SeqCst);
            }
        });
    });
}
