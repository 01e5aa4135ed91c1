"""What the commands do on FAT32 and exFAT: all that they promise elsewhere, without links and permissions."""
import contextlib
import errno
import json
import os
import signal
import unittest

from documents import RECORD, document, export_zip
from media import MIB, Medium, forget_inodes
from named_exports import size
from vault import BINARY, ENCRYPT, ITERATIONS, OPEN, CommandTest, Gated, dense, generated, run, skip_loudly


def long():
    """A source that takes long enough to be disturbed; its archive has five segments."""
    return dense("3MB", 700)


def can_be_opened(part):
    """Whether an unfinished archive has its first passphrase, which takes a while; other files need none."""
    if part.suffixes != [".hvault", ".part"]:
        return True
    with open(part, "rb") as file:
        return any(file.read(256)[128:])


class MediumTest(CommandTest):
    """A test with a medium that is mounted at `drive`, and a small export."""

    fs = None
    SIZE = 48 * MIB

    def setUp(self):
        super().setUp()
        self.small = export_zip(self.folder / "small.zip", {"notes.txt": b"1"})
        self.medium = self.new_medium(self.SIZE)
        self.drive = self.medium.path

    def new_medium(self, size, **more):
        try:
            medium = Medium(self.fs, size, **more)
        except unittest.SkipTest as reason:
            skip_loudly(self, str(reason))
        self.addCleanup(medium.close)
        return medium

    def gated(self, *arguments, calls=("write",)):
        """Starts a command that waits before calls, and goes away with the test."""
        command = Gated([BINARY, *arguments], calls, cwd=self.folder)
        self.addCleanup(command.process.wait)
        self.addCleanup(command.process.kill)
        return command

    def plug_in(self):
        """Plugs the drive in again after it was pulled."""
        self.medium.mount()

    def end_on_drive(self, *names):
        """Checks what is on the drive: these, and nothing unfinished or hidden."""
        self.assertEqual(self.names(self.drive), sorted(names))


class Media:
    """That a medium is what the tests take it for."""

    def test_identity(self):
        medium = self.new_medium(self.SIZE, label="OTHER")
        self.assertEqual([medium.identity("TYPE"), medium.identity("LABEL")],
                         [{"fat32": "vfat", "exfat": "exfat"}[self.fs], "OTHER"])
        self.assertRegex(medium.identity("UUID"), "^[0-9A-F]{4}-[0-9A-F]{4}$")
        self.assertNotEqual(medium.device, self.medium.device)
        with open("/proc/self/mountinfo") as file:
            [line] = [line for line in file if f" {medium.path} " in line]
        self.assertEqual(line.split(" - ")[1].split()[:2], ["fuseblk", medium.device])
        self.assertEqual(os.stat(medium.path).st_dev, os.stat(medium.device).st_rdev)

    def test_mounted_elsewhere(self):
        (self.drive / "folder").mkdir()
        (self.drive / "folder" / "file").write_bytes(b"content" * 10_000)
        self.medium.unmount()
        self.assertFalse(os.path.ismount(self.drive))
        self.medium.mount(self.folder / "elsewhere")
        self.assertEqual((self.folder / "elsewhere/folder/file").read_bytes(), b"content" * 10_000)

    def test_pulled_and_plugged_in(self):
        file = os.open(self.drive / "file", os.O_RDWR | os.O_CREAT)
        os.write(file, b"content")
        os.fsync(file)
        self.medium.vanish()
        number = {"fat32": errno.EIO, "exfat": errno.ENOTCONN}[self.fs]
        for call in (lambda: os.write(file, b"more"), lambda: os.listdir(self.drive),
                     lambda: os.mkdir(self.drive / "folder")):
            with self.assertRaises(OSError) as caught:
                call()
            self.assertEqual(caught.exception.errno, number)
        with contextlib.suppress(OSError):
            os.close(file)
        self.plug_in()
        self.assertEqual((self.drive / "file").read_bytes(), b"content")

    def test_names_and_permissions(self):
        (self.drive / "Name").touch(0o600)
        self.assertTrue((self.drive / "NAME").exists())
        self.assertTrue(os.stat(self.drive / "Name").st_mode & 0o004)
        for name in "a:b", "a?b":
            with self.assertRaises(OSError):
                (self.drive / name).touch()
        with self.assertRaises(OSError):
            os.link(self.drive / "Name", self.drive / "link")

    def test_full(self):
        self.medium.fill(leaving=MIB)
        with open(self.drive / "more", "wb", 0) as file:
            written = file.write(bytes(2 * MIB))
            self.assertLessEqual(written, MIB)
            with self.assertRaises(OSError) as caught:
                while file.write(bytes(MIB)):
                    pass
        self.assertEqual(caught.exception.errno, errno.ENOSPC)


class Results:
    """What is made on a medium is what is made elsewhere."""

    def setUp(self):
        super().setUp()
        self.source = generated()

    def test_an_archive(self):
        archive = self.drive / "health.hvault"
        self.vault("export", self.source.zip, "-o", archive, *ENCRYPT)
        self.vault("verify", archive, "--source", self.source.zip, *OPEN)
        self.vault("decrypt", archive, "-o", "plain", *OPEN)
        self.assert_same_folder("plain", self.source.plain)
        self.vault("decrypt", archive, "-o", self.drive / "plain", *OPEN)
        self.assert_same_folder(self.drive / "plain", self.source.plain)
        self.vault("inspect", archive, *OPEN)
        self.vault("export", self.source.zip, "-o", archive, *ENCRYPT, status=16)
        self.end_on_drive("health.hvault", "plain")

    def test_passphrases(self):
        archive = self.drive / "health.hvault"
        (self.folder / "new").write_text("otter violin mesa plunder gherkin cascade")
        self.vault("export", self.small, "-o", archive, *ENCRYPT)
        new = ("--new-passphrase-file", "new", *ITERATIONS)
        self.vault("passphrase", "add", archive, *OPEN, *new)
        self.vault("passphrase", "remove", archive, "--passphrase-file", "new", "--slot", "0")
        self.vault("verify", archive, *OPEN, status=12)
        self.vault("verify", archive, "--passphrase-file", "new")
        self.end_on_drive("health.hvault")

    def test_a_plain_folder(self):
        self.vault("export", self.source.zip, "-o", self.drive / "plain")
        self.assert_same_folder(self.drive / "plain", self.source.plain)
        self.vault("verify", self.drive / "plain", "--source", self.source.zip)
        self.vault("export", self.drive / "plain", "-o", self.drive / "health.hvault", *ENCRYPT)
        self.vault("verify", self.drive / "health.hvault", *OPEN)
        self.end_on_drive("health.hvault", "plain")

    def test_formats_in_a_folder(self):
        for place in self.folder, self.drive:
            self.vault("export", self.small, "--format", "json,sqlite,csv", "-o", place / "all")
        self.assert_same_folder(self.drive / "all", self.folder / "all", "health.db", "SHA256SUMS")
        check = run("sha256sum", "--quiet", "-c", "SHA256SUMS", cwd=self.drive / "all")
        self.assertEqual(check.status, 0, check.stderr)
        self.end_on_drive("all")

    def test_formats_in_a_file(self):
        """Made of an export they need a spool, a file without a name."""
        for place in self.folder, self.drive:
            for form, name in (("json", "x.json"), ("sqlite", "x.db"), ("apple-xml", "x.xml"),
                               ("apple-xml", "x.zip")):
                self.vault("export", self.small, "--format", form, "-o", place / name)
        for name in "x.json", "x.xml", "x.zip":
            self.assertEqual((self.drive / name).read_bytes(), (self.folder / name).read_bytes(), name)
        self.end_on_drive("x.db", "x.json", "x.xml", "x.zip")

    def test_names_that_it_does_not_take(self):
        files = {"a:b.txt": b"1", "what?.txt": b"2", "dot.": b"3", "Case.txt": b"4", "case.txt": b"5",
                 "caf\u00e9.txt": b"6"}
        export_zip(self.folder / "odd.zip", files)
        self.vault("export", "odd.zip", "-o", self.drive / "plain")
        self.vault("export", "odd.zip", "-o", "plain")
        self.assert_same_folder(self.drive / "plain", "plain")
        self.vault("verify", self.drive / "plain", "--source", "odd.zip")

    def test_folders_that_differ_in_case_alone(self):
        export_zip(self.folder / "odd.zip", {"Notes/a.txt": b"1", "notes/b.txt": b"2"})
        self.vault("export", "odd.zip", "-o", self.drive / "plain")
        self.vault("verify", self.drive / "plain", "--source", "odd.zip")

    def test_a_drive_that_is_pulled_as_soon_as_it_is_done(self):
        self.vault("export", self.source.zip, "-o", self.drive / "health.hvault", *ENCRYPT)
        self.vault("export", self.source.zip, "-o", self.drive / "plain")
        self.medium.vanish()
        self.plug_in()
        self.end_on_drive("health.hvault", "plain")
        self.vault("verify", self.drive / "health.hvault", *OPEN)
        self.assert_same_folder(self.drive / "plain", self.source.plain)


class Replacing:
    """Existing exports are replaced with --overwrite alone, by whole ones."""

    CASES = (("x.hvault", ENCRYPT), ("plain", ()), ("x.json", ("--format", "json")))

    def test_by_whole_ones(self):
        export_zip(self.folder / "new.zip", {"notes.txt": b"2"}, document(RECORD * 2000))
        for name, options in self.CASES:
            with self.subTest(name):
                command = "export", "new.zip", "-o", self.drive / name, *options
                self.vault("export", self.small, "-o", self.drive / name, *options)
                self.vault(*command, status=16)
                before = size(self.drive / name)
                self.vault(*command, "--overwrite")
                self.assertGreater(size(self.drive / name), before)
                self.assertNotIn(f"{name}.part", self.names(self.drive))
                if name != "x.json":
                    self.vault("verify", self.drive / name, "--source", "new.zip", *(OPEN if options else ()))

    def test_a_folder_is_replaced_whenever_that_was_killed(self):
        """It takes three renames here."""
        export_zip(self.folder / "new.zip", {"notes.txt": b"2"})
        command = "export", "new.zip", "-o", self.drive / "plain", "--overwrite"
        for count in range(5):
            run("rm", "-rf", self.drive / "plain")
            self.vault("export", self.small, "-o", self.drive / "plain")
            export = self.gated(*command, calls=("rename",))
            is_caught = export.pass_calls(count)
            if is_caught:
                export.kill()
            else:
                export.end()
            self.vault(*command)
            self.end_on_drive("plain")
            self.vault("verify", self.drive / "plain", "--source", "new.zip")
        self.assertFalse(is_caught, "each rename")

    def begin_to_replace(self, name, *options):
        """Starts an export over an existing one, and stops it as soon as it writes."""
        self.vault("export", self.small, "-o", self.drive / name, *options)
        return self.gated("export", generated().zip, "-o", self.drive / name, *options, "--overwrite",
                          calls=("write", "open", "fsync")).reach((self.drive / f"{name}.part").exists)

    def test_although_their_inode_numbers_change(self):
        """Files on these file systems get another one each time that they come back to memory."""
        for name, options in self.CASES:
            with self.subTest(name):
                process = self.begin_to_replace(name, *options)
                try:
                    forget_inodes()
                finally:
                    status, message = process.end()
                self.assertEqual(status, 0, message)

    def test_one_that_someone_else_has_replaced_meanwhile_stays(self):
        process = self.begin_to_replace("x.hvault", *ENCRYPT)
        (self.drive / "new").write_bytes(b"a note")
        os.replace(self.drive / "new", self.drive / "x.hvault")
        status, message = process.end()
        self.assertIn(status, (11, 16), message)
        self.assertEqual((self.drive / "x.hvault").read_bytes(), b"a note")


class Disturbed(MediumTest):
    """Exports of a source that takes long enough to be disturbed."""

    def setUp(self):
        super().setUp()
        self.state = ("--state-dir", "state")
        self.source, self.expected = long().folder, long().plain

    def arguments(self, kind):
        """The command for a kind of result, and the name of the result."""
        if kind == "decrypted":
            return ["decrypt", long().archive, "-o", self.drive / "out", *OPEN], "out"
        name, options = {"archive": ("x.hvault", ENCRYPT), "folder": ("plain", ()),
                         "database": ("x.db", ("--format", "sqlite")),
                         "document": ("x.json", ("--format", "json"))}[kind]
        return ["export", self.source, "-o", self.drive / name, *self.state, *options], name

    def begun(self, arguments, name):
        """A command that waits where some of its result is there."""
        part = self.drive / f"{name}.part"
        return self.gated(*arguments, calls=("write", "open", "fsync")).reach(
            lambda: size(part) > 2 * MIB and can_be_opened(part))

    def check_whole(self, name):
        place = self.drive / name
        if name == "x.hvault":
            place = self.folder / "decrypted"
            self.vault("decrypt", self.drive / name, "-o", place, "--overwrite", *OPEN)
        self.assert_same_folder(place, self.expected)


class Interrupting:
    """An export that was stopped goes on with the same command."""

    def test_an_archive(self):
        self.check("archive", signal.SIGINT, signal.SIGKILL)

    def test_a_folder(self):
        self.check("folder", signal.SIGKILL)

    def check(self, kind, *numbers):
        arguments, name = self.arguments(kind)
        for number in numbers:
            with self.subTest(number.name):
                run("rm", "-rf", self.drive / name, self.drive / f"{name}.part")
                status, message = self.begun(arguments, name).interrupt(number)
                self.assertEqual(status, 130 if number == signal.SIGINT else -9, message)
                self.end_on_drive(f"{name}.part")
                # As after a restart of the computer.
                self.medium.unmount()
                self.medium.mount()
                report = json.loads(self.vault(*arguments, "--json").stdout)
                self.assertGreater(report["resumedBytes"], MIB)
                self.end_on_drive(name)
                self.check_whole(name)


class Full:
    """A full drive ends a command with status 15; nothing gets its final name."""

    def check_refused(self, arguments, *left):
        result = self.vault(*arguments, status=15)
        self.assertIn("no space", result.stderr)
        self.end_on_drive("fill", *left)
        return result.stderr

    def test_there_is_room_again_afterwards(self):
        for kind in "archive", "folder":
            with self.subTest(kind):
                run("rm", "-rf", *self.drive.iterdir())
                fill = self.medium.fill(leaving=3 * MIB)
                arguments, name = self.arguments(kind)
                said = self.check_refused(arguments, f"{name}.part")
                self.assertIn("resume with the same command", said)
                fill.unlink()
                report = json.loads(self.vault(*arguments, "--json").stdout)
                self.assertGreater(report["resumedBytes"], MIB)
                self.check_whole(name)

    def test_what_cannot_be_continued_is_removed(self):
        self.medium.fill(leaving=3 * MIB)
        room = self.medium.free
        for kind in "decrypted", "database", "document":
            with self.subTest(kind):
                self.check_refused(self.arguments(kind)[0])
                self.assertAlmostEqual(self.medium.free, room, delta=MIB // 4)

    def test_what_was_to_be_replaced_stays(self):
        archive = self.drive / "x.hvault"
        self.vault("export", self.small, "-o", archive, *ENCRYPT)
        before = archive.read_bytes()
        self.medium.fill(leaving=MIB // 2)
        self.check_refused([*self.arguments("archive")[0], "--overwrite"], "x.hvault")
        self.assertEqual(archive.read_bytes(), before)


class Pulled:
    """A drive that is pulled ends a command with a message that helps; nothing gets its final name."""

    def pull(self, kind):
        """Pulls the drive while a command runs, and plugs it in again; the command, and what it said."""
        arguments, name = self.arguments(kind)
        process = self.begun(arguments, name)
        # Otherwise exfat-fuse has most of it in memory alone.
        for path in [part := self.drive / f"{name}.part", *part.rglob("*")]:
            file = os.open(path, os.O_RDONLY)
            os.fsync(file)
            os.close(file)
        self.medium.vanish()
        status, message = process.end()
        self.assertIn(status, range(1, 128), message)
        self.check_message(message)
        self.plug_in()
        self.assertNotIn(name, self.names(self.drive))
        return arguments, name, message

    def check_message(self, message):
        with self.subTest("message"):
            self.assertIn(str(self.drive), message)
            self.assertRegex(message, r"(?i)\bdrive|disconnected|gone", "says what happened")
            self.assertGreater(len(message.splitlines()), 1, "says what to do")

    def check_continued(self, kind):
        arguments, name, message = self.pull(kind)
        with self.subTest("how to go on"):
            self.assertIn("resume with the same command", message)
        report = json.loads(self.vault(*arguments, "--json").stdout)
        self.assertGreater(report["resumedBytes"], MIB)
        self.check_whole(name)
        self.end_on_drive(name)

    def test_an_archive(self):
        self.check_continued("archive")

    def test_a_folder(self):
        self.check_continued("folder")

    def test_what_cannot_be_continued(self):
        for kind in "decrypted", "document":
            with self.subTest(kind):
                run("rm", "-rf", *self.drive.iterdir())
                arguments, name, _ = self.pull(kind)
                self.vault(*arguments)
                self.end_on_drive(name)

    def test_commands_for_what_is_gone(self):
        archive = self.drive / "x.hvault"
        self.vault("export", self.small, "-o", archive, *ENCRYPT)
        self.vault("destination", "add", "stick", self.drive, "--config-dir", "config")
        self.medium.vanish()
        # The work for a drive that is gone stays to be done.
        self.vault("export", self.small, "--to", "stick", *ENCRYPT, "--config-dir", "config", "--state-dir", "state",
                   status=75)
        for arguments in (("verify", archive, *OPEN), ("decrypt", archive, "-o", "out", *OPEN),
                          ("export", self.small, "-o", self.drive / "y.hvault", *ENCRYPT)):
            with self.subTest(arguments[0]):
                self.check_message(self.vault(*arguments, status=tuple(range(1, 128))).stderr)
        self.assertEqual(self.names(), ["config", "small.zip"])


class FAT32Media(Media, MediumTest):
    fs = "fat32"

    def test_files_are_smaller_than_4_GiB(self):
        medium = self.new_medium(5 << 30)
        with open(medium.path / "file", "wb", 0) as file:
            file.seek((1 << 32) - 3)
            self.assertEqual(file.write(b"123"), 2)
            with self.assertRaises(OSError) as caught:
                file.write(b"3")
        self.assertEqual(caught.exception.errno, errno.EFBIG)


class ExFATMedia(Media, MediumTest):
    fs = "exfat"


class FAT32Results(Results, MediumTest):
    fs = "fat32"


class ExFATResults(Results, MediumTest):
    fs = "exfat"


class FAT32Replacing(Replacing, MediumTest):
    fs = "fat32"


class ExFATReplacing(Replacing, MediumTest):
    fs = "exfat"


class FAT32Interrupting(Interrupting, Disturbed):
    fs = "fat32"


class ExFATInterrupting(Interrupting, Disturbed):
    fs = "exfat"


class FAT32Full(Full, Disturbed):
    fs = "fat32"


class ExFATFull(Full, Disturbed):
    fs = "exfat"


class FAT32Pulled(Pulled, Disturbed):
    fs = "fat32"


class ExFATPulled(Pulled, Disturbed):
    fs = "exfat"


if __name__ == "__main__":
    unittest.main()
