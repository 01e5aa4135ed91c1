"""An archive for two passphrases of someone who knows both (SECURITY.md, section 3)."""
import os
import unittest

import crafted
from crafted import write_container
from vault import CommandTest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM


def times(one, other):
    """The product in the field of GCM (NIST SP 800-38D, 6.3)."""
    product = 0
    for bit in range(127, -1, -1):
        if other >> bit & 1:
            product ^= one
        one = one >> 1 ^ (0xe1 << 120 if one & 1 else 0)
    return product


def inverse(one):
    """Its power of 2^128 - 2."""
    result = 1 << 127
    for _ in range(127):
        one = times(one, one)
        result = times(result, one)
    return result


def block(key, data):
    encryptor = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    return int.from_bytes(encryptor.update(data), "big")


def for_both(keys, nonce, associated):
    """32 bytes of ciphertext and a tag that AES-GCM opens with either key."""
    first = os.urandom(16)
    hashes, rests = [], []
    for key in keys:
        unit = block(key, bytes(16))
        total = 0
        for at in range(0, len(associated), 16):
            total = times(total ^ int.from_bytes(associated[at:at + 16].ljust(16, b"\0"), "big"), unit)
        total = times(total ^ int.from_bytes(first, "big"), unit)
        # The second block, x, comes here: tag = (total + x) * unit^2 + lengths * unit + mask.
        square = times(unit, unit)
        rest = times(total, square) ^ times(len(associated) * 8 << 64 | 256, unit)
        hashes.append(square)
        rests.append(rest ^ block(key, nonce + b"\0\0\0\1"))
    second = times(rests[0] ^ rests[1], inverse(hashes[0] ^ hashes[1]))
    tag = times(second, hashes[0]) ^ rests[0]
    return first + second.to_bytes(16, "big") + tag.to_bytes(16, "big")


class Commitments(CommandTest):
    """Someone who knows two passphrases makes an archive for both of them."""

    OTHER = b"the other passphrase of two"

    def setUp(self):
        super().setUp()
        (self.folder / "other").write_bytes(self.OTHER)
        (self.folder / "third").write_bytes(b"a passphrase of nobody")

    def statuses(self):
        """How it ends with the first passphrase, with the other one, and with any."""
        return [self.vault("verify", "x.hvault", "--passphrase-file", path, status=(0, 12, 13)).status
                for path in (crafted.SECRET, "other", "third")]

    # SECURITY.md: "make an archive that tests more passphrases in a single try than it has key slots"
    def test_a_slot_whose_key_two_passphrases_open_is_the_slot_of_one(self):
        """Else one try would test two passphrases, or any number."""
        def change(part, value):
            if part == "preamble":
                self.preamble = value
            if part != "slot":
                return value
            keys = [write_container.pbkdf2(text, value[4:36], 100_000)[:32] for text in (crafted.PASSPHRASE, self.OTHER)]
            associated, nonce = self.preamble + value[:68], value[68:80]
            both = for_both(keys, nonce, associated)
            for key in keys:
                self.assertEqual(len(AESGCM(key).decrypt(nonce, both, associated)), 32, "both keys open it")
            return value[:80] + both

        crafted.archive(self.folder / "x.hvault", change=change)
        self.assertEqual(self.statuses(), [13, 12, 12])

    # SECURITY.md: "make one archive that shows different contents to different passphrases and passes `verify`"
    def test_two_slots_with_keys_of_their_own(self):
        """The code over the header is that of one key."""
        def change(part, value):
            if part == "preamble":
                self.preamble = value
            if part != "header":
                return value
            salt, nonce, key = os.urandom(32), os.urandom(12), os.urandom(32)
            secret = write_container.pbkdf2(self.OTHER, salt, 100_000)
            slot = (100_000).to_bytes(4, "big") + salt + secret[32:]
            slot += nonce + AESGCM(secret[:32]).encrypt(nonce, key, self.preamble + slot)
            return value[:256] + slot + value[384:]

        crafted.archive(self.folder / "x.hvault", change=change)
        self.assertEqual(self.statuses(), [0, 13, 12])


if __name__ == "__main__":
    unittest.main()
