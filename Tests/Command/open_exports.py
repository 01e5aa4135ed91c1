"""Exports that go on for as long as their input does."""
import subprocess

from documents import END, HEAD, RECORD
from vault import BINARY, PATIENCE, CommandTest, environment, wait_until, wait_until_idle

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
        wait_until((self.folder / "target.part").exists)
        # It has written what it can write of its input, and waits for more.
        wait_until_idle(process)
        return process

    def finish(self, process):
        process.stdin.write(END.encode())
        _, stderr = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, stderr)

    def second(self, *options, status=11):
        (self.folder / "export.xml").write_bytes(BEGINNING + END.encode())
        result = self.vault("export", "export.xml", "-o", "target", *options, status=status)
        self.assertIn("target", result.stderr)
