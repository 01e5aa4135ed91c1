"""What `decrypt --tar` writes is checked before it is written: whoever unpacks it trusts its names."""
import hashlib
import io
import tarfile
import unittest

import crafted
from crafted import OPEN
from vault import BINARY, CommandTest, each, run

EVIL = b"what is not to come out"


class TarMembers(CommandTest):
    def write(self, listed, written, **header):
        """An archive whose index lists a name where its tar has another one, or another header."""
        stream, entries = b"", []
        for name, inside, data in (("session.json", None, b"{}"), ("good", None, b"good"), (listed, written, EVIL),
                                   ("manifest.json", None, b"{}")):
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
        members = [("session.json", b"{}"), ("evil", EVIL), ("manifest.json", b"{}")]
        payload, entries = crafted.write_container.tar(members, 0)
        crafted.archive(self.folder / "x.hvault", payload=payload, entries=[
            entry for entry in entries if entry["name"] != "evil"])
        self.check_refused()

    def test_sound_members_come_out(self):
        self.write("files/a", "files/a")
        result = self.vault("decrypt", "x.hvault", "--tar", *OPEN)
        with tarfile.open(fileobj=io.BytesIO(result.stdout)) as tar:
            self.assertEqual(tar.getnames(), ["session.json", "good", "files/a", "manifest.json"])


if __name__ == "__main__":
    unittest.main()
