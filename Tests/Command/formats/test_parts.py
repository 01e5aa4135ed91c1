"""A part of an export has exactly the samples that filtering selects, in each format, and no side files."""
import functools
import json
import random
import unittest
import zipfile
from typing import NamedTuple

from decrypting.filtering import DAY, HEART_RATE, Query, instant, random_query, rows, zone_of
from formats import reference_document
from formats.conversions import ALL, FILES, FORMATS, SMALL, SOME, TARGETS, VARIANTS, digests, reference, small
from formats.values import ValuesTest
from vault import BINARY, ENCRYPT, each, generated, run


class Part(NamedTuple):
    """Some rows of a document with their positions in all of it."""

    everything: list

    @property
    def rows(self):
        return [row for _, row in self.everything]


def part(variant, query):
    plain = generated(*variant).plain
    zone = zone_of(plain)
    positions = {row["position"] for found in rows(plain).values() for _, row in found if query.holds(row, zone)}
    return Part([(position, row) for position, row in reference(variant).everything if position in positions])


@functools.cache
def archive(variant):
    """An archive in which the samples of a type follow each other as they do in the source, in one span."""
    export = generated(*variant)
    result = run(BINARY, "export", export.zip, "-o", export.place / "one-span.hvault", *ENCRYPT)
    assert result.status == 0, result
    return export.place / "one-span.hvault"


class Parts(ValuesTest):
    def check_part(self, folder, expected):
        self.check_json(folder / "health.json", expected)
        self.check_csv(folder / "csv", expected)
        self.check_database(folder / "health.db", expected)
        found = reference_document.read(folder / "export.zip")
        self.assertEqual(found.samples, expected.rows)
        lines = [json.loads(line) for path in folder.glob("records/*/*") for line in path.read_bytes().splitlines()]
        self.assertEqual(sorted(line["position"] for line in lines), [position for position, _ in expected.everything])
        self.assertFalse((folder / "files").exists())
        with zipfile.ZipFile(folder / "export.zip") as file:
            self.assertEqual(file.namelist(), ["apple_health_export/export.xml"])
        self.vault("verify", folder)

    def check_query(self, variant, options, expected, name="x"):
        export = generated(*variant)
        if not expected.everything:
            for command, source in ("export", export.zip), ("decrypt", archive(variant)):
                self.convert(source, name, *ALL, *options, command=command, status=10)
                self.assertFalse(list(self.folder.glob(name + "*")))
            return
        self.convert(export.zip, name + "1", *ALL, *options)
        self.convert(archive(variant), name + "2", *ALL, *options, command="decrypt")
        self.check_part(self.folder / (name + "1"), expected)
        document = reference(variant)
        found = reference_document.read(self.folder / (name + "1") / "export.zip")
        self.assertEqual(found.root.attributes, document.root.attributes)
        self.assertEqual([row for row in found.rows if row.name == "ExportDate"],
                         [row for row in document.rows if row.name == "ExportDate"])
        self.assert_same_folder(name + "1", name + "2", "health.db", "SHA256SUMS", "export.zip")
        self.check_part(self.folder / (name + "2"), expected)

    @each(*SOME)
    def test_random_queries(self, variant):
        rng = random.Random(repr(variant))
        for number in range(2):
            query = random_query(rng, generated(*variant).plain)
            with self.subTest(query.options):
                self.check_query(variant, query.options, part(variant, query), str(number))

    def test_the_last_months(self):
        variant = VARIANTS[-1]
        date = instant(self.manifest(generated(*variant).plain)["source"]["exportDate"])
        for days in 30, 800:
            query = Query(since=(date.date() - days * DAY).isoformat())
            self.check_query(variant, ["--last", f"{days}d"], part(variant, query), f"{days}-")

    @each(*FORMATS)
    def test_nothing_is_left_of_an_empty_part(self, name):
        target = FILES.get(name, "folder")
        for source in small().zip, small().archive, small().plain, small().xml:
            result = self.convert(source, target, "--format", name, "--until", "1999-12-31", status=10)
            self.assertEqual(self.names(), [], result.stderr)
        (self.folder / "mine").mkdir()
        self.convert(small().zip, "mine/" + target, "--format", name, "--types", "HKQuantityTypeIdentifierOfNobody",
                     status=(2, 10))
        self.assertEqual(self.names(self.folder / "mine"), [])

    @each("json", "sqlite", "csv")
    def test_an_empty_part_replaces_nothing(self, name):
        target = FILES.get(name, "folder")
        self.convert(small().zip, target, "--format", name)
        before = digests(self.folder / target)
        self.convert(small().zip, target, "--format", name, "--until", "1999-12-31", "--overwrite", status=10)
        self.assertEqual((self.names(), digests(self.folder / target)), ([target], before))

    def test_of_one_type_only_its_rows_are_there(self):
        self.convert(small().archive, "x.json", "--format", "json", "--types", HEART_RATE, command="decrypt")
        document = json.loads((self.folder / "x.json").read_bytes())
        self.assertEqual({name: list(kinds) for name, kinds in document["healthData"].items()},
                         {"quantityData": [HEART_RATE]})
        count = sum(row.get("type") == HEART_RATE and row.name == "Record" for row in reference(SMALL).rows)
        self.assertEqual(document["metadata"]["sampleCount"], count)
        self.assertEqual(document["metadata"]["manifest"]["selection"]["types"], [HEART_RATE])

    def test_a_part_of_a_part(self):
        """What was selected can be exported again, and selected from."""
        variant = VARIANTS[6]
        self.convert(generated(*variant).zip, "1", "--since", "2020-01-01")
        self.convert("1", "2", *ALL, "--until", "2022-12-31")
        self.check_part(self.folder / "2", part(variant, Query(since="2020-01-01", until="2022-12-31")))


    @each(*FORMATS, "ndjson")
    def test_a_format_alone_holds_what_it_holds_beside_others(self, name):
        options = "--types", "heartRate", "--since", "2019-01-01"
        self.convert(small().zip, "all", *ALL, *options)
        target = TARGETS.get(name, "alone")
        self.convert(small().zip, target, "--format", name, *options)
        one, other = digests(self.folder / target), digests(self.folder / "all")
        if name in FILES:
            self.assertEqual(one, other[FILES[name]])
        else:
            top = "csv/" if name == "csv" else "records/"
            self.assertEqual({path: found for path, found in one.items() if path.startswith(top)},
                             {path: found for path, found in other.items() if path.startswith(top)})
        self.convert(small().zip, "none.zip" if name == "apple-xml" else "none", "--format", name, "--since", "2090-01-01",
                     status=10)


if __name__ == "__main__":
    unittest.main()
