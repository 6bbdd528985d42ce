//! The disks' files are taken away under a running emulation: nothing is called durable that the next start would not find.

use std::path::Path;

use crate::emulate::raw::{Client, FLUSH, READ, WRITE, request};
use crate::emulate::support::{Emulator, RIG, wait_until};

/// The system's error, as NBD has it.
const EIO: u32 = 5;

#[test]
fn nothing_is_durable_that_is_not_where_it_was() {
    type Loss = fn(&Path);
    let losses: [(&str, Loss); 4] = [
        ("the directory is deleted", |disks| std::fs::remove_dir_all(disks).unwrap()),
        ("the directory is moved", |disks| std::fs::rename(disks, disks.with_extension("old")).unwrap()),
        ("an image is deleted", |disks| std::fs::remove_file(disks.join("plain.0.img")).unwrap()),
        ("an image is replaced", |disks| {
            std::fs::write(disks.join("new"), "").unwrap();
            std::fs::rename(disks.join("new"), disks.join("plain.0.img")).unwrap();
        }),
    ];
    for (name, lose) in losses {
        let emulator = Emulator::start(RIG);
        let mut client = Client::open(&emulator.socket(), "plain").unwrap();
        assert_eq!(client.ask(WRITE, true, 0, &[1; 4096]).unwrap(), 0, "{name}");
        assert_eq!(client.ask(FLUSH, false, 0, &[]).unwrap(), 0, "{name}");
        lose(&emulator.file("disks"));
        assert_eq!(client.ask(WRITE, true, 0, &[2; 4096]).unwrap(), EIO, "{name}: a write that is durable by itself");
        assert_eq!(client.ask(FLUSH, false, 0, &[]).unwrap(), EIO, "{name}: a flush");
        assert_eq!(client.pread(0, 4096).unwrap(), [2; 4096], "{name}: until the end it can be copied");
        let ran = emulator.typed_ctl(&["shutdown"]);
        let why = "plain.0.img was deleted, moved or replaced while it was in use";
        assert!(ran.code == 10 && ran.stderr.contains(why) && ran.stdout.is_empty(), "{name}: {ran:?}");
        let ended = emulator.stop();
        assert_eq!(ended.code, 1, "{name}: {}", ended.stdout);
        let error =
            format!("error: some data could not be made durable: disks/{why}\nhint: leave the disks' directory");
        for part in [&format!("note: disks/{why}: clients get EIO\nhint: "), &error] {
            assert!(ended.stdout.contains(part.as_str()), "{name}: {part}: {}", ended.stdout);
        }
    }
}

#[test]
fn a_flush_of_what_only_the_cache_has_is_refused_and_a_restart_too() {
    let emulator = Emulator::start(RIG);
    let mut client = Client::open(&emulator.socket(), "cached").unwrap();
    assert_eq!(client.ask(WRITE, false, 0, &[1; 4096]).unwrap(), 0);
    std::fs::remove_file(emulator.file("disks/cached.0.img")).unwrap();
    assert_eq!(client.ask(WRITE, false, 0, &[2; 4096]).unwrap(), 0, "the cache takes it");
    assert_eq!(client.ask(FLUSH, false, 0, &[]).unwrap(), EIO);
    emulator.ctl(&["reboot"]);
    let note = "note: the restart was not done: disks/cached.0.img was deleted, moved or replaced";
    wait_until("the restart is told not to have been done", || emulator.log().contains(note));
    assert_eq!(emulator.stop().code, 1);
}

/// A reply of one chunk is read whole before its header goes out.
#[test]
fn a_long_read_that_fails_at_its_end_is_an_error_of_that_read() {
    let emulator = Emulator::start(RIG);
    let mut client = Client::open(&emulator.socket(), "plain.0").unwrap();
    let image = std::fs::File::options().write(true).open(emulator.file("disks/plain.0.img")).unwrap();
    image.set_len(200_000).unwrap();
    for (offset, len) in [(128 << 10, 128 << 10), (0, 256 << 10), (192 << 10, 64 << 10)] {
        client.write(&request(READ, 9, offset, len)).unwrap();
        assert_eq!(client.reply().unwrap().0, EIO, "{len} bytes at {offset}");
    }
    assert_eq!(client.pread(0, 64 << 10).unwrap(), vec![0; 64 << 10], "the connection goes on");
}
