"""What is called damage, what is not, and what is said of it."""
import json
import shutil
import unittest

from vault import BINARY, OPEN, CommandTest, generated, run


class Verifying(CommandTest):
    def test_the_archive_of_another_export_is_not_called_damaged(self):
        other = generated("shuffled", "14", "3MB").zip
        for archive, options in (generated().archive, OPEN), (generated().plain, ()):
            result = self.vault("verify", archive, "--source", other, *options, status=13)
            self.assertNotIn("damaged", result.stderr)
            self.assertIn(b"intact, but it does not match this source", result.stdout)
            report = json.loads(self.vault("verify", archive, "--source", other, "--json", *options, status=13).stdout)
            self.assertEqual((report["intact"], report["matchesSource"]), (True, False))

    def test_a_stranger_in_a_folder_is_not_called_damage(self):
        shutil.copytree(generated().plain, self.folder / "plain")
        (self.folder / "plain" / ".DS_Store").write_text("")
        result = self.vault("verify", "plain", status=13)
        self.assertNotIn("damaged", result.stderr)
        self.assertIn(".DS_Store", result.stderr)

    def test_a_file_that_the_drive_does_not_give_back_is_a_finding(self):
        shutil.copytree(generated().plain, self.folder / "plain")
        lost, _, changed = sorted((self.folder / "plain" / "records").rglob("*.ndjson"))[:3]
        changed.write_bytes(changed.read_bytes() + b"{}\n")
        result = run("strace", "-f", "-o", "/dev/null", "-P", lost.relative_to(self.folder), "-e", "trace=read,pread64",
                     "-e", "inject=read,pread64:error=EIO", BINARY, "verify", "plain", cwd=self.folder)
        self.assertEqual(result.status, 13)
        self.assertIn(f"{lost.relative_to(self.folder / 'plain')} cannot be read from the drive", result.stderr)
        self.assertIn(f"{changed.relative_to(self.folder / 'plain')} has changed", result.stderr)

    def test_a_source_that_is_not_there_is_noticed_first(self):
        result = self.vault("verify", generated().archive, "--source", "typo.zip", status=10)
        self.assertIn("typo.zip", result.stderr)

    def test_json_whatever_the_damage(self):
        data = generated().archive.read_bytes()
        for cut in 3, 5000, len(data) // 2, len(data) - 5000:
            (self.folder / "cut.hvault").write_bytes(data[:cut])
            result = self.vault("verify", "cut.hvault", "--json", *OPEN, status=(13, 14))
            if result.status == 13:
                report = json.loads(result.stdout)
                self.assertFalse(report["intact"])
                self.assertEqual(len(report["problems"]), 1)

    def test_a_damaged_source_says_nothing_of_the_archive(self):
        data = generated().xml.read_bytes()
        (self.folder / "cut.xml").write_bytes(data[:len(data) // 2])
        result = self.vault("verify", generated().archive, "--source", "cut.xml", "--json", *OPEN, status=13)
        self.assertEqual(result.stdout, b"")
        self.assertIn("cut.xml", result.stderr)

    def test_an_unfinished_archive_says_how_to_go_on(self):
        (self.folder / "x.hvault.part").write_bytes(generated().archive.read_bytes()[:-5000])
        for command in "verify", "inspect":
            result = self.vault(command, "x.hvault.part", *OPEN, status=13)
            self.assertRegex(result.stderr, "same export command|recover")


if __name__ == "__main__":
    unittest.main()
