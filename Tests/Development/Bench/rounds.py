"""Runs commands in turns, and keeps what each run took."""
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

MIB = 1 << 20


class Failure(Exception):
    """A command that was to be measured did not do what it should."""


class Sample(NamedTuple):
    """One run: seconds on the clock and of all processors together, the peak of resident memory, bytes made."""

    wall: float
    cpu: float
    peak: int
    made: int
    report: bytes


@dataclass(frozen=True)
class Command:
    """What is run, the files that have to be in the page cache then, and the one that must not be there yet."""

    name: str
    arguments: tuple
    inputs: tuple = ()
    output: Path | None = None
    stdin: Path | None = None
    # Standard output is kept if it is a report, and goes to /dev/null if it is data.
    reports: bool = False
    # A library that is loaded before all others.
    preload: Path | None = None
    # Runs in one of so many rounds: what takes minutes need not run in each.
    every: int = 1

    @property
    def text(self):
        """The command as one would type it, without the folders of the measurement."""
        words = [part.name if isinstance(part, Path) else str(part) for part in self.arguments]
        return " ".join(words + ([f"< {self.stdin.name}"] if self.stdin else []))


def environment(**more):
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LD_LIBRARY_PATH") if name in os.environ}
    return {"LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no", **kept, **more}


def remove(path):
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def read_through(path):
    """Brings a file into the page cache."""
    with open(path, "rb", buffering=0) as file:
        while file.read(MIB):
            pass


class Stopwatch:
    """Measures commands with the program `measure`, in a folder that it may write to."""

    def __init__(self, measure, folder):
        self.measure, self.result, self.report = measure, folder / "measured", folder / "report"

    def run(self, command):
        """Runs a command once. What it makes is there until it runs again."""
        if command.output:
            remove(command.output)
        for path in command.inputs:
            read_through(path)
        more = {"LD_PRELOAD": str(command.preload)} if command.preload else {}
        with (open(command.stdin or os.devnull, "rb") as source,
              open(self.report if command.reports else os.devnull, "wb") as sink):
            process = subprocess.Popen([self.measure, self.result, *command.arguments], stdin=source, stdout=sink,
                                       stderr=subprocess.PIPE, env=environment(**more), start_new_session=True)
            try:
                _, problem = process.communicate()
            except BaseException:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                raise
        if process.returncode:
            raise Failure(f"{command.text}: status {process.returncode}\n{problem.decode(errors='replace')}")
        wall, user, system, peak = self.result.read_text().split()
        made = command.output.stat().st_size if command.output and command.output.is_file() else 0
        report = self.report.read_bytes() if command.reports else b""
        return Sample(float(wall), float(user) + float(system), int(peak), made, report)

    def take_turns(self, commands, rounds, label=""):
        """Runs each command once a round: by name, the samples by round. Every round begins with another command."""
        runs = {command.name: {} for command in commands}
        for number in range(rounds):
            first = number % len(commands)
            for command in commands[first:] + commands[:first]:
                if number % command.every == 0:
                    runs[command.name][number] = self.run(command)
                    if command.output:
                        remove(command.output)
            if label:
                print(f"{label}: round {number + 1} of {rounds} done", file=sys.stderr, flush=True)
        return runs
