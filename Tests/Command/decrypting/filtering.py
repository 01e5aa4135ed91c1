"""A part of an archive is what filtering the whole folder gives; here the filter is Python."""
import datetime
import functools
import json
import re
from pathlib import Path

from vault import OPEN, CommandTest, run

HEART_RATE = "HKQuantityTypeIdentifierHeartRate"
NAMES = {"Workout": "HKWorkoutTypeIdentifier", "ActivitySummary": "HKActivitySummaryTypeIdentifier",
         "Audiogram": "HKDataTypeIdentifierAudiogram", "VisionPrescription": "HKVisionPrescriptionTypeIdentifier"}
DAY = datetime.timedelta(days=1)


def identifier(row):
    """HealthKit's name of what a row is a sample of; None for what is no sample."""
    element, kind = row["element"], row.get("type", "")
    if element in ("HealthData", "ExportDate", "Me"):
        return None
    if element in ("Record", "Correlation") or kind.startswith("HK"):
        return kind
    return NAMES.get(element) or (f"{element}/{kind}" if kind else element)


def instant(text):
    return datetime.datetime.fromisoformat(text)


def start(row, zone):
    for name in "startDate", "dateIssued", "receivedDate":
        if re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d", str(row.get(name, ""))):
            return instant(row[name])
    try:
        return datetime.datetime.fromisoformat(row["dateComponents"]).replace(tzinfo=zone)
    except (KeyError, ValueError):
        return None


class Query:
    """What is asked for, as the command takes it and as a filter."""

    def __init__(self, types=None, exclude=(), since=None, until=None):
        self.types, self.exclude, self.since, self.until = types, exclude, since, until

    @property
    def options(self):
        given = {"types": ",".join(self.types or ()), "exclude": ",".join(self.exclude), "since": self.since,
                 "until": self.until}
        return [f"--{name}={value}" for name, value in given.items() if value]

    def holds(self, row, zone):
        kind = identifier(row)
        if kind is None or self.types is not None and kind not in self.types or kind in self.exclude:
            return False
        begins = start(row, zone)
        if begins is None:
            return self.since is None
        return not (self.since and begins < self.limit(self.since, zone)
                    or self.until and begins > self.limit(self.until, zone, last=True))

    @staticmethod
    def limit(text, zone, last=False):
        if len(text) > 10:
            return instant(text)
        return instant(text).replace(tzinfo=zone) + (DAY - datetime.timedelta(seconds=1) if last else 0 * DAY)


@functools.cache
def rows(folder):
    """The lines of a plain folder with their rows, by file."""
    return {path.relative_to(folder): [(line, json.loads(line)) for line in path.read_bytes().splitlines(True)]
            for path in sorted(folder.glob("records/*/*.ndjson"))}


def zone_of(folder):
    date = json.loads((folder / "manifest.json").read_bytes())["source"]["exportDate"]
    return instant(date).tzinfo if date else datetime.timezone.utc


def filtered(folder, query):
    zone = zone_of(folder)
    found = {path: b"".join(line for line, row in lines if query.holds(row, zone))
             for path, lines in rows(folder).items()}
    return {path: text for path, text in found.items() if text}


def random_query(rng, folder):
    zone, everything = zone_of(folder), [row for lines in rows(folder).values() for _, row in lines]
    kinds = sorted({identifier(row) for row in everything} - {None})
    starts = sorted(filter(None, (start(row, zone) for row in everything)))
    low, high = sorted(rng.choices(starts, k=2))

    def said(time):
        if rng.random() < 0.5:
            return time.date().isoformat()
        return time.astimezone(datetime.timezone(datetime.timedelta(minutes=rng.randrange(-720, 720)))).isoformat()

    limits = rng.choice([(low, high), (low, low), (low, None), (None, high), (None, None)])
    low, high = limits[0] and said(limits[0]), limits[1] and said(limits[1])
    if low and high and len(low) != len(high):
        high = None
    types = rng.choice([None, rng.sample(kinds, 1), rng.sample(kinds, min(5, len(kinds)))])
    exclude = rng.choice([(), rng.sample(kinds, min(3, len(kinds)))])
    return Query(types, exclude if types or low or high or exclude else kinds[:1], low, high)


class SelectionTest(CommandTest):
    def select(self, archive, *options, to="part", **more):
        return self.vault("decrypt", archive, "-o", to, *options, *OPEN, **more)

    def files(self, folder="part"):
        root = self.folder / folder
        return {path.relative_to(root): path.read_bytes() for path in root.rglob("*") if path.is_file()}

    def check_folder(self, query, whole, folder="part"):
        """The folder is what is left of the whole one, says so, and is whole by itself."""
        files = self.files(folder)
        expected = filtered(whole, query)
        manifest = json.loads(files[Path("manifest.json")])
        records = {path: text for path, text in files.items() if path.parts[0] == "records"}
        self.assertEqual(sorted(records), sorted(expected))
        self.assertTrue(records == expected, "other rows")
        self.assertEqual(set(files) - set(records), {Path("manifest.json"), Path("SHA256SUMS")})
        self.assertEqual(run("sha256sum", "-c", "--strict", "SHA256SUMS", cwd=self.folder / folder).status, 0)
        count = sum(text.count(b"\n") for text in expected.values())
        self.assertEqual(manifest["samples"], count)
        self.assertEqual(sum(batch["count"] for batch in manifest["batches"]), count)
        self.assertEqual(sum(batch["parts"] for batch in manifest["batches"]), len(records))
        self.assertEqual(manifest["selection"].get("types"), query.types and sorted(query.types))
        self.assertIn(b": intact", self.vault("verify", folder).stdout)
