"""`sleep` counts each moment of a night once."""
import json
import unittest
from collections import defaultdict

from documents import HEAD, END
from vault import CommandTest, generated


def record(start, end, value, source="Watch"):
    return (f' <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="{source}" startDate="{start} +0200"'
            f' endDate="{end} +0200" value="HKCategoryValueSleepAnalysis{value}"/>\n')


class Sleep(CommandTest):
    def nights(self, text, *options):
        (self.folder / "export.xml").write_text(HEAD + text + END)
        return json.loads(self.vault("sleep", "export.xml", "--json", *options).stdout)["nights"]

    def test_what_two_trackers_record_counts_once(self):
        text = (record("2023-05-01 22:00:00", "2023-05-02 06:00:00", "InBed", "Phone")
                + record("2023-05-01 23:00:00", "2023-05-02 01:00:00", "AsleepCore")
                + record("2023-05-02 00:30:00", "2023-05-02 02:00:00", "AsleepDeep", "Other")
                + record("2023-05-02 02:00:00", "2023-05-02 02:10:00", "Awake")
                + record("2023-05-02 02:10:00", "2023-05-02 05:00:00", "AsleepREM"))
        night, = self.nights(text)
        self.assertEqual(night["night"], "2023-05-02")
        self.assertEqual(night["asleepSeconds"], 3 * 3600 + 170 * 60)
        self.assertEqual(night["inBedSeconds"], 8 * 3600)
        self.assertEqual((night["coreSeconds"], night["deepSeconds"], night["remSeconds"], night["awakeSeconds"]),
                         (7200, 3600, 170 * 60, 600))
        self.assertEqual(night["sources"], ["Other", "Phone", "Watch"])
        self.assertEqual((night["startDate"], night["endDate"]),
                         ("2023-05-01T22:00:00+02:00", "2023-05-02T06:00:00+02:00"))
        # An hour without a sample of the watch ends its night.
        self.assertEqual(len(self.nights(text, "--merge", "none")), 4)

    def test_the_end_of_a_night_decides_whether_it_is_in_the_time(self):
        text = (record("2023-05-01 23:00:00", "2023-05-02 06:00:00", "AsleepCore")
                + record("2023-05-02 23:00:00", "2023-05-03 06:00:00", "AsleepCore"))
        night, = self.nights(text, "--since", "2023-05-02", "--until", "2023-05-02")
        self.assertEqual(night["night"], "2023-05-02")
        # The same option lists samples by their starts: its help says what is true of both.
        for command in "sleep", "stats", "query":
            words = " ".join(self.vault(command, "--help").stdout.decode().split())
            self.assertIn("only from this year, month, day or time on", words)
            self.assertNotIn("only what starts", words)

    def test_an_hour_ends_a_night_and_a_second_less_does_not(self):
        first = record("2023-05-01 22:00:00", "2023-05-01 23:00:00", "AsleepCore")
        self.assertEqual(len(self.nights(first + record("2023-05-02 00:00:00", "2023-05-02 01:00:00", "AsleepCore"))), 2)
        self.assertEqual(len(self.nights(first + record("2023-05-01 23:59:59", "2023-05-02 01:00:00", "AsleepCore"))), 1)
        self.assertEqual(len(self.nights(first + record("2023-05-02 00:00:00", "2023-05-02 01:00:00", "AsleepCore"),
                                         "--threshold", "90")), 1)

    def test_the_main_sleep_of_a_day_has_gaps(self):
        """A night with 62 minutes without a sample, and a nap."""
        text = (record("2023-05-01 22:00:00", "2023-05-02 02:00:00", "AsleepCore")
                + record("2023-05-02 03:02:00", "2023-05-02 07:00:00", "AsleepCore")
                + record("2023-05-02 13:00:00", "2023-05-02 14:00:00", "AsleepCore"))
        self.assertEqual(len(self.nights(text)), 3)
        night, = self.nights(text, "--main")
        self.assertEqual((night["asleepSeconds"], night["gapSeconds"]), (4 * 3600 + 238 * 60, 62 * 60))
        self.assertEqual((night["startDate"][11:16], night["endDate"][11:16]), ("22:00", "07:00"))
        self.assertIn("gap", self.vault("sleep", "export.xml", "--main").stdout.decode().splitlines()[0])
        self.assertEqual(len(self.nights(text, "--main", "--threshold", "60")), 1)
        self.vault("sleep", "export.xml", "--main", "--merge", "none", status=2)

    def test_means_of_the_days_with_sleep(self):
        """A night with a nap, one in another month, and time in bed alone, which counts nowhere."""
        text = (record("2023-04-30 23:00:00", "2023-05-01 05:00:00", "AsleepCore")
                + record("2023-05-01 14:00:00", "2023-05-01 15:00:00", "AsleepREM")
                + record("2023-05-02 23:00:00", "2023-05-03 04:00:00", "AsleepCore", "Phone")
                + record("2023-05-03 23:00:00", "2023-05-04 04:00:00", "InBed")
                + record("2023-06-01 01:00:00", "2023-06-01 03:00:00", "AsleepDeep"))
        (self.folder / "export.xml").write_text(HEAD + text + END)

        def periods(*options):
            return [(found["startDate"], found["days"], found["asleepSeconds"], found["sources"]) for found in json.loads(
                self.vault("sleep", "export.xml", "--json", "--by", *options).stdout)["periods"]]

        self.assertEqual(periods("month"), [("2023-05-01", 2, 6 * 3600, ["Phone", "Watch"]),
                                            ("2023-06-01", 1, 2 * 3600, ["Watch"])])
        self.assertEqual(periods("month", "--main")[0][2], 5.5 * 3600)
        self.assertEqual([found[:3] for found in periods("week", "--week-start", "wednesday")],
                         [("2023-04-26", 1, 7 * 3600), ("2023-05-03", 1, 5 * 3600), ("2023-05-31", 1, 2 * 3600)])
        self.assertEqual(periods("year", "--merge", "none"), [("2023-01-01", 1, 5 * 3600, ["Phone"]),
                                                         ("2023-01-01", 2, 4.5 * 3600, ["Watch"])])
        # A nap does not make a day short.
        self.assertEqual(periods("year", "--below", "6h"), [("2023-01-01", 2, 3.5 * 3600, ["Phone", "Watch"])])
        for period in (), ("--by", "year"):
            refused = self.vault("sleep", "export.xml", *period, "--below", "1h", status=10).stderr
            self.assertIn("contains no night with less than 1:00 of sleep\n4 nights with 1:00 to 6:00 of sleep\n", refused)
        table = self.vault("sleep", "export.xml", "--by", "month").stdout.decode()
        self.assertRegex(table, r"(?m)^2023-05 +2 +6:00 +5:30 +0:30 .*Phone, Watch")
        line = self.vault("sleep", "export.xml", "--by", "year", "--csv").stdout.decode().splitlines()[1]
        self.assertEqual(line.split(",")[:4], ["2023", "3", "16800", "13200"])
        # The chart has the same means: three days, without that of time in bed alone.
        self.vault("chart", "export.xml", "sleepAnalysis", "--by", "month", "--until", "2023-06", "-o", "sleep.svg")
        drawing = (self.folder / "sleep.svg").read_text()
        self.assertIn("3 of ", drawing)
        self.assertIn("6:00", drawing)
        self.vault("sleep", "export.xml", "--week-start", "sunday", status=2)
        self.vault("sleep", "export.xml", "--by", "day", status=2)

    def test_means_of_a_generated_export(self):
        export = generated("watchAndPhone", "14", "4MB", "--years", "2")
        for options in (), ("--main",):
            days = defaultdict(lambda: defaultdict(int))
            for night in json.loads(self.vault("sleep", export.zip, "--json", *options).stdout)["nights"]:
                if night["asleepSeconds"]:
                    days[night["night"][:7]][night["night"]] += night["asleepSeconds"]
            periods = json.loads(self.vault("sleep", export.zip, "--by", "month", "--json", *options).stdout)["periods"]
            self.assertEqual([(period["startDate"][:7], period["days"]) for period in periods],
                             [(month, len(found)) for month, found in sorted(days.items())])
            for period in periods:
                found = days[period["startDate"][:7]].values()
                self.assertAlmostEqual(period["asleepSeconds"], sum(found) / len(found), places=3)

    def test_time_in_bed_of_more_than_a_day_joins_no_nights(self):
        nights = "".join(record(f"2023-05-0{day} 23:00:00", f"2023-05-0{day + 1} 06:00:00", "AsleepCore")
                         for day in range(1, 6))
        for hours in 0, 1:
            bed = record("2023-05-02 12:00:00", f"2023-05-03 12:00:0{hours}", "InBed", "Phone")
            found = self.nights(bed + nights)
            self.assertEqual([night["asleepSeconds"] for night in found], 5 * [7 * 3600])
            self.assertEqual(sum(night["inBedSeconds"] for night in found), 0 if hours else 24 * 3600)
            self.assertEqual(len(self.nights(bed + nights, "--main")), 5)
            said = self.vault("sleep", "export.xml").stdout.decode()
            self.assertEqual("warning: 1 sample of more than a day not counted" in said, bool(hours))
            self.vault("analytics", "init", "export.xml", "--database", "a.sqlite", "--overwrite")
            rows = json.loads(self.vault("analytics", "show", "day", "--database", "a.sqlite", "--json").stdout)["rows"]
            self.assertEqual([row["sleepTotal"]["value"] for row in rows], 5 * [7 * 60])
            self.assertEqual([row["timeInBed"] is None for row in rows], [True, hours == 1, True, True, True])

    def test_a_sample_of_more_than_a_day_is_said_not_to_count(self):
        ages = record("2020-01-01 00:00:00", "2023-05-01 12:00:00", "AsleepCore")
        night = record("2023-05-01 22:00:00", "2023-05-02 06:00:00", "AsleepCore")
        (self.folder / "export.xml").write_text(HEAD + ages + night + END)
        said = "1 sample of more than a day not counted"
        for options in (), ("--main",), ("--by", "year"):
            report = json.loads(self.vault("sleep", "export.xml", "--json", *options).stdout)
            self.assertEqual(report["warnings"], [said])
            self.assertIn(f"warning: {said}", self.vault("sleep", "export.xml", *options).stdout.decode())
            self.assertIn(f"warning: {said}", self.vault("sleep", "export.xml", "--csv", *options).stderr)
        # It is not in this time.
        later = json.loads(self.vault("sleep", "export.xml", "--since", "2023-05-02", "--json").stdout)
        self.assertEqual((len(later["nights"]), later["warnings"]), (1, []))
        self.assertIn(f"warning: {said}", self.vault("chart", "export.xml", "sleepAnalysis").stderr)
        self.vault("report", "export.xml", "-o", "report.html")
        self.assertIn("Not counted: 1 sample of more than a day.", (self.folder / "report.html").read_text())
        (self.folder / "export.xml").write_text(HEAD + ages + END)
        for command in ("sleep", "export.xml"), ("chart", "export.xml", "sleepAnalysis"):
            self.assertIn("contains no Sleep of at most a day", self.vault(*command, status=10).stderr)

    def test_that_most_samples_name_another_zone_is_said(self):
        """The last sample before an export in New York was recorded there; the others were not, but for one far away."""
        def recorded(day, hours, zone):
            sample = record(f"2023-05-{day:02} {hours}:00:00", f"2023-05-{day:02} {hours + 6}:00:00", "AsleepCore")
            return sample.replace("+0200", "-0400").replace(
                "/>", f'><MetadataEntry key="HKTimeZone" value="{zone}"/></Record>')

        def write(*zones):
            text = "".join(recorded(day, 16, zone) for day, zone in enumerate(zones, 1))
            (self.folder / "export.xml").write_text(HEAD.replace("+0200", "-0400") + text + END)

        write("Europe/Berlin", "Europe/Paris", "Europe/Berlin", "Asia/Tokyo", "America/Toronto", "America/New_York")
        said = "another time zone is named by 4 of 6 samples, mostly Europe/Berlin: --tz Europe/Berlin shows the hours there"
        for options in (), ("--by", "month"):
            report = json.loads(self.vault("sleep", "export.xml", "--json", *options).stdout)
            self.assertEqual((report["zone"], report["warnings"]), ("America/New_York", [said]))
            self.assertIn(f"\n{said}\n", self.vault("sleep", "export.xml", *options).stdout.decode())
        self.assertIn(said, self.vault("chart", "export.xml", "sleepAnalysis").stderr)
        self.vault("report", "export.xml", "-o", "report.html")
        self.assertIn(said[1:], (self.folder / "report.html").read_text())
        # Not if a zone is given, of those in the time, for other names of the same hours, or of half of the samples.
        self.assertNotIn(said[:12], self.vault("sleep", "export.xml", "--tz", "America/New_York").stdout.decode())
        self.assertNotIn(said[:12], self.vault("sleep", "export.xml", "--since", "2023-05-05").stdout.decode())
        write("Europe/Berlin", "America/Toronto", "Europe/Berlin", "America/New_York")
        self.assertNotIn(said[:12], self.vault("sleep", "export.xml").stdout.decode())

    def test_a_generated_export(self):
        export = generated()
        report = json.loads(self.vault("sleep", export.zip, "--json").stdout)
        self.assertTrue(report["nights"])
        for night in report["nights"]:
            stages = sum(night[key] for key in ("coreSeconds", "deepSeconds", "remSeconds", "unspecifiedSeconds"))
            self.assertEqual(night["asleepSeconds"], stages)
        table = self.vault("sleep", export.zip).stdout.decode()
        self.assertIn("asleep", table.splitlines()[0])
        self.vault("sleep", export.zip, "--since", "2090-01-01", status=10)


if __name__ == "__main__":
    unittest.main()
