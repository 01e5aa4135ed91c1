#!/usr/bin/env python3
"""Prints SECURITY.md as an article for docc, which has one title: its parts become sections."""
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def article(text):
    title, _, rest = text.partition("\n")
    lines, code = [], False
    for line in rest.split("\n"):
        code ^= line.startswith("```")
        lines.append(line if code else re.sub(r"^# (Part )", r"## \1", line))
    body = "\n".join(lines).strip("\n")
    # An article begins with a sentence.
    return f"{title}\n\nWhat an archive protects against whom, and its format byte by byte.\n\n## Overview\n\n{body}\n"


if __name__ == "__main__":
    print(article((ROOT / "SECURITY.md").read_text()), end="")
