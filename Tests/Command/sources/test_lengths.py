"""Documents and side files of all lengths come out of a zip, also where a buffer ends just before they do."""
import itertools
import random
import unittest
import zipfile

from documents import END, HEAD, RECORD, export_zip
from vault import CommandTest, each

# Reading windows and pieces are powers of two or small multiples of them.
EDGES = [1 << 12, 1 << 14, 1 << 15, 1 << 16, 1 << 17, 1 << 18, 1 << 19, 15 << 16, 1 << 20]
OFFSETS = [-1, 0, 1, 100, 1000, 10_000, 32_767, 32_769]


class Lengths(CommandTest):
    @each(*(edge + offset for edge in EDGES for offset in OFFSETS))
    def test_documents(self, length):
        count = (length - len(HEAD + END)) // len(RECORD)
        text = HEAD + RECORD * count + END
        export_zip(self.folder / "export.zip", text=text + "\n" * (length - len(text)))
        self.vault("export", "export.zip", "-o", "out")
        manifest = self.manifest(self.folder / "out")
        self.assertEqual(manifest["source"]["fingerprint"]["length"], length)
        self.assertEqual(manifest["elements"].get("Record", {"read": 0})["read"], count)
        self.vault("inspect", "export.zip", "--json")

    @each(*itertools.product(("deflated", "stored"), ("zeros", "text", "noise")))
    def test_side_files(self, case):
        method, kind = case
        make = {"zeros": bytes, "text": lambda length: (b"<trkpt lat='50.1' lon='8.2'/>\n" * 40_000)[:length],
                "noise": random.Random(1).randbytes}[kind]
        sides = {f"{edge + offset}": make(edge + offset) for edge in EDGES for offset in OFFSETS}
        method = {"deflated": zipfile.ZIP_DEFLATED, "stored": zipfile.ZIP_STORED}[method]
        export_zip(self.folder / "export.zip", sides, method=method)
        self.vault("export", "export.zip", "-o", "out")
        for name, data in sides.items():
            self.assertTrue((self.folder / "out/files" / name).read_bytes() == data, name)


if __name__ == "__main__":
    unittest.main()
