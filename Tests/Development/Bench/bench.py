#!/usr/bin/env python3
"""Measures healthvault and its peers in turns, and holds the ratios against what is claimed.

    bench.py [--size MB] [--rounds N]      everything but large exports
    bench.py --memory                      the peak of memory for exports of growing size

Prints tables, and writes the same as JSON. Installs nothing: a peer that is missing is told, and left out.
"""
import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import report
from commands import ITERATIONS, commands, not_run, start_up
from exports import KINDS, Export
from lengths import archive_sizes
from machine import Bystanders, machine
from memory import SIZES, measure_memory, memory_lines
from rounds import Failure, Stopwatch
from spread import Spread, difference
from targets import TARGETS, Measurements
from tools import Tools, output, stripped_size

ROOT = Path(__file__).resolve().parents[3]
START_UPS = 50


def positive(text):
    value = int(text)
    if value < 1:
        raise ValueError
    return value


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=positive, default=100, help="megabytes of XML (100)")
    parser.add_argument("--rounds", type=positive, default=7, help="how often everything runs (7)")
    parser.add_argument("--memory", type=positive, nargs="*", metavar="MB",
                        help=f"only the peaks of memory, for these sizes ({' '.join(map(str, SIZES))})")
    parser.add_argument("--programs", type=Path, default=ROOT / ".build" / "release",
                        help="the folder of healthvault and healthvault-generate")
    parser.add_argument("--folder", type=Path, default=ROOT / ".build" / "bench", help="where results go")
    return parser.parse_args()


def plain_parent(folder, size):
    """The file system in memory, where a plain folder fits in with room to spare; else the folder given."""
    shared = Path("/dev/shm")
    roomy = os.access(shared, os.W_OK) and shutil.disk_usage(shared).free > 2 * size * 1_000_000
    return shared if roomy else folder


def summary(command, samples):
    return {
        "command": command.text,
        "runs": len(samples),
        "wallSeconds": Spread.of(sample.wall for sample in samples)._asdict(),
        "cpuSeconds": Spread.of(sample.cpu for sample in samples)._asdict(),
        "peakBytes": Spread.of(sample.peak for sample in samples)._asdict(),
        "madeBytes": samples[-1].made,
    }


def told_derivations(samples):
    """The seconds that the program tells it derived a key, by its reports."""
    return [json.loads(sample.report)["keyDerivationSeconds"] for sample in samples.values()]


def check_underived(runs):
    """Makes sure that what is called underived is."""
    if "encryptZipUnderived" in runs and min(told_derivations(runs["encryptZipUnderived"])) > 0.05:
        raise Failure("a run without key derivation derived a key: does the program call libcrypto's PBKDF2?")


def check_answers(runs):
    """Makes sure that what an assistant read was an answer."""
    for sample in runs.get("mcpAnswer", {}).values():
        reply = json.loads(sample.report)
        if "result" not in reply or reply["result"].get("isError"):
            raise Failure("healthvault mcp did not answer")


def key_derivation(measurements):
    """What the derivation adds to an export, and what the program tells of it."""
    def added(what):
        if "encryptZipUnderived" not in measurements.runs["document"]:
            return None
        return difference(measurements.of("document", "encryptZip", what),
                          measurements.of("document", "encryptZipUnderived", what))._asdict()

    told = Spread.of(told_derivations(measurements.runs["document"]["encryptZip"]))
    return {"iterations": ITERATIONS, "cpuSeconds": added("cpu"), "wallSeconds": added("wall"),
            "toldSeconds": told._asdict()}


def measure_everything(chosen, tools, stopwatch, folder, plain_folder):
    """Runs everything in turns; the report."""
    bystanders = Bystanders()
    run_commands = {"startUp": start_up(tools)}
    runs = {"startUp": stopwatch.take_turns(run_commands["startUp"], START_UPS)}
    data = {}
    for kind in KINDS:
        export = Export(kind, chosen.size, folder / kind, tools)
        data[kind] = export.facts()
        run_commands[kind] = commands(export, tools, plain_folder)
        runs[kind] = stopwatch.take_turns(run_commands[kind], chosen.rounds, f"{chosen.size} MB, {kind}")
        check_underived(runs[kind])
        check_answers(runs[kind])
        shutil.rmtree(export.folder)
    facts = machine()
    lengths = archive_sizes(tools, folder)
    measurements = Measurements(runs, {kind: of["zipBytes"] for kind, of in data.items()}, lengths, not_run(tools),
                                facts["processors"], stripped_size(tools["healthvault"]),
                                data["document"]["heartRates"])
    return {
        "format": 1,
        "sizeMegabytes": chosen.size,
        "rounds": chosen.rounds,
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "program": {"version": output(tools["healthvault"], "--version").strip(), "path": str(tools["healthvault"])},
        "machine": facts,
        "processorsBusyWithOthers": bystanders.processors(),
        "plainFolder": str(plain_folder.parent),
        "peers": tools.versions,
        "missing": measurements.missing,
        "data": data,
        "lengths": lengths,
        "runs": {kind: {command.name: summary(command, list(runs[kind][command.name].values())) for command in of}
                 for kind, of in run_commands.items()},
        "keyDerivation": key_derivation(measurements),
        "targets": [target.row(measurements) for target in TARGETS],
    }


def write(path, value):
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n")
    print(f"\nThe same as JSON: {path}")


def run(chosen):
    chosen.folder.mkdir(parents=True, exist_ok=True)
    tools = Tools(chosen.programs.resolve(), chosen.folder / "programs")
    with ExitStack() as stack:
        def temporary(parent):
            name = stack.enter_context(tempfile.TemporaryDirectory(prefix="healthvault-bench-", dir=parent))
            return Path(name)

        folder = temporary(chosen.folder)
        stopwatch = Stopwatch(tools["measure"], folder)
        if chosen.memory is not None:
            peaks = measure_memory(stopwatch, tools, folder, chosen.memory or SIZES)
            print(*memory_lines(peaks), sep="\n")
            write(chosen.folder / "memory.json", {"format": 1, "machine": machine(), "peakBytes": peaks})
            return
        plain_folder = temporary(plain_parent(chosen.folder, chosen.size))
        found = measure_everything(chosen, tools, stopwatch, folder, plain_folder)
    print(*report.text(found), sep="\n")
    write(chosen.folder / f"{chosen.size}.json", found)


def main():
    # So that what was made for the measurement goes away.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        run(options())
    except Failure as problem:
        sys.exit(f"bench.py: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
