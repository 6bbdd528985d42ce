"""What is wrong with the machines of an estate: records of inventories in, a row for each finding out.

It needs nothing but the wheel and pyarrow, so it is what workers import.

    for batch in audit_arrow(batches):   # pyarrow.RecordBatch of RECORDS_SCHEMA in the order of vm, source, record
        ...                              # pyarrow.RecordBatch of FINDINGS_SCHEMA

The findings of a machine depend on its own rows alone, and are those of `diskwright audit`: `finding_json` is the finding of its document.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from .._native import Catalogue, FleetAudit, fleet_records
from ._kernel import _catalogue
from ._schema import FINDINGS_SCHEMA, RECORDS_SCHEMA, check_schema, conformed, named

#: Records of a batch.
_ROWS = 1 << 14


@dataclass(frozen=True)
class Settings:
    """What an audit is told beside the records, as workers take it: the layer of its catalogue, and the text of `--stripes`."""

    layer: str | None = None
    stripes: str = ""

    @classmethod
    def of(cls, catalogue: Catalogue | str | os.PathLike[str] | None, stripes: str | os.PathLike[str] | None) -> Settings:
        if catalogue is None:
            catalogue = Catalogue()
        elif not isinstance(catalogue, Catalogue):
            catalogue = Catalogue.load(catalogue)
        settings = cls(catalogue.layer, "" if stripes is None else Path(stripes).read_text(encoding="utf-8"))
        FleetAudit(settings.stripes, _catalogue(settings.layer))  # a wrong file is refused before the work
        return settings


def records(files: Iterable[str | os.PathLike[str]] | str | os.PathLike[str]) -> pa.Table:
    """The records of lists that the cloud's commands print, of `RECORDS_SCHEMA`: of several files in their order."""
    paths = [files] if isinstance(files, (str, os.PathLike)) else list(files)
    tables = [pa.table(fleet_records(os.fspath(path))).cast(RECORDS_SCHEMA) for path in paths]
    return pa.concat_tables(tables) if tables else RECORDS_SCHEMA.empty_table()


def audit_arrow(batches: Iterable[pa.RecordBatch], settings: Settings = Settings()) -> Iterator[pa.RecordBatch]:
    """A row for each finding. `batches`: of `RECORDS_SCHEMA`, rows of a machine together; empty batches of findings are left out."""
    kernel = FleetAudit(settings.stripes, _catalogue(settings.layer))
    for batch in batches:
        check_schema(batch.schema, RECORDS_SCHEMA, "the records")
        yield from _rows(kernel.feed(conformed(batch, RECORDS_SCHEMA)))
    yield from _rows(kernel.finish())


def _rows(table: Any) -> list[pa.RecordBatch]:
    return list(pa.table(table).cast(FINDINGS_SCHEMA).to_batches()) if len(table) else []


def audit_table(table: pa.Table, settings: Settings) -> pa.Table:
    """The findings of a table in any order."""
    check_schema(table.schema, RECORDS_SCHEMA, "the records")
    vms = named(table["vm"].combine_chunks() if table.num_rows else pa.array([], pa.string()))
    table = table.set_column(table.schema.get_field_index("vm"), "vm", vms)
    order = table.sort_by([("vm", "ascending"), ("source", "ascending"), ("record", "ascending")])
    batches = order.combine_chunks().to_batches(_ROWS)
    return pa.Table.from_batches(audit_arrow(batches, settings), FINDINGS_SCHEMA)
