"""What fails says where, what and what to write instead; nothing ends the interpreter."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Callable

import pytest

import diskwright as dw
from conftest import JOB


def refused(call: Callable[[], object]) -> dw.Error:
    with pytest.raises(dw.Error) as raised:
        call()
    return raised.value


def test_errors_have_their_parts(seen: dw.Checklist, wanted: dw.Requirements, rig: dw.Rig, tmp_path: Path) -> None:
    (tmp_path / "rig.toml").write_text("[vm]\nsize = 'Standard_DS41'\n[[volume]]\nname = 'data'\ndisks = 'P30'\n")
    for call, kind, file, line, what, hint in [
        (lambda: dw.observe("not-there.txt"), "input", "not-there.txt", None, "cannot be read", "path"),
        (lambda: dw.observe(b"nothing of the kind\n"), "input", "recording 1", None, "", ""),
        (lambda: seen.requirements("lunch"), "usage", None, None, "unknown window `lunch`", "whole"),
        (lambda: seen.requirements(capacity={"dat": "1 TiB"}), "usage", None, None, "unknown volume `dat`", "`data`"),
        (lambda: wanted.replace(regio="x"), "input", "requirements.toml", None, "unknown key `regio`", "`region`"),
        (lambda: dw.rig(tmp_path / "rig.toml"), "input", str(tmp_path / "rig.toml"), 2, "Standard_DS41", ""),
        (lambda: dw.simulate(rig, "[job]\nbs = 8q\n"), "input", "job", 2, "", ""),
        (lambda: dw.simulate(rig, JOB.format(seconds=1), series="soon"), "usage", None, None, "soon", "2s"),
        (lambda: dw.observe(b"", growth=0.0), "usage", None, None, "`growth` is 0", "1.2"),
        (lambda: dw.plan(wanted, why_not=["D8x"]), "usage", None, None, "D8x", ""),
        (lambda: dw.simulate(rig, JOB.format(seconds=1), error=-1.0), "usage", None, None, "`error` is -1", "0.01"),
        (lambda: dw.simulate(rig, JOB.format(seconds=1), error=float("nan")), "usage", None, None, "`error` is NaN", "0.01"),
        (lambda: dw.simulate(rig, "not-there.fio"), "input", "not-there.fio", None, "cannot be read", "path"),
        (lambda: dw.Catalogue.load("not-there.toml"), "input", "not-there.toml", None, "", ""),
    ]:
        error = refused(call)
        assert (error.kind, error.file) == (kind, file), error
        assert line is None or error.line == line, error
        assert what in error.what and hint in error.hint, error
        assert str(error).startswith("error: ") and isinstance(error.also, list)


def test_several_faults_are_told_together(rig: dw.Rig) -> None:
    error = refused(lambda: dw.simulate(rig, "[job]\nbs=8q\niodepth=many\n"))
    assert [(one.kind, one.line) for one in error.also] == [("input", 3)]


def test_what_nothing_meets_is_an_answer(wanted: dw.Requirements) -> None:
    none = dw.plan(wanted.replace(vms=["Standard_B1s"], burstable=True), simulate=False)
    assert not none.feasible and none.vm is None and len(none.table()) == 0
    assert "nothing on offer meets this demand" in none.answer
    assert refused(lambda: none.rig()).hint
    assert refused(lambda: none.scripts()).kind == "usage"


@pytest.mark.parametrize("wrong", [1, None, {"a": 1}, [("only a name",)]])
def test_loads_of_another_type_are_a_type_error(rig: dw.Rig, wrong: object) -> None:
    with pytest.raises(TypeError):
        dw.simulate(rig, wrong)  # type: ignore[arg-type]


def test_a_report_of_something_else_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="not of a `str`"):
        dw.report(["plan"])  # type: ignore[list-item]


def test_progress_is_told_and_its_exception_stops_the_work(rig: dw.Rig) -> None:
    told: list[tuple[str, float]] = []
    dw.simulate(rig, JOB.format(seconds=100), progress=lambda step, share: told.append((step, share)))
    assert told[-1] == ("simulate", 1.0) and [share for _, share in told] == sorted(share for _, share in told)

    def stop(step: str, share: float) -> None:
        raise RuntimeError("enough")

    begun = time.monotonic()
    with pytest.raises(RuntimeError, match="enough"):
        dw.simulate(rig, JOB.format(seconds=100_000), exact=True, progress=stop)
    assert time.monotonic() - begun < 30, "100,000 s of a P30 take minutes"


def test_ctrl_c_stops_a_simulation(rig: dw.Rig) -> None:
    # A shell that runs the tests in the background has the signal ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        dw.simulate(rig, JOB.format(seconds=1_000_000), exact=True)
    timer.join()
    signal.signal(signal.SIGINT, before)


def test_other_threads_go_on_meanwhile(rig: dw.Rig) -> None:
    ticks = 0
    done = threading.Event()

    def count() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    dw.simulate(rig, JOB.format(seconds=200), exact=True)
    done.set()
    counter.join()
    assert ticks > 10, "the interpreter's lock is free while the library works"


def test_a_fault_in_the_library_is_an_exception(rig: dw.Rig) -> None:
    with pytest.raises(dw.Error) as raised:
        dw._native._panic("on purpose")
    assert raised.value.kind == "unexpected" and "on purpose" in raised.value.what
    assert dw.simulate(rig, JOB.format(seconds=1)).iops > 0, "the next call works"


def test_the_program_of_the_wheel_ends_as_the_program_does(tmp_path: Path) -> None:
    for arguments, code in [(["--version"], 0), (["catalogue", "show", "P30"], 0), (["plan"], 2), (["plan", "x.toml"], 3)]:
        done = subprocess.run([sys.executable, "-m", "diskwright", *arguments], capture_output=True, cwd=tmp_path)
        assert done.returncode == code, done.stderr
