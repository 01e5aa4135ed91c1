"""What is replaced, what is not, and what is said of it."""
import fcntl
import json
import os
import unittest

from vault import BINARY, ENCRYPT, KILLING_STRACE, CommandTest, generated, run


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

    def test_an_exchange_that_was_cut_between_two_renames_is_ended(self):
        """File systems such as exFAT cannot exchange two folders in one step."""
        (self.folder / "export.xml").write_text("<HealthData/>")
        command = [BINARY, "export", generated().zip, "-o", "out", "-q", "--overwrite"]
        aside = self.folder / "out.replaced-1a2b3c4d"
        for is_named in False, True:
            run("rm", "-rf", self.folder / "out")
            self.vault("export", "export.xml", "-o", "out")
            run(*KILLING_STRACE, "-o", "/dev/null", "-e", "trace=renameat2", "-e", "inject=renameat2:signal=KILL", *command,
                cwd=self.folder)
            (self.folder / "out").rename(aside)
            if is_named:
                (self.folder / "out.part").rename(self.folder / "out")
            else:
                # The old one gets its name back, whoever comes first.
                self.vault("export", generated().zip, "-o", "out", "--session", "other", status=16)
                self.assertEqual(self.names(), ["export.xml", "out", "out.part"])
                self.vault("verify", "out", "--source", "export.xml")
            self.assertEqual(run(*command, cwd=self.folder).status, 0)
            self.assertEqual(self.names(), ["export.xml", "out"])
            self.vault("verify", "out", "--source", generated().zip)
        # What is no export, or has another name, is not ours.
        others = [aside, self.folder / "out.replaced-today"]
        for other in others:
            other.mkdir()
            (other / "mine").touch()
        self.vault("export", generated().zip, "-o", "out", "--overwrite")
        self.assertTrue(all((other / "mine").exists() for other in others))

    def test_what_a_power_failure_leaves_of_zeros_is_replaced(self):
        """FAT grows a file before its data is on the drive."""
        part = self.folder / "a.hvault.part"
        for length in 1, 5000, 3 << 20:
            part.write_bytes(bytes(length))
            self.vault("export", generated().zip, "-o", "a.hvault", "--overwrite", *ENCRYPT)
            self.assertEqual(self.names(), ["a.hvault"])
        part.write_bytes(bytes(5000) + b"mine")
        said = self.vault("export", generated().zip, "-o", "a.hvault", "--overwrite", *ENCRYPT, status=16).stderr
        self.assertIn("a.hvault.part: in the way", said)
        self.assertTrue(part.exists())
        (self.folder / "out.part").mkdir()
        (self.folder / "out.part" / ".healthvault-unfinished").write_bytes(bytes(200))
        self.vault("export", generated().zip, "-o", "out")
        self.assertEqual(self.names(), ["a.hvault", "a.hvault.part", "out"])

    def test_an_encrypted_export_that_is_continued_without_encrypt(self):
        (self.folder / "out.part").write_bytes(generated().archive.read_bytes()[:100_000])
        self.assertIn("--encrypt", self.vault("export", generated().zip, "-o", "out", status=16).stderr)


if __name__ == "__main__":
    unittest.main()
