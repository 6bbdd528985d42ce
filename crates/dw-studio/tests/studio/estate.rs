//! The estate: an inventory in, machines by money, one machine; and the screen in a browser, with 10,000 machines.

use dw_browser::{Browser, test_tool};
use dw_studio::Limits;
use serde_json::{Value, json};

use crate::page::{AXE, LAYOUT, at_rest};
use crate::raw::Visitor;
use crate::support::start;

fn vm(number: usize) -> Value {
    let name = format!("vm{number:05}");
    // One in ten buys what its machine cannot drive.
    let iops = if number.is_multiple_of(10) { 30_000 } else { 3_000 };
    json!({ "id": format!("/subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/{name}"), "name": name, "location": "eastus",
        "zones": ["1"], "type": "Microsoft.Compute/virtualMachines", "hardwareProfile": { "vmSize": "Standard_D8s_v5" },
        "tags": { "team": format!("team-{}", number % 40) }, "securityProfile": { "encryptionAtHost": true },
        "storageProfile": { "osDisk": { "osType": "Linux", "name": format!("{name}-os"), "caching": "ReadWrite", "diskSizeGb": 64,
                "managedDisk": { "storageAccountType": "Premium_LRS" } },
            "dataDisks": [{ "lun": 0, "name": format!("{name}-data"), "caching": "None", "diskSizeGb": 512, "diskIOPSReadWrite": iops,
                "diskMBpsReadWrite": 200, "managedDisk": { "storageAccountType": "PremiumV2_LRS" } },
                { "lun": 1, "name": format!("{name}-log"), "caching": "None", "diskSizeGb": 128, "diskIOPSReadWrite": 3_000,
                "diskMBpsReadWrite": 125, "managedDisk": { "storageAccountType": "PremiumV2_LRS" } }] } })
}

fn inventory(count: usize) -> String {
    json!((0..count).map(vm).collect::<Vec<_>>()).to_string()
}

fn asked(bytes: usize) -> String {
    let text = json!({ "files": [["vms.json", bytes]] }).to_string();
    let escaped: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
    format!("estate?q={escaped}")
}

#[test]
fn machines_are_sorted_by_the_money_that_cannot_be_used() {
    let studio = start(Limits::default(), &[]);
    let visitor = Visitor::enter(&studio);
    let text = inventory(20);
    let answer = visitor.call(&asked(text.len()), text.as_bytes());
    assert_eq!(answer.status, 200, "{}", answer.text());
    let found: Value = serde_json::from_str(&answer.text()).unwrap();
    assert_eq!((found["machines"].as_u64(), found["rows"].as_array().unwrap().len()), (Some(20), 20));
    let first = &found["rows"][0];
    assert!(
        first[0] == "vm00000" && first[4].as_f64().unwrap() > 0.0 && first[5] == "warning" && first[7] == "team=team-0",
        "{first}"
    );
    let one = visitor.call("machine", json!({ "estate": found["estate"], "place": 0 }).to_string().as_bytes());
    let one: Value = serde_json::from_str(&one.text()).unwrap();
    assert!(one["rig"].as_str().unwrap().contains("size = \"Standard_D8s_v5\""), "{one:#}");
    assert!(one["findings"].as_array().unwrap().iter().any(|finding| finding["code"] == "DW201"), "{one:#}");
    let refused = |path: &str, body: &[u8], what: &str| {
        let answer = visitor.call(path, body);
        assert!(answer.status == 422 && answer.text().contains(what), "{}", answer.text());
    };
    refused("machine", json!({ "estate": 99, "place": 0 }).to_string().as_bytes(), "open no more");
    refused("machine", json!({ "estate": found["estate"], "place": 99 }).to_string().as_bytes(), "open no more");
    refused(&asked(5), b"hello", "vms.json has no machine and no disk");
    refused("estate", b"", "the address cannot be read");
}

/// A file with an inventory.
fn written(count: usize) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vms.json");
    std::fs::write(&path, inventory(count)).unwrap();
    (folder, path)
}

/// Times are printed, not judged: from the choice of a file to the first table, and from a filter to its rows, of 10,000 machines.
#[test]
fn ten_thousand_machines_are_shown_and_filtered() {
    let Some(mut browser) = Browser::start() else { return };
    let studio = start(Limits::default(), &[]);
    let (_folder, path) = written(10_000);
    browser.resize(1_440, 900, "light");
    browser.go(&studio.link);
    browser.until("document.querySelector('#step-estate')");
    browser.click("#step-estate");
    browser.until("document.querySelector('#estate-files')");
    // What is watched: when a row stands there, and when the count says what was asked for.
    browser.evaluate(
        "window.began = 0; window.watch = (is) => new Promise((done) => { const look = () => is() ? requestAnimationFrame(() => done(performance.now() - began)) : requestAnimationFrame(look); look(); }); \
         document.addEventListener('change', () => { began = performance.now(); window.table = watch(() => document.querySelector('.estate-row [role=cell]')); }, true); 0",
    );
    browser.choose("#estate-files", &[&path]);
    browser.until("document.querySelector('.estate-row [role=cell]')");
    let table = browser.evaluate("table");
    let rows = browser.evaluate("document.querySelectorAll('.estate-all .estate-row').length").as_u64().unwrap();
    assert!(rows > 10 && rows < 60, "only rows that are seen are made: {rows}");
    let mut filters = Vec::new();
    for (text, count) in [("team=team-7", 250), ("vm0123", 10), ("eastus warning", 1_000), ("nothing", 0)] {
        let took = browser.evaluate(&format!(
            "(() => {{ const field = document.querySelector('#estate-filter'); field.value = '{text}'; began = performance.now(); field.dispatchEvent(new Event('input')); \
             return watch(() => document.querySelector('#estate-count').textContent.startsWith('{}')); }})()",
            if count == 1_000 { "1,000".to_string() } else { count.to_string() }
        ));
        filters.push(took);
    }
    println!("estate: 10,000 machines: the first table after {table} ms (this build), filters after {filters:?} ms");
    browser.evaluate("(() => { const field = document.querySelector('#estate-filter'); field.value = ''; field.dispatchEvent(new Event('input')); })()");
    browser.until("document.querySelector('#estate-count').textContent.startsWith('10,000')");
    browser.evaluate("document.querySelector('#estate-rows').scrollTop = 170000");
    browser.until("document.querySelector('.estate-all .estate-row[aria-rowindex=\"5005\"]')");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn one_click_leads_to_a_machine_and_its_rig() {
    let Some(mut browser) = Browser::start() else { return };
    let studio = start(Limits::default(), &[]);
    let (_folder, path) = written(40);
    browser.resize(1_440, 900, "light");
    browser.go(&studio.link);
    browser.until("document.querySelector('#example')");
    browser.click("#example");
    browser.until("document.querySelector('#verdict.warn')");
    browser.press("7", 0);
    browser.until("document.querySelector('#estate-files')");
    browser.choose("#estate-files", &[&path]);
    browser.until("document.querySelector('.estate-row [role=cell] button')");
    browser.click(".estate-all .estate-row button");
    browser.until("document.querySelector('.estate-one li')");
    if let Some(axe) = test_tool("node_modules/axe-core/axe.min.js") {
        let axe = std::fs::read_to_string(axe).unwrap();
        browser.evaluate(&format!("{axe};0"));
        for (width, theme) in [(1_440, "light"), (1_440, "dark"), (390, "light")] {
            browser.resize(width, 900, theme);
            browser.evaluate("new Promise((done) => setTimeout(done, 100))");
            assert_eq!(browser.evaluate(AXE)["grave"], Value::Array(Vec::new()), "{width} {theme}");
            assert_eq!(browser.evaluate(LAYOUT), Value::Array(Vec::new()), "{width} {theme}");
        }
        browser.resize(1_440, 900, "light");
    }
    let said = browser.evaluate("document.querySelector('.estate-one').textContent");
    assert!(said.as_str().unwrap().contains("DW201") && said.as_str().unwrap().contains("Standard_D8s_v5"), "{said}");
    assert!(said.as_str().unwrap().contains("data → vm00000-data, log → vm00000-log"), "{said}");
    browser.click("#estate-whatif");
    browser.until("document.querySelector('#step-whatif[aria-current]')");
    at_rest(&mut browser);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
