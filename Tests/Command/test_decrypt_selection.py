"""A part of an archive: what comes out is what filtering the whole folder gives, and nothing else is read."""
import datetime
import functools
import json
import os
import random
import re
import shutil
import unittest
from pathlib import Path

from documents import document, export_zip
from vault import BINARY, BY_MONTH, ENCRYPT, OPEN, VARIANTS, CommandTest, TracedTest, dense, each, generated, run
import crafted

HEART_RATE = "HKQuantityTypeIdentifierHeartRate"
NAMES = {"Workout": "HKWorkoutTypeIdentifier", "ActivitySummary": "HKActivitySummaryTypeIdentifier",
         "Audiogram": "HKDataTypeIdentifierAudiogram", "VisionPrescription": "HKVisionPrescriptionTypeIdentifier"}
DAY = datetime.timedelta(days=1)


# Filtering in Python --------------------------------------------------------------------------------------------------

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
        self.assertIn(": whole", self.vault("verify", folder).stderr)


# What is selected -----------------------------------------------------------------------------------------------------

class Selections(SelectionTest):
    @each(*VARIANTS)
    def test_random_queries_give_what_filtering_gives(self, variant):
        export = generated(*variant)
        rng = random.Random(repr(variant))
        for number in range(4):
            query = random_query(rng, export.plain)
            with self.subTest(query.options):
                status = self.select(export.archive, *query.options, to=str(number), status=(0, 10)).status
                if status:
                    self.assertEqual(filtered(export.plain, query), {})
                    self.assertFalse((self.folder / str(number)).exists())
                else:
                    self.check_folder(query, export.plain, str(number))

    @each("1day,3,4KiB", "all,100", "1year,50")
    def test_of_a_span_with_several_parts_some_may_be_left(self, batching):
        export = generated()
        self.vault("export", export.zip, "-o", "a.hvault", "--batch", batching, *ENCRYPT)
        self.vault("decrypt", "a.hvault", "-o", "whole", *OPEN)
        rng = random.Random(batching)
        for number in range(4):
            query = random_query(rng, self.folder / "whole")
            if filtered(self.folder / "whole", query):
                self.select("a.hvault", *query.options, to=str(number))
                self.check_folder(query, self.folder / "whole", str(number))
                self.vault("verify", str(number), "--source", export.zip)

    def test_two_halves_are_the_whole(self):
        export = generated("shuffled", "14", "1MB")
        self.select(export.archive, "--until", "2020-06-30", to="before")
        self.select(export.archive, "--since", "2020-07-01", to="after")
        lines = sorted(line for half in ("before", "after") for text in self.files(half).values()
                       for line in text.splitlines() if line.startswith(b'{"element"'))
        whole = sorted(line.rstrip(b"\n") for found in rows(export.plain).values() for line, row in found
                       if identifier(row))
        self.assertEqual(lines, whole)

    def test_the_computers_time_zone_does_not_matter(self):
        export = generated("shuffled", "14", "1MB")
        query = Query([HEART_RATE], since="2021-03-04", until="2024-03-04")
        for zone in "UTC", "Asia/Tokyo", "America/Los_Angeles":
            result = run(BINARY, "decrypt", export.archive, "-o", zone[:3], *query.options, *OPEN, cwd=self.folder,
                         env={"TZ": zone, "PATH": os.environ["PATH"]})
            self.assertEqual(result.status, 0, result.stderr)
            self.check_folder(query, export.plain, zone[:3])

    def test_rows_without_a_time_of_day_or_without_any(self):
        record = ('<Record type="HKQuantityTypeIdentifierStepCount" sourceName="A" unit="count" creationDate="x" '
                  'startDate="{}" endDate="{}" value="{}"/>')
        times = ["2023-05-01 00:00:00 -0700", "2023-04-30 23:59:59 -0700", "2023-05-31 23:59:59 -0700",
                 "2023-06-01 00:00:00 -0700", "odd", "2023-05-01 12:00:00 +0900"]
        summaries = ['<ActivitySummary dateComponents="%s" activeEnergyBurned="1"/>' % day
                     for day in ("2023-04-30", "2023-05-01", "2023-05-31", "2023-06-01", "never")]
        body = "".join(record.format(time, time, number) for number, time in enumerate(times)) + "".join(summaries)
        text = document(body).replace("2023-05-13 10:36:12 +0200", "2024-01-01 10:00:00 -0700")
        export_zip(self.folder / "export.zip", {}, text)
        self.vault("export", "export.zip", "-o", "a.hvault", *ENCRYPT)
        self.vault("decrypt", "a.hvault", "-o", "whole", *OPEN)
        queries = [Query(since="2023-05-01", until="2023-05-31"), Query(until="2023-05-01"), Query(since="2023-06-01"),
                   Query(["HKActivitySummaryTypeIdentifier"], since="2023-05-31T00:00:00-07:00"),
                   Query(exclude=["HKQuantityTypeIdentifierStepCount"])]
        for number, query in enumerate(queries):
            self.select("a.hvault", *query.options, to=str(number))
            self.check_folder(query, self.folder / "whole", str(number))
        self.assertEqual(self.manifest(self.folder / "0")["samples"], 5)

    def test_the_last_months_are_counted_from_the_export(self):
        export = generated("shuffled", "14", "1MB")
        date = self.manifest(export.plain)["source"]["exportDate"]
        day = datetime.date.fromisoformat(date[:10])
        for words, since in (("10d", day - 10 * DAY), ("2w", day - 14 * DAY), ("1y", day.replace(year=day.year - 1)),
                             ("24m", day.replace(year=day.year - 2))):
            self.select(export.archive, "--last", words, to=words)
            self.check_folder(Query(since=since.isoformat()), export.plain, words)


# How types are named --------------------------------------------------------------------------------------------------

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
            self.assertIn("holds no samples", self.select(archive, *options, status=10).stderr)
        self.assertEqual(self.names(), [])

    def test_what_is_not_there_is_said_where_others_are(self):
        body = '<Record type="HKQuantityTypeIdentifierHeartRate" startDate="2023-05-01 10:00:00 +0200" value="1"/>'
        export_zip(self.folder / "export.zip", {}, document(body))
        self.vault("export", "export.zip", "-o", "a.hvault", *ENCRYPT)
        result = self.select("a.hvault", "--types", "heartRate,bodyMass")
        self.assertIn("nothing of HKQuantityTypeIdentifierBodyMass", result.stderr)
        self.select("a.hvault", "--types", "bodyMass", to="none", status=10)

    @each(["--types", ""], ["--types", "a,,b"], ["--since", "yesterday"], ["--since", "2023-02-29"],
          ["--until", "2023-05-01T10:00:00"], ["--last", "18"], ["--last", "0d"], ["--last", "1h"],
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
        self.assertIn("a selection of an archive: Heart Rate, since 2020-01-01", self.vault("inspect", "part")
                      .stdout.decode())
        self.assertEqual(json.loads(self.vault("inspect", "part", "--json").stdout)["selection"]["types"], [HEART_RATE])
        self.assertIn("all of the source that was selected", self.vault("verify", "part", "--source", export.zip).stderr)
        path = next((self.folder / "part").glob("records/*/*.ndjson"))
        path.write_bytes(b"".join(path.read_bytes().splitlines(True)[1:]))
        self.vault("verify", "part", status=13)


# Single entries -------------------------------------------------------------------------------------------------------

class Entries(SelectionTest):
    def test_files_under_their_paths(self):
        export = generated()
        names = [str(path.relative_to(export.plain)) for path in export.plain.rglob("*") if path.is_file()]
        names.remove("SHA256SUMS")
        for number, name in enumerate(random.Random(1).sample(names, 6) + ["manifest.json", "prologue.xml"]):
            self.select(export.archive, "--entry", name, to=str(number))
            files = self.files(str(number))
            self.assertEqual(set(files), {Path(name), Path("SHA256SUMS")})
            self.assertEqual(files[Path(name)], (export.plain / name).read_bytes())
            self.assertEqual(run("sha256sum", "-c", "SHA256SUMS", cwd=self.folder / str(number)).status, 0)

    def test_as_the_source_names_them_and_several_at_once(self):
        export = generated()
        names = [file["name"] for file in self.manifest(export.plain)["files"]][:3]
        self.select(export.archive, "--entry", ",".join(names[:2]), "--entry", names[2])
        self.assertEqual(set(self.files()), {Path("SHA256SUMS")} | {Path("files") / name for name in names})

    def test_as_they_rest(self):
        export = generated()
        self.vault("decrypt", export.archive, "--stored", "-o", "stored", *OPEN)
        # By itself, and in a bundle.
        for pattern in "*.json.zst", "*.json":
            name = next(str(path.relative_to(self.folder / "stored"))
                        for path in self.folder.glob("stored/records/*/" + pattern))
            self.select(export.archive, "--stored", "--entry", name, to=pattern[1:])
            self.assertEqual(self.files(pattern[1:])[Path(name)], (self.folder / "stored" / name).read_bytes())

    def test_out_of_bundles(self):
        crafted.archive(self.folder / "x.hvault", ("bundles/0000.tar.zst", [("files/a", b"a"), ("files/b", b"b")]))
        for option, expected in ((), {Path("files/b"): b"b"}), (("--stored",), {Path("files/b"): b"b"}):
            self.vault("decrypt", "x.hvault", "-o", "part", *option, "--entry", "files/b", *crafted.OPEN)
            found = self.files()
            del found[Path("SHA256SUMS")]
            self.assertEqual(found, expected)
            shutil.rmtree(self.folder / "part")
        for name in "bundles/0000.tar.zst", "bundles":
            for option in (), ("--stored",):
                self.vault("decrypt", "x.hvault", "-o", "part", *option, "--entry", name, *crafted.OPEN, status=10)

    def test_names_with_commas_and_files_of_many_pieces(self):
        big = random.Random(2).randbytes(2_500_000)
        export_zip(self.folder / "export.zip", {"a,b.bin": big, "a": b"1", "b.bin": b"2", "manifest.json": b"{}"},
                   document(""))
        self.vault("export", "export.zip", "-o", "a.hvault", *ENCRYPT)
        self.select("a.hvault", "--entry", "a,b.bin", to="one")
        self.assertEqual(self.files("one")[Path("files/a,b.bin")], big)
        self.select("a.hvault", "--entry", "b.bin,a", to="two")
        self.assertEqual(set(self.files("two")), {Path("files/a"), Path("files/b.bin"), Path("SHA256SUMS")})
        self.select("a.hvault", "--entry", "manifest.json", to="three")
        self.assertIn(b"fingerprint", self.files("three")[Path("manifest.json")])

    def test_what_is_not_there(self):
        self.assertIn("nope: there is no such entry",
                      self.select(generated().archive, "--entry", "prologue.xml,nope", status=10).stderr)
        for names in ",", "prologue.xml,", ",prologue.xml":
            self.select(generated().archive, "--entry", names, status=10)
        self.assertEqual(self.names(), [])


# What is read ---------------------------------------------------------------------------------------------------------

CHUNK = 16384


class Reading(TracedTest, SelectionTest):
    def reads(self, archive, *options, to="part"):
        """Where the archive is read: offsets and lengths."""
        result, lines = self.trace(["-y", "-e", "trace=pread64,read,mmap"], "decrypt", archive, "-o", to, *options,
                                   *OPEN)
        self.assertEqual(result.status, 0, result.stderr)
        mine = [line for line in lines if f"<{os.path.realpath(archive)}>" in line]
        found = [re.search(r"pread64\(.*, (\d+), (\d+)\) = (\d+)\Z", line) for line in mine]
        self.assertTrue(found and all(found), "read in other ways")
        return [(int(match[2]), int(match[3])) for match in found]

    def test_one_month_of_one_type_is_a_small_part_and_damage_elsewhere_does_not_matter(self):
        export = dense("8MB", 300, *BY_MONTH)
        size = export.archive.stat().st_size
        self.assertGreater(size, 4 << 20)
        options = "--types", "heartRate", "--since", "2023-05-01", "--until", "2023-05-31"
        reads = self.reads(export.archive, *options)
        zone, query = zone_of(export.plain), Query([HEART_RATE], since="2023-05-01", until="2023-05-31")
        for path in export.plain.glob(f"records/{HEART_RATE}/*"):
            expected = [line for line in path.read_bytes().splitlines(True) if query.holds(json.loads(line), zone)]
            part = self.files().get(path.relative_to(export.plain), b"")
            self.assertEqual(part.splitlines(True), expected)
        self.assertLess(sum(length for _, length in reads), size / 10)
        # Everything that was not read becomes noise.
        data = bytearray(random.Random(3).randbytes(size))
        whole = export.archive.read_bytes()
        for offset, length in reads:
            data[offset:offset + length] = whole[offset:offset + length]
        self.assertGreater(sum(one != other for one, other in zip(data[::CHUNK], whole[::CHUNK])),
                           0.8 * size / CHUNK)
        (self.folder / "a.hvault").write_bytes(data)
        self.select("a.hvault", *options, to="again")
        self.assertEqual(self.files("again"), self.files("part"))
        self.vault("decrypt", "a.hvault", "-o", "whole", *OPEN, status=13)

    def test_one_file(self):
        export = dense("8MB", 300, *BY_MONTH)
        reads = self.reads(export.archive, "--entry", "prologue.xml")
        self.assertLess(sum(length for _, length in reads), export.archive.stat().st_size / 20)


if __name__ == "__main__":
    unittest.main()
