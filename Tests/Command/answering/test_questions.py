"""Questions that people ask: the greatest values, samples above a value, short nights, trends, what varies together."""
import json
import statistics
import unittest
from collections import defaultdict
from datetime import date, timedelta
from statistics import correlation

from documents import END, HEAD
from vault import CommandTest, generated


def ranks(values):
    """The rank of each value, the mean one of those that are equal."""
    places = defaultdict(list)
    for place, value in enumerate(sorted(values)):
        places[value].append(place)
    return [statistics.mean(places[value]) for value in values]


# The median day of each month or year, and its change.
TREND = "--agg", "median", "--of", "day"

class Questions(CommandTest):
    def samples(self, *arguments):
        return [json.loads(line) for line in self.vault("query", *arguments, "--json").stdout.splitlines()]

    def test_a_condition_keeps_exactly_the_samples_that_meet_it(self):
        export = generated()
        everything = self.samples(export.zip, "heartRate")
        limit = statistics.median_low(float(sample["value"]) for sample in everything)
        for mark, holds in (("<", float.__lt__), ("<=", float.__le__), ("=", float.__eq__), ("!=", float.__ne__),
                            (">=", float.__ge__), (">", float.__gt__)):
            wanted = [sample for sample in everything if holds(float(sample["value"]), limit)]
            self.assertEqual(self.samples(export.zip, "heartRate", "--where", f"value {mark} {limit}"), wanted)
        per_second = self.samples(export.zip, "heartRate", "--where", f"value > {limit / 60} count/s")
        self.assertTrue(per_second)
        source = everything[0]["sourceName"]
        both = self.samples(export.zip, "heartRate", "--where", f"value>{limit}", "--where", f"source = {source}")
        self.assertEqual(both, [sample for sample in everything
                                if float(sample["value"]) > limit and sample["sourceName"] == source])
        for slip in ("value", "value >", "value ~ 3", "value > high", "source > Watch"):
            self.vault("query", export.zip, "heartRate", "--where", slip, status=2)

    def test_the_greatest_come_first(self):
        export = generated()
        values = sorted((float(sample["value"]) for sample in self.samples(export.zip, "stepCount")), reverse=True)
        found = self.samples(export.zip, "stepCount", "--sort", "value", "--limit", "5")
        self.assertEqual([float(sample["value"]) for sample in found], values[:5])

    def test_a_condition_in_a_unit_that_the_type_does_not_have(self):
        export = generated()
        for command in "query", "stats", "chart":
            result = self.vault(command, export.zip, "heartRate", "--where", "value > 80 kg", status=2)
            self.assertIn("no heartRate meets a condition in kg\nit is measured in count/min", result.stderr)
        self.vault("query", export.zip, "bodyMass", "--where", "value > 100 lb")
        # One of two types has it: the chart has the other one, and says so.
        result = self.vault("chart", export.zip, "bodyMass", "heartRate", "--where", "value > 1 kg")
        self.assertIn("warning: no heartRate meets a condition in kg: it is measured in count/min", result.stderr)
        result = self.vault("chart", export.zip, "stepCount", "heartRate", "--where", "value > 400")
        self.assertIn("warning: no heartRate is selected\n", result.stderr)
        # All heart rates meet this condition.
        self.vault("query", export.zip, "heartRate", "--where", "value != 80 kg", "--source-name", "Nobody", status=10)

    def test_short_nights(self):
        export = generated("watchAndPhone", "14", "4MB", "--years", "2")
        nights = json.loads(self.vault("sleep", export.zip, "--json").stdout)["nights"]
        asleep = sorted(night["asleepSeconds"] for night in nights if night["asleepSeconds"])
        minutes = asleep[len(asleep) // 2] // 60 + 1
        result = self.vault("sleep", export.zip, "--json", "--below", f"{minutes}m")
        wanted = [night for night in nights if 0 < night["asleepSeconds"] < minutes * 60]
        self.assertEqual(json.loads(result.stdout)["nights"], wanted)
        self.assertIn(f"{len(wanted)} of {len(asleep)} nights", result.stderr)
        self.vault("sleep", export.zip, "--below", "six hours", status=2)
        both = self.vault("sleep", export.zip, "--json", "--above", f"{minutes}m", "--below", f"{minutes + 60}m")
        wanted = [night for night in nights if minutes < night["asleepSeconds"] / 60 < minutes + 60]
        self.assertEqual(json.loads(both.stdout)["nights"], wanted)
        self.assertIn(" and less than ", both.stderr)
        long = json.loads(self.vault("sleep", export.zip, "--json", "--above", f"{minutes}m", "--by", "year").stdout)["periods"]
        days = defaultdict(int)
        for night in nights:
            days[night["night"]] += night["asleepSeconds"]
        self.assertEqual(sum(period["days"] for period in long), sum(seconds > minutes * 60 for seconds in days.values()))
        self.vault("sleep", export.zip, "--above", "8h", "--below", "8h", status=2)

    def test_trends_are_medians_of_the_days_of_statistics(self):
        export = generated()
        days = defaultdict(list)
        for interval in json.loads(self.vault("stats", export.zip, "stepCount", "--json").stdout)["intervals"]:
            days[interval["startDate"][:4]].append(interval["sum"])
        periods = json.loads(self.vault("stats", export.zip, "stepCount", *TREND, "--by", "year", "--json").stdout)["periods"]
        self.assertEqual([(period["startDate"][:4], period["days"]) for period in periods],
                         [(year, len(values)) for year, values in sorted(days.items())])
        for period in periods:
            self.assertAlmostEqual(period["median"], statistics.median(days[period["startDate"][:4]]), places=5)

    def test_trends_and_correlations_merge_sources_as_statistics_do(self):
        export = generated("watchAndPhone", "14", "4MB", "--years", "1")
        found = set()
        for rule in (), ("--merge", "max-source"), ("--merge", "none"):
            values = {}
            for name in "stepCount", "activeEnergyBurned":
                intervals = json.loads(self.vault("stats", export.zip, name, "--json", *rule).stdout)["intervals"]
                values[name] = {interval["startDate"][:10]: interval["sum"] for interval in intervals}
            period, = (period for period in json.loads(
                self.vault("stats", export.zip, "stepCount", *TREND, "--by", "year", "--json", *rule).stdout)["periods"][:1])
            steps = [value for day, value in values["stepCount"].items() if day[:4] == period["startDate"][:4]]
            self.assertAlmostEqual(period["median"], statistics.median(steps), places=5)
            found.add(period["median"])
            first, second = values.values()
            report = json.loads(self.vault("correlate", export.zip, *values, "--json", *rule).stdout)
            both = [(value, second[day]) for day, value in first.items() if day in second]
            self.assertAlmostEqual(report["rankCorrelation"], correlation(*map(ranks, zip(*both))), places=5)
        self.assertGreater(len(found), 1)
        for command in ("stats", export.zip, "stepCount", *TREND), ("correlate", export.zip, "stepCount", "activeEnergyBurned"):
            report = json.loads(self.vault(*command, "--priority", "Nobody", "--json").stdout)
            self.assertEqual(report["warnings"], ["no such source: Nobody"])
            self.assertIn("warning: no such source: Nobody",
                          self.vault(*command, "--priority", "Nobody").stdout.decode())
            self.assertIn("warning: no such source: Nobody", self.vault(*command, "--priority", "Nobody", "--csv").stderr)
            self.vault(*command, "--priority", "Nobody", "--merge", "none", status=2)
        # A source that has one of the two is there.
        sources = {name: json.loads(self.vault("stats", export.zip, name, "--json").stdout)["sources"]
                   for name in ("stepCount", "heartRate")}
        source, = set(sources["stepCount"]) - set(sources["heartRate"])
        report = json.loads(self.vault("correlate", export.zip, *sources, "--priority", source, "--json").stdout)
        self.assertEqual(report["warnings"], [])

    def test_sleep_has_trends_correlations_and_comparisons(self):
        """The hours of the days on which nights end, as `sleep` has them; of deep sleep only where stages are told apart."""
        export = generated("watchAndPhone", "14", "4MB", "--years", "2")
        nights = json.loads(self.vault("sleep", export.zip, "--json").stdout)["nights"]
        days, staged = defaultdict(lambda: defaultdict(float)), set()
        for night in nights:
            for key in "asleep", "deep", "inBed":
                days[key][night["night"]] += night[f"{key}Seconds"] / 3600
            if night["deepSeconds"] or night["remSeconds"] or night["coreSeconds"]:
                staged.add(night["night"])
        asleep = {day: hours for day, hours in days["asleep"].items() if hours}
        for name, values in (("sleepAnalysis", asleep), ("inBed", {day: hours for day, hours in days["inBed"].items() if hours}),
                             ("asleepdeep", {day: days["deep"][day] for day in staged})):
            if not values:
                self.vault("stats", export.zip, name, *TREND, status=10)
                continue
            report = json.loads(self.vault("stats", export.zip, name, *TREND, "--by", "year", "--json").stdout)
            self.assertEqual((report["unit"], report["value"]), ("hr", "sum"))
            for period in report["periods"]:
                of_year = [hours for day, hours in values.items() if day[:4] == period["startDate"][:4]]
                self.assertEqual(period["days"], len(of_year))
                self.assertAlmostEqual(period["median"], statistics.median(of_year), places=5)
        year = max(asleep)[:4]
        report = json.loads(self.vault("stats", export.zip, "sleepAnalysis", "--in", year, "--compare", "previous", "--json").stdout)
        of_year = [hours for day, hours in asleep.items() if day[:4] == year]
        self.assertEqual(report["whole"]["period"]["daysWithData"], len(of_year))
        self.assertAlmostEqual(report["whole"]["period"]["mean"], statistics.mean(of_year), places=5)
        self.assertIn("Sleep in hr", self.vault("stats", export.zip, "sleepAnalysis", *TREND).stdout.decode())
        self.vault("stats", export.zip, "appleStandHour", *TREND, status=2)

    def test_sleep_varies_with_a_quantity(self):
        pairs = [(4000, 7), (9000, 6), (1000, 8), (12000, 5), (3000, 6)]
        day = (' <Record type="HKQuantityTypeIdentifierStepCount" sourceName="x" unit="count" value="{1}"'
               ' startDate="2023-05-0{0} 12:00:00 +0200" endDate="2023-05-0{0} 13:00:00 +0200"/>\n'
               ' <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="x" value="HKCategoryValueSleepAnalysisAsleepCore"'
               ' startDate="2023-05-0{0} 00:00:00 +0200" endDate="2023-05-0{0} 0{2}:00:00 +0200"/>\n').format
        (self.folder / "in.xml").write_text(
            HEAD + "".join(day(number, *pair) for number, pair in enumerate(pairs, 1)) + END)
        for types in ("stepCount", "sleepAnalysis"), ("asleepCore", "stepCount"):
            report = json.loads(self.vault("correlate", "in.xml", *types, "--json").stdout)
            self.assertEqual((report["n"], len(report["types"])), (5, 2))
            self.assertAlmostEqual(report["rankCorrelation"], correlation(*map(ranks, zip(*pairs))), places=5)
            self.assertIn("priority: watch", report["merge"])

    def test_days_above_and_below_a_value_are_counted(self):
        export = generated("ordinary", "14", "4MB")
        for name, options, field in (("stepCount", (), "sum"), ("heartRate", (), "average"), ("bodyMass", ("--units", "us"), "average"),
                                     ("oxygenSaturation", (), "average")):
            intervals = json.loads(self.vault("stats", export.zip, name, *options, "--json").stdout)["intervals"]
            scale = 100 if name == "oxygenSaturation" else 1
            days = {interval["startDate"][:10]: interval[field] for interval in intervals}
            low, high = sorted(days.values())[len(days) // 4] * scale, sorted(days.values())[-len(days) // 4] * scale
            for limits, holds in ((("--above", f"{low:.6f}"), lambda value: value > float(f"{low:.6f}")),
                                  (("--above", f"{low:.6f}", "--below", f"{high:.6f}"),
                                   lambda value: float(f"{low:.6f}") < value < float(f"{high:.6f}"))):
                report = json.loads(self.vault("stats", export.zip, name, *options, *limits, "--by", "year", "--json").stdout)
                counted = defaultdict(list)
                for day, value in days.items():
                    counted[day[:4]].append(holds(value * scale))
                self.assertEqual([(period["startDate"][:4], period["days"], period["daysWithData"]) for period in report["periods"]],
                                 [(year, sum(found), len(found)) for year, found in sorted(counted.items())], (name, limits))
        months = json.loads(self.vault("stats", export.zip, "stepCount", "--above", "5000", "--json").stdout)
        self.assertEqual((months["by"], months["above"]), ("month", 5000))
        least = json.loads(self.vault("stats", export.zip, "stepCount", "--above", "5000", "--sort", "least", "--json").stdout)
        self.assertEqual([period["days"] for period in least["periods"]], sorted(period["days"] for period in months["periods"]))
        self.assertIn("Steps in count: the days with a sum of more than 5000, of those with data",
                      self.vault("stats", export.zip, "stepCount", "--above", "5000").stdout.decode())
        self.vault("stats", export.zip, "sleepAnalysis", "--above", "7")
        for options in ("--by", "day"), ("--agg", "max"), ("--compare", "2022"), ("--above", "many"):
            self.vault("stats", export.zip, "stepCount", "--above", "5", *options, status=2)

    def test_trends_are_in_the_units_of_the_source_or_of_a_system(self):
        export = generated("ordinary", "14", "4MB")
        for options in (), ("--units", "us"), ("--units", "metric"):
            stats = json.loads(self.vault("stats", export.zip, "bodyMass", "--json", *options).stdout)
            report = json.loads(self.vault("stats", export.zip, "bodyMass", *TREND, "--by", "year", "--json", *options).stdout)
            self.assertEqual(report["unit"], stats["unit"])
            row = self.vault("correlate", export.zip, "bodyMass", "bodyMass", "--csv", *options).stdout.decode().splitlines()[1]
            self.assertEqual(row.split(",")[2], stats["unit"])
        self.assertEqual(stats["unit"], "kg")

    def test_a_quantity_varies_as_itself_does(self):
        export = generated()
        report = json.loads(self.vault("correlate", export.zip, "stepCount", "stepCount", "--json").stdout)
        self.assertAlmostEqual(report["rankCorrelation"], 1)

    def test_two_quantities_vary_as_their_ranks_do(self):
        export = generated("watchAndPhone", "14", "4MB", "--years", "1")
        values = {}
        for name in "stepCount", "activeEnergyBurned":
            intervals = json.loads(self.vault("stats", export.zip, name, "--json").stdout)["intervals"]
            values[name] = {date.fromisoformat(interval["startDate"][:10]): interval["sum"] for interval in intervals}
        for lag in 0, 1:
            report = json.loads(self.vault("correlate", export.zip, *values, "--lag", str(lag), "--json").stdout)
            first, second = values.values()
            pairs = [(value, second[day + timedelta(lag)]) for day, value in first.items() if day + timedelta(lag) in second]
            self.assertGreater(len(pairs), 20)
            self.assertEqual(report["n"], len(pairs))
            self.assertAlmostEqual(report["rankCorrelation"], correlation(*map(ranks, zip(*pairs))), places=5)
        rows = self.vault("correlate", export.zip, *values, "--lag", "1", "--csv").stdout.decode().splitlines()
        self.assertEqual([row.split(",")[0] for row in rows[1:]],
                         [day.isoformat() for day in values["stepCount"] if day + timedelta(1) in second])
        with open(export.xml, "rb") as document:
            piped = self.vault("correlate", "-", *values, "--lag", "1", "--json", stdin=document)
        self.assertEqual({**json.loads(piped.stdout), "path": 0}, {**report, "path": 0})
        text = self.vault("correlate", export.zip, *values).stdout.decode()
        self.assertIn("does not show that one causes the other", text)

    def test_periods_are_compared_where_every_day_has_data(self):
        """Against the days of `stats`: means, numbers of days, and changes of complete months only."""
        export = generated("watchAndPhone", "14", "4MB", "--years", "2")
        for name, field in ("stepCount", "sum"), ("heartRate", "average"):
            days = {date.fromisoformat(interval["startDate"][:10]): interval[field] for interval in json.loads(
                self.vault("stats", export.zip, name, "--json").stdout)["intervals"]}
            last = max(days).year
            since = date(last - 1, 6, 1)
            report = json.loads(self.vault("stats", export.zip, name, "--since", since.isoformat(), "--until", f"{last - 1}-12-31",
                                           "--by", "month", "--compare", "last-year", "--json").stdout)
            self.assertEqual(len(report["parts"]), 7)
            changes = 0
            for row in [*report["parts"], report["whole"]]:
                means = []
                for part in row["period"], row["other"]:
                    first, end = (date.fromisoformat(part[key]) for key in ("first", "last"))
                    own = [value for day, value in days.items() if first <= day <= end]
                    self.assertEqual((part["days"], part["daysWithData"]), ((end - first).days + 1, len(own)))
                    self.assertAlmostEqual(part["mean"] or 0, statistics.mean(own) if own else 0, places=5)
                    means.append(statistics.mean(own) if len(own) == part["days"] else None)
                self.assertEqual(date.fromisoformat(row["period"]["first"]).year - 1, date.fromisoformat(row["other"]["first"]).year)
                if None in means:
                    self.assertIsNone(row["change"])
                else:
                    changes += 1
                    self.assertAlmostEqual(row["change"], means[0] - means[1], places=5)
            self.assertEqual(len(self.vault("stats", export.zip, name, "--since", since.isoformat(), "--until", f"{last - 1}-12-31",
                                            "--by", "month", "--compare", "last-year", "--csv").stdout.splitlines()), 9)
            # A part that is all of the period is a part nevertheless.
            rows = self.vault("stats", export.zip, name, "--since", f"{last - 1}", "--until", f"{last - 1}", "--by", "year",
                              "--compare", "last-year", "--csv").stdout.decode().splitlines()
            self.assertEqual([row.partition(",")[0] for row in rows], ["part", "year", "whole"])
        text = self.vault("stats", export.zip, "stepCount", "--last", "30d", "--compare", "previous").stdout.decode()
        self.assertIn("the change is left out where a day of either has no data", text)
        self.assertRegex(text, r"[0-9]+ of [0-9]+")
        self.vault("stats", export.zip, "stepCount", "--compare", "sometime", status=2)
        self.vault("stats", export.zip, "stepCount", "--compare", "2023", "--agg", "sum", status=2)


if __name__ == "__main__":
    unittest.main()
