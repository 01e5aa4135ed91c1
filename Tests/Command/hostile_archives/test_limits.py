"""The bounds of what an archive may hold, each at its limit and one beyond (SECURITY.md, section 8)."""
import base64
import json
import os
import random
import sys
import unittest
import zlib

import crafted
from crafted import BATCH, EMPTY, MIB, OPEN, ROW, BoundedTest, frame
from documents import RECORD, document
from sampling import some
from vault import ITERATIONS, READER, each, run
from zips_by_hand import TOP, write_stored


class Archives(BoundedTest):
    # SECURITY.md: "3 × 2^24 bytes of JSON text"
    @each((3 << 24, 0), ((3 << 24) + 1, 13))
    def test_the_text_of_a_batch(self, case):
        size, status = case
        text = json.dumps(ROW).encode()
        crafted.archive(self.folder / "x.hvault", (BATCH, frame(text + b" " * (size - len(text)))))
        self.bounded("decrypt", "x.hvault", "-o", "out", *OPEN, status=status)

    @each((40, 0), (60, 13))
    def test_texts_that_a_conversion_writes_out(self, case):
        """Lines may be longer than columns: what a conversion writes has to open."""
        count, status = case
        row = f'<Record type="X" value="{"x" * 1_000_000}"/>'
        (self.folder / "in.xml").write_text(document(row * count))
        self.vault("export", "in.xml", "-o", "parts")
        # All parts become one, as another program might write them.
        files = {os.fspath(path.relative_to(self.folder / "parts")): path.read_bytes()
                 for path in sorted((self.folder / "parts").rglob("*.*"))}
        manifest = json.loads(files.pop("manifest.json"))
        parts = sorted((name for name in files if "/X-" in name), key=lambda name: (len(name), name))
        files[parts[0]] = b"".join(files.pop(name) for name in parts)
        span, = [span for span in manifest["batches"] if span["type"] == "X"]
        self.assertEqual(span["parts"], len(parts))
        span["parts"] = 1
        crafted.plain_folder(self.folder / "x", files, manifest=manifest)
        result = self.vault("encrypt", "x", "-o", "y.hvault", *ITERATIONS, *OPEN, status=status)
        self.assertEqual((self.folder / "y.hvault").exists(), status == 0)
        if status == 0:
            self.vault("verify", "y.hvault", *OPEN)
        else:
            self.assertIn("records/X-4b68ab38/undated: larger", result.stderr)

    def test_files_in_pieces_of_any_length_become_whole_ones(self):
        """A conversion cuts them anew: what it writes has to open."""
        pieces = [b"a" * 10, b"", b"b" * 500_000, b"c" * 983_040, b"d" * 700_000]
        content = b"".join(pieces)
        crafted.archive(
            self.folder / "x.hvault", *((f"files/x.zst.{number:04}", frame(piece)) for number, piece in enumerate(pieces)),
            manifest=EMPTY | {"files": [{"name": "x", "path": "files/x", "length": len(content),
                                         "crc32": f"{zlib.crc32(content):08x}"}]})
        self.vault("encrypt", "x.hvault", "-o", "y.hvault", "--other-passphrase-file", OPEN[1], *ITERATIONS, *OPEN)
        self.vault("verify", "y.hvault", *OPEN)
        self.vault("decrypt", "y.hvault", "-o", "out", *OPEN)
        self.assertEqual((self.folder / "out" / "files" / "x").read_bytes(), content)

    # SECURITY.md: "plus six times the text of the index and of the manifest of an archive, of the lists in a plain folder"
    def test_an_index_takes_memory_in_proportion(self):
        sizes = []

        def change(part, value):
            if part == "index text":
                sizes.append(len(value))
            return value

        # Names as long as a tar header takes without an extension.
        names = (f"{number:06}/" + "n" * 90 for number in range(80_000))
        crafted.archive(self.folder / "x.hvault", *((name, b"") for name in names), change=change)
        self.assertGreater(sizes[0], 14 * MIB)
        # Without what any archive may take: six times the index, and what a small one takes.
        self.MEMORY = 48 * MIB + 6 * sizes[0]
        self.bounded("inspect", "x.hvault", *OPEN, status=0)
        self.bounded("verify", "x.hvault", *OPEN, status=0)

    # SECURITY.md: "plus six times the text of the index and of the manifest of an archive, of the lists in a plain folder"
    def test_a_manifest_that_lists_files_takes_memory_in_proportion(self):
        entry = '{"name":"f%d","path":"files/f%d","length":0,"crc32":"00000000"}'
        files = ",".join(entry % (number, number) for number in range(200_000))
        text = json.dumps(EMPTY).replace('"files": []', f'"files":[{files}]').encode()
        self.assertGreater(len(text), 12 * MIB)
        crafted.archive(self.folder / "x.hvault", manifest=text)
        self.MEMORY = 48 * MIB + 6 * len(text)
        self.bounded("inspect", "x.hvault", *OPEN, status=0)
        self.bounded("verify", "x.hvault", *OPEN, status=13)

    @each((0, 0), (1, 13))
    def test_the_text_of_a_manifest_that_grows(self, case):
        """So many times the length of its frame, and 64 KiB more."""
        beyond, status = case
        manifest = json.dumps(EMPTY).encode()
        while (most := 65_536 + 100 * len(frame(manifest))) > len(manifest):
            manifest = manifest.ljust(most)
        manifest += b" " * beyond
        self.assertEqual(len(manifest), 65_536 + 100 * len(frame(manifest)) + beyond)
        crafted.archive(self.folder / "x.hvault", manifest=manifest)
        self.bounded("verify", "x.hvault", *OPEN, status=status)
        self.bounded("decrypt", "x.hvault", "-o", "out", *OPEN, status=status)
        read = run(sys.executable, READER, *OPEN, "x.hvault", "read", cwd=self.folder)
        self.assertEqual(read.status == 0, status == 0, read.stderr)

    # SECURITY.md: "2^20 members"
    @each(*some([("files", "{}"), ("files", '{"path":"a"}'), ("ignoredFiles", '"a"'), ("sources", '""'),
                 ("failedBatches", "{}")], 3))
    def test_a_manifest_of_countless_members(self, case):
        """Each takes many times more memory than text."""
        name, member = case
        # Without texts of chance it would be refused as one that grows.
        chance = base64.b64encode(random.Random(1).randbytes(700_000)).decode()
        text = (f'{{"manifest":1,"batching":"auto","chance":"{chance}",'
                f'"{name}":[{",".join([member] * (60 * MIB // (len(member) + 1)))}]}}').encode()
        self.assertLess(len(text), 65_536 + 100 * len(frame(text)))
        crafted.archive(self.folder / "x.hvault", manifest=text)
        for command in "inspect", "verify":
            self.bounded(command, "x.hvault", *OPEN, status=13)
        self.bounded("recover", "x.hvault", "-o", "out", *OPEN, status=3)

    # SECURITY.md: "2^20 members"
    def test_an_export_whose_manifest_would_be_too_long(self):
        """It is known before everything is read and written."""
        members = [(TOP.encode() + b"export.xml", document(RECORD).encode())]
        members += [(b"%s%d%s" % (TOP.encode(), number, b"n" * 985), b"") for number in range(65_000)]
        write_stored(self.folder / "export.zip", members)
        self.MEMORY += 6 * sum(46 + len(name) for name, _ in members)
        result = self.bounded("export", "export.zip", "-o", "out", status=14)
        self.assertEqual(self.names(), ["export.zip"], result)


if __name__ == "__main__":
    unittest.main()
