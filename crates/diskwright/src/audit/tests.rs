//! What "can never be used" means, on the simulator: a rig is asked for all that it is bought for, and gets what its gate passes.

use dw_estate::StripeFile;
use serde_json::{Value, json};

use super::{AuditOptions, estate};
use crate::{Catalogue, LoadOptions, Session, Texts};

/// Kind, GiB, IOPS and MB/s where they are chosen, cache.
type Disk = (&'static str, u64, Option<(u64, u64)>, &'static str);

/// A machine with disks.
fn list(size: &str, disks: &[Disk]) -> String {
    let data = disks.iter().enumerate().map(|(lun, (sku, gib, rates, cache))| {
        json!({ "lun": lun, "name": format!("data{lun}"), "caching": cache, "diskSizeGB": gib, "diskIOPSReadWrite": rates.map(|rates| rates.0),
            "diskMBpsReadWrite": rates.map(|rates| rates.1), "managedDisk": { "storageAccountType": sku } })
    });
    let data: Vec<Value> = data.collect();
    json!([{ "id": "/x/providers/Microsoft.Compute/virtualMachines/m", "name": "m", "location": "eastus", "zones": ["1"],
        "hardwareProfile": { "vmSize": format!("Standard_{size}") }, "storageProfile": { "dataDisks": data } }])
    .to_string()
}

#[test]
fn what_can_never_be_used_is_not_used_by_the_simulator_either() {
    let session = Session::new(Catalogue::embedded().clone());
    let cases: [(&str, &str, &[Disk], &str); 6] = [
        ("DW101", "D8s_v5", &[("Premium_LRS", 1024, None, "None"); 5], "bs=8k"),
        ("DW102", "D8s_v5", &[("Premium_LRS", 512, None, "None"); 9], "bs=256k"),
        ("DW103", "D2s_v5", &[("Premium_LRS", 8192, None, "None")], "bs=4k"),
        ("DW201", "D8s_v5", &[("PremiumV2_LRS", 1024, Some((40_000, 300)), "None")], "bs=4k"),
        ("DW202", "D2s_v5", &[("PremiumV2_LRS", 1024, Some((8_000, 1_200)), "None"); 2], "bs=512k"),
        ("DW201", "D4s_v6", &[("UltraSSD_LRS", 1024, Some((80_000, 400)), "None")], "bs=4k"),
    ];
    for (code, size, disks, bs) in cases {
        let estate = estate([("vms.json".to_string(), list(size, disks).as_bytes())]).unwrap();
        let audit = session.audit(&estate, &AuditOptions::default());
        let finding = audit.findings.iter().find(|finding| finding.code == code);
        let finding = finding.unwrap_or_else(|| panic!("{code} of {size}: {:?}", audit.findings));
        let figure = |name: &str| serde_json::to_value(&finding.says).unwrap()["args"][name]["value"].as_f64().unwrap();
        let (bought, passed) = (figure("bought"), figure("passed"));
        let rig = session.rig_of_machine(&estate, "m", &StripeFile::default()).unwrap();
        let scenario = session.scenario("rig.toml", &rig).unwrap_or_else(|e| panic!("{e}\n{rig}"));
        let mut jobs =
            format!("[global]\nrw=randread\n{bs}\niodepth=256\nioengine=libaio\ndirect=1\nruntime=5\ntime_based\n");
        for volume in &scenario.volumes {
            jobs += &format!("[{0}]\nfilename=/dev/{0}\nsize=1g\n", volume.name);
        }
        let load = session.load(scenario, &Texts::single("all.fio", jobs), &LoadOptions::default()).unwrap();
        let total = session.simulate(load).unwrap().summary().total.all;
        let got = if ["DW102", "DW202"].contains(&code) { total.bytes_per_s } else { total.iops };
        assert!(got <= passed * 1.01, "{code} of {size}: {got} of {passed}, bought {bought}");
        assert!(got >= passed * 0.9, "{code} of {size}: {got} of {passed}: the gate is not what stops it");
    }
}
