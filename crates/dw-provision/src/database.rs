//! Settings of a database that follow from a plan: which file goes to which volume, and figures that follow from VM and disks.
//!
//! What a plan does not know stays a comment: names of databases, sizes of files.
//!
//! Source: "Performance guidelines for SQL Server on Azure VMs" (data ReadOnly, log None, tempdb apart, one tempdb file for each of
//! up to eight processors); "max degree of parallelism" of SQL Server (up to eight processors: their number, else 8); the manuals
//! of PostgreSQL, MySQL and Oracle for the names of settings.

use std::fmt::Write as _;

use dw_catalogue::disk::DiskFamily;
use dw_demand::wishes::Role;
use dw_units::CacheMode;

use super::quote::comment;
use super::setup::{Setup, Volume};

/// Whose settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Database {
    /// SQL Server, on Windows.
    SqlServer,
    /// Oracle Database, on Linux.
    Oracle,
    /// PostgreSQL, on Linux.
    PostgreSql,
    /// MySQL, on Linux.
    MySql,
}

impl Database {
    pub const ALL: [Database; 4] = [Database::SqlServer, Database::Oracle, Database::PostgreSql, Database::MySql];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Database::SqlServer => "sqlserver",
            Database::Oracle => "oracle",
            Database::PostgreSql => "postgresql",
            Database::MySql => "mysql",
        }
    }

    /// What help says of it.
    pub const fn about(self) -> &'static str {
        match self {
            Database::SqlServer => "SQL Server",
            Database::Oracle => "Oracle Database",
            Database::PostgreSql => "PostgreSQL",
            Database::MySql => "MySQL with InnoDB",
        }
    }

    /// The name of the file of settings.
    pub const fn file(self) -> &'static str {
        match self {
            Database::SqlServer => "sqlserver.sql",
            Database::Oracle => "oracle.sql",
            Database::PostgreSql => "postgresql.conf",
            Database::MySql => "mysql.cnf",
        }
    }
}

/// The settings.
pub fn text(setup: &Setup, database: Database) -> String {
    match database {
        Database::SqlServer => sql_server(setup),
        Database::Oracle => oracle(setup),
        Database::PostgreSql => postgresql(setup),
        Database::MySql => mysql(setup),
    }
}

/// The first volume of a role, or of the data.
fn of_role(setup: &Setup, role: Role) -> Option<(usize, &Volume)> {
    let find = |role| setup.volumes.iter().enumerate().find(move |(_, volume)| volume.role == role);
    find(role).or_else(|| find(Role::Data))
}

fn folder(setup: &Setup, role: Role, windows: bool) -> String {
    let number = of_role(setup, role).map_or(0, |(number, _)| number);
    match windows {
        true => format!("{}\\", setup.drive(number)),
        false => setup.mount(number).trim_end_matches('/').into(),
    }
}

/// What is wrong with the caching of a log, if anything.
fn log_cache(setup: &Setup) -> String {
    match of_role(setup, Role::Log).and_then(|(_, volume)| Some((volume, volume.disks()?))) {
        Some((volume, _)) if !setup.host_caches => format!("{}: no host cache to set", volume.name),
        Some((volume, disks)) if disks.host_cache == CacheMode::None => {
            format!("{}: host cache None, as a log needs", volume.name)
        }
        Some((volume, disks)) => {
            format!(
                "{}: host cache {}; a log should have None: give it a volume of its own",
                volume.name, disks.host_cache
            )
        }
        None => "no volume for the log on disks".into(),
    }
}

/// Mean size of a read of the data, in KiB.
fn read_kib(setup: &Setup) -> u64 {
    let demand = of_role(setup, Role::Data).map(|(_, volume)| volume.demand).unwrap_or_default();
    (demand.read.get().checked_div(demand.read_iops).unwrap_or(8_192).saturating_add(512)) >> 10
}

fn memory_mib(setup: &Setup) -> Option<u64> {
    setup.memory.map(|memory| memory.get() >> 20)
}

fn sql_server(setup: &Setup) -> String {
    let processors = setup.vcpu.clamp(1, 8);
    let mut lines = setup.heading("SQL Server for a plan: where files go, parallelism, memory, tempdb.");
    lines.push(String::new());
    lines.push(format!("Caching: {}.", log_cache(setup)));
    lines.push(
        "Format every volume with clusters of 64 KiB (windows.ps1 does). Let the service account perform volume".into(),
    );
    lines
        .push("maintenance tasks, so that data files grow at once. New places of tempdb count after a restart.".into());
    let mut out = comment("--", &lines);
    let (data, log, temp) =
        (folder(setup, Role::Data, true), folder(setup, Role::Log, true), folder(setup, Role::Tempdb, true));
    let _ = write!(
        out,
        "\nUSE master;\nGO\nEXEC sys.sp_configure N'show advanced options', 1;\nRECONFIGURE;\n\
         EXEC sys.sp_configure N'max degree of parallelism', {processors};\n"
    );
    if let Some(memory) = memory_mib(setup) {
        // The system keeps a tenth, at least 4 GiB where there is as much.
        let kept = (memory / 10).max(4_096).min(memory / 2);
        let _ = writeln!(out, "EXEC sys.sp_configure N'max server memory (MB)', {};", memory - kept);
    }
    let _ = write!(
        out,
        "RECONFIGURE;\nGO\n\n-- New databases.\n\
         EXEC sys.xp_instance_regwrite N'HKEY_LOCAL_MACHINE', N'Software\\Microsoft\\MSSQLServer\\MSSQLServer', N'DefaultData', \
         REG_SZ, N'{data}';\n\
         EXEC sys.xp_instance_regwrite N'HKEY_LOCAL_MACHINE', N'Software\\Microsoft\\MSSQLServer\\MSSQLServer', N'DefaultLog', \
         REG_SZ, N'{log}';\nGO\n\n-- tempdb: {processors} data files of one size.\n\
         ALTER DATABASE tempdb MODIFY FILE (NAME = tempdev, FILENAME = N'{}tempdb.mdf', SIZE = 1024MB, FILEGROWTH = 256MB);\n\
         ALTER DATABASE tempdb MODIFY FILE (NAME = templog, FILENAME = N'{}templog.ldf');\n",
        below(&temp),
        below(&temp),
    );
    for n in 2..=processors {
        let _ = writeln!(
            out,
            "IF EXISTS (SELECT 1 FROM tempdb.sys.database_files WHERE name = N'temp{n}')\n    \
             ALTER DATABASE tempdb MODIFY FILE (NAME = temp{n}, FILENAME = N'{folder}tempdb{n}.ndf');\n\
             ELSE\n    ALTER DATABASE tempdb ADD FILE (NAME = temp{n}, FILENAME = N'{folder}tempdb{n}.ndf', SIZE = 1024MB, \
             FILEGROWTH = 256MB);",
            folder = below(&temp)
        );
    }
    let _ = write!(
        out,
        "GO\n\n-- A database that is there, one file at a time, then take it offline, move the file, bring it online:\n\
         -- ALTER DATABASE [name] MODIFY FILE (NAME = [data file], FILENAME = N'{data}name.mdf');\n\
         -- ALTER DATABASE [name] MODIFY FILE (NAME = [log file], FILENAME = N'{log}name.ldf');\n\n\
         -- Undo: MAXDOP 0, max server memory 2147483647; tempdb's files back with MODIFY FILE, added ones with REMOVE FILE.\n"
    );
    out
}

/// A folder with its separator at the end.
fn below(folder: &str) -> String {
    if folder.ends_with('\\') { folder.into() } else { format!("{folder}\\") }
}

fn oracle(setup: &Setup) -> String {
    let block = match read_kib(setup) {
        0..=8 => 8_192,
        9..=16 => 16_384,
        _ => 32_768,
    };
    let redo = if setup.has(DiskFamily::PremiumSsdV2) || setup.has(DiskFamily::Ultra) { 4_096 } else { 512 };
    let mut lines = setup.heading("Oracle for a plan: block size, direct and asynchronous I/O, where files go.");
    lines.push(String::new());
    lines.push(format!("Caching: {}.", log_cache(setup)));
    lines.push(format!(
        "The block size is chosen when a database is created: db_block_size = {block}, for reads of {} KiB.",
        read_kib(setup)
    ));
    let (data, log, temp) =
        (folder(setup, Role::Data, false), folder(setup, Role::Log, false), folder(setup, Role::Tempdb, false));
    comment("--", &lines)
        + &format!(
            "\n-- In the parameter file of a new database: db_block_size={block}\n\
             ALTER SYSTEM SET filesystemio_options = 'SETALL' SCOPE = SPFILE;\n\
             ALTER SYSTEM SET disk_asynch_io = TRUE SCOPE = SPFILE;\n\
             ALTER SYSTEM SET db_file_multiblock_read_count = {} SCOPE = SPFILE;\n\
             ALTER SYSTEM SET db_create_file_dest = '{data}' SCOPE = BOTH;\n\
             ALTER SYSTEM SET db_create_online_log_dest_1 = '{log}' SCOPE = BOTH;\n\n\
             -- Redo logs with blocks as large as the sectors of the disks:\n\
             -- ALTER DATABASE ADD LOGFILE GROUP 4 ('{log}/redo04.log') SIZE 2G BLOCKSIZE {redo};\n\
             -- ALTER TABLESPACE temp ADD TEMPFILE '{temp}/temp02.dbf' SIZE 8G;\n\n\
             -- Undo: ALTER SYSTEM RESET filesystemio_options SCOPE = SPFILE; and so for the others.\n",
            (1 << 20) / block
        )
}

fn postgresql(setup: &Setup) -> String {
    let depth = of_role(setup, Role::Data)
        .map_or(16, |(_, volume)| volume.queue_depth.0.saturating_add(volume.queue_depth.1))
        .clamp(1, 1_000);
    let (data, log) = (folder(setup, Role::Data, false), folder(setup, Role::Log, false));
    let mut lines = setup
        .heading("PostgreSQL for a plan. Include it from postgresql.conf: include 'FILE'; to undo, remove that line.");
    lines.push(String::new());
    lines.push(format!("Caching: {}.", log_cache(setup)));
    lines.push(format!("A new cluster: initdb --pgdata={data}/pgdata --waldir={log}/pg_wal --data-checksums"));
    lines.push(
        "Pages are of 8 KiB, so full_page_writes stays on: no disk here writes 8 KiB at once or not at all.".into(),
    );
    let mut out = comment("#", &lines);
    let _ = write!(
        out,
        "\nrandom_page_cost = 1.1\neffective_io_concurrency = {depth}     # requests in flight that the plan counts on\n\
         maintenance_io_concurrency = {depth}\nfsync = on\nfull_page_writes = on\ncheckpoint_completion_target = 0.9\n"
    );
    if let Some(memory) = memory_mib(setup) {
        let _ = writeln!(out, "shared_buffers = {}MB\neffective_cache_size = {}MB", memory / 4, memory / 4 * 3);
    }
    if setup.volumes.iter().any(|volume| volume.role == Role::Tempdb) {
        let temp = folder(setup, Role::Tempdb, false);
        let _ = writeln!(
            out,
            "# Once: CREATE TABLESPACE temporary LOCATION '{temp}/pgtemp';\ntemp_tablespaces = 'temporary'"
        );
    }
    out
}

fn mysql(setup: &Setup) -> String {
    let data = of_role(setup, Role::Data);
    let writes = data.map_or(200, |(_, volume)| volume.demand.write_iops).max(200);
    let mut lines =
        setup.heading("MySQL (InnoDB) for a plan. Copy it into the directory of included files; to undo, remove it.");
    lines.push(String::new());
    lines.push(format!("Caching: {}.", log_cache(setup)));
    lines.push("innodb_page_size is chosen when the data directory is made: 16 KiB, doublewrite stays on, because no disk here".into());
    lines.push("writes 16 KiB at once or not at all.".into());
    let mut out = comment("#", &lines);
    let _ = write!(
        out,
        "\n[mysqld]\ndatadir = {}/mysql\ninnodb_log_group_home_dir = {}/mysql-log\ninnodb_tmpdir = {}\ntmpdir = {}\n\
         innodb_flush_method = O_DIRECT\ninnodb_flush_neighbors = 0\ninnodb_doublewrite = ON\ninnodb_page_size = 16384\n\
         innodb_io_capacity = {writes}\ninnodb_io_capacity_max = {}\ninnodb_read_io_threads = {threads}\n\
         innodb_write_io_threads = {threads}\n",
        folder(setup, Role::Data, false),
        folder(setup, Role::Log, false),
        folder(setup, Role::Tempdb, false),
        folder(setup, Role::Tempdb, false),
        writes.saturating_mul(2),
        threads = setup.vcpu.clamp(4, 64),
    );
    if let Some(memory) = memory_mib(setup) {
        let _ = writeln!(out, "innodb_buffer_pool_size = {}M", memory / 10 * 7);
    }
    out
}
