#!/usr/bin/env python3
"""Measures the emulator with real fio, beside nbdkit and qemu-storage-daemon where they are installed.

    cargo build --release -p diskwright-cli
    cargo build --release -p dw-emulator --examples
    bench/emulator.py [--only speed,rate,latency,start,waiting,published,vhost] [--seconds 3] [--rounds 3] [--keep]

speed      limits far out of reach, the whole stack active: I/Os a second, processor time of the server for a million I/Os
rate       a limit is kept on average: 500, 5,000, 50,000 I/Os a second, the last also with a queue of 5 ms, which outlasts what the system
           takes from its client; 25, 200, 500 MB/s
latency    1 and 2 ms of service time at depths 1, 64 and 1,024: median, and the share of what Little's law promises; seen by fio,
           and by a client that does nothing but ask, which tells the server's part from the client library's
start      I/Os in the first 100 ms of an idle disk, as a multiple of rate x time
waiting    processor time for a million I/Os under a limit of 500 with 128 waiting; and latency at depth 1 below a limit
published  the rigs of examples/*-benchmark with their own jobs, beside the client's ceiling against an export without a model
vhost      vhost-user-blk, beside QEMU's own export of it, with one client: libblkio's driver in crates/dw-emulator/examples

Servers take turns within a round, so that a busy minute does not fall on one alone; figures are medians of the rounds. fio is
one core a job at most, so I/Os a second above the client's ceiling say nothing: fio's own load is printed beside them.
`--prefix "chrt -f 5"` keeps other programs of a busy machine from running in between, but the kernel takes a real-time program's
processor away for 50 ms of each second that it uses all of, as a server does that has a release every 20 us: not for `rate`.
"""

import argparse, csv, datetime, json, os, pathlib, re, shutil, signal, statistics, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TICKS = os.sysconf("SC_CLK_TCK")
GIB = 1 << 30
BIG, BIG_BYTES = 10**9, 10**12  # limits that exist and never bind


def rig(iops=BIG, rate=BIG_BYTES, latency_us=1):
    return f"""[vm]
uncached = {{ iops = {BIG}, throughput = "{BIG_BYTES} B/s" }}
[[volume]]
name = "data"
disks = [{{ size = "1 GiB", iops = {iops}, throughput = "{rate} B/s", latency = {{ read = "{latency_us} us", write = "{latency_us} us" }} }}]
"""


class Server:
    """A server on a Unix socket, ended when the block ends."""

    def __init__(self, options, command, export="", rig_text=None):
        self.folder = tempfile.TemporaryDirectory()
        self.socket = os.path.join(self.folder.name, "s")
        if rig_text:
            (pathlib.Path(self.folder.name) / "rig.toml").write_text(rig_text)
        command = [part.format(socket=self.socket, folder=self.folder.name) for part in command]
        self.export = export
        self.log = open(os.path.join(self.folder.name, "log"), "w+")
        self.process = subprocess.Popen(options.prefix.split() + command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)

    def __enter__(self):
        for _ in range(200):
            if os.path.exists(self.socket):
                time.sleep(0.2)
                return self
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        self.log.seek(0)
        sys.exit(f"{self.process.args}: does not serve\n{self.log.read()}")

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        self.log.close()
        self.folder.cleanup()

    def uri(self, export=None):
        return f"nbd+unix:///{self.export if export is None else export}?socket={self.socket}"

    def cpu_s(self):
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS


def ours(options, store="--memory", **limits):
    command = [options.diskwright, "emulate", "--quiet", "{folder}/rig.toml", store, "--socket", "{socket}"]
    return Server(options, command, rig_text=rig(**limits))


def nbdkit(options, *plugin, filters=(), threads=16):
    command = ["nbdkit", "-f", "-t", str(threads), "-U", "{socket}", *(f"--filter={name}" for name in filters), *plugin]
    return Server(options, command)


def qemu(options, node, throttle=None):
    command = ["qemu-storage-daemon", "--nbd-server", "addr.type=unix,addr.path={socket}"]
    top = "disk"
    if throttle:
        command += ["--object", f"throttle-group,id=group,{throttle}"]
    command += ["--blockdev", f"{node},node-name=disk"]
    if throttle:
        command += ["--blockdev", "driver=throttle,node-name=limited,throttle-group=group,file=disk"]
        top = "limited"
    command += ["--export", f"type=nbd,id=export,node-name={top},name=,writable=on"]
    return Server(options, command)


def ours_vhost(options, store="--null", **limits):
    command = [options.diskwright, "emulate", "--quiet", "{folder}/rig.toml", store, "--vhost-user", "data={socket}"]
    return Server(options, command, rig_text=rig(**limits))


def qemu_vhost(options, node):
    command = ["qemu-storage-daemon", "--blockdev", f"{node},node-name=disk", "--export",
               "type=vhost-user-blk,id=export,node-name=disk,addr.type=unix,addr.path={socket},writable=on,num-queues=4"]
    return Server(options, command)


def client(options, name):
    path = os.path.join(options.clients, name)
    if not os.path.exists(path):
        sys.exit(f"{path} is not there: cargo build --release -p dw-emulator --examples")
    return path


def load_vhost(options, server, way, size, depth, queues, seconds=None):
    """libblkio's driver on a vhost-user-blk server; the same figures as fio gives."""
    before = server.cpu_s()
    figures = json.loads(run(options, [client(options, "vhost_user_load"), server.socket, way, str(size), str(depth), str(queues), str(seconds or options.seconds)]))
    cpu = server.cpu_s() - before
    return {**figures, "cpu_s_per_mio": cpu / figures["ios"] * 1e6}


def lean(options, server, depth):
    """The same figures as a client sees that does nothing but ask (crates/dw-emulator/examples/nbd_load.rs)."""
    return json.loads(run(options, [client(options, "nbd_load"), server.socket, str(depth), str(options.seconds)]))


NULL = f"driver=null-co,size={GIB}"  # a read sends whatever the buffer held
# Over NBD such a disk is a hole: it is not asked at all, its throttle and its latency neither, and no byte is sent. A guest gets zeroes.
NULL_ZEROES = f"{NULL},read-zeroes=on"


def fio(options, server, rw, bs, depth, jobs=1, seconds=None, more=()):
    """Runs fio; I/Os, I/Os a second, MB/s, percentiles in us, and the server's processor time."""
    args = ["fio", "--name=x", "--ioengine=nbd", f"--uri={server.uri()}", "--thread", "--group_reporting", "--norandommap", "--time_based",
            f"--rw={rw}", f"--bs={bs}", f"--iodepth={depth}", f"--numjobs={jobs}", f"--runtime={seconds or options.seconds}",
            "--output-format=json", *more]
    before = server.cpu_s()
    document = document_of(run(options, args))
    cpu = server.cpu_s() - before
    job = document["jobs"][0]
    side = job["read"] if job["read"]["total_ios"] else job["write"]
    at = lambda p: side["clat_ns"]["percentile"][p] / 1e3
    return {"ios": side["total_ios"], "iops": side["iops"], "mbps": side["bw_bytes"] / 1e6, "p50_us": at("50.000000"),
            "p99_us": at("99.000000"), "cpu_s": cpu, "cpu_s_per_mio": cpu / side["total_ios"] * 1e6,
            "fio_percent": job["usr_cpu"] + job["sys_cpu"], "runtime_ms": job["job_runtime"] / jobs}


def run(options, args):
    done = subprocess.run(options.prefix.split() + args, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(args)}\n{done.stdout}{done.stderr}")
    return done.stdout


def document_of(text):
    return json.loads(text[text.index("{"):])  # fio's nbd engine prints a line first


class Table:
    """Samples, and their medians as a table."""

    def __init__(self, title, columns):
        self.title, self.columns, self.samples = title, columns, {}

    def add(self, row, figures):
        self.samples.setdefault(row, []).append(figures)
        shown = "  ".join(f"{name} {figures[name]:,.2f}" for name in self.columns)
        print(f"{self.title}: {' '.join(row)}: {shown}", flush=True)

    def markdown(self):
        lines = [f"### {self.title}", "", "| server | case | " + " | ".join(self.columns) + " |", "|---|---|" + "---:|" * len(self.columns)]
        for row, samples in self.samples.items():
            medians = (statistics.median(sample[name] for sample in samples) for name in self.columns)
            lines.append(f"| {row[0]} | {' '.join(row[1:])} | " + " | ".join(f"{value:,.2f}" for value in medians) + " |")
        return "\n".join(lines) + "\n"


def peers(options, pairs):
    return [(name, make) for name, make in pairs if name.split()[0] == "diskwright" or shutil.which(
        {"nbdkit": "nbdkit", "qemu": "qemu-storage-daemon"}[name.split()[0]])]


def speed(options):
    table = Table("speed", ["iops", "p50_us", "p99_us", "cpu_s_per_mio", "fio_percent"])
    cases = [("randread", "4k", 1, 1), ("randread", "4k", 32, 1), ("randread", "4k", 128, 1), ("randread", "4k", 32, 4),
             ("randwrite", "4k", 1, 1), ("randwrite", "4k", 32, 1), ("randwrite", "4k", 128, 1), ("randwrite", "4k", 32, 4),
             ("read", "256k", 8, 1), ("write", "256k", 8, 1)]
    servers = peers(options, [("diskwright memory", lambda: ours(options)),
                              ("diskwright null", lambda: ours(options, "--null")),
                              ("nbdkit memory", lambda: nbdkit(options, "memory", str(GIB))),
                              ("nbdkit null", lambda: nbdkit(options, "null", str(GIB))),
                              ("qemu null", lambda: qemu(options, NULL)),
                              ("qemu null, a hole", lambda: qemu(options, NULL_ZEROES))])
    for _ in range(options.rounds):
        for name, make in servers:
            with make() as server:
                # Every page is there once, however long that takes: a store in memory faults each of them in.
                fio(options, server, "write", "1m", 8, seconds=60, more=["--time_based=0", "--size=1g"])
                for case in cases:
                    table.add((name, "{}-{}-qd{}-c{}".format(*case)), fio(options, server, *case))
    return table


def rate(options):
    table = Table("rate", ["achieved", "ratio", "cpu_s_per_mio"])
    for limit, depth in ((500, 32), (5_000, 32), (50_000, 32), (50_000, 256)):
        servers = peers(options, [("diskwright", lambda: ours(options, "--null", iops=limit)),
                                  ("nbdkit rate", lambda: nbdkit(options, "null", str(GIB), f"rate={limit * 4096 * 8}", filters=["rate"])),
                                  ("qemu throttle", lambda: qemu(options, NULL, f"limits.iops-total={limit}"))])
        for name, make in servers:
            for _ in range(options.rounds):
                with make() as server:
                    figures = fio(options, server, "randread", "4k", depth, seconds=5, more=["--ramp_time=2"])
                # The run time of fio includes that of the queue that drains after the end, and counts its I/Os.
                figures["achieved"] = figures["ios"] / 5
                figures["ratio"] = figures["achieved"] / limit
                table.add((name, f"{limit} IOPS, depth {depth}"), figures)
    for limit in (25_000_000, 200_000_000, 500_000_000):
        servers = peers(options, [("diskwright", lambda: ours(options, "--null", rate=limit)),
                                  ("nbdkit rate", lambda: nbdkit(options, "null", str(GIB), f"rate={limit * 8}", filters=["rate"])),
                                  ("qemu throttle", lambda: qemu(options, NULL, f"limits.bps-total={limit}"))])
        for name, make in servers:
            for _ in range(options.rounds):
                with make() as server:
                    figures = fio(options, server, "read", "64k", 8, seconds=5, more=["--ramp_time=2"])
                figures["achieved"], figures["ratio"] = figures["mbps"], figures["mbps"] * 1e6 / limit
                table.add((name, f"{limit // 1_000_000} MB/s"), figures)
    return table


def latency(options):
    table = Table("latency", ["p50_us", "p50_percent_off", "littles_percent", "p99_us"])
    for us in (1_000, 2_000):
        servers = peers(options, [("diskwright", lambda: ours(options, "--null", latency_us=us)),
                                  ("nbdkit delay", lambda: nbdkit(options, "null", str(GIB), f"rdelay={us // 1000}ms", filters=["delay"], threads=128)),
                                  ("qemu latency-ns", lambda: qemu(options, f"{NULL},latency-ns={us * 1000}"))])
        servers.insert(1, ("diskwright, lean client", servers[0][1]))
        for depth, jobs in ((1, 1), (64, 1), (1_024, 1), (256, 4)):
            for name, make in servers:
                if "lean" in name and jobs > 1:
                    continue
                for _ in range(options.rounds):
                    with make() as server:
                        if "lean" in name:
                            figures = lean(options, server, depth)
                        else:
                            figures = fio(options, server, "randread", "4k", depth, jobs, more=["--ramp_time=1"])
                    figures["p50_percent_off"] = (figures["p50_us"] / us - 1) * 100
                    figures["littles_percent"] = figures["iops"] / (depth * jobs * 1e6 / us) * 100
                    table.add((name, f"{us // 1000} ms, depth {depth} x {jobs}"), figures)
    return table


def start(options):
    table = Table("start", ["first_100_ms", "times_the_rate"])
    for limit in (500, 5_000):
        servers = peers(options, [("diskwright", lambda: ours(options, "--null", iops=limit)),
                                  ("nbdkit rate", lambda: nbdkit(options, "null", str(GIB), f"rate={limit * 4096 * 8}", filters=["rate"])),
                                  ("qemu throttle", lambda: qemu(options, NULL, f"limits.iops-total={limit}"))])
        for name, make in servers:
            for _ in range(options.rounds):
                with make() as server:
                    log = os.path.join(server.folder.name, "iops")
                    fio(options, server, "randread", "4k", 32, seconds=1, more=[f"--write_iops_log={log}", "--log_avg_msec=100"])
                    with open(log + "_iops.1.log") as rows:
                        first = int(next(csv.reader(rows))[1]) / 10
                table.add((name, f"{limit} IOPS"), {"first_100_ms": first, "times_the_rate": first / (limit / 10)})
    return table


def waiting(options):
    table = Table("waiting", ["iops", "p50_us", "p99_us", "cpu_s_per_mio"])
    servers = peers(options, [("diskwright", lambda: ours(options, "--null", iops=500)),
                              ("nbdkit rate", lambda: nbdkit(options, "null", str(GIB), f"rate={500 * 4096 * 8}", filters=["rate"])),
                              ("qemu throttle", lambda: qemu(options, NULL, "limits.iops-total=500"))])
    for name, make in servers:
        with make() as server:
            table.add((name, "500 IOPS, 128 waiting"), fio(options, server, "randread", "4k", 32, 4, seconds=20))
    servers = peers(options, [("diskwright", lambda: ours(options, "--null", iops=5_000, latency_us=1_000)),
                              ("qemu throttle", lambda: qemu(options, f"{NULL},latency-ns=1000000", "limits.iops-total=5000"))])
    for name, make in servers:
        with make() as server:
            table.add((name, "5,000 IOPS and 1 ms, depth 1"), fio(options, server, "randread", "4k", 1))
    return table


# (example, job file, which side, I/Os a second that were published)
PUBLISHED = [("ds14-benchmark", "fiowrite.ini", "write", 50_000), ("ds14-benchmark", "fioread.ini", "read", 64_000),
             ("ds14-benchmark", "fioreadwrite.ini", "total", 100_000), ("d8ds-v4-benchmark", "fiowrite.ini", "write", 12_800),
             ("d8ds-v4-benchmark", "fioread.ini", "read", 77_000), ("d8ds-v4-benchmark", "fioreadwrite.ini", "total", 90_000)]


def published(options):
    """The examples' own jobs, on NBD; files as long as the example says, since nothing is stored."""
    table = Table("published", ["iops", "published", "percent_off", "ceiling_iops"])
    free = rig().split("[[volume]]")[0] + "".join(
        f'[[volume]]\nname = "{name}"\ndisks = [{{ size = "1 TiB", latency = {{ read = "1 us", write = "1 us" }} }}]\n'
        for name in ("NoCacheWrites", "CacheReads"))
    for example, job, side, expected in PUBLISHED:
        for _ in range(options.rounds):
            measured = []
            for rig_text in ((ROOT / "examples" / example / "rig.toml").read_text(), free):
                command = [options.diskwright, "emulate", "--quiet", "{folder}/rig.toml", "--null", "--socket", "{socket}"]
                with Server(options, command, rig_text=rig_text) as server:
                    text = (ROOT / "examples" / example / job).read_text()
                    text = text.replace("ioengine=libaio", "ioengine=nbd\nthread\nnorandommap\ntime_based").replace("direct=1", "")
                    text = re.sub("runtime=.*", f"runtime={options.seconds}\nramp_time=1", text)
                    for folder, volume in (("nocache", "NoCacheWrites"), ("readcache", "CacheReads")):
                        text = text.replace(f"directory=/mnt/{folder}", f"uri={server.uri(volume)}")
                    file = pathlib.Path(server.folder.name) / "job.fio"
                    file.write_text(text)
                    document = document_of(run(options, ["fio", "--output-format=json", str(file)]))
                # Not fio's own rate: it divides by a time in which the queue drains after the end, 80 ms of 1,024 requests at 12,800.
                ios = sum(job[way]["total_ios"] for job in document["jobs"] for way in ("read", "write"))
                measured.append(ios / options.seconds)
            iops, ceiling = measured
            table.add(("diskwright", example, job), {"iops": iops, "published": expected, "percent_off": (iops / expected - 1) * 100,
                                                     "ceiling_iops": ceiling})
    return table


def vhost(options):
    """Pairs in turn: each case on one server, then at once on the other."""
    table = Table("vhost", ["iops", "p50_us", "p99_us", "cpu_s_per_mio", "littles_percent"])
    cases = [("read", 4096, 1, 1), ("read", 4096, 32, 1), ("read", 4096, 128, 1), ("read", 4096, 32, 4), ("write", 4096, 32, 1),
             ("read", 262144, 8, 1), ("write", 262144, 8, 1)]
    slow = [("read", 4096, 64, 1), ("read", 4096, 128, 1)]
    for us, cases in ((None, cases), (1_000, slow)):
        node = NULL_ZEROES if us is None else f"{NULL_ZEROES},latency-ns={us * 1000}"
        servers = peers(options, [("diskwright null", lambda: ours_vhost(options, latency_us=us or 1)),
                                  ("qemu null", lambda: qemu_vhost(options, node))])
        running = [(name, make().__enter__()) for name, make in servers]
        for case in cases * options.rounds:
            for name, server in running:
                figures = load_vhost(options, server, *case)
                figures["littles_percent"] = figures["iops"] / (case[2] * case[3] * 1e6 / us) * 100 if us else 0
                table.add((name, "{}-{}-qd{}-q{}".format(*case) + (f", {us} us" if us else "")), figures)
        for _, server in running:
            server.__exit__()
    return table


SECTIONS = {"speed": speed, "rate": rate, "latency": latency, "start": start, "waiting": waiting, "published": published, "vhost": vhost}


def machine():
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
    version = lambda *command: subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[:1]
    tools = [version(*command)[0] for command in (("fio", "--version"), ("nbdkit", "--version"), ("qemu-storage-daemon", "--version"))
             if shutil.which(command[0])]
    commit = version("git", "-C", str(ROOT), "rev-parse", "--short", "HEAD")
    return model, [f"{model}, {os.cpu_count()} cores, kernel {os.uname().release}", "; ".join(tools),
                   f"commit {''.join(commit)}, load {os.getloadavg()[0]:.1f} at the start"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--diskwright", default=str(ROOT / "target/release/diskwright"), help="the program")
    parser.add_argument("--clients", default=str(ROOT / "target/release/examples"), help="the folder of our own clients")
    parser.add_argument("--only", default=",".join(SECTIONS), help="sections, separated by commas")
    parser.add_argument("--seconds", type=int, default=3, help="of a run")
    parser.add_argument("--rounds", type=int, default=3, help="of every case")
    parser.add_argument("--prefix", default="", help="put before servers and clients alike")
    parser.add_argument("--keep", action="store_true", help="leave bench/runs/<date>-<machine>-emulator/")
    options = parser.parse_args()
    if not shutil.which("fio"):
        sys.exit("fio is not installed (scripts/setup-test-tools.sh installs it)")
    model, about = machine()
    if options.prefix:
        about.append(f"servers and clients under `{options.prefix}`")
    tables = [SECTIONS[name](options) for name in options.only.split(",")]
    summary = "# The emulator and its peers, with real fio\n\n" + "".join(f"- {line}\n" for line in about)
    summary += f"- {options.rounds} rounds of {options.seconds} s, medians\n\n" + "\n".join(table.markdown() for table in tables)
    print("\n" + summary)
    if options.keep:
        name = "-".join(re.findall("[a-z0-9]+", model.lower())[:2] + [str(os.cpu_count()), "cores", "emulator"])
        folder = ROOT / "bench/runs" / f"{datetime.date.today()}-{name}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "summary.md").write_text(summary)
        with open(folder / "raw.csv", "w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["section", "server", "case", "figure", "value"])
            for table in tables:
                for row, samples in table.samples.items():
                    rows.writerows((table.title, row[0], " ".join(row[1:]), figure, value) for sample in samples for figure, value in sample.items())
        print(f"kept in {folder}")


if __name__ == "__main__":
    main()
