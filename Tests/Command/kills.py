"""Exports that are killed at random instants, again and again, and what is there in the end."""
import json
import os
import shutil
import signal
import subprocess
import time
from collections import Counter

from vault import BINARY, ENCRYPT, OPEN, environment, run


class Killing:
    """Exports of one source in a folder of their own, killed and continued until they are done.

    What comes out is held against an export that nobody disturbed: byte for byte, but for the salts of an archive, which
    is decrypted for it.
    """

    def __init__(self, folder, source, chance):
        self.folder, self.source, self.chance = folder, source, chance
        self.kills, self.runs = 0, 0
        # Archives and folders whose last run went on with what those before had left.
        self.continued = Counter()
        # How long an export takes that nobody kills, by whether it is encrypted; the last one says.
        self.seconds = {}
        self.export("undisturbed", encrypt=False)
        self.expected = self.digests("undisturbed")
        self.export("timed.hvault", encrypt=True)
        os.remove(folder / "timed.hvault")

    def command(self, target, encrypt):
        return list(map(str, [BINARY, "export", self.source, "-o", target, "--json", "-q", "--state-dir", "state",
                              *(ENCRYPT if encrypt else ())]))

    def export(self, target, encrypt):
        start = time.monotonic()
        result = run(*self.command(target, encrypt), cwd=self.folder)
        self.seconds[encrypt] = time.monotonic() - start
        assert result.status == 0, f"{target}: {result.status}: {result.stderr}"
        return json.loads(result.stdout)

    def digests(self, target):
        """The list of digests, once every file was found to be what it says."""
        check = run("sha256sum", "--quiet", "-c", "SHA256SUMS", cwd=self.folder / target)
        assert check.status == 0, check.stderr
        return (self.folder / target / "SHA256SUMS").read_bytes()

    def kill_once(self, target, encrypt):
        """Lets an export live for a while, unless it is done before."""
        process = subprocess.Popen(self.command(target, encrypt), cwd=self.folder, env=environment(),
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            report, message = process.communicate(timeout=self.chance.uniform(0, self.seconds[encrypt] * 1.1))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            self.kills += 1
        else:
            assert process.returncode == 0, message.decode()
            self.note(json.loads(report), encrypt)

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
