"""Archives of archives, of plain folders and of parts, and what they are compared with."""
import unittest

from formats.conversions import FORMATS, FormatTest, digests, small
from vault import ENCRYPT, OPEN, OPEN_SOURCE, SECRET, each


class Archives(FormatTest):
    def encrypted(self, source, target, *options, **more):
        return self.vault("export", source, "-o", target, *ENCRYPT, *options, **more)

    def plain(self, archive, name):
        self.vault("decrypt", archive, "-o", name, *OPEN)
        return digests(self.folder / name)

    def test_a_plain_folder_becomes_an_archive_and_back(self):
        self.vault("export", small().zip, "-o", "plain")
        self.encrypted("plain", "a.hvault")
        self.assertEqual(self.plain("a.hvault", "back"), digests(self.folder / "plain"))
        self.vault("verify", "a.hvault", "--source", small().zip, *OPEN)

    def test_an_archive_becomes_another_one(self):
        self.encrypted(small().archive, "b.hvault", *OPEN_SOURCE)
        self.assertEqual(self.plain("b.hvault", "one"), self.plain(small().archive, "other"))
        header = (self.folder / "b.hvault").read_bytes()[:4096]
        self.assertNotEqual(header, small().archive.read_bytes()[:4096])

    def test_a_part_of_an_archive_is_that_of_its_source(self):
        part = "--types", "heartRate,workout,group:sleep", "--since", "2020-01-01"
        self.encrypted(small().zip, "a.hvault", *part)
        self.encrypted(small().archive, "b.hvault", *OPEN_SOURCE, *part)
        self.vault("export", small().zip, "-o", "plain", *part)
        found = digests(self.folder / "plain")
        self.assertEqual(self.plain("a.hvault", "one"), found)
        self.assertEqual(self.plain("b.hvault", "other"), found)
        for name in "a.hvault", "b.hvault", "plain":
            for source in small().zip, small().xml, small().archive:
                secret = OPEN if name.endswith("hvault") else ()
                more = OPEN_SOURCE if source == small().archive else ()
                self.vault("verify", name, "--source", source, *secret, *more)

    @each(*FORMATS, "encrypted")
    def test_damage_is_reported_where_it_is(self, form):
        """Of the archive that is read, not of what is written."""
        data = bytearray(small().archive.read_bytes())
        data[len(data) // 2] ^= 1
        self.write(bytes(data), "bad.hvault")
        options = (*ENCRYPT, *OPEN_SOURCE) if form == "encrypted" else ("--format", form, *OPEN)
        result = self.vault("export", "bad.hvault", "-o", "result", *options, status=13)
        self.assertRegex(result.stderr, r"\Ahealthvault: bad\.hvault: chunk [0-9]+ of segment [0-9]+ is damaged\n")
        self.assertEqual(self.names(), ["bad.hvault"])

    def test_a_changed_folder_becomes_no_archive(self):
        self.vault("export", small().zip, "-o", "plain")
        lines = next((self.folder / "plain/records/HKQuantityTypeIdentifierHeartRate").iterdir())
        for text in (lines.read_text().replace('"value":', '"value":1', 1), lines.read_text().partition("\n")[2]):
            lines.write_text(text)
            self.encrypted("plain", "a.hvault", status=13)
            self.vault("export", "plain", "--format", "json", "-o", "x.json", status=13)
            self.vault("export", "plain", "--types", "heartRate", "-o", "part", status=13)
            self.assertEqual(self.names(), ["plain"])

    def test_a_source_that_has_more_is_noticed(self):
        self.vault("export", small().zip, "-o", "part", "--until", "2022-01-01")
        self.encrypted("part", "a.hvault")
        self.vault("verify", "a.hvault", "--source", "part", *OPEN)
        self.vault("export", small().zip, "-o", "whole")
        self.vault("verify", "whole", "--source", "part", status=13)
        self.vault("verify", small().archive, "--source", "part", *OPEN, status=13)

    def test_batches_of_other_spans_are_compared_by_type(self):
        self.vault("export", small().zip, "-o", "months", "--batch", "1month")
        self.vault("verify", "months", "--source", small().archive, *OPEN_SOURCE)
        self.vault("verify", small().archive, "--source", "months", *OPEN)

    @each("", "--other-passphrase-file")
    def test_the_passphrase_of_the_source(self, option):
        """It is asked for, and never taken from the new one's."""
        more = (option, SECRET) if option else ()
        result = self.encrypted(small().archive, "b.hvault", *more, status=0 if option else 2)
        if not option:
            self.assertIn("no terminal", result.stderr)

    def test_options_that_go_with_nothing(self):
        self.vault("export", small().zip, "-o", "x", *OPEN_SOURCE, status=2)
        self.vault("export", small().archive, "-o", "x", *OPEN, *OPEN_SOURCE, status=2)
        self.vault("export", small().archive, "-o", "x", *OPEN, "--batch", "1month", status=2)
        self.vault("export", small().archive, "-o", "x", "--generate-passphrase", status=2)
        self.assertEqual(self.names(), [])


if __name__ == "__main__":
    unittest.main()
