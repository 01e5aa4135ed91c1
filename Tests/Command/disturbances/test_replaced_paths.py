"""A path is not a file: what was opened and locked is what is renamed, read back and removed, and nothing else."""
import os
import unittest

from documents import END, RECORD, document, export_zip
from open_exports import BEGINNING, ProcessTest
from vault import BINARY, ENCRYPT, OPEN, PATIENCE, CommandTest, Gated

class ReplacedArchives(ProcessTest):
    """Of two exports with one target one is killed. The other one must not take its stub for what it wrote itself."""

    def gated(self, call, data):
        """Another export, which waits before calls of a kind, with its input."""
        (self.folder / "input").write_bytes(data)
        with open(self.folder / "input", "rb") as file:
            return Gated([BINARY, "export", "-", "-o", "target", *ENCRYPT, "--overwrite"], (call,), cwd=self.folder,
                         stdin=file)

    def setUp(self):
        super().setUp()
        (self.folder / "export.xml").write_text(document(RECORD))
        self.vault("export", "export.xml", "-o", "target", *ENCRYPT)
        self.before = (self.folder / "target").read_bytes()
        self.part = self.folder / "target.part"

    def start_and_kill_another(self):
        other = self.start(*ENCRYPT, "--overwrite")
        other.kill()
        other.wait()
        self.assertTrue(self.part.exists())
        return self.part.stat().st_ino

    def check(self, status, stderr, stub):
        """The target is the archive that was there, unless all of the new one is there."""
        if status == 0:
            (self.folder / "new.xml").write_bytes(BEGINNING + END.encode())
            self.vault("verify", "target", "--source", "new.xml", *OPEN)
            return
        self.assertIn(status, (1, 11), stderr)
        self.assertNotIn("encrypted: target", stderr)
        self.assertEqual((self.folder / "target").read_bytes(), self.before, "the target is what it was")
        self.assertEqual(self.part.stat().st_ino, stub, "what another process has left is not removed")

    def test_an_unfinished_archive_that_is_removed_by_hand(self):
        process = self.start(*ENCRYPT, "--overwrite")
        self.part.unlink()
        stub = self.start_and_kill_another()
        process.stdin.write(END.encode())
        _, stderr = process.communicate(timeout=PATIENCE)
        self.check(process.returncode, stderr.decode(), stub)

    def test_one_that_is_removed_between_its_creation_and_its_lock(self):
        export = self.gated("flock", BEGINNING + END.encode()).reach(self.part.exists)
        first = self.part.stat().st_ino
        stub = self.start_and_kill_another()
        self.assertNotEqual(first, stub, "the other process came in between")
        self.check(*export.end(), stub)

    def test_one_that_is_replaced_before_it_gets_its_name(self):
        export = self.gated("fsync", BEGINNING + END.encode()).reach(
            lambda: self.part.exists() and self.part.stat().st_size > 4096)
        self.part.unlink()
        self.part.write_bytes(self.before[:64])
        stub = self.part.stat().st_ino
        self.check(*export.end(), stub)


class ReplacedFolders(CommandTest):
    def test_a_folder_that_another_process_cleans_up(self):
        """One decryption has made its folder and not locked it yet; another one takes it for left over."""
        sides = {f"routes/{number}.gpx": b"<gpx/>" for number in range(50)}
        export_zip(self.folder / "export.zip", sides)
        self.vault("export", "export.zip", "-o", "x.hvault", *ENCRYPT)
        self.vault("decrypt", "x.hvault", "-o", "sound", *OPEN)
        decrypt = [BINARY, "decrypt", "x.hvault", "-o", "out", *OPEN]
        first = Gated(decrypt, ("flock", "unlink"), cwd=self.folder).reach((self.folder / "out.part").exists)
        # This one is about to give the folder its name when the first one goes on.
        second = Gated(decrypt, ("syncfs",), cwd=self.folder).reach(lambda: True)
        # Should the first one remove what is there, it does not come to an end before the other one.
        removed = 0
        while removed < 5 and (call := first.gate.next()):
            removed += call == "unlink"
        endings = second.end(), first.end()
        self.assertIn(0, [status for status, _ in endings], endings)
        for status, stderr in endings:
            self.assertIn(status, (0, 1, 11, 16), stderr)
        self.assertEqual(self.names(), ["export.zip", "out", "sound", "x.hvault"])
        self.assert_same_folder("out", "sound")

    def test_a_folder_that_is_replaced_before_it_gets_its_name(self):
        (self.folder / "export.xml").write_text(document(RECORD))
        export = Gated([BINARY, "export", "export.xml", "-o", "out"], ("syncfs",), cwd=self.folder).reach(
            (self.folder / "out.part" / "SHA256SUMS").exists)
        os.rename(self.folder / "out.part", self.folder / "away")
        (self.folder / "out.part").mkdir()
        (self.folder / "out.part" / "thesis.doc").write_text("years of work")
        status, stderr = export.end()
        self.assertIn(status, (1, 11), stderr)
        self.assertEqual((self.folder / "out.part" / "thesis.doc").read_text(), "years of work")
        self.assertNotIn("out", self.names())


class Rights(CommandTest):
    def replace(self, between=lambda: None):
        """Exports, gives everybody all rights, and exports again over that."""
        (self.folder / "export.xml").write_text(document(RECORD))
        self.vault("export", "export.xml", "-o", "out")
        for path in (self.folder / "out").rglob("*"):
            path.chmod(0o777 if path.is_dir() else 0o666)
        between()
        self.vault("export", "export.xml", "-o", "out", "--overwrite")

    # SECURITY.md: "Archives and plain files are created readable by their owner only, if the file system supports permissions"
    def test_what_others_could_write_is_the_owner_s_alone(self):
        self.replace()
        for path in [self.folder / "out", *(self.folder / "out").rglob("*")]:
            self.assertEqual(path.stat().st_mode & 0o777, 0o700 if path.is_dir() else 0o600, path)

    def test_who_has_an_old_file_open_cannot_change_the_new_one(self):
        opened = []
        self.replace(lambda: opened.append(open(self.folder / "out" / "prologue.xml", "r+b")))
        with opened[0] as file:
            file.write(b"forged")
        self.vault("verify", "out", "--source", "export.xml")


if __name__ == "__main__":
    unittest.main()
