"""A JSON document has every value of the export, once and as it was written."""
import json
import re
import unittest

from formats import reference_document, side_files
from formats.conversions import VARIANTS, SOME, FormatTest, converted, in_all_formats, reference, small
from formats.flat_rows import Number, parsed, row
from formats.json_sections import FILE_SECTIONS, health_data
from formats.values import ValuesTest
from vault import BY_MONTH, each, generated


class Documents(ValuesTest):
    @each(*VARIANTS)
    def test_every_sample_is_there_with_every_value(self, variant):
        self.check_json(converted(variant) / "health.json", reference(variant))

    @each("shuffled", "manyTypes")
    def test_spans_follow_each_other(self, shape):
        export = generated(shape, "14", "1MB")
        text = (in_all_formats(export.zip, *BY_MONTH) / "health.json").read_bytes()
        expected = dict(health_data(reference_document.read(export.zip)))
        for name, groups in dict(parsed(text))["healthData"]:
            if name in ("quantityData", "categoryData"):
                for (kind, rows), (_, others) in zip(groups, expected[name], strict=True):
                    self.assertEqual(sorted(map(repr, rows)), sorted(map(repr, others)))
                    months = [dict(sample)["startDate"][:4] for sample in rows]
                    self.assertEqual(months, sorted(months), kind)

    @each(*SOME)
    def test_the_metadata_says_what_the_export_is(self, variant):
        folder, document = converted(variant), reference(variant)
        metadata = dict(dict(parsed((folder / "health.json").read_bytes()))["metadata"])
        self.assertEqual(metadata["format"], "healthvault json 1")
        self.assertEqual(metadata["sampleCount"], Number(str(len(document.samples))))
        manifest = json.loads((folder / "manifest.json").read_bytes())
        self.assertEqual(json.loads((folder / "health.json").read_bytes())["metadata"]["manifest"],
                         {name: value for name, value in manifest.items() if name != "formats"})

    @each(*SOME)
    def test_every_line_is_a_sample_of_the_plain_export(self, variant):
        """The objects are the lines of the plain export without their positions."""
        folder = converted(variant)
        lines = [re.sub(rb'"position":[0-9]+,?', b"", line, count=1).replace(b",}", b"}").rstrip(b"\n")
                 for path in folder.glob("records/*/*") for line in path.read_bytes().splitlines(True)
                 if not re.match(rb'\{"element":"(HealthData|ExportDate|Me|ActivitySummary)"', line)]
        found = [line.removesuffix(b",") for line in (folder / "health.json").read_bytes().split(b"\n")
                 if line.startswith(b'{"element":') and not line.startswith(b'{"element":"ActivitySummary"')]
        self.assertEqual(sorted(found), sorted(lines))


class Files(FormatTest):
    @each(*SOME)
    def test_recordings_routes_and_resources_are_in_it(self, variant):
        files = reference_document.side_files(generated(*variant).zip)
        top = dict(parsed((converted(variant) / "health.json").read_bytes()))
        data, metadata = dict(top["healthData"]), dict(top["metadata"])
        kept = 0
        for name, folder, read in (("electrocardiogramData", "electrocardiograms", side_files.recording),
                                   ("routeData", "workout-routes", side_files.route),
                                   ("clinicalResources", "clinical-records", side_files.resource)):
            expected = [read(path, files[path]) for path in sorted(files) if path.startswith(folder + "/")]
            self.assertTrue(data.get(name, []) == expected, name)
            kept += len(expected)
        self.assertEqual(dict(metadata["notKept"]).get("files", Number("0")), Number(str(len(files) - kept)))

    def test_a_document_alone_has_no_files(self):
        self.convert(small().xml, "x.json", "--format", "json")
        data = json.loads((self.folder / "x.json").read_bytes())
        self.assertFalse(set(FILE_SECTIONS) & set(data["healthData"]))
        self.assertEqual(data["metadata"]["notKept"], {})


if __name__ == "__main__":
    unittest.main()
