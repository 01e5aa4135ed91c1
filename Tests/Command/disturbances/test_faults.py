"""The system refuses one call after the other: every time the command says so, and leaves nothing under the name."""
import functools
import json
import os
import random
import shutil
import tempfile
import unittest
from pathlib import Path

from documents import RECORD, document, export_zip
from sampling import ALL, SEED
from vault import BINARY, CACHE, ENCRYPT, OPEN, TracedTest, run, touching

SIDES = {f"workout-routes/{number}.gpx": b"<gpx/>" * 300_000 for number in range(3)}


@functools.cache
def template():
    place = Path(tempfile.mkdtemp(dir=CACHE))
    export_zip(place / "export.zip", SIDES)
    (place / "export.xml").write_text(document(RECORD))
    for target in (("old",), ("old.hvault", *ENCRYPT)):
        assert run(BINARY, "export", "export.zip", "-o", *target, cwd=place).status == 0
    return place


class Faults(TracedTest):
    """Every run is in a new copy of a folder with a source, an archive and a plain folder."""

    def setUp(self):
        super().setUp()
        self.template = template()
        self.before = self.names(self.template)
        self.place = self.folder.resolve()

    def inject(self, fault, number, *arguments, path=None):
        """Fails the n-th such call of a thread; the result, or None where there are not so many."""
        self.folder = self.place / "copy"
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.template, self.folder)
        call, error = fault.split(":")
        only = ["-P", self.folder / path, *touching(path)] if path else []
        result, lines = self.trace(["-e", f"trace={call}", "-e", f"inject={call}:error={error}:when={number}", *only,
                                    "-e", "signal=none"], *arguments)
        return result if any("(INJECTED)" in line for line in lines) else None

    def go_on(self, arguments):
        """Without the fault the same command finishes what there is, and it is whole."""
        self.assertIn("new.hvault.part" if "--encrypt" in arguments else "new.part", self.names())
        self.vault(*arguments)
        target = arguments[arguments.index("-o") + 1]
        self.vault("verify", target, "--source", "export.zip", *(OPEN if "--encrypt" in arguments else ()))
        (shutil.rmtree if (self.folder / target).is_dir() else os.remove)(self.folder / target)

    def sweep(self, fault, *arguments, status, most=60, path=None, check=None, fails=False):
        """Fails all of them in turn, or some with larger steps later on; gives how many there were."""
        number, tried, seen = 1, 0, set()
        chance = random.Random(f"{SEED} {fault}")
        while number < most and (result := self.inject(fault, number, *arguments, path=path)):
            with self.subTest(f"{fault} {number}"):
                self.assertIn(result.status, status, result.stderr)
                seen.add(result.status)
                if result.status == 0:
                    check()
                elif result.status == 3:
                    check(status=3)
                else:
                    self.assertRegex(result.stderr, "(?m)^healthvault: ")
                    if "progress is kept" in result.stderr:
                        self.go_on(arguments)
                    self.assertEqual(self.names(), self.before)
                    for name in "old", "old.hvault":
                        self.assert_same_folder(name, self.template / name)
            number, tried = number + (1 if ALL or number < 5 else chance.randint(1, number)), tried + 1
        self.assertGreater(tried, 0, f"{fault} did not come about")
        self.assertFalse(fails and seen == {0}, f"{fault} did nothing")
        return tried


class FailingDrive(Faults):
    """A sector that the drive does not give back is damage to what lies there, and not the end of the check."""

    def setUp(self):
        super().setUp()
        self.template = Path(self.enterContext(tempfile.TemporaryDirectory(dir=CACHE)))
        noise = random.Random(7)
        export_zip(self.template / "export.zip",
                   {f"workout-routes/{number}.gpx": noise.randbytes(1_500_000) for number in range(2)})
        exported = run(BINARY, "export", "export.zip", "-o", "old.hvault", *ENCRYPT, cwd=self.template)
        self.assertEqual(exported.status, 0, exported.stderr)

    def test_verifying_goes_on_behind_it(self):
        number, partly = 1, 0
        # The second time a single chunk is read.
        while result := self.inject("pread64:EIO", f"{number}..{number + 1}", "verify", "old.hvault", "--json", *OPEN,
                                    path="old.hvault"):
            with self.subTest(number):
                self.assertIn(result.status, (0, 1, 13), result.stderr)
                report = json.loads(result.stdout) if result.stdout else {"problems": []}
                if any("cannot read chunk" in problem for problem in report["problems"]):
                    self.assertEqual(result.status, 13)
                    affected = " ".join(report["affectedEntries"])
                    partly += "0.gpx" in affected or "1.gpx" in affected
                    self.assertNotIn("session.json", affected if "1.gpx" in affected else "")
            number += 1
        self.assertGreater(partly, 2, "a chunk of each segment is read again by itself")


class FailingSources(Faults):
    """What the drive does not give back is no damage to the source, and an export goes on where it ended."""

    EXPORT = ("export", "export.zip", "-o", "new.hvault", *ENCRYPT)

    def setUp(self):
        super().setUp()
        self.template = Path(self.enterContext(tempfile.TemporaryDirectory(dir=CACHE)))

    # SECURITY.md: "After an error it is removed, unless another try may succeed"
    def test_a_zip_on_a_drive_that_is_pulled(self):
        noise = random.Random(7)
        # Texts that do not shrink: enough of them is written before the end to be kept.
        records = "".join(RECORD.replace("/>", f' k="{noise.randbytes(600).hex()}"/>') for _ in range(7_000))
        export_zip(self.template / "export.zip", {"a.gpx": b"<gpx/>"}, text=document(records))
        self.before = self.names(self.template)
        # Reads are counted for each thread. How many of them one does, and how much is written by then, is certain only
        # where one does them all.
        self.assertGreater(self.pull(*self.EXPORT, "--jobs", "1"), 0, "one in the middle")
        self.pull(*self.EXPORT, "--jobs", "2")

    def pull(self, *export):
        """Pulls it at one read after the other; how often what was done was kept."""
        number, kept, seen = 1, 0, set()
        while result := self.inject("read:EIO", f"{number}+", *export, path="export.zip"):
            with self.subTest(number):
                seen.add(result.status)
                self.assertIn(result.status, (1, 3), result.stderr)
                self.assertRegex(result.stderr, "input/output error" if result.status == 1 else "a.gpx")
                if "progress is kept" in result.stderr:
                    self.go_on(export)
                    kept += 1
                elif result.status == 1:
                    self.assertEqual(self.names(), self.before)
            number += 1 + number // 3
        self.assertIn(1, seen)
        return kept

    def test_side_files_that_may_not_be_read(self):
        folder = self.template / "unpacked"
        (folder / "sub").mkdir(parents=True)
        (folder / "export.xml").write_text(document(RECORD))
        # In the target they bear other names, so that the errors are those of the source alone.
        names = "export:cda.xml", "sub/a:b.gpx"
        for name in names:
            (folder / name).write_text("<gpx/>")
        source = self.place / "copy" / "unpacked"
        for error in "EACCES", "EPERM":
            for name in names:
                with self.subTest(f"{error} {name}"):
                    result = self.inject(f"openat:{error}", "1+", "export", source, "-o", "new", path=f"unpacked/{name}")
                    self.assertEqual(result.status, 3, result.stderr)
                    self.assertIn(name, result.stderr)
                    files = {file["name"]: file.get("damaged", False) for file in self.manifest(self.folder / "new")["files"]}
                    self.assertEqual(files, {other: other == name for other in names})
            result = self.inject(f"openat:{error}", "1+", "export", source, "-o", "new", path="unpacked/export.xml")
            self.assertEqual((result.status, self.names()), (1, ["unpacked"]), result.stderr)
        result = self.inject("openat:ENOENT", "1+", "export", source, "-o", "new", path="unpacked/sub/a:b.gpx")
        self.assertEqual((result.status, self.names()), (10, ["unpacked"]), result.stderr)


class Archives(Faults):
    EXPORT = ("export", "export.zip", "-o", "new.hvault", *ENCRYPT)
    REPLACE = ("export", "export.zip", "-o", "old.hvault", "--overwrite", *ENCRYPT)
    PART = "new.hvault.part"

    # What the record of the export loses does not matter to the export.

    def check_new(self):
        self.vault("verify", "new.hvault", *OPEN)

    def check_new_as_told(self, status=0):
        """It holds the source, all of it unless it was said that a side file is missing."""
        self.vault("verify", "new.hvault", "--source", "export.zip", *OPEN, status=0 if status == 0 else 13)

    # SECURITY.md: "After an error it is removed, unless another try may succeed"
    def test_a_disk_that_is_full(self):
        self.assertGreater(
            self.sweep("pwrite64:ENOSPC", *self.EXPORT, status=(0, 15), check=self.check_new, fails=True), 2)

    def test_a_disk_that_fails_to_write(self):
        self.sweep("pwrite64:EIO", *self.EXPORT, status=(0, 1), check=self.check_new, fails=True)

    # SECURITY.md: "It gets its final name once everything has been written, flushed, read back from the drive"
    def test_a_disk_that_fails_to_sync(self):
        self.assertGreater(
            self.sweep("fsync:EIO", *self.EXPORT, status=(0, 1, 15), check=self.check_new, fails=True), 1)

    def test_a_rename_that_fails(self):
        self.sweep("renameat2:EIO", *self.EXPORT, status=(1,))
        self.sweep("renameat2:ENOSPC", *self.EXPORT, status=(15,))

    # SECURITY.md: "and authenticated"
    def test_a_disk_that_reads_back_nothing(self):
        self.sweep("pread64:EIO", *self.EXPORT, status=(0, 1, 13), path=self.PART, check=self.check_new, fails=True)

    def test_a_lock_that_is_refused(self):
        """That of the record does not matter."""
        self.sweep("flock:EIO", *self.EXPORT, status=(0, 1), check=lambda: self.vault("verify", "new.hvault", *OPEN))

    def test_a_document_that_cannot_be_read(self):
        self.sweep("read:EIO", "export", "export.xml", *self.EXPORT[2:], status=(1,), path="export.xml")

    def test_a_zip_that_cannot_be_read(self):
        """Some of it is read twice, so that an export can be whole all the same."""
        for call in "read", "lseek":
            self.sweep(f"{call}:EIO", *self.EXPORT, status=(0, 1, 3), path="export.zip", check=self.check_new_as_told)

    def test_an_old_archive_stays_as_it_was_until_the_new_one_is_whole(self):
        self.sweep("pwrite64:ENOSPC", *self.REPLACE, status=(15,), path="old.hvault.part")
        self.sweep("renameat:EIO", *self.REPLACE, status=(0, 1), fails=True, check=lambda: self.vault(
            "verify", "old.hvault", "--source", "export.zip", *OPEN))
        number = 0
        while result := self.inject("fsync:EIO", number + 1, *self.REPLACE, path="old.hvault.part"):
            number += 1
            self.assertEqual(result.status, 1)
            self.assertEqual(self.names(), self.before)
            self.vault("verify", "old.hvault", "--source", "export.zip", *OPEN)
        self.assertGreater(number, 0)

    def test_a_file_system_without_exclusive_renames(self):
        """FAT, exFAT and FUSE know no RENAME_NOREPLACE."""
        for error in "EINVAL", "ENOSYS", "EOPNOTSUPP":
            result = self.inject(f"renameat2:{error}", 1, *self.EXPORT)
            self.assertEqual(result.status, 0, result.stderr)
            self.vault("verify", "new.hvault", *OPEN)

    def test_calls_that_a_signal_interrupts(self):
        for call in "pwrite64", "fsync", "pread64", "flock":
            with self.subTest(call):
                result = self.inject(f"{call}:EINTR", 1, *self.EXPORT, path=self.PART)
                self.assertIsNotNone(result, "did not come about")
                self.assertEqual(result.status, 0, result.stderr)
                self.vault("verify", "new.hvault", *OPEN)


class Folders(Faults):
    EXPORT = ("export", "export.zip", "-o", "new", "--quiet")
    REPLACE = ("export", "export.xml", "-o", "old", "--overwrite", "--quiet")

    def check_new(self, status=0):
        """It is there: whole, or all but what its manifest says."""
        self.vault("verify", "new", status=status)

    def test_a_disk_that_is_full(self):
        # What the record of the export loses does not matter to the export.
        self.assertGreater(
            self.sweep("pwrite64:ENOSPC", *self.EXPORT, status=(0, 15), most=12, check=self.check_new), 2)
        self.sweep("mkdirat:ENOSPC", *self.EXPORT, status=(0, 15), check=self.check_new)

    def test_a_disk_that_fails(self):
        """A batch that is refused costs no more than itself."""
        self.sweep("pwrite64:EIO", *self.EXPORT, status=(0, 1, 3), most=12, check=self.check_new)
        self.sweep("mkdirat:EIO", *self.EXPORT, status=(0, 1, 3), check=self.check_new)
        for call in "syncfs", "fsync", "renameat2":
            self.sweep(f"{call}:EIO", *self.EXPORT, status=(0, 1), check=self.check_new)

    def test_decrypting(self):
        decrypt = ("decrypt", "old.hvault", "-o", "new", "--quiet", *OPEN)
        self.sweep("pwrite64:ENOSPC", *decrypt, status=(15,), most=5)
        for call in "syncfs", "fsync", "renameat2":
            self.sweep(f"{call}:EIO", *decrypt, status=(1,))
        # Where the first look at a file fails, a second one may succeed.
        self.sweep("pread64:EIO", *decrypt, status=(0, 1, 13), most=5, path="old.hvault",
                   check=lambda: self.assert_same_folder("new", self.template / "old"))

    def test_an_old_folder_stays_as_it_was(self):
        for fault in "pwrite64:ENOSPC", "syncfs:EIO", "renameat2:EIO":
            self.sweep(fault, *self.REPLACE, status=(0, 1, 15), most=12, check=lambda status=0: None)


if __name__ == "__main__":
    unittest.main()
