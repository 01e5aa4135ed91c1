#!/usr/bin/env python3
r"""Opens a .hvault archive of Apple Health data without the program that made it.

    python3 decrypt.py ARCHIVE.hvault FOLDER   (asks for the passphrase, or reads it from the input)
    python3 decrypt.py --passphrase-file FILE ARCHIVE.hvault FOLDER
    python3 decrypt.py --stored ...            (the members as they rest inside, out of their bundles)
    python3 decrypt.py --gone ...              (what only earlier exports had, under the names that it has inside)
    python3 decrypt.py --alone ...             (only what is in this file, see 5)
    python3 decrypt.py --progress ...          (say how far it is where that does not go to a terminal, too)

Needs Python 3.9 or later and two packages, for AES-GCM and Zstandard; of the latter Python has its own from 3.14 on:

    sudo apt install python3-cryptography python3-zstandard      (Debian and Ubuntu; run it with /usr/bin/python3 then)

or, on any system, with Python's own tools:

    python3 -m venv reader
    reader/bin/pip install cryptography zstandard                (Windows: reader\Scripts\pip)
    reader/bin/python decrypt.py ...                             (Windows: reader\Scripts\python)

Of an archive that was split, give the first file, ARCHIVE.hvault.001; the others beside it are read with it. FOLDER must
not exist. Everything goes to FOLDER.part, which gets its name when the last byte has been checked; what is found in a
FOLDER.part is genuine but not complete. SHA256SUMS lists all other files, for `sha256sum -c SHA256SUMS`.
What the export already lacked when it was made, as its manifest says, is printed as warnings, and so are the archives in
the same folder that are newer, as far as the passphrase opens them.

How an archive is made, from the outside in (all integers are big-endian):

1. The file is a header (4096 bytes), segments, and the header once more. The passphrase, by PBKDF2, opens one of the
   eight key slots in the header, and that gives the file key.
2. A segment is a salt (24 bytes), a commitment (32) and chunks of at most 16384 bytes, each sealed with AES-256-GCM
   (16 bytes more). Its keys come from the file key, its salt, its number, "is it the last?" and the salt of the segment
   before. All segments but the last hold seg_chunks full chunks and an empty one; the last holds that much or less.
3. The plaintext of all segments in a row is: payload (a tar), index (JSON, compressed), zeros, footer (64 bytes).
4. The tar holds, compressed with zstd, the health records in "stored batches" (JSON in columns, which become a line of
   JSON per record here), the beginning of Apple's XML and the other files of Apple's export in pieces; and a manifest.
   Small ones rest together in bundles: tars again, each of them compressed as a whole.
5. An archive may continue another one in the same folder: its session.json says which, and has its key. Read as one.
"""
import argparse
import collections
import contextlib
import functools
import getpass
import hashlib
import hmac
import io
import itertools
import json
import os
import re
import sys
import tarfile
import time
import unicodedata
from datetime import datetime, timedelta
from pathlib import Path

MISSING = []
try:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
except ImportError:
    AESGCM, InvalidTag = None, ArithmeticError  # nothing is decrypted without the package
    MISSING.append("cryptography")
try:
    from compression import zstd  # Python 3.14 has it
    ZstdError, ZstdDecompressor = zstd.ZstdError, zstd.ZstdDecompressor

    def frame_content_size(start):
        return zstd.get_frame_info(start).decompressed_size
except ImportError:
    try:
        from zstandard import ZstdError, frame_content_size, ZstdDecompressor as ZstandardDecompressor

        def ZstdDecompressor():
            return ZstandardDecompressor().decompressobj()
    except ImportError:
        ZstdError, ZstdDecompressor, frame_content_size = ArithmeticError, None, None
        MISSING.append("zstandard")


class Fault(Exception):
    """Why the archive, or a part of it, cannot be had: a word of SECURITY.md, or what breaks a rule of the format."""


# What reading a content that breaks the rules of the format may raise.
CONTENT_FAULTS = (Fault, tarfile.TarError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError,
                  RecursionError, StopIteration)


def need(condition, fault):
    if not condition:
        raise Fault(fault)


class Progress:
    """Says how far it is: a line that changes on a terminal, a line every ten seconds elsewhere."""

    def __init__(self):
        self.shown, self.terminal, self.start, self.last, self.width = False, False, 0, 0, 0

    def show(self, terminal):
        self.shown, self.terminal = True, terminal

    def deriving(self, slots):
        """Says how long all derivations take, going by a short one."""
        if self.shown:
            iterations, start = sum(number(slot[:4]) for slot in slots), time.monotonic()
            hashlib.pbkdf2_hmac("sha512", b"how long?", b"", 20_000, 64)
            longest = duration((time.monotonic() - start) * iterations / 20_000)
            print(f"Deriving the key from the passphrase: {counted(iterations, 'iteration')} for "
                  f"{counted(len(slots), 'key slot')}, at most {longest} ...", file=sys.stderr, flush=True)

    def read(self, done, total):
        now = time.monotonic()
        self.start = self.start or now
        # What is left cannot be told from the first moments.
        if self.shown and done < total and now - self.start >= 1 and now - self.last >= (0.2 if self.terminal else 10):
            left = (now - self.start) * (total - done) / max(done, 1)
            self.put(f"Reading and checking: {done * 100 // total} %, {duration(left)} left")
            self.last = now

    def put(self, text):
        """Writes a line over the one before, if that can be."""
        end = "\r" if self.terminal else "\n"
        print(text.ljust(self.width if self.terminal else 0), end=end, file=sys.stderr, flush=True)
        self.width = len(text)

    def end(self):
        if self.width and self.terminal:
            self.put("")
        self.width = 0


progress = Progress()


def duration(seconds):
    return ("less than a second" if seconds < 1 else f"about {counted(round(seconds), 'second')}" if seconds < 90 else
            f"about {counted(round(seconds / 60), 'minute')}")


# The container: from the bytes of the file to the plaintext stream ----------------------------------------------------

MAGIC = bytes.fromhex("89 48 56 4C 54 0D 0A 1A")
HEADER, CHUNK, SEALED = 4096, 16384, 16400


def number(data):
    return int.from_bytes(data, "big")


def prepare(passphrase):
    """The passphrase as the key derivation takes it: the two mappings of RFC 8265 OpaqueString, and the form of generated ones."""
    try:
        text = "".join(" " if unicodedata.category(c) == "Zs" else c for c in passphrase.decode())
    except UnicodeDecodeError:
        raise Fault("badPassphrase: it is not UTF-8") from None
    need(text and "Cc" not in map(unicodedata.category, text), "badPassphrase: it is empty or has control characters")
    text = unicodedata.normalize("NFC", text)
    letters = text.replace("-", "").replace(" ", "")
    if re.fullmatch("[A-Za-z2-7]{25}", letters):
        # The form of a generated passphrase, which is typed from paper.
        text = "-".join(letters[start:start + 5] for start in range(0, 25, 5)).lower()
    return text.encode()


@functools.lru_cache(maxsize=None)
def pbkdf2(passphrase, salt, iterations):
    return hashlib.pbkdf2_hmac("sha512", passphrase, salt, iterations, 64)


def hkdf_expand(key, info, length):
    """HKDF-Expand of RFC 5869 with SHA-512."""
    out = block = b""
    while len(out) < length:
        block = hmac.digest(key, block + info + bytes([len(out) // 64 + 1]), "sha512")
        out += block
    return out[:length]


def segment_keys(input_key, context, head):
    """Cipher and nonce base of the segment that begins with `head`, or None if it is damaged or belongs elsewhere.
    Segments are messages of C2SP chunked encryption (c2sp.org/chunked-encryption), known as Cobblestone-256."""
    label = b"c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0"
    keys = hkdf_expand(input_key, label + head[:24] + context, 76)
    return (AESGCM(keys[:32]), number(keys[32:44])) if hmac.compare_digest(keys[44:], head[24:]) else None


def open_chunk(keys, chunk, sealed):
    return keys[0].decrypt((keys[1] ^ chunk).to_bytes(12, "big"), sealed, None)


def key_slots(header):
    """The slots in use: iterations (4), salt (32), commitment (32), nonce (12), wrapped file key (48). The labels of the
    slots, which are encrypted behind them, are for those who change passphrases."""
    return [header[at:at + 128] for at in range(128, 1152, 128) if any(header[at:at + 4])]


def flaw(header):
    """What is wrong with a header, as far as that can be seen without the passphrase."""
    slots, seg_chunks = key_slots(header), number(header[12:16])
    unused = [header[at:at + 128] for at in range(128, 1152, 128) if not any(header[at:at + 4])]
    zero = b"".join([header[10:12], header[16:32], header[72:128], *unused, header[2204:4000]])
    return ("notContainer" if header[:8] != MAGIC else
            "incomplete" if len(header) < HEADER or not any(header[64:]) else
            "unsupportedVersion" if header[8] != 1 else
            "unsupportedSuite" if header[9] != 1 else
            "headerDamaged" if hashlib.sha256(header[:4000] + header[4032:]).digest() != header[4000:4032] else
            "malformedHeader" if any(zero) or not slots or not 1 <= seg_chunks <= 65536 else
            "kdfRefused" if not all(100_000 <= number(slot[:4]) <= 10_000_000 for slot in slots) else None)


def genuine(header, file_key):
    mac_key = hkdf_expand(file_key, b"healthvault/v1 header", 64)
    return hmac.compare_digest(hmac.digest(mac_key, header[:4000], "sha512"), header[4032:])


def unlocked(headers, passphrase):
    """The file key of each header that the passphrase opens, of one at least. The first slot that belongs to the
    passphrase decides about its header."""
    derivations = {slot[:36] for header in headers for slot in key_slots(header)}
    need(sum(number(slot[:4]) for slot in derivations) <= 20_000_000, "kdfRefused: too many iterations in all")
    passphrase, opened, failure = prepare(passphrase), {}, "wrongPassphrase"
    progress.deriving(derivations)
    for header in headers:
        for slot in key_slots(header):
            secret = pbkdf2(passphrase, slot[4:36], number(slot[:4]))
            if hmac.compare_digest(secret[32:], slot[36:68]):
                try:
                    file_key = AESGCM(secret[:32]).decrypt(slot[68:80], slot[80:], header[:64] + slot[:68])
                    failure = "headerTampered"
                    if genuine(header, file_key):
                        opened[header] = file_key
                except InvalidTag:
                    failure = "slotDamaged"
                break
    need(opened, failure)
    return opened


class Volumes:
    """The volumes of a split archive, read as one file."""

    def __init__(self, names):
        self.files, self.starts, self.at = [open(name, "rb") for name in names], [0], 0
        for file in self.files:
            self.starts.append(self.starts[-1] + file.seek(0, io.SEEK_END))
        # The last one of all is hardly ever as long as the first.
        is_full = self.starts[1] == self.starts[-1] - self.starts[-2]
        self.lacking = f"{names[0][:-3]}{len(names) + 1:03} and any after it" if is_full else None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for file in self.files:
            file.close()

    def seek(self, at, whence=io.SEEK_SET):
        self.at = at + (self.starts[-1] if whence == io.SEEK_END else 0)
        return self.at

    def read(self, length):
        parts = []
        for file, start, end in zip(self.files, self.starts, self.starts[1:]):
            if start <= self.at < end and length > 0:
                file.seek(self.at - start)
                parts.append(file.read(min(length, end - self.at)))
                self.at, length = self.at + len(parts[-1]), length - len(parts[-1])
        return b"".join(parts)


def opened(path):
    """The file at a path or, if the path is that of a first volume or there is nothing at it, all volumes as one file."""
    whole = re.sub(r"\.001\Z", "", str(path))
    numbers = [i for i in range(1, 1000) if os.path.isfile(f"{whole}.{i:03}")]
    if not numbers or whole == str(path) and os.path.lexists(path):
        return open(path, "rb")
    missing = [f"{whole}.{i:03}" for i in range(1, numbers[-1]) if i not in numbers]
    need(not missing, f"volumeMissing: {', '.join(missing)}")
    return Volumes([f"{whole}.{i:03}" for i in numbers])


def ends(file):
    """The first and the last 4096 bytes."""
    start = file.read(HEADER)
    file.seek(max(0, file.seek(0, io.SEEK_END) - HEADER))
    return start, file.read(HEADER)


class Container:
    """An archive whose header, end and index have been checked; the rest is checked as it is read. It is opened by its
    passphrase, or by the file key where another archive has told that."""

    def __init__(self, file, passphrase=None, file_key=None):
        self.file, self.salts, self.done, faults, size = file, [], 0, [], file.seek(0, io.SEEK_END)
        copies = [self.read(0, HEADER), self.read(size - HEADER, HEADER) if size >= 2 * HEADER else b""]
        sound = [header for header in dict.fromkeys(copies) if not flaw(header)]
        need(sound, flaw(copies[0]))
        known = {header: file_key for header in sound if file_key and genuine(header, file_key)}
        need(known or not file_key, "otherPredecessor")
        opened = known or unlocked(sound, passphrase)
        need(len({header[:72] for header in opened}) == len(opened), "headerTampered: two headers of one generation")
        for header, file_key in opened.items():
            # After the segments comes the other header, unless it was cut off, or cut short.
            for end in dict.fromkeys([size - HEADER, size, (size - 1) // HEADER * HEADER]):
                try:
                    footer = self.open_end(header, file_key, end)
                except Fault as fault:
                    faults.append(fault)
                    continue
                for word in self.header_warnings(copies, sound, size):
                    print(f"warning: {WARNINGS[word]} ({word})", file=sys.stderr)
                return self.open_index(footer)
        fault, lacking = max(faults, key=lambda fault: str(fault).startswith("chunk")), getattr(file, "lacking", None)
        raise Fault(f"{str(fault).split(':')[0]}: {lacking} may be missing") if lacking else fault

    def header_warnings(self, copies, sound, size):
        """What is wrong with the headers of an archive that is open."""
        first, second = (copy in sound and copy[:64] == self.preamble and genuine(copy, self.file_key) for copy in copies)
        if not first:
            yield "primaryHeaderDamaged"
        if self.end == size:
            yield "spareHeaderMissing"
        elif not second or self.end != size - HEADER:
            yield "spareHeaderDamaged"
        if first and second and copies[0][64:72] != copies[1][64:72]:
            yield "headerGenerationsDiffer"

    def open_end(self, header, file_key, end):
        """Takes the segments to end at `end` and opens the last one, where the footer is."""
        need(end > HEADER, "incomplete: no segment")
        self.preamble, self.file_key = header[:64], file_key
        self.key = hkdf_expand(file_key, b"healthvault/v1 segment", 32)
        self.capacity, self.full = number(header[12:16]) * CHUNK, number(header[12:16]) * SEALED + 72
        self.end, self.count = end, -(-(end - HEADER) // self.full)
        whole, rest = divmod(end - self.place(self.count - 1) - 56, SEALED)
        need(rest >= 16, "truncated: no last segment")
        self.total = (self.count - 1) * self.capacity + whole * CHUNK + rest - 16
        need(self.total - 64 >= (self.count - 1) * self.capacity, "truncated: no room for a footer")
        return self.take(self.total - 64, self.total)

    def open_index(self, footer):
        self.payload, length, total = (number(footer[at:at + 8]) for at in (8, 16, 24))
        self.padding = self.payload + length
        need(footer[:8] == b"HVFOOT01" and total == self.total and self.padding + 64 <= total, "badFooter")
        packed = self.take(self.payload, self.padding)
        need(hashlib.sha256(packed).digest() == footer[32:], "badFooter: index")
        self.vault, self.index = self.preamble[32:].hex(), footer[32:].hex()
        try:
            index = json.loads(unpacked_index(packed))
            json.dumps(index, ensure_ascii=False).encode()  # no lone surrogates
            need(all(type(index.get(name, "")) is str for name in ("tool", "created")), "badFooter: tool")
            self.entries, self.salts, known = index["entries"], index["salts"], set()
            need(repr(index["version"]) == "1", "badFooter: version")
            need(len(self.salts) == self.payload // self.capacity + 1 and all(re.fullmatch("[0-9a-f]{48}", salt)
                                                                              for salt in self.salts), "badFooter: salts")
            need(all(re.fullmatch("[0-9a-f]{64}", entry["sha256"]) for entry in self.entries), "badFooter: a digest")
            check_places(self.entries, self.payload, known)
            bundles = [entry for entry in self.entries if "members" in entry]
            for i, bundle in enumerate(bundles):
                inside = bundle["members"]
                need(bundle["name"] == f"bundles/{i:04}.tar.zst" and type(inside) is list and inside
                     and bundle["length"] <= 2**20 + 2**14 and not any("sha256" in inner for inner in inside),
                     f"entryMismatch: {bundle['name']!r}")
                check_places(inside, 2**20 - 1024, known)
            # The names of all entries, with what is in a bundle in the place of the bundle.
            self.names = [inner["name"] for entry in self.entries for inner in entry.get("members", [entry])]
            need(not any(map(BUNDLE.fullmatch, self.names)), "entryMismatch: a bundle without members, or in a bundle")
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise Fault("badFooter: index") from None
        self.segment(self.payload // self.capacity)

    def read(self, at, length):
        self.file.seek(at)
        return self.file.read(length)

    def take(self, start, end):
        return b"".join(self.plaintext(start, end))

    def place(self, i):
        return HEADER + i * self.full

    def segment(self, i):
        """The keys of segment i, once its place, salt and commitment have been checked."""
        before, head = self.read(self.place(i - 1), 24) if i else bytes(24), self.read(self.place(i), 56)
        last = i == self.count - 1
        keys = segment_keys(self.key, self.preamble + i.to_bytes(8, "big") + bytes([last]) + before, head)
        need(keys, f"truncated: segment {i} is not the last, or damaged" if last else f"segmentDamaged({i})")
        need(i >= len(self.salts) or head[:24].hex() == self.salts[i], f"segmentReplaced({i})")
        return keys

    def plaintext(self, start, end):
        """The stream from `start` up to `end` in pieces. Nothing comes out that did not authenticate."""
        for i in range(start // self.capacity, -(-end // self.capacity)):
            low, high = max(0, start - i * self.capacity), min(self.capacity, end - i * self.capacity)
            keys, stop = self.segment(i), min(self.place(i + 1), self.end)
            for c in range(low // CHUNK, high // CHUNK + 1):  # takes in the empty chunk at the end of a full segment
                at = self.place(i) + 56 + c * SEALED
                try:
                    piece = open_chunk(keys, c, self.read(at, max(0, min(SEALED, stop - at))))
                except (InvalidTag, ValueError):
                    raise Fault(f"chunkDamaged({i},{c})") from None
                yield piece[max(0, low - c * CHUNK):high - c * CHUNK]


# The members: from the plaintext stream to the files in the tar -------------------------------------------------------

BUNDLE = re.compile(r"bundles/[0-9]{4,}\.tar\.zst")


def frame(data, at, most, fault):
    """The content of the zstd frame at a place, which must say how long it is, and the place behind it. It is taken in
    small steps, because it may lie."""
    try:
        size = frame_content_size(data[at:at + 18]) if data[at:at + 4] == bytes.fromhex("28 B5 2F FD") else -1
        need(size is not None and 0 <= size <= most, fault)
        content, decompressor = bytearray(), ZstdDecompressor()
        while not decompressor.eof:
            step = data[at:at + 1024]
            content += decompressor.decompress(step)
            need(step and len(content) <= size, fault)
            at += len(step) - len(decompressor.unused_data)
    except ZstdError:
        raise Fault(fault) from None
    need(len(content) == size, fault)
    return bytes(content), at


def unzstd(data, most=2**20, fault="an entry that is not one zstd frame of a stated length, or is too long"):
    """The content of a frame that is all there is."""
    content, end = frame(data, 0, most, fault)
    need(end == len(data), fault)
    return content


def unzstd_all(data, most_each, most, fault="a batch that is no zstd frames of stated lengths, or is too long"):
    """The joined contents of one frame or several in sequence."""
    text, at = bytearray(), 0
    while at < len(data) or not at:
        content, at = frame(data, at, min(most_each, most - len(text)), fault)
        text += content
    return bytes(text)


def unpacked_index(data):
    """The text of the index, which may not be far longer than its frames."""
    return unzstd_all(data, 2**20, min(2**28, 65536 + 100 * len(data)), "badFooter: index").decode()


def safe(name):
    """A relative path that leads to something below its folder, whatever the system."""
    return (len(name.encode()) <= 1024 and not re.search(r"[\x00-\x1f\\]", name)
            and not {"", ".", ".."} & set(name.split("/")) and name.count("/") < 32)


def check_places(entries, room, known):
    """What the index says of the entries of a tar: safe names, which are not known from elsewhere in the archive, and
    places one behind the other that leave room for a header before each."""
    end = 0
    for entry in entries:
        name, offset, length = entry["name"], entry["offset"], entry["length"]
        properties = sum(type(value) in (str, int) for value in entry.values())
        need(type(offset) is int and type(length) is int, f"badFooter: {name!r}")
        need(safe(name) and name not in known and properties <= 19 + ("sha256" in entry) and length <= 2**26 and
             end + 512 <= offset <= offset + length <= room, f"entryMismatch: {name!r}")
        known.add(name)
        end = offset + length


def tar_entries(entries, total, read, fault):
    """Each entry of a tar of so many bytes and its data, which `read` gives from one place to another. The tar must say
    the same as the index, and what fills it up be zero."""
    end = 0
    for entry in entries:
        name, offset, length = entry["name"], entry["offset"], entry["length"]
        gap, filled = read(end, offset), -end % 512
        with tarfile.open(fileobj=io.BytesIO(gap[filled:]), mode="r:", encoding="utf-8", errors="strict") as tar:
            member = tar.next()
        need(member and not any(gap[:filled]) and member.isreg() and member.name == name and member.size == length
             and filled + member.offset_data == len(gap), f"entryMismatch: {name!r}")
        end = offset + length
        yield entry, read(offset, end)
    need(total - end == -end % 512 + 1024 and not any(read(end, total)), fault)


def members(container):
    """Name and data of every entry, and of every member of a bundle in the bundle's place."""
    for entry, data in tar_entries(container.entries, container.payload, container.take, "badFooter: end of the tar"):
        fault = f"entryMismatch: {entry['name']!r}"
        need(hashlib.sha256(data).hexdigest() == entry["sha256"], fault)
        if "members" in entry:
            content = unzstd(data, fault=fault)
            for inner, part in tar_entries(entry["members"], len(content), lambda a, b: content[a:b], fault):
                yield inner["name"], part
        else:
            yield entry["name"], data
        container.done = entry["offset"] + entry["length"]
    need(not any(map(any, container.plaintext(container.padding, container.total - 64))), "badFooter: padding not zero")


def data_of(container, name):
    """The data of an entry, which may be in a bundle."""
    entry = next(entry for entry in container.entries
                 if any(inner["name"] == name for inner in entry.get("members", [entry])))
    data = container.take(entry["offset"], entry["offset"] + entry["length"])
    need(hashlib.sha256(data).hexdigest() == entry["sha256"], f"entryMismatch: {entry['name']!r}")
    if "members" not in entry:
        return data
    inner = next(inner for inner in entry["members"] if inner["name"] == name)
    data = unzstd(data, fault=f"entryMismatch: {entry['name']!r}")[inner["offset"]:][:inner["length"]]
    need(len(data) == inner["length"], f"entryMismatch: {inner['name']!r}")
    return data


# Archives that continue each other ------------------------------------------------------------------------------------

def continuation(container):
    """What session.json says of the archive that this one continues; None where it says nothing."""
    if not container.names or container.names[0] != "session.json":
        return None
    session = json.loads(data_of(container, "session.json"))
    if "continues" not in session.keys():
        return None
    link = {"name": "", "supersedes": []} | session["continues"]
    need(re.fullmatch("[0-9a-f]{64} [0-9a-f]{64} [0-9a-f]{96}", f"{link['vault']} {link['index']} {link['key']}")
         and type(link["name"]) is str and type(link["supersedes"]) is list
         and all(type(path) is str and path not in {"session.json", "manifest.json"} for path in link["supersedes"]),
         "session.json breaks the rules for what an archive continues")
    check_bytes([link["name"], link["supersedes"]])
    info = b"healthvault/v1 predecessor" + bytes.fromhex(link["vault"]) + bytes.fromhex(link["index"])
    secret = hkdf_expand(container.file_key, info, 44)
    try:
        return link | {"file key": AESGCM(secret[:32]).decrypt(secret[32:], bytes.fromhex(link["key"]), None)}
    except InvalidTag:
        raise Fault("session.json has no right key for the archive that this one continues") from None


def hinted(path, link):
    """The place that the archive had that another one continues, if its name is that of a place in the folder."""
    return [] if link["name"] in {"", ".", ".."} or re.search(r"[/\0]", link["name"]) else [path.parent / link["name"]]


def candidates(path, link):
    """The files with the identifier of the archive that another one continues: the one under the name that it had, then
    those under any name that ends like one."""
    others = sorted([*path.parent.glob("*.hvault"), *path.parent.glob("*.hvault.001")])
    for place in dict.fromkeys([*hinted(path, link), *others]):
        try:
            with opened(place if place.is_file() or not place.exists() else os.devnull) as file:
                start, end = ends(file)
        except (Fault, OSError, ValueError):
            continue  # what cannot be read is none
        if link["vault"] in {start[32:64].hex(), end[32:64].hex()}:
            yield place


def predecessor(path, link):
    """The archive that one continues, with its path and what it continues itself: the first candidate that passes.
    Anybody may have put others there, but none of them costs a key derivation."""
    faults = []
    for place in candidates(path, link):
        file = opened(place)
        try:
            container = Container(file, file_key=link["file key"])
            need((container.vault, container.index) == (link["vault"], link["index"]), "otherPredecessor")
            return place, container, continuation(container)
        except (Fault, OSError) as fault:
            file.close()
            faults.append(f"{place}: {fault}")
    for place in hinted(path, link):
        if not faults and place.exists():
            faults = [f"{place}: otherPredecessor"]  # it is there, but nothing of the archive
    raise Fault(faults[0] if faults else
                f"predecessorMissing: {path} continues {link['name']!r}, identifier {link['vault']}")


def chain(path, passphrase, alone=False):
    """The archive and those that it continues, each with the names of its entries that count."""
    container, links, known, taken, superseded = Container(opened(path), passphrase), [], set(), set(), set()
    link = None if alone else continuation(container)
    while True:
        paths = {name: plain_name(name) for name in container.names}
        check_paths(container.names)
        counting = {name for name in paths if not links or name not in {"session.json", "manifest.json.zst"}
                    and paths[name] not in superseded}
        here = {paths[name] for name in counting} - {None}
        need(taken.isdisjoint(here), f"{path}: another archive has the same file")
        links.append((container, counting))
        if not link:
            return links
        known, taken, superseded = known | {container.vault}, taken | here, superseded.union(link["supersedes"])
        need(link["vault"] not in known and len(links) < 64, "an endless chain")
        path, container, link = predecessor(path, link)


def export_date(container):
    """When the Health app wrote what is in an archive; None if that is not known."""
    try:
        text = b"".join(plain("manifest.json.zst", data_of(container, "manifest.json.zst")))
        return datetime.strptime(json.loads(text)["source"]["exportDate"], "%Y-%m-%d %H:%M:%S %z")
    except CONTENT_FAULTS:
        return None


def newer_beside(path, passphrase, links):
    """A line for each archive in the folder that is newer than the one that was read, or not known to be older. Each costs
    the derivation of a key; all of them no more than one archive may."""
    newest, mine, newer, older, unknown, left = links[0][0], export_date(links[0][0]), [], set(), [], 20_000_000
    for place in sorted([*path.parent.glob("*.hvault"), *path.parent.glob("*.hvault.001")]):
        name = f"warning: {shown(place.name)}, in the same folder,"
        try:
            with opened(place) as file:
                headers = ends(file)
            known = any(header[32:64].hex() == link.vault for header in headers for link, _ in links)
            if known or not any(header[:8] == MAGIC for header in headers):
                continue  # a part of this chain, a copy of one, or no archive
            left -= sum(number(salted[:4]) for salted in {
                slot[:36] for header in headers if not flaw(header) for slot in key_slots(header)})
            need(left >= 0, "there are too many")
            with contextlib.redirect_stderr(io.StringIO()):
                other = chain(place, passphrase)
            vaults, date = [link.vault for link, _ in other], export_date(other[0][0])
            older.update(vaults[1:])
            if newest.vault in vaults:
                newer.append((vaults[0], f"{name} continues this archive and is newer: read that one"))
            elif date and mine and date > mine:
                newer.append((vaults[0], f"{name} has a newer export, of {date}: read that one"))
        except (OSError, *CONTENT_FAULTS) as fault:
            text = str(fault) if isinstance(fault, Fault) else "it cannot be read"
            reason = SENTENCES.get(re.split("[:(]", text)[0], text)
            unknown.append(f"{name} may be newer; it was not compared: {shown(reason[0].lower() + reason[1:])}")
    more = [f"and {len(unknown) - 10:,} more may be newer"] if unknown[10:] else []
    return [line for vault, line in newer if vault not in older] + unknown[:10] + more


def members_of_all(links):
    """Name and data of the entries that count. All entries are read, so that all are checked."""
    for container, counting in links:
        for name, data in members(container):
            if name in counting:
                yield name, data
            progress.read(sum(link.done for link, _ in links), sum(link.payload for link, _ in links))


# The records: from a stored batch to a line of JSON per record --------------------------------------------------------

class Spelled(str):
    """A JSON number, kept as it is spelled: 1.50 stays 1.50."""


RESERVED = re.compile(r"element|position|metadata|children|attributes|(?!HKCharacteristic)[A-Z].*", re.DOTALL)
TIMES = {"startDate", "endDate", "creationDate", "date", "receivedDate", "dateIssued", "expirationDate"}
LIKE_OURS = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}[+-][0-9]{2}:[0-5][0-9]")
GROUP = re.compile(r"metadata|children|(?!HKCharacteristic)[A-Z][^\ud800-\udfff]*")
WRONG_NAME = re.compile("[\t\n\r /<>=\"']|^[!?]|^$|[\ud800-\udfff]")
BYTE = re.compile("[\udc80-\udcff]")


def unique(pairs):
    """An object; no member may be there twice."""
    need(len(dict(pairs)) == len(pairs), "a member that is there twice")
    return dict(pairs)


# int refuses NaN and the like
DECODER = json.JSONDecoder(parse_int=Spelled, parse_float=Spelled, parse_constant=int, object_pairs_hook=unique)
quote = json.JSONEncoder(ensure_ascii=False).encode  # escapes only the quote, the backslash and what is below U+0020


def encode(value):
    if isinstance(value, str):
        return value if isinstance(value, Spelled) else quote(value)
    if isinstance(value, list):
        return "[" + ",".join(map(encode, value)) + "]"
    return "{" + ",".join(quote(name) + ":" + encode(item) for name, item in value.items()) + "}"


def check_bytes(value):
    """Lone surrogates stand for bytes, and only for those that are no UTF-8."""
    if isinstance(value, str):
        need(value.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape") == value,
             "a text with bytes that are a character")
    elif isinstance(value, (list, dict)):
        for item in value:
            check_bytes(item)
        if isinstance(value, dict):
            check_bytes(list(value.values()))


def check_slots(slots):
    """The rules for a context that do not depend on its rows."""
    for name, *slot in slots:
        need(type(name) is str and not any(map(WRONG_NAME.search, name.split(" "))), "a batch with a wrong name")
        if len(slot) == 1 and isinstance(slot[0], Spelled):
            need(abs(integer(slot[0])) < 1440, "a batch with an impossible offset")
        else:
            need(len(slot) <= 2 and all(type(text) is str for text in slot), "a batch with a wrong slot")
            # A byte beside a value could become a character together with one of the value's.
            need(len(slot) < 2 or not BYTE.search(slot[0][-1:] + slot[1][:1]), "a batch with a byte beside a value")


def integer(value):
    need(isinstance(value, Spelled), "a batch with something else in the place of a number")
    return int(value)


def times(seconds, east):
    """An instant at an offset of so many minutes, first as we write it and then as Apple does."""
    local = datetime(1970, 1, 1) + timedelta(seconds=seconds, minutes=east)
    sign, hours, minutes = "-" if east < 0 else "+", *divmod(abs(east), 60)
    return f"{local}{sign}{hours:02}:{minutes:02}".replace(" ", "T"), f"{local} {sign}{hours:02}{minutes:02}"


def is_our_time(text):
    """A reader of the row would take the text for a time that stood in Apple's form."""
    try:
        return LIKE_OURS.fullmatch(text) and not text.endswith("-00:00") and datetime.fromisoformat(text)
    except ValueError:
        return False


def attributes_of(slots, columns, start):
    """Name, value and original text of each attribute of a row, and the row's first time. A slot is [name] (a text from
    the column), [name, constant], [name, before, after] (around a text from the column) or [name, minutes] (a time)."""
    attributes, time = [], None
    for name, *slot in slots:
        value = slot[0] if len(slot) == 1 and type(slot[0]) is str else next(columns[name], None)
        if len(slot) == 1 and isinstance(slot[0], Spelled):
            first, time = time is None, (start if time is None else time) + integer(value)
            start = time if first else start
            attributes.append((name, *times(time, integer(slot[0]))))
        else:
            need(type(value) is str or not slot and isinstance(value, Spelled), "a batch with a wrong value")
            value = slot[0] + value + slot[1] if len(slot) == 2 else value
            attributes.append((name, value, str(value)))
    return attributes, start


def inside(text, contents):
    """The members of each content, as they are spelled in the batch."""
    need(all(isinstance(content, dict) and content and all(
        isinstance(value, list) and GROUP.fullmatch(name) for name, value in content.items()) for content in contents),
        "a batch with a wrong content")
    for array in re.finditer(r'"contents"\s*:\s*\[', text):
        at, spelled = array.end(), []
        for content in contents:
            start = re.compile(r"[\s,]*").match(text, at).end()
            found, at = DECODER.raw_decode(text, start) if text[start] == "{" else (None, at)
            if found != content:
                break  # a column with that name, or a content with such a member
            spelled.append(text[start + 1:at - 1])
            need(spelled[-1][0] == '"' and not re.search(r"[\x00-\x1f]", spelled[-1]), "a batch with a content on many lines")
        else:
            return spelled
    raise Fault("a batch with a wrong content")


def unrolled(values):
    """The values of a column, in which [n] stands for the one before it, n times more."""
    last = None
    for value in values:
        if isinstance(value, list):
            need(last is not None and len(value) == 1 and 0 < integer(value[0]) < 2**32,
                 "a batch with a wrong repetition")
            yield from itertools.repeat(last, integer(value[0]))
        else:
            last = value
            yield value


def ndjson(text, gone=False):
    """The rows of a stored batch, a line each."""
    need(len(text) <= 3 * 2**24, "a batch that is too large")
    text = text.decode()
    batch = DECODER.decode(text)
    need(batch["format"] == "healthvault batch 1" and batch.get("gone", False) is gone,
         "a batch of an unknown kind")
    contexts, contents, rows = batch["contexts"], inside(text, batch["contents"]), integer(batch["count"])
    lists = batch["position"], batch["context"], batch["content"]
    need(max(len(contexts), len(contents)) <= rows <= 2**20, "a batch with a wrong count")
    inner = [*contexts, *(slot for context in contexts for slot in context), *batch["columns"].values(), *lists]
    need(all(isinstance(item, list) for item in inner), "a batch with something else in the place of a list")
    columns = {name: unrolled(column) for name, column in batch["columns"].items()}
    need(not WRONG_NAME.search(batch["element"]), "a batch with a wrong name")
    for context in contexts:
        check_slots(context)
    if "\\u" in text:
        check_bytes([batch["element"], contexts, batch["columns"]])
    steps, nested = ([*itertools.islice(unrolled(batch[name]), rows + 1)] for name in ("position", "content"))
    lists = steps, batch["context"], nested
    need({*map(len, lists)} == {rows}, "a batch with a wrong count")
    position, start, size, times_here = -1, 0, 0, TIMES if batch["element"] != "MetadataEntry" else set()
    for row, numbers in enumerate(zip(*lists)):
        step, context, content = map(integer, numbers)
        position += step + (row == 0)
        need(step >= (row > 0) and position < 2**48 and 0 <= context < len(contexts) and 0 <= content <= len(contents),
             "a batch with a number out of range")
        attributes, start = attributes_of(contexts[context], columns, start)
        names = [name for name, _, _ in attributes]
        members = {"element": batch["element"], "position": Spelled(position)}
        if (len(set(names)) < len(names) or any(map(RESERVED.fullmatch, names))
                or any(name in times_here and is_our_time(text) for name, _, text in attributes)):  # odd: quote it, too
            members["attributes"] = [[name, text] for name, _, text in attributes]
            attributes = [attribute for attribute in attributes if not RESERVED.fullmatch(attribute[0])]
        for name, value, _ in attributes:
            members.setdefault(name, value)  # the first of a name counts
        line = encode(members)[:-1] + ("," + contents[content - 1] if content else "") + "}\n"
        # Bytes that were no UTF-8 in the source are lone surrogates in JSON, and stay escapes: \udc80 to \udcff.
        line = line.encode("utf-8", "backslashreplace")
        size += len(line)
        need(size <= 2**26, "a batch that is too large")
        yield line
    need(all(next(column, column) is column for column in columns.values()), "a batch with a column too long")


# The folder -----------------------------------------------------------------------------------------------------------

OURS = {"SHA256SUMS", ".healthvault-unfinished"}
DATABASE = ["this is no archive but a database of healthvault analytics: analytics.sqlite is a file of SQLite"]
# A colon, a dot or a space at the end of a part, and the names of devices.
WINDOWS = re.compile(r"[:*?\"<>|]|[. ](?:/|\Z)|(?:^|/)(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:[. ][^/]*)?(?:/|\Z)",
                     re.IGNORECASE)
PIECE = re.compile(r"((?:gone/)?files/.*)\.zst\.([0-9]{4}|[1-9][0-9]{4,})", re.DOTALL)
BATCH = re.compile(r"(records/.*?)(\.gone(?:\.part(?:[2-9]|[1-9][0-9]+))?)?\.json(?:\.zst)?", re.DOTALL)


def plain_name(name):
    """The path in the plain folder of what a member holds; None for what is never there."""
    piece, batch = PIECE.fullmatch(name), BATCH.fullmatch(name)
    if name == "session.json":
        return None
    if name in {"prologue.xml.zst", "manifest.json.zst"}:
        return name[:-len(".zst")]
    return piece[1] if piece else batch[1] + (batch[2] or "") + ".ndjson" if batch else name


def check_paths(names):
    """No two entries become one file, unless they are its pieces, and no file has the path of a folder."""
    starts = [name for name in names if not PIECE.fullmatch(name) or int(PIECE.fullmatch(name)[2]) == 0]
    paths = [path for path in map(plain_name, starts) if path]
    for path, count in collections.Counter(paths).items():
        need(count == 1 and safe(path) and path.split("/")[0] not in OURS, f"entryMismatch: {path!r}")
    folders = {path[:at] for path in paths for at, character in enumerate(path) if character == "/"}
    need(folders.isdisjoint(paths), f"entryMismatch: {min(folders.intersection(paths), default='')!r} is a folder, too")


def is_gone(name):
    """Whether only earlier exports had an entry."""
    batch = BATCH.fullmatch(name)
    return name.startswith("gone/") or bool(batch and batch[2])


def plain(name, data):
    """What is written there, in pieces."""
    batch = BATCH.fullmatch(name)
    piece = PIECE.fullmatch(name)
    if piece or name.endswith(".zst") and plain_name(name) != name:
        manifest = min(2**26, 65536 + 100 * len(data))  # as with the index, not far longer than its bytes
        data = unzstd_all(data, 3 * 2**24, 3 * 2**24) if batch else unzstd(
            data, 983_040 if piece else manifest if name == "manifest.json.zst" else 2**20)
    return ndjson(data, is_gone(name)) if batch else [data]


def lacking(manifest):
    """A line for each thing that the export lacks, as far as its manifest says."""
    if manifest is None:
        return ["warning: there is no manifest, so nothing shows whether something is missing"]
    try:
        manifest = json.loads(manifest)
        need(manifest["manifest"] == 1, "another version")
        files, batches, source = manifest.get("files", []), manifest.get("failedBatches", []), manifest.get("source", {})
        cut, skipped = source.get("truncated", False) is True, sum(int(part["length"]) for part in source.get("skipped", []))
        lines = ["warning: the source was truncated, or could not be read to its end; what followed is missing"] if cut else []
        if skipped:
            lines.append(f"warning: {counted(skipped, 'byte')} of the document could not be read and were skipped")
        lines += [f"warning: {shown(file['name'])} was damaged in the source; only part of it is here"
                  for file in files if file.get("damaged", False)]
        if batches:
            lines.append(f"warning: {counted(len(batches), 'batch', 'batches')} with "
                         f"{counted(sum(int(batch['count']) for batch in batches), 'sample')} could not be written")
        lines += [shown("not written: {element}, {type}, {span}, part {part}".format_map(batch)) for batch in batches]
        if lines and not cut and not skipped:
            lines.append("a later archive beside it may contain what is missing; if so, use that one")
        return lines
    except (Fault, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError):
        return ["warning: the manifest cannot be read, so nothing shows whether something is missing"]


def counted(number, noun, plural=None):
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def shown(text):
    """A text of others, without what could steer a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def write_folder(entries, folder, stored=False, gone=False):
    """Makes the folder, and says what the export lacks. Returns the number of its files."""
    part, digests, current, due, manifest = Path(f"{Path(folder)}.part"), {}, None, 0, None
    need(not os.path.lexists(folder), f"outputExists: {folder}")
    part.mkdir(mode=0o700)
    for entry, data in entries:
        piece = PIECE.fullmatch(entry)
        due = due + 1 if piece and piece[1] == current else 0  # the pieces of a file stand together
        current = piece and piece[1]
        need(not piece or int(piece[2]) == due, f"entryMismatch: {entry!r} is not the next piece")
        if not stored and is_gone(entry) is not gone:
            continue
        name = entry if stored else plain_name(entry)
        if name:
            need(os.name != "nt" or not WINDOWS.search(name), f"entryMismatch: {name!r} is no name on Windows")
            digest = digests.setdefault(name.encode(), hashlib.sha256())
            (part / name).parent.mkdir(parents=True, exist_ok=True)
            with open(part / name, "xb" if stored or not due else "ab") as file:
                for block in [data] if stored else plain(entry, data):
                    digest.update(block)
                    file.write(block)
            if entry == "manifest.json.zst":
                manifest = b"".join(plain(entry, data))
    with open(part / "SHA256SUMS", "xb") as file:
        file.writelines(digests[name].hexdigest().encode() + b"  " + name + b"\n" for name in sorted(digests))
    os.rename(part, folder)
    progress.end()
    for line in [] if gone else DATABASE if [*digests] == [b"analytics.sqlite"] else lacking(manifest):
        print(line, file=sys.stderr)
    return len(digests)


def read_passphrase(path):
    """From a file, from the terminal, or the first line of the input; without the end of the line."""
    try:
        data = (Path(path).read_bytes() if path else
                getpass.getpass("Passphrase: ").encode() if sys.stdin.isatty() else sys.stdin.buffer.readline())
    except (EOFError, UnicodeEncodeError):
        # Nothing was typed, or bytes that are no text.
        raise Fault("badPassphrase") from None
    return re.sub(rb"\r?\n\Z", b"", data)


# What people are told -------------------------------------------------------------------------------------------------

PACKAGES = """This Python ({python}) lacks the {packages} {missing}.
On Debian and Ubuntu, install the packages and run the script with /usr/bin/python3:
    sudo apt install {debian}
On any system, make an environment for it and run the script with that:
    python3 -m venv reader
    reader/bin/pip install {pip}      (Windows: reader\\Scripts\\pip)
    reader/bin/python decrypt.py ...      (Windows: reader\\Scripts\\python)"""

SENTENCES = {
    "notContainer": "This is not a .hvault archive",
    "volumeMissing": "The archive is split into volumes, and some are missing. Put all of them into one folder",
    "laterVolume": "This is a part of an archive that was split. Give the first one",
    "incomplete": "The archive was never finished, or all but its beginning is cut off",
    "unsupportedVersion": "The archive has a version of the format that this reader does not know",
    "unsupportedSuite": "The archive uses algorithms that this reader does not know",
    "headerDamaged": "The header at the beginning of the archive is damaged, and the one at its end as well",
    "malformedHeader": "The header breaks the rules of the format",
    "kdfRefused": "The header asks for a key derivation that is too weak, or too long to be genuine",
    "badPassphrase": "This cannot be a passphrase",
    "wrongPassphrase": "The passphrase is wrong",
    "slotDamaged": "The passphrase is right, but the part of the header that belongs to it is damaged",
    "headerTampered": "Someone without the passphrase has changed the header",
    "truncated": "The end of the archive is cut off or damaged",
    "segmentDamaged": "The archive is damaged, or its end is cut off",
    "segmentReplaced": "A part of the archive was replaced by an older one",
    "chunkDamaged": "The archive is damaged, or its end is cut off",
    "badFooter": "The list of what is in the archive breaks the rules of the format",
    "entryMismatch": "Something in the archive is not what its list says",
    "predecessorMissing": "The archive continues another one, which must be in the same folder",
    "otherPredecessor": "The archive continues another one, and the file in its place is not that one",
    "outputExists": "Something with this name exists already, and is not replaced",
}


WARNINGS = {
    "primaryHeaderDamaged": "the first of the two headers is damaged, or belongs to another archive",
    "spareHeaderDamaged": "the second of the two headers is damaged, or belongs to another archive",
    "spareHeaderMissing": "the second of the two headers is missing",
    "headerGenerationsDiffer": "a change of the passphrase was interrupted; repeat it with healthvault",
}


def sentence(fault):
    """What happened, with the word of SECURITY.md and the place behind it."""
    text = shown(str(fault))
    if isinstance(fault, OSError):
        place = f"{shown(str(fault.filename))}: " if fault.filename else ""
        return f"{place}{fault.strerror or text}."
    if not isinstance(fault, Fault):
        return f"The content of the archive breaks the rules of the format ({shown(repr(fault))})."
    known = next((SENTENCES[word] for word in re.findall(r"(?:^|: )([a-zA-Z]+)", text) if word in SENTENCES), None)
    return f"{known} ({text})." if known else f"The archive breaks the rules of the format: {text}."


def missing_packages():
    return PACKAGES.format(python=sys.executable, missing=" and ".join(MISSING),
                           packages="packages" if MISSING[1:] else "package", pip=" ".join(MISSING),
                           debian=" ".join(f"python3-{name}" for name in MISSING))


def check(path, folder, part):
    """What can be said before anybody types a passphrase."""
    need(not os.path.lexists(folder), f"outputExists: {folder}")
    need(not os.path.lexists(part), f"outputExists: {part}, which an earlier try left")
    with opened(path) as file:
        start, end = ends(file)
    first = re.sub(r"\.[0-9]{3}\Z", ".001", str(path))
    need(not flaw(start) or first == str(path) or not os.path.isfile(first), f"laterVolume: {first}")
    need(not flaw(start) or not flaw(end), flaw(start))


def opened_chain(path, passphrase_file, alone):
    """The passphrase and the chain that it opens. Asks again on a terminal, three times in all."""
    for attempt in range(3):
        try:
            passphrase = read_passphrase(passphrase_file)
            return passphrase, chain(path, passphrase, alone)
        except Fault as fault:
            if str(fault) != "wrongPassphrase" or passphrase_file or not sys.stdin.isatty() or attempt == 2:
                raise
            print(sentence(fault), file=sys.stderr)


def left_over(part):
    """Removes an unfinished folder in which there is nothing, and says of another one what it is."""
    for folder, _, _ in os.walk(part, topdown=False):
        try:
            os.rmdir(folder)
        except OSError:
            pass
    return f"\n{part} has what had been checked until then: it is genuine, but not all there is." if part.exists() else ""


def main():
    parser = argparse.ArgumentParser(description="Opens a .hvault archive.")
    parser.add_argument("archive")
    parser.add_argument("folder", help="what to make")
    parser.add_argument("--passphrase-file", metavar="FILE", help="otherwise the passphrase is read from the input")
    parser.add_argument("--stored", action="store_true", help="write the members as they rest inside")
    parser.add_argument("--gone", action="store_true", help="write what only earlier exports had, and nothing else")
    parser.add_argument("--alone", action="store_true", help="do not read the archives that this one continues")
    parser.add_argument("--progress", action="store_true", help="say how far it is, whether or not on a terminal")
    options = parser.parse_args()
    os.umask(0o077)
    if options.progress or sys.stderr.isatty():
        progress.show(terminal=sys.stderr.isatty())
    part, outcome = Path(f"{Path(options.folder)}.part"), None
    is_new = not os.path.lexists(part)
    try:
        check(Path(options.archive), options.folder, part)
        if MISSING:
            sys.exit(f"decrypt.py: {missing_packages()}")
        passphrase, links = opened_chain(Path(options.archive), options.passphrase_file, options.alone)
        count = write_folder(members_of_all(links), options.folder, options.stored, options.gone)
        print(f"Everything in the archive was read and checked: {options.folder} has {counted(count, 'file')}, "
              "and SHA256SUMS.")
        for line in [] if options.alone else newer_beside(Path(options.archive), passphrase, links):
            print(line, file=sys.stderr)
    except KeyboardInterrupt:
        outcome = "Interrupted."
    except (OSError, *CONTENT_FAULTS) as fault:
        outcome = sentence(fault)
    if outcome:
        progress.end()
        sys.exit(f"decrypt.py: {outcome}{left_over(part) if is_new else ''}")


if __name__ == "__main__":
    if sys.version_info < (3, 9):
        sys.exit("decrypt.py: It needs Python 3.9 or later; this is {}.{}.".format(*sys.version_info))
    main()
