"""Exports that have a name: paused, killed, listed, continued, mended and forgotten."""
import functools
import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from documents import RECORD, document
from vault import (BINARY, BY_MONTH, CACHE, ENCRYPT, OPEN, CommandTest, TracedTest, dense, each, environment, generated, run,
                   skip_loudly, slow)

PHASES = {"running", "interrupted", "paused", "failed", "completed", "completedWithFailures"}


@functools.cache
def undisturbed():
    """The plain export of the document that is interrupted."""
    place = Path(tempfile.mkdtemp(dir=CACHE)) / "undisturbed"
    assert run(BINARY, "export", slow().xml, "-o", place, "-q").status == 0
    return place


class Sessions(CommandTest):
    def setUp(self):
        super().setUp()
        self.state = ["--state-dir", "state"]
        self.export = slow()

    def command(self, *options, name="mine", encrypt=False, source=None):
        return [BINARY, "export", source or self.export.xml, "-o", "x.hvault" if encrypt else "plain", "--session", name,
                *self.state, *(map(str, ENCRYPT) if encrypt else ()), *map(str, options)]

    def interrupt(self, number, at, *options, encrypt=False, source=None, again=False):
        """Starts an export and sends it a signal once so many bytes are there; its status and what it said."""
        part = self.folder / ("x.hvault.part" if encrypt else "plain.part")
        process = subprocess.Popen(list(map(str, self.command(*options, encrypt=encrypt, source=source))),
                                   cwd=self.folder, env=environment(), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while process.poll() is None:
            if size(part) > at:
                process.send_signal(number)
                if again:
                    process.send_signal(number)
                break
            time.sleep(0.002)
        return process.wait(), process.communicate()[1].decode()

    def sessions(self):
        return json.loads(self.vault("session", "list", "--json", *self.state).stdout)

    def phase(self, name="mine"):
        return json.loads(self.vault("session", "show", name, "--json", *self.state).stdout)["phase"]

    def check_whole(self, encrypt=False):
        if encrypt:
            self.vault("verify", "x.hvault", "--source", self.export.xml, *OPEN)
            self.vault("decrypt", "x.hvault", "-o", "plain", "-q", *OPEN)
        else:
            self.vault("verify", "plain", "--source", self.export.xml)
        self.assert_same_folder("plain", undisturbed())


def size(path):
    """Bytes of a file, or of all files below a folder, as far as they are there."""
    if not path.is_dir():
        return path.stat().st_size if path.exists() else 0
    total = 0
    for folder, _, names in os.walk(path):
        for name in names:
            try:
                total += os.stat(os.path.join(folder, name)).st_size
            except FileNotFoundError:
                pass
    return total


class Pausing(Sessions):
    @each((signal.SIGINT, 130, False), (signal.SIGTERM, 143, False), (signal.SIGINT, 130, True),
          (signal.SIGTERM, 143, True))
    def test_a_signal_pauses_and_says_how_to_go_on(self, case):
        number, expected, encrypt = case
        status, message = self.interrupt(number, 3 << 20, encrypt=encrypt)
        if status == 0:
            self.skipTest("the export was faster than this test")
        self.assertEqual(status, expected)
        self.assertIn("healthvault session resume mine", message)
        self.assertIn("Once more to stop at once", message)
        self.assertEqual(self.phase(), "paused")
        self.assertEqual([session["id"] for session in self.sessions()], ["mine"])
        options = list(map(str, OPEN)) if encrypt else []
        result = self.vault("session", "resume", "mine", *self.state, *options, "--json")
        self.assertGreater(json.loads(result.stdout)["resumedBytes"], 1 << 20)
        self.assertEqual(self.phase(), "completed")
        self.check_whole(encrypt)

    def test_a_second_signal_stops_at_once(self):
        status, message = self.interrupt(signal.SIGINT, 3 << 20, again=True)
        if status == 0:
            self.skipTest("the export was faster than this test")
        self.assertEqual(status, 130)
        self.assertIn(self.phase(), {"interrupted", "paused"})
        self.vault("session", "resume", "mine", *self.state)
        self.check_whole()

    @each(False, True)
    def test_the_same_command_goes_on_too(self, encrypt):
        self.interrupt(signal.SIGKILL, 3 << 20, encrypt=encrypt)
        self.assertIn(self.phase(), {"interrupted", "completed"})
        result = run(*self.command(encrypt=encrypt), cwd=self.folder)
        self.assertEqual(result.status, 0, result.stderr)
        self.assertEqual(self.phase(), "completed")
        # Once more is no error, and does nothing.
        self.assertIn("is complete", run(*self.command(encrypt=encrypt), cwd=self.folder).stderr)
        self.check_whole(encrypt)

    def test_an_export_without_a_name_has_one_while_it_is_unfinished(self):
        command = [BINARY, "export", self.export.xml, "-o", "plain", *self.state]
        self.assertEqual(run(*command, cwd=self.folder).status, 0)
        self.assertEqual(self.sessions(), [])
        process = subprocess.Popen(list(map(str, [*command[:3], "-o", "other", *self.state])), cwd=self.folder,
                                   env=environment(), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while process.poll() is None and size(self.folder / "other.part") < 3 << 20:
            time.sleep(0.002)
        process.kill()
        process.communicate()
        if process.returncode == 0:
            self.skipTest("the export was faster than this test")
        [session] = self.sessions()
        self.assertEqual((session["phase"], session["named"]), ("interrupted", False))
        self.assertTrue(session["unfinished"].endswith("other.part"))
        self.vault("session", "resume", session["id"], *self.state)
        self.assertEqual(self.sessions(), [])
        self.assert_same_folder("plain", "other")

    def test_it_is_the_same_wherever_it_is_continued_from(self):
        self.interrupt(signal.SIGKILL, 3 << 20)
        (self.folder / "elsewhere").mkdir()
        result = run(BINARY, "session", "resume", "mine", "--state-dir", "../state", cwd=self.folder / "elsewhere")
        self.assertEqual(result.status, 0, result.stderr)
        self.check_whole()


class Commands(Sessions):
    def test_there_are_none(self):
        self.assertEqual(self.vault("session", "list", *self.state).stdout, b"no sessions\n")
        for action in "show", "resume", "retry", "delete":
            result = self.vault("session", action, "mine", *self.state, status=10)
            self.assertIn("no such session", result.stderr)

    def test_wrong_usage(self):
        for arguments in (["list", "mine"], ["show"], ["resume"], ["paint", "mine"],
                          ["show", "mine", "--generate-passphrase"], ["list", "--passphrase-file", "f"],
                          ["delete", "mine", "--passphrase-file", "f"], [], ["list", "--jobs", "2"], ["list", "-q"],
                          ["show", "mine", "--iterations", "700000"], ["delete", "mine", "--progress", "none"],
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
        text = self.vault("session", "show", "mine", *self.state).stdout.decode()
        for word in "completed", "plain", "not encrypted", "samples", str(small):
            self.assertIn(word, text)
        shown = json.loads(self.vault("session", "show", "mine", *self.state, "--json").stdout)
        self.assertEqual(set(shown), {"id", "named", "phase", "source", "target", "encrypted", "batching", "created",
                                      "updated", "samples", "targetBytes", "further", "contents"})
        self.assertIn(shown["phase"], PHASES)

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
            if not (self.folder / part).exists():
                self.skipTest("the export was faster than this test")
            self.vault("session", "delete", "mine", *self.state)
            self.assertFalse((self.folder / part).exists())
            self.assertEqual(self.sessions(), [])
        small = generated("ordinary", "14", "8MB").xml
        self.vault(*self.command(source=small)[1:])
        self.vault("session", "delete", "mine", *self.state)
        self.vault("verify", "plain")

    def test_a_session_that_somebody_has_is_refused(self):
        process = subprocess.Popen(list(map(str, self.command())), cwd=self.folder, env=environment(),
                                   stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            while process.poll() is None and size(self.folder / "plain.part") < 1 << 16:
                time.sleep(0.002)
            process.send_signal(signal.SIGSTOP)
            for arguments in (["session", "resume", "mine"], ["session", "delete", "mine"],
                              list(map(str, self.command()))[1:-2]):
                result = self.vault(*arguments, *self.state, status=11)
                self.assertIn("in use", result.stderr)
            # Another name, and the same folder.
            self.vault("export", self.export.xml, "-o", "plain", "--session", "other", *self.state, status=11)
            self.assertEqual(self.phase(), "running")
        finally:
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.communicate()

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
        self.vault("session", "show", "mine", *self.state, status=13)
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


class Sources(Sessions):
    @each(False, True)
    def test_a_source_that_was_replaced_is_refused_or_started_over(self, encrypt):
        shutil.copy(self.export.xml, self.folder / "export.xml")
        if self.interrupt(signal.SIGKILL, 3 << 20, encrypt=encrypt, source="export.xml")[0] == 0:
            self.skipTest("the export was faster than this test")
        data = bytearray((self.folder / "export.xml").read_bytes())
        at = data.index(b' value="', len(data) // 2) + 8
        data[at] = ord("7") if data[at] != ord("7") else ord("8")
        data += b"\n"
        (self.folder / "export.xml").write_bytes(data)
        options = OPEN if encrypt else ()
        for arguments in ["session", "resume", "mine"], self.command(encrypt=encrypt, source="export.xml")[1:]:
            result = self.vault(*arguments, *self.state[:2 * (arguments[0] == "session")],
                                *(options if arguments[0] == "session" else ()), status=1)
            self.assertIn("changed", result.stderr)
        # Under no name, or told to, it starts over.
        self.vault(*self.command("--restart", encrypt=encrypt, source="export.xml")[1:])
        self.vault("verify", "x.hvault" if encrypt else "plain", "--source", "export.xml", *options)

    def test_a_source_that_vanishes_is_asked_for(self):
        shutil.copy(self.export.xml, self.folder / "export.xml")
        self.interrupt(signal.SIGKILL, 3 << 20, source="export.xml")
        os.rename(self.folder / "export.xml", self.folder / "away.xml")
        result = self.vault("session", "resume", "mine", *self.state, status=10)
        self.assertIn("export.xml", result.stderr)
        os.rename(self.folder / "away.xml", self.folder / "export.xml")
        self.vault("session", "resume", "mine", *self.state)
        self.check_whole()

    @each(False, True)
    def test_a_source_that_changes_while_it_is_read(self, encrypt):
        shutil.copy(self.export.xml, self.folder / "export.xml")
        process = subprocess.Popen(list(map(str, self.command(encrypt=encrypt, source="export.xml"))), cwd=self.folder,
                                   env=environment(), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        part = self.folder / ("x.hvault.part" if encrypt else "plain.part")
        while process.poll() is None and size(part) < 1 << 16:
            time.sleep(0.002)
        process.send_signal(signal.SIGSTOP)
        with open(self.folder / "export.xml", "r+b") as file:
            file.seek(os.path.getsize(self.folder / "export.xml") * 3 // 4)
            at = file.tell() + file.read(100_000).index(b' value="') + 8
            file.seek(at)
            digit = file.read(1)
            file.seek(at)
            file.write(b"7" if digit != b"7" else b"8")
        process.send_signal(signal.SIGCONT)
        message = process.communicate()[1].decode()
        if process.returncode == 0:
            self.skipTest("the export was faster than this test")
        self.assertIn("changed", message)
        self.assertFalse((self.folder / ("x.hvault" if encrypt else "plain")).exists())


class FullDisks(Sessions):
    def test_a_folder_on_a_disk_that_fills_up_and_gets_room_again(self):
        self.fill_up(encrypt=False)

    def test_an_archive_on_a_disk_that_fills_up_and_gets_room_again(self):
        self.fill_up(encrypt=True)

    def fill_up(self, encrypt):
        if os.geteuid() != 0:
            skip_loudly(self, "only root can mount a small disk")
        disk = self.folder / "disk"
        disk.mkdir()
        if run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk).status != 0:
            skip_loudly(self, "a small disk cannot be mounted here")
        self.addCleanup(run, "umount", "--lazy", disk)
        target = disk / ("x.hvault" if encrypt else "plain")
        options = list(map(str, ENCRYPT)) if encrypt else []
        self.export = dense()
        arguments = ["export", self.export.xml, "-o", target, *self.state, *options]
        result = self.vault(*arguments, status=15)
        self.assertIn("no space", result.stderr)
        self.assertIn("go on with the same command", result.stderr)
        self.assertFalse(target.exists())
        self.assertEqual(run("mount", "-o", "remount,size=900m", disk).status, 0)
        report = json.loads(self.vault(*arguments, "--json").stdout)
        self.assertGreater(report["resumedBytes"], 1 << 20)
        self.vault("verify", target, "--source", self.export.xml, *(OPEN if encrypt else ()))


class FailedBatches(TracedTest):
    """Batches whose files the system refuses."""

    def setUp(self):
        super().setUp()
        self.export = generated("ordinary", "14", "8MB")
        # Hundreds of files.
        self.source = [self.export.xml, *BY_MONTH]
        self.state = ["--state-dir", "state"]

    def test_they_cost_no_more_than_themselves_and_are_done_again(self):
        self.vault("export", *self.source, "-o", "whole", "-q")
        names = self.lone_batches()
        chosen = [names[0], names[len(names) // 2], names[-1]]
        paths = [option for name in chosen for option in self.inside(name)]
        result, _ = self.trace(
            ["-e", "trace=openat", "-e", "inject=openat:error=EIO", "-e", "signal=none", *paths],
            "export", *self.source, "-o", "plain", "--session", "mine", "--json", "--jobs", "1", *self.state)
        self.assertEqual(result.status, 3, result.stderr)
        report = json.loads(result.stdout)
        failed = sorted(os.fspath(name.relative_to(self.folder / "whole"))[:-len(".ndjson")] for name in chosen)
        self.assertEqual(sorted(report["failedBatches"]), failed)
        manifest = json.loads((self.folder / "plain" / "manifest.json").read_text())
        self.assertEqual(len(manifest["failedBatches"]), 3)
        shown = json.loads(self.vault("session", "show", "mine", "--json", *self.state).stdout)
        self.assertEqual(shown["phase"], "completedWithFailures")
        checked = self.vault("verify", "plain", status=3)
        self.assertIn("3 batches", checked.stderr)
        times = {path: path.stat().st_mtime_ns for path in (self.folder / "plain" / "records").rglob("*.ndjson")}
        self.vault("session", "retry", "mine", *self.state)
        self.assert_same_folder("plain", "whole")
        self.assertTrue(all(path.stat().st_mtime_ns == time for path, time in times.items()), "nothing else was written")
        self.vault("verify", "plain", "--source", self.export.xml)
        self.assertIn("nothing failed", self.vault("session", "retry", "mine", *self.state).stderr)

    def test_a_drive_that_takes_nothing_any_more_ends_the_export(self):
        result, _ = self.trace(
            ["-e", "trace=openat", "-e", "inject=openat:error=EIO:when=300+", "-e", "signal=none"],
            "export", *self.source, "-o", "plain", "-q", *self.state)
        self.assertEqual(result.status, 1, result.stderr)
        self.assertNotIn("plain", self.names())

    def lone_batches(self):
        """Batches that are the only ones in their folders."""
        folders = (self.folder / "whole" / "records").iterdir()
        return sorted(files[0] for files in map(list, map(Path.iterdir, folders)) if len(files) == 1)

    def inside(self, batch):
        """Options for calls that start from the folder of a batch."""
        return "-P", (self.folder / "plain.part" / batch.relative_to(self.folder / "whole")).parent

    def failed_export(self, source, paths, *options):
        result, _ = self.trace(["-e", "trace=openat", "-e", "inject=openat:error=EIO", "-e", "signal=none", *paths],
                               "export", source, "-o", "plain", "--session", "mine", "-q", *options, *self.state)
        self.assertEqual(result.status, 3, result.stderr)

    def one_failed(self):
        """An export in which one batch failed, and an undisturbed one beside it; the path of that batch."""
        self.vault("export", *self.source, "-o", "whole", "-q")
        batch = self.lone_batches()[1]
        self.failed_export(self.source[0], self.inside(batch), *BY_MONTH)
        return batch.relative_to(self.folder / "whole")

    def phase(self):
        return json.loads(self.vault("session", "show", "mine", "--json", *self.state).stdout)["phase"]

    def test_asked_for_again_it_is_still_not_complete(self):
        self.one_failed()
        for arguments in ["session", "resume", "mine"], ["export", *self.source, "-o", "plain", "--session", "mine"]:
            result = self.vault(*arguments, *self.state, status=3)
            self.assertIn("session retry mine", result.stderr)
            self.assertTrue(json.loads(self.vault(*arguments, *self.state, "--json", status=3).stdout))

    def test_a_part_of_several(self):
        """Of the parts of a span the first one is missing, not the last."""
        export = self.folder / "export.xml"
        export.write_text(document(*[RECORD] * 700))
        self.vault("export", export, "-o", "whole", "-q", "--batch", "all,300")
        # The folder's other parts have numbers in their names, and there is no other type.
        self.failed_export(export, ("-P", "all.ndjson"), "--batch", "all,300")
        self.vault("verify", "plain", status=3)
        self.vault("session", "retry", "mine", *self.state)
        self.assert_same_folder("plain", "whole")

    @each("renameat2", "linkat", "fsync", "pwrite64", "openat")
    def test_a_retry_that_is_killed_at_any_call_costs_nothing(self, call):
        self.one_failed()
        before = {path: path.read_bytes() for path in (self.folder / "plain").rglob("*") if path.is_file()}
        for number in (1, 2, 30):
            run("strace", "-f", "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={number}",
                BINARY, "session", "retry", "mine", *self.state, cwd=self.folder)
            if self.phase() == "completed":
                break
            self.assertEqual(before, {path: path.read_bytes() for path in (self.folder / "plain").rglob("*")
                                      if path.is_file()}, "what was finished is as it was")
        self.vault("session", "retry" if self.phase() == "completedWithFailures" else "resume", "mine", *self.state)
        self.assert_same_folder("plain", "whole")
        self.assertEqual(self.phase(), "completed")
        self.assertNotIn("plain.part", self.names())

    @each(*[("unlinkat", number) for number in (1, 2, 3, 40, 100, 200, 300)], ("fsync", 3), ("fsync", 4),
          ("fsync", 5), ("fsync", 6))
    def test_a_retry_that_is_killed_behind_the_exchange_is_complete(self, case):
        """The finished folder has its name, and the record of the session does not say so yet."""
        call, number = case
        self.one_failed()
        log = self.folder / "log"
        run("strace", "-f", "-o", log, "-e", f"trace={call},renameat2", "-e", f"inject={call}:signal=KILL:when={number}",
            BINARY, "session", "retry", "mine", *self.state, cwd=self.folder)
        if "RENAME_EXCHANGE) = 0" not in log.read_text() or "killed by SIGKILL" not in log.read_text():
            return
        os.remove(log)
        self.assertEqual(self.phase(), "completed")
        self.assert_same_folder("plain", "whole", ".healthvault-unfinished")
        for action in "retry", "resume":
            self.vault("session", action, "mine", *self.state)
        self.assert_same_folder("plain", "whole")
        self.assertEqual(self.names(), ["plain", "state", "whole"])

    @each("fsync", "unlinkat", "write", "pwrite64")
    def test_an_export_that_is_killed_behind_its_name_is_complete(self, call):
        """Whatever is called between the rename and the end of the process."""
        seen = 0
        for target, options in ("plain", []), ("x.hvault", ENCRYPT):
            command = [BINARY, "export", *self.source, "-o", target, "--session", target, *options, *self.state]
            log = self.folder / "log"
            trace = ["strace", "-f", "-o", log, "-e", f"trace={call},renameat2"]
            self.assertEqual(run(*trace, *command, cwd=self.folder).status, 0)
            lines = log.read_text().splitlines()
            names = [number for number, line in enumerate(lines) if "renameat2(" in line]
            before = sum(f" {call}(" in line for line in lines[:names[-1]])
            after = sum(f" {call}(" in line for line in lines[names[-1]:])
            for number in range(before + 1, before + min(after, 4) + 1):
                self.vault("session", "delete", target, *self.state, status=(0, 10))
                (shutil.rmtree if (self.folder / target).is_dir() else os.remove)(self.folder / target)
                run(*trace, "-e", f"inject={call}:signal=KILL:when={number}", *command, "-q", cwd=self.folder)
                if not (self.folder / target).exists():
                    continue  # calls of other threads came first
                seen += 1
                shown = json.loads(self.vault("session", "show", target, "--json", *self.state).stdout)
                self.assertEqual(shown["phase"], "completed", f"{target} {call} {number}")
                self.assertGreater(shown["samples"], 0)
                self.assertIn("is complete", self.vault(*command[1:]).stderr)
                self.vault("session", "resume", target, *self.state)
        self.assertTrue(seen or call == "write")

    def test_deleting_a_session_whose_retry_was_interrupted_leaves_the_finished_export(self):
        self.one_failed()
        before = sorted(path for path in (self.folder / "plain").rglob("*"))
        run("strace", "-f", "-o", "/dev/null", "-e", "trace=renameat2", "-e", "inject=renameat2:signal=KILL", BINARY,
            "session", "retry", "mine", *self.state, cwd=self.folder)
        self.assertIn("plain.part", self.names())
        self.vault("session", "delete", "mine", *self.state)
        self.assertNotIn("plain.part", self.names())
        self.assertEqual(before, sorted(path for path in (self.folder / "plain").rglob("*")))

    def test_a_folder_that_is_made_again_is_not_taken_for_the_damaged_one_with_the_same_manifest(self):
        export = [BINARY, "export", *self.source, "-o", "twice", "--session", "twice", "-q", *self.state]
        self.assertEqual(run(*export, cwd=self.folder).status, 0)
        shutil.copytree(self.folder / "twice", self.folder / "whole")
        next((self.folder / "twice").rglob("*.ndjson")).write_text("garbage")
        run("strace", "-f", "-o", "/dev/null", "-e", "trace=renameat2", "-e", "inject=renameat2:signal=KILL",
            *export, "--overwrite", cwd=self.folder)
        self.assertIn("twice.part", self.names())
        shown = json.loads(self.vault("session", "show", "twice", "--json", *self.state).stdout)
        self.assertNotEqual(shown["phase"], "completed")
        self.vault("session", "resume", "twice", *self.state)
        self.assert_same_folder("twice", "whole")
        self.assertNotIn("twice.part", self.names())

    def test_an_interrupted_replacement_that_goes_on_with_another_source_writes_into_nothing_finished(self):
        """What is the same is a link to the finished file, until the source says otherwise."""
        source = self.folder / "apple"
        (source / "workout-routes").mkdir(parents=True)
        shutil.copy(self.export.xml, source / "export.xml")
        route = source / "workout-routes" / "a.gpx"
        route.write_bytes(b"first" * 10_000)
        export = [BINARY, "export", "apple", "-o", "plain", "-q", *self.state]
        self.assertEqual(run(*export, cwd=self.folder).status, 0)
        shutil.copytree(self.folder / "plain", self.folder / "copy")
        kill = ["strace", "-f", "-o", "/dev/null", "-e", "trace=renameat2", "-e", "inject=renameat2:signal=KILL"]
        run(*kill, *export, "--overwrite", cwd=self.folder)
        part = self.folder / "plain.part"
        self.assertTrue(any(path.stat().st_nlink > 1 for path in part.rglob("*.gpx")))
        route.write_bytes(b"other" * 10_000)
        run(*kill, *export, "--overwrite", cwd=self.folder)
        self.assertTrue(part.exists())
        self.assert_same_folder("plain", "copy")
        self.vault("verify", "plain")
        self.assertEqual(run(*export, "--overwrite", cwd=self.folder).status, 0)
        self.vault("verify", "plain", "--source", "apple")
        self.assertNotIn("plain.part", self.names())

    def test_a_retry_touches_no_other_name_of_a_file(self):
        self.one_failed()
        run("cp", "-al", "plain", "backup", cwd=self.folder)
        before = {path: path.read_bytes() for path in (self.folder / "backup").rglob("*") if path.is_file()}
        self.vault("session", "retry", "mine", *self.state)
        self.assertEqual(before, {path: path.read_bytes() for path in (self.folder / "backup").rglob("*")
                                  if path.is_file()})

    def test_what_is_not_the_session_s_is_left_alone(self):
        self.one_failed()
        # Another export under the name.
        os.rename(self.folder / "plain", self.folder / "mine")
        other = generated("shuffled", "14", "1MB").xml
        self.vault("export", other, "-o", "plain", "-q", *self.state)
        result = self.vault("session", "retry", "mine", *self.state, status=16)
        self.assertIn("not what this session has made", result.stderr)
        self.vault("verify", "plain", "--source", other)
        self.assertEqual(self.phase(), "completedWithFailures")
        # Its own is mended again where it was.
        shutil.rmtree(self.folder / "plain")
        os.rename(self.folder / "mine", self.folder / "plain")
        self.vault("session", "retry", "mine", *self.state)
        self.assert_same_folder("plain", "whole")

    def test_a_source_that_is_away_or_another_one(self):
        shutil.copy(self.export.xml, self.folder / "export.xml")
        self.source[0] = self.folder / "export.xml"
        self.one_failed()
        os.remove(self.folder / "export.xml")
        self.vault("session", "retry", "mine", *self.state, status=10)
        shutil.copy(generated("shuffled", "14", "1MB").xml, self.folder / "export.xml")
        result = self.vault("session", "retry", "mine", *self.state, status=1)
        self.assertIn("changed", result.stderr)
        self.assertEqual(self.phase(), "completedWithFailures")
        shutil.copy(self.export.xml, self.folder / "export.xml")
        self.vault("session", "retry", "mine", *self.state)
        self.assert_same_folder("plain", "whole")


class Extremes(Sessions):
    @each(*[(zone, language) for zone in ("Pacific/Auckland", "America/St_Johns") for language in ("ar_EG", "C")])
    def test_batches_do_not_depend_on_where_the_program_runs(self, case):
        zone, language = case
        small = generated("ordinary", "14", "8MB").xml
        for options in (["--batch", "2weeks"], BY_MONTH):
            shutil.rmtree(self.folder / "here", ignore_errors=True)
            shutil.rmtree(self.folder / "there", ignore_errors=True)
            self.vault("export", small, "-o", "here", "-q", *options)
            result = run(BINARY, "export", small, "-o", "there", "-q", *options, cwd=self.folder,
                         env=environment(TZ=zone, LANG=language, LC_ALL=language))
            self.assertEqual(result.status, 0, result.stderr)
            self.assert_same_folder("here", "there")


if __name__ == "__main__":
    unittest.main()
