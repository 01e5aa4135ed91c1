"""What the tables and views of a database answer is what counting in the export gives."""
import json
import unittest
from collections import Counter, defaultdict
from datetime import datetime, timezone

from documents import END, HEAD, RECORD, TIME
from formats import reference_document, side_files
from formats.conversions import VARIANTS, SOME, FormatTest, converted, reference
from formats.database_rows import lasting, normal, opened
from formats.flat_rows import is_number, iso
from vault import each, generated

CUMULATIVE = "StepCount", "ActiveEnergyBurned", "DistanceWalkingRunning", "FlightsClimbed", "DietaryWater"
DISCRETE = "HeartRate", "BodyMass", "OxygenSaturation", "BloodPressureSystolic"
PREFIX = "HKQuantityTypeIdentifier"


def instant(row):
    return datetime.fromisoformat(iso(row.get("startDate"))).astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class TableTest(FormatTest):
    def select(self, path, query, *values):
        return [tuple(row) for row in opened(path).execute(query, values)]


class Samples(TableTest):
    @each(*SOME)
    def test_statistics_are_those_of_the_samples(self, variant):
        """Of each type and unit, without copies."""
        groups = defaultdict(list)
        for row in reference(variant).samples:
            if row.name == "Record" and "HKQuantity" in row.get("type"):
                groups[row.get("type"), row.get("unit")].append(row)
        found = {row[:2]: row[2:] for row in self.select(
            converted(variant) / "health.db", "SELECT type, unit, count, copies, minimum, maximum, average, sum, first_date,"
            " last_date FROM statistics WHERE type LIKE 'HKQuantity%'")}
        self.assertEqual(set(found), set(groups))
        for key, rows in groups.items():
            once = {repr(lasting(normal(row))): row for row in rows}.values()
            count, copies, low, high, average, total, first, last = found[key]
            values = [float(row.get("value")) for row in once]
            self.assertEqual((count + copies, low, high), (len(rows), min(values), max(values)), key)
            if copies == len(rows) - len(once):
                self.assertAlmostEqual(average, sum(values) / len(values), 9)
            if total is not None:
                self.assertAlmostEqual(total, sum(values), 6)
            self.assertEqual((first, last), (min(map(instant, rows)), max(map(instant, rows))))
            name = key[0].removeprefix(PREFIX)
            self.assertTrue(total is not None or name not in CUMULATIVE, key)
            self.assertTrue(total is None or name not in DISCRETE, key)

    def test_views_give_times_as_they_were_written(self):
        rows = self.select(converted(VARIANTS[0]) / "health.db",
                           "SELECT start_date, end_date, creation_date FROM all_samples WHERE element = 'Record'")
        expected = [tuple(iso(row.get(name)) for name in ("startDate", "endDate", "creationDate"))
                    for row in reference(VARIANTS[0]).samples if row.name == "Record"]
        self.assertEqual(Counter(rows), Counter(expected))

    def test_copies_are_left_out_of_samples(self):
        other = RECORD.replace('value="', 'value="1')
        late = RECORD.replace(f'startDate="{TIME}"', 'startDate="2023-05-02 10:00:00 +0200"')
        self.convert(self.write(HEAD + RECORD * 3 + other + late * 2 + END), "x.db", "--format", "sqlite")
        path = self.folder / "x.db"
        self.assertEqual(self.select(path, "SELECT is_copy FROM sample ORDER BY position"),
                         [(0,), (1,), (1,), (0,), (0,), (1,)])
        self.assertEqual(self.select(path, "SELECT count(*) FROM samples"), [(3,)])
        self.assertEqual(self.select(path, "SELECT count, copies FROM statistics"), [(3, 3)])

    @each('value="1"', 'unit="x"', 'sourceName="B"', 'key="2"', 'endDate="2023-05-01 10:00:01 +0200"')
    def test_what_differs_in_anything_is_no_copy(self, attribute):
        name = attribute.split("=")[0]
        plain = f'<Record type="X" value="0" unit="" sourceName="A" key="1" startDate="{TIME}" endDate="{TIME}"/>'
        start = plain.index(f" {name}=") + 1
        changed = plain[:start] + attribute + plain[plain.index('"', start + len(name) + 2) + 1:]
        self.convert(self.write(HEAD + plain + changed + END), "x.db", "--format", "sqlite")
        self.assertEqual(self.select(self.folder / "x.db", "SELECT count(*) FROM samples"), [(2,)])

    @each(*SOME)
    def test_metadata_is_in_its_rows(self, variant):
        found = self.select(converted(variant) / "health.db", "SELECT id, element, metadata FROM all_samples")
        def joined(entries):
            """An object, with a list for a key that occurs several times."""
            values = {}
            for key, value in entries:
                values.setdefault(key, []).append(value)
            return {key: found if len(found) > 1 else found[0] for key, found in values.items()}
        expected = Counter(json.dumps(joined(normal(row)[2])) for row in reference(variant).samples if normal(row)[2])
        self.assertEqual(Counter(json.dumps(json.loads(text)) for _, _, text in found if text), expected)


class Workouts(TableTest):
    @each(*SOME)
    def test_workouts_have_their_parts(self, variant):
        path = converted(variant) / "health.db"
        workouts = [row for row in reference(variant).samples if row.name == "Workout"]
        columns = "activity", "start_date", "duration_seconds"
        found = self.select(path, f"SELECT {','.join(columns)} FROM workouts ORDER BY id")
        expected = [(row.get("workoutActivityType"), iso(row.get("startDate")),
                     float(row.get("duration")) * {"s": 1, "min": 60, "hr": 3600}[row.get("durationUnit")]) for row in workouts]
        self.assertEqual(found, expected)
        for table, name in (("workout_event", "WorkoutEvent"), ("workout_statistics", "WorkoutStatistics"),
                            ("workout_activity", "WorkoutActivity"), ("workout_route", "WorkoutRoute")):
            condition = "AND activity_id IS NULL" if table in ("workout_event", "workout_statistics") else ""
            counts = self.select(path, f"SELECT (SELECT count(*) FROM {table} WHERE sample_id = workouts.id {condition})"
                                       " FROM workouts ORDER BY id")
            self.assertEqual(counts, [(len(row.elements(name)),) for row in workouts], name)

    @each(*SOME)
    def test_the_parts_of_activities_are_told_from_those_of_workouts(self, variant):
        found = self.select(converted(variant) / "health.db",
                            "SELECT workout_activity.uuid, workout_statistics.type, minimum, maximum, average, sum FROM"
                            " workout_statistics JOIN workout_activity ON workout_activity.id = activity_id")
        expected = [(activity.get("uuid"), part.get("type"),
                     *(part.get(name) and float(part.get(name)) for name in ("minimum", "maximum", "average", "sum")))
                    for row in reference(variant).samples for activity in row.elements("WorkoutActivity")
                    for part in activity.elements("WorkoutStatistics")]
        self.assertEqual(Counter(found), Counter(expected))

    @each(*SOME)
    def test_activity_summaries_have_their_rings(self, variant):
        names = ["dateComponents", "activeEnergyBurned", "activeEnergyBurnedGoal", "appleMoveTime", "appleExerciseTime",
                 "appleStandHours", "appleStandHoursGoal"]
        found = self.select(converted(variant) / "health.db",
                            "SELECT date_components, active_energy_burned, active_energy_burned_goal, apple_move_time,"
                            " apple_exercise_time, apple_stand_hours, apple_stand_hours_goal FROM activity_summary")
        expected = [tuple(float(text) if text and is_number(text) else text for text in map(row.get, names))
                    for row in reference(variant).samples if row.name == "ActivitySummary"]
        self.assertEqual(Counter(found), Counter(expected))


class Files(TableTest):
    @each(*SOME)
    def test_every_file_is_there(self, variant):
        files = reference_document.side_files(generated(*variant).zip)
        path = converted(variant) / "health.db"
        found = self.select(path, "SELECT name, length FROM file")
        self.assertEqual(sorted(found), sorted((name, len(text)) for name, text in files.items()))
        known = "workout-routes", "electrocardiograms", "clinical-records"
        for name, content in self.select(path, "SELECT name, content FROM file"):
            self.assertTrue(content is None if name.startswith(known) else content == files[name], name)
        resources = self.select(path, "SELECT name, resource FROM clinical_resource JOIN file ON id = file_id")
        self.assertEqual(dict(resources), {name: text.decode() for name, text in files.items() if "clinical-" in name})

    @each(*SOME)
    def test_routes_have_every_point(self, variant):
        files = reference_document.side_files(generated(*variant).zip)
        names = ["latitude", "longitude", "elevation", "time", "speed", "course", "horizontalAccuracy", "verticalAccuracy"]
        path = converted(variant) / "health.db"
        for name, text in files.items():
            if name.startswith("workout-routes/"):
                found = self.select(path, "SELECT latitude, longitude, elevation, time, speed, course, horizontal_accuracy,"
                                    " vertical_accuracy FROM routes WHERE file = ? ORDER BY number", name)
                expected = [tuple(values[key] if key == "time" else float(values[key]) for key in names)
                            for values in map(dict, side_files.points(text))]
                self.assertTrue(found == expected, name)
        paths = [part.get("path") for row in reference(variant).samples for route in row.elements("WorkoutRoute")
                 for part in route.elements("FileReference")]
        found = self.select(path, "SELECT DISTINCT '/' || file FROM routes WHERE workout_id IS NOT NULL")
        self.assertEqual(sorted(name for name, in found), sorted(path for path in paths if path[1:] in files))

    @each(*SOME)
    def test_electrocardiograms_have_every_voltage(self, variant):
        files = reference_document.side_files(generated(*variant).zip)
        path = converted(variant) / "health.db"
        for name, text in files.items():
            if name.startswith("electrocardiograms/"):
                fields, voltages = side_files.header(text)
                found = self.select(path, "SELECT microvolts FROM electrocardiogram_voltage JOIN file ON id = file_id"
                                    " WHERE name = ? ORDER BY number", name)
                self.assertEqual([value for value, in found], [float(line.replace(",", ".")) for line in voltages])
                found, = self.select(path, "SELECT recorded_date, classification_text, software_version, electrocardiogram.device,"
                                     " sampling_frequency, lead, unit FROM electrocardiogram JOIN file ON id = file_id"
                                     " WHERE name = ?", name)
                expected = dict(side_files.recording(name, text))
                self.assertEqual(found, (expected["recordedDate"], fields["classification"], fields["softwareVersion"],
                                         fields["device"], float(expected["samplingFrequency"].text), fields["lead"], "uV"))


if __name__ == "__main__":
    unittest.main()
