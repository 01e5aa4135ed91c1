"""Slips that people make, and what they are told."""
import os
import shutil
import subprocess
import unittest

import documents
from vault import BINARY, ENCRYPT, OPEN, CommandTest, each, environment, generated, run


class Names(CommandTest):
    def test_an_archive_s_name_without_encrypt(self):
        result = self.vault("export", generated().zip, "-o", "health.hvault", status=2)
        self.assertIn("add --encrypt", result.stderr)
        self.assertEqual(self.names(), [])

    @each("export", "decrypt", "recover")
    def test_a_stream_for_a_name(self, command):
        source = [generated().zip, *ENCRYPT] if command == "export" else [generated().archive, *OPEN]
        result = self.vault(command, *source, "-o", "-", status=2)
        self.assertIn("-o -", result.stderr)
        self.assertEqual(self.names(), [])

    @each(b"\xff.zip", b"a\xfe\xff", b"\xed\xa0\x80.zip")
    def test_a_name_that_is_no_utf_8(self, name):
        """With another character in the place of each wrong byte, two files would have one name."""
        shutil.copy(generated().zip, os.path.join(os.fsencode(self.folder), name))
        for arguments in ["inspect", name], ["export", generated().zip, "-o", name + b".out"], ["verify", name]:
            result = subprocess.run([BINARY, *arguments], cwd=self.folder, env=environment(), capture_output=True, check=False)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(b"not UTF-8", result.stderr)
        self.assertEqual(os.listdir(os.fsencode(self.folder)), [name])

    def test_a_group_without_its_mark(self):
        result = self.vault("decrypt", generated().archive, "-o", "out", "--types", "body", *OPEN, status=2)
        self.assertIn("did you mean 'group:body'?", result.stderr)


class Output(CommandTest):
    def test_a_reader_that_has_seen_enough(self):
        script = f"'{BINARY}' types | head -1; echo ${{PIPESTATUS[0]}}"
        result = run("bash", "-c", f"for i in 1 2 3 4 5; do {script}; done", cwd=self.folder)
        self.assertEqual(result.stderr, "")

    def test_nobody_to_tell(self):
        with open("/dev/full", "wb") as full:
            result = subprocess.run([BINARY, "export", generated().zip, "-o", "out", "--json"], cwd=self.folder,
                                    env=environment(), stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(result.returncode, 15)
        self.assertNotIn("nothing was left behind", result.stderr)
        self.vault("verify", "out")

    def test_links_are_named(self):
        source = self.folder / "apple"
        source.mkdir()
        (source / "export.xml").write_text(documents.document(documents.RECORD))
        os.symlink("/etc", source / "workout-routes")
        self.assertIn("skipped: workout-routes (link", self.vault("export", "apple", "-o", "out").stderr)


if __name__ == "__main__":
    unittest.main()
