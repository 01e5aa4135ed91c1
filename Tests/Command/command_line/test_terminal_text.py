"""What comes from a source or an archive does not steer a terminal, and does not pass for what the program says."""
import fcntl
import functools
import json
import os
import pty
import re
import struct
import subprocess
import tempfile
import termios
import threading
import time
import unittest
import warnings
import zipfile
from pathlib import Path
from xml.sax.saxutils import quoteattr

from documents import END, HEAD, RECORD, TIME, document, export_zip
from vault import BINARY, CACHE, ENCRYPT, CommandTest, Waiting, environment, run
import vault
import crafted
from crafted import EMPTY, ROW, frame

FORGED = "other.hvault: intact, and contains everything from this source"
# Escape sequences of seven and of eight bits, a bell, a deletion; what turns text around; other line ends.
CONTROLS = "\x1b[2J\x1b]0;title\x07\u009b31m\x7f\x08"
TURNING = "\u202egnp.\u2066\u2067\u2068\u2069\u202a\u202b\u202c\u202d\u200e\u200f\u061c"
LINES = "\n" + FORGED + "\r" + FORGED + "\n\u2028" + FORGED + "\u2029\u0085" + FORGED + "\n"
HOSTILE = CONTROLS + TURNING + LINES
# The same without what no name of a file in a source or of an entry may have.
NAME = "\u009b31m" + TURNING + "\u2028" + FORGED + "\u2029\u0085a"
# What a name on a disk may have.
DISK = CONTROLS + TURNING + "\n" + FORGED + "\n\u2028end"

FORBIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
OWN = "\r\x1b[K"


class TerminalTest(CommandTest):
    def shown(self, *arguments, status=0, feed=(), columns=1000):
        """What a command shows on a terminal, which must be harmless; `feed` is its input, with pauses of a second."""
        end, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        process = subprocess.Popen([BINARY, *map(os.fspath, arguments)], cwd=self.folder, stdout=terminal,
                                   stderr=terminal, stdin=subprocess.PIPE if feed else subprocess.DEVNULL,
                                   env=environment(TERM="xterm"), start_new_session=True)
        os.close(terminal)
        self.addCleanup(process.kill)
        feeding = threading.Thread(target=self.feed, args=(process, feed))
        feeding.start()
        data = b""
        while True:
            try:
                piece = os.read(end, 65536)
            except OSError:  # Linux reports the end of a terminal so.
                break
            if not piece:
                break
            data += piece
        os.close(end)
        feeding.join()
        process.wait(timeout=vault.PATIENCE)
        text = data.decode(errors="surrogateescape")
        allowed = status if isinstance(status, tuple) else (status,)
        self.assertIn(process.returncode, allowed, text)
        self.check(text, arguments)
        return text

    def feed(self, process, parts):
        for number, part in enumerate(parts):
            if number:
                # It has read what came before; progress is shown once a second.
                vault.wait_until_idle(process)
                time.sleep(1.3)
            process.stdin.write(part)
            process.stdin.flush()
        if parts:
            process.stdin.close()

    def check(self, text, arguments):
        rest = text.replace(OWN, "\n").replace("\r\n", "\n")
        for line in rest.split("\n"):
            self.assertIsNone(FORBIDDEN.search(line), f"{arguments}: {line!r}")
            self.assertNotRegex(line, "[\udc80-\udcff]", "all of it is UTF-8")
            self.assertFalse(line.startswith(FORGED), f"{arguments}: the line is forged")


@functools.cache
def hostile_source():
    """An export whose texts and names are as hostile as they can be: a zip, and its document."""
    place = Path(tempfile.mkdtemp(dir=CACHE))
    value = quoteattr(HOSTILE, {character: f"&#{ord(character)};" for character in "\n\r"})
    records = "".join(f'<Record type={value} sourceName={value} unit={value} device={value} startDate="{TIME}" value="1"/>\n'
                      f'<Workout workoutActivityType={value} sourceName={value} startDate="{TIME}"/>\n' for _ in range(20))
    text = document(records, f"<Odd type={value}/>").replace('locale="en_GB"', f"locale={value}").replace(
        'ExportDate value="', f'ExportDate more={value} value="')
    export_zip(place / "export.zip", {NAME: b"<gpx/>", f"{NAME}/{NAME}": b"<gpx/>", "__MACOSX/" + NAME: b""}, text)
    (place / "export.xml").write_text(text)
    return place


class Sources(TerminalTest):
    def setUp(self):
        super().setUp()
        self.source = hostile_source() / "export.zip"

    def test_exporting_and_what_is_said_of_the_export(self):
        state = ("--state-dir", "state")
        for out, options in ("plain", ()), ("x.hvault", ENCRYPT):
            self.shown("export", self.source, "-o", out, "--session", out, *state, *options)
            secret = vault.OPEN if options else ()
            self.shown("inspect", out, *secret)
            self.shown("inspect", out, "--json", *secret)
            self.shown("verify", out, *secret)
            self.shown("verify", out, "--source", self.source, *secret)
            (self.folder / "other.xml").write_text(document(RECORD))
            self.shown("verify", out, "--source", "other.xml", *secret, status=13)
            for command in ["list"], ["list", out, *secret], ["resume", out, *secret]:
                self.shown("session", *command, *state, status=(0, 1, 2, 10, 12))
        self.shown("decrypt", "x.hvault", "-o", "out", *vault.OPEN)
        self.shown("decrypt", "x.hvault", "-o", "part", "--types", HOSTILE, *vault.OPEN, status=(0, 2, 10))
        self.shown("decrypt", "x.hvault", "-o", "entry", "--entry", HOSTILE, *vault.OPEN, status=10)
        self.shown("recover", "x.hvault", "-o", "rescued", *vault.OPEN)
        self.shown("passphrase", "list", "x.hvault")

    # SECURITY.md: "Text from a source or an archive reaches a terminal only with control characters, line and paragraph"
    def test_inspecting(self):
        text = self.shown("inspect", self.source)
        self.assertIn("sources:", text)
        self.shown("inspect", self.source, "--json")

    def test_what_is_damaged(self):
        export_zip(self.folder / "damaged.zip", {NAME: b"to be damaged"}, method=zipfile.ZIP_STORED)
        data = (self.folder / "damaged.zip").read_bytes().replace(b"to be damaged", b"TO BE DAMAGED")
        (self.folder / "damaged.zip").write_bytes(data)
        state = ("--state-dir", "state")
        for out, options in ("plain", ()), ("x.hvault", ENCRYPT):
            self.shown("export", "damaged.zip", "-o", out, "--session", out, *state, *options, status=3)
            secret = vault.OPEN if options else ()
            for command in ["inspect", out], ["verify", out], ["session", "list", out, *state], ["session", "resume", out, *state]:
                self.shown(*command, *secret, status=(0, 2, 3))

    def test_sources_that_are_refused(self):
        sides = [HOSTILE, "../" + NAME, NAME + "\\", NAME + "\n" + FORGED]
        for number, name in enumerate(sides):
            export_zip(self.folder / "bad.zip", {name: b""})
            self.shown("export", "bad.zip", "-o", "out", status=(0, 13, 14))
            self.shown("inspect", "bad.zip", status=(0, 13, 14))
        for text in (document(f"<A\x1b[31m{NAME} b=1/>"), document("<A><" + NAME + "></A>"),
                     document().replace("UTF-8", HOSTILE), document().replace("HealthData", NAME)):
            (self.folder / "bad.xml").write_text(text)
            self.shown("export", "bad.xml", "-o", "out", status=(13, 14))
            self.shown("inspect", "bad.xml", status=(13, 14))

    def test_names_on_the_disk(self):
        folder = self.folder / "apple"
        folder.mkdir()
        (folder / "export.xml").write_text(document(RECORD))
        for name in (DISK.encode(), b"\xff\x9b31m"):
            path = os.fsencode(folder) + b"/" + name
            open(path, "wb").close()
            self.shown("export", folder, "-o", "out", status=(0, 14))
            self.shown("inspect", folder, status=(0, 14))
            os.unlink(path)
        self.vault("export", folder, "-o", "plain")
        for name in (DISK.encode(), b"\xff\x9b31m"):
            open(os.fsencode(self.folder / "plain") + b"/" + name, "wb").close()
        self.shown("verify", "plain", status=13)
        self.shown("verify", "plain", "--json", status=13)
        self.shown("export", folder, "-o", "plain", "--overwrite", status=16)


class Progress(Waiting, TerminalTest):
    """Progress names what is worked on: a type, or an entry."""

    ROW = f"<Record type={quoteattr(CONTROLS + TURNING)} startDate=\"{TIME}\" k=\"{'v' * 500}\"/>\n"
    PARTS = ((HEAD + ROW * 8000).encode(), (ROW * 8000).encode(), (ROW * 4000 + END).encode())
    EXPORT = ("export", "-", "--batch", "500", "-o", "out")

    def test_exporting(self):
        self.assertIn(OWN, self.shown(*self.EXPORT, feed=self.PARTS), "no progress was shown")

    def test_encrypting(self):
        self.assertIn(OWN, self.shown(*self.EXPORT, *ENCRYPT, feed=self.PARTS), "no progress was shown")

    def test_inspecting(self):
        self.assertIn(OWN, self.shown("inspect", "-", feed=self.PARTS), "no progress was shown")

    def test_reports_and_analytics(self):
        for command in ("report", "-", "-o", "page.html"), ("analytics", "init", "-", "--database", "totals.sqlite"):
            shown = self.shown(*command, feed=self.PARTS, status=(0, 10))
            self.assertIn(OWN, shown, "no progress was shown")
            self.assertRegex(shown, "MB/s")

    def test_progress_in_plain_text(self):
        self.shown(*self.EXPORT, "--progress", "plain", feed=self.PARTS)

    def test_progress_as_json(self):
        self.shown(*self.EXPORT, "--progress", "json", feed=self.PARTS)

    @classmethod
    @functools.cache
    def slow_archive(cls):
        """Its key takes more than the second in which no progress is shown."""
        place = Path(tempfile.mkdtemp(dir=CACHE)) / "x.hvault"
        crafted.write_container.write(place, [("session.json", b"{}"), (f"files/a\x7f{NAME}", b"a"), (f"files/b{NAME}", b"b"), (
            f"files/{NAME}.zst.0000", frame(b"c")), ("records/\x7f" + NAME + ".json.zst", frame(ROW | {
                "type": HOSTILE, "contexts": [[["type", HOSTILE]]]})), (
            "manifest.json.zst", frame(EMPTY))], crafted.PASSPHRASE, 5_000_000)
        return place

    # SECURITY.md: "Text from a source or an archive reaches a terminal only with control characters, line and paragraph"
    def test_archives(self):
        archive = self.slow_archive()
        self.assertIn(OWN, self.shown("verify", archive, *crafted.OPEN, status=(0, 3, 13)), "no progress was shown")
        for command, style in ("recover", "auto"), ("recover", "plain"), ("decrypt", "auto"), ("decrypt", "json"):
            self.shown(command, archive, "-o", command + style, *crafted.OPEN, "--progress", style, status=(0, 3, 13))


class Archives(TerminalTest):
    """Archives of somebody who knows the passphrase."""

    MANIFEST = EMPTY | {
        "source": {"exportDate": HOSTILE, "locale": HOSTILE, "truncated": True},
        "selection": {"types": [HOSTILE], "excluded": [HOSTILE]},
        "sources": [HOSTILE], "batching": HOSTILE, "ignoredFiles": [HOSTILE],
        "warnings": {HOSTILE: 1, "controlCharacters": 2},
        "elements": {HOSTILE: {"read": 2, "written": 1}}, "types": {HOSTILE: {"read": 2, "written": 1}},
        "batches": [{"element": HOSTILE, "type": HOSTILE, "span": HOSTILE, "parts": 1, "count": 2, "identity": "0" * 32,
                     "first": "2023-05-13T10:36:12+02:00", "last": "2023-05-13T10:36:12+02:00"},
                    {"element": "Record", "type": HOSTILE, "span": "all", "parts": 1, "count": 2, "identity": "0" * 32}],
        "failedBatches": [{"element": HOSTILE, "type": HOSTILE, "span": HOSTILE, "part": 1, "count": 1}],
        "files": [{"name": HOSTILE, "path": "files/" + NAME, "length": 1, "crc32": "0" * 8},
                  {"name": HOSTILE + "b", "path": HOSTILE, "length": 1, "crc32": "0" * 8, "damaged": True}]}

    def every_command(self, archive, secret=crafted.OPEN):
        text = ""
        for command in (["inspect"], ["inspect", "--json"], ["verify"], ["verify", "--json"], ["decrypt", "-o", "out"],
                        ["decrypt", "-o", "stored", "--stored"], ["decrypt", "-o", "part", "--types", "X"],
                        ["decrypt", "-o", "entry", "--entry", "a"], ["recover", "-o", "rescued"]):
            text += self.shown(*command, archive, *secret, status=(0, 2, 3, 10, 12, 13, 14))
            run("rm", "-rf", "out", "stored", "part", "entry", "rescued", cwd=self.folder)
        return text

    # SECURITY.md: "Text from a source or an archive reaches a terminal only with control characters, line and paragraph"
    def test_manifests(self):
        crafted.archive(self.folder / "x.hvault", manifest=self.MANIFEST)
        self.assertIn("locale", self.every_command("x.hvault"))
        for name in self.MANIFEST.keys() - EMPTY.keys() | {"elements", "types", "batches", "files", "warnings"}:
            crafted.archive(self.folder / "x.hvault", manifest=EMPTY | {name: self.MANIFEST[name]})
            for command in ["inspect", "x.hvault"], ["verify", "x.hvault"]:
                self.shown(*command, *crafted.OPEN, status=(0, 3, 13, 14))

    def test_plain_folders(self):
        crafted.plain_folder(self.folder / "plain", {}, self.MANIFEST)
        self.shown("inspect", "plain")
        self.shown("verify", "plain", status=13)
        sums = self.folder / "plain" / "SHA256SUMS"
        sums.write_bytes(sums.read_bytes() + f"{'0' * 64}  {HOSTILE}\n".encode() + b"0" * 64 + b"  \xff\x9b\n")
        self.shown("verify", "plain", status=(13, 14))

    # SECURITY.md: "Text from a source or an archive reaches a terminal only with control characters, line and paragraph"
    def test_entries(self):
        crafted.archive(self.folder / "x.hvault", (f"files/a\x7f{NAME}", b"a"), (f"files/{NAME}.zst.0000", frame(b"c")),
                        (f"records/{NAME}.json.zst", b"no frame"), (f"files/{NAME}b.zst.0000", b"no frame"),
                        ("bundles/0000.tar.zst", [(f"files/c\x7f{NAME}", b"a"), (f"records/b{NAME}.json", b"no batch")]))
        self.every_command("x.hvault")
        for name in HOSTILE, "files/\n" + FORGED, f"files/{NAME}/../a":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                crafted.archive(self.folder / "x.hvault", (name, b"a"))
            self.every_command("x.hvault")
        data = bytearray((self.folder / "x.hvault").read_bytes())
        crafted.archive(self.folder / "x.hvault", *((f"files/{NAME}{n}", bytes(40_000)) for n in range(4)))
        data = bytearray((self.folder / "x.hvault").read_bytes())
        data[50_000] ^= 1
        (self.folder / "x.hvault").write_bytes(data)
        self.every_command("x.hvault")

    def test_batches(self):
        for changes in ({"element": HOSTILE}, {"type": HOSTILE}, {"span": HOSTILE}, {"format": HOSTILE},
                        {"contexts": [[[HOSTILE, HOSTILE]]]}):
            crafted.archive(self.folder / "x.hvault", (crafted.BATCH, frame(ROW | changes)))
            self.shown("verify", "x.hvault", *crafted.OPEN, status=(0, 13))

    def test_the_archive_that_another_one_continues(self):
        for name in HOSTILE, DISK:
            key = crafted.write_container.predecessor_key(bytes(32), bytes(32), bytes(32), bytes(32))
            session = json.dumps({"continues": {"vault": "0" * 64, "index": "0" * 64, "key": key, "name": name,
                                                "supersedes": ["files/" + HOSTILE]}}).encode()
            crafted.archive(self.folder / "x.hvault", session=session, file_key=bytes(32))
            self.every_command("x.hvault")
        os.rename(self.folder / "x.hvault", self.folder / DISK)
        self.every_command(DISK)

    def test_indexes(self):
        crafted.archive(self.folder / "x.hvault", tool=HOSTILE, change=lambda part, value: (
            value | {"created": HOSTILE, "entries": [entry | {"element": HOSTILE, "type": HOSTILE, "span": HOSTILE}
                                                     for entry in value["entries"]]} if part == "index" else value))
        self.every_command("x.hvault")


class Paths(TerminalTest):
    def test_of_what_is_not_there(self):
        for command in (["export", DISK, "-o", "out"], ["export", DISK, "-e", "-o", "out"], ["decrypt", DISK, *vault.OPEN],
                        ["verify", DISK, *vault.OPEN], ["inspect", DISK], ["recover", DISK, *vault.OPEN],
                        ["passphrase", "list", DISK], ["passphrase", "change", DISK, *vault.OPEN, "--new-passphrase-file", DISK],
                        ["session", "list", DISK], ["session", "delete", DISK], ["session", DISK], [DISK], ["help", DISK],
                        ["export", "--" + DISK], ["export", "a", "-o", "b", "--batch", DISK], ["completions", DISK],
                        ["types", DISK], ["decrypt", "a", "--since", DISK], ["decrypt", "a", "--types", DISK]):
            self.shown(*command, "--state-dir", DISK, status=(0, 1, 2, 10, 14)) if command[0] == "session" else \
                self.shown(*command, status=(1, 2, 10, 14))

    def test_of_source_target_and_state(self):
        (self.folder / DISK).mkdir()
        place = self.folder / DISK
        (place / "export.xml").write_text(document(RECORD))
        state = ("--state-dir", place / DISK)
        self.shown("export", place / "export.xml", "-o", place / "plain", "--session", "one", *state)
        self.shown("export", place / "export.xml", "-o", place / "plain", *state, status=16)
        self.shown("export", place / "export.xml", "-o", place / "x.hvault", "--session", "two", *ENCRYPT, *state)
        for command in (["session", "list", *state], ["session", "list", "one", *state],
                        ["session", "list", "two", *state, *vault.OPEN], ["verify", place / "x.hvault", *vault.OPEN], ["inspect", place / "x.hvault", *vault.OPEN],
                        ["verify", place / "plain"],
                        ["decrypt", place / "x.hvault", "-o", place / "out", *vault.OPEN],
                        ["recover", place / "x.hvault", "-o", place / "rescued", *vault.OPEN],
                        ["passphrase", "list", place / "x.hvault"]):
            self.shown(*command)
        self.shown("verify", place / "x.hvault", *crafted.OPEN, status=12)
        (place / "export.xml").unlink()
        for name in "one", "two":
            self.shown("session", "resume", name, *state, status=(0, 1, 2, 10))
            self.shown("session", "delete", name, *state)


if __name__ == "__main__":
    unittest.main()
