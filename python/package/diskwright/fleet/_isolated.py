"""The kernel with each VM in a process of its own, whose memory is limited: a VM that needs too much of it, or ends its process, becomes a row.

Engines use it on a task's second attempt, since the first one may have ended by such a VM.

    this process ── rows of one VM (Arrow stream) ──▶ python -m diskwright.fleet._isolated ── forks ──▶ a child, limited, for each VM
                 ◀── its rows of results, or how the child ended ──

The one in the middle has imported and parsed everything and has no threads, so that a child costs a fork. It ends with a child that did not
end well, because that one left a part of its VM unread; the next VM gets a new one.
"""

from __future__ import annotations

import itertools
import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from typing import IO

import pyarrow as pa
import pyarrow.compute as pc

from ._kernel import assess_arrow, failed_row, stream_of, table_of, without_counters
from ._schema import INVENTORY_SCHEMA, named

#: What a VM may take, besides the interpreter and what it imports.
MEMORY = 2 << 30

_LENGTH = struct.Struct("<q")
_ENDED_BY_MEMORY, _REFUSED = 77, 78


def by_vm(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[str, Iterator[pa.RecordBatch]]]:
    """Cuts a stream in the order of vm into VMs; the rows of one are to be taken before the next. Those of nobody, who has no name, come last."""
    for vm, pieces in itertools.groupby(_pieces(batches), key=lambda piece: piece[0]):
        yield vm, (piece for _, piece in pieces)


def _pieces(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[str, pa.RecordBatch]]:
    of_nobody: list[pa.RecordBatch] = []
    for batch in batches:
        names = named(batch.column("vm"))
        is_named = pc.not_equal(names, "")
        if pc.any(pc.invert(is_named)).as_py():
            of_nobody.append(batch.filter(pc.invert(is_named)))
            batch, names = batch.filter(is_named), names.filter(is_named)
        differ = pc.indices_nonzero(pc.not_equal(names.slice(1), names.slice(0, max(len(names) - 1, 0)))).to_pylist()
        starts = [0, *(index + 1 for index in differ)] if len(names) else []
        for start, end in zip(starts, [*starts[1:], len(names)]):
            yield names[start].as_py(), batch.slice(start, end - start)
    yield from (("", batch) for batch in of_nobody)


def assess_isolated(
    batches: Iterable[pa.RecordBatch], inventory: pa.Table, job_json: str, memory: int = MEMORY
) -> Iterator[pa.RecordBatch]:
    """As `assess_arrow`; a VM that needs more than `memory` bytes, or ends its process, is a row of code `out_of_memory` or `died`."""
    server: _Server | None = None
    try:
        for vm, rows in by_vm(batches):
            server = server or _Server(job_json, memory)
            try:
                yield from server.assess(rows, inventory.filter(pc.equal(inventory.column("vm"), vm)))
            except _Ended as ended:
                server.close()
                server = None
                yield failed_row(job_json, vm, ended.code, str(ended))
    finally:
        if server is not None:
            server.close()


class _Ended(Exception):
    """A child did not end well."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class _Server:
    """The process that forks one for each VM."""

    def __init__(self, job_json: str, memory: int) -> None:
        self._memory = memory
        # A pool that gives back what it has no use for.
        environment = {**os.environ, "ARROW_DEFAULT_MEMORY_POOL": "system"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "diskwright.fleet._isolated", str(memory)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment,
        )  # fmt: skip
        assert self._process.stdin is not None and self._process.stdout is not None
        self._in: IO[bytes] = self._process.stdin
        self._out: IO[bytes] = self._process.stdout
        _send(self._in, job_json.encode())

    def assess(self, rows: Iterator[pa.RecordBatch], inventory: pa.Table) -> list[pa.RecordBatch]:
        try:
            _send(self._in, stream_of(inventory))
            first = next(rows)
            with pa.ipc.new_stream(self._in, first.schema) as stream:
                stream.write_batch(first)
                for batch in rows:
                    stream.write_batch(batch)
            self._in.flush()
        except OSError:  # a broken pipe: how it ended is said below
            pass
        answer = json.loads(_receive(self._out) or b'{"code": "died", "message": "the process that worked on it is gone"}')
        if "refused" in answer:
            raise RuntimeError(answer["refused"])
        if "code" in answer:
            raise _Ended(answer["code"], answer["message"])
        return list(pa.ipc.open_stream(_receive(self._out)))

    def close(self) -> None:
        try:
            self._in.close()
        except OSError:
            pass
        self._out.close()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _send(to: IO[bytes], data: bytes) -> None:
    to.write(_LENGTH.pack(len(data)))
    to.write(data)
    to.flush()


def _receive(of: IO[bytes]) -> bytes:
    """What was sent; nothing where the other end is gone."""
    head = of.read(_LENGTH.size)
    return of.read(_LENGTH.unpack(head)[0]) if len(head) == _LENGTH.size else b""


def _exactly(fd: int, count: int) -> bytes:
    """Bytes without reading ahead: what follows is for a child."""
    parts = []
    while count and (part := os.read(fd, min(count, 1 << 20))):
        parts.append(part)
        count -= len(part)
    return b"" if count else b"".join(parts)


def _all(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


def _in_use() -> int:
    """The memory that a limit of data counts, in bytes."""
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmData:"))


def _child(inventory: pa.Table, job_json: str, memory: int, answer: IO[bytes]) -> int:
    """One VM, from standard input; the status to end with."""
    import resource

    limit = _in_use() + memory
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (limit if most == resource.RLIM_INFINITY else min(limit, most), most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        with os.fdopen(0, "rb", closefd=False) as rows:
            table = pa.Table.from_batches(assess_arrow(pa.ipc.open_stream(rows), inventory, job_json))
    except MemoryError:
        return _ENDED_BY_MEMORY
    except Exception as error:
        answer.write(str(error).encode())
        answer.flush()
        return _REFUSED
    answer.write(stream_of(table))
    answer.flush()
    return 0


def _ended(status: int, said: bytes, memory: int) -> dict[str, str]:
    """How a child ended."""
    if status == _REFUSED:
        return {"refused": said.decode(errors="replace")}
    text = said.decode(errors="replace")
    # How Rust and C++ say it; and the system's own way.
    is_memory = status in (_ENDED_BY_MEMORY, -signal.SIGKILL) or "memory allocation" in text or "bad_alloc" in text
    if is_memory or "annot allocate memory" in text:
        return {"code": "out_of_memory", "message": f"it needs more than {memory >> 20:,} MiB of memory; give `vm_memory` more, or its rows longer intervals"}
    how = f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}"
    return {"code": "died", "message": f"the process that worked on it ended with {how}"}


def main() -> None:
    memory = int(sys.argv[1])
    # Standard output is for answers alone.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def frame() -> bytes:
        head = _exactly(0, _LENGTH.size)
        return _exactly(0, _LENGTH.unpack(head)[0]) if head else b""

    job_json = frame().decode()
    # Parses the catalogue, once for all children.
    list(assess_arrow(without_counters(["-"]).to_batches(), INVENTORY_SCHEMA.empty_table(), job_json))
    while inventory := frame():
        table = table_of(inventory)
        with tempfile.TemporaryFile() as answer, tempfile.TemporaryFile() as errors:
            child = os.fork()
            if child == 0:
                os.dup2(errors.fileno(), 2)
                os._exit(_child(table, job_json, memory, answer))
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            said = _all(answer)
            if status != 0:
                _send(out, json.dumps(_ended(status, said + _all(errors), memory)).encode())
                return
        _send(out, b"{}")
        _send(out, said)


if __name__ == "__main__":
    main()
