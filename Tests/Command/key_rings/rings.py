"""A key ring opened by the text of its specification (SECURITY.md, section 35), without any code of the product."""
import hashlib
import hmac

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

MAGIC = bytes.fromhex("89 48 56 4B 52 0D 0A 1A")
HEADER, ENTRY, CODE = 96, 80, 64


def expand(key, info, length):
    return HKDFExpand(hashes.SHA512(), length, info).derive(key)


def file_keys(ring, key):
    """The file keys in a ring by the identifiers of their archives."""
    assert ring[:8] == MAGIC and ring[8:12] == bytes([1, 1, 0, 0]) and ring[16:32] == bytes(16)
    count = int.from_bytes(ring[12:16], "big")
    assert len(ring) == HEADER + count * ENTRY + CODE
    identifier, commitment, code = ring[32:64], ring[64:96], ring[-64:]

    def derive(purpose, archive, length):
        return expand(key, b"healthvault/v1 keyring " + purpose + identifier + archive, length)
    assert derive(b"commitment", b"", 32) == commitment
    assert hmac.digest(derive(b"code", b"", 64), ring[:-64], "sha512") == code
    keys = {}
    for start in range(HEADER, HEADER + count * ENTRY, ENTRY):
        archive, sealed = ring[start:start + 32], ring[start + 32:start + ENTRY]
        assert not keys or archive > max(keys), "ascending"
        secret = derive(b"entry", archive, 44)
        keys[archive] = AESGCM(secret[:32]).decrypt(secret[32:], sealed, identifier + archive)
    return keys


def is_file_key(key, archive):
    """Whether the header of an archive is authentic under a file key (sections 13 and 14)."""
    header = archive[:4096]
    code = hmac.digest(expand(key, b"healthvault/v1 header", 64), header[:4000], hashlib.sha512)
    return code == header[4032:]
