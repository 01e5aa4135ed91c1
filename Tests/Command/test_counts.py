"""Manifest and inspection count what expat counts, and what the generator says it wrote."""
import json
import unittest
from collections import Counter

from vault import OPEN, VARIANTS, CommandTest, count_elements, generated


class Counts(CommandTest):
    def variants(self):
        for variant in VARIANTS:
            with self.subTest(variant):
                export = generated(*variant)
                with open(export.xml, "rb") as file:
                    yield export, count_elements.count(file)

    def inspected(self, *arguments, **more):
        """The counts that `inspect` gives: by element, and of records by type."""
        report = json.loads(self.vault("inspect", "--json", *arguments, **more).stdout)
        elements, types = Counter(), Counter()
        for entry in report["types"]:
            elements[entry["element"]] += entry["count"]
            if entry["element"] == "Record":
                types[entry["type"]] += entry["count"]
        self.assertEqual(report["samples"], sum(elements.values()) - sum(
            elements[name] for name in ("HealthData", "ExportDate", "Me")))
        return elements, types

    def test_the_generator_and_expat_agree(self):
        for export, expected in self.variants():
            self.assertEqual(export.census["elements"], expected["elements"])
            self.assertEqual(export.census["recordTypes"], expected["types"])

    def test_the_manifest_counts_every_element(self):
        for export, expected in self.variants():
            manifest = self.manifest(export.plain)
            for side in "read", "written":
                self.assertEqual({path: count[side] for path, count in manifest["elements"].items()},
                                 expected["elements"])
            types = Counter()
            for batch in manifest["batches"]:
                types[batch["type"]] += batch["count"] if batch["element"] == "Record" else 0
            self.assertEqual(+types, expected["types"])
            self.assertEqual(manifest["warnings"], {})

    def test_inspecting_counts_the_same_whatever_is_inspected(self):
        for export, expected in self.variants():
            rows = {path: count for path, count in expected["elements"].items() if "/" not in path}
            for source in export.zip, export.folder, export.xml, export.plain:
                self.assertEqual(self.inspected(source), (rows, expected["types"]))
            self.assertEqual(self.inspected(export.archive, *OPEN), (rows, expected["types"]))
            self.assertEqual(self.inspected("-", input=export.xml.read_bytes()), (rows, expected["types"]))

    def test_the_lines_are_as_many_as_the_records(self):
        for export, expected in self.variants():
            lines = sum(path.read_bytes().count(b"\n") for path in export.plain.glob("records/*/*.ndjson"))
            self.assertEqual(lines, sum(count for path, count in expected["elements"].items() if "/" not in path))

    def test_inspecting_says_the_same_of_source_archive_and_folder(self):
        export = generated()
        reports = []
        for arguments in ((export.zip,), (export.archive, *OPEN), (export.plain,)):
            report = json.loads(self.vault("inspect", "--json", *arguments).stdout)
            del report["path"]
            report.pop("header", None)
            reports.append(report)
        for report in reports[1:]:
            self.assertEqual(report, reports[0])


if __name__ == "__main__":
    unittest.main()
