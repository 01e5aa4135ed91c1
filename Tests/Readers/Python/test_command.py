"""What decrypt.py says to those who run it: heirs, on whatever computer they have."""
import ast
import contextlib
import io
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import write_container
import decrypt  # write_container says where it lies

SCRIPT = Path(decrypt.__file__)
SECURITY = SCRIPT.parents[3] / "SECURITY.md"
PASSPHRASE = b"correct horse battery"
MEMBERS = [("session.json", b"{}"), ("a", b"a" * 100), ("b", os.urandom(60_000)),
           ("manifest.json.zst", write_container.frame(b'{"manifest":1}\n'))]
# Python 3.14 has this module; here it stands on the package.
ZSTD = """
import zstandard
ZstdError = zstandard.ZstdError
def ZstdDecompressor():
    return zstandard.ZstdDecompressor().decompressobj()
class get_frame_info:
    def __init__(self, start):
        size = zstandard.frame_content_size(start)
        self.decompressed_size = None if size < 0 else size
print("Python's own", file=__import__("sys").stderr)
"""


def interpreters():
    """Other Pythons on this machine, with their versions."""
    roots = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    found = [*roots.glob("3.*/bin/python3"), *(shutil.which(f"python3.{minor}") for minor in range(6, 20))]
    for path in {os.path.realpath(path): path for path in found if path}.values():
        version = subprocess.run([path, "-c", "import sys; print(*sys.version_info[:2])"], capture_output=True, text=True)
        if version.returncode == 0:
            yield path, tuple(map(int, version.stdout.split()))


class Command(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.data = write_container.build(MEMBERS, decrypt.prepare(PASSPHRASE), 100_000, 1)
        (self.folder / "x.hvault").write_bytes(self.data)

    def run_it(self, *arguments, python=(sys.executable,), given=PASSPHRASE + b"\n", status=0, **environment):
        result = subprocess.run([*python, SCRIPT, *arguments], cwd=self.folder, input=given, capture_output=True,
                                env=os.environ | environment)
        self.assertEqual(result.returncode, status, result.stderr)
        return result.stdout.decode(), result.stderr.decode()

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def test_python_3_9_understands_it_and_older_ones_say_what_they_need(self):
        for minor in 9, 7:  # what 3.7 cannot parse could not even be refused in words
            ast.parse(SCRIPT.read_text("utf-8"), feature_version=(3, minor))
        for path, version in interpreters():
            with self.subTest(path):
                if version < (3, 9):
                    said = self.run_it("x.hvault", "out", python=(path,), status=1)[1]
                    self.assertIn("needs Python 3.9 or later; this is {}.{}".format(*version), said)
                else:
                    self.assertIn("--passphrase-file", self.run_it("--help", python=(path,))[0])
                    said = self.run_it(SECURITY, "out", python=(path, "-S"), status=1)[1]
                    self.assertEqual(said, "decrypt.py: This is not a .hvault archive (notContainer).\n")

    def test_missing_packages_are_named_before_anything_is_asked(self):
        """-S hides all packages, and what needs none works without."""
        _, said = self.run_it("x.hvault", "out", python=(sys.executable, "-S"), given=b"", status=1)
        for part in ("lacks the packages cryptography", "apt install python3-cryptography", "python3 -m venv reader",
                     "reader/bin/pip install cryptography"):
            self.assertIn(part, said)
        self.assertNotIn("Traceback", said)
        self.assertEqual(self.names(), ["x.hvault"])

    def test_zstandard_is_not_needed_where_python_has_it(self):
        (self.folder / "shim/compression").mkdir(parents=True)
        (self.folder / "shim/compression/__init__.py").touch()
        (self.folder / "shim/compression/zstd.py").write_text(ZSTD)
        said = self.run_it("x.hvault", "out", PYTHONPATH=str(self.folder / "shim"))[1]
        self.assertEqual(said, "Python's own\n")
        self.assertEqual((self.folder / "out/b").read_bytes(), MEMBERS[2][1])

    def test_what_was_left_unfinished_is_removed_or_named(self):
        # The last segment has footer and index; these bytes are of "b".
        at = 4096 + 16_472 * 2 + 5_000
        (self.folder / "y.hvault").write_bytes(self.data[:at] + bytes([self.data[at] ^ 1]) + self.data[at + 1:])
        said = self.run_it("y.hvault", "out", status=1)[1]
        self.assertRegex(said, r"^decrypt.py: The archive is damaged, or its end is cut off \(chunkDamaged\(2,0\)\)\.\n"
                               r"out.part has what had been checked until then")
        self.assertEqual((self.folder / "out.part/a").read_bytes(), MEMBERS[1][1])
        said = self.run_it("x.hvault", "out", given=b"", status=1)[1]
        self.assertIn("out.part, which an earlier try left", said)
        self.assertTrue((self.folder / "out.part/a").exists())
        for name, said in (("first", "Interrupted."), ("none", "No space left on device.")):
            error = KeyboardInterrupt() if name == "first" else OSError(28, "No space left on device")
            with mock.patch.object(sys, "argv", ["decrypt.py", str(self.folder / "x.hvault"), str(self.folder / name)]), \
                    mock.patch.object(decrypt, "members_of_all", side_effect=error), \
                    mock.patch.object(decrypt, "read_passphrase", return_value=PASSPHRASE), \
                    mock.patch.object(os, "umask"), self.assertRaises(SystemExit) as caught:
                decrypt.main()
            self.assertEqual(caught.exception.code, f"decrypt.py: {said}")
        self.assertEqual(self.names(), ["out.part", "x.hvault", "y.hvault"])

    def test_every_failure_is_a_sentence(self):
        words = re.findall(r"^\| (`.*?`) \| .* \| 1[0-9] \|$", SECURITY.read_text("utf-8"), re.MULTILINE)
        for word in re.findall("`([a-zA-Z]+)`", " ".join(words)):
            if word in SCRIPT.read_text("utf-8"):
                self.assertIn(word, decrypt.SENTENCES)
        for arguments, said in (
                (("nowhere.hvault", "out"), "nowhere.hvault: No such file or directory."),
                (("x.hvault", "x.hvault"), "Something with this name exists already, and is not replaced"),
                ((SECURITY, "out"), "This is not a .hvault archive")):
            self.assertIn(f"decrypt.py: {said}", self.run_it(*arguments, given=b"", status=1)[1])

    def split(self, *ends):
        for path in self.folder.glob("split.hvault.[0-9][0-9][0-9]"):
            path.unlink()
        for number, (start, end) in enumerate(zip((0, *ends), (*ends, len(self.data))), start=1):
            (self.folder / f"split.hvault.{number:03}").write_bytes(self.data[start:end])

    def test_a_split_archive_is_read_as_one(self):
        for number, ends in enumerate([(30_000, 60_000), (30_000, 30_000, 80_000), (1_000, 40_000), (50_000,),
                                       (4_096, 60_000, len(self.data))]):
            self.split(*ends)
            for path in "split.hvault", "split.hvault.001":
                out = f"{path} {number}"
                self.assertIn("Everything in the archive was read", self.run_it(path, out)[0])
                self.assertEqual((self.folder / out / "b").read_bytes(), MEMBERS[2][1])

    # SECURITY.md: "A volume that is missing before another one is an error, which names all that are missing"
    # SECURITY.md: "a reader says then which volume may be missing"
    def test_a_volume_that_is_missing_is_named(self):
        self.split(20_000, 40_000, 60_000)
        names = [f"split.hvault.{number:03}" for number in range(1, 5)]
        for missing, said in (
                (names[:1], r"The archive is split .*\(volumeMissing: split.hvault.001\)\."),
                (names[1:3], r"The archive is split .*\(volumeMissing: split.hvault.002, split.hvault.003\)\."),
                (names[3:], r"The end of .*\(truncated: split.hvault.004 and any after it may be missing\)\."),
                (names[1:], r"The end of .*\(truncated: split.hvault.002 and any after it may be missing\)\.")):
            for name in missing:
                (self.folder / name).rename(self.folder / f"away {name}")
            self.assertRegex(self.run_it("split.hvault", "out", status=1)[1], said)
            for name in missing:
                (self.folder / f"away {name}").rename(self.folder / name)
        for name in names[1:]:
            self.assertEqual(self.run_it(name, "out", given=b"", status=1)[1], "decrypt.py: This is a part of an archive that "
                             "was split. Give the first one (laterVolume: split.hvault.001).\n")

    def test_progress(self):
        out, said = self.run_it("--progress", "x.hvault", "out")
        self.assertRegex(said, r"^Deriving the key from the passphrase: 100,000 iterations for 1 key slot, at most "
                               r"(less than a second|about [0-9]+ seconds?) \.\.\.\n$")
        self.assertEqual(out, "Everything in the archive was read and checked: out has 3 files, and SHA256SUMS.\n")
        clock, progress = iter([0, 30, 35, 41, 100, 200]), decrypt.Progress()
        progress.show(terminal=False)
        with mock.patch.object(decrypt.time, "monotonic", lambda: next(clock) + 1), \
                contextlib.redirect_stderr(io.StringIO()) as lines:
            for done in 1, 25, 26, 50, 98, 100:
                progress.read(done, 100)
        self.assertEqual(lines.getvalue(), "".join(f"Reading and checking: {said} left\n" for said in (
            "25 %, about 2 minutes", "50 %, about 41 seconds", "98 %, about 2 seconds")))

    def test_a_terminal_asks_again(self):
        child, terminal = pty.fork()
        if not child:
            os.execv(sys.executable, [sys.executable, str(SCRIPT), str(self.folder / "x.hvault"), str(self.folder / "out")])
        shown = b""
        for text in b"wrong one\n", PASSPHRASE + b"\n":
            shown = self.until(terminal, shown, b"Passphrase: ")
            os.write(terminal, text)
            shown = shown.replace(b"Passphrase: ", b"asked ")
        with contextlib.suppress(OSError):
            while piece := os.read(terminal, 1024):
                shown += piece
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0, shown)
        self.assertIn(b"The passphrase is wrong (wrongPassphrase).", shown)
        self.assertNotIn(PASSPHRASE, shown)

    def until(self, terminal, shown, text):
        while text not in shown:
            shown += os.read(terminal, 1024)
        return shown


if __name__ == "__main__":
    unittest.main()
