"""What the tests with the official client share: the programs, and a generated archive."""
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAMS = Path(sys.argv.pop()).resolve() if len(sys.argv) > 1 else Path(".build/release").resolve()
COMMAND = PROGRAMS / "healthvault"


def vault(*arguments, **more):
    return subprocess.run([COMMAND, *map(str, arguments)], check=True, capture_output=True, **more).stdout


class Archive:
    """A generated archive in a folder of its own."""

    def __init__(self, size="2MB", *options):
        self.kept = tempfile.TemporaryDirectory()
        self.folder = Path(self.kept.name)
        self.secret = self.folder / "passphrase"
        self.secret.write_text("correct horse battery staples\n")
        subprocess.run([PROGRAMS / "healthvault-generate", "--output", self.folder / "export.zip", "--size", size, *options],
                       check=True, capture_output=True)
        self.path = self.folder / "health.hvault"
        vault("encrypt", self.folder / "export.zip", "-o", self.path, "--iterations", "600000",
              "--passphrase-file", self.secret)

    def told(self, *command):
        return vault(*command, "--passphrase-file", self.secret)
