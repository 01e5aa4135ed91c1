"""`analytics` keeps what Python computes from the document, in a database that changes only where the source did."""
import json
import shutil
import sqlite3
import stat
import unittest
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import crafted
from documents import END, HEAD
import later_exports
from vault import ITERATIONS, OPEN, CommandTest, each, generated
import decrypt  # found by the line above

ZONE = ZoneInfo("Europe/Berlin")
# Metrics that are sums of a type.
SUMS = {
    "steps": "StepCount", "cyclingDistance": "DistanceCycling", "swimmingDistance": "DistanceSwimming",
    "swimmingStrokes": "SwimmingStrokeCount", "crossCountrySkiingDistance": "DistanceCrossCountrySkiing",
    "downhillSnowSportsDistance": "DistanceDownhillSnowSports", "energyActive": "ActiveEnergyBurned",
    "energyResting": "BasalEnergyBurned", "stairsClimbed": "FlightsClimbed", "exerciseMinutes": "AppleExerciseTime",
    "standMinutes": "AppleStandTime",
}
# How many metres, kilocalories, minutes or pieces a unit has.
UNITS = {"count": 1, "km": 1000, "m": 1, "mi": 1609.344, "yd": 0.9144, "kcal": 1, "Cal": 1, "kJ": 1 / 4.184, "min": 1,
         "hr": 60}


def midnights(start, end):
    """The midnights of Berlin between two instants."""
    day = start.astimezone(ZONE).date() + timedelta(days=1)
    while (midnight := datetime(day.year, day.month, day.day, tzinfo=ZONE)) < end:
        yield midnight
        day += timedelta(days=1)


def by_day(start, end):
    """The parts of an interval by day, as (day, seconds)."""
    bounds = [start.timestamp(), *(moment.timestamp() for moment in midnights(start, end)), end.timestamp()]
    for low, high in zip(bounds, bounds[1:]):
        yield datetime.fromtimestamp(low, ZONE).date().isoformat(), high - low


class Truth:
    """The totals of each day, straight from the document, with the samples of all sources added up."""

    def __init__(self, path):
        self.days = defaultdict(lambda: defaultdict(float))
        records, runs = defaultdict(list), []
        for element in ElementTree.parse(path).getroot():
            if element.tag not in ("Record", "Workout"):
                continue
            start, end = (datetime.strptime(element.get(name), "%Y-%m-%d %H:%M:%S %z") for name in ("startDate", "endDate"))
            if element.tag == "Record":
                records[element.get("type").replace("HKQuantityTypeIdentifier", "")].append((start, end, element))
            elif element.get("workoutActivityType") == "HKWorkoutActivityTypeRunning":
                runs.append((start.timestamp(), end.timestamp()))
        for metric, name in SUMS.items():
            for start, end, element in records[name]:
                self.add(metric, start, end, float(element.get("value")) * UNITS[element.get("unit")])
        self.add_walks(records["DistanceWalkingRunning"], runs)
        self.add_heartbeats(records["HeartRate"])
        self.add_sleep(records["HKCategoryTypeIdentifierSleepAnalysis"])

    def add(self, metric, start, end, value):
        if start == end:
            self.days[start.astimezone(ZONE).date().isoformat()][metric] += value
            return
        for day, seconds in by_day(start, end):
            self.days[day][metric] += value * seconds / (end - start).total_seconds()

    def add_walks(self, records, runs):
        for start, end, element in records:
            value = float(element.get("value")) * UNITS[element.get("unit")]
            low, high = start.timestamp(), end.timestamp()
            cuts = sorted({low, high, *(cut for run in runs for cut in run if low < cut < high)})
            for left, right in zip(cuts, cuts[1:]) if low < high else [(low, high)]:
                runs_here = any(begin <= left and (right <= finish if low < high else left < finish) for begin, finish in runs)
                part = value * (right - left) / (high - low) if low < high else value
                self.add("runningDistance" if runs_here else "walkingDistance", datetime.fromtimestamp(left, ZONE),
                         datetime.fromtimestamp(right, ZONE), part)

    def add_heartbeats(self, records):
        """Each measurement lasts until the next, for ten minutes at most; those at one instant are one, with their mean."""
        instants = defaultdict(list)
        for start, end, element in records:
            instants[start.timestamp(), end.timestamp() - start.timestamp()].append(float(element.get("value")))
        rows = [(start, length, value) for (start, length), values in sorted(instants.items())
                for value in (values if length else [sum(values) / len(values)])]
        for (start, length, value), follower in zip(rows, [row[0] for row in rows[1:]] + [float("inf")]):
            end = min(start + (length or 600), follower)
            if start < end:
                for day, seconds in by_day(datetime.fromtimestamp(start, ZONE), datetime.fromtimestamp(end, ZONE)):
                    self.days[day]["heartbeats"] += value * seconds / 60

    def add_sleep(self, records):
        """Second by second: of the trackers, a watch first, and of its stages the deepest."""
        depths = ["AsleepDeep", "AsleepREM", "AsleepCore", "AsleepUnspecified"]
        rows = sorted((start.timestamp(), end.timestamp(), element.get("value").replace("HKCategoryValueSleepAnalysis", ""),
                       self.priority(element)) for start, end, element in records)
        nights, latest = [], float("-inf")
        for row in rows:
            if row[0] - latest >= 3600:
                nights.append([])
            nights[-1].append(row)
            latest = max(latest, row[1])
        for night in nights:
            day = datetime.fromtimestamp(max(row[1] for row in night), ZONE).date().isoformat()
            stages, asleep, in_bed = {row[2] for row in night}, {}, set()
            for start, end, stage, priority in night:
                for second in range(int(start), int(end)):
                    if stage == "InBed":
                        in_bed.add(second)
                    elif stage in depths:
                        best = priority, depths.index(stage)
                        asleep[second] = min(asleep.get(second, best), best)
            found = {"timeInBed": len(in_bed)} if "InBed" in stages else {}
            if stages & set(depths):
                found["sleepTotal"] = len(asleep)
            if stages & set(depths[:3]):
                found |= {metric: sum(depth == number for _, depth in asleep.values())
                          for number, metric in enumerate(("sleepDeep", "sleepREM"))}
            for metric, seconds in found.items():
                self.days[day][metric] += seconds / 60

    @staticmethod
    def priority(element):
        """Watches before phones before others, and those of a kind by their names."""
        name = element.get("sourceName")
        device = element.get("device") or name
        kind = 0 if "Watch" in device else 1 if "iPhone" in device else 2
        return kind, name


class Analytics(CommandTest):
    def rows(self, period, database="a.sqlite", *options):
        return json.loads(self.vault("analytics", "show", period, "--database", database, "--json", *options).stdout)["rows"]

    def init(self, *source, database="a.sqlite", rules=(), status=0):
        return self.vault("analytics", "init", *source, "--database", database, *rules, status=status)

    def test_every_metric_is_that_of_python(self):
        export = generated("ordinary", "14", "4MB")
        self.init(export.zip, rules=("--merge", "none", "--tz", "Europe/Berlin"))
        truth = Truth(export.xml).days
        rows = {row["startDate"]: row for row in self.rows("day")}
        self.assertEqual(set(rows), {day for day, metrics in truth.items() if metrics})
        seen = set()
        for day, row in rows.items():
            found = {name: amount["value"] for name, amount in row.items() if isinstance(amount, dict)}
            self.assertEqual(set(found), set(truth[day]), day)
            seen |= set(found)
            for metric, value in found.items():
                self.assertAlmostEqual(value, truth[day][metric], delta=1e-6, msg=(day, metric))
        self.assertGreater(len(seen), 13)
        for period, length in (("month", 7), ("year", 4)):
            sums = defaultdict(float)
            for day, metrics in truth.items():
                sums[day[:length]] += metrics.get("energyActive", 0)
            for row in self.rows(period):
                if row["energyActive"]:
                    self.assertAlmostEqual(row["energyActive"]["value"], sums[row["startDate"][:length]], places=5)

    @each("day", "week", "month", "year")
    def test_totals_are_those_of_statistics(self, period):
        export = generated("watchAndPhone", "14", "4MB")
        self.init(export.zip, database=f"{period}.sqlite")
        rows = [row for row in self.rows(period, f"{period}.sqlite") if row["energyActive"]]
        report = json.loads(self.vault("stats", export.zip, "activeEnergyBurned", "--by", period, "--json").stdout)
        self.assertEqual([row["startDate"] for row in rows], [interval["startDate"][:10] for interval in report["intervals"]])
        for row, interval in zip(rows, report["intervals"]):
            self.assertAlmostEqual(row["energyActive"]["value"], interval["sum"], places=6)
            self.assertIn("priority: watch", row["energyActive"]["rule"])

    def test_a_day_on_which_clocks_change_is_covered_as_a_whole(self):
        """A day of 23 hours, one of 25, and one of 24 of which 6 are covered."""
        rate = (' <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="x" unit="count/min" value="60"'
                ' startDate="{} +0000" endDate="{} +0000"/>\n')
        days = {"2023-03-26": ("2023-03-25 23:00:00", "2023-03-26 22:00:00", 1),
                "2023-05-02": ("2023-05-02 06:00:00", "2023-05-02 12:00:00", 0.25),
                "2023-10-29": ("2023-10-28 22:00:00", "2023-10-29 23:00:00", 1)}
        (self.folder / "clocks.xml").write_text(
            HEAD + "".join(rate.format(start, end) for start, end, _ in days.values()) + END)
        self.init("clocks.xml", rules=("--tz", "Europe/Berlin"))
        self.assertEqual({row["startDate"]: row["heartbeats"]["coverage"] for row in self.rows("day")},
                         {day: coverage for day, (_, _, coverage) in days.items()})
        week = next(row for row in self.rows("week") if row["startDate"] == "2023-10-23")
        self.assertEqual(week["heartbeats"]["coverage"], round(25 / (7 * 24 + 1), 4))

    def test_the_same_of_export_archive_and_folder(self):
        export = generated()
        found = []
        for number, source in enumerate([(export.zip,), (export.xml,), (export.plain,), (export.archive, *OPEN)]):
            self.init(*source, database=f"{number}.sqlite")
            rows = self.rows("day", f"{number}.sqlite")
            found.append([{key: value for key, value in row.items() if key != "recordedAt"} for row in rows])
        for rows in found[1:]:
            self.assertEqual(rows, found[0])

    def test_the_database_can_be_read_by_anyone_with_sqlite_who_may_read_the_file(self):
        export = generated()
        self.init(export.zip)
        self.assertEqual(self.names(), ["a.sqlite"])
        self.assertEqual(stat.S_IMODE((self.folder / "a.sqlite").stat().st_mode), 0o600)
        with sqlite3.connect(self.folder / "a.sqlite") as database:
            daily = dict(database.execute("SELECT startDate, steps FROM daily WHERE steps IS NOT NULL"))
        rows = {row["startDate"]: row["steps"]["value"] for row in self.rows("day") if row["steps"]}
        self.assertEqual(set(daily), set(rows))
        for day, value in daily.items():
            self.assertAlmostEqual(value, rows[day], places=6)

    def test_an_encrypted_database_is_the_same_and_nothing_of_it_can_be_read(self):
        export = generated()
        (self.folder / "secret").write_text("a long enough passphrase\n")
        secret = ("--other-passphrase-file", "secret")
        self.init(export.zip)
        self.init(export.zip, database="a.hvault", rules=secret)
        encrypted = self.rows("month", "a.hvault", *secret)
        for one, other in zip(encrypted, self.rows("month"), strict=True):
            self.assertEqual({**one, "recordedAt": 0}, {**other, "recordedAt": 0})
        self.assertNotIn(b"energyActive", (self.folder / "a.hvault").read_bytes())
        (self.folder / "other").write_text("another passphrase\n")
        self.vault("analytics", "show", "day", "--database", "a.hvault", "--other-passphrase-file", "other", status=12)
        self.vault("analytics", "update", export.xml, "--database", "a.hvault", *secret)
        self.assertEqual(self.names(), ["a.hvault", "a.sqlite", "other", "secret"])

    @each("a.HVAULT", "a.Hvault")
    def test_the_name_of_an_archive_in_upper_case_is_encrypted_too(self, name):
        said = self.vault("analytics", "init", generated().zip, "--database", name, status=2).stderr
        self.assertIn("passphrase", said)
        self.assertEqual(self.names(), [])
        (self.folder / "secret").write_text("a long enough passphrase\n")
        self.vault("analytics", "init", generated().zip, "--database", name, "--other-passphrase-file", "secret")
        self.assertNotIn(b"energyActive", (self.folder / name).read_bytes())

    def test_what_a_crash_left_of_an_encrypted_database_is_not_in_the_way(self):
        export, secret = generated(), ("--other-passphrase-file", "secret")
        (self.folder / "secret").write_text("otter violin mesa plunder gherkin cascade")
        self.init(export.zip, database="a.hvault", rules=secret)
        part, whole = self.folder / "a.hvault.part", (self.folder / "a.hvault").read_bytes()
        for left in whole, whole[:-5000], whole[:4096], whole[:64], b"", bytes(9000):
            part.write_bytes(left)
            self.init(export.zip, "--overwrite", database="a.hvault", rules=secret)
            self.assertEqual(self.names(), ["a.hvault", "secret"])
        # Anything else with the name is left alone, and named.
        for foreign in export.archive.read_bytes(), b"notes":
            part.write_bytes(foreign)
            said = self.init(export.zip, "--overwrite", database="a.hvault", rules=secret, status=16).stderr
            self.assertIn("a.hvault.part", said)
            self.assertIn("move or delete it", said)
            self.assertEqual(part.read_bytes(), foreign)

    def test_an_encrypted_database_is_verified_decrypted_and_inspected(self):
        (self.folder / "secret").write_text("otter violin mesa plunder gherkin cascade")
        self.init(generated().zip, database="a.hvault", rules=("--other-passphrase-file", "secret"))
        opening = "--passphrase-file", "secret"
        self.assertIn(b"a.hvault: intact, an encrypted database of analytics",
                      self.vault("verify", "a.hvault", *opening).stdout)
        report = json.loads(self.vault("verify", "a.hvault", "--json", *opening).stdout)
        self.assertEqual((report["intact"], report["isAnalytics"], report["problems"]), (True, True, []))
        self.assertIn(b"a.hvault: an encrypted database of analytics", self.vault("inspect", "a.hvault", *opening).stdout)
        self.vault("decrypt", "a.hvault", *opening)
        for name in "plain", "plain.sqlite":
            self.vault("decrypt", "a.hvault", "-o", name, *opening)
            self.assertEqual((self.folder / name).read_bytes(), (self.folder / "analytics.sqlite").read_bytes())
            self.assertEqual(stat.S_IMODE((self.folder / name).stat().st_mode), 0o600)
            with sqlite3.connect(self.folder / name) as database:
                self.assertTrue(database.execute("SELECT count(*) FROM daily").fetchone()[0])
        self.vault("decrypt", "a.hvault", "-o", "plain", *opening, status=16)
        for options in ("--format", "csv"), ("--types", "stepCount"):
            said = self.vault("decrypt", "a.hvault", "-o", "other", *options, *opening, status=14).stderr
            self.assertIn("a.hvault: is an encrypted database of analytics, not an archive", said)
        self.assertEqual(self.names(), ["a.hvault", "analytics.sqlite", "plain", "plain.sqlite", "secret"])
        self.check_damage("a.hvault", opening)
        self.check_folder(opening)

    def check_folder(self, opening):
        """A check of the folder that it is in finds nothing wrong, with an archive beside it or without."""
        (self.folder / "drive").mkdir()
        shutil.copy(self.folder / "a.hvault", self.folder / "drive/a.hvault")
        self.assertIn(b"a.hvault: intact, an encrypted database of analytics",
                      self.vault("verify", "drive", *opening).stdout)
        self.vault("export", generated().zip, "-o", "drive/b.hvault", "--encrypt", *opening, *ITERATIONS)
        found = self.vault("verify", "drive", *opening)
        self.assertNotIn("not checked", found.stderr)
        self.assertEqual(found.stdout.count(b": intact"), 2)
        report = json.loads(self.vault("verify", "drive", "--json", *opening).stdout)
        self.assertEqual((report["intact"], report["databases"], len(report["archives"])), (True, ["drive/a.hvault"], 1))
        data = (self.folder / "drive/a.hvault").read_bytes()
        (self.folder / "drive/a.hvault").write_bytes(data[:5000] + bytes([data[5000] ^ 1]) + data[5001:])
        self.assertIn("drive/a.hvault: chunk 0 of segment 0 is damaged",
                      self.vault("verify", "drive", *opening, status=13).stderr)

    def check_damage(self, name, opening):
        """A flipped bit, and a database that was encrypted as it is: damaged."""
        data = bytearray((self.folder / name).read_bytes())
        data[4096 + 500] ^= 1
        (self.folder / "b.hvault").write_bytes(data)
        for command in ["verify", "b.hvault"], ["decrypt", "b.hvault", "-o", "out"]:
            self.vault(*command, *opening, status=13)
        content = bytearray((self.folder / "analytics.sqlite").read_bytes())
        content[4096:8192] = bytes(4096)
        crafted.write_container.write(
            self.folder / "b.hvault", [("analytics.sqlite", bytes(content))],
            decrypt.prepare((self.folder / "secret").read_bytes()), 100_000)
        self.assertIn("the database in it is damaged", self.vault("verify", "b.hvault", *opening, status=13).stderr)

    def test_an_update_reaches_every_day_that_differs_and_no_other(self):
        export = generated()
        self.init(export.zip)
        before = {row["startDate"]: row for row in self.rows("day")}
        lines = export.xml.read_text().splitlines(keepends=True)
        steps = [number for number, line in enumerate(lines) if "StepCount" in line and line.rstrip().endswith("/>")]
        del lines[steps[3]]
        (self.folder / "later.xml").write_text("".join(lines))
        report = json.loads(self.vault("analytics", "update", "later.xml", "--database", "a.sqlite", "--json").stdout)
        self.assertLessEqual(report["changedRows"]["day"], 2)
        self.init("later.xml", database="fresh.sqlite")
        after, fresh = ({row["startDate"]: row for row in self.rows("day", name)} for name in ("a.sqlite", "fresh.sqlite"))
        self.assertEqual({day: {**row, "recordedAt": 0} for day, row in after.items()},
                         {day: {**row, "recordedAt": 0} for day, row in fresh.items()})
        unchanged = sum(after.get(day) == row for day, row in before.items())
        self.assertGreaterEqual(unchanged, len(before) - 2)
        again = json.loads(self.vault("analytics", "update", "later.xml", "--database", "a.sqlite", "--json").stdout)
        self.assertEqual(sum(again["changedRows"].values()), 0)

    def test_an_update_of_other_data_is_refused_unless_told(self):
        export = generated("ordinary", "14", "100kB")
        document = export.xml.read_bytes()
        other = generated("ordinary", "14", "100kB", "--seed", "2").zip
        lines = document.splitlines(keepends=True)
        few = [line for line in lines if b"<Record" not in line or b"StepCount" in line or not line.endswith(b"/>\n")]
        for name, content in (("older.xml", later_exports.dated(document, b"2020-01-01 08:00:00 +0000")),
                              ("few.xml", later_exports.dated(b"".join(few)))):
            (self.folder / name).write_bytes(content)
        self.init(export.zip)
        before = (self.folder / "a.sqlite").read_bytes()
        for source, reason in (other, "another person's"), ("older.xml", "--allow-older"), ("few.xml", "--allow-deletions"):
            result = self.vault("analytics", "update", source, "--database", "a.sqlite", status=2)
            self.assertIn(reason, result.stderr)
            self.assertEqual((self.folder / "a.sqlite").read_bytes(), before)
        self.vault("analytics", "update", "older.xml", "--database", "a.sqlite", "--allow-older", "--person", "Anna")
        self.assertIn("Anna", self.vault("analytics", "update", export.zip, "--database", "a.sqlite", "--person", "Ben",
                                         status=2).stderr)
        self.vault("analytics", "update", "few.xml", "--database", "a.sqlite", "--allow-deletions")
        # Cleared, it is anybody's.
        self.vault("analytics", "clear", "--database", "a.sqlite")
        self.vault("analytics", "update", other, "--database", "a.sqlite", "--person", "Ben")

    def test_an_archive_is_not_read_twice(self):
        export = generated()
        self.vault("analytics", "init", export.archive, "--database", "a.sqlite", *OPEN)
        again = self.vault("analytics", "update", export.archive, "--database", "a.sqlite", "--json", *OPEN)
        self.assertTrue(json.loads(again.stdout)["unchanged"])

    def test_slips_have_their_own_messages(self):
        export = generated()
        (self.folder / "mine.sqlite").write_text("something else")
        self.vault("analytics", "init", export.zip, "--database", "mine.sqlite", status=16)
        self.vault("analytics", "init", export.zip, "--database", "mine.sqlite", "--overwrite", status=14)
        self.assertEqual((self.folder / "mine.sqlite").read_text(), "something else")
        self.vault("analytics", "show", "day", "--database", "none.sqlite", status=10)
        self.vault("analytics", "show", "decade", "--database", "none.sqlite", status=2)
        self.vault("analytics", "update", export.zip, "--database", "none.sqlite", status=10)
        self.vault("analytics", "clear", export.zip, "--database", "none.sqlite", status=2)
        self.init(export.zip)
        self.vault("analytics", "update", export.zip, "--database", "a.sqlite", "--tz", "UTC", status=2)
        self.vault("analytics", "records", "--database", "a.sqlite", "--json")
        self.vault("analytics", "clear", "--database", "a.sqlite")
        self.vault("analytics", "show", "day", "--database", "a.sqlite", status=10)


if __name__ == "__main__":
    unittest.main()
