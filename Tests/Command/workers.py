"""Runs all tests of the commands, in as many processes as there are processors.

    /usr/bin/python3 Tests/Command/workers.py [MODULE ...]

Most tests wait for a key derivation or a process that they have started, and none needs another one. Each process makes
what several tests share once, and takes the next module when it is done with one.
"""
import io
import json
import os
import queue
import subprocess
import sys
import threading
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent


def modules():
    """The names of all modules with tests, those with the most text first: they tend to take the longest."""
    paths = sorted(HERE.glob("*/test_*.py"), key=lambda path: -path.stat().st_size)
    return [f"{path.parent.name}.{path.stem}" for path in paths]


def work():
    """Runs the modules that are named on standard input, and reports each in a line of JSON."""
    sys.path.insert(0, str(HERE))
    # What a test prints goes elsewhere than the reports.
    reports = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        text = io.StringIO()
        start = time.monotonic()
        result = unittest.TextTestRunner(text).run(unittest.defaultTestLoader.loadTestsFromName(line.strip()))
        report = {"tests": result.testsRun, "skipped": len(result.skipped), "seconds": time.monotonic() - start,
                  "failed": 0 if result.wasSuccessful() else len(result.failures) + len(result.errors) or 1,
                  "text": text.getvalue()}
        print(json.dumps(report), file=reports, flush=True)


def drive(todo, found):
    """Has a process of its own run one module after the other."""
    with subprocess.Popen([sys.executable, "-B", __file__, "--work"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as worker:
        while True:
            try:
                name = todo.get_nowait()
            except queue.Empty:
                break
            print(name, file=worker.stdin, flush=True)
            line = worker.stdout.readline()
            # A process that has died has failed, and so has what it was told to do.
            report = json.loads(line) if line else {"tests": 0, "skipped": 0, "seconds": 0, "failed": 1,
                                                    "text": "the process ended without a report\n"}
            found.append(report)
            print(f"{'FAIL' if report['failed'] else 'ok':5}{name:45}{report['tests']:5} tests"
                  f"{report['seconds']:8.1f} s", flush=True)
            if report["failed"]:
                print(report["text"], flush=True)
            if not line:
                return
        worker.stdin.close()


def main(names):
    todo, found, start = queue.SimpleQueue(), [], time.monotonic()
    for name in names or modules():
        todo.put(name)
    threads = [threading.Thread(target=drive, args=(todo, found)) for _ in range(os.cpu_count() or 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tests, skipped, failed = (sum(report[key] for report in found) for key in ("tests", "skipped", "failed"))
    print(f"Ran {tests} tests in {time.monotonic() - start:.3f}s\n")
    print(f"FAILED (failures={failed})" if failed or not todo.empty() else f"OK (skipped={skipped})")
    return 1 if failed or not todo.empty() else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--work"]:
        work()
    else:
        sys.exit(main(sys.argv[1:]))
