"""The source `healthvault` of Spark."""
from __future__ import annotations

import copy
from typing import Any, Iterator

from pyspark.sql.datasource import DataSource, DataSourceReader
from pyspark.sql.types import StructType

from . import filters, partitions
from .options import Options
from .tables import schema_of


class HealthVaultSource(DataSource):
    """Archives of a study as one table: samples, statistics, or an inventory."""

    def __init__(self, options: dict[str, str]) -> None:
        super().__init__(options)
        self._options = Options.parse(options)

    @classmethod
    def name(cls) -> str:
        return "healthvault"

    def schema(self) -> StructType:
        return schema_of(self._options)

    def reader(self, schema: StructType) -> DataSourceReader:
        kind = FilteringReader if self._options.push_filters else Reader
        return kind(self._options, schema)


class Reader(DataSourceReader):
    """Reads the archives of a study, a partition of them in each task."""

    def __init__(self, options: Options, schema: StructType) -> None:
        self.options = options
        self.schema = schema

    def partitions(self) -> list[partitions.Partition]:
        return partitions.plan(self.options)

    def read(self, partition: Any) -> Iterator[Any]:
        # Executors need pyarrow and the library; the process that plans needs neither.
        from . import reading
        return reading.batches(self.options, self.schema, partition)


class FilteringReader(Reader):
    """The same, with the filters that Spark passes on; Spark refuses it unless it is told to pass some on."""

    def pushFilters(self, given: list[Any]) -> Iterator[Any]:
        self.options = copy.copy(self.options)
        for one in given:
            filters.narrow(self.options, one)
            # Batches are chosen as a whole, so Spark looks at each row all the same.
            yield one
