"""`ecg` shows what the files say, but for the person's name and date of birth."""
import csv
import io
import json
import unittest

from documents import export_zip
from vault import ITERATIONS, OPEN, CommandTest, each, generated

GERMAN = """Name,Zebrafink
Geburtstag,"27.03.1987"
Aufzeichnungsdatum,2023-03-04 20:55:07 +0100
Klassifizierung,Sinusrhythmus
Symptome,Herzrasen
Softwareversion,1.90
Gerät,"Watch6,7"
Messrate,511,562\u00a0Hertz


Ableitung,Ableitung I
Einheit,µV

-107,825
12,5
3,25
"""


class Electrocardiograms(CommandTest):
    def test_those_of_a_generated_export(self):
        export = generated()
        reports = []
        for source in (export.zip,), (export.folder,), (export.plain,), (export.archive, *OPEN):
            report = json.loads(self.vault("ecg", "list", *source, "--json").stdout)
            self.assertTrue(report["recordings"])
            reports.append(report["recordings"])
        for report in reports[1:]:
            self.assertEqual(report, reports[0])
        shown = json.loads(self.vault("ecg", "show", export.zip, "1", "--json").stdout)
        self.assertEqual(shown["voltages"], len(shown["microvolts"]))
        name = reports[0][0]["file"].split("/")[-1]
        self.assertEqual(json.loads(self.vault("ecg", "show", export.zip, name, "--json").stdout), shown)

    def test_a_german_one_without_the_person(self):
        export_zip(self.folder / "export.zip", {"electrocardiograms/ecg_2023-03-04.csv": GERMAN})
        for arguments in ["list", "export.zip"], ["show", "export.zip", "1"]:
            for form in [], ["--json"], ["--csv"]:
                output = self.vault("ecg", *arguments, *form).stdout.decode()
                self.assertNotIn("Zebrafink", output)
                self.assertNotIn("1987", output)
        shown = json.loads(self.vault("ecg", "show", "export.zip", "1", "--json").stdout)
        self.assertEqual(shown["classification"], "sinusRhythm")
        self.assertEqual(shown["microvolts"], [-107.825, 12.5, 3.25])
        self.assertAlmostEqual(shown["samplingFrequency"], 511.562)
        rows = list(csv.DictReader(io.StringIO(self.vault("ecg", "show", "export.zip", "1", "--csv").stdout.decode())))
        self.assertEqual([float(row["microvolts"]) for row in rows], [-107.825, 12.5, 3.25])

    def test_a_verdict_in_a_language_that_is_not_understood_is_given_as_written_alone(self):
        export_zip(self.folder / "export.zip", {
            "electrocardiograms/a.csv": GERMAN.replace("Sinusrhythmus", "Migotanie przedsionków"),
            "electrocardiograms/b.csv": GERMAN.replace("Sinusrhythmus", "Förmaksflimmer"),
            "electrocardiograms/c.csv": GERMAN.replace("Sinusrhythmus", "Unrecognized")})
        found = json.loads(self.vault("ecg", "list", "export.zip", "--json").stdout)["recordings"]
        self.assertEqual([(one["classification"], one["classificationText"]) for one in found],
                         [(None, "Migotanie przedsionków"), ("atrialFibrillation", "Förmaksflimmer"),
                          ("unrecognized", "Unrecognized")])
        rows = list(csv.DictReader(io.StringIO(self.vault("ecg", "list", "export.zip", "--csv").stdout.decode())))
        self.assertEqual([row["classification"] for row in rows], ["", "atrialFibrillation", "unrecognized"])

    def test_a_file_that_is_none_is_listed_and_the_others_are_shown(self):
        export_zip(self.folder / "export.zip", {"electrocardiograms/a.csv": "Zebrafink\n31337",
                                                "electrocardiograms/b.csv": GERMAN})
        result = self.vault("ecg", "list", "export.zip", status=3)
        self.assertIn("Sinusrhythmus", result.stdout.decode())
        self.assertIn("a.csv cannot be read", result.stdout.decode())
        self.assertNotIn("31337", result.stdout.decode() + result.stderr)
        result = self.vault("ecg", "list", "export.zip", "--csv", status=3)
        self.assertNotIn(b"a.csv", result.stdout)
        self.assertIn("a.csv cannot be read", result.stderr)
        self.assertIn("a.csv cannot be read", self.vault("ecg", "show", "export.zip", "a.csv", status=13).stderr)

    def test_a_verdict_in_another_language_is_in_english_as_well(self):
        export_zip(self.folder / "export.zip", {
            "electrocardiograms/a.csv": GERMAN, "electrocardiograms/b.csv": GERMAN.replace("Sinusrhythmus", "Sinus Rhythm"),
            "electrocardiograms/c.csv": GERMAN.replace("Sinusrhythmus", "Migotanie")})
        shown = self.vault("ecg", "list", "export.zip").stdout.decode()
        for text in "Sinusrhythmus (sinus rhythm) ", "Sinus Rhythm ", "Migotanie ":
            self.assertIn(text, shown)
        self.assertIn("Sinusrhythmus (sinus rhythm)", self.vault("ecg", "show", "export.zip", "1").stdout.decode())
        self.vault("report", "export.zip", "-o", "report.html")
        self.assertIn("Sinusrhythmus (sinus rhythm)", (self.folder / "report.html").read_text())

    def test_files_with_the_same_content_are_one_recording(self):
        other = GERMAN.replace("12,5", "12,6")
        export_zip(self.folder / "export.zip", {f"electrocardiograms/{name}.csv": text for name, text in (
            ("a", GERMAN), ("b", other), ("c", GERMAN), ("d", GERMAN))})
        self.vault("encrypt", "export.zip", "-o", "a.hvault", *ITERATIONS, *OPEN)
        for source in ["export.zip"], ["a.hvault", *OPEN]:
            found = json.loads(self.vault("ecg", "list", *source, "--json").stdout)["recordings"]
            self.assertEqual([recording["file"][-5:] for recording in found], ["a.csv", "b.csv"])
            self.assertIn("2 files with the content of others are not listed",
                          self.vault("ecg", "list", *source).stdout.decode())
            self.vault("report", *source, "-o", "report.html", "--overwrite")
            text = (self.folder / "report.html").read_text()
            self.assertIn("2 recordings;", text)
            self.assertIn("2 files with the content of others are not listed.", text)

    @each("0,00000000001", "99999999999999999999999")
    def test_a_frequency_with_which_nothing_can_be_drawn(self, frequency):
        text = GERMAN.replace("511,562", frequency)
        export_zip(self.folder / "export.zip", {"electrocardiograms/a.csv": text})
        self.vault("ecg", "show", "export.zip", "1", "-o", "a.svg")
        self.vault("ecg", "show", "export.zip", "1", "--json")
        self.vault("report", "export.zip", "-o", "report.html")

    def test_a_file_that_no_recording_is_as_large_as(self):
        export_zip(self.folder / "export.zip", {"electrocardiograms/a.csv": GERMAN,
                                                "electrocardiograms/b.csv": GERMAN + "1\n" * (16 << 20)})
        self.vault("encrypt", "export.zip", "-o", "a.hvault", *ITERATIONS, *OPEN)
        for source in ["export.zip"], ["a.hvault", *OPEN]:
            result = self.vault("ecg", "list", *source, status=3)
            self.assertIn("b.csv cannot be read: the file is too large", result.stdout.decode())
            self.vault("report", *source, "-o", "report.html", "--overwrite")

    def test_the_date_of_birth_is_no_field_of_an_unknown_language(self):
        text = GERMAN
        for number, label in enumerate(line.split(",")[0] for line in GERMAN.splitlines()[:8]):
            text = text.replace(label + ",", f"Q{number},", 1)
        birth = text.replace('"27.03.1987"', "1987-03-27 00:00:00 +0100")
        files = {"electrocardiograms/a.csv": text, "electrocardiograms/b.csv": birth,
                 "electrocardiograms/c.csv": text.replace("2023-03-04 20:55:07 +0100", "4.3.2023"),
                 "electrocardiograms/d.csv": "Q8,x\nQ9,y\n" + text.replace("2023-03-04 20:55:07 +0100", "4.3.2023")}
        export_zip(self.folder / "export.zip", files)
        shown = self.vault("ecg", "list", "export.zip", "--json").stdout.decode()
        self.assertNotIn("1987", shown)
        recordings = {recording["file"]: recording for recording in json.loads(shown)["recordings"]}
        for name in "a", "b":
            recording = recordings[f"electrocardiograms/{name}.csv"]
            self.assertEqual((recording["recordedDate"][:10], recording["classificationText"]),
                             ("2023-03-04", "Sinusrhythmus"))

    def test_numbers_beyond_reason(self):
        text = GERMAN.replace("12,5", "9" * 300).replace("511,562", "9" * 40)
        export_zip(self.folder / "export.zip", {"electrocardiograms/a.csv": text})
        for form in [], ["--json"], ["--csv"]:
            for arguments in ["list", "export.zip"], ["show", "export.zip", "1"]:
                output = self.vault("ecg", *arguments, *form).stdout
                if form == ["--json"]:
                    json.loads(output)

    def test_what_is_not_there(self):
        export_zip(self.folder / "export.zip")
        self.vault("ecg", "list", "export.zip", status=10)
        self.vault("ecg", "show", generated().zip, "9999", status=10)
        self.vault("ecg", "show", generated().zip, status=2)
        # A second source, which is not there.
        self.vault("ecg", "list", generated().zip, "1", status=3)


if __name__ == "__main__":
    unittest.main()
