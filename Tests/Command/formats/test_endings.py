"""What is there when a run has ended, well or not: the result alone, or what can be replaced."""
import os
import signal
import subprocess
import unittest

from formats.conversions import FORMATS, TARGETS, FormatTest, TargetTest, digests, small
from vault import BINARY, OPEN, Ended, each, environment, generated, run, stopped_when


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


class Interruptions(FormatTest):
    def command(self, name, kind, target):
        source = getattr(generated("ordinary", "14", "1MB"), kind)
        secret = OPEN if kind == "archive" else ()
        return list(map(str, [BINARY, "export", source, "--format", name, "-o", target, *secret]))

    def caught(self, command, condition):
        """A run that is stopped where a condition holds."""
        process = subprocess.Popen(command, cwd=self.folder, env=environment(), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            stopped_when(process, condition)
        except Ended:
            self.skipTest("it was done before it was caught")
        return process

    @each(*((name, kind) for name in (*FORMATS, "json,sqlite") for kind in ("zip", "archive")))
    def test_what_a_killed_run_has_left_is_replaced(self, case):
        name, kind = case
        target = TARGETS.get(name, "folder")
        part = self.folder / (target + ".part")
        process = self.caught(self.command(name, kind, target), lambda: part.exists() and len(os.listdir(part)) > 1)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        self.assertEqual(self.names(), [part.name])
        for path in target, "undisturbed":
            result = run(*self.command(name, kind, path), cwd=self.folder)
            self.assertEqual(result.status, 0, result.stderr)
        self.assertEqual(self.names(), sorted([target, "undisturbed"]))
        self.assertEqual(digests(self.folder / target), digests(self.folder / "undisturbed"))

    @each(*FORMATS)
    def test_an_interrupted_run_leaves_nothing(self, name):
        target = TARGETS[name]
        process = self.caught(self.command(name, "zip", target), (self.folder / (target + ".part")).exists)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGCONT)
        process.communicate()
        self.assertIn((process.returncode, self.names()), [(130, []), (0, [target])])


if __name__ == "__main__":
    unittest.main()
