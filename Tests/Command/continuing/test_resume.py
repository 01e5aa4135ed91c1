"""An encrypted export that was interrupted goes on where it stopped."""
import io
import json
import random
import shutil
import signal
import unittest
from types import SimpleNamespace

from named_exports import size
from vault import (BINARY, BY_MONTH, ENCRYPT, OPEN, PASSPHRASE, CommandTest, Ended, Gated, TracedTest, dense, each,
                   generated, slow)
import decrypt  # found by the line above

HEADER = 4096
# A segment in the file, and what it holds.
SEGMENT, CAPACITY = 64 * 16400 + 72, 64 * 16384


class Resume(CommandTest):
    def setUp(self):
        super().setUp()
        # From its middle on, most of the archive is bundles.
        self.export = dense("8MB", 300, *BY_MONTH)
        self.assertTrue(self.export.plain and self.export.archive)

    @property
    def part(self):
        return self.folder / "x.hvault.part"

    def command(self, *options, source=None):
        return [BINARY, "export", source or self.export.source, "-o", "x.hvault", *self.export.batching, *map(str, ENCRYPT),
                *map(str, options)]

    def go_on(self, *options):
        """Exports again; what the command reports."""
        return json.loads(self.vault(*self.command("--json", *options)[1:]).stdout)

    def interrupt(self, number, at, *options, source=None):
        """Sends an export a signal where so many bytes are there and the header is; its status and what it said."""
        return Gated(self.command(*options, source=source), cwd=self.folder).reach(
            lambda: self.has_header() and self.part.stat().st_size > at).interrupt(number)

    def has_header(self):
        if not self.part.exists():
            return False
        with open(self.part, "rb") as part:
            part.seek(128)
            return any(part.read(4))

    def check_whole(self):
        self.vault("verify", "x.hvault", "--source", self.export.source, *OPEN)
        self.vault("decrypt", "x.hvault", "-o", "out", "-q", *OPEN)
        self.assert_same_folder("out", self.export.plain)

    def cut(self, share):
        """What an export leaves that was stopped by the power: a whole archive under the other name, cut off."""
        whole = self.export.archive.read_bytes()
        data = whole[:int(len(whole) * share)]
        self.part.write_bytes(data)
        return data

    # SECURITY.md: "After a crash it stays. The same command continues it"
    def test_killed_and_continued(self):
        self.export = slow()
        self.interrupt(signal.SIGKILL, 3 << 20)
        report = self.go_on()
        self.assertEqual(self.names(), ["x.hvault"])
        self.check_whole()
        # Two segments at least were whole; the member at their end may not have been.
        self.assertGreater(report["resumedBytes"], 1 << 20)

    @each(0.1, 0.5, 0.9, 0.999, 1)
    def test_continued_wherever_it_stopped(self, share):
        left = self.cut(share)
        report = self.go_on()
        after = (self.folder / "x.hvault").read_bytes()
        # But for the segment that was not finished, and the entry at the end of the one before.
        whole = (len(left) - HEADER) // SEGMENT
        resumed = report["resumedBytes"]
        self.assertGreater(resumed, whole * CAPACITY - (1 << 19) if whole else -1)
        kept = resumed // CAPACITY * SEGMENT
        if resumed:
            self.assertEqual(after[:HEADER + kept], left[:HEADER + kept], "what was there stays")
        bundles = [entry for entry in decrypt.Container(io.BytesIO(after), PASSPHRASE.encode()).entries
                   if "members" in entry and entry["offset"] + entry["length"] <= resumed]
        self.assertTrue(bundles or share < 0.9, "no bundle was among it")
        self.check_whole()

    def test_with_another_number_of_processors(self):
        self.cut(0.6)
        self.assertGreater(self.go_on("--jobs", "1")["resumedBytes"], 1 << 20)
        self.check_whole()

    def test_what_cannot_be_continued_is_kept_until_told_otherwise(self):
        left = self.cut(0.5)
        (self.folder / "other").write_text("another passphrase")
        other = [*ENCRYPT[:-1], "other"]
        other_export = generated("ordinary", "14", "8MB").xml
        for status, options in [(12, [self.export.source, *self.export.batching, *other]),
                                (16, [other_export, *self.export.batching, *ENCRYPT]),
                                (16, [self.export.source, "--batch", "1month", *ENCRYPT])]:
            result = self.vault("export", *options, "-o", "x.hvault", status=status)
            self.assertIn("--restart", result.stderr)
            self.assertEqual(self.part.read_bytes(), left)
        self.vault("export", other_export, "-o", "x.hvault", "--restart", *ENCRYPT)
        self.assertEqual(self.names(), ["other", "x.hvault"])
        self.vault("verify", "x.hvault", "--source", other_export, *OPEN)

    def test_a_source_that_has_changed(self):
        self.cut(0.9)
        shutil.copytree(self.export.folder, self.folder / "changed")
        text = bytearray(self.export.xml.read_bytes())
        at = text.index(b' value="', len(text) // 10) + 8
        text[at] = text[at] ^ 1 if chr(text[at] ^ 1).isdigit() else ord("7")
        (self.folder / "changed" / "export.xml").write_bytes(text)
        result = self.vault(*self.command(source="changed")[1:], status=16)
        self.assertIn("another source", result.stderr)
        self.assertTrue(self.part.exists())

    def large(self):
        """A source with a file that does not get smaller."""
        folder = self.folder / "apple"
        folder.mkdir()
        (folder / "large.bin").write_bytes(random.Random(3).randbytes(100 << 20))
        (folder / "export.xml").write_bytes(generated().xml.read_bytes())
        self.export = SimpleNamespace(source=folder, batching=())

    def test_holes_in_what_was_not_yet_flushed(self):
        """A drive that loses power has written later blocks and not earlier ones."""
        left = bytearray(self.cut(0.9))
        hole = HEADER + 3 * SEGMENT + 5000
        left[hole:hole + 8192] = bytes(8192)
        self.part.write_bytes(left)
        self.assertTrue(2 * CAPACITY < self.go_on()["resumedBytes"] <= 3 * CAPACITY, "what is before the hole stays")
        self.check_whole()

    def has_grown(self, former, least):
        """Another unfinished archive than the former one is there, and is large."""
        state = self.part.stat() if self.part.exists() else None
        return bool(state) and state.st_ino != former and state.st_size > least

    def test_starting_over_can_be_interrupted_as_well(self):
        self.large()
        former = 0
        for option in [], ["--restart"]:
            status, message = Gated(self.command(*option), cwd=self.folder).reach(
                lambda: self.has_grown(former, 40 << 20)).interrupt(signal.SIGINT)
            self.assertEqual(status, 130, message)
            self.assertIn("progress is kept", message)
            former = self.part.stat().st_ino
        self.assertGreater(self.go_on()["resumedBytes"], 30 << 20)
        self.vault("verify", "x.hvault", "--source", self.export.source, *OPEN)

    def test_damage_is_no_interruption(self):
        # Longer than what a writer leaves unflushed.
        self.large()
        self.vault(*self.command()[1:])
        self.export.archive = (self.folder / "x.hvault").rename(self.folder / "whole")
        left = bytearray(self.cut(0.98))
        left[HEADER + 2000] ^= 1
        self.part.write_bytes(left)
        result = self.vault(*self.command()[1:], status=13)
        self.assertIn("segment 0 is damaged", result.stderr)
        self.assertEqual(self.part.read_bytes(), left)

    @each((signal.SIGINT, 130), (signal.SIGTERM, 143))
    def test_an_interruption_says_how_to_go_on(self, case):
        number, expected = case
        self.export = slow()
        status, message = self.interrupt(number, 3 << 20)
        self.assertEqual(status, expected)
        self.assertIn("resume with the same command", message)
        self.assertGreater(self.go_on()["resumedBytes"], 1 << 20)
        self.assertEqual(self.names(), ["x.hvault"])

    def test_killed_again_and_again(self):
        """Until it is done; each time something is gained or nothing is lost."""
        self.export = slow()
        chance, kept = random.Random(3), []
        for _ in range(10):
            kept.append(self.part.stat().st_size if self.part.exists() else 0)
            try:
                self.interrupt(signal.SIGKILL, kept[-1] + chance.randrange(2 << 20, 8 << 20))
            except Ended:
                break
        else:
            self.vault(*self.command()[1:])
        self.assertEqual(kept, sorted(kept))
        self.assertEqual(self.names(), ["x.hvault"])
        self.check_whole()

    def test_standard_input_starts_over(self):
        self.cut(0.5)
        with open(self.export.xml, "rb") as text:
            self.vault("export", "-", "-o", "x.hvault", *ENCRYPT, stdin=text)
        self.assertEqual(self.names(), ["x.hvault"])


class Economy(TracedTest):
    """What was done is not written again."""

    def written(self, target, *command):
        """Bytes that an export writes into what is not finished yet."""
        result, lines = self.trace(["-e", "trace=write,pwrite64", "-y"], *command)
        self.assertEqual(result.status, 0, result.stderr)
        return sum(int(line.rsplit("= ", 1)[1].split()[0]) for line in lines if f"{target}.part" in line and "= " in line)

    def test_of_half_an_archive(self):
        export = slow().source
        command = ["export", export, "-o", "x.hvault", *ENCRYPT]
        whole = slow().archive.read_bytes()
        (self.folder / "x.hvault.part").write_bytes(whole[:len(whole) // 2])
        share = self.written("x.hvault", *command) / len(whole)
        # Of 16 segments eight are whole, and stay but for the member at their end.
        self.assertTrue(0.4 < share < 0.6, share)
        self.vault("verify", "x.hvault", "--source", export, *OPEN)

    def test_of_half_a_folder(self):
        export = slow().source
        self.vault("export", export, "-o", "whole", "-q")
        total = sum(path.stat().st_size for path in (self.folder / "whole").rglob("*") if path.is_file())
        command = ["export", export, "-o", "plain", "--jobs", "1"]
        Gated([BINARY, *command], cwd=self.folder).reach(lambda: size(self.folder / "plain.part") > total / 2).kill()
        share = self.written("plain", *command) / total
        self.assertLess(share, 0.6)
        self.assert_same_folder("plain", "whole")


if __name__ == "__main__":
    unittest.main()
