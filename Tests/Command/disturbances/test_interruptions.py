"""What is not encrypted is not left behind by a command that was asked to stop."""
import signal
import subprocess
import time
import unittest

from vault import BINARY, OPEN, CommandTest, each, environment, slow


class Interruptions(CommandTest):
    def setUp(self):
        super().setUp()
        self.archive = slow().archive

    @each(*[(command, number) for command in ("decrypt", "recover")
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)])
    def test_no_plain_folder_stays(self, case):
        command, number = case
        part = self.folder / "plain.part"
        process = subprocess.Popen([BINARY, command, self.archive, "-o", "plain", *map(str, OPEN)],
                                   cwd=self.folder, env=environment(), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while process.poll() is None:
            if part.exists() and any(part.rglob("*.ndjson")):
                process.send_signal(number)
                if number == signal.SIGHUP:  # the shell and the terminal both send it
                    process.send_signal(number)
                break
            time.sleep(0.001)
        message = process.communicate()[1].decode()
        if process.returncode == 0:
            self.skipTest("the command was faster than this test")
        self.assertEqual(process.returncode, 128 + number)
        self.assertIn("stopped before it was complete", message)
        self.assertEqual(self.names(), [])


if __name__ == "__main__":
    unittest.main()
