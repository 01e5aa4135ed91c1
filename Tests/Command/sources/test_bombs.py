"""Small sources that would become large: reading them needs bounded memory, and time in proportion to what is read."""
import struct
import unittest
import zlib

from crafted import MIB, BoundedTest
from documents import END, HEAD, RECORD, document, export_zip
import vault
from vault import ENCRYPT
from zips_by_hand import TOP, central, closed, local, write_stored


class Elements(BoundedTest):
    """One element with as much in it as it may have, or more."""

    def attributes(self, count, size):
        """An element of this size with so many attributes, and one that is long."""
        text = "<Record" + "".join(f' a{number}=""' for number in range(count))
        return text + ' z="' + "z" * (size - len(text) - 7) + '"/>'

    def check_taken(self, element):
        (self.folder / "export.xml").write_text(document(element))
        self.bounded("inspect", "export.xml", status=0)
        self.bounded("export", "export.xml", "-o", "plain", status=0)
        self.bounded("export", "export.xml", "-o", "x.hvault", *ENCRYPT, status=0)
        self.bounded("verify", "x.hvault", "--source", "export.xml", *vault.OPEN, status=0)
        self.bounded("decrypt", "x.hvault", "-o", "out", *vault.OPEN, status=0)
        self.assert_same_folder("plain", "out")
        self.bounded("verify", "plain", "--source", "export.xml", status=0)

    def check_refused(self, element, here="export.xml"):
        (self.folder / "export.xml").write_text(document(element))
        self.bounded("inspect", "export.xml", status=(13, 14), seconds=2)
        self.bounded("export", "export.xml", "-o", "plain", status=(13, 14), seconds=2)
        self.bounded("export", "export.xml", "-o", "x.hvault", *ENCRYPT, status=(13, 14), seconds=3)
        self.assertEqual(self.names(), [here])

    def test_as_many_attributes_as_an_element_may_have(self):
        self.check_taken(self.attributes(4_095, 39 * MIB // 10))

    def test_300_000_attributes_in_4_mebibytes(self):
        self.check_refused(self.attributes(300_000, 39 * MIB // 10))

    def test_1_200_000_attributes_in_16_mebibytes(self):
        self.check_refused(self.attributes(1_200_000, 16 * MIB - 100))

    # SECURITY.md: "4 MiB"
    def test_elements_over_4_mebibytes(self):
        self.check_refused(f'<Record k="{"v" * (5 * MIB)}"/>')

    def test_4_mebibytes_of_nested_elements(self):
        self.check_refused("<Record type='X'>" + "<a/>" * (39 * MIB // 40) + "</Record>")

    # SECURITY.md: "256 MiB"
    def test_as_many_nested_elements_as_an_element_may_have(self):
        self.check_taken("<Record type='X'>" + "<a/>" * 65_000 + "</Record>")

    def test_nested_elements_with_an_attribute_twice(self):
        self.check_taken("<Record type='X'>" + '<a b="" b=""/>' * 32_000 + "</Record>")

    def test_4_mebibytes_of_control_characters_in_an_attribute_given_twice(self):
        """Six bytes each, and twice on the line."""
        value = "\x01" * (39 * MIB // 20 - 100)
        self.check_taken(f'<Record k="{value}" k="{value}"/>')


class SharedTexts(BoundedTest):
    # SECURITY.md: "2^26 bytes of rows as NDJSON"
    def test_no_batch_is_written_that_becomes_more_than_64_mebibytes(self):
        """An archive holds a text once that thousands of rows have."""
        text = "w" * 8000
        row = f'<Record type="X" sourceName="{text}" startDate="2023-05-01 10:00:00 +0000" value="1"/>\n'
        with open(self.folder / "export.xml", "w") as file:
            file.write(HEAD)
            for _ in range(12):
                file.write(row * 1000)
            file.write(END)
        self.bounded("export", "export.xml", "-o", "x.hvault", *ENCRYPT, status=0)
        self.bounded("verify", "x.hvault", *vault.OPEN, status=0)
        self.bounded("decrypt", "x.hvault", "-o", "out", *vault.OPEN, status=0)
        sizes = [path.stat().st_size for path in (self.folder / "out" / "records").rglob("*.ndjson")]
        self.assertGreater(sum(sizes), 90 * MIB)
        self.assertLessEqual(max(sizes), 64 * MIB)


class Zips(BoundedTest):
    def sources(self, status, seconds):
        return [self.bounded(*command, status=status, seconds=seconds) for command in (
            ["inspect", "export.zip"], ["export", "export.zip", "-o", "x.hvault", *ENCRYPT])]

    # SECURITY.md: "in proportion to the bytes that are read, inflated and written"
    def test_20_000_members_400_levels_deep(self):
        """Written by hand: the module for zips takes longer for them than the command."""
        deep = b"/a" * 400
        members = [(TOP.encode() + b"export.xml", document(RECORD).encode())]
        members += [(b"%sx%d%s" % (TOP.encode(), number, deep), b"") for number in range(20_000)]
        write_stored(self.folder / "export.zip", members)
        self.sources((0, 14), 40)

    # SECURITY.md: "their headers and compressed bytes add up to no more than the length of the zip, so that they cannot overlap"
    def test_members_that_overlap_as_a_whole(self):
        """All of them have the same bytes: 92 kB become 25 GB."""
        squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
        content = bytes(25 * MIB)
        squeezed = squeezer.compress(content) + squeezer.flush()
        text = document(RECORD).encode()
        out = local(b"export.xml", text, zlib.crc32(text), len(text), 0)
        entries = [central(b"export.xml", text, zlib.crc32(text), len(text), 0, 0)]
        start, checksum = len(out), zlib.crc32(content)
        out += local(b"f0000", squeezed, checksum, len(content), 8)
        entries += [central(b"f%04d" % number, squeezed, checksum, len(content), 8, start) for number in range(1000)]
        (self.folder / "export.zip").write_bytes(closed(out, entries))
        self.assertLess((self.folder / "export.zip").stat().st_size, 92_000)
        for cost in self.sources(13, 3):
            self.assertIn("overlap", cost.stderr)
        self.assertEqual(self.names(), ["export.zip"])

    def test_members_that_overlap_without_a_directory(self):
        """Each deflated content holds the next member, with its header, in a stored block: 600 kB could become 60 GB."""
        squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
        data = squeezer.compress(bytes(60 * MIB)) + squeezer.flush()
        for number in range(1000):
            # Bit 3 says that the sizes follow, so that nothing tells where the content ends but itself.
            header = struct.pack("<4s5H3L2H", b"PK\3\4", 20, 8, 8, 0, 0, 0, 0, 0, 5, 0) + b"f%04d" % number
            block = struct.pack("<BHH", 0, len(header), len(header) ^ 0xffff)
            data = header + (block if number else b"") + data
        text = document(RECORD).encode()
        (self.folder / "export.zip").write_bytes(local(b"export.xml", text, zlib.crc32(text), len(text), 0) + data)
        self.assertLess((self.folder / "export.zip").stat().st_size, 110_000)
        self.vault("export", "export.zip", "-o", "out", "--accept-damaged", status=3)
        size = sum(path.stat().st_size for path in (self.folder / "out").rglob("*") if path.is_file())
        self.assertLess(size, 100 * MIB)

    # SECURITY.md: "their headers and compressed bytes add up to no more than the length of the zip, so that they cannot overlap"
    def test_members_that_overlap_in_part(self):
        """The first one's bytes are a second one, with its header."""
        text = document(RECORD).encode()
        out = local(b"export.xml", text, zlib.crc32(text), len(text), 0)
        entries = [central(b"export.xml", text, zlib.crc32(text), len(text), 0, 0)]
        inner = local(b"inner", b"content", zlib.crc32(b"content"), 7, 0)
        outer = local(b"outer", inner, zlib.crc32(inner), len(inner), 0)
        entries += [central(b"outer", inner, zlib.crc32(inner), len(inner), 0, len(out)),
                    central(b"inner", b"content", zlib.crc32(b"content"), 7, 0, len(out) + len(outer) - len(inner))]
        (self.folder / "export.zip").write_bytes(closed(out + outer, entries))
        for cost in self.sources(13, 3):
            self.assertIn("overlap", cost.stderr)

    def test_a_member_of_many_gigabytes_is_read_in_little_memory(self):
        """What a stranger's zip inflates to is bounded by what its members hold: 1032 times their bytes."""
        export_zip(self.folder / "export.zip", {"zeros": bytes(64 * MIB)})
        self.sources(0, 10)


if __name__ == "__main__":
    unittest.main()
