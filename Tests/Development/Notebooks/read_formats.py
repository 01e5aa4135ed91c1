#!/usr/bin/env python3
"""Reads what healthvault writes with DuckDB, pandas and Datasette, and compares every value with the source's.

    read_formats.py HEALTHVAULT HEALTHVAULT-GENERATE

The source is read with expat alone. It is generated, and nobody's data is in it.
"""
import json
import math
import subprocess
import sys
import tempfile
import unittest
import urllib.parse
import xml.parsers.expat
from collections import Counter
from datetime import datetime
from pathlib import Path

import duckdb
import pandas

PROGRAMS = sys.argv[1:3]
HEART_RATE = "HKQuantityTypeIdentifierHeartRate"


def records(path):
    """The attributes of all records at the top of the document, by type."""
    found, depth = {}, 0

    def start(name, attributes):
        nonlocal depth
        depth += 1
        if name == "Record" and depth == 2:
            found.setdefault(attributes["type"], []).append(attributes)

    def end(_):
        nonlocal depth
        depth -= 1

    parser = xml.parsers.expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.Parse(path.read_bytes(), True)
    return found


def instant(text):
    return datetime.strptime(text, "%Y-%m-%d %H:%M:%S %z").timestamp()


def text(value):
    """A cell as the source has it, without the mark of a formula."""
    return value[1:] if isinstance(value, str) and value.startswith("'") else value


def expected(records):
    return Counter((instant(record["startDate"]), instant(record["endDate"]), float(record["value"]), record["unit"],
                    record["sourceName"]) for record in records)


class Notebooks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.place.name)
        document, cls.out = cls.folder / "export.xml", cls.folder / "out"
        subprocess.run([PROGRAMS[1], "-o", document, "--size", "2MB"], check=True, capture_output=True)
        subprocess.run([PROGRAMS[0], "export", document, "--format", "ndjson,csv,sqlite", "-o", cls.out],
                       check=True, capture_output=True)
        cls.records = records(document)
        cls.quantities = {kind: rows for kind, rows in cls.records.items() if kind.startswith("HKQuantityType")}

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def paths(self, kind):
        return sorted(str(path) for path in (self.out / "records" / kind).glob("*.ndjson"))

    def same(self, kind, rows):
        self.assertEqual(Counter(rows), expected(self.quantities[kind]), kind)

    def test_duckdb_reads_lines(self):
        for kind in self.quantities:
            rows = duckdb.sql(
                "SELECT epoch(startDate::TIMESTAMPTZ), epoch(endDate::TIMESTAMPTZ), value::DOUBLE, unit, sourceName "
                f"FROM read_json_auto({self.paths(kind)}, union_by_name = true)").fetchall()
            self.same(kind, rows)

    def test_duckdb_reads_tables(self):
        for kind in self.quantities:
            rows = duckdb.sql(
                "SELECT epoch(startDate::TIMESTAMPTZ), epoch(endDate::TIMESTAMPTZ), value::DOUBLE, unit, sourceName "
                f"FROM read_csv('{self.out}/csv/{kind}.csv', all_varchar = true, header = true)").fetchall()
            self.same(kind, [tuple(map(text, row)) for row in rows])

    def test_duckdb_makes_parquet_of_tables(self):
        target = self.folder / "heart.parquet"
        duckdb.sql(f"COPY (SELECT * FROM read_csv_auto('{self.out}/csv/{HEART_RATE}.csv')) TO '{target}'")
        rows = duckdb.sql("SELECT epoch(startDate), epoch(endDate), value::DOUBLE, unit, sourceName "
                          f"FROM '{target}'").fetchall()
        self.same(HEART_RATE, rows)

    def test_pandas_reads_lines(self):
        for kind in self.quantities:
            frame = pandas.concat(pandas.read_json(path, lines=True, precise_float=True) for path in self.paths(kind))
            self.same(kind, self.rows(frame))

    def test_pandas_reads_tables(self):
        for kind in self.quantities:
            frame = pandas.read_csv(self.out / "csv" / f"{kind}.csv")
            self.assertEqual(frame.columns[0], "type")
            self.same(kind, self.rows(frame))

    @staticmethod
    def rows(frame):
        times = [[time.timestamp() for time in pandas.to_datetime(frame[name], utc=True)]
                 for name in ("startDate", "endDate")]
        return zip(*times, frame["value"].astype(float), frame["unit"], map(text, frame["sourceName"]))

    def test_duckdb_attaches_the_database(self):
        try:
            duckdb.sql("INSTALL sqlite; LOAD sqlite")
        except duckdb.Error as error:
            self.skipTest(f"DuckDB's reader of SQLite cannot be had here: {type(error).__name__}")
        duckdb.sql(f"ATTACH '{self.out}/health.db' AS health (TYPE sqlite, READ_ONLY)")
        count = duckdb.sql("SELECT count(*) FROM health.sample").fetchone()[0]
        self.assertGreaterEqual(count, sum(map(len, self.records.values())))

    def test_datasette_serves_the_database(self):
        query = ("select start_time, end_time, value, unit, source.name from sample join origin on origin.id = origin_id "
                 f"join source on source.id = source_id join type on type.id = type_id where identifier = '{HEART_RATE}'")
        path = "/health.json?" + urllib.parse.urlencode({"sql": query, "_shape": "arrays", "_size": "max"})
        answer = subprocess.run([Path(sys.executable).with_name("datasette"), self.out / "health.db", "--get", path,
                                 "--setting", "max_returned_rows", "1000000"], check=True, capture_output=True)
        rows = [tuple(row) for row in json.loads(answer.stdout)["rows"]]
        self.same(HEART_RATE, [(float(start), float(end), value, unit, source) for start, end, value, unit, source in rows])

    def test_views_in_datasette(self):
        answer = subprocess.run([Path(sys.executable).with_name("datasette"), self.out / "health.db", "--get",
                                 "/health/samples.json?_shape=objects&_size=5"], check=True, capture_output=True)
        for row in json.loads(answer.stdout)["rows"]:
            self.assertTrue(math.isfinite(datetime.fromisoformat(row["start_date"]).timestamp()))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
