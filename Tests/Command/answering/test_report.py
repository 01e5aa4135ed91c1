"""`report` writes one page that needs nothing else, says what `stats` says, and is the same from every kind of source."""
import http.server
import json
import os
import random
import re
import shutil
import stat
import threading
import unittest
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from datetime import date, datetime, timezone
from html.parser import HTMLParser

from documents import END, HEAD, RECORD, export_zip
from vault import OPEN, CommandTest, generated, run

SECTIONS = ("overview", "activity", "heart", "sleep", "body", "workouts", "ecg", "hearing", "nutrition", "symptoms",
            "clinical", "records", "sources")


class Page(HTMLParser):
    """The figures and tables of a page, and every element and attribute that occurs."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.identifiers = set(), set(), []
        self.tables, self.texts, self.headings = [], [], []
        self.heading = self.cell = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        for name, value in attrs:
            self.attributes.add((tag, name))
            if name == "id":
                self.identifiers.append(value)
        if tag in ("h2", "h3"):
            self.heading = ""
        elif tag == "table":
            self.tables.append((self.headings[-1], []))
        elif tag == "tr":
            self.tables[-1][1].append([])
        elif tag in ("td", "th"):
            self.cell = ""

    def handle_endtag(self, tag):
        if tag in ("h2", "h3"):
            self.headings.append(self.heading)
            self.heading = None
        elif tag in ("td", "th"):
            self.tables[-1][1][-1].append(self.cell)
            self.cell = None

    def handle_data(self, data):
        self.texts.append(data)
        if self.heading is not None:
            self.heading += data
        if self.cell is not None:
            self.cell += data

    def table(self, start):
        """The rows of the table under a heading that starts so, by their first column."""
        rows = next(rows for heading, rows in self.tables if heading.startswith(start))
        return {row[0]: dict(zip(rows[0], row)) for row in rows[1:]}


def number(text):
    return float(re.sub(r"[, ]|[^\d.]+$", "", text))


class Reports(CommandTest):
    def page(self, *arguments):
        self.vault("report", *arguments, "-o", "report.html", "--overwrite")
        return Page((self.folder / "report.html").read_text())

    def intervals(self, *arguments):
        return json.loads(self.vault("stats", *arguments, "--json").stdout)["intervals"]

    def test_totals_are_those_of_stats(self):
        export = generated("watchAndPhone", "14", "4MB")
        page = self.page(export.zip)
        for title, name in (("Steps by year", "stepCount"), ("Active Energy by year", "activeEnergyBurned")):
            years = page.table(title)
            expected = {interval["startDate"][:4]: interval["sum"] for interval in self.intervals(
                export.zip, name, "--by", "year")}
            self.assertEqual(years.keys(), expected.keys())
            for year, total in expected.items():
                self.assertAlmostEqual(number(years[year]["Total"]) / total, 1, delta=0.001)
        months = page.table("Heart Rate:")
        for interval in self.intervals(export.zip, "heartRate", "--by", "month"):
            row = months[interval["startDate"][:7]]
            self.assertAlmostEqual(number(row["Lowest"]), interval["minimum"], delta=0.01)
            self.assertAlmostEqual(number(row["Highest"]), interval["maximum"], delta=0.01)
        merged = page.table("Sources")["Steps"]
        raw = sum(interval["sum"] for interval in self.intervals(export.zip, "stepCount", "--merge", "none"))
        self.assertAlmostEqual(number(merged["All records added up"]) / raw, 1, delta=0.001)

    def test_days_of_a_period_are_those_of_stats(self):
        export = generated("watchAndPhone", "14", "4MB")
        period = ("--since", "2023-03-01", "--until", "2023-05-15", "--tz", "America/New_York")
        for name, title in ("stepCount", "Steps:"), ("heartRate", "Heart Rate:"):
            expected = self.intervals(export.zip, name, "--by", "day", *period)
            self.assertGreater(len(expected), 1)
            rows = self.page(export.zip, "--sections", "activity,heart", *period).table(title)
            self.assertEqual(list(rows), [interval["startDate"][:10] for interval in expected])
            for interval, row in zip(expected, rows.values()):
                value = row.get("Total") or row["Median"]
                self.assertAlmostEqual(number(value), interval.get("sum", interval.get("average")), delta=0.51)

    def test_hours_of_the_week_are_those_of_stats(self):
        """The mean sum of each hour, over the weekday's days that have any steps."""
        export = generated("watchAndPhone", "14", "4MB")
        sums, days = defaultdict(float), defaultdict(set)
        for interval in self.intervals(export.zip, "stepCount", "--by", "hour"):
            start = datetime.fromisoformat(interval["startDate"])
            sums[start.weekday(), start.hour] += interval["sum"]
            days[start.weekday()].add(start.date())
        rows = self.page(export.zip, "--sections", "activity").table("Steps by hour")
        for hour, row in rows.items():
            for weekday, name in enumerate(("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")):
                mean = sums[weekday, int(hour)] / len(days[weekday])
                self.assertAlmostEqual(number(row[name] or "0"), mean, delta=max(0.51, mean * 0.001))
        self.assertEqual(len(rows), 24)

    def test_zones_are_those_of_the_heart_rates_in_workouts(self):
        """Second by second: each heart rate until the next, in tenths of 220 less the age."""
        dice = random.Random(4)
        lines = ['<HealthData locale="en_GB">', '<ExportDate value="2024-07-01 12:00:00 +0000"/>',
                 '<Me HKCharacteristicTypeIdentifierDateOfBirth="1984-05-20"/>']

        def element(name, start, length, **more):
            times = [datetime.fromtimestamp(moment, timezone.utc).strftime("%Y-%m-%d %H:%M:%S %z") for moment in (start, start + length)]
            text = " ".join(f'{key}="{value}"' for key, value in more.items())
            lines.append(f'<{name} {text} startDate="{times[0]}" endDate="{times[1]}"/>')

        for number in range(40):
            start = 1_700_000_000 + 400_000 * number + dice.randrange(9000)
            element("Workout", start, dice.randrange(300, 6000), workoutActivityType="HKWorkoutActivityTypeRunning", sourceName="Watch")
            for source in ("Watch", "Strap") if number % 3 else ():
                for moment in sorted(dice.sample(range(start - 900, start + 6000), dice.randrange(3, 120))):
                    element("Record", moment, dice.choice((0, 0, 30)), type="HKQuantityTypeIdentifierHeartRate", sourceName=source,
                            unit="count/min", value=dice.randrange(70, 190))
        text = "\n".join([*lines, "</HealthData>\n"])
        (self.folder / "export.xml").write_text(text)
        root = ElementTree.fromstring(text)
        birth = date.fromisoformat(root.find("Me").get("HKCharacteristicTypeIdentifierDateOfBirth"))

        def span(element):
            return [datetime.strptime(element.get(name), "%Y-%m-%d %H:%M:%S %z") for name in ("startDate", "endDate")]

        beats = defaultdict(list)
        for element in root.iterfind("Record[@type='HKQuantityTypeIdentifierHeartRate']"):
            start, end = (moment.timestamp() for moment in span(element))
            beats[element.get("sourceName")].append((start, end, float(element.get("value"))))
        intervals = []
        for source, rows in beats.items():
            rows.sort()
            for (start, end, value), follower in zip(rows, [row[0] for row in rows[1:]] + [float("inf")]):
                intervals.append((start, min(end if end > start else start + 600, follower), value, source))
        total = defaultdict(float)
        for element in root.iterfind("Workout"):
            start, end = span(element)
            age = start.year - birth.year - ((start.month, start.day) < (birth.month, birth.day))
            found = defaultdict(lambda: defaultdict(float))
            for low, high, value, source in intervals:
                seconds = min(high, end.timestamp()) - max(low, start.timestamp())
                if seconds > 0:
                    found[source][max(0, min(5, int(value * 10 // (220 - age)) - 4))] += seconds
            if found:
                best = max(sorted(found), key=lambda source: sum(found[source].values()))
                for zone, seconds in found[best].items():
                    total[zone] += seconds
        self.assertGreater(sum(total.values()), 600)
        rows = self.page("export.xml", "--sections", "workouts").table("Heart-rate zones")
        for zone, name in enumerate(("below 50%", "zone 1: 50-60%", "zone 2: 60-70%", "zone 3: 70-80%", "zone 4: 80-90%",
                                     "zone 5: 90%+")):
            minutes = 0
            for row in rows.values():
                hours, _, rest = row[name].partition(":")
                minutes += int(hours or 0) * 60 + int(rest or 0)
            self.assertAlmostEqual(minutes, total[zone] / 60, delta=0.51 * len(rows) + 0.1)
        text = " ".join(self.page("export.xml", "--sections", "workouts", "--max-heart-rate", "190").texts)
        self.assertIn("the maximum is 190 bpm, as stated", text)

    def test_every_kind_of_source_gives_the_same_page(self):
        export = generated()
        self.vault("export", export.zip, "-o", "plain")
        pages = []
        for source in (export.zip,), (export.archive, *OPEN), ("plain",):
            self.vault("report", *source, "-o", "report.html", "--overwrite")
            pages.append((self.folder / "report.html").read_bytes())
        self.assertEqual(pages, pages[:1] * 3)
        self.assertEqual(stat.S_IMODE(os.stat(self.folder / "report.html").st_mode), 0o600)
        self.assertEqual(self.names(), ["plain", "report.html"])

    def test_a_page_is_complete_in_itself(self):
        page = self.page(generated().zip)
        self.assertEqual(page.tags & {"script", "link", "img", "iframe", "object", "embed", "base", "form", "image"}, set())
        references = {pair for pair in page.attributes if pair[1] in ("src", "href", "xlink:href", "action", "style")}
        self.assertLessEqual(references, {("a", "href"), ("path", "style"), ("text", "style")})
        text = (self.folder / "report.html").read_text()
        self.assertEqual(re.findall(r'href="(?!#)', text), [])
        self.assertNotIn("url(", text)
        self.assertRegex(text, "default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;")
        self.assertEqual(len(page.identifiers), len(set(page.identifiers)))
        self.assertIn("everyone who has the file can read all of it", text)
        self.assertLess(len(text), 3 << 20)

    def test_sections_are_chosen(self):
        export = generated()
        text = self.vault("report", export.zip, "-o", "all.html").stderr
        self.assertEqual(set(re.findall("[a-z]+", text.partition(":")[2].partition("\n")[0])), set(SECTIONS))
        page = self.page(export.zip, "--sections", "heart,ecg")
        self.assertEqual([title for title in page.headings if title in ("Heart", "Electrocardiograms", "Activity")],
                         ["Heart", "Electrocardiograms"])

    def test_hostile_names_are_text_and_nothing_is_requested(self):
        requests = []

        class Listener(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                requests.append(self.path)
                self.send_response(404)
                self.end_headers()

            def log_message(self, *_):
                pass

        server = self.enterContext(http.server.ThreadingHTTPServer(("127.0.0.1", 0), Listener))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.shutdown)
        url = f"http://127.0.0.1:{server.server_port}/"
        name = (f'"><img src="{url}i"><script src="{url}s"></script><style>@import "{url}c";'
                f'*{{background:url({url}u)}}</style><svg onload="location=\'{url}l\'">')
        escaped = name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
        records = "".join(
            f'<Record type="{kind}" sourceName="{escaped}" unit="{unit}" startDate="2023-05-0{day} 10:00:00 +0200"'
            f' endDate="2023-05-0{day} 10:05:00 +0200" value="{value}"/>\n'
            for day in (1, 2, 3)
            for kind, unit, value in (("HKQuantityTypeIdentifierStepCount", "count", 7 * day),
                                      ("HKQuantityTypeIdentifierBodyMass", "kg", 1e308),
                                      ("HKCategoryTypeIdentifierHeadache", "", escaped),
                                      ("HKCategoryTypeIdentifierSleepAnalysis", "",
                                       "HKCategoryValueSleepAnalysisAsleepDeep")))
        records += (f'<Workout workoutActivityType="{escaped}" duration="nan" durationUnit="min" sourceName="{escaped}"'
                    ' startDate="2023-05-01 10:00:00 +0200" endDate="2023-05-01 10:30:00 +0200">'
                    '<WorkoutRoute><FileReference path="/workout-routes/r.gpx"/></WorkoutRoute></Workout>\n'
                    f'<ClinicalRecord type="{escaped}" identifier="1" sourceName="{escaped}" fhirVersion="4.0.1"'
                    ' sourceURL="x" receivedDate="2023-05-01 10:00:00 +0200" resourceFilePath="/clinical-records/a.json"/>'
                    f'<ClinicalRecord type="Condition" identifier="2" sourceName="{escaped}" fhirVersion="4.0.1"'
                    ' sourceURL="x" receivedDate="2023-05-01 10:00:00 +0200" resourceFilePath="/clinical-records/a.json"/>')
        gpx = '<trkpt lon="1e308" lat="nan"></trkpt><trkpt lon="1" lat="1"></trkpt><trkpt lon="2" lat="1"></trkpt>'
        export_zip(self.folder / "export.zip", text=HEAD + records + END, members={
            "workout-routes/r.gpx": gpx, "clinical-records/a.json": json.dumps({"code": {"text": name}}),
            "electrocardiograms/ecg_1.csv": f"Name,{name}\nClassification,{name}\n"})
        page = self.page("export.zip")
        self.assertEqual(page.tags & {"script", "img", "iframe"}, set())
        self.assertIn(name, " ".join(page.texts))
        browser = shutil.which("chromium")
        self.assertTrue(browser, "chromium is missing")
        seen = run(browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.folder / 'browser'}",
                   "--virtual-time-budget=2000", "--dump-dom", (self.folder / "report.html").as_uri(),
                   env={**os.environ, "HOME": os.fspath(self.folder)})
        self.assertEqual(seen.status, 0, seen.stderr)
        self.assertEqual(Page(seen.stdout.decode()).headings, page.headings)
        self.assertEqual(requests, [])

    def test_clinical_records_have_their_own_dates(self):
        records = {"a": {"code": {"text": "Haemoglobin"}, "effectiveDateTime": "2023-04-02T23:30:00Z", "issued": "2023-04-09"},
                   "b": {"code": {"text": "Ferritin"}, "effectivePeriod": {"start": "2023-03-01"}}, "c": {"code": {"text": "Iron"}}}
        text = "".join(f'<ClinicalRecord type="Observation" identifier="{name}" sourceName="Clinic" fhirVersion="4.0.1" '
                       f'receivedDate="2023-05-01 10:00:00 +0200" resourceFilePath="/clinical-records/{name}.json"/>\n' for name in records)
        export_zip(self.folder / "export.zip", text=HEAD + text + END, members={
            f"clinical-records/{name}.json": json.dumps(record) for name, record in records.items()})
        (_, rows), = self.page("export.zip", "--sections", "clinical").tables
        self.assertEqual([row[:2] for row in rows[1:]],
                         [["2023-03-01", "Ferritin"], ["2023-04-03", "Haemoglobin"], ["received 2023-05-01", "Iron"]])

    def test_whom_it_is_about_is_said_on_demand(self):
        (self.folder / "export.xml").write_text(HEAD + '<Me HKCharacteristicTypeIdentifierDateOfBirth="1984-05-20"/>' + RECORD + END)
        self.assertNotIn("1984", " ".join(self.page("export.xml").texts))
        text = " ".join(self.page("export.xml", "--person", "Somebody").texts)
        self.assertIn("Health report of Somebody", text)
        self.assertIn("born on 1984-05-20, aged 38 on the day of the export", text)

    def test_one_day_and_nothing(self):
        export_zip(self.folder / "export.zip")
        page = self.page("export.zip")
        self.assertIn("Heart", page.headings)
        export_zip(self.folder / "empty.zip", text=HEAD + END)
        self.assertIn("No data", " ".join(self.page("empty.zip").texts))
        self.vault("report", "empty.zip", "-o", "heart.html", "--sections", "heart", status=10)
        self.assertEqual(self.names(), ["empty.zip", "export.zip", "report.html"])

    def test_a_page_of_others_is_never_replaced(self):
        (self.folder / "report.html").write_text("<!DOCTYPE html><html lang=\"en\">")
        for more in (), ("--overwrite",):
            self.vault("report", generated().zip, "-o", "report.html", *more, status=16)
        self.vault("report", generated().zip, status=2)
        self.vault("report", generated().zip, "-o", "x.html", "--sections", "moods", status=2)


if __name__ == "__main__":
    unittest.main()
