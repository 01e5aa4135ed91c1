"""Queries of archives that somebody made: memory is bounded, and time is in proportion to what is read and printed."""
import json
import unittest

import crafted
from crafted import BATCH, EMPTY, OPEN, ROW, BoundedTest, frame, rows
from sampling import ALL
from vault import each


def listed(parts, count):
    """A manifest with a span of so many parts and rows."""
    return EMPTY | {"batches": [{"element": "Record", "type": "X", "span": "undated", "parts": parts, "count": count,
                                 "identity": "0" * 32}]}


def parts(count):
    """Batches of one row."""
    for part in range(1, count + 1):
        name = BATCH.removesuffix(".json.zst") + ("" if part == 1 else f".part{part}") + ".json"
        yield name, json.dumps(ROW | {"part": part, "position": [part]}, separators=(",", ":")).encode()


class Queries(BoundedTest):
    @each("--json", "--csv", "--sort=newest", "--sort=value")
    def test_one_batch_of_many_rows(self, option):
        """16 kB that become a table of 200,000 rows."""
        count = 200_000
        crafted.archive(self.folder / "x.hvault", (BATCH, frame(rows(count), 19)), manifest=listed(1, count))
        cost = self.bounded("query", "x.hvault", "X", option, *OPEN, status=0, seconds=60)
        self.assertGreaterEqual(len(cost.stdout.splitlines()), count)

    @each(("--sort", "newest", "--limit", "3"), ("--sort", "value", "--limit", "3"))
    def test_many_parts_that_repeat_a_text(self, options):
        """10 MB that become 2.5 GB where each row gets a text of its own, or a third of it."""
        count, rows_each = 40 if ALL else 13, 250

        def part(number):
            name = BATCH.removesuffix(".json.zst") + ("" if number == 1 else f".part{number}") + ".json.zst"
            return name, frame(ROW | {
                "part": number, "count": rows_each, "contexts": [[["type", "X"], ["value"]]],
                "position": [1 + number * rows_each] + [1] * (rows_each - 1), "context": [0] * rows_each,
                "content": [0] * rows_each, "columns": {"value": ["x" * 250_000, [rows_each - 1]]}})
        crafted.archive(self.folder / "x.hvault", *map(part, range(1, count + 1)), manifest=listed(count, count * rows_each))
        self.bounded("query", "x.hvault", "X", "--csv", *options, *OPEN, status=0, seconds=60)

    def test_many_parts_of_one_row(self):
        count = 30_000
        members = list(parts(count))
        bundles = [(f"bundles/{number // 700:04}.tar.zst", members[number:number + 700])
                   for number in range(0, count, 700)]
        crafted.archive(self.folder / "x.hvault", *bundles, manifest=listed(count, count))
        cost = self.bounded("query", "x.hvault", "X", "--json", *OPEN, status=0, seconds=60)
        self.assertEqual(len(cost.stdout.splitlines()), count)
        identifiers = {json.loads(line)["id"] for line in cost.stdout.splitlines()}
        self.assertEqual(len(identifiers), count, "identical samples are numbered")

    def test_parts_that_lie_alternately_in_several_bundles(self):
        """A bundle is not decompressed again for each batch in it."""
        count, several = 2100, 6
        members = list(parts(count))

        def seconds(name, chosen):
            crafted.archive(self.folder / name, *(
                (f"bundles/{number:04}.tar.zst", chosen(number) + [(f"files/{number}", bytes(500_000))])
                for number in range(several)), manifest=listed(count, count))
            return self.bounded("query", name, "X", "--json", *OPEN, status=0, seconds=60).seconds
        share = count // several
        in_order = seconds("a.hvault", lambda number: members[number * share:(number + 1) * share])
        alternately = seconds("b.hvault", lambda number: members[number::several])
        self.assertLess(alternately, 2 * in_order + 0.5)


if __name__ == "__main__":
    unittest.main()
