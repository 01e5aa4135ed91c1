"""The claims in Tests/Claims.md are those of SECURITY.md, their tests exist, and the figures of the text are right."""
import ast
import functools
import re
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2]
TEXT = (TESTS.parent / "SECURITY.md").read_text("utf-8")
CLAIMS = (TESTS / "Claims.md").read_text("utf-8")
SECTION = re.compile(r"^## (\d+\. .*)\n((?:(?!#{1,2} ).*\n)*)", re.MULTILINE)
PYTHON = re.compile(r"((?:\w+\.)?test_\w+)\.(\w+)\.(test_\w+)")
SWIFT = re.compile(r'(\w+\.swift): "(.+)"')
SENTENCE = re.compile(r'@Test\(\s*"((?:[^"\\]|\\.)*)"')


def sections(text):
    """The sections of a text by their numbers and titles."""
    return dict(SECTION.findall(text))


def rows():
    """The rows of all tables: section, claim, and what stands beside it."""
    for title, section in sections(CLAIMS).items():
        for line in section.splitlines():
            if line.startswith("|") and line not in ("| Claim | Tests |", "| --- | --- |"):
                yield title, *(cell.strip() for cell in line.strip("|").split("|"))


@functools.cache
def methods(module):
    """The tests of a Python file, by class and name. A file in a folder is one of the command's tests."""
    folders = [TESTS / "Command"] if "." in module else [TESTS / "Readers" / "Python", TESTS / "Readers" / "Browser"]
    paths = [folder / (module.replace(".", "/") + ".py") for folder in folders]
    path = next(filter(Path.exists, paths), paths[0])
    return {(owner.name, method.name) for owner in (ast.parse(path.read_text()).body if path.exists() else ())
            if isinstance(owner, ast.ClassDef) for method in owner.body if isinstance(method, ast.FunctionDef)}


@functools.cache
def sentences(name):
    """The titles of the tests in the Swift files of this name."""
    return {sentence for path in TESTS.rglob(name) for sentence in SENTENCE.findall(path.read_text())}


def exists(test):
    if python := PYTHON.fullmatch(test):
        return python.groups()[1:] in methods(python[1])
    swift = SWIFT.fullmatch(test)
    return bool(swift) and swift[2] in sentences(swift[1])


class Claims(unittest.TestCase):
    def test_every_claim_is_one_of_the_text(self):
        text = {title: " ".join(section.split()) for title, section in sections(TEXT).items()}
        for title, claim, *_ in rows():
            with self.subTest(claim):
                self.assertIn(title, text, "there is no such section")
                self.assertIn(claim, text[title], "the section does not say that")

    def test_every_claim_has_tests_that_exist(self):
        self.assertGreater(len(list(rows())), 50)
        for _, claim, *cells in rows():
            with self.subTest(claim):
                self.assertEqual(len(cells), 1, "a claim and its tests")
                tests = re.findall("`([^`]*)`", cells[0])
                self.assertTrue(tests, "no test")
                # Only tests stand there: no reason why there is none.
                self.assertEqual(cells[0], ", ".join(f"`{test}`" for test in tests))
                self.assertEqual([test for test in tests if not exists(test)], [], "there is no such test")

    def test_no_claim_stands_there_twice(self):
        claims = [(title, claim) for title, claim, *_ in rows()]
        self.assertEqual(len(claims), len(set(claims)))

    def test_tests_that_do_not_exist_are_found(self):
        """The search itself."""
        for test in ("secrecy.test_drives.Drives.test_nothing", "secrecy.test_drives.Nobody.test_nothing", "words",
                     "secrecy.test_nowhere.Claims.test_it", "nowhere.test_claims.Claims.test_no_claim_stands_there_twice",
                     "test_drives.Drives.test_copies_have_the_same_identifier_whatever_their_passphrase",
                     'WritingTests.swift: "are not there"', 'NowhereTests.swift: "are locked while they are written"'):
            self.assertFalse(exists(test), test)
        for test in ("test_claims.Claims.test_no_claim_stands_there_twice",
                     "secrecy.test_drives.Drives.test_copies_have_the_same_identifier_whatever_their_passphrase",
                     'WritingTests.swift: "are locked while they are written"'):
            self.assertTrue(exists(test), test)


class Figures(unittest.TestCase):
    def test_guessing(self):
        """Half of all passphrases, at the tries a second that section 3 gives for a thousand cards."""
        words = " ".join(TEXT.split())
        tries, = re.findall(r"a thousand of them ([0-9,]+)\.", words)
        self.assertEqual(tries, "3,300,000")
        self.assertIn("eight random lower-case letters in 9 hours, four random words of a list of 7,776 in 18 years, "
                      "five in 140,000 years", words)
        seconds, hour, year = (lambda count: count / 2 / 3_300_000), 3600, 365.25 * 86400
        self.assertEqual(round(seconds(26 ** 8) / hour), 9)
        self.assertEqual(round(seconds(7776 ** 4) / year), 18)
        self.assertEqual(round(seconds(7776 ** 5) / year / 1e4), 14)


class Citations(unittest.TestCase):
    def test_every_cited_section_exists(self):
        """Wherever a file names sections of SECURITY.md."""
        numbers = {title.partition(".")[0] for title in sections(TEXT)}
        cited = re.compile(r"SECURITY\.md\W{0,20}sections? ([0-9.]+)(?:(?:,| and| to) ([0-9.]+))?")
        root, found = TESTS.parent, 0
        for path in (root / "README.md", *(path for folder in ("Sources", "Tests") for ending in ("swift", "py", "md")
                                           for path in (root / folder).rglob(f"*.{ending}"))):
            for match in cited.finditer(path.read_text("utf-8")):
                found += 1
                for number in filter(None, match.groups()):
                    self.assertIn(number.strip("."), numbers, f"{path}: {match[0]}")
        self.assertGreater(found, 5)

    def test_every_section_that_the_text_names_exists(self):
        numbers = {title.partition(".")[0] for title in sections(TEXT)}
        own = re.sub(r"(?:RFC|NIST SP) [0-9-]+[A-D]?, sections? [0-9.]+", "", TEXT)
        for first, second in re.findall(r"\bsections? ([0-9]+)(?:(?:,| and| to) ([0-9]+))?", own, re.IGNORECASE):
            self.assertLessEqual({first, second or first}, numbers)


if __name__ == "__main__":
    unittest.main()
