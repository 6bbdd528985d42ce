//! The CloudFormation template: a launch template with all that an instance is made of, the instance, volumes, attachments.
//!
//! A launch template, because the block device mapping of an instance has no throughput and an instance no bandwidth weighting: a first
//! disk of gp3 would have 125 MiB/s whatever was planned.
//!
//! Volumes have the policy `Retain`: they stay when the stack is deleted.

use serde_json::{Map, Value, json};

use super::image;
use super::plan::{Disk, Plan, letter};

/// Characters that a description has at most, in bytes.
const DESCRIPTION_MAX: usize = 1_024;

/// The template.
pub(super) fn text(plan: &Plan) -> String {
    let shared: Vec<usize> = (0..plan.disks.len()).filter(|number| plan.disks[*number].shared_by.is_some()).collect();
    let mut template = json!({
        "AWSTemplateFormatVersion": "2010-09-09",
        "Description": description(plan),
        "Parameters": parameters(plan, &shared),
        "Conditions": conditions(&shared),
        "Resources": resources(plan),
        "Outputs": { "Instance": { "Description": "The instance", "Value": { "Ref": "Vm" } } },
    });
    if !plan.disks.is_empty() {
        let ids: Vec<Value> = plan.disks.iter().enumerate().map(|(number, disk)| id(number, disk)).collect();
        template["Outputs"]["Volumes"] =
            json!({ "Description": "Ids by number, as linux.sh takes them", "Value": { "Fn::Join": [" ", ids] } });
    }
    let text = serde_json::to_string_pretty(&template).unwrap_or_default();
    text + "\n"
}

fn description(plan: &Plan) -> String {
    let mut text = plan.build.heading("The instance and volumes of a plan.").join(" ");
    while text.len() > DESCRIPTION_MAX {
        text.pop();
    }
    text
}

fn parameters(plan: &Plan, shared: &[usize]) -> Value {
    let text = |what: &str, default: &str| json!({ "Type": "String", "Description": what, "Default": default });
    let mut zone = json!({ "Type": "String", "Description": "The letter of the zone that instance and volumes are in",
        "AllowedPattern": "[a-z]" });
    if let Some(letter) = letter(plan.build) {
        zone["Default"] = json!(letter);
    }
    let mut parameters = json!({
        "Prefix": text("Names of instance and volumes begin with it", "diskwright"),
        "Zone": zone,
        "Image": { "Type": "AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>", "Description": "The public parameter of the image",
            "Default": image::parameter(plan) },
        "KeyName": text("A key pair; empty: none", ""),
        "SubnetId": text("The subnet of the instance, in its zone; empty: the default one", ""),
        "SecurityGroupIds": { "Type": "CommaDelimitedList", "Description": "Empty: the default one of the network", "Default": "" },
    });
    // Nothing names an unused parameter.
    if plan.os.is_some() {
        parameters["RootDevice"] =
            text("What the image calls its first disk; Amazon Linux: /dev/xvda", image::ROOT_DEVICE);
    }
    for number in shared {
        parameters[format!("SharedVolume{number}")] =
            text("Empty for the first node; of those that follow the id of its volume", "");
    }
    parameters
}

fn conditions(shared: &[usize]) -> Value {
    let is_given = |name: &str| json!({ "Fn::Not": [{ "Fn::Equals": [{ "Ref": name }, ""] }] });
    let mut conditions = json!({
        "HasKey": is_given("KeyName"),
        "HasSubnet": is_given("SubnetId"),
        "HasGroups": { "Fn::Not": [{ "Fn::Equals": [{ "Fn::Join": ["", { "Ref": "SecurityGroupIds" }] }, ""] }] },
    });
    for number in shared {
        conditions[format!("IsFirst{number}")] =
            json!({ "Fn::Equals": [{ "Ref": format!("SharedVolume{number}") }, ""] });
    }
    conditions
}

fn resources(plan: &Plan) -> Value {
    let mut resources = json!({
        "Launch": { "Type": "AWS::EC2::LaunchTemplate", "Properties": { "LaunchTemplateData": launch(plan) } },
        "Vm": { "Type": "AWS::EC2::Instance", "Properties": {
            "AvailabilityZone": zone(),
            "LaunchTemplate": { "LaunchTemplateId": { "Ref": "Launch" }, "Version": { "Fn::GetAtt": ["Launch", "LatestVersionNumber"] } },
            "Tags": tags("vm"),
        } },
    });
    for (number, disk) in plan.disks.iter().enumerate() {
        let mut attachment =
            json!({ "InstanceId": { "Ref": "Vm" }, "VolumeId": id(number, disk), "Device": disk.device });
        if disk.card > 0 {
            attachment["EbsCardIndex"] = json!(disk.card);
        }
        resources[volume_name(number)] = volume(number, disk);
        resources[format!("Attachment{number}")] =
            json!({ "Type": "AWS::EC2::VolumeAttachment", "Properties": attachment });
    }
    resources
}

fn launch(plan: &Plan) -> Value {
    let or_none = |condition: &str, value: Value| json!({ "Fn::If": [condition, value, { "Ref": "AWS::NoValue" }] });
    let mut data = json!({
        "ImageId": { "Ref": "Image" },
        "InstanceType": plan.row.name,
        "KeyName": or_none("HasKey", json!({ "Ref": "KeyName" })),
        "MetadataOptions": { "HttpTokens": "required" },
        "NetworkInterfaces": [{
            "DeviceIndex": 0,
            "AssociatePublicIpAddress": false,
            "SubnetId": or_none("HasSubnet", json!({ "Ref": "SubnetId" })),
            "Groups": or_none("HasGroups", json!({ "Ref": "SecurityGroupIds" })),
        }],
    });
    if plan.row.ebs_is_option {
        data["EbsOptimized"] = json!(true);
    }
    if plan.bandwidth != "default" {
        data["NetworkPerformanceOptions"] = json!({ "BandwidthWeighting": plan.bandwidth });
    }
    if let Some(disk) = &plan.os {
        let mut ebs = figures(disk, "VolumeSize");
        ebs.insert("DeleteOnTermination".into(), json!(true));
        data["BlockDeviceMappings"] = json!([{ "DeviceName": { "Ref": "RootDevice" }, "Ebs": ebs }]);
    }
    data
}

fn volume(number: usize, disk: &Disk) -> Value {
    let mut properties = figures(disk, "Size");
    properties.insert("AvailabilityZone".into(), zone());
    properties.insert("Tags".into(), tags(&disk.name));
    let mut volume = json!({ "Type": "AWS::EC2::Volume", "DeletionPolicy": "Retain", "UpdateReplacePolicy": "Retain" });
    if disk.shared_by.is_some() {
        properties.insert("MultiAttachEnabled".into(), json!(true));
        volume["Condition"] = json!(format!("IsFirst{number}"));
    }
    volume["Properties"] = Value::Object(properties);
    volume
}

/// Kind, size and what is bought.
fn figures(disk: &Disk, size: &str) -> Map<String, Value> {
    let mut figures = Map::new();
    figures.insert("VolumeType".into(), json!(disk.volume.kind.id));
    figures.insert(size.into(), json!(disk.volume.gib));
    for (key, value) in [("Iops", disk.iops()), ("Throughput", disk.mib())] {
        if let Some(value) = value {
            figures.insert(key.into(), json!(value));
        }
    }
    figures
}

fn volume_name(number: usize) -> String {
    format!("Volume{number}")
}

/// What an attachment and an output name a volume by.
fn id(number: usize, disk: &Disk) -> Value {
    let own = json!({ "Ref": volume_name(number) });
    match disk.shared_by {
        None => own,
        Some(_) => {
            json!({ "Fn::If": [format!("IsFirst{number}"), own, { "Ref": format!("SharedVolume{number}") }] })
        }
    }
}

fn zone() -> Value {
    json!({ "Fn::Sub": "${AWS::Region}${Zone}" })
}

fn tags(name: &str) -> Value {
    json!([
        { "Key": "Name", "Value": { "Fn::Sub": format!("${{Prefix}}-{name}") } },
        { "Key": "diskwright", "Value": { "Ref": "Prefix" } },
    ])
}
