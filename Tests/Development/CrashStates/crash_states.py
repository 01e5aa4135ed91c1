#!/usr/bin/env python3
"""Tries the states that a power loss may leave, of every command that writes, and says what is wrong with them.

    crash_states.py [--states N] [--seed N] [--without-flushes] [SCENARIO ...]

N states of each scenario and file system are tried (200), chosen by the seed; the programs are those of .build/release.
"""
import argparse
import os
import re
import sys
from concurrent.futures import ProcessPoolExecutor

from scenarios import KINDS, scenarios, tried


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--states", type=int, default=200)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--without-flushes", action="store_true")
    parser.add_argument("scenarios", nargs="*", default=list(scenarios()))
    options = parser.parse_args()
    count = violations = 0
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        flushes = not options.without_flushes
        waiting = [(name, kind, pool.submit(tried, name, kind, options.seed, options.states, flushes))
                   for name in options.scenarios for kind in KINDS]
        for name, kind, result in waiting:
            found = result.result()
            wrong = {}
            for text, what in found:
                if what:
                    wrong.setdefault(re.sub(r"/\S*/place/", "", what), []).append(text)
            number = sum(map(len, wrong.values()))
            count, violations = count + len(found), violations + number
            print(f"{name:28}{kind:6}{len(found):6} states{number:6} violations", flush=True)
            for what, texts in wrong.items():
                print(f"    {len(texts)} times, such as {texts[0]}\n        " + what.replace("\n", "\n        "), flush=True)
    print(f"{count} states, {violations} violations (seed {options.seed})")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
