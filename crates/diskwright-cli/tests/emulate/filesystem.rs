//! A file system through an export: made, filled, taken there and back, checked and compared.

use std::path::Path;

use crate::emulate::support::{Emulator, RIG, call, have, noise};

/// A folder with files of all sorts.
fn tree(at: &Path) {
    for (index, size) in [0usize, 1, 511, 4096, 70_000, 3_000_000].into_iter().enumerate() {
        let folder = at.join(format!("folder-{index}"));
        std::fs::create_dir_all(&folder).unwrap();
        for copy in 0..8 {
            std::fs::write(folder.join(format!("file-{copy}")), noise((index * 8 + copy) as u64, size)).unwrap();
        }
    }
}

#[test]
fn ext4_comes_back_whole() {
    if !have(&["mkfs.ext4", "e2fsck", "debugfs", "nbdcopy"]) {
        return;
    }
    let emulator = Emulator::start(RIG);
    let (folder, image, back) = (emulator.file("tree"), emulator.file("image"), emulator.file("back"));
    tree(&folder);
    let text = |path: &Path| path.to_str().unwrap().to_string();
    std::fs::File::create(&image).unwrap().set_len(64 << 20).unwrap();
    call("mkfs.ext4", ["-q", "-F", "-d", &text(&folder), &text(&image)]).ok();
    for export in ["plain", "cached"] {
        call("nbdcopy", ["--connections=4", &text(&image), &emulator.uri(export)]).ok();
        call("nbdcopy", ["--connections=4", &emulator.uri(export), &text(&back)]).ok();
        std::fs::File::options().write(true).open(&back).unwrap().set_len(64 << 20).unwrap();
        call("e2fsck", ["-f", "-n", &text(&back)]).ok();
        let out = emulator.file(&format!("out-{export}"));
        std::fs::create_dir(&out).unwrap();
        call("debugfs", ["-R", &format!("rdump / {}", text(&out)), &text(&back)]).ok();
        let _ = std::fs::remove_dir_all(out.join("lost+found"));
        call("diff", ["-r", &text(&folder), &text(&out)]).ok();
    }
}

/// `nbdfuse` shows an export as a file, on which the file system's own programs work in place. Needs FUSE.
#[test]
fn ext4_is_made_and_checked_in_place() {
    if !have(&["mkfs.ext4", "e2fsck", "debugfs", "nbdfuse", "fusermount3"]) {
        return;
    }
    let emulator = Emulator::start(RIG);
    let (folder, mount) = (emulator.file("tree"), emulator.file("mount"));
    tree(&folder);
    std::fs::create_dir(&mount).unwrap();
    let Some(fuse) = Fuse::mount(&mount, &emulator.uri("cached")) else {
        eprintln!("LEFT OUT: this system does not let us mount with FUSE");
        return;
    };
    let disk = fuse.disk();
    call("mkfs.ext4", ["-q", "-F", "-d", folder.to_str().unwrap(), &disk]).ok();
    call("e2fsck", ["-f", "-n", &disk]).ok();
    let more = emulator.file("tree/folder-5/file-0");
    call("debugfs", ["-w", "-R", &format!("write {} more", more.display()), &disk]).ok();
    call("debugfs", ["-w", "-R", "rm folder-3/file-3", &disk]).ok();
    call("e2fsck", ["-f", "-n", &disk]).ok();
    let out = emulator.file("more");
    call("debugfs", ["-R", &format!("dump more {}", out.display()), &disk]).ok();
    assert!(std::fs::read(out).unwrap() == std::fs::read(more).unwrap());
}

/// A mount that goes away with the test.
pub struct Fuse<'a> {
    mount: &'a Path,
    child: std::process::Child,
}

impl<'a> Fuse<'a> {
    pub fn mount(mount: &'a Path, uri: &str) -> Option<Fuse<'a>> {
        let disk = mount.join("disk");
        let quiet = std::process::Stdio::null;
        let child = std::process::Command::new("nbdfuse")
            .args([disk.to_str()?, uri])
            .stdin(quiet())
            .stdout(quiet())
            .stderr(quiet())
            .spawn()
            .unwrap();
        let mut fuse = Fuse { mount, child };
        let mut ended = false;
        crate::emulate::support::wait_until("nbdfuse mounts or gives up", || {
            ended = fuse.child.try_wait().unwrap().is_some();
            ended || disk.is_file()
        });
        (!ended).then_some(fuse)
    }

    pub fn disk(&self) -> String {
        self.mount.join("disk").to_str().unwrap().to_string()
    }
}

impl Drop for Fuse<'_> {
    fn drop(&mut self) {
        call("fusermount3", ["-u", "-z", self.mount.to_str().unwrap()]);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
