"""What `make test` runs of Spark: two archives in one process, a few seconds long."""
import collections
import json
import os
import tempfile
import unittest
from pathlib import Path

from sessions import files, session, settings
from study import Study, instant, printed

from pyspark_healthvault import read


class TwoArchives(unittest.TestCase):
    def test_statistics_and_samples_are_those_of_the_command(self):
        folder = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="healthvault-spark-")))
        study = Study(folder / "study", os.environ["HEALTHVAULT_PROGRAMS"])
        study.make(2)
        study.make_ring()
        steps, rates = collections.defaultdict(list), collections.defaultdict(list)
        with session("local[2]", settings(folder / "spark")) as spark:
            def table(**options):
                return read(spark, str(study.archives), keyring=str(study.ring), keyFile=str(study.key), **options)
            for row in table(table="statistics", types="stepCount").collect():
                steps[row.archive].append((row.startDate, printed(row.sum)))
            for row in table(types="heartRate", columns="archive,startDate,value").sort("startDate").collect():
                rates[row.archive].append((row.startDate, row.value))
            left = {path: data for path, data in files(folder / "spark") if b"HKQuantityTypeIdentifier" in data}
        self.assertEqual(left, {})
        for number in 1, 2:
            path = study.path(number)
            report = json.loads(study.ask("stats", path, "stepCount", "--by", "day", "--json"))
            expected = [(instant(one["startDate"]), one["sum"]) for one in report["intervals"] if one["count"]]
            self.assertEqual(sorted(steps[path.stem]), expected)
            samples = map(json.loads, study.ask("query", path, "heartRate", "--json").splitlines())
            self.assertEqual(sorted(rates[path.stem]), sorted((instant(one["startDate"]), one["value"]) for one in samples))
            self.assertGreater(len(rates[path.stem]), 100)


if __name__ == "__main__":
    unittest.main()
