"""Files that somebody puts beside an archive, and that look like the one that it continues, keep nobody from reading it."""
import os
import unittest

from further_archives import Further
from vault import OPEN
import write_container  # found by the line above

FAKES = 200


class FakePredecessors(Further):
    """The identifier of an archive is there for everybody to read; so are its headers."""

    def setUp(self):
        super().setUp()
        self.damage()
        self.retry("-q")
        self.first = (self.folder / "x.hvault").read_bytes()

    def put_fakes(self, count, iterations=10_000_000):
        """Each has a salt of its own."""
        for number in range(count):
            fake = bytearray(self.first[:4096] + bytes(4096) + self.first[-4096:])
            for start in 128, len(fake) - 4096 + 128:
                fake[start:start + 4] = iterations.to_bytes(4, "big")
                fake[start + 4:start + 36] = number.to_bytes(32, "big")
            fake[:4096] = fake[-4096:] = write_container.resealed(bytes(fake[:4096]))
            # Some come before the name of the archive, some behind it.
            (self.folder / f"{'az'[number % 2]}{number}.hvault").write_bytes(fake)

    def check_missing(self):
        for command in ["decrypt", "x.2.hvault", "-o", "back"], ["verify", "x.2.hvault"]:
            refused = self.vault(*command, *OPEN, status=10)
            self.assertIn("x.hvault", refused.stderr, "says which archive is wanted")
            self.assertNotIn("passphrase change", refused.stderr)
            self.assertNotIn("wrong passphrase", refused.stderr)
        self.assertNotIn("back", self.names())

    def test_the_name_that_the_archive_had_is_tried_first(self):
        self.put_fakes(FAKES)
        self.check_whole()

    def test_the_right_one_under_another_name_among_very_many(self):
        """None of them costs a derivation; all of them would take minutes."""
        self.put_fakes(FAKES)
        os.rename(self.folder / "x.hvault", self.folder / "m.hvault")
        self.check_whole()

    def test_the_right_one_is_missing_and_some_remain(self):
        self.put_fakes(3)
        os.rename(self.folder / "x.hvault", self.folder / "away")
        self.check_missing()

    def test_the_right_one_is_missing_and_very_many_remain(self):
        """None of them costs a derivation, either."""
        self.put_fakes(FAKES + 20)
        os.rename(self.folder / "x.hvault", self.folder / "away")
        self.check_missing()

    def test_a_fake_under_the_name_itself(self):
        os.rename(self.folder / "x.hvault", self.folder / "m.hvault")
        self.put_fakes(1)
        os.replace(self.folder / "a0.hvault", self.folder / "x.hvault")
        self.check_whole()


if __name__ == "__main__":
    unittest.main()
