//! What builds a plan: a script of AWS CLI commands, a CloudFormation template, a Terraform configuration, and the script for Linux.
//!
//! All are written from the same [`plan::Plan`], so that names, devices and figures agree: what is to be built, checked against types and
//! kinds. A file is a fixed program (`aws.sh`, `main.tf`, `linux_disks.sh`) and a block of data, which is all that a plan decides.
//!
//! Source: reference of `aws ec2` 1.46, whose parser reads every command in the tests; CloudFormation's resource schemas by cfn-lint;
//! `hashicorp/terraform-provider-aws` (instance, launch_template, ebs_volume, volume_attachment); `sources::{DEVICE_NAMES, EBS_NVME}`.
//!
//! Ignores: networks, keys, images of one's own, which are parameters; encryption, which is a setting of the account.

use dw_vendor::provision::linux::{self, Finding};
use dw_vendor::provision::{Build, BuildRefusal, ScriptFile, Scripts};

use crate::ec2::Ec2;

mod commands;
mod image;
mod plan;
mod template;
mod terraform;

use plan::Plan;

const COMMANDS: &str = "aws";
const TEMPLATE: &str = "cloudformation";
const TERRAFORM: &str = "terraform";
const LINUX: &str = "linux";

static FILES: [ScriptFile; 4] = [
    ScriptFile {
        word: COMMANDS,
        about: "AWS CLI commands that create the instance and its volumes",
        name: "aws.sh",
        is_program: true,
    },
    ScriptFile {
        word: TEMPLATE,
        about: "The instance and its volumes as a CloudFormation template",
        name: "cloudformation.json",
        is_program: false,
    },
    ScriptFile {
        word: TERRAFORM,
        about: "The instance and its volumes as a Terraform configuration",
        name: "main.tf",
        is_program: false,
    },
    ScriptFile { word: LINUX, about: "Stripes, file systems and mounts on Linux", name: "linux.sh", is_program: true },
];

impl Scripts for Ec2 {
    fn id(&self) -> &'static str {
        "aws"
    }
    fn name(&self) -> &'static str {
        "AWS"
    }
    fn files(&self) -> &'static [ScriptFile] {
        &FILES
    }
    fn text(&self, word: &str, build: &Build, options: linux::Options) -> Result<String, BuildRefusal> {
        let plan = Plan::new(build, self)?;
        match word {
            COMMANDS => Ok(commands::text(&plan)),
            TEMPLATE => Ok(template::text(&plan)),
            TERRAFORM => Ok(terraform::text(&plan)),
            LINUX => Ok(on_linux(&plan, options)),
            _ => Err(BuildRefusal {
                volume: None,
                what: format!("AWS has no file `{word}`"),
                hint: format!("write one of {}", FILES.each_ref().map(|file| file.word).join(", ")),
            }),
        }
    }
}

fn on_linux(plan: &Plan, options: linux::Options) -> String {
    let devices: Vec<&str> = plan.disks.iter().map(|disk| disk.device.as_str()).collect();
    let data = format!("# The names that disks are attached with, by number.\nDEVICES='{}'\n", devices.join(" "));
    let finding = Finding { number: "DISK", data, program: include_str!("provision/linux_disks.sh") };
    // Whether local disks have to be made ready is a property of the type.
    let build = Build { local_nvme: plan.row.store.is_some(), ..plan.build.clone() };
    linux::text(&build, options, &finding)
}
