"""Measures the Spark source on a cluster of its own on loopback, beside Parquet files of the same samples.

    measure.py STUDY --programs .build/tests/release --archives 100,300,1000 --executors 1,2

STUDY is a folder of `study.py` with as many archives. Each job runs once to warm up, and then `--rounds` times; the median counts.
"""
import argparse
import json
import platform
import statistics
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import healthvault
import pyarrow
import pyarrow.parquet
import pyspark
from sessions import Cluster, files, session
from study import Study

from pyspark.sql import functions
from pyspark_healthvault import read

STEPS = "HKQuantityTypeIdentifierStepCount"


def timed(job, rounds):
    """Seconds that a job takes once it has run, and its result."""
    result, found = job(), []
    for _ in range(rounds):
        start = time.perf_counter()
        job()
        found.append(time.perf_counter() - start)
    return statistics.median(found), result


def write_parquet(archive, target, keys):
    with healthvault.open(archive, **keys) as opened:
        table = pyarrow.table(opened.samples(plain=True, threads=0))
    name = pyarrow.repeat(pyarrow.scalar(Path(archive).stem), table.num_rows)
    pyarrow.parquet.write_table(table.add_column(0, "archive", name), target, compression="zstd")
    return table.num_rows


def parquet_of(study, count, keys):
    """Files of the same samples, one for each archive, where only this measurement looks."""
    folder = study.folder / "parquet"
    folder.mkdir(exist_ok=True)
    missing = [number for number in range(1, count + 1) if not (folder / f"{number:06}.parquet").exists()]
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(write_parquet, [study.path(number) for number in missing],
                      [folder / f"{number:06}.parquet" for number in missing], [keys] * len(missing)))
    return [folder / f"{number:06}.parquet" for number in range(1, count + 1)]


def jobs(spark, study, count, parquet):
    """The jobs by name: the daily steps of every participant, each as one sum so that nothing is collected."""
    listed = study.folder / f"list-{count}.txt"
    listed.write_text("".join(f"{study.path(number)}\n" for number in range(1, count + 1)))
    options = {"keyring": str(study.ring), "keyFile": str(study.key), "list": str(listed)}

    def ours(**more):
        return read(spark, None, **options, **more)

    def days(frame):
        return (frame.groupBy("archive", functions.to_date("startDate").alias("day")).agg(functions.sum("value").alias("steps"))
                .agg(functions.count("*"), functions.sum("steps")).collect()[0])

    def from_samples():
        return days(ours(types="stepCount", columns="archive,startDate,value"))

    def from_statistics():
        return (ours(table="statistics", types="stepCount", columns="archive,day,sum")
                .agg(functions.count("*"), functions.sum("sum")).collect()[0])

    def from_parquet():
        return days(spark.read.parquet(*map(str, parquet)).where(functions.col("type") == STEPS).select("archive", "startDate", "value"))

    def everything():
        return ours(columns="archive,startDate,value").agg(functions.count("*"), functions.sum("value")).collect()[0]

    def everything_from_parquet():
        return (spark.read.parquet(*map(str, parquet)).select("archive", "startDate", "value")
                .agg(functions.count("*"), functions.sum("value")).collect()[0])
    return {"samples": from_samples, "statistics": from_statistics, "parquet": from_parquet,
            "all samples": everything, "all samples, parquet": everything_from_parquet}


def small_archives(study, keys, rounds=5):
    """Milliseconds to open an archive and read all its samples, for one of 70 kB and for one of a megabyte."""
    found = {}
    with tempfile.TemporaryDirectory(dir=study.folder) as folder:
        small = Study(folder, study.programs)
        small.make(50, "2MB", sources=5)
        small.make_ring()
        for name, some in (("small", small), ("large", study)):
            paths = [some.path(number) for number in range(1, 51)]
            mine = {"keyring": str(some.ring), "key_file": str(some.key)}

            def opened():
                for path in paths:
                    healthvault.open(path, **mine).close()

            def all_read():
                rows = 0
                for path in paths:
                    with healthvault.open(path, **mine) as archive:
                        table = archive.samples(columns=("startDate", "value"), plain=True, threads=0)
                        rows += sum(batch.num_rows for batch in pyarrow.RecordBatchReader.from_stream(table))
                return rows
            found[name] = {
                "bytes": round(statistics.mean(path.stat().st_size for path in paths)), "rows": all_read() // 50,
                "openMilliseconds": round(timed(opened, rounds)[0] * 20, 2),
                "readMilliseconds": round(timed(all_read, rounds)[0] * 20, 2)}
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("study")
    parser.add_argument("--programs", required=True)
    parser.add_argument("--archives", default="100,300,1000")
    parser.add_argument("--executors", default="1,2")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    study = Study(given.study, given.programs)
    counts = [int(count) for count in given.archives.split(",")]
    keys = {"keyring": str(study.ring), "key_file": str(study.key)}
    start = time.perf_counter()
    ring = study.make_ring()
    print(json.dumps({"ring": ring | {"failures": len(ring["failures"])}, "seconds": round(time.perf_counter() - start, 1),
                      "pyspark": pyspark.__version__, "pyarrow": pyarrow.__version__, "python": platform.python_version()}))
    print(json.dumps(small_archives(study, keys)), flush=True)
    parquet = parquet_of(study, max(counts), keys)
    print(json.dumps({"archiveBytes": sum(study.path(number).stat().st_size for number in range(1, max(counts) + 1)),
                      "parquetBytes": sum(path.stat().st_size for path in parquet)}), flush=True)
    for executors in map(int, given.executors.split(",")):
        with tempfile.TemporaryDirectory(dir=study.folder) as folder, Cluster(Path(folder) / "cluster", executors) as cluster:
            conf = cluster.settings(**{"spark.cores.max": str(executors), "spark.executorEnv.HEALTHVAULT_LOG": "debug"})
            with session(cluster.url, conf) as spark:
                for count in counts:
                    results, seconds = {}, {}
                    for name, job in jobs(spark, study, count, parquet[:count]).items():
                        taken, result = timed(job, given.rounds)
                        results[name], seconds[name] = tuple(result), round(taken, 2)
                    assert results["samples"][0] == results["parquet"][0], results
                    assert abs(results["samples"][1] / results["parquet"][1] - 1) < 1e-12, results
                    assert results["all samples"][0] == results["all samples, parquet"][0], results
                    print(json.dumps({"executors": executors, "archives": count, "seconds": seconds,
                                      "samples": results["all samples"][0], "days": results["samples"][0]}), flush=True)
            logs = b"".join(data for path, data in files(Path(folder)) if path.name == "stderr")
            print(json.dumps({"executors": executors, "opened": logs.count(b"opened archive "),
                              "derived": logs.count(b"derived a key")}), flush=True)


if __name__ == "__main__":
    sys.exit(main())
