"""A table of an archive, which other libraries read as an Arrow stream."""
from __future__ import annotations

import datetime
import html
from typing import TYPE_CHECKING, Any

from ._capsules import stream_capsule
from ._library import NO_THREADS, PLAIN_TEXT, ArrowArrayStream, Error, Query, c_char_p, text
from ._values import count, read

if TYPE_CHECKING:
    from .archive import Archive


class Table:
    """A table, or the part of it that was asked for.

    Nothing is read until a library reads it, and each reading starts anew: the same table can be given to several.

        rates = archive.samples("heartRate")
        rates.to_pandas()               # a pandas.DataFrame, by pyarrow
        pyarrow.table(rates)            # a pyarrow.Table
        polars.DataFrame(rates)         # polars 1.0 and later
        duckdb.sql("SELECT avg(value) FROM rates")

    Texts that repeat are dictionaries (categories in pandas and polars), unless the table is `plain`. What a table shows of itself
    are its first rows; `len` reads all of it.
    """

    def __init__(self, archive: Archive, name: str, arguments: dict[str, Any]) -> None:
        self._archive = archive
        self._name = name
        self._arguments = arguments
        self._count: int | None = None
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

    def to_pandas(self) -> Any:
        """Returns the table as a `pandas.DataFrame`.

        Raises:
            ImportError: pyarrow or pandas is missing.
        """
        try:
            import pandas  # noqa: F401  (pyarrow finds it)
            import pyarrow
        except ImportError as error:
            raise ImportError(f"{error.name} is missing: to_pandas needs pandas and pyarrow, as to_pydict does not") from error
        return pyarrow.table(self).to_pandas()

    def __len__(self) -> int:
        if self._count is None:
            self._count = count(self._open)
        return self._count

    def __bool__(self) -> bool:
        """True: whether a table has rows costs reading it."""
        return True

    def _preview(self, rows: int) -> tuple[list[str], list[list[str]], bool]:
        """The names of the columns, the texts of the first rows, and whether there are more."""
        columns = read(self._open, rows + 1)
        lines = list(zip(*columns.values()))
        return list(columns), [[_cell(value) for value in line] for line in lines[:rows]], len(lines) > rows

    def __repr__(self) -> str:
        given = {name: value for name, value in self._arguments.items() if value and (name, value) != ("parts", 1)}
        title = f"<healthvault {self._name}{''.join(f' {name}={value!r}' for name, value in given.items())}>"
        try:
            names, lines, is_longer = self._preview(5)
        except (Error, OSError, ValueError):
            return title  # closed, or damaged: reading it says so
        widths = [max(map(len, column)) for column in zip(names, *lines)]
        texts = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in [names, *lines]]
        return "\n".join([title, *texts, *(["..."] if is_longer else [] if lines else ["no rows"])])

    def _repr_html_(self) -> str:
        """The first rows, for notebooks."""
        names, lines, is_longer = self._preview(10)

        def row(kind: str, cells: list[str]) -> str:
            return "<tr>" + "".join(f"<{kind}>{html.escape(cell)}</{kind}>" for cell in cells) + "</tr>"

        end = ["<p>...</p>"] if is_longer else [] if lines else ["<p>no rows</p>"]
        return "".join(["<table><thead>", row("th", names), "</thead><tbody>", *(row("td", line) for line in lines),
                        "</tbody></table>", *end])


def _cell(value: Any) -> str:
    """A value in a preview: short, and in a line."""
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ", "seconds")
    if isinstance(value, list) and len(value) > 3:
        return f"[{len(value):,} values]"
    text = "" if value is None else f"{value:.10g}" if isinstance(value, float) else str(value)
    text = "".join(character if character.isprintable() else " " for character in text)
    return text if len(text) <= 40 else text[:39] + "…"


def _query(*, types: tuple[str, ...] = (), columns: tuple[str, ...] = (), since: str | None = None,
           until: str | None = None, by: str | None = None, plain: bool = False, part: int = 0, parts: int = 0,
           threads: int | None = None) -> Query:
    for value in types:
        if not isinstance(value, (str, bytes)):
            raise TypeError(f"{value!r} is no name of a type: give names one by one, samples('heartRate', 'stepCount')")

    def names(values: tuple[str, ...]) -> Any:
        return (c_char_p * len(values))(*(text(value) for value in values)) if values else None

    return Query(
        flags=PLAIN_TEXT if plain else 0, types=names(types), type_count=len(types), columns=names(columns),
        column_count=len(columns), since=since and text(since), until=until and text(until),
        by=by and text(by), slice=part, slices=parts,
        threads=0 if threads is None else NO_THREADS if threads == 0 else threads)
