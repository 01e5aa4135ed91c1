"""The tables of the source, and the types of their columns."""
from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql.types import (
    BooleanType, DataType, DateType, DoubleType, LongType, StringType, StructField, StructType, TimestampType)

if TYPE_CHECKING:
    from .options import Options

#: All columns by table, with their types in Spark. Times are instants; days are days in the zone of the archive.
COLUMNS = {
    "samples": {
        "archive": "string", "type": "string", "startDate": "timestamp", "endDate": "timestamp", "value": "double",
        "valueText": "string", "unit": "string", "sourceName": "string", "creationDate": "timestamp",
        "sourceVersion": "string",
        "device": "string", "position": "bigint", "id": "string", "content": "string", "problem": "string"},
    "statistics": {
        "archive": "string", "type": "string", "day": "date", "startDate": "timestamp", "endDate": "timestamp",
        "unit": "string", "count": "bigint", "sum": "double", "average": "double", "minimum": "double",
        "maximum": "double", "isPartial": "boolean", "problem": "string"},
    "inventory": {
        "archive": "string", "path": "string", "bytes": "bigint", "identifier": "string", "zone": "string",
        "exported": "string", "type": "string", "name": "string", "count": "bigint", "first": "timestamp",
        "last": "timestamp", "problem": "string"},
}
#: Spark asks for a schema in a process without a session, where no text is parsed.
TYPES: dict[str, DataType] = {
    "bigint": LongType(), "boolean": BooleanType(), "date": DateType(), "double": DoubleType(), "string": StringType(),
    "timestamp": TimestampType()}
#: Columns that are there only if they are named.
ON_REQUEST = {"creationDate", "sourceVersion", "device", "position", "id", "content"}


def schema_of(options: Options) -> StructType:
    """Returns the columns that the options ask for.

    Skipped archives have a row with their name and their problem, and nothing else in it.
    """
    columns = COLUMNS[options.table]
    names = options.columns or tuple(
        name for name in columns if name not in ON_REQUEST
        and (name != "problem" or options.skips_damage or options.table == "inventory"))
    return StructType([StructField(name, TYPES[columns[name]]) for name in names])
