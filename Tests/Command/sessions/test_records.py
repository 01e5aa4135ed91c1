"""The record of a session tells nobody who has it what a document holds."""
import base64
import hashlib
import re
import unittest
import zlib

from documents import RECORD, document
from vault import ENCRYPT, CommandTest, TracedTest, each

MIB = 1 << 20


class SessionRecords(CommandTest):
    @each((), ENCRYPT)
    def test_no_digest_of_the_document_is_in_it(self, options):
        self.check(document(RECORD), options)

    @each((), ENCRYPT)
    def test_no_digest_of_the_ends_of_a_large_one_is_in_it(self, options):
        self.check(document(RECORD * 9000), options)

    def check(self, text, options):
        data = text.encode()
        (self.folder / "export.xml").write_bytes(data)
        self.vault("export", "export.xml", "-o", "out", "--session", "mine", "--state-dir", "state", *options)
        self.vault("export", "export.xml", "-o", "out", "--session", "mine", "--state-dir", "state", *options)
        records = [path.read_bytes() for path in (self.folder / "state").rglob("*") if path.is_file()]
        self.assertTrue(records)
        for part in data, data[:MIB], data[-MIB:]:
            for name in "sha256", "sha512", "sha1", "md5", "blake2b":
                digest = hashlib.new(name, part).digest()
                for spelled in (digest, digest.hex().encode(), digest.hex().upper().encode(), base64.b64encode(digest)):
                    self.assertFalse(any(spelled in record for record in records), f"{name} of {len(part)} bytes")

    @each((), ENCRYPT)
    def test_no_crc_of_the_document_is_in_it(self, options):
        """It confirms a guess as well."""
        text = document(RECORD).encode()
        (self.folder / "export.xml").write_bytes(text)
        self.vault("export", "export.xml", "-o", "out", "--session", "mine", "--state-dir", "state", *options)
        checksum = zlib.crc32(text)
        for path in (self.folder / "state").rglob("*"):
            if path.is_file():
                record = path.read_bytes()
                for spelled in f"{checksum:08x}", f"{checksum:08X}", f":{checksum},", f":{checksum}}}":
                    self.assertNotIn(spelled.encode(), record)

    # SECURITY.md: "each as the first 32 bytes of an HMAC-SHA-512 under a random key of that record"
    def test_two_records_of_one_document_have_no_digest_in_common(self):
        """What stands for the document, or was made of it, is keyed with a value of that record."""
        (self.folder / "export.xml").write_text(document(RECORD))
        digests = []
        for state in "one", "two":
            self.vault("export", "export.xml", "-o", state + ".hvault", "--session", "mine", "--state-dir", state, *ENCRYPT)
            text = b"".join(path.read_bytes() for path in (self.folder / state).rglob("*") if path.is_file()).decode()
            digests.append(set(re.findall("[0-9a-f]{32,}", text)))
        self.assertTrue(digests[0])
        self.assertEqual(digests[0] & digests[1], set())

    def test_the_document_is_known_again(self):
        (self.folder / "export.xml").write_text(document(RECORD))
        export = ("export", "export.xml", "-o", "out", "--session", "mine", "--state-dir", "state")
        self.vault(*export)
        self.assertIn("complete", self.vault(*export).stderr)


class Durability(TracedTest):
    def test_a_record_has_its_name_before_anything_is_written_that_it_is_about(self):
        (self.folder / "export.xml").write_text(document(RECORD))
        result, calls = self.trace(
            ("-y", "-e", "trace=openat,mkdirat,fsync"), "export", "export.xml", "-o", "out", "--session", "mine",
            "--state-dir", "state/deep")
        self.assertEqual(result.status, 0)
        calls = [call for call in calls if "= -1" not in call]

        def first(pattern):
            return next(number for number, call in enumerate(calls) if re.search(pattern, call))
        made = [first(rf'mkdirat\(.*"{name}"') for name in ("state", "state/deep", "sessions", "out.part")]
        flushed = [first(rf"fsync\([0-9]+<{self.folder}{place}>") for place in ("", "/state", "/state/deep", "/state/deep/sessions")]
        self.assertLess(max(made[:3] + flushed), made[3])
        for one, other in zip(made[:3] + [first('openat.*"mine.export".*O_CREAT')], flushed):
            self.assertLess(one, other)


if __name__ == "__main__":
    unittest.main()
