"""The first page of the site, and the frame of all pages."""
import html
import os

ARTICLES = "documentation/healthvault/"
# Who comes, and where each begins.
WAYS = (
    ("You have an iPhone and a drive", (
        ("firstarchive", "Your first archive", "from the Health app to an encrypted file, in ten minutes"),
        ("driveinadrawer", "A drive in a drawer", "copies that can still be opened in thirty years"),
        ("everysundaynight", "Every Sunday night", "exports that happen by themselves"),
        ("askyourarchive", "Ask your archive", "steps, nights and heart rates, in tables and charts"),
        ("commands", "All commands", "formats and exit statuses"))),
    ("You write programs", (
        ("buildonthelibrary", "Build on the library", "read samples and write archives in Swift"),
        ("stores", "Stores", "exports, archives and folders as collections of samples"),
        ("exportsessions", "Export sessions", "upload an export batch by batch"),
        ("reports", "Reports", "what the keys of --json mean"))),
    ("You have inherited an archive", (
        ("opening", "Opening an archive", "what you need, and three ways to open it"),
        ("browsers", "In a browser", "a page that opens archives, offline"),
        ("plainfolder", "The plain folder", "what is in it once it is open"))),
    ("You want to know whether to trust it", (
        ("security", "Security, and the format", "what is protected against whom, and every byte of an archive"),
        ("decisions", "Decisions", "why it is as it is"),
        ("installing", "Installing", "how to check what you have downloaded"),
        ("contributing", "Contributing", "how it is built and tested"))),
)


def wrap(place, title, body, crumbs=""):
    """A whole page; `place` is its file in the site."""
    top = os.path.relpath(".", os.path.dirname(place) or ".")
    above = f'<a href="{top}/index.html">healthvault</a>' + (f" / {crumbs}" if crumbs else "")
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{html.escape(title)}</title>\n'
            f'<link rel="stylesheet" href="{top}/site.css">\n</head>\n<body>\n<nav>{above}</nav>\n<main>\n{body}\n</main>\n'
            "</body>\n</html>\n")


def landing(manual):
    """The first page; `manual` has the names of the pages of the manual."""
    parts = ["<h1>healthvault</h1>",
             '<p class="abstract">Turns the export of Apple\'s Health app into an encrypted archive that can still be opened '
             "in thirty years.</p>",
             '<div class="ways">']
    for title, pages in WAYS:
        rows = "".join(f'<li><a href="{ARTICLES}{page}.html">{html.escape(name)}</a> – {html.escape(meaning)}</li>'
                       for page, name, meaning in pages)
        parts.append(f"<section><h2>{html.escape(title)}</h2><ul>{rows}</ul></section>")
    parts.append("</div>")
    parts.append('<p><img src="pictures/chart.svg" alt="Steps by week as bars, and the heart rate as a line in its range"></p>')
    modules = "".join(f'<li><a href="documentation/{name.lower()}.html"><code>{name}</code></a></li>'
                      for name in ("HealthVault", "HealthModel", "HealthQueries"))
    parts.append(f"<h2>Reference</h2><ul>{modules}</ul>")
    rows = ", ".join(f'<a href="manual/{name}.html">{name.rpartition(".")[0]}({name.rpartition(".")[2]})</a>'
                     for name in manual)
    parts.append(f"<h2>Manual</h2><p>{rows}</p>")
    return "\n".join(parts)
