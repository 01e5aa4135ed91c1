"""What goes in comes out, byte for byte, whatever the document type, the shape and the kind of source."""
import io
import sys
import tarfile
import unittest

from sampling import some
from vault import LONG_SPANS, ENCRYPT, OPEN, READER, VARIANTS, CommandTest, each, generated, run
import six_steps  # found by the line above

SIX_STEPS = six_steps.__file__
# The round trip is made of every variant, and what else must be true of it is looked at with some of them.
SOME = some(VARIANTS, 4)


class RoundTrip(CommandTest):
    @each(*VARIANTS)
    def test_decrypting_gives_the_plain_export(self, variant):
        export = generated(*variant)
        self.vault("decrypt", export.archive, "-o", "decrypted", "--jobs", "2", *OPEN)
        self.assert_same_folder(export.plain, "decrypted")

    # SECURITY.md: "can read it, and can write another one that looks the same"
    @each(*SOME)
    def test_the_independent_reader_gives_the_plain_export(self, variant):
        export = generated(*variant)
        result = run(sys.executable, READER, *OPEN, export.archive, self.folder / "read")
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assert_same_folder(export.plain, "read")

    def test_the_reader_in_six_steps_gives_the_plain_export(self):
        """That of the text, which makes no list of digests. Without odd rows, of which it does not know."""
        for number, export in enumerate((generated("ordinary", "14", "300kB"), generated("ordinary", "14", "2MB"))):
            folder = self.folder / f"read {number}"
            result = run(sys.executable, SIX_STEPS, export.archive, OPEN[1], folder)
            self.assertEqual((result.status, result.stderr), (0, ""))
            self.assert_same_folder(export.plain, folder, "SHA256SUMS")

    @each(*SOME)
    def test_sha256sum_finds_every_file_as_listed(self, variant):
        plain = generated(*variant).plain
        result = run("sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS", cwd=plain)
        self.assertEqual((result.status, result.stdout, result.stderr), (0, b"", ""))
        files = [path for path in plain.rglob("*") if path.is_file()]
        self.assertEqual(len((plain / "SHA256SUMS").read_text().splitlines()), len(files) - 1)

    @each(*SOME)
    def test_verify_finds_archive_and_folder_whole_and_equal_to_the_source(self, variant):
        export = generated(*variant)
        self.vault("verify", export.archive, "--source", export.zip, *OPEN)
        self.vault("verify", export.plain, "--source", export.folder)
        self.vault("verify", export.plain)

    def test_verify_needs_no_source(self):
        self.vault("verify", generated().archive, *OPEN)

    @each(*SOME)
    def test_the_number_of_jobs_changes_nothing(self, variant):
        export = generated(*variant)
        self.vault("export", export.zip, "-o", "1.hvault", "--jobs", "1", *export.batching, *ENCRYPT)
        self.vault("export", export.zip, "-o", "plain", "--jobs", "1", *export.batching)
        self.vault("decrypt", "1.hvault", "-o", "decrypted", "--jobs", "1", *OPEN)
        self.assert_same_folder(export.plain, "plain")
        self.assert_same_folder(export.plain, "decrypted")
        stored = self.vault("decrypt", "1.hvault", "--tar", *OPEN).stdout
        self.assertTrue(stored == export.tar, "the stored entries differ")


class Sources(CommandTest):
    @each(*SOME)
    def test_zip_and_folder_give_the_same_export(self, variant):
        export = generated(*variant)
        self.vault("export", export.folder, "-o", "folder", *export.batching)
        self.assert_same_folder(export.plain, "folder")

    def test_the_folder_around_an_export_is_as_good_as_the_export(self):
        export = generated()
        self.vault("export", export.parent, "-o", "folder")
        self.assert_same_folder(export.plain, "folder")

    @each(*SOME)
    def test_a_document_alone_gives_the_same_records_also_from_standard_input(self, variant):
        export = generated(*variant)
        # Unasked it would depend on the length of the document, which of standard input nobody knows.
        batching = export.batching or ("--batch", "all")
        self.vault("export", export.xml, "-o", "xml", *batching)
        self.vault("export", "-", "-o", "input", *batching, input=export.xml.read_bytes())
        self.assert_same_folder("xml", "input")
        self.assert_same_folder("xml/records", export.plain / "records")
        self.assertEqual((self.folder / "xml/prologue.xml").read_bytes(), (export.plain / "prologue.xml").read_bytes())

    def test_an_archive_of_a_document_from_standard_input(self):
        export = generated()
        self.vault("export", "-", "-o", "a.hvault", *ENCRYPT, input=export.xml.read_bytes())
        # By half-year and year, as long documents are.
        self.vault("export", export.xml, "-o", "plain", *LONG_SPANS)
        self.vault("decrypt", "a.hvault", "-o", "decrypted", *OPEN)
        self.assert_same_folder("plain", "decrypted")
        self.vault("verify", "a.hvault", "--source", export.xml, *OPEN)


class Tar(CommandTest):
    @each(*SOME)
    def test_the_tar_stream_is_what_rests_in_the_archive(self, variant):
        export = generated(*variant)
        self.vault("decrypt", export.archive, "--stored", "-o", "stored", *OPEN)
        (self.folder / "tar").mkdir()
        result = run("tar", "-x", cwd=self.folder / "tar", input=export.tar)
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assert_same_folder("stored", "tar", "SHA256SUMS")
        names = run("tar", "-t", input=export.tar).stdout.decode().splitlines()
        self.assertEqual((names[0], names[-1]), ("session.json", "manifest.json.zst"))
        with tarfile.open(fileobj=io.BytesIO(export.tar)) as tar:
            self.assertEqual(tar.getnames(), names)
        stored = [path for path in (self.folder / "stored").rglob("*") if path.is_file()]
        self.assertEqual(len(set(names)), len(stored) - 1)


if __name__ == "__main__":
    unittest.main()
