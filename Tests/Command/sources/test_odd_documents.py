"""Documents that are odd, or made to hurt, lose nothing and harm nothing."""
import json
import unittest
import zipfile

from documents import END, HEAD, PROLOGUE, RECORD, document, write_zip
from vault import ENCRYPT, OPEN, CommandTest, each
from zips_by_hand import TOP


class OddDocuments(CommandTest):
    def both(self, text, *options, status=0):
        """Exports plainly and encrypted, and checks both; the lines of the rows."""
        (self.folder / "in.xml").write_text(text)
        self.vault("export", "in.xml", "-o", "plain", *options, status=status)
        self.vault("export", "in.xml", "-o", "x.hvault", *options, *ENCRYPT, status=status)
        self.vault("decrypt", "x.hvault", "-o", "out", *OPEN)
        self.assert_same_folder("plain", "out")
        self.vault("verify", "plain", "--source", "in.xml")
        self.vault("verify", "x.hvault", "--source", "in.xml", *OPEN)
        files = sorted((self.folder / "plain" / "records").rglob("*.ndjson"))
        return [json.loads(line) for file in files for line in file.read_text().splitlines()]

    # SECURITY.md: "64 levels"
    @each(60, 62, 63, 64)
    def test_the_deepest_nesting(self, depth):
        leaf = '<A b="1" b="2"/>'
        self.both(HEAD + "<Record type='X'>" + "<A>" * (depth - 1) + leaf + "</A>" * (depth - 1) + "</Record>" + END)

    def test_nested_names_that_look_alike(self):
        names = "A\u00e9", "Ae\u0301"
        rows = self.both(document("<Record type='X'>" + "".join(f'<{name} v="{name}"/>' for name in names) + "</Record>"))
        row, = [row for row in rows if row.get("type") == "X"]
        self.assertEqual([row[name] for name in names], [[{"v": name}] for name in names])

    def test_attributes_that_look_alike(self):
        rows = self.both(document(*(f'<Record type="X" \u00e9="{n}" e\u0301="{-n}"/>' for n in range(3))))
        rows = [row for row in rows if row.get("type") == "X"]
        self.assertEqual([(row["\u00e9"], row["e\u0301"]) for row in rows], [(str(n), str(-n)) for n in range(3)])

    def test_bytes_that_are_no_time(self):
        first = RECORD.replace("+0200", "+0000")
        odd = first.replace('startDate="2023-05-01 10:00:00 +0000"', 'startDate="' + "\0" * 11 + "10:36:12" + "\0" * 6 + '"')
        rows = self.both(HEAD + first + odd + END)
        self.assertIn("\0" * 11 + "10:36:12" + "\0" * 6, [row.get("startDate") for row in rows])

    @each(10, 21, 300, 3000)
    def test_long_pointers_that_many_rows_share(self, digits):
        device = f'device="&lt;&lt;HKDevice: 0x{"a" * digits}&gt;, name:W&gt;" '
        rows = self.both(document(*[RECORD.replace("startDate=", device + "startDate=")] * 300))
        expected = f"<<HKDevice: 0x{'a' * digits}>, name:W>"
        self.assertEqual([row["device"] for row in rows if "device" in row], [expected] * 300)
        self.vault("decrypt", "x.hvault", "--format", "json,csv,sqlite,apple-xml", "-o", "all", *OPEN)
        self.assertEqual((self.folder / "all" / "health.json").read_text().count(expected), 300)
        self.assertEqual((self.folder / "all" / "csv" / "HKQuantityTypeIdentifierHeartRate.csv").read_text().count(expected), 300)
        with zipfile.ZipFile(self.folder / "all" / "export.zip") as file:
            again = file.read(TOP + "export.xml").decode()
        self.assertEqual(again.count("a" * digits + "&gt;, name:W&gt;"), 300)

    @each("0001-01-01 00:00:00 +2359", "2243-01-01 00:00:00 +0000", "9998-12-31 00:00:00 +0000",
          "9999-12-31 23:59:59 -2359")
    def test_dates_at_the_ends_of_time(self, date):
        text = document(RECORD.replace("2023-05-01 10:00:00 +0200", date)).replace("2023-05-13 10:36:12 +0200", date)
        self.both(text)

    @each(("1day,4MiB", 4_000_000, 17_600), ("1day,2MiB", 2_000_000, 9000))
    def test_rows_as_large_as_a_batch(self, case):
        batch, size, count = case
        padding = "v" * 900
        rows = (f'<Record type="X" startDate="{2000 + n % 700 // 336:04d}-{1 + n % 700 // 28 % 12:02d}-'
                f'{1 + n % 28:02d} 10:00:00 +0000" k="{padding}{n}"/>\n' for n in range(count))
        large = (f'<Record type="Z{n}" startDate="2001-01-01 10:00:00 +0000" k="{"w" * size}"/>\n' for n in range(3))
        (self.folder / "in.xml").write_text(HEAD + "".join(rows) + "".join(large) + END)
        self.vault("export", "in.xml", "-o", "plain", "--batch", batch)
        self.vault("verify", "plain", "--source", "in.xml")

    @each("<HealthData\r\n ", "<HealthData\r", "<HealthData\t", "<HealthData\n", "<HealthData >\n",
          "<!DOCTYPE\tHealthData>\r\n" + "<!-- -->" * 1000 + "<HealthData ",
          "<!DOCTYPE \r\n HealthData\r\n>" + "<!-- -->" * 1000 + "<HealthData ")
    def test_white_space_where_the_document_begins(self, start):
        locale = "" if ">\n" in start[-2:] else 'locale="en_GB">'
        text = PROLOGUE + start + locale + RECORD + END
        write_zip(self.folder / "in.zip", {TOP + "data": text.encode()})
        self.vault("export", "in.zip", "-o", "out")
        self.assertEqual(self.manifest(self.folder / "out")["elements"]["Record"]["written"], 1)

    @each("<!DOCTYPE HealthData [\n<!ELEMENT A ANY>\n] >\n", "<!DOCTYPE HealthData [\n<!-- ]> it's -->\n<!ELEMENT A ANY>\n]>\n",
          "<!DOCTYPE HealthData [\n<!ATTLIST A b CDATA \"]>\">\n]\n>\n", "<!DOCTYPE HealthData>\n",
          "<!DOCTYPE HealthData [\n<!-- it's\n<!ATTLIST A b CDATA #IMPLIED\n]>\n")
    def test_document_types(self, doctype):
        rows = self.both(document(RECORD).replace(PROLOGUE, PROLOGUE + doctype))
        self.assertEqual(len(rows), 4)
        prologue = (self.folder / "plain" / "prologue.xml").read_text()
        self.assertEqual(prologue, PROLOGUE + doctype)

    def test_nothing_is_taken_of_what_never_began(self):
        for text in PROLOGUE + "<HealthData locale='a", PROLOGUE + "<!DOCTYPE HealthData [ <!ELEMENT A ANY>":
            (self.folder / "in.xml").write_text(text)
            self.vault("export", "in.xml", "-o", "plain", "--accept-damaged", status=(13, 14))
            self.assertEqual(self.names(), ["in.xml"])

    def test_another_document_with_the_same_samples(self):
        text = document(RECORD)
        self.both(text)
        (self.folder / "other.xml").write_text(text.replace('creationDate="2023', 'creationDate="2022'))
        result = self.vault("verify", "plain", "--source", "other.xml")
        self.assertIn(b"intact, with the same samples as this source", result.stdout)
        report = json.loads(self.vault("verify", "plain", "--source", "other.xml", "--json").stdout)
        self.assertEqual((report["intact"], report["sameDocument"]), (True, False))


if __name__ == "__main__":
    unittest.main()
