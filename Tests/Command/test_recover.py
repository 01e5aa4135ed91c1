"""What `recover` gets out of damaged archives: all that is authentic, nothing else, and a true list of what is lost."""
import json
import os
import random
import signal
import subprocess
import time
import unittest

from vault import BINARY, ENCRYPT, OPEN, CommandTest, each, environment, generated

SECTOR = 4096


class Recovery(CommandTest):
    def setUp(self):
        super().setUp()
        self.export = generated("ordinary", "14", "8MB")
        self.bytes = self.export.archive.read_bytes()

    def recover(self, data, status):
        (self.folder / "x.hvault").write_bytes(data)
        result = self.vault("recover", "x.hvault", "-o", "out", "--json", *OPEN, status=status)
        report = json.loads(result.stdout)
        self.assertEqual(report, json.loads((self.folder / "out" / "recovery.json").read_text()))
        self.assertEqual(subprocess.run(["sha256sum", "--quiet", "-c", "SHA256SUMS"], cwd=self.folder / "out").returncode, 0)
        self.assertEqual(report["damaged"] + report["lostBatches"] + report["lostFiles"] == [] and report["index"]
                         and report["manifest"], result.status == 0)
        return report

    def compare(self):
        """What is there under its own name is what an export would have written; how many files there are and should be."""
        plain, found = self.export.plain, 0
        files = [path.relative_to(plain) for path in plain.rglob("*") if path.is_file() and path.name != "SHA256SUMS"]
        for path in files:
            copy = self.folder / "out" / path
            if copy.exists():
                self.assertEqual(copy.read_bytes(), (plain / path).read_bytes(), path)
                found += 1
        allowed = {"recovery.json", "session.json", "SHA256SUMS"}
        for path in (self.folder / "out").rglob("*"):
            name = path.relative_to(self.folder / "out")
            self.assertTrue(path.is_dir() or name in files or str(name) in allowed or ".RECOVERED" in path.name, name)
        return found, len(files)

    def test_a_whole_archive(self):
        report = self.recover(self.bytes, 0)
        self.assertEqual(report["lostChunks"], [])
        found, there = self.compare()
        self.assertEqual(found, there)

    @each("first header", "last header", "no last header", "both headers but their slots")
    def test_headers(self, what):
        data = bytearray(self.bytes)
        if what == "first header":
            data[:SECTOR] = bytes(SECTOR)
        elif what == "last header":
            data[-SECTOR:] = os.urandom(SECTOR)
        elif what == "no last header":
            del data[-SECTOR:]
        else:
            for start in 0, len(data) - SECTOR:
                data[start + 1500] ^= 1
                data[start + 70] ^= 1
        self.recover(bytes(data), 0)
        found, there = self.compare()
        self.assertEqual(found, there)

    @each(*range(6))
    def test_one_sector_in_a_hundred(self, seed):
        data = bytearray(self.bytes)
        count = len(data) // SECTOR
        for sector in random.Random(seed).sample(range(1, count - 1), max(1, count // 100)):
            data[sector * SECTOR:(sector + 1) * SECTOR] = bytes(SECTOR)
        report = self.recover(bytes(data), (0, 3))
        found, there = self.compare()
        self.assertGreater(found, there * 0.9)
        if report["manifest"]:
            self.assertEqual(found, there - len(report["lostBatches"]) - len(report["lostFiles"]))

    @each(0.3, 0.6, 0.9, 0.99)
    def test_a_file_that_was_cut_off(self, share):
        report = self.recover(self.bytes[:int(len(self.bytes) * share) + 77], 3)
        self.assertFalse(report["index"])
        found, there = self.compare()
        # The index and the manifest are at the end, and take a good part of a small archive.
        self.assertGreater(found, there * (share - 0.25))

    def test_an_unfinished_archive(self):
        export = generated("ordinary", "14", "150MB")
        command = [BINARY, "export", "-", "-o", "new.hvault", "--jobs", "1", *ENCRYPT]
        part = self.folder / "new.hvault.part"
        text = export.xml.read_bytes()
        with subprocess.Popen(command, cwd=self.folder, env=environment(), stdin=subprocess.PIPE,
                              stderr=subprocess.DEVNULL) as process:
            for start in range(0, len(text) * 9 // 10, 1 << 20):
                process.stdin.write(text[start:start + (1 << 20)])
                process.stdin.flush()
                time.sleep(0.02)
                # The header is there once the key is derived.
                if part.exists() and part.stat().st_size > 1 << 20 and part.read_bytes()[128:132] != bytes(4):
                    break
            process.send_signal(signal.SIGKILL)
        self.vault("decrypt", part, "-o", "out", *OPEN, status=13)
        result = self.vault("recover", part, "-o", "out", *OPEN, status=3)
        self.assertIn("without the archive's index", result.stderr)
        self.export = export
        found, _ = self.compare()
        self.assertGreater(found, 20)

    def test_refusals(self):
        (self.folder / "x.hvault").write_bytes(self.bytes)
        (self.folder / "wrong").write_text("some other passphrase")
        self.vault("recover", "x.hvault", "-o", "out", "--passphrase-file", "wrong", status=12)
        self.vault("recover", "y.hvault", "-o", "out", *OPEN, status=10)
        (self.folder / "text").write_text("no archive " * 1000)
        self.vault("recover", "text", "-o", "out", *OPEN, status=14)
        data = bytearray(self.bytes)
        data[:SECTOR] = data[-SECTOR:] = bytes(SECTOR)
        (self.folder / "headless").write_bytes(data)
        self.vault("recover", "headless", "-o", "out", *OPEN, status=14)
        (self.folder / "out").mkdir()
        (self.folder / "out" / "mine").write_text("mine")
        self.vault("recover", "x.hvault", "-o", "out", *OPEN, status=16)
        self.vault("recover", "x.hvault", "-o", "out", "--overwrite", *OPEN, status=16)
        self.assertEqual(self.names(self.folder / "out"), ["mine"])

    def test_verify_names_what_is_damaged(self):
        data = bytearray(self.bytes)
        data[20_000] ^= 1
        (self.folder / "x.hvault").write_bytes(data)
        report = json.loads(self.vault("verify", "x.hvault", "--json", *OPEN, status=13).stdout)
        self.assertEqual(report["problems"], ["chunk 0 of segment 0 is damaged"])
        recovered = self.recover(bytes(data), 3)
        self.assertEqual(sorted(report["affectedEntries"]), sorted(damage["name"] for damage in recovered["damaged"]))


if __name__ == "__main__":
    unittest.main()
