//! Which commands an example folder stands for: every job file on its `rig.toml`, or a plan for its `requirements.toml`, with the
//! options of that file's `# run:` line. `expected.txt` holds what they print.

use std::io;
use std::path::Path;

/// A command of an example: what follows `diskwright`.
pub type Arguments = Vec<String>;

/// The commands of a folder, paths as `shown` says, job files in order of their names.
pub fn commands(folder: &Path, shown: &str) -> io::Result<Vec<Arguments>> {
    if let Ok(requirements) = std::fs::read_to_string(folder.join("requirements.toml")) {
        let options = requirements.lines().find_map(|line| line.strip_prefix("# run:")).unwrap_or_default();
        let fixed = ["plan".to_string(), format!("{shown}/requirements.toml")];
        return Ok(vec![fixed.into_iter().chain(options.split_whitespace().map(String::from)).collect()]);
    }
    let rig = std::fs::read_to_string(folder.join("rig.toml"))?;
    let options = rig.lines().find_map(|line| line.strip_prefix("# run:")).unwrap_or_default();
    let mut jobs: Vec<String> = std::fs::read_dir(folder)?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".ini") || name.ends_with(".fio"))
        .collect();
    jobs.sort();
    let command = |job: &String| {
        let fixed =
            ["simulate".to_string(), format!("{shown}/rig.toml"), format!("{shown}/{job}"), "--quiet".to_string()];
        fixed.into_iter().chain(options.split_whitespace().map(String::from)).collect()
    };
    Ok(jobs.iter().map(command).collect())
}

/// What `expected.txt` should hold: each command with what it printed, as `run` gives it.
pub fn transcript(commands: &[Arguments], mut run: impl FnMut(&Arguments) -> String) -> String {
    let mut out = String::new();
    for command in commands {
        let typed: Vec<&str> = command.iter().map(String::as_str).filter(|a| *a != "--quiet").collect();
        out.push_str(&format!("$ diskwright {}\n\n{}\n", typed.join(" "), run(command)));
    }
    out
}
