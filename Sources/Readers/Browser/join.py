#!/usr/bin/env python3
"""Joins the modules of this folder, its style and its page into one file, open.html, which needs nothing else.

    join.py [FILE]    (open.html beside this program by default)

The modules stand in the order in which they import each other, without `import`, `export`, comments and indentation. So
they share one scope: a name that two modules declare would be a SyntaxError. Comments must begin a line, statements must end
with a semicolon, and no text may depend on line ends. The same sources always give the same bytes.
"""
import base64
import hashlib
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMMENT = re.compile(r"^ *(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/)\n", re.MULTILINE)
IMPORT = re.compile(r"^import (?:\{[^}]*\} from )?'(\.[^']*)';\n", re.MULTILINE)
VERSION = HERE.parents[1] / "Interface/CommandOutput/Terminal/ToolVersion.swift"
LARGEST = 160_000


def ordered(module, done):
    """The modules that one needs, each behind those that it imports, and itself."""
    if module in done:
        return
    done[module] = None  # so that a circle ends
    text = module.read_text("utf-8")
    for target in IMPORT.findall(text):
        ordered((module.parent / target).resolve(), done)
    del done[module]
    done[module] = bare(re.sub(r"^export ", "", IMPORT.sub("", text), flags=re.MULTILINE))


def bare(text):
    """A text without comments, indentation and the line ends that mean nothing."""
    return re.sub(r"(?<=[{(\[,])\n|\n(?=[)\]}])", "", re.sub(r"^\s+", "", COMMENT.sub("", text), flags=re.MULTILINE))


def tight(text):
    """A script without spaces around signs, in lines that have neither texts nor regular expressions nor comments."""
    lines, isInText = [], False
    for line in text.split("\n"):
        if not isInText and not re.search("['\"`/]", line):
            line = re.sub(r" ?([=<>*%&|?:,{}()\[\];!]+) ?", r"\1", line)
        isInText ^= line.count("`") % 2 == 1
        lines.append(line)
    return "\n".join(lines)


def script():
    modules = {}
    ordered(HERE / "page/main.js", modules)
    unused = set(HERE.rglob("*.js")) - set(modules)
    if unused:
        sys.exit(f"nothing imports {', '.join(sorted(path.name for path in unused))}")
    parts = [f"// {module.relative_to(HERE)}\n{tight(text.strip())}\n" for module, text in modules.items()]
    return "\n'use strict';\n" + "".join(parts)


def source(text):
    """How the content policy names a script or a style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def page():
    code, style = script(), "\n" + bare((HERE / "page/page.css").read_text("utf-8"))
    if re.search("</script|<!--", code, re.IGNORECASE) or "</style" in style:
        sys.exit("a text ends the script or the style too early")
    policy = (f"default-src 'none'; script-src {source(code)}; style-src {source(style)}; base-uri 'none'; form-action 'none'; "
              "require-trusted-types-for 'script'; trusted-types 'none'")
    number, = re.findall(r'static let number = "([^"]*)"', VERSION.read_text("utf-8"))
    values = {"POLICY": policy, "STYLE": style, "SCRIPT": code, "VERSION": f"healthvault {number}"}
    template = (HERE / "page/page.html").read_text("utf-8")
    data = re.sub("@([A-Z]+)@", lambda mark: values[mark[1]], template).encode()
    if len(data) > LARGEST:
        sys.exit(f"the page has {len(data)} bytes, more than {LARGEST}")
    return data


if __name__ == "__main__":
    (Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "open.html").write_bytes(page())
