"""Further archives whose writing is interrupted or fails."""
import json
import os
import random
import shutil
import signal
import unittest

from documents import export_zip
from further_archives import NEW, SIDES, STATE, Further, sources
from sampling import some
from vault import BINARY, ENCRYPT, KILLING_STRACE, OPEN, STRACE, Gated, TracedTest, each, run


class Interrupting(Further):
    """The further archive has 24 MB, so that there is something to go on with."""

    def setUp(self):
        super().setUp()
        self.good = export_zip(self.folder / "good.zip", SIDES | {"a.gpx": random.Random(2).randbytes(24 << 20)}).read_bytes()
        shutil.rmtree(self.folder / "plain")
        self.vault("export", "good.zip", "-o", "plain", "-q", *STATE)
        os.remove(self.folder / "x.hvault")
        self.vault("session", "delete", "mine", *STATE)
        self.damage("a.gpx", "c.gpx")
        self.vault("export", "export.zip", "-o", "x.hvault", "--session", "mine", *ENCRYPT, *STATE, status=3)
        self.damage()

    def interrupt(self, number):
        """Sends a retry a signal where some of the further archive is there."""
        part = self.folder / "x.2.hvault.part"
        retry = Gated([BINARY, "session", "resume", "mine", *NEW, *STATE], cwd=self.folder)
        return retry.reach(lambda: part.exists() and part.stat().st_size > 3 << 20).interrupt(number)

    def test_it_goes_on_by_any_command(self):
        again = ["export", "export.zip", "-o", "x.hvault", "--session", "mine", *ENCRYPT, *STATE]
        for arguments in (["session", "resume", "mine", *NEW, *STATE], again):
            status, message = self.interrupt(signal.SIGINT)
            self.assertEqual(status, 130, message)
            self.assertEqual(self.shown()["phase"], "paused")
            shown = self.shown(*OPEN)
            self.assertTrue(shown["unfinished"].endswith("x.2.hvault.part"))
            self.assertEqual(sorted(shown["contents"]["damagedFiles"]), ["a.gpx", "c.gpx"])
            self.assertGreater(shown["kept"]["bytes"], 1 << 20)
            self.assertGreater(shown["kept"]["entries"], 1)
            report = json.loads(self.vault(*arguments, "--json").stdout)
            self.assertGreater(report["resumedBytes"], 1 << 20)
            self.assertEqual(self.archives(), ["x.2.hvault", "x.hvault"])
            self.check_whole()
            os.remove(self.folder / "x.2.hvault")
            for path in (self.folder / "state").rglob("*.export"):
                lines = path.read_text().splitlines(keepends=True)
                done = [line for line in lines if '"completedWithFailures"' in line and '"promised"' not in line]
                path.write_text(done[0])

    def test_what_is_left_is_forgotten_with_the_session(self):
        self.interrupt(signal.SIGKILL)
        self.assertEqual(self.shown()["phase"], "interrupted")
        self.assertIn("x.2.hvault.part", self.names())
        self.vault("session", "delete", "mine", *STATE)
        self.assertEqual(self.archives(), ["x.hvault"])
        self.vault("verify", "x.hvault", *OPEN)

    def test_one_that_cannot_be_continued_is_begun_anew(self):
        self.interrupt(signal.SIGKILL)
        # Now only one of the two can be had.
        self.damage("c.gpx")
        self.retry(status=3)
        self.damage()
        self.retry()
        self.assertEqual(self.archives(), ["x.2.hvault", "x.3.hvault", "x.hvault"])
        self.check_whole("x.3.hvault")


class Killing(Further, TracedTest):
    # SECURITY.md: "Retries of what failed go into a further archive"
    @each("openat", "pwrite64", "fsync", "renameat2", "flock", "ftruncate")
    def test_a_retry_that_is_killed_at_any_call_costs_nothing(self, call):
        self.fill()
        self.damage()
        before = (self.folder / "x.hvault").read_bytes()
        for number in (1, 2, 4, 7, 12):
            killed = run(*KILLING_STRACE, "-o", "/dev/null", "-e", f"trace={call}", "-e",
                         f"inject={call}:signal=KILL:when={number}", BINARY, "session", "resume", "mine", *NEW, *STATE,
                         cwd=self.folder)
            self.assertEqual((self.folder / "x.hvault").read_bytes(), before, "a sealed archive never changes")
            if killed.status == 0 or (self.folder / "x.2.hvault").exists():
                break
        self.vault("session", "resume", "mine", *NEW, *STATE, status=(0, 3))
        self.retry()
        self.assertEqual(self.archives(), ["x.2.hvault", "x.hvault"])
        self.check_whole()
        self.assertEqual(self.shown()["phase"], "completed")

    @each(*some([f"pwrite64:ENOSPC {number}" for number in (1, 2, 3, 4, 5, 6, 8)], 3), "pwrite64:EIO 3", "pwrite64:EIO 5",
          *some([f"fsync:EIO {number}" for number in range(1, 6)], 3),
          *some([f"openat:EIO {number}" for number in (1, 3, 5, 9, 12)], 3),
          *some([f"flock:EIO {number}" for number in range(1, 5)], 2), "renameat2:EIO 1")
    def test_a_retry_whose_calls_fail_costs_nothing(self, case):
        """Of a thread's calls the n-th, of those that concern the program's files: Swift's runtime looks at its own
        threads in /proc, and ends the process where it cannot."""
        self.fill()
        self.damage()
        fault, number = case.split()
        call, error = fault.split(":")
        paths = ("", "state/sessions", "state/sessions/mine.export", "export.zip", "x.hvault", "x.2.hvault",
                 "x.2.hvault.part")
        # As they may be written: absolute, and from the folder in which the command runs.
        files = [part for path in paths for part in ("-P", self.folder.resolve() / path, "-P", path or ".")]
        failed = run(*STRACE, "-o", "/dev/null", "-e", f"trace={call}", "-e",
                     f"inject={call}:error={error}:when={number}", "-e", "signal=none", *files, BINARY, "session",
                     "resume", "mine", *NEW, *STATE, cwd=self.folder)
        self.check_ending(failed)
        self.assertEqual((self.folder / "x.hvault").read_bytes(), (sources() / "x.hvault").read_bytes(),
                         "a sealed archive never changes")
        self.assertEqual(self.archives(), ["x.2.hvault", "x.hvault"] if failed.status == 0 else ["x.hvault"])
        self.retry()
        # A session that could take note of nothing does it again, and has said so.
        if "would export again" in failed.stderr:
            self.assertEqual(self.archives(), ["x.2.hvault", "x.3.hvault", "x.hvault"])
            return self.check_whole("x.3.hvault")
        self.assertEqual(self.archives(), ["x.2.hvault", "x.hvault"])
        self.check_whole()

    def test_a_device_that_fails_for_a_while(self):
        """The files of a folder; one cannot be read at first."""
        shutil.rmtree(self.folder / "state")
        os.remove(self.folder / "x.hvault")
        self.assertEqual(run("unzip", "-q", "good.zip", cwd=self.folder).status, 0)
        fault = ["-e", "trace=read,pread64", "-e", "inject=read,pread64:error=EIO", "-e", "signal=none", "-P",
                 self.folder / "apple_health_export" / "b.gpx"]
        source = self.folder / "apple_health_export"
        result, _ = self.trace(fault, "export", source, "-o", "x.hvault", "--session", "mine", *ENCRYPT, *STATE)
        self.assertEqual(result.status, 3, result.stderr)
        result, _ = self.trace(fault, "session", "resume", "mine", *NEW, *STATE)
        self.assertEqual((result.status, self.archives()), (3, ["x.hvault"]))
        self.retry()
        self.check_whole()


if __name__ == "__main__":
    unittest.main()
