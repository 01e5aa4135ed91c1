"""Side files that are not what their folders promise are kept as they are, or counted."""
import json
import unittest

from documents import export_zip
from formats import side_files
from formats.conversions import FormatTest
from formats.database_rows import opened
from formats.flat_rows import parsed
from vault import each


def recording(*voltages, rate="512 hertz", unit="\u00b5V", device='"Watch6,2"'):
    head = ["Name,X", 'Date of Birth,"Mar 27, 1987"', "Recorded Date,2017-09-17 17:30:00 +0100", "Classification,Sinus Rhythm",
            "Symptoms,Rapid, pounding, or fluttering heartbeat, Dizziness", "Software Version,1.90", f"Device,{device}", f"Sample Rate,{rate}", "", "",
            "Lead,Lead I", f"Unit,{unit}", ""]
    return "\n".join([*head, *voltages, ""]).encode()


def route(*points, name="<name>a</name>"):
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk>' + name
            + "<trkseg>" + "".join(points) + "</trkseg></trk></gpx>").encode()


POINT = '<trkpt lon="1.50" lat="-0"><ele>{}</ele><time>2020-01-01T00:00:00Z</time></trkpt>'
SOUND = {
    "electrocardiograms/whole.csv": recording("1", "-4.576", "0.1"),
    "workout-routes/whole.gpx": route(POINT.format("12.5"), POINT.format("1e2")),
    "clinical-records/whole.json": b'{"a": [1, 2.50, "\\u00e9", null]}\n',
}
ODD = {
    "electrocardiograms/nan.csv": recording("nan"), "electrocardiograms/infinite.csv": recording("inf", "1"),
    "electrocardiograms/large.csv": recording("1e999"), "electrocardiograms/unit.csv": recording("1", unit="furlong"),
    "electrocardiograms/empty.csv": b"", "electrocardiograms/bytes.csv": bytes(range(256)),
    "workout-routes/cut.gpx": route(POINT.format("1"))[:-60], "workout-routes/empty.gpx": b"",
    "workout-routes/words.gpx": b"dear diary", "clinical-records/cut.json": b'{"a": [1, 2',
    "clinical-records/bytes.json": b'"\xff"', "clinical-records/empty.json": b"", "clinical-records/nul.json": b'"\0"',
    "clinical-records/deep.json": b"[" * 100_000 + b"]" * 100_000, "clinical-records/two.json": b"1 2",
    "clinical-records/nan.json": b"[NaN]", "attachments/empty": b"", "attachments/\u00e4 b.pdf": bytes(range(256)) * 99,
    "export_cda.xml": b"<a>\xff\0</a>",
}


class SideFiles(FormatTest):
    def make(self, files, *options):
        export_zip(self.folder / "in.zip", files)
        self.convert("in.zip", "x.json", "--format", "json", "--overwrite")
        self.convert("in.zip", "x.db", "--format", "sqlite", "--overwrite")
        return json.loads((self.folder / "x.json").read_bytes()), opened(self.folder / "x.db")

    @each(*ODD)
    def test_a_file_in_no_known_form(self, name):
        document, database = self.make({**SOUND, name: ODD[name]})
        self.assertEqual(document["metadata"]["notKept"], {"files": 1})
        self.assertEqual([len(document["healthData"][section]) for section in
                          ("electrocardiogramData", "routeData", "clinicalResources")], [1, 1, 1])
        content, = database.execute("SELECT content FROM file WHERE name = ?", [name]).fetchone()
        self.assertEqual(content, ODD[name])
        self.assertEqual(database.execute("SELECT count(*) FROM file WHERE content IS NULL").fetchone()[0], 3)
        self.assertEqual([row[0] for row in database.execute("PRAGMA integrity_check")], ["ok"])

    def test_sound_files(self):
        self.make(SOUND)
        data = dict(dict(parsed((self.folder / "x.json").read_bytes()))["healthData"])
        path, text = list(SOUND.items())[0]
        self.assertEqual(data["electrocardiogramData"], [side_files.recording(path, text)])
        path, text = list(SOUND.items())[1]
        self.assertEqual(data["routeData"], [side_files.route(path, text)])

    @each('<trkpt lon="1" lat="2"><ele>3</ele><ele>4</ele></trkpt>',
          '<trkpt lon="1" lat="2"><time>2020</time></trkpt>',
          '<trkpt lon="x" lat="2"><ele>high</ele></trkpt>', '<trkpt lon="1" lat="2"><ele>1e999</ele></trkpt>',
          '<trkpt lon="1" lat="2"><speed/></trkpt>')
    def test_odd_points_lose_no_value(self, point):
        """All values are in the rows, or the file is there as it is."""
        name, text = "workout-routes/a.gpx", route(point)
        _, database = self.make({name: text})
        data = dict(dict(parsed((self.folder / "x.json").read_bytes()))["healthData"])
        # A route that a document cannot store is counted as missing.
        for found, in [dict(one)["points"] for one in data.get("routeData", [])]:
            self.assertTrue(all(isinstance(value, str) for name, value in found if name == "time"), "a time is a text")
        content, = database.execute("SELECT content FROM file").fetchone()
        if content is None:
            expected, = map(dict, side_files.points(text))
            count = text.count(b"<ele>") + text.count(b"<time>") + 2
            row = database.execute("SELECT longitude, latitude, elevation, time FROM route_point").fetchone()
            self.assertEqual(len([value for value in row if value is not None]), count, expected)
        else:
            self.assertEqual(content, text)

    def test_segments_of_a_route_are_told_apart(self):
        """A point alone, three, none and two; between segments nothing was recorded."""
        parts = ([POINT.format(height) for height in heights] for heights in ("1", "234", "", "56"))
        text = route("</trkseg><trkseg>".join("".join(part) for part in parts))
        path = "workout-routes/a.gpx"
        _, database = self.make({path: text})
        numbers = [row[0] for row in database.execute("SELECT segment FROM route_point ORDER BY number")]
        self.assertEqual(numbers, [0, 1, 1, 1, 2, 2])
        data = dict(dict(parsed((self.folder / "x.json").read_bytes()))["healthData"])
        self.assertEqual(data["routeData"], [side_files.route(path, text)])
        _, database = self.make(SOUND)
        self.assertEqual({row[0] for row in database.execute("SELECT segment FROM route_point")}, {0})
        self.assertNotIn("segment", (self.folder / "x.json").read_text())

    def test_a_symptom_may_have_commas(self):
        document, database = self.make(SOUND)
        found, = document["healthData"]["electrocardiogramData"]
        self.assertEqual(found["symptoms"], ["Rapid, pounding, or fluttering heartbeat", "Dizziness"])
        self.assertEqual(database.execute("SELECT symptoms FROM electrocardiogram").fetchone()[0],
                         "Rapid, pounding, or fluttering heartbeat, Dizziness")

    def test_a_route_of_a_database_has_its_name(self):
        _, database = self.make({"workout-routes/a.gpx": route(POINT.format("1"), name="<name>Around the lake</name>")})
        self.assertIn("Around the lake", "\n".join(database.iterdump()))


if __name__ == "__main__":
    unittest.main()
