"""What the tests of the C interface and of the Python package share: both of them, built once, and a generated archive.

The tests run with the system's Python and no other package; HEALTHVAULT_PROGRAMS names the folder of the products of the tests'
build, which is linked once more for the library. `Stream` reads Arrow streams without the package's own code.
"""
import atexit
import datetime
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROGRAMS = Path(os.environ.get("HEALTHVAULT_PROGRAMS") or ROOT / ".build" / "tests" / "release").resolve()
PASSPHRASE = "correct horse battery staples"
FOLDER = Path(tempfile.mkdtemp(prefix="healthvault-package-"))
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)


def run(*command, status=0, **more):
    done = subprocess.run([os.fspath(part) for part in command], capture_output=True, text=True, **more)
    assert done.returncode == status, f"{command}: {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done.stdout


def command(*arguments, status=0):
    return run(PROGRAMS / "healthvault-test-main", *arguments, status=status)


@lru_cache(maxsize=None)
def library():
    """The folder with libhealthvault.so and healthvault.h."""
    folder = FOLDER / "library"
    run(ROOT / "Sources" / "Development" / "Packaging" / "library.sh", PROGRAMS, folder)
    return folder


@lru_cache(maxsize=None)
def package():
    """The package as its wheel has it."""
    wheel = run(sys.executable, ROOT / "Sources" / "Readers" / "PythonPackage" / "wheel.py", library(), FOLDER).strip()
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(FOLDER / "package")
    sys.path.insert(0, str(FOLDER / "package"))
    import healthvault
    return healthvault


class Study:
    """An archive with its passphrase, and a key ring with its key; of a generated export, or of a document."""

    def __init__(self, name, *options, document=None):
        self.folder = FOLDER / name
        self.folder.mkdir()
        self.secret = self.folder / "passphrase"
        self.secret.write_text(PASSPHRASE)
        self.secret.chmod(0o600)
        self.archives = self.folder / "archives"
        self.archives.mkdir()
        self.path, self.ring, self.key = (
            self.archives / "health.hvault", self.folder / "study.keyring", self.folder / "keys" / "study.key")
        self.key.parent.mkdir()
        export = self.folder / "export"
        if document:
            export = export.with_suffix(".xml")
            export.write_text(document)
        else:
            run(PROGRAMS / "healthvault-generate", "-o", export, *options)
        command("export", export, "--encrypt", "-o", self.path, "--iterations", "100000", "--passphrase-file", self.secret,
                "--quiet")
        command("keyring", "make", self.archives, "-o", self.ring, "--key-file", self.key, "--passphrase-file", self.secret)

    def ask(self, action, *arguments):
        """What the command answers as JSON: of `query`, a list of its lines, none if nothing is found."""
        asked = [PROGRAMS / "healthvault-test-main", *action.split(), self.path, *arguments, "--json", "--keyring", self.ring,
                 "--key-file", self.key]
        done = subprocess.run(asked, capture_output=True, text=True)
        if action == "query" and done.returncode == 10:
            return []
        assert done.returncode == 0, f"{asked}: {done.stderr}"
        text = done.stdout
        return [json.loads(line) for line in text.splitlines()] if action == "query" else json.loads(text)

    def open(self):
        return package().open(self.path, keyring=self.ring, key_file=self.key)


@lru_cache(maxsize=None)
def study():
    return Study("usual", "--size", "2MB", "--shape", "watchAndPhone", "--years", "2")


@lru_cache(maxsize=None)
def samples(type):
    """The samples of a type as the command lists them."""
    return study().ask("query", type)


def instant(text):
    """The time of a text in ISO form, in UTC."""
    return text and datetime.datetime.fromisoformat(text).astimezone(datetime.timezone.utc)
