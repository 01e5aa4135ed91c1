"""Days, nights, workouts and electrocardiograms in databases: right, documented, and kept in step with the samples."""
import json
import re
import sqlite3
import unittest

from vault import CommandTest, ENCRYPT, ITERATIONS, OPEN, ROOT, generated, run

from .targets import PostgreSQL, SQLite, answers, command, sync

STEPS = "HKQuantityTypeIdentifierStepCount"
TABLES = {"health_samples", "health_daily_values", "health_nights", "health_workouts", "health_electrocardiograms",
          "health_people", "health_anchors"}


def tearDownModule():
    PostgreSQL.stop()


def steps(day, value, source, device=""):
    device = f' device="&lt;&lt;HKDevice: 0x1&gt;, name:{device}, hardware:{device}&gt;"' if device else ""
    return (f' <Record type="{STEPS}" sourceName="{source}"{device} unit="count" startDate="2024-{day} 09:00:00 +0100" '
            f'endDate="2024-{day} 09:10:00 +0100" value="{value}"/>\n')


def zone(name, offset="+0200"):
    """A night in a zone, with the offset that its clocks have in summer."""
    return (f' <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" startDate="2024-06-01 01:00:00 {offset}"'
            f' endDate="2024-06-01 02:00:00 {offset}" value="HKCategoryValueSleepAnalysisAsleepCore">\n'
            f'  <MetadataEntry key="HKTimeZone" value="{name}"/>\n </Record>\n')


class AnswerTables:
    def setUp(self):
        super().setUp()
        self.target = self.kind(self.folder)
        self.addCleanup(self.target.close)

    def write(self, name, *records, date="2024-06-02 12:00:00 +0200"):
        path = self.folder / name
        path.write_text(f'<HealthData locale="en_GB">\n <ExportDate value="{date}"/>\n' + "".join(records) + "</HealthData>\n")
        return path

    def days(self):
        return {day: total for day, total in self.target.rows(
            f"SELECT day, sum FROM health_daily_values WHERE type = '{STEPS}'")}

    def check(self, source):
        self.assertEqual(self.target.answers(), answers(source))

    def test_steps_are_those_that_were_taken(self):
        export = generated("watchAndPhone", "14", "2MB")
        sync(export.zip, self.target)
        true = export.census["trueTotals"][STEPS]
        self.assertAlmostEqual(sum(self.days().values()) / true, 1, 3)
        ((naive,),) = self.target.rows(f"SELECT sum(value) FROM health_samples WHERE type = '{STEPS}'")
        self.assertGreater(naive, 1.2 * true)
        self.check(export.zip)

    def test_a_sample_that_is_gone_changes_another_day(self):
        """The source is a watch because of its earliest sample, and counts before a phone."""
        first = steps("05-01", 5, "A", "Watch")
        later = steps("05-10", 70, "A") + steps("05-10", 100, "Phone", "iPhone")
        sync(self.write("1.xml", first, later), self.target)
        self.assertEqual(self.days(), {"2024-05-01": 5, "2024-05-10": 70})
        sync(self.write("2.xml", later), self.target)
        self.assertEqual(self.days(), {"2024-05-10": 100})

    def test_a_day_is_complete_with_the_next_export(self):
        records = steps("06-02", 5, "A")
        for name, date, is_partial in ("1.xml", "2024-06-02 12:00:00 +0200", True), ("2.xml", "2024-06-03 12:00:00 +0200", False):
            source = self.write(name, records, date=date)
            sync(source, self.target)
            self.assertEqual([bool(row[0]) for row in self.target.rows("SELECT is_partial FROM health_daily_values")],
                             [is_partial])
            self.check(source)

    def test_a_type_that_is_gone_has_no_days_and_no_nights(self):
        kept = "".join(steps(f"05-{day:02}", 5, "A") for day in range(1, 9)).replace("StepCount", "FlightsClimbed")
        sync(self.write("1.xml", kept, steps("05-01", 5, "A"), zone("Europe/Berlin")), self.target)
        sync(self.write("2.xml", kept, zone("Europe/Berlin")), self.target)
        self.assertEqual((self.days(), len(self.target.answers()["nights"])), ({}, 1))
        source = self.write("3.xml", kept)
        sync(source, self.target)
        self.check(source)
        self.assertEqual(self.target.rows("SELECT count(*) FROM health_daily_values"), [[8]] if self.kind is PostgreSQL else [(8,)])

    def test_another_zone_changes_days(self):
        """All samples but that of sleep are the same."""
        late = steps("05-01", 5, "A").replace("09:", "23:")
        rest = "".join(steps(f"04-{day:02}", 5, "A") for day in range(1, 9))
        sync(self.write("1.xml", rest, late, zone("Europe/Lisbon", "+0100"), date="2024-06-02 12:00:00 +0100"), self.target)
        self.assertIn("2024-05-01", self.days())
        source = self.write("2.xml", rest, late, zone("Europe/Helsinki", "+0300"), date="2024-06-02 14:00:00 +0300")
        sync(source, self.target)
        self.assertIn("2024-05-02", self.days())
        self.check(source)

    def test_a_part_of_an_export_leaves_what_it_does_not_tell(self):
        full = self.write("full.xml", steps("05-01", 5, "A"), steps("05-02", 6, "A"), steps("05-03", 7, "A"))
        more = self.write("more.xml", steps("05-01", 5, "A"), steps("05-02", 6, "A"), steps("05-03", 7, "A"),
                          steps("05-03", 8, "Phone", "iPhone"))
        self.vault("encrypt", more, "-o", "part.hvault", "--since", "2024-05-02", *ITERATIONS, *OPEN)
        sync(full, self.target)
        before = self.days()
        result = run(*command(self.folder / "part.hvault", self.target, *OPEN))
        self.assertEqual(result.status, 0, result.stderr)
        self.assertIn("days, nights, workouts and electrocardiograms of 1 type were left as they were: the source is a part of an export",
                      result.stderr)
        self.assertEqual((self.days(), self.target.answers()), (before, None))
        self.assertEqual(sync(more, self.target)["stale"], 0)
        self.check(more)

    def test_a_second_run_touches_no_row(self):
        export = generated("ordinary", "14", "300kB")
        sync(export.zip, self.target)
        before = self.target.versions(TABLES)
        sync(export.zip, self.target)
        self.assertEqual(self.target.versions(TABLES), before)
        sync(export.zip, self.target, "--restart")
        self.assertEqual({name: rows for name, rows in self.target.versions(TABLES).items() if "values" in name or "night" in name},
                         {name: rows for name, rows in before.items() if "values" in name or "night" in name})

    def test_a_table_that_someone_has_removed_is_filled_again(self):
        export = generated("ordinary", "14", "300kB")
        sync(export.zip, self.target)
        self.target.rows("DROP TABLE health_daily_values")
        self.assertEqual(sync(export.zip, self.target)["added"], 0)
        self.check(export.zip)

    def test_metadata_are_an_object(self):
        """Also where they have what PostgreSQL has not in JSON: NULs, and bytes that are no letters."""
        record = steps("05-0{}", 5, "A").replace("/>\n", '>\n{}</Record>\n')
        entry = '<MetadataEntry key="{}" value="{}"/>'
        path = self.write("odd.xml", record.format(1, 1, entry.format("k", "v")),
                          record.format(2, 2, entry.format("k", "v") + entry.format("k", "w")),
                          record.format(3, 3, entry.format("k", "a\\u0000 \\ NOT UTF-8")))
        path.write_bytes(path.read_bytes().replace(b"NOT", b"\xff"))
        self.assertEqual(sync(path, self.target)["leftOut"], 0)
        found = [json.loads(row[0]) if isinstance(row[0], str) else row[0] for row in self.target.rows(
            "SELECT metadata FROM health_samples ORDER BY start_date")]
        self.assertEqual(found[:2], [{"k": "v"}, {"k": ["v", "w"]}])
        self.assertEqual(found[2]["k"].replace("\udcff", "\ufffd"), "a\\u0000 \\ \ufffd UTF-8")

    def test_what_is_in_tables_is_said_in_comments(self):
        sync(self.write("1.xml", steps("05-01", 5, "A")), self.target)
        self.assertEqual(self.target.uncommented(), [])

    def test_planners_know_the_tables(self):
        sync(self.write("1.xml", steps("05-01", 5, "A")), self.target)
        self.assertIn("health_samples", self.target.analyzed())

    def test_electrocardiograms_are_those_of_the_command(self):
        export = generated("watchAndPhone", "14", "2MB")
        sync(export.zip, self.target)
        rows = self.target.rows("SELECT file, classification, sampling_frequency, duration_seconds, microvolts "
                                "FROM health_electrocardiograms ORDER BY recorded_date")
        listed = json.loads(self.vault("ecg", "list", export.zip, "--json").stdout)["recordings"]
        self.assertEqual([(*row[:3], float(f"{row[3]:.12g}")) for row in rows],
                         [(each["file"], each["classification"], each["samplingFrequency"], each["durationSeconds"]) for each in listed])
        voltages = json.loads(self.vault("ecg", "show", export.zip, listed[0]["file"], "--json").stdout)["microvolts"]
        found = rows[0][4]
        self.assertEqual(json.loads(found) if isinstance(found, str) else found, voltages)
        # They are not read again, and a part of an export does not remove them.
        before = self.target.versions({"health_electrocardiograms"})
        self.assertEqual(len(before["health_electrocardiograms"]), len(listed))
        sync(export.zip, self.target)
        self.assertEqual(self.target.versions({"health_electrocardiograms"}), before)
        self.vault("export", export.zip, "-o", "part.hvault", "--since", "2015", *ENCRYPT)
        sync(self.folder / "part.hvault", self.target, *OPEN)
        self.assertEqual(self.target.versions({"health_electrocardiograms"}), before)

    def test_documented_queries_answer(self):
        export = generated("watchAndPhone", "14", "2MB")
        sync(export.zip, self.target)
        page = (ROOT / "Sources/Interface/HealthVault/HealthVault.docc/Sync.md").read_text()
        queries = re.search("```sql\n(.*?)```", page, re.DOTALL)[1].split(";")[:-1]
        self.assertGreater(len(queries), 4)
        for query in queries:
            if self.kind is PostgreSQL or "PostgreSQL" not in query:
                self.assertGreater(len(self.target.run(query)), 0, query)


class Databases(AnswerTables, CommandTest):
    kind = SQLite


class PostgreSQLServers(AnswerTables, CommandTest):
    kind = PostgreSQL

    def test_local_times_are_those_of_the_zone(self):
        for name, records, offset, expected in (("zone", zone("Europe/Berlin"), "+0200", "2024-05-01T10:00:00"),
                                                ("offset", "", "+0100", "2024-05-01T09:00:00")):
            self.target.cluster.empty()
            sync(self.write(name, records, steps("05-01", 5, "A"), date=f"2024-06-02 12:00:00 {offset}"), self.target)
            self.assertEqual(self.target.rows("SELECT start_date AT TIME ZONE zone FROM health_samples "
                                              f"JOIN health_people USING (person) WHERE type = '{STEPS}'"), [[expected]], name)
            # The zone is known again.
            self.assertEqual(sync(self.folder / name, self.target)["added"], 0)

    def test_a_table_of_someone_else_is_refused(self):
        cluster = self.target.cluster
        cluster.sql("DROP ROLE IF EXISTS eve; CREATE ROLE eve; CREATE TABLE health_nights (x int); ALTER TABLE health_nights OWNER TO eve")
        self.addCleanup(cluster.sql, "DROP OWNED BY eve; DROP ROLE eve")
        result = run(*command(self.write("1.xml", steps("05-01", 5, "A")), self.target))
        self.assertEqual(result.status, 16, result.stderr)


if __name__ == "__main__":
    unittest.main()
