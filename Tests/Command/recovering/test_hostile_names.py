"""Recovering an archive that someone made who means harm."""
import os
import unittest

import crafted
from vault import CommandTest, each


class Recovering(CommandTest):
    """What `recover` reads is trusted even less."""

    NAMES = ("../evil", "files/../../evil", "/evil", "files/../evil", "../\u200devil")

    # SECURITY.md: "could not make this program write outside its target"
    # SECURITY.md: "make a reader write outside the folder that it was told to write to"
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


if __name__ == "__main__":
    unittest.main()
