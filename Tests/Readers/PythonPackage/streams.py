"""Decodes Arrow streams by the specification, without the package's own code: nothing but structs and buffers in memory."""
import ctypes
import datetime

from ctypes import POINTER, c_char_p, c_int, c_int64, c_void_p

UTC = datetime.timezone.utc


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    _fields_ = [("get_schema", ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(Schema))),
                ("get_next", ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(Array))),
                ("get_last_error", ctypes.CFUNCTYPE(c_char_p, c_void_p)),
                ("release", ctypes.CFUNCTYPE(None, c_void_p)), ("private_data", c_void_p)]


Schema._fields_ = [("format", c_char_p), ("name", c_char_p), ("metadata", c_void_p), ("flags", c_int64),
                   ("count", c_int64), ("children", POINTER(POINTER(Schema))), ("dictionary", POINTER(Schema)),
                   ("release", ctypes.CFUNCTYPE(None, POINTER(Schema))), ("private_data", c_void_p)]
Array._fields_ = [("length", c_int64), ("nulls", c_int64), ("offset", c_int64), ("buffer_count", c_int64),
                  ("count", c_int64), ("buffers", POINTER(c_void_p)), ("children", POINTER(POINTER(Array))),
                  ("dictionary", POINTER(Array)), ("release", ctypes.CFUNCTYPE(None, POINTER(Array))),
                  ("private_data", c_void_p)]

_pointer = ctypes.PyDLL(None).PyCapsule_GetPointer
_pointer.argtypes, _pointer.restype = [ctypes.py_object, c_char_p], c_void_p


def arrays(table):
    """The columns of each array of a table, or of a capsule with its stream."""
    capsule = table.__arrow_c_stream__() if hasattr(table, "__arrow_c_stream__") else table
    address = _pointer(capsule, b"arrow_array_stream")
    stream = Stream.from_address(address)

    def check(number):
        if number:
            raise OSError(number, stream.get_last_error(address).decode())
    schema = Schema()
    check(stream.get_schema(address, schema))
    assert schema.format == b"+s"
    fields = [schema.children[index].contents for index in range(schema.count)]
    try:
        # A first part without rows, so that the names are known if there is no other.
        yield {field.name.decode(): [] for field in fields}
        while True:
            array = Array()
            failed = stream.get_next(address, array)
            if failed:
                assert stream.get_next(address, array) == failed, "what follows an error is no end"
                check(failed)
            if not array.release:
                return
            try:
                assert array.count == schema.count and array.nulls == 0
                yield {field.name.decode(): values(field, array.children[index].contents)
                       for index, field in enumerate(fields)}
            finally:
                array.release(array)
    finally:
        schema.release(schema)


def described(table):
    """The columns of a table: their names, types and whether they may be null, of a dictionary `i` and the type of its values."""
    def text(schema):
        inner = [text(schema.children[index].contents) for index in range(schema.count)]
        if schema.dictionary:
            inner.append(text(schema.dictionary.contents))
        mark = "?" if schema.flags & 2 else ""
        return schema.name.decode() + ":" + schema.format.decode() + mark + (f"<{' '.join(inner)}>" if inner else "")
    capsule = table.__arrow_c_stream__()
    address = _pointer(capsule, b"arrow_array_stream")
    schema = Schema()
    assert Stream.from_address(address).get_schema(address, schema) == 0
    try:
        return " ".join(text(schema.children[index].contents) for index in range(schema.count))
    finally:
        schema.release(schema)


def decoded(table):
    """The columns of a table as lists."""
    columns = {}
    for part in arrays(table):
        for name, entries in part.items():
            columns.setdefault(name, []).extend(entries)
    assert len({len(column) for column in columns.values()}) == 1, "columns have one length"
    return columns


def values(schema, array):
    found = present(schema, array)
    assert len(found) == array.length
    if array.nulls:
        assert schema.flags & 2, "a column with nulls says that it may have them"
        bits = numbers(array, 0, "B", (array.length + 7) // 8)
        valid = [bits[index >> 3] >> (index & 7) & 1 for index in range(array.length)]
        assert valid.count(0) == array.nulls
        found = [value if is_valid else None for value, is_valid in zip(found, valid)]
    return found


def numbers(array, buffer, code, count):
    sizes = {"B": 1, "i": 4, "q": 8, "d": 8}
    content = ctypes.string_at(array.buffers[buffer], sizes[code] * count) if count else b""
    return memoryview(content).cast(code).tolist()


def present(schema, array):
    """The values of a column; what stands where one is null does not matter."""
    kind, count = schema.format.decode(), array.length
    assert array.offset == 0
    if schema.dictionary:
        words = values(schema.dictionary.contents, array.dictionary.contents)
        assert kind == "i"
        return [words[number] if 0 <= number < len(words) else None for number in numbers(array, 1, "i", count)]
    if kind == "g":
        return numbers(array, 1, "d", count)
    if kind == "l":
        return numbers(array, 1, "q", count)
    if kind == "tsu:UTC":
        start = datetime.datetime(1970, 1, 1, tzinfo=UTC)
        return [start + datetime.timedelta(microseconds=number) for number in numbers(array, 1, "q", count)]
    if kind == "tdD":
        return [datetime.date.fromordinal(719163 + number) for number in numbers(array, 1, "i", count)]
    if kind == "b":
        bits = numbers(array, 1, "B", (count + 7) // 8)
        return [bool(bits[index >> 3] >> (index & 7) & 1) for index in range(count)]
    if kind == "+s":
        parts = [values(schema.children[index].contents, array.children[index].contents) for index in range(schema.count)]
        return list(zip(*parts))
    ends = numbers(array, 1, "i", count + 1)
    assert ends[0] == 0 and ends == sorted(ends)
    if kind == "u":
        text = ctypes.string_at(array.buffers[2], ends[-1])
        return [text[begin:end].decode() for begin, end in zip(ends, ends[1:])]
    assert kind in ("+l", "+m"), kind
    items = values(schema.children[0].contents, array.children[0].contents)
    return [items[begin:end] for begin, end in zip(ends, ends[1:])]
