"""What someone who has the drive, or makes an archive, can do with it and what not (SECURITY.md, section 1)."""
import os
import re
import unittest

import crafted
from crafted import write_container
from documents import RECORD, document
from terminal import Terminal
from vault import ENCRYPT, OPEN, CommandTest, each
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

HEADER, SLOT = 4096, 128
# Identifier; salt, commitment, nonce and wrapped key of the first slot; code.
RANDOM = (32, 64), (132, 164), (164, 196), (196, 208), (208, 256), (4032, 4096)


class Drives(CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "export.xml").write_text(document(RECORD * 50))

    def export(self, name, *options):
        self.vault("export", "export.xml", "-o", name, *(options or ENCRYPT))
        return (self.folder / name).read_bytes()

    def change_passphrase(self, name):
        (self.folder / "new").write_text("otter violin mesa plunder gherkin cascade")
        self.vault("passphrase", "change", name, *OPEN, "--new-passphrase-file", "new", "--iterations", "600000")
        return (self.folder / name).read_bytes()

    def test_two_exports_of_the_same_data_have_only_their_size_in_common(self):
        one, other = self.export("one.hvault"), self.export("other.hvault")
        self.assertEqual(len(one), len(other))
        for start, end in RANDOM:
            self.assertNotEqual(one[start:end], other[start:end], start)
        # Bytes that are the same by chance do not stand together.
        body, end = set(), len(one) - HEADER
        for at in range(HEADER, end - 8):
            body.add(one[at:at + 8])
        self.assertFalse([at for at in range(HEADER, end - 8) if other[at:at + 8] in body])

    def test_copies_have_the_same_identifier_whatever_their_passphrase(self):
        before = self.export("x.hvault")
        after = self.change_passphrase("x.hvault")
        self.assertEqual(before[32:64], after[32:64])
        self.assertNotEqual(before[128:256], after[128:256])

    def test_a_guess_costs_a_million_iterations_by_default(self):
        data = self.export("x.hvault", "--encrypt", *OPEN)
        self.assertEqual(int.from_bytes(data[128:132], "big"), 1_000_000)
        self.assertEqual(data[256:1152], bytes(7 * SLOT), "one slot, one derivation")

    def test_an_older_header_opens_with_its_passphrase_and_nobody_notices(self):
        before = self.export("x.hvault")
        after = self.change_passphrase("x.hvault")
        self.vault("verify", "x.hvault", *OPEN, status=12)
        (self.folder / "x.hvault").write_bytes(before[:HEADER] + after[HEADER:-HEADER] + before[-HEADER:])
        self.assertNotIn("warning", self.vault("verify", "x.hvault", *OPEN).stderr)

    def test_damage_to_padding_is_noticed_by_verify_alone(self):
        """Segments behind the index hold nothing but padding."""
        crafted.archive(self.folder / "x.hvault", ("a", os.urandom(2_100_000)), seg_chunks=1)
        data = bytearray((self.folder / "x.hvault").read_bytes())
        # In the last segment but one, which is full.
        data[len(data) - HEADER - 16_472 - 1000] ^= 1
        (self.folder / "x.hvault").write_bytes(data)
        self.vault("verify", "x.hvault", *crafted.OPEN, status=13)
        self.vault("decrypt", "x.hvault", "-o", "out", *crafted.OPEN)


# Key commitment -------------------------------------------------------------------------------------------------------

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


class Recovering(CommandTest):
    """What `recover` reads is trusted even less."""

    NAMES = ("../evil", "files/../../evil", "/evil", "files/../evil", "../\u200devil")

    @each(*((name, damaged) for name in NAMES for damaged in (False, True)))
    def test_nothing_is_written_outside_of_the_folder(self, case):
        """By the names in the index, and without one by those in the tar headers."""
        name, damaged = case
        (self.folder / "deep").mkdir()
        crafted.archive(self.folder / "deep" / "x.hvault", ("files/a", b"a"), (name, b"evil"),
                        change=lambda part, value: bytes(64) if damaged and part == "footer" else value)
        self.vault("recover", "x.hvault", "-o", "out", *crafted.OPEN, cwd=self.folder / "deep", status=(0, 3, 13, 14))
        self.assertEqual(self.names(), ["deep"])
        self.assertLessEqual(set(self.names(self.folder / "deep")), {"x.hvault", "out"})
        self.assertFalse(os.path.exists("/evil"))


class GeneratedPassphrases(Drives):
    def test_one_is_shown_on_the_terminal_alone(self):
        """Standard output and standard error go elsewhere."""
        command = "export", "export.xml", "-e", "-o", "x.hvault", "--iterations", "600000", "--json", "--generate-passphrase"
        with Terminal(self.folder, *command, term="dumb", outputs=("stdout", "stderr")) as terminal:
            status = terminal.close()
        elsewhere = (self.folder / "stdout").read_text() + (self.folder / "stderr").read_text()
        form = "[a-z2-7]{5}(?:-[a-z2-7]{5}){4}"
        self.assertNotRegex(elsewhere, form)
        found = re.findall(form, terminal.text)
        self.assertEqual((status, len(found)), (0, 1), terminal.text + elsewhere)
        (self.folder / "secret").write_text(found[0])
        self.vault("verify", "x.hvault", "--passphrase-file", "secret")


if __name__ == "__main__":
    unittest.main()
