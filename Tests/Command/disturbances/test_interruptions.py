"""What is not encrypted is not left behind by a command that was asked to stop."""
import signal
import unittest

from vault import BINARY, OPEN, CommandTest, Gated, each, slow


class Interruptions(CommandTest):
    def setUp(self):
        super().setUp()
        self.archive = slow().archive

    @each(*[(command, number) for command in ("decrypt", "recover")
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)])
    def test_no_plain_folder_stays(self, case):
        command, number = case
        part = self.folder / "plain.part"
        process = Gated([BINARY, command, self.archive, "-o", "plain", *OPEN], cwd=self.folder)
        # The shell and the terminal both send SIGHUP.
        status, message = process.reach(lambda: any(part.rglob("*.ndjson"))).interrupt(
            number, again=number == signal.SIGHUP)
        self.assertEqual(status, 128 + number)
        self.assertIn("interrupted", message)
        self.assertEqual(self.names(), [])


if __name__ == "__main__":
    unittest.main()
