"""What someone who has the drive can do with an archive and what not (SECURITY.md, section 3)."""
import os
import re
import unittest

import crafted
from documents import RECORD, document
from terminal import Terminal
from vault import OPEN, SHIPPED, SHIPPED_ENCRYPT, SHIPPED_ITERATIONS, CommandTest

HEADER, SLOT = 4096, 128
# Identifier; salt, commitment, nonce and wrapped key of the first slot; nonce, labels and tag; digest and code.
RANDOM = ((32, 64), (132, 164), (164, 196), (196, 208), (208, 256), (1152, 1164), (1164, 2188), (2188, 2204),
          (4000, 4096))


class Exports(CommandTest):
    program = SHIPPED

    def setUp(self):
        super().setUp()
        (self.folder / "export.xml").write_text(document(RECORD * 50))


class Drives(Exports):
    def export(self, name, *options):
        self.vault("export", "export.xml", "-o", name, *(options or SHIPPED_ENCRYPT))
        return (self.folder / name).read_bytes()

    def change_passphrase(self, name):
        (self.folder / "new").write_text("otter violin mesa plunder gherkin cascade")
        self.vault("passphrase", "change", name, *OPEN, "--new-passphrase-file", "new", *SHIPPED_ITERATIONS)
        return (self.folder / name).read_bytes()

    # SECURITY.md: "Two exports of the same data have only their size class in common"
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

    # SECURITY.md: "recognise two copies of the same archive by their identifier"
    def test_copies_have_the_same_identifier_whatever_their_passphrase(self):
        before = self.export("x.hvault")
        after = self.change_passphrase("x.hvault")
        self.assertEqual(before[32:64], after[32:64])
        self.assertNotEqual(before[128:256], after[128:256])

    # SECURITY.md: "try passphrases indefinitely, at the cost of one key derivation each"
    def test_a_guess_costs_a_million_iterations_by_default(self):
        data = self.export("x.hvault", "--encrypt", *OPEN)
        self.assertEqual(int.from_bytes(data[128:132], "big"), 1_000_000)
        self.assertEqual(data[256:1152], bytes(7 * SLOT), "one slot, one derivation")

    # SECURITY.md: "A complete older file is as valid as the newer one"
    # SECURITY.md: "replace a newer archive, or its header, with an older copy, which opens with the passphrase of that time"
    def test_an_older_header_opens_with_its_passphrase_and_nobody_notices(self):
        before = self.export("x.hvault")
        after = self.change_passphrase("x.hvault")
        self.vault("verify", "x.hvault", *OPEN, status=12)
        (self.folder / "x.hvault").write_bytes(before[:HEADER] + after[HEADER:-HEADER] + before[-HEADER:])
        self.assertNotIn("warning", self.vault("verify", "x.hvault", *OPEN).stderr)

    # SECURITY.md: "damage to padding goes unnoticed"
    def test_damage_to_padding_is_noticed_by_verify_alone(self):
        """Segments behind the index hold nothing but padding."""
        crafted.archive(self.folder / "x.hvault", ("a", os.urandom(2_100_000)), seg_chunks=1)
        data = bytearray((self.folder / "x.hvault").read_bytes())
        # In the last segment but one, which is full.
        data[len(data) - HEADER - 16_472 - 1000] ^= 1
        (self.folder / "x.hvault").write_bytes(data)
        self.vault("verify", "x.hvault", *crafted.OPEN, status=13)
        self.vault("decrypt", "x.hvault", "-o", "out", *crafted.OPEN)


class GeneratedPassphrases(Exports):
    # SECURITY.md: "a generated one is shown on the terminal only"
    def test_one_is_shown_on_the_terminal_alone(self):
        """Standard output and standard error go elsewhere."""
        command = "export", "export.xml", "-e", "-o", "x.hvault", *SHIPPED_ITERATIONS, "--json", "--generate-passphrase"
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
