"""On a terminal of 60 columns, no line of an answer is longer."""
import unittest

from terminal import Terminal
from vault import CommandTest, generated

COLUMNS = 60
ANSWERS = [
    ("query", "stepCount"), ("query", "heartRate"), ("query", "sleepAnalysis"), ("query", "workout"), ("query", "bloodPressure"),
    ("query", "activitySummary"), ("query", "audiogram"), ("query", "mindfulSession"),
    ("stats", "stepCount"), ("stats", "heartRate"), ("stats", "heartRate", "--agg", "avg,min,max,median,p95,latest"),
    ("stats", "stepCount", "--by", "month", "--limit", "3"), ("stats", "stepCount", "--in", "2016", "--compare", "2017"),
    ("stats", "stepCount", "--above", "9000"),
    ("stats", "stepCount", "--agg", "median", "--of", "day"), ("stats", "mindfulSession"),
    ("sleep",), ("sleep", "--by", "month"), ("sleep", "--above", "3h"), ("ecg", "list"), ("ecg", "show", "1"),
    ("chart", "stepCount"), ("chart", "sleepAnalysis"), ("chart", "stepCount", "heartRate", "--by", "month"),
    ("chart", "stepCount", "--by", "hour-of-week"), ("correlate", "stepCount", "heartRate"), ("changes",), ("inspect",),
]


class Narrow(CommandTest):
    def lines(self, *arguments):
        """What a command shows, line by line, without colours."""
        with Terminal(self.folder, *arguments, term="dumb", columns=COLUMNS) as terminal:
            terminal.close()
            return terminal.all.replace("\r\n", "\n").split("\n")

    def check(self, *arguments):
        with self.subTest(" ".join(map(str, arguments))):
            lines = self.lines(*arguments)
            self.assertGreater(len("".join(lines)), 20)
            # A word that is longer, such as an anchor, is not broken.
            self.assertEqual([line for line in lines if len(line) > COLUMNS and len(line.split()) > 1], [])
            return "\n".join(lines)

    def test_answers(self):
        source = generated().zip
        for name, *rest in ANSWERS:
            if rest and rest[0] in ("list", "show"):
                self.check(name, rest[0], source, *rest[1:])
            elif name == "changes":
                self.check(name, source, "--since", source)
            else:
                self.check(name, source, *rest)
        for arguments in ("types",), ("types", "heart"), ("types", "group:heart"), ("types", "stepCount"), ("types", "bloodPressure"):
            self.check(*arguments)

    def test_what_is_left_out_is_said(self):
        shown = self.check("query", generated().zip, "workout")
        self.assertRegex(shown.replace("\n", " "), r"\d columns? left out: a wider terminal or --json shows them")
        shown = self.check("sleep", generated().zip)
        self.assertRegex(shown, r"\d columns left out")
        self.assertIn("source", shown)


if __name__ == "__main__":
    unittest.main()
