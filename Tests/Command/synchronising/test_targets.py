"""Databases and folders that are kept in step with exports."""
import collections
import json
import random
import signal
import subprocess
import time
import unittest
from pathlib import Path

import later_exports
from vault import BINARY, CommandTest, OPEN, environment, generated, run

from . import postgresql
from .targets import Directory, PostgreSQL, SQLite, command, sync, truth


def tearDownModule():
    PostgreSQL.stop()


class Exports:
    """An export, and a later one of the same phone: some samples are gone, some are new, all are written differently."""

    def __init__(self, folder, size="300kB"):
        made = generated("ordinary", "14", size)
        self.first = folder / "first.xml"
        document = later_exports.read(made.zip)
        self.first.write_bytes(document)
        # Members of correlations are there twice.
        gone = random.Random(1).sample([line for line in document.splitlines() if line.startswith(b" <Record")
                                        and line.endswith(b"/>") and b"BloodPressure" not in line
                                        and b"Dietary" not in line], 20)
        later = later_exports.moved(later_exports.without(document, *gone), 330)
        record = (b'<Record type="HKQuantityTypeIdentifierStepCount" sourceName="Tab\t&amp; \\N" unit="count" '
                  b'creationDate="2026-05-%02d 10:00:00 +0530" startDate="2026-05-%02d 09:00:00 +0530" '
                  b'endDate="2026-05-%02d 09:10:00 +0530" value="%d"/>')
        # Exact copies count each.
        new = [record % (day, day, day, 70) for day in range(1, 29)] + [record % (1, 1, 1, 70)]
        self.second = folder / "second.xml"
        self.second.write_bytes(later_exports.dated(later_exports.extended(later, *new)))


class TargetTests:
    """What is true of every target; a subclass names its kind."""

    def setUp(self):
        super().setUp()
        self.folder = Path(self.folder)
        self.target = self.kind(self.folder)
        self.addCleanup(self.target.close)
        self.exports = Exports(self.folder)

    def check(self, source):
        self.assertEqual(self.target.samples(), truth(source.read_bytes()))

    def test_one_export_after_the_other(self):
        first = truth(self.exports.first.read_bytes())
        self.assertEqual(sync(self.exports.first, self.target, "--dry-run")["added"], first.total())
        self.assertFalse(self.target.state())
        self.assertEqual(sync(self.exports.first, self.target)["added"], first.total())
        self.check(self.exports.first)
        before = self.target.state()
        again = sync(self.exports.first, self.target)
        self.assertEqual((again["added"], again["updated"], again["deleted"]), (0, 0, 0))
        second = truth(self.exports.second.read_bytes())
        dry = sync(self.exports.second, self.target, "--dry-run")
        self.assertEqual(self.target.state(), before)
        report = sync(self.exports.second, self.target, "--batch", "7")
        self.assertEqual(report["added"], (second - first).total())
        self.assertEqual(report["deleted"], (first - second).total())
        self.assertEqual((dry["added"], dry["deleted"]), (report["added"], report["deleted"]))
        self.check(self.exports.second)

    def test_types_are_synchronised_alone(self):
        sync(self.exports.first, self.target, "--types", "stepCount")
        wanted = {each: count for each, count in truth(self.exports.first.read_bytes()).items()
                  if each[:2] == ("Record", "HKQuantityTypeIdentifierStepCount")}
        self.assertEqual(self.target.samples(), collections.Counter(wanted))
        sync(self.exports.first, self.target)
        self.check(self.exports.first)

    def test_a_target_changed_by_hand(self):
        sync(self.exports.first, self.target)
        self.target.damage()
        self.assertNotEqual(self.target.samples() if self.kind is not Directory else None,
                            truth(self.exports.first.read_bytes()))
        report = sync(self.exports.first, self.target, "--reset")
        self.assertEqual((report["added"], report["deleted"]), (1, 0))
        self.check(self.exports.first)

    def test_killed_at_any_instant(self):
        kills = 0
        dice = random.Random(len(self.target.url))
        for source in [self.exports.first, self.exports.second, self.exports.first]:
            started = time.monotonic()
            run(*command(source, self.target, "--dry-run"))
            span = 2 * (time.monotonic() - started)
            for _ in range(5):
                with subprocess.Popen(command(source, self.target, "--batch", "20"), env=environment(),
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                    try:
                        process.wait(dice.uniform(0, span))
                    except subprocess.TimeoutExpired:
                        process.kill()
                        kills += 1
                self.await_release()
            sync(source, self.target)
            self.check(source)
        self.assertGreater(kills, 0)

    def await_release(self):
        """Waits until the server has noticed that the process is gone."""
        for _ in range(500):
            if run(*command(self.exports.first, self.target, "--types", "bodyMass")).status != 11:
                return
            time.sleep(0.02)
        self.fail("the target stays locked")

    def test_two_at_once(self):
        processes = [subprocess.Popen(command(source, self.target, "--json", "--batch", "5"), env=environment(),
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                     for source in (self.exports.first, self.exports.first)]
        results = [process.communicate() for process in processes]
        statuses = [process.returncode for process in processes]
        self.assertIn(0, statuses, results)
        self.assertLessEqual(set(statuses), {0, 11}, results)
        self.check(self.exports.first)

    def test_an_interruption_ends_between_two_batches(self):
        with subprocess.Popen(command(self.exports.first, self.target, "--batch", "1"), env=environment(),
                              stderr=subprocess.PIPE) as process:
            time.sleep(0.1)
            process.send_signal(signal.SIGINT)
            message = process.communicate()[1].decode()
        self.assertIn(process.returncode, (0, 130, -signal.SIGINT), message)
        sync(self.exports.first, self.target)
        self.check(self.exports.first)


class Databases(TargetTests, CommandTest):
    kind = SQLite


class Folders(TargetTests, CommandTest):
    kind = Directory


@unittest.skipIf(postgresql.PROGRAMS is None, postgresql.MISSING)
class PostgreSQLServers(TargetTests, CommandTest):
    kind = PostgreSQL

    def test_errors_have_no_values(self):
        sync(self.exports.first, self.target)
        self.target.cluster.sql("ALTER TABLE health_sample ADD CHECK (value < -1) NOT VALID")
        result = run(*command(self.exports.second, self.target))
        self.assertEqual(result.status, 1)
        self.assertIn("SQLSTATE 23514", result.stderr)
        for secret in ("HKQuantity", "2026-05", "Failing row"):
            self.assertNotIn(secret, result.stderr)

    def test_a_password_in_the_location_is_refused(self):
        result = run(BINARY, "sync", self.exports.first, "--target", "postgresql://me:topsecret@localhost/health")
        self.assertEqual(result.status, 2)
        self.assertNotIn("topsecret", result.stderr)

    def test_a_server_that_is_not_there(self):
        result = run(BINARY, "sync", self.exports.first, "--target", "postgresql:///health?host=/nonexistent")
        self.assertEqual(result.status, 75)


class Archives(CommandTest):
    def test_an_archive_gives_what_its_export_gives(self):
        folder = Path(self.folder)
        made = generated()
        target = SQLite(folder)
        first = sync(made.archive, target, *OPEN)
        self.assertGreater(first["added"], 0)
        again = sync(made.zip, target)
        self.assertEqual((again["added"], again["updated"], again["deleted"]), (0, 0, 0))

    def test_changes(self):
        exports = Exports(Path(self.folder))
        first, second = (truth(each.read_bytes()) for each in (exports.first, exports.second))
        result = run(BINARY, "changes", exports.second, "--since", exports.first, "--json")
        *lines, last = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual((last["added"], last["removed"]), ((second - first).total(), (first - second).total()))
        self.assertEqual(collections.Counter(line["change"] for line in lines),
                         {"added": last["added"], "removed": last["removed"]})
        result = run(BINARY, "changes", exports.second, "--since", last["anchor"], "--json")
        self.assertEqual([json.loads(line)["added"] for line in result.stdout.splitlines()], [0])
        anchor, pages = str(exports.first), []
        while True:
            result = run(BINARY, "changes", exports.second, "--since", anchor, "--json", "--limit", "10")
            *page, end = [json.loads(line) for line in result.stdout.splitlines()]
            anchor = end["anchor"]
            if not page:
                break
            pages += page
        self.assertEqual(sorted(line["id"] for line in pages), sorted(line["id"] for line in lines))


if __name__ == "__main__":
    unittest.main()
