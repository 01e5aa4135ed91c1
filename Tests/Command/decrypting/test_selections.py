"""A part of an archive: what comes out is what filtering the whole folder gives."""
import datetime
import os
import random
import unittest

from decrypting.filtering import DAY, HEART_RATE, Query, SelectionTest, filtered, identifier, random_query, rows
from documents import document, export_zip
from sampling import some
from vault import BINARY, ENCRYPT, OPEN, VARIANTS, each, generated, run


class Selections(SelectionTest):
    @each(*some(VARIANTS, 4))
    def test_random_queries_give_what_filtering_gives(self, variant):
        export = generated(*variant)
        rng = random.Random(repr(variant))
        for number in range(2):
            query = random_query(rng, export.plain)
            with self.subTest(query.options):
                status = self.select(export.archive, *query.options, to=str(number), status=(0, 10)).status
                if status:
                    self.assertEqual(filtered(export.plain, query), {})
                    self.assertFalse((self.folder / str(number)).exists())
                else:
                    self.check_folder(query, export.plain, str(number))

    @each("1day,3,4KiB", "all,100", "1year,50")
    def test_of_a_span_with_several_parts_some_may_be_left(self, batching):
        export = generated()
        self.vault("export", export.zip, "-o", "a.hvault", "--batch", batching, *ENCRYPT)
        self.vault("decrypt", "a.hvault", "-o", "whole", *OPEN)
        rng = random.Random(batching)
        for number in range(3):
            query = random_query(rng, self.folder / "whole")
            if filtered(self.folder / "whole", query):
                self.select("a.hvault", *query.options, to=str(number))
                self.check_folder(query, self.folder / "whole", str(number))
                self.vault("verify", str(number), "--source", export.zip)

    def test_two_halves_are_the_whole(self):
        export = generated("shuffled", "14", "1MB")
        self.select(export.archive, "--until", "2020-06-30", to="before")
        self.select(export.archive, "--since", "2020-07-01", to="after")
        lines = sorted(line for half in ("before", "after") for text in self.files(half).values()
                       for line in text.splitlines() if line.startswith(b'{"element"'))
        whole = sorted(line.rstrip(b"\n") for found in rows(export.plain).values() for line, row in found
                       if identifier(row))
        self.assertEqual(lines, whole)

    def test_the_computers_time_zone_does_not_matter(self):
        export = generated("shuffled", "14", "1MB")
        query = Query([HEART_RATE], since="2021-03-04", until="2024-03-04")
        for zone in "UTC", "Asia/Tokyo", "America/Los_Angeles":
            result = run(BINARY, "decrypt", export.archive, "-o", zone[:3], *query.options, *OPEN, cwd=self.folder,
                         env={"TZ": zone, "PATH": os.environ["PATH"]})
            self.assertEqual(result.status, 0, result.stderr)
            self.check_folder(query, export.plain, zone[:3])

    def test_rows_without_a_time_of_day_or_without_any(self):
        record = ('<Record type="HKQuantityTypeIdentifierStepCount" sourceName="A" unit="count" creationDate="x" '
                  'startDate="{}" endDate="{}" value="{}"/>')
        times = ["2023-05-01 00:00:00 -0700", "2023-04-30 23:59:59 -0700", "2023-05-31 23:59:59 -0700",
                 "2023-06-01 00:00:00 -0700", "odd", "2023-05-01 12:00:00 +0900"]
        summaries = ['<ActivitySummary dateComponents="%s" activeEnergyBurned="1"/>' % day
                     for day in ("2023-04-30", "2023-05-01", "2023-05-31", "2023-06-01", "never")]
        body = "".join(record.format(time, time, number) for number, time in enumerate(times)) + "".join(summaries)
        text = document(body).replace("2023-05-13 10:36:12 +0200", "2024-01-01 10:00:00 -0700")
        export_zip(self.folder / "export.zip", {}, text)
        self.vault("export", "export.zip", "-o", "a.hvault", *ENCRYPT)
        self.vault("decrypt", "a.hvault", "-o", "whole", *OPEN)
        queries = [Query(since="2023-05-01", until="2023-05-31"), Query(until="2023-05-01"), Query(since="2023-06-01"),
                   Query(["HKActivitySummaryTypeIdentifier"], since="2023-05-31T00:00:00-07:00"),
                   Query(exclude=["HKQuantityTypeIdentifierStepCount"])]
        for number, query in enumerate(queries):
            self.select("a.hvault", *query.options, to=str(number))
            self.check_folder(query, self.folder / "whole", str(number))
        self.assertEqual(self.manifest(self.folder / "0")["samples"], 5)

    def test_the_last_months_are_counted_from_the_export(self):
        export = generated("shuffled", "14", "1MB")
        date = self.manifest(export.plain)["source"]["exportDate"]
        day = datetime.date.fromisoformat(date[:10])
        for words, since in (("10d", day - 10 * DAY), ("2w", day - 14 * DAY), ("1y", day.replace(year=day.year - 1)),
                             ("24m", day.replace(year=day.year - 2))):
            self.select(export.archive, "--last", words, to=words)
            self.check_folder(Query(since=since.isoformat()), export.plain, words)


if __name__ == "__main__":
    unittest.main()
