"""Archives and plain folders that are validly made, by someone who knows the passphrase and means harm."""
import functools
import hashlib
import itertools
import json
import os
import sys
from typing import NamedTuple

import zstandard
from vault import BINARY, CACHE, CommandTest, environment, run
import write_container  # found by the line above

PASSPHRASE = b"a passphrase of someone else"
SECRET = CACHE / "crafted"
SECRET.write_bytes(PASSPHRASE)
OPEN = ("--passphrase-file", SECRET)
EMPTY = {"manifest": 1, "batching": "auto", "batches": [], "files": [], "elements": {}, "types": {}, "warnings": {}}
# The digest in the name is that of the type, which is none of Apple's.
BATCH = "records/X-4b68ab38/undated.json.zst"
ROW = {"format": "healthvault batch 1", "element": "Record", "type": "X", "span": "undated", "part": 1, "count": 1,
       "contexts": [[["type", "X"]]], "contents": [], "position": [1], "context": [0], "content": [0], "columns": {}}
# A manifest that lists the batch.
LISTED = EMPTY | {"batches": [
    {"element": "Record", "type": "X", "span": "undated", "parts": 1, "count": 1, "identity": "0" * 32}]}
MIB = 1 << 20


def frame(content, level=3):
    """The content as entries hold it: a zstd frame that states its length. An object becomes JSON."""
    data = content if isinstance(content, bytes) else json.dumps(content, separators=(",", ":")).encode()
    return zstandard.ZstdCompressor(level=level, write_content_size=True).compress(data)


def rows(count, content=0, **more):
    """A stored batch of so many rows of the first context, as JSON text; the lists are made as text, for they are long."""
    batch = {name: value for name, value in (ROW | {"count": count} | more).items()
             if name not in ("position", "context", "content")}
    text = json.dumps(batch, separators=(",", ":")).encode()[:-1]
    for name, item in (b"position", b"1"), (b"context", b"0"), (b"content", b"%d" % content):
        text += b',"' + name + b'":[' + (item + b",") * (count - 1) + item + b"]"
    return text + b"}"


# One for all archives, so that their key is derived once.
SALT = bytes(range(32))
write_container.pbkdf2 = functools.cache(write_container.pbkdf2)


def chance():
    """A source of random bytes, of which the third that are drawn are the salt of the key slot."""
    draws = itertools.count()
    return lambda size: SALT if next(draws) == 2 else os.urandom(size)


def archive(path, *members, manifest=EMPTY, session=b"{}", **more):
    """Writes an archive of these entries, between the session and the manifest that all have."""
    write_container.write(path, [("session.json", session), *members, ("manifest.json.zst", frame(manifest))],
                          PASSPHRASE, 100_000, rng=chance(), **more)


def plain_folder(path, files, manifest=EMPTY):
    """Writes a plain folder: these files, the manifest and the list of digests."""
    text = manifest if isinstance(manifest, bytes) else json.dumps(manifest).encode()
    contents = files | {"manifest.json": text}
    for name, data in contents.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(data)
    (path / "SHA256SUMS").write_bytes(b"".join(
        hashlib.sha256(data).hexdigest().encode() + b"  " + os.fsencode(name) + b"\n"
        for name, data in sorted(contents.items(), key=lambda item: os.fsencode(item[0]))))


# Measuring ------------------------------------------------------------------------------------------------------------

# The peak of a child is at least what its parent had when it started the child, so a small parent starts it. Limits on
# memory, processor time and the size of a file keep what goes wrong from the machine.
MEASURE = """
import os, resource, sys
memory, seconds, size = map(int, sys.argv[1:4])
for kind, limit in (resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds), (resource.RLIMIT_FSIZE, size):
    resource.setrlimit(kind, (limit, limit))
child = os.posix_spawn(sys.argv[4], sys.argv[4:], os.environ)
_, status, usage = os.wait4(child, 0)
print()
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime)
"""


class Cost(NamedTuple):
    """How a command ended, and what it took: bytes of resident memory and seconds of processor time."""

    status: int
    stdout: bytes
    stderr: str
    memory: int
    seconds: float


class BoundedTest(CommandTest):
    """A test that measures what a command takes, and ends one that takes far too much."""

    # No case may take more, whatever its input.
    MEMORY = 256 * MIB
    # The test ends a command that takes these. HEALTHVAULT_UNBOUNDED, for measuring, lifts them.
    ALLOWED = (8 << 30, 60, 1 << 30) if "HEALTHVAULT_UNBOUNDED" not in os.environ else (20 << 30, 600, 40 << 30)

    def cost(self, *arguments):
        """Runs the command; it may end in any way."""
        result = run(sys.executable, "-I", "-S", "-c", MEASURE, *map(str, self.ALLOWED), BINARY, *arguments,
                     cwd=self.folder, timeout=900, env=environment())
        *stdout, last = result.stdout.splitlines()
        status, memory, seconds = last.split()
        cost = Cost(int(status), b"\n".join(stdout), result.stderr, int(memory), float(seconds))
        if "HEALTHVAULT_COSTS" in os.environ:
            with open(os.environ["HEALTHVAULT_COSTS"], "a") as file:
                words = " ".join(str(part) for part in arguments if str(part) not in map(str, OPEN))
                file.write(f"{self.id()} | {words} | {cost.status} | {cost.memory / MIB:.0f} | {cost.seconds:.1f} | "
                           f"{cost.stderr.strip().splitlines()[-1:]}\n")
        return cost

    def peak(self, *arguments):
        """The most memory that a command takes, in mebibytes; what it prints is in `printed`."""
        cost = self.cost(*arguments)
        self.check_ending(cost, arguments)
        self.assertEqual(cost.status, 0, cost.stderr)
        self.printed = cost.stdout.decode()
        return cost.memory / MIB

    def bounded(self, *arguments, status, seconds=10):
        """Runs the command, which must end with the status (or one of these) within the bounds."""
        cost = self.cost(*arguments)
        told = f"{arguments}: status {cost.status}, {cost.memory / MIB:.0f} MiB, {cost.seconds:.1f} s\n{cost.stderr[:2000]}"
        self.check_ending(cost, told)
        self.assertIn(cost.status, status if isinstance(status, tuple) else (status,), told)
        self.assertLessEqual(cost.memory, self.MEMORY, told)
        self.assertLessEqual(cost.seconds, seconds, told)
        return cost
