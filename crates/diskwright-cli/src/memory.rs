//! How much memory this machine has left, for loads whose maps may not fit and for disks that are kept in it: whoever needs much asks
//! before it allocates any.

use dw_units::Bytes;

/// Where the system says nothing: what any machine of today has left.
const UNKNOWN: u64 = 2 << 30;

/// Bytes that may still be taken: the least that the kernel, the control group and the limits of this process allow.
pub fn left() -> Bytes {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let group = |file: &str| read(&format!("/sys/fs/cgroup/memory.{file}"));
    let group = left_of_group(&group("max"), &group("current"), &group("stat"));
    #[cfg(unix)]
    let space = rustix::process::getrlimit(rustix::process::Resource::As).current.map(|most| {
        let page = rustix::param::page_size() as u64;
        most.saturating_sub(address_space(&read("/proc/self/statm"), page).unwrap_or(0))
    });
    #[cfg(not(unix))]
    let space = None;
    let known = [meminfo(&read("/proc/meminfo")), group, space].into_iter().flatten().min();
    Bytes::new(known.unwrap_or(UNKNOWN))
}

fn meminfo(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.split_ascii_whitespace().next()?.parse::<u64>().ok()? << 10)
}

/// What this process has of its address space, of which `ulimit -v` is the limit.
#[cfg(any(unix, test))]
fn address_space(statm: &str, page: u64) -> Option<u64> {
    statm.split_ascii_whitespace().next()?.parse::<u64>().ok()?.checked_mul(page)
}

/// What a control group leaves, file pages that can be dropped counted as free; nothing when its limit is `max`.
fn left_of_group(max: &str, current: &str, stat: &str) -> Option<u64> {
    let number = |text: &str| text.trim().parse::<u64>().ok();
    let droppable = stat.lines().find_map(|line| line.strip_prefix("inactive_file ")).and_then(number).unwrap_or(0);
    Some(number(max)?.saturating_sub(number(current).unwrap_or(0).saturating_sub(droppable)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_says_is_read() {
        assert_eq!(meminfo("MemTotal: 9 kB\nMemAvailable:       16 kB\n"), Some(16_384));
        assert_eq!(meminfo("MemTotal: 9 kB\n"), None);
        assert_eq!(address_space("25 9 8 7 0 6 0\n", 4096), Some(102_400));
        assert_eq!(left_of_group("4096\n", "96\n", "anon 1\ninactive_file 0\n"), Some(4_000));
        assert_eq!(left_of_group("4096\n", "5000\n", "anon 1\n"), Some(0));
        assert_eq!(left_of_group("4096\n", "4000\n", "inactive_file 1904\n"), Some(2_000));
        assert_eq!(left_of_group("max\n", "5000\n", ""), None);
    }
}
