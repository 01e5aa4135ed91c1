"""What the tests of the commands share: the two programs, ways to run them, and generated exports.

The tests lie in a folder for each command or concern. In the order of a user's day these are sources, exporting, continuing,
sessions, retrying, inspecting, answering, decrypting, verifying, recovering and passphrases; command_line, disturbances,
hostile_archives and secrecy are about all commands. What several folders share lies beside them. From the top of the
repository all of them, a file, a class or a single test are run so:

    /usr/bin/python3 Tests/Command/workers.py
    PYTHONPATH=Tests/Command /usr/bin/python3 -m unittest exporting.test_targets
    PYTHONPATH=Tests/Command /usr/bin/python3 -m unittest exporting.test_targets.Places.test_inside_the_source

HEALTHVAULT_BINARY and HEALTHVAULT_GENERATE name the programs; without them those of `.build/release` are taken. What is
made for several tests is made once, in a folder that goes away with the process.
"""
import atexit
import base64
import copy
import functools
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
READER = ROOT / "Sources" / "Readers" / "Python" / "decrypt.py"
sys.path[:0] = [str(READER.parent), str(ROOT / "Tests" / "Readers" / "Python")]
import count_elements  # noqa: E402  (found by the line above)
import odd_zips  # noqa: E402


def program(variable, name):
    return os.path.abspath(os.environ.get(variable) or ROOT / ".build" / "release" / name)


BINARY = program("HEALTHVAULT_BINARY", "healthvault")
GENERATE = program("HEALTHVAULT_GENERATE", "healthvault-generate")


def memory_folder():
    """Where thousands of small files cost little; None where it is missing or small, as in many containers."""
    place = "/dev/shm"
    if "TMPDIR" in os.environ or not os.access(place, os.W_OK):
        return None
    room = os.statvfs(place)
    return place if room.f_bavail * room.f_frsize > 3 << 30 else None


tempfile.tempdir = memory_folder()
CACHE = Path(tempfile.mkdtemp(prefix="healthvault-tests-"))
atexit.register(shutil.rmtree, CACHE, ignore_errors=True)

PASSPHRASE = "correct horse battery staple"
SECRET = CACHE / "passphrase"
SECRET.write_text(PASSPHRASE)
OPEN = ("--passphrase-file", SECRET)
OPEN_SOURCE = ("--source-passphrase-file", SECRET)
# The fewest iterations that a new archive takes.
ENCRYPT = ("--encrypt", "--iterations", "600000", *OPEN)


# What was started in the background may have been told to ignore signals, and would hand that on.
for ignored in signal.SIGINT, signal.SIGHUP, signal.SIGTERM:
    if signal.getsignal(ignored) == signal.SIG_IGN:
        signal.signal(ignored, signal.SIG_DFL)


# Running --------------------------------------------------------------------------------------------------------------

class Result(NamedTuple):
    status: int
    stdout: bytes
    stderr: str


def environment(**more):
    """A plain one; a crash is seen by its status, and needs no backtrace, which takes seconds."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH") if name in os.environ}
    return {"LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no", "XDG_STATE_HOME": os.fspath(CACHE / "state"), **kept,
            **more}


def run(*command, input=b"", timeout=60, env=None, **more):
    """Runs a command without a terminal. A negative status is a signal, as in `subprocess`."""
    more = {"stdin": subprocess.PIPE, "start_new_session": True} | more
    with subprocess.Popen([os.fspath(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=env or environment(), **more) as process:
        try:
            stdout, stderr = process.communicate(input if more["stdin"] == subprocess.PIPE else None, timeout)
        except BaseException:
            process.kill()
            raise
    return Result(process.returncode, stdout, stderr.decode(errors="surrogateescape"))


class Ended(AssertionError):
    """A process ended before it was caught."""


def stopped_when(process, condition):
    """Runs a process a millisecond at a time until a condition holds, and leaves it stopped there.

    So it is caught however fast it is. SIGCONT lets it go on.
    """
    while True:
        # send_signal() reaps a process that has ended, which then cannot be waited for.
        process.send_signal(signal.SIGSTOP)
        has_ended = process.returncode is not None
        if has_ended or os.waitid(
                os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT).si_code != os.CLD_STOPPED:
            raise Ended(f"with {process.wait()}: {process.communicate()[1]}")
        os.waitid(os.P_PID, process.pid, os.WSTOPPED)
        if condition():
            return
        process.send_signal(signal.SIGCONT)
        time.sleep(0.001)


def interrupted(process, number, condition, again=False):
    """Sends a process a signal once a condition holds; its status, and what it has said on standard error."""
    stopped_when(process, condition)
    process.send_signal(number)
    process.send_signal(signal.SIGCONT)
    if again:
        process.send_signal(number)
    message = process.communicate()[1]
    return process.returncode, message.decode()


def skip_loudly(test, reason):
    """Skips in a way that nobody overlooks: what is skipped is not proved."""
    print(f"\nSKIPPED {test.id()}: {reason}", file=sys.stderr)
    test.skipTest(reason)


def each(*cases):
    """Runs a test once for each case, some at a time, every time in an empty folder; one that fails stops no other."""
    def decorate(method):
        @functools.wraps(method)
        def test(self):
            def attempt(case):
                one = copy.copy(self)
                try:
                    with tempfile.TemporaryDirectory(prefix="healthvault-test-") as folder:
                        one.folder = Path(folder)
                        method(one, case)
                except Exception as problem:
                    return problem

            with ThreadPoolExecutor(min(4, len(os.sched_getaffinity(0)))) as pool:
                for case, problem in zip(cases, pool.map(attempt, cases)):
                    with self.subTest(repr(case)[:60]):
                        if problem:
                            raise problem
        return test
    return decorate


class CommandTest(unittest.TestCase):
    """A test with a folder of its own, in which the command runs."""

    maxDiff = 4000

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="healthvault-test-")))

    def vault(self, *arguments, status=0, **more):
        """Runs the command, which must end with this status (or one of these) and never crash."""
        result = run(BINARY, *arguments, **{"cwd": self.folder} | more)
        self.check_ending(result, arguments)
        allowed = status if isinstance(status, tuple) else (status,)
        self.assertIn(result.status, allowed, f"{arguments}\n{result.stderr}")
        if result.status:
            self.assertTrue(result.stderr or result.stdout, "says what happened")
        return result

    def check_ending(self, result, arguments=()):
        self.assertTrue(0 <= result.status < 128, f"crashed with {result.status}: {arguments}\n{result.stderr}")
        self.assertNotRegex(result.stderr, "(?i)fatal error|backtrace|traceback|precondition|stack dump")

    def names(self, folder=None):
        return sorted(os.listdir(folder or self.folder))

    def assert_same_folder(self, one, other, *exclude):
        result = run("diff", "-r", *(f"--exclude={name}" for name in exclude), one, other, cwd=self.folder)
        self.assertEqual((result.status, result.stdout.decode(errors="replace")[:2000], result.stderr), (0, "", ""))

    def manifest(self, folder):
        return json.loads((folder / "manifest.json").read_bytes())


# Generated exports ----------------------------------------------------------------------------------------------------

SHAPES = ("ordinary", "shuffled", "manyTypes", "uniqueMetadata", "newDevices", "watchAndPhone")
DOCUMENT_TYPES = ("3", "8", "11", "12", "13", "14", "none")
# Shape, document type and size: every shape and every document type.
VARIANTS = ([("ordinary", version, f"{1 + number % 2}MB") for number, version in enumerate(DOCUMENT_TYPES)]
            + [(shape, "14", f"{1 + number % 2}MB") for number, shape in enumerate(SHAPES[1:])])
# What a long document, or one of unknown length, is put into unasked.
BY_MONTH = ("--batch", "month/half-year")


class Export:
    """A generated export: zip, unpacked folder and document, and the generator's own counts.

    An ordinary one is put into batches as it is done unasked, which makes one span of a short document; others by month
    and half-year.
    """

    def __init__(self, shape, version, size, *options):
        self.place = Path(tempfile.mkdtemp(dir=CACHE))
        self.source = self.zip = self.place / "export.zip"
        self.batching = BY_MONTH if shape != "ordinary" else ()
        made = run(GENERATE, "--output", self.zip, "--size", size, "--shape", shape, "--dtd", version, "--census",
                   *options)
        assert made.status == 0, made.stderr
        self.census = json.loads(made.stdout)

    @functools.cached_property
    def parent(self):
        with zipfile.ZipFile(self.zip) as file:
            file.extractall(self.place / "unpacked")
        return self.place / "unpacked"

    @property
    def folder(self):
        return self.parent / "apple_health_export"

    @property
    def xml(self):
        return self.folder / "export.xml"

    @functools.cached_property
    def plain(self):
        """The plain export of the source."""
        return self.made("plain")

    @functools.cached_property
    def archive(self):
        """The encrypted export of the source."""
        return self.made("health.hvault", "--jobs", "2", *ENCRYPT)

    @functools.cached_property
    def tar(self):
        """The tar stream inside the archive."""
        return run(BINARY, "decrypt", self.archive, "--tar", *OPEN).stdout

    def made(self, name, *options):
        result = run(BINARY, "export", self.source, "--output", self.place / name, *self.batching, *options)
        assert result.status == 0, result
        return self.place / name


@functools.cache
def generated(shape="ordinary", version="14", size="1MB", *options):
    return Export(shape, version, size, *options)


class Dense(Export):
    """A generated folder whose records have texts of chance, which do not shrink: its archive is large for its length."""

    def __init__(self, size, chance, *batching):
        self.place = Path(tempfile.mkdtemp(dir=CACHE))
        self.source, self.batching = self.folder, batching
        made = run(GENERATE, "--output", self.folder, "--size", size)
        assert made.status == 0, made.stderr
        head, *records = self.xml.read_bytes().split(b"<Record ")
        texts = base64.b64encode(random.Random(1).randbytes(chance * len(records)))
        length = len(texts) // len(records)
        with open(self.xml, "wb") as file:
            file.write(head)
            for number, record in enumerate(records):
                file.write(b'<Record chance="%s" %s' % (texts[number * length:(number + 1) * length], record))

    @property
    def folder(self):
        return self.place / "apple_health_export"


@functools.cache
def dense(size="8MB", chance=300, *batching):
    """Unasked, an archive of six segments, made of 15 MB in one span."""
    return Dense(size, chance, *batching)


def slow():
    """An archive of 16 segments, made of 30 MB in spans of five years; texts over a KiB take longer to be read, so that
    most of it is written when the key has been derived."""
    return dense("8MB", 900)


# strace ---------------------------------------------------------------------------------------------------------------

@functools.cache
def can_trace():
    return bool(shutil.which("strace")) and run("strace", "-o", "/dev/null", "true").status == 0


def touching(*paths):
    """Options for calls that concern these paths from the folder in which the command runs: as they stand, and as they
    may be written in a call that starts from one of the folders on the way."""
    return [option for path in map(Path, paths) for start in range(len(path.parts))
            for option in ("-P", Path(*path.parts[start:]))]


def whole_calls(lines):
    """The lines without the process numbers; a call that another thread's came between is one line again."""
    begun = {}
    for line in lines:
        process, text = re.match(r"([0-9]*) *(.*)", line).groups()
        if end := re.match(r"<\.\.\. \w+ resumed>(.*)", text):
            yield begun.pop(process, "") + end[1]
        elif text.endswith(" <unfinished ...>"):
            begun[process] = text.removesuffix(" <unfinished ...>")
        else:
            yield text
    yield from begun.values()


class TracedTest(CommandTest):
    """A test that looks at the system calls."""

    def setUp(self):
        super().setUp()
        if os.geteuid():
            skip_loudly(self, "the command forbids looking into it, to everyone but root")
        if not can_trace():
            skip_loudly(self, "strace is missing, or may not trace here")

    def trace(self, options, *arguments, **more):
        """Runs the command under strace; the result, and the calls in the order of their ends."""
        log = self.folder / "trace"
        result = run("strace", "-f", "-o", log, *options, BINARY, *arguments, **{"cwd": self.folder} | more)
        self.check_ending(result, arguments)
        lines = log.read_text("latin-1").splitlines()
        log.unlink()
        return result, list(whole_calls(lines))
