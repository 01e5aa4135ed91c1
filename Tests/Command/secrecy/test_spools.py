"""What waits to be written in another order waits encrypted, in a file without a name."""
import re
import unittest

import later_exports
from drives.stick import steps
from secrecy.frames import frames
from secrecy.test_no_plaintext import WritingTest, texts
from vault import OPEN, PASSPHRASE, SHIPPED, SHIPPED_ENCRYPT, generated


class Spools(WritingTest):
    def files(self, *options, **more):
        """The bytes that were written to each file, by its name."""
        files = {}
        for path, data, _ in self.written(*options, **more):
            name = path.rpartition("/")[2]
            if not name.startswith(("pipe:", "anon_inode:")):
                files[name] = files.get(name, b"") + data
        return files

    def check(self, data):
        self.assertGreater(len(data), 50_000)
        self.assertEqual(frames(data), [])
        for text in b"ustar", b"HealthKit", PASSPHRASE.encode(), *texts(self.export):
            self.assertNotIn(text, data)

    # SECURITY.md: "They wait in an unnamed file beside the result, encrypted with AES-256-GCM under a random key that is never"
    def test_nothing_of_a_part_is_written(self):
        files = self.files("--since", "2000-01-01")
        self.assertEqual(set(files), {".spool", "a.hvault.part"})
        for data in files.values():
            self.check(data)

    # SECURITY.md: "They wait in an unnamed file beside the result, encrypted with AES-256-GCM under a random key that is never"
    def test_what_waits_for_other_formats_is_encrypted(self):
        files = self.files("--format", "json", target=("-o", "health.json"))
        self.assertEqual(set(files) - {".healthvault-unfinished"}, {".spool", "health.json"})
        self.check(files[".spool"])
        self.assertEqual(self.names(), ["health.json"])

    # SECURITY.md: "So do the elements of Apple's document, if its types are interleaved, while they are sorted"
    def test_rows_that_are_sorted_wait_encrypted(self):
        """An archive is read without a spool of its batches: the one file is that of the rows."""
        export = generated("shuffled", "14", "12MB", "--side-files", "none")
        files = self.files("--format", "apple-xml", "--types", "heartRate,stepCount,distanceWalkingRunning",
                           target=("-o", "again.xml", *OPEN), source=export.archive)
        self.assertEqual(set(files) - {".healthvault-unfinished"}, {".spool", "export.xml"})
        self.check(files[".spool"])
        for text in re.findall(rb' (?:sourceName|device)="([^"]{8,60})"', export.xml.read_bytes())[::100]:
            self.assertNotIn(text, files[".spool"])
        self.assertEqual(self.names(), ["again.xml"])

    def test_an_increment_waits_encrypted(self):
        (self.folder / "stick").mkdir()
        places = ("--config-dir", "config", "--state-dir", "state")
        self.vault("destination", "add", "stick", "stick", *places[:2])
        export = ("--incremental", "--to", "stick", *places)
        self.vault("export", self.export.zip, *SHIPPED_ENCRYPT, *export)
        document = later_exports.extended(later_exports.read(self.export.zip), *steps(20))
        later_exports.write(self.folder / "later.zip", self.export.zip, document)
        files = self.files(*export, target=SHIPPED_ENCRYPT, source="later.zip")
        [link] = [name for name in files if ".plus-" in name and name.endswith(".hvault.part")]
        self.assertEqual(set(files) - {link, "history.new", "unfinished.new"}, {".spool"})
        self.check(files[".spool"])
        written = files[link] + files["history.new"] + files["unfinished.new"]
        self.assertEqual(frames(written), [])
        for text in b"ustar", b"HealthKit", PASSPHRASE.encode(), *texts(self.export):
            self.assertNotIn(text, written)

    def test_a_file_of_somebody_else_with_its_name_stays(self):
        (self.folder / ".spool").write_bytes(b"mine")
        part = ("export", self.export.zip, "--since", "2000-01-01", *SHIPPED_ENCRYPT, "-o")
        self.vault(*part, "a.hvault")
        self.assertEqual((self.folder / ".spool").read_bytes(), b"mine")
        # What a killed process leaves is empty.
        (self.folder / ".spool").write_bytes(b"")
        self.vault(*part, "b.hvault")
        self.assertEqual(self.names(), ["a.hvault", "b.hvault"])

    # SECURITY.md: "They wait in an unnamed file beside the result, encrypted with AES-256-GCM under a random key that is never"
    def test_two_spools_have_nothing_in_common(self):
        """Each has a key of its own."""
        one, other = (self.files("--format", "json", target=("-o", name))[".spool"] for name in ("a.json", "b.json"))
        self.assertEqual(len(one), len(other))
        same = sum(byte == twin for byte, twin in zip(one, other))
        self.assertLess(same, len(one) / 128)


if __name__ == "__main__":
    unittest.main()
