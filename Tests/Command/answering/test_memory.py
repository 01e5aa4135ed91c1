"""Answers about more samples than there is memory for."""
import csv
import functools
import sys
import unittest

from crafted import MIB
from documents import END, HEAD
from vault import BINARY, CACHE, ENCRYPT, OPEN, CommandTest, environment, run

# The peak of a child is at least what its parent had when it started the child, so a small parent starts it.
MEASURE = """
import os, sys
out = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
child = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, out, 1)])
_, status, usage = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024)
"""
SECONDS = 86_400
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
    """1.2 million heart rates, two of which start at one time."""
    path = CACHE / "heart rates.xml"
    write(path, 140, *[
        f'<Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch {number % 3}" unit="count/min" '
        f'startDate="{time(number // 2 * 20)}" endDate="{time(number // 2 * 20 + 4)}" value="{45 + number * 7919 % 131}"/>\n'
        for number in range(8640)])
    return path


@functools.cache
def nights():
    """900,000 samples of sleep, every second hour of all nights and days."""
    path = CACHE / "nights.xml"
    write(path, 250, *[
        f'<Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch {number % 3}" '
        f'startDate="{time(second)}" endDate="{time(second + 10)}" value="HKCategoryValueSleepAnalysisAsleepCore"/>\n'
        for number, second in enumerate(second for second in range(0, SECONDS - 3600, 12) if second // 3600 % 2 == 0)])
    return path


class Memory(CommandTest):
    def peak(self, *arguments):
        """The most memory that a command takes, in mebibytes; what it prints becomes a file."""
        result = run(sys.executable, "-I", "-S", "-c", MEASURE, self.folder / "out", BINARY, *arguments, cwd=self.folder,
                     timeout=900, env=environment())
        status, memory = map(int, result.stdout.split())
        self.assertEqual(status, 0, result.stderr)
        return memory / MIB

    def column(self, name):
        """What a column holds; dictionaries of a million rows would take longer than the command."""
        with open(self.folder / "out", newline="") as file:
            rows = csv.reader(file)
            place = next(rows).index(name)
            return [row[place] for row in rows]

    def values(self):
        return [float(value) for value in self.column("value")]

    def sources(self, document):
        self.vault("export", document, "-o", "a.hvault", *ENCRYPT, "-q")
        return [(document,), ("a.hvault", *OPEN)]

    def test_a_million_samples_in_another_order(self):
        for source, *options in self.sources(heart_rates()):
            with self.subTest(source):
                self.assertLess(self.peak("query", source, "heartRate", "--sort", "value", "--csv", *options), 256)
                values = self.values()
                self.assertEqual(len(values), 140 * 8640)
                self.assertEqual(values, sorted(values, reverse=True))
                self.assertLess(self.peak("query", source, "heartRate", "--sort", "source", "--limit", "500000", "--csv",
                                          *options), 256)
                self.assertEqual(len(self.values()), 500_000)

    def test_the_latest_million_samples(self):
        for source, *options in self.sources(heart_rates()):
            with self.subTest(source):
                self.assertLess(self.peak("query", source, "heartRate", "--limit", "1000000", "--csv", *options), 256)
                starts = self.column("start")
                self.assertEqual(len(starts), 1_000_000)
                self.assertTrue(all(one <= next for one, next in zip(starts, starts[1:])))

    def test_statistics_of_a_million_samples(self):
        for source, *options in self.sources(heart_rates()):
            for unit in "hour", "day", "month":
                with self.subTest(source, by=unit):
                    self.assertLess(self.peak("stats", source, "heartRate", "--by", unit, "--csv", *options), 96)

    def test_nights_of_a_million_samples(self):
        for source, *options in self.sources(nights()):
            with self.subTest(source):
                self.assertLess(self.peak("sleep", source, "--csv", *options), 256)
                with open(self.folder / "out", newline="") as file:
                    self.assertEqual(len(list(csv.DictReader(file))), 250 * 12)


if __name__ == "__main__":
    unittest.main()
