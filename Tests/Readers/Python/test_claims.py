"""What SECURITY.md claims: tests quote it, its figures are right, and the sections that are cited exist.

A test that fails if a claim is not true quotes the claim, or the start of it, above itself: `SECURITY.md: "truncate an archive"`.
The format itself (sections 9 to 28) is backed by `test_reference.py`, whose class `Text` checks every figure, example and case of
the text, and by the archives in `Fixtures/containers`, which both readers must judge alike.

No test can show: what the file system reveals about an archive; that a complete older file cannot be told from a newer one; that
nobody can tell who wrote an archive; deniability; who controls the computer; swap, hibernation and flash drives; copies of keys
inside OpenSSL; cloned machines; what a page that someone has swapped does; and that DEFLATE makes at most 1,032 bytes of one,
which follows from its format. Memory is overwritten before it is released and is then gone, so a test sees only that nothing is left.
"""
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TEXT = (ROOT / "SECURITY.md").read_text("utf-8")
WORDS = " ".join(TEXT.split())
NUMBERS = set(re.findall(r"^## (\d+)\. ", TEXT, re.MULTILINE))
FILES = {path: path.read_text("utf-8") for path in [ROOT / "README.md", *(ROOT / "Sources").rglob("*"), *(ROOT / "Tests").rglob("*")]
         if path.suffix in (".swift", ".py", ".md")}


class Figures(unittest.TestCase):
    # SECURITY.md: "On average these find eight random lower-case letters in 9 hours"
    def test_guessing(self):
        """Half of all passphrases, at the tries a second that section 3 gives for a thousand cards."""
        tries, = re.findall(r"a thousand of them ([0-9,]+)\.", WORDS)
        self.assertEqual(tries, "3,300,000")
        self.assertIn("eight random lower-case letters in 9 hours, four random words of a list of 7,776 in 18 years, "
                      "five in 140,000 years", WORDS)
        seconds, hour, year = (lambda count: count / 2 / 3_300_000), 3600, 365.25 * 86400
        self.assertEqual(round(seconds(26 ** 8) / hour), 9)
        self.assertEqual(round(seconds(7776 ** 4) / year), 18)
        self.assertEqual(round(seconds(7776 ** 5) / year / 1e4), 14)


class Citations(unittest.TestCase):
    def test_every_claim_that_a_test_quotes_is_one_of_the_text(self):
        quoted = re.compile(r'^ +(?:#|//) SECURITY\.md: "(.+)"$', re.MULTILINE)
        claims = {claim for text in FILES.values() for claim in quoted.findall(text)}
        self.assertEqual([claim for claim in claims if claim not in WORDS], [])
        self.assertGreater(len(claims), 100)

    def test_every_cited_section_exists(self):
        """Wherever a file names sections of SECURITY.md."""
        cited, found = re.compile(r"SECURITY\.md\W{0,20}sections? ([0-9.]+)(?:(?:,| and| to) ([0-9.]+))?"), 0
        for path, text in FILES.items():
            for match in cited.finditer(text):
                found += 1
                for number in filter(None, match.groups()):
                    self.assertIn(number.strip("."), NUMBERS, f"{path}: {match[0]}")
        self.assertGreater(found, 5)

    def test_every_section_that_the_text_names_exists(self):
        own = re.sub(r"(?:RFC|NIST SP) [0-9-]+[A-D]?, sections? [0-9.]+", "", TEXT)
        for first, second in re.findall(r"\bsections? ([0-9]+)(?:(?:,| and| to) ([0-9]+))?", own, re.IGNORECASE):
            self.assertLessEqual({first, second or first}, NUMBERS)


if __name__ == "__main__":
    unittest.main()
