"""The functions of libhealthvault.so, which lies beside this file; `healthvault.h` describes them."""
from __future__ import annotations

import ctypes
from ctypes import POINTER, Structure, byref, c_char, c_char_p, c_int, c_int32, c_int64, c_size_t, c_uint32, c_void_p
from pathlib import Path

from .errors import Error, error as error_of

ABI_VERSION = 1
PASSPHRASE, PASSPHRASE_FILE, PASSPHRASE_COMMAND, KEYRING = 1, 2, 3, 4
PLAIN_TEXT = 1
NO_THREADS = 2**32 - 1


class ErrorReport(Structure):
    _fields_ = [("size", c_uint32), ("status", c_int32), ("code", c_char * 32), ("message", c_char * 1024),
                ("hint", c_char * 512)]


class Credential(Structure):
    _fields_ = [("size", c_uint32), ("kind", c_uint32), ("path", c_char_p), ("key_path", c_char_p),
                ("bytes", c_char_p), ("length", c_size_t)]


class Query(Structure):
    _fields_ = [("size", c_uint32), ("flags", c_uint32), ("types", POINTER(c_char_p)), ("type_count", c_size_t),
                ("columns", POINTER(c_char_p)), ("column_count", c_size_t), ("since", c_char_p), ("until", c_char_p),
                ("by", c_char_p), ("slice", c_uint32), ("slices", c_uint32), ("threads", c_uint32),
                ("reserved", c_uint32)]


class ArrowSchema(Structure):
    pass


class ArrowArray(Structure):
    pass


class ArrowArrayStream(Structure):
    pass


ArrowSchema._fields_ = [
    ("format", c_char_p), ("name", c_char_p), ("metadata", c_void_p), ("flags", c_int64), ("n_children", c_int64),
    ("children", POINTER(POINTER(ArrowSchema))), ("dictionary", POINTER(ArrowSchema)),
    ("release", ctypes.CFUNCTYPE(None, POINTER(ArrowSchema))), ("private_data", c_void_p)]
ArrowArray._fields_ = [
    ("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64), ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)), ("children", POINTER(POINTER(ArrowArray))), ("dictionary", POINTER(ArrowArray)),
    ("release", ctypes.CFUNCTYPE(None, POINTER(ArrowArray))), ("private_data", c_void_p)]
ArrowArrayStream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(c_int, POINTER(ArrowArrayStream), POINTER(ArrowSchema))),
    ("get_next", ctypes.CFUNCTYPE(c_int, POINTER(ArrowArrayStream), POINTER(ArrowArray))),
    ("get_last_error", ctypes.CFUNCTYPE(c_char_p, POINTER(ArrowArrayStream))),
    ("release", ctypes.CFUNCTYPE(None, POINTER(ArrowArrayStream))), ("private_data", c_void_p)]


def _load() -> ctypes.CDLL:
    library = ctypes.CDLL(str(Path(__file__).with_name("libhealthvault.so")))
    library.hv_abi_version.restype = c_int32
    if library.hv_abi_version() != ABI_VERSION:
        raise ImportError("libhealthvault.so is of another version than this package")
    library.hv_open.argtypes = [c_char_p, POINTER(Credential), POINTER(c_void_p), POINTER(ErrorReport)]
    library.hv_close.argtypes, library.hv_close.restype = [c_void_p], None
    for name in "types", "batches", "samples", "statistics", "sleep", "workouts", "rings", "routes", "electrocardiograms":
        # A library of an earlier build may lack one.
        if hasattr(library, f"hv_{name}"):
            getattr(library, f"hv_{name}").argtypes = [
                c_void_p, POINTER(Query), POINTER(ArrowArrayStream), POINTER(ErrorReport)]
    return library


library = _load()


def text(value: str | bytes) -> bytes:
    """Returns a text as C has it.

    Raises:
        ValueError: it contains a NUL, at which C would end it.
    """
    encoded = value.encode() if isinstance(value, str) else value
    if b"\0" in encoded:
        raise ValueError("a name, path or time contains a NUL")
    return encoded


def check(call: str, *arguments: object) -> None:
    """Calls a function that reports errors.

    Raises:
        Error: what the library reported.
    """
    report = ErrorReport(size=ctypes.sizeof(ErrorReport))
    if getattr(library, call)(*arguments, byref(report)):
        texts = (part.decode("utf-8", "replace") for part in (report.code, report.message, report.hint))
        raise error_of(report.status, *texts)


class Handle:
    """An open archive, which is closed when nothing refers to it any more."""

    def __init__(self, path: bytes, credential: Credential) -> None:
        self._archive = c_void_p()
        credential.size = ctypes.sizeof(Credential)
        check("hv_open", path, byref(credential), byref(self._archive))

    def __del__(self, close=library.hv_close) -> None:
        archive, self._archive = self._archive, c_void_p()
        close(archive)

    def stream(self, table: str, query: Query, stream: ArrowArrayStream) -> None:
        """Opens the stream of a table."""
        query.size = ctypes.sizeof(Query)
        check(f"hv_{table}", self._archive, byref(query), byref(stream))


__all__ = ["ArrowArray", "ArrowArrayStream", "ArrowSchema", "Credential", "Error", "Handle", "Query", "text"]
