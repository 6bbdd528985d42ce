//! Steps of work that grows with the load, counted in tests alone: that it grows in proportion is told by them, not by seconds.

#[cfg(test)]
thread_local! {
    static TAKEN: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Notes a step.
#[inline(always)]
pub(super) fn step() {
    #[cfg(test)]
    TAKEN.set(TAKEN.get() + 1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::{To, anywhere, convert};
    use crate::fio::{FioInput, FioJobs, ReadOptions, VolumeMap, read};

    fn jobs(text: String, volumes: &[VolumeMap]) -> FioJobs {
        let input = FioInput {
            files: &[("in.fio".into(), text)],
            overrides: &[],
            env: &|_| None,
            volumes,
            options: ReadOptions::default(),
            seed: 1,
        };
        read(&input).unwrap_or_else(|errors| panic!("{errors}"))
    }

    #[test]
    fn twice_the_jobs_take_twice_the_steps() {
        let head = "[global]\nioengine=libaio\ndirect=1\nrw=randread\nsize=1m\nruntime=10\ntime_based\n";
        let clones = |n: u64| format!("{head}[a]\ndirectory=/mnt\nnumjobs={n}\n");
        let sections =
            |n: u64| (0..n).fold(head.to_string(), |text, i| text + &format!("[j{i}]\nfilename=/mnt/f{i}\n"));
        let of_sizes = |n: u64| {
            (0..n).fold(head.to_string(), |text, i| {
                text + &format!("[j{i}]\nfilename=/mnt/f{i}\nbs={}k\niodepth={}\n", 4 + i % 7, 1 + i % 5)
            })
        };
        let loads: [&dyn Fn(u64) -> String; 3] = [&clones, &sections, &of_sizes];
        for (number, load) in loads.into_iter().enumerate() {
            for to in [To::Fio, To::DiskSpd, To::DiskSpdXml, To::Iometer] {
                let steps = |n: u64| {
                    let text = load(n);
                    let volumes = anywhere(&text);
                    let jobs = jobs(text, &volumes);
                    TAKEN.set(0);
                    convert(&jobs, &volumes, to);
                    TAKEN.get()
                };
                let (few, many) = (steps(200), steps(400));
                // The first of each of the 35 kinds of sections costs less.
                assert!(many <= 2 * few + 40, "load {number} to {to:?}: {few} steps of 200 jobs, {many} of 400");
                assert!(to != To::Fio || few >= 200, "they are counted: {few}");
            }
        }
    }
}
