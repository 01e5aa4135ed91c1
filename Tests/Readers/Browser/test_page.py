"""The page as people use it: opening, looking, saving, damage, chains, volumes, the keyboard, small windows and the lock."""
import hashlib
import http.server
import json
import re
import subprocess
import threading
import unittest
import zipfile
from xml.sax.saxutils import quoteattr

from selenium.webdriver.common.keys import Keys

from browser import (PAGE, PASSPHRASE, PASSPHRASE_BYTES, ROOT, Page, PageTest, describe_vector, files_of_zip, only_in_chromium,
                     program, write_container)
import decrypt

HEART_RATE = "HKQuantityTypeIdentifierHeartRate"


def generated(folder, shape, *options):
    path = folder / f"{shape}.zip"
    program("healthvault-generate", "-o", path, "--size", "300kB", "--shape", shape, *options)
    return path


def record(number, value, content=None, **attributes):
    """A batch of one record, as JSON; a text in its content is a name and a value there."""
    given = {"type": "T", "sourceName": "S", "unit": "kg"} | attributes
    return json.dumps({
        "format": "healthvault batch 1", "element": "Record", "type": given["type"], "span": "all", "part": 1, "count": 1,
        "contexts": [[[name, text] for name, text in given.items()] + [["startDate", 60], ["value"]]],
        "contents": [{"metadata": [{content: content}]}] if content else [],
        "position": [number], "context": [0], "content": [int(bool(content))],
        "columns": {"startDate": [1704434400], "value": [value]}}).encode()


FIELD = rb'(?:"(?:[^"]|"")*"|[^,"\r\n]*)'


def as_saved(table):
    """A table of the command without the columns behind `other`, which the page leaves to programs."""
    lines = re.findall(rb"(?:\xef\xbb\xbf)?" + FIELD + rb"(?:," + FIELD + rb")*\r\n", table)
    assert b"".join(lines) == table
    count = lines[0].rstrip().split(b",").index(b"other") + 1
    start = re.compile(rb"(?:\xef\xbb\xbf)?" + FIELD + (rb"," + FIELD) * (count - 1))
    return b"".join(start.match(line)[0] + b"\r\n" for line in lines)


class Contents(PageTest):
    def check_everything(self, archive, *chosen):
        """The zips that the page saves are the folders that the command writes."""
        self.page.open(*(chosen or [archive]))
        data, = self.page.saved("#save-everything").values()
        self.assertEqual(files_of_zip(data), self.decrypted(archive))
        data, = self.page.saved("#save-everything-csv").values()
        tables = self.decrypted(archive, "--format", "csv")
        for name in "manifest.json", "SHA256SUMS":  # which say more there
            del tables[name]
        tables = {name: as_saved(data) if name.startswith("csv/") else data for name, data in tables.items()}
        tables["manifest.json"] = self.decrypted(archive)["manifest.json"]
        tables["SHA256SUMS"] = "".join(f"{hashlib.sha256(tables[name]).hexdigest()}  {name}\n" for name in sorted(
            tables, key=str.encode)).encode()
        self.assertEqual(files_of_zip(data), tables)

    def test_exports_of_all_shapes(self):
        for shape in "ordinary", "shuffled", "manyTypes", "uniqueMetadata", "watchAndPhone":
            with self.subTest(shape):
                self.check_everything(self.archive(generated(self.folder, shape), name=f"{shape}.hvault"))

    def test_exports_of_all_versions(self):
        """Made by hand, with odd rows, bytes that are not UTF-8 and nested elements."""
        for source in sorted((ROOT / "Fixtures" / "exports").iterdir()):
            with self.subTest(source.name):
                self.check_everything(self.archive(source, name=f"{source.stem}.hvault"))

    def test_formulas_and_reserved_names(self):
        """Texts that a spreadsheet might calculate, and a file called like the list of digests."""
        texts = ["=1+1", "\tx", "\rx", "'=1", "x;=1+1", "x;'=1", "a\t=1", "a\n@x;;-1", "\t\t=", "a;b", '="a"', "a'b", "-1\n"]
        records = "\n".join(
            f'<Record type="HKQuantityTypeIdentifierHeight" sourceName={quoteattr(text)} unit="m" value="1" '
            f'startDate="2024-03-01 00:00:0{number % 10} +0000" endDate="2024-03-01 00:01:00 +0000"/>'
            for number, text in enumerate(texts))
        folder = self.folder / "apple_health_export"
        (folder / "workout-routes").mkdir(parents=True)
        (folder / "export.xml").write_text('<?xml version="1.0" encoding="UTF-8"?>\n<HealthData locale="en_GB">\n'
                                           f'<ExportDate value="2024-05-01 00:00:00 +0000"/>\n{records}\n</HealthData>\n')
        (folder / "workout-routes" / "SHA256SUMS").write_text("of somebody else")
        self.check_everything(self.archive(folder))

    # SECURITY.md: "a reader says then which volume may be missing"
    # SECURITY.md: "A volume that is missing before another one is an error, which names all that are missing"
    def test_volumes(self):
        archive = self.archive(generated(self.folder, "ordinary"), "--split", "65536")
        volumes = sorted(self.folder.glob("health.hvault.*"))
        self.assertGreater(len(volumes), 2)
        self.check_everything(archive, *reversed(volumes))
        self.page.load()
        self.page.choose(*volumes[3:])
        self.assertIn("a volume is missing (health.hvault.001, health.hvault.002, health.hvault.003)", self.page.text)
        self.page.load()
        self.page.choose(*volumes[:-2])
        self.assertIn("the end is missing", self.page.unlock())
        self.assertIn(f"{volumes[-2].name} and any after it may be missing: choose all files whose names begin with health.hvault",
                      self.page.text)
        self.assertNotIn("the same export", self.page.text)

    def test_a_type_and_a_time(self):
        archive = self.archive(generated(self.folder, "ordinary", "--years", "1"))
        self.page.open(archive)
        self.page.show_type("Heart Rate")
        self.assertTrue(self.page.there("figure svg"))
        whole = self.decrypted(archive, "--types", "heartRate")
        rows = [data for name, data in whole.items() if name.startswith("records/")]
        self.assertEqual(self.page.saved("#save-ndjson"), {"Heart Rate.ndjson": b"".join(rows)})
        starts = sorted(set(re.findall(rb'"startDate":"([0-9-]{10})', b"".join(rows))))
        days = [starts[len(starts) * place // 4].decode() for place in (1, 3)]
        for name, day in zip(("from", "to"), days):
            self.page.driver.execute_script("arguments[0].value = arguments[1]", self.page.find(f"#{name}"), day)
        self.page.find("form button.main").click()
        part = self.decrypted(archive, "--types", "heartRate", "--since", days[0], "--until", days[1])
        rows = b"".join(data for name, data in part.items() if name.startswith("records/"))
        self.assertEqual(self.page.saved("#save-ndjson"), {f"Heart Rate {days[0]} to {days[1]}.ndjson": rows})
        self.page.wait(lambda: f"{len(rows.splitlines()):,} samples in this time" in self.page.text)
        table = self.decrypted(archive, "--types", "heartRate", "--since", days[0], "--until", days[1], "--format", "csv")
        self.assertEqual(self.page.saved("#save-csv"),
                         {f"Heart Rate {days[0]} to {days[1]}.csv": table[f"csv/{HEART_RATE}.csv"]})

    def test_titles_and_totals_are_those_of_the_command(self):
        """Each known type has the command's title, and is added up or averaged as the command does it."""
        kinds = {"cumulative": "sum", None: "count"}
        types = json.loads(program("healthvault-test-main", "types", "--json"))["types"]
        found = self.page.run("given[0].map((type) => [titleOf('Record', type), aggregationOf('Record', type)])",
                              [known["identifier"] for known in types])
        for known, got in zip(types, found):
            aggregation = kinds.get(known.get("aggregation"), "average")
            self.assertEqual(got, [known["title"], aggregation], known["identifier"])

    def test_days_are_those_of_the_zone(self):
        """Against Python's zones, on days when clocks are changed, also at midnight."""
        from datetime import datetime, timedelta
        from zoneinfo import ZoneInfo
        names = "Europe/Berlin", "America/Sao_Paulo", "Asia/Beirut", "Australia/Lord_Howe", "UTC", "Asia/Kathmandu"
        days = [datetime(2018, 1, 1) + timedelta(days=number) for number in range(0, 730)]
        expected = {name: [int(day.replace(tzinfo=ZoneInfo(name)).timestamp()) for day in days] for name in names}
        found = self.page.run("""Object.fromEntries(given[0].map((name) => {
          const zone = new Zone(name);
          return [name, Array.from({ length: 730 }, (_, i) => zone.startOfDay(dayNumber(2018, 1, 1) + i))]; }))""", names)
        for name in names:
            differing = [day for day, one, other in zip(days, found[name], expected[name]) if one != other]
            # At a midnight that does not exist, Python takes the hour before for it; a day begins with its first instant.
            self.assertLessEqual(len(differing), 2 if name in ("America/Sao_Paulo", "Asia/Beirut") else 0, name)


class Chains(PageTest):
    def read(self, *paths, passphrase):
        """The files of a chain by the page's functions, or the name of an error; the first path is the newest."""
        self.page.give(*paths)
        return self.page.run("""(async () => {
          const { archives } = joinVolumes([...document.getElementById('handed').files]);
          const newest = archives.find(({ name }) => name === given[0]);
          try {
            const chain = await openChain(newest, archives, given[1]);
            const found = {};
            for (const file of chain.files) {
              const parts = [];
              for (const entry of file.entries) {
                const content = await file.archive.content(entry);
                parts.push(file.kind === 'batch' ? ndjson(new Batch(content)) : content);
              }
              found[file.path] = hex(await sha256(join(...parts)));
            }
            return found;
          } catch (error) {
            return error.code ?? String(error.stack);
          } })()""", paths[0].name, passphrase)

    # SECURITY.md: "The page for browsers checks what `decrypt` checks, and has its errors"
    def test_cases_of_the_text(self):
        small = self.write("health.hvault", describe_vector.first())
        passphrase = describe_vector.TYPED.decode().rstrip("\r\n")
        name = "records/HKQuantityTypeIdentifierBodyMass/all.ndjson"
        rows = b"".join(decrypt.ndjson(describe_vector.batch()))
        whole = {path: hashlib.sha256(data).hexdigest() for path, data in (
            ("zeros.bin", bytes(16_000)), ("files/route.gpx", describe_vector.ROUTE),
            ("manifest.json", describe_vector.manifest()), (name, rows))}
        prologue = {"prologue.xml": hashlib.sha256(b'<?xml version="1.0"?>\n').hexdigest()}
        for what, change, says in describe_vector.chain_cases():
            with self.subTest(what):
                next_archive = self.write("next.hvault", describe_vector.second(change or (lambda link: link)))
                chosen = [next_archive, small] if change else [next_archive]
                found = self.read(*chosen, passphrase=passphrase)
                expected = {"the same folder": whole, "`prologue.xml` too": whole | prologue}.get(says, says.strip("`"))
                self.assertEqual(found, expected)
        self.assertEqual(self.read(self.write("next.hvault", describe_vector.second()), small, passphrase=passphrase), whole)

    def test_what_the_export_lacks_is_told(self):
        small = self.write("health.hvault", describe_vector.first())
        self.page.open(small, self.write("next.hvault", describe_vector.second()), passphrase=describe_vector.TYPED.decode().rstrip("\r\n"))
        for line in decrypt.lacking(describe_vector.manifest()):
            self.assertIn(line.removeprefix("warning: "), self.page.text)

    # SECURITY.md: "It warns of each whose chain contains the archive that was read, of each with a later `exportDate`, and of"
    def test_incremental_exports(self):
        """With batches that are gone, which the command does not write either."""
        first = generated(self.folder, "ordinary")
        with zipfile.ZipFile(first) as file:
            document = file.read("apple_health_export/export.xml")
        lines = [line for line in document.splitlines(keepends=True) if b"<Record " in line and line.rstrip().endswith(b"/>")]
        kept = b"".join(line for line in document.splitlines(keepends=True) if line not in set(lines[5:12]))
        later = self.write("later.xml", kept.replace(b"</HealthData>", lines[5].replace(
            b'value="', b'value="1') + b"</HealthData>").replace(b"2026-01-15 09:30:00", b"2026-02-15 09:30:00", 1))
        stick = self.folder / "stick"
        stick.mkdir()
        places = "--config-dir", self.folder / "config", "--state-dir", self.folder / "state"
        program("healthvault-test-main", "destination", "add", "stick", stick, *places[:2])
        for source, *options in (first,), (later, "--incremental"):
            program("healthvault-test-main", "export", source, "--to", "stick", "--encrypt", "--iterations", 100_000, "-q",
                    "--passphrase-file", self.secret(), *places, *options)
        archives = sorted(stick.glob("*.hvault"), key=lambda path: path.stat().st_mtime_ns)
        self.assertEqual(len(archives), 2)
        copy = self.write("copy.hvault", archives[0].read_bytes())
        other = self.write("other.hvault", describe_vector.first())
        self.page.load()
        self.page.choose(*archives, copy, other)
        oldest, = [choice for choice in self.page.there("fieldset label") if choice.text.startswith(archives[0].name)]
        oldest.click()
        self.assertEqual(self.page.unlock(), "")
        for line in (f"{archives[1].name}: continues this archive and is newer: open that one",
                     f"copy.hvault: a copy of {archives[0].name}",
                     "other.hvault: not shown; whether it is newer is not known"):
            self.assertIn(line, self.page.text)
        for order in archives, archives[::-1]:
            self.page.load()
            self.page.choose(*order)
            newest, = [choice for choice in self.page.there("fieldset label") if archives[-1].name in choice.text]
            newest.click()
            self.assertEqual(self.page.unlock(), "")
            data, = self.page.saved("#save-everything").values()
            got, expected = files_of_zip(data), self.decrypted(stick)
            self.assertEqual({name for name in got.keys() | expected.keys() if got.get(name) != expected.get(name)}, set())
        self.assertRegex(self.page.text, r"[0-9]+ samples? and [0-9]+ files that only earlier exports had are not in it")
        data, = self.page.saved("#save-gone").values()
        found = files_of_zip(data)
        read = self.folder / "gone"
        subprocess.run(["/usr/bin/python3", decrypt.__file__, "--gone", "--passphrase-file", self.secret(), archives[-1], read],
                       check=True, capture_output=True)
        self.assertEqual(found, {str(path.relative_to(read)): path.read_bytes() for path in read.rglob("*") if path.is_file()})
        self.assertIn("SHA256SUMS", found)
        self.page.load()
        self.page.choose(archives[-1])
        self.assertIn("Error predecessorMissing", self.page.unlock())


class Damage(PageTest):
    def test_wrong_passphrases_leave_the_file_chosen(self):
        archive = self.write("health.hvault", describe_vector.first())
        self.page.load()
        self.page.choose(archive)
        self.assertIn("Error wrongPassphrase", self.page.unlock("wrong"))
        self.assertIn("the passphrase is empty", self.page.unlock(""))
        self.assertEqual(self.page.unlock(PASSPHRASE), "")

    def test_what_authenticates_can_be_saved(self):
        batches = [(f"records/T{number}/all.json.zst", write_container.frame(record(number + 1, number))) for number in range(3)]
        noise = hashlib.shake_256(b"noise").digest(60_000)
        data = write_container.build([*batches, ("files/a.bin", noise), ("manifest.json.zst", write_container.frame(
            b'{"manifest":1}\n'))], PASSPHRASE_BYTES, 100_000, 1)
        at = 4096 + 16_472 + 1000  # in segment 1, where only the side file is
        self.page.open(self.write("health.hvault", data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]))
        self.assertEqual(self.page.saved("#save-everything"), {})
        self.assertIn("files/a.bin: chunk 0 of segment 1 is damaged", self.page.text)
        self.assertIn("Nothing was saved", self.page.text)
        rest, = self.page.saved("[role=alert] button").items()
        self.assertEqual(rest[0], "health-ndjson-incomplete.zip")
        files = files_of_zip(rest[1])
        self.assertIn(b"files/a.bin: chunk 0 of segment 1 is damaged\n", files.pop("lost.txt"))
        self.assertEqual(sorted(files), ["manifest.json", *(f"records/T{number}/all.ndjson" for number in range(3))])
        self.page.show_type("T1")
        self.assertTrue(self.page.there("tbody tr"))

    def test_large_results_are_numbered(self):
        """Where the browser cannot write to a chosen file; here the limit is a thousand bytes."""
        found = self.page.run("""(async () => {
          const made = [];
          const keep = (name, blob) => made.push([name, blob.size]);
          const sink = new Downloads('a.b.csv', keep, keep, 1000);
          for (let i = 0; i < 5; i++) {
            if (sink.needsPart(400)) await sink.endPart();
            await sink.write(new Uint8Array(400));
          }
          await sink.close();
          return made; })()""")
        self.assertEqual(found, [["a.b-1.csv", 800], ["a.b-2.csv", 800], ["a.b-3.csv", 400]])

    @only_in_chromium
    def test_each_of_several_files_is_saved_by_a_click(self):
        """Chromium drops, without a word, what a page saves a while after the last click."""
        self.page.load()
        self.page.run("""(() => {
          const view = new SavingView({});
          document.getElementById('main').append(view.place);
          const sink = new Downloads('a.csv', download, (name, blob) => view.offerPart(name, blob, {}), 1000);
          sink.write(new Uint8Array(900)).then(() => sink.endPart()).then(() => sink.write(new Uint8Array(500)))
            .then(() => sink.close()).then(() => announce('Saved both')); })()""")
        for number in 1, 2:
            self.page.wait(lambda: f"Save a-{number}.csv" in self.page.text)
            self.assertEqual(self.page.driver.switch_to.active_element.text, f"Save a-{number}.csv")
            self.page.driver.switch_to.active_element.click()
        self.page.wait(lambda: self.page.status == "Saved both")
        self.page.wait(lambda: {path.name: path.stat().st_size for path in self.page.downloads.iterdir()} ==
                       {"a-1.csv": 900, "a-2.csv": 500})

    def test_a_chosen_file_is_written_as_a_stream(self):
        """Where the browser can write to a file: it appears when all is written, and not at all after an error."""
        data = write_container.build([("records/T/all.json", record(1, 71.5)), ("manifest.json.zst", write_container.frame(
            b'{"manifest":1}\n'))], PASSPHRASE_BYTES, 100_000)
        self.page.open(self.write("health.hvault", data))
        self.page.run("""(() => {
          window.written = null;
          window.showSaveFilePicker = async ({ suggestedName }) => ({ name: suggestedName, createWritable: async () => {
            let bytes = new Uint8Array(0);
            const put = (at, data) => {
              const longer = new Uint8Array(Math.max(bytes.length, at + data.length));
              longer.set(bytes);
              longer.set(data, at);
              bytes = longer;
            };
            return {
              write: async (data) => (data.type === 'write' ? put(data.position, data.data) : put(bytes.length, data)),
              seek: async () => {}, close: async () => { window.written = Array.from(bytes); }, abort: async () => {},
            }; } }); })()""")
        self.addCleanup(self.page.run, "delete window.showSaveFilePicker")
        self.page.find("#save-everything").click()
        self.page.wait(lambda: self.page.status.startswith("Saved health-ndjson.zip ("))
        files = files_of_zip(bytes(self.page.run("written")))
        self.assertEqual(sorted(files), ["SHA256SUMS", "manifest.json", "records/T/all.ndjson"])

    def test_digests_of_parts(self):
        data = hashlib.shake_256(b"parts").digest(1000)
        found = self.page.run("""given[0].map((length) => {
          const bytes = Uint8Array.from(given[1].slice(0, length));
          return hex(new SHA256().update(bytes.subarray(0, length / 3)).update(bytes.subarray(length / 3)).digest()); })""",
                              [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000], list(data))
        self.assertEqual(found, [hashlib.sha256(data[:length]).hexdigest() for length in (0, 1, 55, 56, 63, 64, 65, 119, 120, 1000)])


class Privacy(PageTest):
    HOSTILE = ["<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "javascript:alert(1)", "\u202egnp.exe", "a\u0007b",
               "\"' onfocus=alert(1) autofocus='", "{{7*7}}", "../../x", "__proto__", "constructor"]

    @staticmethod
    def hostile(address):
        texts = Privacy.HOSTILE + [f"<img src='{address}'>", f"url({address})", address]
        batches = [(f"records/T{number}/all.json", record(
            number + 1, text, type=text, sourceName=text, unit=text, device=text, note=text, content=text))
            for number, text in enumerate(texts)]
        files = [(f"files/{number} {text.replace('..', 'up').replace(chr(7), '')}"[:200].replace("//", "/").rstrip("/"), b"x")
                 for number, text in enumerate(texts)]
        manifest = {"manifest": 1, "sources": texts, "source": {"zone": address, "exportDate": texts[0]},
                    "failedBatches": [{"element": text, "type": text, "span": text, "part": 1, "count": 1} for text in texts]}
        def named(index):
            index["tool"] = texts[0]
            for entry, text in zip(index["entries"], texts):
                entry.update(element="Record", type=text, span=text, count=1)
            return index
        return texts, write_container.build(
            [*batches, *files, ("manifest.json.zst", write_container.frame(json.dumps(manifest).encode()))], PASSPHRASE_BYTES,
            100_000, change=lambda part, value: named(value) if part == "index" else value)

    # SECURITY.md: "names and values are shown as text, with invisible characters as escapes, and never become markup, addresses"
    # SECURITY.md: "the page makes no connection"
    def test_hostile_texts_are_texts_and_nothing_is_requested(self):
        requests = []

        class Log(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                requests.append(self.path)
                self.send_response(204)
                self.end_headers()

            do_POST = do_GET

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Log)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        texts, data = self.hostile(f"http://127.0.0.1:{server.server_port}/seen")
        self.page.open(self.write("health.hvault", data))
        self.page.requests()
        for details in self.page.there("details"):
            self.page.driver.execute_script("arguments[0].open = true", details)
        self.assertIn(texts[0], self.page.text)
        self.assertIn("\\u{202e}gnp.exe", self.page.text)
        for number in range(len(texts)):
            self.page.there("table.types button")[number].click()
            self.page.wait(lambda: self.page.there("tbody tr"))
            self.page.driver.execute_script("document.querySelectorAll('details').forEach((box) => { box.open = true; })")
            if number == 0:
                self.page.saved("#save-ndjson")
            self.page.find("#back").click()
        self.page.saved("#save-everything")
        # No element or attribute but the page's own.
        self.assertEqual(self.page.run("""[...document.querySelectorAll('*')].filter((node) => ['IMG', 'IFRAME', 'OBJECT', 'EMBED',
          'LINK', 'BASE', 'VIDEO', 'AUDIO'].includes(node.tagName) || node.getAttributeNames().some((name) => name.startsWith('on') ||
          ['src', 'href', 'style', 'action', 'formaction', 'srcdoc'].includes(name))).length"""), 0)
        self.assertEqual(self.page.run("document.scripts.length"), 1)
        asked = self.page.requests()
        # Chromium's own fields for days have a picture.
        self.assertEqual([url for url in asked if not url.startswith(("blob:", "file:", "data:"))], [])
        self.assertEqual(requests, [])

    # SECURITY.md: "Its content policy lets it load nothing and send nothing by the usual ways"
    @only_in_chromium
    def test_the_policy_stops_what_the_page_never_does(self):
        """Even if a mistake let a stranger's script in, it could load and send nothing by these ways."""
        self.page.load()
        outcome = self.page.run("""(async () => {
          const outcome = {};
          const attempt = async (name, step) => {
            try { await step(); outcome[name] = 'done'; } catch (error) { outcome[name] = error.constructor.name; }
          };
          await attempt('fetch', () => fetch('http://127.0.0.1:9/'));
          await attempt('markup', () => { document.createElement('p').innerHTML = '<b>x</b>'; });
          await attempt('worker', () => new Worker('data:text/javascript,'));
          await attempt('policy', () => trustedTypes.createPolicy('x', {}));
          await attempt('image', () => new Promise((resolve, reject) => {
            const image = new Image();
            image.onload = resolve;
            image.onerror = () => reject(new TypeError());
            image.src = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
          }));
          return outcome; })()""")
        self.assertEqual(outcome, dict.fromkeys(outcome, "TypeError"))
        self.assertEqual(len(outcome), 5)
        self.page.problems()  # all of them expected

    def stored(self):
        return self.page.run("""(async () => [document.cookie, (await indexedDB.databases()).length, (() => {
          try { return localStorage.length + sessionStorage.length; } catch { return 0; } })()])()""")

    # SECURITY.md: "the document has nothing of the archive"
    # SECURITY.md: "The page stores nothing: no cookie, no storage of the browser"
    def test_locking_empties_the_page_and_nothing_is_stored(self):
        _, data = self.hostile("http://127.0.0.1/")
        self.page.open(self.write("health.hvault", data))
        self.page.there("table.types button")[0].click()
        self.page.wait(lambda: self.page.there("tbody tr"))
        self.page.find("#lock").click()
        self.assertEqual(self.page.find("#passphrase").get_attribute("value"), "")
        self.assertEqual(self.page.there("table, svg, dl"), [])
        self.assertNotIn("<img", self.page.text)
        self.assertIn("health.hvault", self.page.text)
        self.assertEqual(self.stored(), ["", 0, 0])
        self.assertEqual(self.page.unlock(), "")


class Command(PageTest):
    # SECURITY.md: "one version of the program always writes the same bytes, and prints their digest"
    def test_it_writes_the_same_page_again_and_prints_its_digest(self):
        path = self.folder / "open.html"
        page = PAGE.read_bytes()
        digest = hashlib.sha256(page).hexdigest()
        self.assertEqual(program("healthvault", "reader", "-o", path).decode(), f"{digest}  {path}\n")
        self.assertEqual(path.read_bytes(), page)
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)
        with self.assertRaises(subprocess.CalledProcessError) as caught:
            program("healthvault", "reader", "-o", path)
        self.assertEqual(caught.exception.returncode, 16)
        self.assertEqual(json.loads(program("healthvault", "reader", "--overwrite", "--json", "-o", path)),
                         {"path": str(path), "sha256": digest, "bytes": len(page)})
        other = self.write("other.html", b"<!DOCTYPE html>\n<p>mine</p>\n")
        with self.assertRaises(subprocess.CalledProcessError):
            program("healthvault", "reader", "--overwrite", "-o", other)
        self.assertEqual(other.read_bytes(), b"<!DOCTYPE html>\n<p>mine</p>\n")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["open.html", "other.html"])

    def test_an_export_writes_it_beside_its_archive(self):
        """The same page is kept; anything else with its name is a conflict, before anything is written."""
        source, path = generated(self.folder, "ordinary"), self.folder / "open.html"
        page = PAGE.read_bytes()
        self.archive(source, "--with-reader")
        self.assertEqual(path.read_bytes(), page)
        written = path.stat().st_mtime_ns
        self.archive(source, "--with-reader", name="second.hvault")
        self.assertEqual(path.stat().st_mtime_ns, written)
        path.write_bytes(b"<p>mine</p>")
        with self.assertRaises(subprocess.CalledProcessError) as caught:
            self.archive(source, "--with-reader", name="third.hvault")
        self.assertEqual(caught.exception.returncode, 16)
        self.assertEqual(path.read_bytes(), b"<p>mine</p>")
        self.assertFalse((self.folder / "third.hvault").exists())
        with self.assertRaises(subprocess.CalledProcessError) as caught:
            program("healthvault", "export", source, "--with-reader", "-o", self.folder / "plain")
        self.assertEqual(caught.exception.returncode, 2)


class Idle(unittest.TestCase):
    def opened(self, before):
        """A page with an open archive, in which a script ran first."""
        page = Page(before=before)
        self.addCleanup(page.close)
        with open(page.downloads / "health.hvault", "wb") as file:
            file.write(describe_vector.first())
        page.open(page.downloads / "health.hvault")
        return page

    # SECURITY.md: "the document has nothing of the archive"
    # SECURITY.md: "after ten minutes without use"
    @only_in_chromium
    def test_ten_idle_minutes_lock_the_page(self):
        """With a clock in which ten minutes take half a second, and less is as ever."""
        page = self.opened("const later = setTimeout; setTimeout = (step, wait) => later(step, wait === 600000 ? 500 : wait);")
        page.wait(lambda: page.there("#passphrase"))
        self.assertIn("Locked after ten minutes without use.", page.text)
        self.assertEqual(page.there("table"), [])

    @only_in_chromium
    def test_a_sleep_of_ten_minutes_locks_the_page_and_a_clock_that_is_set_a_little_does_not(self):
        """With a clock that is set by hand; timers do not know of it, as they know of no sleep."""
        page = self.opened("const real = Date.now; let more = 0; Date.now = () => real() + more; window.sleep = (ms) => { more += ms; };")
        for step in -1000, 1000, 9 * 60_000:
            page.run(f"(sleep({step}), dispatchEvent(new Event('focus')))")
            self.assertEqual(page.there("#passphrase"), [])
        page.run("(sleep(2 * 60_000), dispatchEvent(new Event('focus')))")
        page.wait(lambda: page.there("#passphrase"))
        self.assertIn("Locked after ten minutes without use.", page.text)


class Access(PageTest):
    @only_in_chromium
    def test_the_keyboard_is_enough(self):
        archive = self.archive(generated(self.folder, "ordinary"))
        self.page.load()
        self.page.choose(archive)  # a dialogue of the system cannot be driven
        driver = self.page.driver
        self.assertEqual(driver.switch_to.active_element.get_attribute("id"), "passphrase")
        driver.switch_to.active_element.send_keys(PASSPHRASE, Keys.ENTER)
        self.page.wait(lambda: self.page.there("#search"))

        def tab_to(wanted, key=Keys.TAB):
            for _ in range(60):
                driver.switch_to.active_element.send_keys(key)
                if wanted(driver.switch_to.active_element):
                    return
            self.fail("not reached")

        tab_to(lambda found: found.get_attribute("id") == "search")
        driver.switch_to.active_element.send_keys("heart rate")
        tab_to(lambda found: found.text == "Heart Rate")
        driver.switch_to.active_element.send_keys(Keys.ENTER)
        self.page.wait(lambda: self.page.there("tbody tr"))
        tab_to(lambda found: found.get_attribute("id") == "sort-value")
        driver.switch_to.active_element.send_keys(Keys.ENTER)
        self.assertEqual(driver.switch_to.active_element.get_attribute("id"), "sort-value")
        self.assertEqual(self.page.find("th[aria-sort]").text, "Value ↓")
        tab_to(lambda found: found.get_attribute("id") == "back", Keys.SHIFT + Keys.TAB)
        driver.switch_to.active_element.send_keys(Keys.ENTER)
        self.assertTrue(self.page.there("#search"))

    @only_in_chromium
    def test_narrow_windows_need_no_scrolling_sideways(self):
        """320 px, which is also 1280 px at 400 % zoom."""
        archive = self.archive(generated(self.folder, "ordinary"))
        self.page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": 320, "height": 640, "deviceScaleFactor": 1, "mobile": True})
        self.addCleanup(self.page.driver.execute_cdp_cmd, "Emulation.clearDeviceMetricsOverride", {})
        width = "document.documentElement.scrollWidth"
        self.page.load()
        self.page.choose(archive)
        self.assertEqual(self.page.run(width), 320)
        self.page.unlock("wrong")
        self.assertEqual(self.page.run(width), 320)
        self.page.unlock()
        self.assertEqual(self.page.run(width), 320)
        self.page.show_type("Heart Rate")
        self.assertEqual(self.page.run(width), 320)

    def test_everything_has_a_name(self):
        """Fields have labels, buttons texts, pictures titles, headings an order, and no identifier occurs twice."""
        archive = self.archive(generated(self.folder, "ordinary"))
        check = """(() => {
          const unnamed = [...document.querySelectorAll('input, select, button, summary, svg[role=img], progress')].filter((node) =>
            !(node.labels?.length || node.textContent.trim() || node.getAttribute('aria-label') ||
              document.getElementById(node.getAttribute('aria-labelledby') ?? '')?.textContent));
          const identifiers = [...document.querySelectorAll('[id]')].map(({ id }) => id);
          const levels = [...document.querySelectorAll('h1, h2, h3')].map(({ tagName }) => Number(tagName[1]));
          return [unnamed.map((node) => node.outerHTML.slice(0, 80)), identifiers.length - new Set(identifiers).size,
            levels.every((level, i) => i === 0 ? level === 1 : level <= levels[i - 1] + 1)]; })()"""
        self.page.load()
        self.assertEqual(self.page.run(check), [[], 0, True])
        self.page.open(archive)
        self.assertEqual(self.page.run(check), [[], 0, True])
        self.page.show_type("Heart Rate")
        self.assertEqual(self.page.run(check), [[], 0, True])

    def test_colours_have_enough_contrast(self):
        """4.5 to 1 for texts, 3 to 1 for what is drawn and for borders of fields, by day and by night."""
        style = (ROOT / "Sources/Readers/Browser/page/page.css").read_text("utf-8")
        blocks = re.findall(r":root \{([^}]*)\}", style)
        self.assertEqual(len(blocks), 2)

        def luminance(colour):
            parts = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
            red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue

        for block in blocks:
            colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", block))
            for one, other, least in (("text", "ground", 4.5), ("text", "raised", 4.5), ("quiet", "ground", 4.5),
                                      ("quiet", "raised", 4.5), ("accent", "ground", 4.5), ("accent-text", "accent", 4.5),
                                      ("problem", "problem-ground", 4.5), ("series", "raised", 3), ("edge", "ground", 3)):
                dark, light = sorted((luminance(colours[one]), luminance(colours[other])))
                self.assertGreaterEqual((light + 0.05) / (dark + 0.05), least, (one, other))


if __name__ == "__main__":
    unittest.main()
