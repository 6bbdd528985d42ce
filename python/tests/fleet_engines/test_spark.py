"""Spark gives what this machine alone gives, whatever the partitions, and whatever ends on the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from diskwright import fleet
from diskwright.fleet import _layout
from diskwright.fleet._storage import Store

from .conftest import HERE, JOB, same, same_findings, tool
from .processes import descendants


class Spark:
    """Drivers of one series of Spark."""

    def __init__(self, series: str, worker: str, place: Path) -> None:
        self.spark, self.worker, self.place = tool(f"spark-{series}/installed", f"Spark {series}", "java").parent, worker, place
        # What a cluster leaves on its disk goes to the test's folder.
        self.home = place / "home"
        if not self.home.exists():
            self.home.mkdir()
            for part in (self.spark / "pyspark").iterdir():
                if part.name != "work":
                    (self.home / part.name).symlink_to(part)

    def start(self, steps: list[dict[str, Any]], **more: Any) -> subprocess.Popen[bytes]:
        asked = {"spark": str(self.spark), "home": str(self.home), "worker": self.worker, "steps": steps, **more}
        file = self.place / f"asked-{time.monotonic_ns()}.json"
        file.write_text(json.dumps(asked))
        self.log = file.with_suffix(".log")
        with open(self.log, "wb") as log:
            return subprocess.Popen([sys.executable, str(HERE / "drive_spark.py"), str(file)], stdout=log, stderr=log, cwd=self.place)

    def drive(self, steps: list[dict[str, Any]], timeout: float = 1200, **more: Any) -> None:
        driver = self.start(steps, **more)
        try:
            code = driver.wait(timeout)
        finally:
            if driver.poll() is None:
                end(driver.pid)
        assert code == 0, self.log.read_text(errors="replace")[-6000:]

    def step(self, do: str, estate: SimpleNamespace, **more: Any) -> dict[str, Any]:
        to = str(self.place / f"{do}-{time.monotonic_ns()}")
        return {"do": do, "source": estate.counters, "inventory": estate.inventory, "job": JOB, "to": to, **more}


def table(step: dict[str, Any]) -> pa.Table:
    with pa.memory_map(step["to"]) as file:
        return pa.ipc.open_file(file).read_all()


def said(step: dict[str, Any]) -> Any:
    return json.loads(Path(step["to"]).read_text())


def end(pid: int) -> None:
    """Ends a driver and what it started."""
    for process in [*(child for child, _ in descendants(pid)), pid]:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass


def wait_for(what: Any, driver: subprocess.Popen[bytes], log: Path, seconds: float = 900) -> Any:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if found := what():
            return found
        assert driver.poll() is None, f"it ended early\n{log.read_text(errors='replace')[-6000:]}"
        time.sleep(0.05)
    raise AssertionError(f"not within {seconds} s\n{log.read_text(errors='replace')[-6000:]}")


@pytest.fixture(params=["4", pytest.param("3.5", marks=pytest.mark.full)])
def spark(request: pytest.FixtureRequest, worker: str, tmp_path: Path) -> Spark:
    return Spark(request.param, worker, tmp_path)


def test_spark_gives_the_bytes_of_one_machine(
    spark: Spark, estate: SimpleNamespace, expected: pa.Table, inventories: list[str]
) -> None:
    probe = spark.step("probe", estate)
    refuse = spark.step("refuse", estate)
    rows = spark.step("assess", estate, lane="rows", source=estate.shuffled, partitions=7)
    files = spark.step("assess", estate, lane="files")
    run = spark.step("run", estate, source=estate.shuffled, out=str(spark.place / "results"))
    audits = [spark.step("audit", estate, files=inventories, partitions=parts) for parts in (1, 5)]
    spark.drive([probe, refuse, rows, files, run, *audits])

    for audit in audits:
        same_findings(table(audit), fleet.local.audit(inventories))

    *workers, driver = said(probe)
    assert len({row["parent"] for row in workers}) == 2, "two executors, each with processes of its own"
    assert driver["driver"] not in {row["process"] for row in workers}
    assert {row["has"] for row in workers} == {"diskwright pyarrow"}, "only the wheel and pyarrow"

    assert said(refuse)["jobs"] == 0, "refused before a job starts"
    assert "noon" in said(refuse)["of_job"] and not Path(refuse["to"] + "-nowhere").exists()
    text = said(refuse)["said"]
    assert "column `writes` is missing" in text and "column `reads` is double, not int64" in text, text
    assert "expected" in text and "found" in text, text

    same(table(rows), expected)
    same(table(files), expected)
    same(_layout.read_results(Store.at(run["out"])), expected)
    assert said(run)["vms"] == expected.num_rows
    assert said(run)["told"][-1][:2] == [len(set(expected["vm_bucket"].to_pylist()))] * 2


@pytest.mark.full
def test_partitions_say_nothing(spark: Spark, estate: SimpleNamespace, expected: pa.Table) -> None:
    steps = [spark.step("assess", estate, lane="rows", source=source, partitions=n) for n in (1, 7, 64) for source in (estate.counters, estate.shuffled)]
    spark.drive(steps, timeout=1800)
    for step in steps:
        same(table(step), expected)


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> SimpleNamespace:
    """An estate that takes long enough to be stopped on the way."""
    from diskwright.fleet._synth import synth

    place = tmp_path_factory.mktemp("long")
    synth(Store.at(place), vms=60, days=1, disks=4, every=300, faults=True)
    return SimpleNamespace(counters=str(place / "counters"), inventory=str(place / "inventory.parquet"))


@pytest.fixture(scope="module")
def long_expected(long: SimpleNamespace, job: fleet.Job) -> pa.Table:
    return fleet.local.assess(long.counters, long.inventory, job, threads=2)


def results_in(out: str) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in Path(out).glob("bucket-*.parquet")}


@pytest.mark.full
def test_an_executor_that_is_killed_loses_nothing(spark: Spark, long: SimpleNamespace, long_expected: pa.Table) -> None:
    step = spark.step("run", long, out=str(spark.place / "results"))
    driver = spark.start([step])
    try:
        wait_for(lambda: len(results_in(step["out"])) >= 5, driver, spark.log)
        executors = [pid for pid, line in descendants(driver.pid) if "CoarseGrainedExecutorBackend" in line]
        assert len(executors) == 2, executors
        os.kill(executors[0], signal.SIGKILL)
        assert driver.wait(1800) == 0, spark.log.read_text(errors="replace")[-6000:]
    finally:
        if driver.poll() is None:
            end(driver.pid)
    same(_layout.read_results(Store.at(step["out"])), long_expected)
    assert len(results_in(step["out"])) == len(set(long_expected["vm_bucket"].to_pylist()))


@pytest.mark.full
@pytest.mark.parametrize("lane", ["files", "rows"])
def test_a_driver_that_is_killed_is_resumed(spark: Spark, long: SimpleNamespace, long_expected: pa.Table, lane: str, tmp_path: Path) -> None:
    from .conftest import shuffled

    source = long.counters if lane == "files" else shuffled(Path(long.counters), tmp_path / "shuffled")
    step = spark.step("run", long, source=source, out=str(spark.place / "results"))
    driver = spark.start([step])
    try:
        wait_for(lambda: len(results_in(step["out"])) >= 5, driver, spark.log)
    finally:
        end(driver.pid)
        driver.wait()
    time.sleep(1)
    before = results_in(step["out"])
    buckets = len(set(long_expected["vm_bucket"].to_pylist()))
    assert 5 <= len(before) < buckets, "stopped on the way"

    again = spark.step("run", long, source=source, out=step["out"], resume=True)
    spark.drive([again])
    after = results_in(step["out"])
    assert before.items() <= after.items(), "what was complete is not worked on again"
    same(_layout.read_results(Store.at(step["out"])), long_expected)
    assert said(again)["vms"] == long_expected.num_rows - _vms_of(before, long_expected)


@pytest.fixture(scope="module")
def skewed(tmp_path_factory: pytest.TempPathFactory) -> SimpleNamespace:
    """Forty small VMs, and one with 64 disks at a second for six hours: 1.4 million rows, 99 of 100 of all."""
    import datetime

    import pyarrow.parquet as pq

    from diskwright._native import FleetSynth
    from diskwright.fleet._synth import synth

    place = tmp_path_factory.mktemp("skewed")
    synth(Store.at(place), vms=40, days=1, disks=2, every=300)
    large = FleetSynth(vms=1, days=1, disks=64, every_s=1, seed=2, faults=False)
    named = lambda table: table.set_column(0, "vm", pa.array(["large"] * table.num_rows, pa.string()))  # noqa: E731
    rows = named(pa.table(large.counters(0)))
    rows = rows.filter(pc.less_equal(rows["ts"], pa.scalar(rows["ts"][0].as_py() + datetime.timedelta(hours=6), rows["ts"].type)))
    fleet.local.write_counters(Store.at(place / "counters"), _layout.bucket("large"), rows)
    # Its bucket has nobody else: a file of a bucket has its VMs in order.
    small = fleet.local.read_inventory(str(place / "inventory.parquet"))
    assert _layout.bucket("large") not in {_layout.bucket(vm) for vm in small["vm"].to_pylist()}
    pq.write_table(pa.concat_tables([small, named(pa.table(large.inventory())).cast(small.schema)]), place / "inventory.parquet")
    return SimpleNamespace(counters=str(place / "counters"), inventory=str(place / "inventory.parquet"))


@pytest.mark.full
@pytest.mark.parametrize("lane", ["files", "rows"])
def test_one_large_vm_says_nothing_of_small_ones(spark: Spark, skewed: SimpleNamespace, job: fleet.Job, lane: str) -> None:
    step = spark.step("assess", skewed, lane=lane, partitions=4)
    spark.drive([step], timeout=1800)
    same(table(step), fleet.local.assess(skewed.counters, skewed.inventory, job, threads=1))


def _vms_of(names: dict[str, int], rows: pa.Table) -> int:
    buckets = {int(name.split("-")[1]) for name in names}
    return sum(bucket in buckets for bucket in rows["vm_bucket"].to_pylist())
