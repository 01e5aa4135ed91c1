"""Reads Arrow streams into Python values, for those who have no other library."""
from __future__ import annotations

import ctypes
import datetime
from typing import Any, Callable, Generator

from ._library import ArrowArray, ArrowArrayStream, ArrowSchema

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
_NUMBERS = {b"i": ctypes.c_int32, b"l": ctypes.c_int64, b"g": ctypes.c_double, b"tdD": ctypes.c_int32,
            b"tsu:UTC": ctypes.c_int64}


_Fill = Callable[[ArrowArrayStream], None]


def read(fill: _Fill, most: int | None = None) -> dict[str, list[Any]]:
    """Returns the columns of the stream that `fill` opens; at least the first `most` rows if there are so many."""
    columns: dict[str, list[Any]] = {}
    for schema, array in _arrays(fill):
        for index in range(schema.n_children):
            child = schema.children[index].contents
            column = columns.setdefault(child.name.decode(), [])
            column += _values(child, array.children[index].contents) if array else []
        if most is not None and columns and len(next(iter(columns.values()))) >= most:
            break
    return columns


def count(fill: _Fill) -> int:
    """Returns the number of rows of the stream that `fill` opens."""
    return sum(array.length for _, array in _arrays(fill) if array)


def facts(fill: _Fill) -> dict[str, str]:
    """Returns the metadata of the stream that `fill` opens."""
    arrays, parts = _arrays(fill), []
    schema, _ = next(arrays)
    place = schema.metadata or 0
    for _ in range(2 * ctypes.c_int32.from_address(place).value if place else 0):
        place += 4
        length = ctypes.c_int32.from_address(place).value
        parts.append(ctypes.string_at(place + 4, length).decode())
        place += length
    arrays.close()
    return dict(zip(parts[::2], parts[1::2]))


def _arrays(fill: _Fill) -> Generator[tuple[ArrowSchema, ArrowArray | None], None, None]:
    """Yields the schema of a stream with no array, and then with each array."""
    stream, schema = ArrowArrayStream(), ArrowSchema()
    fill(stream)
    try:
        _check(stream, stream.get_schema(stream, schema))
        try:
            yield schema, None
            while True:
                array = ArrowArray()
                _check(stream, stream.get_next(stream, array))
                if not array.release:
                    return
                try:
                    yield schema, array
                finally:
                    array.release(array)
        finally:
            schema.release(schema)
    finally:
        stream.release(stream)


def _check(stream: ArrowArrayStream, number: int) -> None:
    if number:
        text = stream.get_last_error(stream)
        raise OSError(number, (text or b"").decode("utf-8", "replace"))


def _values(schema: ArrowSchema, array: ArrowArray) -> list[Any]:
    """Returns the values of a column without an offset, as the library makes them."""
    count = array.length
    values = _all_values(schema, array, count)
    if array.null_count and array.buffers[0]:
        bits = ctypes.string_at(array.buffers[0], (count + 7) // 8)
        values = [value if bits[index // 8] >> index % 8 & 1 else None for index, value in enumerate(values)]
    return values


def _all_values(schema: ArrowSchema, array: ArrowArray, count: int) -> list[Any]:
    kind = schema.format
    if schema.dictionary:
        texts = _values(schema.dictionary.contents, array.dictionary.contents)
        return [texts[number] if 0 <= number < len(texts) else None for number in _numbers(array, kind, count)]
    if kind == b"tsu:UTC":
        return [_EPOCH + datetime.timedelta(microseconds=number) for number in _numbers(array, kind, count)]
    if kind == b"tdD":
        return [(_EPOCH + datetime.timedelta(days=number)).date() for number in _numbers(array, kind, count)]
    if kind in _NUMBERS:
        return _numbers(array, kind, count)
    if kind == b"b":
        bits = ctypes.string_at(array.buffers[1], (count + 7) // 8)
        return [bool(bits[index // 8] >> index % 8 & 1) for index in range(count)]
    if kind == b"+s":
        rows = [_values(schema.children[index].contents, array.children[index].contents)
                for index in range(schema.n_children)]
        return list(zip(*rows)) if rows else [()] * count
    ends = _numbers(array, b"i", count + 1)
    if kind == b"u":
        text = ctypes.string_at(array.buffers[2], ends[count])
        return [text[ends[index]:ends[index + 1]].decode() for index in range(count)]
    if kind in (b"+l", b"+m"):
        items = _values(schema.children[0].contents, array.children[0].contents)
        return [items[ends[index]:ends[index + 1]] for index in range(count)]
    raise TypeError(f"a column has the unknown type {kind!r}")


def _numbers(array: ArrowArray, kind: bytes, count: int) -> list[Any]:
    return list((_NUMBERS[kind] * count).from_address(array.buffers[1])) if count else [0][:0]
