//! The interval in which most is asked of a plan: what a benchmark of it must reach.
//!
//! Only intervals that the plan holds count: what it is allowed to miss proves nothing.

use crate::plan::Plan;
use crate::problem::{Problem, Sample};

/// The stamp with the most requests among those that the plan holds; of one volume, or of all together. Of several that ask as
/// much the one with the most bytes, then the first. Nothing when it holds none.
pub fn busiest(problem: &Problem, plan: &Plan, volume: Option<usize>) -> Option<usize> {
    let volumes = problem.volumes.iter().enumerate().filter(|(place, _)| volume.is_none_or(|v| v == *place));
    let volumes: Vec<&[Sample]> = volumes.map(|(_, volume)| &volume.samples[..]).collect();
    let asked = |stamp: usize| {
        let samples = volumes.iter().filter_map(|samples| samples.get(stamp));
        samples
            .fold((0, 0), |(requests, bytes), s| (requests + s.reads + s.writes, bytes + s.read_bytes + s.write_bytes))
    };
    let mut failing = plan.failing.iter().map(|&stamp| stamp as usize).peekable();
    let mut busiest: Option<((u64, u64), usize)> = None;
    for stamp in 0..problem.stamps {
        if failing.next_if_eq(&stamp).is_some() {
            continue;
        }
        let asked = asked(stamp);
        if busiest.is_none_or(|(most, _)| asked > most) {
            busiest = Some((asked, stamp));
        }
    }
    busiest.map(|(_, stamp)| stamp)
}

#[cfg(test)]
mod tests {
    use dw_catalogue::Money;

    use super::*;
    use crate::problem::Volume;

    fn volume(iops: &[u64]) -> Volume {
        Volume::asking("data", iops.iter().map(|&reads| Sample { reads, ..Sample::default() }).collect(), vec![])
    }

    #[test]
    fn it_is_the_largest_that_the_plan_holds() {
        type Case<'a> = (&'a [u64], &'a [u64], &'a [u32], Option<usize>, Option<usize>);
        let cases: [Case; 5] = [
            (&[1, 9, 3], &[0, 0, 0], &[], Some(1), Some(1)),
            (&[1, 9, 3], &[0, 0, 0], &[1], Some(2), Some(2)),
            (&[5, 1, 4], &[0, 1, 9], &[], Some(0), Some(2)),
            (&[5, 5, 4], &[0, 0, 0], &[], Some(0), Some(0)),
            (&[1], &[1], &[0], None, None),
        ];
        for (first, second, failing, expected, together) in cases {
            let problem =
                Problem { volumes: vec![volume(first), volume(second)], stamps: first.len(), ..Problem::empty() };
            let plan = Plan { vm: 0, volumes: vec![], cost: Money::ZERO, failing: failing.to_vec() };
            assert_eq!(busiest(&problem, &plan, Some(0)), expected, "{first:?} but {failing:?}");
            assert_eq!(busiest(&problem, &plan, None), together, "{first:?} and {second:?} but {failing:?}");
        }
    }
}
