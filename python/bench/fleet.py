"""How fast an estate is assessed on one machine: VM-days per core-second, where the time goes, beside what only its percentiles cost.

    python python/bench/fleet.py --vms 1000 --days 30 --disks 4 --every 60 --threads 1

The estate is made up once (`diskwright-fleet synth`) and kept under --folder. Yardstick: polars reads the same files and takes p50, p90,
p99 and the maximum of reads and writes of each device, which is less than any checklist. Every line says what was run.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pyarrow as pa

import diskwright as dw
from diskwright import fleet
from diskwright.fleet import _kernel, _layout, local
from diskwright.fleet.__main__ import main as command
from diskwright.fleet._storage import Store


def cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def measured(what: Any) -> tuple[float, float, Any]:
    """Seconds, seconds of processors, result."""
    wall, used = time.perf_counter(), cpu()
    found = what()
    return time.perf_counter() - wall, cpu() - used, found


def percentiles(files: list[str]) -> int:
    """What polars takes for percentiles alone."""
    import polars as pl

    rows = pl.scan_parquet(files, hive_partitioning=False).group_by("vm", "device")
    figures = [
        expression
        for name in ("reads", "writes")
        for expression in (
            *(pl.col(name).quantile(q, interpolation="nearest").alias(f"{name}{q}") for q in (0.5, 0.9, 0.99)),
            pl.col(name).max().alias(f"{name}max"),
        )
    ]
    return rows.agg(figures).collect(engine="streaming").height


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in [("vms", 1000), ("days", 30), ("disks", 4), ("every", 60), ("threads", 1)]:
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--folder", type=Path, help="where the estate is kept (default: a temporary folder)")
    parser.add_argument("--window", action="append", default=[])
    parser.add_argument("--no-documents", action="store_true")
    parser.add_argument("--json", type=Path, help="write the figures")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.folder or Path(temporary)
        if not (folder / "counters").exists():
            sizes = [part for name in ("vms", "days", "disks", "every") for part in (f"--{name}", str(getattr(args, name)))]
            command(["synth", str(folder), *sizes])
        figures = run(args, folder)
    if args.json:
        args.json.write_text(json.dumps(figures, indent=1) + "\n")


def run(args: argparse.Namespace, folder: Path) -> dict[str, float]:
    store = Store.at(folder / "counters")
    files = [store.path(file.name) for file in store.files()]
    size = sum(Path(file).stat().st_size for file in files)
    inventory = local.read_inventory(folder / "inventory.parquet")
    job = fleet.Job(windows=args.window, catalogue=dw.Catalogue.shipped(), documents=not args.no_documents)
    vms, days = len(set(inventory.column("vm").to_pylist())), args.days
    print(f"{vms} VMs x {days} days x {args.disks} disks, every {args.every} s: {size / 1e6:.0f} MB of Parquet in {len(files)} files")
    print(f"job: windows {args.window or 'none'}, documents {not args.no_documents}, {args.threads} threads")

    figures: dict[str, float] = {}
    wall, used, rows = measured(lambda: sum(batch.num_rows for batch in _kernel.read_files(files)))
    figures["scan_s"] = used
    print(f"reading Parquet:          {used:7.2f} core-s, {used / rows * 1e9 / 16:.1f} ns a value of {rows} rows")

    def kernel() -> pa.Table:
        return local.assess(folder / "counters", inventory, job, threads=args.threads)

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    wall, used, results = measured(kernel)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    figures |= {"assess_s": used, "wall_s": wall, "vm_days_per_core_s": vms * days / used}
    planned = sum(status == "planned" for status in results.column("status").to_pylist())
    assert planned == vms, results.column("message").to_pylist()[:3]
    print(f"assess, file lane:        {used:7.2f} core-s ({wall:.2f} s), {planned} planned: {vms * days / used:8.1f} VM-days per core-second")
    print(f"  without reading: {(used - figures['scan_s']) / vms * 1e3:.1f} ms a VM; memory {before / 1024:.0f} -> {peak / 1024:.0f} MB")
    hours = 100_000 * 30 / (vms * days / used) / 3600
    print(f"  estimate for 100,000 VMs x 30 days like these: {hours:.0f} core-hours (an estimate, not a run)")
    # Of a yardstick no thread is hidden: seconds of processors are compared. It comes last, because it keeps every value in memory.
    wall, used, groups = measured(lambda: percentiles(files))
    figures["yardstick_s"] = used
    print(f"polars, percentiles only: {used:7.2f} core-s ({wall:.2f} s), {groups} devices: {vms * days / used:8.1f} VM-days per core-second")
    return figures


if __name__ == "__main__":
    sys.exit(main())
