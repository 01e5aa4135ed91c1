"""Sources that are made to hurt, or are merely odd, lose nothing and harm nothing."""
import itertools
import json
import os
import struct
import unittest
import warnings
import zipfile

from documents import END, HEAD, PROLOGUE, RECORD, document, export_zip, write_zip
from vault import ENCRYPT, OPEN, CommandTest, each

TOP = "apple_health_export/"
COPIES = 15_000


class HostileZips(CommandTest):
    @each("../\u200devil", "../\u0308evil", "a/../\u200d../\u200devil", "\u0301/../../evil", "..")
    def test_names_that_lead_out(self, name):
        inner = self.folder / "deep"
        inner.mkdir()
        export_zip(inner / "in.zip", {name: b"evil"})
        for out, options in ("out", ()), ("out.hvault", ENCRYPT):
            self.vault("export", inner / "in.zip", "-o", inner / out, *options, status=14)
        self.assertEqual(self.names(inner), ["in.zip"])
        self.assertEqual(self.names(), ["deep"])

    def test_sizes_without_end(self):
        export_zip(self.folder / "in.zip", {"a": b"a", "b": b"b"})
        data = (self.folder / "in.zip").read_bytes()
        with zipfile.ZipFile(self.folder / "in.zip") as file:
            names = [info.filename for info in file.infolist()]
        # The directory says of both files that they are 2^63 - 5 bytes long, in a zip64 field.
        start = struct.unpack("<I", data[-6:-2])[0]
        directory, position = b"", start
        for name in names:
            header = bytearray(data[position:position + 46])
            size, extra, comment = struct.unpack("<HHH", header[28:34])
            position += 46 + size + extra + comment
            field = b""
            if name.endswith(("/a", "/b")):
                header[24:28] = b"\xff" * 4
                field = struct.pack("<HHQ", 1, 8, (1 << 63) - 5)
                header[30:32] = struct.pack("<H", len(field))
            directory += bytes(header) + name.encode() + field
        end = bytearray(data[-22:])
        end[12:16] = struct.pack("<I", len(directory))
        (self.folder / "big.zip").write_bytes(data[:start] + directory + bytes(end))
        for command in ["inspect"], ["export", "-o", "out"]:
            self.vault(*command, "big.zip", status=(0, 3, 13, 14))

    def test_names_that_begin_with_a_combining_character(self):
        members = {"\u0308comb.txt": b"1", "sub/\u200djoin.txt": b"2", "sub/\u0301": b"3", "a": b"4", "a.zst.0000/b": b"5"}
        export_zip(self.folder / "in.zip", members)
        self.vault("export", "in.zip", "-o", "plain")
        self.vault("export", "in.zip", "-o", "x.hvault", *ENCRYPT)
        self.vault("decrypt", "x.hvault", "-o", "out", *OPEN)
        self.assert_same_folder("plain", "out")
        self.vault("decrypt", "x.hvault", "-o", "stored", "--stored", *OPEN)
        for path in "plain", "x.hvault":
            self.vault("verify", path, "--source", "in.zip", *(OPEN if path == "x.hvault" else ()))
        files = {file["name"]: file["path"] for file in self.manifest(self.folder / "plain")["files"]}
        for name, data in members.items():
            self.assertEqual((self.folder / "plain" / files[name]).read_bytes(), data)

    def test_a_name_that_thousands_of_files_share(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with zipfile.ZipFile(self.folder / "in.zip", "w") as file:
                file.writestr(TOP + "export.xml", document(RECORD))
                for number in range(COPIES):
                    file.writestr(TOP + ("a~5" if number == 10 else "A" if number % 2 else "a"), str(number))
        self.vault("export", "in.zip", "-o", "plain", "--quiet")
        paths = [file["path"] for file in self.manifest(self.folder / "plain")["files"]]
        self.assertEqual(len({path.lower() for path in paths}), COPIES)
        numbers = sorted(int(path.rpartition("~")[2]) for path in paths if path.count("~") == 1)
        self.assertEqual(numbers, list(range(2, COPIES)))
        self.assertIn("files/a~5~2", paths)

    def test_attributes_that_thousands_of_names_share(self):
        """Unicode takes all of these names for equal."""
        marks = [chr(mark) for mark in (0x301, 0x323, 0x327, 0x5b1, 0x338, 0x345, 0x31b, 0x5b0)]
        names = ["a" + "".join(order) for order in itertools.islice(itertools.permutations(marks), 4095)]
        (self.folder / "in.xml").write_text(document("<Record type='X' " + " ".join(f"{name}='1'" for name in names) + "/>"))
        result = self.vault("inspect", "in.xml", "--json", timeout=10)
        self.assertNotIn("duplicateAttributes", json.loads(result.stdout).get("warnings", {}))

    @each(900, 950, 990, 1000)
    def test_long_paths(self, length):
        name = "/".join(["d" * 100] * (length // 101))
        name += "/" + "f" * (length - len(name) - 1)
        # In an archive a long one rests in pieces, whose names are longer still.
        export_zip(self.folder / "in.zip", {name: b"content", name[:-1] + "g": b"content" * 10_000})
        self.vault("export", "in.zip", "-o", "plain")
        self.vault("export", "in.zip", "-o", "x.hvault", *ENCRYPT)
        self.vault("decrypt", "x.hvault", "-o", "out", *OPEN)
        self.assert_same_folder("plain", "out")


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
            self.vault("export", "in.xml", "-o", "plain", "--accept-truncated", status=(13, 14))
            self.assertEqual(self.names(), ["in.xml"])

    def test_another_document_with_the_same_samples(self):
        text = document(RECORD)
        self.both(text)
        (self.folder / "other.xml").write_text(text.replace('creationDate="2023', 'creationDate="2022'))
        result = self.vault("verify", "plain", "--source", "other.xml")
        self.assertIn("another document with the same samples", result.stderr)
        self.assertNotIn("all of the source is in it", result.stderr)
        report = json.loads(self.vault("verify", "plain", "--source", "other.xml", "--json").stdout)
        self.assertEqual((report["whole"], report["sameDocument"]), (True, False))


class FilesOfOthers(CommandTest):
    def test_a_folder_that_only_looks_like_an_unfinished_export(self):
        (self.folder / "in.xml").write_text(document(RECORD))
        thesis = self.folder / "photos.part" / "files" / "thesis.doc"
        thesis.parent.mkdir(parents=True)
        thesis.write_text("years of work")
        self.vault("export", "in.xml", "-o", "photos", status=16)
        self.assertEqual(thesis.read_text(), "years of work")

    @each(b"\0" * 10_000, b"some download\n" * 100)
    def test_a_file_that_only_looks_like_an_unfinished_archive(self, content):
        (self.folder / "in.xml").write_text(document(RECORD))
        (self.folder / "x.hvault.part").write_bytes(content)
        self.vault("export", "in.xml", "-o", "x.hvault", *ENCRYPT, status=16)
        self.assertEqual((self.folder / "x.hvault.part").read_bytes(), content)

    def test_a_replaced_export_whose_removal_was_interrupted(self):
        (self.folder / "in.xml").write_text(document(RECORD))
        self.vault("export", "in.xml", "-o", "out")
        self.vault("export", "in.xml", "-o", "old")
        os.rename(self.folder / "old", self.folder / "out.part")
        self.vault("export", "in.xml", "-o", "out", "--overwrite")
        self.assertEqual(self.names(), ["in.xml", "out"])

    def test_a_folder_that_was_not_named_is_left_alone(self):
        (self.folder / "in.xml").write_text(document(RECORD))
        self.vault("export", "in.xml", "-o", "out.replaced")
        self.vault("export", "in.xml", "-o", "out", "--overwrite")
        self.vault("export", "in.xml", "-o", "out", "--overwrite")
        self.assertEqual(self.names(), ["in.xml", "out", "out.replaced"])


if __name__ == "__main__":
    unittest.main()
