"""The advice of the README holds: par2 repairs an archive that lost some of its sectors."""
import shutil
import unittest

from vault import OPEN, CommandTest, generated, run, skip_loudly


class Repair(CommandTest):
    # SECURITY.md: "Keep a second copy, or par2 files beside the archive"
    def test_a_damaged_archive_is_repaired_with_what_lies_beside_it(self):
        if not shutil.which("par2"):
            skip_loudly(self, "par2 is missing")
        whole = generated("ordinary", "14", "8MB").archive.read_bytes()
        archive = self.folder / "health.hvault"
        archive.write_bytes(whole)
        made = run("par2", "create", "-q", "-r10", "health.hvault", cwd=self.folder)
        self.assertEqual(made.status, 0, made.stderr)
        damaged = bytearray(whole)
        for start in 0, len(whole) // 3, len(whole) - 4096:
            damaged[start:start + 4096] = bytes(4096)
        archive.write_bytes(damaged)
        self.vault("verify", "health.hvault", *OPEN, status=(13, 14))
        repaired = run("par2", "repair", "-q", "health.hvault.par2", cwd=self.folder)
        self.assertEqual(repaired.status, 0, repaired.stdout[-500:])
        self.assertEqual(archive.read_bytes(), whole)
        self.vault("verify", "health.hvault", *OPEN)


if __name__ == "__main__":
    unittest.main()
