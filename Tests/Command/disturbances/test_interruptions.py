"""What is not encrypted is not left behind by a command that was asked to stop."""
import signal
import subprocess
import unittest

from vault import BINARY, OPEN, CommandTest, each, environment, interrupted, slow


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
        status, message = interrupted(process, number, lambda: any(part.rglob("*.ndjson")),
                                      # The shell and the terminal both send it.
                                      again=number == signal.SIGHUP)
        self.assertEqual(status, 128 + number)
        self.assertIn("interrupted", message)
        self.assertEqual(self.names(), [])


if __name__ == "__main__":
    unittest.main()
