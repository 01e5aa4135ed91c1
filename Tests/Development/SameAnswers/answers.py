"""Runs the commands of a topic with a build, and takes down everything that comes of each: status, output and files.

A topic is a file in `commands`. Each line is a command without `healthvault`, or after `$ ` one of the shell; `[a|b]` stands
for both, one command after another, and `@2026-06-20T02:30` says what the clock shows from then on. All of a topic run in one
folder, where the inputs are. $N is the number of the command, and $OPEN, $WRONG, $NEW and $ENCRYPT are options that many need.

The pages of the documentation that show commands are topics, too; only what is printed counts there.
"""
import contextlib
import datetime
import hashlib
import itertools
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from documentation.consoles import EXPORTS, Session, normalised, page, sessions
from vault import CACHE, ITERATIONS, ROOT, environment, run

HERE = Path(__file__).resolve().parent
# Where a topic's time begins; each command is a minute later.
BEGINNING = datetime.datetime(2026, 6, 15, 12, tzinfo=datetime.timezone.utc)
# A longer text is a file of its own.
LONGEST = 1 << 18
OPEN = "--passphrase-file secret"
VARIABLES = {
    "OPEN": OPEN, "WRONG": "--passphrase-file wrong", "NEW": "--new-passphrase-file new", "FEW": " ".join(ITERATIONS),
    "ENCRYPT": f"-e {' '.join(ITERATIONS)} {OPEN}", "CONVERSATION": HERE / "conversation.py", "TABLES": HERE / "tables.py",
    "SERVERS": HERE / "servers.py", "PYTHON": sys.executable,
}
# What differs from run to run.
CHANCE = [
    (re.compile(r"\bin \d+(\.\d+)? (ms|s)\b"), "in TIME"),
    (re.compile(r" +\d+(\.\d+)? (ms|s) +(?=done|nothing new|failed|incomplete)"), "  TIME  "),
    (re.compile(r"[\d.,]+ [kMGT]?B free"), "MEASURED free"),
    (re.compile(r'"(seconds|keyDerivationSeconds|milliseconds|peakMemoryBytes|freeBytes)":\d+(\.\d+)?'), r'"\1":MEASURED'),
]


class Build(NamedTuple):
    """The folder of the programs, and one that has what the commands need of it."""

    programs: Path
    folder: Path

    @staticmethod
    def of(programs, folder):
        (folder / "bin").mkdir(parents=True)
        (folder / "bin" / "healthvault").symlink_to(programs / "healthvault-test-main")
        package = shutil.copytree(ROOT / "Sources/Readers/PythonPackage/healthvault", folder / "package" / "healthvault")
        (package / "libhealthvault.so").symlink_to(programs / "libhealthvault-c.so")
        return Build(programs, folder)


class Answer(NamedTuple):
    """A command, and what came of it as lines; the files are those that it made or changed, by the digests of their content."""

    command: str
    lines: list
    files: dict


def commands(topic):
    """The commands of a topic in their order."""
    for line in (HERE / "commands" / f"{topic}.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            parts = re.split(r"\[([^][]*\|[^][]*)\]", line)
            choices = [[part] if number % 2 == 0 else part.split("|") for number, part in enumerate(parts)]
            for chosen in itertools.product(*choices):
                yield re.sub("  +", " ", "".join(chosen)).strip()


def plain(text):
    for pattern, replacement in CHANCE:
        text = pattern.sub(replacement, text)
    return text


def dump(content):
    """A database as the statements that make it, other texts as they are, and None for other bytes."""
    if content.startswith(b"SQLite format 3"):
        with contextlib.closing(sqlite3.connect(":memory:")) as database:
            database.deserialize(content)
            with contextlib.suppress(sqlite3.Error):
                return "\n".join(database.iterdump())
    with contextlib.suppress(UnicodeDecodeError):
        return None if b"\0" in content else content.decode()


def fixed(number, now):
    """Variables with which a command, the one with a number, answers the same each time."""
    return {"LD_PRELOAD": os.fspath(CACHE / "fixed.so"), "SAME_CLOCK": str(int(now.timestamp())), "N": str(number),
            "SWIFT_DETERMINISTIC_HASHING": "1"}


class Place:
    """A folder in which the commands of a topic run, and where contents are kept by their digests."""

    def __init__(self, folder, contents, build):
        self.folder, self.contents, self.build = folder, contents, build
        shutil.copytree(CACHE / "inputs", folder, copy_function=os.link)
        self.seen = self.scan()
        self.now = BEGINNING

    def scan(self):
        """Files and folders by their paths, each with what tells whether it has changed."""
        found, folders = {}, [self.folder]
        while folders:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    state = entry.stat(follow_symlinks=False)
                    is_folder = entry.is_dir(follow_symlinks=False)
                    folders += [entry.path] if is_folder else []
                    found[os.path.relpath(entry.path, self.folder)] = (
                        state.st_mode, *(() if is_folder else (state.st_ino, state.st_size, state.st_mtime_ns)))
        return found

    def changes(self):
        """A line for each file or folder that is new, changed or gone since the last time, and the digests of the files."""
        before, self.seen = self.seen, self.scan()
        lines, files = [], {}
        for name in sorted(before.keys() | self.seen.keys()):
            if before.get(name) == self.seen.get(name):
                continue
            path = self.folder / name
            if name not in self.seen:
                lines.append(f"gone {name}")
            elif path.is_symlink():
                lines.append(f"link {name} to {os.readlink(path)}")
            elif path.is_dir():
                lines.append(f"folder {name} {path.stat().st_mode:o}")
            elif path.is_file():
                files[name], size = self.keep(path.read_bytes())
                lines.append(f"file {name} {path.stat().st_mode:o}, {size} bytes, {files[name]}")
        return lines, files

    def keep(self, content):
        text = dump(content)
        content = content if text is None else plain(self.anonymous(text)).encode()
        digest = hashlib.sha256(content).hexdigest()
        if not (self.contents / digest).exists():
            (self.contents / digest).write_bytes(content)
        return digest, len(content)

    def anonymous(self, text):
        for path, name in ((self.folder, "~"), (self.build.folder, "BUILD"), (self.build.programs, "PROGRAMS")):
            text = text.replace(os.fspath(path), name)
        return text

    def text(self, title, content):
        if not content:
            return [], {}
        text = dump(content)
        if text is None or len(text) > LONGEST:
            digest, _ = self.keep(content)
            return [f"{title}: {digest}"], {title: digest}
        return [f"{title}:", *plain(self.anonymous(text)).splitlines()], {}

    def answer(self, number, command):
        if date := re.match(r"@(\S+) ", command):
            self.now = datetime.datetime.fromisoformat(date[1]).replace(tzinfo=datetime.timezone.utc)
            command = command[date.end():]
        self.now += datetime.timedelta(minutes=1)
        line = command[2:] if command.startswith("$ ") else f"healthvault {command}"
        result = run("bash", "-c", line, cwd=self.folder, stdin=subprocess.DEVNULL, env=environment(
            **VARIABLES, **fixed(number, self.now), PATH=f"{self.build.folder / 'bin'}:{os.environ['PATH']}", HOME=self.folder,
            TZ="Europe/Berlin", XDG_STATE_HOME=self.folder / "state", XDG_CONFIG_HOME=self.folder / "config",
            HEALTHVAULT_BINARY=self.build.folder / "bin" / "healthvault", SAME_PACKAGE=self.build.folder / "package"))
        lines, files = [f"status {result.status}"], {}
        for more, digests in (self.text("stdout", result.stdout),
                              self.text("stderr", result.stderr.encode(errors="surrogateescape")), self.changes()):
            lines += more
            files |= digests
        return Answer(line, lines, files)


def shown(name, build):
    """The answers to the commands that a page of the documentation shows, on a terminal."""
    with Session(build.folder / "bin" / "healthvault") as session:
        os.link(CACHE / "inputs" / "walks.zip", session.work / "export.zip")
        for number, (command, _) in enumerate(sessions(page(name).read_text()), 1):
            session.variables |= fixed(number, BEGINNING)
            status, output = session.run(command)
            yield Answer(command, [f"status {status}", *normalised(output).split("\n")], {})


def answers(topic, build):
    """All answers of a build to the commands of a topic, a file or a page; every build runs them in the same folder."""
    if topic in EXPORTS:
        return list(shown(topic, build))
    folder, contents = CACHE / "places" / topic, CACHE / "contents"
    try:
        place = Place(folder, contents, build)
        return [place.answer(number, command) for number, command in enumerate(commands(topic), 1)]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
