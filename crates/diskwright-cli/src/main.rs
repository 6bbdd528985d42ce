//! The program's entrance.

use std::process::ExitCode;

fn main() -> ExitCode {
    diskwright_cli::terminal::look();
    diskwright_cli::system::take_file_limit_as_error();
    let args = std::env::args_os().map(|arg| arg.to_string_lossy().into_owned()).collect();
    ExitCode::from(diskwright_cli::run(args, &mut std::io::stdout().lock()).code())
}
