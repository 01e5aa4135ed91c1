"""What `recover` gets out of damaged archives: all that is authentic, nothing else, and a true list of what is lost."""
import io
import json
import os
import random
import subprocess
import unittest

from vault import BINARY, BY_MONTH, ENCRYPT, OPEN, PASSPHRASE, CommandTest, Gated, dense, each
import decrypt  # found by the line above

SECTOR = 4096


class Recovery(CommandTest):
    def setUp(self):
        super().setUp()
        # Hundreds of batches, in dozens of bundles and by themselves.
        self.export = dense("8MB", 300, *BY_MONTH)
        self.bytes = self.export.archive.read_bytes()
        self.container = decrypt.Container(io.BytesIO(self.bytes), PASSPHRASE.encode())

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

    def damaged_chunks(self, sectors, index):
        """Chunks of the payload that cannot be had without these sectors."""
        chunks, count = set(), self.container.capacity // decrypt.CHUNK
        for sector in sectors:
            places = [divmod(at - SECTOR, self.container.full) for at in (sector * SECTOR, (sector + 1) * SECTOR - 1)]
            numbers = [(segment, (place - 56) // decrypt.SEALED) for segment, place in places]
            chunks |= {segment * count + number for segment, number in numbers if 0 <= number < count}
            # Without its first 56 bytes nothing of a segment can be read; the next one needs some of them as well, which
            # the index repeats.
            for segment in {segment for segment, place in places if place < 56 or segment != places[0][0]}:
                chunks.update(range(segment * count, (segment + (1 if index else 2)) * count))
        return chunks

    def touched(self, sectors, index=True):
        """The names of what cannot be had without these sectors; of a bundle those of all that is in it. The headers in
        the payload matter only where there is no index."""
        chunks = self.damaged_chunks(sectors, index)
        return {inner["name"] for entry in self.container.entries
                if not chunks.isdisjoint(range((entry["offset"] - (0 if index else 512)) // decrypt.CHUNK,
                                               (entry["offset"] + entry["length"] - 1) // decrypt.CHUNK + 1))
                for inner in entry.get("members", [entry])}

    def check_sound(self, sectors, index=True):
        """All that the damage does not touch is there; how many files that are."""
        touched = {decrypt.plain_name(name) for name in self.touched(sectors, index)}
        sound = {decrypt.plain_name(name) for name in self.container.names} - touched - {None, "manifest.json"}
        self.assertEqual([path for path in sorted(sound) if not (self.folder / "out" / path).exists()], [])
        return len(sound)

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

    # All that is sound is there. How much that is depends on what lies where in one archive, and less so in several.

    # SECURITY.md: "`recover` extracts what still authenticates"
    def test_one_sector_in_a_hundred(self):
        shares = []

        @each(*range(6))
        def attempt(self, seed):
            data = bytearray(self.bytes)
            count = len(data) // SECTOR
            sectors = random.Random(seed).sample(range(1, count - 1), count // 100)
            for sector in sectors:
                data[sector * SECTOR:(sector + 1) * SECTOR] = bytes(SECTOR)
            report = self.recover(bytes(data), 3)
            found, there = self.compare()
            shares.append(self.check_sound(sectors, report["index"]) / there)
            if report["manifest"]:
                self.assertEqual(found, there - len(report["lostBatches"]) - len(report["lostFiles"]))

        attempt(self)
        self.assertGreater(min(shares), 0.4)
        self.assertGreater(sum(shares) / len(shares), 0.6)

    def test_a_file_that_was_cut_off(self):
        shares = {}

        @each(0.3, 0.6, 0.9, 0.99)
        def attempt(self, share):
            length = int(len(self.bytes) * share) + 77
            report = self.recover(self.bytes[:length], 3)
            self.assertFalse(report["index"])
            _, there = self.compare()
            lost = range(length // SECTOR, len(self.bytes) // SECTOR - 1)
            shares[share] = self.check_sound(lost, index=False) / there

        attempt(self)
        self.assertGreater(min(found - share for share, found in shares.items()), -0.3)
        self.assertGreater(sum(shares.values()) / len(shares), 0.5)

    # SECURITY.md: "`recover` reads what is in it"
    def test_an_unfinished_archive(self):
        self.export = dense("8MB", 900, *BY_MONTH)
        part = self.folder / "new.hvault.part"
        with open(self.export.xml, "rb") as text:
            # The header is there once the key is derived.
            Gated([BINARY, "export", "-", "-o", "new.hvault", "--jobs", "1", *BY_MONTH, *ENCRYPT], cwd=self.folder,
                  stdin=text).reach(
                lambda: part.exists() and part.stat().st_size > 3 << 20 and any(part.read_bytes()[128:132])).kill()
        self.vault("decrypt", part, "-o", "out", *OPEN, status=13)
        result = self.vault("recover", part, "-o", "out", *OPEN, status=3)
        self.assertIn("the index is lost", result.stderr)
        found, _ = self.compare()
        self.assertGreater(found, 20)

    def test_refusals(self):
        (self.folder / "x.hvault").write_bytes(self.bytes)
        (self.folder / "wrong").write_text("some other passphrase")
        self.vault("recover", "x.hvault", "-o", "out", "--passphrase-file", "wrong", status=12)
        self.vault("recover", "y.hvault", "-o", "out", *OPEN, status=10)
        (self.folder / "text").write_text("no archive " * 1000)
        for options in OPEN, ():
            self.assertIn("not an encrypted archive", self.vault("recover", "text", "-o", "out", *options, status=14).stderr)
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

    def test_what_is_in_a_damaged_bundle_is_named(self):
        bundle = [entry for entry in self.container.entries if "members" in entry][3]
        segment, place = divmod(bundle["offset"] + bundle["length"] // 2, self.container.capacity)
        at = self.container.place(segment) + 56 + place // decrypt.CHUNK * decrypt.SEALED + place % decrypt.CHUNK
        data = bytearray(self.bytes)
        data[at] ^= 1
        (self.folder / "x.hvault").write_bytes(data)
        report = json.loads(self.vault("verify", "x.hvault", "--json", *OPEN, status=13).stdout)
        touched = self.touched([at // SECTOR])
        self.assertLessEqual({member["name"] for member in bundle["members"]}, touched)
        self.assertEqual(set(report["affectedEntries"]), touched)
        recovered = self.recover(bytes(data), 3)
        self.assertEqual({path + ".ndjson" for path in recovered["lostBatches"]} | set(recovered["lostFiles"]),
                         {decrypt.plain_name(name) for name in touched})
        self.check_sound([at // SECTOR])


if __name__ == "__main__":
    unittest.main()
