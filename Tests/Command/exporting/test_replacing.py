"""What is replaced, what is not, and what is said of it."""
import fcntl
import json
import os
import unittest

from vault import BINARY, KILLING_STRACE, CommandTest, generated, run


class Replacing(CommandTest):
    def test_what_is_not_replaced_says_why(self):
        (self.folder / "note").write_text("a note")
        os.symlink("note", self.folder / "link")
        self.vault("export", generated().zip, "-o", "out")
        (self.folder / "out" / "my own").write_text("a note")
        for target in "note", "link", "out":
            result = self.vault("export", generated().zip, "-o", target, "--overwrite", status=16)
            self.assertNotIn("--overwrite", result.stderr)
            self.assertIn("move it away", result.stderr)
        self.assertEqual((self.folder / "out" / "my own").read_text(), "a note")

    def test_nothing_was_interrupted_where_something_is_replaced(self):
        for _ in range(2):
            report = json.loads(self.vault("export", generated().zip, "-o", "out", "--overwrite", "--json").stdout)
            self.assertEqual(report["resumedBytes"], 0)

    def test_what_another_export_has_done_is_not_thrown_away(self):
        command = [BINARY, "export", generated().zip, "-o", "out", "-q"]
        run(*KILLING_STRACE, "-o", "/dev/null", "-e", "trace=renameat2", "-e", "inject=renameat2:signal=KILL", *command,
            cwd=self.folder)
        self.assertEqual(self.names(), ["out.part"])
        before = sorted((self.folder / "out.part").rglob("*"))
        other = generated("shuffled", "14", "3MB").zip
        lock = os.open(self.folder / "out.part", os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_EX)
        self.vault("export", other, "-o", "out", status=11)
        os.close(lock)
        self.assertIn("--restart", self.vault("export", other, "-o", "out", status=16).stderr)
        self.assertEqual(before, sorted((self.folder / "out.part").rglob("*")))
        self.vault("export", other, "-o", "out", "--restart")
        self.vault("verify", "out", "--source", other)
        self.assertEqual(self.names(), ["out"])

    def test_an_encrypted_export_that_is_continued_without_encrypt(self):
        (self.folder / "out.part").write_bytes(generated().archive.read_bytes()[:100_000])
        self.assertIn("--encrypt", self.vault("export", generated().zip, "-o", "out", status=16).stderr)


if __name__ == "__main__":
    unittest.main()
