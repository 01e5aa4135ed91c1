#!/usr/bin/env python3
"""The reader in six steps, as it stands at the head of Part II of SECURITY.md, and nothing else.

    six_steps.py ARCHIVE PASSPHRASE_FILE FOLDER

It is written from that text alone, as someone would who has nothing else; what it can do shows what the text is enough for.
"""
import hashlib
import hmac
import json
import re
import sys
import unicodedata
from datetime import datetime, timedelta
from pathlib import Path

import zstandard
from cryptography.hazmat.primitives.ciphers.aead import AESGCM


def must(condition, what):
    if not condition:
        sys.exit(f"{what} does not match")


def number(data):
    return int.from_bytes(data, "big")


def expand(key, info, length):
    out = block = b""
    while len(out) < length:
        block = hmac.digest(key, block + info + bytes([len(out) // 64 + 1]), "sha512")
        out += block
    return out[:length]


def decompressed(data):
    """All frames, one after another."""
    out = b""
    while data:
        frame = zstandard.ZstdDecompressor().decompressobj()
        out += frame.decompress(data)
        data = frame.unused_data
    return out


# 1. Header ------------------------------------------------------------------------------------------------------------

def header(file):
    must(file[:10] == bytes.fromhex("89 48 56 4C 54 0D 0A 1A 01 01"), "the beginning")
    must(file[:4096] == file[-4096:], "the second header")
    k = number(file[12:16])
    return file[:4096], k * 16_384, k * 16_400 + 72


# 2. File key ----------------------------------------------------------------------------------------------------------

def file_key(h, typed):
    text = re.sub(r"\r?\n\Z", "", typed.decode())
    text = unicodedata.normalize("NFC", "".join(" " if unicodedata.category(c) == "Zs" else c for c in text))
    letters = text.replace("-", "").replace(" ", "")
    if re.fullmatch("[a-zA-Z2-7]{25}", letters):
        text = "-".join(letters[at:at + 5] for at in range(0, 25, 5)).lower()
    for s in (h[128 + 128 * k:256 + 128 * k] for k in range(8)):
        if number(s[:4]):
            t = hashlib.pbkdf2_hmac("sha512", text.encode(), s[4:36], number(s[:4]), 64)
            if t[32:] == s[36:68]:
                key = AESGCM(t[:32]).decrypt(s[68:80], s[80:128], h[:64] + s[:68])
                code = hmac.digest(expand(key, b"healthvault/v1 header", 64), h[:4000], "sha512")
                must(code == h[4032:], "the header")
                return key
    sys.exit("the passphrase is wrong")


# 3. Segments ----------------------------------------------------------------------------------------------------------

def stream(file, h, key, full):
    sk, end, out, before = expand(key, b"healthvault/v1 segment", 32), len(file) - 4096, b"", bytes(24)
    n = -(-(end - 4096) // full)
    for i in range(n):
        segment = file[4096 + i * full:min(4096 + (i + 1) * full, end)]
        context = h[:64] + i.to_bytes(8, "big") + bytes([i == n - 1]) + before
        keys = expand(sk, b"c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0" + segment[:24] + context, 76)
        must(keys[44:] == segment[24:56], f"segment {i}")
        cipher, base = AESGCM(keys[:32]), number(keys[32:44])
        for c, at in enumerate(range(56, len(segment), 16_400)):
            out += cipher.decrypt((base ^ c).to_bytes(12, "big"), segment[at:at + 16_400], None)
        before = segment[:24]
    return out


# 4. Footer and index --------------------------------------------------------------------------------------------------

def index(whole):
    footer = whole[-64:]
    place, length, total = (number(footer[at:at + 8]) for at in (8, 16, 24))
    must((footer[:8], total) == (b"HVFOOT01", len(whole)), "the footer")
    must(hashlib.sha256(whole[place:place + length]).digest() == footer[32:], "the index")
    return json.loads(decompressed(whole[place:place + length]))


# 5. Entries -----------------------------------------------------------------------------------------------------------

def entries(whole, listed):
    for entry in listed["entries"]:
        data = whole[entry["offset"]:entry["offset"] + entry["length"]]
        must(hashlib.sha256(data).hexdigest() == entry["sha256"], entry["name"])
        if "members" in entry:
            content = decompressed(data)
            for member in entry["members"]:
                yield member["name"], content[member["offset"]:member["offset"] + member["length"]]
        else:
            yield entry["name"], data


# 6. Files -------------------------------------------------------------------------------------------------------------

class Spelled(str):
    """A number as it is spelled."""


DECODER = json.JSONDecoder(parse_int=Spelled, parse_float=Spelled)
quote = json.JSONEncoder(ensure_ascii=False).encode


def repeated(values):
    out = []
    for value in values:
        out += [out[-1]] * int(value[0]) if isinstance(value, list) else [value]
    return out


def lines(text):
    batch, contents = DECODER.decode(text), []
    columns = {name: iter(repeated(values)) for name, values in batch["columns"].items()}
    at = text.rindex('"contents":[') + len('"contents":[')
    for _ in batch["contents"]:
        start = text.index("{", at)
        _, at = DECODER.raw_decode(text, start)
        contents.append(text[start + 1:at - 1])
    position = anchor = 0
    for step, context, content in zip(repeated(batch["position"]), batch["context"], repeated(batch["content"])):
        position, time, is_first = position + int(step), anchor, True
        members = [f'"element":{quote(batch["element"])}', f'"position":{position}']
        for name, *field in batch["contexts"][int(context)]:
            value = field[0] if len(field) == 1 and not isinstance(field[0], Spelled) else next(columns[name])
            if len(field) == 1 and isinstance(field[0], Spelled):
                time, minutes = time + int(value), int(field[0])
                anchor, is_first = time if is_first else anchor, False
                local = datetime(1970, 1, 1) + timedelta(seconds=time, minutes=minutes)
                east = f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"
                value = f"{local.isoformat()}{east}"
            elif len(field) == 2:
                value = field[0] + value + field[1]
            members.append(f"{quote(name)}:{value if isinstance(value, Spelled) else quote(value)}")
        members += [contents[int(content) - 1]] if int(content) else []
        yield ("{" + ",".join(members) + "}\n").encode("utf-8", "backslashreplace")


def files(whole):
    """The path and the bytes of each file; of one in pieces, piece by piece."""
    for name, data in whole:
        piece = re.fullmatch(r"(files/.*)\.zst\.[0-9]{4,}", name)
        if name == "session.json":
            must("continues" not in json.loads(data), "an archive that continues no other")
        elif name.startswith("gone/") or re.search(r"\.gone(\.part[0-9]+)?\.json(\.zst)?$", name):
            continue
        elif name in ("manifest.json.zst", "prologue.xml.zst"):
            yield name[:-4], decompressed(data)
        elif batch := re.fullmatch(r"(records/.*)\.json(\.zst)?", name):
            yield f"{batch[1]}.ndjson", b"".join(lines((decompressed(data) if batch[2] else data).decode()))
        else:
            yield (piece[1], decompressed(data)) if piece else (name, data)


def read(file, typed):
    h, _, full = header(file)
    whole = stream(file, h, file_key(h, typed), full)
    return files(entries(whole, index(whole)))


def main():
    archive, secret, folder = map(Path, sys.argv[1:])
    for name, data in read(archive.read_bytes(), secret.read_bytes()):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        with open(folder / name, "ab") as file:
            file.write(data)


if __name__ == "__main__":
    main()
