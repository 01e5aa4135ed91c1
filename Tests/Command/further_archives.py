"""An encrypted export in which two files failed, and its session."""
import functools
import json
import os
import random
import shutil
import tempfile
from pathlib import Path

from documents import export_zip
from vault import BINARY, CACHE, ENCRYPT, ITERATIONS, OPEN, CommandTest, run
import write_container  # found by the line above

STATE = ("--state-dir", "state")
NAMES = ("a.gpx", "b.gpx", "c.gpx")
# The first is large, so that it would be seen if it were written twice.
SIDES = {"large.bin": random.Random(1).randbytes(3 << 20)} | {
    name: b"<gpx>" + random.Random(name).randbytes(40_000) for name in NAMES}
NEW = (*ITERATIONS, *OPEN)
# The entries that every archive has.
ENDS = [("session.json", b"{}"), ("manifest.json.zst", write_container.frame(b"{}"))]


def damaged(data, *names):
    """A zip in which the content of some members is not what their checksum says."""
    data = bytearray(data)
    directory = data.index(b"PK\1\2")
    for name in names:
        at = data.rindex(name.encode(), 0, directory) + 1000
        data[at:at + 8] = bytes(8)
    return bytes(data)


@functools.cache
def sources():
    """A sound source, its plain export, and an encrypted one of it with two damaged files, with its session."""
    place = Path(tempfile.mkdtemp(dir=CACHE))
    good = export_zip(place / "good.zip", SIDES).read_bytes()
    assert run(BINARY, "export", "good.zip", "-o", "plain", cwd=place).status == 0
    (place / "export.zip").write_bytes(damaged(good, "a.gpx", "c.gpx"))
    made = run(BINARY, "export", "export.zip", "-o", "x.hvault", "--session", "mine", *ENCRYPT, *STATE, cwd=place)
    assert made.status == 3, made.stderr
    return place


class Further(CommandTest):
    """Each test has an archive in which two files failed, and its session."""

    def setUp(self):
        super().setUp()
        self.good = (sources() / "good.zip").read_bytes()
        self.fill()

    def fill(self):
        """A copy of the export in the test's folder; the record of the session names that folder."""
        old, new = os.fspath(sources()), os.fspath(self.folder.resolve())
        for name in "good.zip", "export.zip", "x.hvault":
            shutil.copy(sources() / name, self.folder / name)
        shutil.copytree(sources() / "plain", self.folder / "plain")
        shutil.copytree(sources() / "state", self.folder / "state")
        for path in (self.folder / "state").rglob("*.export"):
            path.write_text(path.read_text().replace(old, new))

    def damage(self, *names):
        (self.folder / "export.zip").write_bytes(damaged(self.good, *names))

    def retry(self, *options, status=0, **more):
        return self.vault("session", "resume", "mine", *NEW, *STATE, *options, status=status, **more)

    def shown(self, *options):
        return json.loads(self.vault("session", "list", "mine", "--json", *STATE, *options).stdout)

    def archives(self):
        return [name for name in self.names() if ".hvault" in name]

    def check_whole(self, archive="x.2.hvault"):
        """The archive and those that it continues are what an undisturbed export is, for both readers."""
        shutil.rmtree(self.folder / "back", ignore_errors=True)
        self.vault("decrypt", archive, "-o", "back", "-q", *OPEN)
        self.assert_same_folder("back", "plain")
        self.vault("verify", archive, "--source", "good.zip", *OPEN)
