//! The recipes for pull requests, run as their providers run them: on a git repository, with stand-ins for Terraform and for who takes comments.
//!
//! YAML is read by the Python of the Azure CLI's parser.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::e2e::support::{root, run, test_tool, tool};

/// What stands in: Terraform plans what the branch has and knows the state of what main has; comments are kept.
const STAND_INS: [(&str, &str); 3] = [
    (
        "terraform",
        "case \"$*\" in\ninit*) ;;\nplan*) cp disks.plan.json plan.out ;;\n'show -json plan.out') cat plan.out ;;\n\
         'show -json') git show main:state ;;\n*) exit 2 ;;\nesac\n",
    ),
    ("gh", "[ \"$1 $2\" = 'pr comment' ] && [ \"$4\" = --body-file ] && cp \"$5\" \"$STATE/comment\"\n"),
    // A comment comes as JSON on standard input, or as the file of a form's field.
    (
        "curl",
        "for word; do case $word in body@*) cp \"${word#body@}\" \"$STATE/comment\" ;; http*) echo \"$word\" >\"$STATE/url\" ;; esac; done\n\
         [ -e \"$STATE/comment\" ] || jq -j '.comments[0].content' >\"$STATE/comment\"\n",
    ),
];

/// What a pull request is given by its provider.
const GIVEN: [(&str, &str); 11] = [
    ("BUILD_REPOSITORY_ID", "r"),
    ("CI_API_V4_URL", "https://gitlab.example/api/v4"),
    ("CI_MERGE_REQUEST_IID", "7"),
    ("CI_PROJECT_ID", "3"),
    ("FAIL_ON", "warning"),
    ("GITLAB_TOKEN", "token"),
    ("SYSTEM_COLLECTIONURI", "https://dev.azure.example/o/"),
    ("SYSTEM_PULLREQUEST_PULLREQUESTID", "7"),
    ("SYSTEM_TEAMPROJECTID", "p"),
    ("TOKEN", "token"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
];

fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// A file of YAML, or nothing where nobody can read it here.
fn yaml(path: &str) -> Option<Value> {
    let python = test_tool("azure-cli/bin/python")?;
    let read = "import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))";
    let ran = run(Command::new(python).args(["-c", read]).arg(root().join(path)));
    assert_eq!(ran.code, 0, "{path}: {}", ran.stderr);
    Some(serde_json::from_str(&ran.stdout).unwrap())
}

/// A machine whose data disk is bought for so many IOPS, planned or built. That a log's writes are held back is no news of the pull request.
fn disks(iops: u64, is_built: bool) -> Value {
    let own = "azurerm_linux_virtual_machine.db";
    let mut resources = vec![
        json!({ "address": own, "mode": "managed", "type": "azurerm_linux_virtual_machine", "name": "db",
        "values": { "name": "db", "size": "Standard_D8s_v5", "location": "eastus", "zone": "1", "encryption_at_host_enabled": true,
            "os_disk": [{ "caching": "ReadWrite", "storage_account_type": "Premium_LRS", "disk_size_gb": 64, "name": "db-os" }] } }),
    ];
    let mut configured = Vec::new();
    let data = json!({ "name": "data", "storage_account_type": "PremiumV2_LRS", "disk_size_gb": 512, "disk_iops_read_write": iops,
        "disk_mbps_read_write": 200, "location": "eastus", "zone": "1" });
    let log = json!({ "name": "log", "storage_account_type": "Premium_LRS", "disk_size_gb": 128, "location": "eastus", "zone": "1" });
    for (lun, (name, cache, values)) in [("data", "None", data), ("log", "ReadWrite", log)].into_iter().enumerate() {
        let (disk, attachment) =
            (format!("azurerm_managed_disk.{name}"), format!("azurerm_virtual_machine_data_disk_attachment.{name}"));
        resources.push(json!({ "address": disk, "mode": "managed", "type": "azurerm_managed_disk", "name": name, "values": values }));
        let mut attached = json!({ "lun": lun, "caching": cache });
        if is_built {
            attached["managed_disk_id"] = disk.clone().into();
            attached["virtual_machine_id"] = own.into();
        }
        resources.push(
            json!({ "address": attachment, "mode": "managed", "type": "azurerm_virtual_machine_data_disk_attachment",
            "name": name, "values": attached }),
        );
        configured.push(
            json!({ "address": attachment, "type": "azurerm_virtual_machine_data_disk_attachment", "expressions": {
            "managed_disk_id": { "references": [format!("{disk}.id"), disk] },
            "virtual_machine_id": { "references": [format!("{own}.id"), own] } } }),
        );
    }
    if is_built {
        return json!({ "format_version": "1.0", "terraform_version": "1.9.0", "values": { "root_module": { "resources": resources } } });
    }
    json!({ "format_version": "1.2", "terraform_version": "1.9.0", "planned_values": { "root_module": { "resources": resources } },
        "configuration": { "root_module": { "resources": configured } } })
}

/// A repository with a pull request checked out, and a folder of stand-ins beside it.
struct Repository(tempfile::TempDir);

impl Repository {
    /// `state`: of what main has built; nothing of it: of nothing.
    fn with(state: Option<u64>, planned: u64) -> Repository {
        let repository = Repository(tempfile::tempdir().unwrap());
        for folder in ["bin", "state", "at"] {
            std::fs::create_dir(repository.0.path().join(folder)).unwrap();
        }
        for (name, script) in STAND_INS {
            let path = repository.0.path().join("bin").join(name);
            std::fs::write(&path, format!("#!/usr/bin/env bash\nset -eu\n{script}")).unwrap();
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        // What a state without anything in it is shown as.
        let state = state.map_or(json!({ "format_version": "1.0" }), |iops| disks(iops, true));
        std::fs::write(repository.at().join("state"), state.to_string()).unwrap();
        std::fs::write(repository.at().join("disks.plan.json"), disks(3_000, false).to_string()).unwrap();
        let git = "git -c user.name=a -c user.email=a@example.com -c commit.gpgsign=false";
        let begin = format!("git init -q -b main && git add . && {git} commit -q -m main && git checkout -q -b change");
        assert_eq!(repository.bash(&begin, &[]), 0);
        std::fs::write(repository.at().join("disks.plan.json"), disks(planned, false).to_string()).unwrap();
        assert_eq!(repository.bash(&format!("{git} commit -q --allow-empty -a -m change"), &[]), 0);
        repository
    }
    fn at(&self) -> PathBuf {
        self.0.path().join("at")
    }
    fn read(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.0.path().join(path)).ok()
    }
    fn bash(&self, script: &str, env: &[(String, String)]) -> i32 {
        let program = Path::new(env!("CARGO_BIN_EXE_diskwright")).parent().unwrap();
        let path =
            format!("{}:{}:{}", self.0.path().join("bin").display(), program.display(), std::env::var("PATH").unwrap());
        let mut bash = Command::new("bash");
        bash.args(["-eo", "pipefail", "-c", script]).current_dir(self.at()).envs(GIVEN);
        bash.env("PATH", path).env("STATE", self.0.path().join("state")).env("DISKWRIGHT_CATALOGUE", "none");
        bash.envs(env.iter().map(|(name, value)| (name, value)));
        run(&mut bash).code
    }
}

/// One script of a recipe, with its variables.
struct Step {
    script: String,
    env: Vec<(String, String)>,
    after_failure: bool,
}

fn env(of: &Value) -> Vec<(String, String)> {
    let own = of["env"].as_object().into_iter().flatten();
    own.map(|(name, value)| (name.clone(), value.as_str().unwrap_or("token").to_string())).collect()
}

/// The scripts of each recipe in their order.
fn recipes() -> Option<Vec<(&'static str, Vec<Step>)>> {
    let condition = |step: &Value, key: &str| step[key].as_str().is_some_and(|text| text.contains("fail"));
    let github = yaml("docs/guide/ci/github.yml")?;
    let action = yaml("action.yml")?;
    let github = github["jobs"]["audit"]["steps"].as_array().unwrap().iter().filter_map(|step| {
        let after_failure = condition(step, "if");
        if let Some(script) = step["run"].as_str() {
            return Some(Step { script: script.into(), env: env(step), after_failure });
        }
        // The action of this repository, with what it is given in the place of its inputs.
        step["uses"].as_str().filter(|name| name.starts_with("diskwright/"))?;
        let composite = &action["runs"]["steps"][0];
        let input = |text: &str| {
            let name = text.trim_start_matches("${{ inputs.").trim_end_matches(" }}");
            let given = step["with"][name].as_str().or(action["inputs"][name]["default"].as_str());
            given.unwrap_or_else(|| panic!("no input {name}")).to_string()
        };
        let mut env: Vec<_> = env(composite).into_iter().map(|(name, value)| (name, input(&value))).collect();
        env.push(("GITHUB_ACTION_PATH".into(), root().display().to_string()));
        Some(Step { script: composite["run"].as_str().unwrap().into(), env, after_failure })
    });
    let github = github.collect();
    let azure = yaml("docs/guide/ci/azure-devops.yml")?;
    let azure = azure["steps"].as_array().unwrap().iter().filter_map(|step| {
        let script = step["bash"].as_str()?.to_string();
        Some(Step { script, env: env(step), after_failure: condition(step, "condition") })
    });
    let azure = azure.collect();
    let gitlab = yaml("docs/guide/ci/gitlab.yml")?;
    let lines = |key: &str| {
        let lines = gitlab["disks"][key].as_array().unwrap().iter().map(|line| line.as_str().unwrap());
        lines.collect::<Vec<_>>().join("\n")
    };
    let status = vec![("CI_JOB_STATUS".to_string(), "failed".to_string())];
    let gitlab = vec![
        Step { script: lines("script"), env: vec![], after_failure: false },
        Step { script: lines("after_script"), env: status, after_failure: true },
    ];
    Some(vec![("GitHub", github), ("Azure DevOps", azure), ("GitLab", gitlab)])
}

/// Runs the steps; the code of the first that failed.
fn ran(steps: &[Step], repository: &Repository) -> i32 {
    let mut code = 0;
    for step in steps {
        if step.after_failure == (code != 0) {
            let own = repository.bash(&step.script, &step.env);
            code = if code == 0 { own } else { code };
        }
    }
    code
}

#[test]
fn a_pull_request_that_buys_disks_its_machine_cannot_drive_fails_with_a_sentence() {
    if ["git", "jq"].iter().any(|name| tool(name).is_none()) {
        return;
    }
    let Some(recipes) = recipes() else { return };
    for (name, steps) in &recipes {
        // What main has built, what the branch plans, the exit code.
        for (state, planned, code) in
            [(Some(3_000), 30_000, 5), (None, 30_000, 5), (Some(3_000), 3_000, 0), (Some(30_000), 30_000, 0)]
        {
            let repository = Repository::with(state, planned);
            assert_eq!(ran(steps, &repository), code, "{name}: {state:?} to {planned}");
            let said = repository.read("at/diskwright-audit.md").unwrap();
            assert!(said.lines().count() <= 40, "{name}: {said}");
            let sarif: Value = serde_json::from_str(&repository.read("at/diskwright-audit.sarif").unwrap()).unwrap();
            let codes: Vec<&str> = sarif["runs"][0]["results"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(|one| one["ruleId"].as_str())
                .collect();
            let comment = repository.read("state/comment");
            if code == 0 {
                assert!(comment.is_none() && !codes.contains(&"DW201"), "{name}: {comment:?} {codes:?}");
                continue;
            }
            let sentence = "30,000 IOPS are bought; uncached IOPS of D8s_v5 sustains 12,800 IOPS, and passes up to 20,000 IOPS only while it bursts: 10,000 IOPS can never be used at once";
            assert!(comment.as_ref() == Some(&said) && said.contains(sentence), "{name}: {comment:?} {said}");
            assert!(codes.contains(&"DW201") && codes.contains(&"DW301") == state.is_none(), "{name}: {codes:?}");
            assert!(
                repository.read("at/diskwright-audit.xml").unwrap().contains("<failure type=\"warning\""),
                "{name}"
            );
            let url = repository.read("state/url").unwrap_or_default();
            let expected = match *name {
                "GitHub" => "",
                "GitLab" => "https://gitlab.example/api/v4/projects/3/merge_requests/7/notes\n",
                _ => "https://dev.azure.example/o/p/_apis/git/repositories/r/pullRequests/7/threads?api-version=7.1\n",
            };
            assert_eq!(url, expected, "{name}");
        }
    }
}

#[test]
fn the_hook_fails_before_a_commit() {
    let (Some(_), Some(hooks)) = (tool("git"), yaml(".pre-commit-hooks.yaml")) else { return };
    let hook = &hooks[0];
    assert!(hook["id"] == "diskwright-audit" && hook["language"] == "system" && hook["require_serial"] == true);
    let (entry, files) = (hook["entry"].as_str().unwrap(), hook["files"].as_str().unwrap());
    // As pre-commit does: what changed and fits, given to the entry.
    let script = format!("git diff --name-only main | grep -E '{files}' | xargs -r {entry}");
    for (planned, code) in [(30_000, 123), (3_000, 1)] {
        assert_eq!(Repository::with(None, planned).bash(&script, &[]), code, "{planned}");
    }
    let names =
        "printf '%s\\n' plan.json a/tfplan.json a/db.plan.json azuredeploy.json package.json explan.json plan.json.bak";
    let fitting = format!("{names} | grep -cE '{files}' | grep -qx 4");
    assert_eq!(Repository::with(None, 3_000).bash(&fitting, &[]), 0);
}

#[test]
fn scripts_of_recipes_have_no_fault_that_shellcheck_knows() {
    let (Some(shellcheck), Some(recipes)) = (tool("shellcheck"), recipes()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut scripts = vec![text("scripts/audit-in-ci.sh")];
    scripts.extend(
        recipes.into_iter().flat_map(|(_, steps)| steps).map(|step| format!("#!/usr/bin/env bash\n{}", step.script)),
    );
    let names: Vec<String> = (0..scripts.len()).map(|n| format!("{n}.sh")).collect();
    for (name, script) in names.iter().zip(&scripts) {
        std::fs::write(folder.path().join(name), script).unwrap();
    }
    let checked = run(Command::new(shellcheck).arg("--severity=style").args(&names).current_dir(folder.path()));
    assert_eq!((checked.code, checked.stdout.as_str()), (0, ""));
}
