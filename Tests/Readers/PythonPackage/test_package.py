"""The Python package against the command: every type, by value."""
import datetime
import json
import re
import unittest
import xml.etree.ElementTree as ElementTree

from package import Study, instant, samples, study
from streams import decoded, described

COLUMNS = ["type", "startDate", "endDate", "value", "valueText", "unit", "sourceName", "sourceVersion", "device", "position", "id",
           "metadata", "attributes", "content", "creationDate"]


def table(rows):
    """The rows of columns."""
    return [dict(zip(rows, values)) for values in zip(*rows.values())]


def time(text):
    """The time of the command's JSON; None for a day, which the samples have as an attribute."""
    return instant(text) if text and "T" in text else None


class Samples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.archive = study().open()
        cls.types = cls.archive.types().to_pydict()["type"]

    def test_every_type_has_the_values_of_the_command(self):
        self.assertGreater(len(self.types), 80)
        for type in self.types:
            expected = samples(type)
            for plain in False, True:
                rows = table(decoded(self.archive.samples(type, columns=COLUMNS, plain=plain)))
                self.assertEqual(len(rows), len(expected), type)
                self.assertEqual(sorted(row["id"] for row in rows), sorted(sample["id"] for sample in expected))
                byid = {sample["id"]: sample for sample in expected}
                for row in rows:
                    self.compare(row, byid[row["id"]])

    def compare(self, row, sample):
        value = sample.get("value")
        number = value if isinstance(value, (int, float)) else None
        self.assertEqual(
            [row[name] for name in ("type", "startDate", "endDate", "sourceName", "sourceVersion", "device", "valueText")],
            [sample["type"], time(sample["startDate"]), time(sample.get("endDate")), sample.get("sourceName"),
             sample.get("sourceVersion"), sample.get("device", {}).get("name"), value if isinstance(value, str) else None])
        self.assertEqual(row["value"], number)
        if number is not None:
            self.assertEqual(row["unit"], sample["unit"])
        for entry in sample.get("metadata", ()):
            if isinstance(entry.get("value"), str):
                self.assertIn((entry["key"], entry["value"]), row["metadata"])
        if row["content"] is not None:
            json.loads(row["content"])
        attributes = dict(row["attributes"])
        if sample.get("sourceVersion"):
            self.assertEqual(attributes["sourceVersion"], sample["sourceVersion"])
        if "T" not in sample["startDate"]:
            self.assertIn(sample["startDate"], attributes.values())

    def test_columns_made_of_a_batch_are_those_made_of_samples(self):
        columns = [name for name in COLUMNS if name not in ("id", "metadata", "attributes", "content")]
        for type in self.types:
            fast = table(decoded(self.archive.samples(type, columns=columns)))
            slow = table(decoded(self.archive.samples(type, columns=[*columns, "id"])))
            for row in slow:
                del row["id"]
            self.assertEqual(fast, slow, type)

    def test_all_types_at_once(self):
        for threads in 0, 1, 3:
            rows = decoded(self.archive.samples(threads=threads))
            self.assertEqual(list(rows), ["type", "startDate", "endDate", "value", "valueText", "unit", "sourceName"])
            counts = self.archive.types().to_pydict()
            self.assertEqual({type: rows["type"].count(type) for type in self.types},
                             dict(zip(counts["type"], counts["count"])))

    def test_rows_are_in_order_whatever_the_order_of_the_source(self):
        """Backwards, in reversed pairs, and all at one time: each type is in a batch of its own."""
        count = 3000
        orders = {"HeartRate": reversed(range(count)), "StepCount": (row ^ 1 for row in range(count)),
                  "BodyMass": (row * 7919 % count for row in range(count)), "Height": [7] * count}
        records = []
        for name, starts in orders.items():
            for value, start in enumerate(starts):
                at = f"2024-03-{1 + start // 1440:02} {start // 60 % 24:02}:{start % 60:02}:00 +0000"
                records.append(f'<Record type="HKQuantityTypeIdentifier{name}" sourceName="s" unit="m" creationDate="{at}" '
                               f'startDate="{at}" endDate="{at}" value="{value}"/>')
        made = Study("orders", document="<?xml version=\"1.0\"?><HealthData locale=\"en\"><ExportDate "
                     'value="2024-05-01 00:00:00 +0000"/>' + "\n".join(records) + "</HealthData>")
        for name in orders:
            for since in None, "2024-03-02":
                rows = decoded(made.open().samples(name[0].lower() + name[1:], since=since, columns=["startDate", "value"]))
                pairs = list(zip(rows["startDate"], rows["value"]))
                self.assertEqual(pairs, sorted(pairs), name)
                expected = made.ask("query", f"HKQuantityTypeIdentifier{name}", *(("--since", since) if since else ()))
                self.assertEqual(sorted(rows["value"]), sorted(sample["value"] for sample in expected))
                self.assertEqual(len(pairs), 0 if since and name == "Height" else count - (1440 if since else 0))

    def test_names_that_unicode_calls_equivalent_stay_two(self):
        names = ["Jos\u00e9", "Jose\u0301"]
        at = "2024-03-01 00:00:0{} +0000"
        records = [f'<Record type="HKQuantityTypeIdentifierHeight" sourceName="{names[row % 2]}" unit="m" '
                   f'startDate="{at.format(row)}" endDate="{at.format(row)}" value="{row}"/>' for row in range(6)]
        made = Study("names", document='<?xml version="1.0"?><HealthData locale="en"><ExportDate '
                     'value="2024-05-01 00:00:00 +0000"/>' + "\n".join(records) + "</HealthData>")
        for columns in ["sourceName"], ["sourceName", "id"]:
            for plain in False, True:
                rows = decoded(made.open().samples("height", columns=columns, plain=plain))
                self.assertEqual(rows["sourceName"], names * 3)

    def test_parts_are_the_whole(self):
        whole = decoded(self.archive.samples(columns=["type", "position"]))
        parts = [decoded(self.archive.samples(columns=["type", "position"], part=part, parts=4)) for part in range(4)]
        self.assertEqual(sum((part["position"] for part in parts), []), whole["position"])
        self.assertTrue(all(part["position"] for part in parts))

    def test_a_group_and_a_title(self):
        self.assertEqual(decoded(self.archive.samples("Heart Rate")), decoded(self.archive.samples("heartRate")))
        self.assertIn("HKQuantityTypeIdentifierRestingHeartRate", decoded(self.archive.samples("group:heart"))["type"])

    def test_a_time(self):
        for since, until in ("2025", None), (None, "2024-06"), ("2025-01-02", "2025-03-31"), ("2030", None):
            options = [part for name, value in (("--since", since), ("--until", until)) if value for part in (name, value)]
            for type in "heartRate", "sleepAnalysis", "HKQuantityTypeIdentifierBodyMass":
                expected = study().ask("query", type, *options)
                found = decoded(self.archive.samples(type, since=since, until=until))
                self.assertEqual(sorted(found["startDate"]), sorted(time(sample["startDate"]) for sample in expected))
        first = datetime.datetime(2025, 1, 2, 3, 4, 5)
        for since in first, first.replace(tzinfo=datetime.timezone.utc), first.replace(microsecond=600_000):
            text = (since + datetime.timedelta(seconds=since.microsecond > 0)).replace(microsecond=0).isoformat()
            self.assertEqual(decoded(self.archive.samples("heartRate", since=since)),
                             decoded(self.archive.samples("heartRate", since=text)))
        day = decoded(self.archive.samples("heartRate", since=datetime.date(2025, 1, 1)))
        self.assertEqual(day, decoded(self.archive.samples("heartRate", since="2025-01-01")))

    def test_to_pydict_is_the_stream(self):
        read = self.archive.samples("heartRate", columns=COLUMNS)
        self.assertEqual(read.to_pydict(), decoded(read))


class OtherTables(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.archive = study().open()

    def close(self, found, expected, where):
        if expected is None or found is None:
            self.assertEqual(found, expected, where)
        else:
            self.assertLessEqual(abs(found - expected), 1e-11 * abs(expected) + 1e-12, where)

    def test_statistics_of_every_quantity(self):
        quantities = [type for type in self.archive.types().to_pydict()["type"] if "QuantityType" in type]
        everything = table(decoded(self.archive.statistics(by="month")))
        for type in quantities:
            expected = study().ask("stats", type, "--by", "month")
            rows = [row for row in everything if row["type"] == type]
            self.assertEqual(len(rows), len(expected["intervals"]), type)
            for row, interval in zip(rows, expected["intervals"]):
                self.assertEqual((row["startDate"], row["endDate"], row["count"], row["isPartial"], str(row["day"])),
                                 (time(interval["startDate"]), time(interval["endDate"]), interval["count"], interval["isPartial"],
                                  interval["startDate"][:10]))
                self.assertEqual(row["unit"], expected["unit"])
                for name, key in ("sum", "sum"), ("average", "average"), ("minimum", "minimum"), ("maximum", "maximum"):
                    self.close(row[name], interval.get(key), (type, name, row["startDate"]))

    def test_intervals(self):
        for unit in "hour", "day", "week", "year":
            expected = study().ask("stats", "stepCount", "--by", unit, "--since", "2025")["intervals"]
            rows = table(decoded(self.archive.statistics("stepCount", by=unit, since="2025")))
            self.assertEqual([(row["startDate"], row["count"]) for row in rows],
                             [(time(interval["startDate"]), interval["count"]) for interval in expected])
            for row, interval in zip(rows, expected):
                self.close(row["sum"], interval["sum"], row["startDate"])

    def test_categories_are_counted(self):
        for type in [type for type in self.archive.types().to_pydict()["type"]
                     if "CategoryType" in type and "SleepAnalysis" not in type]:
            expected = study().ask("stats", type)["intervals"]
            rows = table(decoded(self.archive.statistics(type)))
            self.assertEqual([(row["startDate"], row["count"], row["durationSeconds"], row["isPartial"]) for row in rows],
                             [(time(day["startDate"]), day["count"], day["duration"], day["isPartial"]) for day in expected], type)

    def test_members_of_correlations_are_samples(self):
        times = 'sourceName="Cuff" startDate="2023-05-02 08:00:00 +0200" endDate="2023-05-02 08:00:00 +0200"'
        members = "".join(f'<Record type="HKQuantityTypeIdentifierBloodPressure{half}" unit="mmHg" value="{value}" {times}/>'
                          for half, value in (("Systolic", 121), ("Diastolic", 71)))
        made = Study("members", document=f'<HealthData><Correlation type="HKCorrelationTypeIdentifierBloodPressure" {times}>'
                     f"{members}</Correlation></HealthData>")
        archive = made.open()
        for columns in None, ["id", "value"]:
            rows = table(decoded(archive.samples("bloodPressureDiastolic", "bloodPressureSystolic", columns=columns)))
            self.assertEqual([row["value"] for row in rows], [71, 121])
        parts = [decoded(archive.samples("bloodPressureDiastolic", part=part, parts=2)) for part in range(2)]
        self.assertEqual([value for part in parts for value in part.get("value", [])], [71])
        self.assertEqual(table(decoded(archive.statistics("bloodPressureSystolic")))[0]["average"], 121)
        self.assertEqual(len(table(decoded(archive.samples()))), 1)

    def test_many_intervals_of_few_samples(self):
        """More than are in one piece of the stream."""
        record = ('<Record type="HKQuantityTypeIdentifierStepCount" sourceName="x" unit="count" value="8760"'
                  ' startDate="{0}-01-01 00:00:00 +0000" endDate="{0}-12-31 00:00:00 +0000"/>')
        long = Study("long", document="<HealthData>" + "".join(map(record.format, range(2020, 2023))) + "</HealthData>")
        expected = long.ask("stats", "stepCount", "--by", "hour")["intervals"]
        self.assertGreater(len(expected), 25_000)
        rows = table(decoded(long.open().statistics("stepCount", by="hour")))
        self.assertEqual(len(rows), len(expected))
        for row, interval in zip(rows, expected):
            self.assertEqual((row["startDate"], row["count"]), (time(interval["startDate"]), interval["count"]))
            self.close(row["sum"], interval["sum"], row["startDate"])

    def test_sleep(self):
        nights = study().ask("sleep")["nights"]
        self.assertGreater(len(nights), 2)
        self.assertEqual(table(decoded(self.archive.sleep())),
                         [{**night, "night": datetime.date.fromisoformat(night["night"]), "startDate": time(night["startDate"]),
                           "endDate": time(night["endDate"])} for night in nights])

    def test_workouts(self):
        expected = samples("HKWorkoutTypeIdentifier")
        rows = table(decoded(self.archive.workouts()))
        self.assertEqual(len(rows), len(expected))
        for row, sample in zip(rows, expected):
            sample = dict(sample, device=sample.get("device", {}).get("name"), startDate=time(sample["startDate"]),
                          endDate=time(sample["endDate"]))
            for name, value in row.items():
                if isinstance(value, float):
                    self.close(value, sample[name], name)
                else:
                    self.assertEqual(value, sample.get(name), name)

    def test_rings(self):
        """As the document has them."""
        document = ElementTree.parse(study().folder / "export" / "export.xml").getroot()
        names = {"energy": "activeEnergyBurned", "energyGoal": "activeEnergyBurnedGoal", "exerciseMinutes": "appleExerciseTime",
                 "exerciseMinutesGoal": "appleExerciseTimeGoal", "moveMinutes": "appleMoveTime", "standHours": "appleStandHours",
                 "moveMinutesGoal": "appleMoveTimeGoal", "standHoursGoal": "appleStandHoursGoal"}
        expected = [{"day": datetime.date.fromisoformat(node.get("dateComponents")), "energyUnit": node.get("activeEnergyBurnedUnit")} | {
            name: float(node.get(attribute)) if node.get(attribute) else None for name, attribute in names.items()}
            for node in document.findall("ActivitySummary")]
        rows = table(decoded(self.archive.rings()))
        self.assertGreater(len(rows), 10)
        self.assertEqual(sorted(rows, key=str), sorted(expected, key=str))
        day = rows[len(rows) // 2]["day"]
        self.assertEqual({row["day"] for row in table(decoded(self.archive.rings(since=day, until=day)))}, {day})

    def test_routes(self):
        """As the files have them."""
        files = {path.name: re.findall(r'<trkpt lon="([^"]*)" lat="([^"]*)"><ele>([^<]*)</ele><time>([^<]*)</time>.*?<speed>([^<]*)<',
                                       path.read_text(), re.DOTALL)
                 for path in (study().folder / "export").rglob("route_*.gpx")}
        rows = table(decoded(self.archive.routes()))
        self.assertGreater(len(rows), 100)
        self.assertEqual(len(rows), sum(map(len, files.values())))
        found = sorted((row["longitude"], row["latitude"], row["altitude"], row["time"], row["speed"]) for row in rows)
        self.assertEqual(found, sorted((float(lon), float(lat), float(ele), instant(time.replace("Z", "+00:00")), float(speed))
                                       for points in files.values() for lon, lat, ele, time, speed in points))
        workouts = decoded(self.archive.workouts())["id"]
        self.assertLessEqual({row["workout"] for row in rows}, set(workouts))
        self.assertEqual(decoded(self.archive.routes(since="2099"))["workout"], [])

    def test_segments_of_routes(self):
        """What one route ends with is not joined to what the next one begins with."""
        times = 'startDate="2018-05-01 08:00:00 +0000" endDate="2018-05-01 09:00:00 +0000"'
        routes = "".join(
            f'<WorkoutRoute sourceName="x" {times}>' + "".join(
                f'<Location date="2018-05-01 08:0{minute}:00 +0000" latitude="{latitude}" longitude="10" altitude="1" '
                'horizontalAccuracy="1" verticalAccuracy="1" course="1" speed="1"/>'
                for minute, latitude in points) + "</WorkoutRoute>"
            for points in ([(0, 50.0), (1, 50.001)], [(5, 50.1)]))
        made = Study("segments", document='<?xml version="1.0" encoding="UTF-8"?>\n<HealthData locale="en_GB">\n'
                     f'<Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="x" {times}>{routes}</Workout>\n'
                     "</HealthData>\n")
        with made.open() as archive:
            rows = table(decoded(archive.routes()))
        self.assertEqual([(row["segment"], row["latitude"]) for row in rows], [(0, 50.0), (0, 50.001), (1, 50.1)])

    def test_the_zone(self):
        self.assertEqual(self.archive.zone, study().ask("inspect")["zone"])

    def test_electrocardiograms(self):
        recordings = study().ask("ecg list")["recordings"]
        rows = table(decoded(self.archive.ecg()))
        self.assertEqual(len(rows), len(recordings))
        for row, recording in zip(rows, recordings):
            whole = study().ask("ecg show", str(recording["number"]))
            voltages = next(value for value in whole.values() if isinstance(value, list) and len(value) > 1000)
            self.assertEqual(row.pop("microvolts"), voltages)
            self.close(row.pop("samplingFrequency"), recording["samplingFrequency"], "samplingFrequency")
            self.close(row.pop("durationSeconds"), recording["durationSeconds"], "durationSeconds")
            self.assertEqual(row.pop("recordedDate"), time(recording["recordedDate"]))
            self.assertEqual(row, {name: recording.get(name) for name in row})

    def test_columns(self):
        texts, plain = "i?<:u?>", "u?"
        map = "+m<entries:+s<key:u value:u?>>"
        seconds = " ".join(f"{name}Seconds:l" for name in ("asleep", "core", "deep", "rem", "unspecified", "awake", "inBed", "gap"))
        for found, columns in [
            (self.archive.types(), "type:u? name:u? count:l first:tsu:UTC? last:tsu:UTC?"),
            (self.archive.batches(), "type:u? span:u? part:l count:l first:tsu:UTC? last:tsu:UTC? bytes:l"),
            (self.archive.samples(columns=COLUMNS),
             f"type:{texts} startDate:tsu:UTC? endDate:tsu:UTC? value:g? valueText:{texts} unit:{texts} sourceName:{texts} sourceVersion:{texts} "
             f"device:{texts} position:l id:u? metadata:{map} attributes:{map} content:u? creationDate:tsu:UTC?"),
            (self.archive.samples(plain=True), f"type:{plain} startDate:tsu:UTC? endDate:tsu:UTC? value:g? valueText:{plain} unit:{plain} "
             f"sourceName:{plain}"),
            (self.archive.statistics("stepCount"), f"type:{texts} startDate:tsu:UTC? endDate:tsu:UTC? day:tdD? unit:{texts} count:l sum:g? "
             "average:g? minimum:g? maximum:g? durationSeconds:g? isPartial:b"),
            (self.archive.sleep(), f"night:tdD? startDate:tsu:UTC? endDate:tsu:UTC? {seconds} sources:+l<item:u?>"),
            (self.archive.workouts(), "id:u? startDate:tsu:UTC? endDate:tsu:UTC? activity:u? durationSeconds:g? distance:g? distanceUnit:u? "
             "energy:g? energyUnit:u? sourceName:u? sourceVersion:u? device:u?"),
            (self.archive.rings(), "day:tdD? energy:g? energyGoal:g? energyUnit:u? moveMinutes:g? moveMinutesGoal:g? "
             "exerciseMinutes:g? exerciseMinutesGoal:g? standHours:g? standHoursGoal:g?"),
            (self.archive.routes(), f"workout:{texts} segment:l time:tsu:UTC? latitude:g? longitude:g? altitude:g? speed:g? course:g? "
             "horizontalAccuracy:g? verticalAccuracy:g?"),
            (self.archive.ecg(), "recordedDate:tsu:UTC? file:u? classification:u? classificationText:u? symptoms:+l<item:u?> samplingFrequency:g? "
             "durationSeconds:g? device:u? softwareVersion:u? lead:u? microvolts:+l<item:g?>"),
        ]:
            self.assertEqual(described(found), columns)

    def test_contents(self):
        shown = study().ask("inspect")
        counts = self.archive.types().to_pydict()
        self.assertEqual(sum(counts["count"]), shown["samples"])
        self.assertEqual(len(counts["type"]), shown["typeCount"])
        batches = decoded(self.archive.batches())
        self.assertEqual(sum(batches["count"]), shown["samples"])


if __name__ == "__main__":
    unittest.main()
