"""Firefox and WebKitGTK for the tests of the page, which otherwise run in Chromium.

`make browsers` installs what they need. Firefox is driven by its own protocol, in the form that the tests know; WebKitGTK is
the engine of Safari, not Safari.
"""
import base64
import hashlib
import os
import re
import shutil
import tempfile

from selenium import webdriver


def webkit(_):
    options = webdriver.WebKitGTKOptions()
    options.binary_location = next(
        path for path in (f"/usr/lib/x86_64-linux-gnu/webkit2gtk-{version}/MiniBrowser" for version in ("4.1", "4.0", "6.0"))
        if os.path.exists(path))
    options.add_argument("--automation")
    # As root, its sandbox of processes cannot be set up.
    os.environ.setdefault("WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "1")
    return webdriver.WebKitGTK(executable_path=shutil.which("WebKitWebDriver"), options=options)


def with_visible_names(page):
    """The page with all its classes and constants as properties of the window.

    Firefox's driver runs scripts in a room of their own, which sees only those; all else of the page is as it is.
    """
    text = page.decode()
    script = re.search(r"<script>(.*?)</script>", text, re.DOTALL)[1]
    names = re.findall(r"^(?:class|const|let) (\w+)", script, re.MULTILINE)
    # Names within functions are among them, and not there.
    longer = script + "".join(f"try {{ window.{name} = {name}; }} catch {{}}\n" for name in sorted(set(names)))

    def source(code):
        return "sha256-" + base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()

    return text.replace(source(script), source(longer)).replace(script, longer).encode()


class Element:
    """An element of Firefox."""

    def __init__(self, element, driver):
        self.element, self.driver = element, driver

    def __getattr__(self, name):
        return getattr(self.element, name)

    def get_attribute(self, name):
        """The property or, if there is none, the attribute, as selenium has it."""
        found = self.element.get_property(name)
        return self.element.get_attribute(name) if found is None else found

    def send_keys(self, text):
        # Several files are chosen one after the other; the field keeps those before.
        for part in text.split("\n") if self.element.get_attribute("type") == "file" else [text]:
            self.element.send_keys(part)


class Firefox:
    """Firefox, with those functions of selenium's driver that the tests use."""

    def __init__(self, downloads):
        from marionette_driver.marionette import Marionette
        self.profiles = tempfile.mkdtemp(prefix="healthvault-firefox-")
        self.marionette = Marionette(
            bin=shutil.which("firefox-esr") or shutil.which("firefox"), headless=True, workspace=self.profiles,
            gecko_log=os.path.join(self.profiles, "gecko.log"),
            prefs={"browser.download.folderList": 2, "browser.download.dir": str(downloads),
                   "browser.download.always_ask_before_handling_new_types": False,
                   "browser.download.alwaysOpenPanel": False, "app.update.enabled": False, "datareporting.policy.dataSubmissionEnabled": False})
        self.marionette.start_session()

    def set_script_timeout(self, seconds):
        self.marionette.timeout.script = seconds

    def get(self, address):
        self.marionette.navigate(address)

    def quit(self):
        self.marionette.quit(in_app=True)
        self.marionette.cleanup()
        shutil.rmtree(self.profiles, ignore_errors=True)

    def find_elements(self, by, selector):
        return [Element(found, self) for found in self.marionette.find_elements(by, selector)]

    def find_element(self, by, selector):
        return Element(self.marionette.find_element(by, selector), self)

    @property
    def switch_to(self):
        return self

    @property
    def active_element(self):
        return Element(self.marionette.get_active_element(), self)

    @staticmethod
    def plain(arguments):
        return [found.element if isinstance(found, Element) else found for found in arguments]

    def execute_script(self, script, *arguments):
        return self.marionette.execute_script(script, script_args=self.plain(arguments), sandbox=None)

    def execute_async_script(self, script, *arguments):
        return self.marionette.execute_async_script(script, script_args=self.plain(arguments), sandbox=None)

