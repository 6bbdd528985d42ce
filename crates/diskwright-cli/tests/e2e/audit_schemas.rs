//! `audit`: SARIF and JUnit against the schemas of whoever reads them.

use std::collections::{HashMap, HashSet};

use roxmltree::{Document, Node};
use serde_json::{Value, json};

use crate::e2e::support::{diskwright_at, folder};

const SARIF: &str = include_str!("schemas/sarif-schema-2.1.0.json");
const JUNIT: &str = include_str!("schemas/junit-10.xsd");

/// Machines of which each is something: errors, warnings, notes, a waiver, nothing, a name with every mark of XML.
fn inventories() -> [(&'static str, String); 2] {
    let machine = |name: &str, size: &str, caching: &str, gib: u64| {
        json!({ "id": format!("/x/providers/Microsoft.Compute/virtualMachines/{name}"), "name": name, "location": "eastus", "zones": ["1"],
            "hardwareProfile": { "vmSize": size }, "securityProfile": { "encryptionAtHost": true },
            "storageProfile": { "dataDisks": [{ "lun": 0, "name": format!("{name}-data"), "caching": caching, "diskSizeGb": gib,
                "managedDisk": { "storageAccountType": "Premium_LRS" } }] } })
    };
    let all = json!([
        machine("fine", "Standard_D8s_v5", "None", 128),
        machine("risky", "Standard_D8s_v5", "ReadWrite", 128),
        machine("wrong", "Standard_D8_v5", "None", 128),
        machine("<&\"'>]]>\u{1b}", "Standard_D2s_v5", "ReadWrite", 8192),
        machine("unknown", "Standard_X1", "None", 128),
    ]);
    let waivers = "[[waiver]]\ncode = 'DW301'\nmachine = 'risky'\nowner = 'dba'\nreason = 'scratch'\nuntil = '9999-12-31'\n\
                   [[waiver]]\ncode = 'DW306'\nowner = 'dba'\nreason = 'gone'\nuntil = '2020-01-01'\n";
    [("a b.json", all.to_string()), ("waivers.toml", waivers.into())]
}

fn printed(format: &str) -> String {
    let files = inventories();
    let at = folder(&files.each_ref().map(|(name, text)| (*name, text.as_str())));
    let ran = diskwright_at(at.path(), &["audit", "a b.json", "--waivers", "waivers.toml", "--format", format]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.stdout
}

#[test]
fn sarif_fits_its_schema() {
    let validator = jsonschema::validator_for(&serde_json::from_str(SARIF).unwrap()).unwrap();
    let sarif: Value = serde_json::from_str(&printed("sarif")).unwrap();
    let errors: Vec<String> = validator.iter_errors(&sarif).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let levels: HashSet<&str> = results.iter().map(|result| result["level"].as_str().unwrap()).collect();
    assert_eq!(levels, HashSet::from(["note", "warning", "error"]));
    assert!(results.iter().any(|result| result["suppressions"].is_array()));
    // The schema is one that refuses.
    let mut broken = sarif.clone();
    broken["runs"][0]["results"][0]["level"] = "bad".into();
    assert!(!validator.is_valid(&broken));
}

#[test]
fn junit_fits_its_schema() {
    let schema = Document::parse(JUNIT).unwrap();
    let text = printed("junit");
    let faults = faults_of(&schema, &text);
    assert!(faults.is_empty(), "{faults:?}\n{text}");
    let junit = Document::parse(&text).unwrap();
    let suite = junit.root_element().children().find(Node::is_element).unwrap();
    let count = |name: &str| junit.descendants().filter(|node| node.has_tag_name(name)).count().to_string();
    assert_eq!(
        (suite.attribute("tests").unwrap(), suite.attribute("failures").unwrap()),
        (&*count("testcase"), &*count("failure"))
    );
    // The schema is one that refuses, and so is who reads it here.
    for (from, to) in [("name=", "nam="), ("<testcase ", "<testcas "), ("errors=\"0\" ", "")] {
        let broken = text
            .replacen(from, to, 1)
            .replace("</testcase>", if to == "<testcas " { "</testcas>" } else { "</testcase>" });
        let broken = Document::parse(&broken).map_or_else(|e| vec![e.to_string()], |_| faults_of(&schema, &broken));
        assert!(!broken.is_empty(), "{from}");
    }
}

/// Machines called the same in two groups, volumes called the same on one machine, one disk beyond two limits, two waivers alike; `gib` is a size
/// that figures of findings follow from.
fn alike(gib: u64) -> Value {
    let azure = |group: &str, name: &str| {
        json!({ "id": format!("/subscriptions/s/resourceGroups/{group}/providers/Microsoft.Compute/virtualMachines/{name}"), "name": name,
            "location": "eastus", "zones": ["1"], "hardwareProfile": { "vmSize": "Standard_D2as_v4" },
            "storageProfile": { "dataDisks": [{ "lun": 0, "name": "data", "caching": "None", "diskSizeGb": gib,
                "managedDisk": { "storageAccountType": "Premium_LRS" } }] } })
    };
    let volume = |id: &str| {
        json!({ "VolumeId": id, "Size": 500, "VolumeType": "gp2", "AvailabilityZone": "eu-west-1a", "State": "in-use",
            "Tags": [{ "Key": "Name", "Value": "pgdata" }],
            "Attachments": [{ "InstanceId": "i-1", "VolumeId": id, "Device": "/dev/sdf", "State": "attached" }] })
    };
    let instance = json!({ "InstanceId": "i-1", "InstanceType": "m5.large", "State": { "Name": "running" },
        "Placement": { "AvailabilityZone": "eu-west-1a" }, "Tags": [{ "Key": "Name", "Value": "db" }] });
    json!([azure("rg1", "web"), azure("rg2", "web"), azure("rg1", "one"), instance, volume("vol-1"), volume("vol-2")])
}

/// What every finding is called: SARIF's two fingerprints, and JUnit's class and name.
fn called(file: &str, estate: &Value) -> [Vec<String>; 3] {
    let waiver =
        "[[waiver]]\ncode = 'DW306'\nmachine = 'a'\nowner = 'dba'\nreason = 'x'\nuntil = '2020-01-01'\n".repeat(2);
    let at = folder(&[(file, &estate.to_string()), ("waivers.toml", &waiver)]);
    let of = |format: &str| {
        let ran = diskwright_at(at.path(), &["audit", file, "--waivers", "waivers.toml", "--format", format]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stdout
    };
    let sarif: Value = serde_json::from_str(&of("sarif")).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let prints = |key: &str| {
        results.iter().map(|one| one["partialFingerprints"][key].as_str().unwrap().to_string()).collect::<Vec<_>>()
    };
    let junit = of("junit");
    let junit = Document::parse(&junit).unwrap();
    let cases = junit.descendants().filter(|node| node.has_tag_name("testcase"));
    let cases = cases.map(|one| format!("{}|{}", one.attribute("classname").unwrap(), one.attribute("name").unwrap()));
    let mut all = [prints("finding/v1"), prints("primaryLocationLineHash"), cases.collect()];
    all.iter_mut().for_each(|names| names.sort());
    all
}

#[test]
fn no_two_findings_are_called_the_same_and_what_they_are_called_stays() {
    let [plain, hashes, cases] = called("a.json", &alike(8192));
    for names in [&plain, &hashes, &cases] {
        let mut once = names.clone();
        once.dedup();
        assert_eq!(&once, names);
    }
    let vm = |group: &str| {
        format!("/subscriptions/s/resourcegroups/{group}/providers/microsoft.compute/virtualmachines/web")
    };
    // (a name that was unique before stays, SARIF's, JUnit's)
    for (print, case) in [
        ("DW305:one:".to_string(), "one|DW305".to_string()),
        (format!("DW305:{}:", vm("rg1")), format!("{}|DW305", vm("rg1"))),
        (format!("DW305:{}:", vm("rg2")), format!("{}|DW305", vm("rg2"))),
        ("DW103:one:data:uncached IOPS".into(), "one|DW103 data uncached IOPS".into()),
        ("DW103:one:data:uncached throughput".into(), "one|DW103 data uncached throughput".into()),
        (
            format!("DW103:{}:data:uncached throughput", vm("rg2")),
            format!("{}|DW103 data uncached throughput", vm("rg2")),
        ),
        ("DW113:db:vol-1".into(), "db|DW113 vol-1".into()),
        ("DW113:db:vol-2".into(), "db|DW113 vol-2".into()),
        ("DW001:a:".into(), "a|DW001".into()),
        ("DW001:a::2".into(), "a|DW001 (2)".into()),
    ] {
        assert!(plain.contains(&print) && cases.contains(&case), "{print} {case}: {plain:?} {cases:?}");
    }
    // Neither the order, nor the path, nor a figure changes anything.
    let mut turned = alike(16384);
    turned.as_array_mut().unwrap().reverse();
    assert_eq!(called("another name.json", &turned), [plain, hashes, cases]);
}

/// What of a text an XML schema refuses. Read of a schema is what that one has: elements that are types of their own or of a simple kind, their
/// attributes, and which elements stand in them; how often they do is left to the schema's `unbounded` choices.
fn faults_of(schema: &Document, text: &str) -> Vec<String> {
    let elements: HashMap<&str, Node> = schema
        .root_element()
        .children()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2001/XMLSchema", "element")))
        .filter_map(|node| Some((node.attribute("name")?, node)))
        .collect();
    let document = Document::parse(text).unwrap();
    let mut faults = Vec::new();
    for node in document.descendants().filter(Node::is_element) {
        let name = node.tag_name().name();
        let Some(element) = elements.get(name) else {
            faults.push(format!("<{name}> is not of the schema"));
            continue;
        };
        let within = |of: &'static str| element.descendants().filter(move |one| one.tag_name().name() == of);
        let attributes: HashMap<&str, bool> = within("attribute")
            .map(|one| (one.attribute("name").unwrap(), one.attribute("use") == Some("required")))
            .collect();
        let children: HashSet<&str> = within("element").filter_map(|one| one.attribute("ref")).collect();
        let unknown = node.attributes().map(|one| one.name()).filter(|one| !attributes.contains_key(one));
        faults.extend(unknown.map(|one| format!("<{name} {one}>")));
        let missing = attributes.iter().filter(|(one, required)| **required && node.attribute(**one).is_none());
        faults.extend(missing.map(|(one, _)| format!("<{name}> without {one}")));
        let strange = node.children().filter(Node::is_element).filter(|one| !children.contains(one.tag_name().name()));
        faults.extend(strange.map(|one| format!("<{}> in <{name}>", one.tag_name().name())));
        let is_simple = element.attribute("type").is_some()
            || within("complexType").any(|one| one.attribute("mixed") == Some("true"));
        let has_text = node.children().any(|one| one.is_text() && !one.text().unwrap_or_default().trim().is_empty());
        if has_text && !is_simple {
            faults.push(format!("text in <{name}>"));
        }
    }
    faults
}
