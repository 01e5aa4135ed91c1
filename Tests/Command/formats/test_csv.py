"""CSV files have every value of the export: each in its column, or in one of the two at the end."""
import csv
import io
import unittest

from documents import TIME, document
from formats import reference_document
from formats.conversions import VARIANTS, SOME, FormatTest, converted, reference
from formats.csv_rows import line, lines, text_of, written
from formats.values import ValuesTest
from vault import each, generated

FORMULAS = ["=1+1", "+1", "-x", "@SUM(A1)", "\tx", "\rx", "'quoted'", "''", "'", "'=1", "-", " =1", "1=1", "a'b", "=", "- 1",
            '="a"', "=1,2", "-1\n", "'\n", "x;=1+1", "x;'=1", "a\t=1", "a\n@x;;-1", "\t\t=", "a;b", "+\u00e9", "-\U0001f3c3"]


class Files(ValuesTest):
    @each(*VARIANTS)
    def test_every_row_has_every_value(self, variant):
        self.check_csv(converted(variant) / "csv", reference(variant))

    @each(*SOME)
    def test_the_files_are_in_the_form_of_rfc_4180(self, variant):
        for path in (converted(variant) / "csv").iterdir():
            text = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
            rows = list(csv.reader(io.StringIO(text.decode(), newline=""), strict=True))
            self.assertTrue(text == written(rows), path.name)

    @each(*SOME)
    def test_side_files_are_beside_it(self, variant):
        files = reference_document.side_files(generated(*variant).zip)
        root = converted(variant) / "files"
        found = {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}
        self.assertTrue(found == files, sorted(set(found) ^ set(files)))


class Cells(FormatTest):
    """Texts that a spreadsheet would take for something else."""

    def row(self, *attributes, inside=""):
        written = "".join(f' {name}="{self.escaped(text)}"' for name, text in attributes)
        text = document(f'<Record type="X"{written}>{inside}</Record>')
        self.convert(self.write(text), "out", "--format", "csv", "--overwrite")
        header, rows = lines(next((self.folder / "out/csv").glob("X-*.csv")).read_bytes())
        element, = [row for row in reference_document.read(text.encode()).rows if row.get("type") == "X"]
        self.assertEqual(rows, [line(element)])
        return dict(zip(header, rows[0]))

    @staticmethod
    def escaped(text):
        marks = {"&": "&amp;", "<": "&lt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
        return "".join(marks.get(letter, letter) for letter in text)

    def test_no_text_is_a_formula_and_each_comes_back(self):
        for text in FORMULAS:
            with self.subTest(text):
                row = self.row(("sourceName", text), ("unit", text), ("value", text), ("device", text), ("endDate", text))
                for name in "sourceName", "unit", "value", "device", "endDate":
                    self.assertNotIn(row[name][:1], ("=", "+", "-", "@", "\t", "\r"))
                    self.assertEqual(text_of(row[name]), text)

    def test_negative_numbers_are_numbers(self):
        for number in "-1", "-0", "-1.50", "-1e5", "1E+5":
            row = self.row(("value", number), ("sourceVersion", number))
            self.assertEqual(row["value"], number)
            self.assertEqual(text_of(row["sourceVersion"]), number)
        for text in "+1", "-", "-.5", "-01", "-1.", "-INF":
            self.assertEqual(self.row(("value", text))["value"].removeprefix("'"), text)

    def test_times_in_both_forms_can_be_told_apart(self):
        iso = "2023-05-01T10:00:00+02:00"
        self.assertEqual(self.row(("startDate", TIME))["other"], "")
        row = self.row(("startDate", iso), ("sourceName", "A"))
        self.assertEqual((row["startDate"], row["other"]),
                         (iso, (("attributes", [["type", "X"], ["startDate", iso], ["sourceName", "A"]]),)))

    def test_a_repeated_key_has_an_array(self):
        inside = "".join(f'<MetadataEntry key="{key}" value="{value}"/>' for key, value in zip("abab", "123="))
        self.assertEqual(self.row(inside=inside)["metadata"], (("a", ["1", "3"]), ("b", ["2", "="])))

    def test_metadata_that_lies_among_other_elements_is_in_its_column(self):
        inside = ('<MetadataEntry key="a" value="1"/><WorkoutEvent type="x"/><MetadataEntry key="b" value="2"/>'
                  '<WorkoutEvent type="y"/><MetadataEntry key="c" value="3" unit="z"/>')
        row = self.row(inside=inside)
        self.assertEqual(row["metadata"], (("a", "1"), ("b", "2")))
        self.assertEqual([child[0][1] for child in dict(row["other"])["children"]],
                         ["WorkoutEvent", "WorkoutEvent", "MetadataEntry"])

    def test_entries_with_more_than_a_key_and_a_value_are_kept_as_they_are(self):
        for entry in '<MetadataEntry key="a"/>', '<MetadataEntry key="a" value="1" unit="x"/>', \
                '<MetadataEntry key="a" value="1">x</MetadataEntry>', "<MetadataEntry/>":
            row = self.row(inside='<MetadataEntry key="b" value="2"/>' + entry)
            self.assertEqual(row["metadata"], "")
            self.assertEqual(len(dict(row["other"])["metadata"]), 2)

    def test_empty_values_are_as_good_as_none(self):
        row = self.row(("sourceName", ""), ("value", ""), ("startDate", ""))
        self.assertEqual((row["sourceName"], row["value"], row["startDate"]), ("", "", ""))


class Derived(FormatTest):
    """Columns that a spreadsheet needs, of values that are in the content."""

    def rows(self, name, *elements):
        self.convert(self.write(document(*elements)), "out", "--format", "csv", "--overwrite")
        header, rows = lines((self.folder / f"out/csv/{name}.csv").read_bytes())
        return [dict(zip(header, row)) for row in rows]

    def test_workouts_have_their_distance_and_energy(self):
        times = f'startDate="{TIME}" endDate="{TIME}" sourceName="W"'
        def statistic(kind, total, unit):
            return f'<WorkoutStatistics type="HKQuantityTypeIdentifier{kind}" {times} sum="{total}" unit="{unit}"/>'
        start = f'<Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="1" durationUnit="min" {times}'
        rows = self.rows(
            "Workout", start + ' totalDistance="5.20" totalDistanceUnit="km" totalEnergyBurned="300" totalEnergyBurnedUnit="kcal"/>',
            start + ">" + statistic("ActiveEnergyBurned", "410.5", "kcal") + statistic("DistanceCycling", "20", "km")
            + statistic("DistanceSwimming", "750", "m") + statistic("HeartRate", "9", "count/min") + "</Workout>", start + "/>")
        self.assertEqual([[row[name] for name in ("distance", "distanceUnit", "energy", "energyUnit")] for row in rows],
                         [["5.20", "km", "300", "kcal"], ["20.75", "km", "410.5", "kcal"], [""] * 4])
        self.assertEqual([row["totalDistance"] for row in rows], ["5.20", "", ""])
        self.assertEqual(len(dict(rows[1]["other"])["WorkoutStatistics"]), 4)

    def test_correlations_have_their_members(self):
        common = f'sourceName="W" startDate="{TIME}" endDate="{TIME}"'
        def record(kind, value, unit):
            return f'<Record type="HKQuantityTypeIdentifier{kind}" {common} unit="{unit}" value="{value}"/>'
        pressure = record("BloodPressureSystolic", "120.0", "mmHg") + record("BloodPressureDiastolic", "80", "mmHg")
        food = record("DietaryEnergyConsumed", "250", "kcal") + record("DietaryProtein", "10.5", "g")
        documents = [f'<Correlation type="HKCorrelationTypeIdentifier{kind}" {common}>{inside}</Correlation>'
                     for kind, inside in (("BloodPressure", pressure), ("Food", food))]
        row, = self.rows("Correlation-HKCorrelationTypeIdentifierBloodPressure", *documents)
        self.assertEqual([row[name] for name in ("systolic", "diastolic", "unit")], ["120.0", "80", "mmHg"])
        self.assertEqual(len(dict(row["other"])["Record"]), 2)
        row, = self.rows("Correlation-HKCorrelationTypeIdentifierFood", *documents)
        self.assertEqual(row["members"], "dietaryEnergyConsumed=250 kcal; dietaryProtein=10.5 g")
        answer = self.vault("query", "in.xml", "food", "--csv").stdout.decode()
        self.assertEqual(next(csv.DictReader(io.StringIO(answer)))["members"], row["members"])

    def test_hearing_tests_have_their_points(self):
        row, = self.rows("Audiogram-HKDataTypeIdentifierAudiogram", audiogram())
        self.assertEqual(row["points"], "1000 Hz: left 10.5 dBHL, right -5 dBHL; 2000 Hz: right 0 dBHL")
        answer = self.vault("query", "in.xml", "audiogram", "--csv").stdout.decode()
        found = next(csv.DictReader(io.StringIO(answer)))
        self.assertEqual(found["points"], row["points"])
        self.assertIn("SensitivityPoint", found["content"])

    def test_derived_values_are_in_the_requested_units(self):
        source = self.write(document(
            f'<Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="W" startDate="{TIME}" endDate="{TIME}" '
            'totalDistance="10" totalDistanceUnit="km"/>'))
        self.convert(source, "out", "--format", "csv", "--units", "us")
        header, (row,) = lines((self.folder / "out/csv/Workout.csv").read_bytes())
        row = dict(zip(header, row))
        self.assertEqual((row["distance"], row["distanceUnit"]), (row["totalDistance"], "mi"))


def audiogram():
    return (f'<Audiogram type="HKDataTypeIdentifierAudiogram" sourceName="W" startDate="{TIME}" endDate="{TIME}">'
            '<SensitivityPoint frequencyValue="1000" frequencyUnit="Hz" leftEarValue="10.5" leftEarUnit="dBHL" '
            'rightEarValue="-5" rightEarUnit="dBHL"/>'
            '<SensitivityPoint frequencyValue="2000" frequencyUnit="Hz" rightEarValue="0" rightEarUnit="dBHL"/></Audiogram>')


if __name__ == "__main__":
    unittest.main()
