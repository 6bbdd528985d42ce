//! Data that are fetched when they are first used, as what binds a configuration: how much is not there, what that gives meanwhile, and
//! when it is over.
//!
//! ```text
//! gives    in flight / (latency + fetch)      in flight: what the demand needs once all is there
//! over     bytes / rate, where they come by themselves; bytes / block · fetch, read by one request at a time
//! ```
//!
//! Chapter: `docs/model/first-touch.md`.
//!
//! Ignores: that what is used becomes less all the time (the estimate and the simulation have it); the price of a rate.

use dw_documents::explain::LimitRow;
use dw_documents::{LimitId, LimitOf};
use dw_messages::{Figure, Sentence, say};
use dw_planner::explain::Served;
use dw_stack::VolumeSpec;
use dw_units::Throughput;

use crate::figures::seconds;

/// A rate of which the time is told, where none is bought.
const EXAMPLE: Throughput = Throughput::mib_per_second(100);

/// What is not there of a volume.
#[derive(Clone, Debug)]
pub struct Untouched {
    /// Its place among the volumes.
    pub place: usize,
    volume: String,
    /// Bytes.
    left: u64,
    block: u64,
    fetch_s: f64,
    /// Bytes a second of all disks.
    comes: Option<f64>,
    disks: f64,
}

/// Of each volume of which something is not there at the start.
pub fn of(volumes: &[VolumeSpec]) -> Vec<Untouched> {
    let one = |(place, volume): (usize, &VolumeSpec)| {
        let touched = || volume.disks.iter().filter_map(|disk| Some((disk, disk.first_touch?)));
        let left = touched().map(|(disk, touch)| disk.size.get().saturating_sub(touch.there.get())).sum();
        let (_, touch) = touched().next()?;
        let disks = touched().count() as f64;
        let comes = touch.background.map(|rate| rate.get() as f64 * disks);
        let (block, fetch_s) = (touch.block.get(), touch.fetch.ns() as f64 / 1e9);
        let own = Untouched { place, volume: volume.name.clone(), left, block, fetch_s, comes, disks };
        (left > 0).then_some(own)
    };
    volumes.iter().enumerate().filter_map(one).collect()
}

impl Untouched {
    /// Which limit it is.
    pub fn id(&self) -> LimitId {
        LimitId::first_touch(&self.volume)
    }

    /// What it gives to a volume of which so much is asked.
    pub fn row(&self, served: &Served, is_first: bool) -> LimitRow {
        let latency_s = served.latency_ns.0 as f64 / 1e9;
        let (asked, in_flight) = (served.asked.0 as f64, served.depth.max(1) as f64);
        let gives = in_flight / (latency_s + self.fetch_s);
        LimitRow {
            of: LimitOf {
                limit: self.id().within_place().to_string(),
                id: Some(self.id()),
                volume: Some(self.volume.clone()),
                unit: "IOPS".into(),
            },
            gives,
            burst: None,
            asked: dw_documents::Percentiles::from([asked; 4]),
            used_percent: (asked / gives * 1e3).round() / 10.0,
            exceeded: usize::from(asked > gives),
            narrowest: 0,
            binding: is_first,
            needed: asked,
            backlog_s: None,
            credits: None,
        }
    }

    /// How much of it, what it costs, and what to do.
    pub fn sentence(&self) -> Sentence {
        let bytes = |bytes: u64| Figure::new(bytes as f64, "B", dw_units::Bytes::new(bytes).to_string());
        let left = self.left as f64;
        let remedy = match self.comes {
            Some(rate) => say!(ExplainFirstTouchComes { after: seconds(left / rate) }),
            None => {
                let (after, bought) =
                    (left / self.block as f64 * self.fetch_s, left / self.disks / EXAMPLE.get() as f64);
                let rate = Figure::new(EXAMPLE.get() as f64, "B/s", "100 MiB/s");
                say!(ExplainFirstTouchAlone { after: seconds(after), rate, bought: seconds(bought) })
            }
        };
        let time = Figure::new(self.fetch_s * 1e3, "ms", format!("{:.0} ms", self.fetch_s * 1e3));
        say!(ExplainFirstTouch { volume: &self.volume, left: bytes(self.left), block: bytes(self.block), time, remedy })
    }
}

#[cfg(test)]
mod tests {
    use dw_documents::explain::Verdict;

    use crate::explain::Evidence;
    use crate::{Catalogue, Session};

    #[test]
    fn a_demand_on_a_snapshot_is_not_met_before_its_data_are_there() {
        let session = Session::new(Catalogue::embedded().clone());
        let asked = "schema_version = 1\n[[volume]]\nname = 'data'\nread_size = '8 KiB'\n\
                     read_iops = { p50 = 500, p90 = 700, p99 = 900, max = 900 }\n";
        // Keys of the volume: the verdict, and what the finding says.
        let cases = [
            ("", Verdict::Met, "meets the demand"),
            (
                "from_snapshot = true\n",
                Verdict::Limit,
                "100 GiB of it have not come yet, and a block of 512 KiB takes 162 ms",
            ),
            (
                "from_snapshot = true\ninitialization_rate = '200 MiB/s'\n",
                Verdict::Limit,
                "is there after 8.5 min: wait that long",
            ),
            ("from_snapshot = true\ninitialized = '50 %'\n", Verdict::Limit, "50 GiB of it have not come yet"),
            ("from_snapshot = true\ninitialized = '100 %'\n", Verdict::Met, "meets the demand"),
        ];
        for (keys, verdict, said) in cases {
            let rig = format!(
                "[vm]\nsize = 'm5.2xlarge'\n[[volume]]\nname = 'data'\ndisks = [{{ sku = 'gp3', size = '100 GiB' }}]\n{keys}"
            );
            let demand = Some(session.requirements_of_existing("requirements.toml", asked).unwrap());
            let scenario = session.scenario("rig.toml", &rig).unwrap();
            let document = session.explain(&scenario, Evidence { demand, ..Evidence::default() }).unwrap();
            let finding = document.finding.to_string();
            assert_eq!(document.verdict, verdict, "{keys}{finding}");
            assert!(finding.contains(said), "{keys}{finding}");
            let row = document.limits.iter().find(|row| row.of.limit.contains("first touch"));
            match verdict {
                Verdict::Met => assert!(row.is_none() && document.binding.is_empty(), "{keys}{row:?}"),
                _ => {
                    let row = row.expect("it is among the limits");
                    // As many in flight as 900 a second need without it, each 162 ms longer.
                    assert!(row.binding && row.gives < 20.0 && row.asked.max == 900.0, "{keys}{row:?}");
                    assert_eq!(document.binding, ["data first touch"], "{keys}");
                }
            }
        }
    }
}
