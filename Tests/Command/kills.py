"""Exports that are killed again and again, and what is there in the end."""
import json
import os
import shutil
from collections import Counter

from vault import BINARY, ENCRYPT, OPEN, Gated, run


# What is on the disk is the same until the next of these calls is made.
CALLS = ("write", "open", "fsync", "syncfs", "ftruncate", "rename", "link", "unlink", "mkdir", "rmdir")


class Killing:
    """Exports of one source in a folder of their own, killed and continued until they are done.

    They are killed before a call that changes something on the disk: any of them, with the same chance.
    What comes out is held against an export that nobody disturbed: byte for byte, but for the salts of an archive, which
    is decrypted for it.
    """

    def __init__(self, folder, source, chance):
        self.folder, self.source, self.chance = folder, source, chance
        self.kills, self.runs = 0, 0
        # Archives and folders whose last run went on with what those before had left.
        self.continued = Counter()
        self.export("undisturbed", encrypt=False)
        self.expected = self.digests("undisturbed")
        # How many calls an export makes that nobody kills, by whether it is encrypted.
        self.calls = {encrypt: self.count_calls(encrypt) for encrypt in (False, True)}

    def command(self, target, encrypt):
        return list(map(str, [BINARY, "export", self.source, "-o", target, "--json", "-q", "--state-dir", "state",
                              *(ENCRYPT if encrypt else ())]))

    def export(self, target, encrypt):
        result = run(*self.command(target, encrypt), cwd=self.folder)
        assert result.status == 0, f"{target}: {result.status}: {result.stderr}"
        return json.loads(result.stdout)

    def gated(self, target, encrypt):
        return Gated(self.command(target, encrypt), CALLS, cwd=self.folder)

    def count_calls(self, encrypt):
        export, count = self.gated("counted", encrypt), 0
        while export.gate.next():
            count += 1
        status, message = export.end()
        assert status == 0, message
        run("rm", "-r", self.folder / "counted")
        return count

    def digests(self, target):
        """The list of digests, once every file was found to be what it says."""
        check = run("sha256sum", "--quiet", "-c", "SHA256SUMS", cwd=self.folder / target)
        assert check.status == 0, check.stderr
        return (self.folder / target / "SHA256SUMS").read_bytes()

    def kill_once(self, target, encrypt):
        """Lets an export make some of its calls, unless it is done before."""
        export = self.gated(target, encrypt)
        if export.pass_calls(self.chance.randrange(int(self.calls[encrypt] * 1.1))):
            export.kill()
            self.kills += 1
        else:
            status, message = export.end()
            assert status == 0, message
            self.note(json.loads(export.output), encrypt)

    def note(self, report, encrypt):
        """That an export which was not killed went on with something, if it did."""
        self.continued["archive" if encrypt else "folder"] += report["resumedBytes"] > 0

    def one(self, encrypt, most):
        """An export that is killed up to so many times, and what is there afterwards."""
        target = "x.hvault" if encrypt else "plain"
        wanted = self.chance.randint(1, most)
        for _ in range(wanted):
            self.kill_once(target, encrypt)
            # Done, or killed behind the rename: then it is whole.
            if (self.folder / target).exists():
                break
        else:
            self.note(self.export(target, encrypt), encrypt)
        self.runs += 1
        verified = run(BINARY, "verify", target, "-q", "--source", self.source, *(OPEN if encrypt else ()),
                       cwd=self.folder)
        assert verified.status == 0, verified.stderr
        if encrypt:
            opened = run(BINARY, "decrypt", target, "-o", "out", "-q", *OPEN, cwd=self.folder)
            assert opened.status == 0, opened.stderr
        found = self.digests("out" if encrypt else target)
        assert found == self.expected, "not what an undisturbed export makes"
        for name in os.listdir(self.folder):
            assert not name.endswith(".part"), f"{name} was left behind"
        for name in "out", "plain":
            shutil.rmtree(self.folder / name, ignore_errors=True)
        (self.folder / "x.hvault").unlink(missing_ok=True)
