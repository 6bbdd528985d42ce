//! What a person sees: whole outputs, compared with the snapshots next to this file.

use clap::Parser;
use insta::assert_snapshot;
use serde_json::Value;

use super::{CatalogueCommand, run};

#[derive(Parser)]
struct Door {
    #[command(subcommand)]
    command: CatalogueCommand,
}

/// What a line of `diskwright catalogue` prints, or its error and hint.
fn output(line: &str) -> String {
    let door = match Door::try_parse_from(std::iter::once("catalogue").chain(line.split_whitespace())) {
        Ok(door) => door,
        Err(error) => return error.to_string(),
    };
    let mut out = Vec::new();
    match run(&door.command, &mut out) {
        Ok(()) => String::from_utf8(out).unwrap(),
        Err(error) => format!("{error}\n"),
    }
}

fn json(line: &str) -> Value {
    serde_json::from_str(&output(&format!("{line} --format json"))).unwrap()
}

#[test]
fn show_prints_every_figure_with_its_source() {
    assert_snapshot!("show_ds14_of_the_article", output("show DS14 --edition 2017-article"));
    assert_snapshot!("show_a_size_with_derived_limits", output("show d8ads_v6"));
    assert_snapshot!("show_a_size_with_a_fault", output("show E192ids_v6"));
    assert_snapshot!("show_a_size_without_premium_disks", output("show D14 --edition 2017-03"));
    assert_snapshot!("show_p30", output("show P30"));
    assert_snapshot!("show_premium_v2", output("show premiumv2"));
}

#[test]
fn diff_says_what_changed_field_by_field() {
    assert_snapshot!("diff_ds14", output("diff DS14"));
    assert_snapshot!("diff_d8ds_v4", output("diff D8ds_v4 2021"));
    assert_snapshot!("diff_e10", output("diff E10"));
    assert_snapshot!("diff_two_editions_of_p4", output("diff P4 2018-01 2023-03"));
    assert_snapshot!("diff_whole_editions", output("diff --all 2017-03 2018-01"));
    assert_snapshot!("diff_of_another_vendor", output("diff gp3"));
}

#[test]
fn list_prints_a_line_for_each_name() {
    assert_snapshot!("list_ds1", output("list ds1"));
    assert_snapshot!("list_series", output("list --series lsv4"));
    assert_snapshot!("list_disks", output("list --disks"));
    assert_snapshot!("list_edition_of_disks", output("list P --disks --edition 2017-02"));
    assert_snapshot!("latency_models", output("latency"));
}

#[test]
fn the_list_has_every_name_once() {
    let list = json("list");
    assert_eq!(list["vm_sizes"].as_array().unwrap().len(), 1_617);
    assert_eq!(list["disks"].as_array().unwrap().len(), 41);
}

#[test]
fn errors_say_what_was_found_and_what_to_write() {
    let errors = [
        "show DS15",
        "show P31",
        "show n2-standard-8",
        "show nonsense",
        "show DS14 --edition 2015",
        "list --edition 2019-07",
        "diff DS14 2017-01 2019-07",
        "diff --all 2017-03",
        "diff --all 2017-03 2019",
        "list nothing-like-this",
        "list --vm --disks",
        "list --vendor aws m99.large",
        "list --vendor aws --series m99",
        "list --vendor aws --edition 2017-01",
        "list --vendor aws Standard_DS14",
        "coverage --vendor aws --region eastus",
        "coverage --region eu-central-9",
    ];
    let all = errors.map(|line| format!("$ diskwright catalogue {line}\n{}", output(line)));
    assert_snapshot!("errors", all.join("\n"));
}

#[test]
fn json_has_exact_numbers_and_names_their_sources() {
    let show = json("show DS14 --edition 2017-article");
    assert_eq!(show["kind"], "vm_size");
    assert_eq!(show["fields"]["uncached_throughput"]["value"], 524_288_000);
    assert_eq!(show["fields"]["uncached_throughput"]["unit"], "B/s");
    assert_eq!(show["fields"]["uncached_throughput"]["source"], "premium-storage-performance-2017-article");
    assert_eq!(show["fields"]["cached_iops"]["source"], "sizes-memory-2017-03");
    assert!(show["fields"]["cached_iops"]["derived"].is_string());
    assert_eq!(show["sources"].as_array().unwrap().len(), 7);
    assert_eq!(show["conflicts"].as_array().unwrap().len(), 2);

    let diff = json("diff DS14 2017-03 2018-01");
    let changes = diff["steps"][0]["changes"].as_array().unwrap();
    assert_eq!(changes.len(), 1);
    assert_eq!((&changes[0]["field"], &changes[0]["to"]["value"]), (&"max_data_disks".into(), &64.into()));

    let whole = json("diff --all 2017-03 2018-01");
    assert_eq!(whole["in_both"], 60);
    assert_eq!(whole["only_from"].as_array().unwrap().len(), 0);

    assert_eq!(json("sources").as_array().unwrap().len(), 199);
    let latency = json("latency");
    assert_eq!(latency[0]["read"][2]["percentile"], 50.0);
    assert_eq!(
        (&latency[7]["name"], &latency[7]["read_spread_percent"]["cautious"]),
        (&"premium-ssd".into(), &170.into())
    );
}

#[test]
fn coverage_counts_each_region_and_names_each_gap() {
    assert_snapshot!("coverage_of_a_region", output("coverage --region qatarcentral --gaps"));
    let document = json("coverage --region WestIndia --gaps");
    let region = &document["regions"][0];
    let count = |name: &str| region["counts"][name].as_u64().unwrap();
    let listed = region["without_plan"].as_array().unwrap();
    assert_eq!(region["sizes"].as_u64().unwrap(), count("plannable") + listed.len() as u64);
    let with_price_gap = listed.iter().filter(|size| size["reasons"].to_string().contains("\"price\"")).count();
    assert_eq!(region["gaps"]["price"], with_price_gap);
    assert_eq!(count("priced") + with_price_gap as u64, region["sizes"].as_u64().unwrap());

    let csv = output("coverage --region westindia --format csv");
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines[0].len(), lines[1].len(), "a name for each figure: {csv}");
    let cell = |name: &str| lines[1][lines[0].iter().position(|head| *head == name).unwrap()];
    assert_eq!((cell("region"), cell("plannable")), ("westindia", count("plannable").to_string().as_str()));
    let gaps = output("coverage --region westindia --gaps --format csv");
    assert!(gaps.lines().skip(1).all(|line| line.starts_with("westindia,")), "{gaps}");
    assert!(gaps.lines().count() > listed.len(), "{gaps}");

    let unknown = output("coverage --region atlantis");
    assert!(unknown.contains("`atlantis`") && unknown.contains("australiacentral"), "{unknown}");
}

/// Whose names they are, the filter says, or `--vendor`.
#[test]
fn lists_and_coverage_are_of_the_vendor_that_is_meant() {
    assert_snapshot!("list_types_of_another_vendor", output("list m7i.4xlarge"));
    assert_snapshot!("list_disks_of_another_vendor", output("list --disks --vendor aws"));
    let names = |line: &str, key: &str| -> Vec<String> {
        let list = json(line);
        list[key].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_string()).collect()
    };
    assert!(names("list --vendor aws --vm", "vm_sizes").len() > 1_300);
    assert_eq!(names("list --vendor aws --vm", "disks"), Vec::<String>::new());
    for line in ["list --series m7i", "list --vendor aws --series M7I"] {
        let types = names(line, "vm_sizes");
        assert!(types.len() > 8 && types.iter().all(|name| name.starts_with("m7i.")), "{line}: {types:?}");
    }
    assert_eq!(
        names("list *.metal --vendor aws", "vm_sizes").iter().filter(|name| !name.ends_with(".metal")).count(),
        0
    );
    assert_eq!(names("list --disks --edition 2025-09", "disks"), ["gp3"]);
    assert_eq!(names("list --disks --vendor azure", "disks"), names("list --disks", "disks"));

    assert_snapshot!("coverage_of_a_region_of_another_vendor", output("coverage --region eu-central-1"));
    let one = json("coverage --region EU-Central-1 --gaps");
    assert_eq!((one["vendor"].as_str(), one["regions"][0]["region"].as_str()), (Some("aws"), Some("eu-central-1")));
    let region = &one["regions"][0];
    let listed = region["without_plan"].as_array().unwrap().len() as u64;
    assert_eq!(region["sizes"].as_u64().unwrap(), region["counts"]["plannable"].as_u64().unwrap() + listed);
    assert_eq!(json("coverage --region westindia")["vendor"], "azure");
    let csv = output("coverage --region eu-central-1 --format csv");
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!((lines.len(), lines[0].len()), (2, lines[1].len()), "{csv}");
    assert!(lines[0].contains(&"gp3") && lines[0].contains(&"on_request_metal"), "{csv}");
}
