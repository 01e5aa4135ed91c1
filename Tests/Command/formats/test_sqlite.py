"""A database has every value of the export, and each can be found."""
import json
import re
import unittest
from collections import Counter
from pathlib import Path

from documents import END, HEAD, RECORD, TIME, VALUE, document
from formats import reference_document
from formats.conversions import VARIANTS, SOME, FormatTest, converted, in_all_formats, reference
from formats.database_rows import Tables, about, described, opened
from formats.values import ValuesTest
from vault import BY_MONTH, each, generated, run, skip_loudly


class Values(ValuesTest):
    @each(*VARIANTS)
    def test_every_sample_is_there_with_every_value(self, variant):
        self.check_database(converted(variant) / "health.db", reference(variant))

    def test_the_spans_of_the_export_make_no_difference(self):
        export = generated("shuffled", "14", "1MB")
        self.check_database(in_all_formats(export.zip, *BY_MONTH) / "health.db", reference_document.read(export.zip))

    @each(*SOME)
    def test_the_export_and_the_person_are_described(self, variant):
        database = opened(converted(variant) / "health.db")
        found = list(map(tuple, database.execute("SELECT element, attribute, value FROM about")))
        self.assertEqual(sorted(found), sorted(about(reference(variant))))
        manifest, = database.execute("SELECT json(manifest) FROM manifest").fetchone()
        self.assertIn('"fingerprint"', manifest)

    @each("<Me a='1'><MetadataEntry key='k' value='Zebrafink'/></Me>", "<Me a='1'>Zebrafink</Me>",
          "<ExportDate value='x'><A b='Zebrafink'/></ExportDate>", "<Me a='1' a='Zebrafink'/>")
    def test_what_is_nested_in_the_person_is_kept_or_counted(self, row):
        self.convert(self.write(HEAD + row + END), "x.db", "--format", "sqlite")
        database = opened(self.folder / "x.db")
        self.assertTrue("Zebrafink" in "".join(database.iterdump())
                        or database.execute("SELECT total(count) FROM not_kept").fetchone()[0])

    @each(*SOME)
    def test_device_pointers_that_are_left_out_are_counted(self, variant):
        database = opened(converted(variant) / "health.db")
        pointers = sum(row.get("device", "") != described(row.get("device", "")) for row in reference(variant).samples)
        count, = database.execute("SELECT total(count) FROM not_kept WHERE kind = 'devicePointers'").fetchone()
        kept, = database.execute("SELECT count(*) FROM sample WHERE other LIKE '%<<HKDevice: 0x%'").fetchone()
        self.assertEqual(count + kept, pointers)

    def test_samples_are_told_by_their_instant_whatever_the_offset(self):
        times = ["2023-05-01 10:00:00 +0200", "2023-05-01 04:30:00 -0330", "1969-12-31 23:59:59 +0000",
                 "0001-01-01 00:00:00 +0000", "9998-12-31 23:59:59 +0000", "2023-05-01 10:00:00 +2359"]
        self.convert(self.write(document(*(RECORD.replace(TIME, time) for time in times))), "x.db", "--format", "sqlite")
        found = [row[1] for row in Tables(self.folder / "x.db").samples()][1:]
        self.assertEqual([dict(attributes)["startDate"] for _, attributes, *_ in found], times)

    def test_daily_values_of_samples_that_last_for_ages_are_left_out_and_counted(self):
        ages = ('<Record type="HKQuantityTypeIdentifierStepCount" sourceName="x" unit="count" value="{}"'
                ' startDate="0001-01-02 00:00:00 +0000" endDate="9999-12-30 00:00:00 +0000"/>')
        text = HEAD + "".join(ages.format(value) for value in range(5)) + END
        self.convert(self.write(text), "x.db", "--format", "sqlite")
        database = opened(self.folder / "x.db")
        self.assertEqual([*map(tuple, database.execute("SELECT count FROM not_kept WHERE kind = 'overlongInSums'"))], [(5,)])
        self.assertEqual([*map(tuple, database.execute("SELECT * FROM daily_sum"))], [])
        self.check_database(self.folder / "x.db", reference_document.read(self.folder / "in.xml"))

    def test_a_type_with_too_many_parts_in_days_has_no_sums(self):
        """Each of a year, they count in 367 days, approximately: together in more than 2^24."""
        record = ('<Record type="HKQuantityTypeIdentifier{}" sourceName="x" unit="count" value="{}"'
                  ' startDate="2020-01-01 00:00:00 +0000" endDate="{} 00:00:00 +0000"/>')
        years = (record.format("StepCount", value, "2021-01-01") for value in range((1 << 24) // 367 + 1))
        text = HEAD + "".join(years) + record.format("FlightsClimbed", 3, "2020-01-01") + END
        said = self.convert(self.write(text), "x.db", "--format", "sqlite").stderr
        self.assertIn("not stored in sqlite: the sums of days of 1 type with too many or too long samples", said)
        database = opened(self.folder / "x.db")
        self.assertEqual([*map(tuple, database.execute("SELECT * FROM not_kept"))], [("typesWithoutSums", 1)])
        self.assertEqual([*map(tuple, database.execute("SELECT type, sum FROM daily_values"))],
                         [("HKQuantityTypeIdentifierFlightsClimbed", 3)])

    @each("9999-12-31 23:59:59 -2359", "9999-12-31 23:00:00 -0200", "0001-01-01 00:00:00 +2359")
    def test_times_at_the_ends_of_the_calendar(self, time):
        self.convert(self.write(document(RECORD.replace(TIME, time))), "x.db", "--format", "sqlite")
        self.check_database(self.folder / "x.db", reference_document.read(self.folder / "in.xml"))


class Days(FormatTest):
    """Days are those of the export, and sums of days are those of `stats`."""

    def stats(self, source, name, unit):
        report = json.loads(self.vault("stats", source, name, "--by", unit, "--json").stdout)
        length = {"day": 10, "month": 7}[unit]
        return {interval["startDate"][:length]: interval["sum"] for interval in report["intervals"]}, report["merge"]

    def assert_same_sums(self, found, expected):
        self.assertEqual(found.keys(), expected.keys())
        for day, total in expected.items():
            self.assertAlmostEqual(found[day], total, 4)

    def test_documented_queries_answer_as_the_command_does(self):
        source = generated("watchAndPhone", "14", "4MB").zip
        self.convert(source, "x.db", "--format", "sqlite")
        database = opened(self.folder / "x.db")
        page = Path(__file__).parents[3] / "Sources/Interface/HealthVault/HealthVault.docc/OtherFormats.md"
        queries = re.search("```sql\nSELECT day(.*?)```", page.read_text(), re.DOTALL)[0][6:-3].split(";")
        by_day, by_month, latest = (list(map(tuple, database.execute(query))) for query in queries[:3])
        expected, rule = self.stats(source, "stepCount", "day")
        self.assert_same_sums(dict(by_day), expected)
        self.assert_same_sums(dict(by_month), self.stats(source, "stepCount", "month")[0])
        weight = json.loads(self.vault("query", source, "bodyMass", "--limit", "1", "--json").stdout)
        self.assertEqual(latest[0][1], weight["value"])
        self.assertEqual({row[0] for row in database.execute("SELECT rule FROM daily_values")}, {rule})
        naive = {row[0] for row in database.execute(
            "SELECT sum(value) FROM samples WHERE type LIKE '%StepCount' GROUP BY start_day")}
        self.assertNotEqual(naive, set(expected.values()))
        for name in "distanceWalkingRunning", "activeEnergyBurned":
            found = database.execute("SELECT day, sum FROM daily_values WHERE type = 'HKQuantityTypeIdentifier' || ?",
                                     [name[0].upper() + name[1:]])
            self.assert_same_sums(dict(map(tuple, found)), self.stats(source, name, "day")[0])

    def test_days_are_those_of_the_export(self):
        record = ('<Record type="HKQuantityTypeIdentifierStepCount" sourceName="A" unit="count" value="{}"'
                  ' startDate="{} +0000" endDate="{} +0000"/>')
        summary = '<ActivitySummary dateComponents="2023-05-02" activeEnergyBurned="1" activeEnergyBurnedUnit="kcal"/>'
        self.convert(self.write(document(
            record.format(10, "2023-05-01 21:59:59", "2023-05-01 22:00:01"),
            record.format(8, "2023-05-01 22:00:10", "2023-05-01 22:00:20"), summary)), "x.db", "--format", "sqlite")
        database = opened(self.folder / "x.db")
        self.assertEqual(list(map(tuple, database.execute(
            "SELECT start_day, end_day FROM samples WHERE type != 'HKQuantityTypeIdentifierHeartRate' ORDER BY id"))),
            [("2023-05-01", "2023-05-02"), ("2023-05-02", "2023-05-02"), ("2023-05-02", "2023-05-02")])
        self.assertEqual(list(map(tuple, database.execute("SELECT day, sum, unit, count FROM daily_values"))),
                         [("2023-05-01", 5, "count", 1), ("2023-05-02", 13, "count", 2)])

    def test_the_creation_date_of_a_device_is_kept(self):
        """With a pointer and without, of a sample and of one in a correlation."""
        device = "&lt;&lt;HKDevice: {}&gt;, name:Watch, creation date:2026-01-15 22:56:09 +0000, software:9&gt;"
        with_device = RECORD.replace(" unit=", f' device="{device}" unit=')
        member = with_device.format("0x2").replace("HeartRate", "BloodPressureSystolic").strip()
        rows = [with_device.format("0x1"), with_device.format(""),
                f'<Correlation type="HKCorrelationTypeIdentifierBloodPressure" startDate="{TIME}" endDate="{TIME}">{member}</Correlation>']
        self.convert(self.write(HEAD + "".join(rows) + END), "x.db", "--format", "sqlite")
        database = opened(self.folder / "x.db")
        kept = "<<HKDevice: >, name:Watch, creation date:2026-01-15 22:56:09 +0000, software:9>"
        for query in "SELECT description FROM device", "SELECT device FROM correlation_member":
            self.assertEqual({row[0] for row in database.execute(query)}, {kept}, query)

    def test_copies_are_those_of_which_the_exports_say_the_same(self):
        later = RECORD.replace(f'creationDate="{TIME}"', 'creationDate="2023-05-02 10:00:00 +0200"')
        other = RECORD.replace(" unit=", ' sourceVersion="2" unit=')
        self.convert(self.write(document(RECORD, RECORD, later, later, other)), "x.db", "--format", "sqlite")
        database = opened(self.folder / "x.db")
        counts = [database.execute(f"SELECT count(*) FROM {view}").fetchone()[0] for view in ("samples", "all_samples")]
        self.assertEqual(counts, [2, 6])

    def test_workouts_have_the_totals_of_their_statistics(self):
        source = generated("ordinary", "14", "4MB").zip
        self.convert(source, "x.db", "--format", "sqlite")
        workouts = [json.loads(line) for line in self.vault("query", source, "workout", "--json").stdout.splitlines()]
        rows = opened(self.folder / "x.db").execute("SELECT * FROM workouts ORDER BY start_date").fetchall()
        self.assertEqual(len(rows), len(workouts))
        self.assertTrue(any(row["distance"] for row in rows))
        for row, workout in zip(rows, workouts):
            self.assertEqual(row["activity"], workout["activity"])
            self.assertAlmostEqual(row["duration_seconds"], workout["durationSeconds"], 6)
            for name in "distance", "energy":
                if name in workout:
                    self.assertAlmostEqual(row[name], workout[name], 6)
                    self.assertEqual(row[name + "_unit"], workout[name + "Unit"])
                else:
                    self.assertIsNone(row[name])


class Numbers(FormatTest):
    def stored(self, *texts):
        """The values of records as they are stored, and their exact texts."""
        records = "".join(RECORD.replace(VALUE, text) for text in texts)
        self.convert(self.write(document(records)), "x.db", "--format", "sqlite")
        database = opened(self.folder / "x.db")
        return list(map(tuple, database.execute("SELECT value, value_text FROM sample ORDER BY position")))[1:]

    def test_numbers_that_the_value_gives_back(self):
        texts = ["0", "1", "-1", "72.5", "0.1", "-0.001", "12345678901234", "0.30000000000000004", "87.26666666666667",
                 "123456789012345"]
        self.assertEqual(self.stored(*texts), [(float(text), None) for text in texts])

    def test_numbers_of_which_the_text_is_kept_as_well(self):
        texts = ["-0", "1.50", "1.0", "1e5", "1E5", "1e+5", "0.1234567890123456789", "12345678901234567890", "-0.0", "2.50e-3"]
        self.assertEqual(self.stored(*texts), [(float(text), text) for text in texts])

    def test_two_spellings_of_a_number_can_be_told_apart(self):
        for texts in ("0.00005", "5e-05"), ("100000000000000000000", "1e+20"), ("0.000001", "1e-06"):
            with self.subTest(texts):
                (one, first), (other, second) = self.stored(*texts)
                self.assertEqual(one, other)
                self.assertNotEqual(first, second)
            (self.folder / "x.db").unlink()

    def test_what_is_no_number_is_a_text(self):
        texts = ["+1", "007", ".5", "5.", "1e999", "-1e999", "NaN", "Infinity", "0x10", "1,5", "", " 1", "1 ", "\u0661",
                 "HKCategoryValueSleepAnalysisAsleep", "=1+1"]
        self.assertEqual(self.stored(*texts), [(None, text) for text in texts])

    @each((["1", "72.5"], 0), (["Word", "x"], 0), (["1.50"], 1), (["1", "Word", "1.50", "-0"], 2))
    def test_numbers_kept_as_text_are_counted_where_there_are_any(self, case):
        texts, count = case
        self.write(document("".join(RECORD.replace(VALUE, text) for text in texts)))
        message = self.convert("in.xml", "x.db", "--format", "sqlite").stderr
        self.assertEqual("stored as text in sqlite" in message, count > 0, message)
        facts = opened(self.folder / "x.db").execute("SELECT kind, count FROM kept_as_text")
        self.assertEqual(list(map(tuple, facts)), [("values", count)] * (count > 0))


class Database(FormatTest):
    @each(*SOME)
    def test_sqlite_finds_nothing_wrong(self, variant):
        database = opened(converted(variant) / "health.db")
        self.assertEqual([row[0] for row in database.execute("PRAGMA integrity_check")], ["ok"])
        self.assertEqual(database.execute("PRAGMA foreign_key_check").fetchall(), [])
        version, = database.execute("PRAGMA user_version").fetchone()
        identifier, = database.execute("PRAGMA application_id").fetchone()
        self.assertEqual((version, identifier.to_bytes(4, "big")), (1, b"hvlt"))
        for name, sql in database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'"):
            self.assertRegex(sql, r"\) STRICT(, WITHOUT ROWID)?$", name)

    def test_the_words_of_a_column_are_apart(self):
        database = opened(converted(VARIANTS[0]) / "health.db")
        columns = {row["name"] for row in database.execute("PRAGMA table_info(prescription_eye)")}
        self.assertLessEqual({"far_pd", "far_pd_unit", "near_pd", "near_pd_unit", "base_curve_unit"}, columns)

    def test_samples_of_a_type_are_found_by_their_start(self):
        database = opened(converted(VARIANTS[0]) / "health.db")
        plan = database.execute("EXPLAIN QUERY PLAN SELECT value FROM sample JOIN type ON type.id = type_id"
                                " WHERE identifier = 'HKQuantityTypeIdentifierHeartRate'"
                                " AND start_time BETWEEN 1600000000 AND 1700000000").fetchall()
        self.assertRegex(" ".join(row["detail"] for row in plan), r"sample_type_start \(type_id=\? AND start_time>\?")
        nested = database.execute("EXPLAIN QUERY PLAN SELECT * FROM workout_event WHERE sample_id = 1").fetchall()
        self.assertIn("USING INDEX", nested[0]["detail"])

    def test_the_command_of_sqlite_reads_it(self):
        path = converted(VARIANTS[0]) / "health.db"
        try:
            result = run("sqlite3", "-readonly", path, "PRAGMA integrity_check; SELECT count(*) FROM all_samples;")
        except FileNotFoundError:
            skip_loudly(self, "the command sqlite3 is missing")
        self.assertEqual(result.stdout.decode().split(), ["ok", str(len(reference(VARIANTS[0]).samples))])

    @each(*SOME)
    def test_every_element_is_in_a_row(self, variant):
        """The sums of the tables are those of the document."""
        database = opened(converted(variant) / "health.db")
        expected = Counter(path.split("/")[-1] if "/" in path else "sample"
                           for path in reference_document.paths(reference(variant))
                           if not re.match("ExportDate|Me$|.*/(MetadataEntry|FileReference|Location|HeartRateVariabilityMetadataList)$", path))
        found = Counter()
        for table, name in {"sample": "sample", "workout_activity": "WorkoutActivity", "workout_event": "WorkoutEvent",
                            "workout_statistics": "WorkoutStatistics", "workout_route": "WorkoutRoute",
                            "heartbeat": "InstantaneousBeatsPerMinute", "correlation_member": "Record",
                            "sensitivity_point": "SensitivityPoint", "attachment": "Attachment"}.items():
            found[name] += database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        for name, count in database.execute("SELECT element, count(*) FROM prescription_eye GROUP BY element"):
            found[name] += count
        self.assertEqual(+found, expected)


if __name__ == "__main__":
    unittest.main()
