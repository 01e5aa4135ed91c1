"""The Spark source on a standalone cluster of two workers on loopback: complete, without key derivations, also if one dies.

`make spark ARCHIVES=1000` takes so many archives in place of forty.
"""
import collections
import json
import os
import signal
import tempfile
import threading
import time
import unittest
from pathlib import Path

import healthvault
from sessions import Cluster, files, session
from study import PASSPHRASE, Study, instant, printed

from pyspark_healthvault import read, require_encryption

PROGRAMS = os.environ["HEALTHVAULT_PROGRAMS"]
#: Enough archives for each executor to be in the middle of its work for some seconds.
ARCHIVES = int(os.environ.get("ARCHIVES") or 40)
#: Exports that they are made of: the command is asked about one archive of each.
SOURCES = min(ARCHIVES, 8)


class ClusterTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory(prefix="healthvault-spark-")
        cls.folder = Path(cls.place.name)
        cls.study = Study(cls.folder / "study", PROGRAMS)
        cls.study.make(ARCHIVES, "2MB", sources=SOURCES)
        cls.study.make_ring()
        cls.cluster = cls.enterClassContext(Cluster(cls.folder / "cluster", workers=2))

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def session(self, **more):
        return session(self.cluster.url, self.cluster.settings(**{
            "spark.executorEnv.HEALTHVAULT_LOG": "debug", "spark.eventLog.enabled": "true",
            "spark.eventLog.dir": f"file://{self.events}", "spark.cores.max": "2", **more}))

    def setUp(self):
        self.events = self.folder / "events"
        self.events.mkdir(exist_ok=True)

    def frame(self, spark, **options):
        return read(spark, str(self.study.archives), keyring=str(self.study.ring), keyFile=str(self.study.key), **options)

    def steps(self, spark, **options):
        """The steps of each day by archive."""
        frame = self.frame(spark, table="statistics", types="stepCount", columns="archive,startDate,sum", **options)
        steps = collections.defaultdict(list)
        for row in frame.collect():
            steps[row.archive].append((row.startDate, row.sum))
        return {archive: sorted(days) for archive, days in steps.items()}

    def assert_same(self, found):
        """Compares the steps with those of every archive by the Python package, and of one of each source by the command."""
        self.assertEqual(sorted(found), [f"{number:06}" for number in range(1, ARCHIVES + 1)])
        for number in range(1, ARCHIVES + 1):
            days, path = found[f"{number:06}"], self.study.path(number)
            with healthvault.open(path, keyring=self.study.ring, key_file=self.study.key) as archive:
                rows = archive.statistics("stepCount").to_pydict()
            self.assertEqual(days, [(start.replace(tzinfo=None), total) for start, total in zip(rows["startDate"], rows["sum"])], path)
            self.assertGreater(len(days), 10)
            if number <= SOURCES:
                report = json.loads(self.study.ask("stats", path, "stepCount", "--by", "day", "--json"))
                self.assertEqual([(start, printed(total)) for start, total in days],
                                 [(instant(one["startDate"]), one["sum"]) for one in report["intervals"] if one["count"]], path)

    def logs(self):
        return b"".join(data for path, data in files(*self.folder.glob("cluster/work*")) if path.name == "stderr").decode()

    def test_daily_steps_of_every_participant_without_a_derivation(self):
        with self.session() as spark:
            require_encryption(spark)
            self.assert_same(self.steps(spark))
            self.assertEqual(self.shuffled(spark), self.inventory(spark))
            self.assert_nothing_readable()
            executors = len([one for one in spark._jsc.sc().getExecutorMemoryStatus().keySet().mkString(",").split(",")]) - 1
            self.assertEqual(executors, 2)
        logs = self.logs()
        self.assertGreaterEqual(logs.count("opened archive "), ARCHIVES)
        self.assertEqual(logs.count("derived a key"), 0)
        self.assert_nothing_readable()

    def steps_in_spite_of(self, kill):
        """Kills something in the middle of a job, whose result is complete all the same."""
        with self.session() as spark:
            # Enough small tasks for one of them to be running when it happens.
            killed = []

            def wait_and_kill():
                until = time.monotonic() + 120
                tracker = spark.sparkContext.statusTracker()
                while time.monotonic() < until and not killed:
                    for stage in tracker.getActiveStageIds():
                        info = tracker.getStageInfo(stage)
                        if info and info.numActiveTasks and info.numCompletedTasks:
                            kill()
                            killed.append((info.numCompletedTasks, info.numTasks))
                            return
                    time.sleep(0.005)
            thread = threading.Thread(target=wait_and_kill)
            thread.start()
            found = self.steps(spark, minPartitions=ARCHIVES)
            thread.join()
            self.assertTrue(killed, "nothing was killed in the middle")
            self.assertLess(killed[0][0], killed[0][1])
            self.assert_same(found)
        self.assert_nothing_readable()

    def test_an_executor_that_is_killed_in_the_middle(self):
        self.steps_in_spite_of(lambda: os.kill(self.cluster.executors()[0], signal.SIGKILL))

    def test_a_worker_that_is_killed_in_the_middle(self):
        killed = []
        self.steps_in_spite_of(lambda: killed.append(self.cluster.kill_worker()))
        # The other tests need two.
        another = killed[0] + 1
        self.cluster.start_worker(another)
        self.cluster.wait_for_worker(another)

    def inventory(self, spark):
        return self.frame(spark, table="inventory").groupBy().sum("count").collect()[0][0]

    def shuffled(self, spark):
        """Sends all samples from executor to executor, and keeps them on their disks."""
        from pyspark import StorageLevel
        rows = self.frame(spark).repartition(4, "sourceName").persist(StorageLevel.DISK_ONLY)
        count = rows.count()
        size = sum(len(data) for path, data in files(self.folder / "cluster") if "local-worker" in str(path))
        self.assertGreater(size, 1_000_000, "nothing is on the disks, so nothing is shown")
        return count

    def assert_nothing_readable(self):
        """Looks at every byte below the folders of the cluster, the logs of executors and the event log included."""
        key = self.study.key.read_bytes()
        secrets = [b"s Apple Watch", b"count/min", PASSPHRASE.encode(), key, key.hex().encode()]
        size = 0
        for path, data in files(self.folder / "cluster", self.events):
            size += len(data)
            if path.name == "spark.conf":
                continue
            for secret in secrets:
                self.assertNotIn(secret, data, path)
        self.assertGreater(size, 10_000)
        for path, data in files(self.events):
            self.assertNotIn(str(self.study.key).encode(), data, path)


if __name__ == "__main__":
    unittest.main()
