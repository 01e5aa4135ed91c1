#!/usr/bin/env python3
"""Checks that every link, picture and anchor of a site is there:  links.py SITE"""
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """What a page points to, and the anchors that it has."""

    def __init__(self, text):
        super().__init__()
        self.targets, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src"):
                self.targets.append(value)
            elif name == "id":
                self.anchors.add(value)


def broken(site):
    """The links that lead nowhere, and how many were checked; those to other servers are not followed."""
    pages = {path.resolve(): Page(path.read_text()) for path in sorted(site.rglob("*.html"))}
    problems, count = [], 0
    for path, page in pages.items():
        for target in page.targets:
            parts = urlsplit(target)
            count += 1
            if parts.scheme in ("http", "https"):
                continue
            other = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if parts.scheme or not other.is_relative_to(site.resolve()) or not other.is_file():
                problems.append(f"{path.relative_to(site.resolve())}: {target}")
            elif parts.fragment and other in pages and unquote(parts.fragment) not in pages[other].anchors:
                problems.append(f"{path.relative_to(site.resolve())}: {target} (no such anchor)")
    return problems, count


def main(site):
    problems, count = broken(site)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{count} links, {len(problems)} broken")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
