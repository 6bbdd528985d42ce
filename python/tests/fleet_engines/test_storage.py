"""Folders in object storage, with stores that are busy, are as good as those on a disk."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.fs
import pytest

from diskwright import fleet
from diskwright.fleet import _layout, _storage
from diskwright.fleet._storage import Store

from .busy_store import BusyStore
from .conftest import same


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_storage, "WAITS", (0.05, 0.1, 0.2))


def check_store(store: Store) -> None:
    """What a folder must do, wherever it is."""
    assert store.files() == [] and not store.exists("a.parquet")
    store.write("a.parquet", b"one")
    store.write("vm_bucket=0001/b.parquet", b"two")
    store.write("c.txt", b"three")
    assert [(file.name, file.size) for file in store.files()] == [("a.parquet", 3), ("vm_bucket=0001/b.parquet", 3)]
    assert store.read("c.txt") == b"three"
    store.write("a.parquet", b"longer")
    assert store.read("a.parquet") == b"longer" and [file.size for file in store.files()] == [6, 3]
    again = pickle.loads(pickle.dumps(store))
    assert again.files() == store.files()
    store.delete("a.parquet")
    store.delete("a.parquet")
    assert [file.name for file in store.files()] == ["vm_bucket=0001/b.parquet"]
    with pytest.raises(FileNotFoundError):
        store.read("a.parquet")


def test_a_folder_on_a_disk(tmp_path: Path) -> None:
    check_store(Store.at(tmp_path / "new"))
    check_store(Store.at(f"file://{tmp_path}/other"))
    assert not [path for path in tmp_path.rglob("*.part")], "nothing is left of writing"


def test_s3_that_is_busy(s3: BusyStore, estate: SimpleNamespace, job: fleet.Job, expected: pa.Table) -> None:
    check_store(Store.at("s3://estate/try"))
    check_estate("s3://estate", s3, estate, job, expected)
    with pytest.raises(OSError, match="nobody"):
        Store.at("s3://nobody").write("a", b"b")


def test_blob_storage_that_is_busy(blob: BusyStore, estate: SimpleNamespace, job: fleet.Job, expected: pa.Table) -> None:
    check_store(Store.at("abfs://estate/try"))
    check_store(Store.at("az://estate/once-more"))
    check_store(Store.at("abfss://estate@devstoreaccount1.dfs.core.windows.net/and-again"))
    check_estate("abfs://estate", blob, estate, job, expected)


@pytest.mark.full
def test_blob_storage_without_its_own_file_system(blob: BusyStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """As older versions of pyarrow have it: through adlfs."""
    from .conftest import tool

    (packages,) = tool("python/installed", "adlfs").parent.glob("lib/python3*/site-packages")
    monkeypatch.syspath_prepend(str(packages))
    monkeypatch.delattr(pyarrow.fs, "AzureFileSystem")
    # Its client waits 15 s and longer before it tries again.
    blob.every = 23
    check_store(Store.at("abfs://estate/try"))
    assert blob.refused > 0


def check_estate(root: str, front: BusyStore, estate: SimpleNamespace, job: fleet.Job, expected: pa.Table) -> None:
    """An estate goes there, is assessed from there to there while one request of thirteen is refused, and resumed."""
    here, there = Store.at(estate.counters), Store.at(f"{root}/counters")
    for file in here.files():
        there.write(file.name, here.read(file.name))
    Store.at(root).write("inventory.parquet", Path(estate.inventory).read_bytes())
    front.every = 13
    fleet.local.assess(f"{root}/counters", f"{root}/inventory.parquet", job, out=f"{root}/results", threads=4)
    assert front.refused > 2
    out = Store.at(f"{root}/results")
    same(_layout.read_results(out), expected)

    files = [file for file in out.files() if _layout.RESULTS.match(file.name)]
    out.delete(files[0].name)
    told: list[tuple[int, int, int]] = []
    fleet.local.assess(
        f"{root}/counters", f"{root}/inventory.parquet", job, out=f"{root}/results", resume=True, progress=lambda *now: told.append(now)
    )
    same(_layout.read_results(out), expected)
    assert told[0][0] == len(files) - 1, "one bucket was left"
    command = [sys.executable, "-m", "diskwright.fleet", "summary", f"{root}/results"]
    said = subprocess.run(command, capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    assert str(expected.num_rows) in said.stdout


@pytest.mark.parametrize(
    "error, expected",
    [
        (OSError("AWS Error SLOW_DOWN during PutObject operation: Please reduce your request rate. (HTTP status 503)"), True),
        (OSError("AWS Error NETWORK_CONNECTION during HeadObject operation: curlCode: 56, Failure when receiving data from the peer"), True),
        (OSError("AWS Error ACCESS_DENIED during HeadObject operation: No response body."), False),
        (OSError("AWS Error UNKNOWN (HTTP status 400) during CreateBucket operation: InvalidBucketName"), False),
        (OSError("AWS Error NO_SUCH_BUCKET during PutObject operation: The specified bucket does not exist"), False),
        (OSError("GetProperties failed. Azure Error: [ServerBusy] 503 The server is busy."), True),
        (OSError("GetProperties failed. Azure Error: [AuthenticationFailed] 403 Server failed to authenticate the request."), False),
        (FileNotFoundError("a.parquet"), False),
        (PermissionError("a.parquet"), False),
        (ValueError("no"), False),
    ],
)
def test_what_passes_by_itself(error: Exception, expected: bool) -> None:
    assert _storage._passes(error) is expected


def test_where_a_store_is(tmp_path: Path) -> None:
    for text, expected in [("/a/b", False), ("b", False), ("file:///a", False), ("s3://a/b", True), ("abfs://a@b.dfs.core.windows.net/c", True)]:
        assert _storage.is_remote(text) is expected, text
    with pytest.raises(ValueError, match="s3://BUCKET/PREFIX"):
        Store.at("nothing://at/all").files()
