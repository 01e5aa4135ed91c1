"""Exports of iOS 8: dates without marks, metadata as attributes, names with spaces, another name for the source."""
import csv
import json
import sqlite3
import unittest

from vault import ENCRYPT, OPEN, CommandTest

HEAD = ('<?xml version="1.0" encoding="UTF-8"?>\n<HealthData locale="en_US">\n'
        ' <ExportDate value="20150617201916-0700"/>\n')
WEIGHT = (' <Record type="HKQuantityTypeIdentifierBodyMass" source="Withings" unit="kg" creationDate="20150616071916-0700"'
          ' startDate="20150616071820-0700" endDate="20150616071920-0700" Health Mate App Version="2.6.0"'
          ' Withings User Identifier="12" HKWasUserEntered="0" value="80.5"/>\n')
STEPS = (' <Record type="HKQuantityTypeIdentifierStepCount" source="iPhone" unit="count" startDate="2014100{}080000+0200"'
         ' endDate="2014100{}081000+0200" value="{}"/>\n')
TEXT = HEAD + WEIGHT + STEPS.format(1, 1, 100) + STEPS.format(2, 2, 120) + "</HealthData>\n"


class FirstExports(CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "in.xml").write_text(TEXT)

    def test_dates_source_and_metadata_are_what_they_are(self):
        sample = json.loads(self.vault("query", "in.xml", "bodyMass", "--json").stdout)
        self.assertEqual((sample["startDate"], sample["endDate"], sample["sourceName"]),
                         ("2015-06-16T07:18:20-07:00", "2015-06-16T07:19:20-07:00", "Withings"))
        self.assertEqual({entry["key"]: entry["value"] for entry in sample["metadata"]},
                         {"Health Mate App Version": "2.6.0", "Withings User Identifier": "12", "HKWasUserEntered": "0"})
        found = self.vault("query", "in.xml", "steps", "--since", "2014-10-02", "--tz", "Europe/Berlin", "--json").stdout
        self.assertEqual([json.loads(line)["value"] for line in found.splitlines()], [120])
        report = json.loads(self.vault("inspect", "in.xml", "--json").stdout)
        self.assertEqual(report["sources"], ["Withings", "iPhone"])
        self.assertNotIn("unreadableDates", report["oddities"])

    def test_nothing_is_lost(self):
        self.vault("export", "in.xml", "-o", "plain")
        self.vault("export", "in.xml", "-o", "a.hvault", *ENCRYPT)
        self.vault("verify", "a.hvault", "--source", "in.xml", *OPEN)
        self.vault("verify", "plain", "--source", "in.xml")
        for source, options in ("in.xml", ()), ("plain", ()), ("a.hvault", OPEN):
            self.vault("export", source, "-o", f"{source}.xml", "--format", "apple-xml", *options)
            self.assertEqual((self.folder / f"{source}.xml").read_text(), TEXT, source)
        found = self.vault("query", "a.hvault", "steps", "--json", *OPEN).stdout.splitlines()
        self.assertEqual([json.loads(line)["startDate"] for line in found],
                         ["2014-09-30T23:00:00-07:00", "2014-10-01T23:00:00-07:00"])

    def test_in_tables_dates_are_as_in_other_exports(self):
        self.vault("export", "in.xml", "-o", "x.db", "--format", "sqlite")
        with sqlite3.connect(self.folder / "x.db") as database:
            rows = database.execute("SELECT start_time, end_time FROM sample ORDER BY 1").fetchall()
        self.assertEqual(rows[0], (1412143200, 1412143800))
        self.vault("export", "in.xml", "-o", "csv", "--format", "csv")
        path, = (self.folder / "csv").rglob("*StepCount*.csv")
        with open(path, encoding="utf-8-sig", newline="") as file:
            row = next(csv.DictReader(file))
        self.assertEqual((row["startDate"], row["sourceName"]), ("2014-10-01T08:00:00+02:00", "iPhone"))

    def test_resources_have_all_of_it(self):
        self.vault("export", "in.xml", "-o", "plain")
        for source in "in.xml", "plain":
            report = json.loads(self.vault("export", source, "-o", f"{source}.out", "--format", "fhir", "--json").stdout)
            self.assertEqual(report["formats"][-1]["notKept"], {})
            folder = self.folder / f"{source}.out" / "fhir"
            found, devices = ([json.loads(line) for line in (folder / f"{kind}.ndjson").read_text().splitlines()]
                              for kind in ("Observation", "Device"))
            weight = next(resource for resource in found if resource["valueQuantity"]["unit"] == "kg")
            self.assertEqual(weight["effectivePeriod"],
                             {"start": "2015-06-16T07:18:20-07:00", "end": "2015-06-16T07:19:20-07:00"})
            self.assertEqual((weight["issued"], weight["valueQuantity"]["value"]), ("2015-06-16T07:19:16-07:00", 80.5))
            self.assertEqual([[part["valueString"] for part in entry["extension"]] for entry in weight["extension"]],
                             [["Health Mate App Version", "2.6.0"], ["Withings User Identifier", "12"],
                              ["HKWasUserEntered", "0"]])
            self.assertEqual([resource["effectivePeriod"]["start"] for resource in found if resource is not weight],
                             ["2014-10-01T08:00:00+02:00", "2014-10-02T08:00:00+02:00"])
            self.assertEqual(sorted(device["deviceName"][0]["name"] for device in devices), ["Withings", "iPhone"])

    def test_an_attribute_without_a_value_is_still_damage(self):
        (self.folder / "in.xml").write_text(HEAD + WEIGHT.replace('unit="kg"', "unit") + "</HealthData>\n")
        self.assertIn("attribute has no value", self.vault("inspect", "in.xml", status=13).stderr)
        typed = TEXT.replace("<HealthData ", "<!DOCTYPE HealthData [ <!ELEMENT A EMPTY> ]>\n<HealthData ")
        (self.folder / "in.xml").write_text(typed)
        self.vault("inspect", "in.xml", status=13)


if __name__ == "__main__":
    unittest.main()
