"""Zips that are made to hurt, or are merely odd, lose nothing and harm nothing."""
import itertools
import json
import struct
import unittest
import warnings
import zipfile

from documents import RECORD, document, export_zip
from vault import ENCRYPT, OPEN, CommandTest, each, spent
from zips_by_hand import TOP

COPIES = 15_000


class HostileZips(CommandTest):
    # SECURITY.md: "**Someone who makes a source"
    @each("../\u200devil", "../\u0308evil", "a/../\u200d../\u200devil", "\u0301/../../evil", "..")
    def test_names_that_lead_out(self, name):
        inner = self.folder / "deep"
        inner.mkdir()
        export_zip(inner / "in.zip", {name: b"evil"})
        for out, options in ("out", ()), ("out.hvault", ENCRYPT):
            self.vault("export", inner / "in.zip", "-o", inner / out, *options, status=14)
        self.assertEqual(self.names(inner), ["in.zip"])
        self.assertEqual(self.names(), ["deep"])

    def test_sizes_without_end(self):
        export_zip(self.folder / "in.zip", {"a": b"a", "b": b"b"})
        data = (self.folder / "in.zip").read_bytes()
        with zipfile.ZipFile(self.folder / "in.zip") as file:
            names = [info.filename for info in file.infolist()]
        # The directory says of both files that they are 2^63 - 5 bytes long, in a zip64 field.
        start = struct.unpack("<I", data[-6:-2])[0]
        directory, position = b"", start
        for name in names:
            header = bytearray(data[position:position + 46])
            size, extra, comment = struct.unpack("<HHH", header[28:34])
            position += 46 + size + extra + comment
            field = b""
            if name.endswith(("/a", "/b")):
                header[24:28] = b"\xff" * 4
                field = struct.pack("<HHQ", 1, 8, (1 << 63) - 5)
                header[30:32] = struct.pack("<H", len(field))
            directory += bytes(header) + name.encode() + field
        end = bytearray(data[-22:])
        end[12:16] = struct.pack("<I", len(directory))
        (self.folder / "big.zip").write_bytes(data[:start] + directory + bytes(end))
        for command in ["inspect"], ["export", "-o", "out"]:
            self.vault(*command, "big.zip", status=(0, 3, 13, 14))

    def test_names_that_begin_with_a_combining_character(self):
        members = {"\u0308comb.txt": b"1", "sub/\u200djoin.txt": b"2", "sub/\u0301": b"3", "a": b"4", "a.zst.0000/b": b"5"}
        export_zip(self.folder / "in.zip", members)
        self.vault("export", "in.zip", "-o", "plain")
        self.vault("export", "in.zip", "-o", "x.hvault", *ENCRYPT)
        self.vault("decrypt", "x.hvault", "-o", "out", *OPEN)
        self.assert_same_folder("plain", "out")
        self.vault("decrypt", "x.hvault", "-o", "stored", "--stored", *OPEN)
        for path in "plain", "x.hvault":
            self.vault("verify", path, "--source", "in.zip", *(OPEN if path == "x.hvault" else ()))
        files = {file["name"]: file["path"] for file in self.manifest(self.folder / "plain")["files"]}
        for name, data in members.items():
            self.assertEqual((self.folder / "plain" / files[name]).read_bytes(), data)

    # SECURITY.md: "in proportion to the bytes that are read, inflated and written"
    def test_a_name_that_thousands_of_files_share(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with zipfile.ZipFile(self.folder / "in.zip", "w") as file:
                file.writestr(TOP + "export.xml", document(RECORD))
                for number in range(COPIES):
                    file.writestr(TOP + ("a~5" if number == 10 else "A" if number % 2 else "a"), str(number))
        self.vault("export", "in.zip", "-o", "plain", "--quiet")
        paths = [file["path"] for file in self.manifest(self.folder / "plain")["files"]]
        self.assertEqual(len({path.lower() for path in paths}), COPIES)
        numbers = sorted(int(path.rpartition("~")[2]) for path in paths if path.count("~") == 1)
        self.assertEqual(numbers, list(range(2, COPIES)))
        self.assertIn("files/a~5~2", paths)

    def test_attributes_that_thousands_of_names_share(self):
        """Unicode takes all of these names for equal."""
        marks = [chr(mark) for mark in (0x301, 0x323, 0x327, 0x5b1, 0x338, 0x345, 0x31b, 0x5b0)]
        names = ["a" + "".join(order) for order in itertools.islice(itertools.permutations(marks), 4095)]
        seconds = []
        for names in [f"a{number:016}" for number in range(4095)], names:
            attributes = " ".join(f"{name}='1'" for name in names)
            (self.folder / "in.xml").write_text(document(f"<Record type='X' {attributes}/>"))
            before = spent()
            result = self.vault("inspect", "in.xml", "--json")
            seconds.append(spent() - before)
            self.assertNotIn("duplicateAttributes", json.loads(result.stdout).get("warnings", {}))
        self.assertLess(seconds[1], 20 * seconds[0], "as fast as names that differ in every way")

    @each(900, 950, 990, 1000)
    def test_long_paths(self, length):
        name = "/".join(["d" * 100] * (length // 101))
        name += "/" + "f" * (length - len(name) - 1)
        # In an archive a long one rests in pieces, whose names are longer still.
        export_zip(self.folder / "in.zip", {name: b"content", name[:-1] + "g": b"content" * 10_000})
        self.vault("export", "in.zip", "-o", "plain")
        self.vault("export", "in.zip", "-o", "x.hvault", *ENCRYPT)
        self.vault("decrypt", "x.hvault", "-o", "out", *OPEN)
        self.assert_same_folder("plain", "out")


if __name__ == "__main__":
    unittest.main()
