"""A folder in which exports arrive."""
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest
import zipfile

import later_exports
from vault import BINARY, Waiting, environment, generated, wait_until


class Watching(Waiting):
    def setUp(self):
        super().setUp()
        self.inbox, self.database = self.folder / "inbox", self.folder / "health.db"
        self.inbox.mkdir()
        self.options = ["--then", "sync", "--target", f"sqlite:{self.database}", "--state-dir", self.folder / "state"]

    def samples(self):
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True) as database:
            count = database.execute("SELECT count(*) FROM health_samples").fetchone()[0]
        database.close()
        return count

    def status(self):
        result = self.vault("schedule", "status", "--json", "--state-dir", self.folder / "state", "--config-dir", self.folder / "c",
                            status=(0, 1))
        watched = json.loads(result.stdout)["watched"]
        self.assertEqual(result.status, 1 if any(state["failed"] for state in watched) else 0)
        return watched

    def test_once(self):
        self.vault("watch", self.inbox, *self.options, "--once")
        self.assertEqual(self.status(), [])
        shutil.copy(generated().zip, self.inbox / "export.zip")
        self.vault("watch", self.inbox, *self.options, "--once")
        count = self.samples()
        self.assertGreater(count, 0)
        self.assertEqual([state["done"] for state in self.status()], [["sync"]])
        # The same content under another name is skipped; a target that is gone has nothing.
        (self.inbox / "export.zip").rename(self.inbox / "export 2.zip")
        self.assertEqual(self.vault("watch", self.inbox, *self.options, "--once").stderr, "")
        self.database.unlink()
        self.assertIn(f"sync done: {count:,} added", self.vault("watch", self.inbox, *self.options, "--once").stderr)
        self.assertEqual(self.samples(), count)

    def test_names_in_upper_case_arrive_too(self):
        for path, name in (generated().zip, "EXPORT.ZIP"), (generated().xml, "Export.XML"):
            shutil.copy(path, self.inbox / name)
            self.vault("watch", self.inbox, *self.options[:-1], self.folder / name, "--once")
            self.assertGreater(self.samples(), 0)
            self.database.unlink()
            (self.inbox / name).unlink()

    def test_another_target_is_not_done(self):
        shutil.copy(generated().zip, self.inbox / "export.zip")
        self.vault("watch", self.inbox, *self.options, "--once")
        count = self.samples()
        self.database = self.folder / "other.db"
        options = ["--then", "sync", "--target", f"sqlite:{self.database}", *self.options[4:]]
        self.vault("watch", self.inbox, *options, "--once")
        self.assertEqual(self.samples(), count)
        self.assertEqual([state["done"] for state in self.status()], [["sync"]])

    def document(self, name, document, date, modified):
        """Puts an export into the inbox whose own date is not the time of its file."""
        path = self.inbox / name
        path.write_bytes(later_exports.dated(document, date))
        os.utime(path, (modified, modified))

    @staticmethod
    def steps(*values):
        """An export with some step counts, which tell one person from another."""
        return b'<HealthData>\n <ExportDate value=""/>\n' + b"".join(
            b' <Record type="HKQuantityTypeIdentifierStepCount" sourceName="x" unit="count" startDate="2024-05-%02d '
            b'09:00:00 +0000" endDate="2024-05-%02d 09:10:00 +0000" value="%d"/>\n' % (day, day, value)
            for day, value in enumerate(values, 1)) + b"</HealthData>\n"

    MAY, JUNE, JULY = (b"2026-%02d-01 08:00:00 +0000" % month for month in (5, 6, 7))

    def test_exports_count_by_their_own_dates(self):
        """A file's time says when it was copied."""
        self.document("new.xml", self.steps(1, 2, 3), self.JUNE, 1000)
        self.document("old.xml", self.steps(1, 2), self.MAY, 2000)
        self.vault("watch", self.inbox, *self.options, "--once")
        self.assertEqual(self.samples(), 3)
        # Neither an older one that is copied later nor a newer one that is touched changes that.
        os.utime(self.inbox / "old.xml")
        self.document("older.xml", self.steps(1), b"2026-04-01 08:00:00 +0000", time.time())
        os.utime(self.inbox / "new.xml")
        self.assertNotIn("done", self.vault("watch", self.inbox, *self.options, "--once").stderr)
        self.assertEqual(self.samples(), 3)
        # Brought back by hand, the target gets the newest again.
        self.vault("sync", self.inbox / "old.xml", "--target", f"sqlite:{self.database}", "--allow-older")
        self.assertEqual(self.samples(), 2)
        self.vault("watch", self.inbox, *self.options, "--once")
        self.assertEqual(self.samples(), 3)

    def test_an_older_export_alone_is_named_and_refused(self):
        self.document("new.xml", self.steps(1, 2, 3), self.JUNE, 1000)
        self.vault("watch", self.inbox, *self.options, "--once")
        (self.inbox / "new.xml").unlink()
        self.document("old.xml", self.steps(1, 2), self.MAY, 2000)
        result = self.vault("watch", self.inbox, *self.options, "--once", status=3)
        self.assertIn("old.xml: sync refused", result.stderr)
        self.assertEqual(self.samples(), 3)

    def test_the_exports_of_two_people(self):
        self.document("a.xml", self.steps(1, 2, 3), self.MAY, 1000)
        self.document("b.xml", self.steps(10, 20, 30, 40), self.JUNE, 2000)
        totals = self.folder / "totals.sqlite"
        self.vault("analytics", "init", self.inbox / "a.xml", "--database", totals)
        options = ["--then", "sync,analytics", "--database", totals, "--target", f"sqlite:{self.database}", "--target",
                   f"dir:{self.folder / 'files'}", "--state-dir", self.folder / "state"]
        for _ in range(3):
            result = self.vault("watch", self.inbox, *options, "--once", status=3)
            # A folder has the samples of one person, a database of days too: the one who came first.
            self.assertIn("a.xml: sync refused", result.stderr)
            self.assertIn("b.xml: analytics refused", result.stderr)
            self.assertEqual(self.samples(), 7)
            self.assertEqual(len(list((self.folder / "files").glob("stepCount/*/*.json"))), 4)
            self.document("a.xml", self.steps(1, 2, 3), self.JULY, time.time())
        shown = self.vault("analytics", "show", "day", "--database", totals, "--json").stdout
        self.assertEqual([day["steps"]["value"] for day in json.loads(shown)["rows"]], [1, 2, 3])

    def test_an_export_without_samples_empties_nothing(self):
        self.document("a.xml", self.steps(1, 2, 3), self.MAY, 1000)
        totals = self.folder / "totals.sqlite"
        self.vault("analytics", "init", self.inbox / "a.xml", "--database", totals)
        before = self.vault("analytics", "show", "day", "--database", totals).stdout
        self.document("empty.xml", self.steps(), self.JUNE, 2000)
        for status in 3, 3, 3:
            self.vault("watch", self.inbox, "--then", "sync,analytics", "--database", totals, *self.options[2:], "--once",
                       status=status)
            self.assertEqual(self.samples(), 3)
            self.assertEqual(self.vault("analytics", "show", "day", "--database", totals).stdout, before)

    def test_an_export_without_a_date_does_not_follow_a_newer_one(self):
        self.document("new.xml", self.steps(1, 2, 3), self.JUNE, 1000)
        (self.inbox / "undated.xml").write_bytes(self.steps(1, 2).replace(b' <ExportDate value=""/>\n', b""))
        # A file's time decides between equal dates, and only once.
        self.document("same.xml", self.steps(1, 2), self.JUNE, 500)
        for _ in range(2):
            self.vault("watch", self.inbox, *self.options, "--once")
            self.assertEqual(self.samples(), 3)

    def test_a_refusal_hides_no_failure(self):
        self.document("a.xml", self.steps(1, 2, 3), self.MAY, 1000)
        files, away = f"dir:{self.folder / 'files'}", f"sqlite:{self.folder / 'away' / 'health.db'}"
        self.vault("sync", self.inbox / "a.xml", "--target", files)
        (self.inbox / "a.xml").unlink()
        self.document("b.xml", self.steps(10, 20, 30), self.JUNE, 1000)
        for targets in (files, away), (away, files):
            options = ["--then", "sync", *(part for target in targets for part in ("--target", target)), *self.options[4:]]
            result = self.vault("watch", self.inbox, *options, "--once", status=10)
            self.assertIn("b.xml: sync refused", result.stderr)
        # Names of people and places stay out of the state folder.
        self.vault("watch", self.inbox, *self.options, "--person", "Benjamin", "--once")
        self.assertNotIn("Benjamin", (self.folder / "state" / "watched").read_text())

    def test_what_is_no_export_is_passed_over(self):
        """However many there are, and whatever their times."""
        self.document("a.xml", self.steps(1, 2, 3), self.MAY, 1000)
        for number in range(150):
            with zipfile.ZipFile(self.inbox / f"{number}.zip", "w") as other:
                other.writestr("photo.jpg", b"x")
        (self.inbox / "invoice.xml").write_bytes(b"<?xml version='1.0'?><invoice/>")
        self.assertEqual(self.vault("watch", self.inbox, *self.options, "--once").stderr.count("\n"), 1)
        self.assertEqual(self.samples(), 3)

    def test_a_change_in_the_middle_is_another_content(self):
        """Length, ends and the time of the file are the same."""
        filling = b" <!-- " + b"x" * (3 << 19) + b" -->\n"
        middle = self.steps(1, 2, 3).replace(b" <Record", filling + b" <Record", 1).replace(
            b"</HealthData>", filling + b"</HealthData>")
        self.document("a.xml", middle, self.MAY, 1000)
        self.vault("watch", self.inbox, *self.options, "--once")
        self.document("a.xml", middle.replace(b'value="3"', b'value="4"'), self.MAY, 1000)
        self.assertIn("1 added, 0 updated, 1 deleted", self.vault("watch", self.inbox, *self.options, "--once").stderr)
        self.assertEqual(self.samples(), 3)

    def test_half_a_file(self):
        content = generated().zip.read_bytes()
        (self.inbox / "export.zip").write_bytes(content[:len(content) // 2])
        result = self.vault("watch", self.inbox, *self.options, "--once", status=3)
        self.assertIn("not a complete export", result.stderr)
        self.assertFalse(self.database.exists())

    def test_a_broken_file_does_not_hide_an_older_export(self):
        shutil.copy(generated().zip, self.inbox / "export.zip")
        (self.inbox / "later.zip").write_bytes(generated().zip.read_bytes()[:5000])
        result = self.vault("watch", self.inbox, *self.options, "--once", status=3)
        self.assertEqual(result.stderr.count("not a complete export"), 1)
        self.assertGreater(self.samples(), 0)
        self.assertEqual([state["done"] for state in self.status()], [["sync"]])

    def test_a_target_that_is_away_does_not_keep_the_others_from_the_export(self):
        shutil.copy(generated().zip, self.inbox / "export.zip")
        away = ["--target", f"sqlite:{self.folder / 'away' / 'health.db'}"]
        options = [*self.options[:2], *away, *self.options[2:]]
        self.assertIn("away/health.db: sync failed",
                      self.vault("watch", self.inbox, *options, "--once", status=10).stderr)
        self.assertGreater(self.samples(), 0)
        [state] = self.status()
        self.assertEqual((state["done"], len(state["failed"])), ([], 1))
        (self.folder / "away").mkdir()
        self.vault("watch", self.inbox, *options, "--once")
        self.assertEqual([state["done"] for state in self.status()], [["sync"]])

    def test_no_schedule_for_the_folder(self):
        shutil.copy(generated().zip, self.inbox / "export.zip")
        result = self.vault("watch", self.inbox, "--then", "export", "--once", "--config-dir", self.folder / "c",
                            "--state-dir", self.folder / "state", status=10)
        self.assertIn("no exports that a schedule takes", result.stderr)

    def test_a_step_that_fails_does_not_stop_the_others(self):
        shutil.copy(generated().zip, self.inbox / "export.zip")
        missing = self.folder / "missing.sqlite"
        options = ["--then", "analytics,sync", "--database", missing, *self.options[2:]]
        self.vault("watch", self.inbox, *options, "--once", status=10)
        self.assertGreater(self.samples(), 0)
        [state] = self.status()
        self.assertEqual((state["done"], len(state["failed"])), (["sync"], 1))
        self.vault("analytics", "init", self.inbox / "export.zip", "--database", missing)
        self.vault("watch", self.inbox, *options, "--once")
        self.assertEqual([sorted(state["done"]) for state in self.status()], [["analytics", "sync"]])

    def test_an_encrypted_database_is_refused_at_once(self):
        said = self.vault("watch", self.inbox, "--then", "analytics", "--database", "a.hvault", "--once", status=2).stderr
        self.assertIn("cannot update an encrypted database", said)

    def test_the_exports_of_a_schedule(self):
        shelf = self.folder / "shelf"
        shelf.mkdir()
        places = ["--config-dir", self.folder / "c"]
        self.vault("destination", "add", "shelf", shelf, *places)
        self.vault("schedule", "set", "--to", "shelf", "--every", "day 03:00", "--source", self.inbox, "--format", "ndjson",
                   "--timer", "none", *places)
        shutil.copy(generated().zip, self.inbox / "export.zip")
        self.vault("watch", self.inbox, "--then", "export", "--once", *places, "--state-dir", self.folder / "state")
        self.assertEqual([state["done"] for state in self.status()], [["export"]])

    def test_a_drive_that_is_away_does_not_keep_exports_from_the_others(self):
        places = ["--config-dir", self.folder / "c"]
        for name in ("away", "shelf"):
            (self.folder / name).mkdir()
            self.vault("destination", "add", name, self.folder / name, *places)
            self.vault("schedule", "set", "--to", name, "--every", "day 03:00", "--source", self.inbox, "--format",
                       "ndjson", "--timer", "none", *places)
        (self.folder / "away").rename(self.folder / "elsewhere")
        shutil.copy(generated().zip, self.inbox / "export.zip")
        step = ["watch", self.inbox, "--then", "export", "--once", *places, "--state-dir", self.folder / "state"]
        self.assertIn("away: export failed", self.vault(*step, status=75).stderr)
        self.assertEqual(len(list((self.folder / "shelf").glob("health-*"))), 1)
        (self.folder / "elsewhere").rename(self.folder / "away")
        self.vault(*step)
        for name in ("away", "shelf"):
            self.assertEqual(len(list((self.folder / name).glob("health-*"))), 1)
        self.assertEqual([state["done"] for state in self.status()], [["export"]])

    def test_waiting_for_the_next_one(self):
        with subprocess.Popen(list(map(str, [BINARY, "watch", self.inbox, *self.options])), env=environment(),
                              stderr=subprocess.DEVNULL) as process:
            document = later_exports.read(generated().zip)
            half = len(document) // 2
            with open(self.inbox / "export.xml", "wb") as file:
                file.write(document[:half])
                file.flush()
                time.sleep(1)
                file.write(document[half:])
            wait_until(lambda: self.database.exists() and self.status(), "the first export")
            first = self.samples()
            more = later_exports.extended(
                document, b'<Record type="HKQuantityTypeIdentifierStepCount" sourceName="x" unit="count" '
                b'startDate="2026-05-01 09:00:00 +0000" endDate="2026-05-01 09:10:00 +0000" value="7"/>')
            (self.inbox / "next.xml").write_bytes(more)
            wait_until(lambda: self.samples() == first + 1, "the second export")
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(), 0)


if __name__ == "__main__":
    unittest.main()
