"""One question to several sources: one table with a first column, one document, lines with a member."""
import csv
import io
import json
import os
import shutil
import unittest

from vault import ITERATIONS, OPEN, SECRET, SHARED, CommandTest, generated, run, shared, BINARY

# Two with one name in different folders, and an export.
SOURCES = ("anna/health.hvault", "ben/health.hvault", "c.zip")
RING = ("--keyring", "ring", "--key-file", "keys/key")
QUESTIONS = (
    "stats SOURCES steps --by year", "stats SOURCES steps --by month --agg median --of day",
    "stats SOURCES steps --by year --above 100", "stats SOURCES mindfulSession", "sleep SOURCES", "sleep SOURCES --by year",
    "ecg list SOURCES", "correlate SOURCES steps distanceWalkingRunning")


def study(place):
    for folder in "anna", "ben", "keys":
        (place / folder).mkdir(parents=True)
    for shape, target in ("ordinary", "anna"), ("shuffled", "ben"):
        made = run(BINARY, "encrypt", generated(shape).zip, "-o", f"{target}/health.hvault", *ITERATIONS, *OPEN, cwd=place)
        assert made.status == 0, made
    shutil.copy(generated("watchAndPhone").zip, place / "c.zip")
    made = run(BINARY, "keyring", "make", ".", "-o", "ring", "--key-file", "keys/key", *OPEN, cwd=place)
    assert made.status == 0, made


class SeveralSources(CommandTest):
    def setUp(self):
        super().setUp()
        shutil.copytree(shared(SHARED / "study-of-three", study), self.folder, dirs_exist_ok=True)

    def ask(self, line, *sources, options=RING, status=0):
        words = [part for word in line.split() for part in (sources if word == "SOURCES" else (word,))]
        return self.vault(*words, *options, status=status)

    def test_csv_has_a_first_column(self):
        for line in (*QUESTIONS, "query SOURCES heartRate --limit 5", "query SOURCES workout"):
            with self.subTest(line):
                titles, rows = set(), []
                for source in SOURCES:
                    title, *more = csv.reader(io.StringIO(self.ask(f"{line} --csv", source).stdout.decode()))
                    titles.add(tuple(["archive", *title]))
                    rows += [[source, *row] for row in more]
                found = list(csv.reader(io.StringIO(self.ask(f"{line} --csv", *SOURCES).stdout.decode())))
                self.assertEqual(len(titles), 1)
                self.assertEqual(found, [list(*titles), *rows])

    def test_json_is_one_document_with_that_of_each(self):
        for line in QUESTIONS:
            with self.subTest(line):
                each = [json.loads(self.ask(f"{line} --json", source).stdout) for source in SOURCES]
                self.assertEqual(json.loads(self.ask(f"{line} --json", *SOURCES).stdout), {"archives": each})
                self.assertEqual([one["path"] for one in each], list(SOURCES))

    def test_lines_of_json_have_a_first_member(self):
        for line in "query SOURCES heartRate --limit 5 --json", "query SOURCES workout --json":
            found = [json.loads(row) for row in self.ask(line, *SOURCES).stdout.splitlines()]
            self.assertEqual({next(iter(row)) for row in found}, {"archive"})
            self.assertEqual(found, [
                {"archive": source, **json.loads(row)} for source in SOURCES
                for row in self.ask(line, source).stdout.splitlines()])

    def test_text_is_one_table(self):
        for line in (*QUESTIONS[:-1], "query SOURCES heartRate --limit 5", "query SOURCES workout"):
            lines = self.ask(line, *SOURCES).stdout.decode().splitlines()
            self.assertEqual(lines[0].split()[0], "archive")
            for source in SOURCES:
                single = self.ask(line, source).stdout.decode().splitlines()
                rows = [row for row in lines if row.startswith(f"{source}  ")]
                cells = [row.split() for row in single[1:]]
                self.assertTrue(rows and all(row.split()[1:] in cells for row in rows), line)
            # Notes that all have stand there once.
            self.assertEqual(len([row for row in lines if row.startswith("* partial")]), "* partial" in "".join(lines))
        found = self.ask(QUESTIONS[-1], *SOURCES).stdout.decode()
        for source in SOURCES:
            self.assertIn(f"{source}: rank correlation of Steps and Walking + Running Distance: ", found)
        self.assertEqual(found.count("days in "), 1)

    def test_one_passphrase_for_all(self):
        (self.folder / "tell").write_text(f"#!/bin/sh\necho asked >> asked\ncat {SECRET}\n")
        os.chmod(self.folder / "tell", 0o700)
        asked = self.ask(QUESTIONS[0], *SOURCES, options=("--passphrase-command", "./tell"))
        self.assertEqual((self.folder / "asked").read_text(), "asked\n")
        self.assertEqual(asked.stdout, self.ask(QUESTIONS[0], *SOURCES).stdout)

    def test_one_that_cannot_answer_does_not_stop_the_others(self):
        self.vault("encrypt", generated().zip, "-o", "new.hvault", *ITERATIONS, *OPEN)
        for other, message in [
                ("nothing.zip", "nothing.zip: no such file"),
                ("new.hvault", "new.hvault: the key ring does not have the key of this archive")]:
            found = self.ask("stats SOURCES steps --by year", SOURCES[0], other, SOURCES[1], status=3)
            self.assertIn(f"healthvault: {message}", found.stderr)
            self.assertEqual(found.stdout, self.ask("stats SOURCES steps --by year", *SOURCES[:2]).stdout)
            found = self.ask("stats SOURCES steps --by year --json", SOURCES[0], other, status=3)
            self.assertEqual([one["path"] for one in json.loads(found.stdout)["archives"]], [SOURCES[0]])
            self.assertIn(message, json.loads(found.stderr)["error"]["message"])

    def test_if_none_answers_the_status_is_that_of_the_first(self):
        found = self.ask("query SOURCES steps --since 2199-01-01 --json", *SOURCES[:2], status=10)
        self.assertEqual(found.stdout, b"")
        for line, source in zip(found.stderr.splitlines(), SOURCES):
            self.assertIn(f"{source}: contains no matching samples", json.loads(line)["error"]["message"])
        found = self.ask("stats SOURCES nonsense", *SOURCES, status=2)
        for source in SOURCES:
            self.assertIn(f"healthvault: {source}: unknown sample type 'nonsense'", found.stderr)

    def test_what_is_wrong_with_the_question_or_the_ring_is_said_once(self):
        found = self.ask("stats SOURCES workout", *SOURCES, status=2)
        self.assertEqual(found.stderr.count("workout is not a quantity"), 1)
        (self.folder / "ring").write_bytes(b"nothing")
        self.assertEqual(self.ask(QUESTIONS[0], *SOURCES, status=14).stderr.count("not a key ring"), 1)

    def test_paths_are_shown_as_they_were_given(self):
        given = ("c.zip", "./c.zip", "../" + self.folder.name + "/c.zip")
        rows = self.ask("stats SOURCES steps --by year --csv", *given, options=()).stdout.decode().splitlines()[1:]
        self.assertEqual(list(dict.fromkeys(row.partition(",")[0] for row in rows)), list(given))

    def test_arguments(self):
        self.assertIn("missing argument TYPE", self.vault("query", "c.zip", status=2).stderr)
        self.assertIn("missing argument SOURCE", self.vault("query", status=2).stderr)
        self.assertIn("unexpected argument", self.vault("chart", "c.zip", "steps", "heartRate", "c.zip", status=2).stderr)
        self.assertIn("SOURCE... TYPE", self.vault("help", "query").stdout.decode())
        self.assertIn("unexpected argument", self.vault("ecg", "show", "c.zip", "1", "2", status=2).stderr)
        shell = self.vault("shell", "c.zip", input=b"stats c.zip steps\n", status=2)
        self.assertIn("unexpected argument", shell.stderr)


if __name__ == "__main__":
    unittest.main()
