"""A date far before the rest, as of a device whose clock began in 1970, counts like others, but sets no axis."""
import datetime
import json
import unittest

from answering.test_report import Page
from documents import END, HEAD
from vault import CommandTest


def record(kind, unit, day, value):
    time = f"{day} 10:00:00 +0000"
    return (f'<Record type="HKQuantityTypeIdentifier{kind}" sourceName="A" unit="{unit}" startDate="{time}" endDate="{time}" '
            f'value="{value}"/>\n')


class Axes(CommandTest):
    """A thousand days of steps up to the export of 13 May 2023, with a weight each month."""

    FIRST = datetime.date(2020, 8, 18)

    def export(self, *lone):
        days = [self.FIRST + datetime.timedelta(days=number) for number in range(998)]
        weights = list(lone) + [day for day in days if day.day == 1]
        (self.folder / "export.xml").write_text(
            HEAD + "".join(record("StepCount", "count", day, 1000) for day in days)
            + "".join(record("BodyMass", "kg", day, 70) for day in weights) + END)

    def report(self, *options):
        self.vault("report", "export.xml", "-o", "report.html", "--overwrite", *options)
        page = Page((self.folder / "report.html").read_text())
        return page, " ".join(" ".join(page.texts).split())

    def test_a_report_begins_with_the_rest(self):
        for lone in "1970-01-01", "2001-01-01", "2015-03-04":
            with self.subTest(lone):
                self.export(lone)
                page, text = self.report()
                self.assertIn(f"1 day of {lone} lies far before the rest; it sets no axis.", text)
                self.assertIn("2020-08-18 to 2023-05-12", text)
                self.assertIn("998 of 998", text)
                self.assertIn("1,000 a day on average", text)
                # The value is there: in the table of its periods, and in the number of samples.
                weights = [rows for heading, rows in page.tables if any(row[0].startswith(lone[:4]) for row in rows)]
                self.assertTrue(weights)
                self.assertIn("34 samples on 33 of 998 days", text)
        _, text = self.report("--since", "2015-01-01")
        self.assertIn("2015-01-01 to 2023-05-12", text)
        self.assertNotIn("far before", text)

    def test_a_chart_begins_with_the_rest(self):
        self.export("1970-01-01")
        shown = " ".join(self.vault("chart", "export.xml", "bodyMass").stdout.decode().split())
        self.assertIn("Weight by month", shown)
        self.assertIn("33 samples in 33 of 33 months", shown)
        self.assertIn("1 sample of 1970-01 lies far before the rest; it sets no axis.", shown)
        self.vault("chart", "export.xml", "bodyMass", "-o", "chart.svg")
        self.assertNotIn("1970<", (self.folder / "chart.svg").read_text())
        shown = " ".join(self.vault("chart", "export.xml", "bodyMass", "--since", "1970-01-01").stdout.decode().split())
        self.assertIn("34 samples in 5 of 54 years", shown)

    def test_what_is_near_is_on_the_axis(self):
        """A weight of three years before a thousand days of data leaves half of the axis empty, and no more; so do several."""
        for lone in [("2018-06-01",)], [("1999-01-01", "2001-01-01", "2003-01-01", "2005-01-01")]:
            self.export(*lone[0])
            _, text = self.report()
            self.assertIn(f"{lone[0][0]} to 2023-05-12", text)
            self.assertNotIn("far before", text)
            shown = " ".join(self.vault("chart", "export.xml", "bodyMass").stdout.decode().split())
            self.assertNotIn("far before", shown)

    def test_values_are_counted_as_before(self):
        self.export("1970-01-01")
        years = json.loads(self.vault("stats", "export.xml", "bodyMass", "--by", "year", "--json").stdout)["intervals"]
        self.assertEqual([year["count"] for year in years], [1, 4, 12, 12, 5])


if __name__ == "__main__":
    unittest.main()
