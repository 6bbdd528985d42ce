"""The chain in Python says what the program says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

import diskwright as dw
from conftest import JOB, RECORDING


def program(*arguments: str, **options: object) -> str:
    """What the program of this wheel prints."""
    done = subprocess.run(
        [sys.executable, "-m", "diskwright", *arguments], capture_output=True, text=True, check=True, **options
    )
    return done.stdout


def test_observe_is_the_programs(seen: dw.Checklist) -> None:
    of_program = program(
        "observe", str(RECORDING), "--volume", "data=sdc", "--volume", "log=sdd", "--format", "json"
    )
    assert json.loads(of_program) == seen.to_dict()


def test_bytes_are_read_like_their_file(seen: dw.Checklist) -> None:
    of_bytes = dw.observe(RECORDING.read_bytes(), volumes={"data": "sdc", "log": ["sdd"]})
    assert of_bytes.table().to_arrow().equals(seen.table().to_arrow())


def test_plan_is_the_programs(wanted: dw.Requirements, tmp_path: Path) -> None:
    (tmp_path / "requirements.toml").write_text(wanted.text)
    of_program = json.loads(program("plan", str(tmp_path / "requirements.toml"), "--format", "json"))
    assert dw.plan(dw.requirements(tmp_path / "requirements.toml")).to_dict() == of_program


def test_simulation_is_the_programs(rig: dw.Rig, tmp_path: Path) -> None:
    (tmp_path / "rig.toml").write_text(rig.text)
    (tmp_path / "job.fio").write_text(JOB.format(seconds=2))
    printed = program("simulate", "rig.toml", "job.fio", "--output-format", "json", cwd=tmp_path)
    of_program = json.loads(printed)["diskwright"]
    mine = dw.simulate(dw.rig(tmp_path / "rig.toml"), tmp_path / "job.fio").to_dict()["diskwright"]
    for document in (of_program, mine):
        document.pop("wall_s")
    assert mine == of_program
    text = dw.simulate(rig, JOB.format(seconds=2))
    assert text.iops == pytest.approx(mine["total"]["all"]["iops"])


def test_a_plan_goes_through_to_a_page(seen: dw.Checklist, planned: dw.Plan, tmp_path: Path) -> None:
    assert planned.feasible and planned.vm and planned.monthly and planned.currency == "USD"
    rig = planned.rig()
    run = dw.simulate(rig, planned)
    explained = dw.explain(rig, planned.requirements)
    page = dw.report([seen, planned.requirements, planned, rig, run, explained], title="orders-db")
    page.save(tmp_path / "report.html")
    page.save(tmp_path / "report.md")
    assert (tmp_path / "report.html").read_text().startswith("<!DOCTYPE html>")
    assert (tmp_path / "report.md").read_text().startswith("# orders-db")
    assert set(planned.scripts()) >= {"az.sh", "main.bicep", "main.tf", "linux.sh", "windows.ps1"}
    series = run.series().to_arrow()
    served = sum(run.table().to_arrow()["iops"].to_pylist())
    per_volume = series.group_by(["volume", "direction"]).aggregate([("iops", "mean")])
    assert sum(per_volume["iops_mean"].to_pylist()) == pytest.approx(served, rel=0.02)


@pytest.mark.parametrize("of", ["to_arrow", "capsule", "pandas", "polars"])
def test_tables_go_where_arrow_goes(planned: dw.Plan, of: str) -> None:
    if of == "polars":
        names = pytest.importorskip("polars").DataFrame(planned.table())["volume"].to_list()
    elif of == "pandas":
        names = planned.to_pandas()["volume"].tolist()
    else:
        table = planned.to_arrow() if of == "to_arrow" else pa.table(planned)
        assert table.schema.field("disks").type == pa.int64()
        names = table["volume"].to_pylist()
    assert names == ["data", "log"]


def test_all_tables_have_rows_of_one_length(seen: dw.Checklist, planned: dw.Plan, rig: dw.Rig) -> None:
    # The I/Os under way at the end are in an interval of their own.
    run = dw.simulate(rig, JOB.format(seconds=1), series="100ms")
    for table, rows in [
        (seen.findings, None), (seen.series(), None), (planned.limits(), None), (planned.designs(), None),
        (run.limits(), None), (run.series(), 11), (run.table(), 1),
    ]:  # fmt: skip
        arrow = table.to_arrow()
        assert arrow.column_names == table.column_names and arrow.num_rows == len(table) == table.num_rows
        assert rows is None or arrow.num_rows == rows


def test_results_show_themselves(seen: dw.Checklist, planned: dw.Plan) -> None:
    for result in (seen, planned):
        shown = result._repr_html_()
        assert shown.startswith("<iframe sandbox") and shown.endswith("</iframe>")
        # Nothing of the page ends the attribute that holds it.
        inside = shown.split('srcdoc="', 1)[1].rsplit('"', 1)[0]
        assert '"' not in inside
    assert repr(planned).startswith(f"<diskwright.Plan {planned.vm}")


def test_a_bursty_load_has_a_row_for_what_it_did(rig: dw.Rig) -> None:
    job = JOB.format(seconds=9) + "thinktime=2s\nthinktime_blocks=640\n"
    series = dw.simulate(rig, job, series="1s").series().to_arrow().to_pylist()
    total = sum(row["iops"] * min(1.0, row["end_s"] - int(row["end_s"] - 1e-9)) for row in series)
    assert total == pytest.approx(dw.simulate(rig, job).table().to_arrow()["ios"][0].as_py(), rel=0.01)
    assert all(row["iops"] > 0 for row in series), "an interval without I/Os has no row"


def test_the_sum_of_volumes_is_no_volume(seen: dw.Checklist) -> None:
    for table in (seen.table(), seen.series()):
        assert set(table.to_arrow()["volume"].to_pylist()) == {"data", "log"} == set(seen.volumes)


def test_a_plan_keeps_its_catalogue(seen: dw.Checklist) -> None:
    shipped = dw.Catalogue.shipped()
    wanted = seen.requirements(capacity={"data": "750 GiB", "log": "120 GiB"}, catalogue=shipped)
    plan = dw.plan(wanted, simulate=False, choices=False, catalogue=shipped)
    assert plan.rig().vm == plan.vm and plan.vm in shipped.sizes() and plan.scripts()


def test_values_of_a_notebook_are_taken(seen: dw.Checklist, wanted: dw.Requirements, rig: dw.Rig) -> None:
    import copy
    import pickle
    from types import MappingProxyType

    numpy = pytest.importorskip("numpy")
    capacity = MappingProxyType({"data": "750 GiB", "log": "120 GiB"})
    assert "headroom_percent = 10" in seen.requirements(capacity=capacity, headroom_percent=numpy.int64(10)).text
    assert wanted.text.startswith("# What the plan must meet: whole of")
    for one in (rig, wanted):
        assert pickle.loads(pickle.dumps(one)).text == one.text == copy.deepcopy(one).text
    assert "<h1" in dw.report(rig).html


def test_threads_do_not_change_a_plan(wanted: dw.Requirements) -> None:
    one, two = (dw.plan(wanted, threads=threads, choices=False).to_json() for threads in (1, 2))
    assert one == two
