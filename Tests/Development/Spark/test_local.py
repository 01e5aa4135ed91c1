"""The Spark source in one process: the same values as the command, options, filters, damage, and what is left on disk."""
import collections
import json
import os
import shutil
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sessions import files, session, settings
from study import Study, instant, printed

from pyspark.errors import PySparkException
from pyspark.sql import functions
from pyspark_healthvault import UnencryptedSessionError, partitions, read, require_encryption
from pyspark_healthvault.options import OptionError, Options
from pyspark_healthvault.source import HealthVaultSource

PROGRAMS = os.environ["HEALTHVAULT_PROGRAMS"]
#: What the generator writes into every export, and nobody else into Spark's files.
MARK = "s Apple Watch"


class StudyTest(unittest.TestCase):
    """Tests of a study of small archives, one of each shape and a larger one."""

    CONF = {}

    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory(prefix="healthvault-spark-")
        cls.folder = Path(cls.place.name)
        cls.study = Study(cls.folder / "study", PROGRAMS)
        cls.study.make(3)
        for number, (shape, size) in enumerate([("manyTypes", "1MB"), ("ordinary", "100MB")], 4):
            export = cls.study.generate(number, size, shape, ())
            cls.study.encrypt(export, cls.study.path(number))
            shutil.rmtree(export)
        cls.study.make_ring()
        cls.names = [cls.study.path(number).stem for number in range(1, 6)]
        cls.stack = cls.enterClassContext(session("local[2]", settings(cls.folder / "spark") | cls.CONF))

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    @property
    def spark(self):
        return self.stack

    def keys(self):
        return {"keyring": str(self.study.ring), "keyFile": str(self.study.key)}

    def table(self, path=None, **options):
        return read(self.spark, str(path or self.study.archives), **self.keys() | options)


class Values(StudyTest):
    def test_statistics_are_those_of_the_command(self):
        rows = collections.defaultdict(list)
        for row in self.table(table="statistics", types="stepCount").collect():
            rows[row.archive].append((row.startDate, row.endDate, row["count"], printed(row["sum"])))
        # That with many types has no steps.
        self.assertEqual(sorted(rows), [name for name in self.names if name != "000004"])
        for name in rows:
            report = json.loads(self.study.ask(
                "stats", self.study.archives / f"{name}.hvault", "stepCount", "--by", "day", "--json"))
            expected = [(instant(one["startDate"]), instant(one["endDate"]), one["count"], one["sum"])
                        for one in report["intervals"] if one["count"]]
            self.assertEqual(sorted(rows[name]), expected, name)

    def test_statistics_count_nothing_twice(self):
        totals = {row[0]: row[1] for row in self.table(table="statistics", types="stepCount")
                  .groupBy("archive").sum("sum").collect()}
        for number in range(1, 4):
            census = self.study.census(number)
            name = "HKQuantityTypeIdentifierStepCount"
            self.assertAlmostEqual(totals[self.names[number - 1]] / census["trueTotals"][name], 1, delta=0.001)
            self.assertGreater(census["naiveTotals"][name], 1.2 * census["trueTotals"][name])

    def test_samples_of_every_type_are_those_of_the_command(self):
        name = self.names[3]
        path = self.study.archives / f"{name}.hvault"
        rows = collections.defaultdict(collections.Counter)
        for row in self.table(path).collect():
            rows[row.type][row.startDate, row.endDate, row.value, row.valueText, row.unit, row.sourceName] += 1
        types = [row.type for row in self.table(path, table="inventory").select("type").collect()]
        self.assertEqual(sorted(types), sorted(rows))
        self.assertGreater(len(types), 60)
        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(lambda identifier: self.study.ask("query", path, identifier, "--json"), types))
        for identifier, answer in zip(types, answers):
            expected = collections.Counter(self.row(json.loads(line)) for line in answer.splitlines())
            self.assertEqual(rows[identifier], expected, identifier)

    @staticmethod
    def row(sample):
        """The row of a sample as the command shows it."""
        def time(name):
            # What has only a day has it among its attributes.
            text = sample.get(name)
            return instant(text) if text and "T" in text else None
        value = sample.get("value")
        number = value if isinstance(value, (int, float)) else None
        # The command shows the unit of a correlation's parts.
        unit = None if "HKCorrelationType" in sample["type"] else sample.get("unit")
        return time("startDate"), time("endDate"), number, value if isinstance(value, str) else None, unit, sample.get("sourceName")

    def test_a_large_archive_in_slices_has_the_same_samples(self):
        path = self.study.path(5)
        whole = self.table(path, minPartitions=1)
        sliced = self.table(path, maxPartitionBytes=1 << 16)
        self.assertEqual(whole.rdd.getNumPartitions(), 1)
        self.assertGreater(sliced.rdd.getNumPartitions(), 8)
        # A sum of hashes, because that of values depends on the order.
        sums = [sorted(map(tuple, frame.groupBy("type").agg(functions.count("*"), functions.sum(
            functions.hash(*frame.columns))).collect())) for frame in (whole, sliced)]
        self.assertEqual(*sums)
        inventory = self.table(path, table="inventory").groupBy().sum("count").collect()[0][0]
        self.assertEqual(whole.count(), inventory)
        self.assertEqual(sliced.count(), inventory)

    def test_the_inventory(self):
        rows = self.table(table="inventory").collect()
        self.assertEqual(sorted({row.archive for row in rows}), self.names)
        for number, name in enumerate(self.names, 1):
            mine = [row for row in rows if row.archive == name]
            self.assertEqual({row.path for row in mine}, {str(self.study.path(number))})
            self.assertEqual({row.bytes for row in mine}, {self.study.path(number).stat().st_size})
            self.assertEqual({row.identifier for row in mine}, {self.study.path(number).read_bytes()[32:64].hex()})
            self.assertEqual({row.problem for row in mine}, {None})
            report = json.loads(self.study.ask("inspect", self.study.path(number), "--json"))
            self.assertEqual(sum(row["count"] for row in mine), report["samples"])


class Selections(StudyTest):
    def test_columns_that_are_not_asked_for_are_not_there(self):
        frame = self.table(columns="value,archive,startDate")
        self.assertEqual(frame.columns, ["value", "archive", "startDate"])
        everything = self.table()
        self.assertEqual(frame.count(), everything.count())
        self.assertEqual(frame.groupBy().sum("value").collect()[0][0] > 0, True)
        only = self.table(columns="archive").groupBy("archive").count().collect()
        self.assertEqual({row[0]: row[1] for row in only}, {
            row[0]: row[1] for row in everything.groupBy("archive").count().collect()})
        by_schema = (self.spark.read.format("healthvault").options(**self.keys()).schema("startDate timestamp, value double")
                     .load(str(self.study.archives)))
        self.assertEqual(by_schema.count(), everything.count())

    def test_filters_change_no_result(self):
        for question in ("type = 'HKQuantityTypeIdentifierHeartRate' and startDate >= '2025-09-01'",
                         "type in ('HKQuantityTypeIdentifierStepCount', 'HKQuantityTypeIdentifierHeartRate')"
                         " and startDate < '2025-10-01T12:34:56.789' and value > 10",
                         f"archive = '{self.names[1]}'", f"archive in ('{self.names[0]}', 'none') and value is not null",
                         "type = 'HKQuantityTypeIdentifierNoneSuch'", "startDate = '2025-09-01'",
                         "type in ('HKQuantityTypeIdentifierHeartRate', 'HKQuantityTypeIdentifierNoneSuch')"):
            with self.subTest(question):
                pushed = self.table().where(question)
                plain = self.table(pushFilters="false").where(question)
                self.assertEqual(pushed.groupBy("archive", "type").count().sort("archive", "type").collect(),
                                 plain.groupBy("archive", "type").count().sort("archive", "type").collect())
        for question in ("type in ('HKQuantityTypeIdentifierStepCount', 'HKCategoryTypeIdentifierSleepAnalysis')",
                         "type = 'HKCategoryTypeIdentifierSleepAnalysis'"):
            pushed, plain = (self.table(table="statistics", by="month", pushFilters=push).where(question)
                             for push in ("true", "false"))
            self.assertEqual(pushed.sort("archive", "type", "day").collect(), plain.sort("archive", "type", "day").collect())
        for question in "day >= '2025-09-01' and day < '2025-09-08'", "day = '2025-09-01'":
            pushed = self.table(table="statistics", types="stepCount").where(question)
            plain = self.table(table="statistics", types="stepCount", pushFilters="false").where(question)
            self.assertEqual(pushed.drop("partial").sort("archive", "day").collect(),
                             plain.drop("partial").sort("archive", "day").collect())

    def test_filters_on_archives_leave_tasks_out(self):
        one = self.table(minPartitions=8).where(f"archive = '{self.names[1]}'")
        self.assertEqual(one.rdd.getNumPartitions(), 1)
        self.assertGreater(one.count(), 0)

    def test_patterns_lists_and_folders(self):
        expected = {row[0]: row[1] for row in self.table().groupBy("archive").count().collect()}
        pattern = self.table(self.study.archives / "00000[12].hvault").groupBy("archive").count().collect()
        self.assertEqual({row[0]: row[1] for row in pattern}, {name: expected[name] for name in self.names[:2]})
        listed = self.folder / "list.txt"
        listed.write_text("".join(f"{self.study.path(number)}\n" for number in (3, 1)))
        rows = (self.spark.read.format("healthvault").options(**self.keys(), list=str(listed)).load()
                .groupBy("archive").count().collect())
        self.assertEqual({row[0]: row[1] for row in rows}, {
            str(self.study.path(number))[:-len(".hvault")]: expected[self.names[number - 1]] for number in (3, 1)})
        with self.assertRaisesRegex(Exception, "there are no archives there"):
            self.table(self.folder / "spark").count()


class Planning(unittest.TestCase):
    """Which archives there are, and how they are shared out; nothing is opened for it."""

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def put(self, name, size):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "wb") as file:
            file.truncate(size)

    def plan(self, **options):
        return partitions.plan(Options.parse({
            "path": str(self.folder), "passphrasefile": "/none", **{name.lower(): str(value) for name, value in options.items()}}))

    def found(self):
        return {one.archive: (os.path.relpath(one.path, self.folder), one.bytes)
                for one in partitions.participants(Options(path=str(self.folder)))}

    def test_chains_and_volumes_are_one_participant(self):
        self.put("a.hvault", 10), self.put("a.2.hvault", 3), self.put("a.10.hvault", 1)
        self.put("b/c.hvault.001", 7), self.put("b/c.hvault.002", 2), self.put("notes.txt", 5)
        self.put("x.2024.hvault", 4), self.put("half.hvault.part", 4)
        self.put("p1/health-2026-01-01.hvault", 6), self.put("p1/health-2026-01-01.plus-2026-02-01.hvault", 1)
        self.assertEqual(self.found(), {
            "a": ("a.2.hvault", 13), "a.10": ("a.10.hvault", 1), "b/c": ("b/c.hvault", 9),
            "x.2024": ("x.2024.hvault", 4), "p1": ("p1", 7)})

    def test_numbers_that_are_names_stay_participants(self):
        names = {f"P.{number}" for number in range(1, 12)} | {"site.101", "site.102", "anna.2024", "anna.2025"}
        for name in names:
            self.put(f"{name}.hvault", 5)
        self.assertEqual(self.found(), {name: (f"{name}.hvault", 5) for name in names})

    def test_small_ones_go_together_and_each_is_read_once(self):
        for number in range(100):
            self.put(f"{number:03}.hvault", (number + 1) << 14)
        for count in 1, 3, 8:
            plan = self.plan(minPartitions=count)
            names = [part.participant.archive for partition in plan for part in partition.parts]
            self.assertEqual((len(plan), sorted(names)), (count, [f"{number:03}" for number in range(100)]))
            loads = [sum(part.participant.bytes for part in partition.parts) for partition in plan]
            self.assertLess(max(loads), 1.05 * sum(loads) / count)

    def test_large_ones_are_cut(self):
        self.put("large.hvault", 300 << 20), self.put("small.hvault", 1 << 20)
        plan = self.plan(minPartitions=1, maxPartitionBytes=32 << 20)
        slices = sorted((part.slice, part.slices) for partition in plan for part in partition.parts
                        if part.participant.archive == "large")
        self.assertEqual(slices, [(number, slices[0][1]) for number in range(slices[0][1])])
        self.assertGreater(len(slices), 8)
        statistics = self.plan(minPartitions=1, maxPartitionBytes=32 << 20, table="statistics")
        self.assertEqual([part.slices for partition in statistics for part in partition.parts], [1, 1])


class Refusals(unittest.TestCase):
    GOOD = {"path": "/data", "keyring": "/ring", "keyfile": "/key"}
    SECRET = "correct-horse-battery-staples"

    def refuse(self, message, **options):
        given = {name.lower(): value for name, value in (self.GOOD | options).items() if value is not None}
        with self.assertRaises(OptionError) as caught:
            HealthVaultSource(given)
        self.assertRegex(str(caught.exception), message)
        self.assertNotIn(self.SECRET, str(caught.exception))

    def test_secrets(self):
        for name in "passphrase", "password", "key", "secretKey", "apiToken", "passphraseCommand", "studyKey", "pwd":
            self.refuse("looks like a secret", **{name: self.SECRET})
        for name in "keyFile", "keyring", "passphraseFile":
            options = {name: self.SECRET}
            if name == "passphraseFile":
                options |= {"keyring": None, "keyfile": None}
            self.refuse("takes the absolute path", **options)

    def test_mistakes(self):
        HealthVaultSource(self.GOOD)
        self.refuse("did you mean 'columns'", colums="value")
        self.refuse("there is no such option", zebra="1")
        self.refuse("needed together", keyfile=None)
        self.refuse("give 'keyring' and 'keyFile', or 'passphraseFile'", keyfile=None, keyring=None)
        self.refuse("give 'keyring' and 'keyFile', or 'passphraseFile'", passphraseFile="/secret")
        self.refuse("give a folder", path=None)
        self.refuse("one of samples, statistics, inventory", table="nights")
        self.refuse("has no column of a name", columns="value,zebra")
        self.refuse("fail or skip", onDamage="ignore")
        self.refuse("number of bytes", maxPartitionBytes="12")
        self.refuse("takes a number", minPartitions="many")

    def test_no_library_is_loaded_where_it_is_registered(self):
        import subprocess
        import sys
        code = ("import sys, pyspark_healthvault as p; p.DefaultSource({'path': '/d', 'passphrasefile': '/p'}).schema();"
                "print([name for name in ('healthvault', 'pyarrow') if name in sys.modules])")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        self.assertNotIn("healthvault'", done.stdout)


class Damage(StudyTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # A chunk in the middle of the second, and the end of the third.
        data = bytearray(cls.study.path(2).read_bytes())
        data[len(data) // 2] ^= 1
        cls.study.path(2).write_bytes(data)
        cls.study.path(3).write_bytes(cls.study.path(3).read_bytes()[:-8192])
        (cls.study.archives / "other.hvault").write_bytes(b"no archive at all")

    def test_it_fails(self):
        with self.assertRaisesRegex(PySparkException, "(?s)000002.hvault|000003.hvault|other.hvault"):
            self.table().count()

    def test_it_is_skipped_and_listed(self):
        for table in "samples", "statistics":
            options = {"types": "stepCount"} if table == "statistics" else {}
            rows = self.table(table=table, onDamage="skip", **options)
            problems = {row.archive: row.problem for row in rows.where("problem is not null").collect()}
            self.assertLessEqual({"000003", "other"}, set(problems))
            self.assertIn("not an encrypted archive", problems["other"])
            self.assertNotIn("\n", "".join(problems.values()))
            whole = {row[0] for row in rows.where("problem is null").select("archive").distinct().collect()}
            # The fourth has no steps.
            self.assertEqual(whole | {"000004"}, set(self.names) - set(problems))
            if table == "samples":
                self.assertIn("000004", whole)
                self.assertEqual(set(problems), {"000002", "000003", "other"})
        count = self.table(onDamage="skip", columns="archive,value").groupBy("archive").count().collect()
        self.assertEqual({row[0] for row in count}, {"000001", "000004", "000005"})

    def test_the_inventory_lists_it(self):
        rows = self.table(table="inventory").where("problem is not null").collect()
        self.assertLessEqual({"000003", "other"}, {row.archive for row in rows})

    def test_a_wrong_key_is_no_damage(self):
        key = self.folder / "other.key"
        key.write_bytes(bytes(32))
        key.chmod(0o600)
        for table in "samples", "inventory":
            with self.assertRaisesRegex(PySparkException, "the key is not that of this key ring"):
                self.table(table=table, onDamage="skip", keyFile=str(key)).count()


class Leftovers(StudyTest):
    def job(self, spark):
        """Shuffles and caches all samples on disk; returns the frames that keep the files."""
        from pyspark import StorageLevel
        rows = (spark.read.format("healthvault").options(**self.keys(), minPartitions=4).load(str(self.study.archives)))
        cached = rows.persist(StorageLevel.DISK_ONLY)
        shuffled = cached.repartition(4, "sourceName").sortWithinPartitions("startDate").persist(StorageLevel.DISK_ONLY)
        self.assertGreater(shuffled.count(), 100_000)
        return cached, shuffled

    def marks(self, *folders):
        sizes = {path: len(data) for path, data in files(*folders)}
        found = [str(path) for path, data in files(*folders)
                 if any(mark.encode() in data for mark in (MARK, "HKQuantityTypeIdentifier", "count/min"))]
        return sum(sizes.values()), found

    def test_nothing_readable_is_on_disk(self):
        kept = self.job(self.spark)
        size, found = self.marks(self.folder / "spark")
        self.assertEqual(found, [])
        self.assertGreater(size, 1_000_000, "nothing was written, so nothing is shown")
        for frame in kept:
            frame.unpersist()

    def test_a_session_without_encryption_is_refused(self):
        class Other:
            class sparkContext:
                @staticmethod
                def getConf():
                    return {"spark.master": "spark://host:7077", "spark.io.encryption.enabled": "true"}
        with self.assertRaisesRegex(UnencryptedSessionError, "spark.authenticate=true, spark.network.crypto.enabled=true"):
            require_encryption(Other)
        require_encryption(self.spark)


class WithoutEncryption(Leftovers):
    """The same job without the setting: what the other test looks for is there."""

    CONF = {"spark.io.encryption.enabled": "false"}

    def table(self, *arguments, **options):
        raise AssertionError("not here")

    def test_nothing_readable_is_on_disk(self):
        kept = self.job(self.spark)
        self.assertTrue(self.marks(self.folder / "spark")[1])
        for frame in kept:
            frame.unpersist()

    def test_a_session_without_encryption_is_refused(self):
        with self.assertRaisesRegex(UnencryptedSessionError, "spark.io.encryption.enabled=true"):
            read(self.spark, str(self.study.archives), **self.keys())


if __name__ == "__main__":
    unittest.main()
