//! What a key of `[plan]` does to the answer, or why its value is refused: a line a value.

use dw_catalogue::Catalogue;
use dw_demand::read_for_plan;
use dw_planner::{build, solve};

/// The VM size of the plan for what is read 100 times a second beside 12 GiB of memory in use, or why there is none, from its beginning.
fn check(rows: &[(&str, &str)]) {
    let catalogue: &Catalogue = Catalogue::embedded();
    for (keys, expected) in rows {
        let text = format!(
            "schema_version = 1\n[memory]\nused = {{ p50 = '8 GiB', p90 = '9 GiB', p99 = '10 GiB', max = '12 GiB' }}\n\
             [plan]\nvms = ['D2s_v3', 'D4s_v3', 'D8s_v3']\ndisks = ['P10']\n{keys}\n\
             [[volume]]\nname = 'data'\ncapacity = '100 GiB'\nread_size = '8 KiB'\n\
             read_iops = {{ p50 = 100, p90 = 100, p99 = 100, max = 100 }}\n"
        );
        let found = match read_for_plan("r.toml", &text, catalogue) {
            Err(error) => format!("{}: {}", error.what, error.hint),
            Ok((requirements, wishes)) => match build(&requirements, &wishes, catalogue) {
                Err(error) => error.to_string(),
                Ok(built) => {
                    let answer = solve(&built.problem);
                    answer.plans.first().map_or("nothing".into(), |plan| built.problem.vms[plan.vm].name.clone())
                }
            },
        };
        assert!(found.starts_with(expected), "{keys}: {found}");
    }
}

#[test]
fn processors_and_memory_are_at_least_what_was_asked_for() {
    check(&[
        ("", "Standard_D4s_v3"),
        ("vcpu_min = 8", "Standard_D8s_v3"),
        ("vcpu_min = 9", "nothing"),
        ("vcpu_min = -1", "`vcpu_min = -1` is out of range"),
        ("memory_min = '17 GiB'", "Standard_D8s_v3"),
        ("memory_min = '33 GiB'", "nothing"),
        (
            "memory_min = 48",
            "`memory_min = 48` is a whole number, and a text belongs there: write it in quotes and with its unit",
        ),
        ("memory_min = 'much'", "`memory_min = \"much\"` is not a size"),
    ]);
}
