"""The Spark source on a standalone cluster of two workers on loopback: complete, without key derivations, also if one dies."""
import json
import os
import signal
import tempfile
import threading
import time
import unittest
from pathlib import Path

from sessions import Cluster, files, session
from study import PASSPHRASE, Study

from pyspark_healthvault import read, require_encryption

PROGRAMS = os.environ["HEALTHVAULT_PROGRAMS"]
#: Enough archives for each executor to be in the middle of its work for some seconds.
ARCHIVES = int(os.environ.get("ARCHIVES", 40))


class ClusterTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory(prefix="healthvault-spark-")
        cls.folder = Path(cls.place.name)
        cls.study = Study(cls.folder / "study", PROGRAMS)
        cls.study.make(ARCHIVES, "2MB", sources=min(ARCHIVES, 8))
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
        frame = self.frame(spark, table="statistics", types="stepCount", **options)
        return {row.archive: row.steps for row in
                frame.groupBy("archive").agg({"sum": "sum"}).withColumnRenamed("sum(sum)", "steps").collect()}

    def expected(self):
        """The steps of each archive, as the command counts them; archives of one source have the same."""
        answers, steps = {}, {}
        for number in range(1, ARCHIVES + 1):
            seed = (number - 1) % min(ARCHIVES, 8)
            if seed not in answers:
                report = json.loads(self.study.ask("stats", self.study.path(number), "stepCount", "--by", "day", "--json"))
                answers[seed] = sum(one["sum"] for one in report["intervals"] if one["count"])
            steps[f"{number:06}"] = answers[seed]
        return steps

    def assert_same(self, found):
        expected = self.expected()
        self.assertEqual(set(found), set(expected))
        for name, steps in expected.items():
            self.assertAlmostEqual(found[name] / steps, 1, 12, name)

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

    def test_an_executor_that_is_killed_in_the_middle(self):
        with self.session() as spark:
            # Enough small tasks for one of them to be running when it happens.
            killed = []

            def kill():
                until = time.monotonic() + 120
                tracker = spark.sparkContext.statusTracker()
                while time.monotonic() < until and not killed:
                    for stage in tracker.getActiveStageIds():
                        info = tracker.getStageInfo(stage)
                        if info and info.numActiveTasks and info.numCompletedTasks:
                            pid = self.cluster.executors()[0]
                            os.kill(pid, signal.SIGKILL)
                            killed.append((pid, info.numCompletedTasks, info.numTasks))
                            return
                    time.sleep(0.005)
            thread = threading.Thread(target=kill)
            thread.start()
            found = self.steps(spark, minPartitions=ARCHIVES)
            thread.join()
            self.assertTrue(killed, "no executor was killed in the middle")
            self.assertLess(killed[0][1], killed[0][2])
            self.assert_same(found)
        self.assert_nothing_readable()

    def inventory(self, spark):
        return self.frame(spark, table="inventory").groupBy().sum("count").collect()[0][0]

    def shuffled(self, spark):
        """Sends all samples from executor to executor, and keeps them on their disks."""
        from pyspark import StorageLevel
        rows = self.frame(spark).repartition(4, "source").persist(StorageLevel.DISK_ONLY)
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
