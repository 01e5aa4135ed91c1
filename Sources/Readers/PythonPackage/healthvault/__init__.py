"""Reads encrypted archives of Apple Health exports into pyarrow, pandas, polars and DuckDB.

    import healthvault
    archive = healthvault.open("health.hvault", passphrase_file="passphrase.txt")
    archive.samples("heartRate", since="2024").to_pandas()

Nothing decrypted is written anywhere. Only the batches that a question needs are decrypted, and they go into Arrow columns in
memory.
"""
from .archive import Archive, Time, open
from .errors import DamagedError, Error, InvalidQueryError, KeyRingError, NotFoundError, UnknownNameError, WrongPassphraseError
from .table import Table

__all__ = ["Archive", "DamagedError", "Error", "InvalidQueryError", "KeyRingError", "NotFoundError", "Table", "Time",
           "UnknownNameError", "WrongPassphraseError", "open"]
