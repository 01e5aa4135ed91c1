"""What is not encrypted is not left behind by a command that was asked to stop."""
import contextlib
import itertools
import signal
import unittest

from documents import RECORD
from open_exports import ProcessTest
from vault import BINARY, ENCRYPT, OPEN, PATIENCE, CommandTest, Gated, each, slow


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


def more(process):
    """Sends a process more than it reads before it looks whether it should stop."""
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write((RECORD * 30_000).encode())


class StandardInput(ProcessTest):
    """It cannot be read again, so nothing of it is kept to be continued."""

    def interrupted(self, options, then):
        process = self.start(*options)
        process.send_signal(signal.SIGINT)
        said = process.stderr.readline() + process.stderr.readline()
        self.assertIn(b"stopping", said)
        then(process)
        _, rest = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 130, rest)
        return rest.decode()

    @each(*itertools.product(((), ENCRYPT, ("--format", "csv")), (more, lambda process: None)))
    def test_what_is_written_goes_when_more_comes_or_nothing(self, case):
        options, then = case
        self.assertIn("nothing was kept", self.interrupted(options, then))
        self.assertEqual(self.names(), [])

    @each((), ENCRYPT, ("--format", "csv"))
    def test_what_remains_after_a_second_request_is_named(self, options):
        said = self.interrupted(options, lambda process: process.send_signal(signal.SIGINT))
        # It may have ended before.
        if "nothing was kept" in said:
            self.assertEqual(self.names(), [])
        else:
            self.assertIn("rm target.part" if options == ENCRYPT else "unencrypted files may remain in target.part", said)
            self.assertLessEqual(set(self.names()), {"target.part"})


if __name__ == "__main__":
    unittest.main()
