#!/usr/bin/env python3
"""Runs the same commands with two builds, and prints what they answer differently: output, status, and every file written.

    same_answers.py --with FOLDER [--print] [TOPIC ...]

FOLDER has the programs of the other build, healthvault-test-main and libhealthvault-c.so, as the tests' build makes them. Those
of this one, and the generator, are where HEALTHVAULT_PROGRAMS says. The topics are the files in `commands`, and pages of the
documentation.

A line that begins with - is the other build's, one with + is this build's. The clock stands still and chance is the same for both
(`fixed.c`), so that archives are the same byte for byte.
"""
import argparse
import difflib
import itertools
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import inputs  # the path of vault
from answers import EXPORTS, HERE, Build, answers
from vault import CACHE, PROGRAMS, run

# Of a difference so many lines are shown, and of a line so many characters; so many lines are compared at all.
SHOWN, WIDTH, COMPARED = 40, 240, 1000


def text(content):
    """What is kept of a file, as lines."""
    return [f"{len(content)} bytes"] if b"\0" in content else content.decode(errors="replace").replace("},{", "},\n{").splitlines()


def around(place, line):
    """The part of a line from a little before a place on."""
    start = max(0, place - 60)
    return ("…" if start else "") + line[start:start + WIDTH] + ("…" if len(line) > start + WIDTH else "")


def differences(title, before, after):
    """What differs between two texts, like a unified diff, but with each line beside the one that it has become."""
    lines = []
    start = next((place for place, pair in enumerate(zip(before, after)) if pair[0] != pair[1]), min(len(before), len(after)))
    # What begins with the first difference is enough of a long text.
    before, after = before[start:start + COMPARED], after[start:start + COMPARED]
    for kind, *places in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        old, new = before[places[0]:places[1]], after[places[2]:places[3]]
        if kind != "equal":
            lines.append(f"@@ {title}, line {start + places[0] + 1} @@")
            for pair in itertools.zip_longest(old, new):
                place = len(os.path.commonprefix(pair)) if None not in pair else 0
                lines += [sign + around(place, line) for sign, line in zip("-+", pair) if line is not None]
    return lines[:SHOWN] + ([f"... {len(lines) - SHOWN} more lines"] if len(lines) > SHOWN else [])


def difference(one, other):
    """What differs between two answers, and in each file that both have written."""
    lines = differences("answer", other.lines, one.lines)
    for name in sorted(one.files.keys() & other.files.keys()):
        if one.files[name] != other.files[name]:
            contents = (CACHE / "contents" / answer.files[name] for answer in (other, one))
            lines += differences(name, *(text(content.read_bytes()) for content in contents))
    return lines


def of_both(topic, builds):
    return [answers(topic, build) for build in builds]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--with", dest="other", type=Path, required=True)
    # The longest come first.
    files = sorted((HERE / "commands").glob("*.txt"), key=lambda path: -path.stat().st_size)
    topics = [path.stem for path in files] + list(EXPORTS)
    parser.add_argument("--print", action="store_true", help="print all answers of this build as well")
    parser.add_argument("topics", nargs="*", default=topics, metavar="TOPIC")
    options = parser.parse_args()
    for name in "places", "contents":
        (CACHE / name).mkdir()
    made = run("gcc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", HERE / "fixed.c", "-o", CACHE / "fixed.so")
    assert made.status == 0, made.stderr
    inputs.make(CACHE / "inputs")
    builds = [Build.of(programs.resolve(), CACHE / name) for programs, name in ((PROGRAMS, "one"), (options.other, "two"))]
    count = differing = 0
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        found = [pool.submit(of_both, topic, builds) for topic in options.topics]
        for topic, result in zip(options.topics, found):
            ones, others = result.result()
            pairs = list(zip(ones, others))
            differences = [(one.command, difference(one, other)) for one, other in pairs if one != other]
            count, differing = count + len(pairs), differing + len(differences)
            if options.print:
                for one in ones:
                    print(f"\n$ {one.command}", *one.lines, sep="\n")
            print(f"{topic:20}{len(pairs):6} commands{len(differences):6} differ", flush=True)
            for command, lines in differences:
                print(f"\n$ {command}", *lines, "", sep="\n", flush=True)
    print(f"{count} commands, {differing} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
