"""Zips that were cut off, and documents of which a part was overwritten: what can be read comes back, and the rest is said."""
import json
import os
import random
import re
import subprocess
import sys
import unittest
import zipfile

import later_exports
from vault import ENCRYPT, OPEN, READER, CommandTest, generated, run


class CutZips(CommandTest):
    def setUp(self):
        super().setUp()
        self.path = generated("ordinary", "14", "1MB").zip
        self.whole = self.path.read_bytes()
        with zipfile.ZipFile(self.path) as source:
            self.members = source.infolist()
            self.contents = {entry.filename.split("/", 1)[1]: source.read(entry) for entry in self.members}

    def export(self, data, name="cut.zip", status=3):
        (self.folder / name).write_bytes(data)
        run("rm", "-rf", self.folder / "out")
        return self.vault("export", name, "-o", "out", "--accept-damaged", status=status)

    def check(self, cut):
        """Every member in front of the cut is there, byte for byte."""
        files = {entry.filename.split("/", 1)[1] for entry in self.members
                 if entry.header_offset + 30 + len(entry.filename) + entry.compress_size <= cut}
        for name in files - {"export.xml"}:
            self.assertEqual((self.folder / "out" / "files" / name).read_bytes(), self.contents[name])
        return "export.xml" in files

    def test_at_any_place(self):
        whole = json.loads(self.vault("inspect", self.path, "--json").stdout)["samples"]
        dice = random.Random(36)
        first = self.members[0]
        for cut in sorted(dice.sample(range(first.header_offset + 5000, len(self.whole) - 1), 12)):
            self.vault("export", self.write(self.whole[:cut]), "-o", "no", status=13)
            self.export(self.whole[:cut])
            has_document = self.check(cut)
            manifest = self.manifest(self.folder / "out")
            self.assertTrue(manifest["source"]["truncated"])
            count = sum(json.loads(line) is not None for path in (self.folder / "out").rglob("*.ndjson")
                        for line in path.read_text().splitlines())
            self.assertTrue(count > 0)
            if has_document:
                self.assertEqual(json.loads(self.vault("inspect", "out", "--json").stdout)["samples"], whole)

    def write(self, data):
        (self.folder / "cut.zip").write_bytes(data)
        return "cut.zip"

    def test_a_tail_of_zeros(self):
        cut = len(self.whole) * 3 // 4
        self.export(self.whole[:cut] + bytes(len(self.whole) - cut))
        self.check(cut)

    def test_sizes_behind_the_contents(self):
        """As zips are written to a pipe: the headers say nothing of the sizes."""
        with zipfile.ZipFile(self.path) as source:
            source.extractall(self.folder / "x")
        streamed = subprocess.run(["zip", "-q", "-r", "-", "apple_health_export"], cwd=self.folder / "x",
                                  stdout=subprocess.PIPE, check=True).stdout
        self.export(streamed[:-30])
        for name, data in self.contents.items():
            if name != "export.xml":
                self.assertEqual((self.folder / "out" / "files" / name).read_bytes(), data)
        self.vault("export", self.path, "-o", "plain")
        self.assertEqual(self.manifest(self.folder / "out")["elements"], self.manifest(self.folder / "plain")["elements"])

    def test_an_archive_of_it_can_be_verified_with_it(self):
        (self.folder / "cut.zip").write_bytes(self.whole[:-100])
        self.vault("export", "cut.zip", "-o", "a.hvault", "--accept-damaged", *ENCRYPT, status=3)
        self.vault("verify", "a.hvault", "--source", "cut.zip", *OPEN)

    def test_a_side_file_that_mentions_the_root_is_no_document(self):
        with zipfile.ZipFile(self.folder / "small.zip", "w") as target:
            target.writestr("apple_health_export/electrocardiograms/a.csv", "<HealthData> is the root\n")
            target.writestr("apple_health_export/export.xml", '<HealthData><Record type="t" value="1"/></HealthData>\n')
        data = (self.folder / "small.zip").read_bytes()
        cut = data[:data.index(b"PK\1\2")]
        self.export(cut)
        self.assertEqual(self.manifest(self.folder / "out")["elements"]["Record"]["written"], 1)
        self.assertEqual(self.names(self.folder / "out" / "files"), ["electrocardiograms"])
        # Of two documents, none is taken at random.
        self.assertIn("b.xml", self.export(cut + cut.replace(b"export.xml", b"ex/b/b.xml"), status=14).stderr)

    def test_a_wrong_checksum_at_the_beginning(self):
        """Of a document that fits into one window."""
        small = b'<?xml version="1.0"?>\n<HealthData locale="en">\n <ExportDate value="2024-01-01 00:00:00 +0000"/>\n' + \
            b"".join(b' <Record type="t" value="%d"/>\n' % number for number in range(100)) + b"</HealthData>\n"
        with zipfile.ZipFile(self.folder / "small.zip", "w") as target:
            target.writestr("apple_health_export/export.xml", small)
        data = bytearray((self.folder / "small.zip").read_bytes())
        place = data.index(b'value="50"') + 7
        data[place:place + 2] = b"99"
        self.export(bytes(data), "small.zip")
        self.assertEqual(self.manifest(self.folder / "out")["elements"]["Record"]["written"], 100)


class Overwritten(CommandTest):
    def setUp(self):
        super().setUp()
        self.document = later_exports.read(generated("ordinary", "14", "1MB").zip)

    def values(self, folder):
        """The lines of all samples, without their places."""
        return {re.sub(rb'"position":\d+,?', b"", line)
                for path in (self.folder / folder).rglob("*.ndjson") for line in path.read_bytes().splitlines()}

    def test_blocks_of_zeros(self):
        (self.folder / "whole.xml").write_bytes(self.document)
        self.vault("export", "whole.xml", "-o", "whole")
        whole = self.values("whole")
        dice = random.Random(20)
        for number in range(12):
            place = dice.randrange(5000, len(self.document) - 10_000)
            length = dice.choice([16, 100, 512, 4096])
            data = self.document[:place] + bytes(length) + self.document[place + length:]
            (self.folder / "zeros.xml").write_bytes(data)
            self.vault("export", "zeros.xml", "-o", "no", status=13)
            out = f"out{number}"
            self.vault("export", "zeros.xml", "-o", out, "--accept-damaged", status=3)
            # Nothing is there that was not there before: nothing was fused.
            left = self.values(out)
            self.assertEqual(left - whole, set())
            self.assertGreater(len(left), len(whole) - 400)
            self.assertTrue(self.manifest(self.folder / out)["source"]["skipped"])

    # SECURITY.md: "Without this, a part looks like the whole"
    def test_what_was_skipped_is_said_by_those_who_read_the_archive(self):
        place = len(self.document) // 2
        (self.folder / "zeros.xml").write_bytes(self.document[:place] + bytes(512) + self.document[place + 512:])
        self.vault("export", "zeros.xml", "-o", "a.hvault", "--accept-damaged", *ENCRYPT, status=3)
        result = self.vault("decrypt", "a.hvault", "-o", "out", *OPEN)
        skipped = sum(part["length"] for part in self.manifest(self.folder / "out")["source"]["skipped"])
        said = f"warning: {skipped:,} bytes of the document could not be read and were skipped"
        self.assertIn(said, result.stderr)
        read = run(sys.executable, READER, *OPEN, self.folder / "a.hvault", self.folder / "read")
        self.assertEqual(read.stderr, said + "\n")

    def test_a_flipped_bracket_is_a_lost_record(self):
        (self.folder / "whole.xml").write_bytes(self.document)
        self.vault("export", "whole.xml", "-o", "whole")
        places = [match.start() for match in re.finditer(rb"<Record ", self.document)]
        dice = random.Random(5)
        for number, place in enumerate(dice.sample(places, 6)):
            data = bytearray(self.document)
            data[place] ^= 0x40
            (self.folder / "flipped.xml").write_bytes(data)
            self.assertIn("without its <", self.vault("export", "flipped.xml", "-o", "no", status=13).stderr)
            self.vault("export", "flipped.xml", "-o", f"out{number}", "--accept-damaged", status=3)
            self.assertEqual(self.values(f"out{number}") - self.values("whole"), set())

    def test_the_members_of_a_damaged_correlation_are_no_samples_of_their_own(self):
        document = b'<?xml version="1.0"?>\n<HealthData locale="en">\n <Record type="a" value="1"/>\n' \
            b' <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="x" broken>\n' \
            b'  <Record type="a" value="2"/>\n  <Record type="a" value="3"/>\n </Correlation>\n' \
            b' <Record type="a" value="4"/>\n</HealthData>\n'
        (self.folder / "x.xml").write_bytes(document)
        self.vault("export", "x.xml", "-o", "out", "--accept-damaged", status=3)
        self.assertEqual(self.manifest(self.folder / "out")["elements"]["Record"]["written"], 2)
        # On one line, the end of the correlation tells; a correlation whose end is lost too ends before the next one.
        line = document.replace(b"\n", b"").replace(b"> ", b">").replace(b">  ", b">")
        pair = b'<Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="y"><Record type="a" value="5"/>' \
            b"</Correlation>"
        for number, (text, written) in enumerate([
                (line, 2), (line.replace(b"</HealthData>", pair + b"</HealthData>"), 3),
                (line.replace(b"</Correlation>", b""), 4),
                (line.replace(b"</Correlation>", b"").replace(b"</HealthData>", pair + b"</HealthData>"), 5),
                (line.replace(b'value="3"', b'value="%s"' % (b"3" * 70_000)), 4)]):
            (self.folder / "x.xml").write_bytes(text)
            self.vault("export", "x.xml", "-o", f"line{number}", "--accept-damaged", status=3)
            elements = self.manifest(self.folder / f"line{number}")["elements"]
            self.assertEqual(sum(count["written"] for name, count in elements.items() if name.endswith("Record")), written)

    def test_too_many_places(self):
        rows = b"".join(b' <Record type="a" value=1/>\n <Record type="a" value="1"/>\n' for _ in range(10_100))
        (self.folder / "x.xml").write_bytes(b'<HealthData locale="en">\n' + rows + b"</HealthData>\n")
        said = self.vault("export", "x.xml", "-o", "out", "--accept-damaged", status=13).stderr
        self.assertIn("more than 10,000 places", said)
        self.assertNotIn("--accept-damaged", said)


if __name__ == "__main__":
    unittest.main()
