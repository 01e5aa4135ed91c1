#!/usr/bin/env python3
"""Joins the archives of docc into one static site:  site.py ARCHIVES OUTPUT

ARCHIVES is a folder with a `.doccarchive` for each catalogue. The site that docc makes itself is a program in JavaScript that
loads each page from a server; this one is pages of plain HTML, which any server, any browser and a folder on a drive can show.
The pages of the manual are added by `mandoc`, from the folder ARCHIVES/manual.
"""
import html
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from landing import landing, wrap

HERE = Path(__file__).resolve().parent


def page_path(url):
    """The file of a page, by the address that docc gives it: /documentation/healthvault/queries."""
    parts = [re.sub(r"[^a-z0-9._()+-]", "-", part) for part in url.strip("/").lower().split("/")]
    # Operators have names of nothing but signs, and long ones would be too long for a file.
    return "/".join(part if len(part) <= 120 else part[:100] + f"-{len(part)}" for part in parts) + ".html"


class Renderer:
    """A page of docc as HTML."""

    def __init__(self, document, place, known):
        self.document, self.place, self.known = document, place, known
        self.references = document["references"]

    def link(self, url):
        """The address of another page, from this one."""
        address, mark, anchor = url.partition("#")
        path = page_path(address)
        if path not in self.known:
            return None
        return os.path.relpath(path, os.path.dirname(self.place)) + mark + html.escape(anchor.lower())

    def inline(self, content):
        return "".join(map(self.inline_one, content or []))

    def inline_one(self, item):
        kind = item["type"]
        if kind == "text":
            return html.escape(item["text"])
        if kind == "codeVoice":
            return f"<code>{html.escape(item['code'])}</code>"
        if kind in ("emphasis", "strong"):
            tag = {"emphasis": "em", "strong": "strong"}[kind]
            return f"<{tag}>{self.inline(item['inlineContent'])}</{tag}>"
        if kind == "image":
            picture = self.references[item["identifier"]]
            name = os.path.basename(picture["variants"][0]["url"])
            source = os.path.relpath(f"pictures/{name}", os.path.dirname(self.place))
            return f'<img src="{source}" alt="{html.escape(picture.get("alt") or "")}">'
        if kind == "reference":
            return self.reference(item)
        raise ValueError(f"a kind of text that is not known: {kind}")

    def reference(self, item):
        target = self.references.get(item["identifier"], {})
        given = item.get("overridingTitleInlineContent")
        title = self.inline(given) if given else html.escape(target.get("title") or item["identifier"])
        if target.get("kind") == "symbol" and not given:
            title = f"<code>{title}</code>"
        if target.get("type") == "link" or "url" not in target:
            url = target.get("url") or item["identifier"]
            return f'<a href="{html.escape(url)}">{title}</a>' if re.match(r"https?:|#", url) else title
        address = self.link(target["url"])
        return f'<a href="{address}">{title}</a>' if address and item.get("isActive", True) else title

    def blocks(self, content):
        return "\n".join(map(self.block, content or []))

    def block(self, item):
        kind = item["type"]
        if kind == "paragraph":
            return f"<p>{self.inline(item['inlineContent'])}</p>"
        if kind == "heading":
            level, anchor = item["level"], html.escape(item["anchor"].lower())
            return f'<h{level} id="{anchor}">{html.escape(item["text"])}</h{level}>'
        if kind == "codeListing":
            return f"<pre><code>{html.escape(chr(10).join(item['code']))}</code></pre>"
        if kind in ("unorderedList", "orderedList"):
            tag = "ul" if kind == "unorderedList" else "ol"
            items = "".join(f"<li>{self.blocks(entry['content'])}</li>" for entry in item["items"])
            return f"<{tag}>{items}</{tag}>"
        if kind == "table":
            head, *rows = item["rows"]
            cells = "".join(f"<th>{self.blocks(cell)}</th>" for cell in head)
            body = "".join("<tr>" + "".join(f"<td>{self.blocks(cell)}</td>" for cell in row) + "</tr>" for row in rows)
            return f'<div class="table"><table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table></div>'
        if kind == "aside":
            return f'<aside><p class="name">{html.escape(item.get("name", ""))}</p>{self.blocks(item["content"])}</aside>'
        raise ValueError(f"a kind of paragraph that is not known: {kind}")

    def sections(self):
        for section in self.document.get("primaryContentSections", []):
            if section["kind"] == "declarations":
                for declaration in section["declarations"]:
                    yield f'<pre class="declaration"><code>{"".join(map(self.token, declaration["tokens"]))}</code></pre>'
            elif section["kind"] == "parameters":
                rows = "".join(f"<dt><code>{html.escape(one['name'])}</code></dt><dd>{self.blocks(one['content'])}</dd>"
                               for one in section["parameters"])
                yield f"<h2>Parameters</h2><dl>{rows}</dl>"
            elif section["kind"] == "content":
                yield self.blocks(section["content"])
        for key, title in (("topicSections", "Topics"), ("relationshipsSections", "Relationships"),
                           ("seeAlsoSections", "See also")):
            sections = self.document.get(key)
            if sections:
                yield f"<h2>{title}</h2>" + "".join(map(self.topics, sections))

    def token(self, token):
        text = html.escape(token["text"])
        target = self.references.get(token.get("identifier", ""), {})
        address = self.link(target["url"]) if "url" in target else None
        return f'<a href="{address}">{text}</a>' if address else text

    def topics(self, section):
        rows = []
        for identifier in section["identifiers"]:
            target = self.references.get(identifier, {})
            name = self.reference({"identifier": identifier})
            abstract = self.inline(target.get("abstract"))
            rows.append(f"<li>{name}{' – ' + abstract if abstract else ''}</li>")
        return f"<h3>{html.escape(section['title'])}</h3><ul>{''.join(rows)}</ul>"

    def crumbs(self):
        """The pages above this one."""
        path = (self.document["hierarchy"].get("paths") or [[]])[0]
        names = []
        for identifier in path:
            if identifier in self.references:
                names.append(self.reference({"identifier": identifier}))
        return " / ".join(names)

    def page(self):
        title = self.document["metadata"].get("title", "")
        abstract = self.inline(self.document.get("abstract"))
        body = f"<h1>{html.escape(title)}</h1>"
        if abstract:
            body += f'<p class="abstract">{abstract}</p>'
        return wrap(self.place, title, body + "\n".join(self.sections()), self.crumbs())


def read(archives):
    """The pages of all archives, by their files."""
    pages = {}
    for archive in sorted(archives.glob("*.doccarchive")):
        for path in sorted((archive / "data").rglob("*.json")):
            document = json.loads(path.read_bytes())
            place = page_path(document["identifier"]["url"].removeprefix("doc://").partition("/")[2])
            if place in pages:
                raise SystemExit(f"two pages for {place}")
            pages[place] = document
    return pages


def manual(folder, output):
    """The pages of the manual as HTML; their names."""
    names = []
    for path in sorted(folder.iterdir()):
        text = subprocess.run(("mandoc", "-T", "html", "-O", "fragment,man=%N.%S.html", path), check=True,
                              capture_output=True, text=True).stdout
        place = f"manual/{path.name}.html"
        (output / place).parent.mkdir(exist_ok=True)
        title = f"{path.stem}({path.suffix[1:]})"
        (output / place).write_text(wrap(place, title, f"<h1>{title}</h1>{text}"))
        names.append(path.name)
    return names


def main(archives, output):
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    pages = read(archives)
    for place, document in pages.items():
        path = output / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(Renderer(document, place, pages).page())
    (output / "pictures").mkdir()
    for archive in sorted(archives.glob("*.doccarchive")):
        for picture in sorted((archive / "images").rglob("*.*")):
            shutil.copyfile(picture, output / "pictures" / picture.name)
    shutil.copyfile(HERE / "site.css", output / "site.css")
    names = manual(archives / "manual", output)
    (output / "index.html").write_text(wrap("index.html", "healthvault", landing(names)))
    print(f"{len(pages) + len(names) + 1} pages in {output}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
