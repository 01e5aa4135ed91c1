"""Samples that are written in another way than most: in other units, or with an empty one."""
import csv
import io
import json
import unittest

from documents import END, HEAD
from vault import CommandTest

MASS = "<180.1558800000541>"


def record(name, value, unit, time="2023-05-02 08:00:00 +0200", source="App"):
    return (f'<Record type="HKQuantityTypeIdentifier{name}" sourceName="{source}" unit="{unit}" creationDate="{time}" '
            f'startDate="{time}" endDate="{time}" value="{value}"/>')


class Samples(CommandTest):
    def source(self, *parts):
        (self.folder / "export.xml").write_text(HEAD + "\n".join(parts) + END)
        return "export.xml"

    def text(self, *arguments):
        return self.vault(*arguments).stdout.decode()

    def lines(self, *arguments):
        return [json.loads(line) for line in self.vault("query", *arguments, "--json").stdout.splitlines()]


class Glucose(Samples):
    def setUp(self):
        super().setUp()
        self.export = self.source(record("BloodGlucose", "90", "mg/dL", "2023-05-02 07:00:00 +0200"),
                                  record("BloodGlucose", "5.5", f"mmol{MASS}/L".replace("<", "&lt;")))

    def test_people_read_millimoles_and_programs_the_exact_unit(self):
        unit = f"mmol{MASS}/L"
        mean = (5.5 + 90 / 18.01558800000541) / 2
        told = json.loads(self.text("stats", self.export, "bloodGlucose", "--units", "uk", "--json"))
        self.assertEqual(told["unit"], unit)
        self.assertAlmostEqual(told["intervals"][0]["avg"], mean, places=9)
        self.assertEqual([line["unit"] for line in self.lines(self.export, "bloodGlucose", "--units", "uk")], [unit] * 2)
        self.assertIn(unit, self.text("query", self.export, "bloodGlucose", "--units", "uk", "--csv"))
        day = ("--since", "2023-05-02", "--until", "2023-05-02")
        for command in (("stats",), ("query",), ("chart",), ("stats", *day, "--compare", "previous")):
            for units in "uk", "source":
                told = self.text(command[0], self.export, "bloodGlucose", *command[1:], "--units", units)
                self.assertIn("mmol/L", told)
                self.assertNotIn("<", told)

    def test_other_systems_keep_milligrams(self):
        for system in "metric", "us":
            told = json.loads(self.text("stats", self.export, "bloodGlucose", "--units", system, "--json"))
            self.assertEqual(told["unit"], "mg/dL")
            self.assertAlmostEqual(told["intervals"][0]["avg"], (5.5 * 18.01558800000541 + 90) / 2, places=9)


class Units(Samples):
    def test_an_empty_unit_is_none(self):
        time = 'startDate="2023-05-02 08:00:00 +0200" endDate="2023-05-02 08:30:00 +0200" sourceName="App"'
        export = self.source(f'<Record type="HKCategoryTypeIdentifierMindfulSession" unit="" {time} '
                             'value="HKCategoryValueNotApplicable"/>')
        self.assertNotIn("unit", self.lines(export, "mindfulSession")[0])


if __name__ == "__main__":
    unittest.main()
