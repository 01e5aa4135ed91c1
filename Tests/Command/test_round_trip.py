"""What goes in comes out, byte for byte, whatever the document type, the shape and the kind of source."""
import io
import sys
import tarfile
import unittest

from vault import ENCRYPT, OPEN, REFERENCE, VARIANTS, CommandTest, generated, run


class RoundTrip(CommandTest):
    def variants(self):
        for variant in VARIANTS:
            with self.subTest(variant):
                self.out = self.folder / "-".join(variant)
                self.out.mkdir()
                yield generated(*variant)

    def test_decrypting_gives_the_plain_export(self):
        for export in self.variants():
            self.vault("decrypt", export.archive, "-o", self.out / "decrypted", *OPEN)
            self.assert_same_folder(export.plain, self.out / "decrypted")

    def test_the_independent_reader_gives_the_plain_export(self):
        for export in self.variants():
            result = run(sys.executable, REFERENCE / "decrypt.py", *OPEN, export.archive, self.out / "read")
            self.assertEqual((result.status, result.stderr), (0, ""))
            self.assert_same_folder(export.plain, self.out / "read")

    def test_sha256sum_finds_every_file_as_listed(self):
        for export in self.variants():
            result = run("sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS", cwd=export.plain)
            self.assertEqual((result.status, result.stdout, result.stderr), (0, b"", ""))
            files = [path for path in export.plain.rglob("*") if path.is_file()]
            self.assertEqual(len((export.plain / "SHA256SUMS").read_text().splitlines()), len(files) - 1)

    def test_verify_finds_nothing_amiss(self):
        for export in self.variants():
            self.vault("verify", export.archive, *OPEN)
            self.vault("verify", export.plain)
            self.vault("verify", export.archive, "--source", export.zip, *OPEN)
            self.vault("verify", export.plain, "--source", export.folder)

    def test_the_number_of_jobs_changes_nothing(self):
        for export in self.variants():
            tars = []
            for jobs in "1", "2":
                archive = self.out / f"{jobs}.hvault"
                self.vault("export", export.zip, "-o", archive, "--jobs", jobs, *ENCRYPT)
                self.vault("decrypt", archive, "-o", self.out / jobs, "--jobs", jobs, *OPEN)
                self.vault("export", export.zip, "-o", self.out / f"{jobs}-plain", "--jobs", jobs)
                self.assert_same_folder(export.plain, self.out / jobs)
                self.assert_same_folder(export.plain, self.out / f"{jobs}-plain")
                tars.append(self.vault("decrypt", archive, "--tar", *OPEN).stdout)
            self.assertTrue(tars[0] == tars[1], "the stored entries differ")


class Sources(CommandTest):
    def test_zip_and_folder_give_the_same_export(self):
        for variant in VARIANTS[::3]:
            export = generated(*variant)
            for source in export.folder, export.parent:
                with self.subTest(variant, source=source.name):
                    out = self.folder / f"{'-'.join(variant)}-{source.name}"
                    self.vault("export", source, "-o", out)
                    self.assert_same_folder(export.plain, out)

    def test_a_document_alone_gives_the_same_records_also_from_standard_input(self):
        for variant in VARIANTS[::3]:
            with self.subTest(variant):
                export, out = generated(*variant), self.folder / "-".join(variant)
                out.mkdir()
                self.vault("export", export.xml, "-o", out / "xml")
                self.vault("export", "-", "-o", out / "input", input=export.xml.read_bytes())
                self.assert_same_folder(out / "xml", out / "input")
                self.assert_same_folder(out / "xml" / "records", export.plain / "records")
                self.assertEqual((out / "xml/prologue.xml").read_bytes(), (export.plain / "prologue.xml").read_bytes())

    def test_an_archive_of_a_document_from_standard_input(self):
        export = generated(*VARIANTS[0])
        self.vault("export", "-", "-o", "a.hvault", *ENCRYPT, input=export.xml.read_bytes())
        self.vault("export", export.xml, "-o", "plain")
        self.vault("decrypt", "a.hvault", "-o", "decrypted", *OPEN)
        self.assert_same_folder(self.folder / "plain", self.folder / "decrypted")
        self.vault("verify", "a.hvault", "--source", export.xml, *OPEN)


class Tar(CommandTest):
    def test_the_tar_stream_is_what_rests_in_the_archive(self):
        for variant in VARIANTS[::3]:
            with self.subTest(variant):
                export, out = generated(*variant), self.folder / "-".join(variant)
                out.mkdir()
                self.vault("decrypt", export.archive, "--stored", "-o", out / "stored", *OPEN)
                stream = self.vault("decrypt", export.archive, "--tar", *OPEN).stdout
                (out / "tar").mkdir()
                result = run("tar", "-x", cwd=out / "tar", input=stream)
                self.assertEqual((result.status, result.stderr), (0, ""))
                self.assert_same_folder(out / "stored", out / "tar", "SHA256SUMS")
                listed = run("tar", "-t", input=stream)
                names = listed.stdout.decode().splitlines()
                self.assertEqual((names[0], names[-1]), ("session.json", "manifest.json"))
                with tarfile.open(fileobj=io.BytesIO(stream)) as tar:
                    self.assertEqual(tar.getnames(), names)
                stored = [path for path in (out / "stored").rglob("*") if path.is_file()]
                self.assertEqual(len(set(names)), len(stored) - 1)


if __name__ == "__main__":
    unittest.main()
