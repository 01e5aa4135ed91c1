"""Documents that are not well-formed, such as the Health app has written, lose nothing and are reported."""
import unittest

from documents import END, HEAD, RECORD, TIME, document
from formats import reference_document, reference_tokens
from formats.conversions import FORMATS, TARGETS
from formats.values import ValuesTest
from vault import ENCRYPT, each

AT = f'startDate="{TIME}"'.encode()


class MalformedDocuments(ValuesTest):
    @each(b"<Record a='\0\x01\x08\x0b\x0c\x1f\x7f'/>", b"<Record value='1' value='2' sourceName='A' sourceName='B' unit='x' unit='y'/>",
          b"<Record type='X' sourceName='&foo; &; & &#; &#x;' value='&nbsp;1' unit='&'/>",
          b"<Record type='X' sourceName='\xff' sourceVersion='\xc3\x28' unit='\xed\xa0\x80' value='\xff' device='\xf4\x90\x80\x80'/>",
          b"<Record type='X' " + AT + b" endDate='\xff' creationDate='2023-05-01 10:00:00 +0200\0'/>",
          b"<Record type='X' device='&lt;&lt;HKDevice: 0x1>, name:\xff>'/>" * 2,
          b"<Record type='X'>&foo;\x02<A b='&bar;' b='\xfe'>]]> \xff</A></Record>",
          b"<Record type='X'><MetadataEntry key='\xff' value='\x01'/><MetadataEntry key='a' key='b' value='&x;'/></Record>",
          b"<Record type='X'><MetadataEntry key='a' value='\xff'/></Record><Record type='X'><MetadataEntry key='a' value='\0'/></Record>",
          b"<Workout " + AT + b" duration='\xff' durationUnit='\xff' workoutActivityType='\xff'>"
          b"<WorkoutEvent type='\xff' duration='\x01' date='&y;'/><WorkoutRoute><FileReference path='\xff'/></WorkoutRoute></Workout>",
          b"<Correlation type='C'><Record type='V' value='1' value='2' unit='\xff'/></Correlation>",
          b"<ActivitySummary dateComponents='2023-05-01' appleMoveTime='1' appleMoveTime='2' appleMoveTime='x' appleStandHours='\xff'/>")
    def test_every_byte_is_in_every_format(self, rows):
        text = HEAD.encode() + rows + RECORD.encode() + END.encode()
        folder, expected = self.all_formats(text), reference_tokens.read(text)
        self.check_json(folder / "health.json", expected)
        self.check_csv(folder / "csv", expected)
        self.check_database(folder / "health.db", expected)
        self.assertEqual(reference_tokens.read(reference_document.content(folder / "export.zip")), expected)


class Warnings(ValuesTest):
    """A conversion says of its source what an export says."""

    @each(*FORMATS)
    def test_oddities_are_reported(self, name):
        rows = b"<Record a='1' a='2' b='&foo;\xff\x01' startDate='x'/>text<!-- c -->"
        self.write(HEAD.encode() + rows + END.encode())
        expected = [line for line in self.convert("in.xml", "plain").stderr.splitlines() if line.startswith("warning: ")]
        result = self.convert("in.xml", TARGETS[name], "--format", name)
        self.assertEqual([line for line in result.stderr.splitlines() if line.startswith("warning: ")], expected)

    @each(*FORMATS, "ndjson,json", "archive")
    def test_a_source_that_was_cut_off_is_reported(self, name):
        self.write(document(RECORD * 3)[:-40])
        options = ENCRYPT if name == "archive" else ("--format", name)
        target = "x.hvault" if name == "archive" else TARGETS.get(name, "folder")
        self.convert("in.xml", target, *options, status=13)
        self.assertEqual(self.names(), ["in.xml"])
        result = self.convert("in.xml", target, *options, "--accept-damaged", status=3)
        self.assertIn("the source is truncated", result.stderr)


if __name__ == "__main__":
    unittest.main()
