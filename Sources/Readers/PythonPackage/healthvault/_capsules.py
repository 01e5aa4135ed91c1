"""Capsules of the Arrow PyCapsule interface, by which pyarrow, pandas, polars and DuckDB take a stream without a copy."""
from __future__ import annotations

import ctypes
from ctypes import POINTER, c_char_p, c_size_t, c_void_p, cast, py_object
from typing import Callable

from ._library import ArrowArrayStream, library

_NAME = b"arrow_array_stream"
# Functions of its own, since the argument types of ctypes.pythonapi belong to everybody.
_api = ctypes.PyDLL(None)
_new = _api.PyCapsule_New
_new.argtypes, _new.restype = [c_void_p, c_char_p, c_void_p], py_object
_allocate = _api.calloc
_allocate.argtypes, _allocate.restype = [c_size_t, c_size_t], c_void_p
_free = _api.free
_free.argtypes, _free.restype = [c_void_p], None
# The library's function, and not one of Python: a consumer may drop a capsule while it raises an exception.
_destroy = cast(library.hv_destroy_capsule, c_void_p)


def stream_capsule(fill: Callable[[ArrowArrayStream], None]) -> object:
    """Returns a capsule with a stream that `fill` opens."""
    place = _allocate(1, ctypes.sizeof(ArrowArrayStream))
    if not place:
        raise MemoryError
    try:
        fill(cast(place, POINTER(ArrowArrayStream)).contents)
    except BaseException:
        _free(place)
        raise
    return _new(place, _NAME, _destroy)
