"""Keeps a server in step with exports, and prints what is said about it and what is in it at last.

    servers.py fhir|postgresql
"""
import json
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Command"))
from synchronising.targets import FHIR, PostgreSQL  # noqa: E402  (found by the line above)
from vault import run  # noqa: E402

TYPES = ("--types", "stepCount,heartRate,bodyMass,bloodPressure,sleepAnalysis,workout")
STEPS = [line.split() for line in (
    "first.zip --dry-run", "first.zip --json", "first.zip", "later.zip --dry-run --json", "later.zip", "first.zip",
    "first.zip --allow-older --json", "latest.zip --batch 7", "latest.zip --restart --json", "changed.zip", "walks.zip",
    "latest.zip --person otto --json")]


def content(target):
    """What is in a server, as lines."""
    if isinstance(target, FHIR):
        for kind, resources in sorted(target.server.store.resources.items()):
            for resource in sorted(json.dumps(each, sort_keys=True) for each in resources.values()):
                yield f"{kind} {resource}"
        return
    columns = target.cluster.sql("SELECT table_name, column_name, data_type FROM information_schema.columns "
                                 "WHERE table_schema = 'public' ORDER BY table_name, ordinal_position")
    for column in columns:
        yield " ".join(column)
    for name in sorted({name for name, *_ in columns}):
        for row, in target.cluster.sql(f'SELECT row_to_json("{name}") FROM "{name}" ORDER BY 1::text'):
            yield f"{name} {row}"


def main(kind):
    # The command's clock stands still, and with it that of the certificates, but a database goes wrong without one.
    command = dict(os.environ)
    if kind == "postgresql":
        del os.environ["LD_PRELOAD"]
    with tempfile.TemporaryDirectory() as folder:
        target = {"fhir": FHIR, "postgresql": PostgreSQL}[kind](Path(folder))
        try:
            for source, *options in STEPS:
                result = run("healthvault", "sync", source, "--target", target.url, *target.options, *TYPES, *options,
                             env=command | {"XDG_STATE_HOME": folder})
                said = (result.stdout.decode() + result.stderr).replace(target.url, "URL")
                print(f"{' '.join((source, *options))}: {result.status}\n{said}")
            print(*content(target), sep="\n")
        finally:
            target.close()
            PostgreSQL.stop()


main(sys.argv[1])
