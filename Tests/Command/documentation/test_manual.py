"""The pages of the system's manual, and what `healthvault help` says about topics: the same texts."""
import re
import shutil
import unittest

from command_line.texts import commands
from vault import SHIPPED, CommandTest, environment, run, skip_loudly

TOPICS = ("types", "days", "sources", "passphrases", "formats", "exit-status", "privacy", "archive")


def words(text):
    """The words of a page, however they are laid out, with plain quotes and dashes."""
    return re.sub(r"[‐−]", "-", text.replace("‘", "'").replace("’", "'")).split()


class Manual(CommandTest):
    program = SHIPPED

    pages = {}

    def setUp(self):
        super().setUp()
        # They are the same for all tests.
        for name in [] if self.pages else self.vault("manual").stdout.decode().split():
            self.pages[name] = self.vault("manual", name).stdout
        for name, text in self.pages.items():
            place = self.folder / f"man{name[-1]}" / name
            place.parent.mkdir(exist_ok=True)
            place.write_bytes(text)

    def rendered(self, name):
        place = self.folder / f"man{name[-1]}" / name
        return run("mandoc", "-T", "utf8", "-O", "width=200", place).stdout.decode()

    def test_every_command_has_a_page(self):
        expected = {f"healthvault-{name}.1" for name in commands(SHIPPED)} | {
            "healthvault.1", "healthvault-help.1", "healthvault-archive.5"}
        self.assertEqual(set(self.pages), expected)

    def test_the_pages_are_clean(self):
        if not shutil.which("mandoc") or not shutil.which("man"):
            skip_loudly(self, "mandoc or man is missing: make deps-test")
        # References are looked up in the folder; NetBSD's and OpenBSD's own rules are not asked for.
        lint = run("mandoc", "-T", "lint", *(self.folder / f"man{name[-1]}" / name for name in self.pages),
                   env=environment(MANPATH=str(self.folder)))
        problems = [line for line in lint.stdout.decode().splitlines() if "referenced manual not found" not in line]
        self.assertEqual(problems, [])
        for name in self.pages:
            man = run("man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", self.folder / f"man{name[-1]}" / name,
                      env=environment(MANROFFSEQ="", MANWIDTH="80"))
            self.assertEqual((man.status, man.stderr), (0, ""), name)

    def test_references_are_to_pages_that_exist(self):
        for name, text in self.pages.items():
            found = re.findall(r"^\.Xr (\S+) (\d)", text.decode(), re.MULTILINE)
            self.assertTrue(found, name)
            for other, section in found:
                self.assertIn(f"{other}.{section}".replace("\\-", "-"), self.pages, name)

    def test_topics_are_the_same_in_help_and_manual(self):
        if not shutil.which("mandoc"):
            skip_loudly(self, "mandoc is missing: make deps-test")
        manual = " ".join(words(self.rendered("healthvault.1")) + words(self.rendered("healthvault-archive.5")))
        for topic in TOPICS:
            page = self.vault("help", topic).stdout.decode()
            # The page of a command of the same name precedes the topic.
            start = re.search(rf"^{topic}: .*\n(?:\S.*\n)*\n", page, re.MULTILINE)
            self.assertIn(" ".join(words(page[start.end():])), manual, topic)

    def test_topics_with_spaces_and_their_list(self):
        self.assertEqual(self.vault("help", "exit", "status").stdout, self.vault("help", "exit-status").stdout)
        overview = self.vault("help").stdout.decode()
        for topic in TOPICS:
            self.assertRegex(overview, rf"(?m)^  {topic}  ")

    def test_options_are_those_of_help(self):
        if not shutil.which("mandoc"):
            skip_loudly(self, "mandoc is missing: make deps-test")
        for name in commands(SHIPPED):
            help_text, page = self.vault("help", name).stdout.decode(), self.rendered(f"healthvault-{name}.1")
            self.assertEqual(set(re.findall(r"(?m)^  (?:-\w, |    )(--[a-z-]+)", help_text)),
                             set(re.findall(r"(?m)^ +(?:-\w, )?(--[a-z-]+)", re.sub(r"\x08.|.\x08", "", page)))
                             & set(re.findall(r"--[a-z-]+", help_text)), name)


if __name__ == "__main__":
    unittest.main()
