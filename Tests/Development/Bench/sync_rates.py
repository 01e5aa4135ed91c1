#!/usr/bin/env python3
"""How fast rows get into PostgreSQL, beside COPY of the same rows by psql in the same run.

    sync_rates.py [SIZE]

Prints the rows a second of a first synchronisation of a generated export of SIZE (100MB) and of COPY into a table with the
same key and index, the rows that one more month touches, and the peak memory. The programs are those of .build/release.
"""
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Command"))
import later_exports  # noqa: E402
from synchronising import postgresql  # noqa: E402
from vault import ENCRYPT, GENERATE, OPEN, SHIPPED, environment, run  # noqa: E402


def timed(command):
    """Runs a command; returns what it printed, its seconds, and its peak memory in MiB."""
    start = time.monotonic()
    process = subprocess.Popen(list(map(str, command)), env=environment(), stdout=subprocess.PIPE)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, process.returncode
    return output, time.monotonic() - start, usage.ru_maxrss / 1024


def touched(cluster):
    rows = cluster.sql("SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_user_tables "
                       "WHERE relname = 'health_samples'")
    return int(rows[0][0] or 0)


def write_next(export, path):
    """Writes the export as it is a month later, with all times and pointers written differently."""
    record = (b'<Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min" '
              b'startDate="2026-05-%02d %02d:%02d:00 +0000" endDate="2026-05-%02d %02d:%02d:00 +0000" value="70"/>')
    month = [record % (day, hour, minute, day, hour, minute) for day in range(1, 31) for hour in range(24)
             for minute in range(0, 60, 5)]
    path.write_bytes(later_exports.extended(later_exports.moved(later_exports.read(export), 120), *month))


def main():
    if postgresql.PROGRAMS is None:
        sys.exit(postgresql.MISSING)
    size = sys.argv[1] if len(sys.argv) > 1 else "100MB"
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        assert run(GENERATE, "-o", folder / "export.zip", "--size", size).status == 0
        assert run(SHIPPED, "export", folder / "export.zip", "-o", folder / "a.hvault", "--encrypt", "--iterations", "600000",
                   *OPEN).status == 0
        cluster = postgresql.Cluster()
        try:
            for source, options in ((folder / "export.zip", ()), (folder / "a.hvault", OPEN)):
                cluster.empty()
                command = [SHIPPED, "sync", source, "--target", cluster.url(), "--json", *options]
                output, seconds, memory = timed(command)
                rows = json.loads(output)["added"]
                print(f"first load from {source.suffix}: {rows:,} rows in {seconds:.2f} s, {rows / seconds:,.0f} rows/s, "
                      f"{memory:.0f} MiB")
            file = folder / "rows"
            cluster.sql(f"\\copy health_samples TO '{file}'")
            cluster.sql("CREATE TABLE copied (LIKE health_samples INCLUDING ALL)")
            start = time.monotonic()
            cluster.sql(f"\\copy copied FROM '{file}'")
            copying = time.monotonic() - start
            print(f"COPY by psql: {rows / copying:,.0f} rows/s; ours is {copying / seconds:.2f} of it")
            # In a process of its own: the peak of one that starts another counts as that of the other one.
            writing = multiprocessing.Process(target=write_next, args=(folder / "export.zip", folder / "next.xml"))
            writing.start()
            writing.join()
            assert writing.exitcode == 0
            before = touched(cluster)
            output, seconds, memory = timed([SHIPPED, "sync", folder / "next.xml", "--target", cluster.url(), "--json"])
            time.sleep(2)
            report = json.loads(output)
            print(f"one more month: {report['added']:,} added, {report['deleted']:,} deleted, "
                  f"{touched(cluster) - before:,} rows touched of {rows:,} in {seconds:.2f} s, {memory:.0f} MiB")
        finally:
            cluster.close()


if __name__ == "__main__":
    main()
