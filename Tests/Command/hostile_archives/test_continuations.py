"""Archives that say something odd about those that they continue."""
import json
import os
import shutil
import sys
import unittest
from functools import lru_cache

from further_archives import ENDS
from vault import OPEN, PASSPHRASE, READER, CommandTest, run
import decrypt  # found by the line above
import write_container

# All archives here have one salt, so the key is derived once.
write_container.pbkdf2 = lru_cache(maxsize=None)(write_container.pbkdf2)


class Hostile(CommandTest):
    """Archives that say something odd about others; who made them knows the passphrase."""

    def write(self, name, vault, continues, *members):
        """Here identifiers are file keys, too."""
        if isinstance(continues, dict) and "supersedes" in continues and "key" not in continues:
            before, index = bytes.fromhex(continues["vault"]), bytes.fromhex(continues["index"])
            continues = continues | {"key": write_container.predecessor_key(vault, before, index, before)}
        session = json.dumps({"session": 1} | ({"continues": continues} if continues is not None else {})).encode()
        preamble = write_container.MAGIC + bytes([1, 1, 0, 0, 0, 0, 0, 64]) + bytes(16) + vault
        write_container.write(self.folder / name, [("session.json", session), *members, ENDS[-1]], PASSPHRASE.encode(),
                              100_000, rng=write_container.seeded(1), file_key=vault,
                              change=lambda part, value: preamble if part == "preamble" else value)

    def link(self, vault, name="a.hvault", **more):
        return {"vault": vault.hex(), "index": "0" * 64, "name": name, "supersedes": []} | more

    def test_one_that_continues_itself(self):
        for name in "a.hvault", "gone.hvault":
            self.write("a.hvault", b"a" * 32, self.link(b"a" * 32, name))
            for command in (["decrypt", "a.hvault", "-o", "out"], ["verify", "a.hvault"], ["inspect", "a.hvault"]):
                self.assertIn("continues itself", self.vault(*command, *OPEN, status=13).stderr)
            result = run(sys.executable, READER, *OPEN, "a.hvault", "out", cwd=self.folder)
            self.assertEqual(result.status, 1)

    # SECURITY.md: "could not make this program write outside its target"
    def test_a_name_leads_to_no_other_folder(self):
        (self.folder / "below").mkdir()
        self.write("a.hvault", b"a" * 32, None)
        shutil.copy(self.folder / "a.hvault", self.folder / "below" / "x")
        os.remove(self.folder / "a.hvault")
        for name in "below/x", os.fspath(self.folder / "below" / "x"), "../x", "", ".", "..", "x" * 5000, "\0":
            self.write("b.hvault", b"b" * 32, self.link(b"a" * 32, name))
            self.vault("decrypt", "b.hvault", "-o", "out", *OPEN, status=10)

    def test_what_is_malformed(self):
        for continues in (5, "x", [], {"vault": 5}, {"vault": "00", "index": "00", "name": "x"},
                          self.link(b"a" * 32, supersedes="x"), self.link(b"a" * 32, supersedes=[5]),
                          self.link(b"a" * 32, supersedes=["session.json"]), self.link(b"a" * 32, supersedes=["manifest.json"]),
                          self.link(b"a" * 32, key=5), self.link(b"a" * 32, key="0" * 94)):
            self.write("b.hvault", b"b" * 32, continues)
            self.vault("decrypt", "b.hvault", "-o", "out", *OPEN, status=13)

    def test_the_key_of_the_one_before(self):
        self.write("a.hvault", b"a" * 32, None)
        link = self.link(b"a" * 32, index=self.index("a.hvault"))
        vault, index = b"a" * 32, bytes.fromhex(link["index"])
        right = write_container.predecessor_key(b"b" * 32, vault, index, vault)
        for key, status in ((right, 0), ("0" * 96, 13), (right[:-1] + "0123456789abcdef"[int(right[-1], 16) ^ 1], 13),
                            (write_container.predecessor_key(b"c" * 32, vault, index, vault), 13),
                            (write_container.predecessor_key(b"b" * 32, vault, vault, vault), 13),
                            (write_container.predecessor_key(b"b" * 32, vault, index, b"c" * 32), 13)):
            self.write("b.hvault", b"b" * 32, link | {"key": key})
            self.vault("decrypt", "b.hvault", "--stored", "-o", "out", *OPEN, status=status)
            shutil.rmtree(self.folder / "out", ignore_errors=True)

    def test_both_hold_the_same_file_and_nobody_says_which_counts(self):
        frame = bytes.fromhex("28b52ffd2000010000")
        member = ("files/a.zst.0000", frame)
        self.write("a.hvault", b"a" * 32, None, member)
        index = self.index("a.hvault")
        for supersedes in [], ["files/b"]:
            self.write("b.hvault", b"b" * 32, self.link(b"a" * 32, index=index, supersedes=supersedes), member)
            self.vault("decrypt", "b.hvault", "-o", "out", *OPEN, status=13)
        for supersedes in ["files/a"], ["files/a", "files/b"]:
            self.write("b.hvault", b"b" * 32, self.link(b"a" * 32, index=index, supersedes=supersedes), member)
            self.vault("decrypt", "b.hvault", "--stored", "-o", "out", *OPEN)
            shutil.rmtree(self.folder / "out")

    def test_anything_can_be_superseded(self):
        """Also where nothing takes its place."""
        frame = write_container.frame(b"{}")
        old = ("prologue.xml.zst", frame), ("records/X/1.json.zst", frame), ("bundles/0000.tar.zst", [
            ("records/X/2.json", b"old"), ("files/a", b"a"), ("files/b", b"b")])
        self.write("a.hvault", b"a" * 32, None, *old)
        supersedes = ["files/a", "prologue.xml", "records/X/1.ndjson", "records/X/2.ndjson"]
        self.write("b.hvault", b"b" * 32, self.link(b"a" * 32, index=self.index("a.hvault"), supersedes=supersedes),
                   ("records/X/2.json.zst", b"new"))
        self.vault("decrypt", "b.hvault", "--stored", "-o", "out", *OPEN)
        reader = [sys.executable, READER, *OPEN]
        self.assertEqual(run(*reader, "--stored", "b.hvault", "read", cwd=self.folder).status, 0)
        self.assert_same_folder("out", "read")
        self.assertEqual(sorted(str(path.relative_to(self.folder / "out")) for path in (self.folder / "out").rglob("*")
                                if path.is_file()),
                         ["SHA256SUMS", "files/b", "manifest.json.zst", "records/X/2.json.zst", "session.json"])

    def index(self, name):
        with open(self.folder / name, "rb") as file:
            return decrypt.Container(file, PASSPHRASE.encode()).index

    def test_a_chain_without_end(self):
        index = None
        for number in range(66):
            vault = bytes([number]) * 32
            link = self.link(bytes([number - 1]) * 32, f"{number - 1}.hvault", index=index) if number else None
            self.write(f"{number}.hvault", vault, link)
            index = self.index(f"{number}.hvault")
        self.vault("inspect", "63.hvault", *OPEN, status=14)
        for name in "64.hvault", "65.hvault":
            self.assertIn("too many", self.vault("inspect", name, *OPEN, status=13).stderr)


if __name__ == "__main__":
    unittest.main()
