#!/usr/bin/env python3
"""Prints section 6.16 of SECURITY.md: a small archive, and every key on the way to what is in it.

What it prints depends on the version of zstd, so it is printed once; `test_reference.Text` holds the text to be right.
"""
import json

import write_container
from decrypt import hkdf_expand, pbkdf2, prepare

PASSPHRASE = b"correct horse battery staple"
ITERATIONS = 100_000
FOLLOWER = bytes(range(32))
BATCH = {"format": "healthvault batch 1", "element": "Record", "type": "HKQuantityTypeIdentifierBodyMass", "span": "all",
         "part": 1, "count": 2,
         "contexts": [[["type", "HKQuantityTypeIdentifierBodyMass"], ["unit", "kg"], ["startDate", 60], ["value"]]],
         "contents": [], "position": [2, 1], "context": [0, 0], "content": [0, 0],
         "columns": {"startDate": [1704434400, 86400], "value": ["71.50", "71.2"]}}
LABEL = b"c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0"


def archive():
    # Numbers keep their spelling: these are no strings.
    batch = json.dumps(BATCH, separators=(",", ":")).replace('"71.50","71.2"', "71.50,71.2").encode()
    members = [("bundles/0000.tar.zst", [("prologue.xml", b'<?xml version="1.0"?>\n'),
                                         ("records/HKQuantityTypeIdentifierBodyMass/all.json", batch)]),
               ("manifest.json.zst", write_container.frame(b'{"manifest":1}\n'))]
    return write_container.build(members, prepare(PASSPHRASE), ITERATIONS, 1, write_container.seeded(16), tool="vector")


def keys(data):
    """What is derived, by its name in the text."""
    preamble, slot, segment = data[:64], data[128:256], data[4096:-4096]
    secret = pbkdf2(prepare(PASSPHRASE), slot[4:36], ITERATIONS)
    file_key = write_container.AESGCM(secret[:32]).decrypt(slot[68:80], slot[80:], preamble + slot[:68])
    context = preamble + bytes(8) + b"\1" + bytes(24)
    input_key = hkdf_expand(file_key, b"healthvault/v1 segment", 32)
    derived = hkdf_expand(input_key, LABEL + segment[:24] + context, 76)
    stream = write_container.AESGCM(derived[:32]).decrypt(derived[32:44], segment[56:], None)
    link = hkdf_expand(FOLLOWER, b"healthvault/v1 predecessor" + preamble[32:] + stream[-32:], 44)
    return {
        "T": secret, "FK": file_key, "HK": hkdf_expand(file_key, b"healthvault/v1 header", 64), "SK": input_key,
        "context": context, "key, base, commitment": derived, "footer": stream[-64:], "predecessor key, nonce": link,
        "`key`": bytes.fromhex(write_container.predecessor_key(FOLLOWER, preamble[32:], stream[-32:], file_key)),
    }


def lines(data):
    return [data[at:at + 56].hex() for at in range(0, len(data), 56)]


def main():
    data = archive()
    assert len(data) == 3 * 4096
    print("```")
    for name, value in keys(data).items():
        print(name.replace("`", "") + ":", *lines(value), sep="\n  ")
    print("```\n\nBytes 0 to 255 of the file, bytes 4032 to 4095, and bytes 4096 to 8191:\n\n```")
    for part in data[:256], data[4032:4096], data[4096:8192]:
        print(*lines(part), "", sep="\n")
    print("```")


if __name__ == "__main__":
    main()
