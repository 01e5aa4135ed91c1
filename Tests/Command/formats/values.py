"""Holds every value that comes out in a format against the reference document."""
from formats import reference_document
from formats.conversions import FormatTest, in_order
from formats.csv_rows import columns, derived, line, lines, names
from formats.database_rows import Tables, normal
from formats.flat_rows import parsed
from formats.json_sections import ABOUT, FILE_SECTIONS, about, health_data


class ValuesTest(FormatTest):
    def check_json(self, path, document):
        """All samples are there in their order, and nothing else."""
        top = dict(parsed(path.read_bytes()))
        self.assertEqual(list(top), ["healthData", "metadata"])
        found = tuple(member for member in top["healthData"] if member[0] not in FILE_SECTIONS)
        expected = tuple(health_data(document))
        self.assertEqual([name for name, _ in found], [name for name, _ in expected])
        for (name, rows), (_, others) in zip(found, expected):
            self.assertEqual([kind[0] for kind in rows], [kind[0] for kind in others])
            for one, other in zip(rows, others):
                self.assertEqual(one, other, name)
        found = [member for member in top["metadata"] if member[0] in ABOUT]
        self.assertEqual(found, list(about(document)))

    def check_csv(self, folder, document):
        expected = {}
        for _, element in document.everything:
            name = next(name for name in names(element) if (folder / f"{name}.csv").exists())
            expected.setdefault(name, []).append(element)
        self.assertEqual(self.names(folder), sorted(f"{name}.csv" for name in expected))
        for name, elements in expected.items():
            header, rows = lines((folder / f"{name}.csv").read_bytes())
            own = [*columns(elements[0].name), "metadata", "other"]
            self.assertEqual(header, own + derived(elements[0]))
            self.assertEqual(len(rows), len(elements), name)
            for row, element in zip(rows, in_order(elements)):
                self.assertEqual(row[:len(own)], line(element))

    def check_database(self, path, document):
        expected = [(position, normal(row)) for position, row in document.everything
                    if row.name not in ("HealthData", "ExportDate", "Me")]
        for found, row in zip(Tables(path).samples(), expected, strict=True):
            self.assertEqual(found, row)

    def check_apple_xml(self, source, document):
        """The same elements in the same order, and the same bytes before them."""
        found = reference_document.read(source)
        self.assertEqual(found.root.attributes, document.root.attributes)
        for row, other in zip(found.rows, document.rows, strict=True):
            self.assertEqual(row, other)
