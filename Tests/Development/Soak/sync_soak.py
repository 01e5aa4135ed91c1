"""Kills synchronisations with each kind of target at random instants: make soak-sync KILLS=500

Whatever is left is continued, and in the end the target has exactly the samples of the source.
"""
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Command"))
from synchronising.targets import FHIR, Directory, PostgreSQL, SQLite, command, sync, truth  # noqa: E402
from synchronising.test_targets import Exports  # noqa: E402
from vault import environment, run  # noqa: E402


def soak(kind, wanted, seed):
    dice = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="healthvault-soak-") as folder:
        folder = Path(folder)
        target, exports = kind(folder), Exports(folder, "300kB")
        options = ("--types", "stepCount,heartRate,bodyMass") if kind is FHIR else ()
        kills = rounds = 0
        try:
            while kills < wanted:
                source = (exports.first, exports.second)[rounds % 2]
                rounds += 1
                started = time.monotonic()
                run(*command(source, target, "--dry-run", *options))
                span = 3 * (time.monotonic() - started)
                for _ in range(20):
                    with subprocess.Popen(command(source, target, "--batch", str(dice.choice((1, 7, 50))), *options),
                                          env=environment(), stdout=subprocess.DEVNULL,
                                          stderr=subprocess.DEVNULL) as process:
                        try:
                            process.wait(dice.uniform(0, span))
                        except subprocess.TimeoutExpired:
                            process.kill()
                            kills += 1
                for _ in range(200):
                    if run(*command(source, target, "--types", "bodyMass")).status != 11:
                        break
                    time.sleep(0.05)
                sync(source, target, *options)
                if kind is FHIR:
                    identifiers = target.server.identifiers()
                    assert len(set(identifiers)) == len(identifiers), "a resource is there twice"
                    again = sync(source, target, *options)
                    assert (again["added"], again["updated"], again["deleted"]) == (0, 0, 0), again
                else:
                    assert target.samples() == truth(source.read_bytes()), "other samples than the source"
        finally:
            target.close()
    print(f"{kind.__name__}: {kills} kills in {rounds} rounds, and every time the target equals the source", flush=True)


def main():
    wanted = int(sys.argv[1])
    kinds = [SQLite, Directory, FHIR, PostgreSQL]
    try:
        for number, kind in enumerate(kinds):
            soak(kind, wanted, number)
    finally:
        PostgreSQL.stop()


if __name__ == "__main__":
    main()
