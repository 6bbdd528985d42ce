//! What an image is sold with: licences that are paid for by the hour beside the machine.
//!
//! Source: the images of the marketplace by publisher, offer and SKU, and the values of `licenseType`, in `MicrosoftDocs/azure-compute-docs`
//! (`workloads/redhat/redhat-images.md`, `workloads/suse`, `linux/azure-hybrid-benefit-linux.md`) and `MicrosoftDocs/sql-docs`
//! (`azure/azure-sql/virtual-machines/windows/pricing-guidance.md`).
//!
//! Ignores: software of other publishers, whose plans may cost; images of one's own, which keep the plan that they were made from and do not
//! say so; a licence of SQL Server that is brought along, which another resource has.

use dw_estate::Keyed;

use super::Fields;

const RED_HAT: &str = "Red Hat Enterprise Linux";
const SUSE: &str = "SUSE Linux Enterprise Server";
const UBUNTU: &str = "Ubuntu Pro";
/// Editions of SQL Server as SKUs of images begin; the last two cost nothing.
const EDITIONS: [(&str, &str); 5] = [
    ("enterprise", "SQL Server Enterprise"),
    ("standard", "SQL Server Standard"),
    ("web", "SQL Server Web"),
    ("sqldev", ""),
    ("express", ""),
];

/// What is paid for by the hour beside the machine, empty where that is nothing; absent where neither an image of the marketplace nor a type of
/// licence is told.
pub fn paid<const N: usize>(images: [Fields; N], licence: Option<&str>) -> Option<&'static str> {
    let of_image = images.into_iter().find_map(|image| {
        let [offer, sku] = ["offer", "sku"].map(|key| image.text(key).unwrap_or_default().to_ascii_lowercase());
        Some(of_image(&image.text("publisher")?.to_ascii_lowercase(), &offer, &sku))
    });
    let licence = licence.unwrap_or_default().to_ascii_lowercase();
    // What is written here of Linux counts before the image: it turns either way.
    match licence.as_str() {
        "rhel_byos" | "sles_byos" => Some(""),
        of if of.starts_with("rhel_") => Some(RED_HAT),
        of if of.starts_with("sles") => Some(SUSE),
        "ubuntu_pro" => Some(UBUNTU),
        _ => of_image,
    }
}

fn of_image(publisher: &str, offer: &str, sku: &str) -> &'static str {
    let is_brought = [offer, sku].iter().any(|name| name.contains("byos") || name.contains("byol"));
    match publisher {
        _ if is_brought => "",
        "redhat" => RED_HAT,
        "suse" if offer.starts_with("opensuse") => "",
        "suse" => SUSE,
        "canonical" if [offer, sku].iter().any(|name| name.split(['-', '_']).any(|part| part == "pro")) => UBUNTU,
        "microsoftsqlserver" => sql_server(offer, sku),
        _ => "",
    }
}

/// On Linux with the licence of that, too.
fn sql_server(offer: &str, sku: &str) -> &'static str {
    let edition = EDITIONS.into_iter().find(|(begin, _)| sku.starts_with(begin)).map_or("SQL Server", |(_, name)| name);
    match edition {
        "" if offer.contains("rhel") => RED_HAT,
        "" if offer.contains("sles") => SUSE,
        name => name,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_image_says_what_it_is_sold_with() {
        for (publisher, offer, sku, licence, expected) in [
            ("RedHat", "RHEL", "9_4", "", RED_HAT),
            ("RedHat", "RHEL-SAP-HA", "8_6", "", RED_HAT),
            ("RedHat", "rhel-byos", "rhel-lvm9", "", ""),
            ("redhat", "RHEL", "9_4", "RHEL_BYOS", ""),
            // The other way: an own image, or a BYOS one, that is paid for by the hour.
            ("RedHat", "rhel-byos", "rhel-lvm9", "RHEL_BASE", RED_HAT),
            ("SUSE", "sles-15-sp5", "gen2", "", SUSE),
            ("SUSE", "sles-sap-15-sp5-byos", "gen2", "", ""),
            ("SUSE", "opensuse-leap-15-6", "gen2", "", ""),
            ("SUSE", "sles-15-sp5", "gen2", "SLES_BYOS", ""),
            ("Canonical", "0001-com-ubuntu-server-jammy", "22_04-lts-gen2", "", ""),
            ("Canonical", "0001-com-ubuntu-pro-jammy", "pro-22_04-lts-gen2", "", UBUNTU),
            ("Canonical", "ubuntu-24_04-lts", "ubuntu-pro", "", UBUNTU),
            ("MicrosoftSQLServer", "sql2022-ws2022", "enterprise-gen2", "", "SQL Server Enterprise"),
            // Bringing Windows along brings no SQL Server along.
            ("MicrosoftSQLServer", "sql2019-ws2019", "standard", "Windows_Server", "SQL Server Standard"),
            ("MicrosoftSQLServer", "sql2019-ws2019", "sqldev-gen2", "", ""),
            ("MicrosoftSQLServer", "sql2019-ws2019-byol", "enterprise", "", ""),
            ("MicrosoftSQLServer", "sql2019-rhel8", "sqldev", "", RED_HAT),
            ("MicrosoftWindowsServer", "WindowsServer", "2022-datacenter", "", ""),
        ] {
            let image = json!({ "publisher": publisher, "offer": offer, "sku": sku });
            let found = paid([Fields::of(&image)], Some(licence).filter(|word| !word.is_empty()));
            assert_eq!(found, Some(expected), "{publisher} {offer} {sku} {licence}");
        }
        let gallery = json!({ "id": "/subscriptions/s/providers/Microsoft.Compute/images/own" });
        assert_eq!(paid([Fields::of(&gallery)], None), None, "nobody knows");
        assert_eq!(paid([Fields::of(&gallery)], Some("SLES_SAP")), Some(SUSE));
    }
}
