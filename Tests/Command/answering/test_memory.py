"""Answers about more samples than there is memory for."""
import csv
import functools
import io
import unittest

from assistants.client import Client, Refused
from crafted import BoundedTest
from documents import END, HEAD
from sampling import ALL
from vault import CACHE, ENCRYPT, OPEN

SECONDS = 86_400
# The share of the samples that a run takes, and the mebibytes that a command may take for them.
SHARE, MOST = (1, 256) if ALL else (0.3, 128)
DAYS = [f"20{year}-{month:02}-{day:02}" for year in range(10, 30) for month in range(1, 13) for day in range(1, 29)]


def time(second):
    return f"@ {second // 3600:02}:{second // 60 % 60:02}:{second % 60:02} +0000"


def write(path, days, *rows):
    """A document of these rows for each of some days, in which @ becomes the day."""
    text = "".join(rows)
    with open(path, "w") as file:
        file.write(HEAD)
        for day in DAYS[:days]:
            file.write(text.replace("@", day))
        file.write(END)


@functools.cache
def heart_rates():
    """1.2 million heart rates, two of which start at one time, or a share of them."""
    path = CACHE / "heart rates.xml"
    write(path, int(140 * SHARE), *[
        f'<Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch {number % 3}" unit="count/min" '
        f'startDate="{time(number // 2 * 20)}" endDate="{time(number // 2 * 20 + 4)}" value="{45 + number * 7919 % 131}"/>\n'
        for number in range(8640)])
    return path


@functools.cache
def nights():
    """900,000 samples of sleep, every second hour of all nights and days, or a share of them."""
    path = CACHE / "nights.xml"
    write(path, int(250 * SHARE), *[
        f'<Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch {number % 3}" '
        f'startDate="{time(second)}" endDate="{time(second + 10)}" value="HKCategoryValueSleepAnalysisAsleepCore"/>\n'
        for number, second in enumerate(second for second in range(0, SECONDS - 3600, 12) if second // 3600 % 2 == 0)])
    return path


class Memory(BoundedTest):
    def column(self, name):
        """What a column holds; dictionaries of a million rows would take longer than the command."""
        rows = csv.reader(io.StringIO(self.printed))
        place = next(rows).index(name)
        return [row[place] for row in rows]

    def values(self):
        return [float(value) for value in self.column("value")]

    def sources(self, document):
        archive = document.with_suffix(".hvault")
        if not archive.exists():
            self.vault("export", document, "-o", archive, *ENCRYPT, "-q")
        return [(document,), (archive, *OPEN)]

    # SECURITY.md: "256 MiB"
    def test_a_million_samples_in_another_order(self):
        for source, *options in self.sources(heart_rates()):
            with self.subTest(source):
                self.assertLess(self.peak("query", source, "heartRate", "--sort", "value", "--csv", *options), MOST)
                values = self.values()
                self.assertEqual(len(values), int(140 * SHARE) * 8640)
                self.assertEqual(values, sorted(values, reverse=True))
                count = int(500_000 * SHARE)
                self.assertLess(self.peak("query", source, "heartRate", "--sort", "source", "--limit", str(count), "--csv",
                                          *options), MOST)
                self.assertEqual(len(self.column("value")), count)

    def test_the_latest_million_samples(self):
        for source, *options in self.sources(heart_rates()):
            with self.subTest(source):
                count = int(1_000_000 * SHARE)
                self.assertLess(self.peak("query", source, "heartRate", "--limit", str(count), "--csv", *options), MOST)
                starts = self.column("startDate")
                self.assertEqual(len(starts), count)
                self.assertTrue(all(one <= next for one, next in zip(starts, starts[1:])))

    def test_statistics_of_a_million_samples(self):
        for source, *options in self.sources(heart_rates()):
            for unit in "hour", "day", "month":
                with self.subTest(source, by=unit):
                    self.assertLess(self.peak("stats", source, "heartRate", "--by", unit, "--csv", *options), 96)

    def test_nights_of_a_million_samples(self):
        for source, *options in self.sources(nights()):
            with self.subTest(source):
                self.assertLess(self.peak("sleep", source, "--csv", *options), MOST)
                self.assertEqual(len(self.printed.splitlines()) - 1, int(250 * SHARE) * 12)


class LongSamples(BoundedTest):
    """Samples of a year each: a few of them are in any number of hours and days."""

    def years(self, first, last):
        """A document with a sample for each of these years; returns its name."""
        name = f"{first}-{last}.xml"
        with open(self.folder / name, "w") as file:
            file.write(HEAD)
            for year in range(first, last + 1):
                file.write(f'<Record type="HKQuantityTypeIdentifierStepCount" sourceName="Watch" unit="count" value="8760" '
                           f'startDate="{year:04}-01-01 00:00:00 +0000" endDate="{year:04}-12-31 00:00:00 +0000"/>\n')
            file.write(END)
        return name

    def refused(self, *arguments, status=2):
        cost = self.bounded(*arguments, status=status, seconds=60)
        self.assertIn("more than", cost.stderr)
        self.assertEqual(cost.stdout, b"")
        return cost.stderr

    def test_hours_of_centuries_are_refused(self):
        source = self.years(1890, 1999)
        for command in "stats", "chart":
            self.assertIn("use longer intervals", self.refused(command, source, "stepCount", "--by", "hour"))
        self.refused("chart", source, "stepCount", "--by", "hour-of-week")
        self.assertIn("--since", self.refused("analytics", "init", source, "--database", "a.db", status=14))
        self.assertFalse((self.folder / "a.db").exists())
        decade = ("--since", "1990", "--until", "1990-02")
        for command in "stats", "chart":
            self.bounded(command, source, "stepCount", "--by", "hour", *decade, status=0, seconds=60)

    def test_days_of_millennia_are_refused(self):
        source = self.years(1, 9998)
        self.refused("stats", source, "stepCount", "--by", "day")
        self.refused("chart", source, "stepCount", "--by", "day")
        self.assertIn(b"by year", self.bounded("chart", source, "stepCount", status=0, seconds=60).stdout)

    def test_an_assistant_is_told_to_ask_for_less(self):
        def peak(client):
            with open(f"/proc/{client.process.pid}/status") as status:
                return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))

        with Client(self.years(1940, 1999), cwd=self.folder) as client:
            for tool, unit, more in ("statistics", "hour", {"types": ["stepCount"]}), ("summary", "day", {}):
                answer = client.call(tool, by=unit, **more)
                self.assertIn(answer["by"], ("month", "year"))
                self.assertIn("would not fit", answer["note"])
            self.assertLess(peak(client), 256)
        with Client(self.years(1, 9998), cwd=self.folder) as client:
            for tool, more in (("statistics", {"types": ["stepCount"], "by": "year"}),
                               ("compare", {"types": ["stepCount"], "a_from": "0001", "a_to": "9000",
                                            "b_from": "2000", "b_to": "2001"})):
                with self.assertRaisesRegex(Refused, "ask for a shorter time"):
                    client.call(tool, **more)
            self.assertEqual(client.call("statistics", types=["stepCount"], **{"from": "1990", "to": "1990-02"})["by"], "day")
            self.assertLess(peak(client), 256)


if __name__ == "__main__":
    unittest.main()
