"""What stands where a format is to go is never lost by mistake, and nothing half-made takes its name."""
import json
import os
import sqlite3
import unittest

from documents import RECORD, document, write_zip
from formats.conversions import FORMATS, TARGETS, TargetTest, digests, small
from vault import ENCRYPT, OPEN, each

SECRET = "dear diary " * 500


class ExistingTargets(TargetTest):
    @each(*FORMATS)
    def test_nothing_is_replaced_unasked(self, name):
        self.export(name)
        before = digests(self.folder / TARGETS[name])
        for source in "in.xml", small().zip, small().archive:
            result = self.export(name, status=16, source=source)
            self.assertIn("--overwrite", result.stderr)
        self.assertEqual(digests(self.folder / TARGETS[name]), before)
        self.assertEqual(self.names(), sorted(["in.xml", TARGETS[name]]))

    @each(*FORMATS)
    def test_overwriting_replaces_what_is_ours(self, name):
        self.export(name)
        before = digests(self.folder / TARGETS[name])
        for source in small().archive, small().zip:
            self.export(name, "--overwrite", source=source)
            self.assertNotEqual(digests(self.folder / TARGETS[name]), before)
        self.export(name, "--overwrite")
        self.assertEqual(digests(self.folder / TARGETS[name]), before)
        self.assertEqual(self.names(), sorted(["in.xml", TARGETS[name]]))

    @each("json", "sqlite", "apple-xml")
    def test_files_of_others_are_refused(self, name):
        path = self.folder / TARGETS[name]
        for make in self.theirs(name):
            make(path)
            before = path.read_bytes()
            self.export(name, "--overwrite", status=16)
            self.export(name, "--overwrite", status=16, source=small().archive)
            self.assertEqual(path.read_bytes(), before)
            self.assertEqual(self.names(), sorted(["in.xml", path.name]))
            path.unlink()

    def theirs(self, name):
        """Files of the same kind that another program has made, and some of no kind at all."""
        yield lambda path: path.write_text(SECRET)
        yield lambda path: path.write_bytes(b"\0")
        if name == "json":
            yield lambda path: path.write_text('{"healthData": {}}')
            yield lambda path: path.write_text(json.dumps({"diary": SECRET}))
        if name == "sqlite":
            def database(path):
                with sqlite3.connect(path) as made:
                    made.execute("CREATE TABLE diary (day)")
                made.close()
            yield database
        if name == "apple-xml":
            yield lambda path: write_zip(path, {"apple_health_export/export.xml": document(RECORD)})

    def test_a_bare_document_is_never_replaced(self):
        self.export("apple-xml", target="x.xml")
        before = (self.folder / "x.xml").read_bytes()
        self.export("apple-xml", "--overwrite", target="x.xml", status=16)
        self.assertEqual((self.folder / "x.xml").read_bytes(), before)

    @each(*FORMATS)
    def test_one_format_does_not_replace_another(self, name):
        for other in FORMATS:
            if other not in (name, "csv"):
                self.export(other, target="x")
                result = self.export(name, "--overwrite", target="x", status=16)
                self.assertTrue((self.folder / "x").is_file(), result.stderr)
                (self.folder / "x").unlink()

    @each(*FORMATS)
    def test_folders_and_links_are_not_replaced(self, name):
        path = self.folder / TARGETS[name]
        path.mkdir()
        (path / "diary.txt").write_text(SECRET)
        self.export(name, "--overwrite", status=16)
        self.assertEqual((path / "diary.txt").read_text(), SECRET)
        (path / "diary.txt").rename(self.folder / "diary.txt")
        path.rmdir()
        path.symlink_to("diary.txt")
        self.export(name, "--overwrite", status=16)
        self.assertEqual((self.folder / "diary.txt").read_text(), SECRET)

    @each(*FORMATS)
    def test_what_is_in_the_way_of_the_unfinished_one_is_kept(self, name):
        path = self.folder / (TARGETS[name] + ".part")
        path.write_text(SECRET)
        self.export(name, status=16)
        self.assertEqual(path.read_text(), SECRET)

    @each(*FORMATS)
    def test_a_failure_leaves_the_old_one(self, name):
        self.export(name)
        before = digests(self.folder / TARGETS[name])
        self.write(document("</Record>"), "bad.xml")
        self.export(name, "--overwrite", source="bad.xml", status=13)
        self.assertEqual(digests(self.folder / TARGETS[name]), before)
        self.assertEqual(self.names(), sorted(["bad.xml", "in.xml", TARGETS[name]]))


class Places(TargetTest):
    @each(*FORMATS)
    def test_a_target_is_not_the_source_and_not_inside_it(self, name):
        self.convert(small().zip, "plain")
        before = digests(self.folder / "plain")
        self.export(name, "--overwrite", target="plain", source="plain", status=2)
        self.export(name, target="plain/" + TARGETS[name], source="plain", status=2)
        self.assertEqual(digests(self.folder / "plain"), before)
        self.export(name, "--overwrite", target="in.xml", status=2)
        self.convert("in.xml", "a.hvault", *ENCRYPT)
        archive = (self.folder / "a.hvault").read_bytes()
        self.export(name, "--overwrite", target="a.hvault", source="a.hvault", command="decrypt", status=2)
        self.assertEqual((self.folder / "a.hvault").read_bytes(), archive)
        self.assertEqual((self.folder / "in.xml").read_text(), document(RECORD))

    @each(*FORMATS)
    def test_a_folder_that_is_missing_or_that_nobody_may_write_to(self, name):
        self.export(name, target="missing/" + TARGETS[name], status=(1, 2, 10))
        self.export(name, target="in.xml/" + TARGETS[name], status=(1, 2, 10))
        if os.geteuid():
            (self.folder / "closed").mkdir(0o500)
            self.export(name, target="closed/" + TARGETS[name], status=1)
        self.export(name, target="/proc/" + TARGETS[name], status=(1, 2, 10))
        self.assertEqual(set(self.names()) - {"closed"}, {"in.xml"})

    @each(("x.json", "sqlite"), ("x.db", "json"), ("x.sqlite", "apple-xml"), ("x.zip", "csv"), ("x.xml", "json"),
          ("x.json", "ndjson"), ("x.sqlite3", "csv"))
    def test_a_name_of_another_format(self, case):
        target, name = case
        result = self.export(name, target=target, status=2)
        self.assertIn(f"--format is {name}", result.stderr)
        self.assertEqual(self.names(), ["in.xml"])

    @each(("x.db", b"SQLite format 3"), ("x.sqlite", b"SQLite format 3"), ("x.json", b"{"), ("x.xml", b"<?xml"), ("x.zip", b"PK"),
          ("X.DB", b"SQLite format 3"), ("x.Json", b"{"), ("x.XML", b"<?xml"))
    def test_the_name_says_the_format(self, case):
        target, start = case
        self.write(document(RECORD))
        for name, arguments in (("a", ["export", "in.xml"]), ("b", ["decrypt", "x.hvault", *OPEN])):
            (self.folder / name).mkdir()
            if name == "b":
                self.vault("export", "in.xml", "-o", "x.hvault", *ENCRYPT)
            self.vault(*arguments, "-o", f"{name}/{target}")
            self.assertEqual((self.folder / name / target).read_bytes()[:len(start)], start)
        self.assertIn("has the extension", self.vault("export", "in.xml", "-o", target, *ENCRYPT, status=2).stderr)
        self.assertIn("several formats", self.vault("export", "in.xml", "-o", target, "--format", "csv,json",
                                                    status=2).stderr)
        self.assertIn("one for each type", self.vault("export", "in.xml", "-o", "x.csv", status=2).stderr)
        self.assertEqual(self.names(), ["a", "b", "in.xml", "x.hvault"])

    @each("backup.zip/", "x.json/", "x.DB/")
    def test_a_slash_says_that_it_is_a_folder(self, target):
        self.write(document(RECORD))
        self.vault("export", "in.xml", "-o", target)
        self.assertTrue((self.folder / target / "manifest.json").is_file())
        self.assertIn("looks like", self.vault("export", "in.xml", "-o", "x.hvault/", status=2).stderr)

    @each("a", "a.json.bak", "health.DB", "\u00e9.data", ".hidden", "-dashed")
    def test_any_other_name_will_do(self, target):
        self.export("sqlite", target="./" + target)
        self.assertEqual(self.names(), sorted(["in.xml", target]))

    @each(*FORMATS)
    def test_an_archive_has_no_format(self, name):
        result = self.export(name, *ENCRYPT, target="x.hvault", status=2)
        self.assertIn(f"decrypt ARCHIVE --format {name}", result.stderr)
        self.export("nothing", target="x", status=2)
        self.assertEqual(self.names(), ["in.xml"])

    def test_formats_do_not_go_with_what_is_not_about_samples(self):
        for options in ["--tar"], ["--stored", "-o", "x"], ["--entry", "manifest.json", "-o", "x"]:
            self.vault("decrypt", small().archive, "--format", "json", *options, *OPEN, status=2)
        self.assertEqual(self.names(), ["in.xml"])


if __name__ == "__main__":
    unittest.main()
