"""Archives that are validly encrypted, by someone who knows the passphrase and means harm, are refused without a crash."""
import json
import shutil
import unittest
from pathlib import Path

import crafted
import describe_vector
from crafted import BATCH, OPEN, ROW, frame
from documents import RECORD, document
from vault import CommandTest, each


def combining(path):
    return path.replace("/", "/\u200d")


# What is wrong, and members that stand between session and manifest.
TRAVERSAL = [(f"files/{part}", b"evil") for part in ("../evil", combining("../evil"), "a/../../evil", "/evil", "..")] + [
    (combining("../evil"), b"evil"), (combining("../../evil"), b"evil"), ("../\u0308evil", b"evil"),
    ("..\\evil", b"evil"), ("a/\u0301../../evil", b"evil")]
BATCHES = [
    ("positions beyond all bounds", {"count": 40_000, "position": [(1 << 48) - 1] * 40_000, "context": [0] * 40_000,
                                     "content": [0] * 40_000}),
    ("a negative step", {"count": 2, "position": [5, -5], "context": [0, 0], "content": [0, 0]}),
    ("a number between two texts", {"contexts": [[["device", "a", "b"]]], "columns": {"device": [5]}}),
    ("an offset of ages", {"contexts": [[["startDate", -(1 << 63)]]], "columns": {"startDate": [0]}}),
    ("a time of ages ago", {"contexts": [[["startDate", 0]]], "columns": {"startDate": [-(1 << 63)]}}),
    ("a time beyond the years", {"contexts": [[["startDate", 0]]], "columns": {"startDate": [1 << 60]}}),
    ("an empty content", {"contents": [{}], "content": [1]}),
    ("an empty content with a space", json.dumps(ROW | {"contents": [{}], "content": [1]}).replace("{}]", "{ }]").encode()),
    ("a content on several lines",
     json.dumps(ROW | {"contents": [{"metadata": []}], "content": [1]}).replace("[]}", "[\n]}").encode()),
    ("a content with an attribute", {"contents": [{"value": "999"}], "content": [1]}),
    ("a content that hides an attribute", {"contents": [{"value": []}], "content": [1]}),
    ("a content with a member twice",
     json.dumps(ROW | {"contents": [{"metadata": []}], "content": [1]}).replace(
         '{"metadata": []}', '{"metadata":[],"metadata":[]}').encode()),
    ("an attribute that is an element", {"contexts": [[['a="1"/><Record value', "1"]]]}),
    ("an attribute without a name", {"contexts": [[["", "1"]]]}),
    ("an element that begins other markup", {"element": "!--"}),
    ("more contexts than rows", {"contexts": [[]] * 1000}),
    ("millions of contexts", b'{"format":"healthvault batch 1","count":1,"contexts":[' + b"[]," * 20_000_000 + b"[]]}"),
    ("millions of contexts before the count", b'{"contexts":[' + b"[]," * 20_000_000 + b"[]]}"),
    ("a context out of range", {"context": [1]}),
    ("a content out of range", {"content": [1]}),
    ("columns that are too short", {"contexts": [[["value"]]], "columns": {"value": []}}),
    ("columns that are too long", {"contexts": [[["value"]]], "columns": {"value": [1, 2]}}),
    ("a position that is no list", {"position": 1}),
    ("a context that is no list", {"context": 0}),
    ("a content that is no list", {"content": 0}),
    ("a column that is no list", {"contexts": [[["value"]]], "columns": {"value": 1}}),
    ("a column that is a text", {"contexts": [[["value"]]], "columns": {"value": "1"}}),
    ("a count of ages", {"count": 1 << 62}),
    ("deep nesting", b'{"format":' + b"[" * 100_000 + b"]" * 100_000 + b"}"),
    ("no JSON", b"\xff" * 1000),
    ("a frame of zeroes", bytes(1 << 28)),
]
MANIFESTS = [
    ("parts without end", {"batches": [{"element": "Record", "type": "X", "span": "undated", "parts": 10**15, "count": 1}]}),
    ("counts that overflow", {"batches": [{"element": "Record", "type": "X", "span": span, "parts": 1, "count": 1 << 62}
                                          for span in "ab"]}),
    ("counts of elements that overflow", {"elements": {name: {"read": 1 << 62, "written": 1 << 62} for name in "AB"}}),
    ("lengths that overflow", {"files": [{"name": name, "path": "files/" + name, "length": 1 << 62} for name in "ab"]}),
    ("negative lengths", {"files": [{"name": "a", "path": "files/a", "length": -(1 << 63)}]}),
]


class HostileArchives(CommandTest):
    def archive(self, *members):
        plain = self.folder / "plain"
        (self.folder / "in.xml").write_text(document(RECORD))
        self.vault("export", "in.xml", "-o", plain)
        manifest = json.loads((plain / "manifest.json").read_bytes())
        extra = [(name, data) for name, data in members if name != "manifest.json"]
        changed = dict(members).get("manifest.json")
        text = json.dumps(manifest | changed).encode() if changed else (plain / "manifest.json").read_bytes()
        crafted.archive(self.folder / "x.hvault", *extra, manifest=text)

    def check_refused(self, *commands, status=13):
        here = self.names()
        for command in commands:
            more = ("-o", "deep/out") if command[0] == "decrypt" else ()
            (self.folder / "deep").mkdir(exist_ok=True)
            self.vault(*command, "x.hvault", *more, *OPEN, status=status)
            self.assertEqual(self.names(self.folder / "deep"), [], "nothing is left")
            self.assertEqual(self.names(), sorted({*here, "deep"}))

    # SECURITY.md: "could not make this program write outside its target"
    # SECURITY.md: "make a reader write outside the folder that it was told to write to"
    @each(*TRAVERSAL)
    def test_names_that_lead_out(self, member):
        self.archive(member)
        self.check_refused(["decrypt"], ["decrypt", "--stored"], ["verify"])
        self.assertEqual([path for path in Path(self.folder).rglob("*evil*")], [])

    @each(*TRAVERSAL)
    def test_names_in_bundles_that_lead_out(self, member):
        self.archive(("bundles/0000.tar.zst", [member]))
        self.check_refused(["decrypt"], ["decrypt", "--stored"], ["verify"])
        self.assertEqual([path for path in Path(self.folder).rglob("*evil*")], [])

    @each(None, False, True, 1)
    def test_only_batches_of_what_is_gone_say_so(self, gone):
        self.archive((BATCH, frame(ROW if gone is None else ROW | {"gone": gone})))
        self.vault("decrypt", "x.hvault", "-o", "out", *OPEN, status=0 if gone in (None, False) else 13)

    def test_batches_of_what_is_gone_are_left_out(self):
        gone = json.dumps(ROW | {"gone": True}).encode()
        names = [BATCH.replace("undated", "undated.gone"), BATCH.replace("undated.json.zst", "undated.gone.part2.json")]
        self.archive((BATCH, frame(ROW)), (names[0], frame(gone)), ("bundles/0000.tar.zst", [(names[1], gone)]))
        for options, expected in ((), ["undated.ndjson"]), (("--stored",), sorted(Path(name).name for name in [BATCH, *names])):
            self.vault("decrypt", "x.hvault", "-o", "out", *options, *OPEN)
            self.assertEqual(self.names(self.folder / "out" / "records" / "X-4b68ab38"), expected)
            shutil.rmtree(self.folder / "out")

    # SECURITY.md: "use unlimited memory, or crash"
    @each(*BATCHES)
    def test_batches(self, case):
        changes = case[1]
        self.archive((BATCH, frame(changes if isinstance(changes, bytes) else ROW | changes)))
        self.check_refused(["decrypt"], ["verify"])

    # SECURITY.md: "The page for browsers checks what `decrypt` checks, and has its errors"
    @each(*describe_vector.BATCH_CASES)
    def test_the_batches_that_the_text_refuses(self, case):
        self.archive((BATCH, frame(describe_vector.batch().decode().replace(*case[:2], 1).encode())))
        self.check_refused(["decrypt"])

    def test_the_rows_of_the_text(self):
        names = [BATCH.replace("undated.json.zst", f"{number}.json") for number in range(len(describe_vector.ROW_CASES))]
        self.archive((BATCH, frame(describe_vector.batch())), *((name, describe_vector.row_batch(layout, columns)) for name, (
            layout, columns, _) in zip(names, describe_vector.ROW_CASES)))
        self.vault("decrypt", "x.hvault", "-o", "out", *OPEN)
        for name, (layout, columns, members) in zip(names, describe_vector.ROW_CASES):
            self.assertEqual((self.folder / "out" / name.replace(".json", ".ndjson")).read_text(),
                             describe_vector.row_line(members), f"{layout} {columns}")

    def test_batches_in_several_frames(self):
        text = json.dumps(ROW).encode()
        self.archive((BATCH, b"".join(frame(text[at:at + 1]) for at in range(len(text)))))
        self.vault("decrypt", "x.hvault", "-o", "out", *OPEN)
        self.assertEqual(json.loads((self.folder / "out" / Path(BATCH).parent / "undated.ndjson").read_text()),
                         {"element": "Record", "position": 1, "type": "X"})
        shutil.rmtree(self.folder / "out")
        skippable = b"\x50\x2a\x4d\x18\1\0\0\0x"
        first, second = frame(text[:50]), frame(text[50:])
        for wrong in (first, first + second[:-1], first + second + b"x", first + skippable + second, first + second + skippable,
                      frame(text) + frame(text), frame(text) + frame(b" " * (1 << 20)) * 48):
            with self.subTest(wrong=wrong[:60]):
                shutil.rmtree(self.folder / "plain")
                self.archive((BATCH, wrong))
                self.check_refused(["decrypt"], ["verify"])

    # SECURITY.md: "use unlimited memory, or crash"
    @each(*MANIFESTS)
    def test_manifests(self, case):
        self.archive(("manifest.json", case[1]))
        self.check_refused(["verify"], ["inspect"], status=13)

    @each(b'{"manifest":2}', b"[]", b"{", b'{"manifest":1,"files":5}')
    def test_a_manifest_that_cannot_be_read_is_said(self, manifest):
        crafted.archive(self.folder / "x.hvault", manifest=manifest)
        said = self.vault("decrypt", "x.hvault", "-o", "out", *OPEN).stderr
        self.assertIn("warning: the manifest cannot be read, so nothing shows whether something is missing", said)
        self.assertEqual((self.folder / "out/manifest.json").read_bytes(), manifest)

    @each(("swapped", "0001 0000"), ("with a gap", "0000 0002"), ("without a start", "0001"), ("twice", "0000 0000"))
    def test_pieces(self, case):
        numbers = case[1].split()
        members = [(f"files/a.zst.{number}", frame(b"piece")) for number in numbers]
        self.archive(*(dict(members).items() if case[0] != "twice" else members))
        self.check_refused(["decrypt"], ["verify"])

    # SECURITY.md: "can read it, and can write another one that looks the same"
    def test_the_row_that_the_others_change_is_sound(self):
        self.archive((BATCH, frame(ROW)))
        self.vault("decrypt", "x.hvault", "-o", "out", *OPEN)
        self.assertEqual((self.folder / "out" / "records" / "X-4b68ab38" / "undated.ndjson").read_text(),
                         '{"element":"Record","position":1,"type":"X"}\n')


class HostileFolders(CommandTest):
    # SECURITY.md: "use unlimited memory, or crash"
    def test_positions_of_lines(self):
        (self.folder / "in.xml").write_text(document(RECORD * 2))
        self.vault("export", "in.xml", "-o", "out")
        file, = (self.folder / "out" / "records" / "HKQuantityTypeIdentifierHeartRate").iterdir()
        for first in -(1 << 63), -1, 1 << 48, (1 << 63) - 1:
            lines = file.read_bytes().splitlines(keepends=True)
            row = json.loads(lines[0])
            lines[0] = json.dumps(row | {"position": first}).encode() + b"\n"
            changed = b"".join(lines)
            file.write_bytes(changed)
            self.vault("verify", "out", status=13)


if __name__ == "__main__":
    unittest.main()
