"""What a power loss leaves does not stop the same command: some of the states that `make crash-states` tries."""
import sys
import unittest

from sampling import SEED, some
from vault import ROOT, each

sys.path.insert(0, str(ROOT / "Tests" / "Development" / "CrashStates"))
from scenarios import tried  # noqa: E402  (found by the line above)

SOME = (("encrypt", "exfat"), ("plain", "ext4"), ("split", "ext4"), ("replace", "ext4"), ("to", "ext4"), ("increment", "exfat"),
        ("compact", "exfat"), ("passphrase-change", "ext4"), ("convert", "exfat"), ("analytics-update", "ext4"),
        ("analytics-encrypted-update", "ext4"), ("sync-later", "exfat"), ("keyring", "ext4"), ("schedule-run", "exfat"))
STATES = 4


class CrashStates(unittest.TestCase):
    @each(*some(SOME, 3))
    def test_the_same_command_ends_with_the_right_result(self, case):
        self.assertEqual([f"{case[0]}: {what} ({text})" for text, what in tried(*case, SEED, STATES) if what], [])

    @each(("compact", "ext4"), ("convert", "exfat"))
    def test_it_would_not_without_any_flush(self, case):
        self.assertTrue([what for _, what in tried(*case, SEED, 20, flushes=False) if what])


if __name__ == "__main__":
    unittest.main()
