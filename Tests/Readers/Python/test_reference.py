"""Tests of the reference programs in this folder: python3 -m unittest

The vectors of C2SP chunked encryption are read from the folder that HEALTHVAULT_VECTORS names, where it is set.
"""
import contextlib
import hashlib
import io
import json
import os
import re
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
from cryptography.exceptions import InvalidTag

import count_elements
import describe_vector
import odd_zips
import six_steps
import write_container
import decrypt  # write_container says where it lies
from decrypt import Container, Fault

PASSPHRASE = "correct horse".encode()
ITERATIONS = 100_000
HERE = Path(__file__).resolve().parent
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
    container.warned = warnings.getvalue()
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


def changing(part, change):
    """For `build`: one part is another one."""
    return lambda name, value: change(value) if name == part else value


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

    # SECURITY.md: "and the size only up to its class"
    def test_length_of_the_stream(self):
        for needed, seg_chunks, total in (
                (64, 1, 4024),  # 8192 + 72 + 4024 = 3 * 4096
                (16384, 1, 20320),  # 8192 + (72 + 16384 + 16) + 72 + 3936 = 7 * 4096
                (16384, 2, 20392),  # 8192 + 72 + 20392 + 16 = 7 * 4096
                (16300, 1, 16312),  # 8192 + 72 + 16312 = 6 * 4096: below 256 KiB, without Padme
                (262143, 1, 264760), (262145, 1, 272952)):  # Padme gives 262144 and 270336
            self.assertEqual(write_container.total_length(needed, seg_chunks), total)

    # SECURITY.md: "the size, rounded up to 4 KiB below 256 KiB, by at most 3.2 % from there to 4 GiB, 1.6 % above"
    def test_padme_keeps_the_leading_bits(self):
        for length, padded in ((9, 10), (64, 64), (65, 72), (1000, 1024), (1025, 1088), (10**6, 1015808)):
            self.assertEqual(write_container.padme(length), padded)

    def test_a_last_segment_that_is_full(self):
        total = 512 * 16384  # 8192 + 512 * 16472 is a multiple of 4096
        draft = open_archive(build(bytes(total - 30_000)))
        payload = bytes(total - 1064 - (draft.padding - draft.payload))  # Padme fills it up
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

    # SECURITY.md: "Go on if one of them opens; warn if the other does not, or differs"
    # SECURITY.md: "change a byte of the output unnoticed"
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
            header = write_container.resealed(self.data[:at] + value + self.data[at + len(value):4096])
            return header + self.data[4096:-4096] + header

        for at, value, name in (
                (0, b"x", "notContainer"), (8, b"\2", "unsupportedVersion"), (9, b"\0", "unsupportedSuite"),
                (10, b"\1", "malformedHeader"), (31, b"\1", "malformedHeader"), (127, b"\1", "malformedHeader"),
                (260, b"\1", "malformedHeader"), (3999, b"\1", "malformedHeader"), (12, bytes(4), "malformedHeader"),
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
            self.refused(self.data, "badPassphrase", passphrase=text.encode())
        self.refused(self.data, "badPassphrase", passphrase=b"\xff")
        self.assertEqual(decrypt.prepare("e\u0301\u00a0\u3000x".encode()), "\u00e9  x".encode())
        for text in "abcde-fghij-klmno-pqrst-uvw27", "ABCDEfghijklmnopqrst uvw\u00a027", "abcdefghijklmnopqrstuvw2-7-":
            self.assertEqual(decrypt.prepare(text.encode()), b"abcde-fghij-klmno-pqrst-uvw27")
        for text in "Abcdefghijklmnopqrstuvw2", "Abcdefghijklmnopqrstuvw2777", "Abcdefghijklmnopqrstuvw28":
            self.assertEqual(decrypt.prepare(text.encode()), text.encode())
        self.assertEqual(contents(open_archive(self.data, "correct\u2003horse".encode())), self.payload)

    # SECURITY.md: "truncate an archive"
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

    # SECURITY.md: "reorder, repeat or drop segments"
    def test_segments_in_the_wrong_place(self):
        header, body, full = self.data[:4096], self.data[4096:-4096], 16472
        parts = [body[at:at + full] for at in range(0, len(body), full)]
        self.assertGreater(len(parts), 3)
        for order in ([1, 0, *range(2, len(parts))], [0, 0, *range(1, len(parts))], [*range(1, len(parts))],
                      [0, *range(2, len(parts))], [*range(len(parts) - 1)], [*range(len(parts)), len(parts) - 1]):
            self.refused(header + b"".join(parts[i] for i in order) + header)
        other = build(self.payload, seed=2)
        self.refused(self.data[:4096 + full] + other[4096 + full:4096 + 2 * full] + self.data[4096 + 2 * full:])

    # SECURITY.md: "or of another attempt at writing the same one"
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
                self.assertEqual(container.warned, "warning: a change of the passphrase was interrupted; repeat it with "
                                                   "healthvault (headerGenerationsDiffer)\n")
                self.assertEqual(contents(container), self.payload)
        # The headers of one generation must be the same; but what the passphrase does not open, nobody can judge.
        self.assertEqual(contents(open_archive(other[:4096] + self.data[4096:])), self.payload)

        def second_slot(part, value):
            return value[:256] + b"\0\2" + value[258:] if part == "header" else value
        self.refused(build(self.payload, change=second_slot)[:4096] + self.data[4096:], "headerTampered")

    def test_which_error_two_headers_give(self):
        wrong, damaged, tampered = (write_container.resealed(flip(self.data[:4096], at)) for at in (132, 208, 4032))
        rotten = flip(self.data[:4096], 208)
        for first, second, name in ((wrong, damaged, "slotDamaged"), (damaged, wrong, "slotDamaged"),
                                    (damaged, tampered, "headerTampered"), (tampered, damaged, "slotDamaged"),
                                    (tampered, wrong, "headerTampered"), (wrong, bytes(4096), "wrongPassphrase"),
                                    (bytes(4096), damaged, "slotDamaged"), (rotten, rotten, "headerDamaged"),
                                    (rotten, tampered, "headerTampered"), (wrong, rotten, "wrongPassphrase")):
            self.refused(first + self.data[4096:-4096] + second, name)

    # SECURITY.md: "combine the headers of two archives in one file. Whoever reads it gets the archive that the segments belong"
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
            self.refused(build(self.payload, change=changing("footer", footer)), "badFooter")
        for index in (lambda i: i | {"salts": i["salts"][:-1]}, lambda i: {}, lambda i: [],
                      lambda i: i | {"version": 2}, lambda i: i | {"version": "1"},
                      lambda i: i | {"salts": i["salts"] * 2}, lambda i: i | {"salts": [i["salts"][0].upper(), *i["salts"][1:]]},
                      lambda i: i | {"tool": None}, lambda i: i | {"created": 5}, lambda i: i | {"x": ["\ud800"]}):
            self.refused(build(self.payload, change=changing("index", index)), "badFooter")
        for text in (lambda t: t[1:], lambda t: b"", lambda t: t + b"x", lambda t: t.decode().encode("utf-16")):
            self.refused(build(self.payload, change=changing("index text", text)), "badFooter")

    def test_indexes_in_other_frames(self):
        unstated = zstandard.ZstdCompressor(write_content_size=False).compress
        skippable, text = b"\x50\x2a\x4d\x18\1\0\0\0x", None

        def keep(part, value):
            nonlocal text
            text = value if part == "index text" else text
            return value
        build(self.payload, change=keep)
        half, most = len(text) // 2, 65536 + 100 * len(zst(text) + zst(b" " * 60_000)) - len(text)
        for frames in (zst(text[:half]) + zst(text[half:]), zst(text) + zst(b""), zst(b"") + zst(text),
                       b"".join(zst(text[at:at + 1]) for at in range(len(text))),
                       zst(text) + zst(b" " * (most - 1000))):
            data = build(self.payload, change=changing("index frames", lambda _: frames))
            self.assertEqual(contents(open_archive(data)), self.payload)
        for frames in (b"", text, unstated(text), zst(text[:half]) + unstated(text[half:]), zst(text) + b"x",
                       zst(text)[:-1], zst(text) + skippable, skippable + zst(text), zst(text[:half]) + skippable + zst(text[half:]),
                       zst(text) + zst(b" " * (most + 1000)), flip(zst(text), 20, 255)):
            with self.subTest(frames=frames[:50]):
                self.refused(build(self.payload, change=changing("index frames", lambda _: frames)), "badFooter")
        text = text[:-1] + b',"more":"' + noise(2**19).hex().encode() + b'"}'
        long = open_archive(build(self.payload, change=changing("index text", lambda _: text)))
        self.assertEqual(contents(long), self.payload)
        one = changing("index frames", lambda _: zst(text[:2**20]) + zst(text[2**20:]))
        self.assertEqual(contents(open_archive(build(self.payload, change=one))), self.payload)
        for cut in 2**20 + 1, len(text):
            one = changing("index frames", lambda _: zst(text[:cut]) + zst(text[cut:]))
            self.refused(build(self.payload, change=one), "badFooter")


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
# What makes the batch one that a reader must refuse.
BATCH_MUTATIONS = (
    ('"count":6', '"count":7'), ('7,8]', '7,8,9]'), ("batch 1", "batch 2"), (",7,8]", ",7]"),
    ("[10,1,1", "[10,0,1"), ("[10,1,1", "[-1,12,1"), ("[10,1,1", "[281474976710647,1,1"),
    ("[10,1,1", '["10",1,1'), ("[10,1,1", "[1e1,1,1"), ('"context":[0,1,0', '"context":[0,-1,0'),
    ('"context":[0,1,0', '"context":[0,4,0'), ('"content":[0,1', '"content":[0,-1'),
    ('"content":[0,1', '"content":[0,3'), ('["Odd","x"]', '["Odd",null]'), ('["Odd","x"]', '["Odd",1440]'),
    ('["Odd","x"]', '["Odd","x","y","z"]'), ('["Odd","x"]', "[]"), ('["Odd","x"]', '"Odd"'),
    ('["Odd","x"]', '["Odd",[]]'), ('["Odd","x"]', '["missing"]'), ('"0x1"', "1"), ('"late"', "null"),
    ("-1,", "-1.0,"), ("-1,", '"-1",'), ("1683970000", "253402300800"), (',-1683970060', ',-65506480861'),
    ("1683970000", "99999999999999999999"), ('"late"', r'"\ud800"'), ('"late"', r'"\udc7f"'),
    ('[{"metadata"', '[{},{"metadata"'), ('[{"metadata"', '[{\n"metadata"'), ('"metadata":[', '"metadata":[\t'), ('"contents":[', '"contents":[1,'), ('"late"', '"late'),
    ('"late"', "NaN"), ('"value":[', '"value":{"a":['), ('"x"', '"\n"'), (",7,8]", ",7,8,[1]]"), (",7,8]", ",7,8,null]"),
    ("[10,1,1,5,1,1]", "[10,1,[1],5,1,[2]]"), ("[10,1,1,5,1,1]", "[10,1,[-1],1,5,1]"),
    ("[10,1,1,5,1,1]", "[10,1,[],1,5,1,1]"), ("[10,1,1,5,1,1]", "[10,1,[1.0],5,1,1]"), ("[10,1,1,5,1,1]", "[10,1,[[1]],5,1,1]"),
    ("2,0,0]", "2,0,[99999999999999999999]]"), ("2,0,0]", "2,0,[1000000000]]"), ('"late"', '"late",[1]'), ("[5,0", "[[1],5,0"),
    ("[0,1,0,0,2,3]", "[0,1,0,[1],2,3]"), ('"count":6', '"count":1048577'))
# What says the same in another way.
BATCH_EQUIVALENTS = (
    ("[10,1,1,5,1,1]", "[10,1,[1],5,1,[1]]"), ("[10,1,1,5,1,1]", "[10,1,[1] , 5,1,[ 1 ] ]"), ("2,0,0]", "2,0,[1]]"))


class Folders(Faults):
    members = [("session.json", b"{}"), ("prologue.xml.zst", zst(b"<?xml?>")),
               ("records/T/2023-05.json.zst", zst(BATCH.encode())),
               ("files/a/b.gpx.zst.0000", zst(noise(70_000))), ("files/a/b.gpx.zst.0001", zst(b"the end")),
               ("files/导出 .csv.zst.0000", zst(b"")), ("files/" + "longer name/" * 25 + "x.zst.0000", zst(b"x" * 983_040)),
               ("manifest.json.zst", zst(b'{"a":1}\n'))]

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def extract(self, data, stored=False, name="out", gone=False):
        with contextlib.redirect_stderr(io.StringIO()) as self.warnings:
            decrypt.write_folder(decrypt.members(open_archive(data)), self.folder / name, stored, gone)
        return self.folder / name

    def test_what_is_gone_is_written_alone(self):
        mark = BATCH.replace('"count":6', '"gone":true,"count":6').encode()
        members = [("session.json", b"{}"), ("records/T/1.json", BATCH.encode()), ("records/T/1.gone.json", mark),
                   ("records/T/1.gone.part2.json.zst", zst(mark)), ("gone/files/a.zst.0000", zst(b"a")),
                   ("gone/files/a.zst.0001", zst(b"b")), ("gone/x.txt", b"x"), ("files/a", b"here"), ("manifest.json.zst", zst(b"{}"))]
        for gone, expected in (True, {"records/T/1.gone.ndjson": ROWS, "records/T/1.gone.part2.ndjson": ROWS,
                                      "gone/files/a": "ab", "gone/x.txt": "x"}), (
                (False, {"records/T/1.ndjson": ROWS, "files/a": "here", "manifest.json": "{}"})):
            out = self.extract(build(members=members), name=f"gone {gone}", gone=gone)
            files = {str(path.relative_to(out)): path.read_text("utf-8") for path in out.rglob("*") if path.is_file()}
            self.assertEqual(len(files.pop("SHA256SUMS").splitlines()), len(expected))
            self.assertEqual(files, expected)
        self.assertEqual([line.rsplit(" ", 1)[-1] for line in self.warnings.getvalue().splitlines()], ["missing"])

    def test_a_database_of_analytics_is_no_archive(self):
        self.assertEqual((self.extract(build(members=[("analytics.sqlite", b"SQLite")])) / "analytics.sqlite").read_bytes(),
                         b"SQLite")
        self.assertIn("is a file of SQLite", self.warnings.getvalue())

    def test_paths_that_are_the_same(self):
        """Also those of what is not written."""
        for names in (["gone/a", "gone/a/b"], ["records/T/1.gone.json", "records/T/1.gone.json.zst"], ["SHA256SUMS/x"],
                      ["records/T/1.gone.json", "records/T/1.gone.ndjson/x"], ["x", "x/y"], ["files/.zst.0000"],
                      ["files/..zst.0000"], ["a", "files/a.zst.0000", "files/a"]):
            with self.subTest(names), self.assertRaisesRegex(Fault, "entryMismatch"):
                decrypt.check_paths(names)
        decrypt.check_paths(["session.json", "files/a.zst.0000", "files/a.zst.0001", "gone/files/a", "x/y", "x/z", "xy"])

    def test_names_that_windows_takes_for_something_else(self):
        for name in ("C:x", "files/a:b", "CON", "a/nul.txt", "files/Com1", "a./b", "a/b ", "lpt9 .x", "a?", "a|b"):
            self.assertRegex(name, decrypt.WINDOWS)
        for name in ("files/a.b", "console", "a/com10", "nul_", "a/.x", "x con", "records/T/2023.part2.ndjson", "导出 .csv"):
            self.assertNotRegex(name, decrypt.WINDOWS)

    def test_rows_come_out_byte_for_byte(self):
        self.assertEqual(b"".join(decrypt.ndjson(BATCH.encode())).decode(), ROWS)
        for old, new in BATCH_EQUIVALENTS:
            self.assertIn(old, BATCH)
            with self.subTest(old=old, new=new):
                self.assertEqual(b"".join(decrypt.ndjson(BATCH.replace(old, new, 1).encode())).decode(), ROWS)
        for old, new in BATCH_MUTATIONS:
            self.assertIn(old, BATCH)
            with self.subTest(old=old, new=new), self.assertRaises(CONTENT_FAULTS):
                list(decrypt.ndjson(BATCH.replace(old, new, 1).encode()))

    def test_a_column_or_a_nested_member_may_be_named_contents(self):
        text = (b'{"format":"healthvault batch 1","element":"Record","type":"","span":"all","part":1,"count":2,'
                b'"contexts":[[["contents"]]],"context":[0,0],"columns":{"contents":["p","q"]},"position":[1,1],"content":[0,1],'
                b'"contents":[{"metadata":[{"contents":[{"a": 1.50}]}]}]}')
        rows = (b'{"element":"Record","position":1,"contents":"p"}\n'
                b'{"element":"Record","position":2,"contents":"q","metadata":[{"contents":[{"a": 1.50}]}]}\n')
        first = text.index(b'"contents":[{"metadata"')
        for batch in text, b"{" + text[first:-1] + b"," + text[1:first - 1] + b"}":
            self.assertEqual(b"".join(decrypt.ndjson(batch)), rows)

    def test_entries_of_metadata_have_no_times(self):
        text = BATCH.replace('"element":"Record"', '"element":"MetadataEntry"').encode()
        rows = ROWS.replace('"Record"', '"MetadataEntry"').replace(
            '"attributes":[["startDate","2023-05-13T10:36:12+02:00"],["value","8"]],', "")
        self.assertEqual(b"".join(decrypt.ndjson(text)).decode(), rows)

    def test_frames(self):
        frame, rest = zst(b"abc" * 999), b"\x50\x2a\x4d\x18\1\0\0\0x"
        self.assertEqual(decrypt.unzstd(frame), b"abc" * 999)
        self.assertEqual(decrypt.unzstd(zst(noise(300_000))), noise(300_000))
        unknown = zstandard.ZstdCompressor(write_content_size=False).compress(b"abc")
        shorter = frame.replace((2997 - 256).to_bytes(2, "little"), (2996 - 256).to_bytes(2, "little"), 1)
        self.assertNotEqual(shorter, frame)
        for wrong in (b"", frame[:3], frame[:-1], frame + b"x", frame + frame, frame + rest, rest + frame, rest,
                      unknown, shorter, b"x" + frame):
            with self.subTest(wrong=wrong), self.assertRaises(Fault):
                decrypt.unzstd(wrong)
        self.assertEqual(len(decrypt.unzstd(zst(bytes(2**20)))), 2**20)
        with self.assertRaises(Fault):
            decrypt.unzstd(zst(bytes(2**20 + 1)))

    def test_batches_of_several_frames(self):
        text, skippable = BATCH.encode(), b"\x50\x2a\x4d\x18\1\0\0\0x"
        half, unknown = len(text) // 2, zstandard.ZstdCompressor(write_content_size=False).compress(text[400:])
        for data in (zst(text), zst(text[:half]) + zst(text[half:]), zst(text) + zst(b""), zst(b"") + zst(text),
                     b"".join(zst(text[at:at + 1]) for at in range(len(text)))):
            self.assertEqual(b"".join(decrypt.plain("records/T/1.json.zst", data)).decode(), ROWS)
        for wrong in (b"", text, zst(text[:half]), zst(text) + b"x", zst(text[:half]) + zst(text[half:])[:-1],
                      zst(text[:half]) + skippable + zst(text[half:]), zst(text) + skippable, zst(text[:400]) + unknown,
                      zst(text) + zst(b" " * 2**20) * 48):
            with self.subTest(wrong=wrong[:40]), self.assertRaises(CONTENT_FAULTS):
                list(decrypt.plain("records/T/1.json.zst", wrong))

    def test_a_manifest_that_grows(self):
        """It may be so many times as long as its frame, and 64 KiB longer."""
        text = b"{}"
        while (most := 65536 + 100 * len(zst(text))) > len(text):
            text = text.ljust(most)
        self.assertEqual(decrypt.plain("manifest.json.zst", zst(text)), [text])
        self.assertEqual(len(zst(text + b" ")), len(zst(text)))
        with self.assertRaises(Fault):
            decrypt.plain("manifest.json.zst", zst(text + b" "))
        noisy = noise(2**20).hex().encode() * 3
        self.assertEqual(decrypt.plain("manifest.json.zst", zst(noisy)), [noisy])

    def test_the_order_of_pieces(self):
        one, two = ("files/a.zst.", "files/b.zst.")
        for i, names in enumerate(([one + "0000", one + "0002"], [one + "0001"],
                                   [one + "0000", two + "0000", one + "0001"],
                                   [one + "0000", "session.json", one + "0001"],
                                   [one + "0000", two + "0000", one + "0000"], [one + "0000", "files/a"])):
            data = build(members=[(name, zst(b"x")) for name in names])
            with self.subTest(names=names), self.assertRaises((Fault, OSError)):
                self.extract(data, name=f"out{i}")
        for length in 983_041, 2**20:
            with self.assertRaises(Fault):
                self.extract(build(members=[(one + "0000", zst(bytes(length)))]), name=f"long{length}")
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

    def test_names(self):
        for name, path in (
                ("session.json", None), ("manifest.json.zst", "manifest.json"), ("manifest.json", "manifest.json"),
                ("prologue.xml.zst", "prologue.xml"), ("prologue.xml", "prologue.xml"), ("x.json.zst", "x.json.zst"),
                ("records/T/2023.json.zst", "records/T/2023.ndjson"), ("records/T/2023.json", "records/T/2023.ndjson"),
                ("records/T/2023.part2.json", "records/T/2023.part2.ndjson"), ("records/T/2023", "records/T/2023"),
                ("records/T/gone.json", "records/T/gone.ndjson"), ("records/T/x.gone", "records/T/x.gone"),
                ("records/T/x.gone.partly.json", "records/T/x.gone.partly.ndjson"),
                ("records/x.gone.json/y.json", "records/x.gone.json/y.ndjson"),
                ("records/T/x.gone.json.json", "records/T/x.gone.json.ndjson"),
                ("records/T/x.gone.json", "records/T/x.gone.ndjson"), ("records/T/x.gone.json.zst", "records/T/x.gone.ndjson"),
                ("records/T/x.gone.part10.json.zst", "records/T/x.gone.part10.ndjson"),
                ("files/a", "files/a"), ("files/a.zst", "files/a.zst"), ("files/a.json", "files/a.json"),
                ("files/a.zst.0000", "files/a"), ("files/a.gone.json.zst", "files/a.gone.json.zst")):
            self.assertEqual(decrypt.plain_name(name), path, name)

    bundled = [("session.json", b"{}"),
               ("bundles/0000.tar.zst", [("prologue.xml", b"<?xml?>"), ("records/T/2023-05.json", BATCH.encode())]),
               ("files/large.zst.0000", zst(noise(70_000))),
               ("bundles/0001.tar.zst", [("files/导出 .csv", b""), ("records/T/2023-05.part2.json", BATCH.encode()),
                                         ("files/" + "longer name/" * 25 + "x", noise(1000))]),
               ("manifest.json.zst", zst(b'{"a":1}\n'))]

    def test_bundles(self):
        data = build(members=self.bundled)
        plain, stored = self.extract(data), self.extract(data, stored=True, name="stored")
        members = [inner for name, data in self.bundled
                   for inner in (data if isinstance(data, list) else [(name, data)])]
        found, files = ({str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
                        for folder in (stored, plain))
        for folder in found, files:
            self.assertEqual(folder.pop("SHA256SUMS").count(b"\n"), len(folder))
        self.assertEqual(found, dict(members))
        self.assertEqual(files, {
            "prologue.xml": b"<?xml?>", "records/T/2023-05.ndjson": ROWS.encode(), "files/large": noise(70_000),
            "records/T/2023-05.part2.ndjson": ROWS.encode(), "files/导出 .csv": b"", "manifest.json": b'{"a":1}\n',
            members[-2][0]: noise(1000)})
        # What was taken out of bundles makes the same folder.
        self.assertEqual(len(members), 8)
        again = self.extract(build(members=members), name="again")
        subprocess.run(["diff", "-r", plain, again], check=True)

    def test_many_bundles(self):
        members = [(f"bundles/{i:04}.tar.zst", [(f"files/{i}", b"%d" % i)]) for i in range(10_002)]
        container = open_archive(build(members=members, seg_chunks=64))
        self.assertEqual(container.names, [f"files/{i}" for i in range(10_002)])
        self.assertEqual(container.entries[-1]["name"], "bundles/10001.tar.zst")

    def test_what_the_index_says_of_bundles(self):
        def bundle(number, **more):
            return lambda entries: entries[number].update(more)

        def member(number, inner, **more):
            return lambda entries: entries[number]["members"][inner].update(more)

        def numbered(*numbers):
            def change(entries):
                for entry, number in zip((entries[1], entries[3]), numbers):
                    entry["name"] = f"bundles/{number}.tar.zst"
            return change

        for i, change in enumerate((
                bundle(1, members=[]), bundle(1, members={}), bundle(1, members="x"), bundle(1, members=None),
                bundle(1, members=[5]), bundle(1, members=["name"]), bundle(2, members=[]), bundle(4, members=None),
                lambda entries: entries[2].update(members=entries[1]["members"]),
                lambda entries: entries[1].pop("members"), bundle(1, name="bundles/x.tar.zst"), bundle(1, name="a"),
                numbered("0001", "0000"), numbered("0001", "0002"), numbered("0000", "0000"),
                numbered("0000", "0002"), numbered("000", "0001"), numbered("00000", "0001"),
                numbered("0000", "00001"), numbered("\u0660" * 4, "0001"),
                *(member(1, 0, name=name) for name in (
                    "records/T/2023-05.json", "session.json", "../x", "manifest.json.zst", "", 5, "files/导出 .csv",
                    "bundles/0000.tar.zst", "bundles/0001.tar.zst", "bundles/0002.tar.zst")),
                member(3, 1, name="prologue.xml"),
                *(member(1, 0, offset=offset) for offset in (0, 511, 2**20, 2**63)),
                *(member(1, 0, length=length) for length in (-1, 2**20, 2**63, "7")),
                member(1, 1, offset=512), member(1, 1, offset=1024), member(1, 1, length=2**20),
                member(1, 1, offset=2**20 - 1023, length=0), member(1, 0, **{f"x{n}": n for n in range(17)}),
                member(1, 0, sha256="0" * 64), lambda entries: entries[1]["members"].reverse(),
                lambda entries: entries[1]["members"][0].pop("length"))):
            def changed(index):
                change(index["entries"])
                return index
            with self.subTest(i=i), self.assertRaises(Fault):
                open_archive(build(members=self.bundled, change=changing("index", changed)))

        def sound(index):
            index["entries"][1]["members"][0].update({f"x{n}": n for n in range(16)} | {"y": [5]})
            return index
        self.extract(build(members=self.bundled, change=changing("index", sound)))

    def test_what_rests_in_bundles(self):
        """The index is right, or seems so, and what is in the bundle is not."""
        inside = [("files/a", b"a" * 600), ("files/é", b"b" * 512)]
        stream, entries = write_container.tar(inside, 0)
        self.assertEqual([entry["offset"] for entry in entries], [512, 3072])
        members = [("session.json", b"{}"), ("bundles/0000.tar.zst", inside)]
        other = write_container.tar([("files/b", b"a" * 600), inside[1]], 0)[0]
        longer = write_container.tar([("files/a", b"a" * 601), inside[1]], 0)[0]
        more = write_container.tar([*inside, ("files/c", b"")], 0)[0]
        for i, wrong in enumerate((other, longer, more, stream + bytes(512), stream[:-512], stream[:-1024], b"",
                                   stream[:600], flip(stream, 1112), flip(stream, 1535), flip(stream, 156),
                                   flip(stream, len(stream) - 1024), flip(stream, len(stream) - 1))):
            with self.subTest(i=i), self.assertRaises((Fault, decrypt.tarfile.TarError)):
                self.extract(build(members=members, change=changing("bundle", lambda _: wrong)), name=f"out{i}")
            self.assertFalse((self.folder / f"out{i}").exists())
        unknown = zstandard.ZstdCompressor(write_content_size=False).compress(stream)
        for i, wrong in enumerate((stream, b"", zst(stream)[:-1], zst(stream) + b"x", zst(stream) + zst(b""), unknown,
                                   b"\x50\x2a\x4d\x18\0\0\0\0" + zst(stream))):
            with self.subTest(frame=i), self.assertRaises(Fault):
                self.extract(build(members=members, change=changing("bundle frame", lambda _: wrong)), name=f"frame{i}")
        with self.assertRaises(Fault):
            digest = changing("index", lambda index: index["entries"][1].update(sha256="0" * 64) or index)
            self.extract(build(members=members, change=digest), name="digest")
        # Neither a member that ends where the bundle may, nor a byte more.
        for length, name in (2**20 - 1536, "most"), (2**20 - 1535, "more"):
            data = build(members=[("bundles/0000.tar.zst", [("files/a", bytes(length))])])
            if name == "most":
                self.assertEqual((self.extract(data, name=name) / "files/a").stat().st_size, length)
            else:
                with self.assertRaises(Fault):
                    self.extract(data, name=name)

    def test_batches_of_samples_that_are_gone(self):
        gone = BATCH.replace('"count":6,', '"count":6,"gone":true,').encode()
        members = [("session.json", b"{}"), ("records/T/a.json", BATCH.encode()),
                   ("records/T/a.gone.json.zst", zst(gone)), ("bundles/0000.tar.zst", [("records/T/a.gone.part2.json", gone)])]
        data = build(members=members)
        plain, stored = self.extract(data), self.extract(data, stored=True, name="stored")
        self.assertEqual(os.listdir(plain / "records/T"), ["a.ndjson"])
        self.assertEqual(sorted(os.listdir(stored / "records/T")),
                         ["a.gone.json.zst", "a.gone.part2.json", "a.json"])
        text = BATCH.replace('"count":6,', '"count":6,"gone":false,')
        self.assertEqual(b"".join(decrypt.ndjson(text.encode())).decode(), ROWS)
        for value in "true", "null", "0", '""', "[]":
            with self.assertRaises(CONTENT_FAULTS):
                list(decrypt.ndjson(text.replace("false", value).encode()))

    def test_texts_between_the_children_of_the_root(self):
        text = ('{"format":"healthvault batch 1","element":"#text","type":"","span":"undated","part":1,"count":1,'
                '"contexts":[[["text"]]],"contents":[],"position":[3],"context":[0],"content":[0],'
                '"columns":{"text":["\\n x"]}}')
        self.assertEqual(b"".join(decrypt.ndjson(text.encode())), b'{"element":"#text","position":3,"text":"\\n x"}\n')

    def test_the_longest_text_of_a_batch(self):
        text = BATCH.encode()
        self.assertEqual(b"".join(decrypt.ndjson(text.ljust(3 * 2**24))).decode(), ROWS)
        with self.assertRaises(Fault):
            list(decrypt.ndjson(text.ljust(3 * 2**24 + 1)))

    def warned(self, *members):
        """The warnings about an archive that could be read."""
        self.extract(build(members=members), name=f"warned{len(list(self.folder.iterdir()))}")
        return self.warnings.getvalue().splitlines()

    # SECURITY.md: "Without this, a part looks like the whole"
    def test_what_the_export_lacks_is_said(self):
        def manifest(**lists):
            return "manifest.json.zst", zst(json.dumps({"manifest": 1} | lists).encode())

        batch = {"element": "Record", "type": "T", "span": "2023-05", "part": 2, "count": 1}
        later = "a later archive beside it may contain what is missing; if so, use that one"
        whole = {"name": "a.gpx", "path": "files/a.gpx", "length": 1, "crc32": "00000000"}
        self.assertEqual(self.warned(manifest()), [])
        self.assertEqual(self.warned(manifest(files=[whole, whole | {"damaged": False}], failedBatches=[])), [])
        self.assertEqual(self.warned(manifest(files=[whole, whole | {"damaged": True, "name": "b\x1b[31m\udc80"}])), [
            "warning: b\\x1b[31m\\udc80 was damaged in the source; only part of it is here", later])
        self.assertEqual(self.warned(manifest(failedBatches=[batch])), [
            "warning: 1 batch with 1 sample could not be written", "not written: Record, T, 2023-05, part 2", later])
        self.assertEqual(self.warned(manifest(failedBatches=[batch, batch | {"part": 1, "count": 2000}]))[0],
                         "warning: 2 batches with 2,001 samples could not be written")
        # Without a manifest that can be read, whether something is missing is not known.
        self.assertEqual(self.warned(("x", b"")),
                         ["warning: there is no manifest, so nothing shows whether something is missing"])
        for text in b"", b"[]", b'{"manifest":2}', b'{"manifest":1,"files":5}', b'{"manifest":1,"files":[{"damaged":true}]}':
            self.assertEqual(self.warned(("manifest.json.zst", zst(text))),
                             ["warning: the manifest cannot be read, so nothing shows whether something is missing"])

    def test_a_folder_is_never_overwritten(self):
        data = build(members=self.members)
        self.extract(data)
        with self.assertRaises(Fault):
            self.extract(data)

    def test_nothing_gets_its_name_before_the_last_byte_is_checked(self):
        data = build(members=[("a", noise(200_000)), ("manifest.json.zst", zst(b"{}"))])
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
                                   ["manifest.json", "manifest.json.zst"], ["files/a", "files/a.zst.0000"],
                                   ["a\\b"], ["a\nb"], ["a\x1f"], ["a/."], ["a/" * 32 + "a"], ["x" * 1025], ["é" * 513],
                                   ["files/...zst.0000"], ["x", "x/y"])):
            data = build(members=[(name, zst(b"x")) for name in names])
            with self.subTest(names=names), self.assertRaises((Fault, OSError)):
                self.extract(data, name=f"out{i}")
            self.assertFalse((self.folder / f"out{i}").exists())
        for i, change in enumerate(({"sha256": "0" * 64}, {"length": 2}, {"length": -1}, {"offset": 0},
                                    {"offset": 1024}, {"name": "y"}, {"name": 5}, {"name": "\udc80"}, {"length": 1.0},
                                    {"sha256": "A" * 64}, {"sha256": 5}, {"offset": True})):
            entry = changing("index", lambda value: value | {"entries": [value["entries"][0] | change]})
            with self.assertRaisesRegex(Fault, "^(badFooter|entryMismatch)"):
                self.extract(build(members=[("x", b"x")], change=entry), name=f"entry{i}")
        with self.assertRaises(Fault):
            dirt = changing("padding", lambda value: value[:-1] + b"x")
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
        run(decrypt.__file__, self.folder / "a", self.folder / "out", input=PASSPHRASE + b"\nmore\n", check=True)
        self.assertEqual((self.folder / "out/records/T/2023-05.ndjson").read_text("utf-8"), ROWS)
        wrong = run(decrypt.__file__, self.folder / "a", self.folder / "no", input=b"wrong\n")
        self.assertEqual((wrong.returncode, wrong.stderr), (1, b"decrypt.py: The passphrase is wrong (wrongPassphrase).\n"))


class Text(unittest.TestCase):
    """The text of SECURITY.md: its figures are what describe_vector.py makes, and they are right."""

    text = (HERE.parents[2] / "SECURITY.md").read_text("utf-8")

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.small, self.second = describe_vector.first(), describe_vector.second()
        self.enterContext(mock.patch.object(decrypt, "open", self.open, create=True))

    def open(self, path, mode):
        """The program leaves archives open until it ends."""
        file = open(path, mode)
        self.addCleanup(file.close)
        return file

    def figure(self, name):
        """A figure as it stands in the text."""
        found, = re.findall(rf"<!-- {re.escape(name)} -->\n(?:```\n((?:(?!```).*\n)*)```\n|((?:\|.*\n)+))", self.text)
        return found[0] or found[1]

    def values(self, name):
        """The bytes in a figure, by their names."""
        named = re.findall(r"^(\S.*):\n((?:  [0-9a-f]+\n)+)", self.figure(name), re.MULTILINE)
        return {name: bytes.fromhex("".join(lines.split())) for name, lines in named}

    def sparse(self, name, length):
        """The bytes in a figure of a stream; what it does not list is zero."""
        data = bytearray(length)
        for line in self.figure(name).splitlines():
            at, digits = line.split()
            data[int(at):int(at) + len(digits) // 2] = bytes.fromhex(digits)
        return bytes(data)

    def unbroken(self, name):
        return self.figure(name).replace(",\n ", ",")

    def read(self, archive, passphrase):
        """The warnings, and the files of the plain folder."""
        out = self.folder / f"out{len(list(self.folder.iterdir()))}"
        with contextlib.redirect_stderr(io.StringIO()) as warnings:
            decrypt.write_folder(decrypt.members_of_all(decrypt.chain(archive, passphrase)), out)
        return warnings.getvalue(), {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*")
                                     if path.is_file()}

    def test_every_figure_is_what_the_program_makes(self):
        made = describe_vector.figures()
        self.assertEqual(re.findall(r"^<!-- (.*) -->$", self.text, re.MULTILINE), list(made))
        for name, figure in made.items():
            with self.subTest(name):
                self.assertEqual(self.figure(name), figure)

    def test_the_small_archive_opens_as_it_stands_in_the_text(self):
        start, labels, code, segment = self.values("small archive: file").values()
        header = (start.ljust(1152, b"\0") + labels).ljust(4000, b"\0") + code
        (self.folder / "small").write_bytes(data := header + segment + header)
        self.assertEqual(data, self.small)
        warnings, files = self.read(self.folder / "small", b"correct horse battery staple")
        self.assertEqual(warnings, "")
        self.assertEqual(files.pop("SHA256SUMS").decode(), self.figure("small archive: SHA256SUMS"))
        self.assertEqual(files, {
            "prologue.xml": b'<?xml version="1.0"?>\n', "manifest.json": b'{"manifest":1}\n',
            "records/HKQuantityTypeIdentifierBodyMass/all.ndjson": self.unbroken("small archive: rows").encode()})

    def test_the_six_steps_read_the_small_archive(self):
        """The steps at the head of Part II, as a program."""
        _, files = self.read(self.write("small", self.small), describe_vector.PASSPHRASE)
        del files["SHA256SUMS"]
        self.assertEqual(dict(six_steps.read(self.small, describe_vector.PASSPHRASE + b"\r\n")), files)
        for wrong in flip(self.small, 5), flip(self.small, 200), flip(self.small, 4120), self.small[:-1], self.second:
            with self.assertRaises((SystemExit, InvalidTag)):
                list(six_steps.read(wrong, describe_vector.PASSPHRASE))
        with self.assertRaises(SystemExit):
            list(six_steps.read(self.second, describe_vector.typed()))
        self.assertLess(len(Path(six_steps.__file__).read_text("utf-8").splitlines()), 200)

    def write(self, name, data):
        (self.folder / name).write_bytes(data)
        return self.folder / name

    def test_the_second_archive_is_what_comes_of_its_stream(self):
        """As the text says: encrypt the stream, add the header before and after."""
        keys = self.values("second archive: keys")
        start, labels, code = self.values("second archive: header").values()
        header = (start.ljust(1152, b"\0") + labels).ljust(4000, b"\0") + code
        total = open_archive(self.second, describe_vector.typed()).total
        stream = self.sparse("second archive: stream", total)
        body = b"".join(write_container.seal(keys["SK"], keys[f"context of segment {i}"], keys[f"salt of segment {i}"], part)
                        for i, part in enumerate((stream[:16_384], stream[16_384:])))
        self.assertEqual(header + body + header, self.second)
        typed = self.values("second archive: passphrase")
        self.assertEqual(list(typed.values()), [describe_vector.TYPED, decrypt.prepare(describe_vector.TYPED[:-2])])
        (self.folder / "passphrase").write_bytes(typed["as it is read from a file"])
        (self.folder / "health.hvault").write_bytes(self.small)
        (self.folder / "next.hvault").write_bytes(self.second)
        warnings, files = self.read(self.folder / "next.hvault", decrypt.read_passphrase(self.folder / "passphrase"))
        self.assertEqual(warnings, self.figure("second archive: warnings"))
        self.assertEqual(files["SHA256SUMS"].decode(), self.figure("second archive: SHA256SUMS"))
        self.assertEqual(files["files/route.gpx"], bytes(983_040) + b"the end\n")
        self.assertEqual(files["zeros.bin"], bytes(16_000))

    def test_the_streams_are_what_is_in_the_archives(self):
        for name, data, passphrase in (("small", self.small, describe_vector.PASSPHRASE),
                                       ("second", self.second, describe_vector.typed())):
            container = open_archive(data, passphrase)
            self.assertEqual(self.sparse(f"{name} archive: stream", container.total), describe_vector.stream(container))
            index = decrypt.unpacked_index(container.take(container.payload, container.padding))
            self.assertEqual(self.unbroken(f"{name} archive: index"), index + "\n")

    def test_the_cases_that_must_fail(self):
        for what, data, passphrase, says in describe_vector.cases():
            with self.subTest(what), self.assertRaises(Fault) as caught:
                for _ in decrypt.members(open_archive(data, passphrase)):
                    pass
            self.assertEqual(str(caught.exception).split(":")[0], says)

    # SECURITY.md: "Go on if one of them opens; warn if the other does not, or differs"
    def test_the_cases_that_open_with_a_warning(self):
        for what, data, word in describe_vector.allowed():
            with self.subTest(what):
                container = open_archive(data, describe_vector.PASSPHRASE)
                self.assertRegex(container.warned, rf"^warning: [^\n]* \({word}\)\n$")
                self.assertEqual(dict(decrypt.members(container)),
                                 dict(decrypt.members(open_archive(self.small, describe_vector.PASSPHRASE))))

    def test_the_cases_of_chains(self):
        (self.folder / "next.hvault").write_bytes(self.second)
        (self.folder / "health.hvault").write_bytes(self.small)
        _, whole = self.read(self.folder / "next.hvault", describe_vector.typed())
        for what, change, says in describe_vector.chain_cases():
            with self.subTest(what):
                if change is None:
                    (self.folder / "health.hvault").unlink()
                (self.folder / "next.hvault").write_bytes(describe_vector.second(change) if change else self.second)
                if says.startswith("`") and says != "`prologue.xml` too":
                    with self.assertRaises(CONTENT_FAULTS) as caught:
                        self.read(self.folder / "next.hvault", describe_vector.typed())
                    if says != "`badContent`":
                        self.assertIn(says.strip("`"), str(caught.exception))
                else:
                    _, files = self.read(self.folder / "next.hvault", describe_vector.typed())
                    self.assertEqual(set(files) - set(whole), set() if says == "the same folder" else {"prologue.xml"})
                    self.assertEqual({name: files[name] for name in set(whole) - {"SHA256SUMS"}},
                                     {name: whole[name] for name in set(whole) - {"SHA256SUMS"}})
                (self.folder / "health.hvault").write_bytes(self.small)

    def test_the_cases_of_batches(self):
        text = self.unbroken("small archive: batch").strip()
        self.assertEqual(text.encode(), describe_vector.batch())
        self.assertTrue(list(decrypt.ndjson(text.encode())))
        for old, new, what in describe_vector.BATCH_CASES:
            self.assertIn(old, text)
            with self.subTest(what), self.assertRaises(CONTENT_FAULTS):
                list(decrypt.ndjson(text.replace(old, new, 1).encode()))

    def test_the_cases_of_rows(self):
        for layout, columns, members in describe_vector.ROW_CASES:
            with self.subTest(layout, columns=columns):
                self.assertEqual(b"".join(decrypt.ndjson(describe_vector.row_batch(layout, columns))).decode(),
                                 describe_vector.row_line(members))

    def test_its_examples_of_rows_are_what_the_reader_makes_of_its_batches(self):
        batch = self.text.split("\n## 21. ")[1].split("```")[1]
        _, lines, _, odd, *_ = self.text.split("\n### Examples\n")[1].split("```")
        odd_batch, _, odd_line = odd.partition("\n\n")
        for stored, expected in (batch, lines), (odd_batch, odd_line):
            made = b"".join(decrypt.ndjson(stored.replace("\n", "").encode())).decode()
            self.assertEqual(made, expected.strip("\n").replace(",\n ", ",") + "\n")

    def test_its_sections_are_those_of_its_list(self):
        headings = re.findall(r"^## ([0-9]+)\. (.*)$", self.text, re.MULTILINE)
        listed = re.findall(r"^([0-9]+)\. \[(.*)\]\(#(.*)\)$", self.text, re.MULTILINE)
        self.assertEqual(headings, [(number, title) for number, title, _ in listed])
        self.assertEqual([int(number) for number, _ in headings], list(range(1, len(headings) + 1)))
        anchors = {re.sub(r"[^a-z0-9 -]", "", f"{number}. {title}".lower()).replace(" ", "-") for number, title in headings}
        self.assertEqual(set(re.findall(r"\]\(#([^)]*)\)", self.text)), anchors)

    def test_every_error_is_defined_before_it_is_used(self):
        before, errors = re.split(r"\n## 1[12]\. Errors.*\n|\n## 12\. ", self.text)[:2]
        rows = [line.split("|")[1] for line in errors.splitlines() if line.startswith("| `")]
        named = {name for row in rows for name in re.findall("`([A-Za-z]+)`", row)}
        self.assertGreater(len(named), 20)
        self.assertEqual({name for name in named if f"`{name}`" in before}, set())


class Chains(unittest.TestCase):
    """Archives that continue others."""

    def setUp(self):
        self.folder, self.keys, self.derived = Path(self.enterContext(tempfile.TemporaryDirectory())), {}, []
        real = decrypt.pbkdf2

        def derive(passphrase, salt, iterations):
            self.derived.append((salt, iterations))
            return real(passphrase, salt, iterations)
        self.enterContext(mock.patch.object(decrypt, "pbkdf2", derive))
        self.enterContext(mock.patch.object(decrypt, "open", self.open, create=True))

    def open(self, path, mode):
        """The program leaves files open until it ends."""
        file = open(path, mode)
        self.addCleanup(file.close)
        return file

    def write(self, name, vault, continues=None, *members, file_key=None, inside=False, **more):
        """Writes an archive, and gives what another one says that continues it, but for its key. That is added here."""
        file_key = file_key or hashlib.sha256(vault + name.encode()).digest()
        if isinstance(continues, dict) and "vault" in continues and "key" not in continues:
            key = self.keys[continues["vault"], continues["index"]]
            continues = continues | {"key": write_container.predecessor_key(
                file_key, bytes.fromhex(continues["vault"]), bytes.fromhex(continues["index"]), key)}
        session = {"session": 1} | ({} if continues is None else {"continues": continues})
        first = "session.json", json.dumps(session).encode()
        first = ("bundles/0000.tar.zst", [first]) if inside else first
        members = [first, *members, ("manifest.json.zst", zst(b"{}"))]
        data = build(members=members, change=changing("preamble", lambda value: value[:32] + vault * 32),
                     file_key=file_key, **more)
        (self.folder / name).write_bytes(data)
        index = open_archive(data, more.get("passphrase", PASSPHRASE)).index
        self.keys[vault.hex() * 32, index] = file_key
        return {"vault": vault.hex() * 32, "index": index, "name": name, "supersedes": []}

    def decoy(self, name, like, *slots):
        """A copy with other key slots: iterations, and a byte for the salt."""
        data = (self.folder / like).read_bytes()
        slots = b"".join(write_container.u32(iterations) + bytes([salt] * 124) for iterations, salt in slots)
        header = write_container.resealed(data[:128] + slots.ljust(1024, b"\0") + data[1152:4096])
        (self.folder / name).write_bytes(header + data[4096:-4096] + header)

    def read(self, name="b.hvault"):
        """Path in the folder and content of what is read, without `session.json`."""
        self.derived.clear()
        with contextlib.redirect_stderr(io.StringIO()):
            links = decrypt.chain(self.folder / name, PASSPHRASE)
        return {name: data for name, data in decrypt.members_of_all(links) if name != "session.json"}

    def refused(self, text, name="b.hvault"):
        with self.assertRaises(CONTENT_FAULTS) as caught:
            self.read(name)
        self.assertIn(text, str(caught.exception))

    def test_what_counts(self):
        old = [(f"files/{name}.zst.000{i}", zst(b"old")) for name, i in (("a", 0), ("a", 1), ("b", 0))]
        first = self.write("a.hvault", b"a", None, ("x", b"x"), *old)
        second = self.write("b.hvault", b"b", first | {"supersedes": ["files/a"]}, ("files/a.zst.0000", zst(b"new")))
        whole = {"x": b"x", "files/a.zst.0000": zst(b"new"), "files/b.zst.0000": zst(b"old"),
                 "manifest.json.zst": zst(b"{}")}
        self.assertEqual(self.read(), whole)
        self.write("c.hvault", b"c", second | {"supersedes": ["files/a", "files/b"]},
                   ("files/a.zst.0000", zst(b"c")), ("files/b.zst.0000", zst(b"c")))
        self.assertEqual(self.read("c.hvault"),
                         whole | {"files/a.zst.0000": zst(b"c"), "files/b.zst.0000": zst(b"c")})

    def test_anything_can_be_superseded(self):
        """Batches, the prologue, files and others, in bundles or not, also where nothing takes their place."""
        old = [("prologue.xml.zst", zst(b"old")), ("records/T/1.json.zst", zst(b"{}")),
               ("records/T/1.part2.json", b"{}"), ("files/b.zst.0000", zst(b"old")), ("records/T/3.json", b"{}"),
               ("bundles/0000.tar.zst", [(name, b"old") for name in ("records/T/2.json", "files/a", "x")] + [("y", b"y")])]
        first = self.write("a.hvault", b"a", None, *old)
        whole = {"records/T/1.part2.json": b"{}", "y": b"y", "records/T/3.json": b"{}", "manifest.json.zst": zst(b"{}")}
        superseded = ["files/a", "files/b", "prologue.xml", "records/T/1.ndjson", "records/T/2.ndjson", "x", "nothing"]
        second = self.write("b.hvault", b"b", first | {"supersedes": superseded})
        self.assertEqual(self.read(), whole)
        # What an archive in the middle supersedes stays so, and what it has itself counts.
        new = [("bundles/0000.tar.zst", [("prologue.xml", b"new"), ("files/a", b"new")]),
               ("records/T/2.json.zst", b"new")]
        second = self.write("b.hvault", b"b", first | {"supersedes": superseded}, *new)
        new = {"prologue.xml": b"new", "files/a": b"new", "records/T/2.json.zst": b"new"}
        self.assertEqual(self.read(), whole | new)
        self.write("c.hvault", b"c", second | {"supersedes": ["records/T/3.ndjson"]})
        del whole["records/T/3.json"]
        self.assertEqual(self.read("c.hvault"), whole | new)

    def test_batches_of_samples_that_are_gone(self):
        """They are in no plain folder, but have paths by which they are superseded. A batch of the same span is another
        file."""
        gone = ("records/T/1.gone.json", b'{"gone":true}')
        first = self.write("a.hvault", b"a", None, ("records/T/1.json", b"old"), gone)
        new = ("records/T/1.json", b"new"), ("records/T/1.gone.part2.json", b'{"gone":true}')
        whole = dict(new) | {"manifest.json.zst": zst(b"{}")}
        self.write("b.hvault", b"b", first | {"supersedes": ["records/T/1.ndjson"]}, *new)
        self.assertEqual(self.read(), whole | dict([gone]))
        self.write("b.hvault", b"b", first | {"supersedes": ["records/T/1.gone.ndjson", "records/T/1.ndjson"]}, *new)
        self.assertEqual(self.read(), whole)

    def test_any_candidate_that_passes_will_do(self):
        link = self.write("a.hvault", b"a", None, ("x", noise(50_000)))
        right, key = (self.folder / "a.hvault").read_bytes(), self.keys[link["vault"], link["index"]]
        self.write("b.hvault", b"b", link)
        self.write("other", b"a", None, ("x", b"wrong"), file_key=key)
        other = (self.folder / "other").read_bytes()
        self.write("foreign", b"a", None, ("x", noise(50_000)))
        foreign = (self.folder / "foreign").read_bytes()
        for wrong, text in ((other, "otherPredecessor"), (foreign, "otherPredecessor"),
                            (right[:64], "incomplete"), (flip(right, 4096), "segmentDamaged(0)"),
                            (flip(right, 4152), "chunkDamaged(0,0)"), (right[:4096] + foreign[4096:], "truncated"),
                            (flip(right[:4096], 4095) + flip(right, len(right) - 1)[4096:], "headerDamaged")):
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
        self.refused("predecessorMissing")

    def test_the_error_is_that_of_the_first_candidate(self):
        link = self.write("a", b"a")
        key = self.keys[link["vault"], link["index"]]
        self.write("b.hvault", b"b", link)
        self.decoy("0.hvault", "a", (100_001, 1))
        (self.folder / "1.hvault").write_bytes(bytes(4096) + (self.folder / "a").read_bytes()[4096:8192])
        self.write("a", b"a", None, ("x", b"other"), file_key=key)
        self.refused("a: otherPredecessor")
        (self.folder / "a").unlink()
        self.refused("0.hvault: otherPredecessor")
        (self.folder / "0.hvault").unlink()
        self.refused("predecessorMissing")

    def test_a_predecessor_may_be_split(self):
        """It is found by the name that it had in one piece, by that of its first volume, and by any other."""
        link = self.write("a.hvault", b"a", None, ("x", noise(50_000)))
        data = (self.folder / "a.hvault").read_bytes()
        (self.folder / "a.hvault").unlink()
        for name in "a.hvault", "z.hvault":
            for number, start in enumerate((0, 20_000, 50_000), start=1):
                (self.folder / f"{name}.{number:03}").write_bytes(data[start:(20_000, 50_000, None)[number - 1]])
            for hint in "a.hvault", "a.hvault.001", "elsewhere":
                self.write("b.hvault", b"b", link | {"name": hint})
                self.assertEqual(self.read()["x"], noise(50_000))
            for number in 1, 2, 3:
                (self.folder / f"{name}.{number:03}").unlink()

    def test_one_header_is_enough(self):
        link = self.write("a.hvault", b"a", None, ("x", b"x"))
        self.write("b.hvault", b"b", link)
        right = (self.folder / "a.hvault").read_bytes()
        for data in (flip(right, 200), flip(right, len(right) - 1), right[:-4096], right[:-100],
                     bytes(4096) + right[4096:]):
            (self.folder / "a.hvault").write_bytes(data)
            self.assertEqual(self.read()["x"], b"x")

    # SECURITY.md: "key derivation has its own limits (section 13)"
    def test_only_the_archive_itself_takes_its_passphrase(self):
        """Neither what it continues nor what looks like that costs a derivation, whatever its slots ask for."""
        first = self.write("a.hvault", b"a", None, ("x", b"x"), passphrase=b"another one", seed=2)
        second = self.write("b.hvault", b"b", first, ("y", b"y"), passphrase=b"a third one", seed=3)
        self.write("c.hvault", b"c", second)
        for number in range(9):
            self.decoy(f"{number}.hvault", "a.hvault", (10_000_000, number + 1))
            self.decoy(f"z{number}.hvault", "b.hvault", (10_000_000, number + 1))
        whole = {"x": b"x", "y": b"y", "manifest.json.zst": zst(b"{}")}
        for renamed in False, True:
            self.assertEqual(self.read("c.hvault"), whole)
            salt = (self.folder / "c.hvault").read_bytes()[132:164]
            self.assertEqual(set(self.derived), {(salt, ITERATIONS)})
            if not renamed:
                (self.folder / "a.hvault").rename(self.folder / "m.hvault")
                self.decoy("a.hvault", "m.hvault", (10_000_000, 1), (10_000_000, 2))

    # SECURITY.md: "key derivation has its own limits (section 13)"
    def test_the_iterations_of_the_archive_itself_are_limited(self):
        self.write("b.hvault", b"b")
        self.decoy("b.hvault", "b.hvault", *((4_000_000, i) for i in range(6)))
        self.refused("kdfRefused")
        self.assertEqual(self.derived, [])

    def test_the_key_of_the_predecessor(self):
        link = self.write("a.hvault", b"a", None, ("x", b"x"))
        vault, index = bytes.fromhex(link["vault"]), bytes.fromhex(link["index"])
        key, own = self.keys[link["vault"], link["index"]], noise(32)
        right = write_container.predecessor_key(own, vault, index, key)
        self.write("b.hvault", b"b", link | {"key": right}, file_key=own)
        self.assertEqual(self.read()["x"], b"x")
        other = write_container.predecessor_key(own, vault, index, noise(32))
        for text, *keys in (
                ("no right key", "0" * 96, flip(bytes.fromhex(right), 47).hex(),
                 write_container.predecessor_key(noise(31) + b"x", vault, index, key),
                 write_container.predecessor_key(own, index, vault, key),
                 write_container.predecessor_key(own, vault, vault, key)),
                ("otherPredecessor", other),
                ("breaks the rules", right.upper(), right[:-2], right + "00", right[:-1] + "\n", 5, None)):
            for wrong in keys:
                with self.subTest(wrong=wrong):
                    self.write("b.hvault", b"b", link | {"key": wrong}, file_key=own)
                    self.refused(text)
        # Read alone, an archive needs no other one.
        links = decrypt.chain(self.folder / "b.hvault", PASSPHRASE, alone=True)
        self.assertEqual([name for name, _ in decrypt.members_of_all(links)], ["session.json", "manifest.json.zst"])

    def test_a_name_is_only_a_hint(self):
        link = self.write("a.hvault", b"a")
        (self.folder / "below").mkdir()
        for name in ("below/a.hvault", "../a.hvault", "/", "", ".", "..", "below", "gone", "x" * 5000, "\0", "\udc80"):
            with self.subTest(name=name):
                self.write("b.hvault", b"b", link | {"name": name})
                self.assertEqual(self.read(), {"manifest.json.zst": zst(b"{}")})
        (self.folder / "a.hvault").rename(self.folder / "below" / "a.hvault")
        self.write("b.hvault", b"b", link | {"name": "below/a.hvault"})
        self.refused("predecessorMissing")

    def test_something_else_in_the_place_of_the_predecessor(self):
        link = self.write("a.hvault", b"a")
        self.write("b.hvault", b"b", link)
        (self.folder / "a.hvault").unlink()
        (self.folder / "a.hvault").symlink_to("nowhere")
        self.refused("predecessorMissing")
        (self.folder / "nowhere").write_bytes(b"a text")
        self.refused("a.hvault: otherPredecessor")
        (self.folder / "a.hvault").unlink()
        (self.folder / "a.hvault").mkdir()
        self.refused("a.hvault: otherPredecessor")

    def test_each_path_counts_once(self):
        piece, batch = ("files/a.zst.0000", zst(b"x")), ("records/T/1.json.zst", zst(b"{}"))
        for old, new, superseded, text in (
                (piece, piece, [], "another archive has the same file"),
                (piece, ("files/a.zst.0001", zst(b"x")), [], "another archive has the same file"),
                (batch, ("records/T/1.ndjson", b""), [], "another archive has the same file"),
                (("prologue.xml.zst", zst(b"x")), ("prologue.xml", b""), [], "another archive has the same file"),
                (("files/a", b"x"), piece, [], "another archive has the same file"),
                (("bundles/0000.tar.zst", [("files/a", b"x")]), piece, [], "another archive has the same file"),
                (batch, ("bundles/0000.tar.zst", [("records/T/1.json", b"")]), [], "another archive has the same file"),
                (("manifest.json", b""), ("x", b"x"), [], "entryMismatch: 'manifest.json'"),
                (piece, piece, ["files/b"], "another archive has the same file")):
            with self.subTest(old=old[0], new=new[0], superseded=superseded):
                self.write("b.hvault", b"b", self.write("a.hvault", b"a", None, old) | {"supersedes": superseded}, new)
                self.refused(text)
        # The oldest may be the one with the same file.
        first = self.write("a.hvault", b"a", None, piece)
        self.write("c.hvault", b"c", self.write("b.hvault", b"b", first), piece)
        self.refused("a.hvault: another archive has the same file", "c.hvault")

    def test_the_first_entry_may_be_in_a_bundle(self):
        link = self.write("a.hvault", b"a", None, ("x", b"x"))
        self.write("b.hvault", b"b", link, inside=True)
        self.assertEqual(self.read()["x"], b"x")

    def test_name_and_list_may_be_missing(self):
        link = self.write("a.hvault", b"a", None, ("x", b"x"))
        self.write("b.hvault", b"b", {name: link[name] for name in ("vault", "index")})
        self.assertEqual(self.read()["x"], b"x")

    def test_what_is_malformed(self):
        link = self.write("a.hvault", b"a", None, ("prologue.xml", b"x"))
        rules, own = "breaks the rules", hashlib.sha256(b"b" + b"b.hvault").digest()
        key = write_container.predecessor_key(own, bytes.fromhex(link["vault"]), bytes.fromhex(link["index"]),
                                              self.keys[link["vault"], link["index"]])
        link |= {"key": "0" * 96}
        for wrong, text in ((link | {"supersedes": ["session.json"]}, rules),
                            (link | {"supersedes": ["manifest.json"]}, rules),
                            (link | {"supersedes": "files/a"}, rules), (link | {"supersedes": ["files/a", 5]}, rules),
                            (link | {"name": 5}, rules), (link | {"key": key, "name": "\ud800"}, ""),
                            (link | {"key": key, "name": "\udcc3\udca9"}, ""),
                            (link | {"key": key, "supersedes": ["\udcc3\udca9"]}, ""), (link | {"vault": "00"}, rules), (link | {"index": ""}, rules),
                            (link | {"vault": 5}, rules), ({}, ""), ([], ""), (5, ""), ("", ""), (False, "")):
            with self.subTest(wrong=wrong):
                self.write("b.hvault", b"b", wrong, ("prologue.xml", b"x"))
                self.refused(text)


class TestKit(unittest.TestCase):
    def test_every_file_is_judged_as_it_says(self):
        """The program's own reader is held to the same files."""
        folder = Path(__file__).resolve().parents[3] / "Fixtures" / "containers"
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
