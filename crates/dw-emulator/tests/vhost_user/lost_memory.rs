//! Guests whose memory is taken away under them, or has no room: what that costs is theirs alone.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use dw_emulator::command;
use dw_emulator::fuzzing::guest::{Asked, FREE, GUEST, Guest, MEMORY, NEXT, Wish};
use rustix::fs::{MemfdFlags, memfd_create};

use crate::vhost_user::served::Served;

/// A guest whose memory nobody has sealed: libblkio's, or a file in /dev/shm.
fn unsealed(served: &Served) -> Guest {
    let memory = memfd_create("guest", MemfdFlags::CLOEXEC).expect("a memfd");
    let wish = Wish { recorded: true, ..Wish::default() };
    let mut guest = Guest::connect_with(&served.socket(), wish, memory.into()).expect("a guest");
    guest.begin().expect("queues that run");
    guest
}

fn ask(guest: &mut Guest, asked: &Asked<'_>) {
    guest.prepare(0, 0, asked).expect("memory");
    guest.offer(0, &[0]).expect("memory");
}

/// One that the others do not concern, before and after.
fn works(guest: &mut Guest) {
    for fill in [1, 2] {
        let write = Asked { kind: 1, sector: 1_024, out: &[fill; 4096], room: 0 };
        assert_eq!(guest.request(0, write).expect("an answer").0, 0);
        let read = Asked { kind: 0, sector: 1_024, out: &[], room: 4096 };
        assert_eq!(guest.request(0, read).expect("an answer"), (0, vec![fill; 4096]));
    }
}

const READ: Asked<'_> = Asked { kind: 0, sector: 0, out: &[], room: 32 << 10 };
const WRITE: Asked<'_> = Asked { kind: 1, sector: 0, out: &[7; 32 << 10], room: 0 };

#[test]
fn a_guest_that_cuts_off_its_memory_ends_its_own_connection() {
    let served = Served::new();
    let mut other = served.guest(Wish::default());
    // What is left of its memory: nothing, its queue, and the first page of what the request is about.
    let cases = [0, FREE, FREE + 4096].into_iter().flat_map(|len| [(len, READ), (len, WRITE)]);
    for (number, (len, asked)) in cases.enumerate() {
        works(&mut other);
        let mut guest = unsealed(&served);
        ask(&mut guest, &asked);
        guest.memory.set_len(len).expect("it is not sealed");
        guest.kick(0).expect("it runs");
        assert!(guest.is_cut(), "{len} bytes are left");
        works(&mut other);
        let notices = served.notices();
        assert_eq!(notices.len(), number + 1, "{notices:?}");
        assert!(notices[number].contains("its memory was cut off"), "{notices:?}");
    }
}

/// Between a request and its answer.
#[test]
fn memory_that_is_cut_off_under_a_request_ends_its_connection() {
    for len in [0, FREE, FREE + 4096] {
        let served = Served::new();
        let mut other = served.guest(Wish::default());
        works(&mut other);
        let mut guest = unsealed(&served);
        served.command(command::Command::Pause);
        ask(&mut guest, &READ);
        guest.kick(0).expect("it runs");
        served.wait_for_depth(1);
        guest.memory.set_len(len).expect("it is not sealed");
        served.command(command::Command::Resume);
        assert!(guest.is_cut(), "{len} bytes are left");
        works(&mut other);
        let notices = served.notices();
        assert!(notices.len() == 1 && notices[0].contains("its memory was cut off"), "{notices:?}");
    }
}

/// A file system of 256 KiB, which only a process of its own sees; it is gone with that.
struct SmallFileSystem {
    owner: Child,
    root: PathBuf,
    _folder: tempfile::TempDir,
}

impl SmallFileSystem {
    fn new() -> Option<SmallFileSystem> {
        let folder = tempfile::tempdir().expect("a folder");
        let script = r#"mount -t tmpfs -o size=256k small "$0" && echo mounted && exec sleep 600"#;
        for rights in [&["--mount"][..], &["--mount", "--map-root-user"]] {
            let mut owner = Command::new("unshare");
            owner.args(rights).args(["sh", "-c", script]).arg(folder.path());
            let Ok(mut owner) = owner.stdout(Stdio::piped()).stderr(Stdio::null()).spawn() else { break };
            let mut line = String::new();
            let _ = BufReader::new(owner.stdout.take().expect("a pipe")).read_line(&mut line);
            if line == "mounted\n" {
                let inside = folder.path().strip_prefix("/").expect("an absolute path");
                let root = PathBuf::from(format!("/proc/{}/root", owner.id())).join(inside);
                return Some(SmallFileSystem { owner, root, _folder: folder });
            }
            let _ = owner.wait();
        }
        eprintln!("SKIPPED: a small tmpfs needs root, or a user who may make name spaces");
        None
    }

    fn file(&self, name: &str) -> File {
        File::options().read(true).write(true).create(true).truncate(true).open(self.root.join(name)).expect("a file")
    }

    fn fill(&self) {
        let mut file = self.file("fill");
        while file.write_all(&[1; 512]).is_ok() {}
    }

    fn make_room(&self) {
        fs::remove_file(self.root.join("fill")).expect("it is there");
    }
}

impl Drop for SmallFileSystem {
    fn drop(&mut self) {
        let _ = self.owner.kill();
        let _ = self.owner.wait();
    }
}

#[test]
fn a_guest_whose_tmpfs_is_full_gets_an_error_and_goes_on() {
    let Some(small) = SmallFileSystem::new() else { return };
    let served = Served::new();
    let mut other = served.guest(Wish::default());
    let mut guest = Guest::connect_with(&served.socket(), Wish::default(), small.file("guest")).expect("a guest");
    guest.begin().expect("queues that run");
    assert_eq!(other.request(0, Asked { out: &[5; 32 << 10], ..WRITE }).expect("an answer").0, 0);
    // The first page of the request is touched here, the eight behind it are not.
    let little = Asked { room: 512, ..READ };
    assert_eq!(guest.request(0, little).expect("an answer"), (0, vec![5; 512]));
    small.fill();
    for _ in 0..3 {
        assert_eq!(guest.request(0, READ).expect("an answer").0, 1, "nothing can be put there");
        assert_eq!(guest.request(0, little).expect("an answer"), (0, vec![5; 512]), "this is there");
        ask(&mut guest, &Asked { kind: 1, ..Asked::default() });
        guest.describe(0, 1, (GUEST + MEMORY - 512, 512), NEXT, 2).expect("memory");
        guest.kick(0).expect("it runs");
        guest.answer(0).expect("an answer");
        assert_eq!(guest.outcome(0, 0, 0).expect("memory").0, 1, "there is nothing to read there");
        works(&mut other);
    }
    small.make_room();
    let all = (0, vec![5; 32 << 10]);
    assert!(guest.request(0, READ).expect("an answer") == all, "and that in the memory that the guest itself looks at");
    let notices = served.notices();
    assert!(notices.len() == 1 && notices[0].contains("get EIO: there is no space for its memory"), "{notices:?}");
}
