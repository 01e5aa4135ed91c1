"""The tests that SECURITY.md names beside its claims exist, and the figures that it gives are right."""
import ast
import functools
import re
import unittest

from vault import ROOT

TESTS = ROOT / "Tests"
TEXT = (ROOT / "SECURITY.md").read_text()
TITLE = "9. Which tests back these claims"
PYTHON = re.compile(r"((?:\w+\.)?test_\w+)\.(\w+)\.(test_\w+)")
SWIFT = re.compile(r'(\w+\.swift): "(.+)"')
SENTENCE = re.compile(r'@Test\(\s*"((?:[^"\\]|\\.)*)"')


def rows():
    """The rows of the tables of section 9, as cells."""
    section = TEXT.partition(f"\n## {TITLE}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in cells if row != ["Claim", "Tests"] and set("".join(row)) != {"-"}]


@functools.cache
def methods(module):
    """The tests of a Python file, by class and name."""
    file = module.replace(".", "/") + ".py"
    found = [path for path in (TESTS / folder / file for folder in ("Command", "Readers/Python")) if path.exists()]
    return {(owner.name, method.name) for path in found for owner in ast.parse(path.read_text()).body
            if isinstance(owner, ast.ClassDef) for method in owner.body if isinstance(method, ast.FunctionDef)}


@functools.cache
def sentences(name):
    """The names of the tests in the Swift files of this name."""
    return {sentence for path in TESTS.rglob(name) for sentence in SENTENCE.findall(path.read_text())}


def exists(test):
    if python := PYTHON.fullmatch(test):
        return python.groups()[1:] in methods(python[1])
    swift = SWIFT.fullmatch(test)
    return bool(swift) and swift[2] in sentences(swift[1])


class Claims(unittest.TestCase):
    def test_every_claim_has_tests_that_exist(self):
        self.assertGreater(len(rows()), 50)
        for row in rows():
            with self.subTest(row[0]):
                self.assertEqual(len(row), 2, "a claim and its tests")
                self.assertTrue(row[0])
                tests = re.findall("`([^`]*)`", row[1])
                self.assertTrue(tests, "no test")
                # Nothing but tests stands there: no reason why there is none.
                self.assertEqual(row[1], ", ".join(f"`{test}`" for test in tests))
                self.assertEqual([test for test in tests if not exists(test)], [], "there is no such test")

    def test_no_claim_stands_there_twice(self):
        claims = [row[0] for row in rows()]
        self.assertEqual(len(claims), len(set(claims)))

    def test_the_list_of_contents_has_the_section(self):
        self.assertIn(f"\n9. [{TITLE[3:]}](#9-which-tests-back-these-claims)\n", TEXT)

    def test_tests_that_do_not_exist_are_found(self):
        """The look itself."""
        for test in ("secrecy.test_claims.Claims.test_nothing", "secrecy.test_claims.Nobody.test_nothing",
                     "secrecy.test_nowhere.Claims.test_it", "test_claims.Claims.test_the_list_of_contents_has_the_section",
                     "nowhere.test_claims.Claims.test_the_list_of_contents_has_the_section", "words",
                     'WritingTests.swift: "are not there"', 'NowhereTests.swift: "are locked while they are written"'):
            self.assertFalse(exists(test), test)
        for test in ("secrecy.test_claims.Claims.test_the_list_of_contents_has_the_section",
                     'WritingTests.swift: "are locked while they are written"'):
            self.assertTrue(exists(test), test)


class Figures(unittest.TestCase):
    def test_guessing(self):
        """Half of all passphrases, at the tries a second that section 1 gives for a thousand cards."""
        words = " ".join(TEXT.split())
        tries, = re.findall(r"a thousand of them ([0-9,]+)\.", words)
        self.assertEqual(tries, "3,300,000")
        self.assertIn("eight random lower-case letters in 9 hours, four random words of a list of 7,776 in 18 years, "
                      "five in 140,000 years", words)
        seconds, hour, year = (lambda count: count / 2 / 3_300_000), 3600, 365.25 * 86400
        self.assertEqual(round(seconds(26 ** 8) / hour), 9)
        self.assertEqual(round(seconds(7776 ** 4) / year), 18)
        self.assertEqual(round(seconds(7776 ** 5) / year / 1e4), 14)


if __name__ == "__main__":
    unittest.main()
