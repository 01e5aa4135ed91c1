"""Documents that are no well-formed XML are refused with the place of the fault, and without a word of what they say."""
import json
import re
import unittest

from documents import CANARY, END, FULL, HEAD, METADATA, PROLOGUE, RECORD, START, VALUE, document
from vault import ENCRYPT, OPEN, CommandTest, each

NESTED = "<A v='Zebrafink 31337.25'>"
UNQUOTED = RECORD.replace(f'value="{VALUE}"', f'value="{VALUE}')
# What is wrong, the document, and the exit status. The fault is where § stands.
CASES = [
    ("missing closing quote", document(UNQUOTED, "§", FULL), 13),
    ("missing closing quote at the end", document(UNQUOTED) + "§", 13),
    ("missing opening quote", document(RECORD.replace(f'"{VALUE}"', f'§{VALUE}"')), 13),
    ("attribute without value", document(RECORD.replace(f'value="{VALUE}"', "§value")), 13),
    ("less-than in a value", document(RECORD.replace(VALUE, f"§<{VALUE}")), 13),
    ("mismatched end tag", document(FULL.replace("</Record>", "§</Recorf>")), 13),
    ("mismatched start tag of a content met before", document("§" + FULL.replace("<Record", "<Recorf")), 13),
    ("mismatched end tag inside", document(f" {START}>{NESTED}§</Zebrafink></Record>"), 13),
    ("end tag without start tag", document("§</Record>"), 13),
    ("end of the root inside a record", document(f" {START}>§") + END, 13),
    ("text behind the root", document() + "§Zebrafink 31337.25", 13),
    ("a record behind the root", document() + "§" + RECORD, 13),
    ("NUL bytes behind the root", document() + "§" + "\0" * 5000, 13),
    ("nested too deep", document(f" {START}>" + NESTED * 64 + "§" + NESTED * 36 + "</A>" * 100 + "</Record>"), 13),
    ("an attribute of 20 MB", document("§" + RECORD.replace("Zebrafink", "Zebrafink" * 2_300_000)), 13),
    ("an element of 20 MB", document("§" + FULL.replace(METADATA, METADATA * 350_000)), 13),
    ("a comment without end", document("§<!-- Zebrafink 31337.25"), 13),
    ("a declaration between the elements", document("§<!Zebrafink 31337.25>"), 13),
    ("CDATA behind the root", document() + "§<![CDATA[Zebrafink]]>", 13),
    ("the end of a longer name", document(RECORD)[:-len(END)] + "§</HealthDataZebrafink>", 13),
    ("an element's name that is no UTF-8", document("<§Re\udcfc><A/></Re\udcfc>"), 13),
    ("an attribute's name that is no UTF-8", document("<Record §Re\udcfc='31337.25'/>"), 13),
    ("a root whose attribute has no value", PROLOGUE + "§<HealthData locale='a' b>" + RECORD + END, 13),
    ("UTF-16", "§" + document(RECORD), 14),
    ("another encoding", "§" + document(RECORD).replace("UTF-8", "ISO-8859-1"), 14),
    ("an entity", PROLOGUE + '<!DOCTYPE HealthData [\n§<!ENTITY z "Zebrafink 31337.25">\n]>\n'
     + document(RECORD.replace("Zebrafink", "&z;")).removeprefix(PROLOGUE), 14),
]


def encoded(name, text):
    at = text.index("§")
    text = text.replace("§", "")
    return (text.encode("utf-16"), 0) if name == "UTF-16" else (
        text.encode(errors="surrogateescape"), len(text[:at].encode(errors="surrogateescape")))


class MalformedDocuments(CommandTest):
    def check(self, name, text, status, *options, source="export.xml"):
        data, place = encoded(name, text)
        (self.folder / "export.xml").write_bytes(data)
        more = {"input": data} if source == "-" else {}
        result = self.vault("export", source, *options, status=status, **more)
        self.assertEqual(self.names(), ["export.xml"], "nothing is left")
        self.assertNotRegex(result.stderr, CANARY, "no message repeats a health value")
        self.assertIn("standard input" if source == "-" else "export.xml", result.stderr)
        offset = re.search(r"byte ([0-9]+)", result.stderr)
        self.assertIsNotNone(offset, result.stderr)
        self.assertLess(abs(int(offset[1]) - place), 300, f"the fault is at byte {place}: {result.stderr}")

    # SECURITY.md: "use unlimited memory, or crash"
    @each(*CASES)
    def test_plain(self, case):
        self.check(*case, "-o", "out")

    # SECURITY.md: "After an error it is removed, unless another try may succeed"
    @each(*CASES)
    def test_encrypted(self, case):
        self.check(*case, "-o", "out.hvault", *ENCRYPT)

    @each(*CASES)
    def test_from_standard_input(self, case):
        self.check(*case, "-o", "out", source="-")

    @each(*(case for case in CASES if case[2] == 13))
    def test_what_can_be_read_of_it(self, case):
        name, text, _ = case
        data, place = encoded(name, text)
        if place < data.find(b"<HealthData") + 20:
            self.check(*case, "-o", "out", "--accept-damaged")
            return
        (self.folder / "export.xml").write_bytes(data)
        result = self.vault("export", "export.xml", "-o", "out", "--accept-damaged", status=3)
        self.assertRegex(result.stderr, "could not be read and|is incomplete")
        self.assertNotRegex(result.stderr, CANARY, "no message repeats a health value")
        source = self.manifest(self.folder / "out")["source"]
        self.assertTrue(source.get("skipped") or source["truncated"])
        self.vault("verify", "out", "--source", "export.xml")
        self.vault("export", "export.xml", "-o", "a.hvault", "--accept-damaged", *ENCRYPT, status=3)
        self.vault("decrypt", "a.hvault", "-o", "decrypted", *OPEN)
        self.assert_same_folder("out", "decrypted")
        self.assertEqual(json.loads(self.vault("inspect", "a.hvault", "--json", *OPEN).stdout)["skipped"],
                         source.get("skipped", []))

    @each(*CASES)
    def test_inspected(self, case):
        name, text, status = case
        (self.folder / "export.xml").write_bytes(encoded(name, text)[0])
        result = self.vault("inspect", "export.xml", status=status)
        self.assertNotRegex(result.stderr, CANARY)


class OddButSound(CommandTest):
    """What is odd without losing anything is kept, and told where it matters."""

    def export(self, text):
        (self.folder / "export.xml").write_bytes(text if isinstance(text, bytes) else text.encode())
        result = self.vault("export", "export.xml", "-o", "out")
        self.vault("verify", "out", "--source", "export.xml")
        self.vault("export", "export.xml", "-o", "a.hvault", *ENCRYPT)
        self.vault("decrypt", "a.hvault", "-o", "decrypted", *OPEN)
        self.assert_same_folder("out", "decrypted")
        lines = b"".join(path.read_bytes() for path in sorted(self.folder.glob("out/records/*/*.ndjson")))
        return result.stderr, self.manifest(self.folder / "out"), lines.decode()

    def test_undefined_references_stay_as_written(self):
        message, manifest, lines = self.export(document(RECORD.replace("Zebrafink", "&zebra;&#xD800;&#65;")))
        self.assertIn("2 references", message)
        self.assertIn('"&zebra;&#xD800;A"', lines)
        self.assertEqual(manifest["warnings"], {"undefinedReferences": 2})

    def test_attributes_given_twice_are_both_kept(self):
        _, manifest, lines = self.export(document(RECORD.replace("value=", 'type="again" value=')))
        self.assertIn('["type","again"]', lines)
        self.assertEqual(manifest["warnings"], {"duplicateAttributes": 1})

    def test_bytes_that_are_no_utf_8_are_kept(self):
        _, manifest, lines = self.export(document(RECORD).encode().replace(b"Zebrafink", b"Zebra\xff\xc0fink", 1))
        self.assertIn(r"Zebra\udcff\udcc0fink", lines)
        self.assertEqual(manifest["warnings"], {"malformedBytes": 2})

    def test_unknown_elements_and_attributes_are_kept(self):
        _, manifest, lines = self.export(document('<Novel new="1"><Inner deep="2"/></Novel>'))
        self.assertIn('"new":"1"', lines)
        self.assertIn('"deep":"2"', lines)
        self.assertEqual(manifest["elements"]["Novel/Inner"], {"read": 1, "written": 1})

    def test_composed_and_decomposed_letters_stay_what_they_are(self):
        texts = [RECORD.replace("Zebrafink", name) for name in ("Zo\u00eb", "Zoe\u0308")] * 2
        texts += [FULL.replace("Zebrafink 31337.25", name) for name in ("Zo\u00eb", "Zoe\u0308")] * 2
        _, _, lines = self.export(HEAD + "".join(texts) + END)
        self.assertEqual((lines.count('"Zo\u00eb"'), lines.count('"Zoe\u0308"')), (4, 4))

    def test_names_that_look_alike_stay_what_they_are(self):
        names = "\u00c4", "A\u0308"
        _, manifest, lines = self.export(document(*(f'<{name} a="1"/><{name} a="2"/>' for name in names),
                                                  *(RECORD.replace("HKQuantityTypeIdentifierHeartRate", name)
                                                    for name in names)))
        for name in names:
            self.assertEqual(lines.count(f'"element":"{name}"'), 2)
            self.assertEqual(lines.count(f'"type":"{name}"'), 1)
            self.assertEqual(manifest["elements"].get(name), {"read": 2, "written": 2})

    def test_64_levels_are_fine(self):
        _, manifest, _ = self.export(document(f" {START}>" + "<A>" * 60 + "</A>" * 60 + "</Record>"))
        self.assertEqual(manifest["elements"]["Record" + "/A" * 60], {"read": 1, "written": 1})

    def test_a_large_attribute_is_fine(self):
        _, _, lines = self.export(document(RECORD.replace("Zebrafink", "Zebrafink" * 400_000)))
        self.assertIn("Zebrafink" * 400_000, lines)

    def test_values_keep_their_spelling(self):
        values = ["1.50", "-0", "1E+5", "01", "1.", ".5", "", "NaN", "9" * 40, "1e400", "0x10", " 1", "+1"]
        _, _, lines = self.export(HEAD + "".join(RECORD.replace(VALUE, value) for value in values) + END)
        for value in values:
            self.assertRegex(lines, rf'"value":"?{re.escape(value)}"?}}')

    def test_times_that_are_none_keep_their_spelling(self):
        times = ["", "yesterday", "2023-02-30 10:00:00 +0200", "2023-05-01 24:00:00 +0200", "2023-05-01 10:00:60 +0200",
                 "2023-05-01 10:00:00 +0099", "2023-05-01T10:00:00+02:00", "0000-00-00 00:00:00 +0000", "2023-05-01"]
        text = "".join(RECORD.replace('startDate="2023-05-01 10:00:00 +0200"', f'startDate="{time}"') for time in times)
        _, manifest, lines = self.export(HEAD + text + END)
        for time in times:
            self.assertIn(f'"startDate","{time}"' if "T" in time else f'"startDate":"{time}"', lines)
        self.assertEqual(manifest["elements"]["Record"]["written"], len(times))

    def test_names_of_types_that_are_no_names_of_files(self):
        types = ["../../evil", ".", "", "/etc/evil", "é\\:*?", "x" * 300, "CON", "a", "A"]
        text = "".join(RECORD.replace("HKQuantityTypeIdentifierHeartRate", name) for name in types)
        _, manifest, lines = self.export(HEAD + text + END)
        self.assertEqual(sorted(batch["type"] for batch in manifest["batches"] if batch["element"] == "Record"),
                         sorted(types))
        folders = [path.name.lower() for path in (self.folder / "out/records").iterdir()]
        self.assertEqual(len(folders), len(set(folders)))


if __name__ == "__main__":
    unittest.main()
