//! The PowerShell script that builds volumes on Windows: Storage Spaces with as many columns as disks, NTFS with clusters of
//! 64 KiB.
//!
//! `windows.ps1` is the program, the same for every plan; this writes the block of data before it. The dialogs of Server
//! Manager stop at eight columns, `-NumberOfColumns` does not.
//!
//! Source: `docs/model/striping.md`; the reference of the Storage module of PowerShell.

use std::fmt::Write as _;

use super::quote::{comment, powershell};
use super::setup::{Place, Setup};

/// What whoever makes the volumes of shared disks says, on one node.
const SHARED_SWITCH: &str =
    ",\n    # Volumes on disks that the nodes share: on ONE node, before a cluster owns them\n    [switch]$Shared";
/// Whatever node this is: a volume that a cluster may own is neither made nor given a letter.
const SHARED_LEFT: &str = "if (-not $Shared) {\n    foreach ($volume in @($Volumes | Where-Object { $_.Shared })) {\n        \
    Write-Output \"$($volume.Label) is on disks that the nodes share: left alone (-Shared on one node, before the cluster owns them)\"\n    \
    }\n    $Volumes = @($Volumes | Where-Object { -not $_.Shared })\n}\n";

/// Letters of an NTFS label at most.
const LABEL_MAX: usize = 32;

/// The script.
pub fn text(setup: &Setup) -> String {
    let mut out = comment(
        "#",
        &setup
            .heading("Builds the volumes of a plan on Windows: Storage Spaces stripes, NTFS with clusters of 64 KiB."),
    );
    out += "#\n#   .\\windows.ps1                       shows what would be done\n\
            #   .\\windows.ps1 -Apply                does it; existing volumes stay, a disk that is not raw is never touched\n\
            #   .\\windows.ps1 -Undo -Apply          takes the letters away; all data stays\n\
            #   .\\windows.ps1 -Undo -DeleteData -Apply   deletes volumes with their data, virtual disks, pools\n\n\
            #Requires -RunAsAdministrator\n\n\
            [CmdletBinding(SupportsShouldProcess)]\nparam(\n    [switch]$Apply,\n    [switch]$Undo,\n    [switch]$DeleteData,\n    \
            # Disks by LUN where Windows does not say the LUN: @{ 0 = 2; 1 = 3 }\n    [hashtable]$DiskNumbers = @{}";
    if setup.is_shared() {
        out += SHARED_SWITCH;
    }
    out += "\n)\n\n# ---- the plan ----\n\n$AllocationUnit = 65536\n$Volumes = @(\n";
    for (number, _, disks, lun) in setup.data() {
        let label: String = setup.names.get(number).map_or("", String::as_str).chars().take(LABEL_MAX).collect();
        let _ = writeln!(
            out,
            "    @{{ Label = {}; Letter = {}; Lun = {lun}; Disks = {}; DiskBytes = {}GB; Interleave = {}{} }}",
            powershell(&label),
            powershell(setup.drive(number).trim_end_matches(':')),
            disks.count,
            disks.gib,
            disks.stripe_unit.get(),
            if disks.shared_by.is_some() { "; Shared = $true" } else { "" },
        );
    }
    out += ")\n";
    if setup.is_shared() {
        out += SHARED_LEFT;
    }
    out += "$LocalFolders = @(\n";
    for (number, volume) in setup.volumes.iter().enumerate() {
        if volume.place == Place::Local {
            let _ = writeln!(out, "    {}", powershell(&setup.drive(number)));
        }
    }
    out + ")\n" + include_str!("windows.ps1")
}
