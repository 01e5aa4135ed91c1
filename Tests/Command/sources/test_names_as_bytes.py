"""A name is bytes: what Unicode takes for equal, or for one character, is neither."""
import json
import os
import sys
import unittest

import crafted
from crafted import BATCH, ROW, frame
from documents import RECORD, document, export_zip
from sampling import some
import vault
from vault import ENCRYPT, READER, CommandTest, each, run

NFC, NFD = "\u00e9", "e\u0301"
# A file that rests in pieces, behind whose name stands more; shorter ones rest under their own.
LONG = b"<gpx/>" * 12_000


class NameTest(CommandTest):
    def read_by_python(self, archive, secret=crafted.OPEN):
        return run(sys.executable, READER, *secret, archive, "read", cwd=self.folder)

    def check_refused(self, status=13):
        """Neither reader takes the archive, and nothing is written."""
        here = self.names()
        self.assertEqual(self.read_by_python("x.hvault").status, 1)
        run("rm", "-rf", "read.part", cwd=self.folder)
        self.vault("verify", "x.hvault", *crafted.OPEN, status=status)
        for options in (), ("--stored",):
            self.vault("decrypt", "x.hvault", "-o", "out", *options, *crafted.OPEN, status=status)
        self.assertEqual(self.names(), here, "nothing is left")

    def check_comes_back(self, source, sides):
        """Both forms of an export hold these files byte for byte, and everything says so."""
        self.vault("export", source, "-o", "plain")
        self.vault("export", source, "-o", "a.hvault", *ENCRYPT)
        self.vault("decrypt", "a.hvault", "-o", "out", *vault.OPEN)
        self.assert_same_folder("plain", "out")
        self.vault("verify", "plain", "--source", source)
        self.vault("verify", "a.hvault", "--source", source, *vault.OPEN)
        files = {file["name"]: file["path"] for file in self.manifest(self.folder / "out")["files"]}
        self.assertEqual({name: (self.folder / "out" / path).read_bytes() for name, path in files.items()}, sides)
        result = self.read_by_python("a.hvault", vault.OPEN)
        self.assertEqual(result.status, 0, result.stderr)
        self.assert_same_folder("read", "out")
        return files


class EqualToUnicode(NameTest):
    """Names that are equal canonically, and differ as bytes."""

    @each({f"{NFC}/one.gpx": b"one", f"{NFD}/two.gpx": b"two"}, {f"{NFC}/a.gpx": LONG, f"{NFD}/a.gpx": LONG + b"two"},
          {f"a/{NFC}/{NFD}": b"one", f"a/{NFD}/{NFC}": LONG}, {NFC: b"one", NFD: b"two"}, {NFC: LONG, NFD: LONG + b"two"})
    def test_folders_of_one_source(self, sides):
        export_zip(self.folder / "export.zip", sides)
        self.check_comes_back("export.zip", sides)

    def test_folders_of_a_source_that_is_a_folder(self):
        sides = {f"{NFC}/one.gpx": b"one", f"{NFD}/two.gpx": b"two"}
        for name, data in (sides | {"export.xml": document(RECORD).encode()}).items():
            (self.folder / "apple" / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / "apple" / name).write_bytes(data)
        self.check_comes_back("apple", sides)

    def test_pieces_of_two_files_are_not_joined(self):
        members = {f"files/{name}.zst.0000": frame(data) for name, data in ((NFC, b"one"), (NFD, b"two"))}
        crafted.archive(self.folder / "x.hvault", *members.items())
        self.vault("decrypt", "x.hvault", "-o", "out", *crafted.OPEN)
        for name, data in (NFC, b"one"), (NFD, b"two"):
            self.assertEqual((self.folder / "out" / "files" / name).read_bytes(), data)
        self.assertEqual(self.read_by_python("x.hvault").status, 0)
        self.assert_same_folder("read", "out")

    def test_a_file_s_second_piece_has_the_same_bytes_in_its_name(self):
        crafted.archive(self.folder / "x.hvault", (f"files/{NFC}.zst.0000", frame(b"one")),
                        (f"files/{NFD}.zst.0001", frame(b"two")))
        self.check_refused()


class Twins(NameTest):
    """A folder of ours in which somebody put a file whose name Unicode takes for that of another one."""

    def setUp(self):
        super().setUp()
        export_zip(self.folder / "export.zip", {NFC + ".gpx": b"listed"})
        self.vault("export", "export.zip", "-o", "out")
        self.twin = self.folder / "out" / "files" / (NFD + ".gpx")
        self.twin.write_bytes(b"somebody's own")

    def test_verifying_says_that_a_file_is_not_listed(self):
        report = json.loads(self.vault("verify", "out", "--json", status=(0, 13)).stdout)
        problem, = report["problems"]
        self.assertIn(NFD + ".gpx", problem)
        self.assertNotRegex(problem, "missing|damaged|not what it was")
        self.assertNotIn("Use another copy", self.vault("verify", "out", status=(0, 13)).stderr)

    def test_the_folder_is_not_replaced(self):
        for options in (), ("--restart",):
            self.vault("export", "export.zip", "-o", "out", "--overwrite", *options, status=16)
            self.assertEqual(self.twin.read_bytes(), b"somebody's own")
            self.assertEqual((self.folder / "out" / "files" / (NFC + ".gpx")).read_bytes(), b"listed")
        self.assertEqual(self.names(), ["export.zip", "out"])


class JoiningCharacters(NameTest):
    """Characters that become one with the ASCII character behind or before them."""

    @each(*some((f"route{mark}{end}" for mark in ("\u0600", "\u06dd", "\u0301", "\u200d", "\U000110bd")
                 for end in ("", ".gpx")), 4))
    def test_side_files_whose_names_end_in_them(self, name):
        sides = {name: LONG, "sub" + name + "/" + name: b"<gpx></gpx>"}
        export_zip(self.folder / "export.zip", sides)
        self.assertEqual(set(self.check_comes_back("export.zip", sides)), set(sides))

    @each("\u0600", "\u06dd")
    def test_an_entry_before_its_ending(self, mark):
        crafted.archive(self.folder / "x.hvault", (f"records/X{mark}.json.zst", frame(ROW)))
        self.vault("decrypt", "x.hvault", "-o", "out", *crafted.OPEN)
        self.assertEqual((self.folder / "out" / "records" / f"X{mark}.ndjson").read_bytes(),
                         b'{"element":"Record","position":1,"type":"X"}\n')


class CraftedNames(NameTest):
    @each(["files/a.zst.0000", "files/a"], ["files/a", "files/a.zst.0000"], ["files/a/b", "files/a"],
          ["files/a", "files/a/b"], ["files/a.zst.0000", "files/a/b"], ["files/a/b", "files/a.zst.0000"],
          [BATCH, BATCH.replace(".json.zst", ".ndjson")], ["prologue.xml.zst", "prologue.xml"],
          ["prologue.xml/a", "prologue.xml.zst"], ["SHA256SUMS"], ["SHA256SUMS/a"], ["manifest.json/a"], ["manifest.json"],
          [BATCH, BATCH.removesuffix(".zst")])
    def test_two_entries_of_one_file(self, names):
        contents = {"b": frame(b"compressed"), BATCH: frame(ROW)}
        crafted.archive(self.folder / "x.hvault", *(
            (name, contents[BATCH] if name == BATCH else contents["b"] if ".zst" in name else b"raw") for name in names))
        self.check_refused()

    @each(("files/a.zst.0000", "files/a"), (BATCH, BATCH.removesuffix(".zst")), ("prologue.xml.zst", "prologue.xml"),
          ("files/a/b", "files/a"), ("x", "manifest.json"))
    def test_an_entry_and_a_member_of_a_bundle_of_one_file(self, names):
        entry, member = names
        bundle = ("bundles/0000.tar.zst", [(member, json.dumps(ROW).encode())])
        pair = (entry, frame(ROW) if ".zst" in entry else b"raw"), bundle
        for members in pair, pair[::-1]:
            crafted.archive(self.folder / "x.hvault", *members)
            self.check_refused()

    @each(r"files/\ud800", r"files/\udcff", r"files/\udfff.zst.0000", r"\ud83d/a", r"files/\ude00\ud83d")
    def test_a_lone_surrogate_in_the_index(self, escape):
        """It is no UTF-8, whatever stands in its place in the tar."""
        crafted.archive(self.folder / "x.hvault", ("files/\ufffd", b"a"), change=lambda part, value: (
            value.replace(rb"files/\ufffd", escape.encode()) if part == "index text" else value))
        self.check_refused()

    @each(".healthvault-unfinished", ".healthvault-unfinished/a", "./.healthvault-unfinished")
    def test_an_entry_that_is_named_like_the_mark_of_an_unfinished_folder(self, name):
        crafted.archive(self.folder / "x.hvault", (name, b"a"))
        self.vault("verify", "x.hvault", *crafted.OPEN, status=13)
        for options in (), ("--stored",):
            refused = self.vault("decrypt", "x.hvault", "-o", "out", *options, *crafted.OPEN, status=13)
            self.assertIn("x.hvault", refused.stderr)
            self.assertNotRegex(refused.stderr, "exists|in use|another process")
            self.assertEqual(self.names(), ["x.hvault"])

    def test_the_mark_s_name_is_no_mark_elsewhere(self):
        sides = {".healthvault-unfinished": b"a", "sub/.healthvault-unfinished": b"b"}
        export_zip(self.folder / "export.zip", sides)
        self.check_comes_back("export.zip", sides)


class NoText(NameTest):
    """In a folder files may have names that are no UTF-8. They are kept."""

    def fill(self, *names):
        (self.folder / "apple").mkdir()
        (self.folder / "apple" / "export.xml").write_text(document(RECORD))
        for name in names:
            path = os.fsencode(self.folder / "apple") + b"/" + name
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(b"this is " + name)

    @each([b"\xff.gpx"], [b"\xc3\xa9\xff.gpx", b"sub\xfe/\xe9", b"\xed\xa0\x80"], [b"\xff", b"%FF", "\u00ff".encode()])
    def test_names_that_are_no_utf_8(self, names):
        self.fill(*names)
        files = self.check_comes_back("apple", {os.fsdecode(name): b"this is " + name for name in names})
        # A byte of a malformed sequence, and the percent sign itself, are written as in a URL.
        for name in names:
            path = "files/" + "".join(character if character != "%" and not 0xdc80 <= ord(character) <= 0xdcff else
                                      f"%{ord(character) & 0xff:02X}" for character in os.fsdecode(name))
            self.assertEqual(files[os.fsdecode(name)], path)

    def test_the_manifest_has_lone_surrogates(self):
        self.fill(b"\xff.gpx")
        self.vault("export", "apple", "-o", "plain")
        text = (self.folder / "plain" / "manifest.json").read_text()
        self.assertIn(r'"\udcff.gpx"', text)
        file, = json.loads(text)["files"]
        self.assertEqual((file["name"], file["path"]), ("\udcff.gpx", "files/%FF.gpx"))
        self.assertEqual((self.folder / "plain" / "files" / "%FF.gpx").read_bytes(), b"this is \xff.gpx")
        os.rename(os.fsencode(self.folder / "apple") + b"/\xff.gpx", os.fsencode(self.folder / "apple") + b"/\xfe.gpx")
        self.vault("verify", "plain", "--source", "apple", status=13)


if __name__ == "__main__":
    unittest.main()
