"""`stats` finds the truth where a watch and a phone record the same walks, and says which rule it went by."""
import csv
import io
import json
import statistics
import sys
import unittest
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from datetime import datetime
from zoneinfo import ZoneInfo

from documents import END, HEAD, document
from vault import BINARY, OPEN, CommandTest, each, generated, run

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
        self.assertIn("the first of these counts: watch, iPhone", self.vault("stats", export.zip, "stepCount", "--by", "year").stdout.decode())
        names = self.report(export.zip, "stepCount")["sources"]
        turned = self.report(export.zip, "stepCount", "--priority", names[-1])
        self.assertEqual(turned["sources"][0], names[-1])

    @staticmethod
    def steps(start, end, value):
        return (f'<Record type="{STEPS}" sourceName="A" unit="count" startDate="{start} 00:00:00 +0000" '
                f'endDate="{end} 00:00:00 +0000" value="{value}"/>')

    def test_samples_of_a_year(self):
        """They have as many parts as there are intervals, of which there may be too many."""
        (self.folder / "in.xml").write_text(document(self.steps("2020-01-01", "2021-01-01", 1) * 7700))
        said = self.vault("stats", "in.xml", "stepCount", "--by", "hour", status=2).stderr
        self.assertIn("more than 67108864 parts", said)
        self.assertIn("--since", said)
        self.assertAlmostEqual(self.total("in.xml", "stepCount", "--by", "year"), 7700)

    @each(("0001-01-01", "2023-05-02"), ("2023-05-01", "4001-01-01"), ("0001-01-02", "9999-12-30"), ("2022-01-01", "2023-01-03"))
    def test_a_sample_of_ages_does_not_count(self, ages):
        """One whose end was never set says nothing about its days, and takes neither time nor memory."""
        sleep = '<Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="A" value="HKCategoryValueSleepAnalysisAsleepCore" {}/>'
        times = 'startDate="{} 00:00:00 +0000" endDate="{} 00:00:00 +0000"'.format(*ages)
        heart = f'<Record type="HKQuantityTypeIdentifierHeartRate" sourceName="A" unit="count/min" value="60" {times}/>'
        (self.folder / "in.xml").write_text(document(
            self.steps("2023-05-01", "2023-05-02", 5), self.steps(*ages, 9998), heart, sleep.format(times), sleep.format(
                'startDate="2023-05-01 01:00:00 +0000" endDate="2023-05-01 08:00:00 +0000"')))
        for unit in "hour", "day", "year":
            report = self.report("in.xml", "stepCount", "--by", unit)
            self.assertAlmostEqual(sum(interval["sum"] for interval in report["intervals"]), 5)
            self.assertEqual((report["skipped"], report["warnings"]), (1, ["1 sample of more than a year not counted"]))
        self.assertIn("1 sample of more than a year", self.vault("stats", "in.xml", "heartRate").stdout.decode())
        night, = json.loads(self.vault("sleep", "in.xml", "--json").stdout)["nights"]
        self.assertEqual((night["startDate"][:10], night["endDate"][:10]), ("2023-05-01", "2023-05-01"))
        for command in (["report", "in.xml", "-o", "r.html"], ["analytics", "init", "in.xml", "--database", "a.db"],
                        ["chart", "in.xml", "stepCount"], ["chart", "in.xml", "heartRate"], ["stats", "in.xml", "stepCount", "--agg", "median", "--of", "day"],
                        ["chart", "in.xml", "sleepAnalysis"], ["export", "in.xml", "-o", "x.db"]):
            self.assertLess(int(self.measured(*command)[-1]) / 1024, 64, command)
        self.assertIn("3 samples without a start or a convertible unit, or of more than a year (sleep: a day), not counted",
                      self.vault("analytics", "init", "in.xml", "--database", "b.db").stderr)

    def test_samples_of_one_instant_count_alike_in_whatever_order_they_are(self):
        rate = ('<Record type="HKQuantityTypeIdentifierHeartRate" sourceName="A" unit="count/min" value="{}" '
                'startDate="2023-05-01 {} +0000" endDate="2023-05-01 {} +0000"/>').format
        rates = [rate(60, *2 * ["08:00:00"]), rate(120, *2 * ["08:00:00"]), rate(75, "08:10:00", "08:15:00"),
                 rate(0.1, "09:00:00", "09:00:10"), rate(0.2, "09:00:00", "09:00:10"), rate(0.3, "09:00:00", "09:00:10")]
        found = []
        for turned in rates, rates[::-1], rates[3:] + rates[:3]:
            (self.folder / "in.xml").write_text(HEAD + "\n".join(turned) + END)
            self.vault("analytics", "init", "in.xml", "--database", "a.db", "--overwrite", "--tz", "UTC")
            rows = json.loads(self.vault("analytics", "show", "day", "--database", "a.db", "--json").stdout)["rows"]
            found.append((self.report("in.xml", "heartRate", "--agg", "avg,latest,min", "--tz", "UTC")["intervals"],
                          rows[0]["heartbeats"]))
        self.assertEqual(found[1:], found[:1] * 2)
        interval, = found[0][0]
        self.assertAlmostEqual(interval["average"], (600 * 90 + 300 * 75 + 10 * 0.6) / 930)
        self.assertEqual(interval["mostRecent"], 0.3)

    def test_the_reason_for_no_answer_is_that_samples_last_for_ages(self):
        ages, said = self.steps("2020-01-01", "2023-05-01", 9998), "1 sample of more than a year not counted"
        source = self.folder / "in.xml"
        source.write_text(document(ages))
        for command in (["stats", source, "stepCount"], ["stats", source, "stepCount", "--compare", "last-year"],
                        ["chart", source, "stepCount"], ["stats", source, "stepCount", "--agg", "median", "--of", "day"],
                        ["correlate", source, "heartRate", "stepCount"]):
            self.assertIn("contains no Steps of at most a year", self.vault(*command, status=10).stderr)
        # A chart of two types says of which one it is.
        both = self.vault("chart", source, "stepCount", "heartRate").stderr
        self.assertIn("warning: no stepCount of at most a year\n", both)
        self.assertIn(f"warning: Steps: {said}\n", both)
        source.write_text(document(self.steps("2015-05-01", "2015-05-02", 5), ages))
        self.assertIn(f"warning: Steps: {said}\n", self.vault("chart", source, "stepCount", "heartRate").stderr)
        self.assertIn(f"warning: {said}\n", self.vault("chart", source, "stepCount").stderr)
        # The days that count are in neither period.
        self.assertIn(f"warning: {said}\n",
                      self.vault("stats", source, "stepCount", "--compare", "last-year", status=10).stderr)

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
        found = {interval["startDate"][:length]: interval["sum"] for interval in report["intervals"]}
        self.assertGreater(len(found), 3)
        for key in expected.keys() - split:
            self.assertAlmostEqual(found[key], expected[key], places=4)

    def test_csv_says_the_same_as_json(self):
        export = generated()
        text = self.vault("stats", export.zip, "heartRate", "--by", "month", "--csv").stdout.decode()
        rows = list(csv.DictReader(io.StringIO(text)))
        intervals = self.report(export.zip, "heartRate", "--by", "month")["intervals"]
        self.assertEqual([(row["startDate"], float(row["average"]), float(row["minimum"]), float(row["maximum"])) for row in rows],
                         [(i["startDate"], i["average"], i["minimum"], i["maximum"]) for i in intervals])
        for interval in intervals:
            self.assertLessEqual(interval["minimum"], interval["average"])
            self.assertLessEqual(interval["average"], interval["maximum"])

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
            days = {datetime.fromisoformat(interval["startDate"]).weekday() for interval in report["intervals"]}
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

    def test_each_interval_is_computed_as_it_is_printed(self):
        """Samples times intervals take no memory: 20 samples of each year of a decade are 1.7 million parts of hours."""
        path = self.document(*[(f"{year}-01-01 00:00:00", f"{year + 1}-01-01 00:00:00", (number + 1) / 10, "count")
                               for year in range(2010, 2020) for number in range(20)])
        *lines, peak = self.measured("stats", path, "stepCount", "--by", "hour", "--csv")
        rows = list(csv.DictReader(io.StringIO(b"\n".join(lines).decode())))
        self.assertEqual(len(rows), 87648)
        self.assertAlmostEqual(sum(float(row["sum"]) for row in rows), 210, 3)
        self.assertLess(int(peak) / 1024, 64)

    def measured(self, *command):
        """The lines that a command prints, and at the end its peak of memory in KiB: that of a child of a small parent."""
        measure = ("import os, sys; child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ);"
                   " _, status, usage = os.wait4(child, 0); print(usage.ru_maxrss); sys.exit(status)")
        result = run(sys.executable, "-I", "-S", "-c", measure, BINARY, *command, cwd=self.folder)
        self.assertEqual(result.status, 0, result.stderr)
        return result.stdout.splitlines()

    def test_averages_of_days(self):
        export = generated("watchAndPhone", "14", "4MB")
        sums = defaultdict(list)
        for day in self.report(export.zip, "stepCount")["intervals"]:
            sums[day["startDate"][:7]].append(day["sum"])
        found = self.report(export.zip, "stepCount", "--by", "month", "--agg", "avg,min,max,median", "--of", "day")["intervals"]
        self.assertEqual([month["startDate"][:7] for month in found], list(sums))
        for month in found:
            days = sums[month["startDate"][:7]]
            self.assertAlmostEqual(month["average"], sum(days) / len(days), 6)
            self.assertEqual((month["count"], month["minimum"], month["maximum"]), (len(days), min(days), max(days)))
            self.assertAlmostEqual(month["median"], statistics.median(days), 6)
        self.vault("stats", export.zip, "stepCount", "--of", "day", status=2)
        self.vault("stats", export.zip, "heartRate", "--by", "month", "--of", "day", status=2)
        self.vault("stats", export.zip, "stepCount", "--by", "month", "--agg", "sum", "--of", "day", status=2)

    def test_the_median_and_the_95th_percentile(self):
        rate = ('<Record type="HKQuantityTypeIdentifierHeartRate" sourceName="A" unit="count/min" value="{}" '
                'startDate="2023-05-0{} 08:{}:00 +0000" endDate="2023-05-0{} 08:{}:00 +0000"/>').format
        values = [70, 50, 110, 64, 90, 71]
        (self.folder / "in.xml").write_text(
            HEAD + "".join(rate(value, 1, 10 + place, 1, 10 + place) for place, value in enumerate(values)) + rate(55, 2, 10, 2, 10) + END)
        first, second = self.report("in.xml", "heartRate", "--agg", "median,p95", "--tz", "UTC")["intervals"]
        self.assertEqual((first["median"], second["median"], second["p95"]), (70.5, 55, 55))
        # The place 0.95 of the way from the first of six to the last is three quarters from the fifth to the last.
        self.assertAlmostEqual(first["p95"], 90 + 0.75 * 20)
        self.assertIn("has no median", self.vault("stats", generated().zip, "stepCount", "--agg", "median", status=2).stderr)

    def test_the_greatest_first(self):
        export = generated("watchAndPhone", "14", "4MB")
        everything = self.report(export.zip, "stepCount")["intervals"]
        top = self.report(export.zip, "stepCount", "--sort", "value", "--limit", "5")["intervals"]
        self.assertEqual([day["sum"] for day in top], sorted((day["sum"] for day in everything), reverse=True)[:5])
        least = self.report(export.zip, "stepCount", "--sort", "least", "--limit", "5")["intervals"]
        self.assertEqual([day["sum"] for day in least], sorted(day["sum"] for day in everything)[:5])
        self.assertEqual(self.report(export.zip, "stepCount", "--limit", "3")["intervals"], everything[:3])

    def test_a_part_of_a_month_is_marked_and_counts_are_whole(self):
        path = self.document(("2024-03-10 08:00:00", "2024-03-10 09:00:00", 20, "count"),
                             ("2024-03-31 23:00:00", "2024-04-01 02:00:00", 100, "count"),
                             ("2024-05-01 08:00:00", "2024-05-01 09:00:00", 30, "count"))
        report = self.report(path, "stepCount", "--by", "month", "--since", "2024-03-05")["intervals"]
        self.assertEqual([month["isPartial"] for month in report], [True, False, True])
        lines = self.vault("stats", path, "stepCount", "--by", "month").stdout.decode().splitlines()
        self.assertEqual([line.split() for line in lines[1:4]], [["2024-03", "53"], ["2024-04", "67"], ["2024-05", "30", "*"]])
        self.assertIn("partial: not all of this month", lines[4])
        rows = csv.DictReader(io.StringIO(self.vault("stats", path, "stepCount", "--by", "month", "--csv").stdout.decode()))
        self.assertEqual([row["period"] for row in rows], ["2024-03", "2024-04", "2024-05"])

    def test_what_has_no_statistics_says_what_can_be_asked(self):
        for name, hint in (("sleepAnalysis", "healthvault sleep"), ("bloodPressure", "bloodPressureSystolic"),
                           ("workouts", "healthvault query SOURCE workout"), ("activitySummary", "healthvault query")):
            self.assertIn(hint, self.vault("stats", generated().zip, name, status=2).stderr)

    @staticmethod
    def category(name, value, start, end, source="A"):
        return (f'<Record type="HKCategoryTypeIdentifier{name}" sourceName="{source}" value="HKCategoryValue{value}" '
                f'startDate="2023-05-{start} +0200" endDate="2023-05-{end} +0200"/>\n')

    def test_a_category_has_entries_and_their_duration(self):
        sessions = (("02 06:00:03", "02 06:00:23", "A"), ("02 06:00:01", "02 06:00:21", "B"), ("03 23:55:00", "04 00:05:00", "A"),
                    ("05 07:00:00", "05 07:02:00", "A"), ("05 19:00:00", "05 19:01:00", "A"))
        (self.folder / "in.xml").write_text(
            HEAD + "".join(self.category("MindfulSession", "NotApplicable", *session) for session in sessions) + END)
        report = self.report("in.xml", "mindfulSession")
        self.assertEqual([(day["startDate"][:10], day["count"], day["duration"]) for day in report["intervals"]],
                         [("2023-05-02", 2, 22), ("2023-05-03", 1, 600), ("2023-05-05", 2, 180)])
        self.assertEqual((report["sources"], report["warnings"]), (["A", "B"], []))
        table = self.vault("stats", "in.xml", "mindfulSession").stdout.decode().splitlines()
        self.assertEqual([line.split() for line in table[:4]], [
            ["day", "entries", "duration"], ["2023-05-02", "2", "0:00:22"], ["2023-05-03", "1", "0:10:00"],
            ["2023-05-05", "2", "0:03:00"]])
        first, = self.report("in.xml", "mindfulSession", "--sort", "value", "--limit", "1")["intervals"]
        self.assertEqual(first["duration"], 600)
        month, = self.report("in.xml", "mindfulSession", "--by", "month", "--agg", "duration")["intervals"]
        self.assertEqual((month["count"], month["duration"], month["isPartial"]), (5, 802, True))
        for options in ("--agg", "sum"), ("--by", "month", "--of", "day"), ("--merge", "none"):
            self.assertIn("does not suit mindfulSession", self.vault("stats", "in.xml", "mindfulSession", *options, status=2).stderr)
        for options in ("--compare", "2022"), ("--above", "5"):
            self.assertIn("counts its entries by day", self.vault("stats", "in.xml", "mindfulSession", *options, status=2).stderr)
        self.vault("stats", "in.xml", "headache", status=10)

    def test_a_category_has_the_hours_of_each_value(self):
        hours = "".join(self.category("AppleStandHour", "AppleStandHour" + ("Stood" if hour % 2 else "Idle"),
                                      f"02 {hour:02}:00:00", f"02 {hour:02}:59:59") for hour in range(24))
        tests = "".join(self.category("OvulationTestResult", f"OvulationTestResult{value}", *2 * [f"0{day} 10:00:00"])
                        for day, value in ((1, "Negative"), (1, "Indeterminate"), (2, "Negative")))
        (self.folder / "in.xml").write_text(HEAD + hours + tests + END)
        day, = self.report("in.xml", "appleStandHour")["intervals"]
        self.assertEqual((day["count"], day["stoodCount"], day["idleCount"]), (24, 12, 12))
        self.assertEqual((day["stoodSeconds"], day["idleSeconds"], day["duration"]), (12 * 3599, 12 * 3599, 24 * 3599))
        table = self.vault("stats", "in.xml", "appleStandHour").stdout.decode().splitlines()
        self.assertEqual([line.split() for line in table[:2]],
                         [["day", "entries", "stood", "idle"], ["2023-05-02", "24", "12:00", "12:00"]])
        # Tests have no duration.
        table = self.vault("stats", "in.xml", "ovulationTestResult").stdout.decode().splitlines()
        self.assertEqual([line.split() for line in table[:3]], [
            ["day", "entries", "negative", "indeterminate"], ["2023-05-01", "2", "1", "1"], ["2023-05-02", "1", "1"]])
        row = next(csv.DictReader(io.StringIO(self.vault("stats", "in.xml", "ovulationTestResult", "--csv").stdout.decode())))
        self.assertEqual((row["period"], row["count"], row["negativeCount"], row["negativeSeconds"]), ("2023-05-01", "2", "1", "0"))

    def test_samples_without_a_date_are_said_to_be_so(self):
        path = self.document(("yesterday", "today", 5, "count"))
        self.assertIn("contains no Steps with a date", self.vault("stats", path, "stepCount", status=10).stderr)

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
