"""Slips that people make, and what they are told."""
import fcntl
import json
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
            self.assertIn(b"no UTF-8", result.stderr)
        self.assertEqual(os.listdir(os.fsencode(self.folder)), [name])

    def test_a_group_without_its_mark(self):
        result = self.vault("decrypt", generated().archive, "-o", "out", "--types", "body", *OPEN, status=2)
        self.assertIn("did you mean 'group:body'?", result.stderr)


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
        run("strace", "-f", "-o", "/dev/null", "-e", "trace=renameat2", "-e", "inject=renameat2:signal=KILL", *command,
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


class Verifying(CommandTest):
    def test_the_archive_of_another_export_is_not_called_damaged(self):
        other = generated("shuffled", "14", "3MB").zip
        for archive, options in (generated().archive, OPEN), (generated().plain, ()):
            result = self.vault("verify", archive, "--source", other, *options, status=13)
            self.assertNotIn("damaged", result.stderr)
            self.assertIn("whole in itself", result.stderr)
            report = json.loads(self.vault("verify", archive, "--source", other, "--json", *options, status=13).stdout)
            self.assertEqual((report["whole"], report["matchesSource"]), (True, False))

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
        self.assertIn(f"the drive does not give back {lost.relative_to(self.folder / 'plain')}", result.stderr)
        self.assertIn(f"{changed.relative_to(self.folder / 'plain')} is not what it was", result.stderr)

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
                self.assertFalse(report["whole"])
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
        self.assertIn("not taken: workout-routes (a link", self.vault("export", "apple", "-o", "out").stderr)


if __name__ == "__main__":
    unittest.main()
