"""All texts that a user of the command sees, as one document: for a reader with fresh eyes.

    make texts

The pages of help come from the command itself, everything else from the string literals in the sources: an ellipsis stands
for what is filled in.
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SOURCES = ROOT / "Sources"
# Files with texts that lie in modules of the library.
LIBRARY = ("SystemIO/Calls/SystemError.swift", "HealthFormats/FormatError.swift", "HealthFHIR/Values/FHIRError.swift",
           "BulkSessions/SessionError.swift", "HealthArchive/Errors/VaultErrorReasons.swift",
           "AppleHealthExport/ExportError.swift", "VaultContainer/ContainerError.swift",
           "HealthQueries/QueryError.swift",
           "HealthQueries/Analytics/AnalyticsError.swift",
           "HealthModel/Electrocardiograms/ElectrocardiogramReader.swift",
           "CommandLineKit/Parsing/UsageErrorWording.swift")


def literals(source):
    """The string literals of a Swift file, with those joined that a plus sign joins."""
    texts, position, between = [], 0, ""
    while position < len(source):
        if source.startswith("//", position):
            position = source.find("\n", position)
            if position < 0:
                break
        elif source.startswith('#"', position):
            # A raw one, which has markup for programs.
            position = source.index('"#', position + 2) + 2
        elif source[position] == '"':
            text, position = literal(source, position)
            if between == "+":
                texts[-1] += text
            else:
                texts.append(text)
            between = ""
        else:
            between += source[position].strip()
            position += 1
    return texts


def literal(source, position):
    """The literal that starts at a position, and where it ends."""
    quote = '"""' if source.startswith('"""', position) else '"'
    position += len(quote)
    text = ""
    while not source.startswith(quote, position):
        if source.startswith("\\(", position):
            position = end_of_interpolation(source, position + 2)
            text += "…"
        elif source[position] == "\\":
            text += {"n": "\n", "\n": ""}.get(source[position + 1], source[position + 1])
            position += 2
        else:
            text += source[position]
            position += 1
    return re.sub(r"[ \n]+", " ", text), position + len(quote)


def end_of_interpolation(source, position):
    depth = 1
    while depth:
        if source[position] == '"':
            position = literal(source, position)[1]
            continue
        depth += {"(": 1, ")": -1}.get(source[position], 0)
        position += 1
    return position


def sentences(path):
    """The texts in a file that people read: names of members, types and options have no space in them."""
    return [text.strip() for text in literals(path.read_text()) if " " in text.strip()]


def commands(binary):
    """The names of the commands, in the order of the overview."""
    overview = subprocess.run([binary, "help"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^  ([a-z-]+)  +[A-Z]", overview, re.MULTILINE)


def topics(binary):
    """The names of the topics, in the order of the overview."""
    overview = subprocess.run([binary, "help"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^  ([a-z-]+) ", overview.partition("\ntopics:\n")[2].partition("\n\n")[0] + "\n", re.MULTILINE)


def examples(page):
    """The command lines in the examples of a page of help, which a topic may follow."""
    lines = re.match(r"(?:  .*\n)*", page.partition("\nexamples:\n")[2])[0]
    return re.findall(r"^  (?!#)(\S.*)$", lines.replace("\\\n", ""), re.MULTILINE)


def page(binary, *words):
    return subprocess.run([binary, *words], capture_output=True, text=True, check=True).stdout


def files():
    """The files with texts, by the heading they stand under."""
    found = {}
    interface = SOURCES / "Interface"
    messages = sorted(path for folder in ("Commands/Output", "Wording") for path in (interface / folder).rglob("*.swift"))
    for path in sorted({*(interface / "Commands").rglob("*.swift")} - set(messages)):
        found.setdefault(path.parent.name, []).append(path)
    found["Messages of all commands"] = messages
    found["Errors of the library"] = [next(SOURCES.glob(f"*/{name}")) for name in LIBRARY]
    return found


def document(binary):
    parts = ["# The texts of healthvault", "## Help", page(binary), page(binary, "help")]
    parts += [page(binary, "help", name) for name in dict.fromkeys(commands(binary) + topics(binary))]
    for title, paths in files().items():
        lines = [f"- {text}" for path in paths for text in sentences(path)]
        if lines:
            parts.append(f"## {title}\n\n" + "\n".join(lines) + "\n")
    return "\n\n".join(parts)


if __name__ == "__main__":
    print(document(sys.argv[1]))
