"""What --keep removes, and what it never removes."""
import fcntl
import json
import os
import random
import unittest

import later_exports
from drives.stick import StickTest, later, samples, steps
from vault import BINARY, ENCRYPT, OPEN, Gated, generated


class Keeping(StickTest):
    def sources(self, count):
        """Exports of which each has more than the one before."""
        document = later_exports.read(self.first)
        for number in range(count):
            document = later_exports.extended(document, *steps(10, f"2026-05-{number + 1:02}"))
            later_exports.write(self.folder / f"{number}.zip", self.first, document)
        return [self.folder / f"{number}.zip" for number in range(count)]

    def everything(self):
        self.vault("verify", "drive/health", *OPEN)
        return samples(self.document())

    def test_the_base_of_a_link_that_was_not_recorded_stays(self):
        """The process was killed between the name and the record, or another computer made the link."""
        first, second, third = self.sources(3)
        self.increment(first)
        self.vault("export", second, "--to", "stick", "--incremental", *ENCRYPT, *self.places[:2],
                   "--state-dir", "other")
        self.increment(third, "--keep", "1")
        self.assertEqual(len(self.archives()), 3)
        self.assertEqual(self.everything(), samples(later_exports.read(third)))

    def test_a_process_that_is_killed_while_it_verifies(self):
        first, second, third = self.sources(3)
        self.increment(first)
        Gated([BINARY, "export", second, "--to", "stick", "--incremental", *ENCRYPT, *self.places], ("read", "open"),
              cwd=self.folder).reach(lambda: len(self.archives()) == 2).kill()
        self.increment(third, "--keep", "1")
        self.assertEqual(self.everything(), samples(later_exports.read(third)))

    def test_a_part_or_another_format_displaces_no_whole_archive(self):
        self.export(self.first)
        [archive] = self.archives()
        self.vault("export", self.first, "--to", "stick", "--types", "stepCount", "--format", "csv", "--keep", "1",
                   *self.places)
        self.export(self.first, "--types", "stepCount", "--keep", "1")
        self.assertIn(archive, self.archives())

    def test_files_that_are_gone_or_cut_do_not_count(self):
        first, second, third, fourth = self.sources(4)
        self.export(first)
        [oldest] = self.archives()
        self.export(second)
        [removed] = set(self.archives()) - {oldest}
        (self.stick / removed).unlink()
        self.export(third, "--keep", "2")
        self.assertEqual(len(self.archives()), 2)
        [cut] = set(self.archives()) - {oldest}
        os.truncate(self.stick / cut, 10_000)
        self.export(fourth, "--keep", "2")
        self.assertIn(oldest, self.archives())

    def test_what_cannot_be_removed_does_not_fail_the_export(self):
        first, second = self.sources(2)
        self.export(first)
        [old] = self.archives()
        with open(self.stick / old, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH)
            self.assertIn("not removed", self.export(second, "--keep", "1").stderr)
        self.assertEqual([run["result"] for run in self.history()], ["done", "done"])

    def test_a_full_archive_keeps_what_has_vanished(self):
        """More than half has changed, so that a full one is written; the old chain may go then."""
        self.increment(self.first)
        self.increment(later("less"))
        gone = self.inspected()["goneSamples"]
        self.assertEqual(gone, 7)
        document = later_exports.read(later("less"))
        dice = random.Random(1)
        many = [b'<Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" '
                b'startDate="20%d-%02d-%02d %02d:%02d:%02d +0200" value="%d"/>' % (
                    dice.randint(10, 19), dice.randint(1, 12), dice.randint(1, 28), dice.randint(0, 23),
                    dice.randint(0, 59), dice.randint(0, 59), dice.randint(1, 1 << 40)) for _ in range(40_000)]
        more = later_exports.extended(document, *many)
        later_exports.write(self.folder / "many.zip", self.first, more, minutes=-300)
        said = self.increment("many.zip", "--keep", "1").stderr
        self.assertIn("writing a full archive", said)
        self.assertEqual(len(self.archives()), 1)
        self.assertEqual(self.inspected()["goneSamples"], gone)
        self.assertEqual(self.everything(), samples(more))
        self.vault("verify", "drive/health", "--source", "many.zip", *OPEN)


class Damaged(StickTest):
    def flip(self, name, place):
        path = self.stick / name
        data = bytearray(path.read_bytes())
        data[place] ^= 1
        path.write_bytes(data)

    def test_what_is_damaged_is_never_taken_for_what_is_there_already(self):
        self.increment(self.first)
        [base] = self.archives()
        self.flip(base, (self.stick / base).stat().st_size // 2)
        self.increment(later("more"), status=13)
        # The next one starts anew, and says why.
        self.assertIn("writing a full archive", self.increment(later("more")).stderr)
        self.assertEqual([run["result"] for run in self.history()], ["done", "failed", "done"])
        [newest] = set(self.archives()) - {base}
        self.vault("verify", self.stick / newest, "--source", later("more"), *OPEN)
        self.assertIn(f"{base}: damaged", self.vault("verify", "drive/health", *OPEN, status=13).stdout.decode())
        self.assertIn("nothing new", self.increment(later("more")).stderr)

    def test_a_file_that_only_has_the_name_of_an_archive(self):
        self.increment(self.first)
        (self.stick / "health-2099-01-01.hvault").write_bytes(b"a note")
        self.increment(later("more"))
        (self.stick / "health-2099-01-01.hvault").unlink()
        [base, _] = sorted(self.archives(), key=len)
        (self.stick / base.replace(".hvault", ".3.hvault")).mkdir()
        document = later_exports.extended(later_exports.read(later("more")), *steps(3, "2026-04-01"))
        later_exports.write(self.folder / "third.zip", self.first, document, minutes=-300)
        self.increment("third.zip")
        self.assertEqual(samples(self.document()), samples(document))


class Others(StickTest):
    """Files of others at a destination."""

    def test_a_copy_that_somebody_makes_is_not_continued(self):
        self.vault("export", self.first, "-o", "a.hvault", *ENCRYPT)
        copy = self.stick / "health-2026-01-04.hvault.part"
        copy.write_bytes((self.folder / "a.hvault").read_bytes()[:200_000])
        before = copy.read_bytes()
        self.export(self.first)
        self.assertEqual(copy.read_bytes(), before)
        self.assertNotIn("health-2026-01-04.hvault", self.archives())

    def test_volumes_of_others_are_left_alone(self):
        other = self.folder / "x.hvault.002"
        other.write_bytes(b"mine")
        self.vault("export", self.first, "-o", "x.hvault", *ENCRYPT)
        self.vault("verify", "x.hvault", *OPEN)
        (self.folder / "x.hvault").unlink()
        for options in (), ("--restart",):
            self.vault("export", self.first, "-o", "x.hvault", "--split", "100kB", *ENCRYPT, *options, status=16)
        self.assertEqual(other.read_bytes(), b"mine")
        self.assertEqual([name for name in self.names() if name.startswith("x.")], ["x.hvault.002"])

    def test_one_export_at_a_time(self):
        with open(self.stick / ".healthvault-destination", "rb") as marker:
            fcntl.flock(marker, fcntl.LOCK_EX)
            self.export(self.first, status=11)
        self.export(self.first)

    def test_a_busy_state_is_waited_for(self):
        self.export(self.first)
        state = os.open(self.folder / "state", os.O_RDONLY)
        fcntl.flock(state, fcntl.LOCK_EX)
        export = Gated([BINARY, "export", generated().zip, "--to", "stick", *ENCRYPT, *self.places], ("flock",),
                       cwd=self.folder).reach(lambda: any(name.endswith(".part") for name in self.names(self.stick)))
        self.assertTrue(export.pass_calls(100), "it tries again and again")
        os.close(state)
        self.assertEqual(export.end()[0], 0)
        self.assertEqual([run["result"] for run in self.history()], ["done", "done"])

    def test_what_a_killed_process_left_in_the_state_hinders_nobody(self):
        (self.folder / "state").mkdir(mode=0o700, exist_ok=True)
        (self.folder / "state" / ".spool").touch(0o600)
        self.increment(self.first)
        self.increment(later("more"))
        self.assertNotIn(".spool", self.names(self.folder / "state"))

    def test_nothing_new_for_programs(self):
        self.increment(self.first)
        report = json.loads(self.increment(later("same"), "--json").stdout)
        self.assertEqual([report["nothingNew"], report["path"].endswith(self.archives()[0])], [True, True])

    def test_mirroring_drops_what_is_gone_although_nothing_is_new(self):
        self.increment(self.first)
        self.increment(later("less"))
        self.assertEqual(self.inspected()["goneSamples"], 7)
        self.increment(later("less"), "--mirror")
        self.assertEqual(self.inspected()["goneSamples"], 0)

    def test_a_later_export_is_the_source_of_what_has_everything_already(self):
        self.increment(self.first)
        self.assertIn("nothing new", self.increment(later("same")).stderr)
        self.vault("verify", "drive/health", "--source", later("same"), *OPEN)


if __name__ == "__main__":
    unittest.main()
