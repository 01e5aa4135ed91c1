"""Takes a document apart into tokens, byte by byte, without asking whether it is well-formed.

A value is what a reader makes of it: references that are defined are resolved, all others are text. An empty element is a start
and an end, text next to a comment or a CDATA section is one text, and text of white space alone is none.
"""
import re

from formats.reference_document import DOCTYPE, Document, Element

TOKEN = re.compile(rb"<!--.*?-->|<!\[CDATA\[(?P<data>.*?)\]\]>|<\?.*?\?>|</(?P<end>[^\s>]+)\s*>"
                   rb"|<(?P<start>[^\s/>!?]+)(?P<attributes>(?:\s+[^\s=>/]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*)\s*(?P<empty>/?)>"
                   rb"|(?P<text>[^<]+)", re.DOTALL)
ATTRIBUTE = re.compile(rb"\s+([^\s=>/]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.DOTALL)
REFERENCE = re.compile(rb"&(?:#([0-9]{1,25})|#x([0-9A-Fa-f]{1,25})|(lt|gt|amp|quot|apos));")
NAMED = {b"lt": b"<", b"gt": b">", b"amp": b"&", b"quot": b'"', b"apos": b"'"}
SPACE = b" \t\r\n"


def resolved(text):
    """Text with its references resolved, if they are those of a character or one of the five names."""
    def replacement(found):
        decimal, hexadecimal, name = found.groups()
        if name:
            return NAMED[name]
        code = int(decimal) if decimal else int(hexadecimal, 16)
        if code > 0x10ffff or 0xd800 <= code < 0xe000:
            return found[0]
        return chr(code).encode()

    return REFERENCE.sub(replacement, text)


def content(text):
    return resolved(re.sub(rb"\r\n?", b"\n", text))


def value(text):
    return resolved(re.sub(rb"[\t\n\r]", b" ", text.replace(b"\r\n", b"\n")))


def tokens(document):
    """The tokens of a document from the root element on."""
    document = DOCTYPE.sub(b"", document, count=1)
    found, texts, place = [], [], document.index(b"<HealthData")

    def flush():
        text = b"".join(texts)
        texts.clear()
        # Around the text between elements, white space is that of the lines.
        if text.strip(SPACE):
            found.append(("text", text.strip(SPACE)))

    while place < len(document):
        token = TOKEN.match(document, place)
        assert token, document[place:place + 80]
        place = token.end()
        if token["text"] is not None:
            texts.append(content(token["text"]))
        elif token["data"] is not None:
            texts.append(re.sub(rb"\r\n?", b"\n", token["data"]))
        elif token["start"] is not None:
            flush()
            pairs = [(name, value(one or other)) for name, one, other in ATTRIBUTE.findall(token["attributes"])]
            found.append(("start", token["start"], pairs))
            if token["empty"]:
                found.append(("end", token["start"]))
        elif token["end"] is not None:
            flush()
            found.append(("end", token["end"]))
    return found


def decoded(text):
    return text.decode(errors="surrogateescape")


def read(document):
    """A document that no parser would read, in the form in which the reference document has others."""
    stack = [Element("", [], [])]
    for kind, text, *attributes in tokens(document):
        if kind == "text":
            stack[-1].children.append(decoded(text))
        elif kind == "end":
            stack.pop()
        else:
            pairs = [(decoded(name), decoded(value)) for name, value in attributes[0]]
            stack[-1].children.append(Element(decoded(text), pairs, []))
            stack.append(stack[-1].children[-1])
    root = stack[0].children[0]
    return Document(root, [Element("#text", [("text", child)], []) if isinstance(child, str) else child
                           for child in root.children])
