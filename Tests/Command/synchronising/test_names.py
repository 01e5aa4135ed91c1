"""What `sync` writes has the names of an export, in databases in snake case; those of its other forms have a test of their own."""
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
        self.vault("export", self.source, "-o", "out.sqlite", "--format", "sqlite")
        for target in "sqlite:health.db", "dir:samples":
            self.vault("sync", self.source, "--target", target)

    def test_a_sample_has_the_names_of_its_attributes(self):
        synced = json.loads(next(self.folder.glob("samples/*tepCount/*/*.json")).read_text())
        self.assertLessEqual(NAMES, set(map(snake, synced)))
        self.assertLessEqual(NAMES | {"metadata"}, self.columns(self.folder / "health.db", "health_samples"))

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
