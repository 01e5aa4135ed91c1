"""What failed in an encrypted export, done again into a further archive that is read as one with the first."""
import functools
import io
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import zstandard
from documents import export_zip
from vault import BINARY, CACHE, ENCRYPT, OPEN, PASSPHRASE, REFERENCE, CommandTest, TracedTest, each, environment, run
import decrypt  # found by the line above
import write_container

STATE = ("--state-dir", "state")
NAMES = ("a.gpx", "b.gpx", "c.gpx")
# The first is large, so that it would be seen if it were written twice.
SIDES = {"large.bin": random.Random(1).randbytes(3 << 20)} | {
    name: b"<gpx>" + random.Random(name).randbytes(40_000) for name in NAMES}
NEW = ("--iterations", "600000", *OPEN)
# The entries that every archive has.
ENDS = [("session.json", b"{}"), ("manifest.json.zst", write_container.frame(b"{}"))]


def damaged(data, *names):
    """A zip in which the content of some members is not what their checksum says."""
    data = bytearray(data)
    directory = data.index(b"PK\1\2")
    for name in names:
        at = data.rindex(name.encode(), 0, directory) + 1000
        data[at:at + 8] = bytes(8)
    return bytes(data)


@functools.cache
def sources():
    """A sound source, its plain export, and an encrypted one of it with two damaged files, with its session."""
    place = Path(tempfile.mkdtemp(dir=CACHE))
    good = export_zip(place / "good.zip", SIDES).read_bytes()
    assert run(BINARY, "export", "good.zip", "-o", "plain", cwd=place).status == 0
    (place / "export.zip").write_bytes(damaged(good, "a.gpx", "c.gpx"))
    made = run(BINARY, "export", "export.zip", "-o", "x.hvault", "--session", "mine", *ENCRYPT, *STATE, cwd=place)
    assert made.status == 3, made.stderr
    return place


class Further(CommandTest):
    """Each test has an archive in which two files failed, and its session."""

    def setUp(self):
        super().setUp()
        self.good = (sources() / "good.zip").read_bytes()
        self.fill()

    def fill(self):
        """A copy of the export in the test's folder; the record of the session names that folder."""
        old, new = os.fspath(sources()), os.fspath(self.folder.resolve())
        for name in "good.zip", "export.zip", "x.hvault":
            shutil.copy(sources() / name, self.folder / name)
        shutil.copytree(sources() / "plain", self.folder / "plain")
        shutil.copytree(sources() / "state", self.folder / "state")
        for path in (self.folder / "state").rglob("*.export"):
            path.write_text(path.read_text().replace(old, new))

    def damage(self, *names):
        (self.folder / "export.zip").write_bytes(damaged(self.good, *names))

    def retry(self, *options, status=0, **more):
        return self.vault("session", "retry", "mine", *NEW, *STATE, *options, status=status, **more)

    def shown(self, *options):
        return json.loads(self.vault("session", "show", "mine", "--json", *STATE, *options).stdout)

    def archives(self):
        return [name for name in self.names() if ".hvault" in name]

    def check_whole(self, archive="x.2.hvault"):
        """The archive and those that it continues are what an undisturbed export is, for both readers."""
        shutil.rmtree(self.folder / "back", ignore_errors=True)
        self.vault("decrypt", archive, "-o", "back", "-q", *OPEN)
        self.assert_same_folder("back", "plain")
        self.vault("verify", archive, "--source", "good.zip", *OPEN)


class Retrying(Further):
    def test_only_what_failed_is_written_and_both_read_as_one(self):
        before = (self.folder / "x.hvault").read_bytes()
        self.damage()
        report = json.loads(self.retry("--json").stdout)
        self.assertEqual(Path(report["target"]).name, "x.2.hvault")
        self.assertEqual([Path(path).name for path in report["continues"]], ["x.hvault"])
        self.assertEqual(self.archives(), ["x.2.hvault", "x.hvault"])
        self.assertEqual((self.folder / "x.hvault").read_bytes(), before, "a sealed archive never changes")
        self.assertGreater(len(before), 3 << 20)
        self.assertLess((self.folder / "x.2.hvault").stat().st_size, 150_000, "nothing is written a second time")
        self.check_whole()
        # What the further one holds itself, as the reference reader sees it.
        reader = [sys.executable, REFERENCE / "decrypt.py", *OPEN]
        self.assertEqual(run(*reader, "--alone", "--stored", "x.2.hvault", "alone", cwd=self.folder).status, 0)
        found = sorted(os.fspath(path.relative_to(self.folder / "alone"))
                       for path in (self.folder / "alone").rglob("*") if path.is_file())
        self.assertEqual([name.removesuffix(".zst.0000") for name in found],
                         ["SHA256SUMS", "files/a.gpx", "files/c.gpx", "manifest.json.zst", "session.json"])
        self.assertEqual(run(*reader, "--alone", "x.hvault", "first", cwd=self.folder).status, 0)
        self.assertEqual(run(*reader, "x.2.hvault", "both", cwd=self.folder).status, 0)
        self.assert_same_folder("both", "plain")
        self.assertEqual(self.shown()["phase"], "completed")
        self.assertEqual([Path(path).name for path in self.shown()["further"]], ["x.2.hvault"])
        self.assertIn("nothing failed", self.retry().stderr)
        self.assertIn("is complete", self.vault("session", "resume", "mine", *STATE).stderr)

    def test_a_session_finds_out_what_it_could_not_take_note_of(self):
        self.damage()
        record = self.folder / "state" / "sessions" / "mine.export"
        # Where empty lines go before, the record is the largest file, and of the four lines of a retry the last one is
        # cut off by the limit.
        line = len(record.read_bytes().splitlines()[-1])
        limit = 1 << 20
        record.write_bytes(b"\n" * (limit - record.stat().st_size - 9 * line // 2) + record.read_bytes())
        failed = self.retry(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertIn("could not take note", failed.stderr)
        self.assertNotIn("would do it again", failed.stderr)
        self.assertEqual(self.archives(), ["x.2.hvault", "x.hvault"])
        self.assertEqual(self.shown()["phase"], "completed")
        self.assertIn("nothing failed", self.retry().stderr)
        self.assertEqual(self.archives(), ["x.2.hvault", "x.hvault"])
        self.check_whole()

    def test_the_manifest_and_the_entries_are_those_of_an_undisturbed_archive(self):
        self.damage()
        self.retry("-q")
        self.vault("export", "good.zip", "-o", "undisturbed.hvault", "-q", *ENCRYPT)
        for archive, folder in ("x.2.hvault", "pair"), ("undisturbed.hvault", "one"):
            self.vault("decrypt", archive, "--stored", "-o", folder, "-q", *OPEN)
        # What is done again rests by itself, small files in one piece; in a whole archive those rest as they are.
        self.assert_same_folder("pair", "one", "session.json", "SHA256SUMS", "files")
        names = [sorted(os.fspath(path.relative_to(self.folder / folder)) for path in (self.folder / folder / "files").iterdir())
                 for folder in ("pair", "one")]
        self.assertEqual(names[0], ["files/a.gpx.zst.0000", "files/b.gpx", "files/c.gpx.zst.0000",
                                    *(f"files/large.bin.zst.000{number}" for number in range(4))])
        self.assertEqual([decrypt.plain_name(name) for name in names[0]], [decrypt.plain_name(name) for name in names[1]])
        self.check_whole()
        with open(self.folder / "tar", "wb") as file:
            file.write(self.vault("decrypt", "x.2.hvault", "--tar", *OPEN).stdout)
        (self.folder / "untarred").mkdir()
        self.assertEqual(run("tar", "xf", "tar", "-C", "untarred", cwd=self.folder).status, 0)
        self.assert_same_folder("pair", "untarred", "SHA256SUMS")
        pair, one = (json.loads(self.vault("inspect", name, "--json", *OPEN).stdout)
                     for name in ("x.2.hvault", "undisturbed.hvault"))
        self.assertEqual(len(pair.pop("continues")), 1)
        self.assertEqual({**one, "path": 0, "header": 0, "continues": 0}, {**pair, "path": 0, "header": 0, "continues": 0})

    def test_what_another_one_continues_is_not_replaced(self):
        self.damage("c.gpx")
        self.retry("-q", status=3)
        self.damage()
        self.retry("-q")
        # Neither a note nor the archive of a year.
        (self.folder / "x.7.hvault").write_text("a note, longer than what tells an archive from other files. " * 9)
        shutil.copy(self.folder / "x.hvault", self.folder / "x.2024.hvault")
        shutil.copy(self.folder / "x.hvault", self.folder / "x.2025.hvault")
        self.vault("export", "good.zip", "-q", "--overwrite", *ENCRYPT, *STATE, "-o", "x.2024.hvault")
        (self.folder / "x.8.hvault").mkdir()
        before = {name: (self.folder / name).read_bytes() for name in ("x.hvault", "x.2.hvault", "x.3.hvault")}
        export = ("export", "good.zip", "-q", "--overwrite", *ENCRYPT, *STATE)
        for name, follower in ("x.hvault", "x.2.hvault"), ("x.2.hvault", "x.3.hvault"):
            for options in (), ("--session", "mine", "--restart"), ("--restart",):
                refused = self.vault(*export, "-o", name, *options, status=16)
                self.assertRegex(refused.stderr, f"{name}: not replaced, because .*{follower} seems to continue it")
        self.assertEqual(before, {name: (self.folder / name).read_bytes() for name in before})
        self.check_whole("x.3.hvault")
        for name in "x.3.hvault", "x.2.hvault":
            (self.folder / name).unlink()
        self.vault(*export, "-o", "x.hvault")
        self.check_whole("x.hvault")

    def test_what_fails_again_can_be_had_by_another_one(self):
        self.damage("c.gpx")
        self.assertIn("session retry mine", self.retry(status=3).stderr)
        self.assertEqual(self.archives(), ["x.2.hvault", "x.hvault"])
        checked = self.vault("verify", "x.2.hvault", *OPEN)
        self.assertIn("c.gpx was damaged", checked.stderr)
        self.assertNotIn("a.gpx", checked.stderr)
        self.assertEqual(self.shown(*OPEN)["contents"]["damagedFiles"], ["c.gpx"])
        # A name that something bears is left alone.
        (self.folder / "x.3.hvault").write_text("a note")
        self.damage()
        self.retry()
        self.assertEqual(self.archives(), ["x.2.hvault", "x.3.hvault", "x.4.hvault", "x.hvault"])
        self.check_whole("x.4.hvault")
        shutil.rmtree(self.folder / "back")
        result = run(sys.executable, REFERENCE / "decrypt.py", *OPEN, "x.4.hvault", "back", cwd=self.folder)
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assert_same_folder("back", "plain")

    def test_a_batch_that_an_archive_lacks_is_done_again(self):
        """This program writes none such; others may, and they list it."""
        self.vault("decrypt", "x.hvault", "--stored", "-o", "stored", "-q", *OPEN)
        [batch] = (self.folder / "stored" / "records" / "HKQuantityTypeIdentifierHeartRate").iterdir()
        batch.unlink()
        place = self.folder / "stored" / "manifest.json.zst"
        manifest = json.loads(zstandard.decompress(place.read_bytes()))
        [span] = [span for span in manifest["batches"] if span["type"] == "HKQuantityTypeIdentifierHeartRate"]
        manifest["batches"].remove(span)
        manifest["failedBatches"] = [{name: span[name] for name in ("element", "type", "span", "count")} | {"part": 1}]
        for counts in manifest["elements"]["Record"], manifest["types"]["HKQuantityTypeIdentifierHeartRate"]:
            counts["written"] = 0
        place.write_bytes(write_container.frame(json.dumps(manifest).encode()))
        # The session knows it by its identifier; and the index says which rows are in a batch.
        data = (self.folder / "x.hvault").read_bytes()
        held = {inner["name"]: inner for entry in decrypt.Container(io.BytesIO(data), PASSPHRASE.encode()).entries
                for inner in entry.get("members", [entry])}

        def change(part, value):
            for entry in value["entries"] if part == "index" else ():
                entry.update({key: said for key, said in held[entry["name"]].items() if key not in entry})
            return data[:64] if part == "preamble" else value

        write_container.write(self.folder / "x.hvault", write_container.folder_members(self.folder / "stored"),
                              PASSPHRASE.encode(), 100_000, change=change)
        self.assertIn("could not be written", self.vault("verify", "x.hvault", *OPEN, status=(3, 13)).stderr)
        shown = self.shown(*OPEN)["contents"]
        self.assertEqual(shown["failedBatches"], ["records/HKQuantityTypeIdentifierHeartRate/" + span["span"]])
        # The files are as damaged as they were.
        self.retry(status=3)
        self.assertLess((self.folder / "x.2.hvault").stat().st_size, 30_000)
        self.damage()
        self.retry()
        self.check_whole("x.3.hvault")

    def test_nothing_is_written_where_nothing_is_mended(self):
        before = {name: (self.folder / name).read_bytes() for name in self.archives()}
        for _ in range(2):
            self.assertIn("nothing was written", self.retry(status=3).stderr)
            self.assertEqual({name: (self.folder / name).read_bytes() for name in self.archives()}, before)
            self.assertEqual(self.shown()["phase"], "completedWithFailures")

    def test_another_source_is_refused(self):
        other = export_zip(self.folder / "other.zip", SIDES | {"a.gpx": b"other"}, text="<HealthData></HealthData>")
        shutil.move(other, self.folder / "export.zip")
        self.assertIn("changed", self.retry(status=1).stderr)
        # The same document beside other files.
        for sides in (SIDES | {"d.gpx": b"new"}, {name: SIDES[name] for name in NAMES},
                      SIDES | {"large.bin": b"other"}):
            export_zip(self.folder / "export.zip", sides)
            self.assertIn("changed", self.retry(status=1).stderr)
            self.assertEqual(self.archives(), ["x.hvault"])
            self.assertEqual(self.shown()["phase"], "completedWithFailures")

    def test_the_archive_must_be_the_session_s(self):
        self.damage()
        os.rename(self.folder / "x.hvault", self.folder / "y.hvault")
        self.assertIn("not there any more", self.retry(status=10).stderr)
        (self.folder / "x.hvault").write_bytes(b"something else")
        self.assertIn("not what this session has made", self.retry(status=16).stderr)
        os.replace(self.folder / "y.hvault", self.folder / "x.hvault")
        self.vault("session", "retry", "mine", *STATE, "--passphrase-command", "echo something else", status=12)
        self.vault("session", "retry", "mine", *STATE, "--generate-passphrase", status=2)
        self.assertEqual(self.archives(), ["x.hvault"])
        self.retry()
        self.check_whole()

    def test_a_first_archive_says_where_the_rest_may_be(self):
        for command in ["verify", "x.hvault"], ["decrypt", "x.hvault", "-o", "first"]:
            result = self.vault(*command, *OPEN)
            self.assertIn("a further archive beside it", result.stderr)
            self.assertIn("a.gpx was damaged in the source", result.stderr)
        self.damage()
        self.retry()
        self.assertNotIn("damaged", self.vault("decrypt", "x.2.hvault", "-o", "both", *OPEN).stderr)

    def test_other_passphrases_are_not_carried_over_and_that_is_said(self):
        (self.folder / "second").write_text("another good passphrase")
        self.vault("passphrase", "add", "x.hvault", "--new-passphrase-file", "second", "--iterations", "600000", *OPEN)
        self.damage()
        self.assertIn("add the others of", self.retry().stderr)
        self.vault("decrypt", "x.2.hvault", "-o", "back", "--passphrase-file", "second", status=12)
        self.vault("passphrase", "add", "x.2.hvault", "--new-passphrase-file", "second", "--iterations", "600000", *OPEN)
        self.vault("decrypt", "x.2.hvault", "-o", "back", "--passphrase-file", "second")

    def test_a_further_archive_that_is_gone(self):
        self.damage("c.gpx")
        self.retry(status=3)
        os.rename(self.folder / "x.2.hvault", self.folder / "away")
        self.assertIn("not there any more", self.retry(status=10).stderr)
        self.assertIn(b"x.2.hvault (missing)", self.vault("session", "show", "mine", *STATE).stdout)
        os.rename(self.folder / "away", self.folder / "x.2.hvault")
        self.damage()
        self.retry()
        self.check_whole("x.3.hvault")

    def test_a_further_archive_is_recovered_alone(self):
        self.damage()
        self.retry()
        result = self.vault("recover", "x.2.hvault", "-o", "rescued", *OPEN)
        self.assertIn("continues x.hvault", result.stderr)
        self.assertEqual(sorted(path.name for path in (self.folder / "rescued").rglob("*.gpx")), ["a.gpx", "c.gpx"])
        report = json.loads((self.folder / "rescued" / "recovery.json").read_bytes())
        self.assertEqual((report["continues"], report["lostFiles"], report["lostBatches"]), ("x.hvault", [], []))
        self.vault("recover", "x.hvault", "-o", "first", *OPEN)


class Interrupting(Further):
    """The further archive has some MB, so that there is something to go on with."""

    def setUp(self):
        super().setUp()
        self.good = export_zip(self.folder / "good.zip", SIDES | {"a.gpx": random.Random(2).randbytes(6 << 20)}).read_bytes()
        shutil.rmtree(self.folder / "plain")
        self.vault("export", "good.zip", "-o", "plain", "-q", *STATE)
        os.remove(self.folder / "x.hvault")
        self.vault("session", "delete", "mine", *STATE)
        self.damage("a.gpx", "c.gpx")
        self.vault("export", "export.zip", "-o", "x.hvault", "--session", "mine", *ENCRYPT, *STATE, status=3)
        self.damage()

    def interrupt(self, number):
        """Starts a retry and sends it a signal once some of the further archive is there."""
        command = list(map(str, [BINARY, "session", "retry", "mine", *NEW, *STATE]))
        process = subprocess.Popen(command, cwd=self.folder, env=environment(), stdin=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE)
        part = self.folder / "x.2.hvault.part"
        while process.poll() is None:
            if part.exists() and part.stat().st_size > 3 << 20:
                process.send_signal(number)
                break
            time.sleep(0.001)
        return process.wait(), process.communicate()[1].decode()

    def test_it_goes_on_by_any_command(self):
        again = ["export", "export.zip", "-o", "x.hvault", "--session", "mine", *ENCRYPT, *STATE]
        for arguments in (["session", "retry", "mine", *NEW, *STATE], ["session", "resume", "mine", *NEW, *STATE], again):
            status, message = self.interrupt(signal.SIGINT)
            if status == 0:
                self.skipTest("the retry was faster than this test")
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
        if self.interrupt(signal.SIGKILL)[0] == 0:
            self.skipTest("the retry was faster than this test")
        self.assertEqual(self.shown()["phase"], "interrupted")
        self.assertIn("x.2.hvault.part", self.names())
        self.vault("session", "delete", "mine", *STATE)
        self.assertEqual(self.archives(), ["x.hvault"])
        self.vault("verify", "x.hvault", *OPEN)

    def test_one_that_cannot_be_continued_is_begun_anew(self):
        if self.interrupt(signal.SIGKILL)[0] == 0:
            self.skipTest("the retry was faster than this test")
        # Now only one of the two can be had.
        self.damage("c.gpx")
        self.retry(status=3)
        self.damage()
        self.retry()
        self.assertEqual(self.archives(), ["x.2.hvault", "x.3.hvault", "x.hvault"])
        self.check_whole("x.3.hvault")


class Killing(Further, TracedTest):
    @each("openat", "pwrite64", "fsync", "renameat2", "flock", "ftruncate")
    def test_a_retry_that_is_killed_at_any_call_costs_nothing(self, call):
        self.fill()
        self.damage()
        before = (self.folder / "x.hvault").read_bytes()
        for number in (1, 2, 4, 7, 12):
            killed = run("strace", "-f", "-o", "/dev/null", "-e", f"trace={call}", "-e",
                         f"inject={call}:signal=KILL:when={number}", BINARY, "session", "retry", "mine", *NEW, *STATE,
                         cwd=self.folder)
            self.assertEqual((self.folder / "x.hvault").read_bytes(), before, "a sealed archive never changes")
            if killed.status == 0 or (self.folder / "x.2.hvault").exists():
                break
        self.vault("session", "resume", "mine", *NEW, *STATE, status=(0, 3))
        self.retry()
        self.assertEqual(self.archives(), ["x.2.hvault", "x.hvault"])
        self.check_whole()
        self.assertEqual(self.shown()["phase"], "completed")

    @each(*(f"pwrite64:ENOSPC {number}" for number in (1, 2, 3, 4, 5, 6, 8)), "pwrite64:EIO 3", "pwrite64:EIO 5",
          *(f"fsync:EIO {number}" for number in range(1, 6)), *(f"openat:EIO {number}" for number in (1, 3, 5, 9, 12)),
          *(f"flock:EIO {number}" for number in range(1, 5)), "renameat2:EIO 1")
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
        failed = run("strace", "-f", "-o", "/dev/null", "-e", f"trace={call}", "-e",
                     f"inject={call}:error={error}:when={number}", "-e", "signal=none", *files, BINARY, "session",
                     "retry", "mine", *NEW, *STATE, cwd=self.folder)
        self.check_ending(failed)
        self.assertEqual((self.folder / "x.hvault").read_bytes(), (sources() / "x.hvault").read_bytes(),
                         "a sealed archive never changes")
        self.assertEqual(self.archives(), ["x.2.hvault", "x.hvault"] if failed.status == 0 else ["x.hvault"])
        self.retry()
        # A session that could take note of nothing does it again, and has said so.
        if "would do it again" in failed.stderr:
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
        result, _ = self.trace(fault, "session", "retry", "mine", *NEW, *STATE)
        self.assertEqual((result.status, self.archives()), (3, ["x.hvault"]))
        self.retry()
        self.check_whole()


class Predecessors(Further):
    """Where the first archive is, and whether it is the right one."""

    def setUp(self):
        super().setUp()
        self.damage()
        self.retry("-q")
        self.first = (self.folder / "x.hvault").read_bytes()

    def refused(self, status, *words):
        for command in (["decrypt", "x.2.hvault", "-o", "back"], ["decrypt", "x.2.hvault", "--stored", "-o", "back"],
                        ["verify", "x.2.hvault"], ["inspect", "x.2.hvault"], ["decrypt", "x.2.hvault", "--tar"]):
            message = self.vault(*command, *OPEN, status=status).stderr
            for word in words:
                self.assertIn(word, message)
            self.assertNotIn("back", self.names())

    def test_under_another_name(self):
        os.rename(self.folder / "x.hvault", self.folder / "renamed.hvault")
        self.check_whole()
        # Something else may bear the old name.
        (self.folder / "x.hvault").write_text("a note")
        self.check_whole()
        os.mkfifo(self.folder / "pipe.hvault")
        self.check_whole()

    def test_missing(self):
        identifier = self.first[32:64].hex()
        os.rename(self.folder / "x.hvault", self.folder / "x.hvault.away")
        self.refused(10, "x.hvault", identifier, "not in its folder")

    def test_another_archive(self):
        self.vault("export", "good.zip", "-o", "other.hvault", "-q", *ENCRYPT)
        shutil.move(self.folder / "other.hvault", self.folder / "x.hvault")
        self.refused(13, "not the archive that x.2.hvault continues")

    def test_swapped(self):
        shutil.move(self.folder / "x.2.hvault", self.folder / "x.hvault")
        (self.folder / "x.2.hvault").write_bytes(self.first)
        self.vault("verify", "x.2.hvault", *OPEN)
        self.check_whole("x.hvault")

    def test_decoys_cost_no_derivation(self):
        """Anybody can put files there with the identifier, which everybody can read."""
        os.rename(self.folder / "x.hvault", self.folder / "zzz.hvault")
        for number in range(12):
            decoy = bytearray(self.first)
            for start in 128, len(decoy) - 4096 + 128:
                decoy[start:start + 4] = (9_900_000).to_bytes(4, "big")
            (self.folder / f"{number}.hvault").write_bytes(decoy)
        started = time.monotonic()
        self.check_whole()
        self.assertLess(time.monotonic() - started, 20)

    def test_another_one_with_the_same_identifier(self):
        """It has another file key, or another index; that only who knows the passphrase can make."""
        identifier = self.first[32:64]
        preamble = self.first[:32] + identifier
        for key in None, decrypt.Container(io.BytesIO(self.first), PASSPHRASE.encode()).file_key:
            write_container.write(self.folder / "x.hvault", ENDS, PASSPHRASE.encode(), 100_000, file_key=key,
                                  change=lambda part, value: preamble if part == "preamble" else value)
            self.refused(13, "not the archive that x.2.hvault continues")
        # Of two files with the identifier the right one is taken.
        (self.folder / "z.hvault").write_bytes(self.first)
        self.check_whole()

    def test_another_passphrase(self):
        """That of the archive which is read is enough: it has the key of the one that it continues."""
        (self.folder / "new").write_text("another good passphrase")
        change = ["passphrase", "change", "--new-passphrase-file", "new", "--iterations", "600000", *OPEN]
        self.vault(*change, "x.hvault")
        self.check_whole()
        shutil.rmtree(self.folder / "back")
        self.vault("decrypt", "x.2.hvault", "-o", "back", "--passphrase-file", "new", status=12)
        self.vault(*change, "x.2.hvault")
        self.vault("decrypt", "x.2.hvault", "-o", "back", "--passphrase-file", "new")
        self.assert_same_folder("back", "plain")
        message = self.vault("verify", "x.2.hvault", *OPEN, status=12).stderr
        self.assertIn("x.2.hvault: wrong passphrase", message)

    def test_damage_anywhere_is_noticed_or_does_no_harm(self):
        chance = random.Random(7)
        second = (self.folder / "x.2.hvault").read_bytes()
        for name, data in ("x.hvault", self.first), ("x.2.hvault", second):
            places = [0, 40, 200, 4100, len(data) - 4060]
            for at in places + [chance.randrange(len(data)) for _ in range(6)]:
                with self.subTest(f"{name} {at}"):
                    changed = bytearray(data)
                    changed[at] ^= 1 << chance.randrange(8)
                    (self.folder / name).write_bytes(changed)
                    result = self.vault("decrypt", "x.2.hvault", "-o", "back", "-q", *OPEN, status=(0, 10, 12, 13, 14))
                    if result.status == 0:
                        self.assert_same_folder("back", "plain")
                        shutil.rmtree(self.folder / "back")
                    self.assertNotIn("back", self.names())
                    checked = self.vault("verify", "x.2.hvault", *OPEN, status=(10, 12, 13, 14))
                    self.assertIn(name, checked.stderr)
            (self.folder / name).write_bytes(data)
        self.check_whole()

    def test_a_first_archive_that_lost_its_first_sector_is_found(self):
        (self.folder / "x.hvault").write_bytes(bytes(4096) + self.first[4096:])
        self.vault("decrypt", "x.2.hvault", "-o", "back", "-q", *OPEN)
        self.assert_same_folder("back", "plain")


class Hostile(CommandTest):
    """Archives that say something odd about others; who made them knows the passphrase."""

    def write(self, name, vault, continues, *members):
        """Here identifiers are file keys, too."""
        if isinstance(continues, dict) and "supersedes" in continues and "key" not in continues:
            before, index = bytes.fromhex(continues["vault"]), bytes.fromhex(continues["index"])
            continues = continues | {"key": write_container.predecessor_key(vault, before, index, before)}
        session = json.dumps({"session": 1} | ({"continues": continues} if continues is not None else {})).encode()
        preamble = write_container.MAGIC + bytes([1, 1, 0, 0, 0, 0, 0, 64]) + bytes(16) + vault
        write_container.write(self.folder / name, [("session.json", session), *members, ENDS[-1]], PASSPHRASE.encode(),
                              100_000, file_key=vault, change=lambda part, value: preamble if part == "preamble" else value)

    def link(self, vault, name="a.hvault", **more):
        return {"vault": vault.hex(), "index": "0" * 64, "name": name, "supersedes": []} | more

    def test_one_that_continues_itself(self):
        for name in "a.hvault", "gone.hvault":
            self.write("a.hvault", b"a" * 32, self.link(b"a" * 32, name))
            for command in (["decrypt", "a.hvault", "-o", "out"], ["verify", "a.hvault"], ["inspect", "a.hvault"]):
                self.assertIn("continues itself", self.vault(*command, *OPEN, status=13).stderr)
            result = run(sys.executable, REFERENCE / "decrypt.py", *OPEN, "a.hvault", "out", cwd=self.folder)
            self.assertEqual(result.status, 1)

    def test_a_name_leads_to_no_other_folder(self):
        (self.folder / "below").mkdir()
        self.write("a.hvault", b"a" * 32, None)
        shutil.copy(self.folder / "a.hvault", self.folder / "below" / "x")
        os.remove(self.folder / "a.hvault")
        for name in "below/x", os.fspath(self.folder / "below" / "x"), "../x", "", ".", "..", "x" * 5000, "\0":
            self.write("b.hvault", b"b" * 32, self.link(b"a" * 32, name))
            self.vault("decrypt", "b.hvault", "-o", "out", *OPEN, status=10)

    def test_what_is_malformed(self):
        for continues in (5, "x", [], {"vault": 5}, {"vault": "00", "index": "00", "name": "x"},
                          self.link(b"a" * 32, supersedes="x"), self.link(b"a" * 32, supersedes=[5]),
                          self.link(b"a" * 32, supersedes=["session.json"]), self.link(b"a" * 32, supersedes=["manifest.json"]),
                          self.link(b"a" * 32, key=5), self.link(b"a" * 32, key="0" * 94)):
            self.write("b.hvault", b"b" * 32, continues)
            self.vault("decrypt", "b.hvault", "-o", "out", *OPEN, status=13)

    def test_the_key_of_the_one_before(self):
        self.write("a.hvault", b"a" * 32, None)
        link = self.link(b"a" * 32, index=self.index("a.hvault"))
        vault, index = b"a" * 32, bytes.fromhex(link["index"])
        right = write_container.predecessor_key(b"b" * 32, vault, index, vault)
        for key, status in ((right, 0), ("0" * 96, 13), (right[:-1] + "0123456789abcdef"[int(right[-1], 16) ^ 1], 13),
                            (write_container.predecessor_key(b"c" * 32, vault, index, vault), 13),
                            (write_container.predecessor_key(b"b" * 32, vault, vault, vault), 13),
                            (write_container.predecessor_key(b"b" * 32, vault, index, b"c" * 32), 13)):
            self.write("b.hvault", b"b" * 32, link | {"key": key})
            self.vault("decrypt", "b.hvault", "--stored", "-o", "out", *OPEN, status=status)
            shutil.rmtree(self.folder / "out", ignore_errors=True)

    def test_both_hold_the_same_file_and_nobody_says_which_counts(self):
        frame = bytes.fromhex("28b52ffd2000010000")
        member = ("files/a.zst.0000", frame)
        self.write("a.hvault", b"a" * 32, None, member)
        index = self.index("a.hvault")
        for supersedes in [], ["files/b"]:
            self.write("b.hvault", b"b" * 32, self.link(b"a" * 32, index=index, supersedes=supersedes), member)
            self.vault("decrypt", "b.hvault", "-o", "out", *OPEN, status=13)
        for supersedes in ["files/a"], ["files/a", "files/b"]:
            self.write("b.hvault", b"b" * 32, self.link(b"a" * 32, index=index, supersedes=supersedes), member)
            self.vault("decrypt", "b.hvault", "--stored", "-o", "out", *OPEN)
            shutil.rmtree(self.folder / "out")

    def test_anything_can_be_superseded(self):
        """Also where nothing takes its place."""
        frame = write_container.frame(b"{}")
        old = ("prologue.xml.zst", frame), ("records/X/1.json.zst", frame), ("bundles/0000.tar.zst", [
            ("records/X/2.json", b"old"), ("files/a", b"a"), ("files/b", b"b")])
        self.write("a.hvault", b"a" * 32, None, *old)
        supersedes = ["files/a", "prologue.xml", "records/X/1.ndjson", "records/X/2.ndjson"]
        self.write("b.hvault", b"b" * 32, self.link(b"a" * 32, index=self.index("a.hvault"), supersedes=supersedes),
                   ("records/X/2.json.zst", b"new"))
        self.vault("decrypt", "b.hvault", "--stored", "-o", "out", *OPEN)
        reader = [sys.executable, REFERENCE / "decrypt.py", *OPEN]
        self.assertEqual(run(*reader, "--stored", "b.hvault", "read", cwd=self.folder).status, 0)
        self.assert_same_folder("out", "read")
        self.assertEqual(sorted(str(path.relative_to(self.folder / "out")) for path in (self.folder / "out").rglob("*")
                                if path.is_file()),
                         ["SHA256SUMS", "files/b", "manifest.json.zst", "records/X/2.json.zst", "session.json"])

    def index(self, name):
        with open(self.folder / name, "rb") as file:
            return decrypt.Container(file, PASSPHRASE.encode()).index

    def test_a_chain_without_end(self):
        index = None
        for number in range(66):
            vault = bytes([number]) * 32
            link = self.link(bytes([number - 1]) * 32, f"{number - 1}.hvault", index=index) if number else None
            self.write(f"{number}.hvault", vault, link)
            index = self.index(f"{number}.hvault")
        self.vault("inspect", "63.hvault", *OPEN, status=14)
        for name in "64.hvault", "65.hvault":
            self.assertIn("too many", self.vault("inspect", name, *OPEN, status=13).stderr)


if __name__ == "__main__":
    unittest.main()
