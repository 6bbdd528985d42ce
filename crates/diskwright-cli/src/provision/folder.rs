//! Every target of a plan as files in a folder: all of them or none, and never over what is there.

use std::io::Write;
use std::path::{Path, PathBuf};

use diskwright::provision::{ProvisionOptions, Provisioned, Target};
use dw_error::{Error, Result};
use dw_provision::Setup;

use super::ProvisionArgs;
use crate::in_use::session;
use crate::output::{self, Staged};
use crate::to_stderr;

/// Writes the files and says which.
pub(super) fn write(folder: &Path, setup: &Setup, args: &ProvisionArgs, out: &mut dyn Write) -> Result<()> {
    let options = args.options();
    let wanted = |target| target != Target::Database || args.database.is_some();
    let Provisioned { files, left_out } = Target::texts(setup, &options, session().catalogue(), wanted)?;
    let named = files.into_iter().map(|(target, text)| {
        let (name, is_program) = target.file(&options);
        (name, is_program, text)
    });
    let mut files: Vec<(&str, bool, String)> = named.collect();
    files.push(("README.md", false, readme(setup, &files)));
    let paths: Vec<PathBuf> = files.iter().map(|(name, ..)| folder.join(name)).collect();
    check(folder, &paths, args.force)?;
    crate::files::keeps(folder, &[&args.plan], |name| files.iter().any(|file| file.0 == name))?;
    std::fs::create_dir_all(folder).map_err(|e| output::failure(folder, &e))?;
    let mut staged = Vec::new();
    for ((_, is_program, text), path) in files.iter().zip(&paths) {
        let file = Staged::new(path, text)?;
        if *is_program {
            file.make_executable()?;
        }
        staged.push(file);
    }
    // All are written in full: what is left is to rename them.
    staged.into_iter().try_for_each(Staged::commit)?;
    let names: Vec<&str> = files.iter().map(|(name, ..)| *name).collect();
    for (_, why) in &left_out {
        to_stderr(&(why.shown_as("note: left out") + "\n"));
    }
    output::show(&format!("wrote {} in {}\n", names.join(", "), folder.display()).into(), None, out)
}

/// Every place is free, or holds a file that may be replaced.
fn check(folder: &Path, paths: &[PathBuf], force: bool) -> Result<()> {
    let refused = |path: &Path, what: &str, hint: &str| {
        Error::usage(format!("{} {what}; nothing was written", path.display())).hint(hint)
    };
    if folder.exists() && !folder.is_dir() {
        return Err(refused(folder, "is a file", "name a folder"));
    }
    // A link that leads nowhere is there, too.
    for path in paths.iter().filter(|path| path.symlink_metadata().is_ok()) {
        if path.is_dir() {
            return Err(refused(path, "is a folder", "name another directory, or move this one"));
        }
        if !force {
            return Err(refused(path, "is there already", "name another directory, or add --force to overwrite it"));
        }
    }
    Ok(())
}

/// What is not to be done with disks that nodes share.
const SHARED: &str = "\n## Shared disks\n\n**Warning: XFS, ext4 and NTFS are for one node at a time. Two nodes that mount such a file system destroy it.** The scripts \
    leave volumes on shared disks alone. On ONE node, before the cluster owns the disks, `sudo SHARED=yes ./linux.sh --apply` or \
    `.\\windows.ps1 -Shared -Apply` makes them; then unmount them there, or take the letter away, and let the cluster mount them. \
    If several nodes are to mount them at once, make a cluster file system instead. The other nodes attach the disks by \
    `SHARED_PREFIX` and run the scripts without this.\n";

/// What the files are, in the order in which they are used.
fn readme(setup: &Setup, files: &[(&str, bool, String)]) -> String {
    let database = files
        .iter()
        .map(|(name, ..)| *name)
        .find(|name| ["sqlserver.sql", "oracle.sql", "postgresql.conf", "mysql.cnf"].contains(name));
    let settings = database.map_or(String::new(), |name| {
        format!(
            "5. **Set up the database** with `{name}`: read it, and fill in the values that a plan does not have.\n"
        )
    });
    let has_letters = setup.lettered().is_ok();
    let mut volumes = String::new();
    for (number, volume) in setup.volumes.iter().enumerate() {
        let disks = volume.disks().map_or("the local disk".into(), |disks| {
            let bought = format!("{} x {}", disks.count, disks.sku);
            if setup.host_caches { format!("{bought}, host cache {}", disks.host_cache) } else { bought }
        });
        let name = volume.name.replace('|', "\\|");
        let drive = if has_letters { format!("`{}`", setup.drive(number)) } else { "–".into() };
        volumes += &format!("| {name} | {disks} | `{}` | {drive} |\n", setup.mount(number));
    }
    let shared = if setup.is_shared() { SHARED } else { "" };
    let has_windows = files.iter().any(|file| file.0 == Target::Windows.file_name());
    let (built, undone) = match has_windows {
        true => ("; or `.\\windows.ps1`, then `.\\windows.ps1 -Apply`", " or `windows.ps1 -Undo -Apply`"),
        false => (", with what the files of step 2 say of their volumes", ""),
    };
    let (rehearsed, verified) = match has_letters {
        true => (", or `rig-windows.toml verify.xml`", " or `diskspd -Xverify.xml`"),
        false => ("", ""),
    };
    let (making, program) = making(setup);
    format!(
        "# {}\n\nWritten by `diskwright provision`. By default, every script only prints what it would do; nothing changes without \
         `--apply` (`-Apply`).\n\n| volume | disks | Linux | Windows |\n|---|---|---|---|\n{volumes}\n\
         1. **Rehearse** without a VM: `diskwright simulate rig.toml verify.fio`{rehearsed}: \
         its output shows whether every job reaches its rate.\n\
         2. **Create the VM and its disks** with one of {making}.\n\
         3. **Build the volumes** on the VM: `sudo ./linux.sh`, then `sudo ./linux.sh --apply`{built}.\n\
         4. **Verify**: `fio verify.fio`{verified}; every job must reach its rate. Remove its files afterwards.\n\
         {settings}{shared}\n## Undo\n\nIn this order: `linux.sh --undo --apply`{undone}, then `{program} --undo --apply`. Both keep all \
         data; with `--delete-data` (`-DeleteData`) they delete it.\n",
        setup.answer
    )
}

/// The files that make machine and disks, as a sentence names them, and the one of them that is a program.
fn making(setup: &Setup) -> (String, &'static str) {
    let options = ProvisionOptions::default();
    let files = Target::of(setup).into_iter().filter(|target| target.is_of_cloud()).map(|target| target.file(&options));
    let mut program = "";
    let mut named = Vec::new();
    for (name, is_program) in files {
        if is_program {
            program = name;
        }
        named.push(match is_program {
            true => format!("`{name}` (`./{name}`, then `./{name} --apply`)"),
            false => format!("`{name}`"),
        });
    }
    (named.join(", "), program)
}
