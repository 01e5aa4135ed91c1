"""What synchronisations are held against: the samples of a document, read by another parser, and what is in a target."""
import collections
import datetime
import functools
import json
import os
import shutil
import sqlite3
import xml.etree.ElementTree as ElementTree

from vault import BINARY, run

from . import postgresql
from .fhir_server import FHIRServer

TIME = "%Y-%m-%d %H:%M:%S %z"


def seconds(text):
    return None if text is None else int(datetime.datetime.strptime(text, TIME).timestamp())


def value(text):
    try:
        number = float(text)
        return number if abs(number) != float("inf") and number == number else text
    except (TypeError, ValueError):
        return text


@functools.cache
def truth(document):
    """The samples of a document: each record by its content, all other elements by their names and starts."""
    samples = collections.Counter()
    for element in ElementTree.fromstring(document):
        if element.tag in ("ExportDate", "Me"):
            continue
        get = element.get
        if element.tag == "Record":
            samples[("Record", get("type"), seconds(get("startDate")), seconds(get("endDate")), value(get("value")),
                     get("unit"), get("sourceName"))] += 1
        else:
            samples[(element.tag, seconds(get("startDate")))] += 1
    return samples


def sample(element, kind, start, end, number, text, unit, source):
    if element == "Record":
        return "Record", kind, start, end, number if number is not None else text, unit, source
    return element, start


class SQLite:
    def __init__(self, folder):
        self.path = folder / "health.db"
        self.url, self.options = f"sqlite:{self.path}", ()

    def samples(self):
        with sqlite3.connect(self.path) as database:
            rows = database.execute("SELECT element, type, start_seconds, end_seconds, value, value_text, unit, source "
                                    "FROM health_sample").fetchall()
        database.close()
        return collections.Counter(sample(*row) for row in rows)

    def damage(self):
        """Deletes a record and changes another, as someone might do by hand."""
        with sqlite3.connect(self.path) as database:
            database.execute("DELETE FROM health_sample WHERE id = (SELECT min(id) FROM health_sample)")
            database.execute("UPDATE health_sample SET value = 1e9, source = 'x' WHERE id = "
                             "(SELECT max(id) FROM health_sample)")
        database.close()

    def lose(self):
        """Removes all samples, as someone might do by hand."""
        with sqlite3.connect(self.path) as database:
            database.execute("DROP TABLE health_sample")
        database.close()

    def state(self):
        return self.path.read_bytes() if self.path.exists() else None

    def close(self):
        pass


class Directory:
    def __init__(self, folder):
        self.path = folder / "samples"
        self.url, self.options = f"dir:{self.path}", ()

    def files(self):
        return [path for path in self.path.glob("*/*/*.json") if not path.parts[-3].startswith(".")]

    def samples(self):
        found = collections.Counter()
        for path in self.files():
            record = json.loads(path.read_bytes())
            assert path.name == record["id"] + ".json"

            def instant(name):
                text = record.get(name)
                return None if text is None else int(datetime.datetime.fromisoformat(text).timestamp())

            number = record.get("value")
            if isinstance(number, int):
                number = float(number)
            found[sample(record["element"], record["type"], instant("start"), instant("end"), number, None,
                         record.get("unit"), record.get("source"))] += 1
        return found

    def damage(self):
        paths = sorted(self.files())
        paths[0].unlink()
        paths[-1].write_text("{}")

    def lose(self):
        for path in self.path.iterdir():
            if not path.name.startswith("."):
                shutil.rmtree(path)

    def state(self):
        return sorted((os.fspath(path), path.read_bytes()) for path in self.path.rglob("*") if path.is_file())

    def close(self):
        pass


class PostgreSQL:
    cluster = None

    def __init__(self, _):
        if PostgreSQL.cluster is None:
            PostgreSQL.cluster = postgresql.Cluster()
        self.cluster.empty()
        self.url, self.options = self.cluster.url(), ()

    COLUMNS = ("element, type, extract(epoch from start_time)::bigint, extract(epoch from end_time)::bigint, value, "
               "value_text, unit, source")

    def samples(self):
        rows = self.cluster.sql(f"SELECT json_build_array({self.COLUMNS}) FROM health_sample")
        found = collections.Counter()
        for row in rows:
            element, kind, start, end, number, *rest = json.loads(row[0])
            found[sample(element, kind, start, end, None if number is None else float(number), *rest)] += 1
        return found

    def damage(self):
        self.cluster.sql("DELETE FROM health_sample WHERE id = (SELECT min(id) FROM health_sample)")
        self.cluster.sql("UPDATE health_sample SET value = 1e9, source = 'x' WHERE id = "
                         "(SELECT max(id) FROM health_sample)")

    def lose(self):
        self.cluster.sql("DROP TABLE health_sample")

    def state(self):
        tables = self.cluster.sql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
        if tables == [["0"]]:
            return None
        return self.cluster.sql("SELECT id, xmin FROM health_sample ORDER BY 1")

    def close(self):
        pass

    @classmethod
    def stop(cls):
        if cls.cluster is not None:
            cls.cluster.close()
            cls.cluster = None


class FHIR:
    """Resources are held against the identifiers of the samples, as the values are the concern of other tests."""

    def __init__(self, folder):
        self.server = FHIRServer(folder)
        token = folder / "token"
        token.write_text(FHIRServer.TOKEN + "\n")
        self.url = "fhir+" + self.server.base
        self.options = ("--token-file", token, "--ca-file", self.server.authority)

    def samples(self):
        return collections.Counter(self.server.identifiers())

    def state(self):
        return json.dumps(self.server.store.resources)

    def close(self):
        self.server.close()


def command(source, target, *options):
    return [os.fspath(part) for part in (BINARY, "sync", source, "--target", target.url, *target.options, *options)]


def sync(source, target, *options):
    """Synchronises, and returns the report."""
    result = run(*command(source, target, "--json", *options))
    assert result.status == 0, (result.status, result.stderr)
    return json.loads(result.stdout)
