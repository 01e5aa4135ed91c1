"""What another version has written: it is read, or refused with what to do, and left as it is. And what a crash leaves."""
import os
import resource
import shutil
import signal
import subprocess
import unittest

from vault import ITERATIONS, OPEN, SECRET, SHIPPED, CommandTest, ShippedTest, environment, generated, wait_until_idle

STATE = ("--config-dir", "config", "--state-dir", "state")


class Archives(CommandTest):
    def refused(self, byte):
        archive = self.folder / "newer.hvault"
        content = bytearray(generated().archive.read_bytes())
        for header in 0, len(content) - 4096:
            content[header + byte] = 2
        archive.write_bytes(content)
        for command in (("verify", archive), ("decrypt", archive, "-o", "out"), ("inspect", archive),
                        ("query", archive, "heartRate"), ("passphrase", "list", archive)):
            result = self.vault(*command, *OPEN, status=14)
            self.assertRegex(result.stderr, r"install a newer version of healthvault; this is 0\.\d+\.\d+")
        self.assertEqual(archive.read_bytes(), content)
        self.assertEqual(self.names(), ["newer.hvault"])

    def test_an_archive_of_a_newer_version_is_refused_with_what_to_install(self):
        self.refused(8)

    def test_and_one_of_another_suite(self):
        self.refused(9)


class State(CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "drive").mkdir()
        self.vault("destination", "add", "drive", "drive", *STATE[:2])
        self.vault("schedule", "set", "--every", "day 02:00", "--source", generated().zip, "--to", "drive", "--encrypt",
                   "--passphrase-file", SECRET, "--timer", "none", *STATE)
        self.vault("encrypt", generated().zip, "--to", "drive", *ITERATIONS, *OPEN, *STATE)

    def files(self):
        return {path: path.read_bytes() for name in ("config", "state") for path in sorted((self.folder / name).rglob("*"))
                if path.is_file()}

    def test_members_that_a_newer_version_adds_are_left_out(self):
        before = self.vault("destination", "history", "--json", *STATE).stdout, self.vault("schedule", "list", "--json", *STATE).stdout
        for path, content in self.files().items():
            path.write_bytes(content.replace(b"{", b'{"later":{"by":["a newer version",2]},', 1))
        after = self.vault("destination", "history", "--json", *STATE).stdout, self.vault("schedule", "list", "--json", *STATE).stdout
        self.assertEqual(after, before)
        self.vault("destination", "list", *STATE[:2])

    def test_records_that_are_not_understood_are_refused_and_stay(self):
        for path, content in self.files().items():
            path.write_bytes(b'{"kind of record":"of a newer version"}\n' + content)
        before = self.files()
        for command in (("destination", "list", *STATE[:2]), ("schedule", "list", *STATE), ("schedule", "status", *STATE),
                        ("schedule", "run", *STATE), ("encrypt", generated().zip, "--to", "drive", *ITERATIONS, *OPEN, *STATE)):
            result = self.vault(*command, status=14)
            self.assertRegex(result.stderr, "config/(destinations|schedules): damaged, or written by a newer version\n"
                                            "install a newer version")
        self.assertEqual(self.files(), before)

    def test_what_happened_under_a_newer_version_is_left_out_of_the_history_and_stays(self):
        history = self.folder / "state/history"
        record = b'{"kind of record":"of a newer version"}\n'
        before = self.vault("destination", "history", "--json", *STATE).stdout
        history.write_bytes(record + history.read_bytes())
        self.assertEqual(self.vault("destination", "history", "--json", *STATE).stdout, before)
        self.vault("encrypt", generated().zip, "--to", "drive", *ITERATIONS, *OPEN, *STATE)
        self.assertTrue(history.read_bytes().startswith(record))


class Crashes(ShippedTest):
    def crash(self, *command):
        """Sends what a crash sends while the command waits for its passphrase; whether a core was written."""
        def unlimited():
            limit = resource.getrlimit(resource.RLIMIT_CORE)[1]
            resource.setrlimit(resource.RLIMIT_CORE, (limit, limit))
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              cwd=self.folder, env=environment(), preexec_fn=unlimited) as process:
            wait_until_idle(process)
            process.send_signal(signal.SIGSEGV)
            _, status = os.waitpid(process.pid, 0)
            process.returncode = status
        self.assertTrue(os.WIFSIGNALED(status))
        return os.WCOREDUMP(status)

    # SECURITY.md: "Core dumps are switched off, and other processes of the same user cannot attach"
    def test_a_crash_leaves_no_memory(self):
        shutil.copy(generated().archive, self.folder / "a.hvault")
        self.assertFalse(self.crash(SHIPPED, "verify", "a.hvault", "--passphrase-file", "-"))
        self.assertEqual(self.names(), ["a.hvault"])
        # The same on a program that allows it, so that this test says something where cores are written.
        (self.folder / "a.hvault").unlink()
        if not self.crash("sleep", "1000"):
            print("cores are not written here for any program")


if __name__ == "__main__":
    unittest.main()
