"""Every link of README, SECURITY.md and the articles leads somewhere; `make docs` checks those of the site that is made of them."""
import re
import unittest

from vault import ROOT

ARTICLES = sorted(ROOT.glob("Sources/*/*/*.docc/*.md"))
PAGES = [ROOT / "README.md", ROOT / "SECURITY.md", *ARTICLES]


def without_code(text):
    return re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(text):
    """The names that headings have in Markdown."""
    names = set()
    for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        names.add(re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-"))
    return names


class Links(unittest.TestCase):
    def test_links_between_files(self):
        count = 0
        for page in PAGES:
            text = without_code(page.read_text())
            for target in re.findall(r"\]\(([^)<>]+)\)", text):
                count += 1
                path, _, anchor = target.partition("#")
                if re.match(r"[a-z]+:", target):
                    self.assertTrue(target.startswith(("https://", "http://")), target)
                    continue
                other = page.parent / path if path else page
                # Pictures of an article lie in its catalogue.
                self.assertTrue(other.exists() or (page.parent / "Resources" / path).exists(), f"{page.name}: {target}")
                if anchor:
                    self.assertIn(anchor, anchors(other.read_text()), f"{page.name}: {target}")
        self.assertGreater(count, 40)

    def test_links_between_articles_lead_somewhere_outside_docc_too(self):
        for page in ARTICLES:
            self.assertNotRegex(without_code(page.read_text()), r"[<(]doc:", page.name)

    def test_every_article_is_listed(self):
        for catalogue in {page.parent for page in ARTICLES}:
            pages = {page.stem for page in catalogue.glob("*.md")}
            start = (catalogue / f"{catalogue.stem}.md").read_text()
            self.assertEqual(pages - {catalogue.stem}, set(re.findall(r"^- \[[^]]+\]\((\w+)\.md\)$", start, re.MULTILINE)))


if __name__ == "__main__":
    unittest.main()
