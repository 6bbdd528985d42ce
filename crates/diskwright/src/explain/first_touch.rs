//! Data that are fetched when they are first used, as what binds a configuration: how much is not there, what that gives meanwhile, and
//! when it is over.
//!
//! ```text
//! gives    the estimate of a loop with as many in flight as the demand needs once all is there
//! over     bytes / rate, where they come by themselves; bytes / block · fetch, read by one request at a time
//! ```
//!
//! Chapter: `docs/model/first-touch.md`.
//!
//! Ignores: that what is not there becomes less all the time (the estimate and the simulation have it); the price of a rate. What is read
//! and written is taken to be reads of its mean size, all of them at random unless all are in sequence.

use dw_demand::Requirements;
use dw_documents::explain::LimitRow;
use dw_documents::{LimitId, LimitOf};
use dw_estimate::{Kind, Load, Order};
use dw_messages::{Figure, Sentence, say};
use dw_planner::explain::{Explanation, Served};
use dw_stack::{StackSpec, VolumeSpec};
use dw_units::{Bytes, Throughput};

use crate::figures;

/// What is not there of a volume.
#[derive(Clone, Debug)]
pub struct Untouched {
    volume: String,
    /// Bytes.
    left: u64,
    block: u64,
    fetch_s: f64,
    /// Bytes a second of each of its disks.
    comes: Option<f64>,
    /// At which it could come: the least and the most that is sold.
    sold: Option<(Throughput, Throughput)>,
    disks: f64,
    /// Requests a second that are asked of it, and what it gives meanwhile.
    of_demand: Option<(f64, f64)>,
}

/// Of each volume of which something is not there at the start. `sold`: rates that the vendor sells for that.
pub fn of(
    stack: &StackSpec,
    explanation: &Explanation,
    asked: Option<&Requirements>,
    sold: Option<(Throughput, Throughput)>,
) -> Vec<Untouched> {
    let one = |(place, volume): (usize, &VolumeSpec)| {
        let touched = || volume.disks.iter().filter_map(|disk| Some((disk, disk.first_touch?)));
        let left = touched().map(|(disk, touch)| disk.size.get().saturating_sub(touch.there.get())).sum();
        let (_, touch) = touched().next()?;
        let known = explanation.problem.volumes.iter().position(|known| known.name == volume.name);
        let served = known.and_then(|known| explanation.served.get(known)).filter(|_| explanation.of_demand);
        let wished = asked.and_then(|asked| asked.volumes.iter().find(|wished| wished.name == volume.name));
        let in_sequence = wished.is_some_and(|wished| wished.random_percent == Some(0.0));
        let own = Untouched {
            volume: volume.name.clone(),
            left,
            block: touch.block.get(),
            fetch_s: touch.fetch.ns() as f64 / 1e9,
            comes: touch.background.map(|rate| rate.get() as f64),
            sold,
            disks: touched().count() as f64,
            of_demand: served.map(|served| (served.asked.0 as f64, gives(stack, place, served, in_sequence))),
        };
        (left > 0).then_some(own)
    };
    stack.volumes.iter().enumerate().filter_map(one).collect()
}

/// Requests a second of a loop that needs data which are not there.
fn gives(stack: &StackSpec, place: usize, served: &Served, in_sequence: bool) -> f64 {
    let (requests, bytes) = served.asked;
    // Whole sectors, as requests are.
    let size = (bytes / requests.max(1)).div_ceil(512).clamp(1, 1 << 21) as u32 * 512;
    let mut stack = stack.clone();
    let order = if in_sequence { Order::Sequential } else { Order::Random { align: size } };
    for touch in stack.volumes[place].disks.iter_mut().filter_map(|disk| disk.first_touch.as_mut()) {
        touch.background = None;
        // In sequence it comes to those in time.
        touch.there = if in_sequence { Bytes::ZERO } else { touch.there };
    }
    let depth = u32::try_from(served.depth.max(1)).unwrap_or(u32::MAX);
    let load = Load::closed(place as u16, depth, Kind { order, ..Kind::random_read(size) });
    dw_estimate::estimate(&stack, &[load]).loads[0].per_second
}

impl Untouched {
    /// Which limit it is.
    pub fn id(&self) -> LimitId {
        LimitId::first_touch(&self.volume)
    }

    /// More is asked of it than it gives.
    pub fn binds(&self) -> bool {
        self.of_demand.is_some_and(|(asked, gives)| asked > gives)
    }

    /// The part of what is asked of a volume that it gives, in millionths, where that is not all.
    pub fn holds(&self, volume: &str) -> Option<u32> {
        let (asked, gives) = self.of_demand.filter(|_| self.binds() && self.volume == volume)?;
        Some((gives / asked * 1e6) as u32)
    }

    /// What it gives to a demand; `is_first`: nothing else binds.
    pub fn row(&self, is_first: bool) -> Option<LimitRow> {
        let (asked, gives) = self.of_demand?;
        Some(LimitRow {
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
            exceeded: usize::from(self.binds()),
            narrowest: 0,
            binding: is_first && self.binds(),
            needed: asked,
            backlog_s: None,
            credits: None,
        })
    }

    /// Until when it binds, and what to do; absent where it does not.
    pub fn finding(&self) -> Option<Sentence> {
        let (asked, gives) = self.of_demand.filter(|_| self.binds())?;
        let (gives, asked) = (figures::iops(gives), figures::whole_iops(asked));
        let (left, block, time) = self.figures();
        let remedy = self.remedy();
        Some(say!(ExplainFirstTouch { volume: &self.volume, left, block, time, gives, asked, remedy }))
    }

    /// How much of it is not there, and what to do.
    pub fn beside(&self) -> Sentence {
        let (left, block, time) = self.figures();
        say!(ExplainFirstTouchBeside { volume: &self.volume, left, block, time, remedy: self.remedy() })
    }

    /// What is left, a block, its fetch.
    fn figures(&self) -> (Figure, Figure, Figure) {
        let bytes = |bytes: u64| Figure::new(bytes as f64, "B", Bytes::new(bytes).to_string());
        let time = Figure::new(self.fetch_s * 1e3, "ms", format!("{:.0} ms", self.fetch_s * 1e3));
        (bytes(self.left), bytes(self.block), time)
    }

    fn remedy(&self) -> Sentence {
        let of_disk = self.left as f64 / self.disks;
        if let Some(rate) = self.comes {
            return say!(ExplainFirstTouchComes { after: figures::seconds(of_disk / rate) });
        }
        let alone = figures::seconds(self.left as f64 / self.block as f64 * self.fetch_s);
        let Some((least, most)) = self.sold else { return say!(ExplainFirstTouchRead { alone }) };
        let after = |rate: Throughput| figures::seconds(of_disk / rate.get() as f64);
        let (slow, fast) = (after(least), after(most));
        say!(ExplainFirstTouchBuy { alone, least: as_written(least), slow, most: as_written(most), fast })
    }
}

/// A rate in the unit in which a scenario has it.
fn as_written(rate: Throughput) -> Figure {
    let mib = rate.get() >> 20;
    let text = if mib << 20 == rate.get() { format!("{mib} MiB/s") } else { rate.to_string() };
    Figure::new(rate.get() as f64, "B/s", text)
}

#[cfg(test)]
mod tests {
    use dw_documents::explain::{ExplainDocument, Verdict};

    use crate::explain::Evidence;
    use crate::{Catalogue, Session};

    /// A gp3 volume of 100 GiB with these keys, of which so much is read.
    fn explained(keys: &str, asked: &str) -> ExplainDocument {
        let session = Session::new(Catalogue::embedded().clone());
        let asked = format!("schema_version = 1\n[[volume]]\nname = 'data'\nread_size = '8 KiB'\n{asked}\n");
        let rig = format!(
            "[vm]\nsize = 'm5.2xlarge'\n[[volume]]\nname = 'data'\ndisks = [{{ sku = 'gp3', size = '100 GiB' }}]\n{keys}"
        );
        let demand = Some(session.requirements_of_existing("requirements.toml", &asked).unwrap());
        let scenario = session.scenario("rig.toml", &rig).unwrap();
        session.explain(&scenario, Evidence { demand, ..Evidence::default() }).unwrap()
    }

    #[test]
    fn a_demand_on_a_snapshot_is_not_met_before_its_data_are_there() {
        // Keys of the volume: the verdict, and what the finding says.
        let cases = [
            ("", Verdict::Met, "meets the demand"),
            (
                "from_snapshot = true\n",
                Verdict::Limit,
                "100 GiB of it have not come yet, a block of 512 KiB takes 162 ms",
            ),
            (
                "from_snapshot = true\n",
                Verdict::Limit,
                "there after 17 min 4 s at 100 MiB/s, after 5 min 41 s at 300 MiB/s",
            ),
            (
                "from_snapshot = true\ninitialization_rate = '200 MiB/s'\n",
                Verdict::Limit,
                "is there after 8 min 32 s: wait that long",
            ),
            ("from_snapshot = true\ninitialized = '50 %'\n", Verdict::Limit, "50 GiB of it have not come yet"),
            ("from_snapshot = true\ninitialized = '100 %'\n", Verdict::Met, "meets the demand"),
        ];
        for (keys, verdict, said) in cases {
            let document = explained(keys, "read_iops = { p50 = 500, p90 = 700, p99 = 900, max = 900 }");
            let finding = document.finding.to_string();
            assert_eq!(document.verdict, verdict, "{keys}{finding}");
            assert!(finding.contains(said), "{keys}{finding}");
            let row = document.limits.iter().find(|row| row.of.limit.contains("first touch"));
            match verdict {
                Verdict::Met => assert!(row.is_none() && document.binding.is_empty(), "{keys}{row:?}"),
                _ => {
                    let row = row.expect("it is among the limits");
                    // As many in flight as 900 a second need without it, each up to 162 ms longer.
                    assert!(row.binding && row.gives < 20.0 && row.asked.max == 900.0, "{keys}{row:?}");
                    assert_eq!(document.binding, ["data first touch"], "{keys}");
                    // What the volume gets is no more than that.
                    let gets = &document.volumes[0];
                    assert!(gets.gets_iops as f64 <= row.gives && gets.gets_iops < 20, "{keys}{gets:?}");
                    assert_eq!(gets.limited_by.as_deref(), Some("data first touch"), "{keys}");
                }
            }
        }
    }

    #[test]
    fn what_waits_for_data_and_is_still_enough_is_met() {
        let keys = "from_snapshot = true\n";
        // Requests a second that are read, and in which order: the verdict, and what it gives meanwhile. One in flight waits 162 ms for each
        // block: in sequence a block is 64 requests.
        let cases = [
            ("{ p50 = 3, p90 = 4, p99 = 4, max = 4 }", "", Verdict::Met, 6.0..6.3),
            ("{ p50 = 8, p90 = 9, p99 = 9, max = 9 }", "", Verdict::Limit, 6.0..6.3),
            ("{ p50 = 8, p90 = 9, p99 = 9, max = 9 }", "random_percent = 0.0", Verdict::Met, 250.0..350.0),
            ("{ p50 = 400, p90 = 800, p99 = 800, max = 800 }", "random_percent = 0.0", Verdict::Limit, 250.0..350.0),
        ];
        for (iops, order, verdict, gives) in cases {
            let document = explained(keys, &format!("read_iops = {iops}\n{order}"));
            let row = document.limits.iter().find(|row| row.of.limit.contains("first touch")).unwrap();
            assert_eq!((document.verdict, row.binding), (verdict, verdict == Verdict::Limit), "{iops} {order}");
            assert!(gives.contains(&row.gives), "{iops} {order}: {}", row.gives);
            // Said once: in the finding where it binds, else among what the answer rests on.
            let said = |text: &dw_messages::Sentence| text.to_string().contains("100 GiB of it have not come yet");
            let assumed = document.assumptions.iter().filter(|line| said(line)).count();
            assert_eq!((said(&document.finding), assumed), (row.binding, usize::from(!row.binding)), "{iops} {order}");
        }
    }
}
