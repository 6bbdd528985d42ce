"""Know what your disks will do before you pay for them.

    import diskwright as dw

    seen = dw.observe("iostat.txt", volumes={"data": "sdc"})
    plan = dw.plan(seen.requirements(capacity={"data": "750 GiB"}, region="westeurope"))
    run = dw.simulate(plan.rig(), plan)
    dw.report([seen, plan, run]).save("report.html")

Results show themselves in a notebook, have their document (`to_dict`, `to_json`), and are Arrow tables: `pyarrow.table(plan)`,
`polars.DataFrame(run.series())`, `seen.to_pandas()`. What fails is an `Error` with `kind`, `file`, `line`, `what` and `hint`.
"""

from __future__ import annotations

import os
from typing import Any, Callable, Iterable, Mapping, Sequence, Union

from . import _native
from ._native import Catalogue, Checklist, Error, Explanation, Plan, Report, Requirements, Rig, Run, Table, __version__

__all__ = [
    "Catalogue", "Checklist", "Error", "Explanation", "Plan", "Report", "Requirements", "Rig", "Run", "Table", "__version__",
    "explain", "observe", "plan", "report", "requirements", "rig", "simulate",
]  # fmt: skip

Source = Union[str, "os.PathLike[str]", bytes]
Result = Union[Checklist, Requirements, Plan, Rig, Run, Explanation]
Progress = Union[bool, Callable[[str, float], Any], None]


def _progress(wanted: Progress) -> Callable[[str, float], Any] | None:
    """A bar of tqdm for `True`, else what was given."""
    if wanted is True:
        from tqdm.auto import tqdm  # type: ignore[import-untyped, unused-ignore]

        bars: dict[str, Any] = {}

        def tell(step: str, share: float) -> None:
            if step not in bars:
                bars[step] = tqdm(total=100, desc=step, unit="%", leave=False)
            bars[step].update(round(share * 100) - bars[step].n)
            if share >= 1.0:
                bars.pop(step).close()

        return tell
    return wanted or None


def _recording(source: Source, number: int) -> tuple[str, bytes | None]:
    if isinstance(source, (bytes, bytearray, memoryview)):
        return (f"recording {number}", bytes(source))
    return (os.fspath(source), None)


def observe(
    recordings: Source | Sequence[Source],
    *,
    volumes: Mapping[str, str | Sequence[str]] | None = None,
    windows: Sequence[str] = (),
    every: str | None = None,
    machine: str | None = None,
    growth: float = 1.0,
    strict: bool = False,
    progress: Progress = None,
) -> Checklist:
    """What recordings say of the machine that they are of.

    `recordings`: paths or bytes of iostat, sar, PerfMon, Azure Monitor, CloudWatch, Prometheus and whatever else `diskwright observe` reads; those that continue
    each other in any order. `volumes`: names with their devices, `{"data": ["sdc", "sdd"]}`; without, as they are found.
    `windows`: `"load"`, or `"name=from-to"`. `every`: the interval of files that do not say it, as `"2s"`. `growth`: demand of
    tomorrow over that of today.
    """
    single = isinstance(recordings, (str, bytes, bytearray, memoryview, os.PathLike))
    sources: Iterable[Any] = [recordings] if single else recordings  # type: ignore[assignment]
    named = [_recording(source, number) for number, source in enumerate(sources, 1)]
    devices = {name: [of] if isinstance(of, str) else list(of) for name, of in (volumes or {}).items()}
    return _native.observe(
        named, list(devices.items()), list(windows), every, machine, growth, strict, _progress(progress)
    )


def requirements(path: str | os.PathLike[str], *, catalogue: Catalogue | None = None) -> Requirements:
    """What a plan must meet, from a `requirements.toml`."""
    return Requirements(_native.read_text(os.fspath(path)), name=os.fspath(path), catalogue=catalogue)


def rig(path: str | os.PathLike[str], *, catalogue: Catalogue | None = None) -> Rig:
    """A VM with its disks, from a `rig.toml`."""
    return Rig(_native.read_text(os.fspath(path)), name=os.fspath(path), catalogue=catalogue)


def plan(
    requirements: Requirements,
    *,
    why_not: Sequence[str] = (),
    simulate: bool = True,
    choices: bool = True,
    threads: int | None = None,
    catalogue: Catalogue | None = None,
    progress: Progress = None,
) -> Plan:
    """The cheapest VM size and disks that meet a demand; `feasible` is false where there are none.

    `why_not`: VM sizes of which the document says what stands against them. `simulate`: simulate the plan and its alternatives.
    `choices`: say what fewer disks, more headroom and each requirement cost. `threads`: at most; the answer does not depend on it.
    """
    return _native.plan(
        requirements, why_not=list(why_not), simulate=simulate, choices=choices, threads=threads, catalogue=catalogue,
        progress=_progress(progress),
    )  # fmt: skip


def simulate(
    rig: Rig,
    load: Plan | Requirements | str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    series: str | None = None,
    seed: int | None = None,
    exact: bool = False,
    error: float | None = None,
    catalogue: Catalogue | None = None,
    progress: Progress = None,
) -> Run:
    """What every volume would get, in virtual time.

    `load`: requirements (or a plan's), replayed over their time; a job file's text (of fio, DiskSpd, vdbench, Iometer: a text with a
    line feed) or paths of such files. `series`: the interval of the series, as `"1s"`. `exact`: leap over no steady state.
    `error`: how well rates, means and p99 are to be known before steady state is leapt over, as a share.
    """
    jobs: Any
    if isinstance(load, Plan):
        jobs = load.requirements
    elif isinstance(load, Requirements):
        jobs = load
    elif isinstance(load, str) and "\n" in load:
        jobs = [("job", load)]
    else:
        if isinstance(load, Mapping):
            raise TypeError("a load is Requirements, a Plan, a job file's text, or paths of job files")
        single = isinstance(load, (str, os.PathLike))
        paths: Iterable[Any] = [load] if single else load  # type: ignore[assignment]
        jobs = [(os.fspath(path), _native.read_text(os.fspath(path))) for path in paths]
    return _native.simulate(
        rig, jobs, series=series, seed=seed, exact=exact, error=error, catalogue=catalogue, progress=_progress(progress)
    )


def explain(
    rig: Rig, requirements: Requirements, *, region: str | None = None, catalogue: Catalogue | None = None
) -> Explanation:
    """Why a configuration gives what it gives, and the cheapest changes that help."""
    return _native.explain(rig, requirements, region=region, catalogue=catalogue)


def report(
    results: Result | Sequence[Result],
    *,
    title: str = "What the disks will do",
) -> Report:
    """One page of results, in their order."""
    return _native.report(list(results) if isinstance(results, (list, tuple)) else [results], title)
