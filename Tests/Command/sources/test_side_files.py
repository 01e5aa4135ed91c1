"""Files beside the document, and the document's prologue, are carried byte for byte."""
import json
import unittest
import zipfile
import zlib

from documents import END, HEAD, PROLOGUE, RECORD, export_zip
from sampling import ALL, some
from vault import ENCRYPT, OPEN, VARIANTS, CommandTest, each, generated, run


class SideFiles(CommandTest):
    @each(*some(VARIANTS, 4))
    def test_side_files_are_those_of_the_source(self, variant):
        export = generated(*variant)
        self.assert_same_folder(export.folder, export.plain / "files", "export.xml")

    def test_a_document_named_alone_says_what_lies_beside_it(self):
        source = generated()
        folder = self.folder / "unpacked"
        run("unzip", "-q", source.zip, "-d", folder)
        [document] = folder.rglob("export.xml")
        count = sum(path.is_file() for path in document.parent.rglob("*")) - 1
        for command in ("export", document, "-o", "out"), ("inspect", document):
            said = self.vault(*command)
            text = said.stdout.decode() + said.stderr
            self.assertIn(f"{count} side files beside the document not included", text)
            self.assertIn(f"use the whole folder: {document.parent}\n", text)
        self.assertEqual(json.loads(self.vault("inspect", document, "--json").stdout)["oddities"]["filesBeside"], count)
        self.assertNotIn("beside", self.vault("export", document.parent, "-o", "all").stderr)
        run("mv", document, self.folder)
        self.assertNotIn("beside", self.vault("export", "export.xml", "-o", "none").stderr)

    def test_of_a_folder_only_the_folder_of_the_document_is_taken(self):
        """Whoever names the folder of all downloads does not export these."""
        home = self.folder / "home"
        run("unzip", "-q", generated().zip, "-d", home)
        [document] = home.rglob("export.xml")
        for name in ".ssh/id_rsa", "Documents/tax.txt", "photo.jpg":
            path = home / name
            path.parent.mkdir(exist_ok=True)
            path.write_text("private")
        result = self.vault("export", home, "-o", "out")
        self.assertNotIn("warning", result.stderr)
        self.assert_same_folder(document.parent, self.folder / "out/files", "export.xml")
        self.assertNotIn("tax.txt", (self.folder / "out/manifest.json").read_text())
        # What lies beside the document is kept, but said; hidden files are none of the Health app's.
        (document.parent / "notes.txt").write_text("mine")
        (document.parent / ".hidden").write_text("mine")
        (document.parent / "workout-routes/link.gpx").symlink_to("/etc/hostname")
        report = json.loads(self.vault("export", home, "-o", "more", "--json").stdout)
        self.assertEqual(report["oddities"]["foreignFiles"], 1)
        self.assertEqual([name.rsplit("/", 1)[1] for name in report["ignoredFiles"]], [".hidden", "link.gpx"])
        self.assertTrue((self.folder / "more/files/notes.txt").exists())
        self.assertFalse((self.folder / "more/files/.hidden").exists())
        self.assertIn("1 file in the folder of the document that the Health app does not put there",
                      self.vault("inspect", home).stdout.decode())

    def test_many_and_large_side_files(self):
        export = generated("ordinary", "14", "2MB", "--side-files", "heavy")
        self.assert_same_folder(export.folder, export.plain / "files", "export.xml")
        self.vault("decrypt", export.archive, "-o", "out", *OPEN)
        self.assert_same_folder(export.plain, self.folder / "out")
        manifest = self.manifest(export.plain)
        for file in manifest["files"]:
            data = (export.folder / file["name"]).read_bytes()
            self.assertEqual((file["length"], file["crc32"]), (len(data), f"{zlib.crc32(data):08x}"))

    @each(
        ("empty ones, four deep", [f"a/b/c/d/{number:05}.json" for number in range(20_000 if ALL else 5_000)], b""),
        ("in a folder with a long name", [f"{'n' * 200}/{number:05}.gpx" for number in range(3_000)], b"<gpx/>"),
        ("with long names", [f"{number:05}{'n' * 220}" for number in range(3_000)], b"x"),
        ("around what a bundle takes", [f"{number:04}" for number in range(4_100)], b"y" * 300))
    def test_thousands_of_small_files(self, case):
        """Their names are longer than what is in them, and alike: the index must stay one that a reader takes."""
        _, names, data = case
        export_zip(self.folder / "export.zip", {name: data for name in names})
        self.vault("export", "export.zip", "-o", "plain")
        self.vault("export", "export.zip", "-o", "a.hvault", *ENCRYPT)
        self.vault("verify", "a.hvault", "--source", "export.zip", *OPEN)
        self.vault("decrypt", "a.hvault", "-o", "decrypted", *OPEN)
        self.assert_same_folder(self.folder / "plain", self.folder / "decrypted")
        self.assertEqual(len(self.manifest(self.folder / "decrypted")["files"]), len(names))

    @each(*VARIANTS)
    def test_the_prologue_is_the_source_s(self, variant):
        export = generated(*variant)
        text = export.xml.read_bytes()
        self.assertEqual((export.plain / "prologue.xml").read_bytes(), text[:text.index(b"<HealthData ")])

    def test_a_prologue_with_odd_white_space_and_comments(self):
        prologue = ('\ufeff<?xml version="1.0"\tencoding="UTF-8"?>\r\n\r\n<!-- é <HealthData > -->\r\n'
                    "<!DOCTYPE HealthData [\r\n<!ELEMENT HealthData ANY>\r\n]>\t\n>\n <!-- - -->  ")
        (self.folder / "odd.xml").write_bytes((prologue + HEAD.removeprefix(PROLOGUE) + RECORD + END).encode())
        self.vault("export", "odd.xml", "-o", "out")
        self.assertEqual((self.folder / "out/prologue.xml").read_bytes(), prologue.encode())
        self.vault("export", "odd.xml", "-o", "out.hvault", *ENCRYPT)
        self.vault("decrypt", "out.hvault", "-o", "decrypted", *OPEN)
        self.assert_same_folder(self.folder / "out", self.folder / "decrypted")

    def test_sizes_around_the_pieces_of_a_file(self):
        piece, text = 15 << 16, bytes(range(251)) * 20_000
        sizes = (0, 1, 65_535, 65_536, 65_537, piece - 1, piece, piece + 1, piece + 1000, 2 * piece + 40_000, 3 * piece)
        sides = {f"attachments/{size}.bin": text[:size] for size in sizes}
        export_zip(self.folder / "export.zip", sides)
        self.vault("export", "export.zip", "-o", "plain")
        self.vault("export", "export.zip", "-o", "a.hvault", *ENCRYPT)
        self.vault("decrypt", "a.hvault", "-o", "decrypted", *OPEN)
        self.assert_same_folder(self.folder / "plain", self.folder / "decrypted")
        for name, data in sides.items():
            self.assertEqual((self.folder / "plain/files" / name).read_bytes(), data, name)
        self.vault("decrypt", "a.hvault", "--stored", "-o", "stored", *OPEN)
        # Up to 64 KiB they rest in a bundle, as they are.
        whole = {path.name for path in (self.folder / "stored/files/attachments").iterdir() if path.suffix == ".bin"}
        self.assertEqual(whole, {"0.bin", "1.bin", "65535.bin", "65536.bin"})

    def test_what_comes_before_damage_is_kept(self):
        """All but the last 64 KiB of it."""
        # A little of it, compressed, becomes much.
        data = b"".join(b'<trkpt lat="52.5" lon="13.4"><time>2023-05-13T05:%02d:%02dZ</time></trkpt>\n'
                        % (number // 60 % 60, number % 60) for number in range(50_000))
        archive = export_zip(self.folder / "export.zip", {"long.gpx": data})
        with zipfile.ZipFile(archive) as made:
            info = made.getinfo("apple_health_export/long.gpx")
        image = bytearray(archive.read_bytes())
        start = info.header_offset + 30 + len(info.filename)
        damage = start + info.compress_size * 4 // 5
        sound = len(zlib.decompressobj(-15).decompress(image[start:damage]))
        self.assertGreater(sound, len(data) // 2)
        image[damage:start + info.compress_size] = b"\xff" * (start + info.compress_size - damage)
        archive.write_bytes(image)
        self.vault("export", "export.zip", "-o", "plain", status=3)
        kept = (self.folder / "plain/files/long.gpx").read_bytes()
        self.assertGreaterEqual(len(kept), sound - (1 << 16))
        self.assertTrue(kept.startswith(data[:sound - (1 << 16)]))


if __name__ == "__main__":
    unittest.main()
