"""One set of names: what an attribute of an export is called is the same in every form, in databases in snake case."""
import csv
import json
import re
import sqlite3
import unittest

from vault import CommandTest, generated

NAMES = {"type", "start_date", "end_date", "creation_date", "value", "unit", "source_name", "source_version", "device"}


def snake(name):
    return re.sub("([a-z])([A-Z])", r"\1_\2", name).lower()


class Names(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.source = generated("watchAndPhone", "14", "2MB").zip

    def columns(self, path, table):
        with sqlite3.connect(path) as database:
            names = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        database.close()
        return set(names)

    def setUp(self):
        super().setUp()
        for name in "csv", "ndjson", "sqlite":
            self.vault("export", self.source, "-o", f"out.{name}" if name != "csv" else "out", "--format", name,
                       *(("--types", "stepCount") if name != "sqlite" else ()))
        for target in "sqlite:health.db", "dir:samples":
            self.vault("sync", self.source, "--target", target)

    def test_a_sample_has_the_names_of_its_attributes(self):
        folder = next(path for path in self.folder.glob("out/**/*StepCount*.csv"))
        with open(folder, encoding="utf-8-sig", newline="") as file:
            header = next(csv.reader(file))
        lines = next(self.folder.glob("out.ndjson/records/*StepCount/*.ndjson")).read_text().splitlines()
        synced = json.loads(next(self.folder.glob("samples/*tepCount/*/*.json")).read_text())
        for form, names in (("csv", map(snake, header)), ("ndjson", map(snake, json.loads(lines[0]))), ("folder", map(snake, synced)),
                            ("sqlite", self.columns(self.folder / "out.sqlite", "samples")),
                            ("sync", self.columns(self.folder / "health.db", "health_samples"))):
            self.assertLessEqual(NAMES, set(names), form)
        for form, names in (("csv", header), ("sqlite", self.columns(self.folder / "out.sqlite", "samples")),
                            ("sync", self.columns(self.folder / "health.db", "health_samples"))):
            self.assertIn("metadata", names, form)

    def test_both_databases_have_the_same_names(self):
        exported, synced = self.folder / "out.sqlite", self.folder / "health.db"
        # The columns that one has and the other one has in another form, or not at all.
        for view, table, own, others in (
                ("samples", "health_samples", {"title", "start_day", "end_day", "other"},
                 {"person", "start_seconds", "end_seconds", "attributes", "content"}),
                ("workouts", "health_workouts", {"creation_date", "start_day", "end_day", "metadata", "other"}, {"person"}),
                ("daily_values", "health_daily_values", {"title", "rule"},
                 {"person", "average", "minimum", "maximum", "is_partial"}),
                ("electrocardiogram", "health_electrocardiograms", {"file_id", "unit"},
                 {"person", "file", "classification", "duration_seconds", "microvolts"})):
            self.assertEqual(self.columns(exported, view) - own, self.columns(synced, table) - others, view)


if __name__ == "__main__":
    unittest.main()
