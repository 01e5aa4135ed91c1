"""Two processes do not get into each other's way."""
import signal
import unittest

from documents import END
from open_exports import ProcessTest
from vault import ENCRYPT, OPEN, PATIENCE, each


class TwoProcesses(ProcessTest):
    def test_an_archive_that_is_being_written_is_in_use(self):
        process = self.start(*ENCRYPT)
        self.second(*ENCRYPT)
        self.second(*ENCRYPT, "--overwrite")
        self.finish(process)
        self.assertEqual(self.names(), ["export.xml", "target"])
        self.vault("verify", "target", "--source", "export.xml", *OPEN)

    def test_a_folder_that_is_being_written_is_in_use(self):
        process = self.start()
        self.second()
        self.second("--overwrite")
        self.finish(process)
        self.vault("verify", "target", "--source", "export.xml")

    def test_an_archive_and_a_folder_of_one_name(self):
        process = self.start()
        self.second(*ENCRYPT, status=(11, 16))
        self.finish(process)
        self.vault("verify", "target")
        (self.folder / "target").rename(self.folder / "other")
        process = self.start(*ENCRYPT)
        self.second(status=(11, 16))
        self.finish(process)
        self.vault("verify", "target", *OPEN)

    def test_a_target_that_comes_into_being_meanwhile_is_kept(self):
        for options in (), ENCRYPT:
            process = self.start(*options)
            (self.folder / "target").write_text("dear diary")
            process.stdin.write(END.encode())
            process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, 16)
            self.assertEqual((self.folder / "target").read_text(), "dear diary")
            self.assertEqual([name for name in self.names() if name.endswith(".part")], [])
            (self.folder / "target").unlink()


class Interrupted(ProcessTest):
    """What a killed process leaves behind hinders nobody."""

    def kill(self, *options, number=signal.SIGKILL):
        process = self.start(*options)
        process.send_signal(number)
        if number != signal.SIGKILL:
            # Its input ends only after it knows of the request, as where one process after the other gets it.
            self.assertIn(b"stopping", process.stderr.readline() + process.stderr.readline())
        process.communicate(timeout=PATIENCE)
        self.assertIn(process.returncode, (-number, 128 + number))
        self.assertLessEqual({name for name in self.names() if name.startswith("target")}, {"target.part"})

    def test_an_archive_is_written_anew(self):
        self.kill(*ENCRYPT)
        self.second(*ENCRYPT, status=0)
        self.vault("verify", "target", "--source", "export.xml", *OPEN)
        self.assertEqual(self.names(), ["export.xml", "target"])

    @each(signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    def test_a_folder_is_written_anew(self, number):
        self.kill(number=number)
        self.second(status=0)
        self.vault("verify", "target", "--source", "export.xml")
        self.assertEqual(self.names(), ["export.xml", "target"])

    # SECURITY.md: "of the other commands only `session list` reads it"
    def test_what_is_left_of_an_archive_opens_for_nobody(self):
        self.kill(*ENCRYPT)
        self.vault("decrypt", "target.part", "-o", "out", *OPEN, status=(13, 14))
        self.vault("verify", "target.part", *OPEN, status=(13, 14))
        self.assertEqual(self.names(), ["target.part"])


if __name__ == "__main__":
    unittest.main()
