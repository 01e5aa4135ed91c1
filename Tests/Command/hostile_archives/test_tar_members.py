"""What `decrypt --tar` writes is checked before it is written: whoever unpacks it trusts its names."""
import hashlib
import io
import tarfile
import unittest
import zlib

import crafted
from crafted import MIB, OPEN, BoundedTest, frame
from vault import BINARY, each, run

EVIL = b"what is not to come out"


class TarMembers(BoundedTest):
    def write(self, listed, written, **header):
        """An archive whose index lists a name where its tar has another one, or another header."""
        stream, entries = b"", []
        for name, inside, data in (("session.json", None, b"{}"), ("good", None, b"good"), (listed, written, EVIL),
                                   ("manifest.json.zst", None, frame({}))):
            info = tarfile.TarInfo(inside or name)
            info.size, info.mode, info.mtime = len(data), 0o600, 0
            for member, value in (header.items() if inside else ()):
                setattr(info, member, value)
            stream += info.tobuf(tarfile.PAX_FORMAT, "utf-8", "surrogateescape")
            entries.append({"name": name, "offset": len(stream), "length": len(data),
                            "sha256": hashlib.sha256(data).hexdigest()})
            stream += data + bytes(-len(data) % 512)
        crafted.archive(self.folder / "x.hvault", payload=stream + bytes(1024), entries=entries)

    def check_refused(self):
        self.vault("verify", "x.hvault", *OPEN, status=13)
        result = run(BINARY, "decrypt", "x.hvault", "--tar", *OPEN, cwd=self.folder)
        self.check_ending(result)
        self.assertEqual((EVIL in result.stdout, b"evil" in result.stdout), (False, False), "it came out")
        self.assertEqual(result.status, 13, result.stderr)
        with tarfile.open(fileobj=io.BytesIO(result.stdout + bytes(10240)), mode="r:") as tar:
            self.assertLessEqual(set(tar.getnames()), {"session.json", "good"})

    # SECURITY.md: "make a reader write outside the folder that it was told to write to"
    @each("../evil", "/evil", "evil", "files/./evil", "files/evil\\", "files/\nevil", "manifest.json/../evil")
    def test_another_name_than_the_index_has(self, name):
        self.write("files/a", name)
        self.check_refused()

    @each({"type": tarfile.SYMTYPE, "linkname": "/etc/evil"}, {"type": tarfile.LNKTYPE, "linkname": "../evil"},
          {"type": tarfile.DIRTYPE}, {"type": tarfile.FIFOTYPE}, {"mode": 0o4755}, {"pax_headers": {"path": "../evil"}},
          {"pax_headers": {"linkpath": "evil"}})
    def test_another_header_than_follows_from_the_index(self, header):
        self.write("files/a", "files/a", **header)
        self.check_refused()

    def test_something_between_two_members(self):
        """A member that the index does not list."""
        members = [("session.json", b"{}"), ("evil", EVIL), ("manifest.json.zst", frame({}))]
        payload, entries = crafted.write_container.tar(members, 0)
        crafted.archive(self.folder / "x.hvault", payload=payload, entries=[
            entry for entry in entries if entry["name"] != "evil"])
        self.check_refused()

    def test_a_digest_that_is_that_of_something_else(self):
        members = [("session.json", b"{}"), ("files/a", b"content"), ("manifest.json.zst", frame({}))]
        payload, entries = crafted.write_container.tar(members, 0)
        entries[1]["sha256"] = "0" * 64
        crafted.archive(self.folder / "x.hvault", payload=payload, entries=entries)
        self.vault("verify", "x.hvault", *OPEN, status=13)
        self.vault("decrypt", "x.hvault", "--tar", *OPEN, status=13)

    def test_a_gap_that_no_header_fills(self):
        """Nothing that an index says makes a reader take the gap for a header, and keep it in memory."""
        self.MEMORY = 64 * MIB
        members = [("session.json", b"{}"), ("files/a", b"content"), ("manifest.json.zst", frame({}))]
        for blocks in 7, 1 << 18:
            payload, entries = crafted.write_container.tar(members, 0)
            place = entries[1]["offset"]
            payload = payload[:place - 512] + bytes(512 * blocks) + payload[place - 512:]
            for entry in entries[1:]:
                entry["offset"] += 512 * blocks
            crafted.archive(self.folder / "x.hvault", payload=payload, entries=entries)
            self.bounded("verify", "x.hvault", *OPEN, status=13)
            self.bounded("decrypt", "x.hvault", "--tar", *OPEN, status=13)

    def test_a_file_that_no_manifest_lists(self):
        crafted.archive(self.folder / "x.hvault", ("files/a", b"content"))
        result = self.vault("verify", "x.hvault", *OPEN, status=13)
        self.assertIn("files/a is not part of the export", result.stdout.decode() + result.stderr)

    def test_sound_members_come_out(self):
        self.write("files/a", "files/a")
        result = self.vault("decrypt", "x.hvault", "--tar", *OPEN)
        with tarfile.open(fileobj=io.BytesIO(result.stdout)) as tar:
            self.assertEqual(tar.getnames(), ["session.json", "good", "files/a", "manifest.json.zst"])

    def test_members_of_bundles_come_out_under_the_names_that_the_index_has(self):
        for name in "files/a", "../evil":
            inside = crafted.write_container.tar([(name, b"content")], 0)[0]
            listed = {"name": "a", "path": "files/a", "length": 7, "crc32": f"{zlib.crc32(b'content'):08x}"}
            crafted.archive(self.folder / "x.hvault", ("bundles/0000.tar.zst", [("files/a", b"content")]),
                            manifest=crafted.EMPTY | {"files": [listed]},
                            change=lambda part, value: inside if part == "bundle" else value)
            result = run(BINARY, "decrypt", "x.hvault", "--tar", *OPEN, cwd=self.folder)
            self.check_ending(result)
            self.assertNotIn(b"evil", result.stdout)
            self.assertNotIn(b"bundles", result.stdout)
            self.vault("verify", "x.hvault", *OPEN, status=(0, 3) if name == "files/a" else 13)
            if name == "files/a":
                self.assertEqual(result.status, 0, result.stderr)
                with tarfile.open(fileobj=io.BytesIO(result.stdout)) as tar:
                    self.assertEqual(tar.getnames(), ["session.json", "files/a", "manifest.json.zst"])
                    self.assertEqual(tar.extractfile("files/a").read(), b"content")


if __name__ == "__main__":
    unittest.main()
