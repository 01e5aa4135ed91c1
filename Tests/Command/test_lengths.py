"""Documents and side files of all lengths come out of a zip, also where a buffer ends just before they do."""
import random
import unittest
import zipfile

from documents import END, HEAD, RECORD, document, export_zip
from vault import CommandTest, each

# Reading windows and pieces are powers of two or small multiples of them.
EDGES = [1 << 12, 1 << 14, 1 << 15, 1 << 16, 1 << 17, 1 << 18, 1 << 19, 15 << 16, 1 << 20]
OFFSETS = [-1, 0, 1, 100, 1000, 10_000, 32_767, 32_769]


class Lengths(CommandTest):
    @each(*EDGES)
    def test_documents(self, edge):
        for offset in OFFSETS:
            with self.subTest(offset=offset):
                length = edge + offset
                count = (length - len(HEAD + END)) // len(RECORD)
                text = HEAD + RECORD * count + END
                text += "\n" * (length - len(text))
                export_zip(self.folder / f"{length}.zip", text=text)
                self.vault("export", f"{length}.zip", "-o", f"{length}")
                manifest = self.manifest(self.folder / f"{length}")
                self.assertEqual(manifest["source"]["fingerprint"]["length"], length)
                self.assertEqual(manifest["elements"].get("Record", {"read": 0})["read"], count)
                self.vault("inspect", f"{length}.zip", "--json")

    @each(zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED)
    def test_side_files(self, method):
        chance = random.Random(1)
        kinds = {"zeros": bytes, "text": lambda length: (b"<trkpt lat='50.1' lon='8.2'/>\n" * 80_000)[:length],
                 "noise": chance.randbytes}
        for kind, make in kinds.items():
            sides = {f"{edge + offset}": make(edge + offset) for edge in EDGES for offset in OFFSETS}
            top = "apple_health_export/"
            with zipfile.ZipFile(self.folder / "export.zip", "w", method, compresslevel=1) as file:
                file.writestr(top + "export.xml", document(RECORD))
                for name, data in sides.items():
                    file.writestr(top + name, data)
            with self.subTest(kind):
                self.vault("export", "export.zip", "-o", kind)
                for name, data in sides.items():
                    self.assertTrue((self.folder / kind / "files" / name).read_bytes() == data, name)


if __name__ == "__main__":
    unittest.main()
