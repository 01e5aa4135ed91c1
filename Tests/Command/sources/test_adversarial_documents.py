"""Documents whose names, values and nesting are as odd as the reader still takes them: the independent reader agrees."""

import os
import random
import subprocess
import sys
import tempfile
import unittest

import vault
from sampling import some

NAMES = """type value startDate endDate creationDate device sourceName unit element position metadata children attributes
Record MetadataEntry HKCharacteristicX key date a:b dateComponents duration text sourceVersion""".split()
ELEMENTS = "Record Workout MetadataEntry WorkoutEvent lower HKCharacteristicThing ActivitySummary".split()
VALUES = [
    "", "1", "1.50", "-0", "1e5", "007", "+1", ".5", "1e999999", "text", "a b", "&quot;&lt;&amp;", "&#10;&#9;", "é’\u00a0",
    "2023-05-13 10:36:12 +0200", "2023-05-13 10:36:12 -0000", "2023-02-29 10:36:12 +0200", "2023-05-13T10:36:12+02:00",
    "2023-02-29T10:36:12+02:00", "2023-05-13T10:36:12-00:00", "0001-01-01 00:00:00 +2359", "9999-12-31 23:59:59 -2359",
    "2023-05-13", "&lt;&lt;HKDevice: 0x2812f5540&gt;, name:Watch&gt;", "\x01\x0b\x1f", "\\", "\\u0041", "&nope;", "\u2028", "\x7f",
]


class AdversarialDocuments(unittest.TestCase):
    def document(self, seed):
        choose = random.Random(seed)

        def attributes():
            return b"".join(
                f' {choose.choice(NAMES)}="{choose.choice(VALUES)}{choose.choice(VALUES[:12])}'.encode()
                + (bytes([choose.randrange(0x80, 0x100)]) if choose.random() < 0.05 else b"") + b'"'
                for _ in range(choose.randrange(7)))

        def element(depth):
            name = choose.choice(ELEMENTS).encode()
            if depth > 3 or choose.random() < 0.6:
                return b"<" + name + attributes() + b"/>"
            inside = b"".join(
                choose.choice([b"text", b"\n ", b"<![CDATA[<&]]>"]) if choose.random() < 0.3 else element(depth + 1)
                for _ in range(choose.randrange(5)))
            return b"<" + name + attributes() + b">" + inside + b"</" + name + b">"

        return b"<HealthData" + attributes() + b">" + b"\n".join(element(0) for _ in range(60)) + b"</HealthData>"

    def test_the_independent_reader_gives_the_same_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            for seed in some(range(12), 5):
                source, plain, archive, back = (
                    os.path.join(folder, f"{seed}.{kind}") for kind in ("xml", "plain", "hvault", "back"))
                with open(source, "wb") as file:
                    file.write(self.document(seed))
                for command in (("export", source, "-o", plain), ("export", source, "-o", archive, *vault.ENCRYPT)):
                    self.assertEqual(vault.run(vault.BINARY, *command).status, 0, seed)
                subprocess.run(
                    [sys.executable, vault.READER, "--passphrase-file", vault.SECRET, archive, back],
                    check=True)
                difference = subprocess.run(["diff", "-r", plain, back], capture_output=True, text=True)
                self.assertEqual((difference.returncode, difference.stdout), (0, ""), seed)


if __name__ == "__main__":
    unittest.main()
