"""Capsules of the Arrow PyCapsule interface, by which pyarrow, pandas, polars and DuckDB take a stream without a copy."""
from __future__ import annotations

import ctypes
from ctypes import POINTER, c_char_p, c_size_t, c_void_p, cast, py_object
from typing import Callable

from ._library import ArrowArrayStream

_NAME = b"arrow_array_stream"
_Destructor = ctypes.CFUNCTYPE(None, c_void_p)
# Functions of its own, since the argument types of ctypes.pythonapi belong to everybody.
_api = ctypes.PyDLL(None)
_new = _api.PyCapsule_New
_new.argtypes, _new.restype = [c_void_p, c_char_p, _Destructor], py_object
_pointer = _api.PyCapsule_GetPointer
# The capsule that is being destroyed must not be counted again: it goes as an address, not as an object.
_pointer.argtypes, _pointer.restype = [c_void_p, c_char_p], c_void_p
_allocate = _api.PyMem_RawCalloc
_allocate.argtypes, _allocate.restype = [c_size_t, c_size_t], c_void_p
_free = _api.PyMem_RawFree
_free.argtypes, _free.restype = [c_void_p], None


@_Destructor
def _destroy(capsule: int, cast=cast, pointer_type=POINTER(ArrowArrayStream)) -> None:
    place = _pointer(capsule, _NAME)
    stream = cast(place, pointer_type)
    # A consumer that has taken the stream has left none.
    if stream.contents.release:
        stream.contents.release(stream)
    _free(place)


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
