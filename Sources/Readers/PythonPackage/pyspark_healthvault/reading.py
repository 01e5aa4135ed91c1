"""Reads the archives of a partition, in the worker of an executor."""
from __future__ import annotations

from typing import Any, Iterator

import healthvault
import pyarrow as pa
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from .options import Options
from .partitions import Part, Partition, Participant

#: Rows that are passed on together: fewer cost more for each, more do not cost less.
ROWS = 1 << 14
#: What the identifiers of quantities begin with.
QUANTITY = "HKQuantityTypeIdentifier"
#: Columns that come from here and not from the library.
OWN = ("archive", "path", "bytes", "identifier", "zone", "exported", "problem")


def batches(options: Options, schema: StructType, partition: Any) -> Iterator[pa.RecordBatch]:
    """Returns the rows of a partition, those of small archives together."""
    parts = partition.parts if isinstance(partition, Partition) else []
    target = to_arrow_schema(schema, timezone="UTC")
    read = _inventory if options.table == "inventory" else _rows
    waiting: list[pa.RecordBatch] = []
    count = 0
    for part in parts:
        for batch in _guarded(read, options, target, part):
            waiting.append(batch)
            count += batch.num_rows
            if count >= ROWS:
                yield from _joined(waiting, target)
                waiting, count = [], 0
    if waiting:
        yield from _joined(waiting, target)


def _joined(waiting: list[pa.RecordBatch], target: pa.Schema) -> list[pa.RecordBatch]:
    if len(waiting) == 1:
        return waiting
    return pa.Table.from_batches(waiting, target).combine_chunks().to_batches()


def _guarded(read: Any, options: Options, target: pa.Schema, part: Part) -> Iterator[pa.RecordBatch]:
    """Reads an archive; if problems are rows, one that cannot be read to its end has a row, and none else."""
    if not options.skips_damage and options.table != "inventory":
        yield from read(options, target, part)
        return
    try:
        # Nothing of a damaged archive counts, so its rows wait until the last of them is authentic.
        yield from list(read(options, target, part))
    except (healthvault.KeyRingError, healthvault.InvalidQueryError):
        # It is not the archive that is wrong.
        raise
    except (healthvault.Error, OSError) as problem:
        if "problem" not in target.names:
            # Without the column the row would pass for a sample.
            return
        slices = f" (slice {part.slice + 1} of {part.slices})" if part.slices > 1 else ""
        yield from _own(target, 1, part.participant, problem=f"{_first_line(problem)}{slices}")


def _first_line(problem: BaseException) -> str:
    text = getattr(problem, "message", None) or str(problem)
    return text.splitlines()[0] if text else type(problem).__name__


def _open(options: Options, participant: Participant) -> healthvault.Archive:
    if options.keyring is None:
        return healthvault.open(participant.path, passphrase_file=options.passphrase_file)
    return healthvault.open(participant.path, keyring=options.keyring, key_file=options.key_file)


def _rows(options: Options, target: pa.Schema, part: Part) -> Iterator[pa.RecordBatch]:
    with _open(options, part.participant) as archive:
        columns = tuple(name for name in target.names if name not in OWN)
        types = options.types
        if options.types_may_be_absent:
            types = _present(options, archive)
            if not types:
                return
        if options.table == "statistics":
            table = archive.statistics(*types, by=options.by, since=options.since, until=options.until, plain=True)
        else:
            # A table without columns of its own still has rows.
            table = archive.samples(
                *types, since=options.since, until=options.until, columns=columns or ("startDate",),
                plain=True, part=part.slice, parts=part.slices, threads=0)
        for batch in pa.RecordBatchReader.from_stream(table):
            yield from _own(target, batch.num_rows, part.participant, batch)


def _present(options: Options, archive: healthvault.Archive) -> tuple[str, ...]:
    """Returns those of the types of a filter that the table of the archive may have."""
    names = pa.RecordBatchReader.from_stream(archive.types()).read_all().column("type").to_pylist()
    # Others have no statistics, and to ask for them is an error.
    return tuple(name for name in options.types
                 if name in names and (options.table != "statistics" or name.startswith(QUANTITY)))


def _inventory(options: Options, target: pa.Schema, part: Part) -> Iterator[pa.RecordBatch]:
    participant = part.participant
    with _open(options, participant) as archive:
        types = pa.RecordBatchReader.from_stream(archive.types())
        facts = {name.decode(): value.decode("utf-8", "replace") for name, value in (types.schema.metadata or {}).items()}
        own = {"bytes": participant.bytes} | {name: facts.get(name) for name in ("identifier", "zone", "exported")}
        rows = 0
        for batch in types:
            rows += batch.num_rows
            yield from _own(target, batch.num_rows, participant, batch, **own)
        if not rows:
            yield from _own(target, 1, participant, **own)


def _own(target: pa.Schema, count: int, participant: Participant, batch: pa.RecordBatch | None = None,
         **values: Any) -> Iterator[pa.RecordBatch]:
    """Returns rows with the columns that the library does not have, in the order and of the types that Spark expects."""
    values |= {"archive": participant.archive, "path": participant.path}
    arrays = []
    for field in target:
        if batch is not None and field.name not in OWN:
            array = batch.column(field.name)
            arrays.append(array if array.type == field.type else array.cast(field.type))
        else:
            value = values.get(field.name)
            arrays.append(pa.nulls(count, field.type) if value is None else pa.repeat(pa.scalar(value, field.type), count))
    if count:
        yield pa.RecordBatch.from_arrays(arrays, schema=target)
