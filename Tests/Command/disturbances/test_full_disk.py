"""A full disk ends an export with status 15, and nothing of it stays behind."""
import os
import resource
import unittest

from assistants.client import Client
from documents import export_zip
from vault import BINARY, ENCRYPT, OPEN, CommandTest, generated, run, skip_loudly


class FullDisk(CommandTest):
    """On a small file system of its own, which takes the right to mount one."""

    def setUp(self):
        super().setUp()
        self.disk = self.folder / "disk"
        self.disk.mkdir()
        if os.geteuid() != 0:
            skip_loudly(self, "only root can mount a small disk")
        mounted = run("mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", self.disk)
        if mounted.status != 0:
            skip_loudly(self, f"a small disk cannot be mounted here: {mounted.stderr.strip()}")
        self.addCleanup(run, "umount", "--lazy", self.disk)

    def check(self, *arguments, left=()):
        result = self.vault(*arguments, status=15)
        self.assertIn("no space", result.stderr)
        self.assertIn("disk", result.stderr)
        self.assertEqual(self.names(self.disk), sorted(left))

    # SECURITY.md: "After an error it is removed, unless another try may succeed"
    def test_an_archive(self):
        self.check("export", generated().zip, "-o", self.disk / "a.hvault", *ENCRYPT)

    def test_a_folder(self):
        self.check("export", generated().zip, "-o", self.disk / "out")

    def test_decrypting(self):
        for options in (), ("--stored",):
            self.check("decrypt", generated().archive, "-o", self.disk / "out", *options, *OPEN)

    def test_other_formats(self):
        for options in (("json", "x.json"), ("sqlite", "x.db"), ("csv", "out"), ("apple-xml", "x.zip"), ("apple-xml", "x.xml"),
                        ("sqlite,json,csv", "out")):
            with self.subTest(options):
                self.check("export", generated().zip, "--format", options[0], "-o", self.disk / options[1])
                self.check("decrypt", generated().archive, "--format", options[0], "-o", self.disk / options[1], *OPEN)

    def test_a_part_that_is_encrypted(self):
        self.check("export", generated().zip, "--exclude", "heartRate", "-o", self.disk / "a.hvault", *ENCRYPT)

    def test_a_database_that_is_to_be_replaced_stays(self):
        old = self.disk / "x.db"
        run("mount", "-o", "remount,size=900k", self.disk)
        (self.folder / "export.xml").write_text("<HealthData/>")
        self.vault("export", "export.xml", "--format", "sqlite", "-o", old)
        bytes = old.read_bytes()
        self.check("export", generated().zip, "--format", "sqlite", "-o", old, "--overwrite", left=["x.db"])
        self.assertEqual(old.read_bytes(), bytes)

    def test_a_ledger_has_no_half_line(self):
        ledger = self.disk / "asked.log"
        arguments = (generated().archive, *OPEN, "--ledger", ledger)
        with Client(*arguments) as client: client.call("overview")
        line = ledger.read_bytes()
        # The next line begins in the last bytes of a page.
        whole = line * (8000 // len(line))
        whole = whole[:-1].ljust(8192 - 101) + b"\n"
        ledger.write_bytes(whole)
        with Client(*arguments) as client, open(self.disk / "rest", "wb", buffering=0) as rest:
            with self.assertRaises(OSError):
                while True: rest.write(bytes(4096))
            refused = client.reply("tools/call", {"name": "overview", "arguments": {}})["error"]
            self.assertIn("the ledger cannot be written", refused["message"])
            self.assertEqual(ledger.read_bytes(), whole)

    def test_an_archive_that_is_to_be_replaced_stays(self):
        old = self.disk / "a.hvault"
        (self.folder / "export.xml").write_text("<HealthData/>")
        self.vault("export", "export.xml", "-o", old, *ENCRYPT)
        self.check("export", generated().zip, "-o", old, "--overwrite", *ENCRYPT, left=["a.hvault"])
        self.vault("verify", old, "--source", "export.xml", *OPEN)

    def test_there_is_room_again_afterwards(self):
        self.check("export", generated().zip, "-o", self.disk / "out")
        room = os.statvfs(self.disk)
        self.assertGreater(room.f_bavail * room.f_frsize, 170_000)


class LimitedFiles(CommandTest):
    """The system's limit for the size of one file, as FAT has it at 4 GiB."""

    @staticmethod
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    def test_an_archive(self):
        self.vault("export", generated().zip, "-o", "a.hvault", *ENCRYPT, status=15, preexec_fn=self.limit)
        self.assertEqual(self.names(), [])

    def test_a_folder_with_a_large_file(self):
        export_zip(self.folder / "export.zip", {"scan.jpg": bytes(1_000_000)})
        self.vault("export", "export.zip", "-o", "out", status=15, preexec_fn=self.limit)
        self.assertEqual(self.names(), ["export.zip"])


class FullPipes(CommandTest):
    """Results that cannot be written are no success."""

    def to_full(self, *arguments):
        result = run("sh", "-c", 'exec "$@" >/dev/full', "sh", BINARY, *arguments, cwd=self.folder)
        self.check_ending(result, arguments)
        return result

    def test_a_report_that_cannot_be_written(self):
        for arguments in (("inspect", "--json", generated().zip), ("types",), ("verify", "--json", generated().plain),
                          ("completions", "bash"), ("export", generated().zip, "--json", "-o", "out")):
            with self.subTest(arguments[0]):
                self.assertNotEqual(self.to_full(*arguments).status, 0, arguments)

    def test_a_tar_stream_that_cannot_be_written(self):
        self.assertEqual(self.to_full("decrypt", generated().archive, "--tar", *OPEN).status, 15)

    def test_a_tar_stream_that_nobody_reads_on(self):
        result = run("bash", "-c", '"$@" | head -c 1000 >/dev/null; exit ${PIPESTATUS[0]}', "bash", BINARY, "decrypt",
                     generated().archive, "--tar", *OPEN)
        self.check_ending(result)
        self.assertNotEqual(result.status, 0)


if __name__ == "__main__":
    unittest.main()
