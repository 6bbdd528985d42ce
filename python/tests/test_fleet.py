"""An estate is planned VM by VM: each as the program alone plans it, whatever the batches, threads and neighbours."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Iterator

import pytest

pa = pytest.importorskip("pyarrow")

import pyarrow.compute as pc  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402

import diskwright as dw  # noqa: E402
from diskwright import fleet  # noqa: E402
from diskwright.fleet import _convert, _kernel, _layout, local  # noqa: E402
from diskwright.fleet.__main__ import main as command  # noqa: E402
from diskwright.fleet._storage import Store  # noqa: E402

FAULTS = {
    "vm-counter-reset": ("planned", "counter_reset"),
    "vm-clock-jump": ("planned", "clock_jump"),
    "vm-no-interval": ("failed", "no_interval"),
    "vm-no-inventory": ("failed", "no_inventory"),
    "vm-no-counters": ("failed", "no_counters"),
    "vm-unknown-device": ("failed", "unknown_device"),
    "vm-inventory": ("failed", "inventory"),
    "vm-infeasible": ("infeasible", "infeasible"),
    "vm-demand": ("failed", "demand"),
}


class Estate:
    def __init__(self, folder: Path) -> None:
        self.counters, self.inventory = folder / "counters", folder / "inventory.parquet"
        self.expected = pq.read_table(folder / "expected.parquet").to_pylist()

    def table(self) -> Any:
        files = sorted(self.counters.rglob("*.parquet"))
        return pa.concat_tables([pa.Table.from_batches(list(_kernel.rows_of(str(file)))) for file in files])


@pytest.fixture(scope="session")
def estate(tmp_path_factory: pytest.TempPathFactory) -> Estate:
    folder = tmp_path_factory.mktemp("estate")
    assert command(["synth", str(folder), "--vms", "4", "--days", "1", "--disks", "3", "--faults"]) == 0
    return Estate(folder)


@pytest.fixture(scope="session")
def job() -> fleet.Job:
    return fleet.Job(windows=["load"], plan={"percentile": 99}, catalogue=dw.Catalogue.shipped())


@pytest.fixture(scope="session")
def results(estate: Estate, job: fleet.Job) -> Any:
    return local.assess(estate.counters, estate.inventory, job, threads=2)


def assessed(batches: Any, estate: Estate, job: fleet.Job) -> Any:
    """Rows of a stream, in the order of bucket and VM."""
    inventory = local.read_inventory(estate.inventory)
    rows = list(_kernel.assess_arrow(batches, inventory, job.to_json()))
    table = pa.Table.from_batches(rows, fleet.RESULT_SCHEMA)
    return table.sort_by([("vm_bucket", "ascending"), ("vm", "ascending")])


def with_counters(results: Any) -> Any:
    return results.filter(pc.not_equal(results["vm"], "vm-no-counters"))


def same(a: Any, b: Any) -> bool:
    return bool(a.combine_chunks().equals(b.combine_chunks()))


def test_each_row_is_what_the_program_says_of_that_vm_alone(
    estate: Estate, job: fleet.Job, results: Any, tmp_path: Path
) -> None:
    rows = {row["vm"]: row for row in results.to_pylist()}
    for vm in ("vm-000000", "vm-counter-reset"):
        row = rows[vm]
        inventory = local.read_inventory(estate.inventory)
        rows_of_it, volumes = _convert.export(Store.at(estate.counters), vm, str(tmp_path / vm), inventory)
        assert (rows_of_it, volumes) == (4320, ["--volume", "data=disk00,disk01", "--volume", "log=disk02"])
        observe = ["observe", vm, *volumes, "--window", "load", "--quiet"]
        assert program(*observe, "--format", "json", cwd=tmp_path) == row["checklist_json"] + "\n"
        # What the program needs of the inventory, in its own words.
        seen = program(*observe, "--format", "toml", cwd=tmp_path)
        keys = f'percentile = 99\nvcpu_min = 4\nmemory_min = "{16 << 30} B"\nregion = "eastus"\n'
        seen = with_keys(seen, keys)
        (tmp_path / "requirements.toml").write_text(seen)
        plan = program("plan", "requirements.toml", "--no-simulate", "--no-choices", "--format", "json", cwd=tmp_path)
        assert plan == row["plan_json"] + "\n"
        document = json.loads(plan)
        assert row["vm_size"] == document["plan"]["vm"]
        assert row["monthly_micros"] == round(document["plan"]["monthly"] * 1e6)


def with_keys(toml: str, plan: str) -> str:
    """Requirements with keys of `[plan]` and of each volume, as a person writes them; slower than recorded is fast enough."""
    of_volume = {"data": f'role = "data"\ncapacity = "{512 << 30} B"', "log": f'role = "log"\ncapacity = "{64 << 30} B"'}
    lines = []
    for line in toml.splitlines():
        if "_latency_max = " not in line:
            lines.append(line)
        if line == "[plan]":
            lines.append(plan)
        lines += [keys for name, keys in of_volume.items() if line == f'name = "{name}"']
    return "\n".join(lines) + "\n"


def program(*arguments: str, cwd: Path) -> str:
    environment = {**os.environ, "DISKWRIGHT_CATALOGUE": "none"}
    done = subprocess.run(
        [sys.executable, "-m", "diskwright", *arguments], capture_output=True, text=True, cwd=cwd, env=environment
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_percentiles_are_those_that_the_estate_was_made_with(estate: Estate, results: Any) -> None:
    rows = {row["vm"]: row for row in results.to_pylist()}
    looked_at = 0
    for expected in estate.expected:
        if expected["code"] is not None:
            continue
        document = json.loads(rows[expected["vm"]]["checklist_json"])
        volume = next(volume for volume in document["volumes"] if volume["name"] == expected["volume"])
        whole = next(window for window in volume["windows"] if window["window"] == "whole")
        iops = next(row for row in whole["rows"] if row["row"] == "iops")
        found = [iops["p50"]["value"], iops["p90"]["value"], iops["p99"]["value"], iops["max"]]
        known = [expected[f"iops_{level}"] for level in ("p50", "p90", "p99", "max")]
        assert found == pytest.approx(known, rel=1e-9), expected["vm"]
        looked_at += 1
    assert looked_at == 8


def test_faults_are_rows_with_their_codes_and_others_are_unaffected(estate: Estate, results: Any) -> None:
    rows = {row["vm"]: row for row in results.to_pylist()}
    assert len(rows) == 13
    for vm, (status, code) in FAULTS.items():
        row = rows[vm]
        assert (row["status"], row["code"]) == (status, code), row["message"]
        assert row["message"] and (row["vm_size"] is not None) == (status == "planned")
    for vm in (f"vm-{index:06}" for index in range(4)):
        row = rows[vm]
        assert (row["status"], row["code"], row["rows_used"], row["rows_dropped"]) == ("planned", None, 4320, 0)
        assert row["vm_size"].startswith("Standard_") and row["monthly_micros"] > 0 and row["headroom_ppm"] > 0
    assert (rows["vm-counter-reset"]["rows_dropped"], rows["vm-clock-jump"]["rows_dropped"]) == (3, 3)


@pytest.mark.parametrize("how", ["7 partitions", "64 partitions", "a batch a row", "1 thread", "shuffled"])
def test_results_do_not_depend_on_how_the_work_is_cut(
    estate: Estate, job: fleet.Job, results: Any, how: str
) -> None:
    table = estate.table()
    if how.endswith("partitions"):
        parts: dict[int, list[Any]] = {}
        for vm in table["vm"].unique().to_pylist():
            part = parts.setdefault(_layout.bucket(vm) % int(how.split()[0]), [])
            part.append(table.filter(pc.equal(table["vm"], vm)))
        done = [assessed(pa.concat_tables(part).sort_by("vm").to_batches(), estate, job) for part in parts.values()]
        found = pa.concat_tables(done).sort_by([("vm_bucket", "ascending"), ("vm", "ascending")])
        assert same(found, with_counters(results))
    elif how == "a batch a row":
        some = table.filter(pc.is_in(table["vm"], pa.array(["vm-000000", "vm-000001", "vm-counter-reset"])))
        some = some.sort_by([("vm", "ascending"), ("ts", "ascending"), ("device", "ascending")])
        cuts = random.Random(1)

        def cut() -> Iterator[Any]:
            start = 0
            while start < some.num_rows:
                length = cuts.choice([1, 2, 997, 5_000])
                yield from some.slice(start, length).combine_chunks().to_batches()
                start += length

        found = assessed(cut(), estate, job)
        assert same(found, results.filter(pc.is_in(results["vm"], found["vm"])))
    elif how == "1 thread":
        assert same(local.assess(estate.counters, estate.inventory, job, threads=1), results)
    else:
        order = list(range(table.num_rows))
        random.Random(2).shuffle(order)
        found = local.assess(table.take(order), estate.inventory, job, threads=2)
        # Equal stamps of the clock that jumped have no order of their own, and their rows are the same.
        assert same(found, results)


def test_a_fault_of_the_program_is_one_vms(estate: Estate, job: fleet.Job, results: Any) -> None:
    document = json.loads(job.to_json())
    document["_panic"] = "vm-000001"
    inventory = local.read_inventory(estate.inventory)
    batches = estate.table().sort_by([("vm", "ascending"), ("ts", "ascending"), ("device", "ascending")])
    some = batches.filter(pc.is_in(batches["vm"], pa.array(["vm-000000", "vm-000001", "vm-000002"])))
    rows = [row for batch in _kernel.assess_arrow(some.to_batches(), inventory, json.dumps(document)) for row in batch.to_pylist()]
    by_name = {row["vm"]: row for row in results.to_pylist()}
    assert [(row["vm"], row["code"]) for row in rows] == [("vm-000000", None), ("vm-000001", "unexpected"), ("vm-000002", None)]
    assert "a fault on purpose" in rows[1]["message"]
    assert rows[0] == by_name["vm-000000"] and rows[2] == by_name["vm-000002"]


def test_files_of_days_are_one_vm(estate: Estate, job: fleet.Job, results: Any, tmp_path: Path) -> None:
    table = estate.table().filter(pc.equal(estate.table()["vm"], "vm-000000"))
    middle = table.num_rows // 2 // 3 * 3
    paths = []
    for name, part in [("b", table.slice(0, middle)), ("a", table.slice(middle))]:
        paths.append(str(tmp_path / f"{name}.parquet"))
        pq.write_table(part, paths[-1])
    inventory = local.read_inventory(estate.inventory)
    rows = [row for batch in _kernel.assess_files(paths, inventory, job.to_json()) for row in batch.to_pylist()]
    assert rows == results.filter(pc.equal(results["vm"], "vm-000000")).to_pylist()


@pytest.mark.parametrize(
    "change, said",
    [
        (lambda t: t.drop_columns(["span_ns"]), "column `span_ns` is missing"),
        (lambda t: t.set_column(4, "reads", t["reads"].cast(pa.float64())), "column `reads` is double, not int64 (deltas are whole numbers)"),
        (lambda t: t.set_column(2, "ts", t["ts"].cast(pa.timestamp("us"))), "not timestamp[us, tz=UTC] (add its time zone)"),
        (lambda t: t.set_column(2, "ts", t["ts"].cast(pa.int64())), "column `ts` is int64"),
        (lambda t: t.append_column("memory_used", pa.array(["1"] * t.num_rows)), "column `memory_used` is string, not int64"),
    ],
)  # fmt: skip
def test_a_table_of_another_schema_is_refused_before_the_job_starts(
    estate: Estate, job: fleet.Job, tmp_path: Path, change: Any, said: str
) -> None:
    table = change(estate.table().slice(0, 30))
    with pytest.raises(fleet.SchemaError) as refused:
        local.assess(table, estate.inventory, job)
    assert said in str(refused.value) and "expected" in str(refused.value) and "found" in str(refused.value)
    (tmp_path / "counters").mkdir()
    pq.write_table(table, tmp_path / "counters" / "a.parquet")
    arguments = ["assess", str(tmp_path / "counters"), "--inventory", str(estate.inventory), "--out", str(tmp_path / "out")]
    assert command(arguments) == 3
    assert not (tmp_path / "out").exists(), "nothing was written"


@pytest.mark.parametrize(
    "settings, said",
    [
        ({"windows": ["noon"]}, "`windows`: `noon` is not a valid window"),
        ({"window": "peak"}, "unknown window `peak` to plan for"),
        ({"plan": {"percentil": 95}}, "`plan`: unknown key `percentil`"),
        ({"plan": {"percentile": 195}}, "`plan`: "),
        ({"growth": -1.0}, "`growth` is -1"),
    ],
)
def test_a_job_that_every_vm_would_fail_by_is_refused(estate: Estate, settings: dict[str, Any], said: str) -> None:
    with pytest.raises(dw.Error) as refused:
        local.assess(estate.counters, estate.inventory, fleet.Job(**settings))
    assert refused.value.kind == "usage" and refused.value.what.startswith(said), refused.value


@pytest.mark.parametrize(
    "change, status, code",
    [
        ({"region": "atlantis"}, "failed", "no_price"),
        ({"capacity_bytes": 1 << 52}, "infeasible", "infeasible"),
        ({"vcpu": 10_000}, "infeasible", "infeasible"),
    ],
)
def test_a_demand_that_cannot_be_met_is_a_row(
    estate: Estate, job: fleet.Job, change: dict[str, Any], status: str, code: str
) -> None:
    rows = [{**row, **change} for row in pq.read_table(estate.inventory).to_pylist() if row["vm"] == "vm-000000"]
    inventory = pa.Table.from_pylist(rows, fleet.INVENTORY_SCHEMA)
    counters = estate.table().filter(pc.equal(estate.table()["vm"], "vm-000000"))
    (row,) = local.assess(counters, inventory, job).to_pylist()
    assert (row["status"], row["code"]) == (status, code) and row["message"], row["message"]


def test_types_that_hold_the_same_are_taken(estate: Estate, job: fleet.Job, results: Any) -> None:
    table = estate.table().filter(pc.equal(estate.table()["vm"], "vm-000000"))
    table = table.set_column(0, "vm", table["vm"].cast(pa.large_string()))
    table = table.set_column(1, "device", table["device"].dictionary_encode())
    table = table.set_column(2, "ts", table["ts"].cast(pa.timestamp("ns", tz="Europe/Berlin")))
    table = table.set_column(14, "flushes", table["flushes"].cast(pa.int16()))
    found = assessed(table.to_batches(), estate, job)
    assert same(found, results.filter(pc.equal(results["vm"], "vm-000000")))


def test_rows_out_of_order_are_a_row(estate: Estate, job: fleet.Job) -> None:
    table = estate.table().filter(pc.equal(estate.table()["vm"], "vm-000000"))
    turned = table.take(list(range(table.num_rows))[::-1]).combine_chunks()
    (row,) = assessed(turned.to_batches(), estate, job).to_pylist()
    assert (row["status"], row["code"]) == ("failed", "unsorted") and "sorted by vm, ts, device" in row["message"]


def test_what_is_no_table_is_refused_by_its_type(estate: Estate, job: fleet.Job) -> None:
    with pytest.raises(TypeError, match="set is no table: give a path, a table"):
        local.assess({1}, estate.inventory, job)


@pytest.mark.parametrize("engine", ["spark", "ray"])
def test_an_engine_that_is_not_there_is_asked_for(estate: Estate, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any, engine: str) -> None:
    monkeypatch.setitem(sys.modules, "pyspark" if engine == "spark" else "ray", None)
    arguments = ["assess", str(estate.counters), "--inventory", str(estate.inventory), "--out", str(tmp_path / "out"), "--engine", engine]
    assert command(arguments) == 2
    assert f"pip install 'diskwright[{engine}]'" in capsys.readouterr().err


def without_vms(results: Any, vms: set[str]) -> Any:
    return results.filter(pc.invert(pc.is_in(results["vm"], pa.array(sorted(vms), pa.string()))))


@pytest.mark.parametrize("fault", ["cut", "zeroed", "no footer", "another hash", "vm out of order", "nobody"])
def test_a_bad_file_is_a_row(estate: Estate, job: fleet.Job, results: Any, tmp_path: Path, fault: str) -> None:
    counters = tmp_path / "counters"
    shutil.copytree(estate.counters, counters)
    vm = "vm-000001"
    file = counters / f"vm_bucket={_layout.bucket(vm):04}" / "part-0.parquet"
    table = pa.Table.from_batches(list(_kernel.rows_of(str(file))))
    spoiled, code = {vm}, "unreadable"
    if fault == "cut":
        data = file.read_bytes()
        file.write_bytes(data[: len(data) // 2])
    elif fault == "no footer":
        file.write_bytes(b"PAR1 this is no table PAR1")
    elif fault == "zeroed":
        start = pq.read_metadata(file).row_group(0).column(5).data_page_offset
        data = bytearray(file.read_bytes())
        data[start : start + 100] = bytes(100)
        file.write_bytes(data)
    elif fault == "another hash":
        # All is as it must be but the folder: then it is no layout, and is laid out first.
        spoiled = set()
        shutil.move(file.parent, counters / "vm_bucket=1023")
    elif fault == "vm out of order":
        code = "unsorted"
        middle = table.num_rows // 2
        # One of the same bucket that should stand before.
        other = next(name for name in (f"vm-0-{n}" for n in range(1 << 20)) if _layout.bucket(name) == _layout.bucket(vm))
        rows_of_it = table.slice(middle, 3).set_column(0, "vm", pa.array([other] * 3))
        pq.write_table(pa.concat_tables([table.slice(0, middle), rows_of_it, table.slice(middle)]), file)
        spoiled = {vm, other}
    else:
        names = pa.array([None if row < 5 else vm for row in range(table.num_rows)])
        pq.write_table(table.set_column(0, "vm", names), file)
        spoiled, code = {vm, ""}, "no_vm"
    found = local.assess(counters, estate.inventory, job, threads=2)
    rows = {row["vm"]: row for row in found.to_pylist()}
    assert same(without_vms(found, spoiled), without_vms(results, spoiled)), "nobody else is any different"
    if fault == "nobody":
        assert (rows[""]["code"], rows[""]["rows_dropped"], rows[vm]["status"]) == ("no_vm", 5, "planned")
        return
    for name in spoiled:
        assert (rows[name]["status"], rows[name]["code"]) == ("failed", code), rows[name]
        assert str(file) in rows[name]["message"]


def test_of_files_in_no_layout_one_that_cannot_be_read_is_a_row(estate: Estate, job: fleet.Job, results: Any, tmp_path: Path) -> None:
    for file in estate.counters.rglob("*.parquet"):
        shutil.copy(file, tmp_path / f"{file.parent.name[-4:]}.parquet")
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"PAR1 this is no table PAR1")
    found = local.assess(tmp_path, estate.inventory, job, threads=2)
    (row,) = [row for row in found.to_pylist() if row["vm"] == str(broken)]
    assert row["code"] == "unreadable" and str(broken) in row["message"]
    assert same(without_vms(found, {str(broken)}), results)


def test_results_in_a_folder_are_not_read_back(estate: Estate, job: fleet.Job, results: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(_layout, "read_results", None)
    found = local.assess(estate.counters, estate.inventory, job, out=tmp_path / "out")
    assert not isinstance(found, pa.Table)
    assert same(found.to_table().sort_by([("vm_bucket", "ascending"), ("vm", "ascending")]), results)


@pytest.mark.parametrize("how", ["a file", "a pattern", "few columns", "polars", "a lazy frame", "a dataset", "dicts", "csv", "json", "lines"])
def test_what_an_estate_has_is_taken(estate: Estate, job: fleet.Job, results: Any, tmp_path: Path, how: str) -> None:
    vm = "vm-000000"
    known = results.filter(pc.equal(results["vm"], vm))
    bucket = f"vm_bucket={_layout.bucket(vm):04}"
    source: Any = estate.counters / bucket / "part-0.parquet"
    inventory: Any = estate.inventory
    rows = [row for row in pq.read_table(inventory).to_pylist() if row["vm"] == vm]
    if how == "a pattern":
        source = f"{estate.counters}/vm_bucket={_layout.bucket(vm):03}*/*.parquet" if _layout.bucket(vm) > 999 else f"{estate.counters}/{bucket}/*.parquet"
    elif how == "few columns":
        # Those of the guide's KQL for VM insights.
        names = ["vm", "device", "ts", "span_ns", "statistic", "reads", "writes", "read_bytes", "write_bytes", "read_time_ns", "write_time_ns"]
        source = pq.read_table(source).select(names)
        known = None
    elif how == "polars":
        polars = pytest.importorskip("polars")
        frame = polars.from_arrow(pq.read_table(source))
        source = frame.with_columns(polars.col("vm", "device").cast(polars.Categorical))
    elif how == "a lazy frame":
        source = pytest.importorskip("polars").from_arrow(pq.read_table(source)).lazy()
    elif how == "a dataset":
        source = pytest.importorskip("pyarrow.dataset").dataset(source)
    elif how == "dicts":
        inventory = rows
    elif how == "csv":
        inventory = tmp_path / "inventory.csv"
        lines = [",".join(rows[0])]
        lines += [",".join("" if value is None else ";".join(value) if isinstance(value, list) else str(value) for value in row.values()) for row in rows]
        inventory.write_text("\n".join(lines) + "\n")
    elif how in ("json", "lines"):
        inventory = tmp_path / "inventory.json"
        inventory.write_text(json.dumps(rows) if how == "json" else "\n".join(map(json.dumps, rows)))
    found = local.assess(source, inventory, job, threads=1)
    found = found.filter(pc.equal(found["vm"], vm))
    if known is None:
        (row,) = found.to_pylist()
        assert (row["status"], row["code"], row["vm_size"]) == ("planned", None, results.filter(pc.equal(results["vm"], vm))["vm_size"][0].as_py())
    else:
        assert same(found, known)


def test_a_job_that_was_killed_goes_on(estate: Estate, job: fleet.Job, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ["assess", str(estate.counters), "--inventory", str(estate.inventory), "--window", "load", "--set", "percentile=99"]
    environment = {**os.environ, "DISKWRIGHT_CATALOGUE": "none"}
    started = subprocess.Popen(
        [sys.executable, "-m", "diskwright.fleet", *arguments, "--threads", "1", "--out", str(out)], env=environment
    )
    while not len(list(out.glob("bucket-*.parquet"))) >= 2 and started.poll() is None:
        time.sleep(0.01)
    started.send_signal(signal.SIGKILL)
    started.wait()
    kept = {file.name: file.stat().st_mtime_ns for file in out.glob("bucket-*.parquet")}
    assert 2 <= len(kept) < 13, "it was killed in the middle"
    local.assess(estate.counters, estate.inventory, job, out=out, resume=True)
    now = {file.name: file.stat().st_mtime_ns for file in out.glob("bucket-*.parquet")}
    assert len(now) == 13 and {name: now[name] for name in kept} == kept, "what was complete was not worked on again"
    whole = local.assess(estate.counters, estate.inventory, job)
    found = _layout.read_results(Store.at(out))
    assert same(found, whole)
    # Other inputs are other results: nothing of them is kept.
    other = fleet.Job(windows=["load"], plan={"percentile": 95}, catalogue=dw.Catalogue.shipped())
    assert other.job_id != job.job_id
    local.assess(estate.counters, estate.inventory, other, out=out, resume=True)
    after = {file.name for file in out.glob("bucket-*.parquet")}
    assert len(after) == 13 and not after & set(now)
    assert set(_layout.read_results(Store.at(out)).column("job_id").to_pylist()) == {other.job_id}


def test_the_command_goes_from_recordings_to_a_page(
    estate: Estate, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert command(["assess", str(estate.counters), "--inventory", str(estate.inventory), "--out", str(out), "--threads", "2"]) == 0
    assert "13 VMs: 6 planned, 1 infeasible, 6 failed" in capsys.readouterr().out
    page, table = tmp_path / "summary.html", tmp_path / "summary.parquet"
    assert command(["summary", str(out), "--html", str(page), "--parquet", str(table)]) == 0
    said = capsys.readouterr().out
    lines = [" ".join(line.split()) for line in said.splitlines()]
    assert "Largest savings" in lines and "no_inventory 1" in lines
    assert page.read_text().startswith("<!DOCTYPE html>") and "vm-unknown-device" in page.read_text()
    facts = pq.read_table(table).to_pylist()
    of = {(fact["part"], fact["item"]): fact for fact in facts}
    assert of["total", "all"]["vms"] == 13 and of["status", "planned"]["vms"] == 6
    saved = [fact for fact in facts if fact["part"] == "saving"]
    assert of["cost", "with a known current cost"]["today_micros"] == 6 * 1_500_000_000 and len(saved) == 6
    assert command(["report", str(out), "--vm", "vm-000000", "-o", str(tmp_path / "vm.html")]) == 0
    assert (tmp_path / "vm.html").read_text().startswith("<!DOCTYPE html>")
    program("report", str(out), "--vm", "vm-000000", "-o", "same.html", cwd=tmp_path)
    assert (tmp_path / "same.html").read_text() == (tmp_path / "vm.html").read_text()
    capsys.readouterr()
    assert command(["report", str(out), "--vm", "vm-infeasble"]) == 3
    assert "did you mean vm-infeasible" in capsys.readouterr().err
    assert command(["assess", str(tmp_path / "none"), "--inventory", str(estate.inventory), "--out", str(out)]) == 3


def test_importing_the_package_reads_neither_pyarrow_nor_an_engine() -> None:
    asked = "import sys, diskwright; print(sorted(m for m in ('pyarrow', 'pandas', 'numpy', 'ray', 'pyspark', 'diskwright.fleet') if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    asked = "import sys; from diskwright import fleet; print(sorted(m for m in ('ray', 'pyspark') if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def iostat(host: str | None, disk: str = "sdc", start: int = 0) -> str:
    """A recording of a minute, with its host's name or without."""
    lines = [f"Linux 6.1.0 ({host}) \t2026-11-23 \t_x86_64_\t(4 CPU)\n"] if host else []
    for at in range(start, start + 7):
        lines.append(f"2026-11-23T12:0{at // 6}:{at % 6}0+0000\nDevice tps kB_read/s kB_wrtn/s kB_read kB_wrtn\n{disk} 90.00 4000.00 400.00 40000 4000\n")
    return "\n".join(lines) + "\n"


def diskstats() -> str:
    return "".join(f"2026-11-01T10:{minute:02}:00+0000\n   8      32 sdc {minute * 60} 0 {minute * 960} {minute * 60} 0 0 0 0 0 0 0\n" for minute in range(9))


@pytest.mark.parametrize(
    "files, vms",
    [
        ({f"{host}.txt": iostat(host) for host in ("a", "b", "c")}, {"a": 6, "b": 6, "c": 6}),
        ({f"{host}/day/x.txt": iostat(host) for host in ("a", "b")}, {"a": 6, "b": 6}),
        ({"one.txt": iostat("a"), "deeper/two.txt": iostat("a", start=7)}, {"a": 13}),
        ({"one.txt": diskstats()}, {"raw": 8}),
        ({"orders/one.txt": diskstats(), "web/one.txt": diskstats()}, {"orders": 8, "web": 8}),
        ({"x.txt": iostat("app-01"), "y.txt": iostat("APP-01", start=7)}, {"app-01": 13}),
    ],
)  # fmt: skip
def test_each_machine_of_a_folder_is_a_vm(tmp_path: Path, files: dict[str, str], vms: dict[str, int]) -> None:
    for name, text in files.items():
        (tmp_path / "raw" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "raw" / name).write_text(text)
    assert command(["convert", str(tmp_path / "raw"), "--to", str(tmp_path / "counters")]) == 0
    table = pa.concat_tables(pq.read_table(file) for file in sorted((tmp_path / "counters").rglob("*.parquet")))
    counts = table.group_by("vm").aggregate([("ts", "count")]).to_pylist()
    found = {row["vm"]: row["ts_count"] for row in counts}
    assert {name: rows - found.get(name, 0) for name, rows in vms.items() if abs(rows - found.get(name, 0)) > 1} == {} and len(found) == len(vms), found


def test_what_is_lost_of_recordings_is_said_and_no_success(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    raw = tmp_path / "raw"
    raw.mkdir()
    for host in ("a", "b"):
        (raw / f"{host}.txt").write_text(iostat(host))
    (raw / "empty.txt").write_text("")
    (raw / "notes.txt").write_text("nothing of any disk\n")
    assert command(["convert", str(raw), "--to", str(tmp_path / "counters")]) == 3
    said = capsys.readouterr()
    assert "of 2 VMs" in said.out and "empty.txt" in said.err and "notes.txt" in said.err
    (tmp_path / "none" / "deeper").mkdir(parents=True)
    assert command(["convert", str(tmp_path / "none"), "--to", str(tmp_path / "nothing")]) == 3
    assert "there are no recordings" in capsys.readouterr().err and not (tmp_path / "nothing").exists()
    assert command(["convert", str(raw / "a.txt"), str(raw / "b.txt"), "--vm", "mine", "--to", str(tmp_path / "mine")]) == 3
    assert "2 machines, not only of `mine`: `a`, `b`" in capsys.readouterr().err
    damaged = iostat("c").replace("sdc 90.00", "sdc 9o.00", 1)
    (raw / "c.txt").write_text(damaged)
    assert command(["convert", str(raw / "c.txt"), "--to", str(tmp_path / "damaged")]) == 0
    said_once = capsys.readouterr().err
    assert "warning: " in said_once and "warning: warning: " not in said_once


def test_metrics_of_azure_keep_latency_queue_and_memory(tmp_path: Path) -> None:
    """A figure of both directions goes through the table, and what is available of memory, whose total the inventory has."""
    def series(name: str, figure: float, lun: bool = True) -> dict[str, Any]:
        points = [{"timeStamp": f"2026-11-23T{minute // 60:02}:{minute % 60:02}:00Z", "average": figure} for minute in range(90)]
        of = [{"name": {"value": "lun"}, "value": "0"}] if lun else []
        where = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/sql-01/providers/Microsoft.Insights/metrics/x"
        return {"id": where, "name": {"value": name}, "timeseries": [{"metadatavalues": of, "data": points}]}

    figures = {"Read Operations/sec": 400, "Write Operations/sec": 100, "Read Bytes/sec": 4e6, "Write Bytes/sec": 1e6, "Latency": 3, "Queue Depth": 1.5}
    metrics = [series(f"Data Disk {name}", figure) for name, figure in figures.items()]
    metrics += [series("Available Memory Bytes", 6 * 2**30, lun=False), series("Percentage CPU", 40, lun=False)]
    (tmp_path / "sql-01.json").write_text(json.dumps({"interval": "PT1M", "value": metrics}))
    assert command(["convert", str(tmp_path / "sql-01.json"), "--to", str(tmp_path / "counters")]) == 0
    volume = {"vm": "sql-01", "volume": "data", "devices": ["LUN 0"], "capacity_bytes": 512 << 30, "region": "eastus", "vcpu": 4, "memory_bytes": 16 << 30}
    (row,) = local.assess(tmp_path / "counters", pa.Table.from_pylist([volume]), fleet.Job(catalogue=dw.Catalogue.shipped())).to_pylist()
    assert (row["status"], row["code"]) == ("planned", None), row["message"]
    rows = json.loads(row["checklist_json"])["volumes"][0]["windows"][0]["rows"]
    means = {entry["row"]: entry["mean"] for entry in rows}
    assert means["latency_average"] == pytest.approx(0.003) and means["queue_depth"] == pytest.approx(1.5)
    assert means["memory_average"] == pytest.approx(10 * 2**30), means


SAMPLES = Path(__file__).resolve().parents[2] / "crates" / "dw-counters" / "tests" / "samples" / "valid"


def test_recordings_become_counters_that_say_the_same(tmp_path: Path) -> None:
    """What was counted is converted without a loss: the checklist is that of the recording, figure for figure."""
    recording = tmp_path / "orders-db.txt"
    draw, totals, lines = random.Random(3), [0] * 11, []
    for minute in range(40):
        lines.append(f"2026-11-01T10:{minute:02}:00+0000")
        step = [draw.randrange(5_000), 0, draw.randrange(90_000), draw.randrange(9_000), draw.randrange(5_000), 3, 77_000, 900, 0, 800, 9_900]
        totals = [total + more for total, more in zip(totals, step)]
        lines.append("   8      32 sdc " + " ".join(map(str, totals)))
    recording.write_text("\n".join(lines) + "\n")
    assert command(["convert", str(recording), "--to", str(tmp_path / "counters")]) == 0
    rows, _ = _convert.export(Store.at(tmp_path / "counters"), "orders-db", str(tmp_path / "one"))
    assert rows == 39
    volumes = ["--volume", "data=sdc", "--quiet", "--format", "json"]
    direct = json.loads(program("observe", recording.name, *volumes, cwd=tmp_path))
    converted = json.loads(program("observe", "one", *volumes, cwd=tmp_path))
    figures = [
        {
            (volume["name"], row["row"], row["number"]): [row["min"], row["mean"], row["p50"], row["p90"], row["p99"], row["max"]]
            for volume in document["volumes"]
            for row in volume["windows"][0]["rows"]
            if row["source"]
        }
        for document in (direct, converted)
    ]
    assert figures[0] and figures[1]
    known = {key: values for key, values in figures[0].items() if values[0] is not None}
    assert known and {key: figures[1].get(key) for key in known} == known


@pytest.mark.parametrize("column", ["write_accelerator", "writeAcceleratorEnabled", "max_shares", "maxShares"])
def test_an_inventory_of_disks_that_are_not_modelled_is_refused(column: str) -> None:
    inventory = pa.schema([*fleet.INVENTORY_SCHEMA, (column, pa.int64())])
    with pytest.raises(fleet.SchemaError, match=f"column `{column}`: .* not modelled; .*drop the column"):
        fleet.check_schema(inventory, fleet.INVENTORY_SCHEMA)
    counters = pa.schema([*fleet.COUNTERS_SCHEMA, (column, pa.int64())])
    fleet.check_schema(counters, fleet.COUNTERS_SCHEMA)


@pytest.mark.parametrize("recording", sorted(SAMPLES.iterdir()), ids=lambda path: path.name)
def test_every_format_is_converted_or_refused_with_a_reason(recording: Path) -> None:
    whose = (None, recording.stem, "1s" if "nodate" in recording.name else None, 1_793_491_200_000_000)
    try:
        table = pa.table(dw._native.fleet_rows([str(recording)], *whose))
    except dw.Error as error:
        assert error.what and error.kind in ("input", "usage"), error
        return
    fleet.check_schema(table.schema, fleet.COUNTERS_SCHEMA, optional=fleet.HOST_SCHEMA)
    # Which volume a device is, is no figure.
    assert (table.num_rows > 0) == (not recording.name.startswith("device_ids."))
    assert pc.all(pc.greater(table["span_ns"], 0)).as_py() in (True, None)
    keys = table.select(["vm", "ts", "device", "statistic"])
    assert keys.group_by(keys.column_names).aggregate([]).num_rows == table.num_rows, "no row is there twice"


def test_an_audit_is_that_of_the_command_line(tmp_path: Path) -> None:
    from inventories import made_inventories

    files = [str(file) for file in made_inventories(tmp_path)]
    printed = subprocess.run(
        [sys.executable, "-m", "diskwright", "audit", *files, "--format", "json"], capture_output=True, text=True, check=True
    )
    expected = json.loads(printed.stdout)["findings"]
    out = tmp_path / "findings.parquet"
    found = fleet.local.audit(files, out=out)
    assert pq.read_table(out).equals(found) and found.schema == fleet.FINDINGS_SCHEMA

    def line(finding: Any) -> str:
        return json.dumps(finding, ensure_ascii=False, separators=(",", ":"))

    # Each finding is the bytes of its document.
    assert sorted(found["finding_json"].to_pylist()) == sorted(map(line, expected)) and len(expected) > 40
    assert {code for code in found["code"].to_pylist()} >= {"DW105", "DW203", "DW301"}
    # Whose is on nothing is nobody's.
    assert found.filter(pc.equal(found["code"], "DW203"))["vm"].to_pylist() == [""]

    # Rows may come in any order, and be cut anywhere.
    records = fleet.records(files)
    shuffled = records.take(random.Random(8817).sample(range(records.num_rows), records.num_rows))
    assert fleet.local.audit(shuffled).equals(found)
    from diskwright.fleet import _audit

    sorted_rows = records.sort_by([("vm", "ascending"), ("source", "ascending"), ("record", "ascending")]).combine_chunks()
    for size in (1, 7, 1000):
        batches = _audit.audit_arrow(sorted_rows.to_batches(size))
        assert pa.Table.from_batches(batches, fleet.FINDINGS_SCHEMA).equals(found), size


def test_records_that_are_none_are_refused(tmp_path: Path) -> None:
    plan = tmp_path / "plan.json"
    plan.write_text('{"planned_values": {}}')
    with pytest.raises(dw.Error, match="neither a list of records"):
        fleet.records(plan)
    with pytest.raises(fleet.SchemaError, match="`record` is missing"):
        fleet.local.audit(pa.table({"vm": ["a"]}))
    unsorted = pa.table({"vm": ["b", "a"], "source": ["x", "x"], "record": ["{}", "{}"]})
    from diskwright.fleet import _audit

    with pytest.raises(dw.Error, match="not sorted"):
        list(_audit.audit_arrow(unsorted.to_batches()))
