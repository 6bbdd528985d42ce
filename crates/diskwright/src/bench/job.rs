//! The text of a job: what a scenario asks for, written once for the simulator and once for fio, alike except for where it goes.

use std::fmt::Write as _;

use dw_units::Duration;

/// A section of a job: one load on one volume.
#[derive(Clone, Debug, PartialEq)]
pub struct Stream {
    /// Name of the section; unique in a scenario.
    pub name: String,
    /// The volume, by its place in the rig.
    pub volume: usize,
    /// First byte that it touches.
    pub from: u64,
    /// Bytes that it touches.
    pub bytes: u64,
    /// It reads.
    pub reads: bool,
    /// Options of fio, in order, without those that say where and for how long.
    pub options: Vec<(String, String)>,
}

/// Where a stream goes.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// A volume of the model, by name.
    Model(String),
    /// An export of the emulator, by its address.
    Export(String),
    /// A file or a device.
    Path {
        /// Which.
        path: String,
        /// With this engine.
        engine: String,
        /// Past the page cache.
        direct: bool,
    },
}

/// For how long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Length {
    /// Once over every byte.
    Once,
    /// As long as this, after a ramp that is not counted.
    Time {
        /// What is counted.
        measure: Duration,
        /// Before it.
        ramp: Duration,
    },
}

impl Length {
    /// What is counted, and the ramp before it.
    pub fn parts(self) -> (Duration, Duration) {
        match self {
            Length::Once => (Duration::ZERO, Duration::ZERO),
            Length::Time { measure, ramp } => (measure, ramp),
        }
    }
}

/// The job file.
pub fn text(streams: &[Stream], place: &dyn Fn(usize) -> Place, length: Length) -> String {
    let mut text = String::from("[global]\ngroup_reporting\n");
    if let Length::Time { measure, ramp } = length {
        let _ = writeln!(text, "time_based\nruntime={}ms", measure.ns() / 1_000_000);
        if ramp > Duration::ZERO {
            let _ = writeln!(text, "ramp_time={}ms", ramp.ns() / 1_000_000);
        }
    }
    for stream in streams {
        let _ = writeln!(text, "\n[{}]\nnew_group", stream.name);
        match place(stream.volume) {
            Place::Model(volume) => {
                let _ = writeln!(text, "ioengine=libaio\ndirect=1\nfilename=/dev/{volume}");
            }
            Place::Export(uri) => {
                // Threads, because the engine's connection must be in the process that uses it.
                let _ = writeln!(text, "ioengine=nbd\nthread\nuri={uri}");
            }
            Place::Path { path, engine, direct } => {
                // To fio a colon parts the names of several files.
                let path = path.replace(':', "\\:");
                let _ = writeln!(text, "ioengine={engine}\ndirect={}\nfilename={path}", u8::from(direct));
            }
        }
        if stream.from > 0 {
            let _ = writeln!(text, "offset={}", stream.from);
        }
        let _ = writeln!(text, "size={}", stream.bytes);
        for (key, value) in &stream.options {
            let _ = if value.is_empty() { writeln!(text, "{key}") } else { writeln!(text, "{key}={value}") };
        }
    }
    text
}

/// Options from pairs.
pub fn options(pairs: &[(&str, &dyn std::fmt::Display)]) -> Vec<(String, String)> {
    pairs.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_load_goes_wherever_it_is_sent() {
        let stream = Stream {
            name: "reads".into(),
            volume: 0,
            from: 4096,
            bytes: 1 << 20,
            reads: true,
            options: options(&[("rw", &"randread"), ("bs", &8192), ("norandommap", &"")]),
        };
        let length = Length::Time { measure: Duration::from_secs(30), ramp: Duration::from_ms(500) };
        let head = "[global]\ngroup_reporting\ntime_based\nruntime=30000ms\nramp_time=500ms\n\n[reads]\nnew_group\n";
        let tail = "offset=4096\nsize=1048576\nrw=randread\nbs=8192\nnorandommap\n";
        let cases = [
            (Place::Model("data".into()), "ioengine=libaio\ndirect=1\nfilename=/dev/data\n"),
            (
                Place::Export("nbd+unix:///data?socket=/s".into()),
                "ioengine=nbd\nthread\nuri=nbd+unix:///data?socket=/s\n",
            ),
            (
                Place::Path { path: "/mnt/a:b".into(), engine: "io_uring".into(), direct: true },
                "ioengine=io_uring\ndirect=1\nfilename=/mnt/a\\:b\n",
            ),
        ];
        for (place, middle) in cases {
            let text = text(std::slice::from_ref(&stream), &|_| place.clone(), length);
            assert_eq!(text, format!("{head}{middle}{tail}"));
        }
        let once = super::text(&[stream], &|_| Place::Model("data".into()), Length::Once);
        assert!(!once.contains("time_based"), "{once}");
    }
}
