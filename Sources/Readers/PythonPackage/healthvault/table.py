"""A table of an archive, which other libraries read as an Arrow stream."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._capsules import stream_capsule
from ._library import NO_THREADS, PLAIN_TEXT, ArrowArrayStream, Query, c_char_p, text
from ._values import read

if TYPE_CHECKING:
    from .archive import Archive


class Table:
    """A table, or the part of it that was asked for.

    Nothing is read until a library reads it, and each reading starts anew: the same table can be given to several.

        pyarrow.table(table)            # a pyarrow.Table
        pyarrow.table(table).to_pandas()
        polars.DataFrame(table)         # polars 1.0 and later
        duckdb.sql("SELECT avg(value) FROM table")

    Texts that repeat are dictionaries (categories in pandas and polars), unless the table is `plain`.
    """

    def __init__(self, archive: Archive, name: str, arguments: dict[str, Any]) -> None:
        self._archive = archive
        self._name = name
        self._arguments = arguments
        # A wrong name is reported where it is written, not where the table is read.
        stream = ArrowArrayStream()
        self._open(stream)
        stream.release(stream)

    def _open(self, stream: ArrowArrayStream) -> None:
        self._archive._opened().stream(self._name, _query(**self._arguments), stream)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns a capsule with a new stream of the whole table, as the Arrow PyCapsule interface describes it.

        Args:
            requested_schema: ignored: the table has its own types, and a consumer converts them if it needs others.
        """
        return stream_capsule(self._open)

    def to_pydict(self) -> dict[str, list[Any]]:
        """Returns the columns as lists of Python values: for small tables, where no other library is there.

        Times are `datetime` in UTC, days are `date`, lists are lists, maps are lists of pairs.
        """
        return read(self._open)

    def __repr__(self) -> str:
        given = {name: value for name, value in self._arguments.items() if value and (name, value) != ("parts", 1)}
        return f"<healthvault {self._name}{''.join(f' {name}={value!r}' for name, value in given.items())}>"


def _query(*, types: tuple[str, ...] = (), columns: tuple[str, ...] = (), since: str | None = None,
           until: str | None = None, by: str | None = None, plain: bool = False, part: int = 0, parts: int = 0,
           threads: int | None = None) -> Query:

    def names(values: tuple[str, ...]) -> Any:
        return (c_char_p * len(values))(*(text(value) for value in values)) if values else None

    return Query(
        flags=PLAIN_TEXT if plain else 0, types=names(types), type_count=len(types), columns=names(columns),
        column_count=len(columns), since=since and text(since), until=until and text(until),
        by=by and text(by), slice=part, slices=parts,
        threads=0 if threads is None else NO_THREADS if threads == 0 else threads)
