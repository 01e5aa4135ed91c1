#!/usr/bin/env python3
"""Kills exports at random instants and says what came of it.

    soak.py KILLS [SIZE] [SEED]

At least KILLS exports of a source, generated as one of SIZE (10MB) and filled up to four times that, are killed, plain and
encrypted ones by turns. It ends with an error at the first one that is not in the end what an undisturbed export is. The
programs are those of .build/release.
"""
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Command"))
from kills import Killing  # noqa: E402  (found by the line above)
from vault import dense, environment  # noqa: E402


class KillingAtAnyInstant(Killing):
    """Kills at random instants, in the middle of a call too, as long as an undisturbed export takes."""

    def __init__(self, folder, source, chance):
        self.seconds = {}
        super().__init__(folder, source, chance)

    def count_calls(self, encrypt):
        start = time.monotonic()
        count = super().count_calls(encrypt)
        self.seconds[encrypt] = time.monotonic() - start
        return count

    def kill_once(self, target, encrypt):
        process = subprocess.Popen(self.command(target, encrypt), cwd=self.folder, env=environment(),
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            report, message = process.communicate(timeout=self.chance.uniform(0, self.seconds[encrypt] * 1.1))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            self.kills += 1
        else:
            assert process.returncode == 0, message.decode()
            self.note(json.loads(report), encrypt)


def main(kills, size="10MB", seed=None):
    seed = int(seed) if seed else random.randrange(1 << 32)
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="healthvault-soak-") as folder:
        folder = Path(folder)
        killing = KillingAtAnyInstant(folder, dense(size, 900).source, random.Random(seed))
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
