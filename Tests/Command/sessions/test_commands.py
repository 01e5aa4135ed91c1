"""Exports that have a name: listed, shown and forgotten."""
import json
import os
import shutil
import signal
import unittest
from concurrent.futures import ThreadPoolExecutor

from named_exports import Sessions
from vault import BINARY, ENCRYPT, OPEN, generated, run

PHASES = {"running", "interrupted", "paused", "failed", "completed", "completedWithFailures"}


class Commands(Sessions):
    def test_there_are_none(self):
        self.assertEqual(self.vault("session", "list", *self.state).stdout, b"no sessions\n")
        for action in "list", "resume", "delete":
            result = self.vault("session", action, "mine", *self.state, status=10)
            self.assertIn("no such session", result.stderr)

    def test_wrong_usage(self):
        for arguments in (["delete"], ["resume"], ["paint", "mine"], ["list", "mine", "more"],
                          ["list", "mine", "--generate-passphrase"], ["list", "--passphrase-file", "f"],
                          ["delete", "mine", "--passphrase-file", "f"], [], ["list", "--jobs", "2"], ["list", "-q"],
                          ["list", "mine", "--iterations", "700000"], ["delete", "mine", "--progress", "none"],
                          ["delete", "mine", "--json"]):
            self.vault("session", *arguments, *self.state, status=2)
        self.vault("export", "-", "--session", "mine", status=2)
        for name in "../x", "-x", "", "a b":
            self.vault("export", self.export.xml, f"--session={name}", *self.state, status=2)
        self.assertFalse((self.folder / "state").exists())

    def test_a_name_is_that_of_one_export(self):
        small = generated("ordinary", "14", "8MB").xml
        self.vault(*self.command(source=small)[1:])
        for options in (["-o", "other"], ["-o", "plain", "--batch", "1month"], ["-o", "plain", *ENCRYPT]):
            result = run(BINARY, "export", small, "--session", "mine", *self.state, *options, cwd=self.folder)
            self.assertEqual(result.status, 2)
            self.assertIn("--restart", result.stderr)
        self.vault("export", small, "-o", "other", "--session", "mine", *self.state, "--restart")
        self.assertEqual(self.phase(), "completed")

    def test_what_is_shown(self):
        small = generated("ordinary", "14", "8MB").xml
        self.vault(*self.command(source=small)[1:])
        text = self.vault("session", "list", "mine", *self.state).stdout.decode()
        for word in "completed", "plain", "unencrypted", "samples", str(small):
            self.assertIn(word, text)
        shown = json.loads(self.vault("session", "list", "mine", *self.state, "--json").stdout)
        self.assertEqual(set(shown), {"id", "named", "phase", "source", "path", "encrypted", "batching", "created",
                                      "updated", "samples", "bytes", "further", "contents"})
        self.assertIn(shown["phase"], PHASES)

    # SECURITY.md: "It contains no types, dates of samples, counts by type, failures or secrets"
    def test_the_state_is_private_and_holds_no_health_data(self):
        self.vault(*self.command(encrypt=True)[1:])
        self.assertEqual((self.folder / "state").stat().st_mode & 0o777, 0o700)
        [record] = [path for path in (self.folder / "state").rglob("*") if path.is_file()]
        self.assertEqual(record.stat().st_mode & 0o777, 0o600)
        text = record.read_text()
        for word in "HeartRate", "HKQuantity", "passphrase":
            self.assertNotIn(word, text)

    def test_deleting_one_removes_what_is_unfinished_and_nothing_else(self):
        for encrypt, part in (False, "plain.part"), (True, "x.hvault.part"):
            self.interrupt(signal.SIGKILL, 3 << 20, encrypt=encrypt)
            self.vault("session", "delete", "mine", *self.state)
            self.assertFalse((self.folder / part).exists())
            self.assertEqual(self.sessions(), [])
        small = generated("ordinary", "14", "8MB").xml
        self.vault(*self.command(source=small)[1:])
        self.vault("session", "delete", "mine", *self.state)
        self.vault("verify", "plain")

    def test_a_session_that_somebody_has_is_refused(self):
        export = self.reach(1 << 16)
        try:
            # Each waits a while; the last one has another name, and the same folder.
            commands = (["session", "resume", "mine"], ["session", "delete", "mine"], self.command()[1:-2],
                        ["export", self.export.xml, "-o", "plain", "--session", "other"])
            with ThreadPoolExecutor(len(commands)) as pool:
                for result in pool.map(lambda command: self.vault(*command, *self.state, status=11), commands):
                    self.assertIn("in use", result.stderr)
            self.assertEqual(self.phase(), "running")
        finally:
            export.kill()

    def test_what_is_cut_or_lacks_files_is_not_complete(self):
        source = generated("ordinary", "14", "1MB").zip
        archive = ["export", source, "-o", "a.hvault", *ENCRYPT, "--session", "one", *self.state]
        folder = ["export", source, "-o", "plain", "--session", "two", *self.state]
        for command in archive, folder:
            self.vault(*command)
            self.assertIn("already complete", self.vault(*command).stderr)
        os.truncate(self.folder / "a.hvault", 100_000)
        shutil.rmtree(self.folder / "plain" / "records")
        for command, name in (archive, "one"), (folder, "two"):
            self.assertIn("a part of it is now missing", self.vault(*command, status=13).stderr)
            self.vault("session", "resume", name, *self.state, *(OPEN if name == "one" else ()), status=13)
            self.vault(*command, "--overwrite")
            self.assertIn("already complete", self.vault(*command).stderr)
        self.vault("verify", "a.hvault", *OPEN)
        self.vault("verify", "plain")

    def test_a_damaged_record_is_no_session(self):
        self.vault(*self.command(source=generated("ordinary", "14", "8MB").xml)[1:])
        [record] = [path for path in (self.folder / "state").rglob("*") if path.is_file()]
        whole = record.read_bytes()
        # A line that was being written does not count.
        record.write_bytes(whole + whole[:50])
        self.assertEqual(self.phase(), "completed")
        record.write_bytes(whole.splitlines(keepends=True)[0] + b"{}\n")
        self.assertEqual(self.phase(), "interrupted")
        record.write_bytes(b"{}\n")
        self.vault("session", "list", "mine", *self.state, status=13)
        self.assertEqual(self.sessions(), [])
        self.vault("session", "delete", "mine", *self.state)
        self.assertFalse(record.exists())
        self.vault("verify", "plain")

    def test_without_a_place_for_state(self):
        bare = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
        small = generated("ordinary", "14", "8MB").xml
        result = run(BINARY, "export", small, "-o", "plain", cwd=self.folder, env=bare)
        self.assertEqual(result.status, 0, result.stderr)
        result = run(BINARY, "session", "list", cwd=self.folder, env=bare)
        self.assertEqual(result.status, 2)
        self.assertIn("--state-dir", result.stderr)


if __name__ == "__main__":
    unittest.main()
