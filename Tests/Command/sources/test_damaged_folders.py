"""A plain folder that has been damaged is never read as if it were whole."""
import shutil
import unittest

from vault import ENCRYPT, CommandTest, each, generated


class Folders(CommandTest):
    def copy(self):
        """A folder to be damaged, and the files in it that tests damage."""
        shutil.copytree(generated().plain, self.folder / "plain")
        self.rates = next((self.folder / "plain/records/HKQuantityTypeIdentifierHeartRate").iterdir())
        self.side = next(path for path in sorted((self.folder / "plain/files").rglob("*")) if path.is_file())

    def refused(self, path, *arguments):
        said = self.vault(*arguments, status=13).stderr
        self.assertIn(f"{path.name}: does not match its manifest", said)

    @each(0, 0.5, 1)
    def test_a_byte_of_a_side_file(self, place):
        self.copy()
        data = bytearray(self.side.read_bytes())
        data[min(int(place * len(data)), len(data) - 1)] ^= 1
        self.side.write_bytes(data)
        for options in ["-o", "a.hvault", *ENCRYPT], ["-o", "other"], ["-o", "tables", "--format", "csv"]:
            self.refused(self.side, "export", "plain", *options)
        self.assertEqual(self.names(self.folder), ["plain"])

    @each(lambda data: data[:-1], lambda data: data + b"\n", lambda data: b"")
    def test_a_side_file_of_another_length(self, change):
        self.copy()
        self.side.write_bytes(change(self.side.read_bytes()))
        self.refused(self.side, "export", "plain", "-o", "a.hvault", *ENCRYPT)

    @each(lambda lines: lines[:2] + lines[3:], lambda lines: lines[:-1], lambda lines: [lines[0].replace(b'"value":', b'"value":1')] + lines[1:])
    def test_a_sample_is_missing_or_has_changed(self, change):
        self.copy()
        self.rates.write_bytes(b"".join(change(self.rates.read_bytes().splitlines(True))))
        for arguments in (["stats", "plain", "heartRate"], ["query", "plain", "heartRate"], ["report", "plain", "-o", "r.html"],
                          ["analytics", "init", "plain", "--database", "a.db"], ["sync", "plain", "--target", "sqlite:s.db"],
                          ["export", "plain", "-o", "x.csv.d", "--format", "csv"], ["export", "plain", "-o", "a.hvault", *ENCRYPT]):
            self.refused(self.rates, *arguments)

    def test_other_types_can_be_asked_for(self):
        self.copy()
        self.rates.write_bytes(self.rates.read_bytes()[:-1])
        self.vault("stats", "plain", "stepCount")


if __name__ == "__main__":
    unittest.main()
