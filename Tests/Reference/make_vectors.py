#!/usr/bin/env python3
"""Makes the containers in Fixtures/containers, which say themselves what a reader must make of them.

    make_vectors.py FOLDER            (writes all of them)
    make_vectors.py --check FOLDER    (compares them with what would be written, and tries decrypt.py on them)

A file is a text header, an empty line and a container, in the style of the test kit of age (c2sp.org/CCTV/age):

    expect: what the reader says: success, success with warnings, or the error and its place
    reference: what decrypt.py says instead, where it tells less
    passphrase: what to open it with
    comment: what was done to it
    released: N DIGEST     one line for each length at which a reader may stop giving out the payload, with the SHA-256
                           of those N bytes; success means the last one

Everything random in a container comes out of a seed (see write_container.py), so the files never change.
"""
import argparse
import contextlib
import hashlib
import io
import sys
from functools import lru_cache
from pathlib import Path

import decrypt
import write_container

write_container.pbkdf2 = lru_cache(maxsize=None)(write_container.pbkdf2)
PASSPHRASE, ITERATIONS, HEADER, FULL = "correct horse battery", 100_000, 4096, 16472
MEMBERS = [("session.json", b"{}"), ("notes/a.txt", hashlib.shake_256(b"notes").digest(50_000)),
           ("manifest.json", b"{}\n")]
FEW = [("session.json", b"{}"), ("manifest.json", b"{}\n")]


def build(members=MEMBERS, seed=1, **more):
    return write_container.build(members, decrypt.prepare(PASSPHRASE.encode()), ITERATIONS, 1,
                                 write_container.seeded(seed), mtime=1_767_225_600, **more)


def flip(data, at):
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]


def both(data, at, value):
    """Both copies of the header with other bytes at a place."""
    header = data[:at] + value + data[at + len(value):HEADER]
    return header + data[HEADER:-HEADER] + header


def attempt(number, first):
    """A source of random bytes in which the salts from segment `first` on are those of another attempt."""
    stream, drawn = write_container.seeded(1), 0

    def draw(count):
        nonlocal drawn
        drawn += 1
        return bytes(byte ^ number for byte in stream(count)) if drawn > 4 + first else stream(count)

    return draw


def changed(part, change):
    return build(FEW, change=lambda name, value: change(value) if name == part else value)


def small_vectors():
    """Name, what a reader says, the data and a comment; of containers with one segment."""
    whole = build(FEW)

    def digest(index):
        first, second = index["entries"]
        return index | {"entries": [first, second | {"sha256": "0" * 64}]}

    yield "small", "success", whole, "nothing"
    yield "trailer_missing", "success with warnings", whole[:-HEADER], "the header at the end removed"
    yield "header_damaged", "success with warnings", flip(whole, 200), "a bit of the first header flipped"
    yield "version_2", "unsupportedVersion", both(whole, 8, b"\2"), "another version"
    yield "reserved", "malformedHeader", both(whole, 2000, b"\1"), "a reserved byte that is not zero"
    yield "iterations_few", "kdfRefused", both(whole, 128, (99_999).to_bytes(4, "big")), "too few iterations"
    yield "iterations_many", "kdfRefused", both(whole, 128, b"\xff" * 4), "too many iterations"
    yield "slot_salt", "wrongPassphrase", both(whole, 132, b"\0"), "the slot's salt changed"
    yield "slot_key", "slotDamaged", both(whole, 208, b"\0"), "the sealed file key changed"
    yield "generation", "headerTampered", both(whole, 71, b"\2"), "the generation changed"
    yield "footer", "badFooter", changed("footer", lambda footer: b"X" + footer[1:]), "another magic in the footer"
    yield "entry_digest", "entryMismatch", changed("index", digest), "a wrong digest in the index"


def large_vectors():
    """Name, what a reader says, what decrypt.py says if it tells less, the data and a comment; of four segments."""
    whole = build()
    at = range(HEADER, len(whole) - HEADER, FULL)
    first, second, third, last = (whole[start:min(start + FULL, len(whole) - HEADER)] for start in at)
    older = write_container.build(MEMBERS, decrypt.prepare(PASSPHRASE.encode()), ITERATIONS, 1, attempt(1, 1),
                                  mtime=1_767_225_600)[at[1]:at[2]]

    def put(*segments):
        return whole[:HEADER] + b"".join(segments) + whole[-HEADER:]

    yield "large", "success", None, whole, "nothing"
    yield "chunk_body", "chunkDamaged(1,0)", None, flip(whole, at[1] + 5000), "a bit of a chunk flipped"
    yield "chunk_empty", "chunkDamaged(1,1)", None, flip(whole, at[2] - 1), "the tag of an empty chunk changed"
    yield "salt", "segmentDamaged(0)", None, flip(whole, at[0]), "a bit of a salt flipped"
    yield ("salt_before_last", "segmentDamaged(2)", "truncated", flip(whole, at[2]),
           "a bit of the last but one salt flipped")
    yield "last_dropped", "truncated", None, put(first, second, third), "the last segment removed"
    yield "first_dropped", "segmentMisplaced(0,1)", "truncated", put(second, third, last), "the first one removed"
    yield "swapped", "segmentMisplaced(0,1)", "segmentDamaged(0)", put(second, first, third, last), "two exchanged"
    yield "earlier_attempt", "segmentReplaced(1)", None, put(first, older, third, last), "one of an earlier attempt"
    yield "trailing", "trailingData", "chunkDamaged(3,0)", whole + bytes(100), "bytes behind the trailer"


def files():
    """Names and contents of all files."""
    for name, expect, data, comment in small_vectors():
        yield f"{name}.testkit", file_of(expect, None, data, comment, FEW)
    for name, expect, reference, data, comment in large_vectors():
        yield f"{name}.testkit", file_of(expect, reference, data, comment, MEMBERS)


def file_of(expect, reference, data, comment, members):
    payload = write_container.tar(members, 1_767_225_600)[0]
    released = [*range(0, len(payload), 16384), len(payload)]
    fields = [("expect", expect), ("reference", reference), ("passphrase", PASSPHRASE), ("comment", comment)]
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
