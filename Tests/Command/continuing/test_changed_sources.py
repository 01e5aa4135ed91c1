"""Exports whose source is another one, or none, when they are continued."""
import os
import shutil
import signal
import unittest

from named_exports import Sessions
from vault import OPEN, each


class Sources(Sessions):
    @each(False, True)
    def test_a_source_that_was_replaced_is_refused_or_started_over(self, encrypt):
        shutil.copy(self.export.xml, self.folder / "export.xml")
        self.interrupt(signal.SIGKILL, 3 << 20, encrypt=encrypt, source="export.xml")
        data = bytearray((self.folder / "export.xml").read_bytes())
        at = data.index(b' value="', len(data) // 2) + 8
        data[at] = ord("7") if data[at] != ord("7") else ord("8")
        data += b"\n"
        (self.folder / "export.xml").write_bytes(data)
        options = OPEN if encrypt else ()
        for arguments in ["session", "resume", "mine"], self.command(encrypt=encrypt, source="export.xml")[1:]:
            result = self.vault(*arguments, *self.state[:2 * (arguments[0] == "session")],
                                *(options if arguments[0] == "session" else ()), status=1)
            self.assertIn("changed", result.stderr)
        # Under no name, or told to, it starts over.
        self.vault(*self.command("--restart", encrypt=encrypt, source="export.xml")[1:])
        self.vault("verify", "x.hvault" if encrypt else "plain", "--source", "export.xml", *options)

    def test_a_source_that_vanishes_is_asked_for(self):
        shutil.copy(self.export.xml, self.folder / "export.xml")
        self.interrupt(signal.SIGKILL, 3 << 20, source="export.xml")
        os.rename(self.folder / "export.xml", self.folder / "away.xml")
        result = self.vault("session", "resume", "mine", *self.state, status=10)
        self.assertIn("export.xml", result.stderr)
        os.rename(self.folder / "away.xml", self.folder / "export.xml")
        self.vault("session", "resume", "mine", *self.state)
        self.check_whole()

    @each(False, True)
    def test_a_source_that_changes_while_it_is_read(self, encrypt):
        shutil.copy(self.export.xml, self.folder / "export.xml")
        export = self.reach(1 << 16, encrypt=encrypt, source="export.xml")
        with open(self.folder / "export.xml", "r+b") as file:
            file.seek(os.path.getsize(self.folder / "export.xml") * 3 // 4)
            at = file.tell() + file.read(100_000).index(b' value="') + 8
            file.seek(at)
            digit = file.read(1)
            file.seek(at)
            file.write(b"7" if digit != b"7" else b"8")
        _, message = export.end()
        self.assertIn("changed", message)
        self.assertFalse((self.folder / ("x.hvault" if encrypt else "plain")).exists())

    @each(False, True)
    def test_a_part_of_the_samples_does_not_replace_what_an_export_of_all_keeps(self, encrypt):
        self.interrupt(signal.SIGKILL, 3 << 20, encrypt=encrypt)
        command = [part for part in self.command("--types", "heartRate", encrypt=encrypt)[1:] if part not in ("--session", "mine")]
        result = self.vault(*command, status=16)
        self.assertIn("healthvault session resume mine", result.stderr)
        self.vault("session", "resume", "mine", *self.state, *(OPEN if encrypt else ()))
        self.check_whole(encrypt)

    @each(False, True)
    def test_an_export_that_runs_is_not_called_interrupted(self, encrypt):
        command = [part for part in self.command("--types", "heartRate", encrypt=encrypt)[1:] if part not in ("--session", "mine")]
        export = self.reach(3 << 20, encrypt=encrypt)
        try:
            self.assertNotIn("interrupted", self.vault(*command, status=11).stderr)
        finally:
            export.kill()

    def test_it_does_if_it_is_told_to(self):
        self.interrupt(signal.SIGKILL, 3 << 20)
        command = [part for part in self.command("--types", "heartRate", "--restart")[1:] if part not in ("--session", "mine")]
        self.vault(*command)
        self.vault("verify", "plain")


if __name__ == "__main__":
    unittest.main()
