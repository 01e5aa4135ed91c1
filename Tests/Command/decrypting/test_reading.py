"""For a part of an archive nothing else is read."""
import json
import os
import random
import re
import unittest

from decrypting.filtering import HEART_RATE, Query, SelectionTest, zone_of
from vault import BY_MONTH, OPEN, TracedTest, dense

CHUNK = 16384


class Reading(TracedTest, SelectionTest):
    def reads(self, archive, *options, to="part"):
        """Where the archive is read: offsets and lengths."""
        result, lines = self.trace(["-y", "-e", "trace=pread64,read,mmap"], "decrypt", archive, "-o", to, *options,
                                   *OPEN)
        self.assertEqual(result.status, 0, result.stderr)
        mine = [line for line in lines if f"<{os.path.realpath(archive)}>" in line]
        found = [re.search(r"pread64\(.*, (\d+), (\d+)\) = (\d+)\Z", line) for line in mine]
        self.assertTrue(found and all(found), "read in other ways")
        return [(int(match[2]), int(match[3])) for match in found]

    def test_one_month_of_one_type_is_a_small_part_and_damage_elsewhere_does_not_matter(self):
        export = dense("8MB", 300, *BY_MONTH)
        size = export.archive.stat().st_size
        self.assertGreater(size, 4 << 20)
        options = "--types", "heartRate", "--since", "2023-05-01", "--until", "2023-05-31"
        reads = self.reads(export.archive, *options)
        zone, query = zone_of(export.plain), Query([HEART_RATE], since="2023-05-01", until="2023-05-31")
        for path in export.plain.glob(f"records/{HEART_RATE}/*"):
            expected = [line for line in path.read_bytes().splitlines(True) if query.holds(json.loads(line), zone)]
            part = self.files().get(path.relative_to(export.plain), b"")
            self.assertEqual(part.splitlines(True), expected)
        self.assertLess(sum(length for _, length in reads), size / 10)
        # Everything that was not read becomes noise.
        data = bytearray(random.Random(3).randbytes(size))
        whole = export.archive.read_bytes()
        for offset, length in reads:
            data[offset:offset + length] = whole[offset:offset + length]
        self.assertGreater(sum(one != other for one, other in zip(data[::CHUNK], whole[::CHUNK])),
                           0.8 * size / CHUNK)
        (self.folder / "a.hvault").write_bytes(data)
        self.select("a.hvault", *options, to="again")
        self.assertEqual(self.files("again"), self.files("part"))
        self.vault("decrypt", "a.hvault", "-o", "whole", *OPEN, status=13)

    def test_one_file(self):
        export = dense("8MB", 300, *BY_MONTH)
        reads = self.reads(export.archive, "--entry", "prologue.xml")
        self.assertLess(sum(length for _, length in reads), export.archive.stat().st_size / 20)


if __name__ == "__main__":
    unittest.main()
