"""Every command line in help (and so in the manual), README and the articles runs, where what it names is there.

`make test` takes about every second line.
"""
import re
import shlex
import shutil
import unittest

from command_line.texts import commands, examples, page
from sampling import some
from vault import BINARY, ITERATIONS, OPEN, PASSPHRASE, ROOT, SECRET, run, skip_loudly

from documentation.consoles import Session

EXPORT = ("--size", "10MB")
# What needs something that is not there in a folder with an export: other tests run these commands.
NOT_RUN = {
    r"session resume export-1a2b3c4d|recover health\.hvault\.part": "an export that was interrupted",
    r"healthvault (shell|mcp) ": "somebody who asks",
    r"healthvault watch (?!.*--(once|unit))": "an end: it waits for exports",
    r"postgresql:|https?:": "a server",
    r"codes\.json": "somebody's list of codes",
}
# A file of some phone, in place of which one of the generated export is taken.
ROUTE = "route_2023-05-13_5.15am.gpx"
# The key of a ring, which lies elsewhere, and where the tests have it.
MOUNTED_KEY, RING_KEY = "/run/secrets/study.key", "../study.key"


def words_of(line):
    """The words of the first command of a line."""
    return shlex.split(line.partition(" && ")[0].replace("<(", "").replace(")", ""))


def documented():
    """The command lines that README and the articles show outside of sessions, by page."""
    for path in (ROOT / "README.md", *sorted(ROOT.glob("Sources/*/*/*.docc/*.md"))):
        text = re.sub(r"^```.*?^```$", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
        lines = re.findall(r"^    (healthvault .*)$", text.replace("\\\n", " "), re.MULTILINE)
        if lines:
            yield path.name, [line.partition("  #")[0].strip() for line in lines]


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.session = cls.enterClassContext(Session(BINARY, EXPORT))
        cls.work = cls.session.work
        cls.vault("encrypt", "export.zip", "-o", "health.hvault", *ITERATIONS, *OPEN)
        cls.vault("export", "export.zip", "-o", "health")
        cls.vault("analytics", "init", "health.hvault", "--database", "totals.sqlite", *OPEN)
        (cls.session.drive / "health").mkdir()
        cls.vault("destination", "add", "stick", cls.session.drive / "health")
        cls.vault("encrypt", "export.zip", "--to", "stick", *ITERATIONS, *OPEN)
        (archive,) = (cls.session.drive / "health").glob("*.hvault")
        shutil.copy(archive, cls.work / "health.5.hvault")
        (cls.work / "Inbox").mkdir()
        shutil.copy(cls.work / "export.zip", cls.work / "Inbox")
        for name in "new.zip", "old.zip":
            shutil.copy(cls.work / "export.zip", cls.work / name)
        for name in "key", "KEY", "secret":
            shutil.copy(SECRET, cls.work / name)
            (cls.work / name).chmod(0o600)
        (cls.work / "study").mkdir()
        shutil.copy(cls.work / "health.hvault", cls.work / "study/0001.hvault")
        (cls.work / "list.tsv").write_text(f"0001.hvault\t{PASSPHRASE}\n")
        (cls.work / "list.tsv").chmod(0o600)
        cls.vault("keyring", "make", "study", "-o", "study.keyring", "--key-file", RING_KEY, *OPEN)
        (cls.work / ".config/systemd/user").mkdir(parents=True)
        cls.vault("schedule", "set", "--every", "day 02:00", "--source", cls.work / "Inbox", "--to", "stick", "--encrypt",
                  "--passphrase-file", cls.work / "key", "--timer", "none")
        cls.route = next((cls.work / "health/files/workout-routes").iterdir()).name
        cls.kept = cls.session.folder.parent / f"{cls.session.folder.name}-kept"
        shutil.copytree(cls.session.folder, cls.kept, symlinks=True)
        cls.addClassCleanup(shutil.rmtree, cls.kept)

    @classmethod
    def vault(cls, *command):
        made = run(BINARY, *command, cwd=cls.work, env=cls.session.variables)
        assert made.status == 0, made.stderr

    def prepare(self, line):
        """Everything as it was, but for what the command is to make."""
        for name in "work", "STICK", "config", "state":
            shutil.rmtree(self.session.folder / name, ignore_errors=True)
            shutil.copytree(self.kept / name, self.session.folder / name, symlinks=True)
        words = words_of(line)
        outputs = {after for word, after in zip(words, words[1:]) if word in ("-o", "--output")}
        for place in self.work.iterdir():
            if place.name not in words or place.name in outputs and words.count(place.name) == 1:
                if place.suffix == ".hvault" or place.name in outputs:
                    shutil.rmtree(place) if place.is_dir() else place.unlink()
        if words[1:3] == ["analytics", "init"]:
            (self.work / "totals.sqlite").unlink()
        if words[1:3] == ["destination", "add"]:
            for folder in self.session.folder / "config", self.session.folder / "state", self.session.drive / "health":
                shutil.rmtree(folder)
            (self.session.drive / "health").mkdir()

    def check(self, lines):
        for line in lines:
            if any(re.search(need, line) for need in NOT_RUN):
                continue
            shell = "fish" if line.endswith("| source") else "bash"
            with self.subTest(line):
                if not shutil.which(shell):
                    skip_loudly(self, f"{shell} is missing: make deps-test")
                self.prepare(line)
                status, output = self.session.run(line.replace(ROUTE, self.route).replace(MOUNTED_KEY, RING_KEY), shell)
                # A question about years ago may find nothing in a generated export.
                nothing = words_of(line)[1:2] == ["query"] and "no matching samples" in output
                self.assertEqual(status, 10 if nothing else 0, output)

    def test_help_and_manual(self):
        lines = [line for name in commands(BINARY) for line in examples(page(BINARY, "help", name))]
        self.assertGreater(len(lines), 50)
        self.check(some(lines, 2))

    def test_readme_and_articles(self):
        pages = dict(documented())
        self.assertGreater(sum(map(len, pages.values())), 40)
        self.check(some(sorted({line for lines in pages.values() for line in lines}), 2))


if __name__ == "__main__":
    unittest.main()
