"""`stats` finds the truth where a watch and a phone record the same walks, and says which rule it went by."""
import csv
import io
import json
import unittest
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from datetime import datetime
from zoneinfo import ZoneInfo

from vault import OPEN, CommandTest, each, generated

STEPS = "HKQuantityTypeIdentifierStepCount"


class Statistics(CommandTest):
    def report(self, *arguments):
        return json.loads(self.vault("stats", *arguments, "--json").stdout)

    def total(self, *arguments):
        return sum(interval["sum"] for interval in self.report(*arguments)["intervals"])

    def test_a_watch_and_a_phone_are_counted_once(self):
        export = generated("watchAndPhone", "14", "4MB")
        truth, naive = export.census["trueTotals"][STEPS], export.census["naiveTotals"][STEPS]
        for source in (export.zip,), (export.archive, *OPEN):
            self.assertAlmostEqual(self.total(*source, "stepCount", "--by", "year") / truth, 1, places=3)
            self.assertAlmostEqual(self.total(*source, "stepCount", "--by", "day", "--merge", "none"), naive, places=3)
        self.assertGreater(naive, 1.2 * truth)

    def test_the_rule_is_named(self):
        export = generated("watchAndPhone", "14", "4MB")
        self.assertIn("priority: watch", self.report(export.zip, "stepCount")["merge"])
        self.assertIn("max-source", self.report(export.zip, "stepCount", "--merge", "max-source")["merge"])
        self.assertIn("none", self.report(export.zip, "stepCount", "--merge", "none")["merge"])
        self.assertIn("priority", self.vault("stats", export.zip, "stepCount", "--by", "year").stdout.decode())
        names = self.report(export.zip, "stepCount")["sources"]
        turned = self.report(export.zip, "stepCount", "--priority", names[-1])
        self.assertEqual(turned["sources"][0], names[-1])

    @each("day", "month", "year")
    def test_sums_without_merging_are_those_of_python(self, unit):
        """In the days of Berlin, with zoneinfo; samples in two intervals are left out of both sides."""
        export = generated()
        zone = ZoneInfo("Europe/Berlin")
        length = {"day": 10, "month": 7, "year": 4}[unit]
        expected, split = defaultdict(float), set()
        for record in ElementTree.parse(export.xml).getroot().findall("Record"):
            if record.get("type") != STEPS:
                continue
            start, end = (datetime.strptime(record.get(name), "%Y-%m-%d %H:%M:%S %z").astimezone(zone).isoformat()
                          for name in ("startDate", "endDate"))
            if start[:length] != end[:length]:
                split |= {start[:length], end[:length]}
            expected[start[:length]] += float(record.get("value"))
        report = self.report(export.zip, "stepCount", "--by", unit, "--merge", "none", "--tz", "Europe/Berlin")
        found = {interval["start"][:length]: interval["sum"] for interval in report["intervals"]}
        self.assertGreater(len(found), 3)
        for key in expected.keys() - split:
            self.assertAlmostEqual(found[key], expected[key], places=4)

    def test_csv_says_the_same_as_json(self):
        export = generated()
        text = self.vault("stats", export.zip, "heartRate", "--by", "month", "--csv").stdout.decode()
        rows = list(csv.DictReader(io.StringIO(text)))
        intervals = self.report(export.zip, "heartRate", "--by", "month")["intervals"]
        self.assertEqual([(row["start"], float(row["avg"]), float(row["min"]), float(row["max"])) for row in rows],
                         [(i["start"], i["avg"], i["min"], i["max"]) for i in intervals])
        for interval in intervals:
            self.assertLessEqual(interval["min"], interval["avg"])
            self.assertLessEqual(interval["avg"], interval["max"])

    def test_the_same_of_export_archive_and_folder(self):
        export = generated()
        reports = [self.report(*source, "stepCount", "--by", "week")["intervals"] for source in (
            (export.zip,), (export.xml,), (export.plain,), (export.archive, *OPEN))]
        for report in reports[1:]:
            self.assertEqual(report, reports[0])

    def test_weeks_start_where_they_are_told_to(self):
        export = generated()
        for name, number in (("monday", 0), ("saturday", 5), ("sunday", 6)):
            report = self.report(export.zip, "stepCount", "--by", "week", "--week-start", name)
            days = {datetime.fromisoformat(interval["start"]).weekday() for interval in report["intervals"]}
            self.assertEqual(days, {number})

    def test_what_does_not_fit_is_refused(self):
        export = generated()
        result = self.vault("stats", export.zip, "heartRate", "--agg", "sum", status=2)
        self.assertIn("heartRate has no sum", result.stderr)
        self.vault("stats", export.zip, "stepCount", "--agg", "avg,max", status=2)
        result = self.vault("stats", export.zip, "sleepAnalysis", status=2)
        self.assertIn("not a quantity", result.stderr)
        self.vault("stats", export.zip, "stepCount", "--merge", "none", "--priority", "x", status=2)
        self.vault("stats", export.zip, "stepCount", "--week-start", "caturday", status=2)
        self.vault("stats", export.zip, "heartRate", "--agg", "avg,min,avg", status=2)
        self.vault("stats", export.zip, "stepCount", "--since", "2090-01-01", status=10)

    def test_one_pass_over_standard_input(self):
        export = generated()
        options = ["stepCount", "--by", "week", "--week-start", "sunday", "--json"]
        piped = json.loads(self.vault("stats", "-", *options, input=export.xml.read_bytes()).stdout)
        self.assertEqual(piped["intervals"], self.report(export.xml, *options[:-1])["intervals"])

    def document(self, *records):
        """An export of step counts."""
        path = self.folder / "made.xml"
        path.write_text(
            '<?xml version="1.0"?>\n<HealthData locale="en_GB">\n <ExportDate value="2024-05-02 10:00:00 +0000"/>\n'
            + "".join(f' <Record type="HKQuantityTypeIdentifierStepCount" sourceName="x" unit="{unit}" '
                      f'startDate="{start} +0000" endDate="{end} +0000" value="{value}"/>\n'
                      for start, end, value, unit in records) + "</HealthData>\n")
        return path

    def test_samples_that_start_long_before_count_in_no_batching(self):
        path = self.document(("2023-12-05 00:00:00", "2024-05-01 00:00:00", 14800, "count"),
                             ("2024-04-20 08:00:00", "2024-04-20 09:00:00", 50, "count"))
        self.vault("export", path, "-o", "months", "--batch", "1month", "-q")
        for source in path, "months":
            report = self.report(source, "stepCount", "--by", "month", "--merge", "none", "--since", "2024-04-15",
                                 "--until", "2024-04-30")
            self.assertEqual([interval["sum"] for interval in report["intervals"]], [50])

    def test_small_numbers_keep_their_digits(self):
        path = self.document(("2024-04-20 08:00:00", "2024-04-20 09:00:00", "0.0000024", "count"))
        self.assertEqual(self.report(path, "stepCount")["intervals"][0]["sum"], 0.0000024)
        self.assertIn(b"2.4e-06", self.vault("stats", path, "stepCount").stdout)

    def test_nothing_that_can_be_converted(self):
        path = self.document(("2024-04-20 08:00:00", "2024-04-20 09:00:00", "5", "blub"))
        self.assertIn("in a convertible unit", self.vault("stats", path, "stepCount", status=10).stderr)

    def test_a_priority_that_no_source_has_is_said(self):
        path = self.document(("2024-04-20 08:00:00", "2024-04-20 09:00:00", "5", "count"))
        report = self.report(path, "stepCount", "--priority", "Nobody", "--priority", "x")
        self.assertEqual(report["warnings"], ["no such source: Nobody"])


if __name__ == "__main__":
    unittest.main()
