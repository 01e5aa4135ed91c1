"""What stands where an export is to go is never lost by mistake, and nothing half-made takes its name."""
import os
import unittest

from documents import RECORD, document
from vault import ENCRYPT, OPEN, CommandTest, each, generated

PLAIN, ARCHIVE = ("-o", "target"), ("-o", "target", *ENCRYPT)


class Targets(CommandTest):
    def setUp(self):
        super().setUp()
        self.source = self.write("export.xml", document(RECORD))

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def export(self, *options, status=0, source="export.xml", **more):
        return self.vault("export", self.folder / source, *options, status=status, **more)


class UpperCase(Targets):
    def test_an_archive_is_found_in_its_folder_whatever_the_case_of_its_name(self):
        (self.folder / "drive").mkdir()
        self.export("-o", "drive/HEALTH.HVAULT", *ENCRYPT)
        self.vault("verify", "drive", *OPEN)
        self.vault("decrypt", "drive", "-o", "plain", *OPEN)
        self.vault("verify", "plain", "--source", "export.xml")


class ExistingTargets(Targets):
    def test_an_archive_is_not_replaced_unasked(self):
        self.export(*ARCHIVE)
        before = (self.folder / "target").read_bytes()
        result = self.export(*ARCHIVE, status=16)
        self.assertIn("--overwrite", result.stderr)
        self.export(*PLAIN, status=16)
        self.assertEqual((self.folder / "target").read_bytes(), before)
        self.assertEqual(self.names(), ["export.xml", "target"])

    def test_a_folder_is_not_replaced_unasked(self):
        self.export(*PLAIN)
        self.export(*PLAIN, status=16)
        self.export(*ARCHIVE, status=16)
        self.export("-o", "a.hvault", *ENCRYPT)
        self.vault("decrypt", "a.hvault", "-o", "target", *OPEN, status=16)
        self.vault("verify", "target")

    def test_a_link_that_leads_nowhere_is_not_replaced(self):
        os.symlink("nowhere", self.folder / "target")
        for options in PLAIN, ARCHIVE, (*PLAIN, "--overwrite"), (*ARCHIVE, "--overwrite"):
            self.export(*options, status=16)
        self.assertEqual(self.names(), ["export.xml", "target"])

    def test_overwriting_replaces_an_archive(self):
        self.export(*ARCHIVE)
        other = generated()
        self.vault("export", other.zip, *ARCHIVE, "--overwrite")
        self.vault("verify", "target", "--source", other.zip, *OPEN)
        self.assertEqual(self.names(), ["export.xml", "target"])

    def test_overwriting_replaces_an_export_folder(self):
        self.vault("export", generated().zip, *PLAIN)
        self.export(*PLAIN, "--overwrite")
        self.vault("verify", "target", "--source", "export.xml")
        self.vault("decrypt", generated().archive, "-o", "target", "--overwrite", *OPEN)
        self.assert_same_folder("target", generated().plain)
        self.assertEqual(self.names(), ["export.xml", "target"])

    def test_a_failed_export_leaves_the_old_one_as_it_was(self):
        self.export(*ARCHIVE)
        self.vault("export", generated().zip, "-o", "folder")
        before = (self.folder / "target").read_bytes()
        self.write("bad.xml", document("</Record>"))
        self.export(*ARCHIVE, "--overwrite", status=13, source="bad.xml")
        self.export("-o", "folder", "--overwrite", status=13, source="bad.xml")
        self.assertEqual((self.folder / "target").read_bytes(), before)
        self.assert_same_folder("folder", generated().plain)
        self.assertEqual(self.names(), ["bad.xml", "export.xml", "folder", "target"])

    @each("note.txt", "archive.bin", "short")
    def test_overwriting_refuses_a_file_that_is_no_archive(self, name):
        self.source = self.write("export.xml", document(RECORD))
        path = self.write(name, "dear diary " * (1 if name == "short" else 5000))
        for options in ("-o", name, "--overwrite"), ("-o", name, "--overwrite", *ENCRYPT):
            self.export(*options, status=16)
        self.assertTrue(path.read_text().startswith("dear diary"))
        self.assertEqual(self.names(), sorted(["export.xml", name]))

    @each(["photos/1.jpg"], ["manifest.json", "src/main.js"], ["manifest.json", "records/thesis.odt"],
          ["SHA256SUMS", "linux.iso"], ["files/letter.txt"])
    def test_overwriting_refuses_a_folder_that_is_no_export(self, names):
        self.source = self.write("export.xml", document(RECORD))
        for name in names:
            self.write("target/" + name, '{"manifest_version": 3, "name": "a browser extension"}')
        for options in (*PLAIN, "--overwrite"), (*ARCHIVE, "--overwrite"):
            self.export(*options, status=16)
        self.vault("decrypt", generated().archive, "-o", "target", "--overwrite", *OPEN, status=16)
        for name in names:
            self.assertIn("browser extension", (self.folder / "target" / name).read_text())

    def test_overwriting_refuses_an_export_folder_with_something_else_in_it(self):
        self.export(*PLAIN)
        self.write("target/my notes.txt", "dear diary")
        self.export(*PLAIN, "--overwrite", status=16)
        self.assertEqual((self.folder / "target/my notes.txt").read_text(), "dear diary")

    def test_an_empty_folder_can_be_replaced(self):
        (self.folder / "target").mkdir()
        self.export(*PLAIN, status=16)
        self.export(*PLAIN, "--overwrite")
        self.vault("verify", "target")

    @each("target.part", "target.part/mine.txt")
    def test_what_is_in_the_way_of_the_unfinished_file_is_kept(self, name):
        self.source = self.write("export.xml", document(RECORD))
        self.write(name, "dear diary")
        for options in PLAIN, ARCHIVE:
            self.export(*options, status=16)
        self.assertEqual((self.folder / name).read_text(), "dear diary")
        self.assertEqual(self.names(), ["export.xml", "target.part"])


class Places(Targets):
    """Where a target may be."""

    def unpack(self):
        self.write("apple/export.xml", document(RECORD))
        self.write("apple/workout-routes/route.gpx", "<gpx/>")
        os.symlink("apple/workout-routes", self.folder / "link")

    @each("apple", "apple/out", "apple/workout-routes/out", "link/out", "apple/../apple/out", "./apple/./out")
    def test_inside_the_source(self, target):
        self.unpack()
        for options in ("-o", target), ("-o", target, *ENCRYPT), ("-o", self.folder / target, "--overwrite"):
            result = self.export(*options, status=2, source="apple")
            self.assertIn("source", result.stderr)
        self.assertEqual(self.names(self.folder / "apple"), ["export.xml", "workout-routes"])
        self.assertEqual(self.names(self.folder / "apple/workout-routes"), ["route.gpx"])

    def test_inside_the_source_where_one_stands(self):
        self.unpack()
        for options in ("-o", "out"), ("-o", "out.hvault", *ENCRYPT):
            self.export(*options, status=2, source="apple", cwd=self.folder / "apple/workout-routes")
        self.assertEqual(self.names(self.folder / "apple/workout-routes"), ["route.gpx"])

    def test_the_source_itself(self):
        before = self.source.read_bytes()
        for options in ("-o", "export.xml"), ("-o", "./export.xml", "--overwrite", *ENCRYPT):
            self.export(*options, status=2)
        os.link(self.source, self.folder / "other name")
        self.export("-o", "other name", "--overwrite", *ENCRYPT, status=2)
        self.assertEqual(self.source.read_bytes(), before)

    def test_around_the_source(self):
        """The folder to be replaced holds the only copy of the source."""
        self.export("-o", "mine")
        inner = self.write("mine/export.xml", document(RECORD))
        self.export("-o", "mine", "--overwrite", status=(2, 16), source="mine/export.xml")
        self.assertEqual(inner.read_text(), document(RECORD))

    def test_beside_the_source_by_a_path_through_it(self):
        self.unpack()
        self.export("-o", "apple/../out", source="apple")
        self.vault("verify", "out", "--source", "apple")

    def test_a_path_with_a_slash_at_its_end(self):
        self.export("-o", "out/")
        self.vault("decrypt", generated().archive, "-o", "decrypted/", *OPEN)
        self.assertEqual(self.names(), ["decrypted", "export.xml", "out"])

    def test_a_folder_that_does_not_exist(self):
        for options in ("-o", "no/such/out"), ("-o", "no/such/out.hvault", *ENCRYPT):
            result = self.export(*options, status=10)
            self.assertIn("no/such", result.stderr)
        self.assertEqual(self.names(), ["export.xml"])

    def test_without_a_path_the_name_tells_nothing(self):
        self.export()
        self.export(*ENCRYPT)
        self.assertEqual(self.names(), ["export.xml", "health-export", "health.hvault"])

    # SECURITY.md: "Archives and plain files are created readable by their owner only, if the file system supports permissions"
    def test_nobody_else_can_read_what_is_made(self):
        self.export("-o", "out")
        self.export("-o", "out.hvault", *ENCRYPT)
        self.vault("decrypt", "out.hvault", "-o", "decrypted", *OPEN)
        for path in [self.folder / "out.hvault", *self.folder.glob("out/**/*"), *self.folder.glob("decrypted/**/*")]:
            self.assertEqual(path.stat().st_mode & 0o077, 0, path)


if __name__ == "__main__":
    unittest.main()
