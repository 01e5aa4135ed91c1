"""The examples of the page about notebooks, and the values of other libraries, in an environment that the wheel was installed in."""
import os
import re
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "Tests" / "Readers" / "PythonPackage"))

import duckdb  # noqa: E402
import healthvault  # noqa: E402
import pandas  # noqa: E402
import polars  # noqa: E402
import pyarrow  # noqa: E402
import pyarrow.parquet  # noqa: E402
from package import FOLDER, samples, study  # noqa: E402
from streams import decoded  # noqa: E402

PAGE = ROOT / "Sources" / "Interface" / "HealthVault" / "HealthVault.docc" / "Notebooks.md"
TABLES = {
    "samples": lambda archive: archive.samples(), "plain samples": lambda archive: archive.samples(plain=True),
    "all columns": lambda archive: archive.samples(columns=[
        "type", "startDate", "endDate", "value", "valueText", "unit", "sourceName", "creationDate", "sourceVersion", "device", "position", "id",
        "metadata", "attributes", "content"]),
    "types": lambda archive: archive.types(), "batches": lambda archive: archive.batches(),
    "statistics": lambda archive: archive.statistics(), "sleep": lambda archive: archive.sleep(),
    "workouts": lambda archive: archive.workouts(), "ecg": lambda archive: archive.ecg(),
    "rings": lambda archive: archive.rings(), "routes": lambda archive: archive.routes(),
    "nothing": lambda archive: archive.samples(since="2099"),
}


class Notebooks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        print(", ".join(f"{module.__name__} {module.__version__}" for module in (pyarrow, pandas, polars, duckdb)))
        assert Path(healthvault.__file__).is_relative_to(sys.prefix), "the wheel is what is tested"
        cls.study = study()
        cls.archive = healthvault.open(cls.study.path, keyring=cls.study.ring, key_file=cls.study.key)

    def test_the_examples_of_the_page(self):
        blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
        self.assertGreater(len(blocks), 6)
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                os.symlink(self.study.path, "health.hvault")
                os.symlink(self.study.secret, "passphrase.txt")
                names = {}
                for block in blocks:
                    exec(compile(block, str(PAGE), "exec"), names)
                self.assertEqual(sorted(os.listdir()), ["health.hvault", "heart.parquet", "passphrase.txt"])
                written = pyarrow.parquet.read_table("heart.parquet")
            finally:
                os.chdir(before)
        expected = [sample["value"] for sample in samples("heartRate")]
        self.assertEqual(sorted(written["value"].to_pylist()), sorted(expected))
        self.assertEqual(names["frame"]["value"].tolist(), [
            sample["value"] for sample in samples("heartRate") if sample["startDate"] >= "2024"])

    def test_pyarrow_has_the_values_of_every_table(self):
        for name, table in TABLES.items():
            with self.subTest(name):
                expected = decoded(table(self.archive))
                found = pyarrow.table(table(self.archive))
                found.validate(full=True)
                self.assertEqual(found.to_pydict(), expected)

    def test_polars_pandas_and_duckdb_have_the_same_values(self):
        for name, make in TABLES.items():
            with self.subTest(name):
                table = make(self.archive)
                rows = decoded(table)
                expected = pyarrow.table(table)
                self.assertEqual(expected.num_rows, len(next(iter(rows.values()))))
                self.assertEqual(polars.DataFrame(table).height, expected.num_rows)
                self.assertEqual(len(table.to_pandas()), expected.num_rows)
                self.assertEqual(len(table), expected.num_rows)
                if "value" in rows:
                    total = sum(value for value in rows["value"] if value is not None)
                    self.assertAlmostEqual(polars.DataFrame(table)["value"].sum(), total, 4)
                    self.assertAlmostEqual(expected.to_pandas()["value"].sum(), total, 4)
                count = duckdb.sql("SELECT count(*) FROM expected").fetchall()[0][0]
                self.assertEqual(count, expected.num_rows)

    def test_damage_is_reported_by_every_library(self):
        """Also by one that drops the capsule while it raises the error."""
        content = bytearray(self.study.path.read_bytes())
        for place in range(8192, len(content) - 65536, 4096):
            content[place] ^= 1
        path = FOLDER / "damaged.hvault"
        path.write_bytes(content)
        damaged = healthvault.open(path, keyring=self.study.ring, key_file=self.study.key).samples()
        for read in (pyarrow.table, polars.DataFrame, lambda found: pyarrow.RecordBatchReader.from_stream(found).read_all(),
                     lambda found: duckdb.sql("SELECT count(*) FROM found").fetchall()):
            with self.assertRaises(Exception) as raised:
                read(damaged)
            self.assertIn("is damaged", str(raised.exception))

    def test_duckdb_reads_a_table_itself(self):
        rates = self.archive.samples("heartRate")  # noqa: F841  (DuckDB finds it by its name)
        found = duckdb.sql("SELECT sum(value) FROM rates").fetchall()[0][0]
        self.assertAlmostEqual(found, sum(sample["value"] for sample in samples("heartRate")), 4)


if __name__ == "__main__":
    unittest.main()
