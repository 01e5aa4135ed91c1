"""The sessions that README and the tutorials show: every command shows what the page says, times and versions aside."""
import unittest

from vault import SHIPPED

from documentation.consoles import EXPORTS, Session, normalised, page, sessions


class Sessions(unittest.TestCase):
    maxDiff = None

    def check(self, name):
        steps = sessions(page(name).read_text())
        self.assertTrue(steps)
        with Session(SHIPPED, EXPORTS[name]) as session:
            for command, shown in steps:
                status, output = session.run(command)
                self.assertEqual(normalised(output), normalised(shown), command)
                self.assertEqual(status, 0, command)


for number, name in enumerate(EXPORTS):
    def test(self, name=name):
        self.check(name)
    setattr(Sessions, f"test_{name.partition('.')[0].lower()}", test)


if __name__ == "__main__":
    unittest.main()
