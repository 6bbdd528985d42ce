"""The command `diskwright-fleet`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .._native import Error

EXIT_CODES = """Exit codes: 0 done (VMs that could not be planned are rows of the results), 1 unexpected, 2 usage, 3 wrong input,
130 interrupted: what is complete stays, and --resume goes on."""

EXAMPLES = {
    "convert": """Examples:
  diskwright-fleet convert recordings/*.txt --to counters/          # a file is a VM, called as the file says or as it is named
  diskwright-fleet convert orders-db/ web-1/ --to counters/         # a folder is a VM
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
  diskwright-fleet export counters/ --vm orders-db -o orders-db.arrows""",
    "synth": """Examples:
  diskwright-fleet synth estate/ --vms 200 --days 7
  diskwright-fleet assess estate/counters --inventory estate/inventory.parquet --out estate/results""",
}


class Usage(Exception):
    """The command line makes no sense."""


def main(arguments: Sequence[str] | None = None) -> int:
    args = _parser().parse_args(arguments)
    try:
        code: int = args.run(args)
        return code
    except KeyboardInterrupt:
        print("interrupted: what is complete stays" + _resume_hint(args), file=sys.stderr)
        return 130
    except Usage as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except Error as error:
        print(error, file=sys.stderr)
        return {"usage": 2, "interrupted": 130, "unexpected": 1}.get(error.kind, 3)
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 3


def _resume_hint(args: argparse.Namespace) -> str:
    return "; the same command with --resume goes on" if getattr(args, "out", None) else ""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="diskwright-fleet", description="Plans for every VM of an estate, from counters in Parquet.",
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

    convert = command("convert", "lay recordings, or counters in any Parquet, out for an assessment", _convert)
    convert.add_argument("raw", nargs="+", metavar="RAW", help="recordings that `diskwright observe` reads; a folder of them is one VM; Parquet")
    convert.add_argument("--to", required=True, metavar="FOLDER", help="where counters go: a new folder, or one of object storage")
    convert.add_argument("--vm", metavar="NAME", help="all recordings are of this VM")
    convert.add_argument("--every", metavar="INTERVAL", help="the interval of recordings that do not say it: 2s")
    convert.add_argument("--start", metavar="TIME", help="when recordings without a date begin: 2026-11-01T00:00:00Z")

    assess = command("assess", "plan every VM of an estate", _assess)
    assess.add_argument("counters", metavar="COUNTERS", help="a folder of counters, as `convert` writes it; or other Parquet of the same columns")
    assess.add_argument("--inventory", required=True, metavar="FILE", help="Parquet: what each VM has")
    assess.add_argument("--out", required=True, metavar="FOLDER", help="where results go")
    assess.add_argument("--engine", choices=["local", "spark", "ray"], default="local", help="what does the work (default: this machine)")
    assess.add_argument("--resume", action="store_true", help="go on: results of the same inputs are kept")
    assess.add_argument("--threads", type=int, metavar="N", help="with --engine local: at most so many (default: one a processor)")
    assess.add_argument("--window", action="append", default=[], metavar="NAME=WHEN", help="`load`, or as `diskwright observe --window` takes it")
    assess.add_argument("--plan-for", metavar="WINDOW", help="the window that is planned for (default: the peak where there is one)")
    assess.add_argument("--growth", type=float, default=1.0, metavar="FACTOR", help="demand of tomorrow over that of today")
    assess.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a key of [plan] of requirements.toml: percentile=95")
    assess.add_argument("--catalogue", metavar="FILE", help="a layer that `diskwright catalogue import` wrote (default: the one in use)")
    assess.add_argument("--simulate", action="store_true", help="simulate each plan, as `diskwright plan` does: takes many times as long")
    assess.add_argument("--choices", action="store_true", help="say what there is to choose from beside each plan")
    assess.add_argument("--no-documents", action="store_true", help="leave checklists and plans out of the results")
    assess.add_argument("-q", "--quiet", action="store_true", help="no progress")

    summary = command("summary", "what an estate comes to: counts, costs, savings, doubts", _summary)
    summary.add_argument("results", metavar="RESULTS", help="the folder that `assess --out` wrote")
    summary.add_argument("--html", metavar="FILE", help="write one page")
    summary.add_argument("--parquet", metavar="FILE", help="write all figures as a table")
    summary.add_argument("--title", default="Disks of the estate", help="title of the page")

    report = command("report", "one VM of the results as a page", _report)
    report.add_argument("results", metavar="RESULTS", help="the folder that `assess --out` wrote")
    report.add_argument("--vm", required=True, metavar="NAME")
    report.add_argument("-o", "--output", metavar="FILE", help="the page; Markdown where it ends in .md (default: NAME.html)")

    export = command("export", "the counters of one VM as a file for `diskwright observe`", _export)
    export.add_argument("counters", metavar="COUNTERS", help="a folder of counters")
    export.add_argument("--vm", required=True, metavar="NAME")
    export.add_argument("-o", "--output", metavar="FILE", help="an Arrow stream (default: NAME.arrows)")

    synth = command("synth", "make up an estate whose answers are known", _synth)
    synth.add_argument("to", metavar="FOLDER", help="gets counters/, inventory.parquet and expected.parquet")
    for name, value, what in [("vms", 100, "VMs"), ("days", 30, "days"), ("disks", 4, "disks of each VM"), ("every", 60, "seconds of an interval"), ("seed", 1, "whatever is drawn")]:
        synth.add_argument(f"--{name}", type=int, default=value, metavar="N", help=f"{what} (default {value})")
    synth.add_argument("--faults", action="store_true", help="one VM more of each fault that an assessment must name")
    return parser


def _told(done: int, of: int, vms: int) -> None:
    end = "\n" if done == of else ""
    print(f"\r{done} of {of} buckets, {vms} VMs", end=end, file=sys.stderr, flush=True)


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
    print(f"{sum(counts.values())} VMs: {said}. `diskwright-fleet summary {args.out}` says more.")
    return 0


def _engine(args: argparse.Namespace, job: Any, progress: Any) -> None:
    from . import local

    if args.engine == "local":
        local.assess(args.counters, args.inventory, job, threads=args.threads, out=args.out, resume=args.resume, progress=progress)
        return
    if args.threads is not None:
        raise Usage("--threads is for --engine local: a cluster has its own settings")
    import importlib

    try:
        engine = importlib.import_module(f".{args.engine}", __package__)
    except ImportError as error:
        raise Usage(f"{error}\nhint: pip install 'diskwright[{args.engine}]'") from error
    engine.run(args.counters, local.read_inventory(args.inventory), job, out=args.out, resume=args.resume, progress=progress)


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


def _convert(args: argparse.Namespace) -> int:
    from ._convert import convert
    from ._storage import Store

    rows, vms = convert(args.raw, Store.at(args.to), vm=args.vm, every=args.every, start=args.start)
    print(f"{rows} rows of {vms} VMs in {args.to}")
    return 0


def _summary(args: argparse.Namespace) -> int:
    from ._summary import summarise
    from ._storage import Store

    summary = summarise(Store.at(args.results))
    print(summary.markdown(args.title), end="")
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
    from ._convert import export
    from ._storage import Store

    output = args.output or f"{args.vm.replace('/', '_')}.arrows"
    rows = export(Store.at(args.counters), args.vm, output)
    print(f"{rows} rows in {output}")
    return 0


def _synth(args: argparse.Namespace) -> int:
    from ._storage import Store
    from ._synth import synth

    for name in ("vms", "days", "disks", "every"):
        if getattr(args, name) <= 0:
            raise Usage(f"--{name} is {getattr(args, name)}: it must be above zero")
    rows = synth(
        Store.at(args.to), vms=args.vms, days=args.days, disks=args.disks, every=args.every, seed=args.seed, faults=args.faults
    )
    print(f"{rows} rows of {args.vms} VMs in {os.fspath(args.to)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
