"""What comes out does not depend on what it is made of: a zip, its folder, an archive, or a plain export."""
import json
import unittest
from collections import Counter

from documents import document, export_zip
from formats import reference_document
from formats.conversions import ALL, FILES, FORMATS, SMALL, SOME, VARIANTS, FormatTest, converted, digests, reference, small
from formats.random_documents import random_document
from sampling import some
from vault import ENCRYPT, each, generated, run


class Sources(FormatTest):
    @each(*some(VARIANTS, 10))
    def test_zip_folder_archive_and_plain_export_give_the_same(self, variant):
        export = generated(*variant)
        self.convert(export.zip, "1", *ALL, *export.batching)
        expected = digests(self.folder / "1")
        self.convert(export.folder, "2", *ALL, *export.batching)
        self.convert(export.archive, "3", *ALL)
        self.convert(export.archive, "4", *ALL, command="decrypt")
        self.convert(export.plain, "5", *ALL)
        for number in "2345":
            self.assertEqual(digests(self.folder / number), expected, number)
            check = run("sha256sum", "-c", "--strict", "--quiet", "SHA256SUMS", cwd=self.folder / number)
            self.assertEqual((check.status, check.stdout), (0, b""))

    @each(*some(VARIANTS, 10))
    def test_a_document_gives_the_same_also_from_standard_input(self, variant):
        export = generated(*variant)
        self.convert(export.xml, "1", *ALL, "--batch", "all")
        self.convert("-", "2", *ALL, "--batch", "all", input=export.xml.read_bytes())
        self.convert(export.xml, "x.hvault", "--batch", "all", *ENCRYPT)
        self.convert("x.hvault", "3", *ALL)
        expected = digests(self.folder / "1")
        self.assertEqual(digests(self.folder / "2"), expected)
        self.assertEqual(digests(self.folder / "3"), expected)

    @each(*range(4))
    def test_documents_of_chance_come_out_of_archives_as_they_went_in(self, seed):
        files = {f"attachments/{name}": bytes(range(256)) * size for name, size in (("a", 0), ("b.pdf", 1), ("c", 1000))}
        export_zip(self.folder / "in.zip", files, random_document(seed))
        self.convert("in.zip", "1", *ALL)
        self.convert("in.zip", "x.hvault", *ENCRYPT)
        self.convert("x.hvault", "2", *ALL)
        self.assertEqual(digests(self.folder / "1"), digests(self.folder / "2"))

    @each(*FORMATS)
    def test_one_format_gives_what_several_give(self, name):
        export = small()
        target = FILES.get(name, "folder")
        for source in export.zip, export.archive, export.plain:
            self.convert(source, target, "--format", name, "--overwrite")
            found, expected = digests(self.folder / target), digests(converted(SMALL) / FILES.get(name, "."))
            if name == "csv":
                found.pop("manifest.json")
                expected = {path: expected[path] for path in expected if path.startswith(("csv/", "files/"))}
            self.assertEqual(found, expected)

    @each("--jobs=1", "--jobs=3")
    def test_the_number_of_jobs_makes_no_difference(self, jobs):
        self.convert(small().zip, "all", *ALL, jobs)
        self.assertEqual(digests(self.folder / "all"), digests(converted(SMALL)))

    @each(*range(8))
    def test_no_chance_is_in_the_order_of_rows(self, number):
        rows = "".join(f"<Record type='{kind}'{unit}/>" for kind in "ABCDEFGH" for unit in ("", " unit=''", " unit='x'"))
        self.write(document(rows))
        for target in "x.db", "y.db":
            self.convert("in.xml", target, "--format", "sqlite")
        self.assertEqual(digests(self.folder / "x.db"), digests(self.folder / "y.db"))

    def test_the_folder_is_listed_with_its_formats(self):
        self.convert(small().zip, "all", *ALL)
        formats = self.manifest(self.folder / "all")["formats"]
        self.assertEqual([found["format"] for found in formats], ["ndjson", *FORMATS])
        listed = {line[66:] for line in (self.folder / "all/SHA256SUMS").read_text().splitlines()}
        found = {str(path.relative_to(self.folder / "all")) for path in (self.folder / "all").rglob("*") if path.is_file()}
        self.assertEqual(listed, found - {"SHA256SUMS"})
        self.vault("verify", "all")

    @each("csv", "json", "sqlite")
    def test_tables_and_json_are_no_sources(self, name):
        target = FILES.get(name, "folder")
        self.convert(small().zip, target, "--format", name)
        self.convert(target, "again", status=(10, 13, 14))
        self.assertEqual(self.names(), [target])


class Sums(FormatTest):
    @each(*SOME)
    def test_elements_are_as_many_as_expat_counts(self, variant):
        """In JSON by the names of the arrays, in XML by tags; those of databases and CSV are counted row by row elsewhere."""
        folder, counted = converted(variant), Counter(reference_document.paths(reference(variant)))
        self.assertEqual(Counter(reference_document.paths(reference_document.read(folder / "export.zip"))), counted)
        document = json.loads((folder / "health.json").read_bytes())
        found = Counter()

        def count(members, path):
            found[path] += 1
            for name, inner in members.items():
                if isinstance(inner, list) and name != "attributes":
                    for one in inner:
                        kind = "MetadataEntry" if name == "metadata" else one.get("element", name)
                        count(one, f"{path}/{kind}")

        def rows(value):
            if isinstance(value, dict):
                for inner in value.values():
                    rows(inner)
            elif isinstance(value, list):
                for one in value:
                    if "element" in one:
                        count(one, one["element"])

        rows(document["healthData"])
        for name in "ExportDate", "Me":
            rows(document["metadata"][name])
        self.assertEqual(found, counted)
        self.assertEqual(dict(counted), generated(*variant).census["elements"])


if __name__ == "__main__":
    unittest.main()
