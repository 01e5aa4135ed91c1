"""`query` lists what is in the document, whatever it is asked of, and no more of it than was asked for."""
import csv
import io
import json
import re
import unittest
import xml.etree.ElementTree as ElementTree
from datetime import datetime

from documents import RECORD, SOURCE, document
from terminal import Terminal
from vault import ENCRYPT, OPEN, CommandTest, TracedTest, each, generated, touching

HEART_RATE = "HKQuantityTypeIdentifierHeartRate"


def instant(text):
    return datetime.strptime(text, "%Y-%m-%d %H:%M:%S %z")


def records(export, kind):
    """The records of a type by an XML parser that is not ours, in the order of their starts."""
    found = [element for element in ElementTree.parse(export.xml).getroot() if element.get("type") == kind]
    return sorted(found, key=lambda element: instant(element.get("startDate")))


class Queries(CommandTest):
    def lines(self, *arguments, **more):
        return [json.loads(line) for line in self.vault("query", *arguments, "--json", **more).stdout.splitlines()]

    def sources(self, export):
        yield export.zip,
        yield export.folder,
        yield export.xml,
        yield export.plain,
        yield export.archive, *OPEN

    def test_all_samples_of_a_type_from_every_kind_of_source(self):
        export = generated()
        expected = [(instant(r.get("startDate")), float(r.get("value")), r.get("sourceName"))
                    for r in records(export, HEART_RATE)]
        self.assertGreater(len(expected), 100)
        reports = []
        for source, *options in self.sources(export):
            lines = self.lines(source, "heartRate", *options)
            self.assertEqual([(datetime.fromisoformat(line["startDate"]), line["value"], line["sourceName"]) for line in lines],
                             expected)
            reports.append(lines)
        for report in reports[1:]:
            self.assertEqual(report, reports[0])
        self.assertEqual(len({line["id"] for line in reports[0]}), len(expected))

    def test_of_standard_input_which_is_read_once(self):
        export = generated()
        text = export.xml.read_bytes()
        self.assertEqual(self.lines("-", "heartRate", "--limit", "7", input=text),
                         self.lines(export.zip, "heartRate", "--limit", "7"))
        self.assertEqual(self.lines("-", "heartRate", "--since", "2022-01-01", input=text),
                         self.lines(export.zip, "heartRate", "--since", "2022-01-01"))

    def test_heartbeats_are_in_the_samples_of_their_variability(self):
        export = generated(size="20MB")
        series = self.lines(export.zip, "heartbeatSeries")
        lists = ElementTree.parse(export.xml).getroot().findall(".//HeartRateVariabilityMetadataList")
        self.assertEqual(sorted(len(one["content"]["HeartRateVariabilityMetadataList"][0]["InstantaneousBeatsPerMinute"])
                                for one in series), sorted(len(one) for one in lists))

    def test_csv_says_the_same_as_json(self):
        export = generated()
        rows = list(csv.DictReader(io.StringIO(self.vault("query", export.zip, "heartRate", "--csv").stdout.decode())))
        lines = self.lines(export.zip, "heartRate")
        self.assertEqual([(row["id"], row["startDate"], float(row["value"])) for row in rows],
                         [(line["id"], line["startDate"], line["value"]) for line in lines])

    def test_a_limit_gives_the_latest_ones_in_the_order_of_time(self):
        export = generated()
        everything = self.lines(export.archive, "heartRate", *OPEN)
        for limit in 1, 2, 50, len(everything), len(everything) + 1:
            for source, *options in self.sources(export):
                self.assertEqual(self.lines(source, "heartRate", "--limit", str(limit), *options), everything[-limit:])
        first = everything[5]["startDate"]
        self.assertEqual(self.lines(export.zip, "heartRate", "--since", first, "--limit", "3"), everything[5:8])
        self.assertEqual(self.lines(export.zip, "heartRate", "--sort", "newest", "--limit", "4"), everything[:-5:-1])

    def test_times_that_adjoin_give_each_sample_once(self):
        export = generated()
        everything = self.lines(export.zip, "heartRate")
        for cut in "2020-01-01", "2023-06-15T12:00:00Z", everything[7]["startDate"]:
            before = self.lines(export.archive, "heartRate", "--until", cut, *OPEN) if "T" not in cut else None
            after = self.lines(export.archive, "heartRate", "--since", cut, *OPEN)
            self.assertEqual(after, everything[-len(after):])
            if before is not None:
                # A day belongs to both sides as a whole.
                day = [line for line in everything if line["startDate"].startswith(cut)]
                self.assertEqual(len(before) + len(after), len(everything) + len(day))

    def test_of_some_sources_and_devices(self):
        export = generated()
        everything = self.lines(export.zip, "stepCount")
        names = {line["sourceName"] for line in everything}
        self.assertGreater(len(names), 1)
        for name in names:
            self.assertEqual(self.lines(export.zip, "stepCount", "--source-name", name),
                             [line for line in everything if line["sourceName"] == name])
            # As it is typed: the generator writes names with an apostrophe and spaces that keyboards do not have.
            typed = name.replace("\u2019", "'").replace("\u00a0", " ").lower()
            for option in (["--source-name", typed], ["--where", f"source = {typed}"]):
                self.assertEqual(self.lines(export.zip, "stepCount", *option),
                                 [line for line in everything if line["sourceName"] == name])
            result = self.vault("stats", export.zip, "stepCount", "--priority", typed, "--json")
            first = self.vault("stats", export.zip, "stepCount", "--priority", name, "--json")
            self.assertEqual(json.loads(result.stdout)["intervals"], json.loads(first.stdout)["intervals"])
            self.assertEqual(json.loads(result.stdout)["warnings"], [])
        models = {line["device"]["model"] for line in everything if "device" in line}
        for model in models:
            self.assertEqual(self.lines(export.archive, "stepCount", "--device", model, *OPEN),
                             [line for line in everything if line.get("device", {}).get("model") == model])

    def test_other_units(self):
        export = generated()
        metric = self.lines(export.zip, "bodyMass", "--units", "metric")
        pounds = self.lines(export.zip, "bodyMass", "--units", "us")
        self.assertTrue(metric)
        for one, other in zip(metric, pounds):
            self.assertEqual((one["unit"], other["unit"]), ("kg", "lb"))
            self.assertAlmostEqual(one["value"] / 0.45359237, other["value"], places=4)

    def test_workouts_have_duration_distance_and_energy(self):
        export = generated(size="4MB")
        workouts = self.lines(export.zip, "workout")
        elements = sorted(ElementTree.parse(export.xml).getroot().findall("Workout"),
                          key=lambda element: instant(element.get("startDate")))
        self.assertEqual(len(workouts), len(elements))
        for workout, element in zip(workouts, elements):
            self.assertEqual(workout["activity"], element.get("workoutActivityType"))
            self.assertAlmostEqual(workout["durationSeconds"] / 60, float(element.get("duration")), places=2)
            distances = [float(statistic.get("sum")) for statistic in element.findall("WorkoutStatistics")
                         if "Distance" in statistic.get("type") and statistic.get("sum")]
            if distances:
                self.assertAlmostEqual(workout["distance"], sum(distances), places=4)
        self.assertTrue(any("energy" in workout for workout in workouts))
        table = self.vault("query", export.zip, "workout").stdout.decode()
        self.assertIn("activity", table.splitlines()[0])

    def test_workouts_are_sorted_by_the_duration_that_is_shown(self):
        """Two hours with half an hour of moving are shorter than an hour; one that states no duration lasts to its end."""
        day = "2023-05-01 {} +0200"
        parts = [f'<Workout workoutActivityType="HKWorkoutActivityType{name}" {stated}sourceName="x"'
                 f' startDate="{day.format(start)}" endDate="{day.format(end)}"/>' for name, stated, start, end in (
                     ("Running", 'duration="30" durationUnit="min" ', "08:00:00", "10:00:00"),
                     ("Yoga", 'duration="1" durationUnit="hr" ', "11:00:00", "12:00:00"),
                     ("Hiking", "", "13:00:00", "13:45:00"), ("Cycling", "", "15:00:00", "14:00:00"))]
        (self.folder / "workouts.xml").write_text(document(*parts))
        found = [(line["activity"].removeprefix("HKWorkoutActivityType"), line.get("durationSeconds"))
                 for line in self.lines("workouts.xml", "workout", "--sort", "duration")]
        self.assertEqual(found, [("Yoga", 3600), ("Hiking", 2700), ("Running", 1800), ("Cycling", None)])
        table = self.vault("query", "workouts.xml", "workout", "--sort", "duration").stdout.decode().splitlines()
        self.assertEqual([re.search(r" (\d:\d\d:\d\d) +x$", line)[1] for line in table[1:4]],
                         ["1:00:00", "0:45:00", "0:30:00"])

    def test_blood_pressures_have_both_halves(self):
        pressures = self.lines(generated(size="4MB").zip, "bloodPressure")
        self.assertTrue(pressures)
        for pressure in pressures:
            self.assertGreater(pressure["systolic"], pressure["diastolic"])
            self.assertEqual(pressure["unit"], "mmHg")

    @each("1e300", "-5", "nan", "9" * 400, "1e-320", "")
    def test_numbers_beyond_reason(self, number):
        time = 'startDate="2023-05-01 10:00:00 +0200" endDate="2023-05-01 11:00:00 +0200" sourceName="x"'
        parts = [f'<Record type="{HEART_RATE}" unit="count/min" value="{number}" {time}/>',
                 f'<Workout workoutActivityType="X" duration="{number}" durationUnit="hr" {time}>'
                 f'<WorkoutStatistics type="HKQuantityTypeIdentifierDistanceCycling" sum="{number}" unit="km"/></Workout>',
                 f'<ActivitySummary dateComponents="2023-05-01" activeEnergyBurned="{number}"'
                 f' activeEnergyBurnedUnit="kcal" appleExerciseTime="{number}"/>']
        (self.folder / "odd.xml").write_text(document(*parts))
        for name in "heartRate", "workout", "activitySummary":
            for form in [], ["--json"], ["--csv"], ["--units", "us"]:
                self.vault("query", "odd.xml", name, *form)
        for form in [], ["--json"], ["--csv"]:
            self.vault("stats", "odd.xml", "heartRate", "--agg", "avg,min,max,latest,duration", *form)

    @each("hartRate", "HKQuantityTypeIdentifierNope", "", "group:vitals")
    def test_a_type_that_nobody_knows(self, name):
        result = self.vault("query", generated().zip, name, status=2)
        self.assertEqual(result.stdout, b"")

    def test_rings_and_halves_are_in_csv_too(self):
        text = (' <ActivitySummary dateComponents="2024-05-01" activeEnergyBurned="245.05" activeEnergyBurnedGoal="400"'
                ' activeEnergyBurnedUnit="kcal" appleExerciseTime="31" appleStandHours="11"/>\n'
                ' <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="x" startDate='
                '"2024-05-01 08:00:00 +0000" endDate="2024-05-01 08:00:00 +0000">\n'
                + "".join(f'  <Record type="HKQuantityTypeIdentifierBloodPressure{half}" sourceName="x" unit="kPa" '
                          f'startDate="2024-05-01 08:00:00 +0000" endDate="2024-05-01 08:00:00 +0000" value="{value}"/>\n'
                          for half, value in (("Systolic", "16"), ("Diastolic", "10.6"))) + ' </Correlation>\n')
        (self.folder / "made.xml").write_text(document(text))
        def both(*arguments):
            rows = list(csv.DictReader(io.StringIO(self.vault("query", "made.xml", *arguments, "--csv").stdout.decode())))
            return rows[0], self.lines("made.xml", *arguments)[0]
        row, line = both("activitySummary")
        self.assertEqual((row["startDate"], row["endDate"], row["activeEnergyBurned"], row["appleStandHours"]),
                         ("2024-05-01", "", "245.05", "11"))
        self.assertEqual((line["activeEnergyBurned"], line["appleExerciseTime"], line["activeEnergyBurnedUnit"]),
                         (245.05, 31, "kcal"))
        self.assertNotIn("endDate", line)
        row, line = both("bloodPressure")
        self.assertEqual((row["systolic"], row["unit"], line["diastolic"]), ("16", "kPa", 10.6))
        row, line = both("bloodPressure", "--units", "us")
        self.assertEqual((row["unit"], line["unit"]), ("mmHg", "mmHg"))
        self.assertAlmostEqual(line["systolic"], 120.01, places=1)
        self.assertIn(b"120.01/79.51 mmHg", self.vault("query", "made.xml", "bloodPressure", "--units", "uk").stdout)

    def test_a_short_name_of_two_types_is_refused(self):
        text = "".join(f' <Record type="HK{kind}TypeIdentifierFuture" sourceName="x" startDate="2024-05-01 08:00:00 +0000"'
                       ' endDate="2024-05-01 08:00:00 +0000" value="1"/>\n' for kind in ("Quantity", "Category"))
        (self.folder / "made.xml").write_text(document(text))
        self.assertIn("several types", self.vault("query", "made.xml", "future", status=2).stderr)
        self.assertEqual(len(self.lines("made.xml", "HKQuantityTypeIdentifierFuture")), 1)

    def test_damage_elsewhere_prevents_no_answer(self):
        self.vault("export", generated().zip, "-o", "plain", "-q")
        person, = (self.folder / "plain/records/Me").iterdir()
        person.write_bytes(b"no JSON")
        self.assertTrue(self.lines("plain", "heartRate", "--limit", "3"))
        self.vault("inspect", "plain", "--profile", status=13)

    def test_nothing_in_that_time(self):
        result = self.vault("query", generated().zip, "heartRate", "--since", "2090-01-01", status=10)
        self.assertIn("contains no matching samples", result.stderr)
        self.assertEqual(result.stdout, b"")

    @each(["--json", "--csv"], ["--limit", "0"], ["--tz", "Mars/Olympus"], ["--since", "lately"],
          ["--units", "imperial"], ["--week-start", "sunday"], ["--last", "2w", "--since", "2020-01-01"])
    def test_options_that_make_no_sense(self, options):
        self.vault("query", generated().zip, "heartRate", *options, status=2)

    def test_a_stranger_s_text_never_controls_the_terminal(self):
        text = generated().xml.read_text().replace('sourceName="', 'sourceName="\u202e')
        (self.folder / "odd.xml").write_text(text)
        for name in "bodyMass", "bloodPressure", "heartRate":
            for form in [], ["--json"]:
                shown = self.vault("query", "odd.xml", name, *form).stdout.decode()
                self.assertNotIn("\u202e", shown)
                self.assertIn("202e", shown)

    def test_dates_as_people_write_them(self):
        export = generated()
        lines = self.lines(export.zip, "heartRate")
        for text in (lines[20]["startDate"][:length] for length in (4, 7, 10)):
            arguments = ["query", export.zip, "heartRate", "--since", text, "--until", text, "--json"]
            expected = [line for line in lines if line["startDate"].startswith(text)]
            self.assertEqual([json.loads(line) for line in self.vault(*arguments).stdout.splitlines()], expected)
        self.vault("query", export.zip, "heartRate", "--since", "1999", "--until", "1999-12", status=10)
        start = lines[10]["startDate"]
        self.assertEqual(self.lines(export.zip, "heartRate", "--since", start[:19], "--until", start[:16]),
                         [line for line in lines if start[:19] <= line["startDate"][:19] and line["startDate"][:16] <= start[:16]])
        self.vault("query", export.zip, "heartRate", "--since", "2022-03", "--until", "2022-02", status=2)
        self.vault("query", export.zip, "heartRate", "--since", "lately", status=2)
        (self.folder / "x.xml").write_text(document(RECORD.replace("2023-05-01", "2023-05-12")))
        self.assertEqual(len(self.lines("x.xml", "heartRate", "--since", "yesterday")), 1)
        self.vault("query", "x.xml", "heartRate", "--since", "today", status=10)

    def test_no_cell_is_a_formula(self):
        texts = ["=1+1", "@SUM(A1)", "+x", "&#9;x", "&#13;x", "x;=1+1", "-x"]
        records = "".join(RECORD.replace(SOURCE, text).replace("count/min", text) for text in texts)
        (self.folder / "x.xml").write_text(document(records))
        for command in (["query", "x.xml", "heartRate", "--csv"], ["query", "x.xml", "heartRate", "--csv", "--units", "us"]):
            text = self.vault(*command).stdout.decode()
            cells = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
            self.assertIn("'=1+1", cells)
            for cell in cells:
                for part in re.split("[;\t\r\n](?!')", cell):
                    self.assertFalse(part.startswith(("=", "@", "+", "\t", "\r")) or part == "-x", repr(cell))

    def test_a_terminal_shows_the_newest_and_says_how_to_see_all(self):
        with Terminal(self.folder, "query", generated().zip, "heartRate") as terminal:
            self.assertEqual(terminal.close(), 0)
        lines = terminal.all.replace("\r", "").splitlines()
        table = self.vault("query", generated().zip, "heartRate").stdout.decode().splitlines()
        self.assertEqual([line.split() for line in lines[1:51]], [line.split() for line in table[-50:]])
        self.assertIn("only the newest 50", lines[51])


class Reading(TracedTest):
    def read(self, *arguments):
        """The bytes that are read of an archive for a query."""
        _, lines = self.trace(["-e", "trace=pread64", *touching(self.folder / "x.hvault")], *arguments, *OPEN)
        return sum(int(line.rsplit(" = ", 1)[1].split()[0]) for line in lines if " = " in line)

    def test_of_an_archive_only_what_is_needed_is_read(self):
        archive = self.folder / "x.hvault"
        self.vault("export", generated(size="20MB").zip, "-o", archive, "--batch", "month/half-year", "-q", *ENCRYPT)
        size = archive.stat().st_size
        everything = self.read("query", archive, "heartRate", "--csv")
        month = self.read("query", archive, "heartRate", "--since", "2023-05-01", "--until", "2023-05-31", "--csv")
        latest = self.read("query", archive, "heartRate", "--limit", "3")
        self.assertLess(everything, size)
        self.assertLess(month, everything)
        self.assertLess(latest, everything)


if __name__ == "__main__":
    unittest.main()
