//! What CloudWatch's metrics of storage are called, what each says, and in which unit; and what a label says of a metric.
//!
//! A metric that counts (`VolumeReadOps`) says what happened in a period: its `Sum`, over the length of the period, is a rate. Its
//! `Average` is the mean of the samples of a period, of which there may be one or sixty, and on Xen the size of one I/O: no rate. With
//! `SampleCount` beside it the sum is known again. A metric that is a rate or a level (`ReadIOPS`, `VolumeQueueLength`) is its `Average`; its
//! `Sum` adds up samples and says nothing.
//!
//! Source: "Amazon CloudWatch metrics for Amazon EBS" (volumes), "CloudWatch metrics for your instances" (EBS metrics of Nitro
//! instances), "Amazon CloudWatch instance-level metrics for Amazon RDS", 2026.
//!
//! Ignores: metrics of magnetic volumes, `VolumeConsumedReadWriteOps` and `VolumeThroughputPercentage` (shares of what was bought), means of a minute
//! that sums say exactly (`VolumeAvgIOPS`, `VolumeAvgReadLatency`); `FreeStorageSpace`, which says what is left of a size that nobody says.

/// What a metric says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Figure {
    Reads,
    Writes,
    ReadBytes,
    WriteBytes,
    /// The time that reads took, all together.
    ReadTime,
    WriteTime,
    /// The time without a request.
    IdleTime,
    /// Mean latency of a read.
    ReadLatency,
    WriteLatency,
    Queue,
    /// Percent of credits that are left.
    Balance {
        in_bytes: bool,
    },
    /// Whether a limit was asked for more than it gives.
    Exceeded {
        in_bytes: bool,
    },
    Cpu,
    Available,
}

/// How its samples are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sense {
    /// They add up.
    Total,
    /// Their mean is it.
    Mean,
    /// Any of them.
    Any,
}

/// Whose metric it is, as its namespace says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    Volume,
    Instance,
    Database,
    /// A volume, an instance or a database.
    Whichever,
}

/// A metric.
#[derive(Debug)]
pub(super) struct Metric {
    pub name: &'static str,
    pub of: Of,
    pub figure: Figure,
    pub sense: Sense,
    /// As the interface says it.
    pub unit: &'static str,
}

const fn metric(name: &'static str, of: Of, figure: Figure, sense: Sense, unit: &'static str) -> Metric {
    Metric { name, of, figure, sense, unit }
}

/// All that is read.
pub(super) static METRICS: [Metric; 32] = {
    use Figure::*;
    use Of::*;
    use Sense::{Any, Mean, Total};
    [
        metric("VolumeReadOps", Volume, Reads, Total, "Count"),
        metric("VolumeWriteOps", Volume, Writes, Total, "Count"),
        metric("VolumeReadBytes", Volume, ReadBytes, Total, "Bytes"),
        metric("VolumeWriteBytes", Volume, WriteBytes, Total, "Bytes"),
        metric("VolumeTotalReadTime", Volume, ReadTime, Total, "Seconds"),
        metric("VolumeTotalWriteTime", Volume, WriteTime, Total, "Seconds"),
        metric("VolumeIdleTime", Volume, IdleTime, Total, "Seconds"),
        metric("VolumeQueueLength", Volume, Queue, Mean, "Count"),
        metric("BurstBalance", Whichever, Balance { in_bytes: false }, Mean, "Percent"),
        metric("VolumeIOPSExceededCheck", Volume, Exceeded { in_bytes: false }, Any, "None"),
        metric("VolumeThroughputExceededCheck", Volume, Exceeded { in_bytes: true }, Any, "None"),
        metric("EBSReadOps", Instance, Reads, Total, "Count"),
        metric("EBSWriteOps", Instance, Writes, Total, "Count"),
        metric("EBSReadBytes", Instance, ReadBytes, Total, "Bytes"),
        metric("EBSWriteBytes", Instance, WriteBytes, Total, "Bytes"),
        metric("EBSIOBalance%", Whichever, Balance { in_bytes: false }, Mean, "Percent"),
        metric("EBSByteBalance%", Whichever, Balance { in_bytes: true }, Mean, "Percent"),
        metric("InstanceEBSIOPSExceededCheck", Instance, Exceeded { in_bytes: false }, Any, "None"),
        metric("InstanceEBSThroughputExceededCheck", Instance, Exceeded { in_bytes: true }, Any, "None"),
        metric("CPUUtilization", Whichever, Cpu, Mean, "Percent"),
        metric("ReadIOPS", Database, Reads, Mean, "Count/Second"),
        metric("WriteIOPS", Database, Writes, Mean, "Count/Second"),
        metric("ReadThroughput", Database, ReadBytes, Mean, "Bytes/Second"),
        metric("WriteThroughput", Database, WriteBytes, Mean, "Bytes/Second"),
        metric("ReadLatency", Database, ReadLatency, Mean, "Seconds"),
        metric("WriteLatency", Database, WriteLatency, Mean, "Seconds"),
        metric("DiskQueueDepth", Database, Queue, Mean, "Count"),
        metric("FreeableMemory", Database, Available, Mean, "Bytes"),
        // Names as identifiers of queries can have them.
        metric("EBSIOBalance", Whichever, Balance { in_bytes: false }, Mean, "Percent"),
        metric("EBSByteBalance", Whichever, Balance { in_bytes: true }, Mean, "Percent"),
        metric("EBSIOBalancePercent", Whichever, Balance { in_bytes: false }, Mean, "Percent"),
        metric("EBSByteBalancePercent", Whichever, Balance { in_bytes: true }, Mean, "Percent"),
    ]
};

impl Metric {
    /// As it is called where all characters are possible.
    pub fn known_as(&self) -> &'static str {
        match self.name {
            "EBSIOBalance" | "EBSIOBalancePercent" => "EBSIOBalance%",
            "EBSByteBalance" | "EBSByteBalancePercent" => "EBSByteBalance%",
            name => name,
        }
    }
}

/// The metric of this name.
pub(super) fn by_name(name: &str) -> Option<&'static Metric> {
    METRICS.iter().find(|metric| metric.name.eq_ignore_ascii_case(name))
}

/// A statistic of a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Statistic {
    Sum,
    Average,
    Minimum,
    Maximum,
    SampleCount,
}

impl Statistic {
    pub const ALL: [Statistic; 5] =
        [Statistic::Sum, Statistic::Average, Statistic::Minimum, Statistic::Maximum, Statistic::SampleCount];

    pub fn name(self) -> &'static str {
        match self {
            Statistic::Sum => "Sum",
            Statistic::Average => "Average",
            Statistic::Minimum => "Minimum",
            Statistic::Maximum => "Maximum",
            Statistic::SampleCount => "SampleCount",
        }
    }
    pub fn by_name(word: &str) -> Option<Statistic> {
        let short = [("avg", Statistic::Average), ("min", Statistic::Minimum), ("max", Statistic::Maximum)];
        let named = Statistic::ALL.into_iter().find(|statistic| statistic.name().eq_ignore_ascii_case(word));
        named.or_else(|| short.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, of)| of))
    }
}

/// What a query, a label, an identifier or a name of a file says of a metric.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Said {
    pub metric: Option<&'static Metric>,
    pub statistic: Option<Statistic>,
    pub period_ns: Option<u64>,
    pub volume: Option<String>,
    pub instance: Option<String>,
    pub database: Option<String>,
    /// What is left of a label once all of that is taken away, where it is one word: somebody's name of whatever it is of.
    pub name: Option<String>,
}

impl PartialEq for Metric {
    fn eq(&self, other: &Metric) -> bool {
        self.name == other.name
    }
}

impl Said {
    /// What another says where this says nothing.
    pub fn or(self, other: &Said) -> Said {
        let other = other.clone();
        Said {
            metric: self.metric.or(other.metric),
            statistic: self.statistic.or(other.statistic),
            period_ns: self.period_ns.or(other.period_ns),
            volume: self.volume.or(other.volume),
            instance: self.instance.or(other.instance),
            database: self.database.or(other.database),
            name: self.name.or(other.name),
        }
    }

    /// Takes a dimension.
    pub fn dimension(&mut self, name: &str, value: &str) {
        let place = match name {
            "VolumeId" => &mut self.volume,
            "InstanceId" => &mut self.instance,
            "DBInstanceIdentifier" => &mut self.database,
            _ => return,
        };
        if !value.is_empty() {
            *place = Some(value.to_string());
        }
    }

    /// `vol-0a1b2c3d VolumeReadOps Sum 300`, in any order and with whatever between, as labels are: `us-east-1:AWS/EBS VolumeId:vol-0a1b2c3d
    /// VolumeReadOps Sum 300` of the console, `vol_0a1b2c3d_VolumeReadOps` of an identifier.
    pub fn from_text(text: &str) -> Said {
        let mut said = Said { metric: metric_in(text), ..Said::default() };
        said.volume = id_in(text, "vol").map(|hex| format!("vol-{hex}"));
        said.instance = id_in(text, "i").map(|hex| format!("i-{hex}"));
        let words = text.split(|c: char| c.is_whitespace() || ",:/=|()[]{}\"';".contains(c)).filter(|w| !w.is_empty());
        let mut names = Vec::new();
        let mut dimension: Option<&str> = None;
        let (mut in_namespace, mut is_region) = (false, text.contains(":AWS/"));
        for word in words {
            if let Some(key) = dimension.take() {
                // The other two are found by what they look like.
                if key == "DBInstanceIdentifier" {
                    said.dimension(key, word);
                }
                continue;
            }
            if std::mem::take(&mut is_region) || std::mem::take(&mut in_namespace) {
                continue;
            }
            match word {
                "VolumeId" | "InstanceId" | "DBInstanceIdentifier" => dimension = Some(word),
                "AWS" => in_namespace = true,
                _ if is_period(word).is_some() => said.period_ns = is_period(word),
                _ => names.push(word),
            }
        }
        let parts = text.split(|c: char| !c.is_ascii_alphanumeric());
        said.statistic = parts.filter_map(Statistic::by_name).next();
        let is_said = |word: &&str| {
            Statistic::by_name(word).is_some() || by_name(word).is_some() || has_id(word) || is_period(word).is_some()
        };
        names.retain(|word| !is_said(word));
        if let [only] = names[..] {
            said.name = Some(only.to_string());
        }
        said
    }

    /// Of a file that is called after what it is of: `prod-1_ReadIOPS.json`, `vol-0a1b2c3d.json`. Numbers in it may be anything.
    pub fn from_file(path: &str) -> Said {
        let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let mut said = Said { period_ns: None, name: None, ..Said::from_text(stem) };
        if let Some(metric) = said.metric.filter(|metric| metric.of == Of::Database) {
            let at = stem.to_ascii_lowercase().find(&metric.name.to_ascii_lowercase()).unwrap_or(0);
            let rest =
                [&stem[..at], &stem[at + metric.name.len()..]].map(|part| part.trim_matches(['-', '_', '.', ' ']));
            said.database = rest
                .into_iter()
                .find(|rest| !rest.is_empty() && Statistic::by_name(rest).is_none())
                .map(str::to_string);
        }
        said
    }
}

/// `300` or `300s`, where that may be the length of a period: 1, 5, 10, 20 or 30 s, or whole minutes of a week.
fn is_period(word: &str) -> Option<u64> {
    let digits = word.strip_suffix('s').unwrap_or(word);
    let seconds: u64 = digits.parse().ok()?;
    let is_one = matches!(seconds, 1 | 5 | 10 | 20 | 30) || seconds.is_multiple_of(60) && seconds > 0;
    (is_one && seconds <= 7 * 86_400).then_some(seconds * 1_000_000_000)
}

/// The longest name of a metric that stands in a text as a word.
fn metric_in(text: &str) -> Option<&'static Metric> {
    let lower = text.to_ascii_lowercase();
    let is_word = |name: &str| {
        let name = name.to_ascii_lowercase();
        lower.match_indices(&name).any(|(at, _)| {
            let before = lower[..at].chars().next_back();
            let after = lower[at + name.len()..].chars().next();
            [before, after].iter().flatten().all(|c| !c.is_ascii_alphanumeric())
        })
    };
    METRICS.iter().filter(|metric| is_word(metric.name)).max_by_key(|metric| metric.name.len())
}

/// The digits of `vol-0a1b2c3d` or `vol_0a1b2c3d`, where that stands as a word of its own.
fn id_in<'a>(text: &'a str, kind: &str) -> Option<&'a str> {
    text.match_indices(kind).find_map(|(at, _)| {
        let before = text[..at].chars().next_back();
        let rest = text[at + kind.len()..].strip_prefix(['-', '_'])?;
        let end = rest.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(rest.len());
        let after = rest[end..].chars().next();
        let is_word = [before, after].iter().flatten().all(|c| !c.is_ascii_alphanumeric());
        (is_word && end >= 4).then_some(&rest[..end])
    })
}

fn has_id(word: &str) -> bool {
    id_in(word, "vol").is_some() || id_in(word, "i").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(said: &Said) -> String {
        let period = said.period_ns.map(|ns| (ns / 1_000_000_000).to_string());
        let words = [
            said.volume.clone(),
            said.instance.clone(),
            said.database.clone(),
            said.name.as_ref().map(|name| format!("`{name}`")),
            said.metric.map(|metric| metric.known_as().to_string()),
            said.statistic.map(|statistic| statistic.name().to_string()),
            period,
        ];
        words.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn labels_say_what_is_in_them() {
        let cases = [
            ("VolumeReadOps", "VolumeReadOps"),
            ("VolumeReadOps Sum", "VolumeReadOps Sum"),
            ("vol-0a1b2c3d4e5f60718 VolumeReadOps", "vol-0a1b2c3d4e5f60718 VolumeReadOps"),
            ("VolumeWriteOps (vol-0a1b2c3d) max", "vol-0a1b2c3d VolumeWriteOps Maximum"),
            ("us-east-1:AWS/EBS VolumeId:vol-0a1b2c3d VolumeReadBytes Sum 300", "vol-0a1b2c3d VolumeReadBytes Sum 300"),
            ("us-east-1:AWS/RDS DBInstanceIdentifier:prod-1 ReadIOPS Average 60", "prod-1 ReadIOPS Average 60"),
            (
                "eu-west-1:AWS/EC2 InstanceId:i-0a1b2c3d EBSIOBalance% Minimum 300s",
                "i-0a1b2c3d EBSIOBalance% Minimum 300",
            ),
            ("vol_0a1b2c3d_VolumeReadOps_Sum", "vol-0a1b2c3d VolumeReadOps Sum"),
            ("i_0a1b2c3d_ebsiobalancepercent", "i-0a1b2c3d EBSIOBalance%"),
            ("data VolumeReadOps Sum", "`data` VolumeReadOps Sum"),
            ("prod-1 ReadLatency", "`prod-1` ReadLatency"),
            ("InstanceEBSIOPSExceededCheck", "InstanceEBSIOPSExceededCheck"),
            ("ami-0a1b2c3d vol-data m1", ""),
            ("MyVolumeReadOpsX", "`MyVolumeReadOpsX`"),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(&Said::from_text(text)), expected, "{text}");
        }
    }

    #[test]
    fn files_are_called_after_what_they_are_of() {
        let cases = [
            ("out/vol-0a1b2c3d-VolumeReadOps.json", "vol-0a1b2c3d VolumeReadOps"),
            ("vol-0a1b2c3d_VolumeReadOps_Sum_300.json", "vol-0a1b2c3d VolumeReadOps Sum"),
            ("prod-1-ReadIOPS.json", "prod-1 ReadIOPS"),
            ("ReadIOPS-Average.json", "ReadIOPS Average"),
            ("ReadIOPS.json", "ReadIOPS"),
            ("metrics-2026.json", ""),
        ];
        for (path, expected) in cases {
            assert_eq!(shown(&Said::from_file(path)), expected, "{path}");
        }
    }

    #[test]
    fn names_are_found_whatever_their_case() {
        for metric in &METRICS {
            assert_eq!(by_name(&metric.name.to_lowercase()).map(|m| m.name), Some(metric.name));
            assert_eq!(metric_in(&format!("m {} x", metric.name)).map(Metric::known_as), Some(metric.known_as()));
        }
    }
}
