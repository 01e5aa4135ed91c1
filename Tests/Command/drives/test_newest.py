"""What is newest, and what may go: told by what the archives contain, and not by clocks, names and records."""
import json
import os
import random
import re
import shutil
import unittest

import later_exports
from drives.stick import StickTest, later, samples, steps
from terminal import Terminal
from vault import BINARY, ENCRYPT, ITERATIONS, OPEN, PASSPHRASE, Gated, generated, run, skip_loudly

JULY = b"2026-07-01 08:00:00 +0200"


class NewestTest(StickTest):
    def of_july(self, *more):
        """An export of July that has all of the first one, and more."""
        document = later_exports.dated(later_exports.read(later("more")), JULY)
        path = self.folder / "july.zip"
        later_exports.write(path, self.first, later_exports.extended(document, *more), minutes=-300)
        return path

    def lines(self, change):
        """Changes the lines of the history."""
        path = self.folder / "state" / "history"
        path.write_text("".join(change(path.read_text().splitlines(keepends=True))))

    def shown(self):
        """The samples that the folder shows."""
        return samples(self.document())


class OlderExports(NewestTest):
    def test_are_never_kept_in_place_of_newer_ones(self):
        self.export(later("more"))
        newer = self.archives()
        self.export(self.first, "--keep", "1")
        self.assertEqual(self.archives(), sorted([*newer, "health-2026-01-15.hvault"]))
        self.export(self.of_july())
        said = self.export(self.first, "--keep", "1").stderr
        # Those of June are newer than what was just written, and more than one.
        self.assertIn("not removed", said)
        self.assertIn("has a newer export than the one just written", said)
        self.assertIn(newer[0], self.archives())
        self.assertEqual(self.shown(), samples(later_exports.read(later("more"))))

    def test_do_not_continue_newer_ones(self):
        self.increment(later("more"))
        before = self.archives()
        said = self.increment(self.first, status=2).stderr
        self.assertIn("older than the newest export", said)
        self.assertEqual(self.archives(), before)

    def test_become_archives_of_their_own_if_somebody_agrees(self):
        self.increment(later("more"))
        with Terminal(self.folder, "export", self.first, "--to", "stick", "--incremental", *ENCRYPT,
                      *self.places) as terminal:
            terminal.expect("Write it as an archive of its own?")
            terminal.type("yes\n")
            self.assertEqual(terminal.close(), 0)
        self.assertEqual(self.archives(), ["health-2026-01-15.hvault", "health-2026-06-01.hvault"])
        self.assertEqual(self.shown(), samples(later_exports.read(later("more"))))


class WrongClocks(NewestTest):
    """A phone whose clock was once decades ahead makes no export the newest for decades."""

    def setUp(self):
        super().setUp()
        document = later_exports.dated(later_exports.read(self.first), b"2099-01-01 08:00:00 +0200")
        later_exports.write(self.folder / "2099.zip", self.first, document)

    def test_an_archive_is_continued(self):
        self.increment("2099.zip")
        self.increment(later("more"))
        self.assertEqual(len([name for name in self.archives() if ".plus-2026-06-01" in name]), 1)
        self.assertEqual(self.shown(), samples(later_exports.read(later("more"))))

    def test_a_later_archive_is_shown(self):
        self.export("2099.zip")
        self.export(later("more"))
        self.assertEqual(self.shown(), samples(later_exports.read(later("more"))))
        self.assertEqual(self.vault("stats", "drive/health", "stepCount", "--csv", *OPEN).stdout,
                         self.vault("stats", "drive/health/health-2026-06-01.hvault", "stepCount", "--csv", *OPEN).stdout)


class Removing(NewestTest):
    def test_what_only_an_old_archive_has_stays(self):
        self.export(self.first)
        said = self.export(later("less"), "--keep", "1").stderr
        self.assertIn("health-2026-01-15.hvault has 7 samples that the newer ones lack", said)
        self.assertEqual(len(self.archives()), 2)
        # An archive with all of them lets both go.
        self.export(self.of_july(), "--keep", "1")
        self.assertEqual(self.archives(), ["health-2026-07-01.hvault"])

    def test_clocks_do_not_matter(self):
        """The computer's clock was two days ahead at first: what was just written, and what it continues, stay."""
        self.increment(self.first)
        self.lines(lambda lines: [re.sub(r'"began":\d+', '"began":4102444800', line) for line in lines])
        self.increment(later("more"), "--keep", "1")
        self.assertEqual(self.shown(), samples(later_exports.read(later("more"))))
        self.vault("verify", "drive/health", *OPEN)

    def test_doubled_records_count_once(self):
        self.export(self.first)
        self.export(later("more"))
        self.lines(lambda lines: lines + lines)
        self.increment(self.of_july(*steps(3, "2026-06-20")), "--keep", "2")
        self.assertEqual(len(self.archives()), 3)
        self.vault("verify", "drive/health", *OPEN)

    def test_a_renamed_link_protects_what_it_continues(self):
        self.increment(self.first)
        self.increment(later("more"))
        base, link = sorted(self.archives(), key=len)
        os.rename(self.stick / link, self.stick / "mine.hvault")
        said = self.export(self.of_july(), "--keep", "1").stderr
        self.assertNotIn("removed", said)
        self.assertIn(base, self.archives())
        self.vault("verify", self.stick / "mine.hvault", *OPEN)
        result = self.vault("export", self.first, "-o", self.stick / base, "--overwrite", *ENCRYPT, status=16)
        self.assertIn("mine.hvault", result.stderr)
        self.vault("compact", self.stick / "mine.hvault", "-o", self.stick / base, "--overwrite", *OPEN, status=2)
        self.vault("verify", self.stick / "mine.hvault", *OPEN)

    def test_a_renamed_link_with_another_passphrase_protects_what_it_continues(self):
        """Only the history knows what it continues."""
        self.increment(self.first)
        self.increment(later("more"))
        base, link = sorted(self.archives(), key=len)
        os.rename(self.stick / link, self.stick / "mine.hvault")
        (self.folder / "other").write_text("another passphrase of its owner")
        self.vault("passphrase", "change", self.stick / "mine.hvault", *OPEN, "--new-passphrase-file", "other", *ITERATIONS)
        said = self.export(self.of_july(), "--keep", "1").stderr
        self.assertNotIn("removed", said)
        self.assertIn(base, self.archives())
        self.vault("verify", self.stick / "mine.hvault", "--passphrase-file", "other")

    def test_another_file_under_the_name_of_an_old_one_stays(self):
        """Somebody puts it there while the question is thought about."""
        self.export(self.first)
        [old] = self.archives()
        self.vault("export", later("more"), "-o", "other.hvault", *ENCRYPT)
        with Terminal(self.folder, "export", later("less"), "--to", "stick", "--keep", "1", *ENCRYPT,
                      *self.places) as terminal:
            terminal.expect("that the newer ones lack")
            os.replace(self.folder / "other.hvault", self.stick / old)
            terminal.type("yes\n")
            self.assertEqual(terminal.close(), 0)
        self.assertEqual(len(self.archives()), 2)
        self.vault("verify", self.stick / old, "--source", later("more"), *OPEN)

    def test_files_in_progress_of_others_stay(self):
        self.vault("export", self.first, "-o", "a.hvault", *ENCRYPT)
        self.increment(self.first)
        copy = self.stick / "health-2026-01-15.plus-2026-06-01.hvault.part"
        copy.write_bytes((self.folder / "a.hvault").read_bytes()[:200_000])
        self.increment(later("more"))
        self.assertEqual(copy.stat().st_size, 200_000)

    def test_what_a_power_failure_left_of_zeros_is_in_nobodys_way(self):
        self.increment(self.first)
        (self.stick / "health-2026-01-15.plus-2026-06-01.hvault.part").write_bytes(bytes(200_000))
        self.increment(later("more"))
        self.assertEqual([run["result"] for run in self.history()], ["done", "done"])

    def test_what_was_begun_before_that_was_noted_is_in_nobodys_way(self):
        """An unfinished file that its process could not note has its first bytes, and no passphrase."""
        self.increment(self.first)
        start = (self.stick / "health-2026-01-15.hvault").read_bytes()[:64]
        part = self.stick / "health-2026-01-15.plus-2026-06-01.hvault.part"
        part.write_bytes(start + bytes(20_000))
        self.increment(later("more"))
        self.assertEqual([name for name in self.names(self.stick) if name.endswith(".part")], [])

    def test_what_its_owner_has_named_and_stopped_stays(self):
        """A session goes on by its name, whoever exports to its folder meanwhile."""
        source = generated("ordinary", "14", "60MB").xml
        place = self.stick / "health-2024-01-01.hvault"
        part = self.stick / "health-2024-01-01.hvault.part"
        command = ["export", source, "-o", place, *ENCRYPT, "--session", "mine", "--state-dir", "state"]
        Gated([BINARY, *command], ("write",), cwd=self.folder).reach(
            lambda: part.exists() and part.stat().st_size > 100_000).kill()
        kept = part.read_bytes()
        for export in self.export, self.increment:
            export(later("more"))
            self.assertEqual(part.read_bytes(), kept)
        self.vault("session", "resume", "mine", "--state-dir", "state", *OPEN)
        self.vault("verify", place, "--source", source, *OPEN)
        self.assertEqual(len(self.archives()), 2)

    def test_own_files_in_progress_go(self):
        """Full archives after a chain cannot be continued; what kills leave of them is removed by the next run."""
        self.increment(self.first)
        dice = random.Random(1)
        many = [b'<Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" '
                b'startDate="20%d-%02d-%02d %02d:%02d:%02d +0200" value="%d"/>' % (
                    dice.randint(10, 19), dice.randint(1, 12), dice.randint(1, 28), dice.randint(0, 23),
                    dice.randint(0, 59), dice.randint(0, 59), dice.randint(1, 1 << 40)) for _ in range(40_000)]
        source = self.of_july(*many)
        for _ in range(2):
            Gated([BINARY, "export", source, "--to", "stick", "--incremental", *ENCRYPT, *self.places], ("write",),
                  cwd=self.folder).reach(lambda: any(
                      (self.stick / name).stat().st_size > 5000 for name in self.names(self.stick)
                      if name.endswith(".part"))).kill()
        self.assertEqual(len([name for name in self.names(self.stick) if name.endswith(".part")]), 1)
        self.increment(source)
        self.assertEqual([name for name in self.names(self.stick) if name.endswith(".part")], [])


class Names(NewestTest):
    def test_of_the_future_deceive_nobody(self):
        self.export(self.first)
        self.increment(later("more"))
        oldest = "health-2099-01-01.hvault"
        self.export(self.of_july(*steps(3, "2026-06-20")))
        os.rename(self.stick / "health-2026-01-15.hvault", self.stick / oldest)
        newest = samples(later_exports.read(self.folder / "july.zip"))
        self.assertEqual(self.shown(), newest)
        count = self.vault("inspect", "drive/health", "--json", *OPEN).stdout
        self.assertTrue(json.loads(count)["path"].endswith("health-2026-07-01.hvault"))
        self.assertIn("nothing new", self.increment(self.folder / "july.zip").stderr)


class Lost(NewestTest):
    def test_the_newest_archive_is_missed(self):
        self.increment(self.first)
        self.increment(later("more"))
        [base, link] = sorted(self.archives(), key=len)
        (self.stick / link).unlink()
        said = self.increment(later("more")).stderr
        self.assertIn("is in the history and no longer at the destination", said)
        self.assertEqual(self.shown(), samples(later_exports.read(later("more"))))

    def test_without_a_middle_one_a_full_archive_is_written(self):
        for source in self.first, later("more"), self.of_july(*steps(3, "2026-06-20")):
            self.increment(source)
        (self.stick / "health-2026-01-15.plus-2026-06-01.hvault").unlink()
        august = later_exports.dated(later_exports.read(self.folder / "july.zip"), b"2026-08-01 08:00:00 +0200")
        later_exports.write(self.folder / "august.zip", self.first, august, minutes=-300)
        said = self.increment("august.zip").stderr
        self.assertIn("writing a full archive", said)
        self.assertEqual(self.shown(), samples(august))

    def test_a_cut_archive_is_not_there(self):
        self.export(self.first)
        self.export(later("more"))
        os.truncate(self.stick / "health-2026-06-01.hvault", 4096)
        self.assertEqual([run["file"] for run in self.history()], ["present", "DAMAGED"])
        self.export(self.of_july(), "--keep", "2")
        self.assertIn("health-2026-01-15.hvault", self.archives())
        self.vault("export", self.first, "--to", "stick", "--format", "ndjson", *self.places)
        folder = self.stick / "health-2026-01-15-another-2"
        for path in folder.iterdir():
            if path.name != "manifest.json":
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        self.assertEqual(self.history()[-1]["file"], "DAMAGED")

    def test_a_second_passphrase_is_missed(self):
        self.increment(self.first)
        (self.folder / "second").write_bytes(b"another passphrase for emergencies")
        self.vault("passphrase", "add", self.stick / self.archives()[0], *OPEN, "--new-passphrase-file", "second",
                   *ITERATIONS)
        self.assertIn("opens only with the passphrase given now", self.increment(later("more")).stderr)


class Recording(NewestTest):
    def test_nothing_gets_its_name_that_the_history_cannot_record(self):
        if os.geteuid() != 0:
            skip_loudly(self, "only root can mount a small disk")
        (self.folder / "state").mkdir()
        if run("mount", "-t", "tmpfs", "-o", "size=3m,nr_inodes=20", "tmpfs", self.folder / "state").status != 0:
            skip_loudly(self, "a small disk cannot be mounted here")
        self.addCleanup(run, "umount", "--lazy", self.folder / "state")
        for number in range(20):
            try:
                (self.folder / "state" / f"full{number}").touch()
            except OSError:
                break
        self.export(self.first, status=15)
        self.assertEqual(self.archives(), [])
        for number in range(20):
            (self.folder / "state" / f"full{number}").unlink(missing_ok=True)
        self.export(self.first)
        self.assertEqual([run["result"] for run in self.history()][-1], "done")

    def test_another_drive_in_its_place_while_the_passphrase_is_asked_for(self):
        """The clone has the same mark, and is not the same folder."""
        (self.folder / "pass").write_bytes(PASSPHRASE.encode())
        swap = "mv drive away && mkdir -p drive/health && cp -p away/health/.healthvault-destination drive/health && cat pass"
        for options in (["--encrypt", "--iterations", "100000"], ["--incremental", "--encrypt", "--iterations", "100000"]):
            result = self.vault("export", self.first, "--to", "stick", *options, *self.places,
                                "--passphrase-command", swap, status=(1, 10, 75))
            self.assertIn("a different drive is at", result.stderr)
            self.assertEqual(self.archives(), [])
            self.assertEqual([name for name in self.names(self.stick) if ".hvault" in name], [])
            shutil.rmtree(self.folder / "drive")
            (self.folder / "away").rename(self.folder / "drive")

    def test_days_of_activity_in_another_order_than_their_instants(self):
        document = b"""<?xml version="1.0"?>
<HealthData locale="en_US">
 <ExportDate value="2024-02-01 08:00:00 +0200"/>
 <ActivitySummary dateComponents="2024-01-02" startDate="2024-01-02 00:30:00 +1400" activeEnergyBurned="1"/>
 <ActivitySummary dateComponents="2024-01-01" startDate="2024-01-01 20:00:00 -0500" activeEnergyBurned="1"/>
</HealthData>
"""
        (self.folder / "export.xml").write_bytes(document)
        self.export("export.xml")
        self.vault("inspect", "drive/health", *OPEN)


if __name__ == "__main__":
    unittest.main()
