"""A link in the folder of the state leads nobody's files astray."""
import os
import unittest

from documents import RECORD, document
from vault import ENCRYPT, CommandTest


class LinkedStateFolders(CommandTest):
    """Whoever can put a link into the folder of the state must not choose where the program writes and removes."""

    def setUp(self):
        super().setUp()
        (self.folder / "export.xml").write_text(document(RECORD))
        self.elsewhere = self.folder / "elsewhere"
        self.elsewhere.mkdir()
        (self.folder / "state").mkdir()
        os.symlink(self.elsewhere, self.folder / "state" / "sessions")

    def test_nothing_is_written_through_the_link(self):
        for number, options in enumerate((("--session", "mine"), (), ENCRYPT)):
            result = self.vault("export", "export.xml", "-o", f"out{number}", *options, "--state-dir", "state",
                                status=(0, 1, 2, 14, 16))
            self.assertEqual(self.names(self.elsewhere), [])
            if "--session" in options:
                self.assertIn("sessions", result.stderr, "it is said")

    def test_nothing_is_removed_through_the_link(self):
        self.vault("export", "export.xml", "-o", "out", "--session", "mine", "--state-dir", "other")
        for path in (self.folder / "other" / "sessions").iterdir():
            path.rename(self.elsewhere / path.name)
        before = {path: path.read_bytes() for path in self.elsewhere.iterdir()}
        self.assertTrue(before)
        self.vault("session", "delete", "mine", "--state-dir", "state", status=(1, 2, 10, 14, 16))
        self.assertEqual({path: path.read_bytes() for path in self.elsewhere.iterdir()}, before)

    def test_the_folder_of_the_state_itself_may_be_a_link(self):
        """That is what its owner chose."""
        os.symlink("real", self.folder / "link")
        (self.folder / "real").mkdir()
        self.vault("export", "export.xml", "-o", "out", "--session", "mine", "--state-dir", "link")
        self.vault("session", "list", "mine", "--state-dir", "link")


if __name__ == "__main__":
    unittest.main()
