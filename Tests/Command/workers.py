"""Runs all tests of the commands, in one process more than there are processors.

    /usr/bin/python3 Tests/Command/workers.py [--first | MODULE ...]

With `--first` one file of each folder is run. Of long sweeps a part is run, or all of them (`sampling.py`). Most tests wait
for a key derivation or a process that they have started, some for nothing but time, and none needs another one. Each process
takes the next module when it is done with one, those first that took the longest in the last run; what several tests read is
made once for all processes.
"""
import io
import json
import os
import queue
import resource
import subprocess
import sys
import threading
import time
import unittest
from pathlib import Path

from sampling import SAID

HERE = Path(__file__).resolve().parent
# How long each module took in its last run.
SECONDS = HERE.parents[1] / ".build" / "command-tests.json"
# The file of each folder that says the most in a few seconds; where none is named, it is the first one.
FIRST = {
    "answering.test_query", "assistants.test_answers", "command_line.test_usage", "continuing.test_pausing",
    "decrypting.test_entries", "disturbances.test_interruptions", "documentation.test_manual", "drives.test_destinations",
    "exporting.test_targets", "formats.test_targets", "hostile_archives.test_tar_members", "inspecting.test_counts",
    "passphrases.test_slots", "recovering.test_names", "retrying.test_fake_predecessors", "schedules.test_schedules",
    "secrecy.test_no_network", "sessions.test_show", "sources.test_file_names", "synchronising.test_targets",
    "verifying.test_findings",
}
SLOWEST = 10


def modules():
    """The names of all modules with tests, by folder and name."""
    return [f"{path.parent.name}.{path.stem}" for path in sorted(HERE.glob("*/test_*.py"))]


def first():
    """One module of each folder."""
    assert FIRST <= set(modules()), FIRST - set(modules())
    chosen = {}
    for name in modules():
        folder = name.partition(".")[0]
        if name in FIRST or folder not in chosen:
            chosen[folder] = name
    return list(chosen.values())


def last_run():
    try:
        return json.loads(SECONDS.read_bytes())
    except (OSError, ValueError):
        return {}


def longest_first(names):
    """Where no run has said how long a module takes, the one with the most text comes first."""
    seconds = last_run()

    def size(name):
        path = HERE / (name.split(".")[0] + "/" + name.split(".")[1] + ".py") if "." in name else HERE / f"{name}.py"
        return path.stat().st_size if path.exists() else 0
    return sorted(names, key=lambda name: (seconds.get(name, float("inf")), size(name)), reverse=True)


class Result(unittest.TextTestResult):
    """What came of the tests, and how long each took."""

    def __init__(self, *arguments, **more):
        super().__init__(*arguments, **more)
        self.times = []

    def startTest(self, test):
        super().startTest(test)
        self.start = time.monotonic()

    def stopTest(self, test):
        super().stopTest(test)
        self.times.append((time.monotonic() - self.start, test.id()))


def processor_seconds():
    """What this process and those that it has waited for have used of the processors."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def work():
    """Runs the modules that are named on standard input, and reports each in a line of JSON."""
    sys.path.insert(0, str(HERE))
    # What a test prints goes elsewhere than the reports.
    reports = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        text = io.StringIO()
        start, processors = time.monotonic(), processor_seconds()
        runner = unittest.TextTestRunner(text, resultclass=Result)
        result = runner.run(unittest.defaultTestLoader.loadTestsFromName(line.strip()))
        report = {"tests": result.testsRun, "skipped": len(result.skipped), "seconds": time.monotonic() - start,
                  "processors": processor_seconds() - processors,
                  "failed": 0 if result.wasSuccessful() else len(result.failures) + len(result.errors) or 1,
                  "text": text.getvalue(), "slowest": sorted(result.times, reverse=True)[:SLOWEST]}
        print(json.dumps(report), file=reports, flush=True)


def drive(todo, found, shared):
    """Has a process of its own run one module after the other."""
    with subprocess.Popen([sys.executable, "-B", __file__, "--work"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True, env=os.environ | {"HEALTHVAULT_SHARED_INPUTS": os.fspath(shared)}) as worker:
        while True:
            try:
                name = todo.get_nowait()
            except queue.Empty:
                break
            print(name, file=worker.stdin, flush=True)
            line = worker.stdout.readline()
            # A process that has died has failed, and so has what it was told to do.
            report = json.loads(line) if line else {
                "tests": 0, "skipped": 0, "seconds": 0, "processors": 0, "failed": 1, "slowest": [],
                "text": "the process ended without a report\n"}
            found[name] = report
            print(f"{'FAIL' if report['failed'] else 'ok':5}{name:45}{report['tests']:5} tests"
                  f"{report['seconds']:8.1f} s,{report['processors']:6.1f} s of processors", flush=True)
            if report["failed"]:
                print(report["text"], flush=True)
            if not line:
                return
        worker.stdin.close()


def remember(found):
    """Keeps how long the modules took for the order of the next run."""
    if SECONDS.parent.is_dir():
        seconds = last_run() | {name: round(report["seconds"], 1) for name, report in found.items()}
        SECONDS.write_text(json.dumps(seconds, indent=0, sort_keys=True))


def main(names):
    sys.path.insert(0, str(HERE))
    from vault import CACHE  # Goes away with this process.
    todo, found, start = queue.SimpleQueue(), {}, time.monotonic()
    for name in longest_first(first() if names == ["--first"] else names or modules()):
        todo.put(name)
    print(SAID, flush=True)
    threads = [threading.Thread(target=drive, args=(todo, found, CACHE)) for _ in range((os.cpu_count() or 1) + 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    remember(found)
    print("the slowest:")
    for seconds, name in sorted((test for report in found.values() for test in report["slowest"]), reverse=True)[:SLOWEST]:
        print(f"{seconds:8.1f} s  {name}")
    tests, skipped, failed = (sum(report[key] for report in found.values()) for key in ("tests", "skipped", "failed"))
    print(f"Ran {tests} tests in {time.monotonic() - start:.3f}s\n")
    print(f"FAILED (failures={failed})" if failed or not todo.empty() else f"OK (skipped={skipped})")
    return 1 if failed or not todo.empty() else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--work"]:
        work()
    else:
        sys.exit(main(sys.argv[1:]))
