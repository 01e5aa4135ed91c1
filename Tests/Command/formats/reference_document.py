"""Reads Apple's document with expat, to hold what the command writes against it.

Nothing here is shared with the command: the DOCTYPE is cut out with a regular expression, because that of iOS 16 is not
well-formed, and expat resolves references, white space and line ends.
"""
import re
import zipfile
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

TOP = "apple_health_export/"
DOCTYPE = re.compile(rb"<!DOCTYPE[^[>]*(\[.*?\]>|>)[>\s]*", re.DOTALL)
SPACE = " \t\r\n"


class Element(NamedTuple):
    """An element; its children are elements and texts, without texts of white space alone."""

    name: str
    attributes: list
    children: list

    def get(self, name, default=None):
        return dict(reversed(self.attributes)).get(name, default)

    def elements(self, name):
        return [child for child in self.children if isinstance(child, Element) and child.name == name]


class Document(NamedTuple):
    """The root element as row 0, and its children with their positions; a text is a row named #text."""

    root: Element
    rows: list

    @property
    def samples(self):
        return [row for row in self.rows if row.name not in ("HealthData", "ExportDate", "Me", "#text")]

    @property
    def everything(self):
        """All rows with their positions, which count from 0 for the root."""
        return list(enumerate([self.root._replace(children=[]), *self.rows]))


def read(source):
    """Reads a zip, a document or its bytes."""
    parser = expat.ParserCreate()
    parser.ordered_attributes, parser.buffer_text = True, True
    open_elements, texts, found = [Element("", [], [])], [], []

    def flush():
        text = "".join(texts)
        texts.clear()
        if text.strip(SPACE):
            open_elements[-1].children.append(text)

    def start(name, attributes):
        flush()
        element = Element(name, list(zip(attributes[::2], attributes[1::2])), [])
        open_elements[-1].children.append(element)
        open_elements.append(element)

    def end(_):
        flush()
        open_elements.pop()

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = texts.append
    parser.Parse(DOCTYPE.sub(b"", content(source), count=1), True)
    root = open_elements[0].children[0]
    for child in root.children:
        found.append(Element("#text", [("text", child.strip(SPACE))], []) if isinstance(child, str) else child)
    return Document(root, found)


def content(source):
    """The bytes of a document: given as such, as a file, or as the member of a zip."""
    if isinstance(source, bytes):
        return source
    if zipfile.is_zipfile(source):
        with zipfile.ZipFile(source) as file:
            return file.read(TOP + "export.xml")
    return Path(source).read_bytes()


def prologue(source):
    """What stands before the root element."""
    text = content(source)
    return text[:text.rindex(b"<HealthData")]


def side_files(path):
    """The other files of a zip, by their names inside the folder."""
    with zipfile.ZipFile(path) as file:
        return {name.removeprefix(TOP): file.read(name) for name in file.namelist()
                if name != TOP + "export.xml" and not name.endswith("/")}


def paths(document):
    """The path below the root of every element, as often as it occurs."""
    def below(element, path):
        yield path
        for child in element.children:
            if isinstance(child, Element):
                yield from below(child, f"{path}/{child.name}")

    for row in document.rows:
        if row.name != "#text":
            yield from below(row, row.name)
