"""The commands that a power loss interrupts, and what has to hold in every state that it leaves.

In each state what was there before has to be there still, and the same command has to end with the right result: at once, or
once the files are deleted that its message names.
"""
import contextlib
import functools
import hashlib
import json
import os
import random
import re
import shlex
import shutil
import sqlite3
import sys
import tempfile
from pathlib import Path

from states import Recording, final, seeded

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Command"))
import later_exports  # noqa: E402  (found by the line above)
from vault import BINARY, ENCRYPT, GENERATE, ITERATIONS, OPEN, SECRET, SHARED, environment, run, shared  # noqa: E402

SHIM = Path(__file__).with_name("record.c")
NEW_SECRET = shared(SHARED / "new-passphrase", lambda place: place.write_text("otter violin mesa plunder gherkin"))
NEW = ("--passphrase-file", NEW_SECRET)
ADDED = ("--new-passphrase-file", NEW_SECRET, *ITERATIONS)
STICK = ("--to", "stick")
LONG_AGO = 1_700_000_000
KINDS = ("ext4", "exfat")
# Names of what is not complete, or was replaced.
TEMPORARY = re.compile(r"\.(part|replaced|spool)\b")


class Wrong(AssertionError):
    """What a state must not lead to."""


@functools.cache
def shim():
    def build(place):
        made = run("gcc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", SHIM, "-o", place)
        assert made.status == 0, made.stderr
    return shared(SHARED / "record.so", build)


@functools.cache
def exports():
    """An export, and a later one of the same phone."""
    def build(place):
        place.mkdir()
        generated, first, top = place / "generated.zip", place / "first.zip", "apple_health_export/"
        made = run(GENERATE, "--output", generated, "--size", "30kB", "--side-files", "none")
        assert made.status == 0, made.stderr
        document = later_exports.read(generated)
        later_exports.write(first, generated, document, adding={
            f"{top}a.bin": random.Random(1).randbytes(5000), f"{top}b.bin": random.Random(2).randbytes(90_000)})
        steps = [(f'<Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" startDate="{day}" '
                  f'creationDate="{day}" endDate="{day}" value="100"/>').encode()
                 for day in (f"2026-05-31 07:{minute:02}:00 +0200" for minute in range(10))]
        later_exports.write(place / "later.zip", first, later_exports.extended(later_exports.dated(document), *steps))
    folder = shared(SHARED / "crash-states", build)
    return folder / "first.zip", folder / "later.zip"


class Scenario:
    """A command in a folder of its own, below which everything lies that it writes."""

    def __init__(self, name, kind, command, prepare=(), right=None, before=None):
        self.name, self.kind, self.command, self.prepare = name, kind, command, prepare
        self.right, self.before = right, before

    def __enter__(self):
        self.home = Path(tempfile.mkdtemp(prefix="healthvault-crash-"))
        self.root = self.home / "root"
        self.folder = self.root / "place"
        self.folder.mkdir(parents=True)
        for step in self.prepare:
            step(self) if callable(step) else self.must(*step)
        recording = Recording(self.root)
        log = self.home / "log"
        result = self.vault(*self.command, CRASH_LOG=os.fspath(log), recorded=True)
        assert result.status == 0, f"{self.name}: {result.stderr}"
        self.recording = recording.read(log)
        # The record is complete: what it says is what the command left.
        found, real = {path: data for path, (_, data) in final(self.recording).files.items()}, self.files(self.root)
        assert found == real, f"{self.name}: {[path for path in found.keys() | real if found.get(path) != real.get(path)]}"
        self.answer = self.right(self)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.home)

    def vault(self, *arguments, recorded=False, **more):
        variables = {"XDG_STATE_HOME": self.root / "state", "XDG_CONFIG_HOME": self.root / "config"} | more
        if recorded:
            variables["LD_PRELOAD"] = shim()
        if self.kind == "exfat":
            variables |= {"CRASH_EXFAT": "1", "LD_PRELOAD": shim()}
        return run(BINARY, *arguments, cwd=self.folder, env=environment(**{name: os.fspath(value)
                                                                           for name, value in variables.items()}))

    def must(self, *arguments, status=0):
        result = self.vault(*arguments)
        if result.status != status:
            raise Wrong(f"{shlex.join(map(str, arguments))}: status {result.status}: {result.stderr.strip()}")
        return result

    def files(self, folder):
        return {os.fspath(path.relative_to(folder)): None if path.is_dir() else path.read_bytes()
                for path in sorted(Path(folder).rglob("*"))}

    def paths(self, pattern="*"):
        return sorted(path for path in self.folder.rglob(pattern) if path.is_file())

    def expect(self, condition, what):
        if not condition:
            raise Wrong(what)

    def attempt(self):
        """Repeats the command in a state; raises `Wrong`."""
        if self.before:
            self.before(self)
        result = self.repeated()
        if result.status == 0:
            return self.check()
        with contextlib.suppress(Wrong, sqlite3.Error, ValueError):
            # It had been done already, and the message says so.
            return self.check()
        deleted = []
        # One message may follow another.
        while (named := self.to_delete(result.stderr)) and len(deleted) < 3:
            for path in named:
                deleted.append(path.name)
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            if self.before:
                self.before(self)
            result = self.repeated()
        self.expect(result.status == 0, f"repeated with status {result.status}, deleted {deleted}: {result.stderr.strip()}")
        self.check()

    def repeated(self):
        result = self.vault(*self.command)
        self.expect(0 <= result.status < 128 and "Fatal error" not in result.stderr, f"crashed: {result.stderr[-300:]}")
        return result

    def to_delete(self, message):
        """The files and folders of which a message says that they are to be deleted; a schedule has nobody who does it."""
        if self.name.startswith("schedule-run") or not re.search(r"\b(rm|delete|remove|move it away)\b", message):
            return []
        words = {word.strip("'\",;:") for word in message.split()}
        return [path for path in self.root.rglob("*") if words & {os.fspath(path), os.path.relpath(path, self.folder)}]

    def check(self):
        answer, due = self.right(self), self.answer
        if isinstance(answer, dict):
            answer, due = ({key: value for key, value in one.items() if value != other.get(key)}
                           for one, other in ((answer, due), (due, answer)))
        self.expect(answer == due, f"{answer!r:.300} instead of {due!r:.300}")
        # An empty folder or mark that stays does no harm.
        left = [path for path, data in self.files(self.folder).items() if data and TEMPORARY.search(path)]
        self.expect(not left, f"left behind: {', '.join(left)}")

    def states(self, seed, count, flushes=True):
        """So many states: what each is called, and what is wrong with it, None for nothing."""
        tried = 0
        for text, state in self.recording.states(self.kind, seeded(seed, self.name, self.kind), flushes):
            if tried == count:
                break
            tried += 1
            state.make()
            try:
                self.attempt()
                yield text, None
            except (Wrong, sqlite3.Error, ValueError) as wrong:
                yield text, str(wrong)


# What is right ----------------------------------------------------------------------------------------------------------

def verified(path, source, *options):
    def right(scenario):
        scenario.must("verify", path, "--source", exports()[source], *options)
    return right


def some_archive(*sources):
    """The archive or folder of before is still there, or already the new one, whatever its name."""
    def before(scenario):
        for path in [*scenario.paths("*.hvault*"), *(path.parent for path in scenario.paths("manifest.json"))]:
            for source in sources:
                if scenario.vault("verify", path, "--source", exports()[source], *OPEN).status == 0:
                    return
        raise Wrong(f"no export opens in {sorted(scenario.files(scenario.folder))}")
    return before


def drive(scenario, source=1):
    """All archives of a destination are whole and in the history, and its newest one has everything of a source."""
    scenario.must("verify", "drive", "--source", exports()[source], *OPEN)
    scenario.must("destination", "history", "--verify", *OPEN)


def opening(scenario, passphrase):
    return scenario.vault("query", "x.hvault", "stepCount", "--json", *passphrase).status == 0


def passphrases(*opened, closed=()):
    def right(scenario):
        scenario.must("verify", "x.hvault", "--source", exports()[0], *opened[-1])
        for passphrase in opened:
            scenario.expect(opening(scenario, passphrase), f"{Path(passphrase[1]).name} does not open the archive")
        for passphrase in closed:
            for command in ("verify", "x.hvault"), ("recover", "x.hvault", "-o", "recovered"):
                done = scenario.vault(*command, *passphrase).status in (0, 3)
                scenario.expect(not done, f"{command[0]} still opens with {Path(passphrase[1]).name}, which is removed")
    return right


def one_opens(scenario):
    scenario.expect(opening(scenario, OPEN) or opening(scenario, NEW), "no passphrase opens the archive")


def same(scenario):
    """Byte for byte what comes of the command without a power loss, but for the mark with the name of the person."""
    return {name: hashlib.sha256(data).hexdigest() for name, data in scenario.files(scenario.folder).items()
            if data and ".healthvault-sync" not in name}


def days(database, *options):
    """The rows, but for the time at which they were computed."""
    def right(scenario):
        shown = scenario.must("analytics", "show", "day", "--database", database, "--json", *options).stdout
        return {row["startDate"]: row | {"recordedAt": None} for row in json.loads(shown)["rows"]}
    return right


def tables(scenario):
    """All rows of the database; the name of the person is one of chance."""
    with contextlib.closing(sqlite3.connect(scenario.folder / "health.db")) as database:
        scenario.expect(database.execute("PRAGMA integrity_check").fetchone() == ("ok",), "the database is damaged")
        people = [name for name, in database.execute("SELECT person FROM health_people")]
        scenario.expect(len(people) == 1, f"{len(people)} people")
        names = [name for name, in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        return {name: sorted(repr(row).replace(people[0], "") for row in database.execute(f'SELECT * FROM "{name}"'))
                for name in names}


def ring_opens(*names):
    def right(scenario):
        key = ("--key-file", "keys/ring.key")
        scenario.must("keyring", "show", "ring", *key)
        for name in names:
            scenario.must("query", f"study/{name}.hvault", "stepCount", "--keyring", "ring", *key)
    return right


def schedules(scenario):
    (only,) = json.loads(scenario.must("schedule", "status", "--json").stdout)["schedules"]
    return only["recurrence"], only["encrypted"]


def destinations(*names):
    def right(scenario):
        listed = json.loads(scenario.must("destination", "list", "--json").stdout)["destinations"]
        missing = set(names) - {destination["name"] for destination in listed}
        scenario.expect(not missing, f"not listed: {', '.join(missing)}")
    return right


# The scenarios ------------------------------------------------------------------------------------------------------------

def export(source, *options):
    return "export", exports()[source], *options


def folders(*names):
    return lambda scenario: [(scenario.folder / name).mkdir() for name in names]


def due(scenario, *options):
    """A scheduled export is due."""
    (scenario.folder / "inbox").mkdir()
    shutil.copy(exports()[1], scenario.folder / "inbox")
    scenario.must("schedule", "set", "--every", "day 02:00", "--source", "inbox", *STICK, "-e", *OPEN, "--timer", "none",
                  *options)
    config = scenario.root / "config" / "healthvault" / "schedules"
    config.write_text(re.sub(r'"created":\d+', f'"created":{LONG_AGO}', config.read_text()))


def scenarios():
    """Names, and for each the command, what is there before, what is right, and what holds in each state."""
    whole = export(0, "-o", "x.hvault", *ENCRYPT)
    plain = export(0, "-o", "plain")
    destination = (folders("drive"), ("destination", "add", "stick", "drive"))
    full = (*destination, export(0, *STICK, *ENCRYPT))
    passphrase = ("x.hvault", *OPEN)
    later = exports()[1]
    database = ("--other-passphrase-file", SECRET)
    study = (folders("study", "keys"), export(0, "-o", "study/a.hvault", *ENCRYPT), export(1, "-o", "study/b.hvault", *ENCRYPT))
    ring = ring_opens("a", "b")
    keyring = ("keyring", "make", "study", "-o", "ring", "--key-file", "keys/ring.key", *OPEN)
    analytics = ("analytics", "init", exports()[0], "--database")
    return {
        "encrypt": (whole, (), verified("x.hvault", 0, *OPEN)),
        "plain": (plain, (), verified("plain", 0)),
        "split": (export(0, "-o", "x.hvault", "--split", "64KiB", *ENCRYPT), (), verified("x.hvault", 0, *OPEN)),
        "replace": (export(1, "-o", "x.hvault", "--overwrite", *ENCRYPT), (whole,),
                    verified("x.hvault", 1, *OPEN), some_archive(0, 1)),
        "replace-plain": (export(1, "-o", "plain", "--overwrite"), (plain,), verified("plain", 1),
                          some_archive(0, 1)),
        "destination": (("destination", "add", "other", "other"), (*destination, folders("other")),
                        destinations("stick", "other"), destinations("stick")),
        "to": (export(1, *STICK, *ENCRYPT), destination, drive),
        "increment": (export(1, *STICK, "--incremental", *ENCRYPT), full, drive, some_archive(0)),
        "keep": (export(1, *STICK, "--keep", "1", *ENCRYPT), full, drive, some_archive(0, 1)),
        "compact": (("compact", "drive", "-o", "merged.hvault", *ENCRYPT[1:]),
                    (*full, export(1, *STICK, "--incremental", *ENCRYPT)),
                    verified("merged.hvault", 1, *OPEN)),
        "passphrase-add": (("passphrase", "add", *passphrase, *ADDED), (whole,), passphrases(OPEN, NEW), one_opens),
        "passphrase-change": (("passphrase", "change", *passphrase, *ADDED), (whole,), passphrases(NEW, closed=[OPEN]),
                              one_opens),
        "passphrase-remove": (("passphrase", "remove", *passphrase), (whole, ("passphrase", "add", *passphrase, *ADDED)),
                              passphrases(NEW, closed=[OPEN]), one_opens),
        "decrypt": (("decrypt", *passphrase, "-o", "plain"), (whole,), verified("plain", 0)),
        "convert": (("decrypt", *passphrase, "-o", "tables", "--format", "sqlite,json,csv"), (whole,), same),
        "convert-one": (("decrypt", *passphrase, "-o", "health.db"), (whole,), same),
        "analytics": ((*analytics, "t.db"), (), days("t.db")),
        "analytics-update": (("analytics", "update", later, "--database", "t.db"), ((*analytics, "t.db"),), days("t.db"),
                             days("t.db")),
        "analytics-encrypted": ((*analytics, "t.hvault", *database), (), days("t.hvault", *database)),
        "analytics-encrypted-update": (("analytics", "update", later, "--database", "t.hvault", *database),
                                       ((*analytics, "t.hvault", *database),), days("t.hvault", *database),
                                       days("t.hvault", *database)),
        "sync": (("sync", exports()[0], "--target", "sqlite:health.db"), (), tables),
        "sync-later": (("sync", later, "--target", "sqlite:health.db"),
                       (("sync", exports()[0], "--target", "sqlite:health.db"),), tables, tables),
        "sync-folder": (("sync", exports()[0], "--target", "dir:samples"), (), same),
        "sync-folder-later": (("sync", later, "--target", "dir:samples"),
                              (("sync", exports()[0], "--target", "dir:samples"),), same),
        "keyring": (keyring, study, ring),
        "keyring-again": ((*keyring, "--overwrite"), (*study[:2], keyring, study[2]), ring, ring_opens("a")),
        "schedule": (("schedule", "set", "--every", "sunday 02:00", "--source", later, *STICK, "-e", *OPEN,
                      "--timer", "none"), destination, schedules, destinations("stick")),
        "schedule-run": (("schedule", "run"), (*destination, due), drive),
        "schedule-run-increment": (("schedule", "run"), (*full, lambda scenario: due(scenario, "--incremental")), drive, some_archive(0)),
    }


def tried(name, kind, seed, count, flushes=True):
    """So many states of a scenario, each with what is wrong with it."""
    with Scenario(name, kind, *scenarios()[name]) as scenario:
        return list(scenario.states(seed, count, flushes))
