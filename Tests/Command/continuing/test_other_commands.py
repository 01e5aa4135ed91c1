"""What an interrupted export keeps, where other commands would write under its name."""
import signal
import unittest

from named_exports import Sessions, size
from vault import OPEN, each, environment, generated


class OtherCommands(Sessions):
    def setUp(self):
        super().setUp()
        # These commands take no --state-dir.
        self.state = ["--state-dir", "states/healthvault"]

    def other(self, command, output, status):
        return self.vault(command[0], generated().archive, *command[1:], "-o", output, *OPEN, status=status,
                          env=environment(XDG_STATE_HOME=str(self.folder / "states")))

    def refuse(self, output, *commands, encrypt=False):
        """What an export keeps stays as it is while these commands are refused, and is whole once it is resumed."""
        self.interrupt(signal.SIGKILL, 3 << 20, encrypt=encrypt)
        part = self.folder / f"{output}.part"
        kept = size(part)
        for command in commands:
            result = self.other(command, output, 16)
            self.assertIn("healthvault session resume mine", result.stderr, command)
            self.assertIn("healthvault session delete mine", result.stderr, command)
            self.assertNotIn("--restart", result.stderr, command)
            self.assertEqual(size(part), kept, command)
        self.vault("session", "resume", "mine", *self.state, *(OPEN if encrypt else ()))
        self.check_whole(encrypt)

    def test_folders(self):
        self.refuse("plain", ("decrypt",), ("decrypt", "--entry", "manifest.json"), ("decrypt", "--format", "csv"),
                    ("recover",))

    def test_an_archive(self):
        self.refuse("x.hvault", ("compact",), encrypt=True)

    def test_one_that_was_deleted_is_in_nobodys_way(self):
        self.interrupt(signal.SIGKILL, 3 << 20)
        self.other(("decrypt",), "plain", 16)
        self.vault("session", "delete", "mine", *self.state)
        self.other(("decrypt",), "plain", 0)
        self.vault("verify", "plain")

    @each((("decrypt",), "plain"), (("compact",), "x.hvault"))
    def test_one_that_runs_is_not_called_interrupted(self, case):
        command, output = case
        export = self.reach(3 << 20, encrypt=output == "x.hvault")
        try:
            self.assertNotIn("interrupted", self.other(command, output, 11).stderr)
        finally:
            export.kill()


if __name__ == "__main__":
    unittest.main()
