"""A path is not a file: what was opened and locked is what is renamed, read back and removed, and nothing else."""
import contextlib
import os
import signal
import subprocess
import threading
import time
import unittest

from documents import END, RECORD, document, export_zip
from test_two_processes import BEGINNING, ProcessTest
from vault import BINARY, ENCRYPT, OPEN, PASSPHRASE, CommandTest, TracedTest, each, environment, generated, run

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


class NoFiles(CommandTest):
    """What is no regular file is refused before it is read: it may have no end, or never a beginning."""

    def strange(self, kind, path):
        if kind == "pipe":
            os.mkfifo(path)
        elif kind == "link to a pipe":
            os.mkfifo(self.folder / "pipe")
            os.symlink(self.folder / "pipe", path)
        else:
            os.symlink(kind, path)

    KINDS = ("pipe", "link to a pipe", "/dev/zero", "/dev/full")

    @each(*KINDS)
    def test_where_an_archive_is_expected(self, kind):
        self.strange(kind, self.folder / "x.hvault")
        for command in (["verify", "x.hvault"], ["inspect", "x.hvault"], ["inspect", "--header", "x.hvault"],
                        ["decrypt", "x.hvault", "-o", "out"], ["decrypt", "--tar", "x.hvault"],
                        ["recover", "x.hvault", "-o", "out"]):
            refused = self.vault(*command, *(() if "--header" in command else OPEN), status=14, timeout=20)
            self.assertIn("x.hvault", refused.stderr)
        for command in (["list"], ["change", *OPEN, "--new-passphrase-file", OPEN[1]]):
            self.vault("passphrase", command[0], "x.hvault", *command[1:], status=14, timeout=20)
        self.assertEqual([name for name in self.names() if name.startswith("out")], [])

    @each(*((kind, name) for kind in KINDS[:3] for name in ("manifest.json", "SHA256SUMS", "prologue.xml", "files/a.gpx")))
    def test_where_a_file_of_a_plain_folder_is_expected(self, case):
        kind, name = case
        export_zip(self.folder / "export.zip", {"a.gpx": b"<gpx/>"})
        self.vault("export", "export.zip", "-o", "out")
        (self.folder / "out" / name).unlink()
        self.strange(kind, self.folder / "out" / name)
        refused = self.vault("verify", "out", status=(13, 14) if name in ("manifest.json", "SHA256SUMS") else 13, timeout=20)
        self.assertIn(name, refused.stderr.replace("out: a.gpx", "out: files/a.gpx"))
        self.vault("verify", "out", "--source", "export.zip", status=(13, 14), timeout=20)
        self.vault("inspect", "out", status=(13, 14) if name == "manifest.json" else (0, 13, 14), timeout=20)
        self.vault("export", "export.zip", "-o", "out", "--overwrite", status=(0, 16), timeout=20)

    @each(*KINDS[:3])
    def test_where_a_source_is_expected(self, kind):
        self.strange(kind, self.folder / "export.xml")
        for command in ["export", "export.xml", "-o", "out"], ["inspect", "export.xml"]:
            self.vault(*command, status=(2, 10, 14), timeout=20)
        (self.folder / "apple").mkdir()
        os.rename(self.folder / "export.xml", self.folder / "apple" / "export.xml")
        self.vault("export", "apple", "-o", "out", status=(2, 10, 14), timeout=20)

    @each(*KINDS[:3])
    def test_where_an_unfinished_export_may_lie(self, kind):
        (self.folder / "export.xml").write_text(document(RECORD))
        self.strange(kind, self.folder / "x.hvault.part")
        self.strange("/dev/zero" if kind.startswith("link") else kind, self.folder / "plain.part")
        here = self.names()
        self.vault("export", "export.xml", "-o", "x.hvault", *ENCRYPT, status=16, timeout=20)
        self.vault("export", "export.xml", "-o", "plain", status=16, timeout=20)
        self.assertEqual(self.names(), here)

    @each(*KINDS[:3])
    def test_where_the_record_of_a_session_is_expected(self, kind):
        (self.folder / "export.xml").write_text(document(RECORD))
        self.vault("export", "export.xml", "-o", "out", "--session", "mine", "--state-dir", "state")
        record, = (self.folder / "state" / "sessions").glob("mine*")
        record.unlink()
        self.strange(kind, record)
        for command in ["list"], ["show", "mine"], ["resume", "mine"], ["delete", "mine"]:
            self.vault("session", *command, "--state-dir", "state", status=(0, 1, 10, 13, 14), timeout=20)


class LinkedStateFolders(CommandTest):
    """Whoever can put a link into the folder of the state must not choose where the program writes and removes."""

    def setUp(self):
        super().setUp()
        (self.folder / "export.xml").write_text(document(RECORD))
        self.elsewhere = self.folder / "elsewhere"
        self.elsewhere.mkdir()
        (self.folder / "state").mkdir()
        os.symlink(self.elsewhere, self.folder / "state" / "sessions")

    def test_nothing_is_written_through_the_link(self):
        for number, options in enumerate((("--session", "mine"), (), ENCRYPT)):
            result = self.vault("export", "export.xml", "-o", f"out{number}", *options, "--state-dir", "state",
                                status=(0, 1, 2, 14, 16))
            self.assertEqual(self.names(self.elsewhere), [])
            if "--session" in options:
                self.assertIn("sessions", result.stderr, "it is said")

    def test_nothing_is_removed_through_the_link(self):
        self.vault("export", "export.xml", "-o", "out", "--session", "mine", "--state-dir", "other")
        for path in (self.folder / "other" / "sessions").iterdir():
            path.rename(self.elsewhere / path.name)
        before = {path: path.read_bytes() for path in self.elsewhere.iterdir()}
        self.assertTrue(before)
        self.vault("session", "delete", "mine", "--state-dir", "state", status=(1, 2, 10, 14, 16))
        self.assertEqual({path: path.read_bytes() for path in self.elsewhere.iterdir()}, before)

    def test_the_folder_of_the_state_itself_may_be_a_link(self):
        """That is what its owner chose."""
        os.symlink("real", self.folder / "link")
        (self.folder / "real").mkdir()
        self.vault("export", "export.xml", "-o", "out", "--session", "mine", "--state-dir", "link")
        self.vault("session", "show", "mine", "--state-dir", "link")


class ClosedDescriptors(CommandTest):
    """A descriptor that was not open at the start is some file of the program's own later on."""

    @each(*range(3, 10))
    def test_an_export_takes_no_passphrase_from_it(self, number):
        (self.folder / "export.xml").write_text(document(RECORD))
        for options in (), ("--session", "mine"):
            refused = self.vault("export", "export.xml", "-o", "x.hvault", "-e", "--iterations", "600000", *options,
                                 "--state-dir", "state", "--passphrase-fd", str(number), status=2, timeout=20)
            self.assertRegex(refused.stderr, f"descriptor {number}")
            self.assertEqual([name for name in self.names() if "hvault" in name], [])

    @each(*range(3, 10))
    def test_nothing_else_does(self, number):
        archive = generated().archive
        for command in (["verify", archive], ["decrypt", archive, "-o", "out"], ["inspect", archive],
                        ["recover", archive, "-o", "out"]):
            refused = self.vault(*command, "--passphrase-fd", str(number), status=2, timeout=20)
            self.assertRegex(refused.stderr, f"descriptor {number}")
        self.assertEqual(self.names(), [])

    def test_the_record_of_the_session_is_not_the_passphrase(self):
        """After a kill it may be one line, and it is the first file that the program opens."""
        (self.folder / "export.xml").write_text(document(RECORD))
        export = ("export", "export.xml", "-o", "x.hvault", "--session", "mine", "--state-dir", "state")
        self.vault(*export, *ENCRYPT)
        (self.folder / "x.hvault").unlink()
        record = self.folder / "state" / "sessions" / "mine.export"
        record.write_bytes(record.read_bytes().splitlines(keepends=True)[0])
        for number in range(3, 10):
            self.vault(*export, "-e", "--iterations", "600000", "--passphrase-fd", str(number), status=2, timeout=20)
            self.assertNotIn("x.hvault", self.names())

    def test_one_that_is_open_is_read(self):
        for number in range(3, 10):
            result = run("/bin/bash", "-c", f'exec {number}< <(printf %s "{PASSPHRASE}"); exec "$0" "$@"', BINARY,
                         "inspect", generated().archive, "--passphrase-fd", str(number), cwd=self.folder)
            self.assertEqual(result.status, 0, result.stderr)


if __name__ == "__main__":
    unittest.main()
