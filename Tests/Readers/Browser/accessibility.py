"""axe over the page and over a report, in Chromium: as a phone and a computer show them, by day and by night.

`make browsers` installs axe, which is a script that is not part of the repository:

    HEALTHVAULT_PROGRAMS=FOLDER .build/browsers/venv/bin/python Tests/Readers/Browser/accessibility.py
"""
import importlib.util
import unittest
from pathlib import Path

from browser import PageTest, program
from test_page import generated

AXE = Path(importlib.util.find_spec("axe_playwright_python").origin).with_name("axe.min.js")
VIEWS = [(width, height, scheme) for width, height in ((360, 740), (1280, 900)) for scheme in ("light", "dark")]


class Accessibility(PageTest):
    def violations(self):
        """What axe finds, as rules and places."""
        self.page.driver.execute_script(AXE.read_text("utf-8"))
        return self.page.run("""axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
          violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target.join(' ')).slice(0, 5)]))""")

    def check(self, name):
        for width, height, scheme in VIEWS:
            with self.subTest(name, width=width, scheme=scheme):
                self.page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                    "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})
                self.page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                    "features": [{"name": "prefers-color-scheme", "value": scheme},
                                 # Without it, colours are looked at while they still change.
                                 {"name": "prefers-reduced-motion", "value": "reduce"}]})
                self.assertEqual(self.violations(), [])

    def tearDown(self):
        self.page.problems()  # axe makes a style sheet, which the policy of a page forbids

    def test_the_page(self):
        archive = self.archive(generated(self.folder, "ordinary"))
        self.page.load()
        self.check("empty")
        self.page.choose(archive)
        self.page.unlock("wrong")
        self.check("a wrong passphrase")
        self.page.unlock()
        self.check("opened")
        self.page.show_type("Heart Rate")
        self.check("a type")

    def test_the_report(self):
        for shape in "watchAndPhone", "manyTypes":
            report = self.folder / f"{shape}.html"
            program("healthvault", "report", generated(self.folder, shape), "-o", report)
            self.page.driver.get(report.as_uri())
            self.page.run("document.querySelectorAll('details').forEach((box) => { box.open = true; })")
            self.check(shape)


if __name__ == "__main__":
    unittest.main()
