"""A path is not a file: what was opened and locked is what is renamed, read back and removed, and nothing else."""
import contextlib
import os
import signal
import subprocess
import threading
import time
import unittest

from documents import END, RECORD, document, export_zip
from open_exports import BEGINNING, ProcessTest
from vault import BINARY, ENCRYPT, OPEN, CommandTest, TracedTest, environment

# Longer than an export of a few records takes, and what another process does in it.
DELAY = 3


def end(process):
    """Ends what a test has started, and what that has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


class Delayed:
    """A command in the background, some of whose system calls take their time.

    A delay is written like `flock 3 1`: calls, seconds, and which of them, counted in each thread.
    """

    def __init__(self, test, delays, path, *arguments, **more):
        options = ["-e", "trace=" + ",".join(delay.split()[0] for delay in delays)]
        for calls, seconds, number in map(str.split, delays):
            options += ["-e", f"inject={calls}:delay_enter={float(seconds) * 1e6:.0f}:when={number}"]
        # The calls on one path alone, by its name or a descriptor.
        options += ["-P", os.fspath(test.folder.resolve() / path), "-P", path] if path else []
        self.process = subprocess.Popen(
            ["strace", "-f", "-o", "/dev/null", *options, BINARY, *map(str, arguments)], cwd=test.folder,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), start_new_session=True,
            **{"stdin": subprocess.DEVNULL} | more)
        test.addCleanup(end, self.process)

    def feed(self, data):
        """Gives it some input, which it may not read before its delay is over."""
        def write():
            with contextlib.suppress(BrokenPipeError):
                self.process.stdin.write(data)
                self.process.stdin.flush()

        self.feeding = threading.Thread(target=write)
        self.feeding.start()

    def ending(self, data=None):
        """The status and what was said, after the last of the input."""
        if data:
            self.feeding.join()
            self.feed(data)
            self.feeding.join()
        if self.process.stdin:
            with contextlib.suppress(BrokenPipeError):
                self.process.stdin.close()
            self.process.stdin = None
        _, stderr = self.process.communicate(timeout=60)
        return self.process.returncode, stderr.decode()


def wait_for(condition):
    until = time.monotonic() + 20
    while not condition():
        if time.monotonic() > until:
            raise AssertionError("what the test waits for does not come about")
        time.sleep(0.01)


class ReplacedArchives(ProcessTest, TracedTest):
    """Of two exports with one target one is killed. The other one must not take its stub for what it wrote itself."""

    EXPORT = ("export", "-", "-o", "target", *ENCRYPT, "--overwrite")

    def setUp(self):
        super().setUp()
        (self.folder / "export.xml").write_text(document(RECORD))
        self.vault("export", "export.xml", "-o", "target", *ENCRYPT)
        self.before = (self.folder / "target").read_bytes()
        self.part = self.folder / "target.part"

    def start_and_kill_another(self):
        other = self.start(*ENCRYPT, "--overwrite")
        other.kill()
        other.wait()
        self.assertTrue(self.part.exists())
        return self.part.stat().st_ino

    def check(self, status, stderr, stub):
        """The target is the archive that was there, unless all of the new one is there."""
        if status == 0:
            (self.folder / "new.xml").write_bytes(BEGINNING + END.encode())
            self.vault("verify", "target", "--source", "new.xml", *OPEN)
            return
        self.assertIn(status, (1, 11), stderr)
        self.assertNotIn("encrypted: target", stderr)
        self.assertEqual((self.folder / "target").read_bytes(), self.before, "the target is what it was")
        self.assertEqual(self.part.stat().st_ino, stub, "what another process has left is not removed")

    def test_an_unfinished_archive_that_is_removed_by_hand(self):
        process = self.start(*ENCRYPT, "--overwrite")
        self.part.unlink()
        stub = self.start_and_kill_another()
        process.stdin.write(END.encode())
        _, stderr = process.communicate(timeout=30)
        self.check(process.returncode, stderr.decode(), stub)

    def test_one_that_is_removed_between_its_creation_and_its_lock(self):
        delayed = Delayed(self, [f"flock {DELAY} 1"], "target.part", *self.EXPORT, stdin=subprocess.PIPE)
        delayed.feed(BEGINNING)
        wait_for(self.part.exists)
        first = self.part.stat().st_ino
        stub = self.start_and_kill_another()
        self.assertNotEqual(first, stub, "the other process came in between")
        self.check(*delayed.ending(END.encode()), stub)

    def test_one_that_is_replaced_before_it_gets_its_name(self):
        delayed = Delayed(self, [f"fsync {DELAY} 1+"], "target.part", *self.EXPORT, stdin=subprocess.PIPE)
        delayed.feed(BEGINNING + END.encode())
        delayed.feeding.join()
        delayed.process.stdin.close()
        delayed.process.stdin = None
        wait_for(lambda: self.part.exists() and self.part.stat().st_size > 4096)
        time.sleep(0.5)
        self.part.unlink()
        self.part.write_bytes(self.before[:64])
        stub = self.part.stat().st_ino
        self.check(*delayed.ending(), stub)


class ReplacedFolders(TracedTest):
    def test_a_folder_that_another_process_cleans_up(self):
        """One decryption has made its folder and not locked it yet; another one takes it for left over."""
        sides = {f"routes/{number}.gpx": b"<gpx/>" for number in range(50)}
        export_zip(self.folder / "export.zip", sides)
        self.vault("export", "export.zip", "-o", "x.hvault", *ENCRYPT)
        self.vault("decrypt", "x.hvault", "-o", "sound", *OPEN)
        decrypt = ("decrypt", "x.hvault", "-o", "out", *OPEN)
        part = self.folder / "out.part"
        first = Delayed(self, [f"flock {DELAY} 2", "unlink,unlinkat 4 5"], None, *decrypt)
        wait_for(part.exists)
        # This one is about to give the folder its name when the first one wakes up.
        second = Delayed(self, [f"syncfs {DELAY + 1.5} 1"], "out.part", *decrypt)
        endings = first.ending(), second.ending()
        self.assertIn(0, [status for status, _ in endings], endings)
        for status, stderr in endings:
            self.assertIn(status, (0, 1, 11, 16), stderr)
        self.assertEqual(self.names(), ["export.zip", "out", "sound", "x.hvault"])
        self.assert_same_folder("out", "sound")

    def test_a_folder_that_is_replaced_before_it_gets_its_name(self):
        (self.folder / "export.xml").write_text(document(RECORD))
        delayed = Delayed(self, [f"syncfs {DELAY} 1"], "out.part", "export", "export.xml", "-o", "out")
        wait_for(lambda: (self.folder / "out.part" / "SHA256SUMS").exists())
        os.rename(self.folder / "out.part", self.folder / "away")
        (self.folder / "out.part").mkdir()
        (self.folder / "out.part" / "thesis.doc").write_text("years of work")
        status, stderr = delayed.ending()
        self.assertIn(status, (1, 11), stderr)
        self.assertEqual((self.folder / "out.part" / "thesis.doc").read_text(), "years of work")
        self.assertNotIn("out", self.names())


class Rights(CommandTest):
    def replace(self, between=lambda: None):
        """Exports, gives everybody all rights, and exports again over that."""
        (self.folder / "export.xml").write_text(document(RECORD))
        self.vault("export", "export.xml", "-o", "out")
        for path in (self.folder / "out").rglob("*"):
            path.chmod(0o777 if path.is_dir() else 0o666)
        between()
        self.vault("export", "export.xml", "-o", "out", "--overwrite")

    def test_what_others_could_write_is_the_owner_s_alone(self):
        self.replace()
        for path in [self.folder / "out", *(self.folder / "out").rglob("*")]:
            self.assertEqual(path.stat().st_mode & 0o777, 0o700 if path.is_dir() else 0o600, path)

    def test_who_has_an_old_file_open_cannot_change_the_new_one(self):
        opened = []
        self.replace(lambda: opened.append(open(self.folder / "out" / "prologue.xml", "r+b")))
        with opened[0] as file:
            file.write(b"forged")
        self.vault("verify", "out", "--source", "export.xml")


if __name__ == "__main__":
    unittest.main()
