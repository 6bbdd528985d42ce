use super::*;
use crate::{FileExtent, PerDirection};
use dw_units::Duration;
use proptest::prelude::*;

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

fn file(len: u64) -> FileExtent {
    FileExtent { name: "f".into(), volume: 0, start: 0, offset: 0, len }
}

/// A random-read job that ends by size.
fn job(len: u64, io_size: u64) -> Job {
    let mut job = Job::random_read("t", file(len), io_size, 1, Duration::from_secs(1));
    job.stop.time_based = false;
    job
}

fn sequential(mut job: Job) -> Job {
    job.access.random_percent = PerDirection::all(0);
    job
}

/// The one door: what a job asks for in its first `n` requests, as `direction offset+len` in KiB.
fn check(job: &Job, n: usize, expected: &str) {
    let mut generator = Generator::new(job, 1).unwrap();
    let mut got = Vec::new();
    for _ in 0..n {
        let direction = generator.direction();
        let Some(io) = generator.next(direction) else {
            got.push("end".to_string());
            break;
        };
        let letter = ["r", "w", "t"][io.direction as usize];
        let kib = |bytes: u64| {
            if bytes.is_multiple_of(KIB) { (bytes / KIB).to_string() } else { format!("{:.1}", bytes as f64 / 1024.0) }
        };
        let volume = if job.files.len() > 1 { format!("{}:", io.volume) } else { String::new() };
        got.push(format!("{letter}{volume}{}+{}", kib(io.offset), kib(u64::from(io.len))));
    }
    assert_eq!(got.join(" "), expected);
}

#[test]
fn sequential_goes_on_after_the_previous_request() {
    let mut j = sequential(job(16 * KIB, 4 * KIB));
    check(&j, 9, "r0+4 r4+4 r8+4 r12+4 end");
    j.files[0].start = 100 * KIB;
    j.files[0].offset = 8 * KIB;
    check(&j, 2, "r108+4 r112+4");
    j.stop.time_based = true;
    check(&j, 5, "r108+4 r112+4 r116+4 r120+4 r108+4");
}

#[test]
fn a_tail_smaller_than_a_request_is_not_touched() {
    let j = sequential(job(4 * MIB, 12 * KIB));
    let mut generator = Generator::new(&j, 1).unwrap();
    assert_eq!(std::iter::from_fn(|| generator.next(Direction::Read)).count(), 341);
    // The same at random: 341 whole blocks.
    let j = job(4 * MIB, 12 * KIB);
    let mut generator = Generator::new(&j, 1).unwrap();
    assert_eq!(std::iter::from_fn(|| generator.next(Direction::Read)).count(), 341);
}

#[test]
fn gaps_skip_and_wrap() {
    let mut j = sequential(job(64 * KIB, 4 * KIB));
    j.access.gap = 8 * KIB as i64;
    check(&j, 7, "r0+4 r12+4 r24+4 r36+4 r48+4 r60+4 end");
    // Backwards: the block before the previous one.
    j.access.gap = -(8 * KIB as i64);
    check(&j, 4, "r0+4 r56+4 r52+4 r48+4");
}

#[test]
fn reads_and_writes_have_separate_positions() {
    let mut j = sequential(job(10 * MIB, 4 * KIB));
    j.mix = Mix::ReadWrite { read_percent: 70 };
    let mut generator = Generator::new(&j, 5).unwrap();
    let mut ends = [0u64; 3];
    for _ in 0..2_560 {
        let direction = generator.direction();
        let io = generator.next(direction).unwrap();
        assert_eq!(io.offset, ends[io.direction as usize]);
        ends[io.direction as usize] = io.offset + u64::from(io.len);
    }
    assert_eq!(ends[0] + ends[1], 10 * MIB);
    let share = ends[0] as f64 / (10 * MIB) as f64;
    assert!((share - 0.7).abs() < 0.03, "{share}");
}

#[test]
fn trim_then_write_touches_every_block_twice() {
    let mut j = sequential(job(12 * KIB, 4 * KIB));
    j.mix = Mix::TrimThenWrite;
    check(&j, 7, "t0+4 w0+4 t4+4 w4+4 t8+4 w8+4 end");
    let mut j = job(MIB, 4 * KIB);
    j.mix = Mix::TrimThenWrite;
    let mut generator = Generator::new(&j, 1).unwrap();
    let ios: Vec<Io> = std::iter::from_fn(|| generator.next(Direction::Write)).collect();
    assert_eq!(ios.len(), 512);
    for pair in ios.chunks(2) {
        assert_eq!((pair[0].direction, pair[1].direction), (Direction::Trim, Direction::Write));
        assert_eq!((pair[0].offset, pair[0].len), (pair[1].offset, pair[1].len));
    }
}

#[test]
fn runs_between_random_offsets_are_sequential_or_identical() {
    let mut j = job(64 * MIB, 4 * KIB);
    j.access.random_every = 8;
    for identical in [false, true] {
        j.access.identical = identical;
        let mut generator = Generator::new(&j, 1).unwrap();
        let ios: Vec<u64> = (0..800).map(|_| generator.next(Direction::Read).unwrap().offset).collect();
        let follows = ios.windows(2).filter(|w| w[1] == w[0] + if identical { 0 } else { 4 * KIB }).count();
        // The first seven of the job have no random offset before them.
        assert!((695..=705).contains(&follows), "{follows} of 799 follow");
    }
}

#[test]
fn a_percentage_is_random_and_the_rest_goes_on() {
    let mut j = job(1 << 30, 4 * KIB);
    j.access.random_percent = PerDirection::all(25);
    j.access.cover = false;
    let mut generator = Generator::new(&j, 1).unwrap();
    let ios: Vec<u64> = (0..40_000).map(|_| generator.next(Direction::Read).unwrap().offset).collect();
    let follows = ios.windows(2).filter(|w| w[1] == w[0] + 4 * KIB).count() as f64 / 39_999.0;
    assert!((follows - 0.75).abs() < 0.01, "{follows}");
}

#[test]
fn files_are_visited_in_the_order_asked_for() {
    let mut j = sequential(job(8 * KIB, 4 * KIB));
    j.files.push(FileExtent { volume: 1, ..file(8 * KIB) });
    j.file_order = FileOrder::RoundRobin(1);
    check(&j, 5, "r0:0+4 r1:0+4 r0:4+4 r1:4+4 end");
    j.file_order = FileOrder::RoundRobin(2);
    check(&j, 5, "r0:0+4 r0:4+4 r1:0+4 r1:4+4 end");
    j.file_order = FileOrder::Sequential;
    check(&j, 5, "r0:0+4 r0:4+4 r1:0+4 r1:4+4 end");
    j.file_order = FileOrder::Random(1);
    let mut generator = Generator::new(&j, 3).unwrap();
    let mut seen: Vec<_> =
        std::iter::from_fn(|| generator.next(Direction::Read)).map(|io| (io.volume, io.offset)).collect();
    seen.sort();
    assert_eq!(seen, [(0, 0), (0, 4_096), (1, 0), (1, 4_096)]);
}

#[test]
fn strided_zones_move_on_after_their_bytes() {
    let mut j = sequential(job(64 * KIB, 4 * KIB));
    j.access.strided = Some(Strided { size: 8 * KIB, range: 8 * KIB, skip: 8 * KIB });
    j.stop.time_based = true;
    check(&j, 9, "r0+4 r4+4 r16+4 r20+4 r32+4 r36+4 r48+4 r52+4 r0+4");
    // Twice the zone's bytes: the zone is read twice.
    j.access.strided = Some(Strided { size: 16 * KIB, range: 8 * KIB, skip: 8 * KIB });
    check(&j, 5, "r0+4 r4+4 r0+4 r4+4 r16+4");
}

/// Offsets in blocks of one whole pass.
fn pass(generator: &mut Generator, size: u64) -> Vec<u64> {
    std::iter::from_fn(|| {
        let direction = generator.direction();
        generator.next(direction)
    })
    .map(|io| io.offset / size)
    .collect()
}

#[test]
fn a_pass_covers_every_block_once_and_its_end_turns_sequential() {
    let blocks = 65_536;
    let mut j = job(blocks * 4 * KIB, 4 * KIB);
    j.mix = Mix::ReadWrite { read_percent: 60 };
    let mut generator = Generator::new(&j, 2).unwrap();
    let order = pass(&mut generator, 4 * KIB);
    let mut sorted = order.clone();
    sorted.sort_unstable();
    assert!(sorted.iter().copied().eq(0..blocks));
    let next = |range: std::ops::Range<usize>| {
        let part = &order[range];
        part.windows(2).filter(|w| w[1] == w[0] + 1).count() as f64 / part.len() as f64
    };
    let n = blocks as usize;
    // fio 3.33 on the same file: 0.04 % in the first half, 1.4 % from 90 to 99 %, 9.8 % in the last 1 %.
    assert!(next(0..n / 2) < 0.001);
    assert!((0.002..0.03).contains(&next(n * 90 / 100..n * 99 / 100)), "{}", next(n * 90 / 100..n * 99 / 100));
    assert!((0.04..0.2).contains(&next(n * 99 / 100..n)), "{}", next(n * 99 / 100..n));
}

#[test]
fn another_pass_repeats_by_loops_and_differs_by_time() {
    let mut j = job(MIB, 4 * KIB);
    let mut generator = Generator::new(&j, 2).unwrap();
    let first = pass(&mut generator, 4 * KIB);
    generator.restart();
    assert_eq!(pass(&mut generator, 4 * KIB), first);
    j.repeat_on_loop = false;
    let mut generator = Generator::new(&j, 2).unwrap();
    assert_eq!(pass(&mut generator, 4 * KIB), first);
    generator.restart();
    assert_ne!(pass(&mut generator, 4 * KIB), first);
    // Skewed offsets go on, whatever the loop says.
    let mut skewed = job(MIB, 4 * KIB);
    skewed.access.distribution = PerDirection::all(Distribution::Zipf { theta: 1.1, center: None });
    let mut generator = Generator::new(&skewed, 2).unwrap();
    let draw = |g: &mut Generator| (0..64).map(|_| g.next(Direction::Read).unwrap()).collect::<Vec<_>>();
    let first_of_skewed = draw(&mut generator);
    generator.restart();
    assert_ne!(draw(&mut generator), first_of_skewed);
    j.stop.time_based = true;
    let mut generator = Generator::new(&j, 2).unwrap();
    let mut two: Vec<u64> = (0..512).map(|_| generator.next(Direction::Read).unwrap().offset / 4_096).collect();
    assert_eq!(two[..256], first);
    assert_ne!(two[256..], first);
    two[256..].sort_unstable();
    assert!(two[256..].iter().copied().eq(0..256));
}

#[test]
fn without_a_map_blocks_repeat() {
    let blocks = 65_536u64;
    let mut j = job(blocks * 4 * KIB, 4 * KIB);
    j.access.cover = false;
    let mut generator = Generator::new(&j, 2).unwrap();
    let mut seen = vec![false; blocks as usize];
    for _ in 0..blocks {
        seen[(generator.next(Direction::Read).unwrap().offset / 4_096) as usize] = true;
    }
    let touched = seen.iter().filter(|&&s| s).count() as f64 / blocks as f64;
    // 1 − 1/e.
    assert!((touched - 0.632).abs() < 0.005, "{touched}");
}

#[test]
fn big_requests_shrink_to_the_free_run_they_hit() {
    let mut j = job(256 * MIB, 4 * KIB);
    let split = SizeDistribution::Split(vec![(4_096, 50), (65_536, 50)]);
    j.sizes = PerDirection::all(split);
    let mut generator = Generator::new(&j, 3).unwrap();
    let ios: Vec<Io> = std::iter::from_fn(|| generator.next(Direction::Read)).collect();
    assert_eq!(ios.iter().map(|io| u64::from(io.len)).sum::<u64>(), 256 * MIB);
    let mut covered = vec![false; 65_536];
    for io in &ios {
        for block in io.offset / 4_096..(io.offset + u64::from(io.len)) / 4_096 {
            assert!(!std::mem::replace(&mut covered[block as usize], true), "block {block} twice");
        }
    }
    let big = |range: &[Io]| range.iter().filter(|io| io.len == 65_536).count() as f64 / range.len() as f64;
    let quarter = ios.len() / 4;
    // fio 3.33: 33 % of the requests of the first quarter, 3 % of the last.
    let (first, last) = (big(&ios[..quarter]), big(&ios[3 * quarter..]));
    assert!((0.25..0.40).contains(&first) && last < 0.06, "{first} {last}");
    j.access.cover = false;
    let mut generator = Generator::new(&j, 3).unwrap();
    let ios: Vec<Io> = (0..20_000).map(|_| generator.next(Direction::Read).unwrap()).collect();
    assert!((big(&ios) - 0.5).abs() < 0.02);
}

#[test]
fn the_hottest_blocks_get_the_share_that_fio_gives_them() {
    // Measured with fio 3.33: 16,384 blocks, 204,800 draws, share of the hottest 1 %, 10 % and 20 % of blocks.
    let zoned = Distribution::Zoned(vec![(50, 5), (30, 15), (20, 80)]);
    let absolute = Distribution::ZonedAbsolute(vec![(50, 819 * 4_096), (30, 2_458 * 4_096), (20, 13_107 * 4_096)]);
    let rows = [
        ("uniform", Distribution::Uniform, [0.018, 0.15, 0.28]),
        ("zipf:0.9", Distribution::Zipf { theta: 0.9, center: None }, [0.43, 0.69, 0.78]),
        ("zipf:1.1", Distribution::Zipf { theta: 1.1, center: None }, [0.69, 0.86, 0.91]),
        ("zipf:1.2", Distribution::Zipf { theta: 1.2, center: None }, [0.79, 0.92, 0.95]),
        ("pareto:0.2", Distribution::Pareto { h: 0.2, center: None }, [0.53, 0.73, 0.81]),
        ("normal:10", Distribution::Normal { percent: 10.0, center: None }, [0.05, 0.44, 0.75]),
        ("zoned", zoned, [0.11, 0.62, 0.80]),
        ("zoned_abs", absolute, [0.11, 0.62, 0.80]),
    ];
    for (name, distribution, expected) in rows {
        let mut j = job(16_384 * 4_096, 4_096);
        j.access.distribution = PerDirection::all(distribution);
        j.access.cover = false;
        let mut generator = Generator::new(&j, 1).unwrap();
        let mut counts = vec![0u32; 16_384];
        for _ in 0..204_800 {
            counts[(generator.next(Direction::Read).unwrap().offset / 4_096) as usize] += 1;
        }
        counts.sort_unstable_by(|a, b| b.cmp(a));
        for (share, expected) in [0.01, 0.1, 0.2].into_iter().zip(expected) {
            let hot = counts[..(16_384.0 * share) as usize].iter().sum::<u32>();
            let got = f64::from(hot) / 204_800.0;
            // One and a half in the second digit: the measured shares are rounded to two.
            assert!((got - expected).abs() < 0.015, "{name}: hottest {share}: {got:.3} instead of {expected}");
        }
    }
}

#[test]
fn two_seeds_differ_and_one_repeats() {
    let j = job(64 * MIB, 4 * KIB);
    let draw = |seed| {
        let mut g = Generator::new(&j, seed).unwrap();
        (0..64).map(|_| g.next(Direction::Read).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(draw(1), draw(1));
    assert_ne!(draw(1), draw(2));
}

#[test]
fn what_cannot_be_generated_is_said() {
    type Row = (&'static str, fn(&mut Job));
    let rows: [Row; 4] = [
        ("it has no file", |j| j.files.clear()),
        ("a request of 0 bytes is not possible", |j| j.sizes = PerDirection::all(SizeDistribution::Fixed(0))),
        ("no request fits: file `f` has 4096 bytes for it, the smallest request 8192", |j| {
            j.sizes = PerDirection::all(SizeDistribution::Fixed(8_192));
            j.files[0].len = 4_096;
        }),
        ("its alignment is zero", |j| j.align = PerDirection::all(0)),
    ];
    for (expected, break_it) in rows {
        let mut j = job(MIB, 4 * KIB);
        break_it(&mut j);
        assert_eq!(Generator::new(&j, 1).unwrap_err().to_string(), expected);
    }
}

/// The short path's twin: the same draws, block by block, without it.
#[test]
fn requests_drawn_together_are_those_drawn_one_by_one() {
    let with = |change: fn(&mut Job)| {
        let mut job = job(4 * MIB, 4 * KIB);
        change(&mut job);
        job
    };
    let jobs = [
        with(|_| {}),
        with(|job| job.stop.time_based = true),
        with(|job| job.access.cover = false),
        with(|job| job.access.distribution = PerDirection::all(Distribution::Zipf { theta: 1.1, center: None })),
        with(|job| job.mix = Mix::ReadWrite { read_percent: 70 }),
        with(|job| {
            job.sizes = PerDirection::all(SizeDistribution::Range { min: 4 << 10, max: 64 << 10, unaligned: false })
        }),
        sequential(with(|_| {})),
    ];
    for job in jobs {
        let (mut together, mut one_by_one) = (Generator::new(&job, 1).unwrap(), Generator::new(&job, 1).unwrap());
        // More than two passes of those that end.
        for round in 0..150 {
            let mut drawn = [Io { offset: 0, len: 0, volume: 0, direction: Direction::Read }; 16];
            let count = together.draw(&mut drawn);
            for (n, &io) in drawn.iter().enumerate().take((count + 1).min(16)) {
                let direction = one_by_one.direction();
                let expected = (n < count).then_some(io);
                assert_eq!(one_by_one.next(direction), expected, "{:?} {round} {n}", job.access);
            }
            if count < 16 {
                together.restart();
                one_by_one.restart();
            }
        }
    }
}

#[test]
fn the_short_path_and_the_long_one_draw_alike() {
    let mut jobs = Vec::new();
    for cover in [false, true] {
        let mut j = job(999 * 8 * KIB + 100, 8 * KIB);
        j.mix = Mix::ReadWrite { read_percent: 30 };
        j.access.cover = cover;
        jobs.push(j);
    }
    for mix in [Mix::Only(Direction::Read), Mix::ReadWrite { read_percent: 30 }] {
        for distribution in
            [Distribution::Zipf { theta: 0.9, center: None }, Distribution::Normal { percent: 10.0, center: Some(0.2) }]
        {
            let mut j = job(999 * 8 * KIB, 8 * KIB);
            j.mix = mix;
            j.access.distribution = PerDirection::all(distribution);
            jobs.push(j);
        }
    }
    for j in jobs {
        let mut short = Generator::new(&j, 4).unwrap();
        assert!(short.plain.is_some());
        let mut long = Generator::new(&j, 4).unwrap();
        long.plain = None;
        long.streams.rewind();
        for _ in 0..2_000 {
            let (a, b) = (short.direction(), long.direction());
            assert_eq!(a, b);
            assert_eq!(short.next(a), long.next(b));
        }
    }
}

prop_compose! {
    fn any_job()(
        blocks in 1u64..400, io_size in prop_oneof![Just(512u64), Just(4_096), Just(12_288), Just(65_536)],
        tail in 0u64..4_096, offset in 0u64..3, files in 1usize..4, order in 0u8..4, mix in 0u8..5,
        percent in prop_oneof![Just(0u8), Just(100), 0u8..=100], every in 1u32..5, identical: bool,
        gap in prop_oneof![Just(0i64), Just(8_192), Just(-8_192)], distribution in 0u8..5, cover: bool,
        sizes in 0u8..4, by_order: bool, strided in 0u8..4, time_based: bool,
    ) -> Job {
        let len = blocks * io_size + tail;
        let mut j = job(len, io_size);
        j.files = (0..files as u64)
            .map(|i| FileExtent { name: format!("f{i}"), volume: 0, start: i << 32, offset: offset * 4_096, len })
            .collect();
        j.file_order = match order {
            0 => FileOrder::Sequential, 1 => FileOrder::RoundRobin(1), 2 => FileOrder::RoundRobin(3),
            _ => FileOrder::Random(2),
        };
        j.mix = match mix {
            0 => Mix::Only(Direction::Read), 1 => Mix::Only(Direction::Write), 2 => Mix::Only(Direction::Trim),
            3 => Mix::ReadWrite { read_percent: 40 }, _ => Mix::TrimThenWrite,
        };
        j.access.random_percent = PerDirection::all(percent);
        j.access.random_every = every;
        j.access.identical = identical;
        j.access.gap = gap;
        j.access.cover = cover;
        j.access.distribution = PerDirection::all(match distribution {
            0 => Distribution::Zipf { theta: 1.1, center: None },
            1 => Distribution::Pareto { h: 0.2, center: Some(0.3) },
            2 => Distribution::Normal { percent: 20.0, center: None },
            3 => Distribution::Zoned(vec![(60, 10), (40, 90)]),
            _ => Distribution::Uniform,
        });
        j.sizes = PerDirection::all(match sizes {
            0 => SizeDistribution::Range { min: io_size, max: io_size * 4, unaligned: false },
            1 => SizeDistribution::Split(vec![(io_size, 50), (io_size * 4, 50)]),
            _ => SizeDistribution::Fixed(io_size),
        });
        j.sizes_by_order = by_order;
        j.access.strided = (strided == 0 && len >= io_size * 4)
            .then_some(Strided { size: io_size * 4, range: io_size * 2, skip: io_size });
        j.stop.time_based = time_based;
        j
    }
}

/// `n` requests of a job on one file of `len` bytes.
fn take(j: &Job, n: usize) -> Vec<Io> {
    let mut generator = Generator::new(j, 7).unwrap();
    (0..n)
        .map(|_| {
            let direction = generator.direction();
            generator.next(direction).unwrap()
        })
        .collect()
}

fn shared(start: u64, gap: i64, len: u64) -> Job {
    let file = FileExtent { name: "f".into(), volume: 0, start: 0, offset: 0, len };
    let mut j = Job::random_read("t", file, 4_096, 1, Duration::from_secs(1));
    j.mix = Mix::ReadWrite { read_percent: 50 };
    j.access.random_percent = PerDirection::all(0);
    j.access.cover = false;
    j.access.gap = gap;
    j.access.cursor = Cursor::Shared { start, runs: false };
    j
}

#[test]
fn a_shared_cursor_serves_all_directions_and_never_ends() {
    let offsets = |j: &Job| take(j, 6).iter().map(|io| io.offset).collect::<Vec<_>>();
    // The last 1,000 bytes hold no request.
    assert_eq!(offsets(&shared(0, 0, 3 * 4_096 + 1_000)), [0, 4_096, 8_192, 0, 4_096, 8_192]);
    assert_eq!(offsets(&shared(8_192, 0, 3 * 4_096)), [8_192, 0, 4_096, 8_192, 0, 4_096]);
    assert_eq!(offsets(&shared(0, 4_096, 4 * 4_096)), [0, 8_192, 0, 8_192, 0, 8_192]);
    assert_eq!(offsets(&shared(4_096, 4_096, 4 * 4_096)), [4_096, 12_288, 4_096, 12_288, 4_096, 12_288]);
    assert_eq!(offsets(&shared(0, -4_096, 4 * 4_096)), [0; 6]);
}

#[test]
fn a_run_keeps_its_direction() {
    let mut j = shared(0, 0, 1 << 30);
    j.access.random_percent = PerDirection::all(25);
    j.access.cursor = Cursor::Shared { start: 0, runs: true };
    let ios = take(&j, 20_000);
    let follows = |pair: &&[Io]| pair[1].offset == pair[0].offset + u64::from(pair[0].len);
    let in_runs: Vec<_> = ios.windows(2).filter(follows).collect();
    assert!(in_runs.iter().all(|pair| pair[0].direction == pair[1].direction));
    let share = in_runs.len() as f64 / 20_000.0;
    assert!((share - 0.75).abs() < 0.02, "{share} of the requests follow the one before");
}

#[test]
fn lines_are_drawn_for_bursts_by_their_share() {
    let mut j = shared(0, 0, 1 << 30);
    let line = Line { share: 80, io_size: 4_096, read_percent: 100, random_percent: 100, align: 4_096, burst: 1 };
    j.lines = vec![line, Line { share: 20, io_size: 65_536, read_percent: 0, random_percent: 0, burst: 3, ..line }];
    j.sizes = PerDirection::all(SizeDistribution::Split(vec![(4_096, 80), (65_536, 20)]));
    let ios = take(&j, 50_000);
    let large = ios.iter().filter(|io| io.len == 65_536).count() as f64 / 50_000.0;
    // 20 bursts of 3 next to 80 of 1.
    assert!((large - 60.0 / 140.0).abs() < 0.01, "{large}");
    assert!(ios.iter().all(|io| (io.direction == Direction::Write) == (io.len == 65_536)));
}

proptest! {
    #[test]
    fn every_request_lies_in_its_file_and_every_pass_ends(j in any_job(), seed in any::<u64>()) {
        let mut generator = Generator::new(&j, seed).unwrap();
        let mut bytes = 0u64;
        for step in 0.. {
            let direction = generator.direction();
            let Some(io) = generator.next(direction) else { break };
            let n = (io.offset >> 32) as usize;
            let start = (io.offset & 0xffff_ffff).checked_sub(j.files[n].offset);
            prop_assert!(start.is_some_and(|s| s + u64::from(io.len) <= j.files[n].len), "{io:?}");
            prop_assert!(io.len > 0);
            bytes += u64::from(io.len);
            if step == 3_000 { break }
        }
        let one_pass = j.access.cover && *j.access.distribution.get(Direction::Read) == Distribution::Uniform
            && j.access.strided.is_none() && !j.stop.time_based && j.access.random_percent.read == 100
            && j.access.random_every == 1 && !matches!(j.mix, Mix::TrimThenWrite);
        if one_pass {
            let total: u64 = j.files.iter().map(|f| f.len).sum();
            prop_assert!(bytes <= total);
        }
    }
}
