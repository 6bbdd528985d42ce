"""A folder, on a disk or in object storage, by one set of calls.

`/data/counters`, `s3://BUCKET/PREFIX`, `abfs://CONTAINER@ACCOUNT.dfs.core.windows.net/PREFIX` (also `abfss://` and `az://CONTAINER/PREFIX`), and
what else pyarrow has a file system for (`gs://`, `hdfs://`).

A file is written whole or not at all: on a disk under another name first; an object appears when it is closed, and its size is compared.
An object of no bytes is not listed: some stores show one as soon as a write begins.

What passes by itself (503 and other answers of a busy store, lost connections) is tried again: by the store's own client, then
here, where the connection is made anew. What stays wrong (no such bucket, no access) is raised at once.

Credentials are those of the environment, in the names of each cloud's own tools; `AWS_ENDPOINT_URL` and the `BlobEndpoint` of
`AZURE_STORAGE_CONNECTION_STRING` say where else a store is.
"""

from __future__ import annotations

import io
import os
import re
import secrets
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Iterator, Sequence, TypeVar, Union
from urllib.parse import urlsplit

Where = Union[str, "os.PathLike[str]"]
T = TypeVar("T")

# Between attempts, in seconds: 15 s in all, after what the store's client tried.
WAITS = (0.5, 1.0, 2.0, 4.0, 7.5)
# What clients of stores say where another attempt cannot help.
LASTING = re.compile(
    r"ACCESS_DENIED|NO_SUCH_|INVALID_ACCESS_KEY|SIGNATURE_DOES_NOT_MATCH|UNRECOGNIZED_CLIENT|INVALID_"
    r"|HTTP status (?:40[0-79]|41\d)|Azure Error: \[\w*\] (?:40[0-79]|41\d)|AuthenticationFailed|ContainerNotFound|DefaultAzureCredential"
)


@dataclass(frozen=True)
class File:
    """A file of a folder: its name from there on, with `/`; its size; and what changes when it is written again."""

    name: str
    size: int
    version: int


def is_remote(where: Where) -> bool:
    """Whether it is in object storage, or another file system that only pyarrow reaches."""
    text = os.fspath(where)
    return "://" in text and not text.startswith("file://")


def _passes(error: BaseException) -> bool:
    if isinstance(error, (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError)):
        return False
    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        return status in (408, 429) or status >= 500
    return isinstance(error, OSError) and not LASTING.search(str(error))


class Store:
    """A folder. It can be sent to other processes: they connect for themselves."""

    def __init__(self, where: Where) -> None:
        text = os.fspath(where)
        self.is_local = not is_remote(text)
        # What a person wrote, or a path: a worker's current folder is another one.
        self.place = os.path.abspath(text[len("file://") :] if text.startswith("file://") else text) if self.is_local else text.rstrip("/")
        self._connected: tuple[Any, str] | None = None

    @classmethod
    def at(cls, where: Where) -> Store:
        return cls(where)

    def __getstate__(self) -> str:
        return self.place

    def __setstate__(self, place: str) -> None:
        self.__init__(place)  # type: ignore[misc]

    def __repr__(self) -> str:
        return f"Store({self.place!r})"

    def path(self, name: str = "") -> str:
        """Where a file of it is: a path, or a URI."""
        return f"{self.place}/{name}" if name else self.place

    def files(self, suffix: str = ".parquet") -> list[File]:
        """The files in it and in its folders, by name; none where there is no such folder."""
        return self._retried(lambda fs, root: sorted(_listed(fs, root, suffix), key=lambda file: file.name))

    def exists(self, name: str) -> bool:
        return self._retried(lambda fs, root: (fs.get_file_info(_join(root, name)).size or 0) > 0)

    def read(self, name: str) -> bytes:
        def read(fs: Any, root: str) -> bytes:
            with fs.open_input_stream(_join(root, name)) as stream:
                return bytes(stream.read())

        return self._retried(read)

    def open(self, name: str) -> Any:
        """A file to read from anywhere in it, as pyarrow takes one."""
        opened = self._retried(lambda fs, root: fs.open_input_file(_join(root, name)))
        return opened if self.is_local else _Reader(self, name, opened)

    def batches(self, name: str, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """The record batches of a Parquet file, a row group at a time, each tried again by itself."""
        import pyarrow.parquet as parquet

        def opened(fs: Any, root: str) -> Any:
            return parquet.ParquetFile(fs.open_input_file(_join(root, name)), pre_buffer=not self.is_local)

        file = self._retried(opened)
        for group in range(file.num_row_groups):

            def read(fs: Any, root: str, group: int = group) -> Any:
                nonlocal file
                file = file or opened(fs, root)
                try:
                    return file.read_row_group(group, columns=columns, use_threads=False)
                except Exception:
                    file = None
                    raise

            yield from self._retried(read).to_batches()

    def write(self, name: str, data: bytes) -> None:
        if not self.is_local:
            return self._retried(lambda fs, root: _put(fs, _join(root, name), data))
        path = Path(self.path(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
        try:
            with open(part, "xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)
        return None

    def delete(self, name: str) -> None:
        def delete(fs: Any, root: str) -> None:
            try:
                fs.delete_file(_join(root, name))
            except FileNotFoundError:
                pass

        self._retried(delete)

    def filesystem(self) -> Any:
        """The file system of pyarrow that it is on."""
        return self._retried(lambda fs, root: fs)

    def within(self, name: str) -> str:
        """The path of a file in that file system."""
        return self._retried(lambda fs, root: _join(root, name))

    def _retried(self, work: Callable[[Any, str], T]) -> T:
        for wait in (*WAITS, None):
            try:
                self._connected = self._connected or _connect(self.place, self.is_local)
                return work(*self._connected)
            except Exception as error:
                if wait is None or self.is_local or not _passes(error):
                    raise
                self._connected = None
                time.sleep(wait)
        raise AssertionError("the last attempt returns or raises")


class _Reader(io.RawIOBase):
    """A file of a store, each read of which is tried again by itself."""

    def __init__(self, store: Store, name: str, opened: Any) -> None:
        self._store, self._name, self._at, self._size = store, name, 0, opened.size()
        self._opened: Any = opened

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        return self._at

    def read(self, size: int | None = -1) -> bytes:
        left = max(self._size - self._at, 0)
        wanted = left if size is None or size < 0 else min(size, left)

        def read(fs: Any, root: str) -> bytes:
            self._opened = self._opened or fs.open_input_file(_join(root, self._name))
            try:
                return bytes(self._opened.read_at(wanted, self._at))
            except Exception:
                self._opened = None
                raise

        data = self._store._retried(read)
        self._at += len(data)
        return data


def _join(root: str, name: str) -> str:
    return f"{root}/{name}" if name else root


def _listed(fs: Any, root: str, suffix: str) -> Iterator[File]:
    from pyarrow.fs import FileSelector, FileType

    for info in fs.get_file_info(FileSelector(root, recursive=True, allow_not_found=True)):
        name = info.path[len(root) :].lstrip("/")
        hidden = any(part.startswith((".", "_")) for part in name.split("/"))
        if info.type == FileType.File and name.endswith(suffix) and info.size and not hidden:
            yield File(name, info.size, info.mtime_ns or 0)


def _put(fs: Any, path: str, data: bytes) -> None:
    with fs.open_output_stream(path) as stream:
        stream.write(data)
    size = fs.get_file_info(path).size
    if size != len(data):
        raise OSError(f"{path}: {size} bytes are there after {len(data)} were written")


def _connect(place: str, is_local: bool) -> tuple[Any, str]:
    """The file system, and the folder's path in it."""
    try:
        import pyarrow.fs as fs
    except ImportError as error:
        raise ImportError("folders of Parquet need pyarrow: `pip install 'diskwright[arrow]'`") from error

    if is_local:
        return fs.LocalFileSystem(), place
    parts = urlsplit(place)
    if parts.scheme in ("s3", "s3a", "s3n"):
        return _s3(fs, parts.netloc), parts.netloc + parts.path
    if parts.scheme in ("abfs", "abfss", "az", "wasbs"):
        container, _, host = parts.netloc.rpartition("@")
        account = host.split(".")[0] if container else None
        return _azure(fs, account), (container or parts.netloc) + parts.path
    try:
        found: tuple[Any, str] = fs.FileSystem.from_uri(place)
    except Exception as error:
        raise ValueError(f"{place}: {error}; write a path, s3://BUCKET/PREFIX or abfs://CONTAINER@ACCOUNT.dfs.core.windows.net/PREFIX") from error
    return found[0], found[1].rstrip("/")


def _s3(fs: Any, bucket: str) -> Any:
    options: dict[str, Any] = {}
    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    if endpoint:
        parts = urlsplit(endpoint if "://" in endpoint else f"https://{endpoint}")
        options.update(scheme=parts.scheme, endpoint_override=parts.netloc)
    elif not region:
        try:
            region = fs.resolve_s3_region(bucket)
        except OSError:
            region = None  # the client's own configuration says it, or its error does
    return fs.S3FileSystem(region=region, retry_strategy=fs.AwsStandardS3RetryStrategy(max_attempts=6), **options)


def _azure(fs: Any, account: str | None) -> Any:
    named = dict(part.split("=", 1) for part in os.environ.get("AZURE_STORAGE_CONNECTION_STRING", "").split(";") if "=" in part)

    def of(*names: str) -> str | None:
        return next((os.environ[name] for name in names if os.environ.get(name)), None)

    account = account or named.get("AccountName") or of("AZURE_STORAGE_ACCOUNT", "AZURE_STORAGE_ACCOUNT_NAME")
    if not account:
        raise ValueError("no storage account: write abfs://CONTAINER@ACCOUNT.dfs.core.windows.net/PREFIX, or set AZURE_STORAGE_ACCOUNT")
    key = named.get("AccountKey") or of("AZURE_STORAGE_KEY", "AZURE_STORAGE_ACCOUNT_KEY")
    token = named.get("SharedAccessSignature") or of("AZURE_STORAGE_SAS_TOKEN")
    endpoint = urlsplit(named["BlobEndpoint"]) if "BlobEndpoint" in named else None
    if hasattr(fs, "AzureFileSystem"):
        options = {}
        # An account's own host name is what the file system makes of the account.
        if endpoint and not endpoint.netloc.startswith(f"{account}."):
            options = {f"{kind}_storage_{part}": value for kind in ("blob", "dfs") for part, value in (("authority", endpoint.netloc), ("scheme", endpoint.scheme))}
        secret = {"account_key": key} if key else {"sas_token": token} if token else {}
        return fs.AzureFileSystem(account, **secret, **options)
    try:
        from adlfs import AzureBlobFileSystem  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError as error:
        raise ImportError("this pyarrow has no file system for Azure: a newer one has, or `pip install adlfs`") from error
    connection = os.environ.get("AZURE_STORAGE_CONNECTION_STRING")
    through = AzureBlobFileSystem(account_name=account, account_key=key, sas_token=token, connection_string=connection)
    return fs.PyFileSystem(fs.FSSpecHandler(through))
