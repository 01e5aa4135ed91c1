"""One set of names: Apple's for samples in every form, HealthKit's for values; SQL writes them in snake case."""
import csv
import io
import json
import re
import sqlite3
import unittest

from documents import TIME, document
from formats.conversions import ALL, FormatTest
from formats.csv_rows import lines
from vault import generated

SAMPLE = {"type", "startDate", "endDate", "creationDate", "sourceName", "sourceVersion", "device", "value", "unit"}
# Names that answers had, and other systems have: none of them is one of ours.
OTHERS = {"start", "end", "created", "source", "version", "text", "avg", "min", "max", "latest", "partial", "recorded", "hertz",
          "seconds", "start_time", "end_time", "creation_time"}
ANSWERS = [
    ("query", "heartRate"), ("query", "sleepAnalysis"), ("query", "workout"), ("query", "bloodPressure"), ("query", "audiogram"),
    ("query", "activitySummary"), ("stats", "stepCount"), ("stats", "heartRate", "--agg", "avg,min,max,median,p95,latest,duration"),
    ("stats", "mindfulSession"), ("stats", "stepCount", "--above", "9000"), ("stats", "stepCount", "--agg", "median", "--of", "day"),
    ("stats", "stepCount", "--in", "2016", "--compare", "2017"), ("sleep",), ("sleep", "--by", "month"),
    ("correlate", "stepCount", "heartRate"),
]


def names(value):
    """The names of all members of a value."""
    if isinstance(value, list):
        return set().union(*map(names, value))
    if not isinstance(value, dict):
        return set()
    return set(value).union(*map(names, value.values()))


def camel(name):
    return re.sub("_([a-z])", lambda found: found[1].upper(), name)


class Names(FormatTest):
    def test_a_sample_has_the_names_of_the_document_in_every_form(self):
        device = "&lt;&lt;HKDevice: 0x1&gt;, name:Watch&gt;"
        record = ('<Record type="HKQuantityTypeIdentifierBodyMass" unit="kg" value="61.5" sourceName="Scale" sourceVersion="2" '
                  f'device="{device}" creationDate="{TIME}" startDate="{TIME}" endDate="{TIME}">'
                  '<MetadataEntry key="a" value="b"/></Record>')
        source = self.write(document(record))
        self.convert(source, "all", *ALL)
        self.convert(source, "plain")
        forms = {
            "csv": set(lines((self.folder / "all/csv/HKQuantityTypeIdentifierBodyMass.csv").read_bytes())[0]),
            "json": set(json.loads((self.folder / "all/health.json").read_text())["healthData"]["quantityData"][
                "HKQuantityTypeIdentifierBodyMass"][0]),
            "ndjson": set(json.loads(next((self.folder / "plain/records/HKQuantityTypeIdentifierBodyMass").iterdir()).read_text())),
        }
        database = sqlite3.connect(self.folder / "all/health.db")
        forms["sqlite"] = {camel(row[1]) for row in database.execute("PRAGMA table_info(samples)")}
        database.close()
        for form, found in forms.items():
            self.assertLessEqual(SAMPLE | {"metadata"}, found, form)
            self.assertEqual(found & OTHERS, set(), form)
        asked = "query", source, "bodyMass"
        told, = csv.DictReader(io.StringIO(self.vault(*asked, "--csv").stdout.decode()))
        # Answers do not have when a sample was recorded.
        self.assertEqual(set(told), SAMPLE - {"creationDate"} | {"id"})
        self.assertEqual(set(json.loads(self.vault(*asked, "--json").stdout)), SAMPLE - {"creationDate"} | {"id", "metadata"})

    def test_answers_have_no_other_names(self):
        source = generated().zip
        for name, *rest in [*ANSWERS, ("ecg list",)]:
            command = [*name.split(), source, *rest]
            found = set()
            for line in self.vault(*command, "--json").stdout.decode().splitlines():
                found |= names(json.loads(line))
            title, *_ = csv.reader(io.StringIO(self.vault(*command, "--csv").stdout.decode(), newline=""))
            self.assertEqual((found | set(title)) & OTHERS, set(), (name, *rest))


if __name__ == "__main__":
    unittest.main()
