"""An archive or folder that is damaged, cut off or tampered with is noticed, and nothing of it passes for whole."""
import functools
import random
import shutil
import tempfile
import unittest
from pathlib import Path

from documents import RECORD, document, export_zip
from vault import BINARY, CACHE, ENCRYPT, OPEN, CommandTest, each, generated, run

HEADER, SEGMENT = 4096, 1_049_672
# What happens to the archive, and whether everything can still be read.
DAMAGES = {
    "a bit in the salt of the first segment": lambda data: flip(data, HEADER + 3),
    "a bit in its commitment": lambda data: flip(data, HEADER + 30),
    "a bit in the first chunk": lambda data: flip(data, HEADER + 100),
    "a bit in the middle": lambda data: flip(data, len(data) // 2),
    "a bit in the last segment": lambda data: flip(data, len(data) - HEADER - 1),
    "the second half missing": lambda data: data[:len(data) // 2],
    "the end of the last segment missing": lambda data: data[:-HEADER - 20],
    "bytes behind the end": lambda data: data + b"more",
    "two segments exchanged": lambda data: (data[:HEADER] + data[HEADER + SEGMENT:HEADER + 2 * SEGMENT]
                                            + data[HEADER:HEADER + SEGMENT] + data[HEADER + 2 * SEGMENT:]),
    "a segment missing": lambda data: data[:HEADER + SEGMENT] + data[HEADER + 2 * SEGMENT:],
    "both headers zero": lambda data: bytes(HEADER) + data[HEADER:-HEADER] + bytes(HEADER),
}
BEARABLE = {
    "the header at the end missing": lambda data: data[:-HEADER],
    "a part of the header at the end missing": lambda data: data[:-100],
    "the header at the start destroyed": lambda data: b"?" * HEADER + data[HEADER:],
    "the header at the end destroyed": lambda data: data[:-HEADER] + b"?" * HEADER,
    "a bit in the header at the start": lambda data: flip(data, 3000),
    "a bit of the size of the segments": lambda data: flip(data, 15),
    "a bit in the wrapped key": lambda data: flip(data, 128 + 90),
}


def flip(data, at):
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]


@functools.cache
def large():
    """An archive of four segments, its plain folder and its tar stream."""
    place = Path(tempfile.mkdtemp(dir=CACHE))
    export_zip(place / "export.zip", {"scan.jpg": random.Random(1).randbytes(3_500_000)}, document(RECORD * 100))
    for arguments in (("export", "export.zip", "-o", "a.hvault", *ENCRYPT), ("export", "export.zip", "-o", "plain")):
        assert run(BINARY, *arguments, cwd=place).status == 0
    return (place / "a.hvault").read_bytes(), place / "plain", run(BINARY, "decrypt", "--tar", place / "a.hvault",
                                                                   *OPEN).stdout


class DamagedArchives(CommandTest):
    def damage(self, change):
        data = large()[0]
        self.assertGreater(len(data), 3 * SEGMENT)
        (self.folder / "a.hvault").write_bytes(change(data))

    # SECURITY.md: "`decrypt` extracts nothing if anything that it reads is damaged"
    @each(*DAMAGES)
    def test_decrypting(self, name):
        self.damage(DAMAGES[name])
        self.vault("decrypt", "a.hvault", "-o", "out", *OPEN, status=(13, 14))
        self.assertEqual(self.names(), ["a.hvault"])

    # SECURITY.md: "Each 16 KiB are authenticated before they leave the reader"
    @each(*DAMAGES)
    def test_streaming(self, name):
        self.damage(DAMAGES[name])
        result = self.vault("decrypt", "a.hvault", "--tar", *OPEN, status=(13, 14))
        self.assertTrue(large()[2].startswith(result.stdout), "all that comes out is genuine")

    # SECURITY.md: "`verify` detects all damage"
    @each(*DAMAGES)
    def test_verifying(self, name):
        self.damage(DAMAGES[name])
        self.vault("verify", "a.hvault", "--json", *OPEN, status=(13, 14))

    # SECURITY.md: "damage to one of the headers is a warning"
    @each(*BEARABLE)
    def test_what_can_still_be_read_is_read_with_a_warning(self, name):
        self.damage(BEARABLE[name])
        result = self.vault("decrypt", "a.hvault", "-o", "out", *OPEN)
        self.assertIn("warning", result.stderr)
        self.assert_same_folder("out", large()[1])
        self.vault("verify", "a.hvault", *OPEN, status=13)


class DamagedFolders(CommandTest):
    def setUp(self):
        super().setUp()
        shutil.copytree(generated().plain, self.folder / "plain")
        self.records = sorted(self.folder.glob("plain/records/HKQ*/*.ndjson"))

    def check(self, name):
        result = self.vault("verify", "plain", status=13)
        self.assertIn(name, result.stderr + result.stdout.decode())

    def list_anew(self):
        run("sh", "-c", "find . -type f ! -name SHA256SUMS | cut -c3- | LC_ALL=C sort | tr '\\n' '\\0'"
            " | xargs -0 sha256sum > SHA256SUMS", cwd=self.folder / "plain")

    def test_a_changed_file(self):
        self.records[0].write_bytes(flip(self.records[0].read_bytes(), 40))
        self.check(f"{self.records[0].parent.name}/{self.records[0].name}")

    def test_a_missing_file(self):
        self.records[0].unlink()
        self.check(f"{self.records[0].parent.name}/{self.records[0].name}")

    def test_a_file_too_many(self):
        (self.folder / "plain/records/more.ndjson").write_text("{}\n")
        self.check("more.ndjson")

    def test_a_missing_record_of_which_the_digests_say_nothing(self):
        lines = self.records[0].read_bytes().splitlines(keepends=True)
        self.records[0].write_bytes(b"".join(lines[1:]))
        self.list_anew()
        self.check(self.records[0].parent.name)

    def test_a_changed_value_of_which_the_digests_say_nothing(self):
        text = self.records[0].read_text()
        self.records[0].write_text(text.replace('"value":', '"value":1', 1))
        self.list_anew()
        self.check(self.records[0].parent.name)

    def test_a_changed_side_file_of_which_the_digests_say_nothing(self):
        side = next(self.folder.glob("plain/files/workout-routes/*"))
        side.write_bytes(flip(side.read_bytes(), 50))
        self.list_anew()
        self.check(side.name)

    def test_another_source(self):
        for archive in (generated().plain,), (generated().archive, *OPEN):
            self.vault("verify", *archive, "--source", generated("shuffled", "14", "3MB").zip, status=13)

    def test_a_source_with_one_record_more(self):
        text = generated().xml.read_text()
        end = text.index("/>", text.index("<Record ")) + 2
        record = text[text.index("<Record "):end]
        shutil.copytree(generated().folder, self.folder / "source")
        (self.folder / "source/export.xml").write_text(text[:end] + "\n " + record + text[end:])
        self.vault("verify", "plain", "--source", "source", status=13)

    def test_a_source_with_one_side_file_less(self):
        shutil.copytree(generated().folder, self.folder / "source")
        next(self.folder.glob("source/workout-routes/*")).unlink()
        self.vault("verify", "plain", "--source", "source", status=13)


class NoArchives(CommandTest):
    def test_what_is_no_archive(self):
        (self.folder / "empty").write_bytes(b"")
        (self.folder / "text").write_text("Hello\n" * 5000)
        (self.folder / "magic").write_bytes(b"\x89HVLT\r\n\x1a")
        (self.folder / "folder").mkdir()
        for name in "empty", "text", "magic", "folder", generated().zip:
            for command in (("decrypt", name, "-o", "out"), ("verify", name)):
                self.vault(*command, *OPEN, status=(13, 14))
        self.vault("decrypt", generated().plain, "-o", "out", *OPEN, status=14)
        self.assertEqual(self.names(), ["empty", "folder", "magic", "text"])


if __name__ == "__main__":
    unittest.main()
