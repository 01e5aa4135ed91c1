"""Names of files that are odd on some system, or chosen to do harm."""
import os
import sys
import unittest
import warnings
import zipfile

from documents import RECORD, document, export_zip
from vault import ENCRYPT, OPEN, READER, CommandTest, each, run

NAMES = ["a b", "é.gpx", "e\u0301.gpx", "con.txt", "a:b", "q?", "*", '"', "<>", "|", "100%", "%41", "a.", "b ", "~1", "-rf",
         "$(x)", "'", ".hidden", "SHA256SUMS", "manifest.json", "session.json", "x.zst.0000", "x.zst", "A.txt", "a.TXT",
         "a\u202eb", "/".join(["deep"] * 60) + "/file", "n" * 200]


class FileNames(CommandTest):
    def both(self, source):
        """Exports in both ways; archive and folder must agree, and each must be as the source."""
        self.vault("export", source, "-o", "plain")
        self.vault("export", source, "-o", "a.hvault", *ENCRYPT)
        self.vault("decrypt", "a.hvault", "-o", "decrypted", *OPEN)
        self.assert_same_folder("plain", "decrypted")
        self.vault("verify", "plain", "--source", source)
        self.vault("verify", "a.hvault", "--source", source, *OPEN)
        return self.manifest(self.folder / "plain")["files"]

    def test_all_names_come_back(self):
        # Short ones rest whole in an archive, long ones in pieces, which have longer names.
        sides = {name: f"this is {number}".encode() * (1 + number % 2 * 10_000) for number, name in enumerate(NAMES)}
        export_zip(self.folder / "export.zip", sides)
        files = self.both("export.zip")
        self.assertEqual(sorted(file["name"] for file in files), sorted(sides))
        for file in files:
            self.assertEqual((self.folder / "plain" / file["path"]).read_bytes(), sides[file["name"]])
            self.assertNotRegex(file["path"], r'[:?*"<>|\\\x00-\x1f]', "FAT forbids it")
        paths = [file["path"].lower() for file in files]
        self.assertEqual(len(paths), len(set(paths)), "FAT takes two of them for one")

    @each(*((name, length) for name in ("n" * 255, "é" * 127, "%" * 250) for length in (1, 70_000)))
    def test_the_longest_names_that_a_disk_takes(self, case):
        name, length = case
        export_zip(self.folder / "export.zip", {name: b"a" * length})
        self.both("export.zip")
        self.vault("decrypt", "a.hvault", "--stored", "-o", "stored", *OPEN)
        result = run(sys.executable, READER, *OPEN, "a.hvault", "read", cwd=self.folder)
        self.assertEqual(result.status, 0, result.stderr)

    @each(["n" * 300], ["a", "a/b"])
    def test_names_that_no_disk_takes(self, names):
        """An archive that nobody can unpack is none: either the source is refused, or other names are found."""
        export_zip(self.folder / "export.zip", {name: b"a" for name in names})
        result = self.vault("export", "export.zip", "-o", "a.hvault", *ENCRYPT, status=(0, 13, 14))
        self.vault("export", "export.zip", "-o", "plain", status=result.status)
        if result.status == 0:
            self.vault("decrypt", "a.hvault", "-o", "decrypted", *OPEN)
            self.assert_same_folder("plain", "decrypted")

    @each("apple_health_export/note.txt", "note.txt")
    def test_two_members_of_one_name(self, other):
        top = "apple_health_export/"
        with warnings.catch_warnings(), zipfile.ZipFile(self.folder / "export.zip", "w") as file:
            warnings.simplefilter("ignore")
            file.writestr(top + "export.xml", document(RECORD))
            file.writestr(top + "note.txt", "one")
            file.writestr(other, "two")
        files = self.both("export.zip")
        self.assertEqual(sorted((self.folder / "plain" / file["path"]).read_text() for file in files), ["one", "two"])

    def test_a_folder_with_a_name_that_is_no_text(self):
        (self.folder / "export").mkdir()
        (self.folder / "export" / "export.xml").write_text(document(RECORD))
        with open(os.fsencode(self.folder / "export") + b"/route\xff.gpx", "wb") as file:
            file.write(b"<gpx/>")
        self.vault("export", "export", "-o", "out")
        self.assertEqual((self.folder / "out/files/route%FF.gpx").read_bytes(), b"<gpx/>")
        self.assertEqual(os.fsencode(self.manifest(self.folder / "out")["files"][0]["name"]), b"route\xff.gpx")

    def test_links_are_not_followed(self):
        (self.folder / "secret").write_text("secret")
        (self.folder / "export").mkdir()
        (self.folder / "export" / "export.xml").write_text(document(RECORD))
        os.symlink(self.folder / "secret", self.folder / "export" / "file")
        os.symlink(self.folder, self.folder / "export" / "folder")
        self.vault("export", "export", "-o", "out")
        manifest = self.manifest(self.folder / "out")
        self.assertEqual((manifest["files"], manifest["ignoredFiles"]), ([], ["file", "folder"]))
        self.assertFalse((self.folder / "out/files").exists())


if __name__ == "__main__":
    unittest.main()
