"""Odd exports end as `Tests/Readers/Python/odd_zips.py` says that they must, plain and encrypted."""
import json
import os
import struct
import sys
import unittest
import zipfile
import zlib

from documents import CANARY, RECORD, SOURCE, document
from vault import ENCRYPT, OPEN, READER, CommandTest, count_elements, each, odd_zips, run

STATUS = {"ok": 0, "safe": (0, 14), "partly": 3, "unread": 13, "damaged": 13, "unsupported": 14}
CASES = list(odd_zips.cases())


class OddSources(CommandTest):
    def source(self, name, data):
        (self.folder / name).write_bytes(data)
        return name

    def attempt(self, verdict, *arguments):
        """Runs an export that may be refused, whose status must fit the verdict."""
        fitting = STATUS[verdict]
        for status in fitting if isinstance(fitting, tuple) else (fitting,):
            try:
                return self.vault(*arguments, status=status)
            except AssertionError as failure:
                last = failure
        raise last

    def check_refused(self, name, result):
        self.assertEqual(self.names(), [name], "nothing is left")
        self.assertRegex(result.stderr, rf"{name}|apple_health_export/", "names the file")
        if name.endswith(".xml"):
            self.assertRegex(result.stderr, r"byte [0-9]+")
        self.assertNotRegex(result.stderr, CANARY)

    def check_taken(self, name, folder):
        elements = {path: count["written"] for path, count in self.manifest(folder)["elements"].items()}
        self.assertEqual(elements["Record"], odd_zips.RECORDS)
        sides = [] if name.endswith(".xml") else [entry for entry in odd_zips.SIDE if "crc-side" not in name
                                                  or entry != "export_cda.xml"]
        for side in sides:
            self.assertEqual((folder / "files" / side).read_bytes(), odd_zips.SIDE[side])

    @each(*CASES)
    def test_plain(self, case):
        name, data, verdict, _ = case
        result = self.attempt(verdict, "export", self.source(name, data), "-o", "out")
        if result.status in (0, 3):
            self.assertEqual(self.names(), sorted([name, "out"]))
            self.check_taken(name, self.folder / "out")
            self.vault("verify", "out", "--source", name, status=0)
        else:
            self.check_refused(name, result)

    @each(*CASES)
    def test_encrypted(self, case):
        name, data, verdict, _ = case
        result = self.attempt(verdict, "export", self.source(name, data), "-o", "out.hvault", *ENCRYPT)
        if result.status in (0, 3):
            self.assertEqual(self.names(), sorted([name, "out.hvault"]))
            self.vault("decrypt", "out.hvault", "-o", "out", *OPEN)
            self.check_taken(name, self.folder / "out")
        else:
            self.check_refused(name, result)

    @each(*CASES)
    def test_inspected(self, case):
        name, data, verdict, _ = case
        self.attempt(verdict if verdict != "partly" else "ok", "inspect", "--json", self.source(name, data))
        self.assertEqual(self.names(), [name])

    def test_a_damaged_side_file_is_said_and_replaces_nothing(self):
        made = {name: data for name, data, _, _ in CASES}
        whole, damaged = self.source("nested.zip", made["nested.zip"]), self.source("crc-side.zip", made["crc-side.zip"])
        for out, options in ("out", ()), ("out.hvault", ENCRYPT):
            result = self.vault("export", damaged, "-o", "new-" + out, *options, status=3)
            self.assertIn("export_cda.xml is damaged or unreadable in the source", result.stderr)
            result = self.vault("export", damaged, "-o", "quiet-" + out, "--quiet", *options, status=3)
            self.assertRegex(result.stderr, r"\Awarning: export_cda.xml is damaged or unreadable in the source[^\n]*\n"
                                            r"export it again with: healthvault session resume \S+\n\Z")
            self.vault("export", whole, "-o", out, *options)
            result = self.vault("export", damaged, "-o", out, "--overwrite", *options, status=13)
            self.assertIn("was not replaced", result.stderr)
            self.vault("verify", out, "--source", whole, *(OPEN if options else ()))
        self.assertIn("export_cda.xml", self.vault("inspect", "new-out").stdout.decode().split("warning: ")[1])
        entry, = [file for file in self.manifest(self.folder / "new-out")["files"] if "damaged" in file]
        self.assertEqual(entry["name"], "export_cda.xml")

    def test_a_damaged_side_file_can_be_tried_again_and_again(self):
        made = {name: data for name, data, _, _ in CASES}
        source, state = self.source("export.zip", made["crc-side.zip"]), ("--state-dir", "state")
        self.vault("export", source, "-o", "out", "--session", "mine", *state, status=3)
        before = self.manifest(self.folder / "out")
        self.vault("session", "resume", "mine", *state, status=3)
        self.assertEqual(self.manifest(self.folder / "out"), before)
        self.vault("verify", "out", "--source", source)
        self.source("export.zip", made["nested.zip"])
        self.vault("session", "resume", "mine", *state)
        self.vault("verify", "out", "--source", source)
        self.assertNotIn("damaged", json.dumps(self.manifest(self.folder / "out")["files"]))

    def test_a_file_from_the_future(self):
        (self.folder / "apple").mkdir()
        for name in "apple/export.xml", "apple/note.txt":
            (self.folder / name).write_text(document(RECORD) if name.endswith("xml") else "")
            os.utime(self.folder / name, (10_500_000_000, 10_500_000_000))
        self.vault("export", "apple", "-o", "out")
        self.vault("verify", "out", "--source", "apple")

    def test_control_characters_in_json(self):
        """They must not steer a terminal, and JSON knows only one way to write them."""
        source = document(RECORD.replace(SOURCE, "A&#x85;&#x9b;31m&#x7f;B"))
        self.assertIn("&#x85;", source)
        (self.folder / "export.xml").write_text(source)
        report = self.vault("inspect", "export.xml", "--json").stdout
        self.assertTrue(all(byte >= 0x20 or byte == 0x0a for byte in report))
        self.assertNotIn("\x85", report.decode())
        self.assertIn("A\x85\x9b31m\x7fB", json.loads(report)["sources"])

    # SECURITY.md: "**Someone who makes a source"
    def test_nothing_leaves_the_target(self):
        made = {name: data for name, data, _, _ in CASES}
        for name in "slip.zip", "absolute.zip":
            inner = self.folder / name.removesuffix(".zip") / "deep" / "deeper"
            inner.mkdir(parents=True)
            (inner / name).write_bytes(made[name])
            self.attempt("safe", "export", inner / name, "-o", inner / "out")
        self.assertEqual(list(self.folder.rglob("evil*")), [])

    def test_a_missing_source(self):
        for command in (("export", "missing.zip", "-o", "out"), ("inspect", "missing"), ("verify", "missing.hvault"),
                        ("decrypt", "missing.hvault", *OPEN), ("export", "missing.zip", *ENCRYPT)):
            result = self.vault(*command, status=10)
            self.assertIn("missing", result.stderr)
            self.assertEqual(self.names(), [])

    def test_a_piped_zip(self):
        zipped = next(data for name, data, _, _ in CASES if name == "nested.zip")
        for options in ("-o", "out"), ("-o", "out.hvault", *ENCRYPT):
            result = self.vault("export", "-", *options, status=2, input=zipped)
            self.assertIn("zip", result.stderr)
            self.assertEqual(self.names(), [])


class CutOffSources(CommandTest):
    """What a source that was cut off still holds, if its owner wants that."""

    # SECURITY.md: "Without this, a part looks like the whole"
    @each("truncated.xml", "unclosed.xml")
    def test_the_whole_records_are_taken(self, name):
        (self.folder / name).write_bytes(next(data for other, data, _, _ in CASES if other == name))
        records = 119 if name == "truncated.xml" else odd_zips.RECORDS
        plain = self.vault("export", name, "--accept-damaged", "-o", "plain", status=3)
        self.assertIn("the source is truncated", plain.stderr)
        self.vault("export", name, "--accept-damaged", "-o", "a.hvault", *ENCRYPT, status=3)
        said = "warning: the source was truncated, or could not be read to its end; what followed is missing\n"
        for more in ["-o", "decrypted"], ["--tar"], ["-o", "a.db", "--format", "sqlite"]:
            self.assertIn(said, self.vault("decrypt", "a.hvault", *more, *OPEN).stderr)
        self.assertIn(said, run(sys.executable, READER, *OPEN, self.folder / "a.hvault", self.folder / "read").stderr)
        self.assert_same_folder("plain", "decrypted")
        manifest = self.manifest(self.folder / "plain")
        self.assertTrue(manifest["source"]["truncated"])
        self.assertEqual(manifest["elements"]["Record"], {"read": records, "written": records})
        self.vault("verify", "plain", "--source", name)

    def test_a_zip_with_a_cut_off_document_gives_its_side_files_too(self):
        text = odd_zips.XML[:odd_zips.XML.rindex(b"<Record") + 60]
        (self.folder / "cut.zip").write_bytes(odd_zips.archive(odd_zips.export(data=text)))
        self.vault("export", "cut.zip", "-o", "no", status=13)
        self.vault("export", "cut.zip", "--accept-damaged", "-o", "out", status=3)
        self.assertEqual(self.manifest(self.folder / "out")["elements"]["Record"]["written"], 119)
        for name, data in odd_zips.SIDE.items():
            self.assertEqual((self.folder / "out/files" / name).read_bytes(), data)

    @each(0.5, 0.9, 0.999)
    def test_a_zip_whose_end_is_missing(self, share):
        """As 'zip -FF' leaves it: the directory says how much of the document there is."""
        document = odd_zips.XML
        squeezer = zlib.compressobj(6, zlib.DEFLATED, -15)
        data = squeezer.compress(document) + squeezer.flush()
        name, cut = b"apple_health_export/export.xml", data[:int(len(data) * share)]
        sizes = struct.pack("<LLL", zlib.crc32(document), len(cut), len(document))
        local = struct.pack("<4s5H", b"PK\3\4", 20, 0, 8, 0, 0x5800) + sizes + struct.pack("<HH", len(name), 0) + name
        entry = (struct.pack("<4s6H", b"PK\1\2", 20, 20, 0, 8, 0, 0x5800) + sizes
                 + struct.pack("<5H2L", len(name), 0, 0, 0, 0, 0, 0) + name)
        end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, len(entry), len(local) + len(cut), 0)
        (self.folder / "fixed.zip").write_bytes(local + cut + entry + end)
        result = self.vault("export", "fixed.zip", "-o", "no", status=13)
        self.assertIn("--accept-damaged", result.stderr)
        self.vault("export", "fixed.zip", "--accept-damaged", "-o", "out", status=3)
        manifest = self.manifest(self.folder / "out")
        self.assertTrue(manifest["source"]["truncated"])
        held = zlib.decompressobj(-15).decompress(cut)
        self.assertIn(manifest["elements"]["Record"]["written"], range(held.count(b"/>\n <Record") - 1,
                                                                      held.count(b"<Record") + 1))
        (self.folder / "held.xml").write_bytes(held)
        self.vault("export", "held.xml", "--accept-damaged", "-o", "as-xml", status=(0, 3))
        self.assertEqual(manifest["elements"], self.manifest(self.folder / "as-xml")["elements"])

    def test_a_zip_that_is_damaged_in_the_middle(self):
        """What comes before is there; behind it nothing can be unpacked, or no checksum confirms it."""
        whole = odd_zips.archive(odd_zips.export())
        start = whole.index(b"export.xml") + 200
        for place in range(start, start + 1500, 97):
            data = bytearray(whole)
            data[place] ^= 0x55
            (self.folder / "cut.zip").write_bytes(data)
            self.vault("export", "cut.zip", "-o", "no", status=13)
            result = self.vault("export", "cut.zip", "--accept-damaged", "-o", "out", status=(3, 13))
            if result.status == 3:
                self.assertTrue(self.manifest(self.folder / "out")["source"]["truncated"])
                run("rm", "-r", self.folder / "out")

    def test_a_whole_source_is_not_called_cut_off(self):
        (self.folder / "export.xml").write_bytes(odd_zips.XML)
        self.vault("export", "export.xml", "--accept-damaged", "-o", "out")

    @each(odd_zips.XML, odd_zips.XML[:odd_zips.XML.rindex(b"<Record") + 60])
    def test_no_retry_is_suggested_that_would_be_refused(self, text):
        side = next(iter(odd_zips.SIDE.values()))
        with zipfile.ZipFile(self.folder / "cut.zip", "w") as file:
            for path, data in odd_zips.export(data=text).items():
                file.writestr(path, data)
        whole = (self.folder / "cut.zip").read_bytes()
        (self.folder / "cut.zip").write_bytes(whole.replace(side, side[:-1] + b"?", 1))
        options, state = ("--session", "mine", "--accept-damaged"), ("--state-dir", "state")
        said = [self.vault("export", "cut.zip", "-o", "a.hvault", *options, *ENCRYPT, *state, status=3).stderr,
                self.vault("session", "resume", "mine", *state, status=3).stderr]
        for message in said:
            self.assertIn("export an undamaged source", message)
        said.append(self.vault("session", "resume", "mine", *OPEN, *state, status=3).stderr)
        if text != odd_zips.XML:
            said.append(self.vault("verify", "a.hvault", *OPEN).stderr)
        for message in said:
            self.assertNotIn("session resume", message)

    def test_it_never_replaces_anything(self):
        (self.folder / "unclosed.xml").write_bytes(odd_zips.XML.replace(b"</HealthData>\n", b""))
        (self.folder / "export.xml").write_bytes(odd_zips.XML)
        self.vault("export", "export.xml", "-o", "out")
        self.vault("export", "unclosed.xml", "--accept-damaged", "--overwrite", "-o", "out", status=2)
        self.vault("export", "unclosed.xml", "--accept-damaged", "-o", "out", status=16)
        self.vault("verify", "out", "--source", "export.xml")

    def test_what_is_no_export_is_not_a_cut_off_one(self):
        (self.folder / "page.xml").write_text('<?xml version="1.0"?>\n<html><p>Hello</p></html>\n')
        self.vault("export", "page.xml", "-o", "out", status=14)
        self.vault("export", "page.xml", "--accept-damaged", "-o", "out", status=14)
        self.assertEqual(self.names(), ["page.xml"])


class CountedAsInTheSource(CommandTest):
    def test_a_nul_is_kept_and_counted(self):
        data = next(data for name, data, _, _ in CASES if name == "nul.xml")
        (self.folder / "nul.xml").write_bytes(data)
        result = self.vault("export", "nul.xml", "-o", "out")
        self.assertIn("1 control character", result.stderr)
        self.assertEqual(self.manifest(self.folder / "out")["warnings"], {"controlCharacters": 1})
        lines = b"".join(path.read_bytes() for path in self.folder.glob("out/records/*/*.ndjson"))
        self.assertEqual(lines.count(b"Test\\u0000Watch"), 1)

    def test_the_reference_counts_are_met(self):
        (self.folder / "export.xml").write_bytes(odd_zips.XML)
        self.vault("export", "export.xml", "-o", "out")
        with open(self.folder / "export.xml", "rb") as file:
            expected = count_elements.count(file)["elements"]
        elements = {path: count["read"] for path, count in self.manifest(self.folder / "out")["elements"].items()}
        self.assertEqual(elements, expected)


if __name__ == "__main__":
    unittest.main()
