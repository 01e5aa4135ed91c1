"""A new passphrase has no characters that Unicode may give another form later on."""
import unittest

import crafted
from crafted import frame
from documents import RECORD, document
from vault import ITERATIONS, CommandTest, each


class Passphrases(CommandTest):
    """Code points that Unicode has not assigned may get a decomposition, and the passphrase other bytes with it."""

    UNASSIGNED = ("correct \u0378 horse", "correct \U0003fffd horse", "correct \U000e0fff horse")

    def new(self, text):
        (self.folder / "new").write_text(text)
        return self.folder / "new"

    @each(*UNASSIGNED)
    def test_an_export_refuses_them(self, text):
        (self.folder / "export.xml").write_text(document(RECORD))
        refused = self.vault("export", "export.xml", "-e", "-o", "a.hvault", *ITERATIONS,
                             "--passphrase-file", self.new(text), status=2)
        self.assertRegex(refused.stderr, "(?i)unassigned|not assigned|no character")
        self.assertNotIn(text, refused.stderr)
        self.assertEqual(self.names(), ["export.xml", "new"])

    @each("change", "add")
    def test_no_archive_gets_one(self, action):
        crafted.archive(self.folder / "a.hvault")
        before = (self.folder / "a.hvault").read_bytes()
        self.vault("passphrase", action, "a.hvault", *crafted.OPEN, *ITERATIONS, "--new-passphrase-file",
                   self.new(self.UNASSIGNED[0]), status=2)
        self.assertEqual((self.folder / "a.hvault").read_bytes(), before)

    def test_an_archive_that_has_one_is_opened(self):
        """Another program may have set it."""
        text = self.UNASSIGNED[0]
        crafted.write_container.write(self.folder / "a.hvault", [("session.json", b"{}"), (
            "manifest.json.zst", frame({}))], text.encode(), 100_000)
        self.vault("decrypt", "a.hvault", "--stored", "-o", "out", "--passphrase-file", self.new(text))

    @each("correct \u00e9 horse", "correct \U0001f40e horse", "correct \ue000 horse")
    def test_assigned_ones_are_taken(self, text):
        (self.folder / "export.xml").write_text(document(RECORD))
        self.vault("export", "export.xml", "-e", "-o", "a.hvault", *ITERATIONS, "--passphrase-file",
                   self.new(text))


if __name__ == "__main__":
    unittest.main()
