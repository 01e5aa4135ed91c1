"""Samples that are written in another way than most: in other units, in elements that nobody knows, inside of others."""
import csv
import io
import json
import unittest

from documents import END, HEAD
from vault import ENCRYPT, OPEN, CommandTest, generated

MASS = "<180.1558800000541>"


def record(name, value, unit, time="2023-05-02 08:00:00 +0200", source="App"):
    return (f'<Record type="HKQuantityTypeIdentifier{name}" sourceName="{source}" unit="{unit}" creationDate="{time}" '
            f'startDate="{time}" endDate="{time}" value="{value}"/>')


class Samples(CommandTest):
    def source(self, *parts):
        (self.folder / "export.xml").write_text(HEAD + "\n".join(parts) + END)
        return "export.xml"

    def text(self, *arguments):
        return self.vault(*arguments).stdout.decode()

    def lines(self, *arguments):
        return [json.loads(line) for line in self.vault("query", *arguments, "--json").stdout.splitlines()]


class Glucose(Samples):
    def setUp(self):
        super().setUp()
        self.export = self.source(record("BloodGlucose", "90", "mg/dL", "2023-05-02 07:00:00 +0200"),
                                  record("BloodGlucose", "5.5", f"mmol{MASS}/L".replace("<", "&lt;")))

    def test_people_read_millimoles_and_programs_the_exact_unit(self):
        unit = f"mmol{MASS}/L"
        mean = (5.5 + 90 / 18.01558800000541) / 2
        told = json.loads(self.text("stats", self.export, "bloodGlucose", "--units", "uk", "--json"))
        self.assertEqual(told["unit"], unit)
        self.assertAlmostEqual(told["intervals"][0]["average"], mean, places=9)
        self.assertEqual([line["unit"] for line in self.lines(self.export, "bloodGlucose", "--units", "uk")], [unit] * 2)
        self.assertIn(unit, self.text("query", self.export, "bloodGlucose", "--units", "uk", "--csv"))
        day = ("--since", "2023-05-02", "--until", "2023-05-02")
        for command in (("stats",), ("query",), ("chart",), ("stats", *day, "--compare", "previous")):
            for units in "uk", "source":
                told = self.text(command[0], self.export, "bloodGlucose", *command[1:], "--units", units)
                self.assertIn("mmol/L", told)
                self.assertNotIn("<", told)

    def test_other_systems_keep_milligrams(self):
        for system in "metric", "us":
            told = json.loads(self.text("stats", self.export, "bloodGlucose", "--units", system, "--json"))
            self.assertEqual(told["unit"], "mg/dL")
            self.assertAlmostEqual(told["intervals"][0]["average"], (5.5 * 18.01558800000541 + 90) / 2, places=9)


class UnknownElements(Samples):
    DOSE = ('<MedicationDose medicine="Placebo 1 mg &lt;b&gt;" status="taken" quantity="" planned="2023-05-02 08:00:00 +0200" '
            'startDate="2023-05-02 08:03:00 +0200" endDate="2023-05-02 08:03:00 +0200" sourceName="Health" '
            'creationDate="2023-05-02 08:03:10 +0200"><MetadataEntry key="form" value="tablet"/></MedicationDose>')

    def test_their_attributes_are_in_all_forms(self):
        export = self.source(self.DOSE)
        line, = self.lines(export, "MedicationDose")
        self.assertEqual(line["attributes"], {"medicine": "Placebo 1 mg <b>", "status": "taken", "quantity": "",
                                              "planned": "2023-05-02 08:00:00 +0200"})
        self.assertEqual(line["sourceName"], "Health")
        row, = csv.DictReader(io.StringIO(self.text("query", export, "MedicationDose", "--csv")))
        self.assertEqual(row["attributes"], "medicine=Placebo 1 mg <b>; status=taken; quantity=; planned=2023-05-02 08:00:00 +0200")
        self.assertIn("medicine Placebo 1 mg <b>, status taken, planned 2023-05-02 08:00:00 +0200  Health",
                      self.text("query", export, "MedicationDose"))

    def test_an_archive_says_the_same(self):
        export = self.source(self.DOSE)
        self.vault("export", export, "-o", "a.hvault", *ENCRYPT)
        self.assertEqual(self.lines("a.hvault", "MedicationDose", *OPEN), self.lines(export, "MedicationDose"))

    def test_special_types_have_what_no_other_member_has(self):
        time = 'startDate="2023-05-02 08:00:00 +0200" endDate="2023-05-02 08:30:00 +0200" sourceName="Watch"'
        export = self.source(f'<Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" durationUnit="min" '
                             f'totalDistance="5" totalDistanceUnit="km" {time}/>',
                             f'<Workout workoutActivityType="HKWorkoutActivityTypeRunning" totalSwimmingStrokeCount="12" {time}/>')
        self.assertEqual([line.get("attributes") for line in self.lines(export, "workout")],
                         [None, {"totalSwimmingStrokeCount": "12"}])

    def test_an_empty_unit_is_none(self):
        time = 'startDate="2023-05-02 08:00:00 +0200" endDate="2023-05-02 08:30:00 +0200" sourceName="App"'
        export = self.source(f'<Record type="HKCategoryTypeIdentifierMindfulSession" unit="" {time} '
                             'value="HKCategoryValueNotApplicable"/>')
        self.assertNotIn("unit", self.lines(export, "mindfulSession")[0])


class Correlations(Samples):
    """Values of blood pressure that are in the correlation alone, and those that Apple writes once more."""

    @staticmethod
    def pressure(day, systolic, diastolic):
        time = f"2023-05-{day:02} 08:00:00 +0200"
        both = (record("BloodPressureSystolic", systolic, "mmHg", time, "Cuff")
                + record("BloodPressureDiastolic", diastolic, "mmHg", time, "Cuff"))
        return (f'<Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Cuff" startDate="{time}" '
                f'endDate="{time}">{both}</Correlation>', both)

    def averages(self, source, name, *options):
        told = json.loads(self.text("stats", source, name, "--json", *options))
        return [interval["average"] for interval in told["intervals"]]

    def test_members_that_are_nowhere_else_are_samples(self):
        pressures = [self.pressure(day, 120 + day, 70 + day) for day in (9, 2, 1)]
        export = self.source(*(correlation for correlation, _ in pressures), record("StepCount", "5", "count"))
        self.vault("export", export, "-o", "a.hvault", *ENCRYPT)
        for source, *options in (export,), ("a.hvault", *OPEN):
            self.assertEqual(self.averages(source, "bloodPressureSystolic", *options), [121, 122, 129])
            self.assertEqual(self.averages(source, "bloodPressureDiastolic", *options), [71, 72, 79])
            found = self.lines(source, "bloodPressureSystolic", *options)
            self.assertEqual([(line["startDate"], line["value"], line["unit"], line["sourceName"]) for line in found],
                             [(f"2023-05-{day:02}T08:00:00+02:00", 120 + day, "mmHg", "Cuff") for day in (1, 2, 9)])
            self.assertEqual(len({line["id"] for line in found}), 3)
            self.assertEqual([line["value"] for line in self.lines(source, "bloodPressureSystolic", *options, "--limit", "1")], [129])
            self.assertEqual(len(self.lines(source, "bloodPressureSystolic", *options, "--since", "2023-05-02")), 2)
            self.assertEqual(len(self.lines(source, "bloodPressureSystolic", *options, "--where", "value > 121")), 2)
            self.vault("query", source, "bloodPressureSystolic", *options, "--source-name", "Nobody", status=10)
            told = json.loads(self.text("correlate", source, "bloodPressureSystolic", "bloodPressureDiastolic", *options, "--json"))
            self.assertEqual(told["n"], 3)
            # The correlations are what they were.
            self.assertEqual(len(self.lines(source, "bloodPressure", *options)), 3)

    def test_members_that_are_samples_as_well_count_once(self):
        export = self.source(*(part for day in (1, 2) for part in self.pressure(day, 120 + day, 70 + day)))
        self.assertEqual([line["value"] for line in self.lines(export, "bloodPressureSystolic")], [121, 122])
        # Of a source that writes both ways, what is written as a sample is all there is.
        mixed = self.source(self.pressure(1, 121, 71)[0], self.pressure(2, 122, 72)[1])
        self.assertEqual([line["value"] for line in self.lines(mixed, "bloodPressureSystolic")], [122])
        whole = generated(size="4MB")
        self.assertEqual(len(self.lines(whole.zip, "bloodPressureSystolic")), len(self.lines(whole.zip, "bloodPressure")))

    def test_a_report_has_them(self):
        export = self.source(*(self.pressure(day, 120 + day, 70 + day)[0] for day in (1, 2, 9)))
        self.vault("report", export, "-o", "report.html", "--sections", "heart")
        text = (self.folder / "report.html").read_text()
        self.assertIn("3 samples on 3 of", text)


class Unknown(Samples):
    def test_a_type_has_the_name_that_is_printed(self):
        export = self.source(record("FrobnicationLevel", "4", "count"))
        for name in "Frobnication Level", "frobnication level", "FrobnicationLevel":
            self.assertEqual([line["value"] for line in self.lines(export, name)], [4])
        self.assertIn("Frobnication Level", self.text("inspect", export))


if __name__ == "__main__":
    unittest.main()
