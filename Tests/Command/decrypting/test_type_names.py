"""How the types of a part are named, and what is said of it."""
import json
import unittest

from decrypting.filtering import HEART_RATE, SelectionTest
from documents import document, export_zip
from vault import ENCRYPT, OPEN, each, generated


class Names(SelectionTest):
    def test_long_short_and_grouped(self):
        export = generated()
        self.select(export.archive, "--types", HEART_RATE, to="long")
        self.select(export.archive, "--types", "heartrate,HeartRate", to="short")
        self.assertEqual(self.files("long"), self.files("short"))
        self.select(export.archive, "--types", "group:vitals", "--exclude=heartRate", to="group")
        manifest = self.manifest(self.folder / "group")
        self.assertNotIn(HEART_RATE, {batch["type"] for batch in manifest["batches"]})
        self.assertIn("HKQuantityTypeIdentifierRespiratoryRate", manifest["selection"]["types"])
        self.assertEqual(manifest["selection"]["excluded"], [HEART_RATE])

    def test_types_that_only_the_archive_knows(self):
        body = "".join(f'<Record type="{name}" sourceName="A" startDate="2023-05-01 10:00:00 +0200" value="1"/>'
                       for name in ("HKDataTypeSleepDurationGoal", "X-Other", "HKQuantityTypeIdentifierHeartRate"))
        export_zip(self.folder / "export.zip", {}, document(body))
        self.vault("export", "export.zip", "-o", "a.hvault", *ENCRYPT)
        for name, kind in (("HKDataTypeSleepDurationGoal",) * 2, ("X-Other",) * 2,
                           ("sleepDurationGoal", "HKDataTypeSleepDurationGoal")):
            self.select("a.hvault", "--types", name, to=name)
            self.assertEqual([batch["type"] for batch in self.manifest(self.folder / name)["batches"]], [kind])
            self.vault("verify", name)

    def test_a_slip_is_understood(self):
        result = self.select(generated().archive, "--types", "heartRat", status=2)
        self.assertIn("did you mean 'heartRate'?", result.stderr)
        result = self.select(generated().archive, "--types", "group:vital", status=2)
        self.assertIn("did you mean 'group:vitals'?", result.stderr)
        self.assertEqual(self.names(), [])

    def test_nothing_of_it(self):
        archive = generated().archive
        for options in (["--types=pelvicPain", "--since=2050-01-01"], ["--since=2050-01-01"],
                        ["--types=heartRate", "--until=1980-01-01"], ["--types=heartRate", "--exclude=heartRate"]):
            self.assertIn("contains no matching samples", self.select(archive, *options, status=10).stderr)
        self.assertEqual(self.names(), [])

    def test_what_is_not_there_is_said_where_others_are(self):
        body = '<Record type="HKQuantityTypeIdentifierHeartRate" startDate="2023-05-01 10:00:00 +0200" value="1"/>'
        export_zip(self.folder / "export.zip", {}, document(body))
        self.vault("export", "export.zip", "-o", "a.hvault", *ENCRYPT)
        result = self.select("a.hvault", "--types", "heartRate,bodyMass")
        self.assertIn("contains no HKQuantityTypeIdentifierBodyMass", result.stderr)
        self.select("a.hvault", "--types", "bodyMass", to="none", status=10)

    @each(["--types", ""], ["--types", "a,,b"], ["--since", "lately"], ["--since", "2023-02-29"],
          ["--until", "2023-05-01T10"], ["--last", "18"], ["--last", "0d"], ["--last", "1h"],
          ["--last", "1y", "--since", "2020-01-01"], ["--since", "2023-05-02", "--until", "2023-05-01"],
          ["--tar", "--types", "heartRate"], ["--stored", "--since", "2020-01-01"], ["--tar", "--entry", "a"],
          ["--entry", "a", "--types", "heartRate"], ["--entry", "a", "--overwrite"], ["--entry", ""])
    def test_mistakes(self, options):
        self.vault("decrypt", generated().archive, *options, *OPEN, status=2)
        self.assertEqual(self.names(), [])

    def test_a_selection_replaces_a_selection(self):
        archive = generated().archive
        self.select(archive, "--types", "heartRate")
        self.select(archive, "--types", "stepCount", status=16)
        self.select(archive, "--types", "stepCount", "--overwrite")
        self.assertEqual([path.name for path in (self.folder / "part/records").iterdir()],
                         ["HKQuantityTypeIdentifierStepCount"])

    def test_inspecting_and_verifying_say_that_it_is_a_part(self):
        export = generated()
        self.select(export.archive, "--types", "heartRate", "--since", "2020-01-01")
        self.assertIn("part of an export: Heart Rate, since 2020-01-01", self.vault("inspect", "part")
                      .stdout.decode())
        self.assertEqual(json.loads(self.vault("inspect", "part", "--json").stdout)["selection"]["types"], [HEART_RATE])
        self.assertIn(b"everything selected from this source", self.vault("verify", "part", "--source", export.zip).stdout)
        path = next((self.folder / "part").glob("records/*/*.ndjson"))
        path.write_bytes(b"".join(path.read_bytes().splitlines(True)[1:]))
        self.vault("verify", "part", status=13)


if __name__ == "__main__":
    unittest.main()
