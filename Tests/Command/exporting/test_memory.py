"""Memory and the number of parts stay within bounds, however an export is arranged."""
import json
import re
import subprocess
import tarfile
import unittest

import zstandard
from crafted import MIB, BoundedTest
from documents import document, export_zip
from sampling import ALL
from vault import BINARY, BY_MONTH, ENCRYPT, GENERATE, OPEN, SHAPES, each, environment, run

SIZE = 60_000_000
# In mebibytes.
LIMIT = 48


class Memory(BoundedTest):
    def generate(self, shape, size=SIZE):
        made = run(GENERATE, "-o", self.folder / "export.xml", "--size", str(size), "--shape", shape, "--side-files",
                   "none")
        self.assertEqual(made.status, 0, made.stderr)

    def read_manifest(self):
        """Out of the stream, without unpacking thousands of files."""
        with subprocess.Popen([BINARY, "decrypt", "--tar", "a.hvault", *map(str, OPEN)], cwd=self.folder,
                              stdout=subprocess.PIPE, env=environment()) as process:
            with tarfile.open(fileobj=process.stdout, mode="r|") as tar:
                for member in tar:
                    if member.name == "manifest.json.zst":
                        manifest = json.loads(zstandard.decompress(tar.extractfile(member).read()))
            process.stdout.read()
        self.assertEqual(process.returncode, 0)
        return manifest

    @each(*(shape for shape in SHAPES if shape != "manyTypes"))
    def test_encrypting_60_megabytes(self, shape):
        self.encrypt(shape)

    def test_encrypting_a_hundred_thousand_types(self):
        """Index and manifest have an entry for each batch, and are held in memory: some 2 KB each."""
        share = 1 if ALL else 0.2
        self.encrypt("manyTypes", LIMIT + int(100_000 * share) * 2200 / MIB, int(SIZE * share))

    def encrypt(self, shape, limit=LIMIT, size=SIZE):
        self.generate(shape, size)
        # More batches at once than with the longer spans that a document of this length gets unasked.
        peak = self.peak("export", "export.xml", "-o", "a.hvault", "--jobs", "2", "--quiet", *BY_MONTH, *ENCRYPT)
        manifest = self.read_manifest()
        spans, parts = len(manifest["batches"]), sum(batch["parts"] for batch in manifest["batches"])
        cap = 1024 * int(re.search("([0-9]+)KiB", manifest["batching"])[1])
        packed = size / 4 if shape == "uniqueMetadata" else size / 20
        self.assertEqual((peak < limit, parts <= 2 * (spans + packed / cap)), (True, True),
                         f"{peak:.1f} MiB of memory; {parts} parts for {spans} spans")

    def test_reading_back_needs_no_more(self):
        self.generate("ordinary")
        self.vault("export", "export.xml", "-o", "a.hvault", *ENCRYPT)
        for command in (("decrypt", "a.hvault", "-o", "out"), ("verify", "a.hvault"), ("inspect", "a.hvault"),
                        ("verify", "a.hvault", "--source", "export.xml"),
                        ("query", "a.hvault", "heartRate", "--json"), ("stats", "a.hvault", "stepCount"),
                        ("report", "a.hvault", "-o", "a.html"), ("report", "export.xml", "-o", "b.html")):
            self.assertLess(self.peak(*command, *OPEN), LIMIT, command)
        self.assertLess(self.peak("inspect", "export.xml"), LIMIT)

    @each("ordinary", "shuffled")
    def test_writing_apple_s_document(self, shape):
        """Also of rows whose order is not that of any batch."""
        self.generate(shape)
        peak = self.peak("export", "export.xml", "-o", "again.xml", "--format", "apple-xml", "--jobs", "2", "-q", *BY_MONTH)
        self.assertEqual((self.folder / "again.xml").stat().st_size, (self.folder / "export.xml").stat().st_size)
        self.assertLess(peak, LIMIT)

    # SECURITY.md: "256 MiB"
    def test_a_side_file_of_zeros_is_not_held_in_memory(self):
        export_zip(self.folder / "export.zip", {"attachments/zeros.bin": bytes(100_000_000)})
        self.assertLess(self.peak("export", "export.zip", "-o", "a.hvault", *ENCRYPT), LIMIT)

    def test_a_row_far_wider_than_the_others_takes_no_memory_for_them(self):
        """What is only set aside is not seen in the peak; there may be no more than 2 GiB of it."""
        wide = "<Record" + ' value="1"' * 4_000 + "/>"
        text = document(wide, "<Record/>" * 30_000)
        (self.folder / "export.xml").write_text(text)
        limited = run("/bin/sh", "-c", 'ulimit -v 2097152 && exec "$0" "$@"', BINARY, "export", "export.xml", "-o",
                      "a.hvault", *ENCRYPT, cwd=self.folder)
        self.assertEqual(limited.status, 0, limited.stderr)
        self.vault("verify", "a.hvault", "--source", "export.xml", *OPEN)

    def test_many_columns_in_many_batches_count_as_well(self):
        """What a column takes beside its text, which is empty here."""
        names = " ".join(f"a{number}=''" for number in range(3_073))
        rows = (f"<Record type='T' startDate='{year}-{month}-02 10:00:00 +0000' {names}/>" for year in range(1700, 2010)
                for month in ("01", "07"))
        (self.folder / "export.xml").write_text(document(*rows))
        self.assertLess(self.peak("export", "export.xml", "-o", "a.hvault", "--batch", "6months", *ENCRYPT), LIMIT)

    def test_the_report_tells_the_peak(self):
        self.generate("ordinary")
        peak = self.peak("export", "export.xml", "-o", "a.hvault", "--json", *ENCRYPT)
        self.assertLess(abs(json.loads(self.printed)["peakMemoryBytes"] / MIB - peak), 4)


if __name__ == "__main__":
    unittest.main()
