"""The command `diskwright-fleet`."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .._native import Error

EXIT_CODES = """Exit codes: 0 done (VMs that could not be planned are rows in the results), 1 unexpected, 2 usage, 3 wrong input,
130 interrupted (complete buckets are kept; --resume continues)."""

EXAMPLES = {
    "convert": """Examples:
  diskwright-fleet convert recordings/*.txt --to counters/          # one VM per file: its host name, or the file name
  diskwright-fleet convert recordings/ --to counters/               # folders in folders; what names no host is called like its folder
  diskwright-fleet convert export/*.parquet --to counters/          # counters in any layout""",
    "assess": """Examples:
  diskwright-fleet assess counters/ --inventory inv.parquet --out results/
  diskwright-fleet assess s3://estate/counters --inventory s3://estate/inv.parquet --out s3://estate/results --engine spark --resume
  diskwright-fleet assess counters/ --inventory inv.parquet --out results/ --window load --set percentile=95 --threads 8""",
    "summary": """Examples:
  diskwright-fleet summary results/
  diskwright-fleet summary results/ --html summary.html --parquet summary.parquet""",
    "report": """Examples:
  diskwright-fleet report results/ --vm orders-db                   # writes orders-db.html
  diskwright-fleet report results/ --vm orders-db -o orders-db.md""",
    "export": """Examples:
  diskwright-fleet export counters/ --vm orders-db --inventory inv.parquet   # writes orders-db.arrows""",
    "synth": """Examples:
  diskwright-fleet synth estate/ --vms 200 --days 7
  diskwright-fleet assess estate/counters --inventory estate/inventory.parquet --out estate/results""",
}


class Usage(Exception):
    """The command line makes no sense."""


class Incomplete(Exception):
    """A cluster ended the job; what is complete is kept."""


def main(arguments: Sequence[str] | None = None) -> int:
    args = _parser().parse_args(arguments)
    try:
        code: int = args.run(args)
        return code
    except KeyboardInterrupt:
        print("interrupted; complete buckets are kept" + _resume_hint(args), file=sys.stderr)
        return 130
    except Usage as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except Incomplete as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except Error as error:
        print(error, file=sys.stderr)
        return {"usage": 2, "interrupted": 130, "unexpected": 1}.get(error.kind, 3)
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 3


def _resume_hint(args: argparse.Namespace) -> str:
    return "; run the same command with --resume to continue" if getattr(args, "out", None) else ""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="diskwright-fleet", description="Plan every VM of an estate from counters in Parquet.",
        epilog=EXIT_CODES, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, what: str, run: Any) -> argparse.ArgumentParser:
        made = commands.add_parser(
            name, help=what, description=what[0].upper() + what[1:] + ".", epilog=f"{EXAMPLES[name]}\n\n{EXIT_CODES}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )  # fmt: skip
        made.set_defaults(run=run)
        return made

    convert = command("convert", "convert recordings, or Parquet in any layout, into counters ready to assess", _convert)
    convert.add_argument("raw", nargs="+", metavar="RAW", help="a recording that `diskwright observe` reads, a folder of them, or Parquet")
    convert.add_argument("--to", required=True, metavar="FOLDER", help="output folder, local or in object storage; must not contain Parquet yet")
    convert.add_argument("--vm", metavar="NAME", help="all recordings belong to this VM")
    convert.add_argument("--every", metavar="INTERVAL", help="interval of recordings that do not state it: 2s")
    convert.add_argument("--start", metavar="TIME", help="start of recordings that have no date: 2026-11-01T00:00:00Z")

    assess = command("assess", "plan every VM of an estate", _assess)
    assess.add_argument("counters", metavar="COUNTERS", help="a folder that `convert` wrote, or other Parquet with the same columns: a folder, a file, a 'pattern*'")
    assess.add_argument("--inventory", required=True, metavar="FILE", help="file with the volumes of each VM: Parquet, .csv or .json")
    assess.add_argument("--out", required=True, metavar="FOLDER", help="folder for the results")
    assess.add_argument("--engine", choices=["local", "spark", "ray"], default="local", help="where to run (default: local)")
    assess.add_argument("--resume", action="store_true", help="keep results whose inputs have not changed")
    assess.add_argument("--threads", type=int, metavar="N", help="with --engine local: number of threads (default: one per processor)")
    assess.add_argument("--window", action="append", default=[], metavar="NAME=WHEN", help="`load`, or as `diskwright observe --window` takes it")
    assess.add_argument("--plan-for", metavar="WINDOW", help="the window to plan for (default: the peak if there is one, else the whole recording)")
    assess.add_argument("--growth", type=float, default=1.0, metavar="FACTOR", help="future demand as a multiple of today's: 1.2")
    assess.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a key of [plan] of requirements.toml: percentile=95")
    assess.add_argument("--catalogue", metavar="FILE", help="catalogue layer written by `diskwright catalogue import` (default: the one in use)")
    assess.add_argument("--simulate", action="store_true", help="simulate each plan, as `diskwright plan` does (many times slower)")
    assess.add_argument("--choices", action="store_true", help="include alternative designs for each plan (many times slower)")
    assess.add_argument("--no-documents", action="store_true", help="omit the checklist and plan documents from the results")
    assess.add_argument("-q", "--quiet", action="store_true", help="no progress")

    summary = command("summary", "summarize results: counts, costs, savings, findings, failures", _summary)
    summary.add_argument("results", metavar="RESULTS", help="the folder that `assess --out` wrote")
    summary.add_argument("--html", metavar="FILE", help="write a web page")
    summary.add_argument("--parquet", metavar="FILE", help="write all figures as a Parquet table")
    summary.add_argument("--title", default="Estate assessment", help="title of the summary")

    report = command("report", "write a report of one VM", _report)
    report.add_argument("results", metavar="RESULTS", help="the folder that `assess --out` wrote")
    report.add_argument("--vm", required=True, metavar="NAME")
    report.add_argument("-o", "--output", metavar="FILE", help="output file, Markdown if it ends in .md (default: NAME.html)")

    export = command("export", "export one VM's counters for `diskwright observe`", _export)
    export.add_argument("counters", metavar="COUNTERS", help="a folder of counters")
    export.add_argument("--vm", required=True, metavar="NAME")
    export.add_argument("--inventory", metavar="FILE", help="Parquet inventory: adds processors, memory and the volumes' devices")
    export.add_argument("-o", "--output", metavar="FILE", help="output file, an Arrow stream (default: NAME.arrows)")

    synth = command("synth", "generate a synthetic estate with known answers", _synth)
    synth.add_argument("to", metavar="FOLDER", help="output folder: counters/, inventory.parquet, expected.parquet")
    for name, value, what in [("vms", 100, "VMs"), ("days", 30, "days"), ("disks", 4, "disks per VM"), ("every", 60, "seconds per interval"), ("seed", 1, "random seed")]:
        synth.add_argument(f"--{name}", type=int, default=value, metavar="N", help=f"{what} (default {value})")
    synth.add_argument("--faults", action="store_true", help="add one VM for each kind of fault")
    return parser


def _told(done: int, of: int, vms: int) -> None:
    end = "\n" if done == of else ""
    print(f"\r{done} of {of} buckets, {_vms(vms)}", end=end, file=sys.stderr, flush=True)


def _vms(count: int) -> str:
    return f"{count} VM" if count == 1 else f"{count} VMs"


def _assess(args: argparse.Namespace) -> int:
    from .. import Catalogue
    from . import Job
    from ._layout import read_results
    from ._storage import Store

    catalogue = Catalogue.load(args.catalogue) if args.catalogue else None
    job = Job(
        windows=args.window, window=args.plan_for, growth=args.growth, plan=dict(map(_key, args.set)), catalogue=catalogue,
        simulate=args.simulate, choices=args.choices, documents=not args.no_documents,
    )  # fmt: skip
    progress = None if args.quiet or not sys.stderr.isatty() else _told
    _engine(args, job, progress)
    statuses = read_results(Store.at(args.out), ["status"]).column("status").value_counts().to_pylist()
    counts = {entry["values"]: entry["counts"] for entry in statuses}
    said = ", ".join(f"{counts.get(status, 0)} {status}" for status in ("planned", "infeasible", "failed"))
    print(f"{_vms(sum(counts.values()))}: {said}. Details: diskwright-fleet summary {args.out}")
    return 0


def _engine(args: argparse.Namespace, job: Any, progress: Any) -> None:
    from . import local

    if args.engine == "local":
        local.assess(args.counters, args.inventory, job, threads=args.threads, out=args.out, resume=args.resume, progress=progress)
        return
    if args.threads is not None:
        raise Usage("--threads applies to --engine local only")
    import importlib

    try:
        engine = importlib.import_module(f".{args.engine}", __package__)
        # Ours imports theirs when it is used.
        importlib.import_module("pyspark" if args.engine == "spark" else args.engine)
    except ImportError as error:
        raise Usage(f"{error}\nhint: pip install 'diskwright[{args.engine}]'") from error
    try:
        engine.run(args.counters, local.read_inventory(args.inventory), job, out=args.out, resume=args.resume, progress=progress)
    except engine.Stopped as stopped:
        again = [*sys.argv[1:], *([] if args.resume else ["--resume"])]
        raise Incomplete(f"{stopped.why}\n{stopped.kept}; to continue:\n  {shlex.join(['diskwright-fleet', *again])}") from stopped


def _key(text: str) -> tuple[str, Any]:
    """A key with a value as TOML has it; what is none is a text."""
    import json

    key, equals, value = text.partition("=")
    if not equals or not key:
        raise Usage(f"`--set {text}`: write KEY=VALUE, for example percentile=95")
    try:
        return key, json.loads(value)
    except ValueError:
        return key, value


def _warned(message: Warning | str, *_: Any, **__: Any) -> None:
    said = str(message)
    # Remarks of readers begin with the word.
    print(said if said.startswith("warning: ") else f"warning: {said}", file=sys.stderr)


def _convert(args: argparse.Namespace) -> int:
    from ._convert import convert
    from ._storage import Store

    with warnings.catch_warnings():
        # What readers remark is for whoever runs the command, each time.
        warnings.simplefilter("always")
        warnings.showwarning = _warned
        done = convert(args.raw, Store.at(args.to), vm=args.vm, every=args.every, start=args.start)
    print(f"{done.rows} rows of {_vms(len(done.vms))} in {args.to}")
    for lost in done.lost:
        print(f"error: {lost}", file=sys.stderr)
    return 3 if done.lost else 0


def _summary(args: argparse.Namespace) -> int:
    from ._summary import summarise
    from ._storage import Store

    summary = summarise(Store.at(args.results))
    print(summary.text(args.title), end="")
    if args.html:
        Path(args.html).write_text(summary.html(args.title), encoding="utf-8")
    if args.parquet:
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.table(summary.facts()), args.parquet)
    return 0


def _report(args: argparse.Namespace) -> int:
    from ._summary import report
    from ._storage import Store

    page = report(Store.at(args.results), args.vm)
    output = args.output or f"{args.vm.replace('/', '_')}.html"
    page.save(output)
    print(output)
    return 0


def _export(args: argparse.Namespace) -> int:
    import shlex

    from ._convert import export
    from ._storage import Store
    from .local import read_inventory

    output = args.output or f"{args.vm.replace('/', '_')}.arrows"
    inventory = read_inventory(args.inventory) if args.inventory else None
    rows, volumes = export(Store.at(args.counters), args.vm, output, inventory)
    print(f"{rows} rows: {shlex.join(['diskwright', 'observe', output, *volumes])}")
    return 0


def _synth(args: argparse.Namespace) -> int:
    from ._storage import Store
    from ._synth import synth

    for name in ("vms", "days", "disks", "every"):
        if getattr(args, name) <= 0:
            raise Usage(f"--{name} is {getattr(args, name)}: must be above zero")
    rows = synth(
        Store.at(args.to), vms=args.vms, days=args.days, disks=args.disks, every=args.every, seed=args.seed, faults=args.faults
    )
    print(f"{rows} rows of {_vms(args.vms)} in {os.fspath(args.to)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
