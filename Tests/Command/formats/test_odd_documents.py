"""Documents that no Health app has written lose nothing in any format."""
import unittest
from xml.etree import ElementTree

from documents import END, HEAD, TIME, document
from formats import reference_document
from formats.random_documents import random_document
from formats.values import ValuesTest
from vault import each

AT = f'startDate="{TIME}" endDate="{TIME}"'


class OddDocuments(ValuesTest):
    def check(self, text):
        folder, expected = self.all_formats(text), reference_document.read(text)
        self.check_json(folder / "health.json", expected)
        self.check_csv(folder / "csv", expected)
        self.check_database(folder / "health.db", expected)
        self.check_apple_xml(folder / "export.zip", expected)
        self.assertEqual(self.canonical(reference_document.content(folder / "export.zip")), self.canonical(text))

    @staticmethod
    def canonical(text):
        return ElementTree.canonicalize(reference_document.DOCTYPE.sub(b"", text, count=1).decode(), strip_text=True)

    @each(*range(24))
    def test_documents_of_chance(self, seed):
        self.check(random_document(seed))

    @each(
        "<Workout><WorkoutActivity><HeartRateVariabilityMetadataList><InstantaneousBeatsPerMinute bpm='60' time='1'/>"
        "</HeartRateVariabilityMetadataList></WorkoutActivity></Workout>",
        "<Correlation type='C'><Record type='V'><HeartRateVariabilityMetadataList><InstantaneousBeatsPerMinute bpm='60'/>"
        "</HeartRateVariabilityMetadataList></Record></Correlation>",
        "<Record type='V'><HeartRateVariabilityMetadataList a='b'><InstantaneousBeatsPerMinute bpm='60'/>"
        "<Unknown/></HeartRateVariabilityMetadataList></Record>",
        "<Workout><WorkoutActivity><WorkoutActivity><WorkoutEvent type='a'/></WorkoutActivity></WorkoutActivity></Workout>",
        "<Workout><WorkoutRoute><FileReference path='a'/><FileReference path='b'/></WorkoutRoute></Workout>",
        "<Workout><WorkoutRoute><FileReference path='a' x='1'/><Location latitude='1'/></WorkoutRoute></Workout>",
        "<Correlation type='C'><Correlation type='C'><Record type='V' value='1.50'/></Correlation></Correlation>",
        "<Record type='V'>text<MetadataEntry key='a' value='b'/>more</Record>")
    def test_nesting(self, row):
        self.check(document(row).encode())

    @each(f"<Foo type='Bar' {AT}/><Goo/><Record type='Foo/Bar' {AT} value='1'/>",
          f"<Foo {AT}/><Goo {AT}/><Record type='Foo' {AT} value='1'/>",
          f"<Foo/><Record {AT}/><Record type='Other' {AT}/><Record type='Record' {AT}/>",
          f"<Correlation {AT}/><Correlation type='A' {AT}/><Correlation type='Correlation' {AT}/>")
    def test_names_that_would_be_the_same(self, rows):
        self.check(document(rows).encode())

    @each("<Me a='1'/><Me a='2'/>", "<Me type='A'/><Me type='B'/>", f"<Me {AT} a='1'/><Me a='2'/>",
          f"<ExportDate {AT}/><ExportDate type='A'/>")
    def test_more_than_one_person_or_date(self, rows):
        self.check(document(rows).encode())

    @each("Me", "HealthData", "ExportDate", "Workout", "ActivitySummary", "Correlation")
    def test_types_that_are_named_like_elements(self, name):
        self.check((HEAD + f"<Record type='{name}' {AT} value='1'/><{name} {AT} x='2'/>" + END).encode())

    def test_text_between_the_elements(self):
        self.check((HEAD + "a &amp; b &#13; c" + END).encode())

    @each("a<!-- -->b c<![CDATA[d]]>e", "<![CDATA[a]]><![CDATA[b]]>")
    def test_text_in_pieces(self, text):
        """Each piece is a row of its own; in Apple's form they are one text again."""
        text = (HEAD + text + END).encode()
        self.assertEqual(self.canonical(reference_document.content(self.all_formats(text) / "export.zip")),
                         self.canonical(text))

    @each("<HealthData\n>", "<HealthData a='1' locale='x' b='2'>", "<HealthData locale='x &quot; &#10; &lt;'>")
    def test_the_attributes_of_the_root(self, root):
        self.check(document().replace('<HealthData locale="en_GB">', root).encode())

    def test_metadata_that_is_long(self):
        entries = "".join(f"<MetadataEntry key='{number}' value='{number % 7}'/>" for number in range(20_000))
        self.check(document(f"<Record type='X'>{entries}</Record>").encode())

    @each(24, 25, 60, 80, 81, 82, 90)
    def test_content_that_repeats(self, count):
        """As XML it is about as long as what is kept for the next record, as JSON longer."""
        rows = [f"<Record type='X' {AT}>{'<WorkoutEvent/><MetadataEntry/>' * (count // 3)}</Record>",
                f"<Record type='X' {AT}>{'<a/><b/>' * count}</Record>", f"<Record type='X' {AT}/>"]
        self.check(document("".join(rows[number] for number in [0, 0, 1, 1, 1, 2, 1, 0, 0, 2, 2, 0])).encode())

    def test_a_document_without_samples(self):
        self.check((HEAD + END).encode())


if __name__ == "__main__":
    unittest.main()
