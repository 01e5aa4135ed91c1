"""Twenty exports' worth of kills; `make soak` does five hundred and more."""
import random
import unittest

from kills import Killing
from vault import CommandTest, generated


class Kills(CommandTest):
    def test_whatever_the_instant_nothing_is_lost_and_nothing_is_there_twice(self):
        killing = Killing(self.folder, generated("ordinary", "14", "30MB").xml, random.Random(20))
        while killing.kills < 20:
            killing.one(encrypt=killing.runs % 2 == 0, most=5)
        self.assertGreater(killing.runs, 4)


if __name__ == "__main__":
    unittest.main()
