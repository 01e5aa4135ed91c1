"""Slips that people make, and what they are told."""
import json
import os
import shutil
import subprocess
import unittest

import documents
from vault import BINARY, ENCRYPT, OPEN, CommandTest, each, environment, generated, run


class Names(CommandTest):
    def test_an_archive_s_name_without_encrypt(self):
        result = self.vault("export", generated().zip, "-o", "health.hvault", status=2)
        self.assertIn("add --encrypt", result.stderr)
        self.assertEqual(self.names(), [])

    @each("export", "decrypt", "recover")
    def test_a_stream_for_a_name(self, command):
        source = [generated().zip, *ENCRYPT] if command == "export" else [generated().archive, *OPEN]
        result = self.vault(command, *source, "-o", "-", status=2)
        self.assertIn("-o -", result.stderr)
        self.assertEqual(self.names(), [])

    @each(b"\xff.zip", b"a\xfe\xff", b"\xed\xa0\x80.zip")
    def test_a_name_that_is_no_utf_8(self, name):
        """With another character in the place of each wrong byte, two files would have one name."""
        shutil.copy(generated().zip, os.path.join(os.fsencode(self.folder), name))
        for arguments in ["inspect", name], ["export", generated().zip, "-o", name + b".out"], ["verify", name]:
            result = subprocess.run([BINARY, *arguments], cwd=self.folder, env=environment(), capture_output=True, check=False)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(b"not UTF-8", result.stderr)
            arguments = [*arguments, "--json"]
            result = subprocess.run([BINARY, *arguments], cwd=self.folder, env=environment(), capture_output=True, check=False)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("not UTF-8", json.loads(result.stderr)["error"]["message"])
        self.assertEqual(os.listdir(os.fsencode(self.folder)), [name])

    def test_what_was_meant(self):
        self.assertIn("did you mean 'stats'?", self.vault("stat", "x", status=2).stderr)
        self.assertIn("csv, sqlite, apple-xml", self.vault("export", "x", "--format", "excel", status=2).stderr)
        for name in "workouts", "Weights", "heart rates", "step":
            self.vault("query", generated().zip, name, "--limit", "1")
        self.vault("export", generated().zip, "-o", "out", "-q")
        self.assertIn("another name with -o", self.vault("export", generated().zip, "-o", "out", status=16).stderr)

    def test_types_are_searched(self):
        lines = self.vault("types", "HEART").stdout.decode().splitlines()
        self.assertTrue(lines[1:-1])
        self.assertTrue(all("heart" in line.lower() for line in lines[1:-1]))
        self.assertRegex("\n".join(lines), r"(?m)^heartRate .* count/min ")
        self.assertIn("no type", self.vault("types", "zebra", status=2).stderr)

    def test_errors_are_json_where_the_answer_would_be(self):
        for arguments, status, code in ((["inspect", "missing.zip"], 10, "notFound"), (["types", "--kind", "x"], 2, "usage"),
                                        (["query", generated().zip, "heartRate", "--since", "2090"], 10, "notFound")):
            result = self.vault(*arguments, "--json", status=status)
            error = json.loads(result.stderr)["error"]
            self.assertEqual(error.keys(), {"code", "message", "hint"})
            self.assertEqual(error["code"], code)
            self.assertEqual(result.stdout, b"")

    def test_a_group_without_its_mark(self):
        result = self.vault("decrypt", generated().archive, "-o", "out", "--types", "body", *OPEN, status=2)
        self.assertIn("did you mean 'group:body'?", result.stderr)


class Output(CommandTest):
    def test_a_reader_that_has_seen_enough(self):
        script = f"'{BINARY}' types | head -1; echo ${{PIPESTATUS[0]}}"
        result = run("bash", "-c", f"for i in 1 2 3 4 5; do {script}; done", cwd=self.folder)
        self.assertEqual(result.stderr, "")

    def test_nobody_to_tell(self):
        with open("/dev/full", "wb") as full:
            result = subprocess.run([BINARY, "export", generated().zip, "-o", "out", "--json"], cwd=self.folder,
                                    env=environment(), stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(result.returncode, 15)
        self.vault("verify", "out")

    def test_only_an_archive_is_called_like_one(self):
        archive = generated().archive
        for command in (["decrypt", archive, "-o"], ["decrypt", archive, "--format", "csv", "-o"], ["recover", archive, "-o"],
                        ["report", archive, "-o"], ["chart", archive, "heartRate", "-o"]):
            for name in "x.hvault", "x.HVAULT", "x.Hvault/":
                said = self.vault(*command, name, *OPEN, status=2).stderr
                self.assertIn("looks like an encrypted archive", said)
        for name in "x.hvault", "x.HVAULT", "x.Hvault/":
            self.assertIn("--encrypt is missing", self.vault("export", generated().zip, "-o", name, status=2).stderr)
        for target in "sqlite:x.hvault", "dir:x.hvault":
            self.vault("sync", archive, "--target", target, *OPEN, status=2)
        self.assertEqual(self.names(), [])

    def test_a_name_does_not_promise_another_format(self):
        archive, export = generated().archive, generated().zip
        names = {"page": "html", "drawing": "svg", "database": "db", "archive": "hvault"}
        for kind, command in (
                ("folder", ["decrypt", archive, *OPEN, "-o"]), ("folder", ["export", export, "-o"]),
                ("folder", ["export", export, "--format", "fhir", "-o"]), ("folder", ["recover", archive, *OPEN, "-o"]),
                ("archive", ["encrypt", export, *OPEN, "-o"]), ("page", ["report", export, "-o"]), ("page", ["reader", "-o"]),
                ("drawing", ["chart", export, "heartRate", "-o"])):
            for other in "r.pdf", "x.xlsx", "x.XLSX", "x.parquet", "x.png", "x.html", "x.svg":
                if names.get(kind) != other.rpartition(".")[2]:
                    said = self.vault(*command, other, status=2).stderr
                    self.assertIn(f"'{other}' has the extension ", said)
                    self.assertIn(names.get(kind, "without"), said)
        self.assertEqual(self.names(), [])

    def test_a_file_in_the_place_of_a_folder(self):
        (self.folder / "file").touch()
        self.assertIn("file: not a folder", self.vault("keyring", "make", "file", "-o", "a", "--key-file", "b", *OPEN,
                                                       status=10).stderr)

    def test_links_are_named(self):
        source = self.folder / "apple"
        source.mkdir()
        (source / "export.xml").write_text(documents.document(documents.RECORD))
        os.symlink("/etc", source / "workout-routes")
        self.assertIn("skipped: workout-routes (link", self.vault("export", "apple", "-o", "out").stderr)


if __name__ == "__main__":
    unittest.main()
