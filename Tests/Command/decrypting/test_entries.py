"""Single entries of an archive."""
import random
import shutil
import unittest
from pathlib import Path

import crafted
from decrypting.filtering import SelectionTest
from documents import document, export_zip
from vault import ENCRYPT, OPEN, generated, run


class Entries(SelectionTest):
    def test_files_under_their_paths(self):
        export = generated()
        names = [str(path.relative_to(export.plain)) for path in export.plain.rglob("*") if path.is_file()]
        names.remove("SHA256SUMS")
        for number, name in enumerate(random.Random(1).sample(names, 6) + ["manifest.json", "prologue.xml"]):
            self.select(export.archive, "--entry", name, to=str(number))
            files = self.files(str(number))
            self.assertEqual(set(files), {Path(name), Path("SHA256SUMS")})
            self.assertEqual(files[Path(name)], (export.plain / name).read_bytes())
            self.assertEqual(run("sha256sum", "-c", "SHA256SUMS", cwd=self.folder / str(number)).status, 0)

    def test_as_the_source_names_them_and_several_at_once(self):
        export = generated()
        names = [file["name"] for file in self.manifest(export.plain)["files"]][:3]
        self.select(export.archive, "--entry", ",".join(names[:2]), "--entry", names[2])
        self.assertEqual(set(self.files()), {Path("SHA256SUMS")} | {Path("files") / name for name in names})

    def test_as_they_rest(self):
        export = generated()
        self.vault("decrypt", export.archive, "--stored", "-o", "stored", *OPEN)
        # By itself, and in a bundle.
        for pattern in "*.json.zst", "*.json":
            name = next(str(path.relative_to(self.folder / "stored"))
                        for path in self.folder.glob("stored/records/*/" + pattern))
            self.select(export.archive, "--stored", "--entry", name, to=pattern[1:])
            self.assertEqual(self.files(pattern[1:])[Path(name)], (self.folder / "stored" / name).read_bytes())

    def test_out_of_bundles(self):
        crafted.archive(self.folder / "x.hvault", ("bundles/0000.tar.zst", [("files/a", b"a"), ("files/b", b"b")]))
        for option, expected in ((), {Path("files/b"): b"b"}), (("--stored",), {Path("files/b"): b"b"}):
            self.vault("decrypt", "x.hvault", "-o", "part", *option, "--entry", "files/b", *crafted.OPEN)
            found = self.files()
            del found[Path("SHA256SUMS")]
            self.assertEqual(found, expected)
            shutil.rmtree(self.folder / "part")
        for name in "bundles/0000.tar.zst", "bundles":
            for option in (), ("--stored",):
                self.vault("decrypt", "x.hvault", "-o", "part", *option, "--entry", name, *crafted.OPEN, status=10)

    def test_names_with_commas_and_files_of_many_pieces(self):
        big = random.Random(2).randbytes(2_500_000)
        export_zip(self.folder / "export.zip", {"a,b.bin": big, "a": b"1", "b.bin": b"2", "manifest.json": b"{}"},
                   document(""))
        self.vault("export", "export.zip", "-o", "a.hvault", *ENCRYPT)
        self.select("a.hvault", "--entry", "a,b.bin", to="one")
        self.assertEqual(self.files("one")[Path("files/a,b.bin")], big)
        self.select("a.hvault", "--entry", "b.bin,a", to="two")
        self.assertEqual(set(self.files("two")), {Path("files/a"), Path("files/b.bin"), Path("SHA256SUMS")})
        self.select("a.hvault", "--entry", "manifest.json", to="three")
        self.assertIn(b"fingerprint", self.files("three")[Path("manifest.json")])

    def test_what_is_not_there(self):
        self.assertIn("nope: no such entry",
                      self.select(generated().archive, "--entry", "prologue.xml,nope", status=10).stderr)
        for names in ",", "prologue.xml,", ",prologue.xml":
            self.select(generated().archive, "--entry", names, status=10)
        self.assertEqual(self.names(), [])


if __name__ == "__main__":
    unittest.main()
