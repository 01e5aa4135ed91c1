"""Manifest and inspection count what expat counts, and what the generator says it wrote."""
import functools
import json
import unittest
from collections import Counter

from documents import document
from vault import OPEN, VARIANTS, CommandTest, count_elements, each, generated


@functools.cache
def expected(variant):
    """Counts of all elements by path, and of the records by type."""
    with open(generated(*variant).xml, "rb") as file:
        counts = count_elements.count(file)
    return counts["elements"], counts["types"]


class Counts(CommandTest):
    def inspected(self, *arguments, **more):
        """The counts that `inspect` gives: by element, and of records by type."""
        report = json.loads(self.vault("inspect", "--json", *arguments, **more).stdout)
        elements, types = Counter(), Counter()
        for entry in report["types"]:
            elements[entry["element"]] += entry["count"]
            if entry["element"] == "Record":
                types[entry["type"]] += entry["count"]
        others = sum(elements[name] for name in ("HealthData", "ExportDate", "Me"))
        self.assertEqual(report["samples"], sum(elements.values()) - others)
        return +elements, types

    @each(*VARIANTS)
    def test_the_generator_and_expat_agree(self, variant):
        census, (elements, types) = generated(*variant).census, expected(variant)
        self.assertEqual(census["elements"] | {"HealthData": 1}, elements)
        self.assertEqual(census["recordTypes"], types)

    @each(*VARIANTS)
    def test_the_manifest_counts_every_element(self, variant):
        manifest, (elements, types) = self.manifest(generated(*variant).plain), expected(variant)
        for side in "read", "written":
            self.assertEqual({path: count[side] for path, count in manifest["elements"].items()}, elements)
        counted = Counter()
        for batch in manifest["batches"]:
            counted[batch["type"]] += batch["count"] if batch["element"] == "Record" else 0
        self.assertEqual(+counted, types)
        self.assertEqual(manifest["warnings"], {})

    @each(*VARIANTS)
    def test_the_lines_are_as_many_as_the_elements_below_the_root_and_the_root(self, variant):
        lines = sum(path.read_bytes().count(b"\n") for path in generated(*variant).plain.glob("records/*/*.ndjson"))
        self.assertEqual(lines, sum(count for path, count in expected(variant)[0].items() if "/" not in path))

    @each(*VARIANTS)
    def test_inspecting_counts_the_same_whatever_is_inspected(self, variant):
        export, (elements, types) = generated(*variant), expected(variant)
        rows = {path: count for path, count in elements.items() if "/" not in path}
        for source in export.zip, export.folder, export.xml, export.plain:
            self.assertEqual(self.inspected(source), (rows, types))
        self.assertEqual(self.inspected(export.archive, *OPEN), (rows, types))
        self.assertEqual(self.inspected("-", input=export.xml.read_bytes()), (rows, types))

    def test_inspecting_says_the_same_of_source_archive_and_folder(self):
        export = generated()
        reports = []
        for arguments in ((export.zip,), (export.archive, *OPEN), (export.plain,)):
            report = json.loads(self.vault("inspect", "--json", *arguments).stdout)
            reports.append({name: value for name, value in report.items() if name not in ("path", "header")})
        for key in reports[0]:
            for report, kind in zip(reports[1:], ("archive", "folder")):
                self.assertEqual(report.get(key), reports[0][key], f"{key} of the {kind}")
        self.assertEqual([set(report) for report in reports], [set(reports[0])] * 3)

    def test_what_has_only_a_day_has_that_day_as_its_first_and_last(self):
        rings = [f' <ActivitySummary dateComponents="2023-0{month}-16" appleStandHours="9"/>\n' for month in (5, 6)]
        (self.folder / "rings.xml").write_text(document(*rings))
        self.vault("export", "rings.xml", "-o", "plain")
        for source in "rings.xml", "plain":
            report = json.loads(self.vault("inspect", source, "--json").stdout)
            found = {entry["element"]: (entry.get("first"), entry.get("last")) for entry in report["types"]}
            self.assertEqual(found["ActivitySummary"], ("2023-05-16", "2023-06-16"))
            self.assertEqual(found["Record"], ("2023-05-01T10:00:00+02:00",) * 2)
        for name, options in ("exported", ()), ("tables", ("--format", "csv")):
            report = json.loads(self.vault("export", "rings.xml", *options, "-o", name, "--json").stdout)
            self.assertEqual((report["first"], report["last"]), ("2023-05-01T10:00:00+02:00", "2023-06-16"), name)


if __name__ == "__main__":
    unittest.main()
