"""How the file lane scales from one executor to two, and what memory each worker takes as the estate grows.

    PYTHONPATH=python/tests python -m fleet_engines.bench_spark --vms 100 200 --days 7

Each run is a driver of its own; its time is that of `fleet.spark.run` alone, without the start of Spark; a first run of a few VMs starts the workers.
Run by hand, on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from diskwright.fleet._storage import Store
from diskwright.fleet._synth import synth

from .processes import descendants


def estate(place: Path, vms: int, days: int, every: int) -> SimpleNamespace:
    synth(Store.at(place), vms=vms, days=days, disks=4, every=every)
    return SimpleNamespace(counters=str(place / "counters"), inventory=str(place / "inventory.parquet"), vms=vms, days=days)


def measure(spark: Any, small: SimpleNamespace, large: SimpleNamespace, executors: int) -> dict[str, Any]:
    """VM-days per second of `large`, and the most memory that a Python worker of an executor took."""
    conf = {"spark.task.maxFailures": "1"}
    steps = [spark.step("run", of, out=str(spark.place / f"results-{executors}-{of.vms}")) for of in (small, large)]
    driver = spark.start(steps, master=f"local-cluster[{executors},1,1024]", conf=conf)
    most = 0
    while driver.poll() is None:
        for pid, line in descendants(driver.pid):
            if "pyspark.daemon" in line:
                most = max(most, peak(pid))
        time.sleep(0.2)
    assert driver.returncode == 0, spark.log.read_text(errors="replace")[-3000:]
    said = json.loads(Path(steps[1]["to"]).read_text())
    assert said["vms"] == large.vms
    return {"executors": executors, "vms": large.vms, "seconds": round(said["seconds"], 2), "vm_days_per_s": round(large.vms * large.days / said["seconds"], 1), "worker_mib": most >> 20}


def peak(pid: int) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmHWM:")), 0)


def main() -> None:
    from .test_spark import Spark

    parser = argparse.ArgumentParser()
    parser.add_argument("--vms", type=int, nargs="+", default=[100, 200])
    parser.add_argument("--days", type=int, default=7)
    parser.add_argument("--every", type=int, default=60)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        small = estate(place / "small", 8, 1, 600)
        for vms in args.vms:
            large = estate(place / f"vms-{vms}", vms, args.days, args.every)
            for executors in (1, 2):
                work = place / f"spark-{vms}-{executors}"
                work.mkdir()
                print(json.dumps({**measure(Spark("4", sys.executable, work), small, large, executors), "rows": vms * args.days * 4 * 86400 // args.every}), flush=True)


if __name__ == "__main__":
    main()
