"""Exports that have a name, and what is needed to interrupt them."""
import json
import os

from vault import BINARY, ENCRYPT, OPEN, CommandTest, Gated, slow


class Sessions(CommandTest):
    def setUp(self):
        super().setUp()
        self.state = ["--state-dir", "state"]
        self.export = slow()

    def command(self, *options, name="mine", encrypt=False, source=None):
        return [BINARY, "export", source or self.export.xml, "-o", "x.hvault" if encrypt else "plain", "--session", name,
                *self.state, *(map(str, ENCRYPT) if encrypt else ()), *map(str, options)]

    def reach(self, at, *options, encrypt=False, source=None):
        """An export that waits where so many bytes are there."""
        part = self.folder / ("x.hvault.part" if encrypt else "plain.part")
        return Gated(self.command(*options, encrypt=encrypt, source=source), cwd=self.folder).reach(
            lambda: size(part) > at)

    def interrupt(self, number, at, *options, encrypt=False, source=None, again=False):
        """Sends an export a signal where so many bytes are there; its status and what it said."""
        return self.reach(at, *options, encrypt=encrypt, source=source).interrupt(number, again)

    def sessions(self):
        return json.loads(self.vault("session", "list", "--json", *self.state).stdout)["sessions"]

    def phase(self, name="mine"):
        return json.loads(self.vault("session", "list", name, "--json", *self.state).stdout)["phase"]

    def check_whole(self, encrypt=False):
        if encrypt:
            self.vault("verify", "x.hvault", "--source", self.export.xml, *OPEN)
            self.vault("decrypt", "x.hvault", "-o", "plain", "-q", *OPEN)
        else:
            self.vault("verify", "plain", "--source", self.export.xml)
        self.assert_same_folder("plain", slow().plain_document)


def size(path):
    """Bytes of a file, or of all files below a folder, as far as they are there."""
    if not path.is_dir():
        return path.stat().st_size if path.exists() else 0
    total = 0
    for folder, _, names in os.walk(path):
        for name in names:
            try:
                total += os.stat(os.path.join(folder, name)).st_size
            except FileNotFoundError:
                pass
    return total
