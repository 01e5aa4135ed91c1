"""What synchronisations are held against: the samples of a document, read by another parser, what the commands answer about
it, and what is in a target."""
import collections
import datetime
import functools
import json
import os
import re
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


def answers(source):
    """What `stats`, `sleep` and `query` say of an export, as rows of the tables of a database."""
    found = {}
    for name in "stepCount", "heartRate":
        result = run(BINARY, "stats", source, name, "--by", "day", "--agg", "sum" if name == "stepCount" else "avg", "--json")
        days = json.loads(result.stdout)["intervals"] if result.status == 0 else []
        found[name] = {day["startDate"][:10]: (day["count"], day.get("sum", day.get("average")), day["isPartial"]) for day in days}
    result = run(BINARY, "sleep", source, "--json")
    nights = json.loads(result.stdout)["nights"] if result.status == 0 else []
    found["nights"] = [(night["night"], instant(night["startDate"]), instant(night["endDate"]), night["asleepSeconds"],
                        night["coreSeconds"], night["inBedSeconds"], night["gapSeconds"], night["sources"]) for night in nights]
    result = run(BINARY, "query", source, "workout", "--json")
    workouts = [json.loads(line) for line in result.stdout.splitlines()] if result.status == 0 else []
    found["workouts"] = sorted((workout["id"], instant(workout["startDate"]), workout["activity"], workout.get("durationSeconds"),
                                workout.get("distance"), workout.get("energy")) for workout in workouts)
    return found


def instant(text):
    return int(datetime.datetime.fromisoformat(text).timestamp())


def sample(element, kind, start, end, number, text, unit, source):
    if element == "Record":
        return "Record", kind, start, end, number if number is not None else text, unit, source
    return element, start


class SQLTables:
    """What the databases have in common: `rows` runs a statement and returns rows as JSON has them."""
    SAMPLES = "element, type, {}, {}, value, value_text, unit, source_name"

    def samples(self):
        columns = self.SAMPLES.format(*self.epochs("start_date", "end_date"))
        return collections.Counter(sample(*row) for row in self.rows(f"SELECT {columns} FROM health_samples"))

    def answers(self):
        """The rows of the tables of answers, as `answers` has those of an export; None if they are not said to be in step."""
        if any(zone is None for zone, in self.rows("SELECT zone FROM health_people")):
            return None
        found = {}
        for name, value in ("stepCount", "sum"), ("heartRate", "average"):
            rows = self.rows(f"SELECT day, count, {value}, is_partial FROM health_daily_values "
                             f"WHERE type = 'HKQuantityTypeIdentifier{name[0].upper() + name[1:]}'")
            # JSON has twelve digits.
            found[name] = {day: (count, float(f"{value:.12g}"), bool(is_partial)) for day, count, value, is_partial in rows}
        start, end = self.epochs("start_date", "end_date")
        nights = self.rows(f"SELECT night, {start}, {end}, asleep_seconds, core_seconds, in_bed_seconds, gap_seconds, sources "
                           "FROM health_nights ORDER BY start_date")
        found["nights"] = [(*night[:-1], json.loads(night[-1]) if isinstance(night[-1], str) else night[-1]) for night in nights]
        found["workouts"] = sorted(
            (*workout, *(amount and float(f"{amount:.12g}") for amount in amounts)) for workout, amounts in (
                (row[:3], row[3:]) for row in self.rows(
                    f"SELECT id, {start}, activity, duration_seconds, distance, energy FROM health_workouts")))
        return found

    def damage(self):
        """Deletes a record and changes another, as someone might do by hand."""
        self.rows("DELETE FROM health_samples WHERE id = (SELECT min(id) FROM health_samples)",
                  "UPDATE health_samples SET value = 1e9, source_name = 'x' WHERE id = (SELECT max(id) FROM health_samples)",
                  "UPDATE health_daily_values SET sum = 1, average = 1")

    def lose(self):
        """Removes all samples, as someone might do by hand."""
        self.rows("DROP TABLE health_samples")


class SQLite(SQLTables):
    def __init__(self, folder):
        self.path = folder / "health.db"
        self.url, self.options = f"sqlite:{self.path}", ()

    @staticmethod
    def epochs(*columns):
        return [f"unixepoch({column})" for column in columns]

    def run(self, statement):
        return self.rows(statement)

    def rows(self, *statements):
        with sqlite3.connect(self.path) as database:
            found = [database.execute(statement).fetchall() for statement in statements][-1]
        database.close()
        return found

    def versions(self, tables):
        """What tells whether a row was touched: here, its content."""
        return {table: self.rows(f"SELECT * FROM {table} ORDER BY 1, 2, 3") for table in tables}

    def uncommented(self):
        """The tables and columns without a comment."""
        lines = [line.strip() for sql, in self.rows("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name GLOB 'health_*'")
                 for line in sql.splitlines()[1:-1]]
        return [line for line in lines if not re.search(r"-- \w.*\.$", line) and not line.startswith("PRIMARY KEY")]

    def analyzed(self):
        return {table for table, in self.rows("SELECT tbl FROM sqlite_stat1")}

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

            def time(name):
                return instant(record[name]) if name in record else None

            number = record.get("value")
            if isinstance(number, int):
                number = float(number)
            found[sample(record["element"], record["type"], time("startDate"), time("endDate"), number, None,
                         record.get("unit"), record.get("sourceName"))] += 1
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


class PostgreSQL(SQLTables):
    cluster = None

    def __init__(self, _):
        if PostgreSQL.cluster is None:
            PostgreSQL.cluster = postgresql.Cluster()
        self.cluster.empty()
        self.url, self.options = self.cluster.url(), ()

    @staticmethod
    def epochs(*columns):
        return [f"extract(epoch from {column})::bigint" for column in columns]

    def run(self, statement):
        return self.cluster.sql(statement)

    def rows(self, *statements):
        *others, last = statements
        for statement in others:
            self.cluster.sql(statement)
        if not last.startswith("SELECT"):
            return self.cluster.sql(last)
        # Columns without a name have the same one, which an object would have twice.
        columns, rest = re.match("SELECT (.*?) (FROM .*)", last, re.DOTALL).groups()
        return [json.loads(row) for row, in self.cluster.sql(f"SELECT json_build_array({columns}) {rest}")]

    def versions(self, tables):
        """What tells whether a row was touched: the transactions that wrote it."""
        return {table: sorted(self.cluster.sql(f"SELECT ctid, xmin FROM {table}")) for table in tables}

    def uncommented(self):
        """The tables and columns without a comment."""
        return self.cluster.sql(
            "SELECT relname, attname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 "
            "WHERE relname LIKE 'health%' AND relkind = 'r' AND (col_description(attrelid, attnum) !~ '^[A-Z].*[.]$' "
            "OR col_description(attrelid, attnum) IS NULL OR obj_description(pg_class.oid) IS NULL)")

    def analyzed(self):
        return {table for table, in self.cluster.sql("SELECT relname FROM pg_class WHERE reltuples > 0")}

    def state(self):
        tables = self.cluster.sql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
        if tables == [["0"]]:
            return None
        return self.cluster.sql("SELECT id, xmin FROM health_samples ORDER BY 1")

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
