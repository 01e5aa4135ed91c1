"""What only looks like the work of an export is left alone."""
import os
import unittest

from documents import RECORD, document
from vault import ENCRYPT, CommandTest, each


class FilesOfOthers(CommandTest):
    def test_a_folder_that_only_looks_like_an_unfinished_export(self):
        (self.folder / "in.xml").write_text(document(RECORD))
        thesis = self.folder / "photos.part" / "files" / "thesis.doc"
        thesis.parent.mkdir(parents=True)
        thesis.write_text("years of work")
        self.vault("export", "in.xml", "-o", "photos", status=16)
        self.assertEqual(thesis.read_text(), "years of work")

    @each(b"\0" * 10_000 + b"\1", b"some download\n" * 100)
    def test_a_file_that_only_looks_like_an_unfinished_archive(self, content):
        (self.folder / "in.xml").write_text(document(RECORD))
        (self.folder / "x.hvault.part").write_bytes(content)
        self.vault("export", "in.xml", "-o", "x.hvault", *ENCRYPT, status=16)
        self.assertEqual((self.folder / "x.hvault.part").read_bytes(), content)

    def test_a_replaced_export_whose_removal_was_interrupted(self):
        (self.folder / "in.xml").write_text(document(RECORD))
        self.vault("export", "in.xml", "-o", "out")
        self.vault("export", "in.xml", "-o", "old")
        os.rename(self.folder / "old", self.folder / "out.part")
        self.vault("export", "in.xml", "-o", "out", "--overwrite")
        self.assertEqual(self.names(), ["in.xml", "out"])

    def test_a_folder_that_was_not_named_is_left_alone(self):
        (self.folder / "in.xml").write_text(document(RECORD))
        self.vault("export", "in.xml", "-o", "out.replaced")
        self.vault("export", "in.xml", "-o", "out", "--overwrite")
        self.vault("export", "in.xml", "-o", "out", "--overwrite")
        self.assertEqual(self.names(), ["in.xml", "out", "out.replaced"])


if __name__ == "__main__":
    unittest.main()
