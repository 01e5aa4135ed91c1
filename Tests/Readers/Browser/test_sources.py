"""The sources of the page, without a browser: what they must not say, and what the command makes of them."""
import base64
import hashlib
import re
import unittest

from browser import PAGE, ROOT, SOURCES


class Sources(unittest.TestCase):
    # What could connect, store, run a text as a program or as markup, or leave the page.
    FORBIDDEN = (
        r"\bfetch\b", r"XMLHttpRequest", r"WebSocket", r"WebTransport", r"EventSource", r"RTCPeerConnection", r"sendBeacon",
        r"serviceWorker", r"\bWorker\b", r"importScripts", r"\bimport\s*\(", r"innerHTML", r"outerHTML", r"insertAdjacentHTML",
        r"document\.write", r"DOMParser", r"createContextualFragment", r"setHTML", r"srcdoc", r"\beval\b", r"\bFunction\s*\(",
        r"localStorage", r"sessionStorage", r"indexedDB", r"\bcaches\b", r"cookie", r"\blocation\b", r"window\.open\b",
        r"\bopen\s*\(\s*['\"`]", r"history\.", r"postMessage", r"BroadcastChannel", r"\.src\b", r"\.action\b", r"\.submit\s*\(",
        r"new\s+Image\b", r"createElement(?:NS)?\(['\"`](?:script|iframe|img|object|embed|link|base|meta|form|video|audio)",
        r"https?://(?!www\.w3\.org/2000/svg')", r"console\.", r"\bdebugger\b", r"Math\.random")

    # SECURITY.md: "a test forbids the calls in its source"
    # SECURITY.md: "the page makes no connection"
    def test_what_no_module_says(self):
        for path in [*SOURCES.rglob("*.js"), SOURCES / "page/page.html", SOURCES / "page/page.css"]:
            text = path.read_text("utf-8")
            for pattern in self.FORBIDDEN:
                with self.subTest(path.name, pattern=pattern):
                    self.assertNotRegex(text, pattern)

    # SECURITY.md: "names and values are shown as text, with invisible characters as escapes, and never become markup, addresses"
    # SECURITY.md: "a test forbids the calls in its source"
    def test_the_only_address_is_that_of_a_download(self):
        """One link is made, of what is saved; no other element ever gets an address."""
        found = [(path.name, line.strip()) for path in SOURCES.rglob("*.js")
                 for line in path.read_text("utf-8").splitlines() if re.search(r"href|setAttribute\(|URL\.", line)]
        self.assertEqual(sorted(found), sorted([
            ("savingview.js", "URL.revokeObjectURL(lastAddress);"),
            ("savingview.js", "const address = URL.createObjectURL(blob);"),
            ("savingview.js", "link.setAttribute('href', address);"),
            ("savingview.js", "setTimeout(() => URL.revokeObjectURL(address), 60_000);"),
            ("dom.js", "else if (SAFE_ATTRIBUTES.has(name) || name.startsWith('aria-')) "
                       "made.setAttribute(name, value === true ? '' : String(value));"),
            ("choosing.js", "picker.setAttribute('aria-describedby', 'files-note');"),
            ("choosing.js", "type: 'checkbox', onchange: () => secret.setAttribute('type', toggle.checked ? 'text' : 'password'),")]))

    def test_modules_of_the_format_know_nothing_of_the_page(self):
        for path in SOURCES.rglob("*.js"):
            text, folder = path.read_text("utf-8"), path.parent.name
            allowed = {"format": {"."}, "collection": {".", "../format"}, "page": {".", "../format", "../collection"}}[folder]
            for target in re.findall(r"from '([^']*)'", text):
                self.assertIn(target.rsplit("/", 1)[0], allowed, path.name)
            if folder != "page":
                self.assertNotRegex(text, r"\bdocument\b\.|createElement", path.name)

    def test_a_chapter_of_the_text_has_a_module(self):
        sections = re.findall(r"^## ([0-9]+)\. ", (ROOT / "SECURITY.md").read_text("utf-8"), re.MULTILINE)
        named = " ".join(path.read_text("utf-8").split("\n", 1)[0] for path in (SOURCES / "format").iterdir())
        for number in [*range(9, 10), *range(11, 26)]:
            self.assertIn(str(number), sections)
            self.assertRegex(named, rf"\b{number}\b")

    def test_files_are_short_enough_to_read(self):
        for path in SOURCES.rglob("*.js"):
            self.assertLess(len(path.read_text("utf-8").splitlines()), 400 if path.name != "zstd.js" else 620, path.name)
            for line in path.read_text("utf-8").splitlines():
                self.assertLess(len(line), 200, path.name)

    def test_nobody_imports_a_package(self):
        self.assertEqual([path.name for path in SOURCES.rglob("*") if path.name in ("package.json", "node_modules")], [])
        for path in SOURCES.rglob("*.js"):
            for target in re.findall(r"from '([^']*)'", path.read_text("utf-8")):
                self.assertTrue(target.startswith("."), target)


class Page(unittest.TestCase):
    text = PAGE.read_text("utf-8")

    # SECURITY.md: "one version of the program always writes the same bytes, and prints their digest"
    def test_it_has_every_module_once_behind_those_that_it_imports(self):
        embedded = re.findall(r'#embed "../Browser/(.*)" ', (SOURCES.parent / "CBrowserReader/page.c").read_text("utf-8"))
        names = re.findall(r"^// (\w+/\w+\.js)$", self.text, re.MULTILINE)
        self.assertEqual(embedded, ["page/page.html", "page/page.css", *names])
        self.assertEqual(sorted(names), sorted(path.relative_to(SOURCES).as_posix() for path in SOURCES.rglob("*.js")))
        for name in names:
            for target in re.findall(r"^(?:import|\}).* from '([^']*)'", (SOURCES / name).read_text("utf-8"), re.MULTILINE):
                needed = (SOURCES / name).parent.joinpath(target).resolve().relative_to(SOURCES).as_posix()
                self.assertLess(names.index(needed), names.index(name), f"{name} imports {needed}")

    def test_a_text_ends_neither_the_script_nor_the_style(self):
        self.assertEqual([len(re.findall(mark, self.text, re.IGNORECASE)) for mark in ("</script", "</style", "<!--")], [1, 1, 1])

    def test_it_names_its_version(self):
        self.assertRegex(PAGE.read_text("utf-8"), r"Written by healthvault [0-9]+\.[0-9]+\.[0-9]+\.")

    def test_its_size(self):
        self.assertLess(len(PAGE.read_bytes()), 160_000)

    # SECURITY.md: "Its content policy lets it load nothing and send nothing by the usual ways"
    def test_its_policy(self):
        policy, = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', self.text)
        script, style = (re.search(f"<{tag}>(.*?)</{tag}>", self.text, re.DOTALL)[1] for tag in ("script", "style"))
        self.assertEqual(dict(part.split(" ", 1) for part in policy.split("; ")), {
            "default-src": "'none'", "script-src": self.hashed(script), "style-src": self.hashed(style), "base-uri": "'none'",
            "form-action": "'none'", "require-trusted-types-for": "'script'", "trusted-types": "'none'"})
        # It comes before everything that it is about.
        self.assertLess(self.text.index("Content-Security-Policy"), self.text.index("<style>"))
        self.assertNotRegex(self.text, r"<(?:link|img|iframe|base|object|embed)\b| (?:src|href|style)=")

    @staticmethod
    def hashed(text):
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    def test_nothing_is_lost_when_it_is_joined(self):
        """Every text and every regular expression of the modules is in the page as it is in its module."""
        for path in SOURCES.rglob("*.js"):
            source = re.sub(r"^ *(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/)\n", "", path.read_text("utf-8"), flags=re.MULTILINE)
            source = re.sub(r"^import [^;]*;\n", "", source, flags=re.MULTILINE)
            for line in source.splitlines():
                if re.search(r"['\"`/]", line):
                    self.assertIn(line.strip().removeprefix("export "), self.text, path.name)


if __name__ == "__main__":
    unittest.main()
