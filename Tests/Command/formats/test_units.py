"""`--units` gives tables and databases the values of one measurement system, whatever units the sources used."""
import csv
import io
import json
import sqlite3
import unittest

from documents import TIME, document
from formats.conversions import FormatTest, small
from formats.csv_rows import lines
from vault import ENCRYPT, each, generated

SYSTEMS = "metric", "us", "uk"
# One of the first is so many of the second, by the definitions of the units; those of temperatures are apart.
FACTORS = {
    ("kg", "lb"): 1 / 0.45359237, ("km", "mi"): 1000 / 1609.344, ("m", "mi"): 1 / 1609.344, ("m", "yd"): 1 / 0.9144,
    ("cm", "ft"): 1 / 30.48, ("cm", "in"): 1 / 2.54, ("m", "ft"): 1 / 0.3048, ("kcal", "Cal"): 1, ("Cal", "kcal"): 1,
    ("kJ", "kcal"): 1 / 4.184, ("kJ", "Cal"): 1 / 4.184, ("km/hr", "mi/hr"): 1000 / 1609.344, ("m/s", "km/hr"): 3.6,
    ("m/s", "mi/hr"): 3600 / 1609.344, ("mL", "fl_oz_us"): 1 / 29.5735295625, ("g", "oz"): 1 / 28.349523125,
    ("L", "mL"): 1000, ("lb", "kg"): 0.45359237, ("mi", "km"): 1.609344, ("ft", "cm"): 30.48,
    ("mmol<180.1558800000541>/L", "mg/dL"): 18.01558800000541, ("mg/dL", "mmol<180.1558800000541>/L"): 1 / 18.01558800000541, ("m", "km"): 1 / 1000, ("m/s", "ft/s"): 1 / 0.3048,
    ("min", "hr"): 1 / 60,
}


def other(value, before, after):
    """A value in another unit."""
    if before == after:
        return value
    if (before, after) == ("degC", "degF"):
        return value * 9 / 5 + 32
    return value * FACTORS[before, after]


def tables(folder):
    """The rows of each table, as they are: the form of their cells is a matter for other tests."""
    return {path.name: list(csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))
            for path in (folder / "csv").iterdir()}


class Generated(FormatTest):
    def check(self, before, after, name):
        """A value and its unit before and after, where one of them changed."""
        self.assertAlmostEqual(float(after[0]) / (other(float(before[0]), before[1], after[1]) or 1), 1 if float(before[0]) else 0,
                               delta=1e-11, msg=name)

    def check_tree(self, before, after):
        """What is nested in rows."""
        if isinstance(before, dict):
            self.assertEqual(list(before), list(after))
            changed = [name for name in before if before[name] != after[name] and not isinstance(before[name], (dict, list))]
            for name in changed:
                self.assertIn(name, ("value", "sum", "average", "minimum", "maximum", "unit"))
                if name != "unit":
                    self.check((before[name], before["unit"]), (after[name], after["unit"]), before.get("type"))
            for name in before:
                self.check_tree(before[name], after[name])
        elif isinstance(before, list):
            self.assertEqual(len(before), len(after))
            for pair in zip(before, after):
                self.check_tree(*pair)

    @each(*SYSTEMS)
    def test_every_value_is_converted_and_nothing_else_changes(self, system):
        source = generated("ordinary", "14", "1MB").zip
        self.convert(source, "source", "--format", "csv")
        self.convert(source, "others", "--format", "csv", "--units", system)
        before, after = tables(self.folder / "source"), tables(self.folder / "others")
        self.assertEqual(list(before), list(after))
        converted = set()
        for name in before:
            self.assertEqual(len(before[name]), len(after[name]))
            pairs = {"value": "unit"} if name.startswith("HK") else {
                "totalDistance": "totalDistanceUnit", "totalEnergyBurned": "totalEnergyBurnedUnit",
                "distance": "distanceUnit", "energy": "energyUnit", "systolic": "unit", "diastolic": "unit",
                "activeEnergyBurned": "activeEnergyBurnedUnit", "activeEnergyBurnedGoal": "activeEnergyBurnedUnit"}
            for old, new in zip(before[name], after[name]):
                for cell in old:
                    if cell == "members":
                        continue
                    if cell == "other" and old[cell]:
                        self.check_tree(json.loads(old[cell]), json.loads(new[cell]))
                    elif old[cell] != new[cell] and cell not in pairs.values():
                        self.check((old[cell], old[pairs[cell]]), (new[cell], new[pairs[cell]]), name)
                        converted.add(name)
        if system != "metric":
            self.assertIn("HKQuantityTypeIdentifierBodyMass.csv", converted)

    @each(*SYSTEMS)
    def test_the_values_are_those_that_a_query_gives(self, system):
        source = small().zip
        self.convert(source, "out", "--format", "csv", "--units", system)
        for name, rows in tables(self.folder / "out").items():
            if not name.startswith("HKQuantityType"):
                continue
            asked = self.vault("query", source, name.removesuffix(".csv"), "--units", system, "--csv", "--sort", "start").stdout.decode()
            found = [(row["value"], row["unit"]) for row in csv.DictReader(io.StringIO(asked, newline=""))]
            # Of copies, a query lists one.
            # Of equal units, a table keeps the spelling of the source.
            one, other = ({(row[0], "".join(sorted(row[1]))) for row in pairs}
                          for pairs in (found, [(row["value"], row["unit"]) for row in rows]))
            self.assertEqual(one, other, name)

    def test_from_an_archive_it_is_the_same(self):
        self.vault("export", small().zip, "-o", "a.hvault", *ENCRYPT)
        for source, command, target in (small().zip, "export", "one"), ("a.hvault", "decrypt", "two"):
            self.convert(source, target, "--format", "csv,sqlite", "--units", "us", command=command)
        self.assertEqual(tables(self.folder / "one"), tables(self.folder / "two"))
        one, two = (list(sqlite3.connect(self.folder / name / "health.db").iterdump()) for name in ("one", "two"))
        self.assertEqual(one, two)

    def test_only_tables_are_converted_and_the_manifest_says_so(self):
        options = "--format", "ndjson,json,csv,sqlite,apple-xml"
        self.convert(small().zip, "source", *options)
        out = self.convert(small().zip, "others", *options, "--units", "us", "--json").stdout
        system = {name: "us" if name in ("csv", "sqlite") else None
                  for name in ("ndjson", "json", "csv", "sqlite", "apple-xml")}
        for formats in json.loads(out)["formats"], json.loads((self.folder / "others/manifest.json").read_bytes())["formats"]:
            self.assertEqual({format["format"]: format.get("units") for format in formats}, system)
        for path in (self.folder / "source").rglob("*.ndjson"):
            other = self.folder / "others" / path.relative_to(self.folder / "source")
            self.assertEqual(path.read_bytes(), other.read_bytes())
        self.assertEqual((self.folder / "source/export.zip").stat().st_size, (self.folder / "others/export.zip").stat().st_size)
        self.vault("verify", "others")


class Crafted(FormatTest):
    def rows(self, *parts, system="metric", table="HKQuantityTypeIdentifierBodyMass"):
        self.convert(self.write(document(*parts)), "out", "--format", "csv,sqlite", "--units", system, "--overwrite")
        return lines((self.folder / f"out/csv/{table}.csv").read_bytes())

    @staticmethod
    def weight(value, unit, more=""):
        return (f'<Record type="HKQuantityTypeIdentifierBodyMass" sourceName="Scale" {f"""unit="{unit}" """ if unit else ""}'
                f'startDate="{TIME}" endDate="{TIME}" value="{value}" {more}/>')

    def cells(self, *parts, **more):
        header, rows = self.rows(*parts, **more)
        return [(row[header.index("value")], row[header.index("unit")]) for row in rows]

    def test_sources_with_different_units_agree(self):
        found = self.cells(self.weight("160", "lb"), self.weight("72.50", "kg"), self.weight("11.5", "st"), self.weight("72500", "g"))
        self.assertEqual(found, [("72.5747792", "kg"), ("72.50", "kg"), ("73.02837157", "kg"), ("72.5", "kg")])
        rows = sqlite3.connect(self.folder / "out/health.db").execute(
            "select unit, count, minimum, maximum from statistics where type like '%BodyMass'").fetchall()
        self.assertEqual(rows, [("kg", 4, 72.5, 73.02837157)])

    def test_what_cannot_be_converted_stays(self):
        for parts in ([("heavy", "lb")], [("1", "furlong")], [("1", "count")], [("1", "")], [("1e999", "lb")], [("", "lb")],
                      [("0x10", "lb"), ("12", "lb")]):
            with self.subTest(parts):
                self.assertEqual(self.cells(*(self.weight(*part) for part in parts)), parts)
        self.assertEqual(self.cells(self.weight("1", "lb", 'unknown="lb"')), [("0.45359237", "kg")])

    def test_zero_negative_and_long_numbers(self):
        numbers = "0", "-40", "1e3", "0.000000001", "123456789.123456789"
        found = self.cells(*(self.weight(number, "lb") for number in numbers))
        for number, (value, unit) in zip(numbers, found):
            self.assertEqual(unit, "kg")
            self.assertAlmostEqual(float(value), float(number) * 0.45359237, delta=abs(float(number)) * 1e-11)

    def test_members_of_correlations_and_totals(self):
        member = self.weight("10", "lb")
        header, rows = self.rows(f'<Correlation type="HKCorrelationTypeIdentifierFood" sourceName="A" startDate="{TIME}" '
                                 f'endDate="{TIME}">{member}</Correlation>', table="Correlation-HKCorrelationTypeIdentifierFood")
        [record] = dict(rows[0][header.index("other")])["Record"]
        self.assertEqual((float(str(dict(record)["value"].text)), dict(record)["unit"]), (4.5359237, "kg"))
        header, rows = self.rows(f'<Workout workoutActivityType="HKWorkoutActivityTypeRunning" totalDistance="2" totalDistanceUnit="mi" '
                                 f'totalEnergyBurned="418.4" totalEnergyBurnedUnit="kJ" startDate="{TIME}" endDate="{TIME}"/>',
                                 table="Workout")
        row = dict(zip(header, rows[0]))
        self.assertEqual([row[name] for name in ("totalDistance", "totalDistanceUnit", "totalEnergyBurned", "totalEnergyBurnedUnit")],
                         ["3.218688", "km", "100", "Cal"])
        header, rows = self.rows('<ActivitySummary dateComponents="2023-05-01" activeEnergyBurned="836.8" '
                                 'activeEnergyBurnedGoal="2092" activeEnergyBurnedUnit="kJ"/>', table="ActivitySummary")
        row = dict(zip(header, rows[0]))
        self.assertEqual([row[name] for name in ("activeEnergyBurned", "activeEnergyBurnedGoal", "activeEnergyBurnedUnit")],
                         ["200", "500", "Cal"])

    def test_units_without_a_table_are_refused(self):
        source = self.write(document())
        for options in [], ["--format", "json"], ["--format", "ndjson,apple-xml"], ["-o", "x.json"], ["--encrypt", *ENCRYPT[1:]]:
            result = self.vault("export", source, "--units", "us", *options, status=2)
            self.assertIn("--units is for csv and sqlite", result.stderr)
        self.vault("export", source, "-o", "x.db", "--units", "us")
        self.vault("export", source, "--units", "source", "-o", "y.json")


if __name__ == "__main__":
    unittest.main()
