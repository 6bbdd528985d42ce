//! An answer without events: what a configuration gives under loads, in milliseconds.
//!
//! Lives here: the call, with what it takes and returns.
//! Never here: formulas (`dw-estimate`), percentiles (a simulation has them).
//!
//! Chapter: `docs/model/estimate.md`, with how far off it is.

use dw_error::{Error, Result};
pub use dw_estimate::{
    Band, Cold, CreditsLeft, DirectionEstimate, Estimate, Flow, Hits, Kind, LimitUse, Load, LoadEstimate, Order, Phase,
    Step,
};
use dw_formats::scenario::Scenario;

/// What a configuration gives from the start until nothing changes any more: rates, mean latencies with a band, the bottleneck of each
/// load, the use of each limit, credits and hit ratios. `cold` are loads whose cache has nothing yet.
///
/// # Errors
/// Of kind `Usage` where a load is on a volume that is not there or asks for nothing, or `cold` names no load.
///
/// ```
/// use diskwright::estimate::{Kind, Load, over_time};
/// use diskwright::{Catalogue, Session};
/// let session = Session::new(Catalogue::embedded().clone());
/// let rig = "[vm]\nsize = 'Standard_DS1'\n[[volume]]\nname = 'data'\ndisks = 'P30'\n";
/// let scenario = session.scenario("rig.toml", rig)?;
/// let phases = over_time(&scenario, &[Load::closed(0, 64, Kind::random_read(8_192))], &[])?;
/// // A P30 could do 5,000; the VM's limit is 3,200.
/// assert_eq!(phases[0].gives.loads[0].per_second.round(), 3_200.0);
/// # Ok::<(), diskwright::Error>(())
/// ```
pub fn over_time(scenario: &Scenario, loads: &[Load], cold: &[Cold]) -> Result<Vec<Phase>> {
    for (number, load) in loads.iter().enumerate() {
        let volumes = scenario.stack.volumes.len();
        if usize::from(load.volume.0) >= volumes {
            let what = format!("load {number} is on volume {}, but there are only {volumes}", load.volume.0);
            return Err(Error::usage(what).hint("volumes count from 0, in the order of the scenario"));
        }
        if load.requests.is_empty() {
            return Err(Error::usage(format!("load {number} asks for nothing")).hint("give it a `Kind` of requests"));
        }
    }
    if let Some(cold) = cold.iter().find(|cold| cold.load >= loads.len()) {
        let what = format!("the working set of load {}, but there are only {} loads", cold.load, loads.len());
        return Err(Error::usage(what).hint("loads count from 0"));
    }
    Ok(dw_estimate::over_time(&scenario.stack, loads, cold))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Catalogue, Session};
    use dw_units::Bytes;

    #[test]
    fn what_is_not_there_is_said() {
        let session = Session::new(Catalogue::embedded().clone());
        let rig = "[vm]\nsize = 'Standard_DS1'\n[[volume]]\nname = 'data'\ndisks = 'P30'\n";
        let scenario = session.scenario("rig.toml", rig).unwrap();
        let load = |volume| Load::closed(volume, 4, Kind::random_read(8_192));
        let nothing = Load { requests: Vec::new(), ..load(0) };
        let cold = Cold { load: 1, working_set: Bytes::gib(1) };
        let cases = [
            (vec![load(1)], vec![], "load 0 is on volume 1, but there are only 1"),
            (vec![load(0), nothing], vec![], "load 1 asks for nothing"),
            (vec![load(0)], vec![cold], "the working set of load 1, but there are only 1 loads"),
        ];
        for (loads, cold, expected) in cases {
            let error = over_time(&scenario, &loads, &cold).unwrap_err();
            assert!(error.to_string().contains(expected), "{error}");
        }
        assert!(over_time(&scenario, &[load(0)], &[]).is_ok());
    }
}
