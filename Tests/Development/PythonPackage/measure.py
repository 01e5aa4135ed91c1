"""Measures the Python package beside other ways to the same table, in an environment with the package and pyarrow.

    measure.py --programs .build/tests/release --size 1000MB

Each figure is the best of some rounds of a new process each, which opens the archive with a key ring. Reading is timed inside the
process, without its start. What is generated lies in /var/tmp and goes away afterwards; the Parquet file is readable, and has
generated data.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
#: What each process begins with: `archive()` opens the archive, `timed` reports seconds, rows and memory of its result.
PRELUDE = """
import json, resource, sys, time
import pandas, pyarrow, pyarrow.csv, pyarrow.parquet
import healthvault
path, ring, key, parquet, passphrase = sys.argv[1:6]
COLUMNS = ["startDate", "endDate", "value", "sourceName"]
def archive():
    return healthvault.open(path, keyring=ring, key_file=key)
def peak():
    return int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1]) * 1024
def timed(body):
    before = peak()
    begin = time.perf_counter()
    rows, kept = body()
    print(json.dumps(dict(seconds=time.perf_counter() - begin, rows=rows, beside=peak() - before - kept)))
def table(read):
    found = read()
    return found.num_rows, found.nbytes
"""
CASES = {
    "the package into pyarrow, one thread":
        "timed(lambda: table(lambda: pyarrow.table(archive().samples(columns=COLUMNS, threads=0))))",
    "the package into pyarrow, threads to spare":
        "timed(lambda: table(lambda: pyarrow.table(archive().samples(columns=COLUMNS))))",
    "the package, batch by batch":
        """timed(lambda: (sum(batch.num_rows for batch in pyarrow.RecordBatchReader.from_stream(
            archive().samples(columns=COLUMNS, threads=0))), 0))""",
    "the same as Parquet, one thread":
        "pyarrow.set_cpu_count(1); timed(lambda: table(lambda: pyarrow.parquet.read_table(parquet, use_threads=False)))",
    "a month of heart rates into pandas, with opening":
        """timed(lambda: (len(pyarrow.table(
            archive().samples("heartRate", since="2024-05", until="2024-05")).to_pandas()), 0))""",
    "the same once more, with an open archive": """
a = archive()
read = lambda: (len(pyarrow.table(a.samples("heartRate", since="2024-05", until="2024-05")).to_pandas()), 0)
read()
timed(read)""",
    "query --csv of heart rates into pyarrow": """
import subprocess
def read():
    asked = subprocess.Popen([sys.argv[6], "query", path, "heartRate", "--csv", "--keyring", ring, "--key-file", key],
                             stdout=subprocess.PIPE)
    return pyarrow.csv.read_csv(asked.stdout)
timed(lambda: table(read))""",
    "the package, heart rates into pyarrow, one thread":
        "timed(lambda: table(lambda: pyarrow.table(archive().samples('heartRate', threads=0))))",
    "the reader in Python (decrypt.py), everything into files": """
import subprocess, tempfile
def read():
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        subprocess.run(["/usr/bin/python3", sys.argv[7], path, folder + "/out", "--passphrase-file", passphrase],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return 0, 0
timed(read)""",
}
SMALL = """
archive().types()
def small():
    with archive() as opened:
        return sum(len(column) for column in (opened.samples("stepCount", threads=0).to_pydict()["value"],)), 0
small()
rounds = 200
begin = time.perf_counter()
for _ in range(rounds):
    opened = archive()
    read = pyarrow.table(opened.samples("stepCount", columns=COLUMNS, threads=0))
seconds = (time.perf_counter() - begin) / rounds
print(json.dumps(dict(seconds=seconds, rows=read.num_rows, beside=0)))
"""


class Bench:
    def __init__(self, folder, programs):
        self.folder, self.programs = Path(folder), Path(programs).resolve()
        self.secret = self.folder / "passphrase"
        self.secret.write_text("correct horse battery staples")
        self.secret.chmod(0o600)
        (self.folder / "keys").mkdir()

    def run(self, program, *arguments):
        subprocess.run([self.programs / program, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    def make(self, name, size):
        """An archive of so much XML, with its ring."""
        place = self.folder / name
        place.mkdir()
        export, archives = self.folder / f"{name}.zip", place / "archives"
        archives.mkdir()
        self.run("healthvault-generate", "-o", export, "--size", size)
        path = archives / "health.hvault"
        self.run("healthvault-test-main", "export", export, "--encrypt", "-o", path, "--iterations", "100000",
                 "--passphrase-file", self.secret, "--quiet")
        export.unlink()
        key = self.folder / "keys" / f"{name}.key"
        self.run("healthvault-test-main", "keyring", "make", archives, "-o", place / "ring", "--key-file", key,
                 "--passphrase-file", self.secret)
        return path, place / "ring", key

    def measure(self, made, body, rounds, processor="0"):
        best = None
        for _ in range(rounds):
            arguments = [sys.executable, "-c", PRELUDE + body, *map(str, made), str(self.folder / "samples.parquet"),
                         str(self.secret), str(self.programs / "healthvault-test-main"),
                         str(ROOT / "Sources/Readers/Python/decrypt.py")]
            prefix = ["taskset", "-c", processor] if processor else []
            done = subprocess.run([*prefix, *arguments], check=True, capture_output=True, text=True)
            found = json.loads(done.stdout)
            best = min(best or found, found, key=lambda one: one["seconds"])
        return best


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", required=True)
    parser.add_argument("--size", default="1000MB")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    print(f"load before: {os.getloadavg()[0]:.2f}")
    with tempfile.TemporaryDirectory(prefix="healthvault-measure-", dir="/var/tmp") as folder:
        bench = Bench(folder, given.programs)
        large, small = bench.make("large", given.size), bench.make("small", "1MB")
        bench.measure(large, """
pyarrow.parquet.write_table(pyarrow.table(archive().samples(columns=COLUMNS)), parquet, compression="zstd")
print(json.dumps(dict(seconds=0)))""", 1, None)
        for name, body in CASES.items():
            rounds = 1 if "decrypt.py" in name else given.rounds
            found = bench.measure(large, body, rounds, None if "spare" in name or "query" in name else "0")
            rate = f"{found['rows'] / found['seconds'] / 1e6:6.2f} million rows a second" if found["rows"] else ""
            print(f"{name:57} {found['seconds']:8.3f} s {found['rows']:10,} rows {rate} "
                  f"{found['beside'] / 2**20:7.1f} MiB beside the table", flush=True)
        found = bench.measure(small, SMALL, given.rounds)
        print(f"{'a small archive opened and read':57} {found['seconds'] * 1000:8.3f} ms {found['rows']:9,} rows")


if __name__ == "__main__":
    main()
