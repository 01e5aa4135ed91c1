"""What `session show` says of an encrypted export with its passphrase, and without."""
import json
import os
import subprocess
import unittest

from further_archives import STATE, Further
from terminal import Terminal
from vault import BINARY, ENCRYPT, OPEN, PASSPHRASE, KILLING_STRACE, environment
import decrypt  # found by the line above


class Showing(Further):
    def test_what_is_in_an_archive_needs_its_passphrase(self):
        result = self.vault("session", "list", "mine", *STATE)
        self.assertIn("give its passphrase", result.stderr)
        self.assertNotIn("a.gpx", result.stdout.decode())
        self.assertNotIn("contents", self.shown())
        text = self.vault("session", "list", "mine", *STATE, *OPEN).stdout.decode()
        for word in "2 samples of 1 type, 2023-05-01 to 2023-05-01", "damaged in the source: a.gpx", "4 side files":
            self.assertIn(word, text)
        contents = self.shown(*OPEN)["contents"]
        self.assertEqual(set(contents), {"samples", "typeCount", "first", "last", "fileCount", "truncated",
                                         "failedBatches", "damagedFiles"})
        self.vault("session", "list", "mine", *STATE, "--passphrase-command", "echo something else", status=12)
        # The archive is but now missing.
        os.remove(self.folder / "x.hvault")
        self.assertNotIn("contents", self.shown(*OPEN))

    def test_an_archive_that_lacks_only_its_name_is_kept_whole(self):
        part = "new.hvault.part"
        export = ("export", "good.zip", "-o", "new.hvault", "--session", "new", "-q", *ENCRYPT, *STATE)
        subprocess.run([*KILLING_STRACE, "-o", os.devnull, "-P", part, "-e", "trace=renameat2", "-e",
                        "inject=renameat2:signal=KILL", BINARY, *export], cwd=self.folder, env=environment(), check=False)
        self.assertIn(part, self.names())
        shown = json.loads(self.vault("session", "list", "new", "--json", *STATE, *OPEN).stdout)
        self.assertEqual(shown["phase"], "interrupted")
        with open(self.folder / part, "rb") as file:
            kept = decrypt.Container(file, PASSPHRASE.encode())
        batches = [name for name in kept.names if name.startswith("records/")]
        # The bytes are those in the file, where bundles are packed.
        self.assertEqual(shown["kept"],
                         {"entries": len(kept.names), "batches": len(batches), "bytes": kept.payload})
        self.assertGreater(len(batches), 0)

    def test_a_terminal_is_asked(self):
        terminal = Terminal(self.folder, "session", "list", "mine", *STATE)
        terminal.expect("Passphrase: ")
        terminal.type(PASSPHRASE + "\n")
        terminal.expect("damaged in the source: a.gpx")
        self.assertEqual(terminal.close(), 0)

    def test_what_is_no_archive_takes_none(self):
        self.vault("export", "export.zip", "-o", "clear", "--session", "clear", *STATE, status=3)
        self.vault("session", "list", "clear", *STATE, *OPEN, status=2)
        shown = json.loads(self.vault("session", "list", "clear", "--json", *STATE).stdout)
        self.assertEqual(shown["contents"]["damagedFiles"], ["a.gpx", "c.gpx"])

    # SECURITY.md: "It contains no types, dates of samples, counts by type, failures or secrets"
    def test_the_record_holds_nothing_of_it(self):
        self.damage()
        self.retry("-q")
        self.shown(*OPEN)
        for path in (self.folder / "state").rglob("*.export"):
            for word in "gpx", "HeartRate", "2023-05", PASSPHRASE:
                self.assertNotIn(word, path.read_text())


if __name__ == "__main__":
    unittest.main()
