"""A PostgreSQL server of the tests' own, on a socket in a folder that only it and its clients reach."""
import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

PROGRAMS = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)
MISSING = "the PostgreSQL server is not installed: make deps-test"


class Cluster:
    """A cluster with one database, which trusts the users of this computer; it runs as another user if this one is root."""

    def __init__(self):
        # A failure and no skip: what is not tested is not proved.
        assert PROGRAMS is not None, MISSING
        self.folder = Path(tempfile.mkdtemp(prefix="healthvault-postgresql-", dir="/tmp"))
        self.user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        if os.geteuid() == 0:
            shutil.chown(self.folder, self.user)
        self.folder.chmod(0o755)
        data = self.folder / "data"
        self.run("initdb", "-D", data, "-U", "tests", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
        self.run("pg_ctl", "-D", data, "-w", "-l", self.folder / "log", "-o",
                 f"-k {self.folder} -c listen_addresses='' -c fsync=off -c max_connections=20", "start")
        self.sql("CREATE DATABASE health", database="postgres")

    def run(self, program, *arguments):
        command = [PROGRAMS / program, *arguments]
        if os.geteuid() == 0:
            command = ["runuser", "-u", self.user, "--", *command]
        subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       cwd="/tmp")

    def url(self, database="health"):
        return f"postgresql:///{database}?host={self.folder}&user=tests"

    def sql(self, statement, database="health"):
        result = subprocess.run(["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-F", "\t", self.url(database),
                                 "-c", statement], check=True, capture_output=True, text=True)
        return [line.split("\t") for line in result.stdout.splitlines()]

    def empty(self):
        self.sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public")

    def close(self):
        self.run("pg_ctl", "-D", self.folder / "data", "-m", "immediate", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)
