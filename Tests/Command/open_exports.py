"""Exports that go on for as long as their input does."""
import subprocess
import time

from documents import END, HEAD, RECORD
from vault import BINARY, CommandTest, environment

# More than is read before the target is made.
BEGINNING = (HEAD + RECORD * 3000).encode()


class ProcessTest(CommandTest):
    def start(self, *options):
        """An export that goes on for as long as its input does."""
        process = subprocess.Popen([BINARY, "export", "-", "-o", "target", *map(str, options)], cwd=self.folder,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=environment(), start_new_session=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        process.stdin.write(BEGINNING)
        process.stdin.flush()
        until = time.monotonic() + 20
        while not (self.folder / "target.part").exists() and time.monotonic() < until:
            time.sleep(0.01)
        self.assertTrue((self.folder / "target.part").exists())
        time.sleep(0.1)
        return process

    def finish(self, process):
        process.stdin.write(END.encode())
        _, stderr = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 0, stderr)

    def second(self, *options, status=11):
        (self.folder / "export.xml").write_bytes(BEGINNING + END.encode())
        result = self.vault("export", "export.xml", "-o", "target", *options, status=status)
        self.assertIn("target", result.stderr)
