"""Databases and folders that are kept in step with exports."""
import collections
import functools
import json
import os
import random
import shutil
import signal
import socket
import struct
import subprocess
import threading
import time
import unittest
from pathlib import Path

import later_exports
from vault import BINARY, CommandTest, ENCRYPT, ITERATIONS, OPEN, environment, generated, run

from .targets import Directory, PostgreSQL, SQLTables, SQLite, answers, command, sync, truth


def tearDownModule():
    PostgreSQL.stop()


class Exports:
    """An export, and a later one of the same phone: some samples are gone, some are new, all are written differently."""

    def __init__(self, folder, size="300kB"):
        self.first, self.second = folder / "first.xml", folder / "second.xml"
        for path, document in zip((self.first, self.second), self.documents(size)):
            path.write_bytes(document)

    @staticmethod
    @functools.cache
    def documents(size):
        document = later_exports.read(generated("ordinary", "14", size).zip)
        # Members of correlations are there twice.
        gone = random.Random(1).sample([line for line in document.splitlines() if line.startswith(b" <Record")
                                        and line.endswith(b"/>") and b"BloodPressure" not in line
                                        and b"Dietary" not in line], 20)
        later = later_exports.moved(later_exports.without(document, *gone), 330)
        record = (b'<Record type="HKQuantityTypeIdentifierStepCount" sourceName="Tab\t&amp; \\N" unit="count" '
                  b'creationDate="2026-05-%02d 10:00:00 +0530" startDate="2026-05-%02d 09:00:00 +0530" '
                  b'endDate="2026-05-%02d 09:10:00 +0530" value="%d"/>')
        # Exact copies count each.
        new = [record % (day, day, day, 70) for day in range(1, 29)] + [record % (1, 1, 1, 70)]
        return document, later_exports.dated(later_exports.extended(later, *new))


EMPTY = b'<HealthData locale="en_GB">\n <ExportDate value="2027-01-01 00:00:00 +0000"/>\n</HealthData>\n'


class TargetTests:
    """What is true of every target; a subclass names its kind."""
    # Whether a target keeps the samples of several people apart.
    has_people = True

    def write(self, name, document):
        path = self.folder / name
        path.write_bytes(document)
        return path

    def other(self):
        """The export of another person."""
        return self.write("other.xml", later_exports.read(generated("ordinary", "14", "60kB", "--seed", "2").zip))

    def refused(self, source, *options):
        """Holds that an export is refused, and leaves the target as it is; returns the message."""
        before = self.target.state()
        result = run(*command(source, self.target, *options))
        self.assertEqual((result.status, self.target.state()), (2, before), result.stderr)
        return result.stderr

    def test_an_older_export_is_refused_unless_told(self):
        sync(self.exports.second, self.target)
        self.assertIn("--allow-older", self.refused(self.exports.first))
        sync(self.exports.first, self.target, "--allow-older")
        self.check(self.exports.first)

    def test_an_export_that_lacks_most_is_refused_unless_told(self):
        sync(self.exports.first, self.target)
        document = self.exports.first.read_bytes()
        records = [line for line in document.splitlines() if line.startswith(b" <Record") and line.endswith(b"/>")]
        few = self.write("few.xml", later_exports.dated(later_exports.without(document, *records)))
        empty = self.write("empty.xml", EMPTY)
        for source in few, empty:
            self.assertIn("--allow-deletions", self.refused(source))
            self.refused(source, "--dry-run")
        sync(few, self.target, "--allow-deletions")
        self.check(few)
        sync(empty, self.target, "--allow-deletions")
        self.check(empty)

    def test_another_person_is_kept_apart_or_refused(self):
        other = self.other()
        sync(self.exports.first, self.target)
        if not self.has_people:
            self.assertIn("another person's", self.refused(other))
            self.refused(other, "--person", "Ben")
            return
        report = sync(other, self.target)
        self.assertEqual(report["deleted"], 0)
        both = truth(self.exports.first.read_bytes()) + truth(other.read_bytes())
        self.assertEqual(self.target.samples(), both)
        # Each is found again, whoever comes next, and has rows of its own.
        self.assertEqual(sync(other, self.target, "--person", report["person"])["added"], 0)
        later = sync(self.exports.second, self.target)
        self.assertNotEqual(later["person"], report["person"])
        self.assertEqual(self.target.samples(), truth(self.exports.second.read_bytes()) + truth(other.read_bytes()))
        self.assertEqual(sum((sync(source, self.target)[key] for source in (other, self.exports.second)
                              for key in ("added", "updated", "deleted"))), 0)

    def test_a_person_has_the_name_that_is_given(self):
        self.assertEqual(sync(self.exports.first, self.target, "--person", "Anna")["person"], "Anna")
        self.assertEqual(sync(self.exports.second, self.target)["person"], "Anna")
        self.assertIn("Anna", self.refused(self.other(), "--person", "Ben") if not self.has_people else "Anna")
        # A name does not make it right to delete everything.
        self.refused(self.other(), "--person", "Anna", "--allow-older")
        self.check(self.exports.second)

    def test_an_interrupted_reset_mixes_nobody(self):
        sync(self.exports.first, self.target, "--person", "Anna")
        span = self.target_time(self.exports.first, "--restart")
        for part in 0.2, 0.5, 0.8:
            with subprocess.Popen(command(self.exports.first, self.target, "--restart", "--batch", "20"), env=environment(),
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                try:
                    process.wait(span * part)
                except subprocess.TimeoutExpired:
                    process.kill()
        self.await_release()
        if not self.has_people:
            self.refused(self.other())
        sync(self.exports.first, self.target)
        self.check(self.exports.first)

    def target_time(self, source, *options):
        started = time.monotonic()
        sync(source, self.target, *options)
        return time.monotonic() - started

    def test_a_part_of_which_nothing_is_there_needs_a_name(self):
        sync(self.exports.first, self.target, "--types", "heartRate")
        self.vault("encrypt", self.exports.first, "-o", "part.hvault", "--types", "stepCount", *ITERATIONS, *OPEN)
        self.assertIn("--person", self.refused(self.folder / "part.hvault", *OPEN))

    def test_a_target_that_someone_has_emptied_is_filled_again(self):
        sync(self.exports.first, self.target)
        self.target.lose()
        sync(self.exports.first, self.target)
        self.check(self.exports.first)

    def setUp(self):
        super().setUp()
        self.folder = Path(self.folder)
        self.target = self.kind(self.folder)
        self.addCleanup(self.target.close)
        self.exports = Exports(self.folder)

    def check(self, source):
        self.assertEqual(self.target.samples(), truth(source.read_bytes()))
        if isinstance(self.target, SQLTables):
            found, expected = self.target.answers(), answers(source)
            self.assertIsNotNone(found)
            for name, rows in expected.items():
                self.assertEqual(found[name], rows, name)

    def test_a_part_of_an_export_deletes_nothing(self):
        self.vault("encrypt", self.exports.first, "-o", "part.hvault", "--types", "stepCount", *ITERATIONS, *OPEN)
        self.assertEqual(run(*command(self.exports.first, self.target), cwd=self.folder).status, 0)
        result = run(*command(self.folder / "part.hvault", self.target, *OPEN), cwd=self.folder)
        self.assertEqual(result.status, 0, result.stderr)
        self.assertIn("nothing was deleted", result.stderr)
        self.check(self.exports.first)

    def test_one_export_after_the_other(self):
        first = truth(self.exports.first.read_bytes())
        self.assertEqual(sync(self.exports.first, self.target, "--dry-run")["added"], first.total())
        self.assertFalse(self.target.state())
        self.assertEqual(sync(self.exports.first, self.target)["added"], first.total())
        self.check(self.exports.first)
        before = self.target.state()
        again = sync(self.exports.first, self.target)
        self.assertEqual((again["added"], again["updated"], again["deleted"]), (0, 0, 0))
        second = truth(self.exports.second.read_bytes())
        dry = sync(self.exports.second, self.target, "--dry-run")
        self.assertEqual(self.target.state(), before)
        report = sync(self.exports.second, self.target, "--batch", "7")
        self.assertEqual(report["added"], (second - first).total())
        self.assertEqual(report["deleted"], (first - second).total())
        self.assertEqual((dry["added"], dry["deleted"]), (report["added"], report["deleted"]))
        self.check(self.exports.second)

    def test_types_are_synchronised_alone(self):
        sync(self.exports.first, self.target, "--types", "stepCount")
        wanted = {each: count for each, count in truth(self.exports.first.read_bytes()).items()
                  if each[:2] == ("Record", "HKQuantityTypeIdentifierStepCount")}
        self.assertEqual(self.target.samples(), collections.Counter(wanted))
        sync(self.exports.first, self.target)
        self.check(self.exports.first)

    def test_a_target_changed_by_hand(self):
        sync(self.exports.first, self.target)
        self.target.damage()
        self.assertNotEqual(self.target.samples() if self.kind is not Directory else None,
                            truth(self.exports.first.read_bytes()))
        report = sync(self.exports.first, self.target, "--restart")
        self.assertEqual((report["added"], report["deleted"]), (1, 0))
        self.check(self.exports.first)

    def test_samples_that_the_target_cannot_hold_are_left_out(self):
        source, fine = self.folder / "odd.xml", self.folder / "fine.xml"
        record = ('<Record type="{}" sourceName="x" unit="count" startDate="{} 00:00:00 +0100" '
                  'endDate="2019-05-02 09:{:02}:00 +0000" value="7"/>\n')
        # Letters that PostgreSQL cannot compress into an index.
        long = "".join(random.Random(1).choices("abcdefghijklmnopqrstuvwxyz", k=9000))
        steps = "HKQuantityTypeIdentifierStepCount"
        good = [record.format(steps, "2019-05-01", minute) for minute in range(9)]
        odd = {"year": record.format(steps, "0001-01-01", 10), "name": record.format(long, "2019-05-01", 11)}
        for path, records in (source, good + list(odd.values())), (fine, good):
            path.write_text('<HealthData locale="en_GB">\n <ExportDate value="2020-01-01 00:00:00 +0000"/>\n'
                            + "".join(records) + "</HealthData>\n")
        for _ in range(2):
            result = run(*command(source, self.target, "--json"))
            self.assertEqual(result.status, 3 if self.left_out else 0, result.stderr)
            report = json.loads(result.stdout)
            self.assertEqual(report["leftOut"], len(self.left_out))
        self.assertEqual((report["added"], report["updated"], report["deleted"]), (0, 0, 0))
        result = run(*command(source, self.target))
        self.assertEqual("left out, which the target cannot store" in result.stderr, bool(self.left_out))
        self.assertEqual(b"up to date" in result.stdout, not self.left_out)
        report = sync(fine, self.target)
        self.assertEqual((report["added"], report["deleted"], report["leftOut"]), (0, len(odd) - len(self.left_out), 0))
        self.check(fine)

    def test_killed_at_any_instant(self):
        kills = 0
        dice = random.Random(len(self.target.url))
        for source in [self.exports.first, self.exports.second, self.exports.first]:
            started = time.monotonic()
            run(*command(source, self.target, "--dry-run"))
            span = 2 * (time.monotonic() - started)
            for _ in range(5):
                with subprocess.Popen(command(source, self.target, "--batch", "20", "--allow-older"), env=environment(),
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                    try:
                        process.wait(dice.uniform(0, span))
                    except subprocess.TimeoutExpired:
                        process.kill()
                        kills += 1
                self.await_release()
            sync(source, self.target, "--allow-older")
            self.check(source)
        self.assertGreater(kills, 0)

    def await_release(self):
        """Waits until the server has noticed that the process is gone."""
        for _ in range(500):
            if run(*command(self.exports.first, self.target, "--types", "bodyMass")).status != 11:
                return
            time.sleep(0.02)
        self.fail("the target stays locked")

    def test_two_at_once(self):
        processes = [subprocess.Popen(command(source, self.target, "--json", "--batch", "5"), env=environment(),
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                     for source in (self.exports.first, self.exports.first)]
        results = [process.communicate() for process in processes]
        statuses = [process.returncode for process in processes]
        self.assertIn(0, statuses, results)
        self.assertLessEqual(set(statuses), {0, 11}, results)
        self.check(self.exports.first)

    def test_an_interruption_ends_between_two_batches(self):
        statuses = []
        for milliseconds in range(20, 2000, 20):
            with subprocess.Popen(command(self.exports.first, self.target, "--batch", "1"), env=environment(),
                                  stderr=subprocess.PIPE) as process:
                time.sleep(milliseconds / 1000)
                process.send_signal(signal.SIGINT)
                message = process.communicate()[1].decode()
            # Before the command catches the signal, it ends at once; while it waits for a lock to be released, with 11.
            self.assertIn(process.returncode, (0, 11, 130, -signal.SIGINT), message)
            statuses.append(process.returncode)
            if process.returncode in (0, 130):
                break
        self.assertEqual(statuses[-1], 130, statuses)
        self.await_release()
        sync(self.exports.first, self.target)
        self.check(self.exports.first)


class Databases(TargetTests, CommandTest):
    kind, left_out = SQLite, ()

    def test_standard_input_is_read_once(self):
        for source in self.exports.first, self.exports.second:
            result = run(*command("-", self.target), input=source.read_bytes())
            self.assertEqual(result.status, 0, result.stderr)
            self.check(source)

    def test_a_file_of_something_else(self):
        self.target.path.write_text("Dear " * 1000)
        for options in ((), ("--dry-run",)):
            result = run(*command(self.exports.first, self.target, *options))
            self.assertEqual(result.status, 16)
            self.assertIn("did not write", result.stderr)
        self.assertEqual(self.target.path.read_text(), "Dear " * 1000)


class Folders(TargetTests, CommandTest):
    kind, left_out = Directory, ("name",)
    has_people = False

    def test_a_file_in_place_of_the_folder(self):
        self.target.path.write_text("Dear")
        for options in ((), ("--dry-run",)):
            result = run(*command(self.exports.first, self.target, *options))
            self.assertEqual(result.status, 16)
            self.assertIn("did not write", result.stderr)
        self.assertEqual(self.target.path.read_text(), "Dear")

    def test_a_folder_of_something_else(self):
        self.target.path.mkdir()
        (self.target.path / "letter").write_text("Dear")
        for options in ((), ("--dry-run",)):
            result = run(*command(self.exports.first, self.target, *options))
            self.assertIn("did not write", result.stderr)
        self.assertEqual([path.name for path in self.target.path.iterdir()], ["letter"])


class PlainServer:
    """A PostgreSQL server that cannot encrypt, and collects what clients send it nevertheless."""

    def __init__(self, address):
        self.greetings, self.socket = [], socket.create_server((address, 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            with client:
                greeting = client.recv(4096)
                if greeting == struct.pack("!II", 8, 80877103):
                    client.sendall(b"N")
                    greeting = client.recv(4096)
                if greeting:
                    self.greetings.append(greeting)
                    client.sendall(self.message(b"R", bytes(4)) + self.message(
                        b"N", b"SNOTICE\0VNOTICE\0C00000\0Mheart rate \x1b[31m72\0\0") + self.message(b"Z", b"I"))

    @staticmethod
    def message(kind, content):
        return kind + struct.pack("!I", 4 + len(content)) + content

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


class PostgreSQLServers(TargetTests, CommandTest):
    kind, left_out = PostgreSQL, ("year", "name")

    # SECURITY.md: "no error contains them or a health value"
    def test_errors_have_no_values(self):
        sync(self.exports.first, self.target)
        self.target.cluster.sql("ALTER TABLE health_samples ADD CHECK (value < -1) NOT VALID")
        result = run(*command(self.exports.second, self.target))
        self.assertEqual(result.status, 1)
        self.assertIn("SQLSTATE 23514", result.stderr)
        for secret in ("HKQuantity", "2026-05", "Failing row"):
            self.assertNotIn(secret, result.stderr)

    def test_what_a_server_lacks_is_said_in_words(self):
        cluster = self.target.cluster
        cluster.sql("DROP ROLE IF EXISTS stranger; CREATE ROLE stranger LOGIN; GRANT USAGE ON SCHEMA public TO stranger")
        self.addCleanup(cluster.sql, "DROP OWNED BY stranger; DROP ROLE stranger")
        for url, said in ((cluster.url("nowhere"), ("no database of this name", "create it")),
                          (cluster.url().replace("user=tests", "user=stranger"), ("no permission", "GRANT"))):
            result = run(BINARY, "sync", self.exports.first, "--target", url)
            self.assertEqual(result.status, 1, result.stderr)
            for words in said:
                self.assertIn(words, result.stderr)
        sync(self.exports.first, self.target)
        for state, status, words in (("57P01", 75, "shutting down"), ("53100", 15, "no room left"), ("53300", 75, "no connection left")):
            cluster.sql("CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'x' "
                        f"USING ERRCODE = '{state}'; END $$")
            cluster.sql("CREATE OR REPLACE TRIGGER fail BEFORE INSERT ON health_samples FOR EACH ROW EXECUTE FUNCTION fail()")
            result = run(*command(self.exports.second, self.target))
            self.assertEqual(result.status, status, result.stderr)
            self.assertIn(words, result.stderr)

    def test_rows_that_someone_else_adds_at_the_same_time(self):
        sync(self.exports.first, self.target, "--types", "bodyMass")
        # The first row that is added is there by then; a sequence remembers that it was, a transaction does not.
        self.target.cluster.sql("CREATE SEQUENCE once")
        self.target.cluster.sql(
            "CREATE FUNCTION interfere() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$ BEGIN IF nextval('once') = 1 THEN "
            "INSERT INTO health_samples (person, id, type, element) VALUES (NEW.person, NEW.id, 'x', 'x'); END IF; RETURN NEW; END $$")
        self.target.cluster.sql("CREATE TRIGGER interfere BEFORE INSERT ON health_samples FOR EACH ROW "
                                "EXECUTE FUNCTION interfere()")
        sync(self.exports.first, self.target)
        self.assertGreater(int(self.target.cluster.sql("SELECT last_value FROM once")[0][0]), 1)
        self.check(self.exports.first)

    def test_a_column_that_someone_has_added_keeps_its_default(self):
        sync(self.exports.first, self.target)
        self.target.cluster.sql("ALTER TABLE health_samples ADD COLUMN note text DEFAULT 'mine'")
        sync(self.exports.second, self.target)
        self.check(self.exports.second)
        self.assertEqual(self.target.cluster.sql("SELECT DISTINCT note FROM health_samples"), [["mine"]])

    def test_letters_that_the_database_does_not_have(self):
        cluster = self.target.cluster
        cluster.sql("CREATE DATABASE latin ENCODING LATIN1 LOCALE 'C' TEMPLATE template0")
        self.target.url = cluster.url("latin")
        source = self.folder / "letters.xml"
        record = '<Record type="{}" sourceName="{}" startDate="2019-05-0{} 09:00:00 +0000" endDate="2019-05-02 09:00:00 +0000"/>\n'
        source.write_text('<HealthData locale="en_GB">\n <ExportDate value="2020-01-01 00:00:00 +0000"/>\n'
                          + record.format("A", "\u00e9", 1) + record.format("A", "\U0001f600", 1)
                          + record.format("A\U0001f600", "x", 1) + record.format("B", "x", 1) + "</HealthData>\n")
        for added in 2, 0:
            result = run(*command(source, self.target, "--json"))
            report = json.loads(result.stdout)
            self.assertEqual((result.status, report["added"], report["leftOut"]), (3, added, 2), result.stderr)
        self.assertEqual(cluster.sql("SELECT type FROM health_samples ORDER BY 1", "latin"), [["A"], ["B"]])

    def test_tables_and_triggers_of_someone_else(self):
        cluster = self.target.cluster
        cluster.sql("CREATE ROLE mallory; CREATE ROLE family; CREATE ROLE member LOGIN IN ROLE family; "
                    "GRANT ALL ON SCHEMA public TO mallory, member, family")
        administrator, self.target.url = self.target.url, self.target.url.replace("user=tests", "user=member")
        steps = ("--types", "bodyMass")

        def refused(*options):
            result = run(*command(self.exports.first, self.target, *steps, *options))
            self.assertEqual(result.status, 16, result.stderr)
            self.assertIn("belong to another user of the server", result.stderr)
        # Somebody's tables in another schema of the search path are passed over, and in the first one they are refused.
        sync(self.exports.first, self.target, *steps)
        cluster.sql("ALTER TABLE health_samples OWNER TO mallory; ALTER TABLE health_anchors OWNER TO mallory; "
                    "GRANT ALL ON health_samples, health_anchors TO member; DELETE FROM health_anchors; DELETE FROM health_samples")
        refused()
        refused("--dry-run")
        cluster.sql('CREATE SCHEMA "my ""own"; GRANT ALL ON SCHEMA "my ""own" TO member; '
                    'ALTER ROLE member SET search_path = nowhere, "my ""own", public')
        self.assertGreater(sync(self.exports.first, self.target, *steps)["added"], 0)
        self.assertEqual(sync(self.exports.first, self.target, *steps)["added"], 0)
        self.assertEqual(cluster.sql("SELECT count(*) FROM public.health_samples"), [["0"]])
        cluster.sql('DROP SCHEMA "my ""own" CASCADE; ALTER ROLE member RESET search_path')
        # A role that the user is a member of may own the tables; but not a trigger on them that somebody else has made.
        cluster.sql("ALTER TABLE health_samples OWNER TO family; ALTER TABLE health_anchors OWNER TO family")
        sync(self.exports.first, self.target, *steps)
        cluster.sql("CREATE FUNCTION theirs() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$; "
                    "ALTER FUNCTION theirs() OWNER TO mallory; "
                    "CREATE TRIGGER theirs BEFORE INSERT ON health_samples FOR EACH ROW EXECUTE FUNCTION theirs()")
        refused()
        # A superuser may do everything, and must not do it for others.
        member, self.target.url = self.target.url, administrator
        refused()
        self.target.url = member
        # What the message advises.
        cluster.sql("CREATE SCHEMA AUTHORIZATION member")
        location, self.target.url = self.target.url, self.target.url + "&options=-csearch_path%3Dmember"
        self.assertGreater(sync(self.exports.first, self.target, *steps)["added"], 0)
        self.target.url = location
        cluster.sql("DROP SCHEMA member CASCADE; ALTER ROLE member SET search_path = nowhere")
        result = run(*command(self.exports.first, self.target, *steps))
        self.assertEqual(result.status, 2, result.stderr)
        self.assertIn("no schema that exists", result.stderr)
        cluster.empty()
        cluster.sql("DROP ROLE mallory, member, family")

    def test_a_password_in_the_location_is_refused(self):
        result = run(BINARY, "sync", self.exports.first, "--target", "postgresql://me:topsecret@localhost/health")
        self.assertEqual(result.status, 2)
        self.assertNotIn("topsecret", result.stderr)

    def test_offsets_that_the_server_does_not_read(self):
        source = self.folder / "far.xml"
        source.write_text('<HealthData locale="en_GB">\n <ExportDate value="2020-01-01 00:00:00 +0000"/>\n'
                          ' <Record type="HKQuantityTypeIdentifierStepCount" sourceName="x" unit="count" '
                          'startDate="2019-05-01 09:00:00 +2300" endDate="2019-05-01 09:10:00 -1630" value="7"/>\n'
                          '</HealthData>\n')
        sync(source, self.target)
        self.check(source)

    # SECURITY.md: "no error contains them or a health value"
    def test_a_location_that_cannot_be_parsed_is_not_quoted(self):
        result = run(BINARY, "sync", self.exports.first, "--target", "postgresql://me:topsecret%zz@localhost/health")
        self.assertEqual(result.status, 2)
        self.assertNotIn("topsecret", result.stderr)

    # SECURITY.md: "To a server on another computer the connection is encrypted"
    def test_nothing_goes_to_another_computer_in_the_clear(self):
        # This address is not one of those that are known to be this computer's.
        with PlainServer("127.0.0.2") as other, PlainServer("127.0.0.1") as own:
            services = self.folder / "services"
            services.write_text(f"[other]\nhost=127.0.0.2\nport={other.port}\n")
            user = f"postgresql:///health?user=me&port={other.port}"
            for location, more in [
                    (f"postgresql://me@127.0.0.2:{other.port}/health", {}),
                    (user, {"PGHOST": "127.0.0.2"}),
                    (f"{user}&host=localhost&hostaddr=127.0.0.2", {}),
                    ("postgresql:///health?user=me&service=other", {"PGSERVICEFILE": str(services)}),
                    ("postgresql:///health?user=me", {"PGSERVICEFILE": str(services), "PGSERVICE": "other"}),
                    (f"postgresql://me@127.0.0.1:{own.port}/health", {"PGSSLMODE": "verify-ca"})]:
                result = run(BINARY, "sync", self.exports.first, "--target", location, env=environment(**more))
                self.assertEqual(result.status, 75, result.stderr)
                self.assertEqual(other.greetings + own.greetings, [], location)
            for location, server in [(f"postgresql://me@127.0.0.2:{other.port}/health?sslmode=disable", other),
                                     (f"postgresql://me@127.0.0.1:{own.port}/health", own)]:
                result = run(BINARY, "sync", self.exports.first, "--target", location)
                self.assertEqual(len(server.greetings), 1, location)
                self.assertNotIn("heart rate", result.stderr)

    def test_a_server_that_is_not_there(self):
        result = run(BINARY, "sync", self.exports.first, "--target", "postgresql:///health?host=/nonexistent")
        self.assertEqual(result.status, 75)


class Archives(CommandTest):
    def test_an_unchanged_archive_is_told_from_its_manifest(self):
        made, folder = generated("ordinary", "14", "300kB"), Path(self.folder)
        document = later_exports.read(made.zip)
        for name, changed in ("same", document), ("later", later_exports.dated(document)):
            later_exports.write(folder / f"{name}.zip", made.zip, changed)
            # Batches of other spans have the same sums.
            self.vault("export", f"{name}.zip", "-o", f"{name}.hvault", *ENCRYPT, "--batch", "2weeks")

        def batches(source, target, *options):
            result = run(*command(source, target, *OPEN, *options), env=environment(HEALTHVAULT_LOG="debug"))
            self.assertEqual(result.status, 0, result.stderr)
            return result.stderr.count("read a batch")
        for target in SQLite(folder), Directory(folder):
            self.assertGreater(batches(made.archive, target), 10)
            self.assertEqual(batches(made.archive, target, "--dry-run"), 0)
            self.assertEqual(batches(made.archive, target), 0)
            self.assertEqual(batches(folder / "same.hvault", target), 0)
            # The day of the earlier export is complete, which only tables of days tell.
            self.assertEqual(batches(folder / "later.hvault", target) > 0, isinstance(target, SQLite))
            self.assertEqual(batches(folder / "later.hvault", target), 0)

    def test_an_archive_gives_what_its_export_gives(self):
        folder = Path(self.folder)
        made = generated()
        target = SQLite(folder)
        first = sync(made.archive, target, *OPEN)
        self.assertGreater(first["added"], 0)
        again = sync(made.zip, target)
        self.assertEqual((again["added"], again["updated"], again["deleted"]), (0, 0, 0))

    def test_changes(self):
        exports = Exports(Path(self.folder))
        first, second = (truth(each.read_bytes()) for each in (exports.first, exports.second))
        result = run(BINARY, "changes", exports.second, "--since", exports.first, "--json")
        *lines, last = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual((last["added"], last["deleted"]), ((second - first).total(), (first - second).total()))
        self.assertEqual(collections.Counter(line["change"] for line in lines),
                         {"added": last["added"], "deleted": last["deleted"]})
        result = run(BINARY, "changes", exports.second, "--since", last["anchor"], "--json")
        self.assertEqual([json.loads(line)["added"] for line in result.stdout.splitlines()], [0])
        anchor, pages = str(exports.first), []
        while True:
            result = run(BINARY, "changes", exports.second, "--since", anchor, "--json", "--limit", "10")
            *page, end = [json.loads(line) for line in result.stdout.splitlines()]
            anchor = end["anchor"]
            if not page:
                break
            pages += page
        self.assertEqual(sorted(line["id"] for line in pages), sorted(line["id"] for line in lines))

    def test_an_anchor_in_a_folder_whose_name_is_not_utf_8(self):
        exports = Exports(Path(self.folder))
        odd = os.path.join(os.fsencode(self.folder), b"\xff")
        os.mkdir(odd)
        for export, name in (exports.first, b"first.xml"), (exports.second, b"second.xml"):
            shutil.copy(export, os.path.join(odd, name))

        def changes(since, *options):
            result = self.vault("changes", "second.xml", "--since", since, "--json", *options, cwd=odd)
            return json.loads(result.stdout.splitlines()[-1])
        last = changes("first.xml")
        self.assertGreater(last["added"], 0)
        self.assertEqual((changes(last["anchor"])["added"], changes(last["anchor"])["deleted"]), (0, 0))
        page = changes("first.xml", "--limit", "1")
        self.assertEqual(changes(page["anchor"])["added"] + changes(page["anchor"])["deleted"],
                         last["added"] + last["deleted"] - 1)


if __name__ == "__main__":
    unittest.main()
