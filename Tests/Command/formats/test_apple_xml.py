"""Apple's form comes out again: to the byte where the Health app has written it, and with all it says where it has not."""
import itertools
import os
import re
import unittest
import zipfile
from datetime import datetime, timedelta, timezone
from pathlib import Path
from xml.parsers import expat

from documents import END, HEAD, PROLOGUE, RECORD, TIME, document
from formats import reference_document
from formats.conversions import VARIANTS, SOME, FormatTest, converted, small
from formats.random_documents import random_document
from formats.reference_tokens import tokens
from vault import BY_MONTH, ENCRYPT, each, generated

AT = f'startDate="{TIME}"'.encode()
XML = "--format", "apple-xml"


class SameBytes(FormatTest):
    @each(*VARIANTS)
    def test_the_document_is_the_one_that_was_exported(self, variant):
        text = reference_document.content(generated(*variant).zip)
        self.assertTrue(reference_document.content(converted(variant) / "export.zip") == text)

    @each(*SOME)
    def test_side_files_have_their_old_names(self, variant):
        source, path = generated(*variant).zip, converted(variant) / "export.zip"
        files = reference_document.side_files(source)
        self.assertTrue(reference_document.side_files(path) == files, sorted(files))
        with zipfile.ZipFile(path) as made, zipfile.ZipFile(source) as old:
            self.assertIsNone(made.testzip())
            names = {name for name in old.namelist() if not name.endswith("/")}
            self.assertEqual(sorted(made.namelist()), sorted(names))

    @each(*SOME)
    def test_the_name_decides_between_a_document_and_a_zip(self, variant):
        export = generated(*variant)
        self.convert(export.zip, "x.xml", *XML)
        self.assertTrue((self.folder / "x.xml").read_bytes() == export.xml.read_bytes())
        self.convert(export.xml, "x.zip", *XML)
        with zipfile.ZipFile(self.folder / "x.zip") as file:
            self.assertEqual(file.namelist(), ["apple_health_export/export.xml"])
            self.assertTrue(file.read("apple_health_export/export.xml") == export.xml.read_bytes())

    def test_a_bare_document_says_that_the_files_are_not_in_it(self):
        result = self.convert(small().zip, "x.xml", *XML)
        count = len(reference_document.side_files(small().zip))
        self.assertIn(f"not stored in apple-xml: {count} side files", result.stderr)

    def test_a_file_whose_name_no_zip_can_have_is_counted(self):
        folder = self.folder / "apple_health_export"
        (folder / "workout-routes").mkdir(parents=True)
        (folder / "export.xml").write_bytes(reference_document.content(small().zip))
        for name in b"a.gpx", b"caf\xe9.gpx":
            Path(os.fsdecode(os.fsencode(folder / "workout-routes") + b"/" + name)).write_bytes(b"<gpx/>")
        result = self.convert(folder, "x.zip", *XML)
        self.assertIn("not stored in apple-xml: 1 side file", result.stderr)
        with zipfile.ZipFile(self.folder / "x.zip") as file:
            self.assertIn("apple_health_export/workout-routes/a.gpx", file.namelist())

    @each(*itertools.product(("ordinary", "shuffled"), ((), BY_MONTH)))
    def test_longer_documents(self, case):
        """The rows of some thousand positions at a time; all at once, where those of a type are everywhere."""
        shape, batching = case
        export = generated(shape, "14", "12MB", "--side-files", "none")
        text = reference_document.content(export.zip)
        for name in "x.xml", "x.zip":
            self.convert(export.zip, name, *XML, *batching)
        self.assertTrue((self.folder / "x.xml").read_bytes() == text)
        self.assertTrue(reference_document.content(self.folder / "x.zip") == text)

    def test_a_part_of_a_longer_document(self):
        """Out of rows in another order, those of a part stay in theirs."""
        export = generated("shuffled", "14", "12MB", "--side-files", "none")
        part = ("--types", "heartRate,stepCount", "--since", "2019-01-01")
        self.convert(export.zip, "x.xml", *XML, *part, *BY_MONTH)
        wanted = [row for row in reference_document.content(export.zip).splitlines() if self.is_wanted(row)]
        found = [row for row in (self.folder / "x.xml").read_bytes().splitlines() if row.startswith(b" <Record ")]
        self.assertGreater(len(wanted), 1000)
        self.assertEqual(found, wanted)

    @staticmethod
    def is_wanted(row):
        start = re.search(rb'startDate="([^"]*)', row)
        return (re.match(rb' <Record type="HKQuantityTypeIdentifier(HeartRate|StepCount)"', row) is not None
                and datetime.strptime(start[1].decode(), "%Y-%m-%d %H:%M:%S %z") >= datetime(2019, 1, 1, tzinfo=timezone(timedelta(hours=1))))


class Again(FormatTest):
    """What has come out can be exported again, and gives the same."""

    @each(*SOME, *range(3))
    def test_archives_of_what_came_out_of_archives(self, source):
        text = random_document(source) if isinstance(source, int) else generated(*source).xml.read_bytes()
        self.convert(self.write(text, "0.xml"), "1.hvault", *ENCRYPT)
        self.convert("1.hvault", "2.xml", *XML, command="decrypt")
        self.convert("2.xml", "3.hvault", *ENCRYPT)
        self.convert("3.hvault", "4.xml", *XML, command="decrypt")
        self.assertEqual((self.folder / "2.xml").read_bytes(), (self.folder / "4.xml").read_bytes())
        for number in "13":
            self.convert(f"{number}.hvault", number, command="decrypt")
        one, other = (self.manifest(self.folder / number) for number in "13")
        self.assertEqual(one["batches"], other["batches"])
        self.assert_same_folder("1/records", "3/records")

    @each(*SOME)
    def test_a_plain_folder_of_the_document_is_that_of_the_source(self, variant):
        export = generated(*variant)
        self.convert(export.plain, "x.zip", *XML)
        self.convert("x.zip", "again", *export.batching)
        self.assert_same_folder(export.plain, "again")
        self.convert("again", "y.zip", *XML)
        self.assertEqual((self.folder / "x.zip").read_bytes(), (self.folder / "y.zip").read_bytes())


class NotWellFormed(FormatTest):
    @each(b"<Record a='\0\x01\x08\x0b\x0c\x1f\x7f'/>", b"<Record a='1' a='2' b='' a='1'/>", b"<Record a='&foo; &; & &#; &#x;'/>",
          b"<Record a='&#1114112; &#xD800; &#0; &#1; &#xFFFE; &lt &LT;'/>", b"<Record a='\xff\xc3\x28\xed\xa0\x80\xf4\x90\x80\x80'/>",
          b"<Record a='\xc3'/>", b"<Record type='X'>&foo;\x02<A b='&bar;' b='\xfe'>]]> \xff</A></Record>",
          b"<Record type='\xff' sourceName='\xff' unit='\xff' value='\xff' startDate='\xff' device='\xff'/>",
          b"<Record type='X'><MetadataEntry key='\xff' value='\x01'/><MetadataEntry key='a' key='b' value='&x;'/></Record>",
          b"<Workout " + AT + b"><WorkoutEvent type='\xff' duration='\x01' date='&y;'/></Workout>",
          b"<Record value='1' value='2' " + AT + b" startDate='x'/>", b"text &undefined; \xff \x03 <Record/>",
          b"<Record a='" + b"&" * 100 + b"'/>", b"<Record a='&amp;lt; &amp;#10; &#38;#38;'/>",
          b"<Me a='\xff' a='&x;'/><ExportDate value='\x01'/>")
    def test_every_byte_comes_out(self, rows):
        text = HEAD.encode() + rows + RECORD.encode() + END.encode()
        self.convert(self.write(text), "x.xml", *XML)
        found = (self.folder / "x.xml").read_bytes()
        self.assertEqual(tokens(found), tokens(text))
        self.convert("x.xml", "y.xml", *XML)
        self.assertEqual((self.folder / "y.xml").read_bytes(), found)

    @each(*range(6))
    def test_random_bytes_in_documents_of_chance(self, seed):
        """The tokens are those of the source, also where no bytes are wrong."""
        text = random_document(seed)
        places = {text.find(b"=", number * len(text) // 40) + 2 for number in range(40)}
        places = [place for place in places if text[place - 1:place] in b"'\"" and self.is_in_value(text, place)]
        self.assertGreater(len(places), 10)
        for number, place in enumerate(sorted(places, reverse=True)):
            bad = (b"\xff", b"&x;", b"\x01", b"&#0;")[number % 4]
            text = text[:place] + bad + text[place:]
        self.convert(self.write(text), "x.xml", *XML)
        self.assertEqual(tokens((self.folder / "x.xml").read_bytes()), tokens(text))

    @staticmethod
    def is_in_value(text, place):
        """Whether a letter at a place does no harm; behind the quote at the end of a value it does."""
        try:
            reference_document.read(text[:place] + b"q" + text[place:])
        except expat.ExpatError:
            return False
        return True

    @each("", PROLOGUE.replace("\n", "\r\n"), "\ufeff" + PROLOGUE, PROLOGUE + "<!DOCTYPE HealthData>\n<!-- a ]> b -->\n ",
          PROLOGUE + "<!DOCTYPE HealthData [\n<!-- it's\n<!ATTLIST A b CDATA #IMPLIED\n]>\n\n", PROLOGUE + "<?p i?>\t")
    def test_the_prologue_is_kept_to_the_byte(self, prologue):
        text = document(RECORD).replace(PROLOGUE, prologue, 1).encode()
        self.convert(self.write(text), "x.xml", *XML)
        found = (self.folder / "x.xml").read_bytes()
        self.assertEqual(found[:found.index(b"<HealthData")], prologue.encode())
        self.assertEqual(tokens(found), tokens(text))


if __name__ == "__main__":
    unittest.main()
