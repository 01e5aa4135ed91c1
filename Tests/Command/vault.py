"""What the tests of the commands share: the two programs, ways to run them, and generated exports.

The tests lie in a folder for each command or concern. In the order of a user's day these are sources, exporting, continuing,
sessions, retrying, inspecting, answering, decrypting, verifying, recovering, passphrases and key_rings; then formats, drives, schedules,
synchronising and assistants; command_line, documentation, disturbances, hostile_archives and secrecy are about all commands.
What several folders share lies beside them. From the top of the repository all of them, a file, a class or a single test
are run so:

    /usr/bin/python3 Tests/Command/workers.py
    PYTHONPATH=Tests/Command /usr/bin/python3 -m unittest exporting.test_targets
    PYTHONPATH=Tests/Command /usr/bin/python3 -m unittest exporting.test_targets.Places.test_inside_the_source

Most of them run a main of their own, `healthvault-test-main`: it is the command, but accepts archives that are derived with
fewer iterations, derives no key twice, and waits before system calls where a test asks for it (`Gated`). `ShippedTest` runs
the program that people get. HEALTHVAULT_PROGRAMS names the folder of the programs, `.build/release` unless told otherwise,
and HEALTHVAULT_BINARY, HEALTHVAULT_SHIPPED and HEALTHVAULT_GENERATE single ones. What is made for several tests is made once,
in a folder that goes away with the tests.

No test depends on how fast the computer is. Whatever a test waits for is something that happens for certain: PATIENCE
only ends what hangs.
"""
import atexit
import base64
import copy
import contextlib
import fcntl
import functools
import json
import os
import random
import re
import resource
import shutil
import signal
import socket
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


PROGRAMS = Path(os.environ.get("HEALTHVAULT_PROGRAMS") or ROOT / ".build" / "release")


def program(variable, name):
    return os.path.abspath(os.environ.get(variable) or PROGRAMS / name)


BINARY = program("HEALTHVAULT_BINARY", "healthvault-test-main")
SHIPPED = program("HEALTHVAULT_SHIPPED", "healthvault")
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
# What all processes of a run share; without the variable there is only this one.
SHARED = Path(os.environ.get("HEALTHVAULT_SHARED_INPUTS") or CACHE)


def shared(place, make):
    """A file or folder that one of the processes makes and all use; those that come meanwhile wait for it."""
    with open(f"{place}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.exists():
            unfinished = Path(f"{place}.unfinished")
            make(unfinished)
            unfinished.rename(place)
    return place


# Where the main of the tests keeps the keys that it has derived, which it needs again and again.
DERIVATIONS = shared(SHARED / "derivations", Path.mkdir)
PASSPHRASE = "correct horse battery staples"
SECRET = shared(SHARED / "passphrase", lambda place: place.write_text(PASSPHRASE))
OPEN = ("--passphrase-file", SECRET)
OPEN_SOURCE = ("--other-passphrase-file", SECRET)
# The fewest iterations that a new archive takes: of the main of the tests, and of the program that people get.
ITERATIONS = ("--iterations", "100000")
SHIPPED_ITERATIONS = ("--iterations", "600000")
ENCRYPT = ("--encrypt", *ITERATIONS, *OPEN)
SHIPPED_ENCRYPT = ("--encrypt", *SHIPPED_ITERATIONS, *OPEN)
# After so many seconds something hangs, on a computer as slow as may be.
PATIENCE = 900


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
    return {"LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no", "XDG_STATE_HOME": os.fspath(CACHE / "state"),
            "HEALTHVAULT_TEST_DERIVATIONS": os.fspath(DERIVATIONS), **kept, **more}


def run(*command, input=b"", timeout=PATIENCE, env=None, **more):
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


def wait_until(condition, what="what the test waits for"):
    """Waits for something that happens for certain."""
    until = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > until:
            raise AssertionError(f"{what} does not come about")
        time.sleep(0.002)


def is_idle(pid):
    """Whether all threads of a process wait for something that does not come by itself: input, or an answer."""
    states = []
    for thread in Path("/proc", str(pid), "task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            states.append((thread / "stat").read_text().rpartition(")")[2].split()[0])
    return set(states) <= {"S"}


def wait_until_idle(process, is_still=5):
    """Waits until a process does nothing any more; a thread may wait for another one for a moment."""
    times = 0

    def idle():
        nonlocal times
        times = times + 1 if is_idle(process.pid) else 0
        return times >= is_still or process.poll() is not None
    wait_until(idle, "the end of what the process does")


class Ended(AssertionError):
    """A process ended before it was caught."""


class Gate:
    """What makes the main of the tests wait before its system calls until it may make them.

    So it is caught where a test wants it, however fast or slow it is. The options of a new process are `pass_fds` and the
    variables `environment`; `started` is called once it runs.
    """

    def __init__(self, *calls):
        self.ours, self.theirs = socket.socketpair()
        self.pass_fds = (self.theirs.fileno(),)
        self.environment = {"HEALTHVAULT_TEST_GATE": " ".join([str(self.theirs.fileno()), *calls])}
        self.lines = self.ours.makefile("rb", 0)
        self.is_before_call = False

    def started(self):
        self.theirs.close()

    def next(self):
        """Waits for the next call; its name, None once the process has ended."""
        if self.is_before_call:
            with contextlib.suppress(BrokenPipeError):
                self.ours.send(b"1")
        line = self.lines.readline().decode().strip()
        self.is_before_call = bool(line)
        return line or None

    def open(self):
        """Lets the process make all its calls from now on."""
        self.lines.close()
        self.ours.close()


class Gated:
    """A command that waits before each of some system calls, in the order in which it makes them."""

    def __init__(self, command, calls=("write",), **more):
        self.gate = Gate(*calls)
        self.process = subprocess.Popen(
            list(map(str, command)), env=environment(**self.gate.environment), pass_fds=self.gate.pass_fds,
            **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
               "start_new_session": True} | more)
        self.gate.started()
        self.said = b""
        self.derives_key = command[1] in ("export", "session") and set(OPEN) <= set(command)

    def pass_calls(self, count):
        """Lets it make so many calls; false if it has ended before."""
        return all(self.gate.next() for _ in range(count + 1))

    def reach(self, condition):
        """Lets it go on from call to call until a condition holds; it then waits before the next one.

        The key of a new archive, which is derived meanwhile, is derived before each call, so that the header is written in
        each run at the same time.
        """
        while self.gate.next():
            if self.derives_key:
                wait_until_idle(self.process, is_still=2)
            if condition():
                return self
        raise Ended(f"with {self.process.wait()}: {self.end()[1]}")

    def send(self, number):
        """Sends a signal; returns when it has taken effect."""
        self.process.send_signal(number)
        if number != signal.SIGKILL:
            # A command that does not end at once says so.
            while b"press Ctrl-C again" not in self.said and (more := os.read(self.process.stderr.fileno(), 4096)):
                self.said += more

    def end(self):
        """Lets it go on to its end; its status, and what it has said on standard error."""
        self.gate.open()
        try:
            output, message = self.process.communicate(timeout=PATIENCE)
        except BaseException:
            self.process.kill()
            raise
        self.output = output
        return self.process.returncode, (self.said + message).decode(errors="surrogateescape")

    def interrupt(self, number, again=False):
        """Sends a signal and lets it go on to its end; its status, and what it has said on standard error."""
        self.send(number)
        if again:
            self.process.send_signal(number)
            if number != signal.SIGHUP:
                self.process.wait(PATIENCE)
        return self.end()

    def kill(self):
        """Kills it where it waits."""
        self.send(signal.SIGKILL)
        status, _ = self.end()
        assert status == -signal.SIGKILL, status


def spent():
    """Seconds that processors have worked for the commands so far: those that pass say nothing on a busy computer."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


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
    program = BINARY

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="healthvault-test-")))

    def vault(self, *arguments, status=0, **more):
        """Runs the command, which must end with this status (or one of these) and never crash."""
        result = run(self.program, *arguments, **{"cwd": self.folder} | more)
        self.check_ending(result, arguments)
        allowed = status if isinstance(status, tuple) else (status,)
        self.assertIn(result.status, allowed, f"{arguments}\n{result.stderr}")
        if result.status:
            self.assertTrue(result.stderr or result.stdout, "says what happened")
        return result

    def check_ending(self, result, arguments=()):
        self.assertTrue(0 <= result.status < 128, f"crashed with {result.status}: {arguments}\n{result.stderr}")
        self.assertNotRegex(result.stderr, "(?i)fatal error|backtrace|traceback|precondition|stack dump")
        # Nothing of Swift reaches a screen.
        self.assertNotRegex(result.stderr, r"TerminalText|Optional\(|\w\((?:text|code|path|rawValue): ")

    def names(self, folder=None):
        return sorted(os.listdir(folder or self.folder))

    def assert_same_folder(self, one, other, *exclude):
        result = run("diff", "-r", *(f"--exclude={name}" for name in exclude), one, other, cwd=self.folder)
        self.assertEqual((result.status, result.stdout.decode(errors="replace")[:2000], result.stderr), (0, "", ""))

    def manifest(self, folder):
        return json.loads((folder / "manifest.json").read_bytes())


class Waiting(CommandTest):
    """Tests that wait for time to pass: all tests of the class are run at once, each with a folder of its own."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        names = unittest.defaultTestLoader.getTestCaseNames(cls)
        pool = cls.enterClassContext(ThreadPoolExecutor(len(names)))
        cls.running = {name: pool.submit(cls.whole, cls(name)) for name in names}

    def whole(self):
        try:
            self.setUp()
            getattr(self, self._testMethodName)()
        finally:
            self.doCleanups()

    def run(self, result=None):
        setattr(self, self._testMethodName, self.running[self._testMethodName].result)
        # What it sets up is set up there.
        self.setUp = lambda: None
        return super().run(result)


class ShippedTest(CommandTest):
    """A test of the program that people get, with as many iterations as it asks for."""

    program = SHIPPED


# Generated exports ----------------------------------------------------------------------------------------------------

SHAPES = ("ordinary", "shuffled", "manyTypes", "uniqueMetadata", "newDevices", "watchAndPhone")
DOCUMENT_TYPES = ("3", "8", "11", "12", "13", "14", "none")
# Shape, document type and size: every shape and every document type.
VARIANTS = ([("ordinary", version, f"{1 + number % 2}MB") for number, version in enumerate(DOCUMENT_TYPES)]
            + [(shape, "14", f"{1 + number % 2}MB") for number, shape in enumerate(SHAPES[1:])])
# What a long document, or one of unknown length, is put into unasked.
LONG_SPANS = ("--batch", "half-year/year")
# What makes more batches of it.
BY_MONTH = ("--batch", "month/half-year")


class Export:
    """A generated export: zip, unpacked folder and document, and the generator's own counts.

    An ordinary one is put into batches as it is done unasked, which makes one span of a short document; others by month
    and half-year.
    """

    def __init__(self, shape, version, size, *options):
        self.batching = BY_MONTH if shape != "ordinary" else ()
        self.place = shared(SHARED / "-".join(["generated", shape, version, size, *options]), functools.partial(
            self.generate, shape, version, size, *options))
        self.source = self.zip = self.place / "export.zip"
        self.census = json.loads((self.place / "census.json").read_bytes())

    @staticmethod
    def generate(shape, version, size, *options_and_place):
        *options, place = options_and_place
        place.mkdir()
        made = run(GENERATE, "--output", place / "export.zip", "--size", size, "--shape", shape, "--dtd", version,
                   "--census", *options)
        assert made.status == 0, made.stderr
        (place / "census.json").write_bytes(made.stdout)

    @functools.cached_property
    def parent(self):
        def unpack(place):
            with zipfile.ZipFile(self.zip) as file:
                file.extractall(place)
        return shared(self.place / "unpacked", unpack)

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

    @functools.cached_property
    def plain_document(self):
        """The plain export of the document alone."""
        return self.made("plain-document", source=self.xml)

    def made(self, name, *options, source=None):
        def make(place):
            result = run(BINARY, "export", source or self.source, "--output", place, *self.batching, *options)
            assert result.status == 0, result
        return shared(self.place / name, make)


@functools.cache
def generated(shape="ordinary", version="14", size="1MB", *options):
    return Export(shape, version, size, *options)


class Dense(Export):
    """A generated folder whose records have texts of chance, which do not shrink: its archive is large for its length."""

    def __init__(self, size, chance, *batching):
        self.batching = batching
        self.place = shared(SHARED / "-".join(["dense", size, str(chance), *batching]).replace("/", "-"),
                            functools.partial(self.generate, size, chance))
        self.source = self.folder

    @staticmethod
    def generate(size, chance, place):
        place.mkdir()
        made = run(GENERATE, "--output", place / "apple_health_export", "--size", size)
        assert made.status == 0, made.stderr
        document = place / "apple_health_export" / "export.xml"
        head, *records = document.read_bytes().split(b"<Record ")
        texts = base64.b64encode(random.Random(1).randbytes(chance * len(records)))
        length = len(texts) // len(records)
        with open(document, "wb") as file:
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
    """An archive of 16 segments, made of 30 MB in spans of five years."""
    return dense("8MB", 900)


# strace ---------------------------------------------------------------------------------------------------------------

# It stops a program at the calls that are traced, and not at all others as well, which takes most of the time.
STRACE = ("strace", "-f", "--seccomp-bpf")
# A signal that it injects is lost now and then if it stops at these calls alone.
KILLING_STRACE = ("strace", "-f")


@functools.cache
def can_trace():
    return bool(shutil.which("strace")) and run(*STRACE, "-o", "/dev/null", "true").status == 0


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
        result = run(*STRACE, "-o", log, *options, self.program, *arguments, **{"cwd": self.folder} | more)
        self.check_ending(result, arguments)
        lines = log.read_text("latin-1").splitlines()
        log.unlink()
        return result, list(whole_calls(lines))
