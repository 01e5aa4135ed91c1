#!/usr/bin/env python3
"""Makes the figures of the worked archives in SECURITY.md: a small archive, one that continues it, every key on the way to
what is in them, and cases that a reader must refuse.

    describe_vector.py              (prints them)
    describe_vector.py SECURITY.md  (writes them into the text)

A figure stands in the text as a block of code, or as a table, below the line `<!-- NAME -->`. Nothing here depends on the
version of a library, so `test_reference.Text` holds the text to be what this program makes.
"""
import hashlib
import io
import json
import re
import sys
import zlib
from pathlib import Path

import write_container
from decrypt import Container, hkdf_expand, lacking, ndjson, pbkdf2, prepare, segment_keys, unpacked_index, unzstd

PASSPHRASE = b"correct horse battery staple"
TYPED = "cafe\u0301\u00a0\u2003Zürich\r\n".encode()
ITERATIONS = 100_000
BATCH = {"format": "healthvault batch 1", "element": "Record", "type": "HKQuantityTypeIdentifierBodyMass", "span": "all",
         "part": 1, "count": 2,
         "contexts": [[["type", "HKQuantityTypeIdentifierBodyMass"], ["unit", "kg"], ["startDate", 60], ["value"]]],
         "context": [0, 0], "columns": {"startDate": [1704434400, 86400], "value": ["71.50", "71.2"]},
         "position": [2, 1], "content": [0, 0], "contents": []}
ROUTE = bytes(983_040) + b"the end\n"
FRAMES = (
    "28b52ffd60000b8d0a00b6d0361f20931e83e319fbee067f9fcf6a0262dc8e85be1d06698fefa152c000a867762d002f002c00b1364042"
    "c11d3d464c6ad91a3990bc3a8a43eb6ed5dfded6507b4fd0af5bb749eaeea99bbc3a51bc182a69c5022f3d66d8c0ef57a517f6f4838486"
    "8349ad2692d203d63a24b3d0458dd6255a1c11cb26d95b3ffd461e8d80b5545a098edf9a972957398aa20c6cbf137f4a9756d8bdea9894"
    "3e1db311cb5e32e3156564c70fca54de29d0cbeb9c4c9f6a3e274d6abd6529c6ee5349ae07d123349c0aae1b4201844d789e795dd9aeab"
    "aae278a5737a7a673c66c3012f20c0249823930eb34005ce9b4a0ab1889806b42f7962e0037e06ca0300890168030a102cad4dd80132e2"
    "9a05e04c1d32c082053a5e00f1fa3bb6f5cc2e0485a02800030286016a0c001bc2c1089041001772f7a3f5c65609e846182027d603a339"
    "aa98a324204d7002849a77c2002e9af817",
    "28b52ffd602501e50a00d6584a1e406f1e0c85346bdadc7187a2aa84401a03d3bff55d775352591e154571414200400045008c2fe7747e"
    "6ced6da633ae042699034a801faa5264b6d31f49a92d0ba7f13f5396be9956384a259602281857fd2c7fa2cdf47433751aba3737b39c96"
    "ee83a797b42591c685ee04997e461f35d30dadd12ee99c5a367a838d82b5512e9962cf1a83b54e1b5f235f6ccf2e67d44daf4c4ae8b681"
    "edf4732e1db819d898d38edc901eead539bb569d0dc277f6e2a38b3d46a1d3c679c66f1f49468c8bbbc7dc922e7e0420480a3096074abd"
    "83e91ffbb5f0104a82929f2cc908c24010e03a5dfa13737187a249e0031746afd63ecad84c599b27e9a28d41d6fca9e8ec3b8cb4d109bd"
    "4aeb8f42ba666748e2661897768bc6daea74a6987c459fb7d944a5bc51ba9a6c6fd51512000908c2e5b82bb08d2521ebe55d1822364366"
    "c160bd8041b5c80b03d31373785513307881802beb0003008a019309",
)
LABEL = b"c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0"


# Making the archives --------------------------------------------------------------------------------------------------

def compact(value):
    return json.dumps(value, separators=(",", ":")).encode()


def runs(content):
    """A content in blocks: bytes, and how often they stand there where that is more than once."""
    start = 0
    for run in re.finditer(rb"(?s)(.)\1{15,131071}", content):
        yield content[start:run.start()], 1
        yield run[1], run.end() - run.start()
        start = run.end()
    yield content[start:], 1


def frame(content):
    """A zstd frame of a stated length in which a run of one byte stands once. It is the same with any version of zstd."""
    blocks = [(data, count) for data, count in runs(content) if data] or [(b"", 1)]
    assert all(len(data) <= 2**17 for data, _ in blocks)
    return bytes.fromhex("28 B5 2F FD A0") + len(content).to_bytes(4, "little") + b"".join(
        (last | (2 if count > 1 else 0) | (count if count > 1 else len(data)) << 3).to_bytes(3, "little") + data
        for (data, count), last in zip(blocks, [False] * (len(blocks) - 1) + [True]))


def compressed(content):
    """The frame of a content, out of those that zstd once made. Other versions of it would make others."""
    for made in map(bytes.fromhex, FRAMES):
        if unzstd(made) == content:
            return made
    return frame(content)


def build(members, passphrase, seed, change=lambda part, value: value, **more):
    """An archive whose frames do not depend on the version of zstd."""
    seen = {}

    def changed(part, value):
        seen[part] = value = change(part, value)
        return compressed(seen["bundle"]) if part == "bundle frame" else (
            compressed(seen["index text"]) if part == "index frames" else value)

    return write_container.build(members, prepare(passphrase), ITERATIONS, 1, write_container.seeded(seed), tool="vector",
                                 change=changed, **more)


def batch():
    # Numbers keep their spelling: these are no strings.
    return compact(BATCH).replace(b'"71.50","71.2"', b"71.50,71.2")


def first(**more):
    """An archive whose passphrase has a label."""
    members = [("bundles/0000.tar.zst", [("prologue.xml", b'<?xml version="1.0"?>\n'),
                                         ("records/HKQuantityTypeIdentifierBodyMass/all.json", batch())]),
               ("manifest.json.zst", frame(b'{"manifest":1}\n'))]
    return build(members, PASSPHRASE, 16, labels={0: "paper in the safe"}, **more)


def manifest():
    """That of the second archive: it lists what is missing."""
    crc32 = f"{zlib.crc32(ROUTE):08x}"
    return compact({
        "manifest": 1, "samples": 2,
        "failedBatches": [{"element": "Record", "type": "HKQuantityTypeIdentifierHeartRate", "span": "2023-H1", "part": 1,
                           "count": 1200}],
        "files": [{"name": "route.gpx", "path": "files/route.gpx", "length": len(ROUTE), "crc32": crc32,
                   "damaged": True}]}) + b"\n"


def second(change=lambda link: link):
    """An archive that continues the first one, in two segments."""
    before, own = opened(first(), PASSPHRASE), write_container.seeded(17)(32)
    vault, index = bytes.fromhex(before.vault), bytes.fromhex(before.index)
    session = compact({"session": 1, "continues": change({
        "vault": before.vault, "index": before.index, "name": "health.hvault",
        "key": write_container.predecessor_key(own, vault, index, before.file_key), "supersedes": ["prologue.xml"]})})
    members = [("session.json", session), ("zeros.bin", bytes(16_000)),
               ("files/route.gpx.zst.0000", frame(ROUTE[:983_040])), ("files/route.gpx.zst.0001", frame(ROUTE[983_040:])),
               ("manifest.json.zst", frame(manifest()))]
    return build(members, typed(), 17, file_key=own)


def typed():
    """The passphrase of the second archive without its line end, before anything else is done to it."""
    return TYPED[:-2]


def opened(data, passphrase):
    return Container(io.BytesIO(data), passphrase)


# Describing them ------------------------------------------------------------------------------------------------------

def lines(data):
    return "".join(f"  {data[at:at + 56].hex()}\n" for at in range(0, len(data), 56))


def named(values):
    return "".join(f"{name}:\n{lines(value)}" for name, value in values.items())


def keys(data, passphrase):
    """What is derived for a whole archive, by its name in the text."""
    preamble, slot = data[:64], data[128:256]
    secret = pbkdf2(prepare(passphrase), slot[4:36], ITERATIONS)
    file_key = write_container.AESGCM(secret[:32]).decrypt(slot[68:80], slot[80:], preamble + slot[:68])
    return {"passphrase bytes": prepare(passphrase), "T": secret, "FK": file_key,
            "HK": hkdf_expand(file_key, b"healthvault/v1 header", 64),
            "SK": hkdf_expand(file_key, b"healthvault/v1 segment", 32),
            "LK": hkdf_expand(file_key, b"healthvault/v1 labels", 32)}


def header_parts(data):
    """The bytes of a header with one key slot that are not zero."""
    return {f"bytes {start} to {end - 1}": data[start:end] for start, end in ((0, 256), (1152, 2204), (4000, 4096))}


def segments(container):
    """For each segment its context, what is derived from that, and the tags of its chunks."""
    values = {}
    for i in range(container.count):
        place = container.place(i)
        before, head = (container.read(container.place(i - 1), 24) if i else bytes(24)), container.read(place, 56)
        context = container.preamble + i.to_bytes(8, "big") + bytes([i == container.count - 1]) + before
        sealed = container.read(place + 56, min(container.full, container.end - place) - 56)
        chunks = [sealed[at:at + 16_400] for at in range(0, len(sealed), 16_400)]
        assert segment_keys(container.key, context, head)
        values |= {f"salt of segment {i}": head[:24], f"context of segment {i}": context,
                   f"key, base, commitment of segment {i}": hkdf_expand(
                       container.key, LABEL + head[:24] + context, 76)}
        values |= {f"tag of chunk {c} of segment {i}": chunk[-16:] for c, chunk in enumerate(chunks)}
    return values


def sparse(data):
    """The lines of 48 bytes that are not zero."""
    return "".join(f"{at:6} {data[at:at + 48].hex()}\n" for at in range(0, len(data), 48) if any(data[at:at + 48]))


def broken(text, width=118):
    """A JSON text in several lines: a line break and a space come after some of its commas."""
    out, line = "", ""
    for part in re.findall(r"[^,]*,|[^,]+$", text):
        if line and len(line) + len(part) > width:
            out, line = out + line + "\n", " "
        line += part
    return out + line + "\n"


def stream(container):
    return container.take(0, container.total)


def index_text(container):
    return unpacked_index(container.take(container.payload, container.padding))


def digests(values):
    return "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in values.items())


def folder(files):
    """The file SHA256SUMS of a plain folder."""
    return digests(dict(sorted(files.items())))


# Cases that must fail -------------------------------------------------------------------------------------------------

def both(data, at, value):
    """Both headers with other bytes at a place, and digests that fit."""
    header = write_container.resealed(data[:at] + value + data[at + len(value):4096])
    return header + data[4096:-4096] + header


def flip(data, at):
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]


def changing(part, change):
    return lambda name, value: change(value) if name == part else value


def renamed(index):
    index["entries"][1]["name"] = "../manifest.json.zst"
    return index


def cases():
    """What is done to the first archive, the archive, the passphrase, and what a reader says."""
    data = first()

    def number(value):
        return value.to_bytes(4, "big")

    def with_index(change):
        return first(change=changing("index", change))

    yield "the file ends after byte 6", data[:7], PASSPHRASE, "notContainer"
    yield "byte 0 of both headers is 88", both(data, 0, b"\x88"), PASSPHRASE, "notContainer"
    yield "the file ends after byte 63", data[:64], PASSPHRASE, "incomplete"
    yield "the file ends after byte 4095", data[:4096], PASSPHRASE, "incomplete"
    yield "byte 8 of both headers is 2", both(data, 8, b"\2"), PASSPHRASE, "unsupportedVersion"
    yield "byte 9 of both headers is 2", both(data, 9, b"\2"), PASSPHRASE, "unsupportedSuite"
    yield "byte 127 of both headers is 1", both(data, 127, b"\1"), PASSPHRASE, "malformedHeader"
    yield "byte 300 of both headers is 1", both(data, 300, b"\1"), PASSPHRASE, "malformedHeader"
    yield "`seg_chunks` of both headers is 65,537", both(data, 12, number(65_537)), PASSPHRASE, "malformedHeader"
    for iterations in 99_999, 10_000_001:
        yield (f"the iterations of key slot 0 of both headers are {iterations:,}", both(data, 128, number(iterations)),
               PASSPHRASE, "kdfRefused")
    yield ("the iterations of key slot 0 of both headers are 100,001", both(data, 128, number(100_001)), PASSPHRASE,
           "wrongPassphrase")
    yield "the passphrase ends in `stable`", data, b"correct horse battery stable", "wrongPassphrase"
    for at, name in (132, "salt"), (164, "commitment"):
        yield (f"a bit of the {name} of key slot 0 is flipped in both headers (byte {at})",
               both(data, at, bytes([data[at] ^ 1])), PASSPHRASE, "wrongPassphrase")
    for at, name in (196, "nonce"), (208, "ciphertext"), (255, "tag"):
        yield (f"a bit of the {name} of key slot 0 is flipped in both headers (byte {at})",
               both(data, at, bytes([data[at] ^ 1])), PASSPHRASE, "slotDamaged")
    yield "the generation of both headers is 2", both(data, 71, b"\2"), PASSPHRASE, "headerTampered"
    yield "a bit of the HMAC is flipped in both headers (byte 4095)", both(
        data, 4095, bytes([data[4095] ^ 1])), PASSPHRASE, "headerTampered"
    rotten = flip(data[:4096], 71)
    yield ("the same, and the digests are not made anew", rotten + data[4096:-4096] + rotten, PASSPHRASE, "headerDamaged")
    yield "a bit of chunk 0 is flipped (byte 4152)", flip(data, 4152), PASSPHRASE, "chunkDamaged(0,0)"
    yield "a bit of the tag of chunk 0 is flipped (byte 8191)", flip(data, 8191), PASSPHRASE, "chunkDamaged(0,0)"
    for at, name in ((0, "its text"), (8, "`payload_len`"), (24, "`total_len`"), (32, "the digest")):
        yield (f"sealed with another footer: a bit of {name} is flipped", first(
            change=changing("footer", lambda footer: flip(footer, at))), PASSPHRASE, "badFooter")
    yield ("sealed with another index: `version` is 2", with_index(lambda index: index | {"version": 2}), PASSPHRASE,
           "badFooter")
    yield ("sealed with another index: `salts` is empty", with_index(lambda index: index | {"salts": []}), PASSPHRASE,
           "badFooter")
    yield ("sealed with another index: an entry is named `../manifest.json.zst`", with_index(renamed), PASSPHRASE,
           "entryMismatch")
    yield ("sealed with another index: the bundle has no `members`", with_index(lambda index: index | {"entries": [
        {name: value for name, value in entry.items() if name != "members"} for entry in index["entries"]]}), PASSPHRASE,
           "entryMismatch")
    yield ("sealed with another index: the digest of an entry is zero", with_index(lambda index: index | {"entries": [
        entry | {"sha256": "0" * 64} for entry in index["entries"]]}), PASSPHRASE, "entryMismatch")


def allowed():
    """What is done to the first archive, which opens all the same, and the warning."""
    data = first()
    yield "the second header is missing (the last 4096 bytes)", data[:-4096], "spareHeaderMissing"
    yield "the last byte is missing", data[:-1], "spareHeaderDamaged"
    yield "a bit of the first header is flipped (byte 200)", flip(data, 200), "primaryHeaderDamaged"
    yield "the first header is zero", bytes(4096) + data[4096:], "primaryHeaderDamaged"
    yield "the second header is zero", data[:-4096] + bytes(4096), "spareHeaderDamaged"


BATCH_CASES = (
    ('"count":2', '"count":3', "a count that is not that of the rows"),
    ('"position":[2,1]', '"position":[2,0]', "two rows at one position"),
    ('"position":[2,1]', '"position":[281474976710655,1]', "a position of 2^48"),
    ('"context":[0,0]', '"context":[0,1]', "a layout that does not exist"),
    ('"content":[0,0]', '"content":[0,1]', "a content that does not exist"),
    ('71.50,71.2', '71.50', "a column that is too short"),
    ('71.50,71.2', '71.50,71.2,71', "a column that is too long"),
    ('71.50,71.2', '71.50,[2]', "a repetition that makes a column too long"),
    ('71.50,71.2', '[1],71.50', "a repetition of nothing"),
    ('71.50,71.2', '71.50,[0],71.2', "a repetition that is none"),
    ('71.50,71.2', '71.50,[1,1]', "a repetition of two numbers"),
    ('71.50,71.2', '71.50,["1"]', "a repetition of so many as a text says"),
    ('71.50,71.2', '71.50,[4294967296]', "a repetition of 2^32"),
    ('"content":[0,0]', '"content":[[1],0]', "a repetition of nothing in place of a content"),
    ('"content":[0,0]', '"content":[0,[2]]', "a repetition for more rows than there are"),
    ('"context":[0,0]', '"context":[0,[1]]', "a repetition among the layouts"),
    ('"count":2', '"count":1048577', "more than 2^20 rows"),
    ('71.50,71.2', '71.50,71.2,null', "a column that is too long, by null"),
    ('71.50,71.2', '71.50,null', "a value that is neither string nor number"),
    ('71.50,71.2', '71.50,071', "a number that is not JSON"),
    ('71.50,71.2', '71.50,"\\ud800"', "a lone surrogate that is not a byte"),
    ('["startDate",60]', '["startDate",1440]', "an offset of a day"),
    ('["startDate",60]', '["startDate","a","b","c"]', "a field of four members"),
    ('[1704434400,86400]', '[1704434400,86400.0]', "a time that is not an integer"),
    ('[1704434400,86400]', '[253402300800,0]', "a time in the year 10000"),
    ('71.50,71.2', '71.50,"\\udcc3\\udca9"', "a value whose bytes are a character"),
    ('["unit","kg"]', '["unit","\\udcc3\\udca9"]', "the same in a layout"),
    ('["value"]]],"context":[0,0],"columns":{"startDate":[1704434400,86400],"value":[71.50,71.2]',
     '["value","a\\udcc3",""]]],"context":[0,0],"columns":{"startDate":[1704434400,86400],"value":["b","c"]',
     "a byte before a value"),
    ('["value"]]],"context":[0,0],"columns":{"startDate":[1704434400,86400],"value":[71.50,71.2]',
     '["value","","\\udca9a"]]],"context":[0,0],"columns":{"startDate":[1704434400,86400],"value":["b","c"]',
     "a byte behind a value"),
    ('["unit","kg"]', '["","kg"]', "an attribute without a name"),
    ('["unit","kg"]', '["\\udc80","kg"]', "a name that is not UTF-8"),
    ('["unit","kg"]', '["a=b","kg"]', "a name that no element can have"),
    ('["unit","kg"]', '["!a","kg"]', "one that begins other markup"),
    ('["unit","kg"]', '["unit ","kg"]', "one that ends with a space"),
    ('"element":"Record"', '"element":"Re cord"', "an element with a space in its name"),
    ('["value"]]]', '["value"]],[["a",1440]]]', "a wrong layout that no row has"),
    ('"columns":{', '"columns":{"value":[],', "two columns of one name"),
    ('"contents":[]', '"contents":[{}]', "an empty content"),
    ('"contents":[]', '"contents":[{"A":[]},{"B":[]},{"C":[]}]', "more contents than rows"),
    ('"contents":[]', '"contents":[{ "metadata":[]}]', "a content that begins with a space"),
    ('"contents":[]', '"contents":[{"value":[]}]', "a content with a member that an attribute may have"),
    ('"contents":[]', '"contents":[{"HKCharacteristicX":[]}]', "another one"),
    ('"contents":[]', '"contents":[{"Value":"1"}]', "a content with a member that is no list"),
    ('"contents":[]', '"contents":[{"metadata":[],"metadata":[]}]', "a content with the same member twice"),
    ('"contents":[]', '"contents":[],"gone":true', "the mark of a gone batch in one that is not gone"),
    ('batch 1', 'batch 2', "another format"))


OURS, APPLES = "2024-01-05T07:00:00+01:00", "2024-01-05 07:00:00 +0100"
# The layout and the columns of a batch of one row, and what is in its line.
ROW_CASES = (
    ('[["value"]]', '{"value":[71.50]}', '"value":71.50'),
    ('[["value"]]', '{"value":["71.50"]}', '"value":"71.50"'),
    ('[["unit"],["startDate"]]', '{"unit":[1e400],"startDate":[5]}', '"unit":1e400,"startDate":5'),
    ('[["position","a"],["value"],["note"]]', '{"value":["5"],"note":[6]}',
     '"attributes":[["position","a"],["value","5"],["note","6"]],"value":"5","note":6'),
    ('[["a","5"],["a"],["value","5"]]', '{"a":[7]}',
     '"attributes":[["a","5"],["a","7"],["value","5"]],"a":"5","value":"5"'),
    ('[["position","a"],["startDate"]]', '{"startDate":[5]}',
     '"attributes":[["position","a"],["startDate","5"]],"startDate":5'),
    ('[["startDate",60]]', '{"startDate":[1704434400]}', f'"startDate":"{OURS}"'),
    (f'[["startDate","{OURS}"]]', '{}', f'"attributes":[["startDate","{OURS}"]],"startDate":"{OURS}"'),
    ('[["startDate","2024-01-05T","+01:00"]]', '{"startDate":["07:00:00"]}',
     f'"attributes":[["startDate","{OURS}"]],"startDate":"{OURS}"'),
    ('[["startDate"]]', f'{{"startDate":["{OURS}"]}}', f'"attributes":[["startDate","{OURS}"]],"startDate":"{OURS}"'),
    (f'[["startDate","{APPLES}"]]', '{}', f'"startDate":"{APPLES}"'),
    ('[["startDate"]]', f'{{"startDate":["{APPLES}"]}}', f'"startDate":"{APPLES}"'),
    (f'[["position","a"],["startDate","{APPLES}"]]', '{}',
     f'"attributes":[["position","a"],["startDate","{APPLES}"]],"startDate":"{APPLES}"'),
    ('[["position","a"],["note",60]]', '{"note":[1704434400]}',
     f'"attributes":[["position","a"],["note","{APPLES}"]],"note":"{OURS}"'),
    ('[["note","a","b"]]', '{"note":["\\udcc3é"]}', '"note":"a\\udcc3éb"'),
    ('[["note"]]', '{"note":["\\u0041\\/\\u000a"]}', '"note":"A/\\n"'),
    ('[["start startDate","5"]]', '{}', '"start startDate":"5"'))


def row_batch(layout, columns):
    return ('{"format":"healthvault batch 1","element":"Record","type":"","span":"all","part":1,"count":1,"contexts":['
            f'{layout}],"context":[0],"columns":{columns},"position":[7],"content":[0],"contents":[]}}').encode()


def row_line(members):
    return f'{{"element":"Record","position":7,{members}}}\n'


def chain_cases():
    """What is done to the second archive, the change of `continues`, and what comes of it: an error, or the files."""
    def without(name):
        return lambda link: {key: value for key, value in link.items() if key != name}

    def flipped(link):
        return link | {"key": flip(bytes.fromhex(link["key"]), 47).hex()}

    yield "the small archive is missing", None, "`predecessorMissing`"
    yield "`continues` is `null`", lambda link: None, "`badContent`"
    for name in "vault", "index", "key":
        yield f"`{name}` is missing", without(name), "`badContent`"
    yield "a bit of `key` is flipped", flipped, "`badContent`"
    for name in "session.json", "manifest.json":
        yield f"`supersedes` has `{name}`", lambda link, name=name: link | {"supersedes": [name]}, "`badContent`"
    yield "`index` is another one, and `key` made for it", other_index, "`otherPredecessor`"
    yield "`name` is missing", without("name"), "the same folder"
    yield "`name` is `elsewhere.hvault`", lambda link: link | {"name": "elsewhere.hvault"}, "the same folder"
    yield "`supersedes` has `../x` too", lambda link: link | {"supersedes": ["prologue.xml", "../x"]}, "the same folder"
    yield "`supersedes` is missing", without("supersedes"), "`prologue.xml` too"


def other_index(link):
    own, small = write_container.seeded(17)(32), opened(first(), PASSPHRASE)
    index = bytes(32)
    return link | {"index": index.hex(), "key": write_container.predecessor_key(
        own, bytes.fromhex(link["vault"]), index, small.file_key)}


def table(head, rows):
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (head, ["---"] * len(head), *rows))


# The figures ----------------------------------------------------------------------------------------------------------

def figures():
    """The figures by their names: what stands in a block of code, or a table."""
    data, after = first(), second()
    small, chained = opened(data, PASSPHRASE), opened(after, typed())
    content = write_container.tar([("prologue.xml", b'<?xml version="1.0"?>\n'),
                                   ("records/HKQuantityTypeIdentifierBodyMass/all.json", batch())], 0)[0]
    rows = b"".join(ndjson(batch())).decode()
    assert len(data) == 3 * 4096
    parts = header_parts(data) | {"bytes 4096 to 8191": data[4096:8192]}
    link = hkdf_expand(chained.file_key, b"healthvault/v1 predecessor" + small.preamble[32:] + bytes.fromhex(small.index), 44)
    session = chained.take(512, 512 + chained.entries[0]["length"]).decode()
    plain = {"prologue.xml": b'<?xml version="1.0"?>\n', "manifest.json": b'{"manifest":1}\n',
             "records/HKQuantityTypeIdentifierBodyMass/all.ndjson": rows.encode()}
    both_plain = {"zeros.bin": bytes(16_000), "files/route.gpx": ROUTE, "manifest.json": manifest(),
                  "records/HKQuantityTypeIdentifierBodyMass/all.ndjson": rows.encode()}
    return {
        "small archive: keys": named(keys(data, PASSPHRASE) | segments(small)),
        "small archive: file": named(parts),
        "small archive: stream": sparse(stream(small)),
        "small archive: index": broken(index_text(small)),
        "small archive: batch": broken(batch().decode()),
        "small archive: rows": "".join(map(broken, rows.splitlines())),
        "small archive: digests": digests({
            "the file": data, "the stream": stream(small), "the text of the index": index_text(small).encode(),
            "the content of the bundle": content, "the batch": batch()}),
        "small archive: SHA256SUMS": folder(plain),
        "second archive: passphrase": named({"as it is read from a file": TYPED, "passphrase bytes": prepare(typed())}),
        "second archive: keys": named({name: value for name, value in keys(after, typed()).items()
                                       if name != "passphrase bytes"} | segments(chained)
                                      | {"predecessor key, nonce": link}),
        "second archive: header": named(header_parts(after)),
        "second archive: stream": sparse(stream(chained)),
        "second archive: session": broken(session),
        "second archive: index": broken(index_text(chained)),
        "second archive: manifest": broken(manifest().decode()[:-1]),
        "second archive: digests": digests({
            "the file": after, "segment 0": after[4096:4096 + 16_472], "segment 1": after[4096 + 16_472:-4096],
            "the stream": stream(chained)}),
        "second archive: SHA256SUMS": folder(both_plain),
        "second archive: warnings": "".join(f"{line}\n" for line in lacking(manifest())),
        "cases: refused": table(["What was done", "What a reader says"], (
            [what, f"`{says}`"] for what, _, _, says in cases())),
        "cases: allowed": table(["What was done", "The warning"], ([what, f"`{word}`"] for what, _, word in allowed())),
        "cases: chains": table(["In `continues`", "What comes of it"], ([what, says] for what, _, says in chain_cases())),
        "cases: batches": table(["In the batch", "Instead", "That is"], (
            [f"`{old}`", f"`{new}`", what] for old, new, what in BATCH_CASES)),
        "cases: rows": table(["Layout", "`columns`", "Members"], ([f"`{cell}`" for cell in row] for row in ROW_CASES)),
    }


def written(name, figure):
    return f"<!-- {name} -->\n" + (figure if figure.startswith("|") else f"```\n{figure}```\n")


def main():
    made = figures()
    if len(sys.argv) == 1:
        print(*(written(*figure) for figure in made.items()), sep="\n", end="")
        return
    path = Path(sys.argv[1])
    text = path.read_text("utf-8")
    for name, figure in made.items():
        pattern = rf"<!-- {re.escape(name)} -->\n(?:```\n(?:(?!```).*\n)*```\n|(?:\|.*\n)+|)"
        text, count = re.subn(pattern, lambda _: written(name, figure), text)
        if count != 1:
            sys.exit(f"{path} has {count} places for “{name}”")
    path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
