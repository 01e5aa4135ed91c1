"""Ten kills of exports, or twenty; `make soak` does five hundred and more."""
import random
import unittest

from kills import Killing
from sampling import ALL
from vault import CommandTest, dense


class Kills(CommandTest):
    def test_whatever_the_instant_nothing_is_lost_and_nothing_is_there_twice(self):
        killing = Killing(self.folder, dense("4MB", 900).source, random.Random(20))
        while killing.kills < (20 if ALL else 10) or len(+killing.continued) < 2 and killing.kills < 60:
            killing.one(encrypt=killing.runs % 2 == 0, most=8)
        self.assertGreater(killing.runs, 2)
        self.assertEqual(set(+killing.continued), {"archive", "folder"}, "nothing was continued")


if __name__ == "__main__":
    unittest.main()
