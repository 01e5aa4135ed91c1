"""What is recovered has names that every file system takes for different ones, also those that ignore case."""
import unicodedata
import unittest

import crafted
from crafted import OPEN, frame
from vault import CommandTest, each


class RecoveredNames(CommandTest):
    @each(["files/A.zst.0000", "files/a.zst.0000"], ["files/A", "files/a"], ["files/\u00c9.zst.0000", "files/\u00e9.zst.0000"],
          ["files/\u00e9.zst.0000", "files/e\u0301.zst.0000"], ["files/B/x", "files/b"], ["b", "B/x"], ["A", "a", "a~2"],
          ["recovery.json", "Recovery.JSON"], ["sha256sums"])
    def test_none_differs_by_case_or_unicode_form_alone(self, names):
        contents = {name: f"this is {number}".encode() for number, name in enumerate(names)}
        crafted.archive(self.folder / "x.hvault", *((
            name, frame(data) if ".zst" in name else data) for name, data in contents.items()))
        self.vault("recover", "x.hvault", "-o", "out", *OPEN, status=(0, 3))
        files = {path.relative_to(self.folder / "out"): path.read_bytes()
                 for path in (self.folder / "out").rglob("*") if path.is_file()}
        found = {content for path, content in files.items()}
        for name, data in contents.items():
            self.assertIn(data, found, name)
        paths = {path for file in files for path in (file, *file.parents)}
        folded = {fold(str(path)) for path in paths}
        self.assertEqual(len(folded), len(paths), sorted(map(str, paths)))


def fold(path):
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


if __name__ == "__main__":
    unittest.main()
