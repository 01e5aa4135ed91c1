"""What the tests of destinations share: a folder that is one, and what a later export of the same phone has."""
import functools
import json
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from datetime import datetime, timezone

import later_exports
from vault import BINARY, CACHE, ENCRYPT, OPEN, CommandTest, generated, run

TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}")
POINTER = re.compile(r"<<HKDevice: 0x[0-9a-f]+>")
# What an export may write anew without any change of the sample.
IGNORED = ("creationDate", "sourceVersion")
DAY = '2026-05-31'
# Its archive has batches of all kinds, and the tests read its document again and again.
FIRST = ("ordinary", "14", "300kB")


def instant(match):
    return datetime.strptime(match.group(0), "%Y-%m-%d %H:%M:%S %z").astimezone(timezone.utc).isoformat()


def said(element):
    """What an element says, whatever the offset of its times and the pointers of its devices are."""
    attributes = tuple(sorted(
        (name, POINTER.sub("", TIME.sub(instant, value)))
        for name, value in element.attrib.items() if name not in IGNORED))
    return element.tag, attributes, tuple(said(child) for child in element)


def samples(document):
    """How often each sample is in a document; what the export says of itself is left out."""
    root = ElementTree.fromstring(document[document.index(b"<HealthData"):])
    return Counter(said(element) for element in root if element.tag != "ExportDate")


def steps(count, day=DAY, source="Phone"):
    """New elements."""
    return [(f'<Record type="HKQuantityTypeIdentifierStepCount" sourceName="{source}" unit="count" '
             f'creationDate="{day} 08:00:00 +0200" startDate="{day} 07:{minute:02}:00 +0200" '
             f'endDate="{day} 07:{minute:02}:30 +0200" value="{100 + minute}"/>').encode()
            for minute in range(count)]


@functools.cache
def later(kind):
    """A later export: its offsets, pointers and date differ from those of the first one, and what the kind says."""
    export = generated(*FIRST)
    document = later_exports.dated(later_exports.moved(later_exports.read(export.zip), -300))
    dropping, adding = (), {}
    if kind in ("more", "files"):
        document = later_exports.extended(document, *steps(40))
    if kind == "less":
        lines = [line for line in document.splitlines(keepends=True)
                 if b"<Record " in line and line.rstrip().endswith(b"/>")]
        document = later_exports.without(document, *lines[5:12])
    if kind == "files":
        dropping = (".gpx",)
        adding = {"apple_health_export/workout-routes/route_2026-05-31_7.00am.gpx": b"<gpx></gpx>"}
    path = CACHE / f"{kind}.zip"
    later_exports.write(path, export.zip, document, dropping, adding, minutes=-300)
    return path


@functools.cache
def chain():
    """A folder with a chain of three archives, and their names, the oldest first."""
    place = CACHE / "chain"
    (place / "drive").mkdir(parents=True)
    options = ("--config-dir", place / "config", "--state-dir", place / "state")
    assert run(BINARY, "destination", "add", "drive", place / "drive", *options[:2]).status == 0
    document = later_exports.read(generated(*FIRST).zip)
    for month in 5, 6, 7:
        document = later_exports.extended(document, *steps(2, f"2026-{month:02}-01"))
        (place / "export.xml").write_bytes(later_exports.dated(document, f"2026-{month:02}-02 08:00:00 +0200".encode()))
        made = run(BINARY, "export", place / "export.xml", "--to", "drive", "--incremental", *ENCRYPT, *options)
        assert made.status == 0, made.stderr
    return place / "drive", sorted(path.name for path in (place / "drive").glob("*.hvault"))


class StickTest(CommandTest):
    """A test with a destination called 'stick'."""

    def setUp(self):
        super().setUp()
        self.first = generated(*FIRST).zip
        self.places = ("--config-dir", "config", "--state-dir", "state")
        self.stick = self.folder / "drive" / "health"
        self.stick.mkdir(parents=True)
        self.vault("destination", "add", "stick", self.stick, *self.places[:2])

    def export(self, source, *options, status=0, **more):
        return self.vault("export", source, "--to", "stick", *ENCRYPT, *self.places, *options, status=status, **more)

    def increment(self, source, *options, status=0, **more):
        return self.export(source, "--incremental", *options, status=status, **more)

    def archives(self):
        return [name for name in self.names(self.stick) if name.endswith((".hvault", ".001"))]

    def document(self, source="drive/health", name="x.xml"):
        """The document that comes out of an archive."""
        self.vault("export", source, "--format", "apple-xml", "-o", name, "--overwrite", *OPEN)
        text = (self.folder / name).read_bytes()
        (self.folder / name).unlink()
        return text

    def history(self):
        return json.loads(self.vault("destination", "history", "--json", *self.places).stdout)["runs"]

    def inspected(self, source="drive/health"):
        return json.loads(self.vault("inspect", source, "--json", *OPEN).stdout)
