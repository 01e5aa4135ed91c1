"""`export --pseudonymise`: a copy has nothing that names its person, and the same answers as the source, at other dates."""
import datetime
import json
import os
import re
import sqlite3
import unittest
import zipfile

from documents import PROLOGUE
from sampling import some
from vault import ENCRYPT, OPEN, CommandTest, each, generated

FORMATS = ("--format", "ndjson,json,csv,sqlite,apple-xml,fhir")
MARK = "Zebrafink"
DAY = "2023-05-0"


def marked(name, **attributes):
    """The attributes of an element, with a marker in each that can have one."""
    return f"<{name} " + " ".join(f'{key}="{value}"' for key, value in attributes.items())


def time(day, clock="10:00:00", offset="+0200"):
    return f"{DAY}{day} {clock} {offset}"


def when(day=1, clock="10:00:00", end="10:30:00"):
    return {"creationDate": time(day, end), "startDate": time(day, clock), "endDate": time(day, end)}


ORIGIN = {"sourceName": f"{MARK}s Apple Watch", "sourceVersion": MARK,
          "device": f"&lt;&lt;HKDevice: 0x281&gt;, name:{MARK}, manufacturer:{MARK}, model:Watch, hardware:Watch6,2, localIdentifier:{MARK}&gt;"}
HEART = {"type": "HKQuantityTypeIdentifierHeartRate", **ORIGIN, "unit": "count/min", **when(), "value": "71"}
METADATA = "".join(f'<MetadataEntry key="{key}" value="{value}"/>' for key, value in [
    (MARK, "1"), ("HKTimeZone", f"Europe/{MARK}"), ("HKExternalUUID", MARK), ("HKWasUserEntered", "1"), ("HKWeatherTemperature", "64 degF"),
    ("HKMetadataKeyHeartRateMotionContext", MARK), ("HKAverageMETs", f"5.1 {MARK}"), ("HKLapLength", "25 m")])
# What stays, then what goes.
KEPT = [
    marked("Record", **HEART) + f">{METADATA}</Record>",
    marked("Record", **HEART | {"sourceName": f"{MARK} app", "device": MARK, MARK: MARK, "value": "72"}) + "/>",
    marked("Record", type="HKCategoryTypeIdentifierSleepAnalysis", **ORIGIN, **when(2, "01:00:00", "07:00:00"),
           value="HKCategoryValueSleepAnalysisAsleepREM") + f"><{MARK}>{MARK}</{MARK}>{MARK}</Record>",
    marked("Record", type="HKQuantityTypeIdentifierHeartRateVariabilitySDNN", **ORIGIN, unit="ms", **when(), value="40.5") +
    '><HeartRateVariabilityMetadataList><InstantaneousBeatsPerMinute bpm="70" time="10:00:01,22"/>'
    f'<InstantaneousBeatsPerMinute bpm="71" time="{MARK}"/></HeartRateVariabilityMetadataList></Record>',
    marked("Workout", workoutActivityType="HKWorkoutActivityTypeRunning", duration="30", durationUnit="min", totalDistance="5",
           totalDistanceUnit="km", **ORIGIN, **when()) + f">{METADATA}" +
    marked("WorkoutEvent", type="HKWorkoutEventTypePause", date=time(1, "10:10:00")) + "/>" +
    marked("WorkoutActivity", uuid=MARK, startDate=time(1), endDate=time(1, "10:30:00")) + "/>" +
    marked("WorkoutStatistics", type="HKQuantityTypeIdentifierHeartRate", startDate=time(1), endDate=time(1, "10:30:00"), average="150",
           unit="count/min") + "/>" +
    marked("WorkoutRoute", **ORIGIN, **when()) + f'><FileReference path="/workout-routes/{MARK}.gpx"/></WorkoutRoute></Workout>',
    marked("ActivitySummary", dateComponents=f"{DAY}1", activeEnergyBurned="400", activeEnergyBurnedUnit="kcal", appleStandHours="9") + "/>",
]
GONE = [
    marked("Record", **HEART | {"type": f"HKQuantityTypeIdentifier{MARK}"}) + "/>",
    marked("Record", **HEART | {"startDate": MARK}) + "/>",
    # What programs write for no time, of which the shift could be computed.
    marked("ActivitySummary", dateComponents="1969-12-30") + "/>",
    marked("ActivitySummary", dateComponents=MARK) + "/>",
    marked("Record", **HEART | {"startDate": "2001-01-01 01:00:00 +0100", "endDate": "2001-01-01 01:00:00 +0100"}) + "/>",
    marked("Record", **HEART | {"startDate": "4000-12-31 19:00:00 -0500", "endDate": "4000-12-31 19:00:00 -0500"}) + "/>",
    marked("ClinicalRecord", type="Observation", identifier=MARK, sourceName=MARK, sourceURL=MARK, fhirVersion="4.0.1",
           receivedDate=time(1), resourceFilePath=f"/clinical-records/{MARK}.json") + "/>",
    marked("VisionPrescription", type="HKVisionPrescriptionTypeGlasses", dateIssued=time(1), brand=MARK) + "/>",
    marked(MARK, **HEART) + f">{MARK}</{MARK}>",
    MARK,
]
SAME = [marked("Record", **HEART | {"unit": MARK, "value": "73"}) + "/>", marked("Record", **HEART | {"value": MARK}) + "/>"]
TEXT = (PROLOGUE + f'<HealthData locale="de_{MARK}"><ExportDate value="{DAY}9 10:36:12 +0200"/>'
        f'<Me HKCharacteristicTypeIdentifierDateOfBirth="1979-11-12" HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale"'
        f' HKCharacteristicTypeIdentifierBloodType="HKBloodTypeABNegative"/>' + "\n".join(KEPT + GONE + SAME) + "</HealthData>")
FILES = {"electrocardiograms/ecg_2023-05-01.csv": f"Name,{MARK}\nRecorded Date,{time(1)}\n\n1.0\n",
         f"workout-routes/{MARK}.gpx": f"<gpx>{MARK}</gpx>", f"clinical-records/{MARK}.json": "{}", "export_cda.xml": f"<x>{MARK}</x>"}


def contents(folder):
    """All texts of an output, whatever form they have."""
    for path in folder.rglob("*"):
        yield str(path.relative_to(folder))
        if path.is_file():
            data = path.read_bytes()
            if zipfile.is_zipfile(path):
                with zipfile.ZipFile(path) as file:
                    for name in file.namelist():
                        yield name
                        yield file.read(name).decode()
            elif data.startswith(b"SQLite format 3"):
                yield "\n".join(sqlite3.connect(path).iterdump())
                yield data.decode("latin-1")
            else:
                yield data.decode()


class PseudonymTest(CommandTest):
    def setUp(self):
        super().setUp()
        with zipfile.ZipFile(self.folder / "in.zip", "w") as file:
            file.writestr("apple_health_export/export.xml", TEXT)
            for name, text in FILES.items():
                file.writestr(f"apple_health_export/{name}", text)

    def copy(self, target, *options, source="in.zip", **more):
        return self.vault("export", source, "-o", target, "--pseudonymise", *options, **more)

    def shift(self, copy):
        """The days by which a copy lies before its source."""
        date = json.loads((self.folder / copy / "manifest.json").read_text())["source"]["exportDate"]
        return (datetime.date.fromisoformat(f"{DAY}9") - datetime.date.fromisoformat(date[:10])).days


class Contents(PseudonymTest):
    def test_nothing_names_the_person_in_any_format(self):
        result = self.copy("all", *FORMATS)
        self.assertIn(f"left out: {len(GONE)} whole elements, {len(FILES)} side files", result.stderr)
        seconds = [str(int(datetime.datetime.fromisoformat(f"{DAY}{day}T00:00:00+02:00").timestamp() + 3600 * hour))
                   for day in range(1, 10) for hour in range(24)]
        true = re.compile("|".join([f"(?i:{MARK})", "1979", "11-12", "Female", "Negative", "Watch6", r"[+]02:?00", "Europe", "64 degF",
                                    *(f"{DAY}{day}" for day in range(1, 10)), *seconds]))
        for text in contents(self.folder / "all"):
            self.assertIsNone(true.search(text), text[:200])

    def test_what_stays(self):
        self.copy("copy.json", "--format", "json")
        text = (self.folder / "copy.json").read_text()
        for kept in ("HKWasUserEntered", "HKLapLength", "25 m", "HKCategoryValueSleepAnalysisAsleepREM", "10:00:01,22", "HKWorkoutEventTypePause",
                     "10:10:00+00:00", "01:00:00+00:00", '"average":150', '"totalDistance":5'):
            self.assertIn(kept, text.replace(" :", ":").replace(": ", ":"), kept)
        self.assertEqual(len(set(re.findall(r"Watch \d{6}", text))), 2, "a source and a device")
        self.assertEqual(len(set(re.findall(r"Source \d{6}", text))), 1)

    def test_a_copy_that_ends_earlier_does_not_say_when_the_export_was_made(self):
        self.copy("copy", "--until", "2023-05-01", *FORMATS)
        shift = self.shift("copy")
        true = datetime.date(2023, 5, 9) - datetime.timedelta(shift - 8)
        for text in contents(self.folder / "copy"):
            self.assertNotIn(str(true), text, "eight days before it the copy ends")
        self.assertEqual((shift - 8) % 7, 0)

    def test_the_year_of_birth_stays_right(self):
        self.copy("copy", "--format", "fhir,ndjson", "--subject", "p17")
        patient = json.loads((self.folder / "copy/fhir/Patient.ndjson").read_text())
        born = datetime.date(1979, 11, 12) - datetime.timedelta(self.shift("copy"))
        self.assertEqual((patient["birthDate"], patient.get("gender")), (str(born.year), None))

    def test_an_archive_says_what_it_is(self):
        self.copy("copy.hvault", *ENCRYPT)
        self.vault("verify", "copy.hvault", *OPEN)
        shown = self.vault("inspect", "copy.hvault", *OPEN).stdout.decode()
        self.assertIn("pseudonymised", shown)
        self.assertNotIn(MARK, shown)
        # A part of it says so, too.
        self.vault("export", "copy.hvault", "-o", "part", "--types", "heartRate", *OPEN)
        self.assertTrue(json.loads(self.vault("inspect", "part", "--json").stdout)["pseudonymised"])
        self.assertFalse(json.loads(self.vault("inspect", "in.zip", "--json").stdout)["pseudonymised"])

    def test_each_source_of_a_copy_gives_the_same(self):
        self.vault("export", "in.zip", "-o", "a.hvault", *ENCRYPT)
        self.vault("export", "in.zip", "-o", "plain")
        for number, source in enumerate(("in.zip", "a.hvault", "plain")):
            self.copy(f"{number}.json", "--pseudonym-secret", "secret", *(OPEN if source == "a.hvault" else ()), source=source)
        texts = {(self.folder / f"{number}.json").read_bytes() for number in range(3)}
        self.assertEqual(len(texts), 1)

    def test_what_only_earlier_exports_had_is_not_in_it(self):
        with zipfile.ZipFile(self.folder / "later.zip", "w") as file:
            file.writestr("apple_health_export/export.xml", TEXT.replace(f'"{DAY}9 10', f'"{DAY}9 11').replace(KEPT[1], ""))
        (self.folder / "drive").mkdir()
        places = "--config-dir", "config", "--state-dir", "state"
        self.vault("destination", "add", "stick", "drive", *places[:2])
        for source in "in.zip", "later.zip":
            self.vault("encrypt", source, "--to", "stick", "--incremental", *ENCRYPT[1:], *places)
        newest = sorted((self.folder / "drive").iterdir())[-1]
        self.assertIn(b"72", self.vault("query", newest, "heartRate", "--gone", "--csv", *OPEN).stdout)
        self.copy("copy", *OPEN, source=newest)
        self.assertNotIn('"value":72', "".join(contents(self.folder / "copy")))
        self.copy("copy.hvault", *ENCRYPT, "--other-passphrase-file", OPEN[1], source=newest)
        self.vault("verify", "copy.hvault", *OPEN)
        self.assertEqual(json.loads(self.vault("inspect", "copy.hvault", "--json", *OPEN).stdout)["goneSamples"], 0)


class Secrets(PseudonymTest):
    def test_the_same_secret_gives_the_same_copy_and_others_none(self):
        for name in "one", "two":
            self.copy(name, "--pseudonym-secret", "secret")
        self.assert_same_folder("one", "two")
        self.assertEqual(os.stat(self.folder / "secret").st_mode & 0o777, 0o600)
        self.assertEqual((self.folder / "secret").stat().st_size, 32)
        shifts = set()
        for number in range(6):
            self.copy(f"other-{number}", *(("--pseudonym-secret", f"secret-{number}") if number % 2 else ()))
            shifts.add(self.shift(f"other-{number}"))
        self.assertGreater(len(shifts), 1)
        self.assertTrue(all(shift % 7 == 0 and 7 <= shift <= 3640 for shift in shifts), shifts)

    def test_two_people_have_nothing_in_common(self):
        for name in "Anna", "Bert":
            self.copy(name, "--pseudonym-secret", "secret", "--person", name)
        sources = [set(json.loads(self.vault("inspect", name, "--json").stdout)["sources"]) for name in ("Anna", "Bert")]
        self.assertTrue(sources[0].isdisjoint(sources[1]), sources)
        for text in contents(self.folder / "Anna"):
            self.assertNotIn("Anna", text)

    def test_what_is_refused(self):
        for name, length, mode in ("short", 31, 0o600), ("open", 32, 0o644):
            (self.folder / name).write_bytes(b"x" * length)
            os.chmod(self.folder / name, mode)
        for options, said in [
                (("--pseudonym-secret", "short"), "exactly 32 bytes"), (("--pseudonym-secret", "open"), "chmod 600"),
                (("--person", "Anna"), "--pseudonym-secret"), (("--batch", "1month"), "--batch"), (("--to", "stick"), "--pseudonymise"),
                (("--session", "s"), "--session")]:
            target = ("-o", "copy") if "--to" not in options else ()
            result = self.vault("export", "in.zip", *target, "--pseudonymise", *options, status=2)
            self.assertIn(said, result.stderr)
        self.assertIn("add --pseudonymise", self.vault("export", "in.zip", "-o", "copy", "--pseudonym-secret", "s", status=2).stderr)
        text = TEXT.replace("1979-11-12", "")
        (self.folder / "nobody.xml").write_text(text)
        result = self.copy("copy", "--pseudonym-secret", "secret", source="nobody.xml", status=2)
        self.assertIn("--person", result.stderr)
        self.assertFalse((self.folder / "copy").exists())
        self.copy("copy", "--types", "bodyMass", status=10)
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("copy")], [])


class Answers(CommandTest):
    """The same answers at other dates."""

    TYPES = ("stepCount", "activeEnergyBurned", "heartRate", "appleStandHour", "mindfulSession", "bodyMass", "oxygenSaturation")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.source = generated("watchAndPhone", "14", "2MB").zip

    def answers(self, source, *command):
        return json.loads(self.vault(command[0], source, *command[1:], "--json").stdout)

    def test_days_nights_and_workouts_are_those_of_the_source(self):
        self.vault("export", self.source, "-o", "copy", "--pseudonymise")
        for type in some(self.TYPES, 4):
            before, after = (list(self.rows(self.answers(source, "stats", type, "--by", "day"))) for source in (self.source, "copy"))
            self.assertEqual(len(before), len(after), type)
            shifts = {(self.day(old) - self.day(new)).days for old, new in zip(before, after)}
            self.assertEqual(len(shifts), 1, type)
            # In the two nights in which clocks change, samples of two sources may overlap by another hour.
            differing = [old for old, new in zip(before, after) if not self.alike(old, new)]
            self.assertTrue(all(self.day(old).month in (3, 10, 11) for old in differing) and len(differing) <= 2, differing)
        nights = [self.answers(source, "sleep") for source in (self.source, "copy")]
        plain = [[row["asleepSeconds"] for row in self.rows(answer)] for answer in nights]
        self.assertEqual(*plain)
        workouts = [self.vault("query", source, "workout", "--csv").stdout.decode().splitlines()[1:] for source in (self.source, "copy")]
        self.assertEqual(*[[line.split(",")[4:9] for line in lines] for lines in workouts])

    def rows(self, answer):
        """The rows of an answer, wherever in it they are."""
        for value in answer.values() if isinstance(answer, dict) else answer:
            if isinstance(value, dict) and "startDate" in value:
                yield value
            elif isinstance(value, (dict, list)):
                yield from self.rows(value)

    def day(self, row):
        return datetime.date.fromisoformat(row["startDate"][:10])

    def alike(self, old, new):
        for name in old:
            if not isinstance(old[name], (int, float)):
                continue
            if abs(old[name] - new[name]) > 1e-9 * max(1, abs(old[name])):
                return False
        return True

    def test_a_selection_is_by_the_true_dates(self):
        self.vault("export", self.source, "-o", "part", "--last", "90d", "--types", "stepCount")
        self.vault("export", self.source, "-o", "copy", "--last", "90d", "--types", "stepCount", "--pseudonymise")
        counts = [json.loads(self.vault("inspect", name, "--json").stdout)["samples"] for name in ("part", "copy")]
        self.assertEqual(*counts)
        self.assertGreater(counts[0], 0)


if __name__ == "__main__":
    unittest.main()
