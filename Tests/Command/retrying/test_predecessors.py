"""Further archives, and the one that they continue."""
import io
import os
import random
import shutil
import unittest

from further_archives import ENDS, Further
from vault import ENCRYPT, ITERATIONS, OPEN, PASSPHRASE, spent
import decrypt  # found by the line above
import write_container


class Predecessors(Further):
    """Where the first archive is, and whether it is the right one."""

    def setUp(self):
        super().setUp()
        self.damage()
        self.retry("-q")
        self.first = (self.folder / "x.hvault").read_bytes()

    def refused(self, status, *words):
        for command in (["decrypt", "x.2.hvault", "-o", "back"], ["decrypt", "x.2.hvault", "--stored", "-o", "back"],
                        ["verify", "x.2.hvault"], ["inspect", "x.2.hvault"], ["decrypt", "x.2.hvault", "--tar"]):
            message = self.vault(*command, *OPEN, status=status).stderr
            for word in words:
                self.assertIn(word, message)
            self.assertNotIn("back", self.names())

    def test_under_another_name(self):
        os.rename(self.folder / "x.hvault", self.folder / "renamed.hvault")
        self.check_whole()
        # Something else may bear the old name.
        (self.folder / "x.hvault").write_text("a note")
        self.check_whole()
        os.mkfifo(self.folder / "pipe.hvault")
        self.check_whole()

    def test_missing(self):
        identifier = self.first[32:64].hex()
        os.rename(self.folder / "x.hvault", self.folder / "x.hvault.away")
        self.refused(10, "x.hvault", identifier, "not in its folder")

    def test_another_archive(self):
        self.vault("export", "good.zip", "-o", "other.hvault", "-q", *ENCRYPT)
        shutil.move(self.folder / "other.hvault", self.folder / "x.hvault")
        self.refused(13, "not the archive that x.2.hvault continues")

    def test_swapped(self):
        shutil.move(self.folder / "x.2.hvault", self.folder / "x.hvault")
        (self.folder / "x.2.hvault").write_bytes(self.first)
        self.vault("verify", "x.2.hvault", *OPEN)
        self.check_whole("x.hvault")

    # SECURITY.md: "key derivation has its own limits (section 13)"
    def test_decoys_cost_no_derivation(self):
        """Anybody can put files there with the identifier, which everybody can read."""
        os.rename(self.folder / "x.hvault", self.folder / "zzz.hvault")
        before = spent()
        self.check_whole()
        alone = spent() - before
        for number in range(12):
            decoy = bytearray(self.first)
            for start in 128, len(decoy) - 4096 + 128:
                decoy[start:start + 4] = (9_900_000).to_bytes(4, "big")
            decoy[:4096] = decoy[-4096:] = write_container.resealed(bytes(decoy[:4096]))
            (self.folder / f"{number}.hvault").write_bytes(decoy)
        before = spent()
        self.check_whole()
        self.assertLess(spent() - before, 3 * alone, "one derivation takes longer than all of it")

    def test_another_one_with_the_same_identifier(self):
        """It has another file key, or another index; that only who knows the passphrase can make."""
        identifier = self.first[32:64]
        preamble = self.first[:32] + identifier
        for key in None, decrypt.Container(io.BytesIO(self.first), PASSPHRASE.encode()).file_key:
            write_container.write(self.folder / "x.hvault", ENDS, PASSPHRASE.encode(), 100_000, file_key=key,
                                  change=lambda part, value: preamble if part == "preamble" else value)
            self.refused(13, "not the archive that x.2.hvault continues")
        # Of two files with the identifier the right one is taken.
        (self.folder / "z.hvault").write_bytes(self.first)
        self.check_whole()

    def test_another_passphrase(self):
        """That of the archive which is read is enough: it has the key of the one that it continues."""
        (self.folder / "new").write_text("another good passphrase")
        change = ["passphrase", "change", "--new-passphrase-file", "new", *ITERATIONS, *OPEN]
        # Side by side, both would be changed.
        shutil.move(self.folder / "x.2.hvault", self.folder / "away")
        self.vault(*change, "x.hvault")
        shutil.move(self.folder / "away", self.folder / "x.2.hvault")
        self.check_whole()
        shutil.rmtree(self.folder / "back")
        self.vault("decrypt", "x.2.hvault", "-o", "back", "--passphrase-file", "new", status=12)
        self.vault(*change, "x.2.hvault")
        self.vault("decrypt", "x.2.hvault", "-o", "back", "--passphrase-file", "new")
        self.assert_same_folder("back", "plain")
        message = self.vault("verify", "x.2.hvault", *OPEN, status=12).stderr
        self.assertIn("x.2.hvault: wrong passphrase", message)

    def test_damage_anywhere_is_noticed_or_does_no_harm(self):
        chance = random.Random(7)
        second = (self.folder / "x.2.hvault").read_bytes()
        for name, data in ("x.hvault", self.first), ("x.2.hvault", second):
            places = [0, 40, 200, 4100, len(data) - 4060]
            for at in places + [chance.randrange(len(data)) for _ in range(3)]:
                with self.subTest(f"{name} {at}"):
                    changed = bytearray(data)
                    changed[at] ^= 1 << chance.randrange(8)
                    (self.folder / name).write_bytes(changed)
                    result = self.vault("decrypt", "x.2.hvault", "-o", "back", "-q", *OPEN, status=(0, 10, 12, 13, 14))
                    if result.status == 0:
                        self.assert_same_folder("back", "plain")
                        shutil.rmtree(self.folder / "back")
                    self.assertNotIn("back", self.names())
                    checked = self.vault("verify", "x.2.hvault", *OPEN, status=(10, 12, 13, 14))
                    self.assertIn(name, checked.stderr)
            (self.folder / name).write_bytes(data)
        self.check_whole()

    def test_a_first_archive_that_lost_its_first_sector_is_found(self):
        (self.folder / "x.hvault").write_bytes(bytes(4096) + self.first[4096:])
        self.vault("decrypt", "x.2.hvault", "-o", "back", "-q", *OPEN)
        self.assert_same_folder("back", "plain")


if __name__ == "__main__":
    unittest.main()
