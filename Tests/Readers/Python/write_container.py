#!/usr/bin/env python3
"""Writes .hvault archives, independently of the program that usually does: for tests that hold the two together.

    write_container.py OUT.hvault FOLDER --passphrase-file FILE [--iterations N] [--seg-chunks K] [--mtime T] [--seed N]

The files of FOLDER become members as they are (session.json first, manifest.json.zst last, the others between them in
the order of their bytes; a SHA256SUMS at the top is left out), so this undoes `decrypt.py --stored`, without bundles.

With --seed the archive is a function of its input: random bytes are the output of SHAKE-256 over the ASCII digits of N,
drawn in this order: file key (32), vault id (32), slot salt (32), slot nonce (12), the segments' salts (24 each), and at
last the labels' nonce (12).

From Python: write(path, members, passphrase, iterations, ...) with members as (name, bytes) and the passphrase prepared
(see decrypt.prepare); build(...) gives the bytes. A member given as (name, [(name, bytes), ...]) is a bundle of those.
The whole archive is made in memory.
"""
import argparse
import hashlib
import hmac
import json
import os
import sys
import tarfile
from datetime import datetime, timezone
from pathlib import Path

import zstandard
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA512
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "Sources" / "Readers" / "Python"))
from decrypt import prepare, read_passphrase  # noqa: E402  (found by the line above)

CHUNK, TAG, BLOCK = 16384, 16, 4096
MAGIC = b"\x89HVLT\r\n\x1a"


def u32(value):
    return value.to_bytes(4, "big")


def u64(value):
    return value.to_bytes(8, "big")


def pbkdf2(passphrase, salt, iterations):
    return PBKDF2HMAC(SHA512(), 64, salt, iterations).derive(passphrase)


def expand(key, info, length):
    return HKDFExpand(SHA512(), length, info).derive(key)


def seeded(seed):
    """A source of the same bytes for the same seed."""
    taken, stream = 0, hashlib.shake_256(str(seed).encode())

    def rng(count):
        nonlocal taken
        taken += count
        return stream.digest(taken)[-count:]

    return rng


def seal(input_key, context, salt, plaintext):
    """A message of C2SP chunked encryption, Cobblestone-256."""
    info = b"c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM" + b"\0" + salt + context
    keys = expand(input_key, info, 76)
    cipher, base = AESGCM(keys[:32]), int.from_bytes(keys[32:44], "big")
    message = salt + keys[44:]
    for number in range(len(plaintext) // CHUNK + 1):
        nonce = (base ^ number).to_bytes(12, "big")
        message += cipher.encrypt(nonce, plaintext[number * CHUNK:(number + 1) * CHUNK], None)
    return message


def padme(length):
    exponent = length.bit_length() - 1
    low = exponent - exponent.bit_length()
    return -(-length >> low) << low


def segment_count(total, seg_chunks):
    return -(-total // (seg_chunks * CHUNK))


def file_size(total, seg_chunks):
    """Of an archive whose stream is `total` bytes long: all segments but the last are full."""
    count = segment_count(total, seg_chunks)
    last = total - (count - 1) * seg_chunks * CHUNK
    return 2 * BLOCK + (count - 1) * (seg_chunks * (CHUNK + TAG) + 72) + 72 + last + last // CHUNK * TAG


def total_length(needed, seg_chunks):
    """The length of the stream: the smallest from Padme(needed) on, below 256 KiB from `needed` on, that makes the file a multiple of 4096 bytes and
    leaves 64 bytes or more for the last segment. Adding what a file lacks to 4096 would not do: it may step over the
    smallest, because the file grows by 17 bytes where a chunk becomes full, and by 73 where a segment begins."""
    total = padme(needed) if needed >= 1 << 18 else needed
    while (total - 1) % (seg_chunks * CHUNK) + 1 < 64 or file_size(total, seg_chunks) % BLOCK:
        total += 1
    return total


def frame(content):
    """A zstd frame that states the length of its content."""
    return zstandard.ZstdCompressor(write_content_size=True).compress(content)


def index_frames(text):
    """The index as it stands in the stream: compressed, a MiB at a time."""
    return b"".join(frame(text[at:at + 2**20]) for at in range(0, len(text), 2**20))


def predecessor_key(file_key, vault, index, predecessor_file_key):
    """What an archive says of the file key of another one, which has this identifier and digest of its index."""
    secret = expand(file_key, b"healthvault/v1 predecessor" + vault + index, 44)
    return AESGCM(secret[:32]).encrypt(secret[32:], predecessor_file_key, None).hex()


def sealed_labels(file_key, labels, nonce):
    """The labels as they stand in a header; `labels` is a dict of texts by the numbers of their slots."""
    plain = b"".join(labels.get(number, "").encode().ljust(128, b"\0") for number in range(8))
    return nonce + AESGCM(expand(file_key, b"healthvault/v1 labels", 32)).encrypt(nonce, plain, None)


def tar(members, mtime, change=lambda part, value: value):
    """A pax tar stream with its two zero blocks, and the index entries of its members. A list of members in the place
    of data becomes a bundle; `change` may replace its "bundle" (a tar) and its "bundle frame"."""
    stream, entries = bytearray(), []
    for name, data in members:
        inside = None
        if isinstance(data, list):
            content, inside = tar(data, mtime)
            data = change("bundle frame", frame(change("bundle", content)))
        info = tarfile.TarInfo(name)
        info.size, info.mtime, info.mode = len(data), mtime, 0o600
        stream += info.tobuf(tarfile.PAX_FORMAT, "utf-8", "surrogateescape")
        entries.append({"name": name, "offset": len(stream), "length": len(data),
                        "sha256": hashlib.sha256(data).hexdigest()})
        if inside is not None:
            entries[-1]["members"] = [{key: entry[key] for key in ("name", "offset", "length")} for entry in inside]
        stream += data + bytes(-len(data) % 512)
    return bytes(stream + bytes(1024)), entries


def build(members, passphrase, iterations, seg_chunks=64, rng=os.urandom, payload=None, mtime=0, entries=None,
          tool="write_container.py", file_key=None, labels=None, change=lambda part, value: value):
    """The bytes of an archive. `payload` takes the place of the tar of `members`, and `file_key` that of the drawn one.
    `labels` are those of key slots, by number. `change` sees, and may replace, these parts before they are used: "bundle", "bundle frame", "index" (a dict), "index
    text", "index frames", "padding", "footer", "preamble", "slot", "labels", "header" (4000 bytes). So it makes archives that are
    wrong but validly encrypted."""
    drawn, vault_id, salt, nonce = rng(32), rng(32), rng(32), rng(12)
    file_key = file_key or drawn
    if payload is None:
        payload, entries = tar(members, mtime, change)
    capacity = seg_chunks * CHUNK
    salts = [rng(24) for _ in range(len(payload) // capacity + 1)]
    created = datetime.fromtimestamp(mtime, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    index = change("index", {"version": 1, "tool": tool, "created": created, "entries": entries or [],
                             "salts": [salt.hex() for salt in salts]})
    index = change("index text", json.dumps(index, separators=(",", ":")).encode())
    index = change("index frames", index_frames(index))
    total = total_length(len(payload) + len(index) + 64, seg_chunks)
    padding = change("padding", bytes(total - len(payload) - len(index) - 64))
    footer = b"HVFOOT01" + u64(len(payload)) + u64(len(index)) + u64(total) + hashlib.sha256(index).digest()
    footer = change("footer", footer)
    stream = payload + index + padding + footer
    assert len(stream) == total

    preamble = change("preamble", MAGIC + bytes([1, 1, 0, 0]) + u32(seg_chunks) + bytes(16) + vault_id)
    secret = pbkdf2(passphrase, salt, iterations)
    slot = u32(iterations) + salt + secret[32:] + nonce
    slot = change("slot", slot + AESGCM(secret[:32]).encrypt(nonce, file_key, preamble + slot[:68]))
    count = segment_count(total, seg_chunks)
    salts += [rng(24) for _ in range(count - len(salts))]
    sealed = change("labels", sealed_labels(file_key, labels or {}, rng(12)))
    header = (preamble + u64(1) + bytes(56) + slot).ljust(1152, b"\0") + sealed
    header = change("header", header.ljust(4000, b"\0"))
    code = hmac.digest(expand(file_key, b"healthvault/v1 header", 64), header, "sha512")
    header = resealed(header + bytes(32) + code)

    out, key, before = bytearray(header), expand(file_key, b"healthvault/v1 segment", 32), bytes(24)
    for i, salt in enumerate(salts[:count]):
        context = preamble + u64(i) + bytes([i == count - 1]) + before
        out += seal(key, context, salt, stream[i * capacity:(i + 1) * capacity])
        before = salt
    return bytes(out + header)


def header_digest(header):
    """That of all bytes but its own 32."""
    return hashlib.sha256(header[:4000] + header[4032:]).digest()


def resealed(header):
    """A header whose digest fits again, as a forger makes it."""
    return header[:4000] + header_digest(header) + header[4032:]


def write(path, members, passphrase, iterations, seg_chunks=64, rng=os.urandom, payload=None, **more):
    Path(path).write_bytes(build(members, passphrase, iterations, seg_chunks, rng, payload, **more))


def folder_members(folder):
    def place(name):
        return (name != b"session.json") + (name == b"manifest.json.zst"), name

    names = [os.fsencode(path.relative_to(folder)) for path in Path(folder).rglob("*") if path.is_file()]
    return [(os.fsdecode(name), (Path(folder) / os.fsdecode(name)).read_bytes())
            for name in sorted(names, key=place) if name != b"SHA256SUMS"]


def main():
    parser = argparse.ArgumentParser(description="Writes a .hvault archive.")
    parser.add_argument("out")
    parser.add_argument("folder", help="holds the members")
    parser.add_argument("--passphrase-file", metavar="FILE", help="otherwise the passphrase is read from the input")
    parser.add_argument("--iterations", type=int, default=1_000_000)
    parser.add_argument("--seg-chunks", type=int, default=64)
    parser.add_argument("--mtime", type=int, default=0, help="of all members, in seconds since 1970")
    parser.add_argument("--seed", type=int, help="for an archive that can be made again")
    options = parser.parse_args()
    rng = os.urandom if options.seed is None else seeded(options.seed)
    write(options.out, folder_members(options.folder), prepare(read_passphrase(options.passphrase_file)),
          options.iterations, options.seg_chunks, rng, mtime=options.mtime)


if __name__ == "__main__":
    main()
