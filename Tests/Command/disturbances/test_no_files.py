"""What is no regular file is refused where one is expected."""
import os
import unittest

from documents import RECORD, document, export_zip
from vault import ENCRYPT, OPEN, CommandTest, each


class NoFiles(CommandTest):
    """What is no regular file is refused before it is read: it may have no end, or never a beginning."""

    def strange(self, kind, path):
        if kind == "pipe":
            os.mkfifo(path)
        elif kind == "link to a pipe":
            os.mkfifo(self.folder / "pipe")
            os.symlink(self.folder / "pipe", path)
        else:
            os.symlink(kind, path)

    KINDS = ("pipe", "link to a pipe", "/dev/zero", "/dev/full")

    @each(*KINDS)
    def test_where_an_archive_is_expected(self, kind):
        self.strange(kind, self.folder / "x.hvault")
        for command in (["verify", "x.hvault"], ["inspect", "x.hvault"], ["inspect", "x.hvault", "--all"],
                        ["decrypt", "x.hvault", "-o", "out"], ["decrypt", "--tar", "x.hvault"],
                        ["recover", "x.hvault", "-o", "out"]):
            refused = self.vault(*command, *(() if "--all" in command else OPEN), status=14)
            self.assertIn("x.hvault", refused.stderr)
        for command in (["list"], ["change", *OPEN, "--new-passphrase-file", OPEN[1]]):
            self.vault("passphrase", command[0], "x.hvault", *command[1:], status=14)
        self.assertEqual([name for name in self.names() if name.startswith("out")], [])

    @each(*((kind, name) for kind in KINDS[:3] for name in ("manifest.json", "SHA256SUMS", "prologue.xml", "files/a.gpx")))
    def test_where_a_file_of_a_plain_folder_is_expected(self, case):
        kind, name = case
        export_zip(self.folder / "export.zip", {"a.gpx": b"<gpx/>"})
        self.vault("export", "export.zip", "-o", "out")
        (self.folder / "out" / name).unlink()
        self.strange(kind, self.folder / "out" / name)
        refused = self.vault("verify", "out", status=(13, 14) if name in ("manifest.json", "SHA256SUMS") else 13)
        self.assertIn(name, refused.stderr.replace("out: a.gpx", "out: files/a.gpx"))
        self.vault("verify", "out", "--source", "export.zip", status=(13, 14))
        self.vault("inspect", "out", status=(13, 14) if name == "manifest.json" else (0, 13, 14))
        self.vault("export", "export.zip", "-o", "out", "--overwrite", status=(0, 16))

    @each(*KINDS[:3])
    def test_where_a_source_is_expected(self, kind):
        self.strange(kind, self.folder / "export.xml")
        for command in ["export", "export.xml", "-o", "out"], ["inspect", "export.xml"]:
            self.vault(*command, status=(2, 10, 14))
        (self.folder / "apple").mkdir()
        os.rename(self.folder / "export.xml", self.folder / "apple" / "export.xml")
        self.vault("export", "apple", "-o", "out", status=(2, 10, 14))

    @each(*KINDS[:3])
    def test_where_an_unfinished_export_may_lie(self, kind):
        (self.folder / "export.xml").write_text(document(RECORD))
        self.strange(kind, self.folder / "x.hvault.part")
        self.strange("/dev/zero" if kind.startswith("link") else kind, self.folder / "plain.part")
        here = self.names()
        self.vault("export", "export.xml", "-o", "x.hvault", *ENCRYPT, status=16)
        self.vault("export", "export.xml", "-o", "plain", status=16)
        self.assertEqual(self.names(), here)

    @each(*KINDS[:3])
    def test_where_the_record_of_a_session_is_expected(self, kind):
        (self.folder / "export.xml").write_text(document(RECORD))
        self.vault("export", "export.xml", "-o", "out", "--session", "mine", "--state-dir", "state")
        record, = (self.folder / "state" / "sessions").glob("mine*")
        record.unlink()
        self.strange(kind, record)
        for command in ["list"], ["list", "mine"], ["resume", "mine"], ["delete", "mine"]:
            self.vault("session", *command, "--state-dir", "state", status=(0, 1, 10, 13, 14))


if __name__ == "__main__":
    unittest.main()
