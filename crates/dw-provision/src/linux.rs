//! The Linux script of a plan, on machines that show their disks by LUN.

use dw_vendor::provision::linux::{self, Finding};

pub use dw_vendor::provision::linux::{FileSystem, Options};

use super::setup::Setup;

/// The script.
pub fn text(setup: &Setup, options: Options) -> String {
    let finding = Finding { number: "LUN", data: String::new(), program: include_str!("linux_disks.sh") };
    linux::text(&setup.build(), options, &finding)
}
