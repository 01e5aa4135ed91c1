"""The bounds of what a source may hold, each at its limit and one beyond (SECURITY.md, section 8)."""
import unittest
import zipfile

from crafted import BoundedTest
from documents import RECORD, document, export_zip
from vault import ENCRYPT, each
from zips_by_hand import TOP, write_stored


class Sources(BoundedTest):
    # SECURITY.md: "4,096 attributes"
    @each((4_096, 0), (4_097, 13))
    def test_attributes_of_an_element(self, case):
        count, status = case
        attributes = "".join(f' a{number}=""' for number in range(count))
        (self.folder / "export.xml").write_text(document(f"<Record{attributes}/>"))
        self.vault("inspect", "export.xml", status=status)

    # SECURITY.md: "131,072 nested elements, attributes and texts"
    @each((131_072, 0), (131_073, 13))
    def test_what_is_nested_in_an_element(self, case):
        count, status = case
        (self.folder / "export.xml").write_text(document("<Record>" + "<!---->" * count + "</Record>"))
        self.vault("inspect", "export.xml", status=status)

    # SECURITY.md: "plus six times the text of the index and of the manifest of an archive, of the lists in a plain folder"
    def test_the_directory_of_a_zip_takes_memory_in_proportion(self):
        members = [(TOP.encode() + b"export.xml", document(RECORD).encode())]
        members += [(b"%s%d%s" % (TOP.encode(), number, b"n" * 980), b"") for number in range(50_000)]
        write_stored(self.folder / "export.zip", members)
        self.MEMORY += 6 * sum(46 + len(name) for name, _ in members)
        self.bounded("inspect", "export.zip", status=0)

    # SECURITY.md: "1,100 bytes for each of its compressed bytes, whatever the method"
    def test_a_method_that_packs_closer_than_deflate(self):
        method = zipfile.ZIP_BZIP2
        for path, members, text in ("export.zip", {"zeros.bin": bytes(100_000_000)}, None), (
                "export.zip", {}, document("<Record/>" + "\n" * 100_000_000)):
            export_zip(self.folder / path, members, text, method)
            self.bounded("export", path, "-o", "x.hvault", *ENCRYPT, status=13)
            self.assertEqual(self.names(), [path])
        export_zip(self.folder / "export.zip", {"a": b"a" * 60_000}, method=method)
        self.vault("export", "export.zip", "-o", "x.hvault", *ENCRYPT)


if __name__ == "__main__":
    unittest.main()
