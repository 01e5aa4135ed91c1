"""What the tests of the page share: the page in Chromium, on `file://`, and archives for it.

    HEALTHVAULT_PROGRAMS=FOLDER /usr/bin/python3 -m unittest discover -s Tests/Readers/Browser -t Tests/Readers/Browser

The page is the one that the command writes, as people get it. Tests drive it by its fields and buttons; those of the format call its
functions, which one script shares. A browser is started once for all tests of a file. HEALTHVAULT_BROWSER chooses one of
chromium, firefox and webkit; what only Chromium can be told to do is skipped in the others.
"""
import base64
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

ROOT = Path(__file__).resolve().parents[3]
SOURCES = ROOT / "Sources" / "Readers" / "Browser"
PROGRAMS = Path(os.environ.get("HEALTHVAULT_PROGRAMS") or ROOT / ".build" / "release")
sys.path.insert(0, str(ROOT / "Tests" / "Readers" / "Python"))
import describe_vector  # noqa: E402,F401  (found by the line above, for all tests here)
import write_container  # noqa: E402,F401

PASSPHRASE = "correct horse battery staple"
# It has the form of a generated one, and these are its bytes (SECURITY.md, section 14).
PASSPHRASE_BYTES = b"corre-cthor-sebat-terys-taple"
# Only ends what hangs.
PATIENCE = 120
BROWSER = os.environ.get("HEALTHVAULT_BROWSER") or "chromium"
# Written once for all tests.
FOLDER = tempfile.TemporaryDirectory(prefix="healthvault-page-")
PAGE = Path(FOLDER.name) / "open.html"
subprocess.run([PROGRAMS / "healthvault", "reader", "-o", PAGE], check=True, capture_output=True)
only_in_chromium = unittest.skipUnless(BROWSER == "chromium", "only Chromium can be told to do this")


def program(name, *arguments):
    """Runs a program of the project, which must succeed."""
    return subprocess.run([PROGRAMS / name, *map(str, arguments)], check=True, capture_output=True).stdout


class Page:
    """A window with the page. Its downloads lie in a folder."""

    def __init__(self, *arguments, before=""):
        self.downloads = Path(tempfile.mkdtemp(prefix="healthvault-downloads-"))
        self.page = PAGE
        if BROWSER == "chromium":
            self.start_chromium(arguments, before)
        else:
            import other_browsers
            self.driver = {"firefox": other_browsers.Firefox, "webkit": other_browsers.webkit}[BROWSER](self.downloads)
            if BROWSER == "firefox":
                self.page = self.downloads.with_suffix(".html")
                self.page.write_bytes(other_browsers.with_visible_names(PAGE.read_bytes()))
        self.driver.set_script_timeout(PATIENCE)
        self.load()

    def start_chromium(self, arguments, before):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,900",
                         "--no-first-run", "--disable-background-networking", "--disable-component-update", *arguments):
            options.add_argument(argument)
        options.add_experimental_option("prefs", {
            "download.default_directory": str(self.downloads), "profile.default_content_setting_values.automatic_downloads": 1})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options)
        # A dialogue of the system cannot be answered: the page takes the way of browsers that have none.
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {
            "source": "delete window.showSaveFilePicker;\n" + before})

    def load(self):
        self.driver.get(self.page.as_uri())
        if BROWSER == "webkit":
            # It cannot be told where downloads go: what is saved is caught on its way there.
            self.run("""(() => {
              window.caught = [];
              const blobs = new Map();
              URL.createObjectURL = (blob) => { const name = `blob:caught/${blobs.size}`; blobs.set(name, blob); return name; };
              HTMLAnchorElement.prototype.click = function () {
                const reader = new FileReader();
                reader.onload = () => window.caught.push([this.download, reader.result.split(',')[1] ?? '']);
                reader.readAsDataURL(blobs.get(this.getAttribute('href')));
              }; })()""")

    def close(self):
        self.driver.quit()
        shutil.rmtree(self.downloads, ignore_errors=True)
        if self.page != PAGE:
            self.page.unlink()

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def there(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def wait(self, condition):
        return WebDriverWait(self.driver, PATIENCE, poll_frequency=0.02).until(lambda _: condition())

    @property
    def text(self):
        return self.find("body").text

    @property
    def status(self):
        """What the page says to people who do not see it."""
        return self.find("#status").get_attribute("textContent")

    def choose(self, *paths):
        self.find("#files").send_keys("\n".join(map(str, paths)))

    def unlock(self, passphrase=PASSPHRASE):
        """Types a passphrase. Returns the problem that the page shows, an empty text if it opens the archive."""
        field = self.find("#passphrase")
        field.clear()
        if BROWSER == "webkit":
            # Its driver loses keys that it presses on a busy computer.
            self.driver.execute_script("arguments[0].value = arguments[1]", field, passphrase)
        else:
            field.send_keys(passphrase)
        self.find("form button.main").click()
        self.wait(lambda: self.there("#search") or self.there("#problem"))
        return self.find("#problem").text if self.there("#problem") else ""

    def open(self, *paths, passphrase=PASSPHRASE):
        self.load()
        self.choose(*paths)
        problem = self.unlock(passphrase)
        if problem:
            raise AssertionError(problem)

    def show_type(self, title):
        button, = [found for found in self.there("table.types button") if found.text == title]
        button.click()
        self.wait(lambda: not self.there("progress") and "sample" in self.status)

    def saved(self, selector):
        """The names and bytes of what a button saves."""
        for old in self.downloads.iterdir():
            old.unlink()
        button = self.find(selector)
        self.run("document.getElementById('status').textContent = ''")
        self.driver.execute_script("arguments[0].scrollIntoView()", button)
        button.click()
        self.wait(lambda: self.status or self.there("[role=alert]"))
        if not self.status.startswith("Saved"):
            return {}
        if BROWSER == "webkit":
            self.wait(lambda: self.run("window.caught.length > 0"))
            return {name: base64.b64decode(data) for name, data in self.run("window.caught.splice(0)")}
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            files = sorted(self.downloads.iterdir())
            # Until they are complete, they have other names.
            if files and not any(file.name.startswith(".") or file.suffix in (".crdownload", ".part") for file in files):
                return {file.name: file.read_bytes() for file in files}
            time.sleep(0.02)
        raise AssertionError("nothing was saved")

    def run(self, script, *arguments):
        """The value of an expression, after which promises are waited for."""
        outcome = self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1]; const given = arguments;"
            f"(async () => ({script}))().then((value) => done({{ value }}), (error) => done({{ error: `${{error}}\n${{error.stack}}` }}));",
            *arguments)
        if "error" in outcome:
            raise AssertionError(outcome["error"])
        return outcome["value"]

    def give(self, *paths):
        """Makes files known to scripts, as the list `handed.files`."""
        self.run("(document.getElementById('handed')?.remove(), document.body.append(Object.assign("
                 "document.createElement('input'), { type: 'file', multiple: true, id: 'handed' })))")
        self.find("#handed").send_keys("\n".join(map(str, paths)))

    def requests(self):
        """The addresses that the page asked for since the last call, where the browser can be asked."""
        if BROWSER != "chromium":
            return []
        return [event["params"]["request"]["url"] for entry in self.driver.get_log("performance")
                for event in [json.loads(entry["message"])["message"]] if event["method"] == "Network.requestWillBeSent"]

    def problems(self):
        """What the browser complains about, where it can be asked."""
        if BROWSER != "chromium":
            return []
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]


def files_of_zip(data):
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        assert file.testzip() is None
        return {name: file.read(name) for name in file.namelist()}


def files_of_folder(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(Path(folder).rglob("*")) if path.is_file()}


class PageTest(unittest.TestCase):
    """A test with the page in a browser, and a folder."""

    @classmethod
    def setUpClass(cls):
        cls.page = Page()
        cls.addClassCleanup(cls.page.close)

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def tearDown(self):
        self.assertEqual(self.page.problems(), [])

    def write(self, name, data):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def secret(self):
        path = self.write("passphrase", PASSPHRASE.encode())
        path.chmod(0o600)
        return path

    def archive(self, source, *options, name="health.hvault"):
        path = self.folder / name
        program("healthvault-test-main", "export", source, "--encrypt", "--iterations", 100_000, "-q", "-o", path,
                "--passphrase-file", self.secret(), *options)
        return path

    def decrypted(self, archive, *options):
        """The files that the command writes."""
        out = self.folder / f"plain{len(list(self.folder.iterdir()))}"
        program("healthvault-test-main", "decrypt", archive, "-q", "-o", out, "--passphrase-file", self.secret(), *options)
        return files_of_folder(out)
