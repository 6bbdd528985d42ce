"""Ray gives what this machine alone gives, on two nodes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa

from diskwright import fleet
from diskwright.fleet import _layout
from diskwright.fleet._storage import Store

from .conftest import HERE, JOB, same, same_findings, tool

#: It stays on the loopback, tells nobody, and gives no agents and dashboards a core.
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0", "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_DATA_DISABLE_PROGRESS_BARS": "1",
    "RAY_DISABLE_IMPORT_WARNING": "1", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}  # fmt: skip


def drive(place: Path, steps: list[dict[str, Any]], timeout: float = 1200) -> None:
    (packages,) = tool("python/installed", "Ray").parent.glob("lib/python3*/site-packages")
    file = place / f"asked-{time.monotonic_ns()}.json"
    file.write_text(json.dumps(steps))
    path = os.pathsep.join(filter(None, [str(packages), os.environ.get("PYTHONPATH")]))
    driven = subprocess.run(
        [sys.executable, str(HERE / "drive_ray.py"), str(file)], cwd=place, timeout=timeout, capture_output=True, text=True,
        env={**os.environ, **QUIET, "PYTHONPATH": path},
    )  # fmt: skip
    assert driven.returncode == 0, (driven.stdout + driven.stderr)[-6000:]


def test_ray_gives_the_bytes_of_one_machine(
    tmp_path: Path, estate: SimpleNamespace, job: fleet.Job, expected: pa.Table, inventories: list[str]
) -> None:
    def step(do: str, **more: Any) -> dict[str, Any]:
        to = str(tmp_path / f"{do}-{time.monotonic_ns()}")
        return {"do": do, "source": estate.counters, "inventory": estate.inventory, "job": JOB, "to": to, **more}

    # Results of another engine count: a bucket is known by what it was made from.
    begun = Store.at(tmp_path / "begun")
    fleet.local.assess(estate.counters, estate.inventory, job, out=begun.place)
    names = sorted(path.name for path in (tmp_path / "begun").glob("bucket-*"))
    for name in names[:2]:
        begun.delete(name)
    left = {name: (tmp_path / "begun" / name).stat().st_mtime_ns for name in names[2:]}

    probe = step("probe")
    refuse = step("refuse")
    rows = step("assess", lane="rows", source=estate.shuffled, partitions=3)
    files = step("assess", lane="files")
    resumed = step("run", out=begun.place, resume=True)
    killed = step("run", out=str(tmp_path / "killed"), kill=True)
    loose = step("run", out=str(tmp_path / "loose"), source=estate.shuffled)
    audit = step("audit", files=inventories, partitions=3)
    drive(tmp_path, [probe, refuse, rows, files, resumed, killed, loose, audit])

    assert len(set(said(probe))) == 2, "work is done on two nodes"
    assert "noon" in said(refuse)["of_job"] and not Path(refuse["to"] + "-nowhere").exists()
    text = said(refuse)["said"]
    assert "column `writes` is missing" in text and "column `reads` is double, not int64" in text, text
    with pa.memory_map(audit["to"]) as file:
        same_findings(pa.ipc.open_file(file).read_all(), fleet.local.audit(inventories))
    for asked in (rows, files):
        with pa.memory_map(asked["to"]) as file:
            same(pa.ipc.open_file(file).read_all(), expected)
    for asked in (resumed, killed, loose):
        same(_layout.read_results(Store.at(asked["out"])), expected)
    assert said(killed) == {"vms": expected.num_rows, "killed": 1}
    assert said(loose)["vms"] == expected.num_rows
    assert said(resumed)["vms"] <= 4, "two buckets were left"
    assert {name: (tmp_path / "begun" / name).stat().st_mtime_ns for name in names[2:]} == left


def said(step: dict[str, Any]) -> Any:
    return json.loads(Path(step["to"]).read_text())
