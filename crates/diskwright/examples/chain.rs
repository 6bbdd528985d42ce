//! The whole way on values: the bytes of a recording in, a page to decide from out. No file is read, no process is started.
//!
//! `cargo run -p diskwright --example chain > report.html`

use diskwright::dw_demand::wishes::{LatencyMax, Role, VolumeWishes, Wishes};
use diskwright::dw_observe::volumes::VolumeChoice;
use diskwright::dw_report::{self, Report};
use diskwright::dw_units::{Bytes, CacheMode, Duration};
use diskwright::{Catalogue, Demand, ObserveOptions, Recording, Result, Session};

/// An hour of a database and its log, as `iostat -x -t` printed it.
const RECORDING: &[u8] = include_bytes!("../data/iostat.txt");

/// What no recording says: what volumes must hold, how fast they must be, how long they must last.
fn wishes() -> Wishes {
    let data = VolumeWishes {
        working_set: Some(Bytes::gib(220)),
        read_latency_max: LatencyMax::mean(Duration::from_ms(2)),
        host_cache: vec![CacheMode::ReadOnly],
        ..VolumeWishes::of(Role::Data, Bytes::gib(900))
    };
    let log = VolumeWishes {
        write_latency_max: LatencyMax::mean(Duration::from_ms(4)),
        ..VolumeWishes::of(Role::Log, Bytes::gib(120))
    };
    Wishes {
        headroom_percent: 10.0,
        memory_min: Bytes::gib(48),
        years: 2,
        growth_percent_per_year: 10.0,
        volumes: vec![data, log],
        ..diskwright::dw_catalogue::PLAN_KEYS.wishes_in("eastus")
    }
}

/// The page.
pub fn page() -> Result<String> {
    let session = Session::new(Catalogue::embedded().clone());
    let volume = |name: &str, device: &str| VolumeChoice { name: name.into(), devices: vec![device.into()] };
    let mut options = ObserveOptions::default();
    options.settings.volumes = vec![volume("data", "sdc"), volume("log", "sdd")];

    let observed = session.observe(&[Recording::from_bytes("iostat.txt", RECORDING)], &options)?;
    let requirements = observed.requirements(observed.planned_window()?)?;
    let planned = session.plan(&Demand::new(requirements, wishes()))?;
    let simulated = session.simulate(session.replay(&planned)?)?;

    let pieces = vec![observed.piece("checklist")?, planned.piece("plan")?, simulated.piece("simulation", false)?];
    Ok(dw_report::html(&Report::new("Moving orders-db", pieces)))
}

fn main() -> Result<()> {
    print!("{}", page()?);
    Ok(())
}
