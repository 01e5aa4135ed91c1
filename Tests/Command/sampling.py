"""Which cases of a sweep a run takes: a part that the seed chooses, or all of them.

`make test` takes the first and the last case of a sweep, and one of each few in between. The variable
SEED chooses them: the same seed takes the same cases, and another one takes others. `make test-all` sets HEALTHVAULT_TEST_ALL,
with which every case is taken.
"""
import os
import random

ALL = bool(os.environ.get("HEALTHVAULT_TEST_ALL"))
SEED = os.environ.get("SEED") or "1"
SAID = "all cases of the sweeps" if ALL else f"a part of the sweeps, with SEED={SEED}"


def some(cases, every):
    """The cases in their order: the first, the last, and one of each `every` in between."""
    cases = list(cases)
    if ALL:
        return cases
    chance = random.Random(f"{SEED} {len(cases)}")
    inner = range(1, len(cases) - 1)
    chosen = {chance.choice(inner[start:start + every]) for start in range(0, len(inner), every)}
    return [case for number, case in enumerate(cases) if number in chosen | {0, len(cases) - 1}]
