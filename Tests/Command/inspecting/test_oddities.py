"""What the manifest says of a source beyond its samples: its time zone, what no document type declares, what was cut off."""
import datetime
import html
import json
import unittest
import zoneinfo

from documents import END, HEAD, RECORD, export_zip
from sampling import some
from vault import ENCRYPT, OPEN, CommandTest, each

SAMPLE = ('<Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" startDate="{0}" endDate="{0}"'
          ' creationDate="{0}"><MetadataEntry key="HKTimeZone" value="{1}"/></Record>\n')
SUMMER, WINTER = "2022-07-01 03:00:00 +0200", "2022-12-01 03:00:00 +0100"


class Manifests(CommandTest):
    def manifests(self, text, *options, status=0):
        """The manifests of a plain export and of an archive, which are the same."""
        (self.folder / "in.xml").write_text(text)
        self.vault("export", "in.xml", "-o", "plain", *options, status=status)
        self.vault("export", "in.xml", "-o", "a.hvault", *options, *ENCRYPT, status=status)
        self.vault("decrypt", "a.hvault", "-o", "decrypted", *OPEN)
        self.assert_same_folder("plain", "decrypted")
        self.vault("verify", "plain", "--source", "in.xml")
        return self.manifest(self.folder / "plain")


class Zones(Manifests):
    def zone(self, *samples, head=HEAD):
        text = head + "".join(SAMPLE.format(*sample) for sample in samples) + END
        return self.manifests(text)["source"]["zone"]

    # The document was exported in May, at +0200.
    @each(
        ("Europe/Paris", [(SUMMER, "Europe/Paris")]),
        ("Europe/Berlin", [(SUMMER, "Europe/Paris"), (WINTER, "Europe/Berlin")]),
        ("Europe/Paris", [(WINTER, "Europe/Paris"), (SUMMER, "Europe/Berlin")]),
        # Of a journey, although it is newer.
        ("Europe/Paris", [(SUMMER, "Europe/Paris"), (WINTER, "Asia/Tokyo")]),
        # At +0200 when the sample was taken, but not when it was exported.
        ("+02:00", [(WINTER, "Asia/Jerusalem")]),
        ("+02:00", []),
        ("+02:00", [(WINTER, "Europe/Nowhere"), (WINTER, "../zoneinfo/Europe/Paris"), (WINTER, "/etc/passwd"),
                    (WINTER, ""), (WINTER, "Europe"), (WINTER, "Europe/Paris "), (WINTER, "zone.tab")]),
        ("Europe/Paris", [(SUMMER, "Europe/Paris"), (WINTER, "Europe//Paris")]),
    )
    def test_the_zone_is_the_newest_that_had_the_offset_of_the_file_when_it_was_exported(self, case):
        zone, samples = case
        self.assertEqual(self.zone(*samples), zone)

    @each(("Europe/Paris", [(SUMMER, "Europe/Paris")]), ("+01:00", [(WINTER, "Asia/Tokyo")]), ("", []))
    def test_without_an_export_date_the_newest_sample_says_the_offset(self, case):
        zone, samples = case
        head = HEAD[:HEAD.index(" <ExportDate")]
        self.assertEqual(self.zone(*samples, head=head), zone)

    @each("Europe/Berlin", "Europe/Dublin", "Africa/Casablanca", "Asia/Jerusalem", "Asia/Kathmandu", "America/St_Johns",
          "America/Nuuk", "America/Santiago", "Australia/Lord_Howe", "Pacific/Chatham", "Pacific/Apia", "Etc/GMT+5")
    def test_offsets_are_those_of_another_reader_of_the_same_files(self, zone):
        for instant in some([datetime.datetime(year, month, 15, 10, tzinfo=zoneinfo.ZoneInfo(zone))
                             for year in (1987, 2005, 2024, 2041, 2059, 2399) for month in (1, 7)], 4):
            with self.subTest(instant=instant):
                offset = instant.strftime("%z")
                head = HEAD.replace("2023-05-13 10:36:12 +0200", instant.strftime("%Y-%m-%d %H:%M:%S %z"))
                self.assertEqual(self.plain_zone(head, zone), zone)
                other = ("-" if offset[0] == "+" else "+") + "0117"
                self.assertEqual(self.plain_zone(head.replace(offset + '"', other + '"'), zone),
                                 f"{other[:3]}:{other[3:]}")

    def plain_zone(self, head, zone):
        (self.folder / "in.xml").write_text(head + SAMPLE.format(SUMMER, zone) + END)
        self.vault("export", "in.xml", "-o", "plain", "--overwrite")
        return self.manifest(self.folder / "plain")["source"]["zone"]

    def test_metadata_among_other_things_counts(self):
        odd = SAMPLE.replace("<Meta", '<Other a="1"/>text<Meta').replace("/></Rec", '/><Other b="2"/></Rec')
        text = HEAD + odd.format(SUMMER, "Europe/Paris") + END
        self.assertEqual(self.manifests(text)["source"]["zone"], "Europe/Paris")


class Unknown(Manifests):
    NESTED = (' <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="1" mood="good"'
              f' startDate="{SUMMER}" endDate="{SUMMER}">\n'
              f'  <WorkoutEvent type="HKWorkoutEventTypeLap" date="{SUMMER}" pace="3"/>\n'
              f'  <WorkoutEvent type="HKWorkoutEventTypeLap" date="{SUMMER}" pace="4" pulse="5"/>\n'
              '  <Splits pace="3"><MetadataEntry key="a" value="b" note="c"/></Splits>\n </Workout>\n')

    @each("", "<!-- read by the other rules -->", "text")
    def test_what_is_not_declared_is_counted_by_name(self, odd):
        text = HEAD + RECORD + RECORD.replace("/>", ' shade="x"/>') * 3
        text += self.NESTED + self.NESTED.replace("  <Splits", odd + "  <Splits") + END
        manifest = self.manifests(text)
        self.assertEqual(manifest["unknownElements"], {"Workout/Splits": 2})
        self.assertEqual(manifest["unknownAttributes"], {
            "Record/@shade": 3, "Workout/@mood": 2, "Workout/WorkoutEvent/@pace": 4, "Workout/WorkoutEvent/@pulse": 2,
            "Workout/Splits/MetadataEntry/@note": 2})
        self.assertEqual(manifest["warnings"]["unknownAttributes"], 13)
        self.assertEqual(manifest["warnings"]["unknownElements"], 2)
        self.assertNotIn("Record/@shade", manifest["elements"])

    def test_names_without_end_are_counted_together(self):
        new = "".join(RECORD.replace("/>", f' new{number}="x"/>') for number in range(6_000))
        unknown = self.manifests(HEAD + new + END)["unknownAttributes"]
        self.assertEqual(unknown["Record/@new0"], 1)
        self.assertEqual(len(unknown), 4097)
        self.assertEqual(unknown["@*"], 6_000 - 4096)

    def test_what_is_declared_is_no_oddity(self):
        manifest = self.manifests(HEAD + RECORD + END)
        self.assertEqual(manifest["warnings"], {})
        self.assertNotIn("unknownElements", manifest)
        self.assertNotIn("unknownAttributes", manifest)

    @each("", "yesterday", "2022-07-01T03:00:00+02:00", "2022-02-30 03:00:00 +0200", "2022-07-01 03:00:00 +0200 ")
    def test_times_that_are_none_are_kept_and_counted(self, time):
        nested = self.NESTED.replace(SUMMER, time)
        text = HEAD + RECORD + RECORD.replace('endDate="2023-05-01 10:00:00 +0200"', f'endDate="{time}"') * 2 + nested + END
        manifest = self.manifests(text)
        self.assertEqual(manifest["warnings"]["unreadableDates"], 2 + 4)
        self.assertIn(f'"endDate":"{time}"', "".join(
            path.read_text() for path in (self.folder / "plain/records").rglob("*.ndjson")))


class MissingFiles(CommandTest):
    """Routes and clinical records that the document refers to, and that are not in the zip or folder."""
    ROUTE = (f'<Workout workoutActivityType="HKWorkoutActivityTypeRunning" startDate="{SUMMER}" endDate="{SUMMER}">\n'
             f'  <WorkoutRoute sourceName="A" startDate="{SUMMER}" endDate="{SUMMER}"><FileReference path="{{}}"/></WorkoutRoute>\n'
             " </Workout>\n")
    CLINICAL = ('<ClinicalRecord type="Observation" identifier="1" sourceName="A" sourceURL="" fhirVersion="4.0.1"'
                f' receivedDate="{SUMMER}" resourceFilePath="{{}}"/>\n')

    def source(self, routes, records=(), files=()):
        text = HEAD + "".join(map(self.ROUTE.format, routes)) + "".join(map(self.CLINICAL.format, records)) + END
        return export_zip(self.folder / "in.zip", dict.fromkeys(files, "<gpx/>"), text)

    def said(self, *arguments):
        result = self.vault(*arguments)
        text = result.stdout.decode() + result.stderr
        return text if "missing that" in text else None

    def test_those_that_are_missing_are_said_once(self):
        source = self.source(["/workout-routes/a.gpx", "/workout-routes/a.gpx", "/workout-routes/b.gpx"],
                             ["/clinical-records/c.json", "/clinical-records/d.json", ""],
                             ["workout-routes/a.gpx", "clinical-records/c.json", "clinical-records/e.json"])
        names = ["workout-routes/b.gpx", "clinical-records/d.json"]
        for command in (("export", source, "-o", "plain"), ("export", source, "-o", "a.hvault", *ENCRYPT), ("inspect", source),
                        ("inspect", "plain"), ("inspect", "a.hvault", *OPEN), ("verify", "plain"), ("verify", "a.hvault", *OPEN),
                        ("verify", "a.hvault", "--source", source, *OPEN)):
            with self.subTest(command[0], path=str(command[1])):
                text = self.said(*command)
                self.assertIn("warning: 2 side files missing that workouts or clinical records refer to", text)
                self.assertEqual([text.count(name) for name in names], [1, 1])
        for command in (("inspect", source), ("inspect", "a.hvault", *OPEN), ("verify", "plain"),
                        ("export", source, "-o", "plain", "--overwrite")):
            report = json.loads(self.vault(*command, "--json").stdout)
            self.assertEqual(report["missingFiles"], names)
            if command[0] != "verify":
                self.assertEqual(report["oddities"], {"missingFiles": 2})

    def test_none_are_missing(self):
        source = self.source(["/workout-routes/a.gpx"], ["/clinical-records/c.json"],
                             ["workout-routes/a.gpx", "clinical-records/c.json"])
        self.assertIsNone(self.said("export", source, "-o", "plain"))
        self.assertIsNone(self.said("verify", "plain"))
        self.assertNotIn("missingFiles", self.manifest(self.folder / "plain"))

    def test_a_document_alone_lacks_none(self):
        (self.folder / "in.xml").write_text(HEAD + self.ROUTE.format("/workout-routes/a.gpx") + END)
        self.assertIsNone(self.said("inspect", "in.xml"))
        self.assertIsNone(self.said("export", "in.xml", "-o", "plain"))

    def test_names_without_end_are_counted(self):
        source = self.source(f"/workout-routes/{number}.gpx" for number in range(1000))
        self.vault("export", source, "-o", "plain")
        manifest = self.manifest(self.folder / "plain")
        self.assertEqual(manifest["warnings"], {"missingFiles": 1000})
        self.assertEqual(manifest["missingFiles"], [f"workout-routes/{number}.gpx" for number in range(100)])
        text = self.said("verify", "plain")
        self.assertIn("1,000 side files missing", text)
        self.assertIn("workout-routes/4.gpx and 995 more", text)


class StrayText(Manifests):
    """What expat takes for text where Apple writes only elements."""

    @each("+", "a&amp;b", "one  two\n three", "äöü €", "<![CDATA[<b> & c]]>", "]]>", "x" * 300_000, "'\"{}")
    def test_text_is_a_row_of_its_own(self, text):
        for name, place, document in (
                ("first", 2, HEAD + f"  {text}\n " + RECORD * 2 + END), ("last", 4, HEAD + RECORD * 2 + text + END),
                ("among many", 3002, HEAD + RECORD * 3000 + text + RECORD * 3000 + END)):
            with self.subTest(name):
                self.setUp()
                manifest = self.manifests(document)
                self.assertEqual(manifest["warnings"], {"strayTexts": 1})
                self.assertEqual(manifest["elements"]["#text"], {"read": 1, "written": 1})
                self.assertEqual(manifest["samples"], document.count("<Record"))
                expected = html.unescape(text.removeprefix("<![CDATA[").removesuffix("]]>") if "CDATA" in text else text)
                [path] = (self.folder / "plain/records").glob("_text-*/*.ndjson")
                self.assertEqual([json.loads(line) for line in path.read_text().splitlines()],
                                 [{"element": "#text", "position": place, "text": expected}])

    def test_each_run_counts(self):
        text = HEAD + "a" + RECORD + "b<!-- c -->d" + RECORD + "<![CDATA[ ]]>" + "\0" + END
        (self.folder / "in.xml").write_text(text)
        warnings = json.loads(self.vault("export", "in.xml", "-o", "plain", "--json").stdout)["oddities"]
        self.assertEqual(warnings, {"strayTexts": 4, "droppedComments": 1, "controlCharacters": 1})
        self.assertIn("4 stray texts between elements (kept)", self.vault("inspect", "in.xml").stdout.decode())

    def test_without_another_tag_the_document_is_cut_off(self):
        (self.folder / "in.xml").write_text(HEAD + RECORD + "text")
        self.vault("export", "in.xml", "-o", "plain", status=13)


class OtherMarkup(Manifests):
    """What is no sample is said as what it is."""

    def oddities(self, text, status=0):
        (self.folder / "in.xml").write_text(text)
        answer = self.vault("export", "in.xml", "-o", "plain", "--overwrite", "--json", status=status)
        return json.loads(answer.stdout)["oddities"]

    def test_processing_instructions_are_no_comments(self):
        text = HEAD + RECORD + "<?php x ?><!-- a -->" + RECORD + END
        self.assertEqual(self.oddities(text), {"droppedComments": 1, "droppedInstructions": 1})
        self.assertIn("1 processing instruction between elements (not kept)",
                      self.vault("inspect", "in.xml").stdout.decode())

    def test_a_root_in_the_root(self):
        text = HEAD + RECORD + '<HealthData locale="en_GB">' + RECORD + "</HealthData>" + END
        self.assertEqual(self.oddities(text)["nestedDocuments"], 1)
        self.assertIn("1 more HealthData element inside", self.vault("inspect", "in.xml").stdout.decode())
        # Each counts, also those whose tag is read by the template of the first.
        for between in ("", "\n ", RECORD):
            text = HEAD + between.join(['<HealthData locale="en_GB">' + RECORD + "</HealthData>"] * 5) + END
            self.assertEqual(self.oddities(text)["nestedDocuments"], 5)

    def test_a_second_document(self):
        (self.folder / "in.xml").write_text(HEAD + RECORD + END + '<HealthData locale="en_GB">' + END)
        self.assertIn("a second Health document", self.vault("inspect", "in.xml", status=13).stderr)


class CutOff(Manifests):
    @each("", "<Rec", RECORD[:40], RECORD + RECORD[:-3], "   ")
    def test_what_was_cut_off_is_listed_as_skipped(self, rest):
        whole = HEAD + RECORD * 3
        text = whole + rest
        source = self.manifests(text, "--accept-damaged", status=3)["source"]
        self.assertTrue(source["truncated"])
        start = text.rindex("<Rec") if rest.strip() else len(text)
        expected = [{"offset": start, "length": len(text) - start}] if start < len(text) else []
        self.assertEqual(source.get("skipped", []), expected)

    def test_nothing_was_skipped_of_a_whole_document(self):
        self.assertNotIn("skipped", self.manifests(HEAD + RECORD + END)["source"])


if __name__ == "__main__":
    unittest.main()
