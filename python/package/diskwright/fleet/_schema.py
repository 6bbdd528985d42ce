"""Columns of the tables, and what is said of a table that has others."""

from __future__ import annotations

from typing import Any

try:
    import pyarrow as pa
except ImportError:  # pragma: no cover
    raise ImportError("diskwright.fleet needs pyarrow: pip install 'diskwright[fleet]'") from None

_TEXT, _NUMBER, _TEXTS = pa.string(), pa.int64(), pa.list_(pa.string())

#: A row for each device and interval: what it did in it. `ts` is the end. Null is unknown. A row without a device is of the whole VM.
COUNTERS_SCHEMA = pa.schema([
    ("vm", _TEXT), ("device", _TEXT), ("ts", pa.timestamp("us", tz="UTC")), ("span_ns", _NUMBER),
    ("reads", _NUMBER), ("writes", _NUMBER), ("read_bytes", _NUMBER), ("write_bytes", _NUMBER),
    ("read_time_ns", _NUMBER), ("write_time_ns", _NUMBER), ("queue_time_ns", _NUMBER), ("busy_ns", _NUMBER),
    ("merges", _NUMBER), ("discards", _NUMBER), ("flushes", _NUMBER), ("statistic", _TEXT),
])  # fmt: skip

#: What rows of the whole VM, those without a device, have besides; a table of counters may lack these columns.
HOST_SCHEMA = pa.schema([
    ("cpu_busy_ns", _NUMBER), ("cpu_total_ns", _NUMBER), ("memory_used", _NUMBER), ("transactions", _NUMBER),
    ("memory_available", _NUMBER),
])  # fmt: skip

#: Figures of both directions together, of a source that does not part reads from writes; a table may lack these columns, too.
UNPARTED_SCHEMA = pa.schema([("ios", _NUMBER), ("bytes", _NUMBER), ("io_time_ns", _NUMBER)])

#: Columns that a table of counters may have besides.
OPTIONAL_SCHEMA = pa.schema([*HOST_SCHEMA, *UNPARTED_SCHEMA])

#: A row for each volume of each VM.
INVENTORY_SCHEMA = pa.schema([
    ("vm", _TEXT), ("volume", _TEXT), ("devices", _TEXTS), ("capacity_bytes", _NUMBER), ("role", _TEXT),
    ("region", _TEXT), ("vcpu", _NUMBER), ("memory_bytes", _NUMBER),
])  # fmt: skip

#: What an inventory may say besides: today's size of the VM, and what a month of it with its disks costs.
TODAY_SCHEMA = pa.schema([("vm_size", _TEXT), ("monthly_micros", _NUMBER)])

#: A row for each VM that has counters.
RESULT_SCHEMA = pa.schema([
    ("job_id", _TEXT), ("vm_bucket", _NUMBER), ("vm", _TEXT), ("status", _TEXT), ("code", _TEXT), ("message", _TEXT),
    ("vm_size", _TEXT), ("monthly_micros", _NUMBER), ("binding_limit", _TEXT), ("headroom_ppm", _NUMBER),
    ("checklist_json", _TEXT), ("plan_json", _TEXT), ("findings", _TEXTS), ("rows_used", _NUMBER),
    ("rows_dropped", _NUMBER),
])  # fmt: skip


#: A record of an inventory as its cloud's command prints it, as JSON: the id of the machine that it is or is attached to (empty: none), the file that
#: it is of.
RECORDS_SCHEMA = pa.schema([("vm", _TEXT), ("source", _TEXT), ("record", _TEXT)])

#: A row for each finding: what `diskwright audit --format csv` has, and the finding of `--format json`.
FINDINGS_SCHEMA = pa.schema([
    ("vm", _TEXT), ("code", _TEXT), ("level", _TEXT), ("machine", _TEXT), ("machine_id", _TEXT), ("disk", _TEXT), ("disk_id", _TEXT),
    ("file", _TEXT), ("finding", _TEXT), ("remedy", _TEXT), ("effort", _TEXT), ("confidence", _TEXT), ("monthly", pa.float64()),
    ("monthly_after", pa.float64()), ("finding_json", _TEXT),
])  # fmt: skip


#: Columns that a table may lack: what nobody says is null in all rows.
_MAY_LACK = frozenset({
    "read_time_ns", "write_time_ns", "queue_time_ns", "busy_ns", "merges", "discards", "flushes", "statistic",
    "devices", "role", "region", "vcpu", "memory_bytes", "source",
})  # fmt: skip


class SchemaError(ValueError):
    """A table has not the columns that it must have. `expected` and `found` are schemas."""

    def __init__(self, what: str, problems: list[str], expected: pa.Schema, found: pa.Schema) -> None:
        self.problems, self.expected, self.found = problems, expected, found
        width = max(len(field.name) for field in expected)
        lines = [f"{what}: " + "; ".join(problems), f"  {'column':<{width}}  {'expected':<20}  found"]
        for field in expected:
            index = found.get_field_index(field.name)
            lines.append(f"  {field.name:<{width}}  {field.type!s:<20}  {found.field(index).type if index >= 0 else '-'}")
        others = [f"{field.name} ({field.type})" for field in found if expected.get_field_index(field.name) < 0]
        if others:
            lines.append(f"  not used: {', '.join(others)}")
        super().__init__("\n".join(lines))


def _plain(kind: pa.DataType) -> pa.DataType:
    """The type of values, however they are encoded."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _is_text(kind: pa.DataType) -> bool:
    kind = _plain(kind)
    views = getattr(pa.types, "is_string_view", lambda _: False)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or views(kind))


def _fits(expected: pa.DataType, found: pa.DataType) -> bool:
    """Whether every value of one type is one of the other, with the same meaning."""
    if expected == _TEXT:
        return _is_text(found)
    if expected == _NUMBER:
        return bool(pa.types.is_integer(found) and found != pa.uint64())
    if pa.types.is_timestamp(expected):
        return bool(pa.types.is_timestamp(found) and found.tz is not None)
    lists = pa.types.is_list(found) or pa.types.is_large_list(found)
    return bool(lists and _is_text(found.value_type))


def check_schema(found: pa.Schema, expected: pa.Schema, what: str = "the table", optional: pa.Schema | None = None) -> None:
    """Refuses a table that lacks a column or has one of another type, before any work is done.

    What fits without a loss is taken: narrower integers, large or dictionary-encoded strings, times of another unit or zone. Columns of
    `optional` need not be there, nor those that may be unknown throughout. Others are not looked at.
    """
    problems = []
    for field in expected:
        count = len(found.get_all_field_indices(field.name))
        if count == 0 and field.name in _MAY_LACK:
            continue
        if count != 1:
            problems.append(f"column `{field.name}` is {'missing' if count == 0 else 'duplicated'}")
        elif not _fits(field.type, found.field(field.name).type):
            problems.append(f"column `{field.name}` is {found.field(field.name).type}, not {field.type}{_hint(field, found)}")
    for field in optional or ():
        if found.get_field_index(field.name) >= 0 and not _fits(field.type, found.field(field.name).type):
            problems.append(f"column `{field.name}` is {found.field(field.name).type}, not {field.type}")
    if expected.get_field_index("capacity_bytes") >= 0:
        known = ((field.name, _NOT_MODELLED.get(_letters(field.name))) for field in found)
        problems += [f"column `{name}`: {why}" for name, why in known if why]
    if problems:
        raise SchemaError(what, problems, expected, found)


#: What an inventory may know of disks and no plan here has.
_NOT_MODELLED = {
    **dict.fromkeys(
        ("writeaccelerator", "writeacceleratorenabled"),
        "Azure's Write Accelerator is not modelled; drop the column: writes are planned as those of the disk itself",
    ),
    **dict.fromkeys(
        ("maxshares", "shares", "shared", "shareddisk"),
        "disks that several VMs share are not modelled; leave their VMs out and drop the column: each would be planned a disk of its own",
    ),
}


def _letters(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum())


def named(vms: Any) -> Any:
    """The column of VMs as text; rows of nobody have an empty name, and are a row of results of code `no_vm`."""
    return _cast(vms, _TEXT).fill_null("")


def _hint(field: pa.Field, found: pa.Schema) -> str:
    kind = found.field(field.name).type
    if pa.types.is_timestamp(field.type) and pa.types.is_timestamp(kind):
        return " (add its time zone)"
    if field.type == _NUMBER and pa.types.is_floating(kind):
        return " (deltas are whole numbers)"
    return ""


def conformed(batch: pa.RecordBatch, expected: pa.Schema, optional: pa.Schema | None = None) -> pa.RecordBatch:
    """A batch with these columns alone, in their types."""
    fields = [*expected, *(f for f in optional or () if batch.schema.get_field_index(f.name) >= 0)]
    places = [batch.schema.get_field_index(field.name) for field in fields]
    columns = [
        _cast(batch.column(place), field.type) if place >= 0 else pa.nulls(batch.num_rows, field.type)
        for place, field in zip(places, fields)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=pa.schema(fields))


def _cast(column: Any, kind: pa.DataType) -> Any:
    if pa.types.is_dictionary(column.type):
        # pyarrow decodes no dictionary of views, which is what polars has.
        words = column.dictionary.cast(kind)
        return words.take(column.indices) if hasattr(column, "indices") else column.cast(kind)
    # Of a finer time the rest of a microsecond is nothing.
    return column if column.type == kind else column.cast(kind, safe=not pa.types.is_timestamp(kind))
