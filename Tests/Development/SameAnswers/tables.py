"""Prints what the library for C answers: schema and values of each table of an archive, as Arrow streams have them.

    tables.py ARCHIVE KEYRING KEY
"""
import os
import sys
from pathlib import Path

sys.path[:0] = [os.environ["SAME_PACKAGE"], str(Path(__file__).resolve().parents[2] / "Readers" / "PythonPackage")]
import healthvault  # noqa: E402  (found by the line above)
import streams  # noqa: E402

COLUMNS = ("type", "startDate", "endDate", "value", "valueText", "unit", "sourceName", "creationDate", "sourceVersion", "device", "position", "id",
           "metadata", "attributes", "content")
# Tables, and their arguments.
TABLES = [
    ("types", (), {}), ("batches", (), {}), ("batches", ("heartRate",), {"since": "2024"}),
    ("batches", (), {"part": 1, "parts": 3}), ("samples", (), {}), ("samples", (), {"columns": COLUMNS}),
    ("samples", (), {"columns": COLUMNS, "plain": True}), ("samples", ("group:heart",), {"since": "2024", "until": "2025-06"}),
    ("samples", ("Steps", "HKQuantityTypeIdentifierHeartRate"), {"threads": 0}), ("samples", (), {"part": 0, "parts": 2}),
    ("samples", ("nonsense",), {}), ("samples", (), {"columns": ("nonsense",)}), ("samples", (), {"since": "nonsense"}),
    ("statistics", (), {"by": "year"}), ("statistics", ("stepCount", "heartRate"), {"by": "month", "plain": True}),
    ("statistics", ("stepCount",), {"by": "hour"}), ("statistics", ("stepCount",), {"by": "decade"}),
    ("statistics", ("sleepAnalysis",), {}), ("sleep", (), {}), ("sleep", (), {"since": "2024"}), ("workouts", (), {}),
    ("workouts", (), {"until": "2024"}), ("ecg", (), {}), ("ecg", (), {"since": "2030"}),
]


def schema(field):
    """A field with all below it, as the specification writes them."""
    children = [schema(field.children[number].contents) for number in range(field.count)]
    dictionary = schema(field.dictionary.contents) if field.dictionary else None
    return field.name, field.format, field.flags, bool(field.metadata), children, dictionary


def fields(table):
    capsule = table.__arrow_c_stream__()
    address = streams._pointer(capsule, b"arrow_array_stream")
    found = streams.Schema()
    assert streams.Stream.from_address(address).get_schema(address, found) == 0
    try:
        return schema(found)
    finally:
        found.release(found)


def main(path, ring, key):
    archive = healthvault.open(path, keyring=ring, key_file=key)
    for name, types, options in TABLES:
        print(f"{name}{types} {options}")
        try:
            table = getattr(archive, name)(*types, **options)
            print("   ", fields(table))
            for number, part in enumerate(streams.arrays(table)):
                for column, values in part.items():
                    print(f"    {number} {column}: {values}")
        except Exception as problem:
            print(f"    {type(problem).__name__}: {problem}")
    for wrong in (("nothing.hvault", ring, key), (path, key, ring), (path, "nothing", key)):
        try:
            healthvault.open(wrong[0], keyring=wrong[1], key_file=wrong[2])
        except Exception as problem:
            print(f"{wrong[0]}: {type(problem).__name__}: {problem}")


main(*sys.argv[1:])
