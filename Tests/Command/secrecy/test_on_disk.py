"""What an export leaves on the disk, and when (SECURITY.md, section 7)."""
import hashlib
import hmac
import json
import re
import unittest

from documents import RECORD, document
from vault import OPEN, SHIPPED, SHIPPED_ENCRYPT, CommandTest, TracedTest, environment, run

# The members of a record. What is not in section 7 is not in here.
MEMBERS = {
    "export", "id", "named", "source", "target", "encrypted", "batching", "replacing", "acceptDamaged", "phase", "created",
    "updated", "fingerprint", "identity", "unfinished", "further", "pending", "promised", "samples", "size"}


class Records(CommandTest):
    program = SHIPPED

    def setUp(self):
        super().setUp()
        (self.folder / "export.xml").write_text(document(RECORD))

    def export(self, *options, **variables):
        """Exports with this state folder; the records that are left, by their paths."""
        plain = {name: value for name, value in environment().items() if name != "XDG_STATE_HOME"}
        result = run(SHIPPED, "export", "export.xml", "-o", "x.hvault", "--overwrite", *SHIPPED_ENCRYPT, *options, cwd=self.folder,
                     env=plain | {name: str(value) for name, value in variables.items()})
        self.assertEqual(result.status, 0, result.stderr)
        return [path for path in self.folder.rglob("*.export")]

    # SECURITY.md: "in `$XDG_STATE_HOME/healthvault/sessions` (`~/.local/state`), readable by its owner only"
    def test_it_lies_where_the_text_says_for_its_owner_alone(self):
        for variables, place in (({"HOME": self.folder / "home"}, "home/.local/state"),
                                 ({"HOME": self.folder / "home", "XDG_STATE_HOME": self.folder / "state"}, "state")):
            self.export("--session", "mine", **variables)
            record = self.folder / place / "healthvault" / "sessions" / "mine.export"
            self.assertEqual(record.stat().st_mode & 0o777, 0o600)
            self.assertEqual(record.parent.stat().st_mode & 0o777, 0o700)

    # SECURITY.md: "While an export is unfinished, and afterwards if `--session` named it, there is a record of it"
    def test_without_a_name_it_goes_with_the_end_of_the_export(self):
        self.assertEqual(self.export(XDG_STATE_HOME=self.folder / "state"), [])
        self.assertEqual(len(self.export("--session", "mine", XDG_STATE_HOME=self.folder / "state")), 1)

    # SECURITY.md: "`session delete` removes it"
    def test_deleting_the_session_removes_it(self):
        self.export("--session", "mine", XDG_STATE_HOME=self.folder / "state")
        self.vault("session", "delete", "mine", env=environment(XDG_STATE_HOME=str(self.folder / "state")))
        self.assertEqual([path for path in (self.folder / "state").rglob("*") if path.is_file()], [])
        self.vault("verify", "x.hvault", *OPEN)

    # SECURITY.md: "a name, the paths of source and target, the name of a destination, options, times, progress, what identifies"
    def test_it_has_no_other_members(self):
        [record] = self.export("--session", "mine", XDG_STATE_HOME=self.folder / "state")
        lines = [json.loads(line) for line in record.read_text().splitlines()]
        self.assertTrue(lines)
        for line in lines:
            self.assertLessEqual(set(line), MEMBERS)
            self.assertIsInstance(line.get("samples", 0), int)
        self.assertEqual(lines[-1]["identity"], (self.folder / "x.hvault").read_bytes()[32:64].hex())
        self.assertIn("promised", lines[-2], "written down before the output got its name")

    # SECURITY.md: "each as the first 32 bytes of an HMAC-SHA-512 under a random key of that record"
    def test_the_document_is_known_by_codes_under_a_key_of_the_record(self):
        [record] = self.export("--session", "mine", XDG_STATE_HOME=self.folder / "state")
        facts = json.loads(record.read_text().splitlines()[-1])["fingerprint"]
        key = bytes.fromhex(facts.pop("key"))
        self.assertEqual(len(key), 32)
        self.assertTrue(facts)
        for code in facts.values():
            self.assertRegex(code, "^[0-9a-f]{64}$")
        text = f"length={(self.folder / 'export.xml').stat().st_size}".encode()
        self.assertTrue(hmac.digest(key, text, hashlib.sha512).hex().startswith(facts["length"]))


class UnfinishedArchives(TracedTest):
    program = SHIPPED

    EXPORT = ("export", "export.xml", "-o", "x.hvault", *SHIPPED_ENCRYPT)

    def setUp(self):
        super().setUp()
        (self.folder / "export.xml").write_text(document(RECORD))

    # SECURITY.md: "It gets its final name once everything has been written, flushed, read back from the drive"
    def test_it_gets_its_name_when_it_was_flushed_and_all_of_it_read_back(self):
        result, lines = self.trace(["-y", "-s", "0", "-e", "trace=fsync,fadvise64,pread64,pwrite64,renameat2", "-e",
                                    "signal=none"], *self.EXPORT)
        self.assertEqual(result.status, 0, result.stderr)
        calls = [re.match(r"(\w+)\(.*x\.hvault\.part", line) for line in lines]
        lines = [line for line, call in zip(lines, calls) if call]
        names = [call[1] for call in calls if call]
        renamed = names.index("renameat2")
        self.assertNotIn("pwrite64", names[renamed:])
        flushed = max(number for number in range(renamed) if names[number] == "fsync")
        self.assertNotIn("pwrite64", names[flushed:])
        # What is in memory is dropped, so that the drive is read.
        self.assertEqual(names[flushed + 1], "fadvise64")
        read = set()
        for line in lines[flushed:renamed]:
            if part := re.search(r"pread64\(.*, ([0-9]+), ([0-9]+)\) = ([0-9]+)", line):
                read.update(range(int(part[2]), int(part[2]) + int(part[3])))
        self.assertEqual(len(read), (self.folder / "x.hvault").stat().st_size)

    # SECURITY.md: "and authenticated"
    def test_what_is_read_back_in_another_way_gets_no_name(self):
        """The n-th reading says that 16 bytes came, and brings none: they are not those that were written."""
        refused = 0
        for number in range(1, 9):
            result, lines = self.trace(["-e", "trace=pread64,fsync", "-e", f"inject=pread64:retval=16:when={number}", "-P",
                                        self.folder.resolve() / "x.hvault.part", "-P", "x.hvault.part", "-e",
                                        "signal=none"], *self.EXPORT)
            flushed = max(at for at, line in enumerate(lines) if line.startswith("fsync("))
            # Calls are counted for each thread; what is read before all is written does not matter here.
            if any("(INJECTED)" in line for line in lines[flushed:]):
                with self.subTest(number):
                    self.assertEqual(result.status, 13, result.stderr)
                    self.assertNotIn("x.hvault", self.names())
                    refused += 1
            for path in self.folder.glob("x.hvault*"):
                path.unlink()
        self.assertGreaterEqual(refused, 4)

    # SECURITY.md: "locking fails silently if the limit on locked memory is too low"
    def test_memory_that_cannot_be_locked_is_no_failure(self):
        result, lines = self.trace(["-e", "trace=mlock", "-e", "inject=mlock:error=ENOMEM", "-e", "signal=none"],
                                   *self.EXPORT)
        self.assertTrue([line for line in lines if "(INJECTED)" in line])
        self.assertEqual(result.status, 0, result.stderr)
        self.assertNotIn("lock", result.stderr)


if __name__ == "__main__":
    unittest.main()
