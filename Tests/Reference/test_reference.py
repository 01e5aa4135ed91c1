"""Tests of the reference programs in this folder: python3 -m unittest

The vectors of C2SP chunked encryption are read from the folder that HEALTHVAULT_VECTORS names, where it is set.
"""
import contextlib
import hashlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile
import zlib
from functools import lru_cache
from pathlib import Path
from unittest import mock

import zstandard

import count_elements
import decrypt
import odd_zips
import write_container
from decrypt import Container, Fault

PASSPHRASE = "correct horse".encode()
ITERATIONS = 100_000
HERE = Path(__file__).parent
# Archives of one seed have one salt, so each derivation is done once. (decrypt.py remembers its own.)
write_container.pbkdf2 = lru_cache(maxsize=None)(write_container.pbkdf2)


def noise(length):
    return hashlib.shake_256(b"noise").digest(length)


def build(payload=None, members=(), seg_chunks=1, seed=1, passphrase=PASSPHRASE, **more):
    return write_container.build(list(members), passphrase, ITERATIONS, seg_chunks, write_container.seeded(seed),
                                 payload=payload, **more)


def open_archive(data, passphrase=PASSPHRASE):
    with contextlib.redirect_stderr(io.StringIO()) as warnings:
        container = Container(io.BytesIO(data), passphrase)
    container.warned = "warning" in warnings.getvalue()
    return container


def contents(container):
    """The payload, after everything up to the end was read."""
    payload = b"".join(container.plaintext(0, container.payload))
    for piece in container.plaintext(container.padding, container.total):
        pass
    return payload


def flip(data, at, mask=1):
    return data[:at] + bytes([data[at] ^ mask]) + data[at + 1:]


def zst(data):
    return zstandard.ZstdCompressor(level=1).compress(data)


class Faults(unittest.TestCase):
    def refused(self, data, *names, passphrase=PASSPHRASE):
        with self.assertRaises(Fault) as caught:
            contents(open_archive(data, passphrase))
        if names:
            self.assertIn(str(caught.exception).split(":")[0], names)


class RoundTrips(Faults):
    def check(self, length, seg_chunks):
        data, payload = build(noise(length), seg_chunks=seg_chunks), noise(length)
        self.assertEqual(len(data) % 4096, 0)
        container = open_archive(data)
        self.assertFalse(container.warned)
        self.assertEqual(contents(container), payload)

    def test_payloads_around_every_boundary(self):
        for seg_chunks in (1, 2):
            full = seg_chunks * 16384
            sizes = {0, 1, 16383, 16384, 16385} | {k * full + d for k in (1, 2) for d in range(-65, 2)}
            for length in sorted(sizes):
                with self.subTest(length=length, seg_chunks=seg_chunks):
                    self.check(length, seg_chunks)

    def test_streams_whose_unpadded_end_is_near_a_boundary(self):
        for seg_chunks in (1, 2):
            index = open_archive(build(noise(20_000), seg_chunks=seg_chunks))
            rest = index.padding - index.payload + 64
            for length in range(2 * seg_chunks * 16384 - rest - 66, 2 * seg_chunks * 16384 - rest + 67):
                with self.subTest(length=length, seg_chunks=seg_chunks):
                    self.check(length, seg_chunks)

    def test_many_chunks_in_a_segment(self):
        self.check(300 * 16384 + 5, 512)

    def test_length_of_the_stream(self):
        for needed, seg_chunks, total in (
                (64, 1, 4024),  # 8192 + 72 + 4024 = 3 * 4096
                (16384, 1, 20320),  # 8192 + (72 + 16384 + 16) + 72 + 3936 = 7 * 4096
                (16384, 2, 20392),  # 8192 + 72 + 20392 + 16 = 7 * 4096
                (16300, 1, 20320)):  # Padme gives 16384
            self.assertEqual(write_container.total_length(needed, seg_chunks), total)

    def test_padme_keeps_the_leading_bits(self):
        for length, padded in ((9, 10), (64, 64), (65, 72), (1000, 1024), (1025, 1088), (10**6, 1015808)):
            self.assertEqual(write_container.padme(length), padded)

    def test_a_last_segment_that_is_full(self):
        total = 512 * 16384  # 8192 + 512 * 16472 is a multiple of 4096
        draft = open_archive(build(bytes(total - 30_000)))
        payload = bytes(total - 64 - (draft.padding - draft.payload))
        container = open_archive(build(payload))
        self.assertEqual((container.total, container.count), (total, 512))
        self.assertEqual(contents(container), payload)

    def test_a_range_is_read_without_the_rest(self):
        payload = noise(100_000)
        container = open_archive(build(payload, seg_chunks=2))
        for start, end in ((0, 0), (5, 5), (16383, 16385), (32767, 32769), (32768, 65536), (99_999, 100_000)):
            self.assertEqual(b"".join(container.plaintext(start, end)), payload[start:end])


class Damage(Faults):
    payload = noise(60_000)

    @classmethod
    def setUpClass(cls):
        cls.data = build(cls.payload)

    def test_no_flipped_bit_gives_a_wrong_plaintext(self):
        end = len(self.data) - 4096
        for at in [*range(0, 4096, 97), *range(4096, end, 331), *range(end, len(self.data), 97)]:
            with self.subTest(at=at):
                if at < 4096 or at >= end:
                    container = open_archive(flip(self.data, at))
                    self.assertTrue(container.warned)
                    self.assertEqual(contents(container), self.payload)
                else:
                    self.refused(flip(self.data, at))

    def test_damage_is_named_where_it_is(self):
        first = 4096 + 16472  # segment 1
        for at, name in ((0, "segmentDamaged(1)"), (24, "segmentDamaged(1)"), (56, "chunkDamaged(1,0)"),
                         (16455, "chunkDamaged(1,0)"), (16456, "chunkDamaged(1,1)"), (16471, "chunkDamaged(1,1)")):
            self.refused(flip(self.data, first + at), name)

    def test_both_headers_damaged_alike(self):
        def both(at, value):
            header = self.data[:at] + value + self.data[at + len(value):4096]
            return header + self.data[4096:-4096] + header

        for at, value, name in (
                (0, b"x", "notContainer"), (8, b"\2", "unsupportedVersion"), (9, b"\0", "unsupportedSuite"),
                (10, b"\1", "malformedHeader"), (31, b"\1", "malformedHeader"), (127, b"\1", "malformedHeader"),
                (260, b"\1", "malformedHeader"), (4031, b"\1", "malformedHeader"), (12, bytes(4), "malformedHeader"),
                (12, b"\0\1\0\1", "malformedHeader"), (128, bytes(128), "malformedHeader"),
                (128, (99_999).to_bytes(4, "big"), "kdfRefused"), (128, (10_000_001).to_bytes(4, "big"), "kdfRefused"),
                (128, b"\xff" * 4, "kdfRefused"), (128, (100_001).to_bytes(4, "big"), "wrongPassphrase"),
                (132, bytes(32), "wrongPassphrase"), (164, bytes(32), "wrongPassphrase"),
                (196, bytes(12), "slotDamaged"), (208, bytes(48), "slotDamaged"), (32, bytes(32), "slotDamaged"),
                (15, b"\2", "slotDamaged"),
                (71, b"\2", "headerTampered"), (4032, bytes(64), "headerTampered")):
            with self.subTest(at=at):
                self.refused(both(at, value), name)
        slots = b"".join((10_000_000).to_bytes(4, "big") + bytes([i] * 124) for i in range(8))
        self.refused(both(128, slots), "kdfRefused")

    def test_wrong_passphrases(self):
        self.refused(self.data, "wrongPassphrase", passphrase=b"wrong")
        for text in ("", "a\0", "a\n", "a\x7f"):
            self.refused(self.data, "the passphrase is empty or has control characters", passphrase=text.encode())
        self.refused(self.data, "the passphrase is not UTF-8", passphrase=b"\xff")
        self.assertEqual(decrypt.prepare("e\u0301\u00a0\u3000x".encode()), "\u00e9  x".encode())
        self.assertEqual(contents(open_archive(self.data, "correct\u2003horse".encode())), self.payload)

    def test_the_end_cut_off(self):
        for cut in (1, 16, 17, 4095, 4096):
            container = open_archive(self.data[:-cut])
            self.assertTrue(container.warned)
            self.assertEqual(contents(container), self.payload)
        for cut in (4097, 4096 + 16, 8191, 8192, 20_000, len(self.data) - 4097):
            self.refused(self.data[:-cut])
            self.refused(self.data[:-4096 - cut] + self.data[-4096:])
        for length in (0, 1, 4095, 4096):
            self.refused(self.data[:length])

    def test_segments_in_the_wrong_place(self):
        header, body, full = self.data[:4096], self.data[4096:-4096], 16472
        parts = [body[at:at + full] for at in range(0, len(body), full)]
        self.assertGreater(len(parts), 3)
        for order in ([1, 0, *range(2, len(parts))], [0, 0, *range(1, len(parts))], [*range(1, len(parts))],
                      [0, *range(2, len(parts))], [*range(len(parts) - 1)], [*range(len(parts)), len(parts) - 1]):
            self.refused(header + b"".join(parts[i] for i in order) + header)
        other = build(self.payload, seed=2)
        self.refused(self.data[:4096 + full] + other[4096 + full:4096 + 2 * full] + self.data[4096 + 2 * full:])

    def test_segments_of_an_earlier_attempt_with_the_same_key(self):
        def rng(attempt):
            stream, drawn = write_container.seeded(1), 0

            def draw(count):
                nonlocal drawn
                drawn += 1
                return bytes(b ^ attempt for b in stream(count)) if drawn in (6, 7) else stream(count)  # segments 1, 2
            return draw

        old, new = (write_container.build([], PASSPHRASE, ITERATIONS, 1, rng(attempt), payload=noise(120_000))
                    for attempt in (1, 0))
        at, full = 4096 + 16472, 16472
        self.refused(new[:at] + old[at:at + full] + new[at + full:], "segmentReplaced(1)")
        self.refused(new[:at] + old[at:at + 2 * full] + new[at + 2 * full:], "segmentReplaced(1)")
        pair = open_archive(new[:at] + old[at:at + 2 * full] + new[at + 2 * full:])
        with self.assertRaises(Fault):  # the chain alone would let this pass
            b"".join(pair.plaintext(2 * 16384, 2 * 16384 + 1))

    def test_a_change_of_passphrase_that_was_cut_short(self):
        def rewritten(part, value):
            return value[:71] + b"\2" + value[72:] if part == "header" else value
        new, other = build(self.payload, passphrase=b"new", change=rewritten), build(self.payload, passphrase=b"new")
        self.assertEqual(new[4096:-4096], self.data[4096:-4096])
        for data in (new[:4096] + self.data[4096:], self.data[:4096] + new[4096:]):
            for passphrase in (PASSPHRASE, b"new"):
                container = open_archive(data, passphrase)
                self.assertTrue(container.warned)
                self.assertEqual(contents(container), self.payload)
        # The headers of one generation must be the same; but what the passphrase does not open, nobody can judge.
        self.assertTrue(open_archive(other[:4096] + self.data[4096:]).warned)

        def second_slot(part, value):
            return value[:256] + b"\0\2" + value[258:] if part == "header" else value
        self.refused(build(self.payload, change=second_slot)[:4096] + self.data[4096:], "headerTampered")

    def test_which_error_two_headers_give(self):
        wrong, damaged = flip(self.data[:4096], 132), flip(self.data[:4096], 208)
        tampered = flip(self.data[:4096], 4032)
        for first, second, name in ((wrong, damaged, "slotDamaged"), (damaged, wrong, "slotDamaged"),
                                    (damaged, tampered, "headerTampered"), (tampered, damaged, "slotDamaged"),
                                    (tampered, wrong, "headerTampered"), (wrong, bytes(4096), "wrongPassphrase"),
                                    (bytes(4096), damaged, "slotDamaged")):
            self.refused(first + self.data[4096:-4096] + second, name)

    def test_headers_of_two_archives(self):
        other = build(self.payload, seed=2)
        for data in (other[:4096] + self.data[4096:], self.data[:-4096] + other[-4096:]):
            container = open_archive(data)
            self.assertTrue(container.warned)
            self.assertEqual(contents(container), self.payload)
        self.refused(other[:4096] + self.data[4096:-4096] + other[-4096:])

    def test_wrong_footers_and_indexes(self):
        u64 = write_container.u64
        for footer in (lambda f: b"X" + f[1:], lambda f: f[:8] + u64(2**64 - 1) + f[16:], lambda f: f[:-1] + b"?",
                       lambda f: f[:16] + u64(10**6) + f[24:], lambda f: f[:24] + u64(1) + f[32:]):
            self.refused(build(self.payload, change=lambda part, v: footer(v) if part == "footer" else v), "badFooter")
        for index in (lambda i: i | {"salts": i["salts"][:-1]}, lambda i: {}, lambda i: [],
                      lambda i: i | {"version": 2}, lambda i: i | {"version": "1"},
                      lambda i: i | {"salts": i["salts"] * 2}):
            self.refused(build(self.payload, change=lambda part, v: index(v) if part == "index" else v), "badFooter")
        self.refused(build(self.payload, change=lambda part, v: v[1:] if part == "index text" else v), "badFooter")


CONTENT_FAULTS = (Fault, ValueError, LookupError, TypeError, AttributeError, ArithmeticError)
BATCH = r"""{"format":"healthvault batch 1","element":"Record","type":"T","span":"2023-05","part":1,"count":6,
"contexts":[[["type","T"],["device","<<",">, name:W"],["startDate",120],["endDate",-330],["value"]],
 [["type","T"],["value"]],[["startDate",0],["startDate"],["value"],["Odd","x"],["metadata","m"]],
 [["startDate","2023-05-13T10:36:12+02:00"],["value"]]],
"contents":[{"metadata":[{"key":"k\u000b\u007f\u2028\/","value":"1"}],"WorkoutEvent":[{"n":1.50}]},
 {"children":[{"text":"\n"}]}],
"position":[10,1,1,5,1,1],"context":[0,1,0,0,2,3],"content":[0,1,0,2,0,0],
"columns":{"device":["0x1","a\"\\","\udc80é"],"startDate":[1683970000,60,-1683970060,-1,"late"],"endDate":[5,0,60],
"value":[1.50,"1.50",-0,1E+5,7,8]}}"""
ROWS = r"""{"element":"Record","position":10,"type":"T","device":"<<0x1>, name:W",
"startDate":"2023-05-13T11:26:40+02:00","endDate":"2023-05-13T03:56:45-05:30","value":1.50}
{"element":"Record","position":11,"type":"T","value":"1.50",
"metadata":[{"key":"k\u000b\u007f\u2028\/","value":"1"}],"WorkoutEvent":[{"n":1.50}]}
{"element":"Record","position":12,"type":"T","device":"<<a\"\\>, name:W",
"startDate":"2023-05-13T11:27:40+02:00","endDate":"2023-05-13T03:57:40-05:30","value":-0}
{"element":"Record","position":17,"type":"T","device":"<<\udc80é>, name:W",
"startDate":"1970-01-01T02:00:00+02:00","endDate":"1969-12-31T18:31:00-05:30","value":1E+5,"children":[{"text":"\n"}]}
{"element":"Record","position":18,
"attributes":[["startDate","1969-12-31 23:59:59 +0000"],["startDate","late"],["value","7"],["Odd","x"],
["metadata","m"]],
"startDate":"1969-12-31T23:59:59+00:00","value":7}
{"element":"Record","position":19,"attributes":[["startDate","2023-05-13T10:36:12+02:00"],["value","8"]],
"startDate":"2023-05-13T10:36:12+02:00","value":8}
""".replace(",\n", ",")


class Folders(Faults):
    members = [("session.json", b"{}"), ("prologue.xml.zst", zst(b"<?xml?>")),
               ("records/T/2023-05.json.zst", zst(BATCH.encode())),
               ("files/a/b.gpx.zst.0000", zst(noise(70_000))), ("files/a/b.gpx.zst.0001", zst(b"the end")),
               ("files/导出 .csv.zst.0000", zst(b"")), ("files/" + "longer name/" * 25 + "x.zst.0000", zst(b"x" * 10**6)),
               ("manifest.json", b'{"a":1}\n')]

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def extract(self, data, stored=False, name="out"):
        decrypt.write_folder(decrypt.members(open_archive(data)), self.folder / name, stored)
        return self.folder / name

    def test_rows_come_out_byte_for_byte(self):
        self.assertEqual(b"".join(decrypt.ndjson(BATCH.encode())).decode(), ROWS)
        for old, new in (
                ('"count":6', '"count":7'), ('7,8]', '7,8,9]'), ("batch 1", "batch 2"), (",7,8]", ",7]"),
                ("[10,1,1", "[10,0,1"), ("[10,1,1", "[-1,12,1"), ("[10,1,1", "[281474976710647,1,1"),
                ("[10,1,1", '["10",1,1'), ("[10,1,1", "[1e1,1,1"), ('"context":[0,1,0', '"context":[0,-1,0'),
                ('"context":[0,1,0', '"context":[0,4,0'), ('"content":[0,1', '"content":[0,-1'),
                ('"content":[0,1', '"content":[0,3'), ('["Odd","x"]', '["Odd",null]'), ('["Odd","x"]', '["Odd",1440]'),
                ('["Odd","x"]', '["Odd","x","y","z"]'), ('["Odd","x"]', "[]"), ('["Odd","x"]', '"Odd"'),
                ('["Odd","x"]', '["Odd",[]]'), ('["Odd","x"]', '["missing"]'), ('"0x1"', "1"), ('"late"', "null"),
                ("-1,", "-1.0,"), ("-1,", '"-1",'), ("1683970000", "253402300800"), (',-1683970060', ',-65506480861'),
                ("1683970000", "99999999999999999999"), ('"late"', r'"\ud800"'), ('"late"', r'"\udc7f"'),
                ('[{"metadata"', '[{},{"metadata"'), ('"contents":[', '"contents":[1,'), ('"late"', '"late'),
                ('"late"', "NaN"), ('"value":[', '"value":{"a":['), ('"x"', '"\n"')):
            self.assertIn(old, BATCH)
            with self.subTest(old=old, new=new), self.assertRaises(CONTENT_FAULTS):
                list(decrypt.ndjson(BATCH.replace(old, new, 1).encode()))

    def test_entries_of_metadata_have_no_times(self):
        text = BATCH.replace('"element":"Record"', '"element":"MetadataEntry"').encode()
        rows = ROWS.replace('"Record"', '"MetadataEntry"').replace(
            '"attributes":[["startDate","2023-05-13T10:36:12+02:00"],["value","8"]],', "")
        self.assertEqual(b"".join(decrypt.ndjson(text)).decode(), rows)

    def test_frames(self):
        frame, rest = zst(b"abc" * 999), b"\x50\x2a\x4d\x18\1\0\0\0x"
        self.assertEqual(b"".join(decrypt.unzstd([frame[:1], frame[1:]])), b"abc" * 999)
        unknown = zstandard.ZstdCompressor(write_content_size=False).compress(b"abc")
        shorter = frame.replace((2997 - 256).to_bytes(2, "little"), (2996 - 256).to_bytes(2, "little"), 1)
        self.assertNotEqual(shorter, frame)
        for wrong in (b"", frame[:3], frame[:-1], frame + b"x", frame + frame, frame + rest, rest + frame, rest,
                      unknown, shorter, b"x" + frame):
            with self.subTest(wrong=wrong), self.assertRaises((Fault, zstandard.ZstdError)):
                b"".join(decrypt.unzstd([wrong]))

    def test_the_order_of_pieces(self):
        one, two = ("files/a.zst.", "files/b.zst.")
        for i, names in enumerate(([one + "0000", one + "0002"], [one + "0001"],
                                   [one + "0000", two + "0000", one + "0001"],
                                   [one + "0000", "session.json", one + "0001"],
                                   [one + "0000", two + "0000", one + "0000"], [one + "0000", "files/a"])):
            data = build(members=[(name, zst(b"x")) for name in names])
            with self.subTest(names=names), self.assertRaises((Fault, OSError)):
                self.extract(data, name=f"out{i}")
        out = self.extract(build(members=[(one + "0000", zst(b"x")), (one + "0001", zst(b"y")),
                                          (two + "0000", zst(b"z")), (two + "000", b"w"), (two + "00001", b"v")]))
        self.assertEqual({path.name: path.read_bytes() for path in (out / "files").iterdir()},
                         {"a": b"xy", "b": b"z", "b.zst.000": b"w", "b.zst.00001": b"v"})

    def test_plain_folder(self):
        out = self.extract(build(members=self.members, seg_chunks=2))
        self.assertEqual((out / "prologue.xml").read_bytes(), b"<?xml?>")
        self.assertEqual((out / "records/T/2023-05.ndjson").read_text("utf-8"), ROWS)
        self.assertEqual((out / "files/a/b.gpx").read_bytes(), noise(70_000) + b"the end")
        self.assertEqual((out / "files/导出 .csv").read_bytes(), b"")
        self.assertEqual((out / "manifest.json").read_bytes(), b'{"a":1}\n')
        self.assertFalse((out / "session.json").exists())
        subprocess.run(["sha256sum", "-c", "--strict", "--quiet", "SHA256SUMS"], cwd=out, check=True)
        files = [path for path in out.rglob("*") if path.is_file()]
        self.assertEqual(len((out / "SHA256SUMS").read_text("utf-8").splitlines()), len(files) - 1)

    def test_stored_folder_and_back(self):
        data = build(members=sorted(self.members[1:-1], key=lambda m: m[0].encode()), seg_chunks=2)
        members = write_container.folder_members(self.extract(data, stored=True))
        self.assertEqual(build(members=members, seg_chunks=2), data)

    def test_a_folder_is_never_overwritten(self):
        data = build(members=self.members)
        self.extract(data)
        with self.assertRaises(Fault):
            self.extract(data)

    def test_nothing_gets_its_name_before_the_last_byte_is_checked(self):
        data = build(members=[("a", noise(200_000)), ("manifest.json", b"{}")])
        for at in (4096 + 5 * 16472 + 100, len(data) - 4096 - 16472 - 1000):
            with self.assertRaises(Fault):
                self.extract(flip(data, at), name=f"out{at}")
            self.assertFalse((self.folder / f"out{at}").exists())
            part = self.folder / f"out{at}.part" / "a"
            if part.exists():
                self.assertTrue(noise(200_000).startswith(part.read_bytes()))

    def test_unsafe_and_contradictory_members(self):
        for i, names in enumerate((["../x"], ["/x"], ["a/../../x"], ["a//b"], ["x", "x"],
                                   ["prologue.xml", "prologue.xml.zst"], ["files/a.zst.0001"], ["SHA256SUMS"],
                                   ["a\\b"], ["a\nb"], ["a\x1f"], ["a/."], ["a/" * 32 + "a"], ["x" * 1025], ["é" * 513],
                                   ["files/...zst.0000"], ["x", "x/y"])):
            data = build(members=[(name, zst(b"x")) for name in names])
            with self.subTest(names=names), self.assertRaises((Fault, OSError)):
                self.extract(data, name=f"out{i}")
            self.assertFalse((self.folder / f"out{i}").exists())
        for i, change in enumerate(({"sha256": "0" * 64}, {"length": 2}, {"length": -1}, {"offset": 0},
                                    {"offset": 1024}, {"name": "y"}, {"name": 5}, {"name": "\udc80"})):
            def entry(part, value):
                return value | {"entries": [value["entries"][0] | change]} if part == "index" else value
            with self.assertRaises(Fault):
                self.extract(build(members=[("x", b"x")], change=entry), name=f"entry{i}")
        def dirt(part, value):
            return value[:-1] + b"x" if part == "padding" else value
        with self.assertRaises(Fault):
            self.extract(build(members=[("x", b"x")], change=dirt), name="dirt")
        payload, entries = write_container.tar([("x", b"x"), ("y", b"y")], 0)
        self.extract(build(payload=payload, entries=entries), name="clean")
        for at in (513, 1023, 1537, len(payload) - 1024, len(payload) - 1):
            with self.subTest(at=at), self.assertRaises(Fault):
                self.extract(build(payload=flip(payload, at), entries=entries), name=f"dirt{at}")
        wrong = ((payload + bytes(512), entries), (payload[:-512], entries), (payload, entries[::-1]),
                 (payload, entries[:1]), (payload, entries + entries[:1]))
        for i, (payload, entries) in enumerate(wrong):
            with self.assertRaises(Fault):
                self.extract(build(payload=payload, entries=entries), name=f"no{i}")
            self.assertFalse((self.folder / f"no{i}").exists())

    def test_the_commands(self):
        stored, secret = self.folder / "stored", self.folder / "secret"
        secret.write_bytes(PASSPHRASE + b"\r\n")
        for name, data in self.members:
            (stored / name).parent.mkdir(parents=True, exist_ok=True)
            (stored / name).write_bytes(data)

        def run(*command, **more):
            return subprocess.run([sys.executable, *map(str, command)], cwd=HERE, capture_output=True, **more)

        for name in ("a", "b"):
            run("write_container.py", self.folder / name, stored, "--passphrase-file", secret,
                "--iterations", 100_000, "--seg-chunks", 1, "--seed", 7, check=True)
        self.assertEqual((self.folder / "a").read_bytes(), (self.folder / "b").read_bytes())
        run("decrypt.py", self.folder / "a", self.folder / "out", input=PASSPHRASE + b"\nmore\n", check=True)
        self.assertEqual((self.folder / "out/records/T/2023-05.ndjson").read_text("utf-8"), ROWS)
        wrong = run("decrypt.py", self.folder / "a", self.folder / "no", input=b"wrong\n")
        self.assertEqual((wrong.returncode, wrong.stderr), (1, b"decrypt.py: wrongPassphrase\n"))


class Chains(unittest.TestCase):
    """Archives that continue others. A derivation that is not that of an archive made here only gets counted."""

    def setUp(self):
        self.folder, self.derived = Path(self.enterContext(tempfile.TemporaryDirectory())), []
        real = decrypt.pbkdf2

        def derive(passphrase, salt, iterations):
            self.derived.append((salt, iterations))
            return real(passphrase, salt, iterations) if iterations == ITERATIONS else bytes(64)
        self.enterContext(mock.patch.object(decrypt, "pbkdf2", derive))
        self.enterContext(mock.patch.object(decrypt, "open", self.open, create=True))

    def open(self, path, mode):
        """The program leaves files open until it ends."""
        file = open(path, mode)
        self.addCleanup(file.close)
        return file

    def write(self, name, vault, continues=None, *members, **more):
        """Writes an archive, and gives what another one says that continues it."""
        session = {"session": 1} | ({} if continues is None else {"continues": continues})
        data = build(members=[("session.json", json.dumps(session).encode()), *members, ("manifest.json", b"{}")],
                     change=lambda part, value: value[:32] + vault * 32 if part == "preamble" else value, **more)
        (self.folder / name).write_bytes(data)
        index = open_archive(data, more.get("passphrase", PASSPHRASE)).index
        return {"vault": vault.hex() * 32, "index": index, "name": name, "supersedes": []}

    def decoy(self, name, like, *slots):
        """A copy with key slots that no passphrase opens: iterations, and a byte for the salt."""
        data = (self.folder / like).read_bytes()
        slots = b"".join(write_container.u32(iterations) + bytes([salt] * 124) for iterations, salt in slots)
        header = data[:128] + slots.ljust(1024, b"\0") + data[1152:4096]
        (self.folder / name).write_bytes(header + data[4096:-4096] + header)

    def read(self, name="b.hvault"):
        """Path in the folder and content of what is read, without `session.json`."""
        self.derived.clear()
        with contextlib.redirect_stderr(io.StringIO()):
            links = decrypt.chain(self.folder / name, PASSPHRASE)
        return {name: b"".join(data) for name, data in decrypt.members_of_all(links) if name != "session.json"}

    def refused(self, text, name="b.hvault"):
        with self.assertRaises(CONTENT_FAULTS) as caught:
            self.read(name)
        self.assertIn(text, str(caught.exception))

    def test_what_counts(self):
        old = [(f"files/{name}.zst.000{i}", zst(b"old")) for name, i in (("a", 0), ("a", 1), ("b", 0))]
        first = self.write("a.hvault", b"a", None, ("x", b"x"), *old)
        second = self.write("b.hvault", b"b", first | {"supersedes": ["files/a"]}, ("files/a.zst.0000", zst(b"new")))
        whole = {"x": b"x", "files/a.zst.0000": zst(b"new"), "files/b.zst.0000": zst(b"old"), "manifest.json": b"{}"}
        self.assertEqual(self.read(), whole)
        self.write("c.hvault", b"c", second | {"supersedes": ["files/a", "files/b"]},
                   ("files/a.zst.0000", zst(b"c")), ("files/b.zst.0000", zst(b"c")))
        self.assertEqual(self.read("c.hvault"),
                         whole | {"files/a.zst.0000": zst(b"c"), "files/b.zst.0000": zst(b"c")})

    def test_any_candidate_that_passes_will_do(self):
        link = self.write("a.hvault", b"a", None, ("x", noise(50_000)))
        self.write("b.hvault", b"b", link)
        right = (self.folder / "a.hvault").read_bytes()
        self.write("other", b"a", None, ("x", b"wrong"))
        other = (self.folder / "other").read_bytes()
        self.write("key", b"a", None, ("x", noise(50_000)), passphrase=b"another one", seed=2)
        key = (self.folder / "key").read_bytes()
        for wrong, text in ((other, "not the archive that another one continues"), (key, "wrongPassphrase"),
                            (right[:64], "incomplete"), (flip(right, 4096), "segmentDamaged(0)"),
                            (flip(right, 4152), "chunkDamaged(0,0)"), (right[:4096] + key[4096:], "truncated")):
            for name in "a.hvault", "0.hvault", "z.hvault":
                with self.subTest(text=text, name=name):
                    (self.folder / "a.hvault").write_bytes(right)
                    (self.folder / name).write_bytes(wrong)
                    if name == "a.hvault":
                        self.refused(f"a.hvault: {text}")
                        (self.folder / "y.hvault").write_bytes(right)
                    self.assertEqual(self.read()["x"], noise(50_000))
                    for made in {"a.hvault", name, "y.hvault"}:
                        (self.folder / made).unlink(missing_ok=True)
        self.refused("which is not in its folder")

    def test_the_error_is_that_of_the_first_candidate(self):
        link = self.write("a", b"a")
        self.write("b.hvault", b"b", link)
        self.decoy("0.hvault", "a", (100_001, 1))
        self.write("a", b"a", None, ("x", b"other"))
        self.refused("a: not the archive that another one continues")
        (self.folder / "a").rename(self.folder / "y")
        self.refused("which is not in its folder")
        (self.folder / "y").rename(self.folder / "a")
        self.decoy("a", "a", (100_002, 2))
        self.write("0.hvault", b"a", None, ("x", b"other"))
        self.refused("a: wrongPassphrase")

    def test_decoys_cost_no_more_than_an_archive_may(self):
        link = self.write("a.hvault", b"a")
        self.write("b.hvault", b"b", link)
        right = (self.folder / "a.hvault").read_bytes()
        # The name that the archive had comes first, whatever that costs, and costs the others nothing.
        self.decoy("a.hvault", "a.hvault", (10_000_000, 1), (10_000_000, 2))
        (self.folder / "z.hvault").write_bytes(right)
        self.assertEqual(self.read(), {"manifest.json": b"{}"})
        (self.folder / "a.hvault").write_bytes(right)
        self.decoy("0.hvault", "a.hvault", (100_000, 1))
        self.read()
        self.assertNotIn((bytes([1] * 32), 100_000), self.derived)
        # Up to the limit they are tried, and no further; a derivation that comes twice counts once.
        (self.folder / "a.hvault").unlink()
        (self.folder / "0.hvault").unlink()
        (self.folder / "z.hvault").rename(self.folder / "z")
        for i in range(9):
            self.decoy(f"{i}.hvault", "z", (3_000_000, 1 + i % 3), (3_000_001 + i // 3, 9 + i))
        self.refused("which is not in its folder")
        decoys = {kdf for kdf in self.derived if kdf[1] != ITERATIONS}
        self.assertEqual((len(decoys), decrypt.cost(decoys)), (6, 18_000_003))
        (self.folder / "z").rename(self.folder / "z.hvault")
        self.assertEqual(self.read(), {"manifest.json": b"{}"})

    def test_the_limit_is_that_of_the_whole_chain(self):
        first = self.write("a.hvault", b"a")
        second = self.write("b.hvault", b"b", first, seed=2)
        self.write("c.hvault", b"c", second, seed=3)
        with mock.patch.object(decrypt, "MOST_ITERATIONS", 100_000):
            for name in "b.hvault", "c.hvault":
                self.read(name)  # what passes costs nothing
        with mock.patch.object(decrypt, "MOST_ITERATIONS", 99_999):
            self.refused("kdfRefused", "c.hvault")  # already for the first of them

    def test_a_name_is_only_a_hint(self):
        link = self.write("a.hvault", b"a")
        (self.folder / "below").mkdir()
        for name in ("below/a.hvault", "../a.hvault", "/", "", ".", "..", "below", "gone", "x" * 5000, "\0", "\ud800"):
            with self.subTest(name=name):
                self.write("b.hvault", b"b", link | {"name": name})
                self.assertEqual(self.read(), {"manifest.json": b"{}"})
        (self.folder / "a.hvault").rename(self.folder / "below" / "a.hvault")
        self.write("b.hvault", b"b", link | {"name": "below/a.hvault"})
        self.refused("which is not in its folder")

    def test_each_path_counts_once(self):
        piece, batch = ("files/a.zst.0000", zst(b"x")), ("records/T/1.json.zst", zst(b"{}"))
        for old, new, superseded, text in (
                (piece, piece, [], "another archive has the same file"),
                (piece, ("files/a.zst.0001", zst(b"x")), [], "another archive has the same file"),
                (batch, ("records/T/1.ndjson", b""), [], "another archive has the same file"),
                (("prologue.xml.zst", zst(b"x")), ("prologue.xml", b""), [], "another archive has the same file"),
                (("files/a", b"x"), piece, ["files/a"], "another archive has the same file"),
                (piece, ("x", b"x"), ["files/a"], "supersedes a file that it does not have"),
                (piece, piece, ["files/a", "files/b"], "supersedes a file that it does not have")):
            with self.subTest(old=old[0], new=new[0], superseded=superseded):
                self.write("b.hvault", b"b", self.write("a.hvault", b"a", None, old) | {"supersedes": superseded}, new)
                self.refused(text)
        # The older of two archives must have what it supersedes, too, and the oldest may be the one with the same file.
        first = self.write("a.hvault", b"a", None, piece)
        second = self.write("b.hvault", b"b", first | {"supersedes": ["files/b"]})
        self.write("c.hvault", b"c", second)
        self.refused("b.hvault: supersedes a file that it does not have", "c.hvault")
        self.write("c.hvault", b"c", self.write("b.hvault", b"b", first), piece)
        self.refused("a.hvault: another archive has the same file", "c.hvault")

    def test_what_is_malformed(self):
        link = self.write("a.hvault", b"a", None, ("prologue.xml", b"x"))
        rules = "breaks the rules"
        for wrong, text in ((link | {"supersedes": ["prologue.xml"]}, rules), (link | {"supersedes": ["files"]}, rules),
                            (link | {"supersedes": ["Files/a"]}, rules), (link | {"supersedes": ["/files/a"]}, rules),
                            (link | {"supersedes": "files/a"}, rules), (link | {"supersedes": [5]}, ""),
                            (link | {"name": 5}, rules), (link | {"vault": "00"}, rules), (link | {"index": ""}, rules),
                            ({}, ""), ([], ""), (5, ""), ("", ""), (False, "")):
            with self.subTest(wrong=wrong):
                self.write("b.hvault", b"b", wrong, ("prologue.xml", b"x"))
                self.refused(text)


class TestKit(unittest.TestCase):
    def test_every_file_is_judged_as_it_says(self):
        """The program's own reader is held to the same files."""
        folder = Path(__file__).resolve().parents[2] / "Fixtures" / "containers"
        result = subprocess.run([sys.executable, Path(__file__).with_name("make_vectors.py"), "--check", folder],
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


class Others(unittest.TestCase):
    def test_elements_are_counted(self):
        xml = (b'<?xml version="1.0"?>\n<!DOCTYPE HealthData [\n<!ELEMENT A EMPTY>\n<!ATTLIST A b <!ELEMENT\n>\n]>\n>\n'
               b'<HealthData><Record type="a"><MetadataEntry/><MetadataEntry/></Record><Record type="b"/>'
               b'<Correlation><Record type="a"/></Correlation></HealthData>')
        self.assertEqual(count_elements.count(io.BytesIO(xml)), {
            "elements": {"Correlation": 1, "Correlation/Record": 1, "HealthData": 1, "Record": 2,
                         "Record/MetadataEntry": 2}, "types": {"a": 1, "b": 1}})

    def test_odd_zips_are_odd_in_the_way_they_say(self):
        made = {name: data for name, data, _, _ in odd_zips.cases()}
        self.assertEqual(len(made), 26)
        for name in ("flat", "nested", "descriptors", "zip64", "macosx", "stored", "chinese-flagged", "slip"):
            with zipfile.ZipFile(io.BytesIO(made[name + ".zip"])) as file:
                self.assertIsNone(file.testzip(), name)
                counts = count_elements.count(io.BytesIO(file.read(file.namelist()[0])))
                self.assertEqual(counts["elements"]["Record"], odd_zips.RECORDS)
        with zipfile.ZipFile(io.BytesIO(made["encrypted.zip"])) as file:
            self.assertEqual(file.read(odd_zips.MAIN, b"password"), odd_zips.XML)
        with zipfile.ZipFile(io.BytesIO(made["crc.zip"])) as file:
            self.assertEqual(file.testzip(), odd_zips.MAIN)

    def test_chunked_encryption_vectors(self):
        folder = os.environ.get("HEALTHVAULT_VECTORS")
        if not folder:
            print("\nHEALTHVAULT_VECTORS IS NOT SET: the C2SP vectors were not tried", file=sys.stderr)
            self.skipTest("HEALTHVAULT_VECTORS is not set")
        groups = json.loads((Path(folder) / "c2sp_chunked_encryption_aes_256_gcm_test.json").read_bytes())["testGroups"]
        for test in (test for group in groups for test in group["tests"]):
            with self.subTest(test["tcId"], comment=test["comment"]):
                key, context = bytes.fromhex(test["key"]), bytes.fromhex(test["ctx"])
                message = zlib.decompress(bytes.fromhex(test["ct"]))
                try:
                    text = open_message(key, context, message)
                except Exception:
                    self.assertEqual(test["result"], "invalid")
                    continue
                self.assertEqual(test["result"], "valid")
                self.assertEqual((len(text), hashlib.sha512(text).hexdigest()), (test["msgLength"], test["msgSha512"]))
                self.assertEqual(write_container.seal(key, context, message[:24], text), message)


def open_message(key, context, message):
    """A whole message of chunked encryption, with the steps that `Container` takes."""
    if len(key) != 32 or len(message) < 72 or (len(message) - 56) % 16400 < 16:
        raise ValueError
    keys = decrypt.segment_keys(key, context, message[:56])
    return b"".join(decrypt.open_chunk(keys, number, message[at:at + 16400])
                    for number, at in enumerate(range(56, len(message), 16400)))


if __name__ == "__main__":
    unittest.main()
