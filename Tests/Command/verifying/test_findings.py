"""What is called damage, what is not, and what is said of it."""
import json
import shutil
import unittest

import later_exports
from documents import END, FULL, HEAD, RECORD, export_zip
from drives.stick import chain
from vault import BINARY, ENCRYPT, ITERATIONS, OPEN, STRACE, CommandTest, each, generated, run


class Verifying(CommandTest):
    def test_the_archive_of_another_export_is_not_called_damaged(self):
        other = generated("shuffled", "14", "3MB").zip
        for archive, options in (generated().archive, OPEN), (generated().plain, ()):
            result = self.vault("verify", archive, "--source", other, *options, status=13)
            self.assertNotIn("damaged", result.stderr)
            self.assertIn(b"intact, but it does not match this source", result.stdout)
            report = json.loads(self.vault("verify", archive, "--source", other, "--json", *options, status=13).stdout)
            self.assertEqual((report["intact"], report["matchesSource"]), (True, False))

    def test_a_stranger_in_a_folder_is_not_called_damage(self):
        shutil.copytree(generated().plain, self.folder / "plain")
        (self.folder / "plain" / ".DS_Store").write_text("")
        result = self.vault("verify", "plain", status=13)
        self.assertNotIn("damaged", result.stderr)
        self.assertIn(".DS_Store", result.stderr)

    def test_a_file_that_the_drive_does_not_give_back_is_a_finding(self):
        shutil.copytree(generated().plain, self.folder / "plain")
        lost, _, changed = sorted((self.folder / "plain" / "records").rglob("*.ndjson"))[:3]
        changed.write_bytes(changed.read_bytes() + b"{}\n")
        result = run(*STRACE, "-o", "/dev/null", "-P", lost.relative_to(self.folder), "-e", "trace=read,pread64",
                     "-e", "inject=read,pread64:error=EIO", BINARY, "verify", "plain", cwd=self.folder)
        self.assertEqual(result.status, 13)
        self.assertIn(f"{lost.relative_to(self.folder / 'plain')} cannot be read from the drive", result.stderr)
        self.assertIn(f"{changed.relative_to(self.folder / 'plain')} has changed", result.stderr)

    def test_a_source_that_is_not_there_is_noticed_first(self):
        result = self.vault("verify", generated().archive, "--source", "typo.zip", status=10)
        self.assertIn("typo.zip", result.stderr)

    def test_json_whatever_the_damage(self):
        data = generated().archive.read_bytes()
        for cut in 3, 5000, len(data) // 2, len(data) - 5000:
            (self.folder / "cut.hvault").write_bytes(data[:cut])
            result = self.vault("verify", "cut.hvault", "--json", *OPEN, status=(13, 14))
            if result.status == 13:
                report = json.loads(result.stdout)
                self.assertFalse(report["intact"])
                self.assertEqual(len(report["problems"]), 1)

    def test_a_damaged_source_says_nothing_of_the_archive(self):
        data = generated().xml.read_bytes()
        (self.folder / "cut.xml").write_bytes(data[:len(data) // 2])
        result = self.vault("verify", generated().archive, "--source", "cut.xml", "--json", *OPEN, status=13)
        self.assertEqual(result.stdout, b"")
        self.assertIn("cut.xml", result.stderr)

    def test_an_unfinished_archive_says_how_to_go_on(self):
        (self.folder / "x.hvault.part").write_bytes(generated().archive.read_bytes()[:-5000])
        for command in "verify", "inspect":
            result = self.vault(command, "x.hvault.part", *OPEN, status=13)
            self.assertRegex(result.stderr, "same export command|recover")


class EarlierExports(CommandTest):
    """A source that an archive contains, and more: an earlier export of the same phone."""

    LATER = later_exports.dated((HEAD + FULL + RECORD * 3 + RECORD.replace("2023-05-01", "2023-05-02") + END).encode())

    def compare(self, source, status=0, *options):
        (self.folder / "export.xml").write_bytes(self.LATER)
        if not (self.folder / "a.hvault").exists():
            self.vault("export", "export.xml", "-o", "a.hvault", *ENCRYPT)
        (self.folder / "source.xml").write_bytes(source)
        return self.vault("verify", "a.hvault", "--source", "source.xml", *OPEN, *options, status=status)

    def test_what_there_is_more_is_counted(self):
        earlier = (HEAD + FULL + RECORD * 2 + END).encode()
        self.assertIn(b"contains everything in this source, and 2 samples more", self.compare(earlier).stdout)
        report = json.loads(self.compare(earlier, 0, "--json").stdout)
        self.assertEqual((report["containsSource"], report["matchesSource"], report["moreSamples"], report["problems"]),
                         (True, False, 2, []))
        self.assertIn(b"and 2 samples more", self.compare(later_exports.moved(earlier, 60)).stdout)

    @each((FULL + RECORD * 4).encode(), (FULL + RECORD.replace('value="', 'value="1')).encode(),
          (FULL + RECORD.replace("HeartRate", "StepCount")).encode())
    def test_a_sample_that_the_archive_lacks_is_a_difference(self, rows):
        result = self.compare(HEAD.encode() + rows + END.encode(), 13)
        self.assertIn(b"does not match this source", result.stdout)

    def test_what_later_exports_no_longer_had_is_in_a_chain(self):
        self.compare(self.LATER)
        (self.folder / "later.xml").write_bytes(later_exports.dated(
            (HEAD + RECORD * 2 + END).encode(), b"2026-07-01 08:00:00 +0200"))
        (self.folder / "drive").mkdir()
        self.vault("destination", "add", "drive", "drive", "--config-dir", "config")
        to = ("--to", "drive", "--incremental", "--config-dir", "config", *ENCRYPT)
        self.vault("export", "export.xml", *to)
        self.vault("export", "later.xml", *to)
        result = self.vault("verify", "drive", "--source", "export.xml", *OPEN)
        self.assertIn(b"contains everything in this source", result.stdout)

    def test_files_that_the_archive_has_more(self):
        export_zip(self.folder / "later.zip", {"attachments/a": b"a", "attachments/b": b"b"}, self.LATER)
        export_zip(self.folder / "earlier.zip", {"attachments/a": b"a"}, (HEAD + FULL + END).encode())
        export_zip(self.folder / "other.zip", {"attachments/a": b"c"}, (HEAD + FULL + END).encode())
        self.vault("export", "later.zip", "-o", "plain")
        result = self.vault("verify", "plain", "--source", "earlier.zip")
        self.assertIn(b"and 4 samples and 1 side file more", result.stdout)
        self.assertIn("attachments/a differs", self.vault("verify", "plain", "--source", "other.zip", status=13).stderr)


class Folders(CommandTest):
    """Every archive in a folder is checked, or named."""

    def setUp(self):
        super().setUp()
        made, self.archives = chain()
        shutil.copytree(made, self.folder / "drive")
        (self.folder / "export.xml").write_text(HEAD + FULL + END)
        self.vault("export", "export.xml", "-o", "alone.hvault", *ENCRYPT)

    def verify(self, *options, status=0):
        return self.vault("verify", "drive", *OPEN, *options, status=status)

    def damage(self, name):
        path = self.folder / "drive" / name
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)

    def test_damage_beside_an_intact_chain(self):
        """An archive of its own, a copy, and one in a folder below."""
        (self.folder / "drive/below").mkdir()
        shutil.copy(self.folder / "alone.hvault", self.folder / "drive")
        shutil.copy(self.folder / "drive" / self.archives[0], self.folder / "drive/copy.hvault")
        shutil.copy(self.folder / "alone.hvault", self.folder / "drive/below/x.hvault")
        self.vault("export", "export.xml", "-o", "drive/plain")
        names = [self.archives[-1], "alone.hvault", "copy.hvault", "below/x.hvault"]
        report = json.loads(self.verify("--json").stdout)
        self.assertTrue(report["intact"])
        self.assertEqual({archive["path"] for archive in report["archives"]}, {f"drive/{name}" for name in [*names, "plain"]})
        for name in names[1:]:
            self.damage(name)
            result = self.verify(status=13)
            self.assertRegex(result.stdout.decode() + result.stderr, f"drive/{name}: damaged|damaged: drive/{name}: ")
            self.assertIn(f"drive/{names[0]}: intact", result.stdout.decode())
        report = json.loads(self.verify("--json", status=13).stdout)
        found = [archive["path"] for archive in report["archives"] if not archive["intact"]]
        found += [failure["path"] for failure in report["failures"] if failure["code"] == "damaged"]
        self.assertEqual(sorted(found), sorted(f"drive/{name}" for name in names[1:]))
        self.assertFalse(report["intact"])

    def test_what_was_not_checked_is_named(self):
        (self.folder / "other").write_text("otter violin mesa plunder gherkin cascade")
        self.vault("export", "export.xml", "-o", "drive/other.hvault", "--encrypt", *ITERATIONS, "--passphrase-file", "other")
        self.assertIn("not checked: drive/other.hvault: wrong passphrase", self.verify(status=3).stderr)
        report = json.loads(self.verify("--json", status=3).stdout)
        self.assertFalse(report["intact"])
        self.assertEqual([(failure["path"], failure["code"]) for failure in report["failures"]],
                         [("drive/other.hvault", "wrongPassphrase")])
        shutil.copy(self.folder / "alone.hvault", self.folder / "drive")
        (self.folder / "drive" / self.archives[0]).unlink()
        said = self.verify(status=13).stderr
        for name in self.archives[1:]:
            self.assertIn(f"damaged: drive/{name}: ", said)
        (self.folder / "wrong").write_text("quiet harbour lemon tundra ivory basket")
        self.vault("verify", "drive", "--passphrase-file", "wrong", status=12)

    def test_nothing_to_check(self):
        (self.folder / "empty").mkdir()
        self.assertIn("empty: not an encrypted archive", self.vault("verify", "empty", status=14).stderr)


class Damage(CommandTest):
    def test_the_words_of_the_owner_come_first(self):
        data = bytearray(generated().archive.read_bytes())
        for place in range(20_000, len(data) // 2, 16_384):
            data[place:place + 64] = bytes(64)
        (self.folder / "x.hvault").write_bytes(data)
        result = self.vault("verify", "x.hvault", *OPEN, status=13)
        self.assertRegex(result.stderr, r"(?m)^[A-Z][^:\n]*: [0-9,]+ samples? lost$")
        self.assertNotRegex(result.stderr, "chunk|segment|(?<!clinical-)records/")
        self.assertRegex(self.vault("verify", "x.hvault", "--all", *OPEN, status=13).stderr, "chunk|segment")
        report = json.loads(self.vault("verify", "x.hvault", "--json", *OPEN, status=13).stdout)
        self.assertTrue(report["losses"] and report["problems"] and report["affectedEntries"])

    def test_an_archive_whose_end_is_missing_was_cut_off(self):
        data = generated().archive.read_bytes()
        (self.folder / "x.hvault").write_bytes(data[:len(data) // 2 & ~4095])
        for command in "verify", "inspect":
            result = self.vault(command, "x.hvault", *OPEN, status=13)
            self.assertIn("cut off", result.stderr)
            self.assertNotIn("same export", result.stderr)


if __name__ == "__main__":
    unittest.main()
