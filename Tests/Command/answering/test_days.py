"""One rule for days, everywhere: those in the zone of the export, on any computer."""
import json
import re
import unittest

from documents import END, PROLOGUE
from vault import ENCRYPT, OPEN, CommandTest, each, environment

HEAD = PROLOGUE + '<HealthData locale="en_US">\n <ExportDate value="2024-07-01 12:00:00 -0400"/>\n'
ME = (' <Me HKCharacteristicTypeIdentifierDateOfBirth="1980-01-31" HKCharacteristicTypeIdentifierBiologicalSex='
      '"HKBiologicalSexFemale" HKCharacteristicTypeIdentifierBloodType="HKBloodTypeABNegative"/>\n')


def steps(start):
    """A record at an instant; Apple writes the offset of the export, in winter too."""
    return (f' <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" startDate="{start}"'
            f' endDate="{start}" value="1"/>\n')


# In New York 2024-01-15 begins at five in UTC, which is one in the morning at the offset of the file.
WINTER = steps("2024-01-15 00:30:00 -0400") + steps("2024-01-15 01:30:00 -0400")
SUMMARY = ' <ActivitySummary dateComponents="2024-01-15" activeEnergyBurned="300" activeEnergyBurnedUnit="kcal"/>\n'
ZONE = (' <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" startDate="2024-06-01 01:00:00 -0400"'
        ' endDate="2024-06-01 02:00:00 -0400" value="HKCategoryValueSleepAnalysisAsleepCore">\n'
        '  <MetadataEntry key="HKTimeZone" value="America/New_York"/>\n </Record>\n')


class Days(CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "zone.xml").write_text(HEAD + ME + WINTER + ZONE + SUMMARY + END)
        (self.folder / "offset.xml").write_text(HEAD + WINTER + SUMMARY + END)

    def days(self, source, *options, **more):
        report = json.loads(self.vault("stats", source, "stepCount", "--json", *options, **more).stdout)
        return [interval["startDate"] for interval in report["intervals"]], report["zone"]

    def test_summer_time_is_right_in_winter_where_a_zone_is_named(self):
        self.assertEqual(self.days("zone.xml"), (["2024-01-14T00:00:00-05:00", "2024-01-15T00:00:00-05:00"],
                                                 "America/New_York"))
        self.assertEqual(self.days("offset.xml"), (["2024-01-15T00:00:00-04:00"], "-04:00"))

    def test_a_zone_that_is_given_counts(self):
        self.assertEqual(self.days("zone.xml", "--tz", "UTC")[0], ["2024-01-15T00:00:00+00:00"])
        self.assertEqual(self.days("offset.xml", "--tz", "America/New_York")[0],
                         ["2024-01-14T00:00:00-05:00", "2024-01-15T00:00:00-05:00"])

    def test_the_computer_s_zone_does_not_matter(self):
        for zone in "Asia/Tokyo", "America/New_York", "Pacific/Apia":
            more = {"env": environment(TZ=zone)}
            self.assertEqual(self.days("zone.xml", **more), self.days("zone.xml"))
            self.assertEqual(self.vault("inspect", "zone.xml", **more).stdout, self.vault("inspect", "zone.xml").stdout)

    @each("America/St_Johns", "America/Goose_Bay")
    def test_a_day_begins_once(self, zone):
        """Until 2010, clocks went back here from a minute past midnight: what they showed again belongs to the new day."""
        (self.folder / "in.xml").write_text(HEAD + steps("2009-10-31 20:00:00 -0230") + 3 * steps("2009-10-31 23:20:00 -0330") + END)
        for unit in "day", "week", "month", "year":
            report = json.loads(self.vault("stats", "in.xml", "stepCount", "--by", unit, "--tz", zone, "--json").stdout)
            self.assertEqual(sum(interval["sum"] for interval in report["intervals"]), 4)
        days = json.loads(self.vault("stats", "in.xml", "stepCount", "--tz", zone, "--json").stdout)["intervals"]
        if zone == "America/St_Johns":
            self.assertEqual([(day["startDate"], day["sum"]) for day in days],
                             [("2009-10-31T00:00:00-02:30", 1), ("2009-11-01T00:00:00-02:30", 3)])
        for command in (["stats", "in.xml", "stepCount", "--agg", "median", "--of", "day"], ["chart", "in.xml", "stepCount", "--by", "day"],
                        ["report", "in.xml", "-o", "r.html"], ["analytics", "init", "in.xml", "--database", "a.db"]):
            self.vault(*command, "--tz", zone)

    def test_a_day_that_inspect_shows_has_samples_east_and_west_of_it(self):
        for zone in "America/Los_Angeles", "Pacific/Kiritimati":
            more = {"env": environment(TZ=zone)}
            lines = self.vault("inspect", "zone.xml", "--all", **more).stdout.decode().splitlines()
            shown = re.search(r"Steps +([0-9-]+) to ([0-9-]+)( +LOINC [0-9-]+)?$", "\n".join(lines), re.MULTILINE)
            for option, day, beyond in (("--until", shown[1], "2024-01-13"), ("--since", shown[2], "2024-01-16")):
                self.assertTrue(self.vault("query", "zone.xml", "stepCount", option, day, **more).stdout)
                self.vault("query", "zone.xml", "stepCount", option, beyond, status=10, **more)
                self.vault("export", "zone.xml", "-o", f"{zone[:4]}{day}", "--types", "steps", option, day, "-q", **more)

    def test_a_year_month_or_day_is_a_time(self):
        days = "2023-12-31", "2024-01-01", "2024-01-31", "2024-02-01", "2024-06-30", "2024-07-01"
        (self.folder / "in.xml").write_text(HEAD + "".join(steps(f"{day} 10:00:00 -0400") for day in days) + END)
        for whole, count in ("2023", 1), ("2024", 5), ("2024-01", 2), ("2024-01-31", 1), ("yesterday", 1):
            same = "--since", whole, "--until", whole
            self.assertEqual(len(self.days("in.xml", "--in", whole)[0]), count)
            for command in ("query", "in.xml", "stepCount", "--json"), ("stats", "in.xml", "stepCount", "--agg", "median", "--of", "day", "--json"):
                self.assertEqual(self.vault(*command, "--in", whole).stdout, self.vault(*command, *same).stdout)
        self.vault("export", "in.xml", "-o", "out.json", "--in", "2024-01")
        found = [day for day in days if f'"{day}T10' in (self.folder / "out.json").read_text()]
        self.assertEqual(found, ["2024-01-01", "2024-01-31"])
        self.vault("analytics", "init", "in.xml", "--database", "a.db")
        rows = json.loads(self.vault("analytics", "show", "day", "--database", "a.db", "--in", "2024-01", "--json").stdout)["rows"]
        self.assertEqual([row["startDate"] for row in rows], ["2024-01-01", "2024-01-31"])
        for options in ("--in", "2024", "--last", "1y"), ("--in", "2024", "--since", "2023"), ("--in", "2024-01-01T10:00"):
            self.vault("stats", "in.xml", "stepCount", *options, status=2)

    def test_selections_go_by_the_same_days(self):
        self.vault("export", "zone.xml", "-o", "x.hvault", *ENCRYPT, "-q")
        for day, count in (("2024-01-14", 1), ("2024-01-15", 1), ("2024-01-16", 0)):
            status = 0 if count else 10
            result = self.vault("query", "x.hvault", "stepCount", "--since", day, "--until", day, "--json", *OPEN,
                                status=status)
            self.assertEqual(len(result.stdout.splitlines()), count)
            self.vault("decrypt", "x.hvault", "-o", day, "--types", "stepCount", "--since", day, "--until", day, *OPEN,
                       "-q", status=status)
            lines = [line for path in (self.folder / day).glob("records/*/*.ndjson")
                     for line in path.read_text().splitlines()]
            self.assertEqual(len(lines), count)

    def test_dates_after_the_export_move_no_answer_about_the_last_days(self):
        """An evening on the day of the export, and a clock that was years ahead."""
        later = steps("2024-07-01 21:51:00 -0400") + steps("2024-07-02 01:00:00 -0400") + steps("2030-06-01 10:00:00 -0400")
        far = steps("2024-06-25 12:00:00 -0400") + later
        night = ZONE.replace("2024-06-01", "2024-06-30") + ZONE.replace("2024-06-01", "2030-06-02")
        (self.folder / "in.xml").write_text(HEAD + far + night + END)
        said = "samples up to {} are dated after the export"
        days = ["2024-06-25", "2024-07-01", "2024-07-02", "2030-06-01"]
        for options, shown, omission in ((("--last", "7d"), days[:2], ", and not shown"), ((), days, ""),
                                         (("--since", "2024-07"), days[1:], ""), (("--until", "2030-05"), days[:3], "")):
            report = json.loads(self.vault("stats", "in.xml", "stepCount", "--json", *options).stdout)
            self.assertEqual([interval["startDate"][:10] for interval in report["intervals"]], shown)
            self.assertEqual(report["warnings"], [said.format("2030-06-01") + omission])
            query = self.vault("query", "in.xml", "stepCount", "--csv", *options)
            self.assertEqual(query.stdout.decode().count("StepCount"), len(shown))
            self.assertIn(f"warning: {said.format('2030-06-01')}{omission}\n", query.stderr)
        self.assertEqual(json.loads(self.vault("stats", "in.xml", "stepCount", "--json", "--until", "2024-06").stdout)["warnings"], [])
        sleep = json.loads(self.vault("sleep", "in.xml", "--last", "7d", "--json").stdout)
        self.assertEqual([found["night"] for found in sleep["nights"]], ["2024-06-30"])
        self.assertEqual(sleep["warnings"], [said.format("2030-06-02") + ", and not shown"])
        trend = json.loads(self.vault("stats", "in.xml", "stepCount", "--agg", "median", "--of", "day", "--last", "7d", "--json").stdout)
        self.assertEqual([period["startDate"] for period in trend["periods"]], ["2024-06-01", "2024-07-01"])
        self.assertIn("not shown", trend["warnings"][0])
        # A chart ends with the export, unless it is told to go on.
        for options in (), ("--last", "7d"), ("--since", "2024-06"):
            chart = self.vault("chart", "in.xml", "stepCount", *options)
            self.assertIn("Steps by", chart.stdout.decode())
            self.assertNotIn("2030", chart.stdout.decode())
            self.assertIn(f"warning: {said.format('2030-06-01')}, and not shown\n", chart.stderr)
        self.assertIn("Steps by day", self.vault("chart", "in.xml", "stepCount", "--last", "7d").stdout.decode())
        # An export has all of them.
        self.vault("export", "in.xml", "-o", "out.json", "--last", "7d", "--types", "stepCount")
        self.assertIn("2030-06-01", (self.folder / "out.json").read_text())

    def test_dates_after_the_export_move_no_last_days_of_analytics(self):
        (self.folder / "in.xml").write_text(
            HEAD + "".join(steps(f"{day} 10:00:00 -0400") for day in ("2024-06-24", "2024-06-25", "2024-07-01", "2024-07-02",
                                                                      "2030-06-01")) + END)
        self.vault("analytics", "init", "in.xml", "--database", "a.db")
        for period, options, shown, said in (
                ("day", ("--last", "6d"), ["2024-06-25", "2024-07-01"], ["2 days are dated after the export, and not shown"]),
                ("week", ("--last", "1d"), ["2024-06-24", "2024-07-01"], ["1 week is dated after the export, and not shown"]),
                ("year", (), ["2024-01-01", "2030-01-01"], ["1 year is dated after the export"]),
                ("day", ("--since", "yesterday"), ["2024-07-01", "2024-07-02", "2030-06-01"], ["2 days are dated after the export"]),
                ("day", ("--until", "today"), ["2024-06-24", "2024-06-25", "2024-07-01"], [])):
            show = "analytics", "show", period, "--database", "a.db", *options
            report = json.loads(self.vault(*show, "--json").stdout)
            self.assertEqual([row["startDate"] for row in report["rows"]], shown, (period, options))
            self.assertEqual(report["warnings"], said)
            for text in said:
                self.assertIn(f"warning: {text}\n", self.vault(*show).stdout.decode())

    def test_an_activity_summary_belongs_to_the_day_that_it_names(self):
        result = self.vault("export", "zone.xml", "-o", "x.hvault", *ENCRYPT)
        self.assertIn("2024-01-14 to 2024-06-01", result.stderr)
        (self.folder / "summary.xml").write_text(HEAD + SUMMARY + ZONE + END)
        self.assertIn("2024-01-15 to 2024-06-01", self.vault("export", "summary.xml", "-o", "y").stderr)
        for day, status in (("2024-01-14", 10), ("2024-01-15", 0), ("2024-01-16", 10)):
            limits = "--since", day, "--until", day
            self.vault("query", "x.hvault", "activitySummary", *limits, *OPEN, status=status)
            self.vault("query", "zone.xml", "activitySummary", *limits, status=status)
            self.vault("decrypt", "x.hvault", "-o", day, "--types", "HKActivitySummaryTypeIdentifier", *limits, *OPEN,
                       "-q", status=status)

    def test_inspection_names_the_zone_and_shows_the_profile_only_when_asked(self):
        self.vault("export", "zone.xml", "-o", "x.hvault", *ENCRYPT, "-q")
        self.vault("export", "zone.xml", "-o", "folder", "-q")
        for source in ("zone.xml",), ("x.hvault", *OPEN), ("folder",):
            text = self.vault("inspect", *source).stdout.decode()
            self.assertIn("days in America/New_York", text)
            self.assertNotIn("1980-01-31", text)
            text = self.vault("inspect", "--profile", *source).stdout.decode()
            for part in "1980-01-31", "female", "AB-":
                self.assertIn(part, text)
            profile = json.loads(self.vault("inspect", "--profile", "--json", *source).stdout)["profile"]
            self.assertEqual(profile["HKCharacteristicTypeIdentifierDateOfBirth"], "1980-01-31")

    @each("quantity", "category", "correlation", "clinical", "characteristic", "other")
    def test_types_of_a_kind(self, kind):
        report = json.loads(self.vault("types", "--kind", kind, "--json").stdout)["types"]
        self.assertTrue(report)
        for entry in report:
            self.assertEqual(entry["kind"], kind)
            self.assertEqual("unit" in entry, kind == "quantity")
            self.assertEqual("values" in entry, kind == "category")


if __name__ == "__main__":
    unittest.main()
