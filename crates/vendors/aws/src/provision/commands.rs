//! The bash script of AWS CLI commands: the instance, its volumes, attached by device.
//!
//! `aws.sh` is the program, the same for every plan; this writes the parameters and the block of data before it.

use std::fmt::Write as _;

use dw_vendor::quote::shell;

use super::image;
use super::plan::{Disk, Plan, letter};

/// The script.
pub(super) fn text(plan: &Plan) -> String {
    let mut out = String::from("#!/usr/bin/env bash\n");
    out += &plan.build.commented("#", "Creates the instance and volumes of a plan with the AWS CLI.");
    out += "#\n#   aws.sh                        shows what would be run\n\
            #   aws.sh --apply                runs it; existing resources that match the plan stay, others are an error\n\
            #   aws.sh --update --apply       changes its volumes to kind, IOPS, MiB/s and, where it grows, size of the plan, too\n\
            #   aws.sh --undo --apply         terminates the instance; data volumes stay, --apply attaches them again\n\
            #   aws.sh --undo --delete-data --apply   terminates the instance and deletes its data volumes\n#\n\
            # Parameters are variables: ZONE=b SUBNET=subnet-... KEY_NAME=... ./aws.sh\n";
    let shared = match plan.build.is_shared() {
        true => {
            ": \"${SHARED_PREFIX:=$PREFIX}\"          # the PREFIX of the first node: those that follow attach its shared volumes\n"
        }
        false => "",
    };
    let _ = write!(
        out,
        "\nset -euo pipefail\n\n# ---- parameters ----\n\n\
         : \"${{PREFIX:=diskwright}}\"                # names of instance and volumes begin with it\n\
         {shared}\
         : \"${{REGION:={}}}\"\n\
         : \"${{ZONE:={}}}\"                           # its letter; instance and volumes are in it\n\
         : \"${{IMAGE:=resolve:ssm:{}}}\"\n\
         : \"${{ROOT_DEVICE:={}}}\"            # what the image calls its first disk; Amazon Linux: /dev/xvda\n\
         : \"${{KEY_NAME:=}}\"                        # a key pair; empty: none\n\
         : \"${{SUBNET:=}}\"                          # its id; empty: the default one of the zone\n\
         : \"${{SECURITY_GROUPS:=}}\"                 # ids, with blanks between; empty: the default one of the network\n",
        plan.build.region,
        letter(plan.build).unwrap_or_default(),
        image::parameter(plan),
        image::ROOT_DEVICE,
    );
    let _ = write!(
        out,
        "\n# ---- the plan ----\n\nTYPE={}\nEBS_OPTIMIZED={}\nBANDWIDTH={}\nWINDOWS={}\nroot_disk=({})\n\n",
        shell(&plan.row.name),
        yes(plan.row.ebs_is_option),
        plan.bandwidth,
        yes(plan.build.windows),
        plan.os.as_ref().map_or(String::new(), root),
    );
    out += "# disk NUMBER NAME KIND GIB IOPS MIB/S DEVICE CARD NODES STRIPED\nplan() {\n    :\n";
    for (number, disk) in plan.disks.iter().enumerate() {
        let _ = writeln!(
            out,
            "    disk {number} {} {} {} {} {} {} {} {} {}",
            shell(&disk.name),
            disk.volume.kind.id,
            disk.volume.gib,
            or_none(disk.iops()),
            or_none(disk.mib()),
            disk.device,
            if disk.card == 0 { "-".into() } else { disk.card.to_string() },
            or_none(disk.shared_by.map(u64::from)),
            yes(disk.is_striped),
        );
    }
    out + "}\n" + include_str!("aws.sh")
}

/// What is said of the first disk in a block device mapping.
fn root(disk: &Disk) -> String {
    let mut out = format!("\"VolumeType={},VolumeSize={}", disk.volume.kind.id, disk.volume.gib);
    for (key, value) in [("Iops", disk.iops()), ("Throughput", disk.mib())] {
        if let Some(value) = value {
            let _ = write!(out, ",{key}={value}");
        }
    }
    out + "\""
}

/// A flag as the script takes it.
const fn yes(flag: bool) -> &'static str {
    if flag { "yes" } else { "-" }
}

fn or_none(figure: Option<u64>) -> String {
    figure.map_or_else(|| "-".into(), |figure| figure.to_string())
}
