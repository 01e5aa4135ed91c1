"""Exports that are paused or killed, and continued."""
import json
import signal
import unittest

from named_exports import Sessions, size
from vault import BINARY, OPEN, Gated, each, run


class Pausing(Sessions):
    @each((signal.SIGINT, 130, False), (signal.SIGTERM, 143, False), (signal.SIGINT, 130, True),
          (signal.SIGTERM, 143, True))
    def test_a_signal_pauses_and_says_how_to_go_on(self, case):
        number, expected, encrypt = case
        status, message = self.interrupt(number, 3 << 20, encrypt=encrypt)
        self.assertEqual(status, expected)
        self.assertIn("healthvault session resume mine", message)
        self.assertIn("press Ctrl-C again to stop at once", message)
        self.assertEqual(self.phase(), "paused")
        self.assertEqual([session["id"] for session in self.sessions()], ["mine"])
        options = list(map(str, OPEN)) if encrypt else []
        result = self.vault("session", "resume", "mine", *self.state, *options, "--json")
        self.assertGreater(json.loads(result.stdout)["resumedBytes"], 1 << 20)
        self.assertEqual(self.phase(), "completed")
        self.check_whole(encrypt)

    def test_a_second_signal_stops_at_once(self):
        status, message = self.interrupt(signal.SIGINT, 3 << 20, again=True)
        self.assertEqual(status, 130)
        self.assertIn(self.phase(), {"interrupted", "paused"})
        self.vault("session", "resume", "mine", *self.state)
        self.check_whole()

    @each(False, True)
    def test_the_same_command_goes_on_too(self, encrypt):
        self.interrupt(signal.SIGKILL, 3 << 20, encrypt=encrypt)
        self.assertIn(self.phase(), {"interrupted", "completed"})
        result = run(*self.command(encrypt=encrypt), cwd=self.folder)
        self.assertEqual(result.status, 0, result.stderr)
        self.assertEqual(self.phase(), "completed")
        # Once more is no error, and does nothing.
        self.assertIn("already complete", run(*self.command(encrypt=encrypt), cwd=self.folder).stderr)
        self.check_whole(encrypt)

    # SECURITY.md: "While an export is unfinished, and afterwards if `--session` named it, there is a record of it"
    def test_an_export_without_a_name_has_one_while_it_is_unfinished(self):
        command = [BINARY, "export", self.export.xml, "-o", "plain", *self.state]
        self.assertEqual(run(*command, cwd=self.folder).status, 0)
        self.assertEqual(self.sessions(), [])
        Gated([*command[:3], "-o", "other", *self.state], cwd=self.folder).reach(
            lambda: size(self.folder / "other.part") > 3 << 20).kill()
        [session] = self.sessions()
        self.assertEqual((session["phase"], session["named"]), ("interrupted", False))
        self.assertTrue(session["unfinished"].endswith("other.part"))
        self.vault("session", "resume", session["id"], *self.state)
        self.assertEqual(self.sessions(), [])
        self.assert_same_folder("plain", "other")

    def test_it_is_the_same_wherever_it_is_continued_from(self):
        self.interrupt(signal.SIGKILL, 3 << 20)
        (self.folder / "elsewhere").mkdir()
        result = run(BINARY, "session", "resume", "mine", "--state-dir", "../state", cwd=self.folder / "elsewhere")
        self.assertEqual(result.status, 0, result.stderr)
        self.check_whole()


if __name__ == "__main__":
    unittest.main()
