"""What tests of engines share: an estate, its results on this machine, an environment for workers, stand-ins for object storage.

Engines lie where `scripts/setup-test-tools.sh` puts them. What takes long (Spark 3.5, kills, 64 partitions, skew) is marked `full` and
runs with `DISKWRIGHT_FLEET=full`; without, it is not collected.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

import diskwright
from diskwright import fleet
from diskwright.fleet._storage import Store
from diskwright.fleet._synth import synth

from .busy_store import BusyStore

TOOLS = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "diskwright-test-tools" / "fleet"
FULL = os.environ.get("DISKWRIGHT_FLEET") == "full"
HERE = Path(__file__).parent


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "full: takes long; runs with DISKWRIGHT_FLEET=full")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    long = [] if FULL else [item for item in items if item.get_closest_marker("full")]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]


def tool(path: str, what: str, runs_on: str = "") -> Path:
    """A program of the tests, and what runs it; without them they are skipped."""
    found = TOOLS / path
    if runs_on and shutil.which(runs_on) is None:
        pytest.skip(f"no {runs_on} (scripts/setup-test-tools.sh installs it)")
    if not found.exists():
        full = "DISKWRIGHT_FLEET=full " if "3.5" in what else ""
        pytest.skip(f"no {what} ({full}scripts/setup-test-tools.sh installs it)")
    return found


def fingerprint(rows: pa.Table) -> str:
    """Results as sorted bytes: what engines must agree on."""
    import hashlib

    rows = rows.select(fleet.RESULT_SCHEMA.names).cast(fleet.RESULT_SCHEMA).sort_by("vm").combine_chunks()
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema) as stream:
        stream.write_table(rows)
    return hashlib.sha256(sink.getvalue()).hexdigest()


def same(found: pa.Table, expected: pa.Table) -> None:
    """That two tables of results are the same bytes; where not, which VMs differ in what."""
    if fingerprint(found) == fingerprint(expected):
        return
    found, expected = (t.select(fleet.RESULT_SCHEMA.names).cast(fleet.RESULT_SCHEMA).sort_by("vm") for t in (found, expected))
    assert found["vm"].to_pylist() == expected["vm"].to_pylist()
    for ours, theirs in zip(found.to_pylist(), expected.to_pylist()):
        assert ours == theirs
    raise AssertionError("the same rows as other bytes")


@pytest.fixture(scope="session")
def inventories(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Lists of machines and disks."""
    from inventories import made_inventories

    place = tmp_path_factory.mktemp("inventories")
    return [str(file) for file in made_inventories(place)]


def same_findings(found: pa.Table, expected: pa.Table) -> None:
    order = [(name, "ascending") for name in ("vm", "code", "disk", "finding_json")]
    assert found.sort_by(order).to_pylist() == expected.sort_by(order).to_pylist()


@pytest.fixture(scope="session")
def estate(tmp_path_factory: pytest.TempPathFactory) -> SimpleNamespace:
    """Some VMs and one of each fault; by bucket, and shuffled into three files that respect nothing."""
    place = tmp_path_factory.mktemp("estate")
    synth(Store.at(place), vms=6, days=1, disks=2, every=600, faults=True)
    return SimpleNamespace(
        counters=str(place / "counters"), inventory=str(place / "inventory.parquet"), shuffled=shuffled(place / "counters", place / "shuffled")
    )


def shuffled(counters: Path, to: Path, files: int = 3) -> str:
    """The rows of a folder in the order of chance, in so many files."""
    import random

    import pyarrow.parquet as pq

    rows = pa.concat_tables([pq.read_table(file, partitioning=None) for file in sorted(counters.rglob("*.parquet"))], promote_options="default")
    order = list(range(rows.num_rows))
    random.Random(7).shuffle(order)
    rows = rows.take(order)
    to.mkdir()
    for number in range(files):
        pq.write_table(rows.slice(number * rows.num_rows // files, (number + 1) * rows.num_rows // files - number * rows.num_rows // files), to / f"{number}.parquet")
    return str(to)


JOB: dict[str, Any] = {"windows": ["load"], "plan": {"percentile": 99, "region": "westeurope"}}


@pytest.fixture(scope="session")
def job() -> fleet.Job:
    return fleet.Job(**JOB)


@pytest.fixture(scope="session")
def expected(estate: SimpleNamespace, job: fleet.Job) -> pa.Table:
    """The estate assessed on this machine."""
    return fleet.local.assess(estate.counters, estate.inventory, job, threads=2)


@pytest.fixture(scope="session")
def worker(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python that has this package and pyarrow, and nothing else."""
    place = tmp_path_factory.mktemp("worker")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
    (site,) = place.glob("lib/python3*/site-packages")
    for package in (diskwright, pa):
        assert package.__file__
        (site / package.__name__).symlink_to(Path(package.__file__).parent)
    return str(place / "bin" / "python")


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def served(command: list[str], port: int, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    """A server, when it answers."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **environment})
    until = time.monotonic() + 60
    while time.monotonic() < until and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return process
        except OSError:
            time.sleep(0.1)
    process.kill()
    raise AssertionError(f"{command[0]}: no answer on port {port}")


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[BusyStore]:
    """S3 as moto has it, behind a front that can be busy; the environment names it."""
    site = tool("python/installed", "moto").parent
    port = free_port()
    (packages,) = site.glob("lib/python3*/site-packages")
    server = served([str(site / "bin/python"), "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)], port, {"PYTHONPATH": str(packages)})
    front = BusyStore(port, "SlowDown")
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{front.port}")
    for name, value in [("AWS_ACCESS_KEY_ID", "test"), ("AWS_SECRET_ACCESS_KEY", "test"), ("AWS_REGION", "us-east-1"), ("AWS_EC2_METADATA_DISABLED", "true")]:
        monkeypatch.setenv(name, value)
    import pyarrow.fs

    pyarrow.fs.S3FileSystem(endpoint_override=f"127.0.0.1:{port}", scheme="http", allow_bucket_creation=True).create_dir("estate")
    yield front
    front.close()
    server.kill()
    server.wait()


# The key that every Azurite has.
AZURITE_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="


@pytest.fixture
def blob(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[BusyStore]:
    """Blob storage as Azurite has it, behind a front that can be busy; the environment names it."""
    program = tool("azurite/node_modules/azurite/dist/src/blob/main.js", "Azurite", "node")
    port = free_port()
    options = ["--inMemoryPersistence", "--disableTelemetry", "--skipApiVersionCheck", "--silent", "--blobHost", "127.0.0.1"]
    server = served(["node", str(program), *options, "--blobPort", str(port)], port, {})
    front = BusyStore(port, "ServerBusy")

    def connection(port: int) -> str:
        return f"DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey={AZURITE_KEY};BlobEndpoint=http://127.0.0.1:{port}/devstoreaccount1"

    monkeypatch.setenv("AZURE_STORAGE_CONNECTION_STRING", connection(port))
    from diskwright.fleet._storage import _connect

    _connect("abfs://estate/x", False)[0].create_dir("estate")
    monkeypatch.setenv("AZURE_STORAGE_CONNECTION_STRING", connection(front.port))
    yield front
    front.close()
    server.kill()
    server.wait()
