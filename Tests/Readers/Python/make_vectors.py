#!/usr/bin/env python3
"""Makes the containers in Fixtures/containers, which say themselves what a reader must make of them.

    make_vectors.py FOLDER            (writes all of them)
    make_vectors.py --check FOLDER    (compares them with what would be written, and tries decrypt.py on them)

A file is a text header, an empty line and a container, in the style of the test kit of age (c2sp.org/CCTV/age):

    expect: what the reader says: success, success with warnings, or the error and its place
    reference: what decrypt.py says instead, where it tells less, or checks what a reader need not
    verify: what a check of a container that can be read finds, where it finds anything
    passphrase: what to open it with
    comment: what was done to it
    released: N DIGEST     one line for each length at which a reader may stop giving out the payload, with the SHA-256
                           of those N bytes; success means the last one

Everything random in a container comes out of a seed (see write_container.py), and the zstd frames are made here, so the
files never change.
"""
import argparse
import contextlib
import hashlib
import io
import sys
import tarfile
from functools import lru_cache
from pathlib import Path

import zstandard

import write_container
import decrypt  # write_container says where it lies

# Where a frame says how long its content is.
STATED = bytes.fromhex("28 B5 2F FD A0")


def block(content, repeated=0, last=True):
    """A block of a zstd frame that holds the content as it is, or one byte so many times."""
    return (last | (2 if repeated else 0) | (repeated or len(content)) << 3).to_bytes(3, "little") + content


def blocks(content):
    """As many as a content takes, the first one small; what is one byte again and again stands there once."""
    starts = [0, *range(1024, len(content), 2**17)]
    pieces = [content[start:end] for start, end in zip(starts, [*starts[1:], len(content)])]
    return b"".join(block(piece[:1], len(piece), number == len(pieces)) if len(piece) > 1 and len(set(piece)) == 1 else
                    block(piece, last=number == len(pieces)) for number, piece in enumerate(pieces, 1))


def frame(content, stated=None):
    """A zstd frame, which may state another length than it has."""
    return STATED + (len(content) if stated is None else stated).to_bytes(4, "little") + blocks(content)


def unstated(content):
    """A frame that does not say how long its content is; its window has a mebibyte."""
    return STATED[:4] + b"\0\x50" + blocks(content)


def described(content, flags, fields=b"", behind=b""):
    """A frame with these flags in its descriptor, the fields that stand before its length, and what stands behind its blocks."""
    return STATED[:4] + bytes([0x80 | flags]) + fields + len(content).to_bytes(4, "little") + blocks(content) + behind


def checksum(content):
    """The checksum of a frame with this content."""
    return zstandard.ZstdCompressor(write_checksum=True).compress(content)[-4:]


write_container.pbkdf2 = lru_cache(maxsize=None)(write_container.pbkdf2)
write_container.frame = frame
PASSPHRASE, ITERATIONS, HEADER, FULL, TIME = "correct horse battery", 100_000, 4096, 16472, 1_767_225_600
SKIPPABLE = bytes.fromhex("50 2A 4D 18 01 00 00 00 78")
MANIFEST = ("manifest.json.zst", frame(b"{}\n"))
MEMBERS = [("session.json", b"{}"), ("notes/a.txt", hashlib.shake_256(b"notes").digest(50_000)), MANIFEST]
FEW = [("session.json", b"{}"), MANIFEST]
INSIDE = [("records/X/all.json", b"{}" * 300), ("files/b", b"b")]
BUNDLED = [("session.json", b"{}"), ("bundles/0000.tar.zst", INSIDE), ("files/a.zst.0000", frame(b"a")),
           ("bundles/0001.tar.zst", [("files/c", b"")]), MANIFEST]


def build(members=MEMBERS, seed=1, **more):
    return write_container.build(members, decrypt.prepare(PASSPHRASE.encode()), ITERATIONS, 1,
                                 write_container.seeded(seed), mtime=TIME, **more)


def changing(part, change):
    """For `build`: one part is another one."""
    return lambda name, value: change(value) if name == part else value


def flip(data, at, mask=1):
    return data[:at] + bytes([data[at] ^ mask]) + data[at + 1:]


def both(data, at, value):
    """Both copies of the header with other bytes at a place, and digests that fit."""
    header = write_container.resealed(data[:at] + value + data[at + len(value):HEADER])
    return header + data[HEADER:-HEADER] + header


def drawing(number, *draws):
    """A source of random bytes in which some draws are others: 2 and 3 are the slot's, from 4 on they are salts."""
    stream, drawn = write_container.seeded(1), -1

    def draw(count):
        nonlocal drawn
        drawn += 1
        return bytes(byte ^ number for byte in stream(count)) if drawn in draws else stream(count)

    return draw


def changed(part, change):
    return build(FEW, change=changing(part, change))


def slots(header, number, value):
    return header[:128 + 128 * number] + value + header[128 + 128 * number + len(value):]


def header_vectors():
    """Name, what a reader says, the data and a comment; of containers with one segment, both headers changed alike."""
    whole = build(FEW)
    slot, other = whole[128:256], build(FEW, seed=2)
    two = build(FEW, change=lambda part, value: slots(value, 1, slot[:4] + bytes(range(124))) if part == "header" else value)
    many = changed("header", lambda header: header[:256] + b"".join(
        (10_000_000).to_bytes(4, "big") + bytes([number]) * 124 for number in range(7)) + header[1152:])
    for size in 0, 1, 4095, 4096, 8192:
        yield (f"bytes_{size}", "notContainer" if size < 8 else "incomplete", whole[:size] + bytes(max(0, size - 4096) and 4096)
               if size < 8192 else whole[:4096] + bytes(4096), "a file of so many bytes")
    yield "random", "notContainer", write_container.seeded(3)(20_000), "nothing but chance"
    yield "crlf", "notContainer", whole.replace(b"\r\n", b"\n"), "line ends changed as in a text"
    for version in 0, 2, 255:
        yield f"version_{version}", "unsupportedVersion", both(whole, 8, bytes([version])), "another version"
    for suite in 0, 2:
        yield f"suite_{suite}", "unsupportedSuite", both(whole, 9, bytes([suite])), "another suite"
    for place in 10, 16, 31, 72, 127, 2204, 3999:
        yield f"reserved_{place}", "malformedHeader", both(whole, place, b"\1"), "a reserved byte that is not zero"
    for chunks in 0, 65537:
        yield (f"segment_chunks_{chunks}", "malformedHeader", both(whole, 12, chunks.to_bytes(4, "big")),
               "segments of a size that there is not")
    yield "empty_slot", "malformedHeader", both(whole, 300, b"\1"), "an empty slot with a byte in it"
    yield "no_slot", "malformedHeader", both(whole, 128, bytes(128)), "no slot in use"
    for iterations in 1, 99_999, 10_000_001, 0xffffffff:
        yield (f"iterations_{iterations}", "kdfRefused", both(whole, 128, iterations.to_bytes(4, "big")),
               "iterations out of range")
    yield "iterations_sum", "kdfRefused", many, "seven more slots of 10,000,000 iterations"
    yield "iterations_other", "wrongPassphrase", both(whole, 128, (100_001).to_bytes(4, "big")), "other iterations"
    yield "slot_salt", "wrongPassphrase", flips(whole, 132), "a bit of the slot's salt"
    yield "slot_commitment", "wrongPassphrase", flips(whole, 164), "a bit of the slot's commitment"
    yield "slot_nonce", "slotDamaged", flips(whole, 196), "a bit of the slot's nonce"
    yield "slot_key", "slotDamaged", flips(whole, 208), "a bit of the sealed file key"
    yield "slot_tag", "slotDamaged", flips(whole, 255), "a bit of the slot's tag"
    yield "vault_id", "slotDamaged", flips(whole, 40), "a bit of the vault's identifier"
    yield "segment_chunks", "slotDamaged", both(whole, 12, (2).to_bytes(4, "big")), "another size of segments"
    for place in 12, 71, 132, 300, 1200, 4000, 4031, 4095:
        rotten = flip(whole[:HEADER], place)
        yield (f"rotten_{place}", "headerDamaged", rotten + whole[HEADER:-HEADER] + rotten,
               "a bit of both headers that their digests do not know of")
    yield "generation", "headerTampered", both(whole, 71, b"\2"), "another generation"
    yield "code", "headerTampered", flips(whole, 4095), "a bit of the authentication code"
    yield "labels", "headerTampered", flips(whole, 1200), "a bit of the labels"
    yield "slot_copied", "headerTampered", both(whole, 256, slot), "the slot copied into an empty one"
    yield "slot_removed", "headerTampered", both(two, 256, bytes(128)), "another slot removed"
    yield "slot_of_another", "slotDamaged", both(other, 128, slot), "the slot of another vault"


def flips(data, at):
    """A bit flipped in both copies of the header."""
    return both(data, at, bytes([data[at] ^ 1]))


def small_vectors():
    """Name, what a reader says, the data and a comment; of containers with one segment."""
    whole = build(FEW)
    rekeyed = write_container.build(FEW, b"another passphrase", ITERATIONS, 1, drawing(1, 2, 3), mtime=TIME,
                                    change=lambda part, value: value[:71] + b"\2" + value[72:] if part == "header" else value)
    other = build(FEW, seed=2)
    entry = {"name": "x", "offset": 512, "length": 2, "sha256": "0" * 64}

    def second(**more):
        return changed("index", lambda index: index | {"entries": [index["entries"][0], index["entries"][1] | more]})

    def footer(at, value):
        return changed("footer", lambda footer: footer[:at] + value + footer[at + len(value):])

    yield "small", "success", whole, "nothing"
    yield "labels_no_tag", "success", changed("labels", lambda value: flip(value, 1051)), "labels whose tag does not match"
    yield "rekeyed_old_headers", "success", whole[:HEADER] + rekeyed[HEADER:-HEADER] + whole[:HEADER], (
        "the headers from before a change of passphrase: nothing is revoked")
    yield "rekeyed", "wrongPassphrase", rekeyed, "the old passphrase, after the change"
    yield "torn_change", "success with warnings", whole[:HEADER] + rekeyed[HEADER:], "one header changed"
    torn = whole[:512] + rekeyed[512:HEADER]
    yield "torn_old", "success with warnings", torn + whole[HEADER:], "the first header torn as the passphrase changed"
    yield ("torn_new", "wrongPassphrase", rekeyed[:-HEADER] + rekeyed[:512] + whole[512:HEADER],
           "the old passphrase, with the second header torn as it changed")
    yield "torn_both", "headerDamaged", torn + whole[HEADER:-HEADER] + torn, "both headers torn"
    yield "trailer_missing", "success with warnings", whole[:-HEADER], "the header at the end removed"
    yield "trailer_magic", "success with warnings", flip(whole, len(whole) - HEADER), "its magic changed"
    yield "header_damaged", "success with warnings", flip(whole, 200), "a bit of the first header flipped"
    yield "header_zero", "success with warnings", bytes(HEADER) + whole[HEADER:], "zeroes for the first header"
    for count in 1, 16, 17, 4095:
        yield f"cut_{count}", "success with warnings", whole[:-count], "so many bytes removed from the end"
    yield "foreign_trailer", "success with warnings", whole[:-HEADER] + other[-HEADER:], "another vault's header behind"
    yield "foreign_header", "success with warnings", other[:HEADER] + whole[HEADER:], "another vault's header in front"
    yield "footer_magic", "badFooter", footer(0, b"X"), "another magic in the footer"
    yield "footer_index", "badFooter", footer(16, (1 << 40).to_bytes(8, "big")), "a longer index than there is room for"
    for at, name in (8, "payload"), (16, "index"), (24, "total"):
        yield f"footer_{name}_overflow", "badFooter", footer(at, b"\xff" * 8), "a length of 2^64 - 1"
    yield "footer_digest", "badFooter", footer(40, b"\0"), "another digest of the index"
    yield "index_no_json", "badFooter", changed("index text", lambda text: b"x" + text[1:]), "an index that is no JSON"
    yield "index_version", "badFooter", changed("index", lambda index: index | {"version": 2}), "an index of another version"
    yield "index_salts", "badFooter", changed("index", lambda index: index | {"salts": []}), "an index without salts"
    for name, more in (("", {"x": "\ud800"}), ("_deep", {"x": [{"y": "\udfff"}]}), ("_member", {"\ud800": 0}),
                       ("_byte", {"tool": "\udc80"}), ("_bytes", {"x": "\udcc3\udca9"})):
        yield (f"index_surrogate{name}", "badFooter", changed("index", lambda index: index | more),
               "a lone surrogate in the index")
    yield "index_surrogate_entry", "badFooter", second(type="\ud800"), "one in an entry"
    yield "index_surrogate_name", "badFooter", second(name="files/\udcc3\udca9"), "a name in bytes that are a character"
    for name, value in ("tool", None), ("created", 5):
        yield (f"index_{name}", "badFooter", changed("index", lambda index: index | {name: value}),
               "what must be a string is none")
    yield "index_no_tool", "success", changed("index", lambda index: {
        name: index[name] for name in ("version", "entries", "salts")}), "an index of its required members alone"
    yield "index_unknown", "success", changed("index", lambda index: index | {
        "x": [None, "\U0001f600", {"y": True}]}), "members that nobody knows"
    yield "entry_overlap", "entryMismatch", second(offset=512), "two entries at one place"
    yield "entry_range", "entryMismatch", second(length=1 << 40), "an entry beyond the payload"
    yield "entry_overflow", "entryMismatch", second(length=(1 << 63) - 1), "an entry of 2^63 - 1 bytes"
    for number, name in enumerate(("../x", "/x", "a/../x", "a//x", ".", "", "a\\x", "a\nx", "../\u200dx", "x" * 1025)):
        yield f"entry_name_{number}", "entryMismatch", second(name=name), "a name that is not allowed"
    yield "entry_name_twice", "entryMismatch", second(name="session.json"), "two entries of one name"
    yield "entry_digest", "entryMismatch", second(sha256="0" * 64), "a wrong digest in the index"
    yield "entry_unknown", "success", changed("index", lambda index: index | {"entries": [
        index["entries"][0] | {"unknown": [entry], "number": 1.5}, index["entries"][1]]}), "members that nobody knows"


def index_vectors():
    """The same, of indexes in all kinds of frames."""
    def framed(make):
        """The container whose index rests in what is made of its text."""
        texts = []
        build(FEW, change=changing("index text", lambda text: texts.append(text) or text))
        return changed("index frames", lambda _: make(texts[0]))

    def allowed(text, over=0):
        """Spaces that make the content as long as the frames allow."""
        length = 65_536 + 100 * len(frame(text) + frame(b" " * 2**16)) - len(text)
        return frame(text) + frame(b" " * (length + over))

    def wide(text, length):
        """A frame of so many spaces behind others that allow it."""
        return frame(text) + frame(b" " * 12_000 + b"\n") + frame(b" " * length)

    for name, make, comment in (
            ("two_frames", lambda text: frame(text[:100]) + frame(text[100:]), "an index in two frames"),
            ("empty_frame", lambda text: frame(b"") + frame(text), "an empty frame before the index"),
            ("checksum", lambda text: described(text, 0x24, behind=checksum(text)), "a frame with a checksum"),
            ("dictionary_0", lambda text: described(text, 0x21, b"\0"), "a frame that names the dictionary 0, which is none"),
            ("window", lambda text: described(text, 0x00, b"\xa8"), "a frame with a window of 2 GiB"),
            ("ratio_most", allowed, "an index as long as its frames allow"),
            ("frame_most", lambda text: wide(text, 2**20), "a frame of the index with 2^20 bytes")):
        yield f"index_{name}", "success", framed(make), comment
    for name, make, comment in (
            ("missing", lambda text: b"", "no index at all"),
            ("plain", lambda text: text, "an index that is not compressed"),
            ("checksum_wrong", lambda text: described(text, 0x24, behind=flip(checksum(text), 0)), "a wrong checksum"),
            ("dictionary", lambda text: described(text, 0x21, b"\5"), "a frame that takes the dictionary 5"),
            ("window_large", lambda text: described(text, 0x00, b"\xb0"), "a frame with a window of 4 GiB"),
            ("reserved", lambda text: described(text, 0x28), "a frame with a bit that is reserved"),
            ("unstated", unstated, "a frame that does not state its length"),
            ("unstated_second", lambda text: frame(text[:100]) + unstated(text[100:]), "the same behind another frame"),
            ("skippable", lambda text: frame(text) + SKIPPABLE, "a skippable frame behind the index"),
            ("skippable_first", lambda text: SKIPPABLE + frame(text), "a skippable frame before the index"),
            ("skippable_between", lambda text: frame(text[:100]) + SKIPPABLE + frame(text[100:]), "one in the index"),
            ("behind", lambda text: frame(text) + b"\0", "a byte behind the frame"),
            ("cut", lambda text: frame(text)[:-1], "a frame that is cut off"),
            ("short", lambda text: frame(text, len(text) + 1), "a frame that states more than it has"),
            ("long", lambda text: frame(text + b" ", len(text)), "a frame that states less than it has"),
            ("lie", lambda text: frame(text) + frame(b" " * 2**24, 100), "a frame that states far less than it has"),
            ("ratio", lambda text: allowed(text, 1), "an index a byte longer than its frames allow"),
            ("frame_long", lambda text: wide(text, 2**20 + 1), "a frame of the index with 2^20 + 1 bytes")):
        yield f"index_{name}", "badFooter", framed(make), comment


def bundle_vectors():
    """Name, what a reader says, what decrypt.py and a check say if that is something else, the data, a comment and what
    was to become the payload; of containers with bundles."""
    def case(change, members=BUNDLED):
        return build(members, change=change), write_container.tar(members, TIME, change)[0]

    def keep(part, value):
        return value

    def index(change):
        """With another index; `change` gets its entries."""
        return case(changing("index", lambda value: value | {"entries": change(value["entries"])}))

    def entry(number, **more):
        return index(lambda entries: [old | more if at == number else old for at, old in enumerate(entries)])

    def member(number, inner, **more):
        def change(entries):
            entries[number]["members"][inner].update(more)
            return entries
        return index(change)

    def numbered(first, second):
        names = {BUNDLED[1][0]: f"bundles/{first}.tar.zst", BUNDLED[3][0]: f"bundles/{second}.tar.zst"}
        return case(keep, [(names.get(name, name), data) for name, data in BUNDLED])

    def content(change, members=INSIDE):
        return case(changing("bundle", change), [FEW[0], ("bundles/0000.tar.zst", members), MANIFEST])

    def packed(make):
        return case(changing("bundle frame", lambda _: make(write_container.tar(INSIDE, TIME)[0])),
                    [FEW[0], ("bundles/0000.tar.zst", INSIDE), MANIFEST])

    def summed(content):
        """With the right sum in its first header."""
        total = sum(content[:148] + b" " * 8 + content[156:512])
        return content[:148] + b"%06o\0 " % total + content[156:]

    def inner(*members):
        return content(lambda _: write_container.tar(members, TIME)[0])

    largest = [("files/zeroes", bytes(2**20 - 1536))]
    for name, (data, payload), comment in (
            ("bundles", case(keep), "nothing"),
            ("bundle_largest", content(lambda value: value, largest), "a bundle whose content has 2^20 bytes"),
            ("bundle_unknown", member(1, 0, x=[5], **{f"x{n}": n for n in range(16)}), "members that nobody knows"),
            ("bundle_like", case(keep, [("session.json", b"{}"), ("bundles/000.tar.zst", b"a"), (
                "bundles/0000.tar", b"b"), ("bundles/000x.tar.zst", b"c"), ("x/bundles/0000.tar.zst", b"d"), MANIFEST]),
             "entries whose names are only like those of bundles")):
        yield name, "success", None, None, data, comment, payload
    for name, (data, payload), comment in (
            ("member_early", member(1, 0, offset=511), "a member with no room for a header before it"),
            ("member_at_start", member(1, 0, offset=0), "a member at the start of a bundle"),
            ("member_overlap", member(1, 1, offset=1024), "two members at one place"),
            ("member_order", index(lambda entries: [entries[0], entries[1] | {
                "members": entries[1]["members"][::-1]}, *entries[2:]]), "members in another order than in the bundle"),
            ("member_range", member(1, 1, length=2**20), "a member beyond what a bundle may be"),
            ("member_beyond", member(1, 1, length=2**19), "a member beyond the end of the bundle"),
            ("member_limit", member(1, 1, offset=2**20 - 1024, length=1), "a member where the largest bundle ends"),
            ("member_overflow", member(1, 1, length=2**63 - 1), "a member of 2^63 - 1 bytes"),
            ("member_far", member(1, 1, offset=2**63 - 1), "a member at 2^63 - 1"),
            ("member_properties", member(1, 0, **{f"x{n}": n for n in range(17)}), "17 properties of a member"),
            ("member_name", member(1, 0, name="files/../x"), "a name that is not allowed in a bundle"),
            ("member_name_of_entry", member(1, 0, name="session.json"), "the name of an entry before it"),
            ("member_name_of_last", member(1, 0, name="manifest.json.zst"), "the name of an entry behind it"),
            ("member_name_of_bundle", member(1, 0, name="bundles/0001.tar.zst"), "the name of a bundle"),
            ("member_name_like_bundle", member(1, 0, name="bundles/0002.tar.zst"), "the name of a bundle that is not there"),
            ("member_name_twice", member(1, 0, name="files/b"), "two members of one name in a bundle"),
            ("member_name_in_two", member(1, 0, name="files/c"), "two members of one name in two bundles"),
            ("bundle_no_members", index(lambda entries: [{key: value for key, value in old.items() if key != "members"}
                                                         for old in entries]), "bundles without `members`"),
            ("bundle_empty", entry(3, members=[]), "a bundle with no members"),
            ("bundle_other_name", entry(2, members=[{"name": "x", "offset": 512, "length": 0}]),
             "`members` on an entry that is no bundle"),
            ("bundle_order", numbered("0001", "0000"), "bundles in another order"),
            ("bundle_gap", numbered("0000", "0002"), "a number that is missing"),
            ("bundle_start", numbered("0001", "0002"), "the first number is missing"),
            ("bundle_digits", numbered("00000", "0001"), "a number with five digits that needs four"),
            ("bundle_few_digits", numbered("0000", "001"), "a number with three digits"),
            ("bundle_digest", entry(1, sha256="0" * 64), "a wrong digest of a bundle"),
            ("bundle_plain", packed(lambda tar: tar), "a bundle that is not compressed"),
            ("bundle_unstated", packed(unstated), "a bundle that does not state its length"),
            ("bundle_two_frames", packed(lambda tar: frame(tar[:512]) + frame(tar[512:])), "a bundle in two frames"),
            ("bundle_skippable", packed(lambda tar: frame(tar) + SKIPPABLE), "a skippable frame behind a bundle"),
            ("bundle_behind", packed(lambda tar: frame(tar) + b"\0"), "a byte behind a bundle's frame"),
            ("bundle_cut", packed(lambda tar: frame(tar)[:-1]), "a bundle that is cut off"),
            ("bundle_short", packed(lambda tar: frame(tar, len(tar) + 512)), "a bundle that states more than it has"),
            ("bundle_long", packed(lambda tar: frame(tar, len(tar) - 512)), "a bundle that states less than it has"),
            ("bundle_too_large", content(lambda tar: tar + bytes(512), largest), "a bundle of more than 2^20 bytes")):
        yield name, "entryMismatch", None, None, data, comment, payload
    stream = write_container.tar(INSIDE, TIME)[0]
    for name, (data, payload), comment in (
            ("inner_name", inner(("records/X/any.json", INSIDE[0][1]), INSIDE[1]), "another name in a bundle"),
            ("inner_length", inner((INSIDE[0][0], INSIDE[0][1] + b" "), INSIDE[1]), "another length in a bundle"),
            ("inner_type", content(lambda tar: summed(tar[:156] + b"5" + tar[157:])), "a folder's header in a bundle"),
            ("inner_checksum", content(lambda value: flip(value, 150)), "a header with a wrong sum in a bundle"),
            ("inner_extra", content(lambda _: write_container.tar([*INSIDE, ("files/z", b"")], TIME)[0]),
             "a member that the index does not have"),
            ("inner_padding", content(lambda value: flip(value, 512 + 600)), "what fills up a member is not zero"),
            ("inner_end", content(lambda value: flip(value, len(stream) - 1)), "the end of a bundle is not zero"),
            ("inner_end_first", content(lambda value: flip(value, len(stream) - 1024)), "the end does not begin with zero"),
            ("inner_long", content(lambda tar: tar + bytes(512)), "three blocks of zeroes at the end"),
            ("inner_short", content(lambda tar: tar[:-512]), "one block of zeroes at the end")):
        yield name, "success", "entryMismatch", "entryMismatch", data, comment, payload


def large_vectors():
    """Name, what a reader says, what decrypt.py says if it tells less, the data and a comment; of four segments."""
    whole = build()
    at = range(HEADER, len(whole) - HEADER, FULL)

    def segments(data):
        return [data[start:min(start + FULL, len(data) - HEADER)] for start in range(HEADER, len(data) - HEADER, FULL)]

    first, second, third, last = segments(whole)
    older = segments(write_container.build(MEMBERS, decrypt.prepare(PASSPHRASE.encode()), ITERATIONS, 1,
                                           drawing(1, *range(5, 20)), mtime=TIME))
    foreign = segments(build(seed=2))
    earlier_run = segments(write_container.build(MEMBERS, decrypt.prepare(PASSPHRASE.encode()), ITERATIONS, 1,
                                                 drawing(1, 0), mtime=TIME))

    def put(*parts, behind=b""):
        return whole[:HEADER] + b"".join(parts) + behind + whole[-HEADER:]

    yield "large", "success", None, whole, "nothing"
    for count in 4097, 5000:
        yield f"large_cut_{count}", "truncated", "chunkDamaged(3,0)", whole[:-count], "so many bytes removed"
    yield "large_cut_20568", "incomplete", "truncated", whole[:-4096 - FULL], "a segment and the trailer removed"
    yield "last_dropped", "truncated", None, put(first, second, third), "the last segment removed"
    yield "last_two_dropped", "truncated", None, put(first, second), "the last two segments removed"
    yield "forged_trailer", "truncated", None, put(first, second), "an unfinished file with a trailer"
    yield "last_cut", "chunkDamaged(3,0)", None, put(first, second, third, last[:2000]), "the last segment cut in a chunk"
    yield "first_dropped", "segmentMisplaced(0,1)", "truncated", put(second, third, last), "the first one removed"
    yield "middle_dropped", "segmentMisplaced(1,2)", "truncated", put(first, third, last), "one in the middle removed"
    yield "swapped", "segmentMisplaced(0,1)", "segmentDamaged(0)", put(second, first, third, last), "two exchanged"
    yield "duplicated", "segmentMisplaced(1,0)", "segmentDamaged(1)", put(first, first, third, last), "one twice"
    yield "foreign", "segmentDamaged(1)", None, put(first, foreign[1], third, last), "one of another vault"
    yield ("other_key", "segmentDamaged(1)", None, put(first, earlier_run[1], third, last),
           "one of the same vault under another file key")
    yield "earlier_attempt", "segmentReplaced(1)", None, put(first, older[1], third, last), "one of an earlier attempt"
    # The last segment's keys depend on the salt before it, so that it is the one that does not open.
    yield ("earlier_neighbours", "segmentDamaged(3)", "truncated", put(first, older[1], older[2], last),
           "two neighbours of an earlier attempt, the second of them before the last segment")
    yield "salt", "segmentDamaged(0)", None, flip(whole, at[0]), "a bit of a salt flipped"
    yield "commitment", "segmentDamaged(1)", None, flip(whole, at[1] + 30), "a bit of a commitment flipped"
    yield "salt_before_last", "segmentDamaged(2)", "truncated", flip(whole, at[2]), "a bit of the last but one salt"
    for number in range(3):
        yield (f"chunk_{number}_body", f"chunkDamaged({number},0)", None, flip(whole, at[number] + 5000),
               "a bit of a chunk flipped")
        yield (f"chunk_{number}_tag", f"chunkDamaged({number},0)", None, flip(whole, at[number] + 56 + 16399),
               "a bit of a tag flipped")
        yield (f"chunk_{number}_empty", f"chunkDamaged({number},1)", None, flip(whole, at[number] + FULL - 1),
               "a bit of an empty chunk's tag flipped")
    yield "last_chunk", "chunkDamaged(3,0)", None, flip(whole, at[3] + 60), "a bit of the last chunk flipped"
    yield "trailing", "trailingData", "chunkDamaged(3,0)", whole + bytes(100), "bytes behind the trailer"
    yield "before_trailer", "chunkDamaged(3,0)", None, put(first, second, third, last, behind=bytes(4096)), (
        "a block before the trailer")
    yield "second_final", "chunkDamaged(3,0)", None, put(first, second, third, last, last), "the last segment twice"


def wide_vectors():
    """The same, of segments of three chunks."""
    whole = write_container.build(MEMBERS, decrypt.prepare(PASSPHRASE.encode()), ITERATIONS, 3, write_container.seeded(1),
                                  mtime=TIME)
    chunks = [whole[HEADER + 56 + number * 16400:HEADER + 56 + (number + 1) * 16400] for number in range(3)]
    head, tail = whole[:HEADER + 56], whole[HEADER + 56 + 3 * 16400:]
    yield "wide", "success", None, whole, "nothing"
    for number in range(3):
        yield (f"wide_chunk_{number}", f"chunkDamaged(0,{number})", None, flip(whole, HEADER + 56 + number * 16400 + 99),
               "a bit of a chunk flipped")
    yield "chunks_swapped", "chunkDamaged(0,0)", None, head + chunks[1] + chunks[0] + chunks[2] + tail, "two exchanged"
    yield "chunk_duplicated", "chunkDamaged(0,1)", None, head + chunks[0] + chunks[0] + chunks[2] + tail, "one twice"


def files():
    """Names and contents of all files."""
    few, many = (write_container.tar(members, TIME)[0] for members in (FEW, MEMBERS))
    for name, expect, data, comment in [*header_vectors(), *small_vectors(), *index_vectors()]:
        yield f"{name}.testkit", file_of(expect, None, None, data, comment, few)
    for name, expect, reference, data, comment in [*large_vectors(), *wide_vectors()]:
        yield f"{name}.testkit", file_of(expect, reference, None, data, comment, many)
    for name, expect, reference, verify, data, comment, payload in bundle_vectors():
        yield f"{name}.testkit", file_of(expect, reference, verify, data, comment, payload)


def file_of(expect, reference, verify, data, comment, payload):
    released = [*range(0, len(payload), 16384), len(payload)]
    fields = [("expect", expect), ("reference", reference), ("verify", verify), ("passphrase", PASSPHRASE),
              ("comment", comment)]
    fields += [("released", f"{length} {hashlib.sha256(payload[:length]).hexdigest()}") for length in released]
    return "".join(f"{name}: {value}\n" for name, value in fields if value).encode() + b"\n" + data


def tried(data):
    """What decrypt.py says of a container, and how much of the payload it gives out."""
    payload, warnings = b"", io.StringIO()
    try:
        with contextlib.redirect_stderr(warnings):
            container = decrypt.Container(io.BytesIO(data), PASSPHRASE.encode())
            for piece in container.plaintext(0, container.payload):
                payload += piece
            for _, member in decrypt.members(container):
                pass
    except decrypt.Fault as fault:
        return str(fault).split(":")[0], payload
    except tarfile.TarError:  # the module's own words for a header that is none
        return "entryMismatch", payload
    return "success with warnings" if warnings.getvalue() else "success", payload


def check(folder, name, content):
    if (folder / name).read_bytes() != content:
        sys.exit(f"{name} is not what this program makes")
    header, data = content.split(b"\n\n", 1)
    fields = [line.split(": ", 1) for line in header.decode().splitlines()]
    found, payload = tried(data)
    released = [value.split() for field, value in fields if field == "released"]
    if found != dict(fields).get("reference", dict(fields)["expect"]):
        sys.exit(f"{name}: decrypt.py says {found}")
    if [str(len(payload)), hashlib.sha256(payload).hexdigest()] not in released:
        sys.exit(f"{name}: decrypt.py gives out {len(payload)} bytes")
    if found.startswith("success") and str(len(payload)) != released[-1][0]:
        sys.exit(f"{name}: decrypt.py does not give out everything")


def main():
    parser = argparse.ArgumentParser(description="Makes the containers in Fixtures/containers.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--check", action="store_true", help="write nothing; try decrypt.py on what is there")
    options = parser.parse_args()
    made = dict(files())
    if not options.check:
        options.folder.mkdir(parents=True, exist_ok=True)
    elif {path.name for path in options.folder.iterdir()} != set(made):
        sys.exit("the folder does not hold the files that this program makes")
    for name, content in made.items():
        check(options.folder, name, content) if options.check else (options.folder / name).write_bytes(content)
    print(f"{len(made)} containers {'are as they should be' if options.check else 'written'}")


if __name__ == "__main__":
    main()
