"""Small archives that would become large: every reader needs bounded memory, and time in proportion to what it reads."""
import json
import unittest

import crafted
from crafted import BATCH, EMPTY, MIB, OPEN, ROW, BoundedTest, frame, rows
from sampling import ALL, some
from vault import each


# Fields of an entry, with numbers at the end of the range.
LARGEST = [(name, number) for name in ("offset", "length", "part", "count", "firstPosition", "lastPosition")
           for number in ((1 << 63) - 1, 1 << 63)] + [("offset", (1 << 63) - 512), ("length", (1 << 63) - 512)]


def with_number(case, choose):
    """A change of an index: the entries that are chosen from it say such a number."""
    name, number = case

    def change(part, value):
        if part == "index":
            for entry in choose(value["entries"]):
                entry.update({"element": "Record", "type": "X", "span": "all", "part": 1, "count": 1,
                              "firstPosition": 1, "lastPosition": 1} | {name: number})
        return value
    return change


class Batches(BoundedTest):
    """Batches of an archive that somebody made who knows the passphrase."""

    def check_refused(self, batch, size, recovered=(3, 13), level=19):
        crafted.archive(self.folder / "x.hvault", (BATCH, frame(batch, level)))
        self.assertLess((self.folder / "x.hvault").stat().st_size, size)
        for command in ["verify", "x.hvault"], ["decrypt", "x.hvault", "-o", "out"]:
            self.bounded(*command, *OPEN, status=13)
        self.assertEqual(self.names(), ["x.hvault"])
        self.bounded("recover", "x.hvault", "-o", "out", *OPEN, status=recovered)
        if (self.folder / "out").exists():
            size = sum(path.stat().st_size for path in (self.folder / "out").rglob("*"))
            self.assertLess(size, 4 * MIB + (self.folder / "x.hvault").stat().st_size)

    # SECURITY.md: "256 MiB"
    def test_half_a_mebibyte_in_65_536_rows(self):
        """16 KiB ask for 32 GB."""
        self.check_refused(rows(65_536, contexts=[[["k", "x" * 500_000]]]), 20_480)

    # SECURITY.md: "in proportion to the bytes that are read, inflated and written"
    def test_40_million_rows(self):
        """A batch of 45 kB."""
        self.check_refused(rows(40_000_000), 90_000, level=3)

    def test_a_content_that_all_rows_have(self):
        self.check_refused(rows(65_536, 1, contents=[{"metadata": [{"key": "k", "value": "x" * 500_000}]}]), 20_480)

    def test_an_attribute_that_is_wide_and_odd(self):
        """A text that is given twice stands on the line three times."""
        self.check_refused(rows(2000, contexts=[[["k", "\x01" * 2000], ["k", "\x01" * 2000]]]), 20_480)

    def test_attributes_by_the_hundred_thousand(self):
        slots = [[f"a{number}", ""] for number in range(300_000)]
        self.check_refused(rows(1000, contexts=[slots]), 2 * MIB, level=3)

    # SECURITY.md: "256 MiB"
    def test_contexts_by_the_million(self):
        text = b'{"count":8000000,"format":"healthvault batch 1","contexts":[' + b'[["k","v"]],' * 8_000_000
        self.check_refused(text + b"[]]}", 90_000, level=3)

    def test_columns_by_the_million(self):
        text = b'{"count":1,"format":"healthvault batch 1","columns":{'
        count = 8_000_000 if ALL else 4_000_000
        self.check_refused(text + b",".join(b'"%d":[]' % number for number in range(count)) + b"}}", 40 * MIB, level=1)

    # SECURITY.md: "2^26 bytes of rows as NDJSON"
    @each((63, 0), (65, 13))
    def test_the_largest_batch(self, case):
        """64 MiB of NDJSON are taken, more are not."""
        mebibytes, status = case
        line = len(b'{"element":"Record","position":1000,"k":""}\n')
        crafted.archive(self.folder / "x.hvault", (BATCH, frame(rows(
            1000, contexts=[[["k", "x" * (mebibytes * MIB // 1000 - line)]]]))))
        self.bounded("decrypt", "x.hvault", "-o", "out", *OPEN, status=status)
        self.assertEqual((self.folder / "out").exists(), status == 0)


class Manifests(BoundedTest):
    """Manifests that list far more than there is."""

    def both(self, manifest, status, seconds=10, files=None):
        """Reads an archive and a plain folder that have this manifest."""
        text = manifest if isinstance(manifest, bytes) else json.dumps(manifest).encode()
        self.assertTrue(len(text) > 1 << 26 or len(text) <= 65_536 + 100 * len(frame(text)), "refused for another reason")
        crafted.archive(self.folder / "x.hvault", manifest=manifest)
        crafted.plain_folder(self.folder / "plain", files or {}, manifest)
        for command in ["verify", "x.hvault"], ["inspect", "x.hvault"], ["verify", "plain"], ["inspect", "plain"]:
            self.bounded(*command, *(OPEN if "x.hvault" in command else ()), status=status, seconds=seconds)

    def test_parts_that_are_not_there(self):
        """What a recovery lists as lost is bounded by what it reads."""
        span = {"element": "Record", "type": "X", "parts": 1 << 39, "count": 1 << 39, "identity": "0" * 32}
        spans = [span | {"span": f"{number:04}"} for number in range(2000)]
        crafted.archive(self.folder / "x.hvault", *((f"a{number}", b"") for number in range(1500)),
                        manifest=EMPTY | {"batches": spans})
        self.bounded("recover", "x.hvault", "-o", "out", *OPEN, status=(0, 3, 13))
        for path in (self.folder / "out").rglob("*"):
            self.assertLess(path.stat().st_size, 4 * MIB, path)
        self.bounded("verify", "x.hvault", *OPEN, status=(13, 14))

    # SECURITY.md: "in proportion to the bytes that are read, inflated and written"
    def test_lost_elements_and_failed_batches(self):
        """2.2 MB, of which each element was held against each batch."""
        elements = {f"E{number}": {"read": 1 << 30, "written": 1} for number in range(22_000)}
        failed = [{"element": f"F{number}", "type": "", "span": "all", "part": 1, "count": 1} for number in range(20_000)]
        self.both(json.dumps(EMPTY | {"elements": elements, "failedBatches": failed}, separators=(",", ":")).encode(), (0, 13, 14))

    def test_nested_lost_elements_and_failed_batches(self):
        elements = {"E": {"read": 1, "written": 1}} | {f"E/{number}": {"read": 2, "written": 1} for number in range(22_000)}
        failed = [{"element": f"F{number}", "type": "", "span": "all", "part": 1, "count": 1} for number in range(20_000)]
        self.both(json.dumps(EMPTY | {"elements": elements, "failedBatches": failed}, separators=(",", ":")).encode(), (0, 13, 14))

    def test_millions_of_files(self):
        """Each of them may be a tebibyte long; the sum of 2^23 such lengths is no number of 64 bits."""
        manifest = b'{"manifest":1,"batching":"auto","files":[' + b'{"length":1099511627775},' * ((1 << 23) + 8)
        self.both(manifest + b'{"length":1}]}', (13, 14), seconds=20)

    # SECURITY.md: "capped at 2^63 - 1"
    @each(*some(((name, number) for number in (1 << 40, (1 << 63) - 1, 1 << 63, -(1 << 63)) for name in (
        "length", "count", "parts", "part", "read", "documentLength", "filesLength", "documentType")), 4))
    def test_numbers_at_the_end_of_the_range(self, case):
        name, number = case
        batch = {"element": "Record", "type": "X", "span": "all", "parts": 1, "count": 1, "identity": "0" * 32}
        failed = {"element": "Record", "type": "X", "span": "all", "part": 1, "count": 1}
        changes = {
            "length": {"files": [{"name": f"{n}", "path": f"files/{n}", "length": number, "crc32": "0" * 8} for n in range(4)]},
            "count": {"batches": [batch | {"span": f"{n}", "count": number} for n in range(4)]},
            "parts": {"batches": [batch | {"span": f"{n}", "count": number, "parts": number} for n in range(4)]},
            "part": {"failedBatches": [failed | {"part": number, "count": number}] * 4},
            "read": {"elements": {f"E{n}": {"read": number, "written": number} for n in range(4)}},
            "documentLength": {"source": {"fingerprint": {"length": number}}},
            "filesLength": {"source": {"fingerprint": {"filesLength": number, "files": number}}},
            "documentType": {"source": {"documentType": number}},
        }
        self.both(EMPTY | changes[name], (0, 13, 14), seconds=3)
        self.bounded("recover", "x.hvault", "-o", "out", *OPEN, status=(0, 3, 13, 14), seconds=3)
        self.bounded("decrypt", "x.hvault", "-o", "part", "--types", "heartRate", *OPEN, status=(0, 3, 10, 13, 14), seconds=3)


class Indexes(BoundedTest):
    """Indexes and tar headers with impossible numbers."""

    COMMANDS = (["verify", "x.hvault"], ["inspect", "x.hvault"], ["decrypt", "x.hvault", "-o", "out"],
                ["decrypt", "x.hvault", "-o", "part", "--types", "X", "--since", "2020-01-01"],
                ["decrypt", "x.hvault", "-o", "out.xml", "--format", "apple-xml"],
                ["decrypt", "x.hvault", "-o", "out.db", "--format", "sqlite"],
                ["decrypt", "x.hvault", "-o", "entry", "--entry", "a"], ["recover", "x.hvault", "-o", "rescued"])

    # SECURITY.md: "capped at 2^63 - 1"
    @each(*some(LARGEST, 3))
    def test_numbers_at_the_end_of_the_range(self, case):
        change = with_number(case, lambda entries: entries[1:3])
        crafted.archive(self.folder / "x.hvault", ("a", b"a"), (BATCH, frame(ROW)), change=change,
                        manifest=crafted.LISTED)
        for command in self.COMMANDS:
            self.bounded(*command, *OPEN, status=(0, 3, 10, 13, 14), seconds=3)

    @each(1 << 40, (1 << 63) - 1, (1 << 63) - 512, 1 << 63, 1 << 64, (1 << 87) - 1)
    def test_lengths_in_tar_headers(self, size):
        """Without an index, a recovery goes by them."""
        header = bytearray(b"a".ljust(100, b"\0") + b"0000600\0" + b"0000000\0" * 2)
        header += b"\x80" + size.to_bytes(11, "big") + b"00000000000\0" + b" " * 8 + b"0" + bytes(100) + b"ustar\x0000"
        header = header.ljust(512, b"\0")
        header[148:156] = b"%06o\0 " % sum(header)
        crafted.archive(self.folder / "x.hvault", payload=bytes(header) + b"a".ljust(512, b"\0") + bytes(1024),
                        change=lambda part, value: bytes(64) if part == "footer" else value)
        for command in self.COMMANDS:
            self.bounded(*command, *OPEN, status=(0, 3, 10, 13, 14), seconds=3)

    def test_a_million_entries(self):
        """The largest index that is read has 2^28 bytes."""
        entry = b'{"name":"%d","offset":0,"length":0,"sha256":"' + b"0" * 64 + b'"},'
        text = b'{"version":1,"salts":[],"entries":[' + b"".join(entry % number for number in range(1_000_000))
        crafted.archive(self.folder / "x.hvault", change=lambda part, value: (
            text[:-1] + b"]}" if part == "index text" else value))
        for command in self.COMMANDS[:3]:
            self.bounded(*command, *OPEN, status=13, seconds=10)

    def test_an_index_that_grows(self):
        """A MiB of spaces takes some 40 bytes."""
        spaces = frame(b" " * MIB)
        for count in 2, 255, 20_000:
            crafted.archive(self.folder / "x.hvault", change=lambda part, value: (
                value + spaces * count if part == "index frames" else value))
            for command in self.COMMANDS[:3]:
                self.bounded(*command, *OPEN, status=13, seconds=3)

    def test_millions_of_empty_frames(self):
        crafted.archive(self.folder / "x.hvault", change=lambda part, value: (
            value + frame(b"") * 2_000_000 if part == "index frames" else value))
        self.bounded("verify", "x.hvault", *OPEN, status=(0, 3, 13, 14), seconds=10)


class Bundles(BoundedTest):
    def test_many_that_grow(self):
        """Each of 200 has a mebibyte and takes some 200 bytes."""
        zeroes = bytes(MIB - 1536)
        crafted.archive(self.folder / "x.hvault", *(
            (f"bundles/{number:04}.tar.zst", [(f"files/{number}", zeroes)]) for number in range(200)))
        self.bounded("verify", "x.hvault", *OPEN, status=(0, 3, 13))
        self.bounded("decrypt", "x.hvault", "-o", "out", *OPEN, status=(0, 3))

    def test_bundles_in_bundles(self):
        """Members that say that they have members, some 3,000 deep, and a bundle among the members of one."""
        members = [("files/a", b"a"), ("bundles/0000.tar.zst", b"b")]
        entry = b'{"name":"files/a","offset":512,"length":1,"sha256":"' + b"0" * 64 + b'","members":['
        for depth in 1, 2, 3000, 1_000_000:
            crafted.archive(self.folder / "x.hvault", ("bundles/0000.tar.zst", members[:1]), change=lambda part, value: (
                value.replace(b'"members":[', b'"members":[' + entry * depth).replace(b"}]", b"}]" + b"}]" * depth, 1)
                if part == "index text" else value))
            for command in Indexes.COMMANDS[:3]:
                self.bounded(*command, *OPEN, status=13, seconds=3)
            self.bounded("recover", "x.hvault", "-o", f"rescued-{depth}", *OPEN, status=(0, 3, 13), seconds=3)
        crafted.archive(self.folder / "x.hvault", ("bundles/0000.tar.zst", members))
        for command in Indexes.COMMANDS[:3]:
            self.bounded(*command, *OPEN, status=(3, 13), seconds=3)

    def test_recovering_names_that_are_there_many_times(self):
        """Without an index only the tar headers say what there is."""
        members = [(f"files/a{number}", b"%d" % number) for number in range(900)]
        crafted.archive(self.folder / "x.hvault", *(
            (f"bundles/{number:04}.tar.zst", members) for number in range(10)),
            change=lambda part, value: bytes(64) if part == "footer" else value)
        self.bounded("recover", "x.hvault", "-o", "rescued", *OPEN, status=(0, 3))
        rescued = [path for path in (self.folder / "rescued").rglob("*") if path.is_file() and path.name.startswith("a")]
        self.assertEqual(len(rescued), 9_000)

    def test_one_that_is_read_for_each_of_its_members(self):
        """20 bundles of 1,000 members, each compressed to a few KB."""
        crafted.archive(self.folder / "x.hvault", *(
            (f"bundles/{number:04}.tar.zst", [(f"files/{number}/{member}", b"") for member in range(1000)])
            for number in range(20)))
        for command in Indexes.COMMANDS:
            self.bounded(*command, *OPEN, status=(0, 2, 3, 10, 13, 14))

    @each(*some(LARGEST, 3))
    def test_numbers_at_the_end_of_the_range(self, case):
        change = with_number(case, lambda entries: entries[1]["members"])
        crafted.archive(self.folder / "x.hvault", ("bundles/0000.tar.zst", [
            ("a", b"a"), (BATCH.removesuffix(".zst"), json.dumps(ROW).encode())]), change=change,
            manifest=crafted.LISTED)
        for command in Indexes.COMMANDS:
            self.bounded(*command, *OPEN, status=(0, 3, 10, 13, 14), seconds=3)


class Lines(BoundedTest):
    """Lines of a plain folder that somebody else made."""

    def check(self, line, status=13):
        crafted.plain_folder(self.folder / "plain", {"records/X-4b68ab38/undated.ndjson": line}, EMPTY | {"batches": [
            {"element": "Record", "type": "X", "span": "undated", "parts": 1, "count": 1, "identity": "0" * 32}]})
        self.bounded("verify", "plain", status=status)

    # SECURITY.md: "256 MiB"
    def test_a_line_of_200_mebibytes(self):
        self.check(b'{"element":"Record","position":1,"k":"' + b"x" * (200 * MIB) + b'"}\n')

    def test_a_line_with_8_million_members(self):
        self.check(b'{"element":"Record","position":1' + b',"k":""' * 8_000_000 + b"}\n")

    def test_100_mebibytes_of_line_ends(self):
        self.check(b"\n" * (100 * MIB))


if __name__ == "__main__":
    unittest.main()
