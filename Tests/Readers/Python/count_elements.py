#!/usr/bin/env python3
"""Counts the elements of an Apple Health export.xml with expat, to hold our own counts against.

    count_elements.py FILE        (or - for the standard input)

Prints JSON: "elements" has a count per path below the root ("Record", "Record/MetadataEntry", ...; the root itself
under its own name), "types" a count per type of the Records right below the root.

The DOCTYPE is cut out before expat sees it, from "<!DOCTYPE" to the first "]>", with stray ">" and blanks that follow:
that of iOS 16 is not well-formed, and no parser reads on behind it.
"""
import json
import re
import sys
from collections import Counter
from xml.parsers import expat

MIB = 1 << 20


def count(file):
    elements, types, path = Counter(), Counter(), []

    def start(name, attributes):
        if len(path) == 1 and name == "Record":
            types[attributes.get("type", "")] += 1
        path.append(f"{path[-1]}/{name}" if len(path) > 1 else name)
        elements[path[-1]] += 1

    def end(_):
        path.pop()

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = start, end
    head = file.read(MIB)
    parser.Parse(re.sub(rb"<!DOCTYPE[^[>]*(\[.*?\]>|>)[>\s]*", b"", head, count=1, flags=re.DOTALL))
    while block := file.read(MIB):
        parser.Parse(block)
    parser.Parse(b"", True)
    return {"elements": dict(sorted(elements.items())), "types": dict(sorted(types.items()))}


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: count_elements.py FILE|-")
    try:
        with sys.stdin.buffer if sys.argv[1] == "-" else open(sys.argv[1], "rb") as file:
            print(json.dumps(count(file), ensure_ascii=False, indent=1))
    except (OSError, expat.ExpatError) as error:
        sys.exit(f"count_elements.py: {error}")


if __name__ == "__main__":
    main()
