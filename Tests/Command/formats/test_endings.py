"""What is there when a run has ended, well or not: the result alone, or what can be replaced."""
import os
import signal
import unittest

from formats.conversions import FORMATS, TARGETS, FormatTest, TargetTest, digests, small
from vault import BINARY, OPEN, Gated, each, generated, run


class Endings(TargetTest):
    @each(*FORMATS)
    def test_only_the_result_is_left(self, name):
        for source, target in ("in.xml", "1"), (small().zip, "2"), (small().archive, "3"):
            self.export(name, source=source, target=target)
        self.assertEqual(self.names(), ["1", "2", "3", "in.xml"])

    @each(*FORMATS, "json,sqlite,csv,apple-xml")
    def test_nobody_else_may_read_it(self, name):
        self.export(name, target="x")
        found = [self.folder / "x", *(self.folder / "x").rglob("*")]
        self.assertEqual([path.name for path in found if path.stat().st_mode & 0o077], [])


# The database is written by SQLite, which makes its calls by itself.
CALLS = ("write", "open", "fsync")


class Interruptions(FormatTest):
    def command(self, name, kind, target):
        source = getattr(generated("ordinary", "14", "1MB"), kind)
        secret = OPEN if kind == "archive" else ()
        return list(map(str, [BINARY, "export", source, "--format", name, "-o", target, *secret]))

    @each(*((name, kind) for name in (*FORMATS, "json,sqlite") for kind in ("zip", "archive")))
    def test_what_a_killed_run_has_left_is_replaced(self, case):
        name, kind = case
        target = TARGETS.get(name, "folder")
        part = self.folder / (target + ".part")
        Gated(self.command(name, kind, target), CALLS, cwd=self.folder).reach(
            lambda: part.exists() and len(os.listdir(part)) > 1).kill()
        self.assertEqual(self.names(), [part.name])
        for path in target, "undisturbed":
            result = run(*self.command(name, kind, path), cwd=self.folder)
            self.assertEqual(result.status, 0, result.stderr)
        self.assertEqual(self.names(), sorted([target, "undisturbed"]))
        self.assertEqual(digests(self.folder / target), digests(self.folder / "undisturbed"))

    @each(*FORMATS)
    def test_an_interrupted_run_leaves_nothing(self, name):
        target = TARGETS[name]
        process = Gated(self.command(name, "zip", target), CALLS, cwd=self.folder)
        status, _ = process.reach((self.folder / (target + ".part")).exists).interrupt(signal.SIGINT)
        self.assertEqual((status, self.names()), (130, []))


if __name__ == "__main__":
    unittest.main()
