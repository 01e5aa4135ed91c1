#!/usr/bin/env python3
"""Kills exports at random instants and says what came of it.

    soak.py KILLS [SIZE] [SEED]

At least KILLS exports of a source, generated as one of SIZE (10MB) and filled up to four times that, are killed, plain and
encrypted ones by turns. It ends with an error at the first one that is not in the end what an undisturbed export is. The
programs are those of .build/release.
"""
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Command"))
from kills import Killing  # noqa: E402  (found by the line above)
from vault import dense  # noqa: E402


def main(kills, size="10MB", seed=None):
    seed = int(seed) if seed else random.randrange(1 << 32)
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="healthvault-soak-") as folder:
        folder = Path(folder)
        killing = Killing(folder, dense(size, 900).source, random.Random(seed))
        start = said = time.monotonic()
        while killing.kills < int(kills):
            killing.one(encrypt=killing.runs % 2 == 0, most=6)
            if time.monotonic() - said > 30:
                said = time.monotonic()
                print(f"{killing.kills} kills, {killing.runs} exports", flush=True)
        print(f"{killing.kills} kills in {killing.runs} exports, of which {killing.continued.total()} were continued by "
              f"their last run; all of them whole, in {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
