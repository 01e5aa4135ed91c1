"""What the tests of the formats share: exports in all formats at once, made once for each source."""
import functools
import hashlib
import re
import sqlite3
import tempfile
import zipfile
from pathlib import Path

from documents import RECORD, document
from formats import reference_document
from formats.flat_rows import iso
from sampling import some
from vault import BINARY, CACHE, DOCUMENT_TYPES, OPEN, SHAPES, SHARED, CommandTest, generated, run, shared

FORMATS = "json", "csv", "sqlite", "apple-xml"
FILES = {"json": "health.json", "sqlite": "health.db", "apple-xml": "export.zip"}
TARGETS = {**FILES, "csv": "folder"}
ALL = ("--format", ",".join(("ndjson", *FORMATS)))
SIZE = "200kB"
SMALL = "ordinary", "14", SIZE
VARIANTS = ([("ordinary", version, SIZE) for version in DOCUMENT_TYPES]
            + [(shape, "14", SIZE) for shape in SHAPES[1:]])
# Every sample of every variant is looked at in each format, and all else in those of some.
SOME = some(VARIANTS, 4)


def small():
    """An ordinary export of all kinds of samples."""
    return generated(*SMALL)


@functools.cache
def converted(variant):
    """The folder of a generated export in all formats."""
    return shared(SHARED / "-".join(("converted", *variant)),
                  lambda place: in_all_formats(generated(*variant).zip, folder=place))


def in_all_formats(source, *options, folder=None):
    folder = folder or Path(tempfile.mkdtemp(dir=CACHE)) / "all"
    result = run(BINARY, "export", source, "-o", folder, *ALL, *options)
    assert result.status == 0, result
    return folder


@functools.cache
def reference(variant):
    return reference_document.read(generated(*variant).zip)


def digests(path):
    """The contents of a result, whatever its form: of files, members and rows."""
    if path.is_dir():
        return {str(file.relative_to(path)): digests(file) for file in sorted(path.rglob("*")) if file.is_file()
                and file.name != "SHA256SUMS"}
    if path.read_bytes()[:15] == b"SQLite format 3":
        return hashlib.sha256("\n".join(sqlite3.connect(path).iterdump()).encode()).hexdigest()
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as file:
            return {name: hashlib.sha256(file.read(name)).hexdigest() for name in file.namelist()}
    return hashlib.sha256(path.read_bytes()).hexdigest()


def has_time(element):
    """Whether a row lies in a span, and not among those without a time that can be read."""
    if any(iso(element.get(name, "")) for name in ("startDate", "dateIssued", "receivedDate")):
        return True
    return re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", element.get("dateComponents", "")) is not None


def in_order(rows):
    """The rows of a type that has one span: those without a time come last."""
    return sorted(rows, key=lambda row: not has_time(row))


class FormatTest(CommandTest):
    """A test that exports small documents in other formats."""

    def convert(self, source, target, *options, command="export", **more):
        secret = OPEN if str(source).endswith(".hvault") else ()
        return self.vault(command, source, "-o", target, *options, *secret, **more)

    def write(self, text, name="in.xml"):
        (self.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    def all_formats(self, text):
        """A document in all formats."""
        self.convert(self.write(text), "all", *ALL)
        return self.folder / "all"


class TargetTest(FormatTest):
    """A test about where a result goes."""

    def setUp(self):
        super().setUp()
        self.source = self.write(document(RECORD))

    def export(self, name, *options, target=None, source="in.xml", **more):
        self.write(document(RECORD))
        return self.convert(source, target or TARGETS[name], "--format", name, *options, **more)
