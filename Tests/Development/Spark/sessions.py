"""Sessions of Spark for the tests: in this process, and on a cluster of its own on loopback."""
import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pyspark

ENCRYPTED = {"spark.io.encryption.enabled": "true"}
HOME = Path(pyspark.__file__).parent
#: After so many seconds something hangs, on a computer as slow as may be.
PATIENCE = 600


def settings(folder, **more):
    """Settings of a session whose temporary files are all in a folder."""
    local = Path(folder) / "local"
    local.mkdir(parents=True, exist_ok=True)
    return {
        "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.sql.session.timeZone": "UTC",
        "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", "spark.local.dir": str(local),
        "spark.sql.warehouse.dir": str(Path(folder) / "warehouse"), "spark.sql.shuffle.partitions": "4",
        "spark.python.worker.faulthandler.enabled": "true", **ENCRYPTED, **more}


@contextlib.contextmanager
def session(master, conf):
    from pyspark import SparkContext
    from pyspark.sql import SparkSession
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(master).appName("healthvault")
    for name, value in conf.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    try:
        yield spark
    finally:
        spark.stop()
        # The virtual machine keeps the settings that it was started with: each session gets one of its own.
        gateway, SparkContext._gateway, SparkContext._jvm = SparkContext._gateway, None, None
        gateway.shutdown()
        with gateway.proc:
            gateway.proc.stdin.close()


class Cluster:
    """A standalone master with workers, all on loopback, with authentication and encryption."""

    def __init__(self, folder, workers, memory="1g"):
        self.folder, self.processes = Path(folder), []
        self.logs = self.folder / "logs"
        self.logs.mkdir(parents=True)
        self.secret = secrets.token_hex(32)
        self.conf = self.folder / "spark.conf"
        self.conf.touch(0o600)
        shared = {"spark.authenticate": "true", "spark.authenticate.secret": self.secret,
                  "spark.network.crypto.enabled": "true", **ENCRYPTED}
        self.conf.write_text("".join(f"{name} {value}\n" for name, value in shared.items()))
        self.shared = shared
        self.port = free_port()
        self.start("master", "master.Master", "--host", "127.0.0.1", "--port", self.port, "--webui-port", free_port())
        self.wait_for("master", "I have been elected leader")
        self.memory, self.workers = memory, {}
        for number in range(workers):
            self.start_worker(number)
        for number in range(workers):
            self.wait_for_worker(number)

    @property
    def url(self):
        return f"spark://127.0.0.1:{self.port}"

    def settings(self, memory="1g", **more):
        return settings(self.folder, **self.shared, **{"spark.executor.memory": memory, "spark.executor.cores": "1"}, **more)

    def start_worker(self, number):
        self.workers[number] = self.start(
            f"worker{number}", "worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", self.memory,
            "--webui-port", free_port(), "--work-dir", self.folder / f"work{number}", self.url)

    def wait_for_worker(self, number):
        self.wait_for(f"worker{number}", "Successfully registered with master")

    def kill_worker(self):
        """Kills a worker together with its executors; returns its number."""
        number, process = self.workers.popitem()
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self.processes.remove(process)
        return number

    def start(self, name, kind, *arguments):
        local = self.folder / f"local-{name}"
        local.mkdir()
        environment = os.environ | {
            "SPARK_LOCAL_DIRS": str(local), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable,
            "SPARK_NO_DAEMONIZE": "1"}
        command = [HOME / "bin" / "spark-class", f"org.apache.spark.deploy.{kind}", "--properties-file", self.conf, *arguments]
        with open(self.logs / name, "w") as log:
            process = subprocess.Popen(
                [str(part) for part in command], env=environment, stdout=log, stderr=log, start_new_session=True)
        self.processes.append(process)
        return process

    def wait_for(self, name, text):
        until = time.monotonic() + PATIENCE
        while text not in (self.logs / name).read_text():
            assert time.monotonic() < until, (self.logs / name).read_text()[-3000:]
            time.sleep(0.1)

    def executors(self):
        """The processes of executors of this cluster's workers."""
        groups, found = {process.pid for process in self.processes}, []
        for place in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                command = (place / "cmdline").read_bytes().split(b"\0")
                if (b"org.apache.spark.executor.CoarseGrainedExecutorBackend" in command
                        and os.getpgid(int(place.name)) in groups):
                    found.append(int(place.name))
        return found

    def stop(self):
        for process in self.processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.stop()


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def files(*folders):
    """All files below folders, with their bytes; an executor that ends may remove some meanwhile."""
    for folder in folders:
        for place, _, names in os.walk(folder):
            for path in sorted(Path(place, name) for name in names):
                with contextlib.suppress(FileNotFoundError):
                    if path.is_file():
                        yield path, path.read_bytes()
