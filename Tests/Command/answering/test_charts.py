"""`chart` draws the values of `stats`, and `ecg show -o` a recording to scale; `stats` and `inspect` draw on a terminal."""
import json
import os
import re
import shutil
import stat
import unittest
import xml.etree.ElementTree as ElementTree

from documents import HEAD, END, export_zip
from terminal import Terminal
from vault import GENERATE, OPEN, ROOT, CommandTest, generated, run

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</text><script>alert(1)</script><image href='http://127.0.0.1:9/x'/>"


def heights(drawing, colour):
    """The heights of the bars of an entry, from left to right."""
    paths = [path.get("d") for path in drawing.iter(f"{SVG}path") if path.get("class") == f"f{colour}"]
    return [float(height) for path in paths for height in re.findall(r"v([\d.]+)h-", path)]


class Charts(CommandTest):
    def drawing(self, *arguments):
        self.vault("chart", *arguments, "-o", "chart.svg", "--overwrite")
        return ElementTree.parse(self.folder / "chart.svg").getroot()

    def test_bars_are_as_long_as_the_sums_of_stats(self):
        export = generated("watchAndPhone", "14", "4MB")
        for unit, more in ("month", ()), ("year", ("--merge", "none")), ("week", ("--last", "1y", "--tz", "Asia/Tokyo")):
            sums = [interval["sum"] for interval in json.loads(
                self.vault("stats", export.zip, "stepCount", "--by", unit, *more, "--json").stdout)["intervals"]]
            bars = heights(self.drawing(export.zip, "stepCount", "--by", unit, *more), 0)
            self.assertEqual(len(bars), len(sums), unit)
            scale = max(bars) / max(sums)
            for bar, total in zip(bars, sums):
                self.assertAlmostEqual(bar, total * scale, delta=0.11 + 0.1 * scale)

    def test_every_kind_of_source_gives_the_same_drawing(self):
        export = generated()
        self.vault("export", export.zip, "-o", "plain")
        drawings = []
        for source in (export.zip,), (export.archive, *OPEN), ("plain",):
            self.vault("chart", *source, "heartRate", "bodyMass", "--by", "month", "-o", "chart.svg", "--overwrite")
            drawings.append((self.folder / "chart.svg").read_bytes())
        self.assertEqual(drawings, drawings[:1] * 3)
        self.assertEqual(stat.S_IMODE(os.stat(self.folder / "chart.svg").st_mode), 0o600)

    def test_the_pictures_of_the_documentation_are_what_it_makes(self):
        """As `make pictures` does."""
        run(GENERATE, "-o", self.folder / "export.zip", "--size", "10MB", "--years", "2", "--shape", "watchAndPhone",
            "--seed", "7")
        for name, arguments in (("chart.svg", ("chart", "export.zip", "stepCount", "heartRate", "--by", "week")),
                                ("chart-sleep.svg", ("chart", "export.zip", "sleepAnalysis", "--by", "week")),
                                ("chart-hours.svg", ("chart", "export.zip", "stepCount", "--by", "hour-of-week")),
                                ("ecg.svg", ("ecg", "show", "export.zip", "1"))):
            self.vault(*arguments, "-o", name)
            committed = ROOT / "Sources/Interface/HealthVault/HealthVault.docc/Resources" / name
            self.assertEqual((self.folder / name).read_bytes(), committed.read_bytes(), name)

    def test_a_file_of_others_is_never_replaced(self):
        export = generated()
        (self.folder / "chart.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
        for command in ("chart", export.zip, "stepCount"), ("ecg", "show", export.zip, "1"):
            message = self.vault(*command, "-o", "chart.svg", status=16).stderr
            self.assertIn("chart.svg: already exists\nchoose another name with -o, or use --overwrite\n", message)
        self.vault("chart", export.zip, "stepCount", "-o", "chart.svg", "--overwrite", status=16)
        self.assertEqual(self.names(), ["chart.svg"])

    def test_hostile_names_are_text(self):
        escaped = HOSTILE.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        record = (f'<Record type="HKQuantityTypeIdentifierStepCount" sourceName="{escaped}" unit="count"'
                  ' startDate="2023-05-01 10:00:00 +0200" endDate="2023-05-01 10:05:00 +0200" value="7"/>\n')
        export_zip(self.folder / "export.zip", text=HEAD + record + END)
        drawing = self.drawing("export.zip", "stepCount")
        self.assertIn(HOSTILE, "".join(drawing.find(f"{SVG}desc").itertext()))
        tags = {element.tag for element in drawing.iter()}
        self.assertEqual(tags & {f"{SVG}script", f"{SVG}image"}, set())

    def test_a_renderer_draws_it(self):
        renderer = shutil.which("rsvg-convert")
        self.assertTrue(renderer, "librsvg2-bin is missing")
        export = generated()
        for arguments in (("chart", export.zip, "stepCount"), ("chart", export.zip, "heartRate", "stepCount"),
                          ("chart", export.zip, "sleepAnalysis"), ("ecg", "show", export.zip, "1")):
            self.vault(*arguments, "-o", "drawing.svg", "--overwrite")
            picture = run(renderer, self.folder / "drawing.svg")
            self.assertEqual((picture.status, picture.stderr), (0, ""))
            self.assertEqual(picture.stdout[:8], b"\x89PNG\r\n\x1a\n")
            self.assertGreater(len(picture.stdout), 3000)

    def test_an_electrocardiogram_is_true_to_size(self):
        export = generated()
        self.vault("ecg", "show", export.zip, "1", "-o", "ecg.svg")
        drawing = ElementTree.parse(self.folder / "ecg.svg").getroot()
        width, height = float(drawing.get("width")[:-2]), float(drawing.get("height")[:-2])
        self.assertEqual((drawing.get("width")[-2:], drawing.get("viewBox")), ("mm", f"0 0 {width:g} {height:g}"))
        recording = json.loads(self.vault("ecg", "show", export.zip, "1", "--json").stdout)
        rows = [path.get("d") for path in drawing.iter(f"{SVG}path") if path.get("class") == "e"]
        steps = [re.findall(r"l(-?[\d.]+) ?(-?[\d.]+)", row) for row in rows]
        drawn = sum(float(x) for row in steps for x, _ in row)
        # 25 mm for a second; between rows a step is not drawn.
        self.assertAlmostEqual(drawn, 25 * recording["durationSeconds"], delta=0.5)
        first = recording["microvolts"][:1000]
        ups = [0.0]
        for _, y in steps[0][:999]:
            ups.append(ups[-1] - float(y))
        for place in range(0, 1000, 37):
            self.assertAlmostEqual(ups[place], 10 * (first[place] - first[0]) / 1000, delta=0.02)

    def test_text_is_plain_where_it_is_no_terminal(self):
        export = generated()
        text = self.vault("chart", export.zip, "stepCount", "--by", "year").stdout.decode()
        self.assertIn("█", text)
        self.assertNotIn("\x1b", text)
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        self.assertIn("Steps by year", text)
        ascii_text = run(self.program, "chart", export.zip, "stepCount", env={"PATH": os.environ["PATH"], "LC_ALL": "C"})
        self.assertTrue(ascii_text.stdout.isascii() and b"#" in ascii_text.stdout)

    def test_colours_are_left_out_where_no_color_is_not_empty(self):
        """As https://no-color.org asks."""
        for variables, has_colours in ({}, True), ({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False):
            with Terminal(self.folder, "chart", generated().zip, "stepCount", **variables) as terminal:
                self.assertEqual(terminal.close(), 0)
                self.assertEqual("\x1b[3" in terminal.all, has_colours, (variables, terminal.all))

    def test_a_piped_export_is_read_once(self):
        export = generated("watchAndPhone", "14", "4MB")
        for arguments in ("stepCount",), ("stepCount", "heartRate"), ("sleepAnalysis", "--last", "1y"), (
                "stepCount", "--by", "hour-of-week"):
            with open(export.xml, "rb") as document:
                piped = self.vault("chart", "-", *arguments, stdin=document)
            self.assertEqual(piped.stdout, self.vault("chart", export.zip, *arguments).stdout, arguments)

    def test_hours_of_the_week(self):
        export = generated("watchAndPhone", "14", "4MB")
        text = self.vault("chart", export.zip, "stepCount", "--by", "hour-of-week").stdout.decode()
        self.assertEqual(re.findall("^(...) [·░▒▓█ ]{24,}$", text, re.MULTILINE), "Mon Tue Wed Thu Fri Sat Sun".split())
        days = json.loads(self.vault("stats", export.zip, "stepCount", "--by", "day", "--json").stdout)["intervals"]
        self.assertIn(f"; {len(days):,} days with data; ", " ".join(text.split()))
        self.drawing(export.zip, "heartRate", "--by", "hour-of-week", "--week-start", "sunday")
        self.vault("chart", export.zip, "stepCount", "heartRate", "--by", "hour-of-week", status=2)

    def test_what_cannot_be_drawn(self):
        export = generated()
        self.vault("chart", export.zip, "headache", status=2)
        self.vault("chart", export.zip, "sleepAnalysis", "stepCount", status=2)
        self.vault("chart", export.zip, "stepCount", "--overwrite", status=2)
        self.vault("chart", export.zip, "stepCount", "--since", "1950-01-01", "--until", "1951-01-01", status=10)
        self.vault("ecg", "list", export.zip, "-o", "x.svg", status=2)


if __name__ == "__main__":
    unittest.main()
