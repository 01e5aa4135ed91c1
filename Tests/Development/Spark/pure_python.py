"""Times the reader in Python at the steps of the archives of a study, one after the other: pure_python.py STUDY [ARCHIVES]

It runs with the system's Python, which has what the reader needs, and is given each archive's key, as a ring gives it to the Spark
source. Only the batches of steps are decrypted.
"""
import collections
import json
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Sources" / "Readers" / "Python"))
import decrypt  # noqa: E402


def batches(container):
    """The stored batches of steps, out of their bundles if they are in some."""
    for entry in container.entries:
        wanted = [inner for inner in entry.get("members", [entry]) if "StepCount" in inner["name"]]
        if not wanted:
            continue
        data = container.take(entry["offset"], entry["offset"] + entry["length"])
        if "members" in entry:
            data = decrypt.unzstd(data)
        for inner in wanted:
            part = data[inner["offset"]:inner["offset"] + inner["length"]] if "members" in entry else data
            yield decrypt.unzstd_all(part, 3 * 2**24, 3 * 2**24) if inner["name"].endswith(".zst") else part


def daily_steps(path, key):
    days = collections.Counter()
    with open(path, "rb") as file:
        for batch in batches(decrypt.Container(file, file_key=key)):
            for line in decrypt.ndjson(batch):
                row = json.loads(line)
                days[row["startDate"][:10]] += float(row["value"])
    return days


def main(study, archives=50):
    passphrase = decrypt.prepare((Path(study) / "passphrase").read_bytes())
    paths, keys = sorted((Path(study) / "archives").glob("*.hvault"))[:int(archives)], []
    for path in paths:
        with open(path, "rb") as file:
            keys.append(decrypt.Container(file, passphrase).file_key)
    start = time.process_time()
    days = sum(len(daily_steps(path, key)) for path, key in zip(paths, keys))
    print(json.dumps({"archives": len(paths), "days": days,
                      "processorMillisecondsEach": round((time.process_time() - start) * 1000 / len(paths), 2)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
