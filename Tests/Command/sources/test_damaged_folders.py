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

    def refused(self, path, *arguments, reason="does not match its digest in SHA256SUMS"):
        self.assertIn(f"{path.name}: {reason}", self.vault(*arguments, status=13).stderr)

    @each(0, 0.5, 1)
    def test_a_byte_of_a_side_file(self, place):
        self.copy()
        data = bytearray(self.side.read_bytes())
        data[min(int(place * len(data)), len(data) - 1)] ^= 1
        self.side.write_bytes(data)
        for options in ["-o", "a.hvault", *ENCRYPT], ["-o", "other"], ["-o", "tables", "--format", "csv"]:
            self.refused(self.side, "export", "plain", *options, reason="does not match its manifest")
        self.assertEqual(self.names(self.folder), ["plain"])

    @each(lambda data: data[:-1], lambda data: data + b"\n", lambda data: b"")
    def test_a_side_file_of_another_length(self, change):
        self.copy()
        self.side.write_bytes(change(self.side.read_bytes()))
        self.refused(self.side, "export", "plain", "-o", "a.hvault", *ENCRYPT, reason="does not match its manifest")

    @each(lambda lines: lines[:2] + lines[3:], lambda lines: lines[:-1], lambda lines: [lines[0].replace(b'"value":', b'"value":1')] + lines[1:])
    def test_a_sample_is_missing_or_has_changed(self, change):
        self.copy()
        self.rates.write_bytes(b"".join(change(self.rates.read_bytes().splitlines(True))))
        for arguments in (["stats", "plain", "heartRate"], ["query", "plain", "heartRate"], ["report", "plain", "-o", "r.html"],
                          ["analytics", "init", "plain", "--database", "a.db"], ["sync", "plain", "--target", "sqlite:s.db"],
                          ["export", "plain", "-o", "x.csv.d", "--format", "csv"], ["export", "plain", "-o", "a.hvault", *ENCRYPT]):
            self.refused(self.rates, *arguments)

    @each(*(("manifest.json", change) for change in (lambda text: text[:-9], lambda text: b"", lambda text: text.replace(b"20", b"21", 1))),
          ("prologue.xml", lambda text: text + b" "))
    def test_a_file_at_the_top(self, case):
        name, change = case
        self.copy()
        path = self.folder / "plain" / name
        path.write_bytes(change(path.read_bytes()))
        for command in (["export", "plain", "-o", "x.xml"], ["export", "plain", "-o", "a.hvault", *ENCRYPT], ["inspect", "plain"],
                        ["stats", "plain", "stepCount"])[:4 if name == "manifest.json" else 2]:
            self.refused(path, *command)
        self.assertIn(name, self.vault("verify", "plain", status=13).stderr)

    @each(lambda lines: [b"x"] + lines, lambda lines: lines[:3] + [lines[3][:50]], lambda lines: [line.replace(b"  ", b" ") for line in lines])
    def test_the_list_of_digests(self, change):
        self.copy()
        path = self.folder / "plain/SHA256SUMS"
        path.write_bytes(b"\n".join(change(path.read_bytes().splitlines())))
        for command in ["stats", "plain", "heartRate"], ["verify", "plain"], ["export", "plain", "-o", "a.hvault", *ENCRYPT]:
            self.assertIn("SHA256SUMS", self.vault(*command, status=13).stderr)

    def test_other_types_can_be_asked_for(self):
        self.copy()
        self.rates.write_bytes(self.rates.read_bytes()[:-1])
        self.vault("stats", "plain", "stepCount")


if __name__ == "__main__":
    unittest.main()
