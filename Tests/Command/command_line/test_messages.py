"""Messages about a source repeat nothing of it that could steer a terminal, and no health value."""
import unittest

from documents import CANARY, RECORD, document, export_zip, write_zip
from vault import CommandTest


class Messages(CommandTest):
    """What others chose must not steer the terminal of who reads the message."""

    def check(self, result):
        self.assertNotRegex(result.stderr.replace("\n", ""), r"[\x00-\x1f\x7f\x80-\x9f]", "control characters")
        self.assertNotRegex(result.stderr, CANARY)

    def test_a_member_s_name_with_control_characters(self):
        export_zip(self.folder / "export.zip", {"a\x1b[2J\x1b]0;title\x07.txt": b""})
        self.check(self.vault("export", "export.zip", "-o", "out", status=14))

    def test_two_documents_with_control_characters_in_their_names(self):
        write_zip(self.folder / "export.zip", {"a.xml": document(), "b\u009b31m.xml": document()})
        self.check(self.vault("export", "export.zip", "-o", "out", status=14))

    def test_an_encoding_s_name_with_control_characters(self):
        (self.folder / "export.xml").write_text(document().replace("UTF-8", "\x1b[31mred"))
        self.check(self.vault("export", "export.xml", "-o", "out", status=14))

    def test_an_element_s_name_with_control_characters(self):
        (self.folder / "export.xml").write_text(document("<A\x1b[31m b=1/>"))
        self.check(self.vault("export", "export.xml", "-o", "out", status=13))

    def test_a_path_with_control_characters(self):
        self.check(self.vault("export", "no\x1b[31m\n.zip", "-o", "out", status=10))

    def test_inspecting_shows_no_control_characters_of_the_source(self):
        (self.folder / "export.xml").write_text(document(RECORD.replace("Zebrafink", "&#27;[31mRed&#155;\x1b[0m")))
        text = self.vault("inspect", "export.xml").stdout.decode()
        self.assertNotRegex(text.replace("\n", ""), r"[\x00-\x1f\x7f\x80-\x9f]")


if __name__ == "__main__":
    unittest.main()
